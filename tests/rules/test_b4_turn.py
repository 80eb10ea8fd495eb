"""B4-15 to B4-18: the turn."""

import pytest

from service.rules.cards import NO_CARD
from service.rules.events import Discarded, Drew, TookPile, TurnStarted
from service.rules.moves import DRAW_STOCK, RESIGN, TAKE_PILE
from service.rules.options import SingleCardRediscard
from service.rules.reasons import Reason
from service.rules.state import NOBODY, Phase, State
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    after,
    applied,
    card,
    drop,
    faults,
    holds,
    is_accepted,
    lay,
    on_table,
    refused,
)
from tests.support.tables import rules, table


def start(hand: str = "4S 9H KD", pile: str = "5H 6H 9C", stock: str = "JS QS KS AS", **fields: object) -> State:
    """Seat 0 is to draw."""
    return table(hands=[hand], pile=pile, stock=stock, stock_count=20, phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


def test_b4_15_draw_the_top_card_of_the_stock() -> None:
    """A turn begins with the top card of the stock."""
    outcome = applied(start(), DRAW_STOCK)

    assert outcome.events == (Drew(0, card("JS"), 19),)
    assert holds(outcome.state, 0, "4S 9H KD JS")
    assert outcome.state.phase is Phase.PLAY
    assert outcome.state.seat == 0


def test_b4_15_or_take_the_whole_pile() -> None:
    """A turn may begin with the whole discard pile instead; nothing has to be melded for it."""
    outcome = applied(start(), TAKE_PILE)

    assert outcome.events == (TookPile(0, bytes([card("5H"), card("6H"), card("9C")]), 3),)
    assert holds(outcome.state, 0, "4S 9H KD 5H 6H 9C")
    assert outcome.state.discard == b""
    assert is_accepted(outcome.state, drop("4S"))


def test_b4_15_taking_the_pile_needs_nothing_on_the_table() -> None:
    """A side without a meld, with nothing to meld, may take the pile."""
    assert is_accepted(start(hand="3C 9H KD", pile="JC"), TAKE_PILE)


def test_b4_15_first_draw_then_anything_else() -> None:
    """Nothing may be melded, laid off or discarded before the draw."""
    state = start(hand="7S 8S 9S KD", melds={0: ["9H 10H JH"]})

    assert refused(state, lay("7S 8S 9S")) == [Reason.MUST_DRAW_FIRST]
    assert refused(start(hand="QH 4S KD", melds={0: ["9H 10H JH"]}), add(1, "QH")) == [Reason.MUST_DRAW_FIRST]
    assert refused(state, drop("KD")) == [Reason.MUST_DRAW_FIRST]


@pytest.mark.parametrize("first", [DRAW_STOCK, TAKE_PILE])
@pytest.mark.parametrize("second", [DRAW_STOCK, TAKE_PILE])
def test_b4_15_draw_once(first: object, second: object) -> None:
    """A player draws or takes once in a turn."""
    assert refused(after(start(), first), second) == [Reason.ALREADY_DRAWN]  # type: ignore[arg-type]


def test_b4_15_melding_is_optional_and_as_often_as_one_likes() -> None:
    """Between draw and discard a player may meld and lay off, as often as he likes or not at all."""
    state = start(hand="7S 8S 9S KH KD KC 4C 3D", stock="10S 3H 5D 6D")
    state = after(state, DRAW_STOCK, lay("7S 8S 9S"), add(1, "10S"), lay("KH KD KC"))

    assert on_table(state) == ["7S 8S 9S 10S", "KH KD KC"]
    assert is_accepted(start(), DRAW_STOCK)
    assert is_accepted(after(start(), DRAW_STOCK), drop("4S"))


def test_b4_15_exactly_one_discard_ends_the_turn() -> None:
    """A turn ends with the discard of one card, which lies on top of the pile."""
    outcome = applied(after(start(), DRAW_STOCK), drop("KD"))

    assert outcome.events == (Discarded(0, card("KD")), TurnStarted(1))
    assert outcome.state.discard == bytes([card("5H"), card("6H"), card("9C"), card("KD")])
    assert outcome.state.seat == 1
    assert outcome.state.phase is Phase.DRAW
    assert refused(outcome.state, drop("4S"), seat=0) == [Reason.NOT_YOUR_TURN]


def test_b4_15_only_cards_of_the_hand() -> None:
    """What is melded, laid off or discarded has to be in the hand, as often as it is played."""
    state = table(hands=["7S 8S KD"], melds={0: ["9H 10H JH"]})

    assert refused(state, drop("9D")) == [Reason.CARD_NOT_IN_HAND]
    assert refused(state, lay("7S 8S 9S")) == [Reason.CARD_NOT_IN_HAND]
    assert refused(state, add(1, "8H")) == [Reason.CARD_NOT_IN_HAND]
    assert faults(state, lay("7S 7S 8S"))[0].cards == bytes([card("7S")])


def test_b4_16_add_to_melds_of_the_own_side() -> None:
    """A player may add to his own melds and to his partner's: melds belong to the side."""
    state = table(hands=["", "", "QH 3C 4C 5D"], melds={0: ["9H 10H JH"]}, seat=2)

    assert on_table(after(state, add(1, "QH"))) == ["9H 10H JH QH"]


def test_b4_16_never_to_melds_of_the_other_side() -> None:
    """Nobody may add to the opponents' melds."""
    state = table(hands=["QH 3C 4C"], melds={1: ["9H 10H JH"]})
    (fault,) = faults(state, add(1, "QH"))

    assert fault.reason is Reason.MELD_OF_OTHER_SIDE
    assert fault.meld_id == 1
    assert dict(fault.arguments) == {"side": "1"}


def test_b4_16_the_meld_has_to_exist() -> None:
    """Cards go on a meld that lies on the table."""
    (fault,) = faults(table(hands=["QH 3C 4C"], melds={0: ["9H 10H JH"]}), add(2, "QH"))

    assert (fault.reason, fault.meld_id) == (Reason.MELD_NOT_FOUND, 2)


def test_b4_17_the_only_card_of_the_pile_may_not_go_back() -> None:
    """The card that was the whole pile may not be discarded in the turn in which it was taken."""
    state = after(start(hand="2C 4C", pile="9D"), TAKE_PILE)
    (fault,) = faults(state, drop("9D"))

    assert fault.reason is Reason.DISCARD_WAS_WHOLE_PILE
    assert fault.cards == bytes([card("9D")])
    assert is_accepted(state, drop("2C"))
    assert is_accepted(state, drop("4C"))


def test_b4_17_unless_an_identical_card_is_in_hand() -> None:
    """Whoever holds an identical card, of the same rank and suit, may discard it."""
    state = after(start(hand="9D 4C", pile="9D"), TAKE_PILE)

    assert is_accepted(state, drop("9D"))


def test_b4_17_the_same_rank_is_not_identical() -> None:
    """A card of the same rank and another suit lifts no ban; that card itself may be discarded."""
    state = after(start(hand="9S 4C", pile="9D"), TAKE_PILE)

    assert refused(state, drop("9D")) == [Reason.DISCARD_WAS_WHOLE_PILE]
    assert is_accepted(state, drop("9S"))


def test_b4_17_a_joker_has_twins() -> None:
    """Jokers are identical to each other: a taken joker may go back only from a hand that held another."""
    assert refused(after(start(hand="4C 5C", pile="JK"), TAKE_PILE), drop("JK")) == [Reason.DISCARD_WAS_WHOLE_PILE]
    assert is_accepted(after(start(hand="4C JK", pile="JK"), TAKE_PILE), drop("JK"))


def test_b4_17_bars_the_closing_discard_too() -> None:
    """The ban holds for a discard that would close as well."""
    state = start(hand="2C", pile="9D", melds={0: [CLEAN_BURRACO, "3C 4C 5C"]}, taken_by=(0, NOBODY))
    state = after(state, TAKE_PILE)

    assert refused(state, drop("9D")) == [Reason.DISCARD_WAS_WHOLE_PILE]


def test_b4_17_everyone_sees_which_card_it_is() -> None:
    """Everyone saw which card was the whole pile; who may discard it, or is done, is barred from nothing."""
    taken = after(start(hand="2C 4C", pile="9D"), TAKE_PILE)
    allowed = rules(single_card_rediscard=SingleCardRediscard.ALLOWED)
    closed = after(
        start(hand="9D 2C", pile="9D", melds={0: [CLEAN_BURRACO]}, taken_by=(0, NOBODY), options=allowed),
        TAKE_PILE,
    )

    assert [view(taken, viewer).barred_discard for viewer in range(4)] == [card("9D")] * 4
    assert view(after(taken, drop("2C")), 0).barred_discard == NO_CARD
    assert view(closed, 0).barred_discard == NO_CARD


def test_b4_17_bars_nobody_once_the_deal_is_over() -> None:
    """With the deal the turn is over, in which the card of the pile was taken."""
    state = start(hand="2C", pile="JD", melds={0: [CLEAN_BURRACO, "10D JK(=JD) QD"]}, taken_by=(0, NOBODY))
    state = after(state, TAKE_PILE)
    assert view(state, 0).barred_discard == card("JD")

    resigned = after(state, RESIGN)

    assert resigned.phase is Phase.MATCH_OVER
    assert view(resigned, 0).barred_discard == NO_CARD


def test_b4_17_holds_for_that_turn_only() -> None:
    """In the next turn the card may be discarded."""
    state = after(start(hand="2C 4C", pile="9D"), TAKE_PILE, drop("2C"))
    for _ in range(3):
        state = after(state, DRAW_STOCK)
        state = after(state, drop({1: "JS", 2: "QS", 3: "KS"}[state.seat]))

    assert is_accepted(after(state, TAKE_PILE), drop("9D"))


@pytest.mark.parametrize("word", ["4H", "9D", "5C"])
def test_b4_18_of_two_cards_or_more_any_may_be_discarded(word: str) -> None:
    """From a pile of two or more any card may be discarded, even the one that was on top."""
    state = after(start(hand="5C 6C", pile="4H 9D"), TAKE_PILE)

    assert is_accepted(state, drop(word))
