"""How a game is shown: what of its table there is to see, and what its points mean."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.text import Text

from burraco.cards import CardValue
from burraco.v1.views_pb2 import SideView, View
from service.demo.faces import face, faces, marked_meld, suits_apart

Names: TypeAlias = Sequence[str]


def no_note(_view: View, _side: SideView, _names: Names) -> str:
    """Nothing is noted of a side."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is the same in all deals of a game."""

    melds: bool = True
    """Whether melds lie on the table while the deal lasts."""
    pozzetti: bool = False
    """Whether there are pozzetti."""
    whole_pile: bool = False
    """Whether the pile is taken as a whole, so that all of it is of interest."""
    penalties: bool = False
    """Whether points are bad, and too many put a player out."""
    suits_once: bool = False
    """Whether a set has each suit once."""
    note: Callable[[View, SideView, Names], str] = no_note
    """What is noted of a side beside its melds."""
    hand: Callable[[Iterable[CardValue]], Text] = suits_apart
    """How the hand of the seat to move is shown."""
    left: Callable[[Iterable[CardValue]], Text] = faces
    """How a hand is shown that is laid open."""

    def piles(self, view: View, room: int = 0) -> Text:
        """Show the stock, the pozzetti and the pile, its top card last; with little room, only the upper part."""
        pozzetti = f" · pozzetti {view.pozzetti_left}" if self.pozzetti else ""
        shown = Text(f"Stock {view.stock_count}{pozzetti} · pile ")
        if not view.discard_count:
            return shown.append("empty")
        shown.append(str(view.discard_count))
        if not self.whole_pile:
            return shown.append(", on top ").append_text(face(view.discard[-1]))
        shown.append(": ")
        fitting = (room - len(shown) - 2) // len("10♠ ") if room else view.discard_count
        if fitting < view.discard_count:
            shown.append("… ")
        return shown.append_text(faces(list(view.discard)[-fitting:]))

    def melds_of(self, view: View, side: int) -> list[Text]:
        """Show the melds of a side."""
        return [marked_meld(meld, suits_once=self.suits_once) for meld in view.melds if meld.side == side]


def burraco_note(view: View, side: SideView, names: Names) -> str:  # noqa: ARG001
    """Note what a side's table is worth, and who has its pozzetto."""
    taken = side.HasField("pozzetto_taken_by")
    pozzetto = f"pozzetto: {names[side.pozzetto_taken_by]}" if taken else "no pozzetto yet"
    return f"table {side.table_points} · {pozzetto}"


def out_note(view: View, side: SideView, names: Names) -> str:  # noqa: ARG001
    """Note that a player is out."""
    return "out" if view.seats[side.side].out else ""


def opening_note(view: View, side: SideView, names: Names) -> str:
    """Note that a player is out, or has not opened."""
    opened = any(meld.side == side.side for meld in view.melds)
    return out_note(view, side, names) or ("" if opened else "not opened")
