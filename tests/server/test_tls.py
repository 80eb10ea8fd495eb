"""TLS, and back ends known by their certificates: real certificates, real handshakes."""

import base64
import datetime as dt
import io
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from service.server.listening import BindError
from service.server.log import make_log
from service.server.server import start_server
from service.server.settings import Settings, SettingsError, load_settings, variable_of
from service.server.tls import certificate_list, certificate_names
from service.wire.tokens import SeatToken, TokenKeys
from tests.server.certificates import LOCALHOST, Authority, Pair
from tests.server.stub import SECONDS, Running, StubGame, refusal
from tests.support.transport import TRANSPORT

KEY = bytes(range(32))
API_KEY = "k" * 32
LISTED = "dns:table.example,uri:spiffe://prod/table,cn:Table"
Connect = Callable[[Pair | None], Running]


@pytest.fixture(scope="module")
def authority() -> Authority:
    """The CA of servers and clients."""
    return Authority()


@pytest.fixture
def files(authority: Authority, tmp_path: Path) -> dict[str, str]:
    """Settings of a server that asks clients for certificates."""
    certificate, key = authority.issue("server", LOCALHOST).write(tmp_path, "server")
    (tmp_path / "ca.pem").write_bytes(authority.certificate)
    return {
        "tls_certificate_file": str(certificate),
        "tls_key_file": str(key),
        "tls_client_ca_file": str(tmp_path / "ca.pem"),
    }


@pytest.fixture
def connect(authority: Authority, files: dict[str, str]) -> Iterator[Callable[..., Connect]]:
    """Start a server, and connect to it with certificates of the test's choice."""
    with ExitStack() as stack:

        def start(**settings: object) -> Connect:
            log, game = io.StringIO(), StubGame()
            sealing_key = base64.b64encode(KEY).decode()
            chosen = Settings.model_validate(
                {"sealing_key": sealing_key, "port": 0, "transport": TRANSPORT, **files, **settings}
            )
            server = start_server(chosen, game, make_log(log, "info", "json"))
            stack.callback(server.close)
            stack.callback(lambda: server.stop(None).wait(SECONDS))

            def connected(pair: Pair | None) -> Running:
                mine = (pair.key, pair.certificate) if pair else (None, None)
                credentials = grpc.ssl_channel_credentials(authority.certificate, *mine)
                options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]
                channel = stack.enter_context(grpc.secure_channel(f"localhost:{server.port}", credentials, options))
                return Running(game, server, channel, log)

            return connected

        yield start


def uri(text: str) -> x509.GeneralName:
    return x509.UniformResourceIdentifier(text)


def dns(text: str) -> x509.GeneralName:
    return x509.DNSName(text)


@pytest.mark.parametrize(
    ("common_name", "names"),
    [
        ("", [dns("table.example")]),
        ("other", [dns("x.example"), dns("table.example"), uri("spiffe://other")]),
        ("", [uri("spiffe://prod/table")]),
        ("Table", []),
        ("Table", [dns("x.example")]),
    ],
)
def test_a_listed_certificate_makes_a_back_end(
    connect: Callable[..., Connect], authority: Authority, common_name: str, names: list[x509.GeneralName]
) -> None:
    """One name of the certificate that is listed is enough; the log says how the caller is known, and not its name."""
    running = connect(back_end_certificates=LISTED)(authority.issue(common_name, names))
    assert running.get_rules() is not None
    assert running.last_call()["caller"] == "certificate"
    assert "table" not in running.log.getvalue().lower()


@pytest.mark.parametrize(
    ("common_name", "names"),
    [
        ("", [dns("able.example")]),
        ("", [dns("TABLE.example")]),
        ("", [dns("table.example.")]),
        ("", [dns("a.table.example")]),
        ("", [dns("*.example")]),
        ("", [dns("table.example.evil.example")]),
        ("table.example", []),
        ("spiffe://prod/table", []),
        ("table", [dns("Table")]),
        ("", [uri("spiffe://prod/table/")]),
        ("", [uri("spiffe://prod/table?x")]),
        ("", [uri("table.example")]),
        ("", [dns("spiffe://prod/table")]),
        ("", [x509.RFC822Name("table.example")]),
        ("", [uri("dns:table.example")]),
        ("Table\0x", [dns("table.example\0x")]),
        ("Table,dns:table.example", []),
        ("", []),
    ],
)
def test_a_certificate_that_is_not_listed_makes_nobody(
    connect: Callable[..., Connect], authority: Authority, common_name: str, names: list[x509.GeneralName]
) -> None:
    """A name that is nearly listed, or listed as another kind of name, makes no back end, right CA or not.

    The wildcard of a certificate matches nothing, and neither does what stands before a zero byte.
    """
    connected = connect(back_end_certificates=LISTED)
    running = connected(authority.issue(common_name, names))
    failed = running.failure()
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "REASON_CALLER_NOT_KNOWN")
    assert running.last_call()["caller"] == "unknown"


