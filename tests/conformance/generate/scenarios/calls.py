"""Calls that fail, whatever the game, and what is asked without a match."""

import base64
from typing import Final

from burraco_conformance.values import Json
from service.rules.state import Phase
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.keys import METADATA, OPENING_KEY, UNKNOWN_KEY
from tests.conformance.generate.script import DRAWN, Script, seed_bytes
from tests.conformance.generate.tables import rules
from tests.support.tables import table

SEVENS: Final = ["CARD_7S", "CARD_7H", "CARD_7D"]
SEED: Final = bytes(range(32))
SALT: Final = bytes(range(100, 132))
FAR_VERSION: Final = 1000
"""Of stored states: no release will write it."""


def text_of(content: bytes) -> str:
    """Bytes as JSON has them."""
    return base64.b64encode(content).decode("ascii")


@scenario("calls/presets", "Every preset with its full rules.")
def presets(script: Script) -> None:
    script.call("ListPresets")


@scenario("calls/rules_described", "The options of each game, described, and its rules in words.")
def rules_described(script: Script) -> None:
    for preset in ("ITALIAN", "RAMINO", "GIN", "SCALA_40"):
        script.call("GetRules", {"rules": rules(preset)})


@scenario("calls/rules_changed", "Rules of a preset with options changed.")
def rules_changed(script: Script) -> None:
    changed = {"knockLimit": 7, "undercutOnTie": False}
    script.call("GetRules", {"rules": rules("GIN", {"gin": changed})}, ignore=["options", "book"])
    changed = {"jokers": 4, "openingPoints": 30}
    script.call("GetRules", {"rules": rules("SCALA_40", {"scala40": changed})}, ignore=["options", "book"])


@scenario("calls/rules_refused", "Rules that are unknown, incomplete, out of range or against each other.")
def rules_refused(script: Script) -> None:
    def refuse(selection: Json, reason: str, *fields: str) -> None:
        script.invalid("GetRules", {"rules": selection}, reason, *fields)

    refuse({}, "PRESET_UNKNOWN", "rules.preset")
    refuse(rules("ITALIAN", {"burraco": {"jokers": 9}}), "OPTION_OUT_OF_RANGE", "rules.burraco.jokers")
    fields = [f"rules.burraco.{name}" for name in ("jokers", "players")]
    refuse(rules("ITALIAN", {"burraco": {"jokers": 9, "players": 7}}), "OPTION_OUT_OF_RANGE", *fields)
    refuse(rules("ITALIAN", {"burraco": {"target": 0}}), "OPTIONS_CONTRADICT", "rules.burraco.target")
    refuse(rules("ITALIAN", {"gin": {"knockLimit": 5}}), "OPTIONS_OF_OTHER_GAME", "rules.gin")
    missing = script.call("GetRules", {"rules": rules("GIN")})["rules"]["gin"]
    del missing["target"], script.steps[-1]
    refuse({"gin": missing}, "OPTION_MISSING", "rules.gin.target")
    match = {"rules": {}, "givenSeed": seed_bytes(1)}
    script.invalid("CreateMatch", match, "PRESET_UNKNOWN", "rules.preset")
    script.invalid("ExplainMeld", {"cards": SEVENS}, "PRESET_UNKNOWN", "rules.preset")
    script.invalid("ScoreDeal", {"table": {"sides": [{}, {}]}}, "PRESET_UNKNOWN", "table.rules.preset")


@scenario("calls/unknown_enums", "Numbers that are none of their enum.", "unknownEnums")
def unknown_enums(script: Script) -> None:
    script.create("ITALIAN", seed=1, givenSeats={"dealer": 3})
    state = {"state": script.state}
    order = {**state, "viewer": {"seat": 0}, "handOrder": 9}
    script.invalid("GetView", order, "ENUM_UNKNOWN", "hand_order", arguments={"value": "9"})
    move = {"meld": {"cards": ["CARD_7S", 99, "CARD_9S"]}}
    request = {**state, "seat": 0, "moves": [move]}
    script.invalid("ApplyMoves", request, "ENUM_UNKNOWN", "moves[0].meld.cards[1]", arguments={"value": "99"})
    script.invalid("GetRules", {"rules": {"preset": 99}}, "PRESET_UNKNOWN", "rules.preset")
    wrong = rules("ITALIAN", {"burraco": {"stockEnd": 77, "jokers": 9}})
    fields = ["rules.burraco.stock_end", "rules.burraco.jokers"]
    script.invalid("GetRules", {"rules": wrong}, "OPTION_OUT_OF_RANGE", *fields)


