"""What a conformance program prints: a run counts only when it tells of every scenario."""

import re
from typing import Final

import pytest

from scripts.clients.report import Count, parts_of, read_report
from scripts.clients.servers import read_manifest

PARTS: Final = {"burraco": 3, "gin": 2, "match": 1}
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
    report = read_report(SKIPPED, 1, PARTS)
    assert report.problems == ()
    assert report.counts["burraco"] == Count(2, 1, 0)
    assert report.skips == ("SKIPPED vectors/gin/one.json, which needs rawRequests: this library has none",)


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
        ("match: 1 passed, 0 failed, 0", "match: 0 passed, 0 failed, 1", 0, "the match may not be skipped"),
        ("gin: 2 passed, 0 failed, 0", "gin: 0 passed, 0 failed, 2", 0, "the last line says"),
        ("", "", 1, "0 failed, and the exit code is 1"),
        ("burraco: 3 passed, 0 failed", "burraco: 2 passed, 1 failed", 0, "the sum is"),
    ],
)
def test_a_run_that_does_not_tell_all_does_not_count(old: str, new: str, code: int, told: str) -> None:
    """A line that is missing, a number that is wrong, an exit code that says otherwise."""
    report = read_report(GOOD.replace(old, new), code, PARTS)
    assert any(re.search(told, problem) for problem in report.problems), report.problems


def test_a_failure_with_a_good_exit_code_does_not_count() -> None:
    assert read_report(SKIPPED, 0, PARTS).problems == ("1 failed, and the exit code is 0",)


def test_a_skip_without_a_reason_does_not_count() -> None:
    without = "\n".join(line for line in SKIPPED.splitlines() if not line.startswith("SKIPPED"))
    assert read_report(without, 1, PARTS).problems == ("1 were skipped, and no line says why",)
