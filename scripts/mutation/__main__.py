"""Try the mutants of `service/rules`, all or a sample, and say which no test noticed.

`make mutation SAMPLE=400 SEED=1`, `make mutation FILE=service/rules/gin/judge.py`.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final

from scripts.mutation.cover import Map, load, record, to_record
from scripts.mutation.mutants import ROOT, Mutant, files, mutants_of, sample
from scripts.mutation.report import EQUIVALENT, Result, read_accepted, read_results, report
from scripts.mutation.trial import SURVIVED, Planned, Tried, fork_and_wait, try_imported, try_loaded

FOLDER: Final = ROOT / ".mutation"
MAP: Final = FOLDER / "map.json"
RESULTS: Final = FOLDER / "results.jsonl"

LEAST_LIMIT: Final = 5.0
LIMIT_FACTOR: Final = 10
"""A test may take so many times what it took while its lines were recorded, and some seconds more."""
SHARE_OF_OTHERS: Final = 4
"""Tests that reach a constant by its name alone have such a part of the budget."""
REMEMBERED: Final = 12
"""Tests that killed other mutants of a file lately are tried before the quick ones."""


class Planner:
    """Chooses the tests of mutants, and writes down how they fared."""

    def __init__(self, known: Map, budget: float, total: int) -> None:
        self.known = known
        self.budget = budget
        self.total = total
        self.done = 0
        self.killers: dict[str, list[int]] = {}
        self.index = {test: at for at, test in enumerate(known.tests)}

    def plans(self, mutants: Iterable[Mutant]) -> Iterator[Planned]:
        """Plan one mutant after the other, each when its turn has come."""
        return map(self.plan, mutants)

    def plan(self, mutant: Mutant) -> Planned:
        """Order the tests that may notice a mutant: those that killed lately first, then the quick ones."""
        reaching = self.known.choose(mutant)
        lately = [test for test in reversed(self.killers.get(mutant.file, ())) if test in set(reaching)]
        order = [*lately, *(test for test in reaching if test not in lately)]
        others = self.known.others(mutant)
        chosen = [*self._within(order, self.budget), *self._within(others, self.budget / SHARE_OF_OTHERS)]
        tests = [(self.known.tests[at], LEAST_LIMIT + LIMIT_FACTOR * self.known.seconds[at]) for at in chosen]
        return Planned(mutant, tests, len(chosen) < len(order) + len(others))

    def _within(self, tests: list[int], budget: float) -> list[int]:
        """The first tests that a budget of seconds allows; one at least, and all without a budget."""
        total = accumulate(self.known.seconds[test] for test in tests)
        return [
            test
            for at, (test, spent) in enumerate(zip(tests, total, strict=True))
            if not at or spent <= budget or not budget
        ]

    def told(self, plan: Planned, tried: Tried) -> None:
        """Write down how a mutant fared."""
        self.done += 1
        mutant = plan.mutant
        if tried.by in self.index:
            killers = self.killers.setdefault(mutant.file, [])
            test = self.index[tried.by]
            if test in killers:
                killers.remove(test)
            killers.append(test)
            del killers[:-REMEMBERED]
        result = Result(
            mutant.key, mutant.file, mutant.package, mutant.line, tried.status, tried.by, len(plan.tests), plan.cut
        )
        with RESULTS.open("a", encoding="utf-8") as out:
            out.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")
        if tried.status == SURVIVED and tried.by != EQUIVALENT:
            why = "" if plan.tests else " (no test reaches it)"
            print(f"{self.done}/{self.total} survived: {mutant.file}:{mutant.line} {mutant.key}{why}", flush=True)
        elif self.done % 50 == 0:
            print(f"{self.done}/{self.total}", flush=True)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="how many mutants, chosen by the seed (0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", help="only mutants of this file of service/rules")
    parser.add_argument("--budget", type=float, default=60, help="most seconds of tests for one mutant (0: all tests)")
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run of the same choice")
    parser.add_argument("--again", action="store_true", help="try again what survived the last run")
    parser.add_argument("--report", action="store_true", help="only tell again what the last run found")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    arguments = parser.parse_args()
    known_files = files()
    for file in arguments.file or ():
        if file not in known_files:
            parser.error(f"{file} has no mutants: name a file of service/rules, such as {known_files[0]}")
    if arguments.report:
        print(report(read_results(RESULTS), read_accepted()))
        return
    mutants = [mutant for file in arguments.file or known_files for mutant in mutants_of(file)]
    mutants = sample(mutants, arguments.sample, arguments.seed)
    if arguments.list:
        print(*(f"{mutant.line}: {mutant.key}" for mutant in mutants), sep="\n")
        return
    done = read_results(RESULTS) if arguments.resume or arguments.again else []
    left_out = {result.key for result in done if not (arguments.again and result.status == SURVIVED)}
    if arguments.again:
        left_out |= {mutant.key for mutant in mutants} - {result.key for result in done}
    run([mutant for mutant in mutants if mutant.key not in left_out], arguments.budget, fresh=not done)
    print(report(read_results(RESULTS), read_accepted()))


def run(mutants: list[Mutant], budget: float, *, fresh: bool) -> None:
    """Try mutants, the results going to RESULTS, which holds those of this run alone if it is fresh."""
    os.chdir(ROOT)
    known = _map()
    os.environ["BURRACO_TEST_PROFILE"] = "mutation"
    RESULTS.parent.mkdir(exist_ok=True)
    if fresh:
        RESULTS.write_text("", encoding="utf-8")
    accepted = read_accepted()
    equivalent = {key for key, found in accepted.items() if found.kind == EQUIVALENT}
    planner = Planner(known, budget, len(mutants))
    for mutant in mutants:
        if mutant.key in equivalent:
            planner.told(Planned(mutant, (), cut=False), Tried(SURVIVED, EQUIVALENT))
    mutants = [mutant for mutant in mutants if mutant.key not in equivalent]
    imported = [mutant for mutant in mutants if known.at_import(mutant)]
    loaded = [mutant for mutant in mutants if not known.at_import(mutant)]
    print(f"{len(mutants)} mutants, {len(imported)} of what runs at import; {planner.done} equivalent ones", flush=True)
    began = time.monotonic()
    if loaded:
        fork_and_wait(lambda: try_loaded(planner.plans(loaded), planner.told))
    # What tests made while they were collected was made without the mutant: see whether it survives with it, too.
    survived = {result.key for result in read_results(RESULTS) if result.status == SURVIVED}
    doubtful = [mutant for mutant in loaded if mutant.key in survived and known.at_collection(mutant)]
    planner.done = len(loaded) - len(doubtful)
    try_imported(planner.plans([*doubtful, *imported]), planner.told)
    print(f"{time.monotonic() - began:.0f} s", flush=True)


def _map() -> Map:
    os.environ["BURRACO_TEST_PROFILE"] = "lines"
    for tests in to_record(MAP):
        print(f"recording which lines {len(tests)} files of {Path(tests[0]).parent} run", flush=True)
        fork_and_wait(partial(record, MAP, tests))
    known = load(MAP)
    if known is None:
        raise SystemExit(f"sources changed while {MAP} was written: try again")
    return known


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
