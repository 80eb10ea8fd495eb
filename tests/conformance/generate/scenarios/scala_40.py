"""Scala 40: openings, jokers recovered, closes, the end of a match, and what is refused."""

from service.rules.options import StockExhausted
from service.rules.rummy.options import OpeningWithJoker, PileBeforeOpening
from service.rules.rummy.presets import SCALA_40, SCALA_40_FISCA
from service.rules.state import Phase
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import with_stock
from tests.conformance.generate.script import Script
from tests.conformance.generate.tables import rules, side, table_deal
from tests.rummy.tables import fisca, scala, with_options

TWO = with_options(SCALA_40, players=2)
TWO_FISCA = with_options(SCALA_40_FISCA, players=2)
CLUBS, DIAMONDS, HEARTS = "JC QC KC AC", "JD QD KD AD", "JH QH KH AH"
"""Worth 41, with which a seat has opened."""


@scenario("scala_40/first_turns", "Matches of both presets from given seeds.")
def first_turns(script: Script) -> None:
    script.create("SCALA_40_FISCA", seed=2, viewers="s")
    script.create("SCALA_40", seed=1, givenSeats={"dealer": 3}, viewers="0 3 s")
    script.view("0")
    script.legal(0)
    script.play(0, "draw", viewers="0 1 s", events="Drew")
    script.legal(0)
    script.play(0, "timeout", viewers="s", legal=True, events="TurnTimedOut Discarded TurnStarted")
    script.play(1, "take", viewers="s 1", events="TookPile")
    script.play(1, "timeout", viewers="s", events="TurnTimedOut Discarded TurnStarted")
    script.play(3, "resign", viewers="s", events="Resigned DealEnded PlayerOut")
    script.play(0, "next", viewers="s", events="Dealt TurnStarted", note="The others go on.")


@scenario("scala_40/opening", "Opening with 40 and more, in one meld or several, and the refusals below (SC-9).")
def opening(script: Script) -> None:
    script.position(scala(hands=["10H JH QH KH 8D 9C"]))
    script.legal(0)
    script.play(0, "meld 10H JH QH KH", viewers="s 0", events="Melded")
    script.play(0, "drop 9C", viewers="s", events="Discarded TurnStarted")
    script.position(scala(hands=["2S 2H 2D 10S JS QS KS 8D 9C"]))
    script.play(0, "meld 2S 2H 2D", viewers="0", events="Melded")
    script.view("s")
    script.refuse(0, "drop 9C", "OPENING_TOO_LOW")
    script.play(0, "meld 10S JS QS KS", viewers="s", events="Melded")
    script.play(0, "drop 9C", viewers="s", quiet=True)
    script.position(scala(hands=["JK KH AH 3S 3H 3D 8D 9C"]))
    script.play(
        0, "meld JK KH AH, meld 3S 3H 3D", viewers="s", events="Melded Melded", note="31 with the joker as QH, and 9."
    )
    script.position(scala(hands=["AS AH AD 8D 9C"]))
    script.refuse(0, "meld AS AH AD", "OPENING_TOO_LOW", cards=None, note="33")
    script.position(scala(hands=["QS KS AS 2S 3H 4D 8D 9C"], options=with_options(SCALA_40, opening_points=32)))
    script.refuse(0, "meld QS KS AS", "OPENING_TOO_LOW", note="31 of 32")
    not_yet = with_options(SCALA_40, opening_with_joker=OpeningWithJoker.NOT_FIRST_ROUND)
    script.position(scala(hands=["JS JK KS AS 8D 9C"], options=not_yet, turns_taken=0))
    script.refuse(0, "meld JS JK KS AS", "OPENING_WITH_JOKER")


@scenario("scala_40/joker_recovered", "A joker is recovered and has to be melded in that turn (SC-14).")
def joker_recovered(script: Script) -> None:
    melds = {1: ["5H JK(=6H) 7H", "3S 4S 5S", CLUBS], 0: [DIAMONDS]}
    script.position(scala(hands=["6H 8H 2D 2C 9S KD"], melds=melds, opened=[0, 1]))
    script.legal(0)
    script.refuse(0, "swap 1 8H", "REPLACEMENT_DOES_NOT_MATCH")
    script.refuse(0, "swap 2 2D", "NO_WILD_TO_REPLACE")
    script.refuse(0, "swap 9 2D", "MELD_NOT_FOUND")
    script.refuse(0, "swap 1 7S", "CARD_NOT_IN_HAND")
    script.play(0, "swap 1 6H", viewers="s 0", events="WildReplaced")
    script.refuse(0, "drop KD", "RECOVERED_JOKER_UNUSED")
    script.legal(0)
    script.play(0, "meld set 2D 2C JK as 2S", viewers="s", events="Melded")
    script.play(0, "drop KD", viewers="s", events="Discarded TurnStarted")
    script.position(scala(hands=["6H 9S KD"], melds={1: ["5H JK(=6H) 7H", CLUBS]}, opened=[1]))
    script.refuse(0, "swap 1 6H", "NOT_OPENED")


