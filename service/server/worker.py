"""A worker: one of several processes that share a port. What its parent and it tell each other, over a socket pair.

The parent writes the job, one line of JSON, then one byte for each signal to stop that it got. The worker writes one
line when it is ready. The kernel writes the rest: the end of either is the end of the stream for the other.
"""

import contextlib
import json
import os
import select
import socket
import time
from collections.abc import MutableMapping
from signal import SIGTERM, Signals
from typing import Final, NamedTuple

from service.server.signals import StopSignals

CHANNEL_VARIABLE: Final = "BURRACO_WORKER_CHANNEL"
"""Names the file descriptor of a worker's end to it. No setting: a process that finds it is a worker."""
_LONGEST_LINE: Final = 4096


class WorkerError(Exception):
    """What makes a process a worker is there, and not from a parent."""


class Job(NamedTuple):
    """What a worker is told."""

    number: int
    """From 0; the arbiter, which is only there once, is in the first."""
    port: int
    arbiter_port: int | None
    sealing_key: str | None
    """In base64, where the parent made it; else the worker reads its own settings."""
    admin_port: int | None = None
    metrics_port: int | None = None

    def encode(self) -> bytes:
        """Write the line."""
        return json.dumps(self._asdict()).encode() + b"\n"


class Ready(NamedTuple):
    """What a worker tells when it listens."""

    port: int
    arbiter_port: int | None = None
    admin_port: int | None = None
    metrics_port: int | None = None

    def encode(self) -> bytes:
        """Write the line."""
        return json.dumps(self._asdict()).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "Ready":
        """Read the line."""
        return cls(**json.loads(line))


class Worker(NamedTuple):
    """A worker's own view of what it is."""

    job: Job
    channel: socket.socket

    def tell_ready(self, ready: Ready) -> None:
        """Tell the parent; that it is gone is noticed elsewhere."""
        with contextlib.suppress(OSError):
            self.channel.sendall(ready.encode())


def this_worker(environment: MutableMapping[str, str]) -> Worker | None:
    """Take up the job of this process; None where it is no worker, WorkerError for a variable that no parent set."""
    number = environment.pop(CHANNEL_VARIABLE, None)
    if number is None:
        return None
    channel = None
    try:
        os.set_inheritable(int(number), False)
        # The descriptor itself stays open to the very end of the process: by it the parent knows that the end has come.
        channel = socket.socket(fileno=os.dup(int(number)))
        job = Job(**json.loads(_line(channel)))
    except (OSError, OverflowError, ValueError, TypeError):
        if channel:
            channel.close()
        raise WorkerError(
            f"{CHANNEL_VARIABLE} is not a setting of this server, which gives it to its own processes: unset it."
        ) from None
    return Worker(job, channel)


class Orders:
    """The signals to stop of a worker, one at a time, as `StopSignals` has them of a process that is alone.

    A second signal stops at once, so none may count twice: where a system signals every process of a group, the worker
    gets it both directly and from its parent. Its own first signal counts, and all the parent's but one. When the
    parent is gone, that is a signal too.
    """

    def __init__(self, signals: StopSignals, channel: socket.socket) -> None:
        self._signals = signals
        self._channel: socket.socket | None = channel
        self._is_stopping = False
        self._orders = 0

    def get(self, timeout_seconds: float | None = None) -> Signals | None:
        """Wait for the next one; None when the time is up first."""
        end = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while True:
            sources: list[StopSignals | socket.socket] = [self._signals]
            if self._channel:
                sources.append(self._channel)
            left = None if end is None else max(end - time.monotonic(), 0.0)
            readable, _, _ = select.select(sources, [], [], left)
            if not readable:
                return None
            found: Signals | None
            if self._channel and self._channel in readable:
                found, is_second = self._order(self._channel)
            else:
                found, is_second = self._signals.get(0), False
            if found is not None and (is_second or not self._is_stopping):
                self._is_stopping = True
                return found

    def _order(self, channel: socket.socket) -> tuple[Signals, bool]:
        with contextlib.suppress(OSError):
            order = channel.recv(1)
            if order:
                self._orders += 1
                return Signals(order[0]), self._orders > 1
        self._channel = None
        return SIGTERM, False


def _line(channel: socket.socket) -> bytes:
    """Read a line and no byte more, as what follows it is for others."""
    line = b""
    while not line.endswith(b"\n"):
        byte = channel.recv(1)
        if not byte or len(line) > _LONGEST_LINE:
            raise ValueError("no line")
        line += byte
    return line
