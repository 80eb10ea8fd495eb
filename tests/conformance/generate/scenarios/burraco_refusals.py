"""Burraco: a refusal for every reason, and several reasons at once."""

from service.rules.options import CloseNeeds, PileTake, SetsAllowed, StockEnd
from service.rules.presets import FIBUR, TWO_PLAYER
from service.rules.state import NOBODY, Phase, State
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import with_stock
from tests.conformance.generate.script import Script
from tests.support.tables import rules, table

CLEAN = "4S 5S 6S 7S 8S 9S 10S"
DIRTY = "JK(=3S) 4S 5S 6S 7S 8S 9S"
LONG = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
RUN = "7S 8S 9S"
USED = (0, NOBODY)


def holding(hand: str, *melds: str, **more: object) -> State:
    """Seat 0 has drawn and holds these cards and two more; these are its side's melds."""
    return table(hands=[f"{hand} QD JC"], melds={0: melds}, **more)  # type: ignore[arg-type]  # table's own


def facing(pile: str, hand: str, option: PileTake, *melds: str, **options: object) -> State:
    """Seat 0 is to draw or take."""
    chosen = rules(**{"pile_take": option} | options)  # type: ignore[arg-type]  # options that exist
    return table(hands=[hand], melds={0: melds}, pile=pile, phase=Phase.DRAW, options=chosen)


@scenario("burraco/refused_melds", "Selections that are no meld, and melds that the side may not lay.")
def refused_melds(script: Script) -> None:
    def refuse(hand: str, reasons: str, cards: str, *melds: str, words: str = "", **more: object) -> None:
        script.position(holding(hand, *melds, **more))
        script.refuse(0, f"meld {words or hand}", reasons, cards=cards)

    refuse("7S 8S", "TOO_FEW_CARDS", "7S 8S")
    refuse("7S JK", "TOO_FEW_CARDS NOT_ENOUGH_NATURALS", "7S JK")
    refuse("2H 2D 7S", "TOO_MANY_WILDS", "2H 2D")
    refuse("7S 8S 9H", "NEITHER_SET_NOR_SEQUENCE", "7S 8S 9H")
    refuse("7S 7S 8S 9S", "SEQUENCE_REPEATS_RANK", "7S")
    refuse("4S 6S 8S", "SEQUENCE_HAS_GAP", "4S 6S 8S")
    refuse("KH AH 2H 3H", "SEQUENCE_GOES_ROUND", "AH 3H KH")
    refuse(f"{LONG} JK 2H", "TOO_MANY_CARDS TOO_MANY_WILDS", "")
    refuse("7S 7S 8S 2H JK", "TOO_MANY_WILDS SEQUENCE_REPEATS_RANK", "2H JK")
    refuse("7S 8S JK", "READING_NOT_POSSIBLE", "7S 8S JK", words="sequence 7S 8S JK as 9S")
    sets = rules(sets_allowed=SetsAllowed.ACES_AND_THREES)
    refuse("7S 7H 7D", "SET_RANK_NOT_ALLOWED", "7S 7H 7D", options=sets)
    refuse("KS KD KC", "DUPLICATE_SET", "KS KD KC", "KS KH KD", options=FIBUR)
    refuse("4S 5S 6S", "DUPLICATE_SEQUENCE", "4S 5S 6S", "4S 5S 6S", options=FIBUR)


@scenario("burraco/refused_lay_offs", "Cards that may not be added to a meld.")
def refused_lay_offs(script: Script) -> None:
    def refuse(hand: str, meld: str, line: str, reasons: str, **more: object) -> None:
        script.position(holding(hand, meld, **more))
        script.refuse(0, line, reasons)

    refuse("10S", RUN, "on 9 10S", "MELD_NOT_FOUND")
    refuse("JK", "6C 2H(=7C) 8C", "on 1 JK", "MELD_HAS_WILD")
    refuse("8D", "7S 7H 7D", "on 1 8D", "RANK_DOES_NOT_MATCH")
    refuse("10H", RUN, "on 1 10H", "SUIT_DOES_NOT_MATCH")
    refuse("8S", RUN, "on 1 8S", "SLOT_TAKEN")
    refuse("8S 10H 2H", RUN, "on 1 8S 10H", "SUIT_DOES_NOT_MATCH SLOT_TAKEN")
    refuse("8D JK", "7S 7H 2D", "on 1 8D JK", "MELD_HAS_WILD RANK_DOES_NOT_MATCH")
    refuse("JK", "KS KS KH KH KD KD KC KC 2S", "on 1 JK", "TOO_MANY_CARDS MELD_HAS_WILD")
    stays = rules(natural_two_may_turn_wild=False)
    refuse("9S", "2S 3S 4S 5S 6S 7S", "on 1 9S", "NATURAL_TWO_STAYS", options=stays)
    script.position(table(hands=["10S QD JC"], melds={1: [RUN]}))
    script.refuse(0, "on 1 10S", "MELD_OF_OTHER_SIDE")
    script.refuse(0, "on 1 JS", "CARD_NOT_IN_HAND MELD_OF_OTHER_SIDE", cards="JS")
    script.position(table(hands=["7S 8S QD"], phase=Phase.DRAW))
    script.refuse(0, "on 7 KH", "MUST_DRAW_FIRST CARD_NOT_IN_HAND MELD_NOT_FOUND")


