"""Errors as the client tells them."""

import copy
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, DebugInfo, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from burraco import Client, FieldViolation, IllegalMove, RulesError, StreamEnded, from_rpc_error
from burraco.errors import from_status
from burraco.v1.game_service_pb2 import (
    ApplyMovesRequest,
    ListPresetsRequest,
    ListPresetsResponse,
    StreamApplyMovesResponse,
)
from burraco.v1.reasons_pb2 import Reason, Violation
from tests.clients.python.fake import FakeService, fail

SECONDS = 20.0


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
        BadRequest(
            field_violations=[
                BadRequest.FieldViolation(field="seat", description="7 is above 3", reason="REASON_FIELD_OUT_OF_RANGE"),
                BadRequest.FieldViolation(field="moves", description="none", reason="REASON_OF_A_LATER_VERSION"),
            ]
        ),
        RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000)),
    )
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.reason == Reason.REASON_FIELD_OUT_OF_RANGE
    assert error.message == "seat is out of range"
    assert error.arguments == {"max": "3", "value": "7"}
    assert error.fields == (
        FieldViolation("seat", "7 is above 3", Reason.REASON_FIELD_OUT_OF_RANGE),
        FieldViolation("moves", "none", Reason.REASON_UNSPECIFIED),
    )
    assert error.retry_after == pytest.approx(1.5)
    assert not error.transient
    assert str(error) == "INVALID_ARGUMENT REASON_FIELD_OUT_OF_RANGE: seat is out of range moves none"


def test_without_details(client: Client, service: FakeService) -> None:
    """A failure without details has a code and a message, and nothing else."""
    error = failure(client, service, grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert (error.code, error.message) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "seat is out of range")
    assert (error.reason, error.arguments, error.fields, error.retry_after) == (0, {}, (), None)


ALWAYS = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
WITH_RETRY_INFO = {*ALWAYS, grpc.StatusCode.RESOURCE_EXHAUSTED}


@pytest.mark.parametrize("code", grpc.StatusCode, ids=lambda code: code.name)
def test_what_is_transient(code: grpc.StatusCode) -> None:
    """An answer over the size limit never succeeds, and overload does; who cancelled knows why."""
    info = Any()
    info.Pack(RetryInfo())
    plain = from_status(Status(code=code.value[0]))
    told_when = from_status(Status(code=code.value[0], details=[info]))
    assert (plain.code, plain.transient, plain.retry_after) == (code, code in ALWAYS, None)
    assert (told_when.code, told_when.transient, told_when.retry_after) == (code, code in WITH_RETRY_INFO, 0)
    ours = RulesError(code, "", cancelled_here=True)
    assert ours.transient == (code in ALWAYS and code is not grpc.StatusCode.CANCELLED)


def test_who_cancelled(client: Client, service: FakeService) -> None:
    """A call of the bare stub that the caller cancelled is told from one that was cancelled on the way."""
    released = threading.Event()

    def answer_stream(messages: object, context: grpc.ServicerContext) -> Iterator[StreamApplyMovesResponse]:
        released.wait(SECONDS)
        fail(context, grpc.StatusCode.CANCELLED, "the server has ended")

    service.answer_stream = answer_stream

    def end_of(*, by_us: bool) -> RulesError:
        call = client.stub.StreamApplyMoves(iter(()))
        if by_us:
            call.cancel()
        else:
            released.set()
        with pytest.raises(grpc.RpcError) as caught:
            next(call)
        return from_rpc_error(caught.value)

    try:
        ours, theirs = end_of(by_us=True), end_of(by_us=False)
    finally:
        released.set()
    assert (ours.code, ours.cancelled_here, ours.transient) == (grpc.StatusCode.CANCELLED, True, False)
    assert (theirs.code, theirs.cancelled_here, theirs.transient) == (grpc.StatusCode.CANCELLED, False, True)


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


def test_who_closes_his_client_cancels_his_calls(client: Client, service: FakeService) -> None:
    """The same call cannot succeed later on it; nor can what a stream did not answer."""
    begun, released = threading.Semaphore(0), threading.Event()

    def answer(*_: object) -> Message:
        begun.release()
        released.wait(SECONDS)
        return ListPresetsResponse()

    def answer_stream(*_: object) -> Iterator[StreamApplyMovesResponse]:
        answer()
        return iter(())

    service.answer, service.answer_stream = answer, answer_stream
    unanswered = client.stream().send(ApplyMovesRequest())
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(client.call, client.stub.ListPresets, ListPresetsRequest(), timeout=SECONDS)
        try:
            assert begun.acquire(timeout=SECONDS)
            assert begun.acquire(timeout=SECONDS)
            client.close()
            for error in (call.exception(SECONDS), unanswered.exception(SECONDS)):
                assert isinstance(error, RulesError)
                assert (error.code, error.transient) == (grpc.StatusCode.CANCELLED, False)
        finally:
            released.set()


def test_a_delay_without_bounds_is_read(client: Client, service: FakeService) -> None:
    """Any number may be sent as one; it is no reason for a call, or for a stream, to end otherwise than it did."""
    service.answer = lambda request, context: fail(
        context, grpc.StatusCode.RESOURCE_EXHAUSTED, "later", RetryInfo(retry_delay=Duration(seconds=10**15, nanos=5))
    )
    with pytest.raises(RulesError) as caught:
        client.call(client.stub.ListPresets, ListPresetsRequest())
    assert caught.value.retry_after == 1e15


FIELD = FieldViolation("seat", "is too great")
FAILED = RulesError(
    grpc.StatusCode.ABORTED, "moved", reason=Reason.REASON_REVISION_MISMATCH, arguments={"a": "b"}, fields=[FIELD]
)


@pytest.mark.parametrize(
    "error",
    [
        FAILED,
        StreamEnded(ApplyMovesRequest(seat=2), FAILED),
        IllegalMove([Violation(text="Draw first.", rule_id="B4-15")]),
    ],
)
@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_goes_to_another_process(copied: Callable[[Exception], Exception], error: Exception) -> None:
    """A pool of processes pickles what its workers raise."""
    again = copied(error)
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))
