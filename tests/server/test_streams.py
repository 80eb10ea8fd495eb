"""StreamApplyMoves: order, errors, limits, and every way that a stream ends."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.call import Call
from service.api.errors import invalid
from service.server.streams import _Stream
from tests.server.conftest import Serve
from tests.server.streams import METHOD, Stream, ask_all, message
from tests.server.stub import SECONDS, Running, detail, eventually, failure

ACCEPTED = pb.ApplyMovesResponse(accepted=pb.Accepted(revision=7))


def by_seat(request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
    """Answer with the seat as revision; every tenth fails, every seventh is a fault of the service."""
    if request.seat % 10 == 0:
        raise invalid("seat", reasons_pb2.REASON_FIELD_OUT_OF_RANGE, f"{request.seat} is no seat.")
    if request.seat % 7 == 0:
        raise ZeroDivisionError("QH")
    return pb.ApplyMovesResponse(accepted=pb.Accepted(revision=request.seat))


class Gate:
    """Work that begins and then waits until it may end."""

    def __init__(self, running: Running) -> None:
        self.begun, self.may_end, self.seen = threading.Event(), threading.Event(), 0
        running.game.apply = self._apply

    def _apply(self, _request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        self.seen += 1
        self.begun.set()
        assert self.may_end.wait(SECONDS)
        return ACCEPTED


def no_streams_are_left(running: Running) -> bool:
    """Whether every thread of the streams has come back."""
    return eventually(lambda: running.server.calls_in_progress == 0)


@pytest.fixture
def streaming(serve: Serve) -> Iterator[Running]:
    """A server that has no streams left when the test ends."""
    running = serve()
    yield running
    assert no_streams_are_left(running)


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_thousand_pipelined_messages_are_answered_in_order(streaming: Running) -> None:
    """Answers come in the order of the messages, whatever each of them is, and none ends the stream."""
    streaming.game.apply = by_seat
    answers = ask_all(streaming, (message(f"m{seat}", seat=seat) for seat in range(1000)))
    assert [answer.correlation_id for answer in answers] == [f"m{seat}" for seat in range(1000)]
    for seat, answer in enumerate(answers):
        if seat % 10 == 0:
            assert answer.status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
            assert f"{seat} is no seat" in answer.status.message
        elif seat % 7 == 0:
            assert answer.status.code == grpc.StatusCode.INTERNAL.value[0]
            assert "QH" not in str(answer)
        else:
            assert answer.response.accepted.revision == seat
    (line,) = streaming.events("stream")
    assert (line["code"], line["messages"], line["method"]) == ("OK", 1000, METHOD)


def test_an_error_is_the_status_that_apply_moves_fails_with(streaming: Running) -> None:
    """The same faults get, byte for byte, the status of the unary call, details and all."""
    streaming.game.apply = by_seat
    send = streaming.raw("/burraco.v1.GameService/ApplyMoves")
    for call in (b"\xff\xff", b"\x0a\x05", pb.ApplyMovesRequest(seat=10).SerializeToString()):
        unary = failure(partial(send, call))
        envelope = b"\x0a\x01x\x12" + bytes([len(call)]) + call
        answer = Stream(streaming.channel).send(envelope).half_close().read()
        assert (answer.correlation_id, answer.status) == ("x", unary.status)
        assert answer.status.SerializeToString() == unary.status.SerializeToString()


@pytest.mark.parametrize(
    ("payload", "reason", "field"),
    [
        (b"\xff", "REASON_REQUEST_MALFORMED", None),
        (b"\x0a\x05ab", "REASON_REQUEST_MALFORMED", None),
        (b"\x0a\x02\xc3\x28", "REASON_REQUEST_MALFORMED", None),  # no UTF-8
        (message("x" * 65).SerializeToString(), "REASON_TOO_MANY_ITEMS", "correlation_id"),
        (message("é" * 33).SerializeToString(), "REASON_TOO_MANY_ITEMS", "correlation_id"),
    ],
)
def test_a_message_that_is_none_is_answered_and_the_stream_goes_on(
    streaming: Running, payload: bytes, reason: str, field: str | None
) -> None:
    """What cannot be read at all has an answer of its own, without a correlation id."""
    first, second = Stream(streaming.channel).send(payload, message("é" * 32)).half_close().rest()
    assert first.correlation_id == ""
    assert first.status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert detail(first.status, error_details_pb2.ErrorInfo).reason == reason
    if field:
        assert [bad.field for bad in detail(first.status, error_details_pb2.BadRequest).field_violations] == [field]
    assert (second.correlation_id, second.WhichOneof("outcome")) == ("é" * 32, "response")


def test_a_message_without_a_call_is_an_empty_call(streaming: Running) -> None:
    """A missing request is read as an empty one, and a call that comes in pieces is merged, as protobuf has it."""
    seen: list[pb.ApplyMovesRequest] = []

    def apply(request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        seen.append(request)
        return pb.ApplyMovesResponse()

    streaming.game.apply = apply
    pieces = message(state=b"s").SerializeToString() + message(seat=3).SerializeToString()
    answers = Stream(streaming.channel).send(b"", pieces).half_close().rest()
    assert [answer.WhichOneof("outcome") for answer in answers] == ["response", "response"]
    assert seen == [pb.ApplyMovesRequest(), pb.ApplyMovesRequest(state=b"s", seat=3)]


def test_an_answer_above_the_limit_is_an_answer(serve: Serve) -> None:
    """An answer too large to send is a status that says so; one message of the stream, not its end."""
    running = serve(max_answer_bytes=65_536)

    def apply(request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        return pb.ApplyMovesResponse(accepted=pb.Accepted(state=bytes(65_536 - request.seat)))

    running.game.apply = apply
    stream = Stream(running.channel).send(*(message("c" * 64, seat=spare) for spare in (0, 15, 200))).half_close()
    codes = [answer.status.code for answer in stream.rest()]
    assert codes == [grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]] * 2 + [0]


def test_a_message_above_the_limit_ends_the_stream(serve: Serve) -> None:
    """The transport takes nothing above BURRACO_MAX_MESSAGE_BYTES: the stream ends, what came before is answered."""
    running = serve(max_message_bytes=4096)
    stream = Stream(running.channel).send(message("a"))
    assert stream.read().correlation_id == "a"
    stream.send(message("b", state=bytes(5000)))
    with pytest.raises(grpc.RpcError) as caught:
        stream.rest()
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    stream.half_close()
    assert no_streams_are_left(running)


def test_each_message_has_the_default_deadline(serve: Serve) -> None:
    """A message has the server's own deadline from when it is read; the stream has only the client's."""
    running = serve(default_deadline_seconds=0.2)
    left: list[float] = []

    def apply(request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:
        left.append(call.time_left())
        while request.seat:
            call.check_deadline()
            time.sleep(0.01)
        return pb.ApplyMovesResponse()

    running.game.apply = apply
    answers = Stream(running.channel).send(message(), message(seat=1), message()).half_close().rest()
    codes = [answer.status.code for answer in answers]
    assert codes == [0, grpc.StatusCode.DEADLINE_EXCEEDED.value[0], 0]
    assert all(0 < each <= 0.2 for each in left)


def test_a_message_has_no_more_time_than_its_stream(streaming: Running) -> None:
    """The client's deadline is that of the whole stream, and what a message sees where it comes first."""
    left: list[float] = []

    def apply(_request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:
        left.append(call.time_left())
        return pb.ApplyMovesResponse()

    streaming.game.apply = apply
    stream = Stream(streaming.channel, timeout=0.5).send(message())
    stream.read()
    with pytest.raises(grpc.RpcError) as caught:
        stream.rest()
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    stream.half_close()
    assert left[0] <= 0.6
    assert no_streams_are_left(streaming)
    assert streaming.events("stream")[-1]["code"] == "DEADLINE_EXCEEDED"


def test_the_log_has_a_line_of_each_message_and_one_of_the_stream(streaming: Running) -> None:
    """A message is logged like a call, under the stream's request id; the stream when it ends."""
    streaming.game.apply = by_seat
    stream = Stream(streaming.channel, metadata=[("x-request-id", "table-7")])
    stream.send(message("secret-id", seat=1), message(seat=10), b"\xff").half_close().rest()
    assert no_streams_are_left(streaming)
    lines = streaming.events("call")
    assert [line["code"] for line in lines] == ["OK", "INVALID_ARGUMENT", "INVALID_ARGUMENT"]
    assert [line.get("reasons") for line in lines] == [
        None,
        ["REASON_FIELD_OUT_OF_RANGE"],
        ["REASON_REQUEST_MALFORMED"],
    ]
    (end,) = streaming.events("stream")
    assert all((line["request_id"], line["method"]) == ("table-7", METHOD) for line in (*lines, end))
    assert "dropped_fields" not in end
    assert "secret-id" not in streaming.log.getvalue()


# --- limits ----------------------------------------------------------------------------------------------------------


def test_a_stream_beyond_the_limit_is_told_to_come_later(serve: Serve) -> None:
    """Streams beyond BURRACO_MAX_STREAMS are refused at once; when one ends, there is room again."""
    running = serve(max_streams=2)
    first, second = (Stream(running.channel).send(message()) for _ in range(2))
    first.read(), second.read()
    for _ in range(50):
        failed = Stream(running.channel).failure()
        assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_OVERLOADED")
        assert detail(failed.status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() > 0
    first.half_close().rest()
    assert eventually(lambda: running.server.calls_in_progress == 1)
    assert len(Stream(running.channel).send(message()).half_close().rest()) == 1
    second.send(message()).read()
    second.cancel()
    assert no_streams_are_left(running)


def test_as_many_streams_as_can_be_opened_leave_calls_alone(serve: Serve) -> None:
    """500 streams from several connections, those refused too: calls and health go on being answered."""
    running = serve(threads=1)
    address = f"127.0.0.1:{running.server.port}"
    channels = [grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) for _ in range(5)]
    streams = [Stream(channel) for channel in channels for _ in range(100)]
    try:
        assert eventually(lambda: running.server.calls_in_progress == 16)
        began = time.monotonic()
        for _ in range(50):
            running.get_rules(timeout=5)
        health = running.health.Check(health_pb2.HealthCheckRequest(), timeout=5)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        assert time.monotonic() - began < 10  # generous: a stream that held a call's thread would hold it for ever
    finally:
        for stream in streams:
            stream.cancel()
        for channel in channels:
            channel.close()
    assert no_streams_are_left(running)
    assert len(running.stub.ListPresets(pb.ListPresetsRequest()).presets) == 0


def test_busy_streams_leave_calls_alone(serve: Serve) -> None:
    """Streams that all work at once hold no thread that a call needs."""
    running = serve(threads=1, max_streams=3)
    gate = Gate(running)
    streams = [Stream(running.channel).send(message()) for _ in range(3)]
    assert eventually(lambda: gate.seen == 3)
    running.get_rules()
    gate.may_end.set()
    assert [stream.half_close().read().response for stream in streams] == [ACCEPTED] * 3


@pytest.mark.usefixtures("patient")
def test_calls_beyond_their_limit_leave_open_streams_alone(serve: Serve) -> None:
    """Messages of a stream that is open already are answered while calls are refused."""
    running = serve(threads=1, max_concurrent_rpcs=1)
    gate = threading.Event()
    stream = Stream(running.channel).send(message())
    stream.read()

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    call = running.stub.GetRules.future(pb.GetRulesRequest())
    assert eventually(lambda: running.server.calls_in_progress == 2)
    assert running.failure().info.reason == "REASON_OVERLOADED"
    assert len(stream.send(message()).half_close().rest()) == 1
    gate.set()
    call.result()


# --- who may ---------------------------------------------------------------------------------------------------------


def test_a_caller_that_is_not_known_gets_no_stream(serve: Serve) -> None:
    """A stream without credentials ends at once, before a message is read."""
    running = serve(api_keys="0123456789abcdef", development=True)
    failed = Stream(running.channel).failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "REASON_CALLER_NOT_KNOWN")
    with_key = Stream(running.channel, metadata=[("burraco-api-key", "0123456789abcdef")])
    assert len(with_key.send(message()).half_close().rest()) == 1
    assert no_streams_are_left(running)
    assert [line["caller"] for line in running.events("stream")] == ["unknown", "api_key"]


