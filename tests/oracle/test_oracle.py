"""The oracle against every example of the rule book that its functions can answer."""

from dataclasses import replace
from random import Random

import pytest

from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    LongRunBonus,
    SemicleanDefinition,
    SetsAllowed,
    SingleCardRediscard,
    UnplayedPozzetto,
)
from service.rules.presets import FIBUR, ITALIAN
from tests.oracle.cards import JOKER, card, cards, text, texts, value
from tests.oracle.deal import deal, draw_ranking
from tests.oracle.melds import OMeld, bonus, burraco_kind, lay_off, meld_points, read_fresh
from tests.oracle.score import score_side, victory_points
from tests.oracle.table import (
    OTurn,
    after_lay_off,
    after_meld,
    can_discard,
    can_lay_off,
    can_meld,
    guard_allows,
    legal_plays,
)

NO_DEMOTION = replace(ITALIAN, natural_two_may_turn_wild=False)
REALE = replace(
    ITALIAN, variant_reale=True, jokers=0, sets_allowed=SetsAllowed.NONE, close_needs=CloseNeeds.CLEAN_BURRACO
)
FREE_CLOSE = replace(ITALIAN, close_requires_discard=False, close_with_wild_discard=True)
CLEAN_CLOSE = replace(ITALIAN, close_needs=CloseNeeds.CLEAN_BURRACO)

PACK = tuple(suit * 16 + rank for suit in range(4) for rank in range(1, 14))
DECK = PACK + PACK + (JOKER,) * 4


def shown(meld: OMeld | None) -> str | None:
    """Text of a meld, its wild in brackets."""
    if meld is None:
        return None
    return " ".join(
        f"({text(number)})" if index == meld.wild else text(number) for index, number in enumerate(meld.cards)
    )


def fresh(selection: str, rules: BurracoRules = ITALIAN) -> str | None:
    """Text of the meld that a selection forms."""
    return shown(read_fresh(cards(selection), rules))


def laid(selection: str, rules: BurracoRules = ITALIAN) -> OMeld:
    """The meld that a selection forms, which has to form one."""
    meld = read_fresh(cards(selection), rules)
    assert meld is not None
    return meld


def added(table: str | OMeld, selection: str, rules: BurracoRules = ITALIAN) -> str | None:
    """Text of the meld that adding a selection to a meld gives."""
    meld = laid(table, rules) if isinstance(table, str) else table
    return shown(lay_off(meld, cards(selection), rules))


def run(suit: str, ranks: str) -> str:
    """Text of the cards of one suit."""
    return " ".join(rank + suit for rank in ranks.split())


A_TO_K = run("H", "A 2 3 4 5 6 7 8 9 10 J Q K")
TWO_TO_K = run("H", "2 3 4 5 6 7 8 9 10 J Q K")
CLEAN = run("D", "4 5 6 7 8 9 10")
DIRTY = run("D", "4 5 6 7 8 9") + " JK"


def turn(hand: str, *melds: str, rules: BurracoRules = ITALIAN, pozzetto: bool = False, banned: str = "") -> OTurn:
    """Build a turn whose own melds have the ids 1, 2 and so on; the other side owns 90."""
    return OTurn(
        rules=rules,
        hand=cards(hand),
        own_melds=tuple((index + 1, laid(meld)) for index, meld in enumerate(melds)),
        other_meld_ids=(90,),
        pozzetto_available=pozzetto,
        banned=card(banned) if banned else None,
    )


# --- 1.0 -------------------------------------------------------------------------------------------------------------


def test_1_0_invariant_the_deck_has_1080_points() -> None:
    """The 108 cards sum to 1080 points."""
    assert (len(DECK), sum(map(value, DECK))) == (108, 1080)


def test_cards_text_and_number_agree() -> None:
    """Every card's short text names the card again."""
    assert cards(texts(DECK)) == DECK
    assert (card("AS"), card("KC"), card("10H")) == (1, 61, 26)


def test_1_0_free_wild_sits_low_and_interior_wild_fills_the_gap() -> None:
    """A free wild sits at the low end and an interior wild in the missing slot."""
    assert fresh("5S 6S 7S JK") == "(JK) 5S 6S 7S"
    assert fresh("5S 7S 2C") == "5S (2C) 7S"
    assert fresh("3S 4S 2S") == "2S 3S 4S"


def test_1_0_wild_beside_a_block_from_two_to_ace_takes_slot_one() -> None:
    """A block from two to a high ace gets its wild in slot 1, where the ace already fixed high stands."""
    ace_high = lay_off(laid("QH KH AH"), cards("2H 3H 4H 5H 6H 7H 8H 9H 10H JH"), ITALIAN)
    assert ace_high is not None
    assert shown(ace_high) == f"{TWO_TO_K} AH"
    assert added(ace_high, "JK") == f"(JK) {TWO_TO_K} AH"


