"""Runs scenarios: each step's request is sent, and the answer compared with what is expected."""

import copy
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from burraco_conformance.caller import Caller, bytes_of
from burraco_conformance.values import Difference, Json, at_path, differences, resolve, take_out, without

TEXTS: Final = frozenset(("text", "meaning", "whenTrue", "whenFalse", "message", "description"))
"""Fields for people: English in the vectors."""


class Failure(NamedTuple):
    """A step whose answer is not what was expected."""

    step: int
    """Its index in the scenario."""
    rpc: str
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        told = "\n".join(f"  {difference}" for difference in self.differences)
        return f"step {self.step}, {self.rpc}:\n{told}"


def run(scenario: Json, caller: Caller, metadata: Mapping[str, str], *, texts: bool = True) -> Failure | None:
    """Run a scenario until its end or its first failure; `metadata` is sent where a step has none of its own."""
    variables: dict[str, str] = dict(scenario.get("variables", {}))
    for at, step in enumerate(scenario["steps"]):
        found = tuple(_run_step(step, caller, metadata, variables, texts=texts))
        if found:
            return Failure(at, step["rpc"], found)
    return None


def _run_step(
    step: Json, caller: Caller, metadata: Mapping[str, str], variables: dict[str, str], *, texts: bool
) -> Iterator[Difference]:
    actual = send(step, caller, metadata, variables)
    expect = step["expect"]
    expected = {key: value for key, value in expect.items() if key not in {"any", "ignore"}}
    if actual["code"] != expect["code"]:
        # A whole answer that did not come, or came in place of a failure, would hide the code and the reason.
        ended, wanted = ({key: value for key, value in each.items() if key != "answer"} for each in (actual, expected))
        yield from differences(wanted, ended)
        return
    compared = copy.deepcopy(actual)
    yield from set_aside(expect, compared)
    if not texts:
        expected, compared = without(expected, TEXTS), without(compared, TEXTS)
    yield from differences(expected, compared)
    yield from keep(step, actual, variables)


def send(step: Json, caller: Caller, metadata: Mapping[str, str], variables: Mapping[str, str]) -> Json:
    """Make the call of a step."""
    sent = resolve(step.get("metadata", metadata), variables)
    raw = bytes_of(step["requestBytes"]) if "requestBytes" in step else None
    return caller.call(step["rpc"], sent, resolve(step.get("request", {}), variables), raw)


def set_aside(expect: Json, outcome: Json) -> Iterator[Difference]:
    """Take out of an outcome what is not compared; what stands under `any` has to be there."""
    if "answer" not in outcome:
        return
    for path in expect.get("any", ()):
        if not take_out(outcome["answer"], path):
            yield Difference(f"answer.{path}", "(anything)", "(absent)")
    for path in expect.get("ignore", ()):
        take_out(outcome["answer"], path)


def keep(step: Json, outcome: Json, variables: dict[str, str]) -> Iterator[Difference]:
    """Save what later steps refer to."""
    for name, path in step.get("save", {}).items():
        try:
            variables[name] = at_path(outcome.get("answer"), path)
        except LookupError:
            yield Difference(f"answer.{path}", f"(something to save as {name})", "(absent)")
