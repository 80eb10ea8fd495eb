"""Whether a call is taken on, or refused because too many are in progress."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

WINDOW_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Room:
    """How many calls there may be in progress, those that run and those that wait."""

    most: int
    """Reaching it is an overload."""
    few: int
    """While there is one."""


class Admission:
    """Decides call by call; a server has one for each service.

    A burst may wait, and so may the calls of back ends that each wait for an answer before they send more: both come
    to an end by themselves. Once the room is full they have not, and a long queue makes every call slow and answers
    none the sooner. So an overload leaves only a few in progress: what is accepted is quick, the rest refused at once.

    It is over when the server could answer all that come. How many are refused does not tell: with so little room even
    half of what it can answer loses some to chance. How many find nothing in progress does: were just as much offered
    as can be answered, each number from none to a few would be as likely as the next (M/M/1/K at a load of 1).
    """

    def __init__(self, room: Room, clock: Callable[[], float] = time.monotonic) -> None:
        self._room = room
        self._clock = clock
        self._is_overloaded = False
        self._window_began = 0.0
        self._seen = 0
        self._alone = 0

    def admits(self, in_progress: int) -> bool:
        """Tell whether there is room for one more."""
        if self._is_overloaded:
            self._look_at_window()
        elif in_progress >= self._room.most:
            self._is_overloaded = True
            self._begin_window()
        self._seen += 1
        self._alone += in_progress == 0
        return in_progress < (self._room.few if self._is_overloaded else self._room.most)

    def _look_at_window(self) -> None:
        age = self._clock() - self._window_began
        if age < WINDOW_SECONDS:
            return
        # One that is long over ended without a call to notice it.
        if age > 2 * WINDOW_SECONDS or self._alone * (self._room.few + 1) >= self._seen:
            self._is_overloaded = False
        self._begin_window()

    def _begin_window(self) -> None:
        self._window_began = self._clock()
        self._seen = self._alone = 0
