"""The arbiter's own list of certificates: those on it may call it and nobody else, whatever else is shown."""

import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from burraco.v1 import arbiter_service_pb2, arbiter_service_pb2_grpc, game_service_pb2, game_service_pb2_grpc
from service.server.settings import Settings, SettingsError, load_settings, variable_of
from service.wire.tokens import SeatToken, TokenKeys
from tests.arbiter.conftest import KEY
from tests.server.certificates import LOCALHOST, Authority, Pair
from tests.server.processes import REAL, Process
from tests.server.stub import SECONDS, Failure, eventually, failure

API_KEY: Final = "k" * 32
TOKEN: Final = TokenKeys(KEY).mint(SeatToken(bytes(16), 1, 0, int(time.time()) + 100_000))
SHOWN: Final = {"key": ("burraco-api-key", API_KEY), "token": ("burraco-seat-token", TOKEN)}
OPTIONS: Final = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]
Ask = Callable[[str, str, str], Failure]


@pytest.fixture(scope="module")
def authority() -> Authority:
    """The CA of everybody."""
    return Authority()


@pytest.fixture(scope="module")
def certificates(authority: Authority) -> dict[str, Pair]:
    """A client certificate of each name."""
    return {name: authority.issue(name) for name in ("Table", "Support", "edge")}


def empty(request: Any) -> Any:  # noqa: ANN401 - a class of messages, and one of it
    return request()


def settings_in(folder: Path, authority: Authority) -> dict[str, str]:
    """Settings of a server with TLS that asks clients for certificates, and of an arbiter with a list."""
    certificate, key = authority.issue("server", LOCALHOST, days=30).write(folder, "server")
    (folder / "ca.pem").write_bytes(authority.certificate)
    return {
        "tls_certificate_file": str(certificate),
        "tls_key_file": str(key),
        "tls_client_ca_file": str(folder / "ca.pem"),
        "back_end_certificates": "cn:Table",
        "api_keys": API_KEY,
        "arbiter_port": "0",
        "arbiter_certificates": "cn:Support,dns:support.example",
    }


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[Process]:
    """A server whose arbiter has a list."""
    settings = settings_in(tmp_path_factory.mktemp("tls"), authority)
    trusting = {"sealing_key": b64encode(KEY).decode(), "trust_network": "true"}
    with Process(REAL, {**settings, **trusting}) as started:
        yield started


@pytest.fixture(scope="module")
def ask(process: Process, authority: Authority, certificates: dict[str, Pair]) -> Iterator[Ask]:
    """Call a port with a certificate and what else there is to show; how that failed."""
    with ExitStack() as stack:

        def call(port: str, certificate: str, shown: str) -> Failure:
            pair = certificates[certificate]
            credentials = grpc.ssl_channel_credentials(authority.certificate, pair.key, pair.certificate)
            target = f"localhost:{process.announced[port]}"
            channel = stack.enter_context(grpc.secure_channel(target, credentials, OPTIONS))
            metadata = [SHOWN[each] for each in shown.split()]
            if port == "port":
                stub: Any = game_service_pb2_grpc.GameServiceStub(channel)
                rpc, request = stub.GetView, empty(game_service_pb2.GetViewRequest)
            else:
                stub = arbiter_service_pb2_grpc.ArbiterServiceStub(channel)
                rpc, request = stub.InspectState, empty(arbiter_service_pb2.InspectStateRequest)
            return failure(lambda: rpc(request, timeout=SECONDS, metadata=metadata))

        yield call


@pytest.mark.parametrize(
    ("certificate", "shown", "reason"),
    [
        ("Support", "", "FIELD_MISSING"),
        ("Support", "key", "FIELD_MISSING"),
        ("Support", "token", "BACK_END_ONLY"),
        ("Table", "", "CALLER_NOT_KNOWN"),
        ("Table", "key", "CALLER_NOT_KNOWN"),
        ("edge", "", "CALLER_NOT_KNOWN"),
        ("edge", "key", "CALLER_NOT_KNOWN"),
        ("edge", "token", "BACK_END_ONLY"),
        ("edge", "key token", "BACK_END_ONLY"),
    ],
)
def test_the_arbiter_answers_those_on_its_list_alone(ask: Ask, certificate: str, shown: str, reason: str) -> None:
    """Neither the game's list, nor an API key, nor a trusted network, nor a token is enough; the error says what is."""
    failed = ask("arbiter_port", certificate, shown)
    assert failed.info.reason == f"REASON_{reason}"
    if reason == "CALLER_NOT_KNOWN":
        assert "call with a client certificate that this port lists" in failed.message
        assert "API key" not in failed.message


