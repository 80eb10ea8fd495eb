"""What holds in every game, move by move: for each preset, and under any valid options of each game."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.audit import audit
from service.rules.cards import parse
from service.rules.events import SPECTATOR, DealEnded, Dealt, Drew, Event, PozzettoSeen, TookPile, TookPozzetto, redact
from service.rules.games import GAMES, PRESETS, SeatChoice, create_match, game_of
from service.rules.melds import Meld, MeldKind
from service.rules.moves import Move, MoveKind, Plain
from service.rules.options import Game, Preset
from service.rules.outcome import Applied, Refused
from service.rules.state import NOBODY, DealEnd, Fairness, Phase, State, Turn
from service.rules.view import view
from service.wire.state_codec import encode_state
from tests.games.play import Step, all_cards, normal, steps, tries
from tests.support.options import valid_rules
from tests.support.profile import examples
from tests.support.twins import pile_is_hidden, twin
from tests.support.walks import expand, legal_moves

Case: TypeAlias = Preset | Game
CASES: Final[tuple[Case, ...]] = (*PRESETS, *GAMES)
each_case = pytest.mark.parametrize(
    "case", CASES, ids=[case.name if isinstance(case, Preset) else f"any {case.name}" for case in CASES]
)
"""Each preset, and each game with whatever options Hypothesis draws."""
SEEDS: Final = st.integers(0, 1 << 20)


def rules_of(case: Case, data: st.DataObject) -> Any:  # noqa: ANN401  # of any game
    """The rules to try."""
    return PRESETS[case] if isinstance(case, Preset) else data.draw(valid_rules(GAMES[case]))


def some(rules: object, seed: int, most: int, one_in: int) -> list[Step]:
    """One in so many moves of a match."""
    rng = random.Random(seed + 1)
    return [step for step in steps(rules, seed, most) if not rng.randrange(one_in)]


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.name for preset in PRESETS])
def test_deals_are_numbered_from_1(preset: Preset) -> None:
    """The number of a deal chooses its cards (docs/fairness.md); a match begins with deal 1, dealt by move 0."""
    rules = PRESETS[preset]
    seats = SeatChoice(dealer=0)
    outcome = create_match(rules, Fairness(bytes(32), given=True), "a match", seats)
    state = outcome.state

    numbers = [(at, event.deal_number) for at, event in outcome.events if isinstance(event, Dealt)]

    assert (numbers, state.deal_number, state.deals_scored, state.revision) == ([(0, 1)], 1, 0, 0)
    assert set(state.points) | set(state.token_epochs) == {0}
    assert (state.deal_end, state.closed_by, state.knocker, state.result) == (DealEnd.NOT_ENDED, NOBODY, NOBODY, None)


OF_A_DEAL: Final = {
    Game.BURRACO: ("unseen", "taken_by", "unplayed", "stalemate_turns", "turns_left"),
    Game.GIN: ("turns_taken", "renewals", "passes", "knocker"),
    Game.RAMINO: ("laid", "turns_taken", "renewals", "doubled"),
    Game.SCALA_40: ("laid", "turns_taken", "renewals", "doubled"),
}
"""What a game remembers for a deal, beside what all of them do."""


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.name for preset in PRESETS])
def test_a_deal_begins_as_the_first_did(preset: Preset) -> None:
    """Nothing that the last deal left behind is there in the next."""
    first = create_match(PRESETS[preset], Fairness(bytes(32), given=True), "a match", SeatChoice(dealer=0)).state
    names = ("melds", "next_meld_id", "turn", "deal_end", "closed_by", *OF_A_DEAL[PRESETS[preset].game])
    left: dict[str, Any] = {
        "melds": (Meld(MeldKind.SET, parse("3S 3H 3D"), meld_id=1),),
        "turn": Turn(drawn=3, taken_single=3, must_meld=3, melded=True, taken=4, opening=5, jokers_owed=1),
        "deal_end": DealEnd.VOID,
    }
    for name in names:
        value = getattr(first, name)
        left.setdefault(name, tuple(not item or 0 for item in value) if isinstance(value, tuple) else value + 1)

    over = first._replace(phase=Phase.DEAL_OVER, **left)
    outcome = game_of(over).play(over, 0, Plain(MoveKind.NEXT_DEAL))

    assert isinstance(outcome, Applied)
    assert [name for name in names if getattr(over, name) == getattr(first, name)] == []
    assert [name for name in names if getattr(outcome.state, name) != getattr(first, name)] == []


# --- cards and counters ----------------------------------------------------------------------------------------------


@each_case
@examples(12)
@given(data=st.data(), seed=SEEDS)
def test_no_card_comes_or_goes(case: Case, data: st.DataObject, seed: int) -> None:
    """All cards of the table are the deck's, after every move."""
    rules = rules_of(case, data)
    deck = bytes(sorted(GAMES[rules.game].deck(rules)))
    for step in steps(rules, seed, 250):
        assert all_cards(step.before) == all_cards(step.state) == deck


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_a_move_is_one_revision(case: Case, data: st.DataObject, seed: int) -> None:
    """Each move has its number and a link of its own in the chain; melds are numbered in order."""
    chains = set()
    for number, step in enumerate(steps(rules_of(case, data), seed, 150), 1):
        after = step.state
        chains.add(after.chain)
        assert after.revision == number == len(chains)
        assert after.match == step.before.match
        assert [meld.meld_id for meld in after.melds] == list(range(1, after.next_meld_id))


