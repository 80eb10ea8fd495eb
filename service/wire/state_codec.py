"""The stored form of a state: to bytes and back, by version.

A message with packed bytes in it: `bench/state_encoding.py` measures it against typed fields and against bytes packed
by hand, and docs/architecture.md has the figures. The version written and those read are separate: every release reads
a version before one writes it, so that releases can run side by side (docs/upgrading.md).
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from burraco.v1 import reasons_pb2
from service.rules.audit import audit
from service.rules.cards import JOKER
from service.rules.hand import EMPTY, Hand
from service.rules.melds import Meld, MeldKind
from service.rules.options import RuleSet
from service.rules.state import DealEnd, Fairness, Match, MatchEnd, Phase, Result, State, Turn
from service.wire.faults import Fault
from service.wire.rules_codec import REVISIONS, NewerRules, NewMatches, NoRoom, Revisions, pinned_rules, rules_bytes
from service.wire.state_forms import FORMS, Form, StateForm
from service.wire.storage.v1.stored_state_pb2 import StoredState, StoredVersion
from service.wire.versions import NEWEST_VERSION, WRITTEN_VERSION

HAND: Final = struct.Struct("<QQB")
"""A hand: plane of faces held once, plane of faces held twice, jokers."""
MELD: Final = struct.Struct("<HBBBBB")
"""What precedes the cards of a meld: id, side, kind, index of its wild + 1, low slot, number of cards."""


def newest_form(state: State) -> StoredState:
    """Write a state as a message of the newest version.

    :raises ValueError: it is of a record that brings its decks: no seed stands behind it.
    """
    match, turn, result = state.match, state.turn, state.result
    fairness = match.fairness
    if fairness.decks:
        raise ValueError("a state of given decks is never stored")
    return StoredState(
        version=NEWEST_VERSION,
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
        hands=b"".join([HAND.pack(*hand) for hand in state.hands]),
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
        turn_hand_before_pile=HAND.pack(*turn.hand_before_pile) if turn.hand_before_pile != EMPTY else b"",
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
    )


def version_of(stored: bytes) -> int:
    """Tell the version of a stored state that can be read."""
    return int(StoredVersion.FromString(stored).version)


def token_epochs(content: bytes) -> tuple[bytes, Sequence[int]]:
    """Tell the match of a stored state of any version, and the epoch of each seat's tokens; no more is read."""
    try:
        message = StoredState.FromString(content)
    except DecodeError:
        return b"", ()
    return message.match_id, message.token_epochs


def from_newest_form(message: StoredState, rules: RuleSet) -> State:
    """Read a state, unaudited, from a message of the newest version.

    :raises ValueError: its content cannot be read.
    :raises struct.error: its packed bytes are cut.
    """
    if max(message.turn_drawn, message.turn_taken, message.turn_taken_single, message.turn_must_meld) > JOKER:
        raise ValueError("its turn names no card")
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
        hands=tuple(map(Hand._make, HAND.iter_unpack(message.hands))),
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
            Hand._make(HAND.unpack(before)) if before else EMPTY,
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
    head = MELD.pack(meld.meld_id, meld.side, meld.kind, meld.wild_at + 1, meld.low, len(meld.cards))
    return head + meld.cards


@lru_cache(maxsize=1024)
def _unpack_melds(packed: bytes) -> tuple[Meld, ...]:
    # Most moves leave the table as it was.
    melds, at = [], 0
    while at < len(packed):
        meld_id, side, kind, wild_at, low, count = MELD.unpack_from(packed, at)
        at += MELD.size
        melds.append(Meld(MeldKind(kind), packed[at : at + count], wild_at - 1, low, meld_id, side))
        at += count
    return tuple(melds)


def _to_bits(flags: Iterable[bool]) -> int:
    return sum([flag << at for at, flag in enumerate(flags)])


def _from_bits(bits: int, count: int) -> tuple[bool, ...]:
    return tuple([bool(bits >> at & 1) for at in range(count)])


# --- versions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Versions:
    """The versions of the stored form that a release knows, and the rules that it knows of."""

    forms: Mapping[int, StateForm]
    """Every version that is read, by number; there are no gaps."""
    write: Callable[[State], Form]
    """Makes a message of the newest version."""
    read: Callable[[Form, RuleSet], State]
    """Makes a state, unaudited, of a message of the newest version."""
    revisions: Revisions

    @property
    def oldest(self) -> int:
        """The oldest version that is read."""
        return min(self.forms)

    @property
    def newest(self) -> int:
        """The newest version that is read."""
        return max(self.forms)


VERSIONS: Final = Versions(FORMS, newest_form, from_newest_form, REVISIONS)


