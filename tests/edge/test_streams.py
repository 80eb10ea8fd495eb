"""Streams through both proxies: what a stream promises without them holds behind them too."""

import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import moves_pb2
from service.api.call import Call
from tests.edge.behind import ACCEPTED, LARGE, MANY, OWN_CONNECTION, Gate, LargeAnswers, Start, nothing_is_left, unread
from tests.edge.proxies import front, plain_channel
from tests.edge.replicas import API_KEY, SECONDS, Replica, replicas, wait_until
from tests.edge.web import GAME
from tests.server.streams import METHOD, Stream, message
from tests.server.stub import detail, failure, refusal
from tests.support.frames import answers_to_one_frame

KEY: Final = (("burraco-api-key", API_KEY),)


def unary(channel: grpc.Channel, request: pb.ApplyMovesRequest) -> tuple[str, bytes]:
    """What ApplyMoves itself answers: the kind of outcome that a stream has for it, and its bytes."""
    method: Any = channel.unary_unary(f"{GAME}ApplyMoves")
    try:
        return "response", method(request.SerializeToString(), metadata=KEY, timeout=SECONDS)
    except grpc.RpcError as caught:
        error: Any = caught
        status = rpc_status.from_call(error)
        assert status is not None, (error.code(), error.details())
        return "status", status.SerializeToString()


def outcome(answer: pb.StreamApplyMovesResponse) -> tuple[str, bytes]:
    """What a message of a stream was answered with."""
    kind = answer.WhichOneof("outcome")
    assert kind
    said: bytes = getattr(answer, kind).SerializeToString()
    return kind, said


# --- answers ---------------------------------------------------------------------------------------------------------