# --- how a stream ends -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [0, 1, 3])
def test_a_half_closed_stream_is_answered_to_its_end(streaming: Running, sent: int) -> None:
    """All that came before the half-close is answered; then the stream ends with OK."""
    stream = Stream(streaming.channel).send(*[message(str(at)) for at in range(sent)]).half_close()
    assert [answer.correlation_id for answer in stream.rest()] == [str(at) for at in range(sent)]
    assert stream.call.code() is grpc.StatusCode.OK


def test_cancelled_before_any_message(streaming: Running) -> None:
    """A stream that is given up while it waits for its first message gives its thread back."""

    def cancelled_stream_is_logged() -> bool:
        stream = Stream(streaming.channel)
        assert eventually(lambda: streaming.server.calls_in_progress == 1)
        stream.cancel()
        assert no_streams_are_left(streaming)
        # gRPC may tell the server of the end of messages first: then the log has OK, for nothing was left undone.
        return bool(streaming.events("stream")[-1]["code"] == "CANCELLED")

    assert eventually(cancelled_stream_is_logged)


def test_cancelled_between_messages(streaming: Running) -> None:
    """A stream that is given up between two messages gives its thread back."""
    stream = Stream(streaming.channel).send(message())
    stream.read()
    stream.cancel()
    assert no_streams_are_left(streaming)
    assert streaming.events("stream")[-1]["messages"] == 1


