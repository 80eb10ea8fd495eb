"""What a text of a match says, as values. Where each stands in the text is kept, but no part of what it is."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from service.notation.faults import NOWHERE, Position
from service.rules.cards import NO_CARD, Card
from service.rules.events import SPECTATOR
from service.rules.games import SeatChoice
from service.rules.moves import Move
from service.rules.options import RuleSet
from service.rules.reasons import Reason
from service.rules.record import Record, Recorded
from service.rules.scores import Line
from service.rules.state import NOBODY, DealEnd, Fairness, MatchEnd

SEATS_AS_GIVEN: Final = SeatChoice()
FORMAT: Final = 1
"""Version of the notation."""


@dataclass(frozen=True, slots=True)
class Written:
    """A move as it is written, with the card that it drew or took if the text says which."""

    move: Move
    shows: Card = NO_CARD
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the body; long ones are broken over several."""

    remark: str = ""
    """What stands behind the line as a comment."""
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Remark(Entry):
    """A comment on a line of its own."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Turn(Entry):
    """Moves of one seat, at least one."""

    seat: int
    moves: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A reason why a move is refused; the rule's id may be left out."""

    reason: Reason
    rule_id: str = ""


@dataclass(frozen=True, slots=True)
class RefusedMove(Entry):
    """A move that would be refused here, for exactly these reasons in this order. It is not played."""

    seat: int
    move: Move
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class DealMark(Entry):
    """The deal that is being played."""

    number: int
    dealer: int = NOBODY
    upcard: Card = NO_CARD


@dataclass(frozen=True, slots=True)
class Happened(Entry):
    """Something that the turn before it, or the beginning, brought about: an event by its name in the contract."""

    name: str
    seat: int = SPECTATOR


@dataclass(frozen=True, slots=True)
class HandIs(Entry):
    """All cards of a hand, in any order."""

    seat: int
    cards: bytes


@dataclass(frozen=True, slots=True)
class MeldIs(Entry):
    """A meld as it lies on the table; no cards: there is none of that number."""

    meld_id: int
    cards: bytes


@dataclass(frozen=True, slots=True)
class PileIs(Entry):
    """The discard pile, bottom card first."""

    cards: bytes


@dataclass(frozen=True, slots=True)
class StockIs(Entry):
    """How many cards the stock has."""

    count: int


@dataclass(frozen=True, slots=True)
class DealEnds(Entry):
    """How the deal has ended."""

    deal_end: DealEnd
    closed_by: int = NOBODY


@dataclass(frozen=True, slots=True)
class SideScore(Entry):
    """Every line of a side's score sheet of the deal that has ended."""

    side: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Points(Entry):
    """Points of each side in the deal that has ended, and in the match with it (nothing: not said)."""

    deal: tuple[int, ...]
    total: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultIs(Entry):
    """The result of the match; NOT_ENDED: it goes on."""

    match_end: MatchEnd
    winners: tuple[int, ...] = ()
    victory_points: tuple[int, ...] = ()


Check: TypeAlias = (
    RefusedMove | DealMark | Happened | HandIs | MeldIs | PileIs | StockIs | DealEnds | SideScore | Points | ResultIs
)
"""What a text claims, and `verify` checks."""
AnyEntry: TypeAlias = Remark | Turn | Check


@dataclass(frozen=True, slots=True)
class MatchText:
    """A match as it is written."""

    rules: RuleSet
    fairness: Fairness
    request_id: str = ""
    seats: SeatChoice = SEATS_AS_GIVEN
    names: tuple[str, ...] = ()
    """Of the players, in their own order; none: not said."""
    commitment: bytes = b""
    """As it was published; empty: not said."""
    match_id: bytes = b""
    """As the players knew it; empty: not said."""
    remarks: tuple[str, ...] = ()
    """Comments of the head."""
    body: tuple[AnyEntry, ...] = ()
    places: tuple[tuple[str, Position], ...] = field(default=(), compare=False)
    """Where lines of the head stand, by their first word."""

    def record(self) -> Record:
        """All that the match follows from."""
        moves = (
            Recorded(turn.seat, written.move) for turn in self.body if isinstance(turn, Turn) for written in turn.moves
        )
        return Record(self.rules, self.fairness, self.request_id, self.seats, tuple(moves))

    def place(self, word: str) -> Position:
        """Where a line of the head stands."""
        return dict(self.places).get(word, NOWHERE)
