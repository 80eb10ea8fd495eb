"""The life of a seat token, and what a seat gets with one: its own view and events, and nothing else."""

import time
from collections import Counter
from random import Random
from typing import Final

import grpc
import pytest
from google.protobuf.message import Message

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.seat_tokens import Issuer, revoke
from service.rules.audit import STORED
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.state import Phase, State
from service.wire.faults import Fault
from service.wire.tokens import SeatToken, TokenKeys
from tests.api.client import DRAW, ITALIAN, KEY, NOW, RESIGN, SECONDS, Api, Outcome, discard, everyone, only
from tests.api.conftest import Serve
from tests.api.test_leaks import candidates
from tests.server.processes import REAL, Process
from tests.support.profile import FULL
from tests.support.twins import players
from tests.support.walks import pool, pool_of

TOKEN: Final = "burraco-seat-token"
KEYS: Final = TokenKeys(KEY)
DAY: Final = 86_400
YEAR: Final = 31_536_000
REVEALED: Final = reasons_pb2.REASON_MOVE_AFTER_REVEAL


def token_of(state: State, seat: int) -> str:
    """The token of a seat as the state has it."""
    return KEYS.mint(SeatToken(state.match.match_id, seat, state.token_epochs[seat], NOW))


def as_seat(api: Api, token: str, rpc: str, request: Message) -> Outcome:
    """Call with a token."""
    return api.send(rpc, request.SerializeToString(), **{TOKEN: token})


def look(api: Api, token: str, state: bytes, seat: int) -> str:
    """Ask for a seat's own view; the reason why not, or nothing."""
    outcome = as_seat(api, token, "GetView", pb.GetViewRequest(state=state, viewer=everyone(4)[seat]))
    return "" if outcome.code is grpc.StatusCode.OK else outcome.reason


def issue(api: Api, state: bytes, seat: int, *, revoked: bool = False, seconds: int = 0) -> pb.IssueSeatTokenResponse:
    """Issue a token as a back end."""
    request = pb.IssueSeatTokenRequest(state=state, seat=seat, revoke=revoked, lifetime_seconds=seconds)
    return api.stub.IssueSeatToken(request, timeout=SECONDS)


# --- minting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_each_seat_gets_its_token(api: Api, preset: Preset) -> None:
    """A new match comes with a token for each seat, by seat, all of the same expiry."""
    created = api.create(only(preset))
    count = len(api.open(created.state).match.players)
    assert created.seat_tokens_expire_time.seconds == NOW + DAY
    read = [KEYS.read(token) for token in created.seat_tokens]
    assert read == [SeatToken(created.match_id, seat, 0, NOW + DAY) for seat in range(count)]
    for seat, token in enumerate(created.seat_tokens):
        assert look(api, token, created.state, seat) == ""


@pytest.mark.parametrize(("asked", "lasts"), [(0, DAY), (60, 60), (YEAR, YEAR)])
def test_a_token_lasts_as_asked(api: Api, asked: int, lasts: int) -> None:
    """The time asked for counts from now, and without one the setting's does."""
    created = api.create(seat_token_seconds=asked)
    issued = issue(api, created.state, 1, seconds=asked)
    assert created.seat_tokens_expire_time.seconds == issued.expire_time.seconds == NOW + lasts
    token = KEYS.read(issued.seat_token)
    assert token is not None
    assert token.expires == NOW + lasts


@pytest.mark.parametrize("seconds", [1, 59, YEAR + 1, (1 << 32) - 1])
def test_a_time_out_of_range_is_refused(api: Api, seconds: int) -> None:
    """Tokens of less than a minute or more than a year are not to be had, by either way."""
    create = pb.CreateMatchRequest(rules=ITALIAN, seat_token_seconds=seconds)
    again = pb.IssueSeatTokenRequest(state=api.create().state, lifetime_seconds=seconds)
    for rpc, request, field in (
        ("CreateMatch", create, "seat_token_seconds"),
        ("IssueSeatToken", again, "lifetime_seconds"),
    ):
        outcome = api.fail(rpc, request)
        assert (outcome.code.name, outcome.reason) == ("INVALID_ARGUMENT", "FIELD_OUT_OF_RANGE")
        assert outcome.fields == [field]
        assert dict(outcome.info.metadata) == {"value": str(seconds), "min": "60", "max": str(YEAR)}


