"""The version written and the versions read are separate: two releases side by side, seen from their codecs."""

import random
from dataclasses import replace
from typing import Any, Final

import pytest

from burraco.v1 import reasons_pb2, rules_pb2
from service.rules.games import PRESETS, game_of
from service.rules.gin.options import GIN
from service.rules.moves import Move
from service.rules.options import RULES_REVISION
from service.rules.presets import ITALIAN
from service.rules.state import State
from service.wire.faults import Fault
from service.wire.state_codec import VERSIONS, StateCodec, Versions
from service.wire.state_forms import FORMS, StateForm
from service.wire.storage.v1.stored_state_pb2 import StoredState, StoredVersion
from service.wire.versions import NEWEST_VERSION, OLDEST_VERSION, WRITTEN_VERSION
from tests.states.next_release import (
    NEXT,
    OPTION,
    REVISIONS,
    VERSIONS_THEN,
    WITH_OPTION,
    WITHOUT_OPTION,
    NextState,
    codec,
)
from tests.support.walks import choose, every_pool, pool, start

NOW: Final = StateCodec()
OPEN_ONLY: Final = codec(NEXT - 1)
PROMOTED: Final = codec(NEXT)
OLD_OF_OPTION: Final = StateCodec(NEXT - 1, WITHOUT_OPTION)
OPEN_ONLY_WITH_OPTION: Final = StateCodec(NEXT - 1, WITH_OPTION)
PROMOTED_WITH_OPTION: Final = StateCodec(NEXT, WITH_OPTION)
AS_BEFORE: Final = replace(ITALIAN, duplicate_sequences=False)
"""Rules in which the option that comes with the next version is as it was before."""
UNKNOWN: Final = reasons_pb2.REASON_STATE_VERSION_UNKNOWN


def states() -> list[State]:
    """States of every kind."""
    return [*pool(), *every_pool()]


def version_of(stored: bytes) -> int:
    return StoredVersion.FromString(stored).version


def refused(codec_: StateCodec, stored: bytes) -> Fault:
    with pytest.raises(Fault) as caught:
        codec_.decode(stored)
    return caught.value


# --- this release ----------------------------------------------------------------------------------------------------


def test_the_numbers_fit_each_other() -> None:
    """What is written by default is read, and every version that is read has its form."""
    assert OLDEST_VERSION <= WRITTEN_VERSION <= NEWEST_VERSION
    assert sorted(FORMS) == list(range(OLDEST_VERSION, NEWEST_VERSION + 1))
    assert NEWEST_VERSION - WRITTEN_VERSION <= 1
    assert all(1 <= form.rules_revision <= RULES_REVISION for form in FORMS.values())
    assert FORMS[NEWEST_VERSION].rules_revision == RULES_REVISION


def test_the_newest_form_is_what_is_written_in() -> None:
    """The message that states are made into is the one that the newest version is parsed with."""
    written = VERSIONS.write(start(ITALIAN, 1))
    assert isinstance(written, FORMS[NEWEST_VERSION].message)
    assert written.version == NEWEST_VERSION
    assert NOW.new_matches.revision == FORMS[WRITTEN_VERSION].rules_revision


@pytest.mark.parametrize("version", [OLDEST_VERSION - 1, NEWEST_VERSION + 1])
def test_a_version_that_is_not_read_is_not_written(version: int) -> None:
    """A codec cannot be told to write what it does not read."""
    with pytest.raises(ValueError, match=str(version)):
        StateCodec(version)


# --- the next release, writing the version before --------------------------------------------------------------------


def test_open_only_writes_what_this_release_reads() -> None:
    """A release that reads the next version and writes this one makes the bytes of this release, and reads them."""
    for state in states():
        stored = OPEN_ONLY.encode(state)
        assert version_of(stored) == NEXT - 1
        assert NOW.decode(stored) == state
        assert OPEN_ONLY.decode(stored) == OPEN_ONLY.decode(PROMOTED.encode(state)) == state
        assert stored == NOW.encode(state)


