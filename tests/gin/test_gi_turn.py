"""GI-1 to GI-6 and GI-12: the deal, the up-card, the turn, the melds, the end of the stock."""

import pytest

from service.rules.cards import ACE, PACK, rank_of, text
from service.rules.events import (
    DealEnded,
    Dealt,
    Discarded,
    Drew,
    StockRenewed,
    TookPile,
    TurnStarted,
    TurnTimedOut,
    UpcardPassed,
)
from service.rules.gin.deadwood import VALUES, is_meld, least_deadwood, plane_of, points
from service.rules.gin.dealing import deal_from
from service.rules.gin.finish import MOST_RENEWALS
from service.rules.gin.game import GIN_GAME
from service.rules.gin.options import GIN
from service.rules.moves import (
    CALL_TIME,
    DECLARE_STALEMATE,
    DRAW_STOCK,
    NEXT_DEAL,
    PASS_UPCARD,
    RESIGN,
    TAKE_PILE,
    TIME_OUT_TURN,
    LayMeld,
    LayOff,
    Move,
    MoveKind,
    ReplaceWild,
)
from service.rules.options import StockExhausted
from service.rules.reasons import Reason
from service.rules.state import NOBODY, DealEnd, MatchEnd, Phase, Result, State, Turn
from tests.gin.words import after, applied, begin, card, drop, faults, held, is_accepted, knock, names, refused, table
from tests.gin.words import rules as with_options

RENEWING = with_options(stock_exhausted=StockExhausted.RESHUFFLE)


def offered(**fields: object) -> State:
    """Seat 0, who did not deal, is offered QD."""
    return table("4S 9H KD", "5C", pile="QD", phase=Phase.UPCARD, **fields)  # type: ignore[arg-type]


def to_draw(**fields: object) -> State:
    """Seat 0 is to draw or take QD."""
    return table("4S 9H KD", "5C", pile="8H QD", stock="JS", phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


# --- GI-1 to GI-3: cards ----------------------------------------------------------------------------------------------


def test_gi_1_one_pack_two_players_ten_cards() -> None:
    """52 cards, ten for each of two players, one turned up, the rest the stock."""
    state, events, _ = begin()

    assert [hand.size for hand in state.hands] == [10, 10]
    assert (len(state.stock), len(state.discard)) == (31, 1)
    assert sorted(b"".join((*(hand.cards() for hand in state.hands), state.stock, state.discard))) == sorted(PACK)
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    assert (dealt.cut, dealt.hand_counts, dealt.stock_count) == (0, (10, 10), 31)
    assert events[1:] == (TurnStarted(0),)


def test_gi_1_cards_are_dealt_one_at_a_time_to_the_non_dealer_first() -> None:
    """From the top of the shuffled deck the non-dealer gets the first card, the dealer the second, and so on."""
    dealt = deal_from(PACK, dealer=0)

    assert dealt.hands == (PACK[1:20:2], PACK[0:20:2])
    assert (dealt.upcard, dealt.stock) == (PACK[20], PACK[21:])


def test_gi_2_exactly_two_play() -> None:
    """Gin is for two, each for himself; the number of players is no option."""
    assert GIN.players == 2
    assert GIN_GAME.sides(GIN) == 2
    assert "players" not in [option.key for option in GIN_GAME.options]


def test_gi_3_deadwood_values() -> None:
    """Ace 1, two to nine their number, ten to king 10; the whole pack is 340."""
    assert [VALUES[card(word)] for word in ("AS", "2H", "9D", "10C", "JS", "QH", "KD")] == [1, 2, 9, 10, 10, 10, 10]
    assert points(plane_of(PACK)) == 340


def test_gi_3_the_ace_is_low_only() -> None:
    """A 2 3 is a sequence, Q K A is none."""
    assert is_meld(plane_of([card("AS"), card("2S"), card("3S")]))
    assert not is_meld(plane_of([card("QS"), card("KS"), card("AS")]))


# --- GI-4: the up-card ------------------------------------------------------------------------------------------------


def test_gi_4_the_non_dealer_may_take_the_upcard() -> None:
    """The non-dealer is asked first; if he takes the up-card, he plays on with it."""
    outcome = applied(offered(), TAKE_PILE)

    assert outcome.events == (TookPile(0, bytes([card("QD")]), 1),)
    assert held(outcome.state, 0) == "4S 9H QD KD"
    assert (outcome.state.phase, outcome.state.seat, outcome.state.passes) == (Phase.PLAY, 0, 0)
    assert outcome.state.discard == b""


def test_gi_4_then_the_dealer_may() -> None:
    """If the non-dealer passes, the dealer may take it; then the turns go on from him."""
    passed = applied(offered(), PASS_UPCARD)
    assert passed.events == (UpcardPassed(0), TurnStarted(1))
    assert (passed.state.phase, passed.state.seat, passed.state.passes) == (Phase.UPCARD, 1, 1)
    assert not passed.revealed

    taken = after(passed.state, TAKE_PILE)
    assert held(taken, 1) == "QD 5C"
    assert (taken.phase, taken.seat, taken.passes) == (Phase.PLAY, 1, 0)
    assert after(taken, drop("5C")).seat == 0


def test_gi_4_both_pass_and_the_non_dealer_draws_from_the_stock() -> None:
    """If both pass, it is the non-dealer's turn, and he has to draw from the stock."""
    outcome = applied(after(offered(), PASS_UPCARD), PASS_UPCARD)

    assert outcome.events == (UpcardPassed(1), TurnStarted(0))
    assert (outcome.state.phase, outcome.state.seat, outcome.state.passes) == (Phase.DRAW, 0, 2)
    assert refused(outcome.state, TAKE_PILE) == [Reason.UPCARD_WAS_PASSED]
    assert after(outcome.state, DRAW_STOCK).passes == 0


def test_gi_4_nobody_draws_before_the_upcard_is_passed() -> None:
    """While the up-card is offered it is taken or passed, and nothing else."""
    for state in (offered(), after(offered(), PASS_UPCARD)):
        assert refused(state, DRAW_STOCK) == [Reason.UPCARD_OFFERED]
        held_card = state.hands[state.seat].cards()[0]
        assert refused(state, drop(text(held_card))) == [Reason.MUST_DRAW_FIRST]
        assert GIN_GAME.open_kinds(state, state.seat) == (MoveKind.TAKE_PILE, MoveKind.PASS_UPCARD, MoveKind.RESIGN)


@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.PLAY])
def test_gi_4_only_the_first_upcard_is_passed(phase: Phase) -> None:
    """Later in the deal there is nothing to pass."""
    assert refused(table(phase=phase), PASS_UPCARD) == [Reason.NO_UPCARD_TO_PASS]


