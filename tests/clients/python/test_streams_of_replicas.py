"""Streams on real servers: matches side by side, a server that is killed, and callers that may not."""

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from burraco import Client, IllegalMove, RulesError, StreamEnded, Table, aio, connect, moves
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.rules_pb2 import BurracoRules
from burraco.v1.views_pb2 import Phase
from burraco_conformance.match import choose
from tests.edge.replicas import API_KEY, Replica, replicas

SECONDS = 60.0
NO_PROXY = [("grpc.enable_http_proxy", 0)]
ONE_DEAL = BurracoRules(deals_per_match=1, target=0)
MATCHES = 3


def back_end(replica: Replica) -> Client:
    """A back end of a replica."""
    return connect(replica.address, api_key=API_KEY, timeout=20, options=NO_PROXY)


def created(client: Client, seed: int) -> Table:
    """A match of one deal."""
    return Table.create(client, options=ONE_DEAL, given_seed=bytes([seed]) * 32)


def played_by_calls(client: Client, seed: int) -> bytes:
    """Play a match by unary calls; its final state."""
    table = created(client, seed)
    while table.phase != Phase.PHASE_MATCH_OVER:
        assert table.turn is not None
        table.play(table.turn, choose(table.legal(table.turn)))
    return table.state


def test_matches_share_a_stream_whose_server_is_killed() -> None:
    """Threads play on one stream; what it did not answer goes to another server, and no match is lost."""
    with replicas(2) as (doomed, other), back_end(doomed) as first, back_end(other) as second:
        expected = [played_by_calls(second, seed) for seed in range(MATCHES)]
        under_way, resent = threading.Event(), list[StreamEnded]()
        with first.stream() as stream, second.stream() as spare:

            def play(seed: int) -> bytes:
                table, asking, made = created(second, seed), stream, 0
                while table.phase != Phase.PHASE_MATCH_OVER:
                    assert table.turn is not None
                    request = table.request(table.turn, choose(table.legal(table.turn)))
                    try:
                        accepted = asking.send(request).result(SECONDS)
                    except StreamEnded as ended:
                        resent.append(ended)
                        asking = spare
                        accepted = asking.send(ended.request).result(SECONDS)
                    table.take(accepted)
                    made += 1
                    if made == 10:
                        under_way.set()
                return table.state

            with ThreadPoolExecutor(MATCHES) as threads:
                states = [threads.submit(play, seed) for seed in range(MATCHES)]
                assert under_way.wait(SECONDS)
                doomed.stop(signal.SIGKILL)
                assert [state.result(SECONDS) for state in states] == expected
        assert len(resent) == MATCHES
        assert stream.end is not None
        assert stream.end.transient


def test_what_fails_on_a_stream_is_what_fails_in_a_call() -> None:
    """The same refusals, failures and reasons, in threads and in asyncio; a seat may open none."""
    with replicas(1) as (replica,), back_end(replica) as client:
        table = created(client, 1)
        seat = table.turn or 0
        stale = table.request(seat, moves.draw())
        stale.expected_revision = 7
        illegal = table.request(seat, moves.meld("7S 8S"))
        legal = table.request(seat, moves.draw())
        with client.stream() as stream:
            futures = [stream.send(each) for each in (stale, illegal, legal)]
        with pytest.raises(RulesError) as failed:
            futures[0].result(0)
        assert failed.value.reason == Reason.REASON_REVISION_MISMATCH
        assert failed.value.arguments == {"expected": "7", "actual": "0"}
        with pytest.raises(IllegalMove) as refused:
            futures[1].result(0)
        assert Reason.REASON_MUST_DRAW_FIRST in refused.value.reasons
        assert table.take(futures[2].result(0)).revision == table.revision == 1

        async def in_asyncio() -> list[object]:
            async with aio.connect(replica.address, api_key=API_KEY, timeout=20, options=NO_PROXY) as same:
                async with same.stream() as stream:
                    sent = [await stream.send(each) for each in (stale, illegal, legal)]
                return await asyncio.gather(*sent, return_exceptions=True)

        told = asyncio.run(in_asyncio())
        assert [str(each) for each in told[:2]] == [str(failed.value), str(refused.value)]
        assert told[2] == futures[2].result(0)

        with client.as_seat(table.seat_tokens[seat]).stream() as mine:
            with pytest.raises(StreamEnded) as denied:
                mine.send(legal).result(SECONDS)
            assert denied.value.reason == Reason.REASON_BACK_END_ONLY
            assert not denied.value.transient
