"""How the demo shows a match."""

import io

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from burraco.v1.scores_pb2 import MatchResult, ScoreItem, ScoreLine, ScoreSheet, SideScore
from burraco.v1.views_pb2 import View
from service.demo.display import Display
from service.demo.faces import faces, meld_text
from service.demo.games import BURRACO, GAMES
from service.demo.look import Look
from service.demo.output import display_for
from service.demo.plain import WIDTH, PlainDisplay
from service.demo.sheet import deal_sheet, match_sheet, penalty_sheet, survivor, winner
from service.demo.terminal import TerminalDisplay
from tests.demo.positions import CLEAN, DIRTY, SEQUENCE, SET, alone, laid, position

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
NAMES = ["Anna", "Bruno", "Carla", "Dario"]
SIDES = ["Anna & Carla", "Bruno & Dario"]
MELDS = [
    laid(1, 0, "3S 4S 5S 6S JK 8S 9S", SEQUENCE, 4, DIRTY),
    laid(2, 1, "KS KH KH 2C", SET, 3),
    laid(3, 0, "2H 3H 4H 5H 6H 7H 8H", SEQUENCE, burraco=CLEAN),
    *(laid(number, 0, "4D 5D 6D 7D 8D") for number in range(4, 12)),
]
VIEW = position("AS 3S 10S 2H 9H JK", melds=MELDS, pile="9D KS 3H", taken_by=[1])
SHEET = ScoreSheet(
    deal_number=1,
    sides=[
        SideScore(
            side=0,
            lines=[
                ScoreLine(item=ScoreItem.SCORE_ITEM_MELD_CARDS, points=80, meld_id=1, text="Cards of meld 1"),
                ScoreLine(item=ScoreItem.SCORE_ITEM_DIRTY_BURRACO, points=100, meld_id=1, text="Dirty burraco, meld 1"),
            ],
            deal_points=180,
            match_points=580,
        ),
        SideScore(
            side=1,
            lines=[
                ScoreLine(item=ScoreItem.SCORE_ITEM_HAND_CARDS, points=-30, seat=3, text="Cards left, seat 3"),
                ScoreLine(item=ScoreItem.SCORE_ITEM_POZZETTO_NOT_PLAYED, points=-100, seat=1, text="Not played"),
            ],
            deal_points=-130,
            match_points=-130,
        ),
    ],
)


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def shown_plain(encoding: str, view: View = VIEW) -> str:
    """Show a turn and a sheet without a terminal, and read back what was written."""
    written = io.BytesIO()
    stdout = io.TextIOWrapper(written, encoding=encoding)
    display = display_for(stdout, fast=False)
    assert isinstance(display, PlainDisplay)
    show(display, view)
    stdout.flush()
    return written.getvalue().decode(encoding)


def show(display: Display, view: View) -> None:
    """Show one turn, and the scores."""
    with display:
        display.introduce(NAMES, SIDES, BURRACO)
        display.turn(view, 7)
        display.moved(view, [Text.assemble("Anna takes the pile: ", faces(view.discard), ".")])
        display.counted(deal_sheet(SHEET, view.melds, NAMES, SIDES))
        display.say(match_sheet([SHEET], SIDES, [()]))


def test_plain_lines_say_all() -> None:
    """Without a terminal the turn, the hand, the melds, the piles, what happened and the scores are lines."""
    text = shown_plain("utf-8")
    for part in (
        "Deal 1, turn 7: Anna to play.",
        "On the table of Anna & Carla:   ♠ 3 4 5 6 [JK] 8 9  dirty burraco   ♥ 2 3 4 5 6 7 8  clean burraco",
        "On the table of Bruno & Dario:   K ♠ ♥ ♥ [2♣]",
        "Stock 30 · pozzetti 1 · pile 3: 9♦ K♠ 3♥",
        "Hand of 6: A♠ 3♠ 10♠   2♥ 9♥   JK",
        "Anna takes the pile: 9♦ K♠ 3♥.",
        "│ ♠ 3 4 5 6 [JK] 8 9 ",
        "Dirty burraco, meld 1: ♠ 3 4 5 6 [JK] 8 9",
        "Cards left with Dario",
        "Unplayed pozzetto of Bruno",
        "+80",
        "580",
        "-30",
        "-130",
    ):
        assert part in text


