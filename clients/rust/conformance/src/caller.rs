//! Makes the calls of vectors: JSON in, JSON out, through the generated messages and stubs.

use std::future::Future;
use std::time::Duration;

use burraco::v1::arbiter_service_client::ArbiterServiceClient;
use burraco::v1::game_service_client::GameServiceClient;
use burraco::{code_name, rpc, v1};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Map, Value, json};
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

use crate::json::Problem;
use crate::raw::RawCodec;

const SECONDS: Duration = Duration::from_secs(30);
/// The messages as `cargo run -p xtask` described them: prost itself knows no JSON.
const DESCRIPTORS: &[u8] = include_bytes!("../burraco.binpb");
pub const ARBITER: &str = "burraco.v1.ArbiterService";
const GAME: &str = "burraco.v1.GameService";
const TYPE_PREFIX: &str = "type.googleapis.com/";

/// Channels to the servers, without retries.
pub struct Caller {
    pool: DescriptorPool,
    game: Channel,
    arbiter: Option<Channel>,
}

/// What a step sends.
pub enum Payload {
    Json(Value),
    Raw(Vec<u8>),
}

impl Caller {
    pub fn new(target: &str, arbiter_target: Option<&str>) -> Result<Self, Problem> {
        let pool = DescriptorPool::decode(DESCRIPTORS).map_err(|error| format!("burraco.binpb: {error}"))?;
        Ok(Self { pool, game: channel(target)?, arbiter: arbiter_target.map(channel).transpose()? })
    }

    /// Makes a call and says how it ended, as `expect` of a vector has it.
    pub async fn call(&self, rpc: &str, metadata: &Map<String, Value>, payload: Payload) -> Result<Value, Problem> {
        let (service, method) = rpc.split_once('/').ok_or_else(|| format!("{rpc:?} is no RPC"))?;
        let described = self.pool.get_service_by_name(service);
        let described = described.and_then(|found| found.methods().find(|each| each.name() == method));
        let described = described.ok_or_else(|| format!("there is no RPC {rpc}"))?;
        let channel = match service {
            ARBITER => self.arbiter.clone().ok_or("BURRACO_ARBITER_TARGET is not set")?,
            _ => self.game.clone(),
        };
        let answer = match payload {
            Payload::Raw(bytes) => raw(channel, rpc, request(bytes, metadata)?).await,
            Payload::Json(value) => {
                let message = DynamicMessage::deserialize(described.input(), value);
                let bytes =
                    message.map_err(|error| format!("the request is no {}: {error}", described.input().name()))?;
                typed(channel, service, method, request(bytes.encode_to_vec(), metadata)?).await?
            }
        };
        match answer {
            Ok(bytes) => Ok(json!({"code": "OK", "answer": self.to_json(described.output(), &bytes)?})),
            Err(status) => self.failure(&status),
        }
    }

    /// How a call failed. Without the details of this service nothing but the code is told.
    fn failure(&self, status: &Status) -> Result<Value, Problem> {
        let mut told = Map::from_iter([("code".to_owned(), json!(code_name(status.code())))]);
        let details = rpc::Status::decode(status.details()).map_err(|error| format!("the details: {error}"))?.details;
        let mut known = Map::new();
        for detail in details {
            let name = detail.type_url.strip_prefix(TYPE_PREFIX).unwrap_or(&detail.type_url);
            let described = self.pool.get_message_by_name(name).ok_or_else(|| format!("a detail is a {name}"))?;
            known.insert(name.to_owned(), self.to_json(described, &detail.value)?);
        }
        let Some(info) = known.get("google.rpc.ErrorInfo").filter(|info| info["domain"] == "burraco") else {
            return Ok(Value::Object(told));
        };
        let of = |detail: &str, field: &str| known.get(detail).and_then(|found| found.get(field)).cloned();
        let parts = [
            ("reason", info.get("reason").cloned()),
            ("arguments", info.get("metadata").cloned()),
            ("message", (!status.message().is_empty()).then(|| json!(status.message()))),
            ("fields", of("google.rpc.BadRequest", "fieldViolations")),
            ("retryDelay", of("google.rpc.RetryInfo", "retryDelay")),
        ];
        told.extend(parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))));
        Ok(Value::Object(told))
    }

    /// The JSON mapping with its defaults: names in camel case, enums by name, 64-bit numbers as text, no empty fields.
    fn to_json(&self, described: MessageDescriptor, bytes: &[u8]) -> Result<Value, Problem> {
        let Self { .. } = self;
        let name = described.full_name().to_owned();
        let message = DynamicMessage::decode(described, bytes).map_err(|error| format!("no {name}: {error}"))?;
        serde_json::to_value(&message).map_err(|error| format!("a {name} as JSON: {error}"))
    }
}