# --- GI-5: the turn ---------------------------------------------------------------------------------------------------


def test_gi_5_draw_from_the_stock() -> None:
    """A turn begins with the top card of the stock, which the drawer sees for the first time."""
    outcome = applied(to_draw(), DRAW_STOCK)

    assert outcome.events == (Drew(0, card("JS"), len(outcome.state.stock)),)
    assert held(outcome.state, 0) == "4S JS 9H KD"
    assert outcome.state.turn == Turn(drawn=card("JS"))
    assert outcome.revealed


def test_gi_5_or_take_the_top_discard_alone() -> None:
    """Or with the top card of the pile; those below stay."""
    outcome = applied(to_draw(), TAKE_PILE)

    assert outcome.events == (TookPile(0, bytes([card("QD")]), 1),)
    assert held(outcome.state, 0) == "4S 9H QD KD"
    assert outcome.state.discard == bytes([card("8H")])
    assert outcome.state.turn == Turn(taken=card("QD"))
    assert not outcome.revealed


@pytest.mark.parametrize("first", [DRAW_STOCK, TAKE_PILE])
@pytest.mark.parametrize("second", [DRAW_STOCK, TAKE_PILE])
def test_gi_5_draw_once(first: Move, second: Move) -> None:
    """A player draws once in a turn."""
    assert refused(after(to_draw(), first), second) == [Reason.ALREADY_DRAWN]


def test_gi_5_one_discard_ends_the_turn() -> None:
    """A discard, of any card of the hand, ends the turn."""
    outcome = applied(after(to_draw(), DRAW_STOCK), drop("JS"))

    assert outcome.events == (Discarded(0, card("JS")), TurnStarted(1))
    assert outcome.state.discard[-1] == card("JS")
    assert (outcome.state.phase, outcome.state.seat, outcome.state.turn) == (Phase.DRAW, 1, Turn())
    assert not outcome.revealed
    assert refused(to_draw(), drop("KD")) == [Reason.MUST_DRAW_FIRST]
    assert refused(after(to_draw(), DRAW_STOCK), drop("5C")) == [Reason.CARD_NOT_IN_HAND]


