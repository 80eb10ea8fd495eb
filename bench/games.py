"""Recorded random play: states and the moves made in them, the same in every run."""

import random
from typing import NamedTuple

from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.games import SeatChoice, create_match
from service.rules.moves import NEXT_DEAL, Discard, Move, MoveKind, Plain
from service.rules.options import BurracoRules
from service.rules.outcome import Applied
from service.rules.presets import ITALIAN
from service.rules.state import Fairness, Phase, State

UNUSUAL = (MoveKind.RESIGN, MoveKind.DECLARE_STALEMATE)


class Recorded(NamedTuple):
    """One move of a recorded game."""

    state: State
    seat: int
    move: Move


def record(deals: int, rules: BurracoRules = ITALIAN, melding: float = 0.8) -> list[Recorded]:
    """Play deals at random and keep every position; `melding` is how often a meld is laid where one can be."""
    rng = random.Random(40)  # play, not secrets
    played: list[Recorded] = []
    state = create_match(rules, Fairness(bytes(32), given=True), "bench", SeatChoice()).state
    while deals:
        move = random_move(state, rng, melding)
        played.append(Recorded(state, state.seat, move))
        outcome = play(state, state.seat, move)
        if not isinstance(outcome, Applied):
            raise TypeError(f"a listed move was refused: {outcome}")
        state = outcome.state
        deals -= state.over
        if state.phase is Phase.MATCH_OVER:
            state = create_match(rules, Fairness(bytes((deals % 256,)) * 32, given=True), "bench", SeatChoice()).state
    return played


def random_move(state: State, rng: random.Random, melding: float) -> Move:
    """Choose a listed move."""
    if state.phase is Phase.DEAL_OVER:
        return NEXT_DEAL
    legal = legal_moves(state, state.seat, 10**6)
    plain = [kind for kind in legal.plain if kind not in UNUSUAL]
    if plain:
        return Plain(rng.choice(plain))
    if legal.groups and (not legal.discards or rng.random() < melding):
        group = rng.choice(legal.groups)
        return group.move(rng.choice(list(group.selections())))
    return Discard(rng.choice(legal.discards))
