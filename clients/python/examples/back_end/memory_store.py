"""Matches in memory, for tests: what the other stores do, without a server."""

from dataclasses import dataclass, field
from threading import Lock

from back_end.store import Change, Happening, Receipt, Stored


@dataclass
class _Match:
    stored: Stored
    events: list[Happening]
    moves: list[bytes] = field(default_factory=list)
    receipts: dict[str, Receipt] = field(default_factory=dict)


class MemoryStore:
    """A `Store` that ends with the process."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match] = {}
        self._lock = Lock()

    def create(self, match: str, begun: Stored, events: tuple[Happening, ...]) -> bool:
        """Keep a new match, unless there is one of that name."""
        with self._lock:
            if match in self._matches:
                return False
            self._matches[match] = _Match(begun, list(events))
            return True

    def load(self, match: str) -> Stored | None:
        """Load a match."""
        with self._lock:
            found = self._matches.get(match)
            return None if found is None else found.stored

    def replace(self, match: str, change: Change) -> bool:
        """Compare, and set."""
        with self._lock:
            found = self._matches.get(match)
            if found is None or found.stored.revision != change.before or change.request_id in found.receipts:
                return False
            found.stored = Stored(change.after, change.state, found.stored.players)
            found.events += change.events
            found.moves += change.moves
            found.receipts[change.request_id] = Receipt(change.before, change.after, change.moves)
            return True

    def receipt(self, match: str, request_id: str) -> Receipt | None:
        """Find what a request did."""
        with self._lock:
            found = self._matches.get(match)
            return None if found is None else found.receipts.get(request_id)

    def events(self, match: str, after: int, upto: int) -> tuple[Happening, ...]:
        """List events."""
        with self._lock:
            found = self._matches.get(match)
            return () if found is None else tuple(each for each in found.events if after < each.revision <= upto)

    def moves(self, match: str) -> tuple[bytes, ...]:
        """List every move."""
        with self._lock:
            found = self._matches.get(match)
            return () if found is None else tuple(found.moves)
