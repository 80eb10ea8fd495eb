"""The table: what it sends, what it keeps, and that a failure changes nothing."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from burraco import Client, IllegalMove, RulesError, Table, moves
from burraco import table as table_module
from burraco.v1 import game_service_pb2 as api
from burraco.v1.cards_pb2 import Spectator, Viewer
from burraco.v1.moves_pb2 import LegalMoves
from burraco.v1.reasons_pb2 import Reason, Violation
from burraco.v1.rules_pb2 import BurracoRules, GinRules, Preset, RaminoRules, Scala40Rules
from burraco.v1.scores_pb2 import ScoreSheet
from burraco.v1.views_pb2 import Phase, View
from tests.clients.python.fake import FakeService, accepted

SPECTATOR = Viewer(spectator=Spectator())
CREATED = api.CreateMatchResponse(state=b"new", updates=[api.ViewerUpdate(view=View())])
ILLEGAL = Violation(reason=Reason.REASON_MUST_DRAW_FIRST, rule_id="B4-15", text="Draw first.")


@pytest.fixture
def table(client: Client) -> Table:
    """A table at revision 5, with seat 1 to move."""
    return Table(client, b"five", View(revision=5, turn=1, phase=Phase.PHASE_PLAY))


def kept(table: Table) -> tuple[bytes, int, int | None, Phase.ValueType]:
    """Give all that a table keeps of its match."""
    return table.state, table.revision, table.turn, table.phase


def test_create(client: Client, service: FakeService) -> None:
    """A created table keeps the state, and what each viewer was told."""
    view = View(turn=2, phase=Phase.PHASE_DRAW)
    update = api.ViewerUpdate(viewer=Viewer(seat=0), view=view)
    service.answer = lambda request, context: api.CreateMatchResponse(state=b"new", updates=[update])
    table = Table.create(client, Preset.PRESET_FIBUR, request_id="a", given_seed=bytes(32), dealer=3, entropy=[b"x"])
    assert kept(table) == (b"new", 0, 2, Phase.PHASE_DRAW)
    assert table.updates == (update,)
    (request,) = service.requests
    assert isinstance(request, api.CreateMatchRequest)
    assert request.rules.preset == Preset.PRESET_FIBUR
    assert request.WhichOneof("seed_source") == "given_seed"
    assert request.given_seats.dealer == 3


def test_create_draws_seats(client: Client, service: FakeService) -> None:
    """Seats are drawn where asked for, and without a seed none is sent."""
    service.answer = lambda request, context: CREATED
    Table.create(client, draw_seats=True)
    (request,) = service.requests
    assert isinstance(request, api.CreateMatchRequest)
    assert request.WhichOneof("seating") == "drawn_seats"
    assert request.WhichOneof("seed_source") is None


@pytest.mark.parametrize(
    ("options", "game"),
    [
        (BurracoRules(target=1005), "burraco"),
        (RaminoRules(players=4), "ramino"),
        (GinRules(target=150), "gin"),
        (Scala40Rules(players=4), "scala_40"),
        (None, None),
    ],
)
def test_create_with_options(
    client: Client, service: FakeService, options: table_module.Options | None, game: str | None
) -> None:
    """Options of any game are sent as that game's."""
    service.answer = lambda request, context: CREATED
    Table.create(client, Preset.PRESET_GIN, options=options)
    (request,) = service.requests
    assert isinstance(request, api.CreateMatchRequest)
    assert request.rules.WhichOneof("game") == game
    assert options is None or getattr(request.rules, str(game)) == options


def test_create_refuses_contradictions(client: Client, service: FakeService) -> None:
    """Two seeds, or a dealer beside a draw, are refused before anything is sent."""
    with pytest.raises(ValueError, match="one seed"):
        Table.create(client, sealed_seed=b"a", given_seed=b"b")
    with pytest.raises(ValueError, match="finds the dealer"):
        Table.create(client, draw_seats=True, dealer=0)
    assert not service.requests


def test_resume(client: Client, service: FakeService) -> None:
    """A kept state gives back its revision through a spectator's view."""
    view = View(revision=9, phase=Phase.PHASE_DEAL_OVER)
    service.answer = lambda request, context: api.GetViewResponse(view=view)
    assert kept(Table.resume(client, b"nine")) == (b"nine", 9, None, Phase.PHASE_DEAL_OVER)
    assert service.requests == [api.GetViewRequest(state=b"nine", viewer=SPECTATOR)]


