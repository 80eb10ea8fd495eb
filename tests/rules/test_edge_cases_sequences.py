"""E1 to E20: twos and wilds in sequences."""

import pytest

from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind
from service.rules.cards import parse
from service.rules.events import WildMoved
from service.rules.melds import MeldKind
from service.rules.moves import LayMeld
from service.rules.options import BurracoRules
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from tests.rules.words import add, added, after, applied, card, drop, faults, fresh, held, lay, on_table, only, refused
from tests.support.tables import meld, rules, table

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
ACE_TO_KING = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
TWO_TO_ACE = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


@BOTH
def test_e1_two_in_its_own_place_is_clean(preset: BurracoRules) -> None:
    """`AS 2S 3S` is clean; seven cards `AS..7S` are a clean burraco worth 200."""
    assert fresh("AS 2S 3S", preset) == "AS 2S 3S"
    assert bonus(meld("AS 2S 3S 4S 5S 6S 7S"), preset) == 200


@BOTH
def test_e2_two_of_another_suit_is_a_wild(preset: BurracoRules) -> None:
    """`AS 2H 3S` is legal and dirty: the two stands for 2S."""
    assert fresh("AS 2H 3S", preset) == "AS 2H(=2S) 3S"
    assert burraco_kind(meld("AS 2H(=2S) 3S 4S 5S 6S 7S"), preset) is BurracoKind.DIRTY


@BOTH
def test_e4_natural_two_beside_a_joker(preset: BurracoRules) -> None:
    """`2S 3S JK` is legal: the joker is the ace below, and becomes 4S when a natural needs it."""
    assert fresh("2S 3S JK", preset) == "JK(=AS) 2S 3S"
    assert added("JK(=AS) 2S 3S", "5S", preset) == "2S 3S JK(=4S) 5S"


@BOTH
def test_e5_two_twos(preset: BurracoRules) -> None:
    """`2S 2H 4S` is legal with 2H as 3S, and `2S 2S 4S` with one of the twos as 3S."""
    assert fresh("2S 2H 4S", preset) == "2S 2H(=3S) 4S"
    assert fresh("2S 2S 4S", preset) == "2S 2S(=3S) 4S"
    assert fresh("2H 4H AH 2S", preset) == "AH 2H 2S(=3H) 4H"


@pytest.mark.parametrize("two", ["2D", "2H"])
@BOTH
def test_e7_no_wild_above_a_high_ace(preset: BurracoRules, two: str) -> None:
    """With `QH KH AH` a two is the jack at the low end; a wild never stands above a high ace."""
    assert fresh(f"QH KH AH {two}", preset) == f"{two}(=JH) QH KH AH"
    assert added("QH KH AH", two, preset) == f"{two}(=JH) QH KH AH"


@BOTH
def test_e7_no_wrap(preset: BurracoRules) -> None:
    """`KH AH 2H 3H` is illegal: no sequence goes round the corner."""
    assert fresh("KH AH 2H 3H", preset) == [Reason.SEQUENCE_GOES_ROUND]


@BOTH
def test_e8_the_natural_two_may_leave_its_place(preset: BurracoRules) -> None:
    """9S on `2S..7S`: the two serves as 8S, and everyone is told that it turned wild."""
    state = table(hands=["9S QD JC"], melds={0: ["2S 3S 4S 5S 6S 7S"]}, options=preset)
    outcome = applied(state, add(1, "9S"))

    assert on_table(outcome.state) == ["3S 4S 5S 6S 7S 2S(=8S) 9S"]
    assert burraco_kind(outcome.state.melds[0], preset) is BurracoKind.DIRTY
    assert only(outcome.events, WildMoved) == WildMoved(0, 1, card("2S"), card("2S"), card("8S"))
    assert added("2H 3H 4H", "6H", preset) == "3H 4H 2H(=5H) 6H"


def test_e8_unless_the_option_forbids_it() -> None:
    """Where the option says no, 9S on `2S..7S` is refused, and everything else goes on as before."""
    no = rules(natural_two_may_turn_wild=False)

    assert added("2S 3S 4S 5S 6S 7S", "9S", no) == [Reason.NATURAL_TWO_STAYS]
    assert added("2S 3S 4S 5S 6S 7S", "8S", no) == "2S 3S 4S 5S 6S 7S 8S"


@BOTH
def test_e9_no_wild_moves_an_acting_two(preset: BurracoRules) -> None:
    """A joker on `2S(=3S) 4S 5S 6S` is refused, though the same cards laid fresh are legal."""
    assert added("2S(=3S) 4S 5S 6S", "JK", preset) == [Reason.MELD_HAS_WILD]
    assert fresh("2S 4S 5S 6S JK", preset) == "2S JK(=3S) 4S 5S 6S"