fn channel(target: &str) -> Result<Channel, Problem> {
    let endpoint = Endpoint::from_shared(format!("http://{target}"));
    Ok(endpoint.map_err(|error| format!("{target:?} is no HOST:PORT: {error}"))?.connect_lazy())
}

fn request(bytes: Vec<u8>, metadata: &Map<String, Value>) -> Result<Request<Vec<u8>>, Problem> {
    let mut request = Request::new(bytes);
    request.set_timeout(SECONDS);
    for (name, value) in metadata {
        let key = name.parse::<AsciiMetadataKey>().map_err(|error| format!("the metadata {name:?}: {error}"))?;
        let value = value.as_str().and_then(|text| text.parse::<AsciiMetadataValue>().ok());
        request.metadata_mut().insert(key, value.ok_or_else(|| format!("the metadata {name:?} is no text"))?);
    }
    Ok(request)
}

/// Sends bytes as they are, past the message classes.
async fn raw(channel: Channel, rpc: &str, request: Request<Vec<u8>>) -> Result<Vec<u8>, Status> {
    let path = format!("/{rpc}").parse().map_err(|error| Status::internal(format!("{rpc}: {error}")))?;
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    in_time(client.unary(request, path, RawCodec)).await.map(Response::into_inner)
}

async fn in_time<A>(call: impl Future<Output = Result<Response<A>, Status>>) -> Result<Response<A>, Status> {
    let late = |_| Status::deadline_exceeded(format!("no answer within {SECONDS:?}"));
    tokio::time::timeout(SECONDS, call).await.map_err(late)?
}

/// The answer's bytes: what its generated message holds of it, so that a field which that lacks is found missing.
type Typed = Result<Vec<u8>, Status>;

macro_rules! rpcs {
    ($($service:ident $client:ident { $($name:literal => $method:ident($request:ident),)* })*) => {
        /// Makes a call with the generated messages and stub; nothing of the request gets there but what they hold.
        async fn typed(
            channel: Channel,
            service: &str,
            method: &str,
            request: Request<Vec<u8>>,
        ) -> Result<Typed, Problem> {
            match (service, method) {
                $($(($service, $name) => {
                    let (metadata, extensions, bytes) = request.into_parts();
                    let read = v1::$request::decode(bytes.as_slice()).map_err(|error| format!("{method}: {error}"))?;
                    let call = Request::from_parts(metadata, extensions, read);
                    let answer = in_time($client::new(channel).$method(call)).await;
                    Ok(answer.map(|answer| answer.into_inner().encode_to_vec()))
                })*)*
                _ => Err(format!("the runner does not know {service}/{method}")),
            }
        }
    };
}

rpcs! {
    GAME GameServiceClient {
        "CommitSeed" => commit_seed(CommitSeedRequest),
        "CreateMatch" => create_match(CreateMatchRequest),
        "ApplyMoves" => apply_moves(ApplyMovesRequest),
        "CheckMoves" => check_moves(CheckMovesRequest),
        "ListLegalMoves" => list_legal_moves(ListLegalMovesRequest),
        "GetView" => get_view(GetViewRequest),
        "ScoreDeal" => score_deal(ScoreDealRequest),
        "ExplainMeld" => explain_meld(ExplainMeldRequest),
        "SuggestMoves" => suggest_moves(SuggestMovesRequest),
        "ReplayMatch" => replay_match(ReplayMatchRequest),
        "IssueSeatToken" => issue_seat_token(IssueSeatTokenRequest),
        "ListPresets" => list_presets(ListPresetsRequest),
        "GetRules" => get_rules(GetRulesRequest),
    }
    ARBITER ArbiterServiceClient {
        "InspectState" => inspect_state(InspectStateRequest),
        "ImportState" => import_state(ImportStateRequest),
    }
}