def test_1_0_free_wild_jumps_when_a_natural_needs_it() -> None:
    """A free wild jumps to the other end for a natural, with `2C 5C 6C` and `8C`."""
    assert fresh("2C 5C 6C") == "(2C) 5C 6C"
    assert added("2C 5C 6C", "8C") == "5C 6C (2C) 8C"


def test_1_0_interior_wild_moves_only_for_the_card_it_stands_for() -> None:
    """An interior wild stays until the natural it stands for arrives, with `6C JK 8C`."""
    assert added("6C JK 8C", "10C") is None
    assert added("6C JK 8C", "7C 10C") == "6C 7C 8C (JK) 10C"
    assert added("6C JK 8C", "7C") == "(JK) 6C 7C 8C"


def test_B4_19_a_meld_has_three_cards() -> None:
    """Two cards are no meld, and nothing is no lay-off."""
    assert fresh("3S JK") is None
    assert fresh("3S 3D") is None
    assert fresh("") is None
    assert added("3S 4S 5S", "") is None


def test_B4_21_a_sequence_is_unbroken_and_of_one_suit() -> None:
    """Two gaps, two suits or a rank twice are no sequence."""
    assert fresh("3S 5S 7S JK") is None
    assert fresh("3S 4S 6S") is None
    assert fresh("3S 4H 5S") is None
    assert fresh("3S 4S 4S 5S") is None


# --- 3.1 -------------------------------------------------------------------------------------------------------------


def test_E1_two_in_its_own_place_is_natural() -> None:
    """`AS 2S 3S` is clean, and `AS..7S` a clean burraco worth 200."""
    assert fresh("AS 2S 3S") == "AS 2S 3S"
    meld = laid(run("S", "A 2 3 4 5 6 7"))
    assert (burraco_kind(meld, ITALIAN), bonus(meld, ITALIAN)) == ("clean", 200)


def test_E2_two_of_another_suit_is_wild_in_slot_two() -> None:
    """`AS 2H 3S` is legal and has a wild."""
    assert fresh("AS 2H 3S") == "AS (2H) 3S"


def test_E4_natural_two_and_joker() -> None:
    """`2S 3S JK` is a natural two with the joker as ace, which becomes 4S when `5S` arrives."""
    assert fresh("2S 3S JK") == "(JK) 2S 3S"
    assert added("2S 3S JK", "5S") == "2S 3S (JK) 5S"


def test_E5_natural_two_and_a_wild_two() -> None:
    """One two of the suit is natural and a second two, even its twin, stands for 3S."""
    assert fresh("2S 2H 4S") == "2S (2H) 4S"
    assert fresh("2S 2S 4S") == "2S (2S) 4S"
    assert fresh("2H 4H AH 2S") == "AH 2H (2S) 4H"


def test_E7_no_wild_above_a_high_ace_and_no_wrap() -> None:
    """A two beside `QH KH AH` stands for JH, and there is no way round the corner."""
    assert added("QH KH AH", "2D") == "(2D) QH KH AH"
    assert fresh("QH KH AH 2D") == "(2D) QH KH AH"
    assert fresh("QH KH AH 2H") == "(2H) QH KH AH"
    assert fresh("KH AH 2H 3H") is None


def test_E8_natural_two_turns_wild_where_the_option_allows() -> None:
    """`2S..7S` and `9S`: the two becomes 8S, unless the option says no."""
    assert added(run("S", "2 3 4 5 6 7"), "9S") == "3S 4S 5S 6S 7S (2S) 9S"
    assert added(run("S", "2 3 4 5 6 7"), "9S", NO_DEMOTION) is None
    assert added("2H 3H 4H", "6H") == "3H 4H (2H) 6H"


def test_E9_a_wild_never_displaces_a_wild() -> None:
    """A joker cannot free the two of `2S(=3S) 4S 5S 6S`, though all five are a meld when laid fresh."""
    assert fresh("6S 5S 4S 2S") == "(2S) 4S 5S 6S"
    assert added("6S 5S 4S 2S", "JK") is None
    assert fresh("2S 4S 5S 6S JK") == "2S (JK) 4S 5S 6S"
    assert added("6S 5S 4S 2S", "3S") == "2S 3S 4S 5S 6S"
    assert added("6S 5S 4S 2S", "3S JK") == "(JK) 2S 3S 4S 5S 6S"


def test_E10_second_two_enters_as_a_natural() -> None:
    """The second `2S` takes slot 2; a two of another suit is a second wild."""
    assert added("6S 5S 4S 2S", "2S") == "2S (2S) 4S 5S 6S"
    assert added("6S 5S 4S 2S", "2H") is None


