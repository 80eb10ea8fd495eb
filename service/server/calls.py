"""What surrounds every call, in one place: who calls, how long it may take, how it fails, what the log says of it."""

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from service.server.tls import certificate_names

REQUEST_ID_METADATA = "x-request-id"
LANGUAGE_METADATA = "accept-language"
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
        with contextlib.suppress(Exception):
            self.write(method, context.peer(), call, _code(outcome, context), time.perf_counter_ns() - started)
        if isinstance(outcome, status_pb2.Status):
            context.abort_with_status(rpc_status.to_status(outcome))
        return outcome

    def refusal(self, method: str, error: CallError) -> Callable[[object, grpc.ServicerContext, Send], None]:
        """Make a handler that ends calls with an error, unread, from the thread that it is called on."""
        status = to_status(error)
        rich, code = rpc_status.to_status(status), code_name(status)

        def refuse(_requests: object, context: grpc.ServicerContext, send: Send) -> None:
            context.set_code(rich.code)
            context.set_details(rich.details)
            context.set_trailing_metadata(rich.trailing_metadata)
            with contextlib.suppress(Exception):
                call = Call(request_id=_request_id(context.invocation_metadata() or ()), reasons=_reasons(error))
                self.write(method, context.peer(), call, code, 0)
            send(None)

        return refuse

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
                call.note(reasons=_reasons(error))
                return to_status(error)
        except BaseException as fault:  # noqa: BLE001 - on a pool's thread even an exit must become an answer
            with contextlib.suppress(Exception):
                trace = describe_fault(fault, with_messages=self.log_messages_of_faults)
                self.log.error("fault", request_id=call.request_id, trace=trace)  # noqa: TRY400 - see describe_fault
            call.note(reasons=[reasons_pb2.REASON_INTERNAL])
            return to_status(internal(call.request_id))

    def _identify(self, metadata: Iterable[tuple[str, str | bytes]], context: grpc.ServicerContext) -> Caller:
        names: frozenset[str] = frozenset()
        if self.trust.certificates:
            # Its stubs leave out that each value is a list.
            names = certificate_names(cast("Mapping[str, Sequence[bytes]]", context.auth_context()))
        return identify(metadata, self.trust, time.time(), names)

    def write(self, method: str, peer: str, call: Call, code: str, nanoseconds: int) -> None:
        """Write the log's line of a call. A log that fails is no reason to fail the call."""
        with contextlib.suppress(Exception):
            self.log.info("call", **_fields(method, peer, call, code, nanoseconds))

    def write_stream(self, method: str, peer: str, call: Call, code: str, nanoseconds: int, messages: int) -> None:
        """Write the log's line of a stream that has ended."""
        with contextlib.suppress(Exception):
            self.log.info("stream", **_fields(method, peer, call, code, nanoseconds), messages=messages)


def seconds_left(context: grpc.ServicerContext, default: float) -> float:
    """Find how long the client waits; the default where it sets no deadline."""
    left = context.time_remaining()
    return default if left > _NO_DEADLINE_SECONDS else left


def code_name(outcome: bytes | status_pb2.Status) -> str:
    """Name the code of an outcome, as the log has it."""
    return "OK" if isinstance(outcome, bytes) else code_pb2.Code.Name(outcome.code)


def _code(outcome: bytes | status_pb2.Status, context: grpc.ServicerContext) -> str:
    left = context.time_remaining()
    if left and context.is_active():
        return code_name(outcome)
    # What the caller saw, whose clock ran out a little before this one.
    return "CANCELLED" if left > _CLOSE_TO_DEADLINE_SECONDS else "DEADLINE_EXCEEDED"


def _fields(method: str, peer: str, call: Call, code: str, nanoseconds: int) -> dict[str, object]:
    fields: dict[str, object] = {
        "method": method,
        "code": code,
        "request_id": call.request_id,
        "peer": peer,
        "caller": call.caller.known_by.value,
        "microseconds": nanoseconds // 1000,
        "rules_microseconds": call.rules_nanoseconds // 1000,
    }
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
