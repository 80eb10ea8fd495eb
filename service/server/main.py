"""The process: settings, start, signals, end."""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from service.server.adapter import ArbiterImplementation, Implementation
from service.server.log import forward_other_libraries, make_log
from service.server.server import BindError, start_arbiter, start_server
from service.server.servers import Servers
from service.server.settings import Settings, SettingsError, load_settings
from service.server.signals import StopSignals

EXIT_STOPPED = 0
EXIT_CALLS_CUT_OFF = 1
EXIT_CANNOT_START = 2
# gRPC hands out calls, and refuses them, on a thread of its own that asks for the interpreter several times a call. By
# default it waits up to 5 ms each time while others work, and calls that nobody has seen yet pile up before it.
_SWITCH_SECONDS = 0.0001
_SETTLE_SECONDS = 0.1  # refused clients are told, and wait before they try again
_LOOK_AGAIN_SECONDS = 0.02


def run(compose: Callable[[Settings], Implementation] | None = None) -> int:
    """Serve until told to stop; the exit code of the process."""
    signals = StopSignals()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        settings = load_settings()
        log = make_log(sys.stderr, settings.log_level, settings.log_format)
        forward_other_libraries(log)
        servers = _start(settings, (compose or build_implementation)(settings), log)
    except (SettingsError, BindError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_CANNOT_START
    _announce(settings, servers, log)
    _wait_and_stop(servers, settings, signals, log)
    return _leave(servers, log)


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


def _start(settings: Settings, implementation: Implementation, log: FilteringBoundLogger) -> Servers:
    """Start all servers or, where one cannot listen, none."""
    game = start_server(settings, implementation, log)
    if settings.arbiter_port is None:
        return Servers(game)
    try:
        return Servers(game, start_arbiter(settings, build_arbiter(settings), log))
    except BindError:
        game.stop(None)
        game.close()
        raise


def _announce(settings: Settings, servers: Servers, log: FilteringBoundLogger) -> None:
    if settings.has_ephemeral_key:
        log.warning(
            "ephemeral key",
            advice="Development mode without a key: every state dies with this process. Set BURRACO_SEALING_KEY.",
        )
    ports = {"port": servers.game.port}
    announced: dict[str, object] = {"event": "listening", "host": settings.host, **ports}
    if servers.arbiter:
        log.warning("arbiter", advice="ArbiterService is on: whoever may call it sees every card.")
        ports["arbiter_port"] = servers.arbiter.port
        announced |= {"arbiter_host": settings.arbiter_host, "arbiter_port": servers.arbiter.port}
    log.info("started", **ports, settings=settings.masked())
    # A parent that let the port be chosen reads it here; it may close the pipe at once.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(announced) + "\n")
        sys.stdout.flush()


def _wait_and_stop(servers: Servers, settings: Settings, signals: StopSignals, log: FilteringBoundLogger) -> None:
    first = signals.get()
    log.info("stopping", signal=first and first.name)
    servers.stop_serving()
    second = signals.get(settings.drain_seconds) or _end_calls(servers, settings.grace_seconds, signals)
    if second is not None:
        log.warning("stopping at once", signal=second.name)
        servers.stop(None)


def _end_calls(servers: Servers, grace_seconds: float, signals: StopSignals) -> signal.Signals | None:
    """Let calls come to their end within the grace, and stop; the signal that interrupted it, if one did."""
    end = time.monotonic() + grace_seconds
    servers.refuse_calls()
    second = signals.get(_SETTLE_SECONDS)
    while second is None and servers.calls_in_progress and time.monotonic() < end:
        second = signals.get(_LOOK_AGAIN_SECONDS)
    if second is None:
        over = servers.stop(max(end - time.monotonic(), 0.0))
        while second is None and not over.is_set():
            second = signals.get(_LOOK_AGAIN_SECONDS)
    return second


def _leave(servers: Servers, log: FilteringBoundLogger) -> int:
    running = servers.close()
    log.info("stopped", calls_cut_off=running)
    if not running:
        return EXIT_STOPPED
    # Python would wait for the threads of these calls, and nobody waits for their answers.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(EXIT_CALLS_CUT_OFF)
