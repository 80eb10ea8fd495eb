"""Reading, laying off and the opening's arithmetic against slow answers, over random cards."""

import os
import random
from itertools import combinations

import pytest

from service.rules.cards import parse, text
from service.rules.hand import Hand, hand_of
from service.rules.melds import Meld, MeldKind
from service.rules.options import AcePlace
from service.rules.rummy.opening import book, candidates
from service.rules.rummy.plays import additions
from service.rules.rummy.reading import grow, points, read
from service.rules.rummy.terms import Shape
from tests.rummy import oracle

FULL = os.environ.get("BURRACO_TEST_PROFILE") == "full"
HANDS = 10_000 if FULL else 2_000
ACES = {AcePlace.LOW: "low", AcePlace.HIGH: "high", AcePlace.LOW_OR_HIGH: "both"}


def shape_of(rng: random.Random) -> Shape:
    """Scala 40's melds, or Ramino's with their longest sequence of 13."""
    return Shape(rng.choice(list(AcePlace)), rng.choice((13, 14)), 1, 11)


def words(hand: Hand) -> list[str]:
    return [text(card) for card in hand.cards()]


def roles(meld: Meld) -> oracle.Lying:
    if meld.kind is MeldKind.SET:
        return tuple((text(card), text(card)) for card in meld.cards)
    return tuple((text(card), text(meld.wild_as if at == meld.wild_at else card)) for at, card in enumerate(meld.cards))


def close_cards(rng: random.Random, size: int, jokers: int, suits: int = 4) -> list[str]:
    """Cards that lie close together, so that many melds are among them; jokers up to a number."""
    chosen = rng.sample("SHDC", suits)
    start, width = rng.randrange(13), rng.choice((4, 6, 9, 13))
    ranks = [oracle.RANKS[(start + at) % 13] for at in range(width)]
    deck = [rank + suit for rank in ranks for suit in chosen] * 2 + ["JK"] * jokers * rng.randrange(2)
    return rng.sample(deck, min(size, len(deck)))


@pytest.mark.parametrize("part", range(4))
def test_selections_are_read_as_the_slow_reading_has_them(part: int) -> None:
    """A selection is just the melds that the slow reading finds, those with the most points first."""
    rng = random.Random(f"read {part}")
    for _ in range(HANDS):
        shape = shape_of(rng)
        cards = close_cards(rng, rng.choice((3, 3, 4, 4, 5, 6, 13, 14)), 2, rng.choice((1, 1, 2, 4)))
        if rng.random() < 0.3:
            # A whole row, or nearly one, reaches the longest sequences.
            row = [rank + "H" for rank in oracle.RANKS[:13]]
            cards = rng.sample(row, rng.choice((11, 12, 13))) + ["JK"] * rng.randrange(2)
        found = read(hand_of(parse(" ".join(cards))), shape)
        slow = oracle.melds(cards, ACES[shape.ace], shape.longest)
        assert sorted(map(roles, found)) == sorted(slow), (cards, shape)
        totals = [points(meld, shape) for meld in found]
        assert totals == [oracle.points(roles(meld)) for meld in found]
        assert [(-total, meld.low) for total, meld in zip(totals, found, strict=True)] == sorted(
            (-total, meld.low) for total, meld in zip(totals, found, strict=True)
        )


