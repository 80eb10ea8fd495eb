"""What is wrong with a text, and where."""

from typing import Final, NamedTuple


class Position(NamedTuple):
    """A place in a text, both counted from 1; columns are characters."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


NOWHERE: Final = Position(0, 0)
"""Of what was not read from a text."""


class NotationError(Exception):
    """A text is no match: where, what stands there, and what was expected."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(f"{position}: {message}")
        self.position = position
        self.message = message
