"""The law itself: what is hidden from a viewer changes no byte of what he is told, whatever he asks.

For every set of rules, state, viewer and row of `asks`: a state and its twin, which differ in two hidden cards or in
what nobody is told, are answered alike: response, status text and details, log line, and the length of the sealed
state. What a move itself shows the viewer, as `known.reveals` has it from the rule book, is excepted.
"""

import random
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

import pytest

from burraco.v1 import game_service_pb2 as pb
from service.rules.events import SPECTATOR
from service.rules.moves import MoveKind
from service.rules.state import State
from tests.secrecy.asks import ROWS, Ask, Asked, others_moves
from tests.secrecy.positions import BURRACO, RULES, states_of
from tests.support.bridge import Reached
from tests.support.desk import Desk, Told, is_built, open_desk
from tests.support.known import covered, known, reveals, viewers_of
from tests.support.profile import FULL
from tests.support.swaps import Twin, secret_twin, twins

TWINS: Final = 12 if FULL else 3
"""Twins of one state for one viewer, beside the one with another seed."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


class Answer(NamedTuple):
    """What came back, with the sealed state taken out and looked into."""

    told: Told
    outcome: str
    after: State | None
    """The state after moves that were accepted."""
    size: int
    """Bytes of the sealed state."""


def answer_to(desk: Desk, ask: Ask, sealed: bytes) -> Answer:
    """Ask, and take the answer apart."""
    told = desk.ask(ask.rpc, ask.payload(sealed), ask.caller, ask.languages)
    assert told.code != "INTERNAL", (ask, told)
    if ask.rpc != "ApplyMoves" or told.code != "OK":
        return Answer(told, told.code, None, 0)
    response = pb.ApplyMovesResponse.FromString(told.answer)
    if response.HasField("rejected"):
        return Answer(told, "rejected", None, 0)
    after = response.accepted.state
    response.accepted.ClearField("state")
    return Answer(told._replace(answer=response.SerializeToString()), "accepted", desk.look(after), len(after))


def asks_of(asked: Asked) -> Iterator[Ask]:
    """Everything that is asked for a viewer: his own calls, and moves of others that he is told of."""
    for rpc, row in ROWS.items():
        if is_built(rpc):
            yield from row(asked)
    yield from others_moves(asked)


def compare(ask: Ask, viewer: int, state: State, twin: Twin, answers: tuple[Answer, Answer]) -> str:
    """Hold two answers against each other; say what they were."""
    one, two = answers
    seat = getattr(ask.request, "seat", SPECTATOR)
    if ask.label == "others" and one.outcome != two.outcome:
        return "not open to the other twin's mover"
    if one.after and two.after and _shows_more(ask, viewer, state, one.after, two.after):
        kinds = frozenset(move.kind.name for move in ask.moves)
        both = [reveals(*states, seat, kinds, viewer) for states in ((state, one.after), (twin.state, two.after))]
        assert any(both), ("a move showed its viewer what it may not", ask, twin.places)
        return "revealed"
    assert one.told == two.told, (ask, twin.places)
    assert one.size == two.size, ("the length of the sealed state tells something", ask, twin.places)
    return one.outcome


def _shows_more(ask: Ask, viewer: int, state: State, one: State, two: State) -> bool:
    """Whether the viewer knows something else after a move; whoever takes a covered pile sees how it lay, too."""
    takes = ask.label != "others" and any(move.kind is MoveKind.TAKE_PILE for move in ask.moves)
    return known(one, viewer) != known(two, viewer) or (takes and covered(state) > 1)


def ask_of(desk: Desk, state: State, viewer: int, rng: random.Random, reached: Reached) -> None:
    """Ask everything for a viewer of a state and of its twins."""
    sealed = desk.seal(state)
    asks = list(asks_of(Asked(state, viewer, rng)))
    answers = [answer_to(desk, ask, sealed) for ask in asks]
    chosen = (secret_twin(state, viewer, rng), *islice(twins(state, viewer, rng), TWINS))
    for number, twin in enumerate(chosen):
        other = desk.seal(twin.state)
        assert len(other) == len(sealed), ("the length of the sealed state tells something", twin.places)
        for ask, answer in zip(asks, answers, strict=True):
            if number > 1 and ask.is_early:
                continue
            found = compare(ask, viewer, state, twin, (answer, answer_to(desk, ask, other)))
            reached[f"{ask.rpc} {found}"] += 1
            if ask.label == "others":
                reached[f"told of {ask.moves[0].kind.name}, {found}"] += 1
            elif viewer != SPECTATOR:
                reached[f"{'in' if viewer == state.seat else 'out of'} turn, {state.phase.name}"] += 1
        reached[" - ".join(twin.places)] += 1


def seeded(*names: object) -> random.Random:
    """Numbers that are the same on every run."""
    return random.Random(zlib.crc32(repr(names).encode()))


@pytest.mark.parametrize("name", RULES)
def test_DESIGN_8_swapping_two_hidden_cards_changes_no_byte(desk: Desk, name: str) -> None:
    reached = Reached()
    for number, state in enumerate(states_of(name)):
        for viewer in viewers_of(state):
            ask_of(desk, state, viewer, seeded(name, number, viewer), reached)
    reached.demand(*ALWAYS, least=10)
    reached.demand(
        "seed - seed", "stock - stock", "top of the stock - stock", "hand - stock", "hand - top of the stock"
    )
    reached.demand(*(f"told of {kind}, accepted" for kind in ("TIME_OUT_TURN", "RESIGN", "DRAW_STOCK", "DISCARD")))
    if name in BURRACO:
        reached.demand("hand - pozzetto", "told of CALL_TIME, accepted")
    if "pile covered" in name:
        assert sum(count for places, count in reached.items() if places.endswith("- pile")) > 3, reached


ALWAYS: Final = (
    *("GetView OK", "GetView INVALID_ARGUMENT", "GetView PERMISSION_DENIED"),
    *("ListLegalMoves OK", "ListLegalMoves INVALID_ARGUMENT", "ListLegalMoves PERMISSION_DENIED"),
    *("CheckMoves OK", "CheckMoves INVALID_ARGUMENT", "CheckMoves PERMISSION_DENIED", "CheckMoves ABORTED"),
    *("ApplyMoves accepted", "ApplyMoves rejected", "ApplyMoves INVALID_ARGUMENT", "ApplyMoves PERMISSION_DENIED"),
    *("ApplyMoves ABORTED", "ScoreDeal FAILED_PRECONDITION", "ScoreDeal PERMISSION_DENIED"),
    *("in turn, DRAW", "in turn, PLAY", "out of turn, DRAW", "out of turn, PLAY"),
)
"""What is compared under all rules."""