def test_E10_natural_two_takes_the_place_of_a_joker() -> None:
    """`2S` takes the place of the joker that stood for it, and the joker goes above the low ace's run."""
    assert added("AS JK 3S", "2S") == "AS 2S 3S (JK)"


def test_E12_two_twos_and_a_joker_are_no_meld() -> None:
    """`2 2 JK` needs two wilds whatever the suits."""
    assert [fresh(f"2S 2{suit} JK") for suit in "SHDC"] == [None] * 4


def test_E14_thirteen_naturals_and_a_wild() -> None:
    """`AH..KH` takes a joker on top, no second ace and no second wild."""
    assert added(A_TO_K, "JK") == f"{A_TO_K} (JK)"
    assert fresh(f"{A_TO_K} JK") == f"{A_TO_K} (JK)"
    assert added(A_TO_K, "AH") is None
    assert fresh(f"{A_TO_K} AH") is None
    assert added(f"{A_TO_K} JK", "2S") is None


def test_E15_ace_high_thirteen_and_a_wild() -> None:
    """`2H..KH AH` with its ace fixed high takes a joker in slot 1."""
    ace_high = OMeld("sequence", cards(f"{TWO_TO_K} AH"), None, 2)
    assert added(ace_high, "JK") == f"(JK) {TWO_TO_K} AH"
    assert added(ace_high, "AH") is None


def test_E18_joker_jumps() -> None:
    """`JK(=4C) 5C 6C` and `8C`: the joker jumps to 7C."""
    assert added("JK 5C 6C", "8C") == "5C 6C (JK) 8C"


def test_E20_free_wild_has_no_choice() -> None:
    """A freed wild goes to the low end, or to the high end above a low ace."""
    assert added("6C JK 8C", "7C") == "(JK) 6C 7C 8C"
    assert added("AC JK 3C", "2C") == "AC 2C 3C (JK)"


# --- rulings on melds ------------------------------------------------------------------------------------------------


def test_R5_several_cards_keep_the_natural_two_if_any_order_does() -> None:
    """`2S..7S` and `9S JK`: the joker is 8S and the two stays natural, under either value of the option."""
    wanted = "2S 3S 4S 5S 6S 7S (JK) 9S"
    assert added(run("S", "2 3 4 5 6 7"), "9S JK") == wanted
    assert added(run("S", "2 3 4 5 6 7"), "9S JK", NO_DEMOTION) == wanted


def test_R5_no_demotion_beside_an_acting_wild() -> None:
    """A natural two stays when the meld has an acting wild."""
    assert added("JK 2S 3S 4S", "6S") == "2S 3S 4S (JK) 6S"
    assert added("2S JK 4S", "6S") is None


def test_R5_demoted_two_becomes_natural_again() -> None:
    """A demoted two slides back into slot 2 once it is free."""
    meld = lay_off(laid("2S 3S 4S"), cards("6S"), ITALIAN)
    assert meld is not None
    assert added(meld, "5S") == "2S 3S 4S 5S 6S"
    assert added(meld, "2S") == "2S 3S 4S (2S) 6S"
    assert added(meld, "JK") is None


def test_R6_complete_suit_has_its_ace_low() -> None:
    """If both ace slots fit, the ace is low."""
    assert fresh(A_TO_K) == A_TO_K
    assert added(TWO_TO_K, "AH") == A_TO_K
    assert fresh(f"JK {A_TO_K}") == f"{A_TO_K} (JK)"
    assert fresh("AH JK " + run("H", "3 4 5 6 7 8 9 10 J Q K")) == "AH (JK) " + run("H", "3 4 5 6 7 8 9 10 J Q K")


def test_R6_ace_stays_where_the_meld_fixed_it() -> None:
    """An ace that is high stays high when the suit is completed."""
    assert added("QH KH AH", run("H", "2 3 4 5 6 7 8 9 10 J")) == f"{TWO_TO_K} AH"


def test_row_4_reale_allows_fourteen_naturals_ace_to_ace() -> None:
    """Burraco Reale knows the natural `A..A`, but no wild beside two aces, no fewer cards and no sets."""
    assert fresh(f"{A_TO_K} AH", REALE) == f"{A_TO_K} AH"
    assert added(A_TO_K, "AH", REALE) == f"{A_TO_K} AH"
    assert fresh("AH 2S " + run("H", "3 4 5 6 7 8 9 10 J Q K A"), REALE) is None
    assert fresh("AH 2H KH AH", REALE) is None
    assert fresh("7H 7D 7S", REALE) is None


# --- 3.2 -------------------------------------------------------------------------------------------------------------


def test_E21_a_set_may_have_a_suit_twice_but_not_thrice() -> None:
    """`7H 7H 7S` is a set; three copies of a face do not exist."""
    assert fresh("7S 7H 7H") == "7S 7H 7H"
    assert fresh("7H 7H 7H") is None


