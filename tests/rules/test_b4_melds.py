"""B4-19 to B4-25: melds."""

import pytest

from service.rules.burraco.kinds import BurracoKind, burraco_kind
from service.rules.events import LaidOff, Melded, WildMoved
from service.rules.melds import MeldKind
from service.rules.moves import LayOff
from service.rules.options import BurracoRules
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from tests.rules.words import add, added, after, applied, card, drop, faults, fresh, lay, on_table, only, refused
from tests.support.tables import meld, table

EIGHT_KINGS = "KS KS KH KH KD KD KC KC"


def test_b4_19_a_meld_has_three_cards() -> None:
    """A meld has at least three cards."""
    assert fresh("7S 8S") == [Reason.TOO_FEW_CARDS]
    assert fresh("KS KH") == [Reason.TOO_FEW_CARDS]
    assert fresh("7S 8S 9S") == "7S 8S 9S"


def test_b4_19_two_kinds_of_meld() -> None:
    """A meld is a set or a sequence, and nothing else."""
    state = table(hands=["KS KH KD 7S 8S 9S 3C 4D"])
    one = only(applied(state, lay("KS KH KD")).events, Melded).meld
    other = only(applied(state, lay("7S 8S 9S")).events, Melded).meld

    assert (one.kind, other.kind) == (MeldKind.SET, MeldKind.SEQUENCE)
    assert fresh("7S 8S 9H") == [Reason.NEITHER_SET_NOR_SEQUENCE]
    assert fresh("KS KH QS") == [Reason.NEITHER_SET_NOR_SEQUENCE]


def test_b4_20_a_set_is_of_one_rank() -> None:
    """A set has equal ranks of any suits, duplicates included."""
    assert fresh("KS KH KD") == "KS KH KD"
    assert fresh("3C 3C 3S") == "3S 3C 3C"
    assert added("KS KH KD", "KC KC") == "KS KH KD KC KC"
    assert added("7S 7H 7D", "8D") == [Reason.RANK_DOES_NOT_MATCH]
    assert added("7S 7H 2D", "8D") == [Reason.RANK_DOES_NOT_MATCH]
    assert added(EIGHT_KINGS, "8D") == [Reason.RANK_DOES_NOT_MATCH]


@pytest.mark.parametrize(("cards", "laid"), [("KS KH 2D", "KS KH 2D"), ("JK KH KS", "KS KH JK")])
def test_b4_20_a_set_has_one_wild_at_most(cards: str, laid: str) -> None:
    """A set may have one wild, a two or a joker, and no second one."""
    assert fresh(cards) == laid
    assert fresh(f"{cards} 2C") == [Reason.TOO_MANY_WILDS]
    assert added(laid, "2C") == [Reason.MELD_HAS_WILD]
    assert added("KS KH KD", "2C JK") == [Reason.TOO_MANY_WILDS]
    assert added("KS KH KD", "KC JK") == "KS KH KD KC JK"


@pytest.mark.parametrize("cards", ["2H 2D 2S", "2H 2D JK", "JK JK JK"])
def test_b4_20_a_set_is_not_all_wilds(cards: str) -> None:
    """A set is not made of wilds alone."""
    assert fresh(cards) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]


def test_b4_20_a_set_has_nine_cards_at_most() -> None:
    """A set has eight naturals and a wild at most: nine cards."""
    assert fresh(EIGHT_KINGS) == EIGHT_KINGS
    assert fresh(f"{EIGHT_KINGS} JK") == f"{EIGHT_KINGS} JK"
    assert fresh(f"{EIGHT_KINGS} JK 2D") == [Reason.TOO_MANY_CARDS, Reason.TOO_MANY_WILDS]
    assert added(EIGHT_KINGS, "2D") == f"{EIGHT_KINGS} 2D"
    assert added(f"{EIGHT_KINGS} JK", "2D") == [Reason.TOO_MANY_CARDS, Reason.MELD_HAS_WILD]


def test_b4_21_a_sequence_is_consecutive_in_one_suit() -> None:
    """A sequence is of one suit and consecutive."""
    assert fresh("9S 7S 8S") == "7S 8S 9S"
    assert fresh("4S 6S 8S") == [Reason.SEQUENCE_HAS_GAP]
    assert fresh("4S 5S 7S") == [Reason.SEQUENCE_HAS_GAP]
    assert fresh("7S 7S 8S 9S") == [Reason.SEQUENCE_REPEATS_RANK]
    assert added("7S 8S 9S", "10H") == [Reason.SUIT_DOES_NOT_MATCH]
    assert added("7S 8S 9S", "8S") == [Reason.SLOT_TAKEN]
    assert added("7S 8S 9S", "10S 10S") == [Reason.SLOT_TAKEN]
    assert added("7S 8S 9S", "JS") == [Reason.SEQUENCE_HAS_GAP]


