"""SC-1 to SC-8 and SC-16 to SC-22: deck, deal, turn, closing, penalties and the match at Scala 40."""

from itertools import product

import pytest

from service.rules.cards import JOKER, PACK, parse, texts
from service.rules.citations import rule_of
from service.rules.events import Dealt, MatchEnded, PlayerOut, PlayerReentered, TookPile
from service.rules.hand import hand_of
from service.rules.moves import (
    CALL_TIME,
    DRAW_STOCK,
    NEXT_DEAL,
    RESIGN,
    TAKE_PILE,
    TIME_OUT_TURN,
    Move,
    MoveKind,
    ReplaceWild,
)
from service.rules.options import AcePlace, ClosingInHand, StockExhausted
from service.rules.options import Game as GameName
from service.rules.reasons import Reason, violation
from service.rules.rummy.dealing import deal_from
from service.rules.rummy.game import SCALA_40_GAME
from service.rules.rummy.options import JokerFirstUpcard, NoAttachableDiscard, PileBeforeOpening, SwappedJoker
from service.rules.rummy.presets import SCALA_40, SCALA_40_FISCA
from service.rules.rummy.terms import terms_of
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, MatchEnd, Phase, Result, State
from tests.rummy.tables import (
    Rules,
    add,
    after,
    applied,
    card,
    drop,
    faults,
    fisca,
    holds,
    is_accepted,
    lay,
    lines,
    listed,
    names,
    new_match,
    only,
    refused,
    scala,
    sheet_of,
    with_options,
)

TWO = with_options(SCALA_40, players=2)
TWO_FISCA = with_options(SCALA_40_FISCA, players=2)


def closing(options: Rules = SCALA_40, **fields: object) -> State:
    """Seat 0 has opened and holds one card, which closes when it is discarded."""
    named: dict[str, object] = {"hands": ["9S", "KH 5S QD"], "melds": {0: ["JS QS KS AS"]}, "opened": [0]}
    return scala(**(named | {"options": options} | fields))


@pytest.mark.parametrize(("rules", "jokers", "total"), [(SCALA_40, 2, 810), (SCALA_40_FISCA, 4, 860)])
def test_sc_1_two_packs_with_two_or_four_jokers(rules: Rules, jokers: int, total: int) -> None:
    """Two packs with 2 jokers are 106 cards worth 810 points, with 4 they are 108 worth 860."""
    terms = terms_of(rules)

    assert terms.deck == PACK + PACK + bytes((JOKER,)) * jokers
    assert sum(map(terms.card_points, terms.deck)) == total


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_sc_2_two_to_six_play_each_for_himself(players: int) -> None:
    """Each of two to six players is a side of his own."""
    rules = with_options(SCALA_40, players=players)

    assert SCALA_40_GAME.sides(rules) == players
    assert new_match(rules).match.sides == players


@pytest.mark.parametrize("rules", [SCALA_40, SCALA_40_FISCA])
def test_sc_3_thirteen_cards_each_one_at_a_time(rules: Rules) -> None:
    """Each gets 13 cards, one at a time from the dealer's left; the next is turned up, the rest is the stock."""
    deck = terms_of(rules).deck
    dealt = deal_from(terms_of(rules), deck, [2, 3, 0, 1], 4)

    assert [len(hand) for hand in dealt.hands] == [13] * 4
    assert texts(dealt.hands[2][:3]) == "AS 5S 9S"
    assert dealt.upcard == deck[52]
    assert dealt.stock == deck[53:]
    state = new_match(rules, dealer=1)
    assert (state.dealer, state.seat) == (1, 2)


def test_sc_4_a_joker_does_not_start_the_pile() -> None:
    """A joker turned up goes back into the middle of the stock, and the next card is turned; by option it stays."""
    deck = PACK + parse("JK JK 2S 3S 4S 5S")

    replaced = deal_from(terms_of(SCALA_40), deck, [1, 2, 3, 0], 4)
    assert texts(bytes((replaced.upcard,))) == "2S"
    assert texts(replaced.stock) == "3S JK JK 4S 5S"
    kept = deal_from(terms_of(with_options(SCALA_40, joker_first_upcard=JokerFirstUpcard.KEEP)), deck, [1, 2, 3, 0], 4)
    assert texts(bytes((kept.upcard,))) == "JK"
    assert texts(kept.stock) == "JK 2S 3S 4S 5S"


