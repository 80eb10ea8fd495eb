"""When calls are taken on: bursts wait, a full room is an overload, and after it all is as before."""

import random

import pytest

from service.server.admission import WINDOW_SECONDS, Admission, Room

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


def test_an_overload_ends_when_calls_find_nothing_in_progress(admission: Admission, clock: Clock) -> None:
    """Once the server is often idle, bursts may wait again, though chance still has some calls refused."""
    overload(admission)
    for at in range(1000):
        clock.now += WINDOW_SECONDS / 500
        admission.admits(ROOM.few if at % 3 == 0 else 0)
    assert admission.admits(ROOM.most - 1)


def test_an_overload_ends_when_nobody_calls(admission: Admission, clock: Clock) -> None:
    """A second after the last call a burst may wait, though nobody was there to notice the end."""
    overload(admission)
    clock.now += 2 * WINDOW_SECONDS + 0.001
    assert admission.admits(ROOM.most - 1)


@pytest.mark.parametrize(("alone", "goes_on"), [(32, True), (34, False)])
def test_what_a_window_saw_decides(admission: Admission, clock: Clock, alone: int, *, goes_on: bool) -> None:
    """With room for two, it is a third of the calls that has to find nothing in progress."""
    overload(admission)
    clock.now += WINDOW_SECONDS
    admission.admits(1)  # the window with the first refusal is over
    clock.now += WINDOW_SECONDS / 2
    for at in range(99):
        admission.admits(0 if at < alone else 1)
    clock.now += WINDOW_SECONDS / 2
    assert admission.admits(ROOM.few) is not goes_on


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_after_a_burst_a_server_takes_on_what_it_can_answer(load: float, threads: int, seed: int) -> None:
    """Calls come at random, below what the server takes: a burst that is refused in part is soon forgotten."""
    refused = queue(load, threads, seed)
    assert refused[5] > 0
    assert sum(refused[8:]) == 0


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("load", [1.5, 3.0])
def test_while_too_many_calls_come_the_overload_goes_on(load: float, threads: int) -> None:
    """Above what the server takes, there are refusals in every second."""
    refused = queue(load, threads, 1)
    assert all(count > 0 for count in refused[1:])


def queue(load: float, threads: int, seed: int, *, seconds: int = 12, a_second: float = 1000.0) -> list[int]:
    """Let calls come at random to a server that answers one by one, and 70 at once in second 5; refusals by second."""
    chance, clock = random.Random(seed), Clock()
    admission, ends, refused = Admission(Room(64, threads), clock), [0.0], [0] * seconds
    times = [chance.random() * seconds for _ in range(int(load * a_second * seconds))] + [5.0] * 70
    for at in sorted(times):
        clock.now = at
        ends = [end for end in ends if end > at]
        if admission.admits(len(ends)):
            ends.append(max(at, *ends, 0.0) + chance.expovariate(a_second))
        else:
            refused[int(at)] += 1
    return refused


def test_a_room_for_one(clock: Clock) -> None:
    """The least room works: one at a time, in an overload too."""
    admission = Admission(Room(most=1, few=1), clock)
    for _ in range(3):
        assert admission.admits(0)
        assert not admission.admits(1)
