"""What the server answers in JSON is what docs/openapi.yaml says, and the file says no less than that."""

import base64
from collections.abc import Iterator
from copy import deepcopy
from http import HTTPStatus
from typing import Any, Final

import pytest
import yaml
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from openapi_schema_validator import OAS31Validator

from burraco.v1 import game_service_pb2 as pb
from tests.edge.proxies import Envoy
from tests.edge.replicas import ROOT
from tests.edge.test_json import KEY, UNARY, ask, path_of, request_of
from tests.edge.web import Answer, post, rule_of, send

DOCUMENT: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text("utf-8"))
STATUS: Final = "Status"


def closed() -> dict[str, Any]:
    """The schemas, each of which takes no property but those that it names: one too many is a fault of the file."""
    components: dict[str, Any] = deepcopy(DOCUMENT["components"])
    for schema in components["schemas"].values():
        if schema["type"] == "object":
            schema["additionalProperties"] = False
    return components


COMPONENTS: Final = closed()


def faults(name: str, value: object) -> list[str]:
    """How a value differs from a schema."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": COMPONENTS}
    return [f"{error.json_path}: {error.message}" for error in OAS31Validator(schema).iter_errors(value)]


def answers(rpc: MethodDescriptor, status: int) -> bool:
    """Whether the file says that the call may end like that."""
    said = DOCUMENT["paths"][path_of(rpc)][rule_of(rpc).WhichOneof("pattern")]["responses"]
    return str(status) in said


@pytest.mark.parametrize("rpc", UNARY, ids=lambda rpc: rpc.name)
def test_request_and_answer_of_an_rpc_are_as_the_file_says(
    proxy: Envoy, match: pb.CreateMatchResponse, rpc: MethodDescriptor
) -> None:
    """The same requests as those that are compared with gRPC."""
    request = request_of(rpc.name, match)
    if rule_of(rpc).post:
        assert not faults(rpc.input_type.name, json_format.MessageToDict(request))
    answer = ask(proxy.back_end, rpc, request, KEY)
    assert answers(rpc, answer.status)
    assert not faults(rpc.output_type.name if answer.status == HTTPStatus.OK else STATUS, answer.json)


def test_a_refusal_and_a_whole_turn_are_as_the_file_says(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """An illegal move, then views and events of every viewer after a legal one."""
    state = base64.b64encode(match.state).decode()
    body: dict[str, Any] = {"state": state, "seat": 0, "moves": [{"meld": {"cards": ["CARD_7S", "CARD_9D"]}}]}
    refused = post(proxy.back_end, "/v1/matches:applyMoves", body, KEY).json
    assert "rejected" in refused
    assert not faults("ApplyMovesResponse", refused)
    body |= {"moves": [{"drawStock": {}}], "viewers": [*({"seat": seat} for seat in range(4)), {"spectator": {}}]}
    assert not faults("ApplyMovesRequest", body)
    accepted = post(proxy.back_end, "/v1/matches:applyMoves", body | {"listLegalMoves": True}, KEY).json
    assert len(accepted["accepted"]["updates"]) == 5
    assert not faults("ApplyMovesResponse", accepted)


def failures(proxy: Envoy, match: pb.CreateMatchResponse) -> Iterator[tuple[str, Answer]]:
    """Calls that fail, with their paths: by the service and by Envoy itself."""
    state = base64.b64encode(match.state).decode()
    move = {"state": state, "seat": 0, "moves": [{"drawStock": {}}]}
    apply, view = "/v1/matches:applyMoves", "/v1/matches:getView"
    yield apply, post(proxy.back_end, apply, move | {"expectedRevision": "7"}, KEY)
    yield apply, post(proxy.web, apply, move)
    yield apply, post(proxy.web, apply, move, {"burraco-seat-token": match.seat_tokens[1]})
    yield view, post(proxy.back_end, view, {"state": "AAAA"}, KEY)
    yield view, post(proxy.back_end, view, {"state": "A" * 500_000}, KEY)
    yield view, post(proxy.back_end, view, {"state": base64.b64encode(bytes(270_000)).decode()}, KEY)
    yield view, send(proxy.back_end, "POST", view, b'{"state":', {"content-type": "application/json", **KEY})


def test_failures_are_as_the_file_says(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """Each with a status that the file has for that call."""
    seen = set()
    for path, answer in failures(proxy, match):
        assert str(answer.status) in DOCUMENT["paths"][path]["post"]["responses"], answer
        assert not faults(STATUS, answer.json), answer
        seen.add(answer.status)
    assert seen == {400, 401, 403, 409, 413, 429}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ApplyMovesResponse", {"accepted": {}, "rejected": {"violations": []}}),
        ("ApplyMovesResponse", {"accepted": {"revision": 7}}),
        ("ApplyMovesResponse", {"accepted": {"phase": "PHASE_LUNCH"}}),
        ("ApplyMovesRequest", {"moves": [{"drawStock": {}, "takePile": {}}]}),
        ("ApplyMovesRequest", {"moves": [{"discard": {"card": "CARD_1S"}}]}),
        ("ApplyMovesRequest", {"state": "", "expected_revison": "1"}),
        ("CreateMatchRequest", {"sealedSeed": "AAAA", "givenSeed": "AAAA"}),
        ("CreateMatchRequest", {"givenSeats": {}, "drawnSeats": {}}),
        ("Status", {"code": 3, "message": "no", "details": [{"@type": "type.googleapis.com/google.rpc.Help"}]}),
    ],
)
def test_what_is_wrong_is_found(name: str, value: object) -> None:
    """Two of a choice, numbers of 64 bits, unknown names, fields that are misspelt."""
    assert faults(name, value)
