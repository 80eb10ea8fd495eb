"""The options of Burraco: what each may be, and the value that holds a full set.

Names and numbers are those of `burraco.v1.BurracoRules`. The table that describes each option for people is in
`option_table`, the presets are in `presets`, contradictions are found in `validation`.
"""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import ClassVar, Final

RULES_REVISION: Final = 1
"""Revision of this rule code. A fix that changes play is a new revision; running matches keep theirs."""


def contract_name(value: IntEnum) -> str:
    """Name an enum's value as the contract does, such as `STOCK_END_IMMEDIATE`."""
    prefix = "".join("_" + letter if letter.isupper() else letter for letter in type(value).__name__)
    return f"{prefix.upper()}_{value.name}".lstrip("_")


class Preset(IntEnum):
    """A named rule set."""

    UNSPECIFIED = 0
    ITALIAN = 1
    FIBUR = 2
    TWO_PLAYER = 3
    THREE_PLAYER = 4
    INTERNATIONAL = 5
    REALE = 6
    RAMINO = 7
    GIN = 8
    SCALA_40 = 9
    SCALA_40_FISCA = 10


class Game(IntEnum):
    """A game: which options apply and which moves exist."""

    UNSPECIFIED = 0
    BURRACO = 1
    RAMINO = 2
    GIN = 3
    SCALA_40 = 4


class SemicleanDefinition(IntEnum):
    """Which burraco is semi-clean (row 2, R10)."""

    SEVEN_CONSECUTIVE_ANY_PLACE = 1
    WILD_AT_END = 2


class LongRunBonus(IntEnum):
    """Bonus for long sequences of naturals, in place of the clean one (row 3)."""

    NONE = 1
    THIRTEEN_300 = 2
    NOBILE_500_REALE_1000 = 3


class PileTake(IntEnum):
    """On what condition the pile may be taken (row 6)."""

    FREE = 1
    TOP_CARD_USABLE = 2
    MUST_MELD = 3
    AFTER_MELDING = 4


class SingleCardRediscard(IntEnum):
    """Whether the only card of the pile just taken may be discarded (row 7, B4-17)."""

    IDENTICAL_COPY_ONLY = 1
    NEVER = 2
    ALLOWED = 3


class CloseNeeds(IntEnum):
    """Which burraco closing needs (row 11)."""

    ANY_BURRACO = 1
    CLEAN_BURRACO = 2


class UnplayedPozzetto(IntEnum):
    """What a pozzetto costs that was taken but never played (row 15, B4-39)."""

    CARD_VALUE = 1
    AS_NOT_TAKEN = 2


class StockEnd(IntEnum):
    """How a deal ends when the stock runs out (row 16, R4)."""

    IMMEDIATE = 1
    AFTER_DISCARD = 2
    EMPTY_AND_TOP_UNUSABLE = 3
    POZZETTO_BECOMES_STOCK = 4
    VOID = 5


class SetsAllowed(IntEnum):
    """Which ranks may form sets (row 19)."""

    ALL = 1
    ACES_AND_THREES = 2
    ACES_KINGS_AND_THREES = 3
    NONE = 4


class TieSuitOrder(IntEnum):
    """Order of the suits in the seating draw, high to low (row 24, B4-5)."""

    SPADES_HEARTS_DIAMONDS_CLUBS = 1
    HEARTS_DIAMONDS_CLUBS_SPADES = 2


class WildFreePosition(IntEnum):
    """Where a free wild stands (row 25, §1.0)."""

    LOW_END = 1


class PozzettoVisibleAfter(IntEnum):
    """When a pozzetto taken on the discard may be looked at (row 26, B4-28)."""

    PARTNER_DISCARD = 1
    OWN_NEXT_TURN = 2


class AcePlace(IntEnum):
    """Where the ace may stand in a sequence (R13)."""

    LOW = 1
    HIGH = 2
    LOW_OR_HIGH = 3


class StockExhausted(IntEnum):
    """What happens when the stock runs out in games that are not Burraco (row 44)."""

    RESHUFFLE = 1
    VOID_AT_TWO = 2


class ClosingInHand(IntEnum):
    """What closing a hand in one turn, with nothing laid before, does to the others (rows 34 and 45)."""

    NONE = 1
    PLUS_25 = 2
    DOUBLE = 3


class NextDealer(IntEnum):
    """Who deals next (R13, B4-8)."""

    LEFT = 1
    LOSER = 2
    WINNER = 3


class DiscardVisible(IntEnum):
    """How much of the discard pile everyone sees."""

    WHOLE = 1
    TOP_ONLY = 2


class Partnerships(IntEnum):
    """Who sits with whom when seats are drawn (B4-4, B4-7)."""

    BY_DRAW = 1
    FIXED = 2


class VictoryPoints(IntEnum):
    """How match points become victory points (§2.2)."""

    NONE = 1
    FIBUR = 2


class _Hashed:
    """Room for a hash worked out once: rules are the key of several memos on the hot path."""

    __slots__ = ("_hash",)
    _hash: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(_Hashed):
    """A full set of options of one game."""

    game: ClassVar[Game]
    preset: Preset = Preset.UNSPECIFIED
    revision: int = RULES_REVISION

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, each.name) for each in fields(self))))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True, kw_only=True)
class BurracoRules(RuleSet):
    """A full set of options of Burraco. Each field is described in `option_table`."""

    game: ClassVar[Game] = Game.BURRACO

    semiclean: bool
    semiclean_definition: SemicleanDefinition
    long_run_bonus: LongRunBonus
    variant_reale: bool
    burraco_of_twos: bool
    pile_take: PileTake
    single_card_rediscard: SingleCardRediscard
    one_card_player_may_take_pile: bool
    close_requires_discard: bool
    close_with_wild_discard: bool
    close_needs: CloseNeeds
    closing_bonus: int
    pozzetto_not_taken_penalty: int
    no_pozzetto_penalty_if_none_taken: bool
    unplayed_pozzetto: UnplayedPozzetto
    stock_end: StockEnd
    duplicate_sets: bool
    duplicate_sequences: bool
    natural_two_may_turn_wild: bool
    sets_allowed: SetsAllowed
    jokers: int
    players: int
    hand_size: int
    target: int
    deals_per_match: int
    tie_suit_order: TieSuitOrder
    wild_free_position: WildFreePosition
    pozzetto_visible_after: PozzettoVisibleAfter
    stalemate_auto_turns: int
    next_dealer: NextDealer
    discard_visible: DiscardVisible
    partnerships: Partnerships
    joker_redraw_keeps_priority: bool
    victory_points: VictoryPoints

    __hash__ = RuleSet.__hash__
