"""Every kind of bad input has its own status, reason and field, and changes nothing."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from burraco.v1 import cards_pb2, melds_pb2, moves_pb2, reasons_pb2, rules_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import parse
from service.rules.games import PRESETS
from service.rules.presets import GAME_OF
from service.rules.state import State
from service.wire.rules_codec import rules_message
from service.wire.sealing import Format, Sealer, SealingKey
from service.wire.state_codec import encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.api.client import (
    CALL_TIME,
    DRAW,
    EVERYONE,
    FIBUR,
    ITALIAN,
    KEY,
    SECONDS,
    TAKE,
    TIME_OUT,
    Api,
    discard,
    lay,
    lay_off,
    plain,
)
from tests.support.tables import played_table as table
from tests.support.tables import rules

SEALER: Final = Sealer(KEY)
ELSEWHERE: Final = bytes(32)
INVALID: Final = grpc.StatusCode.INVALID_ARGUMENT
FAILED: Final = grpc.StatusCode.FAILED_PRECONDITION
ABORTED: Final = grpc.StatusCode.ABORTED


def cards(words: str) -> Any:  # noqa: ANN401 - card numbers, where the contract's enum is asked for
    return list(parse(words))


def number(value: int) -> Any:  # noqa: ANN401 - any number, where the contract's enum is asked for
    return value


@lru_cache
def position() -> State:
    """Seat 0 has drawn and may meld."""
    return table(hands=["7S 8S 9S 7H 7D JK 4C"], melds={0: ["3H 4H 5H"], 1: ["KS KH KD"]})


def seal(state: State) -> bytes:
    return SEALER.seal(encode_state(state), Format.STATE)


GOOD: Final = seal(position())
SEED: Final = SEALER.seal(bytes(64), Format.SEED)
UNKNOWN_FIELD: Final = b"\xf8\x3f\x01"
"""Field 1023, a number."""


def stored(**fields: Any) -> bytes:  # noqa: ANN401 - fields of the stored form
    """A state with the right seal and the wrong content."""
    message = StoredState.FromString(encode_state(position()))
    for name, value in fields.items():
        setattr(message, name, value)
    return SEALER.seal(message.SerializeToString(), Format.STATE)


def newer_rules() -> bytes:
    """Rules of the next revision."""
    rules = rules_message(position().rules)
    return rules_pb2.Rules.FromString(rules.SerializeToString() + b"\x10\x02").SerializeToString()


def newer_option() -> bytes:
    """Rules with an option that nobody here knows."""
    rules = rules_pb2.Rules.FromString(rules_message(position().rules).SerializeToString())
    rules.burraco.MergeFromString(UNKNOWN_FIELD)
    return rules.SerializeToString()


def unknown_field() -> bytes:
    """A state with a field that nobody here knows."""
    return SEALER.seal(encode_state(position()) + UNKNOWN_FIELD, Format.STATE)


def flipped(sealed: bytes, at: int) -> bytes:
    return sealed[:at] + bytes((sealed[at] ^ 1,)) + sealed[at + 1 :]


def impostor() -> bytes:
    """Sealed with another key that has the id of ours."""
    key = SealingKey(ELSEWHERE)
    key.key_id = SealingKey(KEY).key_id
    return key.seal(encode_state(position()), Format.STATE)


def apply(**fields: Any) -> pb.ApplyMovesRequest:  # noqa: ANN401 - fields of the request
    chosen: dict[str, Any] = {"state": GOOD, "seat": 0, "moves": [discard(cards("4C")[0])]} | fields
    return pb.ApplyMovesRequest(**chosen)


def create(**fields: Any) -> pb.CreateMatchRequest:  # noqa: ANN401 - see apply
    chosen: dict[str, Any] = {"rules": ITALIAN} | fields
    return pb.CreateMatchRequest(**chosen)


class Case(NamedTuple):
    """A bad request and how it has to end."""

    rpc: str
    make: Callable[[], Message]
    code: grpc.StatusCode
    reason: str
    field: str = ""


STATES: Final[dict[str, tuple[Callable[[], bytes], grpc.StatusCode, str]]] = {
    "no state": (lambda: b"", INVALID, "FIELD_MISSING"),
    "one byte": (lambda: b"\x01", INVALID, "STATE_MALFORMED"),
    "random bytes": (lambda: bytes(range(2, 202)), INVALID, "STATE_MALFORMED"),
    "text": (lambda: b"the state of the match", INVALID, "STATE_MALFORMED"),
    "a header alone": (lambda: GOOD[:5], INVALID, "STATE_MALFORMED"),
    "header and nonce alone": (lambda: GOOD[:17], INVALID, "STATE_MALFORMED"),
    "a byte cut off": (lambda: GOOD[:-1], INVALID, "STATE_SEAL_BROKEN"),
    "cut in half": (lambda: GOOD[: len(GOOD) // 2], INVALID, "STATE_SEAL_BROKEN"),
    "a byte too many": (lambda: GOOD + b"\x00", INVALID, "STATE_SEAL_BROKEN"),
    "twice": (lambda: GOOD + GOOD, INVALID, "STATE_SEAL_BROKEN"),
    "a bit of the format": (lambda: flipped(GOOD, 0), INVALID, "STATE_MALFORMED"),
    "a bit of the key id": (lambda: flipped(GOOD, 2), FAILED, "STATE_KEY_UNKNOWN"),
    "a bit of the nonce": (lambda: flipped(GOOD, 7), INVALID, "STATE_SEAL_BROKEN"),
    "a bit of the content": (lambda: flipped(GOOD, 60), INVALID, "STATE_SEAL_BROKEN"),
    "a bit of the tag": (lambda: flipped(GOOD, len(GOOD) - 1), INVALID, "STATE_SEAL_BROKEN"),
    "base64 of a state": (lambda: GOOD.hex().encode(), INVALID, "STATE_MALFORMED"),
    "another key": (
        lambda: Sealer(ELSEWHERE).seal(encode_state(position()), Format.STATE),
        FAILED,
        "STATE_KEY_UNKNOWN",
    ),
    "another key of the same id": (impostor, INVALID, "STATE_SEAL_BROKEN"),
    "a sealed seed": (lambda: SEED, INVALID, "STATE_MALFORMED"),
    "a sealed seed that says it is a state": (lambda: b"\x01" + SEED[1:], INVALID, "STATE_SEAL_BROKEN"),
    "a seal around nothing": (lambda: SEALER.seal(b"", Format.STATE), INVALID, "STATE_AUDIT_FAILED"),
    "a seal around garbage": (lambda: SEALER.seal(b"\xff" * 50, Format.STATE), INVALID, "STATE_AUDIT_FAILED"),
    "a newer version": (lambda: stored(version=2), FAILED, "STATE_VERSION_UNKNOWN"),
    "a newer revision of the rules": (lambda: stored(rules=newer_rules()), FAILED, "STATE_VERSION_UNKNOWN"),
    "a field of a newer release": (unknown_field, INVALID, "STATE_AUDIT_FAILED"),
    "an option of a newer release": (lambda: stored(rules=newer_option()), INVALID, "STATE_AUDIT_FAILED"),
    "a card too few": (lambda: stored(stock=b"\x01"), INVALID, "STATE_AUDIT_FAILED"),
    "rules that are none": (lambda: stored(rules=b"\xff"), INVALID, "STATE_AUDIT_FAILED"),
    "a seat that is none": (lambda: stored(seat=4), INVALID, "STATE_AUDIT_FAILED"),
}
"""States that are refused, by every RPC that takes one."""

WITH_STATE: Final[dict[str, Callable[[bytes], Message]]] = {
    "ApplyMoves": lambda state: apply(state=state),
    "CheckMoves": lambda state: pb.CheckMovesRequest(state=state, seat=0, moves=[TAKE]),
    "ListLegalMoves": lambda state: pb.ListLegalMovesRequest(state=state, seat=0),
    "GetView": lambda state: pb.GetViewRequest(state=state, viewer=EVERYONE[0]),
    "ScoreDeal": lambda state: pb.ScoreDealRequest(state=state),
}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("rpc", WITH_STATE)
def test_a_state_that_is_none_is_refused(api: Api, rpc: str, name: str) -> None:
    """Each kind of broken state has its own reason, the same in every RPC."""
    make, code, reason = STATES[name]
    outcome = api.fail(rpc, WITH_STATE[rpc](make()))
    assert (outcome.code, outcome.reason) == (code, reason)
    if code == INVALID:
        assert outcome.fields == ["state"]
    assert outcome.message.startswith("state ")


MOVES: Final[dict[str, tuple[list[moves_pb2.Move], str, str]]] = {
    "no moves": ([], "FIELD_MISSING", "moves"),
    "an empty move": ([moves_pb2.Move()], "FIELD_MISSING", "moves[0]"),
    "an empty second move": ([DRAW, moves_pb2.Move()], "FIELD_MISSING", "moves[1]"),
    "65 moves": ([DRAW] * 65, "TOO_MANY_ITEMS", "moves"),
    "10,000 moves": ([DRAW] * 10_000, "TOO_MANY_ITEMS", "moves"),
    "a meld of a card unknown": ([lay([7, 8, 14])], "ENUM_UNKNOWN", "moves[0].meld.cards[2]"),
    "a meld of no card": ([lay([7, 0, 9])], "ENUM_UNKNOWN", "moves[0].meld.cards[1]"),
    "a meld of a negative card": ([lay([-1, 8, 9])], "ENUM_UNKNOWN", "moves[0].meld.cards[0]"),
    "a meld of a huge card": ([lay([2**31 - 1])], "ENUM_UNKNOWN", "moves[0].meld.cards[0]"),
    "a meld of card 256": ([lay([7, 8, 256 + 9])], "ENUM_UNKNOWN", "moves[0].meld.cards[2]"),
    "a meld of 109 cards": ([lay([7] * 109)], "TOO_MANY_ITEMS", "moves[0].meld.cards"),
    "a meld of 10,000 cards": ([lay([7] * 10_000)], "TOO_MANY_ITEMS", "moves[0].meld.cards"),
    "a reading of a kind unknown": (
        [
            moves_pb2.Move(
                meld=moves_pb2.LayMeld(cards=cards("7S 8S 9S"), reading=melds_pb2.MeldReading(kind=number(9)))
            )
        ],
        "ENUM_UNKNOWN",
        "moves[0].meld.reading.kind",
    ),
    "a reading of a card unknown": (
        [
            moves_pb2.Move(
                meld=moves_pb2.LayMeld(cards=cards("7S 8S 9S"), reading=melds_pb2.MeldReading(wild_as=number(99)))
            )
        ],
        "ENUM_UNKNOWN",
        "moves[0].meld.reading.wild_as",
    ),
    "a lay-off of nothing": ([lay_off(1, [])], "FIELD_MISSING", "moves[0].lay_off.cards"),
    "a lay-off on no meld": ([lay_off(0, [6])], "FIELD_OUT_OF_RANGE", "moves[0].lay_off.meld_id"),
    "a lay-off on a meld beyond all": ([lay_off(2**32 - 1, [6])], "FIELD_OUT_OF_RANGE", "moves[0].lay_off.meld_id"),
    "a lay-off of 10,000 cards": ([lay_off(1, [6] * 10_000)], "TOO_MANY_ITEMS", "moves[0].lay_off.cards"),
    "a lay-off of a card unknown": ([lay_off(1, [15])], "ENUM_UNKNOWN", "moves[0].lay_off.cards[0]"),
    "a lay-off of a wild as a card unknown": (
        [moves_pb2.Move(lay_off=moves_pb2.LayOff(meld_id=1, cards=cards("JK"), wild_as=number(80)))],
        "ENUM_UNKNOWN",
        "moves[0].lay_off.wild_as",
    ),
    "a discard of nothing": ([discard(0)], "FIELD_MISSING", "moves[0].discard.card"),
    "a discard of a card unknown": ([discard(65)], "ENUM_UNKNOWN", "moves[0].discard.card"),
    "a discard of a huge card": ([discard(2**31 - 1)], "ENUM_UNKNOWN", "moves[0].discard.card"),
    "a wild replaced by nothing": ([plain("replace_wild")], "FIELD_OUT_OF_RANGE", "moves[0].replace_wild.meld_id"),
    "a knock of too many melds": (
        [moves_pb2.Move(knock=moves_pb2.Knock(melds=[cards_pb2.CardGroup()] * 5))],
        "TOO_MANY_ITEMS",
        "moves[0].knock.melds",
    ),
    "a knock with a card unknown": (
        [moves_pb2.Move(knock=moves_pb2.Knock(discard=number(77)))],
        "ENUM_UNKNOWN",
        "moves[0].knock.discard",
    ),
}
"""Moves that cannot be read."""


@pytest.mark.parametrize("name", MOVES)
def test_a_move_that_cannot_be_read_is_refused(api: Api, name: str) -> None:
    """ApplyMoves and CheckMoves name the same field for the same reason."""
    moves, reason, field = MOVES[name]
    checked = api.fail("CheckMoves", pb.CheckMovesRequest(state=GOOD, seat=0, moves=moves))
    applied = api.fail("ApplyMoves", apply(moves=moves))
    for outcome in (checked, applied):
        assert (outcome.code, outcome.reason, outcome.fields) == (INVALID, reason, [field])
    assert checked.message == applied.message


ILLEGAL: Final[dict[str, tuple[moves_pb2.Move, int, str]]] = {
    "a card not in hand": (discard(cards("KC")[0]), reasons_pb2.REASON_CARD_NOT_IN_HAND, "KC"),
    "a second copy": (lay(cards("7S 7S 8S 9S")), reasons_pb2.REASON_CARD_NOT_IN_HAND, "7S"),
    "a third copy": (lay(cards("7S 7S 7S")), reasons_pb2.REASON_CARD_NOT_IN_HAND, "7S 7S"),
    "108 copies": (lay(cards("7S") * 108), reasons_pb2.REASON_CARD_NOT_IN_HAND, " ".join(["7S"] * 107)),
    "five jokers": (lay(cards("JK JK JK JK JK")), reasons_pb2.REASON_CARD_NOT_IN_HAND, "JK JK JK JK"),
    "the whole pack": (
        lay([*range(1, 14), *range(17, 30)]),
        reasons_pb2.REASON_CARD_NOT_IN_HAND,
        "AS 2S 3S 4S 5S 6S 10S JS QS KS AH 2H 3H 4H 5H 6H 8H 9H 10H JH QH KH",
    ),
    "no card at all": (lay([]), reasons_pb2.REASON_TOO_FEW_CARDS, ""),
    "a meld that is not there": (lay_off(9, cards("4C")), reasons_pb2.REASON_MELD_NOT_FOUND, ""),
    "the opponents' meld": (lay_off(2, cards("JK")), reasons_pb2.REASON_MELD_OF_OTHER_SIDE, ""),
    "a move of Gin": (plain("knock"), reasons_pb2.REASON_MOVE_NOT_IN_GAME, ""),
    "a move of Scala 40": (
        moves_pb2.Move(replace_wild=moves_pb2.ReplaceWild(meld_id=1, card=cards("4C")[0])),
        reasons_pb2.REASON_MOVE_NOT_IN_GAME,
        "",
    ),
}
"""Moves that can be read and are illegal."""


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_move_is_told_as_one(api: Api, name: str) -> None:
    """What the player holds, and what lies on the table, is judged by the rules: status OK, with violations."""
    move, reason, shown = ILLEGAL[name]
    violations = api.apply(GOOD, 0, move).rejected.violations
    found = [violation for violation in violations if violation.reason == reason]
    assert found, violations
    assert list(found[0].cards) == cards(shown)
    assert list(api.check(GOOD, 0, move).violations) == list(violations)


def wrong_rules(**options: Any) -> rules_pb2.RulesSelection:  # noqa: ANN401 - options' values
    chosen = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_ITALIAN)
    for key, value in options.items():
        setattr(chosen.burraco, key, value)
    return chosen


def side(**fields: Any) -> pb.TableSide:  # noqa: ANN401 - see apply
    return pb.TableSide(**fields)


def deal(*sides: pb.TableSide, **fields: Any) -> pb.ScoreDealRequest:  # noqa: ANN401 - see apply
    chosen: dict[str, Any] = {"rules": ITALIAN, "sides": sides} | fields
    return pb.ScoreDealRequest(table=pb.TableDeal(**chosen))


def meld(words: str) -> pb.TableMeld:
    return pb.TableMeld(cards=cards(words))


CASES: Final[dict[str, Case]] = {
    # seats and viewers
    "a seat out of range": Case("ApplyMoves", lambda: apply(seat=4), INVALID, "FIELD_OUT_OF_RANGE", "seat"),
    "a seat beyond all": Case("ApplyMoves", lambda: apply(seat=2**32 - 1), INVALID, "FIELD_OUT_OF_RANGE", "seat"),
    "a seat out of range, checked": Case(
        "CheckMoves",
        lambda: pb.CheckMovesRequest(state=GOOD, seat=7, moves=[DRAW]),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "seat",
    ),
    "a seat out of range, listed": Case(
        "ListLegalMoves", lambda: pb.ListLegalMovesRequest(state=GOOD, seat=4), INVALID, "FIELD_OUT_OF_RANGE", "seat"
    ),
    "no viewer": Case("GetView", lambda: pb.GetViewRequest(state=GOOD), INVALID, "FIELD_MISSING", "viewer"),
    "an empty viewer": Case(
        "GetView", lambda: pb.GetViewRequest(state=GOOD, viewer=cards_pb2.Viewer()), INVALID, "FIELD_MISSING", "viewer"
    ),
    "a viewer at no seat": Case(
        "GetView",
        lambda: pb.GetViewRequest(state=GOOD, viewer=cards_pb2.Viewer(seat=4)),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "viewer.seat",
    ),
    "a second viewer at no seat": Case(
        "ApplyMoves",
        lambda: apply(viewers=[EVERYONE[0], cards_pb2.Viewer(seat=9)]),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "viewers[1].seat",
    ),
    "an empty viewer of a new match": Case(
        "CreateMatch", lambda: create(viewers=[cards_pb2.Viewer()]), INVALID, "FIELD_MISSING", "viewers[0]"
    ),
    "a thousand viewers": Case(
        "ApplyMoves", lambda: apply(viewers=[EVERYONE[0]] * 1000), INVALID, "TOO_MANY_ITEMS", "viewers"
    ),
    "an order of hands unknown": Case(
        "GetView",
        lambda: pb.GetViewRequest(state=GOOD, viewer=EVERYONE[0], hand_order=number(3)),
        INVALID,
        "ENUM_UNKNOWN",
        "hand_order",
    ),
    "an order of hands unknown, applied": Case(
        "ApplyMoves", lambda: apply(hand_order=number(-1)), INVALID, "ENUM_UNKNOWN", "hand_order"
    ),
    "an order of hands unknown, created": Case(
        "CreateMatch", lambda: create(hand_order=number(99)), INVALID, "ENUM_UNKNOWN", "hand_order"
    ),
    "too long a list of moves": Case(
        "ListLegalMoves",
        lambda: pb.ListLegalMovesRequest(state=GOOD, seat=0, max_moves=100_001),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "max_moves",
    ),
    "another revision": Case("ApplyMoves", lambda: apply(expected_revision=1), ABORTED, "REVISION_MISMATCH"),
    "a huge revision": Case("ApplyMoves", lambda: apply(expected_revision=2**64 - 1), ABORTED, "REVISION_MISMATCH"),
    "another revision, checked": Case(
        "CheckMoves",
        lambda: pb.CheckMovesRequest(state=GOOD, seat=0, moves=[DRAW], expected_revision=9),
        ABORTED,
        "REVISION_MISMATCH",
    ),
    # creating
    "nothing at all": Case("CreateMatch", pb.CreateMatchRequest, INVALID, "PRESET_UNKNOWN", "rules.preset"),
    "a preset unknown": Case(
        "CreateMatch",
        lambda: create(rules=rules_pb2.RulesSelection(preset=number(99))),
        INVALID,
        "PRESET_UNKNOWN",
        "rules.preset",
    ),
    **{
        f"a preset not built: {preset.name}": Case(
            "CreateMatch",
            lambda preset=preset: create(rules=rules_pb2.RulesSelection(preset=number(preset))),  # type: ignore[misc]  # its default
            INVALID,
            "GAME_NOT_BUILT",
            "rules.preset",
        )
        for preset in GAME_OF
        if preset not in PRESETS
    },
    "an option out of range": Case(
        "CreateMatch",
        lambda: create(rules=wrong_rules(jokers=9)),
        INVALID,
        "OPTION_OUT_OF_RANGE",
        "rules.burraco.jokers",
    ),
    "options that contradict": Case(
        "GetRules",
        lambda: pb.GetRulesRequest(rules=wrong_rules(target=0)),
        INVALID,
        "OPTIONS_CONTRADICT",
        "rules.burraco.target",
    ),
    "a request id too long": Case(
        "CreateMatch", lambda: create(request_id="x" * 65), INVALID, "TOO_MANY_ITEMS", "request_id"
    ),
    "a request id too long in UTF-8": Case(
        "CreateMatch", lambda: create(request_id="\N{BLACK SPADE SUIT}" * 22), INVALID, "TOO_MANY_ITEMS", "request_id"
    ),
    "a seed too short": Case(
        "CreateMatch", lambda: create(given_seed=bytes(31)), INVALID, "FIELD_OUT_OF_RANGE", "given_seed"
    ),
    "a seed too long": Case(
        "CreateMatch", lambda: create(given_seed=bytes(33)), INVALID, "FIELD_OUT_OF_RANGE", "given_seed"
    ),
    "an empty seed": Case("CreateMatch", lambda: create(given_seed=b""), INVALID, "FIELD_OUT_OF_RANGE", "given_seed"),
    "an empty sealed seed": Case(
        "CreateMatch", lambda: create(sealed_seed=b""), INVALID, "FIELD_MISSING", "sealed_seed"
    ),
    "a state as a sealed seed": Case(
        "CreateMatch", lambda: create(sealed_seed=GOOD), INVALID, "SEED_MALFORMED", "sealed_seed"
    ),
    "a sealed seed cut short": Case(
        "CreateMatch", lambda: create(sealed_seed=SEED[:-1]), INVALID, "SEED_MALFORMED", "sealed_seed"
    ),
    "a sealed seed of another key": Case(
        "CreateMatch",
        lambda: create(sealed_seed=Sealer(ELSEWHERE).seal(bytes(64), Format.SEED)),
        FAILED,
        "STATE_KEY_UNKNOWN",
    ),
    "entropy without a committed seed": Case(
        "CreateMatch", lambda: create(entropy=[b"a"]), INVALID, "FIELDS_CONTRADICT", "entropy"
    ),
    "entropy beside a given seed": Case(
        "CreateMatch", lambda: create(given_seed=bytes(32), entropy=[b"a"]), INVALID, "FIELDS_CONTRADICT", "entropy"
    ),
    "an empty entropy": Case(
        "CreateMatch",
        lambda: create(sealed_seed=SEED, entropy=[b"a", b""]),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "entropy[1]",
    ),
    "an entropy too long": Case(
        "CreateMatch",
        lambda: create(sealed_seed=SEED, entropy=[bytes(65)]),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "entropy[0]",
    ),
    "entropy of more than play": Case(
        "CreateMatch", lambda: create(sealed_seed=SEED, entropy=[b"a"] * 5), INVALID, "TOO_MANY_ITEMS", "entropy"
    ),
    "a dealer at no seat": Case(
        "CreateMatch",
        lambda: create(given_seats=pb.GivenSeats(dealer=4)),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "given_seats.dealer",
    ),
    # explaining
    "nothing to explain": Case(
        "ExplainMeld", lambda: pb.ExplainMeldRequest(rules=ITALIAN), INVALID, "FIELD_MISSING", "cards"
    ),
    "explaining without rules": Case(
        "ExplainMeld", lambda: pb.ExplainMeldRequest(cards=cards("7S")), INVALID, "PRESET_UNKNOWN", "rules.preset"
    ),
    "explaining 109 cards": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("7S") * 109),
        INVALID,
        "TOO_MANY_ITEMS",
        "cards",
    ),
    "explaining a card unknown": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(rules=ITALIAN, cards=[*cards("7S"), number(47)]),
        INVALID,
        "ENUM_UNKNOWN",
        "cards[1]",
    ),
    "explaining a third copy": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("7S 7S 7S")),
        INVALID,
        "FIELDS_CONTRADICT",
        "cards",
    ),
    "explaining a fifth joker": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("JK JK JK JK JK")),
        INVALID,
        "FIELDS_CONTRADICT",
        "cards",
    ),
    "explaining a reading unknown": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(
            rules=ITALIAN, cards=cards("7S 8S 9S"), reading=melds_pb2.MeldReading(kind=number(3))
        ),
        INVALID,
        "ENUM_UNKNOWN",
        "reading.kind",
    ),
    "explaining a reading unknown of what is no meld": Case(
        "ExplainMeld",
        lambda: pb.ExplainMeldRequest(
            rules=ITALIAN, cards=cards("7S 8S"), reading=melds_pb2.MeldReading(kind=number(3))
        ),
        INVALID,
        "ENUM_UNKNOWN",
        "reading.kind",
    ),
    # scoring
    "nothing to score": Case("ScoreDeal", pb.ScoreDealRequest, INVALID, "FIELD_MISSING", "state"),
    "a deal under way": Case("ScoreDeal", lambda: pb.ScoreDealRequest(state=GOOD), FAILED, "DEAL_UNFINISHED"),
    "an empty table": Case(
        "ScoreDeal", lambda: pb.ScoreDealRequest(table=pb.TableDeal()), INVALID, "PRESET_UNKNOWN", "table.rules.preset"
    ),
    "a table of one side": Case("ScoreDeal", lambda: deal(side()), INVALID, "FIELD_OUT_OF_RANGE", "table.sides"),
    "a table of 1000 sides": Case(
        "ScoreDeal", lambda: deal(*[side()] * 1000), INVALID, "FIELD_OUT_OF_RANGE", "table.sides"
    ),
    "a closing by no side": Case(
        "ScoreDeal",
        lambda: deal(side(), side(), closed_by_side=2),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "table.closed_by_side",
    ),
    "deals beyond all": Case(
        "ScoreDeal",
        lambda: deal(side(), side(), deals_played=2**32 - 1),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "table.deals_played",
    ),
    "points beyond all": Case(
        "ScoreDeal",
        lambda: deal(side(), side(match_points_before=1_000_005)),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "table.sides[1].match_points_before",
    ),
    "points that no victory points come of": Case(
        "ScoreDeal",
        lambda: deal(side(match_points_before=3), side(), rules=FIBUR, deals_played=4),
        INVALID,
        "FIELDS_CONTRADICT",
        "table.sides[0].match_points_before",
    ),
    "three hands of a side": Case(
        "ScoreDeal",
        lambda: deal(side(hands=[cards_pb2.CardGroup()] * 3), side()),
        INVALID,
        "TOO_MANY_ITEMS",
        "table.sides[0].hands",
    ),
    "37 melds": Case(
        "ScoreDeal",
        lambda: deal(side(melds=[meld("7S 8S 9S")] * 37), side()),
        INVALID,
        "TOO_MANY_ITEMS",
        "table.sides[0].melds",
    ),
    "a meld that is none": Case(
        "ScoreDeal",
        lambda: deal(side(), side(melds=[meld("7S 8S 9S"), meld("7S 9S 10H")])),
        INVALID,
        "NEITHER_SET_NOR_SEQUENCE",
        "table.sides[1].melds[1].cards",
    ),
    "an empty meld": Case(
        "ScoreDeal",
        lambda: deal(side(melds=[pb.TableMeld()]), side()),
        INVALID,
        "TOO_FEW_CARDS",
        "table.sides[0].melds[0].cards",
    ),
    "a card three times on the table": Case(
        "ScoreDeal",
        lambda: deal(side(melds=[meld("7S 8S 9S")] * 2), side(melds=[meld("7S 8S 9S")])),
        INVALID,
        "FIELDS_CONTRADICT",
        "table",
    ),
    "a card unknown in a hand": Case(
        "ScoreDeal",
        lambda: deal(side(hands=[cards_pb2.CardGroup(cards=[number(14)])]), side()),
        INVALID,
        "ENUM_UNKNOWN",
        "table.sides[0].hands[0].cards[0]",
    ),
    "an unplayed pozzetto of three cards": Case(
        "ScoreDeal",
        lambda: deal(side(pozzetto_taken=True, unplayed_pozzetto=cards("7S 8S 9S")), side()),
        INVALID,
        "FIELD_OUT_OF_RANGE",
        "table.sides[0].unplayed_pozzetto",
    ),
    "an unplayed pozzetto that was not taken": Case(
        "ScoreDeal",
        lambda: deal(side(unplayed_pozzetto=cards("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS")), side()),
        INVALID,
        "FIELDS_CONTRADICT",
        "table.sides[0].unplayed_pozzetto",
    ),
    "a closing without a burraco": Case(
        "ScoreDeal",
        lambda: deal(side(pozzetto_taken=True, melds=[meld("7S 8S 9S")]), side(), closed_by_side=0),
        INVALID,
        "CLOSE_NEEDS_BURRACO",
        "table.sides[0].melds",
    ),
    "a closing without a pozzetto": Case(
        "ScoreDeal",
        lambda: deal(side(melds=[meld("3S 4S 5S 6S 7S 8S 9S")]), side(), closed_by_side=0),
        INVALID,
        "CLOSE_NEEDS_POZZETTO",
        "table.sides[0].pozzetto_taken",
    ),
    "a reading that cannot be": Case(
        "ScoreDeal",
        lambda: deal(
            side(
                melds=[
                    pb.TableMeld(cards=cards("7S 8S 9S"), reading=melds_pb2.MeldReading(kind=melds_pb2.MELD_KIND_SET))
                ]
            ),
            side(),
        ),
        INVALID,
        "READING_NOT_POSSIBLE",
        "table.sides[0].melds[0].reading",
    ),
}
"""What else is refused, RPC by RPC."""


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_refused_by_name(api: Api, name: str) -> None:
    """Each bad request has its status, its reason and the path of the field that is wrong."""
    case = CASES[name]
    outcome = api.fail(case.rpc, case.make())
    assert (outcome.code, outcome.reason) == (case.code, case.reason)
    if case.code == INVALID:
        assert outcome.fields == [case.field]
        assert outcome.message.startswith(case.field)


def test_everything_wrong_with_the_options_is_told_within_4_kb(api: Api) -> None:
    """34 missing options are named as far as there is room, and the rest counted."""
    empty = rules_pb2.RulesSelection()
    empty.burraco.SetInParent()
    outcome = api.fail("GetRules", pb.GetRulesRequest(rules=empty))
    assert outcome.reason == "OPTION_MISSING"
    assert len(outcome.details) < 4096
    keys = [field.name for field in rules_pb2.BurracoRules.DESCRIPTOR.fields]
    told = [path.removeprefix("rules.burraco.") for path in outcome.fields if path]
    assert told == keys[: len(told)]
    assert len(told) > 10


def test_the_worst_refusal_of_a_move_stays_small(api: Api) -> None:
    """A move of 108 cards, each wrong in every way, is answered in a few kilobytes."""
    answer = api.send("ApplyMoves", apply(moves=[lay(cards("JK") * 108)]).SerializeToString()).answer
    assert 0 < len(answer) < 4096


@pytest.mark.parametrize("payload", [b"\xff" * 9, b"\x0a\x05abc", b"\x12\xff\xff\xff\xff\x0f", b"\x07"])
@pytest.mark.parametrize("rpc", WITH_STATE)
def test_bytes_that_are_no_request_are_refused(api: Api, rpc: str, payload: bytes) -> None:
    """What cannot be parsed has a reason of its own."""
    outcome = api.send(rpc, payload)
    assert (outcome.code, outcome.reason) == (INVALID, "REQUEST_MALFORMED")


def test_text_that_is_no_utf8_is_refused(api: Api) -> None:
    """A request id of wrong bytes is no request."""
    outcome = api.send("CreateMatch", create().SerializeToString() + b"\x12\x02\xc3\x28")
    assert (outcome.code, outcome.reason) == (INVALID, "REQUEST_MALFORMED")


def test_fields_of_a_newer_contract_are_not_minded(api: Api) -> None:
    """What a newer client sends beyond this contract is left alone."""
    payload = apply().SerializeToString()
    assert api.send("ApplyMoves", payload + b"\xfa\x7f\x03abc").answer == api.send("ApplyMoves", payload).answer


def test_a_finished_match_takes_no_move(api: Api) -> None:
    """A match that is over before the call is a precondition that failed, for any move; it can be looked at."""
    over = api.apply(api.create().state, 0, plain("resign")).accepted.state
    for move in (DRAW, plain("resign"), plain("next_deal"), TIME_OUT, CALL_TIME):
        for rpc, request in (
            ("ApplyMoves", apply(state=over, moves=[move])),
            ("CheckMoves", pb.CheckMovesRequest(state=over, seat=0, moves=[move])),
        ):
            outcome = api.fail(rpc, request)
            assert (outcome.code, outcome.reason) == (FAILED, "MATCH_FINISHED")
    assert not api.legal(over, 0).count
    view = api.stub.GetView(pb.GetViewRequest(state=over, viewer=EVERYONE[0]), timeout=SECONDS).view
    assert view.phase == views_pb2.PHASE_MATCH_OVER


def test_a_move_after_the_end_of_the_match_in_one_call_is_illegal(api: Api) -> None:
    """Where the match ends within a call, what follows is refused by the rules and nothing is applied."""
    refused = api.apply(api.create().state, 0, plain("resign"), DRAW)
    (violation,) = refused.rejected.violations
    assert (violation.reason, violation.move_index) == (reasons_pb2.REASON_MATCH_OVER, 1)


def test_a_resigned_deal_is_not_counted(api: Api) -> None:
    """A deal that ended without a count has no sheet."""
    over = api.apply(api.create().state, 0, plain("resign")).accepted.state
    outcome = api.fail("ScoreDeal", pb.ScoreDealRequest(state=over))
    assert (outcome.code, outcome.reason) == (FAILED, "DEAL_UNFINISHED")


def test_the_right_revision_is_taken(api: Api) -> None:
    """An expected revision that is the state's changes nothing, 0 included."""
    assert api.apply(GOOD, 0, discard(cards("4C")[0]), expected_revision=0).HasField("accepted")
    later = api.apply(GOOD, 0, discard(cards("4C")[0])).accepted
    assert api.apply(later.state, 1, DRAW, expected_revision=1).HasField("accepted")


