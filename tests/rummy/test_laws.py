"""Laws over whole random matches, under each preset and under random sets of options that do not contradict."""

import os
import random
from collections import Counter
from itertools import combinations

import pytest

from service.rules.audit import audit
from service.rules.cards import FACES, JOKER
from service.rules.game import Game
from service.rules.moves import NEXT_DEAL, Discard, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.option_types import BoolOption, NumberOption, out_of_range
from service.rules.outcome import Applied, Refused
from service.rules.reasons import Reason, violation
from service.rules.rummy.finish import MAX_ROUNDS
from service.rules.rummy.terms import terms_of
from service.rules.state import UNCOUNTED, DealEnd, MatchEnd, Phase, State
from tests.rummy.tables import GAMES, Rules, applied, expand, listed, new_match, play, walk

FULL = os.environ.get("BURRACO_TEST_PROFILE") == "full"
MATCHES = 60 if FULL else 3
OPTION_SETS = 60 if FULL else 10
LOOK = 0.5 if FULL else 0.2
"""Share of the states with something to lay at which every conceivable move is tried."""
PRESETS = [rules for game in GAMES.values() for rules in game.presets.values()]
NAMES = [rules.preset.name for rules in PRESETS]


def random_rules(game: Game, rng: random.Random) -> Rules:
    """A random set of options without contradiction, whose match is short."""
    while True:
        values: dict[str, object] = {}
        for option in game.options:
            if isinstance(option, BoolOption):
                values[option.key] = rng.random() < 0.5
            elif isinstance(option, NumberOption):
                values[option.key] = rng.choice(option.only or range(option.least, option.most + 1))
            else:
                values[option.key] = rng.choice(option.values)[0]
        values["limit"] = rng.randrange(1, 120)
        if "opening_points" in values:
            values["opening_points"] = rng.choice((0, 20, 40, 50))
        rules: Rules = game.rules_type(**values)
        assert not [option for option in game.options if out_of_range(option, getattr(rules, option.key))]
        if not game.contradictions(rules):
            return rules


def cards_of(state: State) -> Counter[int]:
    """Every card, wherever it is."""
    held = [card for hand in state.hands for card in hand.cards()]
    return Counter([*held, *state.stock, *state.discard, *(card for meld in state.melds for card in meld.cards)])


def check(before: State, seat: int, move: Move, outcome: Applied) -> None:
    """Check one step of a match."""
    state = outcome.state
    game = GAMES[state.match.rules.game]
    assert cards_of(state) == Counter(terms_of(state.match.rules).deck)
    assert not list(audit(state))
    assert state.revision == before.revision + 1
    if state.phase is Phase.MATCH_OVER:
        assert state.result
        assert state.result.match_end is MatchEnd.LAST_PLAYER
    elif state.phase in (Phase.DRAW, Phase.PLAY):
        assert len(expand(state, state.seat)) > 1, "nothing but a resignation is left"
        assert state.turns_taken < MAX_ROUNDS * state.out.count(False)
    if state.over and not before.over:
        sheet = game.sheet(state)
        assert (sheet is None) == (state.deal_end in UNCOUNTED)
        if sheet:
            assert sheet.match_points == state.points
            totals = [sum(line.points for line in side) for side in sheet.lines]
            assert tuple(totals) == sheet.deal_points
            assert state.points == tuple(map(sum, zip(before.points, totals, strict=True)))
            assert sheet.deal_points[seat] == 0
            assert state.closed_by == seat


def finish(state: State, rng: random.Random, steps: int) -> State:
    """Play a match, checking each step; past `steps` it is left where it is."""
    for number, (before, seat, move, outcome) in enumerate(walk(state, rng)):
        check(before, seat, move, outcome)
        state = outcome.state
        if number > steps:
            break
    return state


@pytest.mark.parametrize("rules", PRESETS, ids=NAMES)
def test_matches_of_a_preset_hold_together_and_end(rules: Rules) -> None:
    """Cards are conserved, someone can always move, sheets add up, and the last player wins."""
    for seed in range(MATCHES):
        state = finish(new_match(rules, seed), random.Random(f"{rules.preset} {seed}"), 100_000)
        assert state.phase is Phase.MATCH_OVER


@pytest.mark.parametrize("game", GAMES.values(), ids=[game.name for game in GAMES])
def test_matches_of_random_options_hold_together(game: Game) -> None:
    """The same under options that nobody chose."""
    ends = Counter[DealEnd]()
    for number in range(OPTION_SETS):
        rng = random.Random(f"options {game.name} {number}")
        state = finish(new_match(random_rules(game, rng), number), rng, 600)
        ends[state.deal_end] += 1
    assert ends[DealEnd.CLOSED]


@pytest.mark.parametrize("rules", PRESETS, ids=NAMES)
def test_a_deal_ends_though_nobody_ever_lays_anything(rules: Rules) -> None:
    """Players who only draw and discard, or only pass one card on, come to a void deal."""
    for choice in (MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE):
        state, rng = new_match(rules, 5), random.Random(5)
        while not state.over:
            legal = listed(state, state.seat)
            if state.phase is Phase.DRAW:
                state = applied(state, Plain(choice if choice in legal.plain else MoveKind.DRAW_STOCK)).state
            else:
                state = applied(state, Discard(rng.choice(legal.discards))).state
        assert state.deal_end is DealEnd.VOID
        assert state.turns_taken == MAX_ROUNDS * rules.players
        assert GAMES[rules.game].sheet(state) is None


