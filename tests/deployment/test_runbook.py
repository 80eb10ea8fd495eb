"""The lines of docs/kubernetes.md that change the sealing key, run as they stand there."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from service.server.settings import Settings
from tests.deployment.manifests import ROOT, base_settings, read_settings

PAGE: Final = (ROOT / "docs" / "kubernetes.md").read_text("utf-8")
STAND_IN: Final = Path(__file__).parent / "kubectl.py"


def blocks(title: str) -> list[str]:
    """The shell blocks under a heading."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = re.findall(r"^( *)```sh\n(.*?)^ *```", section, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


def run(script: str, folder: Path) -> None:
    """Run a block in a folder, with the stand-in in the place of kubectl."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "STAND_IN_STORE": str(folder / "store")}
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder / "work",
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def first_secret() -> str:
    """The lines that make the keys and the Secret, up to what needs a cluster."""
    (block,) = blocks("First time")
    kept = [line for line in block.splitlines() if re.match(r"umask|openssl|cp |kubectl -n burraco create|rm ", line)]
    return "\n".join(kept)


@pytest.fixture
def steps(tmp_path: Path) -> list[Settings]:
    """What a pod reads that starts after the first time, and after each step of the runbook."""
    if shutil.which("openssl") is None:
        pytest.skip("NOT RUN: there is no openssl on this machine")
    for name in ("bin", "store", "work"):
        (tmp_path / name).mkdir()
    kubectl = tmp_path / "bin" / "kubectl"
    kubectl.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STAND_IN}" "$@"\n', "ascii")
    kubectl.chmod(0o755)
    run(first_secret(), tmp_path)
    shutil.copy(tmp_path / "store" / "secret.json", tmp_path / "store" / "rollout-0.json")
    for block in blocks("Changing the sealing key"):
        run(block, tmp_path)
    assert list((tmp_path / "work").iterdir()) == []  # no key is left lying about
    rollouts = sorted((tmp_path / "store").glob("rollout-*.json"))
    return [read_settings(base_settings(), mount(tmp_path, rollout)) for rollout in rollouts]


def mount(folder: Path, rollout: Path) -> Path:
    """The folder that a pod sees."""
    mounted = folder / rollout.stem
    mounted.mkdir()
    for name, data in json.loads(rollout.read_text("utf-8")).items():
        (mounted / name).write_bytes(base64.b64decode(data))
    return mounted


def test_every_pod_opens_what_its_neighbours_seal(steps: list[Settings]) -> None:
    """While a step is rolled out, pods of before and after it run side by side: each opens what the other seals."""
    assert len(steps) == 4
    for before, after in pairwise(steps):
        assert before.sealing_key_bytes in after.opening_keys_bytes
        assert after.sealing_key_bytes in before.opening_keys_bytes


def test_the_key_has_changed(steps: list[Settings]) -> None:
    """In the second step and no other; at the end the old one is gone, and callers' keys are what they were."""
    old, learnt, promoted, dropped = (step.sealing_key_bytes for step in steps)
    assert old == learnt != promoted == dropped
    assert steps[3].opening_keys_bytes == (promoted,)
    assert set(steps[1].opening_keys_bytes) == set(steps[2].opening_keys_bytes) == {old, promoted}
    assert [len(step.opening_keys_bytes) for step in steps] == [1, 2, 2, 1]
    assert len({step.trust.api_keys for step in steps}) == 1


def test_the_page_agrees_with_the_manifests() -> None:
    """Variables exist, links lead somewhere, and the figures are the manifests'."""
    for variable in re.findall(r"BURRACO_\w+", PAGE):
        assert variable.removeprefix("BURRACO_").lower() in Settings.model_fields
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", PAGE):
        assert (ROOT / "docs" / link).exists()
    settings = base_settings()
    assert f"`BURRACO_DRAIN_SECONDS` {settings['BURRACO_DRAIN_SECONDS']}," in PAGE
    assert f"`BURRACO_GRACE_SECONDS` {settings['BURRACO_GRACE_SECONDS']}:" in PAGE
    assert f"`BURRACO_MAX_CONNECTION_AGE_SECONDS` ({settings['BURRACO_MAX_CONNECTION_AGE_SECONDS']} here)" in PAGE
