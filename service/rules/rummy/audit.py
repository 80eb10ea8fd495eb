"""What the rules of Ramino and Scala 40 rely on in a state, and what their play sees to."""

from functools import lru_cache
from typing import Any, Final

from service.rules.cards import IS_CARD, JOKER, NO_CARD, SUITS
from service.rules.defects import DefectReason, Defects, check, defect, foreign, run
from service.rules.game import MeldFault
from service.rules.hand import EMPTY, hand_of
from service.rules.melds import SMALLEST, Meld, MeldKind
from service.rules.moves import TAKE_PILE
from service.rules.options import ClosingInHand, StockExhausted
from service.rules.rummy.finish import MAX_ROUNDS
from service.rules.rummy.judge import is_legal, legal_discards
from service.rules.rummy.options import PileBeforeOpening
from service.rules.rummy.plays import any_play
from service.rules.rummy.presets import LEFT_UNDRAWN
from service.rules.rummy.reading import points, read
from service.rules.rummy.score import best_of, count_state
from service.rules.rummy.seats import has_opened, seats_in, terms
from service.rules.rummy.terms import Shape, terms_of
from service.rules.state import NEW_TURN, NOBODY, DealEnd, MatchEnd, Phase, State

BLANK: Final = {
    "pozzetti": (),
    "taken_by": (),
    "unplayed": (),
    "stalemate_turns": 0,
    "turns_left": NOBODY,
    "passes": 0,
    "knocker": NOBODY,
    "deals_won": (),
    "alone": NOBODY,
    "turn.taken_single": NO_CARD,
    "turn.must_meld_something": False,
    "turn.last": False,
    "turn.hand_before_pile": EMPTY,
}
"""What these games do not know."""


def audit(state: State, unclear: frozenset[str] = frozenset()) -> Defects:
    """Find what does not hold together."""
    return run(CHECKS, state, unclear)


# --- melds ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def meld_fault(meld: Meld, rules: Any) -> MeldFault | None:  # noqa: ANN401  # of either game
    """Find what is wrong with a meld on the table (RA-6, RA-7, SC-11 … SC-14)."""
    cards, wild_at = meld.cards, meld.wild_at
    if len(cards) < SMALLEST or not IS_CARD.issuperset(cards):
        return MeldFault("", DefectReason.DEFECT_MELD, f"is no meld: {SMALLEST} cards at least make one.")
    jokers = [at for at, card in enumerate(cards) if card == JOKER]
    if len(jokers) <= 1 and wild_at != (jokers[0] if jokers else NOBODY):
        text = "is not that of the joker." if jokers else "is set, but only a joker is wild."
        return MeldFault(".wild_index", DefectReason.DEFECT_WILD, text)
    if meld.kind is MeldKind.SET and meld.low:
        # SC-14: its joker was declared to be a missing suit.
        if wild_at < 0 or meld.low > len(SUITS) or meld.wild_as in cards:
            return MeldFault(".wild_as", DefectReason.DEFECT_WILD, "is not a card that the joker can stand for.")
        meld = meld._replace(low=0)
    if not _lies(meld, terms_of(rules).shape):
        return MeldFault("", DefectReason.DEFECT_MELD, "is no meld that these rules let lie so.")
    return None


def _lies(meld: Meld, shape: Shape) -> bool:
    try:
        found = read(hand_of(meld.cards), shape)
    except ValueError:
        return False
    return any(meld == each._replace(meld_id=meld.meld_id, side=meld.side) for each in found)


# --- the match --------------------------------------------------------------------------------------------------------


def _seats(state: State) -> Defects:
    """Check who is in the match and who has laid (RA-14, SC-22, SC-9)."""
    asked, seats = terms(state), seats_in(state)
    for seat, unseen in enumerate(state.unseen):
        if unseen:
            yield foreign("unseen_seats")
            break
        again = state.reentries[seat]
        if again and not asked.reentry:
            yield foreign(f"reentries[{seat}]")
        elif again > min(1, state.deals_scored):
            text = f"is {again}, but a player comes in again once, and only after a deal."
            yield defect(f"reentries[{seat}]", DefectReason.DEFECT_COUNTER, text)
    if not seats and state.phase is not Phase.MATCH_OVER:
        yield defect("out_seats", DefectReason.DEFECT_SEATS, "are all, but the match goes on.")
    elif len(seats) == 1 and state.phase is not Phase.MATCH_OVER:
        yield defect("out_seats", DefectReason.DEFECT_SEATS, "leave one player, but the match goes on.")
    if not state.over:
        if state.seat not in seats:
            yield defect("turn", DefectReason.DEFECT_SEATS, f"is {state.seat}, whose player is out.")
        if state.dealer not in seats:
            yield defect("dealer", DefectReason.DEFECT_SEATS, f"is {state.dealer}, whose player is out.")
        for seat, laid in enumerate(state.laid):
            if laid and state.out[seat]:
                yield defect("laid_seats", DefectReason.DEFECT_SEATS, f"have seat {seat}, whose player is out.")