def test_cancelled_while_a_message_is_worked_on(streaming: Running) -> None:
    """A stream that is given up while the server works gives its thread back when the work is done."""
    gate = Gate(streaming)
    stream = Stream(streaming.channel).send(message(), message(), message())
    assert gate.begun.wait(SECONDS)
    stream.cancel()
    gate.may_end.set()
    assert no_streams_are_left(streaming)
    assert gate.seen <= 2
    assert streaming.events("stream")[-1]["code"] == "CANCELLED"


def test_cancelled_while_nobody_takes_the_answers(streaming: Running) -> None:
    """A stream that is given up while an answer waits to be taken gives its thread back (grpc/grpc#22874)."""
    stream, seen = unread(streaming)
    stream.cancel()
    assert no_streams_are_left(streaming)
    assert seen() < 200


@pytest.mark.parametrize("round_", range(3))
def test_cancelled_at_any_moment(streaming: Running, round_: int) -> None:
    """Many streams given up at once, each at a moment of its own, leave nothing behind."""

    def one(number: int) -> None:
        stream = Stream(streaming.channel).send(*[message(str(at)) for at in range(30)])
        time.sleep(number * 0.0007)
        stream.cancel()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(40)))
    assert no_streams_are_left(streaming)
    streaming.get_rules()


