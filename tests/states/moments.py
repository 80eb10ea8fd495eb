"""The moments of matches that a corpus of states keeps: found in random play, the same on every run."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from service.rules.cards import SPADES, TWO, card_at
from service.rules.games import PRESETS, game_of
from service.rules.gin.options import GIN, Oklahoma, Shutout
from service.rules.hand import hand_of
from service.rules.moves import CALL_TIME, DRAW_STOCK, RESIGN, Discard, LayMeld, Move
from service.rules.options import Game, StockExhausted
from service.rules.outcome import Applied
from service.rules.rummy.options import PileBeforeOpening, SwappedJoker
from service.rules.rummy.presets import RAMINO, SCALA_40
from service.rules.state import Phase, State
from tests.games.play import all_cards
from tests.gin import walks as gin_walks
from tests.support.walks import EAGER, LAZY, RULES, SWAPPING, cheapest, choose, rare, situations, start

SEEDS: Final = 12
STEPS: Final = 2500
RESIGNS_AT: Final = 45
CALLS_TIME_AT: Final = 30
NAMED: Final = 3
"""Situations that a state's name tells."""

PRESET_COURSES: Final = {preset.name.lower(): rules for preset, rules in PRESETS.items()}
COURSES: Final[dict[str, Any]] = {
    **PRESET_COURSES,
    **{f"italian-options-{number}": rules for number, rules in enumerate(RULES[2:5], 1)},
    "italian-stalemate-automatic": replace(SWAPPING, stalemate_auto_turns=4),
    "italian-stalemate-declared": replace(SWAPPING, stalemate_auto_turns=0),
    "ramino-four-players": replace(RAMINO, players=4, packs=2, jokers=4),
    "gin-oklahoma": replace(GIN, oklahoma=Oklahoma.ACE_IS_GIN, big_gin_bonus=31, shutout=Shutout.DOUBLE_TOTAL),
    "gin-oklahoma-ace-is-one": replace(GIN, oklahoma=Oklahoma.ACE_IS_ONE, target=25),
    "scala_40-three-players-reentry": replace(
        SCALA_40,
        players=3,
        reentry=True,
        stock_exhausted=StockExhausted.VOID_AT_TWO,
        swapped_joker=SwappedJoker.MAY_KEEP,
        pile_before_opening=PileBeforeOpening.IF_OPENS_WITH_IT,
    ),
}
"""Rules that are played by, by name: every preset, and options that change what a state may hold."""

OF_PLAY: Final = frozenset(
    (
        *("something drawn", "the pile of one card taken", "the pile's card taken", "something melded this turn"),
        *("something laid off this turn", "the last turn", "a top card to meld first", "something to meld first"),
        *("a hand before the pile", "points towards the opening", "a joker owed", "an up-card passed"),
        *("the up-card passed by one", "the up-card passed by both", "an unseen pozzetto", "an unplayed pozzetto"),
        *("both pozzetti taken", "time called", "a stalemate under way", "an empty stock", "a stock renewed"),
        *("somebody alone", "somebody has laid", "somebody out", "somebody came in again", "deals won"),
        *("a pozzetto that became the stock", "a meld of another's", "a later deal", "points", "points below zero"),
    )
)
"""What is kept while it is played with: a deal that is over may show it too, and nothing comes of it any more."""
EVERYWHERE: Final = frozenset(
    (
        *("tokens revoked", "entropy", "a given seed", "a committed seed", "a seed of the service", "seats drawn"),
        *("points", "points below zero", "a later deal", "something melded this turn", "somebody has laid"),
        *("a set", "a sequence", "a meld with a wild", "a meld of another's", "a draw", "a play", "a deal over"),
    )
)
"""What the presets show well enough: no state of other options is kept for it."""


class Moment(NamedTuple):
    """A state that is kept, and what it is kept for."""

    course: str
    name: str
    kept_for: tuple[str, ...]
    """What it shows and none before it."""
    state: State


def moments() -> list[Moment]:
    """Every moment of every course."""
    return [moment for course in COURSES for moment in _moments(course)]


def shows(state: State) -> frozenset[str]:
    """Say what kind of state this is, a little finer than the walks do."""
    found = {
        "a later deal": state.deal_number > 1,
        "points": any(state.points),
        "points below zero": any(total < 0 for total in state.points),
        "the up-card passed by both": state.passes == 2,
        "the up-card passed by one": state.passes == 1,
        "seats drawn": state.match.players != tuple(range(len(state.match.players))),
        "tokens revoked": any(state.token_epochs),
        "a hand before the pile": state.turn.hand_before_pile.size > 0,
        "something laid off this turn": state.turn.laid_off,
        f"{len(state.match.players)} players": True,
    }
    kinds = situations(state) | {name for name, holds in found.items() if holds}
    return kinds - OF_PLAY if state.over else kinds


