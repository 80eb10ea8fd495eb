"""Several processes on one port: real parents, real children, real kills."""

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from operator import itemgetter
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc

from burraco import connect
from burraco.v1 import arbiter_service_pb2 as arbiter_pb
from burraco.v1 import arbiter_service_pb2_grpc, game_service_pb2_grpc
from burraco.v1 import game_service_pb2 as pb
from service.server.cores import usable_cores
from tests.server.load import ALONE, Callers, Players, play
from tests.server.processes import REAL, SLOW, Process, run_to_the_end
from tests.server.stub import SECONDS, eventually, refusal
from tests.server.test_process import PID_1, can_be_pid_1
from tests.support.aliveness import is_there
from tests.support.profile import FULL

STOPS_UNDER_LOAD = 100 if FULL else 20
FAIL = "tests.server.failing_process"


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except FileNotFoundError:
        return []


def started(process: Process) -> int:
    """How many children have started so far; the log may be long."""
    return process.stderr.count('"event": "started"')


def kill_all(pids: list[int]) -> None:
    for pid in filter(is_there, pids):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def several() -> Iterator[Callable[..., Process]]:
    """Start parents of two processes; whatever a test does to a parent, no child outlasts the test."""
    with ExitStack() as stack:

        def start(module: str = REAL, wrapper: tuple[str, ...] = (), **settings: str) -> Process:
            process = Process(module, {"processes": "2", "threads": "16", "test_seconds": "0", **settings}, wrapper)
            stack.enter_context(process)
            children = children_of(process.pid)
            assert len(children) == int(settings.get("processes", "2"))
            stack.callback(kill_all, children)
            return process

        yield start


def channels(process: Process, count: int, stack: ExitStack) -> list[game_service_pb2_grpc.GameServiceStub]:
    """Stubs, each on a connection of its own."""
    address = f"127.0.0.1:{process.port}"
    found = [stack.enter_context(grpc.insecure_channel(address, ALONE)) for _ in range(count)]
    return [game_service_pb2_grpc.GameServiceStub(channel) for channel in found]


def start_calls(process: Process, count: int, stack: ExitStack) -> list[Any]:
    """Start slow calls, and come back when all are worked on."""
    stubs = channels(process, count, stack)
    calls = [stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS) for stub in stubs]
    assert eventually(lambda: process.stderr.count("working\n") >= count)
    return calls


@pytest.mark.parametrize("transport", ["grpcio", "native"])
def test_the_processes_share_the_calls(transport: str, several: Callable[..., Process]) -> None:
    """One line says where they listen; connections are spread over them, and each log line says by whom it is."""
    process = several(transport=transport)
    with ExitStack() as stack:
        for stub in channels(process, 32, stack):
            stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
    process.send(signal.SIGTERM)
    assert process.wait() == 0
    assert process.read_line() == ""
    lines = process.events("call")
    assert len(lines) == 32
    assert {line["worker"] for line in lines} == {0, 1}
    assert len({line["pid"] for line in lines}) == 2
    assert [line["port"] for line in process.events("started")] == [process.port] * 2


def test_a_state_of_one_is_opened_by_the_other(several: Callable[..., Process]) -> None:
    """The key that the parent made is the key of both, is said to be made once, and is on no command line."""
    process = several(arbiter_port="0")
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children_of(process.pid)]
    environments = [Path(f"/proc/{pid}/environ").read_bytes() for pid in children_of(process.pid)]
    assert not [text for text in commands + environments if b"SEALING_KEY" in text]
    with ExitStack() as stack:
        clients = [
            stack.enter_context(connect(f"127.0.0.1:{process.port}", timeout=SECONDS, options=ALONE)) for _ in range(8)
        ]
        assert len({play(client, 5) for client in clients}) == 1
    process.send(signal.SIGTERM)
    assert process.wait() == 0
    assert {line["worker"] for line in process.events("call")} == {0, 1}
    assert len(process.events("ephemeral key")) == 1


def test_the_arbiter_is_there_once(several: Callable[..., Process]) -> None:
    """The arbiter's port is the first process's, and is the same after that process died."""
    process = several(arbiter_port="0")
    port = process.announced["arbiter_port"]
    first = process.events("arbiter")[0]["pid"]
    with grpc.insecure_channel(f"127.0.0.1:{port}", ALONE) as channel:
        stub = arbiter_service_pb2_grpc.ArbiterServiceStub(channel)
        request = arbiter_pb.InspectStateRequest()
        assert refusal(lambda: stub.InspectState(request)).code() == grpc.StatusCode.INVALID_ARGUMENT
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: len(process.events("arbiter")) == 2)
        again = refusal(lambda: stub.InspectState(request, wait_for_ready=True, timeout=SECONDS))
        assert again.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert {line["worker"] for line in process.events("arbiter")} == {0}


