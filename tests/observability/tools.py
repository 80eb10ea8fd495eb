"""Prometheus and promtool, which `make prometheus` brings."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.server.processes import ROOT

DEPLOY: Final = ROOT / "deploy" / "prometheus"
DASHBOARD: Final = ROOT / "deploy" / "grafana" / "burraco.json"
REQUIRED: Final = os.environ.get("BURRACO_TEST_TOOLS") == "required"
"""Read before a test starts, which has no such variables any more."""


def tool(name: str) -> str:
    """The path of a tool. Where it is missing the test is skipped, or fails if tools are required."""
    path = os.pathsep.join((str(ROOT / ".venv" / "prometheus" / "usr" / "bin"), os.environ.get("PATH", "")))
    found = shutil.which(name, path=path)
    if found is None:
        missing = f"{name} is not here: run 'make prometheus'"
        if REQUIRED:
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def promtool(*arguments: str, folder: Path = DEPLOY) -> str:
    """Run promtool, which has to be content; what it says."""
    ended = subprocess.run(
        [tool("promtool"), *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr
