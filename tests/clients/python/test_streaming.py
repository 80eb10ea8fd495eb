"""A stream of moves: pipelined, answered in order, and what becomes of messages when it ends."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from burraco import Client, IllegalMove, MoveStream, RulesError, StreamEnded, connect
from burraco.v1 import game_service_pb2 as api
from burraco.v1.reasons_pb2 import Reason, Violation
from tests.clients.python.fake import FakeService, accepted, fail

if TYPE_CHECKING:
    from concurrent.futures import Future

SECONDS = 20.0
NO_PROXY = [("grpc.enable_http_proxy", 0)]
Messages = Iterator[api.StreamApplyMovesRequest]
Answers = Iterator[api.StreamApplyMovesResponse]


def request(number: int) -> api.ApplyMovesRequest:
    """A request that is told from others by its revision."""
    return api.ApplyMovesRequest(state=b"some", expected_revision=number)


def answer_to(message: api.StreamApplyMovesRequest) -> api.StreamApplyMovesResponse:
    """Accept it, with a revision that tells what was answered."""
    response = accepted(b"next", message.request.expected_revision + 100, 1)
    return api.StreamApplyMovesResponse(correlation_id=message.correlation_id, response=response)


def answer_all(messages: Messages, context: grpc.ServicerContext) -> Answers:
    return map(answer_to, messages)


def overloaded() -> Status:
    info = Any()
    info.Pack(ErrorInfo(domain="burraco", reason="REASON_REVISION_MISMATCH", metadata={"expected": "7"}))
    return Status(code=grpc.StatusCode.ABORTED.value[0], message="moved in between", details=[info])


def readers() -> list[threading.Thread]:
    """Threads that read streams."""
    return [thread for thread in threading.enumerate() if thread.name == "burraco-stream"]


def test_messages_go_ahead_and_are_answered_in_order(client: Client, service: FakeService) -> None:
    """All are sent before the first is answered, and each future has its own answer."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        yield from map(answer_to, [next(messages) for _ in range(5)])

    service.answer_stream = answer
    with client.stream() as stream:
        futures = [stream.send(request(number)) for number in range(5)]
        assert [future.result(SECONDS).revision for future in futures] == [100, 101, 102, 103, 104]
    assert stream.end is not None
    assert stream.end.code is grpc.StatusCode.OK
    assert (stream.unanswered, readers()) == ((), [])
    assert [message.request for message in service.requests] == [request(number) for number in range(5)]  # type: ignore[attr-defined]
    assert len({message.correlation_id for message in service.requests}) == 5  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_an_answer_calls_cannot_leave_others_waiting(client: Client, service: FakeService) -> None:
    """Where it ends the thread that reads, as an exit does, the stream ends: nobody waits for an answer in vain."""
    gate = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        for message in messages:
            gate.wait(SECONDS)
            yield answer_to(message)

    service.answer_stream = answer
    stream = client.stream(ahead=3)
    first, *others = (stream.send(request(number)) for number in range(3))
    for future in (first, *others):
        future.add_done_callback(lambda _future: sys.exit())
    gate.set()
    assert first.result(SECONDS).revision == 100
    for number, future in enumerate(others, 1):
        with pytest.raises(StreamEnded) as caught:
            future.result(SECONDS)
        assert (caught.value.code, caught.value.request) == (grpc.StatusCode.UNKNOWN, request(number))
    with pytest.raises(StreamEnded):
        stream.send(request(3)).result(SECONDS)
    stream.close()
    assert (stream.unanswered, readers()) == ((request(1), request(2)), [])


