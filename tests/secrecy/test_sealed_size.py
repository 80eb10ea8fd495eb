"""The length of the sealed state, which a seat that calls the service itself is given, tells nothing of hidden cards.

A seal adds the same number of bytes to any content, so what matters is the stored form. Every field of it is in one of
three lists: its length is the same for all cards, or follows from what every viewer knows. A new field belongs to one
of them; if it is in neither, the content has to be padded before it is sealed.
"""

import random
from typing import Any, Final

import pytest

from service.rules.cards import FACES, JOKER
from service.rules.state import State
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.secrecy.positions import RULES, states_of
from tests.secrecy.test_swaps import seeded
from tests.support.known import viewers_of
from tests.support.swaps import secret_twin, twins

FIXED: Final = frozenset(("version", "match_id", "seed", "chain"))
"""Of one length always, which the audit asks for."""

CARDS: Final = frozenset(("hands", "pozzetti", "stock", "discard", "turn_hand_before_pile"))
"""Cards, as bytes: their length follows from the number of cards, or of seats, and that lies open."""

ONE_CARD: Final = frozenset(("turn_drawn", "turn_taken_single", "turn_must_meld", "turn_taken"))
"""One card, or none, as a number: everyone knows whether there is one, and every card takes one byte."""

EVERYONE_KNOWS: Final = frozenset(
    (
        *("rules", "players", "salt", "entropy", "seed_given", "revision", "deal_number", "dealer", "phase", "seat"),
        *("unseen", "melds", "next_meld_id", "taken_by", "unplayed", "turn_must_meld_something", "turn_melded"),
        *("turn_last", "stalemate_turns", "turns_left", "points", "deals_scored", "deal_end", "closed_by"),
        *("match_end", "winning_sides", "victory_points", "turn_laid_off", "turn_opening", "turn_jokers_owed"),
        *("laid", "out", "reentries", "turns_taken", "renewals", "passes", "knocker", "deals_won", "doubled"),
        *("alone", "token_epochs"),
    )
)
"""What happened in front of all, or is agreed; how often tokens were revoked is no card. A salt is there, or is not."""


def test_every_stored_field_has_a_length_that_tells_nothing() -> None:
    fields = [field.name for field in StoredState.DESCRIPTOR.fields]
    lists = [*FIXED, *CARDS, *ONE_CARD, *EVERYONE_KNOWS]
    assert sorted(lists) == sorted(fields), (
        "a field of the stored state belongs into one of the lists, or needs padding"
    )


def test_every_card_takes_one_byte() -> None:
    """As a varint and in bytes; a number of 128 or more would take two."""
    assert max(*FACES, JOKER) < 128
    assert min(*FACES, JOKER) > 0
    for name in ONE_CARD:
        sizes = {StoredState(**_one(name, card)).ByteSize() for card in (*FACES, JOKER)}
        assert len(sizes) == 1


def _one(name: str, card: int) -> dict[str, Any]:
    return {name: card}


@pytest.mark.parametrize("name", RULES)
def test_DESIGN_5_every_twin_is_as_long(name: str) -> None:
    """Every pair of heaps, several times: hidden cards move, and not a byte comes or goes, in any field."""
    rng = seeded(name)
    compared = 0
    for state in states_of(name):
        lengths = _lengths(state)
        for viewer in viewers_of(state):
            for twin in (secret_twin(state, viewer, rng), *twins(state, viewer, rng), *twins(state, viewer, rng)):
                assert _lengths(twin.state) == lengths, twin.places
                compared += 1
    assert compared > 100


def _lengths(state: State) -> dict[str, int]:
    """Bytes of each field as stored, and of all."""
    stored = StoredState.FromString(encode_state(state))
    lengths = {field.name: StoredState(**{field.name: value}).ByteSize() for field, value in stored.ListFields()}
    return lengths | {"": stored.ByteSize()}


def test_a_seal_adds_the_same_to_any_content() -> None:
    sealer, rng = Sealer(bytes(32)), random.Random(1)
    added = {len(sealer.seal(rng.randbytes(size), Format.STATE)) - size for size in range(0, 600, 7)}
    assert len(added) == 1
