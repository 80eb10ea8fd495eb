"""The language of texts: what is sent of it, what refuses it, and what the real server answers in it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

import burraco
from burraco import Client, IllegalMove, Table, aio, connect, moves
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from service.demo.server import serving
from tests.clients.python.fake import FakeService
from tests.clients.python.test_streaming import NO_PROXY, SECONDS, Answers, Messages, answer_to, request

Sent = list[dict[str, str | bytes]]
ENGLISH, ITALIAN, POLISH = "A meld has at least 3 cards", "Un gioco ha almeno 3 carte", "ma co najmniej 3 karty"


@pytest.fixture
def sent(service: FakeService) -> Sent:
    """Who calls and in which language, of each call and stream that the service gets."""
    found: Sent = []

    def keep(context: grpc.ServicerContext) -> None:
        metadata = context.invocation_metadata() or ()
        found.append({name: value for name, value in metadata if name.startswith(("burraco-", "accept-language"))})

    def answer(_request: Message, context: grpc.ServicerContext) -> Message:
        keep(context)
        return ListPresetsResponse()

    def answer_stream(messages: Messages, context: grpc.ServicerContext) -> Answers:
        keep(context)
        return map(answer_to, messages)

    service.answer, service.answer_stream = answer, answer_stream
    return found


KEY, TOKEN = {"burraco-api-key": "a-key"}, {"burraco-seat-token": "a-token"}
ITALIAN_OR_ENGLISH = {"accept-language": "it, en;q=0.5"}
DERIVED: list[tuple[Callable[[Any], Any], dict[str, str]]] = [
    (lambda client: client, KEY | ITALIAN_OR_ENGLISH),
    (lambda client: client.in_language("pl"), KEY | {"accept-language": "pl"}),
    (lambda client: client.in_language(None), KEY),
    (lambda client: client.in_language(""), KEY),
    (lambda client: client.as_seat("a-token"), TOKEN | ITALIAN_OR_ENGLISH),
    (lambda client: client.as_seat("a-token").in_language("pl"), TOKEN | {"accept-language": "pl"}),
    (lambda client: client, KEY | ITALIAN_OR_ENGLISH),
]
"""What is made of a client in a language, and what it sends; the first one is at last as it was."""


def test_it_goes_with_every_call_and_stream(service: FakeService, sent: Sent) -> None:
    """A client that is made from another changes nothing else, and nothing of the other."""
    with connect(service.address, api_key="a-key", language="it, en;q=0.5", timeout=7, options=NO_PROXY) as client:
        for derive, _ in DERIVED:
            derived = derive(client)
            assert (derived.channel, derived.stub, derived.timeout) == (client.channel, client.stub, 7)
            derived.call(derived.stub.ListPresets, ListPresetsRequest())
            with derived.stream() as stream:
                stream.send(request(0)).result(SECONDS)
    assert sent == [expected for _, expected in DERIVED for _ in range(2)]


def test_it_goes_with_every_call_and_stream_of_asyncio(service: FakeService, sent: Sent) -> None:
    """The same."""

    async def work() -> None:
        async with aio.connect(
            service.address, api_key="a-key", language="it, en;q=0.5", timeout=7, options=NO_PROXY
        ) as client:
            for derive, _ in DERIVED:
                derived = derive(client)
                assert (derived.channel, derived.stub, derived.timeout) == (client.channel, client.stub, 7)
                await derived.call(derived.stub.ListPresets, ListPresetsRequest())
                async with derived.stream() as stream:
                    await (await stream.send(request(0)))

    asyncio.run(work())
    assert sent == [expected for _, expected in DERIVED for _ in range(2)]


@pytest.mark.parametrize("unsendable", ["it\n", "italiano è", "\0"])
@pytest.mark.parametrize("package", [burraco, aio])
def test_what_no_header_can_have_is_refused_at_once(package: Any, unsendable: str) -> None:  # noqa: ANN401
    """A language, a key or a token; a text that may be a secret is not shown."""
    for name in ("language", "api_key", "seat_token"):
        with pytest.raises(ValueError, match=f"^{name} has a character that no header can have") as caught:
            package.connect("127.0.0.1:1", **{name: unsendable})
        assert unsendable not in str(caught.value)

    async def derive() -> None:
        client = package.connect("127.0.0.1:1")
        with pytest.raises(ValueError, match=r"^language has a character"):
            client.in_language(unsendable)
        with pytest.raises(ValueError, match=r"^seat_token has a character"):
            client.as_seat(unsendable)

    asyncio.run(derive())


# --- against the real server -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of the real server that asks for no language."""
    with serving() as address, connect(address, timeout=20, options=NO_PROXY) as connected:
        yield connected.wait_ready(20)


def test_violations_are_told_in_it(client: Client) -> None:
    """To a table of a client in a language, by calls and by a stream; the first client goes on as it was."""
    table = Table.create(client, given_seed=bytes(32), dealer=3)
    table.play(0, moves.draw())
    short = moves.meld("9S 6H")
    for speaking, told in (
        (client, ENGLISH),
        (client.in_language("it-CH"), ITALIAN),
        (client.in_language("pl"), POLISH),
    ):
        there = Table.resume(speaking, table.state)
        with pytest.raises(IllegalMove, match=told):
            there.play(0, short)
        assert any(told in each.text for each in there.check(0, short))
        with speaking.stream() as stream, pytest.raises(IllegalMove, match=told):
            stream.send(there.request(0, short)).result(SECONDS)
    with pytest.raises(IllegalMove, match=ENGLISH):
        table.play(0, short)


def test_violations_are_told_in_it_by_asyncio(client: Client) -> None:
    """The same, of a match that was made in that language."""

    async def work() -> None:
        async with aio.connect(client.target, language="it", timeout=20, options=NO_PROXY) as speaking:
            table = await aio.Table.create(speaking, given_seed=bytes(32), dealer=3)
            await table.play(0, moves.draw())
            with pytest.raises(IllegalMove, match=ITALIAN):
                await table.play(0, moves.meld("9S 6H"))
            async with speaking.stream() as stream:
                with pytest.raises(IllegalMove, match=ITALIAN):
                    await (await stream.send(table.request(0, moves.meld("9S 6H"))))

    asyncio.run(work())
