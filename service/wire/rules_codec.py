"""Rules: from a caller's selection to an effective set, and to and from messages."""

from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

from google.protobuf.message import DecodeError

from burraco.v1 import reasons_pb2, rules_pb2
from service.rules.defects import DefectReason, StateDefect
from service.rules.game import Game
from service.rules.games import GAMES, PRESETS, game_with
from service.rules.option_types import BoolOption, Defect, NameOption, NumberOption, Option, out_of_range
from service.rules.options import RULES_REVISION, Preset, RuleSet, contract_name
from service.rules.options import Game as GameName
from service.rules.presets import GAME_OF
from service.wire.faults import Fault, Faults

FIELD_OF: Final[Mapping[GameName, str]] = {
    GameName.BURRACO: "burraco",
    GameName.RAMINO: "ramino",
    GameName.GIN: "gin",
    GameName.SCALA_40: "scala_40",
}
"""Name of each game's options in the contract's messages."""
GAME_WITH_FIELD: Final = {field: name for name, field in FIELD_OF.items()}
ENUM_OF: Final[Mapping[tuple[GameName, str], type[IntEnum]]] = {
    (game.name, option.key): type(option.values[0][0])
    for game in GAMES.values()
    for option in game.options
    if isinstance(option, NameOption)
}
BEFORE: Final[Mapping[tuple[GameName, str], object]] = {}
"""For each option that came after the first state version: the behaviour from before it existed (none did yet)."""


@lru_cache(maxsize=256)
def rules_message(rules: RuleSet) -> rules_pb2.Rules:
    """Write rules as a message. It is shared: never change it."""
    game = game_with(rules)
    preset: Any = int(rules.preset)
    message = rules_pb2.Rules(preset=preset, revision=rules.revision)
    options = getattr(message, FIELD_OF[game.name])
    for option in game.options:
        value = getattr(rules, option.key)
        setattr(options, option.key, int(value) if isinstance(value, IntEnum) else value)
    return message


@lru_cache(maxsize=256)
def rules_bytes(rules: RuleSet) -> bytes:
    """Write rules as they are pinned in a state."""
    return rules_message(rules).SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def pinned_rules(pinned: bytes) -> RuleSet:
    """Read rules as they are pinned in a state; an option missing there means the behaviour from before it existed.

    :raises ValueError: they are not rules that this service knows.
    """
    try:
        message = rules_pb2.Rules.FromString(pinned)
    except DecodeError as error:
        raise ValueError("the pinned rules are no rules") from error
    rules, wrong = read_rules(message)
    if rules is None:
        raise ValueError(f"the pinned {wrong[0].sentence}")
    return rules


def read_rules(message: rules_pb2.Rules) -> tuple[RuleSet | None, list[StateDefect]]:
    """Read full rules, or find everything wrong with them; `rules` is their field."""
    field = message.WhichOneof("game")
    game = GAMES.get(GAME_WITH_FIELD[field]) if field else None
    if game is None or field is None:
        return None, [_wrong("rules", "are of no game that is built: set the options of one.")]
    options, found = getattr(message, field), []
    values: dict[str, Any] = {}
    for option in game.options:
        key = game.name, option.key
        if options.HasField(option.key):
            values[option.key] = _known(ENUM_OF.get(key), getattr(options, option.key))
            if key in ENUM_OF and not isinstance(values[option.key], ENUM_OF[key]):
                found.append(
                    _wrong(f"rules.{field}.{option.key}", f"is {values[option.key]}, which is none of its enum.")
                )
        elif key in BEFORE:
            values[option.key] = BEFORE[key]
        else:
            found.append(_wrong(f"rules.{field}.{option.key}", "is missing: a state has every option."))
    number = int(message.preset)
    if number not in [int(each) for each in Preset] or GAME_OF.get(Preset(number), game.name) is not game.name:
        found.append(_wrong("rules.preset", f"is {message.preset}, which is no preset of this game."))
    if message.revision < 1:
        found.append(_wrong("rules.revision", "is missing: revisions are counted from 1."))
    if found:
        return None, found
    rules: RuleSet = game.rules_type(preset=Preset(message.preset), revision=message.revision, **values)
    # What an older revision accepted stays accepted: whatever narrows the options is a new revision.
    wrong = defects(game, rules) if rules.revision >= RULES_REVISION else []
    return (None if wrong else rules), [_wrong(f"rules.{field}.{each.key}", each.text) for each in wrong]


def _wrong(field: str, text: str) -> StateDefect:
    return StateDefect(field, DefectReason.DEFECT_RULES, text)


