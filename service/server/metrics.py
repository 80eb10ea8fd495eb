"""Metrics of the process, for Prometheus. Labels are names of RPCs and enums only, so there is an end to the series."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from burraco.v1 import reasons_pb2, rules_pb2
from service.server.observing import Finished

_REASONS: Final[Mapping[int, str]] = {value.number: value.name for value in reasons_pb2.Reason.DESCRIPTOR.values}
_GAMES: Final[Mapping[int, str]] = {value.number: value.name for value in rules_pb2.Game.DESCRIPTOR.values}
_OTHER: Final = "other"
_SEAL_REASONS: Final[frozenset[int]] = frozenset(
    (
        *(reasons_pb2.REASON_STATE_MALFORMED, reasons_pb2.REASON_STATE_SEAL_BROKEN),
        *(reasons_pb2.REASON_STATE_KEY_UNKNOWN, reasons_pb2.REASON_SEED_MALFORMED),
    )
)
_NOT_TAKEN_ON: Final = (
    reasons_pb2.REASON_OVERLOADED,
    reasons_pb2.REASON_SHUTTING_DOWN,
    reasons_pb2.REASON_STREAM_IDLE,
)
"""Calls that nobody worked on: the more there are, the quicker all would seem."""
_RULES_BUCKETS: Final = (0.00001, 0.000025, 0.00005)
_CALL_BUCKETS: Final = (
    *(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)


class Spec(NamedTuple):
    """What a metric is; docs/observability.md has the same table."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str


CALLS: Final = Spec(
    "burraco_calls_total", "counter", ("method", "code"), "Calls that ended, with the code that the caller saw."
)
CALL_SECONDS: Final = Spec(
    "burraco_call_seconds", "histogram", ("method",), "Time from when a thread took a call on to its answer."
)
RULES_SECONDS: Final = Spec("burraco_rules_seconds", "histogram", ("method",), "Of that time, what the rules took.")
REJECTIONS: Final = Spec(
    "burraco_rejections_total",
    "counter",
    ("game", "reason"),
    "Reasons in answers that are OK: why a move is illegal, or a selection no meld.",
)
FAILURES: Final = Spec("burraco_failures_total", "counter", ("reason",), "Failed calls by the reason in their status.")
SEAL_FAILURES: Final = Spec(
    "burraco_seal_failures_total", "counter", ("reason",), "Calls with a sealed state or seed that did not open."
)
OVERLOAD: Final = Spec(
    "burraco_overload_refusals_total", "counter", ("method",), "Calls refused because too many were in progress."
)
IN_PROGRESS: Final = Spec("burraco_calls_in_progress", "gauge", ("service",), "Calls that run or wait for a thread.")
LIMIT: Final = Spec(
    "burraco_calls_in_progress_limit",
    "gauge",
    ("service",),
    "Calls in progress that make an overload, which refuses more.",
)
STREAMS: Final = Spec(
    "burraco_streams_total", "counter", ("method", "code"), "Streams that ended; each of their messages is a call."
)
STREAMS_OPEN: Final = Spec("burraco_streams_open", "gauge", ("service",), "Streams that are open.")
STREAMS_LIMIT: Final = Spec(
    "burraco_streams_open_limit", "gauge", ("service",), "Open streams from which on more are refused."
)
CERTIFICATE: Final = Spec(
    "burraco_certificate_expiry_timestamp_seconds", "gauge", (), "When the server's certificate ends, in Unix time."
)
BUILD: Final = Spec(
    "burraco_build_info",
    "gauge",
    ("version", "state_version_written", "state_versions_read", "rules_revision"),
    "Always 1; what this process is.",
)
SPECS: Final = (
    *(CALLS, CALL_SECONDS, RULES_SECONDS, REJECTIONS, FAILURES, SEAL_FAILURES, OVERLOAD),
    *(IN_PROGRESS, LIMIT, STREAMS, STREAMS_OPEN, STREAMS_LIMIT, CERTIFICATE, BUILD),
)

M = TypeVar("M", Counter, Histogram)


class Build(NamedTuple):
    """What a process is."""

    version: str
    state_version_written: str
    state_versions_read: str
    rules_revision: str


