"""Streams: each message is a call of its own, answered in order; what ends a stream, and when.

A stream holds a thread of a pool of its own for as long as it is open, so that streams, however many and however idle,
take none from the calls. The thread waits for a message, works, and waits until the answer is taken; only then it reads
on, so a client that does not read is not read from, and nothing piles up.
"""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc import status_pb2

from burraco.v1 import reasons_pb2
from service.api.authority import require_rights
from service.api.call import Call
from service.api.errors import CallError, answer_too_large, invalid, shutting_down, stream_idle, to_status
from service.api.translate import call_error
from service.server.calls import Calls, Failed, Send, code_name, seconds_left, trailing
from service.server.observing import Finished, Metadata
from service.wire.faults import Fault
from service.wire.streaming_codec import Envelope, read_envelope, write_response, write_status

MessageWork = Callable[[bytes, Call], bytes]
"""From a serialized request to the serialized response; CallError for one that fails."""

_LOOKS_IN_IDLE_TIME: Final = 8
_LONGEST_PAUSE_SECONDS: Final = 1.0
_NEWS_SECONDS: Final = 0.001


@dataclass(frozen=True)
class StreamLimits:
    """What one stream may cost."""

    idle_seconds: float
    max_answer_bytes: int


class Streams:
    """The open streams of a server."""

    def __init__(self, calls: Calls, limits: StreamLimits) -> None:
        self._calls = calls
        self._limits = limits
        self._open: set[_Stream] = set()
        self._change = threading.Condition()
        self._is_closed = False
        self._is_over = False
        self._is_watched = False

    def close(self) -> None:
        """Let no stream take another message; each ends when what it works on is answered."""
        with self._change:
            self._is_closed = True
            streams = tuple(self._open)
        for stream in streams:
            stream.close()

    def shut_down(self) -> None:
        """Let the thread go that looks for idle streams."""
        with self._change:
            self._is_over = True
            self._change.notify_all()

    def serve(
        self, method: str, work: MessageWork, requests: Iterator[bytes], context: grpc.ServicerContext, send: Send
    ) -> None:
        """Answer a stream until it ends, on a thread of its own; the log has a line of each message and one of it."""
        started, whole = time.perf_counter_ns(), Call()
        asked = _Asked(method, context.invocation_metadata() or (), context.peer())
        stream = _Stream(whole, context, send)

        def run(whole: Call) -> bytes:
            self._calls.begin(whole, context)
            require_rights(whole.caller, method.rpartition("/")[2])
            # The client's deadline, where there is one, is that of the whole stream; the default is each message's.
            whole.ends_at = time.monotonic() + seconds_left(context, math.inf)
            self._add(stream)
            for request in requests:
                if not stream.take():
                    break
                if not stream.answer(self._answer(asked, work, request, self._message_call(whole))):
                    break
            else:
                stream.tell_end_from_loss()
            return b""

        def run_until_lost(whole: Call) -> bytes:
            try:
                return run(whole)
            except grpc.RpcError:  # what reading raises once nobody is there
                stream.lose()
                return b""

        outcome = self._calls.guard(whole, run_until_lost)
        has_to_tell = stream.end(outcome if isinstance(outcome, status_pb2.Status) else None)
        self._forget(stream)
        if stream.reasons:
            whole.fail(stream.reasons)
        nanoseconds = time.perf_counter_ns() - started
        self._calls.end(asked.finished(stream.code, whole, nanoseconds, stream.answered), asked.peer)
        if has_to_tell:
            send(None)

    def _message_call(self, whole: Call) -> Call:
        ends_at = min(time.monotonic() + self._calls.default_deadline_seconds, whole.ends_at)
        return Call(whole.caller, whole.request_id, whole.languages, ends_at)

    def _answer(self, asked: "_Asked", work: MessageWork, payload: bytes, call: Call) -> bytes:
        started = time.perf_counter_ns()
        correlation_id = ""

        def whole(call: Call) -> bytes:
            nonlocal correlation_id
            correlation_id, request = _read(payload)
            answer = write_response(correlation_id, work(request, call))
            if len(answer) > self._limits.max_answer_bytes:
                raise answer_too_large(len(answer), self._limits.max_answer_bytes)
            return answer

        outcome = self._calls.guard(call, whole)
        nanoseconds = time.perf_counter_ns() - started
        self._calls.end(asked.finished(code_name(outcome), call, nanoseconds), asked.peer)
        if isinstance(outcome, status_pb2.Status):
            return write_status(correlation_id, outcome.SerializeToString())
        return outcome

    def _add(self, stream: "_Stream") -> None:
        with self._change:
            self._open.add(stream)
            is_closed = self._is_closed
            if not self._is_watched:
                # Where the system has no thread to give, the next stream asks for one again.
                with contextlib.suppress(RuntimeError):
                    threading.Thread(target=self._look_for_idle_streams, name="idle-streams", daemon=True).start()
                    self._is_watched = True
            self._change.notify_all()
        if is_closed:
            stream.close()

    def _forget(self, stream: "_Stream") -> None:
        with self._change:
            self._open.discard(stream)

    def _look_for_idle_streams(self) -> None:
        pause = min(self._limits.idle_seconds / _LOOKS_IN_IDLE_TIME, _LONGEST_PAUSE_SECONDS)
        while True:
            with self._change:
                self._change.wait_for(lambda: self._open or self._is_over)
                self._change.wait_for(lambda: self._is_over, pause)
                if self._is_over:
                    return
                streams = tuple(self._open)
            for stream in streams:
                stream.expire(self._limits.idle_seconds)


