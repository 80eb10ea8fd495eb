"""The client on grpc.aio: `connect`, `Client`, `Table` and streams as in `burraco`, with `await` before each call.

A task that is cancelled cancels its call. Moves, cards and errors are those of `burraco`.
"""

from burraco.aio.channel import Client, connect
from burraco.aio.streaming import MoveStream
from burraco.aio.table import Table

__all__ = ["Client", "MoveStream", "Table", "connect"]
