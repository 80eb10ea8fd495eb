"""Real tables and selections of rules, as requests have them."""

from collections.abc import Sequence

from burraco_conformance.values import Json
from tests.conformance.generate.words import cards


def rules(preset: str, options: Json = None) -> Json:
    """A preset, perhaps with some options changed."""
    return {"preset": f"PRESET_{preset}"} | (options or {})


def side(*hands: str, melds: Sequence[str] = (), **fields: Json) -> Json:
    """What a side has: the cards left in each hand, its melds, and other fields."""
    made: dict[str, Json] = {"melds": [{"cards": cards(each)} for each in melds]} if melds else {}
    if hands:
        made["hands"] = [{"cards": cards(hand)} for hand in hands]
    return made | fields


def table_deal(preset: str, *sides: Json, options: Json = None, **fields: Json) -> Json:
    """A deal at a real table."""
    return {"rules": rules(preset, options), "sides": list(sides)} | fields
