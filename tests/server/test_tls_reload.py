"""Looking at the files of TLS: what is taken, what is kept out, what the log says; by a clock of the test's."""

import io
import json
import os
import ssl
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from service.server.log import make_log
from service.server.tls import ServerTls, TlsFiles, read_tls
from service.server.tls_reload import TlsReload
from tests.server.certificates import DAY, LOCALHOST, Authority, Key, Pair

SECONDS: Final = 20.0
AUTHORITY: Final = Authority()


@dataclass
class Desk:
    """A reload whose files the test writes and whose looks it makes."""

    folder: Path
    warning_days: int = 0
    with_ca: bool = True
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    log: io.StringIO = field(default_factory=io.StringIO)

    def __post_init__(self) -> None:
        ca = self.folder / "ca.pem"
        self.files = TlsFiles(self.folder / "tls.crt", self.folder / "tls.key", ca if self.with_ca else None)
        ca.write_bytes(AUTHORITY.certificate)

    def begin(self, pair: Pair) -> TlsReload:
        self.write(pair)
        tls = read_tls(self.files.certificate, self.files.key, self.files.client_ca)
        assert tls is not None
        self.reload = TlsReload(tls, self.warning_days, make_log(self.log, "info", "json"), lambda: self.now)
        return self.reload

    def write(self, pair: Pair) -> None:
        self.files.certificate.write_bytes(pair.certificate)
        self.files.key.write_bytes(pair.key)

    def look(self, times: int = 2) -> bytes:
        """Look, and say which certificate new connections get."""
        for _ in range(times):
            self.reload.look()
        return self.reload.current.pem.certificate_chain

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]

    def events(self) -> list[str]:
        return [line["event"] for line in self.lines]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A reload with a certificate of its own."""
    made = Desk(tmp_path)
    made.begin(server())
    return made


def server(**more: Any) -> Pair:  # noqa: ANN401 - as `issue` has them
    return AUTHORITY.issue("server", LOCALHOST, **{"days": 30, **more})


def test_a_change_is_taken_when_two_looks_saw_it(desk: Desk) -> None:
    """One look could have been in the middle of a write."""
    before, new = desk.look(), server()
    desk.write(new)
    assert desk.look(1) == before
    assert desk.look(1) == new.certificate
    assert desk.look(5) == new.certificate
    assert desk.events() == ["tls reloaded"]
    assert desk.lines[0]["certificate_ends"] == desk.reload.current.ends.isoformat()


def test_a_link_that_is_turned_is_a_change(tmp_path: Path) -> None:
    """As an orchestrator mounts secrets: both files lie behind one link, which is replaced."""
    for name, pair in (("one", old := server()), ("two", new := server())):
        (tmp_path / name).mkdir()
        pair.write(tmp_path / name, "tls")
    (tmp_path / "..data").symlink_to("one")
    for name in ("tls.pem", "tls.key"):
        (tmp_path / name).symlink_to(f"..data/{name}")
    desk = Desk(tmp_path, with_ca=False)
    desk.files = TlsFiles(tmp_path / "tls.pem", tmp_path / "tls.key")
    tls = desk.files.check(desk.files.read())
    desk.reload = TlsReload(tls, 0, make_log(desk.log, "info", "json"))
    assert desk.look() == old.certificate
    (tmp_path / "..next").symlink_to("two")
    (tmp_path / "..next").rename(tmp_path / "..data")
    assert desk.look() == new.certificate


def test_the_same_time_and_size_hide_no_change(desk: Desk) -> None:
    """Content decides: a file that looks as old and as long as before is read all the same."""
    other = server()
    stats = {path: path.stat() for path in (desk.files.certificate, desk.files.key)}
    while len(other.certificate) != len(desk.files.certificate.read_bytes()):
        other = server()
    desk.write(other)
    for path, before in stats.items():
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert desk.look() == other.certificate


def test_a_change_of_the_cas_alone_is_taken(desk: Desk) -> None:
    """The file of the clients' CAs is looked at as well."""
    both = AUTHORITY.certificate + Authority("another").certificate
    (desk.folder / "ca.pem").write_bytes(both)
    desk.look()
    assert desk.reload.current.pem.client_ca == both
    assert desk.events() == ["tls reloaded"]


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


