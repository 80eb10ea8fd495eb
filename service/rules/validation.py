"""Whether a set of options is one that can be played: each value in range, and none against another."""

from enum import IntEnum
from typing import NamedTuple

from service.rules.burraco.score import VICTORY_STEP, VICTORY_STEPS
from service.rules.option_table import OPTIONS, BoolOption, NameOption, NumberOption, Option
from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    PileTake,
    SetsAllowed,
    StockEnd,
    VictoryPoints,
    contract_name,
)
from service.rules.reasons import Reason


class Defect(NamedTuple):
    """What is wrong with one option."""

    key: str
    reason: Reason
    text: str
    """What is wrong and what to do, completing a sentence that begins with the option's name."""
    arguments: tuple[tuple[str, str], ...]
    """The value and what is accepted, or the option that it contradicts."""


def defects(rules: BurracoRules) -> list[Defect]:
    """Find everything wrong with a set of options: values first, in their order, then contradictions."""
    wrong = [defect for option in OPTIONS if (defect := out_of_range(option, getattr(rules, option.key)))]
    return wrong or contradictions(rules)


def accepted_values(option: Option) -> str:
    """Say what an option may be."""
    if isinstance(option, BoolOption):
        return "true or false" if option.only is None else str(option.only).lower()
    if isinstance(option, NumberOption):
        none = ", or 0 for none" if option.zero_means_none else ""
        return " or ".join(map(str, option.only)) or f"{option.least} to {option.most}{none}"
    return ", ".join(contract_name(name) for name, _ in option.values)


def out_of_range(option: Option, value: object) -> Defect | None:
    """Find what is wrong with the value of one option; an unknown enum's value is given as its number."""
    if isinstance(option, BoolOption):
        fits = option.only in (None, value)
    elif isinstance(option, NumberOption) and isinstance(value, int):
        in_range = option.least <= value <= option.most or (option.zero_means_none and value == 0)
        fits = value in option.only if option.only else in_range
    else:
        fits = isinstance(option, NameOption) and value in [name for name, _ in option.values]
    if fits:
        return None
    shown = contract_name(value) if isinstance(value, IntEnum) else str(value).lower()
    accepted = accepted_values(option)
    text = f"is {shown}, but has to be {accepted}."
    return Defect(option.key, Reason.OPTION_OUT_OF_RANGE, text, (("accepted", accepted), ("value", shown)))


def contradictions(rules: BurracoRules) -> list[Defect]:
    """Find the options that go against another; each value is in its range."""
    found = []

    def contradict(key: str, other: str, text: str) -> None:
        found.append(Defect(key, Reason.OPTIONS_CONTRADICT, f"contradicts {other}: {text}", (("other", other),)))

    if not rules.target and not rules.deals_per_match:
        contradict("target", "deals_per_match", "one of them has to end the match, but both are 0.")
    if rules.victory_points is VictoryPoints.FIBUR:
        if rules.deals_per_match not in VICTORY_STEPS:
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
    if rules.discard_visible is DiscardVisible.TOP_ONLY and rules.pile_take in (
        PileTake.TOP_CARD_USABLE,
        PileTake.MUST_MELD,
    ):
        contradict(
            "discard_visible", "pile_take", "a refusal to take the pile would tell what lies under its top card."
        )
    return found
