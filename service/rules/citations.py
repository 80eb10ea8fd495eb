"""Which rule of the book a reason, or a line of a score sheet, comes from: each game has rules of its own.

What a game does not name here is cited as `reasons.RULE_OF` and `scores.RULE_OF_ITEM` have it.
"""

from collections.abc import Mapping
from typing import Final

from service.rules.options import Game
from service.rules.reasons import RULE_OF, Reason
from service.rules.scores import RULE_OF_ITEM, ScoreItem

_RAMINO: Final[Mapping[Reason, str]] = {
    Reason.MATCH_OVER: "RA-14",
    Reason.DEAL_OVER: "RA-10",
    Reason.DEAL_NOT_OVER: "RA-4",
    Reason.NOT_YOUR_TURN: "RA-4",
    Reason.MUST_DRAW_FIRST: "RA-5",
    Reason.ALREADY_DRAWN: "RA-5",
    Reason.MOVE_NOT_IN_GAME: "RA-5",
    Reason.PLAYER_IS_OUT: "RA-14",
    Reason.CARD_NOT_IN_HAND: "RA-5",
    Reason.STOCK_EMPTY: "RA-12",
    Reason.PILE_EMPTY: "RA-5",
    Reason.TOO_FEW_CARDS: "RA-6",
    Reason.TOO_MANY_CARDS: "RA-6",
    Reason.TOO_MANY_WILDS: "RA-6",
    Reason.NOT_ENOUGH_NATURALS: "RA-6",
    Reason.NEITHER_SET_NOR_SEQUENCE: "RA-6",
    Reason.SEQUENCE_REPEATS_RANK: "RA-6",
    Reason.SEQUENCE_HAS_GAP: "RA-6",
    Reason.SEQUENCE_GOES_ROUND: "RA-7",
    Reason.ACE_PLACE: "RA-7",
    Reason.SET_REPEATS_SUIT: "RA-6",
    Reason.READING_NOT_POSSIBLE: "RA-6",
    Reason.READING_AMBIGUOUS: "RA-6",
    Reason.MELD_NOT_FOUND: "RA-9",
    Reason.MELD_HAS_WILD: "RA-9",
    Reason.RANK_DOES_NOT_MATCH: "RA-9",
    Reason.SUIT_DOES_NOT_MATCH: "RA-9",
    Reason.SLOT_TAKEN: "RA-9",
    Reason.NOT_OPENED: "RA-9",
    Reason.MUST_KEEP_CLOSING_DISCARD: "RA-10",
    Reason.LAST_CARD_NOT_DISCARDABLE: "RA-10",
    Reason.CLOSE_NEEDS_DISCARD: "RA-10",
    Reason.DISCARD_WAS_TAKEN: "RA-8",
}

_GIN: Final[Mapping[Reason, str]] = {
    Reason.MATCH_OVER: "GI-14",
    Reason.DEAL_OVER: "GI-12",
    Reason.DEAL_NOT_OVER: "GI-13",
    Reason.NOT_YOUR_TURN: "GI-5",
    Reason.MUST_DRAW_FIRST: "GI-5",
    Reason.ALREADY_DRAWN: "GI-5",
    Reason.MOVE_NOT_IN_GAME: "GI-5",
    Reason.CARD_NOT_IN_HAND: "GI-5",
    Reason.STOCK_EMPTY: "GI-12",
    Reason.PILE_EMPTY: "GI-5",
    Reason.TOO_FEW_CARDS: "GI-6",
    Reason.TOO_MANY_CARDS: "GI-6",
    Reason.NEITHER_SET_NOR_SEQUENCE: "GI-6",
    Reason.SEQUENCE_REPEATS_RANK: "GI-6",
    Reason.SEQUENCE_HAS_GAP: "GI-6",
    Reason.SEQUENCE_GOES_ROUND: "GI-3",
    Reason.ACE_PLACE: "GI-3",
    Reason.SET_REPEATS_SUIT: "GI-6",
    Reason.READING_NOT_POSSIBLE: "GI-6",
    Reason.DISCARD_WAS_TAKEN: "GI-5",
    Reason.CLOSE_NEEDS_DISCARD: "GI-7",
}

_SCALA_40: Final[Mapping[Reason, str]] = {
    Reason.MATCH_OVER: "SC-22",
    Reason.DEAL_OVER: "SC-18",
    Reason.DEAL_NOT_OVER: "SC-3",
    Reason.NOT_YOUR_TURN: "SC-5",
    Reason.MUST_DRAW_FIRST: "SC-5",
    Reason.ALREADY_DRAWN: "SC-5",
    Reason.MOVE_NOT_IN_GAME: "SC-5",
    Reason.PLAYER_IS_OUT: "SC-22",
    Reason.CARD_NOT_IN_HAND: "SC-5",
    Reason.STOCK_EMPTY: "SC-20",
    Reason.PILE_EMPTY: "SC-7",
    Reason.PILE_TOP_NOT_USABLE: "SC-6",
    Reason.MUST_MELD_TOP_CARD: "SC-6",
    Reason.TOO_FEW_CARDS: "SC-12",
    Reason.TOO_MANY_CARDS: "SC-12",
    Reason.TOO_MANY_WILDS: "SC-13",
    Reason.NOT_ENOUGH_NATURALS: "SC-13",
    Reason.NEITHER_SET_NOR_SEQUENCE: "SC-12",
    Reason.SEQUENCE_REPEATS_RANK: "SC-12",
    Reason.SEQUENCE_HAS_GAP: "SC-12",
    Reason.SEQUENCE_GOES_ROUND: "SC-12",
    Reason.ACE_PLACE: "SC-12",
    Reason.READING_NOT_POSSIBLE: "SC-13",
    Reason.READING_AMBIGUOUS: "SC-13",
    Reason.MELD_NOT_FOUND: "SC-15",
    Reason.MELD_HAS_WILD: "SC-13",
    Reason.RANK_DOES_NOT_MATCH: "SC-15",
    Reason.SUIT_DOES_NOT_MATCH: "SC-15",
    Reason.SLOT_TAKEN: "SC-15",
    Reason.MUST_KEEP_CLOSING_DISCARD: "SC-17",
    Reason.LAST_CARD_NOT_DISCARDABLE: "SC-17",
    Reason.CLOSE_NEEDS_DISCARD: "SC-17",
    Reason.DISCARD_WAS_TAKEN: "SC-8",
}

_OF_GAME: Final[Mapping[Game, Mapping[Reason, str]]] = {
    Game.RAMINO: _RAMINO,
    Game.GIN: _GIN,
    Game.SCALA_40: _SCALA_40,
}

_ITEMS: Final[Mapping[Game, Mapping[ScoreItem, str]]] = {
    Game.SCALA_40: {ScoreItem.PENALTY_CARDS: "SC-21", ScoreItem.CLOSED_IN_HAND: "SC-19"},
}


def rule_of(reason: Reason, game: Game) -> str:
    """The rule behind a reason in a game."""
    return _OF_GAME.get(game, {}).get(reason) or RULE_OF[reason]


def rule_of_item(item: ScoreItem, game: Game) -> str:
    """The rule behind a line of a score sheet in a game."""
    return _ITEMS.get(game, {}).get(item) or RULE_OF_ITEM[item]
