"""Whatever is sent is answered: never by a fault of the service, and never with an effect on the next good call."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from burraco.v1 import cards_pb2, reasons_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import FACES, JOKER
from service.rules.games import GAMES, PRESETS
from service.rules.presets import GAME_OF
from service.rules.state import State
from service.wire.sealing import Format, SealingKey
from service.wire.streaming.v1.envelope_pb2 import RequestEnvelope
from tests.api.client import (
    BUILT,
    CALL_TIME,
    DRAW,
    EVERYONE,
    FIBUR,
    ITALIAN,
    TAKE,
    TIME_OUT,
    Api,
    Outcome,
    discard,
    knock,
    lay,
    lay_off,
    only,
    plain,
    replace_wild,
    to_request,
)
from tests.support.contract import arguments_of
from tests.support.profile import FULL
from tests.support.records import played_record, random_decks
from tests.support.walks import every_pool, pool

REQUESTS: Final = 50_000 if FULL else 3_600
SERVICE: Final = pb.DESCRIPTOR.services_by_name["GameService"]
RPCS: Final = tuple(method.name for method in SERVICE.methods)
REQUEST_OF: Final[dict[str, type[Message]]] = {
    method.name: GetMessageClass(method.input_type) for method in SERVICE.methods
}
ANSWER_OF: Final[dict[str, type[Message]]] = {
    method.name: GetMessageClass(method.output_type) for method in SERVICE.methods
}
CALLERS_FAULTS: Final = frozenset(
    (
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNIMPLEMENTED,
    )
)
MAX_DETAILS: Final = 4096


def check(rpc: str, payload: bytes, outcome: Outcome) -> str:
    """Hold an outcome against the law; how it ended, in a word."""
    if outcome.code == grpc.StatusCode.OK:
        assert rpc in BUILT
        ANSWER_OF[rpc].FromString(outcome.answer)
        return "OK"
    assert outcome.code in CALLERS_FAULTS, (rpc, payload.hex(), outcome)
    assert outcome.message
    assert outcome.message.isascii()
    assert outcome.message.isprintable()
    if outcome.code == grpc.StatusCode.RESOURCE_EXHAUSTED and outcome.status is None:
        return "too large for the transport"
    assert 0 < len(outcome.details) < MAX_DETAILS
    info = outcome.info
    assert info.domain == "burraco"
    number = reasons_pb2.Reason.Value(info.reason)
    assert number >= 200 or outcome.fields, "the reason of a move, not of a call"
    assert number != reasons_pb2.REASON_INTERNAL
    assert outcome.status is not None
    assert outcome.status.code == outcome.code.value[0]
    if outcome.code == grpc.StatusCode.INVALID_ARGUMENT and outcome.reason != "REQUEST_MALFORMED":
        assert all(outcome.fields[:-1])  # the last may only count those that found no room
        assert re.split(r"[.\[ ]", outcome.fields[0])[0] in REQUEST_OF[rpc].DESCRIPTOR.fields_by_name
    return outcome.reason


def arguments_lacking(outcome: Outcome) -> set[tuple[str, str]]:
    """Arguments that the contract promises for the reason and that the status does not have."""
    if outcome.status is None:
        return set()
    return {(outcome.reason, name) for name in arguments_of(outcome.reason) - set(outcome.info.metadata)}


# --- what is sent ----------------------------------------------------------------------------------------------------


class Sources:
    """Where generated requests take their pieces from: sealed states of every kind, seeds, texts, numbers."""

    def __init__(self, api: Api, rng: random.Random) -> None:
        self.rng = rng
        self.opened: list[State] = [*pool()[::2], *every_pool()]
        self.states = [api.seal(state) for state in self.opened]
        self.seed = api.sealer.seal(bytes(64), Format.SEED)
        self.other_key = SealingKey(bytes(32)).seal(b"content", Format.STATE)

    def bytes_(self, name: str) -> bytes:
        rng = self.rng
        if name == "state":
            return self.state()
        if name == "sealed_seed" and rng.random() < 0.3:
            return self.seed
        if name == "given_seed" and rng.random() < 0.6:
            return rng.randbytes(32)
        return rng.randbytes(rng.choice((0, 1, 11, 16, 31, 32, 33, 64, 65, 300)))

    def state(self) -> bytes:
        """Mostly a good one; else cut, changed, of another key, of a seed, or anything."""
        rng = self.rng
        good = rng.choice(self.states)
        match rng.randrange(12):
            case 0:
                return rng.randbytes(rng.randrange(300))
            case 1:
                return good[: rng.randrange(len(good))]
            case 2:
                changed = bytearray(good)
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
                return bytes(changed)
            case 3:
                return rng.choice((self.other_key, self.seed, b"", good + b"\x00"))
        return good

    def text(self) -> str:
        return self.rng.choice(
            (
                "",
                "match",
                "\N{BLACK SPADE SUIT}" * 21,
                "è\u202e\x00\n",
                "x" * 64,
                "x" * 65,
                "\U0001f0a1" * 17,
                "{cards}",
            )
        )

    def number(self, field: FieldDescriptor) -> int:
        rng = self.rng
        if field.name == "seat" and rng.random() < 0.7:
            return rng.randrange(2)  # there at every table
        small = rng.choice((0, 1, 2, 3, 4, 5, 11, 13, 64, 100, 127, 128, 1000))
        if rng.random() < 0.75:
            return small
        signed = field.type in {FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_ENUM}
        if signed:
            return rng.choice((-1, -5, 2**31 - 1, -(2**31), 1_000_000, -1_000_001))
        wide = field.type == FieldDescriptor.TYPE_UINT64
        return rng.choice((2**31, 2**32 - 1, 2**63, 2**64 - 1) if wide else (2**31, 2**32 - 1))

    def enum(self, field: FieldDescriptor) -> int:
        rng = self.rng
        assert field.enum_type is not None
        if field.enum_type.name == "Card" and rng.random() < 0.9:
            return rng.choice((*FACES, JOKER))
        if field.enum_type.name == "Preset" and rng.random() < 0.7:
            return rng.choice(tuple(PRESETS))
        if rng.random() < 0.8:
            return rng.choice([value.number for value in field.enum_type.values])
        return self.number(field)


def random_message(kind: Any, sources: Sources, depth: int = 0) -> Message:  # noqa: ANN401 - a descriptor
    """A message of a type, filled at random, its required fields more often than not."""
    rng = sources.rng
    message = GetMessageClass(kind)()
    chosen = {oneof.name: rng.choice(oneof.fields).name for oneof in kind.oneofs}
    for field in kind.fields:
        oneof = field.containing_oneof
        if oneof is not None and chosen[oneof.name] != field.name:
            continue
        likely = 0.95 if field.name in {"state", "moves", "rules", "cards", "seat", "viewer", "table"} else 0.6
        if rng.random() > likely or depth > 7:
            continue
        fill(message, field, sources, depth)
    return message


def fill(message: Message, field: FieldDescriptor, sources: Sources, depth: int) -> None:
    """Set one field of a message at random."""
    rng = sources.rng
    if field.is_repeated:
        count = rng.choice((0, 1, 2, 2, 3, 3, 4, 7, 12, *((70, 120) if not depth and rng.random() < 0.2 else ())))
        items = getattr(message, field.name)
        for _ in range(count):
            if field.message_type:
                items.add().CopyFrom(random_message(field.message_type, sources, depth + 1))
            else:
                items.append(scalar(field, sources))
    elif field.message_type:
        getattr(message, field.name).CopyFrom(random_message(field.message_type, sources, depth + 1))
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, scalar(field, sources))


def scalar(field: FieldDescriptor, sources: Sources) -> Any:  # noqa: ANN401 - of the field's own type
    match field.type:
        case FieldDescriptor.TYPE_BYTES:
            return sources.bytes_(field.name)
        case FieldDescriptor.TYPE_STRING:
            return sources.text()
        case FieldDescriptor.TYPE_BOOL:
            return sources.rng.random() < 0.5
        case FieldDescriptor.TYPE_ENUM:
            return sources.enum(field)
    return sources.number(field)


def good_requests(sources: Sources) -> dict[str, Callable[[], Message]]:
    """For each RPC a request that is answered."""
    rng = sources.rng

    def position() -> tuple[bytes, State]:
        at = rng.randrange(len(sources.states))
        return sources.states[at], sources.opened[at]

    def moves(kind: Any) -> Message:  # noqa: ANN401 - ApplyMovesRequest or CheckMovesRequest
        sealed, opened = position()
        hand = list(opened.hands[opened.seat].cards()) or [1]
        some = rng.sample(hand, min(3, len(hand)))
        usual = (DRAW, TAKE, CALL_TIME, TIME_OUT, discard(hand[0]), lay(some), lay_off(1, some))
        move = rng.choice((*usual, knock(hand[-1]), replace_wild(1, hand[0]), plain("pass_upcard")))
        request: Message = kind(
            state=sealed, seat=opened.seat, moves=[move] * rng.choice((1, 1, 2)), expected_revision=opened.revision
        )
        return request

    def table() -> Message:
        meld = pb.TableMeld(cards=[1, 2, 3, 4, 5, 6, 7])  # type: ignore[list-item]  # cards' numbers
        side = pb.TableSide(melds=[meld], pozzetto_taken=True, match_points_before=-5 * rng.randrange(300))
        return pb.ScoreDealRequest(table=pb.TableDeal(rules=rng.choice((ITALIAN, FIBUR)), sides=[side, pb.TableSide()]))

    def other_table() -> Message:
        """A table of any preset, with a meld and some cards left."""
        preset = rng.choice(tuple(PRESETS))
        rules: Any = PRESETS[preset]
        sides = [pb.TableSide() for _ in range(GAMES[rules.game].sides(rules))]
        closer, other = rng.sample(range(len(sides)), 2)
        sides[closer].melds.add(cards=[3, 4, 5])
        sides[other].hands.add(cards=rng.sample(FACES[20:], rng.randrange(7)))
        closed = rng.choice((None, closer))
        table = pb.TableDeal(rules=only(preset), sides=sides, closed_by_side=closed, closed_in_hand=rng.random() < 0.3)
        return pb.ScoreDealRequest(table=table)

    def seat_of(opened: State) -> int:
        return rng.randrange(len(opened.match.players))

    def of_state(kind: Any) -> Message:  # noqa: ANN401 - ListLegalMovesRequest or GetViewRequest
        sealed, opened = position()
        seat = seat_of(opened)
        if kind is pb.ListLegalMovesRequest:
            return pb.ListLegalMovesRequest(state=sealed, seat=seat)
        return pb.GetViewRequest(state=sealed, viewer=rng.choice((EVERYONE[-1], cards_pb2.Viewer(seat=seat))))

    def record() -> Message:
        """The first moves of a match from a seed of any origin, or from decks."""
        rules, seed = PRESETS[rng.choice(tuple(PRESETS))], rng.randrange(30)
        decks = random_decks(rules, seed, 2) if rng.random() < 0.3 else None
        return to_request(played_record(rules, seed, rng.randrange(12), decks)[0])

    return {
        "CommitSeed": pb.CommitSeedRequest,
        "CreateMatch": lambda: pb.CreateMatchRequest(
            rules=ITALIAN, request_id="fuzz", sealed_seed=sources.seed, entropy=[b"a", b"b"], viewers=EVERYONE
        ),
        "ApplyMoves": lambda: moves(pb.ApplyMovesRequest),
        "CheckMoves": lambda: moves(pb.CheckMovesRequest),
        "ListLegalMoves": lambda: of_state(pb.ListLegalMovesRequest),
        "GetView": lambda: of_state(pb.GetViewRequest),
        "ScoreDeal": lambda: rng.choice((table(), other_table(), pb.ScoreDealRequest(state=position()[0]))),
        "ExplainMeld": lambda: pb.ExplainMeldRequest(
            rules=only(rng.choice(tuple(PRESETS))),
            cards=rng.choices((*FACES, JOKER), k=rng.choice((2, 3, 4, 7))),  # type: ignore[arg-type]  # cards' numbers
        ),
        "IssueSeatToken": lambda: pb.IssueSeatTokenRequest(state=position()[0], seat=rng.randrange(2), revoke=True),
        "ListPresets": pb.ListPresetsRequest,
        "GetRules": lambda: pb.GetRulesRequest(rules=only(rng.choice(tuple(PRESETS)))),
        "ReplayMatch": record,
    }


def mutated(message: Message, sources: Sources) -> Message:
    """A message with one of its fields, at any depth, set to something else or taken away."""
    rng = sources.rng
    inner = [
        value
        for field, found in message.ListFields()
        if field.message_type
        for value in (found if field.is_repeated else [found])
    ]
    if inner and rng.random() < 0.6:
        mutated(rng.choice(inner), sources)
        return message
    fields: list[Any] = list(message.DESCRIPTOR.fields)
    if fields:
        field = rng.choice(fields)
        message.ClearField(field.name)
        if rng.random() < 0.8:
            fill(message, field, sources, depth=4)
    return message


def random_bytes(sources: Sources) -> Iterator[tuple[str, bytes]]:
    rng = sources.rng
    yield rng.choice(RPCS), rng.randbytes(rng.choice((0, 1, 2, 3, 10, 40, 200, 2000)))


def random_messages(sources: Sources) -> Iterator[tuple[str, bytes]]:
    rpc = sources.rng.choice(BUILT)
    yield rpc, random_message(REQUEST_OF[rpc].DESCRIPTOR, sources).SerializeToString()


def changed_fields(sources: Sources) -> Iterator[tuple[str, bytes]]:
    good = good_requests(sources)
    rpc = sources.rng.choice(BUILT)
    yield rpc, mutated(good[rpc](), sources).SerializeToString()


def changed_bytes(sources: Sources) -> Iterator[tuple[str, bytes]]:
    rng = sources.rng
    good = good_requests(sources)
    rpc = rng.choice(BUILT)
    payload = bytearray(good[rpc]().SerializeToString() or b"\x08\x01")
    for _ in range(rng.choice((1, 1, 3))):
        payload[rng.randrange(min(len(payload), rng.choice((8, 4096))))] = rng.randrange(256)
    yield rpc, bytes(payload)


def good(sources: Sources) -> Iterator[tuple[str, bytes]]:
    for rpc, make in good_requests(sources).items():
        yield rpc, make().SerializeToString()


KINDS: Final[dict[str, Callable[[Sources], Iterator[tuple[str, bytes]]]]] = {
    "random bytes": random_bytes,
    "random messages": random_messages,
    "a field changed": changed_fields,
    "some bytes changed": changed_bytes,
    "good requests": good,
}
SHARES: Final = {"random bytes": 0.15, "random messages": 0.35, "a field changed": 0.4, "some bytes changed": 0.1}
EXPECTED: Final[dict[str, set[str]]] = {
    "random bytes": {"REQUEST_MALFORMED", "NOT_BUILT", "OK"},
    "random messages": {
        *("OK", "STATE_MALFORMED", "STATE_SEAL_BROKEN", "STATE_KEY_UNKNOWN", "FIELD_MISSING", "FIELD_OUT_OF_RANGE"),
        *("ENUM_UNKNOWN", "TOO_MANY_ITEMS", "PRESET_UNKNOWN", "OPTION_OUT_OF_RANGE", "OPTIONS_OF_OTHER_GAME"),
        *("REVISION_MISMATCH", "OPTION_MISSING"),
        *(("GAME_NOT_BUILT",) if set(GAME_OF) - set(PRESETS) else ()),
    },
    "a field changed": {
        *("OK", "STATE_SEAL_BROKEN", "FIELD_MISSING", "FIELD_OUT_OF_RANGE", "ENUM_UNKNOWN", "REVISION_MISMATCH"),
        *("MATCH_FINISHED", "DEAL_UNFINISHED", "SEED_MALFORMED", "FIELDS_CONTRADICT"),
    },
    "some bytes changed": {"OK", "REQUEST_MALFORMED", "STATE_SEAL_BROKEN"},
    "good requests": {"OK"},
}
"""What has to come out of each kind of request, or the generator has gone blind."""


@pytest.fixture(scope="module")
def canary(api: Api) -> Callable[[], bytes]:
    """A good call and a good move, whose answers have to be the same whatever came before."""
    created = api.create(ITALIAN, 77, viewers=EVERYONE)
    seat = created.updates[0].view.turn
    view = pb.GetViewRequest(state=created.state, viewer=EVERYONE[0]).SerializeToString()
    move = pb.ApplyMovesRequest(state=created.state, seat=seat, moves=[DRAW], viewers=EVERYONE).SerializeToString()

    def sing() -> bytes:
        shown, moved = api.send("GetView", view), api.send("ApplyMoves", move)
        assert shown.code == moved.code == grpc.StatusCode.OK
        return shown.answer + moved.answer

    return sing


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_sent_is_answered(api: Api, canary: Callable[[], bytes], kind: str) -> None:
    """Any request ends with an answer or a status that names what is wrong, and leaves nothing behind."""
    rng = random.Random(kind)
    sources = Sources(api, rng)
    mark, song = api.mark(), canary()
    ended: Counter[str] = Counter()
    lacking: set[tuple[str, str]] = set()
    for number in range(int(REQUESTS * SHARES.get(kind, 0.01))):
        for rpc, payload in KINDS[kind](sources):
            if rpc == "StreamApplyMoves":
                continue
            ended[check(rpc, payload, api.send(rpc, payload))] += 1
        if number % 200 == 0:
            assert canary() == song
    assert canary() == song
    assert not [line for line in api.lines_since(mark) if line["event"] != "call"]
    if kind == "good requests":
        ended = Counter({"OK": ended["OK"]})
    assert not lacking, "the contract promises these arguments"
    missing = EXPECTED[kind] - set(ended)
    assert not missing, json.dumps(ended)


def test_a_stream_of_anything_is_answered_as_calls_are(api: Api, canary: Callable[[], bytes]) -> None:
    """Whatever is streamed is answered in order: each call inside with what it gets alone, byte for byte."""
    rng, song = random.Random(1), canary()
    sources = Sources(api, rng)
    made = (request for kind in KINDS.values() for _ in range(60) for request in kind(sources))
    calls = [payload for rpc, payload in made if rpc == "ApplyMoves"]
    calls += [rng.randbytes(rng.randrange(100)) for _ in range(100)]
    messages: list[tuple[bytes, bytes | None]] = [
        (RequestEnvelope(correlation_id=b"id", request=[call]).SerializeToString(), call) for call in calls
    ]
    messages += [(rng.randbytes(rng.randrange(100)), None) for _ in range(200)]
    rng.shuffle(messages)
    method: Any = api.channel.stream_stream("/burraco.v1.GameService/StreamApplyMoves")
    answers = [
        pb.StreamApplyMovesResponse.FromString(answer) for answer in method(iter([each[0] for each in messages]))
    ]
    assert len(answers) == len(messages)
    for (_, call), answer in zip(messages, answers, strict=True):
        if call is None:
            assert answer.WhichOneof("outcome")
            continue
        outcome = api.send("ApplyMoves", call)
        assert answer.correlation_id == "id"
        assert (answer.response.SerializeToString(), answer.status.SerializeToString()) == (
            outcome.answer,
            outcome.details,
        )
    assert {"response", "status"} == {answer.WhichOneof("outcome") for answer in answers}
    assert canary() == song


def test_an_unknown_rpc_is_unimplemented(api: Api) -> None:
    """What is no RPC of the contract is refused by the transport."""
    assert api.send("Nothing", b"").code == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("rpc", BUILT)
def test_a_request_beyond_the_size_limit_is_refused(api: Api, canary: Callable[[], bytes], rpc: str) -> None:
    """A request larger than the server takes is refused by the transport, at once and without harm."""
    song = canary()
    assert api.send(rpc, b"\x00" * 300_000).code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert canary() == song
