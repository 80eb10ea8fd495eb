"""What callers get for a failed call."""

import grpc
import pytest
from google.rpc import error_details_pb2

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api import errors
from service.api.errors import CallError, FieldProblem
from tests.server.conftest import Serve
from tests.server.stub import Running, detail, fine, raising

CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]
MADE = [
    (errors.invalid("seat", 301, "Seat 7 is out of range: name 0 to 3.", value=7), "INVALID_ARGUMENT"),
    (errors.failed_precondition(321, "The deal is not finished: score it later."), "FAILED_PRECONDITION"),
    (errors.aborted(320, "The state moved on: reload it.", expected=1, actual=2), "ABORTED"),
    (errors.unauthenticated(331, "Who are you?"), "UNAUTHENTICATED"),
    (errors.permission_denied(332, "Not yours."), "PERMISSION_DENIED"),
    (errors.unimplemented("SuggestMoves"), "UNIMPLEMENTED"),
    (errors.overloaded(2.5), "RESOURCE_EXHAUSTED"),
    (errors.shutting_down(), "UNAVAILABLE"),
    (errors.answer_too_large(10, 5), "RESOURCE_EXHAUSTED"),
    (errors.deadline_passed(), "DEADLINE_EXCEEDED"),
    (errors.internal("id"), "INTERNAL"),
]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_code_reaches_the_client_and_the_log(running: Running, code: grpc.StatusCode) -> None:
    """The client and the log see the code that the servicer chose."""
    running.game.answer = raising(CallError(code, reasons_pb2.REASON_FIELD_MISSING, "No.", arguments={"a": "b"}))
    failed = running.failure()
    assert (failed.code, failed.message) == (code, "No.")
    assert (failed.info.domain, failed.info.reason, dict(failed.info.metadata)) == (
        "burraco",
        "REASON_FIELD_MISSING",
        {"a": "b"},
    )
    assert running.last_call()["code"] == code.name
    assert running.last_call()["reasons"] == ["REASON_FIELD_MISSING"]


@pytest.mark.parametrize(("error", "code"), MADE, ids=lambda value: value if isinstance(value, str) else "")
def test_each_constructor_gives_its_code(running: Running, error: CallError, code: str) -> None:
    """Each constructor gives the code that the contract's table has for it."""
    running.game.answer = raising(error)
    failed = running.failure()
    assert failed.code.name == code
    assert failed.info.reason == errors.reason_name(error.reason)


def test_a_wrong_field_is_named_in_message_and_details(running: Running) -> None:
    """A wrong field is named in the message and as a BadRequest violation with its reason."""
    running.game.answer = raising(errors.invalid("moves[3].meld", 301, "Card 99 is none.", value=99))
    failed = running.failure()
    assert failed.message == "moves[3].meld: Card 99 is none."
    assert failed.info.metadata == {"value": "99"}
    (violation,) = detail(failed.status, error_details_pb2.BadRequest).field_violations
    assert (violation.field, violation.description, violation.reason) == (
        "moves[3].meld",
        "Card 99 is none.",
        "REASON_FIELD_OUT_OF_RANGE",
    )


def test_several_wrong_fields_come_in_one_error() -> None:
    """Several wrong fields make one error, which leads with the first."""
    error = errors.several([errors.invalid("a", 300, "Give it."), errors.invalid("b", 301, "Too high.", max=3)])
    status = errors.to_status(error)
    assert status.message == "a: Give it."
    fields = detail(status, error_details_pb2.BadRequest).field_violations
    assert [(each.field, each.reason) for each in fields] == [
        ("a", "REASON_FIELD_MISSING"),
        ("b", "REASON_FIELD_OUT_OF_RANGE"),
    ]


