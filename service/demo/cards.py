"""Ranks, suits and slots of cards, as their numbers have them."""

from burraco.cards import CardValue
from burraco.v1.cards_pb2 import Card
from burraco.v1.melds_pb2 import Meld

JOKER = Card.CARD_JOKER
ACE, TWO, SEVEN, HIGH_ACE = 1, 2, 7, 14
SUITS = range(4)


def rank(one: CardValue) -> int:
    """Rank of a card: ace 1 to king 13; 0 for the joker."""
    return one % 16


def suit(one: CardValue) -> int:
    """Suit of a card: spades 0, hearts, diamonds, clubs; 4 for the joker."""
    return one // 16


def rank_of(slot: int) -> int:
    """Rank of the card in a slot of a sequence: the ace stands in slot 1 or 14."""
    return ACE if slot == HIGH_ACE else slot


def card_in(one_suit: int, slot: int) -> CardValue:
    """Card that stands in a slot of a suit's sequence."""
    return Card.ValueType(one_suit * 16 + rank_of(slot))


def natural_of(meld: Meld) -> tuple[int, CardValue]:
    """First card of a meld that does not act as a wild, and its place."""
    wild = meld.wild_index if meld.HasField("wild_index") else None
    return next((place, one) for place, one in enumerate(meld.cards) if place != wild)


def slots_of(sequence: Meld) -> tuple[int, int]:
    """Lowest and highest slot of a sequence on the table."""
    place, natural = natural_of(sequence)
    slot = HIGH_ACE if rank(natural) == ACE and place else rank(natural)
    return slot - place, slot - place + len(sequence.cards) - 1
