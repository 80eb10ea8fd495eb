"""The audit: states that no match of Gin comes to."""

from typing import Any

import pytest

from service.rules.audit import audit
from service.rules.defects import DefectReason
from service.rules.hand import EMPTY
from service.rules.moves import DRAW_STOCK, PASS_UPCARD, RESIGN, TAKE_PILE
from service.rules.options import StockExhausted
from service.rules.state import DealEnd, MatchEnd, Phase, Result, State, Turn
from tests.gin.words import GIN_HAND, after, begin, knock, rules, table

SECOND: dict[str, Any] = {"deal_number": 2, "revision": 9}
"""Of a second deal."""
TO_PASS = begin().state
DRAWING = after(TO_PASS, PASS_UPCARD, PASS_UPCARD)
PLAYING = after(DRAWING, DRAW_STOCK)
GIN_STATE = after(table(f"{GIN_HAND} KS", points=(5, 0), won=(1, 0)), knock("KS"))._replace(**SECOND)
KNOCK_STATE = after(table("4S 5S 6S 7H 7D 7C 10D JD QD 2C KS", "7S AH 3H 9H JH 6D 9D JC 9C KC"), knock("KS"))
WON = after(table(f"{GIN_HAND} KS", points=(95, 0), won=(1, 0)), knock("KS"))._replace(**SECOND)

GOOD = [TO_PASS, DRAWING, PLAYING, after(TO_PASS, TAKE_PILE), GIN_STATE, KNOCK_STATE, WON, after(PLAYING, RESIGN)]

WRONG: list[tuple[State, dict[str, Any]]] = [
    (TO_PASS, {"pozzetti": (b"\x01",)}),
    (TO_PASS, {"unseen": (True, False)}),
    (TO_PASS, {"unplayed": (True, False)}),
    (TO_PASS, {"taken_by": (0, -1)}),
    (TO_PASS, {"stalemate_turns": 1}),
    (TO_PASS, {"turns_left": 2}),
    (TO_PASS, {"laid": (True, False)}),
    (TO_PASS, {"out": (True, False)}),
    (TO_PASS, {"reentries": (1, 0)}),
    (TO_PASS, {"turns_taken": 201}),
    (TO_PASS, {"doubled": True}),
    (TO_PASS, {"deals_won": ()}),
    (TO_PASS, {"deals_won": (1, 0)}),
    (TO_PASS, {"deals_won": (1, -1)}),
    (TO_PASS, {"points": (-1, 0)}),
    (TO_PASS, {"points": (100, 0)}),
    (TO_PASS, {"renewals": 1}),
    (TO_PASS, {"knocker": 0}),
    (TO_PASS, {"closed_by": 0}),
    (TO_PASS, {"melds": KNOCK_STATE.melds}),
    (TO_PASS, {"passes": 1}),
    (TO_PASS, {"passes": 2}),
    (TO_PASS, {"seat": 1}),
    (TO_PASS, {"stock": TO_PASS.stock[:-1]}),
    (TO_PASS, {"discard": b""}),
    (TO_PASS, {"phase": Phase.PLAY}),
    (TO_PASS, {"turn": Turn(taken=TO_PASS.discard[0])}),
    (DRAWING, {"passes": 1}),
    (DRAWING, {"seat": 1}),
    (DRAWING, {"discard": DRAWING.discard + DRAWING.stock[:1], "stock": DRAWING.stock[1:]}),
    (DRAWING, {"stock": DRAWING.stock[:2]}),
    (DRAWING, {"turn": Turn(drawn=5)}),
    (PLAYING, {"passes": 2}),
    (PLAYING, {"stock": PLAYING.stock[:1]}),
    (PLAYING, {"turn": Turn()}),
    (PLAYING, {"turn": Turn(drawn=DRAWING.stock[1])}),
    (PLAYING, {"turn": Turn(drawn=PLAYING.turn.drawn, taken=PLAYING.hands[0].cards()[0])}),
    (PLAYING, {"turn": PLAYING.turn._replace(must_meld=3)}),
    (PLAYING, {"seat": 1}),
    (PLAYING, {"hands": (EMPTY, PLAYING.hands[1])}),
    (GIN_STATE, {"deal_end": DealEnd.KNOCK}),
    (GIN_STATE, {"knocker": 1}),
    (GIN_STATE, {"knocker": -1, "closed_by": -1}),
    (GIN_STATE, {"melds": GIN_STATE.melds[1:]}),
    (GIN_STATE, {"melds": (GIN_STATE.melds[0]._replace(side=1), *GIN_STATE.melds[1:])}),
    (GIN_STATE, {"turn": PLAYING.turn}),
    (GIN_STATE, {"points": (100, 0)}),
    (KNOCK_STATE, {"deal_end": DealEnd.GIN}),
    (KNOCK_STATE, {"hands": (KNOCK_STATE.hands[1], KNOCK_STATE.hands[0])}),
    (KNOCK_STATE, {"hands": (KNOCK_STATE.hands[0], EMPTY)}),
    (WON, {"deals_won": (0, 2)}),
    (WON, {"result": Result(MatchEnd.TARGET, (0, 1))}),
    (WON, {"deal_end": DealEnd.VOID}),
]
"""States, and what is changed in them."""


@pytest.mark.parametrize("state", GOOD)
def test_what_play_comes_to_is_good(state: State) -> None:
    """States of a match hold together."""
    assert not list(audit(state))


@pytest.mark.parametrize("at", range(len(WRONG)))
def test_what_play_never_comes_to_is_found(at: int) -> None:
    """Each of these does not."""
    state, changes = WRONG[at]
    assert list(audit(state._replace(**changes)))


def test_a_renewed_stock_may_run_out_within_a_turn() -> None:
    """Where the stock is renewed its last card may be drawn."""
    options = rules(stock_exhausted=StockExhausted.RESHUFFLE)
    state = DRAWING._replace(match=DRAWING.match._replace(rules=options), stock=DRAWING.stock[:1], passes=0)
    state = after(state, DRAW_STOCK)
    assert not [found for found in audit(state) if found.reason is not DefectReason.DEFECT_FACE_COUNT]
