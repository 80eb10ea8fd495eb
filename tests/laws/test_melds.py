"""What selections are and what goes on melds: the service's reading against the oracle's (§1.0, B4-19 … B4-25)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind, long_run_bonus, opens_the_close
from service.rules.burraco.reading import add, read, why_not_added, why_not_read
from service.rules.hand import hand_of
from service.rules.options import BurracoRules, CloseNeeds, LongRunBonus, SemicleanDefinition
from tests.oracle import melds as oracle
from tests.oracle.cards import ACE, JOKER, KING, TWO, face_in_slot, is_wild_card, rank, suit
from tests.oracle.melds import OMeld, lay_off, read_fresh
from tests.oracle.table import has_closing_burraco
from tests.support.bridge import Reached, from_oracle, to_oracle
from tests.support.profile import examples
from tests.support.strategies import (
    MELDING_RULES,
    Cards,
    additions,
    any_cards,
    closing_rules,
    near_sets,
    rows,
    selections,
)

STEPS = 6
"""Lay-offs that are tried one after the other."""

melding_rules = st.sampled_from(MELDING_RULES)


def read_alike(cards: Cards, rules: BurracoRules) -> OMeld | None:
    """Read a selection both ways; the two have to agree, roles included."""
    expected = read_fresh(cards, rules)
    meld = read(hand_of(cards), rules)
    assert (meld and to_oracle(meld)) == expected
    if meld is None:
        assert why_not_read(hand_of(cards), rules)
    return expected


def add_alike(before: OMeld, cards: Cards, rules: BurracoRules) -> OMeld | None:
    """Add a selection both ways; the two have to agree, roles included."""
    expected = lay_off(before, cards, rules)
    target = from_oracle(before, meld_id=7, side=1)
    after = add(target, hand_of(cards), rules)
    assert (after and to_oracle(after)) == expected
    if after is None:
        assert {fault.meld_id for fault in why_not_added(target, hand_of(cards), rules)} == {7}
    else:
        assert (after.meld_id, after.side) == (7, 1)
    return expected


# --- fresh from the hand ---------------------------------------------------------------------------------------------


def _note_fresh(reached: Reached, cards: Cards, meld: OMeld | None, rules: BurracoRules) -> None:
    wilds = [card for card in cards if is_wild_card(card)]
    naturals = [card for card in cards if not is_wild_card(card)]
    suits, ranks = {suit(card) for card in naturals}, {rank(card) for card in naturals}
    if meld is None:
        reached.note("E22 only wilds", len(cards) > 2 and not naturals)
        reached.note("E22 one natural", len(naturals) == 1 and len(wilds) > 1)
        reached.note("E7 round the corner", len(suits) == 1 and {ACE, KING, 3} <= ranks and len(naturals) == len(ranks))
        reached.note("a rank twice", len(suits) == 1 and len(naturals) > len(ranks) > 1)
        reached.note("ten of a rank", len(ranks) == 1 and len(cards) > 9)
        reached.note("set of a rank not allowed", len(ranks) == 1 and len(naturals) > 2 and not wilds)
        reached.note("two suits", len(suits) == 2 and len(ranks) > 1)
        return
    size = len(meld.cards)
    if meld.kind == "set":
        reached.note("set, clean", meld.wild is None)
        reached.note("set, dirty", meld.wild is not None)
        reached.note("set with twins", max(Counter(naturals).values()) == 2)
        reached.note("set of nine", size == 9)
        return
    own_two = suit(meld.naturals[0]) * 16 + TWO
    reached.note("E1 clean with natural two", meld.wild is None and meld.natural_in(2))
    reached.note("E4 natural two and a wild", meld.wild is not None and meld.natural_in(2))
    reached.note("E5 both twos of the suit", meld.wild_card == own_two and meld.natural_in(2))
    reached.note("own two as a wild", meld.wild_card == own_two and not meld.natural_in(2))
    reached.note("E2 other two as a wild", meld.wild_card not in (None, JOKER, own_two))
    reached.note("interior wild", meld.wild not in (None, 0, size - 1))
    reached.note("free wild, low", meld.wild == 0)
    reached.note("free wild, high above the ace", meld.wild == size - 1 and meld.low == 1)
    reached.note("E7 ace high", meld.natural_in(14))
    reached.note("R6 complete suit, ace low", size >= 13 and meld.natural_in(1) and not meld.natural_in(14))
    reached.note("thirteen naturals", meld.wild is None and size == 13)
    reached.note("E14 thirteen and a wild", meld.wild is not None and size == 14)
    reached.note("ace to ace", rules.variant_reale and meld.natural_in(1) and meld.natural_in(14))


def test_section_1_0_selections_read_as_the_oracle_reads_them() -> None:
    reached = Reached()

    @examples(2500)
    @given(selections(), melding_rules)
    def law(cards: Cards, rules: BurracoRules) -> None:
        _note_fresh(reached, cards, read_alike(cards, rules), rules)

    law()
    reached.demand(
        *(
            "E1 clean with natural two",
            "E2 other two as a wild",
            "E4 natural two and a wild",
            "E5 both twos of the suit",
        ),
        *("E7 ace high", "E7 round the corner", "E14 thirteen and a wild", "E22 one natural", "E22 only wilds"),
        *("R6 complete suit, ace low", "a rank twice", "ace to ace", "free wild, high above the ace", "free wild, low"),
        *("interior wild", "own two as a wild", "set of a rank not allowed", "set of nine", "set with twins"),
        *("set, clean", "set, dirty", "ten of a rank", "thirteen naturals", "two suits"),
    )


# --- on melds of the table -------------------------------------------------------------------------------------------


def _note_added(reached: Reached, before: OMeld, cards: Cards, after: OMeld | None, rules: BurracoRules) -> None:
    wilds = [card for card in cards if is_wild_card(card)]
    if before.kind == "set":
        reached.note("B4-23 set grows", after is not None)
        reached.note("E23 second wild on a set", after is None and len(wilds) == 1 and before.wild is not None)
        reached.note("set of nine", after is not None and len(after.cards) == 9)
        reached.note("ten of a rank", after is None and len(before.cards) + len(cards) > 9)
        return
    own_two = suit(before.naturals[0]) * 16 + TWO
    fresh = read_fresh((*before.cards, *cards), rules)
    demoted = before.natural_in(2) and after is not None and not after.natural_in(2)
    reached.note("E8 natural two turns wild", demoted)
    if after is None:
        reached.note(
            "E8 natural two stays", not rules.natural_two_may_turn_wild and before.natural_in(2) and fresh is not None
        )
        goes_home = before.wild_card == own_two and before.low == 3 and face_of_wild(before) in cards
        reached.note("R5 two slides home and stays", goes_home and not wilds and fresh is not None)
        displaced = before.wild_card == own_two and fresh is not None and bool(wilds)
        reached.note("E9 no wild frees the two", displaced)
        reached.note("second wild", before.wild is not None and bool(wilds) and fresh is None)
        reached.note("E14 second ace", any(rank(c) == ACE for c in cards) and any(rank(c) == ACE for c in before.cards))
        reached.note("R6 ace stays where it is", fresh is not None and not wilds)
        reached.note("gap too many", not wilds and fresh is None)
        return
    size = len(after.cards)
    reached.note("R5 natural two kept, wild comes along", before.natural_in(2) and after.natural_in(2) and bool(wilds))
    reached.note("E10 second two of the suit", before.wild_card == own_two and own_two in cards)
    reached.note("own two slides home", before.wild_card == own_two and after.wild is None)
    home_with_another = before.wild_card == own_two and after.wild_card not in (None, own_two)
    reached.note("own two slides home, another wild comes", home_with_another)
    reached.note("two in place beside a wild", before.wild_card not in (None, own_two) and own_two in cards)
    if before.wild is not None and after.wild is not None and before.wild_card == after.wild_card:
        was, now = before.low + before.wild, after.low + after.wild
        reached.note("E18 free wild jumps", was != now and before.wild in {0, len(before.cards) - 1})
        reached.note("B4-23 interior wild replaced", was != now and before.wild not in {0, len(before.cards) - 1})
    reached.note("E14 fourteen, wild on top", size == 14 and after.wild == 13)
    reached.note("E15 two to ace and a wild", size == 14 and after.wild == 0 and after.natural_in(14))
    reached.note("R6 complete suit, ace high", size >= 13 and after.natural_in(14) and after.wild is None)
    reached.note("ace to ace", after.natural_in(1) and after.natural_in(14))
    reached.note("seven cards at once", len(cards) > 6)


def face_of_wild(meld: OMeld) -> int | None:
    """The card that a sequence's wild stands for."""
    return None if meld.wild is None else face_in_slot(suit(meld.naturals[0]), meld.low + meld.wild)


