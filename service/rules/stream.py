"""The shuffle: Fisher-Yates over a SHA-256 counter stream (version 1, described for players in docs/fairness.md).

Everything is plain enough to be written in forty lines of any language; `tests/vectors/shuffle.json` has vectors.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

SHUFFLE_VERSION: Final = 1
SEED_BYTES: Final = 32
SALT_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32
MATCH_ID_BYTES: Final = 16
MAX_ENTROPY_BYTES: Final = 64
MAX_REQUEST_ID_BYTES: Final = 64
DOMAIN: Final = b"burraco/shuffle/v1\x00"
COMMIT_DOMAIN: Final = b"burraco/commit/v1\x00"
MATCH_DOMAIN: Final = b"burraco/match/v1\x00"

PURPOSE_SEATS: Final = 1
PURPOSE_DEALER: Final = 2
PURPOSE_DECK: Final = 3
PURPOSE_CUT: Final = 4
PURPOSE_RENEWAL: Final = 5
"""The stock shuffled anew from the pile; the deal number is that of the deal plus 2^16 times the renewals before."""


def commitment(salt: bytes, seed: bytes) -> bytes:
    """Salted hash of a seed, to be published before players add their entropy. Both are 32 bytes."""
    return hashlib.sha256(COMMIT_DOMAIN + salt + seed).digest()


def match_id(seed: bytes, entropy: Sequence[bytes], request_id: str) -> bytes:
    """Name a match, 16 bytes: the same seed, entropy and request id name the same match."""
    named = request_id.encode()
    text = MATCH_DOMAIN + stream_key(seed, entropy) + len(named).to_bytes(2, "big") + named
    return hashlib.sha256(text).digest()[:16]


def stream_key(seed: bytes, entropy: Sequence[bytes]) -> bytes:
    """Key of all streams of a match: seed and entropy, each entry after its length (2 bytes, big-endian)."""
    mixed = b"".join(len(entry).to_bytes(2, "big") + entry for entry in entropy)
    return hashlib.sha256(DOMAIN + seed + mixed).digest()


class Stream:
    """Random numbers of one purpose in one deal.

    Block n is SHA-256(key, purpose as 1 byte, deal number as 4 bytes, n as 8 bytes), numbers big-endian; each block
    gives eight words of 32 bits, big-endian, in order.
    """

    def __init__(self, key: bytes, purpose: int, deal_number: int) -> None:
        self._words = self._draw(key + bytes((purpose,)) + deal_number.to_bytes(4, "big"))

    @staticmethod
    def _draw(prefix: bytes) -> Iterator[int]:
        block = 0
        while True:
            digest = hashlib.sha256(prefix + block.to_bytes(8, "big")).digest()
            for at in range(0, 32, 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each as likely: words of the last, partial round are skipped."""
        limit = (1 << 32) // bound * bound
        return next(word for word in self._words if word < limit) % bound

    def shuffle(self, cards: bytes) -> bytes:
        """Shuffle by Fisher-Yates: from the last place down to the second, swap with a place not above it."""
        deck = bytearray(cards)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return bytes(deck)
