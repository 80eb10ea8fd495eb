"""A match as its caller keeps it: the sealed state, and the revision that goes with it."""

from collections.abc import Iterable
from typing import Self, Unpack

from burraco import moves
from burraco.channel import Client
from burraco.kept import (
    KeptMatch,
    MatchOptions,
    Options,
    accepted_of,
    counted,
    create_request,
    created_view,
    issued,
    legal_of,
    resume_request,
    view_of,
    violations_of,
)
from burraco.v1.cards_pb2 import HandOrder
from burraco.v1.game_service_pb2 import Accepted, IssueSeatTokenResponse, ScoreDealResponse
from burraco.v1.moves_pb2 import LegalMoves, Move
from burraco.v1.reasons_pb2 import Violation
from burraco.v1.rules_pb2 import Preset
from burraco.v1.views_pb2 import View

__all__ = ["MatchOptions", "Options", "Table"]


class Table(KeptMatch):
    """One match. Only an accepted move changes it: after a refusal or a failed call it is as it was.

    Every method that calls the service raises `RulesError` when the call fails.
    """

    __slots__ = ("client",)

    def __init__(self, client: Client, state: bytes, view: View) -> None:
        super().__init__(state, view)
        self.client = client

    @classmethod
    def create(
        cls, client: Client, preset: Preset.ValueType = Preset.PRESET_ITALIAN, **chosen: Unpack[MatchOptions]
    ) -> Self:
        """Seat the players and deal; `MatchOptions` has what may be chosen beside the preset.

        At most one seed may be given, and a dealer only where seats are not drawn. :raises ValueError: otherwise.
        """
        response = client.call(client.stub.CreateMatch, create_request(preset, **chosen))
        table = cls(client, response.state, created_view(response))
        table._take_created(response)
        return table

    @classmethod
    def resume(cls, client: Client, state: bytes, *, seat: int | None = None) -> Self:
        """Go on from a state that was kept. A client that is a seat has to name it: it sees no other view."""
        return cls(client, state, view_of(client.call(client.stub.GetView, resume_request(state, seat))))

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
        request = self.request(seat, *played, viewers=viewers, list_legal_moves=list_legal_moves, hand_order=hand_order)
        accepted = accepted_of(self.client.call(self.client.stub.ApplyMoves, request), request)
        return self._take_played(request, accepted)

    def check(self, seat: int, *played: Move) -> tuple[Violation, ...]:
        """Say what is wrong with moves, without making them; nothing if they are legal."""
        request = self._check_request(seat, played)
        return violations_of(self.client.call(self.client.stub.CheckMoves, request))

    def legal(self, seat: int, *, max_moves: int = 0) -> LegalMoves:
        """List every legal move of a seat; `moves.expand` goes through them one by one."""
        request = self._legal_request(seat, max_moves)
        return legal_of(self.client.call(self.client.stub.ListLegalMoves, request))

    def view(
        self,
        seat: int | None = None,
        *,
        hand_order: HandOrder.ValueType = HandOrder.HAND_ORDER_UNSPECIFIED,
        include_rules: bool = False,
    ) -> View:
        """Show what a seat may know, or a spectator."""
        request = self._view_request(seat, hand_order, include_rules=include_rules)
        return view_of(self.client.call(self.client.stub.GetView, request))

    def score(self) -> ScoreDealResponse:
        """Count the finished deal."""
        return counted(self.client.call(self.client.stub.ScoreDeal, self._score_request()))

    def issue_seat_token(self, seat: int, *, revoke: bool = False, lifetime_seconds: int = 0) -> IssueSeatTokenResponse:
        """Issue another token of a seat; for back ends only. With `revoke` those before end, and the state changes."""
        request = self._token_request(seat, lifetime_seconds, revoke=revoke)
        revision = self.revision
        response = issued(self.client.call(self.client.stub.IssueSeatToken, request))
        if revoke:
            self._take_revoked(request.state, revision, response)
        return response

    def next_deal(self, seat: int = 0, *, viewers: Iterable[int | None] = ()) -> Accepted:
        """Deal again once a deal is over."""
        return self.play(seat, moves.next_deal(), viewers=viewers)
