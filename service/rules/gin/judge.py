"""Whether a move is legal, and everything wrong with it when it is not; the list of legal moves.

The legal list, the check and the apply all ask here: there is no second place for any of these rules.
"""

from typing import Final, NamedTuple

from service.rules.cards import ACE, NO_CARD, Card, Plane, rank_of, text
from service.rules.gin.deadwood import (
    VALUES,
    Arrangement,
    best_arrangement,
    least_deadwood,
    least_without,
    plane_of,
    points,
    wrong_melds,
)
from service.rules.gin.dealing import first_upcard
from service.rules.gin.options import GinRules, Oklahoma
from service.rules.melds import MeldKind
from service.rules.moves import Discard, Knock, Move, MoveKind, Plain
from service.rules.outcome import LEGAL, Group, LegalMoves, Verdict
from service.rules.reasons import Reason, Violation, violation
from service.rules.state import Phase, State

KINDS: Final = frozenset(
    (
        *(MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE, MoveKind.DISCARD, MoveKind.KNOCK, MoveKind.PASS_UPCARD),
        *(MoveKind.NEXT_DEAL, MoveKind.RESIGN, MoveKind.TIME_OUT_TURN),
    )
)
"""Kinds of move that Gin has."""

PLAIN_IN_PHASE: Final = {
    Phase.UPCARD: (MoveKind.TAKE_PILE, MoveKind.PASS_UPCARD, MoveKind.RESIGN),
    Phase.DRAW: (MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE, MoveKind.RESIGN),
    Phase.PLAY: (MoveKind.RESIGN,),
    Phase.DEAL_OVER: (MoveKind.NEXT_DEAL, MoveKind.RESIGN),
    Phase.MATCH_OVER: (),
}
"""Kinds of move without arguments that can be legal in each phase, back-end kinds aside."""

BOTH_PASSED: Final = 2


def rules_of(state: State) -> GinRules:
    """The rules in force."""
    rules: GinRules = state.match.rules
    return rules


def knock_limit(state: State) -> int:
    """Most deadwood to knock with in this deal (GI-7, row 41)."""
    rules = rules_of(state)
    if rules.oklahoma is Oklahoma.OFF:
        return rules.knock_limit
    card = first_upcard(state.match.fairness, state.deal_number)
    if rank_of(card) == ACE and rules.oklahoma is Oklahoma.ACE_IS_GIN:
        return 0
    return VALUES[card]


def judge(state: State, seat: int, move: Move) -> Verdict:
    """Judge a move of a seat. Its violations come in the order of their reasons' numbers.

    A move out of turn is told nothing but that.
    """
    if fault := _not_now(state, seat, move.kind):
        return Verdict((fault,))
    match move:
        case Discard(card):
            return _judge_discard(state, seat, card)
        case Knock():
            return _judge_knock(state, seat, move)
    match move.kind:
        case MoveKind.DRAW_STOCK:
            return _judge_draw(state)
        case MoveKind.TAKE_PILE:
            return _judge_take(state)
        case MoveKind.PASS_UPCARD if state.phase is not Phase.UPCARD:
            return Verdict((violation(Reason.NO_UPCARD_TO_PASS),))
        case _:
            return LEGAL


def is_legal(state: State, seat: int, move: Move) -> bool:
    """Whether a move of a seat is legal."""
    return not judge(state, seat, move).faults


def _not_now(state: State, seat: int, kind: MoveKind) -> Violation | None:
    """Find what forbids any move of this kind by this seat now: phase of the match, game, turn."""
    if state.phase is Phase.MATCH_OVER:
        return violation(Reason.MATCH_OVER)
    if kind not in KINDS:
        return violation(Reason.MOVE_NOT_IN_GAME, game="Gin")
    if kind is MoveKind.RESIGN:
        return None
    if kind is MoveKind.NEXT_DEAL:
        return None if state.phase is Phase.DEAL_OVER else violation(Reason.DEAL_NOT_OVER)
    if state.phase is Phase.DEAL_OVER:
        return violation(Reason.DEAL_OVER)
    if seat != state.seat:
        return violation(Reason.NOT_YOUR_TURN, turn=state.seat)
    return None


def _judge_draw(state: State) -> Verdict:
    """Drawing from the stock (GI-5); not while the up-card is offered (GI-4)."""
    faults = []
    if state.phase is Phase.PLAY:
        faults.append(violation(Reason.ALREADY_DRAWN))
    if not state.stock:
        faults.append(violation(Reason.STOCK_EMPTY))
    if state.phase is Phase.UPCARD:
        faults.append(violation(Reason.UPCARD_OFFERED))
    return Verdict(tuple(faults))


def _judge_take(state: State) -> Verdict:
    """Taking the pile's top card (GI-4, GI-5, E71)."""
    faults = []
    if state.phase is Phase.PLAY:
        faults.append(violation(Reason.ALREADY_DRAWN))
    if not state.discard:
        faults.append(violation(Reason.PILE_EMPTY))
    if state.passes == BOTH_PASSED:
        faults.append(violation(Reason.UPCARD_WAS_PASSED))
    return Verdict(tuple(faults))


