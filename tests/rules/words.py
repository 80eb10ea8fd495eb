"""Short words for the tests of the rules: moves, what they did, and why they were refused.

Melds are written as in `tests.support.tables`: low to high, a sequence's wild with the card that it stands for.
"""

from typing import TypeVar

from service.rules.burraco.play import play
from service.rules.cards import parse, text, texts
from service.rules.events import DealScored, Event
from service.rules.games import SeatChoice, create_match
from service.rules.hand import hand_of
from service.rules.melds import NO_WILD, Meld, MeldKind
from service.rules.moves import Discard, LayMeld, LayOff, Move
from service.rules.options import BurracoRules
from service.rules.outcome import Applied, Refused
from service.rules.presets import ITALIAN
from service.rules.reasons import Reason, Violation
from service.rules.scores import ScoreItem, Sheet
from service.rules.state import NOBODY, Fairness, State
from tests.support.tables import table

SLOT_NAMES = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

CLEAN_BURRACO = "4S 5S 6S 7S 8S 9S 10S"
"""Worth 50 and 200."""
DIRTY_BURRACO = "JK(=3S) 4S 5S 6S 7S 8S 9S"
"""Worth 70 and 100."""

LONG_SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"

E = TypeVar("E", bound=Event)


# --- moves ------------------------------------------------------------------------------------------------------------


def lay(cards: str, reading: MeldKind | None = None, wild_as: str = "") -> LayMeld:
    """Lay a meld."""
    return LayMeld(parse(cards), reading, card(wild_as) if wild_as else 0)


def add(meld_id: int, cards: str, wild_as: str = "") -> LayOff:
    """Lay off on a meld."""
    return LayOff(meld_id, parse(cards), card(wild_as) if wild_as else 0)


def drop(word: str) -> Discard:
    """Discard a card."""
    return Discard(card(word))


def card(word: str) -> int:
    """Number of a card."""
    return parse(word)[0]


# --- outcomes ---------------------------------------------------------------------------------------------------------


def applied(state: State, move: Move, seat: int | None = None) -> Applied:
    """Play a move, of the seat to move unless another is named, which has to be legal."""
    outcome = play(state, state.seat if seat is None else seat, move)
    assert isinstance(outcome, Applied), [violation.reason.name for violation in outcome.violations]
    return outcome


def after(state: State, *moves: Move) -> State:
    """Play moves, each of the seat then to move; all have to be legal."""
    for move in moves:
        state = applied(state, move).state
    return state


def faults(state: State, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
    """What is wrong with a move that has to be illegal."""
    outcome = play(state, state.seat if seat is None else seat, move)
    assert isinstance(outcome, Refused), "the move was accepted"
    return outcome.violations


def refused(state: State, move: Move, seat: int | None = None) -> list[Reason]:
    """Reasons, in their order, for which a move is illegal."""
    return [violation.reason for violation in faults(state, move, seat)]


def is_accepted(state: State, move: Move, seat: int | None = None) -> bool:
    """Whether a move is legal."""
    return isinstance(play(state, state.seat if seat is None else seat, move), Applied)


def only(events: tuple[Event, ...], kind: type[E]) -> E:
    """The only event of a kind."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def names(events: tuple[Event, ...]) -> list[str]:
    """Kinds of events, in their order."""
    return [type(event).__name__ for event in events]


# --- melds ------------------------------------------------------------------------------------------------------------


def shown(meld: Meld) -> str:
    """Write a meld, a sequence's wild with the card that it stands for."""
    words = [text(number) for number in meld.cards]
    if meld.kind is MeldKind.SET:
        # Its one two or joker is its wild, and lies last.
        wilds = [at for at, word in enumerate(words) if word[0] == "2" or word == "JK"]
        assert (meld.wild_at, meld.low) == (wilds[0] if wilds else NO_WILD, 0)
        assert wilds in ([], [len(words) - 1])
    if meld.kind is MeldKind.SEQUENCE and meld.wild_at != NO_WILD:
        suit = text(meld.cards[1 if meld.wild_at == 0 else 0])[-1]
        words[meld.wild_at] += f"(={SLOT_NAMES[meld.low + meld.wild_at]}{suit})"
    return " ".join(words)


def on_table(state: State, side: int = 0) -> list[str]:
    """Melds of a side."""
    return [shown(meld) for meld in state.melds if meld.side == side]


def fresh(cards: str, rules: BurracoRules = ITALIAN) -> str | list[Reason]:
    """Lay cards fresh from a hand that holds two more: how they lie, or why they are refused."""
    state = table(hands=[f"{cards} QD JC"], options=rules)
    outcome = play(state, 0, lay(cards))
    if isinstance(outcome, Refused):
        return [violation.reason for violation in outcome.violations]
    return shown(outcome.state.melds[-1])


def added(meld: str, cards: str, rules: BurracoRules = ITALIAN) -> str | list[Reason]:
    """Add cards to a meld on the table from a hand that holds two more: how it lies then, or why they are refused."""
    state = table(hands=[f"{cards} QD JC"], melds={0: [meld]}, options=rules)
    outcome = play(state, 0, add(1, cards))
    if isinstance(outcome, Refused):
        return [violation.reason for violation in outcome.violations]
    return shown(outcome.state.melds[0])


# --- tables -----------------------------------------------------------------------------------------------------------


def held(state: State, seat: int) -> str:
    """Cards of a hand, by card number."""
    return texts(state.hands[seat].cards())


def holds(state: State, seat: int, cards: str) -> bool:
    """Whether a hand is just these cards."""
    return state.hands[seat] == hand_of(parse(cards))


def new_match(rules: BurracoRules = ITALIAN, dealer: int = 3, seed: int = 1) -> State:
    """Deal the first deal of a match."""
    fairness = Fairness(bytes([seed]) * 32, given=True)
    return create_match(rules, fairness, "a match", SeatChoice(dealer=dealer)).state


def ready_to_close(rules: BurracoRules = ITALIAN, **changes: object) -> State:
    """Seat 0 may close by discarding 9C: its side took a pozzetto and has a clean burraco."""
    fields: dict[str, object] = {
        "hands": ["9C", "KD", "8C", "QD"],
        "melds": {0: [CLEAN_BURRACO]},
        "taken_by": (0, NOBODY),
        "options": rules,
    }
    return table(**(fields | changes))  # type: ignore[arg-type]  # the tests name arguments that exist


# --- scores -----------------------------------------------------------------------------------------------------------


def sheet_of(outcome: Applied) -> Sheet:
    """The score sheet of the deal that a move ended."""
    return only(outcome.events, DealScored).sheet


def lines(sheet: Sheet, side: int) -> list[tuple[ScoreItem, int]]:
    """Lines of a side: what each counts, and its points."""
    return [(line.item, line.points) for line in sheet.lines[side]]
