"""Burraco: selections explained, and deals of a real table counted."""

from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.script import Script
from tests.conformance.generate.tables import rules, side, table_deal

LONG = ("4S 5S 6S 7S 8S 9S 10S", "KS KH KD KC")
OF_520 = (*LONG, "3H 4H 5H 6H 7H 8H JK")
OF_530 = (*LONG, "3H 4H 5H 6H 7H 8H 9H JK")


@scenario("burraco/explain_meld", "What selections are, where their wild stands, and why others are nothing.")
def explain_meld(script: Script) -> None:
    italian = rules("ITALIAN")
    script.explain(italian, "9S 7S 8S", "7S 8S 9S")
    script.explain(italian, "7S 8S JK", "JK 7S 8S")
    script.explain(italian, "AS 2S 3S", "AS 2S 3S")
    script.explain(italian, "QH KH AH 2S", "2S QH KH AH")
    script.explain(italian, "AH 2H 4H 5H", why="SEQUENCE_HAS_GAP")
    script.explain(italian, "5H 2H 3H 2S", "2H 3H 2S 5H")
    script.explain(italian, "KC JK KS KH", "KS KH KC JK")
    script.explain(italian, "4S 5S 6S 7S 8S 9S 10S", "4S 5S 6S 7S 8S 9S 10S")
    script.explain(italian, "7S 8S JK", "JK 7S 8S", reading={"kind": "MELD_KIND_SEQUENCE", "wildAs": "CARD_6S"})
    script.explain(italian, "7S 8S JK", why="READING_NOT_POSSIBLE", reading={"wildAs": "CARD_9S"})
    script.explain(italian, "2H 2D 2S", why="TOO_MANY_WILDS NOT_ENOUGH_NATURALS")
    script.explain(italian, "7S", why="TOO_FEW_CARDS NOT_ENOUGH_NATURALS")
    script.explain(rules("FIBUR"), "3H 4H 5H 6H 7H 8H 9H JK", "JK 3H 4H 5H 6H 7H 8H 9H")
    script.explain(rules("REALE"), "7S 7H 7D", why="SET_RANK_NOT_ALLOWED")
    script.explain(rules("INTERNATIONAL"), "AS AH AD", "AS AH AD")


@scenario("burraco/score_tables", "Deals of a real table: the rule book's worked example, pozzetti, ends of matches.")
def score_tables(script: Script) -> None:
    # The rule book's example comes to 520; with the nine of hearts to 530, and semi-clean to 580.
    mine = side("", "AD 2C", melds=OF_520, pozzettoTaken=True)
    script.score(table_deal("ITALIAN", mine, side(), closedBySide=0), (520, -100))
    mine = side("", "AD 2C", melds=OF_530, pozzettoTaken=True)
    script.score(table_deal("ITALIAN", mine, side(), closedBySide=0), (530, -100))
    script.score(table_deal("FIBUR", mine, side(), closedBySide=0, dealsPlayed=1), (580, -100))
    # Neither took a pozzetto; the federation asks no penalty then.
    script.score(table_deal("ITALIAN", side("KS", "3H"), side()), (-115, -100))
    script.score(table_deal("FIBUR", side("KS", "3H"), side()), (-15, 0))
    # A pozzetto taken and never played costs the value of its cards.
    unplayed = ["CARD_3S", "CARD_4S", "CARD_5S", "CARD_6S", "CARD_7S", "CARD_3H", "CARD_4H", "CARD_5H", "CARD_6H"]
    unplayed += ["CARD_7H", "CARD_3C"]
    taken = side("", pozzettoTaken=True, unplayedPozzetto=unplayed)
    script.score(table_deal("ITALIAN", taken, side()), (-55, -100))
    not_taken = {"burraco": {"unplayedPozzetto": "UNPLAYED_POZZETTO_AS_NOT_TAKEN"}}
    script.score(table_deal("ITALIAN", taken, side(), options=not_taken), (-100, -100))
    dirty = side(melds=["3H 4H 5H 6H 7H 8H JK"], pozzettoTaken=True, matchPointsBefore=1900)
    # 30 for the naturals but the eight, 10 for it, 30 for the joker, and 100.
    script.score(table_deal("ITALIAN", dirty, side(matchPointsBefore=1500)), (165, -100), winners=[0])
    script.score(
        table_deal(
            "FIBUR", mine | {"matchPointsBefore": 400}, side(matchPointsBefore=300), closedBySide=0, dealsPlayed=4
        ),
        (580, -100),
        winners=[0],
    )
    noble = {"burraco": {"longRunBonus": "LONG_RUN_BONUS_NOBILE_500_REALE_1000"}}
    long = side(melds=["AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"], pozzettoTaken=True)
    script.score(table_deal("ITALIAN", long, side(), options=noble), (15 + 20 + 25 + 60 + 500, -100))
    script.score(table_deal("TWO_PLAYER", side("KS", pozzettoTaken=True), side()), (-10, -100))
    script.score(table_deal("THREE_PLAYER", side("KS"), side(), side("4H")), (-110, -100, -105))


@scenario("burraco/score_tables_refused", "Tables that cannot be counted, with the field that is wrong.")
def score_tables_refused(script: Script) -> None:
    def refuse(reason: str, field: str, *sides: object, **more: object) -> None:
        script.invalid("ScoreDeal", {"table": table_deal("ITALIAN", *sides, **more)}, reason, field)

    refuse("TOO_FEW_CARDS", "table.sides[0].melds[0].cards", side(melds=["7S 8S"]), side())
    refuse("SEQUENCE_HAS_GAP", "table.sides[1].melds[0].cards", side(), side(melds=["4S 6S 8S"]))
    refuse("FIELD_OUT_OF_RANGE", "table.sides", side())
    refuse("FIELD_OUT_OF_RANGE", "table.closed_by_side", side(), side(), closedBySide=2)
    refuse("FIELDS_CONTRADICT", "table", side("KS"), side("KS", "KS"))
    refuse("FIELDS_CONTRADICT", "table.sides[0].unplayed_pozzetto", side(unplayedPozzetto=["CARD_3S"]), side())
    refuse("TOO_MANY_ITEMS", "table.sides[0].hands", side("KS", "QS", "JS"), side())
    refuse("READING_NOT_POSSIBLE", "table.sides[0].melds[0].reading", read_as_nine(), side())


def read_as_nine() -> object:
    """A meld whose joker is wanted where it may not stand."""
    meld = {"cards": ["CARD_7S", "CARD_8S", "CARD_JOKER"], "reading": {"wildAs": "CARD_9S"}}
    return side() | {"melds": [meld]}
