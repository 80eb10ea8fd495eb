"""What goes wrong: a call that failed, or a move that the rules forbid."""

import copyreg
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from burraco.v1.game_service_pb2 import ApplyMovesRequest
from burraco.v1.reasons_pb2 import Reason, Violation

DOMAIN = "burraco"
DETAILS_KEY = "grpc-status-details-bin"

_CLOSED = "Channel closed!"
"""What gRPC says of a call whose caller closed the channel: it has no other way to tell."""
_NANOSECONDS = 1e9
_CODES = {code.value[0]: code for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """A field of the request that is wrong."""

    field: str
    """Path of the field, such as `moves[0].meld.cards[2]`."""
    description: str
    reason: Reason.ValueType = Reason.REASON_UNSPECIFIED


class _Kept(Exception):  # noqa: N818 - what errors here have in common, and none itself
    """An exception whose copy has what it has, such as the one that comes from another process."""

    def __reduce__(self) -> tuple[object, ...]:
        # Python would make the copy of the message alone.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class RulesError(_Kept):
    """A call that failed. An illegal move is no failure: see `IllegalMove`."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: Reason.ValueType = Reason.REASON_UNSPECIFIED,
        arguments: Mapping[str, str] | None = None,
        fields: Iterable[FieldViolation] = (),
        retry_after: float | None = None,
        cancelled_here: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.arguments = dict(arguments or {})
        self.fields = tuple(fields)
        self.retry_after = retry_after
        self.cancelled_here = cancelled_here
        """Whether the caller cancelled the call himself."""

    @property
    def transient(self) -> bool:
        """Whether the same call may succeed later: calls are pure, so it may simply be made again.

        So with `UNAVAILABLE` and `DEADLINE_EXCEEDED`, with `CANCELLED` unless the caller cancelled it, and with
        `RESOURCE_EXHAUSTED` where the service says when to try again: what is over a size limit never succeeds.
        """
        match self.code:
            case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.DEADLINE_EXCEEDED:
                return True
            case grpc.StatusCode.CANCELLED:
                return not self.cancelled_here
            case grpc.StatusCode.RESOURCE_EXHAUSTED:
                return self.retry_after is not None
            case _:
                return False

    def __str__(self) -> str:
        reason = "" if self.reason == Reason.REASON_UNSPECIFIED else f" {Reason.Name(self.reason)}"
        # The message tells of the first field already.
        fields = "".join(f" {wrong.field} {wrong.description}" for wrong in self.fields[1:])
        return f"{self.code.name}{reason}: {self.message}{fields}"


class StreamEnded(RulesError):  # noqa: N818 - it says what happened, and is caught by that name
    """A stream ended before it answered a message. Calls are pure: send `request` again, on another stream."""

    def __init__(self, request: ApplyMovesRequest, end: RulesError) -> None:
        super().__init__(
            end.code,
            end.message,
            reason=end.reason,
            arguments=end.arguments,
            fields=end.fields,
            retry_after=end.retry_after,
            cancelled_here=end.cancelled_here,
        )
        self.request = request


class IllegalMove(_Kept):
    """The rules forbid a move; nothing has changed. `violations` holds everything wrong with it."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("; ".join(f"{wrong.text} ({wrong.rule_id})" for wrong in self.violations))

    @property
    def reasons(self) -> tuple[Reason.ValueType, ...]:
        """The reasons alone, in the service's order."""
        return tuple(wrong.reason for wrong in self.violations)


def gone_on(what: str, **arguments: int) -> RulesError:
    """A change was accepted for a state that the table has left in the meantime; told as the service tells of one."""
    return RulesError(
        grpc.StatusCode.ABORTED,
        f"{what}: look again",
        reason=Reason.REASON_REVISION_MISMATCH,
        arguments={name: str(value) for name, value in arguments.items()},
    )


def unreadable() -> RulesError:
    """An answer that is no message of its kind: `grpc.aio` passes it on as None, where gRPC's other calls fail."""
    return RulesError(grpc.StatusCode.INTERNAL, "the answer cannot be read: it is no message of its kind")


def from_rpc_error(error: grpc.RpcError) -> RulesError:
    """Read all that the service says of a failed call; a failure without details has a code and a message."""
    if not isinstance(error, grpc.Call | grpc.aio.AioRpcError):
        return RulesError(grpc.StatusCode.UNKNOWN, str(error))
    code, message = error.code(), error.details() or ""
    closed = code is grpc.StatusCode.CANCELLED and message == _CLOSED
    cancelled_here = closed or (isinstance(error, grpc.Future) and error.cancelled())
    return _with_details(code, message, _details(error), cancelled_here=cancelled_here)


def from_status(status: status_pb2.Status) -> RulesError:
    """Read the status with which a message of a stream failed."""
    return _with_details(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, status.details)


def _with_details(
    code: grpc.StatusCode, message: str, details: Iterable[Any], *, cancelled_here: bool = False
) -> RulesError:
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    retry_after: float | None = None
    for detail in details:
        for known in (info, bad, retry):
            with suppress(DecodeError):
                # Unpack leaves it as it is when the detail is another.
                if detail.Unpack(known) and known is retry:
                    # A timedelta would not hold every delay that can be sent.
                    retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / _NANOSECONDS
    return RulesError(
        code,
        message,
        reason=_reason(info.reason) if info.domain == DOMAIN else Reason.REASON_UNSPECIFIED,
        arguments=info.metadata if info.domain == DOMAIN else None,
        fields=[
            FieldViolation(wrong.field, wrong.description, _reason(wrong.reason)) for wrong in bad.field_violations
        ],
        retry_after=retry_after,
        cancelled_here=cancelled_here,
    )


def _details(error: grpc.Call | grpc.aio.AioRpcError) -> Iterable[Any]:
    for key, value in error.trailing_metadata() or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            with suppress(DecodeError):  # a proxy may have cut it
                return status_pb2.Status.FromString(value).details
    return ()


def _reason(name: str) -> Reason.ValueType:
    """Find the reason; a newer service may send one that this client does not know."""
    if name not in Reason.keys():  # noqa: SIM118 - an enum is no mapping
        return Reason.REASON_UNSPECIFIED
    return Reason.Value(name)
