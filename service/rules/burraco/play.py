"""Applying moves: from a state and a legal move to the next state and what happened.

`play` checks; the functions below it trust that `judge` has found the move legal.
"""

import hashlib

from service.rules.burraco import finish, pozzetti
from service.rules.burraco.guard import turn_after
from service.rules.burraco.judge import judge, with_pile
from service.rules.burraco.laying import with_meld
from service.rules.burraco.sequences import TWO_BIT
from service.rules.burraco.timeout import next_step
from service.rules.cards import NO_CARD, Card
from service.rules.events import (
    Closed,
    Discarded,
    Drew,
    Event,
    LaidOff,
    Melded,
    PozzettoSeen,
    Resigned,
    StalemateDeclared,
    TimeCalled,
    TookPile,
    TookPozzetto,
    TurnTimedOut,
    WildMoved,
)
from service.rules.hand import Hand, hand_of, one
from service.rules.melds import Meld, MeldKind
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, canonical
from service.rules.options import DiscardVisible, PozzettoVisibleAfter, StockEnd
from service.rules.outcome import Applied, Refused, Step
from service.rules.state import DealEnd, Phase, State, Turn, replace_at

LAST_STOCK = 2
"""Cards that are never drawn (B4-33)."""


def play(state: State, seat: int, move: Move) -> Applied | Refused:
    """Check a move and apply it."""
    verdict = judge(state, seat, move)
    if verdict.faults:
        return Refused(verdict.faults)
    after, events = _apply(state, seat, move, verdict.meld)
    chain = hashlib.sha256(state.chain + canonical(seat, move)).digest()[:16]
    after = after._replace(revision=state.revision + 1, chain=chain)
    return Applied(after, tuple(events), _reveals(state, after, seat, move))


def _reveals(before: State, after: State, seat: int, move: Move) -> bool:
    """Whether a move shows its mover something hidden; it is known from what the mover sees before it."""
    if move.kind in (MoveKind.DRAW_STOCK, MoveKind.NEXT_DEAL, MoveKind.TIME_OUT_TURN) or after.over:
        return True
    if move.kind is MoveKind.TAKE_PILE:
        return before.rules.discard_visible is DiscardVisible.TOP_ONLY
    if move.kind is MoveKind.DISCARD and not before.stock:
        # R8: whether the deal goes on depends on the next player's hand.
        return True
    return move.kind in (MoveKind.MELD, MoveKind.LAY_OFF) and before.taken_by != after.taken_by and seat == after.seat


def _apply(state: State, seat: int, move: Move, meld: Meld | None) -> Step:
    match move:
        case LayMeld(cards) | LayOff(_, cards) if meld:
            return _lay(state, seat, hand_of(cards), meld, fresh=move.kind is MoveKind.MELD)
        case Discard(card):
            return _discard(state, seat, card)
    match move.kind:
        case MoveKind.DRAW_STOCK:
            return _draw(state, seat)
        case MoveKind.TAKE_PILE:
            return with_pile(state, seat), [TookPile(seat, state.discard, len(state.discard))]
        case MoveKind.DECLARE_STALEMATE:
            ended, events = finish.end_deal(state, DealEnd.STALEMATE_DECLARED)
            return ended, [StalemateDeclared(seat), *events]
        case MoveKind.NEXT_DEAL:
            return finish.next_deal(state)
        case MoveKind.RESIGN:
            ended, events = finish.resign(state, seat)
            return ended, [Resigned(seat), *events]
        case MoveKind.CALL_TIME:
            # B4-35: one more round for everyone; a turn in progress is finished first.
            turns = len(state.match.players) + (state.phase is Phase.PLAY)
            return state._replace(turns_left=turns), [TimeCalled(seat, turns)]
        case _:
            return _time_out(state, seat)


def _draw(state: State, seat: int) -> Step:
    """Draw the top card of the stock (B4-15); the draw that leaves two cards is the last of the deal (R4)."""
    card, stock = state.stock[0], state.stock[1:]
    hands = replace_at(state.hands, seat, state.hands[seat].plus(one(card)))
    end = state.rules.stock_end
    last = len(stock) == LAST_STOCK and end in (StockEnd.AFTER_DISCARD, StockEnd.VOID)
    drawn = state._replace(hands=hands, stock=stock, phase=Phase.PLAY, turn=Turn(drawn=card, last=last))
    events: list[Event] = [Drew(seat, card, len(stock))]
    if len(stock) == LAST_STOCK and end is StockEnd.IMMEDIATE:
        ended, more = finish.end_deal(drawn, DealEnd.STOCK)
        return ended, events + more
    return drawn, events


