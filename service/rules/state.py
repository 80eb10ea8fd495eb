"""The state of a match: frozen, replaced by each move, hidden cards included."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from service.rules.cards import NO_CARD, Card
from service.rules.hand import EMPTY, Hand
from service.rules.melds import Meld
from service.rules.options import BurracoRules, Game

NOBODY: Final = -1
T = TypeVar("T")
Rules: TypeAlias = Any
"""Rules of the match's own game: a state does not know which, and each game reads its own."""


class Phase(IntEnum):
    """Where a match stands."""

    DRAW = 1
    PLAY = 2
    DEAL_OVER = 3
    MATCH_OVER = 4
    UPCARD = 5
    LAY_OFF = 6


class DealEnd(IntEnum):
    """How a deal ended."""

    NOT_ENDED = 0
    CLOSED = 1
    STOCK = 2
    STALEMATE_DECLARED = 3
    STALEMATE_AUTOMATIC = 4
    TIME = 5
    RESIGNED = 6
    VOID = 7
    KNOCK = 8
    GIN = 9


UNCOUNTED: Final = frozenset((DealEnd.NOT_ENDED, DealEnd.RESIGNED, DealEnd.VOID))
"""Ends of a deal that is not counted."""


class MatchEnd(IntEnum):
    """How a match ended."""

    NOT_ENDED = 0
    TARGET = 1
    DEALS_PLAYED = 2
    RESIGNED = 3
    LAST_PLAYER = 4


class Fairness(NamedTuple):
    """Where the deck of a match comes from."""

    seed: bytes
    """32 bytes."""
    entropy: tuple[bytes, ...] = ()
    """What the players added, in their order."""
    salt: bytes = b""
    """Salt of the commitment; empty when the seed was not committed to."""
    given: bool = False
    """Whether the caller chose the seed."""
    decks: tuple[bytes, ...] = ()
    """The decks of the deals themselves, top card first, where a record brings them. The seed is then made of them
    (`decks.of_decks`), and the state is never stored."""

    @property
    def verifiable(self) -> bool:
        """Whether nobody can have chosen the deck: the seed was committed to, and a player added to it afterwards."""
        return bool(self.salt) and bool(self.entropy) and not self.given


class Match(NamedTuple):
    """What stays the same for a whole match."""

    match_id: bytes
    """16 bytes."""
    rules: Rules
    players: tuple[int, ...]
    """Player at each seat, as an index into the caller's list."""
    fairness: Fairness

    @property
    def sides(self) -> int:
        """Number of sides: four at Burraco are two partnerships, sitting opposite (B4-2)."""
        players = len(self.players)
        return 2 if players == 4 and self.rules.game is Game.BURRACO else players


class Turn(NamedTuple):
    """What has been done in the turn in progress."""

    drawn: Card = NO_CARD
    """The card drawn from the stock."""
    taken_single: Card = NO_CARD
    """The only card of the pile taken (B4-17)."""
    must_meld: Card = NO_CARD
    """The card that has to be melded before anything else (R2)."""
    must_meld_something: bool = False
    """Whether something has to be melded before the discard (row 6)."""
    melded: bool = False
    """Whether something was melded or laid off."""
    last: bool = False
    """Whether the deal ends with this turn's discard (R4)."""
    hand_before_pile: Hand = EMPTY
    """The hand before the pile was taken, while `must_meld` is set (R2)."""
    taken: Card = NO_CARD
    """The top card taken from the pile, in games that take only that (RA-8, GI-5, SC-8)."""
    laid_off: bool = False
    """Whether something was laid off, new melds aside (SC-19)."""
    opening: int = 0
    """Points laid this turn towards the opening by a player who had not opened before it (SC-9)."""
    jokers_owed: int = 0
    """Recovered jokers that have to be melded this turn (SC-14)."""


NEW_TURN: Final = Turn()


