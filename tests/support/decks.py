"""Decks that deal a table of the test's choice: the opposite of dealing."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.burraco.dealing import LEAST_CUT
from service.rules.cards import JOKER, parse
from service.rules.games import game_with
from service.rules.options import Game
from service.rules.rummy.terms import terms_of

NO_HANDS: Mapping[int, str] = {}


def stacked(
    rules: Any,  # noqa: ANN401  # any game's rules
    dealer: int = 0,
    hands: Mapping[int, str] = NO_HANDS,
    pozzetti: Sequence[str] = (),
    upcard: str = "",
    stock: str = "",
    sizes: Sequence[int] = (),
) -> bytes:
    """A deck, its top card first, that deals these cards in the first deal; where none are named, others of the deck.

    A hand or pozzetto may be named in part. `stock` is what lies on top of it. `sizes` are those of the pozzetti, where
    they are not of 11; `dealer` has to be the deal's.
    """
    left = list(game_with(rules).deck(rules))
    burraco = rules.game is Game.BURRACO
    sizes = sizes or ((11, 11) if burraco and rules.players != 3 else (18, 11) if burraco else ())
    each = _hand_size(rules)
    named_hands = [_take(left, hands.get(seat, "")) for seat in range(rules.players)]
    named_pozzetti = [_take(left, cards) for cards in (*pozzetti, "", "", "")[: len(sizes)]]
    top, below = _take(left, upcard), _take(left, stock)
    # A joker turned up would be put back at Scala 40, so it is not left for the up-card.
    left.sort(key=lambda card: (card == JOKER, (card * 37) % 101))
    if not top:
        top = bytes((left.pop(0),))
    whole_hands = [_fill(left, cards, each) for cards in named_hands]
    whole_pozzetti = [_fill(left, cards, size) for cards, size in zip(named_pozzetti, sizes, strict=True)]
    order = [(dealer + 1 + place) % rules.players for place in range(rules.players)]
    dealt = bytes(whole_hands[seat][card] for card in range(each) for seat in order)
    rest = bytes(below) + bytes(left)
    if burraco and rules.players == 4:
        lifted = bytearray(LEAST_CUT)
        for first, cards in enumerate(whole_pozzetti):
            for place, card in enumerate(cards):
                lifted[LEAST_CUT - 1 - first - 2 * place] = card
        return bytes(lifted) + dealt + top + rest
    return dealt + b"".join(whole_pozzetti) + top + rest


def _hand_size(rules: Any) -> int:  # noqa: ANN401  # see stacked
    if rules.game is Game.BURRACO:
        return int(rules.hand_size)
    if rules.game is Game.GIN:
        return 10
    return terms_of(rules).cards_each


def _take(left: list[int], text: str) -> bytes:
    cards = parse(text)
    for card in cards:
        left.remove(card)
    return cards


def _fill(left: list[int], cards: bytes, size: int) -> bytes:
    missing = size - len(cards)
    assert missing >= 0, f"{len(cards)} cards, but there is room for {size}"
    filled = cards + bytes(left[:missing])
    del left[:missing]
    return filled
