"""Where calls wait for their clients: for a request that has not come yet, or for an answer to be taken.

gRPC for Python does both on a thread of the pool, and without an end: a client that sends its headers and nothing more
would have that thread for as long as it likes. So a call that has waited for longer than a request takes is late. Its
thread is lent to it and replaced, and it no longer counts as one in progress. Only so many may be late, and only for so
long; of too many the oldest is ended, so that calls that go nowhere keep out nobody but each other.
"""

import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, Self, TypeVar

import grpc

from service.server.pool import CountingPool

LATE_SECONDS: Final = 0.005
"""Under an overload one request in a thousand takes longer: it comes with the headers."""
CLOSING_SECONDS: Final = 0.5
"""How long a server that is to end waits for the rest of a request."""

_SPARE_THREADS: Final = 1
"""It takes requests in while others work. More would keep the thread that refuses calls from its turn."""

T = TypeVar("T")
Tell = Callable[[str, grpc.ServicerContext], None]
"""Tells of a call, by its method, that was ended because it was late."""


class Lobby:
    """Threads for calls, and the calls that have one and wait."""

    def __init__(self, name: str, threads: int, most_late: int, seconds: float, tell: Tell) -> None:
        self.pool = CountingPool(threads + _SPARE_THREADS, name)
        self.permits = threading.Semaphore(threads)
        """One for each call that is worked on: requests of late calls may all come at once."""
        self._most_late = most_late
        self._seconds = seconds
        self._tell = tell
        self._lock = threading.Lock()
        self._on_time: dict[_Wait, None] = {}
        self._late: dict[_Wait, None] = {}
        """Both in the order in which they began to wait."""

    @property
    def in_progress(self) -> int:
        """Calls that run or wait, but for those that are late."""
        self.look()
        return self.pool.in_progress

    @property
    def has_waiting(self) -> bool:
        """Whether a call waits for its client."""
        return bool(self._on_time or self._late)

    def close(self) -> None:
        """Wait for nobody long from now on."""
        self._seconds = min(self._seconds, CLOSING_SECONDS)

    def look(self) -> None:
        """See which calls are late, and end those that are too many or too late."""
        if not self.has_waiting:
            return
        now, ended = time.monotonic(), []
        with self._lock:
            while self._on_time and now - (first := next(iter(self._on_time))).since >= LATE_SECONDS:
                del self._on_time[first]
                self._late[first] = None
                first.is_late = True
                self.pool.lend()
            while self._late:
                first = next(iter(self._late))
                if len(self._late) <= self._most_late and now - first.since < self._seconds:
                    break
                del self._late[first]
                first.is_ended = True
                ended.append(first)
        for wait in ended:
            wait.context.cancel()

    def request(self, method: str, requests: Iterator[T], context: grpc.ServicerContext) -> T | None:
        """Wait for the one request of a call; None where nobody waits for an answer any more."""
        request = self._next(method, requests, context)
        if request is None and context.is_active():
            # As gRPC does where it waits itself.
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f'"{method}" requires exactly one request message.')
        return request

    def requests(self, method: str, requests: Iterator[T], context: grpc.ServicerContext) -> Iterator[T]:
        """Wait for each message of a stream."""
        while (request := self._next(method, requests, context)) is not None:
            yield request

    def answers(self, method: str, answers: Iterator[T], context: grpc.ServicerContext) -> Iterator[T]:
        """Wait until each answer of a stream is taken."""
        for answer in answers:
            with self.wait(method, context):
                yield answer

    def wait(self, method: str, context: grpc.ServicerContext) -> "_Wait":
        """Make what a call is in while its thread does nothing but wait for the client."""
        return _Wait(self, method, context)

    def _next(self, method: str, requests: Iterator[T], context: grpc.ServicerContext) -> T | None:
        with self.wait(method, context) as wait:
            try:
                request = next(requests, None)
            except grpc.RpcError:  # its client has gone
                return None
        if not wait.is_ended:
            return request
        if context.is_active():
            # gRPC has not heard yet that the call is cancelled. Nothing else may become of it: neither an answer, for
            # it is told of as ended, nor an end that says that no message came.
            context.abort(grpc.StatusCode.CANCELLED, "The message did not come in time.")
        return None

    def _begin(self, wait: "_Wait") -> None:
        with self._lock:
            self._on_time[wait] = None

    def _end(self, wait: "_Wait") -> None:
        with self._lock:
            if wait.is_late:
                self._late.pop(wait, None)
                self.pool.take_back()
            else:
                del self._on_time[wait]
        if wait.is_ended:
            self._tell(wait.method, wait.context)


class _Wait:
    """One wait of a call for its client."""

    __slots__ = ("_lobby", "context", "is_ended", "is_late", "method", "since")

    def __init__(self, lobby: Lobby, method: str, context: grpc.ServicerContext) -> None:
        self._lobby = lobby
        self.method = method
        self.context = context
        self.is_late = self.is_ended = False

    def __enter__(self) -> Self:
        self.since = time.monotonic()
        self._lobby._begin(self)  # noqa: SLF001 - half of it
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lobby._end(self)  # noqa: SLF001
