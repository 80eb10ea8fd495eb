"""The corpora of stored states: where they are, and what lies in them.

`vN/` holds what the release wrote that made version N the one written: for each course a file with its rules and its
states, each sealed, stored and as people read it; `manifest.json` with what is true of each; the contract of that day;
the numbers that are stored raw; the key. What was released never changes.
"""

import hashlib
import json
from base64 import b64decode
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.wire.sealing import Sealer
from tests.states.facts import Contract

FOLDER: Final = Path(__file__).parent
KEY: Final = hashlib.sha256(b"burraco: published key of the corpus of old states").digest()
"""The key of every corpus. It is published: it keeps no secret, and no server may be given it."""
CONTRACT: Final = "stored_state.binpb"
MANIFEST: Final = "manifest.json"
NUMBERS: Final = "numbers.json"


class Entry(NamedTuple):
    """A state of a corpus."""

    version: int
    course: str
    name: str
    kept_for: tuple[str, ...]
    sealed: bytes
    stored: bytes
    rules: dict[str, Any]
    readable: dict[str, Any]
    facts: dict[str, Any]
    continuation: dict[str, Any]

    def __str__(self) -> str:
        return f"v{self.version} {self.course} {self.name}"


def sealer() -> Sealer:
    """What opens every corpus."""
    return Sealer(KEY)


def folder(version: int) -> Path:
    """The folder of a version."""
    return FOLDER / f"v{version}"


def versions() -> list[int]:
    """Versions that there is a corpus of."""
    return sorted(int(path.name[1:]) for path in FOLDER.glob("v[0-9]*") if path.is_dir())


@lru_cache
def entries(version: int) -> tuple[Entry, ...]:
    """Every state of a corpus."""
    found = []
    for course, kept in _json(version, MANIFEST)["courses"].items():
        file = _json(version, f"{course}.json")
        for name, known in kept.items():
            state = file["states"][name]
            found.append(
                Entry(
                    version,
                    course,
                    name,
                    tuple(known["kept_for"]),
                    b64decode(state["sealed"]),
                    b64decode(state["stored"]),
                    file["rules"],
                    state["readable"],
                    known["facts"],
                    known["continuation"],
                )
            )
    return tuple(found)


@lru_cache
def contract(version: int) -> Contract:
    """The contract as it was when a corpus was written."""
    return Contract((folder(version) / CONTRACT).read_bytes())


def numbers(version: int) -> dict[str, dict[str, Any]]:
    """The numbers that states of a version store raw, by enum and name, and how their packed bytes are laid out."""
    found: dict[str, dict[str, Any]] = _json(version, NUMBERS)
    return found


def digest(version: int) -> str:
    """SHA-256 over a corpus: names and contents of its files."""
    found = hashlib.sha256()
    for path in sorted(folder(version).rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder(version)).as_posix()}\0{len(content)}\0".encode() + content)
    return found.hexdigest()


def _json(version: int, name: str) -> Any:  # noqa: ANN401  # JSON
    return json.loads((folder(version) / name).read_text("utf-8"))
