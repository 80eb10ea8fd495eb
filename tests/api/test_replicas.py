"""Nothing is kept between calls: any replica answers any call, at the same time as any other, and keys are changed."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc

from burraco.v1 import game_service_pb2 as pb
from tests.api.client import DRAW, EVERYONE, FIBUR, ITALIAN, KEY, SPECTATOR, Api, choose, discard, play_on
from tests.api.conftest import Serve

NEW: Final = bytes(reversed(KEY))
MATCHES: Final = 6


def transcript(api: Api, seed: int, steps: int) -> list[bytes]:
    """A match played through the wire: every answer, byte for byte."""
    created = api.create(FIBUR if seed % 2 else ITALIAN, seed, viewers=EVERYONE)
    played = play_on(api, created.state, created.updates[0].view.turn, random.Random(seed), steps)
    return [created.SerializeToString(), *(step.accepted.SerializeToString() for step in played)]


def test_any_replica_answers_any_call(api: Api, serve: Serve) -> None:
    """A match whose calls go to three replicas in turn goes like one that is played with a single one."""
    replicas = [api, serve(KEY), serve(KEY)]
    rng, other_rng = random.Random(3), random.Random(3)
    alone = replicas[0].create(seed=3)
    state, seat = alone.state, alone.updates[0].view.turn
    there, turn = replicas[1].create(seed=3).state, seat
    for number in range(60):
        one, two = replicas[number % 3], replicas[(number + 1) % 3]
        accepted = api.apply(state, seat, choose(api.legal(state, seat), rng), viewers=EVERYONE).accepted
        moved = one.apply(there, turn, choose(two.legal(there, turn), other_rng), viewers=EVERYONE).accepted
        assert moved == accepted
        state, seat, there, turn = accepted.state, accepted.turn, moved.state, moved.turn


def test_matches_side_by_side_do_not_mix(api: Api) -> None:
    """Matches played at the same time, some of them twice, go as they go alone."""
    alone = [transcript(api, seed, 80) for seed in range(MATCHES)]
    with ThreadPoolExecutor(2 * MATCHES) as threads:
        together = list(threads.map(lambda seed: transcript(api, seed % MATCHES, 80), range(2 * MATCHES)))
    assert together == alone * 2


def test_a_match_goes_on_while_keys_are_changed(serve: Serve) -> None:
    """First every server opens with the new key, then they seal with it, then the old one goes: no call fails."""
    before, open_only, promoted, after = serve(KEY), serve(KEY, NEW), serve(NEW, KEY), serve(NEW)
    created = before.create(seed=8, given_seats=pb.GivenSeats(dealer=3))
    state, seat = created.state, 0
    for server in (open_only, promoted, open_only, promoted, after):
        drawn = server.apply(state, seat, DRAW).accepted
        hand = drawn.updates[0].view.seats[seat].hand
        state = server.apply(drawn.state, seat, discard(hand[0])).accepted.state
        seat = (seat + 1) % 4
    view = pb.GetViewRequest(state=state, viewer=SPECTATOR)
    outcome = before.fail("GetView", view)
    assert (outcome.code, outcome.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "STATE_KEY_UNKNOWN")
    assert outcome.info.metadata["key_id"] == state[1:5].hex()
    assert after.send("GetView", view.SerializeToString()).code == grpc.StatusCode.OK
    old = pb.GetViewRequest(state=created.state, viewer=SPECTATOR)
    assert after.fail("GetView", old).reason == "STATE_KEY_UNKNOWN"


def test_a_committed_seed_outlives_a_change_of_keys(serve: Serve) -> None:
    """A seed that was committed to before is taken after, and makes the match that it would have made."""
    before, promoted = serve(KEY), serve(NEW, KEY)
    committed = before.stub.CommitSeed(pb.CommitSeedRequest())
    request = pb.CreateMatchRequest(rules=ITALIAN, sealed_seed=committed.sealed_seed, entropy=[b"a"], viewers=EVERYONE)
    one, other = before.stub.CreateMatch(request), promoted.stub.CreateMatch(request)
    assert one.state != other.state
    assert list(one.updates) == list(other.updates)


def test_the_order_of_cards_in_a_request_means_nothing(api: Api) -> None:
    """The same move written with its cards in another order makes the same state."""
    for step in play_on(
        api, (created := api.create(seed=12)).state, created.updates[0].view.turn, random.Random(12), 90
    ):
        (move,) = step.request.moves
        kind = move.WhichOneof("kind")
        if kind not in {"meld", "lay_off"}:
            continue
        other = pb.ApplyMovesRequest()
        other.CopyFrom(step.request)
        cards = other.moves[0].meld.cards if kind == "meld" else other.moves[0].lay_off.cards
        cards[:] = list(reversed(cards))
        answer = pb.ApplyMovesResponse.FromString(api.send("ApplyMoves", other.SerializeToString()).answer)
        assert answer.accepted == step.accepted
