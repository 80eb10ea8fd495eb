"""Issuing seat tokens, and revoking them."""

import time
from collections.abc import Callable
from typing import Final

from google.protobuf import timestamp_pb2

from service.rules.audit import STORED
from service.rules.state import State, replace_at
from service.wire import messages
from service.wire.tokens import SeatToken, TokenKeys

MIN_SECONDS: Final = 60
MAX_SECONDS: Final = 31_536_000
DEFAULT_SECONDS: Final = 86_400


class Issuer:
    """Issues tokens. It keeps nothing but its keys."""

    def __init__(
        self, keys: TokenKeys, default_seconds: int = DEFAULT_SECONDS, clock: Callable[[], float] = time.time
    ) -> None:
        self._keys = keys
        self._default_seconds = default_seconds
        self._clock = clock

    def expiry(self, seconds: int, field: str) -> int:
        """Find when tokens issued now end, in Unix seconds; 0 seconds are the default, and a Fault names the field."""
        if seconds and not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise messages.out_of_range(field, seconds, MIN_SECONDS, MAX_SECONDS)
        return int(self._clock()) + (seconds or self._default_seconds)

    def issue(self, state: State, seat: int, expires: int) -> str:
        """Issue a seat's token."""
        return self._keys.mint(SeatToken(state.match.match_id, seat, state.token_epochs[seat], expires))

    def issue_all(self, state: State, expires: int) -> list[str]:
        """Issue the token of each seat, by seat."""
        return [self.issue(state, seat, expires) for seat in range(len(state.match.players))]


def revoke(state: State, seat: int) -> State:
    """Revoke a seat's tokens.

    The revision rises too, so that whoever stores states by comparing revisions cannot put the old one back. The chain,
    which is of moves, stays.
    """
    epoch, revision = state.token_epochs[seat], state.revision
    for name, counter, most in (
        ("epoch of the seat", epoch, STORED.counter),
        ("revision", revision, STORED.revision),
    ):
        if counter >= most:
            raise messages.out_of_range("state", counter, 0, most - 1, f"cannot revoke any more: its {name} is")
    return state._replace(token_epochs=replace_at(state.token_epochs, seat, epoch + 1), revision=revision + 1)


def timestamp(seconds: int) -> timestamp_pb2.Timestamp:
    """Write Unix seconds."""
    return timestamp_pb2.Timestamp(seconds=seconds)
