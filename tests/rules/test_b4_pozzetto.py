"""B4-26 to B4-30: the pozzetto."""

import pytest

from service.rules.cards import parse
from service.rules.events import PozzettoSeen, TookPozzetto
from service.rules.hand import hand_of
from service.rules.moves import DRAW_STOCK, TAKE_PILE
from service.rules.options import BurracoRules, PozzettoVisibleAfter
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.state import NOBODY, DealEnd, Phase, State
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    after,
    applied,
    drop,
    holds,
    is_accepted,
    lay,
    names,
    on_table,
    only,
    refused,
)
from tests.support.tables import rules, table

FIRST = "3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D"
SECOND = "AS AH AD AC 3C 4C 5C 6C JH QH KH"


def about_to_empty(hand: str = "7S 8S 9S", **fields: object) -> State:
    """Seat 0 holds little and both pozzetti are there."""
    fields = {"pile": "JD", "stock": "10C 10D QC KC", "stock_count": 20, "pozzetti": [FIRST, SECOND], **fields}
    return table(hands=[hand, "7H 8H 9H", "7D 8D 9D QS", "7C 8C 9C QS"], **fields)  # type: ignore[arg-type]


def test_b4_26_the_first_to_run_out_takes_the_first_pozzetto() -> None:
    """The first player of either side to run out of cards takes the first pozzetto."""
    outcome = applied(about_to_empty(), lay("7S 8S 9S"))

    assert holds(outcome.state, 0, FIRST)
    assert outcome.state.taken_by == (0, NOBODY)
    assert outcome.state.pozzetti == (parse(SECOND),)


def test_b4_26_the_other_is_for_the_other_side() -> None:
    """The other pozzetto is for the first player of the other side to run out."""
    state = after(about_to_empty(), lay("7S 8S 9S"), drop("3S"), DRAW_STOCK, lay("7H 8H 9H"))
    outcome = applied(state, drop("10C"))

    assert outcome.state.taken_by == (0, 1)
    assert holds(outcome.state, 1, SECOND)
    assert outcome.state.pozzetti == ()


def test_b4_26_one_per_side() -> None:
    """A side has one pozzetto: the partner of its owner cannot run out into the other one."""
    state = table(hands=["7S 8S 9S"], taken_by=(2, NOBODY))

    assert len(state.pozzetti) == 1
    assert refused(state, lay("7S 8S 9S")) == [Reason.MUST_KEEP_TWO]


def test_b4_27_direct_pozzetto_goes_on_at_once() -> None:
    """Whoever melds all his cards takes the pozzetto at once and goes on from it, without a new draw."""
    outcome = applied(about_to_empty(), lay("7S 8S 9S"))

    assert names(outcome.events) == ["Melded", "TookPozzetto"]
    assert only(outcome.events, TookPozzetto) == TookPozzetto(0, True, 11, bytes(sorted(parse(FIRST))))
    assert (outcome.state.seat, outcome.state.phase) == (0, Phase.PLAY)
    assert outcome.state.unseen == (False, False, False, False)
    assert refused(outcome.state, DRAW_STOCK) == [Reason.ALREADY_DRAWN]
    assert refused(outcome.state, TAKE_PILE) == [Reason.ALREADY_DRAWN]


def test_b4_27_direct_by_a_lay_off() -> None:
    """The last cards may also be laid off on a meld."""
    outcome = applied(about_to_empty("7S 8S", melds={0: ["9S 10S JS"]}), add(1, "7S 8S"))

    assert only(outcome.events, TookPozzetto).direct
    assert holds(outcome.state, 0, FIRST)


def test_b4_27_meld_from_it_then_discard() -> None:
    """A pozzetto taken directly may be melded from in the same turn, which ends with a discard."""
    state = after(about_to_empty(), lay("7S 8S 9S"), lay("3S 4S 5S 6S"), drop("3H"))

    assert on_table(state) == ["7S 8S 9S", "3S 4S 5S 6S"]
    assert state.seat == 1


def test_b4_27_close_in_the_same_turn() -> None:
    """With a burraco down, whoever took the pozzetto directly may even close in the same turn."""
    pozzetto = "3S 4S 5S 3H 4H 5H 3D 4D 5D 6D JC"
    state = table(hands=["6C 7C 8C"], melds={0: ["7S 8S 9S 10S JS QS KS"]}, pozzetti=[pozzetto, SECOND])
    state = after(state, lay("6C 7C 8C"), lay("3S 4S 5S"), lay("3H 4H 5H"), lay("3D 4D 5D 6D"))
    outcome = applied(state, drop("JC"))

    assert outcome.state.deal_end is DealEnd.CLOSED
    assert outcome.state.closed_by == 0


