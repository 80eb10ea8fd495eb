"""Each reason for which Gin refuses a move or a selection, produced by a tiny example."""

from typing import NamedTuple

import pytest

from service.rules.cards import parse, texts
from service.rules.games import RefusedBatch, play_all
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN
from service.rules.hand import hand_of
from service.rules.moves import (
    CALL_TIME,
    DRAW_STOCK,
    NEXT_DEAL,
    PASS_UPCARD,
    RESIGN,
    TAKE_PILE,
    Move,
)
from service.rules.reasons import RULE_OF, Reason
from service.rules.state import Phase, State, Turn
from tests.gin.words import after, card, drop, knock, refused, table


class Example(NamedTuple):
    """A seat's moves, of which the last is refused for one reason only."""

    state: State
    moves: tuple[Move, ...]
    cards: str = ""
    """Cards that the violation names."""
    arguments: tuple[tuple[str, str], ...] = ()
    seat: int = 0


def example(state: State, *moves: Move, cards: str = "", seat: int = 0, **arguments: object) -> Example:
    """Make an example."""
    return Example(state, moves, cards, tuple((name, str(arguments[name])) for name in sorted(arguments)), seat)


TO_DRAW = table("4S 9H KD", "5C", pile="QD", phase=Phase.DRAW)
OFFERED = table("4S 9H KD", "5C", pile="QD", phase=Phase.UPCARD)
KNOCKED = after(table("4S 5S 6S KS", "5C"), knock("KS"))

EXAMPLES = {
    Reason.MATCH_OVER: example(after(table(), RESIGN), DRAW_STOCK),
    Reason.DEAL_OVER: example(KNOCKED, DRAW_STOCK),
    Reason.DEAL_NOT_OVER: example(TO_DRAW, NEXT_DEAL),
    Reason.NOT_YOUR_TURN: example(TO_DRAW, DRAW_STOCK, seat=1, turn=0),
    Reason.MUST_DRAW_FIRST: example(TO_DRAW, drop("KD")),
    Reason.ALREADY_DRAWN: example(TO_DRAW, TAKE_PILE, DRAW_STOCK),
    Reason.MOVE_NOT_IN_GAME: example(TO_DRAW, CALL_TIME, game="Gin"),
    Reason.MOVE_AFTER_REVEAL: example(TO_DRAW, DRAW_STOCK, drop("KD")),
    Reason.CARD_NOT_IN_HAND: example(table("4S 9H", "5C"), drop("5C"), cards="5C"),
    Reason.STOCK_EMPTY: example(TO_DRAW._replace(stock=b""), DRAW_STOCK),
    Reason.PILE_EMPTY: example(TO_DRAW._replace(discard=b""), TAKE_PILE),
    Reason.DISCARD_WAS_TAKEN: example(TO_DRAW, TAKE_PILE, drop("QD"), cards="QD", card="QD"),
    Reason.TOO_MUCH_DEADWOOD: example(table("4S 8H KD", "5C"), knock("KD"), deadwood=12, limit=10),
    Reason.KNOCK_MELDS_WRONG: example(table("4S 5S 6S 7S KD", "5C"), knock("KD", "4S 5S 7S"), cards="4S 5S 7S"),
    Reason.NO_UPCARD_TO_PASS: example(TO_DRAW, PASS_UPCARD),
    Reason.UPCARD_WAS_PASSED: example(after(OFFERED, PASS_UPCARD, PASS_UPCARD), TAKE_PILE),
    Reason.CLOSE_NEEDS_DISCARD: example(table("4S 5S 6S", "5C"), knock("")),
}

