"""Choose the positions of the perft tables: beginnings of deals, and moments before what is worth a look.

Matches are played at random from fixed seeds; a position is taken a move or two before the first of each happening.
The moves are stored with it, so nobody has to play at random the same way.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from scripts.perft_count import Position, TooManyError, begin, perft, write_move
from service.rules import events as e
from service.rules.games import PRESETS, game_of
from service.rules.moves import LayOff
from service.rules.options import BurracoRules, Game, PileTake, Preset
from service.rules.outcome import Applied
from service.rules.reasons import Reason
from service.rules.state import DealEnd, Phase, State
from tests.support.walks import EAGER, choose

BEGINNINGS: Final = 2
"""Positions of a preset that are the beginning of a deal."""
SEEDS: Final = 400
"""Matches that are looked through at most."""
DEALS: Final = 2
"""Deals of a match that are looked through."""
KEEPING: Final = 0.9
"""Share of the turns that lay nothing, in matches that keep their cards."""
FEW: Final = 3
BEFORE: Final = 2
"""Moves between a position and its happening."""


class Step(NamedTuple):
    """A move of a random match."""

    before: State
    words: str
    outcome: Applied


Test = Callable[[Step], bool]


def _told(kind: type[e.Event]) -> Test:
    return lambda step: any(isinstance(event, kind) for event in step.outcome.events)


def _ended(end: DealEnd) -> Test:
    return lambda step: step.outcome.state.deal_end is end and step.before.deal_end is not end


def _pozzetto(*, direct: bool) -> Test:
    def test(step: Step) -> bool:
        return any(isinstance(event, e.TookPozzetto) and event.direct is direct for event in step.outcome.events)

    return test


def _undercut(step: Step) -> bool:
    """The defender scores."""
    after = step.outcome.state
    return _ended(DealEnd.KNOCK)(step) and after.points[after.knocker] == step.before.points[after.knocker]


def _too_few_left(step: Step) -> bool:
    """The mover has a card that fits a meld, and may not lay it off: two have to stay without a burraco (R1)."""
    state, seat = step.before, step.before.seat
    if state.phase is not Phase.PLAY or state.hands[seat].size > FEW:
        return False
    plays = [LayOff(meld.meld_id, bytes((card,))) for meld in state.melds for card in state.hands[seat].faces()]
    faults = [game_of(state).judge(state, seat, play).faults for play in plays]
    return any(each and each[0].reason is Reason.MUST_KEEP_TWO for each in faults)


def _in_hand(step: Step) -> bool:
    """A deal is closed in hand."""
    return step.outcome.state.doubled and not step.before.doubled


def _second_deal(step: Step) -> bool:
    """Another deal begins, a few moves on."""
    return step.outcome.state.deal_number > 1 and len(step.outcome.state.discard) > 2


def _wild_in_hand(step: Step) -> bool:
    """A meld is laid with a wild in it."""
    return any(isinstance(event, e.Melded) and event.meld.wild_at >= 0 for event in step.outcome.events)


BURRACO: Final[Mapping[str, Test]] = {
    "a wild is melded": _wild_in_hand,
    "a wild moves": _told(e.WildMoved),
    "cards are laid off": _told(e.LaidOff),
    "the pozzetto is taken directly": _pozzetto(direct=True),
    "the pozzetto is taken with the discard": _pozzetto(direct=False),
    "too few cards are left to lay off": _too_few_left,
    "the deal is closed": _ended(DealEnd.CLOSED),
    "the stock ends": _ended(DealEnd.STOCK),
    "another deal": _second_deal,
}
GIN: Final[Mapping[str, Test]] = {
    "the up-card is passed": _told(e.UpcardPassed),
    "a knock": _ended(DealEnd.KNOCK),
    "a lay-off on a knock": _told(e.LaidOff),
    "an undercut": _undercut,
    "gin": _ended(DealEnd.GIN),
    "a void deal": _ended(DealEnd.VOID),
    "another deal": _second_deal,
}
RUMMY: Final[Mapping[str, Test]] = {
    "a meld": _told(e.Melded),
    "cards are laid off": _told(e.LaidOff),
    "the deal is closed": _ended(DealEnd.CLOSED),
    "the deal is closed in hand": _in_hand,
    "the stock is made anew": _told(e.StockRenewed),
    "another deal": _second_deal,
}
SCALA_40: Final[Mapping[str, Test]] = {
    **RUMMY,
    "a joker is melded": _wild_in_hand,
    "a joker is recovered": _told(e.WildReplaced),
}


def wanted(preset: Preset) -> dict[str, Test]:
    """What a preset's positions come shortly before."""
    rules = PRESETS[preset]
    found = dict({Game.BURRACO: BURRACO, Game.GIN: GIN, Game.RAMINO: RUMMY, Game.SCALA_40: SCALA_40}[rules.game])
    if isinstance(rules, BurracoRules) and rules.pile_take is not PileTake.FREE:
        found["the pile is taken, which obliges"] = _told(e.TookPile)
    return found


def seed_of(number: int) -> bytes:
    """The seed of a number: its 32 bytes, big-endian."""
    return number.to_bytes(32, "big")


def match(preset: Preset, number: int) -> Iterator[Step]:
    """The first deals of a match played at random.

    In every third match most turns lay nothing, and the others all they can: so hands are closed that kept everything.
    """
    state, rng = begin(preset, seed_of(number)), random.Random(number)  # noqa: S311  # play, not secrets
    laziness = EAGER
    while state.phase is not Phase.MATCH_OVER and not (state.phase is Phase.DEAL_OVER and state.deal_number == DEALS):
        if number % 3 == 0 and state.phase is Phase.DRAW:
            laziness = rng.random() < KEEPING
        move = choose(state, state.seat, rng, laziness)
        outcome = game_of(state).play(state, state.seat, move)
        if not isinstance(outcome, Applied):
            raise AssertionError(f"a listed move is refused: {move}")  # noqa: TRY004  # it is not about a type
        yield Step(state, write_move(move), outcome)
        state = outcome.state


def find(preset: Preset, most_nodes: int) -> list[Position]:
    """Choose the positions of a preset.

    :raises LookupError: a happening never comes.
    """
    found = [Position("a deal begins", preset, seed_of(number)) for number in range(BEGINNINGS)]
    missing = wanted(preset)
    for number in range(BEGINNINGS, SEEDS):
        if not missing:
            return found
        steps = list(match(preset, number))
        chosen: set[int] = set()
        for at, step in enumerate(steps):
            for name in [name for name, test in missing.items() if test(step)]:
                start = _start(steps, at, most_nodes)
                if start is not None and start not in chosen:
                    chosen.add(start)
                    found.append(Position(name, preset, seed_of(number), tuple(each.words for each in steps[:start])))
                    del missing[name]
    raise LookupError(f"in {SEEDS} matches of {preset.name} there never is: {', '.join(missing)}")


def _start(steps: list[Step], at: int, most_nodes: int) -> int | None:
    """How many moves come before a position whose happening is the move `at`; None where its tree would be too large.

    The tree one move past the happening has to be small enough to be counted.
    """
    for before in range(min(BEFORE, at), -1, -1):
        try:
            perft(steps[at - before].before, before + 2, most_nodes)
        except TooManyError:
            continue
        return at - before
    return None