def _laid(state: State) -> Defects:
    """Check who has laid against the melds that lie there (RA-9, SC-9)."""
    asked = terms(state)
    if not asked.needs_opening:
        return
    worth = [0] * len(state.laid)
    for meld in state.melds:
        worth[meld.side] += points(meld, asked.shape)
    for seat, laid in enumerate(state.laid):
        mine = seat == state.seat and state.turn.melded
        if laid and worth[seat] < max(asked.opening_points, 1):
            text = f"have seat {seat}, whose melds are too few to open."
            yield defect("laid_seats", DefectReason.DEFECT_SEATS, text)
        elif worth[seat] and not laid and not mine:
            text = f"lack seat {seat}, whose melds lie on the table."
            yield defect("laid_seats", DefectReason.DEFECT_SEATS, text)


def _counts(state: State) -> Defects:
    players, asked, turns = len(state.match.players), terms(state), state.turns_taken
    # Whoever resigns leaves less players than there were in the deal.
    most = MAX_ROUNDS * (players if state.over else max(len(seats_in(state)), 1))
    if turns > most - (state.deal_end is not DealEnd.VOID):
        text = f"is {turns}, but the deal is void after {most}."
        yield defect("turns_taken", DefectReason.DEFECT_COUNTER, text)
    if state.renewals and asked.stock_exhausted is StockExhausted.VOID_AT_TWO:
        yield foreign("renewals")
    elif state.renewals > turns:
        text = f"is {state.renewals}, but only {turns} turns were finished."
        yield defect("renewals", DefectReason.DEFECT_COUNTER, text)


def _points(state: State) -> Defects:
    """Check penalty points against who is out (RA-14, SC-22)."""
    asked = terms(state)
    for side, total in enumerate(state.points):
        field = f"sides[{side}].match_points"
        if total < 0:
            yield defect(field, DefectReason.DEFECT_SCORES, f"are {total}, but penalty points are none below 0.")
        elif total >= asked.limit and not state.out[side]:
            returns = state.phase is Phase.DEAL_OVER and asked.reentry and not state.reentries[side]
            if not returns and state.phase is not Phase.MATCH_OVER:
                text = f"are {total}, with which the player is out of the match."
                yield defect(field, DefectReason.DEFECT_SCORES, text)


def _result(state: State) -> Defects:
    """Check the result (SC-22)."""
    result = state.result
    if result is None:
        return
    if result.victory_points:
        yield foreign("result.victory_points")
    if result.match_end is MatchEnd.LAST_PLAYER:
        if state.deal_end is not DealEnd.CLOSED:
            text = "is the last player's, but the deal was not counted."
            yield defect("result.match_end", DefectReason.DEFECT_PHASE, text)
            return
        right = best_of(state.points, _dealt(state), terms(state).limit)
        if right is None:
            yield defect("result", DefectReason.DEFECT_SCORES, "is set, but several players are below the limit.")
        elif right.winning_sides != result.winning_sides:
            text = f"have to be {list(right.winning_sides)}, by the points."
            yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, text)
        for side, out in enumerate(state.out):
            if out != (side not in result.winning_sides or state.points[side] >= terms(state).limit):
                text = f"and the points disagree about seat {side}."
                yield defect("out_seats", DefectReason.DEFECT_SEATS, text)
    elif list(result.winning_sides) != seats_in(state):
        text = "have to be the one player who is left."
        yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, text)
    elif len(result.winning_sides) != 1:
        yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, "are several, but a resignation leaves one.")


def _dealt(state: State) -> list[int]:
    """Seats that took part in the deal that was closed."""
    return [seat for seat, hand in enumerate(state.hands) if hand.size or seat == state.closed_by]


def _sizes(state: State) -> Defects:
    """Check that no hand has grown: whoever draws a card discards one, and a joker is recovered for another card.

    It is more than tidiness: to look for an opening in a hand of fifty cards takes for ever.
    """
    most = terms(state).cards_each
    for seat, hand in enumerate(state.hands):
        room = most + (seat == state.seat and state.phase is not Phase.DRAW)
        if hand.size > room:
            text = f"holds {hand.size} cards, but has no more than {room}."
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text, count=hand.size, max=room)


# --- a deal that is over ----------------------------------------------------------------------------------------------


