"""Threads for calls."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import grpc

if TYPE_CHECKING:
    Handler: TypeAlias = grpc.RpcMethodHandler[Any, Any]
else:
    Handler = grpc.RpcMethodHandler  # generic in its stubs alone

P = ParamSpec("P")
T = TypeVar("T")


class CountingPool(ThreadPoolExecutor):
    """A thread pool that knows how many of its tasks run or wait, and whose threads can be lent.

    A thread that only waits for a client is lent to it: another one takes its place until the client has given it back.

    Threads take tasks without the lock, whichever comes first, so what the queue holds is known to nobody; what waits
    in it and who waits for it are counted instead, with the lock.
    """

    def __init__(self, threads: int, name: str) -> None:
        super().__init__(1)  # grpcio takes no other executor; its own threads are never started
        self._most = threads
        self._name = name
        self._lent = 0
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_idle = threading.Condition(self._lock)
        self._alive: set[threading.Thread] = set()
        self._staying = 0
        """Threads that have not been told to end."""
        self._free = 0
        """Threads that are about to take something from the queue, less what lies in it; below zero, tasks wait."""
        self._unfinished = 0
        self._is_over = False

    @property
    def unfinished(self) -> int:
        """Tasks that run or wait now."""
        return self._unfinished

    @property
    def in_progress(self) -> int:
        """As many of them as have no thread that is lent."""
        return self._unfinished - self._lent

    @property
    def has_backlog(self) -> bool:
        """Whether tasks wait for a thread."""
        return self._free < 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a task when a thread is free."""
        future: Future[T] = Future()
        future.add_done_callback(self._count_down)
        with self._lock:
            if self._is_over:
                raise RuntimeError("The pool has ended.")
            self._unfinished += 1
            self._put(_Task(future, partial(fn, *args, **kwargs)))
            self._grow()
        return future

    def lend(self) -> None:
        """Have one thread more."""
        with self._lock:
            self._lent += 1
            self._grow()

    def take_back(self) -> None:
        """Have one thread less, as soon as one is free."""
        with self._lock:
            self._lent -= 1
            if self._free > 0 and self._has_too_many():
                self._staying -= 1
                self._put(None)

    def grow(self) -> None:
        """Have a thread more where tasks wait for one that the system did not give when they came."""
        with self._lock:
            self._grow()

    def wait_until_idle(self, timeout_seconds: float) -> None:
        """Wait until no task runs or waits, or the time is up."""
        with self._lock:
            self._is_idle.wait_for(lambda: not self._unfinished, timeout_seconds)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end; what waits for one is done before, or cancelled."""
        with self._lock:
            self._is_over = True
            dropped = tuple(self._take_all()) if cancel_futures else ()
            threads = tuple(self._alive)
            for _ in threads:
                self._put(None)
        for each in dropped:
            each.future.cancel()
        for thread in threads if wait else ():
            thread.join()

    def _grow(self) -> None:
        if not self.has_backlog or self._is_over or self._staying >= self._most + self._lent:
            return
        thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        # Where the system has no thread to give, the task waits for one of those that there are, or for `grow`: an
        # error here would end the thread on which gRPC hands calls out, and with it the server.
        with contextlib.suppress(RuntimeError):
            thread.start()
            self._alive.add(thread)
            self._staying += 1
            self._free += 1

    def _put(self, task: "_Task | None") -> None:
        """Leave a task to the threads, or None for one of them to end."""
        self._free -= 1
        self._tasks.put(task)

    def _take_all(self) -> Iterator["_Task"]:
        with contextlib.suppress(Empty):
            while True:
                task = self._tasks.get_nowait()
                self._free += 1
                if task is not None:
                    yield task

    def _has_too_many(self) -> bool:
        return self._staying > self._most + self._lent

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task.run()
            del task  # and with it the call, before the wait for another
            if not self._stays():
                break
        with self._lock:
            self._alive.discard(threading.current_thread())

    def _stays(self) -> bool:
        with self._lock:
            stays = not self._has_too_many()
            if stays:
                self._free += 1
            else:
                self._staying -= 1
        return stays

    def _count_down(self, _future: Future[Any]) -> None:
        with self._lock:
            self._unfinished -= 1
            if not self._unfinished:
                self._is_idle.notify_all()


class _Task(NamedTuple):
    """What a thread is to do."""

    future: Future[Any]
    work: Callable[[], Any]

    def run(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.work())
        except BaseException as fault:  # noqa: BLE001 - whoever has the future is told
            self.future.set_exception(fault)


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
