"""What the rules of Gin rely on in a state."""

from service.rules.cards import NO_CARD
from service.rules.gin.deadwood import points
from service.rules.gin.dealing import DEALT, HAND_SIZE
from service.rules.gin.finish import LAST_STOCK, MOST_RENEWALS, MOST_TURNS
from service.rules.gin.judge import BOTH_PASSED, knock_limit, rules_of
from service.rules.gin.reading import readings
from service.rules.gin.score import COUNTED, MELDED_AT_BIG_GIN, other
from service.rules.hand import hand_of
from service.rules.options import StockExhausted
from service.rules.state import NEW_TURN, NOBODY, DealEnd, MatchEnd, Phase, State, Turn


def audit(state: State) -> None:
    """Check what the rules of Gin rely on.

    :raises ValueError: it says in a few words what is wrong.
    """
    _unused(state)
    _require(len(state.deals_won) == len(state.points), "its deals won are of sides too many or few")
    _require(min(state.deals_won) >= 0 and min(state.points) >= 0, "its points are wrong")
    _require(sum(state.deals_won) == state.deals_scored, "its deals won are not those scored")
    _require(0 <= state.renewals <= MOST_RENEWALS, "its stock was renewed too often")
    _require(not state.renewals or rules_of(state).stock_exhausted is StockExhausted.RESHUFFLE, "its stock was renewed")
    result = state.result
    _require(not result or len(result.winning_sides) == 1, "its match has not one winner")
    if result and result.match_end is MatchEnd.TARGET:
        _require(state.deals_won[result.winning_sides[0]], "its match was won without a deal")
        _require(state.deal_end in COUNTED, "its match ended without a count")
    else:
        _require(max(state.points) < rules_of(state).target, "its match should be over")
    if state.deal_end in COUNTED:
        _knocked(state)
        return
    _require(not state.melds and state.knocker == state.closed_by == NOBODY, "it has melds before a knock")
    if not state.over:
        _in_play(state)


def _require(fact: object, defect: str) -> None:
    if not fact:
        raise ValueError(defect)


def _unused(state: State) -> None:
    """Check what Gin does not know."""
    seats = len(state.match.players)
    _require(not any(state.unseen) and not any(state.unplayed) and not state.pozzetti, "it has a pozzetto")
    _require(set(state.taken_by) <= {NOBODY}, "a pozzetto was taken")
    _require(not state.stalemate_turns and state.turns_left == NOBODY, "it has a stalemate or a clock")
    _require(not any((*state.laid, *state.out, *state.reentries)), "it has what is not of this game")
    _require(state.turns_taken <= MOST_TURNS, "its deal is too long")
    _require(not state.doubled and seats == 2, "it has what is not of this game")
    turn = state.turn
    _require(turn == Turn(drawn=turn.drawn, taken=turn.taken, last=turn.last), "its turn is not of this game")


def _knocked(state: State) -> None:
    """Check a deal that somebody has knocked: its count is read from what lies there."""
    knocker = state.knocker
    _require(knocker in (0, 1) and knocker == state.closed_by, "it has no knocker")
    _require(state.turn == NEW_TURN and not state.passes, "its turn goes on")
    for meld in state.melds:
        found = readings(hand_of(meld.cards), rules_of(state))
        at = meld._replace(meld_id=0, side=0)
        _require(found == [at] and meld.side == state.side_of(knocker), "a meld is not the knocker's")
    deadwood = points(state.hands[knocker].once)
    _require((state.deal_end is DealEnd.GIN) == (deadwood == 0), "its knock and its gin disagree")
    _require(deadwood <= knock_limit(state), "its knocker has too much deadwood")
    melded = sum(len(meld.cards) for meld in state.melds)
    held = [hand.size for hand in state.hands]
    if deadwood:
        laid_off = HAND_SIZE - held[other(knocker)]
        _require(laid_off >= 0 and melded + held[knocker] == HAND_SIZE + laid_off, "its hands are too large or small")
    else:
        big = MELDED_AT_BIG_GIN if rules_of(state).big_gin_bonus else HAND_SIZE
        _require(melded in (HAND_SIZE, big) and held[other(knocker)] == HAND_SIZE, "its hands are too large or small")


def _in_play(state: State) -> None:
    """Check a deal in progress: whoever is to move can."""
    turn, seat, play = state.turn, state.seat, state.phase is Phase.PLAY
    sizes = tuple(HAND_SIZE + (play and at == seat) for at in range(2))
    _require(tuple(hand.size for hand in state.hands) == sizes, "its hands are too large or small")
    _require(state.discard or play, "its pile is empty")
    void_at_two = rules_of(state).stock_exhausted is StockExhausted.VOID_AT_TWO
    least = LAST_STOCK * void_at_two if play else LAST_STOCK * void_at_two + 1
    _require(len(state.stock) >= least, "its stock has run out")
    if state.phase is Phase.UPCARD:
        _require(len(state.discard) == 1 and len(state.stock) == 52 - DEALT - 1, "its up-card is not the first")
        _require(0 <= state.passes < BOTH_PASSED, "its up-card was passed too often")
        _require(seat == (state.dealer if state.passes else other(state.dealer)), "its up-card is another's")
    elif state.passes:
        first = state.phase is Phase.DRAW and state.passes == BOTH_PASSED and len(state.discard) == 1
        _require(first and seat == other(state.dealer), "its up-card was passed too often")
    if not play:
        _require(turn == NEW_TURN, "its turn has begun")
        return
    one_came = (turn.drawn == NO_CARD) != (turn.taken == NO_CARD)
    _require(one_came and state.hands[seat].count(turn.drawn or turn.taken), "its turn names no card")
