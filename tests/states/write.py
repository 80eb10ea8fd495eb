"""Write the corpus of a state version: `python -m tests.states.write VERSION`, which `make states` runs."""

import json
import sys
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

from burraco.v1 import moves_pb2, rules_pb2, views_pb2
from service.wire.sealing import Format
from service.wire.state_codec import StateCodec
from service.wire.state_forms import FORMS
from tests.states import corpus
from tests.states.dump import dump
from tests.states.facts import Contract, continuation, contract_of, facts
from tests.states.moments import Moment, moments
from tests.states.numbers import raw_numbers

NOTE: Final = """# States of version {version}

Stored states as the service wrote them when version {version} of their form came: every game and preset, every phase
and special moment that random play comes to. Nothing here ever changes: a test holds the SHA-256 of the folder, and
every later release has to load, audit and continue each state.

- `manifest.json`: for each state what it is kept for, what is true of it, some moves, and what they come to.
- `COURSE.json`: the rules of a course, and its states: `sealed` and `stored` in base64, and `readable`, which leaves
  out what is empty, false or nobody. Cards of the stock are top first, of the discard pile bottom first.
- `stored_state.binpb`: the contract of that day, a `FileDescriptorSet`.
- `numbers.json`: the numbers that are stored raw.

States are sealed with this key, which is **published and keeps no secret**: never give it to a server.

    {key}
"""


def write(version: int, folder: Path) -> None:
    """Write a corpus into a folder that is not there yet: all of it, or nothing."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _fill(version, Path(scratch) / folder.name)
        (Path(scratch) / folder.name).rename(folder)


def _fill(version: int, folder: Path) -> None:
    folder.mkdir()
    codec, sealer = StateCodec(version), corpus.sealer()
    contract = contract_of(FORMS[version].message, rules_pb2.Rules, views_pb2.View, moves_pb2.Move)
    manifest: dict[str, Any] = {"version": version, "courses": {}}
    files: dict[str, Any] = {}
    for moment in moments():
        readable = dump(moment.state)
        rules = readable.pop("rules")
        file = files.setdefault(moment.course, {"rules": rules, "states": {}})
        stored = codec.encode_new(moment.state)
        file["states"][moment.name] = {
            "sealed": b64encode(sealer.seal(stored, Format.STATE)).decode(),
            "stored": b64encode(stored).decode(),
            "readable": readable,
        }
        manifest["courses"].setdefault(moment.course, {})[moment.name] = _known(moment, contract, codec)
    for course, file in files.items():
        _write_json(folder / f"{course}.json", file, depth=2)
    _write_json(folder / corpus.MANIFEST, manifest, depth=3)
    _write_json(folder / corpus.NUMBERS, raw_numbers(), depth=1)
    (folder / corpus.CONTRACT).write_bytes(contract.files)
    (folder / "README.md").write_text(NOTE.format(version=version, key=b64encode(corpus.KEY).decode()), "utf-8")


def _known(moment: Moment, contract: Contract, codec: StateCodec) -> dict[str, Any]:
    return {
        "kept_for": moment.kept_for,
        "facts": facts(moment.state, contract),
        "continuation": continuation(moment.state, codec),
    }


def _write_json(path: Path, value: Any, depth: int) -> None:  # noqa: ANN401  # JSON
    path.write_text(_lines(value, depth, "") + "\n", "utf-8")


def _lines(value: Any, depth: int, indent: str) -> str:  # noqa: ANN401  # JSON
    """JSON with a line for each entry down to a depth, and each entry of that depth in one line."""
    if not depth or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    inner = indent + " "
    entries = [f"{inner}{json.dumps(key)}: {_lines(entry, depth - 1, inner)}" for key, entry in value.items()]
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"


def main(arguments: list[str]) -> int:
    """Run from the command line."""
    if len(arguments) != 1 or not arguments[0].isdecimal():
        sys.stderr.write("Name the version to write, as in `make states VERSION=2`.\n")
        return 2
    version = int(arguments[0])
    if version not in FORMS:
        sys.stderr.write(f"Version {version} is none that this release writes: {min(FORMS)} to {max(FORMS)} are.\n")
        return 2
    folder = corpus.folder(version)
    if folder.exists():
        sys.stderr.write(f"{folder} is there already. What was released never changes: add a new version instead.\n")
        return 1
    write(version, folder)
    sys.stdout.write(
        f"{len(corpus.entries(version))} states in {folder}.\n"
        f'Add this to RELEASED in tests/states/test_corpus.py:\n    {version}: "{corpus.digest(version)}",\n'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
