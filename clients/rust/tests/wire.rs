//! Answers that the real service gives seldom or never, from a service of the test's own.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use burraco::v1::Reason;
use burraco::v1::apply_moves_response::Outcome;
use burraco::v1::{
    Accepted, ApplyMovesRequest, ApplyMovesResponse, CreateMatchResponse, GetViewRequest, GetViewResponse,
    IssueSeatTokenResponse, ListPresetsRequest, ListPresetsResponse, Preset, PresetDescription, Rejected,
};
use burraco::{Client, Code, Error, Table, moves, rpc};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use prost::Message;
use prost::bytes::Bytes;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::tokio_stream;
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tower_service::Service;

type Answer = Box<dyn FnOnce() -> Response<Body> + Send>;

/// A service that gives these answers in turn, and notes the headers of the calls.
#[derive(Clone, Default)]
struct Canned {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    calls: Arc<Mutex<Vec<HeaderMap>>>,
}

impl NamedService for Canned {
    const NAME: &'static str = "burraco.v1.GameService";
}

impl Service<Request<Body>> for Canned {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.calls.lock().unwrap().push(request.headers().clone());
        let answer = self.answers.lock().unwrap().pop_front().expect("no call is made after the last answer");
        ready(Ok(answer()))
    }
}

fn serve(answers: Vec<Answer>) -> (Canned, Client) {
    let canned = Canned { answers: Arc::new(Mutex::new(answers.into())), ..<_>::default() };
    let incoming = TcpIncoming::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let client = Client::builder(&incoming.local_addr().unwrap().to_string()).api_key("a key").language("it").connect();
    tokio::spawn(Server::builder().add_service(canned.clone()).serve_with_incoming(incoming));
    (canned, client.unwrap())
}

fn failing(code: Code) -> Answer {
    Box::new(move || Status::new(code, "as told").into_http())
}

fn answering(message: &impl Message) -> Answer {
    answering_with(message, &[("grpc-status", "0")])
}

