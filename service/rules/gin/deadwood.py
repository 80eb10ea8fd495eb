"""Melds of a hand, its least deadwood, and what the defender can make of his (GI-3, GI-6, GI-8).

Gin has one pack, so a set of cards is a plane: an int with bit `card` set. What is found here is a minimum over every
possibility, not a good guess: all melds of a hand are listed, and the search leaves none of their combinations out.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from service.rules.cards import FACES, PACK, RANK_PLANE, RANKS, ROW, SUIT_PLANE, SUITS, Card, Mask, Plane
from service.rules.melds import NO_WILD, SMALLEST, Meld, MeldKind

Arrangement: TypeAlias = tuple[Plane, ...]
"""Melds that have no card in common."""

ALL_FACES: Final = sum(1 << card for card in FACES)
TEN: Final = 10
VALUES: Final = tuple(min(card & 15, TEN) for card in range(max(PACK) + 1))
"""Deadwood value of each card: ace 1, court cards 10 (GI-3). The pack sums to 340."""
VALUE_PLANES: Final = tuple(
    (sum(plane for rank, plane in enumerate(RANK_PLANE) if rank == value or rank > value == TEN), value)
    for value in range(1, TEN + 1)
)


def points(plane: Plane) -> int:
    """Sum of the deadwood values of cards (GI-3)."""
    return sum([value * (plane & valued).bit_count() for valued, value in VALUE_PLANES])


def plane_of(cards: Sequence[Card]) -> Plane:
    """Gather cards, of which none may come twice."""
    return sum([1 << card for card in cards])


def cards_of(plane: Plane) -> bytes:
    """The cards of a plane, by card number."""
    out = bytearray()
    while plane:
        low = plane & -plane
        out.append(low.bit_length() - 1)
        plane ^= low
    return bytes(out)


# --- melds ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def _runs(row: Mask) -> tuple[Mask, ...]:
    """Every sequence in one suit's row; the ace is low (GI-3)."""
    found = []
    for low in RANKS:
        run = 0b111 << low
        while not run & ~row:
            found.append(run)
            run |= run << 1
    return tuple(found)


@lru_cache(maxsize=1 << 8)
def melds_in(plane: Plane) -> tuple[Plane, ...]:
    """Every meld that can be made of cards: sets of 3 and 4, sequences of 3 and more (GI-6)."""
    found = [run << 16 * suit for suit in SUITS for run in _runs(plane >> 16 * suit & ROW)]
    spades, hearts, diamonds, clubs = [plane >> 16 * suit for suit in SUITS]
    ranks = ((spades & hearts & (diamonds | clubs)) | (diamonds & clubs & (spades | hearts))) & ROW
    for rank in cards_of(ranks):
        group = plane & RANK_PLANE[rank]
        found.append(group)
        if group.bit_count() == len(SUITS):
            found += [group ^ 1 << 16 * suit + rank for suit in SUITS]
    return tuple(found)


def is_set(plane: Plane) -> bool:
    """Whether cards are a set."""
    lowest = (plane & -plane).bit_length() - 1
    return plane.bit_count() >= SMALLEST and not plane & ~RANK_PLANE[lowest & 15]


def is_meld(plane: Plane) -> bool:
    """Whether cards are a meld."""
    count = plane.bit_count()
    if count < SMALLEST:
        return False
    low = plane & -plane
    in_line = plane == (low << count) - low and any(not plane & ~suit for suit in SUIT_PLANE)
    return in_line or is_set(plane)


def meld_of(plane: Plane, meld_id: int = 0, side: int = 0) -> Meld:
    """Lay out a meld."""
    cards = cards_of(plane)
    if is_set(plane):
        return Meld(MeldKind.SET, cards, NO_WILD, 0, meld_id, side)
    return Meld(MeldKind.SEQUENCE, cards, NO_WILD, cards[0] & 15, meld_id, side)


def fitting(meld: Plane) -> Plane:
    """Faces that could be laid off on a meld at once: the fourth of a set, the next at either end of a sequence."""
    if is_set(meld):
        return RANK_PLANE[(meld & -meld).bit_length() - 1 & 15] & ~meld
    return (meld << 1 | meld >> 1) & ~meld & ALL_FACES


# --- arrangements -----------------------------------------------------------------------------------------------------


