"""Melding and laying off: whether a selection may go on the table, and what then has to remain in hand.

Whose turn it is and in which phase is asked elsewhere (`judge`); everything about the cards is asked here. Two kinds of
card have to be used by the very next thing that is laid: the pile's card where the rules say so (SC-6), and a recovered
joker (SC-14). So nothing can come between that makes it impossible.
"""

from service.rules.cards import NO_CARD, Card, suit_of
from service.rules.hand import Hand
from service.rules.melds import Meld, MeldKind
from service.rules.outcome import Verdict
from service.rules.reasons import Reason, Violation, violation
from service.rules.rummy.opening import book
from service.rules.rummy.options import OpeningWithJoker
from service.rules.rummy.reading import grow, points, read, stands_for
from service.rules.rummy.seats import closing_barred, first_round, has_opened, terms
from service.rules.rummy.terms import Terms
from service.rules.rummy.whynot import why_not_grown, why_not_read
from service.rules.state import State, Turn

SAFE = 2
"""With so many cards left nobody is stuck: at most one face is barred from the discard, and one card stays."""


def barred(turn: Turn, hand: Hand, card: Card, asked: Terms) -> bool:
    """Whether a card of the hand may not be discarded because it was taken from the pile (RA-8, SC-8)."""
    return card == turn.taken and not asked.rediscard and hand.count(card) == 1


def turn_after(turn: Turn, played: Hand) -> Turn:
    """The turn once cards have been laid: a pile card among them is barred no more, and what was owed is paid."""
    used = bool(turn.taken) and played.count(turn.taken) > 0
    return turn._replace(
        taken=NO_CARD if used else turn.taken,
        must_meld=NO_CARD,
        melded=True,
        jokers_owed=max(0, turn.jokers_owed - played.jokers),
    )


def unpaid(turn: Turn, played: Hand) -> list[Violation]:
    """Find what has to be used first, and is not among the cards (SC-6, SC-14)."""
    faults = []
    if turn.must_meld and not played.count(turn.must_meld):
        faults.append(violation(Reason.MUST_MELD_TOP_CARD, bytes((turn.must_meld,))))
    if turn.jokers_owed and not played.jokers:
        faults.append(violation(Reason.RECOVERED_JOKER_UNUSED))
    return faults


def keeping(state: State) -> int:
    """Number of cards that melds for the opening have to leave: one to discard, one more where nobody may close yet."""
    if closing_barred(state):
        return 2
    return 1 if terms(state).close_requires_discard else 0


def guard(state: State, left: Hand, turn: Turn) -> Violation | None:
    """Ask whether the turn can still end with these cards left: by a discard, or by closing."""
    size = left.size
    if size >= SAFE:
        return None
    if closing_barred(state):
        return violation(Reason.CLOSE_IN_FIRST_ROUND)
    asked = terms(state)
    if not size:
        return violation(Reason.MUST_KEEP_CLOSING_DISCARD) if asked.close_requires_discard else None
    card = next(left.faces())
    return violation(Reason.LAST_CARD_NOT_DISCARDABLE, left.cards()) if barred(turn, left, card, asked) else None


# --- new melds --------------------------------------------------------------------------------------------------------


def choose(found: list[Meld], kind: MeldKind | None, wild_as: Card) -> Meld | None:
    """Choose the reading that is named; the first where none is. In a set a missing suit may be declared (SC-14)."""
    for meld in found:
        if kind in (None, meld.kind) and (wild_as == NO_CARD or wild_as in stands_for(meld)):
            return meld._replace(low=suit_of(wild_as) + 1) if wild_as and meld.kind is MeldKind.SET else meld
    return None


def judge_meld(state: State, seat: int, selection: Hand, kind: MeldKind | None = None, wild_as: Card = 0) -> Verdict:
    """Judge a new meld from the seat's hand, which holds the selection."""
    shape = terms(state).shape
    found = read(selection, shape)
    if not found:
        return Verdict(tuple(why_not_read(selection, shape)))
    faults = unpaid(state.turn, selection)
    meld = choose(found, kind, wild_as)
    if meld is None:
        faults.append(violation(Reason.READING_NOT_POSSIBLE, selection.cards()))
        meld = found[0]
    left = state.hands[seat].minus(selection)
    if fault := guard(state, left, turn_after(state.turn, selection)):
        faults.append(fault)
    if not has_opened(state, seat):
        faults += _why_not_open(state, selection, left, points(meld, shape))
    return Verdict(tuple(faults), meld._replace(meld_id=state.next_meld_id, side=seat))


def jokers_open(state: State) -> bool:
    """Whether jokers may help the seat to move to open (SC-10)."""
    help_ = terms(state).opening_with_joker
    return help_ is OpeningWithJoker.YES or (help_ is OpeningWithJoker.NOT_FIRST_ROUND and not first_round(state))


def opening_with(state: State, hand: Hand, turn: Turn) -> int:
    """Most points towards the opening that a turn can still add with these cards, by melds (SC-9)."""
    asked = terms(state)
    keep = keeping(state)
    loose = turn.taken if keep == 1 and turn.taken and barred(turn, hand, turn.taken, asked) else NO_CARD
    return book(hand, asked.shape, jokers_open(state), loose).most(hand, keep)


def _why_not_open(state: State, selection: Hand, left: Hand, laid: int) -> list[Violation]:
    """Find why a meld does not open, alone or with those that can follow it this turn (SC-9, SC-10)."""
    asked, turn = terms(state), state.turn
    total = turn.opening + laid
    if total < asked.opening_points:
        # Where not even the cards to keep are left, the guard says so.
        total += max(0, opening_with(state, left, turn_after(turn, selection)))
    faults = []
    if total < asked.opening_points:
        faults.append(violation(Reason.OPENING_TOO_LOW, points=total, needed=asked.opening_points))
    if selection.jokers and turn.opening < asked.opening_points and not jokers_open(state):
        faults.append(violation(Reason.OPENING_WITH_JOKER, selection.cards()))
    return faults


# --- laying off -------------------------------------------------------------------------------------------------------


def judge_lay_off(state: State, seat: int, target: Meld, selection: Hand, wild_as: Card = NO_CARD) -> Verdict:
    """Judge adding cards from the seat's hand, which holds the selection, to anyone's meld (RA-9, SC-15)."""
    faults = [] if has_opened(state, seat) else [violation(Reason.NOT_OPENED)]
    shape = terms(state).shape
    found = grow(target, selection, shape)
    if not found:
        return Verdict((*faults, *why_not_grown(target, selection, shape)))
    faults += unpaid(state.turn, selection)
    meld = choose(found, None, wild_as)
    if meld is None:
        faults.append(violation(Reason.READING_NOT_POSSIBLE, selection.cards(), target.meld_id))
        meld = found[0]
    left = state.hands[seat].minus(selection)
    if fault := guard(state, left, turn_after(state.turn, selection)):
        faults.append(fault._replace(meld_id=target.meld_id))
    return Verdict(tuple(faults), meld)
