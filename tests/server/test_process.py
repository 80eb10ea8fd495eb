"""The server as a process: start, signals, end."""

import io
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from burraco.v1 import game_service_pb2 as pb
from service.server.log import make_log
from service.server.main import _wait_and_stop
from service.server.settings import Settings
from tests.server.processes import REAL, ROOT, SLOW, Process, run_to_the_end
from tests.server.stub import SECONDS, eventually

if TYPE_CHECKING:
    from service.server.servers import Servers

STOP_SIGNALS = [signal.SIGTERM, signal.SIGINT]
PID_1 = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child")


def can_be_pid_1() -> bool:
    try:
        return subprocess.run([*PID_1, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def slow(seconds: float, wrapper: tuple[str, ...] = (), **settings: str) -> Process:
    """A server whose GetRules takes that long."""
    return Process(SLOW, {"test_seconds": str(seconds), **settings}, wrapper)


def start_call(process: Process) -> Any:  # noqa: ANN401 - grpcio's stubs keep the type to themselves
    """Start a slow call, and come back when the server works on it."""
    call = process.stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS)
    assert process.read_line() == "working"
    return call


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_the_server_starts_answers_and_stops(number: signal.Signals) -> None:
    """`python -m service` answers calls and, told to stop, ends with exit code 0."""
    with Process(REAL, {}) as process:
        assert process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS).presets
        process.send(number)
        assert process.wait() == 0
    assert process.events("stopping")[0]["signal"] == number.name
    assert process.events("stopped")[0]["calls_cut_off"] == 0


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_call_in_progress_is_answered_before_the_end(number: signal.Signals) -> None:
    """A call that runs when the server is told to stop gets its answer, and the exit code is 0."""
    with slow(0.5) as process:
        call = start_call(process)
        process.send(number)
        assert call.result() == pb.GetRulesResponse()
        assert process.wait() == 0


@pytest.mark.skipif(not can_be_pid_1(), reason="this machine lets nobody make a process namespace")
@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_the_server_stops_as_process_1_too(number: signal.Signals) -> None:
    """As process 1, whose signals the kernel drops unless handled, the server stops just so."""
    with slow(0.5, PID_1) as process:
        call = start_call(process)
        process.send(number)
        assert call.result() == pb.GetRulesResponse()
        assert process.wait() == 0


def test_a_draining_server_is_not_healthy_and_still_answers() -> None:
    """Between the signal and the end of the drain, health says NOT_SERVING and new calls are answered."""
    with slow(0, drain_seconds="60") as process:
        stub = health_pb2_grpc.HealthStub(process.channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="burraco.v1.GameService"))  # type: ignore[attr-defined]
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        process.send(signal.SIGTERM)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        start_call(process).result()
        process.send(signal.SIGTERM)
        assert process.wait() == 0


def test_a_stopping_server_takes_no_new_calls() -> None:
    """After the drain new calls find nobody, while the one in progress goes on."""
    with slow(1) as process:
        call = start_call(process)
        process.send(signal.SIGTERM)

        def refused() -> bool:
            with socket.socket() as client:
                return client.connect_ex(("127.0.0.1", process.port)) != 0

        assert eventually(refused)
        assert call.result() == pb.GetRulesResponse()
        assert process.wait() == 0


def test_a_signal_that_another_thread_gets_is_not_lost() -> None:
    """A signal wakes the main thread also when the system hands it to another thread."""
    script = """if True:
        import signal, threading, time
        from service.server.signals import StopSignals
        signals = StopSignals()
        other = threading.Thread(target=time.sleep, args=(3,), daemon=True)
        other.start()
        threading.Timer(0.2, signal.pthread_kill, (other.ident, signal.SIGTERM)).start()
        print(signals.get(10), signals.get(0.1))
    """
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [str(int(signal.SIGTERM)), "None"]


