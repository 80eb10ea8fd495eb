"""The vectors hold on a real server, and are what their generator writes."""

from collections.abc import Iterator
from typing import Final

import pytest

from burraco_conformance.caller import Channels
from burraco_conformance.run import run
from burraco_conformance.values import Json
from tests.conformance.files import FOLDER, MANIFEST, read_manifest, read_scenario
from tests.conformance.generate.record import record_all
from tests.conformance.server import fresh_server

PATHS: Final = [each["path"] for each in read_manifest()["files"]]
MOST_BYTES: Final = 3 << 20
"""More than this nobody reviews."""


@pytest.fixture(scope="module")
def channels() -> Iterator[Channels]:
    """A server with the manifest's environment."""
    with fresh_server(read_manifest()) as started:
        yield started


@pytest.mark.parametrize("path", PATHS)
def test_vector(path: str, channels: Channels) -> None:
    """Every answer of a scenario is the expected one."""
    failure = run(read_scenario(path), channels, read_manifest()["metadata"])
    assert failure is None, f"{failure}\nAfter a change that is meant: make vectors, and review the diff."


def test_the_files_are_what_the_generator_writes() -> None:
    """Whoever changes a scenario writes the vectors anew; no file was edited by hand, is missing or left over."""
    written = dict(record_all())
    present = {str(file.relative_to(FOLDER)): file for file in (MANIFEST, *(FOLDER / "vectors").rglob("*.json"))}
    assert sorted(written) == sorted(present)
    stale = [path for path, text in written.items() if present[path].read_text("utf-8") != text]
    assert not stale, "make vectors"


def test_the_vectors_can_be_reviewed() -> None:
    """All files together stay small, and every scenario says what it is about."""
    assert sum((FOLDER / path).stat().st_size for path in PATHS) < MOST_BYTES
    for path in PATHS:
        scenario = read_scenario(path)
        assert scenario["about"]
        assert scenario["steps"]


def test_what_is_not_compared_is_little() -> None:
    """What a build may answer differently stands under `any`; what is left out for brevity has its names here."""
    uncompared: set[str] = set()
    ignored: set[str] = set()
    for path in PATHS:
        for step in read_scenario(path)["steps"]:
            uncompared |= {_last(name) for name in step["expect"].get("any", ())}
            ignored |= set(step["expect"].get("ignore", ()))
    tokens = {"seatTokens", "seatTokensExpireTime", "seatToken", "expireTime"}
    assert uncompared == tokens | {"commitment", "matchId", "sealedSeed", "state", "updates"}
    assert ignored == {"accepted.updates", "book", "options"}


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def test_references_are_to_what_was_saved() -> None:
    """Each variable is a literal of its scenario or saved by an earlier step, and each literal is used."""
    for path in PATHS:
        scenario = read_scenario(path)
        known, used = set(scenario.get("variables", {})), set()
        for step in scenario["steps"]:
            names = set(_references([step.get("request"), step.get("metadata")]))
            assert names <= known, f"{path} refers to {names - known}"
            used |= names
            known |= set(step.get("save", {}))
        assert set(scenario.get("variables", {})) <= used, path


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for inner in value:
            yield from _references(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in {"$var", "$bytes", "$text"}:
                yield inner
            else:
                yield from _references(inner)