def test_the_end_of_the_block_waits_for_the_answers(client: Client, service: FakeService) -> None:
    """What was sent before the end of the block is answered after it."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        for message in messages:
            time.sleep(0.05)
            yield answer_to(message)

    service.answer_stream = answer
    with client.stream() as stream:
        futures = [stream.send(request(number)) for number in range(5)]
    assert [future.result(0).revision for future in futures] == [100, 101, 102, 103, 104]


def test_what_is_refused_or_fails_does_so_in_its_place(client: Client, service: FakeService) -> None:
    """A refusal and a failure are those of their message, and the stream goes on."""
    wrong = Violation(reason=Reason.REASON_MUST_DRAW_FIRST, rule_id="B4-15", text="Draw first.")

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        yield answer_to(next(messages))
        rejected = api.ApplyMovesResponse(rejected=api.Rejected(violations=[wrong]))
        yield api.StreamApplyMovesResponse(correlation_id=next(messages).correlation_id, response=rejected)
        yield api.StreamApplyMovesResponse(correlation_id=next(messages).correlation_id, status=overloaded())
        next(messages)  # one that could not be read has no id
        yield api.StreamApplyMovesResponse(status=Status(code=3, message="no message"))
        yield api.StreamApplyMovesResponse(correlation_id=next(messages).correlation_id)
        unknown = api.StreamApplyMovesResponse(correlation_id=next(messages).correlation_id)
        unknown.response.SetInParent()
        yield unknown
        yield api.StreamApplyMovesResponse(correlation_id=next(messages).correlation_id, response=accepted(b"", 6, 1))
        yield answer_to(next(messages))

    service.answer_stream = answer
    with client.stream() as stream:
        sent = [stream.send(request(number)) for number in range(8)]
        first, refused, failed, unread, empty, unknown, stateless, last = sent
        assert first.result(SECONDS).revision == 100
        with pytest.raises(IllegalMove, match="Draw first"):
            refused.result(SECONDS)
        with pytest.raises(RulesError, match="moved in between") as caught:
            failed.result(SECONDS)
        assert (caught.value.code, caught.value.reason) == (
            grpc.StatusCode.ABORTED,
            Reason.REASON_REVISION_MISMATCH,
        )
        assert caught.value.arguments == {"expected": "7"}
        assert not isinstance(caught.value, StreamEnded)
        with pytest.raises(RulesError, match="no message"):
            unread.result(SECONDS)
        for each in (empty, unknown):
            with pytest.raises(RulesError, match="older than the service"):
                each.result(SECONDS)
        with pytest.raises(RulesError, match=r"the answer has no accepted\.state"):
            stateless.result(SECONDS)
        assert last.result(SECONDS).revision == 107


def test_an_end_gives_back_what_is_not_answered(client: Client, service: FakeService) -> None:
    """Each message without an answer says so, with its request; on another stream they are answered."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        first, *_ = [next(messages) for _ in range(4)]
        yield answer_to(first)
        info = ErrorInfo(domain="burraco", reason="REASON_SHUTTING_DOWN")
        fail(context, grpc.StatusCode.UNAVAILABLE, "going away", info)

    service.answer_stream = answer
    with client.stream() as stream:
        futures = [stream.send(request(number)) for number in range(4)]
        assert futures[0].result(SECONDS).revision == 100
        for number, future in enumerate(futures[1:], start=1):
            with pytest.raises(StreamEnded, match="going away") as caught:
                future.result(SECONDS)
            assert caught.value.request == request(number)
            assert (caught.value.reason, caught.value.transient) == (Reason.REASON_SHUTTING_DOWN, True)
        assert stream.unanswered == tuple(map(request, (1, 2, 3)))
        with pytest.raises(StreamEnded) as late:
            stream.send(request(9)).result(SECONDS)
        assert late.value.request == request(9)
        assert stream.end is not None
        assert stream.end.code is grpc.StatusCode.UNAVAILABLE
    service.answer_stream = answer_all
    with client.stream() as another:
        again = [another.send(each) for each in stream.unanswered]
        assert [future.result(SECONDS).revision for future in again] == [101, 102, 103]
    assert readers() == []


def test_an_end_without_a_failure_leaves_nothing_unsaid(client: Client, service: FakeService) -> None:
    """A server that ends a stream in order, and has not answered, has not answered all the same."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        next(messages)
        return iter(())

    service.answer_stream = answer
    with client.stream() as stream, pytest.raises(StreamEnded, match="before it answered") as caught:
        stream.send(request(1)).result(SECONDS)
    assert caught.value.transient
    assert stream.unanswered == (request(1),)


def test_an_answer_to_something_else_ends_the_stream(client: Client, service: FakeService) -> None:
    """Nothing is taken for the answer to another message."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        first, second = next(messages), next(messages)
        yield answer_to(second)
        yield answer_to(first)

    service.answer_stream = answer
    with client.stream() as stream:
        futures = [stream.send(request(number)) for number in range(2)]
        for future in futures:
            with pytest.raises(StreamEnded, match="answered message '2' where '1'"):
                future.result(SECONDS)
    assert stream.unanswered == (request(0), request(1))


def test_an_answer_to_nothing_ends_the_stream(client: Client, service: FakeService) -> None:
    """Nor is an answer that nobody waits for passed over."""
    service.answer_stream = lambda messages, context: iter([api.StreamApplyMovesResponse(correlation_id="1")])
    with client.stream() as stream:
        stream._reader.join(SECONDS)
    assert stream.end is not None
    assert "answered message '1' where '(none)'" in stream.end.message


def test_only_so_many_wait(client: Client, service: FakeService) -> None:
    """A message more than `ahead` is sent when the first is answered."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        for message in messages:
            released.wait(SECONDS)
            yield answer_to(message)

    service.answer_stream = answer
    sent: list[Future[api.Accepted]] = []
    with client.stream(ahead=2) as stream:
        sent += [stream.send(request(0)), stream.send(request(1))]
        third = threading.Thread(target=lambda: sent.append(stream.send(request(2))))
        third.start()
        third.join(0.2)
        assert third.is_alive()
        released.set()
        third.join(SECONDS)
        assert [future.result(SECONDS).revision for future in sent] == [100, 101, 102]
    with pytest.raises(ValueError, match="ahead is 0"):
        client.stream(ahead=0)


def test_who_waits_for_room_learns_of_the_end(client: Client, service: FakeService) -> None:
    """A sender that waits goes on when the stream ends, with its request back."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        time.sleep(0.3)
        context.abort(grpc.StatusCode.UNAVAILABLE, "going away")

    service.answer_stream = answer
    with client.stream(ahead=1) as stream:
        first = stream.send(request(0))
        second = stream.send(request(1))
        for number, future in enumerate((first, second)):
            with pytest.raises(StreamEnded) as caught:
                future.result(SECONDS)
            assert caught.value.request == request(number)