@BOTH
def test_e10_a_second_two_enters_its_own_place(preset: BurracoRules) -> None:
    """A second 2S on `2S(=3S) 4S 5S 6S` enters as a natural; a two of another suit is refused."""
    assert added("2S(=3S) 4S 5S 6S", "2S", preset) == "2S 2S(=3S) 4S 5S 6S"
    assert added("2S(=3S) 4S 5S 6S", "2H", preset) == [Reason.MELD_HAS_WILD]


@BOTH
@pytest.mark.parametrize("cards", ["2S 2S JK", "2S 2H JK", "2H 2D JK"])
def test_e12_two_twos_and_a_joker(preset: BurracoRules, cards: str) -> None:
    """`2 2 JK` is refused for too many wilds, whatever its suits."""
    assert fresh(cards, preset) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]


@BOTH
def test_e14_thirteen_from_the_ace(preset: BurracoRules) -> None:
    """`AH..KH` takes a joker as the 14th card, but no second ace and no second wild."""
    assert added(ACE_TO_KING, "JK", preset) == f"{ACE_TO_KING} JK(=AH)"
    assert added(ACE_TO_KING, "AH", preset) == [Reason.SLOT_TAKEN]
    assert added(ACE_TO_KING, "JK 2S", preset) == [Reason.TOO_MANY_CARDS, Reason.TOO_MANY_WILDS]
    assert added(f"{ACE_TO_KING} JK(=AH)", "2S", preset) == [Reason.TOO_MANY_CARDS, Reason.MELD_HAS_WILD]


@BOTH
def test_e15_thirteen_to_a_high_ace(preset: BurracoRules) -> None:
    """`2H..KH AH` with the ace high takes a joker in slot 1."""
    assert added(TWO_TO_ACE, "JK", preset) == f"JK(=AH) {TWO_TO_ACE}"


@BOTH
def test_e18_a_free_joker_jumps_to_the_other_end(preset: BurracoRules) -> None:
    """8C on `JK(=4C) 5C 6C`: the joker jumps to 7C."""
    assert added("JK(=4C) 5C 6C", "8C", preset) == "5C 6C JK(=7C) 8C"
    assert added("2C(=4C) 5C 6C", "8C", preset) == "5C 6C 2C(=7C) 8C"


@BOTH
def test_e19_a_freed_wild_stays_in_its_meld(preset: BurracoRules) -> None:
    """A freed wild comes neither back to the hand nor to another meld."""
    state = table(hands=["7C QD JC"], melds={0: ["6C JK(=7C) 8C", "7H 8H 9H"]}, options=preset)
    state = after(state, add(1, "7C"))

    assert on_table(state) == ["JK(=5C) 6C 7C 8C", "7H 8H 9H"]
    assert held(state, 0) == "QD JC"
    assert refused(state, add(2, "JK")) == [Reason.CARD_NOT_IN_HAND]
    assert refused(state, drop("JK")) == [Reason.CARD_NOT_IN_HAND]


@BOTH
def test_e20_no_free_choice_of_the_end(preset: BurracoRules) -> None:
    """A free wild stands at the low end; asking for the high end is refused."""
    state = table(hands=["7C QD JC"], melds={0: ["6C JK(=7C) 8C"]}, options=preset)
    (fault,) = faults(state, add(1, "7C", wild_as="9C"))

    assert fault.reason is Reason.READING_NOT_POSSIBLE
    assert fault.meld_id == 1
    assert on_table(after(state, add(1, "7C", wild_as="5C"))) == ["JK(=5C) 6C 7C 8C"]


@BOTH
def test_e20_no_free_choice_in_a_fresh_meld(preset: BurracoRules) -> None:
    """Nor may the end be chosen when the meld is laid; naming what the rules give is legal."""
    state = table(hands=["7C 8C JK QD JC"], options=preset)

    assert refused(state, lay("7C 8C JK", wild_as="9C")) == [Reason.READING_NOT_POSSIBLE]
    assert refused(state, lay("7C 8C JK", MeldKind.SET)) == [Reason.READING_NOT_POSSIBLE]
    assert on_table(after(state, lay("7C 8C JK", MeldKind.SEQUENCE, "6C"))) == ["JK(=6C) 7C 8C"]
    assert on_table(after(state, LayMeld(parse("JK 8C 7C")))) == ["JK(=6C) 7C 8C"]
