"""Plain gRPC through both proxies."""

import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from burraco.channel import Client, connect
from burraco.errors import RulesError
from burraco.v1 import cards_pb2
from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import Settings
from tests.edge.conftest import PLAIN
from tests.edge.matches import play, undisturbed
from tests.edge.proxies import DOORS, Envoy, front, plain_channel
from tests.edge.replicas import API_KEY, LOOPBACK, SECONDS, Replica
from tests.edge.web import GAME
from tests.server.stub import StubGame


def failure(target: str, path: str, payload: bytes = b"", **metadata: str) -> Any:  # noqa: ANN401 - an error that is a call
    """Make a call that has to fail, without retries."""
    with plain_channel(target) as channel:
        named = [(name.replace("_", "-"), value) for name, value in metadata.items()]
        method: Any = channel.unary_unary(path)
        with pytest.raises(grpc.RpcError) as caught:
            method(payload, timeout=SECONDS, metadata=named)
        return caught.value


def test_a_match_goes_as_it_goes_without_a_proxy(client: Client, service: list[Replica]) -> None:
    """Every answer is byte for byte that of the service, and every replica gave some of them."""
    before = [replica.calls() for replica in service]
    played = play(lambda rpc, request: client.call(getattr(client.stub, rpc), request), 3)
    assert played == undisturbed(3)
    for replica, calls in zip(service, before, strict=True):
        assert replica.calls() > calls + 5


def test_rich_errors_come_through(target: str, client: Client) -> None:
    """The details of an error arrive as they left."""
    error = failure(
        target, f"{GAME}GetView", pb.GetViewRequest(state=b"x" * 40).SerializeToString(), burraco_api_key=API_KEY
    )
    status = rpc_status.from_call(error)
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert status is not None
    kinds = {each.TypeName() for each in status.details}
    assert kinds == {
        error_details_pb2.ErrorInfo.DESCRIPTOR.full_name,
        error_details_pb2.BadRequest.DESCRIPTOR.full_name,
    }
    with pytest.raises(RulesError):
        client.call(client.stub.GetView, pb.GetViewRequest(state=b"x" * 40))


def test_who_shows_nothing_is_nobody(target: str) -> None:
    """A proxy is on the network of the servers, and its callers are not trusted for that."""
    error = failure(target, f"{GAME}ListPresets")
    assert error.code() == grpc.StatusCode.UNAUTHENTICATED
    assert failure(target, f"{GAME}ListPresets", burraco_api_key="x" * 20).code() == grpc.StatusCode.UNAUTHENTICATED


def test_a_seat_is_a_seat_behind_a_proxy(target: str, match: pb.CreateMatchResponse) -> None:
    """A seat's token makes a seat, and no other."""
    with connect(target, seat_token=match.seat_tokens[1], timeout=20, options=PLAIN) as seat:
        own = pb.GetViewRequest(state=match.state, viewer=cards_pb2.Viewer(seat=1))
        assert len(seat.call(seat.stub.GetView, own).view.seats[1].hand) == 11
        with pytest.raises(RulesError) as caught:
            seat.call(seat.stub.GetView, pb.GetViewRequest(state=match.state, viewer=cards_pb2.Viewer(seat=2)))
        assert caught.value.code == grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    "path",
    [
        "/grpc.health.v1.Health/Check",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/burraco.v1.ArbiterService/InspectState",
        "/burraco.v1.Other/Do",
        "/",
    ],
)
def test_nothing_but_the_game_is_reached(target: str, service: list[Replica], path: str) -> None:
    """Health, reflection, the arbiter, which runs, and whatever else is unknown end at the proxy."""
    assert service[0].arbiter_port
    before = sum(replica.calls() for replica in service)
    assert failure(target, path, burraco_api_key=API_KEY).code() == grpc.StatusCode.UNIMPLEMENTED
    assert sum(replica.calls() for replica in service) == before


