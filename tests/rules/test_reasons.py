"""Each reason for which Burraco refuses a move, produced by a tiny example, and several reasons at once."""

from typing import NamedTuple

import pytest

from service.rules.cards import texts
from service.rules.games import RefusedBatch, play_all
from service.rules.melds import MeldKind
from service.rules.moves import (
    CALL_TIME,
    DECLARE_STALEMATE,
    DRAW_STOCK,
    NEXT_DEAL,
    RESIGN,
    TAKE_PILE,
    Knock,
    Move,
)
from service.rules.options import CloseNeeds, PileTake, SetsAllowed, StockEnd
from service.rules.presets import FIBUR
from service.rules.reasons import RULE_OF, Reason
from service.rules.state import NOBODY, Phase, State
from tests.rules.words import (
    DIRTY_BURRACO,
    LONG_SPADES,
    add,
    after,
    card,
    drop,
    faults,
    lay,
    ready_to_close,
    refused,
)
from tests.support.tables import rules, table

USED = (0, NOBODY)
SEVENS = "7S 7H 7D"
RUN = "7S 8S 9S"


class Example(NamedTuple):
    """A seat's move that is refused, for one reason only where that is possible."""

    state: State
    seat: int
    moves: tuple[Move, ...]
    cards: str = ""
    """Cards that the violation names."""
    meld_id: int = 0
    arguments: tuple[tuple[str, str], ...] = ()
    others: tuple[Reason, ...] = ()
    """Reasons that always come with it."""


def example(
    state: State, move: Move, cards: str = "", meld_id: int = 0, *, seat: int = 0, **arguments: object
) -> Example:
    """Make an example of a single move."""
    return Example(state, seat, (move,), cards, meld_id, tuple((name, str(arguments[name])) for name in arguments))


def holding(hand: str, *melds: str, **more: object) -> State:
    """Seat 0 has drawn and holds these cards and two more; these are its side's melds."""
    return table(hands=[f"{hand} QD JC"], melds={0: melds}, **more)  # type: ignore[arg-type]


def facing(pile: str, hand: str, option: PileTake, *melds: str) -> State:
    """Seat 0 is to draw or take."""
    return table(hands=[hand], melds={0: melds}, pile=pile, phase=Phase.DRAW, options=rules(pile_take=option))


def deal_over() -> State:
    """Side 0 has closed."""
    return after(ready_to_close(), drop("9C"))


