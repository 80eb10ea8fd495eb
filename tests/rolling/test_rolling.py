"""Replicas, keys and state versions are exchanged under load: no call fails, and no answer is another one."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from burraco.v1 import arbiter_service_pb2, arbiter_service_pb2_grpc
from burraco.v1 import game_service_pb2 as pb
from burraco.v1.rules_pb2 import PRESET_ITALIAN
from service.wire.sealing import Format, Sealer
from service.wire.storage.v1.stored_state_pb2 import StoredVersion
from tests.api.client import SPECTATOR, only
from tests.rolling.fleet import REPLICAS, Fleet
from tests.rolling.load import Load, Match, create, play
from tests.server.processes import REAL, Process
from tests.server.stub import SECONDS, eventually
from tests.states.next_release import NEXT
from tests.support.profile import FULL

NEXT_RELEASE: Final = "tests.states.next_release"
PLAYERS: Final = 8 if FULL else 3
ROUNDS: Final = 5 if FULL else 1
SAMPLE: Final = 200 if FULL else 8
"""Matches that are played again, move by move."""
OLD_BYTES, NEW_BYTES = bytes(range(32)), bytes(range(32, 64))
OLD, NEW = b64encode(OLD_BYTES).decode(), b64encode(NEW_BYTES).decode()
QUICK: Final = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 400)]
"""So that the test does not wait long for clients to come back to a replica; the shipped client takes seconds."""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is to be ended with the test."""
    with ExitStack() as made:
        yield made


def call(method: Any, request: Any) -> Any:  # noqa: ANN401 - of a generated stub
    return method(request, timeout=SECONDS)


def view_of(stub: Any, state: bytes) -> Any:  # noqa: ANN401 - as above
    return call(stub.GetView, pb.GetViewRequest(state=state, viewer=SPECTATOR)).view


def refused(stub: Any, state: bytes) -> tuple[grpc.StatusCode, str, dict[str, str]]:  # noqa: ANN401 - as above
    """How a replica refuses a state."""
    with pytest.raises(grpc.RpcError) as caught:
        view_of(stub, state)
    error: Any = caught.value
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in rpc_status.from_call(error).details)
    return error.code(), info.reason, dict(info.metadata)


def played_again(stub: Any, match: Match) -> Match:  # noqa: ANN401 - as above
    """The same match at one replica, in peace."""
    again = create(call, stub, match.request)
    for seat, move in match.moves:
        assert again.seat == seat
        play(call, stub, again, move)
    return again


