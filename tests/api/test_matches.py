"""Whole matches played through the wire: every answer is checked against the one before and against the others."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import pytest

from burraco.v1 import cards_pb2, events_pb2, moves_pb2, rules_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.games import PRESETS
from service.rules.options import Game, Preset
from service.wire.rules_codec import FIELD_OF
from service.wire.sealing import HEADER_BYTES, Format
from tests.api.client import (
    FIBUR,
    ITALIAN,
    RESIGN,
    SECONDS,
    Api,
    Step,
    choose,
    everyone,
    expand,
    only,
    play_on,
)
from tests.support.profile import FULL


def selection(base: rules_pb2.RulesSelection, **options: object) -> rules_pb2.RulesSelection:
    chosen = rules_pb2.RulesSelection()
    chosen.CopyFrom(base)
    for key, value in options.items():
        setattr(chosen.burraco, key, value)
    return chosen


SHORTER: Final = {"target": 500, "limit": 60}
"""What ends a match sooner, where a preset has it; Gin's own target is reached soon enough."""


def shortened(preset: Preset) -> rules_pb2.RulesSelection:
    """A preset whose matches are not too long to look at every answer."""
    rules: Any = PRESETS[preset]
    chosen = only(preset)
    for key, least in SHORTER.items():
        if getattr(rules, key, 0) > least:
            setattr(getattr(chosen, FIELD_OF[rules.game]), key, least)
    return chosen


class Match(NamedTuple):
    """A match that was played to its end."""

    created: pb.CreateMatchResponse
    steps: tuple[Step, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.created.updates[0].view.seats)

    @property
    def viewers(self) -> tuple[cards_pb2.Viewer, ...]:
        """Every viewer."""
        return everyone(self.players)

    @property
    def responses(self) -> Iterable[tuple[int, Iterable[pb.ViewerUpdate], bytes]]:
        """Revision, updates and state of each answer, in order."""
        yield 0, self.created.updates, self.created.state
        for step in self.steps:
            yield step.accepted.revision, step.accepted.updates, step.accepted.state


RULES: Final = {
    "ITALIAN": ITALIAN,
    "FIBUR": FIBUR,
    "TOP_ONLY": selection(
        ITALIAN,
        discard_visible=rules_pb2.DISCARD_VISIBLE_TOP_ONLY,
        pozzetto_visible_after=rules_pb2.POZZETTO_VISIBLE_AFTER_OWN_NEXT_TURN,
        stock_end=rules_pb2.STOCK_END_POZZETTO_BECOMES_STOCK,
        target=300,
    ),
    **{preset.name: shortened(preset) for preset in PRESETS if preset not in {Preset.ITALIAN, Preset.FIBUR}},
}


@pytest.fixture(scope="module", params=RULES)
def match(request: pytest.FixtureRequest, api: Api) -> Match:
    """A whole match of random legal moves, each expanded from the list of legal moves."""
    seed = list(RULES).index(request.param)
    rules = RULES[request.param]
    value: Any = PRESETS[Preset(rules.preset)]
    created = api.create(rules, seed, viewers=everyone(value.players))
    seat = created.updates[0].view.turn
    hand = created.updates[seat].view.seats[seat].hand if value.game is not Game.BURRACO else ()
    steps = tuple(play_on(api, created.state, seat, random.Random(seed), players=value.players, hand=hand))
    return Match(created, steps)


def test_the_match_comes_to_its_end(match: Match) -> None:
    """Random legal moves lead to a result that every viewer is told."""
    last = match.steps[-1].accepted
    assert last.phase == views_pb2.PHASE_MATCH_OVER
    assert not last.HasField("turn")
    assert not last.HasField("legal_moves")
    for update in last.updates:
        assert update.view.HasField("result")
        assert update.events[-1].WhichOneof("what") == "match_ended"
        assert update.events[-1].match_ended.result == update.view.result
        assert list(update.view.result.match_points) == [side.match_points for side in update.view.sides]


def test_the_effective_rules_are_told_in_full(match: Match) -> None:
    """The answer, the first event and the view carry one full set of rules."""
    started = match.created.updates[0].events[0].match_started
    assert started.rules == match.created.rules
    options = getattr(match.created.rules, match.created.rules.WhichOneof("game") or "")
    assert len(options.ListFields()) == len(options.DESCRIPTOR.fields)


