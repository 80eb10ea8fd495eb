"""The command `burraco`, as a process and in this one: what it says, to whom, and how it exits."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import pytest

from service.cli import main as command
from service.notation.parser import parse
from service.notation.printer import print_match
from service.notation.transcribe import transcribe
from service.rules.cards import texts
from service.rules.decks import of_decks
from service.rules.games import PRESETS, SeatChoice, create_match, game_of
from service.rules.moves import TAKE_PILE
from service.rules.options import Preset
from service.rules.record import Record, Replay, begin
from service.rules.state import State
from tests.notation.test_verify import EXAMPLE
from tests.support.records import played_record, random_decks, shorter

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = ROOT / "tests" / "golden"
COMMAND: Final = (sys.executable, "-m", "service.cli")
SECONDS: Final = 60
CARD: Final = re.compile(r"\b(?:10|[2-9AJQK])[SHDC]\b|\bJK\b")


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Bytes(io.StringIO):
    """Standard input, of which the command reads the bytes."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.bytes = io.BytesIO(text.encode())

    @property
    def buffer(self) -> BinaryIO:
        return self.bytes


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str, text: str = "") -> Said:
    monkeypatch.setattr(sys, "stdin", Bytes(text))
    try:
        code = command.main(arguments)
    except SystemExit as ended:
        code = int(str(ended.code))
    return Said(code, *capsys.readouterr())


@pytest.fixture
def burraco(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401  # a function
    def call(*arguments: str, text: str = "") -> Said:
        return run(monkeypatch, capsys, *arguments, text=text)

    return call


# --- replay -----------------------------------------------------------------------------------------------------------


def test_replay_tells_a_match_move_by_move(burraco: Any) -> None:  # noqa: ANN401
    """Who does what, each with the line that it stands on; scores by item; the end."""
    said = burraco("replay", "-", text=EXAMPLE)
    assert (said.code, said.err) == (0, "")
    for line in (
        "Gin, preset GIN, rules revision 1.",
        "Round the table: Anna (seat 0), Bruno (seat 1).",
        "Deal 1: Anna deals, and KH is turned up.",
        "        Bruno  5S 7S 2H 3H 9H 2D 8D 9C 10C JC",
        "  20  Bruno passes the up-card.",
        "  24  Bruno draws KD (30 left in the stock); discards KD.",
        "  26  Bruno takes QC from the pile; discards 9H.  # this was the card",
        "      ✓ refused 0: discard 9H = DISCARD_WAS_TAKEN [GI-5]",
        "  30  Anna discards 3S; knocks with 9: 4S 4H 4C / 9S 9H 9D, deadwood AS AH 2C 5C.",
        "      Anna: +18, 18 in the match",
        "          +18  Difference of deadwood",
        "      The match is over: the target is reached. It is won by Anna.",
        "The match is over. Every move is legal, 17 in all, and every claim is true, 21 in all.",
    ):
        assert line in said.out.splitlines()


def test_a_viewer_is_not_told_the_hash_of_given_decks(burraco: Any) -> None:  # noqa: ANN401  # as below
    """The id of a match of given decks follows from all their cards, so only an arbiter is told it."""
    text = (GOLDEN / "gin-knock.burraco").read_text(encoding="utf-8")
    match_id = begin(parse(text).record()).state.match.match_id.hex()  # type: ignore[union-attr]
    assert match_id in burraco("replay", "-", text=text).out
    for viewer in ("0", "1", "spectator"):
        assert match_id not in burraco("replay", "--viewer", viewer, "-", text=text).out


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
@pytest.mark.parametrize("arguments", [(), ("--hands",), ("--viewer", "1", "--hands"), ("--viewer", "spectator")])
def test_replay_tells_every_game_to_everyone(preset: Preset, arguments: Sequence[str], burraco: Any) -> None:  # noqa: ANN401
    """Whole matches of every preset, whoever looks on."""
    record, state = played_record(shorter(PRESETS[preset]), 6, 3000)
    said = burraco("replay", "-", *arguments, text=print_match(transcribe(record)))
    assert (said.code, said.err) == (0, "")
    assert f"Every move is legal, {state.revision} in all" in said.out
    assert "<" not in said.out
    assert "None" not in said.out


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        (
            "discard KD",
            "discard KS",
            1,
            (
                "Line 24, column 13: the move is illegal: CARD_NOT_IN_HAND [GI-5].\n"
                "    You do not hold KS, or not so often.\n"
                "`burraco explain` says more of line 24."
            ),
        ),
        ("total 18 0", "total 19 0", 1, "Line 37, column 1: the points of the match are 18 0."),
        (
            "revision 1",
            "revision 9",
            3,
            "Line 5, column 1: the rules are of revision 9, but revision 1 is played here.",
        ),
    ],
)
def test_replay_ends_with_what_does_not_hold(old: str, new: str, code: int, told: str, burraco: Any) -> None:  # noqa: ANN401
    """The exit code says of which kind it is."""
    assert EXAMPLE.count(old) == 1
    said = burraco("replay", "-", text=EXAMPLE.replace(old, new))
    assert (said.code, said.err) == (code, "")
    assert said.out.endswith(f"\n{told}\n")


