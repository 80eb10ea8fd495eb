"""What the rules of Burraco rely on in a state, and what their play sees to."""

from typing import Final

from service.rules.burraco.dealing import LONE_POZZETTO_SIZE, POZZETTI, POZZETTO_SIZE, pozzetto_sizes
from service.rules.burraco.guard import may_close
from service.rules.burraco.judge import is_legal, legal_discards
from service.rules.burraco.plays import any_play
from service.rules.burraco.score import VICTORY_STEP, count_state, match_result
from service.rules.cards import NO_CARD, RANK_NAMES
from service.rules.defects import DefectReason, Defects, check, defect, foreign, run
from service.rules.hand import EMPTY
from service.rules.melds import MeldKind
from service.rules.moves import TAKE_PILE
from service.rules.options import PileTake, StockEnd, VictoryPoints
from service.rules.state import NEW_TURN, NOBODY, UNCOUNTED, DealEnd, MatchEnd, Phase, State

LAST_STOCK: Final = 2
"""Cards that are never drawn (B4-33)."""
TWO_LEFT: Final = (StockEnd.IMMEDIATE, StockEnd.AFTER_DISCARD, StockEnd.VOID)
"""Rules under which the stock's last two cards are never drawn (R4)."""
ALL_LEFT: Final = (StockEnd.AFTER_DISCARD, StockEnd.VOID)
"""Rules under which the deal ends with the discard of whoever leaves two (R4)."""

BLANK: Final = {
    "laid": (),
    "out": (),
    "reentries": (),
    "turns_taken": 0,
    "renewals": 0,
    "passes": 0,
    "knocker": NOBODY,
    "deals_won": (),
    "doubled": False,
    "turn.taken": NO_CARD,
    "turn.laid_off": False,
    "turn.opening": 0,
    "turn.jokers_owed": 0,
}
"""What Burraco does not know."""


def audit(state: State, unclear: frozenset[str] = frozenset()) -> Defects:
    """Find what does not hold together."""
    return run(CHECKS, state, unclear)


# --- who plays alone, pozzetti ----------------------------------------------------------------------------------------


def _alone(state: State) -> Defects:
    """Check who plays alone, which only the pozzetto of 18 at a table of three brings about (B3-2)."""
    alone = state.alone
    if alone == NOBODY:
        return
    if state.match.rules.players != 3:
        yield foreign("alone")
        return
    _, partner = state.partners(int(alone == 0))
    if state.taken_by[alone] != alone:
        text = f"is {alone}, but that seat has not taken the pozzetto that makes one play alone."
        yield defect("alone", DefectReason.DEFECT_POZZETTI, text)
    if state.taken_by[partner] != NOBODY or state.unplayed[partner]:
        # Two who play together are the side of the lower seat.
        yield defect(f"sides[{partner}]", DefectReason.DEFECT_POZZETTI, "has a pozzetto, but is part of another side.")
    for at, meld in enumerate(state.melds):
        if meld.side == partner:
            yield defect(
                f"melds[{at}].side", DefectReason.DEFECT_SEATS, f"is {partner}, which is part of another side."
            )


def _pozzetti(state: State) -> Defects:
    """Check where the pozzetti are (B4-11, B4-26, B3-1)."""
    taken = 0
    for side, seat in enumerate(state.taken_by):
        if seat == NOBODY:
            if state.unplayed[side]:
                text = "is true, but nobody has taken that pozzetto."
                yield defect(f"sides[{side}].pozzetto_unplayed", DefectReason.DEFECT_POZZETTI, text)
            continue
        taken += 1
        if state.side_of(seat) != side:
            text = f"is {seat}, which is a seat of another side."
            yield defect(f"sides[{side}].pozzetto_taken_by", DefectReason.DEFECT_POZZETTI, text)
    sizes = _pozzetti_left(state, taken)
    if sizes is None:
        text = f"has {len(state.pozzetti)} entries beside {taken} taken, which these rules cannot come to."
        yield defect("pozzetti", DefectReason.DEFECT_POZZETTI, text)
        return
    for at, pozzetto in enumerate(state.pozzetti):
        if len(pozzetto) != sizes[at]:
            text = f"has {len(pozzetto)} cards, but {sizes[at]} are expected."
            yield defect(f"pozzetti[{at}]", DefectReason.DEFECT_CARDS, text, count=len(pozzetto), expected=sizes[at])


