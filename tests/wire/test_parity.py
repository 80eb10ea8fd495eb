"""The rules and the contract name and number the same things alike."""

import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import IntEnum
from importlib import import_module
from typing import Final, get_args

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

import service.rules
from burraco.v1 import cards_pb2, events_pb2, melds_pb2, moves_pb2, reasons_pb2, rules_pb2, scores_pb2, views_pb2
from service.rules import cards
from service.rules.burraco.kinds import BurracoKind
from service.rules.cards import FACES, JOKER, text
from service.rules.defects import MEANINGS, DefectReason
from service.rules.events import Event
from service.rules.game import Game as GameValue
from service.rules.games import GAMES, PRESETS
from service.rules.melds import MeldKind
from service.rules.moves import BACK_END_KINDS, MoveKind
from service.rules.option_types import BoolOption, NumberOption, Option
from service.rules.options import Game, Preset, contract_name
from service.rules.presets import GAME_OF
from service.rules.reasons import RULE_OF, Reason
from service.rules.scores import RULE_OF_ITEM, ScoreItem
from service.rules.state import DealEnd, MatchEnd, Phase
from service.text.catalogue import ENGLISH
from service.wire.event_messages import event_message
from service.wire.rules_codec import ENUM_OF, FIELD_OF
from tests.support.contract import PROTOS, reason_comments
from tests.support.walks import played, played_with

WHOLE: Final[dict[type[IntEnum], EnumDescriptor]] = {
    Phase: views_pb2.Phase.DESCRIPTOR,
    DealEnd: scores_pb2.DealEnd.DESCRIPTOR,
    MatchEnd: scores_pb2.MatchEnd.DESCRIPTOR,
    MoveKind: moves_pb2.MoveKind.DESCRIPTOR,
    MeldKind: melds_pb2.MeldKind.DESCRIPTOR,
    BurracoKind: melds_pb2.BurracoKind.DESCRIPTOR,
    Preset: rules_pb2.Preset.DESCRIPTOR,
    Game: rules_pb2.Game.DESCRIPTOR,
    **{kind: rules_pb2.DESCRIPTOR.enum_types_by_name[kind.__name__] for kind in ENUM_OF.values()},
}
"""Enums of the rules that have every value of the contract's."""

PART: Final[dict[type[IntEnum], EnumDescriptor]] = {
    ScoreItem: scores_pb2.ScoreItem.DESCRIPTOR,  # what the games that are built count
    DefectReason: reasons_pb2.Reason.DESCRIPTOR,  # what is wrong with states
    Reason: reasons_pb2.Reason.DESCRIPTOR,  # what is wrong with moves and rules, not with calls
}
"""Enums of the rules that have some values of the contract's."""

OPTIONS: Final = [(game, option) for game in GAMES.values() for option in game.options]
OPTION_IDS: Final = [f"{game.name.name}-{option.key}" for game, option in OPTIONS]

OF_OTHER_GAMES: Final = {
    *(("Knocked", "UpcardPassed") if Game.GIN in GAMES else ()),
    *(("WildReplaced",) if Game.SCALA_40 in GAMES else ()),
}
"""Events that Burraco does not know, of the games that are built."""

NOTHING: Final = {"NOT_ENDED", "NONE", "UNSPECIFIED"}
"""How the rules call the contract's value 0, where they have it."""


def constant(name: str) -> str:
    """Write a name as the contract's constants are written."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).upper()


def values_of(descriptor: EnumDescriptor) -> dict[str, int]:
    """Values of an enum of the contract, without the prefix that all have."""
    prefix = constant(descriptor.name) + "_"
    assert all(value.name.startswith(prefix) for value in descriptor.values)
    return {value.name.removeprefix(prefix): value.number for value in descriptor.values}


def own_values(kind: type[IntEnum]) -> dict[str, int]:
    """Values of an enum of the rules, its value 0 named as the contract names it."""
    named = {value.name: int(value) for value in kind}
    for name, number in list(named.items()):
        if not number:
            assert name in NOTHING
            del named[name]
            named["UNSPECIFIED"] = 0
    return named


def enums_of_the_rules() -> Iterator[type[IntEnum]]:
    for module in pkgutil.walk_packages(service.rules.__path__, "service.rules."):
        for _, kind in inspect.getmembers(import_module(module.name), inspect.isclass):
            if issubclass(kind, IntEnum) and kind is not IntEnum and kind.__module__ == module.name:
                yield kind


def test_every_enum_of_the_rules_is_compared() -> None:
    """No enum of the rules escapes the tests below."""
    assert set(enums_of_the_rules()) == {*WHOLE, *PART}


@pytest.mark.parametrize("kind", WHOLE, ids=lambda kind: kind.__name__)
def test_an_enum_is_that_of_the_contract(kind: type[IntEnum]) -> None:
    """Names and numbers are equal; only "unspecified" may be missing, where the rules always know."""
    theirs = values_of(WHOLE[kind])
    ours = own_values(kind)
    assert {"UNSPECIFIED": 0, **ours} == theirs


@pytest.mark.parametrize("kind", PART, ids=lambda kind: kind.__name__)
def test_an_enum_is_part_of_that_of_the_contract(kind: type[IntEnum]) -> None:
    """Each name has the contract's number."""
    theirs = values_of(PART[kind])
    assert {name: theirs.get(name) for name in own_values(kind)} == own_values(kind)


