"""§0.4: the rulings, which override the rest of the rule book."""

from collections import Counter
from itertools import combinations

import pytest

from service.rules.burraco.kinds import bonus
from service.rules.burraco.legal import legal_moves
from service.rules.events import MatchStarted
from service.rules.games import SeatChoice, create_match, game_of
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, TAKE_PILE, LayMeld, LayOff
from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    NextDealer,
    PileTake,
    SemicleanDefinition,
    StockEnd,
)
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, Fairness, Phase, State, Turn
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    added,
    after,
    applied,
    card,
    drop,
    faults,
    fresh,
    held,
    is_accepted,
    lay,
    lines,
    names,
    on_table,
    only,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.tables import meld, rules, table

USED = (0, NOBODY)
"""Side 0 has taken its pozzetto."""
NO_DISCARD = rules(close_requires_discard=False)
WILD_CLOSES = rules(close_with_wild_discard=True)
TWO_TO_KING = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"


# --- R1 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["7S 8S 9S", "7S 8S 9S KD", "7S 8S 9S JK", "7S 8S 9S KD QD"])
def test_r1_pozzetto_available_any_number_may_remain(hand: str) -> None:
    """While the pozzetto is there, any number of cards may remain after melding, none included."""
    assert is_accepted(table(hands=[hand]), lay("7S 8S 9S"))


def test_r1_pozzetto_available_the_one_card_left_has_to_be_discardable() -> None:
    """With the pozzetto there, one card that remains must be one that may be discarded."""
    state = table(hands=["7S 8S 9S"], pile="KD", phase=Phase.DRAW)
    state = after(state, TAKE_PILE)
    (fault,) = faults(state, lay("7S 8S 9S"))

    assert fault.reason is Reason.LAST_CARD_NOT_DISCARDABLE
    assert fault.cards == bytes([card("KD")])
    twin = after(table(hands=["7S 8S 9S KD"], pile="KD", phase=Phase.DRAW), TAKE_PILE)
    assert is_accepted(twin, lay("7S 8S 9S"))


@pytest.mark.parametrize("rules_", [ITALIAN, NO_DISCARD, WILD_CLOSES])
@pytest.mark.parametrize(("extra", "left"), [("", 0), (" KD", 1), (" JK", 1)])
def test_r1_without_burraco_two_have_to_remain(rules_: BurracoRules, extra: str, left: int) -> None:
    """With the pozzetto used and no burraco on the side's table at least two cards must remain."""
    state = table(hands=["7S 8S 9S" + extra], taken_by=USED, options=rules_)
    (fault,) = faults(state, lay("7S 8S 9S"))

    assert fault.reason is Reason.MUST_KEEP_TWO
    assert dict(fault.arguments) == {"left": str(left)}
    assert is_accepted(table(hands=["7S 8S 9S KD QC"], taken_by=USED, options=rules_), lay("7S 8S 9S"))


def tried(state: State) -> Counter[tuple[int, bytes]]:
    """Every meld (target 0) and lay-off of the seat to move, found by trying all selections of its cards."""
    hand = state.hands[state.seat].cards()
    selections = {cards for size in range(1, len(hand) + 1) for cards in map(bytes, combinations(hand, size))}
    found = Counter((0, cards) for cards in selections if is_accepted(state, LayMeld(cards)))
    for lying in state.melds:
        legal = (cards for cards in selections if is_accepted(state, LayOff(lying.meld_id, cards)))
        found += Counter((lying.meld_id, cards) for cards in legal)
    return found


