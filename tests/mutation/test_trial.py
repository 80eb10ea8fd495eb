"""Trying mutants, in processes of their own."""

import subprocess
import sys

import pytest

from scripts.mutation.mutants import ROOT

POZZETTO = "tests/rules/test_b4_pozzetto.py::test_b4_27_direct_pozzetto_goes_on_at_once"


def attempt(how: str, key: str, *tests: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation.attempt", how, key, *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


GUARD = "service/rules/burraco/guard.py:guard: drop the sign: not size => size"
"""Takes an empty hand for one with a last card."""
SAFE = "service/rules/burraco/guard.py:-: one less: 2 => 1"
"""Lets somebody keep one card."""


@pytest.mark.parametrize("how", ["loaded", "imported"])
def test_a_test_that_asks_kills(how: str) -> None:
    """Whether it is put into the loaded function or is there from the import on."""
    asks = "tests/rules/test_b4_pozzetto.py::test_b4_30_afterwards_only_a_legal_close_empties_a_hand"

    assert attempt(how, GUARD, POZZETTO, asks) == f"killed {asks}"


def test_a_constant_of_a_module_is_there_from_the_import_on() -> None:
    asks = "tests/rules/test_edge_cases_play.py::test_e36_no_burraco_and_one_card_left[italian]"

    assert attempt("imported", SAFE, POZZETTO, asks) == f"killed {asks}"


@pytest.mark.parametrize("how", ["loaded", "imported"])
def test_a_mutant_survives_tests_that_do_not_ask(how: str) -> None:
    assert attempt(how, GUARD, POZZETTO) == "survived"


def test_a_loop_without_end_is_stopped_and_counts_as_killed() -> None:
    shuffles = "tests/rules/test_b4_deck_and_deal.py::test_b4_13_a_match_begins_so"
    key = "service/rules/stream.py:Stream.below: compare otherwise: word < limit => word >= limit"

    assert attempt("loaded", key, shuffles) == f"timeout {shuffles}"
