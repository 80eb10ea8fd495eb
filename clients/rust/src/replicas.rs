//! Calls go round the replicas of the service: a connection to each address that its names resolve to.
//!
//! tonic's own balancer picks the least loaded of two, and nothing is less loaded than a replica that has gone. So here they take
//! turns, as gRPC's `round_robin` has it, and one that cannot be reached is passed over for a while.

use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use tokio::net::lookup_host;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, TimeoutExpired, codegen::StdError};
use tower_service::Service;

use crate::details;

/// Names are looked up again after so long; after a failure at once, but no more often than [`SOONEST`].
const LOOK_UP_EVERY: Duration = Duration::from_secs(30);
const SOONEST: Duration = Duration::from_secs(1);
/// A replica that cannot be reached is passed over for so long, doubled with each failure up to the longest.
const PASS_OVER: Duration = Duration::from_secs(1);
const PASS_OVER_AT_MOST: Duration = Duration::from_secs(60);

/// What makes the endpoint of an address: its settings are those of the client. The name is `HOST:PORT`.
pub(crate) type MakeEndpoint = Box<dyn Fn(&str, SocketAddr) -> Result<Endpoint, StdError> + Send + Sync>;

/// All replicas of the service, as one service of gRPC calls. Clones share the connections.
#[derive(Clone)]
pub struct Replicas(Arc<Shared>);

struct Shared {
    names: Vec<String>,
    endpoint: MakeEndpoint,
    known: Mutex<Known>,
    /// Held by who looks names up, so that nobody else does it too.
    looking_up: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Known {
    replicas: Vec<Replica>,
    turn: usize,
    looked_up: Option<Instant>,
    failed_since: bool,
}

struct Replica {
    name: String,
    address: SocketAddr,
    channel: Channel,
    failures: u32,
    back: Option<Instant>,
}

impl Replicas {
    pub(crate) fn new(names: Vec<String>, endpoint: MakeEndpoint) -> Self {
        Self(Arc::new(Shared { names, endpoint, known: Mutex::default(), looking_up: tokio::sync::Mutex::default() }))
    }

    /// The names that it resolves.
    pub(crate) fn names(&self) -> &[String] {
        &self.0.names
    }
}

impl fmt::Debug for Replicas {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Replicas").field(&self.0.names).finish()
    }
}

impl Service<Request<Body>> for Replicas {
    type Response = Response<Body>;
    type Error = StdError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, StdError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        Poll::Ready(Ok(())) // which replica it is to be is not known before the call
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move { shared.call(request).await })
    }
}

impl Shared {
    async fn call(self: Arc<Self>, request: Request<Body>) -> Result<Response<Body>, StdError> {
        self.look_up_if_due().await?;
        let Some((address, mut channel)) = self.known().next() else {
            return Err(Status::unavailable(format!("{} resolves to no address", self.names.join(", "))).into());
        };
        let result = async {
            poll_fn(|context| channel.poll_ready(context)).await?;
            channel.call(request).await
        };
        let result = result.await;
        self.known().ended(address, result.is_ok());
        result.map(details::readable).map_err(|error| as_core_has_it(error.into()))
    }

    /// The first look-up is waited for, and fails if no name resolves; later ones go on beside the calls.
    async fn look_up_if_due(self: &Arc<Self>) -> Result<(), StdError> {
        let (due, first) = {
            let known = self.known();
            (known.is_due(), known.replicas.is_empty())
        };
        if first {
            let _alone = self.looking_up.lock().await;
            return if self.known().replicas.is_empty() { self.look_up().await } else { Ok(()) };
        }
        if due && self.looking_up.try_lock().is_ok() {
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                if let Ok(_alone) = shared.looking_up.try_lock()
                    && shared.known().is_due()
                {
                    // A failure leaves everything as it is.
                    let _ = shared.look_up().await;
                }
            });
        }
        Ok(())
    }

    async fn look_up(&self) -> Result<(), StdError> {
        let mut found = vec![];
        let mut problems = vec![];
        for name in &self.names {
            match lookup_host(name.as_str()).await {
                Ok(addresses) => found.extend(addresses.map(|address| (name, address))),
                Err(error) => {
                    problems.push(format!("{name} cannot be found: {error}"));
                    // It may well be where it was.
                    found.extend(self.known().addresses_of(name).map(|address| (name, address)));
                }
            }
        }
        let mut known = self.known();
        known.looked_up = Some(Instant::now());
        known.failed_since = false;
        if found.is_empty() && !problems.is_empty() {
            return Err(Status::unavailable(problems.join("; ")).into());
        }
        let mut before = std::mem::take(&mut known.replicas);
        for (name, address) in found {
            if known.replicas.iter().any(|replica| replica.address == address) {
                continue;
            }
            let kept = before.iter().position(|replica| replica.address == address && replica.name == *name);
            let replica = match kept {
                Some(at) => before.swap_remove(at),
                None => Replica::new(name, address, (self.endpoint)(name, address)?.connect_lazy()),
            };
            known.replicas.push(replica);
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A deadline that has passed is `DEADLINE_EXCEEDED`, while tonic tells `CANCELLED`.
fn as_core_has_it(error: StdError) -> StdError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&*error);
    while let Some(found) = cause {
        if found.is::<TimeoutExpired>() {
            return Status::deadline_exceeded("no answer before the deadline").into();
        }
        cause = found.source();
    }
    error
}

impl Replica {
    fn new(name: &str, address: SocketAddr, channel: Channel) -> Self {
        Self { name: name.to_owned(), address, channel, failures: 0, back: None }
    }

