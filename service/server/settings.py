"""Settings from the environment: each a variable BURRACO_..., checked before anything starts."""

import difflib
import ipaddress
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, PrivateAttr, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.api.authority import Trust
from service.server import keys
from service.server.cores import usable_cores
from service.server.tls import ServerTls, certificate_list, read_tls
from service.server.worker import Job
from service.wire import versions
from service.wire.tokens import TokenKeys

PREFIX = "BURRACO_"
_ENDPOINT = re.compile(r"https?://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}/?")
_NOT_OURS = ("BURRACO_DEMO_", "BURRACO_TEST_")
_OF_THE_JOB = ("port", "arbiter_port", "admin_port", "metrics_port", "sealing_key")


class SettingsError(Exception):
    """Settings that the server does not start with; the text is one line for each thing to put right."""


class Settings(BaseSettings):
    """What the server can be told; the descriptions are those of docs/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    host: str = Field(
        "127.0.0.1",
        description="Address to listen on: one that is not loopback also needs `BURRACO_API_KEYS`, "
        "`BURRACO_BACK_END_CERTIFICATES` or `BURRACO_TRUST_NETWORK`.",
    )
    port: int = Field(50051, ge=0, le=65535, description="Port to listen on, 0 to 65535; 0 takes any free one.")
    development: bool = Field(
        default=False, description="Starts without keys, with one that ends with the process. Never for real matches."
    )
    sealing_key: SecretStr | None = Field(None, description="Key that seals states: 32 bytes in base64.")
    sealing_key_file: Path | None = Field(None, description="File that holds the sealing key, in place of the above.")
    opening_keys: SecretStr | None = Field(
        None, description="More keys that open states, separated by commas. The sealing key always opens its own."
    )
    opening_keys_file: Path | None = Field(None, description="File that holds those keys, in place of the above.")
    state_version: int = Field(
        versions.WRITTEN_VERSION,
        ge=versions.OLDEST_VERSION,
        le=versions.NEWEST_VERSION,
        description=f"Version of the stored states that is written, {versions.OLDEST_VERSION} to "
        f"{versions.NEWEST_VERSION}; all of these are read. See [upgrading](upgrading.md).",
    )
    api_keys: SecretStr | None = Field(
        None,
        description="Keys that make a caller a back end, each 16 or more printable characters, separated by commas.",
    )
    api_keys_file: Path | None = Field(None, description="File that holds those keys, in place of the above.")
    back_end_certificates: str | None = Field(
        None,
        description="Client certificates that make a caller a back end: `dns:NAME`, `uri:URI` or `cn:NAME`, letter for "
        "letter, separated by commas.",
    )
    trust_network: bool | None = Field(
        None,
        description="Whether a caller without a seat token is a back end. Unset: true on loopback without API keys or "
        "certificates of back ends, false otherwise.",
    )
    require_credentials: bool = Field(
        default=False,
        description="Whether every caller has to show a seat token, an API key or a listed certificate, wherever it "
        "calls from. A call that comes over a web edge is refused without it, see [edge](edge.md).",
    )
    seat_token_seconds: int = Field(
        86_400,
        ge=60,
        le=31_536_000,
        description="How long a seat token holds unless asked for otherwise, 60 to 31536000.",
    )
    tls_certificate_file: Path | None = Field(
        None, description="File with the server's certificate and those between it and its CA, in PEM. Unset: no TLS."
    )
    tls_key_file: Path | None = Field(None, description="File with the key of that certificate, in PEM.")
    tls_client_ca_file: Path | None = Field(
        None,
        description="File with the CAs of clients, in PEM: a client without a certificate of theirs is not connected.",
    )
    tls_warning_days: int = Field(
        14, ge=0, le=3_650, description="Days before the end of the certificate from which the log warns, 0 to 3650."
    )
    processes: int = Field(
        1, ge=0, le=256, description="Processes that share the port, 0 to 256; 0 makes one for each core that is there."
    )
    transport: Literal["grpcio", "native"] = Field(
        "grpcio",
        description="`grpcio`, or `native`, which takes an extra and less CPU. See [transports](transports.md) first.",
    )
    threads: int = Field(
        2,
        ge=1,
        le=64,
        description="Threads that answer calls, 1 to 64. One works at a time; see [operations](operations.md).",
    )
    max_concurrent_rpcs: int = Field(
        64,
        ge=1,
        le=100_000,
        description="Calls in progress or waiting; more are refused with RESOURCE_EXHAUSTED, and then none may wait "
        "until the overload is over.",
    )
    max_streams: int = Field(
        16,
        ge=1,
        le=256,
        description="Streams open at once, 1 to 256, each on a thread of its own beside those of the calls; more are "
        "refused with RESOURCE_EXHAUSTED.",
    )
    stream_idle_seconds: float = Field(
        60.0,
        gt=0,
        le=86_400,
        allow_inf_nan=False,
        description="A stream on which nothing comes for this long, or whose answers nobody takes, is ended.",
    )
    max_message_bytes: int = Field(
        262_144, ge=1_024, le=4_194_304, description="Largest request, in bytes, 1 KiB to 4 MiB."
    )
    max_answer_bytes: int = Field(
        4_194_304, ge=65_536, le=67_108_864, description="Largest answer, in bytes; clients take 4 MiB by default."
    )
    request_seconds: float = Field(
        10.0,
        gt=0,
        le=3_600,
        allow_inf_nan=False,
        description="A call whose request has not come whole after this long is ended.",
    )
    default_deadline_seconds: float = Field(
        10.0, gt=0, le=3_600, allow_inf_nan=False, description="Longest time for a call that comes without a deadline."
    )
    drain_seconds: float = Field(
        1.0,
        ge=0,
        le=3_600,
        allow_inf_nan=False,
        description="Time between NOT_SERVING and the end of new calls, when told to stop.",
    )
    grace_seconds: float = Field(
        10.0,
        ge=0,
        le=3_600,
        allow_inf_nan=False,
        description="Time for calls in progress to end, after that; then they are cut off.",
    )
    max_connection_age_seconds: int = Field(
        300,
        ge=0,
        le=86_400,
        description="Age at which a connection is asked to end, so that clients find new replicas; 0 for never.",
    )
    min_ping_interval_seconds: int = Field(
        5, ge=1, le=3_600, description="Clients may send keepalive pings this often, calls or not."
    )
    arbiter_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="Port of ArbiterService, 0 to 65535; 0 takes any free one. Unset: it is off. See arbiter.md first.",
    )
    arbiter_host: str = Field(
        "127.0.0.1",
        description="Address of that port: one that is not loopback also needs `BURRACO_API_KEYS`, "
        "`BURRACO_BACK_END_CERTIFICATES` or `BURRACO_ARBITER_CERTIFICATES`.",
    )
    arbiter_certificates: str | None = Field(
        None,
        description="Client certificates that alone may call the arbiter, written as those of back ends: neither one "
        "of theirs nor an API key is enough then.",
    )
    admin_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="Port of channelz, 0 to 65535; 0 takes any free one. Unset: it is off. See "
        "[observability](observability.md).",
    )
    admin_host: str = Field(
        "127.0.0.1",
        description="Address of that port: one that is not loopback also needs `BURRACO_API_KEYS`.",
    )
    metrics_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="HTTP port of `/metrics`, for Prometheus, 0 to 65535; 0 takes any free one. Unset: it is off.",
    )
    metrics_host: str = Field(
        "127.0.0.1", description="IP address of that port. It asks for no credentials, and tells no secret."
    )
    tracing: str | None = Field(
        None,
        description="Where spans are sent to, by OTLP over gRPC: `http://HOST:PORT`, or `https://` for TLS. Unset or "
        "`off`: nowhere. Needs the extra `tracing`.",
    )
    tracing_ratio: float = Field(
        1.0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Part of the calls that is traced, 0 to 1, where no back end that calls has decided it.",
    )
    reflection: bool = Field(default=True, description="Whether generic clients may ask what RPCs there are.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="`debug`, `info`, `warning` or `error`; at `warning` ordinary calls are not logged."
    )
    log_format: Literal["json", "console"] = Field("json", description="`json`, or `console` for people.")

    _worker: int | None = PrivateAttr(None)

    @property
    def worker(self) -> int:
        """Number of this process among those that share the port, from 0; 0 where it is alone.

        What is there once for all of them is in process 0; what is there once in each can count ports from it.
        """
        return self._worker or 0

    @property
    def shares_port(self) -> bool:
        """Whether other processes of this server listen on its port too."""
        return self._worker is not None

    @property
    def process_count(self) -> int:
        """How many processes there are to be."""
        return self.processes or usable_cores()

    @cached_property
    def sealing_key_bytes(self) -> bytes:
        """The key that seals; in development mode without one, 32 bytes that nobody will ever have again."""
        variable = f"{PREFIX}SEALING_KEY"
        text = keys.read_secret(variable, _revealed(self.sealing_key), self.sealing_key_file)
        found = keys.sealing_keys(variable, text)
        if len(found) > 1:
            raise ValueError(f"{variable} holds {len(found)} keys: one seals, move the others to {PREFIX}OPENING_KEYS.")
        if found:
            return found[0]
        if not self.development:
            raise ValueError(
                f"{variable} is not set: set it to the output of `openssl rand -base64 {keys.KEY_BYTES}`, the same on "
                f"every replica, or set {PREFIX}DEVELOPMENT=true to try the server with a key that ends with it."
            )
        return os.urandom(keys.KEY_BYTES)

    @property
    def has_ephemeral_key(self) -> bool:
        """Whether no state outlives this process, because no key was given."""
        return self.sealing_key is None and self.sealing_key_file is None

    @cached_property
    def opening_keys_bytes(self) -> tuple[bytes, ...]:
        """Every key that opens, the sealing key first."""
        variable = f"{PREFIX}OPENING_KEYS"
        text = keys.read_secret(variable, _revealed(self.opening_keys), self.opening_keys_file)
        return tuple(dict.fromkeys([self.sealing_key_bytes, *keys.sealing_keys(variable, text)]))

    @cached_property
    def trust(self) -> Trust:
        """How back ends are known."""
        variable = f"{PREFIX}API_KEYS"
        found = keys.api_keys(variable, keys.read_secret(variable, _revealed(self.api_keys), self.api_keys_file))
        certificates = certificate_list(f"{PREFIX}BACK_END_CERTIFICATES", self.back_end_certificates or "")
        network = self.trust_network
        if network is None:
            # Keys on loopback mean a proxy in front, whose callers must not be trusted for coming from this machine.
            network = _is_loopback(self.host) and not found and not certificates and not self.require_credentials
        return Trust(self.token_keys, network, tuple(found), certificates, self.require_credentials)

    @cached_property
    def token_keys(self) -> TokenKeys:
        """What seat tokens are made and read with."""
        return TokenKeys(self.sealing_key_bytes, self.opening_keys_bytes)

    @cached_property
    def tls(self) -> ServerTls | None:
        """What the server speaks TLS with; None for plain text."""
        return read_tls(self.tls_certificate_file, self.tls_key_file, self.tls_client_ca_file)

    @cached_property
    def arbiter_trust(self) -> Trust:
        """How the arbiter knows its callers: by its own list of certificates alone, where there is one.

        Otherwise as the game does, but it trusts no network except this machine's own.
        """
        if self.arbiter_certificates is not None:
            certificates = certificate_list(f"{PREFIX}ARBITER_CERTIFICATES", self.arbiter_certificates)
            return Trust(self.token_keys, certificates=certificates)
        return self._trust_of_tool(self.arbiter_host)

    @property
    def admin_trust(self) -> Trust:
        """How channelz knows its callers: as the arbiter without a list of its own does."""
        return self._trust_of_tool(self.admin_host)

    def _trust_of_tool(self, host: str) -> Trust:
        return self.trust if _is_loopback(host) else replace(self.trust, network=False)

    @property
    def tracing_endpoint(self) -> str | None:
        """Where spans are sent to; None where nothing is traced."""
        return None if self.tracing == "off" else self.tracing

    @property
    def address(self) -> str:
        """Where to listen, as gRPC writes it."""
        return _address(self.host, self.port)

    @property
    def arbiter_address(self) -> str:
        """Where the arbiter listens, as gRPC writes it."""
        return _address(self.arbiter_host, self.arbiter_port or 0)

    @property
    def admin_address(self) -> str:
        """Where channelz listens, as gRPC writes it."""
        return _address(self.admin_host, self.admin_port or 0)

    def masked(self) -> dict[str, object]:
        """Every setting as the log may show it."""
        return self.model_dump(mode="json")

    @model_validator(mode="after")
    def _keys_and_trust_fit(self) -> Self:
        trust, tls = self.trust, self.tls
        if trust.certificates and (tls is None or not tls.asks_clients):
            raise _no_client_ca(f"{PREFIX}BACK_END_CERTIFICATES")
        if self.require_credentials and self.trust_network:
            raise ValueError(
                f"{PREFIX}REQUIRE_CREDENTIALS and {PREFIX}TRUST_NETWORK are both true and contradict each other: unset "
                f"one of them."
            )
        if trust.knows_back_ends:
            return self
        if self.require_credentials:
            raise ValueError(
                f"{PREFIX}REQUIRE_CREDENTIALS is true, and no back end could show any, so nobody could create a match: "
                f"set {PREFIX}API_KEYS or {PREFIX}BACK_END_CERTIFICATES."
            )
        raise ValueError(
            f"{PREFIX}HOST is {self.host!r}, which others can reach, and nothing says which callers to trust: set "
            f"{PREFIX}API_KEYS or {PREFIX}BACK_END_CERTIFICATES, or {PREFIX}TRUST_NETWORK=true on a private network."
        )

    @model_validator(mode="after")
    def _tools_are_guarded(self) -> Self:
        if self.arbiter_certificates is not None:
            self._require_list_of_arbiter()
        elif self.arbiter_port is not None:
            own = f" or {PREFIX}ARBITER_CERTIFICATES"
            self._require_guard("ARBITER_HOST", self.arbiter_host, "who calls the arbiter sees every card", own)
        if self.admin_port is not None:
            self._require_guard("ADMIN_HOST", self.admin_host, "channelz tells who is connected")
        return self

    def _require_guard(self, name: str, host: str, why: str, own: str = "") -> None:
        if _is_loopback(host) or self.trust.api_keys or self.trust.certificates:
            return
        raise ValueError(
            f"{PREFIX}{name} is {host!r}, which others can reach, and {why}: set {PREFIX}API_KEYS or "
            f"{PREFIX}BACK_END_CERTIFICATES{own}, one of which it asks of every caller, or leave it on 127.0.0.1."
        )

    @model_validator(mode="after")
    def _traces_have_a_goal(self) -> Self:
        if self.tracing_endpoint is None or _ENDPOINT.fullmatch(self.tracing_endpoint):
            return self
        raise ValueError(
            f"{PREFIX}TRACING is no address to send spans to: write http://HOST:PORT or https://HOST:PORT, or off."
        )

    def _require_list_of_arbiter(self) -> None:
        variable = f"{PREFIX}ARBITER_CERTIFICATES"
        if not self.arbiter_trust.certificates:
            raise ValueError(
                f"{variable} is set and names no certificate: name those of the arbiter's callers, or unset it."
            )
        if self.arbiter_port is None:
            raise ValueError(f"{variable} is set, but the arbiter is off: set {PREFIX}ARBITER_PORT too, or neither.")
        if self.tls is None or not self.tls.asks_clients:
            raise _no_client_ca(variable)


def load_settings(job: Job | None = None) -> Settings:
    """Read the settings from the environment, and of a worker's job; SettingsError says all that is wrong."""
    problems = list(_unknown_variables(os.environ))
    told = job._asdict() if job else {}
    try:
        settings = Settings(**{name: told[name] for name in _OF_THE_JOB if told.get(name) is not None})
    except ValidationError as error:
        problems += [_sentence(dict(each)) for each in error.errors(include_input=False, include_url=False)]
    else:
        settings._worker = job.number if job else None  # noqa: SLF001 - its own
        if not problems:
            return settings
    raise SettingsError("\n".join(problems))