@scenario(
    "calls/callers", "Who calls without a key, or with a wrong one, is not known; the key is asked for everywhere."
)
def callers(script: Script) -> None:
    for metadata in ({}, {"burraco-api-key": "not-the-key-of-the-vectors"}):
        script.fail("ListPresets", {}, "UNAUTHENTICATED", "CALLER_NOT_KNOWN", metadata=metadata)
    for rpc in ("CommitSeed", "CreateMatch", "ApplyMoves", "GetView", "ScoreDeal"):
        script.fail(rpc, {}, "UNAUTHENTICATED", "CALLER_NOT_KNOWN", metadata={})


@scenario("calls/not_built", "An RPC of the contract that is not built.")
def not_built(script: Script) -> None:
    script.fail("SuggestMoves", {}, "UNIMPLEMENTED", "NOT_BUILT", arguments={"rpc": "SuggestMoves"})


@scenario("calls/malformed", "Bytes that are no message.", "rawRequests")
def malformed(script: Script) -> None:
    script.invalid("GetView", None, "REQUEST_MALFORMED", raw=b"\xff\xff\xff\xff")
    script.invalid("CreateMatch", None, "REQUEST_MALFORMED", raw=b"\x0a\x05\x08")


@scenario("calls/too_large", "A request over the limit of size: refused unread, so it is told no reason.")
def too_large(script: Script) -> None:
    large = {"state": {"$zeros": 300_000}, "viewer": {"spectator": {}}}
    script.fail("GetView", large, "RESOURCE_EXHAUSTED", "")


@scenario("calls/fields", "Fields that are missing, out of range, unknown, too many or against each other.")
def fields(script: Script) -> None:
    script.create("ITALIAN", seed=1, givenSeats={"dealer": 3})
    state = {"state": script.state}
    moves = {**state, "seat": 0, "moves": [{"drawStock": {}}]}
    script.invalid("GetView", state, "FIELD_MISSING", "viewer")
    script.invalid("GetView", {**state, "viewer": {"seat": 4}}, "FIELD_OUT_OF_RANGE", "viewer.seat")
    script.invalid("ApplyMoves", {**state, "seat": 0}, "FIELD_MISSING", "moves")
    script.invalid("ApplyMoves", {**moves, "seat": 7}, "FIELD_OUT_OF_RANGE", "seat", arguments=bounds(7, 0, 3))
    script.invalid("ApplyMoves", {**moves, "moves": [{"drawStock": {}}] * 65}, "TOO_MANY_ITEMS", "moves")
    script.invalid("ApplyMoves", {**moves, "moves": [{}]}, "FIELD_MISSING", "moves[0]")
    script.invalid("CheckMoves", {**moves, "moves": [{"discard": {}}]}, "FIELD_MISSING", "moves[0].discard.card")
    nothing = {"layOff": {"meldId": 1}}
    script.invalid("CheckMoves", {**moves, "moves": [nothing]}, "FIELD_MISSING", "moves[0].lay_off.cards")
    no_meld = {"layOff": {"cards": SEVENS}}
    script.invalid("CheckMoves", {**moves, "moves": [no_meld]}, "FIELD_OUT_OF_RANGE", "moves[0].lay_off.meld_id")
    viewers = {**moves, "viewers": [{"seat": 0}] * 8}
    script.invalid("ApplyMoves", viewers, "TOO_MANY_ITEMS", "viewers")
    script.invalid("ListLegalMoves", {**state, "maxMoves": 100_001}, "FIELD_OUT_OF_RANGE", "max_moves")
    script.invalid("ScoreDeal", {}, "FIELD_MISSING", "state")
    script.invalid("ExplainMeld", {"rules": rules("GIN")}, "FIELD_MISSING", "cards")
    copies = {"rules": rules("GIN"), "cards": ["CARD_7S", "CARD_7S", "CARD_7S"]}
    script.invalid("ExplainMeld", copies, "FIELDS_CONTRADICT", "cards")
    match = {"rules": rules("ITALIAN")}
    script.invalid("CreateMatch", {**match, "givenSeed": text_of(b"short")}, "FIELD_OUT_OF_RANGE", "given_seed")
    script.invalid("CreateMatch", {**match, "entropy": [text_of(b"a")]}, "FIELDS_CONTRADICT", "entropy")
    script.invalid("CreateMatch", {**match, "requestId": "x" * 65}, "TOO_MANY_ITEMS", "request_id")
    drawn = {"rules": rules("GIN"), "givenSeed": seed_bytes(1), "drawnSeats": {}}
    script.invalid("CreateMatch", drawn, "FIELDS_CONTRADICT", "drawn_seats")


