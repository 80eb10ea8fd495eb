"""Traces: what a span says, whose trace it is of, and that no call ends otherwise for it."""

import random
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext, SpanKind, StatusCode, format_span_id, format_trace_id

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, rules_pb2, views_pb2
from service.api.call import Call
from service.api.errors import CallError
from service.server import telemetry
from service.server.observing import Finished
from service.server.settings import Settings, SettingsError
from service.server.telemetry import METHODS
from service.server.tracing import ERRORS, TRACE_PARENT_METADATA
from tests.api.client import DRAW, EVERYONE, ITALIAN, KEY, choose, expand
from tests.api.conftest import serving
from tests.api.test_log_lines import CARD, NAMED, assert_absent
from tests.server.conftest import Serve
from tests.server.processes import REAL, Process, run_to_the_end
from tests.server.stub import SECONDS, eventually, raising
from tests.server.watch import Watch

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SAMPLED = f"00-{TRACE}-{PARENT}-01"
UNSAMPLED = f"00-{TRACE}-{PARENT}-00"
MAY_SAY = {
    *("rpc.system.name", "rpc.method", "rpc.response.status_code", "error.type"),
    *("burraco.request_id", "burraco.caller", "burraco.rules_microseconds"),
    *("burraco.game", "burraco.phase", "burraco.reasons", "burraco.messages"),
}
"""What a span may say. It grows by somebody's decision alone."""


def context_of(span: ReadableSpan) -> SpanContext:
    context = span.get_span_context()
    assert context is not None
    return context


def test_a_span_tells_of_its_call(serve: Serve) -> None:
    """Method, code, game, phase, reasons and times are there, as names."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        with call.rules_time():
            time.sleep(0.002)
        call.note(game=rules_pb2.GAME_BURRACO, phase=views_pb2.PHASE_DRAW)
        call.note(reasons=[reasons_pb2.REASON_PILE_EMPTY, reasons_pb2.REASON_PILE_EMPTY])
        return pb.GetRulesResponse()

    running.game.answer = answer
    before = time.time_ns()
    running.get_rules(metadata=[("x-request-id", "table-7")])
    assert eventually(lambda: watch.spans)
    (span,) = watch.spans
    (attributes,) = watch.attributes
    assert attributes.pop("burraco.rules_microseconds") >= 2000
    assert attributes == {
        "rpc.system.name": "grpc",
        "rpc.method": "burraco.v1.GameService/GetRules",
        "rpc.response.status_code": "OK",
        "burraco.request_id": "table-7",
        "burraco.caller": "network",
        "burraco.game": "GAME_BURRACO",
        "burraco.phase": "PHASE_DRAW",
        "burraco.reasons": ("REASON_PILE_EMPTY",),
    }
    assert (span.name, span.kind, span.parent) == ("burraco.v1.GameService/GetRules", SpanKind.SERVER, None)
    assert span.status.status_code is StatusCode.UNSET
    assert span.start_time is not None
    assert span.end_time is not None
    assert before <= span.start_time < span.start_time + 2_000_000 <= span.end_time <= time.time_ns()
    assert span.resource.attributes["service.name"] == "burraco"
    assert running.last_call()["trace_id"] == format_trace_id(context_of(span).trace_id)


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_a_span_is_an_error_where_the_server_is_to_blame(serve: Serve, code: grpc.StatusCode) -> None:
    """A caller's mistake is no error of this span, as the conventions of OpenTelemetry have it."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.game.answer = raising(CallError(code, reasons_pb2.REASON_FIELD_MISSING, "No."))
    running.failure()
    (span,) = watch.spans
    to_blame = code.name in ERRORS
    assert span.status.status_code is (StatusCode.ERROR if to_blame else StatusCode.UNSET)
    assert (span.attributes or {}).get("error.type") == (code.name if to_blame else None)
    assert span.status.description is None
    assert not span.events


