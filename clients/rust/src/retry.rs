//! Calls that find their replica gone are made again, as `service_config.json` of the Python client has it: tonic knows no
//! service config.

use std::error::Error as _;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Status};

/// How often a call is made, the first time included.
pub const MAX_ATTEMPTS: u32 = 4;
/// Pause before the second attempt.
pub const INITIAL_BACKOFF: Duration = Duration::from_millis(20);
/// Longest pause.
pub const MAX_BACKOFF: Duration = Duration::from_millis(200);
/// What each pause is longer by than the one before.
pub const BACKOFF_MULTIPLIER: u32 = 2;
/// Statuses after which a call is made again: every call is pure.
pub const RETRYABLE: [Code; 2] = [Code::Unavailable, Code::Cancelled];

/// Makes attempts until one is answered, fails for good, or the deadline, which is for all of them, has passed. Each attempt is
/// told the time that is left.
pub(crate) async fn attempts<T, A>(timeout: Duration, mut attempt: impl FnMut(Duration) -> A) -> Result<T, Status>
where
    A: Future<Output = Result<T, Status>>,
{
    let deadline = Instant::now() + timeout;
    let mut last = None;
    for made in 1.. {
        let left = deadline.saturating_duration_since(Instant::now());
        let status = match timeout_at(deadline, attempt(left)).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(status)) => as_core_has_it(status),
            Err(_) => return Err(too_late(timeout, last)),
        };
        // The transport has a clock of its own for the same deadline.
        if Instant::now() >= deadline {
            return Err(too_late(timeout, Some(status)));
        }
        if made >= MAX_ATTEMPTS || !RETRYABLE.contains(&status.code()) {
            return Err(status);
        }
        last = Some(status);
        if timeout_at(deadline, sleep(backoff(made))).await.is_err() {
            break;
        }
    }
    Err(too_late(timeout, last))
}

/// A connection that broke is UNAVAILABLE for gRPC's core, while tonic tells UNKNOWN, INTERNAL or CANCELLED by how it broke. What the
/// service itself answered has no source.
fn as_core_has_it(status: Status) -> Status {
    match (status.source(), status.code()) {
        (Some(_), Code::Unknown | Code::Internal | Code::Cancelled) => {
            let broken = status.source().map(ToString::to_string).unwrap_or_default();
            Status::unavailable(format!("the connection broke: {broken}"))
        }
        _ => status,
    }
}

fn too_late(timeout: Duration, last: Option<Status>) -> Status {
    let before = match last {
        Some(status) if RETRYABLE.contains(&status.code()) => format!("; the last attempt: {}", status.message()),
        _ => String::new(),
    };
    Status::deadline_exceeded(format!("no answer within {timeout:?}{before}"))
}

/// The pause after so many attempts, a fifth more or less, so that callers do not come back all at once.
fn backoff(made: u32) -> Duration {
    let full = INITIAL_BACKOFF.saturating_mul(BACKOFF_MULTIPLIER.saturating_pow(made - 1)).min(MAX_BACKOFF);
    full * 4 / 5 + full * (random() % 401) / 1000
}

/// A number that differs from call to call; nothing but a pause hangs on it.
fn random() -> u32 {
    let bits = RandomState::new().hash_one(Instant::now().elapsed());
    u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Attempts that end as told, and when they were made.
    async fn run(ends: Vec<Result<u8, Code>>, timeout: Duration) -> (Result<u8, Code>, Vec<Duration>) {
        let (ends, made, began) = (RefCell::new(ends.into_iter()), RefCell::new(vec![]), Instant::now());
        let result = attempts(timeout, |_| {
            made.borrow_mut().push(began.elapsed());
            let end = ends.borrow_mut().next().expect("no attempt is made after the last one");
            async move { end.map_err(|code| Status::new(code, "as told")) }
        })
        .await;
        (result.map_err(|status| status.code()), made.into_inner())
    }

    const LONG: Duration = Duration::from_secs(3);

    #[tokio::test(start_paused = true)]
    async fn a_call_that_finds_its_replica_gone_is_made_again() {
        let (result, made) = run(vec![Err(Code::Unavailable), Err(Code::Cancelled), Ok(7)], LONG).await;
        assert_eq!((result, made.len()), (Ok(7), 3));
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_four_attempts_with_growing_pauses() {
        let (result, made) = run(vec![Err(Code::Unavailable); 4], LONG).await;
        assert_eq!(result, Err(Code::Unavailable));
        let pauses: Vec<_> = made.windows(2).map(|two| two[1].as_millis() - two[0].as_millis()).collect();
        let expected = [20, 40, 80];
        assert_eq!(pauses.len(), expected.len());
        for (pause, full) in pauses.into_iter().zip(expected) {
            // The timer of the runtime has a resolution of a millisecond.
            assert!((full * 4 / 5..=full * 6 / 5 + 1).contains(&pause), "{pause} ms in place of {full}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_else_is_tried_again() {
        for code in (1..=16).map(Code::from).filter(|code| !RETRYABLE.contains(code)) {
            let (result, made) = run(vec![Err(code)], LONG).await;
            assert_eq!((result, made.len()), (Err(code), 1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_is_for_all_attempts() {
        let began = Instant::now();
        let left = RefCell::new(vec![]);
        let result: Result<(), _> = attempts(Duration::from_secs(1), |rest| {
            left.borrow_mut().push(rest);
            async {
                sleep(Duration::from_millis(600)).await;
                Err(Status::unavailable("going away"))
            }
        })
        .await;
        let status = result.unwrap_err();
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert_eq!(status.message(), "no answer within 1s; the last attempt: going away");
        assert_eq!(began.elapsed().as_secs(), 1);
        let left = left.into_inner();
        assert_eq!(left.len(), 2);
        assert!(left[1] < Duration::from_millis(400), "{left:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_does_not_outlast_the_deadline() {
        let (result, made) = run(vec![Err(Code::Unavailable)], Duration::from_millis(10)).await;
        assert_eq!((result, made.len()), (Err(Code::DeadlineExceeded), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn the_transport_s_own_clock_is_the_deadline_too() {
        let result: Result<(), _> = attempts(LONG, |left| async move {
            sleep(left).await;
            Err(Status::deadline_exceeded("no answer before the deadline"))
        })
        .await;
        let status = result.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, "no answer within 3s"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_broke_is_unavailable() {
        for broken in [Code::Unknown, Code::Internal, Code::Cancelled] {
            let mut status = Status::new(broken, "h2 protocol error");
            status.set_source(std::sync::Arc::new(std::io::Error::other("reset by peer")));
            let seen = as_core_has_it(status);
            assert_eq!((seen.code(), seen.message()), (Code::Unavailable, "the connection broke: reset by peer"));
        }
        assert_eq!(as_core_has_it(Status::internal("a bug of the service")).code(), Code::Internal);
    }

    #[test]
    fn pauses_differ_and_have_a_longest() {
        let pauses: Vec<_> = (0..50).map(|_| backoff(30)).collect();
        assert!(pauses.iter().all(|pause| (160..=240).contains(&pause.as_millis())), "{pauses:?}");
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
    }
}