class Result(NamedTuple):
    """The result of a match."""

    match_end: MatchEnd
    winning_sides: tuple[int, ...]
    victory_points: tuple[int, ...] = ()


class State(NamedTuple):
    """A match at one moment."""

    match: Match
    revision: int
    """Changes so far: moves applied, and revocations of seat tokens."""
    chain: bytes
    """Hash over all moves so far, 16 bytes."""
    deal_number: int
    dealer: int
    phase: Phase
    seat: int
    """The seat to move."""
    hands: tuple[Hand, ...]
    unseen: tuple[bool, ...]
    """Seats whose hand is a pozzetto that they may not look at yet (B4-28)."""
    pozzetti: tuple[bytes, ...]
    """Pozzetti left, the first to be taken first."""
    stock: bytes
    """Top card first."""
    discard: bytes
    """Bottom card first."""
    melds: tuple[Meld, ...]
    next_meld_id: int
    taken_by: tuple[int, ...]
    """The seat that took each side's pozzetto, or NOBODY."""
    unplayed: tuple[bool, ...]
    """Sides whose pozzetto has not been played from (B4-39)."""
    turn: Turn
    stalemate_turns: int
    turns_left: int
    """Turns left after time was called, or NOBODY when it was not (B4-35)."""
    points: tuple[int, ...]
    """Match points of each side, this deal's included once it is counted."""
    deals_scored: int
    deal_end: DealEnd
    closed_by: int
    """The seat that closed, or NOBODY."""
    result: Result | None
    token_epochs: tuple[int, ...]
    """Epoch of each seat's tokens; a raise revokes those before."""
    laid: tuple[bool, ...] = ()
    """Seats that had melded or laid off in the deal before the turn in progress, in games that ask (RA-11, SC-9)."""
    out: tuple[bool, ...] = ()
    """Players who are out of the match, by seat (RA-14, SC-22)."""
    reentries: tuple[int, ...] = ()
    """Times that each has come in again (SC-22)."""
    turns_taken: int = 0
    """Turns finished in the deal, in games that ask (SC-17, GI-4)."""
    renewals: int = 0
    """Times that the stock was shuffled anew in the deal (RA-12)."""
    passes: int = 0
    """Passes of the up-card; 2 means that it was passed by both (GI-4)."""
    knocker: int = NOBODY
    """The seat that knocked (GI-7)."""
    deals_won: tuple[int, ...] = ()
    """Deals that each side has won, where they count (GI-14)."""
    doubled: bool = False
    """Whether the deal was closed in hand (RA-11, SC-19)."""
    alone: int = NOBODY
    """The seat that plays alone against the two others, in Burraco for three (B3-2)."""

    @property
    def rules(self) -> BurracoRules:
        """The rules in force at a match of Burraco; the other games ask for theirs in their own packages."""
        rules: BurracoRules = self.match.rules
        return rules

    @property
    def over(self) -> bool:
        """Whether the deal, or the match, is over."""
        return self.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)

    def side_of(self, seat: int) -> int:
        """Side of a seat; two who play against one are the side of the lower seat (B3-2)."""
        if self.alone not in (NOBODY, seat):
            return int(self.alone == 0)
        return seat % self.match.sides

    def partners(self, seat: int) -> Sequence[int]:
        """Seats of the seat's side, itself included."""
        players, sides = len(self.match.players), self.match.sides
        if self.alone not in (NOBODY, seat):
            return [other for other in range(players) if other != self.alone]
        return range(seat % sides, players, sides)

    def pozzetto_available(self, side: int) -> bool:
        """Whether the side can still take a pozzetto (B4-26)."""
        return self.taken_by[side] == NOBODY and bool(self.pozzetti)

    def meld(self, meld_id: int) -> Meld | None:
        """Find a meld by its id."""
        return next((meld for meld in self.melds if meld.meld_id == meld_id), None)


def replace_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Copy a tuple with one item replaced."""
    return (*values[:index], value, *values[index + 1 :])
