"""B2-9 to B2-16 and R8: Burraco for two (seed 003), the end of a deal and the points."""

from dataclasses import fields

import pytest

from service.rules.burraco.kinds import bonus
from service.rules.events import Closed
from service.rules.moves import DRAW_STOCK, RESIGN, TAKE_PILE, TIME_OUT_TURN
from service.rules.options import BurracoRules, PileTake, PozzettoVisibleAfter, StockEnd
from service.rules.presets import ITALIAN, TWO_PLAYER
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import DealEnd, MatchEnd, Phase, Result, State
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    DIRTY_BURRACO,
    add,
    after,
    applied,
    drop,
    holds,
    is_accepted,
    lay,
    lines,
    names,
    new_match,
    on_table,
    only,
    refused,
    sheet_of,
)
from tests.support.checks import defects
from tests.support.tables import meld, rules
from tests.variants.duel import QUICK, USED, closable, duel, facing

# --- B2-9 to B2-12: the end of a deal ---------------------------------------------------------------------------------


def test_b2_9_closing_by_melding() -> None:
    """With the pozzetto taken and a burraco down, the last card may be melded: no discard is needed."""
    outcome = applied(closable("7H 8H 9H", CLEAN_BURRACO), lay("7H 8H 9H"))

    assert names(outcome.events)[:2] == ["Melded", "Closed"]
    assert only(outcome.events, Closed).seat == 0
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(outcome), 0)


def test_b2_9_closing_by_discarding() -> None:
    """The last card may be discarded as well."""
    outcome = applied(closable("9C", DIRTY_BURRACO), drop("9C"))

    assert outcome.state.deal_end is DealEnd.CLOSED
    assert outcome.state.closed_by == 0


def test_b2_9_with_the_burraco_that_is_just_made() -> None:
    """The meld that closes may be the burraco itself."""
    outcome = applied(closable("9S 10S", "4S 5S 6S 7S 8S"), add(1, "9S 10S"))

    assert outcome.state.deal_end is DealEnd.CLOSED


@pytest.mark.parametrize("wild", ["JK", "2H"])
def test_b2_10_the_closing_discard_may_be_a_wild(wild: str) -> None:
    """The closing discard may be a wild, unless an option forbids it."""
    strict = rules(TWO_PLAYER, close_with_wild_discard=False)

    assert after(closable(wild, CLEAN_BURRACO), drop(wild)).deal_end is DealEnd.CLOSED
    assert refused(closable(wild, CLEAN_BURRACO, options=strict), drop(wild)) == [Reason.CLOSE_WITH_WILD]


def test_b2_11_without_a_burraco_no_hand_runs_out() -> None:
    """After the pozzetto and without a burraco neither a meld nor a discard may leave no card to discard and keep."""
    assert refused(closable("7H 8H 9H"), lay("7H 8H 9H")) == [Reason.MUST_KEEP_TWO]
    assert refused(closable("7H 8H 9H KC"), lay("7H 8H 9H")) == [Reason.MUST_KEEP_TWO]
    assert is_accepted(closable("7H 8H 9H KC QC"), lay("7H 8H 9H"))
    assert refused(closable("9C"), drop("9C")) == [Reason.CLOSE_NEEDS_BURRACO]


def test_b2_11_with_a_burraco_it_may() -> None:
    """With a burraco one card may be left, or none."""
    assert is_accepted(closable("7H 8H 9H JK", CLEAN_BURRACO), lay("7H 8H 9H"))
    assert after(closable("7H 8H 9H", CLEAN_BURRACO), lay("7H 8H 9H")).deal_end is DealEnd.CLOSED


def running_out(other: str, **fields: object) -> State:
    """Seat 0 has drawn the last card of the stock; seat 1 holds this hand."""
    state = duel("8C KD", other, stock="3D", pile="4H", phase=Phase.DRAW, **fields)
    return after(state, DRAW_STOCK)


def test_b2_12_stock_empty_and_top_card_usable() -> None:
    """With the stock empty the deal goes on while the top card can be used."""
    state = after(running_out("7C 9C 3S 4S"), drop("8C"))

    assert (state.deal_end, state.stock, state.seat) == (DealEnd.NOT_ENDED, b"", 1)


def test_b2_12_stock_empty_and_top_card_unusable() -> None:
    """With the stock empty and a top card that cannot be used the deal ends and is counted, without a closing bonus."""
    outcome = applied(running_out("7C 9D 3S 4S"), drop("8C"))

    assert names(outcome.events) == ["Discarded", "TurnStarted", "DealEnded", "DealScored"]
    assert (outcome.state.deal_end, outcome.state.deals_scored) == (DealEnd.STOCK, 1)
    assert lines(sheet_of(outcome), 0) == [(ScoreItem.POZZETTO_NOT_TAKEN, -100), (ScoreItem.HAND_CARDS, -15)]


def test_b2_12_two_cards_left_end_nothing() -> None:
    """The two-card end of the Italian game does not apply: the last two cards are drawn like any others."""
    state = duel("8C KD", "7C 9D", stock="3D 5D 6D", pile="4H", phase=Phase.DRAW)
    state = after(state, DRAW_STOCK, drop("8C"), DRAW_STOCK, drop("7C"), DRAW_STOCK)

    assert (state.stock, state.deal_end) == (b"", DealEnd.NOT_ENDED)


