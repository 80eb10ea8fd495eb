"""The presets of Ramino and Scala 40, and which options contradict each other."""

from dataclasses import replace
from typing import Final

from service.rules.option_types import Defect
from service.rules.options import AcePlace, ClosingInHand, NextDealer, Preset, StockExhausted
from service.rules.reasons import Reason
from service.rules.rummy.options import (
    JokerFirstUpcard,
    NoAttachableDiscard,
    OpeningWithJoker,
    PileBeforeOpening,
    RaminoRules,
    Scala40Rules,
    SwappedJoker,
)

RAMINO: Final = RaminoRules(
    preset=Preset.RAMINO,
    jokers=0,
    packs=1,
    players=2,
    hand_size=0,
    ace_in_sequences=AcePlace.LOW_OR_HIGH,
    rediscard_taken_card=False,
    lay_off_needs_meld=False,
    close_requires_discard=True,
    in_mano_bonus=ClosingInHand.DOUBLE,
    stock_exhausted=StockExhausted.RESHUFFLE,
    ace_points=1,
    limit=101,
    next_dealer=NextDealer.LEFT,
)
"""Seed 004, with the recommendations of §1.3 for what it leaves open."""

SCALA_40: Final = Scala40Rules(
    preset=Preset.SCALA_40,
    jokers=2,
    players=4,
    hand_size=13,
    opening_points=40,
    opening_with_joker=OpeningWithJoker.YES,
    pile_before_opening=PileBeforeOpening.FREE,
    pile_card_must_be_used=False,
    swapped_joker=SwappedJoker.MUST_USE_NOW,
    ace_in_sequences=AcePlace.HIGH,
    lone_ace_in_hand=11,
    closing_in_hand=ClosingInHand.PLUS_25,
    no_close_first_round=False,
    no_attachable_discard=NoAttachableDiscard.OFF,
    limit=101,
    joker_first_upcard=JokerFirstUpcard.REPLACE,
    rediscard_taken_card=True,
    stock_exhausted=StockExhausted.RESHUFFLE,
    next_dealer=NextDealer.LEFT,
    reentry=False,
)
"""Seed 004, with R12 for what it leaves open."""

SCALA_40_FISCA: Final = replace(
    SCALA_40,
    preset=Preset.SCALA_40_FISCA,
    jokers=4,
    pile_before_opening=PileBeforeOpening.NEVER,
    pile_card_must_be_used=True,
    ace_in_sequences=AcePlace.LOW_OR_HIGH,
    closing_in_hand=ClosingInHand.DOUBLE,
    no_close_first_round=True,
    no_attachable_discard=NoAttachableDiscard.ALL_IF_THREE_PLUS,
    rediscard_taken_card=False,
)
"""The federation's rules."""

RAMINO_PRESETS: Final = {Preset.RAMINO: RAMINO}
SCALA_40_PRESETS: Final = {Preset.SCALA_40: SCALA_40, Preset.SCALA_40_FISCA: SCALA_40_FISCA}

LEFT_UNDRAWN: Final = 2
"""Cards of the stock that are never drawn where the deal is void at two."""


def ramino_contradictions(rules: RaminoRules) -> list[Defect]:
    """Find the options of Ramino that go against another: the deck has to be large enough for the players."""
    deck = 52 * rules.packs + rules.jokers
    stock = deck - rules.players * rules.cards_each - 1
    least = LEFT_UNDRAWN + rules.players if rules.stock_exhausted is StockExhausted.VOID_AT_TWO else 1
    if stock >= least:
        return []
    text = f"contradicts packs: {deck} cards are too few for {rules.players} players with {rules.cards_each} each."
    return [Defect("hand_size", Reason.OPTIONS_CONTRADICT, text, (("other", "packs"),))]


def scala_40_contradictions(rules: Scala40Rules) -> list[Defect]:
    """Find the options of Scala 40 that go against another: there are none, two packs are enough for six."""
    del rules
    return []
