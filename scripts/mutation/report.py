"""What a run found: the score by package, and the survivors that nobody has looked at."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

EQUIVALENT: Final = "equivalent"
ACCEPTED: Final = Path(__file__).with_name("accepted.toml")


class Result(NamedTuple):
    """How one mutant fared."""

    key: str
    file: str
    package: str
    line: int
    status: str
    by: str
    tests: int
    """How many tests were to be run."""
    cut: bool
    """Whether there were more that the budget left out."""


class Accepted(NamedTuple):
    """A survivor that was looked at."""

    kind: str
    """`equivalent`: nothing that can be seen from outside changes; `unimportant`: no rule does."""
    why: str


def read_results(path: Path) -> list[Result]:
    """Read the results of a run, the last of each mutant."""
    if not path.exists():
        return []
    found = (Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines())
    return list({result.key: result for result in found}.values())


def read_accepted(path: Path = ACCEPTED) -> dict[str, Accepted]:
    """Read the survivors that were looked at, by the keys of the mutants."""
    groups = tomllib.loads(path.read_text("utf-8"))["survivors"]
    return {key: Accepted(group["kind"], group["why"]) for group in groups for key in group["mutants"]}


def report(results: list[Result], accepted: dict[str, Accepted]) -> str:
    """Write the table, and the survivors that are not accepted."""
    return "\n".join(_report(results, accepted))


def _report(results: list[Result], accepted: dict[str, Accepted]) -> Iterator[str]:
    yield "| package | mutants | killed | survived | of these equivalent | score | score without the equivalent |"
    yield "| --- | --: | --: | --: | --: | --: | --: |"
    packages = [*sorted({result.package for result in results}), ""]
    for package in packages:
        those = [result for result in results if package in ("", result.package)]
        survived = [result for result in those if result.status == "survived"]
        equal = [result for result in survived if result.key in accepted and accepted[result.key].kind == EQUIVALENT]
        killed = len(those) - len(survived)
        yield (
            f"| {package or 'all'} | {len(those)} | {killed} | {len(survived)} | {len(equal)} "
            f"| {_percent(killed, len(those))} | {_percent(killed, len(those) - len(equal))} |"
        )
    new = [result for result in results if result.status == "survived" and result.key not in accepted]
    if new:
        yield ""
        yield "Survivors to look at:"
        yield from (f"{result.file}:{result.line}: {result.key}{' (tests cut)' * result.cut}" for result in new)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
