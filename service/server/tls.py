"""TLS: the server's certificate, and what a client's says of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

import grpc
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from service.server.keys import split

CERTIFICATE_VARIABLE: Final = "BURRACO_TLS_CERTIFICATE_FILE"
KEY_VARIABLE: Final = "BURRACO_TLS_KEY_FILE"
CLIENT_CA_VARIABLE: Final = "BURRACO_TLS_CLIENT_CA_FILE"
NAME_KINDS: Final = ("dns:", "uri:", "cn:")
_CURVES: Final = ("secp256r1", "secp384r1")
_LEAST_RSA_BITS: Final = 2048
_LONGEST_FILE: Final = 1 << 20
_PROBE_SECONDS: Final = 10
_UNREADABLE: Final = (
    *(ValueError, UnsupportedAlgorithm, x509.InvalidVersion),
    *(x509.DuplicateExtension, x509.UnsupportedGeneralNameType),
)
"""What reading a certificate can raise."""


@dataclass(frozen=True)
class Pem:
    """What the files of TLS hold."""

    certificate_chain: bytes
    private_key: bytes = field(repr=False)
    client_ca: bytes | None = None
    """Who vouches for clients; with it, a client without a certificate is not connected."""


@dataclass(frozen=True)
class TlsFiles:
    """Where certificate, key and the CAs of clients lie."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def read(self) -> Pem:
        """Read the files; ValueError with a sentence for one that cannot be read."""
        authorities = None if self.client_ca is None else _read(CLIENT_CA_VARIABLE, self.client_ca)
        return Pem(_read(CERTIFICATE_VARIABLE, self.certificate), _read(KEY_VARIABLE, self.key), authorities)

    def check(self, pem: Pem) -> "ServerTls":
        """Make what a server speaks TLS with; ValueError with a sentence, without content, for what cannot work."""
        chain = _certificates(CERTIFICATE_VARIABLE, self.certificate, pem.certificate_chain)
        if _public_key(self.certificate, chain[0]) != _private_key(self.key, pem.private_key).public_key():
            raise ValueError(
                f"{KEY_VARIABLE} names {self.key}, which is not the key of the first certificate of "
                f"{self.certificate}: name the two files of one certificate."
            )
        if self.client_ca is not None:
            _certificates(CLIENT_CA_VARIABLE, self.client_ca, pem.client_ca or b"")
        return ServerTls(self, pem, chain[0].not_valid_before_utc, chain[0].not_valid_after_utc)


@dataclass(frozen=True)
class ServerTls:
    """What a server needs to speak TLS."""

    files: TlsFiles
    pem: Pem
    begins: datetime
    """When the server's own certificate begins to hold; `ends` is when it does no more."""
    ends: datetime

    @property
    def asks_clients(self) -> bool:
        """Whether a client needs a certificate to be connected."""
        return self.pem.client_ca is not None

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        """Make what gRPC shakes hands with."""
        pair = (self.pem.private_key, self.pem.certificate_chain)
        return grpc.ssl_server_certificate_configuration([pair], self.pem.client_ca)

    def is_taken(self) -> bool:
        """Whether gRPC takes it, which knows other certificates than are read here, and says so only by listening."""
        pair = (self.pem.private_key, self.pem.certificate_chain)
        credentials = grpc.ssl_server_credentials([pair], self.pem.client_ca, require_client_auth=self.asks_clients)
        probe = grpc.server(None)  # type: ignore[arg-type]  # it answers nobody, so it needs no threads
        try:
            probe.add_secure_port("127.0.0.1:0", credentials)
        except RuntimeError:
            return False
        finally:
            probe.start()  # one that was never started would keep its port after its end
            probe.stop(None).wait(_PROBE_SECONDS)
        return True

    def not_taken(self) -> str:
        """Say in a sentence that gRPC does not take it."""
        files = [str(file) for file in (self.files.certificate, self.files.key, self.files.client_ca) if file]
        return (
            f"{' or '.join(files)} holds what gRPC does not take, though it can be read: compare with "
            f"`openssl x509 -text`, and have the certificate made anew."
        )


