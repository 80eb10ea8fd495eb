"""Client of the Burraco rules service.

`connect` opens a `Client`, a `Table` keeps a match, `moves` and `cards` write what a player does; `burraco.aio` has
the same for asyncio. `burraco.v1` holds the generated messages and stubs, which all of this is made of and which can be
used alone.
"""

from burraco import cards, moves
from burraco.channel import Client, connect
from burraco.errors import FieldViolation, IllegalMove, RulesError, StreamEnded, from_rpc_error
from burraco.streaming import MoveStream
from burraco.table import Table

__all__ = [
    "Client",
    "FieldViolation",
    "IllegalMove",
    "MoveStream",
    "RulesError",
    "StreamEnded",
    "Table",
    "cards",
    "connect",
    "from_rpc_error",
    "moves",
]
