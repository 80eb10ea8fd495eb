"""B4-36 to B4-42: counting a deal, and the match."""

import pytest

from service.rules.burraco.dealing import deck_of
from service.rules.cards import BURRACO_POINTS
from service.rules.events import MatchEnded
from service.rules.games import SeatChoice, create_match
from service.rules.moves import DRAW_STOCK, NEXT_DEAL
from service.rules.options import BurracoRules, UnplayedPozzetto
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem, Sheet
from service.rules.state import NOBODY, DealEnd, Fairness, MatchEnd, Phase, Result, State
from tests.rules.words import (
    CLEAN_BURRACO,
    DIRTY_BURRACO,
    add,
    after,
    applied,
    drop,
    held,
    is_accepted,
    lay,
    lines,
    only,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.tables import rules, table

BOTH = pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
POZZETTO = "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
"""Worth 85."""


def closed(**changes: object) -> Sheet:
    """Let seat 0 close and see the sheet."""
    return sheet_of(applied(ready_to_close(**changes), drop("9C")))  # type: ignore[arg-type]


# --- cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("JK", 30),
        ("2S 2H 2D 2C", 20),
        ("AS AH AD AC", 15),
        ("KS QH JD 10C 9S 8H", 10),
        ("7D 6C 5S 4H 3D", 5),
    ],
)
def test_b4_36_card_values(words: str, points: int) -> None:
    """A joker counts 30, a two 20, an ace 15, king to eight 10, seven to three 5."""
    for word in words.split():
        sheet = closed(hands=["9C", word, "8C", "QD"])
        assert lines(sheet, 1)[-2:] == [(ScoreItem.HAND_CARDS, -points), (ScoreItem.HAND_CARDS, -10)]


def test_b4_36_the_pack_sums_to_1080() -> None:
    """The 108 cards sum to 1080 points."""
    assert sum(BURRACO_POINTS[number] for number in deck_of(ITALIAN)) == 1080


def test_b4_36_1080_points_are_on_the_table_all_the_time() -> None:
    """Wherever the cards are in a deal, they sum to 1080 points."""
    state = create_match(ITALIAN, Fairness(b"\x09" * 32, given=True), "a match", SeatChoice(dealer=1)).state
    for _ in range(12):
        in_hands = sum(hand.points() for hand in state.hands)
        elsewhere = (state.stock, state.discard, *state.pozzetti, *(meld.cards for meld in state.melds))
        assert in_hands + sum(BURRACO_POINTS[number] for cards in elsewhere for number in cards) == 1080
        state = after(state, DRAW_STOCK)
        state = after(state, drop(held(state, state.seat).split()[-1]))


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("AS 2S 3S", 40),  # a natural two
        ("AS 2H(=2S) 3S", 40),
        ("4S JK(=5S) 6S", 40),  # 30 for the joker, though it stands for a five
        ("2H(=JS) QS KS", 40),
        ("3S 3H 2D", 30),
    ],
)
def test_b4_36_a_wild_keeps_its_own_value(meld: str, points: int) -> None:
    """A two counts 20 even in its own place, and a wild its own value whatever it stands for."""
    sheet = closed(melds={0: ["4D 5D 6D 7D 8D 9D 10D", meld]})

    assert lines(sheet, 0)[1] == (ScoreItem.MELD_CARDS, points)


def test_b4_37_melds_count_for_and_hands_against() -> None:
    """Cards in melds count for a side, those in both partners' hands against it."""
    sheet = closed(hands=["9C", "KD 3D", "8C AH", "QD 2C"], melds={0: [CLEAN_BURRACO], 1: ["7H 8H 9H"]})

    assert lines(sheet, 0) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.CLOSING, 100),
        (ScoreItem.HAND_CARDS, -25),
    ]
    assert lines(sheet, 1) == [
        (ScoreItem.MELD_CARDS, 25),
        (ScoreItem.POZZETTO_NOT_TAKEN, -100),
        (ScoreItem.HAND_CARDS, -15),
        (ScoreItem.HAND_CARDS, -30),
    ]
    assert sheet.deal_points == (325, -120)


