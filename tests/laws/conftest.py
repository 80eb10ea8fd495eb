"""Profiles of Hypothesis: a quick one, the same on every run; and `full`, which looks at new examples each time."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.profile import FULL, PROFILE

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
HERE = Path(__file__).parent
PATIENCE = 3600
"""Seconds that a law may take in the full profile."""

settings.register_profile(
    "default", deadline=None, derandomize=True, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile("full", deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE)
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FULL and HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(PATIENCE))
