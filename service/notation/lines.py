"""From a text to lines of words: comments, strings, lines that are broken over several."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from service.notation.faults import NotationError, Position

MAX_CHARACTERS: Final = 1_000_000
"""Longest text that is read."""
MAX_WORDS: Final = 20_000
"""Most words and signs of a line, with all that it goes on in."""
SHOWN: Final = 40
"""Characters of the text that a message quotes."""

WORD, STRING, RULE, SIGN = "word", "string", "rule", "sign"

_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t]+)
      | (?P<remark>\#.*)
      | (?P<word>[0-9A-Za-z_-]+)
      | "(?P<string>(?:[^"\\]|\\.)*)"
      | \[(?P<rule>[^\[\]]*)\]
      | (?P<sign>[:;=,/])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r'\\(?:(["\\nrt])|u\{([0-9a-fA-F]{1,6})\}|.?)', re.DOTALL)
_NAMED: Final = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
_BARRED: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
_DIRECTIONS: Final = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""They make a text look like another."""


class Token(NamedTuple):
    """A word, a string, a rule's id in brackets, or a sign."""

    kind: str
    text: str
    at: Position

    def __str__(self) -> str:
        return {STRING: quoted(self.text), RULE: f"[{self.text}]"}.get(self.kind, f"'{shortened(self.text)}'")


class Line(NamedTuple):
    """Words that belong together, from one line or, where indented ones follow it, several."""

    tokens: tuple[Token, ...]
    """None where the line is but a comment."""
    remark: str
    at: Position
    end: Position
    """Behind its last word."""


def lines_of(text: str) -> Iterator[Line]:
    """Read a text line by line."""
    if len(text) > MAX_CHARACTERS:
        raise NotationError(Position(1, 1), f"the text has {len(text)} characters, at most {MAX_CHARACTERS} are read")
    tokens: list[Token] = []
    remarks: list[str] = []
    end = Position(1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        words, remark, width = _words(line.removesuffix("\r"), number)
        indented = line[:1] in {" ", "\t"}
        if tokens and not (indented and (words or remark is not None)):
            yield Line(tuple(tokens), " ".join(remarks), tokens[0].at, end)
            tokens, remarks = [], []
        if words:
            if indented and not tokens:
                message = "an indented line goes on with the one above, but there is none: begin it at the margin"
                raise NotationError(words[0].at, message)
            if len(tokens) + len(words) > MAX_WORDS:
                raise NotationError(words[0].at, f"the line goes on too long: at most {MAX_WORDS} words are read")
            tokens += words
            end = Position(number, width + 1)
        if remark:
            remarks.append(remark)
        if remark is not None and not tokens:
            yield Line((), remark, Position(number, 1), Position(number, width + 1))
            remarks = []
    if tokens:
        yield Line(tuple(tokens), " ".join(remarks), tokens[0].at, end)


def _words(line: str, number: int) -> tuple[list[Token], str | None, int]:
    """Words of a line, its comment if it has one, and how far its words go."""
    words: list[Token] = []
    at = width = 0
    while at < len(line):
        place = Position(number, at + 1)
        found = _TOKEN.match(line, at)
        if found is None or found.lastgroup is None:
            raise NotationError(place, _unread(line[at]))
        kind, at = found.lastgroup, found.end()
        if kind == "remark":
            return words, _remark(found[kind], place), width
        if kind == "blank":
            continue
        body = found[kind]
        if kind in {STRING, RULE}:
            _check_characters(body, Position(number, place.column + 1))
        if len(words) == MAX_WORDS:
            raise NotationError(place, f"the line goes on too long: at most {MAX_WORDS} words are read")
        words.append(Token(kind, _unescaped(body, place) if kind == STRING else body, place))
        width = at
    return words, None, width


def _unread(character: str) -> str:
    if character == '"':
        return "the string does not end: close it with another '\"' on the same line"
    if character in "[]":
        return "a rule's id stands in brackets on one line, such as [B4-31]"
    return f"{named(character)} is nothing here: comments begin with '#', names stand in quotes"


def _remark(text: str, place: Position) -> str:
    body = text[1:].replace("\t", " ")
    _check_characters(body, Position(place.line, place.column + 1))
    return body.strip(" ")


def _check_characters(text: str, place: Position) -> None:
    for at, character in enumerate(text):
        if not is_plain(character):
            message = f"{named(character)} may not stand in a text: leave it out, or escape it in a string"
            raise NotationError(Position(place.line, place.column + at), message)


def is_plain(text: str) -> bool:
    """Whether each character may stand in a text: none controls the terminal or the direction of writing."""
    if text.isascii() and text.isprintable():
        return True
    return not any(unicodedata.category(each) in _BARRED or each in _DIRECTIONS for each in text)


def named(character: str) -> str:
    """Name a character in a message."""
    return f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"


def shortened(text: str) -> str:
    """Cut what a message quotes."""
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


# --- strings ---------------------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """Write a string."""
    marks = {mark: "\\" + name for name, mark in _NAMED.items()}
    return (
        '"' + "".join(marks.get(each) or (each if is_plain(each) else f"\\u{{{ord(each):x}}}") for each in text) + '"'
    )


def _unescaped(body: str, place: Position) -> str:
    def read(found: re.Match[str]) -> str:
        if found[1]:
            return _NAMED[found[1]]
        number = int(found[2] or "d800", 16)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            at = Position(place.line, place.column + 1 + found.start())
            message = (
                f"'{found[0]}' is no escape: write \\\" \\\\ \\n \\r \\t, or \\u{{1F0CF}} with a character's number"
            )
            raise NotationError(at, message)
        return chr(number)

    return _ESCAPE.sub(read, body) if "\\" in body else body
