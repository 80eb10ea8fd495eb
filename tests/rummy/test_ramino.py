"""RA-1 to RA-14, R9, and the edge cases of Ramino."""

from collections import Counter
from itertools import product

import pytest

from service.rules.cards import JOKER, PACK, parse, texts
from service.rules.citations import rule_of
from service.rules.events import DealEnded, Dealt, Discarded, MatchEnded, StockRenewed, TookPile, TurnStarted
from service.rules.hand import hand_of
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, PASS_UPCARD, RESIGN, TAKE_PILE, TIME_OUT_TURN, Move, MoveKind
from service.rules.options import AcePlace, ClosingInHand, NextDealer, StockExhausted
from service.rules.options import Game as GameName
from service.rules.reasons import Reason, violation
from service.rules.rummy.finish import MAX_ROUNDS
from service.rules.rummy.game import RAMINO_GAME
from service.rules.rummy.presets import RAMINO
from service.rules.rummy.terms import terms_of
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, MatchEnd, Phase, Result, State, Turn
from service.rules.stream import PURPOSE_RENEWAL, Stream, stream_key
from tests.rummy.tables import (
    add,
    after,
    applied,
    card,
    drop,
    faults,
    holds,
    is_accepted,
    lay,
    lines,
    listed,
    names,
    new_match,
    on_table,
    only,
    ramino,
    readings,
    refused,
    sheet_of,
    why_not,
    with_options,
)

FOUR = with_options(RAMINO, players=4)


def draw_phase(**fields: object) -> State:
    """Seat 0 is to draw."""
    return ramino(phase=Phase.DRAW, **fields)


def ready_to_close(**fields: object) -> State:
    """Seat 0 holds one card, which closes when it is discarded; seat 1 holds 25 points."""
    return ramino(**({"hands": ["9S", "KH 5D QD"], "melds": {0: ["3S 4S 5S"]}, "opened": [0]} | fields))


def test_ra_1_one_pack_without_jokers() -> None:
    """The deck is one pack of 52; jokers and a second pack are options."""
    assert terms_of(RAMINO).deck == PACK
    assert terms_of(with_options(RAMINO, packs=2, jokers=4)).deck == PACK + PACK + bytes((JOKER,)) * 4


@pytest.mark.parametrize(("players", "size", "each"), [(2, 0, 10), (3, 0, 7), (4, 0, 7), (2, 13, 13)])
def test_ra_2_ten_cards_for_two_and_seven_for_more(players: int, size: int, each: int) -> None:
    """Two players have ten cards each, three or four have seven, unless the rules name a number."""
    state = new_match(with_options(RAMINO, players=players, hand_size=size))

    assert [hand.size for hand in state.hands] == [each] * players
    assert len(state.stock) == 51 - players * each


def test_ra_3_the_rest_is_the_stock_and_one_card_is_turned_up() -> None:
    """The next card lies face up as the pile; all others are the stock."""
    state = new_match(RAMINO)

    cards = [*state.stock, *state.discard, *(card for hand in state.hands for card in hand.cards())]
    assert len(state.discard) == 1
    assert Counter(cards) == Counter(PACK)


def test_ra_4_the_player_at_the_dealers_left_begins_and_the_deal_passes_left() -> None:
    """Play begins at the dealer's left, and goes clockwise; so does the deal."""
    state = new_match(FOUR, dealer=2)
    assert (state.dealer, state.seat) == (2, 3)

    dealt_again = after(ready_to_close(options=FOUR, dealer=2), drop("9S"), NEXT_DEAL)
    assert (dealt_again.dealer, dealt_again.seat) == (3, 0)


@pytest.mark.parametrize(("rule", "dealer"), [(NextDealer.LEFT, 3), (NextDealer.WINNER, 0), (NextDealer.LOSER, 1)])
def test_ra_4_winner_or_loser_may_deal_next(rule: NextDealer, dealer: int) -> None:
    """By option whoever closed deals next, or whoever was charged most."""
    options = with_options(FOUR, next_dealer=rule)
    state = ready_to_close(options=options, hands=["9S", "KH KS QD", "2H", "3D 4H"], dealer=2)

    assert after(state, drop("9S"), NEXT_DEAL).dealer == dealer


