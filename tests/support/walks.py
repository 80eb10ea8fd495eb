"""Random play of any game over the rules alone: states of every kind, for tests of what surrounds the rules."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, get_args

from service.rules.cards import JOKER, rank_of, suit_of
from service.rules.events import Event
from service.rules.games import PRESETS, SeatChoice, create_match, game_of, game_with
from service.rules.hand import Hand
from service.rules.moves import (
    CALL_TIME,
    RESIGN,
    TIME_OUT_TURN,
    Discard,
    Move,
    MoveKind,
    Plain,
)
from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    Game,
    LongRunBonus,
    PileTake,
    PozzettoVisibleAfter,
    Preset,
    RuleSet,
    SetsAllowed,
    SingleCardRediscard,
    StockEnd,
    UnplayedPozzetto,
)
from service.rules.outcome import Applied, LegalMoves
from service.rules.presets import FIBUR, ITALIAN
from service.rules.state import DealEnd, Fairness, MatchEnd, Phase, State

ENOUGH: Final = 1 << 30
EAGER: Final = 0.2
LAZY: Final = 0.8
"""How often a random player leaves a possible meld alone."""
TIDY: Final = 0.8
"""How often a random player of other games discards what fits least, since hardly a deal would end otherwise."""
NEAR: Final = 2
"""Cards of a suit that are so near to each other may come into one sequence."""
SWAPPING: Final = replace(ITALIAN, single_card_rediscard=SingleCardRediscard.ALLOWED, target=0, deals_per_match=1)
"""One deal in which the one card of the pile may go round for ever."""

RULES: Final[tuple[BurracoRules, ...]] = (
    ITALIAN,
    FIBUR,
    replace(ITALIAN, stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE, pile_take=PileTake.TOP_CARD_USABLE, target=505),
    replace(ITALIAN, pile_take=PileTake.MUST_MELD, stock_end=StockEnd.VOID, jokers=0, target=505),
    replace(
        ITALIAN,
        pile_take=PileTake.AFTER_MELDING,
        stock_end=StockEnd.POZZETTO_BECOMES_STOCK,
        discard_visible=DiscardVisible.TOP_ONLY,
        pozzetto_visible_after=PozzettoVisibleAfter.OWN_NEXT_TURN,
        unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN,
        hand_size=13,
        target=505,
    ),
    replace(
        FIBUR,
        close_requires_discard=False,
        close_with_wild_discard=True,
        single_card_rediscard=SingleCardRediscard.ALLOWED,
        stalemate_auto_turns=4,
        deals_per_match=3,
    ),
    replace(
        ITALIAN,
        variant_reale=True,
        jokers=0,
        sets_allowed=SetsAllowed.NONE,
        close_needs=CloseNeeds.CLEAN_BURRACO,
        long_run_bonus=LongRunBonus.NOBILE_500_REALE_1000,
        target=505,
    ),
)
"""Sets of options of Burraco for four that reach every kind of its states between them."""

ELSEWHERE: Final = frozenset(("Knocked", "UpcardPassed", "WildReplaced", "PlayerOut", "PlayerReentered"))
"""Events of other games than Burraco."""

SITUATIONS: Final = frozenset(
    (
        *("a draw", "a play", "a deal over", "a match over"),
        *("something drawn", "the pile of one card taken", "something melded this turn", "the last turn"),
        *("a top card to meld first", "something to meld first"),
        *("an unseen pozzetto", "an unplayed pozzetto", "both pozzetti taken", "a pozzetto that became the stock"),
        *("time called", "a stalemate under way", "an empty stock", "a set", "a sequence", "a meld with a wild"),
        *("a committed seed", "entropy", "a given seed", "a seed of the service"),
        *(f"a deal ended by {end.name}" for end in DealEnd if DealEnd.NOT_ENDED < end < DealEnd.KNOCK),
        *(f"a match ended by {end.name}" for end in (MatchEnd.TARGET, MatchEnd.DEALS_PLAYED, MatchEnd.RESIGNED)),
        "victory points",
    )
)


def situations(state: State) -> frozenset[str]:
    """Say what kind of state this is."""
    match, turn = state.match, state.turn
    burraco = match.rules.game is Game.BURRACO
    found = {
        "a draw": state.phase is Phase.DRAW,
        "a play": state.phase is Phase.PLAY,
        "a deal over": state.phase is Phase.DEAL_OVER,
        "a match over": state.phase is Phase.MATCH_OVER,
        "something drawn": bool(turn.drawn),
        "the pile of one card taken": bool(turn.taken_single),
        "something melded this turn": turn.melded,
        "the last turn": turn.last,
        "a top card to meld first": bool(turn.must_meld),
        "something to meld first": turn.must_meld_something,
        "an unseen pozzetto": any(state.unseen),
        "an unplayed pozzetto": any(state.unplayed),
        "both pozzetti taken": burraco and not state.pozzetti,
        "a pozzetto that became the stock": burraco
        and len(state.pozzetti) < 2 - sum(seat >= 0 for seat in state.taken_by),
        "time called": state.turns_left >= 0,
        "a stalemate under way": state.stalemate_turns > 0,
        "an empty stock": not state.stock,
        "a set": any(meld.low == 0 for meld in state.melds),
        "a sequence": any(meld.low for meld in state.melds),
        "a meld with a wild": any(meld.wild_at >= 0 for meld in state.melds),
        "a committed seed": bool(match.fairness.salt),
        "entropy": bool(match.fairness.entropy),
        "a given seed": match.fairness.given,
        "a seed of the service": not match.fairness.given and not match.fairness.salt,
        "an up-card offered": state.phase is Phase.UPCARD,
        "an up-card passed": state.passes > 0,
        "a stock renewed": state.renewals > 0,
        "somebody alone": state.alone >= 0,
        "somebody out": any(state.out),
        "somebody came in again": any(state.reentries),
        "somebody has laid": any(state.laid),
        "points towards the opening": turn.opening > 0,
        "a joker owed": turn.jokers_owed > 0,
        "the pile's card taken": bool(turn.taken),
        "closed in hand": state.doubled,
        "deals won": any(state.deals_won),
        "a meld of another's": any(meld.side != state.side_of(state.seat) for meld in state.melds),
        "victory points": bool(state.result and state.result.victory_points),
        f"a deal ended by {state.deal_end.name}": state.deal_end is not DealEnd.NOT_ENDED,
    }
    if state.result:
        found[f"a match ended by {state.result.match_end.name}"] = True
    return frozenset(name for name, holds in found.items() if holds)


def fairness_of(seed: int, players: int = 4) -> Fairness:
    """A deck's origin: given, drawn by the service, or committed with entropy of different lengths."""
    secret = seed.to_bytes(32, "big")
    if seed % 3 == 0:
        return Fairness(secret, given=True)
    if seed % 3 == 1:
        return Fairness(secret)
    count = seed // 3 % (players + 1)
    entropy = tuple(bytes((65 + player,)) * (1 + seed * (player + 7) % 64) for player in range(count))
    return Fairness(secret, entropy, salt=bytes(reversed(secret)))


