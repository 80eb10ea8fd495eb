"""Counting for people at a real table: the rule book's worked examples, and the ends of matches."""

from typing import Any, Final

import pytest

from burraco.v1 import cards_pb2, game_service_pb2, rules_pb2, scores_pb2
from service.rules.cards import parse
from tests.api.client import FIBUR, ITALIAN, SECONDS, Api

LONG: Final = ("4S 5S 6S 7S 8S 9S 10S", "KS KH KD KC")
OF_520: Final = (*LONG, "3H 4H 5H 6H 7H 8H JK")
OF_530: Final = (*LONG, "3H 4H 5H 6H 7H 8H 9H JK")
LEFT: Final = "AD 2C"


def cards(words: str) -> Any:  # noqa: ANN401 - card numbers, where the contract's enum is asked for
    return list(parse(words))


def side(melds: tuple[str, ...] = (), left: str = "", **fields: Any) -> game_service_pb2.TableSide:  # noqa: ANN401 - its fields
    return game_service_pb2.TableSide(
        melds=[game_service_pb2.TableMeld(cards=cards(words)) for words in melds],
        hands=[cards_pb2.CardGroup(), cards_pb2.CardGroup(cards=cards(left))],
        **fields,
    )


def score(
    api: Api,
    *sides: game_service_pb2.TableSide,
    rules: rules_pb2.RulesSelection = ITALIAN,
    **fields: Any,  # noqa: ANN401 - fields of the table
) -> game_service_pb2.ScoreDealResponse:
    table = game_service_pb2.TableDeal(rules=rules, sides=sides, **fields)
    return api.stub.ScoreDeal(game_service_pb2.ScoreDealRequest(table=table), timeout=SECONDS)


@pytest.mark.parametrize(
    ("melds", "rules", "points"),
    [(OF_520, ITALIAN, 520), (OF_530, ITALIAN, 530), (OF_530, FIBUR, 580)],
    ids=["520", "530", "580"],
)
def test_the_worked_example(api: Api, melds: tuple[str, ...], rules: rules_pb2.RulesSelection, points: int) -> None:
    """The example of the rule book comes to 520; with the nine of hearts to 530, and semi-clean to 580."""
    answer = score(api, side(melds, LEFT, pozzetto_taken=True), side(), rules=rules, closed_by_side=0)
    sheet = answer.score_sheet
    assert [each.deal_points for each in sheet.sides] == [points, -100]
    assert [each.match_points for each in sheet.sides] == [points, -100]
    assert sheet.closed_by_side == 0
    assert sheet.deal_number == 0
    assert not answer.HasField("result")


def test_every_point_of_the_example_has_its_line(api: Api) -> None:
    """The sheet lists melds first, then bonuses, then losses, each with its rule and its words."""
    answer = score(api, side(OF_520, LEFT, pozzetto_taken=True), side(), closed_by_side=0)
    lines = [(line.item, line.points, line.meld_id) for line in answer.score_sheet.sides[0].lines]
    assert lines == [
        (scores_pb2.SCORE_ITEM_MELD_CARDS, 50, 1),
        (scores_pb2.SCORE_ITEM_MELD_CARDS, 40, 2),
        (scores_pb2.SCORE_ITEM_MELD_CARDS, 65, 3),
        (scores_pb2.SCORE_ITEM_CLEAN_BURRACO, 200, 1),
        (scores_pb2.SCORE_ITEM_DIRTY_BURRACO, 100, 3),
        (scores_pb2.SCORE_ITEM_CLOSING, 100, 0),
        (scores_pb2.SCORE_ITEM_HAND_CARDS, -35, 0),
    ]
    (loss,) = answer.score_sheet.sides[1].lines
    assert (loss.item, loss.points) == (scores_pb2.SCORE_ITEM_POZZETTO_NOT_TAKEN, -100)
    last = answer.score_sheet.sides[0].lines[-1]
    assert last.seat == 2
    assert "seat 2" in last.text


def test_nobody_took_a_pozzetto(api: Api) -> None:
    """In the Italian preset both sides lose 100 for it, in the federation's neither (B4-40)."""
    for rules, points in ((ITALIAN, -100), (FIBUR, 0)):
        sheet = score(api, side(), side(), rules=rules).score_sheet
        assert [each.deal_points for each in sheet.sides] == [points, points]


