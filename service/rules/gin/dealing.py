"""The deck and the deal (GI-1, GI-4)."""

from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.cards import PACK, Card
from service.rules.decks import deck_of_deal
from service.rules.gin.options import GinRules
from service.rules.state import Fairness
from service.rules.stream import PURPOSE_RENEWAL, Stream, stream_key

HAND_SIZE: Final = 10
PLAYERS: Final = 2
DEALT: Final = PLAYERS * HAND_SIZE
RENEWAL_STEP: Final = 1 << 16
"""What each renewal of the stock before adds to the deal number that names the stream of the next one."""


class Deal(NamedTuple):
    """A dealt table."""

    hands: tuple[bytes, ...]
    upcard: Card
    stock: bytes


def deck_of(_rules: GinRules) -> bytes:
    """The deck before it is shuffled: one pack, no jokers (GI-1)."""
    return PACK


@lru_cache(maxsize=256)
def shuffled(fairness: Fairness, deal_number: int) -> bytes:
    """The deck of a deal; nobody cuts."""
    return deck_of_deal(stream_key(fairness.seed, fairness.entropy), deal_number, PACK, fairness.decks)


def deal_from(deck: bytes, dealer: int) -> Deal:
    """Deal from a shuffled deck, its top card first: one card at a time, the non-dealer first, then the up-card."""
    hands = tuple(deck[(seat - dealer - 1) % PLAYERS : DEALT : PLAYERS] for seat in range(PLAYERS))
    return Deal(hands, deck[DEALT], deck[DEALT + 1 :])


def first_upcard(fairness: Fairness, deal_number: int) -> Card:
    """The up-card that a deal began with, found by dealing again: it may be long gone from the table."""
    return shuffled(fairness, deal_number)[DEALT]


def renewed(fairness: Fairness, deal_number: int, renewals: int, cards: bytes) -> bytes:
    """Shuffle cards of the pile into a new stock (RA-12); `renewals` counts those before it in the deal."""
    key = stream_key(fairness.seed, fairness.entropy)
    return Stream(key, PURPOSE_RENEWAL, deal_number + renewals * RENEWAL_STEP).shuffle(cards)
