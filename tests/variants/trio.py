"""Tables of three for the tests of Burraco for three."""

from service.rules.cards import parse
from service.rules.presets import THREE_PLAYER
from service.rules.state import NOBODY, Phase, State, Turn
from tests.support.tables import table

LONE = "3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D 6D JC QC JD QD KD 3C"
SHARED = "AS AH AD AC 4C 5C 6C 8C JH QH KH"


def three(*hands: str, **fields: object) -> State:
    """A table at which seat 0 is to move and nobody has a pozzetto yet."""
    fields = {
        "options": THREE_PLAYER,
        "dealer": 2,
        "taken_by": (NOBODY, NOBODY, NOBODY),
        "points": (0, 0, 0),
        "pozzetti": [LONE, SHARED],
        "pile": "10D",
        "stock": "10C 9C 8D 7D",
        "stock_count": 20,
        **fields,
    }
    moving = hands[int(str(fields.get("seat", 0)))] if hands else ""
    if moving and "turn" not in fields and fields.get("phase", Phase.PLAY) is Phase.PLAY:
        fields["turn"] = Turn(drawn=parse(moving)[0])
    return table(hands=hands, **fields)  # type: ignore[arg-type]  # the tests name arguments that exist


def one_against_two(*hands: str, **fields: object) -> State:
    """A table at which seat 0 plays alone, and seats 1 and 2 are partners who may still take the pozzetto of 11."""
    fields = {"taken_by": (0, NOBODY, NOBODY), "pozzetti": [SHARED], "alone": 0, **fields}
    return three(*hands, **fields)