def test_every_meld_of_a_hand_is_a_candidate() -> None:
    """The melds listed for a hand are all selections that the slow reading takes for melds, with their points."""
    rng = random.Random("candidates")
    for _ in range(HANDS // 4):
        shape = shape_of(rng)
        cards = close_cards(rng, rng.randrange(5, 10), 4)
        hand = hand_of(parse(" ".join(cards)))
        listed = candidates(hand.once, hand.jokers > 0, shape)
        found = {tuple(sorted(words(each.selection))): each.points for each in listed}
        assert len(found) == len(listed)
        assert found == oracle.selections(cards, ACES[shape.ace], shape.longest), (cards, shape)


def test_the_opening_is_the_exact_maximum() -> None:
    """Most points of disjoint melds, cards kept back, are what trying every way gives."""
    rng = random.Random("opening")
    for number in range(HANDS):
        shape = Shape(rng.choice(list(AcePlace)), 14, 1, 11)
        cards = close_cards(rng, rng.randrange(4, 10), 4)
        if number % 10 == 0:
            cards = rng.sample([rank + suit for rank in oracle.RANKS[:13] for suit in "SHDC"] * 2 + ["JK"] * 4, 14)
        elif number % 100 == 1:
            cards = close_cards(rng, 13, 0)
        hand = hand_of(parse(" ".join(cards)))
        keep = rng.randrange(3)
        singles = [card for card in cards if cards.count(card) == 1 and card != "JK"]
        loose = rng.choice(singles) if singles and keep == 1 else ""
        number_of_loose = parse(loose)[0] if loose else 0
        most = book(hand, shape, jokers_help=True, loose=number_of_loose).most(hand, keep)
        assert most == oracle.most_to_open(cards, ACES[shape.ace], keep, loose), (cards, shape, keep, loose)


def test_the_opening_of_a_part_of_a_hand_is_that_of_the_part_alone() -> None:
    """A book asked for a part of its hand says what the part's own book says."""
    rng = random.Random("parts")
    shape = Shape(AcePlace.LOW_OR_HIGH, 14, 1, 11)
    for _ in range(HANDS // 4):
        cards = close_cards(rng, 12, 4)
        hand = hand_of(parse(" ".join(cards)))
        part = hand_of(parse(" ".join(rng.sample(cards, min(8, len(cards))))))
        assert book(hand, shape, jokers_help=True).most(part, 1) == book(part, shape, jokers_help=True).most(part, 1)


@pytest.mark.parametrize(
    "cards",
    [
        "9S 10S JS QS KS 9H 10H JH QH KH JK JK JK JK",
        "AS 2S 3S AH 2H 3H AD 2D 3D AC JK JK JK JK",
        "AS AS 2S 2S 3S 3S AH AH 2H 2H JK JK JK JK",
    ],
)
def test_the_opening_of_a_hand_is_never_a_long_search(cards: str) -> None:
    """Even with four jokers and cards that all lie close together, few parts of a hand are looked at."""
    hand = hand_of(parse(cards))
    asked = book(hand, Shape(AcePlace.LOW_OR_HIGH, 14, 1, 11), jokers_help=True)
    asked.most(hand, 1)
    assert len(asked._known) < 4000


def test_what_goes_on_a_meld_is_what_the_slow_reading_has() -> None:
    """Every selection of a hand goes on a meld just as the slow reading says, and the list has all of them."""
    rng = random.Random("lay-offs")
    tried = 0
    while tried < HANDS // 10:
        shape = shape_of(rng)
        cards = close_cards(rng, rng.choice((3, 3, 4, 5, 8, 11)), 1, rng.choice((1, 1, 4)))
        found = read(hand_of(parse(" ".join(cards))), shape)
        if not found:
            continue
        tried += 1
        lying = rng.choice(found)
        rank, suit = oracle.split(next(card for card in cards if card != "JK"))
        pack = [each + suit for each in oracle.RANKS[:13]] + [rank + each for each in "SHDC"]
        held = rng.sample([*pack, "JK"], 7)
        hand = hand_of(parse(" ".join(held)))
        slow = {}
        for size in range(1, 8):
            for chosen in combinations(sorted(words(hand)), size):
                grown = oracle.lay_offs(roles(lying), chosen, ACES[shape.ace], shape.longest)
                fast = grow(lying, hand_of(parse(" ".join(chosen))), shape)
                assert sorted(map(roles, fast)) == sorted(grown), (roles(lying), chosen, shape)
                if grown:
                    slow[chosen] = grown
        listed = [tuple(sorted(words(each))) for each in additions(lying, hand, shape)]
        assert len(listed) == len(set(listed))
        assert set(listed) == set(slow), (roles(lying), held, shape)
