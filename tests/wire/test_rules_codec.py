"""Rules between callers, values and states: what is meant, what is refused, and which field is named."""

import random
import re
from dataclasses import replace
from typing import Any, Final

import pytest
from google.protobuf import json_format

from burraco.v1 import reasons_pb2, rules_pb2
from service.rules.game import Game
from service.rules.games import GAMES, game_with
from service.rules.games import PRESETS as BUILT
from service.rules.gin.options import GIN, Oklahoma
from service.rules.option_types import BoolOption, NameOption, NumberOption, Option
from service.rules.options import (
    RULES_REVISION,
    CloseNeeds,
    DiscardVisible,
    PileTake,
    Preset,
    RuleSet,
    SetsAllowed,
    StockEnd,
    VictoryPoints,
    contract_name,
)
from service.rules.options import Game as GameName
from service.rules.presets import FIBUR, GAME_OF, ITALIAN
from service.wire import rules_codec
from service.wire.faults import Fault, Faults
from service.wire.rules_codec import (
    FIELD_OF,
    Before,
    NewerRules,
    NoRoom,
    Revisions,
    describe,
    effective_rules,
    pinned_rules,
    rules_bytes,
    rules_message,
)
from tests.support.options import accepted_values, random_values
from tests.support.profile import FULL
from tests.support.walks import RULES

FIELD: Final = "rules.burraco"
BURRACO: Final = GAMES[GameName.BURRACO]
BASE: Final = {name: next(iter(game.presets.values())) for name, game in GAMES.items()}
"""A preset of each game that its options are tried on."""
OPTIONS: Final = [(game, option) for game in GAMES.values() for option in game.options]
GAME_IDS: Final = [game.name.name for game in GAMES.values()]
OPTION_IDS: Final = [f"{game.name.name}-{option.key}" for game, option in OPTIONS]
TRIES: Final = 20_000 if FULL else 1_500


def defects(rules: RuleSet) -> list[Any]:
    """Everything wrong with a full set of options."""
    return rules_codec.defects(game_with(rules), rules)


def keys_of(game: Game) -> list[str]:
    """Names of a game's options."""
    return [option.key for option in game.options]


def options_of(message: Any, game: Game) -> Any:  # noqa: ANN401 - the options of any game
    """The part of a message of rules, or of a selection, that has a game's options."""
    return getattr(message, FIELD_OF[game.name])


def contract_numbers(game: Game, option: NameOption) -> dict[str, int]:
    """Every value that the contract has for an option, accepted or not."""
    fields: Any = options_of(rules_pb2.Rules(), game).DESCRIPTOR.fields_by_name
    kind = fields[option.key].enum_type
    assert kind is not None
    return {value.name: value.number for value in kind.values}


def refused_values(game: Game, option: Option) -> list[int]:
    """Values of an option that are not accepted: beyond its ends, in its holes, unknown names."""
    if isinstance(option, BoolOption):
        return [] if option.only is None else [not option.only]
    if isinstance(option, NameOption):
        numbers = {0, 99, -1, 2**31 - 1, *contract_numbers(game, option).values()}
        return sorted(numbers - {int(value) for value, _ in option.values})
    numbers = {0, option.least - 1, option.most + 1, 2, 3, 5, 2**32 - 1}
    accepted = set(option.only) or {*range(option.least, option.most + 1)}
    return sorted(number for number in numbers - accepted if number >= option.zero_means_none)


def selection(preset: int = 0, game: Game = BURRACO, **options: Any) -> rules_pb2.RulesSelection:  # noqa: ANN401 - of the options' own types
    chosen = rules_pb2.RulesSelection()
    chosen.preset = preset  # type: ignore[assignment]  # any number
    for key, value in options.items():
        setattr(options_of(chosen, game), key, value)
    return chosen


def full(rules: RuleSet, **changes: Any) -> rules_pb2.RulesSelection:  # noqa: ANN401 - see selection
    """A selection without a preset that sets every option."""
    game = game_with(rules)
    return selection(0, game, **({key: getattr(rules, key) for key in keys_of(game)} | changes))