def test_ra_5_draw_from_the_stock_or_take_the_piles_top_card() -> None:
    """A turn begins with the top card of the stock or of the pile, once."""
    state = draw_phase(hands=["4S 9H KD"], pile="5H 9C", stock="JS QS")

    drawn = applied(state, DRAW_STOCK)
    assert holds(drawn.state, 0, "4S 9H KD JS")
    taken = applied(state, TAKE_PILE)
    assert taken.events == (TookPile(0, parse("9C"), 1),)
    assert holds(taken.state, 0, "4S 9H KD 9C")
    assert texts(taken.state.discard) == "5H"
    for first in (DRAW_STOCK, TAKE_PILE):
        assert refused(after(state, first), DRAW_STOCK) == [Reason.ALREADY_DRAWN]
        assert refused(after(state, first), TAKE_PILE) == [Reason.ALREADY_DRAWN]


def test_ra_5_meld_and_lay_off_between_draw_and_discard() -> None:
    """Nothing is laid or discarded before the draw; after it as much as one likes; one discard ends the turn."""
    state = draw_phase(hands=["7S 8S 9S 2H 3H KD"], melds={1: ["10H JH QH"]}, stock="KH 2C")

    assert refused(state, lay("7S 8S 9S")) == [Reason.MUST_DRAW_FIRST]
    assert refused(state, add(1, "2H")) == [Reason.MUST_DRAW_FIRST, Reason.SEQUENCE_HAS_GAP]
    assert refused(state, drop("KD")) == [Reason.MUST_DRAW_FIRST]
    state = after(state, DRAW_STOCK, lay("7S 8S 9S"), add(1, "KH"))
    assert on_table(state) == ["10H JH QH KH", "7S 8S 9S"]
    outcome = applied(state, drop("KD"))
    assert outcome.events == (Discarded(0, card("KD")), TurnStarted(1))


def test_ra_6_sets_have_three_or_four_of_a_rank_and_sequences_three_to_thirteen() -> None:
    """A set is three or four of a rank; a sequence three or more of a suit, thirteen at most."""
    row = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    assert readings("7S 7H 7D", RAMINO) == ["7S 7H 7D"]
    assert readings("7S 7C 7H 7D", RAMINO) == ["7S 7H 7D 7C"]
    assert readings("4D 5D 3D", RAMINO) == ["3D 4D 5D"]
    assert readings(f"{row} AH", RAMINO)[0] == f"AH {row}"
    assert why_not(f"{row} AH JK", RAMINO) == [Reason.TOO_MANY_CARDS]
    assert why_not("7S 7H", RAMINO) == [Reason.TOO_FEW_CARDS]
    assert why_not("7S 7H 8D", RAMINO) == [Reason.NEITHER_SET_NOR_SEQUENCE]
    assert why_not("4S 5S 7S", RAMINO) == [Reason.SEQUENCE_HAS_GAP]
    assert why_not("2S 2H 2D JK JK", RAMINO) == [Reason.TOO_MANY_CARDS, Reason.TOO_MANY_WILDS]


def test_ra_6_with_two_packs_a_set_still_has_each_suit_once() -> None:
    """The twin of a card does not join its set, and no face is twice in a sequence."""
    assert why_not("7S 7S 7H", RAMINO) == [Reason.SET_REPEATS_SUIT]
    assert why_not("7S 7S 8S 9S", RAMINO) == [Reason.SEQUENCE_REPEATS_RANK]


ACES = [
    (AcePlace.LOW, ["AS 2S 3S"], []),
    (AcePlace.HIGH, [], ["QS KS AS"]),
    (AcePlace.LOW_OR_HIGH, ["AS 2S 3S"], ["QS KS AS"]),
]


@pytest.mark.parametrize(("ace", "low", "high"), ACES)
def test_ra_7_the_ace_is_low_or_high_by_option(ace: AcePlace, low: list[str], high: list[str]) -> None:
    """An ace stands below the two, above the king, or either, never round the corner."""
    rules = with_options(RAMINO, ace_in_sequences=ace)

    assert readings("AS 2S 3S", rules) == low
    assert readings("QS KS AS", rules) == high
    assert readings("KS AS 2S", rules) == []
    assert why_not("KS AS 2S", rules) == [Reason.SEQUENCE_GOES_ROUND]


