"""Unordered cards: hands, pozzetti and selections, as two bit planes.

`once` has a bit for each face held at least once, `twice` for each held twice; jokers are counted apart. No rule asks
for the order of a hand, and nothing holds a face three times: there are two packs.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from service.rules.cards import (
    BURRACO_POINTS,
    FACES,
    JOKER,
    RANK_PLANE,
    ROW,
    TWOS,
    Card,
    Mask,
    Plane,
    Rank,
    Suit,
)


class Hand(NamedTuple):
    """Up to two of each face, and jokers."""

    once: Plane = 0
    twice: Plane = 0
    jokers: int = 0

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.once.bit_count() + self.twice.bit_count() + self.jokers

    def count(self, card: Card) -> int:
        """Copies of a face."""
        if card == JOKER:
            return self.jokers
        return (self.once >> card & 1) + (self.twice >> card & 1)

    def covers(self, other: "Hand") -> bool:
        """Whether it holds all of the other's cards, each as often."""
        return not (other.once & ~self.once or other.twice & ~self.twice) and other.jokers <= self.jokers

    def plus(self, other: "Hand") -> "Hand":
        """Both together. No face may come to more than two copies."""
        both = self.once & other.once
        return Hand(self.once | other.once, self.twice | other.twice | both, self.jokers + other.jokers)

    def minus(self, other: "Hand") -> "Hand":
        """What is left without the other's cards, all of which it has to hold."""
        single = other.once & ~other.twice
        return Hand(
            self.once & ~other.once | self.twice & single,
            self.twice & ~other.once,
            self.jokers - other.jokers,
        )

    def row(self, suit: Suit) -> Mask:
        """Ranks held of a suit, bit `rank`."""
        return self.once >> 16 * suit & ROW

    def of_rank(self, rank: Rank) -> "Hand":
        """Its cards of a rank."""
        plane = RANK_PLANE[rank]
        return Hand(self.once & plane, self.twice & plane, 0)

    def naturals(self) -> "Hand":
        """Its cards that can never be wild: all but twos and jokers."""
        return Hand(self.once & ~TWOS, self.twice & ~TWOS, 0)

    def faces(self) -> Iterator[Card]:
        """Each face that it holds, by card number."""
        once = self.once
        while once:
            low = once & -once
            yield low.bit_length() - 1
            once ^= low
        if self.jokers:
            yield JOKER

    def cards(self) -> bytes:
        """All its cards, by card number."""
        out = bytearray()
        twice = self.twice
        for card in self.faces():
            if card == JOKER:
                out.extend(JOKER_BYTES[self.jokers])
            elif twice >> card & 1:
                out.extend((card, card))
            else:
                out.append(card)
        return bytes(out)

    def points(self) -> int:
        """Sum of the card values in Burraco (B4-36)."""
        total = 30 * self.jokers
        for plane, points in POINT_PLANES:
            total += points * ((self.once & plane).bit_count() + (self.twice & plane).bit_count())
        return total


EMPTY: Final = Hand()
JOKER_BYTES: Final = tuple(bytes([JOKER] * count) for count in range(5))
POINT_PLANES: Final = tuple(
    (sum(1 << card for card in FACES if BURRACO_POINTS[card] == points), points) for points in (5, 10, 15, 20)
)


def hand_of(cards: Iterable[Card]) -> Hand:
    """Gather cards.

    :raises ValueError: a face comes a third time, or a joker a fifth: two packs do not hold that.
    """
    once = twice = jokers = 0
    for card in cards:
        if card == JOKER:
            jokers += 1
            continue
        bit = 1 << card
        if once & bit:
            if twice & bit:
                raise ValueError(f"card {card} comes more than twice")
            twice |= bit
        else:
            once |= bit
    if jokers > 4:
        raise ValueError("more than four jokers")
    return Hand(once, twice, jokers)


def one(card: Card) -> Hand:
    """One card."""
    return Hand(0, 0, 1) if card == JOKER else Hand(1 << card, 0, 0)
