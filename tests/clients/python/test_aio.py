"""The asynchronous client: what it shares with the other, and what cancelling does."""

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import grpc
import pytest
from google.protobuf.message import Message

import burraco
from burraco import IllegalMove, RulesError, StreamEnded, aio, moves
from burraco.v1 import game_service_pb2 as api
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from burraco.v1.moves_pb2 import LegalMoves
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.views_pb2 import Phase, View
from tests.clients.python.fake import FakeService, accepted, fail
from tests.clients.python.test_streaming import (
    NO_PROXY,
    SECONDS,
    Answers,
    Messages,
    answer_all,
    answer_to,
    overloaded,
    request,
)
from tests.clients.python.test_table import ILLEGAL

Result = TypeVar("Result")


def with_client(
    service: FakeService,
    work: Callable[[aio.Client], Awaitable[Result]],
    *,
    timeout: float = 5.0,
    api_key: str | None = None,
) -> Result:
    """Run something with a client of the service, in an event loop of its own."""

    async def run() -> Result:
        async with aio.connect(service.address, timeout=timeout, api_key=api_key, options=NO_PROXY) as client:
            return await asyncio.wait_for(work(client), SECONDS)

    return asyncio.run(run(), debug=True)


def method_names(kind: type) -> dict[str, inspect.Signature]:
    """Public methods, with their signatures."""
    found = inspect.getmembers(kind, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
    return {name: inspect.signature(member) for name, member in found if not name.startswith("_")}


@pytest.mark.parametrize(
    ("there", "here"),
    [
        (burraco.Table, aio.Table),
        (burraco.Client, aio.Client),
        (burraco.MoveStream, aio.MoveStream),
    ],
)
def test_it_has_what_the_other_has(there: type, here: type) -> None:
    """The same methods with the same parameters."""
    others = method_names(here)
    for name, signature in method_names(there).items():
        assert [str(each.replace(annotation=each.empty)) for each in signature.parameters.values()] == [
            str(each.replace(annotation=each.empty)) for each in others[name].parameters.values()
        ], name
    assert others.keys() == method_names(there).keys()
    assert inspect.signature(aio.connect).parameters == inspect.signature(burraco.connect).parameters


def test_a_table_plays(service: FakeService) -> None:
    """A table keeps what the answers say, and a refusal changes nothing."""
    answers: dict[type[Message], Message] = {
        api.CreateMatchRequest: api.CreateMatchResponse(
            state=b"new", updates=[api.ViewerUpdate(view=View(turn=2, phase=Phase.PHASE_DRAW))], seat_tokens=["a", "b"]
        ),
        api.GetViewRequest: api.GetViewResponse(view=View(revision=9)),
        api.ApplyMovesRequest: accepted(b"six", 6, 1),
        api.CheckMovesRequest: api.CheckMovesResponse(violations=[ILLEGAL]),
        api.ListLegalMovesRequest: api.ListLegalMovesResponse(legal_moves=LegalMoves(count=3)),
        api.ScoreDealRequest: api.ScoreDealResponse(),
        api.IssueSeatTokenRequest: api.IssueSeatTokenResponse(seat_token="t", state=b"seven", revision=7),
    }
    service.answer = lambda asked, context: answers[type(asked)]

    async def work(client: aio.Client) -> None:
        table = await aio.Table.create(client, given_seed=bytes(32), dealer=3)
        assert (table.state, table.turn, table.seat_tokens) == (b"new", 2, ("a", "b"))
        await table.play(2, moves.draw())
        assert (table.state, table.revision, table.turn) == (b"six", 6, 1)
        assert await table.check(1, moves.draw()) == (ILLEGAL,)
        assert (await table.legal(1)).count == 3
        assert (await table.view()).revision == 9
        assert await table.score() == api.ScoreDealResponse()
        answers[api.ApplyMovesRequest] = api.ApplyMovesResponse(rejected=api.Rejected(violations=[ILLEGAL]))
        with pytest.raises(IllegalMove):
            await table.next_deal()
        assert (table.state, table.revision) == (b"six", 6)
        assert (await table.issue_seat_token(2)).seat_token == "t"
        assert (table.state, table.revision) == (b"seven", 7)
        again = await aio.Table.resume(client, b"nine", seat=1)
        assert (again.state, again.revision, again.turn) == (b"nine", 9, None)
        with pytest.raises(ValueError, match="one seed"):
            await aio.Table.create(client, sealed_seed=b"a", given_seed=b"b")

    with_client(service, work)


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED], ids=lambda code: code.name)
def test_a_replica_that_goes_away_is_no_failure(service: FakeService, code: grpc.StatusCode) -> None:
    """The call is made again, four times in all."""

    def answer(_request: Message, context: grpc.ServicerContext) -> Message:
        if len(service.requests) < 4:
            context.abort(code, "draining")
        return ListPresetsResponse()

    service.answer = answer
    with_client(service, lambda client: client.call(client.stub.ListPresets, ListPresetsRequest()))
    assert len(service.requests) == 4


