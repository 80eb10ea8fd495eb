"""Writes a scenario by playing it: requests come from here, answers from a real server.

What a scenario's author knows beforehand (reasons, points, events) is said with the request, and the recording fails
if the server says otherwise: an answer that was merely recorded proves only that nothing changes.
"""

import base64
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from google.protobuf import json_format

from burraco.v1 import moves_pb2
from burraco_conformance.caller import Caller
from burraco_conformance.run import keep, send, set_aside
from burraco_conformance.values import Json
from service.rules.state import State
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import encode_state
from tests.api.client import expand
from tests.conformance.generate import words
from tests.conformance.generate.positions import whole

GAME: Final = "burraco.v1.GameService/"
ARBITER: Final = "burraco.v1.ArbiterService/"
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
DRAWN: Final = ("state", "seatTokens", "seatTokensExpireTime")
"""What another build, or another call, answers differently when a match is created from a given seed."""


class Surprise(Exception):  # noqa: N818  # the recording's word for it
    """The server answers something else than the scenario's author expected."""


class Script:
    """One scenario in the making. `state` is the variable that holds the match played on."""

    def __init__(
        self, about: str, needs: Sequence[str], caller: Caller, metadata: Mapping[str, str], sealer: Sealer
    ) -> None:
        self.steps: list[Json] = []
        self._about = about
        self._needs = list(needs)
        self._caller = caller
        self._metadata = metadata
        self._sealer = sealer
        self._variables: dict[str, str] = {}
        self._literals: dict[str, str] = {}
        self._state = "state"
        self._sheet: Json = None

    def scenario(self) -> Json:
        """All of it, as its file has it."""
        head = {"about": self._about, "needs": self._needs, "variables": self._literals}
        return {key: value for key, value in head.items() if value} | {"steps": self.steps}

    # --- any call -----------------------------------------------------------------------------------------------------

    def call(
        self,
        rpc: str,
        request: Json = None,
        *,
        note: str = "",
        metadata: Mapping[str, Json] | None = None,
        raw: bytes | None = None,
        save: Mapping[str, str] | None = None,
        any_of: Sequence[str] = (),
        ignore: Sequence[str] = (),
        code: str = "OK",
    ) -> Json:
        """Make a call, record how it ended, and give that; it has to end with this code."""
        step: dict[str, Json] = {"note": note} if note else {}
        step["rpc"] = rpc if "/" in rpc else GAME + rpc
        if metadata is not None:
            step["metadata"] = metadata
        if raw is None:
            step["request"] = request or {}
        else:
            step["requestBytes"] = base64.b64encode(raw).decode("ascii")
        if save:
            step["save"] = dict(save)
        outcome = send(step, self._caller, self._metadata, self._variables)
        self.check_that(outcome["code"] == code, f"{rpc} ended with {outcome}")
        self.check_that(not [*keep(step, outcome, self._variables)], f"{rpc} has nothing to save at {save}")
        expect = {"any": list(any_of), "ignore": list(ignore)}
        missing = [*set_aside(expect, outcome)]
        self.check_that(not missing, f"{rpc} has nothing at {missing}")
        step["expect"] = outcome | {key: paths for key, paths in expect.items() if paths}
        self.steps.append(step)
        return outcome.get("answer", outcome)

    def ask(self, rpc: str, request: Json) -> Json:
        """Make a call that is no step of the scenario."""
        step = {"rpc": rpc if "/" in rpc else GAME + rpc, "request": request}
        outcome = send(step, self._caller, self._metadata, self._variables)
        self.check_that(outcome["code"] == "OK", f"{rpc} ended with {outcome}")
        return outcome["answer"]

    def arbiter(self, rpc: str, request: Json, **how: Json) -> Json:
        """Make a call of the arbiter."""
        if "arbiter" not in self._needs:
            self._needs.append("arbiter")
        return self.call(ARBITER + rpc, request, **how)

    def defective(self, answer: Json, *defects: str) -> None:
        """Check the defects of an answer, such as `TURN turn_state.drawn`; no field for all of the state."""
        told = [
            f"{each['reason'].removeprefix('REASON_DEFECT_')} {each.get('field', '')}" for each in answer["defects"]
        ]
        self.check_that(told == list(defects), f"the defects are {told}")

    def fail(
        self, rpc: str, request: Json, code: str, reason: str, *fields: str, arguments: Json = None, **how: Json
    ) -> Json:
        """Make a call that has to fail with this code and reason, and name these fields."""
        outcome = self.call(rpc, request, code=code, **how)
        self.check_that(outcome.get("reason", "") == (f"REASON_{reason}" if reason else ""), f"{rpc}: {outcome}")
        named = [field["field"] for field in outcome.get("fields", ())]
        self.check_that(named == list(fields), f"{rpc} names the fields {named}")
        if arguments is not None:
            self.check_that(outcome.get("arguments", {}) == arguments, f"{rpc}: {outcome}")
        return outcome

    def invalid(self, rpc: str, request: Json, reason: str, *fields: str, **how: Json) -> Json:
        """Make a call that has to fail with INVALID_ARGUMENT."""
        return self.fail(rpc, request, "INVALID_ARGUMENT", reason, *fields, **how)

    # --- a match ------------------------------------------------------------------------------------------------------

    def create(
        self,
        preset: str = "",
        seed: int = 1,
        options: Json = None,
        *,
        viewers: str = "s",
        save: Json = None,
        **fields: Json,
    ) -> Json:
        """Create a match from a given seed."""
        selection = ({"preset": f"PRESET_{preset}"} if preset else {}) | (options or {})
        request = {"rules": selection, "givenSeed": seed_bytes(seed)} | fields | {"viewers": words.viewers(viewers)}
        return self.begin(request, save or {})

    def begin(self, request: Json, save: Mapping[str, str] = NOTHING) -> Json:
        """Create a match and play on from it; `save` keeps more of the answer than the state."""
        answer = self.call("CreateMatch", request, save={"state": "state", **save}, any_of=DRAWN)
        self._state = "state"
        return answer

    @property
    def state(self) -> Json:
        """The match as a request refers to it."""
        return {"$var": self._state}

    def position(self, state: State) -> None:
        """Set up a position, and play on from it."""
        opened = self.ask(f"{ARBITER}InspectState", {"state": self.sealed(encode_state(whole(state)))})
        self.check_that("defects" not in opened, f"the position does not hold together: {opened.get('defects')}")
        self.arbiter("ImportState", {"gameState": opened["gameState"]}, save={"state": "state"}, any_of=["state"])
        self._state = "state"

    def literal(self, name: str, value: str) -> Json:
        """Give a variable a value that no call has answered."""
        self._variables[name] = self._literals[name] = value
        return {"$var": name}

    def sealed(self, content: bytes, what: Format = Format.STATE) -> str:
        """Seal content of the author's making with the published key."""
        return base64.b64encode(self._sealer.seal(content, what)).decode("ascii")

    def play(
        self,
        seat: int,
        line: str,
        *,
        viewers: str = "",
        events: str = "",
        points: Sequence[int] | None = None,
        quiet: bool = False,
        legal: bool = False,
        note: str = "",
    ) -> Json:
        """Play legal moves; `events` and the deal's `points` are what the first viewer has to be told."""
        request = self._moves(seat, line)
        if viewers:
            request["viewers"] = words.viewers(viewers)
        if legal:
            request["listLegalMoves"] = True
        answer = self.call(
            "ApplyMoves",
            request,
            note=note,
            save={"state": "accepted.state"},
            any_of=["accepted.state"],
            ignore=["accepted.updates"] if quiet else [],
        )
        self._state = "state"
        told = [] if quiet else answer["accepted"]["updates"][0].get("events", [])
        kinds = [next(key for key in event if key not in {"revision", "index", "seat"}) for event in told]
        if events:
            self.check_that(kinds == [kind[0].lower() + kind[1:] for kind in events.split()], f"{line}: {kinds}")
        sheets = [event["dealScored"]["scoreSheet"] for event in told if "dealScored" in event]
        self.check_that(
            len(sheets) == (points is not None), f"{line}: say what each counted deal comes to, and no other"
        )
        if points is not None:
            self._sheet = sheets[0]
            self.count(self._sheet, points)
        return answer["accepted"]

    def count_again(self) -> None:
        """Ask for the score of the deal that has just been counted: the same sheet as in its event."""
        sheet = self.call("ScoreDeal", {"state": self.state})["scoreSheet"]
        self.check_that(sheet == self._sheet, f"the sheet is another than the event's: {sheet}")

    def refuse(self, seat: int, line: str, reasons: str, *, cards: str | None = None, note: str = "") -> Json:
        """Play moves of which the last is illegal for these reasons; `cards` are those of the first violation."""
        answer = self.call("ApplyMoves", self._moves(seat, line), note=note)
        return self.refused(line, answer.get("rejected", {}), reasons, cards)

    def check(self, seat: int, line: str, reasons: str = "", *, cards: str | None = None) -> None:
        """Ask whether moves would be accepted: illegal for these reasons, or legal."""
        answer = self.call("CheckMoves", self._moves(seat, line))
        self.check_that(answer.get("legal", False) == (not reasons), f"{line}: {answer}")
        if reasons:
            self.refused(line, answer, reasons, cards)

    def view(self, viewer: str = "s", **fields: Json) -> Json:
        """Look at the match."""
        request = {"state": self.state, "viewer": words.viewers(viewer)[0]} | fields
        return self.call("GetView", request)["view"]

    def legal(self, seat: int, count: int | None = None, **fields: Json) -> Json:
        """List a seat's legal moves; `count` is how many there have to be."""
        request = {"state": self.state, "seat": seat} | fields
        answer = self.call("ListLegalMoves", request).get("legalMoves", {})
        listed = expand(json_format.ParseDict(answer, moves_pb2.LegalMoves()))
        self.check_that(len(listed) == int(answer.get("count", 0)), f"{len(listed)} moves are listed")
        self.check_that(count is None or len(listed) == count, f"{len(listed)} legal moves")
        for move in listed:
            moves = [json_format.MessageToDict(move)]
            checked = self.ask("CheckMoves", {"state": self.state, "seat": seat, "moves": moves})
            self.check_that(checked == {"legal": True}, f"a listed move is refused: {move}")
        return answer

    # --- without a match ----------------------------------------------------------------------------------------------

    def explain(self, rules: Json, selection: str, *readings: str, why: str = "", reading: Json = None) -> Json:
        """Explain cards: the readings as their cards have to lie, or the reasons why there are none."""
        request = {"rules": rules, "cards": words.cards(selection)} | ({"reading": reading} if reading else {})
        answer = self.call("ExplainMeld", request)
        found = [meld["cards"] for meld in answer.get("readings", ())]
        self.check_that(found == [words.cards(each) for each in readings], f"{selection}: {found}")
        self.refused(selection, answer, why)
        return answer

    def score(self, table: Json, points: Sequence[int], winners: Sequence[int] | None = None) -> Json:
        """Count a deal of a real table; `points` are what it comes to by side."""
        answer = self.call("ScoreDeal", {"table": table})
        self.count(answer["scoreSheet"], points)
        won = answer["result"]["winningSides"] if "result" in answer else None
        self.check_that(won == (None if winners is None else list(winners)), f"won by {won}")
        return answer

    # --- what they share ----------------------------------------------------------------------------------------------

    def _moves(self, seat: int, line: str) -> dict[str, Json]:
        return {"state": self.state, "seat": seat, "moves": words.moves(line)}

    def count(self, sheet: Json, points: Sequence[int]) -> None:
        """Check what a sheet comes to, by side, and that its lines do."""
        found = [side.get("dealPoints", 0) for side in sheet["sides"]]
        self.check_that(found == list(points), f"the deal comes to {found}")
        sums = [sum(line.get("points", 0) for line in side.get("lines", ())) for side in sheet["sides"]]
        self.check_that(sums == found, f"the lines come to {sums}")

    def refused(self, what: str, answer: Json, reasons: str, cards: str | None = None) -> Json:
        """Check the violations of an answer; `cards` are those of the first."""
        violations = answer.get("violations", [])
        found = [violation["reason"] for violation in violations]
        self.check_that(found == words.reasons(reasons), f"{what}: {found}")
        if cards is not None:
            self.check_that(violations[0].get("cards", []) == words.cards(cards), f"{what}: {violations[0]}")
        return violations

    def check_that(self, fact: object, told: str) -> None:
        """Fail the recording where the server answers something else than its author knows."""
        if not fact:
            raise Surprise(f"step {len(self.steps)} ({self._about}): {told}")


def seed_bytes(number: int) -> str:
    """A seed of 32 bytes, as JSON has bytes."""
    return base64.b64encode(number.to_bytes(32, "big")).decode("ascii")
