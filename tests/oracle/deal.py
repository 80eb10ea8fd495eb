"""The draw for seats and the deal with its cut (B4-4, B4-5, B4-9 to B4-13)."""

from collections.abc import Sequence
from typing import Final

from service.rules.options import BurracoRules, TieSuitOrder
from tests.oracle.cards import ACE, JOKER, KING, TWO, rank, suit

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

SUITS_LOW_TO_HIGH: Final = {
    TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS: (CLUBS, DIAMONDS, HEARTS, SPADES),
    TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES: (SPADES, CLUBS, DIAMONDS, HEARTS),
}

RANKS_LOW_TO_HIGH: Final = (*range(3, KING + 1), ACE, TWO)

Hands = tuple[tuple[int, ...], ...]


def deal(
    deck: Sequence[int], cut: int, dealer: int, rules: BurracoRules
) -> tuple[Hands, tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...], int]:
    """Deal a deck whose top card is first: hands by seat, both pozzetti in the order of taking, stock, up-card.

    Hands and pozzetti are in the order in which their cards came; the stock has its top card first.
    """
    seats, to_deal = rules.players, rules.players * rules.hand_size
    b4_9_lifted, b4_9_lower = list(deck[:cut]), list(deck[cut:])
    if len(b4_9_lifted) < 22 or len(b4_9_lower) < to_deal + 1:
        raise ValueError("B4-9: the cut takes at least 22 cards and leaves enough for the hands and the up-card")

    b4_10_from_dealers_left = [(dealer + 1 + step) % seats for step in range(seats)]
    b4_10_hands: list[list[int]] = [[] for _ in range(seats)]
    for turn in range(to_deal):
        b4_10_hands[b4_10_from_dealers_left[turn % seats]].append(b4_9_lower.pop(0))

    b4_11_pozzetti: tuple[list[int], list[int]] = ([], [])
    for turn in range(22):
        b4_11_pozzetti[turn % 2].append(b4_9_lifted.pop())

    b4_12_taken_first, b4_12_taken_second = b4_11_pozzetti

    b4_13_upcard = b4_9_lower.pop(0)
    b4_13_stock = b4_9_lower + b4_9_lifted
    return (
        tuple(tuple(hand) for hand in b4_10_hands),
        (tuple(b4_12_taken_first), tuple(b4_12_taken_second)),
        tuple(b4_13_stock),
        b4_13_upcard,
    )


def draw_ranking(drawn: Sequence[int], rules: BurracoRules) -> tuple[int, ...]:
    """Players from the highest card drawn to the lowest: joker, two, ace, king down to three, then by suit."""
    if len(set(drawn)) != len(drawn):
        raise ValueError("B4-6: equal cards are drawn again")

    def height(player: int) -> tuple[int, int]:
        number = drawn[player]
        if number == JOKER:
            return len(RANKS_LOW_TO_HIGH), 0
        return RANKS_LOW_TO_HIGH.index(rank(number)), SUITS_LOW_TO_HIGH[rules.tie_suit_order].index(suit(number))

    return tuple(sorted(range(len(drawn)), key=height, reverse=True))
