"""A process that serves game and arbiter, and the log that it writes."""

import base64
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from burraco.v1 import arbiter_service_pb2_grpc, game_service_pb2_grpc
from service.api.arbiter_service import ArbiterService
from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.server.log import make_log
from service.server.server import start_arbiter, start_server
from service.server.servers import Servers
from service.server.settings import PREFIX, Settings
from service.wire.sealing import Sealer
from tests.server.stub import SECONDS
from tests.support.transport import TRANSPORT

KEY = bytes(range(32))


@dataclass
class Both:
    """The two ports of one process."""

    servers: Servers
    game: Any
    arbiter: Any
    game_channel: grpc.Channel
    arbiter_channel: grpc.Channel
    log: io.StringIO
    sealer: Sealer


@pytest.fixture(scope="session")
def both() -> Iterator[Both]:
    """Game and arbiter on ports of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(PREFIX):
                patch.delenv(name)
        chosen = {
            "transport": TRANSPORT,
            "development": True,
            "port": 0,
            "arbiter_port": 0,
            "sealing_key": base64.b64encode(KEY).decode(),
        }
        settings = Settings.model_validate(chosen)
    text = io.StringIO()
    log = make_log(text, "info", "json")
    sealer = Sealer(settings.sealing_key_bytes)
    started = start_server(settings, GameService(sealer, Issuer(settings.token_keys)), log)
    servers = Servers(started, start_arbiter(settings, ArbiterService(sealer), log))
    assert servers.arbiter is not None
    try:
        with (
            grpc.insecure_channel(f"127.0.0.1:{servers.game.port}") as game,
            grpc.insecure_channel(f"127.0.0.1:{servers.arbiter.port}") as arbiter,
        ):
            yield Both(
                servers,
                game_service_pb2_grpc.GameServiceStub(game),
                arbiter_service_pb2_grpc.ArbiterServiceStub(arbiter),
                game,
                arbiter,
                text,
                sealer,
            )
    finally:
        for server in servers.each:
            server.stop(None).wait(SECONDS)
        servers.close()
