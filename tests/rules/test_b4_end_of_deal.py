"""B4-31 to B4-35: closing, the stock, stalemate and time."""

import pytest

from service.rules.events import (
    Closed,
    DealEnded,
    Discarded,
    Drew,
    StalemateDeclared,
    TimeCalled,
    TookPozzetto,
    TurnStarted,
)
from service.rules.moves import CALL_TIME, DECLARE_STALEMATE, DRAW_STOCK, NEXT_DEAL, TAKE_PILE
from service.rules.options import BurracoRules, StockEnd
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, Phase, State
from tests.rules.words import (
    CLEAN_BURRACO,
    DIRTY_BURRACO,
    add,
    after,
    applied,
    card,
    drop,
    held,
    holds,
    is_accepted,
    lay,
    lines,
    names,
    only,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.tables import rules, table

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])


# --- closing ----------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    "burraco", [CLEAN_BURRACO, DIRTY_BURRACO, "KS KS KH KH KD KD KC", "JK(=2S) 3S 4S 5S 6S 7S 8S 9S"]
)
def test_b4_31_closing(preset: BurracoRules, burraco: str) -> None:
    """A side that took a pozzetto and has a burraco of any kind closes by discarding the last card."""
    outcome = applied(ready_to_close(preset, hands=["9C", "3D", "8C", "QD"], melds={0: [burraco]}), drop("9C"))

    assert names(outcome.events)[:4] == ["Discarded", "Closed", "DealEnded", "DealScored"]
    assert outcome.events[:2] == (Discarded(0, card("9C")), Closed(0))
    assert only(outcome.events, DealEnded).deal_end is DealEnd.CLOSED
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(outcome), 0)
    assert outcome.state.closed_by == 0
    assert sheet_of(outcome).closed_by_side == 0
    assert outcome.state.phase is Phase.DEAL_OVER


def test_b4_31_the_partner_may_close() -> None:
    """It is the side that has to have a pozzetto and a burraco: either partner may close."""
    state = ready_to_close(hands=["9C KD", "KD", "8C", "QD"], seat=2)

    assert after(state, drop("8C")).closed_by == 2


def test_b4_31_needs_a_burraco() -> None:
    """Without a burraco on the side's table nobody closes; the opponents' does not help."""
    state = ready_to_close(melds={0: ["4S 5S 6S 7S 8S 9S"], 1: ["4H 5H 6H 7H 8H 9H 10H"]})

    assert refused(state, drop("9C")) == [Reason.CLOSE_NEEDS_BURRACO]


def test_b4_31_needs_a_pozzetto_taken() -> None:
    """A side that took no pozzetto does not close: its last discard takes the pozzetto."""
    outcome = applied(ready_to_close(taken_by=(NOBODY, NOBODY)), drop("9C"))

    assert only(outcome.events, TookPozzetto).seat == 0
    assert outcome.state.deal_end is DealEnd.NOT_ENDED


@pytest.mark.parametrize("wild", ["JK", "2D"])
@BOTH
def test_b4_31_the_last_discard_is_no_wild(preset: BurracoRules, wild: str) -> None:
    """The closing discard is not a wild."""
    state = ready_to_close(preset, hands=[wild, "KD", "8C", "QD"])

    assert refused(state, drop(wild)) == [Reason.CLOSE_WITH_WILD]