def test_a_callers_trace_goes_on(serve: Serve) -> None:
    """The span is a child of the caller's, whose trace the log names too."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.get_rules(metadata=[(TRACE_PARENT_METADATA, SAMPLED), ("tracestate", "a=7S"), ("baggage", "b=7S")])
    assert eventually(lambda: watch.spans)
    (span,) = watch.spans
    assert span.parent is not None
    assert format_trace_id(context_of(span).trace_id) == TRACE
    assert format_span_id(span.parent.span_id) == PARENT
    assert running.last_call()["trace_id"] == TRACE
    assert "7S" not in span.to_json()


@pytest.mark.parametrize(
    "metadata",
    [
        [(TRACE_PARENT_METADATA, "00-nonsense-01")],
        [(TRACE_PARENT_METADATA, "")],
        [(TRACE_PARENT_METADATA, f"00-{'0' * 32}-{PARENT}-01")],
        [(TRACE_PARENT_METADATA, f"ff-{TRACE}-{PARENT}-01")],
        [(TRACE_PARENT_METADATA, SAMPLED + "x" * 5_000)],
    ],
)
def test_a_trace_that_is_none_begins_a_new_one(serve: Serve, metadata: list[tuple[str, str]]) -> None:
    """What cannot be read is left alone, and the call is none the worse."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.get_rules(metadata=metadata)
    assert eventually(lambda: watch.spans)
    assert watch.spans[0].parent is None
    assert running.last_call()["trace_id"] != TRACE


@pytest.mark.parametrize("values", [(SAMPLED, UNSAMPLED), (SAMPLED.encode(),)])
def test_two_traces_are_none(values: tuple[str | bytes, ...]) -> None:
    """Where a transport hands on two of them, or something that is no text, neither is the caller's."""
    watch = Watch()
    metadata = [(TRACE_PARENT_METADATA, value) for value in values]
    watch.telemetry.observers.tell(Finished(METHODS[0], "OK", Call(), metadata, 1))
    assert watch.spans[0].parent is None


def test_a_back_end_decides_whether_its_calls_are_traced(serve: Serve) -> None:
    """Its flag goes before the ratio, both ways; where it says nothing the ratio decides."""
    for ratio, expected in ((0.0, {"sampled"}), (1.0, {"sampled", "alone"})):
        watch = Watch(ratio)
        running = serve(telemetry=watch.telemetry)
        running.get_rules(metadata=[(TRACE_PARENT_METADATA, SAMPLED), ("x-request-id", "sampled")])
        running.get_rules(metadata=[(TRACE_PARENT_METADATA, UNSAMPLED), ("x-request-id", "unsampled")])
        running.get_rules(metadata=[("x-request-id", "alone")])
        assert {told["burraco.request_id"] for told in watch.attributes} == expected
        assert len(running.events("call")) == 3
        assert all(line["trace_id"] for line in running.events("call"))


def test_a_seat_does_not_decide_what_is_kept() -> None:
    """A player's device can neither have its calls traced, nor keep them from it."""
    token = issue_token()
    never, always = Watch(0.0), Watch(1.0)
    for watch in (never, always):
        with serving(KEY, telemetry=watch.telemetry) as api:
            for flag in (SAMPLED, UNSAMPLED):
                metadata = {TRACE_PARENT_METADATA: flag, "burraco-seat-token": token}
                assert api.send("ListPresets", b"", **metadata).code is grpc.StatusCode.OK
            metadata = {TRACE_PARENT_METADATA: UNSAMPLED, "burraco-seat-token": "nonsense"}
            assert api.send("ListPresets", b"", **metadata).code is grpc.StatusCode.UNAUTHENTICATED
    assert never.spans == ()
    assert [told["burraco.caller"] for told in always.attributes] == ["seat", "seat", "unknown"]


def issue_token() -> str:
    with serving(KEY) as api:
        return api.create().seat_tokens[0]


