"""What the example back end answers to its players, on each kind of store."""

from collections.abc import Iterator

import grpc
import pytest

from back_end.game import (
    SPECTATOR,
    Busy,
    Matches,
    NotForPlayers,
    Over,
    Played,
    Refused,
    RequestIdReused,
    Stale,
    UnknownMatch,
)
from back_end.memory_store import MemoryStore
from back_end.store import Change, Store, Stored
from burraco import Client, RulesError, Table, connect, moves
from burraco.v1.game_service_pb2 import Accepted, ApplyMovesResponse, CreateMatchRequest
from burraco.v1.moves_pb2 import CallTime, Move, TimeOutTurn
from burraco.v1.reasons_pb2 import Reason
from burraco.v1.views_pb2 import Phase
from tests.clients.python.fake import serving
from tests.examples.chaos import Broken, ChaoticStore, Fault
from tests.examples.players import deal

FIRST = 1
"""The seat that begins: the dealer's left."""


@pytest.fixture
def match(request: pytest.FixtureRequest) -> str:
    """A name that no other test has, short enough for the service."""
    name: str = request.node.name
    return name[-64:]


@pytest.fixture
def game(replicas: tuple[Client, Client], store: Store, match: str) -> Matches:
    """A back end with a match for four."""
    back_end = Matches(replicas[0], store)
    back_end.create(match, 4, deal(4))
    return back_end


def draw(game: Matches, match: str, request_id: str = "draw") -> Played:
    answer = game.play(match, FIRST, [moves.draw()], expected_revision=0, request_id=request_id)
    assert isinstance(answer, Played)
    return answer


def hand(game: Matches, match: str, seat: int = FIRST) -> list[int]:
    return list(game.catch_up(match, seat).view.seats[seat].hand)


def test_a_turn(game: Matches, match: str) -> None:
    """What a player does is told to each viewer, as far as it may know it."""
    drawn = draw(game, match)
    assert (drawn.revision, len(drawn.events)) == (1, 1)
    card = drawn.events[0].drew.card
    assert card in hand(game, match)
    other, spectator = (game.catch_up(match, viewer, after=0) for viewer in (2, SPECTATOR))
    assert [event.drew.card for event in (*other.events, *spectator.events)] == [0, 0]
    discarded = game.play(match, FIRST, [moves.discard(card)], expected_revision=1, request_id="go")
    assert isinstance(discarded, Played)
    assert [event.WhichOneof("what") for event in discarded.events] == ["discarded", "turn_started"]
    assert game.catch_up(match, 2).view.turn == 2


def test_a_lost_answer_is_given_again(game: Matches, store: Store, match: str) -> None:
    """The same request again, even after others, gets the same answer, and does nothing."""
    first = draw(game, match)
    assert draw(game, match) == first
    card = first.events[0].drew.card
    game.play(match, FIRST, [moves.discard(card)], expected_revision=1, request_id="go")
    before = store.load(match)
    assert draw(game, match) == first
    assert store.load(match) == before
    assert len(game.record(match)) == 2


