"""What both games share beyond the rule book: resignations, time-outs, turns, real tables, what others may know."""

import hashlib
from typing import Any

import pytest

from service.rules.audit import audit
from service.rules.cards import parse, text
from service.rules.defects import DefectReason
from service.rules.events import Dealt, Drew, MatchEnded, redact
from service.rules.game import TableFault, TableSide
from service.rules.moves import (
    CALL_TIME,
    DECLARE_STALEMATE,
    DRAW_STOCK,
    NEXT_DEAL,
    PASS_UPCARD,
    RESIGN,
    TAKE_PILE,
    TIME_OUT_TURN,
    Knock,
    Move,
    MoveKind,
    ReplaceWild,
    canonical,
)
from service.rules.options import ClosingInHand
from service.rules.reasons import Reason
from service.rules.rummy.game import RAMINO_GAME, SCALA_40_GAME
from service.rules.rummy.presets import RAMINO, SCALA_40, SCALA_40_FISCA
from service.rules.state import NOBODY, DealEnd, MatchEnd, Phase, Result, State, Turn
from tests.rummy.tables import (
    add,
    after,
    applied,
    card,
    drop,
    faults,
    fisca,
    hand,
    lay,
    listed,
    names,
    new_match,
    only,
    ramino,
    refused,
    scala,
    swap,
    with_options,
)

# --- moves that are not there, or not now -----------------------------------------------------------------------------


@pytest.mark.parametrize("move", [DECLARE_STALEMATE, PASS_UPCARD, CALL_TIME, Knock(card("KS"))])
@pytest.mark.parametrize(("state", "game"), [(new_match(RAMINO), "Ramino"), (new_match(SCALA_40), "Scala 40")])
def test_moves_of_other_games(state: State, game: str, move: Move) -> None:
    """A move that the game does not have is told so, with the game's name."""
    (fault,) = faults(state, move)
    assert (fault.reason, fault.arguments) == (Reason.MOVE_NOT_IN_GAME, (("game", game),))


def test_ramino_has_no_joker_recovery() -> None:
    """Ramino has no move for recovering a joker, not even with jokers in the deck."""
    state = ramino(options=with_options(RAMINO, jokers=2), hands=["6H KD"], melds={1: ["5H JK(=6H) 7H"]})
    assert refused(state, ReplaceWild(1, card("6H"))) == [Reason.MOVE_NOT_IN_GAME]


def test_out_of_turn_is_told_nothing_else() -> None:
    """Whoever is not to move is told only that."""
    state = scala(hands=["7S JK 3S KC 2D"], melds={1: ["4S 5S 6S"]})
    for move in (DRAW_STOCK, TAKE_PILE, lay("2S 2S 2S"), add(9, "2S"), swap(1, "2S"), drop("2S"), TIME_OUT_TURN):
        assert refused(state, move, seat=1) == [Reason.NOT_YOUR_TURN]
    assert listed(state, 1).plain == (MoveKind.RESIGN,)
    assert SCALA_40_GAME.open_kinds(state, 1) == (MoveKind.RESIGN,)


def test_a_deal_that_goes_on_has_no_next_one() -> None:
    """NextDeal waits for the end of the deal."""
    assert refused(new_match(RAMINO), NEXT_DEAL) == [Reason.DEAL_NOT_OVER]


def test_an_empty_stock_or_pile() -> None:
    """Nothing is drawn from where nothing lies."""
    state = ramino(phase=Phase.DRAW, hands=["2H 3D"], stock="", pile="2C")
    assert refused(state, DRAW_STOCK) == [Reason.STOCK_EMPTY]
    assert refused(ramino(phase=Phase.DRAW, hands=["2H 3D"], pile=""), TAKE_PILE) == [Reason.PILE_EMPTY]


def test_each_move_adds_a_revision_and_a_link() -> None:
    """The chain covers every move, and the revision counts them."""
    state = new_match(SCALA_40)
    moved = applied(state, DRAW_STOCK).state

    assert moved.revision == state.revision + 1
    assert moved.chain == hashlib.sha256(state.chain + canonical(state.seat, DRAW_STOCK)).digest()[:16]


@pytest.mark.parametrize(("move", "reveals"), [(DRAW_STOCK, True), (TAKE_PILE, False), (TIME_OUT_TURN, True)])
def test_what_reveals_a_hidden_card(move: Move, reveals: bool) -> None:
    """A card of the stock was hidden; the pile lies open."""
    assert applied(new_match(RAMINO), move).revealed is reveals


