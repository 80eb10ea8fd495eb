"""The messages of a stream, read and written with the calls and answers inside them left as bytes."""

from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from burraco.v1 import reasons_pb2
from service.wire.faults import Fault
from service.wire.streaming.v1 import envelope_pb2

MAX_CORRELATION_ID_BYTES: Final = 64


class Envelope(NamedTuple):
    """One message of a stream."""

    correlation_id: str
    request: bytes
    """The call, serialized; empty where none came, which is how an empty call is written too."""


def read_envelope(payload: bytes) -> Envelope:
    """Read one message; DecodeError when it is none, Fault when its correlation id is too long."""
    message = envelope_pb2.RequestEnvelope.FromString(payload)
    size = len(message.correlation_id)
    if size > MAX_CORRELATION_ID_BYTES:
        text = f"has {size} bytes, at most {MAX_CORRELATION_ID_BYTES} are taken."
        reason, most = reasons_pb2.REASON_TOO_MANY_ITEMS, MAX_CORRELATION_ID_BYTES
        raise Fault("correlation_id", reason, text, count=size, max=most)
    try:
        correlation_id = message.correlation_id.decode("utf-8")
    except UnicodeDecodeError:
        raise DecodeError("correlation_id is not UTF-8") from None
    return Envelope(correlation_id, b"".join(message.request))


def write_response(correlation_id: str, response: bytes) -> bytes:
    """Write the answer to a message: a serialized ApplyMovesResponse."""
    return envelope_pb2.ResponseEnvelope(correlation_id=correlation_id, response=response).SerializeToString()


def write_status(correlation_id: str, status: bytes) -> bytes:
    """Write how a message failed: a serialized google.rpc.Status."""
    return envelope_pb2.ResponseEnvelope(correlation_id=correlation_id, status=status).SerializeToString()
