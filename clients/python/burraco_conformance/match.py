"""One whole match, played with each way that the client has to play one; all have to come to the same."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from burraco import Client, IllegalMove, RulesError, Table, aio, connect, moves
from burraco.v1.moves_pb2 import LegalMoves, Move
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.rules_pb2 import BurracoRules, Preset
from burraco.v1.views_pb2 import Phase, View
from burraco_conformance.values import Difference

SEED: Final = bytes(range(32))
RULES: Final = BurracoRules(deals_per_match=2, target=0)
"""A match of two deals, so that there is a next one."""
SECONDS: Final = 30.0
MOST_MOVES: Final = 5_000
ORDER: Final = ("draw_stock", "meld", "lay_off", "discard", "take_pile", "declare_stalemate")
"""Which kinds of moves are played first; of one kind it is the first of the list."""
NO_PROXY: Final = (("grpc.enable_http_proxy", 0),)


class Played(NamedTuple):
    """What a match came to."""

    moves: int
    revision: int
    result: str
    chain: bytes
    """The final sealed state, whose hash chain is over every move."""


def choose(legal: LegalMoves) -> Move:
    """Choose the first move of the kind that comes first."""
    listed = [move for move in moves.expand(legal) if move.WhichOneof("kind") in ORDER]
    return min(listed, key=lambda move: ORDER.index(str(move.WhichOneof("kind"))))


def play(client: Client) -> Played:
    """Play by unary calls, and be refused once a deal."""
    table, made = Table.create(client, Preset.PRESET_ITALIAN, options=RULES, given_seed=SEED), 0
    while table.phase != Phase.PHASE_MATCH_OVER:
        _see_to_the_end(made)
        if table.turn is None:
            table.next_deal()
            _see_refusal(table)
        else:
            table.play(table.turn, choose(table.legal(table.turn)))
        made += 1
    return _played(made, table.revision, table.view(), table.state)


def play_on_a_stream(client: Client) -> Played:
    """Play by the messages of a stream."""
    table, made = Table.create(client, Preset.PRESET_ITALIAN, options=RULES, given_seed=SEED), 0
    with client.stream() as stream:
        while table.phase != Phase.PHASE_MATCH_OVER:
            _see_to_the_end(made)
            seat = 0 if table.turn is None else table.turn
            move = moves.next_deal() if table.turn is None else choose(table.legal(seat))
            table.take(stream.send(table.request(seat, move)).result(SECONDS))
            made += 1
    return _played(made, table.revision, table.view(), table.state)


async def play_asynchronously(client: aio.Client) -> Played:
    """Play by the calls of grpc.aio."""
    table, made = await aio.Table.create(client, Preset.PRESET_ITALIAN, options=RULES, given_seed=SEED), 0
    while table.phase != Phase.PHASE_MATCH_OVER:
        _see_to_the_end(made)
        if table.turn is None:
            await table.next_deal()
        else:
            await table.play(table.turn, choose(await table.legal(table.turn)))
        made += 1
    return _played(made, table.revision, await table.view(), table.state)


def _see_to_the_end(made: int) -> None:
    if made > MOST_MOVES:
        raise AssertionError(f"the match is not over after {MOST_MOVES} moves")


def _see_refusal(table: Table) -> None:
    """A refusal and a failure have to come as this language's errors, and to change nothing."""
    seat, before = table.turn or 0, (table.state, table.revision)
    try:
        table.play(seat, moves.meld("7S 8S"))
    except IllegalMove as refused:
        if Reason.REASON_MUST_DRAW_FIRST not in refused.reasons:
            raise
    else:
        raise AssertionError("a meld before the draw was accepted")
    try:
        table.view(9)
    except RulesError as failed:
        if failed.reason != Reason.REASON_FIELD_OUT_OF_RANGE or [each.field for each in failed.fields] != [
            "viewer.seat"
        ]:
            raise
    else:
        raise AssertionError("a view of seat 9 was shown")
    if (table.state, table.revision) != before:
        raise AssertionError("a refusal changed the table")


def _played(made: int, revision: int, view: View, state: bytes) -> Played:
    if not view.HasField("result"):
        raise AssertionError("the match is over and has no result")
    return Played(made, revision, str(view.result), state)


def run_match(target: str, api_key: str | None) -> Sequence[Difference]:
    """Play the match in each way, twice by unary calls; what differs from the first."""

    async def asynchronous() -> Played:
        async with aio.connect(target, api_key=api_key, timeout=SECONDS, options=NO_PROXY) as client:
            return await play_asynchronously(client)

    with connect(target, api_key=api_key, timeout=SECONDS, options=NO_PROXY) as client:
        first = play(client)
        others = {"again": play(client), "stream": play_on_a_stream(client), "aio": asyncio.run(asynchronous())}
    return [Difference(way, first, other) for way, other in others.items() if other != first]
