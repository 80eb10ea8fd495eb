"""Counting a deal, and the end of a match (B4-36 … B4-42, §2.2)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind, long_run_bonus, worth
from service.rules.hand import EMPTY, Hand, one
from service.rules.melds import Meld
from service.rules.options import BurracoRules, UnplayedPozzetto, VictoryPoints
from service.rules.scores import Line, ScoreItem, Sheet
from service.rules.state import NOBODY, UNCOUNTED, DealEnd, MatchEnd, Result, State

ITEM_OF_KIND: Final = {
    BurracoKind.CLEAN: ScoreItem.CLEAN_BURRACO,
    BurracoKind.SEMI_CLEAN: ScoreItem.SEMI_CLEAN_BURRACO,
    BurracoKind.DIRTY: ScoreItem.DIRTY_BURRACO,
}


class SideCount(NamedTuple):
    """What one side has at the end of a deal."""

    melds: Sequence[Meld]
    hands: Sequence[tuple[int, Hand]]
    """Hands left, each with its seat."""
    closed: bool
    pozzetto_taken: bool
    unplayed_pozzetto: tuple[int, Hand] | None = None
    """A pozzetto taken but never played, with its seat; its cards are not in `hands`."""


def count_deal(sides: Sequence[SideCount], rules: BurracoRules) -> Sheet:
    """Count a deal, line by line (B4-37 … B4-40)."""
    nobody = not any(side.pozzetto_taken for side in sides)
    spared = nobody and rules.no_pozzetto_penalty_if_none_taken
    lines = tuple(tuple(_side_lines(side, rules, spared=spared)) for side in sides)
    return Sheet(lines, tuple(sum(line.points for line in side) for side in lines))


def _side_lines(side: SideCount, rules: BurracoRules, *, spared: bool) -> list[Line]:
    lines = [Line(ScoreItem.MELD_CARDS, meld.card_points, meld.meld_id) for meld in side.melds]
    for meld in side.melds:
        if kind := burraco_kind(meld, rules):
            item = ScoreItem.LONG_RUN if long_run_bonus(meld, rules) else ITEM_OF_KIND[kind]
            lines.append(Line(item, bonus(meld, rules), meld.meld_id))
    if side.closed:
        lines.append(Line(ScoreItem.CLOSING, rules.closing_bonus))
    if not side.pozzetto_taken and not spared:
        lines.append(Line(ScoreItem.POZZETTO_NOT_TAKEN, -rules.pozzetto_not_taken_penalty))
    hands = list(side.hands)
    if side.unplayed_pozzetto:
        seat, pozzetto = side.unplayed_pozzetto
        if rules.unplayed_pozzetto is UnplayedPozzetto.AS_NOT_TAKEN:
            lines.append(Line(ScoreItem.POZZETTO_NOT_PLAYED, -rules.pozzetto_not_taken_penalty, seat=seat))
        else:
            hands.append((seat, pozzetto))
    lines += [Line(ScoreItem.HAND_CARDS, -hand.points(), seat=seat) for seat, hand in hands if hand.size]
    return lines


def count_state(state: State) -> Sheet:
    """Count a deal that is over, match points left out."""
    sides = []
    # Of three, two may have become one side: it is counted once, where its lower seat is (B3-2).
    for side in sorted({state.side_of(seat) for seat in range(len(state.hands))}):
        hands = [(seat, state.hands[seat]) for seat in state.partners(side)]
        unplayed = None
        owner = state.taken_by[side]
        if state.unplayed[side]:
            # A stock that ends with the owner's own draw leaves that card in his hand beside the pozzetto.
            drawn = _drawn_by(state, owner)
            unplayed = (owner, state.hands[owner].minus(drawn))
            hands = [(seat, drawn if seat == owner else hand) for seat, hand in hands]
        melds = [meld for meld in state.melds if meld.side == side]
        closed = state.closed_by != NOBODY and state.side_of(state.closed_by) == side
        sides.append(SideCount(melds, hands, closed, owner != NOBODY, unplayed))
    sheet = count_deal(sides, state.rules)
    if state.alone != NOBODY:
        sheet = shared(sheet, *state.partners(int(state.alone == 0)))
    return sheet._replace(
        deal_number=state.deal_number,
        deal_end=state.deal_end,
        closed_by_side=NOBODY if state.closed_by == NOBODY else state.side_of(state.closed_by),
    )


def shared(sheet: Sheet, first: int, second: int) -> Sheet:
    """Share the points of two of three players who were one side, each half rounded up (B3-3).

    The sheet has two sides, and the pair was counted at the seat of its `first`; the shared one has three.
    """
    lines, points = list(sheet.lines), list(sheet.deal_points)
    at = first - (second < first)
    half = (points[at] + 1) // 2
    lines[at] = (*lines[at], Line(ScoreItem.HALVED, half - points[at]))
    points[at] = half
    lines.insert(second, (Line(ScoreItem.HALVED, half),))
    points.insert(second, half)
    return sheet._replace(lines=tuple(lines), deal_points=tuple(points))


def _drawn_by(state: State, seat: int) -> Hand:
    return one(state.turn.drawn) if state.seat == seat and state.turn.drawn else EMPTY


def table_points(melds: Sequence[Meld], rules: BurracoRules) -> int:
    """Card values and bonuses of melds as they lie."""
    return sum([worth(meld, rules) for meld in melds])


# --- the end of a match -----------------------------------------------------------------------------------------------

VICTORY_STEP: Final = 5
"""Differences in match points are multiples of this (§2.2)."""
VICTORY_STEPS: Final = {
    3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
    4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
}
"""Greatest difference in match points for 10-10, 11-9 … 19-1, by number of deals; beyond the last it is 20-0 (§2.2)."""


def victory_points(difference: int, deals: int) -> tuple[int, int]:
    """Victory points of winner and loser for a difference in match points, a multiple of 5 (§2.2).

    :raises ValueError: there is no table for that number of deals, or the difference cannot arise.
    """
    if deals not in VICTORY_STEPS:
        raise ValueError(f"there is no table of victory points for {deals} deals")
    if difference < 0 or difference % VICTORY_STEP:
        raise ValueError(f"{difference} is no difference of match points: they are multiples of {VICTORY_STEP}")
    won = 10 + sum(difference > step for step in VICTORY_STEPS[deals])
    return won, 20 - won


def match_result(points: Sequence[int], deals_scored: int, rules: BurracoRules) -> Result | None:
    """Find the result of a match after a counted deal; None while it goes on (B4-42)."""
    best = max(points)
    winners = tuple(side for side, total in enumerate(points) if total == best)
    if rules.deals_per_match and deals_scored >= rules.deals_per_match:
        return Result(MatchEnd.DEALS_PLAYED, winners, _victory_points(points, rules))
    # B4-42: the higher total wins; if both are equal, another deal is played.
    if rules.target and best >= rules.target and len(winners) == 1:
        return Result(MatchEnd.TARGET, winners)
    return None


def _victory_points(points: Sequence[int], rules: BurracoRules) -> tuple[int, ...]:
    if rules.victory_points is not VictoryPoints.FIBUR:
        return ()
    won, lost = victory_points(abs(points[0] - points[1]), rules.deals_per_match)
    return (won, lost) if points[0] >= points[1] else (lost, won)


def deal_end_is_scored(end: DealEnd) -> bool:
    """Whether a deal that ended so is counted."""
    return end not in UNCOUNTED
