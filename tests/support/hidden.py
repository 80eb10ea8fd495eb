"""Second worlds: the same table to one viewer, with the cards that he may not see dealt anew.

What is hidden is said here once more, from the rules (B4-28, rows 6 and 26), and not asked of the service.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from service.rules.events import SPECTATOR
from service.rules.hand import EMPTY, hand_of
from service.rules.moves import MoveKind
from service.rules.options import DiscardVisible
from service.rules.state import NOBODY, DealEnd, State

VIEWERS = (0, 1, 2, 3, SPECTATOR)


def is_counted(state: State) -> bool:
    """Whether the deal is over and counted, for which every hand is laid open."""
    return state.over and state.deal_end not in (DealEnd.RESIGNED, DealEnd.VOID)


def hides(state: State, viewer: int, seat: int) -> bool:
    """Whether a seat's hand is hidden from a viewer: those of others, and his own unseen pozzetto."""
    return not is_counted(state) and (viewer != seat or state.unseen[seat])


@dataclass
class Fixed:
    """What may not change in the other world, because a move is to be made there that needs or shows it."""

    cards: dict[int, bytes] = field(default_factory=dict)
    """Cards of hands, by seat."""
    stock: int = 0
    """So many cards at the top of the stock."""
    pozzetto: bool = False
    """The pozzetto that is taken next."""
    pile: bool = False
    """The covered part of the pile."""


def other_world(state: State, viewer: int, rng: Random, fixed: Fixed | None = None) -> State:
    """Deal the cards anew that are hidden from a viewer; every place keeps its size."""
    fixed = fixed or Fixed()
    kept: list[Counter[int]] = []
    for seat, hand in enumerate(state.hands):
        cards = Counter(hand.cards())
        keep = cards & Counter(fixed.cards.get(seat, ())) if hides(state, viewer, seat) else cards
        if hides(state, viewer, seat) and seat == state.seat:
            keep |= cards & Counter(_known_of_turn(state))
        kept.append(keep)
    covered = state.rules.discard_visible is DiscardVisible.TOP_ONLY and not fixed.pile
    below = len(state.discard) - 1 if covered and state.discard else 0
    first = 1 if fixed.pozzetto else 0

    pool = bytearray(state.stock[fixed.stock :] + state.discard[:below])
    pool += b"".join(state.pozzetti[first:])
    for hand, keep in zip(state.hands, kept, strict=True):
        pool += bytes((Counter(hand.cards()) - keep).elements())
    rng.shuffle(pool)

    def deal(count: int) -> bytes:
        cards = bytes(pool[:count])
        del pool[:count]
        return cards

    hands = tuple(
        hand_of((*keep.elements(), *deal(hand.size - keep.total())))
        for hand, keep in zip(state.hands, kept, strict=True)
    )
    turn = state.turn
    if hides(state, viewer, state.seat):
        if turn.drawn:
            turn = turn._replace(drawn=rng.choice(hands[state.seat].cards()))
        if turn.hand_before_pile != EMPTY:
            # Nothing has been melded yet: the hand is what it was, and the pile.
            pile = Counter(state.hands[state.seat].cards()) - Counter(turn.hand_before_pile.cards())
            before = Counter(hands[state.seat].cards()) - pile
            turn = turn._replace(hand_before_pile=hand_of(before.elements()))
    return state._replace(
        hands=hands,
        turn=turn,
        stock=state.stock[: fixed.stock] + deal(len(state.stock) - fixed.stock),
        pozzetti=(*state.pozzetti[:first], *(deal(len(pozzetto)) for pozzetto in state.pozzetti[first:])),
        discard=deal(below) + state.discard[below:],
    )


def _known_of_turn(state: State) -> bytes:
    """Cards that everyone knows to be in the hand of the seat to move: those of the pile that it has just taken."""
    turn = state.turn
    known = bytes((turn.taken_single,)) if turn.taken_single else b""
    if turn.must_meld:
        hand, before = Counter(state.hands[state.seat].cards()), Counter(turn.hand_before_pile.cards())
        known = bytes((hand - before).elements())
    return known


def shown(before: State, after: State, viewer: int, kind: MoveKind | None) -> Fixed:
    """What a move shows the viewer, which has to be the same in the other world for it to tell him the same.

    `kind` is that of the move if it is the viewer's own.
    """
    fixed = Fixed(stock=int(kind is MoveKind.DRAW_STOCK), pile=kind is MoveKind.TAKE_PILE)
    if viewer != SPECTATOR:
        if before.unseen[viewer] and not after.unseen[viewer]:
            fixed.cards[viewer] = before.hands[viewer].cards()
        side = viewer % 2
        took = before.taken_by[side] == NOBODY and after.taken_by[side] == viewer
        fixed.pozzetto = took and not after.unseen[viewer]
    return fixed
