"""What the metrics count, and what they cost nobody."""

import io
import json
import threading
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from prometheus_client.parser import text_string_to_metric_families

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, rules_pb2
from service.api.call import Call
from service.api.errors import CallError, internal, invalid, overloaded, shutting_down
from service.server.log import make_log
from service.server.metrics import SPECS, Metrics
from service.server.metrics_port import MetricsPort
from service.server.observing import Finished, Observers
from service.server.server import start_server
from service.server.settings import Settings, SettingsError
from service.server.telemetry import METHODS, start_telemetry
from tests.api.client import DRAW, KEY, Api
from tests.api.conftest import serving
from tests.server.certificates import Authority
from tests.server.conftest import Serve
from tests.server.processes import REAL, Process, run_to_the_end
from tests.server.stub import SECONDS, StubGame, eventually, raising, refusal
from tests.server.watch import BUILD, Watch, watch_everything

SECRET = "what a message may hold"
CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_metrics_log_and_span_have_the_code_that_the_client_saw(serve: Serve, code: grpc.StatusCode) -> None:
    """Whoever watches sees the code that the client sees, for every code."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.game.answer = raising(CallError(code, reasons_pb2.REASON_FIELD_MISSING, "No."))
    assert running.failure().code is code
    assert running.last_call()["code"] == code.name
    assert watch.value("burraco_calls_total", method="GetRules", code=code.name) == 1
    assert watch.value("burraco_failures_total", reason="REASON_FIELD_MISSING") == 1
    assert [each["rpc.response.status_code"] for each in watch.attributes] == [code.name]


def test_an_answer_that_came_too_late_is_counted_as_such(serve: Serve) -> None:
    """The code of a metric is what the caller saw, not what the servicer meant."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    gate = threading.Event()

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        gate.wait(call.time_left() + 0.05)
        return pb.GetRulesResponse()

    running.game.answer = answer
    assert refusal(lambda: running.get_rules(timeout=0.1)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert eventually(lambda: watch.value("burraco_calls_total", method="GetRules", code="DEADLINE_EXCEEDED") == 1)


def test_a_fault_is_counted_as_internal(serve: Serve) -> None:
    """A fault of the service is a failure with its reason."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.game.answer = raising(RuntimeError("7S"))
    running.failure()
    assert watch.value("burraco_failures_total", reason="REASON_INTERNAL") == 1
    assert watch.value("burraco_calls_total", method="GetRules", code="INTERNAL") == 1


def test_time_in_the_rules_is_apart_from_the_whole() -> None:
    """Each has a histogram of its own; a call without rules adds nothing to the second."""
    metrics = Metrics(METHODS, BUILD)
    metrics.tell(Finished(METHODS[2], "OK", Call(rules_nanoseconds=20_000), (), 300_000))
    metrics.tell(Finished(METHODS[2], "OK", Call(), (), 2_000_000_000))
    rpc = METHODS[2].rpartition("/")[2]

    def value(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(name, {"method": rpc, **labels})

    assert value("burraco_call_seconds_sum") == pytest.approx(2.0003)
    assert value("burraco_call_seconds_count") == 2
    assert value("burraco_call_seconds_bucket", le="0.00025") == 0
    assert value("burraco_call_seconds_bucket", le="0.0005") == 1
    assert value("burraco_rules_seconds_sum") == pytest.approx(0.00002)
    assert value("burraco_rules_seconds_bucket", le="2.5e-05") == 1
    assert value("burraco_rules_seconds_count") == 1


def test_rejections_failures_and_seals_are_counted_by_reason() -> None:
    """An illegal move is a rejection of its game; a broken seal a failure, and a seal failure."""
    watch = Watch()
    with serving(KEY, telemetry=watch.telemetry) as api:
        created = api.create(given_seats=pb.GivenSeats(dealer=3))
        assert api.apply(created.state, 1, DRAW).HasField("rejected")
        assert api.apply(created.state, 1, DRAW).HasField("rejected")
        state = bytearray(created.state)
        state[-1] ^= 1
        api.fail("ApplyMoves", pb.ApplyMovesRequest(state=bytes(state), moves=[DRAW]))
        with serving(bytes(32)) as stranger:
            stranger_state = stranger.create().state
        api.fail("ApplyMoves", pb.ApplyMovesRequest(state=stranger_state, moves=[DRAW]))
        api.fail("CreateMatch", pb.CreateMatchRequest(sealed_seed=b"x" * 60, rules=only_italian()))
        check_against_the_log(watch, api)
    assert watch.value("burraco_rejections_total", game="GAME_BURRACO", reason="REASON_NOT_YOUR_TURN") == 2
    for reason in ("REASON_STATE_SEAL_BROKEN", "REASON_STATE_KEY_UNKNOWN", "REASON_SEED_MALFORMED"):
        assert watch.value("burraco_failures_total", reason=reason) == 1
        assert watch.value("burraco_seal_failures_total", reason=reason) == 1
    assert watch.total("burraco_seal_failures_total") == 3
    assert watch.total("burraco_rejections_total") == 2


def only_italian() -> rules_pb2.RulesSelection:
    return rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN)


def check_against_the_log(watch: Watch, api: Api) -> None:
    """Log, metrics and spans tell of the same calls."""
    lines = api.lines_since(0)
    assert watch.total("burraco_calls_total") == len(lines) == len(watch.spans)
    for line, told in zip(lines, watch.attributes, strict=True):
        assert (line["code"], line["request_id"]) == (told["rpc.response.status_code"], told["burraco.request_id"])


@pytest.mark.usefixtures("patient")
def test_calls_in_progress_and_those_refused_for_being_too_many(serve: Serve) -> None:
    """The gauge tells of calls that run now, and a refusal for overload is counted."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry, max_concurrent_rpcs=2)
    gate = threading.Event()
    service = {"service": "burraco.v1.GameService"}

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    assert watch.value("burraco_calls_in_progress", **service) == 0
    futures = [running.stub.GetRules.future(pb.GetRulesRequest()) for _ in range(2)]
    assert eventually(lambda: watch.value("burraco_calls_in_progress", **service) == 2)
    assert watch.value("burraco_calls_in_progress_limit", **service) == 2
    assert running.failure().code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert watch.value("burraco_overload_refusals_total", method="GetRules") == 1
    gate.set()
    for future in futures:
        future.result()
    assert eventually(lambda: watch.value("burraco_calls_in_progress", **service) == 0)


class Broken:
    """Watches, and always fails."""

    def tell(self, finished: Finished) -> None:
        raise RuntimeError(SECRET)


def test_a_watcher_that_fails_costs_nothing(serve: Serve) -> None:
    """A failing metric fails no call, and keeps nobody else from being told."""
    watch = Watch(more=(Broken(),))
    running = serve(telemetry=watch.telemetry)
    running.get_rules()
    running.game.answer = raising(invalid("a", reasons_pb2.REASON_FIELD_MISSING, "No."))
    assert running.failure().code is grpc.StatusCode.INVALID_ARGUMENT
    assert watch.total("burraco_calls_total") == 2
    assert len(watch.spans) == len(running.events("call")) == 2


def test_a_watcher_that_fails_is_reported_once() -> None:
    """The log tells that a watcher fails and where, without the message, and not for each call."""
    text = io.StringIO()
    observers = Observers((Broken(), Broken()), make_log(text, "info", "json"))
    for _ in range(3):
        observers.tell(Finished(METHODS[0], "OK", Call(), (), 1))
    faults = [json.loads(line) for line in text.getvalue().splitlines()]
    assert [fault["event"] for fault in faults] == ["fault", "fault"]
    assert all("RuntimeError" in fault["trace"] for fault in faults)
    assert SECRET not in text.getvalue()


def test_numbers_that_are_no_names_are_one_series() -> None:
    """What has no name is "other": no request can make series without end."""
    metrics = Metrics(METHODS, BUILD)
    number: Any
    for number in range(9_000, 9_100):
        metrics.tell(Finished(f"/x.Y/Z{number}", "OK", Call(game=number, reasons=[number]), (), 1))
        failed = Call()
        failed.fail([number])
        metrics.tell(Finished(METHODS[0], "INTERNAL", failed, (), 1))
    assert metrics.registry.get_sample_value("burraco_calls_total", {"method": "other", "code": "OK"}) == 100
    labels = {"game": "other", "reason": "other"}
    assert metrics.registry.get_sample_value("burraco_rejections_total", labels) == 100
    assert metrics.registry.get_sample_value("burraco_failures_total", {"reason": "other"}) == 100


def test_each_rpc_has_a_name_of_its_own() -> None:
    """The label has the RPC without its service, so no two services may have one of the same name."""
    assert len({method.rpartition("/")[2] for method in METHODS}) == len(METHODS)


def test_what_may_alert_begins_at_zero() -> None:
    """A rate does not see the first event of a series that begins with it."""
    watch = Watch()
    assert watch.value("burraco_seal_failures_total", reason="REASON_STATE_SEAL_BROKEN") == 0
    assert watch.value("burraco_failures_total", reason="REASON_INTERNAL") == 0
    assert watch.value("burraco_overload_refusals_total", method="ApplyMoves") == 0
    assert watch.value("burraco_calls_total", method="ApplyMoves", code="OK") == 0


def test_the_registry_has_what_is_specified() -> None:
    """Names, kinds and labels are those of the list, and there is a process beside it."""
    watch = watch_everything()
    found = {}
    for family in text_string_to_metric_families(watch.exposition()):
        if family.name.startswith("burraco_"):
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = {label for sample in family.samples for label in sample.labels} - {"le"}
            found[name] = (family.type, labels, family.documentation)
    assert found == {spec.name: (spec.kind, set(spec.labels), spec.meaning) for spec in SPECS}
    assert watch.value("burraco_certificate_expiry_timestamp_seconds") == 4e9
    assert (watch.value("process_resident_memory_bytes") or 0) > 1e6
    assert (watch.value("process_open_fds") or 0) > 0


def ask(port: MetricsPort, path: str, method: str = "GET") -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port.port, timeout=SECONDS)
    connection.request(method, path)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_the_port_serves_metrics_and_nothing_else() -> None:
    """Of all paths there is one, which can be read and nothing more."""
    port = MetricsPort("127.0.0.1", 0, Watch().metrics.registry)
    try:
        status, text = ask(port, "/metrics")
        assert status == 200
        assert "burraco_build_info{" in text
        for path in ("/", "/metrics/", "/metrics/../etc/passwd", "/favicon.ico", "/-/quit"):
            assert ask(port, path)[0] == 404
        assert ask(port, "/metrics", "POST")[0] == 405
        assert ask(port, "/metrics?name[]=burraco_build_info")[0] == 200
    finally:
        port.close()
    with pytest.raises(OSError, match="refused"):
        ask(port, "/metrics")


