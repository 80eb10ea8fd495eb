"""Gin: the up-card, knocks, gin, undercuts, the end of a match, and a refusal for every reason."""

from service.rules.gin.options import Oklahoma
from service.rules.options import StockExhausted
from service.rules.state import NEW_TURN, Phase, State, Turn
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import with_stock
from tests.conformance.generate.script import Script
from tests.conformance.generate.tables import rules as selection
from tests.conformance.generate.tables import side, table_deal
from tests.gin.words import card, rules, table

MELDED = "4S 5S 6S 7H 7D 7C"
KNOCKER = f"{MELDED} AC 2D 3H 2C KS"
"""Eleven cards: without KS 8 points are deadwood."""
DEFENDER = "7S 8S KH KD KC 9D 9C 2S 3S 4H"
"""7S 8S 2S 3S go on the knocker's spades; 22 points are left."""
GIN_HAND = f"{MELDED} 10D JD QD KD"
SPREAD = "AH 3H 9D KD KH QH 8D 6D JC 9C"
"""Ten cards without a meld: 76 points."""


def to_play(hand: str, other: str = "", drawn: str = "", **fields: object) -> State:
    """Seat 0 has drawn (its last card, unless another is named) and is to discard or knock."""
    drawn = drawn or hand.rsplit(maxsplit=1)[-1]
    return table(hand, other, **({"turn": Turn(drawn=card(drawn))} | fields))  # type: ignore[arg-type]  # table's own


def to_draw(hand: str, other: str = "", **fields: object) -> State:
    """Seat 0 is to draw."""
    return table(hand, other, phase=Phase.DRAW, turn=NEW_TURN, **fields)  # type: ignore[arg-type]  # table's own


@scenario("gin/first_turns", "A match of Gin from a given seed: the up-card passed by both, then play.")
def first_turns(script: Script) -> None:
    script.create("GIN", seed=1, givenSeats={"dealer": 1}, viewers="0 1 s")
    script.view("0")
    script.legal(0)
    script.refuse(0, "draw", "UPCARD_OFFERED")
    script.refuse(1, "pass", "NOT_YOUR_TURN")
    script.play(0, "pass", viewers="s", events="UpcardPassed TurnStarted")
    script.play(1, "pass", viewers="s", events="UpcardPassed TurnStarted")
    script.refuse(0, "take", "UPCARD_WAS_PASSED")
    script.refuse(0, "pass", "NO_UPCARD_TO_PASS")
    script.check(0, "draw, timeout", "MOVE_AFTER_REVEAL")
    script.play(0, "draw", viewers="0 1 s", events="Drew")
    script.legal(0)
    script.play(0, "timeout", viewers="s", legal=True, events="TurnTimedOut Discarded TurnStarted")
    script.play(1, "take", viewers="0 1", events="TookPile")
    script.play(1, "timeout", viewers="s", events="TurnTimedOut Discarded TurnStarted")
    script.play(0, "timeout", viewers="s", events="TurnTimedOut Drew Discarded TurnStarted")


@scenario("gin/upcard_taken", "The up-card is taken, and may not be discarded in that turn (GI-4, GI-5).")
def upcard_taken(script: Script) -> None:
    answer = script.create("GIN", seed=2, givenSeats={"dealer": 1}, viewers="0 s")
    up = answer["updates"][0]["view"]["discard"][0].removeprefix("CARD_")
    script.play(0, "take", viewers="s", events="TookPile")
    script.refuse(0, f"drop {up}", "DISCARD_WAS_TAKEN", cards=up)
    script.refuse(0, "take", "ALREADY_DRAWN PILE_EMPTY")


@scenario("gin/knock", "Knocks: the defender lays off, an undercut, gin, big gin (GI-7 to GI-11).")
def knock(script: Script) -> None:
    script.position(to_play(KNOCKER, DEFENDER))
    script.legal(0)
    script.play(0, "knock KS", viewers="s 0", points=(14, 0), events="Discarded Knocked LaidOff DealEnded DealScored")
    script.count_again()
    script.refuse(1, "draw", "DEAL_OVER")
    script.legal(1, 2)
    script.play(1, "next", viewers="s", events="Dealt TurnStarted")
    script.position(to_play(KNOCKER, "7S 8S KH KD KC 9D 9C 9H AS AH"))
    script.play(0, "knock KS: 4S 5S 6S / 7H 7D 7C", viewers="s", points=(0, 6 + 25))
    script.position(to_play(f"{GIN_HAND} QS", "7S 8S KH KS KC 9D 9C 2S 3S 4H"))
    script.play(0, "knock QS", viewers="s", points=(42 + 25, 0), events="Discarded Knocked DealEnded DealScored")
    script.position(to_play(f"{GIN_HAND} 7S", "AS 8S KH KS KC 9D 9C 2S 3S 4H", options=rules(big_gin_bonus=31)))
    # The defender's spades ace to three are a meld, the kings another: 8, 9, 9 and 4 are left.
    script.play(0, "knock", viewers="s", points=(30 + 31, 0), events="Knocked DealEnded DealScored")


@scenario("gin/match_ends", "A match that reaches the target: game and box bonuses, a shutout, a resignation (GI-14).")
def match_ends(script: Script) -> None:
    script.position(to_play(KNOCKER, DEFENDER, points=(86, 40), won=(3, 2)))
    script.play(0, "knock KS", viewers="s", points=(14 + 100 + 100, 50))
    script.view("1")
    script.fail(
        "ApplyMoves",
        {"state": script.state, "seat": 0, "moves": [{"nextDeal": {}}]},
        "FAILED_PRECONDITION",
        "MATCH_FINISHED",
    )
    script.position(to_play(KNOCKER, DEFENDER))
    script.play(1, "resign", viewers="s", events="Resigned DealEnded MatchEnded")
    script.position(to_play(KNOCKER, DEFENDER))
    script.refuse(0, "resign, draw", "MATCH_OVER")


