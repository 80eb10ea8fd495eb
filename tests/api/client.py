"""The service as its callers see it, with the key in hand: a server of this process behind a real socket."""

import io
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, NamedTuple

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from burraco.v1 import cards_pb2, game_service_pb2_grpc, moves_pb2, rules_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules import moves as m
from service.rules.hand import hand_of
from service.rules.record import Record
from service.rules.state import State
from service.server.server import Server
from service.wire.rules_codec import rules_message
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import decode_state, encode_state
from tests.support.walks import loneliest

KEY: Final = bytes(range(32))
SECONDS: Final = 30.0
NOW: Final = 4_102_444_800
"""When the servers of these tests issue tokens, in Unix seconds: in the year 2100, so that none expires."""
SERVICE: Final = "/burraco.v1.GameService/"
ARBITER: Final = "/burraco.v1.ArbiterService/"
ITALIAN: Final = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN)
FIBUR: Final = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_FIBUR)
SPECTATOR: Final = cards_pb2.Viewer(spectator=cards_pb2.Spectator())
EVERYONE: Final = (*(cards_pb2.Viewer(seat=seat) for seat in range(4)), SPECTATOR)
"""Every viewer of a table of four."""
BUILT: Final = (
    *("CommitSeed", "CreateMatch", "ApplyMoves", "CheckMoves", "ListLegalMoves"),
    *("GetView", "ScoreDeal", "ExplainMeld", "ListPresets", "GetRules", "IssueSeatToken", "ReplayMatch"),
)
"""RPCs that are built and are no streams."""
STREAMED: Final = ("StreamApplyMoves",)
"""RPCs that are built and are streams, which test_streams talks to."""
VOLATILE: Final = frozenset(("timestamp", "request_id", "peer", "microseconds", "rules_microseconds"))
"""Fields of a log line that differ between two equal calls."""


def everyone(players: int) -> tuple[cards_pb2.Viewer, ...]:
    """Every viewer of a table."""
    return (*(cards_pb2.Viewer(seat=seat) for seat in range(players)), SPECTATOR)


def only(preset: Any) -> rules_pb2.RulesSelection:  # noqa: ANN401 - a preset's number
    """The selection of a preset as it is."""
    return rules_pb2.RulesSelection(preset=preset)


class Outcome(NamedTuple):
    """How a call ended, whatever was sent."""

    code: grpc.StatusCode
    answer: bytes
    message: str = ""
    status: status_pb2.Status | None = None
    details: bytes = b""
    """The rich status as it travelled."""

    @property
    def info(self) -> error_details_pb2.ErrorInfo:
        """Reason, domain and arguments, which have to be there."""
        info: error_details_pb2.ErrorInfo = self.detail(error_details_pb2.ErrorInfo())
        return info

    @property
    def fields(self) -> list[str]:
        """Paths of the fields that are wrong."""
        request = self.detail(error_details_pb2.BadRequest())
        return [violation.field for violation in request.field_violations]

    @property
    def reason(self) -> str:
        """The reason, without its prefix."""
        return self.info.reason.removeprefix("REASON_")

    def detail(self, kind: Any) -> Any:  # noqa: ANN401 - a message in, the same message filled out
        assert self.status is not None, f"{self.code} {self.message} has no rich status"
        assert any(packed.Unpack(kind) for packed in self.status.details), f"no {kind.DESCRIPTOR.name} in {self.status}"
        return kind


