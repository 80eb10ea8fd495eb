"""A simple seat of Gin: it takes what completes a meld, gives away what it needs least, and knocks while that is safe.

Every turn brings the end of the deal nearer: one that does not draw from the stock leaves a better hand than before.
"""

from collections.abc import Sequence

from burraco import moves
from burraco.cards import CardValue
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.cards import ACE, HIGH_ACE
from service.demo.players.arrange import Arranger, without

GIN = Arranger(ace_points=1, slots=range(ACE, HIGH_ACE))

LATE_STOCK, LATE_LIMIT = 14, 5  # with so few cards in the stock the other may well have less


def choose(view: View, legal: LegalMoves) -> Move:
    """Choose the seat's next move among the legal ones; always the same for the same view."""
    hand = view.seats[view.viewer.seat].hand
    if not legal.discards:
        return _draw(view, legal.simple)
    knocks = {group.required[0]: _cost_without(hand, group.required[0]) for group in legal.groups}
    best = min(knocks, key=lambda one: (knocks[one], one), default=None)
    if best is not None and (view.stock_count > LATE_STOCK or knocks[best] <= LATE_LIMIT):
        return moves.knock(best)
    waste = GIN.waste(hand, legal.discards)
    return moves.discard(min(waste, key=lambda one: (waste[one], -GIN.points(one), one)))


def _draw(view: View, simple: Sequence[MoveKind.ValueType]) -> Move:
    if MoveKind.MOVE_KIND_TAKE_PILE in simple and _wants(view):
        return moves.take_pile()
    rest = [kind for kind in simple if kind not in {MoveKind.MOVE_KIND_TAKE_PILE, MoveKind.MOVE_KIND_RESIGN}]
    return moves.SIMPLE[rest[0]]() if rest else moves.take_pile()


def _wants(view: View) -> bool:
    """Whether the top card makes a meld, or a hand to knock with."""
    hand, top = view.seats[view.viewer.seat].hand, view.discard[-1]
    least = min(_cost_without([*hand, top], one) for one in hand)
    return GIN.completes(hand, top) or (least <= view.knock_limit and least < GIN.best(hand).cost)


def _cost_without(hand: Sequence[CardValue], one: CardValue) -> int:
    return GIN.best(without(hand, one)).cost
