"""Play of any game at random, what lies where in it, and moves to try that nobody listed."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from service.rules.cards import FACES, JOKER, rank_of, suit_of
from service.rules.games import game_of
from service.rules.moves import BACK_END_KINDS, Discard, Knock, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.outcome import Applied
from service.rules.state import Phase, State
from tests.support.walks import EAGER, LAZY, choose, rare, start


class Step(NamedTuple):
    """A move of a match."""

    before: State
    seat: int
    move: Move
    after: Applied

    @property
    def state(self) -> State:
        """The state after the move."""
        return self.after.state


def steps(rules: object, seed: int, most: int, *, keenly: bool = False, deals: int = 1 << 30) -> Iterator[Step]:
    """Random legal moves of a match, until it is over, so many deals are, or so many moves were made.

    Some seeds are of lazy players, who never come to a target, and sometimes a turn is timed out, or time is called, or
    somebody resigns; nothing of that where they play `keenly`.
    """
    state, rng = start(rules, seed), random.Random(seed)
    laziness = LAZY if seed % 5 == 4 and not keenly else EAGER
    for _ in range(most):
        if state.phase is Phase.MATCH_OVER or (state.phase is Phase.DEAL_OVER and state.deal_number >= deals):
            return
        seat, move = (None if keenly else rare(state, rng)) or (state.seat, choose(state, state.seat, rng, laziness))
        outcome = game_of(state).play(state, seat, move)
        assert isinstance(outcome, Applied), f"a listed move was refused: {move} {outcome}"
        yield Step(state, seat, move, outcome)
        state = outcome.state


def all_cards(state: State) -> bytes:
    """Every card of the table, sorted."""
    heaps = [state.stock, state.discard, *state.pozzetti]
    heaps += [hand.cards() for hand in state.hands]
    heaps += [meld.cards for meld in state.melds]
    return bytes(sorted(b"".join(heaps)))


def normal(move: Move) -> Move:
    """A move with its cards in one order, as equal moves have it."""
    match move:
        case LayMeld(cards):
            return move._replace(cards=bytes(sorted(cards)))
        case LayOff(_, cards):
            return move._replace(cards=bytes(sorted(cards)))
    return move


def tries(state: State, seat: int, rng: random.Random) -> Iterator[Move]:
    """Moves of every kind: melds and lay-offs of cards that nearly fit, on any meld, and everything else there is."""
    hand = state.hands[seat].cards()
    for selection in _selections(hand, rng):
        yield LayMeld(selection)
        for meld in rng.sample(state.melds, min(3, len(state.melds))):
            yield LayOff(meld.meld_id, selection)
    for meld in state.melds:
        yield from (ReplaceWild(meld.meld_id, card) for card in rng.sample((*FACES, JOKER), 6))
        yield from (ReplaceWild(meld.meld_id, card) for card in set(hand))
        yield from (LayOff(meld.meld_id, bytes((card,))) for card in set(hand))
    yield LayOff(99, hand[:1] or bytes((JOKER,)))
    yield from (Discard(card) for card in (*FACES, JOKER))
    yield from (Knock(card) for card in (0, *FACES))
    yield from (Plain(kind) for kind in MoveKind if kind not in {*WITH_CARDS, *BACK_END_KINDS})


WITH_CARDS = frozenset((MoveKind.MELD, MoveKind.LAY_OFF, MoveKind.DISCARD, MoveKind.REPLACE_WILD, MoveKind.KNOCK))


def _selections(hand: bytes, rng: random.Random) -> Iterator[bytes]:
    """Cards of a hand that may be melds: of one rank, or near to one another in one suit, maybe with a joker or two."""
    wilds = [card for card in hand if card == JOKER or rank_of(card) == 2]
    for _ in range(14 if hand else 0):
        card = rng.choice(hand)
        if rng.randrange(2) and card != JOKER:
            alike = sorted({other for other in hand if other != JOKER and suit_of(other) == suit_of(card)})
            at = rng.randrange(len(alike))
            cards = alike[at : at + rng.randint(1, 6)]
            if alike[0] & 15 == 1 and rng.randrange(3) == 0:
                cards = sorted({*cards, alike[0]})
        else:
            alike = [other for other in hand if other != JOKER and rank_of(other) == rank_of(card)] or [card]
            cards = rng.sample(alike, rng.randint(1, len(alike)))
        if wilds and rng.randrange(2):
            cards = [*cards, rng.choice(wilds)]
        yield bytes(cards)
    if hand:
        yield bytes(rng.sample(hand, rng.randint(1, min(5, len(hand)))))
        yield hand
