"""Moves that are no play of cards: time-outs, time, resigning, the next deal, stalemate."""

import pytest

from service.rules.events import (
    DealEnded,
    Discarded,
    Drew,
    MatchEnded,
    PozzettoSeen,
    Resigned,
    StalemateDeclared,
    TimeCalled,
    TookPile,
    TookPozzetto,
    TurnStarted,
    TurnTimedOut,
)
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
    ReplaceWild,
)
from service.rules.options import BurracoRules, DiscardVisible, PileTake, StockEnd
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.state import NOBODY, DealEnd, MatchEnd, Phase, Result, State
from tests.rules.words import (
    CLEAN_BURRACO,
    add,
    after,
    applied,
    card,
    drop,
    faults,
    held,
    holds,
    is_accepted,
    lay,
    names,
    on_table,
    only,
    ready_to_close,
    refused,
)
from tests.support.tables import rules, table

USABLE = rules(pile_take=PileTake.TOP_CARD_USABLE, stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE)


def swapping(options: BurracoRules = ITALIAN) -> State:
    """A pile of one card; each seat holds two others."""
    return table(
        hands=["4C 9H", "5C 10H", "6C JH", "7C QH"], pile="3C", phase=Phase.DRAW, options=options, stock_count=30
    )


def swap(state: State) -> State:
    """Let the seat to move take the one card of the pile and discard another."""
    other = held(state, state.seat).split()[-1]
    return after(state, TAKE_PILE, drop(other))


def draw_and_drop(state: State) -> State:
    """Let the seat to move draw and discard the first card that it held."""
    first = held(state, state.seat).split()[0]
    return after(state, DRAW_STOCK, drop(first))


def times(play: object, state: State, turns: int) -> State:
    """Play several turns the same way."""
    for _ in range(turns):
        state = play(state)  # type: ignore[operator]
    return state


# --- TimeOutTurn ------------------------------------------------------------------------------------------------------


def test_time_out_draws_and_discards_the_cheapest() -> None:
    """An absent player's turn is completed: he draws from the stock and discards the card of least value."""
    state = table(hands=["KD AH 8S 3C"], stock="QD", stock_count=20, phase=Phase.DRAW)
    outcome = applied(state, TIME_OUT_TURN)

    assert outcome.events == (
        TurnTimedOut(0),
        Drew(0, card("QD"), 19),
        Discarded(0, card("3C")),
        TurnStarted(1),
    )
    assert holds(outcome.state, 0, "KD AH 8S QD")


def test_time_out_breaks_ties_by_the_card_number() -> None:
    """Among cards of equal value the one of the lowest number goes: spades before hearts, lower ranks first."""
    state = table(hands=["7S 3C 5H KD"], stock="QD", stock_count=20, phase=Phase.DRAW)

    assert only(applied(state, TIME_OUT_TURN).events, Discarded).card == card("7S")


def test_time_out_keeps_wilds() -> None:
    """Naturals go before wilds, though an ace counts 15."""
    state = table(hands=["2D AH JK"], stock="2S", stock_count=20, phase=Phase.DRAW)

    assert only(applied(state, TIME_OUT_TURN).events, Discarded).card == card("AH")
    only_wilds = table(hands=["2D JK"], stock="2S", stock_count=20, phase=Phase.DRAW)
    assert only(applied(only_wilds, TIME_OUT_TURN).events, Discarded).card == card("2S")


def test_time_out_after_the_draw() -> None:
    """After the draw only the discard is made."""
    state = table(hands=["KD AH 5S"], phase=Phase.PLAY)

    assert names(applied(state, TIME_OUT_TURN).events) == ["TurnTimedOut", "Discarded", "TurnStarted"]


def test_time_out_melds_nothing() -> None:
    """What could be melded stays in hand."""
    state = table(hands=["7S 8S 9S 10S"], stock="JS", stock_count=20, phase=Phase.DRAW)

    assert on_table(applied(state, TIME_OUT_TURN).state) == []


def test_time_out_discards_only_what_is_legal() -> None:
    """The card that was the whole pile stays, though it is the cheapest."""
    state = after(table(hands=["KD QH"], pile="3C", phase=Phase.DRAW), TAKE_PILE)

    assert only(applied(state, TIME_OUT_TURN).events, Discarded).card == card("QH")