def test_revisions_rise_by_one_a_move(match: Match) -> None:
    """The revision counts the moves, and every view says it."""
    for number, (revision, updates, _) in enumerate(match.responses):
        assert revision == number
        for update in updates:
            assert update.view.revision == revision


def test_events_are_keyed_without_holes(match: Match) -> None:
    """For each viewer the events of a revision are numbered 0, 1, 2 …, and none is of another revision."""
    for revision, updates, _ in match.responses:
        for update in updates:
            assert update.match_id == update.view.match_id == match.created.match_id
            assert [event.index for event in update.events] == list(range(len(update.events)))
            assert {event.revision for event in update.events} == {revision}


def test_melds_are_shown_as_they_lie(api: Api, match: Match) -> None:
    """Each meld of a view has the cards, the wild and its role that the state has, wherever the wild stands."""
    wilds_at: Counter[int] = Counter()
    for _, updates, sealed in match.responses:
        state = api.open(sealed)
        shown = list(updates)[-1].view.melds
        assert [meld.meld_id for meld in shown] == [meld.meld_id for meld in state.melds]
        for meld, lying in zip(shown, state.melds, strict=True):
            assert bytes(meld.cards) == lying.cards
            assert meld.HasField("wild_index") == (lying.wild_at >= 0)
            assert meld.wild_index == max(lying.wild_at, 0)
            assert (meld.side, meld.wild_as) == (lying.side, lying.wild_as)
            wilds_at[lying.wild_at] += 1
    assert wilds_at[-1]
    if match.created.rules.preset in (rules_pb2.PRESET_ITALIAN, rules_pb2.PRESET_FIBUR):
        # Games without jokers, and short matches, have fewer wilds to show.
        assert wilds_at[0]
        assert max(wilds_at) > 1


def test_viewers_come_in_the_order_asked_for(match: Match) -> None:
    """Each viewer asked for gets one update and one view, made for it."""
    for _, updates, _ in match.responses:
        assert [update.viewer for update in updates] == list(match.viewers)
        assert [update.view.viewer for update in updates] == list(match.viewers)


def public_view(view: views_pb2.View) -> bytes:
    """What of a view everyone has to see alike."""
    public = views_pb2.View()
    public.CopyFrom(view)
    public.ClearField("viewer")
    public.ClearField("open_kinds")
    public.ClearField("drawn")
    for seat in public.seats:
        seat.ClearField("hand")
    return public.SerializeToString(deterministic=True)


def public_event(event: events_pb2.Event) -> bytes:
    """What of an event everyone has to see alike."""
    public = events_pb2.Event()
    public.CopyFrom(event)
    match public.WhichOneof("what"):
        case "dealt":
            public.dealt.ClearField("hand")
        case "drew":
            public.drew.ClearField("card")
        case "took_pile":
            public.took_pile.ClearField("cards")
        case "took_pozzetto":
            public.took_pozzetto.ClearField("cards")
        case "pozzetto_seen":
            public.pozzetto_seen.ClearField("cards")
    return public.SerializeToString(deterministic=True)


def test_all_viewers_see_the_same_public_parts(match: Match) -> None:
    """Views and events of all viewers differ in hidden cards and open kinds alone."""
    for _, updates, _ in match.responses:
        assert len({public_view(update.view) for update in updates}) == 1
        assert len({b"".join(map(public_event, update.events)) for update in updates}) == 1


def test_counts_follow_from_events(match: Match) -> None:
    """A front end that only counts events comes to the counts of the views."""
    burraco = match.created.rules.HasField("burraco")
    hands: Counter[int] = Counter()
    stock = pile = 0
    for _, updates, _ in match.responses:
        update = list(updates)[-1]
        for event in update.events:
            seat = event.seat
            match event.WhichOneof("what"):
                case "dealt":
                    hands = Counter(dict(enumerate(event.dealt.hand_counts)))
                    stock, pile = event.dealt.stock_count, 1
                case "drew":
                    hands[seat] += 1
                    stock -= 1
                    assert event.drew.stock_count == stock
                case "took_pile":
                    assert event.took_pile.count == (pile if burraco else 1)
                    hands[seat] += event.took_pile.count
                    pile -= event.took_pile.count
                case "melded":
                    hands[seat] -= len(event.melded.meld.cards)
                case "laid_off":
                    hands[seat] -= len(event.laid_off.cards)
                case "discarded":
                    hands[seat] -= 1
                    pile += 1
                case "knocked":
                    hands[seat] -= sum(len(group.cards) for group in event.knocked.melds)
                    assert hands[seat] == len(event.knocked.deadwood)
                case "took_pozzetto":
                    assert hands[seat] == 0
                    hands[seat] = event.took_pozzetto.count
                case "stock_renewed":
                    pile -= 0 if burraco else event.stock_renewed.stock_count
                    stock = event.stock_renewed.stock_count
        assert [seat.hand_count for seat in update.view.seats] == [hands[seat] for seat in range(match.players)]
        assert (update.view.stock_count, update.view.discard_count) == (stock, pile)


