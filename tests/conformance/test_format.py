"""The files have the form that README.md describes, and nothing else: other languages read them by that alone."""

import re
from typing import Final

import pytest

from burraco_conformance.caller import answer_message, bytes_of, method_of, to_json
from burraco_conformance.values import Json, steps_of
from tests.conformance.files import FOLDER, read_manifest, read_scenario

README: Final = (FOLDER / "README.md").read_text("utf-8")
SCENARIOS: Final = {each["path"]: read_scenario(each["path"]) for each in read_manifest()["files"]}
REFERENCES: Final = {
    "$var": set(),
    "$bytes": {"xor", "cut", "append"},
    "$text": {"xor", "cut", "append"},
    "$zeros": set(),
}


def described(heading: str) -> set[str]:
    """The words that the table under a heading describes."""
    table = README.split(f"# {heading}\n")[1].split("\n#")[0]
    cells = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize("path", SCENARIOS)
def test_only_what_is_described(path: str) -> None:
    """Every key is in a table of the README."""
    scenario = SCENARIOS[path]
    assert scenario.keys() <= described("A scenario")
    assert set(scenario.get("needs", ())) <= described("What a scenario may need")
    for step in scenario["steps"]:
        assert step.keys() <= described("A step")
        assert ("request" in step) != ("requestBytes" in step)
        expect = step["expect"]
        assert expect.keys() <= described("What is expected") | {"code", "answer", "any", "ignore"}
        assert ("answer" in expect) == (expect["code"] == "OK")
        assert ("requestBytes" in step) <= ("rawRequests" in scenario.get("needs", ()))
        if "requestBytes" in step:
            bytes_of(step["requestBytes"])
        for name in (*expect.get("any", ()), *expect.get("ignore", ()), *step.get("save", {}).values()):
            assert steps_of(name)
        check_references([step.get("request"), step.get("metadata")])


def check_references(value: Json) -> None:
    """Each reference has one of the documented keys, and only the changes that it may have."""
    if isinstance(value, list):
        for inner in value:
            check_references(inner)
    elif isinstance(value, dict):
        kinds = [key for key in value if key.startswith("$")]
        for kind in kinds:
            assert value.keys() <= {kind, *REFERENCES[kind]}
        for key, inner in value.items():
            if not kinds:
                check_references(inner)
            else:
                assert key in README


@pytest.mark.parametrize("path", SCENARIOS)
def test_answers_are_in_the_json_mapping(path: str) -> None:
    """Each expected answer is a response of its RPC as protobuf prints it: reading and printing changes nothing."""
    for step in SCENARIOS[path]["steps"]:
        method = method_of(step["rpc"])
        assert not method.client_streaming
        if step["expect"]["code"] == "OK":
            assert to_json(answer_message(step["rpc"], step["expect"]["answer"])) == step["expect"]["answer"]


def test_the_manifest_is_described() -> None:
    """Its fields are those of the README, and its keys are said to be public."""
    manifest = read_manifest()
    assert manifest.keys() - {"warning"} == described("The manifest")
    assert manifest["format"] == 1
    assert "public" in manifest["warning"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    for each in manifest["files"]:
        assert each["steps"] == len(SCENARIOS[each["path"]]["steps"])
