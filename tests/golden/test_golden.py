"""Golden matches: one for each path of the rules, every claim in them true, every score among them counted by hand."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest

from service.notation import match_text as mt
from service.notation.follow import Began, Passed, Problem, follow
from service.notation.parser import parse
from service.notation.printer import print_match
from service.rules.events import DealScored, Event
from service.rules.games import PRESETS
from service.rules.moves import MoveKind
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import UNCOUNTED, DealEnd, MatchEnd, State
from tests.golden.write import GOLDEN, SOURCES, SUFFIX, made

MATCHES = sorted(GOLDEN.glob(f"*{SUFFIX}"))
named = pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)

REFUSED_CLOSES = {
    Reason.MUST_KEEP_TWO,
    Reason.MUST_KEEP_CLOSING_DISCARD,
    Reason.LAST_CARD_NOT_DISCARDABLE,
    Reason.DISCARD_WAS_WHOLE_PILE,
    Reason.CLOSE_WITH_WILD,
    Reason.CLOSE_IN_FIRST_ROUND,
    Reason.RECOVERED_JOKER_UNUSED,
}
"""Every refusal of a close that play can come to: the guard (R1) refuses what would lead to the others."""


@lru_cache
def text_of(path: Path) -> str:
    """A golden match as it is written."""
    return path.read_text(encoding="utf-8")


@lru_cache
def followed(path: Path) -> tuple[Began | Passed | Problem, ...]:
    """A golden match, played again."""
    return tuple(follow(parse(text_of(path))))


def everything() -> Iterator[Began | Passed | Problem]:
    """All golden matches, played again."""
    for path in MATCHES:
        yield from followed(path)


def events_of(found: Began | Passed | Problem) -> list[Event]:
    """What an entry brought about."""
    if isinstance(found, Began):
        return [event for _, event in found.played.events]
    return [event for step in found.steps for event in step.events] if isinstance(found, Passed) else []


@named
def test_every_claim_of_a_golden_match_is_true(path: Path) -> None:
    problems = [str(found) for found in followed(path) if isinstance(found, Problem)]
    assert problems == []


@named
def test_a_golden_match_is_written_in_the_canonical_form(path: Path) -> None:
    assert print_match(parse(text_of(path))) == text_of(path)


@named
def test_a_golden_match_is_what_its_source_gives(path: Path) -> None:
    assert made(SOURCES / path.name) == text_of(path)


def test_every_source_has_its_match() -> None:
    assert [path.name for path in MATCHES] == [path.name for path in sorted(SOURCES.glob(f"*{SUFFIX}"))]


@named
def test_each_counted_deal_claims_every_line_of_every_side(path: Path) -> None:
    """Each end of a counted deal is followed by the itemised scores of all sides, their sums, and the result."""
    kinds: list[set[tuple[type, Any]]] = []
    over = False
    sides = range(0)
    for found in followed(path):
        if not isinstance(found, Passed):
            continue
        ends = found.state.over and found.state.deal_end not in UNCOUNTED
        if ends and not over:
            kinds.append(set())
        over = ends
        if over:
            entry = found.entry
            kinds[-1].add((type(entry), entry.side if isinstance(entry, mt.SideScore) else None))
            sides = range(found.state.match.sides)
    for claimed in kinds:
        assert {(mt.SideScore, side) for side in sides} | {(mt.Points, None), (mt.ResultIs, None)} <= claimed


def test_each_path_of_the_rules_has_its_match() -> None:
    """Every event, score line, end of a deal and of a match, kind of move and preset comes up, refused closes too."""
    states: list[State] = [found.state for found in everything() if isinstance(found, Passed)]
    steps = [step for found in everything() if isinstance(found, Passed) for step in found.steps]
    events = [event for found in everything() for event in events_of(found)]
    entries = [found.entry for found in everything() if isinstance(found, Passed)]
    lines = [line for event in events if isinstance(event, DealScored) for side in event.sheet.lines for line in side]
    assert {type(event) for event in events} == set(get_args(Event))
    assert {line.item for line in lines} == set(ScoreItem)
    assert {state.deal_end for state in states} == set(DealEnd)
    assert {state.result.match_end for state in states if state.result} == set(MatchEnd) - {MatchEnd.NOT_ENDED}
    assert {step.move.kind for step in steps} == set(MoveKind)
    assert {state.match.rules.preset for state in states} == set(PRESETS)
    reasons = {fault.reason for entry in entries if isinstance(entry, mt.RefusedMove) for fault in entry.faults}
    assert reasons >= REFUSED_CLOSES
