"""Seat tokens: whoever shows one is a seat of a match until it expires. They are made and read without a clock.

A token is `bst1_` and the base64url, without padding, of: key id (4 bytes), match id (16), seat (1), epoch (4), expiry
in Unix seconds (8), numbers big-endian, and HMAC-SHA-256 (32) over a domain, the prefix and those fields. The MAC's key
is derived from the key that seals, so that tokens are rotated with it.
"""

import base64
import binascii
import hashlib
import hmac
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

from service.rules.stream import MATCH_ID_BYTES
from service.wire.sealing import key_id_of

PREFIX: Final = "bst1_"
MAX_SEAT: Final = (1 << 8) - 1
MAX_EPOCH: Final = (1 << 32) - 1
MAX_EXPIRES: Final = (1 << 64) - 1

_DOMAIN: Final = b"burraco/seat-token/v1\x00"
_KEY_DOMAIN: Final = b"burraco/seat-token-key/v1\x00"
_FIELDS: Final = struct.Struct(">4s16sBIQ")
_TOKEN_BYTES: Final = _FIELDS.size + 32
_LETTERS: Final = len(PREFIX) + (_TOKEN_BYTES * 4 + 2) // 3
_PADDING: Final = "=" * (-_TOKEN_BYTES % 3)


class SeatToken(NamedTuple):
    """What a token says."""

    match_id: bytes
    """16 bytes."""
    seat: int
    epoch: int
    """The state's epoch of the seat when it was made."""
    expires: int
    """Unix seconds; from then on it is no good."""


class TokenKeys:
    """Makes tokens with one key and reads those of several; keys are the sealer's, 32 bytes each."""

    def __init__(self, sealing_key: bytes, opening_keys: Iterable[bytes] = ()) -> None:
        self._key_id = key_id_of(sealing_key)
        self._keys = {key_id_of(key): _mac_key(key) for key in (sealing_key, *opening_keys)}
        # What a token of an unknown key is compared with, so that it takes as long as any other.
        self._no_key = _mac_key(sealing_key + b"\x00")

    def mint(self, token: SeatToken) -> str:
        """Write a token.

        :raises ValueError: a field is out of its range.
        """
        in_range = 0 <= token.seat <= MAX_SEAT and 0 <= token.epoch <= MAX_EPOCH and 0 <= token.expires <= MAX_EXPIRES
        if len(token.match_id) != MATCH_ID_BYTES or not in_range:
            raise ValueError("a field of a seat token is out of its range")
        fields = _FIELDS.pack(self._key_id, *token)
        return _text(fields + _mac(self._keys[self._key_id], fields))

    def read(self, text: str) -> SeatToken | None:
        """Read a token; None for what is none, and nothing says why. Whether it has expired is not asked here."""
        if len(text) != _LETTERS or not text.isascii() or not text.startswith(PREFIX):
            return None
        try:
            token = base64.urlsafe_b64decode(text[len(PREFIX) :] + _PADDING)
        except binascii.Error:
            return None
        # A decoder skips strange letters and ignores the last bits: there is one spelling, and this is not it.
        if len(token) != _TOKEN_BYTES or _text(token) != text:
            return None
        fields, mac = token[: _FIELDS.size], token[_FIELDS.size :]
        key_id, match_id, seat, epoch, expires = _FIELDS.unpack(fields)
        right = hmac.compare_digest(mac, _mac(self._keys.get(key_id, self._no_key), fields))
        return SeatToken(match_id, seat, epoch, expires) if right and key_id in self._keys else None


def _mac_key(key: bytes) -> bytes:
    return hashlib.sha256(_KEY_DOMAIN + key).digest()


def _mac(key: bytes, fields: bytes) -> bytes:
    return hmac.digest(key, _DOMAIN + PREFIX.encode() + fields, "sha256")


def _text(token: bytes) -> str:
    return PREFIX + base64.urlsafe_b64encode(token).decode().rstrip("=")
