"""Fixtures of the client's tests."""

from collections.abc import Iterator

import pytest

from burraco import Client, connect
from tests.clients.python.fake import FakeService, serving


@pytest.fixture
def service() -> Iterator[FakeService]:
    """A service that answers what the test tells it to."""
    with serving() as fake:
        yield fake


@pytest.fixture
def client(service: FakeService) -> Iterator[Client]:
    """A client of that service."""
    with connect(service.address, options=[("grpc.enable_http_proxy", 0)]) as connected:
        yield connected
