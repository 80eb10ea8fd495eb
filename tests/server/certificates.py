"""Certificates of a CA of the test's own."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

Key: TypeAlias = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey
DAY = dt.timedelta(days=1)
LOCALHOST = (x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1")))


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, in PEM."""

    certificate: bytes
    key: bytes

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """Write both into files."""
        paths = folder / f"{name}.pem", folder / f"{name}.key"
        for path, content in zip(paths, (self.certificate, self.key), strict=True):
            path.write_bytes(content)
        return paths


@dataclass
class Authority:
    """A CA that signs whatever the test wants."""

    name: str = "CA of a test"
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    certificate: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.certificate = _pem(self._sign(_named(self.name), self._key, (), is_ca=True))

    def issue(
        self,
        common_name: str = "",
        names: Sequence[x509.GeneralName] = (),
        key: Key | None = None,
        days: int = 1,
        begins: int = -9,
        extension: x509.ExtensionType | None = None,
    ) -> Pair:
        """Sign a certificate that begins and ends so many days from now; with negative days it has ended."""
        own = key or ec.generate_private_key(ec.SECP256R1())
        signed = self._sign(_named(common_name), own, names, days=days, begins=begins, extension=extension)
        private = own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return Pair(_pem(signed), private)

    def _sign(
        self,
        subject: x509.Name,
        key: Key,
        names: Sequence[x509.GeneralName],
        *,
        is_ca: bool = False,
        days: int = 1,
        begins: int = -9,
        extension: x509.ExtensionType | None = None,
    ) -> x509.Certificate:
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder(subject_name=subject, issuer_name=_named(self.name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + begins * DAY)
            .not_valid_after(now + days * DAY)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        if extension is not None:
            builder = builder.add_extension(extension, critical=False)
        return builder.sign(self._key, hashes.SHA256())


def _named(common_name: str) -> x509.Name:
    attributes = [x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)] if common_name else []
    return x509.Name(attributes)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
