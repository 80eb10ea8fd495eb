"""When calls are taken on: bursts wait, a full room is an overload, and after it all is as before."""

import pytest

from service.server.admission import OVERLOADED_SHARE, WINDOW_SECONDS, Admission, Room

ROOM = Room(most=64, few=2)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def admission(clock: Clock) -> Admission:
    """Nobody has called yet."""
    return Admission(ROOM, clock)


def overload(admission: Admission) -> None:
    """Fill the room."""
    assert not admission.admits(ROOM.most)


def test_a_burst_waits(admission: Admission) -> None:
    """Calls wait up to the limit, for however long it takes, and one more is refused."""
    assert all(admission.admits(in_progress) for in_progress in range(ROOM.most))
    assert not admission.admits(ROOM.most)


def test_callers_that_wait_for_their_answers_are_never_refused(admission: Admission, clock: Clock) -> None:
    """Fifty callers with one call each keep the queue long for ever, and full it is not."""
    for _ in range(10_000):
        clock.now += 0.001
        assert admission.admits(49)


def test_an_overload_leaves_only_a_few_in_progress(admission: Admission, clock: Clock) -> None:
    """From the refusal on nobody waits: calls are taken on as threads are free, and refused otherwise."""
    overload(admission)
    clock.now += WINDOW_SECONDS / 2
    assert not admission.admits(ROOM.most - 1)
    assert not admission.admits(ROOM.few)
    assert admission.admits(ROOM.few - 1)
    assert admission.admits(0)


def test_an_overload_goes_on_while_many_are_refused(admission: Admission, clock: Clock) -> None:
    """Three times as many calls as the server takes keep it an overload for as long as they come."""
    overload(admission)
    for _ in range(10_000):
        clock.now += 0.001
        assert admission.admits(1)
        assert not admission.admits(2)
        assert not admission.admits(2)


def test_an_overload_ends_when_few_are_refused(admission: Admission, clock: Clock) -> None:
    """Once nearly all calls find room, bursts may wait again."""
    overload(admission)
    for at in range(1000):
        clock.now += WINDOW_SECONDS / 500
        admission.admits(ROOM.few if at % 100 == 0 else 0)
    assert admission.admits(ROOM.most - 1)


def test_an_overload_ends_when_nobody_calls(admission: Admission, clock: Clock) -> None:
    """A second after the last call a burst may wait, though nobody was there to notice the end."""
    overload(admission)
    clock.now += 2 * WINDOW_SECONDS + 0.001
    assert admission.admits(ROOM.most - 1)


@pytest.mark.parametrize(("refused", "goes_on"), [(9, False), (11, True)])
def test_the_share_of_a_window_decides(admission: Admission, clock: Clock, refused: int, *, goes_on: bool) -> None:
    """A little under the share ends the overload, a little over it does not."""
    assert OVERLOADED_SHARE == 0.1
    overload(admission)
    clock.now += WINDOW_SECONDS
    admission.admits(0)  # the window with the first refusal is over
    clock.now += WINDOW_SECONDS / 2
    assert [admission.admits(ROOM.few) for _ in range(refused)] == [False] * refused
    assert [admission.admits(0) for _ in range(99 - refused)] == [True] * (99 - refused)
    clock.now += WINDOW_SECONDS / 2
    assert admission.admits(ROOM.few) is not goes_on


def test_a_room_for_one(clock: Clock) -> None:
    """The least room works: one at a time, in an overload too."""
    admission = Admission(Room(most=1, few=1), clock)
    for _ in range(3):
        assert admission.admits(0)
        assert not admission.admits(1)