@scenario("scala_40/lay_off", "Cards and jokers on anyone's meld, once opened (SC-15).")
def lay_off(script: Script) -> None:
    melds = {1: ["4S 5S 6S", CLUBS], 2: ["KS KH KD", DIAMONDS], 0: [HEARTS]}
    script.position(scala(hands=["7S JK 3S KC 2D"], melds=melds, opened=[0, 1, 2]))
    script.play(0, "on 1 JK as 3S, on 3 KC", viewers="s", events="LaidOff LaidOff")
    script.refuse(0, "on 1 3S", "SLOT_TAKEN", cards="3S")
    script.play(0, "on 1 7S", viewers="s", events="LaidOff")
    for meld, laid, why in (
        ("4S JK(=5S) 6S", "JK", "MELD_HAS_WILD"),
        ("4S 5S 6S", "8S", "SEQUENCE_HAS_GAP"),
        ("4S 5S 6S", "6S", "SLOT_TAKEN"),
        ("JS QS KS", "2S AS", "SEQUENCE_GOES_ROUND"),
        ("2S 3S 4S", "AS", "ACE_PLACE"),
        ("KS KH KD", "KS", "SET_REPEATS_SUIT"),
    ):
        script.position(scala(hands=[f"{laid} 2D 9C"], melds={1: [meld, CLUBS], 0: [HEARTS]}, opened=[0, 1]))
        script.refuse(0, f"on 1 {laid}", why)
    script.position(scala(hands=["7S 2D 9C"], melds={1: ["4S 5S 6S", CLUBS]}, opened=[1]))
    script.refuse(0, "on 1 7S", "NOT_OPENED")
    script.position(scala(hands=["5H 6H JK 2D"], melds={0: [CLUBS]}, opened=[0]))
    script.refuse(0, "meld 5H 6H JK as 8H", "READING_NOT_POSSIBLE")
    script.play(0, "meld 5H 6H JK as 4H", viewers="s", events="Melded")


@scenario("scala_40/pile", "Who may take the pile's card, and what has to be done with it (SC-6, SC-8).")
def pile(script: Script) -> None:
    script.position(fisca(phase=Phase.DRAW, hands=["8S 8H KC 5D"], pile="4S 8C"))
    script.refuse(0, "take", "PILE_BEFORE_OPENING")
    fields = {"phase": Phase.DRAW, "hands": ["2H 9D KC"], "melds": {0: ["4S 5S 6S", CLUBS]}, "opened": [0]}
    script.position(fisca(**fields, pile="3D 9S"))
    script.refuse(0, "take", "PILE_TOP_NOT_USABLE", cards="9S")
    script.position(fisca(**fields, pile="3D 7S"))
    script.play(0, "take", viewers="s", events="TookPile")
    script.refuse(0, "drop KC", "MUST_MELD_TOP_CARD", cards="7S")
    script.play(0, "on 1 7S", viewers="s", events="LaidOff")
    opens = with_options(SCALA_40, pile_before_opening=PileBeforeOpening.IF_OPENS_WITH_IT)
    script.position(scala(options=opens, phase=Phase.DRAW, hands=["8S 8H 9D 9S 9H 5D KC"], pile="4S 8C"))
    script.play(0, "take", viewers="0")
    script.refuse(0, "drop KC", "MUST_MELD_TOP_CARD")
    barred = with_options(SCALA_40, rediscard_taken_card=False)
    script.position(scala(options=barred, phase=Phase.DRAW, hands=["2H 9D KC"], pile="3D 7S"))
    script.play(0, "take", viewers="0")
    script.refuse(0, "drop 7S", "DISCARD_WAS_TAKEN", cards="7S")
    script.position(fisca(hands=["6H 9S KC"], melds={1: ["3H 4H 5H", CLUBS], 0: [HEARTS]}, opened=[0, 1]))
    script.refuse(0, "drop 6H", "DISCARD_FITS_A_MELD", cards="6H")


@scenario("scala_40/close", "Closes, a Scala, closing in the first round, and the last card kept (SC-17, SC-19).")
def close(script: Script) -> None:
    fields = {"melds": {0: ["JS QS KS AS"]}, "opened": [0]}
    script.position(scala(hands=["9S", "KH 5S QD", "AH", "JK 2D"], **fields))
    script.play(0, "drop 9S", viewers="s", points=(0, 25, 11, 27), events="Discarded Closed DealEnded DealScored")
    script.count_again()
    script.play(1, "next", viewers="s", events="Dealt TurnStarted")
    script.position(scala(hands=["JS QS KS AS KD", "10H"], options=TWO))
    script.play(0, "meld JS QS KS AS", viewers="s")
    script.play(0, "drop KD", viewers="s", points=(0, 35), note="A Scala: 25 more.")
    script.position(fisca(hands=["JS QS KS AS KD", "10H"], options=TWO_FISCA))
    script.play(0, "meld JS QS KS AS", viewers="s")
    script.play(0, "drop KD", viewers="s", points=(0, 20), note="Closed in hand: double.")
    script.position(fisca(hands=["JS QS KS AS 9H"], options=TWO_FISCA, turns_taken=1))
    script.refuse(0, "meld JS QS KS AS", "CLOSE_IN_FIRST_ROUND")
    script.position(scala(hands=["7S 8S 9S"], **fields))
    script.refuse(0, "meld 7S 8S 9S", "MUST_KEEP_CLOSING_DISCARD")