    fn is_passed_over(&self) -> bool {
        self.back.is_some_and(|back| Instant::now() < back)
    }
}

impl Known {
    fn is_due(&self) -> bool {
        let wait = if self.failed_since { SOONEST } else { LOOK_UP_EVERY };
        self.looked_up.is_none_or(|before| before.elapsed() >= wait)
    }

    fn addresses_of(&self, name: &str) -> impl Iterator<Item = SocketAddr> {
        self.replicas
            .iter()
            .filter(|replica| replica.name == name)
            .map(|replica| replica.address)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The replica whose turn it is; where all are to be passed over, the next one all the same.
    fn next(&mut self) -> Option<(SocketAddr, Channel)> {
        let count = self.replicas.len();
        let mut order = (0..count).map(|at| (self.turn + at) % count);
        let first = order.clone().next()?;
        let chosen = order.find(|&at| !self.replicas[at].is_passed_over()).unwrap_or(first);
        self.turn = chosen + 1;
        let replica = &self.replicas[chosen];
        Some((replica.address, replica.channel.clone()))
    }

    /// Notes whether a replica could be reached. Calls that fail together are one failure.
    fn ended(&mut self, address: SocketAddr, reached: bool) {
        self.failed_since |= !reached;
        let Some(replica) = self.replicas.iter_mut().find(|replica| replica.address == address) else { return };
        if reached {
            (replica.failures, replica.back) = (0, None);
        } else if !replica.is_passed_over() {
            let pause = PASS_OVER.saturating_mul(2_u32.saturating_pow(replica.failures)).min(PASS_OVER_AT_MOST);
            replica.failures = replica.failures.saturating_add(1);
            replica.back = Some(Instant::now() + pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn known(count: u16) -> Known {
        let replicas = (1..=count).map(|port| {
            let address = SocketAddr::from(([127, 0, 0, 1], port));
            Replica::new("localhost", address, Endpoint::from_static("http://127.0.0.1:1").connect_lazy())
        });
        Known { replicas: replicas.collect(), ..Known::default() }
    }

    fn ports(known: &mut Known, calls: usize) -> Vec<u16> {
        (0..calls).filter_map(|_| known.next()).map(|(address, _)| address.port()).collect()
    }

    fn address(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    #[tokio::test(start_paused = true)]
    async fn replicas_take_turns() {
        assert_eq!(ports(&mut known(3), 7), [1, 2, 3, 1, 2, 3, 1]);
        assert!(ports(&mut known(0), 2).is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_cannot_be_reached_is_passed_over_for_a_while() {
        let mut known = known(3);
        known.ended(address(2), false);
        assert_eq!(ports(&mut known, 4), [1, 3, 1, 3]);
        tokio::time::advance(PASS_OVER).await;
        assert_eq!(ports(&mut known, 3), [1, 2, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_while_grows_with_failures_that_follow_each_other_and_ends_with_success() {
        let mut known = known(2);
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            (0..20).for_each(|_| known.ended(address(1), false));
            tokio::time::advance(Duration::from_millis(seconds * 1000 - 1)).await;
            assert!(known.replicas[0].is_passed_over(), "{seconds}");
            tokio::time::advance(Duration::from_millis(1)).await;
            assert!(!known.replicas[0].is_passed_over(), "{seconds}");
        }
        known.ended(address(1), true);
        known.ended(address(1), false);
        tokio::time::advance(PASS_OVER).await;
        assert!(!known.replicas[0].is_passed_over());
    }

    #[tokio::test(start_paused = true)]
    async fn where_none_can_be_reached_each_is_tried_all_the_same() {
        let mut known = known(2);
        known.ended(address(1), false);
        known.ended(address(2), false);
        assert_eq!(ports(&mut known, 4).into_iter().collect::<BTreeSet<_>>().len(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn names_are_looked_up_again_in_time_and_sooner_after_a_failure() {
        let mut known = known(1);
        assert!(known.is_due());
        known.looked_up = Some(Instant::now());
        tokio::time::advance(Duration::from_millis(29_999)).await;
        assert!(!known.is_due());
        known.failed_since = true;
        assert!(known.is_due());
        known.looked_up = Some(Instant::now());
        assert!(!known.is_due());
    }

    /// A look-up keeps the connections there are, adds what is new and lets go of what is gone.
    #[tokio::test]
    async fn a_look_up_keeps_the_replicas_that_are_still_there() {
        let made = Arc::new(Mutex::new(vec![]));
        let noted = Arc::clone(&made);
        let endpoint = move |_: &str, address: SocketAddr| {
            noted.lock().unwrap().push(address.port());
            Ok(Endpoint::from_shared(format!("http://{address}"))?)
        };
        let names = vec!["127.0.0.1:4".to_owned(), "127.0.0.1:5".to_owned(), "127.0.0.1:4".to_owned()];
        let replicas = Replicas::new(names, Box::new(endpoint));
        replicas.0.look_up().await.unwrap();
        replicas.0.known().replicas.push(Replica::new(
            "gone",
            address(9),
            Endpoint::from_static("http://[::1]:9").connect_lazy(),
        ));
        replicas.0.known().ended(address(5), false);
        replicas.0.look_up().await.unwrap();
        assert_eq!(*made.lock().unwrap(), [4, 5]);
        let known = replicas.0.known();
        assert_eq!(known.replicas.iter().map(|replica| replica.address.port()).collect::<Vec<_>>(), [4, 5]);
        assert!(known.replicas[1].is_passed_over());
    }
}
