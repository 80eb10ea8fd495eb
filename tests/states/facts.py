"""What is true of a state for ever: computed when a corpus is written, compared whenever it is read."""

import hashlib
import random
from base64 import b64decode, b64encode
from functools import lru_cache
from typing import Any, Final, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message

from burraco.v1 import moves_pb2
from service.rules.events import SPECTATOR
from service.rules.games import game_of
from service.rules.outcome import Applied
from service.rules.state import Phase, State
from service.rules.view import view
from service.text.catalogue import ENGLISH
from service.wire.answers import view_message
from service.wire.messages import read_move
from service.wire.state_codec import StateCodec
from tests.api.client import to_wire
from tests.support.walks import choose, legal_moves

MOVES: Final = 6
"""Moves that a state is taken on by."""
HASH_CHARACTERS: Final = 16


class Contract(NamedTuple):
    """The messages as they were when a corpus was written."""

    files: bytes
    """Their files, a serialized FileDescriptorSet."""


def facts(state: State, contract: Contract) -> dict[str, Any]:
    """What can be seen of a state."""
    return {
        "phase": state.phase.name,
        "revision": state.revision,
        "seat": state.seat,
        "points": list(state.points),
        "chain": state.chain.hex(),
        "legal_moves": legal_moves(state, state.seat).total,
        "views": {str(viewer): view_hash(state, viewer, contract) for viewer in viewers(state)},
    }


def viewers(state: State) -> tuple[int, ...]:
    """Every seat, and the spectator."""
    return *range(len(state.match.players)), SPECTATOR


def continuation(state: State, codec: StateCodec) -> dict[str, Any]:
    """Take a state on by some moves, and say what came of it."""
    rng, moves = random.Random(state.chain), list[tuple[int, str]]()
    while len(moves) < MOVES and state.phase is not Phase.MATCH_OVER:
        move = to_wire(choose(state, state.seat, rng))
        moves.append((state.seat, b64encode(move.SerializeToString()).decode()))
        state = play(state, *moves[-1])
    return {"moves": moves, "then": outcome(state, codec)}


def play(state: State, seat: int, encoded: str) -> State:
    """Make a move of a corpus."""
    move = read_move(moves_pb2.Move.FromString(b64decode(encoded)), "move")
    played = game_of(state).play(state, seat, move)
    assert isinstance(played, Applied), f"a move of old is refused: {move} {played}"
    return played.state


def outcome(state: State, codec: StateCodec) -> dict[str, Any]:
    """What is compared after moves: the state itself, byte for byte, in the version of the corpus."""
    return {
        "phase": state.phase.name,
        "revision": state.revision,
        "points": list(state.points),
        "chain": state.chain.hex(),
        "stored": _hash(codec.encode(state)),
    }


def view_hash(state: State, viewer: int, contract: Contract) -> str:
    """Hash all that a viewer is shown, as a client sees it that was made when the corpus was.

    What later contracts add, such a client does not know; what is said in words may be said better.
    """
    shown = view_message(view(state, viewer), state.rules, ENGLISH, 0)
    seen = _view_class(contract).FromString(shown.SerializeToString())
    seen.DiscardUnknownFields()
    for item in seen.score_sheet.sides:
        for line in item.lines:
            line.ClearField("text")
    return _hash(seen.SerializeToString(deterministic=True))


@lru_cache
def _view_class(contract: Contract) -> Any:  # noqa: ANN401  # a class made of a descriptor
    files = descriptor_pb2.FileDescriptorSet.FromString(contract.files)
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("burraco.v1.View"))


def contract_of(*messages: type[Message]) -> Contract:
    """The files that these messages are of, and all that they import, in an order that can be loaded."""
    found: dict[str, descriptor_pb2.FileDescriptorProto] = {}

    def add(file: Any) -> None:  # noqa: ANN401  # a FileDescriptor
        for imported in file.dependencies:
            add(imported)
        if file.name not in found:
            found[file.name] = descriptor_pb2.FileDescriptorProto()
            file.CopyToProto(found[file.name])

    for message in messages:
        add(message.DESCRIPTOR.file)
    return Contract(descriptor_pb2.FileDescriptorSet(file=found.values()).SerializeToString(deterministic=True))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:HASH_CHARACTERS]