def bounds(value: int, least: int, most: int) -> Json:
    """Arguments of REASON_FIELD_OUT_OF_RANGE."""
    return {"max": str(most), "min": str(least), "value": str(value)}


@scenario("calls/revision", "Somebody moved in between: the call is aborted, and the same revision is taken.")
def revision(script: Script) -> None:
    script.create("ITALIAN", seed=1, givenSeats={"dealer": 3})
    request = {"state": script.state, "seat": 0, "moves": [{"drawStock": {}}], "expectedRevision": "4"}
    for rpc in ("ApplyMoves", "CheckMoves"):
        told = {"actual": "0", "expected": "4"}
        script.fail(rpc, request, "ABORTED", "REVISION_MISMATCH", arguments=told)
    script.call("CheckMoves", {**request, "expectedRevision": "0"})


@scenario(
    "calls/states", "Sealed states: damaged, of other keys, of a newer version, and such as do not hold together."
)
def states(script: Script) -> None:
    def refuse(state: Json, code: str, reason: str, rpc: str = "GetView") -> None:
        fields: Json = {"viewer": {"spectator": {}}} if rpc == "GetView" else {"seat": 0}
        fields |= {"moves": [{"drawStock": {}}]} if rpc in {"ApplyMoves", "CheckMoves"} else {}
        named = ["state"] if code == "INVALID_ARGUMENT" else []
        script.fail(rpc, {"state": state, **fields}, code, reason, *named)

    script.create("ITALIAN", seed=1)
    for rpc in ("GetView", "ApplyMoves", "CheckMoves", "ListLegalMoves"):
        refuse("", "INVALID_ARGUMENT", "FIELD_MISSING", rpc)
        refuse(text_of(b"no state at all"), "INVALID_ARGUMENT", "STATE_MALFORMED", rpc)
        refuse({"$bytes": "state", "xor": [{"at": 40, "with": 1}]}, "INVALID_ARGUMENT", "STATE_SEAL_BROKEN", rpc)
    for damage in ({"xor": [{"at": -1, "with": 128}]}, {"cut": 100}, {"append": text_of(b"\x00")}):
        refuse({"$bytes": "state", **damage}, "INVALID_ARGUMENT", "STATE_SEAL_BROKEN")
    refuse({"$bytes": "state", "xor": [{"at": 0, "with": 1}]}, "INVALID_ARGUMENT", "STATE_MALFORMED")
    refuse({"$bytes": "state", "cut": 20}, "INVALID_ARGUMENT", "STATE_MALFORMED")
    refuse({"$bytes": "state", "xor": [{"at": 1, "with": 1}]}, "FAILED_PRECONDITION", "STATE_KEY_UNKNOWN")
    content = encode_state(table(phase=Phase.DRAW))
    other = text_of(Sealer(UNKNOWN_KEY).seal(content, Format.STATE))
    refuse(script.literal("otherKey", other), "FAILED_PRECONDITION", "STATE_KEY_UNKNOWN")
    older = script.literal("olderKey", text_of(Sealer(OPENING_KEY).seal(content, Format.STATE)))
    script.call("GetView", {"state": older, "viewer": {"spectator": {}}}, note="A key that only opens.")
    newer = StoredState.FromString(content)
    newer.version = FAR_VERSION
    sealed = script.sealed(newer.SerializeToString())
    refuse(script.literal("newerVersion", sealed), "FAILED_PRECONDITION", "STATE_VERSION_UNKNOWN")
    one_short = table(phase=Phase.DRAW)
    sealed = script.sealed(encode_state(one_short._replace(stock=one_short.stock[1:])))
    refuse(script.literal("oneCardShort", sealed), "INVALID_ARGUMENT", "STATE_AUDIT_FAILED")
    refuse(script.literal("noMessage", script.sealed(b"\xff")), "INVALID_ARGUMENT", "STATE_AUDIT_FAILED")


