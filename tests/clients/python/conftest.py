"""Fixtures of the client's tests."""

import gc
import logging
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


@pytest.fixture(autouse=True)
def _nothing_is_left_unlooked_at(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No task and no future of asyncio ends with an error that nobody sees."""
    yield
    gc.collect()
    told = [each for each in caplog.get_records("call") + caplog.records if each.name == "asyncio"]
    assert [each.getMessage() for each in told if each.levelno >= logging.ERROR] == []
