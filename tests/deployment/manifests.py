"""The manifests, rendered where there is a kubectl, as they are written otherwise."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from service.server.settings import PREFIX, Settings

ROOT: Final = Path(__file__).parents[2]
KUBERNETES: Final = ROOT / "deploy" / "kubernetes"
OVERLAYS: Final = tuple(sorted(path.parent.name for path in KUBERNETES.glob("overlays/*/kustomization.yaml")))
Manifest = dict[str, Any]
MOUNTED: Final = "/etc/burraco/keys"


def base() -> list[Manifest]:
    """Every manifest of the base, as it is written."""
    return list(_base())


def _base() -> Iterator[Manifest]:
    listed = yaml.safe_load((KUBERNETES / "base" / "kustomization.yaml").read_text("utf-8"))["resources"]
    for name in listed:
        yield from yaml.safe_load_all((KUBERNETES / "base" / name).read_text("utf-8"))


def render(overlay: str | Path) -> list[Manifest]:
    """An overlay, or any folder with a kustomization, as it would be applied."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("NOT RENDERED: there is no kubectl on this machine")
    command = [kubectl, "kustomize", str(KUBERNETES / "overlays" / overlay)]  # a whole path stays what it is
    rendered = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert rendered.returncode == 0, rendered.stderr
    assert "Warning" not in rendered.stderr
    return list(yaml.safe_load_all(rendered.stdout))


def one(manifests: list[Manifest], kind: str, name: str = "burraco") -> Manifest:
    """The only manifest of a kind whose name begins so; names of generated ones end in a hash."""
    (found,) = [each for each in manifests if each["kind"] == kind and _is_called(each["metadata"]["name"], name)]
    return found


def _is_called(found: str, name: str) -> bool:
    return found == name or (name.endswith("-") and found.startswith(name))


def pod(manifests: list[Manifest]) -> Manifest:
    """The spec of the Deployment's pods."""
    spec: Manifest = one(manifests, "Deployment")["spec"]["template"]["spec"]
    return spec


def pod_labels(manifests: list[Manifest]) -> dict[str, str]:
    """The labels of the Deployment's pods."""
    labels: dict[str, str] = one(manifests, "Deployment")["spec"]["template"]["metadata"]["labels"]
    return labels


def container(manifests: list[Manifest]) -> Manifest:
    """The only container of a pod."""
    (found,) = pod(manifests)["containers"]
    result: Manifest = found
    return result


def base_settings() -> dict[str, str]:
    """The settings of the base, by variable."""
    lines = (KUBERNETES / "base" / "settings.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def read_settings(variables: dict[str, str], keys: Path) -> Settings:
    """What the server makes of a pod's variables, with a folder of keys in the place of the mounted one."""
    values = {name.removeprefix(PREFIX).lower(): value.replace(MOUNTED, str(keys)) for name, value in variables.items()}
    assert values.keys() <= Settings.model_fields.keys()
    return Settings.model_validate(values)