@pytest.mark.parametrize("text", ["short", "x" * 10_000, "♠" * 10_000, "è\n\0\x7f" * 5_000])
def test_the_largest_status_stays_under_4_kb(running: Running, text: str) -> None:
    """A status stays below 4 KB however much there is to say, and counts the fields that it leaves out."""
    error = CallError(
        grpc.StatusCode.INVALID_ARGUMENT,
        reasons_pb2.REASON_TOO_MANY_ITEMS,
        text,
        arguments={f"{text}{number}": text for number in range(100)},
        fields=[FieldProblem(f"{text}[{number}]", 301, text) for number in range(1_000)],
        retry_after_seconds=1e6,
    )
    running.game.answer = raising(error)
    failed = running.failure()
    assert failed.status.ByteSize() < 4096
    assert failed.message.isascii()
    listed = detail(failed.status, error_details_pb2.BadRequest).field_violations
    assert listed[-1].description == f"and {1_000 - (len(listed) - 1)} more"
    assert len(listed) > 3


def test_a_status_is_printable_ascii(running: Running) -> None:
    """Message and details are printable ASCII, whatever a servicer puts in."""
    running.game.answer = raising(errors.invalid("è", 301, "♠ 你好\n\ud800", card="♠"))
    failed = running.failure()
    assert failed.message == "\\xe8: \\u2660 \\u4f60\\u597d \\ud800"
    assert dict(failed.info.metadata) == {"card": "\\u2660"}


def test_an_overload_says_when_to_try_again() -> None:
    """An overload carries RetryInfo."""
    status = errors.to_status(errors.overloaded(2.5))
    assert detail(status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() == 2500


@pytest.mark.parametrize(
    "fault",
    [KeyError("è ♠ 你好"), ValueError(b"\xff"), SystemExit(3), KeyboardInterrupt(), GeneratorExit(), RecursionError()],
    ids=lambda fault: type(fault).__name__,
)
def test_a_fault_tells_the_client_nothing_but_the_request_id(serve: Serve, fault: BaseException) -> None:
    """Any other exception is INTERNAL with a fixed text; trace and request id are in the log, its message is not."""
    running = serve(development=False, sealing_key="A" * 43 + "=")
    running.game.answer = raising(fault)
    failed = running.failure(metadata=[("x-request-id", "abc-1")])
    assert failed.code is grpc.StatusCode.INTERNAL
    assert failed.message == "A fault of the service, not of the call: report it with the request id in the details."
    assert (failed.info.reason, dict(failed.info.metadata)) == ("REASON_INTERNAL", {"request_id": "abc-1"})
    (logged,) = running.events("fault")
    assert logged["request_id"] == "abc-1"
    assert "stub.py" in logged["trace"]
    assert type(fault).__name__ in logged["trace"]
    assert "你好" not in running.log.getvalue()
    assert "\\u4f60" not in running.log.getvalue()
    assert running.last_call()["code"] == "INTERNAL"
    running.game.answer = fine
    assert running.get_rules() == pb.GetRulesResponse()


@pytest.mark.parametrize("answer", [None, "text", object()])
def test_an_answer_that_is_no_message_is_a_fault(running: Running, answer: object) -> None:
    """A servicer that returns something else than a message is a fault like any other."""
    running.game.answer = lambda request, call: answer
    assert running.failure().info.reason == "REASON_INTERNAL"


def test_an_unknown_reason_is_a_fault(running: Running) -> None:
    """A servicer that names a reason which does not exist is a fault like any other."""
    running.game.answer = raising(errors.invalid("a", 199_999, "No."))
    assert running.failure().info.reason == "REASON_INTERNAL"


def test_faults_show_their_message_in_development(running: Running) -> None:
    """In development mode the log has the message of a fault and of its cause."""

    def answer(_request: object, _call: object) -> object:
        try:
            return int("the cause")
        except ValueError as error:
            raise KeyError("the fault") from error

    running.game.answer = answer
    running.failure()
    (logged,) = running.events("fault")
    assert "'the cause'\nwhich led to:" in logged["trace"]
    assert "KeyError: 'the fault'" in logged["trace"]
