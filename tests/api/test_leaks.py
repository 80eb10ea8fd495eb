"""No answer and no log line tells a card that its viewer may not see.

Two ways to find out. In a match played through the wire everything that each seat receives is searched for cards that
it does not know. And two sealed states that differ only in cards hidden from a viewer must be answered alike, byte for
byte, whatever the viewer asks.
"""

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import pytest
from google.protobuf.message import Message

from burraco.v1 import cards_pb2, moves_pb2, rules_pb2, scores_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import FACES, JOKER
from service.rules.games import PRESETS
from service.rules.options import Game, Preset
from service.rules.state import MatchEnd, Phase, State
from service.wire.faults import Fault
from tests.api.client import (
    CALL_TIME,
    DRAW,
    EVERYONE,
    FIBUR,
    ITALIAN,
    NEXT,
    RESIGN,
    STALEMATE,
    TAKE,
    TIME_OUT,
    VOLATILE,
    Api,
    discard,
    everyone,
    knock,
    lay,
    lay_off,
    only,
    plain,
    play_on,
    replace_wild,
)
from tests.support.profile import FULL
from tests.support.twins import pile_is_hidden, players, sees
from tests.support.twins import twin as shuffled
from tests.support.walks import pool, pool_of

VIEWERS: Final = range(5)
"""Viewers of a table of four; the last is the spectator, here and everywhere below."""


# --- everything that a seat receives ---------------------------------------------------------------------------------


def cards_in(message: Message) -> Iterator[int]:
    """Every card that a message names, at any depth."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for each in values:
            if field.message_type:
                yield from cards_in(each)
            elif field.enum_type and field.enum_type.name == "Card":
                yield each


class Knowledge:
    """What one viewer may know: the faces it has been shown, or sees now."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.deal: set[int] = set()

    def learn(self, state: State) -> set[int]:
        """The faces that may be named to the viewer once a state was reached."""
        self.deal |= set(state.discard[-1:] if pile_is_hidden(state) else state.discard)
        for meld in state.melds:
            self.deal |= {*meld.cards, meld.wild_as}
        for seat in range(players(state)):
            if sees(state, self.viewer, seat):
                self.deal |= set(state.hands[seat].cards())
        return self.deal | {0}


@pytest.mark.parametrize(
    "rules",
    [
        ITALIAN,
        FIBUR,
        rules_pb2.RulesSelection(
            preset=rules_pb2.PRESET_ITALIAN,
            burraco=rules_pb2.BurracoRules(
                discard_visible=rules_pb2.DISCARD_VISIBLE_TOP_ONLY,
                pozzetto_visible_after=rules_pb2.POZZETTO_VISIBLE_AFTER_OWN_NEXT_TURN,
            ),
        ),
        *(only(preset) for preset in PRESETS if preset not in {Preset.ITALIAN, Preset.FIBUR}),
    ],
    ids=[
        *("ITALIAN", "FIBUR", "TOP_ONLY"),
        *(preset.name for preset in PRESETS if preset not in {Preset.ITALIAN, Preset.FIBUR}),
    ],
)
def test_what_a_seat_receives_is_what_it_may_know(api: Api, rules: rules_pb2.RulesSelection) -> None:
    """Through a match, update by update: hands, drawn cards, pozzetti and the seed reach those who may see them."""
    value: Any = PRESETS[Preset(rules.preset)]
    created = api.create(rules, 11, viewers=everyone(value.players))
    secrets = api.open(created.state).match.fairness.seed
    knows = [Knowledge(viewer) for viewer in range(value.players + 1)]
    before = api.open(created.state)
    answers: list[tuple[bytes, list[pb.ViewerUpdate]]] = [(created.state, list(created.updates))]
    seat = created.updates[0].view.turn
    steps = play_on(
        api,
        created.state,
        seat,
        random.Random(11),
        1000 if FULL else 250,
        value.players,
        () if value.game is Game.BURRACO else created.updates[seat].view.seats[seat].hand,
    )
    answers += [(step.accepted.state, list(step.accepted.updates)) for step in steps]
    for sealed, updates in answers:
        state = api.open(sealed)
        for viewer, update in enumerate(updates):
            if any(event.HasField("dealt") for event in update.events):
                knows[viewer].deal = set()
            knows[viewer].learn(before)
            allowed = knows[viewer].learn(state)
            check_view(state, viewer, update.view)
            check_events(state, viewer, update)
            drawn = {event.drew.card for event in update.events if event.HasField("drew") and event.seat == viewer}
            assert set(cards_in(update)) <= allowed | drawn
            told = update.SerializeToString()
            assert (secrets in told) == (state.phase is Phase.MATCH_OVER and not resigned(state))
        before = state


