"""Whether a move is legal, and everything wrong with it when it is not.

The legal list, the check and the apply all ask here: there is no second place for any of these rules.
"""

from typing import Final

from service.rules.burraco.guard import barred, may_close
from service.rules.burraco.laying import judge_lay_off, judge_meld
from service.rules.burraco.plays import any_play, top_is_usable
from service.rules.cards import Card, is_wild
from service.rules.hand import Hand, hand_of
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, Plain
from service.rules.options import CloseNeeds, PileTake
from service.rules.outcome import LEGAL, Verdict
from service.rules.reasons import Reason, Violation, violation
from service.rules.state import NOBODY, Phase, State, Turn, replace_at

ANYTIME: Final = frozenset((MoveKind.RESIGN, MoveKind.CALL_TIME))
"""Kinds that do not wait for the seat's turn."""

KINDS: Final = frozenset(MoveKind) - {MoveKind.REPLACE_WILD, MoveKind.KNOCK, MoveKind.PASS_UPCARD}
"""Kinds of move that Burraco has."""

_START: Final = (MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE, MoveKind.DECLARE_STALEMATE, MoveKind.RESIGN)
PLAIN_IN_PHASE: Final = {
    Phase.DRAW: _START,
    Phase.PLAY: (MoveKind.RESIGN,),
    Phase.DEAL_OVER: (MoveKind.NEXT_DEAL, MoveKind.RESIGN),
    Phase.MATCH_OVER: (),
}
"""Kinds of move without arguments that can be legal in each phase, back-end kinds aside."""


def judge(state: State, seat: int, move: Move) -> Verdict:
    """Judge a move of a seat. Its violations come in the order of their reasons' numbers.

    A move out of turn is told nothing but that: the mover may not even know its own hand then (B4-28).
    """
    if fault := _not_now(state, seat, move.kind):
        return Verdict((fault,))
    verdict = _judge(state, seat, move)
    if len(verdict.faults) > 1:
        return verdict._replace(faults=tuple(sorted(verdict.faults, key=lambda fault: fault.reason)))
    return verdict


def _judge(state: State, seat: int, move: Move) -> Verdict:
    match move:
        case LayMeld():
            return _judge_meld(state, seat, move)
        case LayOff():
            return _judge_lay_off(state, seat, move)
        case Discard(card):
            return _judge_discard(state, seat, card)
    match move.kind:
        case MoveKind.DRAW_STOCK:
            return _judge_draw(state)
        case MoveKind.TAKE_PILE:
            return _judge_take(state, seat)
        case MoveKind.DECLARE_STALEMATE:
            return _judge_stalemate(state)
        case MoveKind.CALL_TIME if state.turns_left != NOBODY:
            return Verdict((violation(Reason.TIME_ALREADY_CALLED),))
        case _:
            return LEGAL


def is_legal(state: State, seat: int, move: Move) -> bool:
    """Whether a move of a seat is legal."""
    return not judge(state, seat, move).faults


def _not_now(state: State, seat: int, kind: MoveKind) -> Violation | None:
    """Find what forbids any move of this kind by this seat now: phase of the match, turn, game."""
    if state.phase is Phase.MATCH_OVER:
        return violation(Reason.MATCH_OVER)
    if kind not in KINDS:
        return violation(Reason.MOVE_NOT_IN_GAME, game="Burraco")
    if kind is MoveKind.RESIGN:
        return None
    if kind is MoveKind.NEXT_DEAL:
        return None if state.phase is Phase.DEAL_OVER else violation(Reason.DEAL_NOT_OVER)
    if state.phase is Phase.DEAL_OVER:
        return violation(Reason.DEAL_OVER)
    if seat != state.seat and kind not in ANYTIME:
        return violation(Reason.NOT_YOUR_TURN, turn=state.seat)
    return None


def _judge_draw(state: State) -> Verdict:
    """Drawing from the stock (B4-15)."""
    faults = []
    if state.phase is Phase.PLAY:
        faults.append(violation(Reason.ALREADY_DRAWN))
    if not state.stock:
        faults.append(violation(Reason.STOCK_EMPTY))
    return Verdict(tuple(faults))


def _judge_take(state: State, seat: int) -> Verdict:
    """Taking the pile (B4-15, rows 6 and 8, R2)."""
    if state.phase is Phase.PLAY:
        return Verdict((violation(Reason.ALREADY_DRAWN),))
    if not state.discard:
        return Verdict((violation(Reason.PILE_EMPTY),))
    rules = state.rules
    faults = []
    if not rules.one_card_player_may_take_pile and state.hands[seat].size == 1:
        faults.append(violation(Reason.PILE_BARRED_TO_ONE_CARD))
    side = state.side_of(seat)
    if rules.pile_take is PileTake.AFTER_MELDING and not any(meld.side == side for meld in state.melds):
        faults.append(violation(Reason.PILE_NEEDS_EARLIER_MELD))
    if rules.pile_take is PileTake.TOP_CARD_USABLE and not top_is_usable(with_pile(state, seat), seat):
        top = state.discard[-1:]
        faults.append(violation(Reason.PILE_TOP_NOT_USABLE, top))
    if rules.pile_take is PileTake.MUST_MELD and not any_play(with_pile(state, seat), seat):
        faults.append(violation(Reason.PILE_NEEDS_MELD))
    return Verdict(tuple(faults))


