"""A match as lines of text, one after the other, without control codes and without pauses."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from burraco.v1.views_pb2 import View
from service.demo.display import Display, in_lines

WIDTH = 100


class PlainDisplay(Display):
    """Writes what has changed, and no more."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._shown: dict[int, list[Text]] = {}

    def turn(self, view: View, number: int) -> None:
        """Write where the deal stands, the hand, and the tables that have changed."""
        mine = view.seats[view.viewer.seat]
        self.say("", f"Deal {view.deal_number}, turn {number}: {self.names[mine.seat]} to play.")
        for side, name in enumerate(self.sides):
            melds = self.look.melds_of(view, side)
            if melds and melds != self._shown.get(side):
                self.say(*in_lines(melds, WIDTH, f"  On the table of {name}:", " " * 6))
            self._shown[side] = melds
        self._say_indented(self.look.piles(view))
        self._say_indented(Text.assemble(f"Hand of {mine.hand_count}: ", self.look.hand(mine.hand)))

    def moved(self, view: View, sentences: Iterable[Text]) -> None:  # noqa: ARG002 - the lines say it all
        """Write what has happened."""
        for sentence in sentences:
            self._say_indented(sentence)

    def counted(self, sheet: Table) -> None:
        """Write the score sheet."""
        self._shown.clear()
        self.say("", sheet, "")

    def _say_indented(self, sentence: Text) -> None:
        for line in sentence.wrap(self.console, WIDTH - 2):
            self.say(Text.assemble("  ", line))
