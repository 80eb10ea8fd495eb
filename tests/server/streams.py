"""A stream as a test drives it: message by message, or all at once."""

import queue
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import grpc

from burraco.v1 import game_service_pb2 as pb
from tests.server.stub import Failure, Metadata, Running, failure

METHOD = "/burraco.v1.GameService/StreamApplyMoves"
_END = None


def message(correlation_id: str = "", **fields: Any) -> pb.StreamApplyMovesRequest:  # noqa: ANN401 - fields of the call
    """One message."""
    return pb.StreamApplyMovesRequest(correlation_id=correlation_id, request=pb.ApplyMovesRequest(**fields))


@dataclass
class Stream:
    """An open stream, which sends what it is told to and reads only when asked."""

    channel: grpc.Channel
    metadata: Metadata = ()
    timeout: float | None = None
    call: Any = field(init=False)

    def __post_init__(self) -> None:
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        method: Any = self.channel.stream_stream(METHOD)
        self.call = method(iter(self._queue.get, _END), timeout=self.timeout, metadata=tuple(self.metadata))

    def send(self, *messages: pb.StreamApplyMovesRequest | bytes) -> "Stream":
        """Send messages."""
        for each in messages:
            self._queue.put(each if isinstance(each, bytes) else each.SerializeToString())
        return self

    def read(self) -> pb.StreamApplyMovesResponse:
        """Wait for the next answer."""
        return pb.StreamApplyMovesResponse.FromString(next(self.call))

    def half_close(self) -> "Stream":
        """Say that nothing more will come."""
        self._queue.put(_END)
        return self

    def answers(self) -> Iterator[pb.StreamApplyMovesResponse]:
        """Read one after the other, as they come."""
        return map(pb.StreamApplyMovesResponse.FromString, self.call)

    def rest(self) -> list[pb.StreamApplyMovesResponse]:
        """Read to the end."""
        return list(self.answers())

    def failure(self) -> Failure:
        """Read to an end that is a failure."""
        try:
            return failure(self.rest)
        finally:
            self.half_close()  # the thread that sends must not wait for more

    def cancel(self) -> None:
        """Give it up."""
        self.call.cancel()
        self.half_close()


def ask_all(running: Running, messages: Iterator[pb.StreamApplyMovesRequest]) -> list[pb.StreamApplyMovesResponse]:
    """Send messages and read all answers."""
    return list(running.stub.StreamApplyMoves(messages))
