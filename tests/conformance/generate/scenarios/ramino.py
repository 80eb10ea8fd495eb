"""Ramino: turns, closes, the end of a match, and what is refused."""

from service.rules.options import StockExhausted
from service.rules.rummy.presets import RAMINO
from service.rules.state import Phase, State
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import with_stock
from tests.conformance.generate.script import Script
from tests.conformance.generate.tables import rules, side, table_deal
from tests.rummy.tables import ramino, with_options

FOUR = with_options(RAMINO, players=4)


def to_draw(**fields: object) -> State:
    """Seat 0 is to draw."""
    return ramino(phase=Phase.DRAW, **fields)


@scenario("ramino/first_turns", "A match of Ramino from a given seed.")
def first_turns(script: Script) -> None:
    script.create("RAMINO", seed=1, givenSeats={"dealer": 1}, viewers="0 1 s")
    script.view("0")
    script.legal(0)
    script.play(0, "draw", viewers="0 1 s", events="Drew")
    script.legal(0)
    script.play(0, "timeout", viewers="s", legal=True, events="TurnTimedOut Discarded TurnStarted")
    script.play(1, "take", viewers="s 1", events="TookPile")
    script.play(1, "timeout", viewers="s", events="TurnTimedOut Discarded TurnStarted")
    script.play(0, "resign", viewers="s", events="Resigned DealEnded PlayerOut MatchEnded")


@scenario("ramino/close", "Melds, a lay-off on another's meld, a close, and the next deal (RA-9, RA-10, RA-14).")
def close(script: Script) -> None:
    hands = ["7S 8S 9S 6H 4D", "KH 5S", "QD AS", "2H 3D"]
    script.position(ramino(options=FOUR, hands=hands, melds={1: ["3H 4H 5H"]}, opened=[0, 1], turns_taken=9))
    script.legal(0)
    script.play(0, "meld 7S 8S 9S, on 1 6H", viewers="s 0", events="Melded LaidOff")
    script.play(0, "drop 4D", viewers="s", points=(0, 15, 11, 5), events="Discarded Closed DealEnded DealScored")
    script.count_again()
    script.refuse(2, "draw", "DEAL_OVER")
    script.play(2, "next", viewers="s 2", events="Dealt TurnStarted")
    script.position(ramino(hands=["7S 8S 9S QD QS QH 4D", "KH 5S"]))
    script.play(0, "meld 7S 8S 9S, meld QD QS QH", viewers="s", events="Melded Melded")
    script.play(0, "drop 4D", viewers="s", points=(0, 30), note="Closed in hand, which doubles (RA-11).")


@scenario("ramino/match_ends", "Players go out at the limit, and the last one wins (RA-14).")
def match_ends(script: Script) -> None:
    fields = {"melds": {0: ["7S 8S 9S"]}, "opened": [0]}
    script.position(ramino(options=FOUR, hands=["9H", "KH", "KC", "QH"], points=(50, 91, 90, 20), **fields))
    script.play(
        0, "drop 9H", viewers="s", points=(0, 10, 10, 10), events="Discarded Closed DealEnded DealScored PlayerOut"
    )
    script.refuse(1, "resign", "PLAYER_IS_OUT", note="Nothing is left to give up.")
    script.play(0, "next", viewers="s", events="Dealt TurnStarted")
    script.view("1")
    script.refuse(1, "draw", "PLAYER_IS_OUT", note="No turn will come to wait for.")
    script.refuse(1, "timeout", "PLAYER_IS_OUT")
    script.legal(1, 0)
    script.position(ramino(hands=["9H", "KH"], points=(100, 91), **fields))
    script.play(0, "drop 9H", viewers="s", points=(0, 10))
    script.fail(
        "ApplyMoves",
        {"state": script.state, "seat": 0, "moves": [{"drawStock": {}}]},
        "FAILED_PRECONDITION",
        "MATCH_FINISHED",
    )


@scenario("ramino/stock_ends", "The pile becomes the stock (RA-12); by option the deal is void.")
def stock_ends(script: Script) -> None:
    state = to_draw(hands=["4S 9H KD"])
    script.position(with_stock(state, 1))
    script.play(0, "draw", viewers="0")
    script.play(0, "drop KD", viewers="s", events="Discarded StockRenewed TurnStarted")
    state = to_draw(hands=["4S 9H KD"], options=with_options(RAMINO, stock_exhausted=StockExhausted.VOID_AT_TWO))
    script.position(with_stock(state, 3))
    script.play(0, "draw", viewers="0")
    script.play(0, "drop KD", viewers="s", events="Discarded DealEnded")
    script.fail("ScoreDeal", {"state": script.state}, "FAILED_PRECONDITION", "DEAL_UNFINISHED")


