"""The legal-continuation guard: what has to remain in hand after melding, so that nobody is ever stuck (R1).

R1 replaces P, Q and R of §1.1. It is asked once a move, of the state after the whole move.
"""

from service.rules.burraco.kinds import opens_the_close
from service.rules.burraco.reading import add
from service.rules.cards import NO_CARD, Card, is_wild
from service.rules.hand import EMPTY, Hand, one
from service.rules.melds import Meld
from service.rules.options import BurracoRules, SingleCardRediscard
from service.rules.reasons import Reason, Violation, violation
from service.rules.state import NOBODY, State, Turn

SAFE = 2
"""With so many cards left nobody is stuck: at most one face is barred from the discard, and one card stays."""


def barred(turn: Turn, hand: Hand, card: Card, rules: BurracoRules) -> bool:
    """Whether a card of the hand may not be discarded because it was the whole pile (B4-17, R7)."""
    if card != turn.taken_single or rules.single_card_rediscard is SingleCardRediscard.ALLOWED:
        return False
    copies = hand.count(card)
    if rules.single_card_rediscard is SingleCardRediscard.IDENTICAL_COPY_ONLY:
        return copies == 1
    # NEVER: but two twins alone in hand leave nothing else to discard, and a turn has to be able to end.
    return copies == 1 or hand.size != copies


def may_close(state: State, side: int, melds: tuple[Meld, ...]) -> bool:
    """Whether a side with these melds on the table may close at all (B4-31)."""
    return state.taken_by[side] != NOBODY and any(
        meld.side == side and opens_the_close(meld, state.rules) for meld in melds
    )


def turn_after(turn: Turn, played: Hand) -> Turn:
    """The turn once cards have been melded: a pile card that is among them is barred no more (R7), and R2 is met."""
    barred_still = turn.taken_single if not turn.taken_single or not played.count(turn.taken_single) else NO_CARD
    return turn._replace(
        taken_single=barred_still, must_meld=NO_CARD, must_meld_something=False, melded=True, hand_before_pile=EMPTY
    )


def guard(state: State, seat: int, played: Hand, melds: tuple[Meld, ...]) -> Violation | None:
    """Ask R1 of the cards that a meld or lay-off leaves in the seat's hand; `melds` are those on the table after it."""
    left = state.hands[seat].minus(played)
    size = left.size
    if size >= SAFE:
        return None
    side, turn = state.side_of(seat), turn_after(state.turn, played)
    if state.pozzetto_available(side):
        return _last_card(left) if size and _is_barred(turn, left, state.rules) else None
    if not may_close(state, side, melds):
        return violation(Reason.MUST_KEEP_TWO, left=size)
    if not size:
        return violation(Reason.MUST_KEEP_CLOSING_DISCARD) if state.rules.close_requires_discard else None
    card = next(left.faces())
    closes = not _is_barred(turn, left, state.rules) and (state.rules.close_with_wild_discard or not is_wild(card))
    if closes or (not state.rules.close_requires_discard and _fits(state, side, card, melds)):
        return None
    return _last_card(left)


def _is_barred(turn: Turn, left: Hand, rules: BurracoRules) -> bool:
    return barred(turn, left, next(left.faces()), rules)


def _fits(state: State, side: int, card: Card, melds: tuple[Meld, ...]) -> bool:
    """Whether the last card could close by going on a meld; it may spoil the burraco that closing needs."""
    for at, meld in enumerate(melds):
        grown = add(meld, one(card), state.rules) if meld.side == side else None
        if grown and may_close(state, side, (*melds[:at], grown, *melds[at + 1 :])):
            return True
    return False


def _last_card(left: Hand) -> Violation:
    return violation(Reason.LAST_CARD_NOT_DISCARDABLE, left.cards())