# --- the list and the check -------------------------------------------------------------------------------------------


def everything(state: State, rng: random.Random) -> list[Move]:
    """Every move that could conceivably be legal, and many that are not."""
    hand = state.hands[state.seat]
    cards = hand.cards()
    moves: list[Move] = [Plain(kind) for kind in MoveKind if kind not in (4, 3, 5, 6, 7, 12)]
    moves += [Discard(card) for card in (*FACES, JOKER)]
    every = {bytes(chosen) for size in (3, 4, 5) for chosen in combinations(cards, size)}
    every |= {bytes(rng.sample(list(cards), rng.randrange(1, len(cards) + 1))) for _ in range(100)}
    moves += [LayMeld(bytes(sorted(chosen))) for chosen in every]
    few = {bytes(chosen) for size in (1, 2, 3) for chosen in combinations(cards, size)}
    moves += [LayOff(meld.meld_id, bytes(sorted(chosen))) for meld in state.melds for chosen in few]
    return moves + [ReplaceWild(meld.meld_id, card) for meld in state.melds for card in {*cards, JOKER}]


def key(move: Move) -> tuple[object, ...]:
    if isinstance(move, LayMeld):
        return move.kind, bytes(sorted(move.cards))
    return (move.kind, move.meld_id, bytes(sorted(move.cards))) if isinstance(move, LayOff) else tuple(move)


def compare(state: State, rng: random.Random) -> int:
    """Compare the list of the seat to move with what is accepted; every refusal gives reasons in their order."""
    moves = expand(state, state.seat)
    allowed = {key(move) for move in moves}
    assert len(allowed) == len(moves), "a move is listed twice"
    legal = listed(state, state.seat)
    assert legal.total == len(moves)
    game = GAMES[state.match.rules.game]
    assert game.open_kinds(state, state.seat) == tuple(sorted({move.kind for move in moves}))
    assert all(isinstance(play(state, move), Applied) for move in moves), "a listed move is refused"
    for move in everything(state, rng):
        outcome = play(state, move)
        assert isinstance(outcome, Applied) == (key(move) in allowed), move
        if isinstance(outcome, Refused):
            reasons = [fault.reason for fault in outcome.violations]
            assert reasons
            assert reasons == sorted(reasons)
    for seat in (seat for seat, out in enumerate(state.out) if out):
        assert listed(state, seat).total == len(game.open_kinds(state, seat)) == state.over
        for move in everything(state, rng):
            outcome = play(state, move, seat)
            assert isinstance(outcome, Applied) == (state.over and move == NEXT_DEAL), move
            if isinstance(outcome, Refused) and move.kind in terms_of(state.match.rules).kinds:
                told = Reason.DEAL_NOT_OVER if move == NEXT_DEAL else Reason.PLAYER_IS_OUT
                assert outcome.violations == (violation(told),)
    short = game.legal_moves(state, state.seat, 2)
    assert short.total == min(2, legal.total)
    assert short.truncated == (legal.total > 2)
    return len(legal.groups)


@pytest.mark.parametrize("rules", PRESETS, ids=NAMES)
def test_the_list_is_what_is_accepted_under_a_preset(rules: Rules) -> None:
    """Every listed move is accepted, and no other one is, each tried at the states of random matches."""
    rng = random.Random(f"list {rules.preset}")
    groups = 0
    for seed in range(12 if FULL else 1):
        for before, *_ in walk(new_match(rules, seed), rng, eager=0.6):
            # Every state is too many; those with something to lay are the ones that differ.
            if rng.random() < (LOOK if listed(before, before.seat).groups else 0.01):
                groups += compare(before, rng)
    assert groups


@pytest.mark.parametrize("game", GAMES.values(), ids=[game.name for game in GAMES])
def test_the_list_is_what_is_accepted_under_random_options(game: Game) -> None:
    """The same under options that nobody chose."""
    for number in range(OPTION_SETS):
        rng = random.Random(f"list {game.name} {number}")
        for count, (before, *_) in enumerate(walk(new_match(random_rules(game, rng), number), rng, eager=0.6)):
            if rng.random() < (LOOK if listed(before, before.seat).groups else 0.01):
                compare(before, rng)
            if count > 200:
                break


def test_a_named_reading_is_legal_only_where_the_unnamed_one_is() -> None:
    """No reading makes legal what the list leaves out: the best one has the most points, and nothing else differs."""
    rng = random.Random("readings")
    for rules in PRESETS[1:]:
        for before, *_ in walk(new_match(rules, 3), rng):
            cards = before.hands[before.seat].cards()
            if before.phase is not Phase.PLAY or JOKER not in cards:
                continue
            for chosen in combinations(cards, 3):
                if JOKER in chosen and isinstance(play(before, LayMeld(bytes(chosen))), Refused):
                    for named in FACES:
                        assert isinstance(play(before, LayMeld(bytes(chosen), None, named)), Refused)
