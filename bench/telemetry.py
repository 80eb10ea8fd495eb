"""What metrics and traces take of a call: `python -m bench.telemetry`, with nobody who takes the spans."""

from collections.abc import Callable
from typing import Final

from opentelemetry.sdk.trace import SpanProcessor

from bench.timing import best_microseconds, row
from burraco.v1 import reasons_pb2, rules_pb2, views_pb2
from service.api.authority import BACK_END
from service.api.call import Call
from service.server.metrics import Build, Metrics
from service.server.observing import Finished, Metadata, Observer, Observers
from service.server.telemetry import METHODS
from service.server.tracing import TRACE_PARENT_METADATA, Tracing

TIMES: Final = 5_000
METHOD: Final = next(method for method in METHODS if method.endswith("/ApplyMoves"))
TRACED: Final = ((TRACE_PARENT_METADATA, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),)


def answered(metadata: Metadata = ()) -> Finished:
    """A move that was played."""
    call = Call(caller=BACK_END, request_id="0123456789abcdef", rules_nanoseconds=20_000)
    call.note(game=rules_pb2.GAME_BURRACO, phase=views_pb2.PHASE_DRAW)
    return Finished(METHOD, "OK", call, metadata, 300_000)


def rejected() -> Finished:
    """A move that was refused."""
    finished = answered()
    finished.call.note(reasons=[reasons_pb2.REASON_NOT_YOUR_TURN])
    return finished


def cost(observer: Observer | None, make: Callable[[], Finished]) -> float:
    """Microseconds of telling it of a call; the making of what is told is taken off by the caller."""
    observers = Observers(() if observer is None else (observer,))
    return best_microseconds(lambda: observers.tell(make()), TIMES)


def main() -> None:
    """Print times."""
    metrics = Metrics(METHODS, Build("bench", "1", "1-1", "1"))
    for name, observer, make in (
        ("metrics: a move that was played", metrics, answered),
        ("metrics: a move that was refused", metrics, rejected),
        ("tracing: a call that is not sampled", Tracing(SpanProcessor(), 0.0, "bench"), answered),
        ("tracing: a call that is", Tracing(SpanProcessor(), 1.0, "bench"), answered),
        ("tracing: a call of a caller's trace", Tracing(SpanProcessor(), 0.0, "bench"), lambda: answered(TRACED)),
    ):
        base = cost(None, make)
        print(row(name, cost(observer, make) - base, base))


if __name__ == "__main__":
    main()
