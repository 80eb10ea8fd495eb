"""Arranging a hand of Gin, Ramino or Scala 40: which of its cards go together, and what is left over."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from burraco.cards import CardValue
from burraco.v1.melds_pb2 import Meld, MeldKind
from service.demo.cards import ACE, HIGH_ACE, JOKER, SUITS, card_in, rank, slots_of, suit

Cards: TypeAlias = tuple[CardValue, ...]

LEAST = 3
FULL_SET = 4
PROMISE = 7  # what two cards that a third may join are worth, in points, while there is time to wait for it


class Arrangement(NamedTuple):
    """A hand in melds."""

    cost: int
    """Points of what is left over."""
    melds: tuple[Cards, ...]
    rest: Cards


@dataclass(frozen=True)
class Arranger:
    """Knows a game's melds, and what its cards cost in hand."""

    ace_points: int
    slots: Sequence[int]
    """The slots of a sequence, from ACE to HIGH_ACE at most."""

    def points(self, one: CardValue) -> int:
        """Points of a card that is left in hand."""
        if one == JOKER:
            return 25
        return self.ace_points if rank(one) == ACE else min(rank(one), 10)

    def cost(self, selection: Iterable[CardValue]) -> int:
        """Points of cards that are left in hand."""
        return sum(map(self.points, selection))

    def best(self, hand: Iterable[CardValue]) -> Arrangement:
        """Arrange a hand so that what is left over costs least."""
        held = tuple(sorted(hand))
        return self.choose(held, self.melds(held))

    def choose(self, hand: Iterable[CardValue], melds: Iterable[Cards]) -> Arrangement:
        """Choose among these melds, in which cards are sorted, so that what is left over of a hand costs least."""
        held = tuple(sorted(hand))
        by_first: dict[CardValue, list[Cards]] = {}
        for meld in dict.fromkeys(melds):
            by_first.setdefault(meld[0], []).append(meld)
        chosen = self._choose(held, by_first, {})
        rest = Counter(held)
        for meld in chosen[1]:
            rest.subtract(meld)
        return Arrangement(*chosen, tuple(rest.elements()))

    def melds(self, hand: Iterable[CardValue]) -> Iterator[Cards]:
        """Go through the melds that a hand holds, one joker in each at most, their cards sorted."""
        pool = set(hand)
        wild = (JOKER,) if JOKER in pool else ()
        for one_rank in range(ACE, HIGH_ACE):
            same = sorted(one for one in pool if rank(one) == one_rank)
            for size in range(LEAST - len(wild), min(len(same), FULL_SET) + 1):
                for chosen in combinations(same, size):
                    if size >= LEAST:
                        yield chosen
                    if wild and size < FULL_SET:
                        yield chosen + wild
        for one_suit in SUITS:
            yield from self._sequences([card_in(one_suit, slot) for slot in self.slots], pool, wild)

    def completes(self, hand: Iterable[CardValue], one: CardValue) -> bool:
        """Whether a card more makes a meld of a hand, or a longer one."""
        held = list(hand)
        before, after = self.best(held), self.best([*held, one])
        return len(after.rest) <= len(before.rest) and after.cost <= before.cost

    def fits(self, one: CardValue, meld: Meld) -> bool:
        """Whether a card would go on a meld on the table."""
        natural = next(card for card in meld.cards if card != JOKER)
        if one == JOKER:
            return JOKER not in meld.cards
        if meld.kind == MeldKind.MELD_KIND_SET:
            return rank(one) == rank(natural) and len(meld.cards) < FULL_SET and one not in meld.cards
        low, high = slots_of(meld)
        free = [slot for slot in (low - 1, high + 1) if slot in self.slots]
        return one in [card_in(suit(natural), slot) for slot in free]

    def promise(self, rest: Iterable[CardValue]) -> int:
        """Say what cards that are left over may become, in points: each two that a third may join."""
        pairs = combinations(sorted(set(rest)), 2)
        return PROMISE * sum(self._joins(one, other) for one, other in pairs)

    def waste(self, hand: Iterable[CardValue], allowed: Iterable[CardValue]) -> dict[CardValue, int]:
        """Say of each card that may be discarded what the hand without it costs, what it may become taken off.

        A card of a meld comes in only where nothing else may be discarded.
        """
        held = list(hand)
        best = self.best(held)
        spare = sorted(set(allowed) & set(best.rest)) or sorted(set(allowed))
        arranged = {one: self.best(without(held, one)) for one in spare}
        return {one: best.cost - self.promise(best.rest) for one, best in arranged.items()}

    def _joins(self, one: CardValue, other: CardValue) -> bool:
        if JOKER in (one, other):
            return False
        if rank(one) == rank(other):
            return True
        spots = [{slot for slot in self.slots if card_in(suit(card), slot) == card} for card in (one, other)]
        return suit(one) == suit(other) and any(abs(low - high) <= 2 for low in spots[0] for high in spots[1])

    @staticmethod
    def _sequences(line: Sequence[CardValue], pool: set[CardValue], wild: Cards) -> Iterator[Cards]:
        """Go through the sequences of a suit, whose cards stand in line."""
        for start in range(len(line)):
            for end in range(start + LEAST, len(line) + 1):
                window = set(line[start:end])
                missing = len(window - pool)
                if missing > len(wild) or len(window) < end - start:
                    break  # what comes after it lacks as much, or has the ace at both ends
                if not missing:
                    yield tuple(sorted(window))
                for replaced in (window - pool if missing else window) if wild else ():
                    yield (*sorted(window - {replaced}), *wild)

    def _choose(
        self,
        held: Cards,
        by_first: Mapping[CardValue, Sequence[Cards]],
        known: dict[Cards, tuple[int, tuple[Cards, ...]]],
    ) -> tuple[int, tuple[Cards, ...]]:
        """Leave the lowest card over, or meld it in every way there is; whatever is less."""
        if not held:
            return 0, ()
        if held not in known:
            cost, melds = self._choose(held[1:], by_first, known)
            least = cost + self.points(held[0]), melds
            for meld in by_first.get(held[0], ()):
                if not Counter(meld) - Counter(held):
                    left = without(held, *meld)
                    cost, melds = self._choose(left, by_first, known)
                    if cost < least[0]:
                        least = cost, (meld, *melds)
            known[held] = least
        return known[held]


def without(held: Iterable[CardValue], *taken: CardValue) -> Cards:
    """Take cards out of others, in which they are."""
    left = list(held)
    for one in taken:
        left.remove(one)
    return tuple(left)
