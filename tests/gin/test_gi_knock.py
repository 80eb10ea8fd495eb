"""GI-7 to GI-11: knocking, laying off, undercut, gin and big gin."""

import pytest

from service.rules.cards import texts
from service.rules.events import DealEnded, Discarded, Knocked, LaidOff
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import Oklahoma
from service.rules.moves import DRAW_STOCK, Discard, MoveKind
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, Phase, State, Turn
from tests.gin.words import (
    CLASSIC,
    GIN_HAND,
    applied,
    card,
    faults,
    held,
    is_accepted,
    knock,
    lines,
    names,
    on_table,
    only,
    refused,
    rules,
    sheet_of,
    table,
)

SPREAD = "AH 3H 9D KD KH QH 8D 6D JC 9C"
"""A defender's ten cards without a meld: deadwood 76."""


def holding(hand: str, defender: str = SPREAD, **fields: object) -> State:
    """Seat 0 has drawn and may knock; seat 1 defends."""
    return table(hand, defender, **fields)  # type: ignore[arg-type]


# --- GI-7: the knock --------------------------------------------------------------------------------------------------


def test_gi_7_knock_with_ten_or_less_after_the_discard() -> None:
    """A player whose deadwood is at most 10 after his discard may knock, and nobody has to."""
    state = holding("4S 5S 6S 7S 7H 7D 2D 8C KS")
    assert is_accepted(state, Discard(card("KS")))

    told = only(applied(state, knock("KS")).events, Knocked)
    assert [texts(meld) for meld in told.melds] == ["4S 5S 6S", "7S 7H 7D"]
    assert (told.seat, texts(told.deadwood), told.deadwood_points) == (0, "2D 8C", 10)


def test_gi_7_too_much_deadwood() -> None:
    """With more he may not, and is told how much it would be."""
    (fault,) = faults(table("4S 5S 6S 7H 8D 9C AS AD AC 2D KS"), knock("KS"))
    assert fault.reason is Reason.TOO_MUCH_DEADWOOD
    assert dict(fault.arguments) == {"deadwood": "26", "limit": "10"}


def test_gi_7_first_draw() -> None:
    """A knock takes the place of the discard, so it comes after the draw."""
    state = holding("4S 5S 6S", phase=Phase.DRAW)
    assert refused(state, knock("6S")) == [Reason.MUST_DRAW_FIRST]
    assert refused(state, knock("")) == [Reason.MUST_DRAW_FIRST]
    assert refused(state, knock("2H")) == [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND]


def test_gi_7_the_discard_is_one_that_could_be_discarded() -> None:
    """It has to be in the hand, and not the card just taken."""
    state = holding("4S 5S 6S KS 2S", turn=Turn(taken=card("KS")))
    assert refused(state, knock("2H")) == [Reason.CARD_NOT_IN_HAND]
    assert refused(state, knock("KS")) == [Reason.DISCARD_WAS_TAKEN]
    assert refused(holding("4S 5S 8S KS JS", turn=Turn(taken=card("KS"))), knock("KS")) == [
        Reason.DISCARD_WAS_TAKEN,
        Reason.TOO_MUCH_DEADWOOD,
    ]


def test_gi_7_a_knock_ends_the_deal() -> None:
    """The discard goes to the pile, both hands are shown, and the deal is counted at once."""
    outcome = applied(holding("4S 5S 6S 2C KS"), knock("KS"))

    assert names(outcome.events) == ["Discarded", "Knocked", "DealEnded", "DealScored"]
    assert outcome.events[0] == Discarded(0, card("KS"))
    ended = only(outcome.events, DealEnded)
    assert (ended.deal_end, texts(ended.hands[0])) == (DealEnd.KNOCK, "2C")
    state = outcome.state
    assert (state.phase, state.knocker, state.closed_by, state.discard[-1]) == (Phase.DEAL_OVER, 0, 0, card("KS"))
    assert on_table(state) == ["4S 5S 6S"]
    assert (state.melds[0].side, state.melds[0].meld_id, state.next_meld_id) == (0, 1, 2)
    assert outcome.revealed
    assert refused(state, DRAW_STOCK) == [Reason.DEAL_OVER]


