"""Cards of people at a real table, in every game: counting a deal, and explaining a selection."""

from typing import Any, Final, NamedTuple

import pytest

from burraco.v1 import cards_pb2, melds_pb2, reasons_pb2, rules_pb2, scores_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import parse
from service.rules.games import GAMES, PRESETS
from service.rules.options import Game, Preset
from tests.api.client import SECONDS, Api, only


def cards(words: str) -> Any:  # noqa: ANN401 - card numbers, where the contract's enum is asked for
    return list(parse(words))


def side(left: str = "", *melds: str, before: int = 0) -> pb.TableSide:
    """What a player has: cards in hand, melds, match points."""
    return pb.TableSide(
        hands=[cards_pb2.CardGroup(cards=cards(left))],
        melds=[pb.TableMeld(cards=cards(words)) for words in melds],
        match_points_before=before,
    )


RUN, SET, LONG = "4S 5S 6S", "7H 7D 7C", "10D JD QD KD"
GIN_LEFT: Final = "AC 2D 3H 2C"
"""Deadwood of 8, and with `RUN` and `SET` all that a knocker has."""
PENALTY, IN_HAND = scores_pb2.SCORE_ITEM_PENALTY_CARDS, scores_pb2.SCORE_ITEM_CLOSED_IN_HAND
DIFFERENCE, GIN, UNDERCUT = (
    scores_pb2.SCORE_ITEM_DEADWOOD_DIFFERENCE,
    scores_pb2.SCORE_ITEM_GIN,
    scores_pb2.SCORE_ITEM_UNDERCUT,
)
Lines = list[tuple[int, int]]


class Deal(NamedTuple):
    """A deal at a real table, and what it comes to."""

    preset: Preset
    sides: tuple[pb.TableSide, ...]
    lines: tuple[Lines, ...]
    closed_by: int | None = 0
    in_hand: bool = False
    winners: tuple[int, ...] = ()
    options: rules_pb2.RulesSelection = rules_pb2.RulesSelection()


SCALA_LEFT: Final = (side(), side("KH 5S AS"), side("AH"), side("JK 3D 4D"))
"""26, a lone ace, and 32."""

