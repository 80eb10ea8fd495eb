"""Server processes for tests."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc

from burraco.v1 import game_service_pb2_grpc
from service.server.settings import PREFIX
from tests.server.stub import SECONDS
from tests.support.transport import TRANSPORT

ROOT = Path(__file__).parents[2]
REAL = "service"
SLOW = "tests.server.slow_process"


def environment(**settings: str) -> dict[str, str]:
    """The environment of this process with these settings and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    settings = {"transport": TRANSPORT, **settings}
    return kept | {f"{PREFIX}{name.upper()}": value for name, value in settings.items()}


def run_to_the_end(module: str = REAL, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run a server that is not expected to start."""
    return subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@dataclass
class Process:
    """A server process; it is killed when the block ends, should it still be there."""

    module: str
    settings: dict[str, str]
    wrapper: tuple[str, ...] = ()
    port: int = field(init=False)
    announced: dict[str, Any] = field(init=False)
    _lines: list[str] = field(init=False, default_factory=list)

    def __enter__(self) -> Self:
        settings = {"development": "true", "port": "0", "drain_seconds": "0", **self.settings}
        self._popen = subprocess.Popen(
            [*self.wrapper, sys.executable, "-m", self.module],
            cwd=ROOT,
            env=environment(**settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read_stderr, daemon=True)
        self._reader.start()
        line = self.read_line()
        assert line, f"the server did not start: {self.wait()}, {self.stderr}"
        self.announced = json.loads(line)
        assert self.announced["event"] == "listening"
        self.port = self.announced["port"]
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}")
        self.stub = game_service_pb2_grpc.GameServiceStub(self.channel)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()
        if self._popen.poll() is None:
            os.killpg(self._popen.pid, signal.SIGKILL)
        self.wait()
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._popen.stdout.close()
        self._popen.stderr.close()

    @property
    def stderr(self) -> str:
        """What the process has written to its standard error."""
        return "".join(self._lines)

    @property
    def pid(self) -> int:
        """Of the server itself, not of what wraps it."""
        if not self.wrapper:
            return self._popen.pid
        children = Path(f"/proc/{self._popen.pid}/task/{self._popen.pid}/children").read_text("ascii").split()
        return int(children[0])

    def read_line(self) -> str:
        """The next line of the standard output."""
        assert self._popen.stdout is not None
        return self._popen.stdout.readline().rstrip("\n")

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once, as a machine that fails does."""
        os.killpg(self._popen.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for the end; the exit code."""
        code = self._popen.wait(SECONDS)
        self._reader.join(SECONDS)
        return code

    def events(self, event: str) -> list[dict[str, Any]]:
        """What was logged of one event; to be asked after the end."""
        lines = [json.loads(line) for line in self.stderr.splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    def _read_stderr(self) -> None:
        assert self._popen.stderr is not None
        for line in self._popen.stderr:
            self._lines.append(line)
