"""Moves. Cards are in no order; whoever makes a move need not own them."""

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from service.rules.cards import NO_CARD, Card
from service.rules.melds import MeldKind


class MoveKind(IntEnum):
    """The kinds of move."""

    DRAW_STOCK = 1
    TAKE_PILE = 2
    MELD = 3
    LAY_OFF = 4
    DISCARD = 5
    REPLACE_WILD = 6
    KNOCK = 7
    PASS_UPCARD = 8
    DECLARE_STALEMATE = 9
    NEXT_DEAL = 10
    RESIGN = 11
    TIME_OUT_TURN = 12
    CALL_TIME = 13


MAX_KNOCK_MELDS = 4
MAX_MELD_ID = 10_000
BACK_END_KINDS = frozenset((MoveKind.TIME_OUT_TURN, MoveKind.CALL_TIME))
"""Kinds that only a back end may send."""


class Plain(NamedTuple):
    """A move without arguments."""

    kind: MoveKind


class LayMeld(NamedTuple):
    """Lay a new meld (B4-19)."""

    cards: bytes
    reading: MeldKind | None = None
    """The kind that the mover wants; None leaves it open."""
    wild_as: Card = NO_CARD
    """What the mover wants the wild to stand for; NO_CARD leaves it open."""
    kind: MoveKind = MoveKind.MELD


class LayOff(NamedTuple):
    """Add cards to a meld on the table; only the result has to be legal (B4-16)."""

    meld_id: int
    cards: bytes
    wild_as: Card = NO_CARD
    kind: MoveKind = MoveKind.LAY_OFF


class Discard(NamedTuple):
    """Discard one card and end the turn (B4-15)."""

    card: Card
    kind: MoveKind = MoveKind.DISCARD


class ReplaceWild(NamedTuple):
    """Recover a joker (SC-14)."""

    meld_id: int
    card: Card
    kind: MoveKind = MoveKind.REPLACE_WILD


class Knock(NamedTuple):
    """Knock (GI-7)."""

    discard: Card
    melds: tuple[bytes, ...] = ()
    kind: MoveKind = MoveKind.KNOCK


Move: TypeAlias = Plain | LayMeld | LayOff | Discard | ReplaceWild | Knock

DRAW_STOCK = Plain(MoveKind.DRAW_STOCK)
TAKE_PILE = Plain(MoveKind.TAKE_PILE)
PASS_UPCARD = Plain(MoveKind.PASS_UPCARD)
DECLARE_STALEMATE = Plain(MoveKind.DECLARE_STALEMATE)
NEXT_DEAL = Plain(MoveKind.NEXT_DEAL)
RESIGN = Plain(MoveKind.RESIGN)
TIME_OUT_TURN = Plain(MoveKind.TIME_OUT_TURN)
CALL_TIME = Plain(MoveKind.CALL_TIME)


def canonical(seat: int, move: Move) -> bytes:
    """Write a move in the one form that the hash chain covers: equal moves have equal bytes in every language."""
    head = bytes((1, seat, move.kind))
    match move:
        case Plain():
            return head
        case LayMeld(cards, reading, wild_as):
            return head + bytes((reading or 0, wild_as, len(cards))) + bytes(sorted(cards))
        case LayOff(meld_id, cards, wild_as):
            return head + meld_id.to_bytes(4, "big") + bytes((wild_as, len(cards))) + bytes(sorted(cards))
        case Discard(card):
            return head + bytes((card,))
        case ReplaceWild(meld_id, card):
            return head + meld_id.to_bytes(4, "big") + bytes((card,))
        case Knock(discard, melds):
            groups = b"".join(bytes((len(cards),)) + bytes(sorted(cards)) for cards in melds)
            return head + bytes((discard, len(melds))) + groups
