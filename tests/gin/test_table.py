"""ScoreDeal for people at a real table, by GI-9 to GI-12."""

import pytest

from service.rules.cards import parse
from service.rules.game import TableFault, TableSide
from service.rules.gin.deadwood import meld_of, plane_of
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN, GinRules, Oklahoma
from service.rules.hand import hand_of
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem, Sheet
from service.rules.state import NOBODY, DealEnd, MatchEnd, Result
from tests.gin.words import GIN_HAND, applied, knock, lines, rules, sheet_of, table


def side(hand: str, *melds: str) -> TableSide:
    """What a player has before him."""
    laid = tuple(meld_of(plane_of(parse(meld)), at) for at, meld in enumerate(melds, 1))
    return TableSide(laid, (hand_of(parse(hand)),) if hand else ())


def counted(*sides: TableSide, closed_by: int = 0, options: GinRules = GIN) -> Sheet:
    """Count."""
    return GIN_GAME.count_table(options, sides, closed_by, False)


def test_gi_9_the_difference() -> None:
    """The knocker scores the difference; the sheet says how the deal ended, and who knocked."""
    sheet = counted(side("2C", "4S 5S 6S"), side("JD 9H"))
    assert lines(sheet, 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 17)]
    assert (sheet.deal_points, sheet.deal_end, sheet.closed_by_side) == ((17, 0), DealEnd.KNOCK, 0)


def test_gi_9_undercut() -> None:
    """A defender with as little is the winner."""
    assert counted(side("3C", "4S 5S 6S"), side("2D AD"), closed_by=0).deal_points == (0, 25)
    assert counted(side("2D AD"), side("3C", "4S 5S 6S"), closed_by=1).deal_points == (25, 0)


@pytest.mark.parametrize(
    "defender",
    [side("JD 9H 8C 8D 8H"), side("JD 9H", "8C 8D 8H"), side("JD 9H 8C 8D 8H 7S"), side("JD 9H 7S", "8C 8D 8H")],
)
def test_gi_8_it_does_not_matter_what_the_defender_has_done_already(defender: TableSide) -> None:
    """Melds in his hand are found, and what can be laid off on the knocker's melds is laid off."""
    assert counted(side("2C", "4S 5S 6S"), defender).deal_points == (17, 0)


def test_gi_8_what_is_laid_off_may_lie_on_the_knockers_melds() -> None:
    """The same if the lay-offs have been made."""
    assert counted(side("2C", "4S 5S 6S 7S"), side("JD 9H", "8C 8D 8H")).deal_points == (17, 0)


def test_gi_10_gin_when_the_hand_is_empty() -> None:
    """A knocker without deadwood has gin, and nothing is laid off."""
    sheet = counted(side("", "4S 5S 6S", "7H 7D 7C", "10D JD QD KD"), side("3S 7S"))
    assert lines(sheet, 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 10), (ScoreItem.GIN, 25)]
    assert sheet.deal_end is DealEnd.GIN


def test_gi_11_eleven_cards_are_big_gin() -> None:
    """Where it exists; elsewhere nobody has eleven cards in melds."""
    eleven = side("", "4S 5S 6S", "7H 7D 7C", "9D 10D JD QD KD")
    assert counted(eleven, side("3S"), options=rules(big_gin_bonus=31)).deal_points == (34, 0)
    with pytest.raises(TableFault) as caught:
        counted(eleven, side("3S"))
    assert (caught.value.side, caught.value.field) == (0, "melds")


def test_gi_12_nobody_knocked() -> None:
    """A deal without a knock is void: nobody scores."""
    sheet = counted(side("2C"), side("JD"), closed_by=NOBODY)
    assert (sheet.deal_points, sheet.deal_end, sheet.lines) == ((0, 0), DealEnd.VOID, ((), ()))


@pytest.mark.parametrize(
    ("sides", "closed_by", "options", "at", "reason"),
    [
        ((side("KC AC", "4S 5S 6S"), side("JD")), 0, GIN, (0, "hands"), Reason.TOO_MUCH_DEADWOOD),
        ((side("3C", "4S 5S 6S"), side("JD")), 0, rules(knock_limit=2), (0, "hands"), Reason.TOO_MUCH_DEADWOOD),
        (
            (side("JD"), side("AC KC", "4S 5S 6S")),
            1,
            rules(oklahoma=Oklahoma.ACE_IS_ONE),
            (1, "hands"),
            Reason.TOO_MUCH_DEADWOOD,
        ),
        ((side("2C", "4S 5S 6S"), side("AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD")), 0, GIN, (1, "hands"), None),
        (
            (side("2C AC", "4S 5S 6S 7S 8S 9S", "JD QD KD"), side("3H AD 2D 4D 6D 7D 8D 9D KC KH")),
            0,
            GIN,
            (0, "hands"),
            None,
        ),
    ],
)
def test_what_cannot_be_is_refused(
    sides: tuple[TableSide, ...], closed_by: int, options: GinRules, at: tuple[int, str], reason: Reason | None
) -> None:
    """No deal ends like that: which side, which field, why."""
    with pytest.raises(TableFault) as caught:
        counted(*sides, closed_by=closed_by, options=options)
    fault = caught.value
    assert ((fault.side, fault.field), fault.reason) == (at, reason)
    assert fault.text.endswith(".")


def test_e67_the_result_of_a_match_at_a_table() -> None:
    """Whoever has reached the target has won; level totals decide nothing."""
    result = GIN_GAME.table_result
    assert result(GIN, (0, 0), (99, 60), 5) is None
    assert result(GIN, (0, 0), (60, 101), 5) == Result(MatchEnd.TARGET, (1,))
    assert result(GIN, (0, 0), (101, 101), 5) is None


def test_a_table_counts_as_a_match_does() -> None:
    """The same cards give the same points in a match."""
    outcome = applied(table(f"{GIN_HAND} KS", "AD 3H"), knock("KS"))
    at_a_table = counted(side("", "4S 5S 6S", "7H 7D 7C", "10D JD QD KD"), side("AD 3H"))
    assert at_a_table.lines == sheet_of(outcome).lines
