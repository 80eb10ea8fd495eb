"""B3-1 to B3-4: Burraco for three, one alone against two."""

import re

import pytest

from service.rules.audit import audit as whole_audit
from service.rules.burraco.audit import audit
from service.rules.burraco.dealing import deal_uncut, pozzetto_sizes
from service.rules.cards import parse
from service.rules.defects import DefectReason
from service.rules.events import PozzettoSeen, TookPozzetto
from service.rules.games import SeatChoice, create_match
from service.rules.hand import hand_of
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, RESIGN
from service.rules.presets import THREE_PLAYER
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, Fairness, MatchEnd, Phase, Result
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    after,
    applied,
    drop,
    holds,
    lay,
    lines,
    new_match,
    on_table,
    only,
    refused,
    sheet_of,
)
from tests.support.checks import defects
from tests.support.tables import rules
from tests.variants.trio import LONE, SHARED, one_against_two, three

CASUAL = rules(THREE_PLAYER, target=2005)
HEARTS = "4H 5H 6H 7H 8H 9H 10H"
"""Worth 50 and 200."""


# --- B3-1: the deal ---------------------------------------------------------------------------------------------------


def test_b3_1_counts() -> None:
    """Three players have 11 cards each, pozzetti have 18 and 11, one card lies up, and 45 are the stock."""
    state = new_match(THREE_PLAYER, dealer=2)

    assert defects(THREE_PLAYER) == []
    assert [hand.size for hand in state.hands] == [11, 11, 11]
    assert [len(pozzetto) for pozzetto in state.pozzetti] == [18, 11]
    assert (len(state.discard), len(state.stock)) == (1, 45)
    assert [state.side_of(seat) for seat in range(3)] == [0, 1, 2]


def test_b3_1_how_it_is_dealt() -> None:
    """One card at a time from the dealer's left; then the pozzetto of 18, the one of 11, and the up-card."""
    dealt = deal_uncut(THREE_PLAYER, bytes(range(108)), 0, (18, 11))

    assert dealt.hands == (bytes(range(2, 33, 3)), bytes(range(0, 33, 3)), bytes(range(1, 33, 3)))
    assert dealt.pozzetti == (bytes(range(33, 51)), bytes(range(51, 62)))
    assert (dealt.upcard, dealt.stock) == (62, bytes(range(63, 108)))


def test_b3_1_seats_are_not_drawn() -> None:
    """Three players draw no cards for seats."""
    with pytest.raises(ValueError, match="only four players"):
        create_match(THREE_PLAYER, Fairness(bytes(32), given=True), "a match", SeatChoice(drawn=True))


def test_b3_1_until_somebody_runs_out_each_plays_for_himself() -> None:
    """Until somebody runs out nobody lays off on another's meld."""
    state = three("8C 8S KC", melds={1: ["5C 6C 7C"], 2: ["5S 6S 7S"]})

    assert refused(state, add(1, "8C")) == [Reason.MELD_OF_OTHER_SIDE]
    assert refused(state, add(2, "8S")) == [Reason.MELD_OF_OTHER_SIDE]


# --- B3-2: one alone, two partners ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "sides"), [(0, [0, 1, 1]), (1, [0, 1, 0]), (2, [0, 0, 2])])
def test_b3_2_the_first_to_run_out_plays_alone(seat: int, sides: list[int]) -> None:
    """The first to run out takes the 18 and plays alone; the two others are partners and their melds one side's."""
    hands = ["9D KC"] * 2
    hands.insert(seat, "7H 8H 9H")
    state = three(*hands, melds={0: ["JS QS KS"], 1: ["7S 8S 9S"], 2: ["7C 8C 9C"]}, seat=seat)
    outcome = applied(state, lay("7H 8H 9H"))

    assert only(outcome.events, TookPozzetto) == TookPozzetto(seat, True, 18, bytes(sorted(parse(LONE))))
    assert holds(outcome.state, seat, LONE)
    assert outcome.state.alone == seat
    assert [outcome.state.side_of(each) for each in range(3)] == sides
    assert [each.side for each in outcome.state.melds] == [*sides, sides[seat]]
    assert [each.side for each in view(outcome.state, 0).seats] == sides
    assert not list(audit(outcome.state))


