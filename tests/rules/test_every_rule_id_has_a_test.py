"""No rule of the rule book is left without a test that carries its name."""

import re
from pathlib import Path

import pytest

NAMED = re.compile(r"^def test_(b4_|b2_|b3_|bi_|br_|r|e|row_)(\d+)_", re.MULTILINE)
IDS = {"b4_": "B4-", "b2_": "B2-", "b3_": "B3-", "bi_": "BI-", "br_": "BR-", "r": "R", "e": "E", "row_": "row "}
FILES = ("rules/test_*.py", "variants/test_b*.py")

B4 = [f"B4-{number}" for number in range(1, 43)]
VARIANTS = [
    *(f"B2-{number}" for number in range(1, 17)),
    *(f"{game}-{number}" for game in ("B3", "BI", "BR") for number in range(1, 5)),
]
"""Burraco for two, for three, by the international code, and Burraco Reale."""
RULINGS = ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R10", "R11", "R13", "R14"]
"""The others belong to other games."""
EDGE_CASES = [
    f"E{number}"
    for number in (
        *(1, 2, 4, 5, 7, 8, 9, 10, 12, 14, 15, 18, 19, 20),
        *(21, 22, 23, 24, 25),
        *(26, 28, 29, 30),
        *(31, 32, 33, 34, 36, 38, 40, 41, 42, 43, 44, 45, 46, 47),
    )
]
"""Numbers that are missing are not used by the rule book."""
ROWS = [f"row {number}" for number in range(1, 27)]


def rules_with_a_test() -> set[str]:
    """Rule ids in the names of the tests of Burraco."""
    folder = Path(__file__).parent.parent
    sources = [path.read_text(encoding="utf-8") for files in FILES for path in sorted(folder.glob(files))]
    return {IDS[kind] + number for source in sources for kind, number in NAMED.findall(source)}


@pytest.mark.parametrize("rule", [*B4, *VARIANTS, *RULINGS, *EDGE_CASES, *ROWS])
def test_the_rule_has_a_test(rule: str) -> None:
    """A test carries the rule's id in its name."""
    assert rule in rules_with_a_test()


def test_no_test_names_a_rule_that_is_not_listed() -> None:
    """No test carries the id of a rule that is not there."""
    assert rules_with_a_test() <= {*B4, *VARIANTS, *RULINGS, *EDGE_CASES, *ROWS}
