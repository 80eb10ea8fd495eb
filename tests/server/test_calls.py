"""What surrounds every call."""

import threading
import time

import grpc
import pytest

from burraco.v1 import arbiter_service_pb2, arbiter_service_pb2_grpc, reasons_pb2, rules_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from service.server.adapter import GAME_SERVICE
from tests.server.conftest import Serve
from tests.server.stub import SECONDS, Running, eventually, failure, refusal

GET_RULES = "/burraco.v1.GameService/GetRules"
NOT_BUILT = ["SuggestMoves"]


@pytest.mark.parametrize("rpc", [method.name for method in GAME_SERVICE.methods if method.name not in NOT_BUILT])
def test_every_built_rpc_reaches_its_servicer(running: Running, rpc: str) -> None:
    """Each RPC of the contract that is built reaches the method of its name."""
    request = getattr(pb, f"{rpc}Request")()
    if rpc == "StreamApplyMoves":
        assert list(running.stub.StreamApplyMoves(iter([request]))) == [
            pb.StreamApplyMovesResponse(response=pb.ApplyMovesResponse())
        ]
    else:
        assert getattr(running.stub, rpc)(request) == getattr(pb, f"{rpc}Response")()


@pytest.mark.parametrize("rpc", NOT_BUILT)
def test_an_rpc_that_is_not_built_says_so(running: Running, rpc: str) -> None:
    """An RPC that is not built yet is UNIMPLEMENTED with its own reason."""
    request = getattr(pb, f"{rpc}Request")()
    failed = failure(lambda: getattr(running.stub, rpc)(request))
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNIMPLEMENTED, "REASON_NOT_BUILT")
    assert failed.info.metadata == {"rpc": rpc}


def test_the_arbiter_is_not_on_this_port(running: Running) -> None:
    """The arbiter's RPCs are unknown here, as any that are none."""
    arbiter = arbiter_service_pb2_grpc.ArbiterServiceStub(running.channel)
    refused = refusal(lambda: arbiter.InspectState(arbiter_service_pb2.InspectStateRequest()))
    assert refused.code() is grpc.StatusCode.UNIMPLEMENTED


def test_an_rpc_of_nobody_is_unimplemented(running: Running) -> None:
    """A method outside the contract is UNIMPLEMENTED."""
    assert refusal(lambda: running.raw("/burraco.v1.GameService/Nothing")(b"")).code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("payload", [b"\xff", b"\x0a\xff\xff\xff\xff\xff", b"\x0a\x02\x08"])
def test_bytes_that_are_no_message_are_the_callers_fault(running: Running, payload: bytes) -> None:
    """A request that is no message is INVALID_ARGUMENT, never INTERNAL."""
    failed = failure(lambda: running.raw(GET_RULES)(payload))
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REASON_REQUEST_MALFORMED")
    assert "burraco.v1.GetRulesRequest" in failed.message


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_a_request_above_the_limit_is_refused(serve: Serve, compression: grpc.Compression) -> None:
    """A request above BURRACO_MAX_MESSAGE_BYTES is RESOURCE_EXHAUSTED, compressed too, and the server goes on."""
    running = serve(max_message_bytes=4096)
    send = running.raw(GET_RULES)
    assert (
        refusal(lambda: send(padded_request(4097), compression=compression)).code()
        is grpc.StatusCode.RESOURCE_EXHAUSTED
    )
    assert send(padded_request(4096), compression=compression) == b""


def padded_request(size: int) -> bytes:
    """A valid request of that many bytes: one unknown field, with two bytes of tag and two of length."""
    content = size - 4
    return b"\xc2\x3e" + bytes([content & 0x7F | 0x80, content >> 7]) + bytes(content)


def test_an_answer_above_the_limit_is_refused_with_a_reason(serve: Serve) -> None:
    """An answer above BURRACO_MAX_ANSWER_BYTES is RESOURCE_EXHAUSTED with what to do, and without RetryInfo."""
    running = serve(max_answer_bytes=65_536)
    options = [rules_pb2.OptionDescription(meaning="x" * 40_000)] * 2
    running.game.answer = lambda request, call: pb.GetRulesResponse(options=options)
    failed = running.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REASON_TOO_MANY_ITEMS")
    assert len(failed.status.details) == 1


def test_a_call_knows_its_deadline(running: Running) -> None:
    """A servicer sees how much of the client's time is left."""
    left: list[float] = []

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        left.append(call.time_left())
        return pb.GetRulesResponse()

    running.game.answer = answer
    running.get_rules(timeout=5)
    assert 0 < left[0] <= 5.5


def test_a_call_without_a_deadline_gets_one(serve: Serve) -> None:
    """A call without a deadline ends at the server's own, with its reason."""
    running = serve(default_deadline_seconds=0.05)

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        while True:
            call.check_deadline()
            time.sleep(0.01)

    running.game.answer = answer
    failed = running.failure(timeout=None)
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "REASON_DEADLINE_PASSED")