@dataclass
class Api:
    """A server, a channel to it, and what it logged."""

    server: Server
    channel: grpc.Channel
    log: io.StringIO
    arbiter: grpc.Channel | None = None
    """To the arbiter's port, where it is on."""
    stub: game_service_pb2_grpc.GameServiceStub = field(init=False)
    sealer: Sealer = field(init=False)

    def __post_init__(self) -> None:
        self.stub = game_service_pb2_grpc.GameServiceStub(self.channel)
        self.sealer = Sealer(KEY)

    def send(self, rpc: str, payload: bytes, **metadata: str) -> Outcome:
        """Send bytes to an RPC and say how that ended."""
        return self.ask(SERVICE + rpc, payload, tuple(metadata.items()))

    def ask(self, path: str, payload: bytes, metadata: Sequence[tuple[str, str | bytes]] = ()) -> Outcome:
        """Send bytes to any path, with metadata that may name a thing twice."""
        channel = self.arbiter if self.arbiter and path.startswith(ARBITER) else self.channel
        method: Any = channel.unary_unary(path)
        try:
            answer: bytes = method(payload, timeout=SECONDS, metadata=tuple(metadata))
        except grpc.RpcError as caught:
            error: Any = caught
            trailing = dict(error.trailing_metadata() or ())
            details = trailing.get("grpc-status-details-bin", b"")
            return Outcome(error.code(), b"", error.details(), rpc_status.from_call(error), details)
        return Outcome(grpc.StatusCode.OK, answer)

    def fail(self, rpc: str, request: Message, **metadata: str) -> Outcome:
        """Make a call that has to fail with a rich status."""
        outcome = self.send(rpc, request.SerializeToString(), **metadata)
        assert outcome.code != grpc.StatusCode.OK, f"{rpc} succeeded"
        assert outcome.info.domain == "burraco"
        return outcome

    def create(self, rules: rules_pb2.RulesSelection = ITALIAN, seed: int = 1, **fields: Any) -> pb.CreateMatchResponse:  # noqa: ANN401 - fields of the request
        """Create a match from a given seed."""
        request = pb.CreateMatchRequest(rules=rules, given_seed=seed.to_bytes(32, "big"), **fields)
        return self.stub.CreateMatch(request, timeout=SECONDS)

    def apply(self, state: bytes, seat: int, *moves: moves_pb2.Move, **fields: Any) -> pb.ApplyMovesResponse:  # noqa: ANN401 - see create
        """Apply moves."""
        request = pb.ApplyMovesRequest(state=state, seat=seat, moves=moves, **fields)
        return self.stub.ApplyMoves(request, timeout=SECONDS)

    def legal(self, state: bytes, seat: int, max_moves: int = 0) -> moves_pb2.LegalMoves:
        """List the legal moves of a seat."""
        request = pb.ListLegalMovesRequest(state=state, seat=seat, max_moves=max_moves)
        return self.stub.ListLegalMoves(request, timeout=SECONDS).legal_moves

    def check(self, state: bytes, seat: int, *moves: moves_pb2.Move) -> pb.CheckMovesResponse:
        """Check moves."""
        return self.stub.CheckMoves(pb.CheckMovesRequest(state=state, seat=seat, moves=moves), timeout=SECONDS)

    def open(self, sealed: bytes) -> State:
        """Look into a sealed state."""
        return decode_state(self.sealer.open(sealed, Format.STATE, "state"))

    def seal(self, state: State) -> bytes:
        """Seal a state of the test's own making."""
        return self.sealer.seal(encode_state(state), Format.STATE)

    def mark(self) -> int:
        """A place in the log."""
        return self.log.tell()

    def text_since(self, mark: int) -> str:
        """What was logged after a place."""
        return self.log.getvalue()[mark:]

    def lines_since(self, mark: int) -> list[dict[str, Any]]:
        """The lines logged after a place."""
        return [json.loads(line) for line in self.text_since(mark).splitlines()]


# --- moves -----------------------------------------------------------------------------------------------------------


def plain(kind: str) -> moves_pb2.Move:
    """A move without arguments, by its field."""
    move = moves_pb2.Move()
    getattr(move, kind).SetInParent()
    return move


DRAW: Final = plain("draw_stock")
TAKE: Final = plain("take_pile")
NEXT: Final = plain("next_deal")
RESIGN: Final = plain("resign")
STALEMATE: Final = plain("declare_stalemate")
TIME_OUT: Final = plain("time_out_turn")
CALL_TIME: Final = plain("call_time")


def discard(card: Any) -> moves_pb2.Move:  # noqa: ANN401 - a card's number
    return moves_pb2.Move(discard=moves_pb2.Discard(card=card))


def lay(cards: Any) -> moves_pb2.Move:  # noqa: ANN401 - cards' numbers
    return moves_pb2.Move(meld=moves_pb2.LayMeld(cards=cards))


def lay_off(meld_id: int, cards: Any) -> moves_pb2.Move:  # noqa: ANN401 - cards' numbers
    return moves_pb2.Move(lay_off=moves_pb2.LayOff(meld_id=meld_id, cards=cards))


def replace_wild(meld_id: int, card: Any) -> moves_pb2.Move:  # noqa: ANN401 - a card's number
    return moves_pb2.Move(replace_wild=moves_pb2.ReplaceWild(meld_id=meld_id, card=card))


def knock(card: Any) -> moves_pb2.Move:  # noqa: ANN401 - a card's number, or 0 for none
    return moves_pb2.Move(knock=moves_pb2.Knock(discard=card))


def to_wire(move: m.Move) -> moves_pb2.Move:
    """Write a move of the rules as a caller would."""
    match move:
        case m.LayMeld(cards):
            return lay(cards)
        case m.LayOff(meld_id, cards):
            return lay_off(meld_id, cards)
        case m.Discard(card):
            return discard(card)
        case m.ReplaceWild(meld_id, card):
            return replace_wild(meld_id, card)
        case m.Knock(card):
            return knock(card)
    return plain(move.kind.name.lower())


