"""What is asked about a state: a row of calls for every RPC that takes one, right and wrong, by whoever may send it.

A new RPC needs a row here, or a reason why it has none; `test_contract` walks the contract and says so.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message

from burraco.v1 import cards_pb2, moves_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import FACES, JOKER
from service.rules.events import SPECTATOR
from service.rules.games import game_of
from service.rules.melds import MeldKind
from service.rules.moves import (
    BACK_END_KINDS,
    CALL_TIME,
    NEXT_DEAL,
    RESIGN,
    TIME_OUT_TURN,
    Discard,
    Knock,
    LayMeld,
    LayOff,
    Move,
    MoveKind,
    Plain,
)
from service.rules.outcome import Applied
from service.rules.state import State
from tests.api.client import to_wire
from tests.games.play import WITH_CARDS, tries
from tests.support.desk import BACK_END

IN_TURN: Final = 8
OUT_OF_TURN: Final = 3
SMALL: Final = 5
"""How many legal moves are asked about, and how many illegal ones (out of turn they all get one answer); cards of a
hand of which all cards are tried."""
BATCHES: Final = 3
LONGEST: Final = 5
MOST_LISTED: Final = 500
LANGUAGES: Final = ("", "it-IT,it;q=0.9,tl;q=0.5", "my, pl;q=0.9")
"""Of answers, by the order that hands are asked for in: English, Italian and Burmese."""


EARLY: Final = frozenset(
    (
        *("no viewer", "no such seat", "no such order", "no moves", "too many moves", "a move of no kind"),
        *("no such card", "old revision", "another's", "back end's", "another's view", "the next list", "too long"),
    )
)


class Ask(NamedTuple):
    """A call about a state that is still to be put in."""

    label: str
    rpc: str
    request: Message
    caller: int | None = BACK_END
    spoil: str = ""
    """What is done to the state or the request on its way: `cut`, `turned`, `garbled`, or nothing."""
    moves: tuple[Move, ...] = ()
    languages: str = ""

    @property
    def is_early(self) -> bool:
        """Whether it is refused, if at all, before any rule is asked."""
        return bool(self.spoil) or self.label in EARLY

    def payload(self, sealed: bytes) -> bytes:
        """The bytes to send about a state."""
        request: Any = type(self.request)()
        request.CopyFrom(self.request)
        if self.spoil == "cut":
            sealed = sealed[:-1]
        elif self.spoil == "turned":
            sealed = sealed[:-20] + bytes((sealed[-20] ^ 1,)) + sealed[-19:]
        request.state = sealed
        written: bytes = request.SerializeToString()
        return written + b"\xff" if self.spoil == "garbled" else written


class Asked(NamedTuple):
    """About what, and by whom."""

    state: State
    viewer: int
    rng: random.Random

    @property
    def seat(self) -> int:
        """A seat to name: the viewer's own, the first for a spectator."""
        return max(self.viewer, 0)

    @property
    def callers(self) -> tuple[int | None, ...]:
        """Who asks for the viewer: the seat itself and the back end; for a spectator the back end alone."""
        return (BACK_END,) if self.viewer == SPECTATOR else (BACK_END, self.viewer)

    @property
    def other(self) -> int:
        """Another seat."""
        return (self.seat + 1) % len(self.state.match.players)


def viewer_of(viewer: int) -> cards_pb2.Viewer:
    """A viewer as a request names it."""
    spectator = cards_pb2.Viewer(spectator=cards_pb2.Spectator())
    return spectator if viewer == SPECTATOR else cards_pb2.Viewer(seat=viewer)


# --- moves ------------------------------------------------------------------------------------------------------------


