"""The least deadwood, the arrangement, and the defence, against the oracle and by hand."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rules.cards import PACK, parse, texts
from service.rules.gin.deadwood import (
    ALL_FACES,
    Arrangement,
    best_arrangement,
    best_defence,
    cards_of,
    fitting,
    is_meld,
    least_deadwood,
    least_without,
    meld_of,
    melds_in,
    plane_of,
    points,
    wrong_melds,
)
from service.rules.melds import MeldKind
from tests.gin import oracle
from tests.gin.effort import EXAMPLES, HANDS

DENSE = [card for card in PACK if 4 <= card & 15 <= 8]
"""Cards of which a hand has many melds that are in each other's way."""


def random_hands(count: int, size: int) -> Iterator[list[int]]:
    """Hands, every other one from few ranks or from two suits."""
    rng = random.Random(size)
    suits = [card for card in PACK if card < 32]
    for number in range(count):
        yield rng.sample((list(PACK), DENSE, suits)[number % 3], size)


def shown(melds: Arrangement) -> list[str]:
    """Melds in words."""
    return [texts(cards_of(meld)) for meld in melds]


def check_arrangement(plane: int) -> None:
    """The arrangement is one of melds of the hand, each card in one, and leaves the least deadwood."""
    melds = best_arrangement(plane)
    left = plane
    for meld in melds:
        assert is_meld(meld)
        assert not meld & ~left
        left &= ~meld
    assert points(left) == least_deadwood(plane)
    assert wrong_melds(plane, [cards_of(meld) for meld in melds]) is None


def test_least_deadwood_is_the_oracles_on_random_hands() -> None:
    """No arrangement has less deadwood than the one found, and there is one with it."""
    for hand in random_hands(HANDS, 11):
        plane = plane_of(hand)
        assert least_deadwood(plane) == oracle.least_deadwood(frozenset(hand)), texts(hand)
        check_arrangement(plane)


def test_least_deadwood_after_each_discard() -> None:
    """Looking at all discards at once says the same as looking at each."""
    for hand in random_hands(HANDS // 4, 11):
        plane = plane_of(hand)
        assert least_without(plane) == {card: least_deadwood(plane ^ 1 << card) for card in sorted(hand)}


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sets(st.sampled_from(DENSE), max_size=11))
def test_least_deadwood_is_the_oracles(hand: set[int]) -> None:
    """The same for hands that Hypothesis thinks of, short ones included."""
    assert least_deadwood(plane_of(sorted(hand))) == oracle.least_deadwood(frozenset(hand))
    check_arrangement(plane_of(sorted(hand)))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sets(st.sampled_from(PACK), max_size=12))
def test_melds_are_the_oracles(cards: set[int]) -> None:
    """All melds of a selection are found, each once, and no other; a selection is a meld when the oracle says so."""
    plane = plane_of(sorted(cards))
    found = melds_in(plane)
    assert len(set(found)) == len(found)
    assert {frozenset(cards_of(meld)) for meld in found} == set(oracle.all_melds(frozenset(cards)))
    assert is_meld(plane) == oracle.is_meld(frozenset(cards))


def knocks_and_defenders(count: int) -> Iterator[tuple[Arrangement, list[int]]]:
    """Melds of a knocker's ten cards, with the ten of a defender; without a meld there is nothing to lay off on."""
    rng = random.Random(7)
    while count:
        deck = rng.choice((list(PACK), [*DENSE, *(card for card in PACK if card & 15 == 9)]))
        cards = rng.sample(deck, 20)
        melds = best_arrangement(plane_of(cards[:10]))
        if melds:
            count -= 1
            yield melds, cards[10:]


def test_the_defence_is_the_oracles_on_random_hands() -> None:
    """No arrangement together with any lay-offs, one after another, leaves the defender less."""
    for melds, hand in knocks_and_defenders(HANDS):
        lying = tuple(frozenset(cards_of(meld)) for meld in melds)
        deadwood, laid_off = best_defence(plane_of(hand), melds)
        after = tuple(meld | frozenset(cards_of(cards)) for meld, cards in zip(lying, laid_off, strict=True))
        kept = frozenset(hand) - frozenset(cards_of(sum(laid_off)))

        assert deadwood == oracle.least_after_laying_off(frozenset(hand), lying), (shown(melds), texts(hand))
        assert (kept, after) in oracle.tables(frozenset(hand), lying)
        assert oracle.least_deadwood(kept) == deadwood


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.permutations(DENSE))
def test_the_defence_is_the_oracles(cards: list[int]) -> None:
    """The same for tables that Hypothesis thinks of."""
    melds = best_arrangement(plane_of(cards[:10]))
    lying = tuple(frozenset(cards_of(meld)) for meld in melds)
    hand = cards[10:]
    assert best_defence(plane_of(hand), melds).deadwood == oracle.least_after_laying_off(frozenset(hand), lying)


def test_what_fits_a_meld_is_what_makes_it_longer() -> None:
    """The faces that fit a meld are those with which it is still a meld."""
    for meld in melds_in(ALL_FACES):
        longer = {card for card in PACK if not meld >> card & 1 and is_meld(meld | 1 << card)}
        assert set(cards_of(fitting(meld))) == longer


def test_a_meld_is_laid_out_low_to_high() -> None:
    """A meld that is laid out has its kind, its cards in order, and its lowest slot."""
    run = meld_of(plane_of(parse("3H AH 2H")), 4, 1)
    assert (run.kind, texts(run.cards), run.low, run.meld_id, run.side) == (MeldKind.SEQUENCE, "AH 2H 3H", 1, 4, 1)
    group = meld_of(plane_of(parse("KC KS KD")))
    assert (group.kind, texts(group.cards), group.low) == (MeldKind.SET, "KS KD KC", 0)


@pytest.mark.parametrize(
    ("hand", "deadwood", "melds"),
    [
        ("AS 2S 3S", 0, ["AS 2S 3S"]),
        ("QS KS AS", 21, []),
        ("7S 7H 7D 8S 9S", 14, ["7S 8S 9S"]),
        ("7S 7H 7D 7C 8S 9S", 0, ["7S 8S 9S", "7H 7D 7C"]),
        ("4S 5S 6S 7S 4H 4D", 0, ["4S 4H 4D", "5S 6S 7S"]),
        ("3S 4S 5S 6S 6H 6D", 0, ["3S 4S 5S", "6S 6H 6D"]),
        ("5S 6S 7S 5H 6H 7H 5D 6D 7D", 0, ["5S 5H 5D", "6S 6H 6D", "7S 7H 7D"]),
    ],
)
def test_arrangements_by_hand(hand: str, deadwood: int, melds: list[str]) -> None:
    """A card that could be in two melds goes where it saves most; of equal ways the most closed one is taken."""
    plane = plane_of(parse(hand))
    assert least_deadwood(plane) == deadwood
    assert shown(best_arrangement(plane)) == melds
