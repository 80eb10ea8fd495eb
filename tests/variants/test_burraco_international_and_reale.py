"""BI-1 to BI-4 and BR-1 to BR-4: the international code, and Burraco Reale."""

from dataclasses import fields

import pytest

from service.rules.burraco.dealing import deck_of
from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind
from service.rules.burraco.legal import legal_moves
from service.rules.cards import JOKER, parse
from service.rules.moves import TAKE_PILE
from service.rules.options import BurracoRules
from service.rules.presets import FIBUR, INTERNATIONAL, ITALIAN, REALE
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, Phase
from tests.rules.words import (
    CLEAN_BURRACO,
    DIRTY_BURRACO,
    LONG_SPADES,
    add,
    added,
    after,
    applied,
    drop,
    fresh,
    is_accepted,
    lay,
    lines,
    new_match,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.checks import defects
from tests.support.tables import meld, table

DIRTY = "2H(=3S) 4S 5S 6S 7S 8S 9S"


def changed(preset: BurracoRules, base: BurracoRules) -> set[str]:
    """Options in which a preset differs from another."""
    keys = {field.name for field in fields(preset) if not field.name.startswith("_")} - {"preset"}
    return {key for key in keys if getattr(preset, key) != getattr(base, key)}


@pytest.mark.parametrize("preset", [INTERNATIONAL, REALE], ids=["international", "reale"])
def test_they_can_be_played(preset: BurracoRules) -> None:
    """Nothing is wrong with the two presets, and a match of four begins."""
    assert defects(preset) == []
    assert [hand.size for hand in new_match(preset).hands] == [11, 11, 11, 11]


# --- the international code -------------------------------------------------------------------------------------------


def test_bi_1_no_semi_clean_burraco() -> None:
    """Seven naturals and a wild are a dirty burraco, 100."""
    assert burraco_kind(meld("JK(=2S) 3S 4S 5S 6S 7S 8S 9S"), INTERNATIONAL) is BurracoKind.DIRTY
    assert bonus(meld("JK(=2S) 3S 4S 5S 6S 7S 8S 9S"), INTERNATIONAL) == 100


def test_bi_2_closing_needs_a_clean_burraco() -> None:
    """A dirty burraco does not let a side close, a clean one does."""
    dirty = ready_to_close(INTERNATIONAL, melds={0: [DIRTY_BURRACO]})

    assert refused(dirty, drop("9C")) == [Reason.CLOSE_NEEDS_CLEAN_BURRACO]
    assert after(ready_to_close(INTERNATIONAL), drop("9C")).deal_end is DealEnd.CLOSED


def test_bi_2_what_happens_at_a_table_is_refused_here() -> None:
    """A close with a wild, and one without a discard, are refused; at a table the last meld would come back."""
    wild = ready_to_close(INTERNATIONAL, hands=["JK", "KD", "8C", "QD"])
    all_melded = ready_to_close(INTERNATIONAL, hands=["5D 6D 7D", "KD", "8C", "QD"])

    assert refused(wild, drop("JK")) == [Reason.CLOSE_WITH_WILD]
    assert refused(all_melded, lay("5D 6D 7D")) == [Reason.MUST_KEEP_CLOSING_DISCARD]


def test_bi_3_sets_of_aces_and_threes_only() -> None:
    """Aces and threes may be sets, other ranks may not; no side has two sets of a rank."""
    assert fresh("AS AH AD", INTERNATIONAL) == "AS AH AD"
    assert fresh("3S 3H JK", INTERNATIONAL) == "3S 3H JK"
    assert fresh("KS KH KD", INTERNATIONAL) == [Reason.SET_RANK_NOT_ALLOWED]
    assert fresh("4S 5S 6S", INTERNATIONAL) == "4S 5S 6S"
    twice = table(hands=["AS AC AD 9C 8C"], melds={0: ["AS AH AD"]}, options=INTERNATIONAL)
    assert refused(twice, lay("AS AC AD")) == [Reason.DUPLICATE_SET]


def test_bi_4_taking_the_pile_obliges_to_meld() -> None:
    """Whoever takes the pile has to meld or lay off something that turn, whichever card it is."""
    state = table(
        hands=["4S 5S 6S KD QC 9D"], pile="JC 8H", melds={0: ["10D JD QD"]}, phase=Phase.DRAW, options=INTERNATIONAL
    )
    taken = after(state, TAKE_PILE)

    assert refused(taken, drop("8H")) == [Reason.MUST_MELD_FIRST]
    assert after(taken, lay("4S 5S 6S"), drop("8H")).seat == 1
    assert after(taken, add(1, "KD"), drop("8H")).seat == 1


def test_bi_4_who_can_meld_nothing_may_not_take_it() -> None:
    """Whoever could meld nothing with the pile may not take it."""
    fields_ = {"phase": Phase.DRAW, "options": INTERNATIONAL}
    nothing = table(hands=["4S 6H 9D KD QC"], pile="JC 8H", **fields_)  # type: ignore[arg-type]
    with_pile = table(hands=["4S 6H 9D KC QC"], pile="JC 8H", **fields_)  # type: ignore[arg-type]

    assert refused(nothing, TAKE_PILE) == [Reason.PILE_NEEDS_MELD]
    assert is_accepted(with_pile, TAKE_PILE)


def test_bi_4_nothing_else_is_changed() -> None:
    """Everything else is as in the Italian code of the federation."""
    assert changed(INTERNATIONAL, FIBUR) == {"semiclean", "close_needs", "sets_allowed", "pile_take"}


# --- Burraco Reale ----------------------------------------------------------------------------------------------------


def test_br_1_no_jokers() -> None:
    """The deck has 104 cards; the stock begins with 37."""
    assert len(deck_of(REALE)) == 104
    assert JOKER not in deck_of(REALE)
    assert len(new_match(REALE).stock) == 37


def test_br_1_twos_are_the_only_wilds() -> None:
    """A two stands in for a missing card."""
    assert fresh("4S 2H 6S", REALE) == "4S 2H(=5S) 6S"


def test_br_2_sequences_only() -> None:
    """No rank may form a set."""
    assert fresh("KS KH KD", REALE) == [Reason.SET_RANK_NOT_ALLOWED]
    assert fresh("AS AH AD", REALE) == [Reason.SET_RANK_NOT_ALLOWED]
    assert fresh("JS QS KS", REALE) == "JS QS KS"


def test_br_3_closing_needs_a_clean_burraco() -> None:
    """A dirty burraco does not let a side close, a clean one does."""
    dirty = ready_to_close(REALE, melds={0: [DIRTY]}, taken_by=(0, NOBODY))

    assert refused(dirty, drop("9C")) == [Reason.CLOSE_NEEDS_CLEAN_BURRACO]
    assert after(ready_to_close(REALE), drop("9C")).deal_end is DealEnd.CLOSED


def test_br_4_ace_to_ace() -> None:
    """14 naturals from ace to ace exist and earn 1000, ace to king earn 500, other clean burracos 200."""
    assert added(LONG_SPADES, "AS", REALE) == f"{LONG_SPADES} AS"
    assert bonus(meld(f"{LONG_SPADES} AS"), REALE) == 1000
    assert bonus(meld(LONG_SPADES), REALE) == 500
    assert bonus(meld("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"), REALE) == 200
    assert bonus(meld(CLEAN_BURRACO), REALE) == 200
    assert bonus(meld(DIRTY), REALE) == 100


@pytest.mark.parametrize(
    ("hand", "melds", "played"),
    [
        pytest.param(f"AS {LONG_SPADES} 9D 8C 7H", [], f"AS {LONG_SPADES}", id="from the hand"),
        pytest.param(f"AS {LONG_SPADES} 3S KS 7H", [], f"AS {LONG_SPADES}", id="with cards of it held twice"),
        pytest.param(f"AS {LONG_SPADES} 9D", [], f"AS {LONG_SPADES}", id="all cards but one"),
        pytest.param(f"AS {LONG_SPADES}", [], f"AS {LONG_SPADES}", id="all cards"),
        pytest.param(f"{LONG_SPADES} 9D 8C 7H", [], None, id="one ace"),
        pytest.param("AS AS 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2H 8C 7H", [], None, id="no two of the suit"),
        pytest.param("AS AS 2S 3S 4S 5S 6S 7S 9S 10S JS QS KS 2H 8C", [], None, id="a wild in it"),
        pytest.param("AS AS KS 9D 8C", ["2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS"], "AS AS KS", id="on a meld"),
        pytest.param("AS QS KS 9D 8C", ["AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS"], "AS QS KS", id="on one with an ace"),
        pytest.param("AS AS 2S 9D 8C", ["3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"], "AS AS 2S", id="with the two"),
        pytest.param("AS KS 9D 8C", ["2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS"], None, id="one ace on a meld"),
        pytest.param("AS AS 2H 9D 8C", ["3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"], None, id="a two of another suit"),
    ],
)
def test_br_4_ace_to_ace_is_listed_once(hand: str, melds: list[str], played: str | None) -> None:
    """The list has ace to ace where 14 naturals are there, from the hand or on a meld, and not otherwise."""
    state = table(hands=[hand], melds={0: melds}, options=REALE)
    on_table = {meld.meld_id: len(meld.cards) for meld in state.melds}

    whole = [
        cards
        for group in legal_moves(state, 0, 10_000).groups
        for cards in group.selections()
        if len(cards) + on_table.get(group.meld_id, 0) == 14
    ]

    assert [sorted(cards) for cards in whole] == ([sorted(parse(played))] if played else [])


def test_br_4_on_the_sheet() -> None:
    """The bonus is a line of its own on the sheet."""
    sheet = sheet_of(applied(ready_to_close(REALE, melds={0: [f"{LONG_SPADES} AS"]}), drop("9C")))

    assert lines(sheet, 0)[:2] == [(ScoreItem.MELD_CARDS, 135), (ScoreItem.LONG_RUN, 1000)]


def test_br_4_nothing_else_is_changed() -> None:
    """Everything else is as in the seeds."""
    assert changed(REALE, ITALIAN) == {"variant_reale", "jokers", "sets_allowed", "close_needs", "long_run_bonus"}