def legal(state: State, seat: int, rng: random.Random, most: int) -> list[Move]:
    """Some legal moves of a seat, of every kind that it has."""
    listed = game_of(state).legal_moves(state, seat, MOST_LISTED)
    discards: list[Move] = [Discard(card) for card in listed.discards]
    groups = rng.sample(listed.groups, min(most, len(listed.groups)))
    plays = [group.move(rng.choice(list(group.selections()))) for group in groups]
    return [*map(Plain, listed.plain), *plays, *rng.sample(discards, min(most // 2, len(discards)))]


def turns(state: State, seat: int, rng: random.Random) -> Iterator[list[Move]]:
    """Batches of a seat that go on for as long as it may move, past what a move may reveal, and then once more."""
    for _ in range(BATCHES):
        now, batch = state, list[Move]()
        for _ in range(LONGEST):
            moves = [move for move in legal(now, seat, rng, 3) if move != RESIGN]
            if not moves:
                break
            batch.append(rng.choice(moves))
            outcome = game_of(now).play(now, seat, batch[-1])
            assert isinstance(outcome, Applied)
            now = outcome.state
        yield [*batch, *_with_what_came(state, now, seat, rng)]
    plain = [Plain(kind) for kind in game_of(state).open_kinds(state, seat) if kind not in WITH_CARDS]
    for first in plain:
        outcome = game_of(state).play(state, seat, first)
        assert isinstance(outcome, Applied)
        yield [first, *_with_what_came(state, outcome.state, seat, rng)]
    for first in (RESIGN, NEXT_DEAL):
        yield [first, Discard(rng.choice((*FACES, JOKER)))]


def _with_what_came(before: State, after: State, seat: int, rng: random.Random) -> list[Move]:
    """A move of a card that has come to the hand since, which a caller can only guess; any move where none has."""
    came = Counter(after.hands[seat].cards()) - Counter(before.hands[seat].cards())
    return [Discard(rng.choice(list(came)))] if came else [rng.choice(list(tries(before, seat, rng)))]


def batches(asked: Asked) -> list[list[Move]]:
    """Calls of a viewer: moves that are legal or not, of cards that he has, has not or cannot know, and batches."""
    state, seat, rng = asked.state, asked.seat, asked.rng
    wrong = list(tries(state, seat, rng))
    guesses = list(tries(state, asked.other, rng))
    some_of = IN_TURN if seat == state.seat else OUT_OF_TURN
    every = [*legal(state, seat, rng, some_of), *rng.sample(wrong, some_of), *rng.sample(guesses, some_of // 2)]
    if seat == state.seat:
        every += [*(Plain(kind) for kind in MoveKind if kind not in WITH_CARDS | BACK_END_KINDS), *_last_cards(asked)]
    if state.unseen[seat]:
        every += [Discard(card) for card in state.hands[seat].faces()]  # guesses at what lies face down (B4-28)
    some = state.hands[seat].cards()[:3] or b"\x01"
    every += [LayMeld(some, rng.choice(list(MeldKind)), rng.choice(FACES)), Knock(some[0], (some[1:] or some,))]
    every += [LayOff(rng.randint(1, len(state.melds) + 1), some[:1], rng.choice(FACES))]
    return [*([move] for move in every), *turns(state, seat, rng)]


def _last_cards(asked: Asked) -> list[Move]:
    """Moves of all cards of a small hand, or of all but one: to close, or to be stuck (R1)."""
    hand, rng = asked.state.hands[asked.seat], asked.rng
    cards = hand.cards()
    if not 0 < len(cards) <= SMALL:
        return []
    without = bytearray(cards)
    del without[rng.randrange(len(cards))]
    melds = [meld.meld_id for meld in rng.sample(asked.state.melds, min(3, len(asked.state.melds)))]
    plays = [selection for selection in (cards, bytes(without)) if selection]
    lay: list[Move] = [LayMeld(selection) for selection in plays]
    lay += [LayOff(meld_id, selection) for meld_id in melds for selection in plays]
    return [*lay, *map(Discard, hand.faces())]


def wire(moves: list[Move]) -> list[moves_pb2.Move]:
    """Moves as a request holds them, with the reading that is wanted and the melds of a knock."""
    written = []
    for move in moves:
        message: Any = to_wire(move)
        match move:
            case LayMeld(_, reading, wild_as):
                message.meld.reading.kind = reading or 0
                message.meld.reading.wild_as = wild_as
            case LayOff(_, _, wild_as):
                message.lay_off.wild_as = wild_as
            case Knock(_, melds):
                for cards in melds:
                    message.knock.melds.add().cards.extend(cards)
        written.append(message)
    return written


# --- the rows ---------------------------------------------------------------------------------------------------------


def _spoilt(rpc: str, request: Message, caller: int | None) -> Iterator[Ask]:
    """A request whose state was cut or changed, or that is none at all."""
    for spoil in ("cut", "turned", "garbled"):
        yield Ask(spoil, rpc, request, caller, spoil)


def _get_view(asked: Asked) -> Iterator[Ask]:
    own, rpc = viewer_of(asked.viewer), "GetView"
    for caller in asked.callers:
        for order in cards_pb2.HandOrder.values():
            request = pb.GetViewRequest(viewer=own, hand_order=order, include_rules=bool(order))
            yield Ask(f"order {order}", rpc, request, caller, languages=LANGUAGES[order])
        yield from _spoilt(rpc, pb.GetViewRequest(viewer=own), caller)
        yield Ask("no viewer", rpc, pb.GetViewRequest(), caller)
        yield Ask("no such seat", rpc, pb.GetViewRequest(viewer=viewer_of(6)), caller)
        yield Ask("no such order", rpc, pb.GetViewRequest(viewer=own, hand_order=9), caller)  # type: ignore[arg-type]  # none
        if caller is not BACK_END:
            for viewer in (asked.other, SPECTATOR):
                yield Ask("another's", rpc, pb.GetViewRequest(viewer=viewer_of(viewer)), caller)


def _list_legal_moves(asked: Asked) -> Iterator[Ask]:
    rpc = "ListLegalMoves"
    if asked.viewer == SPECTATOR:
        return
    for caller in asked.callers:
        for most in (0, *asked.rng.sample((1, 2, 3, 5, 8, 13, 40, 100_000), 3)):
            yield Ask(f"at most {most}", rpc, pb.ListLegalMovesRequest(seat=asked.seat, max_moves=most), caller)
        yield Ask("too long", rpc, pb.ListLegalMovesRequest(seat=asked.seat, max_moves=100_001), caller)
        yield from _spoilt(rpc, pb.ListLegalMovesRequest(seat=asked.seat), caller)
        yield Ask("no such seat", rpc, pb.ListLegalMovesRequest(seat=7), caller)
        if caller is not BACK_END:
            yield Ask("another's", rpc, pb.ListLegalMovesRequest(seat=asked.other), caller)


def _wrong_moves(asked: Asked, rpc: str, kind: Any) -> Iterator[Ask]:  # noqa: ANN401  # the request's class
    """What is wrong with requests of moves before any rule is asked."""
    seat, guess = asked.seat, Discard(asked.rng.choice(FACES))
    some = wire([guess])
    for caller in asked.callers:
        yield from _spoilt(rpc, kind(seat=seat, moves=some), caller)
        yield Ask("no moves", rpc, kind(seat=seat), caller)
        yield Ask("too many moves", rpc, kind(seat=seat, moves=some * 65), caller)
        yield Ask("a move of no kind", rpc, kind(seat=seat, moves=[moves_pb2.Move()]), caller)
        no_card: Any = moves_pb2.Discard(card=99)  # type: ignore[arg-type]  # which is none
        yield Ask("no such card", rpc, kind(seat=seat, moves=[*some, moves_pb2.Move(discard=no_card)]), caller)
        yield Ask("no such seat", rpc, kind(seat=6, moves=some), caller)
        yield Ask("old revision", rpc, kind(seat=seat, moves=some, expected_revision=asked.state.revision + 1), caller)
        if asked.viewer != SPECTATOR:
            right = kind(seat=seat, moves=some, expected_revision=asked.state.revision)
            yield Ask("moves", rpc, right, caller, moves=(guess,))
    if asked.viewer != SPECTATOR:
        yield Ask("another's", rpc, kind(seat=asked.other, moves=some), asked.viewer)
        for move in (TIME_OUT_TURN, CALL_TIME):
            yield Ask("back end's", rpc, kind(seat=seat, moves=wire([move])), asked.viewer)


def _check_moves(asked: Asked) -> Iterator[Ask]:
    rpc = "CheckMoves"
    yield from _wrong_moves(asked, rpc, pb.CheckMovesRequest)
    if asked.viewer == SPECTATOR:
        return
    rare: list[list[Move]] = [[CALL_TIME], [TIME_OUT_TURN], [TIME_OUT_TURN, RESIGN], [CALL_TIME, RESIGN]]
    for moves in batches(asked) + rare:
        request = pb.CheckMovesRequest(seat=asked.seat, moves=wire(moves))
        own = not any(move.kind in BACK_END_KINDS for move in moves)
        yield Ask("moves", rpc, request, asked.viewer if own else BACK_END, moves=tuple(moves))


def _apply_moves(asked: Asked) -> Iterator[Ask]:
    rpc, seat = "ApplyMoves", asked.seat
    yield from _wrong_moves(asked, rpc, pb.ApplyMovesRequest)
    if asked.viewer == SPECTATOR:
        return
    for number, moves in enumerate(batches(asked)):
        order: Any = number % 3
        written = wire(moves)
        request = pb.ApplyMovesRequest(seat=seat, moves=written, hand_order=order)
        yield Ask("moves", rpc, request, asked.viewer, moves=tuple(moves), languages=LANGUAGES[order])
        if len(moves) == 1 and number % 2:
            # A back end may look ahead; of one move there is nothing to look ahead to.
            request = pb.ApplyMovesRequest(seat=seat, moves=written, viewers=[viewer_of(asked.viewer)] * 2)
            yield Ask("moves", rpc, request, BACK_END, moves=tuple(moves))
    some = wire([RESIGN])
    request = pb.ApplyMovesRequest(seat=seat, moves=some, viewers=[viewer_of(asked.other)])
    yield Ask("another's view", rpc, request, asked.viewer)
    yield Ask("the next list", rpc, pb.ApplyMovesRequest(seat=seat, moves=some, list_legal_moves=True), asked.viewer)


def others_moves(asked: Asked) -> Iterator[Ask]:
    """Moves of other seats, of which the viewer is told: some legal ones, time-outs, the clock, resignations."""
    state, rng = asked.state, asked.rng
    for seat in range(len(state.match.players)):
        if seat == asked.viewer:
            continue
        moves: list[Move] = [RESIGN, CALL_TIME]
        if seat == state.seat:
            moves += [TIME_OUT_TURN, *legal(state, seat, rng, IN_TURN)]
        for move in moves:
            request = pb.ApplyMovesRequest(seat=seat, moves=wire([move]), viewers=[viewer_of(asked.viewer)])
            yield Ask("others", "ApplyMoves", request, BACK_END, moves=(move,))


def _score_deal(asked: Asked) -> Iterator[Ask]:
    # The sheet of a deal that was counted is open to all.
    for caller in asked.callers:
        yield Ask("state", "ScoreDeal", pb.ScoreDealRequest(), caller, languages=LANGUAGES[1])
        yield from _spoilt("ScoreDeal", pb.ScoreDealRequest(), caller)


def _issue_seat_token(asked: Asked) -> Iterator[Ask]:
    # A back end alone gets an answer: a seat is told that.
    for seat in () if asked.viewer == SPECTATOR else (asked.seat, asked.other):
        for revoke in (False, True):
            request = pb.IssueSeatTokenRequest(seat=seat, revoke=revoke)
            yield Ask("refused", "IssueSeatToken", request, asked.viewer)


def _suggest_moves(asked: Asked) -> Iterator[Ask]:
    for caller in () if asked.viewer == SPECTATOR else asked.callers:
        for level in range(5):
            yield Ask(f"level {level}", "SuggestMoves", pb.SuggestMovesRequest(seat=asked.seat, level=level), caller)


ROWS: Final[Mapping[str, Callable[[Asked], Iterator[Ask]]]] = {
    "GetView": _get_view,
    "ListLegalMoves": _list_legal_moves,
    "CheckMoves": _check_moves,
    "ApplyMoves": _apply_moves,
    "ScoreDeal": _score_deal,
    "IssueSeatToken": _issue_seat_token,
    "SuggestMoves": _suggest_moves,
}
"""What is asked, by RPC of GameService; those that are not built are asked once they are."""

BACK_ENDS: Final[Mapping[str, str]] = {
    "CreateMatch": "it makes the first state, of which test_deals asks what viewers are told",
    "ReplayMatch": "it takes a record with its seed or decks: whoever has that knows every card",
    "StreamApplyMoves": "it is ApplyMoves, for those who may look ahead",
    "InspectState": "it opens a state, on a port of its own",
    "ImportState": "it takes an open state, on a port of its own",
}
"""RPCs with a state, a seat or a viewer that answer nothing to a seat, and so have no row; why."""

OPEN: Final = frozenset(("CommitSeed", "ExplainMeld", "ListPresets", "GetRules"))
"""RPCs that are told nothing of any match."""
