"""Real servers behind real sockets: one for all tests of the API, since it keeps nothing, and others on demand."""

import base64
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeAlias

import grpc
import pytest

from service.api.arbiter_service import ArbiterService
from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.server.log import make_log
from service.server.server import Server, start_arbiter, start_server
from service.server.settings import PREFIX, Settings
from service.server.telemetry import NO_TELEMETRY, Telemetry
from service.wire.sealing import Sealer
from tests.api.client import KEY, NOW, SECONDS, Api
from tests.support.transport import TRANSPORT

Serve: TypeAlias = Callable[..., Api]


@contextmanager
def serving(
    sealing_key: bytes, opening_keys: tuple[bytes, ...] = (), telemetry: Telemetry = NO_TELEMETRY, **more: object
) -> Iterator[Api]:
    """A server with the settings of development and keys that the tests know."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(PREFIX):
                patch.delenv(name)
        chosen = {"sealing_key": text_of(sealing_key), "opening_keys": ",".join(map(text_of, opening_keys)) or None}
        common = {"development": True, "port": 0, "reflection": False, "transport": TRANSPORT}
        settings = Settings.model_validate({**common, **chosen, **more})
    log = io.StringIO()
    # Tokens are issued by a clock that stands still, so that equal requests have equal answers.
    issuer = Issuer(settings.token_keys, settings.seat_token_seconds, lambda: NOW)
    sealer = Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes)
    lines = make_log(log, "info", "json")
    with ExitStack() as stack:

        def channel_to(server: Server) -> grpc.Channel:
            stack.callback(server.close)
            stack.callback(lambda: server.stop(None).wait(SECONDS))
            channel = grpc.insecure_channel(f"127.0.0.1:{server.port}", [("grpc.enable_http_proxy", 0)])
            return stack.enter_context(channel)

        server = start_server(settings, GameService(sealer, issuer), lines, telemetry)
        channel, arbiter = channel_to(server), None
        if settings.arbiter_port is not None:
            arbiter = channel_to(start_arbiter(settings, ArbiterService(sealer), lines, telemetry))
        yield Api(server, channel, log, arbiter)


def text_of(key: bytes) -> str:
    """A key as the settings take it."""
    return base64.b64encode(key).decode()


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    """The server of most tests."""
    with serving(KEY) as running:
        yield running


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start more servers, with keys of the test's choice; all are stopped after it."""
    with ExitStack() as stack:

        def start(sealing_key: bytes, *opening_keys: bytes) -> Api:
            return stack.enter_context(serving(sealing_key, opening_keys))

        yield start
