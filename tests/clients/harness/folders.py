"""Repositories with clients of a test's own making."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

GENERATE = (
    "import pathlib; pathlib.Path('made').mkdir(exist_ok=True); pathlib.Path('made/code.txt').write_text('{}\\n')"
)


def python(code: str) -> list[str]:
    """A command that runs some Python."""
    return ["$BURRACO_PYTHON", "-c", code]


def printing(*lines: str, code: int = 0) -> list[str]:
    """A command that prints lines, and ends with an exit code."""
    return python("; ".join([*(f"print({line!r})" for line in lines), f"raise SystemExit({code})"]))


def whole(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of the file
    """A manifest with all that it has to have; None leaves a field out."""
    manifest = {
        "name": "Some",
        "generated": ["made"],
        "generate": python(GENERATE.format("fresh")),
        "build": [printing("built")],
        "test": [printing("tested")],
        "example": printing("side 1 won"),
        "conformance": printing("nothing"),
        "transports": ["grpc"],
    }
    return {name: value for name, value in (manifest | fields).items() if value is not None}


def toml(manifest: Mapping[str, Any]) -> str:
    """Write a manifest as TOML, whose strings, numbers and lists are those of JSON."""
    plain = {name: value for name, value in manifest.items() if not isinstance(value, dict)}
    tables = {name: value for name, value in manifest.items() if isinstance(value, dict)}
    lines = [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def make_client(clients: Path, language: str, manifest: Mapping[str, Any], committed: str = "fresh") -> Path:
    """Make a client's folder, with its generated code in it."""
    folder = clients / language
    (folder / "made").mkdir(parents=True)
    (folder / "made" / "code.txt").write_text(f"{committed}\n", "utf-8")
    (folder / "client.toml").write_text(toml(manifest), "utf-8")
    return folder


def make_repository(root: Path) -> Path:
    """Make git know a folder; its clients are in what is given back."""
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("dependencies/\n", "utf-8")
    (root / "clients").mkdir()
    return root / "clients"


PYTHON = sys.executable