@pytest.mark.parametrize("size", [300_000, 4_000_000])
def test_what_is_too_large_is_refused_quickly(target: str, size: int) -> None:
    """A request beyond the server's limit ends as gRPC has it, wherever it is noticed."""
    began = time.monotonic()
    error = failure(target, f"{GAME}ExplainMeld", bytes(size), burraco_api_key=API_KEY)
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert time.monotonic() - began < 5


@contextmanager
def answering(game: StubGame) -> Iterator[int]:
    """A server of this process whose game a test plays; its port."""
    settings = Settings.model_validate({"development": True, "port": 0, "api_keys": API_KEY})
    server = start_server(settings, game, make_log(io.StringIO(), "info", "json"))
    try:
        yield server.port
    finally:
        server.stop(None).wait(SECONDS)
        server.close()


@pytest.mark.parametrize("door", DOORS)
def test_the_callers_deadline_reaches_the_server(door: str) -> None:
    """The server knows how long the caller waits, and a caller whose time is up is told so."""
    left: list[float] = []
    seconds = {"sleep": 0.0}

    def answer(_request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        left.append(call.ends_at - time.monotonic())
        time.sleep(seconds["sleep"])
        return pb.GetRulesResponse()

    with answering(StubGame(answer)) as port, front(door, [port]) as target, plain_channel(target) as channel:
        method: Any = channel.unary_unary(f"{GAME}GetRules")
        for timeout in (3.0, 7.5):
            method(b"", timeout=timeout, metadata=[("burraco-api-key", API_KEY)])
            # gRPC rounds what it sends up, by less than a tenth of a second.
            assert timeout - 1 < left.pop() < timeout + 0.1
        seconds["sleep"] = 1.5
        with pytest.raises(grpc.RpcError) as caught:
            method(b"", timeout=0.5, metadata=[("burraco-api-key", API_KEY)])
        error: Any = caught.value
        assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        assert left.pop() < 0.6


def test_short_deadlines_eject_no_replica(proxy: Envoy, service: list[Replica]) -> None:
    """Callers choose their deadlines: whoever chooses them too short takes no replica from the others."""
    with plain_channel(f"{LOOPBACK}:{proxy.back_end}") as channel:
        method: Any = channel.unary_unary(f"{GAME}GetRules")
        codes = set()
        for _ in range(60):
            try:
                method(b"", timeout=0.001, metadata=[("burraco-api-key", API_KEY)])
            except grpc.RpcError as caught:
                error: Any = caught
                codes.add(error.code())
        assert grpc.StatusCode.DEADLINE_EXCEEDED in codes
    assert proxy.stat("cluster.burraco.outlier_detection.ejections_active") == 0
    assert proxy.stat("cluster.burraco.outlier_detection.ejections_enforced_total") == 0
    assert proxy.healthy() == len(service)


@pytest.mark.parametrize("door", ["envoy", "envoy-web", "nginx"])
def test_calls_whose_request_never_comes_stop_nobody(door: str, proxy: Envoy, nginx_port: int, client: Client) -> None:
    """More calls than the replicas have threads begin and send nothing, by any way in: others are answered."""
    port = {"envoy": proxy.back_end, "envoy-web": proxy.web, "nginx": nginx_port}[door]
    never = threading.Event()

    def nothing() -> Iterator[bytes]:
        never.wait(SECONDS)
        yield from ()

    with plain_channel(f"{LOOPBACK}:{port}") as channel:
        method: Any = channel.stream_unary(f"{GAME}GetRules")
        hung = [method.future(nothing(), timeout=SECONDS, metadata=[("burraco-api-key", API_KEY)]) for _ in range(24)]
        try:
            time.sleep(0.2)
            for _ in range(6):
                assert client.call(client.stub.ListPresets, pb.ListPresetsRequest(), timeout=10).presets
        finally:
            for call in hung:
                call.cancel()
            never.set()