/// An answer with these trailers.
fn answering_with(message: &impl Message, trailers: &'static [(&str, &str)]) -> Answer {
    let bytes = message.encode_to_vec();
    let length = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    let frame = Bytes::from([&[0][..], &length, &bytes].concat());
    Box::new(move || {
        let trailers = trailers.iter().map(|&(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        let trailers: HeaderMap = trailers.collect();
        let body = Full::new(frame).with_trailers(ready(Some(Ok(trailers))));
        let response = Response::builder().header("content-type", "application/grpc");
        response.body(Body::new(body)).unwrap()
    })
}

fn header(text: &str) -> HeaderValue {
    text.parse().unwrap()
}

async fn list(client: &Client) -> Result<ListPresetsResponse, Error> {
    client.call(ListPresetsRequest {}).await
}

#[tokio::test]
async fn each_attempt_says_who_calls_and_what_time_is_left() {
    let answers =
        vec![failing(Code::Unavailable), failing(Code::Cancelled), answering(&ListPresetsResponse::default())];
    let (canned, client) = serve(answers);
    assert_eq!(list(&client).await.unwrap(), ListPresetsResponse::default());
    let calls = canned.calls.lock().unwrap();
    assert_eq!(calls.len(), 3);
    let timeouts: Vec<u64> = calls
        .iter()
        .map(|headers| {
            assert_eq!((&headers["burraco-api-key"], &headers["accept-language"]), (&header("a key"), &header("it")));
            let timeout = headers["grpc-timeout"].to_str().unwrap();
            timeout.strip_suffix('u').unwrap_or_else(|| panic!("{timeout} is not in microseconds")).parse().unwrap()
        })
        .collect();
    assert!(timeouts[0] <= 3_000_000 && timeouts.is_sorted_by(|a, b| a > b), "{timeouts:?}");
}

#[tokio::test]
async fn the_bare_stub_says_who_calls_and_what_time_there_is() {
    let (canned, client) = serve((0..3).map(|_| answering(&ListPresetsResponse::default())).collect());
    let mut soon = tonic::Request::new(ListPresetsRequest {});
    soon.set_timeout(Duration::from_millis(500));
    client.stub().list_presets(ListPresetsRequest {}).await.unwrap();
    client.stub().list_presets(soon).await.unwrap();
    client.stub().stream_apply_moves(tokio_stream::empty()).await.unwrap();
    let calls = canned.calls.lock().unwrap();
    let timeouts: Vec<_> = calls.iter().map(|headers| headers.get("grpc-timeout").cloned()).collect();
    assert_eq!(timeouts, [Some(header("3000000u")), Some(header("500000u")), None]);
    for headers in calls.iter() {
        assert_eq!((&headers["burraco-api-key"], &headers["accept-language"]), (&header("a key"), &header("it")));
    }
}

#[tokio::test]
async fn the_deadline_of_the_bare_stub_passes() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = silent.local_addr().unwrap().to_string();
    let client = Client::builder(&target).timeout(Duration::from_millis(100)).connect().unwrap();
    let status = client.stub().list_presets(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(Error::from(status).is_transient());
}

#[tokio::test]
async fn the_fourth_failure_is_the_last_word() {
    let (canned, client) = serve((0..4).map(|_| failing(Code::Unavailable)).collect());
    let error = list(&client).await.unwrap_err();
    assert_eq!(error.call().unwrap().code, Code::Unavailable);
    assert_eq!(canned.calls.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn an_overload_is_not_tried_again_and_says_when_to_come_back() {
    let retry = rpc::RetryInfo { retry_delay: Some(prost_types::Duration { seconds: 1, nanos: 500_000_000 }) };
    let info = rpc::ErrorInfo {
        reason: "REASON_OF_A_NEWER_SERVICE".into(),
        domain: "burraco".into(),
        metadata: [("max".into(), "3".into())].into(),
    };
    let other = rpc::ErrorInfo { reason: "REASON_PILE_EMPTY".into(), domain: "elsewhere".into(), ..<_>::default() };
    let detail = |name: &str, value: Vec<u8>| prost_types::Any {
        type_url: format!("type.googleapis.com/google.rpc.{name}"),
        value,
    };
    let details = rpc::Status {
        details: vec![
            detail("ErrorInfo", info.encode_to_vec()),
            detail("ErrorInfo", other.encode_to_vec()),
            detail("RetryInfo", retry.encode_to_vec()),
            detail("Help", vec![1, 2, 3]),
            detail("BadRequest", vec![255]),
        ],
        ..<_>::default()
    };
    let status = Status::with_details(tonic::Code::ResourceExhausted, "full", details.encode_to_vec().into());
    let (_, client) = serve(vec![Box::new(move || status.into_http())]);
    let error = list(&client).await.unwrap_err();
    let failed = error.call().unwrap();
    assert_eq!((failed.retry_after, failed.reason), (Some(Duration::from_millis(1500)), Reason::Unspecified));
    assert_eq!(failed.arguments.get("max").map(String::as_str), Some("3"));
    assert!(error.is_transient() && failed.fields.is_empty());
    assert_eq!(error.to_string(), "RESOURCE_EXHAUSTED: full");
}

#[tokio::test]
async fn details_that_a_proxy_cut_are_none() {
    let cut = [("grpc-status", "3"), ("grpc-message", "wrong"), ("grpc-status-details-bin", "CAMSE")];
    let garbled = [("grpc-status", "3"), ("grpc-message", "wrong"), ("grpc-status-details-bin", "not base64!")];
    for headers in [cut, garbled] {
        let in_headers: Answer = Box::new(move || {
            let head = Response::builder().header("content-type", "application/grpc");
            let head = headers.iter().fold(head, |head, (name, value)| head.header(*name, *value));
            head.body(Body::empty()).unwrap()
        });
        let (_, client) = serve(vec![in_headers]);
        let error = list(&client).await.unwrap_err();
        assert_eq!(error.to_string(), "INVALID_ARGUMENT: wrong");
    }
    let trailers: &[_] = &[("grpc-status", "3"), ("grpc-message", "wrong"), ("grpc-status-details-bin", "not base64!")];
    let (_, client) = serve(vec![answering_with(&ListPresetsResponse::default(), trailers)]);
    assert_eq!(list(&client).await.unwrap_err().to_string(), "INVALID_ARGUMENT: wrong");
}

#[tokio::test]
async fn an_answer_that_lacks_what_it_has_to_have_is_a_failed_call() {
    let view = GetViewResponse { view: Some(burraco::v1::View::default()) };
    let nothing = || answering(&ListPresetsResponse::default());
    let no_state = ApplyMovesResponse { outcome: Some(Outcome::Accepted(Accepted { revision: 2, ..<_>::default() })) };
    let no_view = CreateMatchResponse { state: vec![1], ..<_>::default() };
    let mut answers = vec![answering(&view)];
    answers.extend((0..7).map(|_| nothing()));
    answers.extend([answering(&no_state), answering(&no_view)]);
    let no_violation = ApplyMovesResponse { outcome: Some(Outcome::Rejected(Rejected::default())) };
    let no_list = Accepted { state: vec![2], turn: Some(1), ..<_>::default() };
    let no_list = ApplyMovesResponse { outcome: Some(Outcome::Accepted(no_list)) };
    let no_token = IssueSeatTokenResponse { state: vec![2], ..<_>::default() };
    answers.extend([answering(&no_violation), answering(&no_list)]);
    answers.extend([answering(&no_token), answering(&no_token), nothing()]);
    let asking = ApplyMovesRequest { list_legal_moves: true, ..<_>::default() };
    let (_, client) = serve(answers);
    let mut table = Table::resume(&client, [1], 0).await.unwrap();
    let lacking = [
        (table.apply(ApplyMovesRequest::default()).await.unwrap_err(), "ApplyMoves was answered without an outcome"),
        (table.legal(0).await.unwrap_err(), "ListLegalMoves was answered without legal moves"),
        (table.check(0, []).await.unwrap_err(), "CheckMoves was answered without the violations"),
        (table.view(0).await.unwrap_err(), "GetView was answered without a view"),
        (table.view_as(GetViewRequest::default()).await.unwrap_err(), "GetView was answered without a view"),
        (table.revoke_seat_tokens(0, 0).await.unwrap_err(), "IssueSeatToken was answered without a state"),
        (Table::create(&client, Preset::Italian).await.unwrap_err(), "CreateMatch was answered without a state"),
        (table.play(0, moves::draw()).await.unwrap_err(), "ApplyMoves was answered without a state"),
        (Table::create(&client, Preset::Italian).await.unwrap_err(), "CreateMatch was answered without a view"),
        (table.play(0, moves::draw()).await.unwrap_err(), "ApplyMoves was answered without the violations"),
        (table.apply(asking).await.unwrap_err(), "ApplyMoves was answered without the legal moves"),
        (table.issue_seat_token(0, 0).await.unwrap_err(), "IssueSeatToken was answered without a seat token"),
        (table.revoke_seat_tokens(0, 0).await.unwrap_err(), "IssueSeatToken was answered without a seat token"),
        (table.score().await.unwrap_err(), "ScoreDeal was answered without a score sheet"),
    ];
    for (error, told) in lacking {
        let failed = error.call().unwrap_or_else(|| panic!("{error:?} is no failed call"));
        assert_eq!((failed.code, error.is_transient()), (Code::Unknown, false));
        assert!(failed.message.starts_with(told), "{error}");
    }
    assert_eq!((table.state(), table.revision()), (&[1][..], 0));
}

#[tokio::test]
async fn what_a_proxy_answers_in_the_service_s_place_is_unavailable() {
    let gone = || -> Answer { Box::new(|| Response::builder().status(503).body(Body::empty()).unwrap()) };
    let (_, client) = serve(vec![gone(), answering(&ListPresetsResponse::default())]);
    list(&client).await.unwrap();
}

#[tokio::test]
async fn an_answer_over_the_size_limit_never_succeeds() {
    let long = PresetDescription { meaning: "m".repeat(5 << 20), ..<_>::default() };
    let (_, client) = serve(vec![answering(&ListPresetsResponse { presets: vec![long] })]);
    let error = list(&client).await.unwrap_err();
    assert_eq!((error.call().unwrap().code, error.is_transient()), (Code::OutOfRange, false));
}

#[tokio::test]
async fn a_timeout_for_ever_is_a_long_one() {
    let nothing = || answering(&ListPresetsResponse::default());
    let (_, client) = serve(vec![nothing(), nothing()]);
    let patient = client.with_timeout(Duration::MAX);
    list(&patient).await.unwrap();
    patient.stub().list_presets(ListPresetsRequest {}).await.unwrap();
}
