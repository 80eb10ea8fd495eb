"""A child process as its parent sees it: started, listened to, given orders, started again."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.server.worker import CHANNEL_VARIABLE, Job, Ready

_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 5.0
_STEADY_SECONDS: Final = 10.0
"""A child that lived as long is started again at once when it dies."""
_REAP_SECONDS: Final = 5.0
"""Its end of the channel is closed: it is all but dead."""


@dataclass
class Child:
    """One of the places for a child, with the process that fills it, if one does."""

    job: Job
    command: Sequence[str]
    process: "subprocess.Popen[bytes] | None" = None
    channel: socket.socket | None = None
    is_ready: bool = False
    failed_starts: int = 0
    """Processes in a row that ended before they were ready."""
    due: float = 0.0
    """When to start the next process, by the monotonic clock."""
    _short_lives: int = 0
    _started: float = 0.0
    _received: bytes = b""

    def start(self) -> socket.socket:
        """Start a process; the channel to listen to."""
        mine, its = socket.socketpair()
        with its:
            # A process group of its own: Ctrl-C in a terminal is for the parent, which passes it on once.
            self.process = subprocess.Popen(  # noqa: S603 - this very command
                self.command,
                env=os.environ | {CHANNEL_VARIABLE: str(its.fileno())},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                process_group=0,
            )
        with contextlib.suppress(OSError):
            mine.sendall(self.job.encode())
        mine.setblocking(False)  # noqa: FBT003 - its signature
        self.channel, self.is_ready, self._received, self._started = mine, False, b"", time.monotonic()
        return mine

    @property
    def pid(self) -> int | None:
        """Of the process, where there is one."""
        return self.process and self.process.pid

    @property
    def is_alive(self) -> bool:
        """Whether a process fills this place."""
        return self.process is not None

    def receive(self) -> bool:
        """Take in what the process has to say; false when it has gone."""
        assert self.channel is not None
        try:
            data = self.channel.recv(4096)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._received += data
        line, end, _ = self._received.partition(b"\n")
        if end and not self.is_ready:
            self.is_ready, self.failed_starts = True, 0
            # A process that takes this place later has to be found where this one was.
            self.job = self.job._replace(arbiter_port=Ready.decode(line).arbiter_port or self.job.arbiter_port)
        return bool(data)

    def order(self, number: signal.Signals) -> None:
        """Pass a signal to stop on."""
        if self.process is None or self.channel is None:
            return
        with contextlib.suppress(OSError):
            self.channel.send(bytes([number]))
        if not self.is_ready:  # it may be long before it listens to its parent, and nobody waits for it
            self.process.terminate()

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        if self.process is not None:
            self.process.kill()

    def bury(self) -> int:
        """Clean up after the process, which has gone; its exit code, negative for a signal that ended it."""
        assert self.process is not None
        assert self.channel is not None
        self.channel.close()
        try:
            code = self.process.wait(_REAP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process = self.channel = None
        self._plan_next()
        return code

    def _plan_next(self) -> None:
        now = time.monotonic()
        lived_long = self.is_ready and now - self._started >= _STEADY_SECONDS
        self._short_lives = 0 if lived_long else self._short_lives + 1
        self.failed_starts += not self.is_ready
        pause = 0.0 if lived_long else _FIRST_PAUSE_SECONDS * 2 ** (self._short_lives - 1)
        self.due = now + min(pause, _LONGEST_PAUSE_SECONDS)


def this_command() -> list[str]:
    """Give the command that this process was started with; no secret is ever in it."""
    return [sys.executable, *sys.orig_argv[1:]]
