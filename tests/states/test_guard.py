"""A change of the protos or of a raw number that would orphan old states fails here, before any state is lost."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorSet

from burraco.v1 import rules_pb2
from service.rules.games import GAMES
from service.wire.rules_codec import BEFORE, FIELD_OF, GAME_WITH_FIELD
from service.wire.state_forms import FORMS
from service.wire.versions import NEWEST_VERSION, WRITTEN_VERSION
from tests.states import corpus
from tests.states.facts import contract_of
from tests.states.guard import added, orphaned
from tests.states.numbers import changed, raw_numbers

STORED: Final = "service.wire.storage.v1.StoredState"
VERSIONS: Final = corpus.versions()
NEWEST_KEPT: Final = VERSIONS[-1]


def then(version: int) -> FileDescriptorSet:
    return FileDescriptorSet.FromString(corpus.contract(version).files)


def now(version: int) -> FileDescriptorSet:
    return FileDescriptorSet.FromString(contract_of(FORMS[version].message, rules_pb2.Rules).files)


def stored_name(version: int) -> str:
    """The message of a version, as it is called in its corpus."""
    (name,) = [
        f"{file.package}.StoredState"
        for file in then(version).file
        if any(message.name == "StoredState" for message in file.message_type)
    ]
    return name


# --- today's protos --------------------------------------------------------------------------------------------------


def test_there_is_a_corpus_of_every_version_that_was_written() -> None:
    """From the oldest that is read to the one that is written by default."""
    assert [version for version in FORMS if version <= WRITTEN_VERSION] == [v for v in VERSIONS if v <= WRITTEN_VERSION]


@pytest.mark.parametrize("version", VERSIONS)
def test_no_field_that_states_are_written_in_has_changed(version: int) -> None:
    """Every field of then is there, with its number, type, label, presence and name; enums have their numbers."""
    message = FORMS[version].message.DESCRIPTOR.full_name
    assert orphaned(then(version), now(version), stored_name(version), message) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_no_number_that_is_stored_raw_has_changed(version: int) -> None:
    """Phases, ends, kinds, cards, values of options and the layout of packed bytes are what they were."""
    assert changed(corpus.numbers(version), raw_numbers()) == []


def test_a_released_version_gets_no_fields() -> None:
    """A field more is a version more: releases that read the version refuse a field that they do not know."""
    if NEWEST_KEPT == NEWEST_VERSION:
        assert added(then(NEWEST_KEPT), now(NEWEST_KEPT), stored_name(NEWEST_KEPT)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_an_option_that_came_later_says_what_held_before(version: int) -> None:
    """Each option of today that a version lacks is in the table of those, with a later version."""
    fields = {message.name: message for file in then(version).file for message in file.message_type}
    rules = {field.name: field.type_name.rpartition(".")[2] for field in fields["Rules"].field}
    for game in GAMES.values():
        had = {field.name for field in fields[rules[FIELD_OF[game.name]]].field}
        later = {key for (name, key), before in BEFORE.items() if name is game.name and before.version > version}
        assert {option.key for option in game.options} - had == later


@pytest.mark.parametrize("version", VERSIONS)
def test_every_option_that_a_version_pins_is_still_looked_at(version: int) -> None:
    """An option may not leave the rules while there are states with it."""
    pinned = [group.split(".") for group in corpus.numbers(version) if "." in group]
    assert pinned
    for field, key in pinned:
        assert key in {option.key for option in GAMES[GAME_WITH_FIELD[field]].options}


# --- the guard itself ------------------------------------------------------------------------------------------------


def message_of(files: FileDescriptorSet, name: str) -> DescriptorProto:
    (found,) = [message for file in files.file for message in file.message_type if message.name == name]
    return found


def field_of(files: FileDescriptorSet, name: str) -> FieldDescriptorProto:
    message, _, field = name.partition(".")
    (found,) = [each for each in message_of(files, message).field if each.name == field]
    return found


def changing(path: str, **values: Any) -> Callable[[FileDescriptorSet], None]:  # noqa: ANN401  # fields of a descriptor
    def change(files: FileDescriptorSet) -> None:
        for key, value in values.items():
            setattr(field_of(files, path), key, value)

    return change


def removing(name: str) -> Callable[[FileDescriptorSet], None]:
    return lambda files: message_of(files, name.partition(".")[0]).field.remove(field_of(files, name))


def renumber_a_value(files: FileDescriptorSet) -> None:
    (enum,) = [enum for file in files.file for enum in file.enum_type if enum.name == "StockEnd"]
    enum.value[1].number, enum.value[2].number = enum.value[2].number, enum.value[1].number


def remove_the_message(files: FileDescriptorSet) -> None:
    for file in files.file:
        for message in [message for message in file.message_type if message.name == "GinRules"]:
            file.message_type.remove(message)


def out_of_its_oneof(files: FileDescriptorSet) -> None:
    field_of(files, "Rules.gin").ClearField("oneof_index")


MUTATIONS: Final[dict[str, tuple[Callable[[FileDescriptorSet], None], str]]] = {
    "a field renumbered": (changing("StoredState.passes", number=99), "StoredState.passes = 50 is gone"),
    "two fields swapped": (changing("StoredState.stock", number=17), "StoredState.pozzetti = 17"),
    "a field removed": (removing("StoredState.alone"), "StoredState.alone = 54 is gone"),
    "another type": (changing("StoredState.dealer", type=FieldDescriptorProto.TYPE_SINT32), "TYPE_SINT32"),
    "a type that is alike on the wire": (
        changing("StoredState.turn_last", type=FieldDescriptorProto.TYPE_INT64),
        "type",
    ),
    "another label": (changing("StoredState.stock", label=FieldDescriptorProto.LABEL_REPEATED), "LABEL_REPEATED"),
    "another name": (changing("StoredState.doubled", name="in_hand"), "'in_hand'"),
    "presence lost": (changing("BurracoRules.jokers", proto3_optional=False), "presence"),
    "an option removed": (removing("Scala40Rules.reentry"), "Scala40Rules.reentry = "),
    "an option renumbered": (changing("GinRules.knock_limit", number=77), "GinRules.knock_limit"),
    "an option of another type": (changing("RaminoRules.packs", type=FieldDescriptorProto.TYPE_BOOL), "TYPE_BOOL"),
    "a value renumbered": (renumber_a_value, "STOCK_END_"),
    "a game's options gone": (remove_the_message, "burraco.v1.GinRules is gone"),
    "a game out of its oneof": (out_of_its_oneof, "Rules.gin"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_guard_finds(name: str) -> None:
    """Each kind of change that orphans states is found and named, and nothing else is."""
    change, said = MUTATIONS[name]
    mutated = now(NEWEST_KEPT)
    change(mutated)
    wrong = orphaned(then(NEWEST_KEPT), mutated, STORED, STORED)
    assert any(said in each for each in wrong), wrong
    assert len(wrong) <= 3


def test_the_guard_lets_fields_be_added() -> None:
    """A new field, a new option and a new value orphan nothing; the field is noticed as one that wants a version."""
    grown = now(NEWEST_KEPT)
    message_of(grown, "StoredState").field.add(name="more", number=99, type=FieldDescriptorProto.TYPE_BOOL, label=1)
    message_of(grown, "GinRules").field.add(name="more", number=99, type=FieldDescriptorProto.TYPE_BOOL, label=1)
    (enum,) = [enum for file in grown.file for enum in file.enum_type if enum.name == "StockEnd"]
    enum.value.add(name="STOCK_END_NEVER", number=99)
    assert orphaned(then(NEWEST_KEPT), grown, STORED, STORED) == []
    assert added(then(NEWEST_KEPT), grown, STORED) == ["more"]


def test_a_frozen_message_is_compared_in_its_own_package() -> None:
    """A version that reads its states with a frozen copy may have that in another package."""
    frozen = now(NEWEST_KEPT)
    for file in frozen.file:
        if file.package == "service.wire.storage.v1":
            file.package = "frozen.v1"
    assert orphaned(then(NEWEST_KEPT), frozen, STORED, "frozen.v1.StoredState") == []


@pytest.mark.parametrize(
    ("group", "name", "number"),
    [
        ("Phase", "PLAY", 3),
        ("DealEnd", "VOID", 8),
        ("MatchEnd", "TARGET", 2),
        ("Card", "7S", 8),
        ("MeldKind", "SET", 2),
    ],
)
def test_a_raw_number_that_moved_is_found(group: str, name: str, number: int) -> None:
    """A member of an enum that gets another number, or goes, is named."""
    today = raw_numbers()
    moved = {**today, group: {**today[group], name: number}}
    gone = {**today, group: {each: value for each, value in today[group].items() if each != name}}
    for mutated in (moved, gone):
        (wrong,) = changed(corpus.numbers(NEWEST_KEPT), mutated)
        assert wrong.startswith(f"{group}.{name} was ")


def test_an_option_or_a_layout_that_went_is_found() -> None:
    """So are an option that left the rules, and packed bytes of another layout."""
    today = raw_numbers()
    fewer = {group: values for group, values in today.items() if group != "gin.oklahoma"}
    assert changed(corpus.numbers(NEWEST_KEPT), fewer) == ["gin.oklahoma is gone"]
    assert changed(corpus.numbers(NEWEST_KEPT), {**today, "packed": {**today["packed"], "hand": "<QQH"}})