def test_gi_5_not_the_card_just_taken() -> None:
    """The card taken from the pile may not go back in the same turn, knocking or not; everyone knows which it is."""
    state = after(to_draw(), TAKE_PILE)

    assert refused(state, drop("QD")) == [Reason.DISCARD_WAS_TAKEN]
    assert GIN_GAME.barred_discard(state) == card("QD")
    assert card("QD") not in GIN_GAME.legal_moves(state, 0, 100).discards
    assert GIN_GAME.barred_discard(after(state, drop("KD"))) == 0


@pytest.mark.parametrize(
    "move",
    [LayMeld(b"\x01\x02\x03"), LayOff(1, b"\x04"), ReplaceWild(1, 5), DECLARE_STALEMATE, CALL_TIME],
    ids=lambda move: move.kind.name,
)
def test_gi_5_no_meld_is_shown_before_the_end(move: Move) -> None:
    """Melding, laying off and what else other games know are no moves of Gin."""
    (fault,) = faults(table(), move)
    assert (fault.reason, dict(fault.arguments)) == (Reason.MOVE_NOT_IN_GAME, {"game": "Gin"})


def test_out_of_turn_nothing_else_is_told() -> None:
    """Whoever is not to move is told that, whatever else is wrong; resigning is always open."""
    state = to_draw()
    for move in (DRAW_STOCK, TAKE_PILE, PASS_UPCARD, TIME_OUT_TURN, drop("AS"), knock("AS", "2S 3S 4S"), knock("")):
        assert refused(state, move, seat=1) == [Reason.NOT_YOUR_TURN]
    assert GIN_GAME.open_kinds(state, 1) == (MoveKind.RESIGN,)


# --- GI-6: melds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["7S 7H 7D", "7S 7H 7D 7C", "4S 5S 6S", "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"])
def test_gi_6_sets_of_three_or_four_and_sequences_of_three_or_more(cards: str) -> None:
    """Three or four of a rank, or three and more of a suit in a row."""
    assert is_meld(plane_of([card(word) for word in cards.split()]))


@pytest.mark.parametrize("cards", ["7S 7H", "4S 5S", "4S 5S 6H", "4S 5S 7S", "KS AS 2S", "9S 10S JS KS"])
def test_gi_6_nothing_else_is_a_meld(cards: str) -> None:
    """Two cards, mixed suits, gaps and sequences round the corner are none."""
    assert not is_meld(plane_of([card(word) for word in cards.split()]))


def test_gi_6_a_card_is_in_one_meld_only() -> None:
    """7S helps the set or the sequence, not both: deadwood is the minimum over the arrangements."""
    assert least_deadwood(plane_of([card(word) for word in ["7S", "7H", "7D", "8S", "9S"]])) == 14


# --- GI-12: the end of the stock --------------------------------------------------------------------------------------


def last_draw(**fields: object) -> State:
    """Seat 0 draws the card that leaves two in the stock."""
    return table("4S 9H KD", "5C", stock_count=3, phase=Phase.DRAW, **fields)  # type: ignore[arg-type]


def test_gi_12_two_cards_left_and_no_knock_make_the_deal_void() -> None:
    """The discard after which two cards are in the stock ends the deal; nothing is counted, no hand is shown."""
    state = after(last_draw(points=(30, 20), won=(1, 1)), DRAW_STOCK)
    assert state.turn.last
    outcome = applied(state, drop("KD"))

    assert outcome.events == (Discarded(0, card("KD")), DealEnded(DealEnd.VOID, ()))
    assert (outcome.state.phase, outcome.state.deal_end) == (Phase.DEAL_OVER, DealEnd.VOID)
    assert (outcome.state.points, outcome.state.deals_won, outcome.state.deals_scored) == ((30, 20), (1, 1), 2)
    assert GIN_GAME.sheet(outcome.state) is None
    assert outcome.revealed


def test_gi_12_the_same_dealer_deals_again() -> None:
    """After a void deal the dealer stays."""
    for dealer in (0, 1):
        state = after(last_draw(dealer=dealer), DRAW_STOCK, drop("KD"), NEXT_DEAL)
        assert (state.dealer, state.seat, state.phase, state.deal_number) == (dealer, 1 - dealer, Phase.UPCARD, 2)


def test_gi_12_a_knock_comes_before_it() -> None:
    """Whoever draws that card may still knock; with three cards left the deal goes on."""
    state = after(table("4S 5S 6S", "5C", stock="KD", stock_count=3, phase=Phase.DRAW), DRAW_STOCK)
    assert after(state, knock("KD")).deal_end is DealEnd.GIN
    assert after(last_draw(), TAKE_PILE, drop("KD")).phase is Phase.DRAW