def test_sc_5_draw_then_lay_then_discard() -> None:
    """Drawing and discarding are compulsory, laying is optional."""
    state = scala(phase=Phase.DRAW, hands=["JS QS KS AS 2H 3H"], stock="4H 5H")

    assert refused(state, lay("JS QS KS AS")) == [Reason.MUST_DRAW_FIRST]
    assert refused(state, drop("2H")) == [Reason.MUST_DRAW_FIRST]
    assert names(applied(after(state, DRAW_STOCK), drop("2H")).events) == ["Discarded", "TurnStarted"]


def test_sc_6_the_pile_is_free_in_the_seed() -> None:
    """After seed 004 anyone takes the pile's card, opened or not, and may keep it."""
    state = scala(phase=Phase.DRAW, hands=["2H 9D KC"], pile="4S 8C")

    assert is_accepted(after(state, TAKE_PILE), drop("2H"))


def test_sc_6_only_who_has_opened_takes_the_pile() -> None:
    """After the federation a player who has not opened may not take the pile's card."""
    state = fisca(phase=Phase.DRAW, hands=["8S 8H KC 5D"], pile="4S 8C", melds={1: ["JS QS KS AS"]})

    (fault,) = faults(state, TAKE_PILE)
    assert (fault.reason, fault.cards) == (Reason.PILE_BEFORE_OPENING, parse("8C"))
    assert MoveKind.TAKE_PILE not in listed(state, 0).plain
    assert is_accepted(state._replace(laid=(True, False, False, False)), TAKE_PILE)


def test_sc_6_or_whoever_opens_with_it() -> None:
    """By option a player who has not opened takes the card if he opens with it that turn; then it comes first."""
    rules = with_options(SCALA_40, pile_before_opening=PileBeforeOpening.IF_OPENS_WITH_IT)
    state = scala(options=rules, phase=Phase.DRAW, hands=["8S 8H 9D 9S 9H 5D KC"], pile="4S 8C")
    state = after(state, TAKE_PILE)

    assert refused(state, drop("KC")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, lay("9D 9S 9H")) == [Reason.MUST_MELD_TOP_CARD]
    state = after(state, lay("8S 8H 8C"))
    assert refused(state, drop("KC")) == [Reason.OPENING_TOO_LOW]
    assert is_accepted(after(state, lay("9D 9S 9H")), drop("KC"))
    too_low = scala(options=rules, phase=Phase.DRAW, hands=["8S 8H 5D KC"], pile="4S 8C")
    assert refused(too_low, TAKE_PILE) == [Reason.PILE_BEFORE_OPENING]


def test_e51_an_unopened_player_takes_the_ten_to_open_with_exactly_forty() -> None:
    """`JH QH KH` and the pile's `10H`: free in the seed, barred by the federation, allowed by the variant."""
    fields = {"phase": Phase.DRAW, "hands": ["JH QH KH 2S 4C"], "pile": "3D 10H"}
    variant = with_options(SCALA_40_FISCA, pile_before_opening=PileBeforeOpening.IF_OPENS_WITH_IT)

    for options in (SCALA_40, variant):
        state = after(scala(options=options, **fields), TAKE_PILE, lay("10H JH QH KH"))
        assert state.turn.opening == 40
        assert is_accepted(state, drop("4C"))
    assert refused(fisca(**fields), TAKE_PILE) == [Reason.PILE_BEFORE_OPENING]