class _Search:
    """The arrangements of one hand, each card looked at once, the lowest first."""

    def __init__(self, plane: Plane) -> None:
        self._melds: dict[Plane, list[tuple[Plane, int]]] = {}
        self.useful: Plane = 0
        """Cards that are in any meld at all."""
        for meld in melds_in(plane):
            self._melds.setdefault(meld & -meld, []).append((meld, points(meld)))
            self.useful |= meld
        self._most: dict[Plane, int] = {0: 0}

    def most(self, left: Plane) -> int:
        """Most points of these cards that melds can take up."""
        known = self._most.get(left)
        if known is not None:
            return known
        low = left & -left
        best = self.most(left ^ low)
        for meld, worth in self._melds.get(low, ()):
            if not meld & ~left:
                best = max(best, worth + self.most(left ^ meld))
        self._most[left] = best
        return best

    def best(self, left: Plane) -> Iterator[Arrangement]:
        """Every arrangement that takes up most, its melds by their lowest card."""
        if not left:
            yield ()
            return
        low, most = left & -left, self.most(left)
        for meld, worth in self._melds.get(low, ()):
            if not meld & ~left and worth + self.most(left ^ meld) == most:
                for others in self.best(left ^ meld):
                    yield (meld, *others)
        if self.most(left ^ low) == most:
            yield from self.best(left ^ low)


@lru_cache(maxsize=1 << 12)
def least_deadwood(plane: Plane) -> int:
    """Least deadwood of cards over all arrangements (GI-6)."""
    search = _Search(plane)
    return points(plane) - search.most(search.useful)


@lru_cache(maxsize=1 << 8)
def least_without(plane: Plane) -> dict[Card, int]:
    """Least deadwood after the discard of each card, by card number; not to be changed."""
    search, total = _Search(plane), points(plane)
    return {card: total - VALUES[card] - search.most(search.useful & ~(1 << card)) for card in cards_of(plane)}


@lru_cache(maxsize=1 << 8)
def best_arrangement(plane: Plane) -> Arrangement:
    """Arrange cards with the least deadwood; among several ways the one on which least faces could be laid off."""

    def openness(melds: Arrangement) -> tuple[int, Arrangement]:
        faces = 0
        for meld in melds:
            faces |= fitting(meld)
        return (faces & ~plane).bit_count(), melds

    search = _Search(plane)
    return min(search.best(search.useful), key=openness)


def wrong_melds(plane: Plane, groups: Sequence[bytes]) -> bytes | None:
    """Cards of a player's own arrangement that are in no meld of the hand, or in a second one; None if it is right."""
    wrong: list[bytes] = []
    used = 0
    for cards in groups:
        meld = plane_of(tuple(set(cards)))
        if len(set(cards)) != len(cards) or meld & ~plane or meld & used or not is_meld(meld):
            wrong.append(cards)
        used |= meld
    return bytes(sorted(set(b"".join(wrong)))) if wrong else None


# --- the defender -----------------------------------------------------------------------------------------------------


class Defence(NamedTuple):
    """What the defender makes of his hand after a knock."""

    deadwood: int
    laid_off: tuple[Plane, ...]
    """What he lays off on each of the knocker's melds."""


def _additions(meld: Plane, hand: Plane) -> list[Plane]:
    """Everything that a hand can add to a meld, chains included: nothing, too (GI-8)."""
    if is_set(meld):
        fourth = fitting(meld) & hand
        return [0, fourth] if fourth else [0]
    down, up = [0], [0]
    below, above = (meld & -meld) >> 1, (meld & -meld) << meld.bit_count()
    while below & hand:
        down.append(down[-1] | below)
        below >>= 1
    while above & hand:
        up.append(up[-1] | above)
        above <<= 1
    return [lower | upper for lower in down for upper in up]


def best_defence(hand: Plane, melds: Sequence[Plane]) -> Defence:
    """Find the least deadwood over all arrangements and all that can be laid off on the knocker's melds (GI-8, E68).

    Among several ways the one that lays off least cards, on the earliest melds.
    """
    ways = []
    for added in product(*(_additions(meld, hand) for meld in melds)):
        together = 0
        for cards in added:
            if together & cards:
                break
            together |= cards
        else:
            least = least_deadwood(hand & ~together)
            ways.append((least, together.bit_count(), tuple(-cards.bit_count() for cards in added), added))
    best = min(ways)
    return Defence(best[0], best[3])
