"""A connection to the service on grpc.aio, with the retries, deadlines and load balancing of `burraco.channel`."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import grpc

from burraco.aio.streaming import MoveStream
from burraco.channel import Metadata, Option, as_seat, channel_arguments, in_language, who
from burraco.errors import RulesError, from_rpc_error, unreadable
from burraco.pipeline import AHEAD
from burraco.v1.game_service_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    from burraco.v1.game_service_pb2_grpc import GameServiceAsyncStub

Request = TypeVar("Request")
Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Client:
    """A channel and the generated stub on it, for one event loop. Closes with its `async with` block."""

    target: str
    channel: grpc.aio.Channel
    stub: "GameServiceAsyncStub"
    metadata: Metadata = field(default=(), repr=False)
    """What says who calls, and in which language; `call` sends it, and calls of the bare stub have to be given it."""
    timeout: float = 3.0
    """Deadline of each call of `call` in seconds, its retries included."""

    def as_seat(self, seat_token: str) -> Self:
        """Make a client on the same channel that is a seat: it acts for that seat alone, whatever this one may do."""
        return replace(self, metadata=as_seat(self.metadata, seat_token))

    def in_language(self, language: str | None) -> Self:
        """Make a client on the same channel that is told texts in a language, as `connect` is given it.

        :raises ValueError: no header can have it.
        """
        return replace(self, metadata=in_language(self.metadata, language))

    async def call(
        self,
        method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - gRPC's deadline, which the server is told
    ) -> Response:
        """Call `method` of the stub. `timeout` may shorten the deadline. :raises RulesError: if the call fails."""
        seconds = self.timeout if timeout is None else min(timeout, self.timeout)
        try:
            response = await method(request, timeout=seconds, metadata=self.metadata)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                # gRPC says so of calls on a channel that is closed; nobody cancelled the task, which would end unseen.
                raise RulesError(
                    grpc.StatusCode.CANCELLED, "the client was closed during the call", cancelled_here=True
                ) from None
            raise
        if response is None:
            raise unreadable()
        return response

    def stream(self, *, ahead: int = AHEAD, timeout: float | None = None) -> MoveStream:
        """Open a stream for moves of many matches, see `MoveStream`; for back ends only.

        Up to `ahead` messages wait for their answers. `timeout` is the deadline of the whole stream; without it, it
        stays open until a side ends it.
        """
        return MoveStream(self.stub, self.metadata, ahead=ahead, patience=self.timeout, timeout=timeout)

    async def wait_ready(self, timeout: float = 10.0) -> Self:  # noqa: ASYNC109 - as in `burraco.Client`
        """Wait until the channel is connected, and return the client. :raises TimeoutError: if it never is."""
        try:
            await asyncio.wait_for(self.channel.channel_ready(), timeout)
        except TimeoutError:
            raise TimeoutError(f"no connection to {self.target} within {timeout:g} s") from None
        return self

    async def close(self) -> None:
        """Close the channel."""
        await self.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


def connect(
    target: str,
    *,
    seat_token: str | None = None,
    api_key: str | None = None,
    language: str | None = None,
    timeout: float = 3.0,
    credentials: grpc.ChannelCredentials | None = None,
    keepalive: float | None = None,
    options: Iterable[Option] = (),
) -> Client:
    """Connect to the service as `burraco.connect` does, which describes the arguments; call it in the event loop.

    :raises ValueError: there are a seat token and an API key, with both of which a caller is a seat; or one of them,
        or the language, is nothing that a header can have; or no call could succeed within the timeout, or nothing be
        pinged so often.
    """
    metadata, arguments = who(seat_token, api_key, language), channel_arguments(timeout, keepalive, options)
    if credentials is None:
        channel = grpc.aio.insecure_channel(target, arguments)
    else:
        channel = grpc.aio.secure_channel(target, credentials, arguments)
    return Client(target, channel, GameServiceStub(channel), metadata, timeout)
