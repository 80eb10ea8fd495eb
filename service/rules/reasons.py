"""Why a move is illegal or a set of rules wrong: the codes, and the rule that each comes from.

Numbers and names are those of `burraco.v1.Reason`, where each is described with its arguments and an example.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple


class Reason(IntEnum):
    """A way to be wrong. Violations of one move come in the order of these numbers."""

    MATCH_OVER = 1
    DEAL_OVER = 2
    DEAL_NOT_OVER = 3
    NOT_YOUR_TURN = 4
    MUST_DRAW_FIRST = 5
    ALREADY_DRAWN = 6
    MOVE_NOT_IN_GAME = 7
    MOVE_AFTER_REVEAL = 8
    PLAYER_IS_OUT = 9
    CARD_NOT_IN_HAND = 20
    STOCK_EMPTY = 30
    PILE_EMPTY = 31
    PILE_BARRED_TO_ONE_CARD = 32
    PILE_TOP_NOT_USABLE = 33
    PILE_NEEDS_EARLIER_MELD = 34
    PILE_NEEDS_MELD = 35
    MUST_MELD_TOP_CARD = 36
    MUST_MELD_FIRST = 37
    TOO_FEW_CARDS = 40
    TOO_MANY_CARDS = 41
    TOO_MANY_WILDS = 42
    NOT_ENOUGH_NATURALS = 43
    NEITHER_SET_NOR_SEQUENCE = 44
    SEQUENCE_REPEATS_RANK = 45
    SEQUENCE_HAS_GAP = 46
    SEQUENCE_GOES_ROUND = 47
    SET_RANK_NOT_ALLOWED = 48
    DUPLICATE_SET = 49
    DUPLICATE_SEQUENCE = 50
    READING_NOT_POSSIBLE = 51
    READING_AMBIGUOUS = 52
    MELD_NOT_FOUND = 60
    MELD_OF_OTHER_SIDE = 61
    MELD_HAS_WILD = 62
    RANK_DOES_NOT_MATCH = 63
    SUIT_DOES_NOT_MATCH = 64
    SLOT_TAKEN = 65
    NATURAL_TWO_STAYS = 66
    MUST_KEEP_TWO = 70
    MUST_KEEP_CLOSING_DISCARD = 71
    LAST_CARD_NOT_DISCARDABLE = 72
    DISCARD_WAS_WHOLE_PILE = 80
    CLOSE_NEEDS_BURRACO = 81
    CLOSE_NEEDS_CLEAN_BURRACO = 82
    CLOSE_WITH_WILD = 83
    CLOSE_NEEDS_POZZETTO = 84
    NO_STALEMATE = 90
    STALEMATE_AFTER_DRAW = 91
    TIME_ALREADY_CALLED = 92
    DISCARD_WAS_TAKEN = 110
    TOO_MUCH_DEADWOOD = 111
    KNOCK_MELDS_WRONG = 112
    NO_UPCARD_TO_PASS = 113
    UPCARD_WAS_PASSED = 114
    UPCARD_OFFERED = 115
    OPENING_TOO_LOW = 120
    NOT_OPENED = 121
    RECOVERED_JOKER_UNUSED = 122
    NO_WILD_TO_REPLACE = 123
    REPLACEMENT_DOES_NOT_MATCH = 124
    DISCARD_FITS_A_MELD = 125
    CLOSE_IN_FIRST_ROUND = 126
    CLOSE_NEEDS_DISCARD = 127
    SET_REPEATS_SUIT = 128
    ACE_PLACE = 129
    OPENING_WITH_JOKER = 130
    PILE_BEFORE_OPENING = 131
    PRESET_UNKNOWN = 200
    GAME_NOT_BUILT = 201
    OPTION_MISSING = 202
    OPTION_OUT_OF_RANGE = 203
    OPTIONS_CONTRADICT = 204
    OPTIONS_OF_OTHER_GAME = 205


RULE_OF: Final[Mapping[Reason, str]] = {
    Reason.MATCH_OVER: "B4-42",
    Reason.DEAL_OVER: "B4-31",
    Reason.DEAL_NOT_OVER: "B4-8",
    Reason.NOT_YOUR_TURN: "B4-3",
    Reason.MUST_DRAW_FIRST: "B4-15",
    Reason.ALREADY_DRAWN: "B4-15",
    Reason.MOVE_NOT_IN_GAME: "B4-15",
    Reason.MOVE_AFTER_REVEAL: "no-look-ahead",
    Reason.PLAYER_IS_OUT: "RA-14",
    Reason.CARD_NOT_IN_HAND: "B4-15",
    Reason.STOCK_EMPTY: "B4-33",
    Reason.PILE_EMPTY: "B4-15",
    Reason.PILE_BARRED_TO_ONE_CARD: "row 8",
    Reason.PILE_TOP_NOT_USABLE: "R2",
    Reason.PILE_NEEDS_EARLIER_MELD: "row 6",
    Reason.PILE_NEEDS_MELD: "row 6",
    Reason.MUST_MELD_TOP_CARD: "R2",
    Reason.MUST_MELD_FIRST: "row 6",
    Reason.TOO_FEW_CARDS: "B4-19",
    Reason.TOO_MANY_CARDS: "B4-20",
    Reason.TOO_MANY_WILDS: "B4-20",
    Reason.NOT_ENOUGH_NATURALS: "B4-20",
    Reason.NEITHER_SET_NOR_SEQUENCE: "B4-19",
    Reason.SEQUENCE_REPEATS_RANK: "B4-21",
    Reason.SEQUENCE_HAS_GAP: "B4-21",
    Reason.SEQUENCE_GOES_ROUND: "B4-21",
    Reason.SET_RANK_NOT_ALLOWED: "row 19",
    Reason.DUPLICATE_SET: "B4-22",
    Reason.DUPLICATE_SEQUENCE: "R11",
    Reason.READING_NOT_POSSIBLE: "§1.0",
    Reason.READING_AMBIGUOUS: "§1.0",
    Reason.MELD_NOT_FOUND: "B4-16",
    Reason.MELD_OF_OTHER_SIDE: "B4-16",
    Reason.MELD_HAS_WILD: "B4-23",
    Reason.RANK_DOES_NOT_MATCH: "B4-20",
    Reason.SUIT_DOES_NOT_MATCH: "B4-21",
    Reason.SLOT_TAKEN: "B4-21",
    Reason.NATURAL_TWO_STAYS: "R5",
    Reason.MUST_KEEP_TWO: "R1",
    Reason.MUST_KEEP_CLOSING_DISCARD: "R1",
    Reason.LAST_CARD_NOT_DISCARDABLE: "R1",
    Reason.DISCARD_WAS_WHOLE_PILE: "B4-17",
    Reason.CLOSE_NEEDS_BURRACO: "B4-31",
    Reason.CLOSE_NEEDS_CLEAN_BURRACO: "row 11",
    Reason.CLOSE_WITH_WILD: "B4-31",
    Reason.CLOSE_NEEDS_POZZETTO: "B4-31",
    Reason.NO_STALEMATE: "B4-34",
    Reason.STALEMATE_AFTER_DRAW: "B4-34",
    Reason.TIME_ALREADY_CALLED: "B4-35",
    Reason.DISCARD_WAS_TAKEN: "RA-8",
    Reason.TOO_MUCH_DEADWOOD: "GI-7",
    Reason.KNOCK_MELDS_WRONG: "GI-6",
    Reason.NO_UPCARD_TO_PASS: "GI-4",
    Reason.UPCARD_WAS_PASSED: "GI-4",
    Reason.UPCARD_OFFERED: "GI-4",
    Reason.OPENING_TOO_LOW: "SC-9",
    Reason.NOT_OPENED: "SC-15",
    Reason.RECOVERED_JOKER_UNUSED: "SC-14",
    Reason.NO_WILD_TO_REPLACE: "SC-14",
    Reason.REPLACEMENT_DOES_NOT_MATCH: "SC-14",
    Reason.DISCARD_FITS_A_MELD: "SC-16",
    Reason.CLOSE_IN_FIRST_ROUND: "SC-17",
    Reason.CLOSE_NEEDS_DISCARD: "SC-17",
    Reason.SET_REPEATS_SUIT: "SC-11",
    Reason.ACE_PLACE: "SC-12",
    Reason.OPENING_WITH_JOKER: "SC-10",
    Reason.PILE_BEFORE_OPENING: "SC-6",
    Reason.PRESET_UNKNOWN: "§2.1",
    Reason.GAME_NOT_BUILT: "§2.1",
    Reason.OPTION_MISSING: "§2.1",
    Reason.OPTION_OUT_OF_RANGE: "§2.1",
    Reason.OPTIONS_CONTRADICT: "§2.1",
    Reason.OPTIONS_OF_OTHER_GAME: "§2.1",
}
"""The rule behind each reason: an id of the rule book, or a row of its option table (§2.1)."""


class Violation(NamedTuple):
    """One way in which a move is wrong."""

    reason: Reason
    cards: bytes = b""
    meld_id: int = 0
    arguments: tuple[tuple[str, str], ...] = ()
    """What the text is filled with, sorted by name."""


Violations = tuple[Violation, ...]


def violation(reason: Reason, cards: bytes = b"", meld_id: int = 0, **arguments: object) -> Violation:
    """Make a violation; the arguments' values are written as text."""
    named = tuple(sorted((name, str(value)) for name, value in arguments.items())) if arguments else ()
    return Violation(reason, bytes(sorted(cards)), meld_id, named)
