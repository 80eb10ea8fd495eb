"""Channelz, as grpc.channelz.v1 has it: what gRPC knows of the process's servers, channels and sockets."""

from collections.abc import Callable
from typing import Any, Final

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message
from grpc_channelz.v1 import channelz_pb2
from grpc_channelz.v1.channelz import ChannelzServicer

from burraco.v1 import reasons_pb2
from service.api.call import Call
from service.api.errors import CallError, invalid

_FILE: Any = channelz_pb2.DESCRIPTOR  # its stubs name the class of one implementation
CHANNELZ_SERVICE: Final[ServiceDescriptor] = _FILE.services_by_name["Channelz"]
_LARGEST_NUMBER: Final = 2**63 - 1


class _Context:
    """As much of a call's context as gRPC's own servicer asks."""

    failed: grpc.StatusCode | None = None

    def set_code(self, code: grpc.StatusCode) -> None:
        self.failed = code

    def set_details(self, details: str) -> None:
        """Leave them: they are gRPC's words for its own programmers."""


def _asking(ask: Callable[..., Message | None]) -> Callable[[Message, Call], Message]:
    def answer(request: Message, _call: Call) -> Message:
        for field, number in request.ListFields():
            if number < 0:
                raise invalid(
                    field.name,
                    reasons_pb2.REASON_FIELD_OUT_OF_RANGE,
                    f"{number} is out of range: take a number of an answer, or 0.",
                    value=number,
                    min=0,
                    max=_LARGEST_NUMBER,
                )
        context = _Context()
        response = ask(request, context)
        if response is not None:
            return response
        if context.failed is grpc.StatusCode.NOT_FOUND:
            raise CallError(
                grpc.StatusCode.NOT_FOUND,
                reasons_pb2.REASON_FIELD_OUT_OF_RANGE,
                "There is none of this number now: ask GetServers or GetTopChannels for those that there are.",
            )
        raise RuntimeError("gRPC cannot tell of itself")

    return answer


class Channelz:
    """Each RPC of channelz; for back ends alone, as what no seat may call."""

    get_top_channels = staticmethod(_asking(ChannelzServicer.GetTopChannels))
    get_servers = staticmethod(_asking(ChannelzServicer.GetServers))
    get_server = staticmethod(_asking(ChannelzServicer.GetServer))
    get_server_sockets = staticmethod(_asking(ChannelzServicer.GetServerSockets))
    get_channel = staticmethod(_asking(ChannelzServicer.GetChannel))
    get_subchannel = staticmethod(_asking(ChannelzServicer.GetSubchannel))
    get_socket = staticmethod(_asking(ChannelzServicer.GetSocket))