def swapped(record: Record, state: State, viewer: int) -> Record:
    """The record with two cards swapped: one that a hidden hand has held all the time, and the lowest of the stock."""
    (deck,) = record.fairness.decks
    began = create_match(*record[:4]).state
    bottom = state.stock[-1]
    for seat, hand in enumerate(state.hands):
        if seat == viewer:
            continue
        played = {card for _, move in record.moves for card in _cards_of(move)}
        for card in began.hands[seat].cards():
            kept = hand.count(card) and card not in played and card != bottom and deck.count(card) == 1
            if kept and deck.count(bottom) == 1 and bottom not in played:
                other = bytes(bottom if each == card else card if each == bottom else each for each in deck)
                return record._replace(fairness=of_decks((other,)))
    raise AssertionError("nothing hidden can be swapped")


def _cards_of(move: Any) -> bytes:  # noqa: ANN401  # any move
    card = getattr(move, "card", 0) or getattr(move, "discard", 0)
    return bytes(getattr(move, "cards", b"")) + bytes((card,))


@pytest.mark.parametrize("viewer", ["1", "spectator"])
@pytest.mark.parametrize("seed", range(1, 12, 2))
def test_a_viewer_is_told_nothing_that_is_hidden_from_it(seed: int, viewer: str, burraco: Any) -> None:  # noqa: ANN401
    """Cards that the viewer cannot know may be others, and nothing of what it is told changes but the match's id."""
    rules = PRESETS[Preset.GIN]
    record = Record(rules, random_decks(rules, seed, 1), "a match", SeatChoice(dealer=1))
    record = record._replace(moves=played_record(rules, seed, 9, record.fairness)[0].moves)
    again = Replay(record)
    state = [step.after for step in again][-1]
    assert not state.over
    seat = 1 if viewer == "1" else -1
    told = []
    for each in (record, swapped(record, state, seat)):
        match = transcribe(each)
        said = burraco("replay", "-", "--viewer", viewer, "--hands", text=print_match(match))
        assert said.code == 0, said
        told.append(said.out.replace(match.match_id.hex(), "MATCH"))
    assert told[0] == told[1]
    assert CARD.search(told[0])


@pytest.mark.parametrize("viewer", ["1", "spectator"])
def test_a_viewer_gets_no_claims_comments_or_hidden_truths(viewer: str, burraco: Any) -> None:  # noqa: ANN401
    """What a text claims may be of hidden cards; where it is wrong, a viewer is told the place alone."""
    wrong = EXAMPLE.replace("hand 0: AS 3S", "hand 0: AS 2S")
    said = burraco("replay", "-", "--viewer", viewer, text=wrong)
    assert said.code == 1
    assert said.out.splitlines()[-1] == "Line 18, column 1: the text does not hold here (false)."
    assert "AS 3S" not in said.out
    right = burraco("replay", "-", "--viewer", viewer, text=EXAMPLE)
    assert "✓" not in right.out
    assert "#" not in right.out
    assert "draws a card (29 left" in right.out


# --- explain ----------------------------------------------------------------------------------------------------------


