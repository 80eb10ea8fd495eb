"""TLS: the server's certificate, and what a client's says of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class ServerTls:
    """What a server needs to speak TLS, each in PEM."""

    certificate_chain: bytes
    private_key: bytes = field(repr=False)
    client_ca: bytes | None = None
    """Who vouches for clients; with it, a client without a certificate is not connected."""

    def expires_at(self) -> float:
        """Tell when the certificate ends, in Unix time."""
        return x509.load_pem_x509_certificates(self.certificate_chain)[0].not_valid_after_utc.timestamp()

    def credentials(self) -> grpc.ServerCredentials:
        """Make what gRPC listens with."""
        pair = (self.private_key, self.certificate_chain)
        return grpc.ssl_server_credentials([pair], self.client_ca, require_client_auth=self.client_ca is not None)


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
    chain, secret = _read(CERTIFICATE_VARIABLE, certificate), _read(KEY_VARIABLE, key)
    leaf = _certificates(CERTIFICATE_VARIABLE, certificate, chain)[0]
    if leaf.public_key() != _private_key(key, secret).public_key():
        raise ValueError(
            f"{KEY_VARIABLE} names {key}, which is not the key of the first certificate of {certificate}: name the two "
            f"files of one certificate."
        )
    if client_ca is None:
        return ServerTls(chain, secret)
    authorities = _read(CLIENT_CA_VARIABLE, client_ca)
    _certificates(CLIENT_CA_VARIABLE, client_ca, authorities)
    return ServerTls(chain, secret, authorities)


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
    except ValueError:  # of a form that says nothing for sure
        return frozenset()
    return frozenset(found)


def _read(variable: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(
            f"{variable} names {file}, which cannot be read ({error.strerror}): name a file that this process may read."
        ) from None


def _certificates(variable: str, file: Path, pem: bytes) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        raise ValueError(f"{variable} names {file}, which holds no certificates: it takes a file in PEM.") from None


def _private_key(file: Path, pem: bytes) -> rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError(
            f"{KEY_VARIABLE} names {file}, which holds no private key: it takes a file in PEM, without a password."
        ) from None
    if isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        return key
    raise ValueError(
        f"{KEY_VARIABLE} names {file}, whose key is of a kind that clients do not take: use an RSA or ECDSA key."
    )