def test_plain_lines_have_no_control_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but text and line ends is written, whatever the environment says about colour."""
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("COLUMNS", "30")
    text = shown_plain("utf-8")
    assert all(one.isprintable() or one == "\n" for one in text)
    assert max(map(len, text.splitlines())) <= WIDTH


def test_plain_lines_in_ascii() -> None:
    """Where the output knows no suit signs, letters stand for them, and tables are drawn with plain lines."""
    text = shown_plain("ascii")
    assert "On the table of Bruno & Dario:   K S H H [2C]" in text
    assert "?" not in text


def test_unchanged_tables_are_not_repeated() -> None:
    """The melds of a side are written again only when they have changed."""
    written = io.BytesIO()
    display = display_for(io.TextIOWrapper(written, encoding="utf-8"), fast=True)
    display.introduce(NAMES, SIDES, BURRACO)
    display.turn(VIEW, 7)
    display.turn(VIEW, 8)
    display.console.file.flush()
    assert written.getvalue().decode().count("On the table of") == 2


def test_melds_are_not_broken_over_lines() -> None:
    """A line of melds ends between two of them."""
    lines = [line for line in shown_plain("utf-8").splitlines() if "♦ 4" in line]
    assert len(lines) > 1
    assert sum(line.count("♦ 4 5 6 7 8") for line in lines) == 8


@pytest.mark.parametrize("size", [(24, 80), (50, 200)])
def test_terminal(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """On a terminal the table is drawn in place, and what happens stays above it."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LINES", str(size[0]))
    monkeypatch.setenv("COLUMNS", str(size[1]))
    stdout = Terminal()
    display = display_for(stdout, fast=True)
    assert isinstance(display, TerminalDisplay)
    show(display, VIEW)
    text = stdout.getvalue()
    assert "\x1b[" in text
    assert "╭─" in text
    assert "Anna to play" in text
    assert text.count(HIDE_CURSOR) == text.count(SHOW_CURSOR) == 1


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that cannot move its cursor gets plain lines."""
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(display_for(Terminal(), fast=True), PlainDisplay)


def test_melds_show_roles() -> None:
    """A wild stands in brackets where it lies; a natural two is a card like any other."""
    assert meld_text(laid(1, 0, "2S 3S JK 5S", SEQUENCE, 2)).plain == "♠ 2 3 [JK] 5"
    assert meld_text(laid(1, 0, "2H 6C 7C", SEQUENCE, 0)).plain == "♣ [2♥] 6 7"
    assert meld_text(laid(1, 0, "10S 10D 2C", SET, 2)).plain == "10 ♠ ♦ [2♣]"
    assert meld_text(laid(1, 0, "2H 6C 7C", SEQUENCE, 0, wild_as="5C")).plain == "♣ [2♥=5] 6 7"
    assert meld_text(laid(1, 0, "10S 10D JK", SET, 2, wild_as="10C")).plain == "10 ♠ ♦ [JK=♣]"


def test_winner() -> None:
    """The winner is named with both totals; a draw is called one."""
    assert winner(MatchResult(winning_sides=[1], match_points=[1800, 2100]), SIDES).plain == (
        "Bruno & Dario win the match, 2100 to 1800."
    )
    assert winner(MatchResult(winning_sides=[0, 1], match_points=[5, 5]), SIDES).plain == (
        "The match is drawn, 5 to 5."
    )
    assert winner(MatchResult(winning_sides=[0], match_points=[310, 90]), NAMES[:2]).plain == (
        "Anna wins the match, 310 to 90."
    )


def test_survivor() -> None:
    """Who wins a match of penalty points is named first, then the others, the fewest points first."""
    one = MatchResult(winning_sides=[2], match_points=[140, 101, 45, 103])
    assert survivor(one, NAMES).plain == "Carla wins the match: Carla 45, Bruno 101, Dario 103, Anna 140."
    shared = MatchResult(winning_sides=[0, 2], match_points=[105, 120, 105, 130])
    assert survivor(shared, NAMES).plain == "Anna and Carla win the match: Anna 105, Carla 105, Bruno 120, Dario 130."


PENALTIES = ScoreSheet(
    deal_number=2,
    sides=[
        SideScore(side=0, match_points=20),
        *(
            SideScore(
                side=side,
                lines=[
                    ScoreLine(item=ScoreItem.SCORE_ITEM_PENALTY_CARDS, points=left, seat=side, text="Cards left"),
                    ScoreLine(item=ScoreItem.SCORE_ITEM_CLOSED_IN_HAND, points=25, seat=side, text="Penalty"),
                ],
                deal_points=left + 25,
                match_points=left + 50,
            )
            for side, left in ((1, 9), (2, 17), (3, 55))
        ),
    ],
)
SCALA = alone(
    "AS 3S 10S 2H 9H JK",
    melds=[laid(1, 2, "3S JK 5S", SEQUENCE, 1, wild_as="4S"), laid(2, 2, "KS KH JK", SET, 2, wild_as="KD")],
    pile="9D KS 3H",
    players=4,
)


def shown(look: Look, view: View, sheet: Table, *, width: int = 0) -> list[str]:
    """Show a turn and a sheet of a game where each plays for himself, plain or drawn so wide."""
    written = io.StringIO()
    if width:
        console = Console(file=Terminal(), width=width, height=30, force_terminal=True)
        drawn: Display = TerminalDisplay(console, pause=False)
    else:
        drawn = PlainDisplay(Console(file=written, width=WIDTH))
    drawn.introduce(NAMES[: len(view.seats)], NAMES[: len(view.seats)], look)
    drawn.turn(view, 7)
    drawn.counted(sheet)
    if isinstance(drawn, TerminalDisplay):
        Console(file=written, width=width).print(drawn._frame(view))
    return written.getvalue().splitlines()


def test_four_players_each_for_himself() -> None:
    """The melds are shown by owner, of the pile only its top, and of the points a column for each player."""
    lines = shown(GAMES["scala40"].look, SCALA, penalty_sheet(PENALTIES, NAMES, ()))
    assert "  On the table of Carla:   ♠ 3 [JK=4] 5   K ♠ ♥ [JK=♦]" in lines
    assert "  Stock 30 · pile 3, on top 3♥" in lines
    assert [line.strip("│ ").split() for line in lines if "left in" in line or "closed" in line or "far" in line] == [
        ["Cards", "left", "in", "hand", "│", "│", "+9", "│", "+17", "│", "+55"],
        ["Another", "closed", "in", "hand", "│", "│", "+25", "│", "+25", "│", "+25"],
        ["match", "so", "far", "│", "20", "│", "59", "│", "67", "│", "105"],
    ]


def test_four_tables_on_a_terminal() -> None:
    """Four tables stand two by two, with who has not opened and who is out."""
    view = View()
    view.CopyFrom(SCALA)
    view.seats[3].out = True
    lines = shown(GAMES["scala40"].look, view, penalty_sheet(PENALTIES, NAMES, ()), width=80)
    assert all(len(line) <= 80 for line in lines)
    assert any("─ Carla ─" in line and "─ Dario ─" in line for line in lines)
    assert sum(line.count("not opened") for line in lines) == 2
    assert sum(line.count(" out ") for line in lines) == 1
    assert any("others hold: Bruno 7 · Carla 7 ─╯" in line for line in lines)


def test_gin_shows_the_deadwood() -> None:
    """A hand of Gin is shown in its melds, and there is no table to show."""
    view = alone("7S 8S 9S KD 2C", pile="9D 3H")
    for width in (0, 80):
        lines = shown(GAMES["gin"].look, view, deal_sheet(SHEET, [], NAMES, NAMES), width=width)
        assert any("7♠ 8♠ 9♠ · K♦ 2♣ (deadwood 12)" in line for line in lines)
        assert not any("Bruno ─" in line or "table" in line for line in lines)


def test_many_melds_are_packed() -> None:
    """Melds that would make a table too high share lines."""
    view = alone("7S", melds=[laid(number, 0, "4D 5D 6D") for number in range(1, 20)], players=4)
    lines = shown(GAMES["ramino"].look, view, penalty_sheet(PENALTIES, NAMES, ()), width=80)
    assert sum(line.count("♦ 4 5 6") for line in lines) == 19
    assert len(lines) < 24
