"""Players who go on whatever happens to the replicas, by client-side round robin over all of them."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Self

import grpc
from google.protobuf.message import Message

from burraco import Client, connect
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import moves_pb2, rules_pb2
from tests.api.client import SPECTATOR, choose, only

GAMES: Final = (
    rules_pb2.PRESET_TWO_PLAYER,
    rules_pb2.PRESET_ITALIAN,
    rules_pb2.PRESET_GIN,
    rules_pb2.PRESET_RAMINO,
    rules_pb2.PRESET_SCALA_40,
)
LONGEST: Final = 40
"""Moves of a match, after which it is left lying in the store."""
TIMEOUT: Final = 20.0
"""Of a call with its retries, in seconds: a call that waits for a slow machine has not failed."""
PAUSE: Final = 0.004
"""Between two calls of a player, in seconds, so that a small machine has time to start a replica."""


@dataclass
class Match:
    """A match as its players' back end stores it, and the moves that led there."""

    request: pb.CreateMatchRequest
    state: bytes
    seat: int
    moves: list[tuple[int, moves_pb2.Move]] = field(default_factory=list)
    over: bool = False


def create(call: Callable[..., Any], stub: Any, request: pb.CreateMatchRequest) -> Match:  # noqa: ANN401 - a generated stub
    """Begin a match."""
    created = call(stub.CreateMatch, request)
    return Match(request, created.state, created.updates[0].view.turn)


def play(call: Callable[..., Any], stub: Any, match: Match, move: moves_pb2.Move) -> None:  # noqa: ANN401 - as above
    """Make a move and store what comes of it; a listed move that is refused is a wrong answer."""
    request = pb.ApplyMovesRequest(state=match.state, seat=match.seat, moves=[move], viewers=[SPECTATOR])
    answer = call(stub.ApplyMoves, request)
    assert answer.WhichOneof("outcome") == "accepted", f"a listed move was refused: {answer}"
    after = answer.accepted
    match.moves.append((match.seat, move))
    match.state, match.over = after.state, after.updates[0].view.HasField("result")
    if after.HasField("turn"):
        match.seat = after.turn


class Player(threading.Thread):
    """Plays one match after the other through a client of its own, as the package ships it."""

    def __init__(self, number: int, target: str, options: list[tuple[str, int]], over: threading.Event) -> None:
        super().__init__(name=f"player-{number}", daemon=True)
        self.matches: list[Match] = []
        self.failures: list[str] = []
        self.calls = 0
        self._number = number
        self._rng = random.Random(number)
        own = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]
        self._client: Client = connect(target, timeout=TIMEOUT, options=[*own, *options])
        self._over = over

    def run(self) -> None:
        with self._client:
            while not self._over.is_set():
                try:
                    self._play_one()
                except grpc.RpcError as caught:
                    error: Any = caught
                    self.failures.append(f"{error.code()} {error.details()}")
                except Exception as error:  # noqa: BLE001 - whatever it was, it was one too many
                    self.failures.append(repr(error))

    def _play_one(self) -> None:
        number = len(self.matches)
        request = pb.CreateMatchRequest(
            rules=only(GAMES[(self._number + number) % len(GAMES)]),
            given_seed=bytes((self._number, *number.to_bytes(31, "big"))),
            viewers=[SPECTATOR],
        )
        stub: Any = self._client.stub
        match = create(self._call, stub, request)
        self.matches.append(match)
        while not match.over and len(match.moves) < LONGEST and not self._over.is_set():
            listed = self._call(stub.ListLegalMoves, pb.ListLegalMovesRequest(state=match.state, seat=match.seat))
            play(self._call, stub, match, choose(listed.legal_moves, self._rng))

    def _call(self, method: Any, request: Message) -> Any:  # noqa: ANN401 - of a generated stub
        self.calls += 1
        answer = method(request, metadata=(("x-request-id", self.name),))
        time.sleep(PAUSE)
        return answer


class Load:
    """Players at the same replicas; what they saw."""

    def __init__(self, players: int, target: str, options: list[tuple[str, int]]) -> None:
        self._over = threading.Event()
        self.players = [Player(number, target, options, self._over) for number in range(players)]

    def __enter__(self) -> Self:
        for player in self.players:
            player.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for player in self.players:
            player.join(4 * TIMEOUT)
            assert not player.is_alive(), "a player hangs"

    @property
    def calls(self) -> int:
        """Calls made so far."""
        return sum(player.calls for player in self.players)

    @property
    def failures(self) -> list[str]:
        """Every call that failed, and every answer that was plainly wrong."""
        return [failure for player in self.players for failure in player.failures]

    @property
    def matches(self) -> list[Match]:
        """Every match there is."""
        return [match for player in self.players for match in tuple(player.matches)]
