"""Who may do what."""

import base64
import time
from collections.abc import Callable

import grpc
import pytest

from burraco.v1 import game_service_pb2 as pb
from service.api.authority import (
    BACK_END,
    NOBODY,
    OPEN_TO_SEATS,
    Caller,
    KnownBy,
    Trust,
    identify,
    require_back_end,
    require_own_match,
    require_rights,
    require_seat,
)
from service.api.call import Call
from service.api.errors import CallError
from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE
from service.wire.tokens import SeatToken, TokenKeys
from tests.server.conftest import Serve
from tests.server.stub import Running, failure

KEY = "k" * 16
OTHER_KEY = "o" * 32
Check = Callable[[], None]
KEYS = TokenKeys(bytes(32))
TOKEN = SeatToken(b"m" * 16, 2, 5, 1_000)
SEAT = Caller(KnownBy.SEAT_TOKEN, TOKEN)


def test_a_caller_from_a_trusted_network_is_a_back_end(running: Running) -> None:
    """On loopback without API keys every caller is a back end."""
    seen: list[Caller] = []

    def answer(_request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        seen.append(call.caller)
        return pb.GetRulesResponse()

    running.game.answer = answer
    running.get_rules()
    assert seen == [BACK_END]


@pytest.mark.parametrize("name", ["burraco-seat-token", "burraco-seat-token-bin"])
def test_what_is_no_seat_token_is_refused_even_from_a_back_end(serve: Serve, name: str) -> None:
    """A call with what should be a seat token is refused, and not taken for one that came without."""
    running = serve(api_keys=KEY)
    value = b"token" if name.endswith("-bin") else "token"
    failed = running.failure(metadata=[("burraco-api-key", KEY), (name, value)])
    assert (failed.code, failed.info.reason) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "REASON_SEAT_TOKEN_INVALID",
    )


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_each_api_key_makes_a_back_end(serve: Serve, key: str) -> None:
    """Any one of the API keys is enough."""
    running = serve(api_keys=f"{KEY},{OTHER_KEY}")
    assert running.get_rules(metadata=[("burraco-api-key", key)]) is not None


@pytest.mark.parametrize("metadata", [[], [("burraco-api-key", KEY[:-1])], [("burraco-api-key", "")]])
def test_without_a_right_api_key_the_caller_is_not_known(serve: Serve, metadata: list[tuple[str, str]]) -> None:
    """Once there are API keys, loopback alone is not trusted any more: a proxy's callers come from there too."""
    running = serve(api_keys=KEY)
    failed = running.failure(metadata=metadata)
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "REASON_CALLER_NOT_KNOWN")
    assert KEY not in failed.message
    assert KEY not in running.log.getvalue()


def test_an_unknown_caller_learns_nothing_of_the_request(serve: Serve) -> None:
    """Authority is checked before anything else of the call, also for RPCs that are not built."""
    running = serve(api_keys=KEY)
    failed = failure(lambda: running.stub.SuggestMoves(pb.SuggestMovesRequest()))
    assert failed.info.reason == "REASON_CALLER_NOT_KNOWN"


def test_trust_network_wins_over_keys(serve: Serve) -> None:
    """With BURRACO_TRUST_NETWORK=true nobody needs a key."""
    assert serve(api_keys=KEY, trust_network=True).get_rules() is not None


def test_trust_network_can_be_denied_on_loopback(serve: Serve) -> None:
    """With BURRACO_TRUST_NETWORK=false a key is needed on loopback too."""
    running = serve(api_keys=KEY, trust_network=False)
    assert running.failure().info.reason == "REASON_CALLER_NOT_KNOWN"


def test_credentials_can_be_required_on_loopback(serve: Serve) -> None:
    """With BURRACO_REQUIRE_CREDENTIALS=true nobody is trusted for where a call comes from."""
    running = serve(api_keys=KEY, require_credentials=True)
    assert running.failure().info.reason == "REASON_CALLER_NOT_KNOWN"
    assert running.get_rules(metadata=[("burraco-api-key", KEY)]) is not None


