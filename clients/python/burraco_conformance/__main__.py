# ruff: noqa: T201 - it talks to a terminal
"""Run the vectors of BURRACO_VECTORS, and a match, on the server of BURRACO_TARGET, as docs/clients.md says."""

import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import grpc

from burraco import IllegalMove, RulesError
from burraco_conformance.caller import Channels
from burraco_conformance.match import run_match
from burraco_conformance.run import run
from burraco_conformance.values import Json

FORMAT: Final = 1
GAME_SERVICE: Final = "burraco.v1.GameService"
ARBITER_SERVICE: Final = "burraco.v1.ArbiterService"
API_KEY: Final = "burraco-api-key"
ENDS: Final = ("passed", "failed", "skipped")


def main() -> int:
    """Run everything; the exit code is 1 when something failed, 2 when nothing could be run."""
    try:
        target, folder = os.environ["BURRACO_TARGET"], Path(os.environ["BURRACO_VECTORS"])
    except KeyError as missing:
        print(f"{missing.args[0]} is not set: `make conformance` sets it.", file=sys.stderr)
        return 2
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    if manifest["format"] != FORMAT:
        print(f"The vectors have format {manifest['format']}, and this runner knows {FORMAT} alone.", file=sys.stderr)
        return 2
    arbiter = os.environ.get("BURRACO_ARBITER_TARGET")
    targets = {GAME_SERVICE: target} | ({ARBITER_SERVICE: arbiter} if arbiter else {})
    ended: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(ENDS, 0))
    channels = Channels(targets)
    try:
        for each in manifest["files"]:
            part = each["path"].removeprefix("vectors/").partition("/")[0]
            ended[part][run_scenario(folder, each["path"], channels, manifest, has_arbiter=bool(arbiter))] += 1
    finally:
        channels.close()
    ended["match"][run_the_match(target, manifest["metadata"].get(API_KEY))] += 1
    for part, counts in ended.items():
        print(f"{part}: {told(counts)}")
    whole = {how: sum(counts[how] for counts in ended.values()) for how in ENDS}
    print(told(whole))
    return int(whole["failed"] > 0)


def run_scenario(folder: Path, path: str, channels: Channels, manifest: Json, *, has_arbiter: bool) -> str:
    """Run a scenario, print what is wrong with it, and say how it ended."""
    scenario = json.loads((folder / path).read_text("utf-8"))
    if "arbiter" in scenario.get("needs", ()) and not has_arbiter:
        print(f"SKIPPED {path}: it needs the arbiter, and BURRACO_ARBITER_TARGET is not set")
        return "skipped"
    if failure := run(scenario, channels, manifest["metadata"]):
        for difference in failure.differences:
            print(f"FAILED {path}, step {failure.step}, {failure.rpc}: {difference}")
        return "failed"
    return "passed"


def run_the_match(target: str, api_key: str | None) -> str:
    """Play the match, and say how that ended."""
    try:
        differences = run_match(target, api_key)
    except (AssertionError, IllegalMove, RulesError, TimeoutError, grpc.RpcError) as error:
        print(f"FAILED match: {type(error).__name__}: {error}")
        return "failed"
    for difference in differences:
        print(f"FAILED match: {difference}")
    return "failed" if differences else "passed"


def told(counts: Json) -> str:
    """Write counts as the contract has them."""
    return ", ".join(f"{counts[how]} {how}" for how in ENDS)


if __name__ == "__main__":
    sys.exit(main())
