"""A game that answers what a test tells it to."""

import io
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2_grpc
from grpc_status import rpc_status

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import game_service_pb2_grpc
from service.api.call import Call
from service.server.server import Server

Answer = Callable[[pb.GetRulesRequest, Call], object]
Apply = Callable[[pb.ApplyMovesRequest, Call], pb.ApplyMovesResponse]
Replay = Callable[[pb.ReplayMatchRequest, Call], pb.ReplayMatchResponse]
Metadata = Sequence[tuple[str, str | bytes]]
M = TypeVar("M", bound=Message)
SECONDS = 20.0  # long enough for a slow machine; nothing waits for it where all is well


def fine(_request: object, _call: Call) -> pb.GetRulesResponse:
    return pb.GetRulesResponse()


def applied(_request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
    return pb.ApplyMovesResponse()


def replayed(_request: pb.ReplayMatchRequest, _call: Call) -> pb.ReplayMatchResponse:
    return pb.ReplayMatchResponse()


def raising(error: BaseException) -> Answer:
    def answer(_request: object, _call: Call) -> object:
        raise error

    return answer


@dataclass
class StubGame:
    """Every built RPC; tests talk to GetRules, ApplyMoves and ReplayMatch, which do `answer`, `apply` and `replay`."""

    answer: Answer = fine
    apply: Apply = applied
    replay: Replay = replayed

    def get_rules(self, request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        return cast("pb.GetRulesResponse", self.answer(request, call))

    def list_presets(self, request: pb.ListPresetsRequest, call: Call) -> pb.ListPresetsResponse:
        return pb.ListPresetsResponse()

    def commit_seed(self, request: pb.CommitSeedRequest, call: Call) -> pb.CommitSeedResponse:
        return pb.CommitSeedResponse()

    def create_match(self, request: pb.CreateMatchRequest, call: Call) -> pb.CreateMatchResponse:
        return pb.CreateMatchResponse()

    def issue_seat_token(self, request: pb.IssueSeatTokenRequest, call: Call) -> pb.IssueSeatTokenResponse:
        return pb.IssueSeatTokenResponse()

    def apply_moves(self, request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:
        return self.apply(request, call)

    def check_moves(self, request: pb.CheckMovesRequest, call: Call) -> pb.CheckMovesResponse:
        return pb.CheckMovesResponse()

    def list_legal_moves(self, request: pb.ListLegalMovesRequest, call: Call) -> pb.ListLegalMovesResponse:
        return pb.ListLegalMovesResponse()

    def get_view(self, request: pb.GetViewRequest, call: Call) -> pb.GetViewResponse:
        return pb.GetViewResponse()

    def replay_match(self, request: pb.ReplayMatchRequest, call: Call) -> pb.ReplayMatchResponse:
        return self.replay(request, call)

    def score_deal(self, request: pb.ScoreDealRequest, call: Call) -> pb.ScoreDealResponse:
        return pb.ScoreDealResponse()

    def explain_meld(self, request: pb.ExplainMeldRequest, call: Call) -> pb.ExplainMeldResponse:
        return pb.ExplainMeldResponse()


@dataclass
class Running:
    """A server of this process, with a channel to it and what it logged."""

    game: StubGame
    server: Server
    channel: grpc.Channel
    log: io.StringIO
    stub: game_service_pb2_grpc.GameServiceStub = field(init=False)
    health: Any = field(init=False)  # its stubs have no types

    def __post_init__(self) -> None:
        self.stub = game_service_pb2_grpc.GameServiceStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def get_rules(self, metadata: Metadata = (), timeout: float | None = SECONDS) -> pb.GetRulesResponse:
        return self.stub.GetRules(pb.GetRulesRequest(), timeout=timeout, metadata=tuple(metadata))

    def failure(self, metadata: Metadata = (), timeout: float | None = SECONDS) -> "Failure":
        return failure(lambda: self.get_rules(metadata, timeout))

    def raw(self, method: str) -> "Callable[..., bytes]":
        """A method that sends and answers bytes."""
        return cast("Callable[..., bytes]", self.channel.unary_unary(method))

    def events(self, event: str) -> list[dict[str, Any]]:
        """What was logged of one event."""
        lines = [json.loads(line) for line in self.log.getvalue().splitlines()]
        return [line for line in lines if line["event"] == event]

    def last_call(self) -> dict[str, Any]:
        """The log's line of the last call."""
        return self.events("call")[-1]


@dataclass(frozen=True)
class Failure:
    """What a client sees of a failed call."""

    code: grpc.StatusCode
    message: str
    status: status_pb2.Status

    @property
    def info(self) -> error_details_pb2.ErrorInfo:
        return detail(self.status, error_details_pb2.ErrorInfo)


def refusal(make_call: Callable[[], object]) -> grpc.Call:
    """Make a call that has to fail."""
    with pytest.raises(grpc.RpcError) as caught:
        make_call()
    return cast("grpc.Call", caught.value)


def failure(make_call: Callable[[], object]) -> Failure:
    """Make a call that has to fail with a rich status."""
    error = refusal(make_call)
    status = rpc_status.from_call(error)
    assert status is not None, f"{error.code()} {error.details()} has no rich status"
    return Failure(error.code(), error.details(), status)


def detail(status: status_pb2.Status, kind: type[M]) -> M:
    """The detail of a kind, which has to be there."""
    message = kind()
    assert any(packed.Unpack(message) for packed in status.details), f"no {kind.DESCRIPTOR.name} in {status}"
    return message


def eventually(condition: Callable[[], object]) -> bool:
    """Wait for something that another thread does."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False
