"""Timing that bears a noisy machine: CPU time, the best of several rounds."""

import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = 7


def best_microseconds(work: Callable[[], object], times: int) -> float:
    """CPU time of one call in microseconds: the best of several rounds of `times` calls."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time_ns()
        for _ in range(times):
            work()
        best = min(best, (time.process_time_ns() - started) / times / 1000)
    return best


def row(name: str, microseconds: float, base: float) -> str:
    """Write one line of a table: what, how long, and how many times the base."""
    return f"{name:<52}{microseconds:>10.2f} us{microseconds / base:>10.2f} x"
