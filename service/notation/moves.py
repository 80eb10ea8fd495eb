"""Moves as text, and back."""

from collections.abc import Callable, Iterator
from typing import Final

from service.notation.cursor import NO_CARDS, Cursor
from service.notation.lines import SIGN, WORD
from service.notation.match_text import Written
from service.rules import moves as m
from service.rules.cards import NO_CARD, Card, text, texts
from service.rules.melds import MeldKind

BIG_GIN: Final = "big-gin"
PLAIN: Final = {
    "draw": m.DRAW_STOCK,
    "take": m.TAKE_PILE,
    "pass": m.PASS_UPCARD,
    "stalemate": m.DECLARE_STALEMATE,
    "next-deal": m.NEXT_DEAL,
    "resign": m.RESIGN,
    "time-out": m.TIME_OUT_TURN,
    "call-time": m.CALL_TIME,
}
WORD_OF: Final = {move.kind: word for word, move in PLAIN.items()}
SHOWING: Final = frozenset((m.MoveKind.DRAW_STOCK, m.MoveKind.TAKE_PILE))
"""Kinds that may name the card that came with them."""
KIND_OF: Final = {"set": MeldKind.SET, "sequence": MeldKind.SEQUENCE}
WORD_OF_KIND: Final = {kind: word for word, kind in KIND_OF.items()}


def read_move(cursor: Cursor) -> Written:
    """Read one move."""
    at = cursor.at
    word = cursor.one_of(READERS.keys() | PLAIN.keys(), f"a move: {', '.join(sorted((*READERS, *PLAIN)))}").text
    if word in PLAIN:
        move = PLAIN[word]
        return Written(move, cursor.card_if_any() if move.kind in SHOWING else NO_CARD, at)
    return Written(READERS[word](cursor), at=at)


def _meld(cursor: Cursor) -> m.Move:
    kind = next((kind for word, kind in KIND_OF.items() if cursor.took(WORD, word)), None)
    return m.LayMeld(cursor.cards({"as"}), kind, _meant(cursor))


def _lay_off(cursor: Cursor) -> m.Move:
    cards = cursor.cards({"on"}, least=1)
    return m.LayOff(_meld_id(cursor), cards, _meant(cursor))


def _replace(cursor: Cursor) -> m.Move:
    card = cursor.card()
    return m.ReplaceWild(_meld_id(cursor), card)


def _meld_id(cursor: Cursor) -> int:
    cursor.keyword("on")
    return cursor.number("the number of a meld", 1, m.MAX_MELD_ID)


def _meant(cursor: Cursor) -> Card:
    return cursor.card() if cursor.took(WORD, "as") else NO_CARD


def _discard(cursor: Cursor) -> m.Move:
    return m.Discard(cursor.card())


def _knock(cursor: Cursor) -> m.Move:
    return m.Knock(cursor.card(), tuple(_arrangement(cursor)))


def _big_gin(cursor: Cursor) -> m.Move:
    return m.Knock(NO_CARD, tuple(_arrangement(cursor)))


def _arrangement(cursor: Cursor) -> Iterator[bytes]:
    if not cursor.took(WORD, "with"):
        return
    yield cursor.cards()
    for _ in range(1, m.MAX_KNOCK_MELDS):
        if not cursor.took(SIGN, "/"):
            return
        yield cursor.cards()


READERS: Final[dict[str, Callable[[Cursor], m.Move]]] = {
    "meld": _meld,
    "lay-off": _lay_off,
    "discard": _discard,
    "replace": _replace,
    "knock": _knock,
    BIG_GIN: _big_gin,
}


def print_move(move: m.Move, shows: Card = NO_CARD) -> str:
    """Write a move."""
    match move:
        case m.LayMeld(cards, reading, wild_as):
            kind = f"{WORD_OF_KIND[reading]} " if reading else ""
            return f"meld {kind}{print_cards(cards)}{_as(wild_as)}"
        case m.LayOff(meld_id, cards, wild_as):
            return f"lay-off {print_cards(cards)} on {meld_id}{_as(wild_as)}"
        case m.Discard(card):
            return f"discard {text(card)}"
        case m.ReplaceWild(meld_id, card):
            return f"replace {text(card)} on {meld_id}"
        case m.Knock(card, melds):
            arranged = f" with {' / '.join(map(print_cards, melds))}" if melds else ""
            return (f"knock {text(card)}" if card else BIG_GIN) + arranged
    return WORD_OF[move.kind] + (f" {text(shows)}" if shows else "")


def print_cards(cards: bytes) -> str:
    """Write cards in their order."""
    return texts(cards) or NO_CARDS


def _as(card: Card) -> str:
    return f" as {text(card)}" if card else ""