# --- bonuses ----------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("meld", "item", "bonus"),
    [
        (CLEAN_BURRACO, ScoreItem.CLEAN_BURRACO, 200),
        (DIRTY_BURRACO, ScoreItem.DIRTY_BURRACO, 100),
        ("KS KS KH KH KD KC KC", ScoreItem.CLEAN_BURRACO, 200),
        ("7S 7S 7H 7H 7D 7D 2C", ScoreItem.DIRTY_BURRACO, 100),
    ],
)
def test_b4_38_bonuses(preset: BurracoRules, meld: str, item: ScoreItem, bonus: int) -> None:
    """A clean burraco earns 200, a dirty one 100, closing 100."""
    sheet = closed(rules=preset, melds={0: [meld]}, hands=["9C", "3D", "8C", "QD"])

    assert lines(sheet, 0)[1:3] == [(item, bonus), (ScoreItem.CLOSING, 100)]


def test_b4_38_the_bonus_does_not_grow_with_length() -> None:
    """The bonus is for the burraco, however long it is."""
    sheet = closed(melds={0: ["4S 5S 6S 7S 8S 9S 10S JS QS KS"]})

    assert lines(sheet, 0)[:2] == [(ScoreItem.MELD_CARDS, 80), (ScoreItem.CLEAN_BURRACO, 200)]


def test_b4_38_each_burraco_earns_its_own() -> None:
    """Each burraco earns its own bonus."""
    sheet = closed(melds={0: [CLEAN_BURRACO, "JK(=3H) 4H 5H 6H 7H 8H 9H", "4H 5H 6H 7H 8H 9H 10H"]})

    assert lines(sheet, 0)[3:6] == [
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.DIRTY_BURRACO, 100),
        (ScoreItem.CLEAN_BURRACO, 200),
    ]


def test_b4_38_no_pozzetto_costs_100() -> None:
    """A side that took no pozzetto loses 100."""
    assert (ScoreItem.POZZETTO_NOT_TAKEN, -100) in lines(closed(), 1)
    assert (ScoreItem.POZZETTO_NOT_TAKEN, -100) not in lines(closed(taken_by=(0, 1)), 1)


def test_b4_38_the_federation_knows_the_semi_clean_burraco() -> None:
    """In the federation seven naturals and a wild are semi-clean and earn 150; in the seeds they are dirty."""
    eight = "JK(=2H) 3H 4H 5H 6H 7H 8H 9H"

    assert lines(closed(rules=FIBUR, melds={0: [eight]}), 0)[1] == (ScoreItem.SEMI_CLEAN_BURRACO, 150)
    assert lines(closed(rules=ITALIAN, melds={0: [eight]}), 0)[1] == (ScoreItem.DIRTY_BURRACO, 100)


@pytest.mark.parametrize(
    ("preset", "third", "total"),
    [
        (ITALIAN, "JK(=2H) 3H 4H 5H 6H 7H 8H", 520),
        (ITALIAN, "JK(=2H) 3H 4H 5H 6H 7H 8H 9H", 530),
        (FIBUR, "JK(=2H) 3H 4H 5H 6H 7H 8H", 520),
        (FIBUR, "JK(=2H) 3H 4H 5H 6H 7H 8H 9H", 580),
    ],
    ids=["seeds", "seeds, eight cards", "federation", "federation, eight cards"],
)
def test_b4_38_the_worked_example(preset: BurracoRules, third: str, total: int) -> None:
    """The worked example of the rule book: 520 points, 530 with an eighth card, 580 where that is semi-clean."""
    state = ready_to_close(
        preset,
        hands=["9C", "3D", "AD 2C", "QD"],
        melds={0: ["4S 5S 6S 7S 8S 9S 10S", "KS KH KD KC", third]},
    )

    assert sheet_of(applied(state, drop("9C"))).deal_points[0] == total


# --- pozzetti ---------------------------------------------------------------------------------------------------------


def unplayed(preset: BurracoRules) -> Sheet:
    """Seat 1 goes to the pozzetto on the discard; seat 2 closes before seat 1 can play from it."""
    state = table(
        hands=["QH", "KD", "8D 9D QC", "QD"],
        melds={0: [CLEAN_BURRACO], 1: ["7H 8H 9H"]},
        taken_by=(0, NOBODY),
        pozzetti=[POZZETTO],
        seat=1,
        stock="10D",
        stock_count=20,
        options=preset,
    )
    state = after(state, drop("KD"), DRAW_STOCK, lay("8D 9D 10D"))
    return sheet_of(applied(state, drop("QC")))


@BOTH
def test_b4_39_an_unplayed_pozzetto_costs_its_cards(preset: BurracoRules) -> None:
    """A pozzetto taken but never played costs the value of its 11 cards, not 100."""
    assert sorted(lines(unplayed(preset), 1)) == [
        (ScoreItem.MELD_CARDS, 25),
        (ScoreItem.HAND_CARDS, -85),
        (ScoreItem.HAND_CARDS, -10),
    ]


