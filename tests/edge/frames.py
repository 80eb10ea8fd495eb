"""HTTP/2 by hand, for what gRPC's own client leaves to chance: how many messages of a stream are in one frame."""

import itertools
import socket
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from tests.edge.replicas import LOOPBACK, SECONDS

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _GOAWAY, _WINDOW_UPDATE = 0x0, 0x1, 0x3, 0x4, 0x7, 0x8
_ACK, _END_HEADERS = 0x1, 0x4
_INITIAL_WINDOW_SIZE: Final = 0x4
_WINDOW: Final = 1 << 30
_STREAM: Final = 1


def answers_to_one_frame(port: int, path: str, messages: Sequence[bytes]) -> list[bytes]:
    """Send all messages of a stream in one frame; the first answer to each. ConnectionError where it is reset."""
    sent = b"".join(b"\0" + struct.pack(">I", len(message)) + message for message in messages)
    with socket.create_connection((LOOPBACK, port), SECONDS) as connection:
        connection.sendall(
            _PREFACE
            + _frame(_SETTINGS, 0, 0, struct.pack(">HI", _INITIAL_WINDOW_SIZE, _WINDOW))
            + _frame(_WINDOW_UPDATE, 0, 0, struct.pack(">I", _WINDOW))
            + _frame(_HEADERS, _END_HEADERS, _STREAM, _headers(port, path))
            + _frame(_DATA, 0, _STREAM, sent)
        )
        return list(itertools.islice(_messages(_received(connection)), len(messages)))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _headers(port: int, path: str) -> bytes:
    """Headers of a call, each written out, as HPACK has it without tables and Huffman's code."""
    named = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": f"{LOOPBACK}:{port}",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    texts = [text.encode() for pair in named.items() for text in pair]
    assert all(len(text) < 127 for text in texts)
    words = [bytes([len(text)]) + text for text in texts]
    return b"".join(b"\0" + name + value for name, value in zip(words[::2], words[1::2], strict=True))


def _received(connection: socket.socket) -> Iterator[bytes]:
    """The data of the stream, frame by frame."""
    with connection.makefile("rb") as stream:
        while True:
            head = stream.read(9)
            kind, flags = head[3], head[4]
            payload = stream.read(int.from_bytes(head[:3], "big"))
            if kind == _SETTINGS and not flags & _ACK:
                connection.sendall(_frame(_SETTINGS, _ACK, 0, b""))
            elif kind == _DATA:
                yield payload
            elif kind in (_RST_STREAM, _GOAWAY):
                raise ConnectionError(f"the proxy sent a frame of type {kind}: {payload!r}")


def _messages(frames: Iterator[bytes]) -> Iterator[bytes]:
    data = bytearray()
    for frame in frames:
        data += frame
        while len(data) >= 5 and len(data) >= (end := 5 + int.from_bytes(data[1:5], "big")):
            yield bytes(data[5:end])
            del data[:end]
