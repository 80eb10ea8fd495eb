"""§2.2: how a difference of match points becomes victory points."""

import pytest

from service.rules.burraco.score import victory_points
from service.rules.events import MatchEnded
from service.rules.options import BurracoRules
from service.rules.presets import FIBUR
from service.rules.state import MatchEnd, Result
from tests.rules.words import after, applied, drop, only, ready_to_close
from tests.support.tables import rules

THREE_DEALS = [
    ((10, 10), 0, 50),
    ((11, 9), 55, 150),
    ((12, 8), 155, 250),
    ((13, 7), 255, 350),
    ((14, 6), 355, 500),
    ((15, 5), 505, 650),
    ((16, 4), 655, 800),
    ((17, 3), 805, 1000),
    ((18, 2), 1005, 1250),
    ((19, 1), 1255, 1500),
    ((20, 0), 1505, 5000),
]
FOUR_DEALS = [
    ((10, 10), 0, 100),
    ((11, 9), 105, 300),
    ((12, 8), 305, 500),
    ((13, 7), 505, 700),
    ((14, 6), 705, 900),
    ((15, 5), 905, 1100),
    ((16, 4), 1105, 1300),
    ((17, 3), 1305, 1500),
    ((18, 2), 1505, 1700),
    ((19, 1), 1705, 2000),
    ((20, 0), 2005, 5000),
]


@pytest.mark.parametrize(("points", "least", "most"), THREE_DEALS)
def test_vp_three_deals(points: tuple[int, int], least: int, most: int) -> None:
    """Over three deals each row of the table holds from its least difference to its greatest."""
    assert victory_points(least, 3) == points
    assert victory_points(most, 3) == points


@pytest.mark.parametrize(("points", "least", "most"), FOUR_DEALS)
def test_vp_four_deals(points: tuple[int, int], least: int, most: int) -> None:
    """Over four deals each row of the table holds from its least difference to its greatest."""
    assert victory_points(least, 4) == points
    assert victory_points(most, 4) == points


@pytest.mark.parametrize("deals", [3, 4])
@pytest.mark.parametrize("difference", [1, 52, 53, 1501, -5])
def test_vp_difference_is_a_multiple_of_5(difference: int, deals: int) -> None:
    """A difference that is no multiple of 5 cannot arise, and is refused."""
    with pytest.raises(ValueError, match="multiples of 5"):
        victory_points(difference, deals)


@pytest.mark.parametrize("deals", [0, 1, 2, 5, 8])
def test_vp_tables_for_three_and_four_deals_only(deals: int) -> None:
    """There are tables for three and four deals only."""
    with pytest.raises(ValueError, match="no table"):
        victory_points(100, deals)


def last_deal(points: tuple[int, int], options: BurracoRules = FIBUR) -> Result | None:
    """Let seat 0 close the last deal, worth 340 to its side and -120 to the other, from these match points."""
    state = ready_to_close(options, points=points, deals_scored=options.deals_per_match - 1)
    return after(state, drop("9C")).result


@pytest.mark.parametrize(
    ("points", "winners", "won"),
    [
        ((0, 460), (0, 1), (10, 10)),
        ((0, 360), (0,), (10, 10)),  # 100 points ahead
        ((0, 355), (0,), (11, 9)),  # 105
        ((0, 565), (1,), (9, 11)),  # 105 behind
        ((0, -1540), (0,), (19, 1)),  # 2000
        ((0, -1545), (0,), (20, 0)),  # 2005
        ((0, 2465), (1,), (0, 20)),  # 2005 behind
    ],
)
def test_vp_at_the_end_of_a_match_of_four(points: tuple[int, int], winners: tuple[int, ...], won: object) -> None:
    """After the fourth deal the difference of match points is turned into victory points, side by side."""
    assert last_deal(points) == Result(MatchEnd.DEALS_PLAYED, winners, won)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ahead", "won"), [(50, (10, 10)), (55, (11, 9)), (1500, (19, 1)), (1505, (20, 0))])
def test_vp_at_the_end_of_a_match_of_three(ahead: int, won: tuple[int, int]) -> None:
    """After the third deal the table for three deals holds."""
    result = last_deal((0, 460 - ahead), rules(FIBUR, deals_per_match=3))

    assert result == Result(MatchEnd.DEALS_PLAYED, (0,), won)


def test_vp_are_told_with_the_end_of_the_match() -> None:
    """The victory points are part of the result that everyone is told."""
    outcome = applied(ready_to_close(FIBUR, points=(0, 360), deals_scored=3), drop("9C"))

    assert only(outcome.events, MatchEnded).result.victory_points == (10, 10)
