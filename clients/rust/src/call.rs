//! What can be called: the type of a request says which RPC it is for.

use std::future::Future;

use tonic::service::interceptor::InterceptedService;
use tonic::{Request, Response, Status};

use crate::caller::Identify;
use crate::replicas::Replicas;
use crate::v1;
use crate::v1::game_service_client::GameServiceClient;

/// The generated stub on the connections of a client, which sends who calls.
pub type Stub = GameServiceClient<InterceptedService<Replicas, Identify>>;

/// A request of a unary RPC of `GameService`, to be given to [`Client::call`](crate::Client::call).
pub trait Call: sealed::Sealed + Clone + Send {
    /// What the service answers.
    type Answer;

    /// Makes one attempt of the call.
    #[doc(hidden)]
    fn send(request: Request<Self>, stub: Stub) -> impl Future<Output = Result<Response<Self::Answer>, Status>> + Send;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! calls {
    ($($request:ident => $method:ident => $answer:ident,)*) => {$(
        impl sealed::Sealed for v1::$request {}

        impl Call for v1::$request {
            type Answer = v1::$answer;

            async fn send(request: Request<Self>, mut stub: Stub) -> Result<Response<Self::Answer>, Status> {
                stub.$method(request).await
            }
        }
    )*};
}

calls! {
    CommitSeedRequest => commit_seed => CommitSeedResponse,
    CreateMatchRequest => create_match => CreateMatchResponse,
    ApplyMovesRequest => apply_moves => ApplyMovesResponse,
    CheckMovesRequest => check_moves => CheckMovesResponse,
    ListLegalMovesRequest => list_legal_moves => ListLegalMovesResponse,
    GetViewRequest => get_view => GetViewResponse,
    ScoreDealRequest => score_deal => ScoreDealResponse,
    ExplainMeldRequest => explain_meld => ExplainMeldResponse,
    SuggestMovesRequest => suggest_moves => SuggestMovesResponse,
    ReplayMatchRequest => replay_match => ReplayMatchResponse,
    IssueSeatTokenRequest => issue_seat_token => IssueSeatTokenResponse,
    ListPresetsRequest => list_presets => ListPresetsResponse,
    GetRulesRequest => get_rules => GetRulesResponse,
}
