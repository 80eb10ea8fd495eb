"""Those who watch the calls, metrics and traces: each is told of every call that has ended, and none can fail one."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from structlog.typing import FilteringBoundLogger

from service.api.call import Call
from service.server.log import describe_fault

Metadata = Iterable[tuple[str, str | bytes]]


class Finished(NamedTuple):
    """A call that has ended; or a message of a stream, which is a call of its own, or a whole stream."""

    method: str
    """As gRPC has it, `/package.Service/Rpc`; always one of a service that is served."""
    code: str
    """Name of the status code that the caller saw."""
    call: Call
    metadata: Metadata
    """The caller's. Tokens and keys are in there: take what is known to be harmless by its name."""
    nanoseconds: int
    """From when a thread took the call on to its answer."""
    messages: int | None = None
    """Of a whole stream, how many were answered."""


class Observer(Protocol):
    """Watches calls."""

    def tell(self, finished: Finished) -> None:
        """Take note of a call. On the threads of the calls, several at a time."""


@dataclass(frozen=True)
class Observers:
    """All who watch. One that fails is reported once, and costs neither the call nor the others anything."""

    each: Sequence[Observer] = ()
    log: FilteringBoundLogger | None = None
    _reported: set[int] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, finished: Finished) -> None:
        """Tell all of them."""
        for number, observer in enumerate(self.each):
            try:
                observer.tell(finished)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the call has nothing to do with it
                self._report(number, fault)

    def _report(self, number: int, fault: Exception) -> None:
        if self.log is None:
            return
        with self._lock:
            if number in self._reported:
                return
            self._reported.add(number)
        self.log.error("fault", trace=describe_fault(fault, with_messages=False))
