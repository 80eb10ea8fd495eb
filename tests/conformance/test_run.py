"""The runner itself: it notices every kind of wrong answer, and says where."""

import base64
import copy
import json
from collections.abc import Mapping
from typing import Final

import pytest

from burraco_conformance.run import run
from burraco_conformance.values import Difference, Json, at_path, differences, resolve, steps_of, take_out
from tests.conformance import runner
from tests.conformance.generate.layout import WIDTH, pretty

STATE: Final = base64.b64encode(b"sealed").decode()
ANSWER: Final[Json] = {"accepted": {"state": STATE, "revision": "3", "updates": [{"view": {"turn": 1}}, {"view": {}}]}}
VIOLATION: Final = {"reason": "REASON_PILE_EMPTY", "text": "The discard pile is empty."}


class Stub:
    """A server that answers what it is told, and keeps what it was asked."""

    def __init__(self, *outcomes: Json) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[tuple[str, Mapping[str, str], Json, bytes | None]] = []

    def call(self, rpc: str, metadata: Mapping[str, str], request: Json, raw: bytes | None) -> Json:
        self.asked.append((rpc, metadata, request, raw))
        return copy.deepcopy(self.outcomes[len(self.asked) - 1])


def step(expect: Json, **more: Json) -> Json:
    return {"rpc": "burraco.v1.GameService/ApplyMoves", "request": {}, "expect": expect, **more}


def told(expect: Json, outcome: Json, *, texts: bool = True) -> list[str]:
    """Paths of what a run of one step finds different."""
    failure = run({"steps": [step(expect)]}, Stub(outcome), {}, texts=texts)
    return [difference.path for difference in failure.differences] if failure else []


OK: Final = {"code": "OK", "answer": ANSWER}
REFUSED: Final = {
    "code": "INVALID_ARGUMENT",
    "reason": "REASON_FIELD_MISSING",
    "arguments": {"max": "3"},
    "fields": [{"field": "seat", "reason": "REASON_FIELD_MISSING", "description": "is missing"}],
    "message": "seat is missing",
}


def changed(value: Json, path: str, to: Json) -> Json:
    """A copy with another value at a path; None takes it out."""
    value = copy.deepcopy(value)
    holder, _, name = path.rpartition(".")
    at = at_path(value, holder) if holder else value
    if to is None:
        del at[name]
    else:
        at[name] = to
    return value


@pytest.mark.parametrize("outcome", [OK, REFUSED])
def test_an_equal_answer_passes(outcome: Json) -> None:
    assert told(outcome, outcome) == []


@pytest.mark.parametrize(
    ("outcome", "path", "to"),
    [
        (OK, "code", "INTERNAL"),
        (OK, "answer.accepted.revision", "4"),
        (OK, "answer.accepted.revision", 3),
        (OK, "answer.accepted.revision", None),
        (OK, "answer.accepted.turn", 0),
        (OK, "answer.accepted.updates[0].view.turn", 2),
        (OK, "answer.accepted.updates[0].view.turn", True),
        (OK, "answer.rejected", {}),
        (REFUSED, "code", "NOT_FOUND"),
        (REFUSED, "reason", "REASON_FIELD_OUT_OF_RANGE"),
        (REFUSED, "reason", None),
        (REFUSED, "arguments.max", "4"),
        (REFUSED, "arguments.min", "4"),
        (REFUSED, "fields[0].field", "seats"),
        (REFUSED, "message", "another"),
    ],
)
def test_every_other_answer_fails_with_its_path(outcome: Json, path: str, to: Json) -> None:
    assert told(outcome, changed(outcome, path, to)) == [path]
    assert told(changed(outcome, path, to), outcome) == [path]


def test_a_call_that_ends_otherwise_is_told_by_its_code_and_reason() -> None:
    """Not by a whole answer that is not there, nor by what of it would have been saved."""
    saving = step(OK, save={"state": "accepted.state"})
    failure = run({"steps": [saving]}, Stub({"code": "UNAVAILABLE"}), {})
    assert failure is not None
    assert failure.differences == (Difference("code", "OK", "UNAVAILABLE"),)
    assert told(OK, REFUSED) == ["code", "reason", "arguments", "fields", "message"]
    assert told(REFUSED, OK) == ["code", "reason", "arguments", "fields", "message"]


def test_an_array_has_its_length() -> None:
    longer = changed(OK, "answer.accepted.updates", [*ANSWER["accepted"]["updates"], {}])
    assert told(OK, longer) == ["answer.accepted.updates[2]"]
    assert told(longer, OK) == ["answer.accepted.updates[2]"]


def test_what_may_be_anything_has_to_be_there() -> None:
    expect = {**changed(OK, "answer.accepted.state", None), "any": ["accepted.state"]}
    assert told(expect, OK) == []
    assert told(expect, changed(OK, "answer.accepted.state", "AAAA")) == []
    assert told(expect, changed(OK, "answer.accepted.state", None)) == ["answer.accepted.state"]
    ignored = ["accepted.updates[*].view", "accepted.state", "accepted.revision"]
    everyone = {"code": "OK", "answer": {"accepted": {"updates": [{}, {}]}}, "ignore": ignored}
    assert told(everyone, OK) == []
    assert told(everyone, {"code": "OK", "answer": {"accepted": {"updates": [{}, {}]}}}) == []
    assert told(everyone, {"code": "OK", "answer": {"accepted": {"updates": [{}]}}}) == ["answer.accepted.updates[1]"]


