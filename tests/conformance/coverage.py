"""What the vectors cover, counted by the descriptors of the contract from their requests and expected answers."""

from collections.abc import Iterable, Iterator
from typing import Final

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message
from google.rpc import code_pb2

from burraco.v1 import (
    arbiter_service_pb2,
    cards_pb2,
    events_pb2,
    game_service_pb2,
    melds_pb2,
    moves_pb2,
    reasons_pb2,
    rules_pb2,
    scores_pb2,
    views_pb2,
)
from tests.conformance.caller import answer_message
from tests.conformance.values import Json

MOVE_KINDS: Final = {
    field.json_name: moves_pb2.MoveKind.Name(field.number)  # their numbers are those of the kinds
    for field in moves_pb2.Move.DESCRIPTOR.oneofs_by_name["kind"].fields
}
GAMES: Final = {field.name: f"GAME_{field.name.upper()}" for field in rules_pb2.Rules.DESCRIPTOR.oneofs[0].fields}
ANSWERED: Final[tuple[EnumDescriptor, ...]] = (
    *(reasons_pb2.Reason.DESCRIPTOR, cards_pb2.Card.DESCRIPTOR, events_pb2.PozzettoWay.DESCRIPTOR),
    *(views_pb2.Phase.DESCRIPTOR, melds_pb2.MeldKind.DESCRIPTOR, melds_pb2.BurracoKind.DESCRIPTOR),
    *(scores_pb2.ScoreItem.DESCRIPTOR, scores_pb2.DealEnd.DESCRIPTOR, scores_pb2.MatchEnd.DESCRIPTOR),
)
"""Enums of which every value has to stand in some answer."""


def everything() -> frozenset[str]:
    """All that there is to cover, by name."""
    services = (game_service_pb2.DESCRIPTOR, arbiter_service_pb2.DESCRIPTOR)
    rpcs = [rpc.full_name for file in services for service in file.services_by_name.values() for rpc in service.methods]
    events = [_event(field.name) for field in events_pb2.Event.DESCRIPTOR.oneofs[0].fields]
    named = [*rules_pb2.Preset.DESCRIPTOR.values, *(value for enum in ANSWERED for value in enum.values)]
    values = [value.name for value in named if value.number]
    codes = [f"code {name}" for name in code_pb2.Code.keys()]  # noqa: SIM118 - an enum is no mapping
    return frozenset((*rpcs, *events, *values, *codes, *GAMES.values(), *MOVE_KINDS.values()))


def covered(scenarios: Iterable[Json]) -> frozenset[str]:
    """What scenarios cover of it, by name."""
    return frozenset(name for scenario in scenarios for step in scenario["steps"] for name in _of_step(step))


def _of_step(step: Json) -> Iterator[str]:
    expect = step["expect"]
    yield f"code {expect['code']}"
    if expect["code"] != "OK":
        yield from (each["reason"] for each in (expect, *expect.get("fields", ())) if "reason" in each)
        return
    yield step["rpc"].replace("/", ".")
    answer = answer_message(step["rpc"], expect["answer"])
    yield from _of_message(answer)
    match answer:
        case game_service_pb2.CreateMatchResponse():
            yield rules_pb2.Preset.Name(answer.rules.preset)
            yield GAMES[answer.rules.WhichOneof("game") or ""]
        case game_service_pb2.ApplyMovesResponse() if answer.HasField("accepted"):
            yield from (MOVE_KINDS[kind] for move in step["request"]["moves"] for kind in move)


def _of_message(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.enum_type in ANSWERED:
            yield from (field.enum_type.values_by_number[number].name for number in values)
        elif field.message_type is not None:
            for inner in values:
                yield from _of_message(inner)
        if field.containing_oneof is not None and message.DESCRIPTOR is events_pb2.Event.DESCRIPTOR:
            yield _event(field.name)


def _event(name: str) -> str:
    return f"event {name}"
