"""The native transport: HTTP/2 and gRPC on threads of Rust, for the unary calls; the rest goes to grpcio behind it.

It is asked for by a setting and installed by an extra. Handlers are those of grpcio, and are chosen as grpcio chooses
them: call by call, on the thread that takes calls in, each on the threads that it names. docs/transports.md says what
differs.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple, TypeVar, cast

import grpc

T = TypeVar("T")
_LACKING = frozenset(("grpc.max_connection_age_ms", "grpc.max_connection_age_grace_ms"))
"""Options that it refuses to start with."""


class TransportError(Exception):
    """The transport that is asked for is not there."""


class _Details(NamedTuple):
    """What a handler is chosen by; the handlers of this server look at nothing else."""

    method: str
    invocation_metadata: tuple[()] = ()


class _Opaque(grpc.GenericRpcHandler):
    """Handlers of a service of which the native side has a part: by another name it would drop the rest."""

    def __init__(self, handlers: grpc.GenericRpcHandler) -> None:
        self._handlers = handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:  # noqa: ANN401 - generic in its stubs alone
        return self._handlers.service(handler_call_details)


class _Router(Executor):
    """Stands for the thread pool: chooses the handler of each native call, and the threads that it runs on."""

    def __init__(self, handlers: Sequence[grpc.GenericRpcHandler], calls: Executor) -> None:
        self._handlers = handlers
        self._calls = calls

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":  # noqa: ANN401 - passes through
        """Run a task, which for a native call is `fn(run, call, request)`."""
        pool = self._calls
        call = args[1] if len(args) == 3 else None
        method = getattr(call, "method", None)
        if method is not None:
            call.handler, pool = self._choose(method, call.handler)  # type: ignore[union-attr]
        return pool.submit(fn, *args, **kwargs)

    def _choose(self, method: str, registered: Any) -> tuple[Any, Executor]:  # noqa: ANN401 - handlers
        for handlers in self._handlers:
            found: Any = handlers.service(_Details(method))  # type: ignore[arg-type]
            if found is not None:
                behaviour = found.stream_unary or found.stream_stream
                pool = getattr(behaviour, "experimental_thread_pool", self._calls)
                return (_unary(found) if found.stream_unary else _refusing(found)), pool
        return registered, self._calls


def native_server(
    pool: Executor,
    handlers: Sequence[grpc.GenericRpcHandler],
    options: Sequence[tuple[str, int]],
    services: Sequence[Any],
) -> grpc.Server:
    """Make a server whose unary calls are native, of services by their descriptors.

    TransportError where the package is missing.
    """
    try:
        import pygrpc_native  # noqa: PLC0415 - an extra
    except ImportError:
        raise TransportError(
            "BURRACO_TRANSPORT is native, and the package pygrpc-native is not installed: install this one with its "
            "extra `native`, or unset the variable."
        ) from None
    server = pygrpc_native.server(
        _Router(handlers, pool),
        handlers=[_Opaque(each) for each in handlers],
        options=[option for option in options if option[0] not in _LACKING],
    )
    for service in services:
        methods: dict[str, Any] = {
            rpc.name: grpc.unary_unary_rpc_method_handler(_never_chosen)
            for rpc in service.methods
            if not (rpc.client_streaming or rpc.server_streaming)
        }
        server.add_registered_method_handlers(service.full_name, methods)
    return server


def _unary(handler: Any) -> Any:  # noqa: ANN401 - handlers
    """Make a unary handler of one that takes its one request from a stream."""

    def answer(request: Any, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 - passes through
        return handler.stream_unary(iter((request,)), context)

    return grpc.unary_unary_rpc_method_handler(answer, handler.request_deserializer, handler.response_serializer)


def _refusing(handler: Any) -> Any:  # noqa: ANN401 - handlers
    """Make a unary handler of one that answers as a stream does, without a request: a refusal."""
    behaviour = handler.stream_stream

    def refuse(_request: bytes, context: grpc.ServicerContext) -> bytes:
        if not behaviour.experimental_non_blocking:
            return cast("bytes", next(behaviour(iter(()), context)))
        behaviour(iter(()), context, lambda _nothing: None)
        return b""  # not sent: the context has how the call fails

    return grpc.unary_unary_rpc_method_handler(refuse)


def _never_chosen(_request: bytes, context: grpc.ServicerContext) -> bytes:
    """Hold the place of a method: `_Router` chooses the handler of each of its calls."""
    context.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
    raise AssertionError("abort does not return")