def test_play_keeps_the_new_state(table: Table, service: FakeService) -> None:
    """An accepted move is sent with the revision seen, and the table goes on from the answer."""
    answer = accepted(b"six", 6, 2)
    answer.accepted.legal_moves.SetInParent()
    service.answer = lambda request, context: answer
    table.play(1, moves.draw(), viewers=[1, None], list_legal_moves=True)
    assert kept(table) == (b"six", 6, 2, Phase.PHASE_UNSPECIFIED)
    assert service.requests == [
        api.ApplyMovesRequest(
            state=b"five",
            seat=1,
            moves=[moves.draw()],
            expected_revision=5,
            viewers=[Viewer(seat=1), SPECTATOR],
            list_legal_moves=True,
        )
    ]


def test_nobody_to_move(table: Table, service: FakeService) -> None:
    """When the deal is over it is nobody's turn, which is not seat 0's."""
    service.answer = lambda request, context: accepted(b"six", 6, None)
    table.play(1, moves.draw())
    assert table.turn is None


def test_an_answer_that_is_neither_changes_nothing(table: Table, service: FakeService) -> None:
    """An outcome that this client does not know does not take the state away."""
    before = kept(table)
    service.answer = lambda request, context: api.ApplyMovesResponse()
    with pytest.raises(RulesError, match="older than the service") as caught:
        table.play(1, moves.draw())
    assert caught.value.code is grpc.StatusCode.UNKNOWN
    assert kept(table) == before


LACKING: list[tuple[Callable[[Any], Any], Message, str]] = [
    (lambda table: table.legal(1), api.ListLegalMovesResponse(revision=5), "legal_moves"),
    (lambda table: table.play(1, moves.draw(), list_legal_moves=True), accepted(b"six", 6, 2), "legal_moves"),
    (lambda table: table.play(1, moves.draw()), accepted(b"", 6, 2), "state"),
    (lambda table: table.view(1), api.GetViewResponse(), "view"),
    (lambda table: table.check(1, moves.draw()), api.CheckMovesResponse(), "violations"),
    (lambda table: table.score(), api.ScoreDealResponse(), "score_sheet"),
    (lambda table: table.issue_seat_token(1), api.IssueSeatTokenResponse(state=b"six"), "seat_token"),
    (lambda table: table.issue_seat_token(1), api.IssueSeatTokenResponse(seat_token="t"), "state"),
    (lambda table: type(table).resume(table.client, b"five"), api.GetViewResponse(), "view"),
    (lambda table: type(table).create(table.client), api.CreateMatchResponse(state=b"new"), "view"),
    (lambda table: type(table).create(table.client), api.CreateMatchResponse(updates=CREATED.updates), "state"),
]
"""What is asked of a table, an answer that lacks a part, and the part."""


@pytest.mark.parametrize(("ask", "answer", "missing"), LACKING)
def test_an_answer_that_lacks_a_part_is_a_failure(
    table: Table, service: FakeService, ask: Callable[[Any], Any], answer: Message, missing: str
) -> None:
    """What was not sent is not taken for what is empty; the text says what it is, and the table is as it was."""
    before = kept(table)
    service.answer = lambda request, context: answer
    with pytest.raises(RulesError, match=rf"^UNKNOWN: the answer has no [\w.\[\]]*{missing}$"):
        ask(table)
    assert kept(table) == before


def test_no_legal_moves_are_no_failure(table: Table, service: FakeService) -> None:
    """A list that is empty was sent; and nobody's moves are listed when nobody is to move."""
    service.answer = lambda request, context: api.ListLegalMovesResponse(legal_moves=LegalMoves())
    assert list(moves.expand(table.legal(1))) == []
    service.answer = lambda request, context: accepted(b"six", 6, None)
    assert not table.play(1, moves.draw(), list_legal_moves=True).HasField("legal_moves")


