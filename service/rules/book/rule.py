"""What a rule of the book is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, in a few sentences for players. An option that decides something is named in backticks."""

    rule_id: str
    text: str
    sources: tuple[str, ...]
    """Kinds of source as in `SOURCES`, or a ruling such as `ruling R1`."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rules that belong together."""

    title: str
    rules: tuple[Rule, ...]
