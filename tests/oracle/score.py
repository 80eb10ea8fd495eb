"""Scores of a deal and of a match (B4-36 to B4-40, 2.2)."""

from collections.abc import Iterable
from typing import Final

from service.rules.options import BurracoRules, UnplayedPozzetto
from tests.oracle.cards import value
from tests.oracle.melds import OMeld, bonus, meld_points


def score_side(
    rules: BurracoRules,
    melds: Iterable[OMeld],
    hands: Iterable[Iterable[int]],
    closed: bool,
    pozzetto_taken: bool,
    unplayed_pozzetto_cards: Iterable[int],
    other_side_took_pozzetto: bool,
) -> int:
    """Points of one side in one deal.

    `hands` are those of both partners without `unplayed_pozzetto_cards`, the pozzetto that the side took and never
    played (empty if there is none).
    """
    melds, unplayed = tuple(melds), tuple(unplayed_pozzetto_cards)
    points = sum(meld_points(meld) for meld in melds)  # B4-37
    points -= sum(value(number) for hand in hands for number in hand)  # B4-37
    points += sum(bonus(meld, rules) for meld in melds)  # B4-38
    if closed:
        points += rules.closing_bonus  # B4-38
    if not pozzetto_taken:
        none_taken = not other_side_took_pozzetto
        if not (none_taken and rules.no_pozzetto_penalty_if_none_taken):  # B4-40
            points -= rules.pozzetto_not_taken_penalty  # B4-38
    if unplayed:  # B4-39
        if rules.unplayed_pozzetto == UnplayedPozzetto.CARD_VALUE:
            points -= sum(value(number) for number in unplayed)
        else:
            points -= rules.pozzetto_not_taken_penalty
    return points


WINNER_POINTS_UP_TO: Final = {
    3: [(50, 10), (150, 11), (250, 12), (350, 13), (500, 14), (650, 15), (800, 16), (1000, 17), (1250, 18), (1500, 19)],
    4: [
        (100, 10),
        (300, 11),
        (500, 12),
        (700, 13),
        (900, 14),
        (1100, 15),
        (1300, 16),
        (1500, 17),
        (1700, 18),
        (2000, 19),
    ],
}
"""For matches of 3 and 4 deals: the winner's victory points for a difference up to each bound (2.2)."""


def victory_points(difference: int, deals: int) -> tuple[int, int]:
    """Victory points of the first side and the second, `difference` being the first side's points less the second's."""
    if difference % 5 != 0:
        raise ValueError("card values are multiples of 5, and so is every difference")
    if difference < 0:
        second, first = victory_points(-difference, deals)
        return first, second
    for bound, winner in WINNER_POINTS_UP_TO[deals]:
        if difference <= bound:
            return winner, 20 - winner
    return 20, 0