def test_the_line_tells_the_ports_of_each_process(several: Callable[..., Process]) -> None:
    """Metrics and channelz of each process, in the order of their numbers, and still there after a death."""
    process = several(admin_port="0", metrics_port="0", processes="3")
    assert process.announced["admin_host"] == process.announced["metrics_host"] == "127.0.0.1"
    assert not {"admin_port", "metrics_port"} & process.announced.keys()
    assert eventually(lambda: started(process) == 3)  # the log is read beside the line, and may be behind it
    assert process.announced["admin_ports"] == ports_of_workers(process, "admin_port")
    assert process.announced["metrics_ports"] == ports_of_workers(process, "metrics_port")
    assert len({*process.announced["admin_ports"], *process.announced["metrics_ports"], process.port}) == 7
    (second,) = [line["pid"] for line in process.events("started") if line["worker"] == 1]
    os.kill(second, signal.SIGKILL)
    assert eventually(lambda: started(process) == 4)
    for number, port in enumerate(process.announced["metrics_ports"]):
        assert "process_start_time_seconds" in metrics_at(port), number
    with grpc.insecure_channel(f"127.0.0.1:{process.announced['admin_ports'][1]}", ALONE) as channel:
        stub: Any = channelz_pb2_grpc.ChannelzStub(channel)
        assert stub.GetServers(channelz_pb2.GetServersRequest(), wait_for_ready=True, timeout=SECONDS).server


def test_each_process_has_the_next_port(several: Callable[..., Process]) -> None:
    """With a port of the settings the first process has that one, and the next the one above."""
    first = two_free_ports()
    process = several(metrics_port=str(first))
    assert process.announced["metrics_ports"] == [first, first + 1]
    assert "admin_ports" not in process.announced
    assert all("burraco_build_info" in metrics_at(first + number) for number in range(2))


def test_ports_beyond_the_last_are_refused() -> None:
    """Where there is no port left for the last process, a sentence says so, and nothing is started."""
    ended = run_to_the_end(REAL, development="true", port="0", metrics_port="65534", processes="3")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("BURRACO_METRICS_PORT is 65534: each of the 3 processes takes the next port")
    assert '"event": "started"' not in ended.stderr


def ports_of_workers(process: Process, name: str) -> list[int]:
    """What each process has logged, in the order of their numbers."""
    return [line[name] for line in sorted(process.events("started"), key=itemgetter("worker"))]


def metrics_at(port: int) -> str:
    """What Prometheus reads."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as response:
        return str(response.read(), "utf-8")


def two_free_ports() -> int:
    """The first of two ports that follow each other, and that nobody listens on."""
    for first in range(21_000, 31_000, 2):
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", first))
                other.bind(("127.0.0.1", first + 1))
            except OSError:
                continue
            return first
    raise AssertionError("no two ports are free")


def test_a_killed_process_costs_no_call(several: Callable[..., Process]) -> None:
    """While matches are played, processes are killed: with the client's retries no call fails, and no match differs."""
    process = several()
    with Players(process.port, 6) as players:
        for kills in range(1, 5):
            assert eventually(lambda: started(process) == 1 + kills)  # noqa: B023 - asked at once
            time.sleep(0.3)
            os.kill(children_of(process.pid)[kills % 2], signal.SIGKILL)
        assert eventually(lambda: started(process) == 6)
        done = len(players.ended)
        assert eventually(lambda: len(players.ended) >= done + 6)
    assert [line["exit_code"] for line in process.events("a process died")] == [-signal.SIGKILL] * 4
    with connect(f"127.0.0.1:{process.port}", timeout=SECONDS, options=ALONE) as client:
        for seed, state in list(players.ended.items())[:30]:
            assert play(client, seed) == state
    process.send(signal.SIGTERM)
    assert process.wait() == 0


