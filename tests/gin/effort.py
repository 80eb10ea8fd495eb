"""How much the tests of Gin try: a part by default, all of it with BURRACO_TEST_PROFILE=full."""

import os
from typing import Final

FULL: Final = os.environ.get("BURRACO_TEST_PROFILE") == "full"
HANDS: Final = 10_000 if FULL else 2_000
"""Random hands compared with the oracle."""
MATCHES: Final = 150 if FULL else 30
"""Random matches played for each law."""
EXAMPLES: Final = 1_000 if FULL else 150
"""Examples that Hypothesis tries."""
