"""Certificates and CAs exchanged under load: a real process, real files, real handshakes, several clients at once."""

import hashlib
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import grpc
import pytest
from cryptography import x509

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import game_service_pb2_grpc, rules_pb2
from service.server.tls_reload import LOOK_SECONDS
from tests.server.certificates import LOCALHOST, Authority, Pair
from tests.server.processes import REAL, Process
from tests.server.stub import SECONDS, eventually
from tests.support.profile import FULL

ROTATIONS: Final = 60 if FULL else 6
FRESH_CLIENTS: Final = 3
LASTING_CLIENTS: Final = 2
RULES: Final = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_GIN)
SEVERAL_LOOKS: Final = 4 * LOOK_SECONDS
OPTIONS: Final = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0)]


class Mount:
    """Certificate and key as an orchestrator mounts them: `tls.crt` -> `..data/tls.crt`, and `..data` is a link."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0
        self.certificate, self.key, self.ca = (folder / name for name in ("tls.crt", "tls.key", "ca.crt"))
        for path in (self.certificate, self.key, self.ca):
            path.symlink_to(f"..data/{path.name}")

    @property
    def settings(self) -> dict[str, str]:
        return {
            "tls_certificate_file": str(self.certificate),
            "tls_key_file": str(self.key),
            "tls_client_ca_file": str(self.ca),
            "tls_warning_days": "0",
        }

    def swap(self, pair: Pair, ca: bytes) -> None:
        """Write new files into a new folder, and turn the link."""
        self._number += 1
        there = self.folder / f"..{self._number}"
        there.mkdir()
        for path, content in ((self.certificate, pair.certificate), (self.key, pair.key), (self.ca, ca)):
            (there / path.name).write_bytes(content)
        (self.folder / "..next").symlink_to(there.name)
        (self.folder / "..next").rename(self.folder / "..data")

    def rename(self, pair: Pair, _ca: bytes) -> None:
        """Put each file in its place whole, one after the other."""
        for path, content in ((self.key, pair.key), (self.certificate, pair.certificate)):
            target = path.resolve()
            (target.parent / "new").write_bytes(content)
            (target.parent / "new").rename(target)

    def overwrite(self, pair: Pair, _ca: bytes) -> None:
        """Write over each file a piece at a time, as one had better not do."""
        for path, content in ((self.certificate, pair.certificate), (self.key, pair.key)):
            with path.open("wb", buffering=0) as file:
                for at in range(0, len(content), 64):
                    file.write(content[at : at + 64])
                    time.sleep(LOOK_SECONDS / 50)


@dataclass
class Client:
    """A client with a certificate of some CA, which trusts the server's CA."""

    server_ca: bytes
    pair: Pair
    folder: Path

    def channel(self, port: int) -> grpc.Channel:
        credentials = grpc.ssl_channel_credentials(self.server_ca, self.pair.key, self.pair.certificate)
        return grpc.secure_channel(f"localhost:{port}", credentials, OPTIONS)

    def context(self) -> ssl.SSLContext:
        """What Python's own TLS shakes hands with: TLS 1.2, where a refusal is told within the handshake."""
        context = ssl.create_default_context(cadata=self.server_ca.decode())
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2"])
        name = hashlib.sha256(self.pair.certificate).hexdigest()
        context.load_cert_chain(*self.pair.write(self.folder, name))
        return context

    def shake_hands(self, port: int, context: ssl.SSLContext, session: ssl.SSLSession | None = None) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", port), SECONDS)
        return context.wrap_socket(plain, server_hostname="localhost", session=session)


def serial_of(connection: ssl.SSLSocket) -> int:
    certificate = connection.getpeercert(binary_form=True)
    assert certificate is not None
    return x509.load_der_x509_certificate(certificate).serial_number


def serial(pair: Pair) -> int:
    return x509.load_pem_x509_certificate(pair.certificate).serial_number


def call(channel: grpc.Channel) -> None:
    stub = game_service_pb2_grpc.GameServiceStub(channel)
    assert stub.GetRules(pb.GetRulesRequest(rules=RULES), timeout=SECONDS).rules is not None


