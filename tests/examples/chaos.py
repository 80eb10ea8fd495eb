"""What goes wrong: calls that fail before or after they did their work, in an order of the test's choosing."""

import threading
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Final, NoReturn, TypeVar, cast

import grpc

from back_end.store import Change, Happening, Receipt, Store, Stored
from burraco import Client, RulesError

SECONDS: Final = 60.0
T = TypeVar("T")


class Fault(Enum):
    """What happens to one call."""

    NONE = 0
    BEFORE = 1
    """It fails before anything is done: a crash between ApplyMoves and the write, or a server that is gone."""
    AFTER = 2
    """It fails when all is done: the answer is lost."""
    RESENT = 3
    """It is done, and answers that it lost: a client that sent it twice by itself has the second answer."""


class Broken(Exception):  # noqa: N818 - a crash or a lost connection
    """A call of the store failed."""


Step = Callable[[], None]


def no_step() -> None:
    """Let the threads run as they like."""


class ChaoticStore:
    """A store whose writes fail as `faults` say. `step` is called before each of its calls."""

    def __init__(self, store: Store, faults: Iterator[Fault], step: Step = no_step) -> None:
        self._store = store
        self._faults = faults
        self._step = step

    def _write(self, write: Callable[[], bool]) -> bool:
        self._step()
        fault = next(self._faults, Fault.NONE)
        if fault is Fault.BEFORE:
            raise Broken
        answer = write()
        if fault is Fault.AFTER:
            raise Broken
        return answer and fault is not Fault.RESENT

    def create(self, match: str, begun: Stored, events: tuple[Happening, ...]) -> bool:
        return self._write(lambda: self._store.create(match, begun, events))

    def replace(self, match: str, change: Change) -> bool:
        return self._write(lambda: self._store.replace(match, change))

    def load(self, match: str) -> Stored | None:
        self._step()
        return self._store.load(match)

    def receipt(self, match: str, request_id: str) -> Receipt | None:
        self._step()
        return self._store.receipt(match, request_id)

    def events(self, match: str, after: int, upto: int) -> tuple[Happening, ...]:
        self._step()
        return self._store.events(match, after, upto)

    def moves(self, match: str) -> tuple[bytes, ...]:
        self._step()
        return self._store.moves(match)


def chaotic_client(client: Client, faults: Iterator[Fault], step: Step = no_step) -> Client:
    """A client whose calls fail as `faults` say; whether before or after makes no difference to a pure call."""

    class Chaotic:
        stub = client.stub

        def call(self, method: Any, request: Any) -> Any:  # noqa: ANN401 - any method of the stub
            step()
            if next(faults, Fault.NONE) is not Fault.NONE:
                unavailable()
            return client.call(method, request)

    return cast("Client", Chaotic())


def unavailable() -> NoReturn:
    raise RulesError(grpc.StatusCode.UNAVAILABLE, "gone")


class Lockstep:
    """Runs threads of which one is awake at a time; whenever it comes to a `step`, `choose` says which one goes on."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self._choose = choose
        self._asleep = threading.Semaphore(0)
        self._awake: dict[int, threading.Semaphore] = {}
        self._errors: list[BaseException] = []

    def step(self) -> None:
        """Sleep until chosen."""
        self._asleep.release()
        assert self._awake[threading.get_ident()].acquire(timeout=SECONDS)

    def run(self, workers: Sequence[Callable[[], None]]) -> None:
        """Run the workers to their ends. :raises BaseException: what one of them raised."""
        gates = [threading.Semaphore(0) for _ in workers]
        threads = [threading.Thread(target=self._work, args=each) for each in zip(workers, gates, strict=True)]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert self._asleep.acquire(timeout=SECONDS)
        waiting = list(zip(threads, gates, strict=True))
        while waiting:
            thread, gate = waiting.pop(self._choose(len(waiting)))
            gate.release()
            assert self._asleep.acquire(timeout=SECONDS)
            if gate in self._awake.values():
                waiting.append((thread, gate))
        for thread in threads:
            thread.join(SECONDS)
        if self._errors:
            raise self._errors[0]

    def _work(self, worker: Callable[[], None], gate: threading.Semaphore) -> None:
        me = threading.get_ident()
        self._awake[me] = gate
        try:
            self.step()
            worker()
        except BaseException as error:  # noqa: BLE001 - told by the thread that waits
            self._errors.append(error)
        finally:
            del self._awake[me]
            self._asleep.release()


def together(workers: Sequence[Callable[[], None]]) -> None:
    """Run workers in threads of their own, as fast as they can. :raises BaseException: what one of them raised."""
    errors: list[BaseException] = []

    def work(worker: Callable[[], None]) -> None:
        try:
            worker()
        except BaseException as error:  # noqa: BLE001 - told by the thread that waits
            errors.append(error)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * SECONDS)
        assert not thread.is_alive()
    if errors:
        raise errors[0]
