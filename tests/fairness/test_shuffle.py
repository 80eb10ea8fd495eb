"""The shuffle against its vectors, and against a second implementation that follows docs/fairness.md alone."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from scripts import shuffle_vectors
from service.rules.cards import PACK, texts
from service.rules.events import SPECTATOR
from service.rules.games import SeatChoice, create_match
from service.rules.presets import ITALIAN
from service.rules.state import DealEnd, Fairness, MatchEnd, Phase, Result
from service.rules.stream import Stream, stream_key
from service.rules.view import view

VECTORS: list[dict[str, Any]] = json.loads(shuffle_vectors.VECTORS.read_text(encoding="utf-8"))["vectors"]
FACES = [rank + suit for suit in "SHDC" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()]  # noqa: SIM905


def words(key: bytes, purpose: int, number: int) -> Iterator[int]:
    """The counter stream, as documented."""
    block = 0
    while True:
        text = key + bytes([purpose]) + number.to_bytes(4, "big") + block.to_bytes(8, "big")
        digest = hashlib.sha256(text).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """A number below a bound, by rejection, as documented."""
    while True:
        word = next(stream)
        if word < 2**32 - 2**32 % bound:
            return word % bound


def shuffled(key: bytes, number: int) -> list[str]:
    """The deck of a deal, as documented."""
    deck = FACES * 2 + ["JK"] * 4
    stream = words(key, 3, number)
    for last in range(len(deck) - 1, 0, -1):
        other = below(stream, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["match_id"][:8])
def test_the_documented_shuffle_gives_the_vectors(vector: dict[str, Any]) -> None:
    """Forty lines written from the documentation alone give the same key, commitment, match id, deck and deal."""
    seed, salt = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["salt"])
    entropy = [bytes.fromhex(entry) for entry in vector["entropy"]]
    mixed = b"".join(len(entry).to_bytes(2, "big") + entry for entry in entropy)
    key = hashlib.sha256(b"burraco/shuffle/v1\0" + seed + mixed).digest()
    named = vector["request_id"].encode()
    assert key.hex() == vector["key"]
    assert hashlib.sha256(b"burraco/commit/v1\0" + salt + seed).hexdigest() == vector["commitment"]
    match = hashlib.sha256(b"burraco/match/v1\0" + key + len(named).to_bytes(2, "big") + named)
    assert match.hexdigest()[:32] == vector["match_id"]
    number, dealer = vector["deal_number"], vector["dealer"]
    deck = shuffled(key, number)
    assert " ".join(deck) == vector["deck"]
    assert below(words(key, 4, number), 42) == vector["cut_below_42"]
    cut = 22 + vector["cut_below_42"]
    lifted, rest = deck[:cut], deck[cut:]
    for at in range(44):
        assert vector["hands"][(dealer + 1 + at) % 4].split()[at // 4] == rest[at]
    bottom = lifted[::-1]
    assert [pozzetto.split() for pozzetto in vector["pozzetti"]] == [bottom[0:22:2], bottom[1:22:2]]
    assert vector["upcard"] == rest[44]
    assert vector["stock"].split() == rest[45:] + lifted[:-22]


def test_the_vectors_are_those_of_this_code() -> None:
    """The committed vectors are what the service's own shuffle gives: a version of the shuffle never changes."""
    assert [shuffle_vectors.case(*case) for case in shuffle_vectors.CASES] == VECTORS


def test_the_deck_starts_in_the_documented_order() -> None:
    """Before the shuffle a pack lies spades, hearts, diamonds, clubs, each from ace to king."""
    assert texts(PACK).split() == FACES


def test_other_seeds_give_other_decks() -> None:
    """A hundred seeds, the empty-looking one included, give a hundred decks."""
    decks = {Stream(stream_key(seed.to_bytes(32, "big"), ()), 3, 1).shuffle(PACK) for seed in range(100)}
    assert len(decks) == 100


def test_entropy_cannot_be_moved_between_players() -> None:
    """`ab` + `c` and `a` + `bc` are different entropy."""
    assert stream_key(bytes(32), (b"ab", b"c")) != stream_key(bytes(32), (b"a", b"bc"))


@pytest.mark.parametrize(
    ("end", "told"), [(None, False), (MatchEnd.TARGET, True), (MatchEnd.DEALS_PLAYED, True), (MatchEnd.RESIGNED, False)]
)
def test_seed_and_salt_are_told_once_the_match_is_played_to_its_end(end: MatchEnd | None, told: bool) -> None:
    """With both anyone checks the commitment; who resigns a copy of a match gets neither, and could read its deck."""
    fairness = Fairness(b"s" * 32, (b"mine",), b"salt" * 8)
    state = create_match(ITALIAN, fairness, "a match", SeatChoice(dealer=0)).state
    if end is not None:
        state = state._replace(phase=Phase.MATCH_OVER, deal_end=DealEnd.CLOSED, result=Result(end, (0,)))

    for viewer in (SPECTATOR, 0, 3):
        seen = view(state, viewer).fairness
        assert (seen.seed, seen.salt) == ((fairness.seed, fairness.salt) if told else (b"", b""))
        assert (seen.verifiable, seen.entropy) == (True, (b"mine",))
        assert seen.commitment == hashlib.sha256(b"burraco/commit/v1\x00" + fairness.salt + fairness.seed).digest()
