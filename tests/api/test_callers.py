"""Who may do what: every RPC of the contract, asked by every kind of caller, over the wire."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Final, NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from burraco.v1 import arbiter_service_pb2 as arbiter
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import state_pb2
from service.api.authority import OPEN_TO_SEATS
from service.api.seat_tokens import revoke
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE
from service.wire.open_state import open_message
from service.wire.rules_codec import rules_message
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import read_stored
from service.wire.tokens import SeatToken, TokenKeys
from tests.api.client import (
    BUILT,
    CALL_TIME,
    DRAW,
    ITALIAN,
    KEY,
    NOW,
    SPECTATOR,
    STREAMED,
    TIME_OUT,
    Api,
    Outcome,
    everyone,
)
from tests.api.conftest import serving

API_KEY: Final = "k" * 32
TOKEN: Final = "burraco-seat-token"
KEYS: Final = TokenKeys(KEY)
PATHS: Final = [
    f"/{service.full_name}/{method.name}" for service in (GAME_SERVICE, ARBITER_SERVICE) for method in service.methods
]
Metadata = list[tuple[str, str | bytes]]


@pytest.fixture(scope="module")
def guarded() -> Iterator[Api]:
    """A server that takes nobody for a back end without an API key, though all call from loopback."""
    with serving(KEY, api_keys=API_KEY, require_credentials=True, arbiter_port=0) as running:
        yield running


class Position(NamedTuple):
    """A match that is asked about, and another one."""

    state: bytes
    seat: int
    """To move."""
    token: SeatToken
    """Of that seat."""
    older: SeatToken
    """Of that seat, and revoked."""
    other: SeatToken
    """Of the same seat in another match."""


@pytest.fixture(scope="module")
def position(guarded: Api) -> Position:
    """A match just dealt, in which the mover's tokens were revoked once."""
    ids, sealed, seat = [], [], 0
    for seed in (1, 2):
        request = pb.CreateMatchRequest(rules=ITALIAN, given_seed=bytes([seed]) * 32)
        created = pb.CreateMatchResponse.FromString(
            guarded.send("CreateMatch", request.SerializeToString(), **{"burraco-api-key": API_KEY}).answer
        )
        seat = created.updates[0].view.turn if seed == 1 else seat
        ids.append(created.match_id)
        sealed.append(created.state)
    state = guarded.seal(revoke(guarded.open(sealed[0]), seat))
    expires = NOW + 60
    return Position(
        state,
        seat,
        SeatToken(ids[0], seat, 1, expires),
        SeatToken(ids[0], seat, 0, expires),
        SeatToken(ids[1], seat, 1, expires),
    )


# --- the RPCs --------------------------------------------------------------------------------------------------------


class Kind(Enum):
    """What a seat may do with an RPC."""

    OWN = "of the token's match and seat alone"
    OPEN = "of no match"
    BACK_END = "for back ends, whatever is sent"
    BACK_END_MOVE = "for back ends, which the move says"
    NOT_BUILT = "not built yet"


class Row(NamedTuple):
    """A request of an RPC that a back end would have answered."""

    kind: Kind
    make: Callable[[Position], Message]


def applying(p: Position, **fields: Any) -> pb.ApplyMovesRequest:  # noqa: ANN401 - fields of the request
    return pb.ApplyMovesRequest(**{"state": p.state, "seat": p.seat, "moves": [DRAW], **fields})


def checking(p: Position, **fields: Any) -> pb.CheckMovesRequest:  # noqa: ANN401 - as above
    return pb.CheckMovesRequest(**{"state": p.state, "seat": p.seat, "moves": [DRAW], **fields})


def table(_position: Position) -> pb.ScoreDealRequest:
    return pb.ScoreDealRequest(table=pb.TableDeal(rules=ITALIAN, sides=[pb.TableSide(), pb.TableSide()]))


def opened(p: Position) -> state_pb2.GameState:
    return open_message(read_stored(Sealer(KEY).open(p.state, Format.STATE, "state")))


RULES: Final = rules_message(PRESETS[Preset.ITALIAN])
ANSWERED: Final = {*BUILT, *STREAMED, *(method.name for method in ARBITER_SERVICE.methods)}
"""Every RPC that is built, on either port."""

