"""What browsers and scripts send: gRPC-Web with its frames made by hand, and JSON, both over HTTP/1.1."""

import base64
import http.client
import json
import struct
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from google.api.annotations_pb2 import http as http_extension
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.rpc import status_pb2

from tests.edge.replicas import LOOPBACK, SECONDS

GAME: Final = "/burraco.v1.GameService/"
TRAILERS: Final = 0x80
NONE: Final[Mapping[str, str]] = {}


def rule_of(rpc: MethodDescriptor) -> Any:  # noqa: ANN401 - an HttpRule, whose stubs know no extension
    """How the contract has an RPC in JSON over HTTP; empty for one that has none."""
    extension: Any = http_extension
    return rpc.GetOptions().Extensions[extension]


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """The body, which has to be JSON and to say so."""
        assert self.headers["content-type"] == "application/json", self
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The reason among the details of an error in JSON."""
        infos = [each for each in self.json["details"] if each["@type"].endswith("/google.rpc.ErrorInfo")]
        assert [each["domain"] for each in infos] == ["burraco"]
        return str(infos[0]["reason"])


class WebAnswer(NamedTuple):
    """An answer of gRPC-Web."""

    http: Answer
    messages: list[bytes]
    trailers: dict[str, str]

    @property
    def code(self) -> int:
        """The status of the call."""
        return int(self.trailers["grpc-status"])

    @property
    def status(self) -> status_pb2.Status:
        """The rich status of a call that failed."""
        text = self.trailers["grpc-status-details-bin"]
        return status_pb2.Status.FromString(base64.b64decode(text + "=" * (-len(text) % 4)))


def send(port: int, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = NONE) -> Answer:
    """Send one request on a connection of its own."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=SECONDS)
    try:
        connection.request(method, path, body, dict(headers))
        response = connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    finally:
        connection.close()


def post(port: int, path: str, body: object, headers: Mapping[str, str] = NONE) -> Answer:
    """Send JSON."""
    return send(port, "POST", path, json.dumps(body).encode(), {"content-type": "application/json", **headers})


def call_web(
    port: int, rpc: str, request: Message, headers: Mapping[str, str] = NONE, *, as_text: bool = False
) -> WebAnswer:
    """Make a unary call of gRPC-Web, in its binary form or in the one that is base64."""
    return call_path(port, GAME + rpc, request.SerializeToString(), headers, as_text=as_text)


def call_path(
    port: int, path: str, payload: bytes, headers: Mapping[str, str] = NONE, *, as_text: bool = False
) -> WebAnswer:
    """Make such a call of any path, with any bytes."""
    body = struct.pack(">BI", 0, len(payload)) + payload
    kind = "application/grpc-web-text" if as_text else "application/grpc-web+proto"
    sent = {"content-type": kind, "accept": kind, "x-grpc-web": "1", **headers}
    answer = send(port, "POST", path, base64.b64encode(body) if as_text else body, sent)
    if answer.status != http.client.OK:
        return WebAnswer(answer, [], {})
    assert answer.headers["content-type"].startswith(kind)
    messages, trailers = [], {name: value for name, value in answer.headers.items() if name.startswith("grpc-")}
    left = _decoded(answer.body) if as_text else answer.body
    while left:
        flag, size = struct.unpack_from(">BI", left)
        frame, left = left[5 : 5 + size], left[5 + size :]
        assert len(frame) == size, "a frame is cut"
        if flag & TRAILERS:
            assert not left, "something follows the trailers"
            lines = (line.partition(":") for line in frame.decode("ascii").split("\r\n") if line)
            trailers |= {name.strip().lower(): value.strip() for name, _, value in lines}
        else:
            messages.append(frame)
    return WebAnswer(answer, messages, trailers)


def _decoded(text: bytes) -> bytes:
    """Decode base64 of several pieces, each of which may be padded."""
    return b"".join(base64.b64decode(text[at : at + 4]) for at in range(0, len(text), 4))