EC_KEY: Final = bytes.fromhex("06072a8648ce3d0201")
"""In DER: that a key is one of an elliptic curve."""
VERSION_3: Final = bytes.fromhex("a003020102")
"""In DER: that a certificate is of version 3."""


def changed(path: Path, old: bytes, new: bytes) -> bytes:
    """A certificate with some of its bytes replaced by as many others."""
    der = ssl.PEM_cert_to_DER_cert(path.read_text("ascii"))
    assert old in der
    assert len(old) == len(new)
    return ssl.DER_cert_to_PEM_cert(der.replace(old, new)).encode()


BROKEN: Final[dict[str, tuple[Callable[[Desk], object], str]]] = {
    "another's key": (lambda d: d.files.key.write_bytes(server().key), "not the key of the first certificate"),
    "another's certificate": (lambda d: d.files.certificate.write_bytes(server().certificate), "not the key of"),
    "half a key": (lambda d: d.files.key.write_bytes(server().key[:100]), "holds no private key"),
    "half a certificate": (lambda d: d.files.certificate.write_bytes(server().certificate[:200]), "no certificates"),
    "an empty certificate": (lambda d: d.files.certificate.write_bytes(b""), "holds no certificates"),
    "an empty key": (lambda d: d.files.key.write_bytes(b""), "holds no private key"),
    "no certificate": (lambda d: d.files.certificate.unlink(), "cannot be read"),
    "no key": (lambda d: d.files.key.unlink(), "cannot be read"),
    "a folder": (lambda d: put_folder(d.files.key), "cannot be read"),
    "no CAs": (lambda d: (d.folder / "ca.pem").write_bytes(b"\n"), "BURRACO_TLS_CLIENT_CA_FILE"),
    "CAs gone": (lambda d: (d.folder / "ca.pem").unlink(), "BURRACO_TLS_CLIENT_CA_FILE"),
    "a key of no use": (lambda d: d.write(server(key=ed25519.Ed25519PrivateKey.generate())), "do not take"),
    "a short key": (lambda d: d.write(server(key=rsa.generate_private_key(65537, 1024))), "2048 or more"),
    "a curve that clients of gRPC do not offer": (
        lambda d: d.write(server(key=ec.generate_private_key(ec.SECP521R1()))),
        "P-256 or P-384",
    ),
    "an odd curve": (lambda d: d.write(server(key=ec.generate_private_key(ec.SECP256K1()))), "P-256"),
    "a file without an end": (lambda d: d.files.key.write_bytes(b"x" * (2 << 20)), "longer than 1048576 bytes"),
    "a certificate whose key is of an unknown kind": (
        lambda d: d.files.certificate.write_bytes(changed(d.files.certificate, EC_KEY, EC_KEY[:-1] + b"\x7f")),
        "has a key that cannot be read",
    ),
    "a certificate of an unknown version": (
        lambda d: d.files.certificate.write_bytes(changed(d.files.certificate, VERSION_3, VERSION_3[:-1] + b"\x2a")),
        "holds no certificates",
    ),
    "a certificate that gRPC alone does not take": (
        lambda d: d.files.certificate.write_bytes(changed(d.files.certificate, b"CA of a test", b"\xff" * 12)),
        "what gRPC does not take",
    ),
    "a CA that gRPC alone does not take": (
        lambda d: (d.folder / "ca.pem").write_bytes(changed(d.folder / "ca.pem", b"CA of a test", b"\xff" * 12)),
        "what gRPC does not take",
    ),
    "one that has ended": (lambda d: d.write(server(days=-1)), "has ended"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_work_is_kept_out_and_said_once(desk: Desk, kind: str) -> None:
    """The certificate from before stays, one warning says why, and what comes after is taken again."""
    break_it, why = BROKEN[kind]
    before = desk.look()
    break_it(desk)
    secrets = b"".join(path.read_bytes() for path in (desk.files.key, desk.files.certificate) if path.is_file())
    assert desk.look(6) == before
    (line,) = desk.lines
    assert len(line["advice"]) < 1000
    assert (line["event"], line["level"]) == ("tls kept", "warning")
    assert why in line["advice"]
    assert str(desk.folder) in line["advice"]
    for secret in secrets.decode().splitlines():
        assert not secret or secret not in line["advice"]
    if desk.files.key.is_dir():
        desk.files.key.rmdir()
    (desk.folder / "ca.pem").write_bytes(AUTHORITY.certificate)
    new = server()
    desk.write(new)
    assert desk.look() == new.certificate
    assert desk.events() == ["tls kept", "tls reloaded"]


def test_where_grpc_takes_nothing_the_certificate_is_not_blamed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which gRPC cannot listen to try a certificate keeps no good one out."""
    monkeypatch.setattr(ServerTls, "is_taken", lambda _tls: False)
    new = server()
    desk.write(new)
    assert desk.look() == new.certificate


def test_what_is_whole_again_at_the_next_look_is_not_told(desk: Desk) -> None:
    """Certificate and key that are written one after the other make no warning."""
    new = server()
    desk.files.certificate.write_bytes(new.certificate)
    desk.look(1)
    desk.files.key.write_bytes(new.key)
    assert desk.look() == new.certificate
    assert desk.events() == ["tls reloaded"]


def test_going_back_to_what_there_was_changes_nothing(desk: Desk) -> None:
    """A broken pair that is taken back leaves all as it was, and a second time it is told again."""
    kept = Pair(desk.files.certificate.read_bytes(), desk.files.key.read_bytes())
    for _ in range(2):
        desk.files.key.write_bytes(b"?")
        desk.look()
        desk.write(kept)
        assert desk.look() == kept.certificate
    assert desk.events() == ["tls kept", "tls kept"]


def test_a_certificate_that_has_not_begun_is_taken_when_it_does(desk: Desk) -> None:
    """It may be written ahead of its time; nothing has to be written again."""
    before, new = desk.look(), server(begins=2, days=9)
    desk.write(new)
    assert desk.look(5) == before
    desk.now += 3 * DAY
    assert desk.look(1) == new.certificate
    assert desk.events() == ["tls kept", "tls reloaded"]
    assert "begins at" in desk.lines[0]["advice"]


def test_one_that_has_not_begun_and_is_taken_back_never_begins(desk: Desk) -> None:
    """Only what lies there now is taken."""
    kept = Pair(desk.files.certificate.read_bytes(), desk.files.key.read_bytes())
    desk.write(server(begins=2, days=9))
    desk.look()
    desk.write(kept)
    desk.look()
    desk.now += 3 * DAY
    assert desk.look() == kept.certificate


# --- the end of a certificate ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "left", "warned"), [(14, 15, 0), (14, 13, 1), (0, 1, 0), (0, -1, 1), (30, -1, 1)])
def test_the_log_warns_before_the_end(tmp_path: Path, days: int, left: int, warned: int) -> None:
    """From so many days before the end on, and after it, in any case."""
    desk = Desk(tmp_path, warning_days=days)
    desk.begin(server(days=left))
    desk.look(5)
    assert desk.events() == ["tls certificate ends"] * warned
    for line in desk.lines:
        assert line["level"] == "warning"
        assert line["certificate_ends"] == desk.reload.current.ends.isoformat()
        assert ("has ended on" if left < 0 else "ends on") in line["advice"]


def test_the_warning_comes_once_a_day_until_there_is_a_new_one(tmp_path: Path) -> None:
    """It is not forgotten, and not said twice a second; a new certificate near its end is told at once."""
    desk = Desk(tmp_path, warning_days=14)
    desk.begin(server(days=10))
    for _ in range(7):
        desk.look()
        desk.now += DAY / 4
    assert desk.events() == ["tls certificate ends"] * 2
    desk.write(server(days=11))
    desk.look()
    assert desk.events()[2:] == ["tls reloaded", "tls certificate ends"]
    desk.write(server(days=40))
    desk.look()
    desk.now += 2 * DAY
    desk.look()
    assert desk.events()[4:] == ["tls reloaded"]


# --- what gRPC asks --------------------------------------------------------------------------------------------------


@pytest.fixture
def fetchers(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What was given to gRPC to ask at each handshake."""
    given: list[Callable[[], object]] = []
    make = grpc.dynamic_ssl_server_credentials

    def note(initial: Any, fetcher: Any, require: Any) -> Any:  # noqa: ANN401 - passes through
        given.append(fetcher)
        return make(initial, fetcher, require)

    monkeypatch.setattr(grpc, "dynamic_ssl_server_credentials", note)
    return given


def test_every_port_is_told_of_a_change_once(desk: Desk, fetchers: list[Callable[[], object]]) -> None:
    """At a handshake nothing is new but what came since the handshake before; each port asks for itself."""
    for _ in range(2):
        desk.reload.credentials()
    assert [fetch() for fetch in fetchers] == [None, None]
    desk.write(server())
    desk.look()
    first, second = (fetch() for fetch in fetchers)
    assert first is second is not None
    assert [fetch() for fetch in fetchers] == [None, None]


def test_a_handshake_waits_for_no_file(tmp_path: Path, fetchers: list[Callable[[], object]]) -> None:
    """Its answer takes far less than a millisecond, since locks are held for it, also while a look hangs in a file."""
    desk = Desk(tmp_path, with_ca=False)
    desk.begin(server())
    desk.reload.credentials()
    (fetch,) = fetchers
    desk.files.key.unlink()
    os.mkfifo(desk.files.key)
    hanging = threading.Thread(target=desk.reload.look, daemon=True)
    hanging.start()
    taken = []
    for _ in range(1000):
        began = time.perf_counter_ns()
        assert fetch() is None
        taken.append(time.perf_counter_ns() - began)
    assert hanging.is_alive()
    assert statistics.median(taken) < 1_000_000
    desk.files.key.write_bytes(b"?")
    hanging.join(SECONDS)
    assert not hanging.is_alive()


def test_a_look_that_fails_does_not_end_the_looking(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a look ran into, it is logged without its message, and the next one finds what there is."""
    monkeypatch.setattr("service.server.tls_reload.LOOK_SECONDS", 0.01)
    real, before = TlsFiles.read, Pair(b"", desk.files.key.read_bytes())

    def failing(_files: TlsFiles) -> object:
        raise RuntimeError(before.key)

    monkeypatch.setattr(TlsFiles, "read", failing)
    desk.reload.start(443)
    new = server()
    desk.write(new)
    end = time.monotonic() + SECONDS
    while "fault" not in desk.events() and time.monotonic() < end:
        time.sleep(0.01)
    monkeypatch.setattr(TlsFiles, "read", real)
    while desk.reload.current.pem.certificate_chain != new.certificate and time.monotonic() < end:
        time.sleep(0.01)
    desk.reload.close()
    assert desk.reload.current.pem.certificate_chain == new.certificate
    assert before.key.decode().splitlines()[1] not in desk.log.getvalue()
    assert {line["port"] for line in desk.lines} == {443}


KINDS: Final[dict[str, Callable[[], Key]]] = {
    "RSA 2048": lambda: rsa.generate_private_key(65537, 2048),
    "RSA 3072": lambda: rsa.generate_private_key(65537, 3072),
    "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_passes_is_what_grpc_takes(tmp_path: Path, kind: str) -> None:
    """A server listens and shakes hands with every kind of key that is let through, and with CAs named twice."""
    desk = Desk(tmp_path)
    pair = server(key=KINDS[kind]())
    (tmp_path / "ca.pem").write_bytes(b"a text before\n" + AUTHORITY.certificate * 2)
    reload = desk.begin(Pair(pair.certificate + AUTHORITY.certificate, pair.key))
    listening = grpc.server(None)  # type: ignore[arg-type]  # no call comes
    port = listening.add_secure_port("127.0.0.1:0", reload.credentials())
    listening.start()
    client = AUTHORITY.issue("client")
    credentials = grpc.ssl_channel_credentials(AUTHORITY.certificate, client.key, client.certificate)
    with grpc.secure_channel(f"localhost:{port}", credentials, [("grpc.enable_http_proxy", 0)]) as channel:
        grpc.channel_ready_future(channel).result(SECONDS)
    listening.stop(None)


def test_asking_grpc_leaves_nothing_open(desk: Desk) -> None:
    """A server that changes its certificates for years has no more files and ports open than at first."""
    good = desk.reload.current
    ca = desk.folder / "ca.pem"
    ca.write_bytes(changed(ca, b"CA of a test", b"\xff" * 12))
    bad = desk.files.check(desk.files.read())
    assert (good.is_taken(), bad.is_taken()) == (True, False)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(40):
        good.is_taken()
        bad.is_taken()
    assert len(list(Path("/proc/self/fd").iterdir())) < before + 10


def test_no_printed_form_shows_the_key(desk: Desk) -> None:
    """Neither what the files hold nor the reload shows it."""
    tls: ServerTls = desk.reload.current
    secret = desk.files.key.read_text("ascii").splitlines()[1]
    assert secret not in f"{tls} {tls!r} {tls.pem!r} {desk.reload!r}"