def test_a_call_ends_at_its_deadline(service: FakeService) -> None:
    """What `connect` is given is when a call ends; a longer time for one call does not change that, a shorter does."""
    released = threading.Event()

    def answer(_request: Message, _context: grpc.ServicerContext) -> Message:
        released.wait(SECONDS)
        return ListPresetsResponse()

    service.answer = answer

    async def work(client: aio.Client) -> None:
        for given in (None, 0.1, 20.0):
            began = time.monotonic()
            with pytest.raises(RulesError) as caught:
                await client.call(client.stub.ListPresets, ListPresetsRequest(), timeout=given)
            assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
            assert caught.value.transient
            assert time.monotonic() - began < 1.5

    try:
        with_client(service, work, timeout=0.3)
    finally:
        released.set()


def test_a_cancelled_task_cancels_its_call(service: FakeService) -> None:
    """The server learns of it, the table is as it was, and the client goes on."""
    begun, ended = threading.Event(), threading.Event()

    def answer(asked: Message, context: grpc.ServicerContext) -> Message:
        if isinstance(asked, api.ApplyMovesRequest):
            context.add_callback(ended.set)
            begun.set()
            ended.wait(SECONDS)
            return accepted(b"six", 6, 1)
        return ListPresetsResponse()

    service.answer = answer

    async def work(client: aio.Client) -> None:
        table = aio.Table(client, b"five", View(revision=5))
        task = asyncio.create_task(table.play(0, moves.draw()))
        assert await asyncio.to_thread(begun.wait, SECONDS)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(ended.wait, SECONDS)
        assert (table.state, table.revision) == (b"five", 5)
        await client.call(client.stub.ListPresets, ListPresetsRequest())

    with_client(service, work)


def test_wait_ready_names_the_target() -> None:
    """Without a server the wait ends, and the error names who did not answer."""

    async def work() -> None:
        async with aio.connect("127.0.0.1:1", options=NO_PROXY) as nobody:
            with pytest.raises(TimeoutError, match=r"127\.0\.0\.1:1 within 0\.1 s"):
                await nobody.wait_ready(timeout=0.1)

    asyncio.run(work())


def test_the_credentials_are_sent_and_not_shown(service: FakeService) -> None:
    """A key goes with every call and stream; as a seat the client sends its token alone."""
    found: list[dict[str, str | bytes]] = []

    def keep(context: grpc.ServicerContext) -> None:
        metadata = context.invocation_metadata() or ()
        found.append({name: value for name, value in metadata if name.startswith("burraco-")})

    def answer(_asked: Message, context: grpc.ServicerContext) -> Message:
        keep(context)
        return ListPresetsResponse()

    def answer_stream(messages: Messages, context: grpc.ServicerContext) -> Answers:
        keep(context)
        return map(answer_to, messages)

    service.answer, service.answer_stream = answer, answer_stream

    async def work(client: aio.Client) -> None:
        await (await client.wait_ready(SECONDS)).call(client.stub.ListPresets, ListPresetsRequest())
        async with client.stream() as stream:
            await (await stream.send(request(0)))
        seat = client.as_seat("a-secret-token")
        await seat.call(seat.stub.ListPresets, ListPresetsRequest())
        assert "secret" not in f"{client!r} {seat!r}"

    with_client(service, work, api_key="a-secret-key")
    assert found == [{"burraco-api-key": "a-secret-key"}] * 2 + [{"burraco-seat-token": "a-secret-token"}]
    with pytest.raises(ValueError, match="not both"):
        aio.connect("127.0.0.1:1", seat_token="a", api_key="b")


# --- streams ---------------------------------------------------------------------------------------------------------


def test_messages_go_ahead_and_are_answered_in_their_place(service: FakeService) -> None:
    """All are sent before the first is answered; one that fails does so in its place."""

    def answer(messages: Messages, context: grpc.ServicerContext) -> Answers:
        first, failing, last = [next(messages) for _ in range(3)]
        yield answer_to(first)
        yield api.StreamApplyMovesResponse(correlation_id=failing.correlation_id, status=overloaded())
        yield answer_to(last)

    service.answer_stream = answer

    async def work(client: aio.Client) -> None:
        async with client.stream() as stream:
            first, failing, last = [await stream.send(request(number)) for number in range(3)]
            assert (await first).revision == 100
            with pytest.raises(RulesError) as caught:
                await failing
            assert (caught.value.code, caught.value.reason) == (
                grpc.StatusCode.ABORTED,
                Reason.REASON_REVISION_MISMATCH,
            )
        assert (await last).revision == 102
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
        assert caught.value.code is grpc.StatusCode.CANCELLED
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
        with pytest.raises(StreamEnded):
            await second
        assert stream.unanswered == (request(1),)

    try:
        with_client(service, work, timeout=0.3)
    finally:
        released.set()


def test_a_stream_has_its_own_deadline(service: FakeService) -> None:
    """The deadline is of the whole stream, and ends it."""
    service.answer_stream = answer_all

    async def work(client: aio.Client) -> None:
        async with client.stream(timeout=0.4) as stream:
            assert (await (await stream.send(request(0)))).revision == 100
            await asyncio.sleep(1)
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
