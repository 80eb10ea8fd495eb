"""Metrics and traces of a process: what the settings turn on, from the start to the end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from google.protobuf.descriptor import ServiceDescriptor
from structlog.typing import FilteringBoundLogger

from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE
from service.server.observing import Observer, Observers
from service.server.settings import PREFIX, Settings, SettingsError
from service.wire import versions

if TYPE_CHECKING:
    from service.server.metrics import Metrics
    from service.server.metrics_port import MetricsPort

_PACKAGE: Final = "burraco-service"
METHODS: Final = tuple(
    f"/{service.full_name}/{rpc.name}" for service in (GAME_SERVICE, ARBITER_SERVICE) for rpc in service.methods
)


@dataclass(frozen=True)
class Telemetry:
    """What watches the calls of a process; by default nothing does."""

    observers: Observers = field(default_factory=Observers)
    metrics: "Metrics | None" = None
    metrics_port: "MetricsPort | None" = None
    closing: tuple[Callable[[], None], ...] = ()
    """What is done at the end."""

    def watch_calls(self, service: ServiceDescriptor, in_progress: Callable[[], int], limit: int) -> None:
        """Let the metrics tell how many calls a service has in progress."""
        if self.metrics:
            self.metrics.watch_calls(service.full_name, in_progress, limit)

    def watch_streams(self, service: ServiceDescriptor, are_open: Callable[[], int], limit: int) -> None:
        """Let the metrics tell how many streams a service has open."""
        if self.metrics:
            self.metrics.watch_streams(service.full_name, are_open, limit)

    def watch_certificate(self, expires_at: Callable[[], float]) -> None:
        """Let the metrics tell when the certificate in use ends, in Unix time."""
        if self.metrics:
            self.metrics.watch_certificate(expires_at)

    def close(self) -> None:
        """Answer no more requests for metrics, and send the last spans."""
        for close in self.closing:
            close()


NO_TELEMETRY: Final = Telemetry()


def start_telemetry(settings: Settings, log: FilteringBoundLogger) -> Telemetry:
    """Start what the settings turn on; SettingsError for what cannot be.

    Each process has metrics of its own, on a port of its own.
    """
    observers: list[Observer] = []
    closing: list[Callable[[], None]] = []
    metrics = metrics_port = None
    if settings.tracing_endpoint:
        tracing, close = _tracing(settings, settings.tracing_endpoint)
        observers.append(tracing)
        closing.append(close)
    if settings.metrics_port is not None:
        metrics = _metrics(settings)
        metrics_port = _listen(settings.metrics_host, settings.metrics_port, metrics)
        observers.append(metrics)
        closing.append(metrics_port.close)
    return Telemetry(Observers(observers, log), metrics, metrics_port, tuple(closing))


def _tracing(settings: Settings, endpoint: str) -> tuple[Observer, Callable[[], None]]:
    try:
        from service.server.tracing import Tracing, otlp  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise SettingsError(
            f"{PREFIX}TRACING is set, but what sends traces is not installed: install burraco-service[tracing], or "
            f"unset it."
        ) from None
    tracing = Tracing(otlp(endpoint), settings.tracing_ratio, _version())
    return tracing, tracing.close


def _metrics(settings: Settings) -> "Metrics":
    from service.server.metrics import Build, Metrics  # noqa: PLC0415 - slow to import, and often off
    from service.wire.state_codec import StateCodec  # noqa: PLC0415 - settings are refused before the rules are there

    read = f"{versions.OLDEST_VERSION}-{versions.NEWEST_VERSION}"
    revision = StateCodec(settings.state_version).new_matches.revision
    return Metrics(METHODS, Build(_version(), str(settings.state_version), read, str(revision)))


def _listen(host: str, port: int, metrics: "Metrics") -> "MetricsPort":
    from service.server.metrics_port import MetricsPort  # noqa: PLC0415 - see _metrics

    try:
        return MetricsPort(host, port, metrics.registry)
    except (OSError, OverflowError):
        raise SettingsError(
            f"Cannot listen on {host} port {port} for metrics: set {PREFIX}METRICS_PORT to a free port (0 takes any; "
            f"each worker takes the next one), and {PREFIX}METRICS_HOST to an address of this machine."
        ) from None


def _version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:  # run from its source
        return "unknown"
