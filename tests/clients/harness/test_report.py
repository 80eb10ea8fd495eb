"""What a conformance program prints: a run counts only when it tells of every scenario."""

import re
from typing import Final

import pytest

from scripts.clients.report import Count, parts_of, read_report
from scripts.clients.servers import read_manifest, skippable
from tests.conformance.files import read_scenario

PARTS: Final = {"burraco": 3, "gin": 2, "match": 1}
SKIPPABLE: Final = frozenset({"vectors/gin/one.json", "vectors/gin/two.json", "vectors/burraco/one.json"})
GOOD: Final = """
FAILED is a word of no meaning here
burraco: 3 passed, 0 failed, 0 skipped
gin: 2 passed, 0 failed, 0 skipped
match: 1 passed, 0 failed, 0 skipped
6 passed, 0 failed, 0 skipped
"""
SKIPPED: Final = """
SKIPPED vectors/gin/one.json, which needs rawRequests: this library has none
burraco: 2 passed, 1 failed, 0 skipped
gin: 1 passed, 0 failed, 1 skipped
match: 1 passed, 0 failed, 0 skipped
4 passed, 1 failed, 1 skipped
"""


def test_the_parts_are_the_folders_of_the_vectors() -> None:
    """And the match; the manifest's scenarios are all in one of them."""
    parts = parts_of(read_manifest())
    assert list(parts) == [*sorted(set(parts) - {"match"}), "match"]
    assert sum(parts.values()) == len(read_manifest()["files"]) + 1
    assert {"burraco", "gin", "ramino", "scala_40"} < set(parts)


def test_a_good_run_counts() -> None:
    report = read_report(GOOD, 0, PARTS)
    assert report.problems == ()
    assert report.counts == {"burraco": Count(3, 0, 0), "gin": Count(2, 0, 0), "match": Count(1, 0, 0)}


def test_a_run_with_failures_and_skips_counts_as_that() -> None:
    report = read_report(SKIPPED, 1, PARTS, SKIPPABLE)
    assert report.problems == ()
    assert report.counts == {"burraco": Count(2, 1, 0), "gin": Count(1, 0, 1), "match": Count(1, 0, 0)}


def test_what_may_be_skipped_needs_what_a_language_may_lack() -> None:
    """The arbiter is there for every client, so what needs it alone may not be skipped."""
    paths = [each["path"] for each in read_manifest()["files"]]
    needing = {path: read_scenario(path).get("needs", []) for path in paths}
    assert skippable() == {path for path, needs in needing.items() if needs and needs != ["arbiter"]}
    assert {need for path in skippable() for need in needing[path]} >= {"rawRequests", "unknownEnums"}
    assert any(needs == ["arbiter"] for needs in needing.values())


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        (GOOD, "", 0, "the last line of counts has to be their sum"),
        ("6 passed, 0 failed, 0 skipped\n", "", 0, "the last line of counts has to be their sum"),
        ("6 passed", "7 passed", 0, r"the sum is \(6, 0, 0\), and the last line says \(7, 0, 0\)"),
        ("gin: 2", "gin: 1", 0, "gin: 1 scenarios are counted, and there are 2"),
        ("gin: 2 passed, 0 failed, 0 skipped\n", "", 0, "there is no line of gin"),
        ("gin: 2", "poker: 2", 0, "poker: the vectors have no such folder"),
        ("gin: 2", "burraco: 2", 0, "each part has to have one line"),
        ("match: 1 passed, 0 failed, 0", "match: 0 passed, 0 failed, 1", 0, "match: all of it was skipped"),
        ("gin: 2 passed, 0 failed, 0", "gin: 0 passed, 0 failed, 2", 0, "the last line says"),
        ("gin: 2 passed, 0 failed, 0", "gin: 0 passed, 0 failed, 2", 0, "gin: all of it was skipped"),
        ("", "", 1, "0 failed, and the exit code is 1"),
        ("burraco: 3 passed, 0 failed", "burraco: 2 passed, 1 failed", 0, "the sum is"),
    ],
)
def test_a_run_that_does_not_tell_all_does_not_count(old: str, new: str, code: int, told: str) -> None:
    """A line that is missing, a number that is wrong, an exit code that says otherwise."""
    report = read_report(GOOD.replace(old, new), code, PARTS)
    assert any(re.search(told, problem) for problem in report.problems), report.problems


def test_a_failure_with_a_good_exit_code_does_not_count() -> None:
    assert read_report(SKIPPED, 0, PARTS, SKIPPABLE).problems == ("1 failed, and the exit code is 0",)


def skipping(*lines: str, burraco: int = 0) -> tuple[str, ...]:
    """What is wrong with a run that skips a scenario of gin, and so many of burraco, and prints these lines of them."""
    output = "\n".join(
        [
            *lines,
            f"burraco: {3 - burraco} passed, 0 failed, {burraco} skipped",
            "gin: 1 passed, 0 failed, 1 skipped",
            "match: 1 passed, 0 failed, 0 skipped",
            f"{5 - burraco} passed, 0 failed, {1 + burraco} skipped",
        ]
    )
    return read_report(output, 0, PARTS, SKIPPABLE).problems


def test_each_skipped_scenario_is_named_with_its_reason() -> None:
    """One line does not do for many, one of another part for none, a name without a reason for none either."""
    gin, burraco = "SKIPPED vectors/gin/one.json: it needs rawRequests", "SKIPPED vectors/burraco/one.json: why"
    assert skipping(gin) == ()
    assert skipping(gin.replace(": it", ", which")) == ()
    assert skipping(gin, burraco, burraco=1) == ()
    hint = "as in 'SKIPPED vectors/gin/one.json: it needs rawRequests'"
    unnamed = (f"gin: 1 skipped, and 0 named with a reason, {hint}",)
    for said in (
        (),
        ("SKIPPED",),
        ("skipped all of it: no time",),
        (gin.partition(":")[0],),
        (f"{gin.split()[1]}: x",),
    ):
        assert skipping(*said) == unnamed
    assert skipping(gin, burraco, burraco=2) == (f"burraco: 2 skipped, and 1 named with a reason, {hint}",)
    assert skipping(gin, gin.replace("one", "two")) == (f"gin: 1 skipped, and 2 named with a reason, {hint}",)
    assert skipping(gin, burraco, burraco, burraco=2) != ()


def test_what_every_language_can_is_not_skipped() -> None:
    """A reason does not help a scenario that needs nothing out of the ordinary, or that is none."""
    assert skipping("SKIPPED vectors/gin/three.json: too hard") == (
        "vectors/gin/three.json: skipped, and it needs nothing that a language may lack",
    )