def test_a_crash_before_the_write_leaves_nothing(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """ApplyMoves alone changes nothing: who crashes after it may be asked again, or somebody else may play."""
    crashing = Matches(replicas[0], ChaoticStore(store, iter([Fault.BEFORE])))
    with pytest.raises(Broken):
        draw(crashing, match)
    assert store.load(match) == Stored(0, (store.load(match) or Stored(0, b"", 0)).state, 4)
    assert store.moves(match) == ()
    assert draw(crashing, match) == draw(game, match)


def test_a_crash_after_the_write_leaves_it_whole(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """The player, who heard nothing, asks another back end again, and gets the answer."""
    crashing = Matches(replicas[1], ChaoticStore(store, iter([Fault.AFTER])))
    with pytest.raises(Broken):
        draw(crashing, match)
    assert draw(game, match).revision == 1
    assert len(game.record(match)) == 1


def test_a_write_that_was_sent_twice_counts_once(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """A store's client that repeats a broken off write hears that it lost, to itself; the receipt tells."""
    resending = Matches(replicas[1], ChaoticStore(store, iter([Fault.RESENT, Fault.RESENT])))
    assert draw(resending, match) == draw(game, match)
    old = game.seat_token(match, FIRST)
    token = resending.revoke_seat_tokens(match, FIRST, request_id="one")
    assert look(replicas[0], store, match, old) == Reason.REASON_SEAT_TOKEN_REVOKED
    assert look(replicas[0], store, match, token) is None
    assert (store.load(match) or Stored(0, b"", 0)).revision == 2


def test_who_comes_second_is_told_to_reload(game: Matches, store: Store, match: str) -> None:
    """A player who saw an older table is not played for, though the move would be legal now."""
    drawn = draw(game, match)
    discard = [moves.discard(drawn.events[0].drew.card)]
    assert game.play(match, FIRST, discard, expected_revision=0, request_id="early") == Stale()
    assert game.play(match, FIRST, discard, expected_revision=7, request_id="ahead") == Stale()
    assert len(store.moves(match)) == 1
    assert isinstance(game.play(match, FIRST, discard, expected_revision=1, request_id="early"), Played)


class Overtaken:
    """A store in which somebody else is quicker: right before a write, `first` is done."""

    def __init__(self, store: Store, first: Iterator[object]) -> None:
        self._store, self._first = store, first

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def replace(self, match: str, change: Change) -> bool:
        next(self._first, None)
        return self._store.replace(match, change)


def overtaken(client: Client, store: Store, first: Iterator[object]) -> Matches:
    return Matches(client, Overtaken(store, first))  # type: ignore[arg-type]  # what it lacks, the store has


def test_a_race_lost_at_the_write_is_not_run_again(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """Both saw revision 0, both moves were legal; the second one is told to reload."""
    late = overtaken(replicas[1], store, (draw(game, match, "quick") for _ in range(1)))
    assert late.play(match, FIRST, [moves.draw()], expected_revision=0, request_id="late") == Stale()
    assert len(store.moves(match)) == 1
    assert store.receipt(match, f"play:{FIRST}:late") is None


def test_a_race_lost_to_oneself_is_won(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """A player who sent twice is answered twice, the same."""
    first = (draw(game, match) for _ in range(1))
    late = overtaken(replicas[1], store, first)
    assert draw(late, match) == draw(game, match)
    assert len(store.moves(match)) == 1


def test_a_request_id_is_of_one_request(game: Matches, match: str) -> None:
    """Something else under the same id is a fault; another player's ids are another player's."""
    draw(game, match)
    with pytest.raises(RequestIdReused):
        game.play(match, FIRST, [moves.take_pile()], expected_revision=0, request_id="draw")
    with pytest.raises(RequestIdReused):
        game.play(match, FIRST, [moves.draw()], expected_revision=1, request_id="draw")
    assert isinstance(game.play(match, 2, [moves.draw()], expected_revision=1, request_id="draw"), Refused)


def test_a_refusal_is_not_stored(game: Matches, store: Store, match: str) -> None:
    """Its id may be used again, as nothing was done."""
    before = store.load(match)
    refused = game.play(match, 2, [moves.draw()], expected_revision=0, request_id="one")
    assert isinstance(refused, Refused)
    assert [wrong.reason for wrong in refused.violations] == [Reason.REASON_NOT_YOUR_TURN]
    assert store.load(match) == before
    assert store.receipt(match, "play:2:one") is None


def test_players_have_no_moves_of_back_ends(game: Matches, store: Store, match: str) -> None:
    """They would be accepted of us, so we refuse them."""
    of_a_newer_contract = Move.FromString(b"\xa2\x06\x00")  # its field 100
    for move in (Move(time_out_turn=TimeOutTurn()), Move(call_time=CallTime()), of_a_newer_contract):
        with pytest.raises(NotForPlayers):
            game.play(match, FIRST, [move], expected_revision=0, request_id="one")
    assert store.moves(match) == ()


def test_a_batch_tells_no_card_to_come(game: Matches, store: Store, match: str) -> None:
    """A move after a draw is refused whatever was drawn; batches without a draw are played whole."""
    answers = [
        game.play(match, FIRST, [moves.draw(), moves.discard(card)], expected_revision=0, request_id=card)
        for card in ("7S", "8S", "9S", "KD")
    ]
    told = [[wrong.reason for wrong in each.violations] for each in answers if isinstance(each, Refused)]
    assert told == [[Reason.REASON_MOVE_AFTER_REVEAL]] * 4
    assert game.play(match, FIRST, [moves.draw(), moves.draw()], expected_revision=3, request_id="stale") == Stale()
    assert store.moves(match) == ()


def test_an_absent_player_is_timed_out_once(game: Matches, match: str) -> None:
    """However many clocks run out at a revision."""
    answers = [game.time_out(match, FIRST, expected_revision=0) for _ in range(3)]
    assert isinstance(answers[0], Played)
    assert answers[1:] == answers[:1] * 2
    assert len(game.record(match)) == 1
    assert isinstance(game.play(match, FIRST, [moves.draw()], expected_revision=0, request_id="late"), Stale)


def test_who_reconnects_gets_what_was_missed(game: Matches, match: str) -> None:
    """From the last revision seen: nothing twice, nothing left out, and the view of now."""
    everything = game.catch_up(match, 3)
    card = draw(game, match).events[0].drew.card
    game.play(match, FIRST, [moves.discard(card)], expected_revision=1, request_id="go")
    missed = game.catch_up(match, 3, after=everything.revision)
    assert [(event.revision, event.index) for event in missed.events] == [(1, 0), (2, 0), (2, 1)]
    assert missed.view.revision == missed.revision == 2
    assert game.catch_up(match, 3).events == everything.events + missed.events
    assert game.catch_up(match, 3, after=2).events == ()


def test_a_match_is_created_once(game: Matches, store: Store, match: str) -> None:
    """Asked for again, with whatever else, it stays what it is."""
    before = store.load(match)
    game.create(match, 4, deal(4))
    game.create(match, 2, CreateMatchRequest(rules=deal(2).rules))
    assert store.load(match) == before
    with pytest.raises(UnknownMatch):
        game.catch_up(f"{match}?", 0)
    with pytest.raises(ValueError, match="not for 3 players"):
        game.create(f"{match}?"[-64:], 3, deal(4))
    with pytest.raises(RulesError) as wrong:
        game.create(f"{match}?"[-64:], 5, deal(4))
    assert wrong.value.code == grpc.StatusCode.INVALID_ARGUMENT
    with pytest.raises(UnknownMatch):
        game.catch_up(f"{match}?"[-64:], 0)


def test_a_creation_that_crashes_is_made_again(replicas: tuple[Client, Client], store: Store, match: str) -> None:
    """Before the write there is no match; after it there is one, and the next call finds it."""
    crashing = Matches(replicas[0], ChaoticStore(store, iter([Fault.BEFORE, Fault.AFTER])))
    for there in (False, True):
        with pytest.raises(Broken):
            crashing.create(match, 4, deal(4))
        assert (store.load(match) is not None) == there
    crashing.create(match, 4, deal(4))
    assert draw(crashing, match).revision == 1


def look(client: Client, store: Store, match: str, token: str) -> Reason.ValueType | None:
    """Why a seat token is refused with the state that is stored, or None."""
    stored = store.load(match)
    assert stored is not None
    try:
        Table.resume(client.as_seat(token), stored.state, seat=FIRST)
    except RulesError as error:
        return error.reason
    return None


def test_a_revocation_is_kept(replicas: tuple[Client, Client], game: Matches, store: Store, match: str) -> None:
    """It ends the tokens before it; sent again it does nothing more, and answers with a token that holds."""
    old = game.seat_token(match, FIRST)
    assert look(replicas[0], store, match, old) is None
    tokens = [game.revoke_seat_tokens(match, FIRST, request_id="stolen") for _ in range(2)]
    assert look(replicas[0], store, match, old) == Reason.REASON_SEAT_TOKEN_REVOKED
    assert [look(replicas[0], store, match, token) for token in tokens] == [None, None]
    assert (store.load(match) or Stored(0, b"", 0)).revision == 1
    assert game.play(match, FIRST, [moves.draw()], expected_revision=0, request_id="draw") == Stale()


def test_a_revocation_and_a_move_at_once(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """Whichever is first, the revocation is not lost: a move that was made from before it is not stored over it."""
    old = game.seat_token(match, FIRST)
    moved_first = overtaken(replicas[1], store, (draw(game, match) for _ in range(1)))
    moved_first.revoke_seat_tokens(match, FIRST, request_id="one")
    assert (store.load(match) or Stored(0, b"", 0)).revision == 2
    assert look(replicas[0], store, match, old) == Reason.REASON_SEAT_TOKEN_REVOKED
    card = hand(game, match)[0]
    newer = game.seat_token(match, FIRST)
    revoked_first = overtaken(
        replicas[1], store, (game.revoke_seat_tokens(match, FIRST, request_id="two") for _ in range(1))
    )
    discard = [moves.discard(card)]  # type: ignore[arg-type]  # a card's number
    assert revoked_first.play(match, FIRST, discard, expected_revision=2, request_id="go") == Stale()
    assert look(replicas[0], store, match, newer) == Reason.REASON_SEAT_TOKEN_REVOKED


def test_a_revocation_that_always_loses_says_so(
    replicas: tuple[Client, Client], game: Matches, store: Store, match: str
) -> None:
    """It does not try for ever."""

    def quicker() -> Iterator[object]:
        while True:
            yield game.revoke_seat_tokens(match, 0, request_id=f"{(store.load(match) or Stored(0, b'', 0)).revision}")

    with pytest.raises(Busy):
        overtaken(replicas[1], store, quicker()).revoke_seat_tokens(match, FIRST, request_id="late")
    assert store.receipt(match, f"revoke:{FIRST}:late") is None


def test_a_match_that_ends_is_marked_over(game: Matches, store: Store, match: str) -> None:
    """And still answers."""
    ended = game.play(match, FIRST, [moves.resign()], expected_revision=0, request_id="enough")
    assert isinstance(ended, Played)
    assert game.catch_up(match, SPECTATOR).view.phase == Phase.PHASE_MATCH_OVER
    assert game.play(match, FIRST, [moves.resign()], expected_revision=0, request_id="enough") == ended
    assert game.play(match, 2, [moves.draw()], expected_revision=ended.revision, request_id="more") == Over()
    assert game.play(match, 2, [moves.draw()], expected_revision=0, request_id="late") in {Over(), Stale()}
    game.revoke_seat_tokens(match, FIRST, request_id="over")


@pytest.mark.parametrize("answer", [ApplyMovesResponse(), ApplyMovesResponse(accepted=Accepted(revision=1))])
def test_what_is_not_accepted_with_a_state_is_never_stored(answer: ApplyMovesResponse) -> None:
    """A newer service may answer what this back end does not know: the match stays as it was, and goes on."""
    kept, store = Stored(0, b"state", 4), MemoryStore()
    store.create("match", kept, ())
    with serving() as service, connect(service.address, options=[("grpc.enable_http_proxy", 0)]) as client:
        service.answer = lambda request, context: answer
        with pytest.raises(RulesError) as caught:
            Matches(client, store).play("match", FIRST, [moves.draw()], expected_revision=0, request_id="draw")
    assert caught.value.code is grpc.StatusCode.UNKNOWN
    assert store.load("match") == kept