def test_r8_he_has_to_take_the_pile() -> None:
    """With the stock empty a player who can use the top card has to take the pile: nothing else is open to him."""
    state = after(running_out("7C 9C 3S 4S"), drop("8C"))

    assert refused(state, DRAW_STOCK) == [Reason.STOCK_EMPTY]
    assert refused(state, drop("3S")) == [Reason.MUST_DRAW_FIRST]
    assert view(state, 1).open_kinds == (TAKE_PILE.kind, RESIGN.kind)
    assert on_table(after(state, TAKE_PILE, lay("7C 8C 9C")), side=1) == ["7C 8C 9C"]


def test_r8_an_absent_player_takes_it_too() -> None:
    """The completion of an absent player's turn takes the pile, melds what it obliges to, and discards."""
    state = after(running_out("7C 9C 3S 4S"), drop("8C"), TIME_OUT_TURN)

    assert on_table(state, side=1) == ["7C 8C 9C"]
    assert holds(state, 1, "4H 4S")


# --- B2-13, B2-14: points ---------------------------------------------------------------------------------------------


def test_b2_13_a_deal_counted() -> None:
    """Melds and bonuses count, cards in hand count against, and 100 goes for a pozzetto not taken."""
    outcome = applied(closable("7H 8H 9H", CLEAN_BURRACO, DIRTY_BURRACO.replace("S", "D")), lay("7H 8H 9H"))
    sheet = sheet_of(outcome)

    assert lines(sheet, 0) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.MELD_CARDS, 70),
        (ScoreItem.MELD_CARDS, 25),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.DIRTY_BURRACO, 100),
        (ScoreItem.CLOSING, 100),
    ]
    assert lines(sheet, 1) == [(ScoreItem.POZZETTO_NOT_TAKEN, -100), (ScoreItem.HAND_CARDS, -20)]
    assert sheet.deal_points == (545, -120)


@pytest.mark.parametrize(
    ("options", "before", "result"),
    [
        (TWO_PLAYER, 1650, None),
        (TWO_PLAYER, 1655, Result(MatchEnd.TARGET, (0,))),
        (QUICK, 650, None),
        (QUICK, 655, Result(MatchEnd.TARGET, (0,))),
    ],
)
def test_b2_14_the_first_to_reach_the_target_wins(options: BurracoRules, before: int, result: Result | None) -> None:
    """The first to reach 2005 wins, or 1005 in the quick game; the deal closed here is worth 350."""
    outcome = applied(closable("9C", CLEAN_BURRACO, points=(before, 0), options=options), drop("9C"))

    assert outcome.state.points == (before + 350, -120)
    assert outcome.state.result == result
    assert outcome.state.phase is (Phase.MATCH_OVER if result else Phase.DEAL_OVER)


@pytest.mark.parametrize(("other", "result"), [(1880, Result(MatchEnd.TARGET, (1,))), (1875, None)])
def test_b2_14_both_in_one_deal(other: int, result: Result | None) -> None:
    """If both reach it in one deal the higher total wins; if they are equal another deal is played."""
    burraco = "4H 5H 6H 7H 8H 9H 10H"
    state = duel("9C", "KD QD", melds={0: [CLEAN_BURRACO], 1: [burraco]}, taken_by=USED, points=(1655, other))
    outcome = applied(state, drop("9C"))

    assert outcome.state.points == (2005, other + 130)
    assert outcome.state.result == result


def test_b2_15_the_one_card_of_a_pile_is_melded() -> None:
    """A one-card pile, too, is taken for a meld: its card cannot be discarded again, and no stalemate comes of it."""
    state = after(facing("8C", "7C 9C KD QD"), TAKE_PILE)

    assert refused(state, drop("8C")) == [Reason.MUST_MELD_TOP_CARD, Reason.DISCARD_WAS_WHOLE_PILE]
    assert after(state, lay("7C 8C 9C"), drop("KD")).stalemate_turns == 0


def test_b2_16_no_semi_clean_burraco() -> None:
    """Seven naturals and a wild are a dirty burraco."""
    assert bonus(meld("JK(=2S) 3S 4S 5S 6S 7S 8S 9S"), TWO_PLAYER) == 100


def test_what_the_preset_changes() -> None:
    """The preset differs from the Italian one in what seed 003 says differently, and in nothing else."""
    keys = {field.name for field in fields(TWO_PLAYER) if not field.name.startswith("_")} - {"preset"}

    assert {key: getattr(TWO_PLAYER, key) for key in keys if getattr(TWO_PLAYER, key) != getattr(ITALIAN, key)} == {
        "pile_take": PileTake.TOP_CARD_USABLE,
        "close_requires_discard": False,
        "close_with_wild_discard": True,
        "stock_end": StockEnd.EMPTY_AND_TOP_UNUSABLE,
        "players": 2,
        "hand_size": 13,
        "target": 2005,
        "pozzetto_visible_after": PozzettoVisibleAfter.OWN_NEXT_TURN,
    }


def test_two_may_play_by_the_seeds_of_four() -> None:
    """Two players may also play the other presets' rules, with 11 cards each and a pozzetto of his own for each."""
    options = rules(ITALIAN, players=2)
    state = new_match(options, dealer=1)

    assert defects(options) == []
    assert [hand.size for hand in state.hands] == [11, 11]
    assert (len(state.stock), len(state.pozzetti)) == (63, 2)
    assert after(state, RESIGN).result == Result(MatchEnd.RESIGNED, (1,))
