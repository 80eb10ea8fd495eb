"""Seat tokens: what a seat may do with one, and tokens that are forged, expired, revoked or of something else."""

import base64
from typing import Final

from burraco_conformance.values import Json
from service.wire.tokens import SeatToken, TokenKeys
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.keys import METADATA, SEALING_KEY
from tests.conformance.generate.script import Script

TOKEN: Final = "burraco-seat-token"
DRAW: Final[list[Json]] = [{"drawStock": {}}]
LONG_AGO: Final = 1_000_000_000
"""Unix seconds."""


def shown(token: Json) -> Json:
    """The metadata of a caller with a token."""
    return {TOKEN: token}


def begin(script: Script) -> Json:
    """Create a match, keep the tokens of seats 0 and 1, and give what the match is named by."""
    return script.create(
        "ITALIAN",
        seed=1,
        givenSeats={"dealer": 3},
        requestId="table of tokens",
        save={"token0": "seatTokens[0]", "token1": "seatTokens[1]"},
    )


@scenario("calls/seat_tokens", "What a seat may do with its token: act and look for itself, and nothing else.")
def seat_tokens(script: Script) -> None:
    begin(script)
    mine = shown({"$var": "token0"})
    state = {"state": script.state}
    moves = {**state, "seat": 0, "moves": DRAW}
    script.call("GetView", {**state, "viewer": {"seat": 0}}, metadata=mine)
    script.call("ListLegalMoves", {**state, "seat": 0}, metadata=mine)
    script.call("CheckMoves", moves, metadata=mine)

    def refuse(rpc: str, request: Json, reason: str) -> None:
        script.fail(rpc, request, "PERMISSION_DENIED", reason, metadata=mine)

    refuse("GetView", {**state, "viewer": {"seat": 1}}, "SEAT_TOKEN_OF_OTHER_SEAT")
    refuse("ApplyMoves", {**moves, "seat": 1}, "SEAT_TOKEN_OF_OTHER_SEAT")
    refuse("ApplyMoves", {**moves, "viewers": [{"seat": 0}, {"seat": 1}]}, "SEAT_TOKEN_OF_OTHER_SEAT")
    refuse("ListLegalMoves", {**state, "seat": 1}, "SEAT_TOKEN_OF_OTHER_SEAT")
    refuse("ApplyMoves", {**moves, "listLegalMoves": True}, "BACK_END_ONLY")
    refuse("ApplyMoves", {**moves, "moves": [{"timeOutTurn": {}}]}, "BACK_END_ONLY")
    refuse("CheckMoves", {**moves, "moves": [{"callTime": {}}]}, "BACK_END_ONLY")
    refuse("ScoreDeal", state, "BACK_END_ONLY")
    for rpc in ("CommitSeed", "CreateMatch", "ReplayMatch", "IssueSeatToken"):
        refuse(rpc, {}, "BACK_END_ONLY")
    both = {**METADATA, **mine}
    other = {**state, "viewer": {"seat": 1}}
    script.fail("GetView", other, "PERMISSION_DENIED", "SEAT_TOKEN_OF_OTHER_SEAT", metadata=both)
    ahead = {**moves, "moves": [*DRAW, {"discard": {"card": "CARD_7S"}}]}
    answer = script.call("ApplyMoves", ahead, metadata=mine, note="A seat may not look ahead.")
    script.refused("the discard", answer["rejected"], "MOVE_AFTER_REVEAL")
    script.call("ApplyMoves", moves, metadata=mine, save={"state": "accepted.state"}, any_of=["accepted.state"])
    script.call("GetView", {"state": {"$var": "state"}, "viewer": {"seat": 0}}, metadata=mine)


@scenario("calls/seat_tokens_refused", "Tokens that are forged, cut, expired, or of another match.")
def seat_tokens_refused(script: Script) -> None:
    answer = begin(script)
    match_id = base64.b64decode(answer["matchId"])
    request = {"state": script.state, "viewer": {"seat": 0}}

    def refuse(token: Json, reason: str, code: str = "UNAUTHENTICATED") -> None:
        script.fail("GetView", request, code, reason, metadata=shown(token))

    for edit in ({"xor": [{"at": 40, "with": 1}]}, {"xor": [{"at": 0, "with": 1}]}, {"cut": 60}, {"cut": 0}):
        refuse({"$text": "token0", **edit}, "SEAT_TOKEN_INVALID")
    refuse({"$text": "token0", "append": base64.b64encode(b"A").decode("ascii")}, "SEAT_TOKEN_INVALID")
    refuse("not a token", "SEAT_TOKEN_INVALID")
    script.fail("ListPresets", {}, "UNAUTHENTICATED", "SEAT_TOKEN_INVALID", metadata=shown("x"))
    expired = TokenKeys(SEALING_KEY).mint(SeatToken(match_id, 0, 0, LONG_AGO))
    refuse(script.literal("expired", expired), "SEAT_TOKEN_EXPIRED")
    script.create("ITALIAN", seed=1, requestId="another table")
    refuse({"$var": "token0"}, "SEAT_TOKEN_OF_OTHER_MATCH", "PERMISSION_DENIED")


@scenario(
    "calls/seat_tokens_issued", "A token is renewed, and revoked: then the old ones are no good with the new state."
)
def seat_tokens_issued(script: Script) -> None:
    begin(script)
    state = {"state": script.state}

    def look(token: str, variable: str, reason: str = "") -> None:
        request = {"state": {"$var": variable}, "viewer": {"seat": 0}}
        if reason:
            script.fail("GetView", request, "UNAUTHENTICATED", reason, metadata=shown({"$var": token}))
        else:
            script.call("GetView", request, metadata=shown({"$var": token}))

    issued = ["seatToken", "state", "expireTime"]
    keep = {"renewed": "seatToken"}
    script.call("IssueSeatToken", {**state, "seat": 0, "lifetimeSeconds": 3600}, save=keep, any_of=issued)
    look("renewed", "state")
    look("token0", "state")
    keep = {"newer": "seatToken", "later": "state"}
    answer = script.call("IssueSeatToken", {**state, "seat": 0, "revoke": True}, save=keep, any_of=issued)
    script.check_that(answer.get("revision") == "1", "revoking did not raise the revision")
    look("newer", "later")
    look("token0", "later", "SEAT_TOKEN_REVOKED")
    look("renewed", "later", "SEAT_TOKEN_REVOKED")
    look("newer", "state", "SEAT_TOKEN_REVOKED")
    other = {"state": {"$var": "later"}, "viewer": {"seat": 1}}
    script.call("GetView", other, metadata=shown({"$var": "token1"}), note="Other seats keep theirs.")
    for seconds in (59, 31_536_001):
        short = {**state, "seat": 0, "lifetimeSeconds": seconds}
        script.invalid("IssueSeatToken", short, "FIELD_OUT_OF_RANGE", "lifetime_seconds")
    script.invalid("IssueSeatToken", {**state, "seat": 4}, "FIELD_OUT_OF_RANGE", "seat")
    script.invalid("IssueSeatToken", {"seat": 0}, "FIELD_MISSING", "state")
    match = {"rules": {"preset": "PRESET_GIN"}, "seatTokenSeconds": 5}
    script.invalid("CreateMatch", match, "FIELD_OUT_OF_RANGE", "seat_token_seconds")
