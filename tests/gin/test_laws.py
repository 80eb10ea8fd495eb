"""What holds in every match of Gin, whatever the options: whole random matches."""

import random
from collections import Counter
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rules.audit import audit
from service.rules.cards import NO_CARD, PACK
from service.rules.events import DealScored, LaidOff, MatchEnded, redact
from service.rules.games import Played, RefusedBatch, play_all
from service.rules.gin.dealing import first_upcard
from service.rules.gin.finish import MOST_TURNS
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN, Oklahoma
from service.rules.hand import Hand, hand_of
from service.rules.moves import TAKE_PILE, Discard, Knock, Move, MoveKind, Plain
from service.rules.options import StockExhausted
from service.rules.outcome import Applied, Refused
from service.rules.state import DealEnd, MatchEnd, Phase, State, replace_at
from service.rules.view import view
from tests.gin.effort import EXAMPLES, MATCHES
from tests.gin.walks import Moved, walk
from tests.gin.words import rules

ALL_MOVES: list[Move] = [
    *(Plain(kind) for kind in MoveKind if kind not in (MoveKind.DISCARD, MoveKind.KNOCK)),
    *(Discard(card) for card in PACK),
    *(Knock(card) for card in (NO_CARD, *PACK)),
]
"""Every move of Gin, the arrangement of a knock left to the service."""
BACK_END = (MoveKind.TIME_OUT_TURN, MoveKind.CALL_TIME)


@lru_cache
def played() -> tuple[Moved, ...]:
    """Some whole matches."""
    return tuple(moved for seed in range(MATCHES) for moved in walk(seed))


def some(every: int) -> list[Moved]:
    """A part of all moves."""
    return [*played()[::every]]


def test_the_matches_reach_everything() -> None:
    """The random matches see every phase and every end, so the laws below say something."""
    states = [moved.outcome.state for moved in played()]
    assert {state.phase for state in states} == set(GIN_GAME.phases)
    assert {state.deal_end for state in states} == set(GIN_GAME.deal_ends)
    assert any(state.result and state.result.match_end is MatchEnd.TARGET for state in states)
    assert any(state.renewals for state in states)
    assert any(isinstance(event, LaidOff) for moved in played() for event in moved.outcome.events)
    ends = Counter(state.deal_end for state in states if state.phase is Phase.DEAL_OVER)
    assert min(ends[end] for end in (DealEnd.KNOCK, DealEnd.GIN, DealEnd.VOID)) > 2


def test_every_state_holds_together() -> None:
    """The 52 cards are conserved, and the audit of the game finds nothing."""
    for moved in played():
        state = moved.outcome.state
        piles = [state.stock, state.discard, *(meld.cards for meld in state.melds)]
        piles += [hand.cards() for hand in state.hands]
        assert sorted(b"".join(piles)) == sorted(PACK)
        assert not any(hand.twice or hand.jokers for hand in state.hands)
        assert not list(audit(state))


def test_the_list_is_what_is_accepted() -> None:
    """Every listed move is accepted, and every move that is accepted is listed, once; the open kinds are its kinds."""
    for moved in some(7):
        state = moved.before
        for seat in (0, 1):
            legal = GIN_GAME.legal_moves(state, seat, 1000)
            moves = list(legal.moves())
            assert len(moves) == len(set(moves)) == legal.total
            accepted = {move for move in ALL_MOVES if not GIN_GAME.judge(state, seat, move).faults}
            assert {move for move in accepted if move.kind not in BACK_END} == set(moves)
            assert GIN_GAME.open_kinds(state, seat) == tuple(sorted({move.kind for move in moves}))


def test_someone_can_always_move() -> None:
    """Until the match is over the seat to move has a move besides resigning."""
    for moved in played():
        state = moved.outcome.state
        if state.phase is not Phase.MATCH_OVER:
            assert set(GIN_GAME.open_kinds(state, state.seat)) - {MoveKind.RESIGN}