def test_b4_28_on_the_discard_the_turn_ends() -> None:
    """Whoever discards his last card gets the pozzetto, but his turn ends and he may not look at it yet."""
    outcome = applied(about_to_empty("KD"), drop("KD"))

    assert names(outcome.events) == ["Discarded", "TookPozzetto", "TurnStarted"]
    assert only(outcome.events, TookPozzetto) == TookPozzetto(0, False, 11, b"")
    assert outcome.state.seat == 1
    assert outcome.state.taken_by == (0, NOBODY)
    assert outcome.state.pozzetti == (parse(SECOND),)
    assert outcome.state.unseen == (True, False, False, False)
    assert view(outcome.state, 0).seats[0].hand is None
    assert view(outcome.state, 0).seats[0].hand_count == 11


def test_b4_28_seen_after_the_partners_discard() -> None:
    """The pozzetto may be looked at once the partner has ended a turn with a discard."""
    state = after(about_to_empty("KD"), drop("KD"), DRAW_STOCK, drop("10C"), DRAW_STOCK)

    assert state.seat == 2
    assert view(state, 0).seats[0].hand is None

    outcome = applied(state, drop("10D"))
    assert names(outcome.events) == ["Discarded", "PozzettoSeen", "TurnStarted"]
    assert only(outcome.events, PozzettoSeen) == PozzettoSeen(0, bytes(sorted(parse(FIRST))))
    assert view(outcome.state, 0).seats[0].hand == hand_of(parse(FIRST))
    assert view(outcome.state, 1).seats[0].hand is None


def test_b4_28_played_from_the_owners_next_turn() -> None:
    """A pozzetto taken on the discard is played from its owner's next turn on."""
    state = after(about_to_empty("KD"), drop("KD"))

    assert refused(state, drop("3S"), seat=0) == [Reason.NOT_YOUR_TURN]
    state = after(state, DRAW_STOCK, drop("10C"), DRAW_STOCK, drop("10D"), DRAW_STOCK, drop("QC"), DRAW_STOCK)
    assert state.seat == 0
    assert holds(state, 0, f"{FIRST} KC")
    assert on_table(after(state, lay("3S 4S 5S 6S"))) == ["3S 4S 5S 6S"]


def test_b4_28_or_at_the_owners_next_turn() -> None:
    """Where the rules say so it is seen only when its owner's next turn starts."""
    options = rules(pozzetto_visible_after=PozzettoVisibleAfter.OWN_NEXT_TURN)
    state = after(about_to_empty("KD", options=options), drop("KD"), DRAW_STOCK, drop("10C"), DRAW_STOCK, drop("10D"))

    assert view(state, 0).seats[0].hand is None
    outcome = applied(after(state, DRAW_STOCK), drop("QC"))
    assert names(outcome.events) == ["Discarded", "TurnStarted", "PozzettoSeen"]
    assert view(outcome.state, 0).seats[0].hand == hand_of(parse(FIRST))


@pytest.mark.parametrize("wild", ["JK", "2H"])
@pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
def test_b4_29_a_wild_may_lead_to_the_pozzetto(wild: str, preset: BurracoRules) -> None:
    """Going to the pozzetto by discarding a wild is legal."""
    outcome = applied(about_to_empty(wild, options=preset), drop(wild))

    assert only(outcome.events, TookPozzetto).seat == 0
    assert outcome.state.deal_end is DealEnd.NOT_ENDED


def test_b4_30_the_first_emptying_needs_nothing() -> None:
    """The first time a side runs out of cards needs no burraco and no meld before."""
    assert is_accepted(about_to_empty("KD"), drop("KD"))
    assert is_accepted(about_to_empty(), lay("7S 8S 9S"))


def test_b4_30_afterwards_only_a_legal_close_empties_a_hand() -> None:
    """Once the side has its pozzetto, a hand of it runs out only by a legal close."""
    used = {"taken_by": (0, NOBODY), "pozzetti": [SECOND]}
    no_burraco = about_to_empty("KD", **used)
    melding_all = about_to_empty("7H 8H 9H", melds={0: [CLEAN_BURRACO]}, **used)
    closing = about_to_empty("KD", melds={0: [CLEAN_BURRACO]}, **used)

    assert refused(no_burraco, drop("KD")) == [Reason.CLOSE_NEEDS_BURRACO]
    assert refused(melding_all, lay("7H 8H 9H")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    assert after(closing, drop("KD")).deal_end is DealEnd.CLOSED


def test_b4_30_holds_for_the_partner_too() -> None:
    """The partner of the pozzetto's owner, too, runs out only by a legal close."""
    state = about_to_empty("KD", taken_by=(2, NOBODY), pozzetti=[SECOND])

    assert refused(state, drop("KD")) == [Reason.CLOSE_NEEDS_BURRACO]
