"""The address that is listened on: reserved for several processes, refused in a sentence, announced in a line."""

import contextlib
import errno
import json
import os
import resource
import socket
import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

_NOT_HERE: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""Of the addresses of a name, one that this machine does not have is left out, as gRPC does."""
_MOST_DESCRIPTORS: Final = 16_384
NOTHING_MORE: Final[Mapping[str, object]] = MappingProxyType({})
_ROOM: Final = 64
"""Descriptors above those of the listeners, for what else is opened meanwhile."""


class BindError(Exception):
    """The address cannot be listened on."""


def cannot_listen(address: str, port_variable: str, host_variable: str) -> BindError:
    """Say what cannot be listened on, and which settings to change."""
    return BindError(
        f"Cannot listen on {address}: set {port_variable} to a free port (0 takes any), and {host_variable} to an "
        f"address of this machine."
    )


@contextlib.contextmanager
def reserved_port(host: str, port: int) -> Iterator[int]:
    """Hold a port that other processes of this one's user may listen on together; which, where 0 asks for any.

    OSError where it is not to be had. Nothing listens on it here: the kernel hands connections to listeners alone.
    """
    with contextlib.ExitStack() as stack:
        missing: OSError | None = None
        held: list[socket.socket] = []
        for family, _, _, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            where = (address[0], port, *address[2:])
            try:
                # A port that is shared by accident takes calls from both servers: first see that nobody else listens.
                with _bound(family, where, shared=False):
                    pass
                held.append(stack.enter_context(_bound(family, where, shared=True)))
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise
                missing = error
            else:
                port = held[0].getsockname()[1]
        if not held:
            raise missing or OSError(f"{host} has no address")
        yield port


@contextlib.contextmanager
def closed_first() -> Iterator[None]:
    """Give what is opened in the block high file descriptors: what listens there ends before what it accepts.

    A killed process closes its files from the highest descriptor down, as Linux has it. Were its connections closed
    before its listener, clients would reconnect to that one at once, be reset, and wait a second before the next try.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    top = (_MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, _MOST_DESCRIPTORS)) - _ROOM
    with contextlib.ExitStack() as stack:
        held = os.open(os.devnull, os.O_RDONLY)
        stack.callback(os.close, held)
        while held < top:
            held = os.dup(held)
            stack.callback(os.close, held)
        yield


def announce(
    host: str, port: int, arbiter_host: str, arbiter_port: int | None, more: Mapping[str, object] = NOTHING_MORE
) -> None:
    """Tell a parent process, on the standard output, that the server listens, and where."""
    line: dict[str, object] = {"event": "listening", "host": host, "port": port}
    if arbiter_port is not None:
        line |= {"arbiter_host": arbiter_host, "arbiter_port": arbiter_port}
    line |= more
    # A parent that let the port be chosen reads it here; it may close the pipe at once.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def _bound(family: int, address: tuple[object, ...], *, shared: bool) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address[0] != "::"))
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made
