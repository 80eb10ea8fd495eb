"""Perft: count the tree of legal moves under a position, and say what its leaves look like (docs/perft.md).

The deck of a match is fixed, so a draw has one child. A node's children are the legal moves of the seat to move.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from service.rules.cards import parse, texts
from service.rules.games import PRESETS, SeatChoice, create_match, game_of
from service.rules.melds import Meld
from service.rules.moves import Discard, Knock, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.options import Preset
from service.rules.outcome import Applied
from service.rules.state import DealEnd, Fairness, State

ENOUGH: Final = 1 << 30
WORD: Final = 1 << 64

# --- positions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A match of a preset, from a seed and the moves that were made in it."""

    name: str
    preset: Preset
    seed: bytes
    moves: tuple[str, ...] = ()

    def state(self) -> State:
        """Set the position up.

        :raises ValueError: a move is illegal.
        """
        state = begin(self.preset, self.seed)
        for number, words in enumerate(self.moves):
            state = after(state, read_move(words), f"{self.name}: move {number + 1}, {words!r},")
        return state


def begin(preset: Preset, seed: bytes) -> State:
    """A new match: players sit in their order, the seed chooses the dealer."""
    fairness = Fairness(seed, given=True)
    return create_match(PRESETS[preset], fairness, "perft", SeatChoice()).state


def after(state: State, move: Move, name: str) -> State:
    """The state after a move, which has to be legal."""
    outcome = game_of(state).play(state, state.seat, move)
    if not isinstance(outcome, Applied):
        raise ValueError(f"{name} is illegal: {', '.join(fault.reason.name for fault in outcome.violations)}")  # noqa: TRY004  # it is not about a type
    return outcome.state


def write_move(move: Move) -> str:
    """A move in words: its kind as the contract has it, the meld's number if it has one, its cards by number."""
    match move:
        case LayMeld(cards):
            return f"{move.kind.name} {texts(sorted(cards))}"
        case LayOff(meld_id, cards):
            return f"{move.kind.name} {meld_id} {texts(sorted(cards))}"
        case ReplaceWild(meld_id, card):
            return f"{move.kind.name} {meld_id} {texts((card,))}"
        case Discard(card) | Knock(card):
            return f"{move.kind.name} {texts((card,) if card else ())}".rstrip()
    return move.kind.name


def read_move(words: str) -> Move:
    """Read a move in words.

    :raises ValueError: a card is none.
    :raises KeyError: a kind is none.
    """
    name, _, rest = words.partition(" ")
    kind = MoveKind[name]
    if kind in (MoveKind.LAY_OFF, MoveKind.REPLACE_WILD):
        meld_id, _, rest = rest.partition(" ")
        cards = parse(rest)
        return LayOff(int(meld_id), cards) if kind is MoveKind.LAY_OFF else ReplaceWild(int(meld_id), cards[0])
    cards = parse(rest)
    if kind is MoveKind.MELD:
        return LayMeld(cards)
    if kind is MoveKind.DISCARD:
        return Discard(cards[0])
    return Knock(cards[0] if cards else 0) if kind is MoveKind.KNOCK else Plain(kind)


# --- what a table looks like ------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _words(cards: bytes) -> str:
    return texts(cards) or "-"


@lru_cache(maxsize=1 << 14)
def _meld(meld: Meld) -> str:
    words = texts(meld.cards).split()
    if meld.wild_at >= 0:
        words[meld.wild_at] = f"({words[meld.wild_at]})"
    return f"{meld.meld_id} of {meld.side}: {' '.join(words)}"


def table(state: State) -> str:
    """All that lies on a table, in one line that any language can write (docs/perft.md)."""
    winners = state.result.winning_sides if state.result else ()
    parts = (
        f"deal {state.deal_number} dealer {state.dealer} seat {state.seat} {state.phase.name} {state.deal_end.name}",
        *(f"hand {_words(hand.cards())}" for hand in state.hands),
        f"stock {_words(state.stock)}",
        f"pile {_words(state.discard)}",
        *(f"pozzetto {_words(pozzetto)}" for pozzetto in state.pozzetti),
        *(f"meld {_meld(meld)}" for meld in state.melds),
        f"points {' '.join(map(str, state.points))}",
        f"winners {' '.join(map(str, winners)) or '-'}",
    )
    return "; ".join(parts)


def fingerprint(state: State) -> int:
    """64 bits of a table: the first 8 bytes, big-endian, of the SHA-256 of its line."""
    return int.from_bytes(hashlib.sha256(table(state).encode()).digest()[:8], "big")


# --- counting ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Level:
    """What there is in one depth of a tree."""

    count: int = 0
    """Leaves."""
    total: int = 0
    """Sum of the leaves' fingerprints modulo 2^64: a table that is reached twice counts twice."""
    first: Counter[MoveKind] = field(default_factory=Counter)
    """Leaves by the kind of the first move on the way."""
    last: Counter[MoveKind] = field(default_factory=Counter)
    """Leaves by the kind of the last move."""
    ends: Counter[DealEnd] = field(default_factory=Counter)
    """Leaves by how the deal has ended, if it has."""

    def told(self) -> dict[str, Any]:
        """The level as the files have it."""
        found: dict[str, Any] = {"count": self.count, "hash": f"{self.total:016x}"}
        for name, numbers in (("first", self.first), ("last", self.last), ("ends", self.ends)):
            found[name] = {kind.name: number for kind, number in sorted(numbers.items())}
        return found


class TooManyError(Exception):
    """A tree has more nodes than were allowed."""


def legal(state: State) -> list[Move]:
    """Every legal move of the seat to move.

    :raises AssertionError: the list does not hold as many as it says, or one twice.
    """
    listed = game_of(state).legal_moves(state, state.seat, ENOUGH)
    moves = list(listed.moves())
    if listed.truncated or len(moves) != listed.total or len(set(moves)) != len(moves):
        raise AssertionError(f"the list says {listed.total} moves and has {len(moves)}: {table(state)}")
    return moves


def perft(state: State, depth: int, most: int = ENOUGH) -> list[Level]:
    """Count the leaves of a position's tree in each depth from 1 on.

    :raises TooManyError: there are more than `most` nodes.
    """
    levels = [Level() for _ in range(depth)]
    nodes = 0

    def visit(state: State, at: int, first: MoveKind | None) -> None:
        nonlocal nodes
        level, play, seat = levels[at], game_of(state).play, state.seat
        moves = legal(state)
        nodes += len(moves)
        if nodes > most:
            raise TooManyError
        for move in moves:
            outcome = play(state, seat, move)
            if not isinstance(outcome, Applied):
                raise AssertionError(f"a listed move is refused: {write_move(move)}: {table(state)}")  # noqa: TRY004  # it is not about a type
            reached = outcome.state
            level.count += 1
            level.total = (level.total + fingerprint(reached)) % WORD
            level.first[first or move.kind] += 1
            level.last[move.kind] += 1
            if reached.deal_end and not state.deal_end:
                level.ends[reached.deal_end] += 1
            if at + 1 < depth:
                visit(reached, at + 1, first or move.kind)

    visit(state, 0, None)
    return levels


def divide(state: State, depth: int) -> dict[str, int]:
    """Leaves under each move of a position, as chess engines divide a count."""
    found = {}
    for move in legal(state):
        reached = after(state, move, write_move(move))
        found[write_move(move)] = perft(reached, depth - 1)[-1].count if depth > 1 else 1
    return found
