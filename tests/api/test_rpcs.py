"""Each RPC answers what the contract says, and what is not built says so."""

from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from burraco.v1 import cards_pb2, melds_pb2, moves_pb2, reasons_pb2, rules_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import parse
from service.rules.games import GAMES
from service.rules.games import PRESETS as BUILT_PRESETS
from service.rules.options import Preset
from service.rules.state import Phase
from service.wire.rules_codec import FIELD_OF
from tests.api.client import (
    BUILT,
    CALL_TIME,
    DRAW,
    EVERYONE,
    ITALIAN,
    RESIGN,
    SECONDS,
    SPECTATOR,
    STREAMED,
    TIME_OUT,
    Api,
    discard,
    lay,
    lay_off,
    only,
)
from tests.support.tables import played_table as table

GAME_SERVICE: Final = pb.DESCRIPTOR.services_by_name["GameService"]


def cards(words: str) -> Any:  # noqa: ANN401 - card numbers, where the contract's enum is asked for
    return list(parse(words))


# --- a match ---------------------------------------------------------------------------------------------------------


def test_commit_seed(api: Api) -> None:
    """Each commitment is of another seed, which is sealed."""
    answers = [api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS) for _ in range(5)]
    assert len({answer.sealed_seed for answer in answers}) == 5
    assert len({answer.commitment for answer in answers}) == 5
    assert all(len(answer.commitment) == 32 for answer in answers)


def test_create_match(api: Api) -> None:
    """A match starts dealt: 11 cards in each hand, 41 in the stock, one up, two pozzetti, the dealer's left to move."""
    created = api.create(ITALIAN, 3, viewers=EVERYONE, given_seats=pb.GivenSeats(dealer=2))
    assert len(created.match_id) == 16
    assert created.rules.preset == rules_pb2.PRESET_ITALIAN
    assert created.rules.revision == 1
    assert len(set(created.seat_tokens)) == 4
    for seat, update in enumerate(created.updates):
        view = update.view
        assert (view.phase, view.turn, view.dealer, view.deal_number) == (views_pb2.PHASE_DRAW, 3, 2, 1)
        assert (view.stock_count, view.discard_count, view.pozzetti_left) == (41, 1, 2)
        assert [shown.hand_count for shown in view.seats] == [11] * 4
        assert [len(shown.hand) for shown in view.seats] == [11 if seat == other else 0 for other in range(4)]
        assert [shown.side for shown in view.seats] == [0, 1, 0, 1]
        assert [shown.player for shown in view.seats] == [0, 1, 2, 3]
        assert view.revision == 0
        kinds = [event.WhichOneof("what") for event in update.events]
        assert kinds == ["match_started", "dealt", "turn_started"]
        assert list(update.events[1].dealt.hand) == list(view.seats[seat].hand if seat < 4 else [])
        assert not view.HasField("rules")


def test_create_match_answers_every_seat_by_default(api: Api) -> None:
    """Without viewers the answer has the update of each seat, and none for a spectator."""
    assert [update.viewer for update in api.create().updates] == list(EVERYONE[:4])


def test_a_viewer_may_be_asked_for_twice(api: Api) -> None:
    """Viewers are answered as asked for, whatever their number and order."""
    viewers = [SPECTATOR, EVERYONE[2], SPECTATOR]
    assert [update.viewer for update in api.create(viewers=viewers).updates] == viewers


def test_drawn_seats(api: Api) -> None:
    """Drawing for seats shows each card drawn, and the lowest deals from seat 3 (B4-4)."""
    created = api.create(ITALIAN, 5, drawn_seats=pb.DrawnSeats())
    started = created.updates[0].events[0].match_started
    assert sorted(started.players) == [0, 1, 2, 3]
    assert len(started.draws) >= 4
    assert [draw.player for draw in started.draws[:4]] == [0, 1, 2, 3]
    view = created.updates[0].view
    assert view.dealer == 3
    assert [seat.player for seat in view.seats] == list(started.players)


