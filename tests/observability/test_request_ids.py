"""Request ids: into the log and the trace, and back to the caller."""

import threading
import time
from typing import Any

import grpc
import pytest

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, rules_pb2
from service.api.call import Call
from service.api.errors import invalid
from tests.observability.test_tracing import context_of
from tests.server.conftest import Serve
from tests.server.stub import SECONDS, raising, refusal
from tests.server.watch import Watch

REQUEST_ID = "x-request-id"


def told(call: Any) -> list[str]:  # noqa: ANN401 - its stubs know no trailing metadata
    return [value for name, value in call.trailing_metadata() if name == REQUEST_ID]


@pytest.mark.parametrize("sent", ["table-7", None])
def test_the_caller_is_told_the_request_id(serve: Serve, sent: str | None) -> None:
    """An answer and a failure carry the id of the log's line; one that the caller did not choose too."""
    running = serve()
    metadata = ((REQUEST_ID, sent),) if sent else ()
    _, call = running.stub.GetRules.with_call(pb.GetRulesRequest(), timeout=SECONDS, metadata=metadata)
    assert told(call) == [running.last_call()["request_id"]] == [sent or told(call)[0]]
    running.game.answer = raising(invalid("a", reasons_pb2.REASON_FIELD_MISSING, "No."))
    failed = refusal(lambda: running.get_rules(metadata))
    assert told(failed) == [running.last_call()["request_id"]]
    assert failed.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_what_comes_back_is_harmless(serve: Serve) -> None:
    """What a caller sends comes back in harmless characters alone, as it stands in the log."""
    running = serve()
    metadata = ((REQUEST_ID, 'a b"c<d>' + "x" * 100),)
    _, call = running.stub.GetRules.with_call(pb.GetRulesRequest(), timeout=SECONDS, metadata=metadata)
    assert told(call) == ["abcd" + "x" * 60]


def test_a_refused_call_has_one_too(serve: Serve) -> None:
    """RPCs that are not built, and calls while the server goes away, are told theirs."""
    running = serve()
    request = pb.SuggestMovesRequest()
    metadata = ((REQUEST_ID, "one"),)
    assert told(refusal(lambda: running.stub.SuggestMoves(request, timeout=SECONDS, metadata=metadata))) == ["one"]
    running.server.refuse_calls()
    assert told(refusal(lambda: running.get_rules(metadata))) == ["one"]


def test_interleaved_calls_never_mix(serve: Serve) -> None:
    """Two calls that take turns on two threads keep their ids: in the log, the trace and the answer.

    The first waits in the middle of its work until the second has been in the middle of its own.
    """
    watch = Watch()
    running = serve(telemetry=watch.telemetry, threads=2)
    meeting = threading.Barrier(2, timeout=SECONDS)

    def answer(request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        meeting.wait()
        call.note(game=rules_pb2.Game.ValueType(request.rules.preset))
        meeting.wait()
        return pb.GetRulesResponse()

    running.game.answer = answer
    for round_ in range(20):
        futures = {
            f"id-{game}-{round_}": running.stub.GetRules.future(
                pb.GetRulesRequest(rules=rules_pb2.RulesSelection(preset=rules_pb2.Preset.ValueType(game))),
                metadata=((REQUEST_ID, f"id-{game}-{round_}"), ("traceparent", f"00-{game:032x}-{1:016x}-01")),
                timeout=SECONDS,
            )
            for game in (1, 2)
        }
        for request_id, future in futures.items():
            future.result()
            assert told(future) == [request_id]
    lines = running.events("call")
    assert len(lines) == len(watch.spans) == 40
    for line in lines:
        game = int(line["request_id"].split("-")[1])
        assert line["game"] == rules_pb2.Game.Name(rules_pb2.Game.ValueType(game))
        assert line["trace_id"] == f"{game:032x}"
    for span, attributes in zip(watch.spans, watch.attributes, strict=True):
        game = int(attributes["burraco.request_id"].split("-")[1])
        assert context_of(span).trace_id == game
        assert attributes["burraco.game"] == rules_pb2.Game.Name(rules_pb2.Game.ValueType(game))


def test_a_thread_keeps_nothing_of_the_call_before(serve: Serve) -> None:
    """On one thread, a call that names nothing after one that named all has nothing of that."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry, threads=1)

    def answer(_request: object, call: Call) -> pb.GetRulesResponse:
        time.sleep(0.001)
        if call.request_id == "first":
            call.note(game=rules_pb2.GAME_GIN, reasons=[reasons_pb2.REASON_PILE_EMPTY])
            raise RuntimeError
        return pb.GetRulesResponse()

    running.game.answer = answer
    metadata = [(REQUEST_ID, "first"), ("traceparent", f"00-{7:032x}-{1:016x}-01")]
    running.failure(metadata)
    running.get_rules()
    second = running.last_call()
    assert second["request_id"] != "first"
    assert not second.keys() & {"game", "reasons"}
    assert second["trace_id"] != f"{7:032x}"
    assert not watch.attributes[-1].keys() & {"burraco.game", "burraco.reasons", "error.type"}