SELECTIONS = {
    "7S 8S": [(Reason.TOO_FEW_CARDS, "7S 8S", {"count": "2", "min": "3"})],
    "7S": [(Reason.TOO_FEW_CARDS, "7S", {"count": "1", "min": "3"})],
    "7S 8H": [
        (Reason.TOO_FEW_CARDS, "7S 8H", {"count": "2", "min": "3"}),
        (Reason.NEITHER_SET_NOR_SEQUENCE, "7S 8H", {}),
    ],
    "7S 7H 7D 7C 7C": [
        (Reason.TOO_MANY_CARDS, "", {"count": "5", "max": "4"}),
        (Reason.SET_REPEATS_SUIT, "7C", {}),
    ],
    "7S 7S 7H": [(Reason.SET_REPEATS_SUIT, "7S", {})],
    "7S 8S 9H": [(Reason.NEITHER_SET_NOR_SEQUENCE, "7S 8S 9H", {})],
    "7S 8S JK": [(Reason.NEITHER_SET_NOR_SEQUENCE, "JK", {})],
    "7S 8S 8S 9S": [(Reason.SEQUENCE_REPEATS_RANK, "8S", {})],
    "7S 7S": [
        (Reason.TOO_FEW_CARDS, "7S 7S", {"count": "2", "min": "3"}),
        (Reason.SET_REPEATS_SUIT, "7S", {}),
    ],
    "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS KS": [
        (Reason.TOO_MANY_CARDS, "", {"count": "14", "max": "13"}),
        (Reason.SEQUENCE_REPEATS_RANK, "KS", {}),
    ],
    "4S 6S 8S": [(Reason.SEQUENCE_HAS_GAP, "4S 6S 8S", {})],
    "AS 2S 9S KS": [(Reason.SEQUENCE_HAS_GAP, "AS 2S 9S KS", {})],
    "AS 9S KS": [(Reason.SEQUENCE_HAS_GAP, "AS 9S KS", {})],
    "AS 2S KS": [(Reason.SEQUENCE_GOES_ROUND, "AS 2S KS", {})],
    "AS QS KS": [(Reason.ACE_PLACE, "AS", {})],
}
"""Selections that are no meld, and everything wrong with them."""


@pytest.mark.parametrize("reason", EXAMPLES, ids=lambda reason: reason.name)
def test_reason(reason: Reason) -> None:
    """The example is refused for this reason alone, with the cards and the arguments that it is about."""
    state, moves, cards, arguments, seat = EXAMPLES[reason]
    outcome = play_all(state, seat, moves, look_ahead=False)

    assert isinstance(outcome, RefusedBatch)
    assert outcome.move_index == len(moves) - 1
    (fault,) = outcome.violations
    assert (fault.reason, texts(fault.cards), fault.arguments) == (reason, cards, arguments)
    assert RULE_OF[reason]


@pytest.mark.parametrize("cards", SELECTIONS)
def test_why_a_selection_is_no_meld(cards: str) -> None:
    """Everything wrong with a selection is told."""
    selection = hand_of(parse(cards))
    assert GIN_GAME.readings(selection, GIN) == []
    found = [
        (fault.reason, texts(fault.cards), dict(fault.arguments)) for fault in GIN_GAME.why_not_read(selection, GIN)
    ]
    assert found == SELECTIONS[cards]


@pytest.mark.parametrize("cards", ["7S 7H 7D", "7S 7H 7D 7C", "2S 2H 2D", "AS 2S 3S", "JS QS KS"])
def test_a_selection_that_is_a_meld_has_one_reading(cards: str) -> None:
    """A set or a sequence is read in one way, and is worth its deadwood value; twos are cards like others."""
    selection = hand_of(parse(cards))
    (meld,) = GIN_GAME.readings(selection, GIN)
    assert meld.cards == selection.cards()
    assert meld.wild_at == -1
    expected = sum(min(number & 15, 10) for number in meld.cards)
    assert GIN_GAME.meld_value(meld, GIN) == (expected, 0, 0)


def test_several_reasons_in_order() -> None:
    """A move that is wrong in several ways is told all of them, in the order of their numbers."""
    assert refused(TO_DRAW, drop("5C")) == [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND]
    assert refused(OFFERED._replace(stock=b""), DRAW_STOCK) == [Reason.STOCK_EMPTY, Reason.UPCARD_OFFERED]
    assert refused(table("4S QD KD 9H 8C", turn=Turn(taken=card("QD"))), knock("QD", "4S")) == [
        Reason.DISCARD_WAS_TAKEN,
        Reason.KNOCK_MELDS_WRONG,
    ]