def test_given_seats_without_a_dealer(api: Api) -> None:
    """The seed chooses the dealer, and each seat is chosen by some seed."""
    dealers = {api.create(ITALIAN, seed, given_seats=pb.GivenSeats()).updates[0].view.dealer for seed in range(40)}
    assert dealers == {0, 1, 2, 3}


def test_apply_moves(api: Api) -> None:
    """An accepted move changes the state, tells what happened and who is next."""
    created = api.create(ITALIAN, 3, given_seats=pb.GivenSeats(dealer=2))
    drawn = api.apply(created.state, 3, DRAW)
    assert drawn.WhichOneof("outcome") == "accepted"
    accepted = drawn.accepted
    assert accepted.state != created.state
    assert (accepted.revision, accepted.turn, accepted.phase) == (1, 3, views_pb2.PHASE_PLAY)
    assert [update.viewer for update in accepted.updates] == [EVERYONE[3]]
    (event,) = accepted.updates[0].events
    assert (event.seat, event.drew.stock_count, event.revision, event.index) == (3, 40, 1, 0)
    assert event.drew.card in accepted.updates[0].view.seats[3].hand
    assert len(accepted.updates[0].view.seats[3].hand) == 12


def test_an_illegal_move_is_a_normal_answer(api: Api) -> None:
    """A refused move comes with everything wrong with it, in the order of the reasons."""
    state = api.seal(table(phase=Phase.DRAW, hands=["7S 8S 9H"]))
    refused = api.apply(state, 0, lay(cards("7S 8S 10H")))
    assert refused.WhichOneof("outcome") == "rejected"
    reasons = [violation.reason for violation in refused.rejected.violations]
    assert reasons == [reasons_pb2.REASON_MUST_DRAW_FIRST, reasons_pb2.REASON_CARD_NOT_IN_HAND]
    assert list(refused.rejected.violations[1].cards) == cards("10H")
    for violation in refused.rejected.violations:
        assert violation.rule_id == "B4-15"
        assert violation.text
        assert violation.move_index == 0


def test_a_refused_move_says_which_of_the_call_it_is(api: Api) -> None:
    """Of several moves the first illegal one is told, by its index, and none is applied."""
    state = api.seal(table(hands=["7S 8S 9S 4D 5D"]))
    moves = [lay(cards("7S 8S 9S")), lay_off(1, cards("10S")), discard(cards("4D")[0])]
    refused = api.apply(state, 0, *moves)
    (violation,) = refused.rejected.violations
    assert (violation.move_index, violation.reason) == (1, reasons_pb2.REASON_CARD_NOT_IN_HAND)
    assert api.stub.GetView(pb.GetViewRequest(state=state, viewer=SPECTATOR), timeout=SECONDS).view.revision == 0


def test_check_moves(api: Api) -> None:
    """A check says yes, or everything wrong with the first illegal move, as ApplyMoves would."""
    state = api.seal(table(hands=["7S 8S 9S 4D 5D"]))
    assert api.check(state, 0, lay(cards("7S 8S 9S")), discard(cards("4D")[0])).legal
    for moves in ([lay(cards("7S 8S 4D"))], [lay(cards("7S 8S 9S")), discard(cards("KC")[0])], [DRAW]):
        checked, applied = api.check(state, 0, *moves), api.apply(state, 0, *moves)
        assert not checked.legal
        assert list(checked.violations) == list(applied.rejected.violations)


def test_nothing_may_be_checked_after_a_card_is_revealed(api: Api) -> None:
    """A check never looks behind a draw, while a back end may apply what follows one."""
    created = api.create(ITALIAN, 3, given_seats=pb.GivenSeats(dealer=2))
    hand = created.updates[3].view.seats[3].hand
    assert api.check(created.state, 3, DRAW).legal
    checked = api.check(created.state, 3, DRAW, discard(hand[0]))
    (violation,) = checked.violations
    assert (violation.reason, violation.move_index) == (reasons_pb2.REASON_MOVE_AFTER_REVEAL, 1)
    assert api.apply(created.state, 3, DRAW, discard(hand[0])).WhichOneof("outcome") == "accepted"


