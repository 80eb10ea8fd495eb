"""Whole matches at random, to their end, without an exception: 60 by default, more than 1,000 in the full profile."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.options import BurracoRules, Preset, VictoryPoints
from service.rules.presets import FIBUR, ITALIAN
from service.rules.state import DealEnd, MatchEnd, Phase
from tests.support.bridge import Reached
from tests.support.games import EAGER, STYLES, Style, match_steps
from tests.support.profile import FULL, examples
from tests.support.strategies import REALE, rule_sets

CHUNKS = 12
MATCHES_IN_CHUNK = 100 if FULL else 5
MOST_DEALS = 300
"""No match of the presets at random comes near to so many."""

ONE_DEAL = replace(FIBUR, deals_per_match=1, victory_points=VictoryPoints.NONE)

PRESETS = (
    (ITALIAN, EAGER),
    (FIBUR, EAGER),
    (replace(REALE, deals_per_match=3, target=0), EAGER),
    *((ONE_DEAL, style) for style in STYLES[2:]),
)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_B4_42_random_matches_end(chunk: int) -> None:
    ends: Counter[str] = Counter()
    for seed in range(chunk * MATCHES_IN_CHUNK, (chunk + 1) * MATCHES_IN_CHUNK):
        rules, style = PRESETS[seed % len(PRESETS)]
        _play(rules, style, seed, ends)
    assert ends[MatchEnd.TARGET.name] + ends[MatchEnd.DEALS_PLAYED.name] == MATCHES_IN_CHUNK


def _play(rules: BurracoRules, style: Style, seed: int, ends: Counter[str]) -> None:
    state = None
    for step in match_steps(rules, seed, style, deals=MOST_DEALS):
        state = step.after.state
        if state.over:
            ends[state.deal_end.name] += 1
    assert state is not None
    assert state.phase is Phase.MATCH_OVER
    assert state.result is not None
    assert (state.result.match_end is MatchEnd.TARGET) == (rules.preset is Preset.ITALIAN)
    ends[state.result.match_end.name] += 1


@examples(60)
@given(rule_sets(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_B4_31_deals_end_under_any_options(rules: BurracoRules, seed: int, style: Style) -> None:
    *_, last = match_steps(rules, seed, style, deals=6)
    assert last.after.state.over


def test_B4_31_random_matches_end_their_deals_in_every_way() -> None:
    ends = Reached()
    for seed in range(12):
        for style in (EAGER, STYLES[4], STYLES[6]):
            _play(ONE_DEAL, style, seed, ends)
    ends.demand(*(end.name for end in (DealEnd.CLOSED, DealEnd.STOCK, DealEnd.STALEMATE_AUTOMATIC, DealEnd.TIME)))
