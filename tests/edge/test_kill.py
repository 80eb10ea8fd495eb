"""A lost replica loses nothing, whichever way in."""

import pytest

from tests.edge.kill import DOORS, REPLICAS, run

CALLERS = 4


@pytest.mark.parametrize("door", DOORS)
def test_nothing_is_lost_with_a_replica(door: str) -> None:
    """Under load one replica is killed and one is stopped, and both come back: no caller notices.

    No call fails, no answer is another than without the kills, and every match has the same result.
    """
    seen = run(door, callers=CALLERS)
    assert seen.failures == []
    assert (seen.wrong_answers, seen.other_results) == (0, 0)
    assert seen.blows == {"SIGKILL": 1, "SIGTERM": 1}
    assert seen.matches >= CALLERS
    assert seen.calls > 200
    assert len([share for share in seen.shares if share > 50]) == REPLICAS