def test_revision_0_is_a_revision(api: Api) -> None:
    """A player who saw the match as it was created expects 0, which is not the same as expecting nothing."""
    later = api.apply(GOOD, 0, discard(cards("4C")[0])).accepted.state
    assert api.apply(later, 1, DRAW).HasField("accepted")
    for rpc, request in (
        ("ApplyMoves", apply(state=later, seat=1, moves=[DRAW], expected_revision=0)),
        ("CheckMoves", pb.CheckMovesRequest(state=later, seat=1, moves=[DRAW], expected_revision=0)),
    ):
        assert api.fail(rpc, request).reason == "REVISION_MISMATCH"


def test_a_revision_that_is_not_the_state_s_says_both(api: Api) -> None:
    """A caller learns which revision it expected and which there is."""
    outcome = api.fail("ApplyMoves", apply(expected_revision=41))
    assert dict(outcome.info.metadata) == {"expected": "41", "actual": "0"}
    assert "41" in outcome.message


def test_the_revision_is_asked_before_the_rules(api: Api) -> None:
    """A move that would be illegal anyway is not judged against a state that its player never saw."""
    outcome = api.fail("ApplyMoves", apply(moves=[discard(cards("KC")[0])], expected_revision=3))
    assert outcome.code == ABORTED


def test_a_refused_call_leaves_the_state_as_it_was(api: Api) -> None:
    """After every refusal of this page the same state gives the same answers."""
    good = apply(viewers=EVERYONE).SerializeToString()
    before = api.send("ApplyMoves", good)
    for case in CASES.values():
        api.send(case.rpc, case.make().SerializeToString())
    for moves, _, _ in MOVES.values():
        api.send("ApplyMoves", apply(moves=moves).SerializeToString())
    for move, _, _ in ILLEGAL.values():
        api.apply(GOOD, 0, move)
    assert api.send("ApplyMoves", good) == before


def test_a_deck_without_jokers_knows_none(api: Api) -> None:
    """A joker is a card that the deck does not hold where the rules leave it out."""
    state = seal(table(options=rules(jokers=0), hands=["7S 8S 9S 4C"]))
    (violation,) = api.apply(state, 0, discard(cards("JK")[0])).rejected.violations
    assert violation.reason == reasons_pb2.REASON_CARD_NOT_IN_HAND
    chosen = wrong_rules(jokers=0)
    outcome = api.fail("ExplainMeld", pb.ExplainMeldRequest(rules=chosen, cards=cards("JK 7S 8S")))
    assert (outcome.reason, outcome.fields) == ("FIELDS_CONTRADICT", ["cards"])
