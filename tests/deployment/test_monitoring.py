"""Prometheus finds the pods, by its operator or by itself, and has the alerts that are shipped."""

import os
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from scripts.prometheus_rule import ALERTS, RULE, prometheus_rule
from service.server.metrics_port import PATH
from tests.deployment.manifests import KUBERNETES, Manifest, base, base_settings, container, one, pod_labels, render

COMPONENT: Final = KUBERNETES / "components" / "prometheus-operator"
PORT: Final = 9464


@pytest.fixture
def operated(tmp_path: Path) -> list[Manifest]:
    """The overlay for production with the component taken in."""
    overlay = KUBERNETES / "overlays" / "production"
    lines = {
        "resources": [os.path.relpath(overlay, tmp_path)],
        "components": [os.path.relpath(COMPONENT, tmp_path)],
        "namespace": "elsewhere",
    }
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(lines), "utf-8")
    return render(tmp_path)


def test_the_pods_have_a_port_for_metrics() -> None:
    """It is named, listens on the pod's address, and no Service leads to it."""
    assert container(base())["ports"][1] == {"name": "metrics", "containerPort": PORT, "protocol": "TCP"}
    settings = base_settings()
    assert int(settings["BURRACO_METRICS_PORT"]) == PORT
    assert settings["BURRACO_METRICS_HOST"] == settings["BURRACO_HOST"] == "0.0.0.0"
    services = [each for each in base() if each["kind"] == "Service"]
    assert [[port["name"] for port in each["spec"]["ports"]] for each in services] == [["grpc"], ["grpc"]]


def test_the_rules_of_the_operator_are_the_alerts() -> None:
    """They are made, not written, and none is missing or other."""
    assert RULE.read_text("utf-8") == prometheus_rule(), "run 'make prometheus-rule'"
    rule: Manifest = yaml.safe_load(prometheus_rule())
    assert (rule["apiVersion"], rule["kind"]) == ("monitoring.coreos.com/v1", "PrometheusRule")
    assert rule["spec"] == yaml.safe_load(ALERTS.read_text("utf-8"))
    assert rule["spec"].keys() == {"groups"}


def test_the_operator_finds_every_pod_under_the_job_of_the_alerts(operated: list[Manifest]) -> None:
    """The monitor means the Deployment's pods and their port by name, and the job is a label that they have."""
    monitor = one(operated, "PodMonitor")["spec"]
    assert monitor["selector"]["matchLabels"].items() <= pod_labels(operated).items()
    assert pod_labels(operated)[monitor["jobLabel"]] == job_of_the_alerts()
    (endpoint,) = monitor["podMetricsEndpoints"]
    assert endpoint["port"] in [port["name"] for port in container(operated)["ports"]]
    assert endpoint["path"] == PATH
    assert "namespaceSelector" not in monitor  # its own


def test_the_component_goes_where_the_overlay_goes(operated: list[Manifest]) -> None:
    """Its manifests are in the overlay's namespace, labelled for the operator; nothing else is changed by it."""
    added = [each for each in operated if each["apiVersion"] == "monitoring.coreos.com/v1"]
    assert sorted(each["kind"] for each in added) == ["PodMonitor", "PrometheusRule"]
    for each in added:
        assert each["metadata"]["namespace"] == "elsewhere"
        assert each["metadata"]["labels"] == {"release": "prometheus"}
    plain = [in_namespace(each, "elsewhere") for each in render("production")]
    assert [each for each in operated if each not in added] == plain


def in_namespace(manifest: Manifest, namespace: str) -> Manifest:
    """The manifest as it is in another namespace."""
    where = {"name": namespace} if manifest["kind"] == "Namespace" else {"namespace": namespace}
    return manifest | {"metadata": manifest["metadata"] | where}


def test_prometheus_itself_finds_the_same_pods() -> None:
    """Without an operator: the job, the pods and the port of the example are those of the manifests."""
    example = yaml.safe_load((ALERTS.parent / "kubernetes.yaml").read_text("utf-8"))
    assert example["rule_files"] == [ALERTS.name]
    (job,) = example["scrape_configs"]
    assert job["job_name"] == job_of_the_alerts()
    (discovery,) = job["kubernetes_sd_configs"]
    assert discovery["namespaces"] == {"names": [one(base(), "Namespace")["metadata"]["name"]]}
    keep: dict[str, Any] = job["relabel_configs"][0]
    assert keep["source_labels"] == [
        "__meta_kubernetes_pod_label_app_kubernetes_io_name",
        "__meta_kubernetes_pod_container_port_name",
    ]
    (name, port) = keep["regex"].split(";")
    assert name == pod_labels(base())["app.kubernetes.io/name"]
    assert port == container(base())["ports"][1]["name"]


def job_of_the_alerts() -> str:
    """The only job that the alerts look for."""
    found: list[str] = re.findall(r'job="([^"]+)"', ALERTS.read_text("utf-8"))
    (job,) = set(found)
    return job
