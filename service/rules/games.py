"""The games that are built, and what is the same in all of them: a batch of moves, the beginning of a match."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.rules.burraco.game import BURRACO
from service.rules.events import Event, MatchStarted
from service.rules.game import Game, Seating
from service.rules.gin.game import GIN_GAME
from service.rules.moves import Move
from service.rules.options import Game as GameName
from service.rules.options import Preset, RuleSet
from service.rules.outcome import Refused
from service.rules.reasons import Reason, Violation, violation
from service.rules.rummy.game import RAMINO_GAME, SCALA_40_GAME
from service.rules.state import Fairness, Match, State
from service.rules.stream import PURPOSE_DEALER, Stream, match_id, stream_key

CHAIN_DOMAIN: Final = b"burraco/chain/v1\x00"

GAMES: Final[Mapping[GameName, Game]] = {game.name: game for game in (BURRACO, RAMINO_GAME, GIN_GAME, SCALA_40_GAME)}
PRESETS: Final[Mapping[Preset, RuleSet]] = {
    name: rules for game in GAMES.values() for name, rules in game.presets.items()
}
"""Every preset that is built."""


def game_of(state: State) -> Game:
    """Find the game that a state belongs to."""
    return GAMES[state.match.rules.game]


def game_with(rules: RuleSet) -> Game:
    """Find the game that rules are of."""
    return GAMES[rules.game]


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


def create_match(rules: Any, fairness: Fairness, request_id: str, seats: SeatChoice) -> Played:  # noqa: ANN401  # any game's
    """Seat the players and deal the first deal. Equal arguments make an equal match.

    :raises ValueError: seats are to be drawn at a game that does not know that.
    """
    game = game_with(rules)
    key = stream_key(fairness.seed, fairness.entropy)
    if not seats.drawn:
        seating = given_seats(rules.players, seats.dealer, key)
    elif game.drawn_seats is None:
        raise ValueError("this game does not draw cards for seats")
    else:
        seating = game.drawn_seats(rules, key)
    name = match_id(fairness.seed, fairness.entropy, request_id)
    match = Match(name, rules, seating.players, fairness)
    state, events = game.first_deal(match, seating, first_link(match, seating))
    draws = tuple((draw.player, draw.card, draw.round) for draw in seating.draws)
    started = MatchStarted(rules, seating.players, draws)
    return Played(state, tuple((state.revision, event) for event in (started, *events)))


def given_seats(players: int, dealer: int | None, key: bytes) -> Seating:
    """Players sit in their order; without a named dealer the seed chooses one."""
    if dealer is None:
        dealer = Stream(key, PURPOSE_DEALER, 0).below(players)
    return Seating(tuple(range(players)), dealer)


def first_link(match: Match, seating: Seating) -> bytes:
    """First link of the hash chain over a match's moves, 16 bytes: match, rules, seats and dealer."""
    keys = [option.key for option in game_with(match.rules).options]
    options = "\n".join(f"{key}={int(getattr(match.rules, key))}" for key in keys)
    seats = bytes((len(match.players), *match.players, seating.dealer))
    return hashlib.sha256(CHAIN_DOMAIN + match.match_id + seats + options.encode()).digest()[:16]
