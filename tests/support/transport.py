"""Which transport the servers of the tests have: `BURRACO_TEST_TRANSPORT` is `grpcio` or `native`."""

import os
from typing import Final

import pytest

TRANSPORT: Final = os.environ.get("BURRACO_TEST_TRANSPORT", "grpcio")
NATIVE: Final = TRANSPORT == "native"


def not_native(reason: str) -> pytest.MarkDecorator:
    """Skip a test on the native transport, for what docs/transports.md says that it lacks."""
    return pytest.mark.skipif(NATIVE, reason=f"the native transport {reason}: docs/transports.md")
