"""The options of Gin: what each may be, the value that holds a full set, and the preset.

Names and numbers are those of `burraco.v1.GinRules`.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Final

from service.rules.option_types import BoolOption, Defect, NameOption, NumberOption, Option
from service.rules.options import AcePlace, Game, NextDealer, Preset, RuleSet, StockExhausted
from service.rules.reasons import Reason

MOST_TO_KNOCK: Final = 10
"""The usual knock limit, and the highest value of a card (GI-3, GI-7)."""


class Oklahoma(IntEnum):
    """Whether the up-card sets the knock limit (row 41)."""

    OFF = 1
    ACE_IS_ONE = 2
    ACE_IS_GIN = 3


class Shutout(IntEnum):
    """What winning a match is worth in which the loser won no deal (row 39, GI-14)."""

    NONE = 1
    DOUBLE_BONUSES = 2
    DOUBLE_TOTAL = 3
    FLAT_100 = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class GinRules(RuleSet):
    """A full set of options of Gin. Each field is described in `OPTIONS`."""

    game: ClassVar[Game] = Game.GIN
    players: ClassVar[int] = 2
    """Gin is for two (GI-2)."""

    knock_limit: int
    oklahoma: Oklahoma
    gin_bonus: int
    undercut_bonus: int
    undercut_on_tie: bool
    big_gin_bonus: int
    box_bonus: int
    game_bonus: int
    shutout: Shutout
    target: int
    next_dealer: NextDealer
    stock_exhausted: StockExhausted
    ace_in_sequences: AcePlace

    __hash__ = RuleSet.__hash__


OPTIONS: Final[tuple[Option, ...]] = (
    NumberOption(
        "knock_limit",
        "Most deadwood to knock with; 0 is gin only.",
        ("row 41", "GI-7", "E63"),
        0,
        MOST_TO_KNOCK,
    ),
    NameOption(
        "oklahoma",
        "Whether the first up-card of a deal sets the knock limit.",
        ("row 41",),
        (
            (Oklahoma.OFF, "It does not: the limit is the same in every deal."),
            (Oklahoma.ACE_IS_ONE, "Its value is the limit, that of an ace being 1."),
            (Oklahoma.ACE_IS_GIN, "Its value is the limit, and after an ace nobody knocks but with gin."),
        ),
    ),
    NumberOption("gin_bonus", "Points for gin.", ("row 39", "GI-10"), 0, 1000),
    NumberOption("undercut_bonus", "Points for an undercut.", ("row 39", "GI-9"), 0, 1000),
    BoolOption(
        "undercut_on_tie",
        "Whether equal deadwood is an undercut.",
        ("row 40", "GI-9", "E65"),
        "It is: the defender scores the bonus.",
        "The knocker wins the deal, with no point.",
    ),
    NumberOption(
        "big_gin_bonus",
        "Points for melding all eleven cards without a discard; 0: that does not exist.",
        ("row 39", "GI-11"),
        0,
        1000,
    ),
    NumberOption("box_bonus", "Points for each deal won, at the end of the match.", ("row 39", "GI-14"), 0, 1000),
    NumberOption("game_bonus", "Points for reaching the target.", ("row 39", "GI-14", "E67"), 0, 1000),
    NameOption(
        "shutout",
        "What it is worth to win a match in which the loser won no deal.",
        ("row 39", "GI-14"),
        (
            (Shutout.NONE, "Nothing more."),
            (Shutout.DOUBLE_BONUSES, "The winner's bonuses for game and deals count double."),
            (Shutout.DOUBLE_TOTAL, "The winner's whole total counts double."),
            (Shutout.FLAT_100, "100 points."),
        ),
    ),
    NumberOption("target", "Points that end the match.", ("row 42", "GI-14"), 10, 10000),
    NameOption(
        "next_dealer",
        "Who deals next; after a void deal the same player deals again.",
        ("R13", "GI-13"),
        (
            (NextDealer.LEFT, "The players deal in turn."),
            (NextDealer.LOSER, "The loser of the deal."),
            (NextDealer.WINNER, "The winner of the deal."),
        ),
    ),
    NameOption(
        "stock_exhausted",
        "What happens when the stock runs out.",
        ("row 44", "GI-12", "E72"),
        (
            (StockExhausted.RESHUFFLE, "The pile but its top card is shuffled and becomes the stock, at most 8 times."),
            (StockExhausted.VOID_AT_TWO, "The deal is void once a discard finds two cards in it."),
        ),
    ),
    NameOption(
        "ace_in_sequences",
        "Where the ace may stand in a sequence.",
        ("R13", "GI-3", "E75"),
        ((AcePlace.LOW, "Below the two only."),),
    ),
)
"""In the order of the field numbers of `burraco.v1.GinRules`."""

GIN: Final = GinRules(
    preset=Preset.GIN,
    knock_limit=MOST_TO_KNOCK,
    oklahoma=Oklahoma.OFF,
    gin_bonus=25,
    undercut_bonus=25,
    undercut_on_tie=True,
    big_gin_bonus=0,
    box_bonus=25,
    game_bonus=100,
    shutout=Shutout.DOUBLE_BONUSES,
    target=100,
    next_dealer=NextDealer.LOSER,
    stock_exhausted=StockExhausted.VOID_AT_TWO,
    ace_in_sequences=AcePlace.LOW,
)
"""The modern scale (row 39)."""

PRESETS: Final = {Preset.GIN: GIN}


def contradictions(rules: GinRules) -> list[Defect]:
    """Find the options that go against another; each value is in its range."""
    if rules.oklahoma is not Oklahoma.OFF and rules.knock_limit != MOST_TO_KNOCK:
        text = f"contradicts oklahoma: the up-card sets the limit, so it has to be {MOST_TO_KNOCK}."
        return [Defect("knock_limit", Reason.OPTIONS_CONTRADICT, text, (("other", "oklahoma"),))]
    return []
