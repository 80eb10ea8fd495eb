"""The example that plays a match: its player goes on for as long as there is something to play."""

from collections.abc import Iterable, Iterator

import pytest
from play_a_match import choose

from burraco import Client, Table, connect, moves
from burraco.table import Options
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveKind
from burraco.v1.rules_pb2 import BurracoRules, GinRules, Preset, RaminoRules, Scala40Rules
from burraco.v1.views_pb2 import Phase
from service.demo.server import serving

ONE_DEAL = BurracoRules(deals_per_match=1, target=0)
MOST_MOVES = 2_000
RESIGN = MoveKind.MOVE_KIND_RESIGN


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a real server."""
    with serving() as address, connect(address, timeout=20, options=[("grpc.enable_http_proxy", 0)]) as connected:
        yield connected.wait_ready(20)


PILE_HAS_TO_BE_TAKEN = (10, 13, 22)
"""Seeds with which the stock of a match for two runs out (B2-12), so that there is nothing else to do."""
MATCHES: list[tuple[Preset.ValueType, Options, Iterable[int]]] = [
    (Preset.PRESET_ITALIAN, ONE_DEAL, range(3)),
    (Preset.PRESET_TWO_PLAYER, ONE_DEAL, (*range(3), *PILE_HAS_TO_BE_TAKEN)),
    (Preset.PRESET_THREE_PLAYER, ONE_DEAL, range(3)),
    (Preset.PRESET_REALE, ONE_DEAL, range(3)),
    (Preset.PRESET_GIN, GinRules(target=10), range(3)),
    (Preset.PRESET_RAMINO, RaminoRules(limit=30), range(3)),
    (Preset.PRESET_SCALA_40, Scala40Rules(limit=30), range(3)),
]


@pytest.mark.parametrize(
    ("preset", "options", "seed"),
    [
        pytest.param(preset, options, seed, id=f"{Preset.Name(preset)}-{seed}")
        for preset, options, seeds in MATCHES
        for seed in seeds
    ],
)
def test_it_plays_every_game_to_its_end(client: Client, preset: Preset.ValueType, options: Options, seed: int) -> None:
    """A match ends by its rules, and nobody gives up on the way."""
    table = Table.create(client, preset, options=options, given_seed=bytes([seed]) * 32)
    for _ in range(MOST_MOVES):
        if table.phase == Phase.PHASE_MATCH_OVER:
            break
        if table.turn is None:
            table.next_deal()
            continue
        move = choose(table.legal(table.turn))
        assert not move.HasField("resign")
        table.play(table.turn, move)
    assert table.phase == Phase.PHASE_MATCH_OVER
    assert table.view().HasField("result")


@pytest.mark.parametrize(
    ("legal", "chosen"),
    [
        (LegalMoves(simple=[MoveKind.MOVE_KIND_DECLARE_STALEMATE, RESIGN], count=2), moves.declare_stalemate()),
        (LegalMoves(simple=[MoveKind.MOVE_KIND_PASS_UPCARD, RESIGN], count=2), moves.pass_upcard()),
        (LegalMoves(simple=[RESIGN], count=1), moves.resign()),
    ],
)
def test_it_gives_up_only_where_nothing_else_is_legal(legal: LegalMoves, chosen: Move) -> None:
    """A kind of move that it does not look for is played where no other is there."""
    assert choose(legal) == chosen
