"""E45: what the top card of the pile is to be used with."""

import pytest

from service.rules.burraco.judge import judge
from service.rules.moves import TAKE_PILE
from service.rules.presets import TWO_PLAYER
from service.rules.reasons import Reason
from service.rules.state import Phase
from tests.support.tables import table


@pytest.mark.parametrize(
    ("hand", "pile", "melds", "usable"),
    [
        ("7C 10C 3S 4H", "9C 8C", [], False),
        ("7C 9C 3S 4H", "KD 8C", [], True),
        ("KD QH 3S 4H", "7S 8S", ["4S 5S 6S"], False),
        ("7S QH 3S 4H", "KD 8S", ["4S 5S 6S"], True),
        ("KD QH 3S 4H", "9D 7S", ["4S 5S 6S"], True),
    ],
)
def test_e45_the_pile_does_not_help_its_own_top_card(hand: str, pile: str, melds: list[str], usable: bool) -> None:
    """The pile may be taken if its top card fits with the hand as it was; cards that lie below it do not help."""
    state = table(hands=[hand, ""], pile=pile, melds={0: melds}, phase=Phase.DRAW, options=TWO_PLAYER)
    reasons = [fault.reason for fault in judge(state, 0, TAKE_PILE).faults]
    assert reasons == ([] if usable else [Reason.PILE_TOP_NOT_USABLE])