def test_list_legal_moves(api: Api) -> None:
    """The list groups what may be played, with the exact number of single moves."""
    state = api.seal(table(hands=["7S 8S 9S 7H 7D JK 4C"]))
    listed = api.stub.ListLegalMoves(pb.ListLegalMovesRequest(state=state, seat=0), timeout=SECONDS)
    assert listed.revision == 0
    legal = listed.legal_moves
    assert list(legal.simple) == [moves_pb2.MOVE_KIND_RESIGN]
    assert list(legal.discards) == sorted(set(cards("7S 8S 9S 7H 7D JK 4C")))
    assert {group.meld_kind for group in legal.groups} == {melds_pb2.MELD_KIND_SET, melds_pb2.MELD_KIND_SEQUENCE}
    assert legal.count == 1 + 7 + sum(group.count for group in legal.groups)


def test_the_list_is_empty_but_for_resigning_out_of_turn(api: Api) -> None:
    """A seat that is not to move may give up."""
    state = api.seal(table())
    assert list(api.legal(state, 1).simple) == [moves_pb2.MOVE_KIND_RESIGN]


def test_get_view_of_a_table(api: Api) -> None:
    """A view shows melds with their roles, kinds and values."""
    state = api.seal(table(hands=["9S 3C"], melds={0: ["3H 4H 2C(=5H) 6H 7H 8H 9H"], 1: ["KS KH KD"]}))
    view = api.stub.GetView(pb.GetViewRequest(state=state, viewer=SPECTATOR), timeout=SECONDS).view
    first, second = view.melds
    assert (first.meld_id, first.side, first.kind) == (1, 0, melds_pb2.MELD_KIND_SEQUENCE)
    assert list(first.cards) == cards("3H 4H 2C 6H 7H 8H 9H")
    assert (first.wild_index, first.wild_as) == (2, cards("5H")[0])
    assert (first.burraco, first.card_points, first.bonus_points) == (melds_pb2.BURRACO_KIND_DIRTY, 60, 100)
    assert (second.meld_id, second.side, second.kind, second.card_points) == (2, 1, melds_pb2.MELD_KIND_SET, 30)
    assert not second.HasField("wild_index")
    assert [side.table_points for side in view.sides] == [160, 30]
    assert view.seats[0].hand_count == 2
    assert not any(seat.hand for seat in view.seats)


def test_time_out_turn_and_call_time_are_for_back_ends(api: Api) -> None:
    """A back end completes an absent player's turn and calls time."""
    created = api.create(ITALIAN, 3, given_seats=pb.GivenSeats(dealer=2))
    timed_out = api.apply(created.state, 3, TIME_OUT).accepted
    kinds = [event.WhichOneof("what") for event in timed_out.updates[0].events]
    assert kinds == ["turn_timed_out", "drew", "discarded", "turn_started"]
    assert timed_out.turn == 0
    called = api.apply(timed_out.state, 2, CALL_TIME).accepted
    assert called.updates[0].events[0].time_called.turns_left == 4
    assert called.updates[0].view.turns_left == 4


def test_resigning_ends_the_match(api: Api) -> None:
    """A side that gives up loses; the deal is not counted, so no hand is laid open."""
    over = api.apply(api.create().state, 2, RESIGN, viewers=EVERYONE).accepted
    assert over.phase == views_pb2.PHASE_MATCH_OVER
    for viewer, update in enumerate(over.updates):
        assert list(update.view.result.winning_sides) == [1]
        assert [len(seat.hand) for seat in update.view.seats] == [11 if seat == viewer else 0 for seat in range(4)]
        assert not update.view.HasField("score_sheet")


