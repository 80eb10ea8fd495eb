"""Everything that the service can answer is in the vectors, or in the list of what cannot be had by asking."""

from typing import Final, NamedTuple

import pytest

from tests.conformance.coverage import covered, everything
from tests.conformance.files import FOLDER, read_manifest, read_scenario

ROOT: Final = FOLDER.parents[1]


class Elsewhere(NamedTuple):
    """Why something is in no vector, and the test that is about it."""

    why: str
    test: str


def never(test: str) -> Elsewhere:
    """For what this service never answers."""
    return Elsewhere("no build of this service answers it", test)


ELSEWHERE: Final = {
    # --- what no request brings about ---
    "REASON_OVERLOADED": Elsewhere("it takes more calls at once than one", "tests/server/test_overload.py"),
    "REASON_SHUTTING_DOWN": Elsewhere("it takes a server that ends", "tests/server/test_process.py"),
    "code UNAVAILABLE": Elsewhere("it takes a server that ends", "tests/server/test_process.py"),
    "REASON_DEADLINE_PASSED": Elsewhere("it depends on time", "tests/server/test_calls.py"),
    "code DEADLINE_EXCEEDED": Elsewhere("it depends on time", "tests/server/test_calls.py"),
    "REASON_INTERNAL": Elsewhere("it takes a fault of the service", "tests/server/test_calls.py"),
    "code INTERNAL": Elsewhere("it takes a fault of the service", "tests/server/test_calls.py"),
    "code CANCELLED": Elsewhere("it is the caller's doing", "tests/server/test_calls.py"),
}


def test_everything_is_covered_or_excused() -> None:
    """What is missing is what the list names, and nothing in the list is covered or does not exist."""
    found = covered(read_scenario(each["path"]) for each in read_manifest()["files"])
    assert sorted(everything() - found) == sorted(ELSEWHERE)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_excused_is_tested_elsewhere(name: str) -> None:
    """The test that an excuse names is there, and names what it is about."""
    assert (ROOT / ELSEWHERE[name].test).is_file()