def _pozzetti_left(state: State, taken: int) -> tuple[int, ...] | None:
    """Sizes that the pozzetti left have to be of; None where it cannot be so many."""
    left = len(state.pozzetti)
    if state.match.rules.players != 3:
        becomes_stock = state.rules.stock_end is StockEnd.POZZETTO_BECOMES_STOCK
        fits = left + taken == POZZETTI or (becomes_stock and left + taken < POZZETTI)
        return (POZZETTO_SIZE,) * left if fits else None
    if state.alone != NOBODY:
        return (POZZETTO_SIZE,) * left if left + taken == 2 else None
    if state.deal_end in UNCOUNTED:
        # Points are those that the deal began at.
        sizes = pozzetto_sizes(state.rules, state.points)
    else:
        sizes = (POZZETTO_SIZE,) * 3 if taken or left == 3 else (LONE_POZZETTO_SIZE, POZZETTO_SIZE)
    if len(sizes) == 2:
        return sizes if left == 2 and not taken else None
    return sizes[:left] if left + taken == 3 else None


def _unplayed(state: State) -> Defects:
    """Check pozzetti that were taken and not played from, or not looked at (B4-28, B4-39)."""
    for side, unplayed in enumerate(state.unplayed):
        seat = state.taken_by[side]
        if not unplayed or seat == NOBODY:
            continue
        held, moving = state.hands[seat].size, seat == state.seat
        if held < POZZETTO_SIZE or (held > POZZETTO_SIZE and not moving and held != LONE_POZZETTO_SIZE):
            text = f"holds {held} cards, but has a pozzetto that was not played from."
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text, count=held)
        if moving and state.phase is Phase.PLAY and state.turn.melded:
            text = "is true, but its owner has melded this turn."
            yield defect(f"sides[{side}].pozzetto_unplayed", DefectReason.DEFECT_TURN, text)
    for seat, unseen in enumerate(state.unseen):
        if not unseen:
            continue
        side = state.side_of(seat)
        counted = state.deal_end not in UNCOUNTED
        if (
            state.taken_by[side] != seat
            or not state.unplayed[side]
            or counted
            or (seat == state.seat and not state.over)
        ):
            text = f"has seat {seat}, which knows the cards that it holds."
            yield defect("unseen_seats", DefectReason.DEFECT_POZZETTI, text)


# --- melds ------------------------------------------------------------------------------------------------------------


def _duplicates(state: State) -> Defects:
    """Check that no side has two sets of a rank where that is not allowed (B4-22); partners of three may (B3-2)."""
    if state.rules.duplicate_sets or state.alone != NOBODY or len(state.melds) < 2:
        return
    seen = set()
    for at, meld in enumerate(state.melds):
        if meld.kind is MeldKind.SET and len(meld.cards) > 1:
            key = meld.side, meld.rank
            if key in seen:
                text = f"is a second set of rank {RANK_NAMES[meld.rank]} of its side, which these rules do not allow."
                yield defect(f"melds[{at}]", DefectReason.DEFECT_MELD, text)
            seen.add(key)


# --- points -----------------------------------------------------------------------------------------------------------


def _points(state: State) -> Defects:
    """Check match points against the end of the match (B4-42, §2.2)."""
    rules, points = state.rules, state.points
    if rules.victory_points is VictoryPoints.FIBUR:
        for side, total in enumerate(points):
            if total % VICTORY_STEP:
                text = f"are {total}, but have to be a multiple of {VICTORY_STEP}."
                yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text)
                return
    result = state.result
    should = match_result(points, state.deals_scored, rules) if state.deals_scored else None
    if result is None or result.match_end is MatchEnd.RESIGNED:
        if should:
            yield defect("sides", DefectReason.DEFECT_SCORES, "have points and deals with which the match is over.")
        if result and result.victory_points:
            yield foreign("result.victory_points", "are set, but a match that was given up has none.")
        if result and len(result.winning_sides) != len(points) - 1:
            text = "have to be all but that of the player who resigned."
            yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, text)
        return
    if should is None or should.match_end is not result.match_end:
        text = "is not how a match with these points and deals ends."
        yield defect("result.match_end", DefectReason.DEFECT_SCORES, text)
        return
    if should.winning_sides != result.winning_sides:
        text = f"have to be {list(should.winning_sides)}, by the points."
        yield defect("result.winning_sides", DefectReason.DEFECT_SCORES, text)
    if should.victory_points != result.victory_points:
        if not should.victory_points:
            yield foreign("result.victory_points")
        else:
            text = f"have to be {list(should.victory_points)}, by the difference of points."
            yield defect("result.victory_points", DefectReason.DEFECT_SCORES, text)


