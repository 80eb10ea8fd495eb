"""Score sheets: every line of a deal, and the match deal by deal."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich import box
from rich.table import Table
from rich.text import Text

from burraco.v1.melds_pb2 import Meld
from burraco.v1.scores_pb2 import MatchResult, ScoreItem, ScoreLine, ScoreSheet
from service.demo.faces import meld_text


def deal_sheet(sheet: ScoreSheet, melds: Sequence[Meld], names: Sequence[str], sides: Sequence[str]) -> Table:
    """Show the score of a deal, both sides beside each other, line by line."""
    by_id = {meld.meld_id: meld for meld in melds}
    table = Table(title=f"Score of deal {sheet.deal_number}", box=box.ROUNDED, show_footer=True, title_style="bold")
    for side in sheet.sides:
        totals = Text(f"{side.deal_points:+}\n{side.match_points}", style="bold")
        table.add_column(sides[side.side], footer="this deal\nmatch so far", ratio=1)
        table.add_column("points", footer=totals, justify="right", min_width=6)
    columns: list[list[Text]] = []
    for side in sheet.sides:
        columns += [[_line(line, by_id, names) for line in side.lines], [_points(line.points) for line in side.lines]]
    for cells in zip_longest(*columns, fillvalue=Text()):
        table.add_row(*cells)
    return table


def match_sheet(sheets: Sequence[ScoreSheet], sides: Sequence[str]) -> Table:
    """Show the match, a line for each deal."""
    table = Table(title="The match", box=box.ROUNDED, show_footer=True, title_style="bold")
    table.add_column("deal", footer="total", justify="right")
    for name, side in zip(sides, sheets[-1].sides, strict=True):
        table.add_column(name, footer=Text(str(side.match_points), style="bold"), justify="right", min_width=8)
    for sheet in sheets:
        table.add_row(str(sheet.deal_number), *(_points(side.deal_points) for side in sheet.sides))
    return table


def winner(result: MatchResult, sides: Sequence[str]) -> Text:
    """Say who has won."""
    points = " to ".join(map(str, sorted(result.match_points, reverse=True)))
    if len(result.winning_sides) != 1:
        return Text(f"The match is drawn, {points}.", style="bold")
    return Text(f"{sides[result.winning_sides[0]]} win the match, {points}.", style="bold green")


def _line(line: ScoreLine, melds: Mapping[int, Meld], names: Sequence[str]) -> Text:
    if line.HasField("seat"):
        return Text(f"Cards left with {names[line.seat]}")
    if line.item == ScoreItem.SCORE_ITEM_MELD_CARDS and line.meld_id in melds:
        return meld_text(melds[line.meld_id])
    if line.meld_id in melds:
        return Text.assemble(line.text, ": ", meld_text(melds[line.meld_id]))
    return Text(line.text)


def _points(points: int) -> Text:
    return Text(f"{points:+}", style="red" if points < 0 else "")