def test_e52_the_card_taken_has_to_be_used() -> None:
    """After the federation an opened player takes the card only to use it at once; after the seed he may keep it."""
    fields = {"phase": Phase.DRAW, "hands": ["2H 9D KC"], "melds": {0: ["4S 5S 6S"]}, "opened": [0]}
    state = fisca(**fields, pile="3D 7S")
    taken = after(state, TAKE_PILE)

    assert refused(taken, drop("KC")) == [Reason.MUST_MELD_TOP_CARD]
    assert [group.kind for group in listed(taken, 0).groups] == [MoveKind.LAY_OFF]
    assert is_accepted(after(taken, add(1, "7S")), drop("KC"))
    assert refused(fisca(**fields, pile="3D 9S"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    assert is_accepted(after(scala(**fields, pile="3D 9S"), TAKE_PILE), drop("KC"))


def test_sc_7_only_the_top_card_is_taken() -> None:
    """The rest of the pile stays."""
    outcome = applied(scala(phase=Phase.DRAW, hands=["2H 9D KC"], pile="3D 7S 8C"), TAKE_PILE)

    assert outcome.events == (TookPile(0, parse("8C"), 1),)
    assert texts(outcome.state.discard) == "3D 7S"
    assert holds(outcome.state, 0, "2H 9D KC 8C")


def test_sc_8_the_card_taken_is_not_that_turns_discard() -> None:
    """Where the rule holds, the card taken goes back only with its twin in hand; the seed has no such rule."""
    rules = with_options(SCALA_40, rediscard_taken_card=False)
    fields = {"phase": Phase.DRAW, "hands": ["2H 9D KC"], "pile": "3D 7S"}

    assert refused(after(scala(**fields, options=rules), TAKE_PILE), drop("7S")) == [Reason.DISCARD_WAS_TAKEN]
    assert is_accepted(after(scala(**fields), TAKE_PILE), drop("7S"))
    twin = scala(**(fields | {"hands": ["2H 7S KC"]}), options=rules)
    assert is_accepted(after(twin, TAKE_PILE), drop("7S"))


def test_r12_the_two_presets() -> None:
    """`SCALA_40` is the seed and what R12 adds; `SCALA_40_FISCA` uses the pile's card and bars its discard."""
    seed, federation = SCALA_40, SCALA_40_FISCA
    assert (seed.opening_points, federation.opening_points) == (40, 40)
    assert (seed.joker_first_upcard, seed.swapped_joker) == (JokerFirstUpcard.REPLACE, SwappedJoker.MUST_USE_NOW)
    assert (seed.rediscard_taken_card, federation.rediscard_taken_card) == (True, False)
    assert (seed.pile_card_must_be_used, federation.pile_card_must_be_used) == (False, True)
    assert (seed.ace_in_sequences, federation.ace_in_sequences) == (AcePlace.HIGH, AcePlace.LOW_OR_HIGH)
    assert (seed.closing_in_hand, federation.closing_in_hand) == (ClosingInHand.PLUS_25, ClosingInHand.DOUBLE)
    assert (seed.no_close_first_round, federation.no_close_first_round) == (False, True)
    assert (seed.limit, federation.limit) == (101, 101)


def test_sc_16_a_card_that_fits_a_meld_is_not_discarded() -> None:
    """With three or more players the federation bars a discard that fits a meld, unless it closes."""
    fields = {"hands": ["6H 9S KC"], "melds": {1: ["3H 4H 5H"]}, "opened": [0, 1]}

    assert refused(fisca(**fields), drop("6H")) == [Reason.DISCARD_FITS_A_MELD]
    assert faults(fisca(**fields), drop("6H"))[0].meld_id == 1
    assert texts(listed(fisca(**fields), 0).discards) == "9S KC"
    assert is_accepted(fisca(**(fields | {"hands": ["6H"]})), drop("6H"))


def test_e59_three_players_two_players_and_the_seed() -> None:
    """Discarding `6H` beside `3H 4H 5H` is barred for three by the federation alone."""
    fields = {"hands": ["6H 9S KC"], "melds": {1: ["3H 4H 5H"]}, "opened": [0, 1]}

    assert refused(fisca(**fields, options=with_options(SCALA_40_FISCA, players=3)), drop("6H"))
    assert is_accepted(fisca(**fields, options=TWO_FISCA), drop("6H"))
    assert is_accepted(scala(**fields, options=with_options(SCALA_40, players=3)), drop("6H"))
    two_left = fisca(**fields, options=with_options(SCALA_40_FISCA, players=3), out=(False, False, True))
    assert is_accepted(two_left, drop("6H"))


@pytest.mark.parametrize(
    ("option", "unopened", "opened"),
    [
        (NoAttachableDiscard.OFF, True, True),
        (NoAttachableDiscard.UNOPENED, False, True),
        (NoAttachableDiscard.ALL, False, False),
    ],
)
def test_sc_16_who_is_barred_by_option(option: NoAttachableDiscard, unopened: bool, opened: bool) -> None:
    """Nobody, players who have not opened, or everyone."""
    rules = with_options(TWO, no_attachable_discard=option)
    state = scala(options=rules, hands=["6H 9S KC"], melds={1: ["3H 4H 5H"]}, opened=[1])

    assert is_accepted(state, drop("6H")) is unopened
    assert is_accepted(state._replace(laid=(True, True)), drop("6H")) is opened


def test_sc_16_where_every_card_fits_nothing_is_barred() -> None:
    """A turn has to be able to end, so a hand of fitting cards may discard any of them."""
    state = fisca(hands=["6H 2H"], melds={1: ["3H 4H 5H"]}, opened=[1])

    assert texts(listed(state, 0).discards) == "2H 6H"


def test_sc_17_closing_is_by_discard() -> None:
    """All but one card are laid and the last one is discarded."""
    outcome = applied(closing(), drop("9S"))

    assert names(outcome.events) == ["Discarded", "Closed", "DealEnded", "DealScored"]
    assert outcome.state.closed_by == 0


@pytest.mark.parametrize("rules", [SCALA_40, SCALA_40_FISCA])
def test_e57_melding_everything_without_a_discard(rules: Rules) -> None:
    """Draw, meld everything, no discard: illegal in both."""
    state = scala(options=rules, hands=["7S 8S 9S"], melds={1: ["JS QS KS AS"]}, opened=[0])

    assert refused(state, lay("7S 8S 9S")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    state = scala(options=rules, hands=["10S"], melds={1: ["JS QS KS AS"]}, opened=[0])
    assert refused(state, add(1, "10S")) == [Reason.MUST_KEEP_CLOSING_DISCARD]


def test_e58_closing_in_the_first_round() -> None:
    """The federation lets nobody close before all have had a turn; the seed does. A card more has to stay till then."""
    fields = {"hands": ["JS QS KS AS 9H"], "turns_taken": 1}

    assert refused(fisca(**fields, options=TWO_FISCA), lay("JS QS KS AS"))[-1] is Reason.CLOSE_IN_FIRST_ROUND
    assert after(scala(**fields, options=TWO), lay("JS QS KS AS"), drop("9H")).deal_end is DealEnd.CLOSED
    second = fisca(**(fields | {"turns_taken": 2}), options=TWO_FISCA)
    assert after(second, lay("JS QS KS AS"), drop("9H")).deal_end is DealEnd.CLOSED
    one_card = fisca(hands=["9H"], options=TWO_FISCA, turns_taken=1, opened=[0])
    assert refused(one_card, drop("9H")) == [Reason.CLOSE_IN_FIRST_ROUND]
    assert not SCALA_40_GAME.side_facts(one_card, 0).may_close


def test_sc_18_the_deal_stops_at_once() -> None:
    """When somebody closes nobody else lays anything."""
    state = after(closing(), drop("9S"))

    assert refused(state, lay("KH 5S QD"), seat=1) == [Reason.DEAL_OVER]
    assert listed(state, 1).plain == (MoveKind.NEXT_DEAL, MoveKind.RESIGN)


def test_e61_a_ready_meld_counts_in_full() -> None:
    """Another player's meld that was not laid is charged."""
    outcome = applied(closing(hands=["9S", "7D 8D 9D"], options=TWO), drop("9S"))

    assert sheet_of(outcome).deal_points == (0, 24)


ALL_MELDED = "JS QS KS AS 7H 8H 9H 4D 5D 6D 2C 2S 2H"


def test_sc_19_scala_costs_each_opponent_25() -> None:
    """Everything in one turn, nothing on the table before, without a lay-off: each opponent 25 more."""
    state = scala(hands=[f"{ALL_MELDED} KD", "KH", "KC", "10H"], melds={1: ["9D 10D JD"]})
    state = after(state, lay("JS QS KS AS"), lay("7H 8H 9H"), lay("4D 5D 6D"), lay("2C 2S 2H"))
    outcome = applied(state, drop("KD"))

    assert lines(sheet_of(outcome), 1) == [(ScoreItem.PENALTY_CARDS, 10), (ScoreItem.CLOSED_IN_HAND, 25)]
    assert sheet_of(outcome).deal_points == (0, 35, 35, 35)


def test_e56_scala_and_chiusura_in_mano() -> None:
    """The seed: 25 each, none after a lay-off. The federation: double, a lay-off in that turn notwithstanding."""
    fields = {"hands": ["JS QS KS AS 8D KD", "10H"], "melds": {1: ["9D 10D JD"]}}
    clean = (lay("JS QS KS AS"),)
    plain = {**fields, "hands": ["JS QS KS AS KD", "10H"]}

    assert after(scala(**plain, options=TWO), *clean, drop("KD")).points == (0, 35)
    assert after(scala(**fields, options=TWO), *clean, add(1, "8D"), drop("KD")).points == (0, 10)
    assert after(fisca(**plain, options=TWO_FISCA), *clean, drop("KD")).points == (0, 20)
    assert after(fisca(**fields, options=TWO_FISCA), *clean, add(1, "8D"), drop("KD")).points == (0, 20)
    assert after(scala(**plain, options=TWO, opened=[0]), *clean, drop("KD")).points == (0, 10)


def test_sc_20_the_pile_is_reshuffled_but_for_its_last_card() -> None:
    """The stock is renewed from the pile, whose last card stays; by option the deal is void at two."""
    state = scala(hands=["2H 9D KC"], pile="3D 7S", stock="")

    renewed = after(state, drop("KC"))
    assert texts(renewed.discard) == "KC"
    assert sorted(renewed.stock) == sorted(parse("3D 7S"))
    void = scala(
        hands=["2H 9D KC"], pile="3D", stock="4C 5C",
        options=with_options(SCALA_40, stock_exhausted=StockExhausted.VOID_AT_TWO),
    )  # fmt: skip
    assert after(void, drop("KC")).deal_end is DealEnd.VOID


@pytest.mark.parametrize(("cards", "points"), [("JK", 25), ("AS", 11), ("JH QD KS", 30), ("10H 2C AS JK", 48)])
def test_sc_21_penalty_points(cards: str, points: int) -> None:
    """Joker 25, ace 11, figures 10, others their number."""
    assert terms_of(SCALA_40).hand_points(hand_of(parse(cards))) == points


def test_e60_a_single_ace_in_hand() -> None:
    """An ace that is the only card left counts 11, or 1 by option."""
    cheap = terms_of(with_options(SCALA_40, lone_ace_in_hand=1))

    assert terms_of(SCALA_40).hand_points(hand_of(parse("AH"))) == 11
    assert cheap.hand_points(hand_of(parse("AH"))) == 1
    assert cheap.hand_points(hand_of(parse("AH AS"))) == 22


def test_sc_22_who_reaches_the_limit_is_out() -> None:
    """At 101 or more a player is out; the last one wins."""
    state = closing(hands=["9S", "KH", "KC", "AH"], points=(0, 90, 91, 100))
    outcome = applied(state, drop("9S"))
    ended = outcome.state
    assert ended.points == (0, 100, 101, 111)
    assert [event for event in outcome.events if isinstance(event, PlayerOut)] == [PlayerOut(2, 101), PlayerOut(3, 111)]
    assert ended.out == (False, False, True, True)

    outcome = applied(ended, NEXT_DEAL)
    assert only(outcome.events, Dealt).hand_counts == (13, 13, 0, 0)
    last = applied(closing(hands=["9S", "KH"], points=(0, 91), options=TWO), drop("9S"))
    assert only(last.events, MatchEnded).result == Result(MatchEnd.LAST_PLAYER, (0,))


def test_sc_22_all_beyond_the_limit_at_once() -> None:
    """If nobody is left below the limit the lowest total wins, and ties share."""
    below = (90, 90, 90, 90)
    for points, winners in (((120, 110, 130, 115), (1,)), ((110, 110, 130, 115), (0, 1)), ((5, 110, 130, 101), (0,))):
        assert SCALA_40_GAME.table_result(SCALA_40, below, points, 9) == Result(MatchEnd.LAST_PLAYER, winners)
    assert SCALA_40_GAME.table_result(SCALA_40, below, (5, 100, 130, 101), 9) is None
    earlier_out = SCALA_40_GAME.table_result(SCALA_40, (90, 102, 90, 90), (120, 102, 130, 115), 9)
    assert earlier_out == Result(MatchEnd.LAST_PLAYER, (3,))


def test_sc_22_reentry_once_at_the_highest_total_of_those_still_in() -> None:
    """With the option a player comes in again with the next deal, once, while two others are below the limit."""
    rules = with_options(SCALA_40, reentry=True)
    ended = after(closing(options=rules, hands=["9S", "KH", "KC", "2H"], points=(30, 60, 95, 20)), drop("9S"))
    assert ended.points == (30, 70, 105, 22)
    assert ended.out == (False,) * 4

    outcome = applied(ended, NEXT_DEAL)
    dealt = outcome.state
    assert outcome.events[0] == PlayerReentered(2, 70)
    assert dealt.points == (30, 70, 70, 22)
    assert dealt.reentries == (0, 0, 1, 0)
    again = closing(options=rules, hands=["9S", "KH", "KC", "2H"], points=(30, 60, 95, 20), reentries=(0, 0, 1, 0))
    assert after(again, drop("9S")).out == (False, False, True, False)
    alone = closing(options=rules, hands=["9S", "KH", "KC", "2H"], points=(30, 95, 95, 100))
    assert after(alone, drop("9S")).result == Result(MatchEnd.LAST_PLAYER, (0,))


def test_sc_22_a_player_who_is_out_is_told_so_and_has_no_turn_to_wait_for() -> None:
    """At the limit or resigned, he has no move but to deal again, and is told the rule; the others wait or play."""
    over = after(closing(hands=["9S", "KH", "KC", "AH"], points=(0, 20, 91, 30)), drop("9S"))
    over = applied(over, RESIGN, seat=3).state
    assert over.out == (False, False, True, True)
    going_on = after(over, NEXT_DEAL)
    laid = (lay("2S 2H 2D"), add(9, "2S"), ReplaceWild(1, card("2S")), drop("2S"))
    moves: tuple[Move, ...] = (DRAW_STOCK, TAKE_PILE, *laid, RESIGN, TIME_OUT_TURN)
    for now in (over, going_on, after(going_on, DRAW_STOCK)):
        for seat, move in product((2, 3), moves):
            assert faults(now, move, seat) == (violation(Reason.PLAYER_IS_OUT),)
            assert refused(now, CALL_TIME, seat) == [Reason.MOVE_NOT_IN_GAME]
    assert rule_of(Reason.PLAYER_IS_OUT, GameName.SCALA_40) == "SC-22"

    waiting = 1 - going_on.seat
    assert refused(going_on, DRAW_STOCK, waiting) == [Reason.NOT_YOUR_TURN]
    assert refused(over, DRAW_STOCK, seat=0) == [Reason.DEAL_OVER]
    assert refused(applied(going_on, RESIGN, seat=0).state, DRAW_STOCK, seat=2) == [Reason.MATCH_OVER]


def test_sc_22_a_seat_that_is_out_may_still_deal_the_next_deal() -> None:
    """Between deals any seat deals again, as a back end does for the table; to one that is out nothing else is open."""
    over = after(closing(hands=["9S", "KH", "KC", "AH"], points=(0, 90, 91, 100)), drop("9S"))
    for seat in (2, 3):
        assert listed(over, seat).plain == SCALA_40_GAME.open_kinds(over, seat) == (MoveKind.NEXT_DEAL,)
        dealt = applied(over, NEXT_DEAL, seat).state
        assert SCALA_40_GAME.open_kinds(dealt, seat) == ()
        assert refused(dealt, NEXT_DEAL, seat) == [Reason.DEAL_NOT_OVER]


def test_sc_22_who_will_come_in_again_is_not_out() -> None:
    """Beyond the limit with a return to come he waits for the next deal like everyone, and may resign instead."""
    rules = with_options(SCALA_40, reentry=True)
    ended = after(closing(options=rules, hands=["9S", "KH", "KC", "2H"], points=(30, 60, 95, 20)), drop("9S"))
    assert refused(ended, DRAW_STOCK, seat=2) == [Reason.DEAL_OVER]
    resigned = applied(ended, RESIGN, seat=2).state
    assert refused(resigned, RESIGN, seat=2) == [Reason.PLAYER_IS_OUT]


def test_sc_17_the_game_says_who_may_close() -> None:
    """A view may tell whether a player may close by now."""
    assert SCALA_40_GAME.side_facts(closing(), 0).may_close
    assert SCALA_40_GAME.side_facts(closing(), 0).table_points == 41
    assert card("9S") == SCALA_40_GAME.legal_moves(closing(), 0, 100).discards[0]
