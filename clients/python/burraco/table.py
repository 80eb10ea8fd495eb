"""A match as its caller keeps it: the sealed state, and the revision that goes with it."""

from collections.abc import Iterable
from typing import Self, TypeAlias

from burraco import moves
from burraco.channel import Client
from burraco.errors import IllegalMove
from burraco.v1.cards_pb2 import HandOrder, Spectator, Viewer
from burraco.v1.game_service_pb2 import (
    Accepted,
    ApplyMovesRequest,
    CheckMovesRequest,
    CreateMatchRequest,
    DrawnSeats,
    GetViewRequest,
    GivenSeats,
    IssueSeatTokenRequest,
    IssueSeatTokenResponse,
    ListLegalMovesRequest,
    ScoreDealRequest,
    ScoreDealResponse,
    ViewerUpdate,
)
from burraco.v1.moves_pb2 import LegalMoves, Move
from burraco.v1.reasons_pb2 import Violation
from burraco.v1.rules_pb2 import BurracoRules, GinRules, Preset, RaminoRules, RulesSelection, Scala40Rules
from burraco.v1.views_pb2 import Phase, View

Options: TypeAlias = BurracoRules | RaminoRules | GinRules | Scala40Rules
"""Options of one game."""


class Table:
    """One match. Only an accepted move changes it: after a refusal or a failed call it is as it was.

    Every method that calls the service raises `RulesError` when the call fails.
    """

    __slots__ = ("client", "phase", "revision", "seat_tokens", "state", "turn", "updates")

    def __init__(self, client: Client, state: bytes, view: View) -> None:
        self.client = client
        self.state = state
        """The sealed state: keep it, and `resume` goes on from it."""
        self.revision = view.revision
        """Number of changes so far: moves applied, and revocations of seat tokens."""
        self.phase: Phase.ValueType = view.phase
        self.turn = view.turn if view.HasField("turn") else None
        """The seat to move; None when the deal or the match is over."""
        self.updates: tuple[ViewerUpdate, ...] = ()
        """What the latest change told each viewer that was asked for."""
        self.seat_tokens: tuple[str, ...] = ()
        """The token of each seat, by seat, where this made the match: give each player his own."""

    @classmethod
    def create(
        cls,
        client: Client,
        preset: Preset.ValueType = Preset.PRESET_ITALIAN,
        *,
        options: Options | None = None,
        request_id: str = "",
        sealed_seed: bytes | None = None,
        given_seed: bytes | None = None,
        entropy: Iterable[bytes] = (),
        draw_seats: bool = False,
        dealer: int | None = None,
        hand_order: HandOrder.ValueType = HandOrder.HAND_ORDER_UNSPECIFIED,
        seat_token_seconds: int = 0,
    ) -> Self:
        """Seat the players and deal. `options` replace the preset's own; see `CreateMatchRequest` for the rest.

        At most one seed may be given, and a dealer only where seats are not drawn. :raises ValueError: otherwise.
        """
        if sealed_seed is not None and given_seed is not None:
            raise ValueError("a match has one seed: give sealed_seed or given_seed, not both")
        if draw_seats and dealer is not None:
            raise ValueError("the draw for seats finds the dealer too: give draw_seats or dealer, not both")
        request = CreateMatchRequest(
            rules=_selection(preset, options),
            request_id=request_id,
            entropy=entropy,
            drawn_seats=DrawnSeats() if draw_seats else None,
            given_seats=None if draw_seats else GivenSeats(dealer=dealer),
            hand_order=hand_order,
            seat_token_seconds=seat_token_seconds,
        )
        if sealed_seed is not None:
            request.sealed_seed = sealed_seed
        if given_seed is not None:
            request.given_seed = given_seed
        response = client.call(client.stub.CreateMatch, request)
        table = cls(client, response.state, response.updates[0].view)
        table.updates = tuple(response.updates)
        table.seat_tokens = tuple(response.seat_tokens)
        return table

    @classmethod
    def resume(cls, client: Client, state: bytes, *, seat: int | None = None) -> Self:
        """Go on from a state that was kept. A client that is a seat has to name it: it sees no other view."""
        request = GetViewRequest(state=state, viewer=_viewer(seat))
        return cls(client, state, client.call(client.stub.GetView, request).view)

    def play(
        self,
        seat: int,
        *played: Move,
        viewers: Iterable[int | None] = (),
        list_legal_moves: bool = False,
        hand_order: HandOrder.ValueType = HandOrder.HAND_ORDER_UNSPECIFIED,
    ) -> Accepted:
        """Make moves, all or none. `viewers` are seats, None a spectator; by default the seat that moves.

        :raises IllegalMove: with everything that is wrong with the first illegal move.
        """
        request = ApplyMovesRequest(
            state=self.state,
            seat=seat,
            moves=played,
            expected_revision=self.revision,
            viewers=map(_viewer, viewers),
            hand_order=hand_order,
            list_legal_moves=list_legal_moves,
        )
        response = self.client.call(self.client.stub.ApplyMoves, request)
        if response.WhichOneof("outcome") == "rejected":
            raise IllegalMove(response.rejected.violations)
        accepted = response.accepted
        self.state, self.revision, self.phase = accepted.state, accepted.revision, accepted.phase
        self.turn = accepted.turn if accepted.HasField("turn") else None
        self.updates = tuple(accepted.updates)
        return accepted

    def check(self, seat: int, *played: Move) -> tuple[Violation, ...]:
        """Say what is wrong with moves, without making them; nothing if they are legal."""
        request = CheckMovesRequest(state=self.state, seat=seat, moves=played, expected_revision=self.revision)
        return tuple(self.client.call(self.client.stub.CheckMoves, request).violations)

    def legal(self, seat: int, *, max_moves: int = 0) -> LegalMoves:
        """List every legal move of a seat; `moves.expand` goes through them one by one."""
        request = ListLegalMovesRequest(state=self.state, seat=seat, max_moves=max_moves)
        return self.client.call(self.client.stub.ListLegalMoves, request).legal_moves

    def view(
        self,
        seat: int | None = None,
        *,
        hand_order: HandOrder.ValueType = HandOrder.HAND_ORDER_UNSPECIFIED,
        include_rules: bool = False,
    ) -> View:
        """Show what a seat may know, or a spectator."""
        request = GetViewRequest(
            state=self.state, viewer=_viewer(seat), hand_order=hand_order, include_rules=include_rules
        )
        return self.client.call(self.client.stub.GetView, request).view

    def score(self) -> ScoreDealResponse:
        """Count the finished deal."""
        return self.client.call(self.client.stub.ScoreDeal, ScoreDealRequest(state=self.state))

    def issue_seat_token(self, seat: int, *, revoke: bool = False, lifetime_seconds: int = 0) -> IssueSeatTokenResponse:
        """Issue another token of a seat; for back ends only. With `revoke` those before end, and the state changes."""
        request = IssueSeatTokenRequest(state=self.state, seat=seat, revoke=revoke, lifetime_seconds=lifetime_seconds)
        response = self.client.call(self.client.stub.IssueSeatToken, request)
        self.state, self.revision = response.state, response.revision
        return response

    def next_deal(self, seat: int = 0, *, viewers: Iterable[int | None] = ()) -> Accepted:
        """Deal again after a deal has been counted."""
        return self.play(seat, moves.next_deal(), viewers=viewers)


def _selection(preset: Preset.ValueType, options: Options | None) -> RulesSelection:
    selection = RulesSelection(preset=preset)
    match options:
        case BurracoRules():
            selection.burraco.CopyFrom(options)
        case RaminoRules():
            selection.ramino.CopyFrom(options)
        case GinRules():
            selection.gin.CopyFrom(options)
        case Scala40Rules():
            selection.scala_40.CopyFrom(options)
    return selection


def _viewer(seat: int | None) -> Viewer:
    return Viewer(spectator=Spectator()) if seat is None else Viewer(seat=seat)