def test_b4_21_the_ace_is_low_or_high() -> None:
    """An ace is below the two or above the king, and a sequence does not go round the corner."""
    assert fresh("3D AD 2D") == "AD 2D 3D"
    assert fresh("AD QD KD") == "QD KD AD"
    assert fresh("KD AD 3D 2D") == [Reason.SEQUENCE_GOES_ROUND]
    assert fresh("KD AD 2D 10D") == [Reason.SEQUENCE_GOES_ROUND]
    assert added("QD KD AD", "2D 3D") == [Reason.SEQUENCE_GOES_ROUND]


def test_b4_21_one_wild_replaces_a_missing_card() -> None:
    """One wild, a two or a joker, may replace a missing card; a second may not."""
    assert fresh("4S 2H 6S") == "4S 2H(=5S) 6S"
    assert fresh("4S JK 6S") == "4S JK(=5S) 6S"
    assert fresh("4S 2H 6S JK 8S") == [Reason.TOO_MANY_WILDS]
    assert added("4S 2H(=5S) 6S", "JK 8S") == [Reason.MELD_HAS_WILD]


def test_b4_21_twos_may_be_natural() -> None:
    """A two in its own place, in a sequence of its own suit, is natural."""
    assert fresh("2S 3S 4S") == "2S 3S 4S"
    assert fresh("2S 3S 4S JK") == "JK(=AS) 2S 3S 4S"
    assert fresh("2S 2H 4S") == "2S 2H(=3S) 4S"


