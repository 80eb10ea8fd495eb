"""What every store promises."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
import redis as redis_package
from psycopg_pool import ConnectionPool

from back_end.postgres_store import PostgresStore
from back_end.redis_store import RedisStore
from back_end.store import Change, Happening, Receipt, Store, Stored
from tests.examples.databases import Postgres, Redis

BYTES = bytes(range(256))


@pytest.fixture
def match(request: pytest.FixtureRequest) -> str:
    """A name that no other test has."""
    name: str = request.node.nodeid
    return name


def happening(revision: int, index: int = 0) -> Happening:
    return Happening(revision, index, tuple(b"%d %d %d" % (revision, index, viewer) + BYTES for viewer in range(3)))


def change(before: int, moves: int = 1, request_id: str | None = None, *, finished: bool = False) -> Change:
    """A change with two events a move."""
    after = before + max(moves, 1)
    return Change(
        request_id or f"play:0:{before}",
        before,
        after,
        b"state %d" % after + BYTES,
        tuple(b"move %d" % (before + 1 + number) + BYTES for number in range(moves)),
        tuple(happening(before + 1 + number, index) for number in range(moves) for index in range(2)),
        finished=finished,
    )


def begin(store: Store, match: str) -> None:
    assert store.create(match, Stored(0, b"state 0", 2), (happening(0),))


def test_what_is_not_there(store: Store, match: str) -> None:
    """A match that nobody created has nothing, and nothing can be written to it."""
    assert store.load(match) is None
    assert store.receipt(match, "any") is None
    assert store.events(match, -1, 9) == ()
    assert store.moves(match) == ()
    assert not store.replace(match, change(0))
    assert store.load(match) is None


def test_creation_happens_once(store: Store, match: str) -> None:
    """The first one stays."""
    begin(store, match)
    assert not store.create(match, Stored(0, b"another", 4), (happening(0), happening(0, 1)))
    assert store.load(match) == Stored(0, b"state 0", 2)
    assert store.events(match, -1, 0) == (happening(0),)


def test_a_change_is_written_whole(store: Store, match: str) -> None:
    """State, moves, events and receipt are there, bytes of every kind as they were."""
    begin(store, match)
    first, second, third = change(0, moves=3), change(3, moves=0), change(4)
    assert all(store.replace(match, each) for each in (first, second, third))
    assert store.load(match) == Stored(5, third.state, 2)
    assert store.moves(match) == first.moves + third.moves
    assert store.receipt(match, first.request_id) == Receipt(0, 3, first.moves)
    assert store.receipt(match, second.request_id) == Receipt(3, 4, ())
    assert store.receipt(match, third.request_id) == Receipt(4, 5, third.moves)
    assert store.events(match, -1, 5) == (happening(0), *first.events, *third.events)
    assert store.events(match, 1, 3) == first.events[2:]
    assert store.events(match, 3, 4) == ()
    assert store.events(match, 5, 99) == ()


def everything(store: Store, match: str, *requests: str) -> object:
    receipts = [store.receipt(match, each) for each in requests]
    return store.load(match), store.moves(match), store.events(match, -1, 99), receipts


@pytest.mark.parametrize(
    "wrong",
    [change(0, request_id="late"), change(2, request_id="early"), change(1, moves=2, request_id="play:0:0")],
    ids=["of an older revision", "of a revision to come", "of a request that was stored"],
)
def test_what_loses_writes_nothing(store: Store, match: str, wrong: Change) -> None:
    """Whether the new revision is the higher one does not matter; only the one it was made from does."""
    begin(store, match)
    assert store.replace(match, change(0))
    before = everything(store, match, "play:0:0", wrong.request_id)
    assert not store.replace(match, wrong)
    assert everything(store, match, "play:0:0", wrong.request_id) == before
    assert store.replace(match, change(1))


def test_matches_do_not_meet(store: Store, match: str) -> None:
    """Names with the marks of the stores' own keys are names like others."""
    names = [f"{match}{tail}" for tail in ("", "}", ":events", "}:match", "{", " ", "'", "%s", "\N{BLACK SPADE SUIT}")]
    for number, name in enumerate(names):
        assert store.create(name, Stored(0, b"%d" % number, 2), (happening(0),))
    assert store.replace(names[3], change(0))
    for number, name in enumerate(names):
        assert store.load(name) == (Stored(0, b"%d" % number, 2) if number != 3 else Stored(1, change(0).state, 2))


