"""Choosing the display that suits an output: a terminal, or plain lines."""

import codecs
import io
from typing import TextIO

from rich.console import Console

from service.demo.display import Display
from service.demo.plain import WIDTH, PlainDisplay
from service.demo.terminal import TerminalDisplay

NARROWEST, WIDEST = 60, 120
ASCII = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "·": "|", "…": "..."}


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
        width=WIDTH,
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
