"""The manifests are valid, and agree with each other, with the settings and with the clients."""

import subprocess
import sys
from importlib.resources import files
from json import loads
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from deploy.image.keys import write_keys
from service.server.settings import PREFIX, Settings
from tests.deployment.manifests import (
    KUBERNETES,
    MOUNTED,
    OVERLAYS,
    Manifest,
    base,
    base_settings,
    container,
    one,
    pod,
    read_settings,
    render,
)

OLDEST: Final = "1.30"  # the docs' own; preStop sleep is as old
PORT: Final = 50051


def validate(manifests: list[Manifest], folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Judge manifests strictly; each in a file, since only the first fault of one is told."""
    for number, manifest in enumerate(manifests):
        (folder / f"{number:02}-{manifest['kind']}.yaml").write_text(yaml.safe_dump(manifest), "utf-8")
    command = [sys.executable, "-m", "kubernetes_validate", "--strict", *options, *map(str, folder.glob("*.yaml"))]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def refusal(ran: "subprocess.CompletedProcess[str]") -> str | None:
    """What is wrong, a warning included; None for nothing."""
    said = ran.stdout + ran.stderr
    return said if ran.returncode or "WARN" in said or "INFO" not in said else None


@pytest.mark.parametrize("options", [("-k", OLDEST), ()], ids=["oldest", "newest"])
def test_the_base_is_valid(options: tuple[str, ...], tmp_path: Path) -> None:
    """Strictly, by the schemas of the oldest Kubernetes that the docs name and the newest that the validator knows."""
    assert f"Kubernetes {OLDEST} or newer" in (KUBERNETES.parents[1] / "docs" / "kubernetes.md").read_text("utf-8")
    assert refusal(validate(base(), tmp_path, *options)) is None


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_are_valid(overlay: str, tmp_path: Path) -> None:
    """As they are applied."""
    assert refusal(validate(render(overlay), tmp_path, "-k", OLDEST)) is None


def test_the_validation_sees_faults(tmp_path: Path) -> None:
    """A wrong type, a misspelt field and an API that is gone are refused: the validator is in earnest."""
    changes: dict[str, Manifest] = {
        "Deployment": {"spec": {**one(base(), "Deployment")["spec"], "replicas": "three"}},
        "PodDisruptionBudget": {"spec": {"maxUnavailabel": 1}},
        "HorizontalPodAutoscaler": {"apiVersion": "autoscaling/v2beta2"},
    }
    for number, (kind, change) in enumerate(changes.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert refusal(validate([{**one(base(), kind), **change}], folder)), kind


def test_settings_are_those_of_the_server(tmp_path: Path) -> None:
    """Every variable exists, and the server takes their values."""
    api_key = write_keys(tmp_path)
    settings = read_settings(base_settings(), tmp_path)
    assert all(name.startswith(PREFIX) for name in base_settings())
    assert settings.trust.api_keys == (api_key,)
    assert not settings.trust.network


def test_the_stop_has_time_enough() -> None:
    """preStop, drain and grace fit before the kill, and readiness fails before new calls are refused."""
    settings, spec, main = base_settings(), pod(base()), container(base())
    drain, grace = float(settings["BURRACO_DRAIN_SECONDS"]), float(settings["BURRACO_GRACE_SECONDS"])
    before = main["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert before > 0
    assert before + drain + grace + 5 <= spec["terminationGracePeriodSeconds"]
    readiness = main["readinessProbe"]
    assert readiness["failureThreshold"] * (readiness["periodSeconds"] + readiness["timeoutSeconds"]) < drain


def test_probes_ask_over_grpc() -> None:
    """All three, of the port that the server has, about the whole server; a slow one is not ended by liveness soon."""
    main = container(base())
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert main[name]["grpc"] == {"port": PORT}
    assert main["ports"][0] == {"name": "grpc", "containerPort": PORT, "protocol": "TCP"}
    assert Settings.model_fields["port"].default == PORT
    assert main["livenessProbe"]["periodSeconds"] * main["livenessProbe"]["failureThreshold"] >= 30


def test_calls_reach_every_pod() -> None:
    """A headless Service of ready pods, connections that end, and clients that go round: no pod gets all calls."""
    headless = one(base(), "Service", "burraco-headless")["spec"]
    assert headless["clusterIP"] == "None"
    assert not headless.get("publishNotReadyAddresses", False)
    labels = one(base(), "Deployment")["spec"]["template"]["metadata"]["labels"]
    for name in ("burraco-headless", "burraco"):
        service = one(base(), "Service", name)["spec"]
        assert service["selector"].items() <= labels.items()
        assert [(port["port"], port["targetPort"]) for port in service["ports"]] == [(PORT, "grpc")]
    assert 0 < int(base_settings()["BURRACO_MAX_CONNECTION_AGE_SECONDS"]) <= 120
    config = loads(files("burraco").joinpath("service_config.json").read_text("utf-8"))
    assert config["loadBalancingConfig"] == [{"round_robin": {}}]


def test_no_service_sets_a_setting() -> None:
    """Kubernetes would set BURRACO_PORT=tcp://… after the Service's name, and the server refuses to start with it."""
    assert pod(base())["enableServiceLinks"] is False
    with pytest.raises(ValueError, match="port"):
        Settings.model_validate({"port": "tcp://10.0.0.1:50051"})


def test_pods_are_confined() -> None:
    """What `restricted` asks for, and a root that cannot be written."""
    spec, main = pod(base()), container(base())
    assert spec["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 10001,
        "runAsGroup": 10001,
        "fsGroup": 10001,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert main["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "runAsNonRoot": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert spec["automountServiceAccountToken"] is False
    assert one(base(), "ServiceAccount")["automountServiceAccountToken"] is False
    assert spec["serviceAccountName"] == one(base(), "ServiceAccount")["metadata"]["name"]
    assert "USER 10001:10001" in (KUBERNETES.parents[1] / "Dockerfile").read_text("utf-8")
    for amounts in main["resources"].values():
        assert set(amounts) == {"cpu", "memory"}


def test_keys_are_files_of_a_secret() -> None:
    """The three settings name files of the mounted Secret; no key is in the environment, none in the manifests."""
    spec, main, settings = pod(base()), container(base()), base_settings()
    (volume,), (mount,) = spec["volumes"], main["volumeMounts"]
    assert volume["secret"]["secretName"] == "burraco-keys"
    assert volume["secret"]["defaultMode"] == 0o440  # of the group, which fsGroup is
    assert volume["secret"]["optional"] is False
    assert mount == {"name": volume["name"], "mountPath": MOUNTED, "readOnly": True}
    secret = {name: value for name, value in settings.items() if "KEY" in name}
    assert set(secret) == {f"{PREFIX}SEALING_KEY_FILE", f"{PREFIX}OPENING_KEYS_FILE", f"{PREFIX}API_KEYS_FILE"}
    assert set(secret.values()) == {f"{MOUNTED}/{key}" for key in ("sealing", "opening", "api")}
    assert "env" not in main
    assert main["envFrom"] == [{"configMapRef": {"name": "burraco-settings"}}]
    assert not [each for each in base() if each["kind"] == "Secret"]


def test_the_network_is_shut_but_for_callers() -> None:
    """Everything is denied; each port is open to the namespaces labelled for it, and nothing goes out."""
    everything = one(base(), "NetworkPolicy", "deny-all")["spec"]
    assert everything == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    policy = one(base(), "NetworkPolicy")["spec"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert "egress" not in policy
    labels = {"grpc": "burraco-client", "metrics": "burraco-monitoring"}
    assert [port["name"] for port in container(base())["ports"]] == list(labels)
    assert policy["ingress"] == [
        {
            "from": [{"namespaceSelector": {"matchLabels": {label: "true"}}}],
            "ports": [{"port": name, "protocol": "TCP"}],
        }
        for name, label in labels.items()
    ]


def test_replicas_are_the_autoscalers() -> None:
    """It has the number alone, its floor lets one pod go and others stay, and selectors mean the same pods."""
    deployment, scaler = one(base(), "Deployment"), one(base(), "HorizontalPodAutoscaler")["spec"]
    budget = one(base(), "PodDisruptionBudget")["spec"]
    assert "replicas" not in deployment["spec"]
    assert scaler["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "burraco"}
    assert scaler["minReplicas"] > budget["maxUnavailable"] + 1
    # A pod is one process on one core: pods are added long before that one is full and calls are refused.
    assert "BURRACO_PROCESSES" not in base_settings()
    (cpu,) = scaler["metrics"]
    requested = float(container(base())["resources"]["requests"]["cpu"].removesuffix("m"))
    assert cpu["resource"]["target"]["averageUtilization"] / 100 * requested <= 500
    selectors: list[Any] = [deployment["spec"]["selector"], budget["selector"]]
    selectors += [each["labelSelector"] for each in pod(base())["topologySpreadConstraints"]]
    assert all(selector == selectors[0] for selector in selectors)
    spread = {each["topologyKey"] for each in pod(base())["topologySpreadConstraints"]}
    assert spread == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_an_overlay_is_in_a_namespace_of_its_own(overlay: str) -> None:
    """Everything is in the namespace that the overlay makes, which is held to `restricted`; none is `default`."""
    rendered = render(overlay)
    (namespace,) = [each for each in rendered if each["kind"] == "Namespace"]
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert {each["metadata"]["namespace"] for each in rendered if each["kind"] != "Namespace"} == {
        namespace["metadata"]["name"]
    }
    assert namespace["metadata"]["name"] != "default"


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_an_overlay_confines_as_the_base_does(overlay: str, tmp_path: Path) -> None:
    """No overlay takes a guard away; its settings are the server's, and change the pods when they change."""
    rendered = render(overlay)
    assert pod(rendered)["securityContext"] == pod(base())["securityContext"]
    assert container(rendered)["securityContext"] == container(base())["securityContext"]
    assert pod(rendered)["enableServiceLinks"] is False
    settings = one(rendered, "ConfigMap", "burraco-settings-")
    assert base_settings().keys() <= settings["data"].keys()
    write_keys(tmp_path)
    read_settings(settings["data"], tmp_path)
    assert container(rendered)["envFrom"] == [{"configMapRef": {"name": settings["metadata"]["name"]}}]


def test_production_keeps_what_the_base_promises() -> None:
    """Autoscaler, budget and a real image; dev has one pod and neither."""
    rendered = render("production")
    assert {each["kind"] for each in base()} < {each["kind"] for each in rendered}
    assert container(rendered)["image"].startswith("registry.example.com/burraco:")
    assert container(rendered)["imagePullPolicy"] == "Always"
    small = render("dev")
    assert not {"HorizontalPodAutoscaler", "PodDisruptionBudget"} & {each["kind"] for each in small}
    assert one(small, "Deployment")["spec"]["replicas"] == 1
