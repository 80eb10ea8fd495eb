"""The page of the reasons: every code, what it means, what its text is filled with, and an example."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scripts.docs_site.contract import File, Value

ENUM: Final = "Reason"
PREFIX: Final = "REASON_"


@dataclass(frozen=True)
class Explained:
    """A reason's comment, taken apart."""

    name: str
    number: int
    meaning: str
    arguments: str
    """Their names, with remarks; empty for none."""
    example: str
    """Empty where the comment has none."""
    deprecated: bool


@dataclass(frozen=True)
class Group:
    """Reasons of a range of numbers."""

    title: str
    first: int
    last: int
    about: str


GROUPS: Final = (
    Group(
        *("Illegal moves", 1, 199),
        "In the `violations` of an answer whose status is OK: of `ApplyMoves`, `CheckMoves`, `ExplainMeld` and "
        "`ReplayMatch`. `ScoreDeal` fails with them where a meld of a table is none.",
    ),
    Group("Wrong rules", 200, 299, "In the details of a call that fails with `INVALID_ARGUMENT`."),
    Group(
        *("Calls that fail", 300, 399),
        "In the `ErrorInfo` of the call's status, whose domain is `burraco`, and in its field violations. "
        "[Answers and errors](../errors.md) says which status goes with what, and what may be tried again.",
    ),
    Group(
        *("Defects of a typed state", 400, 499),
        "In the `defects` that [the arbiter](../arbiter.md) answers with, status OK.",
    ),
)


def explain(value: Value) -> Explained:
    """Take a reason's comment apart: meaning, `Args:` up to the end of that sentence, `Example:` up to the end."""
    text = " ".join(value.comment.split())
    meaning, _, example = text.partition(" Example: ")
    told = re.search(r" Args: (?P<names>[^.]*)\.", meaning)
    if told:
        meaning = meaning[: told.start()] + meaning[told.end() :]
    return Explained(
        name=value.name,
        number=value.number,
        meaning=meaning,
        arguments=told["names"] if told else "",
        example=example,
        deprecated=value.deprecated,
    )


def reasons_of(file: File) -> tuple[Explained, ...]:
    """Every reason that is sent, by number."""
    (enum,) = (enum for enum in file.enums if enum.name == ENUM)
    return tuple(explain(value) for value in sorted(enum.values, key=lambda value: value.number) if value.number)


def section(file: File) -> str:
    """What stands in place of the enum's table on the page of its file."""
    reasons = reasons_of(file)
    lines = [
        f"## {ENUM}",
        "",
        (
            "A stable code for each way to be wrong. In the contract and in JSON each name begins with `REASON_`. "
            "Numbers are never used again; 0, `REASON_UNSPECIFIED`, is never sent."
        ),
        "",
    ]
    for group in GROUPS:
        lines += [f"### {group.title}", "", f"Numbers {group.first} to {group.last}. {group.about}", ""]
        lines += ["| reason | what it means | arguments | example |", "| --- | --- | --- | --- |"]
        lines += (_row(each) for each in reasons if group.first <= each.number <= group.last)
        lines.append("")
    return "\n".join(lines)


def _row(reason: Explained) -> str:
    # A long name may break between its words.
    words = reason.name.removeprefix(PREFIX).replace("_", "_<wbr>")
    name = f'<a id="{reason.name.lower()}"></a><code>{words}</code> {reason.number}'
    if reason.deprecated:
        name += " (deprecated)"
    cells = (name, reason.meaning, ", ".join(_arguments(reason.arguments)), _sentence(reason.example))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _arguments(told: str) -> Iterator[str]:
    """Each argument's name as code, its remark after it: `number` (of the deal)."""
    for each in filter(None, told.split(", ")):
        name, _, remark = each.partition(" ")
        yield f"`{name}` {remark}".rstrip()


def _sentence(text: str) -> str:
    """An example as it stands in its column: with a capital, unless code comes first."""
    return text[:1].upper() + text[1:]