def variable_of(field: str) -> str:
    """Name the variable of a field."""
    return PREFIX + field.upper()


def _no_client_ca(variable: str) -> ValueError:
    return ValueError(
        f"{variable} is set, but nothing asks clients for certificates: set {PREFIX}TLS_CLIENT_CA_FILE, with "
        f"{PREFIX}TLS_CERTIFICATE_FILE and {PREFIX}TLS_KEY_FILE."
    )


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _unknown_variables(environment: Iterable[str]) -> Iterable[str]:
    for name in sorted(environment):
        variable = name.upper()
        field = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and field not in Settings.model_fields and not variable.startswith(_NOT_OURS):
            near = difflib.get_close_matches(field, Settings.model_fields, n=1)
            hint = f"did you mean {variable_of(near[0])}?" if near else "unset it, or take one of docs/settings.md."
            yield f"{name} is not a setting of this server: {hint}"


def _sentence(error: Mapping[str, object]) -> str:
    where = error["loc"]
    if isinstance(where, Sequence) and where:
        field = str(where[0])
        meaning = Settings.model_fields[field].description
        return f"{variable_of(field)} is wrong ({str(error['msg']).lower()}). What it takes: {meaning}"
    return str(error["msg"]).removeprefix("Value error, ")


def _revealed(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()
