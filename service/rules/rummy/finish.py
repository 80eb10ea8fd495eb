"""Beginnings and ends: the first deal, the next one, a turn, the stock renewed, the end of a deal and of the match."""

from typing import Final

from service.rules.events import (
    DealEnded,
    DealScored,
    Dealt,
    Event,
    MatchEnded,
    PlayerOut,
    PlayerReentered,
    StockRenewed,
    TurnStarted,
)
from service.rules.game import Seating
from service.rules.hand import hand_of
from service.rules.options import NextDealer, StockExhausted
from service.rules.outcome import Step
from service.rules.rummy.dealing import deal
from service.rules.rummy.presets import LEFT_UNDRAWN
from service.rules.rummy.score import count_state, loser_of, out_after, result_after, under_limit
from service.rules.rummy.seats import first_in, seats_in, terms
from service.rules.state import (
    NEW_TURN,
    NOBODY,
    UNCOUNTED,
    DealEnd,
    Match,
    MatchEnd,
    Phase,
    Result,
    State,
    replace_at,
)
from service.rules.stream import PURPOSE_RENEWAL, Stream, stream_key

MAX_ROUNDS: Final = 100
"""Rounds after which a deal that nobody has closed is void, so that every deal ends. Real ones take a tenth of it."""
RENEWAL_STEP: Final = 1 << 16


def first_deal(match: Match, seating: Seating, chain: bytes) -> Step:
    """Deal the first deal of a match."""
    players = len(match.players)
    empty = State(
        match=match,
        revision=0,
        chain=chain,
        deal_number=0,
        dealer=seating.dealer,
        phase=Phase.DEAL_OVER,
        seat=0,
        hands=(),
        unseen=(False,) * players,
        pozzetti=(),
        stock=b"",
        discard=b"",
        melds=(),
        next_meld_id=1,
        taken_by=(),
        unplayed=(),
        turn=NEW_TURN,
        stalemate_turns=0,
        turns_left=NOBODY,
        points=(0,) * players,
        deals_scored=0,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0,) * players,
        laid=(False,) * players,
        out=(False,) * players,
        reentries=(0,) * players,
    )
    return deal_out(empty, seating.dealer)


def next_deal(state: State) -> Step:
    """Deal again: players come in again who may, and the deal passes on, unless the last one was not counted."""
    dealer = _next_dealer(state)
    below = under_limit(state)
    # SC-22: with the highest total of those still in.
    total = max((state.points[seat] for seat in below), default=terms(state).limit - 1)
    returning = [seat for seat in seats_in(state) if seat not in below]
    for seat in returning:
        state = state._replace(
            points=replace_at(state.points, seat, total),
            reentries=replace_at(state.reentries, seat, state.reentries[seat] + 1),
        )
    dealt, events = deal_out(state, dealer)
    return dealt, [*(PlayerReentered(seat, total) for seat in returning), *events]


def _next_dealer(state: State) -> int:
    """Who deals next (RA-4, R13): the same dealer after a deal that was not counted (RA-12)."""
    if state.deal_end in UNCOUNTED:
        return first_in(state, state.dealer)
    rule = terms(state).next_dealer
    if rule is NextDealer.LEFT:
        return first_in(state, state.dealer + 1)
    return first_in(state, state.closed_by if rule is NextDealer.WINNER else loser_of(state))


def deal_out(state: State, dealer: int) -> Step:
    """Shuffle and deal to all who are in the match (RA-2, RA-3, SC-3)."""
    match, number = state.match, state.deal_number + 1
    players = len(match.players)
    seats = seats_in(state)
    order = [seat % players for seat in range(dealer + 1, dealer + 1 + players) if seat % players in seats]
    dealt = deal(terms(state), _key(state), number, order, players, match.fairness.decks)
    state = state._replace(
        deal_number=number,
        dealer=dealer,
        hands=tuple(map(hand_of, dealt.hands)),
        stock=dealt.stock,
        discard=bytes((dealt.upcard,)),
        melds=(),
        next_meld_id=1,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        laid=(False,) * players,
        turns_taken=0,
        renewals=0,
        doubled=False,
    )
    hands = tuple(bytes(sorted(hand)) for hand in dealt.hands)
    events: list[Event] = [Dealt(number, dealer, 0, dealt.upcard, hands, tuple(map(len, hands)), len(dealt.stock))]
    return start_turn(state, order[0], events), events