@lru_cache
def _moments(course: str) -> tuple[Moment, ...]:
    """The fewest states of a course that show all that it shows, more or less: the rarest first."""
    candidates = list(_candidates(course))
    shown = [(state, _worth(course, state)) for state in candidates]
    having = Counter(kind for _, kinds in shown for kind in kinds)
    chosen: list[tuple[State, list[str]]] = [(candidates[0], ["a new match"])]
    missing = set(having) - shown[0][1]
    for kind in sorted(having, key=lambda kind: (having[kind], kind)):
        if kind in missing:
            state, kinds = max((each for each in shown if kind in each[1]), key=lambda each: len(missing & each[1]))
            chosen.append((state, sorted(missing & kinds, key=lambda one: (one != kind, having[one], one))))
            missing -= kinds
    return tuple(
        Moment(course, f"{number:02d} {', '.join(news[:NAMED])}", tuple(news), state)
        for number, (state, news) in enumerate(chosen)
    )


def _worth(course: str, state: State) -> frozenset[str]:
    """What of all that a state shows is worth keeping it for, in this course."""
    return shows(state) if course in PRESET_COURSES else shows(state) - EVERYWHERE


def _candidates(course: str) -> Iterator[State]:
    """States that are the first or second of their kind, a new match first."""
    rules, seen = COURSES[course], dict[str, int]()
    for seed in range(SEEDS):
        for number, state in enumerate(_walk(rules, seed, swaps="stalemate" in course)):
            kinds = _worth(course, state)
            if not (seed or number) or any(seen.get(kind, 0) < 2 for kind in kinds):
                seen |= {kind: seen.get(kind, 0) + 1 for kind in kinds}
                yield state
    if rules.game in (Game.RAMINO, Game.SCALA_40):
        yield _closed_in_hand(start(rules, 0))
    if course in PRESET_COURSES:
        revoked = start(rules, SEEDS)
        yield revoked._replace(token_epochs=(*range(3, 2 + len(revoked.token_epochs)), 70_000))


def _closed_in_hand(state: State) -> State:
    """Deal a row of spades to the seat to move, who lays it and closes: random players hardly come to that."""
    size = state.hands[state.seat].size
    row = [card_at(SPADES, slot) for slot in range(TWO, TWO + size)]
    others = sorted(all_cards(state))
    for card in row:
        others.remove(card)
    hands = []
    for seat in range(len(state.hands)):
        dealt, others = (row, others) if seat == state.seat else (others[:size], others[size:])
        hands.append(hand_of(dealt))
    state = state._replace(
        hands=tuple(hands), discard=bytes(others[:1]), stock=bytes(others[1:]), turns_taken=len(hands)
    )
    last = others[1]
    for move in (DRAW_STOCK, LayMeld(bytes(row)), Discard(last)):
        outcome = game_of(state).play(state, state.seat, move)
        assert isinstance(outcome, Applied), outcome
        state = outcome.state
    assert state.doubled
    return state


def _walk(rules: Any, seed: int, *, swaps: bool) -> Iterator[State]:  # noqa: ANN401  # any game's rules
    """A match of random players, some of whom resign, or whose time is called, at a moment of the seed's choice.

    :param swaps: whether they do nothing but swap the one card of the pile, once there is only one.
    """
    state, rng = start(rules, seed), random.Random(seed)
    yield state
    for number in range(STEPS):
        if state.phase is Phase.MATCH_OVER:
            return
        made = cheapest(state) if swaps else _move(state, rng, number, seed)
        outcome = game_of(state).play(state, *made)
        assert isinstance(outcome, Applied)
        state = outcome.state
        yield state


def _move(state: State, rng: random.Random, number: int, seed: int) -> tuple[int, Move]:
    special = {(3, RESIGNS_AT): RESIGN, (5, CALLS_TIME_AT): CALL_TIME}.get((seed % 6, number))
    if special and not game_of(state).judge(state, state.seat, special).faults:
        return state.seat, special
    if state.match.rules.game is Game.GIN:
        return state.seat, gin_walks.choose(state, rng)
    return rare(state, rng) or (state.seat, choose(state, state.seat, rng, LAZY if seed % 6 == 4 else EAGER))
