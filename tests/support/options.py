"""Values for the options of any game, from the tables that describe them."""

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from service.rules.game import Game
from service.rules.option_types import BoolOption, NameOption, NumberOption, Option
from service.rules.options import Preset, RuleSet


def accepted_values(option: Option) -> list[Any]:
    """Every value of an option that is accepted, or both ends and some between."""
    if isinstance(option, BoolOption):
        return [False, True] if option.only is None else [option.only]
    if isinstance(option, NameOption):
        return [value for value, _ in option.values]
    if option.only:
        return list(option.only)
    middle = (option.least + option.most) // 2
    return [*([0] if option.zero_means_none else []), option.least, middle, option.most]


def random_values(game: Game, rng: random.Random) -> dict[str, Any]:
    """A value in range for each option of a game, which may contradict one another."""
    return {option.key: rng.choice(accepted_values(option)) for option in game.options}


def any_value(option: Option) -> st.SearchStrategy[Any]:
    """Any value of an option that is accepted, the ends of a range more often than what is between."""
    ends = st.sampled_from(accepted_values(option))
    if isinstance(option, NumberOption) and not option.only:
        return ends | st.integers(option.least, option.most)
    return ends


@st.composite
def valid_rules(draw: st.DrawFn, game: Game) -> Any:  # noqa: ANN401  # the game's own rules
    """Rules of a game: a preset, or with some options changed to any values that do not contradict the others."""
    rules: Any = draw(st.sampled_from(list(game.presets.values())))
    options = draw(st.lists(st.sampled_from(game.options), max_size=len(game.options), unique_by=lambda each: each.key))
    for option in options:
        changed: RuleSet = replace(rules, preset=Preset.UNSPECIFIED, **{option.key: draw(any_value(option))})
        if not game.contradictions(changed):
            rules = changed
    return rules
