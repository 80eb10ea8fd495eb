"""The command line: arguments, files, exit codes."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from service.cli.explain import explain_line, explain_match
from service.cli.narrate import Options, narrate
from service.notation.faults import NotationError
from service.notation.follow import Problem, Trouble
from service.notation.lines import MAX_CHARACTERS
from service.notation.match_text import MatchText
from service.notation.parser import parse
from service.notation.printer import print_match
from service.rules.events import SPECTATOR

VERIFIED: Final = 0
BROKEN: Final = 1
"""A move is illegal, or a claim false."""
UNREADABLE: Final = 2
"""The text or the arguments cannot be understood, as argparse has it."""
DIVERGED: Final = 3
"""The text is of another revision of the rules: nothing is said of it."""
INTERRUPTED: Final = 130
STANDARD_INPUT: Final = "-"
MAX_BYTES: Final = 4 * MAX_CHARACTERS
PIECE: Final = 1 << 16


class Unreadable(Exception):  # noqa: N818  # what is the case
    """What was named cannot be read; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of the process."""
    chosen = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code: int = chosen.run(chosen)
        sys.stdout.flush()
    except Unreadable as error:
        print(f"burraco: {error}", file=sys.stderr)
        return UNREADABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough. What is left of it goes nowhere, so that the exit is quiet too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="burraco",
        description="Plays written matches again. docs/notation.md describes how they are written.",
        epilog="Exit codes: 0 all is well; 1 a move is illegal or a claim false; 2 the text or the arguments cannot be "
        "read; 3 the text is of another revision of the rules.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    replay = _command(commands, "replay", "play a match again, move by move, and check what its text claims", _replay)
    replay.add_argument(
        "--viewer",
        type=_viewer,
        metavar="SEAT|spectator",
        help="show what this seat, or a spectator, may know; without it everything is shown, hidden cards included",
    )
    replay.add_argument("--hands", action="store_true", help="show hands, melds and pile after each turn")
    explain = _command(commands, "explain", "say why a move is illegal, or what a legal one does", _explain)
    explain.add_argument(
        "line",
        nargs="?",
        type=_line,
        metavar="LINE",
        help="a line of the text; without it, the first that does not hold",
    )
    _command(commands, "format", "print a match in its canonical form", _format)
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    text: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    command.add_argument("file", metavar="FILE", help="the text of a match; - reads standard input")
    command.set_defaults(run=run)
    return command


def _viewer(word: str) -> int:
    if word == "spectator":
        return SPECTATOR
    if word.isascii() and word.isdigit() and len(word) == 1:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is no viewer: name a seat, 0 to 5, or spectator")


def _line(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) <= 9 and int(word):
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is no line: the first is 1")


def _replay(chosen: argparse.Namespace) -> int:
    match = _read(chosen.file)
    players = len(match.names) or match.rules.players  # type: ignore[attr-defined]  # every game's rules have it
    if chosen.viewer is not None and chosen.viewer >= players:
        raise Unreadable(f"argument --viewer: there is no seat {chosen.viewer} in a match of {players}")
    problem: Problem | None = None
    for lines in narrate(match, Options(chosen.viewer, hands=chosen.hands)):
        if isinstance(lines, Problem):
            problem = lines
        else:
            _say(lines)
    return _code(problem)


def _explain(chosen: argparse.Namespace) -> int:
    match = _read(chosen.file)
    explained = explain_match(match) if chosen.line is None else explain_line(match, chosen.line)
    if explained is None:
        raise Unreadable(f"no turn or claim begins on line {chosen.line} of {_name(chosen.file)}")
    _say(explained.lines)
    return _code(explained.problem)


def _format(chosen: argparse.Namespace) -> int:
    sys.stdout.write(print_match(_read(chosen.file)))
    return VERIFIED


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _code(problem: Problem | None) -> int:
    if problem is None:
        return VERIFIED
    return DIVERGED if problem.trouble is Trouble.DIVERGED else BROKEN


def _read(file: str) -> MatchText:
    name = _name(file)
    try:
        if file == STANDARD_INPUT:
            content = _whole(sys.stdin.buffer)
        else:
            with Path(file).open("rb") as opened:
                content = _whole(opened)
    except OSError as error:
        raise Unreadable(f"{name} cannot be read: {error.strerror or error}") from None
    try:
        return parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"{name}, line {line}: the text is not UTF-8") from None
    except NotationError as error:
        raise Unreadable(f"{name}, {error}") from None


def _whole(source: Any) -> bytes:  # noqa: ANN401  # any buffered source of bytes
    """Read all there is, up to what no text has; piece by piece, so that an interruption is noticed between them."""
    content = bytearray()
    while len(content) <= MAX_BYTES and (piece := source.read1(PIECE)):
        content += piece
    return bytes(content)


def _name(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file
