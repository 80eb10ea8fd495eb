"""Makes the calls of vectors: JSON in, JSON out, by the descriptors of the generated code."""

import base64
from collections.abc import Mapping
from typing import Any, Final, Protocol

import grpc
from google.protobuf import descriptor_pool, json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from burraco.channel import connect
from burraco.errors import DETAILS_KEY, DOMAIN
from burraco.v1 import arbiter_service_pb2, game_service_pb2
from burraco_conformance.values import Json

SECONDS: Final = 30.0
PLAIN: Final = (("grpc.enable_http_proxy", 0), ("grpc.enable_retries", 0))
LOADED: Final = (game_service_pb2.DESCRIPTOR, arbiter_service_pb2.DESCRIPTOR)
"""The contract's services; importing their code makes them known to the pool of descriptors."""


class Caller(Protocol):
    """Something that answers calls: a server, or a stand-in of a test."""

    def call(self, rpc: str, metadata: Mapping[str, str], request: Json, raw: bytes | None) -> Json:
        """Make a call and say how it ended, as `expect` of a vector has it."""


class Channels:
    """Servers behind channels, one for each service that has an address of its own."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._clients = {name: connect(target, timeout=SECONDS, options=PLAIN) for name, target in targets.items()}

    def call(self, rpc: str, metadata: Mapping[str, str], request: Json, raw: bytes | None) -> Json:
        """Make a call; `raw` is sent as it is in place of a request."""
        method = method_of(rpc)
        service = method.containing_service.full_name
        payload = raw if raw is not None else request_message(method, request).SerializeToString()
        channel: Any = self._clients[service].channel
        stub = channel.unary_unary(f"/{service}/{method.name}")
        try:
            answer = stub(payload, timeout=SECONDS, metadata=tuple(metadata.items()))
        except grpc.RpcError as error:
            return failure(error)
        return {"code": "OK", "answer": to_json(GetMessageClass(method.output_type).FromString(answer))}

    def close(self) -> None:
        """Close the channels."""
        for client in self._clients.values():
            client.close()


def method_of(rpc: str) -> MethodDescriptor:
    """Find an RPC by a name such as `burraco.v1.GameService/GetView`."""
    service, _, name = rpc.partition("/")
    return descriptor_pool.Default().FindServiceByName(service).methods_by_name[name]


def request_message(method: MethodDescriptor, request: Json) -> Message:
    """Read a request from JSON."""
    return json_format.ParseDict(request, GetMessageClass(method.input_type)())


def answer_message(rpc: str, answer: Json) -> Message:
    """Read an answer from JSON."""
    return json_format.ParseDict(answer, GetMessageClass(method_of(rpc).output_type)())


def to_json(message: Message) -> Json:
    """Write a message in the JSON mapping, with its defaults: names in camel case, enums by name, no empty fields."""
    return json_format.MessageToDict(message)


def failure(error: Any) -> Json:  # noqa: ANN401 - grpcio's errors are calls too, which its types do not say
    """Write how a call failed. Without the details of this service nothing but the code is told."""
    told: dict[str, Json] = {"code": error.code().name}
    status = _rich_status(error)
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    if status is None or not any(detail.Unpack(info) for detail in status.details) or info.domain != DOMAIN:
        return told
    told |= {"reason": info.reason, "arguments": dict(sorted(info.metadata.items())), "message": error.details()}
    if any(detail.Unpack(bad) for detail in status.details):
        told["fields"] = to_json(bad)["fieldViolations"]
    if any(detail.Unpack(retry) for detail in status.details):
        told["retryDelay"] = to_json(retry)["retryDelay"]
    if (status.code, status.message) != (error.code().value[0], error.details()):
        told["details"] = f"those of another status: {status.code}, {status.message!r}"  # no vector expects that
    return {key: value for key, value in told.items() if value}


def _rich_status(error: Any) -> status_pb2.Status | None:  # noqa: ANN401 - see failure
    found = [value for key, value in error.trailing_metadata() or () if key == DETAILS_KEY]
    try:
        return status_pb2.Status.FromString(found[0]) if found else None
    except DecodeError:
        return None


def bytes_of(text: str) -> bytes:
    """Bytes as the JSON mapping writes them."""
    return base64.b64decode(text, validate=True)
