"""What is wrong with a request or a state, found while translating it."""

from typing import Final

from burraco.v1 import reasons_pb2

PRECONDITIONS: Final = frozenset(
    (
        reasons_pb2.REASON_STATE_KEY_UNKNOWN,
        reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
        reasons_pb2.REASON_DEAL_UNFINISHED,
        reasons_pb2.REASON_MATCH_FINISHED,
    )
)
"""Reasons that are about the state of things rather than the request: FAILED_PRECONDITION, not INVALID_ARGUMENT."""


class Fault(Exception):  # noqa: N818  # the field's word: a fault of the caller's message, answered as an RPC status
    """A field of a request is wrong. `text` completes a sentence that begins with the field's name."""

    def __init__(self, field: str, reason: reasons_pb2.Reason.ValueType, text: str, **arguments: object) -> None:
        super().__init__(f"{field} {text}")
        self.field = field
        self.reason = reason
        self.text = text
        self.arguments = {name: str(value) for name, value in arguments.items()}


class Faults(Exception):  # noqa: N818  # see Fault
    """Several fields of a request are wrong."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults
