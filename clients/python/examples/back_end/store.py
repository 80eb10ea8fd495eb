"""What a back end keeps of a match, and the only way to change it: compare-and-set on the revision."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Happening:
    """An event, keyed (match, revision, index)."""

    revision: int
    index: int
    told: tuple[bytes, ...]
    """The `Event` as each viewer may know it, serialized: the seats in order, then the spectator."""


class Stored(NamedTuple):
    """A match as it stands."""

    revision: int
    state: bytes
    """The sealed state, as the service gave it."""
    players: int


class Change(NamedTuple):
    """One change of a match: a player's accepted moves, or a revocation of seat tokens, which has no moves."""

    request_id: str
    """Names the change in its match: no two have the same."""
    before: int
    """Revision that it was made from."""
    after: int
    """Revision of `state`. One move raises it by one."""
    state: bytes
    moves: tuple[bytes, ...]
    """Each a `RecordedMove`, serialized. The one at i led to revision before + 1 + i."""
    events: tuple[Happening, ...]
    finished: bool
    """Whether the match is over, so that the store need not keep it for ever."""


class Receipt(NamedTuple):
    """What is remembered of a request that was stored."""

    before: int
    after: int
    moves: tuple[bytes, ...]


class Store(Protocol):
    """Keeps matches. A write is atomic: the state, its moves, its events and its receipt, or nothing.

    A call that raises may have written or not, as a connection can break on either side of it. So may one that answers
    False, where a client sends a broken off write again by itself. Either way the receipt tells.
    """

    def create(self, match: str, begun: Stored, events: tuple[Happening, ...]) -> bool:
        """Keep a new match. False, and nothing written, if there is one of that name."""

    def load(self, match: str) -> Stored | None:
        """Load a match as it stands, or None if there is none."""

    def replace(self, match: str, change: Change) -> bool:
        """Write a change, if the match is still at `change.before` and has no such request. Else False."""

    def receipt(self, match: str, request_id: str) -> Receipt | None:
        """Find what a request did, or None if it was not stored."""

    def events(self, match: str, after: int, upto: int) -> tuple[Happening, ...]:
        """List the events of the revisions after one, up to another, in order. The first revision is 0."""

    def moves(self, match: str) -> tuple[bytes, ...]:
        """List every move in order, each a serialized `RecordedMove`: what ReplayMatch verifies."""
