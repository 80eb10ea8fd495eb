"""Old states through a real server, and a change of versions over real processes while matches go on."""

import random
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from burraco.v1 import cards_pb2, moves_pb2, rules_pb2
from burraco.v1 import game_service_pb2 as pb
from service.wire.sealing import Format
from service.wire.storage.v1.stored_state_pb2 import StoredVersion
from service.wire.versions import NEWEST_VERSION
from tests.api.client import SECONDS, SPECTATOR, Api, choose, everyone
from tests.api.conftest import serving
from tests.server.processes import REAL, Process
from tests.states import corpus
from tests.states.corpus import Entry
from tests.states.next_release import NEXT

SHARE: Final = 4
"""Of the states one in so many is sent to a real server."""
ENTRIES: Final = [entry for version in corpus.versions() for entry in corpus.entries(version)][::SHARE]
OLD, OPEN_ONLY, PROMOTED = "old", "open only", "promoted"
RELEASES: Final = {
    OLD: (REAL, NEXT - 1),
    OPEN_ONLY: ("tests.states.next_release", NEXT - 1),
    PROMOTED: ("tests.states.next_release", NEXT),
}
"""The module of a release's server, and the version that it is told to write."""
GAMES: Final = (rules_pb2.PRESET_TWO_PLAYER, rules_pb2.PRESET_GIN, rules_pb2.PRESET_SCALA_40)
MOVES: Final = 6


# --- old states ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[Api]:
    """A server that has the published key among those that it opens with, and no other way to these states."""
    with serving(bytes(32), (corpus.KEY,)) as running:
        yield running


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_an_old_state_goes_on_over_the_wire(server: Api, entry: Entry) -> None:
    """A server shows an old state to everyone, plays the moves that were played then, and goes on with random ones."""
    state, players = entry.sealed, len(entry.readable["hands"])
    for viewer in everyone(players):
        view = server.stub.GetView(pb.GetViewRequest(state=state, viewer=viewer), timeout=SECONDS).view
        assert (view.revision, [side.match_points for side in view.sides]) == (
            entry.facts["revision"],
            entry.facts["points"],
        )
    listed = server.stub.ListLegalMoves(pb.ListLegalMovesRequest(state=state, seat=entry.facts["seat"]))
    assert listed.legal_moves.count == entry.facts["legal_moves"]
    for seat, move in entry.continuation["moves"]:
        accepted = server.apply(state, seat, moves_pb2.Move.FromString(b64decode(move))).accepted
        state = accepted.state
    then = server.stub.GetView(pb.GetViewRequest(state=state, viewer=SPECTATOR)).view
    assert then.revision == entry.continuation["then"]["revision"]
    assert [side.match_points for side in then.sides] == entry.continuation["then"]["points"]
    rng, match = random.Random(str(entry)), Match(state, then.turn, over=then.HasField("result"))
    for _ in range(20):
        if match.over:
            break
        match.move(server.stub, rng)


def test_an_old_state_needs_the_key_it_was_sealed_with(server: Api) -> None:
    """The measure: the published key is what opens them."""
    with serving(bytes(32)) as other:
        request = pb.GetViewRequest(state=ENTRIES[0].sealed, viewer=SPECTATOR)
        assert other.fail("GetView", request).reason == "STATE_KEY_UNKNOWN"
        assert server.stub.GetView(request, timeout=SECONDS).view.match_id


# --- a change of versions --------------------------------------------------------------------------------------------


@dataclass
class Match:
    """A match that is played on wherever it is sent."""

    state: bytes
    seat: int
    revision: int = field(default=0)
    over: bool = field(default=False)

    def move(self, stub: Any, rng: random.Random) -> None:  # noqa: ANN401  # a generated stub
        """Let a server list the moves and make one, and another seat's view be asked for."""
        legal = stub.ListLegalMoves(
            pb.ListLegalMovesRequest(state=self.state, seat=self.seat), timeout=SECONDS
        ).legal_moves
        request = pb.ApplyMovesRequest(
            state=self.state, seat=self.seat, moves=[choose(legal, rng)], viewers=[SPECTATOR]
        )
        answer = stub.ApplyMoves(request, timeout=SECONDS)
        assert answer.WhichOneof("outcome") == "accepted", answer
        after = answer.accepted
        self.state, self.revision = after.state, after.revision
        self.over = after.updates[0].view.HasField("result")
        if after.HasField("turn"):
            self.seat = after.turn