def test_b4_39_or_100_where_the_option_says_so() -> None:
    """Where the option says so it counts as not taken: 100, whatever its cards."""
    assert lines(unplayed(rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN)), 1) == [
        (ScoreItem.MELD_CARDS, 25),
        (ScoreItem.POZZETTO_NOT_PLAYED, -100),
        (ScoreItem.HAND_CARDS, -10),
    ]


def test_b4_39_melding_all_of_it_plays_it() -> None:
    """A pozzetto that its owner melds whole, closing without a discard, has been played."""
    options = rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN, close_requires_discard=False)
    state = ready_to_close(options, hands=["8H 9H 10H", "KD", "8C", "QD"], unplayed=(True, False))

    sheet = sheet_of(applied(state, lay("8H 9H 10H")))

    assert lines(sheet, 0) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.MELD_CARDS, 30),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.CLOSING, 100),
        (ScoreItem.HAND_CARDS, -10),
    ]


def test_b4_39_the_partner_does_not_play_it() -> None:
    """A pozzetto is played by its owner: what his partner melds or discards meanwhile leaves it unplayed."""
    state = table(
        hands=["QH", "KD", "QD 3H", "QC 7D"],
        melds={0: [CLEAN_BURRACO], 1: ["4D 5D 6D"]},
        taken_by=(0, NOBODY),
        pozzetti=["3C 4C 5C 6C 7C 8C 9C 10C JC JD KC"],
        seat=1,
        stock="JH JD JS",
        stock_count=20,
        options=rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN),
    )
    state = after(state, drop("KD"), DRAW_STOCK, drop("JH"), DRAW_STOCK, add(2, "7D"), drop("JD"))
    outcome = applied(after(state, DRAW_STOCK, add(1, "JS")), drop("QH"))

    assert sorted(lines(sheet_of(outcome), 1)) == [
        (ScoreItem.MELD_CARDS, 20),
        (ScoreItem.HAND_CARDS, -10),
        (ScoreItem.POZZETTO_NOT_PLAYED, -100),
    ]


def out_of_stock(preset: BurracoRules, **fields: object) -> State:
    """Seat 0 is to draw the card that ends the deal, 9H."""
    fields = {"hands": ["5S 7H 8H", "QC", "10C", "JC"], "stock": "9H 3D 4D", "pile": "4H", **fields}
    return table(options=preset, phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


def test_b4_39_a_pozzetto_taken_with_the_last_discard_of_the_deal() -> None:
    """A pozzetto reached by the discard that ends the deal costs its 11 cards, and nothing else is in that hand."""
    state = out_of_stock(FIBUR, taken_by=(NOBODY, 1), pozzetti=[POZZETTO])
    outcome = applied(after(state, DRAW_STOCK, lay("7H 8H 9H")), drop("5S"))

    assert lines(sheet_of(outcome), 0) == [
        (ScoreItem.MELD_CARDS, 25),
        (ScoreItem.HAND_CARDS, -10),
        (ScoreItem.HAND_CARDS, -85),
    ]


def test_b4_39_a_card_drawn_onto_an_unplayed_pozzetto() -> None:
    """In the seeds the owner's own draw may end the deal: the drawn card counts in hand beside the pozzetto."""
    options = rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN)
    for preset, pozzetto_line in (
        (ITALIAN, (ScoreItem.HAND_CARDS, -85)),
        (options, (ScoreItem.POZZETTO_NOT_PLAYED, -100)),
    ):
        state = out_of_stock(preset, hands=[POZZETTO, "QD", "10D", "JD"], taken_by=(0, NOBODY), unplayed=(True, False))
        sheet = sheet_of(applied(state, DRAW_STOCK))

        assert sorted(lines(sheet, 0)) == sorted(
            [(ScoreItem.HAND_CARDS, -10), (ScoreItem.HAND_CARDS, -10), pozzetto_line]
        )


def test_b4_39_a_pozzetto_played_from_counts_as_a_hand() -> None:
    """Once its owner has discarded from it, what is left of a pozzetto is a hand like any other."""
    options = rules(unplayed_pozzetto=UnplayedPozzetto.AS_NOT_TAKEN)
    state = table(
        hands=["KD", "QH KH", "3D 10H", "QD 10D"],
        taken_by=(NOBODY, NOBODY),
        pozzetti=[POZZETTO, "3S 4S 5S 6S 3H 4H 5H 6H 7H 4D 5D"],
        stock="JD JH JS 8H 9H 5H 6D",
        options=options,
    )
    state = after(state, drop("KD"), DRAW_STOCK, drop("JD"), DRAW_STOCK, drop("JH"), DRAW_STOCK, drop("JS"))
    state = after(state, DRAW_STOCK, drop("8H"))
    sheet = sheet_of(applied(state, DRAW_STOCK))

    assert state.unplayed == (False, False)
    assert lines(sheet, 0) == [(ScoreItem.HAND_CARDS, -85), (ScoreItem.HAND_CARDS, -15)]


