"""Nothing that a viewer is told depends on a card that he may not see (public faults 1, 2, 22, 23, 24)."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.rules.burraco.judge import judge
from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.events import (
    SPECTATOR,
    DealEnded,
    Dealt,
    Drew,
    Event,
    PozzettoSeen,
    TookPile,
    TookPozzetto,
    redact,
)
from service.rules.games import play_all
from service.rules.moves import RESIGN, Discard, LayMeld, LayOff, Move, MoveKind
from service.rules.options import BurracoRules, DiscardVisible
from service.rules.outcome import Applied, Refused
from service.rules.state import NOBODY, Phase, State
from service.rules.view import View, view
from tests.oracle.melds import bonus, meld_points
from tests.oracle.table import has_closing_burraco
from tests.support.bridge import Reached, to_oracle
from tests.support.games import EVERYTHING, STYLES, Step, Style, all_cards, match_steps, plays_listed
from tests.support.hidden import VIEWERS, hides, is_counted, other_world, shown
from tests.support.profile import examples
from tests.support.strategies import closing_rules, plays, rule_sets, with_top_card_usable
from tests.support.tries import garbage, some_steps, tries
from tests.support.turns import set_up

seeds = st.integers(0, 2**32)
styles = st.sampled_from(STYLES)
MOST_LISTED = 3000


def _moves_to_ask(state: State, seat: int, rng: Random) -> list[Move]:
    asked = [*tries(state, seat, rng), *garbage(state, rng)]
    return rng.sample(asked, min(25, len(asked)))


def test_DESIGN_1_views_lists_and_refusals_do_not_depend_on_hidden_cards() -> None:
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, rng in some_steps(rules, seed, style, one_in=20):
            state = step.before
            for viewer in VIEWERS:
                other = other_world(state, viewer, rng)
                assert all_cards(other) == all_cards(state)
                reached[f"{state.phase.name} {'changed' if other != state else 'same'}"] += 1
                reached.note("own pozzetto unseen", viewer != SPECTATOR and state.unseen[viewer])
                assert view(other, viewer) == view(state, viewer)
                if viewer == SPECTATOR:
                    continue
                assert legal_moves(other, viewer, MOST_LISTED) == legal_moves(state, viewer, MOST_LISTED)
                for move in _moves_to_ask(state, viewer, rng):
                    assert judge(other, viewer, move).faults == judge(state, viewer, move).faults
                    reached[f"{'out of turn' if viewer != state.seat else 'in turn'}"] += 1

    law()
    reached.demand("DRAW changed", "PLAY changed", "DEAL_OVER changed", "own pozzetto unseen", "out of turn", "in turn")


def _redacted(events: tuple[Event, ...], viewer: int, rules: BurracoRules) -> list[Event]:
    return [redact(event, viewer, rules) for event in events]


def _told_the_same(state: State, outcome: Applied, other: Applied, viewer: int) -> None:
    rules = state.rules
    assert _redacted(other.events, viewer, rules) == _redacted(outcome.events, viewer, rules)
    assert view(other.state, viewer) == view(outcome.state, viewer)


def test_DESIGN_4_events_do_not_depend_on_hidden_cards() -> None:
    """What a viewer is told of a move depends only on the cards that he sees before or after it."""
    reached = Reached()

    @examples(60)
    @given(rule_sets(), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, rng in some_steps(rules, seed, style, one_in=6):
            if step.before.over:
                continue
            for viewer in VIEWERS:
                _same_resignation(step.before, viewer, rng)
                if not is_counted(step.after.state) and step.move.kind is not MoveKind.TIME_OUT_TURN:
                    _same_events(step, viewer, rng, reached)

    law()
    for who in ("mover", "partner", "opponent", "spectator"):
        reached.demand(*(f"{kind} seen by {who}" for kind in ("DRAW_STOCK", "TAKE_PILE", "MELD", "LAY_OFF", "DISCARD")))
    reached.demand(*(f"{event} seen by mover" for event in ("TookPozzetto", "PozzettoSeen")))
    reached.demand(*(f"{event} seen by opponent" for event in ("TookPozzetto", "PozzettoSeen", "StockRenewed")))


def _same_events(step: Step, viewer: int, rng: Random, reached: Reached) -> None:
    before, after, seat, move = step.before, step.after.state, step.seat, step.move
    mine = viewer == seat
    fixed = shown(before, after, viewer, move.kind if mine else None)
    if not mine:
        fixed.cards[seat] = _cards_of(move)
    other = other_world(before, viewer, rng, fixed)
    outcome = play(other, seat, move)
    if isinstance(outcome, Refused) or outcome.state.over != after.over:
        reached["depends on hidden cards"] += 1
        assert not mine or not before.stock
        return
    _told_the_same(before, step.after, outcome, viewer)
    who = "spectator" if viewer < 0 else "mover" if mine else "partner" if viewer % 2 == seat % 2 else "opponent"
    reached[f"{move.kind.name} seen by {who}"] += other != before
    for event in step.after.events:
        reached[f"{type(event).__name__} seen by {who}"] += 1


def _same_resignation(state: State, viewer: int, rng: Random) -> None:
    """Nothing is laid open by a resignation: the other side could resign a copy of the state, and play the other on."""
    seat = rng.randrange(4)
    outcome, other = (play(world, seat, RESIGN) for world in (state, other_world(state, viewer, rng)))
    assert isinstance(outcome, Applied)
    assert isinstance(other, Applied)
    _told_the_same(state, outcome, other, viewer)


def _cards_of(move: Move) -> bytes:
    match move:
        case LayMeld(cards) | LayOff(_, cards):
            return cards
        case Discard(card):
            return bytes((card, card))  # with its twin, if it is held, so that B4-17 is the same
    return b""


def test_DESIGN_4_a_move_that_is_not_said_to_reveal_shows_its_mover_nothing() -> None:
    """No look-ahead: whether a move reveals is known before it, and one that does not tells nothing of hidden cards."""
    reached = Reached()

    @examples(60)
    @given(rule_sets() | rule_sets().map(with_top_card_usable), seeds, styles)
    def law(rules: BurracoRules, seed: int, style: Style) -> None:
        for step, rng in some_steps(rules, seed, style, one_in=5):
            before, seat = step.before, step.seat
            other = other_world(before, seat, rng)
            outcome = play(other, seat, step.move)
            assert isinstance(outcome, Applied)
            assert outcome.revealed == step.after.revealed
            if step.after.revealed:
                reached.note("R8 discard", step.move.kind is MoveKind.DISCARD)
                continue
            reached[step.move.kind.name] += 1
            _told_the_same(before, step.after, outcome, seat)
            following = rng.choice(_moves_to_ask(step.after.state, seat, rng))
            batch = [step.move, following]
            one, two = (play_all(state, seat, batch, look_ahead=False) for state in (before, other))
            assert type(one) is type(two)
            if not hasattr(one, "state"):
                assert one == two

    law()
    reached.demand("TAKE_PILE", "MELD", "LAY_OFF", "DISCARD", "R8 discard")


def _needs_no_redaction(event: Event, viewer: int, step: Step) -> bool:
    """Whether all the cards of an event as the viewer is told it are his own or open."""
    match event:
        case Dealt(hands=hands):
            return [seat for seat, hand in enumerate(hands) if hand] == ([] if viewer == SPECTATOR else [viewer])
        case Drew(seat, card):
            return bool(card) == (seat == viewer)
        case TookPile(seat, cards):
            open_pile = seat == viewer or step.before.rules.discard_visible is DiscardVisible.WHOLE
            return cards == (step.before.discard if open_pile else step.before.discard[-1:])
        case TookPozzetto(seat, direct, _, cards):
            return bool(cards) == (seat == viewer and direct)
        case PozzettoSeen(seat, cards):
            return bool(cards) == (seat == viewer)
        case DealEnded(_, hands):
            return bool(hands) == is_counted(step.after.state)
    return True


@examples(60)
@given(rule_sets(), seeds, styles)
def test_DESIGN_4_each_viewer_is_told_all_that_he_may_know_and_no_more(
    rules: BurracoRules, seed: int, style: Style
) -> None:
    for step in match_steps(rules, seed, style, deals=2):
        for event in step.after.events:
            for viewer in VIEWERS:
                assert _needs_no_redaction(redact(event, viewer, rules), viewer, step)


def test_DESIGN_4_a_play_that_takes_the_pozzetto_reveals_it() -> None:
    """A play without more tells its mover nothing; one that empties his hand shows him the pozzetto (B4-27)."""
    reached = Reached()

    @examples(400)
    @given(closing_rules(), st.booleans(), seeds, st.data())
    def law(closing: BurracoRules, pozzetto: bool, seed: int, data: st.DataObject) -> None:
        rules = replace(closing, close_requires_discard=False)
        state = set_up(rules, data.draw(plays(rules, most_cards=5)), pozzetto=pozzetto)
        rng = Random(seed)
        listed = list(plays_listed(legal_moves(state, 0, EVERYTHING)))
        for kind, meld_id, cards in rng.sample(listed, min(8, len(listed))):
            move = LayMeld(cards) if kind is MoveKind.MELD else LayOff(meld_id, cards)
            outcome, other = (play(world, 0, move) for world in (state, other_world(state, 0, rng)))
            assert isinstance(outcome, Applied)
            assert isinstance(other, Applied)
            empties = len(cards) == state.hands[0].size
            assert outcome.revealed == other.revealed == empties
            if not empties:
                _told_the_same(state, outcome, other, 0)
            reached["closes" if outcome.state.over else "takes the pozzetto" if empties else "neither"] += 1

    law()
    reached.demand("closes", "takes the pozzetto", "neither", least=3)


# --- what a view holds at all ----------------------------------------------------------------------------------------


def _bytes_in(value: object) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _bytes_in(item)


@examples(60)
@given(rule_sets(), seeds, styles)
def test_DESIGN_4_a_view_holds_all_that_is_open(rules: BurracoRules, seed: int, style: Style) -> None:
    """Public fault 4: what the rules make public is there, and what may be done is what the list says."""
    for step, rng in some_steps(rules, seed, style, one_in=10):
        state = step.after.state
        viewer = rng.choice((state.seat, *VIEWERS))
        seen = view(state, viewer)
        assert [seat.hand_count for seat in seen.seats] == [hand.size for hand in state.hands]
        for seat in seen.seats:
            assert seat.hand == (None if hides(state, viewer, seat.seat) else state.hands[seat.seat])
            assert (seat.side, seat.player) == (seat.seat % 2, state.match.players[seat.seat])
        assert (seen.melds, seen.phase, seen.revision) == (state.melds, state.phase, state.revision)
        assert (seen.stock_count, seen.discard_count) == (len(state.stock), len(state.discard))
        whole = rules.discard_visible is DiscardVisible.WHOLE
        assert seen.discard == (state.discard if whole else state.discard[-1:])
        assert seen.turn == (NOBODY if state.over else state.seat)
        for side in seen.sides:
            melds = [to_oracle(meld) for meld in state.melds if meld.side == side.side]
            assert side.table_points == sum(meld_points(meld) + bonus(meld, rules) for meld in melds)
            taken = side.pozzetto_taken_by != NOBODY
            assert side.may_close == (taken and has_closing_burraco(rules, melds))
            assert (side.pozzetto_taken_by, side.match_points) == (state.taken_by[side.side], state.points[side.side])
        _kinds_are_those_of_the_list(state, seen, viewer)


def _kinds_are_those_of_the_list(state: State, seen: View, viewer: int) -> None:
    if viewer == SPECTATOR:
        assert seen.open_kinds == ()
        return
    legal = legal_moves(state, viewer, EVERYTHING)
    kinds = {*legal.plain, *(group.kind for group in legal.groups)}
    assert set(seen.open_kinds) == kinds | ({MoveKind.DISCARD} if legal.discards else set())


@examples(40)
@given(rule_sets(), seeds, styles)
def test_DESIGN_5_no_view_has_the_seed_before_the_match_is_over(rules: BurracoRules, seed: int, style: Style) -> None:
    secret = seed.to_bytes(32, "big")
    for step in match_steps(rules, seed, style, deals=2):
        state = step.after.state
        for viewer in VIEWERS:
            seen = view(state, viewer)
            holds = [found for found in _bytes_in(seen) if secret in found]
            assert bool(holds) == (state.phase is Phase.MATCH_OVER)
            _shows_no_heap(state, seen, viewer)
        resigned = play(state, seed % 4, RESIGN)
        if isinstance(resigned, Applied):
            assert not [found for found in _bytes_in(view(resigned.state, seed % 4)) if secret in found]
            # Events never tell it: whoever wants to check the deck reads it in the view of a match that is over.
        for event in step.after.events:
            for viewer in VIEWERS:
                assert not [found for found in _bytes_in(redact(event, viewer, rules)) if secret in found]


def _shows_no_heap(state: State, seen: View, viewer: int) -> None:
    """No hand but the viewer's own, and no three cards of a heap that lies face down, in their order."""
    hands = {seat.seat for seat in seen.seats if seat.hand is not None}
    own = set() if viewer == SPECTATOR or state.unseen[viewer] else {viewer}
    assert hands == ({0, 1, 2, 3} if is_counted(state) else own)
    known = b"".join((seen.match_id, seen.fairness.seed, seen.discard, *(meld.cards for meld in seen.melds)))
    told = b"".join(found for found in _bytes_in(seen) if found not in known)
    for heap in (state.stock, *state.pozzetti):
        assert not [heap[at : at + 3] for at in range(len(heap) - 2) if heap[at : at + 3] in told]
