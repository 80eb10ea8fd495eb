"""Whether a set of options is one that can be played: each value in range, and none against another."""

from service.rules.burraco.score import VICTORY_STEP, VICTORY_STEPS
from service.rules.option_types import Defect
from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    PileTake,
    SetsAllowed,
    StockEnd,
    VictoryPoints,
)
from service.rules.reasons import Reason


def contradictions(rules: BurracoRules) -> list[Defect]:
    """Find the options that go against another; each value is in its range."""
    found = []

    def contradict(key: str, other: str, text: str) -> None:
        found.append(Defect(key, Reason.OPTIONS_CONTRADICT, f"contradicts {other}: {text}", (("other", other),)))

    if not rules.target and not rules.deals_per_match:
        contradict("target", "deals_per_match", "one of them has to end the match, but both are 0.")
    if rules.victory_points is VictoryPoints.FIBUR:
        if rules.players == 3:
            contradict("victory_points", "players", "their tables share 20 points between two sides.")
        elif rules.deals_per_match not in VICTORY_STEPS:
            contradict("victory_points", "deals_per_match", "there are tables for 3 and 4 deals only.")
        for key in ("closing_bonus", "pozzetto_not_taken_penalty"):
            if getattr(rules, key) % VICTORY_STEP:
                contradict(key, "victory_points", "their table needs multiples of 5.")
    if rules.variant_reale:
        if rules.jokers:
            contradict("jokers", "variant_reale", "Burraco Reale has no jokers, so it has to be 0.")
        if rules.sets_allowed is not SetsAllowed.NONE:
            contradict("sets_allowed", "variant_reale", "Burraco Reale has sequences only, so it has to be NONE.")
        if rules.close_needs is not CloseNeeds.CLEAN_BURRACO:
            contradict("close_needs", "variant_reale", "Burraco Reale closes with a CLEAN_BURRACO only.")
    if rules.stock_end is StockEnd.EMPTY_AND_TOP_UNUSABLE and rules.pile_take is not PileTake.TOP_CARD_USABLE:
        contradict("stock_end", "pile_take", "the top card can be unusable only where pile_take is TOP_CARD_USABLE.")
    if rules.stock_end is StockEnd.POZZETTO_BECOMES_STOCK and rules.players != 4:
        contradict("stock_end", "players", "only where four play may a pozzetto become the stock.")
    if rules.discard_visible is DiscardVisible.TOP_ONLY and rules.pile_take in (
        PileTake.TOP_CARD_USABLE,
        PileTake.MUST_MELD,
    ):
        contradict(
            "discard_visible", "pile_take", "a refusal to take the pile would tell what lies under its top card."
        )
    return found
