"""E31 to E47: pile, pozzetto, closing. E45 to E47 as far as the options of four players allow them."""

import pytest

from service.rules.moves import CALL_TIME, DECLARE_STALEMATE, DRAW_STOCK, NEXT_DEAL, TAKE_PILE
from service.rules.options import BurracoRules, UnplayedPozzetto
from service.rules.presets import FIBUR, ITALIAN, TWO_PLAYER
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, MatchEnd, Phase, Result, State
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    after,
    applied,
    drop,
    held,
    holds,
    is_accepted,
    lay,
    lines,
    on_table,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.tables import rules, table

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
USED = (0, NOBODY)
POZZETTO = "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
"""Worth 85."""


def e31(hand: str, preset: BurracoRules) -> State:
    """The pile has one card, 9D; seat 0 has a burraco down, its pozzetto used, and a meld that takes 2C."""
    state = table(
        hands=[hand],
        melds={0: [CLEAN_BURRACO, "4H 5H 6H"]},
        pile="9D",
        phase=Phase.DRAW,
        taken_by=USED,
        options=preset,
    )
    return after(state, TAKE_PILE)


@BOTH
def test_e31_closing_with_the_only_card_of_the_pile(preset: BurracoRules) -> None:
    """With `2C` in hand, taking 9D, laying off 2C and closing with 9D is refused."""
    state = e31("2C", preset)

    assert refused(state, add(2, "2C")) == [Reason.LAST_CARD_NOT_DISCARDABLE]
    assert refused(state, drop("9D")) == [Reason.DISCARD_WAS_WHOLE_PILE]
    assert is_accepted(state, drop("2C"))


@BOTH
def test_e31_with_its_twin_in_hand(preset: BurracoRules) -> None:
    """With 9D in hand beforehand it may be discarded: the copies cannot be told apart."""
    state = e31("2C 9D", preset)

    assert is_accepted(state, drop("9D"))
    # After the two is laid off both nines are left: one goes, and the other stays in hand.
    state = after(state, add(2, "2C"), drop("9D"))
    assert holds(state, 0, "9D")


@BOTH
def test_e31_the_same_rank_is_no_exception(preset: BurracoRules) -> None:
    """With 9S in hand he may discard 9S, not 9D."""
    state = after(e31("2C 9S", preset), add(2, "2C"))

    assert refused(state, drop("9D")) == [Reason.DISCARD_WAS_WHOLE_PILE]
    assert is_accepted(state, drop("9S"))


@BOTH
def test_e32_a_pile_of_two(preset: BurracoRules) -> None:
    """From a pile `4H 9D` both are taken and 9D may be discarded."""
    state = table(hands=["2C 5C"], pile="4H 9D", phase=Phase.DRAW, options=preset)

    assert is_accepted(after(state, TAKE_PILE), drop("9D"))


@BOTH
def test_e33_melding_everything_with_the_pozzetto_there(preset: BurracoRules) -> None:
    """Whoever melds everything takes the pozzetto at once, goes on, and has to discard at the end."""
    state = table(hands=["7S 8S 9S"], pozzetti=[POZZETTO, "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD"], options=preset)
    state = after(state, lay("7S 8S 9S"))

    assert (state.seat, state.phase) == (0, Phase.PLAY)
    assert holds(state, 0, POZZETTO)
    # All of it but one card may be melded; that one closes, for the pozzetto made the burraco.
    assert refused(state, lay(POZZETTO)) == [Reason.MUST_KEEP_CLOSING_DISCARD]


@BOTH
def test_e33_closing_in_that_very_turn(preset: BurracoRules) -> None:
    """If a burraco is down then, he may close in this very turn."""
    state = table(
        hands=["4S 5S 6S 7S 8S 9S 10S"], pozzetti=[POZZETTO, "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD"], options=preset
    )
    state = after(state, lay("4S 5S 6S 7S 8S 9S 10S"), lay("3C 4C 5C 6C 7C 8C 9C 10C JC QC"), drop("KC"))

    assert (state.deal_end, state.closed_by) == (DealEnd.CLOSED, 0)


@BOTH
def test_e34_discarding_a_joker_to_the_pozzetto(preset: BurracoRules) -> None:
    """With the pozzetto there, melding all but a joker and discarding it is legal; the turn ends."""
    state = after(table(hands=["7S 8S 9S JK"], options=preset), lay("7S 8S 9S"), drop("JK"))

    assert state.taken_by == (0, NOBODY)
    assert state.unseen == (True, False, False, False)
    assert state.seat == 1


