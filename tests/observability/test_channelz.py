"""Channelz: off unless set, guarded, on a port of its own; it tells of the process and fails for no number."""

import signal
from functools import partial
from typing import Any

import grpc
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import game_service_pb2_grpc
from service.server.channelz import CHANNELZ_SERVICE
from service.server.settings import Settings
from tests.api.client import KEY
from tests.api.conftest import serving, text_of
from tests.server.processes import REAL, Process, run_to_the_end
from tests.server.stub import SECONDS, failure, refusal

API_KEY = "a-long-secret-of-yours"
NUMBERS = [0, 1, 2, 3, 1_000_000, 2**63 - 1, -1, -(2**63)]
FAILURES = {grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT}


def test_off_by_default() -> None:
    """Without the setting nothing listens."""
    with Process(REAL, {}) as process:
        assert "admin_port" not in process.announced


def test_it_tells_of_the_process() -> None:
    """The servers, their calls and sockets are told on the port that is announced; one signal ends all."""
    with Process(REAL, {"admin_port": "0", "arbiter_port": "0"}) as process:
        assert process.announced["admin_host"] == "127.0.0.1"
        process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
        with grpc.insecure_channel(f"127.0.0.1:{process.announced['admin_port']}") as channel:
            stub: Any = channelz_pb2_grpc.ChannelzStub(channel)
            servers = stub.GetServers(channelz_pb2.GetServersRequest(), timeout=SECONDS).server
            assert len(servers) == 3
            assert sum(server.data.calls_succeeded for server in servers) >= 1
            for server in servers:
                number = server.ref.server_id
                one = stub.GetServer(channelz_pb2.GetServerRequest(server_id=number), timeout=SECONDS)
                assert one.server.ref.server_id == number
                sockets = stub.GetServerSockets(channelz_pb2.GetServerSocketsRequest(server_id=number), timeout=SECONDS)
                for socket in sockets.socket_ref:
                    request = channelz_pb2.GetSocketRequest(socket_id=socket.socket_id)
                    assert stub.GetSocket(request, timeout=SECONDS).socket.ref.socket_id == socket.socket_id
            check_health_and_reflection(channel)
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    assert process.events("started")[0]["admin_port"] == process.announced["admin_port"]


def check_health_and_reflection(channel: grpc.Channel) -> None:
    name = CHANNELZ_SERVICE.full_name
    health: Any = health_pb2_grpc.HealthStub(channel)
    answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=SECONDS)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    (listed,) = reflection.ServerReflectionInfo(
        iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=SECONDS
    )
    names = {service.name for service in listed.list_services_response.service}
    assert name in names
    assert "burraco.v1.GameService" not in names


def test_neither_port_has_what_is_the_others() -> None:
    """The game's port knows no channelz, and the admin port no game."""
    with Process(REAL, {"admin_port": "0"}) as process:
        stub: Any = channelz_pb2_grpc.ChannelzStub(process.channel)
        refused = refusal(lambda: stub.GetServers(channelz_pb2.GetServersRequest(), timeout=SECONDS))
        assert refused.code() is grpc.StatusCode.UNIMPLEMENTED
        with grpc.insecure_channel(f"127.0.0.1:{process.announced['admin_port']}") as channel:
            game = game_service_pb2_grpc.GameServiceStub(channel)
            refused = refusal(lambda: game.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS))
            assert refused.code() is grpc.StatusCode.UNIMPLEMENTED


def test_no_number_is_a_fault_of_the_service() -> None:
    """Whatever number is asked for, the answer is one, NOT_FOUND or INVALID_ARGUMENT: never INTERNAL."""
    with Process(REAL, {"admin_port": "0"}) as process:
        address = f"127.0.0.1:{process.announced['admin_port']}"
        with grpc.insecure_channel(address) as channel:
            stub: Any = channelz_pb2_grpc.ChannelzStub(channel)
            for rpc in CHANNELZ_SERVICE.methods:
                request_class = getattr(channelz_pb2, f"{rpc.name}Request")
                for field in request_class.DESCRIPTOR.fields:
                    for number in NUMBERS:
                        try:
                            getattr(stub, rpc.name)(request_class(**{field.name: number}), timeout=SECONDS)
                        except grpc.RpcError as error:
                            call: Any = error
                            assert call.code() in FAILURES, (rpc.name, field.name, number, call.details())
                method: Any = channel.unary_unary(f"/{CHANNELZ_SERVICE.full_name}/{rpc.name}")
                bad = refusal(partial(method, b"\xff"))
                assert bad.code() is grpc.StatusCode.INVALID_ARGUMENT
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    assert process.events("fault") == []


def test_a_seat_is_refused() -> None:
    """Channelz is for back ends: a seat's token opens nothing, nor does nothing at all where keys are asked for."""
    with serving(KEY) as api:
        token = api.create().seat_tokens[0]
    settings = {"admin_port": "0", "api_keys": API_KEY, "sealing_key": text_of(KEY)}
    with Process(REAL, settings) as process:
        address = f"127.0.0.1:{process.announced['admin_port']}"
        with grpc.insecure_channel(address) as channel:
            stub: Any = channelz_pb2_grpc.ChannelzStub(channel)

            def ask(*metadata: tuple[str, str]) -> Any:  # noqa: ANN401 - its stubs have no types
                return stub.GetServers(channelz_pb2.GetServersRequest(), timeout=SECONDS, metadata=metadata)

            assert failure(ask).code is grpc.StatusCode.UNAUTHENTICATED
            failed = failure(lambda: ask(("burraco-seat-token", token)))
            assert (failed.code, failed.info.reason) == (grpc.StatusCode.PERMISSION_DENIED, "REASON_BACK_END_ONLY")
            assert len(ask(("burraco-api-key", API_KEY)).server) == 2


def test_others_can_reach_it_only_with_a_key() -> None:
    """A trusted network is not enough to be told who is connected."""
    settings = {"development": "true", "port": "0", "admin_port": "0", "admin_host": "192.0.2.1"}
    for more in ({}, {"trust_network": "true"}):
        ended = run_to_the_end(REAL, **settings, **more)
        assert ended.returncode == 2
        assert "BURRACO_ADMIN_HOST" in ended.stderr
        assert "BURRACO_API_KEYS" in ended.stderr


def test_who_calls_is_known_as_at_the_arbiter() -> None:
    """Beyond loopback no network is trusted."""
    chosen = {"development": True, "api_keys": API_KEY, "trust_network": True}
    assert Settings.model_validate(chosen).admin_trust.network
    beyond = Settings.model_validate(chosen | {"admin_host": "192.0.2.1", "admin_port": 1})
    assert not beyond.admin_trust.network
    assert beyond.admin_trust.api_keys == (API_KEY,)


def test_the_same_port_twice_does_not_start() -> None:
    """The admin port cannot be that of the game."""
    with Process(REAL, {}) as process:
        ended = run_to_the_end(REAL, development="true", port="0", admin_port=str(process.port))
    assert ended.returncode == 2
    assert "BURRACO_ADMIN_PORT" in ended.stderr
