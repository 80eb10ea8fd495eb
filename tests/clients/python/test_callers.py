"""Who calls: keys and tokens in the metadata, and nowhere else."""

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.message import Message

from burraco import Client, RulesError, Table, connect, moves
from burraco.v1 import game_service_pb2 as api
from burraco.v1.game_service_pb2 import ListPresetsRequest, ListPresetsResponse
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.views_pb2 import View
from service.demo.server import serving
from tests.clients.python.fake import FakeService

NO_PROXY = [("grpc.enable_http_proxy", 0)]


@pytest.fixture
def sent(service: FakeService) -> list[dict[str, str | bytes]]:
    """The metadata of each call that the service gets, of the kind that says who calls."""
    found = []

    def answer(_request: Message, context: grpc.ServicerContext) -> Message:
        metadata = context.invocation_metadata() or ()
        found.append({name: value for name, value in metadata if name.startswith("burraco-")})
        return ListPresetsResponse()

    service.answer = answer
    return found


def ask(client: Client) -> None:
    client.call(client.stub.ListPresets, ListPresetsRequest())


def test_the_credentials_are_sent(service: FakeService, sent: list[dict[str, str | bytes]]) -> None:
    """A key or a token goes with every call, under its own name; without either nothing is said."""
    for chosen in ({}, {"api_key": "a-key"}, {"seat_token": "a-token"}):
        with connect(service.address, options=NO_PROXY, **chosen) as client:  # type: ignore[arg-type]
            ask(client)
            ask(client)
            client.stub.ListPresets(ListPresetsRequest(), metadata=client.metadata)
    assert sent == [{}] * 3 + [{"burraco-api-key": "a-key"}] * 3 + [{"burraco-seat-token": "a-token"}] * 3


def test_a_seat_on_a_back_end_s_channel_does_not_send_its_key(
    service: FakeService, sent: list[dict[str, str | bytes]]
) -> None:
    """A client made to act as a seat sends the token alone, and the first one stays what it was."""
    with connect(service.address, options=NO_PROXY, api_key="a-key") as client:
        seat = client.as_seat("a-token")
        assert seat.channel is client.channel
        ask(seat)
        ask(client)
    assert sent == [{"burraco-seat-token": "a-token"}, {"burraco-api-key": "a-key"}]


def test_both_are_refused() -> None:
    """A caller is a seat or a back end."""
    with pytest.raises(ValueError, match="not both"):
        connect("127.0.0.1:1", seat_token="a", api_key="b")


def test_no_text_shows_a_secret() -> None:
    """A client can be printed and logged."""
    with connect("127.0.0.1:1", api_key="a-secret") as client:
        assert "secret" not in f"{client} {client!r} {client.as_seat('another-secret')!r}"


def test_a_table_keeps_what_a_revocation_changed(client: Client, service: FakeService) -> None:
    """The state and the revision of the answer are those to go on from."""
    service.answer = lambda request, context: api.IssueSeatTokenResponse(seat_token="t", state=b"six", revision=6)
    table = Table(client, b"five", View(revision=5))
    assert table.issue_seat_token(2, revoke=True, lifetime_seconds=60).seat_token == "t"
    assert (table.state, table.revision) == (b"six", 6)
    assert service.requests == [api.IssueSeatTokenRequest(state=b"five", seat=2, revoke=True, lifetime_seconds=60)]


# --- against the real server -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def back_end() -> Iterator[Client]:
    """A client that the real server takes for a back end."""
    with serving() as address, connect(address, timeout=20, options=NO_PROXY) as connected:
        yield connected.wait_ready(20)


def refused(call: object) -> Reason.ValueType:
    """The reason for which a call fails."""
    assert callable(call)
    with pytest.raises(RulesError) as caught:
        call()
    return caught.value.reason


def test_a_player_plays_with_a_token(back_end: Client) -> None:
    """A seat goes on from a state as itself, plays, and is refused as anybody else."""
    table = Table.create(back_end, given_seed=bytes(32), dealer=3, seat_token_seconds=600)
    player = back_end.as_seat(table.seat_tokens[0])
    assert refused(lambda: Table.resume(player, table.state)) == Reason.REASON_SEAT_TOKEN_OF_OTHER_SEAT
    mine = Table.resume(player, table.state, seat=0)
    assert mine.turn == 0
    mine.play(0, moves.draw())
    assert mine.view(0).seats[0].hand_count == 12
    mine.play(0, moves.discard(mine.legal(0).discards[0]))
    assert (mine.revision, mine.turn) == (2, 1)
    assert refused(lambda: mine.play(1, moves.draw())) == Reason.REASON_SEAT_TOKEN_OF_OTHER_SEAT
    assert refused(mine.view) == Reason.REASON_SEAT_TOKEN_OF_OTHER_SEAT
    assert refused(lambda: mine.issue_seat_token(0)) == Reason.REASON_BACK_END_ONLY
    assert refused(lambda: Table.create(player)) == Reason.REASON_BACK_END_ONLY


def test_a_token_is_renewed_and_revoked(back_end: Client) -> None:
    """After a revocation the match goes on, for those with a token of after it."""
    table = Table.create(back_end, given_seed=bytes(32), dealer=3)
    assert len(table.seat_tokens) == 4
    old = back_end.as_seat(table.seat_tokens[0])
    state = table.state
    assert table.issue_seat_token(0, lifetime_seconds=60).expire_time.seconds
    assert table.state == state
    new = back_end.as_seat(table.issue_seat_token(0, revoke=True).seat_token)
    assert (table.revision, table.state == state) == (1, False)
    assert refused(lambda: Table.resume(old, table.state, seat=0)) == Reason.REASON_SEAT_TOKEN_REVOKED
    Table.resume(new, table.state, seat=0).play(0, moves.draw())
    table.play(0, moves.draw())
    assert table.revision == 2
