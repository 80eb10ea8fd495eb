"""Who is in the match, whose turn comes next, and whether the first round is still being played."""

from service.rules.rummy.terms import Terms, terms_of
from service.rules.state import State


def terms(state: State) -> Terms:
    """The terms that a match is played by."""
    return terms_of(state.match.rules)


def seats_in(state: State) -> list[int]:
    """Seats of the players who are not out of the match (SC-22)."""
    return [seat for seat, out in enumerate(state.out) if not out]


def first_in(state: State, seat: int) -> int:
    """The first seat whose player is in the match, clockwise from a seat, itself included."""
    players = len(state.match.players)
    return next(at % players for at in range(seat, seat + players) if not state.out[at % players])


def first_round(state: State) -> bool:
    """Whether not everyone has finished a turn in this deal (SC-17)."""
    return state.turns_taken < len(seats_in(state))


def closing_barred(state: State) -> bool:
    """Whether nobody may close yet (SC-17, E58)."""
    return terms(state).no_close_first_round and first_round(state)


def has_opened(state: State, seat: int) -> bool:
    """Whether a seat may lay off and recover jokers: it has laid melds of its own, enough to open (RA-9, SC-15)."""
    asked = terms(state)
    if not asked.needs_opening or state.laid[seat]:
        return True
    turn = state.turn
    return seat == state.seat and turn.melded and turn.opening >= asked.opening_points
