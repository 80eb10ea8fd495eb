"""From values to messages: melds, legal moves, scores, violations, views. Events have a file of their own."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, SupportsIndex

from burraco.v1 import cards_pb2, melds_pb2, moves_pb2, reasons_pb2, scores_pb2, views_pb2
from service.rules.cards import JOKER, rank_of
from service.rules.citations import rule_of, rule_of_item
from service.rules.events import SPECTATOR
from service.rules.games import game_with
from service.rules.hand import Hand
from service.rules.melds import Meld
from service.rules.options import Game, RuleSet
from service.rules.outcome import LegalMoves
from service.rules.reasons import Violation
from service.rules.scores import Sheet
from service.rules.state import NOBODY, Result
from service.rules.stream import SHUFFLE_VERSION
from service.rules.view import FairnessView, View
from service.text.catalogue import Catalogue

Cards = Any
"""Bytes of card numbers, which are those of the contract: protobuf takes them as they are."""

RANK_FIRST: Final = cards_pb2.HAND_ORDER_RANK_FIRST


def viewer_message(viewer: int) -> cards_pb2.Viewer:
    """Write a viewer."""
    if viewer == SPECTATOR:
        return cards_pb2.Viewer(spectator=cards_pb2.Spectator())
    return cards_pb2.Viewer(seat=viewer)


@lru_cache(maxsize=4096)
def meld_message(meld: Meld, rules: RuleSet) -> melds_pb2.Meld:
    """Write a meld. The message is shared: never change it."""
    cards: Cards = meld.cards
    kind: Any = meld.kind
    value = game_with(rules).meld_value(meld, rules)
    burraco: Any = value.burraco
    wild_as: Any = meld.wild_as
    return melds_pb2.Meld(
        meld_id=meld.meld_id,
        side=meld.side,
        kind=kind,
        cards=cards,
        wild_index=meld.wild_at if meld.wild_at >= 0 else None,
        wild_as=wild_as,
        burraco=burraco,
        card_points=value.card_points,
        bonus_points=value.bonus,
    )


def legal_message(legal: LegalMoves) -> moves_pb2.LegalMoves:
    """Write a list of legal moves."""
    simple: Any = legal.plain
    discards: Cards = legal.discards
    groups = []
    for group in legal.groups:
        kind: Any = group.kind
        meld_kind: Any = group.meld_kind
        required: Cards = group.required
        wilds: Cards = group.wilds
        optional = [cards_pb2.CardCount(card=card, count=count) for card, count in group.optional]  # type: ignore[arg-type]  # see Cards
        groups.append(
            moves_pb2.MoveGroup(
                kind=kind,
                meld_id=group.meld_id,
                meld_kind=meld_kind,
                required=required,
                optional=optional,
                min_optional=group.min_optional,
                max_optional=group.max_optional,
                wild_choices=wilds,
                count=group.plays,
            )
        )
    return moves_pb2.LegalMoves(
        simple=simple, discards=discards, groups=groups, count=legal.total, truncated=legal.truncated
    )


def violation_messages(
    violations: Sequence[Violation], move_index: int, catalogue: Catalogue, game: Game
) -> list[reasons_pb2.Violation]:
    """Write violations, in the order that they come in."""
    messages = []
    for violation in violations:
        reason: Any = violation.reason
        cards: Cards = violation.cards
        messages.append(
            reasons_pb2.Violation(
                reason=reason,
                rule_id=rule_of(violation.reason, game),
                move_index=move_index,
                cards=cards,
                meld_id=violation.meld_id,
                arguments=[reasons_pb2.Argument(name=name, value=value) for name, value in violation.arguments],
                text=catalogue.violation(violation),
            )
        )
    return messages


def sheet_message(sheet: Sheet, catalogue: Catalogue, game: Game) -> scores_pb2.ScoreSheet:
    """Write a score sheet."""
    sides = []
    for side, lines in enumerate(sheet.lines):
        messages = []
        for line in lines:
            item: Any = line.item
            messages.append(
                scores_pb2.ScoreLine(
                    item=item,
                    points=line.points,
                    meld_id=line.meld_id,
                    seat=None if line.seat == NOBODY else line.seat,
                    rule_id=rule_of_item(line.item, game),
                    text=catalogue.score_line(line),
                )
            )
        points = sheet.deal_points[side]
        total = sheet.match_points[side] if sheet.match_points else points
        sides.append(scores_pb2.SideScore(side=side, lines=messages, deal_points=points, match_points=total))
    deal_end: Any = sheet.deal_end
    return scores_pb2.ScoreSheet(
        deal_number=sheet.deal_number,
        sides=sides,
        deal_end=deal_end,
        closed_by_side=None if sheet.closed_by_side == NOBODY else sheet.closed_by_side,
    )


def result_message(result: Result, points: Sequence[int]) -> scores_pb2.MatchResult:
    """Write the result of a match."""
    match_end: Any = result.match_end
    return scores_pb2.MatchResult(
        match_end=match_end,
        winning_sides=result.winning_sides,
        match_points=points,
        victory_points=result.victory_points,
    )


def hand_cards(hand: Hand, order: int) -> bytes:
    """Cards of a hand as a viewer wants them sorted."""
    cards = hand.cards()
    return bytes(sorted(cards, key=_by_rank)) if order == RANK_FIRST else cards


def _by_rank(card: SupportsIndex) -> tuple[bool, int, int]:
    card = int(card)
    return card == JOKER, rank_of(card), card


def view_message(view: View, rules: RuleSet, catalogue: Catalogue, order: int) -> views_pb2.View:
    """Write a view."""
    phase: Any = view.phase
    discard: Cards = view.discard
    open_kinds: Any = view.open_kinds
    barred: Any = view.barred_discard
    must_meld: Any = view.turn_state.must_meld
    deal_end: Any = view.deal_end
    drawn: Any = view.turn_state.drawn
    points = [side.match_points for side in view.sides]
    return views_pb2.View(
        match_id=view.match_id,
        revision=view.revision,
        viewer=viewer_message(view.viewer),
        phase=phase,
        deal_number=view.deal_number,
        dealer=view.dealer,
        turn=None if view.turn == NOBODY else view.turn,
        seats=[_seat_message(view, seat, order) for seat in range(len(view.seats))],
        sides=[
            views_pb2.SideView(
                side=side.side,
                match_points=side.match_points,
                table_points=side.table_points,
                pozzetto_taken_by=None if side.pozzetto_taken_by == NOBODY else side.pozzetto_taken_by,
                may_close=side.may_close,
                deals_won=side.deals_won,
            )
            for side in view.sides
        ],
        melds=[meld_message(meld, rules) for meld in view.melds],
        stock_count=view.stock_count,
        discard_count=view.discard_count,
        discard=discard,
        pozzetti_left=view.pozzetti_left,
        open_kinds=open_kinds,
        barred_discard=barred,
        must_meld=must_meld,
        must_meld_something=view.turn_state.must_meld_something,
        stalemate_turns=view.stalemate_turns,
        turns_left=None if view.turns_left == NOBODY else view.turns_left,
        last_turn=view.turn_state.last,
        score_sheet=sheet_message(view.sheet, catalogue, rules.game) if view.sheet else None,
        result=result_message(view.result, points) if view.result else None,
        deal_end=deal_end,
        closed_by=None if view.closed_by == NOBODY else view.closed_by,
        drawn=drawn,
        deals_scored=view.deals_scored,
        knocker=None if view.knocker == NOBODY else view.knocker,
        passes=view.passes,
        knock_limit=view.knock_limit,
        opening_points=view.turn_state.opening,
        jokers_owed=view.turn_state.jokers_owed,
        fairness=fairness_message(view.fairness),
    )


def _seat_message(view: View, seat: int, order: int) -> views_pb2.SeatView:
    shown = view.seats[seat]
    hand: Cards = hand_cards(shown.hand, order) if shown.hand is not None else b""
    return views_pb2.SeatView(
        seat=seat,
        side=shown.side,
        player=shown.player,
        hand_count=shown.hand_count,
        hand=hand,
        pozzetto_unseen=shown.unseen,
        out=shown.out,
        has_laid=shown.has_laid,
        reentries=shown.reentries,
    )


def fairness_message(fairness: FairnessView) -> views_pb2.Fairness:
    """Write how the deck is chosen."""
    return views_pb2.Fairness(
        verifiable=fairness.verifiable,
        commitment=fairness.commitment,
        entropy=fairness.entropy,
        seed=fairness.seed,
        salt=fairness.salt,
        shuffle_version=SHUFFLE_VERSION,
    )