@pytest.mark.parametrize("taken_by", [(NOBODY, NOBODY), USED], ids=["pozzetto there", "pozzetto used"])
@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("KS KH KD JK 7C", []),
        ("KS KH KD JK", []),
        ("KS KH KD 2C 2H", []),
        ("4S KH KD KC", []),
        ("KS 3H 3D 3C", []),
        ("4S 4H KH KD KC", []),
        ("3S 4S 5S JK 7C", []),
        ("3S 4S 5S KC", []),
        ("KS KH KD JK 7C", ["KS KH KC"]),
        ("KS KH JK 7C", ["KS KH KC", CLEAN_BURRACO]),
        ("KS KH 2D", ["KS KH KC JK"]),
        ("3S JS JK 7C", [CLEAN_BURRACO]),
        ("2S 3S JS 7C", [CLEAN_BURRACO]),
        ("AS 2S 6S 7S 7C", ["3S 4S 5S"]),
    ],
)
def test_r1_the_list_is_what_is_accepted_down_to_the_last_card(
    hand: str, melds: list[str], taken_by: tuple[int, int]
) -> None:
    """Each play that leaves enough is listed once, and no other, where few cards are left."""
    state = table(hands=[hand], melds={0: melds}, taken_by=taken_by)

    groups = legal_moves(state, 0, 10_000).groups

    assert Counter((g.meld_id, bytes(sorted(cards))) for g in groups for cards in g.selections()) == tried(state)


def test_r1_a_seat_with_one_card_is_stuck_only_by_the_pile() -> None:
    """The guard leaves nobody stuck: a state in which somebody is comes from no play, and its audit says so."""
    stuck = table(hands=["9D"], turn=Turn(taken_single=card("9D")))

    assert list(game_of(stuck).audit(stuck, frozenset()))


def test_r1_is_asked_of_the_state_after_the_move() -> None:
    """The guard sees the table after the whole move: the meld itself may be the burraco."""
    seven = "4H 5H 6H 7H 8H 9H 10H"

    assert is_accepted(table(hands=[f"{seven} KD"], taken_by=USED), lay(seven))
    assert is_accepted(table(hands=["9H 10H KD"], melds={0: ["4H 5H 6H 7H 8H"]}, taken_by=USED), add(1, "9H 10H"))


def test_r1_is_asked_once_a_move() -> None:
    """Cards laid off in one move are judged together: the first alone would leave too few and no burraco yet."""
    state = table(hands=["9H 10H"], melds={0: ["4H 5H 6H 7H 8H"]}, taken_by=USED, options=NO_DISCARD)

    assert refused(state, add(1, "9H")) == [Reason.MUST_KEEP_TWO]
    assert after(state, add(1, "9H 10H")).deal_end is DealEnd.CLOSED


