"""Rows 39 to 42 and 44, and R13: the options of Gin, their values, and what the preset chooses."""

from dataclasses import fields

import pytest

from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN, OPTIONS, GinRules, Oklahoma, Shutout, contradictions
from service.rules.option_types import out_of_range
from service.rules.options import AcePlace, Game, NextDealer, Preset, RuleSet, StockExhausted
from service.rules.reasons import Reason
from tests.gin.words import rules

DEFAULTS: dict[str, object] = {
    "knock_limit": 10,
    "oklahoma": Oklahoma.OFF,
    "gin_bonus": 25,
    "undercut_bonus": 25,
    "undercut_on_tie": True,
    "big_gin_bonus": 0,
    "box_bonus": 25,
    "game_bonus": 100,
    "shutout": Shutout.DOUBLE_BONUSES,
    "target": 100,
    "next_dealer": NextDealer.LOSER,
    "stock_exhausted": StockExhausted.VOID_AT_TWO,
    "ace_in_sequences": AcePlace.LOW,
}
"""Every option, in the order of the contract, with the preset's value."""

WRONG: dict[str, object] = {
    "knock_limit": 11,
    "oklahoma": 9,
    "gin_bonus": 1001,
    "undercut_bonus": 1001,
    "big_gin_bonus": 1001,
    "box_bonus": 1001,
    "game_bonus": 1001,
    "shutout": 9,
    "target": 9,
    "next_dealer": 9,
    "stock_exhausted": 9,
    "ace_in_sequences": AcePlace.HIGH,
}
"""A value of each option that is not accepted."""


def test_row_39_to_44_the_presets_values() -> None:
    """The preset is the modern scale; its options are those of the contract, in their order."""
    assert [option.key for option in OPTIONS] == list(DEFAULTS)
    assert {key: getattr(GIN, key) for key in DEFAULTS} == DEFAULTS
    assert GIN_GAME.presets == {Preset.GIN: GIN}
    assert (GIN.preset, GIN.game) == (Preset.GIN, Game.GIN)


def test_the_table_is_the_dataclass() -> None:
    """Each option of the table is a field of the rules, and each field but preset and revision has its option."""
    own = [field.name for field in fields(GinRules) if field.name not in {field.name for field in fields(RuleSet)}]
    assert own == [option.key for option in OPTIONS]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_the_presets_values_are_in_range(option: object) -> None:
    """What the preset chooses is accepted."""
    assert out_of_range(option, getattr(GIN, option.key)) is None  # type: ignore[arg-type, attr-defined]


@pytest.mark.parametrize("key", WRONG)
def test_other_values_are_not(key: str) -> None:
    """A value out of range is found, with what is accepted."""
    option = next(option for option in OPTIONS if option.key == key)
    defect = out_of_range(option, WRONG[key])
    assert defect
    assert (defect.key, defect.reason) == (key, Reason.OPTION_OUT_OF_RANGE)


def test_row_39_the_classic_scale_can_be_said() -> None:
    """20 and 10, 20 a deal, 100 for the game, 100 flat for a shutout."""
    classic = rules(gin_bonus=20, undercut_bonus=10, box_bonus=20, game_bonus=100, shutout=Shutout.FLAT_100)
    assert not contradictions(classic)
    assert not any(out_of_range(option, getattr(classic, option.key)) for option in OPTIONS)


def test_row_41_oklahoma_goes_with_the_usual_limit_only() -> None:
    """Where the up-card sets the limit, `knock_limit` may not say another."""
    assert not contradictions(rules(oklahoma=Oklahoma.ACE_IS_ONE))
    (defect,) = contradictions(rules(oklahoma=Oklahoma.ACE_IS_GIN, knock_limit=5))
    assert (defect.key, defect.reason, dict(defect.arguments)) == (
        "knock_limit",
        Reason.OPTIONS_CONTRADICT,
        {"other": "oklahoma"},
    )


def test_r13_the_ace_is_low_and_the_loser_deals() -> None:
    """The options of R13 that Gin has."""
    assert GIN.ace_in_sequences is AcePlace.LOW
    assert GIN.next_dealer is NextDealer.LOSER


def test_equal_rules_are_equal() -> None:
    """Rules are values, and keys of memos."""
    assert rules(target=150) == rules(target=150) != GIN
    assert hash(rules(target=150)) == hash(rules(target=150))
