"""What a table keeps of its match, and the requests and answers that go with it, however they travel."""

from collections.abc import Iterable
from typing import TypeAlias, TypedDict

import grpc

from burraco.errors import IllegalMove, RulesError, gone_on
from burraco.v1.cards_pb2 import HandOrder, Spectator, Viewer
from burraco.v1.game_service_pb2 import (
    Accepted,
    ApplyMovesRequest,
    ApplyMovesResponse,
    CheckMovesRequest,
    CheckMovesResponse,
    CreateMatchRequest,
    CreateMatchResponse,
    DrawnSeats,
    GetViewRequest,
    GetViewResponse,
    GivenSeats,
    IssueSeatTokenRequest,
    IssueSeatTokenResponse,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
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


class MatchOptions(TypedDict, total=False):
    """What a match may be created with beside its preset; `CreateMatchRequest` says more of each."""

    options: Options | None
    """These options replace the preset's own."""
    request_id: str
    """The same one and the same seed give the same match."""
    sealed_seed: bytes | None
    given_seed: bytes | None
    """At most one of the two."""
    entropy: Iterable[bytes]
    draw_seats: bool
    dealer: int | None
    """Only where seats are not drawn."""
    hand_order: HandOrder.ValueType
    seat_token_seconds: int


class KeptMatch:
    """One match. Only an accepted move changes it: after a refusal or a failed call it is as it was.

    Of two changes that are made at once from the same state the first to be answered stands; the other fails with
    `ABORTED` and `REASON_REVISION_MISMATCH`.
    """

    __slots__ = ("phase", "revision", "seat_tokens", "state", "turn", "updates")

    def __init__(self, state: bytes, view: View) -> None:
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

    def request(
        self,
        seat: int,
        *played: Move,
        viewers: Iterable[int | None] = (),
        list_legal_moves: bool = False,
        hand_order: HandOrder.ValueType = HandOrder.HAND_ORDER_UNSPECIFIED,
    ) -> ApplyMovesRequest:
        """Write moves, to be made all or none, as a stream sends them; `take` the answer.

        `viewers` are seats, None a spectator; by default the seat that moves.
        """
        return ApplyMovesRequest(
            state=self.state,
            seat=seat,
            moves=played,
            expected_revision=self.revision,
            viewers=map(viewer, viewers),
            hand_order=hand_order,
            list_legal_moves=list_legal_moves,
        )

    def take(self, accepted: Accepted) -> Accepted:
        """Go on from accepted moves. :raises RulesError: the table is as far already, or farther."""
        if accepted.revision <= self.revision:
            late = f"revision {accepted.revision} was accepted, and the table is at {self.revision} by now"
            raise gone_on(late, actual=self.revision)
        return self._go_on(accepted)

    def _go_on(self, accepted: Accepted) -> Accepted:
        self.state, self.revision, self.phase = accepted.state, accepted.revision, accepted.phase
        self.turn = accepted.turn if accepted.HasField("turn") else None
        self.updates = tuple(accepted.updates)
        return accepted

    def _take_created(self, response: CreateMatchResponse) -> None:
        self.updates = tuple(response.updates)
        self.seat_tokens = tuple(response.seat_tokens)

    def _take_played(self, request: ApplyMovesRequest, accepted: Accepted) -> Accepted:
        self._see_is_still(request.state, request.expected_revision)
        return self._go_on(accepted)

    def _take_revoked(self, state: bytes, revision: int, response: IssueSeatTokenResponse) -> None:
        self._see_is_still(state, revision)
        self.state, self.revision = response.state, response.revision

    def _see_is_still(self, state: bytes, revision: int) -> None:
        """A change belongs to the state that it was made from; another one may have been answered in between."""
        if self.state != state:
            gone = f"the table has gone on from revision {revision} to {self.revision} in the meantime"
            raise gone_on(gone, expected=revision, actual=self.revision)

    def _check_request(self, seat: int, played: Iterable[Move]) -> CheckMovesRequest:
        return CheckMovesRequest(state=self.state, seat=seat, moves=played, expected_revision=self.revision)

    def _legal_request(self, seat: int, max_moves: int) -> ListLegalMovesRequest:
        return ListLegalMovesRequest(state=self.state, seat=seat, max_moves=max_moves)

    def _view_request(
        self, seat: int | None, hand_order: HandOrder.ValueType, *, include_rules: bool
    ) -> GetViewRequest:
        return GetViewRequest(state=self.state, viewer=viewer(seat), hand_order=hand_order, include_rules=include_rules)

    def _score_request(self) -> ScoreDealRequest:
        return ScoreDealRequest(state=self.state)

    def _token_request(self, seat: int, lifetime_seconds: int, *, revoke: bool) -> IssueSeatTokenRequest:
        return IssueSeatTokenRequest(state=self.state, seat=seat, revoke=revoke, lifetime_seconds=lifetime_seconds)


def accepted_of(response: ApplyMovesResponse, request: ApplyMovesRequest) -> Accepted:
    """Give the accepted moves of an answer. :raises IllegalMove: with everything wrong with the first illegal one.

    :raises RulesError: where it is neither, as an answer of a newer service may be, or lacks a part: then the table
        stays as it is.
    """
    match response.WhichOneof("outcome"):
        case "accepted":
            accepted = response.accepted
            _see("accepted.state", there=bool(accepted.state))
            nobody_moves = not accepted.HasField("turn")
            listed = nobody_moves or not request.list_legal_moves or accepted.HasField("legal_moves")
            _see("accepted.legal_moves", there=listed)
            return accepted
        case "rejected":
            raise IllegalMove(response.rejected.violations)
        case _:
            raise incomplete("the answer is neither accepted nor rejected: this client is older than the service")


def created_view(response: CreateMatchResponse) -> View:
    """Give the view with which a table begins. :raises RulesError: the answer lacks a part."""
    _see("state", there=bool(response.state))
    _see("updates[0].view", there=bool(response.updates) and response.updates[0].HasField("view"))
    return response.updates[0].view


def view_of(response: GetViewResponse) -> View:
    """Give the view. :raises RulesError: there is none."""
    _see("view", there=response.HasField("view"))
    return response.view


def legal_of(response: ListLegalMovesResponse) -> LegalMoves:
    """Give the legal moves, of which there may be none. :raises RulesError: there is no list."""
    _see("legal_moves", there=response.HasField("legal_moves"))
    return response.legal_moves


def violations_of(response: CheckMovesResponse) -> tuple[Violation, ...]:
    """Give what is wrong with moves. :raises RulesError: it is not said, and they are not legal either."""
    _see("violations", there=response.legal or bool(response.violations))
    return tuple(response.violations)


def issued(response: IssueSeatTokenResponse) -> IssueSeatTokenResponse:
    """Give the seat token, and the state that goes with it. :raises RulesError: the answer lacks a part."""
    _see("seat_token", there=bool(response.seat_token))
    _see("state", there=bool(response.state))
    return response


def counted(response: ScoreDealResponse) -> ScoreDealResponse:
    """Give the counted deal. :raises RulesError: there is no score sheet."""
    _see("score_sheet", there=response.HasField("score_sheet"))
    return response


def incomplete(told: str) -> RulesError:
    """An answer that is not what its contract says, as if the call had failed."""
    return RulesError(grpc.StatusCode.UNKNOWN, told)


def _see(part: str, *, there: bool) -> None:
    if not there:
        raise incomplete(f"the answer has no {part}")


def create_request(
    preset: Preset.ValueType,
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
) -> CreateMatchRequest:
    """Ask for a match. :raises ValueError: there are two seeds, or a dealer beside a draw for seats."""
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
    return request


def resume_request(state: bytes, seat: int | None) -> GetViewRequest:
    """Ask for what a table has to know of a state that was kept."""
    return GetViewRequest(state=state, viewer=viewer(seat))


def viewer(seat: int | None) -> Viewer:
    """Name a viewer: a seat, or None for a spectator."""
    return Viewer(spectator=Spectator()) if seat is None else Viewer(seat=seat)


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
