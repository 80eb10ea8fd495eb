"""Load on a server: matches played by several callers, each on a connection of its own, until told to stop."""

import random
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

import grpc

from burraco import Client, RulesError, Table, connect, moves
from burraco.v1 import game_service_pb2 as pb
from burraco.v1.rules_pb2 import Preset, RulesSelection
from tests.server.stub import SECONDS

ALONE: Final = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0))
"""Channel options: a connection that no other channel shares."""
STEPS: Final = 60
"""Moves of a match; some are over before."""


def play(client: Client, seed: int, steps: int = STEPS) -> bytes:
    """Play a match at random, always the same for a seed, and give its last state."""
    chance = random.Random(seed)
    preset = chance.choice([Preset.PRESET_ITALIAN, Preset.PRESET_GIN, Preset.PRESET_RAMINO])
    table = Table.create(client, preset, given_seed=seed.to_bytes(32, "big"))
    for _ in range(steps):
        if table.turn is None:
            if not table.updates[0].view.HasField("score_sheet") or table.updates[0].view.HasField("result"):
                break
            table.next_deal()
            continue
        legal = table.legal(table.turn, max_moves=200)
        playable = [move for move in moves.expand(legal) if not move.HasField("resign")]
        table.play(table.turn, chance.choice(playable))
    return table.state


@dataclass
class Players:
    """Callers with the shipped client's retries, each of which plays match after match."""

    port: int
    count: int
    ended: dict[int, bytes] = field(default_factory=dict)
    """The last state of each match, by its seed."""

    def __enter__(self) -> Self:
        self._stop = threading.Event()
        self._threads = ThreadPoolExecutor(self.count)
        self._futures: list[Future[None]] = [self._threads.submit(self._play_on, first) for first in range(self.count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._threads.shutdown()
        if error is None:
            for future in self._futures:
                future.result()

    def _play_on(self, seed: int) -> None:
        with connect(f"127.0.0.1:{self.port}", timeout=SECONDS, options=ALONE) as client:
            while not self._stop.is_set():
                self.ended[seed] = play(client, seed)
                seed += self.count


@dataclass
class Callers:
    """Callers without retries, who note how each of their calls of a short RPC ended."""

    port: int
    count: int
    codes: Counter[grpc.StatusCode] = field(default_factory=Counter)

    def __enter__(self) -> Self:
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._call_on) for _ in range(self.count)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(SECONDS)

    def _call_on(self) -> None:
        options = (*ALONE, ("grpc.initial_reconnect_backoff_ms", 50), ("grpc.enable_retries", 0))
        with connect(f"127.0.0.1:{self.port}", timeout=SECONDS, options=options) as client:
            request = pb.GetRulesRequest(rules=RulesSelection(preset=Preset.PRESET_GIN))
            while not self._stop.is_set():
                code = grpc.StatusCode.OK
                try:
                    client.call(client.stub.GetRules, request)
                except RulesError as error:
                    code = error.code
                with self._lock:
                    self.codes[code] += 1
                if code != grpc.StatusCode.OK:
                    self._stop.wait(0.02)
