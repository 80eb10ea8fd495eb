"""Melds as they lie on the table. Their roles are stored; nothing ever guesses them again from the faces."""

from enum import IntEnum
from typing import Final, NamedTuple

from service.rules.cards import BURRACO_POINTS, NO_CARD, Card, Mask, Slot, Suit, card_at, rank_of, suit_of

NO_WILD: Final = -1
SMALLEST: Final = 3
"""Cards of the smallest meld (B4-19)."""


class MeldKind(IntEnum):
    """Set or sequence (B4-19)."""

    SET = 1
    SEQUENCE = 2


class Meld(NamedTuple):
    """A meld. `meld_id` and `side` are 0 while it has no place on a table."""

    kind: MeldKind
    cards: bytes
    """A sequence from low to high, the wild in the slot that it fills; a set by card number, its wild last."""
    wild_at: int = NO_WILD
    """Index in `cards` of the card that acts as a wild."""
    low: Slot = 0
    """Slot of a sequence's first card, 1 to 14; in a set the suit + 1 that its wild was declared to be, else 0."""
    meld_id: int = 0
    side: int = 0

    @property
    def wild(self) -> Card:
        """The card that acts as a wild, or NO_CARD."""
        return NO_CARD if self.wild_at < 0 else self.cards[self.wild_at]

    @property
    def wild_slot(self) -> Slot:
        """Slot that a sequence's wild fills; 0 without a wild."""
        return 0 if self.wild_at < 0 else self.low + self.wild_at

    @property
    def natural(self) -> Card:
        """A natural card of the meld: its rank is a set's rank, its suit a sequence's suit."""
        return self.cards[1 if self.wild_at == 0 else 0]

    @property
    def suit(self) -> Suit:
        """Suit of a sequence."""
        return suit_of(self.natural)

    @property
    def rank(self) -> int:
        """Rank of a set."""
        return rank_of(self.natural)

    @property
    def mask(self) -> Mask:
        """Slots of a sequence that naturals fill."""
        slots = (1 << len(self.cards)) - 1 << self.low
        return slots if self.wild_at < 0 else slots & ~(1 << self.low + self.wild_at)

    @property
    def wild_as(self) -> Card:
        """Card that the wild stands for; NO_CARD without a wild, and in a set unless it was declared (SC-14)."""
        if self.wild_at < 0:
            return NO_CARD
        if self.kind is MeldKind.SET:
            return card_at(self.low - 1, self.rank) if self.low else NO_CARD
        return card_at(self.suit, self.low + self.wild_at)

    @property
    def card_points(self) -> int:
        """Sum of the card values in Burraco, without any bonus (B4-36)."""
        return sum(BURRACO_POINTS[card] for card in self.cards)


def sequence_meld(suit: Suit, mask: Mask, wild_slot: Slot, wild: Card) -> Meld:
    """Lay out a sequence from the slots of its naturals and its wild's slot (0 for none)."""
    slots = mask | (1 << wild_slot if wild_slot else 0)
    low = (slots & -slots).bit_length() - 1
    cards = bytes(wild if slot == wild_slot else card_at(suit, slot) for slot in range(low, slots.bit_length()))
    return Meld(MeldKind.SEQUENCE, cards, wild_slot - low if wild_slot else NO_WILD, low)