def test_what_ends_a_deal_reveals() -> None:
    """After a close, and after the next deal, nothing may follow in the same call."""
    closed = applied(ramino(hands=["9S", "KH"]), drop("9S"))
    assert closed.revealed
    assert applied(closed.state, NEXT_DEAL).revealed


# --- resignations -----------------------------------------------------------------------------------------------------


def test_with_two_players_a_resignation_ends_the_match() -> None:
    """The other player wins; the deal is not counted and no hand is laid open."""
    outcome = applied(new_match(RAMINO), RESIGN, seat=1)

    assert names(outcome.events) == ["Resigned", "DealEnded", "PlayerOut", "MatchEnded"]
    assert only(outcome.events, MatchEnded).result == Result(MatchEnd.RESIGNED, (0,))
    assert outcome.state.deal_end is DealEnd.RESIGNED
    assert refused(outcome.state, DRAW_STOCK) == [Reason.MATCH_OVER]


def test_with_more_players_the_others_go_on() -> None:
    """The player who resigns is out at once; the deal ends uncounted, and the same dealer deals to the others."""
    state = new_match(SCALA_40, dealer=0)
    resigned = applied(state, RESIGN, seat=2)
    assert names(resigned.events) == ["Resigned", "DealEnded", "PlayerOut"]
    assert resigned.state.out == (False, False, True, False)

    dealt = applied(resigned.state, NEXT_DEAL)
    assert only(dealt.events, Dealt).hand_counts == (13, 13, 0, 13)
    assert (dealt.state.dealer, dealt.state.seat) == (0, 1)
    assert refused(dealt.state, RESIGN, seat=2) == [Reason.PLAYER_IS_OUT]
    assert listed(dealt.state, 2).plain == ()
    one_left = after(dealt.state, RESIGN)
    assert applied(one_left, RESIGN, seat=3).state.result == Result(MatchEnd.RESIGNED, (0,))


def test_a_dealer_who_resigns_deals_no_more() -> None:
    """The deal passes to the next player who is in the match."""
    state = applied(new_match(SCALA_40, dealer=2), RESIGN, seat=2).state
    assert after(state, NEXT_DEAL).dealer == 3


def test_a_resignation_between_deals() -> None:
    """After a counted deal its sheet stays, and the others go on."""
    closed = after(scala(hands=["9S", "KH", "QD", "JC"], opened=[0]), drop("9S"))
    resigned = applied(closed, RESIGN, seat=3).state

    assert resigned.deal_end is DealEnd.CLOSED
    assert SCALA_40_GAME.sheet(resigned) is not None
    assert after(resigned, NEXT_DEAL).out == (False, False, False, True)


# --- absent players ---------------------------------------------------------------------------------------------------


def test_a_time_out_draws_and_discards_the_cheapest_card() -> None:
    """From the stock; the legal card of least penalty, naturals before jokers, ties by the lowest number."""
    state = scala(phase=Phase.DRAW, hands=["JK 2D 2S KH"], stock="QC 3C")
    outcome = applied(state, TIME_OUT_TURN)

    assert names(outcome.events) == ["TurnTimedOut", "Drew", "Discarded", "TurnStarted"]
    assert text(outcome.state.discard[-1]) == "2S"
    only_joker = scala(hands=["JK JK"], turn=Turn(drawn=card("JK")))
    assert text(after(only_joker, TIME_OUT_TURN).discard[-1]) == "JK"


def test_a_time_out_takes_the_pile_where_the_stock_is_empty() -> None:
    """Where nothing can be drawn from the stock the pile's card is taken."""
    state = ramino(phase=Phase.DRAW, hands=["2S KH"], stock="", pile="3C QD")
    assert names(applied(state, TIME_OUT_TURN).events)[1] == "TookPile"


def test_a_time_out_finishes_what_the_rules_oblige_to() -> None:
    """An opening under way, a pile card to use, a recovered joker: the first play of the list, then a discard."""
    opening = after(scala(hands=["2S 2H 2D 10S JS QS KS 8D 9C"]), lay("2S 2H 2D"))
    assert names(applied(opening, TIME_OUT_TURN).events)[1:3] == ["Melded", "Discarded"]
    fields = {"melds": {0: ["4S 5S 6S"], 1: ["5H JK(=6H) 7H"]}, "opened": [0]}
    taken = after(fisca(phase=Phase.DRAW, hands=["2H 9D KC"], pile="3D 7S", **fields), TAKE_PILE)
    assert names(applied(taken, TIME_OUT_TURN).events)[1:3] == ["LaidOff", "Discarded"]
    owed = after(scala(hands=["6H 9D KC"], **fields), swap(2, "6H"))
    assert names(applied(owed, TIME_OUT_TURN).events)[1:3] == ["LaidOff", "Discarded"]


