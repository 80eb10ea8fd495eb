"""gRPC-Web and CORS through Envoy, and what a server says to callers of an edge that it was not started for."""

import http.client
import json
import re
import ssl
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
import yaml

from burraco.channel import connect
from burraco.errors import RulesError
from burraco.v1 import cards_pb2
from burraco.v1 import game_service_pb2 as pb
from service.api.authority import EDGE_METADATA
from tests.api.client import DRAW, ITALIAN
from tests.edge.conftest import PLAIN
from tests.edge.proxies import Envoy, envoy, plain_channel
from tests.edge.replicas import API_KEY, LOOPBACK, ROOT, SECONDS, Replica, replicas
from tests.edge.web import GAME, Answer, call_web, post, send
from tests.server.certificates import LOCALHOST, Authority

PAGE: Final = {"origin": "https://burraco.example"}
OTHER: Final = {"origin": "https://burraco.example.evil.example"}
UNAUTHENTICATED: Final = 16


def preflight(port: int, path: str, asked: str, origin: dict[str, str]) -> Answer:
    """Ask as a browser does before it sends a header of the page's own."""
    headers = {"access-control-request-method": "POST", "access-control-request-headers": asked, **origin}
    return send(port, "OPTIONS", path, None, headers)


@pytest.mark.parametrize("as_text", [False, True])
def test_a_seat_plays_over_grpc_web(proxy: Envoy, match: pb.CreateMatchResponse, *, as_text: bool) -> None:
    """A page on another origin looks at its hand, draws, and may read what came back."""
    headers = {"burraco-seat-token": match.seat_tokens[0], **PAGE}
    view = pb.GetViewRequest(state=match.state, viewer=cards_pb2.Viewer(seat=0))
    seen = call_web(proxy.web, "GetView", view, headers, as_text=as_text)
    assert seen.code == 0
    (message,) = seen.messages
    assert len(pb.GetViewResponse.FromString(message).view.seats[0].hand) == 11
    assert seen.http.headers["access-control-allow-origin"] == PAGE["origin"]
    exposed = seen.http.headers["access-control-expose-headers"].split(", ")
    assert {"grpc-status", "grpc-message", "grpc-status-details-bin"} <= set(exposed)

    draw = pb.ApplyMovesRequest(state=match.state, seat=0, moves=[DRAW])
    (answer,) = call_web(proxy.web, "ApplyMoves", draw, headers, as_text=as_text).messages
    assert pb.ApplyMovesResponse.FromString(answer).accepted.turn == 0


def test_errors_of_grpc_web_have_their_details(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """A page reads the reason of a refusal."""
    other = pb.GetViewRequest(state=match.state, viewer=cards_pb2.Viewer(seat=1))
    refused = call_web(proxy.web, "GetView", other, {"burraco-seat-token": match.seat_tokens[0], **PAGE})
    assert refused.code == grpc.StatusCode.PERMISSION_DENIED.value[0]
    assert refused.messages == []
    assert refused.status.code == refused.code
    assert b"REASON_SEAT_TOKEN_OF_OTHER_SEAT" in refused.status.SerializeToString()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"burraco-api-key": API_KEY},
        {"burraco-seat-token": "bst1_" + "A" * 87},
        {"burraco-api-key": API_KEY, EDGE_METADATA: "no"},
        {"Burraco-Api-Key": API_KEY, "x-forwarded-for": "127.0.0.1", "x-envoy-internal": "true"},
    ],
)
def test_without_a_token_nobody_is_known_over_the_web(proxy: Envoy, headers: dict[str, str]) -> None:
    """Neither a key, nor a forged token, nor a header that tells of another way in makes anybody of a caller."""
    assert call_web(proxy.web, "ListPresets", pb.ListPresetsRequest(), headers).code == UNAUTHENTICATED
    named = [(name.lower(), value) for name, value in headers.items()]
    with plain_channel(f"{LOOPBACK}:{proxy.web}") as channel:
        method: Any = channel.unary_unary(f"{GAME}ListPresets")
        with pytest.raises(grpc.RpcError) as caught:
            method(b"", timeout=SECONDS, metadata=named)
        assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("path", [f"{GAME}ApplyMoves", "/v1/matches:applyMoves"])
def test_preflights_of_the_sites_pages_are_granted(proxy: Envoy, service: list[Replica], path: str) -> None:
    """A page of the site may send a seat's token, and learns that without a replica."""
    before = sum(replica.calls() for replica in service)
    granted = preflight(proxy.web, path, "burraco-seat-token,content-type,x-grpc-web", PAGE)
    assert granted.status == HTTPStatus.OK
    assert granted.headers["access-control-allow-origin"] == PAGE["origin"]
    allowed = granted.headers["access-control-allow-headers"].split(", ")
    assert {"burraco-seat-token", "content-type", "x-grpc-web", "grpc-timeout"} <= set(allowed)
    # A browser that wants to send it is told no.
    assert "burraco-api-key" not in allowed
    assert "*" not in allowed
    assert "access-control-allow-credentials" not in granted.headers
    assert sum(replica.calls() for replica in service) == before


