"""Calls that wait for their clients, in all orders in which clients, threads and looks may take turns."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, cast

import grpc
import pytest

from service.server import lobby as lobby_module
from service.server import pool as pool_module
from service.server.lobby import Lobby
from tests.server.hurry import hurried
from tests.server.stub import SECONDS, eventually

if TYPE_CHECKING:
    from concurrent.futures import Future

NAME = "lobby-under-test"
THREADS = 3
MOST_LATE = 4
CALLS = 400
OF_THEM = {"prompt": 40, "slow": 30, "empty": 5, "given up": 10, "silent": 10, "unread": 5}
"""Kinds of clients, and how many of a hundred they are."""


class Aborted(Exception):  # noqa: N818 - what a handler raises by aborting
    """What a handler raises that aborts its call."""


class FakeCall:
    """A call as its handler sees it: its messages, and its context.

    As with gRPC, a cancellation by the server is heard of later, and it may be the end of messages that comes first.
    """

    def __init__(self, kind: str = "slow", *, hears_late: bool = False) -> None:
        self.kind = kind
        self.code: grpc.StatusCode | None = None
        self.is_over = False
        self.cancellations = 0
        self._hears_late = hears_late
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()

    @property
    def context(self) -> grpc.ServicerContext:
        return cast("grpc.ServicerContext", self)

    def send(self, message: bytes | None) -> None:
        """Let a message come, or their end."""
        self._messages.put(message)

    def give_up(self) -> None:
        self.is_over = True
        self._messages.put(None)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        message = self._messages.get()
        if self.is_over:
            raise grpc.RpcError
        if message is None:
            raise StopIteration
        return message

    def is_active(self) -> bool:
        return not self.is_over

    def cancel(self) -> None:
        self.cancellations += 1
        self.is_over = self.is_over or not self._hears_late
        self._messages.put(None)

    def abort(self, code: grpc.StatusCode, _details: str) -> None:
        self.code = code
        raise Aborted


class EndedTooLate(FakeCall):
    """One whose message comes when it has been ended, and before gRPC knows of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(hears_late=True)
        self.told: list[object] = []
        monkeypatch.setattr(lobby_module, "LATE_SECONDS", 0.0)
        self.lobby = Lobby(NAME, THREADS, 0, SECONDS, lambda _method, context: self.told.append(context))

    def cancel(self) -> None:
        self.send(b"message")

    def __next__(self) -> bytes:
        self.lobby.look()
        return super().__next__()


def test_a_call_that_is_ended_as_its_request_comes_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client is not told that there was no request."""
    call = EndedTooLate(monkeypatch)
    with pytest.raises(Aborted):
        call.lobby.request("", call, call.context)
    assert (call.code, call.told) == (grpc.StatusCode.CANCELLED, [call])


def test_a_stream_that_is_ended_as_a_message_comes_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a stream OK that has dropped a message."""
    call = EndedTooLate(monkeypatch)
    with pytest.raises(Aborted):
        list(call.lobby.requests("", call, call.context))
    assert (call.code, call.told) == (grpc.StatusCode.CANCELLED, [call])


@pytest.mark.parametrize("seed", range(3))
def test_no_call_is_lost_however_all_take_turns(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Each call has one outcome, each that is ended is told of as often as it is, and all is as before in the end."""
    monkeypatch.setattr(lobby_module, "LATE_SECONDS", 0.0005)
    random, over = Random(seed), threading.Event()
    told, too_many = Counter[object](), Counter[str]()
    kinds = random.choices(list(OF_THEM), list(OF_THEM.values()), k=CALLS)
    calls = [FakeCall(kind, hears_late=random.random() < 0.5) for kind in kinds]
    working = threading.Semaphore(THREADS)

    def tell(_method: str, context: grpc.ServicerContext) -> None:
        told[context] += 1  # one call is told of on one thread

    with hurried(lobby_module, pool_module):
        lobby = Lobby(NAME, THREADS, MOST_LATE, 0.02, tell)

        def serve(call: FakeCall) -> str:
            try:
                request = lobby.request("", call, call.context)
            except Aborted:
                assert call.code is not None
                return call.code.name
            if request is None:
                return "GONE"
            with lobby.permits:
                if not working.acquire(blocking=False):
                    too_many[call.kind] += 1
                time.sleep(0)
                working.release()
            answers = lobby.answers("", iter([request] * 3), call.context)
            for answer in answers:
                assert answer == request
                if call.kind == "unread":
                    time.sleep(0.005)
                if call.is_over:
                    break  # as gRPC does; what waits ends with the generator
            return "ANSWERED"

        def look() -> None:
            while not over.is_set():
                lobby.look()
                assert lobby.in_progress <= CALLS

        looking = [threading.Thread(target=look, daemon=True) for _ in range(2)]
        for thread in looking:
            thread.start()
        outcomes: list[Future[str]] = []
        for call in calls:
            if call.kind in ("prompt", "unread"):
                call.send(b"request")
            outcomes.append(lobby.pool.submit(serve, call))
            if call.kind == "slow":
                time.sleep(random.choice((0, 0.0005, 0.001)))
                call.send(b"request")
            elif call.kind == "empty":
                call.send(None)
            elif call.kind == "given up":
                time.sleep(random.choice((0, 0.0005)))
                call.give_up()
        found = [outcome.result(SECONDS) for outcome in outcomes]
        assert eventually(lambda: (lobby.pool.unfinished, lobby.in_progress, lobby.pool.has_backlog) == (0, 0, False))
        over.set()
        for thread in looking:
            thread.join(SECONDS)
        assert not any(thread.is_alive() for thread in looking)
    allowed = {
        **{kind: {"ANSWERED", "CANCELLED", "GONE"} for kind in ("prompt", "slow", "unread")},
        "empty": {"UNIMPLEMENTED", "CANCELLED", "GONE"},
        "given up": {"CANCELLED", "GONE"},
        "silent": {"CANCELLED", "GONE"},
    }
    assert not [(call.kind, each) for call, each in zip(calls, found, strict=True) if each not in allowed[call.kind]]
    assert told == {call: call.cancellations for call in calls if call.cancellations}
    assert {call for call in calls if call.kind == "silent"} <= {*told}
    assert not too_many
    assert (lobby.has_waiting, lobby.pool._lent, lobby.pool._staying <= THREADS + 1) == (False, 0, True)
    together = threading.Barrier(THREADS + 1)
    for task in [lobby.pool.submit(together.wait, SECONDS) for _ in range(THREADS + 1)]:
        task.result(2 * SECONDS)
    lobby.pool.shutdown()
    assert not [thread for thread in threading.enumerate() if thread.name == NAME]