ROWS: Final[dict[str, dict[str, Row]]] = {
    "CommitSeed": {"": Row(Kind.BACK_END, lambda p: pb.CommitSeedRequest())},
    "CreateMatch": {"": Row(Kind.BACK_END, lambda p: pb.CreateMatchRequest(rules=ITALIAN))},
    "ApplyMoves": {
        "a move": Row(Kind.OWN, applying),
        "a viewer": Row(Kind.OWN, lambda p: applying(p, viewers=[everyone(4)[p.seat]])),
        "the next moves": Row(Kind.BACK_END, lambda p: applying(p, list_legal_moves=True)),
        "a time-out": Row(Kind.BACK_END_MOVE, lambda p: applying(p, moves=[TIME_OUT])),
        "time called": Row(Kind.BACK_END_MOVE, lambda p: applying(p, moves=[CALL_TIME])),
    },
    "CheckMoves": {
        "a move": Row(Kind.OWN, checking),
        "a time-out": Row(Kind.BACK_END_MOVE, lambda p: checking(p, moves=[TIME_OUT])),
        "time called": Row(Kind.BACK_END_MOVE, lambda p: checking(p, moves=[CALL_TIME])),
    },
    "ListLegalMoves": {"": Row(Kind.OWN, lambda p: pb.ListLegalMovesRequest(state=p.state, seat=p.seat))},
    "GetView": {
        "": Row(Kind.OWN, lambda p: pb.GetViewRequest(state=p.state, viewer=everyone(4)[p.seat], include_rules=True))
    },
    "ScoreDeal": {
        "a table": Row(Kind.OPEN, table),
        "a state": Row(Kind.BACK_END, lambda p: pb.ScoreDealRequest(state=p.state)),
    },
    "ExplainMeld": {"": Row(Kind.OPEN, lambda p: pb.ExplainMeldRequest(rules=ITALIAN, cards=[3, 4, 5]))},  # type: ignore[list-item]  # cards' numbers
    "ListPresets": {"": Row(Kind.OPEN, lambda p: pb.ListPresetsRequest())},
    "GetRules": {"": Row(Kind.OPEN, lambda p: pb.GetRulesRequest(rules=ITALIAN))},
    "IssueSeatToken": {
        "renewed": Row(Kind.BACK_END, lambda p: pb.IssueSeatTokenRequest(state=p.state, seat=p.seat)),
        "revoked": Row(Kind.BACK_END, lambda p: pb.IssueSeatTokenRequest(state=p.state, seat=p.seat, revoke=True)),
    },
    "SuggestMoves": {"": Row(Kind.OWN, lambda p: pb.SuggestMovesRequest(state=p.state, seat=p.seat))},
    "ReplayMatch": {"": Row(Kind.BACK_END, lambda p: pb.ReplayMatchRequest(rules=RULES, seed=bytes(32)))},
    "StreamApplyMoves": {"": Row(Kind.BACK_END, lambda p: pb.StreamApplyMovesRequest(request=applying(p)))},
    "InspectState": {"": Row(Kind.BACK_END, lambda p: arbiter.InspectStateRequest(state=p.state))},
    "ImportState": {"": Row(Kind.BACK_END, lambda p: arbiter.ImportStateRequest(game_state=opened(p)))},
}
"""A row for each kind of request that rights tell apart."""

CASES: Final = [(path, name) for path in PATHS for name in ROWS.get(path.rpartition("/")[2], {"no row": None})]


def row_of(path: str, name: str) -> Row:
    """The row of an RPC."""
    rpc = path.rpartition("/")[2]
    row = ROWS[rpc][name]
    return row if rpc in ANSWERED else row._replace(kind=Kind.NOT_BUILT)


def test_every_rpc_has_a_row() -> None:
    """A new RPC fails here until somebody has said who may call it."""
    assert {path.rpartition("/")[2] for path in PATHS} == set(ROWS)
    open_to_seats = {rpc for rpc, rows in ROWS.items() for row in rows.values() if row.kind in {Kind.OWN, Kind.OPEN}}
    assert open_to_seats & ANSWERED == OPEN_TO_SEATS & ANSWERED


# --- the callers -----------------------------------------------------------------------------------------------------

