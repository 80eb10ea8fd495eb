"""Health, as grpc.health.v1 has it, on threads of its own, with watches that do not hold up the end of the server."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import HealthServicer

from service.server.lobby import Lobby
from service.server.pool import Handler, Pooled

HEALTH_DESCRIPTOR = health_pb2.DESCRIPTOR.services_by_name["Health"]
HEALTH_SERVICE = HEALTH_DESCRIPTOR.full_name
_CHECK: Final = f"/{HEALTH_SERVICE}/Check"
_WATCH: Final = f"/{HEALTH_SERVICE}/Watch"
_NOTHING: Final = health_pb2.HealthCheckResponse()
"""Goes nowhere."""
Send = Callable[[health_pb2.HealthCheckResponse | None], None]


class Health:
    """The health of the process (name "") and of each service."""

    def __init__(self, services: tuple[str, ...]) -> None:
        self._servicer = HealthServicer()
        self._lock = threading.Lock()
        self._watches: set[_Watch] = set()
        self._sender = ThreadPoolExecutor(1, "health-watch")
        for service in services:
            self._servicer.set(service, health_pb2.HealthCheckResponse.SERVING)

    def handlers(self, lobby: Lobby) -> grpc.GenericRpcHandler:
        """Make the handlers to be added to a server."""

        def check(requests: Iterator[bytes], context: grpc.ServicerContext) -> health_pb2.HealthCheckResponse:
            payload = lobby.request(_CHECK, requests, context)
            return _NOTHING if payload is None else self._servicer.Check(_read(payload, context), context)

        def watch(requests: Iterator[bytes], context: grpc.ServicerContext, send: Send) -> None:
            payload = lobby.request(_WATCH, requests, context)
            if payload is not None:
                self._watch(_read(payload, context), context, send)

        # Streams of requests, as the unary RPCs of the other services are.
        write = health_pb2.HealthCheckResponse.SerializeToString
        handlers: dict[str, Handler] = {
            "Check": grpc.stream_unary_rpc_method_handler(Pooled(check, lobby.pool), None, write),
            "Watch": grpc.stream_stream_rpc_method_handler(
                Pooled(watch, lobby.pool, experimental_non_blocking=True), None, write
            ),
        }
        return grpc.method_handlers_generic_handler(HEALTH_SERVICE, handlers)

    def stop_serving(self) -> None:
        """Answer NOT_SERVING from now on, for every name, and tell those who watch."""
        self._servicer.enter_graceful_shutdown()

    def end_watches(self) -> None:
        """End every watch: one that stays open would keep a stopping server waiting for its whole grace."""
        with self._lock:
            watches = tuple(self._watches)
        for watch in watches:
            watch.end()

    def close(self) -> None:
        """Let the thread go that tells those who watch."""
        self._sender.shutdown(wait=False)

    def _watch(self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext, send: Send) -> None:
        watch = _Watch(send, self._sender)
        with self._lock:
            self._watches.add(watch)
        context.add_callback(lambda: self._forget(watch))
        self._servicer.Watch(request, context, watch.send)

    def _forget(self, watch: "_Watch") -> None:
        watch.ended = True
        with self._lock:
            self._watches.discard(watch)


class _Watch:
    """One watch in progress, which ends once.

    It sends on a thread of its own: grpc_health sends with its lock held, a send waits for gRPC's
    serving thread, and that one waits for the lock when another watch goes away at the same moment.
    """

    def __init__(self, send: Callable[[Any], None], sender: ThreadPoolExecutor) -> None:
        self._send = send
        self._sender = sender
        self.ended = False

    def send(self, response: health_pb2.HealthCheckResponse | None) -> None:
        # Once the sender is closed the server has ended, and nobody watches any more.
        with contextlib.suppress(RuntimeError):
            self._sender.submit(self._send_now, response)

    def _send_now(self, response: health_pb2.HealthCheckResponse | None) -> None:
        if not self.ended:
            self.ended = response is None
            self._send(response)

    def end(self) -> None:
        self.send(None)


def _read(payload: bytes, context: grpc.ServicerContext) -> health_pb2.HealthCheckRequest:
    try:
        return health_pb2.HealthCheckRequest.FromString(payload)
    except DecodeError:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "The request is not a grpc.health.v1.HealthCheckRequest.")
        raise
