"""JSON values of a vector: paths into them, references to what earlier steps saved, and differences."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

Json: TypeAlias = Any
"""What a JSON file can hold."""

Step: TypeAlias = str | int
"""A key of an object, or an index of an array."""

PART: Final = re.compile(r"\.?(\w+)|\[(\d+|\*)\]")
ABSENT: Final = "(absent)"
"""Stands in a difference for what is not there."""


class Difference(NamedTuple):
    """A place where an answer is not what was expected."""

    path: str
    expected: Json
    actual: Json

    def __str__(self) -> str:
        return f"{self.path or '(whole)'}: expected {self.expected!r}, actual {self.actual!r}"


# --- paths -----------------------------------------------------------------------------------------------------------


def steps_of(path: str) -> list[Step]:
    """Read a path such as `accepted.updates[0].view`; `*` is every index of an array."""
    found: list[Step] = []
    at = 0
    while at < len(path):
        part = PART.match(path, at)
        if part is None:
            raise ValueError(f"{path!r} is no path")
        name, index = part.groups()
        found.append(name or (index if index == "*" else int(index)))
        at = part.end()
    return found


def at_path(value: Json, path: str) -> Json:
    """The value at a path without `*`. :raises LookupError: there is none."""
    for step in steps_of(path):
        found = next(_inside(value, step), None) if step != "*" else None
        if found is None:
            raise LookupError(path)
        value = found
    return value


def take_out(value: Json, path: str) -> list[Json]:
    """Remove what a path leads to, in place, and give it: nothing where it leads nowhere."""
    *way, last = steps_of(path)
    holders = [value]
    for step in way:
        holders = [inner for holder in holders for inner in _inside(holder, step)]
    taken = []
    for holder in holders:
        if isinstance(holder, dict) and last in holder:
            taken.append(holder.pop(last))
        elif isinstance(last, int) or last == "*":
            raise ValueError(f"{path!r} has to end with a name: an array keeps its length")
    return taken


def _inside(holder: Json, step: Step) -> Iterator[Json]:
    if step == "*":
        yield from holder if isinstance(holder, list) else ()
    elif isinstance(holder, dict):
        if step in holder:
            yield holder[step]
    elif isinstance(holder, list) and isinstance(step, int) and step < len(holder):
        yield holder[step]


# --- references ------------------------------------------------------------------------------------------------------


def resolve(value: Json, variables: Mapping[str, str]) -> Json:
    """Put values in the place of references, all the way down. :raises LookupError: a variable was never saved."""
    if isinstance(value, list):
        return [resolve(each, variables) for each in value]
    if not isinstance(value, dict):
        return value
    if "$var" in value:
        return variables[value["$var"]]
    if "$bytes" in value:
        return _text_of(_edited(base64.b64decode(variables[value["$bytes"]]), value))
    if "$text" in value:
        return _edited(variables[value["$text"]].encode("ascii"), value).decode("ascii")
    if "$zeros" in value:
        return _text_of(bytes(value["$zeros"]))
    return {key: resolve(each, variables) for key, each in value.items()}


def _edited(content: bytes, edits: Mapping[str, Json]) -> bytes:
    """Change content as asked: `xor` first, then `cut`, then `append`."""
    changed = bytearray(content)
    for change in edits.get("xor", ()):
        changed[change["at"]] ^= change["with"]
    if "cut" in edits:
        del changed[edits["cut"] :]
    return bytes(changed) + base64.b64decode(edits.get("append", ""))


def _text_of(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


# --- differences -----------------------------------------------------------------------------------------------------


def differences(expected: Json, actual: Json, path: str = "") -> Iterator[Difference]:
    """Every place where two values differ; neither may have a key that the other has not."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in dict.fromkeys((*expected, *actual)):
            inner = f"{path}.{key}" if path else key
            if key in expected and key in actual:
                yield from differences(expected[key], actual[key], inner)
            else:
                yield Difference(inner, expected.get(key, ABSENT), actual.get(key, ABSENT))
    elif isinstance(expected, list) and isinstance(actual, list):
        for at in range(max(len(expected), len(actual))):
            inner = f"{path}[{at}]"
            if at < min(len(expected), len(actual)):
                yield from differences(expected[at], actual[at], inner)
            else:
                yield Difference(inner, _entry(expected, at), _entry(actual, at))
    elif type(expected) is not type(actual) or expected != actual:
        yield Difference(path, expected, actual)


def _entry(values: Sequence[Json], at: int) -> Json:
    return values[at] if at < len(values) else ABSENT


def without(value: Json, names: frozenset[str]) -> Json:
    """A value without the fields of these names, all the way down."""
    if isinstance(value, list):
        return [without(each, names) for each in value]
    if isinstance(value, dict):
        return {key: without(each, names) for key, each in value.items() if key not in names}
    return value
