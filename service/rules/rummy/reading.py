"""What a selection can be on its own, and on a meld on the table (RA-6, RA-7, SC-11 … SC-15).

A joker may stand in several places, and the ace at either end, so there may be several readings. They are listed with
the most points first, then the lowest first slot; the first one is what is meant when the mover names none. The joker
of a set stands for the suit that its mover declared, else for any missing one, and either recovers it (SC-14).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.cards import ACE, HIGH_ACE, JOKER, LOW_ACE, NO_CARD, SUITS, Card, Mask, Slot, rank_of, suit_of
from service.rules.hand import Hand
from service.rules.melds import NO_WILD, SMALLEST, Meld, MeldKind, sequence_meld
from service.rules.rummy.terms import Shape

LARGEST_SET: Final = 4
"""A card of each suit (RA-6, SC-11)."""
LOW_BIT: Final = 1 << LOW_ACE
HIGH_BIT: Final = 1 << HIGH_ACE
BOTH_ACES: Final = LOW_BIT | HIGH_BIT


class Run(NamedTuple):
    """The slots of a sequence."""

    mask: Mask
    """Slots of its naturals."""
    wild_slot: Slot
    """Slot of its joker; 0 without one."""


def _ace_masks(ranks: Mask, shape: Shape) -> list[Mask]:
    """Slots of naturals of these ranks, the ace once at each end where it may stand."""
    if not ranks & LOW_BIT:
        return [ranks]
    others = ranks & ~LOW_BIT
    return [others | 1 << end for end in (LOW_ACE, HIGH_ACE) if shape.lowest <= end <= shape.highest]


def _is_block(slots: Mask) -> bool:
    lowest = slots & -slots
    return not (slots + lowest) & slots


def _best_first(runs: Iterable[Run], shape: Shape) -> tuple[Run, ...]:
    def order(run: Run) -> tuple[int, int]:
        slots = run.mask | (1 << run.wild_slot if run.wild_slot else 0)
        points = sum(shape.slot_points(slot) for slot in range(LOW_ACE, HIGH_ACE + 1) if slots >> slot & 1)
        return -points, slots & -slots

    return tuple(sorted(runs, key=order))


@lru_cache(maxsize=1 << 13)
def runs_of(ranks: Mask, joker: bool, shape: Shape) -> tuple[Run, ...]:
    """Every sequence that just these ranks of a suit form, with a joker or without, best first."""
    size = ranks.bit_count() + joker
    if ranks.bit_count() < 2 or not SMALLEST <= size <= shape.longest:
        return ()
    return _runs(_ace_masks(ranks, shape), joker, shape)


@lru_cache(maxsize=1 << 13)
def grown_runs(fixed: Run, ranks: Mask, joker: bool, shape: Shape) -> tuple[Run, ...]:
    """Every sequence that one on the table becomes with these ranks of its suit and a joker or none, best first.

    Its own cards stay where they are, its joker included (SC-13).
    """
    held = fixed.mask | (1 << fixed.wild_slot if fixed.wild_slot else 0)
    if held.bit_count() + ranks.bit_count() + joker > shape.longest or (joker and fixed.wild_slot):
        return ()
    if ranks & LOW_BIT and fixed.mask & BOTH_ACES:
        return ()
    masks = [new | fixed.mask for new in _ace_masks(ranks, shape) if not new & held]
    if joker:
        return _runs(masks, joker, shape)
    return _best_first([Run(mask, fixed.wild_slot) for mask in masks if _is_block(mask | held)], shape)


def _runs(masks: list[Mask], joker: bool, shape: Shape) -> tuple[Run, ...]:
    if not joker:
        return _best_first([Run(mask, 0) for mask in masks if _is_block(mask)], shape)
    places = range(shape.lowest, shape.highest + 1)
    found = [
        Run(mask, slot) for mask in masks for slot in places if not mask >> slot & 1 and _is_block(mask | 1 << slot)
    ]
    return _best_first(found, shape)


def read(selection: Hand, shape: Shape) -> list[Meld]:
    """Every meld that a selection can be, the one that is meant unless another is named first; none if it is none."""
    naturals = selection.once
    if not naturals or selection.twice or selection.jokers > 1:
        return []
    first = (naturals & -naturals).bit_length() - 1
    suit = suit_of(first)
    if not naturals >> 16 * (suit + 1):
        found = runs_of(naturals >> 16 * suit, bool(selection.jokers), shape)
        return [sequence_meld(suit, run.mask, run.wild_slot, JOKER if run.wild_slot else NO_CARD) for run in found]
    size = selection.size
    if any(rank_of(card) != rank_of(first) for card in selection.faces() if card != JOKER):
        return []
    return [_set_of(selection)] if SMALLEST <= size <= LARGEST_SET else []


def _set_of(selection: Hand) -> Meld:
    # By card number, which is by suit; the joker's number is the highest.
    cards = selection.cards()
    return Meld(MeldKind.SET, cards, len(cards) - 1 if selection.jokers else NO_WILD)


def run_of(meld: Meld) -> Run:
    """The slots of a sequence on the table."""
    return Run(meld.mask, meld.wild_slot)


def grow(meld: Meld, selection: Hand, shape: Shape) -> list[Meld]:
    """Every meld that one on the table can become with a selection, best first; none if the cards do not go on."""
    if not selection.size or selection.twice or selection.jokers > 1:
        return []
    if meld.kind is MeldKind.SET:
        grown = _grown_set(meld, selection)
        return [grown] if grown else []
    suit = meld.suit
    ranks = selection.once >> 16 * suit & 0x3FFE
    if selection.once != ranks << 16 * suit:
        return []
    found = grown_runs(run_of(meld), ranks, bool(selection.jokers), shape)
    wild = JOKER if selection.jokers or meld.wild_at >= 0 else NO_CARD
    grown_melds = [sequence_meld(suit, run.mask, run.wild_slot, wild) for run in found]
    return [each._replace(meld_id=meld.meld_id, side=meld.side) for each in grown_melds]


def _grown_set(meld: Meld, selection: Hand) -> Meld | None:
    held = selection.jokers
    planes = selection.once
    for at, card in enumerate(meld.cards):
        if at == meld.wild_at:
            held += 1
        elif planes >> card & 1:
            return None
        else:
            planes |= 1 << card
    union = Hand(planes, 0, held)
    same_rank = all(rank_of(card) == meld.rank for card in union.faces() if card != JOKER)
    if held > 1 or union.size > LARGEST_SET or not same_rank or (meld.wild_as and union.count(meld.wild_as)):
        return None
    return _set_of(union)._replace(low=meld.low, meld_id=meld.meld_id, side=meld.side)


def replaced(meld: Meld, card: Card) -> Meld | None:
    """The meld with a natural card in its joker's place; None if the card is not the one (SC-14)."""
    in_run = meld.kind is MeldKind.SEQUENCE
    if card not in stands_for(meld) or (rank_of(card) == ACE and in_run and card in meld.cards):
        # No sequence holds two natural aces: the fourteenth card is a joker (SC-12).
        return None
    if meld.kind is MeldKind.SET:
        return meld._replace(cards=bytes(sorted((*meld.cards[:-1], card))), wild_at=NO_WILD, low=0)
    at = meld.wild_at
    return meld._replace(cards=meld.cards[:at] + bytes((card,)) + meld.cards[at + 1 :], wild_at=NO_WILD)


def stands_for(meld: Meld) -> bytes:
    """The cards that a meld's joker may stand for: one in a sequence, every missing suit in a set; none without it."""
    if meld.wild_at < 0:
        return b""
    if meld.wild_as:
        return bytes((meld.wild_as,))
    return bytes(card for suit in SUITS if (card := suit * 16 + meld.rank) not in meld.cards)


def points(meld: Meld, shape: Shape) -> int:
    """Points of a meld as it lies, a joker counted as the card that it replaces (SC-9)."""
    if meld.kind is MeldKind.SET:
        return len(meld.cards) * shape.rank_points(meld.rank)
    return sum(shape.slot_points(slot) for slot in range(meld.low, meld.low + len(meld.cards)))