def test_e75_an_ace_above_the_king() -> None:
    """`QS KS AS` depends on where the ace may stand, and is told so where it may not."""
    assert readings("QS KS AS", RAMINO) == ["QS KS AS"]
    assert why_not("QS KS AS", with_options(RAMINO, ace_in_sequences=AcePlace.LOW)) == [Reason.ACE_PLACE]
    assert why_not("AS 2S 3S", with_options(RAMINO, ace_in_sequences=AcePlace.HIGH)) == [Reason.ACE_PLACE]


def test_ra_8_the_card_taken_from_the_pile_is_not_discarded_again() -> None:
    """The pile's card stays in hand this turn; the card drawn from the stock may go at once."""
    state = draw_phase(hands=["4S 9H KD"], pile="QD", stock="QH 2C")

    taken = after(state, TAKE_PILE)
    assert refused(taken, drop("QD")) == [Reason.DISCARD_WAS_TAKEN]
    assert card("QD") not in listed(taken, 0).discards
    assert RAMINO_GAME.barred_discard(taken) == card("QD")
    assert is_accepted(after(state, DRAW_STOCK), drop("QH"))
    allowed = after(state._replace(match=state.match._replace(rules=with_options(RAMINO, rediscard_taken_card=True))))
    assert is_accepted(after(allowed, TAKE_PILE), drop("QD"))


def test_e70_take_the_queen_and_discard_the_queen() -> None:
    """Taking QD and discarding QD is illegal; with its twin in hand nobody can tell, so it is legal."""
    state = draw_phase(hands=["4S 9H KD"], pile="QD")
    assert refused(after(state, TAKE_PILE), drop("QD")) == [Reason.DISCARD_WAS_TAKEN]

    twin = draw_phase(options=with_options(RAMINO, packs=2), hands=["4S 9H QD"], pile="QD")
    assert is_accepted(after(twin, TAKE_PILE), drop("QD"))


def test_ra_8_a_taken_card_that_was_laid_bars_nothing() -> None:
    """Once the pile's card lies on the table its twin may be discarded."""
    state = draw_phase(options=with_options(RAMINO, packs=2), hands=["QD QS QH 4S"], pile="QD")

    assert is_accepted(after(state, TAKE_PILE, lay("QD QS QH")), drop("QD"))


def test_ra_9_lay_off_on_anyones_meld() -> None:
    """Cards go on anyone's meld, which stays its owner's; nothing has to be laid before."""
    state = ramino(hands=["6S KD KH 4D"], melds={1: ["3S 4S 5S", "KS KC KH"]}, options=with_options(RAMINO, packs=2))

    outcome = applied(state, add(1, "6S"))
    assert names(outcome.events) == ["LaidOff"]
    assert outcome.state.melds[0].side == 1
    assert on_table(after(state, add(2, "KD"))) == ["3S 4S 5S", "KS KH KD KC"]
    assert refused(state, add(2, "KH")) == [Reason.SET_REPEATS_SUIT]
    assert refused(state, add(1, "4D")) == [Reason.SUIT_DOES_NOT_MATCH]
    assert refused(state, add(2, "4D")) == [Reason.RANK_DOES_NOT_MATCH]
    assert refused(state, add(7, "4D")) == [Reason.MELD_NOT_FOUND]
    assert refused(state, add(1, "7S")) == [Reason.CARD_NOT_IN_HAND]


def test_ra_9_by_option_one_melds_first() -> None:
    """With the option a player lays off only once he has a meld of his own, this turn or before."""
    rules = with_options(RAMINO, lay_off_needs_meld=True)
    fields = {"hands": ["6S 9H 10H JH KD"], "melds": {1: ["3S 4S 5S"]}, "options": rules}

    assert refused(ramino(**fields), add(1, "6S")) == [Reason.NOT_OPENED]
    assert is_accepted(ramino(**fields, opened=[0]), add(1, "6S"))
    assert is_accepted(after(ramino(**fields), lay("9H 10H JH")), add(1, "6S"))


def test_ra_10_the_last_card_is_discarded_and_closes() -> None:
    """Whoever discards his last card closes, and the deal ends at once."""
    outcome = applied(ready_to_close(), drop("9S"))

    assert names(outcome.events) == ["Discarded", "Closed", "DealEnded", "DealScored"]
    assert (outcome.state.deal_end, outcome.state.closed_by) == (DealEnd.CLOSED, 0)


