"""Who calls, and what the caller may do: the only place that decides it."""

import hmac
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from burraco.v1 import reasons_pb2
from service.api.errors import CallError, permission_denied, unauthenticated
from service.wire.tokens import SeatToken, TokenKeys

API_KEY_METADATA = "burraco-api-key"
SEAT_TOKEN_METADATA = "burraco-seat-token"  # noqa: S105 - the name of the metadata, not a token
EDGE_METADATA = "x-burraco-edge"
"""What a proxy for untrusted callers puts on every call, whatever its value: it takes rights away and gives none."""

OPEN_TO_SEATS: Final = frozenset(
    (
        # Of the token's match and seat alone, which the servicers see to.
        *("ApplyMoves", "CheckMoves", "ListLegalMoves", "GetView"),
        # Of no match; a score of a state is for back ends.
        *("ScoreDeal", "ExplainMeld", "ListPresets", "GetRules"),
    )
)
"""RPCs that a seat may call. All others are for back ends, a new one too until somebody thinks about it."""


class KnownBy(StrEnum):
    """What makes a caller known; the log says it."""

    NOTHING = "unknown"
    NETWORK = "network"
    API_KEY = "api_key"
    CERTIFICATE = "certificate"
    SEAT_TOKEN = "seat"  # noqa: S105 - what the log calls it


@dataclass(frozen=True, slots=True)
class Caller:
    """A seat, which acts for itself alone, or a back end, which may act for every seat; by default neither."""

    known_by: KnownBy = KnownBy.NOTHING
    token: SeatToken | None = None

    @property
    def seat(self) -> int | None:
        """The token's seat; None for all others."""
        return None if self.token is None else self.token.seat

    @property
    def is_back_end(self) -> bool:
        """Whether the caller may act for any seat and see what any viewer may see."""
        return self.token is None and self.known_by is not KnownBy.NOTHING


NOBODY: Final = Caller()
BACK_END: Final = Caller(KnownBy.NETWORK)


@dataclass(frozen=True, slots=True)
class Trust:
    """How callers are known: seats by their tokens, back ends by key, certificate, or the network they call from."""

    tokens: TokenKeys = field(repr=False)
    network: bool = False
    api_keys: Sequence[str] = field(default=(), repr=False)
    certificates: frozenset[str] = frozenset()
    """Names of certificates, `dns:`, `uri:` or `cn:` and the name."""
    credentials_required: bool = False
    """Whether every caller has to show something; without it, nobody is known who comes over an edge."""

    @property
    def knows_back_ends(self) -> bool:
        """Whether anybody at all can be a back end."""
        return bool(self.network or self.api_keys or self.certificates)


def identify(
    metadata: Iterable[tuple[str, str | bytes]], trust: Trust, now: float, certificate: Collection[str] = ()
) -> Caller:
    """Say who calls; UNAUTHENTICATED when that cannot be known.

    `now` is in Unix seconds; `certificate` has the names of the caller's own, already verified. A token makes a seat,
    whatever else comes with it. Over an edge there are seats alone: network and certificate are the proxy's there.
    """
    tokens, keys, over_edge = [], [], False
    for name, value in metadata:
        if name.startswith(SEAT_TOKEN_METADATA):
            # One under a wrong name must not be overlooked: what came with it could make a back end.
            tokens.append(value if name == SEAT_TOKEN_METADATA and isinstance(value, str) else "")
        elif name == API_KEY_METADATA:
            keys.append(value.encode() if isinstance(value, str) else value)
        elif name == EDGE_METADATA:
            over_edge = True
    if over_edge and not trust.credentials_required:
        raise unauthenticated(
            reasons_pb2.REASON_CALLER_NOT_KNOWN,
            "The call comes over an edge for untrusted callers, and this server does not ask every caller for "
            "credentials: start it with BURRACO_REQUIRE_CREDENTIALS=true.",
        )
    if tokens:
        return Caller(KnownBy.SEAT_TOKEN, _seat_token(tokens, trust.tokens, now))
    if over_edge:
        raise unauthenticated(
            reasons_pb2.REASON_CALLER_NOT_KNOWN,
            f"The caller is not known: over this edge send a seat's token in {SEAT_TOKEN_METADATA}. Back ends call the "
            f"service another way.",
        )
    known = [_is_known(key, trust.api_keys) for key in keys]
    if any(known):
        return Caller(KnownBy.API_KEY)
    if not trust.certificates.isdisjoint(certificate):
        return Caller(KnownBy.CERTIFICATE)
    if trust.network:
        return BACK_END
    raise unauthenticated(reasons_pb2.REASON_CALLER_NOT_KNOWN, f"The caller is not known: {_ways(trust)}.")


