"""The stored form of a state: what is written is read again, and it stays small."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burraco.v1 import reasons_pb2
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.presets import FIBUR, ITALIAN
from service.rules.state import Fairness, State
from service.wire.faults import Fault
from service.wire.sealing import HEADER_BYTES, NONCE_BYTES, TAG_BYTES
from service.wire.state_codec import decode_state, encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from service.wire.versions import NEWEST_VERSION
from tests.support.profile import FULL
from tests.support.walks import EAGER, LAZY, RULES, every_pool, pool, start, walk

LAW = settings(
    deadline=None,
    derandomize=not FULL,
    max_examples=2000 if FULL else 100,
    suppress_health_check=(HealthCheck.too_slow,),
)
SEAL_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES
LARGEST = 1000
"""Bytes of a sealed state, however the players chose their entropy: well under 1 KB."""


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state of random play under one of the presets and sets of options."""
    rules = draw(st.sampled_from((*PRESETS.values(), *RULES)))
    seed, steps = draw(st.integers(0, 10_000)), draw(st.integers(0, 120))
    laziness = draw(st.sampled_from((EAGER, LAZY)))
    state = start(rules, seed)
    for _, _, _, after, _ in walk(state, random.Random(seed), steps, laziness):
        state = after
    return state


@LAW
@given(states())
def test_what_is_written_is_read_again(state: State) -> None:
    """Decoding undoes encoding, type by type and field by field."""
    assert decode_state(encode_state(state)) == state


def test_states_of_every_kind_are_read_again() -> None:
    """In mid turn, under an obligation, with time called, over, resigned: decoding undoes encoding."""
    for state in (*pool(), *every_pool()):
        read = decode_state(encode_state(state))
        assert read == state
        assert repr(read) == repr(state)  # == takes a plain int for an enum


def test_what_no_match_comes_to_yet_is_read_again() -> None:
    """Raised epochs of seat tokens, negative points, many deals: what the form has room for is kept."""
    state = start(ITALIAN, 1)._replace(
        token_epochs=(0, 3, 1, 70_000), points=(-1005, 1_345), deal_number=300, deals_scored=299, revision=2**30
    )
    assert decode_state(encode_state(state)) == state


def test_equal_states_are_written_alike() -> None:
    """Encoding has one form for each state, so what was read is written as it was."""
    for state in (*pool(), *every_pool()):
        stored = encode_state(state)
        assert encode_state(state) == stored
        assert encode_state(decode_state(stored)) == stored


def test_different_states_are_written_differently() -> None:
    """No two states share a stored form."""
    for states in (pool(), every_pool()):
        assert len({encode_state(state) for state in states}) == len(set(states)) == len(states)


def test_the_rules_are_pinned() -> None:
    """A state carries its full rules, so a preset that changes later does not change a match under way."""
    changed = replace(ITALIAN, closing_bonus=105, stalemate_auto_turns=12)
    assert decode_state(encode_state(start(changed, 1))).rules == changed


@pytest.mark.parametrize("version", [NEWEST_VERSION + 1, 7, 2**32 - 1])
def test_a_newer_version_is_refused_naming_both(version: int) -> None:
    """A state that a newer release wrote says which version it is, and which this release reads."""
    message = StoredState.FromString(encode_state(start(ITALIAN, 1)))
    message.version = version
    with pytest.raises(Fault) as caught:
        decode_state(message.SerializeToString(), "state")
    assert caught.value.reason == reasons_pb2.REASON_STATE_VERSION_UNKNOWN
    assert caught.value.field == "state"
    assert caught.value.arguments == {"version": str(version), "supported": str(NEWEST_VERSION), "of": "state"}
    assert str(version) in str(caught.value)
    assert str(NEWEST_VERSION) in str(caught.value)


def test_a_newer_version_is_refused_whatever_else_it_holds() -> None:
    """Nothing of a newer state is read but its version: all the rest may mean something else by then."""
    with pytest.raises(Fault) as caught:
        decode_state(StoredState(version=NEWEST_VERSION + 1, hands=b"?", phase=99).SerializeToString())
    assert caught.value.reason == reasons_pb2.REASON_STATE_VERSION_UNKNOWN


