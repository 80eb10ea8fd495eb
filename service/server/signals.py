"""Signals that ask the process to stop, as a queue that the main thread waits on."""

import os
import select
import signal
from types import FrameType
from typing import Protocol

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Signals(Protocol):
    """Where signals to stop come from."""

    def get(self, timeout_seconds: float | None = None) -> signal.Signals | None:
        """Wait for the next one; None when the time is up first."""


class StopSignals:
    """The signals to stop that have come since this was made; made once, in the main thread.

    Python runs a handler only between two steps of the main thread: a signal that comes right before that thread goes
    to sleep would wake nobody. The byte that Python's own C handler writes to a pipe is never missed.
    """

    def __init__(self) -> None:
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, _do_nothing_more)

    def fileno(self) -> int:
        """What to wait on for the next one, beside other things."""
        return self._reader

    def get(self, timeout_seconds: float | None = None) -> signal.Signals | None:
        """Wait for the next one; None when the time is up first."""
        readable, _, _ = select.select([self._reader], [], [], timeout_seconds)
        return signal.Signals(os.read(self._reader, 1)[0]) if readable else None


def _do_nothing_more(_number: int, _frame: FrameType | None) -> None:
    """Stand in for the default action, which would end the process."""
