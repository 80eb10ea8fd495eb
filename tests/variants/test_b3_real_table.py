"""B3-2 and B3-3 at a real table: three people have a deal counted from melds and hands alone."""

import pytest

from service.rules.burraco.table import count_table
from service.rules.cards import parse
from service.rules.game import TableFault, TableSide
from service.rules.hand import Hand, hand_of
from service.rules.presets import THREE_PLAYER
from service.rules.scores import Sheet
from service.rules.state import NOBODY
from tests.rules.words import CLEAN_BURRACO
from tests.support.tables import meld

HEARTS = meld("4H 5H 6H 7H 8H 9H 10H", 1)
SPADES = meld(CLEAN_BURRACO, 1)
ALONE = TableSide((HEARTS,), (Hand(),), pozzetto_taken=True)
PARTNER = TableSide((), ())


def cards(words: str) -> Hand:
    """A hand."""
    return hand_of(parse(words))


PAIR = TableSide((SPADES,), (cards("KD"), cards("3S")), pozzetto_taken=True)


def counted(*sides: TableSide, closed_by: int = NOBODY) -> Sheet:
    """Count a table of three."""
    return count_table(THREE_PLAYER, sides, closed_by, False)  # nobody closes in hand


@pytest.mark.parametrize(
    ("sides", "closed_by", "points"),
    [
        ((ALONE, PAIR, PARTNER), 0, (350, 118, 118)),
        ((PAIR, ALONE, PARTNER), 1, (118, 350, 118)),
        ((PARTNER, PAIR, ALONE), 2, (118, 118, 350)),
        ((PARTNER, ALONE, PAIR), 1, (118, 350, 118)),
    ],
)
def test_b3_3_a_pair_is_who_lists_two_hands(
    sides: tuple[TableSide, ...], closed_by: int, points: tuple[int, ...]
) -> None:
    """The one who lists both hands has the pair's melds, the other nothing; 235 makes 118 for each."""
    assert counted(*sides, closed_by=closed_by).deal_points == points


def test_b3_3_lines_name_the_seats_of_the_hands() -> None:
    """The lines of hands name the seat of the partner whose they are."""
    sheet = counted(PARTNER, ALONE, PAIR, closed_by=1)

    assert [(line.seat, line.points) for line in sheet.lines[2] if line.seat != NOBODY] == [(2, -10), (0, -5)]
    assert [line.points for line in sheet.lines[0]] == [118]


def test_b3_3_each_for_himself_at_a_real_table() -> None:
    """Three sides of one hand each are counted each for itself."""
    lone = TableSide((SPADES,), (cards("KD"),))

    assert counted(ALONE, lone, TableSide((), (cards("3S"),)), closed_by=0).deal_points == (350, 140, -105)


def test_b3_3_one_of_the_pair_closes() -> None:
    """The pair may have closed: one of its hands is empty then."""
    pair = TableSide((SPADES,), (Hand(), cards("3S")), pozzetto_taken=True)
    alone = TableSide((), (cards("KD"),), pozzetto_taken=True)

    assert counted(alone, pair, PARTNER, closed_by=1).deal_points == (-10, 173, 173)
    with pytest.raises(TableFault) as fault:
        counted(alone, PAIR, PARTNER, closed_by=1)
    assert (fault.value.side, fault.value.field) == (1, "hands")


@pytest.mark.parametrize(
    "sides",
    [
        (ALONE, PAIR, TableSide((), (cards("4S"),))),
        (PARTNER, PAIR, PARTNER),
        (PAIR, PAIR, PARTNER),
    ],
    ids=["no partner", "two partners", "two pairs"],
)
def test_b3_3_a_pair_needs_one_partner(sides: tuple[TableSide, ...]) -> None:
    """Two hands at one side need exactly one other side that has nothing."""
    with pytest.raises(TableFault) as fault:
        counted(*sides)
    assert (fault.value.side, fault.value.field) == (1, "hands")