@BOTH
def test_b4_31_the_last_discard_is_compulsory(preset: BurracoRules) -> None:
    """Closing needs a discard: the last card may not be melded."""
    state = ready_to_close(preset, hands=["JS QS", "KD", "8C", "QD"])

    assert refused(state, add(1, "JS QS")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert after(state, add(1, "JS"), drop("QS")).closed_by == 0


def test_b4_31_nothing_is_played_after_a_close() -> None:
    """A close ends the deal at once."""
    state = after(ready_to_close(), drop("9C"))

    assert refused(state, DRAW_STOCK, seat=1) == [Reason.DEAL_OVER]
    assert refused(state, drop("KD"), seat=1) == [Reason.DEAL_OVER]


def test_b4_32_closing_with_a_wild_is_refused() -> None:
    """What the table remedies afterwards is refused beforehand: keeping only a wild to close with."""
    state = ready_to_close(hands=["JS QS JK", "KD", "8C", "QD"])

    assert refused(state, add(1, "JS QS")) == [Reason.LAST_CARD_NOT_DISCARDABLE]
    assert refused(after(state, add(1, "JS")), add(1, "QS")) == [Reason.LAST_CARD_NOT_DISCARDABLE]


def test_b4_32_closing_without_a_discard_is_refused() -> None:
    """Melding the last card without a discard is refused, and the state is as it was."""
    state = ready_to_close(hands=["KH KD KC", "KD", "8C", "QD"])

    assert refused(state, lay("KH KD KC")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert holds(state, 0, "KH KD KC")


# --- the stock --------------------------------------------------------------------------------------------------------


def near_the_end(preset: BurracoRules, **fields: object) -> State:
    """Seat 0 is to draw the third-last card of the stock, 9H."""
    fields = {"hands": ["7H 8H KD", "QC", "10C", "JC"], "stock": "9H 3D 4D", "pile": "5C 6C", **fields}
    return table(options=preset, phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


def test_b4_33_at_once_in_the_seeds() -> None:
    """In the seeds the draw that leaves two cards ends the deal at once: no meld, no discard, the card counts."""
    outcome = applied(near_the_end(ITALIAN), DRAW_STOCK)

    assert names(outcome.events) == ["Drew", "DealEnded", "DealScored"]
    assert outcome.events[0] == Drew(0, card("9H"), 2)
    assert outcome.state.deal_end is DealEnd.STOCK
    assert sheet_of(outcome).closed_by_side == NOBODY
    assert lines(sheet_of(outcome), 0) == [
        (ScoreItem.POZZETTO_NOT_TAKEN, -100),
        (ScoreItem.HAND_CARDS, -35),  # 7H 8H KD and the 9H drawn
        (ScoreItem.HAND_CARDS, -10),
    ]
    assert refused(outcome.state, lay("7H 8H 9H"), seat=0) == [Reason.DEAL_OVER]
    assert refused(outcome.state, TAKE_PILE, seat=1) == [Reason.DEAL_OVER]


def test_b4_33_after_the_discard_in_the_federation() -> None:
    """In the federation the deal ends with the discard of the player who drew the third-last card."""
    state = after(near_the_end(FIBUR), DRAW_STOCK)

    assert state.phase is Phase.PLAY
    outcome = applied(after(state, lay("7H 8H 9H")), drop("KD"))
    assert "TurnStarted" not in names(outcome.events)
    assert outcome.state.deal_end is DealEnd.STOCK
    assert outcome.state.closed_by == NOBODY
    assert len(outcome.state.stock) == 2
    assert refused(outcome.state, TAKE_PILE, seat=1) == [Reason.DEAL_OVER]


def test_b4_33_the_last_two_cards_are_never_drawn() -> None:
    """With three cards left the pile may be taken, and the deal goes on; the last two cards are not played."""
    state = after(near_the_end(FIBUR), TAKE_PILE, drop("KD"))

    assert state.deal_end is DealEnd.NOT_ENDED
    assert after(state, DRAW_STOCK, drop("QC")).deal_end is DealEnd.STOCK


def test_b4_33_no_bonus_unless_he_closes() -> None:
    """Nobody earns the closing bonus when the stock ends the deal."""
    state = near_the_end(FIBUR, melds={0: [CLEAN_BURRACO]}, taken_by=(0, 1))
    outcome = applied(after(state, DRAW_STOCK), drop("KD"))

    assert [item for item, _ in lines(sheet_of(outcome), 0)] == [
        ScoreItem.MELD_CARDS,
        ScoreItem.CLEAN_BURRACO,
        ScoreItem.HAND_CARDS,
        ScoreItem.HAND_CARDS,
    ]


def test_b4_33_a_close_with_the_last_discard_counts() -> None:
    """Whoever draws the third-last card and closes in that turn earns the bonus."""
    state = near_the_end(FIBUR, melds={0: [CLEAN_BURRACO]}, taken_by=(0, 1))
    outcome = applied(after(state, DRAW_STOCK, lay("7H 8H 9H")), drop("KD"))

    assert outcome.state.deal_end is DealEnd.CLOSED
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(outcome), 0)


def test_b4_33_a_pozzetto_taken_with_the_last_discard() -> None:
    """A pozzetto may still be taken with the last discard; the deal ends all the same."""
    state = near_the_end(FIBUR, hands=["7H 8H KD", "QC", "10C", "JC"])
    outcome = applied(after(state, DRAW_STOCK, lay("7H 8H 9H")), drop("KD"))

    assert names(outcome.events) == ["Discarded", "TookPozzetto", "DealEnded", "DealScored"]


# --- stalemate --------------------------------------------------------------------------------------------------------


def swapping(preset: BurracoRules = ITALIAN, **fields: object) -> State:
    """A pile of one card; each seat holds two others."""
    fields = {"hands": ["4C 9H", "5C 10H", "6C JH", "7C QH"], "pile": "3C", "phase": Phase.DRAW, **fields}
    return table(options=preset, stock_count=20, **fields)  # type: ignore[arg-type]


def swap(state: State, turns: int) -> State:
    """Let the seats take the one card of the pile and discard another, turn after turn."""
    for _ in range(turns):
        other = held(state, state.seat).split()
        state = after(state, TAKE_PILE)
        state = after(state, drop(other[-1]))
    return state


def test_b4_34_a_pile_that_goes_round_ends_the_deal() -> None:
    """A pile of one card that the players only take and discard ends the deal after two rounds: eight turns."""
    state = swap(swapping(), 7)

    assert state.deal_end is DealEnd.NOT_ENDED
    state = swap(state, 1)
    assert state.deal_end is DealEnd.STALEMATE_AUTOMATIC
    assert state.deals_scored == 1


def test_b4_34_a_draw_starts_the_count_again() -> None:
    """A draw from the stock breaks the chain."""
    state = draw_and_drop(swap(swapping(), 7))
    assert state.stalemate_turns == 0
    assert state.deal_end is DealEnd.NOT_ENDED


def test_b4_34_a_meld_starts_the_count_again() -> None:
    """A turn in which the taken card is melded breaks the chain."""
    state = swap(swapping(melds={1: ["3H 4H 5H"]}, hands=["4C 9H", "5C 10H", "6C JH", "6H 8C QH"]), 3)
    assert state.stalemate_turns == 3
    state = after(state, TAKE_PILE, add(1, "6H"))
    state = after(state, drop("8C"))
    assert state.stalemate_turns == 0


def test_b4_34_a_larger_pile_is_no_stalemate() -> None:
    """Only turns that take a pile of one card count."""
    state = after(swapping(pile="3C 3H"), TAKE_PILE, drop("3C"))

    assert state.stalemate_turns == 0


def test_b4_34_may_be_declared() -> None:
    """Once the pile has gone round, the player to move may declare the stalemate; the deal is counted."""
    outcome = applied(swap(swapping(), 4), DECLARE_STALEMATE)

    assert outcome.events[0] == StalemateDeclared(0)
    assert names(outcome.events) == ["StalemateDeclared", "DealEnded", "DealScored"]
    assert outcome.state.deal_end is DealEnd.STALEMATE_DECLARED
    assert ScoreItem.CLOSING not in [item for side in (0, 1) for item, _ in lines(sheet_of(outcome), side)]


def test_b4_34_not_before_the_pile_has_gone_round() -> None:
    """Before that there is no stalemate to declare."""
    assert refused(swap(swapping(), 3), DECLARE_STALEMATE) == [Reason.NO_STALEMATE]
    assert refused(swapping(), DECLARE_STALEMATE) == [Reason.NO_STALEMATE]


# --- time -------------------------------------------------------------------------------------------------------------


def draw_and_drop(state: State) -> State:
    """Play a turn: draw, and discard the first card of the hand."""
    first = held(state, state.seat).split()[0]
    return after(state, DRAW_STOCK, drop(first))


def test_b4_35_time_gives_everyone_one_more_turn() -> None:
    """When time is called before a draw, four turns follow, that one included, and the deal ends."""
    outcome = applied(swapping(), CALL_TIME)
    assert outcome.events == (TimeCalled(0, 4),)

    state = outcome.state
    for _ in range(3):
        state = draw_and_drop(state)
    assert state.deal_end is DealEnd.NOT_ENDED
    state = draw_and_drop(state)
    assert state.deal_end is DealEnd.TIME


def test_b4_35_the_turn_in_progress_is_finished_first() -> None:
    """When time is called in the middle of a turn, that turn is finished and four more follow."""
    state = after(swapping(), DRAW_STOCK, CALL_TIME, drop("4C"))
    for _ in range(3):
        state = draw_and_drop(state)
    assert state.deal_end is DealEnd.NOT_ENDED
    assert state.seat == 0
    assert draw_and_drop(state).deal_end is DealEnd.TIME


def test_b4_35_nobody_earns_the_closing_bonus() -> None:
    """When time ends the deal nobody earns the closing bonus."""
    state = after(swapping(), CALL_TIME)
    for _ in range(3):
        state = draw_and_drop(state)
    outcome = applied(after(state, DRAW_STOCK), drop("7C"))

    assert ScoreItem.CLOSING not in [item for side in (0, 1) for item, _ in lines(sheet_of(outcome), side)]


def test_b4_35_a_close_in_the_last_round_counts() -> None:
    """Whoever closes in the last round earns the bonus."""
    state = after(ready_to_close(phase=Phase.PLAY), CALL_TIME)
    outcome = applied(state, drop("9C"))

    assert outcome.state.deal_end is DealEnd.CLOSED
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(outcome), 0)


def test_b4_35_the_next_deal_is_not_timed() -> None:
    """Time was called for one deal: the next one is played without it."""
    state = after(swapping(), CALL_TIME)
    for _ in range(4):
        state = draw_and_drop(state)
    state = after(state, NEXT_DEAL)
    for _ in range(6):
        state = draw_and_drop(state)
    assert state.deal_end is DealEnd.NOT_ENDED


def test_b4_33_other_stock_ends_are_options() -> None:
    """The seeds end the deal at once, the federation after the discard."""
    assert ITALIAN.stock_end is StockEnd.IMMEDIATE
    assert FIBUR.stock_end is StockEnd.AFTER_DISCARD
    after_discard = near_the_end(rules(stock_end=StockEnd.AFTER_DISCARD))
    assert is_accepted(after(after_discard, DRAW_STOCK), drop("KD"))


def test_b4_33_play_goes_on_before_that() -> None:
    """With four cards left the draw ends nothing."""
    outcome = applied(after(near_the_end(ITALIAN, stock="9H 3D 4D 5D"), DRAW_STOCK), drop("KD"))

    assert outcome.events[-1] == TurnStarted(1)
