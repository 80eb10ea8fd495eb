"""GI-13 and GI-14: the next dealer, the end of a match, its bonuses."""

from collections.abc import Sequence

import pytest

from service.rules.events import DealScored, MatchEnded
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GinRules, Shutout
from service.rules.moves import NEXT_DEAL, RESIGN
from service.rules.options import NextDealer
from service.rules.outcome import Applied
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import MatchEnd, Phase, Result, State
from tests.gin.words import CLASSIC, after, applied, drop, knock, lines, names, only, refused, rules, sheet_of, table

ALL_CLASSIC = rules(CLASSIC, shutout=Shutout.FLAT_100)
"""The classic scale (row 39)."""


def wins_12(points: Sequence[int] = (0, 0), won: Sequence[int] = (0, 0), **fields: object) -> State:
    """Seat 0 wins 12 points by knocking with KS."""
    return table("4S 5S 6S 2C KS", "8H 6H", points=points, won=won, **fields)  # type: ignore[arg-type]


def undercut_30(points: Sequence[int] = (0, 0), won: Sequence[int] = (0, 0), **fields: object) -> State:
    """Seat 0 is undercut if he knocks with KS: seat 1 scores 5 and the bonus."""
    return table("4S 5S 6S 8C KS", "3H", points=points, won=won, **fields)  # type: ignore[arg-type]


def ended(state: State) -> Applied:
    """Knock."""
    return applied(state, knock("KS"))


# --- GI-13 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize(
    ("option", "after_winning", "after_undercut"),
    [(NextDealer.LOSER, 1, 0), (NextDealer.WINNER, 0, 1), (NextDealer.LEFT, None, None)],
)
def test_gi_13_next_dealer(
    option: NextDealer, after_winning: int | None, after_undercut: int | None, dealer: int
) -> None:
    """The loser of the deal deals the next one, or its winner, or the players in turn; the undercutter is a winner."""
    options = rules(next_dealer=option)
    for state, expected in ((wins_12, after_winning), (undercut_30, after_undercut)):
        over = ended(state(options=options, dealer=dealer)).state
        new = after(over, NEXT_DEAL)
        assert new.dealer == (1 - dealer if expected is None else expected)
        assert (new.seat, new.phase, new.deal_number) == (1 - new.dealer, Phase.UPCARD, 2)


def test_gi_13_next_deal_by_anyone_after_the_count() -> None:
    """Either seat may ask for the next deal, and only once the deal is over; it starts afresh."""
    over = ended(wins_12()).state
    new = applied(over, NEXT_DEAL, seat=1)
    assert names(new.events) == ["Dealt", "TurnStarted"]
    assert (new.state.melds, new.state.knocker, new.state.closed_by, new.state.passes) == ((), -1, -1, 0)
    assert (new.state.points, new.state.deals_won) == ((12, 0), (1, 0))
    assert new.revealed
    assert refused(wins_12(), NEXT_DEAL) == [Reason.DEAL_NOT_OVER]
    assert refused(over, drop("KS")) == [Reason.DEAL_OVER]


# --- GI-14 ------------------------------------------------------------------------------------------------------------


def test_gi_14_the_match_ends_at_100() -> None:
    """With 99 points the match goes on, with 100 it is over; then each deal won and the game earn their bonuses."""
    assert ended(wins_12((87, 40), (3, 2))).state.phase is Phase.DEAL_OVER

    outcome = ended(wins_12((88, 40), (3, 2)))
    assert names(outcome.events)[-2:] == ["DealScored", "MatchEnded"]
    sheet = sheet_of(outcome)
    assert lines(sheet, 0) == [
        (ScoreItem.DEADWOOD_DIFFERENCE, 12),
        (ScoreItem.GAME, 100),
        (ScoreItem.BOX, 100),
    ]
    assert lines(sheet, 1) == [(ScoreItem.BOX, 50)]
    assert sheet.deal_points == (212, 50)
    assert sheet.match_points == outcome.state.points == (300, 90)
    assert outcome.state.result == Result(MatchEnd.TARGET, (0,))
    assert only(outcome.events, MatchEnded) == MatchEnded(Result(MatchEnd.TARGET, (0,)), (300, 90))
    assert refused(outcome.state, NEXT_DEAL) == [Reason.MATCH_OVER]


