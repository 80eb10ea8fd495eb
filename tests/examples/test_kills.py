"""Real races, with processes killed: a replica of the rules, a back end, a database."""

import base64
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg
import pytest
import redis as redis_package
from psycopg_pool import ConnectionPool

from back_end.game import Matches, Played
from back_end.postgres_store import PostgresStore
from back_end.redis_store import RedisStore
from back_end.store import Store, Stored
from burraco import Client, connect
from tests.examples.chaos import ChaoticStore, Fault, together
from tests.examples.databases import SECONDS, Postgres, Redis, running
from tests.examples.device import NAME
from tests.examples.players import LOST, Player, Sent, deal
from tests.examples.verdict import KEY, judge
from tests.server.processes import REAL, Process

ROOT: Final = Path(__file__).parents[2]
NO_PROXY: Final = [("grpc.enable_http_proxy", 0)]
POLL: Final = 0.01
MOST_TURNS: Final = 1000
GONE: Final = (*LOST, redis_package.RedisError, psycopg.Error)
"""What a player hears of a database that is killed."""


@contextmanager
def rules(count: int) -> Iterator[tuple[list[Process], str]]:
    """Processes that serve the rules with one key, and the address of them all."""
    key = base64.b64encode(KEY).decode()
    with ExitStack() as stack:
        servers = [stack.enter_context(Process(REAL, {"sealing_key": key})) for _ in range(count)]
        yield servers, "ipv4:" + ",".join(f"127.0.0.1:{server.port}" for server in servers)


def begin(client: Client, store: Store, match: str) -> Stored:
    Matches(client, store).create(match, 2, deal(2))
    begun = store.load(match)
    assert begun is not None
    return begun


def faults(rng: random.Random) -> Iterator[Fault]:
    while True:
        yield rng.choices([*Fault], [18, 1, 1, 1])[0]


def revision(store: Store, match: str) -> int:
    stored = store.load(match)
    assert stored is not None
    return stored.revision


def until(store: Store, match: str, goal: int) -> None:
    """Wait until the match has come so far, though its store may be away for a while."""
    limit = time.monotonic() + SECONDS
    while True:
        with suppress(*GONE):
            if revision(store, match) >= goal:
                return
        assert time.monotonic() < limit, f"{match} does not come to revision {goal}"
        time.sleep(POLL)


def until_all_have_played(players: list[Player]) -> None:
    """Wait until each device has won a race at least once."""
    limit = time.monotonic() + SECONDS
    while not all(map(has_played, players)):
        assert time.monotonic() < limit, "a device never wins"
        time.sleep(POLL)


@contextmanager
def ending(over: threading.Event) -> Iterator[None]:
    """Whatever happens in the block, the players stop after it."""
    try:
        yield
    finally:
        over.set()


def has_played(player: Player) -> bool:
    return any(isinstance(answer, Played) for sent in player.sent for answer in sent.answers)


def test_a_replica_is_killed(store: Store, request: pytest.FixtureRequest) -> None:
    """Four devices of two players on two back ends, as fast as they can, while one of two replicas is killed."""
    match = f"killed replica {request.node.callspec.id}"
    with rules(2) as (servers, target), ExitStack() as stack:
        clients = [stack.enter_context(connect(target, timeout=20, options=NO_PROXY)) for _ in range(2)]
        begun = begin(clients[0], store, match)
        players = []
        for number in range(4):
            chaotic = ChaoticStore(store, faults(random.Random(number)))
            back_end = Matches(clients[number % 2], chaotic)
            rng = random.Random(10 + number)
            device = (f"{number}", match, back_end, clients[number % 2], store, rng, number % 2)
            players.append(Player(*device, resigns=0))

        over = threading.Event()

        def kill() -> None:
            with ending(over):
                until(store, match, 6)
                servers[0].send(signal.SIGKILL)
                until(store, match, 14)
                until_all_have_played(players)

        together([kill, *(player.rounds(MOST_TURNS, over) for player in players)])
        assert servers[0].wait() == -signal.SIGKILL
        assert judge(clients[0], store, match, begun, players) >= 14


# --- a back end is killed --------------------------------------------------------------------------------------------


def start_device(kind: str, address: str, target: str, match: str, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.examples.device", kind, address, target, match, name],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'clients/python/examples'}", "PYTHONUNBUFFERED": "1"},
    )


