"""The gRPC server: transport, services, and how it ends."""

import threading
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection, reflection_pb2
from structlog.typing import FilteringBoundLogger

from service.api.authority import Trust
from service.server.adapter import (
    ARBITER_SERVICE,
    GAME_SERVICE,
    Adapter,
    ArbiterImplementation,
    Implementation,
    Limits,
)
from service.server.admission import Room
from service.server.calls import Calls
from service.server.channelz import CHANNELZ_SERVICE, Channelz
from service.server.health import HEALTH_DESCRIPTOR, HEALTH_SERVICE, Health
from service.server.listening import BindError, cannot_listen, closed_first
from service.server.lobby import Lobby
from service.server.native import native_server
from service.server.observing import Observers
from service.server.pool import CountingPool, Handler, Pooled
from service.server.pools import Pools
from service.server.settings import Settings
from service.server.streams import StreamLimits, Streams
from service.server.telemetry import NO_TELEMETRY, Telemetry
from service.server.tls_reload import TlsReload

_REFLECTION_SERVICES = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)
_CONNECTION_AGE_GRACE_SECONDS = 30
_KEEPALIVE_SECONDS = 60
_KEEPALIVE_TIMEOUT_SECONDS = 20
_MAX_METADATA_BYTES = 16_384
_LAST_STEPS_SECONDS = 0.2
_ROOM_ABOVE_LIMIT = 512  # calls that grpcio itself lets in beyond ours: health, reflection, RPCs that are not built


Requests = Iterator[reflection_pb2.ServerReflectionRequest]

_LONG_CALLS = 8
"""Of RPCs that take long: those that run or wait, on a thread apart."""
_TOOL_THREADS = 2
_TOOL_CALLS = 16
"""Few of both: the arbiter and channelz are for tools, and may not starve the game that runs beside them."""
_OTHER_THREADS = 4
_LATE_CALLS = 64
"""Of each kind, those whose requests have not come: a thread each, that sleeps."""
_LATE_OTHERS = 16


@dataclass(frozen=True)
class _Port:
    """What one port is for."""

    service: ServiceDescriptor
    address: str
    trust: Trust
    threads: int
    max_calls: int
    variables: tuple[str, str]
    """Settings of its port and host."""
    is_shared: bool = False
    """Whether other processes of this server listen on it too."""


@dataclass(frozen=True)
class Server:
    """A server that listens."""

    port: int
    _grpc: grpc.Server
    _adapter: Adapter
    _streams: Streams
    _health: Health
    _pools: Pools
    _tls: TlsReload | None = None

    @property
    def calls_in_progress(self) -> int:
        """Calls that run or wait, and streams that are open."""
        return self._pools.calls_in_progress

    def stop_serving(self) -> None:
        """Say NOT_SERVING, and go on answering."""
        self._health.stop_serving()

    def refuse_calls(self) -> None:
        """Answer new calls with UNAVAILABLE, and go on with those in progress.

        gRPC itself ends calls that come at the moment of its stop as CANCELLED, which few clients try again.
        """
        self._health.stop_serving()
        self._adapter.close()
        self._pools.close()

    def stop(self, grace_seconds: float | None) -> threading.Event:
        """End connections; calls in progress have the grace (None: none at all). The event says when all is over."""
        self.refuse_calls()
        self._health.end_watches()
        return self._grpc.stop(grace_seconds)

    def close(self) -> int:
        """Let the threads go; how many calls still run, though nobody waits for them any more."""
        self._pools.shut_down()
        self._streams.shut_down()
        if self._tls is not None:
            self._tls.close()
        # A thread is done a little after its call is.
        self._pools.wait_until_idle(_LAST_STEPS_SECONDS)
        return self.calls_in_progress


def start_server(
    settings: Settings, implementation: Implementation, log: FilteringBoundLogger, telemetry: Telemetry = NO_TELEMETRY
) -> Server:
    """Start answering calls of the game; BindError when the address is not to be had."""
    variables = ("BURRACO_PORT", "BURRACO_HOST")
    calls, shared = settings.max_concurrent_rpcs, settings.shares_port
    port = _Port(GAME_SERVICE, settings.address, settings.trust, settings.threads, calls, variables, shared)
    return _start(settings, port, implementation, log, telemetry)


def start_arbiter(
    settings: Settings,
    implementation: ArbiterImplementation,
    log: FilteringBoundLogger,
    telemetry: Telemetry = NO_TELEMETRY,
) -> Server:
    """Start answering calls of the arbiter, on a port and threads of its own; BindError as above."""
    variables = ("BURRACO_ARBITER_PORT", "BURRACO_ARBITER_HOST")
    address, trust = settings.arbiter_address, settings.arbiter_trust
    port = _Port(ARBITER_SERVICE, address, trust, _TOOL_THREADS, _TOOL_CALLS, variables)
    return _start(settings, port, implementation, log, telemetry)


def start_admin(settings: Settings, log: FilteringBoundLogger) -> Server:
    """Start answering channelz, on a port and threads of its own; BindError as above.

    It tells of its own process alone, so each worker has one. Nobody measures its calls.
    """
    variables = ("BURRACO_ADMIN_PORT", "BURRACO_ADMIN_HOST")
    address, trust = settings.admin_address, settings.admin_trust
    port = _Port(CHANNELZ_SERVICE, address, trust, _TOOL_THREADS, _TOOL_CALLS, variables)
    return _start(settings, port, Channelz(), log, NO_TELEMETRY)


