"""How much the laws are to try: `BURRACO_TEST_PROFILE` is `default` or `full`."""

import os

from hypothesis import settings

PROFILE = os.environ.get("BURRACO_TEST_PROFILE", "default")
FULL = PROFILE == "full"
FULL_FACTOR = 10


def examples(number: int) -> settings:
    """Settings for a law that tries so many examples by default, and many more in the full profile."""
    return settings(max_examples=number * FULL_FACTOR if FULL else number)