def test_the_process_issues_by_the_clock() -> None:
    """`python -m service` counts from now, and takes the time of its setting."""
    started = int(time.time())
    with Process(REAL, {"seat_token_seconds": "120"}) as process:
        created = process.stub.CreateMatch(pb.CreateMatchRequest(rules=ITALIAN), timeout=SECONDS)
        assert started + 120 <= created.seat_tokens_expire_time.seconds <= time.time() + 120
        view = pb.GetViewRequest(state=created.state, viewer=everyone(4)[2])
        token = (TOKEN, created.seat_tokens[2])
        assert process.stub.GetView(view, timeout=SECONDS, metadata=(token,)).view.viewer.seat == 2
    lines = process.events("call")
    assert [(line["caller"], line.get("seat")) for line in lines] == [("network", None), ("seat", 2)]
    assert not [secret for secret in created.seat_tokens if secret in process.stderr]


def test_expiry_is_to_the_second() -> None:
    """A part of a second is left out, so that no token lasts longer than asked."""
    assert Issuer(KEYS, 100, lambda: 1_000.9).expiry(0, "field") == 1_100


# --- renewing and revoking -------------------------------------------------------------------------------------------


def test_a_token_is_renewed(api: Api) -> None:
    """Another token of a seat changes nothing: the state stays byte for byte, and the first token holds too."""
    created = api.create()
    renewed = issue(api, created.state, 3, seconds=100)
    assert (renewed.state, renewed.revision) == (created.state, 0)
    assert renewed.seat_token != created.seat_tokens[3]
    for token in (renewed.seat_token, created.seat_tokens[3]):
        assert look(api, token, created.state, 3) == ""


def test_tokens_are_revoked(api: Api) -> None:
    """The seat's epoch and the revision rise by one and nothing else changes; the seat's old tokens are no good."""
    created = api.create(given_seats=pb.GivenSeats(dealer=3))
    revoked = issue(api, created.state, 2, revoked=True)
    before, after = api.open(created.state), api.open(revoked.state)
    assert after == before._replace(token_epochs=(0, 0, 1, 0), revision=1)
    assert revoked.revision == 1
    assert look(api, revoked.seat_token, revoked.state, 2) == ""
    assert look(api, created.seat_tokens[2], revoked.state, 2) == "SEAT_TOKEN_REVOKED"
    for seat in (0, 1, 3):
        assert look(api, created.seat_tokens[seat], revoked.state, seat) == ""
    # Whoever kept the old state can still use the old token with it: docs/callers.md says so.
    assert look(api, created.seat_tokens[2], created.state, 2) == ""
    assert look(api, revoked.seat_token, created.state, 2) == "SEAT_TOKEN_REVOKED"


def test_a_revocation_is_not_lost(api: Api) -> None:
    """A move that was made from the state before has a revision that the store has already."""
    created = api.create(given_seats=pb.GivenSeats(dealer=3))
    revoked = issue(api, created.state, 2, revoked=True)
    moved = api.apply(created.state, 0, DRAW).accepted
    assert moved.revision == revoked.revision
    late = pb.ApplyMovesRequest(state=revoked.state, seat=0, moves=[DRAW], expected_revision=0)
    assert api.fail("ApplyMoves", late).reason == "REVISION_MISMATCH"


def test_the_match_goes_on_after_a_revocation(api: Api) -> None:
    """The next move has the next revision, its events too, and the epoch stays raised."""
    created = api.create(given_seats=pb.GivenSeats(dealer=3))
    revoked = issue(api, issue(api, created.state, 0, revoked=True).state, 0, revoked=True)
    accepted = api.apply(revoked.state, 0, DRAW, expected_revision=2).accepted
    assert accepted.revision == accepted.updates[0].view.revision == 3
    assert {event.revision for event in accepted.updates[0].events} == {3}
    plain, state = api.open(api.apply(created.state, 0, DRAW).accepted.state), api.open(accepted.state)
    assert state == plain._replace(revision=3, token_epochs=(2, 0, 0, 0))