def test_a_view_asked_for_is_the_view_answered(api: Api, match: Match) -> None:
    """GetView of a state is the view that came with it, whoever asks and in whatever order of the hand."""
    for _, updates, state in list(match.responses)[:: 5 if FULL else 40]:
        for update in updates:
            asked = api.stub.GetView(pb.GetViewRequest(state=state, viewer=update.viewer), timeout=SECONDS)
            assert asked.view == update.view
            order = cards_pb2.HAND_ORDER_RANK_FIRST
            request = pb.GetViewRequest(state=state, viewer=update.viewer, hand_order=order, include_rules=True)
            by_rank = api.stub.GetView(request, timeout=SECONDS).view
            assert by_rank.rules == match.created.rules
            for ours, theirs in zip(update.view.seats, by_rank.seats, strict=True):
                assert sorted(ours.hand) == sorted(theirs.hand) == list(ours.hand)
                ranks = [(card == 64, card % 16, card) for card in theirs.hand]
                assert ranks == sorted(ranks)


def test_the_state_is_opaque(api: Api, match: Match) -> None:
    """Of a state only its format and its key can be read; no two of a match begin alike after that."""
    states = [state for _, _, state in match.responses]
    assert len(set(states)) == len(states)
    header = states[0][:HEADER_BYTES]
    assert header[0] == Format.STATE
    assert all(state[:HEADER_BYTES] == header for state in states)
    assert len({state[HEADER_BYTES : HEADER_BYTES + 8] for state in states}) == len(states)
    for state in states:
        opened = api.open(state)
        assert len(state) < 1000
        assert opened.match.fairness.seed not in state
        assert opened.match.match_id not in state
        assert opened.stock[:6] not in state or len(opened.stock) < 6


def test_the_state_does_not_depend_on_who_looks(api: Api, match: Match) -> None:
    """Viewers, order of hands, and whether moves are listed change what is told, never what is."""
    for step in match.steps[:: 10 if FULL else 50]:
        request = pb.ApplyMovesRequest(
            state=step.before,
            seat=step.request.seat,
            moves=step.request.moves,
            hand_order=cards_pb2.HAND_ORDER_RANK_FIRST,
        )
        accepted = api.stub.ApplyMoves(request, timeout=SECONDS).accepted
        assert accepted.state == step.accepted.state
        assert [update.viewer.seat for update in accepted.updates] == [step.request.seat]
        assert not accepted.HasField("legal_moves")


def test_a_retry_is_answered_byte_for_byte_alike(api: Api, match: Match) -> None:
    """The same request has the same answer, so a retry is harmless."""
    for step in match.steps[:: 10 if FULL else 40]:
        payload = step.request.SerializeToString()
        first, second = api.send("ApplyMoves", payload), api.send("ApplyMoves", payload)
        assert first.answer == second.answer
        assert pb.ApplyMovesResponse.FromString(first.answer).accepted.state == step.accepted.state