def test_a_refusal_has_its_reasons_in_order() -> None:
    """A refused move names its reasons, each once and in the order of their numbers."""
    for moved in some(29):
        for seat in (0, 1):
            for move in ALL_MOVES:
                outcome = GIN_GAME.play(moved.before, seat, move)
                if isinstance(outcome, Refused):
                    reasons = [fault.reason for fault in outcome.violations]
                    assert reasons
                    assert reasons == sorted(set(reasons))


def test_revision_and_chain_grow_with_each_move() -> None:
    """Each move is one revision and one link more, whatever it does; the same move gives the same link."""
    for moved in some(11):
        state = moved.outcome.state
        assert state.revision == moved.before.revision + 1
        assert state.chain != moved.before.chain
        assert len(state.chain) == 16
        assert GIN_GAME.play(moved.before, moved.seat, moved.move) == moved.outcome


def test_moves_in_one_call_are_moves_in_several() -> None:
    """Taking the pile and discarding in one call gives what two calls give, events included."""
    pairs = [
        (first, second)
        for first, second in zip(played(), played()[1:], strict=False)
        if first.move == TAKE_PILE and second.before == first.outcome.state and second.seat == first.seat
    ]
    assert len(pairs) > 20
    for first, second in pairs:
        together = play_all(first.before, first.seat, (first.move, second.move), look_ahead=False)
        assert isinstance(together, Played)
        assert together.state == second.outcome.state
        assert [event for _, event in together.events] == [*first.outcome.events, *second.outcome.events]


def test_a_refused_batch_changes_nothing() -> None:
    """If the second move is illegal, the batch is refused as a whole and names it."""
    for moved in some(17):
        if moved.move == TAKE_PILE:
            outcome = play_all(moved.before, moved.seat, (moved.move, moved.move), look_ahead=False)
            assert isinstance(outcome, RefusedBatch)
            assert outcome.move_index == 1


def test_score_sheets_add_up() -> None:
    """Points before and a sheet's points make the points after; the state gives the same sheet again."""
    for moved in played():
        for event in moved.outcome.events:
            if isinstance(event, DealScored):
                sheet, state = event.sheet, moved.outcome.state
                assert sheet.deal_points == tuple(sum(line.points for line in side) for side in sheet.lines)
                added = tuple(map(sum, zip(moved.before.points, sheet.deal_points, strict=True)))
                assert added == sheet.match_points == state.points
                assert GIN_GAME.sheet(state) == sheet
            if isinstance(event, MatchEnded):
                assert event.points == moved.outcome.state.points
        if moved.outcome.state.deal_end in (DealEnd.NOT_ENDED, DealEnd.VOID, DealEnd.RESIGNED):
            assert GIN_GAME.sheet(moved.outcome.state) is None


def test_the_winner_reached_the_target() -> None:
    """A match that was played out has a winner who reached the target, and nobody had before."""
    for moved in played():
        result = moved.outcome.state.result
        if result and result.match_end is MatchEnd.TARGET:
            target = moved.outcome.state.match.rules.target
            assert max(moved.before.points) < target
            assert moved.outcome.state.points[result.winning_sides[0]] >= target


def test_an_absent_player_never_knocks() -> None:
    """A turn that timed out ends in a pass or a discard."""
    for moved in played():
        if moved.move.kind is MoveKind.TIME_OUT_TURN:
            assert moved.outcome.state.knocker == -1
            assert moved.outcome.state.seat != moved.seat or moved.outcome.state.over


def test_a_deal_of_absent_players_ends() -> None:
    """If nobody ever knocks, the deal is void in the end, under either option."""
    for exhausted in StockExhausted:
        options = rules(stock_exhausted=exhausted)
        state = next(walk(3, options)).before
        moves = 0
        while not state.over:
            outcome = GIN_GAME.play(state, state.seat, Plain(MoveKind.TIME_OUT_TURN))
            assert isinstance(outcome, Applied)
            state, moves = outcome.state, moves + 1
        assert state.deal_end is DealEnd.VOID
        assert moves == 2 + 29 if exhausted is StockExhausted.VOID_AT_TWO else moves == 2 + MOST_TURNS