# --- turns ------------------------------------------------------------------------------------------------------------


def test_turns_skip_who_is_out() -> None:
    """The turn goes clockwise to the next player who is in the match."""
    state = scala(hands=["2H 3D", "", "", ""], out=(False, True, True, False))
    assert after(state, drop("2H")).seat == 3


def test_the_first_round_ends_when_everyone_who_is_in_has_had_a_turn() -> None:
    """With one of four players out three turns are a round."""
    fields = {"hands": ["9S"], "out": (False, False, False, True), "opened": [0]}
    assert refused(fisca(**fields, turns_taken=2), drop("9S")) == [Reason.CLOSE_IN_FIRST_ROUND]
    assert after(fisca(**fields, turns_taken=3), drop("9S")).deal_end is DealEnd.CLOSED


# --- a real table -----------------------------------------------------------------------------------------------------


def sides(*hands: str) -> list[TableSide]:
    return [TableSide((), (hand(cards),)) for cards in hands]


def test_counting_a_real_table() -> None:
    """The closer is charged nothing, the others the cards in hand, twice where it was closed in hand."""
    sheet = SCALA_40_GAME.count_table(SCALA_40, sides("", "KH AS", "JK", "2H"), 0, False)
    assert (sheet.deal_points, sheet.closed_by_side) == ((0, 21, 25, 2), 0)
    assert SCALA_40_GAME.count_table(SCALA_40, sides("", "KH"), 0, True).deal_points == (0, 35)
    assert SCALA_40_GAME.count_table(SCALA_40_FISCA, sides("", "KH"), 0, True).deal_points == (0, 20)
    plain = with_options(RAMINO, in_mano_bonus=ClosingInHand.NONE)
    assert RAMINO_GAME.count_table(plain, sides("", "KH AS"), 0, True).deal_points == (0, 11)
    void = RAMINO_GAME.count_table(RAMINO, sides("2H", "KH"), NOBODY, True)
    assert (void.deal_points, void.deal_end) == ((0, 0), DealEnd.VOID)


def test_whoever_closed_at_a_real_table_has_no_cards() -> None:
    """Cards in the closer's hand are refused, with side and field."""
    with pytest.raises(TableFault) as raised:
        RAMINO_GAME.count_table(RAMINO, sides("KH", "2D"), 1, False)
    assert (raised.value.side, raised.value.field, raised.value.reason) == (1, "hands", Reason.CLOSE_NEEDS_DISCARD)


# --- what others may know ---------------------------------------------------------------------------------------------


def test_events_hide_hands_and_what_was_drawn() -> None:
    """A drawn card and a dealt hand are their owner's alone; a card taken from the pile is everyone's."""
    state = new_match(SCALA_40, dealer=3)
    drew = only(applied(state, DRAW_STOCK).events, Drew)
    assert redact(drew, 0, SCALA_40) == drew
    assert redact(drew, 1, SCALA_40) == drew._replace(card=0)
    (took,) = applied(state, TAKE_PILE).events
    assert redact(took, 1, SCALA_40) == took


def test_what_everyone_may_know_does_not_depend_on_hidden_cards() -> None:
    """A side's facts, the barred discard and what is open to others do not change when hidden cards are swapped."""
    state = after(scala(phase=Phase.DRAW, hands=["2H 9D KC", "3H 4H"], pile="3D 7S", stock="8S 9S"), TAKE_PILE)
    swapped = state._replace(
        hands=(state.hands[0], hand("8S 9S"), *state.hands[2:]), stock=parse("3H 4H") + state.stock[2:]
    )

    for seat in range(4):
        assert SCALA_40_GAME.side_facts(state, seat) == SCALA_40_GAME.side_facts(swapped, seat)
        assert listed(state, seat) == listed(swapped, seat)
    assert SCALA_40_GAME.barred_discard(state) == SCALA_40_GAME.barred_discard(swapped)


# --- states that somebody hands in ------------------------------------------------------------------------------------

