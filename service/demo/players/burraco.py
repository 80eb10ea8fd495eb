"""A simple seat of Burraco: what it plays follows from its own view and its legal moves, and from nothing else.

It melds whatever makes its side's table better, is loath to spend wilds while they may still be needed, and takes the
pile for cards that it can use at once, or for many. Every turn brings the end of the deal nearer: it draws from the
stock, unless a pile of one card goes straight to the table, and a larger pile is only made by drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from burraco import moves
from burraco.cards import CardValue
from burraco.v1.melds_pb2 import Meld, MeldKind
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveGroup, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.cards import SEVEN, rank, suit
from service.demo.players.burraco_hand import fits, is_clean, is_wild, points, usable

# What a meld of so many cards promises while it is no burraco yet, in points; then what a burraco is worth (B4-38).
CLEAN_PROMISE = {3: 25, 4: 45, 5: 75, 6: 115}
DIRTY_PROMISE = {3: 8, 4: 18, 5: 32, 6: 55}
CLEAN_BURRACO, DIRTY_BURRACO = 200, 100
SET_SHARE = 0.5  # a set grows more slowly than a sequence
SHED = 3  # for each card that leaves the hand
BREAKS_UP = 10  # for each card of a set that had a neighbour in hand
FIRST_BURRACO, POZZETTO, NEAR_POZZETTO, CLOSE = 70, 60, 20, 150

WILD_COST = 50
WILD_DISCOUNT = 12  # for each further wild in hand
WILD_GAIN_LATE = 10

MANY_IN_PILE = 4
LATE_STOCK = 8
FEW_IN_HAND = 4


@dataclass(frozen=True)
class Outlook:
    """What the seat reads in its view."""

    hand: tuple[CardValue, ...]
    own: dict[int, Meld]
    others: tuple[Meld, ...]
    pozzetto_open: bool
    """Whether the side has yet to take its pozzetto."""
    has_burraco: bool
    late: bool
    """Whether the deal may end soon, so that cards in hand are a danger."""

    @classmethod
    def of(cls, view: View) -> "Outlook":
        """Read a seat's view."""
        me = view.seats[view.viewer.seat]
        own = {meld.meld_id: meld for meld in view.melds if meld.side == me.side}
        threatened = any(
            view.sides[other.side].may_close
            and view.sides[other.side].HasField("pozzetto_taken_by")
            and other.hand_count <= FEW_IN_HAND
            for other in view.seats
            if other.side != me.side
        )
        return cls(
            hand=tuple(me.hand),
            own=own,
            others=tuple(meld for meld in view.melds if meld.side != me.side),
            pozzetto_open=not view.sides[me.side].HasField("pozzetto_taken_by"),
            has_burraco=any(len(meld.cards) >= SEVEN for meld in own.values()),
            late=threatened or view.last_turn or view.stock_count <= LATE_STOCK,
        )


def choose(view: View, legal: LegalMoves) -> Move:
    """Choose the seat's next move among the legal ones; always the same for the same view."""
    outlook = Outlook.of(view)
    if MoveKind.MOVE_KIND_DRAW_STOCK in legal.simple or MoveKind.MOVE_KIND_TAKE_PILE in legal.simple:
        return _draw_or_take(outlook, view, legal.simple)
    fullest = [(group, _fullest(group)) for group in legal.groups]
    best = max(fullest, key=lambda found: _gain(outlook, *found), default=None)
    if best is not None and (_gain(outlook, *best) > 0 or not legal.discards):
        return moves.of_group(*best)
    if legal.discards:
        return moves.discard(min(legal.discards, key=lambda one: (_keep(outlook, one), -points(one), one)))
    return next(move for move in moves.expand(legal) if not move.HasField("resign"))


