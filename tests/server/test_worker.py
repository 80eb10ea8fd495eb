"""Parts of several processes that need none: cores, orders, places to fill again."""

import contextlib
import errno
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from service.server import exit_codes
from service.server.child import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, Child, Place
from service.server.cores import usable_cores
from service.server.listening import closed_first, reserved_port
from service.server.log import make_log
from service.server.settings import Settings
from service.server.supervisor import Supervisor, supervise
from service.server.worker import Job, Orders, Ready, WorkerError, this_worker

if TYPE_CHECKING:
    from service.server.signals import StopSignals

SIGTERM, SIGINT = signal.SIGTERM, signal.SIGINT


class Pipe:
    """Signals of the process itself, sent by the test."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()

    def send(self, number: signal.Signals) -> None:
        os.write(self._writer, bytes([number]))

    def fileno(self) -> int:
        return self._reader

    def get(self, _timeout_seconds: float | None = None) -> signal.Signals | None:
        return signal.Signals(os.read(self._reader, 1)[0])

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The parent's end of a channel and the worker's."""
    parent, worker = socket.socketpair()
    with parent, worker:
        yield parent, worker


@pytest.fixture
def own() -> Iterator[Pipe]:
    """The process's own signals."""
    pipe = Pipe()
    yield pipe
    pipe.close()


def test_a_signal_that_comes_both_ways_counts_once(own: Pipe, ends: tuple[socket.socket, socket.socket]) -> None:
    """Whichever comes first, directly or from the parent; a second of the parent's counts, and only that."""
    parent, worker = ends
    for first in ("own", "parent"):
        orders = Orders(own, worker)  # type: ignore[arg-type]  # as good
        if first == "own":
            own.send(SIGTERM)
            assert orders.get(1) == SIGTERM
            parent.send(bytes([SIGTERM]))
        else:
            parent.send(bytes([SIGTERM]))
            assert orders.get(1) == SIGTERM
            own.send(SIGTERM)
        own.send(SIGINT)
        assert orders.get(0.05) is None
        parent.send(bytes([SIGINT]))
        assert orders.get(1) == SIGINT


def test_the_end_of_the_parent_is_a_signal_once(own: Pipe, ends: tuple[socket.socket, socket.socket]) -> None:
    """A worker whose parent is gone stops as if told to, in its own time; a signal to it counts no more."""
    parent, worker = ends
    orders = Orders(own, worker)  # type: ignore[arg-type]  # as good
    assert orders.get(0) is None
    parent.close()
    assert orders.get(1) == SIGTERM
    own.send(SIGTERM)
    assert orders.get(0.05) is None


def test_a_worker_takes_up_its_job_and_no_more(ends: tuple[socket.socket, socket.socket]) -> None:
    """The job is read to the end of its line; what follows is for others, and the variable is gone."""
    parent, worker = ends
    job = Job(3, 50051, None, "key")
    parent.sendall(job.encode() + bytes([SIGTERM]))
    environment = {"BURRACO_WORKER_CHANNEL": str(worker.fileno())}
    found = this_worker(environment)
    assert found is not None
    assert (found.job, environment) == (job, {})
    assert found.channel.recv(9) == bytes([SIGTERM])
    found.tell_ready(Ready(50051, 9, None, 11))
    assert Ready.decode(parent.recv(999)) == Ready(50051, 9, None, 11)
    found.channel.close()
    parent.setblocking(False)
    with pytest.raises(BlockingIOError):  # only the end of the process closes the channel
        parent.recv(1)
    assert this_worker({}) is None


@pytest.mark.parametrize("sent", [b"", b"{}\n", b"[1]\n", b"x\n", b"x" * 5000, b"\xff\n"])
def test_what_is_no_job_is_refused(sent: bytes, ends: tuple[socket.socket, socket.socket]) -> None:
    """A variable that no parent of this server set ends the start with a sentence."""
    parent, worker = ends
    parent.sendall(sent)
    parent.close()
    with pytest.raises(WorkerError, match="BURRACO_WORKER_CHANNEL is not a setting"):
        this_worker({"BURRACO_WORKER_CHANNEL": str(worker.fileno())})


@pytest.mark.parametrize("value", ["", "x", "-1", "999999", "9" * 30])
def test_what_is_no_channel_is_refused(value: str) -> None:
    """As above."""
    with pytest.raises(WorkerError, match="BURRACO_WORKER_CHANNEL is not a setting"):
        this_worker({"BURRACO_WORKER_CHANNEL": value})


