"""The options of Ramino and Scala 40: as in the contract, in range in every preset, contradictions found."""

from dataclasses import fields
from enum import IntEnum

import pytest

from burraco.v1 import rules_pb2
from service.rules.game import Game
from service.rules.option_types import NameOption, out_of_range
from service.rules.options import Preset, RuleSet, StockExhausted, contract_name
from service.rules.reasons import Reason
from service.rules.rummy import options
from service.rules.rummy.game import RAMINO_GAME, SCALA_40_GAME
from service.rules.rummy.presets import RAMINO, SCALA_40
from tests.rummy.tables import Rules, with_options

MESSAGES = [(RAMINO_GAME, rules_pb2.RaminoRules), (SCALA_40_GAME, rules_pb2.Scala40Rules)]
OWN_ENUMS = [
    options.OpeningWithJoker,
    options.PileBeforeOpening,
    options.SwappedJoker,
    options.NoAttachableDiscard,
    options.JokerFirstUpcard,
]


@pytest.mark.parametrize(("game", "message"), MESSAGES, ids=["Ramino", "Scala 40"])
def test_the_table_is_in_the_order_of_the_contract(game: Game, message: type[rules_pb2.RaminoRules]) -> None:
    """Each option of the contract's message has its description, in the order of the field numbers."""
    in_contract = [field.name for field in sorted(message.DESCRIPTOR.fields, key=lambda field: field.number)]
    base = {field.name for field in fields(RuleSet)}

    assert [option.key for option in game.options] == in_contract
    assert [field.name for field in fields(game.rules_type) if field.name not in base] == in_contract  # type: ignore[arg-type]  # a dataclass


@pytest.mark.parametrize("enum", OWN_ENUMS)
def test_enums_have_the_contracts_names_and_numbers(enum: type[IntEnum]) -> None:
    """Every value of an enum is the contract's, and none of the contract's is missing."""
    contract = getattr(rules_pb2, enum.__name__)
    assert {contract_name(value): int(value) for value in enum} == {
        name: number for name, number in contract.items() if number
    }


def test_every_value_is_described() -> None:
    """Each option that is a name accepts and describes every value of its enum."""
    for game in (RAMINO_GAME, SCALA_40_GAME):
        for option in game.options:
            assert option.meaning.endswith(".")
            assert option.sources
            if isinstance(option, NameOption):
                assert [name for name, _ in option.values] == list(type(option.values[0][0]))


@pytest.mark.parametrize("game", [RAMINO_GAME, SCALA_40_GAME])
def test_presets_are_valid(game: Game) -> None:
    """Every value of a preset is in range, none contradicts another, and the preset knows its name."""
    for name, rules in game.presets.items():
        assert rules.preset is name
        assert rules.game is game.name
        assert not [option for option in game.options if out_of_range(option, getattr(rules, option.key))]
        assert game.contradictions(rules) == []


def test_presets_are_all_there() -> None:
    """Ramino has one preset, Scala 40 two."""
    assert list(RAMINO_GAME.presets) == [Preset.RAMINO]
    assert list(SCALA_40_GAME.presets) == [Preset.SCALA_40, Preset.SCALA_40_FISCA]


@pytest.mark.parametrize(
    ("rules", "fits"),
    [
        (with_options(RAMINO, players=4, hand_size=13), False),
        (with_options(RAMINO, players=4, hand_size=13, jokers=1), False),
        (with_options(RAMINO, players=4, hand_size=13, jokers=2), True),
        (with_options(RAMINO, players=4, hand_size=13, packs=2), True),
        (with_options(RAMINO, players=3, hand_size=14), True),
        (with_options(RAMINO, players=4, hand_size=13, jokers=4, stock_exhausted=StockExhausted.VOID_AT_TWO), False),
    ],
)
def test_a_deck_that_is_too_small(rules: Rules, fits: bool) -> None:
    """Everyone's cards, the up-card and a stock have to be there; where the deal is void at two, a draw for each."""
    found = RAMINO_GAME.contradictions(rules)

    assert [(defect.key, defect.reason) for defect in found] == (
        [] if fits else [("hand_size", Reason.OPTIONS_CONTRADICT)]
    )


def test_rules_are_hashed_once_and_equal_by_value() -> None:
    """Equal sets of options have equal hashes."""
    assert hash(with_options(SCALA_40)) == hash(SCALA_40)
    assert with_options(SCALA_40, jokers=4) != SCALA_40
