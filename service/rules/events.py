"""What happened: full events, and the one function that takes out of each what its viewer may not know."""

from typing import NamedTuple, TypeAlias

from service.rules.cards import Card
from service.rules.melds import Meld
from service.rules.options import DiscardVisible, RuleSet
from service.rules.scores import Sheet
from service.rules.state import DealEnd, Result

SPECTATOR = -1
"""The viewer who sits nowhere; seats are numbered from 0."""


class MatchStarted(NamedTuple):
    """The match began."""

    rules: RuleSet
    players: tuple[int, ...]
    draws: tuple[tuple[int, Card, int], ...]
    """Player, card and round of each card drawn for seats."""
    seat: int = SPECTATOR


class Dealt(NamedTuple):
    """A deal was dealt."""

    deal_number: int
    dealer: int
    cut: int
    upcard: Card
    hands: tuple[bytes, ...]
    """By seat; a redacted event has only the viewer's, the others empty."""
    hand_counts: tuple[int, ...]
    stock_count: int
    seat: int = SPECTATOR


class Drew(NamedTuple):
    """A card was drawn from the stock."""

    seat: int
    card: Card
    stock_count: int


class TookPile(NamedTuple):
    """The pile was taken."""

    seat: int
    cards: bytes
    size: int


class Melded(NamedTuple):
    """A meld was laid."""

    seat: int
    meld: Meld


class LaidOff(NamedTuple):
    """Cards were laid off on a meld, which now lies so."""

    seat: int
    cards: bytes
    meld: Meld


class WildMoved(NamedTuple):
    """A wild on the table moved or changed its role; it stands for itself when it is natural."""

    seat: int
    meld_id: int
    card: Card
    was_as: Card
    now_as: Card


class Discarded(NamedTuple):
    """A card was discarded."""

    seat: int
    card: Card


class TookPozzetto(NamedTuple):
    """A pozzetto was taken: directly, or on the discard (B4-27, B4-28)."""

    seat: int
    direct: bool
    size: int
    cards: bytes
    """Empty while its owner may not look at it."""


class PozzettoSeen(NamedTuple):
    """A pozzetto taken on the discard may be looked at now (B4-28)."""

    seat: int
    cards: bytes


class Closed(NamedTuple):
    """The hand was closed (B4-31)."""

    seat: int


class TurnStarted(NamedTuple):
    """A seat's turn began."""

    seat: int


class DealEnded(NamedTuple):
    """The deal ended."""

    deal_end: DealEnd
    hands: tuple[bytes, ...]
    """Every hand, laid open for the count; none when nothing is counted."""
    seat: int = SPECTATOR


class DealScored(NamedTuple):
    """The deal was counted."""

    sheet: Sheet
    seat: int = SPECTATOR


class MatchEnded(NamedTuple):
    """The match ended."""

    result: Result
    points: tuple[int, ...]
    seat: int = SPECTATOR


class TimeCalled(NamedTuple):
    """Time was called (B4-35)."""

    seat: int
    turns_left: int


class StalemateDeclared(NamedTuple):
    """A stalemate was declared (B4-34)."""

    seat: int


class Resigned(NamedTuple):
    """A side gave up the match."""

    seat: int


class TurnTimedOut(NamedTuple):
    """A turn was completed for its seat."""

    seat: int


class StockRenewed(NamedTuple):
    """A pozzetto that nobody took became the stock (row 16)."""

    stock_count: int
    seat: int = SPECTATOR


class WildReplaced(NamedTuple):
    """A joker was recovered from a meld, which now lies so (SC-14)."""

    seat: int
    meld: Meld
    card: Card


class Knocked(NamedTuple):
    """A player knocked, or had gin (GI-7, GI-10)."""

    seat: int
    melds: tuple[bytes, ...]
    deadwood: bytes
    deadwood_points: int


class UpcardPassed(NamedTuple):
    """A player passed the up-card (GI-4)."""

    seat: int


class PlayerOut(NamedTuple):
    """A player is out of the match: at the limit, or by resigning (RA-14, SC-22)."""

    seat: int
    points: int


class PlayerReentered(NamedTuple):
    """A player who had reached the limit came in again with these points (SC-22)."""

    seat: int
    points: int


Event: TypeAlias = (
    MatchStarted
    | Dealt
    | Drew
    | TookPile
    | Melded
    | LaidOff
    | WildMoved
    | Discarded
    | TookPozzetto
    | PozzettoSeen
    | Closed
    | TurnStarted
    | DealEnded
    | DealScored
    | MatchEnded
    | TimeCalled
    | StalemateDeclared
    | Resigned
    | TurnTimedOut
    | StockRenewed
    | WildReplaced
    | Knocked
    | UpcardPassed
    | PlayerOut
    | PlayerReentered
)


def redact(event: Event, viewer: int, rules: RuleSet) -> Event:
    """Take out of an event what the viewer, a seat or SPECTATOR, may not know."""
    top_only = getattr(rules, "discard_visible", None) is DiscardVisible.TOP_ONLY
    match event:
        case Dealt():
            return event._replace(hands=tuple(h if seat == viewer else b"" for seat, h in enumerate(event.hands)))
        case Drew(seat) if seat != viewer:
            return event._replace(card=0)
        case TookPile(seat, cards) if seat != viewer and top_only:
            return event._replace(cards=cards[-1:])
        case TookPozzetto(seat) | PozzettoSeen(seat) if seat != viewer:
            return event._replace(cards=b"")
    return event
