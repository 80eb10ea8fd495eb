"""No rule of Ramino or Scala 40 is left without a test that carries its name."""

import re
from pathlib import Path

import pytest

NAMED = re.compile(r"^def test_(ra|sc|e|r)_?(\d+)_", re.MULTILINE)
IDS = {"ra": "RA-", "sc": "SC-", "e": "E", "r": "R"}

RULES = [
    *(f"RA-{number}" for number in range(1, 15)),
    *(f"SC-{number}" for number in range(1, 23)),
    *(f"E{number}" for number in (48, *range(50, 54), *range(55, 63), 70, 72, 74, 75)),
    *("R9", "R12"),
]
"""Numbers that are missing are not used by the rule book."""


def rules_with_a_test() -> set[str]:
    """Rule ids in the names of this folder's tests."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))]
    return {IDS[kind] + number for source in sources for kind, number in NAMED.findall(source)}


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_has_a_test(rule: str) -> None:
    """A test of this folder carries the rule's id in its name."""
    assert rule in rules_with_a_test()


def test_no_test_names_a_rule_that_is_not_listed() -> None:
    """No test carries the id of a rule that is not there."""
    assert rules_with_a_test() <= set(RULES)
