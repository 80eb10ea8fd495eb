"""StreamApplyMoves against ApplyMoves: calls a second of one server process, as ratios."""

import collections
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import grpc

from bench.rpc import requests
from bench.serving import KEY, SERVICE, milliseconds, pin, quantile, server
from bench.timing import ROUNDS
from burraco.v1 import game_service_pb2 as pb
from service.wire.sealing import Sealer

WINDOW: Final = 64
CALLS: Final = 1500


def one_by_one(channel: grpc.Channel, payloads: list[bytes]) -> None:
    """Unary, each after the answer to the last."""
    method: Any = channel.unary_unary(SERVICE + "ApplyMoves")
    for payload in payloads:
        method(payload)


def in_flight(channel: grpc.Channel, payloads: list[bytes]) -> None:
    """Unary, as many at once as the server takes without refusing any."""
    method: Any = channel.unary_unary(SERVICE + "ApplyMoves")
    waiting: collections.deque[Any] = collections.deque()
    for payload in payloads:
        if len(waiting) == 8:
            waiting.popleft().result()
        waiting.append(method.future(payload))
    for each in waiting:
        each.result()


def streamed(channel: grpc.Channel, payloads: list[bytes]) -> None:
    """One stream, so many messages ahead."""
    method: Any = channel.stream_stream(SERVICE + "StreamApplyMoves")
    room = threading.Semaphore(WINDOW)

    def ahead() -> Iterator[bytes]:
        for payload in payloads:
            room.acquire()
            yield payload

    answered = 0
    for _ in method(ahead()):
        room.release()
        answered += 1
    assert answered == len(payloads)


def rate(address: str, work: Callable[[grpc.Channel, list[bytes]], None], payloads: list[bytes]) -> float:
    """Calls a second, the best of several rounds."""
    best = 0.0
    with grpc.insecure_channel(address) as channel:
        for _ in range(ROUNDS):
            began = time.perf_counter()
            work(channel, payloads)
            best = max(best, len(payloads) / (time.perf_counter() - began))
    return best


def times(channel: grpc.Channel, payloads: list[bytes]) -> list[float]:
    """Seconds of each call, made one after the other."""
    method: Any = channel.unary_unary(SERVICE + "ApplyMoves")
    found = []
    for payload in payloads:
        began = time.perf_counter()
        method(payload)
        found.append(time.perf_counter() - began)
    return found


def open_streams(stack: ExitStack, address: str) -> int:
    """Open streams that nothing comes on until the server takes no more; how many."""
    done = threading.Event()
    channel = stack.enter_context(grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]))
    stack.callback(done.set)
    count = 0
    while True:

        def first_and_no_more() -> Iterator[bytes]:
            yield b""
            done.wait()

        method: Any = channel.stream_stream(SERVICE + "StreamApplyMoves")
        call = method(first_and_no_more())
        try:
            next(call)
        except grpc.RpcError:
            return count
        stack.callback(call.cancel)
        count += 1


def with_idle_streams(address: str, calls: list[bytes]) -> None:
    """Print what idle streams cost the calls beside them: without and with them in turns, as machines drift."""
    without, beside, count = [], [], 0
    with grpc.insecure_channel(address) as channel:
        for _ in range(ROUNDS):
            without += times(channel, calls)
            with ExitStack() as stack:
                count = open_streams(stack, address)
                beside += times(channel, calls)
    ratio = quantile(beside, 0.99) / quantile(without, 0.99)
    print(f"unary, no stream open: {milliseconds(without)}; {count} idle ones: {milliseconds(beside)}; {ratio:.2f} x")


def main() -> None:
    """Print calls a second and their ratios."""
    made = requests(Sealer(KEY))
    calls = (made * (CALLS // len(made) + 1))[:CALLS]
    messages = [
        pb.StreamApplyMovesRequest(
            correlation_id=str(at), request=pb.ApplyMovesRequest.FromString(call)
        ).SerializeToString()
        for at, call in enumerate(calls)
    ]
    with server() as (address, *_):
        pin(0, server=False)
        alone = rate(address, one_by_one, calls)
        several = rate(address, in_flight, calls)
        stream = rate(address, streamed, messages)
        with_idle_streams(address, calls)
    print(f"StreamApplyMoves, {CALLS} calls, one server process and one client; best of {ROUNDS} rounds")
    print(f"unary, one at a time: {alone:.0f}/s; eight in flight: {several:.0f}/s; a stream: {stream:.0f}/s")
    print(f"the stream: {stream / alone:.2f} x one at a time, {stream / several:.2f} x eight in flight")


if __name__ == "__main__":
    main()