def _draw_or_take(outlook: Outlook, view: View, open_kinds: Sequence[MoveKind.ValueType]) -> Move:
    if MoveKind.MOVE_KIND_TAKE_PILE not in open_kinds:
        return moves.draw()
    if MoveKind.MOVE_KIND_DRAW_STOCK not in open_kinds:
        return moves.take_pile()
    own = outlook.own.values()
    gain = usable((*outlook.hand, *view.discard), own) - usable(outlook.hand, own)
    if view.discard_count == 1:
        wanted = gain > 0 and view.stalemate_turns == 0  # a card that went round once is left lying
    elif outlook.late:
        wanted = gain * 2 > view.discard_count
    else:
        wanted = gain > 1 or view.discard_count >= MANY_IN_PILE
    return moves.take_pile() if wanted else moves.draw()


def _fullest(group: MoveGroup) -> list[CardValue]:
    """Choose the most cards that the group allows, and the wild that is missed least."""
    chosen: list[CardValue] = []
    for option in sorted(group.optional, key=lambda option: (is_wild(option.card), -points(option.card), option.card)):
        chosen += [option.card] * min(option.count, group.max_optional - len(chosen))
    wild = sorted(group.wild_choices, key=lambda one: (points(one), one))[:1]
    return [*group.required, *chosen, *wild]


def _gain(outlook: Outlook, group: MoveGroup, selection: list[CardValue]) -> float:
    """Say how much better the side stands with these cards on the table, in points, roughly."""
    before = list(outlook.own[group.meld_id].cards) if group.meld_id else []
    after = [*before, *selection]
    gain = _promise(group.meld_kind, after) - _promise(group.meld_kind, before) + SHED * len(selection)
    if group.meld_kind == MeldKind.MELD_KIND_SET and not outlook.late:
        gain -= BREAKS_UP * sum(_neighbours(outlook, one)[1] for one in selection if not is_wild(one))
    if len(after) >= SEVEN and not (outlook.has_burraco or outlook.pozzetto_open):
        gain += FIRST_BURRACO
    left = len(outlook.hand) - len(selection)
    if outlook.pozzetto_open:
        gain += POZZETTO if left <= 1 else NEAR_POZZETTO if left < FEW_IN_HAND else 0
    elif left <= 1 and (outlook.has_burraco or len(after) >= SEVEN):
        gain += CLOSE
    if is_clean(group.meld_kind, before) and not is_clean(group.meld_kind, after):
        gain += WILD_GAIN_LATE if outlook.late else -_wild_cost(outlook)
    return gain


def _promise(kind: MeldKind.ValueType, laid: list[CardValue]) -> float:
    if not laid:
        return 0
    clean = is_clean(kind, laid)
    if len(laid) >= SEVEN:
        return CLEAN_BURRACO if clean else DIRTY_BURRACO
    promise = (CLEAN_PROMISE if clean else DIRTY_PROMISE)[len(laid)]
    return promise * SET_SHARE if kind == MeldKind.MELD_KIND_SET else promise


def _wild_cost(outlook: Outlook) -> int:
    wilds = sum(map(is_wild, outlook.hand))
    return max(0, WILD_COST - WILD_DISCOUNT * (wilds - 1))


def _neighbours(outlook: Outlook, one: CardValue) -> dict[int, bool]:
    """Say whether the hand has naturals of the suit one or two ranks away."""
    ranks = {rank(other) for other in outlook.hand if suit(other) == suit(one) and not is_wild(other)}
    return {away: not ranks.isdisjoint({rank(one) - away, rank(one) + away}) for away in (1, 2)}


def _keep(outlook: Outlook, one: CardValue) -> int:
    """Say how much a card is worth keeping in hand rather than giving it to the others."""
    if is_wild(one):
        return 100 + points(one)
    rest = list(outlook.hand)
    rest.remove(one)
    keep = 3 * sum(rank(other) == rank(one) for other in rest)
    neighbours = _neighbours(outlook, one)
    keep += 4 * neighbours[1] + 2 * neighbours[2]
    keep += 12 * any(fits(one, meld) for meld in outlook.own.values())
    for meld in outlook.others:
        if fits(one, meld):
            keep += 14 if len(meld.cards) == SEVEN - 1 else 2 + len(meld.cards)
    return keep
