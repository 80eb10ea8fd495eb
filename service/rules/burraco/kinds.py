"""Burracos: which kind a meld is, and what it earns (B4-24, B4-25, B4-38, R10)."""

from enum import IntEnum
from functools import lru_cache
from typing import Final

from service.rules.burraco.sequences import ACE_TO_ACE
from service.rules.melds import Meld, MeldKind
from service.rules.options import BurracoRules, CloseNeeds, LongRunBonus, SemicleanDefinition

BURRACO_SIZE: Final = 7
SEMICLEAN_NATURALS: Final = 7
CLEAN_BONUS: Final = 200
SEMICLEAN_BONUS: Final = 150
DIRTY_BONUS: Final = 100


class BurracoKind(IntEnum):
    """What a meld of seven or more cards is worth calling."""

    NONE = 0
    DIRTY = 1
    SEMI_CLEAN = 2
    CLEAN = 3


def burraco_kind(meld: Meld, rules: BurracoRules) -> BurracoKind:
    """Say which kind of burraco a meld is now; it may change while the deal lasts (B4-25)."""
    if len(meld.cards) < BURRACO_SIZE:
        return BurracoKind.NONE
    if meld.wild_at < 0:
        return BurracoKind.CLEAN
    return BurracoKind.SEMI_CLEAN if rules.semiclean and _is_semiclean(meld, rules) else BurracoKind.DIRTY


def _is_semiclean(meld: Meld, rules: BurracoRules) -> bool:
    """Whether a meld with a wild is semi-clean (row 2, R10)."""
    below, above = meld.wild_at, len(meld.cards) - 1 - meld.wild_at
    if meld.kind is MeldKind.SET:
        return below + above >= SEMICLEAN_NATURALS
    if max(below, above) < SEMICLEAN_NATURALS:
        return False
    at_end = below == 0 or above == 0
    return at_end or rules.semiclean_definition is SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE


def opens_the_close(meld: Meld, rules: BurracoRules) -> bool:
    """Whether a meld is a burraco of the kind that closing needs (B4-31, row 11)."""
    if len(meld.cards) < BURRACO_SIZE:
        return False
    return meld.wild_at < 0 or rules.close_needs is CloseNeeds.ANY_BURRACO


def long_run_bonus(meld: Meld, rules: BurracoRules) -> int:
    """Bonus of a long sequence of naturals, in place of the clean one; 0 for none (row 3)."""
    if meld.kind is MeldKind.SET or meld.wild_at >= 0 or len(meld.cards) < 13:
        return 0
    if rules.long_run_bonus is LongRunBonus.THIRTEEN_300:
        return 300
    if rules.long_run_bonus is LongRunBonus.NOBILE_500_REALE_1000:
        if meld.mask == ACE_TO_ACE:
            return 1000
        return 500 if meld.low == 1 else 0
    return 0


def bonus(meld: Meld, rules: BurracoRules) -> int:
    """Bonus that a meld would earn if the deal ended now (B4-38); it does not depend on its length beyond seven."""
    kind = burraco_kind(meld, rules)
    if kind is BurracoKind.CLEAN:
        return long_run_bonus(meld, rules) or CLEAN_BONUS
    return {BurracoKind.NONE: 0, BurracoKind.DIRTY: DIRTY_BONUS, BurracoKind.SEMI_CLEAN: SEMICLEAN_BONUS}[kind]


@lru_cache(maxsize=4096)
def worth(meld: Meld, rules: BurracoRules) -> int:
    """Card values and bonus of a meld as it lies."""
    return meld.card_points + bonus(meld, rules)