def at_once(*calls: Callable[[], bool]) -> list[bool]:
    """Make calls in threads that begin together."""
    answers: list[bool | None] = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def run(number: int) -> None:
        start.wait(30)
        answers[number] = calls[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert None not in answers
    return [bool(answer) for answer in answers]


def test_of_many_writers_one_wins(store: Store, match: str) -> None:
    """Eight at once, twenty times: one is stored each time, and it is the one that was told so."""
    assert sum(at_once(*[lambda: store.create(match, Stored(0, b"state 0", 2), (happening(0),))] * 8)) == 1
    for revision in range(20):
        changes = [change(revision, request_id=f"{revision} {writer}") for writer in range(8)]
        won = at_once(*[lambda each=each: store.replace(match, each) for each in changes])
        assert sum(won) == 1
        for each, told in zip(changes, won, strict=True):
            assert (store.receipt(match, each.request_id) is not None) == told
    assert len(store.moves(match)) == 20
    assert len(store.events(match, -1, 99)) == 41


def test_one_request_at_once_is_stored_once(store: Store, match: str) -> None:
    """The same change eight times at once."""
    begin(store, match)
    assert sum(at_once(*[lambda: store.replace(match, change(0, moves=2))] * 8)) == 1
    assert store.moves(match) == change(0, moves=2).moves


def test_redis_forgets_a_match_that_is_over(redis_server: Redis, match: str) -> None:
    """Until then its keys have no end; from then on all four have the same."""
    store = RedisStore.at(redis_server.url, timedelta(seconds=1000))
    with redis_package.Redis.from_url(redis_server.url) as client:

        def ends() -> list[object]:
            return [client.ttl(f"burraco:{{{match}}}:{what}") for what in ("match", "requests", "moves", "events")]

        begin(store, match)
        assert store.replace(match, change(0))
        assert ends() == [-1, -1, -1, -1]
        assert store.replace(match, change(1, finished=True))
        assert all(isinstance(left, int) and 900 < left <= 1000 for left in ends())
        assert store.replace(match, change(2, moves=0))
        assert all(isinstance(left, int) and 900 < left <= 1000 for left in ends())


def test_postgres_sweeps_matches_that_are_over(postgres_server: Postgres, match: str) -> None:
    """One that is over goes with all its rows when its time has come; a revocation after its end keeps it over."""
    with ConnectionPool(postgres_server.dsn, min_size=2) as pool:
        store = PostgresStore(pool.connection)
        store.prepare()
        going_on, over = f"{match} going on", f"{match} over"
        for name in (going_on, over):
            begin(store, name)
        assert store.replace(over, change(0, finished=True))
        assert store.replace(over, change(1, moves=0))
        assert store.replace(going_on, change(0))
        assert store.sweep(timedelta(hours=1)) == 0
        assert store.sweep(timedelta(0)) >= 1
        assert store.load(over) is None
        assert everything(store, over, "play:0:0") == (None, (), (), [None])
        assert store.load(going_on) is not None


def test_postgres_itself_refuses_what_is_there_twice(postgres_server: Postgres, match: str) -> None:
    """Were the comparison ever wrong, the tables still have one event a (match, revision, index)."""
    with ConnectionPool(postgres_server.dsn, min_size=2) as pool, pool.connection() as connection:
        kept = PostgresStore(pool.connection)
        kept.prepare()
        begin(kept, match)
        for statement, values in (
            ("INSERT INTO events (match_id, revision, index, told) VALUES (%s, 0, 0, '{}')", [match]),
            ("INSERT INTO matches (match_id, revision, state, players) VALUES (%s, 0, '', 2)", [match]),
        ):
            with pytest.raises(Exception, match="duplicate key"), connection.transaction():
                connection.execute(statement, values)
