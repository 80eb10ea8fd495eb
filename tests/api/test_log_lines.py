"""What the log says of calls: numbers, names of enums and whom to ask, and never what a call was about."""

import base64
import random
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import grpc
import pytest
from google.rpc import code_pb2

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import game_service_pb2_grpc, reasons_pb2, rules_pb2, views_pb2
from service.rules.cards import FACES, JOKER, text
from service.wire.sealing import Format
from tests.api.client import (
    BUILT,
    DRAW,
    EVERYONE,
    FIBUR,
    ITALIAN,
    KEY,
    RESIGN,
    SECONDS,
    SERVICE,
    Api,
    choose,
    discard,
    expand,
    lay,
    play_on,
)
from tests.server.processes import REAL, Process

ALWAYS: Final[dict[str, str]] = {
    "event": r"call",
    "level": r"info",
    "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z",
    "method": rf"{re.escape(SERVICE)}[A-Z][A-Za-z]+",
    "code": "|".join(code_pb2.Code.keys()),
    "request_id": r"[A-Za-z0-9._:=+/-]{1,64}",
    "peer": r"ipv4:127\.0\.0\.1:\d+",
    "microseconds": r"\d+",
    "rules_microseconds": r"\d+",
    "caller": "network|api_key|certificate|seat|unknown",
}
"""What every line of a call has, and what it may be."""

SOMETIMES: Final[dict[str, str]] = {
    "seat": r"\d",
    "game": "|".join(rules_pb2.Game.keys()),
    "phase": "|".join(views_pb2.Phase.keys()),
    "reasons": r"(\[?'REASON_[A-Z_]+'[,\]] ?)+",
}
"""What a line may have as well."""


def check_line(line: dict[str, Any]) -> None:
    """Hold a line against the lists above."""
    allowed = ALWAYS | SOMETIMES
    assert ALWAYS.keys() <= line.keys() <= allowed.keys()
    for name, value in line.items():
        assert re.fullmatch(allowed[name], str(value)), (name, value)
    for reason in line.get("reasons", []):
        reasons_pb2.Reason.Value(reason)


def written(secret: bytes) -> Iterator[str]:
    """How bytes may get into a text."""
    yield secret.hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield base64.urlsafe_b64encode(secret).decode().rstrip("=")
    yield repr(secret)[2:-1]


def assert_absent(logged: str, secrets: Iterable[bytes]) -> None:
    """No secret, nor a piece of it, stands in a log in any spelling."""
    for secret in secrets:
        for spelled in written(secret):
            for piece in (spelled, spelled[:24], spelled[-24:]):
                assert len(piece) > 15
                assert piece not in logged


CARD: Final = re.compile(r"\b(?:" + "|".join(text(card) for card in (*FACES, JOKER)) + r")\b")
NAMED: Final = re.compile(r"CARD_|cards?\b|\bhand|\bseed\b|\bstate\b|\btoken\b", re.IGNORECASE)


@pytest.mark.parametrize("rules", [ITALIAN, FIBUR], ids=["ITALIAN", "FIBUR"])
def test_a_match_leaves_lines_of_numbers_and_names(api: Api, rules: rules_pb2.RulesSelection) -> None:
    """Through a whole match, with refusals and failures, each call leaves one line, and none tells what was played."""
    mark = api.mark()
    committed = api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS)
    entropy = [b"entropy of player %d" % player for player in range(4)]
    request = pb.CreateMatchRequest(
        rules=rules, sealed_seed=committed.sealed_seed, entropy=entropy, request_id="a secret name", viewers=EVERYONE
    )
    created = api.stub.CreateMatch(request, timeout=SECONDS)
    rng = random.Random(7)
    states = [created.state]
    for number, step in enumerate(play_on(api, created.state, created.updates[0].view.turn, rng)):
        states.append(step.accepted.state)
        if number % 9 == 0:
            wrong = rng.choice((discard(rng.choice(FACES)), lay(rng.sample(FACES, 4))))
            if step.accepted.HasField("turn"):
                api.check(step.accepted.state, step.accepted.turn, wrong)
                api.apply(step.accepted.state, rng.randrange(4), wrong)
            api.fail("GetView", pb.GetViewRequest(state=step.accepted.state[:-1], viewer=EVERYONE[0]))
    lines, logged = api.lines_since(mark), api.text_since(mark)
    for line in lines:
        check_line(line)
    assert len(lines) > len(states)
    assert {line["code"] for line in lines} >= {"OK", "INVALID_ARGUMENT"}
    assert any("reasons" in line for line in lines)
    opened = api.open(states[-1]).match.fairness
    contents = [api.sealer.open(state, Format.STATE, "state") for state in states[::40]]
    assert_absent(logged, [KEY, opened.seed, opened.salt, committed.sealed_seed, *states, *contents, created.match_id])
    assert_absent(logged, entropy)
    assert_absent(logged, [token.encode() for token in created.seat_tokens])
    assert not [token for token in created.seat_tokens if token in logged]
    assert "a secret name" not in logged
    values = " ".join(
        str(value) for line in lines for name, value in line.items() if name not in {"request_id", "reasons"}
    )
    assert not CARD.search(values)
    assert not NAMED.search(values.replace("ListLegalMoves", ""))


