"""What a game is to the rest of the service: a value with a few functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from service.rules.cards import JOKER, Card
from service.rules.defects import DefectReason, Defects
from service.rules.hand import Hand
from service.rules.melds import Meld
from service.rules.moves import Move, MoveKind
from service.rules.option_types import Defect, Option
from service.rules.options import Game as GameName
from service.rules.options import Preset
from service.rules.outcome import Applied, LegalMoves, Refused, Step, Verdict
from service.rules.reasons import Reason, Violation
from service.rules.scores import Sheet
from service.rules.state import DealEnd, Match, MatchEnd, Phase, Result, State


class MeldValue(NamedTuple):
    """What a meld is worth as it lies."""

    card_points: int
    bonus: int = 0
    burraco: int = 0
    """Which kind of burraco it is, as in the contract; 0 for none."""


class MeldFault(NamedTuple):
    """What is wrong with a meld on the table."""

    field: str
    """The meld's own field, after a dot; empty for the meld as a whole."""
    reason: DefectReason
    text: str
    """It completes a sentence that begins with the field."""


class TableSide(NamedTuple):
    """What a side has at the end of a deal at a real table."""

    melds: tuple[Meld, ...]
    hands: tuple[Hand, ...]
    pozzetto_taken: bool = False
    unplayed_pozzetto: Hand | None = None
    points_before: int = 0
    """Match points before the deal."""


class TableFault(Exception):  # noqa: N818  # the field's word, as in the wire
    """No deal ends like that: which side, which of its fields, why."""

    def __init__(self, side: int, field: str, reason: Reason | None, text: str) -> None:
        super().__init__(text)
        self.side = side
        self.field = field
        """`melds`, `hands` or `pozzetto_taken`."""
        self.reason = reason
        """None where the fields merely contradict each other."""
        self.text = text
        """It completes a sentence that begins with the field's name."""


class SideFacts(NamedTuple):
    """What everyone may know of a side, beside its match points."""

    table_points: int
    may_close: bool


class Draw(NamedTuple):
    """A card drawn for seats."""

    player: int
    card: Card
    round: int


class Seating(NamedTuple):
    """Who sits where, and who deals first."""

    players: tuple[int, ...]
    """Player at each seat, clockwise."""
    dealer: int
    draws: tuple[Draw, ...] = ()


def no_pozzetti(_rules: object) -> tuple[int, ...]:
    """There are no pozzetti."""
    return ()


def no_limit(_state: State) -> int:
    """Nobody knocks."""
    return 0


def is_joker(card: Card) -> bool:
    """Jokers alone are wild."""
    return card == JOKER


def one_step(_rules: object) -> int:
    """Match points may be any number."""
    return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game. Its functions are given states and rules of this game only, so rules are typed loosely here."""

    name: GameName
    presets: Mapping[Preset, Any]
    """The presets that are built, each a full set of the game's own rules."""
    rules_type: Callable[..., Any]
    """Makes a full set of rules from all options by name, preset and revision."""
    options: tuple[Option, ...]
    """Every option, in the order of the field numbers of the contract's message."""
    contradictions: Callable[[Any], list[Defect]]
    """What goes against what in a full set whose values are in range."""

    deck: Callable[[Any], bytes]
    """The deck before it is shuffled."""
    sides: Callable[[Any], int]
    """Number of sides."""
    drawn_seats: Callable[[Any, bytes], Seating] | None
    """Draw cards for seats, from the key of the match's streams; None where the game does not know that."""
    first_deal: Callable[[Match, Seating, bytes], Step]
    """Deal the first deal of a match, whose hash chain begins with these bytes."""

    judge: Callable[[State, int, Move], Verdict]
    """Everything wrong with a move of a seat."""
    play: Callable[[State, int, Move], Applied | Refused]
    """Check a move and apply it."""
    legal_moves: Callable[[State, int, int], LegalMoves]
    """List a seat's legal moves, up to a number."""
    open_kinds: Callable[[State, int], tuple[MoveKind, ...]]
    """Kinds of move open to a seat, by number, without those that only a back end may send."""

    barred_discard: Callable[[State], Card]
    """The card that everyone knows the seat to move may not discard; NO_CARD for none."""
    side_facts: Callable[[State, int], SideFacts]
    """What everyone may know of a side."""
    meld_value: Callable[[Meld, Any], MeldValue]
    """What a meld is worth as it lies."""
    sheet: Callable[[State], Sheet | None]
    """The score sheet of a deal that is over and was counted, match points included; None otherwise."""
    readings: Callable[[Hand, Any], list[Meld]]
    """Every meld that a selection laid fresh from the hand can be, the one that would be used first."""
    why_not_read: Callable[[Hand, Any], list[Violation]]
    """Everything wrong with a selection that is no meld; never empty."""

    count_table: Callable[[Any, Sequence[TableSide], int, bool], Sheet]
    """Count what people have at a real table: rules, sides, side that closed (or NOBODY), whether it closed in hand.

    It raises TableFault where the rules know no such end of a deal. Match points are left out of the sheet.
    """
    table_result: Callable[[Any, Sequence[int], Sequence[int], int], Result | None]
    """The result of a match, from the sides' points before and after the deal, and the deals counted; None while it
    goes on."""

    knock_limit: Callable[[State], int] = no_limit
    """Most deadwood to knock with in the deal; 0 where nobody knocks."""
    is_wild: Callable[[Card], bool] = is_joker
    """Whether a face may act as a wild, and so forms no set of its own."""
    pozzetto_sizes: Callable[[Any], tuple[int, ...]] = no_pozzetti
    """Cards that a pozzetto can have; nothing where there is none."""
    closes_in_hand: bool = False
    """Whether closing in hand is worth more than closing."""
    hands_a_side: Callable[[Any], int] = one_step
    """Most hands that one side can have at the end of a deal."""
    points_step: Callable[[Any], int] = one_step
    """What match points are multiples of."""

    phases: frozenset[Phase]
    """Phases that the game knows."""
    deal_ends: frozenset[DealEnd]
    """Ways in which a deal ends."""
    match_ends: frozenset[MatchEnd]
    """Ways in which a match ends."""
    keeps: frozenset[str]
    """Fields of a state that hold an entry for each seat or side, of those that not every game has."""
    blank: Mapping[str, object]
    """Fields of a state that the game does not know, `turn.` before those of the turn, each with its only value."""
    meld_fault: Callable[[Meld, Any], MeldFault | None]
    """What is wrong with a meld that lies on the table; None if the rules let it lie so."""
    audit: Callable[[State, frozenset[str]], Defects]
    """Find what does not hold together of the game's own facts, or leaves nobody a move, as far as it can be judged
    without the fields named."""
