"""Cards as small ints, and the tables that the rules look them up in.

A card is `suit * 16 + rank`: spades 0, hearts 1, diamonds 2, clubs 3; ace 1 to king 13. The joker is 64. The numbers
are those of the contract (`burraco.v1.Card`), so nothing has to be translated. Two copies of a face are the same card.

A *plane* is an int with bit `card` set for each face in it, jokers left out. A *row* is one suit's 14 bits of a plane,
bit `rank`; in a *slot mask* the ace may stand at bit 1 (low) or bit 14 (high).
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int
Suit: TypeAlias = int
Rank: TypeAlias = int
Slot: TypeAlias = int
Plane: TypeAlias = int
Mask: TypeAlias = int

NO_CARD: Final = 0
JOKER: Final = 64

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3
SUITS: Final = (SPADES, HEARTS, DIAMONDS, CLUBS)

ACE: Final = 1
TWO: Final = 2
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
RANKS: Final = tuple(range(ACE, KING + 1))

LOW_ACE: Final = 1
NATURAL_TWO: Final = 2
HIGH_ACE: Final = 14
"""Slots of a sequence with a name of their own."""

ROW: Final = 0x3FFE
"""The bits of a row."""

FACES: Final = tuple(suit * 16 + rank for suit in SUITS for rank in RANKS)
PACK: Final = bytes(FACES)
"""One pack of 52 in the order that the shuffle starts from: spades, hearts, diamonds, clubs, each ace to king."""

IS_CARD: Final = frozenset((*FACES, JOKER))

SUIT_PLANE: Final = tuple(ROW << 16 * suit for suit in SUITS)
RANK_PLANE: Final = tuple(sum(1 << suit * 16 + rank for suit in SUITS) if rank else 0 for rank in range(KING + 1))
TWOS: Final = RANK_PLANE[TWO]

SUIT_LETTERS: Final = "SHDC"
RANK_NAMES: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def suit_of(card: Card) -> Suit:
    """Suit of a card; 4 for the joker."""
    return card >> 4


def rank_of(card: Card) -> Rank:
    """Rank of a card, ace 1 to king 13; 0 for the joker."""
    return card & 15


def card_at(suit: Suit, slot: Slot) -> Card:
    """Card of the suit that stands in a slot of a sequence, 1 to 14."""
    return suit * 16 + (slot if slot < HIGH_ACE else ACE)


def is_wild(card: Card) -> bool:
    """Whether the face may act as a wild: a joker, or a two even where it would be natural (§1.0)."""
    return card == JOKER or card & 15 == TWO


def text(card: Card) -> str:
    """Short form, such as `7S`, `10H` or `JK`."""
    return "JK" if card == JOKER else RANK_NAMES[card & 15] + SUIT_LETTERS[card >> 4]


_FROM_TEXT: Final = {text(card): card for card in (*FACES, JOKER)}


def parse(words: str) -> bytes:
    """Cards from their short forms, separated by blanks.

    :raises ValueError: a word is no card.
    """
    try:
        return bytes(_FROM_TEXT[word] for word in words.split())
    except KeyError as error:
        message = f"{error.args[0]!r} is not a card: write a rank (A 2-10 J Q K) and a suit (S H D C), or JK."
        raise ValueError(message) from None


def texts(cards: Iterable[Card]) -> str:
    """Short forms of cards, separated by blanks."""
    return " ".join(map(text, cards))


def _value(card: Card) -> int:
    """Card value in Burraco (B4-36)."""
    if card == JOKER:
        return 30
    if rank_of(card) == TWO:
        return 20
    if rank_of(card) == ACE:
        return 15
    return 10 if rank_of(card) >= 8 else 5


BURRACO_POINTS: Final = tuple(_value(card) if card in IS_CARD else 0 for card in range(JOKER + 1))
"""Value of each card in Burraco (B4-36). The 108 cards sum to 1080."""
