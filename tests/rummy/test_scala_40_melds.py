"""SC-9 to SC-15: opening, sets, sequences, jokers and laying off at Scala 40."""

import pytest

from service.rules.audit import audit
from service.rules.cards import parse
from service.rules.melds import MeldKind
from service.rules.moves import TAKE_PILE, MoveKind
from service.rules.options import AcePlace
from service.rules.reasons import Reason
from service.rules.rummy.game import SCALA_40_GAME
from service.rules.rummy.options import OpeningWithJoker, SwappedJoker
from service.rules.rummy.presets import SCALA_40, SCALA_40_FISCA
from service.rules.rummy.terms import terms_of
from service.rules.state import Phase, State
from tests.rummy.tables import (
    Rules,
    add,
    after,
    applied,
    drop,
    faults,
    fisca,
    hand,
    holds,
    is_accepted,
    lay,
    listed,
    names,
    on_table,
    readings,
    refused,
    scala,
    shown,
    swap,
    why_not,
    with_options,
)


def opening(*melds: str, rest: str = "8D 9C", options: Rules = SCALA_40_FISCA) -> State:
    """Seat 0 lays melds from a hand of just these and the rest."""
    state = scala(options=options, hands=[" ".join((*melds, rest))])
    return after(state, *map(lay, melds))


ARITHMETIC = [
    (["AS AH AD"], 33),
    (["AS AH AD AC"], 44),
    (["3S 3H 3D 3C", "3C 4C 5C 6C 7C"], 37),
    (["4S 4H 4D", "3C 4C 5C 6C 7C"], 37),
    (["10H JH QH KH"], 40),
    (["QH KH AH", "3S 3H 3D"], 40),
    (["JK KH AH", "3S 3H 3D"], 40),
]


@pytest.mark.parametrize(("melds", "total"), ARITHMETIC)
def test_sc_9_the_first_lay_down_totals_forty(melds: list[str], total: int) -> None:
    """One or more new melds in one turn reach 40, a joker counting as the card that it replaces."""
    state = scala(options=SCALA_40_FISCA, hands=[" ".join((*melds, "8D 9C"))])

    if total >= 40:
        state = after(state, *map(lay, melds))
        assert state.turn.opening == total
        assert is_accepted(state, drop("9C"))
    else:
        (fault,) = faults(state, lay(melds[0]))
        assert fault.reason is Reason.OPENING_TOO_LOW
        assert fault.arguments == (("needed", "40"), ("points", str(total)))
        assert not listed(state, 0).groups


def test_e48_thirty_three_and_thirty_seven_are_refused() -> None:
    """`AS AH AD` alone is 33; four threes and `3C..7C` is 37, and so is FIK's example with fours."""
    state = scala(hands=["AS AH AD 8D 9C"])
    assert refused(state, lay("AS AH AD")) == [Reason.OPENING_TOO_LOW]
    for set_of_four in ("4S 4H 4D", "3S 3H 3D 3C"):
        state = scala(hands=[f"{set_of_four} 3C 4C 5C 6C 7C 8D 9D"])
        assert refused(state, lay(set_of_four)) == [Reason.OPENING_TOO_LOW]


def test_sc_9_a_first_meld_is_laid_if_the_rest_can_follow() -> None:
    """A meld of few points goes first if disjoint melds of the rest reach 40, and then they have to follow."""
    state = after(scala(hands=["2S 2H 2D 10S JS QS KS 8D 9C"]), lay("2S 2H 2D"))

    assert refused(state, drop("9C")) == [Reason.OPENING_TOO_LOW]
    assert listed(state, 0).discards == b""
    assert is_accepted(after(state, lay("10S JS QS KS")), drop("9C"))


def test_sc_9_a_meld_that_spoils_the_opening_is_refused() -> None:
    """A meld that takes a card which the others need is refused."""
    state = scala(hands=["6S 7S 8S 9S 10S 8H 8D 2C 9D"])

    (fault,) = faults(state, lay("8S 8H 8D"))
    assert fault.arguments == (("needed", "40"), ("points", "24"))
    assert is_accepted(after(state, lay("6S 7S 8S 9S 10S")), drop("2C"))