def resigned(state: State) -> bool:
    return state.result is not None and state.result.match_end is MatchEnd.RESIGNED


def check_view(state: State, viewer: int, view: views_pb2.View) -> None:
    """A view has the viewer's own hand, and no other before the count."""
    for seat, shown in enumerate(view.seats):
        expected = state.hands[seat].cards() if sees(state, viewer, seat) else b""
        assert bytes(shown.hand) == expected
        assert shown.hand_count == state.hands[seat].size
    assert view.drawn == (state.turn.drawn if viewer == state.seat and not state.over else 0)
    assert view.must_meld == (0 if state.over else state.turn.must_meld)
    if pile_is_hidden(state):
        assert bytes(view.discard) == state.discard[-1:]
    told = state.phase is Phase.MATCH_OVER and not resigned(state)
    assert view.fairness.seed == (state.match.fairness.seed if told else b"")


def check_events(state: State, viewer: int, update: pb.ViewerUpdate) -> None:
    """An event has hidden cards for its own seat alone."""
    top_only = pile_is_hidden(state)
    for event in update.events:
        own = event.HasField("seat") and event.seat == viewer
        match event.WhichOneof("what"):
            case "dealt":
                assert len(event.dealt.hand) == (event.dealt.hand_counts[viewer] if viewer < players(state) else 0)
            case "drew":
                assert bool(event.drew.card) == own
            case "took_pile":
                assert len(event.took_pile.cards) == (1 if top_only and not own else event.took_pile.count)
            case "took_pozzetto":
                direct = event.took_pozzetto.way == 1
                assert len(event.took_pozzetto.cards) == (event.took_pozzetto.count if own and direct else 0)
            case "pozzetto_seen":
                assert bool(event.pozzetto_seen.cards) == own
            case "deal_ended":
                counted = event.deal_ended.deal_end not in {
                    scores_pb2.DEAL_END_RESIGNED,
                    scores_pb2.DEAL_END_VOID,
                }
                assert bool(event.deal_ended.hands) == counted


def test_cards_are_found_at_any_depth() -> None:
    """The measure itself: a card is seen wherever it stands in a message."""
    group = cards_pb2.CardGroup(cards=[1, 64])  # type: ignore[list-item]  # cards' numbers
    update = pb.ViewerUpdate(view=views_pb2.View(must_meld=5))  # type: ignore[arg-type]  # as above
    update.events.add().knocked.melds.append(group)
    assert sorted(cards_in(update)) == [1, 5, 64]


# --- two states that differ in what is hidden ------------------------------------------------------------------------


def candidates(state: State, viewer: int, rng: random.Random) -> list[list[moves_pb2.Move]]:
    """Calls that a viewer may try: of every kind of move, right and wrong, of cards that it holds and does not."""
    own = list(state.hands[viewer].cards()) if sees(state, viewer, viewer) else []
    any_card = rng.choice((*FACES, JOKER))
    some = rng.sample(own, min(len(own), 3)) or [any_card]
    meld_ids = [meld.meld_id for meld in state.melds] or [1]
    calls = [[DRAW], [TAKE], [NEXT], [RESIGN], [STALEMATE], [CALL_TIME]]
    calls += [[discard(card)] for card in {*some, any_card}]
    calls += [[lay(some)], [lay([any_card, any_card, any_card])], [lay_off(rng.choice(meld_ids), [some[0]])]]
    calls += [[lay_off(meld_id, some[:1]), lay(some)] for meld_id in meld_ids[:2]]
    if state.match.rules.game is not Game.BURRACO:
        calls += [[plain("pass_upcard")], [replace_wild(rng.choice(meld_ids), some[0])], [knock(0)]]
        calls += [[knock(card)] for card in {*some, any_card}]
    calls += [[DRAW, discard(some[0])], [TAKE, discard(some[0])], [TAKE, lay(some)], [discard(some[0]), DRAW]]
    return calls