Verdict = tuple[grpc.StatusCode, str]
FINE: Final[Verdict] = (grpc.StatusCode.OK, "")
INVALID: Final[Verdict] = (grpc.StatusCode.UNAUTHENTICATED, "SEAT_TOKEN_INVALID")
UNKNOWN: Final[Verdict] = (grpc.StatusCode.UNAUTHENTICATED, "CALLER_NOT_KNOWN")
EXPIRED: Final[Verdict] = (grpc.StatusCode.UNAUTHENTICATED, "SEAT_TOKEN_EXPIRED")
REVOKED: Final[Verdict] = (grpc.StatusCode.UNAUTHENTICATED, "SEAT_TOKEN_REVOKED")
OTHER_MATCH: Final[Verdict] = (grpc.StatusCode.PERMISSION_DENIED, "SEAT_TOKEN_OF_OTHER_MATCH")
OTHER_SEAT: Final[Verdict] = (grpc.StatusCode.PERMISSION_DENIED, "SEAT_TOKEN_OF_OTHER_SEAT")
BACK_END_ONLY: Final[Verdict] = (grpc.StatusCode.PERMISSION_DENIED, "BACK_END_ONLY")
NOT_BUILT: Final[Verdict] = (grpc.StatusCode.UNIMPLEMENTED, "NOT_BUILT")


class Presented(NamedTuple):
    """What a caller presents, and what it gets."""

    metadata: Callable[[Position], Metadata]
    of_own: Verdict
    """Where the match and seat count."""
    of_anything: Verdict | None = None
    """From every other RPC too, before anything else; None where a seat is a seat of whatever match."""


def with_token(text: Callable[[Position], str], *more: tuple[str, str | bytes]) -> Callable[[Position], Metadata]:
    return lambda p: [(TOKEN, text(p)), *more]


def right(p: Position) -> str:
    return KEYS.mint(p.token)


KEY_BESIDE: Final = ("burraco-api-key", API_KEY)
CALLERS: Final[dict[str, Presented]] = {
    "nobody": Presented(lambda p: [], UNKNOWN, UNKNOWN),
    "a wrong API key": Presented(lambda p: [("burraco-api-key", API_KEY[:-1] + "x")], UNKNOWN, UNKNOWN),
    "an empty API key": Presented(lambda p: [("burraco-api-key", "")], UNKNOWN, UNKNOWN),
    "an API key": Presented(lambda p: [KEY_BESIDE], FINE, FINE),
    "an empty token": Presented(with_token(lambda p: ""), INVALID, INVALID),
    "a token of another key": Presented(with_token(lambda p: TokenKeys(bytes(32)).mint(p.token)), INVALID, INVALID),
    "a forged MAC": Presented(with_token(lambda p: right(p)[:50] + "A" * 42), INVALID, INVALID),
    "a cut token": Presented(with_token(lambda p: right(p)[:-1]), INVALID, INVALID),
    "a token and a letter": Presented(with_token(lambda p: right(p) + "A"), INVALID, INVALID),
    "the same token twice": Presented(lambda p: [(TOKEN, right(p))] * 2, INVALID, INVALID),
    "two tokens": Presented(lambda p: [(TOKEN, right(p)), (TOKEN, KEYS.mint(p.other))], INVALID, INVALID),
    "two tokens in one": Presented(with_token(lambda p: f"{right(p)}, {right(p)}"), INVALID, INVALID),
    "a token in binary": Presented(lambda p: [(f"{TOKEN}-bin", right(p).encode())], INVALID, INVALID),
    "a token under another name": Presented(lambda p: [(f"{TOKEN}s", right(p))], INVALID, INVALID),
    "an expired token": Presented(with_token(lambda p: KEYS.mint(p.token._replace(expires=1))), EXPIRED, EXPIRED),
    "an expired, forged token": Presented(
        with_token(lambda p: KEYS.mint(p.token._replace(expires=1))[:-4] + "AAAA"), INVALID, INVALID
    ),
    "a revoked token": Presented(with_token(lambda p: KEYS.mint(p.older)), REVOKED),
    "a token of an epoch to come": Presented(with_token(lambda p: KEYS.mint(p.token._replace(epoch=2))), REVOKED),
    "a token of no seat": Presented(with_token(lambda p: KEYS.mint(p.token._replace(seat=4))), REVOKED),
    "another match's token": Presented(with_token(lambda p: KEYS.mint(p.other)), OTHER_MATCH),
    "another match's token, revoked": Presented(
        with_token(lambda p: KEYS.mint(p.other._replace(epoch=9))), OTHER_MATCH
    ),
    "another seat's token": Presented(
        with_token(lambda p: KEYS.mint(p.token._replace(seat=(p.seat + 1) % 4, epoch=0))), OTHER_SEAT
    ),
    "the right token": Presented(with_token(right), FINE),
    "the right token and an API key": Presented(with_token(right, KEY_BESIDE), FINE),
    "an API key and another seat's token": Presented(
        lambda p: [KEY_BESIDE, (TOKEN, KEYS.mint(p.token._replace(seat=(p.seat + 1) % 4, epoch=0)))], OTHER_SEAT
    ),
    "an API key and another match's token": Presented(lambda p: [KEY_BESIDE, (TOKEN, KEYS.mint(p.other))], OTHER_MATCH),
    "an API key and a forged token": Presented(
        lambda p: [KEY_BESIDE, (TOKEN, TokenKeys(bytes(32)).mint(p.token))], INVALID, INVALID
    ),
    "an API key and an expired token": Presented(
        lambda p: [KEY_BESIDE, (TOKEN, KEYS.mint(p.token._replace(expires=1)))], EXPIRED, EXPIRED
    ),
}


