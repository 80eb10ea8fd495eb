"""Seals: nobody without the key reads or edits what leaves the server, and a retry makes the same bytes."""

import random
from typing import Final

import pytest
from cryptography.exceptions import InvalidTag

from burraco.v1 import reasons_pb2
from service.wire.faults import Fault
from service.wire.sealing import (
    HEADER_BYTES,
    KEY_BYTES,
    KEY_ID_BYTES,
    LEAST_BYTES,
    NONCE_BYTES,
    TAG_BYTES,
    Format,
    Sealer,
    SealingKey,
)
from service.wire.state_codec import encode_state
from tests.support.walks import pool

OLD: Final = bytes(range(32))
NEW: Final = bytes(range(100, 132))
CONTENT: Final = bytes(range(200))
SEALER: Final = Sealer(OLD)
MALFORMED: Final = {
    Format.STATE: reasons_pb2.REASON_STATE_MALFORMED,
    Format.SEED: reasons_pb2.REASON_SEED_MALFORMED,
}
BROKEN: Final = {
    Format.STATE: reasons_pb2.REASON_STATE_SEAL_BROKEN,
    Format.SEED: reasons_pb2.REASON_SEED_MALFORMED,
}


def refusal(sealed: bytes, what: Format = Format.STATE, sealer: Sealer = SEALER) -> Fault:
    with pytest.raises(Fault) as caught:
        sealer.open(sealed, what, "the field")
    assert caught.value.field == "the field"
    assert str(caught.value).isascii()
    return caught.value


@pytest.mark.parametrize("what", Format)
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 260, 100_000])
def test_what_is_sealed_is_opened(what: Format, length: int) -> None:
    """Opening undoes sealing, and the seal costs a fixed number of bytes."""
    content = random.Random(length).randbytes(length)
    sealed = SEALER.seal(content, what)
    assert SEALER.open(sealed, what, "state") == content
    assert len(sealed) == length + LEAST_BYTES == length + HEADER_BYTES + NONCE_BYTES + TAG_BYTES


def test_a_seal_says_its_format_and_its_key() -> None:
    """The first byte is the format, the next four the key; of the content nothing can be read."""
    sealed = SEALER.seal(CONTENT, Format.STATE)
    assert sealed[0] == Format.STATE
    assert sealed[1:HEADER_BYTES] == SealingKey(OLD).key_id
    assert all(CONTENT[at : at + 4] not in sealed for at in range(len(CONTENT) - 4))


@pytest.mark.parametrize("what", Format)
def test_every_single_bit_changed_is_found(what: Format) -> None:
    """One bit changed anywhere, and the seal does not open."""
    sealed = SEALER.seal(CONTENT, what)
    for bit in range(8 * len(sealed)):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        reason = refusal(bytes(changed), what).reason
        if bit < 8:
            assert reason == MALFORMED[what]
        elif bit < 8 * HEADER_BYTES:
            assert reason == reasons_pb2.REASON_STATE_KEY_UNKNOWN
        else:
            assert reason == BROKEN[what]


@pytest.mark.parametrize("what", Format)
def test_every_cut_is_found(what: Format) -> None:
    """A seal cut at any length, or with something after it, does not open."""
    sealed = SEALER.seal(CONTENT, what)
    assert refusal(b"", what).reason == reasons_pb2.REASON_FIELD_MISSING
    for length in range(1, len(sealed)):
        reason = refusal(sealed[:length], what).reason
        assert reason == (MALFORMED if length < LEAST_BYTES else BROKEN)[what]
    assert refusal(sealed + b"\x00", what).reason == BROKEN[what]
    assert refusal(sealed[1:], what).reason in {MALFORMED[what], reasons_pb2.REASON_STATE_KEY_UNKNOWN}


def test_two_seals_do_not_mix() -> None:
    """Nonce, content or tag of one seal do not fit another of the same length."""
    one, other = SEALER.seal(b"a" * 50, Format.STATE), SEALER.seal(b"b" * 50, Format.STATE)
    for cut in range(HEADER_BYTES + 1, len(one)):
        assert refusal(one[:cut] + other[cut:]).reason == reasons_pb2.REASON_STATE_SEAL_BROKEN


def test_random_bytes_are_refused() -> None:
    """Random bytes are no seal, even behind a right header."""
    rng = random.Random(1)
    for length in range(1, 400):
        garbage = rng.randbytes(length)
        no_format = bytes((garbage[0] & 0x7E,)) + garbage[1:]
        assert refusal(no_format).reason == reasons_pb2.REASON_STATE_MALFORMED
        reason = refusal(SEALER.seal(b"", Format.STATE)[:HEADER_BYTES] + garbage).reason
        too_short = HEADER_BYTES + length < LEAST_BYTES
        assert reason == (MALFORMED if too_short else BROKEN)[Format.STATE]