def read_tls(certificate: Path | None, key: Path | None, client_ca: Path | None) -> ServerTls | None:
    """Read the files; None when none is named, ValueError with a sentence for what cannot work."""
    if certificate is None and key is None and client_ca is None:
        return None
    if certificate is None or key is None:
        missing = CERTIFICATE_VARIABLE if certificate is None else KEY_VARIABLE
        raise ValueError(
            f"{missing} is not set, though another of the TLS files is: TLS takes both {CERTIFICATE_VARIABLE} and "
            f"{KEY_VARIABLE}."
        )
    files = TlsFiles(certificate, key, client_ca)
    return files.check(files.read())


def certificate_list(variable: str, text: str) -> frozenset[str]:
    """Read names of certificates; ValueError for one that could be taken for several, or for none."""
    names = split(text)
    for name in names:
        if not name.startswith(NAME_KINDS) or name in NAME_KINDS or "*" in name:
            raise ValueError(
                f"{variable} has the entry {name!r}: write dns:NAME, uri:URI or cn:NAME, letter for letter and without "
                f"wildcards."
            )
    return frozenset(names)


def certificate_names(auth_context: Mapping[str, Iterable[bytes]]) -> frozenset[str]:
    """Tell the names of a caller's certificate, as `certificate_list` has them; none for a caller without one.

    gRPC has verified it. The names are read from the certificate itself: gRPC tells them all in one list, whatever they
    are names of, and cut at a zero byte.
    """
    return _names(b"".join(auth_context.get("x509_pem_cert") or ()))


@lru_cache(maxsize=256)
def _names(pem: bytes) -> frozenset[str]:
    if not pem:
        return frozenset()
    try:
        certificate = x509.load_pem_x509_certificate(pem)
        common = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
        found = [f"cn:{name.value!s}" for name in common]
        for extension in certificate.extensions:
            if isinstance(extension.value, x509.SubjectAlternativeName):
                found += [f"dns:{name}" for name in extension.value.get_values_for_type(x509.DNSName)]
                found += [f"uri:{name}" for name in extension.value.get_values_for_type(x509.UniformResourceIdentifier)]
    except _UNREADABLE:  # of a form that says nothing for sure
        return frozenset()
    return frozenset(found)


def _read(variable: str, file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            content = opened.read(_LONGEST_FILE + 1)
    except OSError as error:
        raise ValueError(
            f"{variable} names {file}, which cannot be read ({error.strerror}): name a file that this process may read."
        ) from None
    if len(content) > _LONGEST_FILE:
        raise ValueError(
            f"{variable} names {file}, which is longer than {_LONGEST_FILE} bytes: it takes a file in PEM."
        )
    return content


def _certificates(variable: str, file: Path, pem: bytes) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except _UNREADABLE:
        raise ValueError(f"{variable} names {file}, which holds no certificates: it takes a file in PEM.") from None


def _public_key(file: Path, certificate: x509.Certificate) -> object:
    try:
        return certificate.public_key()
    except _UNREADABLE:
        raise ValueError(
            f"{CERTIFICATE_VARIABLE} names {file}, whose first certificate has a key that cannot be read: use an RSA "
            f"or ECDSA key."
        ) from None


def _private_key(file: Path, pem: bytes) -> rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError(
            f"{KEY_VARIABLE} names {file}, which holds no private key: it takes a file in PEM, without a password."
        ) from None
    if isinstance(key, rsa.RSAPrivateKey) and key.key_size >= _LEAST_RSA_BITS:
        return key
    if isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name in _CURVES:
        return key
    raise ValueError(
        f"{KEY_VARIABLE} names {file}, whose key is of a kind that clients do not take: use an RSA key of "
        f"{_LEAST_RSA_BITS} or more bits, or an ECDSA key on P-256 or P-384."
    )