def test_texts_are_compared_unless_told_otherwise() -> None:
    answer = {"code": "OK", "answer": {"rejected": {"violations": [VIOLATION]}}}
    other = changed(answer, "answer.rejected.violations[0].text", "La pila e vuota.")
    assert told(answer, other) == ["answer.rejected.violations[0].text"]
    assert told(answer, other, texts=False) == []
    assert told(REFUSED, changed(REFUSED, "message", "other"), texts=False) == []
    assert told(REFUSED, changed(REFUSED, "reason", "other"), texts=False) == ["reason"]


def test_a_step_sends_what_earlier_ones_saved() -> None:
    saving = step({**OK, "ignore": []}, save={"state": "accepted.state"}, metadata={"token": {"$var": "given"}})
    damaged = {"state": {"$bytes": "state", "xor": [{"at": 0, "with": 1}, {"at": -1, "with": 128}], "cut": 5}}
    using = step(REFUSED, request={"state": {"$var": "state"}, "others": [damaged]})
    raw = step(REFUSED, requestBytes="/w==")
    stub = Stub(OK, REFUSED, REFUSED)
    scenario = {"variables": {"given": "abc"}, "steps": [saving, using, raw]}
    assert run(scenario, stub, {"key": "usual"}) is None
    (_, first, _, _), (_, second, request, _), (_, _, _, sent) = stub.asked
    assert (first, second, sent) == ({"token": "abc"}, {"key": "usual"}, b"\xff")
    assert request["state"] == STATE
    assert base64.b64decode(request["others"][0]["state"]) == b"reale"


def test_the_run_stops_at_the_first_wrong_step() -> None:
    scenario = {"steps": [step(OK), step(OK), step(OK)]}
    stub = Stub(OK, REFUSED, OK)
    failure = run(scenario, stub, {})
    assert failure is not None
    assert (failure.step, len(stub.asked)) == (1, 2)
    assert "code: expected 'OK', actual 'INVALID_ARGUMENT'" in str(failure)
    missing = run({"steps": [step(OK, save={"state": "rejected.state"})]}, Stub(OK), {})
    assert missing is not None
    assert [difference.path for difference in missing.differences] == ["answer.rejected.state"]


def test_references() -> None:
    variables = {"state": base64.b64encode(b"abcd").decode(), "token": "abcd"}
    assert resolve({"$bytes": "state", "append": "AA=="}, variables) == base64.b64encode(b"abcd\0").decode()
    assert resolve({"$bytes": "state", "cut": 0}, variables) == ""
    assert resolve({"$text": "token", "xor": [{"at": 1, "with": 1}]}, variables) == "accd"
    assert resolve({"$text": "token", "cut": 2}, variables) == "ab"
    assert resolve({"$zeros": 3}, variables) == "AAAA"
    with pytest.raises(LookupError):
        resolve({"$var": "nobody"}, variables)


def test_paths() -> None:
    assert steps_of("accepted.updates[0].view") == ["accepted", "updates", 0, "view"]
    assert steps_of("a[*].b") == ["a", "*", "b"]
    for wrong in ("a..b", "a[", "a[x]", "[-1]"):
        with pytest.raises(ValueError, match="is no path"):
            steps_of(wrong)
    with pytest.raises(ValueError, match="has to end with a name"):
        take_out({"a": [1]}, "a[0]")
    for nowhere in ("b", "a[2]", "a.b", "a[0].c"):
        with pytest.raises(LookupError):
            at_path({"a": [{"b": 1}, {}]}, nowhere)


def test_differences_of_kinds() -> None:
    assert list(differences([1], {"a": 1})) == [Difference("", [1], {"a": 1})]
    assert list(differences({"a": 1}, {"a": "1"})) == [Difference("a", 1, "1")]
    assert list(differences(None, None)) == []


def test_the_layout_is_json_that_fits_the_width() -> None:
    value = {"cards": [f"CARD_{number}" for number in range(60)], "empty": {}, "inner": [{"a": [1, 2]}, {"b": "è"}]}
    text = pretty({**value, "long": "x" * 200})
    lines = text.splitlines()
    assert json.loads(text) == {**value, "long": "x" * 200}
    assert max(len(line) for line in lines if "xxx" not in line) <= WIDTH


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """One scenario on a server of its own; words that nothing has are an error."""
    assert runner.main(["gin/oklahoma"]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    assert runner.main(["no such vector"]) == 2
    assert runner.main(["calls/not_built", "--target", "127.0.0.1:1"]) == 1
    out = capsys.readouterr().out
    assert "code: expected 'UNIMPLEMENTED', actual 'UNAVAILABLE'" in out
    assert out.endswith("0 passed, 1 failed\n")
    assert runner.main(["gin/oklahoma", "--target", "127.0.0.1:1"]) == 0
    skipped = "SKIPPED vectors/gin/oklahoma.json, which needs arbiter\n0 passed, 0 failed, 1 skipped\n"
    assert capsys.readouterr().out == skipped