def test_section_1_0_melds_grow_as_the_oracle_lets_them() -> None:
    reached = Reached()

    @examples(2500)
    @given(selections(), melding_rules, st.data())
    def law(cards: Cards, rules: BurracoRules, data: st.DataObject) -> None:
        meld = read_fresh(cards, rules)
        for _ in range(STEPS if meld else 0):
            assert meld is not None
            more = data.draw(additions(meld))
            if not more:
                continue
            grown = add_alike(meld, more, rules)
            _note_added(reached, meld, more, grown, rules)
            meld = grown or meld

    law()
    reached.demand(
        *("B4-23 interior wild replaced", "B4-23 set grows", "E8 natural two stays", "E8 natural two turns wild"),
        *("E9 no wild frees the two", "E10 second two of the suit", "E14 fourteen, wild on top", "E14 second ace"),
        *("E15 two to ace and a wild", "E18 free wild jumps", "E23 second wild on a set", "R6 ace stays where it is"),
        *(
            "R5 natural two kept, wild comes along",
            "R5 two slides home and stays",
            "R6 complete suit, ace high",
            "ace to ace",
            "gap too many",
        ),
        *("own two slides home", "own two slides home, another wild comes", "second wild", "set of nine"),
        *("seven cards at once", "ten of a rank", "two in place beside a wild"),
    )