def _key(state: State) -> bytes:
    fairness = state.match.fairness
    return stream_key(fairness.seed, fairness.entropy)


def start_turn(state: State, seat: int, events: list[Event]) -> State:
    """Start a seat's turn."""
    events.append(TurnStarted(seat))
    return state._replace(seat=seat, phase=Phase.DRAW, turn=NEW_TURN)


def pass_turn(state: State, events: list[Event]) -> Step:
    """End the turn: the stock may have to be renewed, the deal may be void, else the next seat is to move."""
    state = state._replace(turns_taken=state.turns_taken + 1)
    renewed = _with_stock(state, events)
    if renewed is None or state.turns_taken >= MAX_ROUNDS * len(seats_in(state)):
        ended, more = end_deal(state, DealEnd.VOID)
        return ended, events + more
    return start_turn(renewed, first_in(state, state.seat + 1), events), events


def _with_stock(state: State, events: list[Event]) -> State | None:
    """See to it that there is a stock to draw from; None where the deal is void for want of one (RA-12, R9, SC-20).

    The discard just made stays and begins the new pile; the cards below it, bottom card first, are shuffled and become
    the stock.
    """
    if terms(state).stock_exhausted is StockExhausted.VOID_AT_TWO:
        return None if len(state.stock) <= LEFT_UNDRAWN else state
    if state.stock:
        return state
    below, starter = state.discard[:-1], state.discard[-1:]
    if not below:
        return None
    number = state.deal_number + RENEWAL_STEP * state.renewals
    stock = Stream(_key(state), PURPOSE_RENEWAL, number).shuffle(below)
    events.append(StockRenewed(len(stock)))
    return state._replace(stock=stock, discard=starter, renewals=state.renewals + 1)


def end_deal(state: State, end: DealEnd) -> Step:
    """End the deal, count it, and end the match if that decides it."""
    state = state._replace(deal_end=end, phase=Phase.DEAL_OVER)
    if end in UNCOUNTED:
        return state, [DealEnded(end, ())]
    events: list[Event] = [DealEnded(end, tuple(hand.cards() for hand in state.hands))]
    sheet = count_state(state)
    points = tuple(before + now for before, now in zip(state.points, sheet.deal_points, strict=True))
    state = state._replace(points=points, deals_scored=state.deals_scored + 1)
    events.append(DealScored(sheet._replace(match_points=points)))
    result = result_after(state)
    out = out_after(state)
    events += [PlayerOut(seat, points[seat]) for seat, gone in enumerate(out) if gone and not state.out[seat]]
    state = state._replace(out=out)
    return _end_match(state, result, events) if result else (state, events)


def resign(state: State, seat: int) -> Step:
    """Give up the match: the player is out at once, and a deal in progress ends uncounted.

    Two or more who are left go on with a new deal by the same dealer; one alone has won.
    """
    events: list[Event] = []
    if state.phase is not Phase.DEAL_OVER:
        state, events = end_deal(state, DealEnd.RESIGNED)
    state = state._replace(out=replace_at(state.out, seat, True))
    events = [*events, PlayerOut(seat, state.points[seat])]
    left = seats_in(state)
    if len(left) == 1:
        return _end_match(state, Result(MatchEnd.RESIGNED, tuple(left)), events)
    return state, events


def _end_match(state: State, result: Result, events: list[Event]) -> Step:
    events.append(MatchEnded(result, state.points))
    return state._replace(phase=Phase.MATCH_OVER, result=result), events
