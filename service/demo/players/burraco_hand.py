"""What a player of Burraco sees in cards: their value, what is a wild, and how many could be melded."""

from collections import Counter
from collections.abc import Iterable, Iterator

from burraco.cards import CardValue
from burraco.v1.melds_pb2 import Meld, MeldKind
from service.demo.cards import (
    ACE,
    HIGH_ACE,
    JOKER,
    SEVEN,
    SUITS,
    TWO,
    card_in,
    natural_of,
    rank,
    rank_of,
    slots_of,
    suit,
)


def points(one: CardValue) -> int:
    """Value of a card (B4-36)."""
    if one == JOKER:
        return 30
    return {ACE: 15, TWO: 20}.get(rank(one), 5 if rank(one) <= SEVEN else 10)


def is_wild(one: CardValue) -> bool:
    """Whether a card may act as a wild."""
    return one == JOKER or rank(one) == TWO


def is_clean(kind: MeldKind.ValueType, selection: Iterable[CardValue]) -> bool:
    """Whether no card of a legal meld, or of no cards, acts as a wild."""
    cards = list(selection)
    if kind == MeldKind.MELD_KIND_SET or not cards:
        return not any(map(is_wild, cards))
    ranks = {rank(one) for one in cards}
    if JOKER in cards or len(set(map(suit, cards))) > 1 or len(ranks) < len(cards):
        return False
    high = {HIGH_ACE if one == ACE else one for one in ranks}
    return any(max(slots) - min(slots) == len(cards) - 1 for slots in (ranks, high))


def usable(selection: Iterable[CardValue], own: Iterable[Meld]) -> int:
    """Count the natural cards that could be melded at once, roughly, and each wild as two."""
    pool = Counter(selection)
    count = 2 * sum(pool.pop(one) for one in list(pool) if is_wild(one))
    for meld in own:
        count += _take(pool, list(_extensions(meld, pool)))
    for one_suit in SUITS:
        while run := longest_run({rank(one) for one in +pool if suit(one) == one_suit}):
            count += _take(pool, [card_in(one_suit, slot) for slot in run])
    ranks = Counter(map(rank, pool.elements()))
    return count + sum(copies for copies in ranks.values() if copies >= 3)


def fits(one: CardValue, meld: Meld) -> bool:
    """Whether a natural card would go on a meld."""
    return not is_wild(one) and one in _extensions(meld, Counter([one]))


def longest_run(ranks: set[int]) -> list[int]:
    """Find the longest run of three or more slots among ranks of a suit, the ace low or high; none: empty."""
    best: list[int] = []
    run: list[int] = []
    for slot in range(1, HIGH_ACE + 1):
        if slot == HIGH_ACE and run[:1] == [ACE]:
            break  # the ace is at the low end already
        run = [*run, slot] if rank_of(slot) in ranks else []
        best = max(best, run, key=len)
    return best if len(best) >= 3 else []


def _take(pool: Counter[CardValue], taken: list[CardValue]) -> int:
    pool.subtract(taken)
    return len(taken)


def _extensions(meld: Meld, pool: Counter[CardValue]) -> Iterator[CardValue]:
    """Go through the natural cards of the pool that a meld takes, one after the other."""
    _, natural = natural_of(meld)
    if meld.kind == MeldKind.MELD_KIND_SET:
        yield from (one for one in pool.elements() if rank(one) == rank(natural))
        return
    low, high = slots_of(meld)
    while high < HIGH_ACE and pool[card_in(suit(natural), high + 1)] > 0:
        high += 1
        yield card_in(suit(natural), high)
    while low > ACE and pool[card_in(suit(natural), low - 1)] > 0:
        low -= 1
        yield card_in(suit(natural), low)
