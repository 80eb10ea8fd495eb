"""The messages of a stream that wait for their answers, and what those say; however the stream travels."""

from collections import deque
from typing import Generic, NamedTuple, TypeVar

import grpc

from burraco.errors import IllegalMove, RulesError, StreamEnded, from_status
from burraco.kept import accepted_of, incomplete
from burraco.v1.game_service_pb2 import (
    Accepted,
    ApplyMovesRequest,
    StreamApplyMovesRequest,
    StreamApplyMovesResponse,
)

AHEAD = 32
"""So many messages may wait for their answers: enough for the server never to wait for the next."""

FutureT = TypeVar("FutureT")


class Waiting(NamedTuple, Generic[FutureT]):
    """A message that was sent, or is about to be."""

    correlation_id: str
    request: ApplyMovesRequest
    future: FutureT


class Pipeline(Generic[FutureT]):
    """What waits, in the order in which it was sent, which is that of the answers. Its owner does the locking."""

    def __init__(self, ahead: int) -> None:
        if ahead < 1:
            raise ValueError(f"ahead is {ahead}: at least 1 message has to be let wait for its answer")
        self.ahead = ahead
        self.waiting: deque[Waiting[FutureT]] = deque()
        self.unanswered: tuple[ApplyMovesRequest, ...] = ()
        """What waited when the stream ended."""
        self.end: RulesError | None = None
        """With what it ended, once it has; one that was closed in order ended with OK."""
        self.given_up: RulesError | None = None
        """With what this side ended it, if it did."""
        self.is_closed = False
        """Whether the caller sends no more."""
        self._sent = 0

    @property
    def has_room(self) -> bool:
        """Whether a message may be sent now."""
        return len(self.waiting) < self.ahead

    def add(self, request: ApplyMovesRequest, future: FutureT) -> StreamApplyMovesRequest:
        """Let a message wait for its answer."""
        self._sent += 1
        correlation_id = str(self._sent)
        self.waiting.append(Waiting(correlation_id, request, future))
        return StreamApplyMovesRequest(correlation_id=correlation_id, request=request)

    def match(self, response: StreamApplyMovesResponse) -> Waiting[FutureT]:
        """Find what an answer is the answer to. :raises RulesError: it is to nothing that waits."""
        expected = self.waiting[0].correlation_id if self.waiting else "(none)"
        # One that is empty is of a message that could not be read, which is in its place all the same.
        if not self.waiting or response.correlation_id not in {expected, ""}:
            raise RulesError(
                grpc.StatusCode.INTERNAL,
                f"the stream answered message {response.correlation_id!r} where {expected!r} was to be answered",
            )
        return self.waiting.popleft()

    def why(self, error: RulesError) -> RulesError:
        """Say why the stream failed: of one that is cancelled gRPC tells no more than that."""
        if error.code is grpc.StatusCode.CANCELLED and self.given_up is not None:
            return self.given_up
        return error

    def finish(self, end: RulesError) -> tuple[Waiting[FutureT], ...]:
        """Give back what waits and will not be answered; the first end is the one that counts."""
        if self.end is not None:
            return ()
        left = tuple(self.waiting)
        self.waiting.clear()
        # In this order: who sees the end, without a lock, may look at what is unanswered.
        self.unanswered = tuple(each.request for each in left)
        self.end = end
        return left


def outcome(response: StreamApplyMovesResponse, request: ApplyMovesRequest) -> Accepted | IllegalMove | RulesError:
    """Say what a message came to: moves that were accepted, or refused, or a call that failed."""
    match response.WhichOneof("outcome"):
        case "response":
            try:
                return accepted_of(response.response, request)
            except (IllegalMove, RulesError) as told:
                return told
        case "status":
            return from_status(response.status)
        case _:
            return incomplete("the answer says nothing: this client is older than the service")


def in_order() -> RulesError:
    """The end of a stream that was closed."""
    return RulesError(grpc.StatusCode.OK, "the stream was closed")


def cancelled() -> RulesError:
    """The end of a stream that the caller cancelled."""
    return RulesError(grpc.StatusCode.CANCELLED, "the stream was cancelled", cancelled_here=True)


def broken_off() -> RulesError:
    """The end of a stream whose answers nobody reads any more."""
    return RulesError(grpc.StatusCode.UNKNOWN, "what was called when an answer came ended the reading of answers")


def not_in_time(seconds: float) -> RulesError:
    """The end of a stream that was being closed, and was waited for in vain."""
    return RulesError(
        grpc.StatusCode.DEADLINE_EXCEEDED, f"the stream was closed, and answered nothing for {seconds:g} s"
    )


def not_answered(request: ApplyMovesRequest, end: RulesError) -> StreamEnded:
    """Say that a message has no answer, and will not have one from this stream."""
    if end.code is grpc.StatusCode.OK:
        end = RulesError(grpc.StatusCode.UNAVAILABLE, "the stream ended before it answered")
    return StreamEnded(request, end)
