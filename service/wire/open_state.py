"""Open states, hidden cards included: from a state to the message that the arbiter hands out, and defects of one.

A state that does not hold together is written too, as far as the message has room for it: its reader wants to see why.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

from burraco.v1 import arbiter_service_pb2, cards_pb2, melds_pb2, reasons_pb2, scores_pb2, state_pb2, views_pb2
from service.rules.cards import JOKER
from service.rules.defects import StateDefect
from service.rules.games import game_of
from service.rules.hand import EMPTY, Hand
from service.rules.melds import Meld
from service.rules.options import RuleSet
from service.rules.state import NOBODY, Fairness, State, Turn
from service.rules.stream import SHUFFLE_VERSION, commitment
from service.wire.answers import meld_message
from service.wire.rules_codec import rules_message

MOST_DEFECTS: Final = 200
"""Defects that one answer tells; one more says how many there are beyond."""
_PART: Final = re.compile(r"(\w+)(?:\[(\d+)\])?")


def open_message(state: State) -> state_pb2.GameState:
    """Write a state."""
    match = state.match
    phase: Any = int(state.phase)
    deal_end: Any = int(state.deal_end)
    message = state_pb2.GameState(
        match_id=match.match_id,
        revision=state.revision,
        chain=state.chain,
        rules=rules_message(match.rules),
        players=match.players,
        fairness=_fairness(match.fairness),
        deal_number=state.deal_number,
        dealer=state.dealer,
        phase=phase,
        turn=state.seat,
        hands=[_group(hand_cards(hand)) for hand in state.hands],
        unseen_seats=_seats(state.unseen),
        pozzetti=[_group(pozzetto) for pozzetto in state.pozzetti],
        stock=_cards(state.stock),
        discard=_cards(state.discard),
        melds=[_meld(state, meld, match.rules) for meld in state.melds],
        next_meld_id=state.next_meld_id,
        sides=_sides(state),
        turn_state=_turn(state.turn),
        stalemate_turns=state.stalemate_turns,
        turns_left=_optional(state.turns_left),
        deal_end=deal_end,
        closed_by=_optional(state.closed_by),
        result=_result(state),
        token_epochs=state.token_epochs,
        deals_scored=state.deals_scored,
        laid_seats=_seats(state.laid),
        out_seats=_seats(state.out),
        reentries=state.reentries,
        turns_taken=state.turns_taken,
        renewals=state.renewals,
        passes=state.passes,
        knocker=_optional(state.knocker),
        deals_won=state.deals_won,
        closed_in_hand=state.doubled,
        alone=_optional(state.alone),
        seed_given=match.fairness.given,
    )
    return message  # noqa: RET504  # the call is long enough


def hand_cards(hand: Hand) -> bytes:
    """Cards of a hand, even of one that is none."""
    once, twice = (bytes([bit for bit in range(64) if plane >> bit & 1]) for plane in (hand.once, hand.twice))
    return bytes(sorted(once + twice)) + bytes((JOKER,)) * hand.jokers


def _cards(cards: bytes) -> Any:  # noqa: ANN401  # bytes of card numbers, which protobuf takes as they are
    return cards


def _group(cards: bytes) -> cards_pb2.CardGroup:
    return cards_pb2.CardGroup(cards=_cards(cards))


def _seats(flags: Iterable[bool]) -> list[int]:
    return [seat for seat, flag in enumerate(flags) if flag]


def _optional(number: int) -> int | None:
    return None if number == NOBODY else number


def fairness_message(fairness: Fairness) -> tuple[bool, bytes]:
    """What follows from seed, salt and entropy: whether the match is verifiable, and the commitment."""
    return fairness.verifiable, commitment(fairness.salt, fairness.seed) if fairness.salt else b""


def _fairness(fairness: Fairness) -> views_pb2.Fairness:
    verifiable, committed = fairness_message(fairness)
    return views_pb2.Fairness(
        verifiable=verifiable,
        commitment=committed,
        entropy=fairness.entropy,
        seed=fairness.seed,
        salt=fairness.salt,
        shuffle_version=SHUFFLE_VERSION,
    )


def _meld(state: State, meld: Meld, rules: RuleSet) -> melds_pb2.Meld:
    if game_of(state).meld_fault(meld, rules) is None:
        return meld_message(meld, rules)
    # What is none has no value and no kind; its wild stands for nothing.
    kind: Any = int(meld.kind)
    return melds_pb2.Meld(
        meld_id=meld.meld_id, side=meld.side, kind=kind, cards=_cards(meld.cards), wild_index=_optional(meld.wild_at)
    )


def _sides(state: State) -> list[state_pb2.SideState]:
    sides = []
    for side in range(max(len(state.points), len(state.taken_by), len(state.unplayed))):
        taken_by = state.taken_by[side] if side < len(state.taken_by) else NOBODY
        sides.append(
            state_pb2.SideState(
                match_points=state.points[side] if side < len(state.points) else 0,
                pozzetto_taken_by=_optional(taken_by),
                pozzetto_unplayed=side < len(state.unplayed) and state.unplayed[side],
            )
        )
    return sides


def _turn(turn: Turn) -> state_pb2.TurnState:
    cards: Any = turn
    return state_pb2.TurnState(
        drawn=cards.drawn,
        taken_single=cards.taken_single,
        must_meld=cards.must_meld,
        must_meld_something=turn.must_meld_something,
        melded=turn.melded,
        last_turn=turn.last,
        hand_before_pile=_cards(hand_cards(turn.hand_before_pile) if turn.hand_before_pile != EMPTY else b""),
        taken=cards.taken,
        laid_off=turn.laid_off,
        opening_points=turn.opening,
        jokers_owed=turn.jokers_owed,
    )


def _result(state: State) -> scores_pb2.MatchResult | None:
    result = state.result
    if result is None:
        return None
    match_end: Any = int(result.match_end)
    return scores_pb2.MatchResult(
        match_end=match_end,
        winning_sides=result.winning_sides,
        match_points=state.points,
        victory_points=result.victory_points,
    )


# --- defects ----------------------------------------------------------------------------------------------------------


def in_order(defects: Iterable[StateDefect]) -> list[StateDefect]:
    """Sort defects by the fields of GameState, those of the state as a whole last, and leave out those told twice."""
    return sorted(dict.fromkeys(defects), key=lambda found: _place(found.field))


def _place(field: str) -> tuple[tuple[int, int], ...]:
    if not field:
        return ((1 << 16, 0),)
    places = []
    message: Any = state_pb2.GameState.DESCRIPTOR
    for name, index in _PART.findall(field):
        found = message.fields_by_name[name]
        places.append((found.number, int(index or -1)))
        message = found.message_type
    return tuple(places)


def defect_messages(defects: list[StateDefect]) -> list[arbiter_service_pb2.StateDefect]:
    """Write defects, and how many there are beyond what one answer tells."""
    messages = [_defect_message(found) for found in defects[:MOST_DEFECTS]]
    if len(defects) > MOST_DEFECTS:
        beyond = len(defects) - MOST_DEFECTS
        text = f"has {beyond} more defects: put these right first."
        arguments = (("count", str(beyond)),)
        messages.append(_defect_message(defects[MOST_DEFECTS]._replace(field="", text=text, arguments=arguments)))
    return messages


def _defect_message(found: StateDefect) -> arbiter_service_pb2.StateDefect:
    return arbiter_service_pb2.StateDefect(
        field=found.field,
        reason=reasons_pb2.Reason.ValueType(found.reason),
        text=found.sentence,
        arguments=[reasons_pb2.Argument(name=name, value=value) for name, value in found.arguments],
    )