DEALS: Final[dict[str, Deal]] = {
    "Ramino": Deal(Preset.RAMINO, (side("", RUN, SET), side("KH 5H AS")), ([], [(PENALTY, 16)])),
    "Ramino, closed in hand": Deal(
        Preset.RAMINO, (side(), side("KH 5S AS")), ([], [(PENALTY, 16), (IN_HAND, 16)]), in_hand=True
    ),
    "Ramino, aces of 11": Deal(
        Preset.RAMINO,
        (side("KH AS"), side()),
        ([(PENALTY, 21)], []),
        closed_by=1,
        options=rules_pb2.RulesSelection(ramino=rules_pb2.RaminoRules(ace_points=11)),
    ),
    "Ramino, a closer with penalties of before": Deal(
        Preset.RAMINO, (side("", before=70), side("KH 5S AS")), ([], [(PENALTY, 16)])
    ),
    "Ramino, to the limit": Deal(
        Preset.RAMINO, (side("", before=70), side("KH 5S AS", before=85)), ([], [(PENALTY, 16)]), winners=(0,)
    ),
    "Ramino, below the limit": Deal(Preset.RAMINO, (side(), side("KH 5S AS", before=84)), ([], [(PENALTY, 16)])),
    "Gin, a knock": Deal(
        Preset.GIN,
        (side(GIN_LEFT, RUN, SET), side("7S 8S KH KD KC 9D 9C 2S 3S 4H")),
        ([(DIFFERENCE, 14)], []),
    ),
    "Gin": Deal(
        Preset.GIN,
        (side("", RUN, SET, LONG), side("7S 8S KH KS KC 9D 9C 2S 3S 4H")),
        ([(DIFFERENCE, 42), (GIN, 25)], []),
    ),
    "Gin, an undercut": Deal(
        Preset.GIN,
        (side(GIN_LEFT, RUN, SET), side("7S 8S KH KD KC 9D 9C 9H AS AH")),
        ([], [(DIFFERENCE, 6), (UNDERCUT, 25)]),
    ),
    "Gin, an undercut by as much": Deal(
        Preset.GIN, (side("3C", RUN), side("2D AD")), ([], [(DIFFERENCE, 0), (UNDERCUT, 25)])
    ),
    "Gin, to the target": Deal(
        Preset.GIN,
        (side(GIN_LEFT, RUN, SET, before=99), side("7S 8S KH KD KC 9D 9C 2S 3S 4H", before=50)),
        ([(DIFFERENCE, 14)], []),
        winners=(0,),
    ),
    "Gin, no knock": Deal(Preset.GIN, (side("KH"), side("KS")), ([], []), closed_by=None),
    "Scala 40": Deal(Preset.SCALA_40, SCALA_LEFT, ([], [(PENALTY, 26)], [(PENALTY, 11)], [(PENALTY, 32)])),
    "Scala 40, a Scala": Deal(
        Preset.SCALA_40,
        SCALA_LEFT,
        ([], [(PENALTY, 26), (IN_HAND, 25)], [(PENALTY, 11), (IN_HAND, 25)], [(PENALTY, 32), (IN_HAND, 25)]),
        in_hand=True,
    ),
    "Scala 40 of the federation, closed in hand": Deal(
        Preset.SCALA_40_FISCA,
        SCALA_LEFT,
        ([], [(PENALTY, 26), (IN_HAND, 26)], [(PENALTY, 11), (IN_HAND, 11)], [(PENALTY, 32), (IN_HAND, 32)]),
        in_hand=True,
    ),
    "Scala 40, all but one beyond the limit": Deal(
        Preset.SCALA_40,
        (side("", before=90), side("KH 5S AS", before=75), side("AH", before=90), side("3D 4D", before=100)),
        ([], [(PENALTY, 26)], [(PENALTY, 11)], [(PENALTY, 7)]),
        winners=(0,),
    ),
}
"""Penalties are positive at Ramino and Scala 40, and the points of the winner of the deal are at Gin."""


def selection(deal: Deal) -> rules_pb2.RulesSelection:
    chosen = only(deal.preset)
    chosen.MergeFrom(deal.options)
    return chosen


@pytest.mark.parametrize("name", DEALS)
def test_a_deal_of_another_game_is_counted(api: Api, name: str) -> None:
    """Every line of the example, their sums, and the result of the match if this deal ends it."""
    deal = DEALS[name]
    if deal.preset not in PRESETS:
        pytest.skip("this game is not built")
    table = pb.TableDeal(
        rules=selection(deal), sides=deal.sides, closed_by_side=deal.closed_by, closed_in_hand=deal.in_hand
    )
    answer = api.stub.ScoreDeal(pb.ScoreDealRequest(table=table), timeout=SECONDS)
    sheet = answer.score_sheet
    assert tuple([(line.item, line.points) for line in each.lines] for each in sheet.sides) == deal.lines
    points = [sum(number for _, number in lines) for lines in deal.lines]
    totals = [each.match_points_before + now for each, now in zip(deal.sides, points, strict=True)]
    assert [each.deal_points for each in sheet.sides] == points
    assert [each.match_points for each in sheet.sides] == totals
    assert [each.side for each in sheet.sides] == list(range(len(deal.sides)))
    assert (sheet.closed_by_side if sheet.HasField("closed_by_side") else None) == deal.closed_by
    assert all(line.text and line.rule_id for each in sheet.sides for line in each.lines)
    assert tuple(answer.result.winning_sides) == deal.winners
    assert answer.HasField("result") == bool(deal.winners)
    if deal.winners:
        assert list(answer.result.match_points) == totals


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_table_has_the_sides_of_its_game(api: Api, preset: Preset) -> None:
    """As many sides as the rules have are counted, one more or fewer is refused."""
    rules = PRESETS[preset]
    number = GAMES[rules.game].sides(rules)
    for count in range(number + 2):
        request = pb.ScoreDealRequest(table=pb.TableDeal(rules=only(preset), sides=[pb.TableSide()] * count))
        if count == number:
            sheet = api.stub.ScoreDeal(request, timeout=SECONDS).score_sheet
            assert len(sheet.sides) == number
        else:
            outcome = api.fail("ScoreDeal", request)
            assert (outcome.reason, outcome.fields) == ("FIELD_OUT_OF_RANGE", ["table.sides"])