def _over(state: State) -> Defects:
    if not state.over:
        return
    end, closed = state.deal_end, state.deal_end is DealEnd.CLOSED
    for seat, hand in enumerate(state.hands):
        closer = closed and seat == state.closed_by
        if hand.size and closer:
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, "holds cards, but closed.", count=hand.size)
        elif not hand.size and not closer and not state.out[seat]:
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, "holds no cards.", count=0)
    if end is DealEnd.RESIGNED and not any(state.out):
        yield defect("out_seats", DefectReason.DEFECT_SEATS, "are none, but somebody resigned.")
    if end is DealEnd.VOID and not _is_void(state):
        yield defect("deal_end", DefectReason.DEFECT_PHASE, "is a void deal, but stock and turns do not make it one.")
    if state.doubled != (closed and state.closed_by != NOBODY and _in_hand(state)):
        text = "is set, but" if state.doubled else "has to be set, as"
        text += " nobody closed in hand." if state.doubled else " the one who closed had laid nothing before."
        yield defect("closed_in_hand", DefectReason.DEFECT_PHASE, text)
    if closed and state.closed_by != NOBODY and state.deals_scored:
        yield from _counted(state)


def _is_void(state: State) -> bool:
    if state.turns_taken >= MAX_ROUNDS:
        return True
    if terms(state).stock_exhausted is StockExhausted.VOID_AT_TWO:
        return len(state.stock) <= LEFT_UNDRAWN
    return not state.stock and len(state.discard) == 1


def _in_hand(state: State) -> bool:
    asked, turn = terms(state), state.turn
    if asked.in_hand is ClosingInHand.NONE or state.laid[state.closed_by]:
        return False
    return not (asked.in_hand_bars_lay_off and turn.laid_off)


def _counted(state: State) -> Defects:
    """Check the points of a deal that has been counted against those before it."""
    limit, now = terms(state).limit, count_state(state).deal_points
    for side in range(len(now)):
        before = state.points[side] - now[side]
        dealt = state.hands[side].size or side == state.closed_by
        wrong = before < 0 or (dealt and before >= limit) or (before and state.deals_scored == 1)
        if wrong:
            text = f"are {state.points[side]}, which does not go with the {now[side]} of the deal just counted."
            yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text)


# --- a deal in progress -----------------------------------------------------------------------------------------------


def _in_play(state: State) -> Defects:
    if state.over:
        return
    wrong = state.out[state.seat] or any(_sizes(state))
    if state.doubled:
        yield defect("closed_in_hand", DefectReason.DEFECT_PHASE, "is set, but the deal goes on.")
    for seat, hand in enumerate(state.hands):
        if bool(hand.size) == state.out[seat]:
            wrong = True
            text = "holds cards, but its player is out." if hand.size else "holds no cards."
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text, count=hand.size)
    for found in _piles(state):
        wrong = True
        yield found
    if state.phase is Phase.DRAW:
        if state.turn != NEW_TURN:
            yield from _begun(state)
        elif not wrong and not state.stock and not is_legal(state, state.seat, TAKE_PILE):
            yield defect("stock", DefectReason.DEFECT_CARDS, "is empty: there is nothing to draw.", count=0)
        return
    for found in _played(state):
        wrong = True
        yield found
    if not wrong and not legal_discards(state, state.seat) and not any_play(state, state.seat):
        text = "leaves the seat to move stuck: nothing can be laid, and no card discarded."
        yield defect(f"hands[{state.seat}]", DefectReason.DEFECT_CARDS, text)


def _piles(state: State) -> Defects:
    """Check that stock and pile are not at an end (RA-12, SC-20)."""
    void, draw = terms(state).stock_exhausted is StockExhausted.VOID_AT_TWO, state.phase is Phase.DRAW
    if not state.discard and (draw or state.turn.drawn):
        yield defect("discard", DefectReason.DEFECT_CARDS, "is empty, but nobody has taken from it.", count=0)
    least = LEFT_UNDRAWN * void + (draw or (void and not state.turn.drawn))
    if len(state.stock) < least:
        text = f"has {len(state.stock)} cards, but at least {least} are left while the deal goes on."
        yield defect("stock", DefectReason.DEFECT_CARDS, text, count=len(state.stock))


PLACES: Final = {"opening": "opening_points"}


def _begun(state: State) -> Defects:
    for name, value, blank in zip(state.turn._fields, state.turn, NEW_TURN, strict=True):
        if value != blank and f"turn.{name}" not in BLANK:
            yield defect(f"turn_state.{PLACES.get(name, name)}", DefectReason.DEFECT_TURN, "is set before the draw.")


