"""The client against the real server."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from burraco import Client, IllegalMove, RulesError, Table, connect, moves
from burraco.table import Options
from burraco.v1.game_service_pb2 import SuggestMovesRequest
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.rules_pb2 import Preset, RaminoRules, Scala40Rules
from burraco.v1.views_pb2 import Phase
from service.demo.server import SETTINGS, serving
from tests.support.transport import TRANSPORT

EXAMPLES = Path(__file__).resolve().parents[3] / "clients" / "python" / "examples"
NO_PROXY = [("grpc.enable_http_proxy", 0)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a real server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SETTINGS, "BURRACO_TRANSPORT", TRANSPORT)
        with serving() as found:
            yield found


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Client]:
    """A client of it."""
    with connect(address, timeout=20, options=NO_PROXY) as connected:
        yield connected.wait_ready(20)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("preset", "options"),
    [
        (Preset.PRESET_ITALIAN, None),
        (Preset.PRESET_TWO_PLAYER, None),
        (Preset.PRESET_RAMINO, RaminoRules(players=4)),
        (Preset.PRESET_GIN, None),
        (Preset.PRESET_SCALA_40, Scala40Rules(players=3, opening_points=0)),
    ],
)
def test_the_expansion_is_exact(client: Client, preset: Preset.ValueType, options: Options | None, seed: int) -> None:
    """Along random play every list expands to as many moves as it counts, all different, and those tried are legal."""
    chance = random.Random(seed)
    table = Table.create(client, preset, options=options, given_seed=bytes([seed]) * 32)
    for _ in range(150):
        if table.turn is None:
            if table.phase == Phase.PHASE_MATCH_OVER:
                break
            table.next_deal()
            assert table.turn is not None
        legal = table.legal(table.turn)
        expanded = list(moves.expand(legal))
        assert len(expanded) == legal.count
        assert len({move.SerializeToString(deterministic=True) for move in expanded}) == legal.count
        playable = [move for move in expanded if not move.HasField("resign")]
        for move in chance.sample(playable, min(3, len(playable))):
            assert table.check(table.turn, move) == ()
        table.play(table.turn, chance.choice(playable))


def test_a_state_goes_on_elsewhere(client: Client) -> None:
    """A state that was kept is all that it takes to go on."""
    table = Table.create(client, Preset.PRESET_FIBUR, given_seed=bytes(32), dealer=3)
    assert (table.revision, table.turn, table.phase) == (0, 0, Phase.PHASE_DRAW)
    table.play(0, moves.draw())
    again = Table.resume(client, table.state)
    assert (again.revision, again.turn, again.phase) == (table.revision, table.turn, table.phase)
    assert again.view(0) == table.view(0)


def test_a_refused_move_says_why_and_changes_nothing(client: Client) -> None:
    """Check and play tell the same violations, and the table goes on as if nothing had been asked."""
    table = Table.create(client, given_seed=bytes(32), dealer=3)
    state = table.state
    with pytest.raises(IllegalMove) as refused:
        table.play(0, moves.meld("7S 8S"))
    assert Reason.REASON_MUST_DRAW_FIRST in refused.value.reasons
    assert table.check(0, moves.meld("7S 8S")) == refused.value.violations
    assert table.state == state
    table.play(0, moves.draw())


def test_a_move_in_between_is_noticed(client: Client) -> None:
    """A move sent with an older revision than the state's is aborted, with a reason."""
    table = Table.create(client, given_seed=bytes(32), dealer=3)
    table.revision = 7
    with pytest.raises(RulesError) as caught:
        table.play(0, moves.draw())
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.ABORTED, Reason.REASON_REVISION_MISMATCH)
    assert caught.value.arguments == {"expected": "7", "actual": "0"}


def test_bad_requests_name_their_fields(client: Client) -> None:
    """A failed call has its reason and the path of the field that is wrong."""
    table = Table.create(client, given_seed=bytes(32))
    with pytest.raises(RulesError) as caught:
        table.view(9)
    assert (caught.value.code, caught.value.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        Reason.REASON_FIELD_OUT_OF_RANGE,
    )
    assert [(wrong.field, wrong.reason) for wrong in caught.value.fields] == [
        ("viewer.seat", Reason.REASON_FIELD_OUT_OF_RANGE)
    ]


def test_what_is_not_built_says_so(client: Client) -> None:
    """An RPC that is not built yet ends with a reason, as docs/rpcs.md says."""
    with pytest.raises(RulesError) as caught:
        client.call(client.stub.SuggestMoves, SuggestMovesRequest())
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNIMPLEMENTED, Reason.REASON_NOT_BUILT)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_examples_run(example: Path, address: str) -> None:
    """Each example runs against a server to its end."""
    done = subprocess.run([sys.executable, example, address], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout
