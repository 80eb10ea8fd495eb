"""Whether a store holds exactly what was accepted: nothing lost, nothing applied twice."""

from collections.abc import Sequence
from typing import Final

from back_end.game import Played
from back_end.store import Receipt, Store, Stored
from burraco import Client
from burraco.v1.cards_pb2 import Spectator, Viewer
from burraco.v1.events_pb2 import Event
from burraco.v1.game_service_pb2 import (
    ApplyMovesRequest,
    IssueSeatTokenRequest,
    RecordedMove,
    ReplayMatchRequest,
    ViewerUpdate,
)
from service.rules.state import State
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import decode_state
from tests.examples.players import Player, deal

KEY: Final = bytes(range(32))


def judge(client: Client, store: Store, match: str, begun: Stored, players: Sequence[Player]) -> int:
    """Compare what is stored with what the players were told, and with what the rules make of it; the last revision."""
    stored = store.load(match)
    assert stored is not None
    accepted = answers_hold(store, match, players)
    stored_moves = tuple(move for _, receipt in accepted for move in receipt.moves)
    assert store.moves(match) == stored_moves
    again, told = serially(client, begun, accepted)
    assert again == stored
    events = store.events(match, -1, stored.revision)
    by_viewer = [[Event.FromString(event.told[viewer]) for event in events] for viewer in range(begun.players + 1)]
    for shown, applied in zip(by_viewer, told, strict=True):
        keys = [(event.revision, event.index) for event in shown]
        assert keys == sorted(set(keys))
        assert [event for event in shown if event.revision] == applied
    assert events == store.events(match, -1, stored.revision + 1000), "there are events of revisions to come"
    for player in players:
        assert player.events == [event for event in by_viewer[player.viewer] if event.revision <= player.seen]
    replays(client, match, begun, stored, by_viewer[-1][0], stored_moves)
    return stored.revision


def answers_hold(store: Store, match: str, players: Sequence[Player]) -> list[tuple[str, Receipt]]:
    """Check that who was told of a change has it stored, and who was told of none has not; the changes in order."""
    found: dict[str, Receipt] = {}
    for sent in (sent for player in players for sent in player.sent):
        receipt = store.receipt(match, sent.name)
        if receipt is not None:
            found[sent.name] = receipt
        for answer in sent.answers:
            if isinstance(answer, Played):
                assert receipt is not None
                assert answer == sent.answers[0], "one request has two answers"
                assert answer.revision == receipt.after
            elif isinstance(answer, str):
                assert receipt is not None
            else:
                assert receipt is None, f"{sent} was refused, and stored"
    accepted = sorted(found.items(), key=lambda item: item[1].before)
    ends = [0, *(receipt.after for _, receipt in accepted)]
    stored = store.load(match)
    assert stored is not None
    assert [receipt.before for _, receipt in accepted] == ends[:-1], "changes overlap, or one is missing"
    assert ends[-1] == stored.revision
    return accepted


def serially(client: Client, begun: Stored, accepted: list[tuple[str, Receipt]]) -> tuple[Stored, list[list[Event]]]:
    """Make the accepted changes one after another, with nobody in between; the match and each viewer's events."""
    viewers = [Viewer(seat=seat) for seat in range(begun.players)] + [Viewer(spectator=Spectator())]
    told: list[list[Event]] = [[] for _ in viewers]
    state, revision = begun.state, begun.revision
    for name, receipt in accepted:
        if not receipt.moves:
            issue = IssueSeatTokenRequest(state=state, seat=int(name.split(":")[1]), revoke=True)
            issued = client.call(client.stub.IssueSeatToken, issue)
            state, revision = issued.state, issued.revision
            continue
        recorded = [RecordedMove.FromString(move) for move in receipt.moves]
        request = ApplyMovesRequest(
            state=state, seat=recorded[0].seat, moves=[each.move for each in recorded], viewers=viewers
        )
        response = client.call(client.stub.ApplyMoves, request)
        assert response.WhichOneof("outcome") == "accepted"
        state, revision = response.accepted.state, response.accepted.revision
        add(told, response.accepted.updates)
        assert revision == receipt.after
    return Stored(revision, state, begun.players), told


def add(told: list[list[Event]], updates: Sequence[ViewerUpdate]) -> None:
    for events, update in zip(told, updates, strict=True):
        events.extend(update.events)


def replays(
    client: Client, match: str, begun: Stored, stored: Stored, started: Event, stored_moves: tuple[bytes, ...]
) -> None:
    """Check that the recorded moves verify to the stored state; revocations, which are no moves, left out."""
    asked = deal(begun.players)
    record = ReplayMatchRequest(
        rules=started.match_started.rules,
        seed=asked.given_seed,
        given_seats=asked.given_seats,
        request_id=match,
        moves=map(RecordedMove.FromString, stored_moves),
    )
    answer = client.call(client.stub.ReplayMatch, record)
    assert answer.WhichOneof("outcome") == "verified"
    replayed, kept = opened(answer.verified.state), opened(stored.state)
    assert replayed.revision == len(stored_moves)
    assert replayed == kept._replace(revision=replayed.revision, token_epochs=replayed.token_epochs)
    if kept.token_epochs == replayed.token_epochs:
        assert answer.verified.state == stored.state


def opened(sealed: bytes) -> State:
    return decode_state(Sealer(KEY).open(sealed, Format.STATE, "state"))