def test_pauses_grow_and_have_an_end(ends: tuple[socket.socket, socket.socket]) -> None:
    """A child that lives shortly is started again later and later, one that lived long at once."""
    place = Place(Job(0, 1, 0, None), ())
    popen = subprocess.Popen([sys.executable, "-c", ""])
    popen.wait()
    pauses = []
    for number in range(9):
        ready = Ready(1, 77, 78, 79) if number % 2 else None
        child = Child(popen, ends[0], 1000.0, ready)
        place.empty(child, 1001.0)
        pauses.append(round(place.due - 1001.0, 3))
        assert place.failed_starts == (0 if ready else 1)
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, *[LONGEST_PAUSE_SECONDS] * 3]
    assert place.job == Job(0, 1, 77, None, 78, 79)
    long_lived = Child(popen, ends[0], 1000.0, Ready(1, 77))
    place.empty(long_lived, 1000.0 + STEADY_SECONDS)
    assert place.due == 1000.0 + STEADY_SECONDS
    place.empty(Child(popen, ends[0], 1000.0), 1001.0)
    place.empty(Child(popen, ends[0], 1000.0), 1001.0)
    assert (place.failed_starts, round(place.due - 1001.0, 3)) == (2, 0.2)


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system give no process, and pauses be long for a slow machine."""

    def start(_job: Job, _command: object) -> Child:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(Child, "start", start)
    monkeypatch.setattr("service.server.child.FIRST_PAUSE_SECONDS", LONGEST_PAUSE_SECONDS)


TWO_PROCESSES = Settings.model_validate({"development": True, "host": "127.0.0.1", "port": 0, "processes": 2})


@pytest.mark.usefixtures("nothing_starts")
def test_a_parent_goes_on_when_the_system_gives_no_process(own: Pipe) -> None:
    """A place stays vacant for a while, and the others serve."""
    log = io.StringIO()
    with Supervisor(TWO_PROCESSES, 1, cast("StopSignals", own), make_log(log, "info", "json")) as supervisor:
        supervisor._is_announced = True
        supervisor._start_what_is_due()
        assert 0 < (supervisor._seconds_to_wait() or 0) <= LONGEST_PAUSE_SECONDS
        supervisor._start_what_is_due()
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["event"], line["worker"], line["seconds"]) for line in lines] == [
        ("a process did not start", number, LONGEST_PAUSE_SECONDS) for number in range(2)
    ]
    assert os.strerror(errno.EAGAIN) in lines[0]["advice"]


@pytest.mark.usefixtures("nothing_starts")
def test_a_start_for_which_the_system_gives_no_process_ends_with_a_sentence(
    own: Pipe, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what is wanting, and what to do."""
    log = make_log(io.StringIO(), "info", "json")
    assert supervise(TWO_PROCESSES, cast("StopSignals", own), log) == exit_codes.CANNOT_START
    told = capsys.readouterr().err
    assert told.startswith("Process 0 cannot be started: ")
    assert os.strerror(errno.EAGAIN) in told
    assert told.endswith("or set BURRACO_PROCESSES lower.\n")


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        (root / "fs/cgroup/cpu").mkdir(parents=True, exist_ok=True)
        where = {"v2": "cpu.max", "quota": "cpu/cpu.cfs_quota_us", "period": "cpu/cpu.cfs_period_us"}[name]
        (root / "fs/cgroup" / where).write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, None),
        ({"v2": "max 100000\n"}, None),
        ({"v2": "nonsense"}, None),
        ({"v2": "100000 0\n"}, None),
        ({"v2": "50000 100000\n"}, 1),
        ({"v2": "100000 100000\n"}, 1),
        ({"v2": "150000 100000\n"}, 2),
        ({"v2": "99900000 100000\n"}, None),
        ({"quota": "-1\n", "period": "100000\n"}, None),
        ({"quota": "100000\n", "period": "100000\n"}, 1),
    ],
)
def test_a_limit_of_the_container_counts(tmp_path: Path, files: dict[str, str], limit: int | None) -> None:
    """Cores are those that the process is bound to, or as many as the control group's limit is worth, rounded up."""
    bound = len(os.sched_getaffinity(0))
    assert usable_cores(write(tmp_path, **files)) == min(bound, limit or bound)


def test_what_is_opened_to_be_closed_first_is_above_the_rest() -> None:
    """Descriptors in the block are higher than those after it, and none is left open."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    with closed_first():
        inside = os.open(os.devnull, os.O_RDONLY)
    after = os.open(os.devnull, os.O_RDONLY)
    assert after < 500 < inside
    os.close(inside)
    os.close(after)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def reset_by_the_dead() -> int:
    """Kill a process that listens and has connections; how many clients reconnect to it and are reset again."""
    script = """if True:
        import socket, sys
        from service.server.listening import closed_first
        with closed_first():
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listener.bind(("127.0.0.1", int(sys.argv[1])))
            listener.listen()
        print("listening", flush=True)
        kept = []
        while True:
            kept.append(listener.accept())
            print("accepted", flush=True)
    """
    reset = []

    def reconnect(connection: socket.socket, port: int) -> None:
        with connection, contextlib.suppress(ConnectionResetError):
            connection.recv(1)
        with socket.create_connection(("127.0.0.1", port)) as again:
            again.settimeout(0.2)
            try:
                again.recv(1)
            except TimeoutError:
                return
            except OSError:
                pass
            reset.append(1)

    with reserved_port("127.0.0.1", 0) as port, socket.socket() as other:
        arguments = [sys.executable, "-c", script, str(port)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as dying:
            assert dying.stdout is not None
            assert dying.stdout.readline() == "listening\n"
            connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
            assert [dying.stdout.readline() for _ in connections] == ["accepted\n"] * 8
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            other.bind(("127.0.0.1", port))
            other.listen()
            threads = [threading.Thread(target=reconnect, args=(each, port)) for each in connections]
            for thread in threads:
                thread.start()
            time.sleep(0.02)
            dying.kill()
            for thread in threads:
                thread.join()
    return len(reset)


@pytest.mark.skipif(sys.platform != "linux", reason="how a dying process is taken apart is Linux's own")
def test_a_dying_process_takes_no_new_connection() -> None:
    """Clients that reconnect when a killed process resets them never meet its listener again."""
    assert sum(reset_by_the_dead() for _ in range(8)) == 0
