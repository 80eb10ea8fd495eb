"""The asynchronous client: what it shares with the other, and what cancelling does."""

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf.message import Message

import burraco
from burraco import IllegalMove, RulesError, aio, moves
from burraco.v1 import game_service_pb2 as api
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from burraco.v1.moves_pb2 import LegalMoves
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.scores_pb2 import ScoreSheet
from burraco.v1.views_pb2 import Phase, View
from tests.clients.python.fake import FakeService, accepted
from tests.clients.python.test_streaming import (
    NO_PROXY,
    SECONDS,
    Answers,
    Messages,
    answer_to,
    request,
)
from tests.clients.python.test_table import ILLEGAL, LACKING

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
        api.ScoreDealRequest: api.ScoreDealResponse(score_sheet=ScoreSheet(deal_number=1)),
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
        assert (await table.score()).score_sheet.deal_number == 1
        answers[api.ApplyMovesRequest] = api.ApplyMovesResponse(rejected=api.Rejected(violations=[ILLEGAL]))
        with pytest.raises(IllegalMove):
            await table.next_deal()
        assert (table.state, table.revision) == (b"six", 6)
        assert (await table.issue_seat_token(2, revoke=True)).seat_token == "t"
        assert (table.state, table.revision) == (b"seven", 7)
        again = await aio.Table.resume(client, b"nine", seat=1)
        assert (again.state, again.revision, again.turn) == (b"nine", 9, None)
        with pytest.raises(ValueError, match="one seed"):
            await aio.Table.create(client, sealed_seed=b"a", given_seed=b"b")

    with_client(service, work)


@pytest.mark.parametrize(("ask", "answer", "missing"), LACKING)
def test_an_answer_that_lacks_a_part_is_a_failure(
    service: FakeService, ask: Callable[[Any], Any], answer: Message, missing: str
) -> None:
    """What was not sent is not taken for what is empty, and the table is as it was."""
    service.answer = lambda asked, context: answer

    async def work(client: aio.Client) -> None:
        table = aio.Table(client, b"five", View(revision=5))
        with pytest.raises(RulesError, match=rf"^UNKNOWN: the answer has no [\w.\[\]]*{missing}$"):
            await ask(table)
        assert (table.state, table.revision) == (b"five", 5)

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
            assert time.monotonic() - began < SECONDS / 2

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


def test_a_client_that_is_closed_fails_its_calls(service: FakeService) -> None:
    """The task was not cancelled, and so it does not end as one that was."""
    begun, released = threading.Event(), threading.Event()

    def answer(asked: Message, context: grpc.ServicerContext) -> Message:
        begun.set()
        released.wait(SECONDS)
        return ListPresetsResponse()

    service.answer = answer

    async def work(client: aio.Client) -> None:
        task = asyncio.create_task(client.call(client.stub.ListPresets, ListPresetsRequest()))
        assert await asyncio.to_thread(begun.wait, SECONDS)
        await client.close()
        with pytest.raises(RulesError, match="the client was closed") as caught:
            await task
        assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.CANCELLED, False)

    try:
        with_client(service, work)
    finally:
        released.set()


def test_of_two_changes_from_one_state_the_first_stands(service: FakeService) -> None:
    """An answer that comes late takes the table back to nothing, nor does a token that is renewed."""
    released = threading.Event()

    def answer(asked: Message, context: grpc.ServicerContext) -> Message:
        if isinstance(asked, api.ApplyMovesRequest) and asked.seat != 1:
            return accepted(b"of %d" % asked.seat, asked.expected_revision + 1, 1)
        released.wait(SECONDS)
        if isinstance(asked, api.IssueSeatTokenRequest):
            return api.IssueSeatTokenResponse(seat_token="t", state=b"revoked" if asked.revoke else asked.state)
        return accepted(b"late", 6, 1)

    service.answer = answer

    async def work(client: aio.Client) -> None:
        table = aio.Table(client, b"five", View(revision=5))
        late: list[Awaitable[object]] = [asyncio.create_task(table.play(1, moves.draw()))]
        late.append(asyncio.create_task(table.issue_seat_token(1, revoke=True)))
        renewed = asyncio.create_task(table.issue_seat_token(1))
        await table.play(2, moves.draw())
        await table.play(3, moves.draw())
        released.set()
        for change in late:
            with pytest.raises(RulesError, match="from revision 5 to 7 in the meantime") as caught:
                await change
            assert (caught.value.code, caught.value.transient) == (grpc.StatusCode.ABORTED, False)
            assert caught.value.reason == Reason.REASON_REVISION_MISMATCH
            assert caught.value.arguments == {"expected": "5", "actual": "7"}
        assert (await renewed).seat_token == "t"
        assert (table.state, table.revision) == (b"of 3", 7)

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
