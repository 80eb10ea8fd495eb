# ruff: noqa: INP001, T201 - an example stands alone, and prints
"""Create a match on a running server and play one turn: `python play_a_turn.py [ADDRESS]`."""

import sys

from burraco import IllegalMove, Table, connect, moves
from burraco.cards import pretty


def main(address: str) -> None:
    """Draw a card, be refused, and discard the first card that may go."""
    with connect(address) as client:
        table = Table.create(client)
        seat = table.turn
        if seat is None:
            return
        try:
            table.play(seat, moves.meld("7S 8S 9S"))
        except IllegalMove as refused:
            print("refused:", refused)
        table.play(seat, moves.draw())
        print(f"seat {seat} holds", pretty(table.view(seat).seats[seat].hand))
        legal = table.legal(seat)
        print(f"{legal.count} legal moves:", ", ".join(map(moves.describe, moves.expand(legal))))
        table.play(seat, moves.discard(legal.discards[0]))
        print(f"revision {table.revision}, seat {table.turn} to move, {len(table.state)} bytes of state to keep")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
