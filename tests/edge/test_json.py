"""JSON over HTTP, made by Envoy: every unary RPC, errors with their details, and what is refused."""

import base64
import re
from http import HTTPStatus
from random import Random
from typing import Any, Final

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from burraco.channel import Client
from burraco.v1 import cards_pb2, rules_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.presets import ITALIAN
from service.server.adapter import GAME_SERVICE
from service.wire.rules_codec import rules_message
from tests.api.client import DRAW, everyone, lay
from tests.edge.proxies import Envoy
from tests.edge.replicas import API_KEY, Replica
from tests.edge.web import post, rule_of, send

KEY: Final = {"burraco-api-key": API_KEY}
UNARY: Final = [rpc for rpc in GAME_SERVICE.methods if not rpc.client_streaming]
RULES: Final = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN)
SEVENS: Final = (cards_pb2.CARD_7S, cards_pb2.CARD_7H, cards_pb2.CARD_7D)
UNLIKE: Final = frozenset(("CommitSeed", "CreateMatch", "IssueSeatToken"))
"""RPCs that answer something else each time: chance, or the clock."""


def path_of(rpc: MethodDescriptor) -> str:
    """Its path, from the contract."""
    rule = rule_of(rpc)
    return str(rule.post or rule.get)


def request_of(rpc: str, match: pb.CreateMatchResponse) -> Message:
    """A request that the RPC has an answer for."""
    state, seat, table = match.state, 0, pb.TableSide(melds=[pb.TableMeld(cards=SEVENS)])
    requests: dict[str, Message] = {
        "CommitSeed": pb.CommitSeedRequest(),
        "CreateMatch": pb.CreateMatchRequest(rules=RULES, given_seed=bytes(31) + b"x", viewers=everyone(4)),
        "ApplyMoves": pb.ApplyMovesRequest(state=state, seat=seat, moves=[DRAW], list_legal_moves=True),
        "CheckMoves": pb.CheckMovesRequest(state=state, seat=seat, moves=[lay(SEVENS)]),
        "ListLegalMoves": pb.ListLegalMovesRequest(state=state, seat=seat),
        "GetView": pb.GetViewRequest(state=state, viewer=cards_pb2.Viewer(seat=2), include_rules=True),
        "ScoreDeal": pb.ScoreDealRequest(table=pb.TableDeal(rules=RULES, sides=[table, pb.TableSide()])),
        "ExplainMeld": pb.ExplainMeldRequest(rules=RULES, cards=SEVENS),
        "ReplayMatch": pb.ReplayMatchRequest(
            rules=rules_message(ITALIAN), seed=bytes(32), given_seats=pb.GivenSeats(dealer=3), moves=[]
        ),
        "IssueSeatToken": pb.IssueSeatTokenRequest(state=state, seat=3),
        "ListPresets": pb.ListPresetsRequest(),
        "GetRules": pb.GetRulesRequest(rules=RULES),
        "SuggestMoves": pb.SuggestMovesRequest(state=state, seat=seat),
    }
    return requests[rpc]


def ask(port: int, rpc: MethodDescriptor, request: Message, headers: dict[str, str]) -> Any:  # noqa: ANN401 - an answer
    """Send a request in JSON, by the path and the method of the contract."""
    if rule_of(rpc).get:
        return send(port, "GET", path_of(rpc), None, headers)
    return post(port, path_of(rpc), json_format.MessageToDict(request), headers)


@pytest.mark.parametrize("rpc", UNARY, ids=lambda rpc: rpc.name)
def test_every_rpc_says_in_json_what_it_says_in_grpc(
    proxy: Envoy, back_end: Client, match: pb.CreateMatchResponse, rpc: MethodDescriptor
) -> None:
    """What JSON answers is the same message that gRPC answers, or the same error."""
    request = request_of(rpc.name, match)
    answer = ask(proxy.back_end, rpc, request, KEY)
    try:
        expected = getattr(back_end.stub, rpc.name)(request, metadata=back_end.metadata)
    except grpc.RpcError as caught:
        error: Any = caught
        assert error.code() == grpc.StatusCode.UNIMPLEMENTED, error
        assert (answer.status, answer.json["code"]) == (HTTPStatus.NOT_IMPLEMENTED, error.code().value[0])
        assert (answer.json["message"], answer.reason) == (error.details(), "REASON_NOT_BUILT")
        return
    assert answer.status == HTTPStatus.OK, answer.body
    got = json_format.ParseDict(answer.json, GetMessageClass(rpc.output_type)())
    if rpc.name in UNLIKE:
        assert {field.name for field, _ in got.ListFields()} == {field.name for field, _ in expected.ListFields()}
    else:
        assert got == expected


