"""Burraco: turns, what they do, and how deals and matches end."""

from dataclasses import replace

from service.rules.options import StockEnd
from service.rules.presets import FIBUR, INTERNATIONAL, REALE, TWO_PLAYER
from service.rules.state import NOBODY, Phase
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import with_stock
from tests.conformance.generate.script import Script
from tests.support.tables import rules, table
from tests.variants.trio import one_against_two, three

CLEAN = "4S 5S 6S 7S 8S 9S 10S"
"""A clean burraco, worth 50 and 200."""
USED = (0, NOBODY)
"""Side 0 has taken its pozzetto."""


@scenario(
    "burraco/first_turns", "A match of Italian Burraco from a given seed: views, legal moves and the first turns."
)
def first_turns(script: Script) -> None:
    script.create("ITALIAN", seed=0, requestId="table 1", viewers="0 1 2 3 s")
    for viewer in ("1", "s"):
        script.view(viewer)
    script.view("1", handOrder="HAND_ORDER_RANK_FIRST", includeRules=True)
    script.legal(1)
    script.legal(0, 1)
    script.refuse(1, "drop 9S", "MUST_DRAW_FIRST", cards="")
    script.refuse(0, "draw", "NOT_YOUR_TURN")
    script.check(1, "draw, drop 9S", "MOVE_AFTER_REVEAL")
    script.check(1, "draw")
    script.play(1, "draw", viewers="0 1 s", events="Drew")
    script.legal(1)
    script.legal(1, maxMoves=5)
    script.refuse(1, "meld 9S 6H", "TOO_FEW_CARDS NEITHER_SET_NOR_SEQUENCE", cards="9S 6H")
    script.refuse(1, "draw", "ALREADY_DRAWN")
    script.refuse(1, "meld KS KD KC, drop AS", "CARD_NOT_IN_HAND", cards="AS", note="The second move is wrong.")
    script.check(1, "meld KS KD KC, drop 9S")
    script.play(1, "meld KS KD KC, drop 9S", viewers="0 1 s", legal=True, events="Melded Discarded TurnStarted")
    script.play(2, "take", viewers="1 2 s", events="TookPile")
    script.play(2, "drop 9S", viewers="s", events="Discarded TurnStarted", note="The pile had two cards.")


@scenario("burraco/seats_drawn", "Seats and dealer by drawing cards (B4-4), in both orders of the suits.")
def seats_drawn(script: Script) -> None:
    script.create("ITALIAN", seed=2, drawnSeats={})
    script.create("FIBUR", seed=3, drawnSeats={})


@scenario("burraco/seats_given", "The dealer as named, or chosen by the seed.")
def seats_given(script: Script) -> None:
    script.create("ITALIAN", seed=2, givenSeats={"dealer": 2})
    script.create("ITALIAN", seed=2, givenSeats={})


@scenario("burraco/pozzetto_direct", "All cards are melded, so the player goes on from the pozzetto (B4-27).")
def pozzetto_direct(script: Script) -> None:
    script.position(table(hands=["7S 7H 7D"]))
    script.play(0, "meld 7S 7H 7D", viewers="0 1 s", events="Melded TookPozzetto")
    script.legal(0)


@scenario(
    "burraco/pozzetto_on_discard", "The last card is discarded; the pozzetto is seen once the partner discards (B4-28)."
)
def pozzetto_on_discard(script: Script) -> None:
    script.position(table(hands=["7S"]))
    script.play(0, "drop 7S", viewers="0 2 s", events="Discarded TookPozzetto TurnStarted")
    script.view("0")
    script.play(1, "draw", viewers="s")
    script.play(1, "timeout", viewers="s")
    script.play(2, "timeout", viewers="0 2 s")
    script.position(table(hands=["7S"], options=TWO_PLAYER, dealer=1))
    script.play(0, "drop 7S", viewers="0 1", events="Discarded TookPozzetto TurnStarted")
    script.play(1, "draw", viewers="1")
    script.play(1, "timeout", viewers="0 1", note="Whoever has no partner looks at the start of the next turn.")