def _counted(state: State) -> Defects:
    """Check the points of a deal that has been counted against those before it."""
    if state.deal_end in UNCOUNTED or not state.deals_scored:
        return
    before = [total - now for total, now in zip(state.points, count_state(state).deal_points, strict=True)]
    earlier = state.deals_scored - 1
    if not earlier and any(before):
        text = f"have to be {[total - was for total, was in zip(state.points, before, strict=True)]}: that is the deal."
        yield defect("sides", DefectReason.DEFECT_SCORES, text)
    elif earlier and (state.rules.target or earlier < state.rules.deals_per_match):
        step = VICTORY_STEP if state.rules.victory_points is VictoryPoints.FIBUR else 1
        if not any(total % step for total in before) and match_result(before, earlier, state.rules):
            text = "have points with which the match was over before this deal."
            yield defect("sides", DefectReason.DEFECT_SCORES, text)


# --- a deal that is over ----------------------------------------------------------------------------------------------


def _over(state: State) -> Defects:
    """Check a deal that is over against how it ended."""
    if not state.over:
        return
    end, turn, rules = state.deal_end, state.turn, state.rules
    if fault := _impossible_end(state):
        yield defect("deal_end", DefectReason.DEFECT_PHASE, fault)
    if end is DealEnd.RESIGNED and (state.result is None or state.result.match_end is not MatchEnd.RESIGNED):
        text = "is a resignation, but at Burraco that ends the match."
        yield defect("deal_end", DefectReason.DEFECT_PHASE, text)
    if (
        end is DealEnd.CLOSED
        and state.closed_by != NOBODY
        and not may_close(state, state.side_of(state.closed_by), state.melds)
    ):
        text = "is a seat whose side may not close: it needs a pozzetto and a burraco (B4-31)."
        yield defect("closed_by", DefectReason.DEFECT_PHASE, text)
    for seat, hand in enumerate(state.hands):
        if bool(hand.size) == (end is DealEnd.CLOSED and seat == state.closed_by):
            text = "holds cards, but closed the deal." if hand.size else "holds no cards."
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text, count=hand.size)
    if end is DealEnd.RESIGNED and turn != NEW_TURN:
        yield from _played(state)
        return
    if turn.must_meld or turn.must_meld_something or turn.hand_before_pile != EMPTY:
        field = "must_meld" if turn.must_meld else "must_meld_something"
        field = field if turn.must_meld or turn.must_meld_something else "hand_before_pile"
        yield defect(f"turn_state.{field}", DefectReason.DEFECT_TURN, "is set, but the deal is over.")
    if turn.drawn and not turn.melded and not state.hands[state.seat].count(turn.drawn):
        yield defect("turn_state.drawn", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    if turn.last and (len(state.stock) != LAST_STOCK or rules.stock_end not in ALL_LEFT):
        yield defect("turn_state.last_turn", DefectReason.DEFECT_TURN, "is set, but the stock is not at its end.")


def _impossible_end(state: State) -> str | None:
    """Say why a deal cannot have ended as it is said to have."""
    rules, players = state.rules, state.match.rules.players
    match state.deal_end:
        case DealEnd.STOCK:
            left = LAST_STOCK if rules.stock_end in TWO_LEFT else 0
            if len(state.stock) != left or rules.stock_end is StockEnd.VOID:
                return f"is the end of the stock, but that has {len(state.stock)} cards."
        case DealEnd.VOID:
            if len(state.stock) != LAST_STOCK or rules.stock_end is not StockEnd.VOID:
                return "is a void deal, which these rules or this stock do not make."
        case DealEnd.STALEMATE_DECLARED:
            if state.stalemate_turns < players:
                return f"is a stalemate, but only {state.stalemate_turns} turns count towards it."
        case DealEnd.STALEMATE_AUTOMATIC:
            if not rules.stalemate_auto_turns or state.stalemate_turns != rules.stalemate_auto_turns:
                return f"is a stalemate, but {state.stalemate_turns} turns count towards it."
        case DealEnd.TIME:
            if state.turns_left != 0:
                return "is the clock's, but time was not called, or turns are left."
    return None


# --- a deal in progress -----------------------------------------------------------------------------------------------


def _counts(state: State) -> Defects:
    """Check what is counted in the deal (B4-34, B4-35)."""
    auto, players = state.rules.stalemate_auto_turns, state.match.rules.players
    over, turns = state.over, state.stalemate_turns
    if auto and turns >= auto + over:
        text = f"is {turns}, but the deal ends at {auto}."
        yield defect("stalemate_turns", DefectReason.DEFECT_COUNTER, text)
    if turns and len(state.discard) > 1 and not over:
        text = f"is {turns}, but the pile has more than the one card that went round."
        yield defect("stalemate_turns", DefectReason.DEFECT_COUNTER, text)
    if state.turns_left != NOBODY and not 1 - over <= state.turns_left <= players + (state.phase is not Phase.DRAW):
        text = f"is {state.turns_left}, but a round is {players} turns."
        yield defect("turns_left", DefectReason.DEFECT_COUNTER, text)


def _in_play(state: State) -> Defects:
    """Check a deal in progress: whoever is to move can, and the turn is one that can have come so far."""
    if state.over:
        return
    empty = False
    for seat, hand in enumerate(state.hands):
        if not hand.size:
            empty = True
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, "holds no cards.", count=0)
    if state.phase is Phase.DRAW:
        if state.turn != NEW_TURN:
            yield from _begun(state)
        if not state.discard:
            yield defect("discard", DefectReason.DEFECT_CARDS, "is empty before the draw.", count=0)
        least = LAST_STOCK + 1 if state.rules.stock_end in TWO_LEFT else 0
        if len(state.stock) < least:
            text = f"has {len(state.stock)} cards, but the deal ends with {LAST_STOCK}."
            yield defect("stock", DefectReason.DEFECT_CARDS, text, count=len(state.stock))
        elif not empty and not state.stock and not is_legal(state, state.seat, TAKE_PILE):
            text = "is empty, and the pile may not be taken: there is nothing to draw."
            yield defect("stock", DefectReason.DEFECT_CARDS, text, count=0)
        elif not state.stock and state.rules.stock_end is StockEnd.POZZETTO_BECOMES_STOCK:
            yield defect("stock", DefectReason.DEFECT_CARDS, "is empty, and no pozzetto has become it.", count=0)
        return
    wrong = empty
    for found in _played(state):
        wrong = True
        yield found
    turn, seat = state.turn, state.seat
    may_be_stuck = state.hands[seat].size == 1 or turn.must_meld or turn.must_meld_something
    if not wrong and may_be_stuck and not legal_discards(state, seat) and not any_play(state, seat):
        text = "leaves the seat to move stuck: nothing can be melded, and no card discarded."
        yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, text)


