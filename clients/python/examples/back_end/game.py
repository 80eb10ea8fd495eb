"""What players ask of a back end: to play, to catch up, to get a seat token. All that is kept is in the store."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from back_end.store import Change, Happening, Receipt, Store, Stored
from burraco import Client, IllegalMove, RulesError
from burraco.kept import accepted_of, created_view, issued, view_of, violations_of
from burraco.v1.cards_pb2 import Spectator, Viewer
from burraco.v1.events_pb2 import Event
from burraco.v1.game_service_pb2 import (
    ApplyMovesRequest,
    CheckMovesRequest,
    CreateMatchRequest,
    GetViewRequest,
    IssueSeatTokenRequest,
    RecordedMove,
    ViewerUpdate,
)
from burraco.v1.moves_pb2 import Move, TimeOutTurn
from burraco.v1.reasons_pb2 import Reason, Violation
from burraco.v1.views_pb2 import Phase, View

SPECTATOR: Final = -1
BEFORE_ALL: Final = -1
"""What a player who has seen nothing yet gives as the last revision seen."""
OF_BACK_ENDS: Final = frozenset(("time_out_turn", "call_time"))
"""Moves that no player may send. The service takes them from us, so it is for us to refuse them."""
REVOCATION_TRIES: Final = 20


class Played(NamedTuple):
    """Moves were made, and are stored."""

    revision: int
    events: tuple[Event, ...]
    """What they did, as the player may know it."""


class Refused(NamedTuple):
    """The rules forbid it; nothing has changed."""

    violations: tuple[Violation, ...]


class Stale(NamedTuple):
    """Somebody changed the match in between; nothing was done. Catch up, and let the player look and decide again."""


class Over(NamedTuple):
    """The match is over; nothing was done."""


Answer: TypeAlias = Played | Refused | Stale | Over


class CaughtUp(NamedTuple):
    """What a player missed, and how things stand after it."""

    revision: int
    events: tuple[Event, ...]
    view: View


class UnknownMatch(LookupError):  # noqa: N818 - a refusal
    """There is no match of that name."""


class NotForPlayers(Exception):  # noqa: N818 - a refusal
    """Only a back end may make such a move."""


class RequestIdReused(Exception):  # noqa: N818 - a refusal
    """A request id came back with something else: a fault of the player's program."""


class Busy(Exception):  # noqa: N818 - a refusal
    """The match changed again and again while we tried; nothing was done. Try again with the same request id."""


