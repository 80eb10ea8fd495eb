"""What runs first: it decides between one process and several."""

import os
import sys
from typing import TYPE_CHECKING

from service.server import exit_codes
from service.server.log import make_log
from service.server.settings import Settings, SettingsError, load_settings
from service.server.signals import StopSignals
from service.server.supervisor import supervise
from service.server.worker import CHANNEL_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.server.adapter import Implementation


def launch(compose: "Callable[[Settings], Implementation] | None" = None) -> int:
    """Serve until told to stop, in one process or in several; the exit code of this one."""
    signals = StopSignals()
    if CHANNEL_VARIABLE not in os.environ:
        try:
            settings = load_settings()
        except SettingsError as error:
            sys.stderr.write(f"{error}\n")
            return exit_codes.CANNOT_START
        if settings.process_count > 1:
            log = make_log(sys.stderr, settings.log_level, settings.log_format)
            return supervise(settings, signals, log)
    from service.server.main import run  # noqa: PLC0415 - a parent never loads gRPC's server

    return run(compose, signals)