def test_a_connection_that_is_closed_ends_its_streams(streaming: Running) -> None:
    """A client that goes away with its connection leaves no thread behind."""
    channel = grpc.insecure_channel(f"127.0.0.1:{streaming.server.port}", [("grpc.use_local_subchannel_pool", 1)])
    streams = [Stream(channel).send(message()) for _ in range(5)]
    for stream in streams:
        stream.read()
    channel.close()
    for stream in streams:
        stream.half_close()
    assert no_streams_are_left(streaming)


def unread(running: Running) -> tuple[Stream, "Seen"]:
    """A stream of many messages with large answers, none of which its client reads, once it has come to a halt."""
    seen = Seen()

    def apply(_request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        seen.count += 1
        return pb.ApplyMovesResponse(accepted=pb.Accepted(state=bytes(100_000)))

    running.game.apply = apply
    stream = Stream(running.channel).send(*[message(str(at)) for at in range(1000)])
    assert eventually(lambda: seen() > 0 and seen.stands_still())
    return stream, seen


class Seen:
    """How many messages have been worked on."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> int:
        return self.count

    def stands_still(self) -> bool:
        """Whether none was for a while."""
        before = self.count
        time.sleep(0.2)
        return self.count == before


def resident_bytes() -> int:
    """Memory of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096


def test_a_client_that_never_reads_is_not_read_from(streaming: Running) -> None:
    """Nothing piles up for a client that does not take its answers: the server stops, and goes on when it reads."""
    before = resident_bytes()
    stream, seen = unread(streaming)
    halted = seen()
    assert halted < 200
    assert resident_bytes() - before < 60_000_000  # all thousand answers have 100 MB
    streaming.get_rules()
    stream.half_close()
    assert [answer.correlation_id for answer in stream.rest()] == [str(at) for at in range(1000)]


def test_an_idle_stream_is_ended_with_a_reason(serve: Serve) -> None:
    """Nothing for BURRACO_STREAM_IDLE_SECONDS ends a stream; messages in between keep it open."""
    running = serve(stream_idle_seconds=0.4)
    stream = Stream(running.channel)
    for _ in range(8):
        time.sleep(0.1)
        stream.send(message()).read()
    failed = stream.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "REASON_STREAM_IDLE")
    assert "0.4 seconds" in failed.message
    assert no_streams_are_left(running)
    (line,) = running.events("stream")
    assert (line["code"], line["reasons"], line["messages"]) == ("DEADLINE_EXCEEDED", ["REASON_STREAM_IDLE"], 8)


def test_a_slow_message_is_not_idleness(serve: Serve) -> None:
    """A stream whose message is worked on for long is not idle."""
    running = serve(stream_idle_seconds=0.1)
    gate = Gate(running)
    stream = Stream(running.channel).send(message("slow"))
    assert gate.begun.wait(SECONDS)
    time.sleep(0.4)
    gate.may_end.set()
    assert stream.read().correlation_id == "slow"
    assert stream.failure().info.reason == "REASON_STREAM_IDLE"


