"""Counting a deal in penalty points, and the end of a match (RA-13, RA-14, SC-19, SC-21, SC-22).

Points are penalties: they are charged to whoever did not close, and are positive. The most is worst.
"""

from collections.abc import Sequence
from typing import Final

from service.rules.hand import Hand
from service.rules.options import ClosingInHand
from service.rules.rummy.seats import seats_in, terms
from service.rules.rummy.terms import Terms
from service.rules.scores import Line, ScoreItem, Sheet
from service.rules.state import MatchEnd, Result, State

SCALA: Final = 25
"""What a Scala costs each opponent (SC-19)."""


def count_deal(hands: Sequence[Hand], closed_by: int, asked: Terms, *, in_hand: bool) -> Sheet:
    """Charge each hand that is left, and more where the deal was closed in hand; the closer is charged nothing."""
    lines = tuple(
        () if seat == closed_by or not hand.size else tuple(_lines(seat, hand, asked, in_hand=in_hand))
        for seat, hand in enumerate(hands)
    )
    return Sheet(lines, tuple(sum(line.points for line in side) for side in lines))


def _lines(seat: int, hand: Hand, asked: Terms, *, in_hand: bool) -> list[Line]:
    points = asked.hand_points(hand)
    lines = [Line(ScoreItem.PENALTY_CARDS, points, seat=seat)]
    if in_hand and asked.in_hand is ClosingInHand.DOUBLE:
        lines.append(Line(ScoreItem.CLOSED_IN_HAND, points, seat=seat))
    elif in_hand and asked.in_hand is ClosingInHand.PLUS_25:
        lines.append(Line(ScoreItem.CLOSED_IN_HAND, SCALA, seat=seat))
    return lines


def count_state(state: State) -> Sheet:
    """Count a deal that is over, match points left out."""
    sheet = count_deal(state.hands, state.closed_by, terms(state), in_hand=state.doubled)
    return sheet._replace(deal_number=state.deal_number, deal_end=state.deal_end, closed_by_side=state.closed_by)


# --- the end of a match -----------------------------------------------------------------------------------------------


def under_limit(state: State) -> list[int]:
    """Seats that are in the match and below the limit."""
    limit = terms(state).limit
    return [seat for seat in seats_in(state) if state.points[seat] < limit]


def out_after(state: State) -> tuple[bool, ...]:
    """Who is out after a counted deal: everyone at the limit or beyond, but for those who come in again (SC-22).

    With `reentry` a player comes in again once, while at least two others are below the limit. He does so with the
    next deal, so the points of the one that is counted add up; until then he is not out, though at the limit.
    """
    below = under_limit(state)
    reentry = terms(state).reentry and len(below) > 1
    return tuple(
        out or (seat not in below and not (reentry and not state.reentries[seat])) for seat, out in enumerate(state.out)
    )


def result_after(state: State) -> Result | None:
    """The result of a match after a counted deal; None while at least two are below the limit."""
    return best_of(state.points, seats_in(state), terms(state).limit)


def best_of(points: Sequence[int], seats: Sequence[int], limit: int) -> Result | None:
    """Find the last player below the limit; if all went beyond it at once, the lowest totals share (SC-22)."""
    below = [seat for seat in seats if points[seat] < limit]
    if len(below) > 1:
        return None
    if not below:
        least = min(points[seat] for seat in seats)
        below = [seat for seat in seats if points[seat] == least]
    return Result(MatchEnd.LAST_PLAYER, tuple(below))


def loser_of(state: State) -> int:
    """The seat with the most points in the deal; of several the first at the dealer's left (NextDealer.LOSER)."""
    deal_points = count_state(state).deal_points
    players = len(deal_points)
    order = [(state.dealer + 1 + at) % players for at in range(players)]
    return max(order, key=lambda seat: deal_points[seat])
