"""Streams of the asynchronous client: what `test_streaming` has of the other, and who is cancelled."""

import asyncio
import threading
import time
from collections.abc import Iterator

import grpc
import pytest

from burraco import RulesError, StreamEnded, aio
from burraco.v1 import game_service_pb2 as api
from burraco.v1.reasons_pb2 import Reason
from tests.clients.python.fake import FakeService, fail
from tests.clients.python.test_aio import with_client
from tests.clients.python.test_streaming import (
    SECONDS,
    Answers,
    Messages,
    answer_all,
    answer_to,
    overloaded,
    request,
)


def test_messages_go_ahead_and_are_answered_in_their_place(service: FakeService) -> None:
    """All are sent before the first is answered; one that fails does so in its place."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        first, failing, unknown, last = [next(messages) for _ in range(4)]
        yield answer_to(first)
        yield api.StreamApplyMovesResponse(correlation_id=failing.correlation_id, status=overloaded())
        yield api.StreamApplyMovesResponse(correlation_id=unknown.correlation_id, response=api.ApplyMovesResponse())
        yield answer_to(last)

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream() as stream:
            first, failing, unknown, last = [await stream.send(request(number)) for number in range(4)]
            assert (await first).revision == 100
            with pytest.raises(RulesError) as caught:
                await failing
            assert (caught.value.code, caught.value.reason) == (
                grpc.StatusCode.ABORTED,
                Reason.REASON_REVISION_MISMATCH,
            )
            with pytest.raises(RulesError, match="older than the service"):
                await unknown
        assert (await last).revision == 103
        assert stream.end is not None
        assert (stream.end.code, stream.unanswered) == (grpc.StatusCode.OK, ())
        with pytest.raises(ValueError, match="was closed: open another"):
            await stream.send(request(9))

    with_client(service, work)


def test_an_end_gives_back_what_is_not_answered(service: FakeService) -> None:
    """Each message without an answer says so, with its request, those that wait for room too."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        first, *_ = [next(messages) for _ in range(3)]
        yield answer_to(first)
        next(messages)
        fail(context, grpc.StatusCode.UNAVAILABLE, "going away")

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream(ahead=3) as stream:
            futures = await asyncio.gather(*(stream.send(request(number)) for number in range(6)))
            told = await asyncio.gather(*futures, return_exceptions=True)
            ended = [each for each in told if isinstance(each, StreamEnded)]
            assert [each.request for each in ended] == [request(number) for number in range(1, 6)]
            assert all(each.transient for each in ended)
            assert stream.unanswered == tuple(request(number) for number in (1, 2, 3))
        service.answer_stream = answer_all
        async with client.stream(ahead=1) as another:
            again = [await another.send(each.request) for each in ended]
            assert [(await future).revision for future in again] == [101, 102, 103, 104, 105]

    with_client(service, work)


def test_answers_before_an_end_are_not_lost(service: FakeService) -> None:
    """A loop that is busy while the stream ends still reads all that was answered before."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        got = [next(messages) for _ in range(20)]
        yield from map(answer_to, got)
        fail(context, grpc.StatusCode.UNAVAILABLE, "going away")

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream() as stream:
            futures = [await stream.send(request(number)) for number in range(20)]
            await asyncio.sleep(0.01)
            time.sleep(0.5)  # noqa: ASYNC251 - what is tested
            assert [(await future).revision for future in futures] == [100 + number for number in range(20)]

    with_client(service, work)


def test_who_stops_waiting_disturbs_nobody(service: FakeService) -> None:
    """A task that is cancelled while it waits for room or for its answer leaves the others theirs."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        for message in messages:
            released.wait(SECONDS)
            yield answer_to(message)

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream(ahead=2) as stream:

            async def play(number: int) -> int:
                return (await (await stream.send(request(number)))).revision

            first, second, third, fourth = tasks = [asyncio.create_task(play(number)) for number in range(4)]
            await asyncio.sleep(0.2)
            first.cancel()
            third.cancel()
            released.set()
            assert (await second, await fourth) == (101, 103)
            assert [task.cancelled() for task in tasks] == [True, False, True, False]
            released.clear()
            unanswered = await stream.send(request(5))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(unanswered, 0.1)
            released.set()
            assert (await (await stream.send(request(6)))).revision == 106

    try:
        with_client(service, work)
    finally:
        released.set()


def test_an_error_in_the_block_cancels(service: FakeService) -> None:
    """Nobody waits for a server that does not answer when the block has failed, or its task is cancelled."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        released.wait(SECONDS)
        return iter(())

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        futures: list[asyncio.Future[api.Accepted]] = []

        async def wait_in_the_block() -> None:
            async with client.stream() as stream:
                futures.append(await stream.send(request(0)))
                await asyncio.sleep(SECONDS)

        task = asyncio.create_task(wait_in_the_block())
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(StreamEnded) as caught:
            await futures[0]
        assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.CANCELLED, False)
        assert [each.get_name() for each in asyncio.all_tasks() if each.get_name().startswith("burraco")] == []

    try:
        with_client(service, work)
    finally:
        released.set()


def test_closing_does_not_wait_for_ever(service: FakeService) -> None:
    """When nothing is answered for as long as a call may take, the stream is cancelled and gives back what is left."""
    released = threading.Event()

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        yield answer_to(next(messages))
        released.wait(SECONDS)

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream() as stream:
            first, second = await stream.send(request(0)), await stream.send(request(1))
            assert (await first).revision == 100
        with pytest.raises(StreamEnded) as caught:
            await second
        assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.DEADLINE_EXCEEDED, True)
        assert stream.unanswered == (request(1),)

    try:
        with_client(service, work, timeout=0.3)
    finally:
        released.set()


def test_a_stream_has_its_own_deadline(service: FakeService) -> None:
    """The deadline is of the whole stream, and ends it."""
    service.answer_stream = answer_all

    async def work(client: aio.Client) -> None:
        async with client.stream(timeout=3.0) as stream:
            assert (await (await stream.send(request(0)))).revision == 100
            await asyncio.sleep(4)
            with pytest.raises(StreamEnded) as caught:
                await (await stream.send(request(1)))
            assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED

    with_client(service, work)


def test_an_answer_to_something_else_ends_the_stream(service: FakeService) -> None:
    """Nothing is taken for the answer to another message."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Iterator[api.StreamApplyMovesResponse]:
        first, second = next(messages), next(messages)
        yield answer_to(second)
        yield answer_to(first)

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream() as stream:
            futures = [await stream.send(request(number)) for number in range(2)]
            for future in futures:
                with pytest.raises(StreamEnded, match="answered message '2' where '1'"):
                    await future

    with_client(service, work)
