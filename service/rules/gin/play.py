"""Applying moves: from a state and a legal move to the next state and what happened.

`play` checks; the functions below it trust that `judge` has found the move legal.

A knock is settled at once. The defender is not asked what he lays off: his deadwood counts at the least it can be over
all arrangements and all that he can lay off, which can never cost him anything (GI-8).
"""

import hashlib

from service.rules.cards import NO_CARD, Card
from service.rules.events import (
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    Resigned,
    TookPile,
    TurnTimedOut,
    UpcardPassed,
)
from service.rules.gin import finish
from service.rules.gin.deadwood import best_defence, cards_of, least_without, meld_of, points
from service.rules.gin.judge import BOTH_PASSED, judge, kept_by, legal_discards, rules_of, shown
from service.rules.gin.score import other
from service.rules.hand import Hand, one
from service.rules.moves import DRAW_STOCK, PASS_UPCARD, Discard, Knock, Move, MoveKind, canonical
from service.rules.options import StockExhausted
from service.rules.outcome import Applied, Refused, Step
from service.rules.state import DealEnd, Phase, State, Turn, replace_at


def play(state: State, seat: int, move: Move) -> Applied | Refused:
    """Check a move and apply it."""
    verdict = judge(state, seat, move)
    if verdict.faults:
        return Refused(verdict.faults)
    after, events = _apply(state, seat, move)
    chain = hashlib.sha256(state.chain + canonical(seat, move)).digest()[:16]
    after = after._replace(revision=state.revision + 1, chain=chain)
    return Applied(after, tuple(events), _reveals(after, move))


def _reveals(after: State, move: Move) -> bool:
    """Whether a move shows its mover something hidden; it is known from what the mover sees before it."""
    return after.over or move.kind in (MoveKind.DRAW_STOCK, MoveKind.NEXT_DEAL, MoveKind.TIME_OUT_TURN)


def _apply(state: State, seat: int, move: Move) -> Step:
    match move:
        case Discard(card):
            return _discard(state, seat, card)
        case Knock():
            return _knock(state, seat, move)
    match move.kind:
        case MoveKind.DRAW_STOCK:
            return _draw(state, seat)
        case MoveKind.TAKE_PILE:
            return _take(state, seat)
        case MoveKind.PASS_UPCARD:
            return _pass_upcard(state, seat)
        case MoveKind.NEXT_DEAL:
            return finish.next_deal(state)
        case MoveKind.RESIGN:
            ended, events = finish.resign(state, seat)
            return ended, [Resigned(seat), *events]
        case _:
            return _time_out(state, seat)


def _draw(state: State, seat: int) -> Step:
    """Draw the top card of the stock (GI-5)."""
    card, stock = state.stock[0], state.stock[1:]
    void_next = rules_of(state).stock_exhausted is StockExhausted.VOID_AT_TWO and len(stock) <= finish.LAST_STOCK
    drawn = _with_card(state, seat, card, Turn(drawn=card, last=void_next))._replace(stock=stock)
    return drawn, [Drew(seat, card, len(stock))]


def _take(state: State, seat: int) -> Step:
    """Take the top card of the pile, which may not go back this turn (GI-5)."""
    card = state.discard[-1]
    taken = _with_card(state, seat, card, Turn(taken=card))._replace(discard=state.discard[:-1])
    return taken, [TookPile(seat, bytes((card,)), 1)]


def _with_card(state: State, seat: int, card: Card, turn: Turn) -> State:
    hands = replace_at(state.hands, seat, state.hands[seat].plus(one(card)))
    return state._replace(hands=hands, turn=turn, phase=Phase.PLAY, passes=0)


def _pass_upcard(state: State, seat: int) -> Step:
    """Pass the up-card: it is offered to the dealer; once he passes too, the non-dealer draws from the stock (GI-4)."""
    events: list[Event] = [UpcardPassed(seat)]
    passed = state._replace(passes=state.passes + 1)
    phase = Phase.DRAW if passed.passes == BOTH_PASSED else Phase.UPCARD
    return finish.start_turn(passed, other(seat), phase, events), events


def _put_down(state: State, seat: int, card: Card) -> State:
    """Put a card of the hand on the pile."""
    hands = replace_at(state.hands, seat, state.hands[seat].minus(one(card)))
    return state._replace(hands=hands, discard=state.discard + bytes((card,)))


def _discard(state: State, seat: int, card: Card) -> Step:
    """Discard without a knock (GI-5)."""
    return finish.pass_turn(_put_down(state, seat, card), [Discarded(seat, card)])


def _knock(state: State, seat: int, move: Knock) -> Step:
    """Knock: the knocker shows his melds, the defender lays off on them unless it is gin, and the deal is counted."""
    events: list[Event] = []
    melds, deadwood = shown(kept_by(state, seat, move.discard), move.melds)
    if move.discard != NO_CARD:
        state = _put_down(state, seat, move.discard)
        events.append(Discarded(seat, move.discard))
    told = Knocked(seat, tuple(map(cards_of, melds)), cards_of(deadwood), points(deadwood))
    events.append(told)
    defender = other(seat)
    held = state.hands[defender].once
    # GI-10: nothing is laid off on gin.
    added = best_defence(held, melds).laid_off if deadwood else (0,) * len(melds)
    lying = []
    for number, (meld, cards) in enumerate(zip(melds, added, strict=True), 1):
        lying.append(meld_of(meld | cards, number, state.side_of(seat)))
        held &= ~cards
        if cards:
            events.append(LaidOff(defender, cards_of(cards), lying[-1]))
    hands = replace_at(replace_at(state.hands, seat, Hand(deadwood)), defender, Hand(held))
    state = state._replace(hands=hands, melds=tuple(lying), next_meld_id=len(lying) + 1, knocker=seat, closed_by=seat)
    ended, more = finish.end_deal(state, DealEnd.KNOCK if deadwood else DealEnd.GIN)
    return ended, events + more


def _time_out(state: State, seat: int) -> Step:
    """Complete an absent player's turn: pass the up-card; else draw from the stock and discard, never knocking.

    Of the cards that may be discarded it is the one without which the deadwood is least, the lowest number of several.
    """
    events: list[Event] = [TurnTimedOut(seat)]
    while True:
        step = _next_step(state, seat)
        state, more = _apply(state, seat, step)
        events += more
        if step.kind is not MoveKind.DRAW_STOCK:
            return state, events


def _next_step(state: State, seat: int) -> Move:
    if state.phase is Phase.UPCARD:
        return PASS_UPCARD
    if state.phase is Phase.DRAW:
        return DRAW_STOCK
    least = least_without(state.hands[seat].once)
    return Discard(min(legal_discards(state, seat), key=lambda card: (least[card], card)))
