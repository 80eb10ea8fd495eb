"""Health, as grpc.health.v1 has it, on threads of its own, with watches that do not hold up the end of the server."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, cast

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
        self._is_over = False
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
                self._watch(_read(payload, context), context, _Watch(send, context, lobby))

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
            self._is_over = True
            watches = tuple(self._watches)
        for watch in watches:
            watch.end()

    def _watch(self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext, watch: "_Watch") -> None:
        self._servicer.Watch(request, cast("grpc.ServicerContext", watch), watch.send)
        with self._lock:
            self._watches.add(watch)
            is_over = self._is_over
        # Of a call that has ended before gRPC was asked to tell of its end, it does not.
        if not context.add_callback(lambda: self._forget(watch)):
            self._forget(watch)
        if is_over:
            watch.end()

    def _forget(self, watch: "_Watch") -> None:
        with self._lock:
            self._watches.discard(watch)
        watch.close()


class _Watch:
    """One watch in progress, which ends once. For grpc_health it is the call's context, of which that asks one thing.

    It sends on a thread of its own: grpc_health sends with its lock held, a send waits for gRPC's
    serving thread, and that one waits for the lock when another watch goes away at the same moment.
    And it waits there for a client that takes nothing, which must not hold up the others.
    """

    def __init__(self, send: Send, context: grpc.ServicerContext, lobby: Lobby) -> None:
        self._send = send
        self._context = context
        self._lobby = lobby
        self._lock = threading.Lock()
        self._news: deque[health_pb2.HealthCheckResponse | None] = deque()
        self._callbacks: list[Callable[[], None]] = []
        self._is_sending = False
        self._is_ended = False

    def add_callback(self, callback: Callable[[], None]) -> bool:
        """Call it when the call has ended."""
        self._callbacks.append(callback)
        return True

    def close(self) -> None:
        """Note that the call has ended; once, after all who want to know of it have said so."""
        with self._lock:
            self._is_ended = True
        for callback in self._callbacks:
            callback()

    def send(self, response: health_pb2.HealthCheckResponse | None) -> None:
        with self._lock:
            if self._is_ended:
                return
            self._news.append(response)
            if self._is_sending:
                return
            self._is_sending = True
        # Once the threads are let go the server has ended, and nobody watches any more.
        with contextlib.suppress(RuntimeError):
            self._lobby.pool.submit(self._send_news)

    def end(self) -> None:
        self.send(None)

    def _send_news(self) -> None:
        while True:
            with self._lock:
                if self._is_ended or not self._news:
                    self._is_sending = False
                    return
                response = self._news.popleft()
                self._is_ended = response is None
            with self._lobby.wait(_WATCH, self._context):
                self._send(response)


def _read(payload: bytes, context: grpc.ServicerContext) -> health_pb2.HealthCheckRequest:
    try:
        return health_pb2.HealthCheckRequest.FromString(payload)
    except DecodeError:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "The request is not a grpc.health.v1.HealthCheckRequest.")
        raise
