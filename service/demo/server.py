"""The real server, as a child process on loopback."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from burraco import RulesError

START_SECONDS = 30
STOP_SECONDS = 10
POLL_SECONDS = 0.02
LOG_LINES = 20

SETTINGS = {"BURRACO_DEVELOPMENT": "1", "BURRACO_HOST": "127.0.0.1", "BURRACO_PORT": "0", "BURRACO_DRAIN_SECONDS": "0"}


class ServerError(Exception):
    """The server did not start, or failed; the text is for people, and has the end of the server's log."""


@contextmanager
def serving() -> Iterator[str]:
    """Start `python -m service` for as long as the block lasts, and give its address."""
    # The caller's own settings are for a server of the caller's, not for this one.
    inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith("BURRACO_")}
    with tempfile.TemporaryFile() as log:
        # Apart from this process's group, so that Ctrl-C reaches it through the demo alone, after the last call.
        server = subprocess.Popen(
            [sys.executable, "-m", "service"],
            env=inherited | SETTINGS,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield f"127.0.0.1:{_wait_for_port(server, log)}"
        except (RulesError, TimeoutError) as error:
            raise ServerError(_report(f"A call failed: {error}", log)) from error
        finally:
            _stop(server)


def _wait_for_port(server: subprocess.Popen[bytes], log: IO[bytes]) -> int:
    limit = time.monotonic() + START_SECONDS
    while time.monotonic() < limit:
        ended = server.poll() is not None
        for line in _lines(log):
            with suppress(ValueError):
                entry = json.loads(line)
                if isinstance(entry, dict) and entry.get("event") == "listening":
                    return int(entry["port"])
        if ended:
            raise ServerError(_report(f"The server ended at once, with exit code {server.returncode}.", log))
        time.sleep(POLL_SECONDS)
    raise ServerError(_report(f"The server was not ready after {START_SECONDS} seconds.", log))


def _lines(log: IO[bytes]) -> list[str]:
    """Read the whole log; the server writes through its own descriptor, at the end."""
    size = os.fstat(log.fileno()).st_size
    return os.pread(log.fileno(), size, 0).decode(errors="replace").splitlines()


def _report(what: str, log: IO[bytes]) -> str:
    return "\n".join([what, "The end of its log:", *_lines(log)[-LOG_LINES:]])


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