def test_every_reason_of_moves_and_rules_is_known_to_the_rules() -> None:
    """The contract's reasons below 300 are those of the rules; those above are of calls."""
    theirs = {name: number for name, number in values_of(reasons_pb2.Reason.DESCRIPTOR).items() if 0 < number < 300}
    assert own_values(Reason) == theirs


def test_every_defect_has_its_reason() -> None:
    """The contract's reasons from 400 on are the defects of states, each with a meaning that has no value in it."""
    theirs = {name: number for name, number in values_of(reasons_pb2.Reason.DESCRIPTOR).items() if number >= 400}
    assert own_values(DefectReason) == theirs
    assert set(MEANINGS) == set(DefectReason)


def test_every_reason_and_every_line_has_its_rule() -> None:
    """Nothing is refused or counted without saying by which rule."""
    assert set(RULE_OF) == set(Reason)
    assert set(RULE_OF_ITEM) == set(ScoreItem)
    assert all((*RULE_OF.values(), *RULE_OF_ITEM.values()))


def test_the_rule_of_a_reason_is_that_of_the_contract() -> None:
    """The rule or option that the contract's comment gives in brackets for a reason is the one that is answered."""
    options: dict[str, tuple[str, ...]] = {}
    for _, option in OPTIONS:
        options[option.key] = options.get(option.key, ()) + option.sources
    for reason in Reason:
        if reason >= 200 or reason in {Reason.MOVE_NOT_IN_GAME, Reason.MOVE_AFTER_REVEAL, Reason.READING_AMBIGUOUS}:
            continue
        sources = re.findall(r"\(([^)]*(?:B4|R\d|option|§|RA|GI|SC|E\d)[^)]*)\)", reason_comments()[reason.name])
        assert sources, reason.name
        named = re.findall(r"[A-Z]+\d*-\d+|[RE]\d+|§[\d.]+", sources[0])
        for key in re.findall(r"option `(\w+)`", sources[0]):
            named += options.get(key, ("R13",))
        assert RULE_OF[reason] in named, reason.name


# --- cards -----------------------------------------------------------------------------------------------------------


def test_cards_are_numbered_by_suit_and_rank() -> None:
    """A card's number is suit * 16 + rank, and the joker stands above them all."""
    numbers = set(cards_pb2.Card.values())
    assert numbers == {0, JOKER, *(suit * 16 + rank for suit in range(4) for rank in range(1, 14))}
    assert numbers == {0, JOKER, *FACES}
    assert max(numbers) == JOKER < 128  # one byte on the wire


def test_cards_have_readable_names() -> None:
    """The name in JSON is the short form of the card."""
    for number in (*FACES, JOKER):
        name = cards_pb2.Card.Name(number)  # type: ignore[arg-type]  # a card's number
        assert name == ("CARD_JOKER" if number == JOKER else f"CARD_{text(number)}")
        assert re.fullmatch(r"CARD_(JOKER|(A|[2-9]|10|J|Q|K)[SHDC])", name)


