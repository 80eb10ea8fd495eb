"""`StreamApplyMoves` on grpc.aio: moves of many matches one behind the other, without waiting for each answer."""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import grpc

from burraco.errors import RulesError, from_rpc_error, unreadable
from burraco.pipeline import Pipeline, cancelled, in_order, not_answered, not_in_time, outcome
from burraco.v1.game_service_pb2 import (
    Accepted,
    ApplyMovesRequest,
    StreamApplyMovesRequest,
    StreamApplyMovesResponse,
)

if TYPE_CHECKING:
    from burraco.v1.game_service_pb2_grpc import GameServiceAsyncStub


class MoveStream:
    """An open stream; many tasks may share one. Use it in an `async with` block, at whose end it waits for the answers.

    It does what `burraco.MoveStream` does, and gives futures that are awaited. Who gives up waiting for one, or is
    cancelled, disturbs nobody else: the answer is read and passed over.
    """

    def __init__(
        self,
        stub: "GameServiceAsyncStub",
        metadata: Sequence[tuple[str, str]],
        *,
        ahead: int,
        patience: float,
        timeout: float | None,
    ) -> None:
        self._pipeline: Pipeline[asyncio.Future[Accepted]] = Pipeline(ahead)
        self._patience = patience
        self._change = asyncio.Condition()
        self._outbox: asyncio.Queue[StreamApplyMovesRequest | None] = asyncio.Queue()
        self._call = stub.StreamApplyMoves(timeout=timeout, metadata=tuple(metadata))
        self._writer = asyncio.create_task(self._write(), name="burraco-stream-writer")
        self._reader = asyncio.create_task(self._read(), name="burraco-stream-reader")

    async def send(self, request: ApplyMovesRequest) -> "asyncio.Future[Accepted]":
        """Send a message, once there is room for one more that waits for its answer, and return its future.

        :raises ValueError: the stream was closed.
        """
        future: asyncio.Future[Accepted] = asyncio.get_running_loop().create_future()
        async with self._change:
            await self._change.wait_for(self._may_go_on)
            if self._pipeline.end is None and not self._pipeline.is_closed:
                self._outbox.put_nowait(self._pipeline.add(request, future))
                return future
            end = self._pipeline.end
        if end is None or end.code is grpc.StatusCode.OK:
            raise ValueError("the stream was closed: open another")
        _fail(future, not_answered(request, end))
        return future

    def _may_go_on(self) -> bool:
        pipeline = self._pipeline
        return pipeline.has_room or pipeline.is_closed or pipeline.end is not None

    @property
    def end(self) -> RulesError | None:
        """With what the stream ended; None while it is open, and `OK` when it was closed."""
        return self._pipeline.end

    @property
    def unanswered(self) -> tuple[ApplyMovesRequest, ...]:
        """Of a stream that has ended: what it did not answer, in order. Send it again on another stream."""
        return self._pipeline.unanswered

    async def close(self) -> None:
        """Send no more, and wait for the answers; it gives up when none comes for the client's deadline."""
        async with self._change:
            self._pipeline.is_closed = True
            self._change.notify_all()
        self._outbox.put_nowait(None)
        left = -1
        while not self._reader.done() and left != len(self._pipeline.waiting):
            left = len(self._pipeline.waiting)
            await asyncio.wait({self._reader}, timeout=self._patience)
        await self._give_up(not_in_time(self._patience))

    async def cancel(self) -> None:
        """End the stream at once. What was not answered may have been worked on, which does no harm."""
        await self._give_up(cancelled())

    async def _give_up(self, end: RulesError) -> None:
        self._pipeline.given_up = self._pipeline.given_up or end
        self._call.cancel()
        self._outbox.put_nowait(None)
        await asyncio.wait({self._reader, self._writer})

    async def _write(self) -> None:
        """Send what is in the outbox: a task of its own, as one that is cancelled while it writes ends the stream."""
        try:
            while (message := await self._outbox.get()) is not None:
                await self._call.write(message)
            await self._call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            return  # the stream has ended, which the reader tells

    async def _read(self) -> None:
        end = in_order()
        try:
            while (response := await self._call.read()) is not grpc.aio.EOF:
                if not isinstance(response, StreamApplyMovesResponse):
                    raise unreadable()
                await self._answer(response)
        except grpc.aio.AioRpcError as error:
            end = self._pipeline.why(from_rpc_error(error))
        except asyncio.CancelledError:
            end = self._pipeline.why(cancelled())
        except RulesError as error:
            end = error
            self._call.cancel()
        left = self._pipeline.finish(end)
        self._outbox.put_nowait(None)
        for each in left:
            _fail(each.future, not_answered(each.request, end))
        async with self._change:
            self._change.notify_all()

    async def _answer(self, response: StreamApplyMovesResponse) -> None:
        waiting = self._pipeline.match(response)
        told = outcome(response, waiting.request)
        if waiting.future.done():
            pass  # nobody waits for it any more
        elif isinstance(told, Exception):
            waiting.future.set_exception(told)
        else:
            waiting.future.set_result(told)
        async with self._change:
            self._change.notify_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            await self.close()
        else:
            await self.cancel()


def _fail(future: "asyncio.Future[Accepted]", error: RulesError) -> None:
    """Fail a future that may be nobody's: what the stream did not answer is told by `unanswered` too."""
    if not future.done():
        future.set_exception(error)
        future.exception()  # or asyncio would report it as never looked at