def test_gi_14_the_winner_is_who_reached_the_target() -> None:
    """Whoever reached the target has won, even if the other has more with his boxes."""
    outcome = ended(wins_12((88, 99), (0, 9)))
    assert outcome.state.points == (100 + 100 + 25, 99 + 225)
    assert outcome.state.result == Result(MatchEnd.TARGET, (0,))


@pytest.mark.parametrize(
    ("shutout", "line", "total"),
    [
        (Shutout.NONE, None, 100 + 100 + 50),
        (Shutout.DOUBLE_BONUSES, 150, 100 + 2 * (100 + 50)),
        (Shutout.DOUBLE_TOTAL, 250, 2 * (100 + 100 + 50)),
        (Shutout.FLAT_100, 100, 100 + 100 + 50 + 100),
    ],
)
def test_gi_14_shutout(shutout: Shutout, line: int | None, total: int) -> None:
    """If the loser has won no deal, the winner gets what `shutout` says."""
    outcome = ended(wins_12((88, 0), (1, 0), options=rules(shutout=shutout)))

    extra = [points for item, points in lines(sheet_of(outcome), 0) if item is ScoreItem.SHUTOUT]
    assert extra == ([] if line is None else [line])
    assert outcome.state.points == (total, 0)
    assert GIN_GAME.sheet(outcome.state) == sheet_of(outcome)


@pytest.mark.parametrize("shutout", Shutout)
def test_gi_14_no_shutout_if_the_loser_has_won_a_deal(shutout: Shutout) -> None:
    """One deal won by the loser is enough, whatever it scored."""
    outcome = ended(wins_12((88, 0), (1, 1), options=rules(shutout=shutout)))
    assert outcome.state.points == (100 + 100 + 50, 25)
    assert GIN_GAME.sheet(outcome.state) == sheet_of(outcome)


def test_gi_14_the_classic_scale() -> None:
    """20 for gin and each deal, 10 for an undercut, 100 for the game and 100 for a shutout."""
    outcome = ended(wins_12((88, 0), (2, 0), options=ALL_CLASSIC))
    assert lines(sheet_of(outcome), 0)[1:] == [
        (ScoreItem.GAME, 100),
        (ScoreItem.BOX, 60),
        (ScoreItem.SHUTOUT, 100),
    ]
    assert outcome.state.points == (360, 0)


@pytest.mark.parametrize(("target", "over"), [(10, True), (100, False)])
def test_gi_14_another_target(target: int, over: bool) -> None:
    """`target` is another number of points."""
    assert (ended(wins_12(options=rules(target=target))).state.phase is Phase.MATCH_OVER) == over


def sheet_is_recomputed(outcome: Applied) -> None:
    """The finished state gives the same sheet as the event."""
    assert GIN_GAME.sheet(outcome.state) == only(outcome.events, DealScored).sheet


@pytest.mark.parametrize("options", [rules(), ALL_CLASSIC, rules(shutout=Shutout.DOUBLE_TOTAL)])
def test_gi_14_the_sheet_is_read_from_the_finished_state(options: GinRules) -> None:
    """Whoever has only the state finds the sheet in it, bonuses included, before and after the end of the match."""
    for state in (
        wins_12(options=options),
        wins_12((95, 3), (1, 0), options=options),
        undercut_30((1, 90), (1, 1), options=options),
        undercut_30((1, 90), (0, 1), options=options),
    ):
        sheet_is_recomputed(ended(state))


def test_gi_14_no_bonus_after_a_resignation() -> None:
    """Resigning after a count leaves its sheet and the points as they were."""
    over = ended(wins_12((40, 0), (1, 0)))
    state = after(over.state, RESIGN)
    assert state.points == (52, 0)
    assert GIN_GAME.sheet(state) == sheet_of(over)
    assert state.result == Result(MatchEnd.RESIGNED, (1,))
