"""The native transport: used when asked for, refused where it is missing. `make test-native` runs the rest on it."""

import sys
import threading
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2

from service.server.log import make_log
from service.server.native import TransportError
from service.server.server import start_server
from service.server.settings import Settings
from tests.server.certificates import LOCALHOST, Authority
from tests.server.conftest import Serve
from tests.server.processes import SLOW, Process, run_to_the_end
from tests.server.stub import SECONDS, StubGame, eventually


def native(server: object) -> bool:
    return type(server).__module__.startswith("pygrpc_native")


def test_calls_are_native(serve: Serve) -> None:
    """Unary calls are answered by the native side, whose peers are addresses; watches go on behind it."""
    running = serve(transport="native")
    assert native(running.server._grpc)
    running.get_rules()
    assert running.last_call()["peer"].startswith("ipv4:127.0.0.1:")
    watch = running.health.Watch(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    running.server.stop_serving()
    assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
    assert running.health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.NOT_SERVING


def test_refusals_do_not_wait_for_a_thread(serve: Serve) -> None:
    """With every thread busy and as many calls as may wait, more are refused at once, and health answers."""
    running = serve(transport="native", threads=1, max_concurrent_rpcs=2)
    release = threading.Event()
    plain = running.game.answer

    def wait(request: object, call: object) -> object:
        release.wait(SECONDS)
        return plain(request, call)  # type: ignore[arg-type]  # passes through

    running.game.answer = wait
    request = running.stub.GetRules.future
    from burraco.v1 import game_service_pb2 as pb

    calls = [request(pb.GetRulesRequest(), timeout=SECONDS) for _ in range(2)]
    assert eventually(lambda: running.server.calls_in_progress == 2)
    try:
        failed = running.failure()
        assert failed.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert failed.info.reason == "REASON_OVERLOADED"
        running.health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    finally:
        release.set()
    assert [call.result() for call in calls] == [pb.GetRulesResponse()] * 2


def test_a_missing_package_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for and not installed: a sentence that names the setting and the extra."""
    monkeypatch.setitem(sys.modules, "pygrpc_native", None)
    settings = Settings.model_validate({"development": True, "port": 0, "transport": "native"})
    with pytest.raises(TransportError, match=r"BURRACO_TRANSPORT .* not installed: .* extra `native`"):
        start_server(settings, StubGame(), make_log(sys.stderr, "error", "json"))


def test_a_taken_port_is_said_by_the_native_transport_too() -> None:
    """A port that is taken stops the start with the same sentence."""
    with Process(SLOW, {"test_seconds": "0", "transport": "native"}) as process:
        ended = run_to_the_end(SLOW, development="true", port=str(process.port), transport="native")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("Cannot listen on 127.0.0.1:")


def test_tls_takes_grpcio(serve: Serve, tmp_path: Path) -> None:
    """A server with TLS falls back, and says so."""
    certificate, key = Authority().issue("server", LOCALHOST).write(tmp_path, "server")
    files = {"tls_certificate_file": certificate, "tls_key_file": key}
    running = serve(transport="native", sealing_key="A" * 43 + "=", **files)
    assert not native(running.server._grpc)
    assert "no TLS" in running.events("transport")[0]["advice"]
