"""Gin as a game among games."""

from typing import Final

from service.rules.cards import NO_CARD, Card
from service.rules.game import Game, MeldValue, SideFacts
from service.rules.gin.audit import BLANK, audit, meld_fault
from service.rules.gin.dealing import PLAYERS, deck_of
from service.rules.gin.finish import first_deal
from service.rules.gin.judge import judge, knock_limit, legal_moves, open_kinds
from service.rules.gin.options import OPTIONS, PRESETS, GinRules, contradictions
from service.rules.gin.play import play
from service.rules.gin.reading import card_points, readings, why_not_read
from service.rules.gin.score import sheet, table_result
from service.rules.gin.table import count_table
from service.rules.melds import Meld
from service.rules.options import Game as GameName
from service.rules.state import DealEnd, MatchEnd, Phase, State


def sides(_rules: GinRules) -> int:
    """Each plays alone (GI-2)."""
    return PLAYERS


def barred_discard(state: State) -> Card:
    """The card just taken from the pile (GI-5)."""
    return state.turn.taken if state.phase is Phase.PLAY else NO_CARD


def side_facts(_state: State, _side: int) -> SideFacts:
    """Nothing: no melds lie on the table before the end, and what anyone holds is his own affair (GI-5)."""
    return SideFacts(0, may_close=False)


def meld_value(meld: Meld, _rules: GinRules) -> MeldValue:
    """What a meld keeps out of the deadwood (GI-3)."""
    return MeldValue(card_points(meld))


GIN_GAME: Final = Game(
    name=GameName.GIN,
    presets=PRESETS,
    rules_type=GinRules,
    options=OPTIONS,
    contradictions=contradictions,
    deck=deck_of,
    sides=sides,
    drawn_seats=None,
    first_deal=first_deal,
    judge=judge,
    play=play,
    legal_moves=legal_moves,
    open_kinds=open_kinds,
    barred_discard=barred_discard,
    side_facts=side_facts,
    meld_value=meld_value,
    sheet=sheet,
    readings=readings,
    why_not_read=why_not_read,
    count_table=count_table,
    table_result=table_result,
    knock_limit=knock_limit,
    phases=frozenset((Phase.UPCARD, Phase.DRAW, Phase.PLAY, Phase.DEAL_OVER, Phase.MATCH_OVER)),
    deal_ends=frozenset((DealEnd.NOT_ENDED, DealEnd.RESIGNED, DealEnd.VOID, DealEnd.KNOCK, DealEnd.GIN)),
    match_ends=frozenset((MatchEnd.NOT_ENDED, MatchEnd.TARGET, MatchEnd.RESIGNED)),
    keeps=frozenset(("taken_by", "unplayed", "deals_won")),
    blank=BLANK,
    meld_fault=meld_fault,
    audit=audit,
)
