"""Who calls, and what the caller may do: the only place that decides it."""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from burraco.v1 import reasons_pb2
from service.api.errors import permission_denied, unauthenticated

API_KEY_METADATA = "burraco-api-key"
SEAT_TOKEN_METADATA = "burraco-seat-token"  # noqa: S105 - the name of the metadata, not a token


@dataclass(frozen=True, slots=True)
class Caller:
    """A seat, which acts for itself alone, or a back end (no seat), which may act for every seat."""

    seat: int | None = None

    @property
    def is_back_end(self) -> bool:
        """Whether the caller may act for any seat and see what any viewer may see."""
        return self.seat is None


BACK_END = Caller()


@dataclass(frozen=True, slots=True)
class Trust:
    """How a back end is known: by the network that it calls from, or by one of the keys."""

    network: bool
    api_keys: Sequence[str] = field(default=(), repr=False)


def identify(metadata: Iterable[tuple[str, str | bytes]], trust: Trust) -> Caller:
    """Say who calls; UNAUTHENTICATED when that cannot be known."""
    presented = []
    for name, value in metadata:
        if name.startswith(SEAT_TOKEN_METADATA):
            raise unauthenticated(
                reasons_pb2.REASON_SEAT_TOKEN_UNSUPPORTED,
                f"Seat tokens are not built yet: call as a back end, without the metadata {SEAT_TOKEN_METADATA}.",
            )
        if name == API_KEY_METADATA:
            presented.append(value.encode() if isinstance(value, str) else value)
    if trust.network or any(_is_known(key, trust.api_keys) for key in presented):
        return BACK_END
    raise unauthenticated(
        reasons_pb2.REASON_CALLER_NOT_KNOWN,
        f"The caller is not known: send one of the server's API keys in the metadata {API_KEY_METADATA}.",
    )


def require_back_end(caller: Caller) -> None:
    """Let back ends pass; PERMISSION_DENIED for a seat."""
    if not caller.is_back_end:
        raise permission_denied(
            reasons_pb2.REASON_BACK_END_ONLY,
            "Only a back end may do this: call with an API key, or from a trusted network.",
        )


def require_seat(caller: Caller, seat: int) -> None:
    """Let back ends and that seat itself pass; PERMISSION_DENIED for another seat."""
    if caller.seat not in {None, seat}:
        raise permission_denied(
            reasons_pb2.REASON_BACK_END_ONLY,
            "A seat acts and looks for itself alone: name the token's own seat.",
        )


def _is_known(key: bytes, known: Sequence[str]) -> bool:
    # Compared with every key, each in constant time, so that the time taken tells nothing of any.
    matches = [hmac.compare_digest(key, each.encode()) for each in known]
    return any(matches)