def test_b3_2_on_the_discard_too() -> None:
    """Whoever discards his last card plays alone as well; he has no partner, so he sees the 18 at his next turn."""
    state = after(three("KC", "9D KC", "9D QS"), drop("KC"))

    assert (state.alone, state.unseen, state.seat) == (0, (True, False, False), 1)
    assert [state.side_of(seat) for seat in range(3)] == [0, 1, 1]
    state = after(state, DRAW_STOCK, drop("9D"), DRAW_STOCK)
    outcome = applied(state, drop("9D"))
    assert only(outcome.events, PozzettoSeen) == PozzettoSeen(0, bytes(sorted(parse(LONE))))


def test_b3_2_partners_lay_off_on_each_others_melds() -> None:
    """From then on the two lay off on each other's melds, and not on those of the one alone."""
    state = three("7H 8H 9H", "10S JS KC", "9D KC", melds={0: ["7C 8C 9C"], 2: ["7S 8S 9S"]})
    state = after(state, lay("7H 8H 9H"), drop("3S"), DRAW_STOCK)

    assert on_table(after(state, add(2, "10S")), side=1) == ["7S 8S 9S 10S"]
    assert refused(state, add(1, "10C")) == [Reason.MELD_OF_OTHER_SIDE]


def test_b3_2_the_two_share_the_other_pozzetto() -> None:
    """The first of the two to run out takes the 11; after that neither may run out but by a close."""
    state = one_against_two("9D KC", "7S 8S 9S", "7C 8C 9C", seat=1)
    state = after(state, lay("7S 8S 9S"))

    assert holds(state, 1, SHARED)
    assert (state.taken_by, state.pozzetti) == ((0, 1, NOBODY), ())
    assert not list(audit(state))
    state = after(state, drop("KH"), DRAW_STOCK)
    assert refused(state, lay("7C 8C 9C")) == [Reason.MUST_KEEP_TWO]


def test_b3_2_the_partner_may_take_it_instead() -> None:
    """It does not matter which of the two runs out first."""
    state = after(one_against_two("9D KC", "9D QS", "7C 8C 9C", seat=2), lay("7C 8C 9C"))

    assert holds(state, 2, SHARED)
    assert state.taken_by == (0, 2, NOBODY)
    assert not list(audit(state))


def test_b3_2_a_partner_sees_it_after_the_others_discard() -> None:
    """A pozzetto of the two taken on the discard may be looked at once the partner has discarded."""
    state = after(one_against_two("9D KC", "KC", "9D QS", seat=1), drop("KC"), DRAW_STOCK)

    assert view(state, 1).seats[1].hand is None
    assert view(after(state, drop("9D")), 1).seats[1].hand == hand_of(parse(SHARED))


def test_b3_2_closing_with_the_partners_burraco() -> None:
    """Either of the two closes with a burraco of the other's; the one alone needs one of his own."""
    fields = {"melds": {1: [CLEAN_BURRACO]}, "taken_by": (0, 2, NOBODY), "pozzetti": []}
    partner = one_against_two("KC", "9D", "QS", seat=1, **fields)
    alone = one_against_two("KC", "9D", "QS", seat=0, **fields)

    assert after(partner, drop("9D")).deal_end is DealEnd.CLOSED
    assert refused(alone, drop("KC")) == [Reason.CLOSE_NEEDS_BURRACO]


# --- B3-3: the pair's points ------------------------------------------------------------------------------------------


