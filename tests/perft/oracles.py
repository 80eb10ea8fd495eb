"""The slow oracle of each game, and perft by its list instead of the engine's."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scripts.perft_count import after, legal, write_move
from service.rules.games import game_of
from service.rules.moves import LayMeld, LayOff, Move
from service.rules.options import Game
from service.rules.state import State
from tests.gin import oracle as gin
from tests.oracle import moves as burraco
from tests.rummy import moves_oracle as rummy

ORACLES: Final[Mapping[Game, Callable[[State], set[Move]]]] = {
    Game.BURRACO: burraco.legal_moves,
    Game.GIN: gin.legal_moves,
    Game.RAMINO: rummy.legal_moves,
    Game.SCALA_40: rummy.legal_moves,
}


def normal(move: Move) -> Move:
    """A move with its cards in order, as equal moves have it."""
    return move._replace(cards=bytes(sorted(move.cards))) if isinstance(move, LayMeld | LayOff) else move


def slow_counts(state: State, depth: int) -> list[int]:
    """Leaves in each depth of a tree whose moves are the oracle's; at every node they have to be the engine's too."""
    oracle, level, counts = ORACLES[game_of(state).name], [state], []
    for _ in range(depth):
        reached = []
        for node in level:
            slow, fast = oracle(node), {normal(move) for move in legal(node)}
            assert slow == fast, (
                f"only by the oracle: {words(slow - fast)}; only by the engine: {words(fast - slow)}; at {node}"
            )
            reached += [after(node, move, write_move(move)) for move in sorted(slow, key=write_move)]
        level = reached
        counts.append(len(level))
    return counts


def words(moves: set[Move]) -> list[str]:
    """Moves in words."""
    return sorted(map(write_move, moves))


def affordable(entry: dict[str, Any], nodes: int) -> int:
    """How deep an entry's tree can be looked at if the oracle is asked at so many nodes; at least one level."""
    asked, depth = 1, 1
    for told in entry["depths"][:-1]:
        asked += told["count"]
        if asked > nodes:
            break
        depth += 1
    return depth
