"""Whole matches of every preset at random, to their end: 10 of each by default, 10,000 in all in the full profile."""

from collections import Counter
from typing import Any, Final

import pytest

from service.rules.events import DealScored, MatchEnded
from service.rules.games import PRESETS, game_of
from service.rules.options import Game, Preset
from service.rules.state import UNCOUNTED, MatchEnd, Phase, State
from tests.games.play import steps
from tests.support.profile import FULL

CHUNKS: Final = 10 if FULL else 2
MATCHES: Final = -(-10_000 // (CHUNKS * len(PRESETS))) if FULL else 5
"""Matches of a preset in a chunk."""
MOST_MOVES: Final = 60_000
"""No match at random comes near to so many moves."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_random_matches_end(preset: Preset, chunk: int) -> None:
    """Each match comes to a result that its points bear out; every counted deal was added to them."""
    ends: Counter[str] = Counter()
    for seed in range(chunk * MATCHES, (chunk + 1) * MATCHES):
        state = play(preset, seed)
        assert state.result is not None
        ends[state.result.match_end.name] += 1
        check_result(state)
    assert sum(ends.values()) == MATCHES
    assert MatchEnd.RESIGNED.name not in ends


def play(preset: Preset, seed: int) -> State:
    """Play a match to its end, its deals counted on the way."""
    state, deals, over = None, 0, 0
    for step in steps(PRESETS[preset], seed, MOST_MOVES, keenly=True):
        state = step.state
        scored = [event for event in step.after.events if isinstance(event, DealScored)]
        ended = [event for event in step.after.events if isinstance(event, MatchEnded)]
        deals += len(scored)
        over += len(ended)
        assert state.deals_scored == deals
        assert bool(scored) == (state.over and not step.before.over and state.deal_end not in UNCOUNTED)
        if scored:
            before = step.before.points
            sheet = scored[0].sheet
            assert sheet.match_points == state.points
            added = tuple(old + new for old, new in zip(before, sheet.deal_points, strict=True))
            assert added == state.points
        if ended:
            assert ended[0].result == state.result
            assert ended[0].points == state.points
    assert state is not None
    assert state.phase is Phase.MATCH_OVER, f"{preset.name} {seed} has not ended"
    assert over == 1
    return state


def check_result(state: State) -> None:
    """Winners have the most points, or the fewest penalties, of what the game goes by."""
    rules: Any = state.match.rules
    result = state.result
    assert result is not None
    assert result.winning_sides
    if rules.game in {Game.RAMINO, Game.SCALA_40}:
        assert result.match_end is MatchEnd.LAST_PLAYER
        in_it = [seat for seat, points in enumerate(state.points) if points < rules.limit]
        assert len(in_it) <= 1
        assert list(result.winning_sides) == in_it or not in_it
    else:
        best = max(state.points)
        assert [state.points[side] for side in result.winning_sides] == [best] * len(result.winning_sides)
        reached = rules.target and best >= rules.target
        assert (result.match_end is MatchEnd.TARGET) == bool(reached)
    assert game_of(state).sheet(state) is not None