def test_ra_10_melding_the_last_card_closes_only_by_option() -> None:
    """A discard has to be kept, unless the option lets a player go out by melding or laying off."""
    fields = {"hands": ["6S 7S", "KH"], "melds": {0: ["3S 4S 5S"]}, "opened": [0]}
    melding_out = ramino(**fields, options=with_options(RAMINO, close_requires_discard=False))

    assert refused(ramino(**fields), add(1, "6S 7S")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert names(applied(melding_out, add(1, "6S 7S")).events) == ["LaidOff", "Closed", "DealEnded", "DealScored"]
    three = ramino(hands=["9H 10H JH", "KH"], options=with_options(RAMINO, close_requires_discard=False))
    assert applied(three, lay("9H 10H JH")).state.deal_end is DealEnd.CLOSED


def test_ra_10_the_card_that_would_remain_has_to_be_one_to_discard() -> None:
    """Nobody melds himself into holding only the card that he may not discard."""
    state = draw_phase(hands=["7S 8S 9S"], pile="QD")

    assert refused(after(state, TAKE_PILE), lay("7S 8S 9S")) == [Reason.LAST_CARD_NOT_DISCARDABLE]
    assert [group.kind for group in listed(after(state, TAKE_PILE), 0).groups] == []


def test_ra_11_closing_in_hand_doubles() -> None:
    """Whoever gets rid of everything in one turn, with nothing laid before, makes the others count double."""
    state = ramino(hands=["7S 8S 9S QD QS QH 4D", "KH 5S"])

    outcome = applied(after(state, lay("7S 8S 9S"), lay("QD QS QH")), drop("4D"))
    assert lines(sheet_of(outcome), 1) == [(ScoreItem.PENALTY_CARDS, 15), (ScoreItem.CLOSED_IN_HAND, 15)]
    assert outcome.state.points == (0, 30)
    assert outcome.state.doubled


@pytest.mark.parametrize(("bonus", "total"), [(ClosingInHand.NONE, 15), (ClosingInHand.PLUS_25, 40)])
def test_ra_11_or_what_the_option_says(bonus: ClosingInHand, total: int) -> None:
    """Closing in hand may cost the others nothing more, or 25 each."""
    state = ramino(hands=["7S 8S 9S 4D", "KH 5S"], options=with_options(RAMINO, in_mano_bonus=bonus))

    assert after(state, lay("7S 8S 9S"), drop("4D")).points == (0, total)


def test_e74_in_mano_needs_nothing_laid_earlier() -> None:
    """After five turns of laying nothing it is in mano; one card attached earlier makes it an ordinary close."""
    fields = {"hands": ["7S 8S 9S 10S 4D 5D 6D 2H", "KH 5S"], "melds": {1: ["QS QH QC"]}}
    closing = (lay("7S 8S 9S 10S"), lay("4D 5D 6D"), drop("2H"))

    assert after(ramino(**fields), *closing).points == (0, 30)
    assert after(ramino(**fields, opened=[0]), *closing).points == (0, 15)


def test_ra_11_what_is_attached_in_the_same_turn_does_not_spoil_it() -> None:
    """Getting rid of everything at once may include cards laid off in that turn."""
    state = ramino(hands=["7S 8S 9S QD 4D", "KH 5S"], melds={1: ["QS QH QC"]})

    assert after(state, lay("7S 8S 9S"), add(1, "QD"), drop("4D")).points == (0, 30)


def test_ra_11_a_turn_that_lays_something_ends_the_chance() -> None:
    """What is laid in one turn is remembered in the next."""
    state = ramino(hands=["7S 8S 9S KD 4D", "KH 5S"], stock="2C 3C")
    state = after(state, lay("7S 8S 9S"), drop("KD"))

    assert state.laid == (True, False)


def test_ra_12_the_pile_becomes_the_stock() -> None:
    """The drawer of the last card discards onto a new pile; what lay below is shuffled and becomes the stock."""
    state = draw_phase(hands=["4S 9H KD"], pile="5H 9C 2D 7C", stock="JS")
    outcome = applied(after(state, DRAW_STOCK), drop("KD"))

    fairness = state.match.fairness
    key = stream_key(fairness.seed, fairness.entropy)
    assert outcome.state.stock == Stream(key, PURPOSE_RENEWAL, 1).shuffle(parse("5H 9C 2D 7C"))
    assert texts(outcome.state.discard) == "KD"
    assert outcome.events == (Discarded(0, card("KD")), StockRenewed(4), TurnStarted(1))
    assert outcome.state.renewals == 1
    again = applied(after(state._replace(renewals=3), DRAW_STOCK), drop("KD")).state
    assert again.stock == Stream(key, PURPOSE_RENEWAL, 1 + 3 * 65536).shuffle(parse("5H 9C 2D 7C"))


def test_ra_12_a_discard_that_closes_renews_nothing() -> None:
    """Whoever closes with the last stock card in hand ends the deal."""
    state = draw_phase(hands=["4S 5S"], pile="5H 9C", stock="6S", opened=[0], melds={1: ["QS QH QC"]})

    assert names(applied(after(state, DRAW_STOCK), drop("4S")).events)[1] == "StockRenewed"
    closing = draw_phase(hands=["4S"], pile="5H 9C", stock="QD", opened=[0], melds={1: ["QS QH QC"]})
    assert after(closing, DRAW_STOCK, add(1, "QD"), drop("4S")).deal_end is DealEnd.CLOSED


def test_r9_nothing_to_shuffle_is_void() -> None:
    """Only where the pile holds no card but the new starter is the deal void; the same dealer deals again."""
    outcome = applied(ramino(hands=["4S 9H KD"], pile="", stock=""), drop("KD"))

    assert outcome.events[-1] == DealEnded(DealEnd.VOID, ())
    assert outcome.state.points == (0, 0)
    assert RAMINO_GAME.sheet(outcome.state) is None
    dealt_again = after(outcome.state, NEXT_DEAL)
    assert (dealt_again.dealer, dealt_again.deal_number) == (outcome.state.dealer, 2)
    one_card = applied(ramino(hands=["4S 9H KD"], pile="2C", stock=""), drop("KD"))
    assert (one_card.state.deal_end, texts(one_card.state.stock)) == (DealEnd.NOT_ENDED, "2C")


def test_e72_ramino_reshuffles_where_gin_is_void() -> None:
    """Two cards left in the stock mean nothing to Ramino, unless the option says so."""
    fields = {"hands": ["4S 9H KD"], "pile": "2C 3C", "stock": "5C 6C"}

    assert after(ramino(**fields), drop("KD")).deal_end is DealEnd.NOT_ENDED
    void = with_options(RAMINO, stock_exhausted=StockExhausted.VOID_AT_TWO)
    assert after(ramino(**fields, options=void), drop("KD")).deal_end is DealEnd.VOID
    assert after(ramino(**(fields | {"stock": "5C 6C 7C"}), options=void), drop("KD")).deal_end is DealEnd.NOT_ENDED


def test_ra_12_a_deal_that_nobody_closes_is_void_in_the_end() -> None:
    """After a hundred rounds a deal is void, however the players go on: every deal ends."""
    last = ramino(hands=["4S 9H KD"], pile="2C", turns_taken=2 * MAX_ROUNDS - 1)

    assert after(last, drop("KD")).deal_end is DealEnd.VOID
    before = ramino(hands=["4S 9H KD"], pile="2C", turns_taken=2 * MAX_ROUNDS - 2)
    assert after(before, drop("KD")).deal_end is DealEnd.NOT_ENDED


@pytest.mark.parametrize(("cards", "points"), [("AS", 1), ("2S 9D", 11), ("10H JC QD KS", 40), ("AS AH KD", 12)])
def test_ra_13_card_points(cards: str, points: int) -> None:
    """An ace is 1, a figure 10, any other card its number."""
    assert terms_of(RAMINO).hand_points(hand_of(parse(cards))) == points


def test_ra_13_by_option_an_ace_is_eleven_and_a_joker_is_twenty_five() -> None:
    """The Italian values: aces 11, jokers 25."""
    rules = with_options(RAMINO, ace_points=11, jokers=2)

    assert terms_of(rules).hand_points(hand_of(parse("AS"))) == 11
    assert terms_of(rules).hand_points(hand_of(parse("JK AS 5H"))) == 41


def test_ra_14_each_loser_is_charged_and_the_closer_is_not() -> None:
    """Everyone but the closer is charged the cards left in his hand, as positive points."""
    outcome = applied(ready_to_close(options=FOUR, hands=["9S", "KH QD", "AC", "2H 3H"]), drop("9S"))

    assert sheet_of(outcome).deal_points == (0, 20, 1, 5)
    assert lines(sheet_of(outcome), 0) == []
    assert lines(sheet_of(outcome), 1) == [(ScoreItem.PENALTY_CARDS, 20)]
    assert sheet_of(outcome).closed_by_side == 0
    assert RAMINO_GAME.sheet(outcome.state) == sheet_of(outcome)


def test_ra_14_at_the_limit_a_player_is_out_and_the_last_one_wins() -> None:
    """Who reaches 101 is dealt to no more and has no turn; the last one left wins."""
    state = ready_to_close(options=FOUR, hands=["9S", "KH", "KC", "QH"], points=(50, 91, 90, 20), dealer=0)
    ended = after(state, drop("9S"))
    assert ended.points == (50, 101, 100, 30)
    assert ended.out == (False, True, False, False)

    outcome = applied(ended, NEXT_DEAL)
    assert only(outcome.events, Dealt).hand_counts == (7, 0, 7, 7)
    assert (outcome.state.dealer, outcome.state.seat) == (2, 3)
    assert after(outcome.state, DRAW_STOCK, drop(first_card(after(outcome.state, DRAW_STOCK)))).seat == 0

    last = ready_to_close(hands=["9S", "KH"], points=(100, 91))
    outcome = applied(last, drop("9S"))
    assert only(outcome.events, MatchEnded).result == Result(MatchEnd.LAST_PLAYER, (0,))
    assert outcome.state.phase is Phase.MATCH_OVER


def test_ra_14_a_player_who_is_out_is_told_so_and_has_no_turn_to_wait_for() -> None:
    """At the limit or resigned, he has no move but to deal again, and is told the rule; the others wait or play."""
    state = ready_to_close(options=FOUR, hands=["9S", "KH", "KC", "QH"], points=(50, 91, 90, 20), dealer=0)
    over = applied(after(state, drop("9S")), RESIGN, seat=3).state
    assert over.out == (False, True, False, True)
    going_on = after(over, NEXT_DEAL)
    laid = (lay("2S 2H 2D"), add(9, "2S"), drop("2S"))
    moves: tuple[Move, ...] = (DRAW_STOCK, TAKE_PILE, *laid, RESIGN, TIME_OUT_TURN)
    for now in (over, going_on, after(going_on, DRAW_STOCK)):
        for seat, move in product((1, 3), moves):
            assert faults(now, move, seat) == (violation(Reason.PLAYER_IS_OUT),)
            assert refused(now, PASS_UPCARD, seat) == [Reason.MOVE_NOT_IN_GAME]
    assert rule_of(Reason.PLAYER_IS_OUT, GameName.RAMINO) == "RA-14"

    waiting = 2 - going_on.seat
    assert refused(going_on, DRAW_STOCK, waiting) == [Reason.NOT_YOUR_TURN]
    assert refused(over, DRAW_STOCK, seat=0) == [Reason.DEAL_OVER]
    assert refused(applied(going_on, RESIGN, seat=0).state, DRAW_STOCK, seat=1) == [Reason.MATCH_OVER]


def first_card(state: State) -> str:
    """A card that the seat to move may discard."""
    return texts(listed(state, state.seat).discards[:1])


def test_kinds_of_move_that_ramino_does_not_have() -> None:
    """Joker recovery, knocking, passing, stalemates and the clock are no moves of Ramino."""
    state = draw_phase(hands=["4S 9H KD"])
    for kind in (MoveKind.KNOCK, MoveKind.REPLACE_WILD, MoveKind.PASS_UPCARD):
        assert kind not in RAMINO_GAME.open_kinds(state, 0)
    assert terms_of(RAMINO).kinds.isdisjoint({MoveKind.REPLACE_WILD, MoveKind.CALL_TIME, MoveKind.DECLARE_STALEMATE})
    assert state.turn == Turn()