def _played(state: State) -> Defects:
    """Check a turn in progress after its draw (RA-8, SC-6, SC-8, SC-9, SC-14)."""
    turn, seat, asked = state.turn, state.seat, terms(state)
    hand, laid = state.hands[seat], state.laid[seat]
    opened = has_opened(state, seat)
    if turn.drawn and turn.taken:
        yield defect("turn_state.taken", DefectReason.DEFECT_TURN, "is set, but a card was drawn.")
    if not turn.drawn and not turn.taken and not turn.melded:
        yield defect("turn_state", DefectReason.DEFECT_TURN, "names no card that was drawn or taken.")
    if turn.drawn and not turn.melded and not hand.count(turn.drawn):
        yield defect("turn_state.drawn", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    if turn.taken and not hand.count(turn.taken):
        yield defect("turn_state.taken", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    before = asked.pile_before_opening
    if not turn.drawn and not laid and asked.needs_opening and before is PileBeforeOpening.NEVER:
        text = "is missing, but who has not opened may not take from the pile."
        yield defect("turn_state.drawn", DefectReason.DEFECT_TURN, text)
    to_open = before is PileBeforeOpening.IF_OPENS_WITH_IT and asked.needs_opening and not laid
    owed = bool(turn.taken) and not turn.melded and (asked.pile_card_must_be_used or to_open)
    if turn.must_meld and not asked.pile_card_must_be_used and before is not PileBeforeOpening.IF_OPENS_WITH_IT:
        yield foreign("turn_state.must_meld")
    elif turn.must_meld != (turn.taken if owed else NO_CARD):
        text = "has to be the card that was taken." if owed else "is set, but no card has to be used."
        yield defect("turn_state.must_meld", DefectReason.DEFECT_TURN, text)
    if turn.laid_off and not turn.melded:
        yield defect("turn_state.laid_off", DefectReason.DEFECT_TURN, "is set, but nothing was melded.")
    elif turn.laid_off and not opened:
        yield defect("turn_state.laid_off", DefectReason.DEFECT_TURN, "is set, but the player has not opened.")
    yield from _jokers(state)
    yield from _opening(state)


def _jokers(state: State) -> Defects:
    """Check recovered jokers that have to be laid (SC-14)."""
    owed, turn = state.turn.jokers_owed, state.turn
    if not owed:
        return
    if not terms(state).joker_must_be_used:
        yield foreign("turn_state.jokers_owed")
    elif owed > 1 or not turn.laid_off:
        text = f"is {owed}, but one at a time is recovered, by laying off."
        yield defect("turn_state.jokers_owed", DefectReason.DEFECT_TURN, text)
    elif not state.hands[state.seat].jokers:
        yield defect("turn_state.jokers_owed", DefectReason.DEFECT_TURN, "is set, but the hand has no joker.")


def _opening(state: State) -> Defects:
    """Check the points laid towards the opening (SC-9)."""
    turn, seat, asked = state.turn, state.seat, terms(state)
    if not asked.opening_points:
        if turn.opening:
            yield foreign("turn_state.opening_points")
        return
    laid = sum(points(meld, asked.shape) for meld in state.melds if meld.side == seat)
    most = 0 if state.laid[seat] or not turn.melded else laid
    if turn.opening > most:
        text = f"is {turn.opening}, but {most} points were laid towards an opening this turn."
        yield defect("turn_state.opening_points", DefectReason.DEFECT_TURN, text)
    elif most and not turn.opening:
        yield defect("turn_state.opening_points", DefectReason.DEFECT_TURN, "is missing, but melds were laid to open.")
    elif turn.melded and not state.laid[seat] and not laid:
        text = "is true, but the player has not opened, and no meld of his lies there."
        yield defect("turn_state.melded", DefectReason.DEFECT_TURN, text)


CHECKS: Final = (
    check(_seats, "out_seats", "laid_seats", "reentries", "unseen_seats", "turn", "dealer", "phase"),
    check(_laid, "laid_seats", "melds", "turn", "turn_state"),
    check(_sizes, "hands", "turn", "phase"),
    check(_counts, "phase", "deal_end", "out_seats"),
    check(_points, "sides", "out_seats", "reentries", "phase"),
    check(_result, "result", "sides", "out_seats", "hands", "closed_by", "deal_end"),
    check(
        _over,
        *("phase", "deal_end", "hands", "out_seats", "laid_seats", "closed_by", "turn_state", "sides"),
    ),
    check(
        _in_play,
        *("phase", "hands", "turn", "turn_state", "out_seats", "laid_seats", "melds", "stock", "discard"),
    ),
)
