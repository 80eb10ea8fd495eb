"""What the rules of Gin rely on in a state, and what their play sees to."""

from functools import lru_cache
from typing import Final

from service.rules.cards import IS_CARD, NO_CARD
from service.rules.defects import DefectReason, Defects, StateDefect, check, defect, foreign, run
from service.rules.game import MeldFault
from service.rules.gin.deadwood import points
from service.rules.gin.dealing import DEALT, HAND_SIZE, PLAYERS
from service.rules.gin.finish import LAST_STOCK, MOST_RENEWALS, MOST_TURNS, is_void
from service.rules.gin.judge import BOTH_PASSED, knock_limit, rules_of
from service.rules.gin.options import GinRules, Shutout
from service.rules.gin.reading import readings
from service.rules.gin.score import COUNTED, FLAT_SHUTOUT, MELDED_AT_BIG_GIN, count_state, other
from service.rules.hand import EMPTY, Hand, hand_of
from service.rules.melds import Meld
from service.rules.options import StockExhausted
from service.rules.state import NEW_TURN, NOBODY, DealEnd, MatchEnd, Phase, State

BLANK: Final = {
    "unseen": (False,) * PLAYERS,
    "pozzetti": (),
    "taken_by": (NOBODY,) * PLAYERS,
    "unplayed": (False,) * PLAYERS,
    "stalemate_turns": 0,
    "turns_left": NOBODY,
    "laid": (),
    "out": (),
    "reentries": (),
    "doubled": False,
    "alone": NOBODY,
    "turn.taken_single": NO_CARD,
    "turn.must_meld": NO_CARD,
    "turn.must_meld_something": False,
    "turn.melded": False,
    "turn.hand_before_pile": EMPTY,
    "turn.laid_off": False,
    "turn.opening": 0,
    "turn.jokers_owed": 0,
}
"""What Gin does not know."""


def audit(state: State, unclear: frozenset[str] = frozenset()) -> Defects:
    """Find what does not hold together."""
    return run(CHECKS, state, unclear)


@lru_cache(maxsize=4096)
def meld_fault(meld: Meld, rules: GinRules) -> MeldFault | None:
    """Find what is wrong with a meld that was shown (GI-3, GI-6)."""
    if meld.wild_at != NOBODY:
        return MeldFault(".wild_index", DefectReason.DEFECT_WILD, "is set, but no card of Gin is wild.")
    try:
        found = readings(hand_of(meld.cards), rules) if IS_CARD.issuperset(meld.cards) else []
    except ValueError:
        found = []
    if found != [meld._replace(meld_id=0, side=0)]:
        return MeldFault("", DefectReason.DEFECT_MELD, "is no set or sequence of Gin, its cards by number.")
    return None


# --- counters and points ----------------------------------------------------------------------------------------------


def _counts(state: State) -> Defects:
    won, rules = state.deals_won, rules_of(state)
    if sum(won) != state.deals_scored or min(won) < 0:
        text = f"add up to {sum(won)}, but {state.deals_scored} deals have been scored."
        yield defect("deals_won", DefectReason.DEFECT_COUNTER, text)
    turns, most = state.turns_taken, MOST_TURNS if state.deal_end is DealEnd.VOID else MOST_TURNS - 1
    if turns > most:
        text = f"is {turns}, but the deal ends after {MOST_TURNS}."
        yield defect("turns_taken", DefectReason.DEFECT_COUNTER, text)
    if state.renewals and rules.stock_exhausted is not StockExhausted.RESHUFFLE:
        yield foreign("renewals")
    elif state.renewals > min(MOST_RENEWALS, turns):
        text = f"is {state.renewals}, but at most {min(MOST_RENEWALS, turns)} can be by now."
        yield defect("renewals", DefectReason.DEFECT_COUNTER, text)


def _points(state: State) -> Defects:
    """Check match points against the deals won and the end of the match (GI-14)."""
    totals, won, rules = state.points, state.deals_won, rules_of(state)
    for side, total in enumerate(totals):
        if total < 0 or (total and not won[side]):
            text = f"are {total}, but points come from deals won, and are none below 0."
            yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text)
            return
    result = state.result
    if result and result.victory_points:
        yield foreign("result.victory_points")
    if result and len(result.winning_sides) != 1:
        yield defect(
            "result.winning_sides", DefectReason.DEFECT_SCORES, "have to be one: a match of Gin has one winner."
        )
        return
    if result is None or result.match_end is not MatchEnd.TARGET:
        for side, total in enumerate(totals):
            if total >= rules.target:
                text = f"are {total}, with which the match is over."
                yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text)
        return
    (winner,) = result.winning_sides
    if not won[winner]:
        yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, "is a side that has won no deal.")
        return
    played = [_without_bonuses(state, side, winner) for side in range(PLAYERS)]
    for side, before in enumerate(played):
        if before is None or before < 0 or (before >= rules.target) != (side == winner):
            text = (
                f"are {totals[side]}, which does not go with the target of {rules.target} and the bonuses of a match."
            )
            yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text)


