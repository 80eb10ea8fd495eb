"""Errors as the client tells them."""

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, DebugInfo, ErrorInfo, RetryInfo

from burraco import Client, FieldViolation, IllegalMove, RulesError, from_rpc_error
from burraco.v1.game_service_pb2 import ListPresetsRequest
from burraco.v1.reasons_pb2 import Reason, Violation
from tests.clients.python.fake import FakeService, fail


def failure(client: Client, service: FakeService, code: grpc.StatusCode, *details: Message) -> RulesError:
    """Make a call that ends so, and return what the client raises."""
    service.answer = lambda request, context: fail(context, code, "seat is out of range", *details)
    with pytest.raises(RulesError) as caught:
        client.call(client.stub.ListPresets, ListPresetsRequest())
    return caught.value


def test_all_details_are_read(client: Client, service: FakeService) -> None:
    """Reason, arguments, fields and the time to wait come from the details, among others unknown."""
    error = failure(
        client,
        service,
        grpc.StatusCode.INVALID_ARGUMENT,
        DebugInfo(detail="of no interest"),
        ErrorInfo(domain="burraco", reason="REASON_FIELD_OUT_OF_RANGE", metadata={"max": "3", "value": "7"}),
        BadRequest(field_violations=[BadRequest.FieldViolation(field="seat", description="7 is above 3")]),
        RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000)),
    )
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.reason == Reason.REASON_FIELD_OUT_OF_RANGE
    assert error.message == "seat is out of range"
    assert error.arguments == {"max": "3", "value": "7"}
    assert error.fields == (FieldViolation("seat", "7 is above 3"),)
    assert error.retry_after == pytest.approx(1.5)
    assert not error.transient
    assert str(error) == "INVALID_ARGUMENT REASON_FIELD_OUT_OF_RANGE: seat is out of range"


def test_without_details(client: Client, service: FakeService) -> None:
    """A failure without details has a code and a message, and nothing else."""
    error = failure(client, service, grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert (error.code, error.message) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "seat is out of range")
    assert (error.reason, error.arguments, error.fields, error.retry_after) == (0, {}, (), None)
    assert error.transient


@pytest.mark.parametrize(
    "info",
    [
        ErrorInfo(domain="burraco", reason="REASON_OF_A_LATER_VERSION"),
        ErrorInfo(domain="proxy.example", reason="REASON_OVERLOADED"),
    ],
)
def test_unknown_reasons(client: Client, service: FakeService, info: ErrorInfo) -> None:
    """A reason that this client does not know, or of another domain, is none."""
    assert failure(client, service, grpc.StatusCode.UNKNOWN, info).reason == Reason.REASON_UNSPECIFIED


def test_damaged_details(client: Client, service: FakeService) -> None:
    """Details that something on the way has damaged are left out; the code still tells."""

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff\xff"),))
        context.abort(grpc.StatusCode.ABORTED, "moved in between")

    service.answer = answer
    with pytest.raises(RulesError, match="ABORTED: moved in between") as caught:
        client.call(client.stub.ListPresets, ListPresetsRequest())
    assert caught.value.reason == Reason.REASON_UNSPECIFIED


def test_an_error_that_is_no_call() -> None:
    """A bare gRPC error becomes an error too."""
    error = from_rpc_error(grpc.RpcError("broken"))
    assert (error.code, error.message) == (grpc.StatusCode.UNKNOWN, "broken")


def test_an_error_of_the_asynchronous_stub() -> None:
    """The errors of grpc.aio are read as well."""
    error = from_rpc_error(
        grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "draining")
    )
    assert (error.code, error.message, error.transient) == (grpc.StatusCode.UNAVAILABLE, "draining", True)


def test_illegal_move_tells_all_its_violations() -> None:
    """An illegal move carries every violation, with its text and the rule that says so."""
    error = IllegalMove(
        [
            Violation(reason=Reason.REASON_TOO_FEW_CARDS, rule_id="B4-19", text="A meld has at least three cards."),
            Violation(reason=Reason.REASON_MUST_KEEP_TWO, rule_id="R1", text="Two cards have to remain in hand."),
        ]
    )
    assert error.reasons == (Reason.REASON_TOO_FEW_CARDS, Reason.REASON_MUST_KEEP_TWO)
    assert str(error) == "A meld has at least three cards. (B4-19); Two cards have to remain in hand. (R1)"
