//! A connection to the service, with retries, deadlines and load balancing as the service recommends them.

use std::net::SocketAddr;
use std::time::Duration;

use http::uri::Authority;
use tonic::Request;
use tonic::codegen::StdError;
#[cfg(feature = "tls")]
use tonic::transport::ClientTlsConfig;
use tonic::transport::Endpoint;

use crate::call::{Call, Stub};
use crate::caller::Identify;
use crate::replicas::{MakeEndpoint, Replicas};
use crate::v1::game_service_client::GameServiceClient;
use crate::{Error, Result, retry};

/// Deadline of a call, its retries included, unless the client is told another.
pub const TIMEOUT: Duration = Duration::from_secs(3);
/// What stands for ever: a clock has no later time, and `grpc-timeout` no more digits, than come far behind it.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects to the service at `HOST:PORT`, without encryption; [`Client::builder`] has everything else.
///
/// # Errors
/// When the target is no address.
pub fn connect(target: &str) -> Result<Client> {
    Client::builder(target).connect()
}

/// Connections to the service. Clones share them, and many tasks may use one.
#[derive(Debug, Clone)]
pub struct Client {
    replicas: Replicas,
    identify: Identify,
    timeout: Duration,
}

impl Client {
    /// Begins to say how to connect to `HOST:PORT`, or to several of these parted by commas.
    ///
    /// A name may resolve to several addresses: calls go round all of them. `dns:///HOST:PORT` is the same.
    pub fn builder(target: &str) -> Builder {
        Builder {
            target: target.to_owned(),
            timeout: TIMEOUT,
            identify: Ok(Identify::default()),
            keepalive: None,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// A client on the same connections that is a seat: it acts for that seat alone, whatever this one may do.
    ///
    /// # Errors
    /// When the token has signs that no token has.
    pub fn as_seat(&self, seat_token: &str) -> Result<Self> {
        Ok(Self { identify: self.identify.clone().with_seat_token(seat_token)?, ..self.clone() })
    }

    /// A client on the same connections that is answered in a language, such as `it` or `pl, en;q=0.5`; an empty one wants
    /// none. The violations of a [`Table`](crate::Table) that is made with it are in that language.
    ///
    /// # Errors
    /// When it is no list of languages.
    pub fn in_language(&self, language: &str) -> Result<Self> {
        Ok(Self { identify: self.identify.clone().with_language(language)?, ..self.clone() })
    }

    /// A client on the same connections with another deadline for each call, its retries included.
    #[must_use]
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout: timeout.min(LONGEST), ..self.clone() }
    }

    /// Makes a call: the type of the request says which. It is made again, up to four times in all, when its replica has gone.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails. An illegal move is no failure here: [`Table`](crate::Table) makes an error of it.
    pub async fn call<C: Call>(&self, request: C) -> Result<C::Answer> {
        let answer = retry::attempts(self.timeout, |left| {
            let mut attempt = Request::new(request.clone());
            attempt.set_timeout(left);
            C::send(attempt, self.stub())
        });
        Ok(answer.await?.into_inner())
    }

    /// The generated stub on the same connections. It sends who calls and in which language, and the deadline with each call
    /// that brings none, but for the stream. It tries nothing again.
    #[must_use]
    pub fn stub(&self) -> Stub {
        GameServiceClient::with_interceptor(self.replicas.clone(), self.identify.clone().with_timeout(self.timeout))
    }

    /// The names that are connected to, each as `HOST:PORT`.
    #[must_use]
    pub fn targets(&self) -> &[String] {
        self.replicas.names()
    }
}

/// How to connect, see [`Client::builder`].
#[derive(Debug, Clone)]
#[must_use = "`connect` makes the client"]
pub struct Builder {
    target: String,
    timeout: Duration,
    identify: Result<Identify>,
    keepalive: Option<Duration>,
    #[cfg(feature = "tls")]
    tls: Option<ClientTlsConfig>,
}

impl Builder {
    /// The deadline of each call, its retries included: 3 seconds if nothing is said.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Calls as a back end with this key, in place of a seat. It is a secret: send it over nothing but TLS, or a network of
    /// your own.
    pub fn api_key(self, key: &str) -> Self {
        Self { identify: self.identify.and_then(|caller| caller.with_api_key(key)), ..self }
    }

    /// Calls as the seat of this token, in place of a back end. It is a secret as an API key is.
    pub fn seat_token(self, token: &str) -> Self {
        Self { identify: self.identify.and_then(|caller| caller.with_seat_token(token)), ..self }
    }

    /// Wants texts for players in a language, such as `it` or `pl, en;q=0.5`; they are in English without it, or where it is
    /// empty.
    pub fn language(self, language: &str) -> Self {
        Self { identify: self.identify.and_then(|caller| caller.with_language(language)), ..self }
    }

    /// Pings a silent connection every so often (30 seconds suit phones), so that a lost one is noticed.
    pub fn keepalive(self, every: Duration) -> Self {
        Self { keepalive: Some(every.min(LONGEST)), ..self }
    }

    /// Encrypts, and trusts the certificates that the system does.
    #[cfg(feature = "tls")]
    pub fn tls(self) -> Self {
        self.tls_config(ClientTlsConfig::new().with_native_roots())
    }