def _without_bonuses(state: State, side: int, winner: int) -> int | None:
    """A side's points before the bonuses of a match that is won; None if there are no such (GI-14)."""
    rules, total = rules_of(state), state.points[side]
    boxes = rules.box_bonus * state.deals_won[side]
    if side != winner:
        return total - boxes
    bonuses = boxes + rules.game_bonus
    if state.deals_won[other(winner)] or rules.shutout is Shutout.NONE:
        return total - bonuses
    if rules.shutout is Shutout.DOUBLE_TOTAL:
        return None if total % 2 else total // 2 - bonuses
    return total - bonuses - (FLAT_SHUTOUT if rules.shutout is Shutout.FLAT_100 else bonuses)


# --- a deal that is over ----------------------------------------------------------------------------------------------


def _over(state: State) -> Defects:
    if not state.over:
        return
    result, end = state.result, state.deal_end
    if end is DealEnd.RESIGNED and (result is None or result.match_end is not MatchEnd.RESIGNED):
        yield defect("deal_end", DefectReason.DEFECT_PHASE, "is a resignation, but at Gin that ends the match.")
    if result and result.match_end is MatchEnd.TARGET and end not in COUNTED:
        yield defect("result.match_end", DefectReason.DEFECT_PHASE, "is the target, but the deal was not counted.")
    if end is DealEnd.VOID and not is_void(state):
        yield defect("deal_end", DefectReason.DEFECT_PHASE, "is a void deal, but stock and turns do not make it one.")
    if state.turn != NEW_TURN:
        yield from _begun(state, "the deal is over")
    if state.passes:
        yield defect("passes", DefectReason.DEFECT_COUNTER, f"is {state.passes}, but the deal is over.")
    if end in COUNTED:
        yield from _knocked(state)
        return
    if state.knocker != NOBODY:
        yield defect("knocker", DefectReason.DEFECT_PHASE, "is set, but nobody has knocked.")
    yield from _no_melds(state)
    for seat, hand in enumerate(state.hands):
        most = HAND_SIZE + (end is DealEnd.RESIGNED and seat == state.seat)
        if not HAND_SIZE <= hand.size <= most:
            yield _held(seat, hand, HAND_SIZE)


def _held(seat: int, hand: Hand, expected: int) -> StateDefect:
    text = f"holds {hand.size} cards, but {expected} are expected."
    return defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text, count=hand.size, expected=expected)


def _no_melds(state: State) -> Defects:
    if state.melds:
        yield defect("melds", DefectReason.DEFECT_CARDS, "lie on the table, but nobody has knocked.")


def _knocked(state: State) -> Defects:
    """Check a deal that somebody has knocked: its count is read from what lies there."""
    knocker, defender = state.knocker, other(state.knocker)
    if knocker == NOBODY:
        yield defect("knocker", DefectReason.DEFECT_PHASE, "is missing, but somebody has knocked.")
        return
    if knocker != state.closed_by:
        yield defect("closed_by", DefectReason.DEFECT_PHASE, "has to be the seat that knocked.")
    for at, meld in enumerate(state.melds):
        if meld.side != knocker:
            text = f"is {meld.side}, but only the knocker's melds lie on the table."
            yield defect(f"melds[{at}].side", DefectReason.DEFECT_SEATS, text)
    deadwood = points(state.hands[knocker].once)
    if (state.deal_end is DealEnd.GIN) != (deadwood == 0):
        text = "is gin, but the knocker has deadwood." if deadwood else "is a knock, but the knocker has no deadwood."
        yield defect("deal_end", DefectReason.DEFECT_PHASE, text)
    if deadwood > knock_limit(state):
        text = f"has {deadwood} points of deadwood, but {knock_limit(state)} is the limit."
        yield defect(f"hands[{knocker}]", DefectReason.DEFECT_CARDS, text)
    melded = sum(len(meld.cards) for meld in state.melds)
    held, left = state.hands[knocker].size, state.hands[defender].size
    laid_off = HAND_SIZE - left
    if deadwood:
        right = laid_off >= 0 and melded + held == HAND_SIZE + laid_off
    else:
        big = MELDED_AT_BIG_GIN if rules_of(state).big_gin_bonus else HAND_SIZE
        right = melded in (HAND_SIZE, big) and not laid_off
    if not right:
        text = f"have {held} and {left} cards beside {melded} melded, which no knock leaves."
        yield defect("hands", DefectReason.DEFECT_CARDS, text)
        return
    yield from _winner(state)


