"""Burraco as a game among games."""

from typing import Final

from service.rules.burraco.audit import BLANK, audit
from service.rules.burraco.dealing import LONE_POZZETTO_SIZE, POZZETTO_SIZE, deck_of, drawn_seats
from service.rules.burraco.finish import first_deal
from service.rules.burraco.guard import may_close
from service.rules.burraco.judge import judge, legal_discards, plain_moves
from service.rules.burraco.kinds import bonus, burraco_kind
from service.rules.burraco.legal import legal_moves
from service.rules.burraco.lying import meld_fault
from service.rules.burraco.play import play
from service.rules.burraco.plays import open_plays
from service.rules.burraco.reading import read, why_not_read
from service.rules.burraco.score import (
    VICTORY_STEP,
    count_state,
    deal_end_is_scored,
    match_result,
    table_points,
)
from service.rules.burraco.table import count_table
from service.rules.cards import NO_CARD, Card, is_wild
from service.rules.game import Game, MeldValue, SideFacts
from service.rules.hand import Hand
from service.rules.melds import Meld
from service.rules.moves import MoveKind
from service.rules.option_table import OPTIONS
from service.rules.options import BurracoRules, SingleCardRediscard, VictoryPoints
from service.rules.options import Game as GameName
from service.rules.presets import BURRACO_PRESETS
from service.rules.reasons import Violation
from service.rules.scores import Sheet
from service.rules.state import DealEnd, MatchEnd, Phase, State
from service.rules.validation import contradictions

PARTNERSHIPS: Final = 2


def sides(rules: BurracoRules) -> int:
    """Four play as two partnerships, others for themselves (B4-2)."""
    return PARTNERSHIPS if rules.players == 4 else rules.players


def open_kinds(state: State, seat: int) -> tuple[MoveKind, ...]:
    """Kinds of move open to a seat."""
    kinds = plain_moves(state, seat)
    if state.phase is Phase.PLAY and seat == state.seat:
        kinds += open_plays(state, seat)
        if legal_discards(state, seat):
            kinds.append(MoveKind.DISCARD)
    return tuple(sorted(kinds))


def barred_discard(state: State) -> Card:
    """The card that was the whole pile, as everyone knows; holding its twin is the taker's own affair (B4-17)."""
    if state.over or state.rules.single_card_rediscard is SingleCardRediscard.ALLOWED:
        return NO_CARD
    return state.turn.taken_single


def side_facts(state: State, side: int) -> SideFacts:
    """Points of a side's melds as they lie, and whether it may close."""
    melds = [meld for meld in state.melds if meld.side == side]
    return SideFacts(table_points(melds, state.rules), may_close(state, side, state.melds))


def meld_value(meld: Meld, rules: BurracoRules) -> MeldValue:
    """What a meld is worth (B4-36, B4-38)."""
    return MeldValue(meld.card_points, bonus(meld, rules), burraco_kind(meld, rules))


def sheet(state: State) -> Sheet | None:
    """The score sheet of a deal that is over and counted; None otherwise."""
    if not state.over or not deal_end_is_scored(state.deal_end):
        return None
    return count_state(state)._replace(match_points=state.points)


def readings(selection: Hand, rules: BurracoRules) -> list[Meld]:
    """The one meld that a selection is, or none (§1.0)."""
    meld = read(selection, rules)
    return [meld] if meld else []


def why_no_meld(selection: Hand, rules: BurracoRules) -> list[Violation]:
    """Everything wrong with a selection that is no meld."""
    return why_not_read(selection, rules)


def pozzetto_sizes(rules: BurracoRules) -> tuple[int, ...]:
    """Eleven cards (B4-11); at a table of three one has 18 (row 21)."""
    return (POZZETTO_SIZE, LONE_POZZETTO_SIZE) if rules.players == 3 else (POZZETTO_SIZE,)


def hands_a_side(rules: BurracoRules) -> int:
    """Partners are two, for three players too (row 21)."""
    return 2 if rules.players > 2 else 1


def points_step(rules: BurracoRules) -> int:
    """The tables of victory points know multiples of five only (§2.2)."""
    return VICTORY_STEP if rules.victory_points is VictoryPoints.FIBUR else 1


BURRACO: Final = Game(
    name=GameName.BURRACO,
    presets=BURRACO_PRESETS,
    rules_type=BurracoRules,
    options=OPTIONS,
    contradictions=contradictions,
    deck=deck_of,
    sides=sides,
    drawn_seats=drawn_seats,
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
    why_not_read=why_no_meld,
    count_table=count_table,
    table_result=lambda rules, _before, points, deals: match_result(points, deals, rules),
    is_wild=is_wild,
    pozzetto_sizes=pozzetto_sizes,
    hands_a_side=hands_a_side,
    points_step=points_step,
    phases=frozenset((Phase.DRAW, Phase.PLAY, Phase.DEAL_OVER, Phase.MATCH_OVER)),
    deal_ends=frozenset(DealEnd) - {DealEnd.KNOCK, DealEnd.GIN},
    match_ends=frozenset(MatchEnd) - {MatchEnd.LAST_PLAYER},
    keeps=frozenset(("taken_by", "unplayed")),
    blank=BLANK,
    meld_fault=meld_fault,
    audit=audit,
)