def test_sc_9_a_card_is_kept_for_the_discard() -> None:
    """Forty with the last card in it is no opening: one card has to be discarded."""
    state = scala(hands=["10S JS QS KS"])
    assert refused(state, lay("10S JS QS KS")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert refused(state, lay("JS QS KS")) == [Reason.OPENING_TOO_LOW]
    guard, too_low = faults(scala(hands=["JS QS KS"]), lay("JS QS KS"))
    assert (guard.reason, too_low.reason) == (Reason.MUST_KEEP_CLOSING_DISCARD, Reason.OPENING_TOO_LOW)
    assert too_low.arguments == (("needed", "40"), ("points", "30"))


def test_sc_9_the_ace_is_eleven_high_and_in_a_set_and_one_below_the_two() -> None:
    """Ace 11 in a set or above the king, 1 below the two."""
    rules = with_options(SCALA_40_FISCA, opening_points=30)
    assert opening("QH KH AH", options=rules).turn.opening == 31
    assert opening("AS AH AD", options=rules).turn.opening == 33
    state = scala(options=with_options(rules, opening_points=6), hands=["AH 2H 3H 8D 9C"])
    assert after(state, lay("AH 2H 3H")).turn.opening == 6


def test_sc_9_no_points_are_needed_where_the_option_says_none() -> None:
    """With `opening_points` 0 any meld opens."""
    state = scala(options=with_options(SCALA_40, opening_points=0), hands=["2S 2H 2D 8D 9C"])

    assert is_accepted(after(state, lay("2S 2H 2D")), drop("9C"))


HELP = [
    (OpeningWithJoker.YES, 50, True),
    (OpeningWithJoker.IF_CLEAN_MELDS_OPEN, 50, False),
    (OpeningWithJoker.NOT_FIRST_ROUND, 50, True),
    (OpeningWithJoker.NOT_FIRST_ROUND, 1, False),
]


@pytest.mark.parametrize(("option", "turns", "allowed"), HELP)
def test_sc_10_whether_jokers_help_to_open(option: OpeningWithJoker, turns: int, allowed: bool) -> None:
    """Jokers may help to open, or only once clean melds have opened alone, or not in the first round."""
    rules = with_options(SCALA_40, opening_with_joker=option)
    state = scala(options=rules, hands=["JS JK KS AS 8D 9C"], turns_taken=turns)
    clean = scala(options=rules, hands=["10H JH QH KH 2C JK 2S 9C"], turns_taken=turns)

    assert is_accepted(state, lay("JS JK KS AS")) is allowed
    assert bool(listed(state, 0).groups) is allowed
    assert is_accepted(after(clean, lay("10H JH QH KH")), lay("2C JK 2S"))
    if not allowed:
        assert refused(state, lay("JS JK KS AS")) == [Reason.OPENING_WITH_JOKER]
        assert refused(clean, lay("2C JK 2S")) == [Reason.OPENING_WITH_JOKER]


def test_sc_11_sets_have_each_suit_once() -> None:
    """Three or four cards of a rank, all suits different, a joker included in the four."""
    assert readings("9S 9H 9D 9C", SCALA_40) == ["9S 9H 9D 9C"]
    assert readings("JK 9S 9D", SCALA_40) == ["9S 9D JK", "9S 9D JK(=9H)", "9S 9D JK(=9C)"]
    assert why_not("9S 9H 9D 9C JK", SCALA_40) == [Reason.TOO_MANY_CARDS]
    assert why_not("9S 9H 9S", SCALA_40) == [Reason.SET_REPEATS_SUIT]


def test_e55_the_same_suit_twice_and_five_kings() -> None:
    """`9H 9S 9S` and five kings are no sets."""
    assert why_not("9H 9S 9S", SCALA_40) == [Reason.SET_REPEATS_SUIT]
    assert why_not("KS KH KD KC KS", SCALA_40) == [Reason.TOO_MANY_CARDS, Reason.SET_REPEATS_SUIT]


def test_sc_11_more_than_one_set_of_a_rank() -> None:
    """A player may have several sets of one rank."""
    state = scala(hands=["9S 9H 9D 9S 9H 9C 2D 3D"], opened=[0])
    assert on_table(after(state, lay("9S 9H 9D"), lay("9S 9H 9C"))) == ["9S 9H 9D", "9S 9H 9C"]


ROW = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"


def test_sc_12_sequences() -> None:
    """Three or more of a suit; thirteen and a joker at most; equal sequences may coexist."""
    assert readings("5D 4D 6D", SCALA_40) == ["4D 5D 6D"]
    assert readings(f"AH {ROW} JK", SCALA_40_FISCA) == [f"AH {ROW} JK(=AH)", f"JK(=AH) {ROW} AH"]
    assert readings(f"AH {ROW} AH", SCALA_40_FISCA) == []
    assert readings(f"AH {ROW} JK", SCALA_40) == []
    state = scala(hands=["4S 5S 6S 4S 5S 6S 2D 3D"], opened=[0])
    assert on_table(after(state, lay("4S 5S 6S"), lay("4S 5S 6S"))) == ["4S 5S 6S", "4S 5S 6S"]


def test_e50_ace_two_three() -> None:
    """`AH 2H 3H` is legal for the federation, with the ace 1, and illegal in the seed."""
    assert readings("AH 2H 3H", SCALA_40_FISCA) == ["AH 2H 3H"]
    assert readings("AH 2H 3H", SCALA_40) == []
    assert why_not("AH 2H 3H", SCALA_40) == [Reason.ACE_PLACE]


@pytest.mark.parametrize("rules", [SCALA_40, SCALA_40_FISCA])
def test_e62_king_ace_two(rules: Rules) -> None:
    """`KH AH 2H` goes round the corner."""
    assert why_not("KH AH 2H", rules) == [Reason.SEQUENCE_GOES_ROUND]


def test_sc_13_one_joker_in_a_meld_which_says_what_it_is() -> None:
    """A meld has one joker and two naturals; the mover says which card the joker is, the best one is meant else."""
    assert readings("JK KH AH", SCALA_40) == ["JK(=QH) KH AH"]
    assert readings("5H 6H JK", SCALA_40) == ["5H 6H JK(=7H)", "JK(=4H) 5H 6H"]
    assert readings("JH QH JK", SCALA_40) == ["JK(=10H) JH QH", "JH QH JK(=KH)"]
    assert readings("QH KH JK", SCALA_40) == ["QH KH JK(=AH)", "JK(=JH) QH KH"]
    assert readings("5H JK 7H", SCALA_40) == ["5H JK(=6H) 7H"]
    assert why_not("5H JK JK", SCALA_40) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]
    assert why_not("JK JK JK", SCALA_40_FISCA) == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]
    assert why_not("5H 6H JK JK", SCALA_40) == [Reason.TOO_MANY_WILDS]


