"""The connection: readiness, deadlines, retries."""

import json
import threading
import time
from collections.abc import Callable

import grpc
import pytest
from google.protobuf.message import Message

from burraco import Client, RulesError, aio, connect
from burraco.channel import service_config
from burraco.v1 import arbiter_service_pb2, game_service_pb2
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from tests.clients.python.fake import FakeService


def test_wait_ready(client: Client) -> None:
    """A client that is connected says so by returning itself."""
    assert client.wait_ready(timeout=10) is client


def test_wait_ready_names_the_target() -> None:
    """Without a server the wait ends, and the error names who did not answer."""
    with connect("127.0.0.1:1") as nobody, pytest.raises(TimeoutError, match=r"127\.0\.0\.1:1 within 0\.1 s"):
        nobody.wait_ready(timeout=0.1)


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED], ids=lambda code: code.name)
def test_a_replica_that_goes_away_is_no_failure(client: Client, service: FakeService, code: grpc.StatusCode) -> None:
    """The call is made again, four times in all. CANCELLED is what gRPC says of one that came as its server ended."""

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        if len(service.requests) < 4:
            context.abort(code, "draining")
        return ListPresetsResponse()

    service.answer = answer
    client.call(client.stub.ListPresets, ListPresetsRequest())
    assert len(service.requests) == 4


def test_other_failures_are_not_retried(client: Client, service: FakeService) -> None:
    """Nothing else is retried; ABORTED means that the caller has to look again."""
    service.answer = lambda request, context: context.abort(grpc.StatusCode.ABORTED, "moved in between")
    with pytest.raises(RulesError):
        client.call(client.stub.ListPresets, ListPresetsRequest())
    assert len(service.requests) == 1


def test_every_call_has_the_deadline(service: FakeService) -> None:
    """The deadline given to `connect` holds for calls through the bare stub too."""
    released = threading.Event()

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        released.wait(30)
        return ListPresetsResponse()

    service.answer = answer
    try:
        with connect(service.address, timeout=0.2, keepalive=30) as hasty, pytest.raises(grpc.RpcError) as caught:
            hasty.stub.ListPresets(ListPresetsRequest())
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    finally:
        released.set()


@pytest.mark.parametrize("given", [None, 5.0])
def test_a_deadline_is_as_long_as_it_says(service: FakeService, given: float | None) -> None:
    """A call that takes most of its time is answered: no deadline passes early, as those of gRPC's core do."""

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        time.sleep(0.6)
        return ListPresetsResponse()

    service.answer = answer
    with connect(service.address, timeout=1.5) as client:
        client.call(client.stub.ListPresets, ListPresetsRequest(), timeout=given)
        client.stub.ListPresets(ListPresetsRequest())


def test_call_ends_at_its_deadline(service: FakeService) -> None:
    """What `connect` is given is when a call ends, and a longer time for one call does not change that."""
    released = threading.Event()

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        released.wait(30)
        return ListPresetsResponse()

    service.answer = answer
    try:
        with connect(service.address, timeout=0.3) as client:
            for given in (None, 0.1, 20.0):
                began = time.monotonic()
                with pytest.raises(RulesError) as caught:
                    client.call(client.stub.ListPresets, ListPresetsRequest(), timeout=given)
                assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
                assert time.monotonic() - began < 1.5
    finally:
        released.set()


def test_own_options_win(service: FakeService) -> None:
    """A channel argument of the caller's replaces the one set here."""
    service.answer = lambda request, context: context.abort(grpc.StatusCode.UNAVAILABLE, "draining")
    with connect(service.address, options=[("grpc.service_config", "{}")]) as plain, pytest.raises(RulesError):
        plain.call(plain.stub.ListPresets, ListPresetsRequest())
    assert len(service.requests) == 1


def test_service_config_names_services_of_the_contract() -> None:
    """Every service and method of the shipped config exists."""
    files = (game_service_pb2.DESCRIPTOR, arbiter_service_pb2.DESCRIPTOR)
    known = {service.full_name: service for file in files for service in file.services_by_name.values()}
    names = [name for method in json.loads(service_config(3))["methodConfig"] for name in method["name"]]
    assert {name["service"] for name in names} == set(known)
    for name in names:
        assert "method" not in name or name["method"] in known[name["service"]].methods_by_name


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan"), float("inf"), 1e12])
@pytest.mark.parametrize("connecting", [connect, aio.connect])
def test_a_timeout_without_a_chance_is_refused(connecting: Callable[..., object], timeout: float) -> None:
    """Every call would end with DEADLINE_EXCEEDED, for which a caller would look elsewhere."""
    with pytest.raises(ValueError, match=r"^timeout is .*: give seconds, more than 0 and at most 1e\+09$"):
        connecting("127.0.0.1:1", timeout=timeout)


@pytest.mark.parametrize("keepalive", [0, -1.0, float("nan"), float("inf"), 1e7])
@pytest.mark.parametrize("connecting", [connect, aio.connect])
def test_pings_without_a_pause_are_refused(connecting: Callable[..., object], keepalive: float) -> None:
    """The service would close a connection that is pinged all the time."""
    with pytest.raises(ValueError, match=r"^keepalive is .*: give seconds, more than 0 and at most 2e\+06$"):
        connecting("127.0.0.1:1", keepalive=keepalive)