class Matches:
    """Matches of a store, played by the rules of a service. Any number of these may work on one store.

    Names of matches and request ids are the callers' own, and of the same thing always the same. Whatever fails with
    another exception than those above (the service, the store, the connection) may have been stored or not: ask again,
    with the same request id. Nothing is ever done twice.
    """

    def __init__(self, client: Client, store: Store) -> None:
        self._client = client
        self._store = store

    def create(self, match: str, players: int, request: CreateMatchRequest) -> None:
        """Deal a match, unless it is there: the first one of a name stays. `request` has rules, seating and seed.

        For a deck that players can verify, the seed is one of CommitSeed, kept before they add their entropy.
        :raises ValueError: the rules are for another number of players.
        """
        if self._store.load(match) is not None:
            return
        asked = CreateMatchRequest()
        asked.CopyFrom(request)
        asked.request_id = match
        asked.ClearField("viewers")
        asked.viewers.extend(_everyone(players))
        created = self._client.call(self._client.stub.CreateMatch, asked)
        if len(created_view(created).seats) != players:
            raise ValueError(f"these rules are not for {players} players")
        self._store.create(match, Stored(0, created.state, players), _happenings(created.updates))

    def play(self, match: str, seat: int, played: Sequence[Move], *, expected_revision: int, request_id: str) -> Answer:
        """Make moves of a player, all or none, if the match is still at the revision that the player saw.

        :raises NotForPlayers: a move is for back ends alone, or of no kind that is known here.
        :raises RequestIdReused: the id was another request's.
        """
        # A kind that we do not know, of a newer contract, may be for back ends too, and would be passed on as it came.
        if any(move.WhichOneof("kind") in {None, *OF_BACK_ENDS} for move in played):
            raise NotForPlayers
        return self._change(match, seat, played, expected_revision, f"play:{seat}:{request_id}")

    def time_out(self, match: str, seat: int, *, expected_revision: int) -> Answer:
        """Complete the turn of an absent player, whose clock ran out at that revision."""
        played = [Move(time_out_turn=TimeOutTurn())]
        return self._change(match, seat, played, expected_revision, f"time-out:{seat}:{expected_revision}")

    def catch_up(self, match: str, viewer: int, after: int = BEFORE_ALL) -> CaughtUp:
        """Tell a seat or a SPECTATOR what happened after a revision, and show the table as it is now."""
        stored = self._load(match)
        # Events are written with their state, so those up to its revision are all there, and later ones can wait.
        events = self._store.events(match, after, stored.revision)
        request = GetViewRequest(state=stored.state, viewer=_viewer(viewer))
        view = view_of(self._client.call(self._client.stub.GetView, request))
        return CaughtUp(stored.revision, _told(events, viewer), view)

    def seat_token(self, match: str, seat: int) -> str:
        """Issue a token to a player whose device calls the service itself."""
        request = IssueSeatTokenRequest(state=self._load(match).state, seat=seat)
        return issued(self._client.call(self._client.stub.IssueSeatToken, request)).seat_token

    def revoke_seat_tokens(self, match: str, seat: int, *, request_id: str) -> str:
        """End the tokens of a seat, and issue another one.

        Here a lost race may be run again: a revocation means the match as it stands, whatever was played meanwhile.
        :raises Busy: it was lost too often.
        """
        name = f"revoke:{seat}:{request_id}"
        for _ in range(REVOCATION_TRIES):
            stored = self._load(match)
            if self._store.receipt(match, name) is not None:
                return self.seat_token(match, seat)
            request = IssueSeatTokenRequest(state=stored.state, seat=seat, revoke=True)
            token = issued(self._client.call(self._client.stub.IssueSeatToken, request))
            change = Change(name, stored.revision, token.revision, token.state, (), (), finished=False)
            if self._store.replace(match, change):
                return token.seat_token
        raise Busy

    def record(self, match: str) -> tuple[RecordedMove, ...]:
        """List every move of a match, as ReplayMatch takes them."""
        return tuple(map(RecordedMove.FromString, self._store.moves(match)))

    def _load(self, match: str) -> Stored:
        stored = self._store.load(match)
        if stored is None:
            raise UnknownMatch(match)
        return stored

    def _change(self, match: str, seat: int, played: Sequence[Move], expected_revision: int, name: str) -> Answer:
        stored = self._load(match)
        recorded = tuple(RecordedMove(seat=seat, move=move) for move in played)
        # Before all else: this may be a request whose answer got lost. (Looked up after the load, so that whatever made
        # the match newer than expected can be found.)
        if (receipt := self._store.receipt(match, name)) is not None:
            return self._again(match, seat, recorded, expected_revision, receipt)
        request = ApplyMovesRequest(
            state=stored.state,
            seat=seat,
            moves=played,
            expected_revision=expected_revision,
            viewers=_everyone(stored.players),
        )
        try:
            if len(played) > 1 and (violations := self._check(request)):
                return Refused(violations)
            # Nothing but what was accepted is ever stored, whatever a newer service may answer.
            accepted = accepted_of(self._client.call(self._client.stub.ApplyMoves, request), request)
        except IllegalMove as refused:
            return Refused(refused.violations)
        except RulesError as error:
            if error.reason == Reason.REASON_REVISION_MISMATCH:
                return Stale()
            if error.reason == Reason.REASON_MATCH_FINISHED:
                return Over()
            raise
        change = Change(
            request_id=name,
            before=expected_revision,
            after=accepted.revision,
            state=accepted.state,
            moves=tuple(move.SerializeToString() for move in recorded),
            events=_happenings(accepted.updates),
            finished=accepted.phase == Phase.PHASE_MATCH_OVER,
        )
        if self._store.replace(match, change):
            return Played(change.after, _told(change.events, seat))
        # The race is lost. Never apply the moves to the newer state, which the player has not seen; but it may have
        # been lost to this very request, sent twice.
        if (receipt := self._store.receipt(match, name)) is not None:
            return self._again(match, seat, recorded, expected_revision, receipt)
        return Stale()

    def _check(self, asked: ApplyMovesRequest) -> tuple[Violation, ...]:
        """Say what is wrong with several moves, so that no refusal tells a player what the next card would be.

        We may look ahead, a player may not: CheckMoves takes no move after one that reveals a hidden card.
        """
        request = CheckMovesRequest(
            state=asked.state, seat=asked.seat, moves=asked.moves, expected_revision=asked.expected_revision
        )
        return violations_of(self._client.call(self._client.stub.CheckMoves, request))

    def _again(
        self,
        match: str,
        seat: int,
        recorded: tuple[RecordedMove, ...],
        expected_revision: int,
        receipt: Receipt,
    ) -> Played:
        """Give the answer of a request that was stored before."""
        if receipt.before != expected_revision or tuple(map(RecordedMove.FromString, receipt.moves)) != recorded:
            raise RequestIdReused
        return Played(receipt.after, _told(self._store.events(match, receipt.before, receipt.after), seat))


def _viewer(viewer: int) -> Viewer:
    return Viewer(spectator=Spectator()) if viewer == SPECTATOR else Viewer(seat=viewer)


def _everyone(players: int) -> list[Viewer]:
    return [_viewer(viewer) for viewer in (*range(players), SPECTATOR)]


def _happenings(updates: Sequence[ViewerUpdate]) -> tuple[Happening, ...]:
    """Bring together what each viewer is told of an event; every viewer is told of each, with other cards hidden."""
    return tuple(
        Happening(told[0].revision, told[0].index, tuple(event.SerializeToString() for event in told))
        for told in zip(*(update.events for update in updates), strict=True)
    )


def _told(events: Sequence[Happening], viewer: int) -> tuple[Event, ...]:
    return tuple(Event.FromString(event.told[viewer]) for event in events)
