"""Decks that deal a table of one's choice: the opposite of dealing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.rules.burraco.dealing import LEAST_CUT, POZZETTI, pozzetto_sizes
from service.rules.cards import is_wild, parse, texts
from service.rules.games import game_with
from service.rules.gin.dealing import HAND_SIZE
from service.rules.options import Game
from service.rules.rummy.terms import terms_of
from service.rules.stream import PURPOSE_DECK, Stream

NO_HANDS: Final[Mapping[int, str]] = {}


class Places(NamedTuple):
    """Where the cards of a deck come to lie, as places in the deck."""

    hands: Mapping[int, Sequence[int]]
    """By seat."""
    pozzetti: Sequence[Sequence[int]]
    """The first to be taken first."""
    upcard: int
    stock: Sequence[int]


def places_of(rules: Any, dealer: int, out: Sequence[int] = ()) -> Places:  # noqa: ANN401  # any game's rules
    """Find where each card of a deal's deck is dealt to; those who are out get none."""
    players, size = rules.players, len(game_with(rules).deck(rules))
    order = [seat % players for seat in range(dealer + 1, dealer + 1 + players) if seat % players not in out]
    if rules.game is not Game.BURRACO:
        each = HAND_SIZE if rules.game is Game.GIN else terms_of(rules).cards_each
        at = len(order) * each
        return Places(_hands(order, each, 0), (), at, range(at + 1, size))
    dealt = players * rules.hand_size
    if players == 4:  # a table of four cuts, and has its pozzetti from what was lifted
        bottom = range(LEAST_CUT - 1, -1, -1)
        at = LEAST_CUT + dealt
        pozzetti = [bottom[first::POZZETTI] for first in range(POZZETTI)]
        return Places(_hands(order, rules.hand_size, LEAST_CUT), pozzetti, at, range(at + 1, size))
    pozzetti, at = [], dealt
    for length in pozzetto_sizes(rules, (0,) * players):
        pozzetti.append(range(at, at + length))
        at += length
    return Places(_hands(order, rules.hand_size, 0), pozzetti, at, range(at + 1, size))


def stacked(
    rules: Any,  # noqa: ANN401  # any game's rules
    dealer: int = 0,
    hands: Mapping[int, str] = NO_HANDS,
    pozzetti: Sequence[str] = (),
    upcard: str = "",
    stock: str = "",
    out: Sequence[int] = (),
    key: bytes = b"",
) -> bytes:
    """A deck, its top card first, that deals these cards; the key decides the order of those that nobody names.

    Hands and pozzetti may be named in part. `stock` is what lies on top of it. Wilds that nobody names lie at the
    bottom, where they change nothing.

    :raises ValueError: a heap has no room for so many cards, or the deck has not so many of a face.
    """
    whole = game_with(rules).deck(rules)
    named: dict[int, int] = {}
    for what, where, text in _named(places_of(rules, dealer, out), hands, pozzetti, upcard, stock):
        cards = parse(text)
        if len(cards) > len(where):
            raise ValueError(f"{what} has room for {len(where)} cards, not {len(cards)}")
        named.update(zip(where, cards, strict=False))
    left = Counter(whole)
    left.subtract(named.values())
    if over := [card for card, count in left.items() if count < 0]:
        raise ValueError(f"named too often: {texts(sorted(over))}")
    rest = Stream(key, PURPOSE_DECK, 1).shuffle(bytes(sorted(left.elements())))
    free = iter(sorted(rest, key=is_wild))
    return bytes(named[place] if place in named else next(free) for place in range(len(whole)))


def _named(
    places: Places, hands: Mapping[int, str], pozzetti: Sequence[str], upcard: str, stock: str
) -> Iterator[tuple[str, Sequence[int], str]]:
    for seat, cards in hands.items():
        yield f"hand {seat}", places.hands[seat], cards
    for at, cards in enumerate(pozzetti):
        yield f"pozzetto {at + 1}", places.pozzetti[at], cards
    yield "the up-card", (places.upcard,), upcard
    yield "the stock", places.stock, stock


def _hands(order: Sequence[int], each: int, first: int) -> dict[int, Sequence[int]]:
    end = first + len(order) * each
    return {seat: range(first + place, end, len(order)) for place, seat in enumerate(order)}
