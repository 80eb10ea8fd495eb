"""Replicas: real processes of the service that share a key, each on a port that it gets back when it starts again."""

import base64
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LOOPBACK: Final = "127.0.0.1"
API_KEY: Final = "a-back-end-of-the-edge-tests"
SECONDS: Final = 30.0
"""Long enough for a slow machine; nothing waits for it where all is well."""
SETTINGS: Final = {
    "SEALING_KEY": base64.b64encode(bytes(range(32))).decode(),
    "API_KEYS": API_KEY,
    "REQUIRE_CREDENTIALS": "true",
    "HOST": LOOPBACK,
}
_PREFIX: Final = "BURRACO_"
_PORTS: Final = (20_000, 32_000)


def free_port() -> int:
    """A port that nobody listens on, of those that no outgoing connection is given while a replica is down."""
    for _ in range(100):
        port = random.SystemRandom().randrange(*_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        return port
    raise AssertionError("no port is free")


def clean_environment(**settings: str) -> dict[str, str]:
    """This process's environment with these settings of the service and no others, and no proxy."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_PREFIX) and not name.lower().endswith("_proxy")
    }
    return kept | {_PREFIX + name: value for name, value in settings.items()}


@dataclass
class Replica:
    """One replica; what it logs goes to a file."""

    port: int
    log: Path
    settings: dict[str, str] = field(default_factory=dict)
    arbiter_port: int | None = None
    _process: "subprocess.Popen[str] | None" = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Start it, and return when it listens."""
        self.launch()
        self.wait_ready()

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        settings = SETTINGS | {"PORT": str(self.port)} | self.settings
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service"],
                cwd=ROOT,
                env=clean_environment(**settings),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def wait_ready(self) -> None:
        """Wait until it listens."""
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the replica did not start: {self.log.read_text()[-2000:]}"
        self.arbiter_port = json.loads(line).get("arbiter_port")

    def stop(self, number: signal.Signals) -> int:
        """Send it a signal and wait for its end; the exit code, negative for a signal that ended it."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        process.send_signal(number)
        code = process.wait(SECONDS)
        process.stdout.close()
        self._process = None
        return code

    def calls(self) -> int:
        """How many calls it has answered, of all its lives."""
        return self.log.read_text("utf-8").count('"event": "call"')

    def close(self) -> None:
        """End it, should it still be there."""
        if self._process is not None:
            self.stop(signal.SIGKILL)


@contextmanager
def replicas(number: int, **settings: str) -> Iterator[list[Replica]]:
    """So many replicas, which are gone when the block ends."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="burraco-edge-")))
        made = [Replica(free_port(), folder / f"replica-{each}.log", settings) for each in range(number)]
        for replica in made:
            stack.callback(replica.close)
            replica.launch()
        for replica in made:
            replica.wait_ready()
        yield made


def wait_until(what: str, is_so: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait for something to come true; an AssertionError names it when it does not."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds:g} s: {what}"
        time.sleep(0.02)
