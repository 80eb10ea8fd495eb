"""ReplayMatch over the wire: records of matches played over it, tampered ones, and those that prove nothing."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from burraco.v1 import cards_pb2, moves_pb2, reasons_pb2, rules_pb2
from burraco.v1 import game_service_pb2 as pb
from service.api.call import Call
from service.api.errors import CallError, deadline_passed
from service.api.replay import replay_match
from service.notation.parser import parse
from service.rules.decks import of_decks
from service.rules.games import PRESETS
from service.rules.moves import NEXT_DEAL
from service.rules.options import RULES_REVISION, Preset, contract_name
from service.rules.presets import ITALIAN
from service.rules.record import Illegal, Recorded, Verified, replay
from service.rules.state import Fairness, MatchEnd, Phase
from service.rules.stream import commitment
from tests.api.client import DRAW, RESIGN, SECONDS, SPECTATOR, Api, discard, lay_off, only, play_on, to_request
from tests.support.profile import FULL
from tests.support.records import played_record, random_decks, shorter

STEPS: Final = 60
SEEDS: Final = 40 if FULL else 2
SEED: Final = bytes(range(32))
SALT: Final = bytes(range(32, 64))
NAMED: Final = [pytest.param(preset, id=preset.name) for preset in PRESETS]

GOLDEN: Final = sorted((Path(__file__).parents[1] / "golden").glob("*.burraco"))


def verified(api: Api, request: pb.ReplayMatchRequest) -> pb.ReplayVerified:
    response = api.stub.ReplayMatch(request, timeout=SECONDS)
    assert response.WhichOneof("outcome") == "verified", response
    return response.verified


def illegal(api: Api, request: pb.ReplayMatchRequest) -> pb.ReplayIllegal:
    response = api.stub.ReplayMatch(request, timeout=SECONDS)
    assert response.WhichOneof("outcome") == "illegal", response
    return response.illegal


def failed(api: Api, request: pb.ReplayMatchRequest) -> tuple[str, list[str]]:
    """The reason, and the fields, of a record that is no record."""
    outcome = api.fail("ReplayMatch", request)
    assert outcome.code == grpc.StatusCode.INVALID_ARGUMENT
    return outcome.reason, outcome.fields


class Match:
    """A match on the wire, and what a back end writes down of it."""

    def __init__(self, api: Api, preset: Preset, *, committed: bool) -> None:
        self.api = api
        request = pb.CreateMatchRequest(rules=only(int(preset)), request_id="a match", viewers=[SPECTATOR])
        request.given_seats.dealer = 1
        self.record = pb.ReplayMatchRequest(request_id="a match", given_seats=request.given_seats)
        if committed:
            commit = api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS)
            request.sealed_seed, self.record.commitment = commit.sealed_seed, commit.commitment
            request.entropy[:] = self.record.entropy[:] = [b"mine", b"yours"]
        else:
            request.given_seed = SEED
        created = api.stub.CreateMatch(request, timeout=SECONDS)
        fairness = api.open(created.state).match.fairness
        self.record.rules.CopyFrom(created.rules)
        self.record.seed, self.record.salt, self.record.match_id = fairness.seed, fairness.salt, created.match_id
        self.state = created.state

    def note(self, seat: int, move: moves_pb2.Move, state: bytes) -> None:
        self.record.moves.add(seat=seat, move=move)
        self.state = state

    def play(self, seed: int, steps: int) -> None:
        opened = self.api.open(self.state)
        for step in play_on(self.api, self.state, opened.seat, random.Random(seed), steps, len(opened.match.players)):
            self.note(step.request.seat, step.request.moves[0], step.accepted.state)

    def resign(self) -> None:
        """Let one seat after another resign until the match is over."""
        while (opened := self.api.open(self.state)).phase is not Phase.MATCH_OVER:
            seat = next(seat for seat in range(len(opened.match.players)) if not (opened.out and opened.out[seat]))
            self.note(seat, RESIGN, self.api.apply(self.state, seat, RESIGN).accepted.state)


@pytest.mark.parametrize("preset", NAMED)
@pytest.mark.parametrize("committed", [False, True], ids=["given seed", "committed seed"])
def test_a_match_over_the_wire_is_verified_to_its_sealed_bytes(api: Api, preset: Preset, *, committed: bool) -> None:
    """What a back end writes down is enough: rules, seed, salt, entropy, request id, seats, moves."""
    match = Match(api, preset, committed=committed)
    match.play(int(preset), STEPS)
    if committed:
        match.resign()
    answer = verified(api, match.record)
    expected = match.state
    if committed:
        # It was given up, so that its seed is told to nobody: whoever has it is not vouched for.
        opened = api.open(match.state)
        given = opened.match.fairness._replace(given=True)
        expected = api.seal(opened._replace(match=opened.match._replace(fairness=given)))
    assert answer.state == expected
    assert answer.match_id == match.record.match_id
    shown = api.stub.GetView(pb.GetViewRequest(state=expected, viewer=SPECTATOR), timeout=SECONDS)
    assert answer.view == shown.view


@pytest.mark.parametrize("preset", NAMED)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_whole_match_is_verified(api: Api, preset: Preset, seed: int) -> None:
    """Matches of every preset to their ends, moves of back ends among them; the final state is what was played to."""
    record, state = played_record(shorter(PRESETS[preset]), seed, 1500)
    answer = verified(api, to_request(record))
    if state.phase is not Phase.MATCH_OVER or not record.fairness.salt:
        state = state._replace(match=state.match._replace(fairness=state.match.fairness._replace(given=True)))
    assert api.open(answer.state) == state


@pytest.mark.parametrize("preset", NAMED)
def test_a_match_from_decks_is_verified_without_a_state(api: Api, preset: Preset) -> None:
    """No seed stands behind decks, so there is nothing to play on from; the view tells what came of it."""
    rules = shorter(PRESETS[preset])
    record, state = played_record(rules, 3, 400, random_decks(rules, 3, 60))
    answer = verified(api, to_request(record))
    assert not answer.state
    assert answer.view.revision == state.revision
    assert answer.match_id == state.match.match_id
    assert not answer.view.fairness.verifiable


@pytest.mark.parametrize("preset", NAMED)
def test_a_tampered_record_breaks_off_at_its_first_illegal_move(api: Api, preset: Preset) -> None:
    """A move left out, or of another seat, or twice: the index and everything wrong are those of the rules."""
    record, _ = played_record(PRESETS[preset], 1, 80)
    rng = random.Random(1)
    broken = 0
    for _ in range(12):
        moves = list(record.moves)
        at = rng.randrange(len(moves))
        seat, move = moves[at]
        other = (seat + 1) % PRESETS[preset].players  # type: ignore[attr-defined]  # every game's rules have it
        moves[at : at + 1] = rng.choice(([], [Recorded(other, move)], [moves[at], moves[at]]))
        tampered = record._replace(moves=tuple(moves))
        expected = replay(tampered)
        if not isinstance(expected, Illegal):
            continue
        broken += 1
        answer = illegal(api, to_request(tampered))
        assert answer.move_index == expected.move_index
        assert [int(each.reason) for each in answer.violations] == [int(each.reason) for each in expected.violations]
        assert all(each.move_index == answer.move_index and each.text for each in answer.violations)
    assert broken > 3


def test_no_moves_at_all_are_a_match(api: Api) -> None:
    """A record of a match that has just been dealt is verified."""
    record, state = played_record(ITALIAN, 0, 0)
    assert api.open(verified(api, to_request(record)).state) == state


def test_a_move_after_the_end_is_illegal(api: Api) -> None:
    """Nothing is played once the match is over."""
    match = Match(api, Preset.GIN, committed=False)
    match.resign()
    match.record.moves.add(seat=0, move=DRAW)
    answer = illegal(api, match.record)
    assert (answer.move_index, answer.violations[0].reason) == (1, reasons_pb2.REASON_MATCH_OVER)


def test_a_seed_that_could_be_played_on_from_is_not_vouched_for(api: Api) -> None:
    """Whoever has a committed seed before the match is played to its end made it himself: it is not verifiable.

    Nor is a match that was given up, since its seed is never told.
    """
    record, _ = played_record(ITALIAN, 1, 5, Fairness(SEED, (b"a",), SALT))
    unfinished = verified(api, to_request(record))
    assert not unfinished.view.fairness.verifiable
    assert not api.open(unfinished.state).match.fairness.verifiable
    ended = to_request(record)
    ended.moves.add(seat=0, move=RESIGN)
    resigned = verified(api, ended)
    assert not resigned.view.fairness.verifiable
    assert not api.open(resigned.state).match.fairness.verifiable


def test_a_match_played_to_its_end_is_vouched_for(api: Api) -> None:
    """Its seed was told to everyone, so the record says no more than they know: the state is that of the match."""
    rules: Any = PRESETS[Preset.GIN]
    rules = replace(rules, target=10)
    record, state = played_record(rules, 1, 2000, Fairness(SEED, (b"a",), SALT))
    assert state.result is not None
    assert state.result.match_end is MatchEnd.TARGET
    answer = verified(api, to_request(record))
    assert answer.view.fairness.verifiable
    assert api.open(answer.state) == state


def test_the_time_of_a_replay_is_time_in_the_rules(api: Api) -> None:
    """The log counts the moves that are played again as spent in the rules."""
    record, _ = played_record(ITALIAN, 1, 200)
    request = to_request(record)
    mark = api.mark()
    verified(api, request)
    (line,) = api.lines_since(mark)
    assert line["rules_microseconds"] > line["microseconds"] / 3


# --- what the record claims -------------------------------------------------------------------------------------------


def test_a_broken_commitment_is_told(api: Api) -> None:
    """The seed and salt have to be those that were committed to."""
    record, _ = played_record(ITALIAN, 1, 5, Fairness(SEED, (), SALT))
    request = to_request(record)
    request.commitment = commitment(SALT, SEED)
    verified(api, request)
    request.commitment = commitment(SEED, SALT)
    assert failed(api, request) == ("COMMITMENT_BROKEN", ["commitment"])
    request.commitment = b"short"
    assert failed(api, request) == ("FIELD_OUT_OF_RANGE", ["commitment"])


def test_a_record_of_another_match_is_told(api: Api) -> None:
    """Seed, entropy and request id name the match."""
    record, state = played_record(ITALIAN, 1, 5)
    request = to_request(record)
    request.match_id = state.match.match_id
    verified(api, request)
    request.request_id += "!"
    outcome = api.fail("ReplayMatch", request)
    assert (outcome.reason, outcome.fields) == ("MATCH_ID_WRONG", ["match_id"])
    assert outcome.info.metadata["match_id"] == state.match.match_id.hex()
    assert len(bytes.fromhex(outcome.info.metadata["actual"])) == 16
    request.match_id = b"short"
    assert failed(api, request) == ("FIELD_OUT_OF_RANGE", ["match_id"])


def test_a_record_of_another_revision_diverges(api: Api) -> None:
    """It proves nothing for or against the record, whatever else is in it."""
    record, _ = played_record(ITALIAN, 1, 5)
    request = to_request(record)
    request.rules.revision = RULES_REVISION + 1
    request.rules.burraco.jokers = 77
    del request.moves[:2]
    response = api.stub.ReplayMatch(request, timeout=SECONDS)
    assert response.diverged == pb.ReplayDiverged(recorded_revision=RULES_REVISION + 1, service_revision=RULES_REVISION)


# --- decks ------------------------------------------------------------------------------------------------------------


def test_a_wrong_deck_is_told(api: Api) -> None:
    """A deck is all the cards of the rules, each as often."""
    record, _ = played_record(ITALIAN, 1, 5, random_decks(ITALIAN, 1, 3))
    request = to_request(record)
    swapped = request.decks.deals[1].cards
    swapped[0] = next(card for card in swapped if card != swapped[0])
    outcome = api.fail("ReplayMatch", request)
    assert (outcome.reason, outcome.fields) == ("DECK_WRONG", ["decks.deals[1]"])
    assert outcome.info.metadata["number"] == "2"
    del swapped[:]
    assert failed(api, request)[0] == "DECK_WRONG"
    swapped.extend([cards_pb2.CARD_AS] * 109)
    assert failed(api, request)[0] == "TOO_MANY_ITEMS"


def test_a_missing_deck_is_told(api: Api) -> None:
    """A deal that is dealt needs a deck; a move that is illegal anyway does not."""
    rules = replace(ITALIAN, target=0, deals_per_match=4)
    record, state = played_record(rules, 3, 4000, random_decks(rules, 3, 60))
    assert state.deal_number > 1
    fewer = record._replace(fairness=of_decks(record.fairness.decks[:1]))
    request = to_request(fewer)
    # The seed is made of the decks, so a first dealer who is not named may be another.
    request.given_seats.dealer = 3
    at = next(at for at, (_, move) in enumerate(record.moves) if move == NEXT_DEAL)
    outcome = api.fail("ReplayMatch", request)
    assert (outcome.reason, outcome.fields) == ("DECK_MISSING", [f"moves[{at}]"])
    assert dict(outcome.info.metadata) == {"number": "2", "decks": "1"}
    del request.moves[:]
    request.moves.add(seat=0, move=moves_pb2.Move(next_deal=moves_pb2.NextDeal()))
    assert illegal(api, request).violations[0].reason == reasons_pb2.REASON_DEAL_NOT_OVER


# --- what is no record ------------------------------------------------------------------------------------------------


def _entropy(request: pb.ReplayMatchRequest) -> None:
    request.entropy.append(b"mine")


def _decks_and_salt(request: pb.ReplayMatchRequest) -> None:
    request.decks.deals.add(cards=[1])
    request.salt = SALT


def _many_moves(request: pb.ReplayMatchRequest) -> None:
    del request.moves[:]
    request.moves.extend([pb.RecordedMove()] * 20_001)


def _other_options(request: pb.ReplayMatchRequest) -> None:
    request.rules.preset = rules_pb2.PRESET_GIN


def _unknown_option(request: pb.ReplayMatchRequest) -> None:
    request.rules.burraco.MergeFromString(bytes.fromhex("f83f01"))  # field 1023


def _contradiction(request: pb.ReplayMatchRequest) -> None:
    request.rules.burraco.target = request.rules.burraco.deals_per_match = 0


def _decks(count: int) -> Callable[[pb.ReplayMatchRequest], None]:
    def change(request: pb.ReplayMatchRequest) -> None:
        request.decks.SetInParent()
        request.decks.deals.extend([cards_pb2.CardGroup()] * count)

    return change


def _set(path: str, value: Any) -> Callable[[pb.ReplayMatchRequest], None]:  # noqa: ANN401 - a field's value
    def change(request: pb.ReplayMatchRequest) -> None:
        *way, last = path.split(".")
        message: Any = request
        for name in way:
            message = message[int(name)] if name.isdigit() else getattr(message, name)
        if value is None:
            message.ClearField(last)
        else:
            setattr(message, last, value)

    return change


@pytest.mark.parametrize(
    ("change", "reason", "field"),
    [
        (_set("rules", None), "FIELD_MISSING", "rules.revision"),
        (_set("rules.revision", 0), "FIELD_MISSING", "rules.revision"),
        (_set("rules.burraco", None), "OPTION_MISSING", "rules"),
        (_set("rules.burraco.jokers", None), "OPTION_MISSING", "rules.burraco.jokers"),
        (_set("rules.burraco.jokers", 9), "OPTION_OUT_OF_RANGE", "rules.burraco.jokers"),
        (_set("rules.burraco.pile_take", 99), "OPTION_OUT_OF_RANGE", "rules.burraco.pile_take"),
        (_unknown_option, "OPTION_OUT_OF_RANGE", "rules.burraco"),
        (_contradiction, "OPTIONS_CONTRADICT", "rules.burraco.target"),
        (_set("rules.preset", 99), "PRESET_UNKNOWN", "rules.preset"),
        (_other_options, "OPTIONS_OF_OTHER_GAME", "rules.burraco"),
        (_set("seed", None), "FIELD_MISSING", "seed"),
        (_set("seed", b""), "FIELD_OUT_OF_RANGE", "seed"),
        (_set("seed", bytes(31)), "FIELD_OUT_OF_RANGE", "seed"),
        (_set("salt", bytes(31)), "FIELD_OUT_OF_RANGE", "salt"),
        (_entropy, "FIELDS_CONTRADICT", "entropy"),
        (_set("commitment", bytes(32)), "FIELDS_CONTRADICT", "commitment"),
        (_decks_and_salt, "FIELDS_CONTRADICT", "salt"),
        (_decks(0), "FIELD_MISSING", "decks.deals"),
        (_decks(1001), "TOO_MANY_ITEMS", "decks.deals"),
        (_set("request_id", "x" * 65), "TOO_MANY_ITEMS", "request_id"),
        (_set("given_seats.dealer", 4), "FIELD_OUT_OF_RANGE", "given_seats.dealer"),
        (_many_moves, "TOO_MANY_ITEMS", "moves"),
        (_set("moves.1.seat", 4), "FIELD_OUT_OF_RANGE", "moves[1].seat"),
        (_set("moves.1.move", None), "FIELD_MISSING", "moves[1].move"),
    ],
)
def test_what_is_no_record_is_refused_by_field(
    api: Api, change: Callable[[pb.ReplayMatchRequest], None], reason: str, field: str
) -> None:
    """Each wrong field is named with its path; rules have to be a full set of options that are known."""
    record, _ = played_record(ITALIAN, 3, 5)
    request = to_request(record)
    change(request)
    assert failed(api, request) == (reason, [field])


def test_a_card_that_is_none_is_refused(api: Api) -> None:
    """Moves are read as those of ApplyMoves are."""
    record, _ = played_record(ITALIAN, 3, 5)
    request = to_request(record)
    request.moves.add(seat=0, move=discard(99))
    request.moves.add(seat=0, move=lay_off(0, [1]))
    assert failed(api, request) == ("ENUM_UNKNOWN", ["moves[5].move.discard.card"])


def test_seats_are_drawn_by_four_only(api: Api) -> None:
    """As at CreateMatch."""
    record, _ = played_record(PRESETS[Preset.GIN], 3, 5)
    request = to_request(record)
    request.drawn_seats.SetInParent()
    assert failed(api, request) == ("FIELDS_CONTRADICT", ["drawn_seats"])


@dataclass(slots=True)
class Impatient(Call):
    """A call whose deadline passes after so many looks at it."""

    looks: int = 0

    def check_deadline(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise deadline_passed()


@pytest.mark.parametrize("looks", [0, 3, 39, 40, 43, 79])
def test_a_long_record_ends_with_its_deadline(looks: int) -> None:
    """The deadline is looked at between moves, as they are read and as they are played: no record holds a thread."""
    request = to_request(played_record(ITALIAN, 3, 40)[0])
    with pytest.raises(CallError) as raised:
        replay_match(request, Impatient(looks=looks), lambda _: b"")
    assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert replay_match(request, Impatient(looks=80), lambda _: b"sealed").verified.state == b"sealed"


def test_a_log_line_tells_no_seed(api: Api) -> None:
    """The log has game, phase and reasons of a replay, and nothing of its secrets."""
    record, state = played_record(ITALIAN, 1, 5, Fairness(SEED, (b"abcdefgh",), SALT))
    mark = api.mark()
    verified(api, to_request(record))
    (line,) = api.lines_since(mark)
    assert (line["game"], line["phase"]) == ("GAME_BURRACO", contract_name(state.phase))
    for secret in (SEED.hex(), SALT.hex(), "abcdefgh"):
        assert secret not in api.text_since(mark)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_match_is_verified_over_the_wire(api: Api, path: Path) -> None:
    """A match written down move by move comes to the same result on the server."""
    record = parse(path.read_text(encoding="utf-8")).record()
    outcome = replay(record)
    assert isinstance(outcome, Verified)
    view = verified(api, to_request(record)).view
    result = outcome.state.result
    assert view.revision == len(record.moves)
    assert [side.match_points for side in view.sides] == list(outcome.state.points)
    assert list(view.result.winning_sides) == list(result.winning_sides if result else ())