def _lay(state: State, seat: int, cards: Hand, meld: Meld, *, fresh: bool) -> Step:
    """Put a meld on the table, or cards on one; with the last card go to the pozzetto, or close."""
    side = state.side_of(seat)
    left = state.hands[seat].minus(cards)
    events: list[Event]
    if fresh:
        melds = (*state.melds, meld)
        events = [Melded(seat, meld)]
    else:
        melds = with_meld(state, meld)
        old = next(m for m in state.melds if m.meld_id == meld.meld_id)
        events = [LaidOff(seat, cards.cards(), meld), *_wild_moved(seat, old, meld)]
    after = state._replace(
        hands=replace_at(state.hands, seat, left),
        melds=melds,
        next_meld_id=state.next_meld_id + fresh,
        turn=turn_after(state.turn, cards),
        unplayed=_played(state, seat),
    )
    if left.size:
        return after, events
    if not state.pozzetto_available(side):
        return _close(after, seat, events)
    # B4-27: taken at once, and the player goes on from it.
    after, pozzetto = pozzetti.take(after, seat)
    return after, [*events, TookPozzetto(seat, True, len(pozzetto), bytes(sorted(pozzetto)))]


def _wild_moved(seat: int, old: Meld, new: Meld) -> list[Event]:
    """Tell of a sequence's wild, or its two, that stands elsewhere than before."""
    if old.kind is MeldKind.SET:
        return []
    was, now = old.wild, new.wild
    if was and was == now:
        return [] if old.wild_as == new.wild_as else [WildMoved(seat, new.meld_id, was, old.wild_as, new.wild_as)]
    if was:
        # Only a two of the suit stops being wild: it stands in its own place now.
        return [WildMoved(seat, new.meld_id, was, old.wild_as, was)]
    if old.mask & TWO_BIT and not new.mask & TWO_BIT:
        # R5: a natural two has turned wild, and the meld dirty.
        return [WildMoved(seat, new.meld_id, now, now, new.wild_as)]
    return []


def _played(state: State, seat: int) -> tuple[bool, ...]:
    """Sides whose pozzetto is still unplayed once this seat has put down a card (B4-39)."""
    side = state.side_of(seat)
    if state.unplayed[side] and state.taken_by[side] == seat:
        return replace_at(state.unplayed, side, False)
    return state.unplayed


def _close(state: State, seat: int, events: list[Event]) -> Step:
    ended, more = finish.end_deal(state._replace(closed_by=seat), DealEnd.CLOSED)
    return ended, [*events, Closed(seat), *more]


def _discard(state: State, seat: int, card: Card) -> Step:
    """Discard; with the last card go to the pozzetto, or close; then pass the turn."""
    side, rules = state.side_of(seat), state.rules
    left = state.hands[seat].minus(one(card))
    events: list[Event] = [Discarded(seat, card)]
    swapped = bool(state.turn.taken_single) and not state.turn.melded
    after = state._replace(
        hands=replace_at(state.hands, seat, left),
        discard=state.discard + bytes((card,)),
        # What was drawn lies in the hand no more than any other card, once the turn has ended with a discard.
        turn=state.turn._replace(drawn=NO_CARD),
        unplayed=_played(state, seat),
        # B4-34: a turn that only swaps the one card of the pile counts; any other starts the count again.
        stalemate_turns=state.stalemate_turns + 1 if swapped else 0,
    )
    if not left.size:
        if not state.pozzetto_available(side):
            return _close(after, seat, events)
        # B4-28: assigned at once, but not to be looked at yet.
        after, pozzetto = pozzetti.take(after, seat)
        after = after._replace(
            unplayed=replace_at(after.unplayed, side, True),
            unseen=replace_at(after.unseen, seat, True),
        )
        events.append(TookPozzetto(seat, False, len(pozzetto), b""))
    if rules.pozzetto_visible_after is PozzettoVisibleAfter.PARTNER_DISCARD:
        for partner in after.partners(seat):
            if partner != seat:
                after = see_pozzetto(after, partner, events)
    return _pass_turn(after, events)


def see_pozzetto(state: State, seat: int, events: list[Event]) -> State:
    """Let a seat look at a pozzetto that it took on the discard (B4-28)."""
    if not state.unseen[seat]:
        return state
    events.append(PozzettoSeen(seat, state.hands[seat].cards()))
    return state._replace(unseen=replace_at(state.unseen, seat, False))


def _pass_turn(state: State, events: list[Event]) -> Step:
    """End the turn: the deal may end with it, else the next seat is to move."""
    turns_left = state.turns_left - 1 if state.turns_left > 0 else state.turns_left
    state = state._replace(turns_left=turns_left)
    end = finish.end_after_discard(state)
    if end is not DealEnd.NOT_ENDED:
        ended, more = finish.end_deal(state, end)
        return ended, events + more
    state = finish.renew_stock(state, events)
    state = finish.start_turn(state, (state.seat + 1) % len(state.match.players), events)
    # Whoever has no partner, or may look only now, looks at his pozzetto at the start of his turn (B4-28).
    state = see_pozzetto(state, state.seat, events)
    if finish.nothing_to_draw(state):
        ended, more = finish.end_deal(state, DealEnd.STOCK)
        return ended, events + more
    return state, events


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
