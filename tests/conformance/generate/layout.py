"""How the vectors are laid out in their files: a field a line, small values on one line, so that diffs can be read."""

import json
from typing import Final

from burraco_conformance.values import Json

WIDTH: Final = 120
INDENT: Final = 1


def pretty(value: Json) -> str:
    """Write a JSON value; what fits on a line stands on one."""
    return "\n".join(_lines(value, 0, "")) + "\n"


def _lines(value: Json, depth: int, before: str) -> list[str]:
    indent = " " * INDENT * depth
    short = json.dumps(value, ensure_ascii=False)
    # One column is left for a comma.
    if not isinstance(value, dict | list) or (len(indent + before + short) < WIDTH and (depth or not value)):
        return [f"{indent}{before}{short}"]
    if isinstance(value, dict):
        parts = [_lines(inner, depth + 1, f"{json.dumps(key)}: ") for key, inner in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [_lines(inner, depth + 1, "") for inner in value]
        opening, closing = "[", "]"
        if all(not isinstance(inner, dict | list) for inner in value):
            parts = [_filled(value, depth + 1)]
    for part in parts[:-1]:
        part[-1] += ","
    return [f"{indent}{before}{opening}", *(line for part in parts for line in part), f"{indent}{closing}"]


def _filled(values: list[Json], depth: int) -> list[str]:
    """Numbers and words, as many on a line as fit."""
    indent = " " * INDENT * depth
    lines = [""]
    for at, value in enumerate(values):
        word = json.dumps(value, ensure_ascii=False) + ("," if at < len(values) - 1 else "")
        if lines[-1] and len(indent + lines[-1] + word) >= WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return [indent + line for line in lines]
