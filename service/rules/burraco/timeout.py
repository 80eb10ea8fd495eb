"""What is played for an absent player: a documented, deterministic, safe completion of the turn (TimeOutTurn).

Draw from the stock, or take the pile where the stock may not be drawn; meld only what the rules oblige to; discard the
legal card of least value, naturals before wilds, ties by the lowest card number.
"""

from service.rules.burraco.judge import is_legal, legal_discards
from service.rules.burraco.plays import groups
from service.rules.cards import BURRACO_POINTS, Card, is_wild
from service.rules.moves import DRAW_STOCK, TAKE_PILE, Discard, Move
from service.rules.state import Phase, State


def next_step(state: State, seat: int) -> Move:
    """Choose the next move of the completion; the guard (R1) sees to it that there is one."""
    if state.phase is Phase.DRAW:
        return DRAW_STOCK if is_legal(state, seat, DRAW_STOCK) else TAKE_PILE
    discards = legal_discards(state, seat)
    if discards:
        return Discard(min(discards, key=_cheapness))
    group = next(groups(state, seat))
    return group.move(next(group.selections()))


def _cheapness(card: Card) -> tuple[bool, int, Card]:
    return is_wild(card), BURRACO_POINTS[card], card
