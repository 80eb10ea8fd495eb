"""Counting a deal, and the end of a match (GI-9 … GI-14)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.gin.deadwood import least_deadwood, points
from service.rules.gin.judge import rules_of
from service.rules.gin.options import GinRules, Shutout
from service.rules.scores import Line, ScoreItem, Sheet
from service.rules.state import DealEnd, MatchEnd, Result, State

SIDES: Final = 2
MELDED_AT_BIG_GIN: Final = 11
FLAT_SHUTOUT: Final = 100
COUNTED: Final = frozenset((DealEnd.KNOCK, DealEnd.GIN))
"""Ends of a deal that is counted."""

Lines = tuple[tuple[Line, ...], ...]
"""Lines of each side."""


class Finish(NamedTuple):
    """A deal that somebody has knocked."""

    knocker: int
    """His side."""
    knocking: int
    """The knocker's deadwood."""
    defending: int
    """The defender's, after laying off."""
    gin: bool = False
    big_gin: bool = False


class DealCount(NamedTuple):
    """A counted deal: who won it, and with what."""

    winner: int
    lines: tuple[Line, ...]


def other(side: int) -> int:
    """The other side."""
    return 1 - side


def count_deal(finish: Finish, rules: GinRules) -> DealCount:
    """Count a deal (GI-9, GI-10, GI-11)."""
    difference = finish.defending - finish.knocking
    scored = Line(ScoreItem.DEADWOOD_DIFFERENCE, abs(difference))
    if finish.gin:
        bonus = rules.big_gin_bonus if finish.big_gin else rules.gin_bonus
        return DealCount(finish.knocker, (scored, Line(ScoreItem.GIN, bonus)))
    # E65: equal deadwood is an undercut, or else the knocker wins nothing.
    if difference < 0 or (difference == 0 and rules.undercut_on_tie):
        return DealCount(other(finish.knocker), (scored, Line(ScoreItem.UNDERCUT, rules.undercut_bonus)))
    return DealCount(finish.knocker, (scored,))


def finish_of(state: State) -> Finish:
    """Read from a state how its deal ended: the knocker's hand is his deadwood, and what was laid off is laid off."""
    knocker = state.side_of(state.knocker)
    gin = state.deal_end is DealEnd.GIN
    return Finish(
        knocker,
        points(state.hands[state.knocker].once),
        least_deadwood(state.hands[other(knocker)].once),
        gin,
        gin and sum(len(meld.cards) for meld in state.melds) == MELDED_AT_BIG_GIN,
    )


def count_state(state: State) -> DealCount:
    """Count a deal that somebody has knocked, bonuses of the match left out."""
    return count_deal(finish_of(state), rules_of(state))


def of_winner(count: DealCount) -> Lines:
    """The lines of both sides: the loser of a deal has none."""
    return tuple(count.lines if side == count.winner else () for side in range(SIDES))


def sheet_of(lines: Lines) -> Sheet:
    """A score sheet of lines alone."""
    return Sheet(lines, tuple(sum(line.points for line in side) for side in lines))


# --- the end of a match -----------------------------------------------------------------------------------------------


def winner_of(totals: Sequence[int], rules: GinRules) -> int | None:
    """The side that has reached the target, whoever knocked (GI-14, E67); None while nobody has."""
    best = max(totals)
    return totals.index(best) if best >= rules.target and totals.count(best) == 1 else None


def match_lines(winner: int, total: int, won: Sequence[int], rules: GinRules) -> Lines:
    """Bonuses at the end of a match (GI-14): for the game, for each deal that either won, for a shutout.

    `total` are the winner's points without bonuses, asked for only where a shutout doubles them; `won` are the deals
    that each side has won.
    """
    lines = [[Line(ScoreItem.BOX, rules.box_bonus * deals)] if deals else [] for deals in won]
    lines[winner].insert(0, Line(ScoreItem.GAME, rules.game_bonus))
    if not won[other(winner)] and rules.shutout is not Shutout.NONE:
        bonuses = sum(line.points for line in lines[winner])
        worth = {
            Shutout.DOUBLE_BONUSES: bonuses,
            Shutout.DOUBLE_TOTAL: total + bonuses,
            Shutout.FLAT_100: FLAT_SHUTOUT,
        }
        lines[winner].append(Line(ScoreItem.SHUTOUT, worth[rules.shutout]))
    return tuple(map(tuple, lines))


def _doubled_total(state: State, winner: int) -> int:
    """The winner's points without bonuses, from his final ones, if a shutout has doubled his whole total."""
    rules = rules_of(state)
    return state.points[winner] // 2 - rules.game_bonus - rules.box_bonus * state.deals_won[winner]


def sheet(state: State) -> Sheet | None:
    """The score sheet of a deal that is over and counted, the bonuses of a match that it ended included; else None."""
    if not state.over or state.deal_end not in COUNTED:
        return None
    lines = of_winner(count_state(state))
    result = state.result
    if result and result.match_end is MatchEnd.TARGET:
        (winner,) = result.winning_sides
        bonuses = match_lines(winner, _doubled_total(state, winner), state.deals_won, rules_of(state))
        lines = tuple(deal + bonus for deal, bonus in zip(lines, bonuses, strict=True))
    return sheet_of(lines)._replace(
        match_points=state.points,
        deal_number=state.deal_number,
        deal_end=state.deal_end,
        closed_by_side=state.side_of(state.knocker),
    )


def table_result(rules: GinRules, _before: Sequence[int], totals: Sequence[int], _deals: int) -> Result | None:
    """The result of a match at a real table, from points without bonuses; None while it goes on."""
    winner = winner_of(totals, rules)
    return None if winner is None else Result(MatchEnd.TARGET, (winner,))
