"""A service that answers what a test tells it to, over a real socket."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from burraco.v1 import game_service_pb2 as api
from burraco.v1.game_service_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server

AnswerStream = Callable[
    [Iterator[api.StreamApplyMovesRequest], grpc.ServicerContext], Iterator[api.StreamApplyMovesResponse]
]


class FakeService(GameServiceServicer):
    """Keeps the requests, and answers each with what `answer` makes of it."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[Message] = []
        self.answer: Callable[[Message, grpc.ServicerContext], Message] = lambda request, context: NotImplemented
        self.answer_stream: AnswerStream = lambda messages, context: iter(())

    def _take(self, request: Message, context: grpc.ServicerContext) -> Message:
        self.requests.append(request)
        return self.answer(request, context)

    CommitSeed = CreateMatch = ApplyMoves = CheckMoves = ListLegalMoves = GetView = _take  # type: ignore[assignment]
    ScoreDeal = ExplainMeld = SuggestMoves = ReplayMatch = IssueSeatToken = _take  # type: ignore[assignment]
    ListPresets = GetRules = _take  # type: ignore[assignment]

    def StreamApplyMoves(self, request_iterator, context):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        yield from self.answer_stream(self._keep(request_iterator), context)

    def _keep(self, messages: Iterator[api.StreamApplyMovesRequest]) -> Iterator[api.StreamApplyMovesRequest]:
        for message in messages:
            self.requests.append(message)
            yield message


@contextmanager
def serving() -> Iterator[FakeService]:
    """Serve on a free port of loopback."""
    service = FakeService()
    with ThreadPoolExecutor(4) as threads:
        server = grpc.server(threads)
        add_GameServiceServicer_to_server(service, server)
        service.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        try:
            yield service
        finally:
            server.stop(None).wait()


def fail(context: grpc.ServicerContext, code: grpc.StatusCode, message: str, *details: Message) -> NoReturn:
    """End the call as the service does, with `google.rpc` details."""
    status = Status(code=code.value[0], message=message)
    for detail in details:
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(code, message)


def accepted(state: bytes, revision: int, turn: int | None) -> api.ApplyMovesResponse:
    """Make the answer to accepted moves."""
    return api.ApplyMovesResponse(accepted=api.Accepted(state=state, revision=revision, turn=turn))
