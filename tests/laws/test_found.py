"""What the laws have found, each at its smallest."""

import pytest

from service.rules.burraco.judge import judge
from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.cards import JOKER, parse
from service.rules.events import DealScored
from service.rules.games import RefusedBatch, play_all
from service.rules.moves import DRAW_STOCK, Discard, LayMeld, LayOff, Move
from service.rules.options import CloseNeeds, PileTake, StockEnd, UnplayedPozzetto
from service.rules.outcome import Applied, Refused
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason, violation
from service.rules.state import DealEnd, State, Turn
from tests.support.games import EVERYTHING, plays_listed
from tests.support.strategies import REALE
from tests.support.tables import rules, table

CLEAN = "3S 4S 5S 6S 7S 8S 9S"
NO_DEMOTION = rules(natural_two_may_turn_wild=False)


def run(suit: str, ranks: str) -> str:
    """Words of the cards of a suit."""
    return " ".join(rank + suit for rank in ranks.split())


def reasons(state: State, move: Move) -> list[Reason]:
    """Reasons against a move of seat 0."""
    return [fault.reason for fault in judge(state, 0, move).faults]


def is_listed(state: State, words: str) -> bool:
    """Whether a play of these cards is on the list of seat 0."""
    cards = bytes(sorted(parse(words)))
    return cards in [listed for _, _, listed in plays_listed(legal_moves(state, 0, EVERYTHING))]


def test_R1_the_last_card_does_not_fit_where_it_spoils_the_only_clean_burraco() -> None:
    """The player was left with a joker that could neither be melded nor discarded."""
    options = rules(close_requires_discard=False, close_needs=CloseNeeds.CLEAN_BURRACO)
    state = table(hands=["KD JK"], melds={0: [CLEAN, "10D JD JK(=QD)"]}, taken_by=(0, 1), options=options)
    assert reasons(state, LayOff(2, parse("KD"))) == [Reason.LAST_CARD_NOT_DISCARDABLE]
    second = table(hands=["KD JK"], melds={0: [CLEAN, "10D JD QD"]}, taken_by=(0, 1), options=options)
    assert reasons(second, LayOff(2, parse("KD"))) == []


@pytest.mark.parametrize("options", [ITALIAN, FIBUR, REALE], ids=["ITALIAN", "FIBUR", "REALE"])
def test_B4_16_lay_offs_on_a_sequence_with_a_high_ace_are_listed(options: object) -> None:
    state = table(hands=["AS 6S JS 3H"], melds={0: ["QS KS AS"]}, options=options)  # type: ignore[arg-type]
    assert reasons(state, LayOff(1, parse("JS"))) == []
    assert is_listed(state, "JS")


def test_row_4_the_second_ace_is_listed() -> None:
    state = table(hands=["AS 9D 8C 7H"], melds={0: [run("S", "A 2 3 4 5 6 7 8 9 10 J Q K")]}, options=REALE)
    assert reasons(state, LayOff(1, parse("AS"))) == []
    assert is_listed(state, "AS")


def test_row_4_ace_to_ace_is_listed_where_one_card_is_left() -> None:
    whole = run("S", "A A 2 3 4 5 6 7 8 9 10 J Q K")
    state = table(hands=[whole + " 9D"], options=REALE)
    assert reasons(state, LayMeld(parse(whole))) == []
    assert is_listed(state, whole)
    state = table(hands=["AS AS KS 9D"], melds={0: [run("S", "2 3 4 5 6 7 8 9 10 J Q")]}, options=REALE)
    assert reasons(state, LayOff(1, parse("AS AS KS"))) == []
    assert is_listed(state, "AS AS KS")


def test_row_4_no_other_card_comes_along_with_the_second_ace() -> None:
    """A second three vanished in the sequence."""
    state = table(hands=["AC 3C 9D 8D"], melds={0: [run("C", "A 2 3 4 5 6 7 8 9 10 J Q K")]}, options=REALE)
    assert reasons(state, LayOff(1, parse("AC 3C"))) == [Reason.TOO_MANY_CARDS, Reason.SLOT_TAKEN]
    assert reasons(state, LayOff(1, parse("AC"))) == []