def test_every_rpc_leaves_one_line(api: Api) -> None:
    """Each call, good or bad, built or not, is one line that says which and how it ended."""
    for rpc in (*BUILT, "SuggestMoves"):
        for payload in (b"", b"\xff"):
            mark = api.mark()
            outcome = api.send(rpc, payload)
            (line,) = api.lines_since(mark)
            check_line(line)
            assert line["method"] == SERVICE + rpc
            assert line["code"] == outcome.code.name
            if outcome.code != grpc.StatusCode.OK:
                assert line["reasons"][0] == outcome.info.reason


def test_a_line_says_game_phase_and_reasons(api: Api) -> None:
    """Enough to see what goes wrong, and where, without what it is about."""
    created = api.create(given_seats=pb.GivenSeats(dealer=3))
    mark = api.mark()
    api.apply(created.state, 1, DRAW)
    api.apply(created.state, 0, discard(JOKER))
    refused, other = api.lines_since(mark)
    assert (refused["game"], refused["phase"]) == ("GAME_BURRACO", "PHASE_DRAW")
    assert refused["reasons"] == ["REASON_NOT_YOUR_TURN"]
    assert other["reasons"][0] == "REASON_MUST_DRAW_FIRST"
    assert refused["code"] == other["code"] == "OK"


@pytest.mark.parametrize("garbage", ["\n{}", "\u2028", "7S 8S", "a" * 1000, '"}', "\x1b[31m"])
def test_a_request_id_cannot_forge_a_line(api: Api, garbage: str) -> None:
    """What a caller names its call by is cut down to harmless characters, and is not to be had otherwise."""
    mark = api.mark()
    try:
        api.send("ListPresets", b"", **{"x-request-id": "id-" + garbage})
    except ValueError:
        return  # gRPC itself does not send such metadata
    for line in api.lines_since(mark):
        check_line(line)
        assert line["request_id"].startswith("id-")


def test_what_a_request_holds_is_not_logged(api: Api) -> None:
    """Texts and bytes of any request stay out of the log, however they fail."""
    secret = b"never to be seen 0123456789"
    mark = api.mark()
    requests: list[tuple[str, Any]] = [
        ("ApplyMoves", pb.ApplyMovesRequest(state=secret, moves=[RESIGN])),
        ("ApplyMoves", pb.ApplyMovesRequest(state=api.sealer.seal(secret, Format.STATE), moves=[RESIGN])),
        ("CreateMatch", pb.CreateMatchRequest(rules=ITALIAN, request_id=secret.decode() * 4)),
        ("CreateMatch", pb.CreateMatchRequest(rules=ITALIAN, sealed_seed=secret)),
        ("CreateMatch", pb.CreateMatchRequest(rules=ITALIAN, given_seed=secret)),
        ("CreateMatch", pb.CreateMatchRequest(rules=ITALIAN, entropy=[secret])),
        ("IssueSeatToken", pb.IssueSeatTokenRequest(state=secret)),
    ]
    for rpc, request in requests:
        assert api.send(rpc, request.SerializeToString()).code != grpc.StatusCode.OK
        assert api.send(rpc, request.SerializeToString() + b"\xff").code != grpc.StatusCode.OK
    api.send("GetRules", secret, **{"burraco-seat-token": secret.decode(), "burraco-api-key": secret.decode()})
    assert len(api.lines_since(mark)) == 2 * len(requests) + 1
    assert_absent(api.text_since(mark), [secret])
    assert "never to be seen" not in api.text_since(mark)


def test_the_process_logs_the_same() -> None:
    """`python -m service` plays a deal and leaves the same lines on its standard error, and no key."""
    key = base64.b64encode(KEY).decode()
    with Process(REAL, {"sealing_key": key}) as process:
        stub: game_service_pb2_grpc.GameServiceStub = process.stub
        request = pb.CreateMatchRequest(rules=ITALIAN, given_seed=bytes(range(50, 82)))
        created = stub.CreateMatch(request, timeout=SECONDS)
        state, seat, states = created.state, created.updates[0].view.turn, [created.state]
        rng = random.Random(1)
        for _ in range(60):
            legal = stub.ListLegalMoves(pb.ListLegalMovesRequest(state=state, seat=seat), timeout=SECONDS).legal_moves
            assert len(expand(legal)) == legal.count
            move = choose(legal, rng)
            accepted = stub.ApplyMoves(
                pb.ApplyMovesRequest(state=state, seat=seat, moves=[move]), timeout=SECONDS
            ).accepted
            state, seat = accepted.state, accepted.turn
            states.append(state)
        with pytest.raises(grpc.RpcError):
            stub.GetView(pb.GetViewRequest(state=b"nonsense", viewer=EVERYONE[0]), timeout=SECONDS)
    lines = process.events("call")
    assert len(lines) == 1 + 2 * 60 + 1
    for line in lines:
        check_line(line)
    assert_absent(process.stderr, [KEY, bytes(range(50, 82)), *states])
    assert key not in process.stderr