def expected(caller: Presented, kind: Kind) -> Verdict:
    """What the caller gets of an RPC of a kind."""
    verdict = caller.of_anything
    if verdict not in {None, FINE}:
        assert verdict is not None
        return verdict
    if kind is Kind.NOT_BUILT:
        return NOT_BUILT
    if verdict is FINE or kind is Kind.OPEN:
        return FINE
    if kind is Kind.BACK_END:
        return BACK_END_ONLY
    if kind is Kind.BACK_END_MOVE and caller.of_own is FINE:
        return BACK_END_ONLY
    return caller.of_own


def verdict_of(outcome: Outcome) -> Verdict:
    """How a call ended, as the table has it."""
    return FINE if outcome.code is grpc.StatusCode.OK else (outcome.code, outcome.reason)


@pytest.mark.parametrize(("path", "name"), CASES, ids=[f"{path[12:]} {name}".strip() for path, name in CASES])
def test_who_may_call_what(guarded: Api, position: Position, path: str, name: str) -> None:
    """Each caller gets from each RPC the status and the reason of the table; the log has both, and who called."""
    row = row_of(path, name)
    payload = row.make(position).SerializeToString()
    for presented, caller in CALLERS.items():
        metadata, mark = caller.metadata(position), guarded.mark()
        outcome = guarded.ask(path, payload, metadata)
        wanted = expected(caller, row.kind)
        if (path.endswith("/ScoreDeal"), name, wanted) == (True, "a state", FINE):
            wanted = (grpc.StatusCode.FAILED_PRECONDITION, "DEAL_UNFINISHED")  # no right, but the deal, is lacking
        assert verdict_of(outcome) == wanted, presented
        *messages, line = guarded.lines_since(mark)
        # A stream has a line of each message, and then its own.
        assert [each["event"] for each in messages] == ["call"] * (wanted is FINE and path.endswith(STREAMED))
        assert line["code"] == wanted[0].name
        assert line.get("reasons", [])[:1] == ([f"REASON_{wanted[1]}"] if wanted[1] else []), presented
        refused_token = wanted in {INVALID, EXPIRED, UNKNOWN}
        has_token = any(each[0].startswith(TOKEN) for each in metadata)
        assert line["caller"] == ("unknown" if refused_token else "seat" if has_token else "api_key")
        assert ("seat" in line) == (line["caller"] == "seat")
        told = guarded.text_since(mark) + outcome.message + repr(outcome.details)
        for _, value in metadata:
            assert not value or str(value) not in told


@pytest.mark.parametrize("payload", [b"", b"\xff\xff\xff"], ids=["empty", "garbage"])
def test_the_caller_is_asked_before_the_request(guarded: Api, position: Position, payload: bytes) -> None:
    """Nobody learns whether a request is one at all without being known, or a seat of what is for back ends."""
    for path in PATHS:
        assert verdict_of(guarded.ask(path, payload, [])) == UNKNOWN
        assert verdict_of(guarded.ask(path, payload, [(TOKEN, "x")])) == INVALID
        rpc = path.rpartition("/")[2]
        if rpc in ANSWERED and rpc not in OPEN_TO_SEATS:
            assert verdict_of(guarded.ask(path, payload, [(TOKEN, right(position))])) == BACK_END_ONLY