def turns(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps of a match, those of one seat's turn together."""
    found: list[list[Step]] = []
    for step in steps:
        last = found[-1][-1] if found else None
        if last is None or last.request.seat != step.request.seat or not last.accepted.HasField("turn"):
            found.append([])
        found[-1].append(step)
    return found


def test_moves_of_one_call_are_moves_of_many_calls(api: Api, match: Match) -> None:
    """A turn sent in one call gives the state and the events of the same turn sent move by move."""
    sizes: Counter[int] = Counter()
    for turn in turns(match.steps):
        sizes[len(turn)] += 1
        moves = [move for step in turn for move in step.request.moves]
        whole = api.apply(turn[0].before, turn[0].request.seat, *moves, viewers=match.viewers, list_legal_moves=True)
        last = turn[-1].accepted
        assert whole.accepted.state == last.state
        assert whole.accepted.legal_moves == last.legal_moves
        assert (whole.accepted.revision, whole.accepted.phase) == (last.revision, last.phase)
        for at, update in enumerate(whole.accepted.updates):
            assert update.view == last.updates[at].view
            assert list(update.events) == [event for step in turn for event in step.accepted.updates[at].events]
    assert max(sizes) > 2


def test_listed_moves_are_those_that_would_be_accepted(api: Api, match: Match) -> None:
    """The list is exact: its count is that of its expansion, no move comes twice, and each is legal."""
    rng = random.Random(1)
    for step in match.steps[:: 8 if FULL else 40]:
        legal = api.legal(step.before, step.request.seat)
        moves = expand(legal)
        assert len(moves) == legal.count
        assert len({move.SerializeToString() for move in moves}) == len(moves)
        assert not legal.truncated
        for group in legal.groups:
            assert group.count
        for move in rng.sample(moves, min(12, len(moves))):
            assert api.check(step.before, step.request.seat, move).legal


def test_a_list_is_cut_by_whole_groups(api: Api, match: Match) -> None:
    """A limit leaves out whole groups from the end, says so, and counts what is left."""
    step = max(match.steps, key=lambda step: step.accepted.legal_moves.count)
    seat, state = step.accepted.turn, step.accepted.state
    whole = step.accepted.legal_moves
    assert api.legal(state, seat, whole.count) == whole
    for most in (1, 2, whole.count // 3, whole.count // 2, whole.count - 1):
        cut = api.legal(state, seat, most)
        assert cut.truncated
        assert cut.count == len(expand(cut)) <= most
        assert list(cut.groups) == list(whole.groups)[: len(cut.groups)]


def test_only_the_seat_to_move_has_moves_beyond_resigning(api: Api, match: Match) -> None:
    """Another seat may only give up, whatever it holds; a player who is out may not even that."""
    for step in match.steps[::60]:
        if step.accepted.HasField("turn"):
            for shown in step.accepted.updates[0].view.seats:
                if shown.seat != step.accepted.turn:
                    assert expand(api.legal(step.accepted.state, shown.seat)) == ([] if shown.out else [RESIGN])


def test_open_kinds_are_the_kinds_listed(api: Api, match: Match) -> None:
    """What a view says is open is what the list of moves has."""
    for step in match.steps[::30]:
        for seat in range(match.players):
            legal = api.legal(step.accepted.state, seat)
            kinds = {*legal.simple, *(group.kind for group in legal.groups)}
            if legal.discards:
                kinds.add(moves_pb2.MOVE_KIND_DISCARD)
            assert list(step.accepted.updates[seat].view.open_kinds) == sorted(kinds)
        assert not step.accepted.updates[-1].view.open_kinds


def test_score_sheets_agree(api: Api, match: Match) -> None:
    """The sheet of the event, of the view and of ScoreDeal is one, and the match points add up."""
    totals: Counter[int] = Counter()
    sheets = 0
    for step in match.steps:
        scored = [
            event.deal_scored.score_sheet for event in step.accepted.updates[0].events if event.HasField("deal_scored")
        ]
        if not scored:
            continue
        sheets += 1
        (sheet,) = scored
        view = step.accepted.updates[-1].view
        answer = api.stub.ScoreDeal(pb.ScoreDealRequest(state=step.accepted.state), timeout=SECONDS)
        assert sheet == view.score_sheet == answer.score_sheet
        assert answer.HasField("result") == view.HasField("result")
        assert answer.result == view.result
        for side in sheet.sides:
            totals[side.side] += side.deal_points
            assert side.deal_points == sum(line.points for line in side.lines)
            assert side.match_points == totals[side.side]
            assert all(line.text and line.rule_id for line in side.lines)
    assert sheets == match.steps[-1].accepted.updates[0].view.deals_scored


def test_a_match_can_be_played_with_the_moves_of_any_list(api: Api) -> None:
    """The list that comes with an answer is the one that is asked for."""
    created = api.create(FIBUR, 9)
    state, seat = created.state, created.updates[0].view.turn
    rng = random.Random(9)
    for _ in range(60):
        answer = api.apply(state, seat, choose(api.legal(state, seat), rng), list_legal_moves=True)
        state, seat = answer.accepted.state, answer.accepted.turn
        assert answer.accepted.legal_moves == api.legal(state, seat)