def log_lines(api: Api, mark: int) -> list[dict[str, Any]]:
    """What was logged since, without what differs between two equal calls."""
    return [{name: line[name] for name in line if name not in VOLATILE} for line in api.lines_since(mark)]


REVEALING: Final = {"drew", "dealt", "took_pozzetto", "pozzetto_seen", "deal_ended"}


def what_is_told(answer: bytes, viewer: int, top_only: bool) -> bytes:
    """What an ApplyMoves answer tells its viewer, without the sealed state; nothing of what a move reveals."""
    response = pb.ApplyMovesResponse.FromString(answer)
    if response.HasField("rejected"):
        return answer
    accepted = response.accepted
    accepted.ClearField("state")
    for update in accepted.updates:
        for event in update.events:
            kind = event.WhichOneof("what")
            to_all = kind in {"dealt", "deal_ended"}
            to_own = kind in REVEALING or (kind == "took_pile" and top_only)
            if to_all or (to_own and event.seat == viewer):
                return b"accepted, and something was revealed"
    return response.SerializeToString()


def ask_everything(api: Api, state: State, viewer: int, seed: int) -> tuple[list[bytes], list[dict[str, Any]], int]:
    """All that a viewer may ask about a state: the answers, the log, and how long the sealed state is."""
    sealed = api.seal(state)
    mark = api.mark()
    answers = []
    for order in (cards_pb2.HAND_ORDER_SUIT_FIRST, cards_pb2.HAND_ORDER_RANK_FIRST):
        request = pb.GetViewRequest(state=sealed, viewer=everyone(players(state))[viewer], hand_order=order)
        answers.append(api.send("GetView", request.SerializeToString()).answer)
    if viewer < players(state):
        listed = pb.ListLegalMovesRequest(state=sealed, seat=viewer)
        answers.append(api.send("ListLegalMoves", listed.SerializeToString()).answer)
        top_only = pile_is_hidden(state)
        if state.phase is not Phase.MATCH_OVER:
            for moves in candidates(state, viewer, random.Random(seed)):
                check = pb.CheckMovesRequest(state=sealed, seat=viewer, moves=moves)
                answers.append(api.send("CheckMoves", check.SerializeToString()).answer)
                apply = pb.ApplyMovesRequest(state=sealed, seat=viewer, moves=moves[:1])
                told = what_is_told(api.send("ApplyMoves", apply.SerializeToString()).answer, viewer, top_only)
                answers.append(told)
    return answers, log_lines(api, mark), len(sealed)


@lru_cache
def twins() -> tuple[tuple[State, State, int], ...]:
    """States, each with its twin for a viewer."""
    rng = random.Random(5)
    found = []
    for number, state in enumerate(pool()):
        if not FULL and number % 4 and not any(state.unseen):
            continue
        for viewer in VIEWERS:
            other = shuffled(state, viewer, rng)
            if other is not None:
                found.append((state, other, viewer))
    return tuple(found)


def test_hidden_cards_change_no_answer(api: Api) -> None:
    """Whatever a viewer asks, it is answered alike and logged alike when cards hidden from it lie elsewhere."""
    compared: Counter[str] = Counter()
    for number, (state, other, viewer) in enumerate(twins()):
        try:
            api.open(api.seal(other))
        except Fault:
            compared["a twin that cannot be"] += 1
            continue
        answers, lines, size = ask_everything(api, state, viewer, number)
        others, other_lines, other_size = ask_everything(api, other, viewer, number)
        assert answers == others, (number, viewer)
        assert lines == other_lines
        assert size == other_size
        assert all(answers)
        compared[f"viewer {viewer}"] += 1
        compared[state.phase.name] += 1
        compared["unseen pozzetto of one's own"] += viewer < players(state) and state.unseen[viewer]
        compared["of the mover"] += viewer == state.seat
    assert compared["a twin that cannot be"] < len(twins()) / 10
    assert min(compared[f"viewer {viewer}"] for viewer in VIEWERS) > 20
    assert min(compared[phase.name] for phase in (Phase.DRAW, Phase.PLAY, Phase.DEAL_OVER)) > 20
    assert compared["unseen pozzetto of one's own"] > 1
    assert compared["of the mover"] > 20


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_hidden_cards_change_no_answer_in_any_game(api: Api, preset: Preset) -> None:
    """As above, for states of every preset."""
    rng = random.Random(preset)
    compared: Counter[str] = Counter()
    states = pool_of(preset)
    for number, state in enumerate(states[:: 2 if FULL else 8]):
        for viewer in range(players(state) + 1):
            other = shuffled(state, viewer, rng)
            if other is None:
                continue
            try:
                api.open(api.seal(other))
            except Fault:
                compared["a twin that cannot be"] += 1
                continue
            answers, lines, size = ask_everything(api, state, viewer, number)
            others, other_lines, other_size = ask_everything(api, other, viewer, number)
            assert answers == others, (number, viewer)
            assert lines == other_lines
            assert size == other_size
            assert all(answers)
            compared["compared"] += 1
    assert compared["compared"] > 10
    assert compared["a twin that cannot be"] <= compared["compared"] / 8, compared


