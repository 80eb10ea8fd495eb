"""The law can fail: each leak of a kind that others have shipped, planted in the service, is found by it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from burraco.v1 import reasons_pb2
from service.api import game_service
from service.rules import events
from service.rules.burraco import play as burraco_play
from service.rules.events import Drew
from service.rules.games import game_of, play_all
from service.rules.gin import play as gin_play
from service.rules.moves import Discard
from service.rules.reasons import Reason, violation
from service.rules.rummy import play as rummy_play
from service.rules.state import Phase
from service.wire.faults import Fault
from service.wire.state_codec import StateCodec
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.secrecy.positions import states_of
from tests.secrecy.test_swaps import ask_of, seeded
from tests.support.bridge import Reached
from tests.support.desk import Desk, open_desk
from tests.support.known import viewers_of

Original = Callable[..., Any]


class Leak(NamedTuple):
    """A fault: what is patched, and what with, given what was there."""

    where: object
    name: str
    planted: Callable[[Original], Original]
    rules: str = "ITALIAN"


def _shown(changed: Callable[..., Any]) -> Callable[[Original], Original]:
    """A view in which something is changed."""
    return lambda view: lambda state, viewer: changed(view(state, viewer), state, viewer)


def _every_hand(shown: Any, state: Any, _viewer: int) -> Any:  # noqa: ANN401  # a view
    """Public fault 1: hands are shown by phase, not by whose they are."""
    if state.phase is not Phase.PLAY:
        return shown
    seats = tuple(seat._replace(hand=hand) for seat, hand in zip(shown.seats, state.hands, strict=True))
    return shown._replace(seats=seats)


def _answers_out_of_turn(judge: Original) -> Original:
    """A seat whose pozzetto lies face down (B4-28) finds out what is in it by asking what it could play."""

    def answer(state: Any, seat: int, move: Any) -> Any:  # noqa: ANN401  # as in the rules
        verdict = judge(state, seat, move)
        if not (state.unseen[seat] and isinstance(move, Discard) and state.hands[seat].count(move.card)):
            return verdict
        return verdict._replace(faults=(*verdict.faults, violation(Reason.MUST_DRAW_FIRST)))

    return answer


def _count_of_wilds(judge: Original) -> Original:
    def answer(state: Any, seat: int, move: Any) -> Any:  # noqa: ANN401  # as in the rules
        verdict = judge(state, seat, move)
        told = violation(Reason.NO_STALEMATE, needed=4, turns=sum(hand.jokers for hand in state.hands))
        return verdict._replace(faults=(told,)) if verdict.faults else verdict

    return answer


def _told_in_an_error(decode: Original) -> Original:
    def read(codec: StateCodec, stored: bytes, field: str = "state") -> Any:  # noqa: ANN401  # a state
        state = decode(codec, stored, field)
        if state.phase is Phase.MATCH_OVER and state.stock:
            raise Fault(field, reasons_pb2.REASON_MATCH_OVER, "is over.", next=state.stock[0])
        return state

    return read


def _told_in_the_log(sheet: Original) -> Original:
    """A reason more in the log, where the next card is high."""

    def count(state: Any) -> Any:  # noqa: ANN401  # as in the rules
        if state.stock and state.stock[0] % 2:
            raise Fault(
                "state", reasons_pb2.REASON_DEAL_OVER, "is of a deal that is not finished, or ended without a count."
            )
        return sheet(state)

    return count


def _longer_with_jokers(encode: Original) -> Original:
    def write(codec: StateCodec, state: Any) -> bytes:  # noqa: ANN401  # as in the codec
        written: bytes = encode(codec, state)
        field = StoredState.FromString(written)
        field.passes = 128 if state.stock and state.stock[0] > 32 else 1
        return field.SerializeToString()

    return write


def _tells_draws(redacted: Original) -> Original:
    def tell(event: Any, viewer: int, rules: Any) -> Any:  # noqa: ANN401  # as in the rules
        return event if isinstance(event, Drew) else redacted(event, viewer, rules)

    return tell


LEAKS: Final = {
    "every hand in a phase": Leak(game_service, "view", _shown(_every_hand)),
    "every hand in a phase of Gin": Leak(game_service, "view", _shown(_every_hand), "GIN"),
    "the drawn card to all": Leak(
        game_service,
        "view",
        _shown(lambda shown, state, _: shown._replace(turn_state=shown.turn_state._replace(drawn=state.turn.drawn))),
        "RAMINO",
    ),
    "the whole of a covered pile": Leak(
        game_service, "view", _shown(lambda shown, state, _: shown._replace(discard=state.discard)), "pile covered"
    ),
    "a drawn card in the events of all": Leak(events, "redact", _tells_draws, "SCALA_40"),
    "events that nobody redacts": Leak(
        events, "redact", lambda _: lambda event, _viewer, _rules: event, "pile covered"
    ),
    "kinds of move of the seat to move to all": Leak(
        game_service,
        "view",
        _shown(lambda shown, state, _: shown._replace(open_kinds=game_of(state).open_kinds(state, state.seat))),
    ),
    "moves of an unseen pozzetto, out of turn": Leak(burraco_play, "judge", _answers_out_of_turn),
    "an argument of a violation": Leak(burraco_play, "judge", _count_of_wilds),
    "an argument of an error": Leak(StateCodec, "decode", _told_in_an_error),
    "an error in place of another": Leak(game_service, "sheet", _told_in_the_log),
    "the length of the sealed state": Leak(StateCodec, "encode", _longer_with_jokers),
    "a draw that is not said to reveal": Leak(
        burraco_play, "_reveals", lambda _: lambda _before, after, _seat, _move: after.over
    ),
    "a draw of Gin that is not said to reveal": Leak(
        gin_play, "_reveals", lambda _: lambda after, _: after.over, "GIN"
    ),
    "a draw of Ramino that is not said to reveal": Leak(
        rummy_play, "_reveals", lambda _: lambda after, _: after.over, "RAMINO"
    ),
    "look-ahead for a seat": Leak(
        game_service,
        "play_all",
        lambda _: lambda state, seat, moves, **_options: play_all(state, seat, moves, look_ahead=True),
        "SCALA_40",
    ),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_planted_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    original = getattr(leak.where, leak.name)
    with open_desk() as desk:
        monkeypatch.setattr(leak.where, leak.name, leak.planted(original))
        with pytest.raises(AssertionError):
            _ask_everywhere(desk, leak.rules)


def _ask_everywhere(desk: Desk, rules: str) -> None:
    for number, state in enumerate(states_of(rules)):
        for viewer in viewers_of(state):
            ask_of(desk, state, viewer, seeded(rules, number, viewer), Reached())
