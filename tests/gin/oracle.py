"""Slow and plain: the least deadwood of a hand, and what a defender can make of his, tried out card by card; the moves.

Written from GI-3 to GI-8 of the rule book; it shares nothing with the service but the numbers of the cards, and states
and moves as values.
"""

from collections.abc import Iterator
from itertools import combinations

from service.rules.moves import Discard, Knock, Move, MoveKind, Plain
from service.rules.state import Phase, State

Cards = frozenset[int]


def value(card: int) -> int:
    """Ace 1, two to nine their number, ten to king 10."""
    return min(card % 16, 10)


def is_meld(cards: Cards) -> bool:
    """Three or four of a rank, or three and more of a suit that follow one another, the ace below the two."""
    if len(cards) < 3:
        return False
    ranks = sorted(card % 16 for card in cards)
    one_rank = len(set(ranks)) == 1
    one_suit = len({card // 16 for card in cards}) == 1
    return one_rank or (one_suit and ranks == list(range(ranks[0], ranks[0] + len(ranks))))


def all_melds(hand: Cards) -> Iterator[Cards]:
    """Every meld in a hand: all its selections of one rank or one suit are tried."""
    ranks = [[card for card in hand if card % 16 == rank] for rank in range(1, 14)]
    suits = [[card for card in hand if card // 16 == suit] for suit in range(4)]
    for alike in (*ranks, *suits):
        for count in range(3, len(alike) + 1):
            for chosen in combinations(alike, count):
                if is_meld(frozenset(chosen)):
                    yield frozenset(chosen)


def arrangements(melds: list[Cards]) -> Iterator[list[Cards]]:
    """Every choice among melds of some that have no card in common, none at all included."""
    if not melds:
        yield []
        return
    first, *others = melds
    yield from arrangements(others)
    for rest in arrangements([meld for meld in others if not meld & first]):
        yield [first, *rest]


def least_deadwood(hand: Cards) -> int:
    """The least deadwood over all arrangements."""
    total = sum(map(value, hand))
    return min(
        total - sum(value(card) for meld in melds for card in meld) for melds in arrangements([*all_melds(hand)])
    )


def tables(hand: Cards, melds: tuple[Cards, ...]) -> set[tuple[Cards, tuple[Cards, ...]]]:
    """Every hand and table that the defender can come to by laying off card after card, or none."""
    found = {(hand, melds)}
    new = list(found)
    while new:
        held, lying = new.pop()
        for card in held:
            for at, meld in enumerate(lying):
                longer = meld | {card}
                if is_meld(longer):
                    follows = held - {card}, (*lying[:at], longer, *lying[at + 1 :])
                    if follows not in found:
                        found.add(follows)
                        new.append(follows)
    return found


def least_after_laying_off(hand: Cards, melds: tuple[Cards, ...]) -> int:
    """The defender's least deadwood over all arrangements and all that he can lay off."""
    return min(map(least_deadwood, {held for held, _ in tables(hand, melds)}))


# --- moves ------------------------------------------------------------------------------------------------------------


def legal_moves(state: State) -> set[Move]:
    """Every legal move of the seat to move, under the preset's options."""
    resign, hand, taken = Plain(MoveKind.RESIGN), state.hands[state.seat].cards(), state.turn.taken
    match state.phase:
        case Phase.MATCH_OVER:
            return set()
        case Phase.DEAL_OVER:
            return {resign, Plain(MoveKind.NEXT_DEAL)}
        case Phase.UPCARD:  # GI-4
            return {resign, Plain(MoveKind.TAKE_PILE), Plain(MoveKind.PASS_UPCARD)}
        case Phase.DRAW if state.passes == 2:  # GI-4: both have passed, so it is the stock
            return {resign, Plain(MoveKind.DRAW_STOCK)}
        case Phase.DRAW:  # GI-5
            return {resign, Plain(MoveKind.DRAW_STOCK), *([Plain(MoveKind.TAKE_PILE)] if state.discard else [])}
    put_down = [card for card in hand if card != taken]  # GI-5, E70
    knocks = [
        card
        for card in put_down
        if least_deadwood(frozenset(hand) - {card}) <= state.match.rules.knock_limit  # GI-7
    ]
    return {resign, *map(Discard, put_down), *map(Knock, knocks)}