def _played(state: State, seat: int, card: Card) -> list[Violation]:
    """Find what forbids to part with a card of the hand now, knocking or not."""
    faults = []
    if state.phase is not Phase.PLAY:
        faults.append(violation(Reason.MUST_DRAW_FIRST))
    if not state.hands[seat].count(card):
        faults.append(violation(Reason.CARD_NOT_IN_HAND, bytes((card,))))
    elif card == state.turn.taken:
        faults.append(violation(Reason.DISCARD_WAS_TAKEN, bytes((card,)), card=text(card)))
    return faults


def _judge_discard(state: State, seat: int, card: Card) -> Verdict:
    """Discarding without a knock (GI-5, E70)."""
    return Verdict(tuple(_played(state, seat, card)))


# --- knocking ---------------------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """What a knocker lays down: his melds, and the rest."""

    melds: Arrangement
    deadwood: Plane


def shown(kept: Plane, groups: tuple[bytes, ...]) -> Shown:
    """Lay down the cards kept, as the knocker wants it or, if he does not say, with the least deadwood (GI-6)."""
    melds = tuple(map(plane_of, groups)) if groups else best_arrangement(kept)
    for meld in melds:
        kept &= ~meld
    return Shown(melds, kept)


def kept_by(state: State, seat: int, discard: Card) -> Plane:
    """Cards left after a discard; NO_CARD is big gin's."""
    return state.hands[seat].once & ~(1 << discard)


def _judge_knock(state: State, seat: int, move: Knock) -> Verdict:
    """Knocking, with gin or not (GI-7, GI-10); without a discard it is big gin (GI-11)."""
    big = move.discard == NO_CARD
    if not big:
        faults = _played(state, seat, move.discard)
    elif state.phase is not Phase.PLAY:
        faults = [violation(Reason.MUST_DRAW_FIRST)]
    else:
        faults = [] if rules_of(state).big_gin_bonus else [violation(Reason.CLOSE_NEEDS_DISCARD)]
    if any(fault.reason is not Reason.DISCARD_WAS_TAKEN for fault in faults):
        return Verdict(tuple(faults))
    kept = kept_by(state, seat, move.discard)
    wrong = wrong_melds(kept, move.melds)
    if wrong is not None:
        faults.append(violation(Reason.KNOCK_MELDS_WRONG, wrong))
    else:
        deadwood = points(shown(kept, move.melds).deadwood) if move.melds else least_deadwood(kept)
        limit = 0 if big else knock_limit(state)
        if deadwood > limit:
            faults.append(violation(Reason.TOO_MUCH_DEADWOOD, deadwood=deadwood, limit=limit))
    return Verdict(tuple(sorted(faults, key=lambda fault: fault.reason)))


def legal_knocks(state: State, seat: int) -> bytes:
    """Discards with which the seat may knock, by card number, the service arranging the rest; NO_CARD is big gin's."""
    if state.phase is not Phase.PLAY or seat != state.seat:
        return b""
    hand, taken, limit = state.hands[seat].once, state.turn.taken, knock_limit(state)
    found = [card for card, least in least_without(hand).items() if card != taken and least <= limit]
    big = rules_of(state).big_gin_bonus and not least_deadwood(hand)
    return bytes([NO_CARD, *found] if big else found)


# --- the list ---------------------------------------------------------------------------------------------------------


def plain_moves(state: State, seat: int) -> list[MoveKind]:
    """Kinds of move without arguments that are legal now, back-end kinds aside, in the order of their numbers."""
    return [kind for kind in PLAIN_IN_PHASE[state.phase] if is_legal(state, seat, Plain(kind))]


def legal_discards(state: State, seat: int) -> bytes:
    """Cards that the seat may discard now, by card number: all but the one just taken (GI-5)."""
    if state.phase is not Phase.PLAY or seat != state.seat:
        return b""
    return bytes([card for card in state.hands[seat].faces() if card != state.turn.taken])


def open_kinds(state: State, seat: int) -> tuple[MoveKind, ...]:
    """Kinds of move open to a seat."""
    kinds = plain_moves(state, seat)
    if legal_discards(state, seat):
        kinds.append(MoveKind.DISCARD)
    if legal_knocks(state, seat):
        kinds.append(MoveKind.KNOCK)
    return tuple(sorted(kinds))


def legal_moves(state: State, seat: int, most: int) -> LegalMoves:
    """List the legal moves of a seat, at most `most` single ones: plain, discards, then knocks.

    A group of kind KNOCK stands for one knock, `required` being its discard (none for big gin); how the other cards are
    arranged is left to the service there. Its kind of meld means nothing.
    """
    every_plain, every_discard = plain_moves(state, seat), legal_discards(state, seat)
    plain = tuple(every_plain[:most])
    discards = every_discard[: most - len(plain)]
    count = len(plain) + len(discards)
    knocks = legal_knocks(state, seat)
    groups = tuple(
        Group(MoveKind.KNOCK, MeldKind.SET, required=bytes((card,)) if card else b"")
        for card in knocks[: max(0, most - count)]
    )
    every = len(every_plain) + len(every_discard) + len(knocks)
    count += len(groups)
    return LegalMoves(plain, discards, groups, count, count < every)
