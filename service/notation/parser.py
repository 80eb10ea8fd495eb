"""Reading a whole text."""

from dataclasses import replace
from typing import Any, Final

from service.notation.body import Table, read_entry
from service.notation.faults import NotationError, Position
from service.notation.head import FIRST, WORDS, read_first, read_head
from service.notation.lines import WORD, Line, lines_of
from service.notation.match_text import AnyEntry, MatchText, Turn
from service.rules.games import game_with

MAX_MOVES: Final = 20_000
"""Most moves of a match: as many as ReplayMatch takes."""
MAX_ENTRIES: Final = 100_000


def parse(text: str) -> MatchText:
    """Read a text. Whether its moves are legal and its claims true is for `verify`.

    :raises NotationError: it is no match; the error says where, and what was expected.
    """
    lines = list(lines_of(text))
    first = next((line for line in lines if line.tokens), None)
    if first is None:
        raise NotationError(Position(1, 1), f"the text is empty: its first line has to be '{FIRST} 1'")
    read_first(first)
    start = _head_length(lines)
    head = lines[:start]
    end = lines[start].at if start < len(lines) else lines[-1].end
    remarks = tuple(line.remark for line in head if line.remark or not line.tokens)
    match = read_head([line for line in head if line.tokens and line is not first], remarks, end)
    return replace(match, body=_body(lines[start:], _table(match.rules)))


def _head_length(lines: list[Line]) -> int:
    """How many lines belong to the head: up to its last, comments before the body's first line not included."""
    length = 0
    for number, line in enumerate(lines, 1):
        if line.tokens:
            word = line.tokens[0]
            if word.kind != WORD or word.text not in {FIRST, *WORDS}:
                break
            length = number
    return length


def _table(rules: Any) -> Table:  # noqa: ANN401  # any game's rules
    return Table(rules.players, game_with(rules).sides(rules))


def _body(lines: list[Line], table: Table) -> tuple[AnyEntry, ...]:
    entries: list[AnyEntry] = []
    moves = 0
    for line in lines:
        if len(entries) == MAX_ENTRIES:
            raise NotationError(line.at, f"at most {MAX_ENTRIES} lines are read")
        entry = read_entry(line, table)
        if isinstance(entry, Turn):
            moves += len(entry.moves)
            if moves > MAX_MOVES:
                raise NotationError(line.at, f"at most {MAX_MOVES} moves are read")
        entries.append(entry)
    return tuple(entries)