@scenario("calls/committed_seed", "A committed seed with the players' entropy, and damaged ones.")
def committed_seed(script: Script) -> None:
    script.call("CommitSeed", save={"seed": "sealedSeed"}, any_of=["sealedSeed", "commitment"])
    match = {"rules": rules("ITALIAN"), "viewers": [{"spectator": {}}]}
    entropy = [text_of(word) for word in (b"anna", b"bruno", "carl\u00f2".encode(), b"dora")]
    fresh = {"rules": rules("ITALIAN"), "sealedSeed": {"$var": "seed"}, "entropy": entropy}
    script.call("CreateMatch", fresh, any_of=[*DRAWN, "matchId", "updates"], note="Another match each time.")
    known = script.literal("knownSeed", script.sealed(SEED + SALT, Format.SEED))
    request = {"rules": match["rules"], "requestId": "table 7", "sealedSeed": known, "entropy": entropy}
    request |= {"drawnSeats": {}, "viewers": match["viewers"]}
    script.call("CreateMatch", request, save={"state": "state"}, any_of=DRAWN, note="The same match each time.")
    script.view("0")
    broken = {"$bytes": "seed", "xor": [{"at": 50, "with": 4}]}
    script.invalid("CreateMatch", {**match, "sealedSeed": broken}, "SEED_MALFORMED", "sealed_seed")
    script.invalid("CreateMatch", {**match, "sealedSeed": script.state}, "SEED_MALFORMED", "sealed_seed")
    script.invalid("CreateMatch", {**match, "sealedSeed": ""}, "FIELD_MISSING", "sealed_seed")
    many = {**match, "sealedSeed": known, "entropy": [text_of(b"a")] * 5}
    script.invalid("CreateMatch", many, "TOO_MANY_ITEMS", "entropy")
    long = {**match, "sealedSeed": known, "entropy": [text_of(b"a" * 65)]}
    script.invalid("CreateMatch", long, "FIELD_OUT_OF_RANGE", "entropy[0]")
    unnamed = {"rules": rules("GIN"), "viewers": match["viewers"]}
    script.call("CreateMatch", unnamed, any_of=[*DRAWN, "matchId", "updates"], note="The service draws the seed.")


@scenario("calls/languages", "Texts in the caller's language, and in English where there is no catalogue for it.")
def languages(script: Script) -> None:
    def ask(wanted: str, note: str, *cards: str) -> None:
        request = {"rules": rules("GIN"), "cards": list(cards or ("CARD_7S", "CARD_8S"))}
        script.call("ExplainMeld", request, metadata={**METADATA, "accept-language": wanted}, note=note)

    ask("tlh, en;q=0.5", "Klingon, else English.")
    ask("it-CH", "Italian, of a region.")
    ask("pl", "Polish, with the form for two.")
    ask("fil", "Filipino.")
    ask("tl-PH", "Filipino by the tag of Tagalog.")
    ask("my", "Burmese.")
    ask("en;q=0.1, it;q=0.2, pl;q=0.9", "By weight, not by order.")
    ask("pl;q=0, it;q=much, my;q=0.1", "One language ruled out, and one with a weight that is none.")
    ask("it", "Cards in words.", "CARD_7S", "CARD_10H", "CARD_KD")
    ask("my", "Cards in words, in Burmese.", "CARD_7S", "CARD_10H", "CARD_KD")
