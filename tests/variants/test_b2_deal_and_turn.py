"""B2-1 to B2-8 and R3: Burraco for two (seed 003), the deal and the turn."""

import pytest

from service.rules.burraco.dealing import deal_uncut, deck_of, drawn_seats
from service.rules.events import Dealt, TookPozzetto
from service.rules.games import SeatChoice, create_match
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, TAKE_PILE
from service.rules.options import BurracoRules
from service.rules.presets import TWO_PLAYER
from service.rules.reasons import Reason
from service.rules.state import NOBODY, DealEnd, Fairness, Phase
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    added,
    after,
    applied,
    drop,
    fresh,
    holds,
    is_accepted,
    lay,
    names,
    new_match,
    on_table,
    only,
    refused,
)
from tests.support.checks import defects
from tests.support.tables import rules
from tests.variants.duel import FIRST, NUMBERED, QUICK, SECOND, USED, closable, duel, facing

# --- B2-1 to B2-3, R3: the deal ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [TWO_PLAYER, QUICK], ids=["2005", "1005"])
def test_b2_1_counts(options: BurracoRules) -> None:
    """Of 108 cards each player has 13, two pozzetti have 11 each, one card lies up, and 59 are the stock."""
    state = new_match(options, dealer=1)

    assert defects(options) == []
    assert len(deck_of(options)) == 108
    assert [hand.size for hand in state.hands] == [13, 13]
    assert [len(pozzetto) for pozzetto in state.pozzetti] == [11, 11]
    assert (len(state.discard), len(state.stock)) == (1, 59)


def test_b2_1_each_player_is_a_side() -> None:
    """Each of the two plays for himself."""
    state = new_match(TWO_PLAYER, dealer=1)

    assert [state.side_of(seat) for seat in (0, 1)] == [0, 1]
    assert [list(state.partners(seat)) for seat in (0, 1)] == [[0], [1]]


@pytest.mark.parametrize(("size", "stock"), [(11, 63), (12, 61), (13, 59), (14, 57), (15, 55)])
def test_b2_1_other_hand_sizes(size: int, stock: int) -> None:
    """Elsewhere two players get 11 cards; any number from 11 to 15 may be dealt."""
    options = rules(TWO_PLAYER, hand_size=size)
    state = new_match(options, dealer=0)

    assert defects(options) == []
    assert [hand.size for hand in state.hands] == [size, size]
    assert (len(state.discard), len(state.stock)) == (1, stock)


@pytest.mark.parametrize("dealer", [0, 1])
def test_b2_2_who_did_not_deal_starts(dealer: int) -> None:
    """The player who did not deal starts."""
    assert new_match(TWO_PLAYER, dealer=dealer).seat == 1 - dealer


def test_b2_2_first_dealer_at_random_then_in_turn() -> None:
    """The seed chooses the first dealer, either of the two; then they deal in turn."""
    dealers = set()
    for seed in range(20):
        fairness = Fairness(bytes([seed]) * 32, given=True)
        dealers.add(create_match(TWO_PLAYER, fairness, "a match", SeatChoice()).state.dealer)
    state = closable("9C", CLEAN_BURRACO)
    second = applied(after(state, drop("9C")), NEXT_DEAL)

    assert dealers == {0, 1}
    assert (state.dealer, second.state.dealer, second.state.seat) == (1, 0, 1)
    assert only(second.events, Dealt).dealer == 0


def test_b2_3_one_card_at_a_time_to_the_non_dealer_first() -> None:
    """Hands are dealt first, one card at a time, the non-dealer first; nothing is cut."""
    dealt = deal_uncut(TWO_PLAYER, NUMBERED, 1, (11, 11))

    assert dealt.hands == (bytes(range(0, 26, 2)), bytes(range(1, 26, 2)))
    assert deal_uncut(TWO_PLAYER, NUMBERED, 0, (11, 11)).hands == (bytes(range(1, 26, 2)), bytes(range(0, 26, 2)))
    assert dealt.cut == 0