def test_sc_13_the_mover_names_the_reading() -> None:
    """A named reading is laid if the rules allow it, and refused otherwise."""
    state = scala(hands=["5H 6H JK 9C 9S JK 2D"], opened=[0])

    assert on_table(after(state, lay("5H 6H JK"))) == ["5H 6H JK(=7H)"]
    assert on_table(after(state, lay("5H 6H JK", wild_as="4H"))) == ["JK(=4H) 5H 6H"]
    assert refused(state, lay("5H 6H JK", wild_as="8H")) == [Reason.READING_NOT_POSSIBLE]
    assert refused(state, lay("5H 6H JK", MeldKind.SET)) == [Reason.READING_NOT_POSSIBLE]
    assert is_accepted(state, lay("9C 9S JK", MeldKind.SET, "9H"))
    assert refused(state, lay("9C 9S JK", wild_as="9C")) == [Reason.READING_NOT_POSSIBLE]


def test_sc_13_the_best_reading_opens() -> None:
    """`QH KH JK` counts 31 with the ace unless the mover says that the joker is the jack, which is 30."""
    rules = with_options(SCALA_40, opening_points=31)
    state = scala(options=rules, hands=["QH KH JK 2D 9C"])

    assert is_accepted(state, lay("QH KH JK"))
    assert refused(state, lay("QH KH JK", wild_as="JH")) == [Reason.OPENING_TOO_LOW]


def test_sc_14_who_has_opened_recovers_a_joker_with_its_exact_card() -> None:
    """The card goes in the joker's place and the joker into the hand, only after opening and only the exact card."""
    state = scala(hands=["6H 8H 2D 2C 9S"], melds={1: ["5H JK(=6H) 7H", "3S 4S 5S"]}, opened=[0])

    outcome = applied(state, swap(1, "6H"))
    assert names(outcome.events) == ["WildReplaced"]
    assert on_table(outcome.state)[0] == "5H 6H 7H"
    assert holds(outcome.state, 0, "JK 8H 2D 2C 9S")
    assert outcome.state.turn.jokers_owed == 1
    assert refused(state, swap(1, "8H")) == [Reason.REPLACEMENT_DOES_NOT_MATCH]
    assert refused(state, swap(2, "2D")) == [Reason.NO_WILD_TO_REPLACE]
    assert refused(state, swap(9, "2D")) == [Reason.MELD_NOT_FOUND]
    assert refused(state, swap(1, "7S")) == [Reason.CARD_NOT_IN_HAND]
    assert refused(state._replace(laid=(False,) * 4), swap(1, "6H")) == [Reason.NOT_OPENED]