@scenario(
    "gin/void_deal", "The deal is void once two cards are left in the stock (GI-12); by option the pile is shuffled."
)
def void_deal(script: Script) -> None:
    state = to_play(KNOCKER, DEFENDER)
    last = state._replace(turn=state.turn._replace(last=True))
    script.position(with_stock(last, 2))
    script.play(0, "drop KS", viewers="s", events="Discarded DealEnded")
    script.play(0, "next", viewers="s", events="Dealt TurnStarted")
    state = to_play(KNOCKER, DEFENDER, options=rules(stock_exhausted=StockExhausted.RESHUFFLE))
    script.position(with_stock(state, 0))
    script.play(0, "drop KS", viewers="s", events="Discarded StockRenewed TurnStarted")


@scenario("gin/oklahoma", "The up-card sets the knock limit (GI-7, option `oklahoma`).")
def oklahoma(script: Script) -> None:
    script.position(to_play(KNOCKER, DEFENDER, options=rules(oklahoma=Oklahoma.ACE_IS_ONE), upcard="5H"))
    script.view("0")
    script.refuse(0, "knock KS", "TOO_MUCH_DEADWOOD")


@scenario("gin/refused_moves", "Moves that Gin does not allow, with every reason why.")
def refused_moves(script: Script) -> None:
    script.position(to_play(f"4S 5S 6S {SPREAD.replace('AH 3H ', '')}"))
    script.refuse(0, "knock 9D", "TOO_MUCH_DEADWOOD")
    script.refuse(0, "knock", "CLOSE_NEEDS_DISCARD")
    script.refuse(0, "drop 5C", "CARD_NOT_IN_HAND", cards="5C")
    script.refuse(0, "draw", "ALREADY_DRAWN")
    script.refuse(0, "pass", "NO_UPCARD_TO_PASS")
    script.refuse(0, "time", "MOVE_NOT_IN_GAME")
    script.refuse(0, "stalemate", "MOVE_NOT_IN_GAME")
    script.refuse(0, "meld 4S 5S 6S", "MOVE_NOT_IN_GAME")
    script.refuse(0, "next", "DEAL_NOT_OVER")
    script.position(to_play(KNOCKER, DEFENDER))
    script.refuse(0, "knock KS: 4S 5S 7H", "KNOCK_MELDS_WRONG", cards="4S 5S 7H")
    script.refuse(0, "knock KS: 4S 5S 6S", "TOO_MUCH_DEADWOOD")
    script.position(to_draw("4S 5S 6S 7H 7D 7C AC 2D 3H 2C", DEFENDER))
    script.refuse(0, "knock 4S", "MUST_DRAW_FIRST")
    script.refuse(0, "drop KS", "MUST_DRAW_FIRST CARD_NOT_IN_HAND")


@scenario("gin/explain_meld", "What selections are at Gin, and why others are nothing.")
def explain_meld(script: Script) -> None:
    gin = selection("GIN")
    script.explain(gin, "9S 7S 8S", "7S 8S 9S")
    script.explain(gin, "7D 7H 7S 7C", "7S 7H 7D 7C")
    script.explain(gin, "3S 2S AS", "AS 2S 3S")
    for selected, why in (
        ("7S 8H", "TOO_FEW_CARDS NEITHER_SET_NOR_SEQUENCE"),
        ("7S 8S 9H", "NEITHER_SET_NOR_SEQUENCE"),
        ("4S 6S 8S", "SEQUENCE_HAS_GAP"),
        ("AS 2S KS", "SEQUENCE_GOES_ROUND"),
        ("AS QS KS", "ACE_PLACE"),
    ):
        script.explain(gin, selected, why=why)


@scenario("gin/score_tables", "Deals of a real table: a knock, gin, undercuts, the target.")
def score_tables(script: Script) -> None:
    left, run, three, four = "AC 2D 3H 2C", "4S 5S 6S", "7H 7D 7C", "10D JD QD KD"
    melds = [run, three]
    defender = side("7S 8S KH KD KC 9D 9C 2S 3S 4H")
    script.score(table_deal("GIN", side(left, melds=melds), defender, closedBySide=0), (14, 0))
    gin = side("", melds=[*melds, four])
    script.score(table_deal("GIN", gin, side("7S 8S KH KS KC 9D 9C 2S 3S 4H"), closedBySide=0), (67, 0))
    under = side("7S 8S KH KD KC 9D 9C 9H AS AH")
    script.score(table_deal("GIN", side(left, melds=melds), under, closedBySide=0), (0, 31))
    script.score(table_deal("GIN", side("3C", melds=[run]), side("2D AD"), closedBySide=0), (0, 25))
    won = side(left, melds=melds, matchPointsBefore=99)
    script.score(table_deal("GIN", won, defender | {"matchPointsBefore": 50}, closedBySide=0), (14, 0), winners=[0])
    script.score(table_deal("GIN", side("KH"), side("KS")), (0, 0))
    none = table_deal("GIN", side("KH"), side("KS"), closedBySide=0, closedInHand=True)
    script.invalid("ScoreDeal", {"table": none}, "FIELDS_CONTRADICT", "table.closed_in_hand")
