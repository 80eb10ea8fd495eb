"""Two replicas, with the real proxies before them, for all tests that disturb nothing."""

import io
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from burraco.channel import Client, connect
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import rules_pb2
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import Settings
from tests.edge.behind import OWN_CONNECTION, Behind, Start, nothing_is_left
from tests.edge.proxies import DOORS, Edit, Envoy, as_shipped, envoy, front, nginx, plain_channel
from tests.edge.replicas import API_KEY, LOOPBACK, SECONDS, Replica, replicas
from tests.server.stub import StubGame

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


@pytest.fixture(params=DOORS)
def target(request: pytest.FixtureRequest) -> str:
    """Where back ends call, through either proxy."""
    if request.param == "nginx":
        return f"{LOOPBACK}:{request.getfixturevalue('nginx_port')}"
    proxy: Envoy = request.getfixturevalue("proxy")
    return f"{LOOPBACK}:{proxy.back_end}"


@pytest.fixture
def client(target: str) -> Iterator[Client]:
    """A back end behind either proxy."""
    with connect(target, api_key=API_KEY, timeout=20, options=PLAIN) as made:
        yield made


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


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest) -> str:
    """Either proxy."""
    return str(request.param)


@pytest.fixture
def start(door: str) -> Iterator[Start]:
    """Start servers with settings of the test's choice behind a proxy; at the end of the test no stream is left."""
    with ExitStack() as stack:
        made: list[Behind] = []

        def start(edit: Edit = as_shipped, **settings: object) -> Behind:
            log, game = io.StringIO(), StubGame()
            chosen = Settings.model_validate({"development": True, "port": 0, **settings})
            server = start_server(chosen, game, make_log(log, "info", "json"))
            stack.callback(server.close)
            stack.callback(lambda: server.stop(None).wait(SECONDS))
            target = stack.enter_context(front(door, [server.port], edit))
            channel = stack.enter_context(plain_channel(target, OWN_CONNECTION))
            made.append(Behind(game, server, channel, log, target))
            return made[-1]

        yield start
        for behind in made:
            nothing_is_left(behind)