def test_sc_14_a_joker_at_either_end_is_recovered() -> None:
    """The joker of a sequence is recovered from the first and the last place too."""
    state = scala(hands=["4H 7S 2D 2C 9S"], melds={1: ["JK(=4H) 5H 6H", "5S 6S JK(=7S)"]}, opened=[0])

    assert on_table(after(state, swap(1, "4H"))) == ["4H 5H 6H", "5S 6S JK(=7S)"]
    assert on_table(after(state, swap(2, "7S"))) == ["JK(=4H) 5H 6H", "5S 6S 7S"]


def test_sc_14_not_before_the_pile_card_is_used() -> None:
    """Where the card of the pile comes first a joker is recovered with that card, or after it was laid."""
    fields = {"phase": Phase.DRAW, "melds": {1: ["5H JK(=6H) 7H"]}, "opened": [0]}
    state = after(fisca(hands=["6H 8S 8H 2D KD"], pile="4S 8C", **fields), TAKE_PILE)

    (fault,) = faults(state, swap(1, "6H"))
    assert (fault.reason, fault.cards) == (Reason.MUST_MELD_TOP_CARD, parse("8C"))
    assert is_accepted(after(state, lay("8S 8H 8C")), swap(1, "6H"))
    assert is_accepted(after(fisca(hands=["9S 8S 2D KD"], pile="4S 6H", **fields), TAKE_PILE), swap(1, "6H"))


def test_sc_14_one_joker_at_a_time() -> None:
    """A second joker is recovered only after the first one has been used."""
    melds = {1: ["5H JK(=6H) 7H", "8S JK(=9S) 10S", "KS KH KD"]}
    state = after(scala(hands=["6H 9S 2D 2C QD"], melds=melds, opened=[0]), swap(1, "6H"))

    assert refused(state, swap(2, "9S")) == [Reason.RECOVERED_JOKER_UNUSED]
    assert is_accepted(after(state, add(3, "JK")), swap(2, "9S"))


def test_sc_14_a_set_of_three_gives_its_joker_for_either_missing_suit() -> None:
    """No suit of a set's joker is declared, so either missing one recovers it."""
    fields = {"hands": ["KS KC 2D 2C 9S"], "melds": {1: ["KH KD JK"]}, "opened": [0]}

    assert on_table(after(scala(**fields), swap(1, "KC"))) == ["KH KD KC"]
    assert on_table(after(scala(**fields), swap(1, "KS"))) == ["KS KH KD"]
    four = scala(**(fields | {"melds": {1: ["KH KD KC JK"]}}))
    assert on_table(after(four, swap(1, "KS"))) == ["KS KH KD KC"]
    (fault,) = faults(four, swap(1, "KC"))
    assert (fault.reason, fault.arguments) == (Reason.REPLACEMENT_DOES_NOT_MATCH, (("card", "KS"),))


def test_sc_14_a_declared_suit_is_the_only_one() -> None:
    """Where the mover declared the suit of a set's joker only that card recovers it, and none lies beside it."""
    state = scala(hands=["KH KD JK KS KC 2D 2C 9S"], opened=[0])
    declared = after(state, lay("KH KD JK", wild_as="KC"))
    assert not [found for found in audit(declared) if found.top == "melds"]

    assert on_table(after(declared, swap(1, "KC"))) == ["KH KD KC"]
    (fault,) = faults(declared, swap(1, "KS"))
    assert (fault.reason, fault.arguments) == (Reason.REPLACEMENT_DOES_NOT_MATCH, (("card", "KC"),))
    assert on_table(after(declared, add(1, "KS"))) == ["KS KH KD JK(=KC)"]
    assert refused(declared, add(1, "KC")) == [Reason.SLOT_TAKEN]
    assert after(declared, add(1, "KS"), swap(1, "KC")).melds[0].low == 0
    assert [group.required for group in listed(declared, 0).groups if group.kind is MoveKind.LAY_OFF] == [
        hand("KS").cards()
    ]


