"""Laws of every course of play, over random games of random options (what a public fault suggested is named)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.rules.burraco.dealing import deck_of
from service.rules.burraco.judge import ANYTIME, judge
from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.events import (
    Dealt,
    Discarded,
    Drew,
    Event,
    LaidOff,
    Melded,
    TookPile,
    TookPozzetto,
    TurnStarted,
    TurnTimedOut,
)
from service.rules.games import Played, RefusedBatch, play_all
from service.rules.moves import (
    DRAW_STOCK,
    PASS_UPCARD,
    RESIGN,
    TAKE_PILE,
    TIME_OUT_TURN,
    Discard,
    LayMeld,
    LayOff,
    Move,
    MoveKind,
)
from service.rules.options import BurracoRules, UnplayedPozzetto
from service.rules.outcome import Applied, LegalMoves, Refused
from service.rules.reasons import Reason, Violations, violation
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, Phase, State
from service.rules.view import sheet
from tests.oracle.cards import is_wild_card, value
from tests.oracle.score import score_side
from tests.support.bridge import Reached, to_oracle
from tests.support.checks import defects
from tests.support.games import (
    STYLES,
    Step,
    Style,
    all_cards,
    match_steps,
    plays_listed,
    points_of,
)
from tests.support.profile import examples
from tests.support.strategies import rule_sets, with_top_card_usable
from tests.support.tries import garbage, some_steps, tries

seeds = st.integers(0, 2**32)
styles = st.sampled_from(STYLES)
TOO_LONG = 1500
"""Lists with more plays are not expanded."""


@examples(300)
@given(rule_sets())
def test_row_1_to_26_the_options_drawn_are_valid(rules: BurracoRules) -> None:
    assert defects(rules) == []


# --- cards and turns -------------------------------------------------------------------------------------------------


def test_B4_1_cards_are_conserved_and_hands_change_by_what_was_moved() -> None:
    """Public fault 16: no move makes, loses or copies a card, and hands change in size by exactly what it says."""
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        deck = bytes(sorted(deck_of(rules)))
        for step in match_steps(rules, seed, style, deals=2):
            after = step.after.state
            assert all_cards(after) == deck
            assert after.revision == step.before.revision + 1
            assert len({meld.meld_id for meld in after.melds}) == len(after.melds)
            if after.deal_number == step.before.deal_number:
                _sizes_are_exact(step)
            reached[step.move.kind.name] += 1
            reached[after.deal_end.name] += after.over
            for event in step.after.events:
                reached[type(event).__name__] += 1

    law()
    reached.demand(
        *("DRAW_STOCK", "TAKE_PILE", "MELD", "LAY_OFF", "DISCARD", "DECLARE_STALEMATE", "NEXT_DEAL", "TIME_OUT_TURN"),
        *("CALL_TIME", "CLOSED", "STOCK", "STALEMATE_DECLARED", "STALEMATE_AUTOMATIC", "TIME", "VOID"),
        *("WildMoved", "TookPozzetto", "PozzettoSeen", "StockRenewed", "MatchEnded"),
    )


def _sizes_are_exact(step: Step) -> None:
    change: Counter[int] = Counter()
    for event in step.after.events:
        match event:
            case Drew(seat) | TurnTimedOut(seat):
                change[seat] += isinstance(event, Drew)
            case TookPile(seat, cards) | TookPozzetto(seat, _, _, cards):
                change[seat] += event.size
                assert len(cards) in {0, event.size}
            case Melded(seat, meld):
                change[seat] -= len(meld.cards)
            case LaidOff(seat, cards):
                change[seat] -= len(cards)
            case Discarded(seat):
                change[seat] -= 1
    for seat, (before, after) in enumerate(zip(step.before.hands, step.after.state.hands, strict=True)):
        assert after.size == before.size + change[seat]


@examples(60)
@given(rule_sets(), seeds, styles)
def test_B4_3_turns_go_round_and_follow_their_order(rules: BurracoRules, seed: int, style: Style) -> None:
    """Draw or take, then melds, then a discard; then the seat to the left (B4-15)."""
    for step in match_steps(rules, seed, style, deals=2):
        before, after = step.before, step.after.state
        if after.over or before.over:
            continue
        ends_turn = step.move.kind in (MoveKind.DISCARD, MoveKind.TIME_OUT_TURN)
        stays = (before.seat, after.phase if step.move.kind is not MoveKind.CALL_TIME else before.phase)
        if ends_turn:
            assert (after.seat, after.phase) == ((before.seat + 1) % 4, Phase.DRAW)
        elif step.move.kind is not MoveKind.CALL_TIME:
            assert stays == (after.seat, Phase.PLAY)


def test_B4_34_turns_that_only_swap_the_pile_are_counted() -> None:
    """A turn counts that takes a pile of one card, melds nothing and discards; any other starts the count again."""
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        swaps, took_one, melded = 0, False, False
        for step in match_steps(rules, seed, style, deals=2):
            state = step.after.state
            for event in step.after.events:
                match event:
                    case Dealt():
                        swaps = 0
                    case TurnStarted():
                        took_one, melded = False, False
                    case TookPile():
                        took_one = event.size == 1
                    case Melded() | LaidOff():
                        melded = True
                    case Discarded():
                        reached.note("count starts again", swaps > 1 and not (took_one and not melded))
                        swaps = swaps + 1 if took_one and not melded else 0
            if state.deal_end is DealEnd.STALEMATE_AUTOMATIC:
                assert swaps == rules.stalemate_auto_turns
                reached["automatic"] += 1
            elif not state.over:
                assert state.stalemate_turns == swaps < rules.stalemate_auto_turns
                declare = MoveKind.DECLARE_STALEMATE in legal_moves(state, state.seat, 4).plain
                assert declare == (swaps >= 4 and state.phase is Phase.DRAW)

    law()
    reached.demand("automatic", "count starts again")


# --- the list and the check ------------------------------------------------------------------------------------------


def _is_listed(legal: LegalMoves, plays: set[tuple[MoveKind, int, bytes]], move: Move) -> bool:
    match move:
        case LayMeld(cards):
            return (MoveKind.MELD, 0, bytes(sorted(cards))) in plays
        case LayOff(meld_id, cards):
            return (MoveKind.LAY_OFF, meld_id, bytes(sorted(cards))) in plays
        case Discard(card):
            return card in legal.discards
    return move.kind in legal.plain


def _move_of(play: tuple[MoveKind, int, bytes]) -> Move:
    kind, meld_id, cards = play
    return LayMeld(cards) if kind is MoveKind.MELD else LayOff(meld_id, cards)


def test_DESIGN_8_the_list_holds_exactly_what_is_accepted() -> None:
    """Public faults 7, 18, 26: each listed move is accepted, and each accepted move is listed, once."""
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, rng in some_steps(rules, seed, style, one_in=12):
            state, legal = step.before, step.legal
            if legal.total > TOO_LONG:
                reached["long"] += 1
                continue
            listed = list(plays_listed(legal))
            plays = set(listed)
            assert len(plays) == len(listed)
            assert legal.total == len(plays) + len(legal.discards) + len(legal.plain)
            assert not legal.truncated
            assert list(legal.plain) == sorted(set(legal.plain))
            assert list(legal.discards) == sorted(set(legal.discards))
            for play_ in rng.sample(listed, min(20, len(listed))):
                assert judge(state, state.seat, _move_of(play_)).faults == ()
            for move in tries(state, state.seat, rng):
                accepted = not judge(state, state.seat, move).faults
                if move.kind not in (MoveKind.TIME_OUT_TURN, MoveKind.CALL_TIME):
                    assert accepted == _is_listed(legal, plays, move), move
                reached[f"{move.kind.name} {accepted}"] += 1

    law()
    kinds = ("DRAW_STOCK", "TAKE_PILE", "MELD", "LAY_OFF", "DISCARD", "DECLARE_STALEMATE", "NEXT_DEAL")
    reached.demand(*(f"{kind} {accepted}" for kind in kinds for accepted in (True, False)))


@examples(40)
@given(rule_sets(), seeds, styles)
def test_B4_3_nobody_moves_out_of_turn(rules: BurracoRules, seed: int, style: Style) -> None:
    """Another seat may resign, or call time; of a deal that is over any seat may ask for the next."""
    for step, rng in some_steps(rules, seed, style, one_in=25):
        state = step.before
        seat = (state.seat + rng.randint(1, 3)) % 4
        legal = legal_moves(state, seat, 1000)
        open_kinds = (MoveKind.NEXT_DEAL, MoveKind.RESIGN) if state.over else (MoveKind.RESIGN,)
        assert legal == LegalMoves(plain=open_kinds, total=len(open_kinds))
        for move in tries(state, seat, rng):
            faults = judge(state, seat, move).faults
            if move.kind in open_kinds or (move.kind in ANYTIME and not state.over):
                assert {fault.reason for fault in faults} <= {Reason.TIME_ALREADY_CALLED}
            else:
                assert len(faults) == 1


@examples(40)
@given(rule_sets(), seeds, styles)
def test_DESIGN_4_a_refused_move_changes_nothing_and_says_why(rules: BurracoRules, seed: int, style: Style) -> None:
    """Public faults 9 and 19: every refusal has reasons, in order; the state is what it was; nothing is raised."""
    for step, rng in some_steps(rules, seed, style, one_in=15):
        state, seat = step.before, rng.randrange(4)
        asked = [*tries(state, step.seat, rng), *garbage(state, rng)]
        for move in rng.sample(asked, min(40, len(asked))):
            copy = State(*state)
            outcome = play(state, seat, move)
            assert state == copy
            if isinstance(outcome, Refused):
                _in_order(outcome.violations)
                assert judge(state, seat, move).faults == outcome.violations
                assert play_all(state, seat, [move], look_ahead=True) == RefusedBatch(0, outcome.violations)


def _in_order(violations: Violations) -> None:
    assert violations
    assert all(first.reason <= second.reason for first, second in pairwise(violations))
    for fault in violations:
        assert list(fault.cards) == sorted(fault.cards)
        assert list(fault.arguments) == sorted(fault.arguments)


@examples(30)
@given(rule_sets(), seeds, styles)
def test_B4_42_nothing_moves_once_the_match_is_over(rules: BurracoRules, seed: int, style: Style) -> None:
    """Public fault 27: after the end every move is refused, and the points stay."""
    *_, last = match_steps(rules, seed, style, deals=1)
    state = last.after.state
    if state.phase is not Phase.MATCH_OVER:
        outcome = play(state, seed % 4, RESIGN)
        assert isinstance(outcome, Applied)
        state = outcome.state
    assert state.phase is Phase.MATCH_OVER
    for seat in range(4):
        assert legal_moves(state, seat, 1000) == LegalMoves()
        for move in tries(state, seat, Random(seed)):
            assert play(state, seat, move) == Refused((violation(Reason.MATCH_OVER),))


# --- several moves in a call -----------------------------------------------------------------------------------------


def test_DESIGN_4_moves_in_one_call_are_the_same_as_one_by_one() -> None:
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        batch: list[Step] = []
        for step in match_steps(rules, seed, style, deals=2):
            batch.append(step)
            if step.after.state.seat != step.seat or step.after.state.over:
                _at_once(batch)
                reached[f"{min(len(batch), 4)} moves"] += 1
                batch = []

    law()
    reached.demand("2 moves", "3 moves", "4 moves")


def _at_once(batch: list[Step]) -> None:
    first, seat = batch[0].before, batch[0].seat
    outcome = play_all(first, seat, [step.move for step in batch], look_ahead=True)
    events = tuple((step.after.state.revision, event) for step in batch for event in step.after.events)
    assert outcome == Played(batch[-1].after.state, events)
    # All or nothing: an illegal move at the end undoes the rest.
    refused = play_all(first, seat, [*(step.move for step in batch), PASS_UPCARD], look_ahead=True)
    assert isinstance(refused, RefusedBatch)
    assert refused.move_index == len(batch)


def test_DESIGN_4_no_move_follows_one_that_reveals() -> None:
    """Without look-ahead a move after a revealing one is refused for that alone, whatever it is."""
    reached = Reached()

    @examples(80)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, rng in some_steps(rules, seed, style, one_in=6):
            anything = rng.choice([*tries(step.before, step.seat, rng), *garbage(step.before, rng)])
            outcome = play_all(step.before, step.seat, [step.move, anything], look_ahead=False)
            if step.after.revealed:
                assert outcome == RefusedBatch(1, (violation(Reason.MOVE_AFTER_REVEAL),))
                reached[step.move.kind.name] += 1
            else:
                assert outcome == play_all(step.before, step.seat, [step.move, anything], look_ahead=True)
                reached[f"{step.move.kind.name}, nothing revealed"] += 1
            if not step.before.over:
                outcome = play_all(step.before, step.seat, [TIME_OUT_TURN, anything], look_ahead=False)
                assert outcome == RefusedBatch(1, (violation(Reason.MOVE_AFTER_REVEAL),))

    law()
    reached.demand("DRAW_STOCK", "NEXT_DEAL", "LAY_OFF", "TAKE_PILE", "DISCARD")
    reached.demand(*(f"{kind}, nothing revealed" for kind in ("MELD", "LAY_OFF", "TAKE_PILE", "DISCARD")))


# --- absent players --------------------------------------------------------------------------------------------------


def test_DESIGN_4_a_timed_out_turn_is_completed_by_legal_moves() -> None:
    reached = Reached()

    @examples(60)
    @given(rule_sets() | rule_sets().map(with_top_card_usable), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, _ in some_steps(rules, seed, style, one_in=6):
            before, seat = step.before, step.seat
            if before.over:
                continue
            outcome = play(before, seat, TIME_OUT_TURN)
            assert outcome == play(before, seat, TIME_OUT_TURN)
            assert isinstance(outcome, Applied)
            told, *events = outcome.events
            assert told == TurnTimedOut(seat)
            state, again = before, list[Event]()
            for move in _moves_behind(events):
                if isinstance(move, Discard):
                    assert move.card == min(legal_moves(state, seat, 10**6).discards, key=_dearness)
                one = play(state, seat, move)
                assert isinstance(one, Applied)
                state = one.state
                again += one.events
                reached[f"{before.phase.name} {move.kind.name}"] += 1
            assert again == events
            after = outcome.state
            assert after == state._replace(revision=before.revision + 1, chain=after.chain)
            assert after.over or after.seat == (seat + 1) % 4

    law()
    reached.demand("DRAW DRAW_STOCK", "DRAW TAKE_PILE", "DRAW DISCARD", "PLAY DISCARD", "DRAW MELD", "PLAY LAY_OFF")


def _dearness(card: int) -> tuple[bool, int, int]:
    """What an absent player gives away first: naturals before wilds, then the cheapest, then the lowest number."""
    return is_wild_card(card), value(card), card


def _moves_behind(events: Iterable[Event]) -> Iterator[Move]:
    for event in events:
        match event:
            case Drew():
                yield DRAW_STOCK
            case TookPile():
                yield TAKE_PILE
            case Melded(_, meld):
                yield LayMeld(meld.cards)
            case LaidOff(_, cards, meld):
                yield LayOff(meld.meld_id, cards)
            case Discarded(_, card):
                yield Discard(card)


# --- the count -------------------------------------------------------------------------------------------------------


def test_B4_37_counted_deals_add_up() -> None:
    """Public fault 28: points recomputed from what was seen to happen; all the cards together are worth 1080."""
    reached = Reached()

    @examples(200)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        unplayed: dict[int, tuple[int, bytes]] = {}
        for step in match_steps(rules, seed, style, deals=2):
            if step.before.deal_number != step.after.state.deal_number:
                unplayed = {}
            _follow_pozzetti(step, unplayed)
            if step.after.state.over:
                _count_again(step.before.points, step.after.state, unplayed, reached)

    law()
    reached.demand("unplayed", "unplayed, AS_NOT_TAKEN", "closed", "spared", "void", "not taken", "STOCK", "TIME")


def _follow_pozzetti(step: Step, unplayed: dict[int, tuple[int, bytes]]) -> None:
    """Keep the pozzetti that were taken on the discard and have not been played from, by side: seat and cards."""
    for event in step.after.events:
        match event:
            case TookPozzetto(seat, False):
                unplayed[seat % 2] = seat, step.before.pozzetti[0]
            case Discarded(seat) | Melded(seat) | LaidOff(seat) if unplayed.get(seat % 2, (-1,))[0] == seat:
                del unplayed[seat % 2]


def _count_again(
    before: tuple[int, ...], state: State, unplayed: dict[int, tuple[int, bytes]], reached: Reached
) -> None:
    rules = state.rules
    counted = sheet(state)
    reached[state.deal_end.name] += 1
    if counted is None:
        assert state.points == before
        reached["void"] += 1
        return
    expected = []
    for side in range(2):
        hands = [list(state.hands[seat].cards()) for seat in (side, side + 2)]
        pozzetto = b""
        if side in unplayed:
            seat, pozzetto = unplayed[side]
            for card in pozzetto:
                hands[seat // 2].remove(card)
            reached["unplayed"] += 1
            reached.note("unplayed, AS_NOT_TAKEN", rules.unplayed_pozzetto is UnplayedPozzetto.AS_NOT_TAKEN)
        closed = state.closed_by % 2 == side and state.closed_by >= 0
        taken, other_taken = state.taken_by[side] >= 0, state.taken_by[1 - side] >= 0
        melds = [to_oracle(meld) for meld in state.melds if meld.side == side]
        expected.append(score_side(rules, melds, hands, closed, taken, pozzetto, other_taken))
        reached.note("closed", closed)
        reached.note("not taken", not taken)
        reached.note("spared", rules.no_pozzetto_penalty_if_none_taken and not taken and not other_taken)
    assert list(counted.deal_points) == expected
    assert [sum(line.points for line in lines) for lines in counted.lines] == expected
    assert counted.match_points == state.points == tuple(map(sum, zip(before, expected, strict=True)))
    lines = [line for side_lines in counted.lines for line in side_lines]
    on_table = sum(line.points for line in lines if line.item is ScoreItem.MELD_CARDS)
    in_hands = -sum(line.points for line in lines if line.item is ScoreItem.HAND_CARDS)
    if rules.unplayed_pozzetto is UnplayedPozzetto.AS_NOT_TAKEN:
        in_hands += sum(points_of(cards) for _, cards in unplayed.values())
    left = sum(points_of(heap) for heap in (state.stock, state.discard, *state.pozzetti))
    assert on_table + in_hands + left == 960 + 30 * rules.jokers