@scenario(
    "burraco/close_and_next_deal", "A close with its score sheet, the next deal, and a move of each kind out of time."
)
def close_and_next_deal(script: Script) -> None:
    hands = ["9C", "KD 3C", "8C JK", "AD 2C"]
    script.position(table(hands=hands, melds={0: [CLEAN]}, taken_by=USED, points=(100, 250)))
    script.fail("ScoreDeal", {"state": script.state}, "FAILED_PRECONDITION", "DEAL_UNFINISHED")
    script.refuse(0, "next", "DEAL_NOT_OVER")
    # Side 0: 50 and 200 on the table, 100 for closing, 40 in the partner's hand. Side 1: 15, 35, and no pozzetto.
    script.play(
        0,
        "drop 9C",
        viewers="s 0 1",
        events="Discarded Closed DealEnded DealScored",
        points=(350 - 40, -100 - 15 - 35),
    )
    script.view("3")
    script.count_again()
    script.refuse(1, "draw", "DEAL_OVER")
    script.legal(2, 2)
    script.play(3, "next", viewers="s 0", events="Dealt TurnStarted")


@scenario("burraco/match_to_target", "The deal that takes a side to the target ends the match (B4-42).")
def match_to_target(script: Script) -> None:
    hands = ["9C", "KD 3C", "8C JK", "AD 2C"]
    script.position(table(hands=hands, melds={0: [CLEAN]}, taken_by=USED, points=(1700, 1990)))
    script.play(
        0, "drop 9C", viewers="s", points=(310, -150), events="Discarded Closed DealEnded DealScored MatchEnded"
    )
    script.view("0")
    moves = {"state": script.state, "seat": 0, "moves": [{"nextDeal": {}}]}
    script.fail("ApplyMoves", moves, "FAILED_PRECONDITION", "MATCH_FINISHED")
    script.legal(0, 0)


@scenario(
    "burraco/victory_points", "A match of a fixed number of deals under the federation's code, with victory points."
)
def victory_points(script: Script) -> None:
    hands = ["9C", "KD 3C", "8C", "AD 2C"]
    options = replace(FIBUR, deals_per_match=3)
    script.position(
        table(
            hands=hands,
            melds={0: [CLEAN]},
            taken_by=USED,
            options=options,
            points=(800, 400),
            deal_number=3,
            deals_scored=2,
        )
    )
    script.play(
        0, "drop 9C", viewers="s", points=(340, -150), events="Discarded Closed DealEnded DealScored MatchEnded"
    )


@scenario("burraco/stock_ends", "The ways in which a deal ends when the stock runs out (R4, row 16).")
def stock_ends(script: Script) -> None:
    # Seat 0 draws KD; the hands of side 0 are worth 35, or 25 after the discard, those of side 1 60.
    hands = ["KD QD", "KC 3C", "7H", "AS JK"]

    def short(stock_end: StockEnd, left: int) -> None:
        state = table(hands=hands, phase=Phase.DRAW, options=rules(stock_end=stock_end), pile="")
        script.position(with_stock(state, left))

    short(StockEnd.IMMEDIATE, 3)
    script.play(0, "draw", viewers="s", points=(-135, -160), events="Drew DealEnded DealScored")
    short(StockEnd.AFTER_DISCARD, 3)
    script.play(0, "draw", viewers="0 s", events="Drew")
    script.play(0, "drop KD", viewers="s", points=(-125, -160), events="Discarded DealEnded DealScored")
    short(StockEnd.VOID, 3)
    script.play(0, "draw", viewers="0")
    script.play(0, "drop KD", viewers="s", events="Discarded DealEnded")
    script.fail("ScoreDeal", {"state": script.state}, "FAILED_PRECONDITION", "DEAL_UNFINISHED")
    script.play(0, "next", viewers="s", events="Dealt TurnStarted", note="The same dealer deals again.")
    short(StockEnd.POZZETTO_BECOMES_STOCK, 1)
    script.play(0, "draw", viewers="0")
    script.play(0, "drop KD", viewers="s", events="Discarded StockRenewed TurnStarted")