def test_sc_14_a_joker_laid_off_on_a_set_may_be_declared() -> None:
    """The missing suit of a set of three is the only one there is; another one cannot be declared."""
    state = scala(hands=["JK 2D 9S"], melds={1: ["KH KD KC"]}, opened=[0])

    assert is_accepted(state, add(1, "JK", wild_as="KS"))
    assert refused(state, add(1, "JK", wild_as="KH")) == [Reason.READING_NOT_POSSIBLE]


def test_sc_14_a_recovered_joker_is_used_at_once() -> None:
    """The next thing laid contains it; until then nothing else is laid, recovered or discarded."""
    state = scala(hands=["6H 2D 2C 9S 10S JS KD"], melds={1: ["5H JK(=6H) 7H", "3S 4S 5S"]}, opened=[0])
    state = after(state, swap(1, "6H"))

    assert refused(state, drop("KD")) == [Reason.RECOVERED_JOKER_UNUSED]
    assert refused(state, drop("JK")) == [Reason.RECOVERED_JOKER_UNUSED]
    assert refused(state, lay("9S 10S JS")) == [Reason.RECOVERED_JOKER_UNUSED]
    assert is_accepted(after(state, lay("2D 2C JK")), drop("KD"))
    assert is_accepted(after(state, add(2, "JK")), drop("KD"))


def test_sc_14_a_joker_that_cannot_be_used_is_not_recovered() -> None:
    """Where no meld and no lay-off would take the joker it stays where it is."""
    melds = {1: ["5H JK(=6H) 7H", "3S 4S 5S 6S 7S 8S 9S 10S JS QS KS JK(=AS)"]}
    state = scala(hands=["6H KD"], melds=melds, opened=[0])

    # It goes back on the very meld that it came from, as 4H or 8H.
    assert is_accepted(after(state, swap(1, "6H"), add(1, "JK")), drop("KD"))
    last = scala(hands=["6H"], melds=melds, opened=[0])
    assert refused(last, swap(1, "6H")) == [Reason.RECOVERED_JOKER_UNUSED]


def test_e53_the_joker_swap() -> None:
    """`5H JK(=6H) 7H`: only after opening; kept by option, at 25 points if one is caught with it."""
    fields = {"hands": ["6H 9S KD"], "melds": {1: ["5H JK(=6H) 7H"]}}
    keep = with_options(SCALA_40_FISCA, swapped_joker=SwappedJoker.MAY_KEEP)

    assert refused(fisca(**fields), swap(1, "6H")) == [Reason.NOT_OPENED]
    assert MoveKind.REPLACE_WILD in SCALA_40_GAME.open_kinds(fisca(**fields, opened=[0]), 0)
    kept = after(fisca(**fields, opened=[0], options=keep), swap(1, "6H"), drop("KD"))
    assert holds(kept, 0, "JK 9S")
    assert terms_of(keep).hand_points(hand("JK 9S")) == 34
    full = {"hands": ["KS 9S QD"], "melds": {1: ["KH KD KC JK"]}, "opened": [0]}
    assert refused(fisca(**full), swap(1, "KS")) == [Reason.RECOVERED_JOKER_UNUSED]
    assert holds(after(fisca(**full, options=keep), swap(1, "KS"), drop("QD")), 0, "JK 9S")


def test_sc_12_no_second_natural_ace_is_listed() -> None:
    """A sequence holds one natural ace: the other end is for a joker alone."""
    state = fisca(hands=["AH JK 9S KD"], melds={1: [f"AH {ROW}"]}, opened=[0])

    assert refused(state, add(1, "AH")) == [Reason.SLOT_TAKEN]
    lay_offs = [group.required for group in listed(state, 0).groups if group.kind is MoveKind.LAY_OFF]
    assert lay_offs == [parse("JK")]


def test_sc_14_the_second_ace_of_fourteen_is_never_recovered() -> None:
    """A sequence from ace to ace holds one natural ace, so its joker stays."""
    state = fisca(hands=["AH 9S KD"], melds={1: [f"AH {ROW} JK(=AH)"]}, opened=[0])
    assert refused(state, swap(1, "AH")) == [Reason.SEQUENCE_REPEATS_RANK]