def test_open_only_reads_the_states_of_this_release() -> None:
    """Whatever this release wrote, the next one reads, whichever version that writes."""
    for state in states():
        stored = NOW.encode(state)
        for newer in (OPEN_ONLY, PROMOTED):
            assert newer.decode(stored) == state


def test_what_was_promoted_can_be_read_and_goes_on_in_the_older_version() -> None:
    """During the promotion some replicas write the next version and some this one: each reads both."""
    state = start(AS_BEFORE, 4)
    for number in range(12):
        outcome: Any = game_of(state).play(state, state.seat, _move(state))
        one, other = (OPEN_ONLY, PROMOTED) if number % 2 else (PROMOTED, OPEN_ONLY)
        state = one.decode(other.encode(outcome.state))
        assert state == outcome.state


def _move(state: State) -> Move:
    return choose(state, state.seat, random.Random(1))


# --- the next release, promoted --------------------------------------------------------------------------------------


def test_promoted_writes_the_next_version() -> None:
    """The field that came with it is there, and an older state gets it from the upcaster."""
    for state in states():
        stored = PROMOTED.encode(state)
        assert version_of(stored) == NEXT
        assert NextState.FromString(stored).cards_in_hands == sum(hand.size for hand in state.hands)
        assert PROMOTED.decode(stored) == state


def test_this_release_refuses_the_next_version_naming_both() -> None:
    """A state of a version that nobody here knows says which it is, and which is the newest that is read."""
    fault = refused(NOW, PROMOTED.encode(start(AS_BEFORE, 1)))
    assert fault.reason == UNKNOWN
    assert fault.arguments == {"version": str(NEXT), "supported": str(NEWEST_VERSION), "of": "state"}
    assert f"version {NEXT}" in str(fault)
    assert f"up to {NEWEST_VERSION}" in str(fault)


def test_an_upcaster_is_what_makes_the_next_version() -> None:
    """Without it the next release would miss what it reads."""
    forms = {**VERSIONS_THEN.forms, NEXT - 1: StateForm()}
    broken = StateCodec(NEXT, Versions(forms, VERSIONS_THEN.write, VERSIONS_THEN.read, REVISIONS))
    with pytest.raises((Fault, AttributeError)):
        broken.decode(NOW.encode(start(AS_BEFORE, 1)))


def test_a_field_of_the_next_version_in_a_state_of_this_one_is_refused() -> None:
    """By the old release, and by the next: a version has the fields that it has."""
    message = NextState.FromString(PROMOTED.encode(start(AS_BEFORE, 1)))
    message.version = NEXT - 1
    for reader in (NOW, OPEN_ONLY, PROMOTED):
        assert refused(reader, message.SerializeToString()).reason == reasons_pb2.REASON_STATE_AUDIT_FAILED


# --- what an older version has no room for ---------------------------------------------------------------------------


NEEDS_NEXT: Final = {
    "a younger option": start(ITALIAN, 1),
    "a younger revision": start(replace(AS_BEFORE, revision=RULES_REVISION + 1), 1),
    "a younger revision of Gin": start(replace(GIN, revision=RULES_REVISION + 1), 1),
    "no room in a field": start(AS_BEFORE, 1)._replace(deal_number=100),
}


@pytest.mark.parametrize("name", NEEDS_NEXT)
def test_a_new_match_is_not_made_where_old_releases_could_not_play_it(name: str) -> None:
    """What needs the next version is refused while this one is written, with what to do; promoted it is made."""
    with pytest.raises(Fault) as caught:
        OPEN_ONLY_WITH_OPTION.encode_new(NEEDS_NEXT[name])
    fault = caught.value
    assert (fault.field, fault.reason) == ("rules", UNKNOWN)
    assert fault.arguments == {"version": str(NEXT), "supported": str(NEXT - 1), "of": "state"}
    assert "BURRACO_STATE_VERSION" in str(fault)
    stored = PROMOTED_WITH_OPTION.encode_new(NEEDS_NEXT[name])
    assert PROMOTED_WITH_OPTION.decode(stored) == NEEDS_NEXT[name]


