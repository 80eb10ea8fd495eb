"""What a selection is on its own; and, when it is nothing, why (GI-3, GI-6)."""

from service.rules.cards import ACE, JOKER, KING, ROW, SUITS, TWO, Card, rank_of, suit_of
from service.rules.gin.deadwood import is_meld, meld_of, points
from service.rules.gin.options import GinRules
from service.rules.hand import Hand
from service.rules.melds import SMALLEST, Meld
from service.rules.reasons import Reason, Violation, violation


def readings(selection: Hand, _rules: GinRules) -> list[Meld]:
    """The one meld that a selection is, or none."""
    if selection.twice or selection.jokers or not is_meld(selection.once):
        return []
    return [meld_of(selection.once)]


def why_not_read(selection: Hand, _rules: GinRules) -> list[Violation]:
    """Say everything wrong with a selection that is no meld; never empty."""
    size = selection.size
    faults = []
    if size < SMALLEST:
        faults.append(violation(Reason.TOO_FEW_CARDS, selection.cards(), count=size, min=SMALLEST))
    faces = list(selection.faces())
    if selection.jokers:
        # No card stands for another in Gin.
        faults.append(violation(Reason.NEITHER_SET_NOR_SEQUENCE, bytes((JOKER,)) * selection.jokers))
    elif len({rank_of(card) for card in faces}) == 1 and (len(faces) > 1 or size < SMALLEST):
        faults += _why_no_set(selection)
    elif len({suit_of(card) for card in faces}) == 1:
        faults += _why_no_sequence(selection, faces)
    else:
        faults.append(violation(Reason.NEITHER_SET_NOR_SEQUENCE, selection.cards()))
    return faults


def _why_no_set(selection: Hand) -> list[Violation]:
    faults = []
    if selection.size > len(SUITS):
        faults.append(violation(Reason.TOO_MANY_CARDS, count=selection.size, max=len(SUITS)))
    if selection.twice:
        faults.append(violation(Reason.SET_REPEATS_SUIT, Hand(selection.twice).cards()))
    return faults


def _why_no_sequence(selection: Hand, faces: list[Card]) -> list[Violation]:
    faults = []
    if selection.size > KING:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=selection.size, max=KING))
    if selection.twice:
        faults.append(violation(Reason.SEQUENCE_REPEATS_RANK, Hand(selection.twice).cards()))
    elif selection.size >= SMALLEST:
        faults.append(_why_no_line(selection, faces))
    return faults


def _why_no_line(selection: Hand, faces: list[Card]) -> Violation:
    """Why cards of one suit, each once, do not follow one another: the ace is low (GI-3, E75)."""
    row = selection.row(suit_of(faces[0]))
    missing = ROW & ~row
    # If what is missing is one block between ace and king, the cards follow one another round the corner.
    if row & 1 << ACE and row & 1 << KING and not missing & (missing + (missing & -missing)):
        if row & 1 << TWO:
            return violation(Reason.SEQUENCE_GOES_ROUND, selection.cards())
        return violation(Reason.ACE_PLACE, bytes((faces[0],)))
    return violation(Reason.SEQUENCE_HAS_GAP, selection.cards())


def card_points(meld: Meld) -> int:
    """Deadwood value of a meld's cards."""
    return points(sum(1 << card for card in meld.cards))
