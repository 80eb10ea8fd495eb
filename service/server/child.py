"""A child process as its parent sees it: started, listened to, given orders, started again."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from service.server.worker import CHANNEL_VARIABLE, Job, Ready

FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 5.0
STEADY_SECONDS: Final = 10.0
"""A child that lived as long is started again at once when it dies."""
_REAP_SECONDS: Final = 5.0
"""Its end of the channel is closed: it is all but dead."""


@dataclass(eq=False)
class Child:
    """A process, and the channel to it."""

    popen: "subprocess.Popen[bytes]"
    channel: socket.socket
    started: float = field(default_factory=time.monotonic)
    ready: Ready | None = None
    """What it told when it listened."""
    _received: bytes = b""

    @classmethod
    def start(cls, job: Job, command: Sequence[str]) -> Self:
        """Start a process and give it its job; OSError where the system gives none."""
        channel, its_end = socket.socketpair()
        with its_end, contextlib.ExitStack() as stack:
            stack.callback(channel.close)
            # A process group of its own: Ctrl-C in a terminal is for the parent, which passes it on once.
            popen = subprocess.Popen(  # noqa: S603 - the command of this very process
                command,
                env=os.environ | {CHANNEL_VARIABLE: str(its_end.fileno())},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its_end.fileno()],
                process_group=0,
            )
            stack.pop_all()
        with contextlib.suppress(OSError):
            channel.sendall(job.encode())
        channel.setblocking(False)
        return cls(popen, channel)

    def receive(self) -> bool:
        """Take in what the process has to say; false when it has gone."""
        try:
            data = self.channel.recv(4096)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._received += data
        line, end, _ = self._received.partition(b"\n")
        if end and self.ready is None:
            self.ready = Ready.decode(line)
        return bool(data)

    def order(self, number: signal.Signals) -> None:
        """Pass a signal to stop on."""
        with contextlib.suppress(OSError):
            self.channel.send(bytes([number]))
        if self.ready is None:  # it may be long before it listens to its parent, and nobody waits for it
            self.popen.terminate()

    def bury(self) -> int:
        """Clean up after the process, which has gone; its exit code, negative for a signal that ended it."""
        self.channel.close()
        try:
            return self.popen.wait(_REAP_SECONDS)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            return self.popen.wait()


@dataclass(eq=False)
class Place:
    """A place for a child, filled again when it dies: at once where it lived long, later and later where it did not."""

    job: Job
    command: Sequence[str]
    child: Child | None = None
    failed_starts: int = 0
    """Children in a row that ended before they were ready."""
    due: float = 0.0
    """When to fill it, by the monotonic clock."""
    _short_lives: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether a child is there that listens."""
        return self.child is not None and self.child.ready is not None

    def fill(self) -> Child:
        """Start a child; OSError where the system gives no process."""
        self.child = Child.start(self.job, self.command)
        return self.child

    def empty(self, child: Child, now: float) -> None:
        """Note that the child has gone, and when to start the next."""
        self.child = None
        if child.ready is None:
            self.failed_starts += 1
        else:
            self.failed_starts = 0
            # A child that takes this place later has to be found where this one was.
            self.job = self.job._replace(**child.ready._asdict())
        if child.ready is not None and now - child.started >= STEADY_SECONDS:
            self._short_lives, self.due = 0, now
            return
        self.put_off(now)

    def put_off(self, now: float) -> None:
        """Start the next one after a pause, each time a longer one."""
        self.due = now + min(FIRST_PAUSE_SECONDS * 2**self._short_lives, LONGEST_PAUSE_SECONDS)
        self._short_lives += 1


def this_command() -> list[str]:
    """Give the command that this process was started with; no secret is ever in it."""
    return [sys.executable, *sys.orig_argv[1:]]
