"""What is told of streams: of each message as of a call, and of the whole once."""

import json

import grpc

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.call import Call
from service.api.errors import invalid
from tests.server.conftest import Serve
from tests.server.streams import Stream, message
from tests.server.stub import Running, eventually
from tests.server.watch import Watch

STREAM = "StreamApplyMoves"
REFUSED = "REASON_FIELD_MISSING"


def refuse_seat_one(request: pb.ApplyMovesRequest, _call: Call) -> pb.ApplyMovesResponse:
    """Fail for one seat."""
    if request.seat == 1:
        raise invalid("seat", reasons_pb2.REASON_FIELD_MISSING, "No.")
    return pb.ApplyMovesResponse()


def ended(running: Running) -> dict[str, object]:
    """The log's line of the stream."""
    assert eventually(lambda: running.events("stream"))
    (line,) = running.events("stream")
    return line


def test_messages_are_calls_and_the_stream_is_counted_once(serve: Serve) -> None:
    """Metrics, spans and log have a call for each message, with its own code, and one stream."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry)
    running.game.apply = refuse_seat_one
    stream = Stream(running.channel, [("x-request-id", "table-7")])
    answers = stream.send(message("a"), message("b", seat=1), message("c")).half_close().rest()
    assert [answer.WhichOneof("outcome") for answer in answers] == ["response", "status", "response"]
    assert ended(running)["messages"] == 3
    assert watch.value("burraco_calls_total", method=STREAM, code="OK") == 2
    assert watch.value("burraco_calls_total", method=STREAM, code="INVALID_ARGUMENT") == 1
    assert watch.value("burraco_call_seconds_count", method=STREAM) == 3
    assert watch.value("burraco_failures_total", reason=REFUSED) == 1
    assert watch.value("burraco_streams_total", method=STREAM, code="OK") == 1
    assert [each["rpc.response.status_code"] for each in watch.attributes] == ["OK", "INVALID_ARGUMENT", "OK", "OK"]
    assert [each.get("burraco.messages") for each in watch.attributes] == [None, None, None, 3]
    assert {each["burraco.request_id"] for each in watch.attributes} == {"table-7"}
    assert [line["code"] for line in running.events("call")] == ["OK", "INVALID_ARGUMENT", "OK"]


def test_open_streams_are_told_of(serve: Serve) -> None:
    """How many are open, and how many may be, is there to be asked for."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry, max_streams=3)
    service = "burraco.v1.GameService"
    assert watch.value("burraco_streams_open", service=service) == 0
    stream = Stream(running.channel)
    stream.send(message()).read()
    assert watch.value("burraco_streams_open", service=service) == 1
    assert watch.value("burraco_streams_open_limit", service=service) == 3
    stream.half_close().rest()
    assert eventually(lambda: watch.value("burraco_streams_open", service=service) == 0)


def test_an_idle_stream_is_a_failure_and_no_call(serve: Serve) -> None:
    """A stream that the server ends is counted by its code and reason, and its time is nobody's call."""
    watch = Watch()
    running = serve(telemetry=watch.telemetry, stream_idle_seconds=0.2)
    failed = Stream(running.channel).failure()
    assert failed.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert ended(running)["reasons"] == ["REASON_STREAM_IDLE"]
    assert watch.value("burraco_streams_total", method=STREAM, code="DEADLINE_EXCEEDED") == 1
    assert watch.value("burraco_failures_total", reason="REASON_STREAM_IDLE") == 1
    assert watch.value("burraco_calls_total", method=STREAM, code="DEADLINE_EXCEEDED") is None
    assert not watch.value("burraco_call_seconds_count", method=STREAM)


def test_a_stream_is_told_its_request_id(serve: Serve) -> None:
    """However it ends, the trailing metadata has what the log calls it."""
    running = serve(stream_idle_seconds=0.2)
    well = Stream(running.channel, [("x-request-id", "table-7")])
    well.half_close().rest()
    assert dict(well.call.trailing_metadata())["x-request-id"] == "table-7"
    idle = Stream(running.channel)
    idle.failure()
    told = dict(idle.call.trailing_metadata())["x-request-id"]
    assert eventually(lambda: len(running.events("stream")) == 2)
    assert running.events("stream")[1]["request_id"] == told
    assert json.dumps(running.events("stream")).count("table-7") == 1
