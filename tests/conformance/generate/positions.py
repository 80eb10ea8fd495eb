"""Positions that play can have led to: what the tests' tables leave open is filled in."""

from typing import Final

from service.rules.state import NEW_TURN, Phase, State, Turn

MOVES_A_DEAL: Final = 40
"""Of each deal so far; any number that is not too small would do."""


def whole(state: State) -> State:
    """Fill in what a table of the tests leaves open: the card that was drawn, the deals and moves before."""
    if state.phase is Phase.PLAY and state.turn == NEW_TURN:
        state = state._replace(turn=Turn(drawn=state.hands[state.seat].cards()[0]))
    scored = state.deals_scored or int(any(state.points))
    number = max(state.deal_number, scored + 1)
    return state._replace(deals_scored=scored, deal_number=number, revision=MOVES_A_DEAL * number)


def with_stock(state: State, left: int) -> State:
    """The state with so many cards in the stock; the others lie at the bottom of the pile."""
    return state._replace(stock=state.stock[:left], discard=state.stock[left:] + state.discard)