    /// Encrypts with settings of your own: a CA of yours, a certificate that says who calls.
    #[cfg(feature = "tls")]
    pub fn tls_config(self, config: ClientTlsConfig) -> Self {
        Self { tls: Some(config), ..self }
    }

    /// Makes the client. It connects with the first call, which has to be made inside a Tokio runtime.
    ///
    /// # Errors
    /// [`Error::Setting`], when the target is no address, the timeout or the keepalive is nothing, or a key, token or language has signs that none has.
    pub fn connect(self) -> Result<Client> {
        let identify = self.identify.clone()?;
        let authorities = authorities(&self.target)?;
        let names = authorities.iter().map(ToString::to_string).collect();
        let timeout = self.timeout.min(LONGEST);
        if timeout.is_zero() {
            return Err(Error::Setting("a timeout of nothing is over before any call: give a longer one".to_owned()));
        }
        if self.keepalive.is_some_and(|every| every.is_zero()) {
            return Err(Error::Setting(
                "a keepalive of nothing would ping without an end: give a longer one".to_owned(),
            ));
        }
        Ok(Client { replicas: Replicas::new(names, self.endpoint()), identify, timeout })
    }

    /// Connections go to one address each, and speak of the name that it was found by.
    fn endpoint(self) -> MakeEndpoint {
        Box::new(move |name: &str, address: SocketAddr| -> Result<Endpoint, StdError> {
            let scheme = if self.is_encrypted() { "https" } else { "http" };
            let mut endpoint = Endpoint::from_shared(format!("{scheme}://{address}"))?
                .origin(format!("{scheme}://{name}").parse()?)
                .connect_timeout(self.timeout / 2);
            if let Some(every) = self.keepalive {
                endpoint = endpoint
                    .http2_keep_alive_interval(every)
                    .keep_alive_timeout(KEEPALIVE_TIMEOUT)
                    .keep_alive_while_idle(true);
            }
            self.encrypt(endpoint, name)
        })
    }

    #[cfg(feature = "tls")]
    fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    #[cfg(feature = "tls")]
    fn encrypt(&self, endpoint: Endpoint, name: &str) -> Result<Endpoint, StdError> {
        let Some(config) = &self.tls else { return Ok(endpoint) };
        let host = name.parse::<Authority>()?.host().trim_matches(['[', ']']).to_owned();
        Ok(endpoint.tls_config(config.clone().domain_name(host))?)
    }

    #[cfg(not(feature = "tls"))]
    fn is_encrypted(&self) -> bool {
        let Self { .. } = self;
        false
    }

    #[cfg(not(feature = "tls"))]
    fn encrypt(&self, endpoint: Endpoint, _: &str) -> Result<Endpoint, StdError> {
        let Self { .. } = self;
        Ok(endpoint)
    }
}

/// Reads a target; each of its names has a port, and nothing behind it.
fn authorities(target: &str) -> Result<Vec<Authority>> {
    target
        .split(',')
        .map(|one| {
            let name = one.trim();
            let name = name.strip_prefix("dns:///").or_else(|| name.strip_prefix("dns:")).unwrap_or(name);
            let read = name.parse::<Authority>().ok();
            let read =
                read.filter(|found| found.port_u16().is_some() && !found.host().is_empty() && !name.contains('@'));
            read.ok_or_else(|| {
                Error::Setting(format!("{one:?} is no address of the service: give HOST:PORT, such as 127.0.0.1:50051"))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_one_name_with_a_port_or_several() {
        for (target, names) in [
            ("127.0.0.1:50051", vec!["127.0.0.1:50051"]),
            ("dns:///rules.example:443", vec!["rules.example:443"]),
            ("dns:rules.example:443", vec!["rules.example:443"]),
            ("[::1]:50051, b:2", vec!["[::1]:50051", "b:2"]),
        ] {
            assert_eq!(connect(target).unwrap().targets(), names);
        }
    }

    #[test]
    fn what_is_no_target_is_named() {
        for wrong in ["", "localhost", "a:1,", ":50051", "http://a:1", "a:99999", "a:b", "me@a:1", "a:1/path"] {
            let Err(Error::Setting(told)) = connect(wrong) else { panic!("{wrong:?} was taken") };
            assert!(told.contains("is no address of the service: give HOST:PORT"), "{told}");
        }
    }

    #[test]
    fn a_timeout_of_nothing_is_refused() {
        let told = Client::builder("a:1").timeout(Duration::ZERO).connect().unwrap_err().to_string();
        assert_eq!(told, "a timeout of nothing is over before any call: give a longer one");
        assert!(Client::builder("a:1").timeout(Duration::MAX).connect().is_ok());
    }

    #[test]
    fn a_keepalive_of_nothing_is_refused() {
        let told = Client::builder("a:1").keepalive(Duration::ZERO).connect().unwrap_err().to_string();
        assert_eq!(told, "a keepalive of nothing would ping without an end: give a longer one");
        assert!(Client::builder("a:1").keepalive(Duration::MAX).connect().is_ok());
    }

    #[test]
    fn a_wrong_secret_stops_the_connection_with_a_word() {
        let told = Client::builder("a:1").api_key("new\nline").connect().unwrap_err().to_string();
        assert_eq!(told, "an API key is printable ASCII, and this one is not: was it cut or decoded?");
    }
}
