"""New matches while releases change: made for every replica there is, or refused with what to do."""

from typing import Any, Final

import grpc
import pytest

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, rules_pb2
from service.api.authority import BACK_END
from service.api.call import Call
from service.api.errors import CallError
from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.rules.options import RULES_REVISION
from service.wire.sealing import Format
from service.wire.state_codec import StateCodec
from service.wire.tokens import TokenKeys
from tests.states import corpus
from tests.states.next_release import NEXT, OPTION, WITH_OPTION, WITHOUT_OPTION

SEALER: Final = corpus.sealer()
OLD: Final = StateCodec(NEXT - 1, WITHOUT_OPTION)
ISSUER: Final = Issuer(TokenKeys(bytes(32)), 3600)
OPEN_ONLY: Final = GameService(SEALER, ISSUER, StateCodec(NEXT - 1, WITH_OPTION))
PROMOTED_CODEC: Final = StateCodec(NEXT, WITH_OPTION)
PROMOTED: Final = GameService(SEALER, ISSUER, PROMOTED_CODEC)


def create(service: GameService, **options: Any) -> pb.CreateMatchResponse:  # noqa: ANN401  # options of Burraco
    """A match of the Italian preset, with options that the caller names."""
    selection = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN, burraco=rules_pb2.BurracoRules(**options))
    return service.create_match(pb.CreateMatchRequest(rules=selection, given_seed=bytes(32)), Call(BACK_END))


def test_a_preset_means_what_it_meant_until_everyone_knows_more() -> None:
    """A replica that writes the older version makes a preset's match as the old release does, which plays it."""
    created = create(OPEN_ONLY)
    assert created.rules.revision == RULES_REVISION
    assert created.rules.burraco.duplicate_sequences is False
    opened = OLD.decode(SEALER.open(created.state, Format.STATE, "state"))
    assert opened.rules.duplicate_sequences is False


def test_a_preset_means_what_it_says_after_the_promotion() -> None:
    """A promoted replica makes it with the new option's own value, under the new revision."""
    created = create(PROMOTED)
    assert created.rules.revision == RULES_REVISION + 1
    assert created.rules.burraco.duplicate_sequences is True


def test_what_a_caller_asks_for_is_never_changed_silently() -> None:
    """A caller that names the option gets it, or is told that it cannot be had yet; as before can always be had."""
    with pytest.raises(CallError) as caught:
        create(OPEN_ONLY, **{OPTION: True})
    error = caught.value
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
    )
    assert error.arguments == {"version": str(NEXT), "supported": str(NEXT - 1), "of": "state"}
    assert "BURRACO_STATE_VERSION" in error.message
    for service in (OPEN_ONLY, PROMOTED):
        assert create(service, **{OPTION: False}).rules.burraco.duplicate_sequences is False
    assert create(PROMOTED, **{OPTION: True}).rules.burraco.duplicate_sequences is True


def test_a_replay_is_sealed_as_a_new_match_is() -> None:
    """What a replay makes is read by every replica, or refused with what to do.

    An option that came later may be missing from a record, and means then what held before.
    """
    created = create(PROMOTED, **{OPTION: True})
    request = pb.ReplayMatchRequest(rules=created.rules, seed=bytes(32), given_seats=pb.GivenSeats(dealer=0))
    request.rules.revision = RULES_REVISION
    with pytest.raises(CallError) as caught:
        OPEN_ONLY.replay_match(request, Call(BACK_END))
    assert caught.value.reason == reasons_pb2.REASON_STATE_VERSION_UNKNOWN
    assert PROMOTED.replay_match(request, Call(BACK_END)).verified.state
    request.rules.burraco.ClearField(OPTION)
    for service in (OPEN_ONLY, PROMOTED):
        state = service.replay_match(request, Call(BACK_END)).verified.state
        opened = PROMOTED_CODEC.decode(SEALER.open(state, Format.STATE, "state"))
        assert opened.rules.duplicate_sequences is False


def test_the_rules_that_are_shown_are_those_that_a_match_gets() -> None:
    """GetRules says what CreateMatch pins."""
    request = pb.GetRulesRequest(rules=rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN))
    for service in (OPEN_ONLY, PROMOTED):
        assert service.get_rules(request, Call(BACK_END)).rules == create(service).rules