# --- explaining ------------------------------------------------------------------------------------------------------

Reading = tuple[str, str, str, int]
"""Kind, cards as they lie, what the wild stands for, points."""

SELECTIONS: Final[dict[tuple[Preset, str], list[Reading]]] = {
    (Preset.RAMINO, "9S 7S 8S"): [("SEQUENCE", "7S 8S 9S", "", 24)],
    (Preset.RAMINO, "AS 2S 3S"): [("SEQUENCE", "AS 2S 3S", "", 6)],
    (Preset.RAMINO, "KS AS QS"): [("SEQUENCE", "QS KS AS", "", 21)],
    (Preset.RAMINO, "2S 2H 2D"): [("SET", "2S 2H 2D", "", 6)],
    (Preset.GIN, "9S 7S 8S"): [("SEQUENCE", "7S 8S 9S", "", 24)],
    (Preset.GIN, "7D 7H 7S 7C"): [("SET", "7S 7H 7D 7C", "", 28)],
    (Preset.GIN, "3S 2S AS"): [("SEQUENCE", "AS 2S 3S", "", 6)],
    (Preset.GIN, "KS KH KD"): [("SET", "KS KH KD", "", 30)],
    (Preset.SCALA_40, "7S 7H JK"): [("SET", "7S 7H JK", suit, 21) for suit in ("", "7D", "7C")],
    (Preset.SCALA_40, "7S 8S JK"): [("SEQUENCE", "7S 8S JK", "9S", 24), ("SEQUENCE", "JK 7S 8S", "6S", 21)],
    (Preset.SCALA_40, "7S JK 9S"): [("SEQUENCE", "7S JK 9S", "8S", 24)],
    (Preset.SCALA_40, "QS KS JK"): [("SEQUENCE", "QS KS JK", "AS", 31), ("SEQUENCE", "JK QS KS", "JS", 30)],
    (Preset.SCALA_40, "AS QS KS"): [("SEQUENCE", "QS KS AS", "", 31)],
    (Preset.SCALA_40_FISCA, "AS 2S 3S"): [("SEQUENCE", "AS 2S 3S", "", 6)],
    (Preset.SCALA_40_FISCA, "AS JK 2S"): [("SEQUENCE", "AS 2S JK", "3S", 6)],
}
"""What selections are: every reading, the one that is used first."""

NOTHING: Final[dict[tuple[Preset, str], tuple[str, ...]]] = {
    (Preset.RAMINO, "7S 8S"): ("TOO_FEW_CARDS",),
    (Preset.RAMINO, "KS AS 2S"): ("SEQUENCE_GOES_ROUND",),
    (Preset.RAMINO, "7S 8S 9H"): ("NEITHER_SET_NOR_SEQUENCE",),
    (Preset.GIN, "QS KS AS"): ("ACE_PLACE",),
    (Preset.GIN, "KS AS 2S"): ("SEQUENCE_GOES_ROUND",),
    (Preset.GIN, "4S 6S 7S"): ("SEQUENCE_HAS_GAP",),
    (Preset.SCALA_40, "7S 7S 7H"): ("SET_REPEATS_SUIT",),
    (Preset.SCALA_40, "AS 2S 3S"): ("ACE_PLACE",),
    (Preset.SCALA_40, "JK 7S JK 9S"): ("TOO_MANY_WILDS",),
    (Preset.SCALA_40, "JK JK 7S"): ("TOO_MANY_WILDS", "NOT_ENOUGH_NATURALS"),
}
"""What is no meld, and why."""