# --- without a match -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "kind", "wild_as", "burraco", "points"),
    [
        ("9S 7S 8S", melds_pb2.MELD_KIND_SEQUENCE, "", melds_pb2.BURRACO_KIND_UNSPECIFIED, 25),
        ("7S JK 9S", melds_pb2.MELD_KIND_SEQUENCE, "8S", melds_pb2.BURRACO_KIND_UNSPECIFIED, 45),
        ("KS KH KD KC KS KH 2D", melds_pb2.MELD_KIND_SET, "", melds_pb2.BURRACO_KIND_DIRTY, 80),
        ("2S 3S 4S 5S 6S 7S 8S", melds_pb2.MELD_KIND_SEQUENCE, "", melds_pb2.BURRACO_KIND_CLEAN, 55),
    ],
)
def test_explain_meld(api: Api, words: str, kind: int, wild_as: str, burraco: int, points: int) -> None:
    """A selection that is a meld is explained with its roles, its kind and its value."""
    explained = api.stub.ExplainMeld(pb.ExplainMeldRequest(rules=ITALIAN, cards=cards(words)), timeout=SECONDS)
    (reading,) = explained.readings
    assert not explained.violations
    assert (reading.kind, reading.burraco, reading.card_points) == (kind, burraco, points)
    assert reading.wild_as == (cards(wild_as)[0] if wild_as else 0)
    assert sorted(reading.cards) == sorted(cards(words))


def test_explain_meld_says_why_not(api: Api) -> None:
    """A selection that is no meld has everything wrong with it told."""
    explained = api.stub.ExplainMeld(pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("2H 2D")), timeout=SECONDS)
    assert not explained.readings
    reasons = [violation.reason for violation in explained.violations]
    assert reasons == sorted(reasons)
    assert reasons_pb2.REASON_TOO_FEW_CARDS in reasons
    assert reasons_pb2.REASON_TOO_MANY_WILDS in reasons


def test_explain_meld_of_another_reading(api: Api) -> None:
    """A reading that the rules do not allow is refused as one."""
    reading = melds_pb2.MeldReading(kind=melds_pb2.MELD_KIND_SET)
    request = pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("7S 8S 9S"), reading=reading)
    (violation,) = api.stub.ExplainMeld(request, timeout=SECONDS).violations
    assert violation.reason == reasons_pb2.REASON_READING_NOT_POSSIBLE


def test_list_presets(api: Api) -> None:
    """Every preset of the contract is listed by number; those that are built have their rules."""
    presets = api.stub.ListPresets(pb.ListPresetsRequest(), timeout=SECONDS).presets
    assert [int(each.preset) for each in presets] == [int(preset) for preset in Preset if preset]
    for each in presets:
        built = Preset(each.preset) in BUILT_PRESETS
        assert each.built == each.HasField("rules") == built
        assert each.meaning.endswith(".")
        assert each.game
        if built:
            assert each.rules.preset == each.preset
            created = pb.CreateMatchRequest(rules=rules_pb2.RulesSelection(preset=each.preset))
            assert api.stub.CreateMatch(created, timeout=SECONDS).rules == each.rules


@pytest.mark.parametrize("preset", BUILT_PRESETS, ids=lambda preset: preset.name)
def test_get_rules(api: Api, preset: Preset) -> None:
    """Rules are answered in full, each option described in the order of the fields, and the rule book with them."""
    game = GAMES[BUILT_PRESETS[preset].game]
    field = FIELD_OF[game.name]
    answer = api.stub.GetRules(pb.GetRulesRequest(rules=only(preset)), timeout=SECONDS)
    assert int(answer.rules.preset) == preset
    assert answer.rules.WhichOneof("game") == field
    assert [option.key for option in answer.options] == [option.key for option in game.options]
    for option in answer.options:
        assert option.WhichOneof("values")
        assert option.preset_value == option.value
    assert answer.book
    assert len({rule.rule_id for rule in answer.book}) == len(answer.book)
    assert all(rule.text and rule.section for rule in answer.book)
    again = rules_pb2.RulesSelection()
    getattr(again, field).CopyFrom(getattr(answer.rules, field))
    own = api.stub.GetRules(pb.GetRulesRequest(rules=again), timeout=SECONDS).rules
    assert getattr(own, field) == getattr(answer.rules, field)
    assert own.preset == rules_pb2.PRESET_UNSPECIFIED


