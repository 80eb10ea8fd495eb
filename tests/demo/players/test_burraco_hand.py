"""What the demo's players see in cards."""

import pytest

from burraco.cards import card, cards
from burraco.v1.cards_pb2 import Card
from burraco.v1.melds_pb2 import Meld, MeldKind
from service.demo.players.burraco_hand import fits, is_clean, longest_run, points, usable
from tests.demo.positions import SEQUENCE, SET, laid


def test_B4_36_the_deck_is_worth_1080() -> None:
    """Two packs and four jokers hold 1080 points."""
    faces = [one for one in Card.values() if one not in {Card.CARD_UNSPECIFIED, Card.CARD_JOKER}]
    assert 2 * sum(map(points, faces)) + 4 * points(Card.CARD_JOKER) == 1080


@pytest.mark.parametrize(
    ("kind", "selection", "clean"),
    [
        (SEQUENCE, "7S 8S 9S", True),
        (SEQUENCE, "AS 2S 3S", True),
        (SEQUENCE, "2S 3S 4S", True),
        (SEQUENCE, "QH KH AH", True),
        (SEQUENCE, "AS 2H 3S", False),
        (SEQUENCE, "2S 4S 5S", False),
        (SEQUENCE, "7S 8S JK", False),
        (SEQUENCE, "2S 2S 4S", False),
        (SEQUENCE, "QH KH AH 2H", False),
        (SET, "7S 7S 7H", True),
        (SET, "7S 7S 2H", False),
        (SEQUENCE, "", True),
    ],
)
def test_is_clean(kind: MeldKind.ValueType, selection: str, clean: bool) -> None:
    """A meld is clean when every two in it is in its own place and there is no joker."""
    assert is_clean(kind, cards(selection)) is clean


@pytest.mark.parametrize(
    ("ranks", "run"),
    [
        ({3, 4, 5, 9}, [3, 4, 5]),
        ({1, 2, 3}, [1, 2, 3]),
        ({1, 12, 13}, [12, 13, 14]),
        ({1, 2, 13}, []),
        (set(range(1, 14)), list(range(1, 14))),
        (set(), []),
    ],
)
def test_longest_run(ranks: set[int], run: list[int]) -> None:
    """The ace is low or high, and a run does not go round the corner."""
    assert longest_run(ranks) == run


@pytest.mark.parametrize(
    ("hand", "own", "count"),
    [
        ("7S 8S 9S KD", [], 3),
        ("7S 7H 7D KD", [], 3),
        ("7S 8S KD QH", [], 0),
        ("JK 2S KD", [], 4),
        ("10S JS KD", [laid(1, 0, "7S 8S 9S")], 2),
        ("KD KH 3S", [laid(1, 0, "KS KC KC", SET)], 2),
        ("7S 8S 9S 7S 8S 9S", [], 6),
    ],
)
def test_usable(hand: str, own: list[Meld], count: int) -> None:
    """Natural cards that could be melded count one each, wilds two."""
    assert usable(cards(hand), own) == count


def test_fits() -> None:
    """A card fits at either end of a sequence, beyond its wild too, and on a set of its rank."""
    run = laid(1, 0, "JK 6C 7C 8C", SEQUENCE, 0)
    assert [one for one in ("4C", "5C", "8C", "9C", "9S", "2C") if fits(card(one), run)] == ["4C", "9C"]
    assert fits(card("KD"), laid(2, 0, "KS KC 2D", SET, 2))
    assert not fits(card("QD"), laid(2, 0, "KS KC 2D", SET, 2))
    assert fits(card("AH"), laid(3, 0, "JH QH KH"))
    assert fits(card("AH"), laid(4, 0, "2H 3H 4H"))