@pytest.mark.parametrize("name", NEEDS_NEXT)
def test_a_match_that_needs_the_next_version_keeps_it(name: str) -> None:
    """A replica that writes this version does not cut a match that another one promoted: it writes that as it was."""
    promoted = PROMOTED_WITH_OPTION.encode(NEEDS_NEXT[name])
    kept = OPEN_ONLY_WITH_OPTION.encode(OPEN_ONLY_WITH_OPTION.decode(promoted))
    assert kept == promoted
    assert refused(OLD_OF_OPTION, kept).reason == UNKNOWN


def test_a_new_match_as_before_is_made_in_either_version() -> None:
    """A younger option that is as it was before changes nothing: it stays out of the older version, which is read."""
    for state in (start(AS_BEFORE, 1), start(GIN, 1)):
        stored = OPEN_ONLY_WITH_OPTION.encode_new(state)
        assert version_of(stored) == NEXT - 1
        assert OLD_OF_OPTION.decode(stored) == OPEN_ONLY_WITH_OPTION.decode(stored) == state
        assert version_of(PROMOTED_WITH_OPTION.encode_new(state)) == NEXT
    pinned = StoredState.FromString(OPEN_ONLY_WITH_OPTION.encode_new(start(AS_BEFORE, 1))).rules
    assert not rules_pb2.Rules.FromString(pinned).burraco.HasField(OPTION)


def test_an_option_missing_from_an_old_state_means_what_held_before_it() -> None:
    """A match from before the option goes on as it began, whatever the preset says today."""
    message = StoredState.FromString(NOW.encode(start(ITALIAN, 1)))
    pinned = rules_pb2.Rules.FromString(message.rules)
    pinned.burraco.ClearField(OPTION)
    message.rules = pinned.SerializeToString()
    for reader in (OPEN_ONLY_WITH_OPTION, PROMOTED_WITH_OPTION):
        assert reader.decode(message.SerializeToString()).rules == AS_BEFORE
    assert ITALIAN.duplicate_sequences


# --- revisions of the rules ------------------------------------------------------------------------------------------


def test_new_matches_get_the_revision_that_every_reader_knows() -> None:
    """The revision of new matches follows the version written: one number is promoted, not two."""
    assert NOW.new_matches.revision == OPEN_ONLY.new_matches.revision == RULES_REVISION
    assert PROMOTED.new_matches.revision == RULES_REVISION + 1


def test_running_matches_keep_their_revision() -> None:
    """A match of the old revision is still one after the promotion, through as many moves as it has."""
    state = start(AS_BEFORE, 2)
    for _ in range(20):
        outcome: Any = game_of(state).play(state, state.seat, _move(state))
        state = PROMOTED.decode(PROMOTED.encode(outcome.state))
    assert state.match.rules.revision == RULES_REVISION


def test_a_newer_revision_is_refused_naming_both() -> None:
    """A match pinned to newer rules is FAILED_PRECONDITION like a newer version, and says that it is the rules."""
    state = start(replace(ITALIAN, revision=RULES_REVISION + 1), 1)
    message = StoredState.FromString(NOW.encode(state))
    fault = refused(NOW, message.SerializeToString())
    assert fault.reason == UNKNOWN
    assert fault.arguments == {"version": str(RULES_REVISION + 1), "supported": str(RULES_REVISION), "of": "rules"}
    assert f"revision {RULES_REVISION + 1}" in str(fault)
    assert f"up to {RULES_REVISION}" in str(fault)


def test_every_preset_can_be_begun_by_this_release() -> None:
    """No preset needs more than the version that is written by default."""
    for rules in PRESETS.values():
        assert version_of(NOW.encode_new(start(rules, 1))) == WRITTEN_VERSION