def test_no_version_at_all_is_no_state() -> None:
    """Empty content fails the audit with a sentence that says so."""
    with pytest.raises(Fault) as caught:
        decode_state(b"")
    assert caught.value.reason == reasons_pb2.REASON_STATE_AUDIT_FAILED
    assert "version" in caught.value.arguments["defect"]


@pytest.mark.parametrize("number", [55, 99, 2**29 - 1])
def test_a_field_that_is_not_known_is_refused(number: int) -> None:
    """What a newer release wrote without raising the version is not dropped: the state is refused, naming the field."""
    stored = encode_state(start(ITALIAN, 1)) + field_of(number, b"\x05")
    with pytest.raises(Fault) as caught:
        decode_state(stored)
    assert caught.value.reason == reasons_pb2.REASON_STATE_AUDIT_FAILED
    assert str(number) in caught.value.arguments["defect"]


def test_many_fields_that_are_not_known_make_a_short_sentence() -> None:
    """However many there are, the first few are named."""
    stored = encode_state(start(ITALIAN, 1)) + b"".join(field_of(number, b"\x01") for number in range(100, 400))
    with pytest.raises(Fault) as caught:
        decode_state(stored)
    assert "100, 101, 102, 103)" in caught.value.arguments["defect"]
    assert len(str(caught.value)) < 200


def test_two_versions_in_one_state_are_refused() -> None:
    """A version said twice is no version, though protobuf would take the last one."""
    for stored in (encode_state(start(ITALIAN, 1)) + b"\x08\x00", encode_state(start(ITALIAN, 1)) + b"\x08\x02"):
        with pytest.raises(Fault) as caught:
            decode_state(stored)
        assert caught.value.reason == reasons_pb2.REASON_STATE_AUDIT_FAILED


def test_the_version_may_come_after_other_fields() -> None:
    """The order of fields in a message means nothing, though ours has one."""
    stored = encode_state(start(ITALIAN, 1))
    assert stored[:2] == b"\x08\x01"
    assert decode_state(stored[2:] + stored[:2]) == start(ITALIAN, 1)


def field_of(number: int, value: bytes) -> bytes:
    """A varint field as protobuf writes it."""
    tag, written = number << 3, b""
    while tag > 0x7F:
        written += bytes((tag & 0x7F | 0x80,))
        tag >>= 7
    return written + bytes((tag,)) + value


def test_a_sealed_state_stays_small(capsys: pytest.CaptureFixture[str]) -> None:
    """Through 200 random games, each with the longest entropy that a request may bring, a sealed state is small."""
    longest = tuple(bytes((player,)) * 64 for player in range(4))
    largest, plain = 0, 0
    for seed in range(200):
        base = (ITALIAN, FIBUR)[seed % 2]
        rules = base if FULL else replace(base, target=200 * (not seed % 2), deals_per_match=3 * (seed % 2))
        fairness = Fairness(bytes(32), longest, salt=bytes(32))
        laziness = (EAGER, LAZY)[seed // 2 % 2]
        for at, (_, _, _, after, _) in enumerate(
            walk(start(rules, seed, fairness), random.Random(seed), 300, laziness)
        ):
            if FULL or at % 7 == 0:
                size = len(encode_state(after)) + SEAL_BYTES
                largest = max(largest, size)
                plain = max(plain, size - sum(len(entry) + 2 for entry in longest) - 34)
    with capsys.disabled():
        print(f"\nlargest sealed state: {largest} bytes, {plain} without salt and entropy")  # noqa: T201
    assert largest <= LARGEST
    assert plain <= 650


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_sealed_state_stays_small_in_every_game(preset: Preset) -> None:
    """As above, with as many players as the preset has."""
    rules: Any = PRESETS[preset]
    longest = tuple(bytes((player,)) * 64 for player in range(rules.players))
    for seed in range(20 if FULL else 4):
        state = start(rules, seed, Fairness(bytes(32), longest, salt=bytes(32)))
        for _, _, _, after, _ in walk(state, random.Random(seed), 300, (EAGER, LAZY)[seed % 2]):
            assert len(encode_state(after)) + SEAL_BYTES <= LARGEST