def test_explain_says_why_a_move_is_illegal(burraco: Any) -> None:  # noqa: ANN401
    """Every violation with its text, its reason, its rule and the rule's words, and what is open instead."""
    said = burraco("explain", "-", text=EXAMPLE.replace("discard KD", "discard KS"))
    assert (said.code, said.err) == (1, "")
    words = " ".join(said.out.split())
    assert "Line 24, column 13: Bruno (seat 1): discard KS It is illegal. Bruno holds 5S 7S 2H 3H 9H 2D 8D KD" in words
    assert "1. You do not hold KS, or not so often. CARD_NOT_IN_HAND, rule GI-5 GI-5: In a turn you draw" in words
    assert words.endswith("Open to Bruno now: discard, resign.")


def test_explain_says_what_a_legal_line_does(burraco: Any) -> None:  # noqa: ANN401
    """A turn's moves one by one, and the hand then."""
    said = burraco("explain", "-", "24", text=EXAMPLE)
    assert said == Said(
        0,
        "Bruno (seat 1): draw\n"
        "  It is legal. What it does:\n"
        "  - Bruno draws KD (30 left in the stock).\n"
        "Bruno (seat 1): discard KD\n"
        "  It is legal. What it does:\n"
        "  - Bruno discards KD.\n"
        "The hand then: 5S 7S 2H 3H 9H 2D 8D 9C 10C JC.\n",
        "",
    )


def test_explain_explains_a_refusal_that_a_text_claims(burraco: Any) -> None:  # noqa: ANN401
    """The claim is true, and why."""
    said = burraco("explain", "-", "28", text=EXAMPLE)
    assert said.code == 0
    assert "It is true here." in said.out
    assert "You took 9H from the pile this turn: discard another card." in said.out


def test_explain_finds_nothing_wrong(burraco: Any) -> None:  # noqa: ANN401
    """A match that holds."""
    assert burraco("explain", "-", text=EXAMPLE) == Said(
        0, "Every move is legal, 17 in all, and every claim is true.\n", ""
    )


def test_explain_of_a_line_beyond_the_break_says_where_that_is(burraco: Any) -> None:  # noqa: ANN401
    """The text has to hold up to the line."""
    said = burraco("explain", "-", "44", text=EXAMPLE.replace("discard KD", "discard KS"))
    assert said.code == 1
    assert said.out.startswith("The text breaks off before line 44.\nLine 24, column 13: ")


@pytest.mark.parametrize("line", ["1", "2", "16", "999"])
def test_explain_of_a_line_without_a_move_says_so(line: str, burraco: Any) -> None:  # noqa: ANN401
    """Lines of the head, blanks, and lines that are not there."""
    said = burraco("explain", "-", line, text=EXAMPLE)
    assert said == Said(2, "", f"burraco: no turn or claim begins on line {line} of standard input\n")


def test_explain_shows_the_rule_behind_a_ruling(burraco: Any) -> None:  # noqa: ANN401
    """A ruling is no rule of the book: those that it corrects are shown."""
    rules = PRESETS[Preset.TWO_PLAYER]
    begun = (played_record(rules, seed, 0) for seed in range(30))
    record, state = next(each for each in begun if game_of(each[1]).judge(each[1], each[1].seat, TAKE_PILE).faults)
    said = burraco("explain", "-", text=f"{print_match(transcribe(record))}{state.seat}: take\n")
    assert said.code == 1
    assert "PILE_TOP_NOT_USABLE, rule R2 B2-5: The pile may be taken only if its top card" in " ".join(said.out.split())


def test_explain_shows_the_option_behind_a_refusal(burraco: Any) -> None:  # noqa: ANN401
    """Where a row of the option table decides, the option is shown with its value here."""
    record, state = played_record(PRESETS[Preset.INTERNATIONAL], 7, 0)
    card = texts(state.hands[state.seat].cards()[:1])
    said = burraco("explain", "-", text=f"{print_match(transcribe(record))}{state.seat}: take; discard {card}\n")
    assert said.code == 1
    words = " ".join(said.out.split())
    assert "MUST_MELD_FIRST, rule row 6 pile_take: On what condition the discard pile may be taken. Here: " in words


