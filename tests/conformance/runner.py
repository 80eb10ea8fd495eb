"""Runs the vectors from the command line: `python -m tests.conformance.runner --target 127.0.0.1:50051`."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager

from tests.conformance.caller import Channels
from tests.conformance.files import read_manifest, read_scenario
from tests.conformance.run import run
from tests.conformance.server import ARBITER_SERVICE, GAME_SERVICE, channels_to, fresh_server


def main(arguments: Sequence[str] | None = None) -> int:
    """Run scenarios and print what failed; the exit code is 1 when something did, 2 when there is nothing to run."""
    chosen = _parser().parse_args(arguments)
    manifest = read_manifest()
    paths = [each["path"] for each in manifest["files"] if all(word in each["path"] for word in chosen.words)]
    if not paths:
        print("No scenario has all of these words in its path.", file=sys.stderr)
        return 2
    failed = 0
    with _channels(chosen.target, chosen.arbiter_target) as channels:
        for path in paths:
            failure = run(read_scenario(path), channels, manifest["metadata"], texts=not chosen.no_texts)
            if failure:
                failed += 1
                print(f"FAILED {path}, {failure}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return int(failed > 0)


def _channels(target: str | None, arbiter_target: str | None) -> AbstractContextManager[Channels]:
    if target is None:
        return fresh_server(read_manifest())
    return channels_to({GAME_SERVICE: target, ARBITER_SERVICE: arbiter_target or target})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.runner", description=__doc__)
    parser.add_argument("words", nargs="*", help="run only scenarios with all of these words in their path")
    parser.add_argument("--target", help="HOST:PORT of a server with the manifest's environment; none: one is started")
    parser.add_argument("--arbiter-target", help="HOST:PORT of its arbiter, where that is another")
    parser.add_argument("--no-texts", action="store_true", help="do not compare the English texts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