# --- what is not built -----------------------------------------------------------------------------------------------

UNBUILT: Final = tuple(method for method in GAME_SERVICE.methods if method.name not in {*BUILT, *STREAMED})


def test_what_is_built_is_what_the_contract_does_not_mark() -> None:
    """The RPCs that are not built are those that say so in the contract."""
    assert {method.name for method in UNBUILT} == {"SuggestMoves"}


@pytest.mark.parametrize("method", UNBUILT, ids=lambda method: method.name)
@pytest.mark.parametrize("payload", [b"", b"\xff\xff"], ids=["empty", "garbage"])
def test_what_is_not_built_says_so(api: Api, method: Any, payload: bytes) -> None:  # noqa: ANN401 - a method's descriptor
    """An RPC that is not built answers UNIMPLEMENTED with its own reason, whatever it is sent."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    # Bytes of one request and of one answer travel alike, whatever the RPC is.
    call: Any = api.channel.stream_stream(path)
    with pytest.raises(grpc.RpcError) as caught:
        list(call(iter([payload]), timeout=SECONDS))
    error: Any = caught.value
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    assert status is not None
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == ("REASON_NOT_BUILT", "burraco", {"rpc": method.name})
    assert method.name in error.details()


@pytest.mark.parametrize("rpc", BUILT)
@pytest.mark.parametrize("name", ["burraco-seat-token", "burraco-seat-token-bin"])
def test_a_seat_token_that_is_none_is_refused(api: Api, rpc: str, name: str) -> None:
    """What is no token is refused rather than overlooked, under a name that is almost right too."""
    method: Any = api.channel.unary_unary(f"/burraco.v1.GameService/{rpc}")
    token = b"token" if name.endswith("-bin") else "token"
    with pytest.raises(grpc.RpcError) as caught:
        method(b"", timeout=SECONDS, metadata=((name, token),))
    error: Any = caught.value
    assert error.code() == grpc.StatusCode.UNAUTHENTICATED
    assert b"REASON_SEAT_TOKEN_INVALID" in dict(error.trailing_metadata())["grpc-status-details-bin"]


def test_a_language_without_a_catalogue_gets_english(api: Api) -> None:
    """Texts are English where the caller's language has none yet."""
    payload = pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("2H 2D")).SerializeToString()
    plain, klingon = api.send("ExplainMeld", payload), api.send("ExplainMeld", payload, **{"accept-language": "tlh, x"})
    assert plain.answer == klingon.answer
    assert b"A meld has at least 3 cards" in plain.answer


def test_a_hand_is_sorted_as_asked(api: Api) -> None:
    """By suit, or by rank, jokers last in both."""
    state = api.seal(table(hands=["KS 3H AS 3S JK 2D"]))

    def hand(order: Any) -> list[int]:  # noqa: ANN401 - an order's number
        request = pb.GetViewRequest(state=state, viewer=EVERYONE[0], hand_order=order)
        return list(api.stub.GetView(request, timeout=SECONDS).view.seats[0].hand)

    assert hand(cards_pb2.HAND_ORDER_SUIT_FIRST) == cards("AS 3S KS 3H 2D JK")
    assert hand(cards_pb2.HAND_ORDER_UNSPECIFIED) == cards("AS 3S KS 3H 2D JK")
    assert hand(cards_pb2.HAND_ORDER_RANK_FIRST) == cards("AS 2D 3S 3H KS JK")
