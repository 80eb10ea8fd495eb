"""Count the perft tables again and compare them with the committed ones (docs/perft.md).

`python -m scripts.perft` compares; `--write` writes what it counts and the table of the page; `--find` first chooses
the positions anew. `--preset GIN` looks at one preset alone, `--position 3` at one of its positions; with `--divide 2`
it prints what each move of that position leads to in two moves.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

from scripts.perft_count import Level, Position, TooManyError, divide, perft, table
from scripts.perft_positions import find
from service.rules.games import PRESETS
from service.rules.options import Preset

ROOT: Final = Path(__file__).resolve().parent.parent
TABLES: Final = ROOT / "tests" / "perft" / "tables"
PAGE: Final = ROOT / "docs" / "perft.md"
BEGIN: Final = "<!-- written by `make perft ARGS=--write` -->"
END: Final = "<!-- end -->"
FORMAT: Final = 1
MOST_NODES: Final = 40_000
"""Nodes of a position's tree: all positions together take a minute or so."""
DEEPEST: Final = 12
TO_FIND: Final = 4_000
"""Most nodes of the tree that has to hold what a position was chosen for."""


def path_of(preset: Preset) -> Path:
    """Where the tables of a preset are."""
    return TABLES / f"{preset.name.lower()}.json"


def read(preset: Preset) -> list[dict[str, Any]]:
    """The committed positions of a preset, with their counts."""
    positions: list[dict[str, Any]] = json.loads(path_of(preset).read_text(encoding="utf-8"))["positions"]
    return positions


def position_of(preset: Preset, entry: dict[str, Any]) -> Position:
    """The position of an entry of a file."""
    return Position(entry["name"], preset, bytes.fromhex(entry["seed"]), tuple(entry["moves"]))


def deepest(position: Position) -> list[Level]:
    """Count as deep as the allowed number of nodes reaches."""
    state = position.state()
    levels: list[Level] = []
    for depth in range(1, DEEPEST + 1):
        try:
            levels = perft(state, depth, MOST_NODES)
        except TooManyError:
            break
        if depth > 1 and levels[-1].count ** 2 > 2 * MOST_NODES * levels[-2].count:
            break  # growing on like that, the next depth is far too large: not worth a try
    return levels


def entry_of(position: Position) -> dict[str, Any]:
    """A position as a file has it: what it is, what lies there, and what is under it."""
    return {
        "name": position.name,
        "seed": position.seed.hex(),
        "moves": list(position.moves),
        "table": table(position.state()),
        "depths": [{"depth": depth, **level.told()} for depth, level in enumerate(deepest(position), 1)],
    }


def differences(preset: Preset, entry: dict[str, Any], most_nodes: int | None = None) -> list[str]:
    """What of an entry is no longer so, in its depths of so many nodes together; nothing if all is as it was."""
    position = position_of(preset, entry)
    where = f"{preset.name}, {position.name}"
    try:
        state = position.state()
    except ValueError as error:
        return [f"{where}: {error}"]
    if table(state) != entry["table"]:
        return [f"{where}: the table is {table(state)}, but the file has {entry['table']}"]
    levels = perft(state, depth_within(entry, most_nodes))
    return [
        f"{where}, depth {told['depth']}: {key} is {found[key]}, but the file has {told[key]}"
        for told, found in zip(entry["depths"], [level.told() for level in levels], strict=False)
        for key in found
        if found[key] != told[key]
    ]


def depth_within(entry: dict[str, Any], most_nodes: int | None) -> int:
    """How many of an entry's depths have so many nodes together; at least one."""
    nodes = depth = 0
    for told in entry["depths"]:
        nodes += told["count"]
        if depth and most_nodes is not None and nodes > most_nodes:
            break
        depth += 1
    return depth


# --- the page ---------------------------------------------------------------------------------------------------------


def page_table(presets: Iterable[Preset]) -> str:
    """The table of docs/perft.md: counts by depth of every position, and the hash of the deepest."""
    lines = [
        "| preset | position | moves | leaves at depth 1, 2, … | hash at the last |",
        "| --- | --- | --- | --- | --- |",
    ]
    for preset in presets:
        for entry in read(preset):
            counts = ", ".join(f"{told['count']:,}" for told in entry["depths"])
            last = entry["depths"][-1]["hash"]
            seed, before = int(entry["seed"], 16), len(entry["moves"])
            lines.append(f"| `{preset.name}` | {entry['name']} | {seed} | {before} | {counts} | `{last}` |")
    return "\n".join(lines)


def with_table(page: str) -> str:
    """The page with its table as the files have it."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{page_table(PRESETS)}\n\n{END}{after}"


# --- the command ------------------------------------------------------------------------------------------------------


def write(presets: Sequence[Preset], pool: ProcessPoolExecutor, *, anew: bool) -> None:
    """Write the tables of some presets, and the page."""
    for preset in presets:
        positions = find(preset, TO_FIND) if anew else [position_of(preset, entry) for entry in read(preset)]
        rules = PRESETS[preset]
        file = {
            "format": FORMAT,
            "preset": preset.name,
            "rules_revision": rules.revision,
            "positions": list(pool.map(entry_of, positions)),
        }
        path_of(preset).parent.mkdir(parents=True, exist_ok=True)
        path_of(preset).write_text(json.dumps(file, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{preset.name}: {len(positions)} positions")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def compare(presets: Sequence[Preset], pool: ProcessPoolExecutor) -> int:
    """Count everything again and tell what differs; the number of differences."""
    wrong = 0
    for preset in presets:
        entries = read(preset)
        found = [line for lines in pool.map(differences, [preset] * len(entries), entries) for line in lines]
        leaves = sum(told["count"] for entry in entries for told in entry["depths"])
        print(f"{preset.name}: {len(entries)} positions, {leaves:,} nodes, {len(found) or 'no'} differences")
        print(*found, sep="\n", end="\n" if found else "")
        wrong += len(found)
    return wrong


def show(preset: Preset, number: int, depth: int) -> None:
    """Print what each move of a position leads to."""
    position = position_of(preset, read(preset)[number - 1])
    state = position.state()
    print(f"{preset.name}, {position.name}, after {len(position.moves)} moves\n{table(state)}\n")
    counts = divide(state, depth)
    for words, count in counts.items():
        print(f"{words}: {count:,}")
    print(f"\n{sum(counts.values()):,} leaves at depth {depth}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=[preset.name for preset in PRESETS], help="one preset alone")
    parser.add_argument("--write", action="store_true", help="write the tables, and the table of docs/perft.md")
    parser.add_argument("--find", action="store_true", help="choose the positions anew, and write")
    parser.add_argument("--position", type=int, default=1, help="for --divide: which of the preset's, from 1")
    parser.add_argument("--divide", type=int, metavar="DEPTH", help="print the counts under each move of a position")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes; as many as cores by default")
    chosen = parser.parse_args(arguments)
    presets = [Preset[chosen.preset]] if chosen.preset else list(PRESETS)
    if chosen.divide:
        if not chosen.preset:
            parser.error("--divide needs --preset: name one.")
        show(presets[0], chosen.position, chosen.divide)
        return 0
    with ProcessPoolExecutor(chosen.jobs) as pool:
        if chosen.write or chosen.find:
            write(presets, pool, anew=chosen.find)
            return 0
        return 1 if compare(presets, pool) else 0


if __name__ == "__main__":
    sys.exit(main())