# --- what is legal ---------------------------------------------------------------------------------------------------


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_what_is_listed_is_accepted(case: Case, data: st.DataObject, seed: int) -> None:
    """Every move of the list is, each is there once, and the list counts them."""
    rng = random.Random(seed)
    for step in some(rules_of(case, data), seed, 150, one_in=6):
        state, game = step.state, game_of(step.state)
        for seat in range(len(state.match.players)):
            legal, moves = legal_moves(state, seat), expand(state, seat)
            assert len(moves) == legal.total == len({normal(move) for move in moves})
            assert not legal.truncated
            for move in rng.sample(moves, min(25, len(moves))):
                assert not game.judge(state, seat, move).faults, move
                assert isinstance(game.play(state, seat, move), Applied)


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_what_is_accepted_is_listed(case: Case, data: st.DataObject, seed: int) -> None:
    """Of moves at random those that are accepted are on the list, and a refusal says why and changes nothing."""
    rng = random.Random(seed)
    for step in some(rules_of(case, data), seed, 150, one_in=10):
        state, game = step.state, game_of(step.state)
        for seat in {state.seat, rng.randrange(len(state.match.players))}:
            before, listed = encode_state(state), {normal(move) for move in expand(state, seat)}
            for move in tries(state, seat, rng):
                faults = game.judge(state, seat, move).faults
                assert (normal(move) in listed) != bool(faults), (move, faults)
                outcome = game.play(state, seat, move)
                assert isinstance(outcome, Refused) == bool(faults)
                if isinstance(outcome, Refused):
                    assert outcome.violations == faults
                    reasons = [fault.reason for fault in faults]
                    assert reasons == sorted(reasons)
            assert encode_state(state) == before


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_somebody_can_always_move(case: Case, data: st.DataObject, seed: int) -> None:
    """Until the match is over the seat to move has a move; others may resign, and deal once the deal is over."""
    for step in some(rules_of(case, data), seed, 200, one_in=2):
        state = step.state
        for seat in range(len(state.match.players)):
            legal = legal_moves(state, seat)
            own = legal.total - (MoveKind.RESIGN in legal.plain)
            if state.phase is Phase.MATCH_OVER:
                assert not legal.total
            elif state.phase is Phase.DEAL_OVER:
                assert not own or (own == 1 and MoveKind.NEXT_DEAL in legal.plain)
            else:
                assert bool(own) == (seat == state.seat)
        if state.phase is Phase.DEAL_OVER:
            assert MoveKind.NEXT_DEAL in legal_moves(state, state.seat).plain


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_a_list_is_cut_where_it_is_asked_to_be(case: Case, data: st.DataObject, seed: int) -> None:
    """A shorter list begins like the whole one, has no more moves than asked for, and says that it is cut."""
    for step in some(rules_of(case, data), seed, 120, one_in=10):
        state, game = step.state, game_of(step.state)
        whole = legal_moves(state, state.seat)
        for most in {0, 1, 2, whole.total // 2, whole.total - 1, whole.total} & set(range(whole.total + 1)):
            cut = game.legal_moves(state, state.seat, most)
            assert cut.total <= most
            assert cut.truncated == (cut.total < whole.total)
            assert whole.plain[: len(cut.plain)] == cut.plain
            assert whole.discards[: len(cut.discards)] == cut.discards
            assert whole.groups[: len(cut.groups)] == cut.groups


@each_case
@examples(8)
@given(data=st.data(), seed=SEEDS)
def test_open_kinds_are_those_listed(case: Case, data: st.DataObject, seed: int) -> None:
    """What is told to be open to a seat is what its list has, and nothing is to a spectator."""
    for step in some(rules_of(case, data), seed, 150, one_in=5):
        state = step.state
        for seat in range(len(state.match.players)):
            kinds = {move.kind for move in expand(state, seat)}
            assert view(state, seat).open_kinds == tuple(sorted(kinds))
        assert view(state, SPECTATOR).open_kinds == ()


# --- secrets ---------------------------------------------------------------------------------------------------------


def viewers(state: State) -> list[tuple[int, int]]:
    """Each viewer as the rules number it, and as twins do."""
    players = len(state.match.players)
    return [*((seat, seat) for seat in range(players)), (SPECTATOR, players)]


@each_case
@examples(10)
@given(data=st.data(), seed=SEEDS)
def test_hidden_cards_change_no_view_and_no_list(case: Case, data: st.DataObject, seed: int) -> None:
    """With the cards dealt anew that he may not see, a viewer sees the same and may do the same."""
    rng = random.Random(seed)
    for step in some(rules_of(case, data), seed, 150, one_in=6):
        for viewer, number in viewers(step.state):
            other = twin(step.state, number, rng)
            if other is None or not playable(other):
                continue
            assert view(step.state, viewer) == view(other, viewer)
            if viewer != SPECTATOR:
                assert legal_moves(step.state, viewer) == legal_moves(other, viewer)


@each_case
@examples(10)
@given(data=st.data(), seed=SEEDS)
def test_hidden_cards_change_no_event(case: Case, data: st.DataObject, seed: int) -> None:
    """What a viewer is told of a move is the same wherever the cards lie that neither he sees nor the move shows."""
    for step, outcome, viewer in told_twice(rules_of(case, data), seed):
        assert told(step.after, viewer) == told(outcome, viewer)
        assert view(step.state, viewer) == view(outcome.state, viewer)


def told_twice(rules: object, seed: int) -> Iterator[tuple[Step, Applied, int]]:
    """Moves, the same ones in a world that looks alike to a viewer, and the viewer, to whom they show no card."""
    rng = random.Random(seed)
    for step in some(rules, seed, 150, one_in=4):
        for viewer, number in viewers(step.before):
            other = twin(step.before, number, rng)
            if other is None or not playable(other):
                continue
            outcome = game_of(other).play(other, step.seat, step.move)
            if isinstance(outcome, Refused):
                assert viewer != step.seat, "the mover's own moves are legal in both"
            elif not shows(step.after, viewer) and not shows(outcome, viewer):
                yield step, outcome, viewer


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_most_kinds_of_move_are_told_twice(preset: Preset) -> None:
    """The measure itself: what is compared is of the kinds of move that there are, seen by movers and by others."""
    compared: Counter[str] = Counter()
    for seed in range(4):
        for step, _, viewer in told_twice(PRESETS[preset], seed):
            compared[step.move.kind.name] += 1
            compared["by the mover" if viewer == step.seat else "by others"] += 1
    least = {"DRAW_STOCK", "TAKE_PILE", "DISCARD", "by the mover", "by others"}
    least |= {"MELD"} if PRESETS[preset].game is not Game.GIN else {"PASS_UPCARD"}
    assert {each for each in least if not compared[each]} == set(), compared


def playable(state: State) -> bool:
    """Whether a twin is a state that can come about."""
    return next(audit(state), None) is None


def shows(outcome: Applied, viewer: int) -> bool:
    """Whether a move showed the viewer cards that were hidden from him, or ended the deal, which lays them open."""
    top_only = pile_is_hidden(outcome.state)
    for event in outcome.events:
        match event:
            case DealEnded() | Dealt():
                return True
            case Drew(seat) | TookPozzetto(seat) | PozzettoSeen(seat) if seat == viewer:
                return True
            case TookPile(seat) if seat == viewer and top_only:
                return True
    # A turn completed for its seat discards a card of the hand that nobody else knew.
    return type(outcome.events[0]).__name__ == "TurnTimedOut"


def told(outcome: Applied, viewer: int) -> list[Event]:
    """The events of a move as a viewer gets them."""
    return [redact(event, viewer, outcome.state.match.rules) for event in outcome.events]


# --- ends ------------------------------------------------------------------------------------------------------------

LONGEST: Final = 6_000
"""More moves than any deal at random has come near to."""


@each_case
@examples(6)
@given(data=st.data(), seed=SEEDS)
def test_a_deal_ends(case: Case, data: st.DataObject, seed: int) -> None:
    """A deal of random moves comes to its end, and is counted by a sheet whose lines add up, or not at all."""
    *_, last = steps(rules_of(case, data), seed, LONGEST, deals=1)
    state = last.state
    assert state.over
    sheet = game_of(state).sheet(state)
    if sheet is not None:
        assert [sum(line.points for line in side) for side in sheet.lines] == list(sheet.deal_points)
        assert sheet.deal_end is state.deal_end
        assert sheet.match_points == state.points
        assert (sheet.closed_by_side == NOBODY) == (state.closed_by == NOBODY)


@each_case
@examples(6)
@given(data=st.data(), seed=SEEDS)
def test_equal_beginnings_are_equal_matches(case: Case, data: st.DataObject, seed: int) -> None:
    """The same rules, seed and moves make the same match, state by state."""
    rules = rules_of(case, data)
    first = [step.state for step in steps(rules, seed, 80)]
    assert first == [step.state for step in steps(rules, seed, 80)]


def test_the_moves_tried_are_of_both_kinds() -> None:
    """The measure itself: of the moves at random many are legal, of every kind that Burraco and its relatives have."""
    accepted: Counter[MoveKind] = Counter()
    refused: Counter[MoveKind] = Counter()
    for preset in PRESETS:
        rng = random.Random(1)
        for seed in range(2):
            for step in some(PRESETS[preset], seed, 400, one_in=8):
                state: State = step.state
                for move in tries(state, state.seat, rng):
                    where = refused if game_of(state).judge(state, state.seat, move).faults else accepted
                    where[move.kind] += 1
    kinds = {kind for preset in PRESETS for kind in kinds_of(preset)}
    assert {kind for kind in kinds if not accepted[kind]} == set()
    assert {kind for kind in MoveKind if refused[kind] < 5} <= {
        MoveKind.RESIGN,
        MoveKind.TIME_OUT_TURN,
        MoveKind.CALL_TIME,
    }


def kinds_of(preset: Preset) -> set[MoveKind]:
    """Kinds of move that were made in some matches of a preset."""
    made: set[Move] = {step.move for seed in range(2) for step in steps(PRESETS[preset], seed, 400)}
    rare = {MoveKind.TIME_OUT_TURN, MoveKind.CALL_TIME, MoveKind.DECLARE_STALEMATE}
    return {move.kind for move in made} - rare | {Plain(MoveKind.RESIGN).kind}
