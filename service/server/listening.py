"""The address that is listened on: reserved for several processes, refused in a sentence, announced in a line."""

import contextlib
import json
import socket
import sys
from collections.abc import Iterator


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
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            where = (address[0], port, *address[2:])
            # A port that is shared by accident halves the calls of both servers: first see that nobody else listens.
            with _bound(family, kind, protocol, where, shared=False):
                pass
            held = stack.enter_context(_bound(family, kind, protocol, where, shared=True))
            port = port or held.getsockname()[1]
        yield port


def announce(host: str, port: int, arbiter_host: str, arbiter_port: int | None) -> None:
    """Tell a parent process, on the standard output, that the server listens, and where."""
    line: dict[str, object] = {"event": "listening", "host": host, "port": port}
    if arbiter_port is not None:
        line |= {"arbiter_host": arbiter_host, "arbiter_port": arbiter_port}
    # A parent that let the port be chosen reads it here; it may close the pipe at once.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def _bound(family: int, kind: int, protocol: int, address: tuple[object, ...], *, shared: bool) -> socket.socket:
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made
