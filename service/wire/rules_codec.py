"""Rules: from a caller's selection to an effective set, and to and from messages."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

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
from service.wire.state_forms import unknown_fields
from service.wire.versions import NEWEST_VERSION

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


class Before(NamedTuple):
    """Of an option that came after the first state version: when it came, and what held until then."""

    version: int
    """The first state version that has it."""
    value: Any
    """The value that means the behaviour from before it existed."""


BEFORE: Final[Mapping[tuple[GameName, str], Before]] = MappingProxyType({})
"""Every option that came after the first state version (none did yet)."""


@dataclass(frozen=True, eq=False)
class Revisions:
    """What a release knows of pinned rules."""

    newest: int
    """The newest revision of the rules."""
    before: Mapping[tuple[GameName, str], Before]
    """Every option that came after the first state version."""


REVISIONS: Final = Revisions(RULES_REVISION, BEFORE)


class NewMatches(NamedTuple):
    """What new matches get of the rules."""

    revision: int = RULES_REVISION
    """The revision that they are pinned to."""
    held_back: Mapping[tuple[GameName, str], Any] = MappingProxyType({})
    """Options that not every replica knows yet, with what held before them: meant where a caller says nothing."""


NEWEST_RULES: Final = NewMatches()


class NewerRules(Exception):  # noqa: N818  # what was found, as with Fault
    """Pinned rules are of a revision that this release does not know."""

    def __init__(self, revision: int, known: int) -> None:
        super().__init__(f"its rules revision is {revision}, this server knows up to {known}")
        self.revision = revision
        self.known = known


class NoRoom(Exception):  # noqa: N818  # as above
    """Rules cannot be pinned in an older state version, which lacks one of their options."""


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
def rules_bytes(rules: RuleSet, version: int = NEWEST_VERSION, revisions: Revisions = REVISIONS) -> bytes:
    """Write rules as they are pinned in a state of this version.

    :raises NoRoom: that version lacks an option which these rules set to something new.
    """
    message = rules_message(rules)
    later = [(key, before) for (game, key), before in revisions.before.items() if game is rules.game]
    later = [(key, before) for key, before in later if before.version > version]
    if later:
        message = rules_pb2.Rules.FromString(message.SerializeToString())
    for key, before in later:
        if getattr(rules, key) != before.value:
            raise NoRoom(key)
        getattr(message, FIELD_OF[rules.game]).ClearField(key)
    return message.SerializeToString(deterministic=True)


@lru_cache(maxsize=256)
def pinned_rules(pinned: bytes, revisions: Revisions = REVISIONS) -> RuleSet:
    """Read rules as they are pinned in a state; an option missing there means the behaviour from before it existed.

    :raises NewerRules: they are of a newer revision than this service knows.
    :raises ValueError: they are not rules that this service knows.
    """
    try:
        message = rules_pb2.Rules.FromString(pinned)
    except DecodeError as error:
        raise ValueError("the pinned rules are no rules") from error
    if message.revision > revisions.newest:  # first: what else is new in them, the revision explains
        raise NewerRules(message.revision, revisions.newest)
    rules, wrong = read_rules(message, revisions)
    if rules is None:
        raise ValueError(f"the pinned {wrong[0].sentence}")
    return rules


def read_rules(message: rules_pb2.Rules, revisions: Revisions = REVISIONS) -> tuple[RuleSet | None, list[StateDefect]]:
    """Read full rules, or find everything wrong with them; `rules` is their field."""
    field = message.WhichOneof("game")
    game = GAMES.get(GAME_WITH_FIELD[field]) if field else None
    found = [_unknown("rules", number) for number in unknown_fields(message)]
    if game is None or field is None:
        return None, [*found, _wrong("rules", "are of no game that is built: set the options of one.")]
    options = getattr(message, field)
    found += [_unknown(f"rules.{field}", number) for number in unknown_fields(options)]
    keys = {option.key for option in game.options}
    strange = sorted(option.name for option, _ in options.ListFields() if option.name not in keys)
    found += [_wrong(f"rules.{field}.{key}", "is an option that this release does not know.") for key in strange]
    values: dict[str, Any] = {}
    for option in game.options:
        key = game.name, option.key
        if options.HasField(option.key):
            values[option.key] = _known(ENUM_OF.get(key), getattr(options, option.key))
            if key in ENUM_OF and not isinstance(values[option.key], ENUM_OF[key]):
                found.append(
                    _wrong(f"rules.{field}.{option.key}", f"is {values[option.key]}, which is none of its enum.")
                )
        elif key in revisions.before:
            values[option.key] = revisions.before[key].value
        else:
            found.append(_wrong(f"rules.{field}.{option.key}", "is missing: a state has every option."))
    number = int(message.preset)
    if number not in [int(each) for each in Preset] or GAME_OF.get(Preset(number), game.name) is not game.name:
        found.append(_wrong("rules.preset", f"is {message.preset}, which is no preset of this game."))
    if message.revision < 1:
        found.append(_wrong("rules.revision", "is missing: revisions are counted from 1."))
    if message.revision > revisions.newest:
        text = f"is {message.revision}; this server knows up to {revisions.newest}: upgrade it."
        found.append(_wrong("rules.revision", text))
    if found:
        return None, found
    rules: RuleSet = game.rules_type(preset=Preset(message.preset), revision=message.revision, **values)
    # What an older revision accepted stays accepted: whatever narrows the options is a new revision.
    wrong = defects(game, rules) if rules.revision >= revisions.newest else []
    return (None if wrong else rules), [_wrong(f"rules.{field}.{each.key}", each.text) for each in wrong]


def _wrong(field: str, text: str) -> StateDefect:
    return StateDefect(field, DefectReason.DEFECT_RULES, text)


def _unknown(field: str, number: int) -> StateDefect:
    return _wrong(field, f"have a field that this release does not know (number {number}).")


def defects(game: Game, rules: RuleSet) -> list[Defect]:
    """Find everything wrong with a full set of options: values first, in their order, then contradictions."""
    wrong = [found for option in game.options if (found := out_of_range(option, getattr(rules, option.key)))]
    return wrong or game.contradictions(rules)


def effective_rules(
    selection: rules_pb2.RulesSelection, field: str = "rules", new: NewMatches = NEWEST_RULES
) -> RuleSet:
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
    return _changed(game, base, getattr(selection, own), f"{field}.{own}", new)


def recorded_rules(message: rules_pb2.Rules, revisions: Revisions = REVISIONS, field: str = "rules") -> RuleSet:
    """Read the full set that a record was played by, strictly: every option is there, and none that is not known here.

    An option that came later may be missing, and means the behaviour from before it existed, as in a state. The
    revision has to be one that is played (`record.diverges`).
    """
    named = message.WhichOneof("game")
    if named is None:
        text = "are missing: set the options of the game, every one of them."
        raise Fault(field, reasons_pb2.REASON_OPTION_MISSING, text)
    game = GAMES[GAME_WITH_FIELD[named]]
    base = _base(message.preset, field)
    if base is not None and base.game is not game.name:
        text = f"are options of {named}, but the preset is one of {FIELD_OF[base.game]}."
        raise Fault(f"{field}.{named}", reasons_pb2.REASON_OPTIONS_OF_OTHER_GAME, text)
    options = getattr(message, named)
    for number in (*unknown_fields(message), *unknown_fields(options)):
        text = f"has a field {number}, which this service does not know: ask one that made the record."
        raise Fault(
            f"{field}.{named}", reasons_pb2.REASON_OPTION_OUT_OF_RANGE, text, value=number, accepted="the known options"
        )
    whole = type(options)()
    whole.CopyFrom(options)
    for (owner, key), held in revisions.before.items():
        if owner is game.name and not whole.HasField(key):
            setattr(whole, key, int(held.value))
    rules = _changed(game, None, whole, f"{field}.{named}", NEWEST_RULES)
    return replace(rules, preset=Preset(message.preset), revision=message.revision)


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


def _changed(game: Game, base: RuleSet | None, options: Any, field: str, new: NewMatches) -> RuleSet:  # noqa: ANN401  # any game's message
    found: list[Fault] = []
    values: dict[str, Any] = {}
    for option in game.options:
        key = option.key
        if options.HasField(key):
            values[key] = _known(ENUM_OF.get((game.name, key)), getattr(options, key))
        elif base is not None:
            values[key] = new.held_back.get((game.name, key), getattr(base, key))
        else:
            text = "is missing: without a preset every option has to be set."
            found.append(Fault(f"{field}.{key}", reasons_pb2.REASON_OPTION_MISSING, text))
            continue
        if defect := out_of_range(option, values[key]):
            found.append(_fault(defect, field))
    if not found:
        named = base.preset if base else Preset.UNSPECIFIED
        rules: RuleSet = game.rules_type(preset=named, revision=new.revision, **values)
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