def faults_of(chosen: rules_pb2.RulesSelection) -> dict[str, int]:
    """The fields that are wrong, each with its reason, in the order told."""
    faults: list[Fault] = []
    try:
        effective_rules(chosen)
    except Fault as alone:
        faults = [alone]
    except Faults as several:
        faults = several.faults
    assert faults
    for fault in faults:
        assert str(fault).isascii()
        assert str(fault).startswith(f"{fault.field} ")
        assert str(fault).rstrip().endswith(".")
    assert len({fault.field for fault in faults}) == len(faults)
    return {fault.field: fault.reason for fault in faults}


# --- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*RULES, *BUILT.values()])
def test_rules_are_read_as_they_were_pinned(rules: RuleSet) -> None:
    """Pinning and reading give the same rules, enums included."""
    read = pinned_rules(rules_bytes(rules))
    assert read == rules
    assert repr(read) == repr(rules)


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_every_value_of_every_option_goes_there_and_back(game: Game, option: Option) -> None:
    """Each accepted value of an option is set by a caller, pinned, read and written again unchanged."""
    base = BASE[game.name]
    tried = 0
    for value in accepted_values(option):
        rules: Any = replace(base, **{option.key: value})
        if defects(rules):
            continue
        tried += 1
        chosen = effective_rules(selection(base.preset, game, **{option.key: value}))
        assert chosen == rules
        assert type(getattr(chosen, option.key)) is type(value)
        assert pinned_rules(rules_bytes(chosen)) == rules
        message = rules_message(chosen)
        options = options_of(message, game)
        assert getattr(options, option.key) == value
        assert options.HasField(option.key)
        assert message.WhichOneof("game") == FIELD_OF[game.name]
        again = rules_pb2.RulesSelection()
        options_of(again, game).CopyFrom(options)
        assert effective_rules(again) == replace(rules, preset=Preset.UNSPECIFIED)
    assert tried


@pytest.mark.parametrize("game", GAMES.values(), ids=GAME_IDS)
def test_rules_at_random_are_taken_or_refused_for_every_defect(game: Game) -> None:
    """Any values in range are taken as they are, or refused with exactly the options that contradict others."""
    rng = random.Random(1)
    taken = 0
    for _ in range(TRIES):
        rules: RuleSet = game.rules_type(**random_values(game, rng))
        found = {f"rules.{FIELD_OF[game.name]}.{defect.key}": int(defect.reason) for defect in defects(rules)}
        if found:
            assert faults_of(full(rules)) == found
        else:
            taken += 1
            assert effective_rules(full(rules)) == rules == pinned_rules(rules_bytes(rules))
    assert taken > TRIES / 100


def test_a_json_of_rules_is_readable() -> None:
    """In JSON the rules show names, and every option of them."""
    shown = json_format.MessageToDict(rules_message(FIBUR), preserving_proto_field_name=True)
    assert shown["preset"] == "PRESET_FIBUR"
    assert shown["burraco"]["stock_end"] == "STOCK_END_AFTER_DISCARD"
    assert set(shown["burraco"]) == set(keys_of(BURRACO))


# --- what is meant ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", BUILT, ids=lambda preset: preset.name)
def test_a_preset_alone_is_meant_as_it_is(preset: Preset) -> None:
    """A preset without options is the preset, and the answer's rules say so."""
    assert effective_rules(selection(preset)) == BUILT[preset]
    assert int(rules_message(BUILT[preset]).preset) == preset


@pytest.mark.parametrize("preset", BURRACO.presets, ids=lambda preset: preset.name)
def test_an_option_replaces_the_preset_s(preset: Preset) -> None:
    """Options named beside a preset replace its own; all others stay."""
    meant = effective_rules(selection(preset, hand_size=12, semiclean=False))
    assert meant == replace(BURRACO.presets[preset], hand_size=12, semiclean=False)