@scenario("burraco/stalemate", "A pile of one card goes round: declared by a player, or found by the service (B4-34).")
def stalemate(script: Script) -> None:
    hands = ["KD QD", "KC 3C", "7H", "AS JK"]
    script.position(table(hands=hands, pile="9D", phase=Phase.DRAW, stalemate_turns=3))
    script.refuse(0, "stalemate", "NO_STALEMATE")
    script.play(0, "take", viewers="s", events="TookPile")
    script.refuse(0, "stalemate", "NO_STALEMATE STALEMATE_AFTER_DRAW")
    script.play(0, "drop KD", viewers="s", events="Discarded TurnStarted")
    script.legal(1)
    script.play(1, "stalemate", viewers="s", points=(-125, -160), events="StalemateDeclared DealEnded DealScored")
    script.position(table(hands=hands, pile="9D", phase=Phase.DRAW, stalemate_turns=7))
    script.play(0, "take", viewers="s")
    script.play(0, "drop KD", viewers="s", points=(-125, -160), events="Discarded DealEnded DealScored")


@scenario("burraco/time_called", "The tournament's clock runs out: everyone has one more turn (B4-35).")
def time_called(script: Script) -> None:
    script.position(table(hands=["KD QD", "7S 8S", "7H 8H", "7D 8D"]))
    script.play(1, "time", viewers="s", events="TimeCalled")
    script.refuse(0, "time", "TIME_ALREADY_CALLED")
    script.view("0")
    script.play(0, "drop KD", viewers="s", events="Discarded TurnStarted")
    for seat in (1, 2, 3):
        script.play(seat, "timeout", viewers="s", quiet=True)
    # QD 8H KD are left to side 0, 8S AC 8D QD to side 1; nobody has a pozzetto or a closing bonus.
    script.play(0, "timeout", viewers="s", points=(-130, -145), note="The last turn of the deal.")


@scenario("burraco/resign", "A side gives up the match: the other wins it, and the deal is not counted.")
def resign(script: Script) -> None:
    script.position(table(points=(500, 100)))
    script.refuse(2, "resign, draw", "MATCH_OVER")
    script.play(2, "resign", viewers="s 0", events="Resigned DealEnded MatchEnded")
    script.fail("ScoreDeal", {"state": script.state}, "FAILED_PRECONDITION", "DEAL_UNFINISHED")


@scenario("burraco/timed_out_turns", "An absent player's turn is completed: the cheapest natural is discarded.")
def timed_out_turns(script: Script) -> None:
    script.position(table(hands=["KD 4S 2C"], phase=Phase.DRAW))
    script.play(0, "timeout", viewers="s 0", events="TurnTimedOut Drew Discarded TurnStarted")
    script.position(table(hands=["KD 4S 2C"]))
    script.play(0, "timeout", viewers="0", events="TurnTimedOut Discarded TurnStarted")
    options = replace(TWO_PLAYER, hand_size=11)
    script.position(table(hands=["7C 9C KD QD"], pile="8C", phase=Phase.DRAW, options=options, dealer=1))
    script.play(0, "take", viewers="0")
    script.play(0, "timeout", viewers="0", note="The card that the pile was taken for is melded.")


