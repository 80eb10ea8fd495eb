"""Whether a move is legal, and everything wrong with it when it is not.

The legal list, the check and the apply all ask here: there is no second place for any of these rules.
"""

from collections.abc import Callable
from typing import Final

from service.rules.cards import NO_CARD, Card, text
from service.rules.hand import Hand, hand_of, one
from service.rules.melds import Meld
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.outcome import LEGAL, Verdict
from service.rules.reasons import Reason, Violation, violation
from service.rules.rummy.laying import barred, judge_lay_off, judge_meld
from service.rules.rummy.options import NoAttachableDiscard, PileBeforeOpening
from service.rules.rummy.plays import any_play, judge_recovery
from service.rules.rummy.reading import grow
from service.rules.rummy.seats import closing_barred, has_opened, seats_in, terms
from service.rules.state import Phase, State, Turn, replace_at

_START: Final = (MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE, MoveKind.RESIGN)
PLAIN_IN_PHASE: Final = {
    Phase.DRAW: _START,
    Phase.PLAY: (MoveKind.RESIGN,),
    Phase.DEAL_OVER: (MoveKind.NEXT_DEAL, MoveKind.RESIGN),
    Phase.MATCH_OVER: (),
}
"""Kinds of move without arguments that can be legal in each phase, back-end kinds aside."""


def judge(state: State, seat: int, move: Move) -> Verdict:
    """Judge a move of a seat. Its violations come in the order of their reasons' numbers.

    A move out of turn, or of a player who is out, is told nothing but that.
    """
    if fault := _not_now(state, seat, move.kind):
        return Verdict((fault,))
    verdict = _judge(state, seat, move)
    if len(verdict.faults) > 1:
        return verdict._replace(faults=tuple(sorted(verdict.faults, key=lambda fault: fault.reason)))
    return verdict


def is_legal(state: State, seat: int, move: Move) -> bool:
    """Whether a move of a seat is legal."""
    return not judge(state, seat, move).faults


def _judge(state: State, seat: int, move: Move) -> Verdict:
    match move:
        case LayMeld(cards, reading, wild_as):
            return _judge_cards(state, seat, cards, lambda chosen: judge_meld(state, seat, chosen, reading, wild_as))
        case LayOff(meld_id, cards, wild_as):
            return _judge_on(
                state, seat, meld_id, cards, lambda meld, chosen: judge_lay_off(state, seat, meld, chosen, wild_as)
            )
        case ReplaceWild(meld_id, card):
            return _judge_on(
                state, seat, meld_id, bytes((card,)), lambda meld, _: judge_recovery(state, seat, meld, card)
            )
        case Discard(card):
            return _judge_discard(state, seat, card)
    if move.kind is MoveKind.DRAW_STOCK:
        return _judge_draw(state)
    return _judge_take(state, seat) if move.kind is MoveKind.TAKE_PILE else LEGAL


def _not_now(state: State, seat: int, kind: MoveKind) -> Violation | None:
    """Find what forbids any move of this kind by this seat now: phase of the match, game, being out, turn."""
    if state.phase is Phase.MATCH_OVER:
        return violation(Reason.MATCH_OVER)
    asked = terms(state)
    if kind not in asked.kinds:
        return violation(Reason.MOVE_NOT_IN_GAME, game=asked.game)
    if kind is MoveKind.NEXT_DEAL:
        # Whoever asks for it, the deal is the table's: a seat that is out may ask too.
        return None if state.phase is Phase.DEAL_OVER else violation(Reason.DEAL_NOT_OVER)
    if state.out[seat]:
        # RA-14, SC-22: he waits for no turn, and has nothing left to give up.
        return violation(Reason.PLAYER_IS_OUT)
    if kind is MoveKind.RESIGN:
        return None
    if state.phase is Phase.DEAL_OVER:
        return violation(Reason.DEAL_OVER)
    return violation(Reason.NOT_YOUR_TURN, turn=state.seat) if seat != state.seat else None


# --- drawing ----------------------------------------------------------------------------------------------------------


def _judge_draw(state: State) -> Verdict:
    """Drawing from the stock (RA-5, SC-5)."""
    faults = []
    if state.phase is Phase.PLAY:
        faults.append(violation(Reason.ALREADY_DRAWN))
    if not state.stock:
        faults.append(violation(Reason.STOCK_EMPTY))
    return Verdict(tuple(faults))


def _judge_take(state: State, seat: int) -> Verdict:
    """Taking the top card of the pile (RA-5, SC-6, SC-7)."""
    if state.phase is Phase.PLAY:
        return Verdict((violation(Reason.ALREADY_DRAWN),))
    if not state.discard:
        return Verdict((violation(Reason.PILE_EMPTY),))
    asked, top = terms(state), state.discard[-1:]
    before = PileBeforeOpening.FREE if has_opened(state, seat) else asked.pile_before_opening
    if before is PileBeforeOpening.NEVER:
        return Verdict((violation(Reason.PILE_BEFORE_OPENING, top),))
    after = with_taken(state, seat)
    if not after.turn.must_meld or any_play(after, seat):
        return LEGAL
    opens = before is PileBeforeOpening.IF_OPENS_WITH_IT
    return Verdict((violation(Reason.PILE_BEFORE_OPENING if opens else Reason.PILE_TOP_NOT_USABLE, top),))


