"""Try one mutant, as a program: its key and the tests to run; prints how it fared."""

import os
import sys

from scripts.mutation.mutants import ROOT, mutants_of
from scripts.mutation.trial import Planned, Tried, fork_and_wait, try_imported, try_loaded

if __name__ == "__main__":
    os.environ["BURRACO_TEST_PROFILE"] = "mutation"
    os.chdir(ROOT)
    how, key, *tests = sys.argv[1:]
    mutant = next(mutant for mutant in mutants_of(key.partition(":")[0]) if mutant.key == key)
    plan = Planned(mutant, [(test, 2.0) for test in tests], cut=False)

    def told(_plan: Planned, tried: Tried) -> None:
        """Say it."""
        sys.stdout.write(f"{tried.status} {tried.by}\n")

    fork_and_wait(lambda: {"loaded": try_loaded, "imported": try_imported}[how]([plan], told))