@pytest.mark.parametrize(("certificate", "shown"), [("Table", ""), ("edge", "key"), ("Support", ""), ("edge", "")])
def test_the_game_knows_its_callers_as_before(ask: Ask, certificate: str, shown: str) -> None:
    """The arbiter's list says nothing of the game's port, where here everybody of the network is a back end."""
    assert ask("port", certificate, shown).info.reason == "REASON_FIELD_MISSING"


def test_who_is_on_the_arbiters_list_is_no_back_end_of_the_game(tmp_path: Path, authority: Authority) -> None:
    """Nor does the list make anybody a back end."""
    settings = Settings.model_validate({"development": True, **settings_in(tmp_path, authority)})
    assert settings.trust.certificates == {"cn:Table"}
    assert (settings.trust.network, settings.trust.api_keys) == (False, (API_KEY,))
    arbiter = settings.arbiter_trust
    assert arbiter.certificates == {"cn:Support", "dns:support.example"}
    assert (arbiter.network, arbiter.api_keys) == (False, ())


def test_the_certificate_of_the_arbiters_port_is_exchanged_too(tmp_path: Path, authority: Authority) -> None:
    """Both ports get the new CAs of clients, and the log says so of each."""
    settings, later = settings_in(tmp_path, authority), Authority("another")
    with Process(REAL, settings) as process:
        support = later.issue("Support")
        credentials = grpc.ssl_channel_credentials(authority.certificate, support.key, support.certificate)

        def reaches(port: int) -> bool:
            with grpc.secure_channel(f"localhost:{port}", credentials, OPTIONS) as channel:
                try:
                    grpc.channel_ready_future(channel).result(0.5)
                except grpc.FutureTimeoutError:
                    return False
                return True

        ports = [process.announced["port"], process.announced["arbiter_port"]]
        assert [reaches(port) for port in ports] == [False, False]
        (tmp_path / "ca.pem").write_bytes(authority.certificate + later.certificate)
        assert eventually(lambda: all(reaches(port) for port in ports))
    assert {line["port"] for line in process.events("tls reloaded")} == set(ports)


def wrong(settings: dict[str, str]) -> Iterator[tuple[dict[str, str], str, str]]:
    """Settings that do not go together, the variable that is named, and what is advised."""

    def without(*names: str) -> dict[str, str]:
        return {name: value for name, value in settings.items() if name not in names}

    mine = "BURRACO_ARBITER_CERTIFICATES"
    tls = ("tls_certificate_file", "tls_key_file", "tls_client_ca_file", "back_end_certificates")
    yield without("arbiter_port"), mine, "set BURRACO_ARBITER_PORT too"
    yield without(*tls), mine, "set BURRACO_TLS_CLIENT_CA_FILE"
    yield without("tls_client_ca_file", "back_end_certificates"), mine, "set BURRACO_TLS_CLIENT_CA_FILE"
    yield settings | {"arbiter_certificates": ","}, mine, "names no certificate"
    yield settings | {"arbiter_certificates": "Support"}, mine, "write dns:NAME"
    yield settings | {"arbiter_certificates": "dns:*.example"}, mine, "without wildcards"
    bare = without("arbiter_certificates", "back_end_certificates", "api_keys")
    yield bare | {"arbiter_host": "192.0.2.1"}, "BURRACO_ARBITER_HOST", "or BURRACO_ARBITER_CERTIFICATES"


def test_a_list_that_cannot_work_stops_the_start(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a port, without CAs, without a clear name: one sentence says what to do."""
    for settings, variable, advice in wrong(settings_in(tmp_path, authority)):
        with monkeypatch.context() as patch:
            for name, value in {"development": "1", **settings}.items():
                patch.setenv(variable_of(name), value)
            with pytest.raises(SettingsError, match=variable) as caught:
                load_settings()
        (sentence,) = str(caught.value).splitlines()
        assert sentence.startswith(variable), settings
        assert advice in sentence


def test_the_list_guards_an_address_that_others_reach(tmp_path: Path, authority: Authority) -> None:
    """With it the arbiter may listen off loopback, though the game itself has neither keys nor certificates."""
    settings = settings_in(tmp_path, authority) | {"arbiter_host": "192.0.2.1"}
    for name in ("api_keys", "back_end_certificates"):
        del settings[name]
    chosen = Settings.model_validate({"development": True, **settings})
    assert (chosen.arbiter_trust.network, chosen.trust.network) == (False, True)