EXAMPLES = {
    Reason.MATCH_OVER: example(after(table(), RESIGN), DRAW_STOCK),
    Reason.DEAL_OVER: example(deal_over(), DRAW_STOCK),
    Reason.DEAL_NOT_OVER: example(table(), NEXT_DEAL),
    Reason.NOT_YOUR_TURN: example(table(seat=1), DRAW_STOCK, turn=1),
    Reason.MUST_DRAW_FIRST: example(table(hands=["KD QD"], phase=Phase.DRAW), drop("KD")),
    Reason.ALREADY_DRAWN: example(table(), DRAW_STOCK),
    Reason.MOVE_NOT_IN_GAME: example(table(), Knock(card("KD")), game="Burraco"),
    Reason.MOVE_AFTER_REVEAL: Example(
        table(hands=["KD QD"], phase=Phase.DRAW, stock_count=20), 0, (DRAW_STOCK, drop("KD"))
    ),
    Reason.CARD_NOT_IN_HAND: example(table(hands=["KD QD"]), drop("7S"), "7S"),
    Reason.STOCK_EMPTY: example(table(stock="", phase=Phase.DRAW), DRAW_STOCK),
    Reason.PILE_EMPTY: example(table(pile="", phase=Phase.DRAW), TAKE_PILE),
    Reason.PILE_BARRED_TO_ONE_CARD: example(
        table(hands=["2C"], phase=Phase.DRAW, options=rules(one_card_player_may_take_pile=False)), TAKE_PILE
    ),
    Reason.PILE_TOP_NOT_USABLE: example(facing("8C", "7C 9D", PileTake.TOP_CARD_USABLE), TAKE_PILE, "8C"),
    Reason.PILE_NEEDS_EARLIER_MELD: example(facing("8C", "7C 9C", PileTake.AFTER_MELDING), TAKE_PILE),
    Reason.PILE_NEEDS_MELD: example(facing("8C", "7C 9D", PileTake.MUST_MELD), TAKE_PILE),
    Reason.MUST_MELD_TOP_CARD: example(
        after(facing("8C", "7C 9C KD QD", PileTake.TOP_CARD_USABLE), TAKE_PILE), drop("KD"), "8C"
    ),
    Reason.MUST_MELD_FIRST: example(after(facing("3D 8C", "7C 9C KD QD", PileTake.MUST_MELD), TAKE_PILE), drop("KD")),
    Reason.TOO_FEW_CARDS: example(holding("7S 8S"), lay("7S 8S"), "7S 8S", count=2, min=3),
    # Nothing but a second wild or a second ace makes a meld too long.
    Reason.TOO_MANY_CARDS: example(
        holding("JK", "KS KS KH KH KD KD KC KC 2S"), add(1, "JK"), meld_id=1, count=10, max=9
    )._replace(others=(Reason.MELD_HAS_WILD,)),
    Reason.TOO_MANY_WILDS: example(holding("2H 2D 7S"), lay("2H 2D 7S"), "2H 2D", count=2),
    # Two naturals are missing only from too few cards, or beside too many wilds.
    Reason.NOT_ENOUGH_NATURALS: example(holding("7S JK"), lay("7S JK"), "7S JK")._replace(
        others=(Reason.TOO_FEW_CARDS,)
    ),
    Reason.NEITHER_SET_NOR_SEQUENCE: example(holding("7S 8S 9H"), lay("7S 8S 9H"), "7S 8S 9H"),
    Reason.SEQUENCE_REPEATS_RANK: example(holding("7S 7S 8S 9S"), lay("7S 7S 8S 9S"), "7S"),
    Reason.SEQUENCE_HAS_GAP: example(holding("4S 6S 8S"), lay("4S 6S 8S"), "4S 6S 8S"),
    Reason.SEQUENCE_GOES_ROUND: example(holding("KH AH 2H 3H"), lay("KH AH 2H 3H"), "AH 3H KH"),
    Reason.SET_RANK_NOT_ALLOWED: example(
        holding(SEVENS, options=rules(sets_allowed=SetsAllowed.ACES_AND_THREES)), lay(SEVENS), SEVENS, rank=7
    ),
    Reason.DUPLICATE_SET: example(
        holding("KS KD KC", "KS KH KD", options=FIBUR), lay("KS KD KC"), "KS KD KC", 1, rank="K"
    ),
    Reason.DUPLICATE_SEQUENCE: example(holding("4S 5S 6S", "4S 5S 6S", options=FIBUR), lay("4S 5S 6S"), "4S 5S 6S", 1),
    Reason.READING_NOT_POSSIBLE: example(holding("7S 8S JK"), lay("7S 8S JK", MeldKind.SEQUENCE, "9S"), "7S 8S JK"),
    Reason.MELD_NOT_FOUND: example(holding("10S", RUN), add(9, "10S"), meld_id=9),
    Reason.MELD_OF_OTHER_SIDE: example(table(hands=["10S QD JC"], melds={1: [RUN]}), add(1, "10S"), meld_id=1, side=1),
    Reason.MELD_HAS_WILD: example(holding("JK", "6C 2H(=7C) 8C"), add(1, "JK"), "JK", 1),
    Reason.RANK_DOES_NOT_MATCH: example(holding("8D", SEVENS), add(1, "8D"), "8D", 1, rank=7),
    Reason.SUIT_DOES_NOT_MATCH: example(holding("10H", RUN), add(1, "10H"), "10H", 1, suit="S"),
    Reason.SLOT_TAKEN: example(holding("8S", RUN), add(1, "8S"), "8S", 1),
    Reason.NATURAL_TWO_STAYS: example(
        holding("9S", "2S 3S 4S 5S 6S 7S", options=rules(natural_two_may_turn_wild=False)), add(1, "9S"), "9S", 1
    ),
    Reason.MUST_KEEP_TWO: example(table(hands=[f"{RUN} KD"], taken_by=USED), lay(RUN), left=1),
    Reason.MUST_KEEP_CLOSING_DISCARD: example(ready_to_close(hands=["KH KD KC"]), lay("KH KD KC")),
    Reason.LAST_CARD_NOT_DISCARDABLE: example(ready_to_close(hands=["KH KD KC JK"]), lay("KH KD KC"), "JK"),
    Reason.DISCARD_WAS_WHOLE_PILE: example(
        after(table(hands=["KD QD"], pile="9D", phase=Phase.DRAW), TAKE_PILE), drop("9D"), "9D"
    ),
    Reason.CLOSE_NEEDS_BURRACO: example(table(hands=["KD"], taken_by=USED), drop("KD")),
    Reason.CLOSE_NEEDS_CLEAN_BURRACO: example(
        ready_to_close(rules(close_needs=CloseNeeds.CLEAN_BURRACO), melds={0: [DIRTY_BURRACO]}), drop("9C")
    ),
    Reason.CLOSE_WITH_WILD: example(ready_to_close(hands=["2D"]), drop("2D"), "2D"),
    Reason.CLOSE_NEEDS_POZZETTO: example(
        ready_to_close(rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK), taken_by=(NOBODY, 1), pozzetti=[]),
        drop("9C"),
    ),
    Reason.NO_STALEMATE: example(table(phase=Phase.DRAW), DECLARE_STALEMATE, needed=4, turns=0),
    Reason.STALEMATE_AFTER_DRAW: example(table(stalemate_turns=4), DECLARE_STALEMATE),
    Reason.TIME_ALREADY_CALLED: example(after(table(), CALL_TIME), CALL_TIME),
}

