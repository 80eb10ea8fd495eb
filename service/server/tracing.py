"""Traces: a span for each call, sent by OTLP. Needs the extra `tracing`.

A span is made when its call has ended: nothing lies around the work, so that no tracing can change how a call ends.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, Sampler, SamplingResult, TraceIdRatioBased
from opentelemetry.trace import Link, SpanKind, StatusCode, TraceState, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import Attributes, AttributeValue

from burraco.v1 import reasons_pb2, rules_pb2, views_pb2
from service.api.authority import KnownBy
from service.server.observing import Finished, Metadata

TRACE_PARENT_METADATA: Final = "traceparent"
ERRORS: Final = frozenset(
    ("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"),
)
"""Codes that are the server's fault, as the conventions of OpenTelemetry have it; the others are the caller's."""
_CALLER: Final = "burraco.caller"
_STRANGERS: Final = frozenset((KnownBy.NOTHING.value, KnownBy.SEAT_TOKEN.value))
_LAST_SPANS_SECONDS: Final = 2.0


class Tracing:
    """Makes a span of each call that it is told of."""

    def __init__(self, processor: SpanProcessor, ratio: float, version: str) -> None:
        """Hand the spans to a processor: of the calls that nobody else decides about, this part."""
        resource = Resource.create({"service.name": "burraco", "service.version": version})
        self._provider = TracerProvider(sampler=_Sampling(ratio), resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("burraco", version)
        self._propagator = TraceContextTextMapPropagator()

    def tell(self, finished: Finished) -> None:
        """Make the span of a call, and note its trace for the log."""
        end = time.time_ns()
        span = self._tracer.start_span(
            finished.method[1:],
            context=self._caller_context(finished.metadata),
            kind=SpanKind.SERVER,
            attributes=_attributes(finished),
            start_time=end - finished.nanoseconds,
        )
        if finished.code in ERRORS:
            span.set_status(StatusCode.ERROR)
        span.end(end)
        finished.call.trace_id = format_trace_id(span.get_span_context().trace_id)

    def close(self) -> None:
        """Send what is left, if that does not take long."""
        # The library waits half a minute for a collector that does not answer.
        closing = threading.Thread(target=self._provider.shutdown, name="last-spans", daemon=True)
        closing.start()
        closing.join(_LAST_SPANS_SECONDS)

    def _caller_context(self, metadata: Metadata) -> Context:
        # Of the caller's words the ids of trace and span alone go on: tracestate and baggage may say anything.
        sent = [value for name, value in metadata if name == TRACE_PARENT_METADATA]
        if len(sent) != 1 or not isinstance(sent[0], str):
            return Context()
        return self._propagator.extract({TRACE_PARENT_METADATA: sent[0]}, Context())


def otlp(endpoint: str) -> SpanProcessor:
    """Send spans to a collector, in batches on a thread of its own; what does not fit its queue is dropped."""
    return BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, insecure=endpoint.startswith("http://")))


class _Sampling(Sampler):
    """A back end decides for its own calls; whoever else calls does not decide what is kept here."""

    def __init__(self, ratio: float) -> None:
        self._ratio = TraceIdRatioBased(ratio)
        self._parent_based = ParentBased(self._ratio)

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Decide whether a span is kept."""
        stranger = (attributes or {}).get(_CALLER) in _STRANGERS
        chosen: Sampler = self._ratio if stranger else self._parent_based
        return chosen.should_sample(parent_context, trace_id, name, kind, attributes, links, trace_state)

    def get_description(self) -> str:
        """Describe it."""
        return f"BackEndsDecide{{{self._ratio.get_description()}}}"


def _attributes(finished: Finished) -> Mapping[str, AttributeValue]:
    """Tell what a span may say. As in the log: numbers, names of enums, and what the server itself chose."""
    call = finished.call
    found: dict[str, AttributeValue] = {
        "rpc.system.name": "grpc",
        "rpc.method": finished.method[1:],
        "rpc.response.status_code": finished.code,
        "burraco.request_id": call.request_id,
        _CALLER: call.caller.known_by.value,
        "burraco.rules_microseconds": call.rules_nanoseconds // 1000,
    }
    if finished.messages is not None:
        found["burraco.messages"] = finished.messages
    if finished.code in ERRORS:
        found["error.type"] = finished.code
    if call.game is not None:
        found["burraco.game"] = rules_pb2.Game.Name(call.game)
    if call.phase is not None:
        found["burraco.phase"] = views_pb2.Phase.Name(call.phase)
    if call.reasons:
        found["burraco.reasons"] = [reasons_pb2.Reason.Name(reason) for reason in dict.fromkeys(call.reasons)]
    return found
