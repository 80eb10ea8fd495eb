"""What the rules of Ramino and Scala 40 rely on in a state that somebody hands in."""

from service.rules.cards import JOKER, SUITS
from service.rules.hand import hand_of
from service.rules.melds import Meld, MeldKind
from service.rules.moves import TAKE_PILE
from service.rules.rummy.finish import MAX_ROUNDS
from service.rules.rummy.judge import is_legal, legal_discards
from service.rules.rummy.plays import any_play
from service.rules.rummy.reading import points, read
from service.rules.rummy.seats import has_opened, seats_in, terms
from service.rules.rummy.terms import Shape
from service.rules.state import NOBODY, Phase, State


def audit(state: State) -> None:
    """Check what the rules rely on.

    :raises ValueError: it says in a few words what is wrong.
    """
    players = len(state.match.players)
    _require(len(state.laid) == len(state.out) == len(state.reentries) == players, "a list by seat is of another size")
    _require(all(total >= 0 for total in state.points), "its points are wrong")
    asked = terms(state)
    _require(asked.reentry or not any(state.reentries), "a player came in again, which these rules do not know")
    _require(all(again in (0, 1) for again in state.reentries), "a player came in again more than once")
    _require(all(_lies(meld, asked.shape) for meld in state.melds), "a meld is none")
    seats = seats_in(state)
    _require(seats, "everybody is out")
    _require(state.closed_by == NOBODY or state.closed_by < players, "nobody sits where it was closed")
    _require(state.renewals <= state.turns_taken, "its stock was renewed too often")
    if state.phase is Phase.DEAL_OVER:
        _require(len(seats) > 1, "only one player is left, but the match goes on")
        may_return = [asked.reentry and not state.reentries[seat] for seat in seats]
        below = [state.points[seat] < asked.limit for seat in seats]
        _require(all(map(max, below, may_return)), "a player is at the limit, but not out")
    if state.over:
        return
    _require(len(seats) > 1 and state.seat in seats, "the seat to move is out of the match")
    _require(state.turns_taken < MAX_ROUNDS * players, "its deal is too long")
    _require(all(bool(hand.size) != out for hand, out in zip(state.hands, state.out, strict=True)), "a hand is wrong")
    _require(all(state.points[seat] < asked.limit for seat in seats), "a player is at the limit, but not out")
    _audit_turn(state)


def _audit_turn(state: State) -> None:
    turn, seat = state.turn, state.seat
    hand = state.hands[seat]
    if state.phase is Phase.DRAW:
        _require(turn == turn.__class__(), "something was done before the draw")
        _require(state.stock or is_legal(state, seat, TAKE_PILE), "there is nothing to draw")
        return
    _require(not turn.must_meld or hand.count(turn.must_meld), "the card to use is not in hand")
    _require(turn.jokers_owed in (0, 1) and turn.jokers_owed <= hand.count(JOKER), "a joker is owed that is not there")
    _require(bool(turn.drawn) != turn.melded or turn.melded or turn.taken or turn.drawn, "nothing was drawn")
    _require(turn.melded or not (turn.opening or turn.laid_off or turn.jokers_owed), "its turn does not hold together")
    _require(has_opened(state, seat) or not turn.laid_off, "something was laid off before the opening")
    _require(legal_discards(state, seat) or any_play(state, seat), "the seat to move is stuck")
    laid = sum(points(meld, terms(state).shape) for meld in state.melds if meld.side == seat)
    _require(turn.opening <= laid, "more was laid towards the opening than lies there")


def _lies(meld: Meld, shape: Shape) -> bool:
    """Whether a meld lies as these rules let it."""
    try:
        found = read(hand_of(meld.cards), shape)
    except ValueError:
        return False
    if meld.kind is MeldKind.SET and meld.low:
        # SC-14: its joker was declared to be a missing suit.
        if meld.wild_at < 0 or meld.low > len(SUITS) or meld.wild_as in meld.cards:
            return False
        meld = meld._replace(low=0)
    return any(meld == each._replace(meld_id=meld.meld_id, side=meld.side) for each in found)


def _require(fact: object, defect: str) -> None:
    if not fact:
        raise ValueError(defect)
