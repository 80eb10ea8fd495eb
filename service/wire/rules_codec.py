"""Rules: from a caller's selection to an effective set, and to and from messages."""

from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

from google.protobuf.message import DecodeError

from burraco.v1 import reasons_pb2, rules_pb2
from service.rules import presets
from service.rules.option_table import OPTIONS, BoolOption, NameOption, NumberOption, Option
from service.rules.options import RULES_REVISION, BurracoRules, Preset, contract_name
from service.rules.validation import Defect, contradictions, defects, out_of_range
from service.wire.faults import Fault, Faults

OPTION_KEYS: Final = tuple(option.key for option in OPTIONS)
ENUM_OF: Final[Mapping[str, type[IntEnum]]] = {
    option.key: type(option.values[0][0]) for option in OPTIONS if isinstance(option, NameOption)
}
BEFORE: Final[Mapping[str, object]] = {}
"""For each option that came after the first state version: the behaviour from before it existed (none did yet)."""


@lru_cache(maxsize=256)
def rules_message(rules: BurracoRules) -> rules_pb2.Rules:
    """Write rules as a message. It is shared: never change it."""
    options = rules_pb2.BurracoRules(**{key: _plain(getattr(rules, key)) for key in OPTION_KEYS})
    return rules_pb2.Rules(preset=_preset_number(rules.preset), revision=rules.revision, burraco=options)


def _plain(value: object) -> Any:  # noqa: ANN401  # protobuf's constructor takes the option's own type
    return int(value) if isinstance(value, IntEnum) else value


def _preset_number(preset: Preset) -> rules_pb2.Preset.ValueType:
    return rules_pb2.Preset.ValueType(preset)


@lru_cache(maxsize=256)
def rules_bytes(rules: BurracoRules) -> bytes:
    """Write rules as they are pinned in a state."""
    return rules_message(rules).SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def pinned_rules(pinned: bytes) -> BurracoRules:
    """Read rules as they are pinned in a state; an option missing there means the behaviour from before it existed.

    :raises ValueError: they are not rules of Burraco that this service knows.
    """
    try:
        message = rules_pb2.Rules.FromString(pinned)
    except DecodeError as error:
        raise ValueError("the pinned rules are no rules") from error
    values = {**BEFORE, **_values(message.burraco)}
    if set(values) != set(OPTION_KEYS):
        raise ValueError("the pinned rules lack options")
    rules = BurracoRules(preset=Preset(message.preset), revision=message.revision, **values)
    # What an older revision accepted stays accepted: whatever narrows the options is a new revision.
    if rules.revision >= RULES_REVISION and defects(rules):
        raise ValueError("the pinned rules contradict themselves")
    return rules


def _values(options: rules_pb2.BurracoRules) -> dict[str, Any]:
    """Options that are set, as values of the rules.

    :raises ValueError: an enum's number is unknown.
    """
    return {
        key: ENUM_OF[key](getattr(options, key)) if key in ENUM_OF else getattr(options, key)
        for key in OPTION_KEYS
        if options.HasField(key)  # type: ignore[arg-type]  # the keys are those of the message, which a test checks
    }


def effective_rules(selection: rules_pb2.RulesSelection, field: str = "rules") -> BurracoRules:
    """Find the full set that a caller's selection means; a Fault names the field and says why there is none."""
    base = _base(selection.preset, field)
    game = selection.WhichOneof("game")
    if game not in (None, "burraco"):
        if base is None:
            text = f"are options of a game that is not built yet: {game}."
            raise Fault(f"{field}.{game}", reasons_pb2.REASON_GAME_NOT_BUILT, text, game=game)
        text = f"are options of {game}, but the preset is one of Burraco: set burraco."
        raise Fault(f"{field}.{game}", reasons_pb2.REASON_OPTIONS_OF_OTHER_GAME, text)
    if base is None and game is None:
        text = "is missing: name a preset, or set every option of a game."
        raise Fault(f"{field}.preset", reasons_pb2.REASON_PRESET_UNKNOWN, text)
    return _changed(base, selection.burraco, f"{field}.burraco")


def _base(preset: int, field: str) -> BurracoRules | None:
    if not preset:
        return None
    try:
        known = Preset(preset)
    except ValueError:
        raise Fault(
            f"{field}.preset", reasons_pb2.REASON_PRESET_UNKNOWN, f"is {preset}, which is no preset: see ListPresets."
        ) from None
    base = presets.BUILT.get(known)
    if base is None:
        built = ", ".join(map(contract_name, presets.BUILT))
        text = f"is {contract_name(known)}, which is not built yet: these are: {built}."
        raise Fault(
            f"{field}.preset", reasons_pb2.REASON_GAME_NOT_BUILT, text, game=contract_name(presets.GAME_OF[known])
        )
    return base


def _changed(base: BurracoRules | None, options: rules_pb2.BurracoRules, field: str) -> BurracoRules:
    found: list[Fault] = []
    values: dict[str, Any] = {}
    for option in OPTIONS:
        key = option.key
        if options.HasField(key):  # type: ignore[arg-type]  # see _values
            values[key] = _known(key, getattr(options, key))
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
        rules = BurracoRules(preset=named, revision=RULES_REVISION, **values)
        found = [_fault(defect, field) for defect in contradictions(rules)]
        if not found:
            return rules
    raise Faults(found)


def _known(key: str, number: int) -> int:
    """A value of an option as the rules know it; an unknown number of its enum as it is."""
    enum = ENUM_OF.get(key)
    return enum(number) if enum and number in [member.value for member in enum] else number


def _fault(defect: Defect, field: str) -> Fault:
    reason = reasons_pb2.Reason.ValueType(defect.reason)
    return Fault(f"{field}.{defect.key}", reason, defect.text, **dict(defect.arguments))


def describe(option: Option, rules: BurracoRules) -> rules_pb2.OptionDescription:
    """Describe an option, with its value in these rules."""
    preset = presets.BUILT.get(rules.preset)
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
            values = [
                rules_pb2.NamedValue(name=contract_name(name), meaning=meaning) for name, meaning in option.values
            ]
            described.name_values.CopyFrom(rules_pb2.NameValues(values=values))
    return described


def _shown(value: object) -> str:
    return contract_name(value) if isinstance(value, IntEnum) else str(value).lower()
