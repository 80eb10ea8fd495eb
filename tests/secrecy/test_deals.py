"""What viewers are told of a deal: two decks that differ in cards hidden from a viewer are the same to him."""

import random
from typing import Any

import pytest

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import rules_pb2
from service.rules.events import SPECTATOR
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.state import Phase, State
from service.rules.stream import Stream
from tests.api.client import NEXT, everyone
from tests.secrecy.positions import states_of
from tests.secrecy.test_swaps import seeded
from tests.support.desk import Desk, open_desk
from tests.support.known import known
from tests.support.profile import FULL

PAIRS = 600 if FULL else 60
SHUFFLE = Stream.shuffle


def swap_dealt(monkeypatch: pytest.MonkeyPatch, one: int, other: int) -> None:
    """Let every shuffle end with two places of the deck changed for each other."""

    def shuffle(stream: Stream, cards: bytes) -> bytes:
        deck = bytearray(SHUFFLE(stream, cards))
        deck[one], deck[other] = deck[other], deck[one]
        return bytes(deck)

    monkeypatch.setattr(Stream, "shuffle", shuffle)


def compare_deals(desk: Desk, rpc: str, request: Any, size: int, rng: random.Random) -> int:  # noqa: ANN401  # of the rpc
    """Deal many times from decks with two places swapped; say how often a viewer could not know it."""
    before, first = _told(desk, rpc, request)
    hidden = 0
    for _ in range(PAIRS):
        with pytest.MonkeyPatch.context() as patch:
            swap_dealt(patch, *rng.sample(range(size), 2))
            after, told = _told(desk, rpc, request)
        assert len(desk.seal(before)) == len(desk.seal(after))
        for number, (one, other) in enumerate(zip(first, told, strict=True)):
            viewer = number if number < len(before.hands) else SPECTATOR
            if known(before, viewer) == known(after, viewer):
                assert one == other, (viewer, rpc)
                hidden += 1
    return hidden


def _told(desk: Desk, rpc: str, request: Any) -> tuple[State, list[bytes]]:  # noqa: ANN401  # of the rpc
    told = desk.ask(rpc, request.SerializeToString())
    assert told.code == "OK", told
    dealt = pb.CreateMatchResponse.FromString(told.answer)
    if rpc == "ApplyMoves":
        accepted = pb.ApplyMovesResponse.FromString(told.answer).accepted
        return desk.look(accepted.state), [update.SerializeToString() for update in accepted.updates]
    return desk.look(dealt.state), [update.SerializeToString() for update in dealt.updates]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_DESIGN_8_a_first_deal_tells_each_viewer_his_own_cards(preset: Preset) -> None:
    selection = rules_pb2.RulesSelection(preset=rules_pb2.Preset.ValueType(preset))
    rules: Any = PRESETS[preset]
    with open_desk() as desk:
        request = pb.CreateMatchRequest(
            rules=selection,
            given_seed=bytes(range(32)),
            given_seats=pb.GivenSeats(dealer=1),
            viewers=everyone(rules.players),
        )
        before, _ = _told(desk, "CreateMatch", request)
        size = sum(map(len, (before.stock, before.discard, *before.pozzetti))) + sum(hand.size for hand in before.hands)
        assert compare_deals(desk, "CreateMatch", request, size, seeded(preset)) > PAIRS / 4


@pytest.mark.parametrize("name", ["ITALIAN", "THREE_PLAYER", "pile covered", "RAMINO", "GIN", "SCALA_40"])
def test_DESIGN_8_a_next_deal_tells_each_viewer_his_own_cards(name: str) -> None:
    state = next(state for state in states_of(name) if state.phase is Phase.DEAL_OVER)
    with open_desk() as desk:
        viewers = everyone(len(state.hands))
        request = pb.ApplyMovesRequest(state=desk.seal(state), moves=[NEXT], viewers=viewers)
        size = sum(map(len, (state.stock, state.discard, *state.pozzetti))) + sum(hand.size for hand in state.hands)
        size += sum(len(meld.cards) for meld in state.melds)
        assert compare_deals(desk, "ApplyMoves", request, size, seeded(name)) > PAIRS / 4
