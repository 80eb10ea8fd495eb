"""A client that knows two pods, as the headless name tells it, calls both."""

import time
from typing import Final

from burraco import connect
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from tests.clients.python.fake import serving

CALLS: Final = 40


def test_two_servers_share_calls() -> None:
    """One after the other: neither gets all calls, as one would behind a single address."""
    with serving() as first, serving() as second:
        for service in (first, second):
            service.answer = lambda request, context: ListPresetsResponse()
        target = f"ipv4:{first.address},{second.address}"
        with connect(target, timeout=20, options=[("grpc.enable_http_proxy", 0)]) as client:
            end = time.monotonic() + 20
            while not (first.requests and second.requests) and time.monotonic() < end:  # until both are connected
                client.stub.ListPresets(ListPresetsRequest())
            before = len(first.requests), len(second.requests)
            for _ in range(CALLS):
                client.stub.ListPresets(ListPresetsRequest())
        assert (len(first.requests) - before[0], len(second.requests) - before[1]) == (CALLS // 2, CALLS // 2)
