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


OVERLOAD: Final = Elsewhere(
    "it takes many calls at once", "tests/server/test_overload.py::test_an_overloaded_server_says_when_to_try_again"
)
ENDING: Final = Elsewhere(
    "it takes a server that ends",
    "tests/server/test_overload.py::test_a_closing_server_refuses_new_calls_and_ends_the_old",
)
SLOW: Final = Elsewhere("it depends on time", "tests/server/test_calls.py::test_a_call_without_a_deadline_gets_one")
FAULT: Final = Elsewhere(
    "it takes a fault of the service",
    "tests/server/test_errors.py::test_a_fault_tells_the_client_nothing_but_the_request_id",
)
NOT_BUILT: Final = Elsewhere(
    "it is not built: vectors have its refusal",
    "tests/server/test_calls.py::test_an_rpc_that_is_not_built_says_so",
)

ELSEWHERE: Final = {
    # --- what no request brings about ---
    "REASON_OVERLOADED": OVERLOAD,
    "REASON_SHUTTING_DOWN": ENDING,
    "code UNAVAILABLE": ENDING,
    "code CANCELLED": ENDING,
    "REASON_DEADLINE_PASSED": SLOW,
    "code DEADLINE_EXCEEDED": SLOW,
    "REASON_INTERNAL": FAULT,
    "code INTERNAL": FAULT,
    # --- what this service never answers ---
    "REASON_GAME_NOT_BUILT": Elsewhere(
        "every game is built", "tests/wire/test_rules_codec.py::test_options_of_a_game_that_is_not_built_are_refused"
    ),
    "REASON_READING_AMBIGUOUS": Elsewhere(
        "the first reading is used, so no move has to name one",
        "tests/rules/test_reasons.py::test_every_reason_of_burraco_has_an_example",
    ),
    "PHASE_LAY_OFF": Elsewhere(
        "the defender's lay-offs are made for him",
        "tests/gin/test_gi_knock.py::test_gi_8_the_defender_is_not_asked",
    ),
    "REASON_SEAT_TOKEN_UNSUPPORTED": Elsewhere(
        "it is deprecated: seat tokens are built",
        "tests/server/test_authority.py::test_a_token_makes_a_seat_whatever_comes_with_it",
    ),
    # --- what is not built ---
    "burraco.v1.GameService.SuggestMoves": NOT_BUILT,
    # --- what a vector, one request and one answer a step, cannot say ---
    "burraco.v1.GameService.StreamApplyMoves": Elsewhere(
        "it is a stream, of calls whose vectors are those of ApplyMoves",
        "tests/server/test_streams.py::test_a_thousand_pipelined_messages_are_answered_in_order",
    ),
    "REASON_STREAM_IDLE": Elsewhere(
        "it depends on time", "tests/server/test_streams.py::test_an_idle_stream_is_ended_with_a_reason"
    ),
}


def test_everything_is_covered_or_excused() -> None:
    """What is missing is what the list names, and nothing in the list is covered or does not exist."""
    missing = everything() - covered(read_scenario(each["path"]) for each in read_manifest()["files"])
    assert not missing - ELSEWHERE.keys(), "write scenarios for these"
    assert not ELSEWHERE.keys() - missing, "these are covered, or do not exist"


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_excused_is_tested_elsewhere(name: str) -> None:
    """The test that an excuse names is there."""
    path, _, test = ELSEWHERE[name].test.partition("::")
    assert f"def {test}(" in (ROOT / path).read_text("utf-8")
