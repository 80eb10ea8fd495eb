"""Real servers on ports of their own."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import grpc
import pytest

from service.server import lobby
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import PREFIX, Settings
from service.server.telemetry import NO_TELEMETRY, Telemetry
from tests.server.stub import SECONDS, Running, StubGame
from tests.server.watch import Watch
from tests.support.transport import TRANSPORT

Serve = Callable[..., Running]
WATCHED = frozenset(("test_calls", "test_errors", "test_streams"))
"""Modules whose tests of calls run twice: a call ends the same when metrics and traces are taken of it."""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call is late because its client, which is in the same process, waits for the processor: so all are counted."""
    monkeypatch.setattr(lobby, "LATE_SECONDS", SECONDS)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers with settings of the test's choice; all are stopped after it."""
    with ExitStack() as stack:

        def start(
            channel_options: list[tuple[str, int]] | None = None,
            telemetry: Telemetry = NO_TELEMETRY,
            **settings: object,
        ) -> Running:
            log, game = io.StringIO(), StubGame()
            chosen = Settings.model_validate({"development": True, "port": 0, "transport": TRANSPORT, **settings})
            server = start_server(chosen, game, make_log(log, "info", "json"), telemetry)
            stack.callback(server.close)
            stack.callback(lambda: server.stop(None).wait(SECONDS))
            channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{server.port}", channel_options))
            return Running(game, server, channel, log)

        yield start


@pytest.fixture
def running(serve: Serve, request: pytest.FixtureRequest) -> Running:
    """A server with the settings of development."""
    return serve(telemetry=Watch().telemetry) if getattr(request, "param", False) else serve()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of WATCHED without and with somebody who watches."""
    if metafunc.module.__name__.rpartition(".")[2] in WATCHED and "running" in metafunc.fixturenames:
        metafunc.parametrize("running", [False, True], indirect=True, ids=["plain", "watched"])
