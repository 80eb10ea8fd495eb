"""Counting a deal at a real table, from melds and hands alone."""

from collections.abc import Sequence
from typing import Final

from service.rules.game import TableFault, TableSide
from service.rules.gin.deadwood import best_defence, least_deadwood, plane_of, points
from service.rules.gin.dealing import DEALT, HAND_SIZE
from service.rules.gin.options import MOST_TO_KNOCK, GinRules, Oklahoma
from service.rules.gin.score import MELDED_AT_BIG_GIN, SIDES, Finish, count_deal, of_winner, other, sheet_of
from service.rules.reasons import Reason
from service.rules.scores import Sheet
from service.rules.state import NOBODY, DealEnd

NOTHING: Final = ((),) * SIDES


def count_table(rules: GinRules, table: Sequence[TableSide], closed_by: int, in_hand: bool) -> Sheet:
    """Count a deal at a real table, where `closed_by` knocked: with gin if his hand is empty (GI-9 … GI-11).

    His melds and his deadwood stand as they lie. The defender's deadwood is the least that his hand can have, melds in
    it found and cards laid off on the knocker's melds, so it does not matter how much of that has been done already.
    A deal without a knock is void (GI-12). Bonuses of the match are left out, and nobody closes in hand at Gin.
    """
    del in_hand
    if closed_by == NOBODY:
        return sheet_of(NOTHING)._replace(deal_end=DealEnd.VOID)
    defender = other(closed_by)
    hands = [sum(hand.once for hand in side.hands) for side in table]
    melded = [sum(len(meld.cards) for meld in side.melds) for side in table]
    if hands[defender].bit_count() + melded[defender] > HAND_SIZE:
        raise TableFault(defender, "hands", None, f"and melds hold more than {HAND_SIZE} cards together.")
    gin = not hands[closed_by]
    if gin:
        _may_have_gin(closed_by, melded[closed_by], rules)
        defending = least_deadwood(hands[defender])
    else:
        _may_have_knocked(closed_by, table, hands, rules)
        melds = [plane_of(meld.cards) for meld in table[closed_by].melds]
        defending = best_defence(hands[defender], melds).deadwood
    big = gin and melded[closed_by] == MELDED_AT_BIG_GIN
    count = count_deal(Finish(closed_by, points(hands[closed_by]), defending, gin, big), rules)
    end = DealEnd.GIN if gin else DealEnd.KNOCK
    return sheet_of(of_winner(count))._replace(deal_end=end, closed_by_side=closed_by)


def _may_have_gin(knocker: int, melded: int, rules: GinRules) -> None:
    """Refuse gin with another number of cards: it has ten, and eleven are big gin, where that exists (GI-10, GI-11)."""
    accepted = (HAND_SIZE, MELDED_AT_BIG_GIN) if rules.big_gin_bonus else (HAND_SIZE,)
    if melded not in accepted:
        sizes = " or ".join(map(str, accepted))
        raise TableFault(knocker, "melds", None, f"have {melded} cards, but gin in these rules has {sizes}.")


def _may_have_knocked(knocker: int, table: Sequence[TableSide], hands: Sequence[int], rules: GinRules) -> None:
    """Refuse a knock that the rules do not know (GI-7); the up-card of a real table is not known (row 41)."""
    limit = rules.knock_limit if rules.oklahoma is Oklahoma.OFF else MOST_TO_KNOCK
    deadwood = points(hands[knocker])
    if deadwood > limit:
        text = f"have a deadwood of {deadwood}, but one may knock with {limit} at most."
        raise TableFault(knocker, "hands", Reason.TOO_MUCH_DEADWOOD, text)
    count = sum(hand.bit_count() for hand in hands) + sum(len(meld.cards) for side in table for meld in side.melds)
    if count > DEALT:
        text = f"and all other cards are {count}, but after the knock there are {DEALT} at most."
        raise TableFault(knocker, "hands", None, text)
