"""Why a selection is no meld, and why cards do not go on one."""

from service.rules.cards import (
    HIGH_ACE,
    JOKER,
    KING,
    LOW_ACE,
    RANK_NAMES,
    RANK_PLANE,
    SUIT_LETTERS,
    TWO,
    Mask,
    rank_of,
    suit_of,
)
from service.rules.hand import Hand
from service.rules.melds import SMALLEST, Meld, MeldKind
from service.rules.options import AcePlace
from service.rules.reasons import Reason, Violation, violation
from service.rules.rummy.reading import LARGEST_SET, grow, read, run_of
from service.rules.rummy.terms import Shape


def why_not_read(selection: Hand, shape: Shape) -> list[Violation]:
    """Say everything wrong with a selection that is no meld; never empty."""
    size, faults = selection.size, []
    if size < SMALLEST:
        faults.append(violation(Reason.TOO_FEW_CARDS, selection.cards(), count=size, min=SMALLEST))
    if selection.jokers > 1:
        faults.append(violation(Reason.TOO_MANY_WILDS, bytes((JOKER,)) * selection.jokers, count=selection.jokers))
    naturals = Hand(selection.once, selection.twice)
    if naturals.size < 2:
        faults.append(violation(Reason.NOT_ENOUGH_NATURALS, selection.cards()))
    elif len({rank_of(card) for card in naturals.faces()}) == 1:
        faults += _why_no_set(selection)
    elif len({suit_of(card) for card in naturals.faces()}) == 1:
        faults += _why_no_sequence(selection, shape)
    else:
        faults.append(violation(Reason.NEITHER_SET_NOR_SEQUENCE, naturals.cards()))
    return sorted(faults, key=lambda fault: fault.reason)


def _why_no_set(selection: Hand) -> list[Violation]:
    faults = []
    if selection.size > LARGEST_SET:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=selection.size, max=LARGEST_SET))
    if selection.twice:
        faults.append(violation(Reason.SET_REPEATS_SUIT, Hand(selection.twice).cards()))
    return faults


def _why_no_sequence(selection: Hand, shape: Shape) -> list[Violation]:
    faults = []
    if selection.size > shape.longest:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=selection.size, max=shape.longest))
    if selection.twice:
        faults.append(violation(Reason.SEQUENCE_REPEATS_RANK, Hand(selection.twice).cards()))
    if not faults and selection.size >= SMALLEST and selection.jokers <= 1:
        suit = suit_of(next(selection.faces()))
        anywhere = shape._replace(ace=AcePlace.LOW_OR_HIGH)
        faults.append(_misplaced(selection, selection.once >> 16 * suit, allowed=bool(read(selection, anywhere))))
    return faults


def _misplaced(selection: Hand, ranks: Mask, *, allowed: bool) -> Violation:
    """Say what is wrong with the places of a sequence's cards; `allowed` where another place of the ace would do."""
    if allowed:
        return violation(Reason.ACE_PLACE, selection.cards())
    ends = 1 << LOW_ACE, 1 << TWO, 1 << KING
    round_corner = all(ranks & end for end in ends)
    return violation(Reason.SEQUENCE_GOES_ROUND if round_corner else Reason.SEQUENCE_HAS_GAP, selection.cards())


def why_not_grown(meld: Meld, selection: Hand, shape: Shape) -> list[Violation]:
    """Say everything wrong with cards that do not go on a meld; never empty."""
    faults = _why_not_on_set(meld, selection) if meld.kind is MeldKind.SET else _why_not_on_run(meld, selection, shape)
    return sorted((fault._replace(meld_id=meld.meld_id) for fault in faults), key=lambda fault: fault.reason)


def _wilds(meld: Meld, selection: Hand) -> list[Violation]:
    if selection.jokers and meld.wild_at >= 0:
        return [violation(Reason.MELD_HAS_WILD, bytes((JOKER,)) * selection.jokers)]
    if selection.jokers > 1:
        return [violation(Reason.TOO_MANY_WILDS, bytes((JOKER,)) * selection.jokers, count=selection.jokers)]
    return []


def _why_not_on_set(meld: Meld, selection: Hand) -> list[Violation]:
    faults = _wilds(meld, selection)
    strangers = Hand(selection.once & ~RANK_PLANE[meld.rank])
    if strangers.once:
        faults.append(violation(Reason.RANK_DOES_NOT_MATCH, strangers.cards(), rank=RANK_NAMES[meld.rank]))
    size = len(meld.cards) + selection.size
    if size > LARGEST_SET:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=size, max=LARGEST_SET))
    lying = sum(1 << card for card in meld.cards if card != JOKER)
    repeated = Hand((selection.once & lying) | (selection.twice & RANK_PLANE[meld.rank]))
    if repeated.once:
        faults.append(violation(Reason.SET_REPEATS_SUIT, repeated.cards()))
    if meld.wild_as and selection.count(meld.wild_as):
        # SC-14: the joker was declared to be this card, which recovers it and does not lie beside it.
        faults.append(violation(Reason.SLOT_TAKEN, bytes((meld.wild_as,))))
    return faults


def _why_not_on_run(meld: Meld, selection: Hand, shape: Shape) -> list[Violation]:
    faults = _wilds(meld, selection)
    suit, run = meld.suit, run_of(meld)
    strangers = bytes(card for card in selection.faces() if card != JOKER and suit_of(card) != suit)
    if strangers:
        faults.append(violation(Reason.SUIT_DOES_NOT_MATCH, strangers, suit=SUIT_LETTERS[suit]))
    held = run.mask | (1 << run.wild_slot if run.wild_slot else 0)
    if held >> HIGH_ACE:
        held |= 1 << LOW_ACE
    ranks = selection.once >> 16 * suit & 0x3FFE
    taken = Hand((ranks & held) << 16 * suit | selection.twice).cards()
    size = len(meld.cards) + selection.size
    if size > shape.longest:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=size, max=shape.longest))
    if taken:
        faults.append(violation(Reason.SLOT_TAKEN, taken))
    if not faults:
        anywhere = shape._replace(ace=AcePlace.LOW_OR_HIGH)
        seen = ranks | held & ~(1 << HIGH_ACE)
        faults.append(_misplaced(selection, seen, allowed=bool(grow(meld, selection, anywhere))))
    return faults