def test_time_out_may_lead_to_the_pozzetto() -> None:
    """The discard may take the pozzetto, and may close."""
    last = applied(table(hands=["KD"]), TIME_OUT_TURN)
    closing = applied(ready_to_close(), TIME_OUT_TURN)

    assert only(last.events, TookPozzetto) == TookPozzetto(0, False, 11, b"")
    assert closing.state.deal_end is DealEnd.CLOSED


def test_time_out_takes_the_pile_where_the_stock_is_empty() -> None:
    """Where the stock may not be drawn the pile is taken, and what the rules oblige to is melded."""
    state = table(hands=["7C 9C KD QH"], pile="3S 8C", stock="", phase=Phase.DRAW, options=USABLE)
    outcome = applied(state, TIME_OUT_TURN)

    assert only(outcome.events, TookPile).size == 2
    assert on_table(outcome.state) == ["7C 8C 9C"]
    assert only(outcome.events, Discarded).card == card("3S")


def test_time_out_meets_the_obligation_of_a_taken_pile() -> None:
    """A player who took the pile and left has its top card melded for him."""
    state = after(
        table(hands=["7C 9C KD QH"], pile="3S 8C", phase=Phase.DRAW, options=rules(pile_take=PileTake.MUST_MELD)),
        TAKE_PILE,
    )
    outcome = applied(state, TIME_OUT_TURN)

    assert on_table(outcome.state) == ["7C 8C 9C"]
    assert only(outcome.events, Discarded).card == card("3S")


def test_time_out_may_end_the_deal() -> None:
    """If the draw ends the deal the turn ends with it."""
    state = table(hands=["KD 3S"], stock="9H 3D 4D", phase=Phase.DRAW)
    outcome = applied(state, TIME_OUT_TURN)

    assert names(outcome.events) == ["TurnTimedOut", "Drew", "DealEnded", "DealScored"]


def test_time_out_shows_an_unseen_pozzetto() -> None:
    """A timed-out partner's discard lets the owner look at his pozzetto like any other discard."""
    state = table(hands=["KD"], stock_count=20)
    state = after(state, drop("KD"), TIME_OUT_TURN)

    assert only(applied(state, TIME_OUT_TURN).events, PozzettoSeen).seat == 0


def test_time_out_is_of_the_seat_to_move() -> None:
    """Only the turn of the seat to move is completed."""
    (fault,) = faults(swapping(), TIME_OUT_TURN, seat=2)

    assert fault.reason is Reason.NOT_YOUR_TURN
    assert dict(fault.arguments) == {"turn": "0"}


def test_time_out_needs_a_turn() -> None:
    """Between deals, and after the match, there is no turn to complete."""
    assert refused(after(ready_to_close(), drop("9C")), TIME_OUT_TURN) == [Reason.DEAL_OVER]
    assert refused(after(swapping(), RESIGN), TIME_OUT_TURN) == [Reason.MATCH_OVER]


# --- CallTime ---------------------------------------------------------------------------------------------------------


def test_call_time_before_a_draw() -> None:
    """Called before a draw, four more turns are played, the one about to begin included."""
    state = after(swapping(), CALL_TIME)

    assert times(draw_and_drop, state, 3).deal_end is DealEnd.NOT_ENDED
    ended = times(draw_and_drop, state, 4)
    assert (ended.deal_end, ended.closed_by, ended.deals_scored) == (DealEnd.TIME, NOBODY, 1)


def test_call_time_within_a_turn() -> None:
    """Called within a turn, that turn is finished and four more are played: everyone has one."""
    outcome = applied(after(swapping(), DRAW_STOCK), CALL_TIME)
    state = after(outcome.state, drop("4C"))

    assert outcome.events == (TimeCalled(0, 5),)  # this turn and four more
    assert times(draw_and_drop, state, 3).deal_end is DealEnd.NOT_ENDED
    assert times(draw_and_drop, state, 4).deal_end is DealEnd.TIME


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_call_time_does_not_wait_for_a_turn(seat: int) -> None:
    """Time may be called while any seat is to move, in any seat's name; the turn stays where it is."""
    outcome = applied(swapping(), CALL_TIME, seat)

    assert outcome.events == (TimeCalled(seat, 4),)
    assert outcome.state.seat == 0
    assert outcome.state.turns_left == 4


