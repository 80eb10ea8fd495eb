"""What judging and applying a move give, and the list of legal moves: the same values in every game."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from service.rules.cards import NO_CARD, Card
from service.rules.events import Event
from service.rules.melds import Meld, MeldKind
from service.rules.moves import Discard, Knock, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.reasons import Violation
from service.rules.state import State

Step: TypeAlias = tuple[State, list[Event]]
"""A new state, and what happened."""


class Verdict(NamedTuple):
    """What is wrong with a move; if nothing is, the meld that it makes or extends, as it will lie."""

    faults: tuple[Violation, ...] = ()
    meld: Meld | None = None


LEGAL = Verdict()


class Applied(NamedTuple):
    """A move was legal and has been applied."""

    state: State
    events: tuple[Event, ...]
    revealed: bool
    """Whether the move showed its mover a card hidden until then, or ended the deal: nothing may be known after it."""


class Refused(NamedTuple):
    """A move was illegal; nothing has changed."""

    violations: tuple[Violation, ...]


class Group(NamedTuple):
    """Plays of one kind on one target: `required`, some of `optional`, and one of `wilds` unless that is empty."""

    kind: MoveKind
    meld_kind: MeldKind
    meld_id: int = 0
    required: bytes = b""
    optional: tuple[tuple[Card, int], ...] = ()
    min_optional: int = 0
    max_optional: int = 0
    wilds: bytes = b""

    @property
    def plays(self) -> int:
        """Exact number of plays."""
        ways = [1]
        for _, copies in self.optional:
            ways = [
                sum(ways[size - take] for take in range(copies + 1) if 0 <= size - take < len(ways))
                for size in range(len(ways) + copies)
            ]
        return sum(ways[self.min_optional : self.max_optional + 1]) * max(1, len(self.wilds))

    def selections(self) -> Iterator[bytes]:
        """Expand to the cards of each play."""
        for takes in product(*(range(copies + 1) for _, copies in self.optional)):
            if self.min_optional <= sum(takes) <= self.max_optional:
                chosen = b"".join(bytes((card,)) * take for (card, _), take in zip(self.optional, takes, strict=True))
                for wild in self.wilds or (None,):
                    yield self.required + chosen + (b"" if wild is None else bytes((wild,)))

    def move(self, cards: bytes) -> Move:
        """The single move with the cards of one of the selections."""
        match self.kind:
            case MoveKind.MELD:
                return LayMeld(cards)
            case MoveKind.LAY_OFF:
                return LayOff(self.meld_id, cards)
            case MoveKind.REPLACE_WILD:
                return ReplaceWild(self.meld_id, cards[0])
            case MoveKind.KNOCK:
                return Knock(cards[0] if cards else NO_CARD)
        raise ValueError(f"no group is of kind {self.kind.name}")


class LegalMoves(NamedTuple):
    """Exactly the moves that would be accepted, back-end kinds aside, each once."""

    plain: tuple[MoveKind, ...] = ()
    discards: bytes = b""
    groups: tuple[Group, ...] = ()
    total: int = 0
    truncated: bool = False

    def moves(self) -> Iterator[Move]:
        """Expand to the single moves: plain, discards, then groups."""
        yield from map(Plain, self.plain)
        yield from map(Discard, self.discards)
        for group in self.groups:
            yield from map(group.move, group.selections())
