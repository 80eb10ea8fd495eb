"""A recorded match, and playing it again: every move is checked and applied as it was at first."""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from service.rules.decks import DeckMissing, is_shuffled
from service.rules.events import Event
from service.rules.games import Played, SeatChoice, create_match, game_of, game_with
from service.rules.moves import Move
from service.rules.options import RULES_REVISION, RuleSet
from service.rules.outcome import Refused
from service.rules.reasons import Violation
from service.rules.state import Fairness, State

MAX_DECKS: Final = 1000
PLAYED_REVISIONS: Final = frozenset((RULES_REVISION,))
"""Revisions of the rules that this code plays."""


class Recorded(NamedTuple):
    """A move, and the seat that it is of."""

    seat: int
    move: Move


class Record(NamedTuple):
    """All that a match follows from. Moves may be of any kind, those of back ends included."""

    rules: RuleSet
    fairness: Fairness
    """Seed and entropy, or the decks (`decks.of_decks`)."""
    request_id: str = ""
    seats: SeatChoice = SeatChoice()
    moves: tuple[Recorded, ...] = ()


class Step(NamedTuple):
    """A move that was legal."""

    move_index: int
    before: State
    seat: int
    move: Move
    after: State
    events: tuple[Event, ...]


class Verified(NamedTuple):
    """Every move was legal; the match need not be over."""

    state: State


class Illegal(NamedTuple):
    """A move was illegal; nothing after it was looked at."""

    move_index: int
    violations: tuple[Violation, ...]


class NoDeck(NamedTuple):
    """The decks of the record end before its deals: a legal move, or the beginning, needs another."""

    move_index: int
    """-1 for the beginning of the match."""
    deal_number: int
    decks: int


class Diverged(NamedTuple):
    """The record is of a revision of the rules that this code does not play, so it says nothing about it."""

    recorded: int
    service: int


Outcome: TypeAlias = Verified | Illegal | NoDeck | Diverged


class Replay:
    """A match played again: iterate over its steps, then look at the outcome.

    :raises ValueError: seats are to be drawn at a game that does not know that.
    """

    def __init__(self, record: Record) -> None:
        self.record: Final = record
        self.began: Played | None = None
        """The beginning of the match, if there was one."""
        self.outcome: Outcome
        """What has come of it so far."""
        if diverges(record.rules):
            self.outcome = Diverged(record.rules.revision, RULES_REVISION)
            return
        began = begin(record)
        if isinstance(began, NoDeck):
            self.outcome = began
        else:
            self.began, self.outcome = began, Verified(began.state)

    def __iter__(self) -> Iterator[Step]:
        if self.began is None:
            return
        state = self.began.state
        for index, (seat, move) in enumerate(self.record.moves):
            found = step(state, index, seat, move)
            if not isinstance(found, Step):
                self.outcome = found
                return
            state = found.after
            self.outcome = Verified(state)
            yield found


def diverges(rules: RuleSet) -> bool:
    """Whether rules are of a revision that this code does not play."""
    return rules.revision not in PLAYED_REVISIONS


def begin(record: Record) -> Played | NoDeck:
    """Begin the match of a record.

    :raises ValueError: seats are to be drawn at a game that does not know that.
    """
    try:
        return create_match(record.rules, record.fairness, record.request_id, record.seats)
    except DeckMissing as missing:
        return NoDeck(-1, missing.deal_number, missing.decks)


def step(state: State, index: int, seat: int, move: Move) -> Step | Illegal | NoDeck:
    """Check and apply the move with this index of a record."""
    try:
        outcome = game_of(state).play(state, seat, move)
    except DeckMissing as missing:
        return NoDeck(index, missing.deal_number, missing.decks)
    if isinstance(outcome, Refused):
        return Illegal(index, outcome.violations)
    return Step(index, state, seat, move, outcome.state, outcome.events)


def replay(record: Record) -> Outcome:
    """Play a record again to its end, or to what is wrong with it."""
    again = Replay(record)
    for _ in again:
        pass
    return again.outcome


def wrong_decks(rules: RuleSet, decks: tuple[bytes, ...]) -> list[int]:
    """Numbers of the deals whose decks are not the deck of the rules."""
    cards = game_with(rules).deck(rules)
    return [number for number, deck in enumerate(decks, 1) if not is_shuffled(deck, cards)]
