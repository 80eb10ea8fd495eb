"""The corpus of bad states: each has the defects that are written beside it, and no others."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf import json_format

from burraco.v1 import reasons_pb2, state_pb2
from tests.arbiter.write_corpus import BASES, CORPUS, base, entries, found

FILES: Final = sorted(CORPUS.glob("*.json"))
DEFECTS: Final = [number for number in reasons_pb2.Reason.values() if number >= 400]
SEVERAL: Final = 10
"""Defects of a state that has many."""


def read(file: Path) -> dict[str, Any]:
    """Read an entry."""
    content: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return content


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bad_state_has_the_defects_that_are_expected(file: Path) -> None:
    """Field, reason, text and arguments of every defect, in order."""
    entry = read(file)
    state = json_format.ParseDict(entry["gameState"], state_pb2.GameState())
    assert found(state) == entry["defects"]
    assert entry["defects"], "nothing is wrong with it"


def test_the_corpus_has_every_entry() -> None:
    """One file an entry: `make arbiter-corpus` writes those that are missing."""
    assert len(FILES) == len(list(entries()))


def test_every_reason_and_every_game_is_in_the_corpus() -> None:
    """Each reason is somewhere, each game has many, and some states have many defects."""
    reasons: Counter[str] = Counter()
    games: Counter[str] = Counter()
    largest = 0
    for file in FILES:
        entry = read(file)
        games[entry["base"].split()[0]] += 1
        reasons.update({each["reason"] for each in entry["defects"]})
        largest = max(largest, len({each["field"] for each in entry["defects"] if each.get("field")}))
    assert set(reasons) == {reasons_pb2.Reason.Name(number) for number in DEFECTS}
    assert min(games[game] for game in ("italian", "ramino", "gin", "scala_40")) > len(DEFECTS)
    assert largest >= SEVERAL


@pytest.mark.parametrize("name", BASES)
def test_what_a_bad_state_was_made_of_is_sound(name: str) -> None:
    """The measure itself: without what was made wrong there is no defect."""
    assert found(base(name)) == []
