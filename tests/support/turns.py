"""Turns between draw and discard, set up from what Hypothesis draws."""

from service.rules.hand import hand_of
from service.rules.options import BurracoRules
from service.rules.presets import ITALIAN
from service.rules.state import NOBODY, State, Turn
from tests.support.bridge import from_oracle
from tests.support.strategies import Plays
from tests.support.tables import table

EMPTY_TABLE = table(options=ITALIAN, stock_count=20)


def set_up(rules: BurracoRules, drawn: Plays, *, pozzetto: bool, turn: Turn = EMPTY_TABLE.turn) -> State:
    """A state in which seat 0 has these plays; other hands, stock and pile hold anything."""
    melds = [from_oracle(meld, 1 + at, 0) for at, meld in enumerate(drawn.own)]
    melds += [from_oracle(meld, 1 + len(melds) + at, 1) for at, meld in enumerate(drawn.other)]
    return EMPTY_TABLE._replace(
        match=EMPTY_TABLE.match._replace(rules=rules),
        hands=(hand_of(drawn.hand), *EMPTY_TABLE.hands[1:]),
        melds=tuple(melds),
        next_meld_id=len(melds) + 1,
        taken_by=(NOBODY, NOBODY) if pozzetto else (2, NOBODY),
        pozzetti=EMPTY_TABLE.pozzetti if pozzetto else EMPTY_TABLE.pozzetti[1:],
        turn=turn,
    )