def _start(
    settings: Settings,
    port: _Port,
    implementation: Implementation | ArbiterImplementation | Channelz,
    log: FilteringBoundLogger,
    telemetry: Telemetry,
) -> Server:
    health = Health((port.service.full_name,))
    calls = Calls(
        port.trust,
        settings.default_deadline_seconds,
        log,
        log_messages_of_faults=settings.development,
        observers=telemetry.observers,
    )
    pools = _pools(settings, port, calls)
    telemetry.watch_calls(port.service, lambda: pools.calls.in_progress, port.max_calls)
    if any(rpc.client_streaming for rpc in port.service.methods):
        telemetry.watch_streams(port.service, lambda: pools.streams.in_progress, settings.max_streams)
    room = Room(port.max_calls, min(port.threads, port.max_calls))
    limits = Limits(room, _LONG_CALLS, settings.max_streams, settings.max_answer_bytes)
    streams = Streams(calls, StreamLimits(settings.stream_idle_seconds, settings.max_answer_bytes))
    adapter = Adapter(port.service, implementation, calls, streams, pools, limits)
    server = _transport(settings, port, pools, [adapter, health.handlers(pools.health)], log)
    if settings.reflection:
        server.add_generic_rpc_handlers(_reflection_handlers(port.service, pools.reflection))
    tls = None if settings.tls is None else TlsReload(settings.tls, settings.tls_warning_days, log)
    with closed_first() if port.is_shared else nullcontext():
        try:
            if tls is None:
                number = server.add_insecure_port(port.address)
            else:
                number = server.add_secure_port(port.address, tls.credentials())
        except RuntimeError:
            if settings.tls is not None and not settings.tls.is_taken():
                raise BindError(settings.tls.not_taken()) from None
            raise cannot_listen(port.address, *port.variables) from None
        server.start()
    pools.start()
    if tls is not None:
        tls.start(number)
        telemetry.watch_certificate(tls.expires_at)
    return Server(number, server, adapter, streams, health, pools, tls)


def _pools(settings: Settings, port: _Port, calls: Calls) -> Pools:
    # Nobody counts the calls of health and reflection; the log tells of those that are ended.
    tell, tell_log = calls.end_late, replace(calls, observers=Observers()).end_late
    seconds = settings.request_seconds
    return Pools(
        calls=Lobby("calls", port.threads, _LATE_CALLS, seconds, tell),
        long=Lobby("long", 1, _LATE_OTHERS, seconds, tell),
        health=Lobby("health", _OTHER_THREADS, _LATE_OTHERS, seconds, tell_log),
        reflection=Lobby("reflection", _OTHER_THREADS, _LATE_OTHERS, settings.stream_idle_seconds, tell_log),
        streams=CountingPool(settings.max_streams, "streams"),
    )


def _transport(
    settings: Settings, port: _Port, pools: Pools, handlers: list[grpc.GenericRpcHandler], log: FilteringBoundLogger
) -> grpc.Server:
    options = _options(settings, port)
    if settings.transport == "native" and settings.tls is None:
        return native_server(pools.calls.pool, handlers, options, (port.service, HEALTH_DESCRIPTOR))
    if settings.transport == "native":
        log.warning("transport", advice="The native transport has no TLS: grpcio serves instead.")
    limit = port.max_calls + _LONG_CALLS + settings.max_streams + _ROOM_ABOVE_LIMIT
    return grpc.server(pools.calls.pool, handlers=handlers, options=options, maximum_concurrent_rpcs=limit)


def _options(settings: Settings, port: _Port) -> list[tuple[str, int]]:
    options = [
        # Unless they are meant to, two servers on one port would share its calls by accident.
        ("grpc.so_reuseport", int(port.is_shared)),
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_send_message_length", settings.max_answer_bytes),
        ("grpc.max_metadata_size", _MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", _MAX_METADATA_BYTES),
        # Mobile clients ping to keep their way through the network open, and must not be cut off for it.
        ("grpc.http2.min_ping_interval_without_data_ms", settings.min_ping_interval_seconds * 1000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.keepalive_time_ms", _KEEPALIVE_SECONDS * 1000),
        ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_SECONDS * 1000),
    ]
    if settings.admin_port is not None:
        options.append(("grpc.enable_channelz", 1))
    if settings.max_connection_age_seconds:
        options += [
            ("grpc.max_connection_age_ms", settings.max_connection_age_seconds * 1000),
            ("grpc.max_connection_age_grace_ms", _CONNECTION_AGE_GRACE_SECONDS * 1000),
        ]
    return options


def _reflection_handlers(service_: ServiceDescriptor, lobby: Lobby) -> list[grpc.GenericRpcHandler]:
    # Version 1 has the messages of v1alpha under another name; some clients ask for the one, some for the other.
    listed = (service_.full_name, HEALTH_SERVICE, *_REFLECTION_SERVICES)
    servicer = reflection.ReflectionServicer(listed)

    def handler(method: str) -> Handler:
        def inform(requests: Requests, context: grpc.ServicerContext) -> Iterator[Message]:
            answers = servicer.ServerReflectionInfo(lobby.requests(method, requests, context), context)
            return lobby.answers(method, answers, context)

        return grpc.stream_stream_rpc_method_handler(
            Pooled(inform, lobby.pool),
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )

    return [
        grpc.method_handlers_generic_handler(
            service, {"ServerReflectionInfo": handler(f"/{service}/ServerReflectionInfo")}
        )
        for service in _REFLECTION_SERVICES
    ]
