"""No RPC is forgotten: each has a row, a reason why it has none, or is told nothing of a match."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from burraco.v1 import arbiter_service_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.options import Preset
from tests.secrecy.asks import BACK_ENDS, OPEN, ROWS, Asked
from tests.secrecy.positions import states_of
from tests.secrecy.test_swaps import seeded
from tests.support.desk import is_built, open_desk

PROTOS = Path(__file__).parents[2] / "protos" / "burraco"
SERVICES = (
    pb.DESCRIPTOR.services_by_name["GameService"],
    arbiter_service_pb2.DESCRIPTOR.services_by_name["ArbiterService"],
)
OF_A_MATCH = frozenset(("state", "Viewer", "View", "Event", "LegalMoves", "GameState", "RecordedMove"))
"""Fields by name, and messages by name, that tell of one match, or ask about one."""


def methods() -> list[MethodDescriptor]:
    return [method for service in SERVICES for method in service.methods]


def names_in(message: Descriptor, seen: set[str]) -> Iterator[str]:
    """Names of all fields and messages in a message, at any depth."""
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield field.name
        if field.message_type:
            yield field.message_type.name
            yield from names_in(field.message_type, seen)


def test_every_service_of_the_contract_is_walked() -> None:
    protos = "".join(path.read_text() for path in PROTOS.rglob("*.proto"))
    assert sorted(re.findall(r"^service (\w+)", protos, re.MULTILINE)) == sorted(each.name for each in SERVICES)


def test_DESIGN_8_every_rpc_that_tells_of_a_match_has_a_row_or_a_reason() -> None:
    every = {method.name for method in methods()}
    assert every == {*ROWS, *BACK_ENDS, *OPEN}
    assert len(ROWS) + len(BACK_ENDS) + len(OPEN) == len(every), "an RPC stands in two of the lists"
    for method in methods():
        names = {*names_in(method.input_type, set()), *names_in(method.output_type, set())}
        if names & OF_A_MATCH:
            assert method.name not in OPEN, f"{method.name} has {names & OF_A_MATCH}: give it a row in asks.py"
        if method.name in ROWS:
            assert (
                method.input_type.fields_by_name["state"].type == method.input_type.fields_by_name["state"].TYPE_BYTES
            )


def test_every_row_asks_its_own_rpc_about_the_state() -> None:
    state = states_of("ITALIAN")[0]
    for rpc, row in ROWS.items():
        asks = list(row(Asked(state, state.seat, seeded(rpc))))
        assert asks
        assert {ask.rpc for ask in asks} == {rpc}
        for ask in asks:
            if not ask.spoil:
                request: Any = GetMessageClass(_method(rpc).input_type).FromString(ask.payload(b"sealed"))
                assert request.state == b"sealed"


def _method(rpc: str) -> MethodDescriptor:
    return next(method for method in methods() if method.name == rpc)


def test_DESIGN_4_what_is_the_back_ends_answers_a_seat_nothing() -> None:
    """RPCs without a row, once they are built: a seat is told that they are not for it, whatever it sends."""
    with open_desk() as desk:
        sealed = desk.seal(states_of(Preset.ITALIAN.name)[0])
        for method in SERVICES[0].methods:
            if method.name not in BACK_ENDS or method.client_streaming or not is_built(method.name):
                continue
            request: Any = GetMessageClass(method.input_type)()
            if "state" in method.input_type.fields_by_name:
                request.state = sealed
            for seat in range(4):
                told = desk.ask(method.name, request.SerializeToString(), seat)
                assert (told.code, told.answer) == ("PERMISSION_DENIED", b""), method.name