# --- format -----------------------------------------------------------------------------------------------------------


def test_format_prints_the_canonical_form(burraco: Any) -> None:  # noqa: ANN401
    """The same text again if it is canonical; else the form that it has."""
    assert burraco("format", "-", text=EXAMPLE) == Said(0, EXAMPLE, "")
    loose = EXAMPLE.replace("0: pass", "0 :pass").replace("\n", "\r\n") + "\n\n"
    assert burraco("format", "-", text=loose).out == EXAMPLE
    assert burraco("format", "-", text="\ufeff" + EXAMPLE).out == EXAMPLE


def test_format_takes_what_is_illegal(burraco: Any) -> None:  # noqa: ANN401
    """Form is one thing, law another."""
    text = EXAMPLE.replace("discard KD", "discard KS")
    assert burraco("format", "-", text=text) == Said(0, text, "")
    assert parse(text).names == ("Anna", "Bruno")


# --- what cannot be read ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text", "told"),
    [
        (("replay", "-"), "burraco 1\n0: dscard\n", "burraco: standard input, line 2, column 1: the head ends here"),
        (("replay", "no such file"), "", "burraco: no such file cannot be read: No such file or directory"),
        (("replay", "/"), "", "burraco: / cannot be read: Is a directory"),
        (("explain", "-", "0"), "", "'0' is no line: the first is 1"),
        (("explain", "-", "x"), "", "'x' is no line"),
        (("replay", "-", "--viewer", "me"), "", "'me' is no viewer: name a seat, 0 to 5, or spectator"),
        (("replay", "-", "--viewer", "2"), EXAMPLE, "there is no seat 2 in a match of 2"),
        ((), "", "the following arguments are required: COMMAND"),
        (("play", "-"), "", "invalid choice: 'play'"),
    ],
)
def test_what_cannot_be_read_exits_with_two(arguments: Sequence[str], text: str, told: str, burraco: Any) -> None:  # noqa: ANN401
    """On standard error: which file, where, what is wrong."""
    said = burraco(*arguments, text=text)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_a_text_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path, burraco: Any) -> None:  # noqa: ANN401
    """Latin-1 is not guessed."""
    file = tmp_path / "match.burraco"
    file.write_bytes(b"burraco 1\n# caff\xe8\n")
    assert burraco("replay", str(file)) == Said(2, "", f"burraco: {file}, line 2: the text is not UTF-8\n")


# --- as a process -----------------------------------------------------------------------------------------------------


def test_it_is_a_module_and_a_command() -> None:
    """`python -m service.cli`, and the script that an installation makes of it."""
    done = subprocess.run(
        [*COMMAND, "format", "-"], input=EXAMPLE, capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert (done.stdout, done.stderr) == (EXAMPLE, "")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'burraco = "service.cli.main:main"' in project


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    """A pipe into `head` is no error to write about."""
    record, _ = played_record(shorter(PRESETS[Preset.ITALIAN]), 3, 3000)
    file = tmp_path / "match.burraco"
    file.write_text(print_match(transcribe(record)), "utf-8")
    with subprocess.Popen([*COMMAND, "replay", str(file), "--hands"], stdout=-1, stderr=-1, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Burraco")
        process.stdout.close()
        assert process.wait(SECONDS) == 1
        assert process.stderr.read() == b""


def test_an_interruption_ends_it_quietly() -> None:
    """Control-C while it waits for its input."""
    with subprocess.Popen([*COMMAND, "replay", "-"], stdin=-1, stdout=-1, stderr=-1, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # It reads its input only once it runs, so a first megabyte that does not fit the pipe has gone when it does.
        process.stdin.write(b"#\n" * (1 << 19))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


def test_names_that_an_output_lacks_are_escaped() -> None:
    """A terminal without the characters gets their numbers instead of an error."""
    text = EXAMPLE.replace("Anna", "Änn♠").replace("✓", "")
    done = subprocess.run(
        [*COMMAND, "replay", "-"],
        input=text.encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert b"\\xc4nn\\u2660 (seat 0)" in done.stdout
