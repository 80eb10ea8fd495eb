"""The melds of a hand, and the most points that disjoint ones of them make: the opening's arithmetic (SC-9)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from service.rules.cards import ACE, HIGH_ACE, LOW_ACE, NO_CARD, RANKS, SUITS, Card, Mask, Plane
from service.rules.hand import Hand
from service.rules.melds import SMALLEST, MeldKind
from service.rules.rummy.reading import LARGEST_SET, runs_of
from service.rules.rummy.terms import Shape

IMPOSSIBLE: Final = -1
"""Not even with nothing laid do enough cards remain."""


class Candidate(NamedTuple):
    """A selection that is a meld: its naturals, no face of them twice, and a joker or none."""

    naturals: Plane
    jokers: int
    kind: MeldKind
    points: int
    """Of its best reading."""

    @property
    def selection(self) -> Hand:
        """Its cards."""
        return Hand(self.naturals, 0, self.jokers)


@lru_cache(maxsize=256)
def candidates(faces: Plane, joker: bool, shape: Shape) -> tuple[Candidate, ...]:
    """Every meld of the faces of a hand, each selection once: sequences by suit, then sets by rank."""
    found: list[Candidate] = []
    for suit in SUITS:
        row = faces >> 16 * suit & 0x3FFE
        for ranks, with_joker, points in _row_runs(row, joker, shape):
            found.append(Candidate(ranks << 16 * suit, with_joker, MeldKind.SEQUENCE, points))
    for rank in RANKS:
        cards = [1 << suit * 16 + rank for suit in SUITS if faces >> suit * 16 + rank & 1]
        for with_joker in range(joker + 1):
            for size in range(SMALLEST, LARGEST_SET + 1):
                points = size * shape.rank_points(rank)
                chosen = combinations(cards, size - with_joker)
                found += [Candidate(sum(each), with_joker, MeldKind.SET, points) for each in chosen]
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _row_runs(row: Mask, joker: bool, shape: Shape) -> tuple[tuple[Mask, int, int], ...]:
    """Every sequence of a row: ranks, jokers, points of its best reading."""
    slots = row | (1 << HIGH_ACE if row >> ACE & 1 else 0)
    found: dict[tuple[Mask, int], int] = {}
    for low in range(shape.lowest, shape.highest - SMALLEST + 2):
        for high in range(low + SMALLEST - 1, shape.highest + 1):
            block = (2 << high) - (1 << low)
            missing = (block & ~slots).bit_count()
            if missing > joker:
                break
            for naturals in _naturals_of(block, slots, joker=joker, missing=missing):
                ranks = naturals & ~(1 << HIGH_ACE) | (1 << LOW_ACE if naturals >> HIGH_ACE else 0)
                with_joker = naturals != block
                if ranks.bit_count() != naturals.bit_count() or (ranks, with_joker) in found:
                    continue
                if runs := runs_of(ranks, with_joker, shape):
                    filled = runs[0].mask | (1 << runs[0].wild_slot if with_joker else 0)
                    points = [shape.slot_points(slot) for slot in range(LOW_ACE, HIGH_ACE + 1) if filled >> slot & 1]
                    found[ranks, with_joker] = sum(points)
    return tuple((ranks, with_joker, points) for (ranks, with_joker), points in found.items())


def _naturals_of(block: Mask, slots: Mask, *, joker: bool, missing: int) -> Iterator[Mask]:
    """The naturals of a block, with its gap or any one card left to the joker."""
    if missing:
        yield block & slots
        return
    yield block
    if joker:
        left = block
        while left:
            lowest = left & -left
            yield block ^ lowest
            left ^= lowest


class Book:
    """The melds of one hand, to be asked for the most points of it and of its parts."""

    def __init__(self, melds: Iterable[Candidate], loose: Card) -> None:
        self._by_lowest: dict[Plane, list[Candidate]] = {}
        for meld in melds:
            self._by_lowest.setdefault(meld.naturals & -meld.naturals, []).append(meld)
        self._loose: Plane = 1 << loose if loose else 0
        self._known: dict[tuple[Plane, Plane, int, int], int] = {}

    def most(self, hand: Hand, keep: int) -> int:
        """Most points of disjoint melds that leave at least `keep` cards; IMPOSSIBLE if not so many are there.

        The hand is the book's own or a part of it. The loose card, which may not be discarded, is not counted as kept.
        """
        return self._most(hand.once, hand.twice, hand.jokers, keep)

    def _most(self, once: Plane, twice: Plane, jokers: int, keep: int) -> int:
        if not once:
            return 0 if jokers >= keep else IMPOSSIBLE
        key = (once, twice, jokers, keep)
        if (known := self._known.get(key)) is not None:
            return known
        card = once & -once
        # Either all copies of the lowest card stay in hand, or one of them is in a meld of which it is the lowest.
        copies = 0 if card == self._loose else 1 + bool(twice & card)
        best = self._most(once ^ card, twice & ~card, jokers, max(0, keep - copies))
        for meld in self._by_lowest.get(card, ()):
            if meld.naturals & ~once or meld.jokers > jokers:
                continue
            rest = once & ~meld.naturals | twice & meld.naturals
            more = self._most(rest, twice & ~meld.naturals, jokers - meld.jokers, keep)
            if more != IMPOSSIBLE:
                best = max(best, more + meld.points)
        self._known[key] = best
        return best


@lru_cache(maxsize=64)
def book(hand: Hand, shape: Shape, jokers_help: bool, loose: Card = NO_CARD) -> Book:
    """Open the book of a hand; without `jokers_help` its melds have none, and a loose card may not be discarded."""
    return Book(candidates(hand.once, jokers_help and hand.jokers > 0, shape), loose)
