"""Random matches of Gin under random options, some of them with very few points to reach."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from service.rules.game import Seating
from service.rules.gin.deadwood import least_without
from service.rules.gin.game import GIN_GAME
from service.rules.gin.judge import legal_discards, legal_knocks
from service.rules.gin.options import GIN, OPTIONS, GinRules, contradictions
from service.rules.moves import (
    DRAW_STOCK,
    NEXT_DEAL,
    PASS_UPCARD,
    RESIGN,
    TAKE_PILE,
    TIME_OUT_TURN,
    Discard,
    Knock,
    Move,
)
from service.rules.option_types import BoolOption, NumberOption, Option
from service.rules.outcome import Applied
from service.rules.state import Fairness, Match, Phase, State
from tests.gin.words import rules


class Moved(NamedTuple):
    """One move of a match."""

    before: State
    seat: int
    move: Move
    outcome: Applied


def random_value(option: Option, rng: random.Random) -> object:
    """A value that an option accepts."""
    if isinstance(option, BoolOption):
        return rng.random() < 0.5
    if isinstance(option, NumberOption):
        return rng.randint(option.least, min(option.most, option.least + 300))
    return rng.choice(option.values)[0]


def random_rules(rng: random.Random) -> GinRules:
    """The preset, or a random set of options that can be played."""
    if rng.random() < 0.3:
        return GIN
    found = GIN
    for option in OPTIONS:
        if rng.random() < 0.6:
            found = rules(found, **{option.key: random_value(option, rng)})
    return rules(found, knock_limit=10) if contradictions(found) else found


def begin(rng: random.Random, options: GinRules) -> State:
    """Deal the first deal of a random match."""
    match = Match(rng.randbytes(16), options, (0, 1), Fairness(rng.randbytes(32), given=True))
    return GIN_GAME.first_deal(match, Seating((0, 1), rng.randrange(2)), rng.randbytes(16))[0]


def choose(state: State, rng: random.Random) -> Move:
    """A legal move of the seat to move, often a sensible one."""
    if state.phase is Phase.DEAL_OVER:
        return NEXT_DEAL
    if rng.random() < 0.03:
        return TIME_OUT_TURN
    if state.phase is Phase.UPCARD:
        return rng.choice((TAKE_PILE, PASS_UPCARD, PASS_UPCARD))
    if state.phase is Phase.DRAW:
        return TAKE_PILE if state.passes != 2 and rng.random() < 0.2 else DRAW_STOCK
    knocks = legal_knocks(state, state.seat)
    if knocks and rng.random() < 0.5:
        return Knock(rng.choice(knocks))
    discards = legal_discards(state, state.seat)
    if rng.random() < 0.8:
        least = least_without(state.hands[state.seat].once)
        return Discard(min(discards, key=lambda card: least[card]))
    return Discard(rng.choice(discards))


def walk(seed: int, options: GinRules | None = None) -> Iterator[Moved]:
    """A whole random match, move by move; now and then it ends with a resignation."""
    rng = random.Random(seed)
    state = begin(rng, options or random_rules(rng))
    while state.phase is not Phase.MATCH_OVER:
        seat, move = state.seat, choose(state, rng)
        if rng.random() < 0.0005:
            seat, move = rng.randrange(2), RESIGN
        outcome = GIN_GAME.play(state, seat, move)
        assert isinstance(outcome, Applied), f"a legal move was refused: {move}"
        yield Moved(state, seat, move, outcome)
        state = outcome.state
