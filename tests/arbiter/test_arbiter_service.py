"""The arbiter over the wire: what it opens it seals again, byte by byte, and nothing makes it fail."""

import random
from typing import Any, Final

import grpc
import pytest

from burraco.v1 import arbiter_service_pb2 as pb
from burraco.v1 import game_service_pb2, reasons_pb2, state_pb2
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.wire.open_state import MOST_DEFECTS, open_message
from service.wire.sealing import Format
from service.wire.state_codec import encode_state
from service.wire.versions import WRITTEN_VERSION
from tests.arbiter.conftest import Both
from tests.server.stub import failure, refusal
from tests.support.mutations import mutate
from tests.support.profile import FULL
from tests.support.walks import pool_of, start

TRIES: Final = 3000 if FULL else 150
INSPECT: Final = "/burraco.v1.ArbiterService/InspectState"
IMPORT: Final = "/burraco.v1.ArbiterService/ImportState"


def sealed(both: Both, preset: Preset = Preset.ITALIAN, seed: int = 1) -> bytes:
    """A sealed state of a new match."""
    return both.sealer.seal(encode_state(start(PRESETS[preset], seed)), Format.STATE)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_what_was_inspected_is_imported_byte_by_byte(both: Both, preset: Preset) -> None:
    """InspectState and ImportState undo each other."""
    for state in pool_of(preset)[:: 1 if FULL else 25]:
        before = both.sealer.seal(encode_state(state), Format.STATE)
        shown = both.arbiter.InspectState(pb.InspectStateRequest(state=before))
        assert (list(shown.defects), shown.state_version) == ([], WRITTEN_VERSION)
        assert shown.game_state == open_message(state)
        after = both.arbiter.ImportState(pb.ImportStateRequest(game_state=shown.game_state))
        assert (list(after.defects), after.state) == ([], before)


def test_an_imported_state_is_played_on(both: Both) -> None:
    """The game takes what the arbiter seals."""
    imported = both.arbiter.ImportState(pb.ImportStateRequest(game_state=open_message(start(PRESETS[Preset.GIN], 5))))
    request = game_service_pb2.ApplyMovesRequest(state=imported.state, seat=both_turn(both, imported.state))
    request.moves.add().pass_upcard.SetInParent()
    assert both.game.ApplyMoves(request).HasField("accepted")


def both_turn(both: Both, state: bytes) -> int:
    """The seat to move."""
    return int(both.arbiter.InspectState(pb.InspectStateRequest(state=state)).game_state.turn)


def test_a_state_with_defects_is_shown_and_told(both: Both) -> None:
    """What every other RPC refuses can still be looked at."""
    state = start(PRESETS[Preset.ITALIAN], 1)._replace(deals_scored=7, seat=9)
    broken = both.sealer.seal(encode_state(state), Format.STATE)
    shown = both.arbiter.InspectState(pb.InspectStateRequest(state=broken))
    assert [(each.field, each.reason) for each in shown.defects] == [
        ("turn", reasons_pb2.REASON_DEFECT_OUT_OF_RANGE),
        ("deals_scored", reasons_pb2.REASON_DEFECT_COUNTER),
    ]
    assert shown.game_state.turn == 9
    request = game_service_pb2.GetViewRequest(state=broken)
    request.viewer.seat = 0
    failed = failure(lambda: both.game.GetView(request))
    assert failed.info.reason == "REASON_STATE_AUDIT_FAILED"
    # The caller of the game is told where, but no value.
    assert failed.info.metadata["defect"].startswith(("turn ", "deals_scored "))
    assert "7" not in failed.info.metadata["defect"]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "REASON_FIELD_MISSING"),
        (b"?" * 60, "REASON_STATE_MALFORMED"),
        (b"\x01" + b"?" * 60, "REASON_STATE_KEY_UNKNOWN"),
    ],
)
def test_what_cannot_be_opened_fails(both: Both, payload: bytes, reason: str) -> None:
    """What is no state of this service is no answer with defects, but a call that fails."""
    assert failure(lambda: both.arbiter.InspectState(pb.InspectStateRequest(state=payload))).info.reason == reason


def test_what_cannot_be_read_fails(both: Both) -> None:
    """A seal of ours over something that is no state."""
    broken = both.sealer.seal(b"\xff\xff", Format.STATE)
    failed = failure(lambda: both.arbiter.InspectState(pb.InspectStateRequest(state=broken)))
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REASON_STATE_AUDIT_FAILED")


def test_nothing_to_import_fails(both: Both) -> None:
    """The request has to have a state."""
    failed = failure(lambda: both.arbiter.ImportState(pb.ImportStateRequest()))
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REASON_FIELD_MISSING")


