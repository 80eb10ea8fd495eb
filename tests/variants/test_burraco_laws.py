"""Laws over random play of every variant of Burraco: cards, lists, ends, points."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from service.rules.burraco.audit import audit
from service.rules.burraco.dealing import deck_of
from service.rules.burraco.judge import is_legal
from service.rules.burraco.play import play
from service.rules.cards import FACES, JOKER
from service.rules.games import SeatChoice, create_match
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, Plain, canonical
from service.rules.option_table import OPTIONS
from service.rules.option_types import BoolOption, NameOption
from service.rules.options import BurracoRules, VictoryPoints
from service.rules.outcome import Applied
from service.rules.presets import INTERNATIONAL, REALE, THREE_PLAYER, TWO_PLAYER
from service.rules.state import NOBODY, DealEnd, Fairness, Phase, State
from service.rules.view import sheet
from tests.support.checks import defects
from tests.support.walks import EAGER, LAZY, choose, expand

MOST_MOVES: Final = 20_000
"""A match takes some hundreds of moves; one that takes so many never ends."""
MOST_IN_A_DEAL: Final = 1000
"""A deal takes some dozens of moves."""
VARIANTS: Final = {
    "two": TWO_PLAYER,
    "two, quick": replace(TWO_PLAYER, target=1005),
    "three": THREE_PLAYER,
    "three, casual": replace(THREE_PLAYER, target=2005),
    "international": INTERNATIONAL,
    "reale": REALE,
}
PLAIN: Final = (
    MoveKind.DRAW_STOCK,
    MoveKind.TAKE_PILE,
    MoveKind.DECLARE_STALEMATE,
    MoveKind.NEXT_DEAL,
    MoveKind.RESIGN,
)
EACH = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
Step = tuple[State, Move, State]


def course(options: BurracoRules, seed: int) -> Iterator[Step]:
    """A whole match of random legal moves: the state before each, the move, the state after."""
    over = False
    for state, move, after in moves(options, seed, MOST_MOVES, EAGER):
        yield state, move, after
        over = after.phase is Phase.MATCH_OVER
    assert over, "the match does not end"


def moves(options: BurracoRules, seed: int, most: int, laziness: float) -> Iterator[Step]:
    """The first random legal moves of a match; lazy players meld little, and may never reach the target."""
    rng = random.Random(seed)
    state = create_match(options, Fairness(seed.to_bytes(32, "big"), given=True), "a match", SeatChoice()).state
    for _ in range(most):
        if state.phase is Phase.MATCH_OVER:
            return
        move = choose(state, state.seat, rng, laziness)
        outcome = play(state, state.seat, move)
        assert isinstance(outcome, Applied), f"a listed move was refused: {move}"
        yield state, move, outcome.state
        state = outcome.state


def all_cards(state: State) -> list[int]:
    """Every card of a table, wherever it lies."""
    piles = [*(hand.cards() for hand in state.hands), *(meld.cards for meld in state.melds), *state.pozzetti]
    return sorted(b"".join((*piles, state.stock, state.discard)))


def tries(state: State, rng: random.Random) -> Iterator[Move]:
    """Moves that may be legal or not: plain ones, any discard, cards of the hand on their own and on every meld."""
    for kind in PLAIN:
        yield Plain(kind)
    for card in (*FACES, JOKER):
        yield Discard(card)
    hand = state.hands[state.seat].cards()
    suits = [bytes(card for card in hand if card >> 4 == suit or card == JOKER or card & 15 == 2) for suit in range(4)]
    ranks = [bytes(card for card in hand if card & 15 in (rank, 2) or card == JOKER) for rank in range(1, 14)]
    heaps = [heap for heap in (hand, *suits, *ranks) if heap]
    for _ in range(30 if heaps else 0):
        heap = rng.choice(heaps)
        cards = bytes(rng.sample(heap, rng.randint(1, min(len(heap), rng.choice((1, 3, 4, 8))))))
        yield LayMeld(cards)
        for meld in state.melds:
            yield LayOff(meld.meld_id, cards)


@EACH
def test_no_card_is_lost_and_every_state_holds_together(options: BurracoRules) -> None:
    """After every move the cards are those of the deck, and the state passes the audit."""
    deck = sorted(deck_of(options))
    for seed in range(3):
        for _, _, state in course(options, seed):
            assert all_cards(state) == deck
            assert not list(audit(state))


@EACH
def test_the_list_is_what_is_legal(options: BurracoRules) -> None:
    """Every listed move is legal, and of other moves, tried at random, exactly those that are listed."""
    rng = random.Random(1)
    accepted = 0
    for at, (state, _, _) in enumerate(course(options, 0)):
        # Small hands are where the guard (R1) has its say.
        if at % (13 if state.hands[state.seat].size > 4 else 3):
            continue
        seat = state.seat
        listed = expand(state, seat)
        known = {canonical(seat, move) for move in listed}
        assert len(known) == len(listed)
        for move in rng.sample(listed, min(len(listed), 40)):
            assert is_legal(state, seat, move), move
        for move in tries(state, rng):
            legal = is_legal(state, seat, move)
            assert legal == (canonical(seat, move) in known), move
            accepted += legal
    assert accepted > 100


@EACH
def test_someone_can_always_move(options: BurracoRules) -> None:
    """Until the match is over the seat to move has a move beside resigning."""
    for seed, laziness in ((3, EAGER), (4, LAZY)):
        for state, _, _ in moves(options, seed, 600, laziness):
            assert any(move.kind is not MoveKind.RESIGN for move in expand(state, state.seat))


@EACH
def test_points_add_up(options: BurracoRules) -> None:
    """A deal's points are the sum of its lines, a match's the sum of its deals, and the winner has the most."""
    for seed in range(6):
        total, last = [0] * len(create_points(options)), None
        for before, _, state in course(options, seed):
            last = state
            if not state.over or before.over:
                continue
            counted = sheet(state)
            assert counted
            assert counted.deal_points == tuple(sum(line.points for line in side) for side in counted.lines)
            total = [had + made for had, made in zip(total, counted.deal_points, strict=True)]
            assert state.points == counted.match_points == tuple(total)
        assert last
        assert last.result
        assert all(total[side] == max(total) for side in last.result.winning_sides)
        assert not options.target or max(total) >= options.target


def create_points(options: BurracoRules) -> tuple[int, ...]:
    """Points that a match begins with."""
    return create_match(options, Fairness(bytes(32), given=True), "a match", SeatChoice()).state.points


def test_two_players_never_close_or_lose_by_the_two_card_end() -> None:
    """With two players a deal ends by a close, or with an empty stock (B2-12)."""
    ends = set()
    for seed in range(8):
        for _, _, state in course(TWO_PLAYER, seed):
            if state.over:
                ends.add(state.deal_end)
                assert state.deal_end is DealEnd.CLOSED or not state.stock
    assert ends == {DealEnd.CLOSED, DealEnd.STOCK}


def test_of_three_one_is_alone_or_nobody_is() -> None:
    """Once the pozzetto of 18 is taken there are two sides, before that and in the last stretch three (B3-2, B3-4)."""
    alone, last_stretch = 0, 0
    for seed in range(6):
        for _, move, state in course(THREE_PLAYER, seed):
            sides = {state.side_of(seat) for seat in range(3)}
            assert len(sides) == (3 if state.alone == NOBODY else 2)
            assert {meld.side for meld in state.melds} <= sides
            assert all(
                state.side_of(partner) == state.side_of(seat) for seat in range(3) for partner in state.partners(seat)
            )
            alone += state.over and state.alone != NOBODY
            last_stretch += move.kind is MoveKind.NEXT_DEAL and len(state.pozzetti) == 3
    assert alone
    assert last_stretch


def random_options(rng: random.Random, players: int) -> BurracoRules:
    """Options for two or three players, drawn until they can be played."""
    while True:
        drawn: dict[str, object] = {"players": players, "target": 505, "jokers": rng.randint(0, 4)}
        for option in OPTIONS:
            if isinstance(option, NameOption):
                drawn[option.key] = rng.choice(option.values)[0]
            elif isinstance(option, BoolOption) and option.only is None:
                drawn[option.key] = rng.random() < 0.5
        drawn |= {"victory_points": VictoryPoints.NONE, "hand_size": rng.randint(11, 15)}
        options = replace(THREE_PLAYER, **drawn)  # type: ignore[arg-type]  # options that exist
        if not defects(options):
            return options


@pytest.mark.parametrize("players", [2, 3])
def test_any_options_can_be_played(players: int) -> None:
    """With any options that are accepted, deals of two and three players end, and no card is lost."""
    rng = random.Random(players)
    for seed in range(10):
        options = random_options(rng, players)
        deck, began = sorted(deck_of(options)), 0
        for at, (_, _, state) in enumerate(moves(options, seed, 1500, EAGER)):
            assert not list(audit(state))
            assert at % 10 or all_cards(state) == deck
            began = at if state.over else began
            assert at - began < MOST_IN_A_DEAL, "the deal does not end"
        assert began, "no deal has ended"
