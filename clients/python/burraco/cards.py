"""Cards as people write them: `7S`, `10H`, `AS`, and `JK` for a joker."""

from collections.abc import Iterable
from typing import TypeAlias

from burraco.v1.cards_pb2 import Card

CardValue: TypeAlias = Card.ValueType
Cards: TypeAlias = str | Iterable[CardValue]
"""A selection, as text (`"7S 8S JK"`) or as values."""

ACCEPTED = "a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or 10H; or JK, a joker"

_TEXT = {
    number: "JK" if number == Card.CARD_JOKER else name.removeprefix("CARD_")
    for name, number in Card.items()
    if number != Card.CARD_UNSPECIFIED
}
KNOWN = frozenset(_TEXT)
_CARD = {text: number for number, text in _TEXT.items()}
_SIGNS = str.maketrans("SHDC", "♠♥♦♣")


def card(text: str) -> CardValue:
    """Read one card; case means nothing. :raises ValueError: naming the text and what is accepted."""
    try:
        return _CARD[text.strip().upper()]
    except KeyError:
        raise ValueError(f"{text!r} is no card; a card is {ACCEPTED}") from None


def cards(selection: Cards) -> list[CardValue]:
    """Read cards parted by spaces or commas; values pass as they are. :raises ValueError: as `card` does."""
    if isinstance(selection, str):
        return [card(text) for text in selection.replace(",", " ").split()]
    return list(selection)


def text(shown: CardValue | Iterable[CardValue]) -> str:
    """Write one card, or several parted by spaces, so that `card` or `cards` reads them again."""
    if isinstance(shown, int):
        return _text(shown)
    return " ".join(map(_text, shown))


def pretty(shown: CardValue | Iterable[CardValue]) -> str:
    """Write cards with suit signs, for showing: `7♠ 10♥ JK`."""
    if isinstance(shown, int):
        return _text(shown).translate(_SIGNS)
    return " ".join(_text(one).translate(_SIGNS) for one in shown)


def _text(value: CardValue) -> str:
    try:
        return _TEXT[value]
    except KeyError:
        raise ValueError(f"{value} is the number of no card") from None
