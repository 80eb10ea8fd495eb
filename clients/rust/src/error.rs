//! What goes wrong: a call that failed, or a move that the rules forbid.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use prost::Message;
use tonic::{Code, Status};

use crate::legal::UnknownMoves;
use crate::rpc;
use crate::v1::{Reason, Violation};

const DOMAIN: &str = "burraco";
const TYPE_PREFIX: &str = "type.googleapis.com/";

/// The result of what calls the service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Error {
    /// A call failed.
    Call(Box<RulesError>),
    /// The rules forbid a move, and nothing has changed: everything that is wrong with the first illegal one.
    Illegal(Vec<Violation>),
    /// The legal moves are of a service that is newer than this client, see [`UnknownMoves`].
    Unknown(String),
    /// A setting of a connection cannot be: what is wrong with it.
    Setting(String),
}

impl Error {
    /// What the call failed with, if it did.
    #[must_use]
    pub fn call(&self) -> Option<&RulesError> {
        if let Self::Call(failed) = self { Some(failed) } else { None }
    }

    /// Everything wrong with an illegal move, in the service's order; nothing where it is another error.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        if let Self::Illegal(violations) = self { violations } else { &[] }
    }

    /// Whether the same call may succeed later, see [`RulesError::is_transient`].
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.call().is_some_and(RulesError::is_transient)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(failed) => failed.fmt(out),
            Self::Illegal(violations) => {
                let told: Vec<_> = violations.iter().map(ToString::to_string).collect();
                out.write_str(&told.join("; "))
            }
            Self::Unknown(what) | Self::Setting(what) => out.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<RulesError> for Error {
    fn from(failed: RulesError) -> Self {
        Self::Call(Box::new(failed))
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        RulesError::from(&status).into()
    }
}

impl From<UnknownMoves> for Error {
    fn from(unknown: UnknownMoves) -> Self {
        Self::Unknown(unknown.to_string())
    }
}

/// What is wrong, and the rule that says so: `The discard pile is empty. (B4-15)`.
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.text, self.rule_id)
    }
}

/// A call that failed. An illegal move is no failure: see [`Error::Illegal`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RulesError {
    /// The status of the call.
    pub code: Code,
    /// What is wrong, in English.
    pub message: String,
    /// Why, as a stable code; unspecified where the service did not say, or said what this client does not know.
    pub reason: Reason,
    /// What the reason's text is filled with, by name: `reasons.proto` names them.
    pub arguments: BTreeMap<String, String>,
    /// Fields of the request that are wrong.
    pub fields: Vec<FieldViolation>,
    /// When to call again, where the service says so; zero is at once.
    pub retry_after: Option<Duration>,
}

/// A field of the request that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldViolation {
    /// Path of the field, such as `moves[0].meld.cards[2]`.
    pub field: String,
    /// Why, as a stable code; unspecified where this client does not know it.
    pub reason: Reason,
    /// What is wrong with it, in English.
    pub description: String,
}

impl RulesError {
    /// Whether the same call may succeed later: after `UNAVAILABLE`, `DEADLINE_EXCEEDED` and `CANCELLED`, and after
    /// `RESOURCE_EXHAUSTED` where the service says when to call again, which it does not of a message over the size limit.
    ///
    /// Calls are pure, so it may simply be made again. Who cancels a call himself drops its future, and gets no error.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.code {
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => true,
            Code::ResourceExhausted => self.retry_after.is_some(),
            _ => false,
        }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(code_name(self.code))?;
        if self.reason != Reason::Unspecified {
            write!(out, " {}", self.reason.as_str_name())?;
        }
        write!(out, ": {}", self.message)?;
        // The message tells of the first field already.
        self.fields.iter().skip(1).try_for_each(|wrong| write!(out, " {} {}", wrong.field, wrong.description))
    }
}

impl std::error::Error for RulesError {}

