"""Matches in PostgreSQL: a change is one transaction, and its first statement decides."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from importlib.resources import files
from typing import Any, TypeAlias

import psycopg

from back_end.store import Change, Happening, Receipt, Stored

Connect: TypeAlias = Callable[[], AbstractContextManager[psycopg.Connection[Any]]]

CREATE = """
INSERT INTO matches (match_id, revision, state, players)
VALUES (%(match)s, %(revision)s, %(state)s, %(players)s)
ON CONFLICT DO NOTHING
"""
COMPARE_AND_SET = """
UPDATE matches
SET revision = %(after)s, state = %(state)s, finished = finished OR %(finished)s, changed_at = now()
WHERE match_id = %(match)s
  AND revision = %(before)s
  AND NOT EXISTS (SELECT FROM requests WHERE match_id = %(match)s AND request_id = %(request)s)
"""
REQUEST = "INSERT INTO requests (match_id, request_id, before, after) VALUES (%s, %s, %s, %s)"
MOVE = "INSERT INTO moves (match_id, revision, move) VALUES (%s, %s, %s)"
EVENT = "INSERT INTO events (match_id, revision, index, told) VALUES (%s, %s, %s, %s)"
SWEEP = "DELETE FROM matches WHERE finished AND changed_at < now() - %s"


class PostgresStore:
    """A `Store` in PostgreSQL. At READ COMMITTED, its default, a lost race answers False; stricter levels raise."""

    def __init__(self, connect: Connect) -> None:
        """Use connections that commit when their block ends: `ConnectionPool.connection`, or `psycopg.connect`."""
        self._connect = connect

    def prepare(self) -> None:
        """Make the tables that are missing."""
        with self._connect() as connection:
            connection.execute(files("back_end").joinpath("schema.sql").read_bytes())

    def create(self, match: str, begun: Stored, events: tuple[Happening, ...]) -> bool:
        """Keep a new match, unless there is one of that name."""
        with self._connect() as connection:
            if connection.execute(CREATE, {"match": match, **begun._asdict()}).rowcount != 1:
                return False
            _append(connection, match, events)
        return True

    def load(self, match: str) -> Stored | None:
        """Load a match."""
        with self._connect() as connection:
            row = connection.execute(
                "SELECT revision, state, players FROM matches WHERE match_id = %s", [match]
            ).fetchone()
        return None if row is None else Stored(*row)

    def replace(self, match: str, change: Change) -> bool:
        """Compare, and set. Whoever is second waits for the first one's row, and then finds another revision there."""
        with self._connect() as connection:
            values = {"match": match, "request": change.request_id, **change._asdict()}
            if connection.execute(COMPARE_AND_SET, values).rowcount != 1:
                return False
            connection.execute(REQUEST, [match, change.request_id, change.before, change.after])
            moves = [(match, revision, move) for revision, move in enumerate(change.moves, change.before + 1)]
            connection.cursor().executemany(MOVE, moves)
            _append(connection, match, change.events)
        return True

    def receipt(self, match: str, request_id: str) -> Receipt | None:
        """Find what a request did."""
        with self._connect() as connection:
            row = connection.execute(
                "SELECT before, after FROM requests WHERE match_id = %s AND request_id = %s", [match, request_id]
            ).fetchone()
            if row is None:
                return None
            moves = connection.execute(
                "SELECT move FROM moves WHERE match_id = %s AND revision > %s AND revision <= %s ORDER BY revision",
                [match, *row],
            ).fetchall()
        return Receipt(row[0], row[1], tuple(move for (move,) in moves))

    def events(self, match: str, after: int, upto: int) -> tuple[Happening, ...]:
        """List events."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT revision, index, told FROM events WHERE match_id = %s AND revision > %s AND revision <= %s"
                " ORDER BY revision, index",
                [match, after, upto],
            ).fetchall()
        return tuple(Happening(revision, index, tuple(told)) for revision, index, told in rows)

    def moves(self, match: str) -> tuple[bytes, ...]:
        """List every move."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT move FROM moves WHERE match_id = %s ORDER BY revision", [match]
            ).fetchall()
        return tuple(move for (move,) in rows)

    def sweep(self, older_than: timedelta) -> int:
        """Delete the matches that ended longer ago, with all that belongs to them, and say how many."""
        with self._connect() as connection:
            return connection.execute(SWEEP, [older_than]).rowcount


def _append(connection: psycopg.Connection[Any], match: str, events: tuple[Happening, ...]) -> None:
    rows = [(match, event.revision, event.index, list(event.told)) for event in events]
    connection.cursor().executemany(EVENT, rows)