@pytest.mark.parametrize(
    ("upcard", "oklahoma", "limit"),
    [
        ("4H", Oklahoma.ACE_IS_ONE, 4),
        ("QH", Oklahoma.ACE_IS_ONE, 10),
        ("AH", Oklahoma.ACE_IS_ONE, 1),
        ("4H", Oklahoma.ACE_IS_GIN, 4),
        ("AH", Oklahoma.ACE_IS_GIN, 0),
        ("4H", Oklahoma.OFF, 10),
    ],
)
def test_gi_7_the_upcard_may_set_the_limit(upcard: str, oklahoma: Oklahoma, limit: int) -> None:
    """With `oklahoma` the card first turned up sets the limit of its deal, wherever it is by now."""
    options = rules(oklahoma=oklahoma)
    state = holding("4S 5S 6S 7C 8C 9C KS KC 3D AC 9H", "5H", options=options, upcard=upcard)
    assert dict(faults(state, knock("AC"))[0].arguments)["limit"] == str(limit)
    for deadwood, rest in ((1, "AC"), (4, "4D"), (10, "JD")):
        knocked = holding(f"4S 5S 6S {rest} KS", "5H", options=options, upcard=upcard)
        assert is_accepted(knocked, knock("KS")) == (deadwood <= limit)


# --- GI-6: the knocker's arrangement ----------------------------------------------------------------------------------


def test_gi_6_the_knocker_may_choose_the_arrangement() -> None:
    """5S is in the set or in the sequence, as he says; that decides what can be laid off."""
    hand = "5S 5H 5D 6S 7S 8S 2C KS"
    as_set = applied(holding(hand, "5C 9S JD"), knock("KS", "5S 5H 5D", "6S 7S 8S"))
    as_run = applied(holding("5S 5H 5D 5C 6S 7S 8S 2C KS", "9S JD"), knock("KS", "5H 5D 5C", "8S 7S 5S 6S"))

    assert on_table(as_set.state) == ["5S 5H 5D 5C", "6S 7S 8S 9S"]
    assert on_table(as_run.state) == ["5H 5D 5C", "5S 6S 7S 8S 9S"]


def test_gi_6_another_arrangement_may_have_more_deadwood() -> None:
    """A knocker may leave a meld unmade; his deadwood is then that of the arrangement he shows."""
    state = holding("4S 5S 6S 2C 2D 2H KS")

    assert applied(state, knock("KS")).state.deal_end is DealEnd.GIN
    outcome = applied(state, knock("KS", "4S 5S 6S"))
    assert outcome.state.deal_end is DealEnd.KNOCK
    assert only(outcome.events, Knocked).deadwood_points == 6
    (fault,) = faults(state, knock("KS", "2C 2D 2H"))
    assert (fault.reason, dict(fault.arguments)["deadwood"]) == (Reason.TOO_MUCH_DEADWOOD, "15")


@pytest.mark.parametrize(
    ("melds", "wrong"),
    [
        (["4S 5S 6S", "6S 7S 8S"], "6S 7S 8S"),
        (["4S 5S"], "4S 5S"),
        (["4S 5S 7S"], "4S 5S 7S"),
        (["9S 10S JS"], "9S 10S JS"),
        (["6S 7S 8S KS"], "6S 7S 8S KS"),
        (["4S 4S 5S 6S"], "4S 5S 6S"),
        (["JK 5S 6S"], "5S 6S JK"),
        ([""], ""),
    ],
)
def test_gi_6_a_wrong_arrangement_is_refused(melds: list[str], wrong: str) -> None:
    """Named melds have to be melds of the cards kept, each card in one; the violation names the cards that are not."""
    (fault,) = faults(holding("4S 5S 6S 7S 8S KS"), knock("KS", *melds))
    assert (fault.reason, texts(fault.cards)) == (Reason.KNOCK_MELDS_WRONG, wrong)


def test_gi_6_the_chosen_arrangement_is_the_most_closed_one() -> None:
    """Where the knocker does not choose, of equal arrangements the one is taken on which least could be laid off."""
    outcome = applied(holding("5S 6S 7S 5H 6H 7H 5D 6D 7D 2C KS", "AH 3H"), knock("KS"))
    assert on_table(outcome.state) == ["5S 5H 5D", "6S 6H 6D", "7S 7H 7D"]


# --- GI-8: laying off -------------------------------------------------------------------------------------------------


def test_gi_8_the_defender_lays_off_on_the_knockers_melds() -> None:
    """What the defender can add to the knocker's melds counts no more; chains are allowed."""
    outcome = applied(holding("5S 6S 7S JH JD JC 2C KS", "8S 9S JS KD 4D"), knock("KS"))

    first, second = (event for event in outcome.events if isinstance(event, LaidOff))
    assert (first.seat, texts(first.cards), texts(first.meld.cards)) == (1, "8S 9S", "5S 6S 7S 8S 9S")
    assert (second.seat, texts(second.cards), texts(second.meld.cards)) == (1, "JS", "JS JH JD JC")
    assert held(outcome.state, 1) == "4D KD"
    assert lines(sheet_of(outcome), 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 12)]