def test_b3_3_the_pairs_points_are_halved() -> None:
    """Each of the two gets half of what their side made, rounded up; the one alone gets all of his."""
    fields = {"melds": {0: [HEARTS], 1: [CLEAN_BURRACO, "QC KC AC"]}, "taken_by": (0, 1, NOBODY), "pozzetti": []}
    outcome = applied(one_against_two("9S", "9D KD", "3S QS", points=(100, 200, 300), **fields), drop("9S"))
    sheet = sheet_of(outcome)

    assert lines(sheet, 0) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.CLOSING, 100),
    ]
    # 50 + 35 + 200 - 20 - 15 = 250
    assert lines(sheet, 1) == [
        (ScoreItem.MELD_CARDS, 50),
        (ScoreItem.MELD_CARDS, 35),
        (ScoreItem.CLEAN_BURRACO, 200),
        (ScoreItem.HAND_CARDS, -20),
        (ScoreItem.HAND_CARDS, -15),
        (ScoreItem.HALVED, -125),
    ]
    assert [line.seat for line in sheet.lines[1][3:5]] == [1, 2]
    assert lines(sheet, 2) == [(ScoreItem.HALVED, 125)]
    assert sheet.deal_points == (350, 125, 125)
    assert outcome.state.points == (450, 325, 425)
    assert sheet.closed_by_side == 0


@pytest.mark.parametrize(
    ("hands", "total", "half"),
    [(["9S", "9D KD", "QS"], 255, 128), (["9S", "9D KD", "3S QS"], 250, 125)],
)
def test_b3_3_rounded_up(hands: list[str], total: int, half: int) -> None:
    """An odd number is rounded up for each of the two."""
    fields = {"melds": {0: [HEARTS], 1: [CLEAN_BURRACO, "QC KC AC"]}, "taken_by": (0, 1, NOBODY), "pozzetti": []}
    sheet = sheet_of(applied(one_against_two(*hands, **fields), drop("9S")))

    assert sum(points for item, points in lines(sheet, 1) if item is not ScoreItem.HALVED) == total
    assert sheet.deal_points == (350, half, half)


def test_b3_3_a_loss_is_rounded_up_too() -> None:
    """A loss is halved too, and rounded up, which is towards none."""
    fields = {"melds": {0: [HEARTS]}, "pozzetti": [SHARED]}
    sheet = sheet_of(applied(one_against_two("9S", "9D", "3S", **fields), drop("9S")))

    assert lines(sheet, 1) == [
        (ScoreItem.POZZETTO_NOT_TAKEN, -100),
        (ScoreItem.HAND_CARDS, -10),
        (ScoreItem.HAND_CARDS, -5),
        (ScoreItem.HALVED, 58),
    ]
    assert sheet.deal_points == (350, -57, -57)


@pytest.mark.parametrize(("alone", "points"), [(0, (350, 125, 125)), (1, (125, 350, 125)), (2, (125, 125, 350))])
def test_b3_3_whoever_is_alone(alone: int, points: tuple[int, ...]) -> None:
    """It is the same whichever seat plays alone."""
    pair = int(alone == 0)
    hands = ["9D KD", "3S QS"]
    hands.insert(alone, "9S")
    state = three(
        *hands,
        melds={alone: [HEARTS], pair: [CLEAN_BURRACO, "QC KC AC"]},
        taken_by=[alone if side == alone else pair if side == pair else NOBODY for side in range(3)],
        pozzetti=[],
        alone=alone,
        seat=alone,
    )

    assert sheet_of(applied(state, drop("9S"))).deal_points == points


def test_b3_3_nobody_alone_nothing_halved() -> None:
    """A deal that ends before anyone has run out counts for each player alone."""
    melds = {0: ["QC KC AC"], 1: [HEARTS], 2: ["7S 8S 9S"]}
    state = three("9S KS", "9D KS", "3S QS", melds=melds, stock="3C 3D 4D", stock_count=3, phase=Phase.DRAW)
    outcome = applied(state, DRAW_STOCK)

    assert outcome.state.deal_end is DealEnd.STOCK
    assert sheet_of(outcome).deal_points == (35 - 100 - 25, 250 - 100 - 20, 25 - 100 - 15)