OF_BURRACO = {reason for reason in Reason if reason <= 92} - {Reason.PLAYER_IS_OUT, Reason.READING_AMBIGUOUS}
"""Reasons for an illegal move; at Burraco a resignation ends the match, and no cards have several readings (§1.0)."""


def test_every_reason_of_burraco_has_an_example() -> None:
    """There is an example for each reason that Burraco can give, and for no other."""
    assert set(EXAMPLES) == OF_BURRACO


@pytest.mark.parametrize("reason", EXAMPLES, ids=lambda reason: reason.name)
def test_reason(reason: Reason) -> None:
    """The example is refused for this reason, with the cards, the meld and the arguments that it is about."""
    state, seat, moves, cards, meld_id, arguments, others = EXAMPLES[reason]
    outcome = play_all(state, seat, moves, look_ahead=False)

    assert isinstance(outcome, RefusedBatch)
    assert outcome.move_index == len(moves) - 1
    assert [fault.reason for fault in outcome.violations] == sorted([reason, *others])
    (fault,) = (fault for fault in outcome.violations if fault.reason is reason)
    assert (texts(fault.cards), fault.meld_id) == (cards, meld_id)
    assert dict(arguments).items() <= dict(fault.arguments).items()


@pytest.mark.parametrize("reason", sorted(OF_BURRACO), ids=lambda reason: reason.name)
def test_reason_names_its_rule(reason: Reason) -> None:
    """Each reason names the rule that it comes from."""
    assert RULE_OF[reason]


