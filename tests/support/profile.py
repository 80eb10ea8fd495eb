"""How much the laws are to try: `BURRACO_TEST_PROFILE` is `default`, `mutation`, `lines` or `full`.

Profiles of Hypothesis: a quick one, the same on every run; `mutation`, the same examples, but a failure is not looked
into; `lines`, few of them, to see which lines a law runs; and `full`, which looks at new examples each time.
"""

import os
from typing import Final

from hypothesis import HealthCheck, Phase, settings

PROFILE: Final = os.environ.get("BURRACO_TEST_PROFILE", "default")
FULL: Final = PROFILE == "full"
FULL_FACTOR: Final = 10
LINES_FRACTION: Final = 5
PATIENCE: Final = 3600
"""Seconds that a law may take in the full profile."""
SLOW_IS_FINE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


def load_profile() -> None:
    """Let Hypothesis work as the profile says."""
    settings.register_profile(
        "default", deadline=None, derandomize=True, print_blob=True, suppress_health_check=SLOW_IS_FINE
    )
    settings.register_profile(
        "mutation",
        deadline=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=SLOW_IS_FINE,
    )
    settings.register_profile("lines", settings.get_profile("mutation"))
    settings.register_profile("full", deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE)
    settings.load_profile(PROFILE)


def examples(number: int) -> settings:
    """Settings for a law that tries so many examples by default, and many more in the full profile."""
    match PROFILE:
        case "full":
            number *= FULL_FACTOR
        case "lines":
            number = max(1, number // LINES_FRACTION)
    return settings(max_examples=number)
