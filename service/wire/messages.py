"""From messages to values: moves, viewers, cards. A Fault names the field that is wrong."""

from collections.abc import Sequence
from typing import Final

from burraco.v1 import cards_pb2, melds_pb2, moves_pb2, reasons_pb2
from service.rules import moves as m
from service.rules.cards import IS_CARD
from service.rules.events import SPECTATOR
from service.rules.melds import MeldKind
from service.wire.faults import Fault

MAX_MOVES: Final = 64
MAX_CARDS: Final = 108
MAX_VIEWERS: Final = 7

PLAIN: Final = {
    "draw_stock": m.DRAW_STOCK,
    "take_pile": m.TAKE_PILE,
    "pass_upcard": m.PASS_UPCARD,
    "declare_stalemate": m.DECLARE_STALEMATE,
    "next_deal": m.NEXT_DEAL,
    "resign": m.RESIGN,
    "time_out_turn": m.TIME_OUT_TURN,
    "call_time": m.CALL_TIME,
}


def too_many(field: str, count: int, most: int) -> Fault:
    """Say that a list is too long."""
    return Fault(
        field,
        reasons_pb2.REASON_TOO_MANY_ITEMS,
        f"has {count} entries, at most {most} are taken.",
        count=count,
        max=most,
    )


LENGTH: Final = "has a length of"
"""What `out_of_range` says of a length."""


def missing(field: str, what: str) -> Fault:
    """Say that a required field is missing."""
    return Fault(field, reasons_pb2.REASON_FIELD_MISSING, f"is missing: {what}")


def out_of_range(field: str, value: int, least: int, most: int, what: str = "is") -> Fault:
    """Say that a number, or the length of a field, is out of range."""
    text = f"{what} {value}, but has to be {least if least == most else f'{least} to {most}'}."
    return Fault(field, reasons_pb2.REASON_FIELD_OUT_OF_RANGE, text, value=value, min=least, max=most)


def unknown_enum(field: str, value: int, what: str) -> Fault:
    """Say that a number is none of its enum."""
    return Fault(field, reasons_pb2.REASON_ENUM_UNKNOWN, f"is {value}, which is no {what}.", value=value)


def read_cards(cards: Sequence[int], field: str, most: int = MAX_CARDS) -> bytes:
    """Read cards in any order."""
    if len(cards) > most:
        raise too_many(field, len(cards), most)
    for at, card in enumerate(cards):
        if card not in IS_CARD:
            raise unknown_enum(f"{field}[{at}]", card, "card")
    return bytes(cards)


def read_card(card: int, field: str) -> int:
    """Read one card."""
    if card not in IS_CARD:
        if not card:
            raise missing(field, "name a card.")
        raise unknown_enum(field, card, "card")
    return card


def _optional_card(card: int, field: str) -> int:
    return read_card(card, field) if card else 0


def read_reading(reading: melds_pb2.MeldReading, field: str) -> tuple[MeldKind | None, int]:
    """Read the kind and the wild's meaning that a caller wants."""
    if reading.kind not in (0, *MeldKind):
        raise unknown_enum(f"{field}.kind", reading.kind, "kind of meld")
    kind = MeldKind(reading.kind) if reading.kind else None
    return kind, _optional_card(reading.wild_as, f"{field}.wild_as")


def read_seat(seat: int, players: int, field: str = "seat") -> int:
    """Read a seat."""
    if seat >= players:
        raise out_of_range(field, seat, 0, players - 1)
    return seat


def read_moves(moves: Sequence[moves_pb2.Move]) -> list[m.Move]:
    """Read the moves of a call, at least one."""
    if not moves:
        raise missing("moves", "send at least one move.")
    if len(moves) > MAX_MOVES:
        raise too_many("moves", len(moves), MAX_MOVES)
    return [read_move(move, f"moves[{at}]") for at, move in enumerate(moves)]


def read_move(move: moves_pb2.Move, field: str) -> m.Move:
    """Read one move."""
    kind = move.WhichOneof("kind")
    match kind:
        case None:
            raise missing(field, "set one kind of move.")
        case "meld":
            cards = read_cards(move.meld.cards, f"{field}.meld.cards")
            return m.LayMeld(cards, *read_reading(move.meld.reading, f"{field}.meld.reading"))
        case "lay_off":
            cards = read_cards(move.lay_off.cards, f"{field}.lay_off.cards")
            if not cards:
                raise missing(f"{field}.lay_off.cards", "name the cards to lay off.")
            meld_id = _meld_id(move.lay_off.meld_id, f"{field}.lay_off.meld_id")
            return m.LayOff(meld_id, cards, _optional_card(move.lay_off.wild_as, f"{field}.lay_off.wild_as"))
        case "discard":
            return m.Discard(read_card(move.discard.card, f"{field}.discard.card"))
        case "replace_wild":
            meld_id = _meld_id(move.replace_wild.meld_id, f"{field}.replace_wild.meld_id")
            return m.ReplaceWild(meld_id, read_card(move.replace_wild.card, f"{field}.replace_wild.card"))
        case "knock":
            return _knock(move.knock, f"{field}.knock")
    return PLAIN[kind]


def _knock(knock: moves_pb2.Knock, field: str) -> m.Knock:
    if len(knock.melds) > m.MAX_KNOCK_MELDS:
        raise too_many(f"{field}.melds", len(knock.melds), m.MAX_KNOCK_MELDS)
    melds = tuple(read_cards(group.cards, f"{field}.melds[{at}].cards") for at, group in enumerate(knock.melds))
    return m.Knock(_optional_card(knock.discard, f"{field}.discard"), melds)


def _meld_id(meld_id: int, field: str) -> int:
    if not 1 <= meld_id <= m.MAX_MELD_ID:
        raise out_of_range(field, meld_id, 1, m.MAX_MELD_ID)
    return meld_id


def read_viewer(viewer: cards_pb2.Viewer, players: int, field: str = "viewer") -> int:
    """Read a viewer: a seat, or SPECTATOR."""
    match viewer.WhichOneof("who"):
        case "seat":
            return read_seat(viewer.seat, players, f"{field}.seat")
        case "spectator":
            return SPECTATOR
    raise missing(field, "set a seat, or spectator.")


def read_viewers(viewers: Sequence[cards_pb2.Viewer], players: int) -> list[int]:
    """Read the viewers of a call; none may be empty."""
    if len(viewers) > MAX_VIEWERS:
        raise too_many("viewers", len(viewers), MAX_VIEWERS)
    return [read_viewer(viewer, players, f"viewers[{at}]") for at, viewer in enumerate(viewers)]


def read_hand_order(order: int) -> int:
    """Read how hands are sorted."""
    if order not in cards_pb2.HandOrder.values():
        raise unknown_enum("hand_order", order, "order of a hand")
    return order