def test_no_metric_and_no_span_tells_what_was_played() -> None:
    """Through part of a match, with refusals and failures, nothing of cards, states, seeds and tokens is told."""
    watch = Watch()
    with serving(KEY, telemetry=watch.telemetry) as api:
        committed = api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS)
        request = pb.CreateMatchRequest(rules=ITALIAN, sealed_seed=committed.sealed_seed, viewers=EVERYONE)
        created = api.stub.CreateMatch(request, timeout=SECONDS)
        state, seat, states, rng = created.state, created.updates[0].view.turn, [created.state], random.Random(3)
        for _ in range(40):
            legal = api.legal(state, seat)
            assert expand(legal)
            api.apply(state, (seat + 1) % 4, DRAW)
            api.fail("GetView", pb.GetViewRequest(state=state[:-1], viewer=EVERYONE[0]))
            accepted = api.apply(state, seat, choose(legal, rng)).accepted
            state, seat = accepted.state, accepted.turn
            states.append(state)
        metadata = {"burraco-seat-token": created.seat_tokens[0], "burraco-api-key": "k" * 32}
        api.send("GetView", pb.GetViewRequest(state=state, viewer=EVERYONE[0]).SerializeToString(), **metadata)
        told = watch.exposition() + "".join(span.to_json() for span in watch.spans)
        contents = [api.sealer.open(each, format_of_states(), "state") for each in states]
    assert_absent(told, [KEY, committed.sealed_seed, created.match_id, *states, *contents])
    assert not [token for token in created.seat_tokens if token in told]
    assert "k" * 32 not in told
    for attributes in watch.attributes:
        assert attributes.keys() <= MAY_SAY
        values = " ".join(str(value) for name, value in attributes.items() if name != "burraco.request_id")
        assert not CARD.search(values)
        assert not NAMED.search(values.replace("ListLegalMoves", "").replace("CommitSeed", "").replace("STATE", ""))


def format_of_states() -> Any:  # noqa: ANN401 - an enum of the wire
    from service.wire.sealing import Format

    return Format.STATE


# --- to a collector ---


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Keeps the spans that are sent to it."""

    def __init__(self) -> None:
        self.spans: list[Any] = []

    def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 - its stubs have no types
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)
        return trace_service_pb2.ExportTraceServiceResponse()


@contextmanager
def collecting() -> Iterator[tuple[Collector, int]]:
    """A collector on loopback, and its port."""
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(2), options=[("grpc.so_reuseport", 0)])
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield collector, port
    finally:
        server.stop(None).wait(SECONDS)


def test_a_process_sends_its_spans_before_it_ends() -> None:
    """`python -m service` sends a span for each call by OTLP, the last ones when it is told to stop."""
    with collecting() as (collector, port), Process(REAL, {"tracing": f"http://127.0.0.1:{port}"}) as process:
        for number in range(20):
            metadata = (("x-request-id", f"id-{number}"), (TRACE_PARENT_METADATA, SAMPLED))
            process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS, metadata=metadata)
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        assert len(collector.spans) == 20
        assert {span.trace_id.hex() for span in collector.spans} == {TRACE}
        sent = {attribute.key: attribute.value.string_value for attribute in collector.spans[-1].attributes}
        assert sent["rpc.method"] == "burraco.v1.GameService/ListPresets"
        assert sent["burraco.request_id"] == "id-19"
    assert {line["trace_id"] for line in process.events("call")} == {TRACE}


def test_a_collector_that_is_not_there_costs_no_call_and_no_clean_end() -> None:
    """Calls are answered, and the process ends soon and in order, though nobody takes its spans."""
    with Process(REAL, {"tracing": "http://127.0.0.1:9"}) as process:
        process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
        began = time.monotonic()
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        assert time.monotonic() - began < 10
    assert process.events("stopped")
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize(
    "wrong", ["localhost", "ftp://a:1", "http://user:secret@a:1", "http://a:1/v1/traces", "http://"]
)
def test_an_address_that_is_none_stops_the_start(wrong: str) -> None:
    """The sentence names the setting, and not what it holds: it may hold a password."""
    ended = run_to_the_end(REAL, development="true", port="0", tracing=wrong)
    assert ended.returncode == 2
    assert "BURRACO_TRACING" in ended.stderr
    assert "secret" not in ended.stderr


def test_off_is_off() -> None:
    """It can be said as a word, where a variable cannot be unset."""
    settings = Settings.model_validate({"development": True, "tracing": "off"})
    assert settings.tracing_endpoint is None


def test_without_the_extra_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting alone does not bring the library."""
    monkeypatch.delitem(sys.modules, "service.server.tracing", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    settings = Settings.model_validate({"development": True, "tracing": "http://127.0.0.1:9"})
    with pytest.raises(SettingsError, match=r"BURRACO_TRACING.*burraco-service\[tracing\]"):
        telemetry.start_telemetry(settings, None)  # type: ignore[arg-type]
