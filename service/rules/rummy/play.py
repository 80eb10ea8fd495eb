"""Applying moves: from a state and a legal move to the next state and what happened.

`play` checks; the functions below it trust that `judge` has found the move legal.
"""

import hashlib

from service.rules.cards import NO_CARD, Card
from service.rules.events import (
    Closed,
    Discarded,
    Drew,
    Event,
    LaidOff,
    Melded,
    Resigned,
    TookPile,
    TurnTimedOut,
    WildReplaced,
)
from service.rules.hand import Hand, hand_of, one
from service.rules.melds import Meld
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, ReplaceWild, canonical
from service.rules.options import ClosingInHand
from service.rules.outcome import Applied, Refused, Step
from service.rules.rummy import finish
from service.rules.rummy.judge import judge, with_taken
from service.rules.rummy.laying import turn_after
from service.rules.rummy.plays import with_meld, with_recovered
from service.rules.rummy.reading import points
from service.rules.rummy.seats import terms
from service.rules.rummy.timeout import next_step
from service.rules.state import DealEnd, Phase, State, Turn, replace_at


def play(state: State, seat: int, move: Move) -> Applied | Refused:
    """Check a move and apply it."""
    verdict = judge(state, seat, move)
    if verdict.faults:
        return Refused(verdict.faults)
    after, events = _apply(state, seat, move, verdict.meld)
    chain = hashlib.sha256(state.chain + canonical(seat, move)).digest()[:16]
    after = after._replace(revision=state.revision + 1, chain=chain)
    return Applied(after, tuple(events), _reveals(after, move))


def _reveals(after: State, move: Move) -> bool:
    """Whether a move shows its mover something hidden; the pile lies open, so taking from it does not."""
    return move.kind in (MoveKind.DRAW_STOCK, MoveKind.NEXT_DEAL, MoveKind.TIME_OUT_TURN) or after.over


def _apply(state: State, seat: int, move: Move, meld: Meld | None) -> Step:
    match move:
        case LayMeld(cards) if meld:
            return _lay(state, seat, hand_of(cards), meld, fresh=True)
        case LayOff(_, cards) if meld:
            return _lay(state, seat, hand_of(cards), meld, fresh=False)
        case ReplaceWild(_, card) if meld:
            return with_recovered(state, seat, meld, card), [WildReplaced(seat, meld, card)]
        case Discard(card):
            return _discard(state, seat, card)
    match move.kind:
        case MoveKind.DRAW_STOCK:
            return _draw(state, seat)
        case MoveKind.TAKE_PILE:
            # SC-7: only the top card is taken.
            return with_taken(state, seat), [TookPile(seat, state.discard[-1:], 1)]
        case MoveKind.NEXT_DEAL:
            return finish.next_deal(state)
        case MoveKind.RESIGN:
            ended, events = finish.resign(state, seat)
            return ended, [Resigned(seat), *events]
        case _:
            return _time_out(state, seat)


def _draw(state: State, seat: int) -> Step:
    """Draw the top card of the stock (RA-5, SC-5)."""
    card, stock = state.stock[0], state.stock[1:]
    hands = replace_at(state.hands, seat, state.hands[seat].plus(one(card)))
    drawn = state._replace(hands=hands, stock=stock, phase=Phase.PLAY, turn=Turn(drawn=card))
    return drawn, [Drew(seat, card, len(stock))]


def _lay(state: State, seat: int, cards: Hand, meld: Meld, *, fresh: bool) -> Step:
    """Put a meld on the table, or cards on one; with the last card close, where no discard is needed (RA-10)."""
    left = state.hands[seat].minus(cards)
    turn = turn_after(state.turn, cards)
    events: list[Event]
    if fresh:
        asked = terms(state)
        if asked.opening_points and not state.laid[seat]:
            turn = turn._replace(opening=turn.opening + points(meld, asked.shape))
        melds = (*state.melds, meld)
        events = [Melded(seat, meld)]
    else:
        turn = turn._replace(laid_off=True)
        melds = with_meld(state, meld)
        events = [LaidOff(seat, cards.cards(), meld)]
    after = state._replace(
        hands=replace_at(state.hands, seat, left),
        melds=melds,
        next_meld_id=state.next_meld_id + fresh,
        turn=turn,
    )
    return (after, events) if left.size else _close(after, seat, events)


def _discard(state: State, seat: int, card: Card) -> Step:
    """Discard; close with the last card, else pass the turn."""
    left = state.hands[seat].minus(one(card))
    after = state._replace(
        hands=replace_at(state.hands, seat, left),
        discard=state.discard + bytes((card,)),
        turn=state.turn._replace(drawn=NO_CARD),
    )
    events: list[Event] = [Discarded(seat, card)]
    if not left.size:
        return _close(after, seat, events)
    laid = replace_at(state.laid, seat, state.laid[seat] or state.turn.melded)
    return finish.pass_turn(after._replace(laid=laid), events)


def _close(state: State, seat: int, events: list[Event]) -> Step:
    """Close the hand, which stops the deal at once (RA-10, SC-17, SC-18)."""
    ended, more = finish.end_deal(state._replace(closed_by=seat, doubled=_in_hand(state, seat)), DealEnd.CLOSED)
    return ended, [*events, Closed(seat), *more]


def _in_hand(state: State, seat: int) -> bool:
    """Whether the seat closes in hand: it had nothing on the table before this turn (RA-11, SC-19)."""
    asked = terms(state)
    if asked.in_hand is ClosingInHand.NONE or state.laid[seat]:
        return False
    return not (asked.in_hand_bars_lay_off and state.turn.laid_off)


def _time_out(state: State, seat: int) -> Step:
    """Complete an absent player's turn, step by step."""
    events: list[Event] = [TurnTimedOut(seat)]
    while not state.over:
        step = next_step(state, seat)
        state, more = _apply(state, seat, step, judge(state, seat, step).meld)
        events += more
        if step.kind is MoveKind.DISCARD:
            break
    return state, events