# --- B3-4: the last stretch, and the end of the match -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "sizes"),
    [
        ((0, 0, 0), (18, 11)),
        ((995, 400, -50), (18, 11)),
        ((300, 1000, 0), (11, 11, 11)),
        ((300, 1000, 1400), (11, 11, 11)),
    ],
)
def test_b3_4_from_1000_on_three_pozzetti(points: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    """Once anyone has 1000 points the next deal has three pozzetti of 11."""
    state = three("9D", "9D", "QS", points=points, phase=Phase.DEAL_OVER, deal_end=DealEnd.STOCK)
    dealt = after(state, NEXT_DEAL)

    assert tuple(map(len, dealt.pozzetti)) == sizes
    assert len(dealt.stock) == 108 - 33 - sum(sizes) - 1
    assert dealt.alone == NOBODY


def test_b3_4_the_casual_game_has_its_marks_at_1500_and_2005() -> None:
    """With a target of 2005 the last stretch begins at 1500; without a target it never does."""
    endless = rules(THREE_PLAYER, target=0, deals_per_match=4)

    assert pozzetto_sizes(CASUAL, (1495, 0, 0)) == (18, 11)
    assert pozzetto_sizes(CASUAL, (1500, 0, 0)) == (11, 11, 11)
    assert pozzetto_sizes(endless, (5000, 0, 0)) == (18, 11)


def test_b3_4_each_for_himself() -> None:
    """With three pozzetti each takes one, and nobody is alone or a partner."""
    pots = ["3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D", SHARED, "3C 4C 5C 6C 6D 9H 9S 10S 10H JC QC"]
    state = three("7H 8H 9H", "7S 8S 9S", "7C 8C 9C", pozzetti=pots, points=(1000, 0, 0))
    state = after(state, lay("7H 8H 9H"), drop("3S"), DRAW_STOCK, lay("7S 8S 9S"))
    assert (state.alone, state.taken_by) == (NOBODY, (0, NOBODY, NOBODY))
    state = after(state, drop("10C"), DRAW_STOCK, lay("7C 8C 9C"), drop("9C"))

    assert (state.alone, state.taken_by, state.pozzetti) == (NOBODY, (0, 1, 2), ())
    assert [state.side_of(seat) for seat in range(3)] == [0, 1, 2]
    assert [each.side for each in state.melds] == [0, 1, 2]
    assert not list(audit(state))


@pytest.mark.parametrize(
    ("points", "result"),
    [
        ((1154, 1000, 0), None),
        ((1155, 1000, 0), Result(MatchEnd.TARGET, (0,))),
        ((1155, 1000, 1625), Result(MatchEnd.TARGET, (2,))),
        ((1155, 1000, 1620), None),
    ],
)
def test_b3_4_the_first_to_reach_1505(points: tuple[int, ...], result: Result | None) -> None:
    """The first to reach 1505 wins; the higher total does if several reach it, and equal ones play another deal."""
    fields = {"melds": {0: [HEARTS]}, "taken_by": (0, NOBODY, NOBODY), "pozzetti": [SHARED, "3C"], "points": points}
    outcome = applied(three("9S", "9D", "3S QS", **fields), drop("9S"))

    assert outcome.state.points == (points[0] + 350, points[1] - 110, points[2] - 115)
    assert outcome.state.result == result


def test_b3_4_a_resignation_lets_both_others_win() -> None:
    """Whoever resigns loses, and both others win, partners or not."""
    assert applied(three("9S", "9D", "QS"), RESIGN, 1).state.result == Result(MatchEnd.RESIGNED, (0, 2))
    assert applied(one_against_two("9S", "9D", "QS"), RESIGN, 2).state.result == Result(MatchEnd.RESIGNED, (0, 1))


# --- states that cannot be --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"alone": 3},
        {"taken_by": (NOBODY, NOBODY, NOBODY)},
        {"taken_by": (0, NOBODY, 2)},
        {"taken_by": (0, NOBODY)},
        {"pozzetti": [LONE]},
        {"alone": NOBODY, "pozzetti": [LONE]},
        {"melds": {2: [HEARTS]}},
    ],
)
def test_b3_2_nobody_is_alone_otherwise(fields: dict[str, object]) -> None:
    """A state in which somebody is alone, or a pozzetto of 18 lies, as the rules never make it is refused."""
    assert not list(audit(one_against_two("9S KC", "9D", "QS")))
    found = list(whole_audit(one_against_two("9S KC", "9D", "QS", **fields)))
    found = [each for each in found if each.reason is not DefectReason.DEFECT_FACE_COUNT]
    assert found
    assert all(re.search("pozzett|alone|side", each.sentence) for each in found)