def test_E22_no_set_of_wilds() -> None:
    """Twos and jokers alone are no set."""
    assert [fresh(selection) for selection in ("2H 2D 2S", "2H 2D JK", "JK JK 2C")] == [None] * 3


def test_E23_a_set_has_one_wild_and_at_most_nine_cards() -> None:
    """`KS KD 2H` refuses a joker and grows to eight kings and the wild."""
    assert fresh("2H KD KS") == "KS KD (2H)"
    assert added("KS KD 2H", "JK") is None
    full = "KS KS KH KH KD KD KC KC"
    assert added("KS KD 2H", "KS KH KH KD KC KC") == f"{full} (2H)"
    assert added(full, "JK") == f"{full} (JK)"
    assert added(f"{full} JK", "KS") is None
    assert fresh("KS KD JK 2H") is None


def test_E24_set_of_seven_naturals_and_a_wild() -> None:
    """Seven naturals and a wild are dirty in B4 and semi-clean in FIB; six are dirty everywhere."""
    meld, smaller = laid("KS KS KH KH KD KD KC JK"), laid("KS KS KH KH KD KD JK")
    assert (bonus(meld, ITALIAN), bonus(meld, FIBUR)) == (100, 150)
    assert (bonus(smaller, ITALIAN), bonus(smaller, FIBUR)) == (100, 100)


def test_E25_second_set_of_a_rank() -> None:
    """A second set of kings is legal in B4 and not in FIB."""
    hand = "KC KS KD 4S 5S"
    assert can_meld(turn(hand, "KS KD KH", pozzetto=True), cards("KC KS KD"))
    assert not can_meld(turn(hand, "KS KD KH", pozzetto=True, rules=FIBUR), cards("KC KS KD"))
    assert can_meld(turn(hand, "QS QD QH", pozzetto=True, rules=FIBUR), cards("KC KS KD"))


def test_R11_second_equal_sequence() -> None:
    """Equal cards are legal in B4 and not in FIB; other cards of the suit are legal in both."""
    for rules, equal_allowed in ((ITALIAN, True), (FIBUR, False)):
        state = turn("4S 5S 6S 7S JK KD", "4S 5S 6S", pozzetto=True, rules=rules)
        assert can_meld(state, cards("4S 5S 6S")) is equal_allowed
        assert can_meld(state, cards("4S 5S 6S 7S"))
        assert can_meld(state, cards("4S 5S JK"))


def test_row_19_ranks_that_may_form_sets() -> None:
    """Each value of `sets_allowed` lets its ranks form new sets, and sequences remain."""
    allowed = {
        setting: [text(card(f"{rank}S")) for rank in ("A", "3", "9", "K") if fresh(f"{rank}S {rank}H {rank}D", rules)]
        for setting in SetsAllowed
        for rules in [replace(ITALIAN, sets_allowed=setting)]
    }
    assert allowed == {
        SetsAllowed.ALL: ["AS", "3S", "9S", "KS"],
        SetsAllowed.ACES_AND_THREES: ["AS", "3S"],
        SetsAllowed.ACES_KINGS_AND_THREES: ["AS", "3S", "KS"],
        SetsAllowed.NONE: [],
    }
    assert fresh("3S 4S 5S", replace(ITALIAN, sets_allowed=SetsAllowed.NONE)) == "3S 4S 5S"


# --- 3.3 -------------------------------------------------------------------------------------------------------------


def test_E26_seven_naturals_and_a_free_wild() -> None:
    """`3S..9S JK` is dirty in B4 and semi-clean in FIB."""
    meld = laid(run("S", "3 4 5 6 7 8 9") + " JK")
    assert (burraco_kind(meld, ITALIAN), bonus(meld, ITALIAN)) == ("dirty", 100)
    assert (burraco_kind(meld, FIBUR), bonus(meld, FIBUR)) == ("semiclean", 150)


def test_E28_natural_two_counts_among_the_seven() -> None:
    """`2S..8S JK` is semi-clean in FIB, and clean without the joker."""
    meld = laid(run("S", "2 3 4 5 6 7 8") + " JK")
    assert (shown(meld), burraco_kind(meld, FIBUR)) == ("(JK) " + run("S", "2 3 4 5 6 7 8"), "semiclean")
    assert burraco_kind(laid(run("S", "2 3 4 5 6 7 8")), FIBUR) == "clean"


def test_E29_interior_wild_is_dirty_everywhere() -> None:
    """`2S 3S 4S 2H(=5S) 6S 7S 8S` is dirty."""
    meld = laid("2S 3S 4S 2H 6S 7S 8S")
    assert [burraco_kind(meld, rules) for rules in (ITALIAN, FIBUR)] == ["dirty", "dirty"]