@scenario(
    "burraco/lay_off", "Cards added to melds: a wild moves, turns natural, and a natural two turns wild (B4-25, R5)."
)
def lay_off(script: Script) -> None:
    script.position(table(hands=["3S 8S QD JC"], melds={0: ["JK(=3S) 4S 5S 6S"]}))
    script.play(0, "on 1 3S", viewers="s", events="LaidOff WildMoved")
    script.position(table(hands=["5S QD JC"], melds={0: ["4S 2H(=5S) 6S"]}))
    script.play(0, "on 1 5S", viewers="s", events="LaidOff WildMoved")
    script.position(table(hands=["3S QD JC"], melds={0: ["2S(=3S) 4S 5S"]}))
    script.play(0, "on 1 3S", viewers="s", events="LaidOff WildMoved", note="The two stands in its own place.")
    script.position(table(hands=["9S QD JC"], melds={0: ["2S 3S 4S 5S 6S 7S"]}))
    script.play(0, "on 1 9S", viewers="s", events="LaidOff WildMoved", note="The two stands for the eight now.")
    script.position(table(hands=["7C QD JC"], melds={0: ["7S 7H 7D"]}))
    script.play(0, "on 1 7C", viewers="s", events="LaidOff")


@scenario("burraco/two_players", "Burraco for two: the pile for its top card, a close without a discard.")
def two_players(script: Script) -> None:
    script.create("TWO_PLAYER", seed=5, viewers="0 1 s")
    script.position(
        table(hands=["8S JK", "KD 3C"], melds={0: ["7H 7D 7C", CLEAN]}, taken_by=USED, options=TWO_PLAYER, dealer=1)
    )
    script.refuse(0, "on 1 8S", "RANK_DOES_NOT_MATCH", cards="8S")
    # The sevens are 15 and the joker 30; the burraco stays clean: 50 and 200.
    script.play(0, "on 1 JK", viewers="0")
    script.play(0, "drop 8S", viewers="s", points=(15 + 30 + 50 + 200 + 100, -15 - 100))


@scenario("burraco/three_players", "Burraco for three: whoever takes the pozzetto of 18 plays alone (B3-2).")
def three_players(script: Script) -> None:
    script.create("THREE_PLAYER", seed=6, givenSeats={"dealer": 2}, viewers="0 s")
    for seat in (0, 1, 2):
        script.play(seat, "timeout", viewers="s", quiet=True)
    script.legal(0)
    script.view("0")
    script.position(three("7S 7H 7D", stock=None, stock_count=None))
    script.play(0, "meld 7S 7H 7D", viewers="s 0", events="Melded TookPozzetto")
    fields = {"stock": None, "stock_count": None, "melds": {0: [CLEAN], 1: ["QC KC AC"]}}
    script.position(one_against_two("7S", "9D 10H", "QS KS", **fields))
    # 250, 100 for closing; the two have 35 on the table, 40 in hand, no pozzetto: -105, of which each gets half.
    script.play(0, "drop 7S", viewers="s", points=(350, -52, -52), events="Discarded Closed DealEnded DealScored")


@scenario("burraco/presets", "A match of each preset begins.")
def presets(script: Script) -> None:
    for at, name in enumerate(("FIBUR", "INTERNATIONAL", "REALE")):
        script.create(name, seed=10 + at, viewers="s 0")
    script.position(table(hands=["7S 8S 9S KD QD"], options=INTERNATIONAL))
    script.play(0, "meld 7S 8S 9S", viewers="s")
    script.position(table(hands=["7S 8S 9S 7H 7D KD"], options=REALE))
    script.refuse(0, "meld 7S 7H 7D", "SET_RANK_NOT_ALLOWED")
    script.play(0, "meld 7S 8S 9S", viewers="s")


@scenario("burraco/options", "Rules of a preset with options changed, and in full without a preset.")
def options(script: Script) -> None:
    script.create("ITALIAN", seed=7, options={"burraco": {"handSize": 13, "jokers": 2, "target": 505}}, viewers="0")
    full = script.call("GetRules", {"rules": {"preset": "PRESET_ITALIAN"}})["rules"]["burraco"]
    script.create("", seed=7, options={"burraco": full}, viewers="0")
