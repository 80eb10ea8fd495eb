"""A real Prometheus with the shipped configuration looks at a real server: series are there, and alerts fire."""

import json
import re
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from burraco.v1 import game_service_pb2 as pb
from tests.observability.tools import DEPLOY, tool
from tests.server.processes import SLOW, Process
from tests.server.stub import SECONDS, eventually, refusal


class Prometheus:
    """One that runs."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}"

    def get(self, path: str, **query: str) -> Any:  # noqa: ANN401 - JSON
        url = f"{self._url}{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            return json.load(response)["data"]

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._url}/-/ready", timeout=SECONDS):
                return True
        except OSError:
            return False

    def value(self, query: str) -> float:
        """The value of the only series of a query; 0 where there is none."""
        result = self.get("/api/v1/query", query=query)["result"]
        return float(result[0]["value"][1]) if result else 0.0

    def firing(self) -> set[str]:
        alerts = self.get("/api/v1/alerts")["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}


@contextmanager
def prometheus(folder: Path, metrics_port: int) -> Iterator[Prometheus]:
    """Prometheus with the shipped files, in a hurry: it looks every second, and no alert waits longer than one."""
    config = (DEPLOY / "prometheus.yaml").read_text("utf-8")
    assert "127.0.0.1:9464" in config
    config = config.replace("127.0.0.1:9464", f"127.0.0.1:{metrics_port}").replace("interval: 15s", "interval: 1s")
    alerts = re.sub(r"for: \d+[mh]", "for: 1s", (DEPLOY / "alerts.yaml").read_text("utf-8"))
    (folder / "prometheus.yaml").write_text(config, "utf-8")
    (folder / "alerts.yaml").write_text(alerts, "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [tool("prometheus"), "--config.file=prometheus.yaml", "--storage.tsdb.path=data"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)
    try:
        found = Prometheus(port)
        assert eventually(found.is_ready), (folder / "log").read_text("utf-8")
        yield found
    finally:
        process.kill()
        process.wait(SECONDS)


def test_prometheus_sees_the_server_its_overload_and_its_end(tmp_path: Path) -> None:
    """The series of a call are there; the alert of an overloaded server fires, and that of one that is gone."""
    settings = {"metrics_port": "0", "max_concurrent_rpcs": "1", "threads": "1", "test_seconds": "60"}
    with (
        Process(SLOW, settings) as process,
        prometheus(tmp_path, process.announced["metrics_port"]) as found,
    ):
        process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS)
        assert eventually(lambda: found.value('up{job="burraco"}') == 1)
        assert eventually(lambda: found.value('burraco_calls_total{method="ListPresets", code="OK"}') == 1)
        assert found.value("burraco_calls_in_progress_limit") == 1
        assert found.value("count(burraco_build_info)") == 1
        assert eventually(lambda: not found.firing()), found.firing()  # before its first look it knows of none

        waiting = process.stub.GetRules.future(pb.GetRulesRequest(), timeout=SECONDS * 3)
        assert process.read_line() == "working"
        assert eventually(lambda: found.value("burraco_calls_in_progress") == 1)

        def overloaded() -> bool:
            refusal(lambda: process.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS))
            return found.firing() >= {"BurracoOverloaded", "BurracoNearlyFull", "BurracoErrors"}

        assert eventually(overloaded), found.firing()
        waiting.cancel()
        assert "BurracoDown" not in found.firing()
        process.kill()
        assert eventually(lambda: "BurracoDown" in found.firing())
