"""E21 to E25: sets."""

import pytest

from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind
from service.rules.options import BurracoRules
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from tests.rules.words import add, added, after, card, faults, fresh, lay, on_table, refused
from tests.support.tables import meld, table

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
EIGHT_KINGS = "KS KS KH KH KD KD KC KC"


@BOTH
def test_e21_equal_cards_in_a_set(preset: BurracoRules) -> None:
    """`7H 7H 7S` is legal: there are two packs."""
    assert fresh("7H 7H 7S", preset) == "7S 7H 7H"


def test_e21_there_are_two_copies_only() -> None:
    """`7H 7H 7H` is impossible: only two copies exist, and the third is not in hand."""
    (fault,) = faults(table(hands=["7H 7H 7S QD"]), lay("7H 7H 7H"))

    assert fault.reason is Reason.CARD_NOT_IN_HAND
    assert fault.cards == bytes([card("7H")])


@BOTH
@pytest.mark.parametrize("cards", ["2H 2D 2S", "2H 2D JK", "JK JK 2C"])
def test_e22_no_set_of_wilds(preset: BurracoRules, cards: str) -> None:
    """Twos and jokers alone form no set."""
    assert fresh(cards, preset) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]


@BOTH
def test_e23_a_second_wild_is_refused(preset: BurracoRules) -> None:
    """`KS KD 2H` takes no joker, but kings up to eight: nine cards."""
    assert added("KS KD 2H", "JK", preset) == [Reason.MELD_HAS_WILD]
    assert added("KS KD 2H", "KS KH KH KD KC KC", preset) == f"{EIGHT_KINGS} 2H"


@BOTH
def test_e23_the_meld_is_named(preset: BurracoRules) -> None:
    """The refusal names the meld and the wild."""
    (fault,) = faults(table(hands=["JK QD JC"], melds={0: ["KS KD 2H"]}, options=preset), add(1, "JK"))

    assert (fault.reason, fault.meld_id, fault.cards) == (Reason.MELD_HAS_WILD, 1, bytes([card("JK")]))


@pytest.mark.parametrize(("preset", "points"), [(ITALIAN, 100), (FIBUR, 150)], ids=["italian", "fibur"])
def test_e24_seven_naturals_and_a_wild(preset: BurracoRules, points: int) -> None:
    """A set of seven naturals and a joker is dirty in the seeds, and semi-clean in the federation."""
    assert bonus(meld("KS KS KH KH KD KD KC JK"), preset) == points


@BOTH
def test_e24_six_naturals_and_a_wild(preset: BurracoRules) -> None:
    """A set of six naturals and a wild is dirty everywhere."""
    assert burraco_kind(meld("KS KS KH KH KD KD JK"), preset) is BurracoKind.DIRTY


def test_e25_a_second_set_of_a_rank_in_the_federation() -> None:
    """In the federation a side that has `KS KD KH` may not lay `KC KS KD`: it adds them to the first."""
    state = table(hands=["KC KS KD QD JC"], melds={0: ["KS KH KD"]}, options=FIBUR)
    (fault,) = faults(state, lay("KC KS KD"))

    assert fault.reason is Reason.DUPLICATE_SET
    assert fault.meld_id == 1
    assert dict(fault.arguments) == {"rank": "K"}
    assert on_table(after(state, add(1, "KC KS KD"))) == ["KS KS KH KD KD KC"]


def test_e25_with_a_wild_too() -> None:
    """A wild makes no difference: neither set need be natural."""
    state = table(hands=["KC KS JK QD JC"], melds={0: ["KH KD 2S"]}, options=FIBUR)

    assert refused(state, lay("KC KS JK")) == [Reason.DUPLICATE_SET]


def test_e25_a_second_set_of_a_rank_in_the_seeds() -> None:
    """In the seeds a second set of the rank is allowed."""
    state = table(hands=["KC KS KD QD JC"], melds={0: ["KS KH KD"]})

    assert on_table(after(state, lay("KC KS KD"))) == ["KS KH KD", "KS KD KC"]
