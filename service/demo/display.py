"""Where the match is shown: a terminal, the table staying at its foot; or, without a terminal, plain lines."""

import codecs
import io
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from burraco.v1.views_pb2 import SideView, View
from service.demo.faces import faces, marked_meld, suits_apart

PLAIN_WIDTH = 100
NARROWEST, WIDEST = 60, 120
LEAST_ROWS = 6
PAUSE, LONG_PAUSE = 0.4, 5.0
ASCII = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "·": "|", "…": "..."}


class Display(ABC):
    """Something that shows a match. Every view it gets is that of the seat to move."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.names: Sequence[str] = ()
        """A name for each seat."""
        self.sides: Sequence[str] = ()
        """A name for each side."""

    def introduce(self, names: Sequence[str], sides: Sequence[str]) -> None:
        """Learn who sits where."""
        self.names, self.sides = names, sides

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


def display_for(stdout: TextIO, *, fast: bool) -> Display:
    """Choose the display that suits an output."""
    codecs.register_error("burraco.ascii", _to_ascii)
    if isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(errors="burraco.ascii", line_buffering=True)
    if stdout.isatty():
        console = Console(file=stdout, highlight=False, markup=False, emoji=False)
        if not console.is_dumb_terminal and console.width >= NARROWEST:
            if console.width > WIDEST:  # noqa: PLR1730 - a width that is set no longer follows the terminal
                console.width = WIDEST
            return TerminalDisplay(console, pause=not fast)
    plain = Console(
        file=stdout,
        width=PLAIN_WIDTH,
        force_terminal=False,
        color_system=None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    return PlainDisplay(plain)


def _to_ascii(error: UnicodeError) -> tuple[str, int]:
    """Write what the output's encoding lacks in ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII.get(one, "?") for one in error.object[error.start : error.end]), error.end


class PlainDisplay(Display):
    """Lines of text, one after the other, without control codes and without pauses."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._shown: dict[int, list[Text]] = {}

    def turn(self, view: View, number: int) -> None:
        """Write where the deal stands, the hand, and the tables that have changed."""
        mine = view.seats[view.viewer.seat]
        self.say("", f"Deal {view.deal_number}, turn {number}: {self.names[mine.seat]} to play.")
        for side, name in enumerate(self.sides):
            melds = [marked_meld(meld) for meld in view.melds if meld.side == side]
            if melds and melds != self._shown.get(side):
                self._list(f"On the table of {name}:", melds)
            self._shown[side] = melds
        self._say_indented(piles(view))
        self._say_indented(Text.assemble(f"Hand of {mine.hand_count}: ", suits_apart(mine.hand)))

    def moved(self, view: View, sentences: Iterable[Text]) -> None:  # noqa: ARG002 - the lines say it all
        """Write what has happened."""
        for sentence in sentences:
            self._say_indented(sentence)

    def counted(self, sheet: Table) -> None:
        """Write the score sheet."""
        self._shown.clear()
        self.say("", sheet, "")

    def _list(self, head: str, melds: Iterable[Text]) -> None:
        """Write melds on as many lines as they need, none of them broken."""
        line = Text(f"  {head}")
        for meld in melds:
            if len(line) + len(meld) + 3 > PLAIN_WIDTH:
                self.say(line)
                line = Text("   ")
            line.append("   ").append_text(meld)
        self.say(line)

    def _say_indented(self, sentence: Text) -> None:
        for line in sentence.wrap(self.console, PLAIN_WIDTH - 2):
            self.say(Text.assemble("  ", line))


class TerminalDisplay(Display):
    """The table at the foot of the terminal, and what happens scrolling by above it."""

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
        self._draw(view)
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

    def _draw(self, view: View) -> None:
        self._live.update(self._frame(view), refresh=True)

    def _wait(self, seconds: float) -> None:
        if self._pause:
            time.sleep(seconds)

    def _frame(self, view: View) -> RenderableType:
        head = Table.grid(expand=True)
        head.add_column()
        head.add_column(justify="right")
        scores = "  –  ".join(f"{name} {side.match_points}" for name, side in zip(self.sides, view.sides, strict=True))
        head.add_row(Text(f"Deal {view.deal_number}, turn {self._turn}", style="bold"), scores)
        melds = [[marked_meld(meld) for meld in view.melds if meld.side == side.side] for side in view.sides]
        rows = max(LEAST_ROWS, *map(len, melds))
        tables = Table.grid(expand=True)
        for _ in view.sides:
            tables.add_column(ratio=1)
        tables.add_row(*(self._side(side, laid, rows) for side, laid in zip(view.sides, melds, strict=True)))
        return Group("", head, tables, piles(view, self.console.width), self._hand(view))

    def _side(self, side: SideView, melds: list[Text], rows: int) -> Panel:
        taken = side.HasField("pozzetto_taken_by")
        pozzetto = f"pozzetto: {self.names[side.pozzetto_taken_by]}" if taken else "no pozzetto yet"
        return Panel(
            Text("\n", no_wrap=True, overflow="ellipsis").join(melds),
            height=rows + 2,
            title=Text(self.sides[side.side], style="bold"),
            subtitle=Text(f"table {side.table_points} · {pozzetto}"),
            title_align="left",
            subtitle_align="right",
            border_style="cyan",
        )

    def _hand(self, view: View) -> Panel:
        mine = view.seats[view.viewer.seat]
        others = " · ".join(
            f"{self.names[seat.seat]} {seat.hand_count}{' face down' if seat.pozzetto_unseen else ''}"
            for seat in view.seats
            if seat.seat != mine.seat
        )
        return Panel(
            suits_apart(mine.hand),
            title=Text(f"{self.names[mine.seat]} to play", style="bold"),
            subtitle=Text(f"others hold: {others}"),
            title_align="left",
            subtitle_align="right",
            border_style="green",
        )


def piles(view: View, room: int = 0) -> Text:
    """Show the stock, the pozzetti and the pile, its top card last; with little room, only the upper part."""
    shown = Text(f"Stock {view.stock_count} · pozzetti {view.pozzetti_left} · pile ")
    if not view.discard_count:
        return shown.append("empty")
    shown.append(f"{view.discard_count}: ")
    fitting = (room - len(shown) - 2) // len("10♠ ") if room else view.discard_count
    if fitting < view.discard_count:
        shown.append("… ")
    return shown.append_text(faces(list(view.discard)[-fitting:]))