def test_pipelined_messages_are_answered_in_order_as_apply_moves_answers(
    target: str, match: pb.CreateMatchResponse
) -> None:
    """400 messages sent ahead, some 5 MB: legal moves, illegal ones and faulty calls, each answered byte for byte."""
    draw = moves_pb2.Move(draw_stock=moves_pb2.DrawStock())
    kinds = (
        pb.ApplyMovesRequest(state=match.state, seat=0, moves=[draw], list_legal_moves=True),
        pb.ApplyMovesRequest(state=match.state, seat=0, moves=[moves_pb2.Move(take_pile=moves_pb2.TakePile())]),
        pb.ApplyMovesRequest(state=match.state, seat=1, moves=[draw]),
        pb.ApplyMovesRequest(state=match.state, seat=9, moves=[draw]),
        pb.ApplyMovesRequest(state=bytes(LARGE // 2), seat=0, moves=[draw]),
    )
    with plain_channel(target) as channel:
        expected = [unary(channel, request) for request in kinds]
        assert [kind for kind, _ in expected] == ["response"] * 3 + ["status"] * 2
        told = [pb.ApplyMovesResponse.FromString(said).WhichOneof("outcome") for _, said in expected[:3]]
        assert told == ["accepted", "accepted", "rejected"]
        stream = Stream(channel, KEY)
        for at in range(400):
            stream.send(pb.StreamApplyMovesRequest(correlation_id=f"m{at}", request=kinds[at % len(kinds)]))
        answers = stream.half_close().rest()
    assert [answer.correlation_id for answer in answers] == [f"m{at}" for at in range(400)]
    assert [outcome(answer) for answer in answers] == [expected[at % len(kinds)] for at in range(400)]
    assert stream.call.code() is grpc.StatusCode.OK


def test_answers_come_one_by_one(target: str, match: pb.CreateMatchResponse) -> None:
    """No proxy waits for more: each message is answered before the next is sent."""
    with plain_channel(target) as channel:
        stream = Stream(channel, KEY)
        for at in range(50):
            assert stream.send(message(f"m{at}", state=match.state)).read().correlation_id == f"m{at}"
        assert stream.half_close().rest() == []


def test_many_messages_in_one_frame_are_all_answered(start: Start) -> None:
    """A server makes room anew with each answer: where one frame brought all, no proxy takes that for a flood."""
    behind = start()
    port = int(behind.target.rpartition(":")[2])
    answers = answers_to_one_frame(port, METHOD, [message(str(at)).SerializeToString() for at in range(1_000)])
    read = [pb.StreamApplyMovesResponse.FromString(answer).correlation_id for answer in answers]
    assert read == [str(at) for at in range(1_000)]


@pytest.mark.parametrize("payload", [b"\xff", message("x" * 65).SerializeToString()], ids=["none", "no id"])
def test_a_message_that_fails_does_not_end_the_stream(target: str, payload: bytes) -> None:
    """What is no message at all is answered with its status, and so is the next."""
    with plain_channel(target) as channel:
        failed, next_ = Stream(channel, KEY).send(payload, message("next")).half_close().rest()
    assert failed.status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert detail(failed.status, error_details_pb2.ErrorInfo).domain == "burraco"
    assert (next_.correlation_id, next_.WhichOneof("outcome")) == ("next", "status")


def test_who_is_nobody_gets_no_stream(target: str) -> None:
    """The details of an end that comes before any answer arrive as they left."""
    with plain_channel(target) as channel:
        failed = Stream(channel).failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "REASON_CALLER_NOT_KNOWN")


# --- clients that go, and clients that do not read -------------------------------------------------------------------


def test_cancelled_between_messages(start: Start) -> None:
    """A stream that its client gives up while it waits ends at the server."""
    behind = start()
    stream = Stream(behind.channel).send(message())
    stream.read()
    stream.cancel()
    nothing_is_left(behind)


def test_cancelled_while_a_message_is_worked_on(start: Start) -> None:
    """A stream that its client gives up while the server works ends there when the work does."""
    behind = start()
    gate = Gate(behind)
    stream = Stream(behind.channel).send(message(), message())
    assert gate.begun.acquire(timeout=SECONDS)
    stream.cancel()
    gate.may_end.set()
    nothing_is_left(behind)


def test_a_connection_that_is_closed_ends_its_streams(start: Start) -> None:
    """A client that goes away with its connection leaves no thread behind."""
    behind = start()
    with plain_channel(behind.target, OWN_CONNECTION) as channel:
        streams = [Stream(channel).send(message()) for _ in range(5)]
        for stream in streams:
            stream.read()
    nothing_is_left(behind)
    for stream in streams:
        stream.half_close()


def test_a_client_that_does_not_read_is_not_read_from(start: Start) -> None:
    """No proxy takes what nobody reads: the server comes to a halt, and goes on when the client reads."""
    behind = start()
    answers = LargeAnswers(behind)
    with unread(behind) as stream:
        assert answers.halted() < MANY / 4
        assert behind.server.calls_in_progress == 1
        stream.half_close()
        assert [answer.correlation_id for answer in stream.rest()] == [str(at) for at in range(MANY)]
    assert answers.seen == MANY


def test_cancelled_while_nobody_takes_the_answers(start: Start) -> None:
    """A stream that is given up while an answer waits in a proxy gives its thread back."""
    behind = start()
    answers = LargeAnswers(behind)
    with unread(behind):
        halted = answers.halted()
    nothing_is_left(behind)
    assert answers.seen <= halted + 50


def test_streams_that_nobody_reads_hold_up_no_call_of_others(start: Start) -> None:
    """They share connections from the proxy to the replica with the calls of others, which are answered as ever."""
    behind = start()
    answers = LargeAnswers(behind)
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(unread(behind))
        answers.halted()
        for _ in range(8):  # a proxy has several workers, each with connections of its own
            with plain_channel(behind.target, OWN_CONNECTION) as channel:
                assert unary(channel, pb.ApplyMovesRequest())[0] == "response"
        wait_until("the streams alone are left", lambda: behind.server.calls_in_progress == 8)


def test_messages_that_wait_hold_up_no_call_over_the_same_connection(start: Start) -> None:
    """A back end that has sent far ahead on all its streams still calls over the connection that carries them."""
    behind = start(max_streams=24)
    gate = Gate(behind)
    ahead = [message(state=bytes(LARGE)) for _ in range(15)]
    streams = [Stream(behind.channel).send(*ahead).half_close() for _ in range(24)]
    for _ in streams:
        assert gate.begun.acquire(timeout=SECONDS)
    time.sleep(0.5)  # for as much to be sent as there is room for
    for _ in range(8):
        behind.get_rules(timeout=5)
    gate.may_end.set()
    for stream in streams:
        assert [outcome(answer)[0] for answer in stream.rest()] == ["response"] * 15


# --- limits ----------------------------------------------------------------------------------------------------------


def test_an_idle_stream_is_ended_by_the_server(start: Start) -> None:
    """The client learns why: the reason comes through, and the proxies' own times are longer."""
    behind = start(stream_idle_seconds=0.4)
    stream = Stream(behind.channel).send(message())
    stream.read()
    failed = stream.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "REASON_STREAM_IDLE")
    assert "0.4 seconds" in failed.message


