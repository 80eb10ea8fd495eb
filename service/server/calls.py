"""What surrounds every call, in one place: who calls, how long it may take, how it fails, what the log says of it."""

import contextlib
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import grpc
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status
from structlog.typing import FilteringBoundLogger

from burraco.v1 import reasons_pb2, rules_pb2, views_pb2
from service.api.authority import Caller, Trust, identify
from service.api.call import Call
from service.api.errors import CallError, internal, to_status
from service.server.log import describe_fault
from service.server.observing import Finished, Observers
from service.server.tls import certificate_names

REQUEST_ID_METADATA = "x-request-id"
LANGUAGE_METADATA = "accept-language"
REFUSAL_LINES_A_SECOND = 20
_LONGEST_REQUEST_ID = 64
_UNSAFE_IN_REQUEST_ID = re.compile(r"[^A-Za-z0-9._:=+/-]")
_CLOSE_TO_DEADLINE_SECONDS = 0.05
_NO_DEADLINE_SECONDS = 1e8  # grpcio tells "no deadline" as a time centuries away

Work = Callable[[Call], bytes]
Send = Callable[[bytes | None], None]
"""What grpcio gives a handler to answer with, from any thread: it returns when the answer is on its way, or never will
be. None ends the call with the status that the context has."""


@dataclass(frozen=True)
class Calls:
    """Answers calls; one for a server."""

    trust: Trust
    default_deadline_seconds: float
    log: FilteringBoundLogger
    log_messages_of_faults: bool = False
    observers: Observers = field(default_factory=Observers)
    refusal_lines: "Ration" = field(default_factory=lambda: Ration(REFUSAL_LINES_A_SECOND))

    def answer(self, method: str, context: grpc.ServicerContext, work: Work) -> bytes:
        """Do the work of a call and return its answer, or abort the call with a rich status; nothing else escapes."""
        started = time.perf_counter_ns()
        call = Call()

        def whole(call: Call) -> bytes:
            self.begin(call, context)
            # A call that waited for a thread until nobody waited for it any more is not worth the work.
            call.check_deadline()
            return work(call)

        outcome = self.guard(call, whole)
        nanoseconds = time.perf_counter_ns() - started
        with contextlib.suppress(Exception):
            metadata = context.invocation_metadata() or ()
            self.end(Finished(method, _code(outcome, context), call, metadata, nanoseconds), context.peer())
        if isinstance(outcome, status_pb2.Status):
            context.abort_with_status(Failed.of(outcome).naming(call.request_id))
        context.set_trailing_metadata(trailing(call.request_id))
        return outcome

    def refusal(self, method: str, error: CallError) -> Callable[[object, grpc.ServicerContext, Send], None]:
        """Make a handler that ends calls with an error, unread, from the thread that it is called on."""
        failed, code, reasons = Failed.of(to_status(error)), error.code.name, _reasons(error)

        def refuse(_requests: object, context: grpc.ServicerContext, send: Send) -> None:
            unread = _unread(method, code, reasons, context)
            failed.naming(unread.call.request_id).put_into(context)
            self._end_unread(unread, context)
            send(None)

        return refuse

    def end_late(self, method: str, context: grpc.ServicerContext) -> None:
        """Tell of a call that was ended because its client let it wait."""
        self._end_unread(_unread(method, "CANCELLED", [reasons_pb2.REASON_STREAM_IDLE], context), context)

    def begin(self, call: Call, context: grpc.ServicerContext) -> None:
        """Find out who calls, in what languages, and how long there is; CallError when the caller cannot be known."""
        metadata = context.invocation_metadata() or ()
        call.request_id = _request_id(metadata)
        call.languages = [str(value) for name, value in metadata if name == LANGUAGE_METADATA]
        call.caller = self._identify(metadata, context)
        call.ends_at = time.monotonic() + seconds_left(context, self.default_deadline_seconds)

    def guard(self, call: Call, work: Work) -> bytes | status_pb2.Status:
        """Do work and return its answer, or the status that it fails with; nothing else escapes."""
        try:
            try:
                return work(call)
            except CallError as error:
                call.fail(_reasons(error))
                return to_status(error)
        except BaseException as fault:  # noqa: BLE001 - on a pool's thread even an exit must become an answer
            with contextlib.suppress(Exception):
                trace = describe_fault(fault, with_messages=self.log_messages_of_faults)
                self.log.error("fault", request_id=call.request_id, trace=trace)  # noqa: TRY400 - see describe_fault
            call.fail([reasons_pb2.REASON_INTERNAL])
            return to_status(internal(call.request_id))

    def end(self, finished: Finished, peer: str) -> None:
        """Tell those who watch, and the log, of what has ended. A log that fails is no reason to fail the call."""
        self.observers.tell(finished)
        with contextlib.suppress(Exception):
            event = "call" if finished.messages is None else "stream"
            self.log.info(event, **_fields(finished, peer))

    def _end_unread(self, finished: Finished, context: grpc.ServicerContext) -> None:
        with contextlib.suppress(Exception):
            if self.refusal_lines.take():
                self.end(finished, context.peer())
            else:
                self.observers.tell(finished)

    def _identify(self, metadata: Iterable[tuple[str, str | bytes]], context: grpc.ServicerContext) -> Caller:
        names: frozenset[str] = frozenset()
        if self.trust.certificates:
            # Its stubs leave out that each value is a list.
            names = certificate_names(cast("Mapping[str, Sequence[bytes]]", context.auth_context()))
        return identify(metadata, self.trust, time.time(), names)


