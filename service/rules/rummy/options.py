"""The options of Ramino and of Scala 40: what each may be, and the values that hold a full set.

Names and numbers are those of `burraco.v1.RaminoRules` and `burraco.v1.Scala40Rules`; the tables that describe each
option for people are in `option_tables`, the presets and contradictions in `presets`.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from service.rules.options import AcePlace, ClosingInHand, Game, NextDealer, RuleSet, StockExhausted


class OpeningWithJoker(IntEnum):
    """Whether jokers may help to open (row 29, SC-10)."""

    YES = 1
    IF_CLEAN_MELDS_OPEN = 2
    NOT_FIRST_ROUND = 3


class PileBeforeOpening(IntEnum):
    """Whether a player who has not opened may take the pile's card (row 30, SC-6)."""

    FREE = 1
    NEVER = 2
    IF_OPENS_WITH_IT = 3


class SwappedJoker(IntEnum):
    """What may be done with a recovered joker (row 31, SC-14)."""

    MUST_USE_NOW = 1
    MAY_KEEP = 2


class NoAttachableDiscard(IntEnum):
    """Who may not discard a card that fits a meld on the table, unless it closes (row 36, SC-16)."""

    OFF = 1
    UNOPENED = 2
    ALL_IF_THREE_PLUS = 3
    ALL = 4


class JokerFirstUpcard(IntEnum):
    """What is done with a joker turned up first (row 38, SC-4)."""

    REPLACE = 1
    KEEP = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RaminoRules(RuleSet):
    """A full set of options of Ramino. Each field is described in `option_tables`."""

    game: ClassVar[Game] = Game.RAMINO

    jokers: int
    packs: int
    players: int
    hand_size: int
    ace_in_sequences: AcePlace
    rediscard_taken_card: bool
    lay_off_needs_meld: bool
    close_requires_discard: bool
    in_mano_bonus: ClosingInHand
    stock_exhausted: StockExhausted
    ace_points: int
    limit: int
    next_dealer: NextDealer

    __hash__ = RuleSet.__hash__

    @property
    def cards_each(self) -> int:
        """Cards dealt to each player: ten to two and seven to more, unless the rules name a number (RA-2)."""
        return self.hand_size or (10 if self.players == 2 else 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scala40Rules(RuleSet):
    """A full set of options of Scala 40. Each field is described in `option_tables`."""

    game: ClassVar[Game] = Game.SCALA_40

    jokers: int
    players: int
    hand_size: int
    opening_points: int
    opening_with_joker: OpeningWithJoker
    pile_before_opening: PileBeforeOpening
    pile_card_must_be_used: bool
    swapped_joker: SwappedJoker
    ace_in_sequences: AcePlace
    lone_ace_in_hand: int
    closing_in_hand: ClosingInHand
    no_close_first_round: bool
    no_attachable_discard: NoAttachableDiscard
    limit: int
    joker_first_upcard: JokerFirstUpcard
    rediscard_taken_card: bool
    stock_exhausted: StockExhausted
    next_dealer: NextDealer
    reentry: bool

    __hash__ = RuleSet.__hash__