def test_idle_connections_do_not_keep_prometheus_out() -> None:
    """Connections that say nothing are few, and lose their place after a while."""
    port = MetricsPort("127.0.0.1", 0, Watch().metrics.registry)
    idle = [HTTPConnection("127.0.0.1", port.port, timeout=SECONDS) for _ in range(50)]
    try:
        for connection in idle:
            connection.connect()

        def answered() -> bool:
            try:
                return ask(port, "/metrics")[0] == 200
            except OSError:
                return False

        assert eventually(answered)
    finally:
        for connection in idle:
            connection.close()
        port.close()


def test_a_process_serves_its_metrics() -> None:
    """`python -m service` counts its calls on the port that it announces."""
    with Process(REAL, {"metrics_port": "0"}) as process:
        url = f"http://{process.announced['metrics_host']}:{process.announced['metrics_port']}/metrics"
        process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            assert response.headers["Content-Type"].startswith("text/plain")
            text = response.read().decode()
        families = {family.name: family for family in text_string_to_metric_families(text)}
        counted = {sample.labels["method"]: sample.value for sample in families["burraco_calls"].samples}
        assert counted["ListPresets"] == 1
        (build,) = families["burraco_build_info"].samples
        assert build.labels["state_version_written"] == "1"
        assert build.labels["rules_revision"] == "1"


