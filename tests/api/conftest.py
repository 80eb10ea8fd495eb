"""One real server for all tests of the API: they keep nothing in it, and neither does it."""

import base64
import io
import os
from collections.abc import Iterator

import grpc
import pytest

from service.api.game_service import GameService
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import PREFIX, Settings
from service.wire.sealing import Sealer
from tests.api.client import KEY, SECONDS, Api


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    """A server with the settings of development and a key that the tests know."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(PREFIX):
                patch.delenv(name)
        settings = Settings.model_validate(
            {"development": True, "port": 0, "sealing_key": base64.b64encode(KEY).decode(), "reflection": False}
        )
    log = io.StringIO()
    game = GameService(Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes))
    server = start_server(settings, game, make_log(log, "info", "json"))
    try:
        with grpc.insecure_channel(f"127.0.0.1:{server.port}", [("grpc.enable_http_proxy", 0)]) as channel:
            yield Api(server, channel, log)
    finally:
        server.stop(None).wait(SECONDS)
        server.close()
