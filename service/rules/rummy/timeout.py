"""What is played for an absent player: a documented, deterministic, safe completion of the turn (TimeOutTurn).

Draw from the stock, or take the pile's card where the stock is empty; lay only what the rules oblige to – the pile's
card, a recovered joker, the rest of an opening – each time the first play of the legal list; discard the legal card of
least penalty, naturals before jokers, ties by the lowest card number.
"""

from service.rules.cards import JOKER, Card
from service.rules.moves import DRAW_STOCK, TAKE_PILE, Discard, Move
from service.rules.rummy.judge import is_legal, legal_discards
from service.rules.rummy.plays import groups
from service.rules.rummy.seats import terms
from service.rules.state import Phase, State


def next_step(state: State, seat: int) -> Move:
    """Choose the next move of the completion; the guard sees to it that there is one."""
    if state.phase is Phase.DRAW:
        return DRAW_STOCK if is_legal(state, seat, DRAW_STOCK) else TAKE_PILE
    if discards := legal_discards(state, seat):
        asked = terms(state)

        def cheapness(card: Card) -> tuple[bool, int, Card]:
            return card == JOKER, asked.card_points(card), card

        return Discard(min(discards, key=cheapness))
    group = next(groups(state, seat))
    return group.move(group.required)
