"""The calls of the soak: every RPC and preset, legal, illegal and malformed, each with what it has to be answered."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from google.protobuf.message import Message

from burraco import Client, Table, connect, moves
from burraco.v1 import game_service_pb2 as pb
from burraco.v1.cards_pb2 import Viewer
from burraco.v1.moves_pb2 import Move
from burraco.v1.rules_pb2 import Preset, RulesSelection

STEPS: Final = 30
"""Moves that are recorded of a match of each preset."""
TOO_LARGE: Final = 300_000
LEGAL, ILLEGAL, MALFORMED = "legal", "illegal", "malformed"

REFUSED: Final = frozenset(
    (
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )
)
"""How a call may fail that its caller got wrong."""


@dataclass(frozen=True)
class Asked:
    """One call, and its answer: the same bytes whenever it is made; None where there is a time or chance in it."""

    kind: str
    rpc: str
    payload: bytes
    answer: bytes | None = None


def record(address: str, seed: int) -> list[Asked]:
    """Play some of a match of each preset, and keep what can be asked along the way, with what was answered."""
    chance = random.Random(seed)
    with connect(address, timeout=30.0) as client:
        found = [each for preset in Preset.values()[1:] for each in _Match(client, preset, chance).play()]
        found.append(_ask(client, LEGAL, "ListPresets", pb.ListPresetsRequest()))
        found.append(Asked(LEGAL, "CommitSeed", b""))
    return [*found, *_malformed(found, chance)]


class _Match:
    """A match that is played and asked about."""

    def __init__(self, client: Client, preset: Preset.ValueType, chance: random.Random) -> None:
        self._client = client
        self._chance = chance
        self._rules = RulesSelection(preset=preset)
        self._seed = chance.randbytes(32)
        self._table = Table.create(client, preset, given_seed=self._seed, dealer=0)
        self._played: list[pb.RecordedMove] = []

    def play(self) -> Iterator[Asked]:
        """Play on and ask at each turn."""
        seats = pb.GivenSeats(dealer=0)
        created = pb.CreateMatchRequest(rules=self._rules, given_seed=self._seed, given_seats=seats)
        yield Asked(LEGAL, "CreateMatch", created.SerializeToString())
        asked = pb.GetRulesRequest(rules=self._rules)
        yield _ask(self._client, LEGAL, "GetRules", asked)
        for _ in range(STEPS):
            seat = self._table.turn
            if seat is None:
                yield _ask(self._client, LEGAL, "ScoreDeal", pb.ScoreDealRequest(state=self._table.state))
                break
            yield from self._turn(seat)
        rules = self._client.call(self._client.stub.GetRules, asked).rules
        replay = pb.ReplayMatchRequest(rules=rules, seed=self._seed, given_seats=seats, moves=self._played)
        yield _ask(self._client, LEGAL, "ReplayMatch", replay)
        token = pb.IssueSeatTokenRequest(state=self._table.state, seat=0)
        yield Asked(LEGAL, "IssueSeatToken", token.SerializeToString())

    def _turn(self, seat: int) -> Iterator[Asked]:
        client, table, other = self._client, self._table, 1 - seat % 2
        listed = moves.expand(table.legal(seat, max_moves=200))
        move = self._chance.choice([each for each in listed if not each.HasField("resign")])
        hand = list(table.view(seat).seats[seat].hand)
        meld = moves.meld(self._chance.sample(hand, min(len(hand), 4)))
        viewer = Viewer(seat=seat)
        yield _ask(client, LEGAL, "GetView", pb.GetViewRequest(state=table.state, viewer=viewer))
        yield _ask(client, LEGAL, "ListLegalMoves", pb.ListLegalMovesRequest(state=table.state, seat=seat))
        yield _ask(client, LEGAL, "CheckMoves", pb.CheckMovesRequest(state=table.state, seat=seat, moves=[move]))
        yield self._apply(LEGAL, seat, move)
        yield self._apply(LEGAL, seat, move, viewer)
        yield self._apply(ILLEGAL, other, move)  # out of turn
        yield self._apply(ILLEGAL, seat, meld)  # out of phase, or no meld, most often
        yield _ask(client, ILLEGAL, "CheckMoves", pb.CheckMovesRequest(state=table.state, seat=other, moves=[meld]))
        explain = pb.ExplainMeldRequest(rules=self._rules, cards=meld.meld.cards)
        yield _ask(client, ILLEGAL, "ExplainMeld", explain)
        table.play(seat, move)
        self._played.append(pb.RecordedMove(seat=seat, move=move))

    def _apply(self, kind: str, seat: int, move: Move, *viewers: Viewer) -> Asked:
        request = pb.ApplyMovesRequest(state=self._table.state, seat=seat, moves=[move], viewers=viewers)
        request.list_legal_moves = bool(viewers)
        return _ask(self._client, kind, "ApplyMoves", request)


def _ask(client: Client, kind: str, rpc: str, request: Message) -> Asked:
    response: Message = client.call(getattr(client.stub, rpc), request)
    return Asked(kind, rpc, request.SerializeToString(), response.SerializeToString())


def _malformed(asked: Sequence[Asked], chance: random.Random) -> Iterator[Asked]:
    """Spoil calls: bits and bytes of messages and of sealed states, lengths, nothing at all, far too much."""
    for each in asked:
        spoilt = bytearray(each.payload or b"\0")
        match chance.randrange(5):
            case 0:
                spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
            case 1:
                del spoilt[chance.randrange(len(spoilt)) :]
            case 2:
                spoilt += chance.randbytes(chance.randrange(1, 64))
            case 3:
                spoilt[:] = chance.randbytes(chance.randrange(200))
            case _:
                at = chance.randrange(len(spoilt))
                spoilt[at:at] = spoilt[: chance.randrange(len(spoilt)) + 1]
        yield Asked(MALFORMED, each.rpc, bytes(spoilt))
    for rpc in ("ApplyMoves", "GetView"):
        yield Asked(MALFORMED, rpc, b"")
        yield Asked(MALFORMED, rpc, chance.randbytes(TOO_LARGE))