def test_r1_with_burraco_one_card_has_to_remain_for_the_discard() -> None:
    """With a burraco one card must remain if closing needs a discard, and none where it does not."""
    state = ready_to_close(hands=["KH KD KC"])

    assert refused(state, lay("KH KD KC")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert is_accepted(ready_to_close(hands=["KH KD KC QD"]), lay("KH KD KC"))
    assert after(ready_to_close(NO_DISCARD, hands=["KH KD KC"]), lay("KH KD KC")).deal_end is DealEnd.CLOSED


@pytest.mark.parametrize("wild", ["JK", "2H"])
def test_r1_the_closing_card_is_no_wild(wild: str) -> None:
    """One card that remains must be a legal closing discard: no wild, unless the rules let a wild close."""
    hand = f"KH KD KC {wild}"

    assert refused(ready_to_close(hands=[hand]), lay("KH KD KC")) == [Reason.LAST_CARD_NOT_DISCARDABLE]
    state = after(ready_to_close(WILD_CLOSES, hands=[hand]), lay("KH KD KC"))
    assert after(state, drop(wild)).deal_end is DealEnd.CLOSED


def test_r1_the_closing_card_is_not_barred() -> None:
    """One card that remains must not be the one that was the whole pile."""
    state = ready_to_close(hands=["KH KD KC"], pile="9D", phase=Phase.DRAW)

    assert refused(after(state, TAKE_PILE), lay("KH KD KC")) == [Reason.LAST_CARD_NOT_DISCARDABLE]


def test_r1_the_last_card_may_be_got_rid_of_by_melding() -> None:
    """Where the last card may be melded too, one that could not be discarded may remain if it fits a meld."""
    fits = ready_to_close(NO_DISCARD, hands=["KH KD KC JK"])
    state = after(fits, lay("KH KD KC"))

    assert refused(state, drop("JK")) == [Reason.CLOSE_WITH_WILD]
    assert after(state, add(2, "JK")).deal_end is DealEnd.CLOSED
    # A joker that fits nothing: every meld has its wild.
    fits_not = ready_to_close(NO_DISCARD, hands=["KH KD 2D JK"], melds={0: ["4S 5S 6S JK(=7S) 8S 9S 10S"]})
    assert refused(fits_not, lay("KH KD 2D")) == [Reason.LAST_CARD_NOT_DISCARDABLE]


def test_r1_the_last_card_has_to_go_legally() -> None:
    """A joker that fits only the one clean burraco that closing needs cannot be got rid of: it would dirty it."""
    options = rules(close_requires_discard=False, close_needs=CloseNeeds.CLEAN_BURRACO)
    state = ready_to_close(options, hands=["8C JK"], melds={0: [CLEAN_BURRACO, "2D(=8C) 9C 10C"]})

    assert refused(state, add(2, "8C")) == [Reason.LAST_CARD_NOT_DISCARDABLE]


def test_r1_a_dirtied_burraco_opens_no_close() -> None:
    """Where closing needs a clean burraco, a move that dirties it leaves a side without one."""
    options = rules(close_needs=CloseNeeds.CLEAN_BURRACO)

    assert refused(ready_to_close(options, hands=["JK KD"]), add(1, "JK")) == [Reason.MUST_KEEP_TWO]
    assert is_accepted(ready_to_close(options, hands=["JK KD QD"]), add(1, "JK"))


# --- R2 and R8, as far as four players have them ----------------------------------------------------------------------

USABLE = rules(pile_take=PileTake.TOP_CARD_USABLE, stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE)
"""The pile of two players at a table of four; the two-player game itself has tests of its own."""


def facing(pile: str, hand: str, **fields: object) -> State:
    """Seat 0 is to draw or take this pile, whose top card has to be usable."""
    return table(hands=[hand], pile=pile, phase=Phase.DRAW, options=USABLE, **fields)  # type: ignore[arg-type]


def test_r2_the_top_card_has_to_be_usable() -> None:
    """The pile may be taken only if a meld or lay-off with its top card is possible."""
    (fault,) = faults(facing("QH 8C", "7C 9D 3S 4H"), TAKE_PILE)

    assert fault.reason is Reason.PILE_TOP_NOT_USABLE
    assert fault.cards == bytes([card("8C")])
    assert is_accepted(facing("8C", "7C 9C 3S 4H"), TAKE_PILE)
    assert is_accepted(facing("8C", "3S 4H", melds={0: ["5C 6C 7C"]}), TAKE_PILE)


def test_r2_the_meld_has_to_pass_the_guard() -> None:
    """A meld with the top card that the guard refuses makes it no more usable."""
    assert refused(facing("8C", "7C 9C", taken_by=USED), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    assert is_accepted(facing("8C", "7C 9C"), TAKE_PILE)
    assert is_accepted(facing("8C", "7C 9C KD QD", taken_by=USED), TAKE_PILE)
    assert is_accepted(facing("KD QD 8C", "7C 9C", taken_by=USED), TAKE_PILE)


def test_r2_nothing_else_until_then() -> None:
    """Until the top card is melded no other meld and no discard is legal."""
    state = after(facing("3C 8C", "7C 9C KH KD KC 4H", melds={0: ["5H 6H 7H"]}), TAKE_PILE)

    assert refused(state, lay("KH KD KC")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, add(1, "4H")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, drop("3C")) == [Reason.MUST_MELD_TOP_CARD]
    assert refused(state, drop("8C")) == [Reason.MUST_MELD_TOP_CARD]

    state = after(state, lay("7C 8C 9C"))
    assert is_accepted(state, lay("KH KD KC"))
    assert is_accepted(state, add(1, "4H"))
    assert is_accepted(state, drop("3C"))


def test_r2_two_cards_come_from_the_hand() -> None:
    """A new meld needs two cards of the hand as it was; the pile's other cards do not count."""
    assert refused(facing("9C 8C", "7C 3S 4H"), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    state = after(facing("9C 8C", "7C 6C 3S 4H"), TAKE_PILE)
    assert refused(state, lay("7C 8C 9C")) == [Reason.MUST_MELD_TOP_CARD]
    assert on_table(after(state, lay("6C 7C 8C 9C"))) == ["6C 7C 8C 9C"]


def test_r8_stock_empty_and_top_usable() -> None:
    """With the stock empty, a player who can use the top card has to take the pile."""
    state = facing("8C", "7C 9C 3S 4H", stock="")

    assert refused(state, DRAW_STOCK) == [Reason.STOCK_EMPTY]
    assert is_accepted(state, TAKE_PILE)


def test_r8_stock_empty_and_top_unusable() -> None:
    """If the next player cannot use the top card once the stock is empty, the deal ends and is counted."""
    state = table(hands=["KD QH", "7C 9D 3S", "", ""], stock="3D", pile="4H", phase=Phase.DRAW, options=USABLE)
    outcome = applied(after(state, DRAW_STOCK), drop("3D"))

    assert names(outcome.events) == ["Discarded", "TurnStarted", "DealEnded", "DealScored"]
    assert outcome.state.deal_end is DealEnd.STOCK


def test_r8_goes_on_while_the_top_is_usable() -> None:
    """As long as each player can use the top card, the deal goes on without a stock."""
    state = table(hands=["8C QH", "7C 9C 3S 4S"], stock="3D", pile="4H", phase=Phase.DRAW, options=USABLE)
    state = after(state, DRAW_STOCK, drop("8C"))

    assert (state.deal_end, state.seat, state.stock) == (DealEnd.NOT_ENDED, 1, b"")
    assert on_table(after(state, TAKE_PILE, lay("7C 8C 9C")), side=1) == ["7C 8C 9C"]


# --- R4 ---------------------------------------------------------------------------------------------------------------


def third_last(preset: BurracoRules, **fields: object) -> State:
    """Seat 0 is to draw the third-last card."""
    fields = {
        "hands": ["7H 8H KD", "QC", "10C", "JC"],
        "melds": {0: [CLEAN_BURRACO]},
        "taken_by": (0, 1),
        "stock": "9H 3D 4D",
        **fields,
    }
    return table(options=preset, phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


def test_r4_italian_ends_with_the_draw() -> None:
    """In the seeds the draw that leaves two cards ends the deal; the drawn card counts, nobody earns a bonus."""
    outcome = applied(third_last(ITALIAN), DRAW_STOCK)

    assert outcome.state.deal_end is DealEnd.STOCK
    assert lines(sheet_of(outcome), 0) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.HAND_CARDS, -35),
        (ScoreItem.HAND_CARDS, -10),
    ]


def test_r4_fibur_lets_the_drawer_finish() -> None:
    """In the federation the drawer finishes his turn, and earns the bonus if he closes in it."""
    drawn = after(third_last(FIBUR), DRAW_STOCK)
    closing = applied(after(drawn, lay("7H 8H 9H")), drop("KD"))
    other = applied(drawn, drop("KD"))

    assert closing.state.deal_end is DealEnd.CLOSED
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(closing), 0)
    assert other.state.deal_end is DealEnd.STOCK
    assert ScoreItem.CLOSING not in [item for side in (0, 1) for item, _ in lines(sheet_of(other), side)]


# --- R5 ---------------------------------------------------------------------------------------------------------------

NO_TURN = rules(natural_two_may_turn_wild=False)


def test_r5_a_natural_two_turns_wild_for_a_natural() -> None:
    """Where the option says so, a natural two turns wild for a natural that needs it, if there is no wild."""
    assert added("2S 3S 4S", "6S") == "3S 4S 2S(=5S) 6S"
    assert added("JK(=AS) 2S 3S 4S", "6S") == "2S 3S 4S JK(=5S) 6S"
    assert added("2S 3S JK(=4S) 5S", "7S") == [Reason.SEQUENCE_HAS_GAP]


def test_r5_or_it_stays() -> None:
    """Where the option says no, the natural two stays in slot 2."""
    assert added("2S 3S 4S", "6S", NO_TURN) == [Reason.NATURAL_TWO_STAYS]
    assert added("2S 3S 4S 5S 6S 7S", "9S", NO_TURN) == [Reason.NATURAL_TWO_STAYS]
    assert added("2S 3S 4S 5S 6S 7S", "10S", NO_TURN) == [Reason.SEQUENCE_HAS_GAP]


def test_r5_a_two_that_arrives_as_a_natural_is_one() -> None:
    """A two of the suit that may go to slot 2 goes there first; only then may a natural laid with it turn it wild."""
    assert added("3S 4S 5S", "2S 7S") == "3S 4S 5S 2S(=6S) 7S"
    assert added("3S 4S 5S", "2S 7S", NO_TURN) == [Reason.NATURAL_TWO_STAYS]
    # Here slot 2 is out of reach: the two is wild from the start.
    assert added("4S 5S 6S", "2S 8S") == "4S 5S 6S 2S(=7S) 8S"
    assert added("4S 5S 6S", "2S 8S", NO_TURN) == "4S 5S 6S 2S(=7S) 8S"


@pytest.mark.parametrize("rules_", [ITALIAN, NO_TURN], ids=["yes", "no"])
def test_r5_several_cards_keep_the_two_natural_if_they_can(rules_: BurracoRules) -> None:
    """Of several orders one that keeps the natural two is preferred: the joker fills the gap."""
    assert added("2S 3S 4S 5S 6S 7S", "9S JK", rules_) == "2S 3S 4S 5S 6S 7S JK(=8S) 9S"


def test_r5_no_wild_makes_a_two_turn() -> None:
    """A natural two turns wild for a natural only: a second wild is one too many."""
    assert added("2S 3S 4S", "JK 2H") == [Reason.TOO_MANY_WILDS]
    assert added("2S 3S 4S", "6S 8S") == [Reason.SEQUENCE_HAS_GAP]


def test_r5_the_union_has_to_be_a_sequence() -> None:
    """Whatever the order, all cards together have to pass the multiset test."""
    assert added("2S 3S 4S", "JK 6S 8S") == [Reason.SEQUENCE_HAS_GAP]
    assert added("2S 3S 4S 5S", "7S 2S") == "2S 3S 4S 5S 2S(=6S) 7S"


# --- R6 ---------------------------------------------------------------------------------------------------------------


def test_r6_the_ace_is_low_if_both_places_fit() -> None:
    """An ace that fits both ends of a complete suit is low."""
    assert fresh(f"AH {TWO_TO_KING}") == f"AH {TWO_TO_KING}"
    assert added(TWO_TO_KING, "AH") == f"AH {TWO_TO_KING}"
    assert fresh(f"AH {TWO_TO_KING} JK") == f"AH {TWO_TO_KING} JK(=AH)"
    assert added(f"JK(=AH) {TWO_TO_KING}", "AH") == f"AH {TWO_TO_KING} JK(=AH)"


def test_r6_unless_the_meld_has_fixed_it() -> None:
    """An ace that a meld has fixed as high stays high."""
    assert added("QH KH AH", "2H 3H 4H 5H 6H 7H 8H 9H 10H JH") == f"{TWO_TO_KING} AH"
    assert added("QH KH AH", "2H 3H 4H 5H 6H 7H 8H 9H 10H JH JK") == f"JK(=AH) {TWO_TO_KING} AH"
    assert added("AH 2H 3H", "4H 5H 6H 7H 8H 9H 10H JH QH KH JK") == f"AH {TWO_TO_KING} JK(=AH)"


# --- R7 ---------------------------------------------------------------------------------------------------------------


def test_r7_a_melded_card_is_barred_no_more() -> None:
    """Once the taken card is melded the ban is gone, even if its twin comes with the pozzetto."""
    state = table(
        hands=["7D 8D"],
        pile="9D",
        phase=Phase.DRAW,
        pozzetti=["9D 3S 4S 5S 6S 3H 4H 5H 6H 3C 4C", "AS AH AD AC 5C 6C 7C 8C JH QH KH"],
    )
    state = after(state, TAKE_PILE, lay("7D 8D 9D"))

    assert "9D" in held(state, 0).split()
    assert is_accepted(state, drop("9D"))


def test_r7_the_ban_holds_while_it_is_in_hand() -> None:
    """Melding other cards lifts no ban."""
    state = after(table(hands=["KH KD KC 3S 4S"], pile="9D", phase=Phase.DRAW), TAKE_PILE, lay("KH KD KC"))

    assert refused(state, drop("9D")) == [Reason.DISCARD_WAS_WHOLE_PILE]


def test_r7_a_twin_in_hand_lifts_it() -> None:
    """With an identical twin in hand there is no ban, and none once one of the two is melded."""
    state = after(table(hands=["7D 8D 9D 3S 4S"], pile="9D", phase=Phase.DRAW), TAKE_PILE)

    assert is_accepted(state, drop("9D"))
    assert is_accepted(after(state, lay("7D 8D 9D")), drop("9D"))


# --- R10 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "points"),
    [(SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE, 150), (SemicleanDefinition.WILD_AT_END, 100)],
)
def test_r10_semi_clean_with_the_wild_inside(definition: SemicleanDefinition, points: int) -> None:
    """`3S..9S JK(=10S) JS QS` earns 150 where seven consecutive count anywhere, 100 where the wild has to end it."""
    inside = meld("3S 4S 5S 6S 7S 8S 9S JK(=10S) JS QS")

    assert bonus(inside, rules(FIBUR, semiclean_definition=definition)) == points


