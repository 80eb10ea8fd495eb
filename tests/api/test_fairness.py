"""Where a match comes from: the same request makes the same match, and players can check that nobody chose the deck."""

import hashlib
import random
from typing import Any, Final

import pytest

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import rules_pb2, views_pb2
from service.rules.cards import texts
from tests.api.client import EVERYONE, FIBUR, ITALIAN, NEXT, RESIGN, SECONDS, SPECTATOR, Api, play_on
from tests.fairness.test_shuffle import below, shuffled, words

ENTROPY: Final = [b"first", b"\x00", b"third" * 12, b"fourth"]
SHORT: Final = rules_pb2.RulesSelection(
    preset=rules_pb2.PRESET_ITALIAN, burraco=rules_pb2.BurracoRules(target=0, deals_per_match=2)
)


def request(**fields: Any) -> pb.CreateMatchRequest:  # noqa: ANN401 - fields of the request
    chosen: dict[str, Any] = {"rules": ITALIAN, "viewers": EVERYONE} | fields
    return pb.CreateMatchRequest(**chosen)


def create(api: Api, **fields: Any) -> pb.CreateMatchResponse:  # noqa: ANN401 - see request
    return api.stub.CreateMatch(request(**fields), timeout=SECONDS)


def commit(api: Api) -> pb.CommitSeedResponse:
    return api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS)


def hands(api: Api, created: pb.CreateMatchResponse) -> list[bytes]:
    """What everyone holds, looked at with the key."""
    return [hand.cards() for hand in api.open(created.state).hands]


# --- the same match --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["given_seed", "sealed_seed"])
def test_the_same_request_makes_the_same_match(api: Api, source: str) -> None:
    """With a request id and a seed of its own a request has one answer, byte for byte: a retry is harmless.

    But for the tokens, whose time goes on, except in these tests.
    """
    seed = bytes(range(32)) if source == "given_seed" else commit(api).sealed_seed
    payload = request(request_id="our match 17", **{source: seed}).SerializeToString()
    answers = {api.send("CreateMatch", payload).answer for _ in range(3)}
    assert len(answers) == 1


def test_another_request_id_makes_another_match_of_the_same_deck(api: Api) -> None:
    """The request id names the match and nothing else: with the same seed the same cards are dealt."""
    one, other = (create(api, given_seed=bytes(32), request_id=name) for name in ("one", "other"))
    assert one.match_id != other.match_id
    assert one.state != other.state
    assert hands(api, one) == hands(api, other)


def test_another_seed_makes_another_match(api: Api) -> None:
    """With the same request id another seed makes another match of another deck."""
    one, other = (create(api, given_seed=seed, request_id="one") for seed in (bytes(32), bytes(31) + b"\x01"))
    assert one.match_id != other.match_id
    assert hands(api, one) != hands(api, other)


def test_other_entropy_makes_another_match(api: Api) -> None:
    """Each player's bytes count, and whose they are."""
    sealed = commit(api).sealed_seed
    choices: tuple[list[bytes], ...] = ([b"ab", b"c"], [b"a", b"bc"], [b"c", b"ab"], [b"ab"], [])
    created = [create(api, sealed_seed=sealed, entropy=entropy) for entropy in choices]
    assert len({match.match_id for match in created}) == len(choices)
    assert len({b"".join(hands(api, match)) for match in created}) == len(choices)


def test_without_a_seed_every_match_is_another(api: Api) -> None:
    """The service draws a seed of its own for each call, even for the same request id."""
    created = [create(api, request_id="the same") for _ in range(5)]
    assert len({match.match_id for match in created}) == 5
    assert len({b"".join(hands(api, match)) for match in created}) == 5


def test_other_rules_make_another_state_of_the_same_deck(api: Api) -> None:
    """A seed is dealt alike under both presets; their matches have one name, since the name is of seed and request."""
    one, other = (create(api, rules=rules, given_seed=bytes(32)) for rules in (ITALIAN, FIBUR))
    assert one.match_id == other.match_id
    assert hands(api, one) == hands(api, other)
    assert one.state != other.state


# --- who can have chosen the deck ------------------------------------------------------------------------------------


def fairness(created: pb.CreateMatchResponse) -> views_pb2.Fairness:
    found = {update.view.fairness.SerializeToString() for update in created.updates}
    assert len(found) == 1
    return created.updates[0].view.fairness


def test_a_given_seed_is_not_verifiable(api: Api) -> None:
    """A caller who chose the seed chose the deck, and the state keeps that in mind."""
    created = create(api, given_seed=bytes(32))
    assert api.open(created.state).match.fairness.given
    shown = fairness(created)
    assert not shown.verifiable
    assert not shown.commitment
    assert not shown.seed


