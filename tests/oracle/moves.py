"""Every legal move of the seat to move at Burraco, by brute force: each choice of cards of the hand is tried.

It reads states as values; who may do what is written down here again, from the rule book.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from service.rules.melds import Meld
from service.rules.moves import (
    DECLARE_STALEMATE,
    DRAW_STOCK,
    NEXT_DEAL,
    RESIGN,
    TAKE_PILE,
    Discard,
    LayMeld,
    LayOff,
    Move,
)
from service.rules.options import PileTake
from service.rules.state import Phase, State
from tests.oracle.cards import is_wild_card, rank, suit
from tests.oracle.melds import OMeld
from tests.oracle.table import OTurn, can_discard, can_lay_off, can_meld, sub_multisets

Cards = tuple[int, ...]


def legal_moves(state: State) -> set[Move]:
    """Every legal move of the seat to move."""
    if state.phase is Phase.MATCH_OVER:
        return set()
    if state.phase is Phase.DEAL_OVER:
        return {NEXT_DEAL, RESIGN}
    if state.phase is Phase.DRAW:
        return {RESIGN, *_draws(state)}
    assert state.phase is Phase.PLAY
    return {RESIGN, *_plays(state), *_discards(state)}


def side_of(state: State, seat: int) -> int:
    """Partners sit opposite (B4-2); two play for themselves; of three, two may play against one (B3-2)."""
    players = len(state.match.players)
    if players == 4:
        return seat % 2
    if players == 3 and state.alone >= 0 and seat != state.alone:
        return min(other for other in range(3) if other != state.alone)
    return seat


def as_oracle(meld: Meld) -> OMeld:
    """A meld of the table."""
    wild = meld.wild_at if meld.wild_at >= 0 else None
    return OMeld("set" if meld.kind.name == "SET" else "sequence", tuple(meld.cards), wild, meld.low)


def turn_of(state: State, hand: Cards) -> OTurn:
    """The turn in progress, with a hand."""
    side = side_of(state, state.seat)
    return OTurn(
        rules=state.rules,
        hand=hand,
        own_melds=tuple((meld.meld_id, as_oracle(meld)) for meld in state.melds if meld.side == side),
        other_meld_ids=tuple(meld.meld_id for meld in state.melds if meld.side != side),
        pozzetto_available=state.taken_by[side] < 0,
        banned=state.turn.taken_single or None,
    )


def hand_of(state: State) -> Cards:
    """The hand of the seat to move."""
    return tuple(state.hands[state.seat].cards())


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draws(state: State) -> Iterator[Move]:
    if state.stock:
        yield DRAW_STOCK
    if state.discard and _may_take(state):
        yield TAKE_PILE
    if state.stalemate_turns >= len(state.match.players):
        yield DECLARE_STALEMATE  # B4-34


def _may_take(state: State) -> bool:
    """Whether the whole pile may be taken (B4-15, row 6, R2)."""
    before, pile = hand_of(state), tuple(state.discard)
    turn = turn_of(state, before + pile)
    match state.rules.pile_take:
        case PileTake.FREE:
            return True
        case PileTake.MUST_MELD:
            return next(plays(turn), None) is not None
        case PileTake.TOP_CARD_USABLE:
            # E45: neither the meld nor the lay-off may need other cards of the pile.
            possible = choices((*before, pile[-1]))
            return any(uses(move, pile[-1], before) for move in plays(turn, possible))
    raise NotImplementedError("no preset takes the pile otherwise")


def uses(move: Move, top: int, before: Cards) -> bool:
    """Whether a play uses the pile's top card as B2-5 wants: on a meld, or with two cards of the hand as it was."""
    if isinstance(move, LayOff):
        return top in move.cards
    assert isinstance(move, LayMeld)
    others = Counter(move.cards)
    others.subtract([top])
    return top in move.cards and (others & Counter(before)).total() >= 2


# --- playing ----------------------------------------------------------------------------------------------------------


def choices(hand: Cards) -> set[Cards]:
    """Every choice of cards that can be part of one meld (1.0).

    Besides jokers and twos they have one suit or one rank; of those there are two at most, one acting as a wild and one
    natural.
    """
    wilds = [card for card in hand if is_wild_card(card)]
    naturals = [card for card in hand if not is_wild_card(card)]
    suits = [[card for card in naturals if suit(card) == each] for each in range(4)]
    ranks = [[card for card in naturals if rank(card) == each] for each in range(1, 14)]
    found = {
        tuple(sorted((*chosen, *some)))
        for alike in (*suits, *ranks)
        for chosen in ((), *sub_multisets(tuple(alike)))
        for some in {some for count in range(3) for some in combinations(sorted(wilds), count)}
    }
    return found - {()}


def plays(turn: OTurn, possible: set[Cards] | None = None) -> Iterator[Move]:
    """Every meld and lay-off, of all choices of cards or of some."""
    for cards in sorted(possible if possible is not None else choices(turn.hand)):
        if can_meld(turn, cards):
            yield LayMeld(bytes(cards))
        for meld_id, _ in turn.own_melds:
            if can_lay_off(turn, meld_id, cards):
                yield LayOff(meld_id, bytes(cards))


def _plays(state: State) -> Iterator[Move]:
    top, before = state.turn.must_meld, tuple(state.turn.hand_before_pile.cards())
    for move in plays(turn_of(state, hand_of(state))):
        if not top or uses(move, top, before):
            yield move


def _discards(state: State) -> Iterator[Move]:
    if state.turn.must_meld or state.turn.must_meld_something:
        return  # R2, row 6: not before the meld
    turn = turn_of(state, hand_of(state))
    for card in set(turn.hand):
        if can_discard(turn, card):
            yield Discard(card)
