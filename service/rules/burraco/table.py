"""Counting a deal at a real table, from melds and hands alone (B4-36 … B4-40, B3-3)."""

from collections.abc import Sequence

from service.rules.burraco.kinds import opens_the_close
from service.rules.burraco.score import SideCount, count_deal, shared
from service.rules.game import TableFault, TableSide
from service.rules.options import BurracoRules
from service.rules.reasons import Reason
from service.rules.scores import Sheet
from service.rules.state import NOBODY


def count_table(rules: BurracoRules, table: Sequence[TableSide], closed_by: int, in_hand: bool) -> Sheet:
    """Count a deal at a real table; nobody closes in hand at Burraco.

    Of three players two may have become one side: one of them then has the melds and both hands, the other nothing.
    """
    del in_hand
    pair = _pair(table, closed_by) if rules.players == 3 else ()
    counted = []
    for number, side in enumerate(table):
        if number in pair[1:]:
            continue
        closed = number == closed_by
        seats = pair if number in pair else range(number, rules.players, len(table))
        if closed:
            _may_have_closed(number, side, rules, len(seats))
        hands = list(zip(seats, side.hands, strict=False))
        unplayed = (NOBODY, side.unplayed_pozzetto) if side.unplayed_pozzetto else None
        counted.append(SideCount(side.melds, hands, closed, side.pozzetto_taken, unplayed))
    sheet = count_deal(counted, rules)._replace(closed_by_side=closed_by)
    return shared(sheet, *pair) if pair else sheet


def _pair(table: Sequence[TableSide], closed_by: int) -> tuple[int, ...]:
    """Find the two of three players who are one side: first the one who has their cards; empty if there are none."""
    both = [number for number, side in enumerate(table) if len(side.hands) > 1]
    if not both:
        return ()
    partner = [
        number
        for number, side in enumerate(table)
        if not (side.melds or side.hands or side.pozzetto_taken or number == closed_by)
    ]
    if len(both) != 1 or len(partner) != 1:
        text = "are of two players, so one other side, their partner's, has to be empty."
        raise TableFault(both[-1], "hands", None, text)
    return both[0], partner[0]


def _may_have_closed(number: int, side: TableSide, rules: BurracoRules, most: int) -> None:
    """Refuse a closing that the rules do not know (B4-31)."""
    if not side.pozzetto_taken:
        text = "is not set, but the side closed: a side that closes has taken one."
        raise TableFault(number, "pozzetto_taken", Reason.CLOSE_NEEDS_POZZETTO, text)
    if not any(opens_the_close(meld, rules) for meld in side.melds):
        text = "hold no burraco of the kind that closing needs, but the side closed."
        raise TableFault(number, "melds", Reason.CLOSE_NEEDS_BURRACO, text)
    if len(side.hands) == most and all(hand.size for hand in side.hands):
        text = "all hold cards, but the side closed: the one who closed has none."
        raise TableFault(number, "hands", None, text)
