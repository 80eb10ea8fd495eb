"""The matrix of the conformance runs, client by part of the vectors, as a table of Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import ndiff
from pathlib import Path
from typing import Final

from scripts.clients.manifest import ROOT, Transport
from scripts.clients.report import Count, added

README: Final = ROOT / "README.md"
BEGIN: Final = "<!-- written by: make conformance ARGS=--write -->"
END: Final = "<!-- end of what is written -->"
SPOKEN: Final[Mapping[Transport, str]] = {"grpc": "gRPC", "grpc-web": "gRPC-Web"}


@dataclass(frozen=True)
class Row:
    """One client over one transport."""

    name: str
    transport: Transport | None = None
    counts: Mapping[str, Count] = field(default_factory=dict)
    not_run: str = ""
    """Why it was not run; nothing if it was."""
    problems: tuple[str, ...] = ()

    @property
    def is_unknown(self) -> bool:
        """Whether this machine cannot tell: tools are missing. What is run nowhere has no transport, and is known."""
        return bool(self.not_run) and self.transport is not None


def table(rows: Iterable[Row], parts: Mapping[str, int]) -> str:
    """Write the table; its numbers are of scenarios that passed."""
    heads = ["client", "over", *(f"{part} ({total})" for part, total in parts.items()), "result"]
    lines = [heads, ["---"] * len(heads), *(_cells(row, list(parts)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row, parts: Sequence[str]) -> list[str]:
    over = SPOKEN[row.transport] if row.transport else "–"
    if row.not_run:
        return [row.name, over, *("–" for _ in parts), f"not run: {row.not_run}"]
    return [row.name, over, *(_cell(row.counts.get(part)) for part in parts), _result(row)]


def _cell(count: Count | None) -> str:
    if count is None:
        return "–"
    told = [f"**{count.failed} failed**" if count.failed else "", f"{count.skipped} skipped" if count.skipped else ""]
    return f"{count.passed}{''.join(f', {each}' for each in told if each)}"


def _result(row: Row) -> str:
    if row.problems:
        return "**does not count**"
    whole = added(row.counts.values())
    return f"{_cell(whole)} of {whole.total}" if whole.failed or whole.skipped else f"{whole.passed} passed"


def written(text: str) -> str:
    """The table that a page has between the marks. :raises ValueError: it has no marks, or has them twice."""
    found = re.findall(rf"{re.escape(BEGIN)}\n\n(.*?)\n\n{re.escape(END)}", text, re.DOTALL)
    if len(found) != 1:
        raise ValueError(f"the page has to have these two lines once, with the table between them: {BEGIN} and {END}")
    return str(found[0])


def replaced(text: str, new: str) -> str:
    """The page with another table. :raises ValueError: as above."""
    return text.replace(f"{BEGIN}\n\n{written(text)}\n\n{END}", f"{BEGIN}\n\n{new}\n\n{END}")


def changes(shown: str, rows: Sequence[Row], parts: Mapping[str, int], *, is_whole: bool) -> list[str]:
    """How a page's table differs from that of a run, in lines; what the run does not know is as the page has it.

    A run that is not of all clients is compared with their rows alone, in whatever order.
    """
    page, names = shown.splitlines(), {row.name for row in rows}
    old, by_key = page[2:], {_key(line): line for line in page[2:]}
    head, rule, *made = table(rows, parts).splitlines()
    new = [by_key.get(_key(line), line) if row.is_unknown else line for row, line in zip(rows, made, strict=True)]
    if not is_whole:
        old, new = sorted(line for line in old if _key(line)[0] in names), sorted(new)
    return [line for line in ndiff([*page[:2], *old], [head, rule, *new]) if line.startswith(("- ", "+ "))]


def _key(line: str) -> tuple[str, ...]:
    """The cells by which a row is known: the client, and over what it calls."""
    return tuple(cell.strip() for cell in line.strip("|").split("|")[:2])


def write(new: str, page: Path = README) -> None:
    """Put the table into the page."""
    page.write_text(replaced(page.read_text("utf-8"), new), "utf-8")
