"""Chi-square, and what is counted over many shuffles. Each figure is over its 99.99 % quantile: above 1 is not even.

Shuffles from fixed seeds always give the same figures; an even shuffle on other seeds fails once in 10,000 times.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import perm, sqrt
from typing import Final

NORMAL_QUANTILE: Final = 3.719016485455709
"""Of the standard normal distribution, at 1 - 0.0001."""


def most(freedom: int) -> float:
    """The 99.99 % quantile of chi-square, by Wilson and Hilferty.

    The cube root of chi-square over its k degrees of freedom is nearly normal: its mean is 1 - 2 / 9k, its variance
    2 / 9k.
    """
    variance = 2 / (9 * freedom)
    return float(freedom * (1 - variance + NORMAL_QUANTILE * sqrt(variance)) ** 3)


def evenness(seen: Iterable[int], likely: Sequence[float]) -> float:
    """Independent draws, one a round, of numbers with these probabilities."""
    counts = Counter(seen)
    rounds = counts.total()
    total = sum((counts[cell] - rounds * share) ** 2 / (rounds * share) for cell, share in enumerate(likely))
    return total / most(len(likely) - 1)


def even(seen: Iterable[int], cells: int) -> float:
    """Independent draws, one a round, of equally likely numbers from 0 to `cells` - 1."""
    return evenness(seen, [1 / cells] * cells)


def places(decks: Sequence[bytes]) -> float:
    """Each of n cards at each of n places.

    A round is a permutation matrix, whose covariance is (I - J/n) ⊗ (I - J/n) / (n - 1): the squared distance of the
    counts from their mean, times (n - 1) over the rounds, is chi-square with (n - 1)² degrees of freedom.
    """
    size, rounds = len(decks[0]), len(decks)
    counts = [Counter(deck[place] for deck in decks) for place in range(size)]
    squares = sum((each[card] - rounds / size) ** 2 for each in counts for card in range(size))
    return squares * (size - 1) / rounds / most((size - 1) ** 2)


def neighbours(decks: Sequence[bytes], place: int) -> float:
    """Each ordered pair of two cards, at a place and the next one."""
    size = len(decks[0])
    pairs = ((deck[place], deck[place + 1]) for deck in decks)
    return even((one * (size - 1) + other - (other > one) for one, other in pairs), size * (size - 1))


def together(hands: Sequence[Sequence[int]], size: int) -> float:
    """Each two of n cards in a hand of k.

    Counts of pairs that share a card hang together. By the Johnson scheme J(n, 2) the covariance of a round has two
    eigenvalues beside 0: one on what the counts of single cards explain (n - 1 dimensions), one on the rest
    (n (n - 3) / 2). Each part's squares over its eigenvalue are chi-square, and so is their sum.
    """
    rounds, hand = len(hands), len(hands[0])
    counts = [[0] * size for _ in range(size)]
    for cards in hands:
        for one in cards:
            row = counts[one]
            for other in cards:
                row[other] += 1

    def share(cards: int) -> float:
        return perm(hand, cards) / perm(size, cards)

    mean = share(2)
    same, touching, apart = mean - mean**2, share(3) - mean**2, share(4) - mean**2
    of_cards, of_pairs = same + (size - 4) * touching - (size - 3) * apart, same - 2 * touching + apart
    degrees = [(hand - 1) * counts[card][card] - rounds * mean * (size - 1) for card in range(size)]
    first = second = 0.0
    for one in range(size):
        for other in range(one):
            explained = (degrees[one] + degrees[other]) / (size - 2)
            first += explained**2
            second += (counts[one][other] - rounds * mean - explained) ** 2
    total = first / (rounds * of_cards) + second / (rounds * of_pairs)
    return total / most(size * (size - 1) // 2 - 1)
