"""Any move that can be written is judged in any state of any game: refused or not, but never with an exception."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.notation import match_text as mt
from service.notation.follow import Problem, verify
from service.rules import moves as m
from service.rules.cards import JOKER, NO_CARD, PACK
from service.rules.games import PRESETS, game_of
from service.rules.melds import MeldKind
from service.rules.options import Preset
from service.rules.outcome import Applied, Refused
from service.rules.state import State
from tests.notation.written import MOVE, matches
from tests.support.profile import examples
from tests.support.walks import pool_of

NAMED: Final = [pytest.param(preset, id=preset.name) for preset in PRESETS]


def odd_moves(state: State) -> Iterator[m.Move]:
    """Moves at the edge of what can be written: no cards, all cards, the whole hand, one card very often."""
    hand = state.hands[state.seat].cards() if state.hands else b""
    heaps = (b"", hand, hand[:1], PACK, PACK + PACK, bytes((JOKER,)) * 108, bytes((1,)) * 3)
    ids = [1, state.next_meld_id, 10_000, *(meld.meld_id for meld in state.melds[:2])]
    for cards, meant in product(heaps, (NO_CARD, JOKER, 7)):
        yield from (m.LayMeld(cards, kind, meant) for kind in (None, *MeldKind))
        yield from (m.LayOff(meld_id, cards, meant) for meld_id in ids if cards)
    for card in (*hand[:2], JOKER, 1):
        yield m.Discard(card)
        yield from (m.ReplaceWild(meld_id, card) for meld_id in ids)
        for cards in heaps:
            yield from (m.Knock(card, (cards,)), m.Knock(NO_CARD, (cards, b"", cards)))


@pytest.mark.parametrize("preset", NAMED)
def test_moves_at_the_edge_are_judged(preset: Preset) -> None:
    """In states of every kind that a preset reaches, by the seat to move and by another."""
    for state in pool_of(preset)[::3]:
        game = game_of(state)
        for move in odd_moves(state):
            for seat in (state.seat, (state.seat + 1) % len(state.match.players)):
                assert isinstance(game.play(state, seat, move), Applied | Refused)


@pytest.mark.parametrize("preset", NAMED)
@given(move=MOVE, at=st.integers(0, 1 << 16))
@examples(60)
def test_any_move_is_judged(preset: Preset, move: Any, at: int) -> None:  # noqa: ANN401  # any move
    """Moves of every kind, with any cards."""
    pool = pool_of(preset)
    state = pool[at % len(pool)]
    assert isinstance(game_of(state).play(state, state.seat, move), Applied | Refused)


@given(matches())
@examples(60)
def test_any_match_is_verified_or_not(match: mt.MatchText) -> None:
    """Whatever a text says, a problem comes of it or none."""
    problem = verify(match)
    assert problem is None or isinstance(problem, Problem)
