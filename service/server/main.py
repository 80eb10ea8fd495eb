"""The process: settings, start, signals, end."""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from service.server.adapter import Implementation
from service.server.log import forward_other_libraries, make_log
from service.server.server import BindError, Server, start_server
from service.server.settings import Settings, SettingsError, load_settings
from service.server.signals import StopSignals

EXIT_STOPPED = 0
EXIT_CALLS_CUT_OFF = 1
EXIT_CANNOT_START = 2
_SETTLE_SECONDS = 0.1  # refused clients are told, and wait before they try again
_LOOK_AGAIN_SECONDS = 0.02


def run(compose: Callable[[Settings], Implementation] | None = None) -> int:
    """Serve until told to stop; the exit code of the process."""
    signals = StopSignals()
    try:
        settings = load_settings()
        log = make_log(sys.stderr, settings.log_level, settings.log_format)
        forward_other_libraries(log)
        server = start_server(settings, (compose or build_implementation)(settings), log)
    except (SettingsError, BindError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_CANNOT_START
    _announce(settings, server.port, log)
    _wait_and_stop(server, settings, signals, log)
    return _leave(server, log)


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


def _announce(settings: Settings, port: int, log: FilteringBoundLogger) -> None:
    if settings.has_ephemeral_key:
        log.warning(
            "ephemeral key",
            advice="Development mode without a key: every state dies with this process. Set BURRACO_SEALING_KEY.",
        )
    log.info("started", port=port, settings=settings.masked())
    # A parent that let the port be chosen reads it here; it may close the pipe at once.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json.dumps({"event": "listening", "host": settings.host, "port": port}) + "\n")
        sys.stdout.flush()


def _wait_and_stop(server: Server, settings: Settings, signals: StopSignals, log: FilteringBoundLogger) -> None:
    first = signals.get()
    log.info("stopping", signal=first and first.name)
    server.stop_serving()
    second = signals.get(settings.drain_seconds) or _end_calls(server, settings.grace_seconds, signals)
    if second is not None:
        log.warning("stopping at once", signal=second.name)
        server.stop(None)


def _end_calls(server: Server, grace_seconds: float, signals: StopSignals) -> signal.Signals | None:
    """Let calls come to their end within the grace, and stop; the signal that interrupted it, if one did."""
    end = time.monotonic() + grace_seconds
    server.refuse_calls()
    second = signals.get(_SETTLE_SECONDS)
    while second is None and server.calls_in_progress and time.monotonic() < end:
        second = signals.get(_LOOK_AGAIN_SECONDS)
    if second is None:
        over = server.stop(max(end - time.monotonic(), 0.0))
        while second is None and not over.is_set():
            second = signals.get(_LOOK_AGAIN_SECONDS)
    return second


def _leave(server: Server, log: FilteringBoundLogger) -> int:
    running = server.close()
    log.info("stopped", calls_cut_off=running)
    if not running:
        return EXIT_STOPPED
    # Python would wait for the threads of these calls, and nobody waits for their answers.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(EXIT_CALLS_CUT_OFF)
