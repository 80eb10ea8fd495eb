"""Every field of a state set to every kind of value, one at a time: a defect or none, but never an exception."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from burraco.v1 import state_pb2
from service.rules.audit import audit
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.state import Phase, State
from service.wire.faults import Fault
from service.wire.open_reader import read_open
from service.wire.open_state import in_order, open_message
from service.wire.state_codec import StateCodec, encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.support.walks import pool_of

NUMBERS: Final = (0, 1, 2, 3, 4, 5, 7, 64, 99, 255, 256, 65_535, (1 << 31) - 1)
LARGEST: Final = {
    FieldDescriptor.TYPE_UINT32: (1 << 32) - 1,
    FieldDescriptor.TYPE_UINT64: (1 << 64) - 1,
    FieldDescriptor.TYPE_INT32: -1,
    FieldDescriptor.TYPE_SINT32: -1,
    FieldDescriptor.TYPE_ENUM: -1,
}
STRINGS: Final = (b"", b"\x00", b"\xff" * 16, b"\x01" * 32, b"\x40" * 108)
presets = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)


def states_of(preset: Preset) -> list[State]:
    """A state of each phase of a preset's matches, and of each way a deal ended."""
    found: dict[object, State] = {}
    for state in pool_of(preset):
        found.setdefault((state.phase, state.deal_end), state)
    assert {Phase.PLAY, Phase.DEAL_OVER} <= {state.phase for state in found.values()}
    return list(found.values())


def values_of(field: Any) -> Iterator[Any]:  # noqa: ANN401  # a descriptor, whose stub differs by how it is reached
    """Values to set a field to."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        yield from (False, True)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        yield from STRINGS
    else:
        yield from (*NUMBERS, LARGEST[field.type])


def changes(message: Message) -> Iterator[str]:
    """Change a message in one place at a time, at any depth; each change is taken back before the next."""
    for field in message.DESCRIPTOR.fields:
        before = type(message)()
        before.CopyFrom(message)
        for how in _changes(message, field):
            yield f"{field.name} {how}"
            message.CopyFrom(before)
        if field.message_type and not field.is_repeated and message.HasField(field.name):
            for how in changes(getattr(message, field.name)):
                yield f"{field.name}.{how}"


def _changes(message: Any, field: Any) -> Iterator[str]:  # noqa: ANN401  # any message, as above
    message.ClearField(field.name)
    yield "left out"
    if field.message_type:
        getattr(message, field.name).add() if field.is_repeated else getattr(message, field.name).SetInParent()
        yield "empty"
        return
    for value in values_of(field):
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)
        yield f"set to {value!r}"


@presets
def test_any_field_of_an_open_state_may_be_anything(preset: Preset) -> None:
    """The reader and the audit find what is wrong, and fail with nothing; what has no defect can be shown."""
    for state in states_of(preset):
        message = state_pb2.GameState.FromString(open_message(state).SerializeToString())
        for change in changes(message):
            try:
                opened = read_open(message)
            except Exception as error:
                raise AssertionError(change) from error
            assert opened.defects or opened.state is not None, change


@presets
def test_any_field_of_a_stored_state_may_be_anything(preset: Preset) -> None:
    """What can be read can be audited and shown, whatever it says."""
    codec = StateCodec()
    for state in states_of(preset):
        message = StoredState.FromString(encode_state(state))
        for change in changes(message):
            try:
                read = codec.read_any(message.SerializeToString())
                in_order(audit(read))
                open_message(read)
            except Fault:
                continue
            except Exception as error:
                raise AssertionError(change) from error
