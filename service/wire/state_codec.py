"""The stored form of a state: to bytes and back, by version.

A message with packed bytes in it: `bench/state_encoding.py` measures it against typed fields and against bytes packed
by hand, and docs/architecture.md has the figures.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from burraco.v1 import reasons_pb2
from service.rules.audit import audit
from service.rules.hand import EMPTY, Hand
from service.rules.melds import Meld, MeldKind
from service.rules.options import RULES_REVISION, RuleSet
from service.rules.state import DealEnd, Fairness, Match, MatchEnd, Phase, Result, State, Turn
from service.wire.faults import Fault
from service.wire.rules_codec import pinned_rules, rules_bytes
from service.wire.storage.v1.stored_state_pb2 import StoredState

WRITTEN_VERSION: Final = 1
UPCASTERS: Final[Mapping[int, Callable[[StoredState], StoredState]]] = {}
"""For each version still read but no longer written: what makes the next version of it."""
OLDEST_VERSION: Final = min((*UPCASTERS, WRITTEN_VERSION))

_HAND: Final = struct.Struct("<QQB")
_MELD: Final = struct.Struct("<HBBBBB")


def encode_state(state: State) -> bytes:
    """Write a state. Equal states make equal bytes."""
    match, turn, result = state.match, state.turn, state.result
    fairness = match.fairness
    return StoredState(
        version=WRITTEN_VERSION,
        rules=rules_bytes(match.rules),
        match_id=match.match_id,
        players=bytes(match.players),
        seed=fairness.seed,
        salt=fairness.salt,
        entropy=fairness.entropy,
        seed_given=fairness.given,
        revision=state.revision,
        chain=state.chain,
        deal_number=state.deal_number,
        dealer=state.dealer,
        phase=state.phase,
        seat=state.seat,
        hands=b"".join([_HAND.pack(*hand) for hand in state.hands]),
        unseen=_to_bits(state.unseen),
        pozzetti=state.pozzetti,
        stock=state.stock,
        discard=state.discard,
        melds=b"".join([_pack_meld(meld) for meld in state.melds]),
        next_meld_id=state.next_meld_id,
        taken_by=bytes([seat + 1 for seat in state.taken_by]),
        unplayed=_to_bits(state.unplayed),
        turn_drawn=turn.drawn,
        turn_taken_single=turn.taken_single,
        turn_must_meld=turn.must_meld,
        turn_must_meld_something=turn.must_meld_something,
        turn_melded=turn.melded,
        turn_last=turn.last,
        turn_hand_before_pile=_HAND.pack(*turn.hand_before_pile) if turn.hand_before_pile != EMPTY else b"",
        stalemate_turns=state.stalemate_turns,
        turns_left=state.turns_left + 1,
        points=state.points,
        deals_scored=state.deals_scored,
        deal_end=state.deal_end,
        closed_by=state.closed_by + 1,
        match_end=result.match_end if result else 0,
        winning_sides=bytes(result.winning_sides) if result else b"",
        victory_points=bytes(result.victory_points) if result else b"",
        token_epochs=state.token_epochs,
        turn_taken=turn.taken,
        turn_laid_off=turn.laid_off,
        turn_opening=turn.opening,
        turn_jokers_owed=turn.jokers_owed,
        laid=bytes(state.laid),
        out=bytes(state.out),
        reentries=bytes(state.reentries),
        turns_taken=state.turns_taken,
        renewals=state.renewals,
        passes=state.passes,
        knocker=state.knocker + 1,
        deals_won=state.deals_won,
        doubled=state.doubled,
        alone=state.alone + 1,
    ).SerializeToString()


def decode_state(stored: bytes, field: str = "state") -> State:
    """Read a state and audit it; a Fault says why it cannot be played from."""
    try:
        state = read_stored(stored, field)
    except (ValueError, struct.error) as error:
        raise _does_not_hold(field, str(error)) from error
    if defect := next(audit(state), None):
        # What is wrong may be told by its place only: the caller may be a seat, and the cards are hidden from it.
        raise _does_not_hold(field, defect.told)
    return state


def read_stored(stored: bytes, field: str = "state") -> State:
    """Read a state without auditing it.

    :raises ValueError: its content cannot be read.
    :raises struct.error: its packed bytes are cut.
    """
    try:
        message = StoredState.FromString(stored)
    except DecodeError:
        raise ValueError("its content is no stored state") from None
    _refuse_other_versions(message, field)
    while message.version != WRITTEN_VERSION:
        message = UPCASTERS[message.version](message)
    return _state(message, pinned_rules(message.rules))


def _does_not_hold(field: str, defect: str) -> Fault:
    text = f"does not hold together: {defect}. Go back to the last state that worked."
    return Fault(field, reasons_pb2.REASON_STATE_AUDIT_FAILED, text, defect=defect)


def _refuse_other_versions(message: StoredState, field: str) -> None:
    if message.version < OLDEST_VERSION:
        raise ValueError(f"its version is {message.version}")
    if message.version > WRITTEN_VERSION:
        raise Fault(
            field,
            reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
            f"is of version {message.version}; this server reads up to {WRITTEN_VERSION}: upgrade it.",
            version=message.version,
            supported=WRITTEN_VERSION,
        )


def _state(message: StoredState, rules: RuleSet) -> State:
    if rules.revision > RULES_REVISION:
        raise ValueError(f"its rules revision is {rules.revision}, this server knows up to {RULES_REVISION}")
    fairness = Fairness(message.seed, tuple(message.entropy), message.salt, message.seed_given)
    match = Match(message.match_id, rules, tuple(message.players), fairness)
    before = message.turn_hand_before_pile
    return State(
        match=match,
        revision=message.revision,
        chain=message.chain,
        deal_number=message.deal_number,
        dealer=message.dealer,
        phase=Phase(message.phase),
        seat=message.seat,
        hands=tuple(map(Hand._make, _HAND.iter_unpack(message.hands))),
        unseen=_from_bits(message.unseen, len(match.players)),
        pozzetti=tuple(message.pozzetti),
        stock=message.stock,
        discard=message.discard,
        melds=_unpack_melds(message.melds),
        next_meld_id=message.next_meld_id,
        taken_by=tuple([seat - 1 for seat in message.taken_by]),
        unplayed=_from_bits(message.unplayed, len(message.taken_by)),
        turn=Turn(
            message.turn_drawn,
            message.turn_taken_single,
            message.turn_must_meld,
            message.turn_must_meld_something,
            message.turn_melded,
            message.turn_last,
            Hand._make(_HAND.unpack(before)) if before else EMPTY,
            message.turn_taken,
            message.turn_laid_off,
            message.turn_opening,
            message.turn_jokers_owed,
        ),
        stalemate_turns=message.stalemate_turns,
        turns_left=message.turns_left - 1,
        points=tuple(message.points),
        deals_scored=message.deals_scored,
        deal_end=DealEnd(message.deal_end),
        closed_by=message.closed_by - 1,
        result=_result(message),
        token_epochs=tuple(message.token_epochs),
        laid=tuple(map(bool, message.laid)),
        out=tuple(map(bool, message.out)),
        reentries=tuple(message.reentries),
        turns_taken=message.turns_taken,
        renewals=message.renewals,
        passes=message.passes,
        knocker=message.knocker - 1,
        deals_won=tuple(message.deals_won),
        doubled=message.doubled,
        alone=message.alone - 1,
    )


def _result(message: StoredState) -> Result | None:
    if not message.match_end:
        return None
    return Result(MatchEnd(message.match_end), tuple(message.winning_sides), tuple(message.victory_points))


def _pack_meld(meld: Meld) -> bytes:
    head = _MELD.pack(meld.meld_id, meld.side, meld.kind, meld.wild_at + 1, meld.low, len(meld.cards))
    return head + meld.cards


@lru_cache(maxsize=1024)
def _unpack_melds(packed: bytes) -> tuple[Meld, ...]:
    # Most moves leave the table as it was.
    melds, at = [], 0
    while at < len(packed):
        meld_id, side, kind, wild_at, low, count = _MELD.unpack_from(packed, at)
        at += _MELD.size
        melds.append(Meld(MeldKind(kind), packed[at : at + count], wild_at - 1, low, meld_id, side))
        at += count
    return tuple(melds)


def _to_bits(flags: Iterable[bool]) -> int:
    return sum([flag << at for at, flag in enumerate(flags)])


def _from_bits(bits: int, count: int) -> tuple[bool, ...]:
    return tuple([bool(bits >> at & 1) for at in range(count)])
