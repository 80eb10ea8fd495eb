"""Melding and laying off: whether a selection may go on the table, and what the table then looks like.

Whose turn it is and in which phase is asked elsewhere (`judge`); everything about the cards is asked here.
"""

from service.rules.burraco.guard import guard
from service.rules.burraco.reading import add, read, why_not_added, why_not_read
from service.rules.cards import RANK_NAMES
from service.rules.hand import Hand, one
from service.rules.melds import Meld, MeldKind
from service.rules.outcome import Verdict
from service.rules.reasons import Reason, Violation, violation
from service.rules.state import State


def judge_meld(state: State, seat: int, selection: Hand) -> Verdict:
    """Judge a new meld from the seat's hand, which holds the selection."""
    meld = read(selection, state.rules)
    if meld is None:
        return Verdict(tuple(why_not_read(selection, state.rules)))
    side = state.side_of(seat)
    meld = meld._replace(meld_id=state.next_meld_id, side=side)
    faults = _duplicates(state, meld)
    if not meets_obligation(state, selection, fresh=True):
        faults.append(_obliged(state))
    if fault := guard(state, seat, selection, (*state.melds, meld)):
        faults.append(fault)
    return Verdict(tuple(faults), meld)


def judge_lay_off(state: State, seat: int, target: Meld, selection: Hand) -> Verdict:
    """Judge adding cards from the seat's hand, which holds the selection, to a meld of its side."""
    meld = add(target, selection, state.rules)
    if meld is None:
        return Verdict(tuple(why_not_added(target, selection, state.rules)))
    faults = []
    if not meets_obligation(state, selection, fresh=False):
        faults.append(_obliged(state))
    if fault := guard(state, seat, selection, with_meld(state, meld)):
        faults.append(fault._replace(meld_id=target.meld_id))
    return Verdict(tuple(faults), meld)


def with_meld(state: State, changed: Meld) -> tuple[Meld, ...]:
    """The melds of the table with one of them changed."""
    return tuple(changed if meld.meld_id == changed.meld_id else meld for meld in state.melds)


def same_cards(one_meld: bytes, other: bytes) -> bool:
    """Whether two melds have equal cards."""
    return sorted(one_meld) == sorted(other)


def _duplicates(state: State, new: Meld) -> list[Violation]:
    """Find the side's meld that the new one repeats (B4-22, E25, R11)."""
    rules = state.rules
    for meld in state.melds:
        if meld.side != new.side or meld.kind is not new.kind:
            continue
        if new.kind is MeldKind.SET and not rules.duplicate_sets and meld.rank == new.rank:
            rank = RANK_NAMES[new.rank]
            return [violation(Reason.DUPLICATE_SET, new.cards, meld.meld_id, rank=rank)]
        if new.kind is MeldKind.SEQUENCE and not rules.duplicate_sequences and same_cards(meld.cards, new.cards):
            return [violation(Reason.DUPLICATE_SEQUENCE, new.cards, meld.meld_id)]
    return []


def meets_obligation(state: State, selection: Hand, *, fresh: bool) -> bool:
    """Whether a play uses the pile's top card as R2 obliges: on a meld, or with two cards of the hand as it was."""
    top = state.turn.must_meld
    if not top:
        return True
    if not selection.count(top):
        return False
    if not fresh:
        return True
    before, others = state.turn.hand_before_pile, selection.minus(one(top))
    jokers = min(before.jokers, others.jokers)
    return (before.once & others.once).bit_count() + (before.twice & others.twice).bit_count() + jokers >= 2


def _obliged(state: State) -> Violation:
    top = state.turn.must_meld
    return violation(Reason.MUST_MELD_TOP_CARD, bytes((top,)))
