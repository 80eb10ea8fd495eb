"""What the benchmarks of a server have in common: its process, the cores, and how figures are told."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

SERVICE: Final = "/burraco.v1.GameService/"
KEY: Final = bytes(32)


class Served(NamedTuple):
    """A server process."""

    address: str
    pid: int
    announced: dict[str, Any]
    """The line of its standard output."""


@contextmanager
def server(**more: str) -> Iterator[Served]:
    """Run a server process with the settings of development and more, on a core of its own."""
    key = base64.b64encode(KEY).decode()
    settings = {"BURRACO_DEVELOPMENT": "true", "BURRACO_PORT": "0", "BURRACO_SEALING_KEY": key, **more}
    process = subprocess.Popen(
        [sys.executable, "-m", "service"],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout
        pin(process.pid, server=True)
        announced = json.loads(process.stdout.readline())
        yield Served(f"127.0.0.1:{announced['port']}", process.pid, announced)
    finally:
        process.terminate()
        process.wait(30)


def pin(pid: int, *, server: bool) -> None:
    """Give the server a core of its own, and its clients the others: else they take from it what they offer it."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(pid, cores[:1] if server else cores[1:])


def status(pid: int, name: str) -> int:
    """Look a number up that the kernel tells of a process, such as `VmRSS`, which is in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all is not above; 0 of none."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] if values else 0.0


def milliseconds(values: Sequence[float]) -> str:
    """Write a row's quantiles."""
    return f"p50 {quantile(values, 0.5) * 1e3:7.2f} ms   p99 {quantile(values, 0.99) * 1e3:7.2f} ms"
