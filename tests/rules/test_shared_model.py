"""§1.0: what all Burraco melds have in common, with every example that the rule book prints there."""

import pytest

from service.rules.burraco.kinds import BurracoKind, burraco_kind
from service.rules.presets import ITALIAN
from service.rules.reasons import Reason
from tests.rules.words import add, added, after, fresh, held, lay, on_table
from tests.support.tables import meld, table

ACE_TO_KING = "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
THREE_TO_KING = "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"


# --- card classes -----------------------------------------------------------------------------------------------------


def test_joker_is_always_wild() -> None:
    """A joker is wild wherever it stands."""
    assert fresh("JK 7S 8S") == "JK(=6S) 7S 8S"
    assert fresh("7S JK 9S") == "7S JK(=8S) 9S"
    assert fresh("7S 7H JK") == "7S 7H JK"


def test_two_is_natural_in_slot_2_of_its_own_suit_only() -> None:
    """A two is wild unless it stands in slot 2 of a sequence of its own suit."""
    assert fresh("AS 2S 3S") == "AS 2S 3S"
    assert fresh("AS 2H 3S") == "AS 2H(=2S) 3S"
    assert fresh("4S 2S 6S") == "4S 2S(=5S) 6S"


def test_two_is_never_natural_in_a_set() -> None:
    """In a set a two is always wild, also beside cards of its own suit."""
    assert fresh("7S 7H 2S") == "7S 7H 2S"
    assert fresh("7S 7H 2S 2H") == [Reason.TOO_MANY_WILDS]
    assert burraco_kind(meld("7S 7S 7H 7H 7D 7C 2D"), ITALIAN) is BurracoKind.DIRTY


# --- the multiset test ------------------------------------------------------------------------------------------------


def test_order_of_the_selection_means_nothing() -> None:
    """A selection has no order: however it is typed, it is the same meld."""
    for cards in ("4S 5S JK 7S", "JK 7S 5S 4S", "7S 4S JK 5S"):
        assert fresh(cards) == "4S 5S JK(=6S) 7S"


@pytest.mark.parametrize(
    ("cards", "reasons"),
    [
        ("7S 8S 9H", [Reason.NEITHER_SET_NOR_SEQUENCE]),  # 1. one suit
        ("7S 8S 8S 9S", [Reason.SEQUENCE_REPEATS_RANK]),  # 1. no rank twice
        ("QS KS AS AS 3S", [Reason.SEQUENCE_REPEATS_RANK]),  # 1. one ace
        ("KS AS 2S 3S", [Reason.SEQUENCE_GOES_ROUND]),  # 1. the ace low or high, never both
        ("7S 8S JK 2H", [Reason.TOO_MANY_WILDS]),  # 2. one wild
        ("7S 8S 10S JS", [Reason.SEQUENCE_HAS_GAP]),  # 3. one block
        ("2S 5S JK", [Reason.SEQUENCE_HAS_GAP]),  # 3. whether the two is natural or not
        ("7S 9S JS JK", [Reason.SEQUENCE_HAS_GAP]),  # 3. with the wild
        ("7S JK", [Reason.TOO_FEW_CARDS, Reason.NOT_ENOUGH_NATURALS]),  # 3. three cards
        ("7S JK 2D", [Reason.TOO_MANY_WILDS]),  # 4. two naturals
    ],
)
def test_sequence_validity(cards: str, reasons: list[Reason]) -> None:
    """A sequence is of one suit, no rank twice, one wild at most, one unbroken block of 3 to 14 slots."""
    assert fresh(cards) == reasons


def test_sequence_may_not_be_longer_than_14() -> None:
    """A sequence has 14 cards at most."""
    assert fresh(f"{ACE_TO_KING} JK") == f"{ACE_TO_KING} JK(=AC)"
    assert fresh(f"{ACE_TO_KING} JK 2H") == [Reason.TOO_MANY_CARDS, Reason.TOO_MANY_WILDS]
    assert added(f"{ACE_TO_KING} JK(=AC)", "AC") == [Reason.TOO_MANY_CARDS, Reason.SLOT_TAKEN]


def test_two_of_one_suit_one_natural_one_wild() -> None:
    """One two of the suit may be natural; everything else among twos and jokers is wild."""
    assert fresh("2S 2S 4S") == "2S 2S(=3S) 4S"
    assert fresh("AS 2S 2S 4S") == "AS 2S 2S(=3S) 4S"
    assert fresh("2S 2S 4S JK") == [Reason.TOO_MANY_WILDS]


