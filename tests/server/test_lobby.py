"""Calls whose clients let them wait: what they cost the others, and how they end."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from burraco.v1 import game_service_pb2 as pb
from service.server.pool import CountingPool
from tests.server.certificates import LOCALHOST, Authority
from tests.server.conftest import Serve
from tests.server.processes import REAL, Process
from tests.server.stub import SECONDS, Running, eventually
from tests.server.watch import Watch
from tests.support.frames import Connection, message
from tests.support.transport import TRANSPORT

GAME = "/burraco.v1.GameService/"
GET_RULES = GAME + "GetRules"
METHODS = {
    "a call": GET_RULES,
    "a long call": GAME + "ReplayMatch",
    "one that is not built": GAME + "SuggestMoves",
    "a check of health": "/grpc.health.v1.Health/Check",
    "a watch of health": "/grpc.health.v1.Health/Watch",
    "reflection": "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "the older reflection": "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
}
MANY = 100
"""More than there are threads of any kind, or than may be in progress."""
LATER = 3.0
"""Seconds in which everybody else is answered: well below the ten after which such calls end by themselves."""
T = TypeVar("T")
grpcio = pytest.mark.skipif(TRANSPORT != "grpcio", reason="the native transport ends no call that waits")


def everything_answers(running: Running, seconds: float) -> None:
    """One of each kind of call is answered in time, but where the overload of a moment ago is not over yet."""
    end = time.monotonic() + seconds

    def answered(call: Callable[..., T]) -> T:
        while True:
            try:
                return call(timeout=max(end - time.monotonic(), 0.0))
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                time.sleep(0.02)

    answered(running.get_rules)
    answered(partial(running.stub.ReplayMatch, pb.ReplayMatchRequest()))
    check = health_pb2.HealthCheckRequest()
    assert answered(partial(running.health.Check, check)).status == health_pb2.HealthCheckResponse.SERVING
    assert answered(lambda timeout: next(running.health.Watch(check, timeout=timeout)))
    (services,) = answered(partial(reflect, running))
    assert services.list_services_response.service


def reflect(running: Running, timeout: float) -> list[Any]:
    ask: Any = running.channel.stream_stream(
        METHODS["reflection"],
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    return list(ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=timeout))


@pytest.mark.parametrize(
    "methods", [*([each] for each in METHODS.values()), list(METHODS.values())], ids=[*METHODS, "all"]
)
@pytest.mark.parametrize("begun", [b"", message(bytes(1000))[:500]], ids=["headers alone", "half a request"])
def test_calls_without_a_request_hold_up_nobody(serve: Serve, methods: list[str], begun: bytes) -> None:
    """However many calls wait for their requests, of whatever kind, everybody else is answered."""
    running = serve()
    with Connection(running.server.port) as connection:
        for method in methods * (MANY // len(methods) + 1):
            stream = connection.begin(method)
            if begun:
                connection.send(stream, begun)
        everything_answers(running, LATER)


@grpcio
def test_a_call_without_a_request_ends(serve: Serve) -> None:
    """After BURRACO_REQUEST_SECONDS it is cancelled, log and metrics have it, and its thread goes."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry, request_seconds=0.3)
    running.get_rules()
    threads = threading.active_count()
    with Connection(running.server.port) as connection:
        began = time.monotonic()
        streams = {connection.begin(GET_RULES) for _ in range(12)}
        assert eventually(lambda: threading.active_count() >= threads + 8)
        assert eventually(lambda: running.server.calls_in_progress == 0)
        connection.wait_for_the_end_of(streams)
        assert 0.3 <= time.monotonic() - began < 0.3 + LATER
    assert eventually(lambda: watch.value("burraco_calls_total", method="GetRules", code="CANCELLED") == 12)
    assert watch.value("burraco_failures_total", reason="REASON_STREAM_IDLE") == 12
    assert watch.value("burraco_call_seconds_count", method="GetRules") == 1
    line = running.last_call()
    assert (line["method"], line["code"], line["reasons"]) == (GET_RULES, "CANCELLED", ["REASON_STREAM_IDLE"])
    assert eventually(lambda: threading.active_count() <= threads + 3)


