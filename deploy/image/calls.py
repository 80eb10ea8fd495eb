"""What a running container is asked over the wire, whoever runs it."""

import time
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from burraco import IllegalMove, Table, connect, moves
from burraco.v1 import game_service_pb2

SECONDS: Final = 20.0  # for anything here
SERVING: Final = health_pb2.HealthCheckResponse.SERVING


def wait_serving(address: str) -> float:
    """Wait until the server says SERVING; the seconds it took. TimeoutError when it never does."""
    began = time.monotonic()
    with grpc.insecure_channel(address, [("grpc.enable_http_proxy", 0)]) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        while time.monotonic() - began < SECONDS:
            try:
                answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=1)
            except grpc.RpcError:
                time.sleep(0.05)
                continue
            if answer.status == SERVING:
                return time.monotonic() - began
    raise TimeoutError(f"{address} did not say SERVING within {SECONDS:.0f} s: read the container's log above.")


def first_moves(address: str, api_key: str) -> int:
    """Begin a match and make its first moves, one of them illegal; the revision reached."""
    with connect(address, api_key=api_key, timeout=SECONDS, options=[("grpc.enable_http_proxy", 0)]) as client:
        table = Table.create(client, given_seed=bytes(32))
        seat = table.turn
        if seat is None:
            raise AssertionError("a match that has just begun is nobody's turn")
        table.play(seat, moves.draw())
        try:
            table.play(seat, moves.meld("9S 6H"))
        except IllegalMove:
            pass
        else:
            raise AssertionError("9S 6H was taken for a meld")
        return table.play(seat, moves.meld("KS KD KC"), moves.discard("9S")).revision


def check_stranger(address: str) -> None:
    """A caller without a key is refused: the keys in the mounted files are those in force."""
    with connect(address, timeout=SECONDS, options=[("grpc.enable_http_proxy", 0)]) as client:
        try:
            client.stub.CreateMatch(game_service_pb2.CreateMatchRequest(request_id="stranger"))
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.UNAUTHENTICATED:
                return
            raise
    raise AssertionError("a caller without a key has made a match")
