"""Which form to store a state in: the micro-benchmark that chose it.

Three forms of the same state are written and read: a message with a typed field for every card (packed enums, a message
a meld), the message with packed bytes that the service uses, and bytes packed by hand with `struct`.
"""

import struct
from typing import Any

from bench.games import record
from bench.timing import best_microseconds, row
from burraco.v1 import cards_pb2, melds_pb2, state_pb2
from service.rules.hand import hand_of
from service.rules.melds import Meld, MeldKind
from service.rules.state import State
from service.wire.rules_codec import rules_message
from service.wire.state_codec import encode_state, read_stored
from service.wire.versions import NEWEST_VERSION

TIMES = 400


def typed_encode(state: State) -> bytes:
    """Write the state as the typed, public GameState."""
    cards: Any = cards_pb2.CardGroup
    message: Any = state_pb2.GameState
    meld: Any = melds_pb2.Meld
    return bytes(
        message(
            match_id=state.match.match_id,
            revision=state.revision,
            chain=state.chain,
            rules=rules_message(state.rules),
            players=state.match.players,
            deal_number=state.deal_number,
            dealer=state.dealer,
            phase=state.phase,
            turn=state.seat,
            hands=[cards(cards=hand.cards()) for hand in state.hands],
            pozzetti=[cards(cards=pozzetto) for pozzetto in state.pozzetti],
            stock=state.stock,
            discard=state.discard,
            melds=[
                meld(
                    meld_id=each.meld_id,
                    side=each.side,
                    kind=each.kind,
                    cards=each.cards,
                    wild_index=each.wild_at if each.wild_at >= 0 else None,
                )
                for each in state.melds
            ],
            next_meld_id=state.next_meld_id,
            sides=[state_pb2.SideState(match_points=points) for points in state.points],
            stalemate_turns=state.stalemate_turns,
        ).SerializeToString()
    )


def typed_decode(stored: bytes) -> tuple[object, ...]:
    """Read the typed form back to values of the rules."""
    message = state_pb2.GameState.FromString(stored)
    return (
        message.match_id,
        message.revision,
        message.chain,
        message.rules.SerializeToString(),
        tuple(message.players),
        tuple(hand_of(group.cards) for group in message.hands),
        tuple(bytes(group.cards) for group in message.pozzetti),
        bytes(message.stock),
        bytes(message.discard),
        tuple(
            Meld(
                MeldKind(meld.kind),
                bytes(meld.cards),
                meld.wild_index if meld.HasField("wild_index") else -1,
                0,
                meld.meld_id,
                meld.side,
            )
            for meld in message.melds
        ),
        tuple(side.match_points for side in message.sides),
    )


HEAD = struct.Struct("<B16sQ16sHBBBB2B2BHBHBBBBBB")
HAND = struct.Struct("<QQB")
MELD = struct.Struct("<HBBBBB")


def packed_encode(state: State, rules: bytes) -> bytes:
    """Write the state as bytes packed by hand."""
    turn = state.turn
    flags = turn.must_meld_something | turn.melded << 1 | turn.last << 2
    head = HEAD.pack(
        NEWEST_VERSION,
        state.match.match_id,
        state.revision,
        state.chain,
        state.deal_number,
        state.dealer,
        state.phase,
        state.seat,
        sum(flag << at for at, flag in enumerate(state.unseen)),
        *(seat + 1 for seat in state.taken_by),
        *state.unplayed,
        state.next_meld_id,
        state.stalemate_turns,
        state.turns_left + 1,
        state.deal_end,
        state.closed_by + 1,
        turn.drawn,
        turn.taken_single,
        turn.must_meld,
        flags,
    )
    parts = [head, state.match.fairness.seed, b"".join([HAND.pack(*hand) for hand in state.hands])]
    parts += [MELD.pack(m.meld_id, m.side, m.kind, m.wild_at + 1, m.low, len(m.cards)) + m.cards for m in state.melds]
    body = [rules, state.stock, state.discard, *state.pozzetti, struct.pack("<2i", *state.points)]
    return b"".join(parts) + b"".join([len(each).to_bytes(2, "little") + each for each in body])


def main() -> None:
    """Print sizes and times."""
    recorded = record(deals=2)
    state = max((each.state for each in recorded), key=lambda state: len(state.melds))
    rules = rules_message(state.rules).SerializeToString()
    stored, typed, packed = encode_state(state), typed_encode(state), packed_encode(state, rules)
    base = best_microseconds(lambda: encode_state(state), TIMES)
    print(f"state encoding, {len(state.melds)} melds on the table")
    print(f"sizes: typed {len(typed)} B, message with packed bytes {len(stored)} B, packed by hand {len(packed)} B")
    print(row("write: message with packed bytes (chosen)", base, base))
    print(row("write: typed message", best_microseconds(lambda: typed_encode(state), TIMES), base))
    print(row("write: packed by hand", best_microseconds(lambda: packed_encode(state, rules), TIMES), base))
    base = best_microseconds(lambda: read_stored(stored), TIMES)
    print(row("read: message with packed bytes (chosen)", base, base))
    print(row("read: typed message", best_microseconds(lambda: typed_decode(typed), TIMES), base))


if __name__ == "__main__":
    main()
