"""Metrics and traces that a test looks at."""

from dataclasses import dataclass, field
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest

from burraco.v1 import reasons_pb2, rules_pb2
from service.api.call import Call
from service.server.metrics import Build, Metrics
from service.server.observing import Finished, Observer, Observers
from service.server.telemetry import METHODS, Telemetry
from service.server.tracing import Tracing

BUILD = Build("1.2.3", "1", "1-1", "1")


@dataclass
class Watch:
    """All that watches calls in a process, at the hand of a test."""

    ratio: float = 1.0
    more: tuple[Observer, ...] = ()
    """Others who watch, before the two."""
    metrics: Metrics = field(default_factory=lambda: Metrics(METHODS, BUILD))
    exporter: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    telemetry: Telemetry = field(init=False)

    def __post_init__(self) -> None:
        tracing = Tracing(SimpleSpanProcessor(self.exporter), self.ratio, "1.2.3")
        self.telemetry = Telemetry(Observers((*self.more, self.metrics, tracing)), self.metrics)

    def value(self, name: str, **labels: str) -> float | None:
        """The value of a series; None where there is none."""
        return self.metrics.registry.get_sample_value(name, labels)

    def total(self, name: str) -> float:
        """The sum of the series of a sample's name."""
        families = self.metrics.registry.collect()
        return sum(sample.value for family in families for sample in family.samples if sample.name == name)

    def exposition(self) -> str:
        """What Prometheus is told."""
        return generate_latest(self.metrics.registry).decode()

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        """The spans that came."""
        return self.exporter.get_finished_spans()

    @property
    def attributes(self) -> list[dict[str, Any]]:
        """What each span says."""
        return [dict(span.attributes or {}) for span in self.spans]


def watch_everything() -> Watch:
    """What watches a process in which everything that is measured has happened once."""
    watch = Watch()
    watch.metrics.watch_certificate(lambda: 4e9)
    watch.metrics.watch_calls("a", lambda: 1, 2)
    watch.metrics.watch_streams("a", lambda: 1, 2)
    call = Call(game=rules_pb2.GAME_GIN, reasons=[reasons_pb2.REASON_PILE_EMPTY], rules_nanoseconds=1)
    watch.metrics.tell(Finished(METHODS[0], "OK", call, (), 1))
    watch.metrics.tell(Finished(METHODS[0], "OK", Call(), (), 1, messages=1))
    return watch
