"""docs/openapi.yaml holds for the conformance vectors too: every request and answer of every game."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from service.server.adapter import GAME_SERVICE
from tests.edge.test_json import UNARY
from tests.edge.test_openapi import faults

FOLDER: Final = Path(__file__).parent
MANIFEST: Final[dict[str, Any]] = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
UNARY_NAMES: Final = frozenset(rpc.name for rpc in UNARY)


def steps(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each step of a scenario that is a call of the game's in JSON, with its RPC."""
    scenario = json.loads((FOLDER / path).read_text("utf-8"))
    for step in scenario["steps"]:
        service, _, rpc = step["rpc"].partition("/")
        if service == GAME_SERVICE.full_name and rpc in UNARY_NAMES and "request" in step:
            yield rpc, step


def filled(value: Any) -> Any:  # noqa: ANN401 - any part of a request
    """A request with some text for each reference."""
    if isinstance(value, dict):
        if any(key.startswith("$") for key in value):
            return "AAAA"
        return {key: filled(each) for key, each in value.items()}
    return [filled(each) for each in value] if isinstance(value, list) else value


@cache
def names(rpc: str) -> tuple[str, str]:
    """What the file calls the messages of an RPC."""
    method = GAME_SERVICE.methods_by_name[rpc]
    return method.input_type.name, method.output_type.name


@pytest.mark.parametrize("path", [each["path"] for each in MANIFEST["files"]])
def test_requests_and_answers_are_as_the_file_says(path: str) -> None:
    for rpc, step in steps(path):
        request, answer = names(rpc)
        if step["expect"]["code"] == "OK":
            assert rpc == "ListPresets" or not faults(request, filled(step["request"]))
            assert not faults(answer, step["expect"]["answer"]), step.get("note", rpc)
