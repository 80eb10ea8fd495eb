"""How the demo's players arrange a hand."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from burraco.cards import CardValue, card, cards
from service.demo.cards import ACE, HIGH_ACE, JOKER, SUITS, card_in, rank, suit
from service.demo.players.arrange import Arranger, without
from service.demo.players.gin import GIN
from service.demo.players.rummy import RAMINO, SCALA_40
from tests.demo.positions import SEQUENCE, SET, laid

ARRANGERS = [GIN, RAMINO.arranger, SCALA_40.arranger]
FACES = [card_in(one_suit, slot) for one_suit in SUITS for slot in range(ACE, HIGH_ACE)]


def is_meld(arranger: Arranger, selection: tuple[CardValue, ...]) -> bool:
    """Say by the definitions whether cards are a meld, with one joker at most."""
    naturals = [one for one in selection if one != JOKER]
    if len(selection) < 3 or len(selection) - len(naturals) > 1 or len(set(naturals)) < len(naturals):
        return False
    if len({rank(one) for one in naturals}) == 1:
        return len(selection) <= 4
    windows = (arranger.slots[start : start + len(selection)] for start in range(len(arranger.slots)))
    return any(
        len(window) == len(selection)
        and set(naturals) <= {card_in(one_suit, slot) for slot in window}
        and len({card_in(one_suit, slot) for slot in window}) == len(window)
        for window in windows
        for one_suit in SUITS
    )


def least_cost(arranger: Arranger, hand: tuple[CardValue, ...]) -> int:
    """Find the least cost by trying every meld, and every one of what it leaves."""
    melds = {
        chosen
        for size in range(3, len(hand) + 1)
        for chosen in combinations(sorted(hand), size)
        if is_meld(arranger, chosen)
    }
    left = (least_cost(arranger, without(hand, *meld)) for meld in melds)
    return min([arranger.cost(hand), *left])


@some.composite
def hands(draw: some.DrawFn) -> tuple[CardValue, ...]:
    """Hands of few ranks, so that much of them goes together."""
    low = draw(some.integers(1, 10))
    near = [one for one in FACES if rank(one) in {ACE, low, low + 1, low + 2, low + 3}]
    return tuple(draw(some.lists(some.sampled_from([*near, JOKER]), max_size=8)))


@pytest.mark.parametrize("arranger", ARRANGERS)
@given(hand=hands())
def test_nothing_costs_less(arranger: Arranger, hand: tuple[CardValue, ...]) -> None:
    """The arrangement is made of melds and the rest, all of the hand is in it, and none costs less."""
    best = arranger.best(hand)
    assert Counter(hand) == Counter([*best.rest, *(one for meld in best.melds for one in meld)])
    assert all(is_meld(arranger, meld) for meld in best.melds)
    assert best.cost == arranger.cost(best.rest) == least_cost(arranger, hand)


@pytest.mark.parametrize(
    ("arranger", "hand", "rest"),
    [
        (GIN, "AS 2S 3S QH KH AH", "AH QH KH"),
        (RAMINO.arranger, "AS 2S 3S QH KH AH", ""),
        (SCALA_40.arranger, "AS 2S 3S QH KH AH", "AS 2S 3S"),
        (GIN, "KS KH KD KC QS JS", ""),
        (SCALA_40.arranger, "KS KS KH 5D", "KS KS KH 5D"),
        (SCALA_40.arranger, "7S 9S JK 4H", "4H"),
        (RAMINO.arranger, "QS KS AS 2S", "2S"),
    ],
)
def test_best(arranger: Arranger, hand: str, rest: str) -> None:
    """The ace stands where the game lets it, and a set has each suit once."""
    assert sorted(arranger.best(cards(hand)).rest) == sorted(cards(rest))


def test_points() -> None:
    """Gin's pack is worth 340; Scala 40's two packs with two jokers 810."""
    assert GIN.cost(FACES) == 340
    assert SCALA_40.arranger.cost([*FACES, *FACES, JOKER, JOKER]) == 810


@pytest.mark.parametrize(
    ("one", "completes"), [("9S", True), ("6S", True), ("7D", False), ("KD", True), ("QD", False), ("2C", False)]
)
def test_completes(one: str, completes: bool) -> None:
    """A card is wanted that makes a meld or lengthens one."""
    assert GIN.completes(cards("7S 8S KS KH 2D 7H 7C 8H")[:5], card(one)) is completes


def test_fits() -> None:
    """A card fits at either end of a sequence, beyond its joker too, and on a set whose suit it brings."""
    run = laid(1, 0, "JK 6C 7C 8C", SEQUENCE, 0)
    scala = SCALA_40.arranger
    assert [one for one in ("4C", "5C", "8C", "9C", "9S", "JK") if scala.fits(card(one), run)] == ["4C", "9C"]
    assert [one for one in ("KC", "KS", "QC") if scala.fits(card(one), laid(2, 0, "KS KH KD", SET))] == ["KC"]
    assert not scala.fits(card("KC"), laid(2, 0, "KS KH KD JK", SET, 3))
    low = laid(3, 0, "2H 3H 4H")
    assert RAMINO.arranger.fits(card("AH"), low)
    assert not scala.fits(card("AH"), low)
    assert scala.fits(card("AH"), laid(4, 0, "JH QH KH"))
    assert scala.fits(card("JK"), low)


def test_waste() -> None:
    """A card of a meld is not given away while another may be; one that goes with others is worth more."""
    waste = GIN.waste(cards("7S 8S 9S KD QD 2C"), cards("7S KD QD 2C"))
    assert set(waste) == set(cards("KD QD 2C"))
    assert waste[card("2C")] == 20 - 7
    assert waste[card("KD")] == 12
    assert set(GIN.waste(cards("7S 8S 9S KD"), cards("7S 8S"))) == set(cards("7S 8S"))


def test_suits_and_ranks() -> None:
    """Numbers, ranks and suits agree."""
    assert [card_in(suit(one), rank(one)) for one in FACES] == FACES
    assert card_in(2, HIGH_ACE) == card("AD")
