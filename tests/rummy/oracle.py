"""Slow, obviously right answers, written without the rules' own code: what cards can be, and what they can open with.

A card is a word (`7S`, `JK`). Nothing here is clever: every place is tried for every card.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""Rank in each place of a sequence, from the low ace (place 1) to the high ace (place 14)."""

Lying = tuple[tuple[str, str], ...]
"""A meld, low to high: each card with the card that it stands for; a set's joker stands for itself."""


def split(card: str) -> tuple[str, str]:
    """Rank and suit."""
    return card[:-1], card[-1]


def places(ace: str) -> range:
    """Places of a sequence, by where the ace may stand: `low`, `high` or `both`."""
    return range(2 if ace == "high" else 1, 14 if ace == "low" else 15)


def sequences(cards: Sequence[str], ace: str, longest: int) -> list[Lying]:
    """Every sequence that just these cards form."""
    naturals = [card for card in cards if card != "JK"]
    if len(cards) < 3 or len(cards) > longest or len(cards) - len(naturals) > 1 or len(naturals) < 2:
        return []
    if len(set(naturals)) != len(naturals) or len({split(card)[1] for card in naturals}) != 1:
        return []
    suit = split(naturals[0])[1]
    found = []
    for low in places(ace):
        window = range(low, low + len(cards))
        if window[-1] not in places(ace):
            continue
        wanted = [RANKS[place - 1] + suit for place in window]
        for joker_at in range(len(cards)) if "JK" in cards else (None,):
            filled = ["JK" if at == joker_at else word for at, word in enumerate(wanted)]
            if sorted(filled) == sorted(cards):
                found.append(tuple(zip(filled, wanted, strict=True)))
    return found


def is_set(cards: Sequence[str]) -> bool:
    """Whether cards are a set: three or four of a rank, each suit once, at most one of them a joker."""
    naturals = [card for card in cards if card != "JK"]
    return (
        3 <= len(cards) <= 4
        and len(cards) - len(naturals) <= 1
        and len({split(card)[0] for card in naturals}) == 1
        and len({split(card)[1] for card in naturals}) == len(naturals)
    )


def melds(cards: Sequence[str], ace: str, longest: int) -> list[Lying]:
    """Every meld that just these cards form."""
    if is_set(cards):
        return [tuple((card, card) for card in sorted(cards, key=order))]
    return sequences(cards, ace, longest)


def order(card: str) -> tuple[bool, int]:
    """Suits of a set: spades, hearts, diamonds, clubs, and the joker last."""
    return card == "JK", "SHDC".find(card[-1])


def points(lying: Lying) -> int:
    """Points towards the opening (SC-9)."""
    ranks = [split(as_card)[0] for _, as_card in lying if as_card != "JK"]
    worth = {"A": 11, "J": 10, "Q": 10, "K": 10}
    if len(set(ranks)) == 1:
        return len(lying) * (worth.get(ranks[0]) or int(ranks[0]))
    total = sum(worth.get(rank) or int(rank) for rank in ranks)
    return total - 10 if ranks[0] == "A" else total


def best(cards: Sequence[str], ace: str, longest: int) -> int:
    """Points of the best meld that just these cards form; 0 for none."""
    return max(map(points, melds(cards, ace, longest)), default=0)


def selections(cards: Sequence[str], ace: str, longest: int) -> dict[tuple[str, ...], int]:
    """Every meld among cards, as sorted words, with its best points."""
    found = {}
    for size in range(3, min(longest, len(cards)) + 1):
        for chosen in combinations(sorted(cards), size):
            if chosen not in found and (most := best(chosen, ace, longest)):
                found[chosen] = most
    return found


def openings(cards: Sequence[str], ace: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every way to lay disjoint melds from a hand: total, and places of the cards that stay.

    A sequence of six or more is two of three or more, with the same points, so no larger one is tried.
    """
    hand = list(cards)
    small = [
        (set(chosen), most)
        for size in range(3, 6)
        for chosen in combinations(range(len(hand)), size)
        if (most := best([hand[at] for at in chosen], ace, 14))
    ]

    def lay(total: int, left: frozenset[int], first: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        yield total, tuple(sorted(left))
        for number in range(first, len(small)):
            chosen, most = small[number]
            if chosen <= left:
                yield from lay(total + most, left - chosen, number + 1)

    yield from lay(0, frozenset(range(len(hand))), 0)


def most_to_open(cards: Sequence[str], ace: str, keep: int, loose: str = "") -> int:
    """Most points of disjoint melds that leave `keep` cards, the loose one not counted; -1 if they are not there."""
    return max(
        (total for total, left in openings(cards, ace) if sum(cards[at] != loose for at in left) >= keep),
        default=-1,
    )


def lay_offs(lying: Lying, cards: Sequence[str], ace: str, longest: int) -> list[Lying]:
    """Every meld that one on the table becomes with some cards, its own staying where they are."""
    union = [card for card, _ in lying] + list(cards)

    def stays(grown: Lying) -> bool:
        return is_set(union) or any(grown[at : at + len(lying)] == lying for at in range(len(grown)))

    return [grown for grown in melds(union, ace, longest) if stays(grown)]
