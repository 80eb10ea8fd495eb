"""What the contract's comments promise, read from the protos themselves."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

PROTOS: Final = Path(__file__).parents[2] / "protos/burraco/v1"
_VALUE = re.compile(r"((?:^ *//[^\n]*\n)+) *REASON_(\w+) = (\d+);", re.MULTILINE)


@lru_cache
def reason_comments() -> dict[str, str]:
    """The comment of each reason, by its name without prefix, in one line."""
    comments = {}
    for comment, name, _ in _VALUE.findall((PROTOS / "reasons.proto").read_text("utf-8")):
        comments[name] = " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())
    return comments


@lru_cache
def arguments_of(reason: str) -> frozenset[str]:
    """Names of the arguments that a reason's comment promises."""
    promised = re.search(r"Args: ([a-z_, ]+)\.", reason_comments()[reason])
    return frozenset(promised[1].split(", ")) if promised else frozenset()
