"""The threads of a server: none is lost, none too many stays, and no task waits while a thread is free."""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from service.server import pool as pool_module
from service.server.pool import CountingPool
from tests.server.hurry import hurried
from tests.server.stub import SECONDS, eventually

if TYPE_CHECKING:
    from concurrent.futures import Future

NAME = "pool-under-test"
THREADS = 3
TASKS = 1_000
HANDING_OVER = 3


def threads() -> int:
    return sum(thread.name == NAME for thread in threading.enumerate())


@pytest.fixture(name="hurried")
def _hurried() -> Iterator[None]:
    with hurried(pool_module):
        yield


@pytest.mark.usefixtures("hurried")
def test_every_task_is_done_however_threads_take_turns() -> None:
    """Tasks come from several sides while threads are lent and taken back, and pauses let the threads fall idle."""
    pool, over = CountingPool(THREADS, NAME), threading.Event()
    tasks: list[list[Future[int]]] = [[] for _ in range(HANDING_OVER)]

    def hand_over(mine: "list[Future[int]]") -> None:
        for number in range(TASKS):
            mine.append(pool.submit(int, number))
            if number % 3 == 0:
                mine[-1].result(SECONDS)

    def lend() -> None:
        while not over.is_set():
            pool.lend()
            pool.take_back()

    handing = [threading.Thread(target=hand_over, args=(mine,), daemon=True) for mine in tasks]
    lending = threading.Thread(target=lend, daemon=True)
    for thread in (lending, *handing):
        thread.start()
    for thread in handing:
        thread.join(2 * SECONDS)
    over.set()
    assert [[task.result(SECONDS) for task in mine] for mine in tasks] == [[*range(TASKS)]] * HANDING_OVER
    lending.join(SECONDS)
    assert not lending.is_alive()
    assert eventually(lambda: (pool.unfinished, pool.in_progress, pool.has_backlog) == (0, 0, False))
    assert eventually(lambda: threads() <= THREADS)
    pool.shutdown()
    assert threads() == 0


@pytest.mark.usefixtures("hurried")
def test_as_many_tasks_run_at_once_as_there_are_threads() -> None:
    """However often the pool has been busy and idle, none of its threads is forgotten."""
    pool = CountingPool(THREADS, NAME)
    for _ in range(TASKS):
        together = threading.Barrier(THREADS)
        tasks = [pool.submit(together.wait, SECONDS) for _ in range(THREADS)]
        assert sorted(task.result(2 * SECONDS) for task in tasks) == [*range(THREADS)]
    pool.shutdown()


@pytest.mark.usefixtures("hurried")
def test_a_pool_ends_while_its_threads_take_tasks() -> None:
    """What waits for a thread is done or cancelled when the pool ends, and nobody hangs, as often as one likes."""
    for _ in range(TASKS // 10):
        pool = CountingPool(THREADS, NAME)
        tasks = [pool.submit(int, number) for number in range(4 * THREADS)]
        pool.shutdown(cancel_futures=True)
        assert threads() == 0
        assert all(task.done() for task in tasks)
        assert pool.unfinished == 0
        with pytest.raises(RuntimeError, match="has ended"):
            pool.submit(int, 1)