@scenario("scala_40/match_ends", "Players go out at the limit; by option they come in again, once (SC-22).")
def match_ends(script: Script) -> None:
    fields = {"melds": {0: ["JS QS KS AS"]}, "opened": [0]}
    script.position(scala(hands=["9S", "KH", "KC", "AH"], points=(0, 90, 91, 100), **fields))
    script.play(0, "drop 9S", viewers="s", points=(0, 10, 10, 11))
    script.refuse(3, "draw", "PLAYER_IS_OUT")
    script.refuse(3, "resign", "PLAYER_IS_OUT")
    script.legal(3, 1)
    script.play(3, "next", viewers="s", events="Dealt TurnStarted", note="Any seat deals again, one that is out too.")
    for line in ("draw", "meld 7S 8S 9S", "swap 1 6H", "drop 7S", "resign", "timeout"):
        script.refuse(3, line, "PLAYER_IS_OUT")
    script.check(3, "draw", "PLAYER_IS_OUT")
    script.refuse(3, "knock KD", "MOVE_NOT_IN_GAME")
    script.refuse(3, "next", "DEAL_NOT_OVER")
    script.legal(3, 0)
    script.position(scala(hands=["9S", "KH"], points=(0, 91), options=TWO, **fields))
    script.play(0, "drop 9S", viewers="s", points=(0, 10))
    again = with_options(SCALA_40, reentry=True)
    script.position(scala(hands=["9S", "KH", "KC", "2H"], points=(30, 60, 95, 20), options=again, **fields))
    script.play(0, "drop 9S", viewers="s", points=(0, 10, 10, 2))
    script.play(2, "next", viewers="s", events="PlayerReentered Dealt TurnStarted")


@scenario(
    "scala_40/stock_ends", "The pile becomes the stock, but for its last card (SC-20); by option the deal is void."
)
def stock_ends(script: Script) -> None:
    state = scala(hands=["2H 9D KC"])
    script.position(with_stock(state, 0))
    script.play(0, "drop KC", viewers="s", events="Discarded StockRenewed TurnStarted")
    state = scala(hands=["2H 9D KC"], options=with_options(SCALA_40, stock_exhausted=StockExhausted.VOID_AT_TWO))
    script.position(with_stock(state, 2))
    script.play(0, "drop KC", viewers="s", events="Discarded DealEnded")


@scenario("scala_40/explain_meld", "What selections are at Scala 40, in every reading, and why others are nothing.")
def explain_meld(script: Script) -> None:
    scala_40, federation = rules("SCALA_40"), rules("SCALA_40_FISCA")
    script.explain(scala_40, "7S 7H JK", *["7S 7H JK"] * 3)
    script.explain(scala_40, "7S 8S JK", "7S 8S JK", "JK 7S 8S")
    script.explain(scala_40, "7S 8S JK", "JK 7S 8S", reading={"wildAs": "CARD_6S"})
    script.explain(scala_40, "7S JK 9S", "7S JK 9S")
    script.explain(scala_40, "QS KS JK", "QS KS JK", "JK QS KS")
    script.explain(federation, "AS 2S 3S", "AS 2S 3S")
    script.explain(scala_40, "AS 2S 3S", why="ACE_PLACE")
    script.explain(scala_40, "7S 7S 7H", why="SET_REPEATS_SUIT")
    script.explain(scala_40, "JK 7S JK 9S", why="TOO_MANY_WILDS")
    script.explain(scala_40, "JK JK 7S", why="TOO_MANY_WILDS NOT_ENOUGH_NATURALS")
    script.explain(scala_40, "KS KH KD KC KS", why="TOO_MANY_CARDS SET_REPEATS_SUIT")
    script.explain(scala_40, "7S 8S JK", why="READING_NOT_POSSIBLE", reading={"wildAs": "CARD_2C"})


@scenario("scala_40/score_tables", "Deals of a real table under both presets.")
def score_tables(script: Script) -> None:
    left = (side(), side("KH 5S AS"), side("AH"), side("JK 3D 4D"))
    script.score(table_deal("SCALA_40", *left, closedBySide=0), (0, 26, 11, 32))
    script.score(table_deal("SCALA_40", *left, closedBySide=0, closedInHand=True), (0, 51, 36, 57))
    script.score(table_deal("SCALA_40_FISCA", *left, closedBySide=0, closedInHand=True), (0, 52, 22, 64))
    before = zip(("", "KH 5S AS", "AH", "3D 4D"), (90, 75, 90, 100), strict=True)
    sides = [side(hand, matchPointsBefore=points) for hand, points in before]
    script.score(table_deal("SCALA_40", *sides, closedBySide=0), (0, 26, 11, 7), winners=[0])