class StateCodec:
    """Reads every version that its release knows, and writes one of them."""

    def __init__(self, written: int = WRITTEN_VERSION, versions: Versions = VERSIONS) -> None:
        self._oldest, self._newest = versions.oldest, versions.newest
        if not self._oldest <= written <= self._newest:
            raise ValueError(
                f"version {written} is none that this release writes: {self._oldest} to {self._newest} are"
            )
        self.written: Final = written
        self._versions = versions
        self._begins_newest = StoredVersion(version=self._newest).SerializeToString()

    @property
    def revisions(self) -> Revisions:
        """The revisions of the rules that are read."""
        return self._versions.revisions

    @property
    def new_matches(self) -> NewMatches:
        """What new matches get of the rules: what every reader of the version written knows."""
        before = self._versions.revisions.before
        held_back = {option: held.value for option, held in before.items() if held.version > self.written}
        return NewMatches(self._versions.forms[self.written].rules_revision, held_back)

    def encode(self, state: State) -> bytes:
        """Write a state. Equal states make equal bytes.

        A match that has come to need a newer version than the one written keeps that: somebody has written it already,
        so it is read everywhere, and in the older one a part of it would be lost.
        """
        for version in range(self.written, self._newest):
            stored = self._encode_as(version, state)
            if stored is not None:
                return stored
        stored_now: bytes = self._versions.write(state).SerializeToString()
        return stored_now

    def encode_new(self, state: State, field: str = "rules") -> bytes:
        """Write the state of a new match.

        A Fault says that its rules, in that field of the request, need a newer version than the one written.
        """
        stored = self._encode_as(self.written, state) if self.written < self._newest else self.encode(state)
        if stored is not None:
            return stored
        needed = StoredVersion.FromString(self.encode(state)).version
        raise Fault(
            field,
            reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
            f"need states of version {needed}; this server writes version {self.written}: when every replica reads "
            f"{needed}, have them write it (BURRACO_STATE_VERSION), or choose rules without what came with it.",
            version=needed,
            supported=self.written,
            of="state",
        )

    def decode(self, stored: bytes, field: str = "state") -> State:
        """Read a state and audit it; a Fault says why it cannot be played from."""
        state = self.read_any(stored, field)
        if defect := next(audit(state), None):
            # What is wrong is told by its place only: the caller may be a seat, and the cards are hidden from it.
            raise _does_not_hold(field, defect.told)
        return state

    def read_any(self, stored: bytes, field: str = "state") -> State:
        """Read a state, whether it holds together or not; a Fault says why it cannot even be read."""
        try:
            return self.read(stored, field)
        except NewerRules as error:
            raise Fault(
                field,
                reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
                f"is pinned to revision {error.revision} of the rules; this server knows up to {error.known}: upgrade "
                f"it.",
                version=error.revision,
                supported=error.known,
                of="rules",
            ) from None
        except (ValueError, struct.error) as error:
            raise _does_not_hold(field, str(error)) from error

    def read(self, stored: bytes, field: str = "state") -> State:
        """Read a state without auditing it.

        :raises ValueError: its content cannot be read.
        :raises struct.error: its packed bytes are cut.
        :raises NewerRules: its rules are of a revision that this release does not know.
        """
        # Fields are written in the order of their numbers, so nearly always the first bytes say the version.
        version = self._newest if stored.startswith(self._begins_newest) else self._version_of(stored, field)
        forms = self._versions.forms
        try:
            message = forms[version].parse(stored)
        except DecodeError:
            raise ValueError("its content is no stored state") from None
        if message.version != version:
            raise ValueError("it says two versions")
        while version != self._newest:
            message = forms[version].up(message)
            version += 1
        return self._versions.read(message, pinned_rules(message.rules, self._versions.revisions))

    def _version_of(self, stored: bytes, field: str) -> int:
        """Find the version of a state, and refuse those that are not read."""
        try:
            version = StoredVersion.FromString(stored).version
        except DecodeError:
            raise ValueError("its content is no stored state") from None
        if version > self._newest:
            raise Fault(
                field,
                reasons_pb2.REASON_STATE_VERSION_UNKNOWN,
                f"is of version {version}; this server reads up to {self._newest}: upgrade it.",
                version=version,
                supported=self._newest,
                of="state",
            )
        if version < self._oldest:
            raise ValueError(f"its version is {version}, this server reads {self._oldest} to {self._newest}")
        return version

    def _encode_as(self, version: int, state: State) -> bytes | None:
        """Write a state in an older version than the newest; None when that has no room for it."""
        rules, forms = state.match.rules, self._versions.forms
        if rules.revision > forms[version].rules_revision:
            return None
        try:
            pinned = rules_bytes(rules, version, self._versions.revisions)
        except NoRoom:
            return None
        message = self._versions.write(state)
        for above in range(self._newest, version, -1):
            message = forms[above].down(message)
            if message is None:
                return None
        message.version, message.rules = version, pinned
        stored: bytes = message.SerializeToString()
        return stored


def _does_not_hold(field: str, defect: str) -> Fault:
    text = f"does not hold together: {defect}. Go back to the last state that worked."
    return Fault(field, reasons_pb2.REASON_STATE_AUDIT_FAILED, text, defect=defect)


_DEFAULT: Final = StateCodec()


def encode_state(state: State) -> bytes:
    """Write a state in the version that is written by default. Equal states make equal bytes."""
    return _DEFAULT.encode(state)


def decode_state(stored: bytes, field: str = "state") -> State:
    """Read a state of any version and audit it; a Fault says why it cannot be played from."""
    return _DEFAULT.decode(stored, field)


def read_stored(stored: bytes, field: str = "state") -> State:
    """Read a state of any version without auditing it; see `StateCodec.read`."""
    return _DEFAULT.read(stored, field)