def heard(lines: list[str]) -> list[Sent]:
    """What a device said that it sent; its answers are checked against the receipts elsewhere."""
    return [Sent(line.removeprefix("sent ").strip()) for line in lines if line.startswith("sent ")]


def answers_were_true(store: Store, match: str, lines: list[str]) -> int:
    """Check that whoever was told of a change has it stored, and count them."""
    told = [line.removeprefix("answered ").rsplit(maxsplit=1) for line in lines if line.startswith("answered ")]
    done = [(name.rstrip(), what) for name, what in told if what != "no"]
    for name, what in done:
        receipt = store.receipt(match, name)
        assert receipt is not None
        assert what in {"revoked", str(receipt.after)}
    return len(done)


def until_nobody(connected: Callable[[], int]) -> None:
    """Wait until the database has noticed that the killed are gone, and done what they had asked for."""
    limit = time.monotonic() + SECONDS
    while connected():
        assert time.monotonic() < limit
        time.sleep(POLL)


def devices_of_redis(url: str) -> int:
    with redis_package.Redis.from_url(url) as client:
        listed: list[dict[str, str]] = client.client_list()
        return len([each for each in listed if each["name"] == NAME])


def devices_of_postgres(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        counted = connection.execute("SELECT FROM pg_stat_activity WHERE application_name = %s", [NAME])
        return counted.rowcount


@pytest.mark.parametrize("kind", ["redis", "postgres"])
def test_back_ends_are_killed(kind: str, request: pytest.FixtureRequest) -> None:
    """Processes that race are killed wherever they are, again and again; what they said was done is done, once."""
    server = request.getfixturevalue(f"{kind}_server")
    address: str = server.url if kind == "redis" else server.dsn
    rng, match, lines = random.Random(kind), f"killed back ends {kind}", list[str]()
    with ExitStack() as stack:
        _, target = stack.enter_context(rules(1))
        client = stack.enter_context(connect(target, timeout=20, options=NO_PROXY))
        if kind == "redis":
            store: Store = RedisStore.at(address)
        else:
            pool = stack.enter_context(ConnectionPool(address, min_size=1))
            store = PostgresStore(pool.connection)
            store.prepare()
        begun = begin(client, store, match)
        for number in range(3):
            goal = revision(store, match) + 5
            devices = [start_device(kind, address, target, match, f"{number}-{each}") for each in range(2)]
            until(store, match, goal)
            time.sleep(rng.random() / 20)
            for device in devices:
                device.kill()
                said, _ = device.communicate(timeout=SECONDS)
                assert device.returncode == -signal.SIGKILL
                lines += said.splitlines(keepends=True)
        until_nobody(lambda: devices_of_redis(address) if kind == "redis" else devices_of_postgres(address))
        ghost = Player("ghost", match, Matches(client, store), client, store, rng, 0, sent=heard(lines))
        assert ghost.look()
        assert judge(client, store, match, begun, [ghost]) >= 15
        assert answers_were_true(store, match, lines) > 5


# --- a database is killed --------------------------------------------------------------------------------------------


@contextmanager
def fresh(kind: str) -> Iterator[tuple[Redis | Postgres, Store]]:
    """A database that may be killed, and a store on it."""
    with running(Redis if kind == "redis" else Postgres) as server:
        if isinstance(server, Redis):
            yield server, RedisStore.at(server.url)
        else:
            store = PostgresStore(lambda: psycopg.connect(server.dsn, connect_timeout=5))
            store.prepare()
            yield server, store


@pytest.mark.parametrize("kind", ["redis", "postgres"])
def test_the_database_is_killed(kind: str, replicas: tuple[Client, Client]) -> None:
    """What it confirmed is there when it comes back; a write that was cut off is there whole or not at all."""
    match = f"killed database {kind}"
    with fresh(kind) as (server, store):
        begun = begin(replicas[0], store, match)
        back_ends = [Matches(each, store) for each in replicas]
        players = [
            Player(
                *(f"{number}", match, back_ends[number], replicas[number], store, random.Random(number), number),
                lost=GONE,
                resigns=0,
                pause=0.2,
            )
            for number in range(2)
        ]

        over = threading.Event()

        def kill() -> None:
            with ending(over):
                for goal in (5, 10):
                    until(store, match, goal)
                    server.stop(signal.SIGKILL)
                    server.start()
                until(store, match, 14)
                until_all_have_played(players)

        together([kill, *(player.rounds(MOST_TURNS, over) for player in players)])
        assert judge(replicas[0], store, match, begun, players) >= 14
