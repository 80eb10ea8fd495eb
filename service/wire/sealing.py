"""Seals: what leaves the server is encrypted and authenticated, so nobody reads or edits it without the key.

A seal is a format byte, a key id of 4 bytes, a nonce of 12, and AES-256-GCM-SIV over the content, with format and key
id as associated data. The nonce is derived from key and content, so that equal content makes an equal seal and a retry
is harmless; GCM-SIV is made to bear that.
"""

import hashlib
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from burraco.v1 import reasons_pb2
from service.wire.faults import Fault

KEY_BYTES: Final = 32
KEY_ID_BYTES: Final = 4
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
HEADER_BYTES: Final = 1 + KEY_ID_BYTES
LEAST_BYTES: Final = HEADER_BYTES + NONCE_BYTES + TAG_BYTES


class Format(IntEnum):
    """What is under a seal, and in which format of seal."""

    STATE = 0x01
    SEED = 0x81


def key_id_of(key: bytes) -> bytes:
    """Name a key, 4 bytes, without telling it."""
    return hashlib.sha256(b"burraco/key-id/v1\x00" + key).digest()[:KEY_ID_BYTES]


class SealingKey:
    """One key, with its id."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a sealing key has {KEY_BYTES} bytes, this one has {len(key)}")
        self.key_id = key_id_of(key)
        self._nonce_key = hashlib.sha256(b"burraco/nonce/v1\x00" + key).digest()
        self._cipher = AESGCMSIV(key)

    def seal(self, content: bytes, what: Format) -> bytes:
        """Seal content."""
        header = bytes((what,)) + self.key_id
        nonce = hashlib.blake2s(content, key=self._nonce_key, person=header, digest_size=NONCE_BYTES).digest()
        return header + nonce + self._cipher.encrypt(nonce, content, header)

    def open(self, sealed: bytes) -> bytes:
        """Open a seal that names this key.

        :raises InvalidTag: it was cut, changed, or sealed with another key of the same id.
        """
        body = HEADER_BYTES + NONCE_BYTES
        return self._cipher.decrypt(sealed[HEADER_BYTES:body], sealed[body:], sealed[:HEADER_BYTES])


class Sealer:
    """Seals with one key and opens with several; keys are 32 bytes each."""

    def __init__(self, sealing_key: bytes, opening_keys: Iterable[bytes] = ()) -> None:
        self._sealing = SealingKey(sealing_key)
        opening = (self._sealing, *map(SealingKey, opening_keys))
        self._opening = {key.key_id: key for key in opening}

    def seal(self, content: bytes, what: Format) -> bytes:
        """Seal content."""
        return self._sealing.seal(content, what)

    def open(self, sealed: bytes, what: Format, field: str) -> bytes:
        """Open a seal; a Fault names the request's field and says why it does not open."""
        malformed = reasons_pb2.REASON_STATE_MALFORMED if what is Format.STATE else reasons_pb2.REASON_SEED_MALFORMED
        name = "state" if what is Format.STATE else "sealed seed"
        if not sealed:
            raise Fault(field, reasons_pb2.REASON_FIELD_MISSING, f"is empty: send the {name} as you received it.")
        if len(sealed) < LEAST_BYTES or sealed[0] != what:
            raise Fault(field, malformed, f"is no {name} of this service: send the bytes as you received them.")
        key = self._opening.get(sealed[1:HEADER_BYTES])
        if key is None:
            key_id = sealed[1:HEADER_BYTES].hex()
            raise Fault(
                field,
                reasons_pb2.REASON_STATE_KEY_UNKNOWN,
                f"was sealed with key {key_id}, which this server does not have: add that key to its opening keys.",
                key_id=key_id,
            )
        try:
            return key.open(sealed)
        except InvalidTag:
            broken = reasons_pb2.REASON_STATE_SEAL_BROKEN if what is Format.STATE else malformed
            raise Fault(
                field, broken, f"has a broken seal: the {name} was cut or changed on the way; send it unchanged."
            ) from None
