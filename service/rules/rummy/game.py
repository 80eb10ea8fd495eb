"""Ramino and Scala 40 as games among games."""

from collections.abc import Sequence
from typing import Any, Final

from service.rules.cards import NO_CARD, Card, suit_of
from service.rules.game import Game, MeldValue, SideFacts, TableFault, TableSide
from service.rules.hand import EMPTY, Hand
from service.rules.melds import Meld, MeldKind
from service.rules.options import Game as GameName
from service.rules.reasons import Reason, Violation
from service.rules.rummy.audit import BLANK, audit, meld_fault
from service.rules.rummy.finish import first_deal
from service.rules.rummy.judge import judge
from service.rules.rummy.legal import legal_moves, open_kinds
from service.rules.rummy.option_tables import RAMINO_OPTIONS, SCALA_40_OPTIONS
from service.rules.rummy.options import RaminoRules, Scala40Rules
from service.rules.rummy.play import play
from service.rules.rummy.presets import (
    RAMINO_PRESETS,
    SCALA_40_PRESETS,
    ramino_contradictions,
    scala_40_contradictions,
)
from service.rules.rummy.reading import points, read, stands_for
from service.rules.rummy.score import best_of, count_deal, count_state
from service.rules.rummy.seats import closing_barred, terms
from service.rules.rummy.terms import terms_of
from service.rules.rummy.whynot import why_not_read
from service.rules.scores import Sheet
from service.rules.state import NOBODY, UNCOUNTED, DealEnd, MatchEnd, Phase, Result, State

Rules = RaminoRules | Scala40Rules

PHASES: Final = frozenset((Phase.DRAW, Phase.PLAY, Phase.DEAL_OVER, Phase.MATCH_OVER))
DEAL_ENDS: Final = frozenset((DealEnd.NOT_ENDED, DealEnd.CLOSED, DealEnd.RESIGNED, DealEnd.VOID))
MATCH_ENDS: Final = frozenset((MatchEnd.NOT_ENDED, MatchEnd.RESIGNED, MatchEnd.LAST_PLAYER))


def deck(rules: Rules) -> bytes:
    """The deck before it is shuffled: its packs, then the jokers (RA-1, SC-1)."""
    return terms_of(rules).deck


def sides(rules: Rules) -> int:
    """Everyone plays for himself (SC-2)."""
    return rules.players


def barred_discard(state: State) -> Card:
    """The card that was taken from the pile, as everyone knows; holding its twin is the taker's own affair (SC-8)."""
    return NO_CARD if state.over or terms(state).rediscard else state.turn.taken


def side_facts(state: State, side: int) -> SideFacts:
    """Points of the melds that a player laid, as they lie, and whether he may close by now (SC-17)."""
    shape = terms(state).shape
    total = sum(points(meld, shape) for meld in state.melds if meld.side == side)
    return SideFacts(total, not state.over and not state.out[side] and not closing_barred(state))


def meld_value(meld: Meld, rules: Rules) -> MeldValue:
    """What a meld is worth as it lies, a joker counted as the card that it replaces (SC-9)."""
    return MeldValue(points(meld, terms_of(rules).shape))


def sheet(state: State) -> Sheet | None:
    """The score sheet of a deal that is over and counted; None otherwise."""
    if not state.over or state.deal_end in UNCOUNTED:
        return None
    return count_state(state)._replace(match_points=state.points)


def readings(selection: Hand, rules: Rules) -> list[Meld]:
    """Every meld that a selection can be, the one that is meant unless another is named first.

    A set with a joker is listed undeclared, then with each missing suit declared (SC-14).
    """
    found = read(selection, terms_of(rules).shape)
    declared = [
        meld._replace(low=suit_of(card) + 1) for meld in found if meld.kind is MeldKind.SET for card in stands_for(meld)
    ]
    return found + declared


def why_no_meld(selection: Hand, rules: Rules) -> list[Violation]:
    """Everything wrong with a selection that is no meld."""
    return why_not_read(selection, terms_of(rules).shape)


def count_table(rules: Rules, table: Sequence[TableSide], closed_by: int, in_hand: bool) -> Sheet:
    """Count a deal at a real table (RA-13, RA-14, SC-21): one hand a player, the closer's empty."""
    hands = []
    for number, side in enumerate(table):
        hand = EMPTY
        for each in side.hands:
            hand = hand.plus(each)
        _may_hold(number, hand, closed_by, is_out=side.points_before >= rules.limit)
        hands.append(hand)
    if closed_by == NOBODY:
        # RA-12: what nobody closed is void, and not counted.
        nothing = (0,) * len(table)
        return Sheet(((),) * len(table), nothing, deal_end=DealEnd.VOID)
    counted = count_deal(hands, closed_by, terms_of(rules), in_hand=in_hand)
    return counted._replace(closed_by_side=closed_by, deal_end=DealEnd.CLOSED)


def _may_hold(number: int, hand: Hand, closed_by: int, *, is_out: bool) -> None:
    """Refuse a hand that its player cannot have at the end: the closer holds none, nor who is out, all others some."""
    if is_out and (hand.size or number == closed_by):
        raise TableFault(number, "hands", None, "take part in the deal, but the player was out of the match before it.")
    if hand.size and number == closed_by:
        text = "hold cards, but the side closed: the one who closed has none."
        raise TableFault(number, "hands", Reason.CLOSE_NEEDS_DISCARD, text)
    if not hand.size and closed_by not in (NOBODY, number) and not is_out:
        raise TableFault(number, "hands", None, "are missing: whoever did not close holds cards.")


def table_result(rules: Rules, before: Sequence[int], totals: Sequence[int], deals: int) -> Result | None:
    """The result of a match from the totals of those who were still in before the deal (SC-22)."""
    del deals
    still_in = [seat for seat, earlier in enumerate(before) if earlier < rules.limit]
    return best_of(totals, still_in or range(len(totals)), rules.limit)


def _game(
    name: GameName,
    presets: Any,  # noqa: ANN401  # as in Game
    rules_type: type[Rules],
    options: Any,  # noqa: ANN401  # as in Game
    contradictions: Any,  # noqa: ANN401  # as in Game
) -> Game:
    return Game(
        name=name,
        presets=presets,
        rules_type=rules_type,
        options=options,
        contradictions=contradictions,
        deck=deck,
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
        why_not_read=why_no_meld,
        count_table=count_table,
        table_result=table_result,
        closes_in_hand=True,
        phases=PHASES,
        deal_ends=DEAL_ENDS,
        match_ends=MATCH_ENDS,
        keeps=frozenset(("laid", "out", "reentries")),
        blank=BLANK,
        meld_fault=meld_fault,
        audit=audit,
    )


RAMINO_GAME: Final = _game(GameName.RAMINO, RAMINO_PRESETS, RaminoRules, RAMINO_OPTIONS, ramino_contradictions)
SCALA_40_GAME: Final = _game(
    GameName.SCALA_40, SCALA_40_PRESETS, Scala40Rules, SCALA_40_OPTIONS, scala_40_contradictions
)