def test_more_defects_than_are_told_are_counted(both: Both) -> None:
    """A state can be wrong in a hundred thousand places; the answer stays small."""
    state = open_message(start(PRESETS[Preset.ITALIAN], 1))
    for hand in state.hands:
        del hand.cards[:]
        hand.cards.extend([99] * 100)  # type: ignore[list-item]  # a number that is no card
    answer = both.arbiter.ImportState(pb.ImportStateRequest(game_state=state))
    assert len(answer.defects) == MOST_DEFECTS + 1
    assert (answer.defects[-1].field, answer.state) == ("", b"")
    assert int(answer.defects[-1].arguments[0].value) > 200


def test_lists_without_an_end_are_not_read_to_it(both: Both) -> None:
    """Each list may be as long as a message: one defect says so."""
    state = open_message(start(PRESETS[Preset.ITALIAN], 1))
    state.stock.extend([1] * 100_000)  # type: ignore[list-item]  # a number of a card
    state.unseen_seats.extend([3] * 50_000)
    answer = both.arbiter.ImportState(pb.ImportStateRequest(game_state=state))
    told = [(each.field, each.reason) for each in answer.defects]
    assert told == [
        ("unseen_seats", reasons_pb2.REASON_DEFECT_LENGTH),
        ("stock", reasons_pb2.REASON_DEFECT_LENGTH),
    ]


def outcome(both: Both, method: str, payload: bytes) -> grpc.StatusCode:
    """How a call ends, whatever is sent."""
    call: Any = both.arbiter_channel.unary_unary(method)
    try:
        call(payload, timeout=60)
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        return code
    return grpc.StatusCode.OK


def test_no_input_is_a_fault_of_the_service(both: Both) -> None:
    """Random bytes, states cut and changed, states of other games put in: never INTERNAL."""
    rng = random.Random(9)
    taken = {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}
    pools = [pool_of(preset) for preset in PRESETS]
    for _ in range(TRIES):
        one, other = rng.choice(rng.choice(pools)), rng.choice(rng.choice(pools))
        state = mutate(open_message(one), open_message(other), rng)
        payload = bytearray(pb.ImportStateRequest(game_state=state).SerializeToString())
        if rng.random() < 0.5:
            for _ in range(rng.choice((1, 3, 10))):
                payload[rng.randrange(len(payload))] = rng.randrange(256)
        assert outcome(both, IMPORT, bytes(payload)) in taken
        stored = bytearray(encode_state(one))
        stored[rng.randrange(len(stored))] ^= 1 << rng.randrange(8)
        broken = both.sealer.seal(bytes(stored), Format.STATE)
        assert outcome(both, INSPECT, pb.InspectStateRequest(state=broken).SerializeToString()) in taken | {
            grpc.StatusCode.FAILED_PRECONDITION
        }
        assert outcome(both, rng.choice((INSPECT, IMPORT)), rng.randbytes(rng.randrange(200))) in taken


def test_the_log_never_shows_what_was_asked(both: Both) -> None:
    """One line a call, with reasons and codes; no card, no seed, no state."""
    state = start(PRESETS[Preset.ITALIAN], 1)
    message = open_message(state)
    message.deals_scored = 7
    both.log.truncate(0)
    both.arbiter.InspectState(pb.InspectStateRequest(state=sealed(both)))
    both.arbiter.ImportState(pb.ImportStateRequest(game_state=message))
    text = both.log.getvalue()
    assert text.count('"event": "call"') == 2
    assert "REASON_DEFECT_COUNTER" in text
    assert "game_state" not in text
    for secret in (message.fairness.seed.hex(), message.match_id.hex(), "CARD_", "deals_scored"):
        assert secret not in text


# --- ports ------------------------------------------------------------------------------------------------------------


def test_the_port_of_the_game_does_not_know_the_arbiter(both: Both) -> None:
    """It answers like any method that is none, and tells of no other port."""
    call: Any = both.game_channel.unary_unary(INSPECT)
    refused: Any = refusal(lambda: call(b""))
    assert refused.code() is grpc.StatusCode.UNIMPLEMENTED
    assert str(both.servers.arbiter and both.servers.arbiter.port) not in refused.details()


def test_the_port_of_the_arbiter_does_not_know_the_game(both: Both) -> None:
    """It serves the arbiter and health, and nothing else."""
    call: Any = both.arbiter_channel.unary_unary("/burraco.v1.GameService/ListPresets")
    assert refusal(lambda: call(b"")).code() is grpc.StatusCode.UNIMPLEMENTED


def test_an_empty_state_is_an_answer(both: Both) -> None:
    """A state without anything has defects, and the call is fine."""
    answer = both.arbiter.ImportState(pb.ImportStateRequest(game_state=state_pb2.GameState()))
    assert [each.field for each in answer.defects] == ["rules", "fairness", "phase"]