def test_E30_thirteen_naturals() -> None:
    """`AS..KS` earns 200, more only under house options."""
    meld = laid(A_TO_K)
    thirteen = replace(ITALIAN, long_run_bonus=LongRunBonus.THIRTEEN_300)
    nobile = replace(REALE, long_run_bonus=LongRunBonus.NOBILE_500_REALE_1000)
    ace_high = OMeld("sequence", cards(f"{TWO_TO_K} AH"), None, 2)
    assert [bonus(meld, rules) for rules in (ITALIAN, FIBUR, thirteen, nobile)] == [200, 200, 300, 500]
    assert [bonus(ace_high, rules) for rules in (ITALIAN, thirteen, nobile)] == [200, 300, 200]
    assert bonus(laid(f"{A_TO_K} AH", nobile), nobile) == 1000
    assert [bonus(laid(f"{A_TO_K} JK"), rules) for rules in (ITALIAN, thirteen)] == [100, 100]
    assert bonus(laid(TWO_TO_K), thirteen) == 200


def test_R10_semiclean_definitions() -> None:
    """`3S..9S JK(=10S) JS QS` earns 150 by seven in a row and 100 by a wild at an end."""
    meld = laid(run("S", "3 4 5 6 7 8 9 J Q") + " JK")
    at_end = replace(FIBUR, semiclean_definition=SemicleanDefinition.WILD_AT_END)
    assert shown(meld) == "3S 4S 5S 6S 7S 8S 9S (JK) JS QS"
    assert [bonus(meld, rules) for rules in (FIBUR, at_end, ITALIAN)] == [150, 100, 100]
    assert bonus(laid(run("S", "3 4 5 6 7 8 9") + " JK"), at_end) == 150
    assert bonus(laid(run("S", "A 2 3 4 5 6 7") + " JK"), at_end) == 150
    assert bonus(laid("KS KS KH KH KD KD KC JK"), at_end) == 150


def test_B4_25_adding_a_wild_turns_a_clean_burraco_dirty() -> None:
    """The kind of a burraco changes while the deal lasts."""
    meld = lay_off(laid(CLEAN), cards("JK"), ITALIAN)
    assert meld is not None
    assert burraco_kind(laid(CLEAN), ITALIAN) == "clean"
    assert burraco_kind(meld, ITALIAN) == "dirty"


# --- 3.4 and R1, R7 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [ITALIAN, FIBUR])
@pytest.mark.parametrize("pozzetto", [False, True])
def test_E31_single_pile_card_cannot_close(rules: BurracoRules, pozzetto: bool) -> None:
    """Attaching `2C` would leave only `9D`, the whole pile just taken, which may not be discarded."""
    state = turn("2C 9D", CLEAN, "5S 6S 7S", rules=rules, pozzetto=pozzetto, banned="9D")
    assert not can_lay_off(state, 2, cards("2C"))
    assert not can_discard(state, card("9D"))
    assert can_discard(state, card("2C"))


def test_E31_identical_twin_lifts_the_ban() -> None:
    """With `9D` in hand before, `9D` may be discarded; `9S` is no twin."""
    twin = turn("2C 9D 9D", CLEAN, banned="9D")
    assert can_discard(twin, card("9D"))
    same_rank = turn("2C 9D 9S", CLEAN, banned="9D")
    assert not can_discard(same_rank, card("9D"))
    assert can_discard(same_rank, card("9S"))


def test_row_7_single_card_rediscard() -> None:
    """The option bars the card never, always, or without a twin."""
    for setting, alone, with_twin in (
        (SingleCardRediscard.ALLOWED, True, True),
        (SingleCardRediscard.IDENTICAL_COPY_ONLY, False, True),
        (SingleCardRediscard.NEVER, False, False),
    ):
        rules = replace(ITALIAN, single_card_rediscard=setting)
        assert can_discard(turn("2C 9D", rules=rules, banned="9D"), card("9D")) is alone
        assert can_discard(turn("2C 9D 9D", rules=rules, banned="9D"), card("9D")) is with_twin


def test_R7_ban_ends_once_the_card_is_melded() -> None:
    """After the taken card is melded, its twin from the pozzetto may be discarded."""
    state = turn("9D 9S 9C KS QS", CLEAN, banned="9D")
    after = after_meld(state, 2, cards("9D 9S 9C"))
    assert after.banned is None
    assert can_discard(replace(after, hand=cards("9D KS")), card("9D"))


def test_R7_melding_one_of_two_twins_ends_the_ban() -> None:
    """Twins are the same card: once one of them is melded the other may be discarded."""
    state = turn("9D 9S 9C 9D", CLEAN, banned="9D")
    assert can_meld(state, cards("9D 9S 9C"))


def test_E32_pile_of_two_bans_nothing() -> None:
    """Any card of a pile of two may be discarded."""
    assert can_discard(turn("4H 9D 5C"), card("9D"))