def start(rules: Any, seed: int, fairness: Fairness | None = None) -> State:  # noqa: ANN401  # any game's rules
    """A new match."""
    return begin(rules, seed, fairness)[0]


def begin(rules: Any, seed: int, fairness: Fairness | None = None) -> tuple[State, list[Event]]:  # noqa: ANN401  # see start
    """A new match, and what happened in it already."""
    drawn = seed % 2 == 0 and rules.players == 4 and game_with(rules).drawn_seats is not None
    seats = SeatChoice(drawn=drawn, dealer=seed % rules.players or None)
    created = create_match(rules, fairness or fairness_of(seed, rules.players), f"match {seed}", seats)
    return created.state, [event for _, event in created.events]


def legal_moves(state: State, seat: int) -> LegalMoves:
    """The whole list of a seat's legal moves."""
    return game_of(state).legal_moves(state, seat, ENOUGH)


def expand(state: State, seat: int) -> list[Move]:
    """Every legal move of a seat, one by one."""
    return list(legal_moves(state, seat).moves())


def choose(state: State, seat: int, rng: random.Random, laziness: float = EAGER) -> Move:
    """A legal move of the seat to move, mostly a meld or the like where there is one; never a resignation."""
    legal = legal_moves(state, seat)
    kinds: list[Move] = [Plain(kind) for kind in legal.plain if kind is not MoveKind.RESIGN]
    kinds += [Discard(card) for card in legal.discards]
    if kinds and (not legal.groups or rng.random() < laziness):
        if legal.discards and state.match.rules.game is not Game.BURRACO and rng.random() < TIDY:
            return Discard(loneliest(state.hands[seat], legal.discards, rng))
        return rng.choice(kinds)
    group = rng.choice(legal.groups)
    return group.move(rng.choice(list(group.selections())))


def loneliest(hand: Hand, discards: bytes, rng: random.Random) -> int:
    """Of the cards that may be discarded the one that fits least others of the hand."""
    cards = hand.cards()

    def company(card: int) -> tuple[int, float]:
        if card == JOKER:
            return len(cards), 0
        near = [
            other
            for other in cards
            if other != card
            and (rank_of(other) == rank_of(card) or (suit_of(other) == suit_of(card) and abs(other - card) <= NEAR))
        ]
        return len(near), rng.random() - rank_of(card)

    return min(discards, key=company)


