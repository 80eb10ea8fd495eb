"""The deal (RA-2, RA-3, SC-3, SC-4)."""

from collections.abc import Sequence
from typing import NamedTuple

from service.rules.cards import JOKER, Card
from service.rules.decks import deck_of_deal
from service.rules.rummy.terms import Terms


class Deal(NamedTuple):
    """A dealt table."""

    hands: tuple[bytes, ...]
    """By seat; those who are out have none."""
    stock: bytes
    """Top card first."""
    upcard: Card


def deal(
    asked: Terms, key: bytes, deal_number: int, order: Sequence[int], players: int, decks: Sequence[bytes] = ()
) -> Deal:
    """Shuffle and deal to the seats of `order`, which begins at the dealer's left."""
    return deal_from(asked, deck_of_deal(key, deal_number, asked.deck, decks), order, players)


def deal_from(asked: Terms, deck: bytes, order: Sequence[int], players: int) -> Deal:
    """Deal from a shuffled deck, its top card first: one card at a time, clockwise, then the up-card."""
    dealt = len(order) * asked.cards_each
    hands = [b""] * players
    for place, seat in enumerate(order):
        hands[seat] = deck[place : dealt : len(order)]
    upcard, stock = deck[dealt], deck[dealt + 1 :]
    if asked.joker_upcard_replaced and any(card != JOKER for card in stock):
        # SC-4: a joker goes back into the middle of the stock, and the next card is turned up.
        while upcard == JOKER:
            middle = (len(stock) + 1) // 2
            stock = stock[:middle] + bytes((upcard,)) + stock[middle:]
            upcard, stock = stock[0], stock[1:]
    return Deal(tuple(hands), stock, upcard)