def test_r10_default_of_the_federation() -> None:
    """The federation's default is seven consecutive in any place."""
    assert FIBUR.semiclean_definition is SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE


# --- R11 --------------------------------------------------------------------------------------------------------------


def test_r11_more_than_two_sequences_of_a_suit() -> None:
    """That a side may have two sequences of a suit means more than one: there is no cap."""
    state = table(hands=["JS QS KS KD QC"], melds={0: ["3S 4S 5S", "7S 8S 9S"]})

    assert on_table(after(state, lay("JS QS KS"))) == ["3S 4S 5S", "7S 8S 9S", "JS QS KS"]


def test_r11_equal_sequences() -> None:
    """Equal sequences of a side are allowed in the seeds and forbidden in the federation."""
    hand, own = "4S 5S 6S KD QC", {0: ["4S 5S 6S"]}

    assert is_accepted(table(hands=[hand], melds=own), lay("4S 5S 6S"))
    (fault,) = faults(table(hands=[hand], melds=own, options=FIBUR), lay("4S 5S 6S"))
    assert (fault.reason, fault.meld_id) == (Reason.DUPLICATE_SEQUENCE, 1)


def test_r11_only_equal_cards_are_equal() -> None:
    """Sequences with other cards are not equal, and the other side's do not count."""
    hand = "4S 5S 6S 7S KD QC"

    assert is_accepted(table(hands=[hand], melds={0: ["4S 5S 6S"]}, options=FIBUR), lay("4S 5S 6S 7S"))
    assert is_accepted(table(hands=[hand], melds={0: ["4S JK(=5S) 6S"]}, options=FIBUR), lay("4S 5S 6S"))
    assert is_accepted(table(hands=[hand], melds={1: ["4S 5S 6S"]}, options=FIBUR), lay("4S 5S 6S"))