def test_b2_3_a_match_says_that_nothing_was_cut() -> None:
    """The deal of a match says the same: no cut, 13 cards each, 59 in the stock."""
    fairness = Fairness(b"\x05" * 32, given=True)
    events = tuple(event for _, event in create_match(TWO_PLAYER, fairness, "a match", SeatChoice(dealer=0)).events)
    dealt = only(events, Dealt)

    assert (dealt.cut, dealt.hand_counts, dealt.stock_count) == (0, (13, 13), 59)


@pytest.mark.parametrize("upcard", ["2D", "JK"])
def test_b2_3_a_wild_turned_up_first_stays(upcard: str) -> None:
    """A wild turned up first stays; it may be taken if it goes into a meld at once."""
    assert is_accepted(facing(upcard, "4S 5S 9H KD"), TAKE_PILE)
    assert refused(facing(upcard, "4S 6H 9H KD"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]


def test_b2_3_seats_are_not_drawn() -> None:
    """Two players draw no cards for seats: the book knows no such draw."""
    with pytest.raises(ValueError, match="only four players"):
        drawn_seats(TWO_PLAYER, b"k" * 32)
    with pytest.raises(ValueError, match="only four players"):
        create_match(TWO_PLAYER, Fairness(bytes(32), given=True), "a match", SeatChoice(drawn=True))


def test_r3_pozzetti_after_the_hands_then_the_upcard() -> None:
    """After the hands come one pozzetto, the other, and the up-card; what is left is the stock."""
    dealt = deal_uncut(TWO_PLAYER, NUMBERED, 1, (11, 11))

    assert dealt.pozzetti == (bytes(range(26, 37)), bytes(range(37, 48)))
    assert dealt.upcard == 48
    assert dealt.stock == bytes(range(49, 108))


@pytest.mark.parametrize(("dealer", "pozzetto"), [(1, FIRST), (0, SECOND)])
def test_r3_each_takes_his_own(dealer: int, pozzetto: str) -> None:
    """The first-built pozzetto is the non-dealer's, the second the dealer's, whoever runs out first."""
    state = duel("7S 8S 9S", "7H 8H 9H", dealer=dealer, pozzetti=[FIRST, SECOND], pile="JD", stock="10C 10D")
    outcome = applied(state, lay("7S 8S 9S"))

    assert holds(outcome.state, 0, pozzetto)
    assert outcome.state.taken_by == (0, NOBODY)


def test_r3_the_other_keeps_his_own() -> None:
    """If the dealer runs out first he takes the second, and the first stays for the non-dealer."""
    state = duel("7S 8S 9S", "7H 8H 9H", dealer=0, pozzetti=[FIRST, SECOND], pile="JD", stock="10C 10D")
    state = after(state, lay("7S 8S 9S"), drop("AS"), DRAW_STOCK, lay("7H 8H 9H"))
    outcome = applied(state, drop("10C"))

    assert holds(outcome.state, 1, FIRST)
    assert outcome.state.taken_by == (0, 1)
    assert outcome.state.pozzetti == ()


# --- B2-4, B2-5: the turn ---------------------------------------------------------------------------------------------


def test_b2_4_draw_meld_discard() -> None:
    """A turn is a draw, or taking the whole pile; any number of melds; exactly one discard."""
    state = duel("4S 5S 6S KH KD KC 9C 8D", "QD JD", pile="3C 7S", stock="10H", stock_count=20, phase=Phase.DRAW)
    drawn = after(state, DRAW_STOCK, lay("4S 5S 6S"), lay("KH KD KC"), drop("9C"))
    taken = after(state, TAKE_PILE)

    assert drawn.seat == 1
    assert holds(drawn, 0, "8D 10H")
    assert drawn.discard == state.discard + bytes([57])  # 9C
    assert holds(taken, 0, "4S 5S 6S KH KD KC 9C 8D 3C 7S")
    assert taken.discard == b""


def test_b2_5_the_top_card_has_to_be_used() -> None:
    """The pile may be taken only if its top card goes at once on an own meld, or down with two cards of the hand."""
    assert refused(facing("8C", "7C 9D 3S 4H"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    assert is_accepted(facing("8C", "7C 9C 3S 4H"), TAKE_PILE)
    assert is_accepted(facing("8C", "3S 4H", "5C 6C 7C"), TAKE_PILE)


def test_b2_5_not_on_the_others_meld() -> None:
    """A meld of the other player does not count."""
    state = duel("3S 4H", pile="8C", melds={1: ["5C 6C 7C"]}, phase=Phase.DRAW)

    assert refused(state, TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]


def test_b2_5_that_meld_comes_first() -> None:
    """Until that meld is made no other meld and no discard is legal (R2)."""
    state = after(facing("3C 8C", "7C 9C KH KD KC 4H", "5H 6H 7H"), TAKE_PILE)

    assert refused(state, lay("KH KD KC")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, add(1, "4H")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, drop("3C")) == [Reason.MUST_MELD_TOP_CARD]
    state = after(state, lay("7C 8C 9C"))
    assert is_accepted(state, lay("KH KD KC"))
    assert is_accepted(state, add(1, "4H"))
    assert is_accepted(state, drop("3C"))


def test_b2_5_cards_below_are_not_of_the_hand() -> None:
    """Two cards have to come from the hand as it was: those below the top card do not count, but may join."""
    assert refused(facing("9C 8C", "7C 3S 4H"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    state = after(facing("9C 8C", "6C 7C 3S 4H"), TAKE_PILE)
    assert refused(state, lay("7C 8C 9C")) == [Reason.MUST_MELD_TOP_CARD]
    assert on_table(after(state, lay("6C 7C 8C 9C"))) == ["6C 7C 8C 9C"]


def test_b2_5_a_wild_or_more_than_two_of_the_hand() -> None:
    """One of the two may be a wild, and more than two may join."""
    assert on_table(after(facing("8C", "8D JK 3S KD"), TAKE_PILE, lay("8C 8D JK"))) == ["8D 8C JK"]
    assert on_table(after(facing("8C", "6C 7C 9C 3S KD"), TAKE_PILE, lay("6C 7C 8C 9C"))) == ["6C 7C 8C 9C"]


def test_b2_5_the_twin_of_the_top_card_counts() -> None:
    """Whoever holds the top card's twin may use that as one of his two."""
    state = after(facing("8C", "8C 8D 3S KD"), TAKE_PILE)

    assert on_table(after(state, lay("8C 8C 8D"))) == ["8D 8C 8C"]


@pytest.mark.parametrize(("hand", "melds"), [("5S 9D", ["5C 6C 7C"]), ("5H 9D", ["KS KH KD"]), ("5S 6S 9D KD", [])])
def test_b2_5_a_wild_top_card_goes_into_a_meld_too(hand: str, melds: list[str]) -> None:
    """A wild top card, too, has to go into a meld."""
    state = after(facing("2H", hand, *melds), TAKE_PILE)

    assert refused(state, drop("9D")) == [Reason.MUST_MELD_TOP_CARD]


def test_b2_5_a_wild_top_card_that_fits_nothing() -> None:
    """A wild top card that goes into no meld leaves the pile where it is."""
    assert refused(facing("2H", "5S 9D KD"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    assert refused(facing("2H", "5S 9D KD", "KS KH JK"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]


def test_b2_5_the_meld_has_to_leave_what_is_needed() -> None:
    """A meld that the guard (R1) refuses does not make the top card usable (R2)."""
    no_burraco = facing("8C", "7C 9C", taken_by=USED)
    with_more = facing("KD QD 8C", "7C 9C", taken_by=USED)
    closing = facing("8C", "7C 9C", CLEAN_BURRACO, taken_by=USED)

    assert refused(no_burraco, TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    assert is_accepted(with_more, TAKE_PILE)
    assert after(closing, TAKE_PILE, lay("7C 8C 9C")).deal_end is DealEnd.CLOSED


# --- B2-6, B2-7: melds ------------------------------------------------------------------------------------------------


def test_b2_6_sets() -> None:
    """A set is three to nine cards of a rank in any suits, with at most one wild; twos never are a set."""
    assert fresh("7S 7H 7D", TWO_PLAYER) == "7S 7H 7D"
    assert fresh("7S 7S 2H", TWO_PLAYER) == "7S 7S 2H"
    assert added("7S 7S 7H 7H 7D 7D 7C 7C", "JK", TWO_PLAYER) == "7S 7S 7H 7H 7D 7D 7C 7C JK"
    assert fresh("7S 7H JK JK", TWO_PLAYER) == [Reason.TOO_MANY_WILDS]
    assert fresh("2S 2H 2D", TWO_PLAYER) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]


def test_b2_6_sequences() -> None:
    """A sequence is three to 14 cards of a suit, the ace low or high; a two in its own place is a plain card."""
    assert fresh("AS 2S 3S", TWO_PLAYER) == "AS 2S 3S"
    assert fresh("QS KS AS", TWO_PLAYER) == "QS KS AS"
    assert fresh("KS AS 3S", TWO_PLAYER) == [Reason.SEQUENCE_GOES_ROUND]
    assert fresh("9H 10H 2S QH", TWO_PLAYER) == "9H 10H 2S(=JH) QH"
    assert added("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "JK", TWO_PLAYER) == (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS JK(=AS)"
    )


def test_b2_7_on_own_melds_only() -> None:
    """Cards are laid off on one's own melds only, at any time of the turn."""
    state = duel("8C 8S KD QD", melds={0: ["5C 6C 7C"], 1: ["5S 6S 7S"]})

    assert on_table(after(state, add(1, "8C"))) == ["5C 6C 7C 8C"]
    assert refused(state, add(2, "8S")) == [Reason.MELD_OF_OTHER_SIDE]


def test_b2_7_a_natural_displaces_a_wild() -> None:
    """A wild moves for the card that it stands for, and stays in its meld."""
    assert added("6C JK(=7C) 8C", "7C", TWO_PLAYER) == "JK(=5C) 6C 7C 8C"


# --- B2-8: the pozzetto -----------------------------------------------------------------------------------------------


def test_b2_8_by_melding_he_goes_on() -> None:
    """Whoever melds his last card takes his pozzetto and goes on."""
    outcome = applied(duel("7S 8S 9S", pozzetti=[FIRST, SECOND], pile="JD"), lay("7S 8S 9S"))

    assert names(outcome.events) == ["Melded", "TookPozzetto"]
    assert (outcome.state.seat, outcome.state.phase) == (0, Phase.PLAY)
    assert view(outcome.state, 0).seats[0].hand == outcome.state.hands[0]


def test_b2_8_by_discarding_the_turn_ends() -> None:
    """Whoever discards his last card takes his pozzetto, but his turn ends and he sees it at his next turn."""
    state = duel("KD", "QD JD", pozzetti=[FIRST, SECOND], pile="3C", stock="10C 10D", stock_count=20)
    outcome = applied(state, drop("KD"))

    assert only(outcome.events, TookPozzetto) == TookPozzetto(0, False, 11, b"")
    assert (outcome.state.seat, outcome.state.unseen) == (1, (True, False))
    assert view(outcome.state, 0).seats[0].hand is None
    again = applied(after(outcome.state, DRAW_STOCK), drop("QD"))
    assert names(again.events) == ["Discarded", "TurnStarted", "PozzettoSeen"]
    assert holds(again.state, 0, FIRST)
    assert view(again.state, 0).seats[0].hand == again.state.hands[0]


def test_b2_8_the_first_emptying_needs_no_burraco() -> None:
    """The first time a hand runs out needs nothing."""
    assert is_accepted(duel("KD"), drop("KD"))
    assert is_accepted(duel("JK"), drop("JK"))
    assert is_accepted(duel("7S 8S 9S"), lay("7S 8S 9S"))


def test_b2_8_who_has_had_his_gets_no_other() -> None:
    """Whoever has had his pozzetto cannot run out into the other one."""
    state = duel("7S 8S 9S", taken_by=USED)

    assert len(state.pozzetti) == 1
    assert refused(state, lay("7S 8S 9S")) == [Reason.MUST_KEEP_TWO]