def test_call_time_once_a_deal() -> None:
    """Time is called once in a deal."""
    state = after(swapping(), CALL_TIME)

    assert refused(state, CALL_TIME) == [Reason.TIME_ALREADY_CALLED]
    assert refused(draw_and_drop(state), CALL_TIME) == [Reason.TIME_ALREADY_CALLED]
    assert is_accepted(after(times(draw_and_drop, state, 4), NEXT_DEAL), CALL_TIME)


def test_call_time_between_deals() -> None:
    """Between deals there is nothing to time."""
    assert refused(after(ready_to_close(), drop("9C")), CALL_TIME) == [Reason.DEAL_OVER]


def test_call_time_the_stock_may_end_the_deal_before() -> None:
    """If the stock runs out in the last round, that ends the deal."""
    state = table(hands=["4C 9H", "5C 10H", "6C JH", "7C QH"], stock_count=4, phase=Phase.DRAW, options=FIBUR)
    state = times(draw_and_drop, after(state, CALL_TIME), 2)

    assert state.deal_end is DealEnd.STOCK


# --- Resign -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "winner"), [(0, 1), (1, 0), (2, 1), (3, 0)])
def test_resign_ends_the_match_for_the_other_side(seat: int, winner: int) -> None:
    """Any seat may give up at any time; the other side wins, and the deal in progress is not counted."""
    outcome = applied(swapping(), RESIGN, seat)

    assert names(outcome.events) == ["Resigned", "DealEnded", "MatchEnded"]
    assert outcome.events[0] == Resigned(seat)
    assert only(outcome.events, DealEnded).deal_end is DealEnd.RESIGNED
    assert outcome.state.result == Result(MatchEnd.RESIGNED, (winner,))
    assert outcome.state.deals_scored == 0
    assert outcome.state.phase is Phase.MATCH_OVER


def test_resign_keeps_the_match_points() -> None:
    """The match points stay as they were: a leader who gives up loses all the same."""
    state = table(points=(1500, 200), phase=Phase.DRAW)
    outcome = applied(state, RESIGN, 0)

    assert only(outcome.events, MatchEnded) == MatchEnded(Result(MatchEnd.RESIGNED, (1,)), (1500, 200))


def test_resign_between_deals() -> None:
    """Between deals one may give up too; the deal that was counted stays counted."""
    outcome = applied(after(ready_to_close(), drop("9C")), RESIGN, 3)

    assert names(outcome.events) == ["Resigned", "MatchEnded"]
    assert outcome.state.result == Result(MatchEnd.RESIGNED, (0,))
    assert (outcome.state.points, outcome.state.deal_end) == ((340, -120), DealEnd.CLOSED)


def test_resign_once() -> None:
    """After the match there is nothing to give up."""
    assert refused(after(swapping(), RESIGN), RESIGN, seat=1) == [Reason.MATCH_OVER]


# --- NextDeal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_next_deal_after_a_counted_deal(seat: int) -> None:
    """After a deal any seat may have the next one dealt: all is fresh but points, seats and rules."""
    over = after(ready_to_close(dealer=3), drop("9C"))
    state = applied(over, NEXT_DEAL, seat).state

    assert (state.deal_number, state.dealer, state.seat, state.phase) == (2, 0, 1, Phase.DRAW)
    assert [hand.size for hand in state.hands] == [11, 11, 11, 11]
    assert (len(state.stock), len(state.discard), len(state.pozzetti)) == (41, 1, 2)
    assert (state.melds, state.taken_by, state.unplayed) == ((), (NOBODY, NOBODY), (False, False))
    assert (state.next_meld_id, state.unseen) == (1, (False, False, False, False))
    assert (state.deal_end, state.closed_by, state.turns_left, state.stalemate_turns) == (
        DealEnd.NOT_ENDED,
        NOBODY,
        NOBODY,
        0,
    )
    assert state.points == (340, -120)