def test_another_key_is_named() -> None:
    """A seal of a key that the server lacks says which key it was, and nothing else of it."""
    fault = refusal(SEALER.seal(CONTENT, Format.STATE), sealer=Sealer(NEW))
    assert fault.reason == reasons_pb2.REASON_STATE_KEY_UNKNOWN
    assert fault.arguments == {"key_id": SealingKey(OLD).key_id.hex()}
    assert fault.arguments["key_id"] in str(fault)
    assert OLD.hex() not in str(fault)


def test_another_key_of_the_same_id_is_found() -> None:
    """A key id is a hint alone: a seal of another key that happens to have the same id is broken."""
    impostor = SealingKey(NEW)
    impostor.key_id = SealingKey(OLD).key_id
    sealed = impostor.seal(CONTENT, Format.STATE)
    assert refusal(sealed).reason == reasons_pb2.REASON_STATE_SEAL_BROKEN
    with pytest.raises(InvalidTag):
        SealingKey(OLD).open(sealed)


def test_a_rotation_in_two_steps() -> None:
    """First every server opens with the new key, then they seal with it; no state fails on the way."""
    before, open_only, promoted = Sealer(OLD), Sealer(OLD, [NEW]), Sealer(NEW, [OLD])
    by_old, by_new = before.seal(CONTENT, Format.STATE), promoted.seal(CONTENT, Format.STATE)
    assert open_only.seal(CONTENT, Format.STATE) == by_old != by_new
    for sealer in (open_only, promoted):
        assert sealer.open(by_old, Format.STATE, "state") == sealer.open(by_new, Format.STATE, "state") == CONTENT
    assert refusal(by_new, sealer=before).reason == reasons_pb2.REASON_STATE_KEY_UNKNOWN
    retired = Sealer(NEW)
    assert retired.open(by_new, Format.STATE, "state") == CONTENT
    assert refusal(by_old, sealer=retired).reason == reasons_pb2.REASON_STATE_KEY_UNKNOWN


def test_a_key_that_only_opens_never_seals() -> None:
    """The sealing key is the first one, whatever else opens."""
    assert Sealer(OLD, [NEW]).seal(b"", Format.STATE)[1:HEADER_BYTES] == SealingKey(OLD).key_id
    assert Sealer(OLD, [NEW, OLD]).seal(b"", Format.STATE) == SEALER.seal(b"", Format.STATE)


@pytest.mark.parametrize(("is_", "wanted"), [(Format.SEED, Format.STATE), (Format.STATE, Format.SEED)])
def test_a_seed_is_no_state_and_a_state_no_seed(is_: Format, wanted: Format) -> None:
    """A seal opens as what it was made for, even when its first byte is changed to say otherwise."""
    sealed = SEALER.seal(CONTENT, is_)
    assert refusal(sealed, wanted).reason == MALFORMED[wanted]
    assert refusal(bytes((wanted,)) + sealed[1:], wanted).reason == BROKEN[wanted]


def test_equal_content_makes_an_equal_seal() -> None:
    """The nonce comes from key and content, so a retry is answered byte for byte alike, by any replica."""
    assert SEALER.seal(CONTENT, Format.STATE) == Sealer(OLD, [NEW]).seal(CONTENT, Format.STATE)


def nonce(sealed: bytes) -> bytes:
    return sealed[HEADER_BYTES : HEADER_BYTES + NONCE_BYTES]


def test_different_content_makes_another_nonce() -> None:
    """No two contents share a nonce, nor do the same contents under another key or in another format."""
    contents = [encode_state(state) for state in pool()] + [bytes((number,)) for number in range(256)]
    nonces = {nonce(SEALER.seal(content, Format.STATE)) for content in contents}
    nonces |= {nonce(SEALER.seal(content, Format.SEED)) for content in contents}
    nonces |= {nonce(Sealer(NEW).seal(content, Format.STATE)) for content in contents}
    assert len(nonces) == 3 * len(contents)


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_key_has_32_bytes(length: int) -> None:
    """A key of another length is refused with both lengths, and is not shown."""
    with pytest.raises(ValueError, match=f"{KEY_BYTES} bytes, this one has {length}"):
        Sealer(bytes(length))


def test_the_id_of_a_key_does_not_tell_the_key() -> None:
    """The id is a hash, four bytes long, and no piece of the key."""
    key_id = SealingKey(OLD).key_id
    assert len(key_id) == KEY_ID_BYTES
    assert key_id not in OLD