@scenario("ramino/refused_moves", "Moves that Ramino does not allow, with every reason why.")
def refused_moves(script: Script) -> None:
    script.position(to_draw(hands=["4S 9H KD 7S 8S 9S"], pile="QD"))
    script.refuse(0, "drop KD", "MUST_DRAW_FIRST")
    script.refuse(0, "meld 7S 8S 9S", "MUST_DRAW_FIRST")
    script.refuse(1, "draw", "NOT_YOUR_TURN")
    script.refuse(0, "next", "DEAL_NOT_OVER")
    script.check(0, "draw, drop KD", "MOVE_AFTER_REVEAL")
    script.play(0, "take", viewers="0", events="TookPile")
    script.refuse(0, "drop QD", "DISCARD_WAS_TAKEN", cards="QD")
    script.refuse(0, "take", "ALREADY_DRAWN")
    for line in ("swap 1 6H", "knock KD", "stalemate", "pass", "time"):
        script.refuse(0, line, "MOVE_NOT_IN_GAME")
    script.position(to_draw(hands=["7S 8S 9S"], pile="QD"))
    script.play(0, "take", viewers="0")
    script.refuse(0, "meld 7S 8S 9S", "LAST_CARD_NOT_DISCARDABLE")
    options = with_options(RAMINO, packs=2)
    melds = {1: ["3S 4S 5S", "KS KH KC"]}
    script.position(ramino(hands=["6S KD KH 4D"], melds=melds, options=options, opened=[1]))
    script.refuse(0, "on 2 KH", "SET_REPEATS_SUIT", cards="KH")
    script.refuse(0, "on 1 4D", "SUIT_DOES_NOT_MATCH")
    script.refuse(0, "on 2 4D", "RANK_DOES_NOT_MATCH")
    script.refuse(0, "on 7 4D", "MELD_NOT_FOUND")
    script.refuse(0, "on 1 7S", "CARD_NOT_IN_HAND")
    script.position(ramino(hands=["6S 7S"], melds={0: ["3S 4S 5S"]}, opened=[0]))
    script.refuse(0, "on 1 6S 7S", "MUST_KEEP_CLOSING_DISCARD")
    needs = with_options(RAMINO, lay_off_needs_meld=True)
    script.position(ramino(hands=["6S 9H 10H KD"], melds={1: ["3S 4S 5S"]}, options=needs, opened=[1]))
    script.refuse(0, "on 1 6S", "NOT_OPENED")


@scenario("ramino/explain_meld", "What selections are at Ramino, and why others are nothing.")
def explain_meld(script: Script) -> None:
    script.explain(rules("RAMINO"), "9S 7S 8S", "7S 8S 9S")
    script.explain(rules("RAMINO"), "KS AS QS", "QS KS AS")
    script.explain(rules("RAMINO"), "AS 2S 3S", "AS 2S 3S")
    script.explain(rules("RAMINO"), "2S 2H 2D", "2S 2H 2D")
    script.explain(rules("RAMINO"), "7S 8S", why="TOO_FEW_CARDS")
    script.explain(rules("RAMINO"), "KS AS 2S", why="SEQUENCE_GOES_ROUND")
    script.explain(rules("RAMINO"), "7S 8S 9H", why="NEITHER_SET_NOR_SEQUENCE")
    two_packs = rules("RAMINO", {"ramino": {"packs": 2, "jokers": 2}})
    script.explain(two_packs, "7S 7S 7H", why="SET_REPEATS_SUIT")
    script.explain(two_packs, "7S 7S 8S 9S", why="SEQUENCE_REPEATS_RANK")
    script.explain(two_packs, "2S 2H 2D JK JK", why="TOO_MANY_CARDS TOO_MANY_WILDS")


@scenario("ramino/score_tables", "Deals of a real table, closed in hand or not, to the limit.")
def score_tables(script: Script) -> None:
    left = side("KH 5H AS")
    script.score(table_deal("RAMINO", side("", melds=["4S 5S 6S", "7H 7D 7C"]), left, closedBySide=0), (0, 16))
    script.score(table_deal("RAMINO", side(), left, closedBySide=0, closedInHand=True), (0, 32))
    eleven = {"ramino": {"acePoints": 11}}
    script.score(table_deal("RAMINO", side("KH AS"), side(), options=eleven, closedBySide=1), (21, 0))
    out = side("KH 5S AS", matchPointsBefore=85)
    deal = table_deal("RAMINO", side("", matchPointsBefore=70), out, closedBySide=0)
    script.score(deal, (0, 16), winners=[0])
    held = table_deal("RAMINO", side("KH"), side("2D"), closedBySide=1)
    script.invalid("ScoreDeal", {"table": held}, "CLOSE_NEEDS_DISCARD", "table.sides[1].hands")
