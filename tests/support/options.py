"""Values for the options of any game, from the tables that describe them."""

import random
from typing import Any

from service.rules.game import Game
from service.rules.option_types import BoolOption, NameOption, Option


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
