"""Write tests/vectors/shuffle.json: inputs and results of the shuffle, for other languages to check theirs against.

Run as `python -m scripts.shuffle_vectors`. The numbers never change for a version of the shuffle: a test says so.
"""

import json
from pathlib import Path

from service.rules.burraco.dealing import deal, deck_of, drawn_seats
from service.rules.cards import texts
from service.rules.presets import FIBUR, ITALIAN
from service.rules.stream import (
    PURPOSE_CUT,
    PURPOSE_DECK,
    SHUFFLE_VERSION,
    Stream,
    commitment,
    match_id,
    stream_key,
)

VECTORS = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "shuffle.json"

CASES = (
    (bytes(32), (), "", 1, 3),
    (bytes(range(32)), (), "table-1", 1, 0),
    (bytes(range(32)), (b"a", b"bc"), "table-1", 2, 1),
    (b"\xff" * 32, (b"anna", b"bruno", "carlò".encode(), b"dora"), "x" * 64, 7, 2),
)


def case(seed: bytes, entropy: tuple[bytes, ...], request_id: str, number: int, dealer: int) -> dict[str, object]:
    """Work out one vector."""
    key = stream_key(seed, entropy)
    words = Stream(key, PURPOSE_DECK, number)
    dealt = deal(ITALIAN, key, number, dealer)
    salt = bytes(reversed(seed))
    return {
        "seed": seed.hex(),
        "entropy": [entry.hex() for entry in entropy],
        "salt": salt.hex(),
        "commitment": commitment(salt, seed).hex(),
        "request_id": request_id,
        "match_id": match_id(seed, entropy, request_id).hex(),
        "key": key.hex(),
        "deal_number": number,
        "first_numbers_below_108": [words.below(108) for _ in range(8)],
        "deck": texts(Stream(key, PURPOSE_DECK, number).shuffle(deck_of(ITALIAN))),
        "cut_below_42": Stream(key, PURPOSE_CUT, number).below(42),
        "dealer": dealer,
        "hands": [texts(hand) for hand in dealt.hands],
        "pozzetti": [texts(pozzetto) for pozzetto in dealt.pozzetti],
        "upcard": texts((dealt.upcard,)),
        "stock": texts(dealt.stock),
        "seats_italian": list(drawn_seats(ITALIAN, key).players),
        "seats_fibur": list(drawn_seats(FIBUR, key).players),
    }


def main() -> None:
    """Write the file."""
    vectors = {"shuffle_version": SHUFFLE_VERSION, "vectors": [case(*each) for each in CASES]}
    VECTORS.write_text(json.dumps(vectors, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
