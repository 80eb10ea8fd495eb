"""What a game is to the rest of the service: a value with a few functions. One game is built so far."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.rules.burraco.dealing import Seating, drawn_seats, given_seats
from service.rules.burraco.finish import first_deal
from service.rules.burraco.judge import judge
from service.rules.burraco.laying import Verdict
from service.rules.burraco.legal import LegalMoves, legal_moves
from service.rules.burraco.play import Applied, Refused, play
from service.rules.events import Event, MatchStarted
from service.rules.moves import Move
from service.rules.option_table import OPTIONS
from service.rules.options import BurracoRules
from service.rules.options import Game as GameName
from service.rules.reasons import Reason, Violation, violation
from service.rules.state import Fairness, Match, State
from service.rules.stream import match_id, stream_key
from service.rules.view import View, view

CHAIN_DOMAIN: Final = b"burraco/chain/v1\x00"


@dataclass(frozen=True, slots=True)
class Game:
    """A game."""

    name: GameName
    judge: Callable[[State, int, Move], Verdict]
    """Everything wrong with a move."""
    play: Callable[[State, int, Move], Applied | Refused]
    """Check a move and apply it."""
    legal_moves: Callable[[State, int, int], LegalMoves]
    """List a seat's legal moves, up to a number."""
    view: Callable[[State, int], View]
    """Show a state to a viewer."""


BURRACO: Final = Game(GameName.BURRACO, judge, play, legal_moves, view)


def game_of(_state: State) -> Game:
    """Find the game that a state belongs to."""
    return BURRACO


class RefusedBatch(NamedTuple):
    """A move of a batch was illegal; nothing has changed."""

    move_index: int
    violations: tuple[Violation, ...]


class Played(NamedTuple):
    """All moves of a batch were legal and have been applied."""

    state: State
    events: tuple[tuple[int, Event], ...]
    """Each with the revision after its move."""


def play_all(state: State, seat: int, moves: Sequence[Move], *, look_ahead: bool) -> Played | RefusedBatch:
    """Apply moves of one seat, all or none.

    Without `look_ahead` no move may follow one that reveals a hidden card: a refusal would tell what that card is.
    """
    game = game_of(state)
    events: list[tuple[int, Event]] = []
    revealed = False
    for index, move in enumerate(moves):
        if revealed and not look_ahead:
            return RefusedBatch(index, (violation(Reason.MOVE_AFTER_REVEAL),))
        outcome = game.play(state, seat, move)
        if isinstance(outcome, Refused):
            return RefusedBatch(index, outcome.violations)
        state, revealed = outcome.state, revealed or outcome.revealed
        events += [(state.revision, event) for event in outcome.events]
    return Played(state, tuple(events))


class SeatChoice(NamedTuple):
    """How seats and first dealer are found: drawn, or as given with a dealer, or with one that the seed chooses."""

    drawn: bool = False
    dealer: int | None = None


def create_match(rules: BurracoRules, fairness: Fairness, request_id: str, seats: SeatChoice) -> Played:
    """Seat the players and deal the first deal. Equal arguments make an equal match."""
    key = stream_key(fairness.seed, fairness.entropy)
    seating = drawn_seats(rules, key) if seats.drawn else given_seats(rules, seats.dealer, key)
    name = match_id(fairness.seed, fairness.entropy, request_id)
    match = Match(name, rules, seating.players, fairness)
    state, events = first_deal(match, seating, first_link(match, seating))
    draws = tuple((draw.player, draw.card, draw.round) for draw in seating.draws)
    started = MatchStarted(rules, seating.players, draws)
    return Played(state, tuple((state.revision, event) for event in (started, *events)))


def first_link(match: Match, seating: Seating) -> bytes:
    """First link of the hash chain over a match's moves, 16 bytes: match, rules, seats and dealer."""
    options = "\n".join(f"{option.key}={int(getattr(match.rules, option.key))}" for option in OPTIONS)
    seats = bytes((len(match.players), *match.players, seating.dealer))
    return hashlib.sha256(CHAIN_DOMAIN + match.match_id + seats + options.encode()).digest()[:16]