def test_a_call_that_nobody_waits_for_is_not_worked_on(serve: Serve) -> None:
    """A call whose deadline passed while it waited for a thread never reaches its servicer."""
    running = serve(threads=1)
    gate, served = threading.Event(), []

    def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
        served.append(1)
        gate.wait(SECONDS)
        return pb.GetRulesResponse()

    running.game.answer = answer
    first = running.stub.GetRules.future(pb.GetRulesRequest())
    assert eventually(lambda: served)
    assert refusal(lambda: running.get_rules(timeout=0.05)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    gate.set()
    first.result()
    running.get_rules()
    assert len(served) == 2


def test_the_log_says_that_a_deadline_passed(running: Running) -> None:
    """The log has the code that the client saw: DEADLINE_EXCEEDED for an answer that came too late."""

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        time.sleep(call.time_left() + 0.05)
        return pb.GetRulesResponse()

    running.game.answer = answer
    assert refusal(lambda: running.get_rules(timeout=0.1)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert eventually(lambda: running.events("call"))
    assert running.last_call()["code"] == "DEADLINE_EXCEEDED"


def test_the_log_says_that_a_call_was_cancelled(running: Running) -> None:
    """The log has the code that the client saw: CANCELLED for a call that it gave up."""

    def cancelled_call_is_logged() -> bool:
        started, gate = threading.Event(), threading.Event()

        def answer(_request: object, _call: Call) -> pb.GetRulesResponse:
            started.set()
            gate.wait(SECONDS)
            return pb.GetRulesResponse()

        running.game.answer = answer
        future = running.stub.GetRules.future(pb.GetRulesRequest())
        assert started.wait(SECONDS)
        future.cancel()
        time.sleep(0.05)  # the news takes a while to reach the server
        gate.set()
        return any(line["code"] == "CANCELLED" for line in running.events("call"))

    assert eventually(cancelled_call_is_logged)


def test_a_call_is_one_line_of_the_log(serve: Serve) -> None:
    """A call is one line, with what the servicer noted, as names of enums."""
    running = serve()

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        with call.rules_time():
            time.sleep(0.002)
        call.note(game=rules_pb2.GAME_BURRACO)
        call.note(phase=views_pb2.PHASE_DRAW, reasons=[reasons_pb2.REASON_PILE_EMPTY, reasons_pb2.REASON_PILE_EMPTY])
        return pb.GetRulesResponse()

    running.game.answer = answer
    running.get_rules(metadata=[("x-request-id", "table-7")])
    (line,) = running.events("call")
    assert line.pop("microseconds") >= line.pop("rules_microseconds") >= 2000
    assert line.pop("peer").startswith("ipv4:127.0.0.1:")
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "call",
        "level": "info",
        "method": GET_RULES,
        "code": "OK",
        "request_id": "table-7",
        "caller": "network",
        "game": "GAME_BURRACO",
        "phase": "PHASE_DRAW",
        "reasons": ["REASON_PILE_EMPTY"],
    }


def test_a_log_that_fails_does_not_fail_the_call(running: Running) -> None:
    """A servicer's note that cannot be named, or a log that nobody can write, costs no answer."""

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        call.note(game=99)  # type: ignore[arg-type]
        return pb.GetRulesResponse()

    running.game.answer = answer
    assert running.get_rules() is not None
    running.log.close()
    assert running.get_rules() is not None


def test_interleaved_calls_keep_their_request_ids(serve: Serve) -> None:
    """Calls that share threads never share a request id."""
    running = serve(threads=2, max_concurrent_rpcs=1000)
    seen: list[tuple[str, str]] = []

    def answer(request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        time.sleep(0.001)
        seen.append((f"id-{request.rules.preset}", call.request_id))
        return pb.GetRulesResponse()

    running.game.answer = answer
    futures = [
        running.stub.GetRules.future(
            pb.GetRulesRequest(rules=rules_pb2.RulesSelection(preset=rules_pb2.Preset.ValueType(number))),
            metadata=(("x-request-id", f"id-{number}"),),
        )
        for number in range(50)
    ]
    for future in futures:
        future.result()
    assert len(seen) == 50
    assert all(expected == actual for expected, actual in seen)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("abc-123_x.y:z/0+=", "abc-123_x.y:z/0+="), ('a "quoted" \\ one', "aquotedone"), ("x" * 1000, "x" * 64)],
)
def test_a_request_id_is_kept_in_harmless_characters(running: Running, sent: str, kept: str) -> None:
    """A request id is cut to 64 harmless characters."""
    running.get_rules(metadata=[("x-request-id", sent)])
    assert running.last_call()["request_id"] == kept


@pytest.mark.parametrize("metadata", [[], [("x-request-id", "")], [("x-request-id", "   ")]])
def test_a_call_without_a_request_id_gets_one(running: Running, metadata: list[tuple[str, str]]) -> None:
    """A call without a usable request id gets a new one."""
    running.get_rules(metadata=metadata)
    running.get_rules(metadata=metadata)
    first, second = (line["request_id"] for line in running.events("call"))
    assert len(first) == len(second) == 16
    assert first != second