def test_the_suits_stand_in_the_contract_s_order() -> None:
    """Suits are spades, hearts, diamonds, clubs in both, one lower in the rules."""
    theirs = values_of(cards_pb2.Suit.DESCRIPTOR)
    ours = {name: getattr(cards, name) + 1 for name in ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")}
    assert {"UNSPECIFIED": 0, **ours} == theirs


# --- options ---------------------------------------------------------------------------------------------------------


def options_message(name: Game) -> Descriptor:
    """The contract's message with the options of a game."""
    message = rules_pb2.Rules.DESCRIPTOR.fields_by_name[FIELD_OF[name]].message_type
    assert message is not None
    return message


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name.name)
def test_options_are_the_same_three_times(game: GameValue) -> None:
    """The contract's fields by number, the option table and the value's fields have the same names in one order."""
    by_number = sorted(options_message(game.name).fields, key=lambda field: field.number)
    contract = [field.name for field in by_number]
    assert contract == [option.key for option in game.options]
    value = type(next(iter(game.presets.values())))
    assert contract == [field.name for field in fields(value) if field.name not in {"preset", "revision"}]
    assert value is game.rules_type
    assert [field.number for field in by_number] == list(range(1, len(by_number) + 1))


@pytest.mark.parametrize("game", Game, ids=lambda game: game.name)
def test_every_option_may_be_left_out(game: Game) -> None:
    """An option has presence, so that one left out is told from one set to nothing."""
    if game is not Game.UNSPECIFIED:
        assert all(field.has_presence for field in options_message(game).fields)


def test_every_game_has_its_field() -> None:
    """Rules and selections have a field for each game, and the codec knows its name."""
    for message in (rules_pb2.Rules, rules_pb2.RulesSelection):
        names = {field.name for field in message.DESCRIPTOR.oneofs_by_name["game"].fields}
        assert names == set(FIELD_OF.values())
    assert set(FIELD_OF) == set(Game) - {Game.UNSPECIFIED}


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_an_option_has_the_type_of_the_contract(game: GameValue, option: Option) -> None:
    """Yes-or-no, number and name are the contract's types too, and names are written alike."""
    field = options_message(game.name).fields_by_name[option.key]
    if isinstance(option, BoolOption):
        assert field.type == FieldDescriptor.TYPE_BOOL
    elif isinstance(option, NumberOption):
        assert field.type == FieldDescriptor.TYPE_UINT32
    else:
        assert field.enum_type is not None
        names = field.enum_type.values_by_name
        assert {contract_name(value): int(value) for value, _ in option.values}.items() <= {
            name: value.number for name, value in names.items()
        }.items()


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_an_option_is_explained(game: GameValue, option: Option) -> None:
    """Each option says in whole sentences what it decides, and where it comes from."""
    assert game.name in GAMES
    assert option.meaning.endswith(".")
    assert all(re.fullmatch(r"row \d+|§[\d.]+|([A-Z]\d|RA|GI|SC)-\d+|[RE]\d+", source) for source in option.sources)
    assert option.sources


def test_every_preset_has_its_game() -> None:
    """Each preset but "none" belongs to a game."""
    assert set(GAME_OF) == set(Preset) - {Preset.UNSPECIFIED}


# --- moves and events ------------------------------------------------------------------------------------------------


def test_kinds_of_move_are_numbered_like_the_move() -> None:
    """The number of a kind is that of the move's field, so neither has to be looked up."""
    fields_of_move = {field.name: field.number for field in moves_pb2.Move.DESCRIPTOR.fields}
    assert fields_of_move == {kind.name.lower(): int(kind) for kind in MoveKind}


def test_back_end_kinds_are_marked_in_the_contract() -> None:
    """The moves that only a back end may send say so where they are declared."""
    declared = re.findall(r"// Back ends only:[^\n]*\n\s+\w+ (\w+) =", (PROTOS / "moves.proto").read_text("utf-8"))
    assert {kind.name.lower() for kind in BACK_END_KINDS} == set(declared)


def test_every_event_has_its_message() -> None:
    """Each event of the rules becomes the contract's message of the same name."""
    happened = [each for preset in PRESETS for each in played_with(preset).events]
    assert {type(event).__name__ for _, event in happened} >= OF_OTHER_GAMES
    for rules, event in (*played().events, *happened):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(event).__name__).lower()
        assert event_message(event, rules, ENGLISH).WhichOneof("what") == name


def test_events_are_those_of_the_contract() -> None:
    """The rules have every event of the contract, and no other."""
    ours = {kind.__name__ for kind in get_args(Event)}
    what = events_pb2.Event.DESCRIPTOR.oneofs_by_name["what"].fields
    assert ours == {field.message_type.name for field in what if field.message_type}
