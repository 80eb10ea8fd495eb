"""Records of random matches of any game, from seeds of every origin or from decks."""

import random
from dataclasses import replace
from typing import Any

from service.rules.decks import of_decks
from service.rules.games import SeatChoice, create_match, game_with
from service.rules.record import Record, Recorded
from service.rules.state import Fairness, State
from tests.support.walks import EAGER, ENOUGH, LAZY, fairness_of, walk


def played_record(
    rules: Any,  # noqa: ANN401  # any game's rules
    seed: int,
    steps: int = ENOUGH,
    fairness: Fairness | None = None,
) -> tuple[Record, State]:
    """A random match, all of it or its first moves, and the state that it came to."""
    drawn = seed % 2 == 0 and rules.players == 4 and game_with(rules).drawn_seats is not None
    seats = SeatChoice(drawn=True) if drawn else SeatChoice(dealer=seed % rules.players or None)
    beginning = Record(rules, fairness or fairness_of(seed, rules.players), f"match {seed}", seats)
    state = create_match(beginning.rules, beginning.fairness, beginning.request_id, seats).state
    moves = []
    for _, seat, move, after, _ in walk(state, random.Random(seed), steps, LAZY if seed % 5 == 4 else EAGER):
        moves.append(Recorded(seat, move))
        state = after
    return beginning._replace(moves=tuple(moves)), state


def random_decks(rules: Any, seed: int, count: int) -> Fairness:  # noqa: ANN401  # see played_record
    """Decks of so many deals."""
    rng = random.Random(seed)
    deck = game_with(rules).deck(rules)
    return of_decks(tuple(bytes(rng.sample(deck, len(deck))) for _ in range(count)))


def shorter(rules: Any) -> Any:  # noqa: ANN401  # see played_record
    """The rules with a target that is near, where they have one."""
    targets = {option.key for option in game_with(rules).options} & {"target", "limit"}
    least = {"target": 505 if rules.game.name == "BURRACO" else 25, "limit": 51}
    near = {key: least[key] for key in targets if getattr(rules, key)}
    changed = replace(rules, **near)
    return rules if game_with(rules).contradictions(changed) else changed