class _Asked(NamedTuple):
    """What all messages of a stream have in common."""

    method: str
    metadata: Metadata
    peer: str

    def finished(self, code: str, call: Call, nanoseconds: int, messages: int | None = None) -> Finished:
        """Make what is told of a message, or of the stream."""
        return Finished(self.method, code, call, self.metadata, nanoseconds, messages)


def _read(payload: bytes) -> Envelope:
    try:
        return read_envelope(payload)
    except DecodeError:
        text = "The message is not a burraco.v1.StreamApplyMovesRequest: send one made with the service's protos."
        raise invalid("", reasons_pb2.REASON_REQUEST_MALFORMED, text) from None
    except Fault as fault:
        raise call_error(fault) from fault


class _Doing(Enum):
    WAITING = auto()
    WORKING = auto()
    SENDING = auto()
    NOTHING_MORE = auto()


class _Stream:
    """One open stream. It ends once, on whichever thread is the first to end it."""

    def __init__(self, whole: Call, context: grpc.ServicerContext, send: Send) -> None:
        self._whole = whole
        self._context = context
        self._send = send
        self._lock = threading.Lock()
        self._doing = _Doing.WAITING
        self._since = time.monotonic()
        self._is_closing = False
        self.answered = 0
        self.code = ""
        """How it ended, as the log has it."""
        self.reasons: list[reasons_pb2.Reason.ValueType] = []
        """Why the server ended it."""

    def take(self) -> bool:
        """Begin with a message that has come; False when it came after the end, and stays unanswered."""
        with self._lock:
            if self._doing is not _Doing.WAITING:
                return False
            self._doing = _Doing.WORKING
            return True

    def answer(self, answer: bytes) -> bool:
        """Send an answer, and wait until it is taken; False when the stream takes no more messages."""
        with self._lock:
            self._doing, self._since = _Doing.SENDING, time.monotonic()
        self._send(answer)
        with self._lock:
            self.answered += 1
            self._doing, self._since = _Doing.WAITING, time.monotonic()
            # One that was ended while it sent is lost, also where gRPC has not heard yet that it is cancelled.
            if self.reasons or not self._context.is_active():
                self._lose()
            elif self._is_closing:
                self._refuse_more(shutting_down())
            return self._doing is _Doing.WAITING

    def close(self) -> None:
        """End it with SHUTTING_DOWN, once the message in progress is answered."""
        with self._lock:
            self._is_closing = True
            if self._doing is _Doing.WAITING:
                self._refuse_more(shutting_down())

    def expire(self, idle_seconds: float) -> None:
        """End it where nothing has come, or nobody has taken the answer, for that long."""
        with self._lock:
            if time.monotonic() - self._since < idle_seconds:
                return
            if self._doing is _Doing.WAITING:
                self._refuse_more(stream_idle(idle_seconds))
            elif self._doing is _Doing.SENDING and not self.reasons:
                # A status would wait behind the answer that nobody takes.
                self.reasons.append(reasons_pb2.REASON_STREAM_IDLE)
                self._context.cancel()

    def end(self, status: status_pb2.Status | None) -> bool:
        """End it with a status, or without one because all that came is answered; whether the client has to be told."""
        with self._lock:
            return self._end(status)

    def tell_end_from_loss(self) -> None:
        """Note that its client has gone, where that is why no more messages come."""
        # grpcio hears of the end of messages and of a cancellation one after the other; reading ends with the first.
        time.sleep(_NEWS_SECONDS)
        if not self._context.is_active() or not self._context.time_remaining():
            self.lose()

    def lose(self) -> None:
        """Note that its client has gone, or has no more time: nobody is there to be told anything."""
        with self._lock:
            self._lose()

    def _lose(self) -> None:
        if self._doing is not _Doing.NOTHING_MORE:
            self._doing = _Doing.NOTHING_MORE
            self.code = "CANCELLED" if self._context.time_remaining() else "DEADLINE_EXCEEDED"

    def _refuse_more(self, error: CallError) -> None:
        self.reasons.append(reasons_pb2.Reason.ValueType(error.reason))
        if self._end(to_status(error)):
            self._send(None)

    def _end(self, status: status_pb2.Status | None) -> bool:
        if self._doing is _Doing.NOTHING_MORE:
            return False
        self._doing = _Doing.NOTHING_MORE
        if status is None:
            self.code = "OK"
            self._context.set_trailing_metadata(trailing(self._whole.request_id))
        else:
            self.code = code_name(status)
            Failed.of(status).naming(self._whole.request_id).put_into(self._context)
        return True