/// Reads all that the service says of a failed call; a failure without details has a code and a message.
impl From<&Status> for RulesError {
    fn from(status: &Status) -> Self {
        let mut error = Self::of(status.code(), status.message());
        // A proxy may have cut the details: then there are none.
        let details = rpc::Status::decode(status.details()).map(|status| status.details).unwrap_or_default();
        for detail in &details {
            let Some(name) = detail.type_url.strip_prefix(TYPE_PREFIX) else { continue };
            let bytes = detail.value.as_slice();
            match name {
                "google.rpc.ErrorInfo" => error.add_info(rpc::ErrorInfo::decode(bytes).unwrap_or_default()),
                "google.rpc.BadRequest" => error.add_fields(rpc::BadRequest::decode(bytes).unwrap_or_default()),
                "google.rpc.RetryInfo" => error.retry_after = rpc::RetryInfo::decode(bytes).ok().map(delay),
                _ => {}
            }
        }
        error
    }
}

impl RulesError {
    pub(crate) fn of(code: Code, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
            reason: Reason::Unspecified,
            arguments: BTreeMap::new(),
            fields: vec![],
            retry_after: None,
        }
    }

    fn add_info(&mut self, info: rpc::ErrorInfo) {
        if info.domain == DOMAIN {
            self.reason = reason_named(&info.reason);
            self.arguments = info.metadata;
        }
    }

    fn add_fields(&mut self, bad: rpc::BadRequest) {
        self.fields.extend(bad.field_violations.into_iter().map(|wrong| FieldViolation {
            reason: reason_named(&wrong.reason),
            field: wrong.field,
            description: wrong.description,
        }));
    }
}

fn delay(retry: rpc::RetryInfo) -> Duration {
    retry.retry_delay.and_then(|delay| Duration::try_from(delay).ok()).unwrap_or_default()
}

/// A newer service may send a reason that this client does not know.
fn reason_named(name: &str) -> Reason {
    Reason::from_str_name(name).unwrap_or_default()
}

/// The canonical name of a status code, such as `INVALID_ARGUMENT`.
#[must_use]
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(code: Code, details: &[(&str, Vec<u8>)]) -> RulesError {
        let of = |(name, value): &(&str, Vec<u8>)| prost_types::Any {
            type_url: format!("{TYPE_PREFIX}google.rpc.{name}"),
            value: value.clone(),
        };
        let details = rpc::Status { details: details.iter().map(of).collect(), ..<_>::default() };
        RulesError::from(&Status::with_details(code, "as told", details.encode_to_vec().into()))
    }

    /// A message over the size limit is `RESOURCE_EXHAUSTED` too, and without a `RetryInfo`: it never succeeds.
    #[test]
    fn what_may_succeed_later() {
        let seconds = |seconds| rpc::RetryInfo { retry_delay: Some(prost_types::Duration { seconds, nanos: 0 }) };
        let said = [rpc::RetryInfo::default(), seconds(0), seconds(-1), seconds(1)];
        for code in (1..=16).map(Code::from) {
            let always = [Code::Unavailable, Code::DeadlineExceeded, Code::Cancelled].contains(&code);
            for without in [vec![], vec![("RetryInfo", vec![255])]] {
                assert_eq!(failing(code, &without).is_transient(), always, "{code:?} with {without:?}");
            }
            for retry in &said {
                let failed = failing(code, &[("RetryInfo", retry.encode_to_vec())]);
                assert_eq!(failed.is_transient(), always || code == Code::ResourceExhausted, "{code:?} with {retry:?}");
                assert!(failed.retry_after.is_some());
            }
        }
    }

    #[test]
    fn a_field_has_a_path_a_reason_and_a_description() {
        let wrong = |reason: &str| rpc::bad_request::FieldViolation {
            field: "moves[0].discard.card".to_owned(),
            reason: reason.to_owned(),
            description: "is missing".to_owned(),
            ..<_>::default()
        };
        let fields = vec![wrong("REASON_FIELD_MISSING"), wrong("REASON_OF_A_NEWER_SERVICE")];
        let bad = rpc::BadRequest { field_violations: fields };
        let failed = failing(Code::InvalidArgument, &[("BadRequest", bad.encode_to_vec())]);
        let reasons: Vec<_> = failed.fields.iter().map(|wrong| wrong.reason).collect();
        assert_eq!(reasons, [Reason::FieldMissing, Reason::Unspecified]);
        assert!(failed.fields.iter().all(|wrong| wrong.field == "moves[0].discard.card"));
        assert_eq!(failed.to_string(), "INVALID_ARGUMENT: as told moves[0].discard.card is missing");
    }
}
