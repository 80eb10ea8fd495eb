"""Beginnings and ends: the first deal, the next one, a turn, the end of a deal and of the match."""

from service.rules.burraco.dealing import deal, pozzetto_sizes
from service.rules.burraco.judge import is_legal
from service.rules.burraco.score import count_state, deal_end_is_scored, match_result
from service.rules.events import DealEnded, DealScored, Dealt, Event, MatchEnded, StockRenewed, TurnStarted
from service.rules.game import Seating
from service.rules.hand import hand_of
from service.rules.moves import TAKE_PILE
from service.rules.options import StockEnd
from service.rules.outcome import Step
from service.rules.state import (
    NEW_TURN,
    NOBODY,
    DealEnd,
    Match,
    MatchEnd,
    Phase,
    Result,
    State,
)
from service.rules.stream import stream_key


def first_deal(match: Match, seating: Seating, chain: bytes) -> Step:
    """Deal the first deal of a match."""
    players, sides = len(match.players), match.sides
    empty = State(
        match=match,
        revision=0,
        chain=chain,
        deal_number=0,
        dealer=seating.dealer,
        phase=Phase.DEAL_OVER,
        seat=0,
        hands=(),
        unseen=(),
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
        points=(0,) * sides,
        deals_scored=0,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0,) * players,
    )
    return deal_out(empty, seating.dealer)


def next_deal(state: State) -> Step:
    """Deal again: the deal passes to the left (B4-8), unless the last one was void."""
    left = (state.dealer + 1) % len(state.match.players)
    return deal_out(state, state.dealer if state.deal_end is DealEnd.VOID else left)


def deal_out(state: State, dealer: int) -> Step:
    """Shuffle, cut and deal (B4-9 … B4-13, R3)."""
    match, number = state.match, state.deal_number + 1
    players, sides = len(match.players), match.sides
    key = stream_key(match.fairness.seed, match.fairness.entropy)
    sizes = pozzetto_sizes(match.rules, state.points)
    dealt = deal(match.rules, key, number, dealer, sizes, match.fairness.decks)
    state = state._replace(
        deal_number=number,
        dealer=dealer,
        hands=tuple(map(hand_of, dealt.hands)),
        unseen=(False,) * players,
        pozzetti=dealt.pozzetti,
        stock=dealt.stock,
        discard=bytes((dealt.upcard,)),
        melds=(),
        next_meld_id=1,
        taken_by=(NOBODY,) * sides,
        unplayed=(False,) * sides,
        stalemate_turns=0,
        turns_left=NOBODY,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        alone=NOBODY,
    )
    hands = tuple(bytes(sorted(hand)) for hand in dealt.hands)
    counts = tuple(map(len, hands))
    events: list[Event] = [
        Dealt(number, dealer, dealt.cut, dealt.upcard, hands, counts, len(dealt.stock)),
    ]
    return start_turn(state, (dealer + 1) % players, events), events


def start_turn(state: State, seat: int, events: list[Event]) -> State:
    """Start a seat's turn."""
    events.append(TurnStarted(seat))
    return state._replace(seat=seat, phase=Phase.DRAW, turn=NEW_TURN)


def end_after_discard(state: State) -> DealEnd:
    """Say how the deal ends with the turn just finished, if it does: stock, stalemate, time (R4, B4-34, B4-35)."""
    rules = state.rules
    if state.turn.last:
        return DealEnd.VOID if rules.stock_end is StockEnd.VOID else DealEnd.STOCK
    if not state.stock and not state.pozzetti and rules.stock_end is StockEnd.POZZETTO_BECOMES_STOCK:
        return DealEnd.STOCK
    if rules.stalemate_auto_turns and state.stalemate_turns >= rules.stalemate_auto_turns:
        return DealEnd.STALEMATE_AUTOMATIC
    return DealEnd.TIME if state.turns_left == 0 else DealEnd.NOT_ENDED


def renew_stock(state: State, events: list[Event]) -> State:
    """Make a pozzetto that nobody took the stock once that is empty, where the rules say so (row 16)."""
    if state.stock or not state.pozzetti or state.rules.stock_end is not StockEnd.POZZETTO_BECOMES_STOCK:
        return state
    events.append(StockRenewed(len(state.pozzetti[0])))
    return state._replace(stock=state.pozzetti[0], pozzetti=state.pozzetti[1:])


def nothing_to_draw(state: State) -> bool:
    """Whether the seat to move can neither draw nor take: the stock is empty and the top card unusable (B2-12, R8)."""
    return not state.stock and not is_legal(state, state.seat, TAKE_PILE)


def end_deal(state: State, end: DealEnd) -> Step:
    """End the deal, count it, and end the match if that decides it."""
    state = state._replace(deal_end=end, phase=Phase.DEAL_OVER)
    if not deal_end_is_scored(end):
        return state, [DealEnded(end, ())]
    events: list[Event] = [DealEnded(end, tuple(hand.cards() for hand in state.hands))]
    state = state._replace(unseen=(False,) * len(state.unseen))
    sheet = count_state(state)
    points = tuple(before + now for before, now in zip(state.points, sheet.deal_points, strict=True))
    state = state._replace(points=points, deals_scored=state.deals_scored + 1)
    events.append(DealScored(sheet._replace(match_points=points)))
    if result := match_result(points, state.deals_scored, state.rules):
        return _end_match(state, result, events)
    return state, events


def resign(state: State, seat: int) -> Step:
    """Give up the match: the other sides win it, of three players both. A deal in progress ends uncounted."""
    events: list[Event] = []
    if state.phase is not Phase.DEAL_OVER:
        state, events = end_deal(state, DealEnd.RESIGNED)
    sides = state.match.sides
    winners = tuple(side for side in range(sides) if side != seat % sides)
    return _end_match(state, Result(MatchEnd.RESIGNED, winners), events)


def _end_match(state: State, result: Result, events: list[Event]) -> Step:
    events.append(MatchEnded(result, state.points))
    return state._replace(phase=Phase.MATCH_OVER, result=result), events