def test_calls_that_a_kill_hits_are_unavailable(several: Callable[..., Process]) -> None:
    """Without retries, a call that was with the killed process fails, as UNAVAILABLE and nothing else."""
    process = several()
    with Callers(process.port, 8) as callers:
        kills = 0
        # A kill may come between two calls: then there is another one.
        while kills < 3 or (kills < 12 and not callers.codes[grpc.StatusCode.UNAVAILABLE]):
            kills += 1
            assert eventually(lambda: started(process) == 1 + kills)  # noqa: B023 - asked at once
            time.sleep(0.3)
            os.kill(children_of(process.pid)[0], signal.SIGKILL)
        assert eventually(lambda: started(process) == 2 + kills)
        answered = callers.codes[grpc.StatusCode.OK]
        assert eventually(lambda: callers.codes[grpc.StatusCode.OK] > answered + 100)
    assert callers.codes[grpc.StatusCode.UNAVAILABLE]
    assert set(callers.codes) == {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_calls_in_progress_are_answered_before_the_end(number: signal.Signals, several: Callable[..., Process]) -> None:
    """Told to stop, every process answers what it is working on, and all end with exit code 0."""
    process = several(SLOW, test_seconds="0.7")
    with ExitStack() as stack:
        calls = start_calls(process, 8, stack)
        process.send(number)
        assert [call.result() for call in calls] == [pb.GetRulesResponse()] * 8
    assert process.wait() == 0
    assert {line["signal"] for line in process.events("stopping")} == {number.name}
    assert process.events("all stopped")[0]["exit_code"] == 0


@pytest.mark.skipif(not can_be_pid_1(), reason="this machine lets nobody make a process namespace")
def test_the_parent_stops_as_process_1_too(several: Callable[..., Process]) -> None:
    """As process 1, whose signals the kernel drops unless handled, the parent stops just so."""
    process = several(SLOW, PID_1, test_seconds="0.7")
    with ExitStack() as stack:
        calls = start_calls(process, 8, stack)
        process.send(signal.SIGTERM)
        assert [call.result() for call in calls] == [pb.GetRulesResponse()] * 8
    assert process.wait() == 0


def test_a_signal_to_every_process_counts_once(several: Callable[..., Process]) -> None:
    """Systems that signal a whole group of processes cut no call off."""
    process = several(SLOW, test_seconds="0.7")
    with ExitStack() as stack:
        calls = start_calls(process, 8, stack)
        for pid in (*children_of(process.pid), process.pid):
            os.kill(pid, signal.SIGTERM)
        assert [call.result() for call in calls] == [pb.GetRulesResponse()] * 8
    assert process.wait() == 0


@pytest.mark.parametrize("drain", ["0", "60"])
def test_a_second_signal_stops_all_at_once(drain: str, several: Callable[..., Process]) -> None:
    """A second signal cuts calls off in every process, in the drain and in the grace; the exit code says so."""
    process = several(SLOW, test_seconds="600", drain_seconds=drain, grace_seconds="600")
    with ExitStack() as stack:
        calls = start_calls(process, 8, stack)
        process.send(signal.SIGTERM)
        time.sleep(0.3)
        began = time.monotonic()
        process.send(signal.SIGINT)
        assert process.wait() == 1
        assert time.monotonic() - began < SECONDS / 2
        assert {call.code() for call in calls} <= {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}
    assert sum(line["calls_cut_off"] for line in process.events("stopped")) == 8


def test_a_child_that_does_not_stop_is_killed(several: Callable[..., Process]) -> None:
    """A child that is stopped in its tracks cannot keep the parent from its end."""
    process = several(drain_seconds="0", grace_seconds="0")
    os.kill(children_of(process.pid)[0], signal.SIGSTOP)
    process.send(signal.SIGTERM)
    process.send(signal.SIGTERM)
    assert process.wait() == 1
    assert len(process.events("killed")) == 1


def test_no_child_outlives_its_parent(several: Callable[..., Process]) -> None:
    """Where the parent is killed, each child answers what it is working on and ends."""
    process = several(SLOW, test_seconds="0.7")
    children = children_of(process.pid)
    with ExitStack() as stack:
        calls = start_calls(process, 8, stack)
        process.send(signal.SIGKILL)
        assert [call.result() for call in calls] == [pb.GetRulesResponse()] * 8
        assert eventually(lambda: not any(map(is_there, children)))
    assert process.wait() == -signal.SIGKILL


def test_a_child_told_to_stop_is_replaced(several: Callable[..., Process]) -> None:
    """A signal to one child ends that one alone, and another takes its place."""
    process = several()
    os.kill(children_of(process.pid)[1], signal.SIGTERM)
    assert eventually(lambda: started(process) == 3)
    process.send(signal.SIGTERM)
    assert process.wait() == 0
    assert [(line["worker"], line["exit_code"]) for line in process.events("a process died")] == [(1, 0)]


def test_the_parent_has_one_thread(several: Callable[..., Process]) -> None:
    """A parent that makes children has no thread that could hold a lock meanwhile, gRPC's least of all."""
    process = several(SLOW)  # it ends at once where the parent loads gRPC's server
    assert len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1
    os.kill(children_of(process.pid)[0], signal.SIGKILL)
    assert eventually(lambda: started(process) == 3)
    assert len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("shares", [False, True])
def test_a_taken_port_is_said_once(host: str, shares: bool) -> None:
    """A port that is taken stops the start with one sentence, also where its taker would share it."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shares))
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = run_to_the_end(REAL, development="true", port=port, host=host, processes="2")
    assert ended.returncode == 2
    (sentence,) = [line for line in ended.stderr.splitlines() if not line.startswith("{")]
    assert sentence.startswith(f"Cannot listen on {host}:{port}")
    assert "BURRACO_PORT" in sentence
    assert ended.stdout == ""


def test_a_child_that_cannot_listen_ends_the_start() -> None:
    """What stops a child that starts, here the arbiter's port, is said once and ends the whole with exit code 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = run_to_the_end(REAL, development="true", port="0", arbiter_port=port, processes="3")
    assert ended.returncode == 2
    (sentence,) = [line for line in ended.stderr.splitlines() if line.startswith("Cannot listen")]
    assert "BURRACO_ARBITER_PORT" in sentence
    assert ended.stdout == ""


def test_children_that_die_at_once_end_the_start() -> None:
    """A child that crashes whenever it starts is tried a few times, then all is given up with a sentence."""
    ended = run_to_the_end(FAIL, development="true", port="0", processes="2", test_fail="always")
    assert ended.returncode == 2
    assert "Process 0 ended 5 times in a row before it was ready" in ended.stderr
    assert ended.stderr.count("crashing\n") == 5
    assert ended.stdout == ""


def test_children_that_die_again_and_again_end_the_server(several: Callable[..., Process], tmp_path: Path) -> None:
    """A server whose children cannot be started any more stops its last ones in order, and says so."""
    switch = tmp_path / "fail"
    process = several(FAIL, test_fail=str(switch))
    switch.touch()
    os.kill(children_of(process.pid)[1], signal.SIGKILL)
    assert process.wait() == 2
    assert "Process 1 ended 5 times in a row before it was ready" in process.stderr
    assert [line["worker"] for line in process.events("stopped")] == [0]


def test_wrong_settings_are_said_once() -> None:
    """With several processes too, a wrong setting is one sentence."""
    ended = run_to_the_end(REAL, processes="2")
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    ended = run_to_the_end(REAL, development="true", processes="-1")
    assert ended.returncode == 2
    assert ended.stderr.startswith("BURRACO_PROCESSES is wrong")


def test_the_inner_variable_is_no_setting() -> None:
    """Nobody makes a worker by hand."""
    ended = run_to_the_end(REAL, development="true", worker_channel="0")
    assert ended.returncode == 2
    assert ended.stderr.startswith("BURRACO_WORKER_CHANNEL is not a setting")


def test_zero_means_a_process_for_each_core() -> None:
    """0 makes as many processes as the process may use cores."""
    ended = subprocess.run(["nproc"], capture_output=True, text=True, check=True)
    cores = int(ended.stdout)
    with Process(REAL, {"processes": "0"}) as process:
        assert len(children_of(process.pid)) == (0 if usable_cores() == 1 else usable_cores()) <= cores
        process.send(signal.SIGTERM)
        assert process.wait() == 0


@pytest.mark.parametrize("_time", range(STOPS_UNDER_LOAD))
def test_stopping_under_load_always_ends(_time: int, several: Callable[..., Process]) -> None:
    """Again and again: stopped under load, all processes end with exit code 0, and no caller hangs.

    Callers without retries see answers, UNAVAILABLE, and CANCELLED, which is how gRPC itself ends a call that reaches
    it between its stop and the moment at which the client learns of it.
    """
    process = several(SLOW, test_seconds="0.002")
    with Callers(process.port, 6) as callers:
        assert eventually(lambda: callers.codes[grpc.StatusCode.OK] > 50)
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        assert eventually(lambda: callers.codes[grpc.StatusCode.UNAVAILABLE] > 6)
    assert set(callers.codes) <= {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
    assert callers.codes[grpc.StatusCode.CANCELLED] <= 6
    assert [line["calls_cut_off"] for line in process.events("stopped")] == [0, 0]
    assert "the server tried" not in process.stderr