BROKEN = [
    ({"laid": (False,)}, "laid_seats", DefectReason.DEFECT_LENGTH),
    ({"points": (-1, 0, 0, 0)}, "sides[0].match_points", DefectReason.DEFECT_SCORES),
    ({"reentries": (1, 0, 0, 0)}, "reentries[0]", DefectReason.DEFECT_FOREIGN),
    ({"points": (101, 0, 0, 0)}, "sides[0].match_points", DefectReason.DEFECT_SCORES),
    ({"out": (True, False, False, False)}, "turn", DefectReason.DEFECT_SEATS),
    ({"out": (False, False, True, False)}, "hands[2]", DefectReason.DEFECT_CARDS),
    ({"turn": Turn()}, "turn_state", DefectReason.DEFECT_TURN),
    ({"turn": Turn(taken=card("2H"), must_meld=card("2S"))}, "turn_state.must_meld", DefectReason.DEFECT_FOREIGN),
    ({"turn": Turn(taken=card("2S"))}, "turn_state.taken", DefectReason.DEFECT_TURN),
    ({"turn": Turn(drawn=card("2H"), taken=card("2H"))}, "turn_state.taken", DefectReason.DEFECT_TURN),
    (
        {"turn": Turn(drawn=card("2H"), melded=True, laid_off=True, jokers_owed=1)},
        "turn_state.jokers_owed",
        DefectReason.DEFECT_TURN,
    ),
    ({"turn": Turn(drawn=card("2H"), opening=5)}, "turn_state.opening_points", DefectReason.DEFECT_TURN),
    (
        {"turn": Turn(drawn=card("2H"), melded=True, laid_off=True)},
        "turn_state.laid_off",
        DefectReason.DEFECT_TURN,
    ),
    ({"turn": Turn(drawn=card("2H"), melded=True)}, "turn_state.melded", DefectReason.DEFECT_TURN),
    ({"phase": Phase.DRAW, "turn": Turn(drawn=card("2H"))}, "turn_state.drawn", DefectReason.DEFECT_TURN),
    ({"phase": Phase.DRAW, "turn": Turn(), "stock": b""}, "stock", DefectReason.DEFECT_CARDS),
    ({"phase": Phase.DRAW, "turn": Turn(), "discard": b""}, "discard", DefectReason.DEFECT_CARDS),
    (
        {"phase": Phase.DEAL_OVER, "deal_end": DealEnd.VOID, "out": (True, True, True, False)},
        "out_seats",
        DefectReason.DEFECT_SEATS,
    ),
]


@pytest.mark.parametrize(("fields", "field", "reason"), BROKEN)
def test_a_state_that_does_not_hold_together(fields: dict[str, Any], field: str, reason: DefectReason) -> None:
    """The audit names what is wrong."""
    state = scala(hands=["2H 9D KC"], pile="3D 7S")
    assert not list(audit(state))
    assert (field, reason) in [(found.field, found.reason) for found in audit(state._replace(**fields))]


def test_a_turn_that_is_stuck() -> None:
    """Melds that open with too few points, and nothing left to lay, leave no move at all."""
    state = scala(hands=["2H 9D KC"], melds={0: ["3H 4H 5H"]}, turn=Turn(drawn=card("2H"), melded=True, opening=12))
    assert [(found.field, found.reason) for found in audit(state)] == [("hands[0]", DefectReason.DEFECT_CARDS)]


def test_a_match_may_leave_one_player() -> None:
    """SC-22: the match is over when all others are out, and only then may one alone be in it."""
    fields = {
        "out": (False, True, True, True),
        "points": (50, 101, 102, 103),
        "result": Result(MatchEnd.LAST_PLAYER, (0,)),
    }
    state = scala(hands=["2H 9D KC"])._replace(closed_by=0, deal_end=DealEnd.CLOSED, **fields)  # type: ignore[arg-type]

    over = state._replace(phase=Phase.MATCH_OVER, result=Result(MatchEnd.LAST_PLAYER, (0,)))
    assert "out_seats" not in {found.top for found in SCALA_40_GAME.audit(over, frozenset())}
    assert "out_seats" in {
        found.top for found in SCALA_40_GAME.audit(state._replace(phase=Phase.DEAL_OVER), frozenset())
    }


@pytest.mark.parametrize("words", ["KS KH KH", "4S 6S 7S", "AS 2S 3S", "4S 5S 6S JK JK"])
def test_a_meld_that_is_none(words: str) -> None:
    """A meld of a state has to be one that these rules let lie so."""
    state = scala(hands=["2H 9D KC"])
    wrong = scala(hands=["2H 9D KC"], melds={0: ["9S 9H 9C"]}).melds[0]._replace(cards=parse(words))
    found = list(audit(state._replace(melds=(wrong,))))
    assert ("melds[0]", DefectReason.DEFECT_MELD) in [(each.field, each.reason) for each in found]