def moves_alike(state: State, other: State) -> list[moves_pb2.Move]:
    """Moves of the seat to move that are of the same cards in both states."""
    hands = [hand.hands[hand.seat] for hand in (state, other)]
    both = [card for card in (*FACES, JOKER) if all(hand.count(card) for hand in hands)]
    return [DRAW, TAKE, *map(discard, both[:3]), CALL_TIME]


def told_of(api: Api, state: State, move: moves_pb2.Move, viewer: int) -> bytes:
    """What a viewer is told of an accepted move of another seat; nothing where that reveals cards to the viewer."""
    sealed = api.seal(state)
    request = pb.ApplyMovesRequest(state=sealed, seat=state.seat, moves=[move], viewers=[EVERYONE[viewer]])
    outcome = api.send("ApplyMoves", request.SerializeToString())
    response = pb.ApplyMovesResponse.FromString(outcome.answer)
    if not response.HasField("accepted"):
        return b""
    for event in response.accepted.updates[0].events:
        kind = event.WhichOneof("what")
        if kind in {"deal_ended", "dealt"} or (kind == "pozzetto_seen" and event.seat == viewer):
            return b""
    response.accepted.ClearField("state")
    return response.accepted.SerializeToString()


def test_hidden_cards_change_nothing_that_others_see(api: Api) -> None:
    """Another seat's move is told to a viewer alike when cards hidden from it lie elsewhere, the drawn one included."""
    compared: Counter[str] = Counter()
    for state, other, viewer in twins():
        if state.over or viewer == state.seat:
            continue
        for move in moves_alike(state, other):
            one, two = (told_of(api, each, move, viewer) for each in (state, other))
            if one and two:
                assert one == two, (viewer, move)
                compared[str(move.WhichOneof("kind"))] += 1
    assert min(compared[kind] for kind in ("draw_stock", "take_pile", "discard", "call_time")) > 10


def test_a_refusal_of_a_card_that_another_holds_tells_nothing(api: Api) -> None:
    """To name a card that one does not hold is answered alike, wherever the card is."""
    state = next(each for each in pool() if each.phase is Phase.PLAY and len(each.stock) > 20)
    viewer = state.seat
    for card in (*FACES, JOKER):
        if state.hands[viewer].count(card):
            continue
        (violation,) = [
            each
            for each in api.apply(api.seal(state), viewer, discard(card)).rejected.violations
            if list(each.cards) == [card]
        ]
        assert violation.rule_id == "B4-15"


def test_twins_differ_where_it_matters(api: Api) -> None:
    """The measure itself: for everyone who sees more, twins are answered differently."""
    different = 0
    for state, other, viewer in twins()[::5]:
        for seat in range(4):
            if seat != viewer and state.hands[seat] != other.hands[seat] and not state.unseen[seat]:
                requests = [pb.GetViewRequest(state=api.seal(each), viewer=EVERYONE[seat]) for each in (state, other)]
                one, two = (api.send("GetView", request.SerializeToString()).answer for request in requests)
                different += one != two
    assert different > 50


def test_time_outs_are_for_those_who_may(api: Api) -> None:
    """A turn completed for its seat shows the drawn card to that seat alone, and the discard to all."""
    created = api.create(ITALIAN, 4, given_seats=pb.GivenSeats(dealer=3))
    updates = api.apply(created.state, 0, TIME_OUT, viewers=EVERYONE).accepted.updates
    for viewer, update in enumerate(updates):
        assert bool(update.events[1].drew.card) == (viewer == 0)
        assert update.events[2].discarded.card
