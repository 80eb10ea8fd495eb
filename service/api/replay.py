"""ReplayMatch: a recorded match is played again, and what comes of it."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.call import Call
from service.api.fields import read_bytes, read_entropy, read_request_id, read_seats, seats_fault
from service.rules.cards import JOKER, texts
from service.rules.decks import of_decks
from service.rules.events import SPECTATOR
from service.rules.games import game_with
from service.rules.options import RULES_REVISION, RuleSet
from service.rules.record import (
    MAX_DECKS,
    PLAYED_REVISIONS,
    Illegal,
    NoDeck,
    Record,
    Recorded,
    Replay,
    Verified,
    wrong_decks,
)
from service.rules.state import Fairness, State
from service.rules.stream import COMMITMENT_BYTES, MATCH_ID_BYTES, SALT_BYTES, SEED_BYTES, commitment
from service.rules.view import tells_seed, view
from service.text.catalogue import catalogue_for
from service.wire import answers, messages
from service.wire.faults import Fault
from service.wire.rules_codec import REVISIONS, Revisions, recorded_rules

MAX_MOVES: Final = 20_000

Seal = Callable[[State], bytes]


def replay_match(
    request: pb.ReplayMatchRequest, call: Call, seal: Seal, revisions: Revisions = REVISIONS
) -> pb.ReplayMatchResponse:
    """Play a record again: verified, broken off at its first illegal move, or of rules that are not played here."""
    revision = request.rules.revision
    if not revision:
        raise messages.missing("rules.revision", "send the rules as they were pinned, with their revision.")
    if revision not in PLAYED_REVISIONS:
        diverged = pb.ReplayDiverged(recorded_revision=revision, service_revision=RULES_REVISION)
        return pb.ReplayMatchResponse(diverged=diverged)
    rules: Any = recorded_rules(request.rules, revisions)  # of any game
    game: Any = int(rules.game)
    call.note(game=game)
    record = _record(request, rules, call)
    try:
        with call.rules_time():
            replay = Replay(record)
    except ValueError as error:
        raise seats_fault(error) from None
    _require_match(request, replay)
    with call.rules_time():
        for _ in replay:
            call.check_deadline()
    outcome = replay.outcome
    match outcome:
        case NoDeck(move_index, number, decks):
            where = f"moves[{move_index}]" if move_index >= 0 else "decks"
            text = f"needs a deck for deal {number}, but the record has {decks}: send one for each deal."
            raise Fault(where, reasons_pb2.REASON_DECK_MISSING, text, number=number, decks=decks)
        case Illegal():
            return pb.ReplayMatchResponse(illegal=_illegal(outcome, rules, call))
        case Verified(state):
            return pb.ReplayMatchResponse(verified=_verified(state, rules, call, seal))
    raise AssertionError("revisions that diverge have been told already")


def _record(request: pb.ReplayMatchRequest, rules: Any, call: Call) -> Record:  # noqa: ANN401  # any game's rules
    players: int = rules.players
    fairness = _fairness(request, rules)
    request_id = read_request_id(request.request_id)
    seats = read_seats(request, players)
    return Record(rules, fairness, request_id, seats, _moves(request.moves, players, call))


def _moves(recorded: Sequence[pb.RecordedMove], players: int, call: Call) -> tuple[Recorded, ...]:
    if len(recorded) > MAX_MOVES:
        raise messages.too_many("moves", len(recorded), MAX_MOVES)
    moves = []
    for at, each in enumerate(recorded):
        call.check_deadline()
        seat = messages.read_seat(each.seat, players, f"moves[{at}].seat")
        moves.append(Recorded(seat, messages.read_move(each.move, f"moves[{at}].move")))
    return tuple(moves)


def _fairness(request: pb.ReplayMatchRequest, rules: Any) -> Fairness:  # noqa: ANN401  # any game's rules
    """Read where the deck came from. A seed without the salt of a commitment counts as given."""
    entropy = read_entropy(request.entropy, rules.players)
    salt = read_bytes(request.salt, SALT_BYTES, "salt") if request.salt else b""
    source = request.WhichOneof("deck")
    if source is None:
        raise messages.missing("seed", "send the seed, or the decks of the deals.")
    if source == "decks":
        for field in ("entropy", "salt", "commitment"):
            if getattr(request, field):
                raise _contradict(field, "does not go with decks: they come from no seed.")
        return of_decks(_decks(request.decks, rules))
    seed = read_bytes(request.seed, SEED_BYTES, "seed")
    if not salt:
        for field in ("entropy", "commitment"):
            if getattr(request, field):
                raise _contradict(field, "needs the salt of the commitment, which the match shows at its end.")
        return Fairness(seed, given=True)
    if request.commitment and read_bytes(request.commitment, COMMITMENT_BYTES, "commitment") != commitment(salt, seed):
        text = "is not of this seed and salt: they are another match's, or were changed."
        raise Fault("commitment", reasons_pb2.REASON_COMMITMENT_BROKEN, text)
    return Fairness(seed, entropy, salt)


def _contradict(field: str, text: str) -> Fault:
    return Fault(field, reasons_pb2.REASON_FIELDS_CONTRADICT, text)


def _decks(message: pb.Decks, rules: RuleSet) -> tuple[bytes, ...]:
    deals = message.deals
    if not deals:
        raise messages.missing("decks.deals", "send a deck for each deal.")
    if len(deals) > MAX_DECKS:
        raise messages.too_many("decks.deals", len(deals), MAX_DECKS)
    decks = tuple(messages.read_cards(deck.cards, f"decks.deals[{at}].cards") for at, deck in enumerate(deals))
    for number in wrong_decks(rules, decks):
        deck, whole = decks[number - 1], game_with(rules).deck(rules)
        card = next(card for card in range(JOKER + 1) if deck.count(card) != whole.count(card))
        text = (
            f"is not the deck of the rules: it has {texts((card,))} {deck.count(card)} times, not {whole.count(card)}."
        )
        raise Fault(f"decks.deals[{number - 1}]", reasons_pb2.REASON_DECK_WRONG, text, number=number)
    return decks


def _require_match(request: pb.ReplayMatchRequest, replay: Replay) -> None:
    """Make sure that the record is of the match that the caller names."""
    if not request.match_id or replay.began is None:
        return
    named = read_bytes(request.match_id, MATCH_ID_BYTES, "match_id")
    actual = replay.began.state.match.match_id
    if named != actual:
        text = "is not the match of this record: its seed, entropy or request id are another match's, or were changed."
        raise Fault("match_id", reasons_pb2.REASON_MATCH_ID_WRONG, text, match_id=named.hex(), actual=actual.hex())


def _illegal(outcome: Illegal, rules: RuleSet, call: Call) -> pb.ReplayIllegal:
    call.note(reasons=[reasons_pb2.Reason.ValueType(violation.reason) for violation in outcome.violations])
    violations = answers.violation_messages(
        outcome.violations, outcome.move_index, catalogue_for(call.languages), rules.game
    )
    return pb.ReplayIllegal(move_index=outcome.move_index, violations=violations)


def _verified(state: State, rules: RuleSet, call: Call, seal: Seal) -> pb.ReplayVerified:
    state = _vouched(state)
    phase: Any = int(state.phase)
    call.note(phase=phase)
    with call.rules_time():
        shown = view(state, SPECTATOR)
    return pb.ReplayVerified(
        state=b"" if state.match.fairness.decks else seal(state),
        view=answers.view_message(shown, rules, catalogue_for(call.languages), order=0),
        match_id=state.match.match_id,
    )


def _vouched(state: State) -> State:
    """Take the service's word for the seed out of a match that could be played on.

    A seed that was committed to is told when its match is played to its end. Whoever has one before, or after a
    resignation, made it himself, and could have chosen the deck.
    """
    if tells_seed(state):
        return state
    fairness = state.match.fairness._replace(given=True)
    return state._replace(match=state.match._replace(fairness=fairness))