def test_other_credentials_count_beside_a_certificate(connect: Callable[..., Connect], authority: Authority) -> None:
    """Beside a certificate that is not listed a key or a token counts; a token beside a listed one makes a seat."""
    connected = connect(back_end_certificates=LISTED, api_keys=API_KEY)
    token = TokenKeys(KEY).mint(SeatToken(bytes(16), 1, 0, int(time.time()) + 1000))
    listed, other = authority.issue("Table"), authority.issue("edge")
    for pair, metadata, caller in (
        (other, ("burraco-api-key", API_KEY), "api_key"),
        (other, ("burraco-seat-token", token), "seat"),
        (listed, ("burraco-seat-token", token), "seat"),
    ):
        running = connected(pair)
        assert running.get_rules(metadata=[metadata]) is not None
        assert running.last_call()["caller"] == caller
    assert connected(listed).failure([("burraco-seat-token", token[:-1])]).info.reason == "REASON_SEAT_TOKEN_INVALID"


def test_who_shows_no_good_certificate_is_not_connected(connect: Callable[..., Connect], authority: Authority) -> None:
    """No certificate, one of another CA of the same name, one that signed itself and one that has ended: no call."""
    connected = connect(back_end_certificates=LISTED)
    other = Authority(authority.name)
    pairs = [None, other.issue("Table"), Authority("Table").issue("Table"), authority.issue("Table", days=-1)]
    for pair in pairs:
        running = connected(pair)
        assert refusal(running.get_rules).code() is grpc.StatusCode.UNAVAILABLE
        assert not running.events("call")
    assert connected(authority.issue("Table")).get_rules() is not None


def test_plain_text_is_not_answered(connect: Callable[..., Connect], authority: Authority) -> None:
    """With TLS on, a call without it reaches nobody."""
    running = connect(back_end_certificates=LISTED)(None)
    with grpc.insecure_channel(f"127.0.0.1:{running.server.port}", [("grpc.enable_http_proxy", 0)]) as channel:
        plain = Running(running.game, running.server, channel, running.log)
        assert refusal(plain.get_rules).code() is grpc.StatusCode.UNAVAILABLE
    assert not running.events("call")


def test_tls_without_a_client_ca_asks_for_no_certificate(
    connect: Callable[..., Connect], files: dict[str, str]
) -> None:
    """TLS alone encrypts: callers are known as they are without it."""
    del files["tls_client_ca_file"]
    assert connect()(None).get_rules() is not None
    running = connect(api_keys=API_KEY)(None)
    assert running.failure().info.reason == "REASON_CALLER_NOT_KNOWN"
    assert running.get_rules(metadata=[("burraco-api-key", API_KEY)]) is not None


def test_a_ca_alone_lets_in_and_makes_no_back_end(connect: Callable[..., Connect], authority: Authority) -> None:
    """A client CA without a list says who may connect; back ends are known by their keys."""
    running = connect(api_keys=API_KEY)(authority.issue("Table"))
    assert running.failure().info.reason == "REASON_CALLER_NOT_KNOWN"
    assert running.get_rules(metadata=[("burraco-api-key", API_KEY)]) is not None
    assert running.last_call()["caller"] == "api_key"


def test_names_are_those_of_the_certificate_itself(authority: Authority) -> None:
    """Names come with their kind; what is no certificate has none."""
    pair = authority.issue("a,b", [dns("x.example"), uri("spiffe://x"), x509.RFC822Name("x@y"), *LOCALHOST])
    names = certificate_names({"x509_pem_cert": [pair.certificate], "x509_common_name": [b"another"]})
    assert names == {"cn:a,b", "dns:x.example", "dns:localhost", "uri:spiffe://x"}
    nothing: list[dict[str, list[bytes]]] = [{}, {"x509_pem_cert": []}, {"x509_pem_cert": [b"?"]}]
    for context in [*nothing, {"x509_common_name": [b"a"]}]:
        assert certificate_names(context) == frozenset()