@pytest.mark.parametrize("preset", BUILT, ids=lambda preset: preset.name)
def test_any_option_replaces_the_preset_s(preset: Preset) -> None:
    """As above, for each option of every game by itself."""
    game = game_with(BUILT[preset])
    for option in game.options:
        values = [value for value in accepted_values(option) if value != getattr(BUILT[preset], option.key)]
        for value in values:
            rules: Any = replace(BUILT[preset], **{option.key: value})
            if not defects(rules):
                assert effective_rules(selection(preset, game, **{option.key: value})) == rules


def test_empty_options_change_nothing() -> None:
    """Options that name a game and nothing else leave the preset alone."""
    chosen = selection(Preset.FIBUR)
    chosen.burraco.SetInParent()
    assert effective_rules(chosen) == FIBUR


def test_every_option_without_a_preset_is_enough() -> None:
    """All options without a preset are rules of their own, named after no preset."""
    meant = effective_rules(full(FIBUR))
    assert meant == replace(FIBUR, preset=Preset.UNSPECIFIED)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_a_value_out_of_range_is_refused_by_name(game: Game, option: Option) -> None:
    """Whatever an option does not accept is refused with the option named and nothing else."""
    base = BASE[game.name]
    for value in refused_values(game, option):
        expected = {f"rules.{FIELD_OF[game.name]}.{option.key}": reasons_pb2.REASON_OPTION_OUT_OF_RANGE}
        assert faults_of(selection(base.preset, game, **{option.key: value})) == expected, value
        assert faults_of(full(base, **{option.key: value})) == expected, value


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_what_is_accepted_is_told(game: Game, option: Option) -> None:
    """A refusal of a value says which value it was and what is accepted."""
    for value in refused_values(game, option):
        with pytest.raises(Faults) as caught:
            effective_rules(selection(BASE[game.name].preset, game, **{option.key: value}))
        (fault,) = caught.value.faults
        assert set(fault.arguments) >= {"value", "accepted"}


def test_several_wrong_values_are_told_together() -> None:
    """Everything wrong with the options is told at once, in their order."""
    fields = faults_of(selection(Preset.ITALIAN, victory_points=77, jokers=5, semiclean_definition=9, players=5))
    assert list(fields) == [f"{FIELD}.{key}" for key in ("semiclean_definition", "jokers", "players", "victory_points")]


REALE: Final = {"variant_reale": True, "jokers": 0, "sets_allowed": 4, "close_needs": 2}

