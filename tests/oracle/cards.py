"""Cards for the oracle: whole numbers suit * 16 + rank, and short texts such as "7S", "10H" and "JK"."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

SUITS: Final = "SHDC"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER: Final = 64
ACE: Final = 1
TWO: Final = 2
KING: Final = 13


def card(text: str) -> int:
    """Number of the card that a short text names."""
    if text == "JK":
        return JOKER
    return SUITS.index(text[-1]) * 16 + RANKS.index(text[:-1]) + 1


def cards(texts: str) -> tuple[int, ...]:
    """Numbers of the cards that a line of short texts names."""
    return tuple(card(text) for text in texts.split())


def text(number: int) -> str:
    """Short text of a card."""
    return "JK" if number == JOKER else RANKS[number % 16 - 1] + SUITS[number // 16]


def texts(numbers: Iterable[int]) -> str:
    """One line of short texts."""
    return " ".join(text(number) for number in numbers)


def rank(number: int) -> int:
    """Rank of a card, ace 1 to king 13; 0 for a joker."""
    return 0 if number == JOKER else number % 16


def suit(number: int) -> int:
    """Suit of a card that is no joker."""
    return number // 16


def is_wild_card(number: int) -> bool:
    """Whether a card can act as a wild: jokers and all twos (1.0)."""
    return number == JOKER or rank(number) == TWO


def face_in_slot(suit_number: int, slot: int) -> int:
    """The natural card of a slot of a sequence: slots 1 and 14 are both the ace's."""
    return suit_number * 16 + (ACE if slot == 14 else slot)


def value(number: int) -> int:
    """Points of a card (B4-36)."""
    if number == JOKER:
        return 30
    if rank(number) == TWO:
        return 20
    if rank(number) == ACE:
        return 15
    return 10 if rank(number) >= 8 else 5


def holds(hand: Iterable[int], wanted: Iterable[int]) -> bool:
    """Whether every wanted card is in the hand, copies counted."""
    return Counter(wanted) <= Counter(hand)


def without(hand: Iterable[int], gone: Iterable[int]) -> tuple[int, ...]:
    """The hand without some of its cards."""
    left = list(hand)
    for number in gone:
        left.remove(number)
    return tuple(left)