def with_pile(state: State, seat: int) -> State:
    """The state with the pile in the seat's hand, and the obligations that come with it."""
    before, pile = state.hands[seat], state.discard
    rules = state.rules
    obliged = rules.pile_take is PileTake.TOP_CARD_USABLE
    turn = Turn(
        taken_single=pile[0] if len(pile) == 1 else 0,
        must_meld=pile[-1] if obliged else 0,
        must_meld_something=rules.pile_take is PileTake.MUST_MELD,
        hand_before_pile=before if obliged else Hand(),
    )
    hands = replace_at(state.hands, seat, before.plus(hand_of(pile)))
    return state._replace(hands=hands, discard=b"", turn=turn, phase=Phase.PLAY)


def _selection(state: State, seat: int, cards: bytes) -> Hand | Violation:
    """Find the cards in the hand; those that it lacks otherwise, each as often as it is lacking."""
    hand = state.hands[seat]
    try:
        selection = hand_of(cards)
    except ValueError:
        selection = None
    if selection is not None and hand.covers(selection):
        return selection
    missing = bytes(card for card in sorted(set(cards)) for _ in range(cards.count(card) - hand.count(card)))
    return violation(Reason.CARD_NOT_IN_HAND, missing)


def _drawn(state: State) -> list[Violation]:
    return [violation(Reason.MUST_DRAW_FIRST)] if state.phase is Phase.DRAW else []


def _judge_meld(state: State, seat: int, move: LayMeld) -> Verdict:
    """Laying a meld (B4-19)."""
    faults = _drawn(state)
    selection = _selection(state, seat, move.cards)
    if isinstance(selection, Violation):
        return Verdict((*faults, selection))
    verdict = judge_meld(state, seat, selection)
    faults += verdict.faults
    meld = verdict.meld
    if meld and (move.reading not in (None, meld.kind) or move.wild_as not in (0, meld.wild_as)):
        faults.append(violation(Reason.READING_NOT_POSSIBLE, move.cards))
    return Verdict(tuple(faults), meld)


def _judge_lay_off(state: State, seat: int, move: LayOff) -> Verdict:
    """Laying off on a meld (B4-16)."""
    faults = _drawn(state)
    selection = _selection(state, seat, move.cards)
    if isinstance(selection, Violation):
        faults.append(selection)
    target = state.meld(move.meld_id)
    if target is None:
        faults.append(violation(Reason.MELD_NOT_FOUND, meld_id=move.meld_id))
    elif target.side != state.side_of(seat):
        faults.append(violation(Reason.MELD_OF_OTHER_SIDE, meld_id=move.meld_id, side=target.side))
    elif not isinstance(selection, Violation):
        verdict = judge_lay_off(state, seat, target, selection)
        faults += verdict.faults
        if verdict.meld and move.wild_as not in (0, verdict.meld.wild_as):
            faults.append(violation(Reason.READING_NOT_POSSIBLE, move.cards, move.meld_id))
        return Verdict(tuple(faults), verdict.meld)
    return Verdict(tuple(faults))


def _judge_discard(state: State, seat: int, card: Card) -> Verdict:
    """Discarding, going to the pozzetto with it, or closing (B4-15, B4-17, B4-28, B4-31)."""
    faults = _drawn(state)
    turn, hand, rules = state.turn, state.hands[seat], state.rules
    if turn.must_meld:
        faults.append(violation(Reason.MUST_MELD_TOP_CARD, bytes((turn.must_meld,))))
    if turn.must_meld_something:
        faults.append(violation(Reason.MUST_MELD_FIRST))
    if not hand.count(card):
        return Verdict((*faults, violation(Reason.CARD_NOT_IN_HAND, bytes((card,)))))
    if barred(turn, hand, card, rules):
        faults.append(violation(Reason.DISCARD_WAS_WHOLE_PILE, bytes((card,))))
    side = state.side_of(seat)
    if hand.size == 1 and not state.pozzetto_available(side):
        if state.taken_by[side] == NOBODY:
            faults.append(violation(Reason.CLOSE_NEEDS_POZZETTO))
        elif not may_close(state, side, state.melds):
            clean = rules.close_needs is CloseNeeds.CLEAN_BURRACO
            faults.append(violation(Reason.CLOSE_NEEDS_CLEAN_BURRACO if clean else Reason.CLOSE_NEEDS_BURRACO))
        if is_wild(card) and not rules.close_with_wild_discard:
            faults.append(violation(Reason.CLOSE_WITH_WILD, bytes((card,))))
    return Verdict(tuple(faults))


def _judge_stalemate(state: State) -> Verdict:
    """Declaring a stalemate: before drawing, once a one-card pile has gone a full round (B4-34)."""
    faults = []
    needed = len(state.match.players)
    if state.stalemate_turns < needed:
        faults.append(violation(Reason.NO_STALEMATE, needed=needed, turns=state.stalemate_turns))
    if state.phase is not Phase.DRAW:
        faults.append(violation(Reason.STALEMATE_AFTER_DRAW))
    return Verdict(tuple(faults))


def plain_moves(state: State, seat: int) -> list[MoveKind]:
    """Kinds of move without arguments that are legal now, back-end kinds aside, in the order of their numbers."""
    return [kind for kind in PLAIN_IN_PHASE[state.phase] if is_legal(state, seat, Plain(kind))]


def legal_discards(state: State, seat: int) -> bytes:
    """Faces that the seat may discard now, by card number."""
    if state.phase is not Phase.PLAY or seat != state.seat:
        return b""
    turn, hand = state.turn, state.hands[seat]
    if hand.size > 1 and not turn.must_meld and not turn.must_meld_something:
        # Nothing but the bar on the pile's card can be wrong with a card then.
        return bytes([card for card in hand.faces() if not barred(turn, hand, card, state.rules)])
    return bytes([card for card in hand.faces() if is_legal(state, seat, Discard(card))])
