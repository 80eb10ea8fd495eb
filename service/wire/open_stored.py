"""Stored states as the arbiter opens them: read, whether they hold together or not."""

import struct

from burraco.v1 import reasons_pb2
from service.rules.state import State
from service.wire.faults import Fault
from service.wire.state_codec import read_stored
from service.wire.storage.v1.stored_state_pb2 import StoredState


def read_any_state(stored: bytes, field: str = "state") -> tuple[State, int]:
    """Read a state and the version of its stored form, unaudited; a Fault says why it cannot even be read."""
    try:
        state = read_stored(stored, field)
    except (ValueError, struct.error) as error:
        text = f"cannot be read: {error}. Go back to the last state that worked."
        raise Fault(field, reasons_pb2.REASON_STATE_AUDIT_FAILED, text, defect=str(error)) from error
    return state, StoredState.FromString(stored).version