@BOTH
def test_e36_no_burraco_and_one_card_left(preset: BurracoRules) -> None:
    """With the pozzetto used and no burraco, the last card may not be discarded, nor melding lead there."""
    one_left = table(hands=["KD"], taken_by=USED, options=preset)
    melding = table(hands=["7S 8S 9S KD"], taken_by=USED, options=preset)

    assert refused(one_left, drop("KD")) == [Reason.CLOSE_NEEDS_BURRACO]
    assert refused(melding, lay("7S 8S 9S")) == [Reason.MUST_KEEP_TWO]


@pytest.mark.parametrize(
    ("preset", "line"),
    [
        (ITALIAN, (ScoreItem.HAND_CARDS, -85)),
        (FIBUR, (ScoreItem.HAND_CARDS, -85)),
        (rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN), (ScoreItem.POZZETTO_NOT_PLAYED, -100)),
    ],
    ids=["italian", "fibur", "as not taken"],
)
def test_e38_opponents_close_on_a_face_down_pozzetto(preset: BurracoRules, line: tuple[ScoreItem, int]) -> None:
    """A pozzetto still face-down when the opponents close costs the value of its 11 cards, not 100."""
    state = table(
        hands=["QH", "KD", "9H QH", "QD"],
        melds={0: [CLEAN_BURRACO, "6H 7H 8H"]},
        taken_by=USED,
        pozzetti=[POZZETTO],
        seat=1,
        stock="10H",
        stock_count=20,
        options=preset,
    )
    state = after(state, drop("KD"))
    assert state.unseen == (False, True, False, False)
    outcome = applied(after(state, DRAW_STOCK, add(2, "9H 10H")), drop("QH"))

    assert outcome.state.closed_by == 2
    assert not any(seat.unseen for seat in view(outcome.state, 3).seats)  # now all hands lie open (B4-28)
    assert sorted(lines(sheet_of(outcome), 1)) == sorted([(ScoreItem.HAND_CARDS, -10), line])


@pytest.mark.parametrize(("preset", "points"), [(ITALIAN, (-140, -125)), (FIBUR, (-35, -25))], ids=["italian", "fibur"])
def test_e40_neither_side_took_a_pozzetto(preset: BurracoRules, points: tuple[int, int]) -> None:
    """If the stock ends and neither side took a pozzetto, each loses 100 in the seeds, none in the federation."""
    state = table(hands=["7C 3D KD", "QC", "10C", "AC"], stock="9H 3D 4D", pile="5C", phase=Phase.DRAW, options=preset)
    outcome = applied(state, DRAW_STOCK)
    if preset is FIBUR:
        outcome = applied(outcome.state, drop("3D"))

    # 7C 3D KD 9H (the federation discards 3D) and 10C; QC and AC.
    assert sheet_of(outcome).deal_points == points


@BOTH
def test_e41_the_pile_goes_round(preset: BurracoRules) -> None:
    """If all only swap the one card of the pile the callers may end the deal; it is counted, without a bonus."""
    state = table(hands=["4C 9H", "5C 10H", "6C JH", "7C QH"], pile="3C", phase=Phase.DRAW, options=preset)
    for _ in range(4):
        other = held(state, state.seat).split()[-1]
        state = after(state, TAKE_PILE, drop(other))
    outcome = applied(state, DECLARE_STALEMATE)

    assert outcome.state.deal_end is DealEnd.STALEMATE_DECLARED
    assert outcome.state.deals_scored == 1
    assert ScoreItem.CLOSING not in [item for side in (0, 1) for item, _ in lines(sheet_of(outcome), side)]


def test_e42_both_past_the_target() -> None:
    """With 2080 against 2135 the second side wins."""
    # The close is worth 340 to side 0 and -120 to side 1.
    state = after(ready_to_close(points=(1740, 2255)), drop("9C"))

    assert state.points == (2080, 2135)
    assert state.result == Result(MatchEnd.TARGET, (1,))


def test_e42_equal_totals() -> None:
    """With equal totals past the target another deal is played."""
    state = after(ready_to_close(points=(1740, 2200)), drop("9C"))

    assert state.points == (2080, 2080)
    assert state.result is None
    assert after(state, NEXT_DEAL).deal_number == 2


def test_e43_a_side_past_the_target_has_won_already() -> None:
    """2005 points end the match in the deal that brought them: nothing is left for the other side to play."""
    state = after(ready_to_close(points=(1665, 1990)), drop("9C"))

    assert state.points == (2005, 1870)
    assert state.result == Result(MatchEnd.TARGET, (0,))
    assert refused(state, NEXT_DEAL) == [Reason.MATCH_OVER]
    assert refused(state, CALL_TIME) == [Reason.MATCH_OVER]


