"""A connection to the service, with retries, deadlines and load balancing as the service recommends them."""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib.resources import files
from types import TracebackType
from typing import Self, TypeVar

import grpc

from burraco.errors import from_rpc_error
from burraco.streaming import AHEAD, MoveStream
from burraco.v1.game_service_pb2_grpc import GameServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")
Option = tuple[str, int | str]
Metadata = tuple[tuple[str, str], ...]

_EARLY_SECONDS = 2.0
_MOST_SECONDS = 1e9
_MOST_KEEPALIVE_SECONDS = 2e6  # in milliseconds it is an int of C
API_KEY_METADATA = "burraco-api-key"
SEAT_TOKEN_METADATA = "burraco-seat-token"  # noqa: S105 - the name of the metadata, not a token
LANGUAGE_METADATA = "accept-language"
_HEADER_VALUE = re.compile("[ -~]*")


@dataclass(frozen=True, slots=True)
class Client:
    """A channel and the generated stub on it; many threads may share one. Closes with its `with` block."""

    target: str
    channel: grpc.Channel
    stub: GameServiceStub
    metadata: Metadata = field(default=(), repr=False)
    """What says who calls, and in which language; `call` sends it, and calls of the bare stub have to be given it."""
    timeout: float = 3.0
    """Deadline of each call of `call` in seconds, its retries included."""

    def as_seat(self, seat_token: str) -> Self:
        """Make a client on the same channel that is a seat: it acts for that seat alone, whatever this one may do."""
        return replace(self, metadata=as_seat(self.metadata, seat_token))

    def in_language(self, language: str | None) -> Self:
        """Make a client on the same channel that is told texts in a language, as `connect` is given it.

        :raises ValueError: no header can have it.
        """
        return replace(self, metadata=in_language(self.metadata, language))

    def call(
        self,
        method: "grpc.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        *,
        timeout: float | None = None,
    ) -> Response:
        """Call `method` of the stub. `timeout` may shorten the deadline. :raises RulesError: if the call fails."""
        seconds = self.timeout if timeout is None else min(timeout, self.timeout)
        try:
            return method(request, timeout=seconds, metadata=self.metadata)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error

    def stream(self, *, ahead: int = AHEAD, timeout: float | None = None) -> MoveStream:
        """Open a stream for moves of many matches, see `MoveStream`; for back ends only.

        Up to `ahead` messages wait for their answers. `timeout` is the deadline of the whole stream; without it, it
        stays open until a side ends it.
        """
        return MoveStream(self.stub, self.metadata, ahead=ahead, patience=self.timeout, timeout=timeout)

    def wait_ready(self, timeout: float = 10.0) -> Self:
        """Wait until the channel is connected, and return the client. :raises TimeoutError: if it never is."""
        try:
            grpc.channel_ready_future(self.channel).result(timeout=timeout)
        except grpc.FutureTimeoutError:
            raise TimeoutError(f"no connection to {self.target} within {timeout:g} s") from None
        return self

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def connect(
    target: str,
    *,
    seat_token: str | None = None,
    api_key: str | None = None,
    language: str | None = None,
    timeout: float = 3.0,
    credentials: grpc.ChannelCredentials | None = None,
    keepalive: float | None = None,
    options: Iterable[Option] = (),
) -> Client:
    """Connect to the service; the connection itself is made by the first call, or by `wait_ready`.

    A player is known by a `seat_token`, a back end by an `api_key`, unless its network or its certificate says who it
    is. Both are secrets: send them over nothing but TLS, or a network of your own.
    `language` is what violations and score sheets are told in, as an `accept-language` has it: `it`, `pl, en;q=0.5`.
    `timeout` is each call's deadline in seconds, its retries included; calls of the bare stub have up to two seconds
    more. Without `credentials` nothing is encrypted.
    `keepalive` pings a silent connection every so many seconds (30 suits phones), so that a lost one is noticed.
    `options` are gRPC channel arguments, and win over those set here.

    :raises ValueError: there are a seat token and an API key, with both of which a caller is a seat; or one of them,
        or the language, is nothing that a header can have; or no call could succeed within the timeout, or nothing be
        pinged so often.
    """
    metadata, arguments = who(seat_token, api_key, language), channel_arguments(timeout, keepalive, options)
    if credentials is None:
        channel = grpc.insecure_channel(target, arguments)
    else:
        channel = grpc.secure_channel(target, credentials, arguments)
    return Client(target, channel, GameServiceStub(channel), metadata, timeout)


def channel_arguments(timeout: float, keepalive: float | None, options: Iterable[Option]) -> list[Option]:
    """Put the arguments of a channel together, as `connect` describes them. :raises ValueError: of either time."""
    _require_seconds("timeout", timeout, _MOST_SECONDS)
    arguments: dict[str, int | str] = {"grpc.service_config": service_config(timeout)}
    if keepalive is not None:
        _require_seconds("keepalive", keepalive, _MOST_KEEPALIVE_SECONDS)
        arguments |= {
            "grpc.keepalive_time_ms": math.ceil(keepalive * 1000),
            "grpc.keepalive_timeout_ms": 10_000,
            "grpc.keepalive_permit_without_calls": 1,
            "grpc.http2.max_pings_without_data": 0,
        }
    return list((arguments | dict(options)).items())


def _require_seconds(name: str, seconds: float, most: float) -> None:
    if not 0 < seconds <= most:
        raise ValueError(f"{name} is {seconds:g}: give seconds, more than 0 and at most {most:g}")


def who(seat_token: str | None, api_key: str | None, language: str | None) -> Metadata:
    """Write the metadata that says who calls, and in which language. :raises ValueError: as `connect` does."""
    if seat_token is not None and api_key is not None:
        raise ValueError("a caller is a seat or a back end: give seat_token or api_key, not both")
    metadata: Metadata = () if api_key is None else ((API_KEY_METADATA, _header_value("api_key", api_key)),)
    if seat_token is not None:
        metadata = as_seat(metadata, seat_token)
    return in_language(metadata, language)


def as_seat(metadata: Metadata, seat_token: str) -> Metadata:
    """Put a seat in the place of whoever calls, and leave the language."""
    language = tuple(each for each in metadata if each[0] == LANGUAGE_METADATA)
    return ((SEAT_TOKEN_METADATA, _header_value("seat_token", seat_token)), *language)


def in_language(metadata: Metadata, language: str | None) -> Metadata:
    """Put a language in the place of the one that is asked for, and leave whoever calls; none asks for nothing."""
    caller = tuple(each for each in metadata if each[0] != LANGUAGE_METADATA)
    return (*caller, (LANGUAGE_METADATA, _header_value("language", language))) if language else caller


def _header_value(name: str, value: str) -> str:
    """Refuse what gRPC would refuse at each call, and show nothing of it: it may be a secret."""
    if not _HEADER_VALUE.fullmatch(value):
        raise ValueError(f"{name} has a character that no header can have: only printable ASCII may be in it")
    return value


def service_config(timeout: float) -> str:
    """Return the shipped gRPC service config as JSON, with at least this deadline for every call that has one.

    gRPC's core, below Python's, lets a deadline of the config pass one to two seconds early, so that one of a second
    would leave no time at all. Here it stands for calls of the bare stub alone; others bring their own, which is exact.
    """
    config = json.loads(files("burraco").joinpath("service_config.json").read_text("utf-8"))
    for method in config["methodConfig"]:
        if "timeout" in method:
            method["timeout"] = f"{timeout + _EARLY_SECONDS:.3f}s"
    return json.dumps(config)
