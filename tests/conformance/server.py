"""A server for the vectors: a process of its own, with the environment that the manifest names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from burraco_conformance.caller import Channels
from burraco_conformance.values import Json
from service.server.settings import PREFIX
from tests.server.processes import REAL, Process

GAME_SERVICE: Final = "burraco.v1.GameService"
ARBITER_SERVICE: Final = "burraco.v1.ArbiterService"


@contextmanager
def channels_to(targets: Mapping[str, str]) -> Iterator[Channels]:
    """Channels to servers that run already, by service."""
    channels = Channels(targets)
    try:
        yield channels
    finally:
        channels.close()


@contextmanager
def fresh_server(manifest: Json) -> Iterator[Channels]:
    """Start a server on free ports; it ends with the block."""
    settings = {name.removeprefix(PREFIX).lower(): value for name, value in manifest["environment"].items()}
    with Process(REAL, {"arbiter_port": "0", **settings}) as process:
        ports = {GAME_SERVICE: process.port, ARBITER_SERVICE: process.announced["arbiter_port"]}
        with channels_to({service: f"127.0.0.1:{port}" for service, port in ports.items()}) as channels:
            yield channels