NUMBER: Final = re.compile(r"\b\d+\b")
CONTRADICTIONS: Final[dict[str, tuple[Preset, dict[str, Any], tuple[str, ...]]]] = {
    "more cards than one pack has": (Preset.RAMINO, {"players": 4, "hand_size": 13}, ("hand_size",)),
    "nothing ends the match": (Preset.ITALIAN, {"target": 0}, ("target",)),
    "nothing ends the match, said of the other": (Preset.FIBUR, {"deals_per_match": 0}, ("target", "victory_points")),
    "victory points without a table for 2 deals": (Preset.FIBUR, {"deals_per_match": 2}, ("victory_points",)),
    "victory points without a table for 5 deals": (Preset.FIBUR, {"deals_per_match": 5}, ("victory_points",)),
    "victory points to a target": (Preset.ITALIAN, {"victory_points": VictoryPoints.FIBUR}, ("victory_points",)),
    "victory points of an odd closing bonus": (Preset.FIBUR, {"closing_bonus": 101}, ("closing_bonus",)),
    "victory points of an odd penalty": (
        Preset.FIBUR,
        {"pozzetto_not_taken_penalty": 999},
        ("pozzetto_not_taken_penalty",),
    ),
    "Reale with jokers": (Preset.ITALIAN, {**REALE, "jokers": 4}, ("jokers",)),
    "Reale with sets": (Preset.ITALIAN, {**REALE, "sets_allowed": SetsAllowed.ALL}, ("sets_allowed",)),
    "Reale closed by a dirty burraco": (
        Preset.ITALIAN,
        {**REALE, "close_needs": CloseNeeds.ANY_BURRACO},
        ("close_needs",),
    ),
    "Reale alone": (Preset.ITALIAN, {"variant_reale": True}, ("jokers", "sets_allowed", "close_needs")),
    "an unusable top card where all are usable": (
        Preset.ITALIAN,
        {"stock_end": StockEnd.EMPTY_AND_TOP_UNUSABLE},
        ("stock_end",),
    ),
    "a hidden pile that has to be usable": (
        Preset.ITALIAN,
        {"discard_visible": DiscardVisible.TOP_ONLY, "pile_take": PileTake.TOP_CARD_USABLE},
        ("discard_visible",),
    ),
    "a hidden pile that has to give a meld": (
        Preset.ITALIAN,
        {"discard_visible": DiscardVisible.TOP_ONLY, "pile_take": PileTake.MUST_MELD},
        ("discard_visible",),
    ),
    "victory points for three": (
        Preset.FIBUR,
        {"players": 3},
        ("victory_points",),
    ),
    "a pozzetto as the stock of two": (
        Preset.TWO_PLAYER,
        {"stock_end": StockEnd.POZZETTO_BECOMES_STOCK},
        ("stock_end",),
    ),
    "a pack too small for Ramino": (Preset.RAMINO, {"players": 4, "hand_size": 13}, ("hand_size",)),
    "Gin's up-card against a limit": (
        Preset.GIN,
        {"oklahoma": Oklahoma.ACE_IS_ONE, "knock_limit": 7},
        ("knock_limit",),
    ),
}
"""A preset, what is changed of it, and the options that are then refused."""


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_refused_by_name(name: str) -> None:
    """Options that contradict each other are refused, the one that is out of place named."""
    preset, changes, keys = CONTRADICTIONS[name]
    game = GAMES[GAME_OF[preset]]
    expected = {f"rules.{FIELD_OF[game.name]}.{key}": reasons_pb2.REASON_OPTIONS_CONTRADICT for key in keys}
    assert faults_of(selection(preset, game, **changes)) == expected


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_names_both_options(name: str) -> None:
    """A refusal says which other option the named one contradicts."""
    preset, changes, _ = CONTRADICTIONS[name]
    with pytest.raises(Faults) as caught:
        effective_rules(selection(preset, GAMES[GAME_OF[preset]], **changes))
    for fault in caught.value.faults:
        assert fault.arguments["other"] in keys_of(GAMES[GAME_OF[preset]])
        assert fault.arguments["other"] in str(fault)
        assert not fault.field.endswith(fault.arguments["other"])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAME_IDS)
def test_every_contradiction_is_tried(game: Game) -> None:
    """The table has each sentence that the validation can say."""
    tried = set()
    for preset, changes, _ in CONTRADICTIONS.values():
        if GAME_OF[preset] is game.name:
            tried |= {wording(defect) for defect in defects(replace(BUILT[preset], **changes))}
    rng = random.Random(2)
    said = set()
    for _ in range(5_000):
        rules: RuleSet = game.rules_type(**random_values(game, rng))
        said |= {wording(defect) for defect in defects(rules)}
    assert said <= tried


def wording(defect: Any) -> str:  # noqa: ANN401 - a Defect
    """A sentence of the validation, whatever numbers it is filled with."""
    return f"{defect.key} {re.sub(NUMBER, '#', defect.text)}"


def test_reale_without_contradiction_is_taken() -> None:
    """The measure itself: Reale as it should be."""
    chosen: Any = effective_rules(selection(Preset.ITALIAN, BURRACO, **REALE))
    assert chosen.variant_reale


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=OPTION_IDS)
def test_a_missing_option_is_named_where_there_is_no_preset(game: Game, option: Option) -> None:
    """Without a preset each option has to be set; the one that is missing is named."""
    chosen = full(BASE[game.name])
    options_of(chosen, game).ClearField(option.key)
    assert faults_of(chosen) == {f"rules.{FIELD_OF[game.name]}.{option.key}": reasons_pb2.REASON_OPTION_MISSING}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAME_IDS)