def explain(api: Api, preset: Preset, words: str, **reading: Any) -> pb.ExplainMeldResponse:  # noqa: ANN401 - its fields
    chosen = melds_pb2.MeldReading(**reading) if reading else None
    request = pb.ExplainMeldRequest(rules=only(preset), cards=cards(words), reading=chosen)
    return api.stub.ExplainMeld(request, timeout=SECONDS)


@pytest.mark.parametrize(("preset", "words"), SELECTIONS)
def test_every_reading_is_explained(api: Api, preset: Preset, words: str) -> None:
    """Each reading has its roles and its points, and can be asked for by itself."""
    expected = SELECTIONS[preset, words]
    explained = explain(api, preset, words)
    assert not explained.violations
    for meld, (kind, lying, wild_as, points) in zip(explained.readings, expected, strict=True):
        assert melds_pb2.MeldKind.Name(meld.kind) == f"MELD_KIND_{kind}"
        assert list(meld.cards) == cards(lying)
        assert meld.wild_as == (cards(wild_as)[0] if wild_as else 0)
        assert meld.HasField("wild_index") == ("JK" in lying)
        assert meld.card_points == points
        assert (meld.burraco, meld.bonus_points) == (0, 0)
        alone = explain(api, preset, words, kind=meld.kind, wild_as=meld.wild_as)
        alike = [other for other in explained.readings if other.kind == meld.kind]
        assert list(alone.readings) == [other for other in alike if meld.wild_as in {0, other.wild_as}]
    other = explain(api, preset, words, wild_as=cards("2C")[0])
    assert [violation.reason for violation in other.violations] == [reasons_pb2.REASON_READING_NOT_POSSIBLE]


@pytest.mark.parametrize(("preset", "words"), NOTHING)
def test_what_is_no_meld_is_told_why(api: Api, preset: Preset, words: str) -> None:
    """Everything wrong, by the order of the reasons, each in words."""
    explained = explain(api, preset, words)
    assert not explained.readings
    reasons = [reasons_pb2.Reason.Name(violation.reason) for violation in explained.violations]
    assert reasons == [f"REASON_{reason}" for reason in NOTHING[preset, words]]
    assert all(violation.text and violation.rule_id for violation in explained.violations)


def test_a_meld_at_a_table_may_name_its_reading(api: Api) -> None:
    """Where cards can lie in several ways, any of them may be named, and no other."""
    for wild_as, taken in (("", True), ("9S", True), ("6S", True), ("8S", False)):
        reading = melds_pb2.MeldReading(wild_as=cards(wild_as)[0] if wild_as else cards_pb2.CARD_UNSPECIFIED)
        sides = [pb.TableSide() for _ in range(4)]
        sides[0].melds.add(cards=cards("7S 8S JK"), reading=reading)
        request = pb.ScoreDealRequest(table=pb.TableDeal(rules=only(Preset.SCALA_40), sides=sides))
        if taken:
            assert api.stub.ScoreDeal(request, timeout=SECONDS).score_sheet.sides
        else:
            outcome = api.fail("ScoreDeal", request)
            assert (outcome.reason, outcome.fields) == ("READING_NOT_POSSIBLE", ["table.sides[0].melds[0].reading"])


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_cards_that_the_deck_does_not_hold_are_refused(api: Api, preset: Preset) -> None:
    """One copy more than the deck has of each face is no selection of its cards."""
    rules = PRESETS[preset]
    deck = GAMES[rules.game].deck(rules)
    for face in ("7S", "KD", "JK"):
        (card,) = cards(face)
        number = deck.count(card) + 1
        request = pb.ExplainMeldRequest(rules=only(preset), cards=[card] * number)
        outcome = api.fail("ExplainMeld", request)
        assert (outcome.reason, outcome.fields) == ("FIELDS_CONTRADICT", ["cards"])


def test_every_game_has_its_examples() -> None:
    """No game that is built lacks a deal or a selection."""
    for built in set(GAMES) - {Game.BURRACO}:
        assert any(PRESETS[deal.preset].game is built for deal in DEALS.values() if deal.preset in PRESETS)
        assert any(PRESETS[preset].game is built for preset, _ in SELECTIONS if preset in PRESETS)