# --- R13 and R14 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
def test_r13_options_without_a_row(preset: BurracoRules) -> None:
    """The deal passes left, and a stalemate of eight turns ends it: options of their own with a preset default."""
    assert preset.next_dealer is NextDealer.LEFT
    assert preset.stalemate_auto_turns == 8
    assert preset.duplicate_sequences is (preset is ITALIAN)


def test_r13_next_dealer() -> None:
    """The deal passes left whoever won it."""
    assert after(ready_to_close(dealer=1), drop("9C"), NEXT_DEAL).dealer == 2


def test_r13_options_are_pinned_in_the_match() -> None:
    """A match carries its full set of options."""
    chosen = rules(stalemate_auto_turns=12)
    outcome = create_match(chosen, Fairness(b"\x01" * 32, given=True), "a match", SeatChoice(dealer=0))

    assert outcome.state.rules.stalemate_auto_turns == 12
    assert only(tuple(event for _, event in outcome.events), MatchStarted).rules == chosen


@pytest.mark.parametrize("wild", ["2H", "JK"])
def test_r14_a_two_or_a_joker_replaces_a_missing_card(wild: str) -> None:
    """In a sequence a two or a joker may replace a missing card."""
    assert fresh(f"4S {wild} 6S") == f"4S {wild}(=5S) 6S"
    assert added("4S 5S 6S", f"{wild} 8S") == f"4S 5S 6S {wild}(=7S) 8S"
