"""Threads for calls."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class CountingPool(ThreadPoolExecutor):
    """A thread pool that knows how many of its tasks run or wait."""

    def __init__(self, threads: int, name: str) -> None:
        super().__init__(threads, thread_name_prefix=name)
        self._counting = threading.Condition()
        self._unfinished = 0

    @property
    def unfinished(self) -> int:
        """Tasks that run or wait now."""
        return self._unfinished

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a task when a thread is free."""
        future = super().submit(fn, *args, **kwargs)
        with self._counting:
            self._unfinished += 1
        future.add_done_callback(self._count_down)
        return future

    def wait_until_idle(self, timeout_seconds: float) -> None:
        """Wait until no task runs or waits, or the time is up."""
        with self._counting:
            self._counting.wait_for(lambda: not self._unfinished, timeout_seconds)

    def _count_down(self, _future: Future[Any]) -> None:
        with self._counting:
            self._unfinished -= 1
            if not self._unfinished:
                self._counting.notify_all()


class NoPool(ThreadPoolExecutor):
    """Runs each task at once, on the thread that hands it over; for what neither waits, fails nor has a result."""

    def __init__(self) -> None:
        super().__init__(1)  # which starts no thread before it is given a task
        self._done: Future[Any] = Future()
        self._done.set_result(None)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a task now."""
        fn(*args, **kwargs)
        return self._done


@dataclass(frozen=True)
class Pooled:
    """A handler that grpcio runs on threads of its own: it reads these attribute names from whatever it calls."""

    run: Callable[..., Any]
    experimental_thread_pool: ThreadPoolExecutor
    experimental_non_blocking: bool = False

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401 - passes through what grpcio passes
        """Run the handler."""
        return self.run(*arguments)


def _threads(count: int, name: str) -> Callable[[], ThreadPoolExecutor]:
    return lambda: ThreadPoolExecutor(count, thread_name_prefix=name)


@dataclass(frozen=True)
class Pools:
    """The threads of a server. What has to answer under load does not share those of the calls."""

    calls: CountingPool
    streams: CountingPool
    long: CountingPool = field(default_factory=lambda: CountingPool(1, "long"))
    refusals: ThreadPoolExecutor = field(default_factory=NoPool)
    unbuilt: ThreadPoolExecutor = field(default_factory=_threads(1, "unbuilt"))
    health: ThreadPoolExecutor = field(default_factory=_threads(1, "health"))
    reflection: ThreadPoolExecutor = field(default_factory=_threads(2, "reflection"))

    @property
    def counted(self) -> tuple[CountingPool, ...]:
        """Those that are waited for at the end."""
        return self.calls, self.streams, self.long

    def shut_down(self) -> None:
        """Let the threads end as soon as they have nothing to do."""
        for pool in (self.calls, self.streams, self.long, self.refusals, self.unbuilt, self.health, self.reflection):
            pool.shutdown(wait=False, cancel_futures=True)