@pytest.mark.parametrize("path", [f"{GAME}ApplyMoves", "/v1/matches:applyMoves"])
@pytest.mark.parametrize("origin", [OTHER, {"origin": "null"}, {"origin": "http://burraco.example"}])
def test_preflights_of_other_pages_are_denied(
    proxy: Envoy, service: list[Replica], path: str, origin: dict[str, str]
) -> None:
    """To any other page the answer names no origin, so that its browser sends nothing, and no replica is asked."""
    before = sum(replica.calls() for replica in service)
    denied = preflight(proxy.web, path, "burraco-seat-token,content-type", origin)
    assert "access-control-allow-origin" not in denied.headers
    assert sum(replica.calls() for replica in service) == before


def test_the_answer_to_another_page_cannot_be_read_by_it(proxy: Envoy, match: pb.CreateMatchResponse) -> None:
    """A call that needs no preflight has no answer that the other page's browser would show it."""
    token = {"burraco-seat-token": match.seat_tokens[0]}
    answer = post(proxy.web, "/v1/rules:describe", {"rules": {"preset": "PRESET_GIN"}}, token | OTHER)
    assert answer.status == HTTPStatus.OK
    assert "access-control-allow-origin" not in answer.headers


def test_back_ends_port_has_no_cors_and_no_grpc_web(proxy: Envoy) -> None:
    """No page calls there: its browser is granted nothing."""
    answer = preflight(proxy.back_end, "/v1/matches:applyMoves", "burraco-api-key", PAGE)
    assert answer.status == HTTPStatus.NOT_FOUND
    assert "access-control-allow-origin" not in answer.headers


def test_tls_ends_at_the_webs_port_by_the_lines_of_the_page(
    service: list[Replica], match: pb.CreateMatchResponse, tmp_path: Path
) -> None:
    """What docs/edge.md shows makes the port speak TLS, of HTTP/1.1 and of gRPC, and nothing else."""
    page = (ROOT / "docs" / "edge.md").read_text("utf-8")
    (text,) = [each for each in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "transport_socket" in each]
    authority = Authority()
    certificate, key = authority.issue("edge", LOCALHOST).write(tmp_path, "tls")
    text = text.replace("/etc/envoy/tls/tls.crt", str(certificate)).replace("/etc/envoy/tls/tls.key", str(key))
    with envoy([service[0].port], yaml.safe_load(text)["transport_socket"]) as proxy:
        trusted = ssl.create_default_context(cadata=authority.certificate.decode())
        connection = http.client.HTTPSConnection(LOOPBACK, proxy.web, timeout=SECONDS, context=trusted)
        connection.request("GET", "/v1/presets", None, {"burraco-seat-token": match.seat_tokens[0]})
        with connection.getresponse() as response:
            assert response.status == HTTPStatus.OK
            assert json.load(response)["presets"]
        connection.close()
        credentials = grpc.ssl_channel_credentials(authority.certificate)
        with connect(
            f"{LOOPBACK}:{proxy.web}", seat_token=match.seat_tokens[0], credentials=credentials, options=PLAIN
        ) as seat:
            assert seat.call(seat.stub.ListPresets, pb.ListPresetsRequest()).presets
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            send(proxy.web, "GET", "/v1/presets")


def test_a_server_that_asks_nobody_for_credentials_refuses_the_edge() -> None:
    """Without BURRACO_REQUIRE_CREDENTIALS every call of the web is refused, with a token too, and told why."""
    with replicas(1, API_KEYS="", REQUIRE_CREDENTIALS="false") as (open_one,):
        with connect(open_one.address, options=PLAIN) as trusted:
            created = trusted.call(trusted.stub.CreateMatch, pb.CreateMatchRequest(rules=ITALIAN, given_seed=bytes(32)))
        token = {"burraco-seat-token": created.seat_tokens[0]}
        with envoy([open_one.port]) as proxy:
            for headers in (token, {}):
                refused = post(proxy.web, "/v1/rules:describe", {"rules": {"preset": "PRESET_GIN"}}, headers)
                assert (refused.status, refused.reason) == (HTTPStatus.UNAUTHORIZED, "REASON_CALLER_NOT_KNOWN")
                assert "BURRACO_REQUIRE_CREDENTIALS=true" in refused.json["message"]
            with connect(f"{LOOPBACK}:{proxy.web}", seat_token=created.seat_tokens[0], options=PLAIN) as seat:
                with pytest.raises(RulesError) as caught:
                    seat.call(seat.stub.ListPresets, pb.ListPresetsRequest())
                assert caught.value.code == grpc.StatusCode.UNAUTHENTICATED
