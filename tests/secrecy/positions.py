"""Under which rules, and in which states, the law is asked."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from service.rules.games import PRESETS
from service.rules.gin.options import Oklahoma
from service.rules.options import (
    BurracoRules,
    ClosingInHand,
    DiscardVisible,
    PileTake,
    PozzettoVisibleAfter,
    Preset,
    SingleCardRediscard,
    StockEnd,
    StockExhausted,
)
from service.rules.rummy.options import NoAttachableDiscard, PileBeforeOpening, SwappedJoker
from service.rules.state import Phase, State
from tests.support.known import covered
from tests.support.profile import FULL
from tests.support.walks import EAGER, LAZY, situations, start, walk

SEEDS: Final = 4
STEPS: Final = 700
QUOTA: Final = {Phase.PLAY: 3, Phase.DRAW: 2, Phase.UPCARD: 1, Phase.DEAL_OVER: 1, Phase.MATCH_OVER: 1}
"""States a set of rules in each phase, in the default profile; rare kinds of state come first."""


def _presets(*names: Preset) -> list[Any]:
    return [PRESETS[name] for name in names]


_ITALIAN, _TWO, _THREE, _GIN, _RAMINO, _SCALA, _FISCA = _presets(
    *(Preset.ITALIAN, Preset.TWO_PLAYER, Preset.THREE_PLAYER, Preset.GIN, Preset.RAMINO, Preset.SCALA_40),
    Preset.SCALA_40_FISCA,
)
_TOP_ONLY: Final = {"discard_visible": DiscardVisible.TOP_ONLY}
_QUICK: Final = {"target": 505}


def _variant(rules: Any, **options: Any) -> Any:  # noqa: ANN401  # any game's rules and options
    return replace(rules, preset=Preset.UNSPECIFIED, **options)


RULES: Final[dict[str, Any]] = {
    **{name.name: rules for name, rules in PRESETS.items()},
    # What lies under the pile's top card is hidden (option `discard_visible`), with each way to take it that may be.
    "pile covered": _variant(_ITALIAN, **_TOP_ONLY, **_QUICK),
    "pile covered, taken after melding, the pozzetto becomes the stock": _variant(
        _ITALIAN,
        pile_take=PileTake.AFTER_MELDING,
        stock_end=StockEnd.POZZETTO_BECOMES_STOCK,
        pozzetto_visible_after=PozzettoVisibleAfter.OWN_NEXT_TURN,
        single_card_rediscard=SingleCardRediscard.ALLOWED,
        hand_size=13,
        **_TOP_ONLY,
        **_QUICK,
    ),
    "pile covered, three players": _variant(
        _THREE, close_requires_discard=False, stock_end=StockEnd.AFTER_DISCARD, **_TOP_ONLY, **_QUICK
    ),
    "pile covered, two players": _variant(
        _TWO, pile_take=PileTake.FREE, stock_end=StockEnd.AFTER_DISCARD, hand_size=11, **_TOP_ONLY, **_QUICK
    ),
    # R8, which asks the next player's hand, where four play; and refusals that ask the whole open pile.
    "empty stock and unusable top": _variant(
        _ITALIAN, stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE, pile_take=PileTake.TOP_CARD_USABLE, **_QUICK
    ),
    "must meld, void at the stock's end": _variant(
        _ITALIAN,
        pile_take=PileTake.MUST_MELD,
        stock_end=StockEnd.VOID,
        close_requires_discard=False,
        jokers=0,
        **_QUICK,
    ),
    # Knock limits from the up-card, big gin, and a stock that is shuffled anew.
    "Gin with Oklahoma": _variant(
        _GIN, oklahoma=Oklahoma.ACE_IS_GIN, big_gin_bonus=31, stock_exhausted=StockExhausted.RESHUFFLE
    ),
    "Ramino with jokers, four players": _variant(
        _RAMINO, players=4, packs=2, jokers=4, close_requires_discard=False, in_mano_bonus=ClosingInHand.NONE
    ),
    "Ramino void at two": _variant(_RAMINO, players=3, stock_exhausted=StockExhausted.VOID_AT_TWO),
    "Scala 40 opened with the pile": _variant(
        _SCALA,
        players=3,
        pile_before_opening=PileBeforeOpening.IF_OPENS_WITH_IT,
        pile_card_must_be_used=True,
        swapped_joker=SwappedJoker.MAY_KEEP,
        no_attachable_discard=NoAttachableDiscard.ALL,
        reentry=True,
    ),
    "Scala 40 for two": _variant(
        _FISCA, players=2, pile_before_opening=PileBeforeOpening.FREE, rediscard_taken_card=True
    ),
}
"""The presets, and sets of options that hide or show something else."""

BURRACO: Final = tuple(name for name, rules in RULES.items() if isinstance(rules, BurracoRules))


def kinds_of(state: State) -> frozenset[str]:
    """What kind of state this is; beside what play of any rules is asked to reach, what matters to what is hidden."""
    turn = state.turn
    quiet = state.phase is Phase.PLAY and not (turn.melded or turn.must_meld or turn.must_meld_something)
    more = {"covered cards": covered(state) > 2, "a quiet play": quiet, "somebody's last card": smallest(state) == 1}
    return situations(state) | {name for name, holds in more.items() if holds}


WANTED: Final = frozenset(("covered cards", "a quiet play", "somebody's last card", "an unseen pozzetto"))
"""Kinds that come first."""


def smallest(state: State) -> int:
    """Cards in the smallest hand of a deal that goes on."""
    return 0 if state.over else min(hand.size for hand in state.hands)


@lru_cache(maxsize=64)
def states_of(name: str) -> tuple[State, ...]:
    """States of matches under some rules: a few of every kind that comes about, the same on every run."""
    rules = RULES[name]
    kept: list[State] = []
    kinds: Counter[str] = Counter()
    for seed in range(SEEDS):
        state = start(rules, seed)
        kept.append(state)
        laziness = LAZY if seed == SEEDS - 1 else EAGER
        for *_, after, _events in walk(state, random.Random(seed), STEPS, laziness):
            found = kinds_of(after)
            if any(kinds[kind] < 3 for kind in found):
                kinds.update(found)
                kept.append(after)
    return tuple(kept) if FULL else tuple(_rarest(kept))


def _rarest(states: Sequence[State]) -> list[State]:
    """Some of the states, which are of as many kinds as can be."""
    left = {state: kinds_of(state) for state in states}
    counts = Counter(kind for kinds in left.values() for kind in kinds)
    weight = {kind: 1.0 if kind in WANTED else 1 / count for kind, count in counts.items()}
    chosen: list[State] = []
    seen: Counter[str] = Counter()
    room = Counter(QUOTA)
    while left := {state: kinds for state, kinds in left.items() if room[state.phase]}:
        best = max(left, key=lambda state: sum(weight[kind] for kind in left[state] if not seen[kind]))
        seen.update(left.pop(best))
        room[best.phase] -= 1
        chosen.append(best)
    return chosen
