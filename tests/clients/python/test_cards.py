"""Cards as text."""

import pytest

from burraco.cards import card, cards, pretty, text
from burraco.v1.cards_pb2 import Card

EVERY_CARD = [number for number in Card.values() if number != Card.CARD_UNSPECIFIED]


@pytest.mark.parametrize("value", EVERY_CARD)
def test_text_round_trip(value: Card.ValueType) -> None:
    """The text of every card reads back as that card, in either case."""
    assert card(text(value)) == value
    assert card(text(value).lower()) == value


def test_every_card_has_its_own_text() -> None:
    """The 53 faces have 53 texts."""
    assert len({text(value) for value in EVERY_CARD}) == len(EVERY_CARD) == 53


def test_texts_are_those_of_the_design() -> None:
    """Rank then suit letter, `10` for ten and `JK` for the joker."""
    assert [card(one) for one in ("7S", "10H", "AS", "KC", "2D", "JK")] == [
        Card.CARD_7S,
        Card.CARD_10H,
        Card.CARD_AS,
        Card.CARD_KC,
        Card.CARD_2D,
        Card.CARD_JOKER,
    ]


def test_selections() -> None:
    """A selection is read from text parted by spaces or commas, or taken from values."""
    selection = [Card.CARD_7S, Card.CARD_10H, Card.CARD_JOKER]
    assert cards("7S 10h  jk") == cards("7S,10H, JK") == cards(iter(selection)) == selection
    assert cards("") == []
    assert text(selection) == "7S 10H JK"


def test_pretty_has_suit_signs() -> None:
    """Shown cards have suit signs; the joker has no suit."""
    assert pretty(cards("7S 10H QD AC JK")) == "7♠ 10♥ Q♦ A♣ JK"
    assert pretty(Card.CARD_2D) == "2♦"


@pytest.mark.parametrize("bad", ["", "7", "S", "1S", "11S", "7X", "JOKER", "7S 8S", "7♠"])
def test_bad_text_is_named(bad: str) -> None:
    """The error names the text and says what is accepted."""
    with pytest.raises(ValueError, match="a card is a rank") as caught:
        card(bad)
    assert repr(bad) in str(caught.value)


def test_no_card_has_no_text() -> None:
    """A number that is no card's is refused."""
    with pytest.raises(ValueError, match="0 is the number of no card"):
        text(Card.CARD_UNSPECIFIED)
