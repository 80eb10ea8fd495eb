"""A match on a terminal: the table at its foot, and what happens scrolling by above it."""

import time
from collections.abc import Iterable, Iterator
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from burraco.v1.views_pb2 import SideView, View
from service.demo.display import Display, in_lines

PAUSE, LONG_PAUSE = 0.4, 5.0
ACROSS = 2
LEAST_ROWS = 6  # of melds, all panels above each other counted
FRAME = 4  # what a panel takes of its width


class TerminalDisplay(Display):
    """Draws the table anew with every move."""

    def __init__(self, console: Console, *, pause: bool) -> None:
        super().__init__(console)
        self._pause = pause
        self._turn = 0
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def turn(self, view: View, number: int) -> None:
        """Draw the table."""
        self._turn = number
        self._live.update(self._frame(view), refresh=True)
        self._wait(PAUSE)

    def moved(self, view: View, sentences: Iterable[Text]) -> None:
        """Draw the table as it is now, what has happened above it."""
        self._live.update(self._frame(view))
        self.say(*sentences)
        self._live.refresh()
        self._wait(PAUSE)

    def counted(self, sheet: Table) -> None:
        """Leave the score sheet above the table."""
        self._live.update(Text())
        self.say("", sheet, "")
        self._live.refresh()
        self._wait(LONG_PAUSE)

    def _wait(self, seconds: float) -> None:
        if self._pause:
            time.sleep(seconds)

    def _frame(self, view: View) -> RenderableType:
        head = Table.grid(expand=True)
        head.add_column()
        head.add_column(justify="right")
        scores = "  –  ".join(f"{name} {side.match_points}" for name, side in zip(self.sides, view.sides, strict=True))
        head.add_row(Text(f"Deal {view.deal_number}, turn {self._turn}", style="bold"), scores)
        tables = self._tables(view) if self.look.melds else ()
        return Group("", head, *tables, self.look.piles(view, self.console.width), self._hand(view))

    def _tables(self, view: View) -> Iterator[RenderableType]:
        """Draw the tables of the sides, two beside each other."""
        sides = list(view.sides)
        least = LEAST_ROWS * ACROSS // len(sides)
        for first in range(0, len(sides), ACROSS):
            beside = sides[first : first + ACROSS]
            melds = [self._fitted(self.look.melds_of(view, side.side), least) for side in beside]
            rows = max(least, *map(len, melds), 0)
            grid = Table.grid(expand=True)
            for _ in range(ACROSS):
                grid.add_column(ratio=1)
            grid.add_row(*(self._side(view, side, laid, rows) for side, laid in zip(beside, melds, strict=True)))
            yield grid

    def _fitted(self, melds: list[Text], rows: int) -> list[Text]:
        """Leave each meld its own line where there are not too many."""
        return melds if len(melds) <= rows else in_lines(melds, self.console.width // ACROSS - FRAME)

    def _side(self, view: View, side: SideView, melds: list[Text], rows: int) -> Panel:
        return Panel(
            Text("\n", no_wrap=True, overflow="ellipsis").join(melds),
            height=rows + 2,
            title=Text(self.sides[side.side], style="bold"),
            subtitle=Text(self.look.note(view, side, self.names)) or None,
            title_align="left",
            subtitle_align="right",
            border_style="cyan",
        )

    def _hand(self, view: View) -> Panel:
        mine = view.seats[view.viewer.seat]
        others = [seat for seat in view.seats if seat.seat != mine.seat and not seat.out]
        held = [
            f"{self.names[seat.seat]} {seat.hand_count}{' face down' if seat.pozzetto_unseen else ''}"
            for seat in others
        ]
        return Panel(
            self.look.hand(mine.hand),
            title=Text(f"{self.names[mine.seat]} to play", style="bold"),
            subtitle=Text(f"{'others hold' if len(held) > 1 else 'other holds'}: {' · '.join(held)}"),
            title_align="left",
            subtitle_align="right",
            border_style="green",
        )