def test_R5_a_two_that_arrives_below_the_three_is_natural_and_stays() -> None:
    """Where a natural two may not turn wild, `2S 7S` do not go on `3S 4S 5S`, though `JK 7S` and `2H 7S` do."""
    state = table(hands=["2S 7S JK 2H 9D 9C"], melds={0: ["3S 4S 5S"]}, options=NO_DEMOTION)
    assert reasons(state, LayOff(1, parse("2S 7S"))) == [Reason.NATURAL_TWO_STAYS]
    assert reasons(state, LayOff(1, parse("JK 7S"))) == []
    assert reasons(state, LayOff(1, parse("2H 7S"))) == []
    free = state._replace(match=state.match._replace(rules=ITALIAN))
    assert reasons(free, LayOff(1, parse("2S 7S"))) == []


def test_R5_a_two_that_arrives_before_the_three_may_be_wild() -> None:
    """The order decides: `2S(=3S)`, then `8S`, then `3S`."""
    state = table(hands=["2S 3S 8S 9D 9C"], melds={0: ["4S 5S 6S"]}, options=NO_DEMOTION)
    assert reasons(state, LayOff(1, parse("2S 3S 8S"))) == []


@pytest.mark.parametrize("unplayed", UnplayedPozzetto)
def test_B4_39_a_card_drawn_and_played_is_not_counted_beside_the_pozzetto(unplayed: UnplayedPozzetto) -> None:
    """The deal ends with the discard that takes the pozzetto: the sheet had the drawn card in it once more."""
    state = table(
        hands=["KS 9D", "4D 4D", "5D 5D", "6D 6D"],
        melds={0: ["10S JS QS"]},
        options=rules(FIBUR, unplayed_pozzetto=unplayed),
        stock="3D 4C",
        turn=Turn(drawn=parse("KS")[0], last=True),
        pozzetti=["3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "3C 3C 4C 4H 5C 5C 6C 6C 7C 7C 8C"],
    )
    laid = play(state, 0, LayOff(1, parse("KS")))
    assert isinstance(laid, Applied)
    ended = play(laid.state, 0, Discard(parse("9D")[0]))
    assert isinstance(ended, Applied)
    assert ended.state.deal_end is DealEnd.STOCK
    sheet = next(event.sheet for event in ended.events if isinstance(event, DealScored))
    pozzetto = 85 if unplayed is UnplayedPozzetto.CARD_VALUE else 100
    assert sheet.deal_points[0] == 40 - pozzetto - 10


def test_R8_a_discard_that_may_end_the_deal_is_the_last_of_its_call() -> None:
    """Whether the deal goes on tells whether the next player can use the card: no refusal may tell it beforehand."""
    options = rules(pile_take=PileTake.TOP_CARD_USABLE, stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE)
    answers = []
    for next_hand in ("7S 9S KD", "7D 9H KD"):
        state = table(hands=["8S QC JC", next_hand], stock_count=0, pile="3D", options=options)
        answers.append(play_all(state, 0, [Discard(parse("8S")[0]), DRAW_STOCK], look_ahead=False))
    assert answers == [RefusedBatch(1, (violation(Reason.MOVE_AFTER_REVEAL),))] * 2


def test_DESIGN_4_cards_of_a_violation_come_by_number() -> None:
    state = table(hands=["KS 2H KD QS"], melds={0: ["KS KH KC"]}, options=FIBUR)
    for move in (LayMeld(parse("KS 2H KD")), LayMeld(parse("KS KD 2H"), wild_as=3)):
        outcome = play(state, 0, move)
        assert isinstance(outcome, Refused)
        assert [fault.cards for fault in outcome.violations] == [parse("KS 2H KD")] * len(outcome.violations)


def test_E22_only_wilds_are_no_meld_however_many() -> None:
    """Public fault 12."""
    state = table(hands=["JK JK JK JK 2S 2H 2D"])
    for count in range(3, 8):
        cards = bytes([JOKER] * min(count, 4)) + parse("2S 2H 2D")[: max(0, count - 4)]
        assert Reason.NOT_ENOUGH_NATURALS in reasons(state, LayMeld(cards))
