"""The three stores, two replicas of the rules, and back ends on them."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final, cast

import pytest
from psycopg_pool import ConnectionPool

from back_end.memory_store import MemoryStore
from back_end.postgres_store import PostgresStore
from back_end.redis_store import RedisStore
from back_end.store import Store
from burraco import Client, connect
from tests.api.conftest import serving
from tests.examples.databases import Postgres, Redis, running
from tests.support.profile import load_profile

load_profile()

KEY: Final = bytes(range(32))
NO_PROXY: Final = [("grpc.enable_http_proxy", 0)]


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """A Redis server of this run."""
    with running(Redis) as server:
        yield cast("Redis", server)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL server of this run."""
    with running(Postgres) as server:
        yield cast("Postgres", server)


@pytest.fixture(scope="session", params=["memory", "redis", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Each kind of store; tests share it, so each of them has matches of its own."""
    match request.param:
        case "memory":
            yield MemoryStore()
        case "redis":
            yield RedisStore.at(request.getfixturevalue("redis_server").url)
        case _:
            with ConnectionPool(request.getfixturevalue("postgres_server").dsn, min_size=2, max_size=12) as pool:
                kept = PostgresStore(pool.connection)
                kept.prepare()
                yield kept


@pytest.fixture(scope="session")
def replicas() -> Iterator[tuple[Client, Client]]:
    """Two servers of the rules, with one key."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(KEY)) for _ in range(2)]
        addresses = [f"127.0.0.1:{each.server.port}" for each in servers]
        first, second = (stack.enter_context(connect(each, timeout=20, options=NO_PROXY)) for each in addresses)
        yield first, second
