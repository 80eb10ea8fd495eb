"""The conformance program: what it prints, and that a wrong answer is a failure."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from burraco_conformance import __main__ as program
from burraco_conformance import match
from scripts.clients.servers import VECTORS, server
from tests.edge.replicas import LOOPBACK, Replica

GIN = "vectors/gin/oklahoma.json"
CALLS = "vectors/calls/not_built.json"


@pytest.fixture(scope="module")
def made() -> Iterator[Replica]:
    """The server of the vectors."""
    with server() as started:
        yield started


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Two scenarios, one of which needs the arbiter."""
    manifest = json.loads((VECTORS / "manifest.json").read_text("utf-8"))
    manifest["files"] = [each for each in manifest["files"] if each["path"] in {GIN, CALLS}]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    for path in (GIN, CALLS):
        (tmp_path / path).parent.mkdir(parents=True)
        shutil.copy(VECTORS / path, tmp_path / path)
    return tmp_path


def run(vectors: Path, made: Replica, *, arbiter: bool = True) -> tuple[int, list[str]]:
    """Run the program in a process of its own; its exit code, and its lines."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BURRACO_")}
    given = {"BURRACO_TARGET": made.address, "BURRACO_VECTORS": str(vectors)}
    if arbiter:
        given["BURRACO_ARBITER_TARGET"] = f"{LOOPBACK}:{made.arbiter_port}"
    command = [sys.executable, "-m", "burraco_conformance"]
    ended = subprocess.run(command, env=kept | given, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode in {0, 1}, ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_it_counts_by_folder(vectors: Path, made: Replica) -> None:
    """A line each, the match's too, and the sum."""
    assert run(vectors, made) == (
        0,
        [
            "calls: 1 passed, 0 failed, 0 skipped",
            "gin: 1 passed, 0 failed, 0 skipped",
            "match: 1 passed, 0 failed, 0 skipped",
            "3 passed, 0 failed, 0 skipped",
        ],
    )


def test_a_difference_is_a_line_and_a_failure(vectors: Path, made: Replica) -> None:
    """With the scenario, the step, the path and both values."""
    scenario = json.loads((vectors / CALLS).read_text("utf-8"))
    scenario["steps"][0]["expect"]["code"] = "OUT_OF_RANGE"
    (vectors / CALLS).write_text(json.dumps(scenario), "utf-8")
    code, lines = run(vectors, made)
    assert code == 1
    told = f"FAILED {CALLS}, step 0, burraco.v1.GameService/SuggestMoves: code: "
    assert lines[0] == f"{told}expected 'OUT_OF_RANGE', actual 'UNIMPLEMENTED'"
    assert lines[1] == "calls: 0 passed, 1 failed, 0 skipped"
    assert lines[-1] == "2 passed, 1 failed, 0 skipped"


def test_without_the_arbiter_what_needs_it_is_skipped(vectors: Path, made: Replica) -> None:
    """With a line that says why."""
    code, lines = run(vectors, made, arbiter=False)
    assert code == 0
    assert lines[0] == f"SKIPPED {GIN}: it needs the arbiter, and BURRACO_ARBITER_TARGET is not set"
    assert lines[-1] == "2 passed, 0 failed, 1 skipped"


def test_what_it_cannot_run_it_does_not_pass(
    vectors: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No address, or vectors of a format that it does not know."""
    monkeypatch.delenv("BURRACO_TARGET", raising=False)
    assert program.main() == 2
    assert "BURRACO_TARGET is not set: `make conformance` sets it." in capsys.readouterr().err
    monkeypatch.setenv("BURRACO_TARGET", "127.0.0.1:1")
    monkeypatch.setenv("BURRACO_VECTORS", str(vectors))
    manifest = json.loads((vectors / "manifest.json").read_text("utf-8")) | {"format": 2}
    (vectors / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert program.main() == 2
    assert "have format 2, and this runner knows 1 alone" in capsys.readouterr().err


def test_a_match_that_fails_or_differs_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody to call, and a way of playing that comes to something else."""
    with pytest.MonkeyPatch.context() as hasty:
        hasty.setattr(match, "SECONDS", 1.0)
        assert program.run_the_match("127.0.0.1:1", None) == "failed"
    assert capsys.readouterr().out.startswith("FAILED match: RulesError: ")
    first, other = match.Played(3, 3, "side 0", b"a"), match.Played(3, 3, "side 0", b"b")

    async def same(_client: object) -> match.Played:
        return first

    monkeypatch.setattr(match, "play", lambda client: first)
    monkeypatch.setattr(match, "play_on_a_stream", lambda client: other)
    monkeypatch.setattr(match, "play_asynchronously", same)
    assert program.run_the_match("127.0.0.1:1", None) == "failed"
    assert capsys.readouterr().out.startswith("FAILED match: stream: expected Played(")
