"""The servers of a process, that of the game, the arbiter's and that of channelz, which stop together."""

from dataclasses import dataclass
from threading import Event

from service.server.server import Server


@dataclass(frozen=True)
class AllOver:
    """Says when several servers have come to their end."""

    events: tuple[Event, ...]

    def is_set(self) -> bool:
        """Whether all are over."""
        return all(event.is_set() for event in self.events)


@dataclass(frozen=True)
class Servers:
    """Servers that stop together; each function is that of `Server`, for all of them."""

    game: Server
    arbiter: Server | None = None
    admin: Server | None = None

    @property
    def each(self) -> tuple[Server, ...]:
        """The servers that there are."""
        return tuple(server for server in (self.game, self.arbiter, self.admin) if server is not None)

    @property
    def calls_in_progress(self) -> int:
        """Calls that run or wait."""
        return sum(server.calls_in_progress for server in self.each)

    def stop_serving(self) -> None:
        """Say NOT_SERVING, and go on answering."""
        for server in self.each:
            server.stop_serving()

    def refuse_calls(self) -> None:
        """Answer new calls with UNAVAILABLE, and go on with those in progress."""
        for server in self.each:
            server.refuse_calls()

    def stop(self, grace_seconds: float | None) -> AllOver:
        """End connections; calls in progress have the grace (None: none at all)."""
        return AllOver(tuple(server.stop(grace_seconds) for server in self.each))

    def close(self) -> int:
        """Let the threads go; how many calls still run, though nobody waits for them any more."""
        return sum(server.close() for server in self.each)
