"""Health and reflection."""

import threading
import time
from collections.abc import Iterator
from typing import Any, cast

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from burraco.v1 import game_service_pb2 as pb
from service.server.health import Health
from tests.server.conftest import Serve
from tests.server.stub import SECONDS, Running, eventually, refusal
from tests.support.frames import Connection, message

NAMES = ["", "burraco.v1.GameService"]
Status = health_pb2.HealthCheckResponse


def check(running: Running, name: str) -> int:
    answer: health_pb2.HealthCheckResponse = running.health.Check(
        health_pb2.HealthCheckRequest(service=name), timeout=SECONDS
    )
    return answer.status


def reflect(running: Running, requests: Iterator[reflection_pb2.ServerReflectionRequest]) -> Iterator[Message]:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(running.channel)
    return cast("Iterator[Message]", stub.ServerReflectionInfo(requests))


@pytest.mark.parametrize("name", NAMES)
def test_a_draining_server_is_not_healthy_and_still_answers(running: Running, name: str) -> None:
    """A server that was told to stop says NOT_SERVING while it goes on answering."""
    assert check(running, name) == Status.SERVING
    running.server.stop_serving()
    assert check(running, name) == Status.NOT_SERVING
    assert running.get_rules() == pb.GetRulesResponse()


def test_the_health_of_an_unknown_service_is_not_found(running: Running) -> None:
    """Health knows the services that there are."""
    assert refusal(lambda: check(running, "nobody")).code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("name", NAMES)
def test_who_watches_sees_the_change(running: Running, name: str) -> None:
    """A watch tells of SERVING, then of NOT_SERVING."""
    watch = running.health.Watch(health_pb2.HealthCheckRequest(service=name))
    assert next(watch).status == Status.SERVING
    running.server.stop_serving()
    assert next(watch).status == Status.NOT_SERVING


def test_watches_do_not_hold_up_the_end(running: Running) -> None:
    """A watch is ended when the server stops, instead of taking up all of the grace."""
    watches = [running.health.Watch(health_pb2.HealthCheckRequest(service=name)) for name in [*NAMES, "nobody"]]
    for watch in watches:
        next(watch)
    began = time.monotonic()
    assert running.server.stop(grace_seconds=SECONDS).wait(SECONDS)
    assert time.monotonic() - began < SECONDS / 2
    last = [[answer.status for answer in watch] for watch in watches]
    assert last == [[Status.NOT_SERVING], [Status.NOT_SERVING], []]
    assert [watch.code() for watch in watches] == [grpc.StatusCode.OK] * 3


def test_a_watch_that_its_client_gave_up_is_forgotten(running: Running) -> None:
    """Watches that end do not pile up."""
    health = running.server._health
    watch = running.health.Watch(health_pb2.HealthCheckRequest())
    next(watch)
    assert eventually(lambda: len(health._watches) == 1)
    watch.cancel()
    assert eventually(lambda: not health._watches)


def test_a_watch_that_begins_when_the_others_are_ended_does_not_hold_up_the_end(running: Running) -> None:
    """Where the request of a watch comes after the server was told to stop, it is told so and ended as they were."""
    with Connection(running.server.port) as connection:
        stream = connection.begin("/grpc.health.v1.Health/Watch")
        assert eventually(lambda: running.server._pools.health.pool.unfinished == 1)
        began = time.monotonic()
        over = running.server.stop(grace_seconds=SECONDS)
        connection.send(stream, message(b""), is_last=True)
        connection.wait_for_the_end_of({stream})
        assert over.wait(SECONDS)
        assert time.monotonic() - began < SECONDS / 2


def test_a_watch_that_its_client_gave_up_before_it_began_is_forgotten(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do those whose end gRPC knows of before anybody has asked to be told of it."""
    health, begun, begin = running.server._health, threading.Event(), Health._watch

    def begin_late(self: Health, request: Any, context: grpc.ServicerContext, watch: Any) -> None:  # noqa: ANN401
        begun.set()
        assert eventually(lambda: not context.is_active())
        begin(self, request, context, watch)

    monkeypatch.setattr(Health, "_watch", begin_late)
    watch = running.health.Watch(health_pb2.HealthCheckRequest())
    assert begun.wait(SECONDS)
    watch.cancel()
    assert eventually(lambda: running.server._pools.health.pool.unfinished == 0)
    assert not health._watches
    told: dict[str, set[object]] = vars(health._servicer)["_send_response_callbacks"]
    assert not any(told.values())


def test_watches_take_no_thread(running: Running) -> None:
    """Any number of watches leaves the health checks quick."""
    watches = [running.health.Watch(health_pb2.HealthCheckRequest()) for _ in range(30)]
    for watch in watches:
        next(watch)
    assert check(running, "") == Status.SERVING


def test_watches_that_go_away_do_not_hold_up_the_end(running: Running) -> None:
    """Telling those who watch never waits for one that is cancelled at the same moment."""
    for _ in range(40):
        watches = [running.health.Watch(health_pb2.HealthCheckRequest()) for _ in range(10)]
        for watch in watches:
            next(watch)
        ended = threading.Thread(target=lambda those=watches: [watch.cancel() for watch in those], daemon=True)
        told = threading.Thread(target=running.server.stop_serving, daemon=True)
        ended.start()
        told.start()
        told.join(20)
        ended.join(20)
        assert not told.is_alive()


def test_reflection_lists_the_services(running: Running) -> None:
    """A generic client finds the services, health included."""
    listed = ProtoReflectionDescriptorDatabase(running.channel).get_services()
    assert set(listed) == {
        "burraco.v1.GameService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    }


@pytest.mark.parametrize("symbol", ["burraco.v1.GameService", "burraco.v1.Move", "google.rpc.ErrorInfo"])
def test_reflection_describes_the_contract(running: Running, symbol: str) -> None:
    """A generic client can read the contract, and the details of errors."""
    found = ProtoReflectionDescriptorDatabase(running.channel).FindFileContainingSymbol(symbol)
    assert found.package == symbol.rpartition(".")[0]


def test_reflection_speaks_both_versions(running: Running) -> None:
    """Version 1 of reflection is there beside v1alpha."""
    ask = running.channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    (answer,) = ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    assert len(answer.list_services_response.service) == 4


def test_reflection_can_be_switched_off(serve: Serve) -> None:
    """With BURRACO_REFLECTION=false nobody can ask."""
    running = serve(reflection=False)
    ask = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
    assert refusal(lambda: list(reflect(running, ask))).code() is grpc.StatusCode.UNIMPLEMENTED


def test_open_reflection_streams_leave_calls_alone(serve: Serve) -> None:
    """Reflection streams that stay open hold no thread that calls need."""
    running = serve(threads=1)
    gate = threading.Event()

    def requests() -> Iterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="")
        gate.wait(SECONDS)

    streams = [reflect(running, requests()) for _ in range(2)]
    for stream in streams:
        next(stream)
    assert running.get_rules() == pb.GetRulesResponse()
    gate.set()


def test_frequent_pings_are_tolerated(serve: Serve) -> None:
    """A client that pings as often as it may, without calls, is not cut off."""
    options = [
        ("grpc.keepalive_time_ms", 1_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    running = serve(options, min_ping_interval_seconds=1)
    running.get_rules()
    states: list[grpc.ChannelConnectivity] = []
    running.channel.subscribe(states.append)
    time.sleep(5)
    assert set(states) == {grpc.ChannelConnectivity.READY}
    peers = {line["peer"] for line in running.events("call")}
    running.get_rules()
    assert {line["peer"] for line in running.events("call")} == peers
