"""The audit itself: what random changes found missing, counters near their end, and what a caller may be told."""

import random
from typing import Any, Final

import pytest

from service.rules.audit import IMPORTED, STORED, audit
from service.rules.defects import DefectReason
from service.rules.games import PRESETS, game_of
from service.rules.hand import hand_of
from service.rules.moves import NEXT_DEAL
from service.rules.options import Preset
from service.rules.outcome import Applied
from service.rules.state import Phase, State
from service.wire.faults import Fault
from service.wire.open_reader import read_open
from service.wire.open_state import open_message
from service.wire.state_codec import decode_state, encode_state
from tests.support.walks import start, walk

ITALIAN: Final = start(PRESETS[Preset.ITALIAN], 1)


def told(state: State, **changes: Any) -> list[tuple[str, DefectReason]]:  # noqa: ANN401  # fields of State
    """Field and reason of each defect."""
    return [(found.field, found.reason) for found in audit(state._replace(**changes))]


def counted(preset: Preset) -> State:
    """A deal that is over, in a match that goes on."""
    for _, _, _, after, _ in walk(start(PRESETS[preset], 2), random.Random(2)):
        if after.phase is Phase.DEAL_OVER:
            return after
    raise AssertionError("no deal ends")


def test_a_hand_at_scala_40_does_not_grow() -> None:
    """To look for an opening in fifty cards takes for ever, and no play gives so many: found by random changes."""
    state = start(PRESETS[Preset.SCALA_40], 1)
    grown = hand_of(state.hands[state.seat].cards() + state.stock[:37])
    changed = state._replace(
        stock=state.stock[37:], hands=(*state.hands[: state.seat], grown, *state.hands[state.seat + 1 :])
    )
    assert told(changed) == [(f"hands[{state.seat}]", DefectReason.DEFECT_CARDS)]


@pytest.mark.parametrize("preset", [Preset.ITALIAN, Preset.GIN, Preset.SCALA_40])
def test_the_next_deal_needs_moves_of_the_deals_before_too(preset: Preset) -> None:
    """A state that is accepted leads to none that is refused: found by changing stored fields."""
    state = counted(preset)
    number = state.deal_number + 4
    for revision in range(2 * number + 2):
        changed = state._replace(deal_number=number, revision=revision)
        if told(changed):
            continue
        outcome = game_of(changed).play(changed, 0, NEXT_DEAL)
        assert isinstance(outcome, Applied)
        assert told(outcome.state) == []
        return
    raise AssertionError("no revision is enough")


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("revision", IMPORTED.revision),
        ("deal_number", IMPORTED.counter),
        ("token_epochs", IMPORTED.counter),
    ],
)
def test_counters_near_their_end_are_not_imported(field: str, most: int) -> None:
    """What is let in has room to go on: a state just beyond is read, and not imported."""
    last: dict[str, Any] = {"revision": 1 << 40}
    beyond: dict[str, Any] = dict(last)
    last[field] = (most, 0, 0, 0) if field == "token_epochs" else most
    beyond[field] = (most + 1, 0, 0, 0) if field == "token_epochs" else most + 1
    assert read_open(open_message(ITALIAN._replace(**last))).defects == []
    (found,) = read_open(open_message(ITALIAN._replace(**beyond))).defects
    assert (found.top, found.reason) == (field, DefectReason.DEFECT_COUNTER)
    state = ITALIAN._replace(**beyond)
    assert decode_state(encode_state(state)) == state


def test_points_near_their_end_are_not_imported() -> None:
    """Points may go far below zero where nobody reaches the target, and never so far that they cannot be stored."""
    state = ITALIAN._replace(deal_number=9, deals_scored=8, revision=99)
    assert read_open(open_message(state._replace(points=(-IMPORTED.points, 0)))).defects == []
    (found,) = read_open(open_message(state._replace(points=(-IMPORTED.points - 1, 0)))).defects
    assert (found.field, found.reason) == ("sides[0].match_points", DefectReason.DEFECT_SCORES)
    lowest = state._replace(points=(-STORED.points, 0))
    assert decode_state(encode_state(lowest)) == lowest


@pytest.mark.parametrize(
    ("preset", "changes", "field"),
    [
        (Preset.ITALIAN, {"turns_taken": 1}, "turns_taken"),
        (Preset.ITALIAN, {"out": (True, False, False, False)}, "out_seats"),
        (Preset.ITALIAN, {"laid": (False,) * 4}, "laid_seats"),
        (Preset.ITALIAN, {"reentries": (0,) * 4}, "reentries"),
        (Preset.ITALIAN, {"deals_won": (0, 0)}, "deals_won"),
        (Preset.ITALIAN, {"passes": 1}, "passes"),
        (Preset.ITALIAN, {"doubled": True}, "closed_in_hand"),
        (Preset.GIN, {"alone": 1}, "alone"),
        (Preset.GIN, {"taken_by": (-1, 0)}, "sides[1].pozzetto_taken_by"),
        (Preset.GIN, {"unplayed": (True, False)}, "sides[0].pozzetto_unplayed"),
        (Preset.SCALA_40, {"knocker": 0}, "knocker"),
        (Preset.SCALA_40, {"unseen": (True, False, False, False)}, "unseen_seats"),
        (Preset.SCALA_40, {"turns_left": 2}, "turns_left"),
        (Preset.RAMINO, {"stalemate_turns": 1}, "stalemate_turns"),
        (Preset.RAMINO, {"reentries": (1, 0)}, "reentries[0]"),
    ],
)
def test_what_is_of_another_game_is_foreign(preset: Preset, changes: dict[str, Any], field: str) -> None:
    """No field that a game does not know is let through."""
    assert (field, DefectReason.DEFECT_FOREIGN) in told(start(PRESETS[preset], 1), **changes)


def test_a_defect_is_told_without_a_value() -> None:
    """Whoever may not see the state hears where it is wrong and how, and no card or number of it."""
    turn = ITALIAN.turn._replace(drawn=ITALIAN.stock[0])
    for changes in ({"turn": turn}, {"stock": ITALIAN.stock[:1] + ITALIAN.stock[:-1]}, {"points": (777, 0)}):
        with pytest.raises(Fault) as caught:
            decode_state(encode_state(ITALIAN._replace(**changes)))
        (first, *_) = audit(ITALIAN._replace(**changes))
        assert caught.value.arguments == {"defect": first.told}
        assert not set("23456789") & set(first.told)