def test_all_that_is_no_token_is_refused_alike(guarded: Api, position: Position) -> None:
    """Every byte of a token changed, over the wire: the same status, byte for byte, so that nothing tells which."""
    text = right(position)
    view = pb.GetViewRequest(state=position.state, viewer=everyone(4)[position.seat]).SerializeToString()
    path = "/burraco.v1.GameService/GetView"
    assert guarded.ask(path, view, [(TOKEN, text)]).code is grpc.StatusCode.OK
    refusals = set()
    for at, letter in enumerate(text):
        for other in ("A" if letter != "A" else "B", "_" if letter != "_" else "-"):
            outcome = guarded.ask(path, view, [(TOKEN, text[:at] + other + text[at + 1 :])])
            assert verdict_of(outcome) == INVALID
            refusals.add((outcome.message, outcome.details))
    for presented, caller in CALLERS.items():
        if caller.of_own == INVALID:
            outcome = guarded.ask(path, view, caller.metadata(position))
            refusals.add((outcome.message, outcome.details))
            assert len(refusals) == 1, presented


# --- what a seat may ask of its own match ----------------------------------------------------------------------------


def seat_asks(api: Api, token: SeatToken, rpc: str, request: Message) -> Outcome:
    """Call as a seat."""
    return api.send(rpc, request.SerializeToString(), **{TOKEN: KEYS.mint(token)})


def test_a_seat_looks_and_acts_for_itself_alone(guarded: Api, position: Position) -> None:
    """Every other seat, and a spectator, is refused wherever a seat or a viewer is named."""
    state, seat = position.state, position.seat
    for other in {0, 1, 2, 3} - {seat}:
        requests: dict[str, list[Message]] = {
            "ApplyMoves": [
                applying(position, seat=other),
                applying(position, viewers=[everyone(4)[seat], everyone(4)[other]]),
            ],
            "CheckMoves": [checking(position, seat=other)],
            "ListLegalMoves": [pb.ListLegalMovesRequest(state=state, seat=other)],
            "GetView": [pb.GetViewRequest(state=state, viewer=everyone(4)[other])],
        }
        for rpc, made in requests.items():
            for request in made:
                assert verdict_of(seat_asks(guarded, position.token, rpc, request)) == OTHER_SEAT
    spectating: list[tuple[str, Message]] = [("GetView", pb.GetViewRequest(state=state, viewer=SPECTATOR))]
    spectating.append(("ApplyMoves", applying(position, viewers=[SPECTATOR])))
    for rpc, request in spectating:
        assert verdict_of(seat_asks(guarded, position.token, rpc, request)) == OTHER_SEAT


@pytest.mark.parametrize("wrong", ["older", "other"])
def test_a_stolen_state_tells_nothing(guarded: Api, position: Position, wrong: str) -> None:
    """With another match's token, or a revoked one, nothing is told of a state: no revision, no end, no fault of it."""
    token: SeatToken = getattr(position, wrong)
    opened = guarded.open(position.state)
    content = guarded.sealer.open(position.state, Format.STATE, "state")
    states = {
        "as it is": position.state,
        "one that fails the audit": guarded.seal(opened._replace(stock=opened.stock[1:])),
        "one of a version to come": guarded.sealer.seal(b"\x08\x63" + content.removeprefix(b"\x08\x01"), Format.STATE),
    }
    answers = set()
    for name, state in states.items():
        for rpc, request in {
            "ApplyMoves": applying(position, state=state, expected_revision=99),
            "CheckMoves": checking(position, state=state, seat=77, moves=[]),
            "ListLegalMoves": pb.ListLegalMovesRequest(state=state, seat=77, max_moves=1 << 31),
            "GetView": pb.GetViewRequest(state=state),
        }.items():
            mark = guarded.mark()
            outcome = seat_asks(guarded, token, rpc, request)
            assert verdict_of(outcome) == (OTHER_MATCH if wrong == "other" else REVOKED), (name, rpc)
            answers.add((outcome.message, outcome.details))
            (line,) = guarded.lines_since(mark)
            assert "game" not in line
            assert "phase" not in line
    assert len(answers) == 1
    told = [
        seat_asks(guarded, position.token, "CheckMoves", checking(position, state=state)) for state in states.values()
    ]
    assert [verdict_of(outcome)[1] for outcome in told] == ["", "STATE_AUDIT_FAILED", "STATE_VERSION_UNKNOWN"]


def test_a_state_that_is_none_is_of_no_match(guarded: Api, position: Position) -> None:
    """What is under a good seal and no state at all is another match's too."""
    state = guarded.sealer.seal(b"\xff\xff", Format.STATE)
    assert verdict_of(seat_asks(guarded, position.token, "CheckMoves", checking(position, state=state))) == OTHER_MATCH