def _winner(state: State) -> Defects:
    """Check the points against the deal that was just counted."""
    count = count_state(state)
    winner, now = count.winner, sum(line.points for line in count.lines)
    if not state.deals_won[winner]:
        text = f"of side {winner} is 0, but it has won the deal just counted."
        yield defect("deals_won", DefectReason.DEFECT_SCORES, text)
        return
    result = state.result
    total: int | None = state.points[winner]
    if result and result.match_end is MatchEnd.TARGET and len(result.winning_sides) == 1:
        if result.winning_sides != (winner,):
            text = f"have to be side {winner}, which won the last deal."
            yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, text)
            return
        total = _without_bonuses(state, winner, winner)
    if total is None:
        return
    before, earlier = total - now, state.deals_won[winner] - 1
    if before < 0 or before >= rules_of(state).target or (before and not earlier):
        text = f"do not go with the {now} of the deal just counted."
        yield defect(f"sides[{winner}].match_points", DefectReason.DEFECT_SCORES, text)


def _begun(state: State, why: str) -> Defects:
    turn = state.turn
    for name in ("drawn", "taken", "last"):
        if getattr(turn, name):
            place = "last_turn" if name == "last" else name
            yield defect(f"turn_state.{place}", DefectReason.DEFECT_TURN, f"is set, but {why}.")


# --- a deal in progress -----------------------------------------------------------------------------------------------


def _in_play(state: State) -> Defects:
    """Check a deal in progress: whoever is to move can."""
    if state.over:
        return
    seat, play = state.seat, state.phase is Phase.PLAY
    if state.knocker != NOBODY:
        yield defect("knocker", DefectReason.DEFECT_PHASE, "is set, but the deal goes on.")
    yield from _no_melds(state)
    for at, hand in enumerate(state.hands):
        if hand.size != HAND_SIZE + (play and at == seat):
            yield _held(at, hand, HAND_SIZE + (play and at == seat))
    if not state.discard and (not play or state.turn.drawn):
        yield defect("discard", DefectReason.DEFECT_CARDS, "is empty, but its top card lies open.", count=0)
    void_at_two = rules_of(state).stock_exhausted is StockExhausted.VOID_AT_TWO
    least = LAST_STOCK * void_at_two + (not play or (void_at_two and bool(state.turn.taken)))
    if len(state.stock) < least:
        text = f"has {len(state.stock)} cards, but at least {least} are left while the deal goes on."
        yield defect("stock", DefectReason.DEFECT_CARDS, text, count=len(state.stock))
    yield from _passes(state)
    if play:
        yield from _turn(state, void_at_two=void_at_two)
    elif state.turn != NEW_TURN:
        yield from _begun(state, "nothing was drawn")


def _passes(state: State) -> Defects:
    """Check the offer of the up-card (GI-4)."""
    passes, seat, dealer = state.passes, state.seat, state.dealer
    if state.phase is Phase.UPCARD:
        if len(state.discard) != 1 or len(state.stock) != 52 - DEALT - 1 or state.turns_taken:
            text = "is PHASE_UPCARD, but cards have been played."
            yield defect("phase", DefectReason.DEFECT_PHASE, text)
        if passes >= BOTH_PASSED:
            text = f"is {passes}, but after {BOTH_PASSED} the up-card is offered no more."
            yield defect("passes", DefectReason.DEFECT_COUNTER, text)
        elif seat != (dealer if passes else other(dealer)):
            text = f"is {seat}, but after {passes} passes the up-card is offered to the other seat."
            yield defect("turn", DefectReason.DEFECT_TURN, text)
        return
    if not passes:
        return
    first = state.phase is Phase.DRAW and passes == BOTH_PASSED and len(state.discard) == 1 and not state.turns_taken
    if not first or seat != other(dealer):
        text = f"is {passes}, but it is not the first draw after both passed."
        yield defect("passes", DefectReason.DEFECT_COUNTER, text)


def _turn(state: State, *, void_at_two: bool) -> Defects:
    """Check a turn after its draw (GI-5)."""
    turn, hand = state.turn, state.hands[state.seat]
    if turn.drawn and turn.taken:
        yield defect("turn_state.taken", DefectReason.DEFECT_TURN, "is set, but a card was drawn.")
    if not turn.drawn and not turn.taken:
        yield defect("turn_state", DefectReason.DEFECT_TURN, "names no card that was drawn or taken.")
    for name, card in (("drawn", turn.drawn), ("taken", turn.taken)):
        if card and not hand.count(card):
            yield defect(f"turn_state.{name}", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    last = void_at_two and bool(turn.drawn) and len(state.stock) <= LAST_STOCK
    if turn.last != last:
        text = "has to be true: two cards are left." if last else "is set, but the stock is not at its end."
        yield defect("turn_state.last_turn", DefectReason.DEFECT_TURN, text)


CHECKS: Final = (
    check(_counts, "deals_won", "deal_end"),
    check(_points, "sides", "deals_won", "result"),
    check(
        _over,
        *("phase", "deal_end", "result", "hands", "melds", "knocker", "closed_by", "turn", "turn_state", "sides"),
        *("deals_won", "fairness"),
    ),
    check(_in_play, "phase", "hands", "turn", "dealer", "turn_state", "discard", "stock", "melds", "knocker"),
)
