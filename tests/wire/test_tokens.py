"""Seat tokens: what was minted is read, and nothing else is."""

import base64
import hashlib
import hmac
import string
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.wire.sealing import SealingKey
from service.wire.tokens import MAX_EPOCH, MAX_EXPIRES, MAX_SEAT, SeatToken, TokenKeys

KEY: Final = bytes(range(32))
OTHER: Final = bytes(range(1, 33))
KEYS: Final = TokenKeys(KEY)
ALPHABET: Final = string.ascii_letters + string.digits + "-_"
TOKEN: Final = SeatToken(bytes(range(100, 116)), 2, 7, 1_800_000_000)

tokens: Final = st.builds(
    SeatToken,
    st.binary(min_size=16, max_size=16),
    st.integers(0, MAX_SEAT),
    st.integers(0, MAX_EPOCH),
    st.integers(0, MAX_EXPIRES),
)


def spelled(raw: bytes) -> str:
    """Bytes as a token spells them."""
    return "bst1_" + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw_of(text: str) -> bytes:
    """The bytes of a token."""
    return base64.urlsafe_b64decode(text.removeprefix("bst1_") + "=")


def test_the_format_is_the_documented_one() -> None:
    """A token is what docs/callers.md says: anyone with the key could make it."""
    fields = SealingKey(KEY).key_id + TOKEN.match_id + b"\x02" + (7).to_bytes(4, "big")
    fields += (1_800_000_000).to_bytes(8, "big")
    key = hashlib.sha256(b"burraco/seat-token-key/v1\x00" + KEY).digest()
    mac = hmac.new(key, b"burraco/seat-token/v1\x00bst1_" + fields, "sha256").digest()
    assert KEYS.mint(TOKEN) == spelled(fields + mac)
    assert len(KEYS.mint(TOKEN)) == 92


@given(tokens)
def test_what_was_minted_is_read(token: SeatToken) -> None:
    """A round trip gives back every field, and a token is ASCII that metadata can carry."""
    text = KEYS.mint(token)
    assert KEYS.read(text) == token
    assert set(text) <= set(ALPHABET)
    assert KEYS.mint(token) == text


@given(tokens, tokens)
def test_other_fields_make_another_token(one: SeatToken, other: SeatToken) -> None:
    """No two tokens are alike."""
    assert (KEYS.mint(one) == KEYS.mint(other)) == (one == other)


@given(tokens, st.data())
def test_any_change_of_letters_is_refused(token: SeatToken, data: st.DataObject) -> None:
    """A letter replaced, added, or left out anywhere, or two swapped, makes it none."""
    text = KEYS.mint(token)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(max_codepoint=0x2FF) | st.sampled_from(ALPHABET))
    for changed in (text[:at] + letter + text[at + 1 :], text[:at] + letter + text[at:], text[:at] + text[at + 1 :]):
        assert changed == text or KEYS.read(changed) is None
    swapped = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    assert swapped == text or KEYS.read(swapped) is None


@given(
    st.text(max_size=120) | st.binary(max_size=90).map(spelled) | st.text(ALPHABET, min_size=87).map("bst1_".__add__)
)
def test_nothing_else_is_a_token(text: str) -> None:
    """Whatever else is presented is no token, and reading it never fails."""
    assert KEYS.read(text) is None


def test_every_bit_counts() -> None:
    """Each single bit of a token flipped makes it none."""
    raw = raw_of(KEYS.mint(TOKEN))
    for bit in range(len(raw) * 8):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        assert KEYS.read(spelled(bytes(changed))) is None


def test_there_is_one_spelling() -> None:
    """The last letter's spare bits, padding, the other alphabet, spaces and line ends make it none."""
    text = next(
        text
        for seat in range(256)
        for text in [KEYS.mint(TOKEN._replace(seat=seat))]
        if "-" in text and "_" in text[5:]
    )
    raw = raw_of(text)
    same = [text[:-1] + letter for letter in ALPHABET if raw_of(text[:-1] + letter) == raw]
    assert len(same) == 4
    assert [each for each in same if KEYS.read(each)] == [text]
    others = [text + "=", text + "\n", " " + text, text[:40] + "\n" + text[40:], text.upper(), text.swapcase()]
    others += [text.replace("-", "+"), "bst1_" + text[5:].replace("_", "/"), "bst2_" + text[5:], text[5:], text + text]
    for other in others:
        assert KEYS.read(other) is None


def test_every_prefix_and_extension_is_refused() -> None:
    """A token cut anywhere, or with anything after it, is none."""
    text = KEYS.mint(TOKEN)
    assert not [cut for cut in range(len(text)) if KEYS.read(text[:cut])]
    assert not [letter for letter in ALPHABET if KEYS.read(text + letter)]


def test_tokens_are_rotated_with_the_keys() -> None:
    """They are minted with the sealing key, and accepted with any key that opens."""
    old, both, new = TokenKeys(KEY), TokenKeys(OTHER, [KEY]), TokenKeys(OTHER)
    before, after = old.mint(TOKEN), both.mint(TOKEN)
    assert after == new.mint(TOKEN) != before
    assert both.read(before) == both.read(after) == new.read(after) == TOKEN
    assert old.read(after) is None
    assert new.read(before) is None


def test_a_key_id_is_no_key() -> None:
    """A token that names the right key and was made with another one is none, and so is one of no key at all."""
    raw, forged = raw_of(KEYS.mint(TOKEN)), raw_of(TokenKeys(OTHER).mint(TOKEN))
    assert KEYS.read(spelled(raw[:4] + forged[4:])) is None
    assert KEYS.read(spelled(forged[:4] + raw[4:])) is None
    assert KEYS.read(spelled(b"\x00\x00\x00\x00" + raw[4:])) is None
    # Not even with the MAC that a token of no key is compared with.
    fields = b"\x00\x00\x00\x00" + raw[4:33]
    mac = hmac.new(KEYS._no_key, b"burraco/seat-token/v1\x00bst1_" + fields, "sha256").digest()
    assert KEYS.read(spelled(fields + mac)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        TOKEN._replace(match_id=b""),
        TOKEN._replace(match_id=bytes(15)),
        TOKEN._replace(match_id=bytes(17)),
        TOKEN._replace(seat=-1),
        TOKEN._replace(seat=256),
        TOKEN._replace(epoch=MAX_EPOCH + 1),
        TOKEN._replace(expires=-1),
        TOKEN._replace(expires=MAX_EXPIRES + 1),
    ],
)
def test_what_does_not_fit_is_not_minted(wrong: SeatToken) -> None:
    """A field out of its range is refused, never cut to fit."""
    with pytest.raises(ValueError, match="out of its range"):
        KEYS.mint(wrong)


def test_keys_do_not_show_themselves() -> None:
    """No printed form of the keys shows one."""
    text = f"{KEYS} {KEYS!r}"
    assert KEY.hex() not in text
    assert repr(KEY)[2:-1] not in text
