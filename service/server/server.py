"""The gRPC server: transport, services, and how it ends."""

import threading
from dataclasses import dataclass

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2
from structlog.typing import FilteringBoundLogger

from service.server.adapter import GAME_SERVICE, Adapter, Implementation, Limits
from service.server.calls import Calls
from service.server.health import HEALTH_SERVICE, Health
from service.server.pool import CountingPool, Pooled, Pools
from service.server.settings import Settings

_REFLECTION_SERVICES = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)
_CONNECTION_AGE_GRACE_SECONDS = 30
_KEEPALIVE_SECONDS = 60
_KEEPALIVE_TIMEOUT_SECONDS = 20
_MAX_METADATA_BYTES = 16_384
_LAST_STEPS_SECONDS = 0.2
_ROOM_ABOVE_LIMIT = 512  # calls that grpcio itself lets in beyond ours: refusals, health, reflection


class BindError(Exception):
    """The address cannot be listened on."""


@dataclass(frozen=True)
class Server:
    """A server that listens."""

    port: int
    _grpc: grpc.Server
    _adapter: Adapter
    _health: Health
    _pools: Pools

    @property
    def calls_in_progress(self) -> int:
        """Calls that run or wait."""
        return self._pools.calls.unfinished

    def stop_serving(self) -> None:
        """Say NOT_SERVING, and go on answering."""
        self._health.stop_serving()

    def refuse_calls(self) -> None:
        """Answer new calls with UNAVAILABLE, and go on with those in progress.

        gRPC itself ends calls that come at the moment of its stop as CANCELLED, which no client tries again.
        """
        self._health.stop_serving()
        self._adapter.close()

    def stop(self, grace_seconds: float | None) -> threading.Event:
        """End connections; calls in progress have the grace (None: none at all). The event says when all is over."""
        self.refuse_calls()
        self._health.end_watches()
        return self._grpc.stop(grace_seconds)

    def close(self) -> int:
        """Let the threads go; how many calls still run, though nobody waits for them any more."""
        self._pools.shut_down()
        self._health.close()
        # A thread is done a little after its call is.
        self._pools.calls.wait_until_idle(_LAST_STEPS_SECONDS)
        return self.calls_in_progress


def start_server(settings: Settings, implementation: Implementation, log: FilteringBoundLogger) -> Server:
    """Start answering calls; BindError when the address is not to be had."""
    pools = Pools(CountingPool(settings.threads, "calls"))
    health = Health((GAME_SERVICE.full_name,))
    calls = Calls(settings.trust, settings.default_deadline_seconds, log, log_messages_of_faults=settings.development)
    limits = Limits(settings.max_concurrent_rpcs, settings.max_answer_bytes)
    adapter = Adapter(implementation, calls, pools, limits)
    server = grpc.server(
        pools.calls,
        handlers=[adapter, health.handlers(pools)],
        options=_options(settings),
        maximum_concurrent_rpcs=settings.max_concurrent_rpcs + _ROOM_ABOVE_LIMIT,
    )
    if settings.reflection:
        server.add_generic_rpc_handlers(_reflection_handlers(pools))
    try:
        if settings.tls is None:
            port = server.add_insecure_port(settings.address)
        else:
            port = server.add_secure_port(settings.address, settings.tls.credentials())
    except RuntimeError:
        raise BindError(
            f"Cannot listen on {settings.address}: set BURRACO_PORT to a free port (0 takes any), and BURRACO_HOST to "
            f"an address of this machine."
        ) from None
    server.start()
    return Server(port, server, adapter, health, pools)


def _options(settings: Settings) -> list[tuple[str, int]]:
    options = [
        ("grpc.so_reuseport", 0),  # two servers on one port would share its calls by accident
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
    if settings.max_connection_age_seconds:
        options += [
            ("grpc.max_connection_age_ms", settings.max_connection_age_seconds * 1000),
            ("grpc.max_connection_age_grace_ms", _CONNECTION_AGE_GRACE_SECONDS * 1000),
        ]
    return options


def _reflection_handlers(pools: Pools) -> list[grpc.GenericRpcHandler]:
    # Version 1 has the messages of v1alpha under another name; some clients ask for the one, some for the other.
    listed = (GAME_SERVICE.full_name, HEALTH_SERVICE, *_REFLECTION_SERVICES)
    handler = grpc.stream_stream_rpc_method_handler(
        Pooled(reflection.ReflectionServicer(listed).ServerReflectionInfo, pools.reflection),
        reflection_pb2.ServerReflectionRequest.FromString,
        reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    return [
        grpc.method_handlers_generic_handler(service, {"ServerReflectionInfo": handler})
        for service in _REFLECTION_SERVICES
    ]