def test_gi_12_the_stock_may_be_renewed_instead() -> None:
    """With `stock_exhausted` RESHUFFLE the pile but its top card is shuffled and becomes the stock (RA-12)."""
    state = table("4S 9H KD", "5C", stock="JS", stock_count=1, pile="2S 3S 8H", phase=Phase.DRAW, options=RENEWING)
    drawn = after(state, DRAW_STOCK)
    assert not drawn.turn.last
    outcome = applied(drawn, drop("KD"))

    assert outcome.events == (Discarded(0, card("KD")), StockRenewed(3), TurnStarted(1))
    assert sorted(outcome.state.stock) == sorted([card("2S"), card("3S"), card("8H")])
    assert (outcome.state.discard, outcome.state.renewals) == (bytes([card("KD")]), 1)
    assert is_accepted(outcome.state, DRAW_STOCK)
    again = applied(drawn._replace(renewals=1), drop("KD")).state
    assert again.renewals == 2


def test_gi_12_a_deal_that_is_renewed_ends_all_the_same() -> None:
    """A stock that was renewed often enough is not renewed once more."""
    state = table("4S 9H KD", "5C", stock="JS", stock_count=1, pile="2S 3S 8H", phase=Phase.DRAW, options=RENEWING)
    state = after(state._replace(renewals=MOST_RENEWALS), DRAW_STOCK, drop("KD"))
    assert state.deal_end is DealEnd.VOID


# --- time-outs and resignations ---------------------------------------------------------------------------------------


def test_a_timed_out_turn_passes_the_upcard() -> None:
    """An absent player does not take the up-card."""
    assert applied(offered(), TIME_OUT_TURN).events == (TurnTimedOut(0), UpcardPassed(0), TurnStarted(1))
    both = after(offered(), TIME_OUT_TURN, TIME_OUT_TURN)
    assert (both.phase, both.passes) == (Phase.DRAW, 2)


def test_a_timed_out_turn_draws_and_discards_what_helps_least() -> None:
    """He draws from the stock and discards the card without which the deadwood is least."""
    state = table("4S 5S 9H KD", "5C", stock="6S", phase=Phase.DRAW)
    outcome = applied(state, TIME_OUT_TURN)

    assert names(outcome.events) == ["TurnTimedOut", "Drew", "Discarded", "TurnStarted"]
    assert held(outcome.state, 0) == "4S 5S 6S 9H"
    assert outcome.revealed


def test_a_timed_out_turn_never_knocks_and_obeys_the_rules() -> None:
    """Even with gin in hand he discards; of equal cards the lowest number; not the card just taken."""
    state = table("4S 5S 6S KH KD", "5C")
    outcome = applied(state, TIME_OUT_TURN)
    assert outcome.events == (TurnTimedOut(0), Discarded(0, card("KH")), TurnStarted(1))
    taken = table("4S 5S 6S KH KD", "5C", turn=Turn(taken=card("KH")))
    assert held(after(taken, TIME_OUT_TURN), 0) == "4S 5S 6S KH"


@pytest.mark.parametrize("phase", [Phase.UPCARD, Phase.DRAW, Phase.PLAY])
@pytest.mark.parametrize("seat", [0, 1])
def test_resign_at_any_time(phase: Phase, seat: int) -> None:
    """Whoever resigns loses the match, whoever is to move; the deal is not counted, and there is no bonus."""
    outcome = applied(table(phase=phase, points=(90, 20), won=(2, 1)), RESIGN, seat)

    assert names(outcome.events) == ["Resigned", "DealEnded", "MatchEnded"]
    assert outcome.state.result == Result(MatchEnd.RESIGNED, (1 - seat,))
    assert (outcome.state.points, outcome.state.deal_end, outcome.state.phase) == (
        (90, 20),
        DealEnd.RESIGNED,
        Phase.MATCH_OVER,
    )
    assert outcome.state.closed_by == NOBODY
    assert refused(outcome.state, DRAW_STOCK) == [Reason.MATCH_OVER]


def test_the_first_upcard_of_a_seed_is_the_one_dealt() -> None:
    """The helper of these tests deals as the service does."""
    state = begin(seed=5).state
    assert table(upcard=text(state.discard[0])).deal_number == 1
    assert rank_of(card("AS")) == ACE