def test_E33_all_cards_may_be_melded_while_the_pozzetto_waits() -> None:
    """With the pozzetto untaken the whole hand may be melded."""
    state = turn("4S 5S 6S", pozzetto=True)
    assert can_meld(state, cards("4S 5S 6S"))
    assert after_meld(state, 1, cards("4S 5S 6S")).hand == ()


def test_E34_pozzetto_may_be_reached_by_discarding_a_wild() -> None:
    """With the pozzetto untaken everything but `JK` may be melded, and `JK` discarded."""
    state = turn("4S 5S 6S JK", pozzetto=True)
    assert can_meld(state, cards("4S 5S 6S"))
    assert can_discard(after_meld(state, 1, cards("4S 5S 6S")), JOKER)


def test_E36_no_closing_without_a_burraco() -> None:
    """With the pozzetto used and no burraco, the last card may not be discarded, nor may one card be kept."""
    assert not can_discard(turn("9D", "4S 5S 6S"), card("9D"))
    assert not can_lay_off(turn("7S 9D", "4S 5S 6S"), 1, cards("7S"))
    assert can_lay_off(turn("7S 9D KC", "4S 5S 6S"), 1, cards("7S"))
    assert can_discard(turn("9D KC", "4S 5S 6S"), card("9D"))


def test_R1_is_tested_after_the_whole_move() -> None:
    """A lay-off that makes the first burraco may leave one card, though its first card alone might not."""
    state = turn("9S 10S KD", run("S", "4 5 6 7 8"))
    assert can_lay_off(state, 1, cards("9S 10S"))
    assert can_lay_off(state, 1, cards("9S"))
    assert not can_lay_off(turn("9S KD", run("S", "4 5 6 7")), 1, cards("9S"))


def test_R1_pozzetto_available_any_number_may_remain() -> None:
    """With the pozzetto untaken 0, 1 and 2 cards may remain, one only if it may be discarded."""
    state = turn("4S 5S 6S 9D KD", pozzetto=True, banned="9D")
    assert guard_allows(state, (), ())
    assert guard_allows(state, cards("KD"), ())
    assert not guard_allows(state, cards("9D"), ())
    assert guard_allows(state, cards("9D KD"), ())


def test_R1_pozzetto_used_without_burraco_two_remain() -> None:
    """With the pozzetto used and no burraco at least two cards remain."""
    state = turn("4S 5S 6S 9D KD")
    assert [guard_allows(state, cards(left), (laid("4S 5S 6S"),)) for left in ("", "KD", "9D KD")] == [
        False,
        False,
        True,
    ]


def test_R1_with_burraco_one_closing_card_remains() -> None:
    """With a burraco one card remains, which may close: no wild (B4-31)."""
    state = turn("KD 2S JK")
    melds = (laid(CLEAN),)
    assert [guard_allows(state, cards(left), melds) for left in ("", "KD", "2S", "JK", "JK 2S")] == [
        False,
        True,
        False,
        False,
        True,
    ]


def test_R1_without_compulsory_discard_nothing_may_remain() -> None:
    """Where closing needs no discard the last card may be melded too (B2-9, E47)."""
    state = turn("JD", CLEAN, rules=FREE_CLOSE)
    assert can_lay_off(state, 1, cards("JD"))
    assert can_discard(state, card("JD"))
    assert not can_lay_off(turn("JD", CLEAN), 1, cards("JD"))


def test_R1_last_card_that_may_not_close_may_still_be_melded() -> None:
    """A wild may remain where it can be laid off and closing needs no discard."""
    rules = replace(ITALIAN, close_requires_discard=False)
    assert can_lay_off(turn("7S 2C", CLEAN, "4S 5S 6S", rules=rules), 2, cards("7S"))
    assert not can_lay_off(turn("7S 2C", DIRTY, "4S 5S JK", rules=rules), 2, cards("7S"))
    assert not can_lay_off(turn("7S 2C", CLEAN, "4S 5S 6S"), 2, cards("7S"))


def test_R1_burraco_is_one_of_the_kind_that_closing_needs() -> None:
    """Where closing needs a clean burraco a dirty one does not count (row 11)."""
    assert can_lay_off(turn("7S 9D", DIRTY, "4S 5S 6S"), 2, cards("7S"))
    assert not can_lay_off(turn("7S 9D", DIRTY, "4S 5S 6S", rules=CLEAN_CLOSE), 2, cards("7S"))
    assert can_lay_off(turn("7S 9D", CLEAN, "4S 5S 6S", rules=CLEAN_CLOSE), 2, cards("7S"))
    assert not can_discard(turn("9D", DIRTY, rules=CLEAN_CLOSE), card("9D"))


