"""Answers that are no messages of their kind: a failed call or stream, never None and never a good end."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from burraco import RulesError, StreamEnded, aio, connect
from burraco.v1.game_service_pb2 import ListPresetsRequest
from tests.clients.python.test_streaming import NO_PROXY, SECONDS, request

NO_MESSAGE = b"\xff\xff"


class Spoilt(grpc.GenericRpcHandler):
    """Answers whatever comes with bytes that are no message."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        if handler_call_details.method.endswith("/StreamApplyMoves"):
            return grpc.stream_stream_rpc_method_handler(lambda requests, _: (NO_MESSAGE for _ in requests))
        return grpc.unary_unary_rpc_method_handler(lambda _request, _: NO_MESSAGE)


@pytest.fixture
def address() -> Iterator[str]:
    """Where such a service listens."""
    with ThreadPoolExecutor(4) as threads:
        server = grpc.server(threads, handlers=[Spoilt()])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


def call(address: str) -> None:
    with connect(address, options=NO_PROXY) as client:
        client.call(client.stub.ListPresets, ListPresetsRequest())


def stream(address: str) -> None:
    with connect(address, options=NO_PROXY) as client, client.stream() as stream:
        stream.send(request(1)).result(SECONDS)


async def aio_call(address: str) -> None:
    async with aio.connect(address, options=NO_PROXY) as client:
        await client.call(client.stub.ListPresets, ListPresetsRequest())


async def aio_stream(address: str) -> None:
    async with aio.connect(address, options=NO_PROXY) as client, client.stream() as stream:
        await asyncio.wait_for(await stream.send(request(1)), SECONDS)


@pytest.mark.parametrize("calling", [call, stream])
def test_it_is_a_failure(address: str, calling: Callable[[str], None]) -> None:
    """GRPC says so itself."""
    with pytest.raises(RulesError) as caught:
        calling(address)
    assert caught.value.code is grpc.StatusCode.INTERNAL
    assert isinstance(caught.value, StreamEnded) is (calling is stream)


@pytest.mark.parametrize("calling", [aio_call, aio_stream])
def test_it_is_a_failure_of_the_asynchronous_client(address: str, calling: Callable[[str], Awaitable[None]]) -> None:
    """There gRPC answers None, and goes on."""
    with pytest.raises(RulesError, match="the answer cannot be read") as caught:
        asyncio.run(asyncio.wait_for(calling(address), SECONDS))
    assert caught.value.code is grpc.StatusCode.INTERNAL
    assert isinstance(caught.value, StreamEnded) is (calling is aio_stream)
