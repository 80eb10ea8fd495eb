"""Defects of a state: what is wrong with it, as values. The audits find them; nothing is raised.

A defect names its field as the open state of the contract does (`burraco.v1.GameState`), such as `melds[2].wild_index`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from service.rules.state import State


class DefectReason(IntEnum):
    """A way in which a state is wrong. Numbers and names are those of `burraco.v1.Reason`, which describes each."""

    DEFECT_MISSING = 400
    DEFECT_OUT_OF_RANGE = 401
    DEFECT_UNKNOWN_VALUE = 402
    DEFECT_LENGTH = 403
    DEFECT_RULES = 404
    DEFECT_FOREIGN = 405
    DEFECT_FACE_COUNT = 406
    DEFECT_CARDS = 407
    DEFECT_MELD = 408
    DEFECT_WILD = 409
    DEFECT_MELD_FACTS = 410
    DEFECT_PHASE = 411
    DEFECT_TURN = 412
    DEFECT_SCORES = 413
    DEFECT_POZZETTI = 414
    DEFECT_IDENTITY = 415
    DEFECT_SEATS = 416
    DEFECT_COUNTER = 417


MEANINGS: Final[Mapping[DefectReason, str]] = {
    DefectReason.DEFECT_MISSING: "is missing",
    DefectReason.DEFECT_OUT_OF_RANGE: "is out of range",
    DefectReason.DEFECT_UNKNOWN_VALUE: "is none of its enum that the game knows",
    DefectReason.DEFECT_LENGTH: "has too many entries or too few",
    DefectReason.DEFECT_RULES: "is no rule that can be played",
    DefectReason.DEFECT_FOREIGN: "is not of this game or not of these rules",
    DefectReason.DEFECT_FACE_COUNT: "has other cards than those of the deck",
    DefectReason.DEFECT_CARDS: "holds cards that cannot be there",
    DefectReason.DEFECT_MELD: "is no meld",
    DefectReason.DEFECT_WILD: "has a wrong wild",
    DefectReason.DEFECT_MELD_FACTS: "says of a meld what it is not",
    DefectReason.DEFECT_PHASE: "does not go with phase, end and result",
    DefectReason.DEFECT_TURN: "does not go with the turn in progress",
    DefectReason.DEFECT_SCORES: "does not go with the scores",
    DefectReason.DEFECT_POZZETTI: "does not go with the pozzetti",
    DefectReason.DEFECT_IDENTITY: "is not what names a match or chooses its deck",
    DefectReason.DEFECT_SEATS: "does not go with the seats",
    DefectReason.DEFECT_COUNTER: "does not go with the other counters or is near its end",
}
"""What each means without a value in it: all that a caller is told who may not see the state."""


class StateDefect(NamedTuple):
    """One thing that is wrong with a state."""

    field: str
    """Path of the field, such as `hands[2].cards[0]`; empty for the state as a whole."""
    reason: DefectReason
    text: str
    """What is wrong, completing a sentence that begins with the field. It may tell hidden cards."""
    arguments: tuple[tuple[str, str], ...] = ()
    """What the text is filled with, sorted by name."""

    @property
    def sentence(self) -> str:
        """The whole in words, hidden cards included."""
        return f"{self.field or 'The state'} {self.text}"

    @property
    def told(self) -> str:
        """What a caller may be told who may not see the state: where, and what kind of thing, but no value."""
        return f"{self.field or 'the whole'} {MEANINGS[self.reason]}"

    @property
    def top(self) -> str:
        """The field of the state itself that it is about; empty for the state as a whole."""
        return self.field.partition(".")[0].partition("[")[0]


Defects: TypeAlias = Iterator[StateDefect]
NOTHING: Final[frozenset[str]] = frozenset()


def defect(field: str, reason: DefectReason, text: str, **arguments: object) -> StateDefect:
    """Make a defect; the arguments' values are written as text."""
    named = tuple(sorted((name, str(value)) for name, value in arguments.items())) if arguments else ()
    return StateDefect(field, reason, text, named)


def foreign(field: str, text: str = "is set, but this game or these rules do not know it.") -> StateDefect:
    """Say that a field is not of this game, or of rules that are not in force."""
    return StateDefect(field, DefectReason.DEFECT_FOREIGN, text)


def out_of_range(field: str, value: int, least: int, most: int) -> StateDefect:
    """Say that a number is out of range."""
    text = f"is {value}, but has to be {least if least == most else f'{least} to {most}'}."
    return defect(field, DefectReason.DEFECT_OUT_OF_RANGE, text, value=value, min=least, max=most)


def wrong_length(field: str, count: int, expected: int | str) -> StateDefect:
    """Say that a list has too many or too few entries."""
    text = f"has {count} entries, but {expected} are expected."
    return defect(field, DefectReason.DEFECT_LENGTH, text, count=count, expected=expected)


class Check(NamedTuple):
    """A part of an audit: it is left out where a field that it judges by could not be made out."""

    needs: frozenset[str]
    """Fields of the state, by the contract's names."""
    find: Callable[[State], Iterable[StateDefect]]


def check(find: Callable[[State], Iterable[StateDefect]], *needs: str) -> Check:
    """Make a part of an audit."""
    return Check(frozenset(needs), find)


def run(checks: Iterable[Check], state: State, unclear: frozenset[str] | set[str]) -> Defects:
    """Find what each part of an audit finds, but for those that need a field that is unclear.

    A field that is foreign to the rules makes itself unclear: the rules say nothing of what it would mean.
    """
    unjudged: set[str] | frozenset[str] = unclear
    for needs, find in checks:
        if not unjudged or needs.isdisjoint(unjudged):
            for found in find(state):
                if found.reason is DefectReason.DEFECT_FOREIGN:
                    unjudged = {*unjudged, found.top}
                yield found