@scenario("burraco/refused_piles", "When the discard pile may not be taken, and what has to be melded after it was.")
def refused_piles(script: Script) -> None:
    script.position(table(hands=["2C"], phase=Phase.DRAW, options=rules(one_card_player_may_take_pile=False)))
    script.refuse(0, "take", "PILE_BARRED_TO_ONE_CARD")
    script.position(facing("QH 8C", "2C", PileTake.AFTER_MELDING, one_card_player_may_take_pile=False))
    script.refuse(0, "take", "PILE_BARRED_TO_ONE_CARD PILE_NEEDS_EARLIER_MELD")
    script.position(facing("8C", "7C 9D", PileTake.TOP_CARD_USABLE))
    script.refuse(0, "take", "PILE_TOP_NOT_USABLE", cards="8C")
    script.position(facing("8C", "7C 9C", PileTake.AFTER_MELDING))
    script.refuse(0, "take", "PILE_NEEDS_EARLIER_MELD")
    script.position(facing("8C", "7C 9D", PileTake.MUST_MELD))
    script.refuse(0, "take", "PILE_NEEDS_MELD")
    script.position(facing("8C", "7C 9C KD QD", PileTake.TOP_CARD_USABLE))
    script.play(0, "take", events="TookPile")
    script.refuse(0, "drop KD", "MUST_MELD_TOP_CARD", cards="8C")
    script.refuse(0, "drop 8C", "MUST_MELD_TOP_CARD DISCARD_WAS_WHOLE_PILE", cards="8C")
    script.view("0")
    script.position(facing("3D 8C", "7C 9C KD QD", PileTake.MUST_MELD))
    script.play(0, "take", events="TookPile")
    script.refuse(0, "drop KD", "MUST_MELD_FIRST")
    script.position(table(hands=["KD QD"], pile="9D", phase=Phase.DRAW))
    script.play(0, "take")
    script.refuse(0, "drop 9D", "DISCARD_WAS_WHOLE_PILE", cards="9D")


@scenario("burraco/refused_draws", "An empty stock, and a second draw.")
def refused_draws(script: Script) -> None:
    state = table(hands=["7C 9C KD QD"], pile="8C", phase=Phase.DRAW, options=TWO_PLAYER, dealer=1)
    script.position(with_stock(state, 0))
    script.refuse(0, "draw", "STOCK_EMPTY")
    script.play(0, "take", events="TookPile")
    script.refuse(0, "draw", "ALREADY_DRAWN STOCK_EMPTY")


@scenario("burraco/refused_last_cards", "What has to stay in hand, and what a close needs (R1, B4-31).")
def refused_last_cards(script: Script) -> None:
    def close(hand: str, *melds: str, phase: Phase = Phase.PLAY, **more: object) -> None:
        fields = {"taken_by": USED} | more
        script.position(table(hands=[hand, "JD", "8C", "QD"], melds={0: melds}, phase=phase, **fields))  # type: ignore[arg-type]  # table's own

    close(f"{RUN} KH")
    script.refuse(0, f"meld {RUN}", "MUST_KEEP_TWO")
    close("KH KD KC", CLEAN)
    script.refuse(0, "meld KH KD KC", "MUST_KEEP_CLOSING_DISCARD")
    close("KH KD KC JK", CLEAN)
    script.refuse(0, "meld KH KD KC", "LAST_CARD_NOT_DISCARDABLE", cards="JK")
    # Nobody comes to be stuck with one card after a draw (R1), so these are told beside the missing draw.
    close("KH", phase=Phase.DRAW)
    script.refuse(0, "drop KH", "MUST_DRAW_FIRST CLOSE_NEEDS_BURRACO")
    close("2D", phase=Phase.DRAW)
    script.refuse(0, "drop 2D", "MUST_DRAW_FIRST CLOSE_NEEDS_BURRACO CLOSE_WITH_WILD")
    clean_only = rules(close_needs=CloseNeeds.CLEAN_BURRACO)
    close("9C", DIRTY, phase=Phase.DRAW, options=clean_only)
    script.refuse(0, "drop 9C", "MUST_DRAW_FIRST CLOSE_NEEDS_CLEAN_BURRACO")
    stock_rules = rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK)
    close("9C", CLEAN, phase=Phase.DRAW, options=stock_rules, taken_by=(NOBODY, 1), pozzetti=[])
    script.refuse(0, "drop 9C", "MUST_DRAW_FIRST CLOSE_NEEDS_POZZETTO")
    close("KS KD KC", "KS KH KD", options=FIBUR)
    script.refuse(0, "meld KS KD KC", "DUPLICATE_SET MUST_KEEP_TWO")


@scenario("burraco/refused_moves", "Moves of other games, of other seats, and out of time.")
def refused_moves(script: Script) -> None:
    script.position(table(hands=["KD QD"]))
    script.refuse(0, "knock KD", "MOVE_NOT_IN_GAME")
    script.refuse(0, "pass", "MOVE_NOT_IN_GAME")
    script.refuse(0, "swap 1 KD", "MOVE_NOT_IN_GAME")
    script.refuse(0, "drop 7S", "CARD_NOT_IN_HAND", cards="7S")
    script.refuse(0, "meld 7S 7S 7S", "CARD_NOT_IN_HAND", cards="7S 7S 7S")
    script.refuse(1, "draw", "NOT_YOUR_TURN")
    script.refuse(0, "next", "DEAL_NOT_OVER")
    script.check(0, "knock KD", "MOVE_NOT_IN_GAME")
    script.check(0, "drop KD")
    script.position(table(hands=["KD QD"], phase=Phase.DRAW))
    script.refuse(0, "drop 7S", "MUST_DRAW_FIRST CARD_NOT_IN_HAND", cards="")
