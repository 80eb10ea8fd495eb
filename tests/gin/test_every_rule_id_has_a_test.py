"""No rule of Gin in the rule book is left without a test that carries its name."""

import re
from pathlib import Path

NAMED = re.compile(r"^def test_(gi_|e)(\d+)_", re.MULTILINE)
IDS = {"gi_": "GI-", "e": "E"}

RULES = {f"GI-{number}" for number in range(1, 15)}
EDGE_CASES = {"E63", "E65", "E67", "E68", "E70", "E71", "E72", "E75"}
"""Numbers that are missing are not used by the rule book, or are about Ramino."""


def test_every_rule_has_a_test_and_no_test_another() -> None:
    """The ids in the names of this folder's tests are those of the rule book."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))]
    assert {IDS[kind] + number for source in sources for kind, number in NAMED.findall(source)} == RULES | EDGE_CASES