def test_what_an_answer_calls_may_send(client: Client, service: FakeService) -> None:
    """A callback runs on the thread that reads, which must not wait for itself."""
    service.answer_stream = answer_all
    chained: list[Future[api.Accepted]] = []
    done = threading.Event()
    with client.stream(ahead=1) as stream:

        def send_next(_: object) -> None:
            chained.append(stream.send(request(1)))
            done.set()

        stream.send(request(0)).add_done_callback(send_next)
        assert done.wait(SECONDS)
        assert chained[0].result(SECONDS).revision == 101


@pytest.mark.parametrize("end", [MoveStream.close, MoveStream.cancel])
def test_what_an_answer_calls_may_end_the_stream(
    client: Client, service: FakeService, end: Callable[[MoveStream], None]
) -> None:
    """It cannot wait for what it is part of."""
    service.answer_stream = answer_all
    told: list[BaseException | None] = []
    ended = threading.Event()
    stream = client.stream()

    def end_it(_: object) -> None:
        try:
            end(stream)
            told.append(None)
        except RuntimeError as error:
            told.append(error)
        ended.set()

    stream.send(request(0)).add_done_callback(end_it)
    assert ended.wait(SECONDS)
    stream.close()
    assert told == [None]
    assert stream.end is not None
    assert stream.end.code in {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}


def test_a_closed_stream_takes_nothing(client: Client, service: FakeService) -> None:
    """Sending on after the end of the block is a mistake of the program, and is said."""
    service.answer_stream = answer_all
    with client.stream() as stream:
        future = stream.send(request(0))
        assert not future.cancel()
    with pytest.raises(ValueError, match="was closed: open another"):
        stream.send(request(1))


def test_an_error_in_the_block_cancels(client: Client, service: FakeService) -> None:
    """Nobody waits for a server that does not answer when the block has failed."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        released.wait(SECONDS)
        return map(answer_to, messages)

    service.answer_stream = answer
    futures: list[Future[api.Accepted]] = []

    def break_off() -> None:
        with client.stream() as stream:
            futures.append(stream.send(request(0)))
            raise KeyError

    try:
        with pytest.raises(KeyError):
            break_off()
        with pytest.raises(StreamEnded) as caught:
            futures[0].result(SECONDS)
        assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.CANCELLED, False)
        assert readers() == []
    finally:
        released.set()


def test_closing_does_not_wait_for_ever(service: FakeService) -> None:
    """When nothing is answered for as long as a call may take, the stream is cancelled and gives back what is left."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        yield answer_to(next(messages))
        released.wait(SECONDS)

    service.answer_stream = answer
    try:
        with connect(service.address, timeout=0.3, options=NO_PROXY) as hasty:
            began = time.monotonic()
            with hasty.stream() as stream:
                first, second = stream.send(request(0)), stream.send(request(1))
                assert first.result(SECONDS).revision == 100
            assert time.monotonic() - began < SECONDS / 2
            with pytest.raises(StreamEnded) as caught:
                second.result(0)
            assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.DEADLINE_EXCEEDED, True)
            assert stream.unanswered == (request(1),)
    finally:
        released.set()


def test_a_deadline_is_of_the_whole_stream(client: Client, service: FakeService) -> None:
    """Without one a stream outlives the deadline of calls; with one it ends then."""
    service.answer_stream = answer_all
    with client.stream(timeout=3.0) as stream:
        assert stream.send(request(0)).result(SECONDS).revision == 100
        stream._reader.join(SECONDS)
        with pytest.raises(StreamEnded) as caught:
            stream.send(request(1)).result(SECONDS)
        assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    with connect(service.address, timeout=0.2, options=NO_PROXY) as hasty, hasty.stream() as patient:
        time.sleep(3.0)  # longer than any deadline of the service config
        assert patient.send(request(2)).result(SECONDS).revision == 102


def test_the_caller_is_told(service: FakeService) -> None:
    """A stream sends what says who calls."""
    found: list[dict[str, str | bytes]] = []

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        found.append(dict(context.invocation_metadata() or ()))
        return map(answer_to, messages)

    service.answer_stream = answer
    with (
        connect(service.address, api_key="a-key", options=NO_PROXY) as client,
        client.stream() as stream,
    ):
        stream.send(request(0)).result(SECONDS)
    assert found[0]["burraco-api-key"] == "a-key"