def test_gi_8_his_own_melds_come_first_where_that_is_better() -> None:
    """He melds and lays off so that least is left: 8S is worth more in his own set than on the sequence."""
    outcome = applied(holding("5S 6S 7S 2C KS", "8S 8H 8D 9S"), knock("KS"))
    assert held(outcome.state, 1) == "8S 9S 8H 8D"
    assert sheet_of(outcome).deal_points == (7, 0)

    spared = applied(holding("5S 6S 7S 2C KS", "8S 8H 8D 8C 9S"), knock("KS"))
    assert on_table(spared.state) == ["5S 6S 7S 8S 9S"]
    assert held(spared.state, 1) == "8H 8D 8C"


def test_gi_8_nothing_is_laid_off_that_need_not_be() -> None:
    """A card that is in a meld of his own stays there if laying it off saves nothing."""
    outcome = applied(holding("5S 6S 7S 2C KS", "8S 8H 8D 8C"), knock("KS"))
    assert "LaidOff" not in names(outcome.events)


def test_gi_8_a_sequence_grows_at_both_ends() -> None:
    """Cards may follow one another at either end."""
    outcome = applied(holding("5S 6S 7S 2C KS", "4S 8S 3S QD"), knock("KS"))
    assert on_table(outcome.state) == ["3S 4S 5S 6S 7S 8S"]


def test_gi_8_the_knocker_never_lays_off() -> None:
    """The knocker's deadwood counts even if it would fit a meld of the defender's."""
    outcome = applied(holding("5S 6S 7S 2D KS", "2S 2H 2C QD"), knock("KS"))
    assert held(outcome.state, 0) == "2D"
    assert sheet_of(outcome).deal_points == (8, 0)


def test_gi_8_the_defender_is_not_asked() -> None:
    """The lay-offs are part of the knock: there is no phase for them."""
    assert Phase.LAY_OFF not in GIN_GAME.phases
    assert MoveKind.LAY_OFF not in {kind for kind in MoveKind if kind in GIN_GAME.open_kinds(holding("4S KS"), 0)}


# --- GI-9: the count --------------------------------------------------------------------------------------------------


def test_gi_9_the_lower_knocker_scores_the_difference() -> None:
    """The knocker who has less deadwood scores the difference, the other nothing."""
    outcome = applied(holding("4S 5S 6S 2C KS", "JD 9H"), knock("KS"))
    sheet = sheet_of(outcome)

    assert lines(sheet, 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 17)]
    assert lines(sheet, 1) == []
    assert (sheet.deal_points, sheet.match_points, outcome.state.points) == ((17, 0), (17, 0), (17, 0))
    assert (outcome.state.deals_won, outcome.state.deals_scored) == ((1, 0), 1)
    assert (sheet.deal_number, sheet.deal_end, sheet.closed_by_side) == (1, DealEnd.KNOCK, 0)


def test_gi_9_undercut() -> None:
    """A defender who has less scores the difference and 25; 10 on the classic scale."""
    for options, bonus in ((rules(), 25), (CLASSIC, 10)):
        outcome = applied(holding("4S 5S 6S 7C KS", "AD 3H", options=options), knock("KS"))
        assert lines(sheet_of(outcome), 1) == [(ScoreItem.DEADWOOD_DIFFERENCE, 3), (ScoreItem.UNDERCUT, bonus)]
        assert outcome.state.points == (0, 3 + bonus)
        assert outcome.state.deals_won == (0, 1)
        assert outcome.state.knocker == 0


def test_gi_9_laying_off_may_undercut() -> None:
    """What the defender lays off counts for the undercut."""
    outcome = applied(holding("4S 5S 6S 7C KS", "3S 7S 8S 2D"), knock("KS"))
    assert outcome.state.points == (0, 5 + 25)


# --- GI-10: gin -------------------------------------------------------------------------------------------------------


def test_gi_10_gin_scores_the_deadwood_and_25() -> None:
    """A knock without deadwood is gin: the opponent's deadwood and 25; 20 on the classic scale."""
    for options, bonus in ((rules(), 25), (CLASSIC, 20)):
        outcome = applied(holding(f"{GIN_HAND} KS", "AD 3H", options=options), knock("KS"))
        assert outcome.state.deal_end is DealEnd.GIN
        assert lines(sheet_of(outcome), 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 4), (ScoreItem.GIN, bonus)]


def test_gi_10_no_lay_off_on_gin() -> None:
    """Nothing is laid off on gin."""
    outcome = applied(holding(f"{GIN_HAND} KS", "3S 7S 9D"), knock("KS"))
    assert "LaidOff" not in names(outcome.events)
    assert outcome.state.points == (19 + 25, 0)