# --- several at once --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "move", "reasons"),
    [
        pytest.param(
            table(hands=["KD QD"], phase=Phase.DRAW),
            drop("7S"),
            [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND],
            id="discard before the draw, of a card not held",
        ),
        pytest.param(
            table(hands=["7S 8S 2H QD"], melds={0: [DIRTY_BURRACO]}, phase=Phase.DRAW),
            add(1, "2H"),
            [Reason.MUST_DRAW_FIRST, Reason.MELD_HAS_WILD],
            id="lay-off before the draw, of a second wild",
        ),
        pytest.param(
            table(hands=["7S 8S QD"], phase=Phase.DRAW),
            add(7, "KH"),
            [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND, Reason.MELD_NOT_FOUND],
            id="lay-off before the draw, of a card not held, on no meld",
        ),
        pytest.param(
            table(hands=["7S 8S QD"], melds={1: [RUN]}),
            add(1, "10S"),
            [Reason.CARD_NOT_IN_HAND, Reason.MELD_OF_OTHER_SIDE],
            id="lay-off of a card not held on the other side's meld",
        ),
        pytest.param(
            table(stock="", phase=Phase.PLAY),
            DRAW_STOCK,
            [Reason.ALREADY_DRAWN, Reason.STOCK_EMPTY],
            id="second draw, from an empty stock",
        ),
        pytest.param(
            after(facing("8C", "7C 9C KD QD", PileTake.MUST_MELD), TAKE_PILE),
            drop("8C"),
            [Reason.MUST_MELD_FIRST, Reason.DISCARD_WAS_WHOLE_PILE],
            id="discard of the only card of the pile before the meld",
        ),
        pytest.param(
            after(facing("8C", "7C 9C KD QD", PileTake.TOP_CARD_USABLE), TAKE_PILE),
            drop("8C"),
            [Reason.MUST_MELD_TOP_CARD, Reason.DISCARD_WAS_WHOLE_PILE],
            id="discard of the card that has to be melded",
        ),
        pytest.param(
            after(facing("8C", "7C 9C KD QD", PileTake.TOP_CARD_USABLE), TAKE_PILE),
            drop("AS"),
            [Reason.CARD_NOT_IN_HAND, Reason.MUST_MELD_TOP_CARD],
            id="discard of a card not held before the top card is melded",
        ),
        pytest.param(
            table(hands=["2D"], taken_by=USED),
            drop("2D"),
            [Reason.CLOSE_NEEDS_BURRACO, Reason.CLOSE_WITH_WILD],
            id="close with a wild and without a burraco",
        ),
        pytest.param(
            ready_to_close(rules(close_needs=CloseNeeds.CLEAN_BURRACO), melds={0: [DIRTY_BURRACO]}, hands=["JK"]),
            drop("JK"),
            [Reason.CLOSE_NEEDS_CLEAN_BURRACO, Reason.CLOSE_WITH_WILD],
            id="close with a wild beside a dirty burraco",
        ),
        pytest.param(
            table(hands=["KS KD KC"], melds={0: ["KS KH KD"]}, taken_by=USED, options=FIBUR),
            lay("KS KD KC"),
            [Reason.DUPLICATE_SET, Reason.MUST_KEEP_TWO],
            id="a second set of a rank with the last cards",
        ),
        pytest.param(
            table(hands=["7S 8S JK"], taken_by=USED),
            lay("7S 8S JK", wild_as="9S"),
            [Reason.READING_NOT_POSSIBLE, Reason.MUST_KEEP_TWO],
            id="another reading, and too few cards left",
        ),
        pytest.param(
            holding(f"{LONG_SPADES} JK 2H"),
            lay(f"{LONG_SPADES} JK 2H"),
            [Reason.TOO_MANY_CARDS, Reason.TOO_MANY_WILDS],
            id="fifteen cards with two wilds",
        ),
        pytest.param(
            holding("7S 7S 8S 2H JK"),
            lay("7S 7S 8S 2H JK"),
            [Reason.TOO_MANY_WILDS, Reason.SEQUENCE_REPEATS_RANK],
            id="two wilds and a rank twice",
        ),
        pytest.param(
            holding("8S 10H 2H", RUN, "4S 5S 6S"),
            add(1, "8S 10H"),
            [Reason.SUIT_DOES_NOT_MATCH, Reason.SLOT_TAKEN],
            id="lay-off of another suit and of a card that is there",
        ),
        pytest.param(
            holding("8D JK", "7S 7H 2D"),
            add(1, "8D JK"),
            [Reason.MELD_HAS_WILD, Reason.RANK_DOES_NOT_MATCH],
            id="lay-off of another rank and of a second wild",
        ),
        pytest.param(
            table(stalemate_turns=1),
            DECLARE_STALEMATE,
            [Reason.NO_STALEMATE, Reason.STALEMATE_AFTER_DRAW],
            id="stalemate too early, and after the draw",
        ),
        pytest.param(
            table(
                hands=["2C"],
                pile="QH 8C",
                phase=Phase.DRAW,
                options=rules(one_card_player_may_take_pile=False, pile_take=PileTake.AFTER_MELDING),
            ),
            TAKE_PILE,
            [Reason.PILE_BARRED_TO_ONE_CARD, Reason.PILE_NEEDS_EARLIER_MELD],
            id="the pile with one card in hand and no meld",
        ),
    ],
)
def test_several_reasons_in_order(state: State, move: Move, reasons: list[Reason]) -> None:
    """A move that is wrong in several ways is told all of them, in the order of their numbers."""
    assert refused(state, move) == reasons
    assert reasons == sorted(reasons)


def test_no_reason_twice_over() -> None:
    """Wrong as a move is, each reason is given once."""
    given = [fault.reason for fault in faults(table(hands=["KD QD"], phase=Phase.DRAW), lay("7S 7S 7S 8H 9D"))]

    assert given == [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND]


def test_missing_cards_are_named_as_often_as_they_are_missing() -> None:
    """Cards that the hand lacks are named, each as often as it is lacking."""
    (fault,) = faults(table(hands=["7S 8S KD"]), lay("7S 7S 8S 9S 9S"))

    assert texts(fault.cards) == "7S 9S 9S"


def test_a_batch_names_the_move_that_is_wrong() -> None:
    """Of several moves the first illegal one is named, and none is applied."""
    state = table(hands=["7S 8S 9S KD QD"])
    outcome = play_all(state, 0, (lay(RUN), drop("AS"), drop("KD")), look_ahead=False)

    assert outcome == RefusedBatch(1, faults(after(state, lay(RUN)), drop("AS")))
