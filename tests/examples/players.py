"""Players who race: they catch up, decide, send, and send again when no answer comes."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from back_end.game import BEFORE_ALL, Answer, Busy, Matches, Stale
from back_end.store import Store
from burraco import Client, RulesError, moves
from burraco.v1.cards_pb2 import Spectator, Viewer
from burraco.v1.events_pb2 import Event
from burraco.v1.game_service_pb2 import CreateMatchRequest, GetViewRequest, GivenSeats, ListLegalMovesRequest
from burraco.v1.moves_pb2 import Move
from burraco.v1.rules_pb2 import Preset, RulesSelection
from burraco.v1.views_pb2 import Phase
from tests.examples.chaos import Broken

PRESETS: Final = {2: Preset.PRESET_TWO_PLAYER, 4: Preset.PRESET_ITALIAN}
SEED: Final = bytes(31) + b"\7"
TRIES: Final = 4
Call: TypeAlias = Callable[[], Answer | str]
LOST: Final = (Broken, RulesError)
"""What leaves a player without an answer."""


def deal(players: int) -> CreateMatchRequest:
    """Ask for the match that all of these tests play."""
    rules = RulesSelection(preset=PRESETS[players])
    return CreateMatchRequest(rules=rules, given_seed=SEED, given_seats=GivenSeats(dealer=0))


@dataclass
class Sent:
    """A request, and what came of it; no answers if each try failed."""

    name: str
    """The store's name of it."""
    answers: list[Answer | str] = field(default_factory=list)
    """A text is a new seat token."""


@dataclass
class Player:
    """One device. Its back end fails now and then; what is legal it learns from `client`, which does not."""

    name: str
    match: str
    back_end: Matches
    client: Client
    store: Store
    rng: random.Random
    viewer: int
    lost: tuple[type[Exception], ...] = LOST
    resigns: float = 0.02
    """How often resigning is among the moves to choose from; always would end most matches before they began."""
    pause: float = 0.0
    """Seconds to wait before trying again."""
    sent: list[Sent] = field(default_factory=list)
    seen: int = BEFORE_ALL
    events: list[Event] = field(default_factory=list)

    def take_turns(self, count: int, over: threading.Event | None = None) -> None:
        """Look and do something, so many times, or until it is over."""
        for number in range(count):
            if over is not None and over.is_set():
                break
            if not self.look():
                continue
            self.act(f"{self.name}-{number}")
        self.look()

    def look(self) -> bool:
        """Catch up from the last revision seen; False if that failed each time."""
        for _ in range(TRIES):
            try:
                caught = self.back_end.catch_up(self.match, self.viewer, self.seen)
            except self.lost:
                time.sleep(self.pause)
                continue
            assert caught.view.revision == caught.revision >= self.seen
            self.seen = caught.revision
            self.events += caught.events
            return True
        return False

    def rounds(self, count: int, over: threading.Event | None = None) -> Callable[[], None]:
        """Give a worker that takes so many turns."""
        return lambda: self.take_turns(count, over)

    def act(self, request_id: str) -> None:
        """Decide by the state that was seen, which others may have changed since, and send it until an answer comes."""
        try:
            decided = self.decide()
        except self.lost:
            return
        if decided is None:
            return
        seat, played = decided
        expected, chance = self.seen, self.rng.random()
        if chance < 0.1:
            name, call = f"revoke:{seat}:{request_id}", self._revoke(seat, request_id)
        elif chance < 0.2 and played[0].WhichOneof("kind") != "next_deal":
            name, call = f"time-out:{seat}:{expected}", self._time_out(seat, expected)
        else:
            name, call = f"play:{seat}:{request_id}", self._play(seat, played, expected, request_id)
        self.send(Sent(name), call, again=self.rng.random() < 0.3)

    def _revoke(self, seat: int, request_id: str) -> Call:
        return lambda: self.back_end.revoke_seat_tokens(self.match, seat, request_id=request_id)

    def _time_out(self, seat: int, expected: int) -> Call:
        return lambda: self.back_end.time_out(self.match, seat, expected_revision=expected)

    def _play(self, seat: int, played: list[Move], expected: int, request_id: str) -> Call:
        return lambda: self.back_end.play(self.match, seat, played, expected_revision=expected, request_id=request_id)

    def send(self, sent: Sent, call: Call, *, again: bool) -> None:
        """Send until there is an answer, and once more on purpose if it is to come twice."""
        self.sent.append(sent)
        for _ in range(TRIES):
            try:
                sent.answers.append(call())
            except Busy:
                continue
            except self.lost:
                time.sleep(self.pause)
                continue
            if isinstance(sent.answers[-1], Stale) or not again:
                return
            again = False

    def decide(self) -> tuple[int, list[Move]] | None:
        """Choose a legal move of whoever is to move, seldom two moves; None when the match is over or has gone on."""
        stored = self.store.load(self.match)
        assert stored is not None
        view = self.client.call(
            self.client.stub.GetView, GetViewRequest(state=stored.state, viewer=Viewer(spectator=Spectator()))
        ).view
        if view.phase == Phase.PHASE_MATCH_OVER:
            return None
        if view.phase == Phase.PHASE_DEAL_OVER:
            return 0, [moves.next_deal()]
        request = ListLegalMovesRequest(state=stored.state, seat=view.turn)
        legal = self.client.call(self.client.stub.ListLegalMoves, request).legal_moves
        listed = list(moves.expand(legal))
        if self.rng.random() >= self.resigns:
            listed = [move for move in listed if move.WhichOneof("kind") != "resign"]
        chosen = [self.rng.choice(listed)]
        if chosen[0].WhichOneof("kind") in {"meld", "lay_off"} and self.rng.random() < 0.7:
            chosen.append(self.rng.choice(listed))
        return view.turn, chosen