def rare(state: State, rng: random.Random) -> tuple[int, Move] | None:
    """Sometimes a move that is seldom sent: a resignation, a time-out of a turn, the tournament's clock."""
    die = rng.randrange(2000)
    seat = rng.randrange(len(state.match.players))
    if die == 0:
        found: tuple[int, Move] = seat, RESIGN
    elif die < 40 and not state.over:
        found = state.seat, TIME_OUT_TURN
    elif die < 44 and not state.over and state.turns_left < 0:
        found = seat, CALL_TIME
    else:
        return None
    return None if game_of(state).judge(state, *found).faults else found


def walk(
    state: State, rng: random.Random, steps: int = ENOUGH, laziness: float = EAGER
) -> Iterator[tuple[State, int, Move, State, tuple[Event, ...]]]:
    """Random legal moves until the match is over: each time the state before, the seat, the move, the state after."""
    for _ in range(steps):
        if state.phase is Phase.MATCH_OVER:
            return
        seat, move = rare(state, rng) or (state.seat, choose(state, state.seat, rng, laziness))
        outcome = game_of(state).play(state, seat, move)
        assert isinstance(outcome, Applied), f"a listed move was refused: {move} {outcome}"
        yield state, seat, move, outcome.state, outcome.events
        state = outcome.state


def cheapest(state: State) -> tuple[int, Move]:
    """A player who only swaps the one card of the pile while that is possible, which is how stalemates come about."""
    moves = expand(state, state.seat)
    rank = {MoveKind.NEXT_DEAL: 0, MoveKind.DECLARE_STALEMATE: 1, MoveKind.TAKE_PILE: 2, MoveKind.DISCARD: 3}
    return state.seat, min(moves, key=lambda move: rank.get(move.kind, 4))


class Played(NamedTuple):
    """What some matches went through."""

    states: tuple[State, ...]
    """Some of every kind."""
    events: tuple[tuple[RuleSet, Event], ...]
    """At least one of every type, with the rules that it happened under."""


def pool() -> tuple[State, ...]:
    """Some states of every kind of Burraco, the same on every run."""
    return played().states


def pool_of(preset: Preset) -> tuple[State, ...]:
    """Some states of a preset, of every kind that comes about."""
    return played_with(preset).states


def every_pool() -> tuple[State, ...]:
    """Some states of every preset."""
    return tuple(state for preset in PRESETS for state in pool_of(preset))


@lru_cache
def played_with(preset: Preset, seeds: int = 4, steps: int = 700) -> Played:
    """Play some matches of a preset and keep what is new."""
    kept: list[State] = []
    kinds: Counter[str] = Counter()
    happened: list[tuple[RuleSet, Event]] = []
    types: Counter[type] = Counter()
    for seed in range(seeds):
        state, events = begin(PRESETS[preset], seed)
        happened += [(PRESETS[preset], event) for event in events]
        kept.append(state)
        laziness = LAZY if seed == seeds - 1 else EAGER
        for number, (_, _, _, after, more) in enumerate(walk(state, random.Random(seed), steps, laziness)):
            found = situations(after)
            if number % 97 == 0 or any(kinds[kind] < 3 for kind in found):
                kinds.update(found)
                kept.append(after)
            for event in more:
                if types[type(event)] < 10:
                    types[type(event)] += 1
                    happened.append((PRESETS[preset], event))
    return Played(tuple(kept), tuple(happened))


@lru_cache
def played() -> Played:
    """Play some matches of Burraco and keep what is new."""
    kept: list[State] = []
    kinds: Counter[str] = Counter()
    happened: list[tuple[RuleSet, Event]] = []
    types: Counter[type] = Counter()

    def keep(state: State, events: Iterable[Event], *, always: bool = False) -> None:
        found = situations(state)
        if always or any(kinds[kind] < 3 for kind in found):
            kinds.update(found)
            kept.append(state)
        for event in events:
            if types[type(event)] < 20:
                types[type(event)] += 1
                happened.append((state.rules, event))

    for seed in range(2 * len(RULES)):
        state, events = begin(RULES[seed % len(RULES)], seed)
        keep(state, events, always=True)
        laziness = EAGER if seed < len(RULES) else LAZY
        for count, (_, _, _, after, more) in enumerate(walk(state, random.Random(seed), 900, laziness)):
            keep(after, more, always=count % 97 == 0)
    for stalemate_auto_turns in (0, 4):
        state = start(replace(SWAPPING, stalemate_auto_turns=stalemate_auto_turns), 0)
        while not state.over:
            outcome = game_of(state).play(state, *cheapest(state))
            assert isinstance(outcome, Applied)
            state = outcome.state
            keep(state, outcome.events)
    missing = (SITUATIONS - set(kinds)) | ({kind.__name__ for kind in set(get_args(Event)) - set(types)} - ELSEWHERE)
    assert not missing, f"the matches no longer reach {sorted(missing)}"
    return Played(tuple(kept), tuple(happened))