def test_sc_15_lay_off_on_anyones_meld_once_opened() -> None:
    """After one's own first melds cards and jokers go on anyone's meld, at either end, and the fourth suit on a set."""
    fields = {"hands": ["7S JK 3S KC 2D"], "melds": {1: ["4S 5S 6S"], 2: ["KS KH KD"]}}

    assert refused(scala(**fields), add(1, "7S")) == [Reason.NOT_OPENED]
    state = scala(**fields, opened=[0])
    assert on_table(after(state, add(1, "7S"), add(2, "KC"))) == ["4S 5S 6S 7S", "KS KH KD KC"]
    assert on_table(after(state, add(1, "3S 7S"))) == ["3S 4S 5S 6S 7S", "KS KH KD"]
    assert on_table(after(state, add(1, "JK"))) == ["4S 5S 6S JK(=7S)", "KS KH KD"]
    assert on_table(after(state, add(1, "JK", wild_as="3S"))) == ["JK(=3S) 4S 5S 6S", "KS KH KD"]
    assert on_table(after(state, add(2, "JK"))) == ["4S 5S 6S", "KS KH KD JK"]
    assert refused(state, add(1, "JK", wild_as="8S")) == [Reason.READING_NOT_POSSIBLE]
    assert refused(after(state, add(1, "JK")), add(1, "7S")) == [Reason.SLOT_TAKEN]


def test_sc_15_opening_and_laying_off_in_one_turn() -> None:
    """Whoever opens this turn lays off in the same turn, once the forty are on the table."""
    state = scala(hands=["10H JH QH KH 7S 2D"], melds={1: ["4S 5S 6S"]})

    assert refused(state, add(1, "7S")) == [Reason.NOT_OPENED]
    assert is_accepted(after(state, lay("10H JH QH KH"), add(1, "7S")), drop("2D"))


@pytest.mark.parametrize(
    ("meld", "cards", "reasons"),
    [
        ("4S JK(=5S) 6S", "JK", [Reason.MELD_HAS_WILD]),
        ("4S 5S 6S", "JK JK", [Reason.TOO_MANY_WILDS]),
        ("4S 5S 6S", "8S", [Reason.SEQUENCE_HAS_GAP]),
        ("4S 5S 6S", "6S", [Reason.SLOT_TAKEN]),
        ("4H 5H 6H", "8H", [Reason.SEQUENCE_HAS_GAP]),
        ("4H 5H 6H", "5H 7H", [Reason.SLOT_TAKEN]),
        ("4H 5H 6H", "7S", [Reason.SUIT_DOES_NOT_MATCH]),
        ("JS QS KS", "2S", [Reason.SEQUENCE_HAS_GAP]),
        ("JS QS KS", "2S AS", [Reason.SEQUENCE_GOES_ROUND]),
        ("2S 3S 4S", "AS", [Reason.ACE_PLACE]),
        ("KS KH KD", "KS", [Reason.SET_REPEATS_SUIT]),
        (f"AH {ROW}", "JK QH", [Reason.TOO_MANY_CARDS, Reason.SLOT_TAKEN]),
    ],
)
def test_sc_15_what_does_not_go_on(meld: str, cards: str, reasons: list[Reason]) -> None:
    """Cards that do not go on a meld are told why, and nothing else."""
    state = scala(hands=[f"{cards} 2D 9C"], melds={1: [meld]}, opened=[0])
    assert refused(state, add(1, cards)) == reasons


def test_sc_15_too_many_cards_are_counted() -> None:
    """With the cards on the table and those that go on it."""
    (fault, _) = faults(scala(hands=["JK QH 2D 9C"], melds={1: [f"AH {ROW}"]}, opened=[0]), add(1, "JK QH"))
    assert fault.arguments == (("count", "15"), ("max", "14"))


def test_sc_12_the_meld_lies_as_it_was_laid() -> None:
    """A complete suit stands ace high, which is worth more; a meld on the table keeps its joker's place."""
    found = SCALA_40_GAME.readings(hand(f"AH {ROW}"), SCALA_40_FISCA)
    assert [shown(each) for each in found] == [f"{ROW} AH", f"AH {ROW}"]
    assert [SCALA_40_GAME.meld_value(each, SCALA_40_FISCA).card_points for each in found] == [95, 85]
    low = with_options(SCALA_40, ace_in_sequences=AcePlace.LOW)
    assert readings(f"AH {ROW}", low) == [f"AH {ROW}"]
