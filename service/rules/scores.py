"""Score sheets as values: every point of a deal, line by line."""

from enum import IntEnum
from typing import NamedTuple

from service.rules.state import NOBODY, DealEnd


class ScoreItem(IntEnum):
    """What a line counts."""

    MELD_CARDS = 1
    CLEAN_BURRACO = 2
    SEMI_CLEAN_BURRACO = 3
    DIRTY_BURRACO = 4
    LONG_RUN = 5
    CLOSING = 6
    POZZETTO_NOT_TAKEN = 7
    HAND_CARDS = 8
    POZZETTO_NOT_PLAYED = 9
    PENALTY_CARDS = 10
    CLOSED_IN_HAND = 11
    DEADWOOD_DIFFERENCE = 12
    GIN = 13
    UNDERCUT = 14
    GAME = 15
    BOX = 16
    SHUTOUT = 17
    HALVED = 18


RULE_OF_ITEM = {
    ScoreItem.MELD_CARDS: "B4-37",
    ScoreItem.CLEAN_BURRACO: "B4-38",
    ScoreItem.SEMI_CLEAN_BURRACO: "B4-38",
    ScoreItem.DIRTY_BURRACO: "B4-38",
    ScoreItem.LONG_RUN: "row 3",
    ScoreItem.CLOSING: "B4-38",
    ScoreItem.POZZETTO_NOT_TAKEN: "B4-38",
    ScoreItem.HAND_CARDS: "B4-37",
    ScoreItem.POZZETTO_NOT_PLAYED: "B4-39",
    ScoreItem.PENALTY_CARDS: "RA-14",
    ScoreItem.CLOSED_IN_HAND: "RA-11",
    ScoreItem.DEADWOOD_DIFFERENCE: "GI-9",
    ScoreItem.GIN: "GI-10",
    ScoreItem.UNDERCUT: "GI-9",
    ScoreItem.GAME: "GI-14",
    ScoreItem.BOX: "GI-14",
    ScoreItem.SHUTOUT: "GI-14",
    ScoreItem.HALVED: "B3-3",
}


class Line(NamedTuple):
    """One line of a score sheet."""

    item: ScoreItem
    points: int
    meld_id: int = 0
    seat: int = NOBODY


class Sheet(NamedTuple):
    """A counted deal."""

    lines: tuple[tuple[Line, ...], ...]
    """Lines of each side."""
    deal_points: tuple[int, ...]
    match_points: tuple[int, ...] = ()
    """Match points of each side, this deal included."""
    deal_number: int = 0
    deal_end: DealEnd = DealEnd.NOT_ENDED
    closed_by_side: int = NOBODY
