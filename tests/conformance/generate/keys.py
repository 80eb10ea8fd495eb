"""The published keys of the vectors. Everybody has them: no server for real matches may be started with any."""

import base64
from typing import Final

SEALING_KEY: Final = bytes(range(32))
OPENING_KEY: Final = bytes(range(32, 64))
UNKNOWN_KEY: Final = bytes(range(64, 96))
"""A key that the server does not have."""

API_KEY: Final = "public-key-of-the-conformance-vectors"

ENVIRONMENT: Final = {
    "BURRACO_SEALING_KEY": base64.b64encode(SEALING_KEY).decode("ascii"),
    "BURRACO_OPENING_KEYS": base64.b64encode(OPENING_KEY).decode("ascii"),
    "BURRACO_API_KEYS": API_KEY,
}
METADATA: Final = {"burraco-api-key": API_KEY}
