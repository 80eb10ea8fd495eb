"""Edge cases of Gin: E63 to E72, and E75 where it is about Gin."""

import pytest

from service.rules.cards import parse
from service.rules.events import TookPile
from service.rules.gin.deadwood import best_defence, plane_of
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN
from service.rules.hand import hand_of
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, PASS_UPCARD, TAKE_PILE
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, MatchEnd, Phase, Result, Turn
from tests.gin.words import (
    after,
    applied,
    card,
    drop,
    faults,
    held,
    is_accepted,
    knock,
    lines,
    on_table,
    refused,
    rules,
    sheet_of,
    table,
)


def test_e63_ten_may_knock_eleven_may_not() -> None:
    """A deadwood of exactly 10 may knock, 11 may not."""
    ten = table("4S 5S 6S 7C 8C 9C AH 2D 3H 4D KS")
    eleven = table("4S 5S 6S 7C 8C 9C AH 2D 3H 5D KS")

    assert is_accepted(ten, knock("KS"))
    (fault,) = faults(eleven, knock("KS"))
    assert (fault.reason, dict(fault.arguments)) == (Reason.TOO_MUCH_DEADWOOD, {"deadwood": "11", "limit": "10"})


def test_e65_equal_deadwood_is_an_undercut() -> None:
    """Knocker 7, defender 7: the defender scores 0 and 25."""
    outcome = applied(table("4S 5S 6S 7C KS", "7D"), knock("KS"))
    assert lines(sheet_of(outcome), 1) == [(ScoreItem.DEADWOOD_DIFFERENCE, 0), (ScoreItem.UNDERCUT, 25)]
    assert (outcome.state.points, outcome.state.deals_won) == ((0, 25), (0, 1))


def test_e65_strictly_the_knocker_wins_nothing() -> None:
    """Without `undercut_on_tie` the knocker wins the deal, with no point."""
    outcome = applied(table("4S 5S 6S 7C KS", "7D", options=rules(undercut_on_tie=False)), knock("KS"))
    assert lines(sheet_of(outcome), 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 0)]
    assert (outcome.state.points, outcome.state.deals_won) == ((0, 0), (1, 0))


def test_e67_the_undercutter_gets_the_game() -> None:
    """An undercut pushes the defender past 100: he gets the game bonus, not the knocker."""
    outcome = applied(table("4S 5S 6S 8C KS", "3H", points=(95, 80), won=(3, 2)), knock("KS"))

    assert lines(sheet_of(outcome), 1) == [
        (ScoreItem.DEADWOOD_DIFFERENCE, 5),
        (ScoreItem.UNDERCUT, 25),
        (ScoreItem.GAME, 100),
        (ScoreItem.BOX, 75),
    ]
    assert outcome.state.result == Result(MatchEnd.TARGET, (1,))
    assert outcome.state.points == (95 + 75, 110 + 100 + 75)


def test_e68_nothing_is_laid_off_on_deadwood() -> None:
    """The knocker's deadwood is 4C 4D: the defender's 4H cannot be laid off, a pair is no meld."""
    outcome = applied(table("5S 6S 7S 4C 4D KS", "4H KD"), knock("KS"))
    assert on_table(outcome.state) == ["5S 6S 7S"]
    assert held(outcome.state, 1) == "4H KD"
    assert sheet_of(outcome).deal_points == (6, 0)


def test_e68_only_on_melds_chains_included() -> None:
    """On 5S 6S 7S go 8S and then 9S; 9S alone does not."""
    run = [plane_of(parse("5S 6S 7S"))]
    assert best_defence(plane_of(parse("8S 9S KD")), run).deadwood == 10
    assert best_defence(plane_of(parse("9S KD")), run).deadwood == 19


def test_e70_not_the_card_just_taken() -> None:
    """Taking QD and discarding QD is illegal; drawn from the stock it is legal."""
    state = table("4S 9H", "5C", pile="QD", stock="QC", phase=Phase.DRAW)
    (fault,) = faults(after(state, TAKE_PILE), drop("QD"))
    assert (fault.reason, dict(fault.arguments)) == (Reason.DISCARD_WAS_TAKEN, {"card": "QD"})
    assert is_accepted(after(state, DRAW_STOCK), drop("QC"))


def test_e70_nor_with_a_knock() -> None:
    """Nor may one knock with it."""
    state = table("4S 5S 6S QD", "5C", turn=Turn(taken=card("QD")))
    assert refused(state, knock("QD")) == [Reason.DISCARD_WAS_TAKEN]
    assert GIN_GAME.legal_moves(state, 0, 100).groups == ()


def test_e71_both_passed_so_the_first_draw_is_from_the_stock() -> None:
    """Both pass the up-card and the non-dealer wants it after all: no."""
    state = after(table("4S 9H", "5C", pile="QD", phase=Phase.UPCARD), PASS_UPCARD, PASS_UPCARD)
    assert refused(state, TAKE_PILE) == [Reason.UPCARD_WAS_PASSED]

    later = after(state, DRAW_STOCK, drop("4S"))
    assert TookPile(1, bytes([card("4S")]), 1) in applied(later, TAKE_PILE).events


def test_e72_void_at_two() -> None:
    """Stock 2 left and no knock: void, same dealer."""
    state = table("4S 9H", "5C", stock_count=3, phase=Phase.DRAW, dealer=1)
    state = after(state, DRAW_STOCK, drop("9H"))
    assert (state.deal_end, len(state.stock)) == (DealEnd.VOID, 2)
    assert after(state, NEXT_DEAL).dealer == 1


@pytest.mark.parametrize("cards", ["QS KS AS", "JS QS KS AS"])
def test_e75_no_high_ace_in_gin(cards: str) -> None:
    """QS KS AS is no sequence in Gin, and the ace is what is wrong with it."""
    selection = hand_of(parse(cards))
    assert GIN_GAME.readings(selection, GIN) == []
    (fault,) = GIN_GAME.why_not_read(selection, GIN)
    assert (fault.reason, fault.cards) == (Reason.ACE_PLACE, parse("AS"))
