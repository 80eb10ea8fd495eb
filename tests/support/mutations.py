"""Sound open states changed at random: single values, cards moved and swapped, parts of another state put in."""

import random
from collections.abc import Callable
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from burraco.v1 import state_pb2
from service.rules.cards import FACES, JOKER

NUMBERS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 11, 18, 37, 63, 64, 65, 99, 200, 255, 1000, 2**30, 2**31 - 1)
LARGE: Final = (2**31, 2**32 - 1)
SHORT: Final = 3
"""Cards that go from one place to another at a time, at most."""
Mutation = Callable[[state_pb2.GameState, state_pb2.GameState, random.Random], None]


def is_list(field: FieldDescriptor) -> bool:
    """Whether a field is a list."""
    return field.is_repeated


def places(state: state_pb2.GameState) -> list[Any]:
    """Every list of cards of a state that counts among its deck."""
    return [
        *(hand.cards for hand in state.hands),
        *(pozzetto.cards for pozzetto in state.pozzetti),
        *(meld.cards for meld in state.melds),
        state.stock,
        state.discard,
    ]


def messages_of(state: Message) -> list[Message]:
    """A message and all messages in it."""
    found = [state]
    for field, value in state.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE and field.name != "rules":
            for each in value if is_list(field) else [value]:
                found += messages_of(each)
    return found


def other_value(field: FieldDescriptor, value: Any, rng: random.Random) -> Any:  # noqa: ANN401  # of any type
    """Another value of a field that is not a message."""
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return not value
        case FieldDescriptor.TYPE_BYTES:
            return rng.choice((b"", value[:-1], value + b"\x01", bytes(reversed(value)), rng.randbytes(32)))
        case FieldDescriptor.TYPE_ENUM:
            return rng.choice((value + 1, max(value - 1, 0), *range(10), *FACES, JOKER, 99))
        case FieldDescriptor.TYPE_INT32:
            return rng.choice((value + 5, value - 5, value + 1, -value, 0, *NUMBERS))
    return rng.choice((value + 1, max(value - 1, 0), 0, *NUMBERS, *LARGE))


def change_a_value(state: state_pb2.GameState, _other: state_pb2.GameState, rng: random.Random) -> None:
    """Change one value anywhere, or an entry of a list, or the length of a list."""
    message: Any = rng.choice(messages_of(state))
    field = rng.choice(message.DESCRIPTOR.fields)
    value = getattr(message, field.name)
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        if is_list(field) and value:
            if rng.random() < 0.5:
                del value[rng.randrange(len(value))]
            else:
                value.append(rng.choice(list(value)))
        elif not is_list(field):
            message.ClearField(field.name)
    elif is_list(field):
        at = rng.randrange(len(value) + 1)
        if at == len(value):
            value.append(other_value(field, b"" if field.type == FieldDescriptor.TYPE_BYTES else 0, rng))
        elif rng.random() < 0.3:
            del value[at]
        else:
            value[at] = other_value(field, value[at], rng)
    elif field.has_presence and message.HasField(field.name) and rng.random() < 0.5:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, other_value(field, value, rng))


def move_cards(state: state_pb2.GameState, _other: state_pb2.GameState, rng: random.Random) -> None:
    """Move some cards from one place to another: the deck stays whole."""
    source, target = rng.sample(places(state), 2)
    if rng.random() < 0.15:
        target.extend(source)
        del source[:]
        return
    for _ in range(min(len(source), rng.randint(1, SHORT))):
        at = rng.randrange(len(source))
        target.insert(rng.randint(0, len(target)), source[at])
        del source[at]


def swap_cards(state: state_pb2.GameState, _other: state_pb2.GameState, rng: random.Random) -> None:
    """Swap a card of one place with one of another, or of the same."""
    one, two = rng.choice(places(state)), rng.choice(places(state))
    if one and two:
        first, second = rng.randrange(len(one)), rng.randrange(len(two))
        one[first], two[second] = two[second], one[first]


def take_up_a_meld(state: state_pb2.GameState, _other: state_pb2.GameState, rng: random.Random) -> None:
    """Put the last meld back into a hand."""
    if state.melds:
        rng.choice(state.hands or [state.pozzetti.add()]).cards.extend(state.melds[-1].cards)
        del state.melds[-1]
        state.next_meld_id = len(state.melds) + 1


def splice(state: state_pb2.GameState, other: state_pb2.GameState, rng: random.Random) -> None:
    """Put one to three fields of another state in."""
    for field in rng.sample(list(state.DESCRIPTOR.fields), rng.randint(1, 3)):
        state.ClearField(field.name)  # type: ignore[arg-type]  # any field
        part = state_pb2.GameState()
        part.CopyFrom(other)
        for each in state.DESCRIPTOR.fields:
            if each.name != field.name:
                part.ClearField(each.name)  # type: ignore[arg-type]  # any field
        state.MergeFrom(part)


def splice_turn(state: state_pb2.GameState, other: state_pb2.GameState, _rng: random.Random) -> None:
    """Take phase and turn from another state, but for the cards."""
    state.phase, state.turn = other.phase, other.turn
    state.turn_state.CopyFrom(other.turn_state)


def change_an_option(state: state_pb2.GameState, _other: state_pb2.GameState, rng: random.Random) -> None:
    """Play on by other rules."""
    options: Any = getattr(state.rules, state.rules.WhichOneof("game") or "burraco")
    field = rng.choice(options.DESCRIPTOR.fields)
    value = getattr(options, field.name)
    if field.type == FieldDescriptor.TYPE_BOOL:
        setattr(options, field.name, not value)
    else:
        setattr(options, field.name, rng.choice((value + 1, max(value - 1, 0), 1, 2, 3, 5, 10)))


MUTATIONS: Final[tuple[tuple[Mutation, int], ...]] = (
    (change_a_value, 8),
    (move_cards, 6),
    (swap_cards, 4),
    (take_up_a_meld, 1),
    (splice, 4),
    (splice_turn, 2),
    (change_an_option, 3),
)


def mutate(state: state_pb2.GameState, other: state_pb2.GameState, rng: random.Random) -> state_pb2.GameState:
    """Change a state one to three times; `other` is a state of the same rules."""
    changed = state_pb2.GameState()
    changed.CopyFrom(state)
    kinds, weights = zip(*MUTATIONS, strict=True)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        (mutation,) = rng.choices(kinds, weights)
        mutation(changed, other, rng)
    return changed
