# ruff: noqa: INP001, T201 - an example stands alone, and prints
"""Play a match for two to its end, and print its result: `python play_a_match.py [ADDRESS]`."""

import os
import sys

from burraco import Table, connect, moves
from burraco.v1.moves_pb2 import LegalMoves, Move
from burraco.v1.rules_pb2 import BurracoRules, Preset
from burraco.v1.views_pb2 import Phase

DEALS = 2
FIRST = ("draw_stock", "take_pile", "meld", "lay_off", "knock", "discard")


def choose(legal: LegalMoves) -> Move:
    """Lay what can be laid, knock at once, discard the first card that may go: a player who thinks is left to you."""
    return min(moves.expand(legal), key=rank)


def rank(move: Move) -> int:
    """The place in `FIRST`; after those whatever else is legal, and giving up only when there is nothing else."""
    kind = str(move.WhichOneof("kind"))
    if kind == "resign":
        return len(FIRST) + 1
    return FIRST.index(kind) if kind in FIRST else len(FIRST)


def main(address: str) -> None:
    """Play every seat in turn, and deal again until the match is over."""
    with connect(address, api_key=os.environ.get("BURRACO_API_KEY")) as client:
        rules = BurracoRules(deals_per_match=DEALS, target=0)
        table = Table.create(client, Preset.PRESET_TWO_PLAYER, options=rules)
        made = 0
        while table.phase != Phase.PHASE_MATCH_OVER:
            if table.turn is None:
                table.next_deal()
            else:
                table.play(table.turn, choose(table.legal(table.turn)))
            made += 1
        result = table.view().result
        points = " : ".join(map(str, result.match_points))
        winners = ", ".join(f"side {side}" for side in result.winning_sides)
        print(f"{made} moves, {DEALS} deals, {points}: {winners} won")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BURRACO_TARGET", "127.0.0.1:50051"))
