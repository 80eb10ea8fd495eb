"""Three replicas, each a process on a port that stays its own, exchanged one by one."""

import random
import signal
import socket
import time
from contextlib import ExitStack
from typing import Final

from tests.rolling.load import Load
from tests.server.processes import REAL, Process

REPLICAS: Final = 3
PATIENCE: Final = 120.0
"""Seconds for all clients to come back to a replica; on a slow machine each try of theirs is later than the last."""


class Fleet:
    """Replicas that take each other's place."""

    def __init__(self, stack: ExitStack, module: str = REAL, **settings: str) -> None:
        self._stack = stack
        self.ports = _free_ports()
        self.processes = [self._start(place, module, settings) for place in range(REPLICAS)]

    @property
    def target(self) -> str:
        """All replicas, as gRPC writes several addresses."""
        return "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def exchange(self, place: int, load: Load, module: str = REAL, **settings: str) -> None:
        """Stop a replica as an orchestrator does, start another in its place, and wait until all the load uses it."""
        gone = self.processes[place]
        gone.send(signal.SIGTERM)
        assert gone.wait() == 0, "calls were cut off"
        new = self.processes[place] = self._start(place, module, settings)
        end = time.monotonic() + PATIENCE
        for player in load.players:
            while f'"request_id": "{player.name}"' not in new.stderr:
                assert time.monotonic() < end, f"{player.name} does not come back; {load.failures}"
                time.sleep(0.02)
        assert not gone.events("fault")

    def _start(self, place: int, module: str, settings: dict[str, str]) -> Process:
        own = {"drain_seconds": "0.2", **settings, "port": str(self.ports[place])}
        return self._stack.enter_context(Process(module, own))


def _free_ports() -> list[int]:
    """Ports that are free, and none of those that the system hands out to others while a replica is exchanged."""
    found: list[int] = []
    while len(found) < REPLICAS:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0 and port not in found:
                found.append(port)
    return found
