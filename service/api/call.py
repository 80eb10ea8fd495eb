"""One call in progress: who makes it, how long it may take, and what the log will say of it."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from burraco.v1 import reasons_pb2, rules_pb2, views_pb2
from service.api.authority import NOBODY, Caller
from service.api.errors import deadline_passed


@dataclass(slots=True)
class Call:
    """What a servicer is given beside the request. It notes numbers of enums only, so no secret can reach the log."""

    caller: Caller = NOBODY
    request_id: str = ""
    languages: Sequence[str] = ()  # as in the metadata accept-language
    ends_at: float = math.inf  # on time.monotonic's clock
    game: rules_pb2.Game.ValueType | None = None
    phase: views_pb2.Phase.ValueType | None = None
    reasons: list[reasons_pb2.Reason.ValueType] = field(default_factory=list)
    rules_nanoseconds: int = 0
    failure: reasons_pb2.Reason.ValueType | None = None
    trace_id: str = ""

    def fail(self, reasons: Sequence[reasons_pb2.Reason.ValueType]) -> None:
        """Keep why the call failed, the reason of its status first."""
        self.failure = reasons[0]
        self.reasons.extend(reasons)

    def note(
        self,
        *,
        game: rules_pb2.Game.ValueType | None = None,
        phase: views_pb2.Phase.ValueType | None = None,
        reasons: Iterable[reasons_pb2.Reason.ValueType] = (),
    ) -> None:
        """Keep what the log shall say of the call."""
        self.game = self.game if game is None else game
        self.phase = self.phase if phase is None else phase
        self.reasons.extend(reasons)

    def rules_time(self) -> "_RulesTime":
        """Count the time of a `with` block as spent in the rules."""
        return _RulesTime(self)

    def time_left(self) -> float:
        """Seconds until the call has to be answered; infinite where nothing limits it."""
        return max(self.ends_at - time.monotonic(), 0.0)

    def check_deadline(self) -> None:
        """Raise DEADLINE_EXCEEDED when the time is up; for the loops of long work."""
        if time.monotonic() >= self.ends_at:
            raise deadline_passed()


class _RulesTime:
    __slots__ = ("_call", "_started")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._started = 0

    def __enter__(self) -> Self:
        self._started = time.perf_counter_ns()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call.rules_nanoseconds += time.perf_counter_ns() - self._started
