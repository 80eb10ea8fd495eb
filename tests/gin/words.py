"""Short words for the tests of Gin: tables set up by hand, moves, what they did, and why they were refused."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from service.rules.cards import PACK, parse, texts
from service.rules.events import DealScored, Event
from service.rules.game import Seating
from service.rules.gin.dealing import first_upcard
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN, GinRules
from service.rules.hand import hand_of
from service.rules.moves import Discard, Knock, Move
from service.rules.outcome import Applied, Refused
from service.rules.reasons import Reason, Violation
from service.rules.scores import ScoreItem, Sheet
from service.rules.state import NEW_TURN, NOBODY, DealEnd, Fairness, Match, Phase, State, Turn

E = TypeVar("E", bound=Event)

GIN_HAND = "4S 5S 6S 7H 7D 7C 10D JD QD KD"
"""Ten cards without deadwood."""


def rules(base: GinRules = GIN, **options: object) -> GinRules:
    """Change some options of the preset."""
    return replace(base, **options)  # type: ignore[arg-type]  # the tests name options that exist


CLASSIC = rules(gin_bonus=20, undercut_bonus=10, box_bonus=20)
"""The classic scale (row 39), its flat shutout aside."""


# --- tables -----------------------------------------------------------------------------------------------------------


@lru_cache
def seed_turning(upcard: str) -> Fairness:
    """A seed whose first deal turns up this card."""
    wanted = card(upcard)
    fairness = (Fairness(number.to_bytes(32, "big"), given=True) for number in range(10_000))
    return next(each for each in fairness if first_upcard(each, 1) == wanted)


def table(
    *hands: str,
    pile: str = "",
    stock: str = "",
    stock_count: int | None = None,
    phase: Phase = Phase.PLAY,
    turn: Turn = NEW_TURN,
    options: GinRules = GIN,
    points: Sequence[int] = (0, 0),
    won: Sequence[int] = (0, 0),
    dealer: int = 1,
    seat: int = 0,
    upcard: str = "2C",
    passes: int = 0,
) -> State:
    """Set up a table: seat 0 is to move, and holds the first hand.

    What is not named comes from the rest of the pack: ten cards for a hand, one for the pile, the others for the stock
    (or `stock_count`, those named on top). `upcard` is the card that the deal began with, wherever it is now.
    """
    named = [parse(words) for words in (*hands, pile, stock)]
    used = b"".join(named)
    assert len(set(used)) == len(used), "a card is named twice"
    rest = bytearray(face for face in reversed(PACK) if face not in used)

    def take(count: int) -> bytes:
        # One after the other from all over the pack, so that nothing fits.
        taken = bytes(rest[:: max(1, len(rest) // count)][:count]) if count else b""
        for face in taken:
            rest.remove(face)
        return taken

    held = [parse(hands[at]) if at < len(hands) and hands[at] else take(10) for at in range(2)]
    heap = parse(pile) or take(1)
    draw = parse(stock)
    draw += bytes(rest) if stock_count is None else bytes(rest)[: max(0, stock_count - len(draw))]
    return State(
        match=Match(b"m" * 16, options, (0, 1), seed_turning(upcard)),
        revision=0,
        chain=b"c" * 16,
        deal_number=1,
        dealer=dealer,
        phase=phase,
        seat=seat,
        hands=tuple(map(hand_of, held)),
        unseen=(False, False),
        pozzetti=(),
        stock=draw,
        discard=heap,
        melds=(),
        next_meld_id=1,
        taken_by=(NOBODY, NOBODY),
        unplayed=(False, False),
        turn=turn,
        stalemate_turns=0,
        turns_left=NOBODY,
        points=tuple(points),
        deals_scored=sum(won),
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0, 0),
        passes=passes,
        deals_won=tuple(won),
    )


def begin(options: GinRules = GIN, seed: int = 1, dealer: int = 1) -> Applied:
    """Deal the first deal of a match."""
    match = Match(b"m" * 16, options, (0, 1), Fairness(seed.to_bytes(32, "big"), given=True))
    state, events = GIN_GAME.first_deal(match, Seating((0, 1), dealer), b"c" * 16)
    return Applied(state, tuple(events), revealed=True)


# --- moves ------------------------------------------------------------------------------------------------------------


def card(word: str) -> int:
    """Number of a card."""
    return parse(word)[0]


def drop(word: str) -> Discard:
    """Discard a card."""
    return Discard(card(word))


def knock(discard: str, *melds: str) -> Knock:
    """Knock with a discard (none for big gin), the melds as named or as the service chooses."""
    return Knock(card(discard) if discard else 0, tuple(map(parse, melds)))


# --- outcomes ---------------------------------------------------------------------------------------------------------


def applied(state: State, move: Move, seat: int | None = None) -> Applied:
    """Play a move, of the seat to move unless another is named, which has to be legal."""
    outcome = GIN_GAME.play(state, state.seat if seat is None else seat, move)
    assert isinstance(outcome, Applied), [violation.reason.name for violation in outcome.violations]
    return outcome


def after(state: State, *moves: Move) -> State:
    """Play moves, each of the seat then to move; all have to be legal."""
    for move in moves:
        state = applied(state, move).state
    return state


def faults(state: State, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
    """What is wrong with a move that has to be illegal."""
    outcome = GIN_GAME.play(state, state.seat if seat is None else seat, move)
    assert isinstance(outcome, Refused), "the move was accepted"
    return outcome.violations


def refused(state: State, move: Move, seat: int | None = None) -> list[Reason]:
    """Reasons, in their order, for which a move is illegal."""
    return [violation.reason for violation in faults(state, move, seat)]


def is_accepted(state: State, move: Move, seat: int | None = None) -> bool:
    """Whether a move is legal."""
    return isinstance(GIN_GAME.play(state, state.seat if seat is None else seat, move), Applied)


def only(events: Sequence[Event], kind: type[E]) -> E:
    """The only event of a kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def names(events: Sequence[Event]) -> list[str]:
    """Kinds of events, in their order."""
    return [type(event).__name__ for event in events]


def held(state: State, seat: int) -> str:
    """Cards of a hand, by card number."""
    return texts(state.hands[seat].cards())


def on_table(state: State) -> list[str]:
    """Melds on the table."""
    return [texts(meld.cards) for meld in state.melds]


# --- scores -----------------------------------------------------------------------------------------------------------


def sheet_of(outcome: Applied) -> Sheet:
    """The score sheet of the deal that a move ended."""
    return only(outcome.events, DealScored).sheet


def lines(sheet: Sheet, side: int) -> list[tuple[ScoreItem, int]]:
    """Lines of a side: what each counts, and its points."""
    return [(line.item, line.points) for line in sheet.lines[side]]