def to_request(record: Record) -> pb.ReplayMatchRequest:
    """Write a record of the rules as a caller would."""
    fairness, seats = record.fairness, record.seats
    decks = [cards_pb2.CardGroup(cards=deck) for deck in fairness.decks]  # type: ignore[arg-type]  # cards' numbers
    seed: Any = None if decks else fairness.seed
    return pb.ReplayMatchRequest(
        rules=rules_message(record.rules),
        seed=seed,
        decks=pb.Decks(deals=decks) if decks else None,
        entropy=fairness.entropy,
        salt=fairness.salt,
        request_id=record.request_id,
        given_seats=None if seats.drawn else pb.GivenSeats(dealer=seats.dealer),
        drawn_seats=pb.DrawnSeats() if seats.drawn else None,
        moves=[pb.RecordedMove(seat=seat, move=to_wire(move)) for seat, move in record.moves],
    )


def expand_group(group: moves_pb2.MoveGroup) -> Iterator[moves_pb2.Move]:
    """The moves of a group, as the contract says that it expands."""
    wilds: Sequence[Sequence[int]] = [[wild] for wild in group.wild_choices] or [[]]
    for taken in product(*(range(each.count + 1) for each in group.optional)):
        if group.min_optional <= sum(taken) <= group.max_optional:
            chosen = [each.card for each, count in zip(group.optional, taken, strict=True) for _ in range(count)]
            for wild in wilds:
                yield of_group(group, [*group.required, *chosen, *wild])


def of_group(group: moves_pb2.MoveGroup, cards: Sequence[int]) -> moves_pb2.Move:
    """The move of a group with some of its cards."""
    match group.kind:
        case moves_pb2.MOVE_KIND_MELD:
            return lay(cards)
        case moves_pb2.MOVE_KIND_LAY_OFF:
            return lay_off(group.meld_id, cards)
        case moves_pb2.MOVE_KIND_REPLACE_WILD:
            (card,) = cards
            return replace_wild(group.meld_id, card)
        case moves_pb2.MOVE_KIND_KNOCK:
            (card,) = cards or [0]
            return knock(card)
    raise AssertionError(f"a group of kind {group.kind}")


def expand(legal: moves_pb2.LegalMoves) -> list[moves_pb2.Move]:
    """Every single move that a list stands for."""
    moves = [plain(moves_pb2.MoveKind.Name(kind).removeprefix("MOVE_KIND_").lower()) for kind in legal.simple]
    moves += [discard(card) for card in legal.discards]
    for group in legal.groups:
        moves += expand_group(group)
    return moves


def choose(legal: moves_pb2.LegalMoves, rng: random.Random, hand: Sequence[int] = ()) -> moves_pb2.Move:
    """A random move of a list, mostly a meld or the like where there is one; never a resignation.

    With the hand, what is discarded mostly is what fits least: most games hardly end otherwise.
    """
    if legal.groups and rng.random() < 0.8:
        return rng.choice(list(expand_group(rng.choice(legal.groups))))
    if hand and legal.discards and rng.random() < 0.8:
        return discard(loneliest(hand_of(hand), bytes(legal.discards), rng))
    ungrouped = moves_pb2.LegalMoves(simple=legal.simple, discards=legal.discards)
    playable = [move for move in expand(ungrouped) if not move.HasField("resign")]
    # Whoever has to lay something has nothing else to play.
    return rng.choice(playable or [move for move in expand(legal) if not move.HasField("resign")])


class Step(NamedTuple):
    """One move of a match, and what the service said."""

    before: bytes
    """The state before."""
    request: pb.ApplyMovesRequest
    accepted: pb.Accepted


def play_on(
    api: Api,
    state: bytes,
    seat: int,
    rng: random.Random,
    steps: int = 1 << 30,
    players: int = 4,
    hand: Sequence[int] = (),
) -> Iterator[Step]:
    """Play random legal moves through the wire until the match is over, everyone looking on.

    With the hand of the seat to move, discards are chosen by the hands in the views.
    """
    legal, tidy, viewers = api.legal(state, seat), bool(hand), everyone(players)
    for _ in range(steps):
        move = choose(legal, rng, hand)
        request = pb.ApplyMovesRequest(state=state, seat=seat, moves=[move], viewers=viewers, list_legal_moves=True)
        response = api.stub.ApplyMoves(request, timeout=SECONDS)
        assert response.WhichOneof("outcome") == "accepted", f"a listed move was refused: {move} {response}"
        accepted = response.accepted
        yield Step(state, request, accepted)
        state = accepted.state
        if accepted.HasField("turn"):
            seat, legal = accepted.turn, accepted.legal_moves
            hand = accepted.updates[seat].view.seats[seat].hand if tidy else ()
        elif accepted.updates[0].view.HasField("result"):
            return
        else:
            legal = api.legal(state, seat)
