"""Two replicas, with the real proxies before them, for all tests that disturb nothing."""

from collections.abc import Iterator

import pytest

from burraco.channel import Client, connect
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import rules_pb2
from tests.edge.proxies import Envoy, envoy, nginx
from tests.edge.replicas import API_KEY, Replica, replicas

PLAIN = [("grpc.enable_http_proxy", 0)]


@pytest.fixture(scope="session")
def service() -> Iterator[list[Replica]]:
    """The replicas, which have the arbiter on too."""
    with replicas(2, ARBITER_PORT="0") as made:
        yield made


@pytest.fixture(scope="session")
def proxy(service: list[Replica]) -> Iterator[Envoy]:
    """Envoy before them."""
    with envoy([replica.port for replica in service]) as made:
        yield made


@pytest.fixture(scope="session")
def nginx_port(service: list[Replica]) -> Iterator[int]:
    """Nginx before them."""
    with nginx([replica.port for replica in service]) as port:
        yield port


@pytest.fixture(scope="session")
def back_end(service: list[Replica]) -> Iterator[Client]:
    """A back end that calls a replica without any proxy."""
    with connect(service[0].address, api_key=API_KEY, timeout=20, options=PLAIN) as client:
        yield client


@pytest.fixture(scope="session")
def match(back_end: Client) -> pb.CreateMatchResponse:
    """A match for four, whose first dealer is seat 3, so that seat 0 is to move."""
    rules = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN)
    request = pb.CreateMatchRequest(rules=rules, given_seed=bytes(32), given_seats=pb.GivenSeats(dealer=3))
    return back_end.call(back_end.stub.CreateMatch, request)
