//! Who calls, in which language and by when the answer is wanted: metadata of every call.

use std::fmt;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{GrpcMethod, Request, Status};

use crate::{Error, Result};

const API_KEY: &str = "burraco-api-key";
const SEAT_TOKEN: &str = "burraco-seat-token";
const LANGUAGE: &str = "accept-language";
const TIMEOUT: &str = "grpc-timeout";
/// The one method that has no deadline unless it is given one: it goes on for as long as there are moves.
const STREAM: &str = "StreamApplyMoves";

/// Sends who calls with each call, and what goes with that. Its `Debug` shows no secret.
#[derive(Clone, Default)]
pub struct Identify {
    secret: Option<(&'static str, MetadataValue<Ascii>)>,
    language: Option<MetadataValue<Ascii>>,
    timeout: Option<Duration>,
}

impl Identify {
    /// This caller as a back end; whoever it was is replaced.
    pub(crate) fn with_api_key(self, key: &str) -> Result<Self> {
        self.with_secret(API_KEY, "an API key", key)
    }

    /// This caller as a seat; whoever it was is replaced.
    pub(crate) fn with_seat_token(self, token: &str) -> Result<Self> {
        self.with_secret(SEAT_TOKEN, "a seat token", token)
    }

    /// This caller with texts in a language, or in the service's own where none is named.
    pub(crate) fn with_language(self, language: &str) -> Result<Self> {
        let value = printable(language).ok_or_else(|| {
            Error::Setting(format!("{language:?} is no list of languages: give one such as \"it\" or \"pl, en;q=0.5\""))
        })?;
        Ok(Self { language: Some(value).filter(|value| !value.is_empty()), ..self })
    }

    /// This caller with a deadline for each call that brings none, but for the stream.
    pub(crate) fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    fn with_secret(self, name: &'static str, what: &str, secret: &str) -> Result<Self> {
        let mut value = printable(secret).ok_or_else(|| {
            Error::Setting(format!("{what} is printable ASCII, and this one is not: was it cut or decoded?"))
        })?;
        value.set_sensitive(true);
        Ok(Self { secret: Some((name, value)), ..self })
    }
}

/// The only values that gRPC's text metadata may have; tonic's own reading takes any byte above them too.
fn printable(text: &str) -> Option<MetadataValue<Ascii>> {
    text.bytes().all(|sign| (b' '..=b'~').contains(&sign)).then(|| text.parse().ok()).flatten()
}

impl fmt::Debug for Identify {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.secret.as_ref().map(|(name, _)| *name);
        out.debug_struct("Identify")
            .field("by", &who)
            .field("language", &self.language)
            .field("timeout", &self.timeout)
            .finish()
    }
}

impl Interceptor for Identify {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let metadata = request.metadata_mut();
        if let Some((name, value)) = &self.secret {
            metadata.insert(*name, value.clone());
        }
        if let Some(language) = &self.language {
            metadata.insert(LANGUAGE, language.clone());
        }
        let has_deadline = metadata.contains_key(TIMEOUT);
        let streams = request.extensions().get::<GrpcMethod>().is_some_and(|called| called.method() == STREAM);
        if let Some(timeout) = self.timeout
            && !has_deadline
            && !streams
        {
            request.set_timeout(timeout);
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_a_seat_or_a_back_end_and_the_last_word_counts() {
        let mut caller = Identify::default().with_api_key("key").unwrap().with_seat_token("token").unwrap();
        let sent = caller.call(Request::new(())).unwrap();
        assert_eq!(sent.metadata().get(SEAT_TOKEN).unwrap(), "token");
        assert!(sent.metadata().get(API_KEY).is_none());
    }

    #[test]
    fn a_language_goes_with_whoever_calls_and_none_is_not_sent() {
        let sent = |mut caller: Identify| caller.call(Request::new(())).unwrap().metadata().get(LANGUAGE).cloned();
        let italian = Identify::default().with_language("it").unwrap().with_seat_token("token").unwrap();
        assert_eq!(sent(italian.clone()).unwrap(), "it");
        assert_eq!(sent(italian.clone().with_language("pl, en;q=0.5").unwrap()).unwrap(), "pl, en;q=0.5");
        assert_eq!(sent(italian.with_language("").unwrap()), None);
        assert_eq!(sent(Identify::default()), None);
    }

    #[test]
    fn no_secret_is_shown() {
        let caller = Identify::default().with_api_key("key-of-mine").unwrap().with_language("it").unwrap();
        let shown = format!("{caller:?}");
        assert!(!shown.contains("key-of-mine") && shown.contains("burraco-api-key") && shown.contains("it"), "{shown}");
        let refused = Identify::default().with_seat_token("tökén").unwrap_err().to_string();
        assert!(refused.contains("seat token") && !refused.contains("tökén"), "{refused}");
        assert!(Identify::default().with_language("it\n").is_err());
    }
}