def test_a_token_makes_a_seat_whatever_comes_with_it(serve: Serve) -> None:
    """A call with a token is that seat's, from a trusted network and with an API key too."""
    key = bytes(range(32))
    text = base64.b64encode(key).decode()
    token = TOKEN._replace(expires=int(time.time()) + 1000)
    running = serve(sealing_key=text, api_keys=KEY, trust_network=True)
    seen: list[Caller] = []

    def answer(_request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        seen.append(call.caller)
        return pb.GetRulesResponse()

    running.game.answer = answer
    presented = ("burraco-seat-token", TokenKeys(key).mint(token))
    running.get_rules(metadata=[("burraco-api-key", KEY), presented])
    assert (seen[-1].known_by, seen[-1].token, seen[-1].is_back_end) == (KnownBy.SEAT_TOKEN, token, False)
    assert running.last_call()["caller"] == "seat"
    assert running.last_call()["seat"] == 2
    running.get_rules(metadata=[("burraco-api-key", KEY)])
    assert seen[-1] == Caller(KnownBy.API_KEY)
    assert running.last_call()["caller"] == "api_key"
    running.get_rules()
    assert seen[-1] == BACK_END
    assert running.last_call()["caller"] == "network"
    assert presented[1] not in running.log.getvalue()


def test_a_token_of_before_a_change_of_keys_holds(serve: Serve) -> None:
    """The keys that open states read tokens too."""
    old, new = bytes(32), b"n" * 32
    settings = {"sealing_key": base64.b64encode(new).decode(), "opening_keys": base64.b64encode(old).decode()}
    token = TOKEN._replace(expires=int(time.time()) + 1000)
    assert serve(**settings).get_rules(metadata=[("burraco-seat-token", KEYS.mint(token))]) is not None
    running = serve(sealing_key=settings["sealing_key"])
    failed = running.failure(metadata=[("burraco-seat-token", KEYS.mint(token))])
    assert failed.info.reason == "REASON_SEAT_TOKEN_INVALID"


@pytest.mark.parametrize(("now", "reason"), [(999.9, None), (1_000.0, 334), (1_000.1, 334), (1e12, 334)])
def test_a_token_ends_at_its_second(now: float, reason: int | None) -> None:
    """A token holds until its expiry, and no longer; one that is forged is never told to be late."""
    trust = Trust(KEYS, network=True)
    presented = [("burraco-seat-token", KEYS.mint(TOKEN))]
    if reason is None:
        assert identify(presented, trust, now) == SEAT
    else:
        with pytest.raises(CallError) as caught:
            identify(presented, trust, now)
        assert caught.value.reason == reason
    with pytest.raises(CallError) as forged:
        identify([("burraco-seat-token", TokenKeys(b"f" * 32).mint(TOKEN))], trust, now)
    assert forged.value.reason == 333


def test_a_certificate_makes_a_back_end_by_its_exact_name() -> None:
    """One name of a certificate that is listed is enough, letter for letter; a token beside it makes a seat."""
    trust = Trust(KEYS, certificates=frozenset({"dns:a.example", "cn:b"}))
    assert identify([], trust, 0, frozenset({"cn:x", "dns:a.example"})) == Caller(KnownBy.CERTIFICATE)
    assert identify([("burraco-seat-token", KEYS.mint(TOKEN))], trust, 0, frozenset({"cn:b"})) == SEAT
    for name in ("dns:b", "cn:a.example", "dns:A.example", "dns:a.example.", "dns:x.a.example", "a.example", ""):
        with pytest.raises(CallError) as caught:
            identify([], trust, 0, frozenset({name}))
        assert caught.value.reason == 331


def test_over_an_edge_there_are_seats_alone() -> None:
    """Neither a key, nor the proxy's certificate or network makes a back end there; a token makes its seat."""
    marked = [("x-burraco-edge", "web")]
    names = frozenset({"dns:proxy"})
    trust = Trust(KEYS, api_keys=(KEY,), certificates=names, credentials_required=True)
    assert identify([*marked, ("burraco-seat-token", KEYS.mint(TOKEN))], trust, 0, names) == SEAT
    for presented in (marked, [("burraco-api-key", KEY), ("x-burraco-edge", "")], [*marked, ("burraco-api-key", KEY)]):
        with pytest.raises(CallError) as caught:
            identify(presented, trust, 0, names)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAUTHENTICATED, 331)
    assert identify([("burraco-api-key", KEY)], trust, 0) == Caller(KnownBy.API_KEY)