@pytest.mark.parametrize(
    ("cards", "laid"),
    [
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"),
        ("2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH JK", "JK(=AH) 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH JK", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH JK(=AH)"),
        ("AH 2H 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH 2H(=AH)"),
    ],
)
def test_b4_21_thirteen_naturals_and_a_wild(cards: str, laid: str) -> None:
    """A sequence has 13 naturals and a wild at most: 14 cards."""
    assert fresh(cards) == laid


def test_b4_21_thirteen_naturals_ending_in_a_high_ace() -> None:
    """The sequence from two to a high ace has 13 naturals too, and takes a wild below."""
    two_to_ace = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"

    assert added("3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH", "2H") == two_to_ace
    assert added(two_to_ace, "JK") == f"JK(=AH) {two_to_ace}"


def test_b4_21_only_one_ace() -> None:
    """A sequence has one ace only: ace to ace in 14 naturals does not exist."""
    ace_to_king = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"

    assert fresh(f"{ace_to_king} AH") == [Reason.SEQUENCE_REPEATS_RANK]
    assert added(ace_to_king, "AH") == [Reason.SLOT_TAKEN]


def test_b4_22_two_sequences_of_a_suit() -> None:
    """A side may own several sequences of one suit, which are neither merged nor split."""
    state = table(hands=["8S 9S 10S KD"], melds={0: ["4S 5S 6S"]})
    state = after(state, lay("8S 9S 10S"))

    assert on_table(state) == ["4S 5S 6S", "8S 9S 10S"]
    # The seven joins the one that it is added to; the other stays as it is.
    state = state._replace(hands=table(hands=["7S KD"]).hands)
    assert on_table(after(state, add(1, "7S"))) == ["4S 5S 6S 7S", "8S 9S 10S"]
    assert on_table(after(state, add(2, "7S"))) == ["4S 5S 6S", "7S 8S 9S 10S"]


def test_b4_22_two_sets_of_a_rank() -> None:
    """The seeds allow two sets of a rank; the federation forbids them."""
    state = table(hands=["KC KS KD 3C 4D"], melds={0: ["KS KH KD"]})
    federation = table(hands=["KC KS KD 3C 4D"], melds={0: ["KS KH KD"]}, options=FIBUR)

    assert on_table(after(state, lay("KC KS KD"))) == ["KS KH KD", "KS KD KC"]
    (fault,) = faults(federation, lay("KC KS KD"))
    assert (fault.reason, fault.meld_id) == (Reason.DUPLICATE_SET, 1)


def test_b4_22_a_set_of_a_rank_that_the_other_side_owns() -> None:
    """The federation's ban concerns the own side's sets only."""
    state = table(hands=["KC KS KD 3C 4D"], melds={1: ["KS KH KD"]}, options=FIBUR)

    assert on_table(after(state, lay("KC KS KD"))) == ["KS KD KC"]


def test_b4_23_a_natural_takes_the_wilds_place() -> None:
    """A natural may be laid where a wild stands for it; the wild stays in the meld and is placed anew."""
    state = table(hands=["5S QD JC"], melds={0: ["4S 2H(=5S) 6S"]})
    outcome = applied(state, add(1, "5S"))

    assert on_table(outcome.state) == ["2H(=3S) 4S 5S 6S"]
    assert only(outcome.events, WildMoved) == WildMoved(0, 1, card("2H"), card("5S"), card("3S"))
    assert only(outcome.events, LaidOff).cards == bytes([card("5S")])


def test_b4_23_above_a_low_ace_the_wild_goes_to_the_top() -> None:
    """Where the low end is an ace, a wild that lost its place goes to the high end."""
    assert added("AS JK(=2S) 3S", "2S") == "AS 2S 3S JK(=4S)"


def test_b4_23_a_two_finds_its_own_place() -> None:
    """An acting two whose card arrives may find itself in its own place: it is natural then."""
    outcome = applied(table(hands=["3S QD JC"], melds={0: ["2S(=3S) 4S 5S"]}), add(1, "3S"))

    assert on_table(outcome.state) == ["2S 3S 4S 5S"]
    assert only(outcome.events, WildMoved) == WildMoved(0, 1, card("2S"), card("3S"), card("2S"))
    # A joker that comes with it takes no wild's place any more.
    outcome = applied(table(hands=["3S JK QD JC"], melds={0: ["2S(=3S) 4S 5S"]}), add(1, "3S JK"))
    assert only(outcome.events, WildMoved) == WildMoved(0, 1, card("2S"), card("3S"), card("2S"))


@pytest.mark.parametrize(
    ("lying", "cards"),
    [
        ("4S 2H(=5S) 6S", "7S"),  # it stays where it is
        ("4S 5S 6S", "7S"),  # there is none
        ("4S 5S 6S", "JK"),  # it has just come
        ("2S 3S 4S", "JK"),
        ("2S 3S 4S", "2S"),
        ("KS KH 2D", "KC"),  # a set has no places
        ("KS KH KC", "2D"),
    ],
)
def test_b4_23_nothing_is_told_of_a_wild_that_stays(lying: str, cards: str) -> None:
    """Where no wild moved or changed its role, nothing is told of one."""
    outcome = applied(table(hands=[f"{cards} QD JC"], melds={0: [lying]}), add(1, cards))

    assert [type(event) for event in outcome.events] == [LaidOff]


def test_b4_23_a_wild_displaces_no_wild() -> None:
    """A wild may not be laid where a wild stands."""
    assert added("4S 2H(=5S) 6S", "JK") == [Reason.MELD_HAS_WILD]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("4S 5S 6S 7S 8S 9S", BurracoKind.NONE),
        ("4S 5S 6S 7S 8S 9S 10S", BurracoKind.CLEAN),
        ("4S 5S 6S JK(=7S) 8S 9S 10S", BurracoKind.DIRTY),
        ("KS KS KH KH KD KD KC", BurracoKind.CLEAN),
        ("KS KS KH KH KD KD JK", BurracoKind.DIRTY),
    ],
)
@pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
def test_b4_24_burraco_is_clean_or_dirty(words: str, kind: BurracoKind, preset: BurracoRules) -> None:
    """Seven cards are a burraco, marked by two turned cards if it is clean and by one if it is dirty."""
    assert burraco_kind(meld(words), preset) is kind


def test_b4_25_a_burraco_may_change_its_kind() -> None:
    """What a burraco is, is decided at the count: it may turn clean or dirty as long as the deal lasts."""
    clean = table(hands=["JK QD JC"], melds={0: ["4S 5S 6S 7S 8S 9S 10S"]})
    dirty = table(hands=["3S QD JC"], melds={0: ["2S(=3S) 4S 5S 6S 7S 8S 9S"]})

    def kind_after(state: object, move: LayOff) -> BurracoKind:
        return burraco_kind(applied(state, move).state.melds[0], ITALIAN)  # type: ignore[arg-type]

    assert burraco_kind(clean.melds[0], ITALIAN) is BurracoKind.CLEAN
    assert kind_after(clean, add(1, "JK")) is BurracoKind.DIRTY
    assert burraco_kind(dirty.melds[0], ITALIAN) is BurracoKind.DIRTY
    assert kind_after(dirty, add(1, "3S")) is BurracoKind.CLEAN


def test_b4_25_the_turn_that_dirties_it_goes_on() -> None:
    """A player whose lay-off turned a burraco dirty plays on as before."""
    state = after(table(hands=["JK QD JC"], melds={0: ["4S 5S 6S 7S 8S 9S 10S"]}), add(1, "JK"))

    assert refused(state, drop("JK")) == [Reason.CARD_NOT_IN_HAND]
    assert after(state, drop("QD")).seat == 1
