"""Between gRPC and the servicers: bytes to messages, overload, streams, and the RPCs that are not built yet."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from burraco.v1 import arbiter_service_pb2 as arbiter_pb
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.authority import require_rights
from service.api.call import Call
from service.api.errors import CallError, answer_too_large, invalid, overloaded, shutting_down, unimplemented
from service.server.admission import Admission, Room
from service.server.calls import Calls
from service.server.channelz import Channelz
from service.server.lobby import Lobby
from service.server.pool import Handler, Pooled
from service.server.pools import Pools
from service.server.streams import Streams

GAME_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]
ARBITER_SERVICE = arbiter_pb.DESCRIPTOR.services_by_name["ArbiterService"]

_UNARY_OF: Final = {"StreamApplyMoves": "ApplyMoves"}
_LONG: Final = frozenset(("ReplayMatch", "SuggestMoves"))
"""RPCs that take many times what the others do: a thread apart for them, or a few would hold up everybody."""

Servicer = Callable[[Message, Call], Message]


@dataclass(frozen=True)
class Limits:
    """What one server takes on."""

    calls: Room
    max_long: int
    max_streams: int
    max_answer_bytes: int


class Implementation(Protocol):
    """The RPCs that are built; each raises CallError for a call that fails."""

    def commit_seed(self, request: pb.CommitSeedRequest, call: Call) -> pb.CommitSeedResponse:
        """Answer CommitSeed."""

    def create_match(self, request: pb.CreateMatchRequest, call: Call) -> pb.CreateMatchResponse:
        """Answer CreateMatch."""

    def issue_seat_token(self, request: pb.IssueSeatTokenRequest, call: Call) -> pb.IssueSeatTokenResponse:
        """Answer IssueSeatToken."""

    def apply_moves(self, request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:
        """Answer ApplyMoves."""

    def check_moves(self, request: pb.CheckMovesRequest, call: Call) -> pb.CheckMovesResponse:
        """Answer CheckMoves."""

    def list_legal_moves(self, request: pb.ListLegalMovesRequest, call: Call) -> pb.ListLegalMovesResponse:
        """Answer ListLegalMoves."""

    def get_view(self, request: pb.GetViewRequest, call: Call) -> pb.GetViewResponse:
        """Answer GetView."""

    def replay_match(self, request: pb.ReplayMatchRequest, call: Call) -> pb.ReplayMatchResponse:
        """Answer ReplayMatch."""

    def score_deal(self, request: pb.ScoreDealRequest, call: Call) -> pb.ScoreDealResponse:
        """Answer ScoreDeal."""

    def explain_meld(self, request: pb.ExplainMeldRequest, call: Call) -> pb.ExplainMeldResponse:
        """Answer ExplainMeld."""

    def list_presets(self, request: pb.ListPresetsRequest, call: Call) -> pb.ListPresetsResponse:
        """Answer ListPresets."""

    def get_rules(self, request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        """Answer GetRules."""


class ArbiterImplementation(Protocol):
    """The RPCs of the arbiter; each raises CallError for a call that fails."""

    def inspect_state(self, request: arbiter_pb.InspectStateRequest, call: Call) -> arbiter_pb.InspectStateResponse:
        """Answer InspectState."""

    def import_state(self, request: arbiter_pb.ImportStateRequest, call: Call) -> arbiter_pb.ImportStateResponse:
        """Answer ImportState."""


@dataclass(frozen=True)
class _Rpc:
    """The ways in which one RPC may be answered."""

    handler: Handler
    overloaded: Handler
    shutting_down: Handler
    has_room: Callable[[], bool]


class Adapter(grpc.GenericRpcHandler):
    """Answers every RPC of one service: through the implementation, or with a refusal that says why.

    A method of another service is unknown here, the arbiter's on the port of the game too.
    """

    def __init__(
        self,
        service: ServiceDescriptor,
        implementation: Implementation | ArbiterImplementation | Channelz,
        calls: Calls,
        streams: Streams,
        pools: Pools,
        limits: Limits,
    ) -> None:
        self._calls = calls
        self._streams = streams
        self._pools = pools
        self._limits = limits
        self._admission = Admission(limits.calls)
        self._rpcs = {
            f"/{service.full_name}/{rpc.name}": self._rpc(service, rpc, implementation) for rpc in service.methods
        }
        self._is_closed = False

    def close(self) -> None:
        """Refuse every call from now on; those that came before are answered, and streams take no more messages."""
        self._is_closed = True
        self._streams.close()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        """Choose the handler. grpcio asks for one call at a time, before the call waits for a thread."""
        rpc = self._rpcs.get(handler_call_details.method)
        if rpc is None:
            return None
        if self._is_closed:
            return rpc.shutting_down
        return rpc.handler if rpc.has_room() else rpc.overloaded

    def _rpc(self, service: ServiceDescriptor, rpc: MethodDescriptor, implementation: object) -> "_Rpc":
        method = f"/{service.full_name}/{rpc.name}"
        # Each message of a stream is a call of the unary RPC.
        unary = _UNARY_OF.get(rpc.name, rpc.name)
        servicer = getattr(implementation, _snake_case(unary), None)
        has_room = self._has_room
        if servicer is None:
            handler = self._unbuilt(method, rpc.name)
        elif rpc.client_streaming:
            handler = self._stream(method, service.methods_by_name[unary], servicer)
            has_room = self._has_room_for_stream
        elif rpc.name in _LONG:
            handler = self._unary(method, rpc, servicer, self._pools.long)
            has_room = self._has_room_for_long
        else:
            handler = self._unary(method, rpc, servicer, self._pools.calls)
        return _Rpc(handler, self._refusing(method, overloaded()), self._refusing(method, shutting_down()), has_room)

    def _has_room(self) -> bool:
        return self._admission.admits(self._pools.calls.in_progress)

    def _has_room_for_stream(self) -> bool:
        return self._pools.streams.in_progress < self._limits.max_streams and self._has_room()

    def _has_room_for_long(self) -> bool:
        return self._pools.long.in_progress < self._limits.max_long

    def _unary(self, method: str, rpc: MethodDescriptor, servicer: Servicer, lobby: Lobby) -> Handler:
        request_class = GetMessageClass(rpc.input_type)

        def handle(requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            payload = lobby.request(method, requests, context)
            if payload is None:
                return b""  # which goes nowhere

            def work(call: Call) -> bytes:
                require_rights(call.caller, rpc.name)
                return self._answer(servicer(_parsed(request_class, payload), call))

            with lobby.permits:
                return self._calls.answer(method, context, work)

        # As a stream of requests, for which gRPC waits only when it is asked: no caller sees a difference. Without
        # (de)serializers grpcio passes bytes, and a request that is no message does not end as INTERNAL.
        return grpc.stream_unary_rpc_method_handler(Pooled(handle, lobby.pool))

    def _stream(self, method: str, unary: MethodDescriptor, servicer: Servicer) -> Handler:
        request_class = GetMessageClass(unary.input_type)

        def work(payload: bytes, call: Call) -> bytes:
            return self._answer(servicer(_parsed(request_class, payload), call))

        serve = partial(self._streams.serve, method, work)
        return grpc.stream_stream_rpc_method_handler(Pooled(serve, self._pools.streams, experimental_non_blocking=True))

    def _answer(self, response: Message) -> bytes:
        answer = response.SerializeToString()
        if len(answer) > self._limits.max_answer_bytes:
            raise answer_too_large(len(answer), self._limits.max_answer_bytes)
        return answer

    def _refusing(self, method: str, error: CallError) -> Handler:
        # On gRPC's own thread, which hands calls to the others, before a byte of the request is read and without a
        # look at who calls: to refuse must cost so little that a server can refuse far more than it could answer.
        refuse = self._calls.refusal(method, error)
        return grpc.stream_stream_rpc_method_handler(
            Pooled(refuse, self._pools.refusals, experimental_non_blocking=True)
        )

    def _unbuilt(self, method: str, rpc: str) -> Handler:
        def work(_call: Call) -> bytes:
            raise unimplemented(rpc)

        def handle(_requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
            yield self._calls.answer(method, context, work)

        # As a stream, whatever the RPC is: a thread must not wait here for a request that is refused unread.
        return grpc.stream_stream_rpc_method_handler(Pooled(handle, self._pools.unbuilt))


def _parsed(request_class: type[Message], payload: bytes) -> Message:
    try:
        return request_class.FromString(payload)
    except DecodeError:
        text = f"The request is not a {request_class.DESCRIPTOR.full_name}: send one made with the service's protos."
        raise invalid("", reasons_pb2.REASON_REQUEST_MALFORMED, text) from None


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