def test_an_illegal_move_changes_nothing(table: Table, service: FakeService) -> None:
    """A rejected move is raised with its violations, and the table is as it was."""
    before = kept(table)
    rejected = api.ApplyMovesResponse(rejected=api.Rejected(violations=[ILLEGAL]))
    service.answer = lambda request, context: rejected
    with pytest.raises(IllegalMove) as caught:
        table.play(1, moves.discard("KD"))
    assert caught.value.violations == (ILLEGAL,)
    assert kept(table) == before


def test_a_failed_call_changes_nothing(table: Table, service: FakeService) -> None:
    """A call that fails is raised, and the table is as it was."""
    before = kept(table)
    service.answer = lambda request, context: context.abort(grpc.StatusCode.ABORTED, "moved in between")
    with pytest.raises(RulesError, match="moved in between"):
        table.play(1, moves.draw())
    assert kept(table) == before


def test_check(table: Table, service: FakeService) -> None:
    """Checking gives the violations, and none for a legal move."""
    service.answer = lambda request, context: api.CheckMovesResponse(violations=[ILLEGAL])
    assert table.check(1, moves.discard("KD")) == (ILLEGAL,)
    service.answer = lambda request, context: api.CheckMovesResponse(legal=True)
    assert table.check(1, moves.draw()) == ()
    assert table.revision == 5


def test_questions_carry_the_state(table: Table, service: FakeService) -> None:
    """Legal moves, views and scores are asked of the state that the table keeps."""
    service.answer = lambda request, context: api.ListLegalMovesResponse(legal_moves=LegalMoves(count=3))
    assert table.legal(1, max_moves=10).count == 3
    service.answer = lambda request, context: api.GetViewResponse(view=View(stock_count=41))
    assert table.view(1).stock_count == table.view().stock_count == 41
    service.answer = lambda request, context: api.ScoreDealResponse(score_sheet=ScoreSheet(deal_number=1))
    assert table.score().score_sheet.deal_number == 1
    assert service.requests == [
        api.ListLegalMovesRequest(state=b"five", seat=1, max_moves=10),
        api.GetViewRequest(state=b"five", viewer=Viewer(seat=1)),
        api.GetViewRequest(state=b"five", viewer=SPECTATOR),
        api.ScoreDealRequest(state=b"five"),
    ]


def test_next_deal(table: Table, service: FakeService) -> None:
    """The next deal is a move like any other."""
    service.answer = lambda request, context: accepted(b"six", 6, 0)
    table.next_deal(2)
    (request,) = service.requests
    assert isinstance(request, api.ApplyMovesRequest)
    assert (request.seat, list(request.moves)) == (2, [moves.next_deal()])
    assert table.turn == 0


def test_of_two_changes_from_one_state_the_first_stands(table: Table, service: FakeService) -> None:
    """One that is answered while another waits for its answer is not undone by it."""

    def answer(request: Message, context: grpc.ServicerContext) -> Message:
        if isinstance(request, api.ApplyMovesRequest) and request.seat == 1:
            table.play(2, moves.draw())
            return accepted(b"late", 6, 1)
        if isinstance(request, api.IssueSeatTokenRequest):
            table.play(2, moves.draw())
            return api.IssueSeatTokenResponse(seat_token="t", state=b"late", revision=6)
        assert isinstance(request, api.ApplyMovesRequest)
        return accepted(b"%d" % (request.expected_revision + 1), request.expected_revision + 1, 1)

    service.answer = answer
    with pytest.raises(RulesError, match="from revision 5 to 6 in the meantime: look again") as caught:
        table.play(1, moves.draw())
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.ABORTED, Reason.REASON_REVISION_MISMATCH)
    with pytest.raises(RulesError, match="from revision 6 to 7 in the meantime: look again"):
        table.issue_seat_token(1, revoke=True)
    assert table.issue_seat_token(1).seat_token == "t"
    assert (table.state, table.revision) == (b"8", 8)


def test_what_a_stream_accepted_takes_no_table_back(table: Table) -> None:
    """Moves that were accepted from an older state than the table has by now are refused."""
    table.take(api.Accepted(state=b"six", revision=6))
    with pytest.raises(RulesError, match="revision 6 was accepted, and the table is at 6 by now: look again") as caught:
        table.take(api.Accepted(state=b"other six", revision=6))
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.ABORTED, Reason.REASON_REVISION_MISMATCH)
    assert (table.state, table.revision) == (b"six", 6)