class Metrics:
    """The metrics of a process; counts each call that it is told of."""

    def __init__(self, methods: Iterable[str], build: Build) -> None:
        """Make the series of the methods, each as gRPC has it."""
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series beside each, which nothing here asks for
        self.registry = CollectorRegistry()
        self._rpcs = {method: method.rpartition("/")[2] for method in methods}
        self._calls = _Series(_counter(CALLS, self.registry))
        self._call_seconds = _Series(_histogram(CALL_SECONDS, _CALL_BUCKETS, self.registry))
        self._rules_seconds = _Series(_histogram(RULES_SECONDS, _RULES_BUCKETS + _CALL_BUCKETS, self.registry))
        self._rejections = _Series(_counter(REJECTIONS, self.registry))
        self._failures = _Series(_counter(FAILURES, self.registry))
        self._seal_failures = _Series(_counter(SEAL_FAILURES, self.registry))
        self._overload = _Series(_counter(OVERLOAD, self.registry))
        self._streams = _Series(_counter(STREAMS, self.registry))
        self._live = _Live(build)
        self.registry.register(self._live)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._begin_at_zero()

    def tell(self, finished: Finished) -> None:
        """Count a call."""
        call = finished.call
        rpc = self._rpcs.get(finished.method, _OTHER)
        if finished.messages is not None:
            self._streams.of(rpc, finished.code).inc()
        else:
            self._calls.of(rpc, finished.code).inc()
            if call.failure not in _NOT_TAKEN_ON:
                self._call_seconds.of(rpc).observe(finished.nanoseconds / 1e9)
        if call.rules_nanoseconds:
            self._rules_seconds.of(rpc).observe(call.rules_nanoseconds / 1e9)
        if call.failure is None:
            if call.reasons:
                game = _GAMES.get(call.game or 0, _OTHER)
                for reason in dict.fromkeys(call.reasons):
                    self._rejections.of(game, _REASONS.get(reason, _OTHER)).inc()
            return
        self._failures.of(_REASONS.get(call.failure, _OTHER)).inc()
        for reason in set(call.reasons):
            if reason in _SEAL_REASONS:
                self._seal_failures.of(_REASONS[reason]).inc()
        if call.failure == reasons_pb2.REASON_OVERLOADED:
            self._overload.of(rpc).inc()

    def watch_calls(self, service: str, in_progress: Callable[[], int], limit: int) -> None:
        """Tell how many calls a service has in progress whenever somebody asks."""
        self._live.services[service] = (in_progress, limit)

    def watch_streams(self, service: str, are_open: Callable[[], int], limit: int) -> None:
        """Tell how many streams a service has open whenever somebody asks."""
        self._live.streams[service] = (are_open, limit)

    def watch_certificate(self, expires_at: Callable[[], float]) -> None:
        """Tell when the certificate ends, in Unix time, whenever somebody asks."""
        self._live.certificate = expires_at

    def _begin_at_zero(self) -> None:
        # A series that begins with its first event hides that event from a rate.
        for rpc in self._rpcs.values():
            self._calls.of(rpc, "OK")
            self._overload.of(rpc)
        for reason in _SEAL_REASONS:
            self._seal_failures.of(_REASONS[reason])
        for reason in (*_SEAL_REASONS, reasons_pb2.REASON_INTERNAL, reasons_pb2.REASON_STATE_AUDIT_FAILED):
            self._failures.of(_REASONS[reason])


class _Series(Generic[M]):
    """The series of a metric, found by their labels in a tenth of the time that the library takes."""

    def __init__(self, metric: M) -> None:
        self._metric: M = metric
        self._known: dict[tuple[str, ...], M] = {}

    def of(self, *labels: str) -> M:
        """Find the series, or make it."""
        series = self._known.get(labels)
        if series is None:
            series = self._known[labels] = self._metric.labels(*labels)
        return series


class _Live(Collector):
    """What is looked up when somebody asks, and costs the calls nothing."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self.services: dict[str, tuple[Callable[[], int], int]] = {}
        self.streams: dict[str, tuple[Callable[[], int], int]] = {}
        self.certificate: Callable[[], float] | None = None

    def collect(self) -> Iterable[Metric]:
        progress, limits, build, certificate = map(_gauge, (IN_PROGRESS, LIMIT, BUILD, CERTIFICATE))
        streams, streams_limits = map(_gauge, (STREAMS_OPEN, STREAMS_LIMIT))
        watched = ((self.services, progress, limits), (self.streams, streams, streams_limits))
        for counts, gauge, limit_gauge in watched:
            for service, (count, limit) in list(counts.items()):
                gauge.add_metric([service], count())
                limit_gauge.add_metric([service], limit)
        build.add_metric(self._build, 1)
        if self.certificate is not None:
            certificate.add_metric([], self.certificate())
        return progress, limits, streams, streams_limits, build, certificate


def _counter(spec: Spec, registry: CollectorRegistry) -> Counter:
    return Counter(spec.name, spec.meaning, spec.labels, registry=registry)


def _histogram(spec: Spec, buckets: tuple[float, ...], registry: CollectorRegistry) -> Histogram:
    return Histogram(spec.name, spec.meaning, spec.labels, buckets=buckets, registry=registry)


def _gauge(spec: Spec) -> GaugeMetricFamily:
    return GaugeMetricFamily(spec.name, spec.meaning, labels=spec.labels)
