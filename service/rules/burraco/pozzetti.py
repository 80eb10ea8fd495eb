"""Taking a pozzetto: whose it is, and what changes with it (B4-26, R3, B3-2)."""

from service.rules.burraco.dealing import LONE_POZZETTO_SIZE
from service.rules.hand import hand_of
from service.rules.state import State, replace_at


def place_of(state: State, seat: int) -> int:
    """Place among the pozzetti left of the one that the seat would take.

    Two players have one each, the first-built for the non-dealer, whoever runs out first (R3). Else they lie in the
    order in which they are taken (B4-12).
    """
    both_left = len(state.match.players) == len(state.pozzetti) == 2
    return int(both_left and seat == state.dealer)


def take(state: State, seat: int) -> tuple[State, bytes]:
    """Give a seat, whose hand is empty, the pozzetto of its side."""
    at = place_of(state, seat)
    pozzetto = state.pozzetti[at]
    taken = state._replace(
        hands=replace_at(state.hands, seat, hand_of(pozzetto)),
        pozzetti=state.pozzetti[:at] + state.pozzetti[at + 1 :],
        taken_by=replace_at(state.taken_by, state.side_of(seat), seat),
    )
    return (_play_alone(taken, seat) if len(pozzetto) == LONE_POZZETTO_SIZE else taken), pozzetto


def _play_alone(state: State, seat: int) -> State:
    """Let a seat play alone: the two others are partners from now on, and their melds one side's (B3-2)."""
    state = state._replace(alone=seat)
    return state._replace(melds=tuple(meld._replace(side=state.side_of(meld.side)) for meld in state.melds))
