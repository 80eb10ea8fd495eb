"""E26 to E30: kinds of burraco."""

import pytest

from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind
from service.rules.options import BurracoRules, CloseNeeds
from service.rules.presets import FIBUR, ITALIAN
from tests.support.tables import meld, rules

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
INTERNATIONAL = rules(semiclean=False, close_needs=CloseNeeds.CLEAN_BURRACO)


@pytest.mark.parametrize(
    ("options", "points"),
    [(ITALIAN, 100), (FIBUR, 150), (INTERNATIONAL, 100)],
    ids=["italian", "fibur", "international"],
)
def test_e26_seven_naturals_and_a_free_wild(options: BurracoRules, points: int) -> None:
    """`3S..9S JK` earns 100 in the seeds, 150 in the federation, 100 in the international code."""
    assert bonus(meld("JK(=2S) 3S 4S 5S 6S 7S 8S 9S"), options) == points


@pytest.mark.parametrize(("preset", "kind"), [(ITALIAN, BurracoKind.DIRTY), (FIBUR, BurracoKind.SEMI_CLEAN)])
def test_e28_natural_two_counts_among_the_seven(preset: BurracoRules, kind: BurracoKind) -> None:
    """`2S..8S JK` is semi-clean in the federation: seven naturals, the two among them."""
    assert burraco_kind(meld("JK(=AS) 2S 3S 4S 5S 6S 7S 8S"), preset) is kind


@BOTH
def test_e28_without_the_joker_it_is_clean(preset: BurracoRules) -> None:
    """Without the joker it is clean."""
    assert burraco_kind(meld("2S 3S 4S 5S 6S 7S 8S"), preset) is BurracoKind.CLEAN


@BOTH
def test_e29_a_wild_among_seven_cards_is_dirty(preset: BurracoRules) -> None:
    """`2S 3S 4S 2H(=5S) 6S 7S 8S` is dirty everywhere."""
    assert burraco_kind(meld("2S 3S 4S 2H(=5S) 6S 7S 8S"), preset) is BurracoKind.DIRTY


@BOTH
def test_e30_thirteen_naturals_earn_200(preset: BurracoRules) -> None:
    """13 naturals `AS..KS` earn 200 like any clean burraco."""
    assert bonus(meld("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"), preset) == 200