def test_a_finished_match_can_be_revoked(api: Api) -> None:
    """Tokens of a match that is over are renewed and revoked like any others."""
    over = api.apply(api.create().state, 0, RESIGN).accepted
    assert look(api, issue(api, over.state, 1).seat_token, over.state, 1) == ""
    revoked = issue(api, over.state, 1, revoked=True)
    assert api.open(revoked.state).phase is Phase.MATCH_OVER
    assert revoked.revision == over.revision + 1
    assert look(api, revoked.seat_token, revoked.state, 1) == ""


def test_a_seat_that_is_none_gets_no_token(api: Api) -> None:
    """A seat beyond the table is refused, and so is a call without a state."""
    wrong = api.fail("IssueSeatToken", pb.IssueSeatTokenRequest(state=api.create().state, seat=4))
    assert (wrong.reason, wrong.fields) == ("FIELD_OUT_OF_RANGE", ["seat"])
    assert api.fail("IssueSeatToken", pb.IssueSeatTokenRequest()).reason == "FIELD_MISSING"


@pytest.mark.parametrize("counter", ["revision", "epoch"])
def test_counters_end(api: Api, counter: str) -> None:
    """At the end of the epoch or the revision nothing is revoked any more: the audit would refuse what came of it."""
    state = api.open(api.create().state)

    def at(value: int) -> State:
        return (
            state._replace(revision=value) if counter == "revision" else state._replace(token_epochs=(value, 0, 0, 0))
        )

    most = STORED.revision if counter == "revision" else STORED.counter
    last = issue(api, api.seal(at(most - 1)), 0, revoked=True)
    assert look(api, last.seat_token, last.state, 0) == ""
    request = pb.IssueSeatTokenRequest(state=last.state, seat=0, revoke=True)
    refused = api.fail("IssueSeatToken", request)
    assert (refused.code.name, refused.reason, refused.fields) == ("INVALID_ARGUMENT", "FIELD_OUT_OF_RANGE", ["state"])
    assert look(api, issue(api, last.state, 0).seat_token, last.state, 0) == ""
    with pytest.raises(Fault, match="cannot revoke any more"):
        revoke(at(most), 0)


def test_tokens_live_through_a_change_of_keys(serve: Serve) -> None:
    """A token holds as long as its key opens, whichever key sealed the state that it is used with."""
    new = bytes(reversed(KEY))
    before, promoted, after = serve(KEY, new), serve(new, KEY), serve(new)
    created = before.create(given_seats=pb.GivenSeats(dealer=3))
    old = created.seat_tokens[0]
    drawn = pb.ApplyMovesRequest(state=created.state, seat=0, moves=[DRAW])
    moved = pb.ApplyMovesResponse.FromString(as_seat(promoted, old, "ApplyMoves", drawn).answer).accepted
    assert look(before, old, moved.state, 0) == look(promoted, old, moved.state, 0) == ""
    assert look(after, old, moved.state, 0) == "SEAT_TOKEN_INVALID"
    assert issue(promoted, created.state, 0).state == created.state, "renewing is no change of the state"
    renewed = issue(promoted, moved.state, 0).seat_token
    assert look(before, renewed, moved.state, 0) == look(after, renewed, moved.state, 0) == ""


# --- what a seat gets ------------------------------------------------------------------------------------------------


