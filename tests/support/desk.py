"""The service without a socket: bytes in, bytes out, status with its details, and the line that the log gets.

What decides an answer is the server's own: its adapter, its handling of calls and errors, its servicers and its log. A
seat calls with a token for the match that it asks about, a back end from a trusted network.
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
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from service.api.authority import SEAT_TOKEN_METADATA, Trust
from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.rules.state import State
from service.server.adapter import GAME_SERVICE, Adapter, Limits
from service.server.admission import Room
from service.server.calls import Calls
from service.server.lobby import Lobby
from service.server.log import make_log
from service.server.pool import CountingPool
from service.server.pools import Pools
from service.server.streams import StreamLimits, Streams
from service.wire.faults import Fault
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import StateCodec, encode_state, read_stored, token_epochs
from service.wire.tokens import SeatToken, TokenKeys

KEY: Final = bytes(range(32))
VOLATILE: Final = frozenset(("timestamp", "microseconds", "rules_microseconds"))
"""What differs between two equal calls in the log."""
MOST_BYTES: Final = 1 << 22
NOW: Final = 1_000_000_000
LATER: Final = 1 << 40
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

    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, str], ...]) -> None:
        self.trailing = trailing_metadata

    def abort_with_status(self, status: grpc.Status) -> None:
        self.status = status
        raise _AbortedError


class _Codec(StateCodec):
    """Reads and audits a state once, since many calls are about the same."""

    @lru_cache(maxsize=64)  # noqa: B019  # one codec a test process
    def decode(self, stored: bytes, field: str = "state") -> State:
        """Read a state and audit it."""
        return super().decode(stored, field)


class Desk:
    """Answers calls in this thread; made by `open_desk`."""

    def __init__(self) -> None:
        self.sealer = Sealer(KEY)
        self._log = io.StringIO()
        self._keys = TokenKeys(KEY)
        self._match: tuple[bytes, tuple[int, ...]] = (bytes(16), ())
        """The match last asked about, and the epochs of its tokens: what a spoilt state is asked about with."""
        calls = Calls(Trust(self._keys, network=True), 3600.0, make_log(self._log, "info", "json"))
        lobby = Lobby("unused", 1, 1, 3600.0, calls.end_late)
        self._pools = Pools(lobby, lobby, lobby, lobby, CountingPool(1, "unused"))
        service = GameService(self.sealer, Issuer(self._keys, 3600, lambda: NOW), _Codec())
        streams = Streams(calls, StreamLimits(60.0, MOST_BYTES))
        limits = Limits(Room(1, 1), 1, 1, MOST_BYTES)
        self._adapter = Adapter(GAME_SERVICE, service, calls, streams, self._pools, limits)

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
        self._log.seek(0)
        self._log.truncate()
        metadata = (("x-request-id", "one"), *((("accept-language", languages),) if languages else ()))
        if caller is not BACK_END:
            metadata = (*metadata, (SEAT_TOKEN_METADATA, self._token(rpc, payload, caller)))
        context = _Context(metadata)
        details: Any = SimpleNamespace(method=f"/{GAME_SERVICE.full_name}/{rpc}", invocation_metadata=metadata)
        handler: Any = self._adapter.service(details)
        try:
            answer = handler.stream_unary(iter([payload]), context)
        except _AbortedError:
            status = context.status
            trailing = dict(status.trailing_metadata)
            return Told(status.code.name, b"", status.details, trailing["grpc-status-details-bin"], self._line())
        return Told("OK", answer, "", b"", self._line())

    def _token(self, rpc: str, payload: bytes, seat: int) -> str:
        """Issue a seat's token for the match that a request asks about."""
        try:
            request: Any = GetMessageClass(GAME_SERVICE.methods_by_name[rpc].input_type).FromString(payload)
            match_id, epochs = token_epochs(self.sealer.open(request.state, Format.STATE, "state"))
            self._match = (match_id, tuple(epochs))
        except (DecodeError, Fault, AttributeError):
            match_id, epochs = self._match
        epoch = epochs[seat] if seat < len(epochs) else 0
        return self._keys.mint(SeatToken(match_id, seat, epoch, LATER))

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
    """Open a desk."""
    desk = Desk()
    try:
        yield desk
    finally:
        desk.close()
