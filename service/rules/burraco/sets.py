"""Sets: what a selection forms, and what may be added to one on the table (B4-20)."""

from typing import Final

from service.rules.cards import ACE, JOKER, KING, RANK_PLANE, RANKS, TWO, TWOS, Rank, rank_of
from service.rules.hand import Hand
from service.rules.melds import NO_WILD, SMALLEST, Meld, MeldKind
from service.rules.options import SetsAllowed

LARGEST: Final = 9
"""Eight naturals and a wild (B4-20)."""

RANKS_OF_SETS: Final = {
    SetsAllowed.ALL: frozenset(RANKS) - {TWO},
    SetsAllowed.ACES_AND_THREES: frozenset((ACE, 3)),
    SetsAllowed.ACES_KINGS_AND_THREES: frozenset((ACE, 3, KING)),
    SetsAllowed.NONE: frozenset[Rank](),
}
"""Ranks that may form sets (row 19). Twos are wild in a set, so they never do (§1.0, E22)."""


def wilds_in(selection: Hand) -> int:
    """Number of cards that are wild in a set: jokers, and all twos."""
    return selection.jokers + (selection.once & TWOS).bit_count() + (selection.twice & TWOS).bit_count()


def read_set(selection: Hand, allowed: SetsAllowed) -> Meld | None:
    """Read a selection laid fresh from the hand as a set: two to eight naturals, at most one wild (B4-20)."""
    naturals = selection.once & ~TWOS
    if not naturals:
        return None
    rank = rank_of((naturals & -naturals).bit_length() - 1)
    wilds = wilds_in(selection)
    size = selection.size
    if (
        naturals & ~RANK_PLANE[rank]
        or wilds > 1
        or size < SMALLEST
        or size - wilds < 2
        or rank not in RANKS_OF_SETS[allowed]
    ):
        return None
    return _laid(selection, wilds)


def lay_off_set(meld: Meld, selection: Hand) -> Meld | None:
    """Add cards to a set on the table; None if the rules do not let them on (B4-20, B4-23)."""
    wilds = wilds_in(selection)
    if selection.once & ~TWOS & ~RANK_PLANE[meld.rank] or wilds > (meld.wild_at < 0):
        return None
    union = sorted((*meld.cards, *selection.cards()), key=_wild_last)
    if len(union) > LARGEST:
        return None
    wild_at = len(union) - 1 if wilds or meld.wild_at >= 0 else NO_WILD
    return Meld(MeldKind.SET, bytes(union), wild_at, 0, meld.meld_id, meld.side)


def _wild_last(card: int) -> tuple[bool, int]:
    return card == JOKER or rank_of(card) == TWO, card


def _laid(selection: Hand, wilds: int) -> Meld:
    cards = sorted(selection.cards(), key=_wild_last)
    return Meld(MeldKind.SET, bytes(cards), len(cards) - 1 if wilds else NO_WILD)