class Fleet:
    """Three replicas, each of some release; matches go through them in turn."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._replicas: list[ExitStack | None] = [None, None, None]
        self.processes: list[Process] = []
        self.calls = 0

    def put(self, place: int, release: str) -> None:
        """Let a replica of a release take a place, and the one that was there go."""
        module, version = RELEASES[release]
        replica = self._stack.enter_context(ExitStack())
        settings = {"sealing_key": b64encode(corpus.KEY).decode(), "state_version": str(version)}
        process = replica.enter_context(Process(module, settings))
        if (gone := self._replicas[place]) is not None:
            gone.close()
            self.processes[place] = process
        else:
            self.processes.insert(place, process)
        self._replicas[place] = replica

    def begin(self) -> list[Match]:
        """Begin a match of each game, each at another replica."""
        matches = []
        for place, preset in enumerate(GAMES):
            request = pb.CreateMatchRequest(
                rules=rules_pb2.RulesSelection(preset=preset),
                given_seed=bytes((place,)) * 32,
                viewers=[cards_pb2.Viewer(seat=0)],
            )
            created = self.processes[place].stub.CreateMatch(request, timeout=SECONDS)
            matches.append(Match(created.state, created.updates[0].view.turn))
        return matches

    def play(self, matches: list[Match], rng: random.Random) -> None:
        """Make moves in each match, every one at another replica than the one before."""
        for match in matches:
            for number in range(MOVES):
                if not match.over:
                    match.move(self.processes[number % 3].stub, rng)
                    self.calls += 2


def version_of(sealed: bytes) -> int:
    return StoredVersion.FromString(corpus.sealer().open(sealed, Format.STATE, "state")).version


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    """Three replicas of this release."""
    with ExitStack() as stack:
        made = Fleet(stack)
        for place in range(3):
            made.put(place, OLD)
        yield made


def test_a_change_of_versions_in_the_right_order_fails_no_call(fleet: Fleet) -> None:
    """First every replica learns to read the next version, then they write it: matches go on through all of them."""
    rng, matches = random.Random(1), fleet.begin()
    fleet.play(matches, rng)
    for release, written in ((OPEN_ONLY, {NEXT - 1}), (PROMOTED, {NEXT - 1, NEXT})):
        for place in range(3):
            fleet.put(place, release)
            matches += fleet.begin()
            fleet.play(matches, rng)
            assert {version_of(match.state) for match in matches} <= written
    fleet.play(matches, rng)
    assert {version_of(match.state) for match in matches if not match.over} == {NEXT}
    assert fleet.calls > 400
    for match in matches:
        assert match.revision >= MOVES


def test_a_change_of_versions_in_the_wrong_order_is_told_clearly(fleet: Fleet) -> None:
    """A replica that writes the next version before the others read it: they say which version and what to do."""
    rng, (match, *_) = random.Random(2), fleet.begin()
    fleet.put(0, PROMOTED)
    match.move(fleet.processes[0].stub, rng)
    for old in fleet.processes[1:]:
        with pytest.raises(grpc.RpcError) as caught:
            match.move(old.stub, rng)
        error: Any = caught.value
        info = error_details_pb2.ErrorInfo()
        assert any(detail.Unpack(info) for detail in rpc_status.from_call(error).details)
        assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert info.reason == "REASON_STATE_VERSION_UNKNOWN"
        assert dict(info.metadata) == {"version": str(NEXT), "supported": str(NEWEST_VERSION), "of": "state"}
        assert f"version {NEXT}; this server reads up to {NEWEST_VERSION}: upgrade it" in error.details()
    match.move(fleet.processes[0].stub, rng)
    fleet.put(1, OPEN_ONLY)
    match.move(fleet.processes[1].stub, rng)
    match.move(fleet.processes[2].stub, rng)
