"""All threads of a server. What has to answer under load does not share those of the calls."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from service.server.lobby import LATE_SECONDS, Lobby
from service.server.pool import CountingPool, NoPool

_PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True)
class Pools:
    """The threads of a server."""

    calls: Lobby
    long: Lobby
    health: Lobby
    reflection: Lobby
    streams: CountingPool
    refusals: ThreadPoolExecutor = field(default_factory=NoPool)
    unbuilt: CountingPool = field(default_factory=lambda: CountingPool(1, "unbuilt"))
    _is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def calls_in_progress(self) -> int:
        """Calls that run or wait, but for those whose clients let them wait, and streams that are open."""
        return self.calls.in_progress + self.long.in_progress + self.streams.in_progress

    def start(self) -> None:
        """Look after the calls that wait for their clients, also when no other call comes."""
        threading.Thread(target=self._look_for_late_calls, name="late-calls", daemon=True).start()

    def close(self) -> None:
        """Wait for no client long from now on."""
        for lobby in self._lobbies:
            lobby.close()

    def shut_down(self) -> None:
        """Let the threads end as soon as they have nothing to do."""
        self._is_over.set()
        for pool in (*self._counting, self.refusals):
            pool.shutdown(wait=False, cancel_futures=True)

    def wait_until_idle(self, timeout_seconds: float) -> None:
        """Wait for each kind of calls to end, or until its time is up."""
        for pool in (self.calls.pool, self.long.pool, self.streams):
            pool.wait_until_idle(timeout_seconds)

    @property
    def _lobbies(self) -> tuple[Lobby, ...]:
        return self.calls, self.long, self.health, self.reflection

    @property
    def _counting(self) -> tuple[CountingPool, ...]:
        return *(lobby.pool for lobby in self._lobbies), self.streams, self.unbuilt

    def _look_for_late_calls(self) -> None:
        pause = _PAUSE_SECONDS
        while not self._is_over.wait(pause):
            for lobby in self._lobbies:
                lobby.look()
            full = [pool for pool in self._counting if pool.has_backlog]
            for pool in full:
                pool.grow()
            # Threads are lent to late calls as they become late, for others to have theirs.
            pause = LATE_SECONDS if full else _PAUSE_SECONDS
