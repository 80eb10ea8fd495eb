"""Alert rules and dashboard: what they ask for exists, and promtool finds nothing wrong with either."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from burraco.v1 import reasons_pb2
from service.server.metrics import SPECS
from service.server.telemetry import METHODS
from tests.observability import tools
from tests.observability.tools import DASHBOARD, DEPLOY, promtool
from tests.server.processes import ROOT
from tests.server.watch import watch_everything

ALERTS: Final = (DEPLOY / "alerts.yaml").read_text("utf-8")
UNIT_TESTS: Final = (DEPLOY / "alerts_test.yaml").read_text("utf-8")
METRIC: Final = re.compile(r"\b(?:burraco|process|python|go)_[a-z_]+\b")
SELECTOR: Final = re.compile(r"\b(burraco_[a-z_]+)\{([^}]*)\}")
MATCHER: Final = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"')
NAMES: Final = tuple(re.findall(r"alert: (\w+)", ALERTS))
BY_PROMETHEUS: Final = {"instance", "job"}


def expressions_of_alerts() -> Iterator[str]:
    """The expression of each alert, those of several lines too."""
    for block in ALERTS.split("- alert: ")[1:]:
        expression = re.search(r"expr: (?:\|\n)?(.*?)\n +(?:for|labels):", block, re.DOTALL)
        assert expression, block
        yield expression[1]


def expressions_of_dashboard() -> Iterator[str]:
    def walk(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in {"expr", "query"} and isinstance(inner, str) and "_" in inner:
                    yield inner
                else:
                    yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    yield from walk(json.loads(DASHBOARD.read_text("utf-8")))


EXPRESSIONS: Final = (*expressions_of_alerts(), *expressions_of_dashboard())


def samples() -> set[str]:
    """Names of all samples that a process tells, once everything has happened."""
    families = text_string_to_metric_families(watch_everything().exposition())
    return {sample.name for family in families for sample in family.samples}


def test_the_measure_finds_expressions() -> None:
    """The tests below look at something."""
    assert len(list(expressions_of_alerts())) == len(NAMES) == 19
    assert len(list(expressions_of_dashboard())) > 25
    assert len({name for text in EXPRESSIONS for name in METRIC.findall(text)}) > 12


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_metric_asked_for_exists(expression: str) -> None:
    """A dashboard or an alert on a metric that is not there shows nothing, for ever."""
    names = set(METRIC.findall(re.sub(r'"[^"]*"', "", expression)))
    names -= {name for spec in SPECS for name in spec.labels}
    assert names or "up{" in expression
    assert names <= samples()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_label_asked_for_exists(expression: str) -> None:
    """Labels are those of the metric, and methods, codes and reasons such as there are."""
    labels_of = {spec.name: {*spec.labels, "le"} for spec in SPECS}
    rpcs = {method.rpartition("/")[2] for method in METHODS}
    for metric, matchers in SELECTOR.findall(expression):
        for label, value in MATCHER.findall(matchers):
            assert label in labels_of[metric.removesuffix("_bucket")] | BY_PROMETHEUS, (metric, label)
            if "$" in value or not value:
                continue
            known = {"reason": set(reasons_pb2.Reason.keys()), "method": rpcs}.get(label)
            if known is not None:
                pattern = re.compile(value)
                for alternative in value.split("|") if "(" not in value else [value]:
                    assert any(re.fullmatch(alternative, name) for name in known), (label, alternative)
                assert any(pattern.fullmatch(name) for name in known)


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    """What is measured is looked at."""
    shown = "\n".join(expressions_of_dashboard())
    assert [spec.name for spec in SPECS if spec.name not in shown] == []


def test_every_alert_has_unit_tests_and_a_line_in_the_docs() -> None:
    """Each fires in one test and is silent in another, and somebody is told what to do."""
    docs = (ROOT / "docs" / "observability.md").read_text("utf-8")
    well, _, ill = UNIT_TESTS.partition("- name: a server that does not answer")
    for name in NAMES:
        assert f"alertname: {name}}}" in well
        assert name in ill
        assert f"`{name}`" in docs


def test_promtool_is_content() -> None:
    """Syntax of rules and configuration, and the unit tests of the rules."""
    assert f"{len(NAMES)} rules found" in promtool("check", "rules", "alerts.yaml")
    assert "1 rule files found" in promtool("check", "config", "prometheus.yaml")
    assert "SUCCESS" in promtool("test", "rules", "alerts_test.yaml")


def test_promtool_is_content_with_the_example_for_kubernetes(tmp_path: Path) -> None:
    """Debian's Prometheus is built without the discovery of pods, so all but that is checked here."""
    example = yaml.safe_load((DEPLOY / "kubernetes.yaml").read_text("utf-8"))
    for job in example["scrape_configs"]:
        assert job.pop("kubernetes_sd_configs")
        job["static_configs"] = [{"targets": ["127.0.0.1:9464"]}]
    (tmp_path / "kubernetes.yaml").write_text(yaml.safe_dump(example), "utf-8")
    (tmp_path / "alerts.yaml").write_text(ALERTS, "utf-8")
    assert "1 rule files found" in promtool("check", "config", "kubernetes.yaml", folder=tmp_path)


def test_a_wrong_alert_is_found(tmp_path: Path) -> None:
    """The measure itself: a rule that does not do what its test says fails."""
    for name in ("alerts.yaml", "alerts_test.yaml"):
        text = (DEPLOY / name).read_text("utf-8")
        assert "> 0.8" in text or name == "alerts_test.yaml"
        (tmp_path / name).write_text(text.replace("> 0.8", "> 8.0"), "utf-8")
    with pytest.raises(AssertionError, match="BurracoNearlyFull"):
        promtool("test", "rules", "alerts_test.yaml", folder=tmp_path)


def test_the_dashboards_queries_are_well_formed(tmp_path: Path) -> None:
    """Each query is one that Prometheus reads, with Grafana's variables filled in."""
    lines = ["groups:", "  - name: dashboard", "    rules:"]
    for number, expression in enumerate(expressions_of_dashboard()):
        if expression.startswith("label_values("):
            continue
        filled = expression.replace("$__rate_interval", "5m").replace("$instance", ".*").replace("$method", ".*")
        lines += [f"      - record: query:{number}", f"        expr: {json.dumps(filled)}"]
    (tmp_path / "dashboard.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    promtool("check", "rules", "dashboard.yaml", folder=tmp_path)


def test_the_dashboard_is_whole() -> None:
    """Panels have numbers of their own, lie side by side, and say what they show."""
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells
        assert panel["title"]
        assert panel["type"] == "row" or all(target["expr"] for target in panel["targets"])


def test_a_tool_that_is_missing_is_no_silent_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a skip that says what to do, and a failure where tools are required."""
    monkeypatch.setattr(tools, "REQUIRED", False)
    with pytest.raises(pytest.skip.Exception, match="make prometheus"):
        tools.tool("no-such-tool")
    monkeypatch.setattr(tools, "REQUIRED", True)
    with pytest.raises(pytest.fail.Exception, match="make prometheus"):
        tools.tool("no-such-tool")
