"""Tables of two for the tests of Burraco for two."""

from service.rules.presets import TWO_PLAYER
from service.rules.state import NOBODY, Phase, State
from tests.support.tables import rules, table

QUICK = rules(TWO_PLAYER, target=1005)
USED = (0, NOBODY)
FIRST = "3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D"
SECOND = "AS AH AD AC 3C 4C 5C 6C JH QH KH"
NUMBERED = bytes(range(108))
"""A deck whose cards are told apart by their places, 0 on top; the deal never looks at a face."""


def duel(*hands: str, **fields: object) -> State:
    """A table of two at which seat 0 is to move and seat 1 has dealt."""
    fields = {"options": TWO_PLAYER, "dealer": 1, **fields}
    return table(hands=hands, **fields)  # type: ignore[arg-type]  # the tests name arguments that exist


def facing(pile: str, hand: str, *melds: str, **fields: object) -> State:
    """Seat 0 is to draw, or to take this pile."""
    return duel(hand, pile=pile, melds={0: melds}, phase=Phase.DRAW, **fields)


def closable(hand: str, *melds: str, **fields: object) -> State:
    """Seat 0 has taken its pozzetto and holds this hand."""
    return duel(hand, "KD QD", melds={0: melds}, taken_by=USED, **fields)