@grpcio
def test_of_too_many_the_oldest_ends(serve: Serve) -> None:
    """One more than may be late ends the first, so whoever comes has room, and who is slow keeps it for long."""
    running = serve()
    with Connection(running.server.port) as connection:
        first = connection.begin(GET_RULES)
        for _ in range(70):
            connection.begin(GET_RULES)
            time.sleep(0.01)
        connection.wait_for_the_end_of({first})
        last = connection.begin(GET_RULES)
        time.sleep(0.05)
        connection.send(last, message(b""), is_last=True)
        connection.wait_for_the_end_of({last})
    assert running.events("call")[-1]["code"] == "OK"


@grpcio
@pytest.mark.parametrize("method", ["a watch of health", "reflection"])
def test_clients_that_take_no_answer_hold_up_nobody(serve: Serve, method: str) -> None:
    """However many watch, or ask, and do not read: others are answered, and told of the end, which is not held up."""
    running = serve()
    ask = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    with Connection(running.server.port, window=0) as connection:
        connection.read_on()
        for _ in range(30):
            connection.send(connection.begin(METHODS[method]), message(ask if method == "reflection" else b""))
        everything_answers(running, LATER)
        watch = running.health.Watch(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        began = time.monotonic()
        running.server.stop_serving()
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert running.server.stop(grace_seconds=SECONDS).wait(SECONDS)
        assert time.monotonic() - began < LATER


@grpcio
@pytest.mark.parametrize("method", ["a check of health", "a watch of health", "reflection"])
def test_the_log_tells_of_the_other_calls_that_end(serve: Serve, method: str) -> None:
    """Health and reflection, whose calls nobody counts, have a line of those that were ended."""
    running = serve(request_seconds=0.2, stream_idle_seconds=0.2)
    with Connection(running.server.port) as connection:
        connection.wait_for_the_end_of({connection.begin(METHODS[method])})
    assert eventually(lambda: running.events("call"))
    line = running.last_call()
    assert (line["method"], line["code"]) == (METHODS[method], "CANCELLED")


def test_a_request_that_comes_late_is_answered(running: Running) -> None:
    """Bytes that come one after the other are a request as any."""
    with Connection(running.server.port) as connection:
        stream = connection.begin(GET_RULES)
        for byte in message(pb.GetRulesRequest().SerializeToString()):
            time.sleep(0.05)
            connection.send(stream, bytes([byte]))
        connection.send(stream, b"", is_last=True)
        connection.wait_for_the_end_of({stream})
    assert running.last_call()["code"] == "OK"
    assert eventually(lambda: running.server.calls_in_progress == 0)


def late(running: Running, seconds: float) -> Any:  # noqa: ANN401 - the stubs keep the type to themselves
    """A call whose request comes after a while."""

    def request() -> Iterator[bytes]:
        time.sleep(seconds)
        yield b""

    call: Any = running.channel.stream_unary(GET_RULES)
    return call.future(request(), timeout=1.0)


@grpcio
def test_a_deadline_that_passes_before_the_request_comes(running: Running) -> None:
    """The client has its DEADLINE_EXCEEDED, and the server its thread."""
    assert late(running, 1.5).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert eventually(lambda: running.server._pools.calls.pool.unfinished == 0)
    assert not running.events("fault")


@grpcio
def test_a_call_that_is_given_up_before_its_request_comes(running: Running) -> None:
    """A cancelled call gives its thread back."""
    call = late(running, 0.5)
    assert eventually(lambda: running.server._pools.calls.pool.unfinished == 1)
    call.cancel()
    assert eventually(lambda: running.server._pools.calls.pool.unfinished == 0)
    assert not running.events("fault")


@grpcio
@pytest.mark.parametrize("method", [GET_RULES, METHODS["a check of health"], METHODS["a watch of health"]])
def test_a_call_that_ends_without_a_request_is_none(running: Running, method: str) -> None:
    """No request at all is UNIMPLEMENTED, as gRPC has it."""
    call: Any = running.channel.stream_stream(method)
    with pytest.raises(grpc.RpcError) as caught:
        list(call(iter(())))
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_second_request_of_a_call_is_not_read(running: Running) -> None:
    """Only the first counts."""
    call: Any = running.channel.stream_unary(GET_RULES)
    assert call(iter([b"", b"\xff"]), timeout=SECONDS) == b""
    assert eventually(lambda: running.server.calls_in_progress == 0)


@grpcio
def test_calls_without_a_request_do_not_hold_up_the_end(running: Running) -> None:
    """A server that stops does not wait for them, whatever its grace; a request that is on its way is answered."""
    with Connection(running.server.port) as connection:
        for method in METHODS.values():
            connection.begin(method)
        assert eventually(lambda: running.server._pools.calls.pool.unfinished == 1)
        coming = late(running, 0.2)
        assert eventually(lambda: running.server._pools.calls.pool.unfinished == 2)
        connection.read_on()
        began = time.monotonic()
        running.server.refuse_calls()
        assert eventually(lambda: running.server.calls_in_progress == 0)
        assert running.server.stop(grace_seconds=SECONDS).wait(SECONDS)
        assert time.monotonic() - began < LATER
        assert coming.result() == b""


@grpcio
def test_a_process_stops_without_waiting_for_requests() -> None:
    """Told to stop, a process with calls that have no request cuts nothing off, and takes a moment of its grace."""
    with Process(REAL, {"grace_seconds": "20"}) as process, Connection(process.port) as connection:
        connection.read_on()
        for _ in range(MANY // 2):
            connection.begin(GET_RULES)
        assert process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS).presets
        began = time.monotonic()
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        assert time.monotonic() - began < LATER
    assert process.events("stopped")[0]["calls_cut_off"] == 0


def test_calls_without_a_request_hold_up_nobody_over_tls(serve: Serve, tmp_path: Path) -> None:
    """Nor do they where each byte is encrypted."""
    authority, gate = Authority(), threading.Event()
    certificate, key = authority.issue("server", LOCALHOST).write(tmp_path, "server")
    files = {"tls_certificate_file": certificate, "tls_key_file": key}
    running = serve(sealing_key="A" * 43 + "=", trust_network=True, **files)

    def never() -> Iterator[bytes]:
        gate.wait(SECONDS)
        yield from ()

    credentials = grpc.ssl_channel_credentials(authority.certificate)
    with grpc.secure_channel(f"127.0.0.1:{running.server.port}", credentials) as channel:
        call: Any = channel.stream_unary(GET_RULES)
        ask: Any = channel.unary_unary(GET_RULES)
        waiting = [call.future(never()) for _ in range(20)]
        assert eventually(lambda: running.server._pools.calls.pool.unfinished == 20)
        assert ask(b"", timeout=LATER) == b""
        for each in waiting:
            each.cancel()
        gate.set()


def test_a_pool_has_a_thread_more_for_each_that_is_lent() -> None:
    """What waits for a thread gets one as soon as another is lent, and there are as many as before in the end."""
    pool, gate = CountingPool(1, "test"), threading.Event()
    pool.submit(gate.wait, SECONDS)
    second = pool.submit(int, "2")
    assert (pool.in_progress, pool.has_backlog) == (2, True)
    pool.lend()
    assert second.result(SECONDS) == 2
    assert eventually(lambda: pool.unfinished == 1)
    assert pool.in_progress == 0
    pool.take_back()
    third = pool.submit(int, "3")
    gate.set()
    assert third.result(SECONDS) == 3
    assert eventually(lambda: sum(thread.name == "test" for thread in threading.enumerate()) == 1)
    pool.shutdown()
    assert not [thread for thread in threading.enumerate() if thread.name == "test"]


def test_a_pool_without_a_thread_to_be_had_lets_tasks_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has no more threads to give costs time, not the thread that hands tasks over."""

    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    pool = CountingPool(1, "test")
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        first = pool.submit(int, "1")
    assert not first.done()
    pool.submit(int, "2")
    assert first.result(SECONDS) == 1
    pool.shutdown()