def _strange(*extensions: x509.UnrecognizedExtension) -> bytes:
    """A certificate with extensions as they stand, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "game")])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + dt.timedelta(days=1))
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def test_a_certificate_that_cannot_be_read_for_sure_has_no_names() -> None:
    """Names of kinds that nobody uses, and an extension that comes twice, name nobody; the call goes on without."""
    null = b"\x05\x00"
    alternative = x509.ObjectIdentifier("2.5.29.17")
    twice = _strange(*(x509.UnrecognizedExtension(x509.ObjectIdentifier(f"1.2.3.{at}"), null) for at in (4, 5)))
    strange = [
        _strange(x509.UnrecognizedExtension(alternative, b"\x30\x04\xa3\x02\x05\x00")),  # x400Address
        _strange(x509.UnrecognizedExtension(alternative, b"\x30\x04\xa5\x02\x05\x00")),  # ediPartyName
        twice.replace(bytes((0x2A, 3, 5)), bytes((0x2A, 3, 4))),
    ]
    for der in strange:
        assert certificate_names({"x509_pem_cert": [ssl.DER_cert_to_PEM_cert(der).encode()]}) == frozenset()


@pytest.mark.parametrize("odd", [b"\x30\x04\xa3\x02\x30\x00", b"\x30\x02\x82\x00", b"?", b""])
def test_a_certificate_with_odd_names_has_none(authority: Authority, odd: bytes) -> None:
    """Names of a kind that nobody reads, such as an X.400 address, are no fault of the service."""
    extension = x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.17"), odd)
    pair = authority.issue("Table", extension=extension)
    assert certificate_names({"x509_pem_cert": [pair.certificate]}) <= {"cn:Table", "dns:"}


# --- settings --------------------------------------------------------------------------------------------------------


def test_a_list_of_certificates_is_read() -> None:
    """Entries are separated by commas or spaces; each says of what kind it is."""
    assert certificate_list("V", " dns:a, uri:spiffe://b\ncn:c,") == {"dns:a", "uri:spiffe://b", "cn:c"}


@pytest.mark.parametrize("entry", ["a.example", "dns:", "dns:*.example", "DNS:a", "email:a@b", "uri: x", "*"])
def test_an_entry_that_is_unclear_is_refused(entry: str) -> None:
    """A name without its kind, an empty one and a wildcard stop the start."""
    with pytest.raises(ValueError, match=r"V has the entry .*write dns:NAME, uri:URI or cn:NAME"):
        certificate_list("V", f"cn:ok,{entry}")


def broken(files: dict[str, str], authority: Authority, tmp_path: Path) -> Iterator[tuple[dict[str, str], str, str]]:
    """Settings that cannot work, the variable that the sentence names, and what it advises."""
    certificate, key, ca = files.values()
    another = authority.issue("another")
    other_certificate, other_key = another.write(tmp_path, "other")
    (tmp_path / "text").write_text("no PEM", "ascii")
    loaded = serialization.load_pem_private_key(another.key, None)
    sealed = serialization.BestAvailableEncryption(b"password")
    encrypted = loaded.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealed)
    (tmp_path / "encrypted").write_bytes(encrypted)
    odd = authority.issue("server", LOCALHOST, ed25519.Ed25519PrivateKey.generate()).write(tmp_path, "odd")
    text = str(tmp_path / "text")
    names = ("tls_certificate_file", "tls_key_file", "tls_client_ca_file")

    def chosen(*values: str | None) -> dict[str, str]:
        return {name: value for name, value in zip(names, values, strict=True) if value is not None}

    takes_both = "TLS takes both BURRACO_TLS_CERTIFICATE_FILE and BURRACO_TLS_KEY_FILE"
    yield chosen(certificate, None, None), "BURRACO_TLS_KEY_FILE", takes_both
    yield chosen(None, key, None), "BURRACO_TLS_CERTIFICATE_FILE", takes_both
    yield chosen(None, None, ca), "BURRACO_TLS_CERTIFICATE_FILE", takes_both
    yield chosen(certificate, None, ca), "BURRACO_TLS_KEY_FILE", takes_both
    yield chosen("/no/such", key, None), "BURRACO_TLS_CERTIFICATE_FILE", "name a file that this process may read"
    yield chosen(certificate, "/no/such", None), "BURRACO_TLS_KEY_FILE", "name a file that this process may read"
    yield chosen(certificate, key, "/no/such"), "BURRACO_TLS_CLIENT_CA_FILE", "name a file that this process may read"
    yield chosen(text, key, None), "BURRACO_TLS_CERTIFICATE_FILE", "it takes a file in PEM"
    yield chosen(key, key, None), "BURRACO_TLS_CERTIFICATE_FILE", "it takes a file in PEM"
    yield chosen(certificate, text, None), "BURRACO_TLS_KEY_FILE", "without a password"
    yield chosen(certificate, certificate, None), "BURRACO_TLS_KEY_FILE", "without a password"
    yield chosen(certificate, str(tmp_path / "encrypted"), None), "BURRACO_TLS_KEY_FILE", "without a password"
    yield chosen(certificate, key, text), "BURRACO_TLS_CLIENT_CA_FILE", "it takes a file in PEM"
    yield chosen(certificate, str(other_key), None), "BURRACO_TLS_KEY_FILE", "the two files of one certificate"
    yield chosen(str(other_certificate), key, None), "BURRACO_TLS_KEY_FILE", "the two files of one certificate"
    yield chosen(*map(str, odd), None), "BURRACO_TLS_KEY_FILE", "use an RSA key of 2048 or more bits, or an ECDSA key"
    listed = {"back_end_certificates": "cn:a"}
    yield listed, "BURRACO_BACK_END_CERTIFICATES", "set BURRACO_TLS_CLIENT_CA_FILE"
    yield chosen(certificate, key, None) | listed, "BURRACO_BACK_END_CERTIFICATES", "set BURRACO_TLS_CLIENT_CA_FILE"
    yield files | {"back_end_certificates": "a"}, "BURRACO_BACK_END_CERTIFICATES", "write dns:NAME"
    yield files | {"host": "0.0.0.0"}, "BURRACO_HOST", "BURRACO_BACK_END_CERTIFICATES"
    yield files | {"require_credentials": "true"}, "BURRACO_REQUIRE_CREDENTIALS", "set BURRACO_API_KEYS or"


def test_settings_of_tls_that_cannot_work_stop_the_start(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, str], authority: Authority, tmp_path: Path
) -> None:
    """Half-set, missing, mixed up or contradicting: one sentence names the variable and what to do."""
    for settings, variable, advice in broken(files, authority, tmp_path):
        with monkeypatch.context() as patch:
            for name, value in {"development": "1", **settings}.items():
                patch.setenv(variable_of(name), value)
            with pytest.raises(SettingsError) as caught:
                load_settings()
        (sentence,) = str(caught.value).splitlines()
        assert sentence.startswith(variable), settings
        assert advice in sentence
        assert "PRIVATE KEY" not in sentence


def test_what_grpc_alone_does_not_take_is_not_called_a_port(
    files: dict[str, str], authority: Authority, tmp_path: Path
) -> None:
    """What only gRPC refuses stops the start as well, and the sentence names the files and not the address."""
    certificate = Path(files["tls_certificate_file"])
    der = ssl.PEM_cert_to_DER_cert(certificate.read_text("ascii"))
    name = authority.name.encode()
    certificate.write_text(ssl.DER_cert_to_PEM_cert(der.replace(name, b"\xff" * len(name))), "ascii")
    settings = Settings.model_validate({"development": True, "port": 0, **files})
    with pytest.raises(BindError, match=rf"{tmp_path}.* holds what gRPC does not take"):
        start_server(settings, StubGame(), make_log(io.StringIO(), "info", "json"))


def test_certificates_of_back_ends_end_the_trust_in_loopback(files: dict[str, str]) -> None:
    """Once back ends have certificates, loopback alone is not trusted; unless it is told to be."""
    listed = {"development": True, **files, "back_end_certificates": "cn:a"}
    assert not Settings.model_validate(listed).trust.network
    assert Settings.model_validate({**listed, "trust_network": True}).trust.network
    assert not Settings.model_validate({**listed, "host": "0.0.0.0", "require_credentials": True}).trust.network


def test_the_key_does_not_show(files: dict[str, str]) -> None:
    """No printed form of the settings has the key, only where it lies."""
    settings = Settings.model_validate({"development": True, **files})
    secret = Path(files["tls_key_file"]).read_text("ascii").splitlines()[1]
    assert secret not in f"{settings} {settings!r} {settings.masked()} {settings.tls}"