# --- secrets ----------------------------------------------------------------------------------------------------------


def swapped(state: State, viewer: int, rng: random.Random) -> State:
    """The state with all cards hidden from a viewer dealt anew among the places where they are hidden."""
    hidden = bytearray(state.stock)
    seats = [seat for seat in (0, 1) if seat != viewer]
    for seat in seats:
        hidden += state.hands[seat].cards()
    rng.shuffle(hidden)
    for seat in seats:
        size = state.hands[seat].size
        state = state._replace(hands=replace_at(state.hands, seat, hand_of(hidden[:size])))
        del hidden[:size]
    return state._replace(stock=bytes(hidden))


def test_views_do_not_depend_on_hidden_cards() -> None:
    """What a seat or a spectator is shown, may do, and is told does not change when hidden cards are swapped."""
    rng = random.Random(9)
    for moved in some(5):
        state = moved.before
        if state.deal_end in (DealEnd.KNOCK, DealEnd.GIN):
            continue
        for viewer in (-1, 0, 1):
            other = swapped(state, viewer, rng)
            assert view(state, viewer) == view(other, viewer)
            if viewer >= 0:
                assert GIN_GAME.legal_moves(state, viewer, 100) == GIN_GAME.legal_moves(other, viewer, 100)
                for move in rng.sample(ALL_MOVES, 10):
                    assert GIN_GAME.judge(state, viewer, move) == GIN_GAME.judge(other, viewer, move)


def test_events_do_not_depend_on_hidden_cards() -> None:
    """What a move that reveals nothing tells everyone does not change when cards hidden from the mover are swapped."""
    rng = random.Random(10)
    for moved in some(3):
        if moved.outcome.revealed:
            continue
        other = GIN_GAME.play(swapped(moved.before, moved.seat, rng), moved.seat, moved.move)
        assert isinstance(other, Applied)
        told = [[redact(event, 1 - moved.seat, GIN) for event in each.events] for each in (moved.outcome, other)]
        assert told[0] == told[1]
        assert not other.revealed


def test_what_reveals_is_known_beforehand() -> None:
    """Drawing, dealing, timing out and ending a deal reveal; discarding, passing and taking the up-card do not."""
    for moved in played():
        kind, over = moved.move.kind, moved.outcome.state.over
        reveals = kind in (MoveKind.DRAW_STOCK, MoveKind.NEXT_DEAL, MoveKind.TIME_OUT_TURN) or over
        assert moved.outcome.revealed == reveals


# --- the deck ---------------------------------------------------------------------------------------------------------


def test_the_first_upcard_is_remembered_by_the_seed() -> None:
    """The card first turned up is found again at any moment of the deal."""
    turned: dict[tuple[bytes, int], int] = {}
    for moved in played():
        state = moved.before
        key = state.match.match_id, state.deal_number
        if state.phase is Phase.UPCARD:
            turned[key] = state.discard[0]
        assert first_upcard(state.match.fairness, state.deal_number) == turned[key]


@settings(max_examples=EXAMPLES // 5, deadline=None)
@given(st.integers(min_value=1000))
def test_any_match_ends(seed: int) -> None:
    """The same for matches that Hypothesis thinks of: they end, and every state on the way holds together."""
    for moved in walk(seed, rules(target=10)):
        assert not list(audit(moved.outcome.state))


@pytest.mark.parametrize("oklahoma", [Oklahoma.ACE_IS_ONE, Oklahoma.ACE_IS_GIN])
def test_a_match_with_oklahoma_ends(oklahoma: Oklahoma) -> None:
    """A match whose limits change from deal to deal is played like any other."""
    *_, last = walk(4, rules(oklahoma=oklahoma))
    assert last.outcome.state.result
    assert last.outcome.state.hands != (Hand(), Hand())