@examples(600)
@given(selections(), any_cards(4).filter(bool), melding_rules)
def test_section_1_0_cards_in_no_relation_to_a_meld(cards: Cards, more: Cards, rules: BurracoRules) -> None:
    """Also cards that the deck does not hold beside the meld: reading must not depend on who checked that."""
    meld = read_fresh(cards, rules)
    if meld and not _third_copy((*cards, *more)):
        add_alike(meld, more, rules)


def _third_copy(cards: Iterable[int]) -> bool:
    return any(count > (4 if card == JOKER else 2) for card, count in Counter(cards).items())


# --- laws without the oracle -----------------------------------------------------------------------------------------


@examples(600)
@given(selections(), melding_rules, st.data())
def test_section_1_0_one_by_one_or_at_once(cards: Cards, rules: BurracoRules, data: st.DataObject) -> None:
    """What goes on a meld card by card goes on at once; cards, meld and kind are kept."""
    first = read(hand_of(cards), rules)
    if first is None:
        return
    assert sorted(first.cards) == sorted(cards)
    more = data.draw(additions(to_oracle(first)))
    meld = first
    laid: Cards = ()
    for card in more:
        grown = add(meld, hand_of((card,)), rules)
        if grown is not None:
            meld, laid = grown, (*laid, card)
    if laid:
        at_once = add(first, hand_of(laid), rules)
        assert at_once is not None
        assert sorted(at_once.cards) == sorted((*cards, *laid)) == sorted(meld.cards)
        assert (at_once.wild_at < 0) <= (meld.wild_at < 0) or not rules.natural_two_may_turn_wild
        assert at_once.kind is first.kind


# --- burracos --------------------------------------------------------------------------------------------------------


@st.composite
def grown_melds(draw: st.DrawFn, rules: BurracoRules) -> OMeld | None:
    """A meld, perhaps grown by lay-offs."""
    meld = read_fresh(draw(st.one_of(selections(), rows((7, 8, 12, 13)))), rules)
    for _ in range(draw(st.integers(0, 3)) if meld else 0):
        assert meld is not None
        meld = lay_off(meld, draw(additions(meld)), rules) or meld
    return meld


KINDS = {"none": BurracoKind.NONE, "dirty": BurracoKind.DIRTY, "semiclean": BurracoKind.SEMI_CLEAN}
KINDS["clean"] = BurracoKind.CLEAN


def test_B4_38_burracos_are_worth_what_the_oracle_says() -> None:
    reached = Reached()

    @examples(1200)
    @given(closing_rules(), st.sampled_from(LongRunBonus), st.sampled_from(SemicleanDefinition), st.data())
    def law(base: BurracoRules, long_run: LongRunBonus, definition: SemicleanDefinition, data: st.DataObject) -> None:
        rules = replace(base, long_run_bonus=long_run, semiclean_definition=definition)
        expected = data.draw(grown_melds(rules))
        if expected is None:
            return
        meld = from_oracle(expected)
        assert burraco_kind(meld, rules) == KINDS[oracle.burraco_kind(expected, rules)]
        assert bonus(meld, rules) == oracle.bonus(expected, rules)
        assert meld.card_points == oracle.meld_points(expected)
        assert opens_the_close(meld, rules) == has_closing_burraco(rules, [expected])
        reached[f"{meld.kind.name} {burraco_kind(meld, rules).name}"] += 1
        reached.note(f"long run {long_run_bonus(meld, rules)}", long_run_bonus(meld, rules) > 0)
        interior = meld.kind == 2 and meld.wild_at not in (-1, 0, len(meld.cards) - 1)
        reached.note(f"R10 seven in a row, {definition.name}", interior and _seven_in_a_row(meld.wild_at, meld.cards))
        reached.note("burraco, but not of the kind", len(meld.cards) > 6 and not opens_the_close(meld, rules))

    law()
    assert CloseNeeds.CLEAN_BURRACO in CloseNeeds
    reached.demand(
        *("SET NONE", "SET DIRTY", "SET SEMI_CLEAN", "SET CLEAN", "SEQUENCE NONE", "SEQUENCE DIRTY"),
        *("SEQUENCE SEMI_CLEAN", "SEQUENCE CLEAN", "long run 300", "long run 500", "long run 1000"),
        *(f"R10 seven in a row, {definition.name}" for definition in SemicleanDefinition),
        "burraco, but not of the kind",
    )


def _seven_in_a_row(wild_at: int, cards: bytes) -> bool:
    return max(wild_at, len(cards) - 1 - wild_at) > 6


@examples(300)
@given(near_sets(), melding_rules)
def test_B4_20_a_set_is_the_same_whatever_order_its_cards_come_in(cards: Cards, rules: BurracoRules) -> None:
    if not _third_copy(cards):
        assert read(hand_of(cards), rules) == read(hand_of(reversed(cards)), rules)
