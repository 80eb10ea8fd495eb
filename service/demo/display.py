"""What shows a match: it learns who sits where, and is told of every turn, move and count."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from burraco.v1.views_pb2 import View
from service.demo.look import Look, Names


class Display(ABC):
    """Something that shows a match. Every view it gets is that of the seat to move."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.names: Names = ()
        """A name for each seat."""
        self.sides: Names = ()
        """A name for each side."""
        self.look = Look()

    def introduce(self, names: Names, sides: Names, look: Look) -> None:
        """Learn who sits where, and what there is to see."""
        self.names, self.sides, self.look = names, sides, look

    def say(self, *what: RenderableType) -> None:
        """Write something that stays."""
        for one in what:
            self.console.print(one)

    @abstractmethod
    def turn(self, view: View, number: int) -> None:
        """Show the table as a turn begins."""

    @abstractmethod
    def moved(self, view: View, sentences: Iterable[Text]) -> None:
        """Show what a move has done."""

    @abstractmethod
    def counted(self, sheet: Table) -> None:
        """Show the score of a deal."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def in_lines(melds: Sequence[Text], width: int, head: str = "", margin: str = "") -> list[Text]:
    """Write melds on as many lines as they need, none of them broken."""
    lines, line = [], Text(head)
    for meld in melds:
        gap = "   " if len(line) > len(margin) else ""
        if gap and len(line) + len(gap) + len(meld) > width:
            lines.append(line)
            line, gap = Text(margin), ""
        line.append(gap).append_text(meld)
    return [*lines, line]
