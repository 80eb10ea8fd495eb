"""`StreamApplyMoves`: moves of many matches one behind the other, without waiting for each answer."""

import contextlib
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Self

import grpc

from burraco.errors import RulesError, from_rpc_error
from burraco.pipeline import AHEAD, Pipeline, broken_off, cancelled, in_order, not_answered, not_in_time, outcome
from burraco.v1.game_service_pb2 import (
    Accepted,
    ApplyMovesRequest,
    StreamApplyMovesRequest,
    StreamApplyMovesResponse,
)
from burraco.v1.game_service_pb2_grpc import GameServiceStub

__all__ = ["AHEAD", "MoveStream"]


class MoveStream:
    """An open stream; many threads may share one. Use it in a `with` block, which waits for the answers at its end.

    `send` gives a future for each message. Its result is what was accepted; it raises `IllegalMove` or `RulesError`
    where the message was refused or failed, which the stream survives, and `StreamEnded` where the stream ended first,
    with the request to send again on another one.
    """

    def __init__(
        self,
        stub: GameServiceStub,
        metadata: Sequence[tuple[str, str]],
        *,
        ahead: int,
        patience: float,
        timeout: float | None,
    ) -> None:
        self._pipeline: Pipeline[Future[Accepted]] = Pipeline(ahead)
        self._patience = patience
        self._change = threading.Condition()
        self._outbox: queue.SimpleQueue[StreamApplyMovesRequest | None] = queue.SimpleQueue()
        self._call = stub.StreamApplyMoves(iter(self._outbox.get, None), timeout=timeout, metadata=tuple(metadata))
        self._reader = threading.Thread(target=self._read, name="burraco-stream", daemon=True)
        self._reader.start()

    def send(self, request: ApplyMovesRequest) -> "Future[Accepted]":
        """Send a message, once there is room for one more that waits for its answer.

        The future cannot be cancelled: what is sent is sent. :raises ValueError: the stream was closed.
        """
        future: Future[Accepted] = Future()
        future.set_running_or_notify_cancel()
        with self._change:
            self._change.wait_for(self._may_go_on)
            if self._pipeline.end is None and not self._pipeline.is_closed:
                self._outbox.put(self._pipeline.add(request, future))
                return future
            end = self._pipeline.end
        if end is None or end.code is grpc.StatusCode.OK:
            raise ValueError("the stream was closed: open another")
        future.set_exception(not_answered(request, end))
        return future

    def _may_go_on(self) -> bool:
        pipeline = self._pipeline
        return pipeline.has_room or pipeline.is_closed or pipeline.end is not None or self._is_reader()

    def _is_reader(self) -> bool:
        """What is called when an answer comes runs on the thread that reads: it would wait for itself."""
        return threading.current_thread() is self._reader

    @property
    def end(self) -> RulesError | None:
        """With what the stream ended; None while it is open, and `OK` when it was closed."""
        return self._pipeline.end

    @property
    def unanswered(self) -> tuple[ApplyMovesRequest, ...]:
        """Of a stream that has ended: what it did not answer, in order. Send it again on another stream."""
        return self._pipeline.unanswered

    def close(self) -> None:
        """Send no more, and wait for the answers; it gives up when none comes for the client's deadline.

        What an answer calls does not wait: the answers behind it come after it.
        """
        with self._change:
            self._pipeline.is_closed = True
            self._change.notify_all()
        self._outbox.put(None)
        if self._is_reader():
            return
        left = -1
        while self._reader.is_alive() and left != len(self._pipeline.waiting):
            left = len(self._pipeline.waiting)
            self._reader.join(self._patience)
        self._give_up(not_in_time(self._patience))

    def cancel(self) -> None:
        """End the stream at once. What was not answered may have been worked on, which does no harm."""
        self._give_up(cancelled())

    def _give_up(self, end: RulesError) -> None:
        with self._change:
            self._pipeline.given_up = self._pipeline.given_up or end
        self._call.cancel()
        if not self._is_reader():
            self._reader.join()

    def _read(self) -> None:
        end = in_order()
        try:
            for response in self._call:
                self._answer(response)
        except grpc.RpcError as error:
            end = self._pipeline.why(from_rpc_error(error))
        except RulesError as error:
            end = error
            self._call.cancel()
        except BaseException:  # an exit, say, in what an answer calls; others wait for their answers
            end = broken_off()
            self._call.cancel()
            raise
        finally:
            self._finish(end)

    def _finish(self, end: RulesError) -> None:
        with self._change:
            left = self._pipeline.finish(end)
            self._change.notify_all()
        self._outbox.put(None)  # the thread that sends must not wait for more
        # All are told, also after an exit in what one of them calls.
        with contextlib.ExitStack() as telling:
            for each in reversed(left):
                telling.callback(each.future.set_exception, not_answered(each.request, end))

    def _answer(self, response: StreamApplyMovesResponse) -> None:
        with self._change:
            waiting = self._pipeline.match(response)
            self._change.notify_all()
        told = outcome(response, waiting.request)
        if isinstance(told, Exception):
            waiting.future.set_exception(told)
        else:
            waiting.future.set_result(told)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.cancel()