# --- where the wild sits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "laid"),
    [
        ("5C 7C JK", "5C JK(=6C) 7C"),  # interior
        ("5C 6C JK", "JK(=4C) 5C 6C"),  # free: the low end
        ("3C 4C JK", "JK(=2C) 3C 4C"),
        ("2C 3C 4C JK", "JK(=AC) 2C 3C 4C"),
        ("AC 2C 3C JK", "AC 2C 3C JK(=4C)"),  # free above a low ace: the high end
        ("QC KC AC JK", "JK(=JC) QC KC AC"),  # never above a high ace
        ("KC AC JK", "JK(=QC) KC AC"),
        (f"2C {THREE_TO_KING} JK", f"JK(=AC) 2C {THREE_TO_KING}"),
        (f"{THREE_TO_KING} AC JK", f"AC JK(=2C) {THREE_TO_KING}"),  # the ace is low: the wild is interior
        (f"{ACE_TO_KING} JK", f"{ACE_TO_KING} JK(=AC)"),  # A-low to K and a wild: 14, wild on top
        ("3C 4C 2C", "2C 3C 4C"),  # a free two of the suit at slot 2 is the natural two
        ("3C 4C 2H", "2H(=2C) 3C 4C"),
        ("4C 5C 2C", "2C(=3C) 4C 5C"),
    ],
)
def test_wild_fills_the_gap_or_stands_at_the_low_end(cards: str, laid: str) -> None:
    """A wild fills the gap; a free one stands at the low end, or at the high end above a low ace."""
    assert fresh(cards) == laid


def test_two_to_high_ace_takes_a_wild_in_slot_1() -> None:
    """On the block from 2 to a high ace the wild stands in slot 1."""
    assert added(f"2C {THREE_TO_KING} AC", "JK") == f"JK(=AC) 2C {THREE_TO_KING} AC"


# --- adding cards -----------------------------------------------------------------------------------------------------


def test_natural_may_be_added_where_the_union_is_a_sequence() -> None:
    """A natural goes on if the union is a sequence."""
    assert added("5C 6C 7C", "8C") == "5C 6C 7C 8C"
    assert added("5C 6C 7C", "4C") == "4C 5C 6C 7C"
    assert added("5C 6C 7C", "9C") == [Reason.SEQUENCE_HAS_GAP]
    assert added("5C 6C 7C", "9C 8C") == "5C 6C 7C 8C 9C"


@pytest.mark.parametrize("wild", ["JK", "2D"])
def test_wild_may_be_added_where_there_is_none(wild: str) -> None:
    """A wild goes on only where the meld has no acting wild."""
    assert added("5C 6C 7C", wild) == f"{wild}(=4C) 5C 6C 7C"
    assert added("JK(=4C) 5C 6C 7C", wild.replace("JK", "2H")) == [Reason.MELD_HAS_WILD]
    assert added("5C 6C 7C", f"{wild} 9C") == f"5C 6C 7C {wild}(=8C) 9C"
    assert added("5C 6C 7C", f"{wild} 2S") == [Reason.TOO_MANY_WILDS]


def test_own_two_may_enter_as_a_natural_beside_a_wild() -> None:
    """A two of the sequence's suit enters slot 2 as a natural even where another wild is."""
    assert added("3C 4C JK(=5C) 6C", "2C") == "2C 3C 4C JK(=5C) 6C"
    assert added("JK(=2C) 3C 4C", "2C") == "JK(=AC) 2C 3C 4C"
    assert added("4C 5C JK(=6C) 7C", "2C") == [Reason.MELD_HAS_WILD]


@pytest.mark.parametrize(
    ("lying", "cards", "laid"),
    [
        ("2C(=4C) 5C 6C", "8C", "5C 6C 2C(=7C) 8C"),
        ("6C JK(=7C) 8C", "7C 10C", "6C 7C 8C JK(=9C) 10C"),
        ("6C JK(=7C) 8C", "7C", "JK(=5C) 6C 7C 8C"),
        ("6C JK(=7C) 8C", "9C", "6C JK(=7C) 8C 9C"),
    ],
)
def test_wild_moves_only_for_a_natural(lying: str, cards: str, laid: str) -> None:
    """An interior wild moves when its natural arrives, a free one when a natural needs it at the other end."""
    assert added(lying, cards) == laid


def test_interior_wild_stays_without_its_natural() -> None:
    """An interior wild does not leave its gap."""
    assert added("6C JK(=7C) 8C", "10C") == [Reason.SEQUENCE_HAS_GAP]