def test_streams_beyond_the_limit_are_told_to_come_later(start: Start) -> None:
    """They are refused at once with RetryInfo; when one ends, there is room again."""
    behind = start(max_streams=2)
    first, second = (Stream(behind.channel).send(message()) for _ in range(2))
    first.read(), second.read()
    for _ in range(20):
        failed = Stream(behind.channel).failure()
        assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_OVERLOADED")
        assert detail(failed.status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() > 0
    first.half_close().rest()
    wait_until("one has ended", lambda: behind.server.calls_in_progress == 1)
    assert len(Stream(behind.channel).send(message()).half_close().rest()) == 1
    second.cancel()


def hurried(text: str) -> str:
    """A configuration whose times are a second, unsaid ones too, but for those of the route of streams."""
    shipped = {
        "                stream_idle_timeout: 300s": "                stream_idle_timeout: 1s",
        "max_stream_duration: 10s": "max_stream_duration: 1s",
        "grpc_read_timeout 30s;": "grpc_read_timeout 1s;",
        "grpc_send_timeout 30s;": "grpc_send_timeout 1s;",
        "server_tokens off;": "server_tokens off; client_body_timeout 1s; send_timeout 1s;",
    }
    assert [text.count(line) for line in shipped] in ([2, 1, 0, 0, 0], [0, 0, 1, 1, 1])
    for line, shorter in shipped.items():
        text = text.replace(line, shorter)
    return text


def test_a_stream_outlasts_what_ends_a_call(start: Start) -> None:
    """The times that end a call that lasts leave streams alone: one that waits, one at work, one that is not read."""
    behind = start(hurried)
    answers = LargeAnswers(behind)

    def slow_answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        time.sleep(1.8)
        return pb.GetRulesResponse()

    def slow_apply(_request: object, _call: Call) -> pb.ApplyMovesResponse:
        time.sleep(1.8)
        return ACCEPTED

    behind.game.answer = slow_answer
    with unread(behind) as full:
        answers.halted()
        waiting = Stream(behind.channel).send(message("a"))
        waiting.read()
        with pytest.raises(grpc.RpcError) as caught:
            behind.get_rules()
        error: Any = caught.value
        assert error.code() in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)
        time.sleep(0.8)
        behind.game.apply = slow_apply
        assert waiting.send(message("b")).half_close().read().correlation_id == "b"
        assert waiting.rest() == []
        behind.game.apply = lambda _request, _call: ACCEPTED
        assert len(full.half_close().rest()) == MANY


# --- replicas that go ------------------------------------------------------------------------------------------------


def test_a_closing_server_answers_the_message_in_progress(start: Start) -> None:
    """What it worked on is answered, what waited is not begun, and the client is told why."""
    behind = start()
    gate = Gate(behind)
    stream = Stream(behind.channel).send(message("a"), message("b"))
    assert gate.begun.acquire(timeout=SECONDS)
    behind.server.refuse_calls()
    gate.may_end.set()
    assert stream.read().correlation_id == "a"
    failed = stream.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "REASON_SHUTTING_DOWN")
    assert not gate.begun.acquire(blocking=False)


def of_stream(made: Sequence[Replica], stream: Stream) -> Replica:
    """The replica that has an open stream; a message is sent and answered to learn that."""
    before = [replica.calls() for replica in made]
    stream.send(message("which")).read()
    found: list[Replica] = []

    def is_found() -> bool:
        found[:] = [replica for replica, calls in zip(made, before, strict=True) if replica.calls() > calls]
        return bool(found)

    wait_until("a replica has logged the message", is_found)
    (one,) = found
    return one


def sending(stream: Stream, over: threading.Event) -> None:
    """Send numbered messages, quicker than they are answered, until it is over."""
    for at in range(100_000):
        if over.wait(0.001):
            return
        stream.send(message(str(at)))


def test_a_replica_that_drains_ends_its_streams_and_others_take_new_ones(door: str) -> None:
    """On SIGTERM amid messages all answers up to the end are there, in order, and the next streams go elsewhere."""
    with (
        replicas(2, DRAIN_SECONDS="0.8") as made,
        front(door, [each.port for each in made]) as target,
        plain_channel(target) as channel,
        ThreadPoolExecutor(2) as pool,
    ):
        stream, over = Stream(channel, KEY), threading.Event()
        draining = of_stream(made, stream)
        pool.submit(sending, stream, over)
        code = pool.submit(draining.stop, signal.SIGTERM)
        answered: list[str] = []
        try:
            failed = failure(lambda: answered.extend(each.correlation_id for each in stream.answers()))
        finally:
            over.set()
        assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "REASON_SHUTTING_DOWN")
        assert answered == [str(at) for at in range(len(answered))]
        assert len(answered) > 20
        assert code.result(SECONDS) == 0
        stream.half_close()
        for _ in range(6):
            assert len(Stream(channel, KEY).send(message()).half_close().rest()) == 1


def test_a_stream_is_not_opened_on_a_replica_that_is_gone(door: str) -> None:
    """The stream of a replica that is killed ends; the next ones go to another, although nobody has noticed yet."""
    with replicas(2) as made, front(door, [each.port for each in made]) as target, plain_channel(target) as channel:
        stream = Stream(channel, KEY)
        assert of_stream(made, stream).stop(signal.SIGKILL) == -signal.SIGKILL
        # A stream whose answers have begun is reset by both proxies, which gRPC has this code for.
        assert refusal(stream.rest).code() is grpc.StatusCode.INTERNAL
        stream.half_close()
        for _ in range(6):
            assert len(Stream(channel, KEY).send(message()).half_close().rest()) == 1
