"""Who may do what."""

import grpc
import pytest

from burraco.v1 import game_service_pb2 as pb
from service.api.authority import BACK_END, Caller, require_back_end, require_seat
from service.api.call import Call
from service.api.errors import CallError
from tests.server.conftest import Serve
from tests.server.stub import Running, failure

KEY = "k" * 16
OTHER_KEY = "o" * 32


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
def test_a_seat_token_is_refused_even_from_a_back_end(serve: Serve, name: str) -> None:
    """A call with a seat token is refused, because tokens are not built and must not be taken for nothing."""
    running = serve(api_keys=KEY)
    value = b"token" if name.endswith("-bin") else "token"
    failed = running.failure(metadata=[("burraco-api-key", KEY), (name, value)])
    assert (failed.code, failed.info.reason) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "REASON_SEAT_TOKEN_UNSUPPORTED",
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


def test_a_back_end_may_act_for_every_seat() -> None:
    """A back end passes every check."""
    require_back_end(BACK_END)
    require_seat(BACK_END, 3)


def test_a_seat_may_act_for_itself_alone() -> None:
    """A seat passes for itself, not for another seat, and not for what only back ends may do."""
    require_seat(Caller(seat=0), 0)
    with pytest.raises(CallError) as for_another:
        require_seat(Caller(seat=0), 1)
    with pytest.raises(CallError) as for_back_ends:
        require_back_end(Caller(seat=0))
    assert for_another.value.code is for_back_ends.value.code is grpc.StatusCode.PERMISSION_DENIED