def asked_alike(api: Api, state: State, seat: int, seed: int) -> Counter[str]:
    """Ask all that a seat may ask, as the seat and as a back end for that viewer: the answers have to be the same."""
    sealed, token = api.seal(state), token_of(state, seat)
    ended: Counter[str] = Counter()

    def same(rpc: str, request: Message, as_back_end: Message | None = None) -> None:
        one = as_seat(api, token, rpc, request)
        other = api.send(rpc, (as_back_end or request).SerializeToString())
        assert one == other, (rpc, request)
        ended[rpc if one.code is grpc.StatusCode.OK else one.reason] += 1

    viewer = everyone(players(state))[seat]
    same("GetView", pb.GetViewRequest(state=sealed, viewer=viewer, include_rules=True))
    same("ListLegalMoves", pb.ListLegalMovesRequest(state=sealed, seat=seat))
    for moves in candidates(state, seat, Random(seed)):
        check = pb.CheckMovesRequest(state=sealed, seat=seat, moves=moves)
        apply = pb.ApplyMovesRequest(state=sealed, seat=seat, moves=moves)
        if any(move.HasField("call_time") for move in moves):
            for rpc, request in (("CheckMoves", check), ("ApplyMoves", apply)):
                assert as_seat(api, token, rpc, request).reason == "BACK_END_ONLY"
            continue
        same("CheckMoves", check)
        outcome = as_seat(api, token, "ApplyMoves", apply)
        answer = pb.ApplyMovesResponse.FromString(outcome.answer)
        if any(wrong.reason == REVEALED for wrong in answer.rejected.violations):
            # A back end may look behind a card that is revealed. A seat gets what it would be told of a check.
            checked = pb.CheckMovesResponse.FromString(api.send("CheckMoves", check.SerializeToString()).answer)
            assert list(answer.rejected.violations) == list(checked.violations)
            ended["looked ahead"] += 1
            continue
        same("ApplyMoves", apply, pb.ApplyMovesRequest(state=sealed, seat=seat, moves=moves, viewers=[viewer]))
        assert [update.viewer for update in answer.accepted.updates] == [viewer] * len(answer.accepted.updates)
        assert not answer.accepted.HasField("legal_moves")
    return ended


def test_a_seat_gets_what_a_back_end_gets_for_it(api: Api) -> None:
    """Through positions of every kind, each seat is answered byte for byte as a back end that asks for that viewer."""
    ended: Counter[str] = Counter()
    for number, state in enumerate(pool()[:: 1 if FULL else 8]):
        for seat in range(players(state)):
            ended += asked_alike(api, state, seat, number)
    assert min(ended[rpc] for rpc in ("GetView", "ListLegalMoves", "CheckMoves", "ApplyMoves")) > 50
    assert ended["looked ahead"] > 5


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_seat_of_any_game_gets_what_a_back_end_gets_for_it(api: Api, preset: Preset) -> None:
    """As above, for every preset."""
    ended: Counter[str] = Counter()
    for number, state in enumerate(pool_of(preset)[:: 3 if FULL else 25]):
        for seat in range(players(state)):
            ended += asked_alike(api, state, seat, number)
    assert min(ended[rpc] for rpc in ("GetView", "ListLegalMoves", "CheckMoves", "ApplyMoves")) > 5


def test_what_is_of_no_match_is_answered_alike(api: Api) -> None:
    """Without a state a seat is answered as anybody."""
    token = token_of(api.open(api.create().state), 0)
    table = pb.TableDeal(rules=ITALIAN, sides=[pb.TableSide(), pb.TableSide()])
    requests: dict[str, Message] = {
        "ListPresets": pb.ListPresetsRequest(),
        "GetRules": pb.GetRulesRequest(rules=ITALIAN),
        "ExplainMeld": pb.ExplainMeldRequest(rules=ITALIAN, cards=[3, 4, 5]),  # type: ignore[list-item]  # cards' numbers
        "ScoreDeal": pb.ScoreDealRequest(table=table),
    }
    for rpc, request in requests.items():
        one = as_seat(api, token, rpc, request)
        assert one.code is grpc.StatusCode.OK
        assert one == api.send(rpc, request.SerializeToString())


def test_a_seat_does_not_look_ahead(api: Api) -> None:
    """A seat's batch that goes on behind a revealed card is refused, whatever the card is; a back end's is not."""
    created = api.create(given_seats=pb.GivenSeats(dealer=3))
    card = created.updates[0].view.seats[0].hand[0]
    batch = pb.ApplyMovesRequest(state=created.state, seat=0, moves=[DRAW, discard(card)])
    mine = pb.ApplyMovesResponse.FromString(as_seat(api, created.seat_tokens[0], "ApplyMoves", batch).answer)
    (wrong,) = mine.rejected.violations
    assert (wrong.reason, wrong.move_index) == (REVEALED, 1)
    assert api.stub.ApplyMoves(batch, timeout=SECONDS).HasField("accepted")
