"""HTTP/2 by hand, for what gRPC's own client never does: calls without a request, many messages in one frame."""

import contextlib
import itertools
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

_LOOPBACK: Final = "127.0.0.1"
_SECONDS: Final = 30.0
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0x0, 0x1, 0x3, 0x4, 0x6, 0x7, 0x8
_ACK, _END_STREAM, _END_HEADERS = 0x1, 0x1, 0x4
_INITIAL_WINDOW_SIZE: Final = 0x4
_WIDE: Final = 1 << 30


class Frame(NamedTuple):
    """What the server sent."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def ends_stream(self) -> bool:
        """Whether nothing more comes on its stream."""
        return self.kind == _RST_STREAM or bool(self.kind in (_DATA, _HEADERS) and self.flags & _END_STREAM)


class Connection:
    """A connection on which calls are made frame by frame; it takes as many bytes on each stream as its window has."""

    def __init__(self, port: int, window: int = _WIDE) -> None:
        self._authority = f"{_LOOPBACK}:{port}"
        self._streams = itertools.count(1, 2)
        self._socket = socket.create_connection((_LOOPBACK, port), _SECONDS)
        self._reader = self._socket.makefile("rb")
        self._reading: threading.Thread | None = None
        self._socket.sendall(
            _PREFACE
            + _frame(_SETTINGS, 0, 0, struct.pack(">HI", _INITIAL_WINDOW_SIZE, window))
            + _frame(_WINDOW_UPDATE, 0, 0, struct.pack(">I", _WIDE))
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading:
            with contextlib.suppress(OSError):  # the server may have closed it
                self._socket.shutdown(socket.SHUT_RDWR)
            self._reading.join(_SECONDS)
        self._reader.close()
        self._socket.close()

    def read_on(self) -> None:
        """Read whatever comes from now on, for nobody, on a thread of its own."""

        def read() -> None:
            with contextlib.suppress(OSError):
                for _ in self.received():
                    pass

        self._reading = threading.Thread(target=read, daemon=True)
        self._reading.start()

    def begin(self, path: str) -> int:
        """Send the headers of a call; its stream."""
        stream = next(self._streams)
        self._socket.sendall(_frame(_HEADERS, _END_HEADERS, stream, _headers(self._authority, path)))
        return stream

    def send(self, stream: int, payload: bytes, *, is_last: bool = False) -> None:
        """Send bytes on a stream, as they are."""
        self._socket.sendall(_frame(_DATA, _END_STREAM if is_last else 0, stream, payload))

    def received(self) -> Iterator[Frame]:
        """What the server sends, frame by frame, until it closes the connection."""
        while head := self._reader.read(9):
            kind, flags, stream = struct.unpack(">BBI", head[3:])
            payload = self._reader.read(int.from_bytes(head[:3], "big"))
            if kind in (_SETTINGS, _PING) and not flags & _ACK:
                self._socket.sendall(_frame(kind, _ACK, 0, payload if kind == _PING else b""))
            yield Frame(kind, flags, stream, payload)

    def wait_for_the_end_of(self, streams: set[int]) -> None:
        """Read on until the server has ended these streams."""
        left = set(streams)
        for frame in self.received():
            left -= {frame.stream} if frame.ends_stream else set()
            if not left:
                return
        raise ConnectionError(f"the connection has ended before the streams {left}")


def message(payload: bytes) -> bytes:
    """Write a message as it travels."""
    return b"\0" + struct.pack(">I", len(payload)) + payload


def answers_to_one_frame(port: int, path: str, messages: Sequence[bytes]) -> list[bytes]:
    """Send all messages of a stream in one frame; the first answer to each. ConnectionError where it is reset."""
    with Connection(port) as connection:
        connection.send(connection.begin(path), b"".join(map(message, messages)))
        return list(itertools.islice(_messages(connection.received()), len(messages)))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _headers(authority: str, path: str) -> bytes:
    """Headers of a call, each written out, as HPACK has it without tables and Huffman's code."""
    named = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": authority,
        "content-type": "application/grpc",
        "te": "trailers",
    }
    texts = [text.encode() for pair in named.items() for text in pair]
    assert all(len(text) < 127 for text in texts)
    words = [bytes([len(text)]) + text for text in texts]
    return b"".join(b"\0" + name + value for name, value in zip(words[::2], words[1::2], strict=True))


def _messages(frames: Iterator[Frame]) -> Iterator[bytes]:
    data = bytearray()
    for frame in frames:
        if frame.kind in (_RST_STREAM, _GOAWAY):
            raise ConnectionError(f"the proxy sent a frame of type {frame.kind}: {frame.payload!r}")
        data += frame.payload if frame.kind == _DATA else b""
        while len(data) >= 5 and len(data) >= (end := 5 + int.from_bytes(data[1:5], "big")):
            yield bytes(data[5:end])
            del data[:end]
