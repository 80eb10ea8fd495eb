"""The service without a socket: bytes in, bytes out, status with its details, and the line that the log gets.

What decides an answer is the server's own: its adapter, its handling of calls and errors, its servicers and its log.
Only who calls is set by the test, since the law is about what each caller is told and not about how it is known.
"""

import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import grpc
import pytest

from service.api import game_service
from service.api.authority import Caller, Trust
from service.api.game_service import GameService
from service.rules.state import State
from service.server import calls as calls_module
from service.server.adapter import GAME_SERVICE, Adapter, Limits
from service.server.calls import Calls
from service.server.log import make_log
from service.server.pool import CountingPool, Pools
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import decode_state, encode_state, read_stored

KEY: Final = bytes(range(32))
VOLATILE: Final = frozenset(("timestamp", "microseconds", "rules_microseconds"))
"""What differs between two equal calls in the log."""
MOST_BYTES: Final = 1 << 22
BACK_END: Final = None
"""The caller that may act for every seat; a seat is its number."""


class Told(NamedTuple):
    """All that a call tells: its caller, and whoever reads the log."""

    code: str
    answer: bytes
    """The response of a call that is OK."""
    message: str
    details: bytes
    """The rich status of one that is not, as it travels."""
    line: str


class _AbortedError(Exception):
    """What gRPC raises to end a call that fails."""


class _Context:
    """As much of a call's context as the server asks."""

    def __init__(self, metadata: tuple[tuple[str, str], ...]) -> None:
        self.metadata = metadata
        self.status: Any = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self.metadata

    def time_remaining(self) -> float:
        return 3600.0

    def is_active(self) -> bool:
        return True

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def abort_with_status(self, status: grpc.Status) -> None:
        self.status = status
        raise _AbortedError


class Desk:
    """Answers calls in this thread; made by `open_desk`."""

    def __init__(self) -> None:
        self.sealer = Sealer(KEY)
        self._log = io.StringIO()
        self._caller: int | None = BACK_END
        calls = Calls(Trust(network=True), 3600.0, make_log(self._log, "info", "json"))
        self._pools = Pools(CountingPool(1, "unused"))
        self._adapter = Adapter(GameService(self.sealer), calls, self._pools, Limits(1, MOST_BYTES))

    def identify(self, *_: object, **__: object) -> Caller:
        """Say who calls, in place of the server's own."""
        return Caller(self._caller)

    def close(self) -> None:
        """Let its threads go."""
        self._pools.shut_down()

    def seal(self, state: State) -> bytes:
        """Seal a state of the test's own making."""
        return self.sealer.seal(encode_state(state), Format.STATE)

    def look(self, sealed: bytes) -> State:
        """Look into a sealed state."""
        return read_stored(self.sealer.open(sealed, Format.STATE, "state"))

    def ask(self, rpc: str, payload: bytes, caller: int | None = BACK_END, languages: str = "") -> Told:
        """Send bytes to an RPC of GameService as a seat, or as a back end."""
        self._caller = caller
        self._log.seek(0)
        self._log.truncate()
        metadata = (("x-request-id", "one"), *((("accept-language", languages),) if languages else ()))
        context = _Context(metadata)
        details: Any = SimpleNamespace(method=f"/{GAME_SERVICE.full_name}/{rpc}", invocation_metadata=metadata)
        handler: Any = self._adapter.service(details)
        try:
            answer = handler.unary_unary(payload, context)
        except _AbortedError:
            status = context.status
            trailing = dict(status.trailing_metadata)
            return Told(status.code.name, b"", status.details, trailing["grpc-status-details-bin"], self._line())
        return Told("OK", answer, "", b"", self._line())

    def _line(self) -> str:
        lines = self._log.getvalue().splitlines()
        assert len(lines) == 1, ("a fault of the service", lines)
        line = json.loads(lines[0])
        return json.dumps({name: value for name, value in line.items() if name not in VOLATILE})


def is_built(rpc: str) -> bool:
    """Whether the servicer has an RPC of GameService."""
    return hasattr(GameService, re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower())


@contextmanager
def open_desk() -> Iterator[Desk]:
    """Open a desk; until it is closed, this process takes callers for who the tests say they are."""
    desk = Desk()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls_module, "identify", desk.identify)
        # Many calls are about one state: it is read and audited once.
        patch.setattr(game_service, "decode_state", lru_cache(maxsize=64)(decode_state))
        try:
            yield desk
        finally:
            desk.close()