@pytest.mark.parametrize("drain", ["0", "60"])
def test_a_second_signal_stops_at_once(drain: str) -> None:
    """A second signal cuts calls off, in the drain and in the grace; the exit code says so."""
    with slow(600, drain_seconds=drain, grace_seconds="600") as process:
        call = start_call(process)
        process.send(signal.SIGTERM)
        time.sleep(0.2)
        process.send(signal.SIGINT)
        assert process.wait() == 1
        assert call.code() in {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}
    assert process.events("stopped")[0]["calls_cut_off"] == 1


def test_a_second_signal_waits_for_no_connection() -> None:
    """Where a client has stopped reading gRPC does not come to its end; the process does, and knows of it."""

    class Stuck:
        calls_in_progress = 0

        def stop_serving(self) -> None:
            """Nobody watches."""

        refuse_calls = stop_serving

        def stop(self, grace_seconds: float | None) -> threading.Event:
            over = threading.Event()
            if grace_seconds is None:  # then gRPC waits here
                over.wait(SECONDS)
            return over

    class Twice:
        def __init__(self) -> None:
            self.left = [signal.SIGTERM, None, None, signal.SIGTERM]

        def get(self, timeout_seconds: float | None = None) -> signal.Signals | None:
            if self.left:
                return self.left.pop(0)
            time.sleep(timeout_seconds or 0)
            return None

    log, began = io.StringIO(), time.monotonic()
    settings = Settings.model_validate({"development": True})
    assert not _wait_and_stop(cast("Servers", Stuck()), settings, Twice(), make_log(log, "info", "json"))
    assert time.monotonic() - began < SECONDS / 2
    assert '"stopping at once"' in log.getvalue()


def test_the_grace_has_an_end() -> None:
    """A call that outlasts the grace is cut off, and the process ends all the same."""
    with slow(600, grace_seconds="0.1") as process:
        call = start_call(process)
        process.send(signal.SIGTERM)
        assert process.wait() == 1
        assert call.code() in {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}


def test_an_idle_server_stops_at_once_though_a_client_is_connected() -> None:
    """Connections and health watches without a call do not use up the grace."""
    with slow(0, grace_seconds="600") as process:
        start_call(process).result()
        watch = health_pb2_grpc.HealthStub(process.channel).Watch(health_pb2.HealthCheckRequest())  # type: ignore[attr-defined]
        next(watch)
        process.send(signal.SIGTERM)
        assert process.wait() == 0


def test_a_taken_port_is_said_in_a_sentence() -> None:
    """A port that is taken stops the start with a sentence that names the variable, and exit code 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run_to_the_end(SLOW, development="true", port=str(taken.getsockname()[1]))
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("Cannot listen on 127.0.0.1:")
    assert "BURRACO_PORT" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_standard_output_has_the_port_and_nothing_else() -> None:
    """The one line of the standard output tells a parent where the server listens; all else goes to the log."""
    with slow(0) as process:
        start_call(process).result()
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        assert process.read_line() == ""


def test_the_start_log_masks_secrets() -> None:
    """The settings are logged at the start, and no secret is among them."""
    key, api_key = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=", "a-very-secret-api-key"
    secrets = {"sealing_key": key, "opening_keys": key, "api_keys": api_key}
    with Process(SLOW, {"test_seconds": "0", "threads": "3", **secrets}) as process:
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    (started,) = process.events("started")
    assert started["port"] == process.port
    assert started["settings"]["threads"] == 3
    assert {started["settings"][name] for name in secrets} == {"**********"}
    assert key not in process.stderr
    assert api_key not in process.stderr
    assert process.events("ephemeral key") == []


def test_an_ephemeral_key_is_said_loudly() -> None:
    """A server without a key warns that no state will outlive it."""
    with slow(0) as process:
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    (warning,) = process.events("ephemeral key")
    assert warning["level"] == "warning"
    assert "BURRACO_SEALING_KEY" in warning["advice"]


def test_a_server_that_nobody_listens_to_goes_on() -> None:
    """A parent that closes its ends of the pipes costs no call."""
    with slow(0) as process:
        start_call(process).result()
        assert process._popen.stdout is not None
        process._popen.stdout.close()
        process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
        process.send(signal.SIGTERM)
        assert process.wait() == 0
