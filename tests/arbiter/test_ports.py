"""The arbiter's port: off unless set, guarded, announced, and stopped with the other."""

import json
import signal
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from burraco.v1 import arbiter_service_pb2 as pb
from burraco.v1 import arbiter_service_pb2_grpc
from service.server.settings import Settings
from tests.arbiter.conftest import Both
from tests.server.processes import REAL, Process, run_to_the_end
from tests.server.stub import failure, refusal

API_KEY = "a-long-secret-of-yours"


def arbiter_of(line: str) -> tuple[Any, grpc.Channel]:
    """A stub for the arbiter that was announced."""
    channel = grpc.insecure_channel(f"127.0.0.1:{json.loads(line)['arbiter_port']}")
    return arbiter_service_pb2_grpc.ArbiterServiceStub(channel), channel


def test_off_by_default() -> None:
    """Without the setting nothing listens, and nothing is announced."""
    with Process(REAL, {}) as process:
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    (started,) = process.events("started")
    assert "arbiter_port" not in started
    assert started["settings"]["arbiter_port"] is None
    assert process.events("arbiter") == []


def test_on_a_port_of_its_own_and_stopped_with_the_other() -> None:
    """The line that announces the port has the arbiter's too; one signal ends both."""
    with Process(REAL, {"arbiter_port": "0"}) as process:
        announced = process.announced
        assert announced["arbiter_host"] == "127.0.0.1"
        assert announced["arbiter_port"] != process.port
        stub, channel = arbiter_of(json.dumps(announced))
        failed = failure(lambda: stub.InspectState(pb.InspectStateRequest()))
        assert failed.info.reason == "REASON_FIELD_MISSING"
        channel.close()
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    assert process.events("started")[0]["arbiter_port"] == announced["arbiter_port"]
    assert len(process.events("arbiter")) == 1


def test_the_same_port_twice_does_not_start() -> None:
    """The arbiter's port cannot be that of the game."""
    with Process(REAL, {}) as process:
        ended = run_to_the_end(REAL, development="true", port="0", arbiter_port=str(process.port))
    assert ended.returncode == 2
    assert "BURRACO_ARBITER_PORT" in ended.stderr
    assert ended.stdout == ""


def test_others_can_reach_it_only_with_a_key() -> None:
    """A trusted network is not enough where whoever calls sees every card."""
    settings = {"development": "true", "port": "0", "arbiter_port": "0", "arbiter_host": "192.0.2.1"}
    for more in ({}, {"trust_network": "true"}):
        ended = run_to_the_end(REAL, **settings, **more)
        assert ended.returncode == 2
        assert "BURRACO_ARBITER_HOST" in ended.stderr
        assert "BURRACO_API_KEYS" in ended.stderr


@pytest.mark.parametrize(
    ("settings", "network", "keys"),
    [
        ({}, True, ()),
        ({"api_keys": API_KEY}, False, (API_KEY,)),
        ({"api_keys": API_KEY, "trust_network": True}, True, (API_KEY,)),
        ({"api_keys": API_KEY, "trust_network": True, "arbiter_host": "192.0.2.1"}, False, (API_KEY,)),
    ],
)
def test_it_trusts_as_the_game_does_but_no_network(
    settings: dict[str, Any], network: bool, keys: tuple[str, ...]
) -> None:
    """Off loopback an API key is asked of every caller."""
    chosen = Settings.model_validate({"development": True, "arbiter_port": 0, **settings})
    assert (chosen.arbiter_trust.network, tuple(chosen.arbiter_trust.api_keys)) == (network, keys)


def test_a_caller_without_the_key_is_not_known() -> None:
    """The key is asked for on the arbiter's port as on the other."""
    with Process(REAL, {"arbiter_port": "0", "api_keys": API_KEY}) as process:
        stub, channel = arbiter_of(json.dumps(process.announced))
        refused = refusal(lambda: stub.InspectState(pb.InspectStateRequest()))
        assert refused.code() is grpc.StatusCode.UNAUTHENTICATED
        failed = failure(lambda: stub.InspectState(pb.InspectStateRequest(), metadata=(("burraco-api-key", API_KEY),)))
        assert failed.info.reason == "REASON_FIELD_MISSING"
        channel.close()


def test_health_and_reflection_of_its_own(both: Both) -> None:
    """Each port tells of its own service."""
    for channel, own, other in (
        (both.arbiter_channel, "burraco.v1.ArbiterService", "burraco.v1.GameService"),
        (both.game_channel, "burraco.v1.GameService", "burraco.v1.ArbiterService"),
    ):
        health: Any = health_pb2_grpc.HealthStub(channel)
        serving = health_pb2.HealthCheckResponse.SERVING
        assert health.Check(health_pb2.HealthCheckRequest(service=own)).status == serving
        unknown = refusal(lambda: health.Check(health_pb2.HealthCheckRequest(service=other)))  # noqa: B023
        assert unknown.code() is grpc.StatusCode.NOT_FOUND
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        (answer,) = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        names = {service.name for service in answer.list_services_response.service}
        assert own in names
        assert other not in names
