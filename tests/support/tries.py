"""Moves to try on a state, legal ones and others, and the states to try them on."""

from collections.abc import Iterator
from random import Random

from service.rules.moves import PASS_UPCARD, Discard, Knock, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.options import BurracoRules
from service.rules.state import Phase, State
from tests.oracle.cards import is_wild_card, rank, suit
from tests.support.games import Step, Style, match_steps
from tests.support.strategies import FACES

WITH_CARDS = (MoveKind.MELD, MoveKind.LAY_OFF, MoveKind.DISCARD)


def some_steps(
    rules: BurracoRules, seed: int, style: Style, *, one_in: int, deals: int = 2
) -> Iterator[tuple[Step, Random]]:
    """Some moves of a game, each with dice: all that are rare, and one in so many of the others."""
    rng = Random(seed + 1)
    for step in match_steps(rules, seed, style, deals=deals):
        if rng.randrange(one_in) == 0 or _is_rare(step):
            yield step, rng


def _is_rare(step: Step) -> bool:
    state, after = step.before, step.after.state
    obliged = state.turn.must_meld or state.turn.must_meld_something
    to_pozzetto = state.taken_by != after.taken_by and not after.over
    few = state.phase is Phase.PLAY and state.hands[step.seat].size < 4
    may_declare = MoveKind.DECLARE_STALEMATE in step.legal.plain
    return bool(obliged) or to_pozzetto or few or may_declare or state.over or not state.stock or any(state.unseen)


def tries(state: State, seat: int, rng: Random) -> Iterator[Move]:
    """Melds and lay-offs of cards of the hand, near to legal ones, on any meld; discards; moves of every kind."""
    hand = state.hands[seat].cards()
    selections = [bytes(rng.sample(hand, rng.randint(1, min(5, len(hand))))) for _ in range(6)] if hand else []
    wild = [card for card in hand if is_wild_card(card)]
    for _ in range(12 if hand else 0):
        card = rng.choice(hand)
        if rng.randrange(2):
            row = sorted({other for other in hand if other < 64 and suit(other) == suit(card)} if card < 64 else {card})
            at = rng.randrange(len(row))
            some = row[at : at + rng.randint(1, 5)]
        else:
            row = [other for other in hand if rank(other) == rank(card)]
            some = rng.sample(row, rng.randint(1, len(row)))
        if wild and rng.randrange(2):
            some.append(rng.choice(wild))
        selections.append(bytes(some))
    for selection in selections:
        yield LayMeld(selection)
        for meld in state.melds:
            yield LayOff(meld.meld_id, selection)
    yield LayOff(99, selections[0] if selections else b"")
    yield from (Discard(card) for card in (*FACES, 64))
    yield from map(
        Plain, (kind for kind in MoveKind if kind not in (MoveKind.MELD, MoveKind.LAY_OFF, MoveKind.DISCARD))
    )
    yield from (ReplaceWild(1, 5), Knock(5))


def garbage(state: State, rng: Random) -> Iterator[Move]:
    """Moves with any cards of the deck, in any number, on any meld."""
    for _ in range(10):
        cards = bytes(rng.choices((*FACES, 64), k=rng.randrange(18)))
        yield LayMeld(cards)
        yield LayOff(rng.randint(0, state.next_meld_id), cards)
    yield from (LayMeld(bytes([64] * 5)), LayMeld(bytes([9] * 3)), LayMeld(b""), LayOff(1, b""), PASS_UPCARD)