def test_next_deal_hides_and_shows_as_the_first() -> None:
    """A pozzetto that nobody had looked at when the deal ended leaves no trace in the next one."""
    state = table(
        hands=["4C 9C", "KD", "9H QH", "QD"],
        melds={0: [CLEAN_BURRACO, "6H 7H 8H"]},
        taken_by=(0, NOBODY),
        seat=1,
        stock="10H",
        stock_count=20,
    )
    over = after(state, drop("KD"), DRAW_STOCK, add(2, "9H 10H"), drop("QH"))

    assert over.deal_end is DealEnd.CLOSED
    assert after(over, NEXT_DEAL).unseen == (False, False, False, False)


def test_next_deal_is_shuffled_anew() -> None:
    """Each deal has a shuffle of its own."""
    second = after(ready_to_close(), drop("9C"), NEXT_DEAL)
    third = after(second._replace(phase=Phase.DEAL_OVER, deal_end=DealEnd.STOCK), NEXT_DEAL)

    assert second.stock != third.stock
    assert third.deal_number == 3


def test_next_deal_not_while_cards_are_played() -> None:
    """While a deal is played there is no next one."""
    assert refused(swapping(), NEXT_DEAL) == [Reason.DEAL_NOT_OVER]
    assert refused(after(swapping(), DRAW_STOCK), NEXT_DEAL, seat=3) == [Reason.DEAL_NOT_OVER]


def test_next_deal_not_after_the_match() -> None:
    """After the match there is no next deal."""
    assert refused(after(ready_to_close(points=(1660, 0)), drop("9C")), NEXT_DEAL) == [Reason.MATCH_OVER]


@pytest.mark.parametrize("move", [DRAW_STOCK, TAKE_PILE, lay("7S 8S 9S"), add(1, "JS"), drop("9C"), DECLARE_STALEMATE])
def test_next_deal_or_resign_only(move: Move) -> None:
    """Between deals nothing but the next deal and giving up is legal."""
    assert refused(after(ready_to_close(), drop("9C")), move) == [Reason.DEAL_OVER]


# --- DeclareStalemate, and the automatic one --------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_stalemate_needs_a_full_round(turns: int) -> None:
    """A stalemate may be declared once the one-card pile has gone round: four turns."""
    (fault,) = faults(times(swap, swapping(), turns), DECLARE_STALEMATE)

    assert fault.reason is Reason.NO_STALEMATE
    assert dict(fault.arguments) == {"needed": "4", "turns": str(turns)}


@pytest.mark.parametrize("turns", [4, 5, 6, 7])
def test_stalemate_declared_after_four_turns_or_more(turns: int) -> None:
    """From the fifth turn on, whoever is to move may declare it; the deal is counted without a closing bonus."""
    state = times(swap, swapping(), turns)
    outcome = applied(state, DECLARE_STALEMATE)

    assert outcome.events[0] == StalemateDeclared(turns % 4)
    assert outcome.state.deal_end is DealEnd.STALEMATE_DECLARED
    assert (outcome.state.closed_by, outcome.state.deals_scored) == (NOBODY, 1)


def test_stalemate_is_declared_before_the_draw() -> None:
    """It is declared at the start of a turn; once the pile has been taken it is too late."""
    state = times(swap, swapping(), 4)

    assert refused(after(state, TAKE_PILE), DECLARE_STALEMATE) == [Reason.STALEMATE_AFTER_DRAW]
    assert refused(after(state, DRAW_STOCK), DECLARE_STALEMATE) == [Reason.STALEMATE_AFTER_DRAW]


def test_stalemate_is_declared_by_the_player_to_move() -> None:
    """Only the player to move may declare it."""
    assert refused(times(swap, swapping(), 4), DECLARE_STALEMATE, seat=1) == [Reason.NOT_YOUR_TURN]


def test_stalemate_by_itself_after_eight_turns() -> None:
    """After eight such turns the deal ends by itself, with the eighth discard."""
    state = times(swap, swapping(), 7)
    other = held(state, state.seat).split()[-1]
    outcome = applied(after(state, TAKE_PILE), drop(other))

    assert state.deal_end is DealEnd.NOT_ENDED
    assert names(outcome.events) == ["Discarded", "DealEnded", "DealScored"]
    assert outcome.state.deal_end is DealEnd.STALEMATE_AUTOMATIC
    assert outcome.state.deals_scored == 1


