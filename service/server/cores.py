"""How many cores this process may use."""

import math
import os
from pathlib import Path
from typing import Final

_V2: Final = "fs/cgroup/cpu.max"
_V1: Final = ("fs/cgroup/cpu/cpu.cfs_quota_us", "fs/cgroup/cpu/cpu.cfs_period_us")


def usable_cores(system: Path = Path("/sys")) -> int:
    """Count the cores: those that the process is bound to or, where a container's CPU limit allows fewer, as many."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = _limit(system)
    return bound if limit is None else max(1, min(bound, math.ceil(limit)))


def _limit(system: Path) -> float | None:
    """Read the limit of the control group, version 2 or 1, in cores; None for no limit."""
    try:
        quota, period = (system / _V2).read_text("ascii").split()
    except (OSError, ValueError):
        try:
            quota, period = ((system / file).read_text("ascii").strip() for file in _V1)
        except (OSError, ValueError):
            return None
    if not (quota.isdecimal() and period.isdecimal() and int(period)):
        return None  # "max" and -1 mean no limit
    return int(quota) / int(period)