def test_union_test_alone_is_too_permissive() -> None:
    """A joker may not push an acting two to its natural place, though the union would be a sequence."""
    assert added("2S(=3S) 4S 5S 6S", "JK") == [Reason.MELD_HAS_WILD]
    assert fresh("2S 4S 5S 6S JK") == "2S JK(=3S) 4S 5S 6S"


def test_cards_that_go_on_one_by_one_in_some_order() -> None:
    """Cards go on together if they can go on one at a time in some order."""
    # The three sends the two to its own place; then there is no acting wild, and the joker may come.
    assert added("2S(=3S) 4S 5S 6S", "3S JK") == "JK(=AS) 2S 3S 4S 5S 6S"
    # The five alone leaves the two wild: no order lets the joker in.
    assert added("4S 2S(=5S) 6S", "5S JK") == [Reason.MELD_HAS_WILD]
    assert added("4S 2S(=5S) 6S", "5S 3S JK") == "JK(=AS) 2S 3S 4S 5S 6S"
    # The three and the four alone leave the two in its gap.
    assert added("5S 2S(=6S) 7S", "3S 4S JK") == [Reason.MELD_HAS_WILD]
    assert added("5S 2S(=6S) 7S", "3S 4S 6S JK") == "JK(=AS) 2S 3S 4S 5S 6S 7S"


def test_cards_that_go_on_below_a_high_ace() -> None:
    """Below a high ace, too, the acting two has to reach its own place before a joker may come."""
    to_ten = "3S 4S 5S 6S 7S 8S 9S 10S"

    assert added("2S(=JS) QS KS AS", f"{to_ten} JK") == [Reason.MELD_HAS_WILD]
    assert added("2S(=JS) QS KS AS", f"{to_ten} JS JK") == f"JK(=AS) 2S {to_ten} JS QS KS AS"


def test_fresh_meld_prefers_a_natural_two() -> None:
    """A meld laid fresh gets its roles once, with a natural two if that is possible."""
    assert fresh("2C 3C JK 5C") == "2C 3C JK(=4C) 5C"
    assert fresh("2C 3C 2H 5C") == "2C 3C 2H(=4C) 5C"
    assert fresh("2C 2C 3C 4C") == "2C(=AC) 2C 3C 4C"
    assert fresh("2C 3C 5C") == "3C 2C(=4C) 5C"  # only as a wild does the two make it a sequence


def test_wilds_never_leave_their_meld() -> None:
    """A wild that lost its place stays in its meld and never comes back to the hand."""
    state = after(table(hands=["7C QD JC"], melds={0: ["6C JK(=7C) 8C"]}), add(1, "7C"))

    assert on_table(state) == ["JK(=5C) 6C 7C 8C"]
    assert held(state, 0) == "QD JC"


# --- sets and burracos ------------------------------------------------------------------------------------------------


def test_set_validity() -> None:
    """A set is two to eight naturals of one rank, duplicates allowed, and at most one wild: three to nine cards."""
    assert fresh("9H 9H JK") == "9H 9H JK"
    assert fresh("9S 9S 9H 9H 9D 9D 9C 9C 2S") == "9S 9S 9H 9H 9D 9D 9C 9C 2S"
    assert fresh("9S JK 2H") == [Reason.TOO_MANY_WILDS]
    assert fresh("9S 9H") == [Reason.TOO_FEW_CARDS]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("9S 9S 9H 9H 9D 9D", BurracoKind.NONE),
        ("9S 9S 9H 9H 9D 9D 9C", BurracoKind.CLEAN),
        ("9S 9S 9H 9H 9D 9D JK", BurracoKind.DIRTY),
        ("2S 3S 4S 5S 6S 7S 8S", BurracoKind.CLEAN),
        ("2H(=2S) 3S 4S 5S 6S 7S 8S", BurracoKind.DIRTY),
        ("AS 2S 3S 4S 5S 6S", BurracoKind.NONE),
    ],
)
def test_burraco_is_seven_cards_clean_without_an_acting_wild(words: str, kind: BurracoKind) -> None:
    """A burraco has seven cards or more; it is clean without an acting wild, and dirty with one."""
    assert burraco_kind(meld(words), ITALIAN) is kind


def test_laying_three_twos_with_naturals() -> None:
    """Three twos never go into one meld: one may be natural, one wild."""
    state = table(hands=["2S 2S 2H 4S QD JC"])

    assert fresh("2S 2S 2H 4S") == [Reason.TOO_MANY_WILDS]
    assert on_table(after(state, lay("2S 2S 4S"))) == ["2S 2S(=3S) 4S"]