def test_all_missing_options_are_named_together(game: Game) -> None:
    """Options of a game that are empty lack every one."""
    chosen = rules_pb2.RulesSelection()
    options_of(chosen, game).SetInParent()
    field = f"rules.{FIELD_OF[game.name]}"
    expected = {f"{field}.{key}": reasons_pb2.REASON_OPTION_MISSING for key in keys_of(game)}
    assert faults_of(chosen) == expected


def test_nothing_said_is_refused() -> None:
    """Neither preset nor options: the preset is asked for."""
    assert faults_of(selection()) == {"rules.preset": reasons_pb2.REASON_PRESET_UNKNOWN}


@pytest.mark.parametrize("number", [11, 99, -1, 2**31 - 1, -(2**31)])
def test_an_unknown_preset_is_refused(number: int) -> None:
    """A number that is no preset is named as one that is unknown, whatever the options say."""
    assert faults_of(selection(number)) == {"rules.preset": reasons_pb2.REASON_PRESET_UNKNOWN}
    assert faults_of(selection(number, jokers=2)) == {"rules.preset": reasons_pb2.REASON_PRESET_UNKNOWN}


@pytest.mark.parametrize("preset", BUILT, ids=lambda preset: preset.name)
def test_options_of_another_game_are_refused(preset: Preset) -> None:
    """Beside a preset they are another game's, whether that is built or not."""
    for name, field in FIELD_OF.items():
        chosen = selection(preset)
        getattr(chosen, field).SetInParent()
        if name is GAME_OF[preset]:
            assert effective_rules(chosen) == BUILT[preset]
        else:
            assert faults_of(chosen) == {f"rules.{field}": reasons_pb2.REASON_OPTIONS_OF_OTHER_GAME}


def test_options_of_a_game_that_is_not_built_are_refused() -> None:
    """Options alone name their game, which may not be built yet."""
    for name, field in FIELD_OF.items():
        if name not in GAMES:
            chosen = rules_pb2.RulesSelection()
            getattr(chosen, field).SetInParent()
            assert faults_of(chosen) == {f"rules.{field}": reasons_pb2.REASON_GAME_NOT_BUILT}


def test_the_field_is_the_one_that_the_request_has() -> None:
    """Where the rules stand deeper in a request, the path says so."""
    with pytest.raises(Faults) as caught:
        effective_rules(selection(Preset.ITALIAN, jokers=5), "table.rules")
    assert [fault.field for fault in caught.value.faults] == ["table.rules.burraco.jokers"]


# --- pinned rules ----------------------------------------------------------------------------------------------------


LATER: Final = Revisions(RULES_REVISION, {(GameName.BURRACO, "duplicate_sequences"): Before(2, value=False)})
"""As if an option had come with version 2 of the state."""


def test_an_option_younger_than_a_state_means_the_behaviour_before_it() -> None:
    """A pinned set without an option that came later is read as the service played before."""
    pinned = rules_pb2.Rules.FromString(rules_bytes(replace(ITALIAN, closing_bonus=90)))
    pinned.burraco.ClearField("duplicate_sequences")
    read = pinned_rules(pinned.SerializeToString(), LATER)
    assert read == replace(ITALIAN, closing_bonus=90, duplicate_sequences=False)


def test_an_option_that_did_not_come_later_has_to_be_there() -> None:
    """Nothing is guessed of an option that was there from the first version on."""
    pinned = rules_pb2.Rules.FromString(rules_bytes(ITALIAN))
    pinned.burraco.ClearField("duplicate_sets")
    with pytest.raises(ValueError, match="lack options"):
        pinned_rules(pinned.SerializeToString(), LATER)


def test_an_older_version_is_written_without_a_younger_option() -> None:
    """Older releases, which would refuse an option that they do not know, do not see one that changes nothing."""
    as_before = replace(ITALIAN, duplicate_sequences=False)
    pinned = rules_pb2.Rules.FromString(rules_bytes(as_before, 1, LATER))
    assert not pinned.burraco.HasField("duplicate_sequences")
    assert pinned_rules(pinned.SerializeToString(), LATER) == as_before
    assert rules_pb2.Rules.FromString(rules_bytes(as_before, 2, LATER)) == rules_message(as_before)
    assert rules_bytes(GIN, 1, LATER) == rules_bytes(GIN)


