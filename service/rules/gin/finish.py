"""Beginnings and ends: the first deal, the next one, a turn, a knock, the end of a deal and of the match."""

from typing import Final

from service.rules.events import DealEnded, DealScored, Dealt, Event, MatchEnded, StockRenewed, TurnStarted
from service.rules.game import Seating
from service.rules.gin.dealing import PLAYERS, deal_from, renewed, shuffled
from service.rules.gin.judge import rules_of
from service.rules.gin.score import COUNTED, count_state, match_lines, of_winner, other, sheet, sheet_of, winner_of
from service.rules.hand import hand_of
from service.rules.options import NextDealer, StockExhausted
from service.rules.outcome import Step
from service.rules.state import NEW_TURN, NOBODY, DealEnd, Match, MatchEnd, Phase, Result, State, replace_at

LAST_STOCK: Final = 2
"""A discard that finds so few cards in the stock makes the deal void (GI-12)."""
MOST_TURNS: Final = 200
"""A deal is void after so many turns: two who only take each other's discards would never end it. No source says."""
MOST_RENEWALS: Final = 8
"""Where the pile becomes the stock again (row 44): a deal in which still nobody knocks is void, so that it ends."""


def first_deal(match: Match, seating: Seating, chain: bytes) -> Step:
    """Deal the first deal of a match."""
    empty = State(
        match=match,
        revision=0,
        chain=chain,
        deal_number=0,
        dealer=seating.dealer,
        phase=Phase.DEAL_OVER,
        seat=0,
        hands=(),
        unseen=(False,) * PLAYERS,
        pozzetti=(),
        stock=b"",
        discard=b"",
        melds=(),
        next_meld_id=1,
        taken_by=(NOBODY,) * PLAYERS,
        unplayed=(False,) * PLAYERS,
        turn=NEW_TURN,
        stalemate_turns=0,
        turns_left=NOBODY,
        points=(0,) * PLAYERS,
        deals_scored=0,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0,) * PLAYERS,
        deals_won=(0,) * PLAYERS,
    )
    return deal_out(empty, seating.dealer)


def next_deal(state: State) -> Step:
    """Deal again: the same dealer after a void deal, else the one that the rules name (GI-12, GI-13)."""
    if state.deal_end is DealEnd.VOID:
        return deal_out(state, state.dealer)
    winner = count_state(state).winner
    dealers = {
        NextDealer.LEFT: other(state.dealer),
        NextDealer.LOSER: other(winner),
        NextDealer.WINNER: winner,
    }
    return deal_out(state, dealers[rules_of(state).next_dealer])


def deal_out(state: State, dealer: int) -> Step:
    """Shuffle and deal (GI-1, GI-4): the non-dealer is offered the up-card first."""
    number = state.deal_number + 1
    dealt = deal_from(shuffled(state.match.fairness, number), dealer)
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
        knocker=NOBODY,
        passes=0,
        renewals=0,
        turns_taken=0,
    )
    hands = tuple(bytes(sorted(hand)) for hand in dealt.hands)
    events: list[Event] = [
        Dealt(number, dealer, 0, dealt.upcard, hands, tuple(map(len, hands)), len(dealt.stock)),
    ]
    return start_turn(state, other(dealer), Phase.UPCARD, events), events


def start_turn(state: State, seat: int, phase: Phase, events: list[Event]) -> State:
    """Start a seat's turn."""
    events.append(TurnStarted(seat))
    return state._replace(seat=seat, phase=phase, turn=NEW_TURN)


def pass_turn(state: State, events: list[Event]) -> Step:
    """End a turn without a knock: the deal is void if the stock has run out (GI-12), else the other is to move."""
    state = state._replace(turns_taken=state.turns_taken + 1)
    if is_void(state):
        ended, more = end_deal(state, DealEnd.VOID)
        return ended, events + more
    if not state.stock:
        # RA-12: the top card, just discarded, stays.
        below, top = state.discard[:-1], state.discard[-1:]
        stock = renewed(state.match.fairness, state.deal_number, state.renewals, below)
        state = state._replace(stock=stock, discard=top, renewals=state.renewals + 1)
        events.append(StockRenewed(len(stock)))
    return start_turn(state, other(state.seat), Phase.DRAW, events), events


def is_void(state: State) -> bool:
    """Whether a deal in which nobody has knocked is over."""
    if state.turns_taken >= MOST_TURNS:
        return True
    if rules_of(state).stock_exhausted is StockExhausted.VOID_AT_TWO:
        return len(state.stock) <= LAST_STOCK
    return not state.stock and state.renewals == MOST_RENEWALS


def end_deal(state: State, end: DealEnd) -> Step:
    """End the deal, count it, and end the match if that decides it."""
    state = state._replace(deal_end=end, phase=Phase.DEAL_OVER, turn=NEW_TURN, passes=0)
    if end not in COUNTED:
        return state, [DealEnded(end, ())]
    count = count_state(state)
    events: list[Event] = [DealEnded(end, tuple(hand.cards() for hand in state.hands))]
    points = _added(state.points, sheet_of(of_winner(count)).deal_points)
    state = state._replace(
        points=points,
        deals_scored=state.deals_scored + 1,
        deals_won=replace_at(state.deals_won, count.winner, state.deals_won[count.winner] + 1),
    )
    rules = rules_of(state)
    winner = winner_of(points, rules)
    if winner is None:
        return state, [*events, *_scored(state)]
    bonuses = sheet_of(match_lines(winner, points[winner], state.deals_won, rules)).deal_points
    state = _over(state, Result(MatchEnd.TARGET, (winner,)))._replace(points=_added(points, bonuses))
    return state, [*events, *_scored(state), MatchEnded(Result(MatchEnd.TARGET, (winner,)), state.points)]


def resign(state: State, seat: int) -> Step:
    """Give up the match: the other side wins it, without a bonus. A deal in progress ends uncounted."""
    events: list[Event] = []
    if state.phase is not Phase.DEAL_OVER:
        state, events = end_deal(state, DealEnd.RESIGNED)
    result = Result(MatchEnd.RESIGNED, (other(state.side_of(seat)),))
    return _over(state, result), [*events, MatchEnded(result, state.points)]


def _over(state: State, result: Result) -> State:
    return state._replace(phase=Phase.MATCH_OVER, result=result)


def _added(before: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(old + new for old, new in zip(before, now, strict=True))


def _scored(state: State) -> list[Event]:
    scored = sheet(state)
    return [DealScored(scored)] if scored else []
