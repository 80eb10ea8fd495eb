"""A back end with one player, as a process that can be killed: `python -m tests.examples.device ...`.

It prints the name of each request before it is sent, and what came of it after.
"""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

from back_end.game import Answer, Matches, Played
from back_end.postgres_store import PostgresStore
from back_end.redis_store import RedisStore
from back_end.store import Store
from burraco import connect
from tests.examples.players import Player, Sent

NAME: Final = "burraco-device"
"""How the databases know these processes."""
TURNS: Final = 500


class Telling(Player):
    """A player who says what is sent and what comes back."""

    def send(self, sent: Sent, call: Callable[[], Answer | str], *, again: bool) -> None:
        sys.stdout.write(f"sent {sent.name}\n")
        sys.stdout.flush()
        super().send(sent, call, again=again)
        for answer in sent.answers:
            done = answer.revision if isinstance(answer, Played) else "revoked" if isinstance(answer, str) else "no"
            sys.stdout.write(f"answered {sent.name} {done}\n")
            sys.stdout.flush()


@contextmanager
def store_at(kind: str, address: str) -> Iterator[Store]:
    """Open a store with one connection."""
    if kind == "redis":
        yield RedisStore.at(f"{address}?client_name={NAME}")
        return
    with psycopg.connect(f"{address} application_name={NAME}", autocommit=True) as connection:

        @contextmanager
        def transaction() -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
            with connection.transaction():
                yield connection

        yield PostgresStore(transaction)


def main(kind: str, address: str, target: str, match: str, name: str) -> None:
    """Play until killed, or for many turns."""
    with store_at(kind, address) as store, connect(target, options=[("grpc.enable_http_proxy", 0)]) as client:
        device = (name, match, Matches(client, store), client, store, random.Random(name), 0)
        Telling(*device, resigns=0).take_turns(TURNS)


if __name__ == "__main__":
    main(*sys.argv[1:])