def _begun(state: State) -> Defects:
    """Name what is set in a turn that has not begun."""
    for name, value, blank in zip(state.turn._fields, state.turn, NEW_TURN, strict=True):
        if value != blank and f"turn.{name}" not in BLANK:
            place = {"last": "last_turn"}.get(name, name)
            yield defect(f"turn_state.{place}", DefectReason.DEFECT_TURN, "is set before the draw.")


def _played(state: State) -> Defects:
    """Check a turn in progress after its draw (B4-15, B4-17, R2, R4)."""
    turn, hand, rules = state.turn, state.hands[state.seat], state.rules
    if turn.drawn:
        yield from _drawn(state)
        return
    if state.discard:
        text = "holds cards, but nothing was drawn, so the pile was taken."
        yield defect("discard", DefectReason.DEFECT_TURN, text)
    if len(state.stock) <= LAST_STOCK and rules.stock_end in TWO_LEFT:
        text = f"has {len(state.stock)} cards, but the deal ends with {LAST_STOCK}."
        yield defect("stock", DefectReason.DEFECT_CARDS, text, count=len(state.stock))
    if turn.last:
        yield defect("turn_state.last_turn", DefectReason.DEFECT_TURN, "is set, but nothing was drawn.")
    if turn.taken_single and not hand.count(turn.taken_single):
        yield defect("turn_state.taken_single", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    obliged = not turn.melded and rules.pile_take is PileTake.TOP_CARD_USABLE
    if bool(turn.must_meld) != obliged:
        text = "is set, but the rules or the turn ask for nothing." if turn.must_meld else "is missing."
        yield defect("turn_state.must_meld", DefectReason.DEFECT_TURN, text)
    elif obliged:
        yield from _obliged(state)
    elif turn.hand_before_pile != EMPTY:
        yield defect("turn_state.hand_before_pile", DefectReason.DEFECT_TURN, "is set without `must_meld`.")
    if turn.must_meld_something != (not turn.melded and rules.pile_take is PileTake.MUST_MELD):
        text = "is set, but nothing has to be melded." if turn.must_meld_something else "has to be true."
        yield defect("turn_state.must_meld_something", DefectReason.DEFECT_TURN, text)


def _drawn(state: State) -> Defects:
    """Check a turn that began with a draw from the stock."""
    turn, rules, left = state.turn, state.rules, len(state.stock)
    for name in ("taken_single", "must_meld", "must_meld_something", "hand_before_pile"):
        if getattr(turn, name) != getattr(NEW_TURN, name):
            text = "is set, but a card was drawn, so the pile was not taken."
            yield defect(f"turn_state.{name}", DefectReason.DEFECT_TURN, text)
    if not turn.melded and not state.hands[state.seat].count(turn.drawn):
        yield defect("turn_state.drawn", DefectReason.DEFECT_TURN, "is a card that the hand does not hold.")
    if not state.discard:
        yield defect("discard", DefectReason.DEFECT_TURN, "is empty, but a card was drawn, so the pile was not taken.")
    if turn.last != (left == LAST_STOCK and rules.stock_end in ALL_LEFT):
        text = "is set, but the stock is not at its end." if turn.last else "has to be true: two cards are left."
        yield defect("turn_state.last_turn", DefectReason.DEFECT_TURN, text)
    elif rules.stock_end in TWO_LEFT and left < LAST_STOCK + (rules.stock_end is StockEnd.IMMEDIATE):
        # A resignation leaves the deal as it was, so this holds there too.
        text = f"has {left} cards, but the deal ends with {LAST_STOCK}."
        yield defect("stock", DefectReason.DEFECT_CARDS, text, count=left)


def _obliged(state: State) -> Defects:
    """Check a pile that was taken for its top card (R2)."""
    turn, hand = state.turn, state.hands[state.seat]
    before = turn.hand_before_pile
    if not before.size or not hand.covers(before) or not hand.minus(before).size:
        text = "has to be the hand as it was before the pile came into it."
        yield defect("turn_state.hand_before_pile", DefectReason.DEFECT_TURN, text)
        return
    pile = hand.minus(before)
    if not pile.count(turn.must_meld):
        yield defect("turn_state.must_meld", DefectReason.DEFECT_TURN, "is a card that did not come with the pile.")
    single = turn.must_meld if pile.size == 1 else NO_CARD
    if turn.taken_single != single:
        text = "has to be the only card of the pile, where it had only one."
        yield defect("turn_state.taken_single", DefectReason.DEFECT_TURN, text)


CHECKS: Final = (
    check(_alone, "alone", "sides", "melds"),
    check(_pozzetti, "sides", "pozzetti", "alone", "deal_end"),
    check(_unplayed, "sides", "hands", "unseen_seats", "turn", "phase", "alone", "deal_end", "turn_state"),
    check(_duplicates, "melds", "alone"),
    check(_points, "sides", "result", "phase"),
    check(_counted, "sides", "melds", "hands", "turn_state", "turn", "closed_by", "alone", "deal_end"),
    check(_over, "phase", "deal_end", "result", "hands", "turn", "turn_state", "melds", "closed_by", "sides", "alone"),
    check(_counts, "phase", "discard"),
    check(_in_play, "phase", "hands", "turn", "turn_state", "discard", "stock", "melds", "sides", "alone", "pozzetti"),
)
