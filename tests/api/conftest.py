"""Real servers behind real sockets: one for all tests of the API, since it keeps nothing, and others on demand."""

import base64
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeAlias

import grpc
import pytest

from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import PREFIX, Settings
from service.wire.sealing import Sealer
from tests.api.client import KEY, NOW, SECONDS, Api

Serve: TypeAlias = Callable[..., Api]


@contextmanager
def serving(sealing_key: bytes, opening_keys: tuple[bytes, ...] = (), **more: object) -> Iterator[Api]:
    """A server with the settings of development and keys that the tests know."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(PREFIX):
                patch.delenv(name)
        chosen = {"sealing_key": text_of(sealing_key), "opening_keys": ",".join(map(text_of, opening_keys)) or None}
        settings = Settings.model_validate({"development": True, "port": 0, "reflection": False, **chosen, **more})
    log = io.StringIO()
    # Tokens are issued by a clock that stands still, so that equal requests have equal answers.
    issuer = Issuer(settings.token_keys, settings.seat_token_seconds, lambda: NOW)
    game = GameService(Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes), issuer)
    server = start_server(settings, game, make_log(log, "info", "json"))
    try:
        with grpc.insecure_channel(f"127.0.0.1:{server.port}", [("grpc.enable_http_proxy", 0)]) as channel:
            yield Api(server, channel, log)
    finally:
        server.stop(None).wait(SECONDS)
        server.close()


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