def test_R1_a_lay_off_may_spoil_the_burraco_that_closing_needs() -> None:
    """Where closing needs a clean burraco, the wild that spoils the only one may not leave one card."""
    assert not can_lay_off(turn("JK 9C", CLEAN, rules=CLEAN_CLOSE), 1, cards("JK"))
    assert can_lay_off(turn("JK 9C", CLEAN), 1, cards("JK"))


def test_B4_16_no_lay_off_on_the_other_sides_melds() -> None:
    """Only melds of the own side take cards."""
    state = turn("7S 8S 9D KC", "4S 5S 6S")
    assert can_lay_off(state, 1, cards("7S 8S"))
    assert not can_lay_off(state, 90, cards("7S"))


def test_B4_31_closing_discard_is_no_wild() -> None:
    """A wild may not close, unless the option says so."""
    for wild in ("JK", "2D"):
        assert not can_discard(turn(wild, CLEAN), card(wild))
        assert can_discard(turn(wild, CLEAN, rules=FREE_CLOSE), card(wild))
        assert can_discard(turn(wild, CLEAN, pozzetto=True), card(wild))


def test_plays_use_cards_of_the_hand_only() -> None:
    """A face may be used as often as the hand holds it."""
    state = turn("7H 7H 7S 9C KD", "8S 9S 10S", pozzetto=True)
    assert can_meld(state, cards("7H 7H 7S"))
    assert not can_meld(state, cards("7H 7S 7S"))
    assert not can_lay_off(state, 1, cards("JS"))
    assert not can_discard(state, card("7D"))


def test_legal_plays_lists_every_play() -> None:
    """A small hand's melds, lay-offs and discards, worked out by hand."""
    melds, lay_offs, discards = legal_plays(turn("7S 8S 9S JK", "4S 5S 6S", pozzetto=True))
    assert melds == {cards(meld) for meld in ("7S 8S 9S", "7S 8S JK", "7S 9S JK", "8S 9S JK", "7S 8S 9S JK")}
    assert lay_offs == {
        (1, cards(added_cards))
        for added_cards in (
            *("7S", "7S 8S", "7S 8S 9S", "JK", "8S JK", "8S 9S JK"),
            *("7S JK", "7S 8S JK", "7S 8S 9S JK", "7S 9S JK"),
        )
    }
    assert discards == set(cards("7S 8S 9S JK"))


# --- the oracle against itself ---------------------------------------------------------------------------------------


def test_selections_are_unordered() -> None:
    """The order in which cards are named changes neither a fresh meld nor a lay-off (0.1)."""
    random = Random(1)
    for _ in range(300):
        start = random.randrange(1, 9)
        chosen = [*range(start, start + 5), random.choice([JOKER, 2, 18]), random.choice([JOKER, 2, 1])]
        shuffled = random.sample(chosen, len(chosen))
        assert read_fresh(chosen, ITALIAN) == read_fresh(shuffled, ITALIAN)
        meld = laid("QS KS AS")
        assert lay_off(meld, chosen, ITALIAN) == lay_off(meld, shuffled, ITALIAN)


@pytest.mark.parametrize("rules", [ITALIAN, NO_DEMOTION, REALE])
def test_R5_every_union_passes_the_multiset_test(rules: BurracoRules) -> None:
    """What a lay-off makes would be a meld laid fresh too, and the rules never leave a choice between results."""
    random = Random(2)
    suited = [*range(1, 14), 1, 2, 18, JOKER]
    legal = 0
    for _ in range(3000):
        low = random.randrange(1, 11)
        some = [*range(low, low + random.randrange(3, 8)), *random.sample([JOKER, 2, 18], 1)]
        table = read_fresh([number for number in some if number <= 13 or number in {18, JOKER}], rules)
        extra = random.sample(suited, random.randrange(1, 6))
        grown = None if table is None else lay_off(table, extra, rules)
        if table is None or grown is None:
            continue
        legal += 1
        assert sorted(grown.cards) == sorted((*table.cards, *extra))
        assert read_fresh(grown.cards, rules) is not None
    assert legal > 100


def test_every_legal_play_leaves_a_way_to_end_the_turn() -> None:
    """R1 never lets a player into a position without any play or discard, the pozzetto apart."""
    random = Random(3)
    for _ in range(60):
        hand = texts(random.sample(DECK, 5))
        for rules in (ITALIAN, FREE_CLOSE, CLEAN_CLOSE):
            state = turn(hand, CLEAN, "4S 5S 6S", rules=rules, banned=hand.split()[0])
            melds, lay_offs, _ = legal_plays(state)
            after = [after_meld(state, 9, chosen) for chosen in melds]
            after += [after_lay_off(state, meld_id, chosen) for meld_id, chosen in lay_offs]
            assert all(any(legal_plays(left)) for left in after if left.hand)


# --- scores ----------------------------------------------------------------------------------------------------------