class Ration:
    """So many a second; for the log's lines of calls that nobody worked on, of which an overload makes thousands."""

    def __init__(self, a_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        self._clock = clock
        self._lock = threading.Lock()
        self._second = 0
        self._left = a_second

    def take(self) -> bool:
        """Take one; False when those of this second are gone."""
        with self._lock:  # calls are refused on gRPC's thread, and end late on their own
            second = int(self._clock())
            if second != self._second:
                self._second, self._left = second, self._a_second
            self._left -= 1
            return self._left >= 0


def trailing(request_id: str) -> tuple[tuple[str, str], ...]:
    """Make the trailing metadata: what the log calls the call, which a caller without a request id cannot know."""
    return ((REQUEST_ID_METADATA, request_id),) if request_id else ()


@dataclass(frozen=True)
class Failed(grpc.Status):
    """How a call fails, with the metadata that goes with it."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str | bytes], ...]

    @classmethod
    def of(cls, status: status_pb2.Status) -> "Failed":
        """Make it of a rich status."""
        rich = rpc_status.to_status(status)
        return cls(rich.code, rich.details, tuple(rich.trailing_metadata))

    def naming(self, request_id: str) -> "Failed":
        """Tell the caller what the log calls the call, too."""
        return replace(self, trailing_metadata=(*self.trailing_metadata, *trailing(request_id)))

    def put_into(self, context: grpc.ServicerContext) -> None:
        """Let a call end so, as soon as its handler ends it."""
        context.set_code(self.code)
        context.set_details(self.details)
        context.set_trailing_metadata(self.trailing_metadata)


def seconds_left(context: grpc.ServicerContext, default: float) -> float:
    """Find how long the client waits; the default where it sets no deadline."""
    left = context.time_remaining()
    return default if left > _NO_DEADLINE_SECONDS else left


def code_name(outcome: bytes | status_pb2.Status) -> str:
    """Name the code of an outcome, as the log has it."""
    return "OK" if isinstance(outcome, bytes) else code_pb2.Code.Name(outcome.code)


def _unread(
    method: str, code: str, reasons: Sequence[reasons_pb2.Reason.ValueType], context: grpc.ServicerContext
) -> Finished:
    """Say of a call that it ended before anything of it was read but its metadata."""
    metadata = context.invocation_metadata() or ()
    call = Call(request_id=_request_id(metadata))
    call.fail(reasons)
    return Finished(method, code, call, metadata, 0)


def _code(outcome: bytes | status_pb2.Status, context: grpc.ServicerContext) -> str:
    left = context.time_remaining()
    if left and context.is_active():
        return code_name(outcome)
    # What the caller saw, whose clock ran out a little before this one.
    return "CANCELLED" if left > _CLOSE_TO_DEADLINE_SECONDS else "DEADLINE_EXCEEDED"


def _fields(finished: Finished, peer: str) -> dict[str, object]:
    call = finished.call
    fields: dict[str, object] = {
        "method": finished.method,
        "code": finished.code,
        "request_id": call.request_id,
        "peer": peer,
        "caller": call.caller.known_by.value,
        "microseconds": finished.nanoseconds // 1000,
        "rules_microseconds": call.rules_nanoseconds // 1000,
    }
    if finished.messages is not None:
        fields["messages"] = finished.messages
    if call.trace_id:
        fields["trace_id"] = call.trace_id
    if call.caller.seat is not None:
        fields["seat"] = call.caller.seat
    if call.game is not None:
        fields["game"] = rules_pb2.Game.Name(call.game)
    if call.phase is not None:
        fields["phase"] = views_pb2.Phase.Name(call.phase)
    if call.reasons:
        fields["reasons"] = [reasons_pb2.Reason.Name(reason) for reason in dict.fromkeys(call.reasons)]
    return fields


def _reasons(error: CallError) -> list[reasons_pb2.Reason.ValueType]:
    numbers = [error.reason, *(problem.reason for problem in error.fields)]
    return [cast("reasons_pb2.Reason.ValueType", number) for number in numbers]


def _request_id(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    for name, value in metadata:
        if name == REQUEST_ID_METADATA and isinstance(value, str):
            harmless = _UNSAFE_IN_REQUEST_ID.sub("", value)[:_LONGEST_REQUEST_ID]
            if harmless:
                return harmless
    return secrets.token_hex(8)
