"""A server of this process behind a proxy, whose game a test plays, and streams through it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from tests.edge.proxies import Option, plain_channel
from tests.edge.replicas import SECONDS, wait_until
from tests.server.streams import Stream, message
from tests.server.stub import Running

OWN_CONNECTION: Final[Option] = ("grpc.use_local_subchannel_pool", 1)
LARGE: Final = 100_000
"""Bytes of an answer or of a request."""
MANY: Final = 1_000
"""So many large ones are more than all buffers on the way hold."""
ACCEPTED: Final = pb.ApplyMovesResponse(accepted=pb.Accepted(revision=7))


@dataclass
class Behind(Running):
    """A server of this process with a proxy before it, which its channel leads to."""

    target: str = ""


Start = Callable[..., Behind]


def nothing_is_left(behind: Behind) -> None:
    """Wait until every thread of the streams has come back."""
    wait_until("no stream holds a thread", lambda: behind.server.calls_in_progress == 0)


class Gate:
    """Work that begins and then waits until it may end."""

    def __init__(self, behind: Behind) -> None:
        self.begun, self.may_end = threading.Semaphore(0), threading.Event()
        behind.game.apply = self._apply

    def _apply(self, _request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        self.begun.release()
        assert self.may_end.wait(SECONDS)
        return ACCEPTED


class LargeAnswers:
    """Work that counts the messages it was given, and answers each at length."""

    def __init__(self, behind: Behind) -> None:
        self.seen = 0
        behind.game.apply = self._apply

    def _apply(self, _request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
        self.seen += 1
        return pb.ApplyMovesResponse(accepted=pb.Accepted(state=bytes(LARGE)))

    def halted(self) -> int:
        """How many it was given, once that has come to a halt."""
        before = -1
        while before != self.seen or not self.seen:
            before = self.seen
            time.sleep(0.3)
        return self.seen


@contextmanager
def unread(behind: Behind) -> Iterator[Stream]:
    """A stream on a connection of its own, with many messages none of whose answers is read."""
    with plain_channel(behind.target, OWN_CONNECTION) as channel:
        stream = Stream(channel).send(*[message(str(at)) for at in range(MANY)])
        yield stream
        stream.cancel()