@pytest.mark.parametrize("network", [False, True])
def test_an_edge_before_a_server_that_needs_no_credentials_is_refused(*, network: bool) -> None:
    """Every call of it fails, a seat's too, so that nobody overlooks the setting; without the mark all is as ever."""
    trust = Trust(KEYS, network=network, api_keys=(KEY,))
    token = ("burraco-seat-token", KEYS.mint(TOKEN))
    for presented in ([token], [], [("burraco-api-key", KEY)]):
        with pytest.raises(CallError) as caught:
            identify([*presented, ("x-burraco-edge", "web")], trust, 0)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAUTHENTICATED, 331)
        assert "BURRACO_REQUIRE_CREDENTIALS=true" in caught.value.message
    assert identify([token], trust, 0) == SEAT


@pytest.mark.parametrize("required", [False, True])
def test_the_setting_decides_whether_an_edge_is_served(serve: Serve, *, required: bool) -> None:
    """A running server knows an edge by the mark, and its own setting."""
    running = serve(api_keys=KEY, require_credentials=required)
    failed = running.failure(metadata=[("burraco-api-key", KEY), ("x-burraco-edge", "web")])
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "REASON_CALLER_NOT_KNOWN")
    assert ("BURRACO_REQUIRE_CREDENTIALS=true" in failed.message) is not required
    running.get_rules(metadata=[("burraco-api-key", KEY)])


def test_a_back_end_may_do_everything() -> None:
    """A back end passes every check, however it is known."""
    for known_by in (KnownBy.NETWORK, KnownBy.API_KEY, KnownBy.CERTIFICATE):
        back_end = Caller(known_by)
        require_back_end(back_end)
        require_seat(back_end, 3)
        require_own_match(back_end, b"m" * 16, (0, 0))
        for service in (GAME_SERVICE, ARBITER_SERVICE):
            for method in service.methods:
                require_rights(back_end, method.name)


def test_a_seat_may_act_for_itself_alone() -> None:
    """A seat passes for itself, not for another seat, a spectator, or what only back ends may do."""
    require_seat(SEAT, 2)
    require_own_match(SEAT, b"m" * 16, (0, 0, 5, 0))
    refusals: list[tuple[Check, int]] = [
        (lambda: require_seat(SEAT, 1), 337),
        (lambda: require_seat(SEAT, -1), 337),
        (lambda: require_own_match(SEAT, b"n" * 16, (0, 0, 5, 0)), 336),
        (lambda: require_own_match(SEAT, b"", ()), 336),
        (lambda: require_back_end(SEAT), 332),
        (lambda: require_rights(SEAT, "CommitSeed"), 332),
        (lambda: require_rights(SEAT, "AnRpcToCome"), 332),
    ]
    for refused, reason in refusals:
        with pytest.raises(CallError) as caught:
            refused()
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, reason)
    for epochs in ((0, 0, 4, 0), (0, 0, 6, 0), (5, 5), ()):
        with pytest.raises(CallError) as caught:
            require_own_match(SEAT, b"m" * 16, epochs)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAUTHENTICATED, 335)
    for rpc in OPEN_TO_SEATS:
        require_rights(SEAT, rpc)


def test_nobody_may_do_nothing() -> None:
    """A caller that is not known passes no check: that is what a call begins with."""
    assert Call().caller == NOBODY
    refusals: list[Check] = [
        lambda: require_back_end(NOBODY),
        lambda: require_seat(NOBODY, 0),
        lambda: require_own_match(NOBODY, b"m" * 16, (0, 0)),
        lambda: require_rights(NOBODY, "CreateMatch"),
    ]
    for refused in refusals:
        with pytest.raises(CallError):
            refused()


def test_trust_does_not_show_its_keys() -> None:
    """No printed form of what callers are known by shows a key."""
    assert KEY not in repr(Trust(KEYS, api_keys=(KEY,)))