def test_gi_10_gin_cannot_be_undercut() -> None:
    """Not even by a defender without deadwood."""
    outcome = applied(holding(f"{GIN_HAND} KS", "8S 9S 10S"), knock("KS"))
    assert lines(sheet_of(outcome), 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 0), (ScoreItem.GIN, 25)]
    assert outcome.state.points == (25, 0)


def test_gi_10_a_limit_of_0_is_gin_only() -> None:
    """With `knock_limit` 0 nobody knocks but with gin."""
    gin_only = rules(knock_limit=0)
    assert refused(holding("4S 5S 6S AC KS", options=gin_only), knock("KS")) == [Reason.TOO_MUCH_DEADWOOD]
    assert is_accepted(holding("4S 5S 6S KS", options=gin_only), knock("KS"))


# --- GI-11: big gin ---------------------------------------------------------------------------------------------------

ELEVEN = "4S 5S 6S 7H 7D 7C 9D 10D JD QD KD"
BIG = rules(big_gin_bonus=31)


def test_gi_11_big_gin_where_it_exists() -> None:
    """All eleven cards in melds and no discard: the bonus is that of big gin."""
    outcome = applied(holding(ELEVEN, "AD 3H", options=BIG), knock(""))

    assert names(outcome.events) == ["Knocked", "DealEnded", "DealScored"]
    assert lines(sheet_of(outcome), 0) == [(ScoreItem.DEADWOOD_DIFFERENCE, 4), (ScoreItem.GIN, 31)]
    assert outcome.state.deal_end is DealEnd.GIN
    assert outcome.state.discard == holding(ELEVEN, "AD 3H").discard


def test_gi_11_plain_gin_stays_possible() -> None:
    """Whoever has big gin may still discard, for gin."""
    state = holding(ELEVEN, "AD 3H", options=BIG)
    assert lines(sheet_of(applied(state, knock("KD"))), 0)[1] == (ScoreItem.GIN, 25)
    legal = GIN_GAME.legal_moves(state, 0, 100)
    knocks = [texts(group.required) for group in legal.groups]
    assert knocks[0] == ""
    assert {"9D", "KD"} < set(knocks)


def test_gi_11_big_gin_needs_all_eleven() -> None:
    """With deadwood among the eleven it is refused."""
    (fault,) = faults(table(f"{GIN_HAND} AC", options=BIG), knock(""))
    assert fault.reason is Reason.TOO_MUCH_DEADWOOD
    assert dict(fault.arguments) == {"deadwood": "1", "limit": "0"}
    assert refused(table(ELEVEN, options=BIG), knock("", "4S 5S 6S")) == [Reason.TOO_MUCH_DEADWOOD]
    assert is_accepted(table(ELEVEN, options=BIG), knock("", "4S 5S 6S", "7H 7D 7C", "9D 10D JD QD KD"))


def test_gi_11_off_by_default() -> None:
    """Without the option a knock needs its discard."""
    assert refused(table(ELEVEN), knock("")) == [Reason.CLOSE_NEEDS_DISCARD]
    assert all(group.required for group in GIN_GAME.legal_moves(table(ELEVEN), 0, 100).groups)


# --- the list ---------------------------------------------------------------------------------------------------------


def test_the_list_has_a_knock_for_each_discard_that_allows_it() -> None:
    """A group stands for one knock, named by its discard."""
    legal = GIN_GAME.legal_moves(holding("4S 5S 6S 2C KS", "AD"), 0, 100)

    assert legal.plain == (MoveKind.RESIGN,)
    assert texts(legal.discards) == "4S 5S 6S KS 2C"
    assert [(group.kind, texts(group.required), group.plays) for group in legal.groups] == [
        (MoveKind.KNOCK, "KS", 1),
        (MoveKind.KNOCK, "2C", 1),
    ]
    assert (legal.total, legal.truncated) == (8, False)
    assert GIN_GAME.legal_moves(holding("4S 5S 6S 2C 9H KS", "AD"), 0, 100).groups == ()


def test_the_list_is_cut_deterministically() -> None:
    """Plain moves come first, then discards, then knocks."""
    state = holding("4S 5S 6S 2C KS", "AD")
    whole = GIN_GAME.legal_moves(state, 0, 100)
    for most in range(10):
        legal = GIN_GAME.legal_moves(state, 0, most)
        assert (legal.total, legal.truncated) == (min(most, 8), most < 8)
        assert len(legal.plain) + len(legal.discards) + len(legal.groups) == legal.total
        assert legal.plain == whole.plain[: len(legal.plain)]
        assert legal.discards == whole.discards[: len(legal.discards)]
        assert legal.groups == whole.groups[: len(legal.groups)]
