"""The law of secrets may take its time in the full profile."""

from pathlib import Path

import pytest

from tests.support.profile import FULL, PATIENCE, load_profile

HERE = Path(__file__).parent

load_profile()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FULL and HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(PATIENCE))
