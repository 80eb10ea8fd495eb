"""Failed calls: the one exception that servicers raise, and the status that callers get for it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from burraco.v1 import reasons_pb2

DOMAIN = "burraco"
MAX_STATUS_BYTES = 4095  # under 4 KB: trailers above 8 KB are lost on the way, and they travel as base64
_MAX_MESSAGE = 400
_MAX_NAME = 64
_MAX_TEXT = 160
_MAX_ARGUMENTS = 8
_ROOM_FOR_COUNT = 128
_RETRY_AFTER_SECONDS = 1.0


class FieldProblem(NamedTuple):
    """One wrong field of a request."""

    path: str
    reason: int
    description: str


class CallError(Exception):
    """A call that fails: never for an illegal move, which is a normal answer."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: int,
        message: str,
        *,
        arguments: Mapping[str, str] | None = None,
        fields: Sequence[FieldProblem] = (),
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.arguments = dict(arguments or {})
        self.fields = tuple(fields)
        self.retry_after_seconds = retry_after_seconds


def invalid(field: str, reason: int, message: str, /, **arguments: object) -> CallError:
    """INVALID_ARGUMENT: a field of the request is wrong."""
    return CallError(
        grpc.StatusCode.INVALID_ARGUMENT,
        reason,
        f"{field}: {message}" if field else message,
        arguments=_texts(arguments),
        fields=(FieldProblem(field, reason, message),) if field else (),
    )


def several(errors: Sequence[CallError], /) -> CallError:
    """Make one INVALID_ARGUMENT of several; reason, message and arguments are the first one's, fields are of all."""
    first = errors[0]
    return CallError(
        grpc.StatusCode.INVALID_ARGUMENT,
        first.reason,
        first.message,
        arguments=first.arguments,
        fields=[problem for error in errors for problem in error.fields],
    )


def failed_precondition(reason: int, message: str, /, **arguments: object) -> CallError:
    """FAILED_PRECONDITION: the state is not one that this call can work on."""
    return CallError(grpc.StatusCode.FAILED_PRECONDITION, reason, message, arguments=_texts(arguments))


def aborted(reason: int, message: str, /, **arguments: object) -> CallError:
    """ABORTED: somebody moved in between; reload."""
    return CallError(grpc.StatusCode.ABORTED, reason, message, arguments=_texts(arguments))


def unauthenticated(reason: int, message: str, /, **arguments: object) -> CallError:
    """UNAUTHENTICATED: who calls is not known."""
    return CallError(grpc.StatusCode.UNAUTHENTICATED, reason, message, arguments=_texts(arguments))


def permission_denied(reason: int, message: str, /, **arguments: object) -> CallError:
    """PERMISSION_DENIED: who calls is known and has no right to this."""
    return CallError(grpc.StatusCode.PERMISSION_DENIED, reason, message, arguments=_texts(arguments))


def unimplemented(rpc: str) -> CallError:
    """UNIMPLEMENTED: the RPC is part of the contract and not built yet."""
    return CallError(
        grpc.StatusCode.UNIMPLEMENTED,
        reasons_pb2.REASON_NOT_BUILT,
        f"{rpc} is not built yet: use a release that lists it as built.",
        arguments={"rpc": rpc},
    )


def overloaded(retry_after_seconds: float = _RETRY_AFTER_SECONDS) -> CallError:
    """RESOURCE_EXHAUSTED: too many calls are in progress."""
    return CallError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        reasons_pb2.REASON_OVERLOADED,
        "The server has too many calls in progress: try again later.",
        retry_after_seconds=retry_after_seconds,
    )


def shutting_down() -> CallError:
    """UNAVAILABLE: this server is about to end."""
    return CallError(
        grpc.StatusCode.UNAVAILABLE,
        reasons_pb2.REASON_SHUTTING_DOWN,
        "The server is going away: try again, another replica answers.",
    )


def stream_idle(seconds: float) -> CallError:
    """DEADLINE_EXCEEDED: nothing has come on a stream for too long."""
    return CallError(
        grpc.StatusCode.DEADLINE_EXCEEDED,
        reasons_pb2.REASON_STREAM_IDLE,
        f"Nothing came on the stream for {seconds:g} seconds: open another when there is something to send.",
    )


def answer_too_large(size: int, limit: int) -> CallError:
    """RESOURCE_EXHAUSTED: the answer is larger than what clients take; trying again does not help."""
    return CallError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        reasons_pb2.REASON_TOO_MANY_ITEMS,
        f"The answer has {size} bytes, {limit} at most are sent: ask for fewer moves or viewers.",
        arguments={"count": str(size), "max": str(limit)},
    )


def deadline_passed() -> CallError:
    """DEADLINE_EXCEEDED: the time of the call is up."""
    return CallError(
        grpc.StatusCode.DEADLINE_EXCEEDED,
        reasons_pb2.REASON_DEADLINE_PASSED,
        "The deadline passed before the answer was ready: allow more time, or ask for less.",
    )


def internal(request_id: str) -> CallError:
    """INTERNAL: a fault of the service; what it was stands in the log alone."""
    return CallError(
        grpc.StatusCode.INTERNAL,
        reasons_pb2.REASON_INTERNAL,
        "A fault of the service, not of the call: report it with the request id in the details.",
        arguments={"request_id": request_id},
    )


def to_status(error: CallError) -> status_pb2.Status:
    """Turn an error into the rich status of the call: ASCII, under 4 KB, fields beyond that counted."""
    status = status_pb2.Status(code=error.code.value[0], message=_ascii(error.message, _MAX_MESSAGE))
    arguments = sorted(error.arguments.items())[:_MAX_ARGUMENTS]
    info = error_details_pb2.ErrorInfo(
        reason=reason_name(error.reason),
        domain=DOMAIN,
        metadata={_ascii(name, _MAX_NAME): _ascii(value, _MAX_TEXT) for name, value in arguments},
    )
    status.details.append(_packed(info))
    if error.retry_after_seconds is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(error.retry_after_seconds * 1000))
        status.details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    if error.fields:
        status.details.append(_packed(_bad_request(error.fields, MAX_STATUS_BYTES - status.ByteSize())))
    return status


def reason_name(reason: int) -> str:
    """Name a reason; a number that is none is a fault of the service and raises ValueError."""
    return reasons_pb2.Reason.DESCRIPTOR.values_by_number[reason].name


def _bad_request(fields: Sequence[FieldProblem], room: int) -> error_details_pb2.BadRequest:
    request = error_details_pb2.BadRequest()
    for index, problem in enumerate(fields):
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_ascii(problem.path, _MAX_TEXT),
            description=_ascii(problem.description, _MAX_TEXT),
            reason=reason_name(problem.reason),
        )
        if request.ByteSize() + violation.ByteSize() + _ROOM_FOR_COUNT > room:
            request.field_violations.add(description=f"and {len(fields) - index} more")
            break
        request.field_violations.append(violation)
    return request


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message, deterministic=True)
    return packed


def _texts(arguments: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in arguments.items()}


def _ascii(text: str, longest: int) -> str:
    # Other clients show percent signs, or nothing, for anything but printable ASCII in a status.
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    plain = "".join(character if character.isprintable() else " " for character in plain)
    return plain if len(plain) <= longest else plain[: longest - 3] + "..."