def require_rights(caller: Caller, rpc: str) -> None:
    """Let those pass who may call an RPC at all; PERMISSION_DENIED for a seat where it is for back ends."""
    if rpc not in OPEN_TO_SEATS:
        require_back_end(caller)


def require_back_end(caller: Caller) -> None:
    """Let back ends pass; PERMISSION_DENIED for a seat."""
    if not caller.is_back_end:
        raise permission_denied(
            reasons_pb2.REASON_BACK_END_ONLY,
            "Only a back end may do this: call without a seat's token, as one that the server knows.",
        )


def require_own_match(caller: Caller, match_id: bytes, epochs: Sequence[int]) -> None:
    """Let back ends pass, and seats whose token is of this match and of the seat's epoch in it."""
    token = caller.token
    if token is None:
        require_back_end(caller)
        return
    if token.match_id != match_id:
        raise permission_denied(
            reasons_pb2.REASON_SEAT_TOKEN_OF_OTHER_MATCH,
            "The seat token is of another match than the state: send the token of this match.",
        )
    if tuple(epochs[token.seat : token.seat + 1]) != (token.epoch,):
        raise unauthenticated(
            reasons_pb2.REASON_SEAT_TOKEN_REVOKED,
            "The seat token was revoked, or the state is an older one: ask the back end for a token and its state.",
        )


def require_seat(caller: Caller, seat: int) -> None:
    """Let back ends and that seat itself pass; PERMISSION_DENIED for another seat, or a spectator."""
    if not caller.is_back_end and caller.seat != seat:
        raise permission_denied(
            reasons_pb2.REASON_SEAT_TOKEN_OF_OTHER_SEAT,
            "A seat acts and looks for itself alone: name the token's own seat.",
        )


def _ways(trust: Trust) -> str:
    if trust.certificates and not trust.api_keys:
        return f"call with a client certificate that this port lists, or with a seat's token in {SEAT_TOKEN_METADATA}"
    return (
        f"send one of the server's API keys in the metadata {API_KEY_METADATA}, a seat's token in "
        f"{SEAT_TOKEN_METADATA}, or call with a client certificate that the server lists"
    )


def _seat_token(presented: Sequence[str], keys: TokenKeys, now: float) -> SeatToken:
    token = keys.read(presented[0]) if len(presented) == 1 else None
    if token is None:
        raise _invalid_token()
    if token.expires <= now:
        raise unauthenticated(
            reasons_pb2.REASON_SEAT_TOKEN_EXPIRED, "The seat token has expired: ask the back end for another."
        )
    return token


def _invalid_token() -> CallError:
    # One text for all that can be wrong, so that nobody learns how near a forgery was.
    return unauthenticated(
        reasons_pb2.REASON_SEAT_TOKEN_INVALID,
        f"The seat token is none of this service: send it once, as it was issued, in {SEAT_TOKEN_METADATA}.",
    )


def _is_known(key: bytes, known: Sequence[str]) -> bool:
    # Compared with every key, each in constant time, so that the time taken tells nothing of any.
    matches = [hmac.compare_digest(key, each.encode()) for each in known]
    return any(matches)
