"""Choosing a language, and filling its texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.rules.cards import texts
from service.rules.reasons import Reason, Violation
from service.rules.scores import Line, ScoreItem
from service.rules.state import NOBODY
from service.text import english


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language."""

    language: str
    reasons: Mapping[Reason, str]
    score_lines: Mapping[ScoreItem, str]
    of_seat: str
    """What follows a line that is about one seat."""

    def violation(self, violation: Violation) -> str:
        """Say what is wrong, and what to do."""
        arguments = dict(violation.arguments)
        return self.reasons[violation.reason].format(cards=texts(violation.cards), meld=violation.meld_id, **arguments)

    def score_line(self, line: Line) -> str:
        """Say what a line of a score sheet counts."""
        seat = "" if line.seat == NOBODY else self.of_seat.format(seat=line.seat)
        return self.score_lines[line.item].format(meld=line.meld_id, seat=seat)


ENGLISH: Final = Catalogue("en", english.REASONS, english.SCORE_LINES, english.OF_SEAT)

CATALOGUES: Final[Mapping[str, Catalogue]] = {"en": ENGLISH}


def catalogue_for(accept_language: Sequence[str]) -> Catalogue:
    """Find the first language that there is a catalogue for, each tag shortened step by step; English otherwise."""
    for header in accept_language:
        for wanted in header.split(","):
            tag = wanted.split(";")[0].strip().lower()
            while tag:
                if tag in CATALOGUES:
                    return CATALOGUES[tag]
                tag = tag.rpartition("-")[0]
    return ENGLISH