def with_taken(state: State, seat: int) -> State:
    """The state with the pile's top card in the seat's hand, and the obligation that comes with it (SC-6)."""
    asked, top = terms(state), state.discard[-1]
    to_open = asked.pile_before_opening is PileBeforeOpening.IF_OPENS_WITH_IT and not has_opened(state, seat)
    turn = Turn(taken=top, must_meld=top if asked.pile_card_must_be_used or to_open else NO_CARD)
    hands = replace_at(state.hands, seat, state.hands[seat].plus(one(top)))
    return state._replace(hands=hands, discard=state.discard[:-1], turn=turn, phase=Phase.PLAY)


# --- laying -----------------------------------------------------------------------------------------------------------


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


def _judge_cards(state: State, seat: int, cards: bytes, ask: Callable[[Hand], Verdict]) -> Verdict:
    """Judge a play of cards that the hand has to hold, after the draw."""
    selection = _selection(state, seat, cards)
    if isinstance(selection, Violation):
        return Verdict((*_drawn(state), selection))
    verdict = ask(selection)
    return verdict._replace(faults=(*_drawn(state), *verdict.faults))


def _judge_on(state: State, seat: int, meld_id: int, cards: bytes, ask: Callable[[Meld, Hand], Verdict]) -> Verdict:
    """Judge a play of cards on a meld of the table, whoever owns it."""
    meld = state.meld(meld_id)
    if meld:
        return _judge_cards(state, seat, cards, lambda selection: ask(meld, selection))
    missing = Verdict((violation(Reason.MELD_NOT_FOUND, meld_id=meld_id),))
    return _judge_cards(state, seat, cards, lambda _: missing)


# --- discarding -------------------------------------------------------------------------------------------------------


def _judge_discard(state: State, seat: int, card: Card) -> Verdict:
    """Discarding, or closing with it (RA-8, RA-10, SC-8, SC-16, SC-17)."""
    faults = _drawn(state)
    turn, hand, asked = state.turn, state.hands[seat], terms(state)
    if turn.must_meld:
        faults.append(violation(Reason.MUST_MELD_TOP_CARD, bytes((turn.must_meld,))))
    if turn.melded and not has_opened(state, seat):
        faults.append(violation(Reason.OPENING_TOO_LOW, points=turn.opening, needed=asked.opening_points))
    if turn.jokers_owed:
        faults.append(violation(Reason.RECOVERED_JOKER_UNUSED))
    if not hand.count(card):
        return Verdict((*faults, violation(Reason.CARD_NOT_IN_HAND, bytes((card,)))))
    if barred(turn, hand, card, asked):
        faults.append(violation(Reason.DISCARD_WAS_TAKEN, bytes((card,)), card=text(card)))
    if hand.size == 1:
        if closing_barred(state):
            faults.append(violation(Reason.CLOSE_IN_FIRST_ROUND))
    elif meld := _attachable(state, seat, card):
        faults.append(violation(Reason.DISCARD_FITS_A_MELD, bytes((card,)), meld.meld_id))
    return Verdict(tuple(faults))


def _attachable(state: State, seat: int, card: Card) -> Meld | None:
    """Find a meld that bars a discard because the card fits it (SC-16).

    Where every card that may be discarded otherwise fits one, nothing is barred: a turn has to be able to end.
    """
    if not _minds_fitting(state, seat):
        return None
    found = _fitted(state, card)
    if found is None:
        return None
    turn, hand, asked = state.turn, state.hands[seat], terms(state)
    others = [face for face in hand.faces() if face != card and not barred(turn, hand, face, asked)]
    return found if any(_fitted(state, face) is None for face in others) else None


def _minds_fitting(state: State, seat: int) -> bool:
    match terms(state).no_attachable_discard:
        case NoAttachableDiscard.OFF:
            return False
        case NoAttachableDiscard.UNOPENED:
            return not has_opened(state, seat)
        case NoAttachableDiscard.ALL_IF_THREE_PLUS:
            return len(seats_in(state)) > 2
    return True


def _fitted(state: State, card: Card) -> Meld | None:
    shape = terms(state).shape
    return next((meld for meld in state.melds if grow(meld, one(card), shape)), None)


# --- what is open -----------------------------------------------------------------------------------------------------


def plain_moves(state: State, seat: int) -> list[MoveKind]:
    """Kinds of move without arguments that are legal now, back-end kinds aside, in the order of their numbers."""
    return [kind for kind in PLAIN_IN_PHASE[state.phase] if is_legal(state, seat, Plain(kind))]


def legal_discards(state: State, seat: int) -> bytes:
    """Faces that the seat may discard now, by card number."""
    if state.phase is not Phase.PLAY or seat != state.seat:
        return b""
    return bytes([card for card in state.hands[seat].faces() if is_legal(state, seat, Discard(card))])
