"""Whether a meld lies on the table as these rules would have laid it (B4-19 … B4-23, §1.0)."""

from functools import lru_cache
from typing import Final

from service.rules.burraco.sequences import ACE_TO_ACE, Added, extend, lying
from service.rules.burraco.sets import LARGEST, RANKS_OF_SETS
from service.rules.cards import HIGH_ACE, IS_CARD, JOKER, RANK_NAMES, TWO, card_at, is_wild, rank_of, suit_of
from service.rules.defects import DefectReason
from service.rules.game import MeldFault
from service.rules.melds import SMALLEST, Meld, MeldKind
from service.rules.options import BurracoRules

NOTHING_ADDED: Final = Added(0, 0, 0)


@lru_cache(maxsize=4096)
def meld_fault(meld: Meld, rules: BurracoRules) -> MeldFault | None:
    """Find what is wrong with a meld on the table."""
    cards, wild_at = meld.cards, meld.wild_at
    most = LARGEST if meld.kind is MeldKind.SET else HIGH_ACE
    if not SMALLEST <= len(cards) <= most:
        return _no_meld(f"has {len(cards)} cards, but {SMALLEST} to {most} make one.")
    if not IS_CARD.issuperset(cards):
        return _no_meld("has a number among its cards that is no card.")
    if not -1 <= wild_at < len(cards):
        return _wild(f"is {wild_at}, but it has {len(cards)} cards.")
    if wild_at >= 0 and not is_wild(cards[wild_at]):
        return _wild("is that of a card which can never be wild.")
    naturals = [card for at, card in enumerate(cards) if at != wild_at]
    if JOKER in naturals:
        return _wild("is not that of the joker, which is always wild.")
    return _set_fault(meld, naturals, rules) if meld.kind is MeldKind.SET else _sequence_fault(meld, naturals, rules)


def _set_fault(meld: Meld, naturals: list[int], rules: BurracoRules) -> MeldFault | None:
    ranks = {rank_of(card) for card in naturals}
    if TWO in ranks:
        # §1.0, E22: in a set every two is wild.
        return _wild("is not that of the two, which is wild in a set.")
    if len(ranks) > 1:
        return _no_meld("is no set: its naturals are of several ranks.")
    if (rank := ranks.pop()) not in RANKS_OF_SETS[rules.sets_allowed]:
        return _no_meld(f"is a set of rank {RANK_NAMES[rank]}, which these rules do not allow.")
    if any(naturals.count(card) > 2 for card in set(naturals)):
        return _no_meld("has a card three times.")
    if naturals != sorted(naturals) or meld.wild_at not in (-1, len(naturals)):
        return _no_meld("is out of order: a set lies by suit, its wild last.")
    if meld.low:
        return MeldFault(".wild_as", DefectReason.DEFECT_WILD, "is set, but the wild of a set stands for no one card.")
    return None


def _sequence_fault(meld: Meld, naturals: list[int], rules: BurracoRules) -> MeldFault | None:
    low, high = meld.low, meld.low + len(meld.cards) - 1
    if len({suit_of(card) for card in naturals}) > 1:
        return _no_meld("is no sequence: its naturals are of several suits.")
    suit = meld.suit
    right = all(card == card_at(suit, low + at) for at, card in enumerate(meld.cards) if at != meld.wild_at)
    if low < 1 or high > HIGH_ACE or not right:
        return _no_meld("is no sequence: its cards do not follow one another from its low end to its high end.")
    if meld.mask == ACE_TO_ACE:
        return None if rules.variant_reale else _no_meld("goes from ace to ace, which these rules do not know.")
    roles = extend(lying(meld), NOTHING_ADDED, True)
    if roles is None or roles[:2] != (meld.mask, meld.wild_slot):
        if meld.wild_at < 0:
            return _no_meld("is no sequence that these rules make.")
        return _wild("is not where these rules put a wild that is free, or that of a two in its own place.")
    return None


def _no_meld(text: str) -> MeldFault:
    return MeldFault("", DefectReason.DEFECT_MELD, text)


def _wild(text: str) -> MeldFault:
    return MeldFault(".wild_index", DefectReason.DEFECT_WILD, text)
