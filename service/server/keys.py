"""Keys as people hand them over: in a variable or in a file, as text."""

import base64
import binascii
import re
from collections.abc import Sequence
from pathlib import Path

KEY_BYTES = 32
EPHEMERAL_KEY_ADVICE = "Development mode without a key: every state dies with this process. Set BURRACO_SEALING_KEY."
_MIN_API_KEY = 16
_API_KEY = re.compile(r"[!-~]+")
_SEPARATORS = re.compile(r"[\s,]+")


def read_secret(variable: str, value: str | None, file: Path | None) -> str:
    """Take a secret from its variable or its file, empty when neither is set; ValueError when it cannot be had."""
    if file is None:
        return value or ""
    if value:
        raise ValueError(f"{variable} and {variable}_FILE are both set: unset one of them.")
    try:
        text = file.read_text("ascii")
    except UnicodeDecodeError:
        raise ValueError(f"{variable}_FILE names {file}, which is not a text: it takes a file of base64.") from None
    except OSError as error:
        raise ValueError(
            f"{variable}_FILE names {file}, which cannot be read ({error.strerror}): name a file that this process may "
            f"read."
        ) from None
    if not text.strip():
        raise ValueError(f"{variable}_FILE names {file}, which is empty: write the key into it, or unset the variable.")
    return text


def split(text: str) -> list[str]:
    """Split a list written with commas, spaces or line ends."""
    return [part for part in _SEPARATORS.split(text) if part]


def sealing_keys(variable: str, text: str) -> Sequence[bytes]:
    """Read keys of 32 bytes in base64; ValueError names the variable and never shows the text."""
    return [_sealing_key(variable, part) for part in split(text)]


def api_keys(variable: str, text: str) -> Sequence[str]:
    """Read API keys; ValueError for one that is short enough to be guessed or cannot travel as metadata."""
    keys = split(text)
    if not all(len(key) >= _MIN_API_KEY and _API_KEY.fullmatch(key) for key in keys):
        raise ValueError(
            f"{variable} holds a key that is not {_MIN_API_KEY} or more printable ASCII characters: make one with "
            f"`openssl rand -hex 32`."
        )
    return keys


def _sealing_key(variable: str, text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError(
            f"{variable} holds something that is not the base64 of {KEY_BYTES} bytes: make a key with "
            f"`openssl rand -base64 {KEY_BYTES}`."
        )
    return key
