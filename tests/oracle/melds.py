"""Melds by brute force (1.0, B4-19 to B4-25)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from service.rules.options import BurracoRules, LongRunBonus, SemicleanDefinition, SetsAllowed
from tests.oracle.cards import ACE, JOKER, KING, TWO, face_in_slot, is_wild_card, rank, suit, value, without

BurracoKind = Literal["none", "dirty", "semiclean", "clean"]


@dataclass(frozen=True, slots=True)
class OMeld:
    """A meld on the table, its roles stored."""

    kind: Literal["set", "sequence"]
    cards: tuple[int, ...]
    """A sequence from its low end up; a set by card number, its wild last."""
    wild: int | None
    """Index in `cards` of the card that acts as a wild."""
    low: int
    """Slot of a sequence's first card, the ace's being 1 and 14; 0 for a set."""

    @property
    def wild_card(self) -> int | None:
        """The card that acts as a wild."""
        return None if self.wild is None else self.cards[self.wild]

    @property
    def naturals(self) -> tuple[int, ...]:
        """The cards that stand for themselves."""
        return tuple(number for index, number in enumerate(self.cards) if index != self.wild)

    def natural_in(self, slot: int) -> bool:
        """Whether a natural card stands in a slot of this sequence."""
        index = slot - self.low
        return 0 <= index < len(self.cards) and index != self.wild


# --- sets ------------------------------------------------------------------------------------------------------------


def sets_from(naturals: Iterable[int], wild: int | None) -> Iterator[OMeld]:
    """The set, if there is one, in which `naturals` stand for themselves and `wild` acts as a wild (1.0, B4-20)."""
    naturals = tuple(sorted(naturals))
    all_cards = naturals if wild is None else (*naturals, wild)
    if not 3 <= len(all_cards) <= 9:
        return
    if any(is_wild_card(number) for number in naturals) or len({rank(number) for number in naturals}) != 1:
        return
    if max(Counter(naturals).values()) > 2:
        return
    yield OMeld("set", all_cards, None if wild is None else len(naturals), 0)


def set_rank_allowed(set_rank: int, rules: BurracoRules) -> bool:
    """Whether new sets of a rank are allowed (rows 4 and 19)."""
    if rules.variant_reale:
        return False
    return {
        SetsAllowed.ALL: True,
        SetsAllowed.ACES_AND_THREES: set_rank in {ACE, 3},
        SetsAllowed.ACES_KINGS_AND_THREES: set_rank in {ACE, KING, 3},
        SetsAllowed.NONE: False,
    }[rules.sets_allowed]


# --- sequences -------------------------------------------------------------------------------------------------------


def sequences_from(naturals: Iterable[int], wild: int | None, rules: BurracoRules) -> Iterator[OMeld]:
    """Every sequence in which `naturals` stand for themselves and `wild` acts as a wild, placed canonically (1.0).

    Every block of slots is tried, and every place for the wild in it.
    """
    naturals = tuple(sorted(naturals))
    size = len(naturals) + (wild is not None)
    if not 3 <= size <= 14 or JOKER in naturals or len({suit(number) for number in naturals}) != 1:
        return
    places: list[int | None] = [None] if wild is None else list(range(size))
    for low in range(1, 14 - size + 2):
        block = [face_in_slot(suit(naturals[0]), slot) for slot in range(low, low + size)]
        for place in places:
            if tuple(sorted(face for index, face in enumerate(block) if index != place)) != naturals:
                continue
            if sum(rank(number) == ACE for number in naturals) > 1 and not (rules.variant_reale and wild is None):
                continue  # the ace is low or high, never both, but for the natural A..A of Burraco Reale
            if place is None or wild is None:
                yield OMeld("sequence", tuple(block), None, low)
                continue
            interior = 0 < place < size - 1
            above_low_ace = place == size - 1 and low == 1
            if not (interior or place == 0 or above_low_ace):
                continue
            is_natural_two = block[place] == wild  # a two in slot 2 of its own suit is no wild
            block_with_wild = (*block[:place], wild, *block[place + 1 :])
            yield OMeld("sequence", block_with_wild, None if is_natural_two else place, low)


def preference(meld: OMeld) -> tuple[bool, bool, bool]:
    """Sorting key, best first: with a natural two, without a wild, with the ace low (1.0, R5, R6)."""
    return (
        not (meld.kind == "sequence" and meld.natural_in(2)),
        meld.wild is not None,
        meld.kind == "sequence" and meld.natural_in(14) and not meld.natural_in(1),
    )


def preferred(melds: Iterable[OMeld]) -> OMeld | None:
    """The one best meld, or None if there is none at all."""
    ranked = sorted(set(melds), key=preference)
    if not ranked:
        return None
    best = [meld for meld in ranked if preference(meld) == preference(ranked[0])]
    if len(best) > 1:
        raise AssertionError(f"the rules do not choose between {best}")
    return best[0]


# --- melds from the hand ---------------------------------------------------------------------------------------------


def read_fresh(cards: Iterable[int], rules: BurracoRules) -> OMeld | None:
    """Read a selection laid fresh from the hand: every choice of the wild is tried, none included (1.0)."""
    cards = tuple(sorted(cards))
    found: list[OMeld] = []
    for wild in (None, *sorted({number for number in cards if is_wild_card(number)})):
        naturals = cards if wild is None else without(cards, [wild])
        found += [meld for meld in sets_from(naturals, wild) if set_rank_allowed(rank(meld.cards[0]), rules)]
        found += sequences_from(naturals, wild, rules)
    return preferred(found)


# --- adding cards ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=200_000)
def add_one(meld: OMeld, number: int, rules: BurracoRules) -> frozenset[OMeld]:
    """Every legal way to add one card to a meld (1.0, "Adding cards"; R5)."""
    if meld.kind == "set":
        return _add_one_to_set(meld, number)
    return frozenset(new for new in _add_one_to_sequence(meld, number, rules) if _aces_stay(meld, new))


def _add_one_to_set(meld: OMeld, number: int) -> frozenset[OMeld]:
    if not is_wild_card(number):
        return frozenset(sets_from((*meld.naturals, number), meld.wild_card))
    if meld.wild is None:
        return frozenset(sets_from(meld.naturals, number))
    return frozenset()


def _add_one_to_sequence(meld: OMeld, number: int, rules: BurracoRules) -> list[OMeld]:
    # As a natural card: the union passes the multiset test, the wild is placed anew. For a two of the suit that means
    # slot 2, since no other slot has its face.
    as_natural = list(sequences_from((*meld.naturals, number), meld.wild_card, rules))
    if as_natural:
        return as_natural
    if is_wild_card(number):
        # As a wild, being a joker or a two that cannot be natural: only beside no other wild.
        return list(sequences_from(meld.naturals, number, rules)) if meld.wild is None else []
    # A natural that needs the natural two as a wild (R5).
    natural_twos = [two for two in meld.naturals if rank(two) == TWO]
    if rules.natural_two_may_turn_wild and meld.wild is None and natural_twos:
        two = natural_twos[0]
        return list(sequences_from((*without(meld.naturals, [two]), number), two, rules))
    return []


def _aces_stay(before: OMeld, after: OMeld) -> bool:
    """Whether an ace that stood at an end still stands there (R6)."""
    return all(after.natural_in(slot) for slot in (1, 14) if before.natural_in(slot))


@lru_cache(maxsize=200_000)
def add_in_any_order(meld: OMeld, cards: tuple[int, ...], rules: BurracoRules) -> frozenset[OMeld]:
    """Every meld that adding the cards one at a time reaches, whatever their order.

    Each card in turn is the last of the order; the others went on before it in any order.
    """
    if not cards:
        return frozenset({meld})
    return frozenset(
        after
        for last in set(cards)
        for before in add_in_any_order(meld, without(cards, [last]), rules)
        for after in add_one(before, last, rules)
    )


def lay_off(meld: OMeld, cards: Iterable[int], rules: BurracoRules) -> OMeld | None:
    """Add cards of the hand to a meld on the table, or None if no order of them is legal (1.0, R5, R6)."""
    cards = tuple(sorted(cards))
    return preferred(add_in_any_order(meld, cards, rules)) if cards else None


# --- what a meld is worth --------------------------------------------------------------------------------------------


def burraco_kind(meld: OMeld, rules: BurracoRules) -> BurracoKind:
    """Which kind of burraco a meld is, if any (1.0, B4-25, R10)."""
    if len(meld.cards) < 7:
        return "none"
    if meld.wild is None:
        return "clean"
    return "semiclean" if rules.semiclean and _is_semiclean(meld, rules) else "dirty"


def _is_semiclean(meld: OMeld, rules: BurracoRules) -> bool:
    if meld.kind == "set":
        return len(meld.naturals) >= 7
    assert meld.wild is not None
    below, above = meld.wild, len(meld.cards) - 1 - meld.wild
    if rules.semiclean_definition == SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE:
        return below >= 7 or above >= 7
    return (below == 0 and above >= 7) or (above == 0 and below >= 7)


def meld_points(meld: OMeld) -> int:
    """Sum of the values of a meld's cards (B4-36)."""
    return sum(value(number) for number in meld.cards)


def bonus(meld: OMeld, rules: BurracoRules) -> int:
    """Bonus of a meld (B4-38; row 3 for long sequences)."""
    if meld.kind == "sequence" and meld.wild is None and len(meld.cards) >= 13:
        if rules.long_run_bonus == LongRunBonus.THIRTEEN_300:
            return 300
        if rules.long_run_bonus == LongRunBonus.NOBILE_500_REALE_1000 and meld.low == 1:
            return 1000 if len(meld.cards) == 14 else 500
    return {"none": 0, "dirty": 100, "semiclean": 150, "clean": 200}[burraco_kind(meld, rules)]
