"""Real Redis and PostgreSQL servers: of Debian's packages, on Unix sockets, each with a folder of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn

import psycopg
import pytest
import redis

SECONDS: Final = 60.0
POLL: Final = 0.02
RESTART: Final = 0.3
DEBIAN_FOLDERS: Final = "/usr/lib/postgresql/*/bin"
AS_ROOT: Final = os.geteuid() == 0


def missing(program: str, package: str) -> NoReturn:
    """Skip where a person runs the tests without a database; fail where CI does."""
    why = f"{program} is not on this machine: install it (Debian, Ubuntu: apt-get install {package})"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def redis_program() -> str:
    return shutil.which("redis-server") or missing("redis-server", "redis-server")


def postgres_folder() -> Path:
    """Where initdb and postgres are: Debian keeps them out of the path."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(Path("/").glob(DEBIAN_FOLDERS.lstrip("/")), key=lambda path: float(path.parent.name))
    found = [folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()]
    return found[-1] if found else missing("postgres", "postgresql")


class Database:
    """A server in its folder. It can be killed and started again on the same data."""

    def __init__(self, command: Sequence[str | Path], folder: Path, user: str | None) -> None:
        self.folder = folder
        self._command = command
        self._user = user
        self._popen: subprocess.Popen[bytes] | None = None

    def run(self, command: Sequence[str | Path]) -> None:
        """Run a program to its end, as the server's user. What it says is told when it fails."""
        done = subprocess.run(
            command, cwd=self.folder, user=self._user, capture_output=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, f"{command[0]}: {done.stdout.decode()} {done.stderr.decode()}"

    def start(self) -> None:
        """Start the server and wait until it answers. One that is killed may leave what lets no other start at once."""
        limit = time.monotonic() + SECONDS
        self._popen = self._run()
        while not self.answers():
            assert time.monotonic() < limit, f"{self._command[0]} does not answer: {self._log()[-2000:]}"
            if self._popen.poll() is not None:
                assert "already" in self._log() or "in use" in self._log(), f"it ended at once: {self._log()[-2000:]}"
                time.sleep(RESTART)
                self._popen = self._run()
            time.sleep(POLL)

    def _run(self) -> "subprocess.Popen[bytes]":
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                self._command, cwd=self.folder, user=self._user, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def answers(self) -> bool:
        raise NotImplementedError

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server; SIGKILL lets it do nothing more."""
        if self._popen is not None:
            self._popen.send_signal(number)
            self._popen.wait(SECONDS)
            self._popen = None


class Redis(Database):
    """A Redis server that keeps what it confirmed."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "redis.sock"
        self.url = f"unix://{self.socket}"
        options = {"port": "0", "unixsocket": str(self.socket), "unixsocketperm": "700", "dir": str(folder), "save": ""}
        options |= {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "daemonize": "no"}
        command = [redis_program(), *(word for name, value in options.items() for word in (f"--{name}", value))]
        super().__init__(command, folder, None)

    def answers(self) -> bool:
        with suppress(redis.ConnectionError), redis.Redis.from_url(self.url) as client:
            return bool(client.ping())
        return False


class Postgres(Database):
    """A PostgreSQL cluster that listens on no address. It refuses to run as root, so root runs it as Debian's user."""

    def __init__(self, folder: Path) -> None:
        programs = postgres_folder()
        user = "postgres" if AS_ROOT else None
        if user:
            try:
                owner = pwd.getpwnam(user)
            except KeyError:
                missing("the user postgres, as whom root runs PostgreSQL,", "postgresql")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = folder / "data"
        self.dsn = f"host={folder} dbname=postgres user=tester"
        options = ["listen_addresses=", f"unix_socket_directories={folder}", "max_connections=60"]
        super().__init__(
            [programs / "postgres", "-D", data, *(word for one in options for word in ("-c", one))], folder, user
        )
        self.run(
            [programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        )

    def answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.dsn, connect_timeout=5):
            return True
        return False

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server; killed, it leaves processes that notice and end, and hold its memory until then."""
        children = _children(self._popen.pid) if self._popen and self._popen.poll() is None else []
        super().stop(number)
        limit = time.monotonic() + SECONDS
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < limit, f"processes of {self.folder} do not end"
            time.sleep(POLL)


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


@contextmanager
def running(kind: type[Redis] | type[Postgres]) -> Iterator[Redis | Postgres]:
    """A server in a new folder with a short name, as paths of Unix sockets need; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="burraco-", ignore_cleanup_errors=True) as folder:
        server = kind(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
