"""A system that has no more threads to give, for a while: what waits is done when it has, and nothing ends for ever."""

import threading
from dataclasses import dataclass, field
from typing import Any, Self

import grpc
import pytest
from grpc_health.v1 import health_pb2

from tests.server.conftest import Serve
from tests.server.streams import Stream, message
from tests.server.stub import SECONDS, eventually
from tests.support.transport import TRANSPORT

GAME = "/burraco.v1.GameService/"
grpcio = pytest.mark.skipif(TRANSPORT != "grpcio", reason="the native transport hands calls out by itself")


@dataclass
class Shortage:
    """No thread of some name begins while it lasts."""

    names: str
    tried: threading.Event = field(default_factory=threading.Event)
    is_over: bool = False

    def begin(self, monkeypatch: pytest.MonkeyPatch) -> Self:
        start = threading.Thread.start

        def start_or_fail(thread: threading.Thread) -> None:
            if thread.name.startswith(self.names) and not self.is_over:
                self.tried.set()
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", start_or_fail)
        return self


@grpcio
@pytest.mark.parametrize(
    ("threads", "rpc", "code"),
    [
        ("calls", "GetRules", grpc.StatusCode.OK),
        ("long", "ReplayMatch", grpc.StatusCode.OK),
        ("unbuilt", "SuggestMoves", grpc.StatusCode.UNIMPLEMENTED),
        ("streams", "StreamApplyMoves", grpc.StatusCode.OK),
    ],
)
def test_calls_wait_for_the_first_thread(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, threads: str, rpc: str, code: grpc.StatusCode
) -> None:
    """They are answered as soon as there is one, though no other call comes, and the server goes on meanwhile."""
    running, shortage = serve(), Shortage(threads).begin(monkeypatch)
    ask: Any = running.channel.stream_unary(GAME + rpc)
    call = ask.future(iter([b""]), timeout=SECONDS)
    assert shortage.tried.wait(SECONDS)
    assert running.health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    assert not call.done()
    shortage.is_over = True
    assert call.code() is code
    assert eventually(lambda: running.server.calls_in_progress == 0)


def test_idle_streams_are_found_though_the_first_could_not_be_watched(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream is served without the thread that looks for idle ones, which begins with the next stream."""
    running, shortage = serve(stream_idle_seconds=0.3), Shortage("idle-streams").begin(monkeypatch)
    first = Stream(running.channel, timeout=SECONDS).send(message("a"))
    assert first.read().correlation_id == "a"
    shortage.is_over = True
    second = Stream(running.channel, timeout=SECONDS).send(message("b"))
    assert second.read().correlation_id == "b"
    assert [stream.failure().info.reason for stream in (first, second)] == ["REASON_STREAM_IDLE"] * 2