@dataclass
class Load:
    """Clients that go on calling, on new connections and on old ones, and what became of it."""

    port: int
    client: Client
    failures: list[str] = field(default_factory=list)
    calls: int = 0
    connections: int = 0
    serials: list[int] = field(default_factory=list)
    """Of the certificates that handshakes met, in order and each once in a row."""
    _over: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> Self:
        works = [self._fresh] * FRESH_CLIENTS + [self._lasting] * LASTING_CLIENTS + [self._look]
        self._threads = [threading.Thread(target=self._go_on, args=(work,), daemon=True) for work in works]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """What fails from now on counts no more."""
        self._over.set()

    def join(self) -> None:
        self.end()
        for thread in self._threads:
            thread.join(SECONDS)
            assert not thread.is_alive(), "a client hangs"

    def _go_on(self, work: Callable[[], Iterator[None]]) -> None:
        while not self._over.is_set():
            try:
                for _ in work():
                    if self._over.is_set():
                        break
            except Exception as error:  # noqa: BLE001 - any failure at all is one too many
                if not self._over.is_set():
                    self.failures.append(repr(error))

    def _fresh(self) -> Iterator[None]:
        with self.client.channel(self.port) as channel:
            call(channel)
        self.connections += 1
        yield

    def _lasting(self) -> Iterator[None]:
        with self.client.channel(self.port) as channel:
            while True:
                call(channel)
                self.calls += 1
                yield
                time.sleep(0.002)

    def _look(self) -> Iterator[None]:
        context = self.client.context()
        while True:
            with self.client.shake_hands(self.port, context) as connection:
                met = serial_of(connection)
            if self.serials[-1:] != [met]:
                self.serials.append(met)
            yield
            time.sleep(0.01)


@pytest.fixture
def authority() -> Authority:
    """The CA of the server."""
    return Authority("CA of servers")


@pytest.fixture
def mount(tmp_path: Path) -> Mount:
    """Where the server's files lie."""
    (tmp_path / "mount").mkdir()
    return Mount(tmp_path / "mount")


def test_certificates_are_exchanged_under_load_and_no_call_fails(
    authority: Authority, mount: Mount, tmp_path: Path
) -> None:
    """However the files are written, new handshakes meet the new certificate; a pair that does not fit never.

    At the end the process stops as it should, in the middle of handshakes.
    """
    clients = Authority("CA of clients")
    pairs = [authority.issue("server", LOCALHOST, days=30) for _ in range(ROTATIONS + 1)]
    mount.swap(pairs[0], clients.certificate)
    client = Client(authority.certificate, clients.issue("client"), tmp_path)
    with (
        Process(REAL, {**mount.settings, "log_level": "warning"}) as process,
        Load(process.port, client) as load,
    ):
        assert eventually(lambda: load.serials)
        for number, pair in enumerate(pairs[1:]):
            write = (mount.swap, mount.rename, mount.overwrite)[number % 3]
            write(pair, clients.certificate)
            assert eventually(lambda: load.serials[-1] == serial(pair)), load.failures  # noqa: B023 - asked at once
        mount.key.write_bytes(pairs[0].key)
        time.sleep(SEVERAL_LOOKS)
        connections = load.connections
        assert eventually(lambda: load.connections >= connections + 10)
        load.end()
        process.send(signal.SIGTERM)
        assert process.wait() == 0
        load.join()
    assert load.failures == []
    assert load.serials == [serial(pair) for pair in pairs]
    assert load.connections > 10 * ROTATIONS
    assert load.calls > 50 * ROTATIONS
    (kept,) = process.events("tls kept")
    assert "not the key of the first certificate" in kept["advice"]
    assert not process.events("fault")
    assert "PRIVATE KEY" not in process.stderr


def test_the_cas_of_clients_are_exchanged_under_load(authority: Authority, mount: Mount, tmp_path: Path) -> None:
    """Old CA, both, new CA: whoever has a certificate of a CA that counts is let in, nobody else, at any time."""
    server, old, new = authority.issue("server", LOCALHOST), Authority("old CA"), Authority("new CA")
    early, late = (Client(authority.certificate, ca.issue("client"), tmp_path) for ca in (old, new))
    mount.swap(server, old.certificate)
    with Process(REAL, mount.settings) as process, ExitStack() as stack:
        port = process.port
        context = early.context()
        with early.shake_hands(port, context) as connection:
            session = connection.session
        with early.shake_hands(port, context, session) as connection:
            assert connection.session_reused
        assert refused(late, port)
        with Load(port, early) as before:
            mount.swap(server, old.certificate + new.certificate)
            assert eventually(lambda: not refused(late, port))
            with Load(port, late) as after:
                connections = before.connections + after.connections
                assert eventually(lambda: before.connections + after.connections > connections + 50)
                lasting = stack.enter_context(early.channel(port))
                call(lasting)
                before.join()  # its clients have their new certificates now
                mount.swap(server, new.certificate)
                assert eventually(lambda: refused(early, port))
                connections = after.connections
                assert eventually(lambda: after.connections > connections + 20)
                assert refused(early, port)
                with pytest.raises(OSError, match=r"(?i)alert|eof|reset|ssl"):
                    early.shake_hands(port, context, session)
                call(lasting)  # a connection that is there goes on until its age ends it
                after.join()
        assert (before.failures, after.failures) == ([], [])
        process.send(signal.SIGTERM)
        assert process.wait() == 0
    assert [line["event"] for line in process.events("tls reloaded")] == ["tls reloaded"] * 2


def refused(client: Client, port: int) -> bool:
    """Whether a new connection of a client is refused."""
    with client.channel(port) as channel:
        try:
            call(channel)
        except grpc.RpcError as caught:
            error: Any = caught
            assert error.code() is grpc.StatusCode.UNAVAILABLE
            return True
    return False
