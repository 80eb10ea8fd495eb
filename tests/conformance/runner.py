"""Runs the vectors from the command line: `python -m tests.conformance.runner --target 127.0.0.1:50051`."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final

from burraco_conformance.caller import Channels
from burraco_conformance.run import run
from tests.conformance.files import read_manifest, read_scenario
from tests.conformance.server import ARBITER_SERVICE, GAME_SERVICE, channels_to, fresh_server

ABLE: Final = frozenset(("rawRequests", "unknownEnums", "arbiter"))
"""What scenarios may need; the arbiter has to have an address."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run scenarios and print what failed; the exit code is 1 when something did, 2 when there is nothing to run."""
    chosen = _parser().parse_args(arguments)
    manifest = read_manifest()
    paths = [each["path"] for each in manifest["files"] if all(word in each["path"] for word in chosen.words)]
    if not paths:
        print("No scenario has all of these words in its path.", file=sys.stderr)
        return 2
    ended = dict.fromkeys(("passed", "failed", "skipped"), 0)
    with _channels(chosen.target, chosen.arbiter_target) as channels:
        able = ABLE if chosen.arbiter_target or not chosen.target else ABLE - {"arbiter"}
        for path in paths:
            ended[_run_one(path, channels, able, manifest["metadata"], texts=not chosen.no_texts)] += 1
    print(", ".join(f"{count} {how}" for how, count in ended.items() if count or how != "skipped"))
    return int(ended["failed"] > 0)


def _run_one(path: str, channels: Channels, able: frozenset[str], metadata: Mapping[str, str], *, texts: bool) -> str:
    """Run a scenario, print what is wrong with it, and say how it ended."""
    scenario = read_scenario(path)
    if lacking := sorted(set(scenario.get("needs", ())) - able):
        print(f"SKIPPED {path}, which needs {', '.join(lacking)}")
        return "skipped"
    if failure := run(scenario, channels, metadata, texts=texts):
        print(f"FAILED {path}, {failure}")
        return "failed"
    return "passed"


def _channels(target: str | None, arbiter_target: str | None) -> AbstractContextManager[Channels]:
    if target is None:
        return fresh_server(read_manifest())
    arbiter = {ARBITER_SERVICE: arbiter_target} if arbiter_target else {}
    return channels_to({GAME_SERVICE: target} | arbiter)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.runner", description=__doc__)
    parser.add_argument("words", nargs="*", help="run only scenarios with all of these words in their path")
    parser.add_argument("--target", help="HOST:PORT of a server with the manifest's environment; none: one is started")
    parser.add_argument("--arbiter-target", help="HOST:PORT of its arbiter; none: what needs it is skipped")
    parser.add_argument("--no-texts", action="store_true", help="do not compare the English texts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