def require_all_well(load: Load, stub: Any, *, same_bytes: bool) -> None:  # noqa: ANN401 - as above
    """No call failed, and matches went as they go where nothing is exchanged."""
    assert load.failures == []
    matches = load.matches
    sample = matches[:: max(1, len(matches) // SAMPLE)]
    assert sum(len(match.moves) for match in sample) > 50
    for match in sample:
        again = played_again(stub, match)
        assert (again.seat, again.over) == (match.seat, match.over)
        assert view_of(stub, again.state) == view_of(stub, match.state)
        assert again.state == match.state or not same_bytes


def key_id(state: bytes) -> str:
    return state[1:5].hex()


def version_of(state: bytes) -> int:
    return StoredVersion.FromString(Sealer(OLD_BYTES).open(state, Format.STATE, "state")).version


def test_a_rolling_restart_fails_no_call(stack: ExitStack) -> None:
    """Replicas drain and come back one by one; the client is the shipped one, with its retries and its round robin."""
    settings = {"sealing_key": OLD, "drain_seconds": "1"}
    fleet = Fleet(stack, **settings)
    with Load(PLAYERS, fleet.target, []) as load:
        for _ in range(ROUNDS):
            for place in range(REPLICAS):
                fleet.exchange(place, load, **settings)
    require_all_well(load, fleet.processes[0].stub, same_bytes=True)
    assert load.calls > 200


def test_sealing_keys_are_changed_and_no_call_fails(stack: ExitStack) -> None:
    """All open with the new key, all seal with it, what lies idle is sealed anew, and then the old key goes."""
    fleet = Fleet(stack, sealing_key=OLD)
    old_id = ""
    with Load(PLAYERS, fleet.target, QUICK) as load:
        assert eventually(lambda: len(load.matches) >= PLAYERS)
        old_id = key_id(load.matches[0].state)
        for place in range(REPLICAS):
            fleet.exchange(place, load, sealing_key=OLD, opening_keys=NEW)
        assert {key_id(match.state) for match in load.matches} == {old_id}
        for place in range(REPLICAS):
            fleet.exchange(place, load, sealing_key=NEW, opening_keys=OLD)
        idle = [match for match in load.matches if key_id(match.state) == old_id]
        assert eventually(lambda: sum(key_id(match.state) != old_id for match in load.matches) > PLAYERS)
        playing = {id(player.matches[-1]) for player in load.players}
        idle = [match for match in idle if id(match) not in playing and key_id(match.state) == old_id]
        assert idle
        left_behind = idle[0].state
        seal_anew(stack, idle)
        assert eventually(lambda: old_id not in {key_id(match.state) for match in load.matches})
        for place in range(REPLICAS):
            fleet.exchange(place, load, sealing_key=NEW)
    require_all_well(load, fleet.processes[0].stub, same_bytes=True)
    for process in fleet.processes:
        assert refused(process.stub, left_behind) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "REASON_STATE_KEY_UNKNOWN",
            {"key_id": old_id},
        )


def seal_anew(stack: ExitStack, matches: list[Match]) -> None:
    """Move matches that nobody plays to the key that seals now, by an arbiter."""
    settings = {"sealing_key": NEW, "opening_keys": OLD, "arbiter_port": "0"}
    process = stack.enter_context(Process(REAL, settings))
    channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{process.announced['arbiter_port']}"))
    arbiter: Any = arbiter_service_pb2_grpc.ArbiterServiceStub(channel)
    for match in matches:
        shown = call(arbiter.InspectState, arbiter_service_pb2.InspectStateRequest(state=match.state))
        request = arbiter_service_pb2.ImportStateRequest(game_state=shown.game_state)
        match.state = call(arbiter.ImportState, request).state
        assert match.state


def test_a_key_promoted_too_early_is_told_clearly(stack: ExitStack) -> None:
    """A replica seals with a key that another does not open with: it names the key, and goes on once it has it."""
    request = pb.CreateMatchRequest(rules=only(PRESET_ITALIAN), given_seed=bytes(32), viewers=[SPECTATOR])
    promoted = stack.enter_context(Process(REAL, {"sealing_key": NEW, "opening_keys": OLD}))
    state = create(call, promoted.stub, request).state
    other = stack.enter_context(Process(REAL, {"sealing_key": OLD}))
    code, reason, arguments = refused(other.stub, state)
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "REASON_STATE_KEY_UNKNOWN")
    assert arguments == {"key_id": key_id(state)}
    told = stack.enter_context(Process(REAL, {"sealing_key": OLD, "opening_keys": NEW}))
    assert view_of(told.stub, state) == view_of(promoted.stub, state)


def test_the_state_version_is_changed_and_no_call_fails(stack: ExitStack) -> None:
    """The next release comes in, writing what the old one reads, and is promoted when the old one is gone.

    What happens in the wrong order: tests/states/test_over_the_wire.py.
    """
    settings = {"sealing_key": OLD}
    fleet = Fleet(stack, **settings)
    with Load(PLAYERS, fleet.target, QUICK) as load:
        for place in range(REPLICAS):
            fleet.exchange(place, load, NEXT_RELEASE, **settings, state_version=str(NEXT - 1))
        assert {version_of(match.state) for match in load.matches} == {NEXT - 1}
        for place in range(REPLICAS):
            fleet.exchange(place, load, NEXT_RELEASE, **settings, state_version=str(NEXT))
        begun = len(load.matches)
        assert eventually(lambda: len(load.matches) > begun + PLAYERS)
    assert {version_of(match.state) for match in load.matches} == {NEXT - 1, NEXT}
    assert {version_of(player.matches[-1].state) for player in load.players} == {NEXT}
    require_all_well(load, fleet.processes[0].stub, same_bytes=False)
