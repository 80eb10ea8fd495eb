"""What the vectors cover, counted by the descriptors of the contract from their requests and expected answers."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message

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
from burraco_conformance.caller import answer_message
from burraco_conformance.values import Json
from tests.conformance.files import FOLDER

ERRORS: Final = FOLDER.parents[1] / "docs" / "errors.md"
CODE: Final = re.compile(r"`([A-Z_]{5,})`(?=[^|]*\|[^|]*\|[^|]*\|$)", re.MULTILINE)
"""A status in the first column of the table of errors."""

MOVE_KINDS: Final = {
    field.json_name: moves_pb2.MoveKind.DESCRIPTOR.values_by_number[field.number].name
    for field in moves_pb2.Move.DESCRIPTOR.oneofs_by_name["kind"].fields
}
"""Kind of each move, by its field in JSON: their numbers are the same."""
GAMES: Final = {
    field.name: f"GAME_{field.name.upper()}" for field in rules_pb2.Rules.DESCRIPTOR.oneofs_by_name["game"].fields
}
EVENTS: Final = events_pb2.Event.DESCRIPTOR.oneofs_by_name["what"]
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
    events = [_event(field.name) for field in EVENTS.fields]
    named = [*rules_pb2.Preset.DESCRIPTOR.values, *(value for enum in ANSWERED for value in enum.values)]
    values = [value.name for value in named if value.number]
    codes = [f"code {name}" for name in ("OK", *CODE.findall(ERRORS.read_text("utf-8")))]
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
        if field in EVENTS.fields:
            yield _event(field.name)


def _event(name: str) -> str:
    return f"event {name}"
