"""What several threads share, whoever comes first: streams that end in several ways at once, rations, reports."""

import io
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import cast

import grpc
import pytest

from service.api.call import Call
from service.server import calls as calls_module
from service.server import observing as observing_module
from service.server import streams as streams_module
from service.server.calls import Ration, Send
from service.server.log import make_log
from service.server.observing import Finished, Observers
from service.server.streams import _Stream
from tests.server.hurry import hurried
from tests.server.stub import SECONDS

TIMES = 200
THREADS = 4


def all_at_once(*works: Callable[[], None]) -> None:
    """Do several things on a thread each."""
    together = threading.Barrier(len(works))

    def do(work: Callable[[], None]) -> None:
        together.wait(SECONDS)
        work()

    threads = [threading.Thread(target=do, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in threads)


class FakeContext:
    """Of a call that goes on until it is cancelled; it counts what is done to it."""

    def __init__(self) -> None:
        self.done = Counter[str]()

    def is_active(self) -> bool:
        return not self.done["cancel"]

    def time_remaining(self) -> float:
        return SECONDS

    def cancel(self) -> None:
        self.done["cancel"] += 1

    def set_code(self, _code: grpc.StatusCode) -> None:
        self.done["code"] += 1

    def set_details(self, _details: str) -> None:
        self.done["details"] += 1

    def set_trailing_metadata(self, _metadata: object) -> None:
        self.done["trailing"] += 1


@pytest.mark.parametrize("messages", [0, 1, 3])
def test_a_stream_ends_once(messages: int) -> None:
    """Its client ends it while the server closes and it is idle: it has one end, of which the client is told once."""
    with hurried(streams_module):
        for _ in range(TIMES // 2):
            context, sent = FakeContext(), Counter[bool]()

            def send(answer: bytes | None, sent: Counter[bool] = sent) -> None:
                sent[answer is None] += 1

            stream = _Stream(Call(), cast("grpc.ServicerContext", context), send)

            def serve(stream: _Stream = stream, send: Send = send) -> None:
                for _ in range(messages):
                    if not stream.take() or not stream.answer(b""):
                        break
                if stream.end(None):
                    send(None)

            all_at_once(serve, stream.close, partial(stream.expire, 0.0))
            assert stream.code in {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"}
            assert sent[True] + context.done["cancel"] == 1
            assert context.done["trailing"] == sent[True]
            assert context.done["code"] == (stream.code in {"UNAVAILABLE", "DEADLINE_EXCEEDED"})
            assert len(stream.reasons) == (stream.code != "OK")


def test_a_ration_is_one_however_many_take_of_it() -> None:
    """Refused calls and late ones are told of on several threads."""
    with hurried(calls_module):
        for _ in range(TIMES // 4):
            ration, taken = Ration(3, lambda: 100.0), Counter[bool]()

            def take(ration: Ration = ration, taken: Counter[bool] = taken) -> None:
                for _ in range(3):
                    taken[ration.take()] += 1

            all_at_once(*[take] * THREADS)
            assert taken[True] == 3


def test_an_observer_that_fails_on_several_threads_is_reported_once() -> None:
    """The first failure is the one that counts."""

    class Failing:
        def tell(self, _finished: Finished) -> None:
            raise ZeroDivisionError

    with hurried(observing_module):
        for _ in range(TIMES // 4):
            log = io.StringIO()
            observers = Observers([Failing()], make_log(log, "info", "json"))
            finished = Finished("", "OK", Call(), (), 0)
            all_at_once(*[partial(observers.tell, finished)] * THREADS)
            assert len(log.getvalue().splitlines()) == 1