def test_an_unplayed_pozzetto_counts_against_its_side(api: Api) -> None:
    """Its cards are lost at their value (B4-39), beside what else is in hand."""
    pozzetto = cards("3S 3H 3D 3C 4S 4H 4D 4C 5S 5H 5D")
    sheet = score(api, side((), "KS", pozzetto_taken=True, unplayed_pozzetto=pozzetto), side()).score_sheet
    assert sheet.sides[0].deal_points == -55 - 10


@pytest.mark.parametrize(
    ("before", "winners"),
    [
        ((1480, 0), [0]),
        ((1475, 0), []),
        ((1480, 2105), [1]),
        ((1480, 2095), [0]),
        ((1480, 2100), []),
        ((-100, 2100), [1]),
    ],
)
def test_a_target_ends_the_match(api: Api, before: tuple[int, int], winners: list[int]) -> None:
    """2000 ends it; if both reach it the higher total wins, and equal totals play on (B4-42)."""
    sides = (
        side(OF_520, LEFT, pozzetto_taken=True, match_points_before=before[0]),
        side(match_points_before=before[1]),
    )
    answer = score(api, *sides, closed_by_side=0)
    assert [each.match_points for each in answer.score_sheet.sides] == [before[0] + 520, before[1] - 100]
    assert answer.HasField("result") == bool(winners)
    if winners:
        assert list(answer.result.winning_sides) == winners
        assert answer.result.match_end == scores_pb2.MATCH_END_TARGET
        assert list(answer.result.match_points) == [before[0] + 520, before[1] - 100]
        assert not answer.result.victory_points


@pytest.mark.parametrize(
    ("before", "deals", "victory_points"),
    [
        ((0, 0), 4, [13, 7]),
        ((0, 680), 4, [10, 10]),
        ((0, 780), 4, [10, 10]),
        ((0, 785), 4, [9, 11]),
        ((0, 1180), 4, [8, 12]),
        ((1320, 0), 4, [19, 1]),
        ((1325, 0), 4, [20, 0]),
        ((0, 0), 3, [16, 4]),
        ((0, 630), 3, [10, 10]),
        ((0, 625), 3, [11, 9]),
        ((0, 2185), 3, [0, 20]),
    ],
)
def test_victory_points(api: Api, before: tuple[int, int], deals: int, victory_points: list[int]) -> None:
    """After the last deal the difference in match points becomes 20 victory points by the federation's table (§2.2)."""
    rules = rules_pb2.RulesSelection(
        preset=rules_pb2.PRESET_FIBUR, burraco=rules_pb2.BurracoRules(deals_per_match=deals)
    )
    sides = (
        side(OF_530, LEFT, pozzetto_taken=True, match_points_before=before[0]),
        side(match_points_before=before[1]),
    )
    for played in range(deals):
        assert not score(api, *sides, rules=rules, closed_by_side=0, deals_played=played).HasField("result")
    result = score(api, *sides, rules=rules, closed_by_side=0, deals_played=deals).result
    assert list(result.victory_points) == victory_points
    assert result.match_end == scores_pb2.MATCH_END_DEALS_PLAYED
    points = [before[0] + 580, before[1] - 100]
    assert list(result.match_points) == points
    assert list(result.winning_sides) == [at for at in range(2) if points[at] == max(points)]


def test_cards_may_come_in_any_order(api: Api) -> None:
    """A meld at a real table is a heap of cards."""
    mixed = tuple(" ".join(sorted(words.split())) for words in OF_520)
    one = score(api, side(OF_520, LEFT, pozzetto_taken=True), side(), closed_by_side=0)
    assert score(api, side(mixed, LEFT, pozzetto_taken=True), side(), closed_by_side=0) == one


def test_an_empty_table_counts_nothing_but_the_pozzetti(api: Api) -> None:
    """Two sides that have nothing at all."""
    bare = (game_service_pb2.TableSide(pozzetto_taken=True), game_service_pb2.TableSide(pozzetto_taken=True))
    sheet = score(api, *bare).score_sheet
    assert [each.deal_points for each in sheet.sides] == [0, 0]
    assert not sheet.HasField("closed_by_side")