def test_a_stream_whose_answers_nobody_takes_is_cut_off(serve: Serve) -> None:
    """A client that does not read for as long as a stream may be idle loses it, and the thread comes back."""
    running = serve(stream_idle_seconds=0.5)
    stream, _ = unread(running)
    assert no_streams_are_left(running)
    (line,) = running.events("stream")
    assert (line["code"], line["reasons"]) == ("CANCELLED", ["REASON_STREAM_IDLE"])
    with pytest.raises(grpc.RpcError) as caught:
        stream.rest()
    assert caught.value.code() is grpc.StatusCode.CANCELLED
    stream.half_close()


# --- the end of the server -------------------------------------------------------------------------------------------


def test_a_stream_is_lost_though_grpc_has_not_heard_that_it_is_cancelled() -> None:
    """The log never has a stream as OK that was ended because nobody took its answer."""

    class Context:
        def is_active(self) -> bool:
            return True

        def time_remaining(self) -> float:
            return SECONDS

        def cancel(self) -> None:
            cancelled.set()

    cancelled = threading.Event()
    stream = _Stream(Call(), cast("grpc.ServicerContext", Context()), lambda _answer: stream.expire(0.0))
    assert stream.take()
    assert not stream.answer(b"")
    assert cancelled.is_set()
    assert (stream.code, stream.reasons) == ("CANCELLED", [reasons_pb2.REASON_STREAM_IDLE])


def test_a_closing_server_ends_idle_streams_at_once(streaming: Running) -> None:
    """A drain ends streams that wait, with UNAVAILABLE, to be opened elsewhere; new ones are refused alike."""
    streams = [Stream(streaming.channel).send(message()) for _ in range(3)]
    for stream in streams:
        stream.read()
    streaming.server.refuse_calls()
    for stream in (*streams, Stream(streaming.channel)):
        failed = stream.failure()
        assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "REASON_SHUTTING_DOWN")


def test_a_closing_server_answers_the_message_in_progress(streaming: Running) -> None:
    """The message that is worked on is answered, those behind it are not begun, and the client is told."""
    gate = Gate(streaming)
    stream = Stream(streaming.channel).send(message("a"), message("b"), message("c"))
    assert gate.begun.wait(SECONDS)
    streaming.server.refuse_calls()
    assert streaming.server.calls_in_progress == 1
    gate.may_end.set()
    assert stream.read().correlation_id == "a"
    failed = stream.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "REASON_SHUTTING_DOWN")
    assert gate.seen == 1


def test_stopping_amid_streams_never_hangs(serve: Serve) -> None:
    """A server that is stopped amid streams ends within its grace, and every stream has an end."""
    for at in range(10):
        running = serve()
        streams = [Stream(running.channel).send(*[message(str(n)) for n in range(50)]) for _ in range(5)]
        time.sleep(at * 0.002)
        running.server.refuse_calls()
        assert running.server.stop(grace_seconds=2).wait(SECONDS)
        assert running.server.close() == 0
        for stream in streams:
            with pytest.raises(grpc.RpcError):
                stream.rest()
            stream.half_close()
        running.channel.close()


def test_a_client_that_does_not_read_holds_up_no_end(serve: Serve) -> None:
    """Where an answer waits to be taken when the server stops, the stream is cut off after the grace."""
    running = serve()
    stream, _ = unread(running)
    running.server.refuse_calls()
    assert running.server.stop(grace_seconds=0.2).wait(SECONDS)
    assert running.server.close() == 0
    stream.half_close()


def test_no_thread_is_left_behind(serve: Serve) -> None:
    """All threads of streams end with the server, that which looks for idle ones too."""
    before = {thread.ident for thread in threading.enumerate()}
    running = serve()
    streams = [Stream(running.channel).send(message()) for _ in range(16)]
    for stream in streams:
        stream.half_close().rest()
    running.server.stop(None).wait(SECONDS)
    running.server.close()
    running.channel.close()

    def left() -> list[str]:
        after = [thread for thread in threading.enumerate() if thread.ident not in before]
        return [thread.name for thread in after if thread.name.startswith(("streams", "idle-streams"))]

    assert eventually(lambda: not left()), left()


def test_status_is_the_public_message() -> None:
    """What the server writes as bytes is what the contract says: a google.rpc.Status."""
    field = pb.StreamApplyMovesResponse.DESCRIPTOR.fields_by_name["status"]
    assert field.message_type is not None
    assert field.message_type.full_name == status_pb2.Status.DESCRIPTOR.full_name