def test_a_seed_of_the_service_is_not_verifiable(api: Api) -> None:
    """A seed that was never committed to proves nothing."""
    shown = fairness(create(api))
    assert not shown.verifiable
    assert not shown.commitment


def test_a_committed_seed_alone_is_not_verifiable(api: Api) -> None:
    """Without entropy the service knew the deck when it committed to it."""
    committed = commit(api)
    shown = fairness(create(api, sealed_seed=committed.sealed_seed))
    assert not shown.verifiable
    assert shown.commitment == committed.commitment


def test_a_committed_seed_with_entropy_is_verifiable(api: Api) -> None:
    """Commitment and entropy are shown to everyone from the start, the seed to nobody."""
    committed = commit(api)
    shown = fairness(create(api, sealed_seed=committed.sealed_seed, entropy=ENTROPY))
    assert shown.verifiable
    assert shown.commitment == committed.commitment
    assert list(shown.entropy) == ENTROPY
    assert not shown.seed
    assert not shown.salt
    assert shown.shuffle_version == 1


def test_players_can_check_a_match_that_was_played_to_its_end(api: Api) -> None:
    """Seed and salt are told with the result and not before; with them a spectator deals every deal again."""
    committed = commit(api)
    created = create(api, rules=SHORT, sealed_seed=committed.sealed_seed, entropy=ENTROPY, request_id="checked")
    deals = [update.events[1].dealt for update in created.updates[:4]]
    dealt = {1: deals}
    view = created.updates[0].view
    for step in play_on(api, created.state, view.turn, random.Random(1)):
        updates = step.accepted.updates
        for event in updates[0].events:
            if event.HasField("dealt"):
                dealt[event.dealt.deal_number] = [
                    next(each.dealt for each in update.events if each.HasField("dealt")) for update in updates[:4]
                ]
        view = updates[4].view
        over = view.phase == views_pb2.PHASE_MATCH_OVER
        for update in updates:
            assert bool(update.view.fairness.seed) == bool(update.view.fairness.salt) == over
    shown = view.fairness
    assert hashlib.sha256(b"burraco/commit/v1\x00" + shown.salt + shown.seed).digest() == committed.commitment
    mixed = b"".join(len(entry).to_bytes(2, "big") + entry for entry in ENTROPY)
    key = hashlib.sha256(b"burraco/shuffle/v1\x00" + shown.seed + mixed).digest()
    named = b"checked"
    name = hashlib.sha256(b"burraco/match/v1\x00" + key + len(named).to_bytes(2, "big") + named).digest()[:16]
    assert created.match_id == name
    assert sorted(dealt) == [1, 2]
    for number, seats in dealt.items():
        deck = shuffled(key, number)
        cut = 22 + below(words(key, 4, number), 42)
        rest = deck[cut:]
        for seat, told in enumerate(seats):
            assert told.cut == cut
            assert texts((told.upcard,)) == rest[44]
            first = (seat - told.dealer - 1) % 4
            assert sorted(texts(told.hand).split()) == sorted(rest[first:44:4])


def test_a_resignation_tells_no_seed(api: Api) -> None:
    """Whoever holds a state could resign a copy of it to read the deck of the other, so a resignation tells nothing."""
    committed = commit(api)
    created = create(api, sealed_seed=committed.sealed_seed, entropy=ENTROPY)
    over = api.apply(created.state, 0, RESIGN, viewers=EVERYONE).accepted
    for update in over.updates:
        assert update.view.phase == views_pb2.PHASE_MATCH_OVER
        assert not update.view.fairness.seed
        assert not update.view.fairness.salt
        assert update.view.fairness.commitment == committed.commitment


def test_the_end_of_a_deal_tells_no_seed(api: Api) -> None:
    """Between two deals the seed would tell the next one."""
    created = create(api, rules=SHORT, sealed_seed=commit(api).sealed_seed, entropy=ENTROPY)
    for step in play_on(api, created.state, created.updates[0].view.turn, random.Random(2)):
        if step.accepted.phase == views_pb2.PHASE_DEAL_OVER:
            shown = pb.GetViewRequest(state=step.accepted.state, viewer=SPECTATOR)
            view = api.stub.GetView(shown, timeout=SECONDS).view
            assert not view.fairness.seed
            assert all(seat.hand or not seat.hand_count for seat in view.seats)
            again = [api.apply(step.accepted.state, seat, NEXT).accepted.updates[0].view for seat in range(4)]
            assert len({shown.dealer for shown in again}) == 1
            return
    pytest.fail("the deal did not end")