def test_off_by_default() -> None:
    """Without the setting nothing listens."""
    with Process(REAL, {}) as process:
        assert "metrics_port" not in process.announced


def test_a_port_that_is_taken_stops_the_start() -> None:
    """The sentence names the setting."""
    port = MetricsPort("127.0.0.1", 0, Watch().metrics.registry)
    try:
        ended = run_to_the_end(REAL, development="true", port="0", metrics_port=str(port.port))
    finally:
        port.close()
    assert ended.returncode == 2
    assert "BURRACO_METRICS_PORT" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_taken_port_is_told() -> None:
    """The sentence names it, and the process does not start."""
    log = make_log(io.StringIO(), "info", "json")
    first = MetricsPort("127.0.0.1", 0, Watch().metrics.registry)
    settings = settings_with(metrics_port=first.port)
    with pytest.raises(SettingsError, match=str(first.port)):
        start_telemetry(settings, log)
    first.close()


def settings_with(**settings: object) -> Settings:
    return Settings.model_validate({"development": True, "port": 0, **settings})


def test_the_constructors_of_errors_are_failures_with_one_reason() -> None:
    """Each is counted once, and an overload as such."""
    watch = Watch()
    for error in (overloaded(), shutting_down(), internal("id")):
        call = Call()
        reason: Any = error.reason
        call.fail([reason])
        watch.metrics.tell(Finished(METHODS[0], error.code.name, call, (), 1))
    assert watch.total("burraco_failures_total") == 3
    assert watch.total("burraco_overload_refusals_total") == 1
    # Only the fault was worked on: refusals would make the service seem quick when it is not.
    assert watch.total("burraco_call_seconds_count") == 1


def test_the_certificates_end_is_told(tmp_path: Path) -> None:
    """With TLS there is a series of when the certificate ends; without there is none."""
    certificate, key = Authority().issue("server").write(tmp_path, "server")
    ends = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc.timestamp()
    log = make_log(io.StringIO(), "info", "json")
    with_tls = {"tls_certificate_file": str(certificate), "tls_key_file": str(key)}
    for files, expected in (({}, None), (with_tls, ends)):
        settings = settings_with(metrics_port=0, **files)
        telemetry = start_telemetry(settings, log)
        server = start_server(settings, StubGame(), log, telemetry)
        assert telemetry.metrics is not None
        name = "burraco_certificate_expiry_timestamp_seconds"
        assert telemetry.metrics.registry.get_sample_value(name) == expected
        server.stop(None).wait(SECONDS)
        server.close()
        telemetry.close()


def test_a_thread_that_is_not_to_be_had_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that could not be answered leaves its place to the next."""
    port = MetricsPort("127.0.0.1", 0, Watch().metrics.registry)
    start = threading.Thread.start
    failed: list[threading.Thread] = []

    def refuse(thread: threading.Thread) -> None:
        if len(failed) < 20 and "process_request_thread" in thread.name:
            failed.append(thread)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    try:
        for _ in range(20):
            with pytest.raises(OSError, match=r"reset|closed|without"):
                ask(port, "/metrics")
        assert ask(port, "/metrics")[0] == 200
    finally:
        port.close()