def test_a_match_is_played_in_json(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """Twenty moves of both kinds of fields that JSON writes its own way: bytes in base64, 64 bits as text."""
    state, seat, rng = base64.b64encode(match.state).decode(), 0, Random(5)
    revision = 0
    for _ in range(20):
        listed = post(proxy.back_end, "/v1/matches:listLegalMoves", {"state": state, "seat": seat}, KEY).json
        legal = listed["legalMoves"]
        if "MOVE_KIND_DRAW_STOCK" in legal["simple"]:
            move: dict[str, Any] = {"drawStock": {}}
        else:
            move = {"discard": {"card": rng.choice(legal["discards"])}}
        body = {"state": state, "seat": seat, "moves": [move], "expectedRevision": str(revision)}
        accepted = post(proxy.back_end, "/v1/matches:applyMoves", body, KEY).json["accepted"]
        assert int(accepted["revision"]) == revision + 1
        state, seat, revision = accepted["state"], accepted["turn"], revision + 1
    assert seat == 10 % 4


def test_cards_are_names_in_json(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """A hand reads as a person would write it."""
    body = {"state": base64.b64encode(match.state).decode(), "viewer": {"seat": 2}}
    view = post(proxy.back_end, "/v1/matches:getView", body, KEY).json["view"]
    hand = view["seats"][2]["hand"]
    assert len(hand) == 11
    assert all(re.fullmatch(r"CARD_((A|[2-9]|10|J|Q|K)[SHDC]|JOKER)", card) for card in hand)
    assert view["seats"][1]["hand"] == []


def test_a_seat_plays_over_the_web_in_json(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """With its token a seat may do there what it may do elsewhere; without it, nothing."""
    state = base64.b64encode(match.state).decode()
    body = {"state": state, "seat": 0, "moves": [{"drawStock": {}}]}
    applied = post(proxy.web, "/v1/matches:applyMoves", body, {"burraco-seat-token": match.seat_tokens[0]})
    assert applied.json["accepted"]["turn"] == 0
    other = post(proxy.web, "/v1/matches:applyMoves", body, {"burraco-seat-token": match.seat_tokens[1]})
    assert (other.status, other.reason) == (HTTPStatus.FORBIDDEN, "REASON_SEAT_TOKEN_OF_OTHER_SEAT")
    nobody = post(proxy.web, "/v1/matches:applyMoves", body)
    assert (nobody.status, nobody.reason) == (HTTPStatus.UNAUTHORIZED, "REASON_CALLER_NOT_KNOWN")


@pytest.mark.parametrize("rpc", UNARY, ids=lambda rpc: rpc.name)
def test_no_key_makes_a_back_end_over_the_web(
    proxy: Envoy, match: pb.CreateMatchResponse, rpc: MethodDescriptor
) -> None:
    """An API key that got out is worth nothing at the web's port."""
    for headers in (KEY, {}, {**KEY, "x-burraco-edge": ""}, {"x-burraco-edge": "no", **KEY}):
        answer = ask(proxy.web, rpc, request_of(rpc.name, match), headers)
        assert (answer.status, answer.reason) == (HTTPStatus.UNAUTHORIZED, "REASON_CALLER_NOT_KNOWN")


def test_errors_have_their_details(proxy: Envoy) -> None:
    """Every wrong field is named, with its reason, as gRPC's details have it."""
    answer = post(proxy.back_end, "/v1/matches:getView", {"state": "AAAA", "viewer": {"seat": 0}}, KEY)
    assert (answer.status, answer.json["code"]) == (HTTPStatus.BAD_REQUEST, 3)
    (bad,) = [each for each in answer.json["details"] if each["@type"].endswith("google.rpc.BadRequest")]
    assert [(each["field"], each["reason"]) for each in bad["fieldViolations"]] == [("state", "REASON_STATE_MALFORMED")]
    assert answer.reason == "REASON_STATE_MALFORMED"


REFUSED: Final = [
    ("GET", "/v1/nothing", None, HTTPStatus.NOT_FOUND, 12),
    ("GET", "/v1/rules:describe", None, HTTPStatus.NOT_FOUND, 12),
    ("DELETE", "/v1/presets", None, HTTPStatus.NOT_FOUND, 12),
    ("POST", "/v1/arbiter:inspectState", b"{}", HTTPStatus.NOT_FOUND, 12),
    ("GET", "/v1/presets?verbose=1", None, HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/rules:describe?rules.nothing=1", b"{}", HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/rules:describe", b'{"rules":', HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/rules:describe", b'{"rules":{"preset":"PRESET_NONE_SUCH"}}', HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/rules:describe", b'{"rules":{"preset":[1]}}', HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/matches:getView", b'{"state":"***"}', HTTPStatus.BAD_REQUEST, 3),
    ("POST", "/v1/matches:getView", b'{"state":"' + b"A" * 500_000 + b'"}', HTTPStatus.REQUEST_ENTITY_TOO_LARGE, 8),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), REFUSED)
@pytest.mark.parametrize("listener", ["web", "back_end"])
def test_what_envoy_refuses_it_refuses_in_json(
    proxy: Envoy,
    service: list[Replica],
    method: str,
    path: str,
    body: bytes | None,
    status: int,
    code: int,
    listener: str,
) -> None:
    """Unknown paths, methods and query parameters, what is no JSON, and what is too large never reach a replica."""
    before = sum(replica.calls() for replica in service)
    headers = {"content-type": "application/json", **KEY}
    answer = send(getattr(proxy, listener), method, path, body, headers)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.json["message"]
    assert sum(replica.calls() for replica in service) == before


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/grpc.health.v1.Health/Check", "/burraco.v1.ArbiterService/InspectState", "/healthz", "/stats"),
        *("/burraco.v1.GameService/GetRules", "/v1/../burraco.v1.ArbiterService/InspectState", "/v1%2fpresets"),
    ],
)
@pytest.mark.parametrize("listener", ["web", "back_end"])
def test_no_other_path_is_answered(proxy: Envoy, service: list[Replica], path: str, listener: str) -> None:
    """JSON has the paths of the contract alone: neither health, nor the arbiter, nor an RPC by its own name."""
    before = sum(replica.calls() for replica in service)
    answer = send(getattr(proxy, listener), "POST", path, b"{}", {"content-type": "application/json", **KEY})
    assert answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}
    assert sum(replica.calls() for replica in service) == before


def test_what_the_server_finds_too_large_is_an_error_in_json(proxy: Envoy) -> None:
    """Between the two limits it is the server that says so."""
    body = {"state": base64.b64encode(bytes(270_000)).decode(), "viewer": {"seat": 0}}
    answer = post(proxy.back_end, "/v1/matches:getView", body, KEY)
    assert (answer.status, answer.json["code"]) == (HTTPStatus.TOO_MANY_REQUESTS, 8)
