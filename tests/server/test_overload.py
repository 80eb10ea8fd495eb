"""More calls than the server takes on."""

import threading
import time
from collections.abc import Iterator

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2

from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from service.server.admission import WINDOW_SECONDS
from service.server.calls import Ration
from service.server.pool import CountingPool, NoPool
from tests.server.conftest import Serve
from tests.server.stub import SECONDS, Running, detail, eventually, failure

pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
def full(serve: Serve) -> Iterator[Running]:
    """A server with one thread and room for two calls, both of them taken; they end after the test."""
    running = serve(threads=1, max_concurrent_rpcs=2)
    gate, served = threading.Event(), threading.Event()

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        served.set()
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    calls = [running.stub.GetRules.future(pb.GetRulesRequest()) for _ in range(2)]
    assert served.wait(SECONDS)
    assert eventually(lambda: running.server.calls_in_progress == 2)
    yield running
    gate.set()
    for call in calls:
        assert call.result() == pb.GetRulesResponse()
    assert eventually(lambda: running.server.calls_in_progress == 0)
    running.get_rules()


def test_an_overloaded_server_says_when_to_try_again(full: Running) -> None:
    """A call above the limit is refused at once, with RetryInfo, and logged."""
    failed = full.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_OVERLOADED")
    assert detail(failed.status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() == 1000
    assert full.last_call()["reasons"] == ["REASON_OVERLOADED"]


def test_every_call_above_the_limit_is_refused(full: Running) -> None:
    """Refusals do not use up what calls need: a hundred at once are all answered."""
    futures = [full.stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS) for _ in range(100)]
    assert {future.code() for future in futures} == {grpc.StatusCode.RESOURCE_EXHAUSTED}


def test_a_storm_of_refusals_costs_no_thread_and_no_health(full: Running) -> None:
    """Thousands of calls that are refused pile up nowhere: each has its rich status, and health goes on answering."""
    request = pb.GetRulesRequest()
    for _ in range(4):
        futures = [full.stub.GetRules.future(request, timeout=SECONDS) for _ in range(500)]
        health = full.health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        for future in futures:
            failed = failure(future.result)
            assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_OVERLOADED")
            assert detail(failed.status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() > 0
    assert len(full.events("call")) < 400
    assert full.server.calls_in_progress == 2


def test_a_refusal_keeps_the_request_id(full: Running) -> None:
    """What is logged of a refusal can be found by the caller's request id; who called was not looked at."""
    full.failure(metadata=[("x-request-id", "table-7")])
    line = full.last_call()
    assert (line["request_id"], line["caller"], line["code"]) == ("table-7", "unknown", "RESOURCE_EXHAUSTED")


def test_a_task_of_no_pool_has_run_when_it_is_handed_over() -> None:
    """No pool runs a task at once, on the thread that hands it over, and starts none."""
    pool, threads = NoPool(), threading.active_count()
    ran: list[int] = []
    for at in (1, 2):
        future = pool.submit(lambda: ran.append(threading.get_ident()))
        assert future.done()
        assert ran == [threading.get_ident()] * at
    assert threading.active_count() == threads
    pool.shutdown()


def test_long_calls_hold_up_nobody(serve: Serve) -> None:
    """However many matches are to be replayed, other calls have their threads, and too many replays are refused."""
    running, gate = serve(threads=1), threading.Event()

    def replay(_request: object, _call: Call) -> pb.ReplayMatchResponse:
        gate.wait(SECONDS)
        return pb.ReplayMatchResponse()

    running.game.replay = replay
    waiting = [running.stub.ReplayMatch.future(pb.ReplayMatchRequest(), timeout=SECONDS) for _ in range(8)]
    assert eventually(lambda: running.server.calls_in_progress == 8)
    running.get_rules(timeout=SECONDS)
    failed = failure(lambda: running.stub.ReplayMatch(pb.ReplayMatchRequest(), timeout=SECONDS))
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_OVERLOADED")
    gate.set()
    assert [call.result() for call in waiting] == [pb.ReplayMatchResponse()] * 8
    assert eventually(lambda: running.server.calls_in_progress == 0)


def test_an_overload_is_over_when_it_has_ended(serve: Serve) -> None:
    """A second after a storm that was refused in part, a burst is taken on as before."""
    running, gate = serve(threads=2, max_concurrent_rpcs=8), threading.Event()

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    storm = [running.stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS) for _ in range(100)]
    assert eventually(lambda: sum(call.done() for call in storm) == 92)
    gate.set()
    assert sum(call.code() is grpc.StatusCode.OK for call in storm) == 8

    assert eventually(lambda: running.server.calls_in_progress == 0)
    time.sleep(2 * WINDOW_SECONDS + 0.01)
    burst = [running.stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS) for _ in range(8)]
    assert all(call.code() is grpc.StatusCode.OK for call in burst)


def test_a_stream_is_refused_under_overload_too(full: Running) -> None:
    """A stream above the limit is refused like any call."""
    failed = failure(lambda: list(full.stub.StreamApplyMoves(iter([]), timeout=SECONDS)))
    assert failed.info.reason == "REASON_OVERLOADED"


def test_health_answers_under_overload(full: Running) -> None:
    """Health has threads of its own, so a busy server does not look like a dead one."""
    answer = full.health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_a_pool_counts_what_has_not_ended() -> None:
    """A counting pool counts tasks that wait, run, fail or are dropped, and comes back to zero."""
    pool, gate = CountingPool(1, "test"), threading.Event()
    pool.submit(gate.wait, SECONDS)
    pool.submit(int, "no number")
    dropped = pool.submit(int, "1")
    assert pool.unfinished == 3
    assert dropped.cancel()
    assert pool.unfinished == 2
    gate.set()
    pool.wait_until_idle(SECONDS)
    assert pool.unfinished == 0
    pool.shutdown()


def test_a_closing_server_refuses_new_calls_and_ends_the_old(running: Running) -> None:
    """Before it stops, a server answers new calls with UNAVAILABLE, to be tried again, and ends the others."""
    gate, served = threading.Event(), threading.Event()

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        served.set()
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    before = running.stub.GetRules.future(pb.GetRulesRequest())
    assert served.wait(SECONDS)
    running.server.refuse_calls()
    failed = running.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "REASON_SHUTTING_DOWN")
    gate.set()
    assert before.result() == pb.GetRulesResponse()


def test_stopping_under_load_never_hangs(serve: Serve) -> None:
    """A server that is stopped amid calls ends within its grace, every time, and each call gets an outcome."""
    for _ in range(20):
        running = serve()
        futures = [running.stub.GetRules.future(pb.GetRulesRequest(), timeout=2 * SECONDS) for _ in range(40)]
        assert running.server.stop(grace_seconds=0.5).wait(SECONDS)
        assert running.server.close() == 0
        running.channel.close()
        assert all(future.code() for future in futures)


def test_lines_of_refusals_are_rationed() -> None:
    """So many in a second, then none until the next one."""
    now = 100.0
    ration = Ration(3, lambda: now)
    assert [ration.take() for _ in range(5)] == [True, True, True, False, False]
    now = 100.999
    assert not ration.take()
    now = 101.0
    assert [ration.take() for _ in range(4)] == [True, True, True, False]