def defects(game: Game, rules: RuleSet) -> list[Defect]:
    """Find everything wrong with a full set of options: values first, in their order, then contradictions."""
    wrong = [found for option in game.options if (found := out_of_range(option, getattr(rules, option.key)))]
    return wrong or game.contradictions(rules)


def effective_rules(selection: rules_pb2.RulesSelection, field: str = "rules") -> RuleSet:
    """Find the full set that a caller's selection means; a Fault names the field and says why there is none."""
    base = _base(selection.preset, field)
    named = selection.WhichOneof("game")
    if base is None and named is None:
        text = "is missing: name a preset, or set every option of a game."
        raise Fault(f"{field}.preset", reasons_pb2.REASON_PRESET_UNKNOWN, text)
    game = game_with(base) if base else GAMES.get(GAME_WITH_FIELD[named or ""])
    if game is None:
        text = f"are options of a game that is not built yet: {named}."
        raise Fault(f"{field}.{named}", reasons_pb2.REASON_GAME_NOT_BUILT, text, game=named)
    own = FIELD_OF[game.name]
    if named not in (None, own):
        text = f"are options of {named}, but the preset is one of {own}: set {own}."
        raise Fault(f"{field}.{named}", reasons_pb2.REASON_OPTIONS_OF_OTHER_GAME, text)
    return _changed(game, base, getattr(selection, own), f"{field}.{own}")


def _base(preset: int, field: str) -> RuleSet | None:
    if not preset:
        return None
    try:
        known = Preset(preset)
    except ValueError:
        raise Fault(
            f"{field}.preset", reasons_pb2.REASON_PRESET_UNKNOWN, f"is {preset}, which is no preset: see ListPresets."
        ) from None
    base = PRESETS.get(known)
    if base is None:
        built = ", ".join(map(contract_name, PRESETS))
        text = f"is {contract_name(known)}, which is not built yet: these are: {built}."
        game = contract_name(GAME_OF[known])
        raise Fault(f"{field}.preset", reasons_pb2.REASON_GAME_NOT_BUILT, text, game=game)
    return base


def _changed(game: Game, base: RuleSet | None, options: Any, field: str) -> RuleSet:  # noqa: ANN401  # any game's message
    found: list[Fault] = []
    values: dict[str, Any] = {}
    for option in game.options:
        key = option.key
        if options.HasField(key):
            values[key] = _known(ENUM_OF.get((game.name, key)), getattr(options, key))
        elif base is not None:
            values[key] = getattr(base, key)
        else:
            text = "is missing: without a preset every option has to be set."
            found.append(Fault(f"{field}.{key}", reasons_pb2.REASON_OPTION_MISSING, text))
            continue
        if defect := out_of_range(option, values[key]):
            found.append(_fault(defect, field))
    if not found:
        named = base.preset if base else Preset.UNSPECIFIED
        rules: RuleSet = game.rules_type(preset=named, revision=RULES_REVISION, **values)
        found = [_fault(defect, field) for defect in game.contradictions(rules)]
        if not found:
            return rules
    raise Faults(found)


def _known(enum: type[IntEnum] | None, number: int) -> int:
    """A value of an option as the rules know it; an unknown number of its enum as it is."""
    return enum(number) if enum and number in [member.value for member in enum] else number


def _fault(defect: Defect, field: str) -> Fault:
    reason = reasons_pb2.Reason.ValueType(defect.reason)
    return Fault(f"{field}.{defect.key}", reason, defect.text, **dict(defect.arguments))


def describe(option: Option, rules: RuleSet) -> rules_pb2.OptionDescription:
    """Describe an option, with its value in these rules."""
    preset = PRESETS.get(rules.preset)
    described = rules_pb2.OptionDescription(
        key=option.key,
        meaning=option.meaning,
        sources=option.sources,
        value=_shown(getattr(rules, option.key)),
        preset_value=_shown(getattr(preset, option.key)) if preset else "",
    )
    match option:
        case BoolOption():
            described.bool_values.CopyFrom(
                rules_pb2.BoolValues(
                    when_true=option.when_true, when_false=option.when_false, both_accepted=option.only is None
                )
            )
        case NumberOption():
            described.number_values.CopyFrom(
                rules_pb2.NumberValues(
                    min=option.least, max=option.most, zero_means_none=option.zero_means_none, only=option.only
                )
            )
        case NameOption():
            named = [rules_pb2.NamedValue(name=contract_name(name), meaning=text) for name, text in option.values]
            described.name_values.CopyFrom(rules_pb2.NameValues(values=named))
    return described


def _shown(value: object) -> str:
    return contract_name(value) if isinstance(value, IntEnum) else str(value).lower()
