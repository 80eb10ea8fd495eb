"""Players who know the legal moves and nothing else, and what a table holds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.games import SeatChoice, create_match
from service.rules.moves import (
    CALL_TIME,
    DECLARE_STALEMATE,
    DRAW_STOCK,
    NEXT_DEAL,
    TAKE_PILE,
    TIME_OUT_TURN,
    Discard,
    LayMeld,
    LayOff,
    Move,
    MoveKind,
)
from service.rules.options import BurracoRules
from service.rules.outcome import Applied, LegalMoves
from service.rules.state import Fairness, Phase, State
from tests.oracle.cards import value

EVERYTHING = 1 << 40
"""More moves than any list has."""


class Style(NamedTuple):
    """How a table plays: chances out of 100."""

    take_pile: int = 50
    play: int = 80
    """To meld or lay off, while there is something to."""
    lay_off: int = 60
    """To lay off rather than to meld, where both can be done."""
    back_end: int = 0
    """That a turn is timed out, or time is called."""
    stalemate: int = 5
    """To declare a stalemate that may be declared."""


EAGER = Style()
STYLES = (
    EAGER,
    Style(back_end=6),
    Style(take_pile=20, play=95),
    Style(take_pile=95, play=90),
    Style(take_pile=100, play=0, stalemate=0),
    Style(take_pile=10, play=30),
    Style(take_pile=30, back_end=8),
)


class Step(NamedTuple):
    """A move of a game."""

    before: State
    legal: LegalMoves
    """Legal moves of the seat to move."""
    seat: int
    move: Move
    after: Applied


def new_match(rules: BurracoRules, seed: int) -> State:
    """Deal a match from a small number."""
    fairness = Fairness(seed.to_bytes(32, "big"), given=True)
    return create_match(rules, fairness, "match", SeatChoice(drawn=seed % 2 == 0)).state


def most_moves(rules: BurracoRules) -> int:
    """More moves than a deal can have: there are so many draws and melded cards, and swaps between them are counted."""
    return 2 * (64 + 108 + 1) * rules.stalemate_auto_turns + 300


def match_steps(rules: BurracoRules, seed: int, style: Style, *, deals: int) -> Iterator[Step]:
    """Play a match to its end, or so many deals of it. Each deal has to end (B4-34)."""
    state, rng, moves = new_match(rules, seed), Random(seed), 0
    while state.phase is not Phase.MATCH_OVER and (state.phase is not Phase.DEAL_OVER or state.deal_number < deals):
        legal = legal_moves(state, state.seat, EVERYTHING)
        move = choose(state, legal, rng, style)
        outcome = play(state, state.seat, move)
        assert isinstance(outcome, Applied), f"{move} is listed and refused: {outcome.violations}"
        yield Step(state, legal, state.seat, move, outcome)
        state = outcome.state
        moves = 0 if state.over else moves + 1
        assert moves < most_moves(rules), "the deal does not end"


def choose(state: State, legal: LegalMoves, rng: Random, style: Style) -> Move:
    """Choose among the legal moves, which must leave a choice: somebody can always move (B4-30, R1)."""

    def chance(percent: int) -> bool:
        return rng.randrange(100) < percent

    if state.phase is Phase.DEAL_OVER:
        return NEXT_DEAL
    if chance(style.back_end):
        return TIME_OUT_TURN if state.turns_left >= 0 or chance(75) else CALL_TIME
    if state.phase is Phase.DRAW:
        if MoveKind.DECLARE_STALEMATE in legal.plain and chance(style.stalemate):
            return DECLARE_STALEMATE
        ways = [move for move in (DRAW_STOCK, TAKE_PILE) if move.kind in legal.plain]
        assert ways, "nobody can move and the deal has not ended"
        return ways[-1] if chance(style.take_pile) else ways[0]
    assert legal.groups or legal.discards, "nobody can move and the deal has not ended"
    if legal.groups and (not legal.discards or chance(style.play)):
        # Whoever can play his whole hand does: so he goes to the pozzetto directly, or closes.
        all_cards_of = [group for group in legal.groups if len(group.required) == state.hands[state.seat].size]
        offered = [group for group in legal.groups if group.kind is MoveKind.LAY_OFF]
        if not offered or (len(offered) < len(legal.groups) and not chance(style.lay_off)):
            offered = [group for group in legal.groups if group.kind is MoveKind.MELD]
        group = rng.choice(all_cards_of or offered)
        at = rng.randrange(min(group.plays, 50))
        cards = next(islice(group.selections(), at, None))
        return LayMeld(cards) if group.kind is MoveKind.MELD else LayOff(group.meld_id, cards)
    return Discard(rng.choice(legal.discards))


# --- what is where ---------------------------------------------------------------------------------------------------


def all_cards(state: State) -> bytes:
    """Every card of the table, sorted."""
    cards = bytearray(state.stock + state.discard)
    for heap in (*state.pozzetti, *(hand.cards() for hand in state.hands), *(meld.cards for meld in state.melds)):
        cards += heap
    return bytes(sorted(cards))


def points_of(cards: Sequence[int]) -> int:
    """Sum of the values of cards (B4-36), by the oracle."""
    return sum(map(value, cards))


def plays_listed(legal: LegalMoves) -> Iterator[tuple[MoveKind, int, bytes]]:
    """Kind, meld id and sorted cards of each meld and lay-off of a list."""
    for group in legal.groups:
        for cards in group.selections():
            yield group.kind, group.meld_id, bytes(sorted(cards))


def count(cards: Sequence[int]) -> Counter[int]:
    """Cards as a multiset."""
    return Counter(cards)
