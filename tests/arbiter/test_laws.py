"""Laws of the audit: what play comes to is sound, and what is sound can be played on."""

import random
from collections import Counter
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burraco.v1 import state_pb2
from service.rules.audit import IMPORTED, audit
from service.rules.events import SPECTATOR
from service.rules.games import PRESETS, game_of
from service.rules.options import Preset, RuleSet
from service.rules.state import Phase, State
from service.rules.view import sheet, view
from service.wire.open_reader import read_open
from service.wire.open_state import open_message
from service.wire.state_codec import decode_state, encode_state
from tests.support.mutations import mutate
from tests.support.options import valid_rules
from tests.support.profile import FULL
from tests.support.walks import EAGER, LAZY, RULES, every_pool, pool, pool_of, start, walk

LAW: Final = settings(
    deadline=None,
    derandomize=not FULL,
    max_examples=1000 if FULL else 60,
    suppress_health_check=(HealthCheck.too_slow,),
)
CHANGES: Final = 20_000 if FULL else 150
STEPS: Final = 600 if FULL else 80
"""Moves after an import, at most."""
EVERY: Final[tuple[RuleSet, ...]] = (*PRESETS.values(), *RULES)


@st.composite
def walks(draw: st.DrawFn) -> tuple[RuleSet, int, float, int]:
    """Rules – of a preset, or with any of its options changed –, a seed, a way to play, a number of moves."""
    game = game_of(start(draw(st.sampled_from(EVERY)), 0))
    rules: RuleSet = draw(valid_rules(game) | st.sampled_from(EVERY))
    return rules, draw(st.integers(0, 100_000)), draw(st.sampled_from((EAGER, LAZY))), draw(st.integers(1, 400))


def there_and_back(state: State) -> State | None:
    """A state that was opened, sent, and read again."""
    message = state_pb2.GameState.FromString(open_message(state).SerializeToString())
    opened = read_open(message)
    assert opened.defects == []
    return opened.state


@LAW
@given(walks())
def test_what_play_comes_to_is_sound_and_comes_back_whole(walked: tuple[RuleSet, int, float, int]) -> None:
    """No state of random play has a defect, in any game, whatever the options; opened and read again it is the same."""
    rules, seed, laziness, steps = walked
    state = start(rules, seed)
    for _, _, _, after, _ in walk(state, random.Random(seed), steps, laziness):
        state = after
        assert list(audit(state, caps=IMPORTED)) == []
    read = there_and_back(state)
    assert read == state
    assert repr(read) == repr(state)  # == takes a plain int for an enum


def test_states_of_every_kind_come_back_whole() -> None:
    """In mid turn, under an obligation, with time called, over, resigned: reading undoes opening."""
    for state in (*pool(), *every_pool()):
        read = there_and_back(state)
        assert read == state
        assert repr(read) == repr(state)


def play_on(state: State, seed: int) -> None:
    """Do with a state whatever a caller can, and play it on: nothing may fail, and every state on the way is sound."""
    assert decode_state(encode_state(state)) == state
    for viewer in (*range(len(state.match.players)), SPECTATOR):
        view(state, viewer)
    sheet(state)
    rng = random.Random(seed)
    # A listed move that is refused ends the walk with an assertion of its own.
    for before, seat, move, after, _ in walk(state, rng, STEPS, rng.choice((EAGER, LAZY))):
        defects = list(audit(after))
        assert defects == [], f"{defects} after {move} of seat {seat} in {before}"


@pytest.mark.parametrize("preset", [None, *PRESETS], ids=lambda preset: preset.name if preset else "BURRACO")
def test_what_is_accepted_can_be_played_on(preset: Preset | None) -> None:
    """Sound states are changed at random; each is refused with its defects, or played on without a fault."""
    states = pool() if preset is None else pool_of(preset)
    rng = random.Random(f"{preset}")
    opened = {id(state): open_message(state) for state in states}
    outcomes: Counter[bool] = Counter()
    for _ in range(CHANGES):
        one, other = rng.choice(states), rng.choice(states)
        changed = mutate(opened[id(one)], opened[id(other)], rng)
        read = read_open(changed)
        assert (read.state is None) == bool(read.defects)
        outcomes[read.state is not None] += 1
        if read.state is not None and read.state != one:
            play_on(read.state, rng.randrange(1 << 30))
    assert outcomes[False] > outcomes[True] > 0


def test_walks_come_to_the_end_of_a_match() -> None:
    """The measure itself: an imported state is played until its match is over."""
    state = start(PRESETS[Preset.GIN], 3)
    read = read_open(open_message(state)).state
    assert read is not None
    last = [after for _, _, _, after, _ in walk(read, random.Random(3), 5000)][-1]
    assert last.phase is Phase.MATCH_OVER