def test_stalemate_turns_are_consecutive() -> None:
    """A turn that draws, or melds, starts the count again."""
    state = swap(draw_and_drop(times(swap, swapping(), 3)))

    # The draw left two cards on the pile: taking them is no swap either.
    assert state.stalemate_turns == 0
    state = times(swap, state, 1)
    assert state.stalemate_turns == 1


def test_stalemate_a_time_out_draws() -> None:
    """A turn completed for an absent player draws from the stock, so it starts the count again."""
    assert after(times(swap, swapping(), 3), TIME_OUT_TURN).stalemate_turns == 0


# --- moves of other games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [Knock(card("7S")), ReplaceWild(1, card("7S")), PASS_UPCARD])
def test_moves_of_other_games(move: Move) -> None:
    """Burraco knows no knock, no recovered joker and no pass."""
    state = table(hands=["7S 8S"], melds={0: [CLEAN_BURRACO]})
    (fault,) = faults(state, move)

    assert fault.reason is Reason.MOVE_NOT_IN_GAME
    assert dict(fault.arguments) == {"game": "Burraco"}


def test_out_of_turn_is_told_nothing_else() -> None:
    """A move out of turn is told only that, whatever else is wrong with it."""
    assert refused(swapping(), lay("KS KH"), seat=1) == [Reason.NOT_YOUR_TURN]
    assert refused(swapping(), drop("AS"), seat=3) == [Reason.NOT_YOUR_TURN]
    assert refused(swapping(), DECLARE_STALEMATE, seat=2) == [Reason.NOT_YOUR_TURN]


# --- what every move does ---------------------------------------------------------------------------------------------


def test_each_move_is_one_revision() -> None:
    """Each move makes the next revision, and a new link of the chain over all moves so far."""
    state = swapping()
    one = after(state, DRAW_STOCK)
    two = after(one, drop("4C"))

    assert [s.revision for s in (state, one, two)] == [0, 1, 2]
    assert len({s.chain for s in (state, one, two, after(one, drop("9H")))}) == 4


TOP_ONLY = rules(discard_visible=DiscardVisible.TOP_ONLY)


@pytest.mark.parametrize(
    ("state", "move", "revealed"),
    [
        pytest.param(swapping(), DRAW_STOCK, True, id="a drawn card"),
        pytest.param(swapping(), TAKE_PILE, False, id="a pile that everyone sees"),
        pytest.param(swapping(TOP_ONLY), TAKE_PILE, True, id="a pile whose top alone is seen"),
        pytest.param(table(hands=["7S 8S 9S KD QD"]), lay("7S 8S 9S"), False, id="a meld"),
        pytest.param(table(hands=["7S 8S 9S"]), lay("7S 8S 9S"), True, id="a meld that takes the pozzetto"),
        pytest.param(table(hands=["9S"], melds={0: ["6S 7S 8S"]}), add(1, "9S"), True, id="a lay-off that does"),
        pytest.param(table(hands=["KD QD"]), drop("KD"), False, id="a discard"),
        pytest.param(table(hands=["KD"]), drop("KD"), False, id="a discard that takes an unseen pozzetto"),
        pytest.param(table(hands=["7S 8S 9S KD QD"], stock=""), lay("7S 8S 9S"), False, id="a meld without a stock"),
        pytest.param(table(hands=["KD QD"], stock=""), drop("KD"), True, id="a discard without a stock"),
        pytest.param(ready_to_close(), drop("9C"), True, id="a close"),
        pytest.param(swapping(), TIME_OUT_TURN, True, id="a completed turn"),
        pytest.param(swapping(), CALL_TIME, False, id="a call of time"),
        pytest.param(swapping(), RESIGN, True, id="giving up"),
        pytest.param(after(ready_to_close(), drop("9C")), NEXT_DEAL, True, id="the next deal"),
    ],
)
def test_what_a_move_reveals(state: State, move: Move, revealed: bool) -> None:
    """A move that shows its mover a hidden card, or ends the deal, says so: nothing may be known after it."""
    assert applied(state, move).revealed is revealed