def test_an_older_version_has_no_room_for_what_is_new() -> None:
    """A younger option that changes something is never dropped."""
    assert ITALIAN.duplicate_sequences
    with pytest.raises(NoRoom):
        rules_bytes(ITALIAN, 1, LATER)


def test_a_newer_revision_is_named_whatever_else_is_new() -> None:
    """Pinned rules of a newer revision say so, also where they have options and values that nobody knows yet."""
    newer = rules_pb2.Rules.FromString(rules_bytes(ITALIAN))
    newer.revision = RULES_REVISION + 1
    newer.burraco.MergeFromString(b"\xf8\x3f\x01")
    newer.burraco.ClearField("duplicate_sets")
    with pytest.raises(NewerRules) as caught:
        pinned_rules(newer.SerializeToString())
    assert (caught.value.revision, caught.value.known) == (RULES_REVISION + 1, RULES_REVISION)


def test_an_option_that_nobody_knows_is_refused() -> None:
    """An option of a newer release, under the revision that both have, is not dropped: it may change the match."""
    for spoiled in (rules_pb2.Rules.FromString(rules_bytes(ITALIAN)) for _ in range(2)):
        spoiled.burraco.MergeFromString(b"\xf8\x3f\x01")
        with pytest.raises(ValueError, match=r"does not know \(number 1023\)"):
            pinned_rules(spoiled.SerializeToString())
    with pytest.raises(ValueError, match=r"does not know \(number 1023\)"):
        pinned_rules(rules_bytes(ITALIAN) + b"\xf8\x3f\x01")


def test_an_option_that_was_taken_out_of_the_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option that the contract has and the rules no longer look at is not dropped either."""
    shorter: Any = replace(BURRACO, options=tuple(each for each in BURRACO.options if each.key != "duplicate_sets"))
    monkeypatch.setattr(rules_codec, "GAMES", {**GAMES, GameName.BURRACO: shorter})
    with pytest.raises(ValueError, match="duplicate_sets"):
        pinned_rules(rules_bytes(ITALIAN), Revisions(RULES_REVISION, {}))


def test_shared_messages_are_not_changed_by_their_readers() -> None:
    """Rules are written once and handed out; what was handed out stays as it was."""
    before = rules_message(ITALIAN).SerializeToString()
    selection_ = rules_pb2.RulesSelection(burraco=rules_message(ITALIAN).burraco)
    selection_.burraco.jokers = 0
    assert rules_message(ITALIAN).SerializeToString() == before


# --- descriptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", BUILT, ids=lambda preset: preset.name)
def test_a_description_can_be_acted_on(preset: Preset) -> None:
    """A settings screen made of the descriptions offers what is accepted, and shows the values in force."""
    rules = BUILT[preset]
    for option in game_with(rules).options:
        _can_be_acted_on(option, rules)


def _can_be_acted_on(option: Option, rules: RuleSet) -> None:
    game = game_with(rules)
    described = describe(option, rules)
    assert described.key == option.key
    kind = described.WhichOneof("values")
    value = getattr(rules, option.key)
    if isinstance(option, BoolOption):
        assert kind == "bool_values"
        assert described.value == ("true" if value else "false")
        assert described.bool_values.both_accepted == (option.only is None)
        assert described.bool_values.when_true
        assert described.bool_values.when_false
    elif isinstance(option, NumberOption):
        assert kind == "number_values"
        assert described.value == str(value)
        assert described.number_values.min <= described.number_values.max
    else:
        assert kind == "name_values"
        assert described.value == contract_name(value)
        names = {each.name for each in described.name_values.values}
        assert described.value in names
        for name in names:
            number = contract_numbers(game, option)[name]
            chosen = selection(rules.preset, game, **{option.key: number})
            value = rules_codec.ENUM_OF[game.name, option.key](number)
            changed: Any = replace(rules, **{option.key: value})  # type: ignore[arg-type]  # a game's own option
            if not defects(changed):
                assert getattr(effective_rules(chosen), option.key) == number