def test_b4_40_nobody_took_a_pozzetto() -> None:
    """If neither side took a pozzetto, each loses 100 in the seeds, and neither loses anything in the federation."""
    seeds = sheet_of(applied(out_of_stock(ITALIAN), DRAW_STOCK))
    federation = sheet_of(applied(after(out_of_stock(FIBUR), DRAW_STOCK), drop("5S")))

    assert [(ScoreItem.POZZETTO_NOT_TAKEN, -100) in lines(seeds, side) for side in (0, 1)] == [True, True]
    assert [(ScoreItem.POZZETTO_NOT_TAKEN, -100) in lines(federation, side) for side in (0, 1)] == [False, False]


def test_b4_40_one_side_took_a_pozzetto() -> None:
    """If one side took a pozzetto, the other loses 100 in the federation too."""
    state = after(out_of_stock(FIBUR, taken_by=(0, NOBODY)), DRAW_STOCK)
    sheet = sheet_of(applied(state, drop("5S")))

    assert (ScoreItem.POZZETTO_NOT_TAKEN, -100) not in lines(sheet, 0)
    assert (ScoreItem.POZZETTO_NOT_TAKEN, -100) in lines(sheet, 1)


def test_b4_41_totals_may_be_negative() -> None:
    """The points of a deal and of a match may be negative."""
    sheet = closed(hands=["9C", "JK JK AS", "8C", "2D"], points=(0, 50))

    assert sheet.deal_points[1] == -195
    assert sheet.match_points == (340, -145)


# --- the match --------------------------------------------------------------------------------------------------------


def close_at(points: tuple[int, int], preset: BurracoRules = ITALIAN, **changes: object) -> State:
    """Let seat 0 close a deal worth 340 for its side and -120 for the other, from these match points."""
    return after(ready_to_close(preset, points=points, **changes), drop("9C"))


def test_b4_42_2000_points_end_the_match() -> None:
    """The match is over once a side has 2000 points or more."""
    short, exact = close_at((1655, 0)), close_at((1660, 0))

    assert short.points == (1995, -120)
    assert (short.phase, short.result) == (Phase.DEAL_OVER, None)
    assert exact.points == (2000, -120)
    assert (exact.phase, exact.result) == (Phase.MATCH_OVER, Result(MatchEnd.TARGET, (0,)))


def test_b4_42_the_higher_total_wins() -> None:
    """If both sides reach 2000 in the same deal, the higher total wins, whoever closed."""
    state = close_at((1700, 2300))

    assert state.points == (2040, 2180)
    assert state.result == Result(MatchEnd.TARGET, (1,))


def test_b4_42_equal_totals_play_another_deal() -> None:
    """If both have the same total at 2000 or more, another deal is played."""
    state = close_at((1700, 2160))

    assert state.points == (2040, 2040)
    assert state.phase is Phase.DEAL_OVER
    assert is_accepted(state, NEXT_DEAL)


def test_b4_42_nothing_is_played_after_the_match() -> None:
    """After the match no move is legal."""
    state = close_at((1660, 0))

    assert refused(state, NEXT_DEAL) == [Reason.MATCH_OVER]
    assert refused(state, DRAW_STOCK) == [Reason.MATCH_OVER]


def test_b4_42_the_federation_plays_a_number_of_deals() -> None:
    """In the federation a match has a fixed number of deals, and victory points decide; 2000 points end nothing."""
    third = close_at((2500, 0), FIBUR, deals_scored=2)
    outcome = applied(ready_to_close(FIBUR, points=(0, 60), deals_scored=3), drop("9C"))

    assert third.result is None
    assert outcome.state.points == (340, -60)
    assert only(outcome.events, MatchEnded) == MatchEnded(Result(MatchEnd.DEALS_PLAYED, (0,), (12, 8)), (340, -60))


def test_b4_42_points_are_carried_from_deal_to_deal() -> None:
    """Each deal's points are added to the match's."""
    state = after(close_at((100, 200)), NEXT_DEAL)

    assert state.points == (440, 80)
    assert state.deal_end is DealEnd.NOT_ENDED
