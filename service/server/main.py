"""The process: settings, start, signals, end."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from structlog.typing import FilteringBoundLogger

from service.server import exit_codes
from service.server.adapter import ArbiterImplementation, Implementation
from service.server.keys import EPHEMERAL_KEY_ADVICE
from service.server.listening import BindError, announce
from service.server.log import forward_other_libraries, make_log
from service.server.native import TransportError
from service.server.server import start_admin, start_arbiter, start_server
from service.server.servers import AllOver, Servers
from service.server.settings import Settings, SettingsError, load_settings
from service.server.signals import Signals, StopSignals
from service.server.telemetry import Telemetry, start_telemetry
from service.server.worker import Orders, Ready, Worker, WorkerError, this_worker

# gRPC hands out calls, and refuses them, on a thread of its own that asks for the interpreter several times a call. By
# default it waits up to 5 ms each time while others work, and calls that nobody has seen yet pile up before it.
_SWITCH_SECONDS = 0.0001
_SETTLE_SECONDS = 0.1  # refused clients are told, and wait before they try again
_LOOK_AGAIN_SECONDS = 0.02
_LAST_SECONDS = 2.0


def run(compose: Callable[[Settings], Implementation] | None = None, stop_signals: StopSignals | None = None) -> int:
    """Serve in this process until told to stop; the exit code of the process."""
    stop_signals = stop_signals or StopSignals()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        worker = this_worker(os.environ)
        settings = load_settings(worker and worker.job)
        log = make_log(sys.stderr, settings.log_level, settings.log_format)
        if worker:
            log = log.bind(worker=settings.worker, pid=os.getpid())
        forward_other_libraries(log)
        telemetry = start_telemetry(settings, log)
        servers = _start(settings, (compose or build_implementation)(settings), log, telemetry)
    except (SettingsError, BindError, TransportError, WorkerError) as error:
        sys.stderr.write(f"{error}\n")
        return exit_codes.CANNOT_START
    signals = Orders(stop_signals, worker.channel) if worker else stop_signals
    _announce(settings, servers, telemetry, worker, log)
    is_over = _wait_and_stop(servers, settings, signals, log)
    return _leave(servers, telemetry, log, is_over=is_over)


def build_implementation(settings: Settings) -> Implementation:
    """Put the servicers together."""
    # Imported late: settings are checked, and refused, before the rules build their tables.
    from service.api.game_service import GameService  # noqa: PLC0415
    from service.api.seat_tokens import Issuer  # noqa: PLC0415
    from service.wire.sealing import Sealer  # noqa: PLC0415
    from service.wire.state_codec import StateCodec  # noqa: PLC0415

    sealer = Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes)
    issuer = Issuer(settings.token_keys, settings.seat_token_seconds)
    return GameService(sealer, issuer, StateCodec(settings.state_version))


def build_arbiter(settings: Settings) -> ArbiterImplementation:
    """Put the arbiter together."""
    from service.api.arbiter_service import ArbiterService  # noqa: PLC0415  # as above
    from service.wire.sealing import Sealer  # noqa: PLC0415
    from service.wire.state_codec import StateCodec  # noqa: PLC0415

    sealer = Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes)
    return ArbiterService(sealer, StateCodec(settings.state_version))


def _start(
    settings: Settings, implementation: Implementation, log: FilteringBoundLogger, telemetry: Telemetry
) -> Servers:
    """Start all servers or, where one cannot listen, none."""
    servers = Servers(start_server(settings, implementation, log, telemetry))
    try:
        if settings.arbiter_port is not None and not settings.worker:
            servers = replace(servers, arbiter=start_arbiter(settings, build_arbiter(settings), log, telemetry))
        if settings.admin_port is not None:
            servers = replace(servers, admin=start_admin(settings, log))
    except BindError:
        servers.stop(None)
        servers.close()
        raise
    return servers


def _announce(
    settings: Settings, servers: Servers, telemetry: Telemetry, worker: Worker | None, log: FilteringBoundLogger
) -> None:
    if settings.has_ephemeral_key:
        log.warning("ephemeral key", advice=EPHEMERAL_KEY_ADVICE)
    ports = {"port": servers.game.port}
    if servers.arbiter:
        log.warning("arbiter", advice="ArbiterService is on: whoever may call it sees every card.")
        ports["arbiter_port"] = servers.arbiter.port
    more: dict[str, object] = {}
    if servers.admin:
        ports["admin_port"] = servers.admin.port
        more |= {"admin_host": settings.admin_host, "admin_port": servers.admin.port}
    if telemetry.metrics_port:
        ports["metrics_port"] = telemetry.metrics_port.port
        more |= {"metrics_host": settings.metrics_host, "metrics_port": telemetry.metrics_port.port}
    log.info("started", **ports, settings=settings.masked())
    if worker:
        worker.tell_ready(Ready(**ports))
    else:
        announce(settings.host, servers.game.port, settings.arbiter_host, ports.get("arbiter_port"), more)


def _wait_and_stop(servers: Servers, settings: Settings, signals: Signals, log: FilteringBoundLogger) -> bool:
    """Serve until told to stop, and stop; False where that was cut short and gRPC still waits for a connection."""
    first = signals.get()
    log.info("stopping", signal=first and first.name)
    servers.stop_serving()
    second = signals.get(settings.drain_seconds) or _end_calls(servers, settings.grace_seconds, signals)
    if second is None:
        return True
    log.warning("stopping at once", signal=second.name)
    # Without a grace of its own gRPC would not come back from here before every connection has ended.
    over = servers.stop(0.0)
    _wait_for(over, time.monotonic() + _LAST_SECONDS, signals)
    return over.is_set()


def _end_calls(servers: Servers, grace_seconds: float, signals: Signals) -> signal.Signals | None:
    """Let calls come to their end within the grace, and stop; the signal that interrupted it, if one did."""
    end = time.monotonic() + grace_seconds
    servers.refuse_calls()
    second = signals.get(_SETTLE_SECONDS)
    while second is None and servers.calls_in_progress and time.monotonic() < end:
        second = signals.get(_LOOK_AGAIN_SECONDS)
    if second is None:
        over = servers.stop(max(end - time.monotonic(), 0.0))
        # A connection whose client has stopped reading is over for gRPC only when keepalive has noticed.
        second = _wait_for(over, end + _LAST_SECONDS, signals)
    return second


def _wait_for(over: AllOver, end: float, signals: Signals) -> signal.Signals | None:
    """Wait until gRPC has come to its end, or the time has; the signal that interrupted it, if one did."""
    interruption = None
    while interruption is None and not over.is_set() and time.monotonic() < end:
        interruption = signals.get(_LOOK_AGAIN_SECONDS)
    return interruption


def _leave(servers: Servers, telemetry: Telemetry, log: FilteringBoundLogger, *, is_over: bool) -> int:
    running = servers.close()
    telemetry.close()
    log.info("stopped", calls_cut_off=running)
    if is_over and not running:
        return exit_codes.STOPPED
    # Calls that run still have threads, which Python must not end under gRPC, and nobody waits for their answers. And a
    # grace that was cut short has a thread of gRPC, which Python would wait for.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(exit_codes.CALLS_CUT_OFF if running else exit_codes.STOPPED)
