"""Matches in Redis: four keys a match, all written by one script."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from importlib.resources import files
from typing import Any, Final, Self, TypeAlias

import redis

from back_end.store import Change, Happening, Receipt, Stored

NONE_YET: Final = "none"
"""Stands for the revision of a match that is not there."""
CREATED: Final = "created"
"""Request id of the creation itself; those of `game` have a colon in them."""
KEPT: Final = timedelta(days=7)
Entries: TypeAlias = Iterable[tuple[bytes, dict[bytes, bytes]]]


class RedisStore:
    """A `Store` in Redis.

    The server has to keep what it confirmed (`appendonly yes`, `appendfsync always`) and must not evict keys
    (`maxmemory-policy noeviction`).
    """

    def __init__(self, client: redis.Redis, keep_finished: timedelta = KEPT) -> None:
        """Use a client that answers bytes. A match is deleted when it has been over for so long."""
        self._redis: Any = client  # its types leave open whether it answers bytes
        self._write = client.register_script(files("back_end").joinpath("replace.lua").read_text("utf-8"))
        self._finished_seconds = round(keep_finished.total_seconds())

    @classmethod
    def at(cls, url: str, keep_finished: timedelta = KEPT) -> Self:
        """Connect to the server of a URL, such as `redis://127.0.0.1:6379/0`."""
        return cls(redis.Redis.from_url(url), keep_finished)

    def create(self, match: str, begun: Stored, events: tuple[Happening, ...]) -> bool:
        """Keep a new match, unless there is one of that name."""
        return self._replace(
            match, NONE_YET, begun, Change(CREATED, -1, begun.revision, b"", (), events, finished=False)
        )

    def load(self, match: str) -> Stored | None:
        """Load a match: one command, so revision and state are of one moment."""
        revision, state, players = self._redis.hmget(_keys(match)[0], ["revision", "state", "players"])
        return None if revision is None else Stored(int(revision), state, int(players))

    def replace(self, match: str, change: Change) -> bool:
        """Compare, and set, in the script."""
        found = self.load(match)
        if found is None:
            return False
        return self._replace(match, str(change.before), Stored(change.after, change.state, found.players), change)

    def _replace(self, match: str, expected: str, new: Stored, change: Change) -> bool:
        arguments: list[str | int | bytes] = [expected, new.revision, new.state, new.players]
        arguments += [change.request_id, f"{change.before} {change.after}"]
        arguments += [self._finished_seconds if change.finished else 0, len(change.moves)]
        for revision, move in enumerate(change.moves, change.before + 1):
            arguments += [f"{revision}-0", move]
        for event in change.events:
            arguments += [f"{event.revision}-{event.index + 1}", *event.told]
        return bool(self._write(keys=_keys(match), args=arguments))

    def receipt(self, match: str, request_id: str) -> Receipt | None:
        """Find what a request did."""
        _, requests, moves, _ = _keys(match)
        found = self._redis.hget(requests, request_id)
        if found is None:
            return None
        before, after = map(int, found.split())
        entries = self._redis.xrange(moves, f"{before + 1}-0", f"{after}-0")
        return Receipt(before, after, tuple(fields[b"move"] for _, fields in entries))

    def events(self, match: str, after: int, upto: int) -> tuple[Happening, ...]:
        """List events. The ids of their entries are revision and index + 1, as Redis has no entry 0-0."""
        return tuple(_happenings(self._redis.xrange(_keys(match)[3], f"{after + 1}-0", f"{upto}")))

    def moves(self, match: str) -> tuple[bytes, ...]:
        """List every move."""
        return tuple(fields[b"move"] for _, fields in self._redis.xrange(_keys(match)[2]))


def _happenings(entries: Entries) -> Iterator[Happening]:
    for name, fields in entries:
        revision, number = map(int, name.split(b"-"))
        yield Happening(revision, number - 1, tuple(fields.values()))


def _keys(match: str) -> list[str]:
    """Name the keys of a match; what stands in braces keeps them in one slot of a cluster."""
    return [f"burraco:{{{match}}}:{what}" for what in ("match", "requests", "moves", "events")]
