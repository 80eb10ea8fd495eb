"""Score sheets: every line of a deal, and the match deal by deal."""

from collections.abc import Container, Mapping, Sequence
from itertools import zip_longest

from rich import box
from rich.table import Table
from rich.text import Text

from burraco.v1.melds_pb2 import Meld
from burraco.v1.scores_pb2 import MatchResult, ScoreItem, ScoreLine, ScoreSheet
from service.demo.faces import meld_text
from service.demo.look import Names

PENALTIES = {
    ScoreItem.SCORE_ITEM_PENALTY_CARDS: "Cards left in hand",
    ScoreItem.SCORE_ITEM_CLOSED_IN_HAND: "Another closed in hand",
}
OF_PLAYERS = {
    ScoreItem.SCORE_ITEM_HAND_CARDS: "Cards left with {name}",
    ScoreItem.SCORE_ITEM_POZZETTO_NOT_PLAYED: "Unplayed pozzetto of {name}",
}


def deal_sheet(sheet: ScoreSheet, melds: Sequence[Meld], names: Names, sides: Names) -> Table:
    """Show the score of a deal, both sides beside each other, line by line."""
    by_id = {meld.meld_id: meld for meld in melds}
    table = _table(f"Score of deal {sheet.deal_number}")
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


def penalty_sheet(sheet: ScoreSheet, sides: Names, out: Container[int]) -> Table:
    """Show the penalty points of a deal, a column for each player; `out` are the sides that did not play it."""
    table = _table(f"Score of deal {sheet.deal_number}")
    table.add_column("penalty points", footer="this deal\nmatch so far")
    for side in sheet.sides:
        deal = "out" if side.side in out else f"{side.deal_points:+}"
        totals = Text(f"{deal}\n{side.match_points}", style="bold")
        table.add_column(sides[side.side], footer=totals, justify="right", min_width=8)
    items = dict.fromkeys(line.item for side in sheet.sides for line in side.lines)
    for item in items:
        counted = [[line for line in side.lines if line.item == item] for side in sheet.sides]
        text = PENALTIES.get(item) or next(line.text for lines in counted for line in lines)
        table.add_row(text, *(Text("\n").join(_points(line.points) for line in lines) for lines in counted))
    return table


def match_sheet(sheets: Sequence[ScoreSheet], sides: Names, out: Sequence[Container[int]]) -> Table:
    """Show the match, a line for each deal; `out` are the sides that did not play each."""
    table = _table("The match")
    table.add_column("deal", footer="total", justify="right")
    for name, side in zip(sides, sheets[-1].sides, strict=True):
        table.add_column(name, footer=Text(str(side.match_points), style="bold"), justify="right", min_width=8)
    for sheet, gone in zip(sheets, out, strict=False):
        points = [Text() if side.side in gone else _points(side.deal_points) for side in sheet.sides]
        table.add_row(str(sheet.deal_number), *points)
    return table


def winner(result: MatchResult, sides: Names) -> Text:
    """Say who has won, the most points first."""
    points = " to ".join(map(str, sorted(result.match_points, reverse=True)))
    if len(result.winning_sides) != 1:
        return Text(f"The match is drawn, {points}.", style="bold")
    name = sides[result.winning_sides[0]]
    return Text(f"{name} {'win' if '&' in name else 'wins'} the match, {points}.", style="bold green")


def survivor(result: MatchResult, sides: Names) -> Text:
    """Say who has won a match of penalty points, with everyone's, the fewest first."""
    order = sorted(range(len(sides)), key=lambda side: (side not in result.winning_sides, result.match_points[side]))
    points = ", ".join(f"{sides[side]} {result.match_points[side]}" for side in order)
    winners = " and ".join(sides[side] for side in result.winning_sides)
    return Text(
        f"{winners} {'win' if len(result.winning_sides) > 1 else 'wins'} the match: {points}.", style="bold green"
    )


def _table(title: str) -> Table:
    return Table(title=title, box=box.ROUNDED, show_footer=True, title_style="bold")


def _line(line: ScoreLine, melds: Mapping[int, Meld], names: Names) -> Text:
    if line.item in OF_PLAYERS:
        return Text(OF_PLAYERS[line.item].format(name=names[line.seat]))
    if line.item == ScoreItem.SCORE_ITEM_MELD_CARDS and line.meld_id in melds:
        return meld_text(melds[line.meld_id])
    if line.meld_id in melds:
        return Text.assemble(line.text, ": ", meld_text(melds[line.meld_id]))
    return Text(line.text)


def _points(points: int) -> Text:
    return Text(f"{points:+}", style="red" if points < 0 else "")
