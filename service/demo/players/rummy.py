"""A simple seat of Ramino or Scala 40: it lays down all it can, and gives away what it needs least.

Every turn brings the end of the deal nearer: it takes from the pile only what it lays down at once, or what makes more
melds of a hand that may not be laid down yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from burraco import moves
from burraco.cards import CardValue
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.cards import ACE, HIGH_ACE, JOKER, SUITS, card_in
from service.demo.players.arrange import LEAST, Arranger

FACES = [card_in(one_suit, slot) for one_suit in SUITS for slot in range(ACE, HIGH_ACE)]
FEW = 2
FEEDS = 4  # what a card is worth, in points, that fits a meld on the table and so helps the others


@dataclass(frozen=True)
class RummySeat:
    """The seat, for one of the games."""

    arranger: Arranger
    opens: bool
    """Whether a seat lays off only after it has laid a meld of its own."""

    def choose(self, view: View, legal: LegalMoves) -> Move:
        """Choose the seat's next move among the legal ones; always the same for the same view."""
        hand = view.seats[view.viewer.seat].hand
        drawing = {MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_TAKE_PILE} & set(legal.simple)
        if drawing:
            take = MoveKind.MOVE_KIND_TAKE_PILE in drawing and (len(drawing) == 1 or self._wants(view, hand))
            return moves.take_pile() if take else moves.draw()
        laid = self._recover(legal) or self._meld(hand, legal) or self._lay_off(view, hand, legal)
        return laid or self._discard(view, hand, legal.discards)

    def _wants(self, view: View, hand: Sequence[CardValue]) -> bool:
        top = view.discard[-1]
        lays_off = not self.opens or any(meld.side == view.viewer.seat for meld in view.melds)
        if lays_off and self._fits(top, view) and self._may_hold(view, hand, len(hand) - 1):
            return True
        return top == JOKER or self.arranger.completes(hand, top)

    def _recover(self, legal: LegalMoves) -> Move | None:
        """Take a joker: it is laid down again at once, and the card that stands for it is gone."""
        return next(_of_kind(legal, MoveKind.MOVE_KIND_REPLACE_WILD), None)

    def _meld(self, hand: Sequence[CardValue], legal: LegalMoves) -> Move | None:
        """Lay the first of those melds that together leave the least in hand."""
        found = {tuple(sorted(move.meld.cards)): move for move in _of_kind(legal, MoveKind.MOVE_KIND_MELD)}
        best = self.arranger.choose(hand, found)
        return found[max(best.melds, key=lambda meld: (self.arranger.cost(meld), meld))] if best.melds else None

    def _lay_off(self, view: View, hand: Sequence[CardValue], legal: LegalMoves) -> Move | None:
        """Add the dearest cards, unless it is better to hold on to them; a card of the pile was taken to be laid."""
        found = _of_kind(legal, MoveKind.MOVE_KIND_LAY_OFF)
        best = max(found, key=lambda move: self.arranger.cost(move.lay_off.cards), default=None)
        if best is None or not legal.discards or not view.drawn:
            return best
        return best if self._may_hold(view, hand, len(hand) - len(best.lay_off.cards) - 1) else None

    def _may_hold(self, view: View, hand: Sequence[CardValue], left: int) -> bool:
        """Whether so few cards may be left: enough to make a meld of, or the table takes many, or all of them."""
        stay = [one for one in hand if not self._fits(one, view)]
        return left >= LEAST or len(stay) <= 1 or self._fitting(view) > FEW

    def _fitting(self, view: View) -> int:
        """Count the cards that would go on a meld of the table, and may yet come."""
        seen = {*view.seats[view.viewer.seat].hand, *(one for meld in view.melds for one in meld.cards)}
        return sum(self._fits(one, view) for one in FACES if one not in seen)

    def _fits(self, one: CardValue, view: View) -> bool:
        return any(self.arranger.fits(one, meld) for meld in view.melds)

    def _discard(self, view: View, hand: Sequence[CardValue], allowed: Sequence[CardValue]) -> Move:
        waste = self.arranger.waste(hand, allowed)

        def loss(one: CardValue) -> tuple[int, int, int]:
            feeds = FEEDS * self._fits(one, view)
            return waste[one] + feeds, -self.arranger.points(one), one

        return moves.discard(min(waste, key=loss))


def _of_kind(legal: LegalMoves, kind: MoveKind.ValueType) -> Iterator[Move]:
    for group in legal.groups:
        if group.kind == kind:
            yield from moves.expand_group(group)


RAMINO = RummySeat(Arranger(ace_points=1, slots=range(ACE, HIGH_ACE + 1)), opens=False)
SCALA_40 = RummySeat(Arranger(ace_points=11, slots=range(ACE + 1, HIGH_ACE + 1)), opens=True)