def test_worked_example_520_530_580() -> None:
    """The rule book's checked example: 520, and 530 or 580 with the longer run."""
    shared = [laid(run("S", "4 5 6 7 8 9 10")), laid("KS KH KD KC")]
    short = [*shared, laid(run("H", "3 4 5 6 7 8") + " JK")]
    long = [*shared, laid(run("H", "3 4 5 6 7 8 9") + " JK")]
    assert [meld_points(meld) for meld in short] == [50, 40, 65]
    assert meld_points(long[2]) == 75
    scores = [
        score_side(rules, melds, [(), cards("AD 2C")], True, True, (), True)
        for rules, melds in ((ITALIAN, short), (ITALIAN, long), (FIBUR, short), (FIBUR, long))
    ]
    assert scores == [520, 530, 520, 580]


def test_B4_36_card_values() -> None:
    """Joker 30, two 20, ace 15, eight to king 10, three to seven 5."""
    assert [value(number) for number in cards("JK 2S AS KS 8S 7S 3S")] == [30, 20, 15, 10, 10, 5, 5]


def test_E38_unplayed_pozzetto_costs_its_cards_or_the_penalty() -> None:
    """A pozzetto taken and never played costs the value of its cards, or 100 under the option."""
    unplayed = cards("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS")
    as_not_taken = replace(ITALIAN, unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN)
    assert score_side(ITALIAN, [], [(), cards("AS")], False, True, unplayed, True) == -100
    assert score_side(ITALIAN, [], [(), cards("AS")], False, True, (JOKER, *unplayed[1:]), True) == -125
    assert score_side(as_not_taken, [], [(), cards("AS")], False, True, (JOKER, *unplayed[1:]), True) == -115


def test_E40_neither_side_took_a_pozzetto() -> None:
    """Neither side took one: -100 each in B4, nothing in FIB; if only the other took one, -100 in both."""
    taken = (False, True)
    assert [score_side(ITALIAN, [], [()], False, False, (), other) for other in taken] == [-100, -100]
    assert [score_side(FIBUR, [], [()], False, False, (), other) for other in taken] == [0, -100]


def test_2_2_victory_points() -> None:
    """The bounds of both tables of the federation, in both directions."""
    for deals, bounds in (
        (3, [50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500]),
        (4, [100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000]),
    ):
        for step, bound in enumerate(bounds):
            assert victory_points(bound, deals) == (10 + step, 10 - step)
            assert victory_points(bound + 5, deals) == (11 + step, 9 - step)
            assert victory_points(-bound, deals) == (10 - step, 10 + step)
    assert victory_points(0, 4) == (10, 10)
    with pytest.raises(ValueError, match="multiples of 5"):
        victory_points(51, 3)


# --- the deal --------------------------------------------------------------------------------------------------------


def test_B4_9_to_B4_13_the_deal() -> None:
    """Hands, pozzetti, up-card and stock come from the places the rules say, here with a numbered deck."""
    deck, cut, dealer = list(range(1, 109)), 36, 2
    hands, (first, second), stock, upcard = deal(deck, cut, dealer, ITALIAN)
    assert hands[3] == tuple(range(37, 81, 4))  # the dealer's left has the first card below the cut
    assert hands[0] == tuple(range(38, 81, 4))
    assert hands[1] == tuple(range(39, 81, 4))
    assert hands[2] == tuple(range(40, 81, 4))
    assert first == tuple(range(36, 14, -2))
    assert second == tuple(range(35, 14, -2))
    assert upcard == 81
    assert stock == (*range(82, 109), *range(1, 15))
    assert len(stock) == 41
    assert sorted((*stock, upcard, *first, *second, *(number for hand in hands for number in hand))) == deck


@pytest.mark.parametrize(("cut", "legal"), [(21, False), (22, True), (63, True), (64, False)])
def test_B4_9_bounds_of_the_cut(cut: int, legal: bool) -> None:
    """The cut takes at least 22 cards and leaves at least 45."""
    if legal:
        assert len(deal(DECK, cut, 0, ITALIAN)[2]) == 41
    else:
        with pytest.raises(ValueError, match="B4-9"):
            deal(DECK, cut, 0, ITALIAN)


def test_B4_4_and_B4_5_ranking_of_the_draw() -> None:
    """Joker over two over ace over king over three, equal ranks by suit as the preset orders them."""
    assert draw_ranking(cards("AS JK KD 2C"), ITALIAN) == (1, 3, 0, 2)
    assert draw_ranking(cards("3S 3C 3H 3D"), ITALIAN) == (0, 2, 3, 1)
    assert draw_ranking(cards("3S 3C 3H 3D"), FIBUR) == (2, 3, 1, 0)
    assert draw_ranking(cards("2C 2S AS KS"), FIBUR) == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="B4-6"):
        draw_ranking(cards("AS AS KD 2C"), ITALIAN)
