"""What surrounds every call, in one place: who calls, how long it may take, how it fails, what the log says of it."""

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
_LONGEST_REQUEST_ID = 64
_UNSAFE_IN_REQUEST_ID = re.compile(r"[^A-Za-z0-9._:=+/-]")
_CLOSE_TO_DEADLINE_SECONDS = 0.05
_NO_DEADLINE_SECONDS = 1e8  # grpcio tells "no deadline" as a time centuries away

Work = Callable[[Call], bytes]


@dataclass(frozen=True)
class Calls:
    """Answers calls; one for a server."""

    trust: Trust
    default_deadline_seconds: float
    log: FilteringBoundLogger
    log_messages_of_faults: bool = False
    observers: Observers = field(default_factory=Observers)

    def answer(self, method: str, context: grpc.ServicerContext, work: Work) -> bytes:
        """Do the work of a call and return its answer, or abort the call with a rich status; nothing else escapes."""
        started = time.perf_counter_ns()
        call = Call()
        outcome = self._outcome(call, context, work)
        # A log that fails is no reason to fail the call.
        with contextlib.suppress(Exception):
            self._write(method, context, call, outcome, time.perf_counter_ns() - started)
        # The caller learns what the log calls its call, which a caller without a request id cannot know.
        trailing = ((REQUEST_ID_METADATA, call.request_id),) if call.request_id else ()
        if isinstance(outcome, status_pb2.Status):
            context.abort_with_status(_Failed.of(outcome, trailing))
        context.set_trailing_metadata(trailing)
        return outcome

    def _outcome(self, call: Call, context: grpc.ServicerContext, work: Work) -> bytes | status_pb2.Status:
        try:
            metadata = context.invocation_metadata() or ()
            call.request_id = _request_id(metadata)
            call.languages = [str(value) for name, value in metadata if name == LANGUAGE_METADATA]
            try:
                call.caller = self._identify(metadata, context)
                call.ends_at = time.monotonic() + self._seconds_left(context)
                # A call that waited for a thread until nobody waited for it any more is not worth the work.
                call.check_deadline()
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

    def _identify(self, metadata: Iterable[tuple[str, str | bytes]], context: grpc.ServicerContext) -> Caller:
        names: frozenset[str] = frozenset()
        if self.trust.certificates:
            # Its stubs leave out that each value is a list.
            names = certificate_names(cast("Mapping[str, Sequence[bytes]]", context.auth_context()))
        return identify(metadata, self.trust, time.time(), names)

    def _seconds_left(self, context: grpc.ServicerContext) -> float:
        left = context.time_remaining()
        return self.default_deadline_seconds if left > _NO_DEADLINE_SECONDS else left

    def _write(
        self,
        method: str,
        context: grpc.ServicerContext,
        call: Call,
        outcome: bytes | status_pb2.Status,
        nanoseconds: int,
    ) -> None:
        code = "OK" if isinstance(outcome, bytes) else code_pb2.Code.Name(outcome.code)
        left = context.time_remaining()
        if not left or not context.is_active():
            # What the caller saw, whose clock ran out a little before this one.
            code = "CANCELLED" if left > _CLOSE_TO_DEADLINE_SECONDS else "DEADLINE_EXCEEDED"
        self.observers.tell(Finished(method, code, call, context.invocation_metadata() or (), nanoseconds))
        fields: dict[str, object] = {
            "method": method,
            "code": code,
            "request_id": call.request_id,
            "peer": context.peer(),
            "caller": call.caller.known_by.value,
            "microseconds": nanoseconds // 1000,
            "rules_microseconds": call.rules_nanoseconds // 1000,
        }
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
        self.log.info("call", **fields)


@dataclass(frozen=True)
class _Failed(grpc.Status):
    """How a call fails, with the metadata that goes with it."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str | bytes], ...]

    @classmethod
    def of(cls, status: status_pb2.Status, more: tuple[tuple[str, str], ...]) -> "_Failed":
        rich = rpc_status.to_status(status)
        return cls(rich.code, rich.details, (*rich.trailing_metadata, *more))


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