@BOTH
@pytest.mark.parametrize("upcard", ["2H", "JK"])
def test_e44_a_wild_as_first_upcard(preset: BurracoRules, upcard: str) -> None:
    """A two or a joker turned up first stays, and the first player may take it; it is then the whole pile."""
    state = table(hands=["4S 5S 9H"], pile=upcard, phase=Phase.DRAW, options=preset)
    state = after(state, TAKE_PILE)

    assert refused(state, drop(upcard)) == [Reason.DISCARD_WAS_WHOLE_PILE]
    assert is_accepted(state, lay(f"4S 5S {upcard}"))


def test_e44_a_wild_as_first_upcard_of_two() -> None:
    """With two players it stays as well, and may be taken for a meld."""
    state = after(table(hands=["4S 5S 9H KD"], pile="2H", phase=Phase.DRAW, options=TWO_PLAYER, dealer=1), TAKE_PILE)

    assert on_table(after(state, lay("4S 5S 2H"))) == ["2H(=3S) 4S 5S"]


# --- E45 to E47: two-player rules -------------------------------------------------------------------------------------


def facing(pile: str, hand: str, *melds: str) -> State:
    """Seat 0 is to take this pile under the two-player rule."""
    return table(hands=[hand], pile=pile, melds={0: melds}, phase=Phase.DRAW, options=TWO_PLAYER, dealer=1)


def test_e45_top_card_with_two_of_the_hand() -> None:
    """Top 8C, hand `7C 9C`: legal, and `7C 8C 9C` has to be laid this turn."""
    state = after(facing("8C", "7C 9C 3S KD"), TAKE_PILE)

    assert refused(state, drop("KD")) == [Reason.MUST_MELD_TOP_CARD]
    assert on_table(after(state, lay("7C 8C 9C"))) == ["7C 8C 9C"]


def test_e45_a_wild_may_help() -> None:
    """Top 8C, hand `8D JK`: `8C 8D JK` is legal."""
    state = after(facing("8C", "8D JK 3S KD"), TAKE_PILE)

    assert on_table(after(state, lay("8C 8D JK"))) == ["8D 8C JK"]


def test_e45_two_cards_have_to_come_from_the_hand() -> None:
    """Hand `7C` with 9C below in the pile: illegal."""
    assert refused(facing("9C 8C", "7C 3S KD"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]


def test_e45_a_two_on_an_own_meld() -> None:
    """Top 2H with `5S 6S 7S` of one's own: legal, it goes on as a wild."""
    state = after(facing("2H", "3D 9D", "5S 6S 7S"), TAKE_PILE)

    assert on_table(after(state, add(1, "2H"))) == ["2H(=4S) 5S 6S 7S"]


def test_e45_a_two_that_fits_nothing() -> None:
    """Top 2H, hand `5S 9D` and no meld: illegal."""
    assert refused(facing("2H", "5S 9D"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]


def test_e46_stock_empty_and_the_top_fits() -> None:
    """With the stock empty a top card that fits lets him take the pile; if none fits, the deal ends counted."""
    fields = {"stock": "3D", "pile": "4H", "phase": Phase.DRAW, "options": TWO_PLAYER, "dealer": 1}
    fits = table(hands=["8C KD", "7C 9C 3S"], **fields)  # type: ignore[arg-type]
    fits_not = table(hands=["8C KD", "7C 9D 3S"], **fields)  # type: ignore[arg-type]

    assert is_accepted(after(fits, DRAW_STOCK, drop("8C")), TAKE_PILE)
    ended = after(fits_not, DRAW_STOCK, drop("8C"))
    assert ended.deal_end is DealEnd.STOCK
    assert ended.deals_scored == 1


def test_e47_closing_without_a_discard() -> None:
    """With `4D` alone that fits, he has to draw first; then he may lay everything and close without a discard."""
    state = table(
        hands=["4D"],
        melds={0: [CLEAN_BURRACO, "5D 6D 7D"]},
        taken_by=USED,
        stock="8D",
        stock_count=20,
        pile="KD",
        phase=Phase.DRAW,
        options=TWO_PLAYER,
        dealer=1,
    )

    assert refused(state, add(2, "4D")) == [Reason.MUST_DRAW_FIRST]
    state = after(state, DRAW_STOCK, add(2, "4D 8D"))
    assert (state.deal_end, state.closed_by) == (DealEnd.CLOSED, 0)
    assert state.discard == b"\x2d"
