"""GameService: decode, ask the rules, encode. No rule of any game is decided here."""

import os
from collections.abc import Sequence
from typing import Any, Final

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, rules_pb2
from service.api.authority import require_back_end, require_own_match, require_seat
from service.api.call import Call
from service.api.errors import aborted
from service.api.fields import read_bytes, read_entropy, read_request_id, read_seats, seats_fault
from service.api.replay import replay_match
from service.api.seat_tokens import Issuer, revoke, timestamp
from service.api.table import count_table, explain
from service.api.translate import answers_faults
from service.rules import presets
from service.rules.book import SECTIONS
from service.rules.games import PRESETS, Played, RefusedBatch, create_match, game_of, game_with, play_all
from service.rules.moves import BACK_END_KINDS, Move
from service.rules.options import RuleSet
from service.rules.state import Fairness, Phase, State
from service.rules.stream import SALT_BYTES, SEED_BYTES, commitment
from service.rules.view import sheet, view
from service.text.catalogue import catalogue_for
from service.wire import answers, messages
from service.wire.event_messages import event_messages
from service.wire.faults import Fault
from service.wire.rules_codec import describe, effective_rules, rules_message
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import StateCodec, token_epochs

MAX_LISTED: Final = 100_000


class GameService:
    """The RPCs of GameService that are built. It keeps nothing between calls but its keys."""

    def __init__(self, sealer: Sealer, issuer: Issuer, codec: StateCodec | None = None) -> None:
        self._sealer = sealer
        self._issuer = issuer
        self._codec = codec or StateCodec()

    # --- a match --------------------------------------------------------------------------------------------------

    @answers_faults
    def commit_seed(self, _request: pb.CommitSeedRequest, call: Call) -> pb.CommitSeedResponse:
        """Draw a seed, and commit to it."""
        require_back_end(call.caller)
        seed, salt = os.urandom(SEED_BYTES), os.urandom(SALT_BYTES)
        sealed = self._sealer.seal(seed + salt, Format.SEED)
        return pb.CommitSeedResponse(sealed_seed=sealed, commitment=commitment(salt, seed))

    @answers_faults
    def create_match(self, request: pb.CreateMatchRequest, call: Call) -> pb.CreateMatchResponse:
        """Seat the players and deal."""
        require_back_end(call.caller)
        rules: Any = effective_rules(request.rules, new=self._codec.new_matches)  # of any game
        call.note(game=_game(rules))
        viewers = messages.read_viewers(request.viewers, rules.players) or range(rules.players)
        order = messages.read_hand_order(request.hand_order)
        request_id = read_request_id(request.request_id)
        expires = self._issuer.expiry(request.seat_token_seconds, "seat_token_seconds")
        fairness = self._fairness(request, rules.players)
        seats = read_seats(request, rules.players)
        try:
            with call.rules_time():
                created = create_match(rules, fairness, request_id, seats)
        except ValueError as error:
            raise seats_fault(error) from None
        state = created.state
        call.note(phase=_phase(state))
        return pb.CreateMatchResponse(
            state=self._seal_new(state),
            match_id=state.match.match_id,
            rules=rules_message(rules),
            updates=_updates(created, viewers, order, call),
            seat_tokens=self._issuer.issue_all(state, expires),
            seat_tokens_expire_time=timestamp(expires),
        )

    @answers_faults
    def issue_seat_token(self, request: pb.IssueSeatTokenRequest, call: Call) -> pb.IssueSeatTokenResponse:
        """Issue another token of a seat, and revoke those before where asked to."""
        require_back_end(call.caller)
        state, sealed = self._open(request.state, call), request.state
        seat = messages.read_seat(request.seat, len(state.match.players))
        expires = self._issuer.expiry(request.lifetime_seconds, "lifetime_seconds")
        if request.revoke:
            state = revoke(state, seat)
            sealed = self._seal(state)
        return pb.IssueSeatTokenResponse(
            seat_token=self._issuer.issue(state, seat, expires),
            state=sealed,
            revision=state.revision,
            expire_time=timestamp(expires),
        )

    @answers_faults
    def apply_moves(self, request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:
        """Apply moves of one seat, all or none."""
        if request.list_legal_moves:
            require_back_end(call.caller)
        state, moves = self._state_and_moves(request, call)
        viewers = messages.read_viewers(request.viewers, len(state.match.players)) or [request.seat]
        for viewer in viewers:
            require_seat(call.caller, viewer)
        order = messages.read_hand_order(request.hand_order)
        with call.rules_time():
            outcome = play_all(state, request.seat, moves, look_ahead=call.caller.is_back_end)
        if isinstance(outcome, RefusedBatch):
            return pb.ApplyMovesResponse(rejected=pb.Rejected(violations=_violations(outcome, state, call)))
        after = outcome.state
        accepted = pb.Accepted(
            state=self._seal(after),
            revision=after.revision,
            turn=None if after.over else after.seat,
            phase=_phase(after),
            updates=_updates(outcome, viewers, order, call),
        )
        if request.list_legal_moves and not after.over:
            with call.rules_time():
                legal = game_of(after).legal_moves(after, after.seat, MAX_LISTED)
            accepted.legal_moves.CopyFrom(answers.legal_message(legal))
        return pb.ApplyMovesResponse(accepted=accepted)

    @answers_faults
    def check_moves(self, request: pb.CheckMovesRequest, call: Call) -> pb.CheckMovesResponse:
        """Say whether moves would be accepted."""
        state, moves = self._state_and_moves(request, call)
        with call.rules_time():
            outcome = play_all(state, request.seat, moves, look_ahead=False)
        if isinstance(outcome, RefusedBatch):
            return pb.CheckMovesResponse(violations=_violations(outcome, state, call))
        return pb.CheckMovesResponse(legal=True)

    @answers_faults
    def list_legal_moves(self, request: pb.ListLegalMovesRequest, call: Call) -> pb.ListLegalMovesResponse:
        """List a seat's legal moves."""
        state = self._open(request.state, call)
        seat = messages.read_seat(request.seat, len(state.match.players))
        require_seat(call.caller, seat)
        if request.max_moves > MAX_LISTED:
            raise messages.out_of_range("max_moves", request.max_moves, 0, MAX_LISTED)
        with call.rules_time():
            legal = game_of(state).legal_moves(state, seat, request.max_moves or MAX_LISTED)
        call.check_deadline()
        return pb.ListLegalMovesResponse(legal_moves=answers.legal_message(legal), revision=state.revision)

    @answers_faults
    def get_view(self, request: pb.GetViewRequest, call: Call) -> pb.GetViewResponse:
        """Show what a viewer may know."""
        state = self._open(request.state, call)
        viewer = messages.read_viewer(request.viewer, len(state.match.players))
        require_seat(call.caller, viewer)
        order = messages.read_hand_order(request.hand_order)
        with call.rules_time():
            shown = view(state, viewer)
        message = answers.view_message(shown, state.rules, catalogue_for(call.languages), order)
        if request.include_rules:
            message.rules.CopyFrom(rules_message(state.rules))
        return pb.GetViewResponse(view=message)

    @answers_faults
    def replay_match(self, request: pb.ReplayMatchRequest, call: Call) -> pb.ReplayMatchResponse:
        """Play a recorded match again."""
        require_back_end(call.caller)
        return replay_match(request, call, self._seal_new, self._codec.revisions)

    # --- without a match ------------------------------------------------------------------------------------------

    @answers_faults
    def score_deal(self, request: pb.ScoreDealRequest, call: Call) -> pb.ScoreDealResponse:
        """Count a finished deal, or melds and hands alone."""
        catalogue = catalogue_for(call.languages)
        if not request.HasField("what"):
            raise messages.missing("state", "send a finished deal's state, or a table.")
        if request.HasField("table"):
            counted = count_table(request.table)
            result = answers.result_message(counted.result, counted.points) if counted.result else None
            return pb.ScoreDealResponse(
                score_sheet=answers.sheet_message(counted.sheet, catalogue, counted.game), result=result
            )
        require_back_end(call.caller)
        state = self._open(request.state, call)
        counted_sheet = sheet(state)
        if counted_sheet is None:
            text = "is of a deal that is not finished, or ended without a count: there is nothing to count."
            raise Fault("state", reasons_pb2.REASON_DEAL_UNFINISHED, text)
        result = answers.result_message(state.result, state.points) if state.result else None
        return pb.ScoreDealResponse(
            score_sheet=answers.sheet_message(counted_sheet, catalogue, state.match.rules.game), result=result
        )

    @answers_faults
    def explain_meld(self, request: pb.ExplainMeldRequest, call: Call) -> pb.ExplainMeldResponse:
        """Say what a selection of cards is, or why it is nothing."""
        rules = effective_rules(request.rules)
        call.note(game=_game(rules))
        readings, violations = explain(request, rules)
        call.note(reasons=[_reason(violation.reason) for violation in violations])
        return pb.ExplainMeldResponse(
            readings=[answers.meld_message(meld, rules) for meld in readings],
            violations=answers.violation_messages(violations, 0, catalogue_for(call.languages), rules.game),
        )

    @answers_faults
    def list_presets(self, _request: pb.ListPresetsRequest, _call: Call) -> pb.ListPresetsResponse:
        """List the presets, built or not."""
        described = []
        for preset, meaning in presets.MEANINGS.items():
            rules = PRESETS.get(preset)
            number: Any = preset
            game: Any = presets.GAME_OF[preset]
            described.append(
                pb.PresetDescription(
                    preset=number,
                    game=game,
                    meaning=meaning,
                    rules=rules_message(rules) if rules else None,
                    built=rules is not None,
                )
            )
        return pb.ListPresetsResponse(presets=described)

    @answers_faults
    def get_rules(self, request: pb.GetRulesRequest, call: Call) -> pb.GetRulesResponse:
        """Show effective rules, every option described."""
        rules = effective_rules(request.rules, new=self._codec.new_matches)
        call.note(game=_game(rules))
        options = [describe(option, rules) for option in game_with(rules).options]
        book = [
            rules_pb2.RuleDescription(rule_id=rule.rule_id, text=rule.text, sources=rule.sources, section=section.title)
            for section in SECTIONS[game_with(rules).name]
            for rule in section.rules
        ]
        return pb.GetRulesResponse(rules=rules_message(rules), options=options, book=book)

    # --- what they share ------------------------------------------------------------------------------------------

    def _open(self, sealed: bytes, call: Call) -> State:
        content = self._sealer.open(sealed, Format.STATE, "state")
        if not call.caller.is_back_end:
            # Before the audit: a seat of another match learns nothing of the state, not even what is wrong with it.
            require_own_match(call.caller, *token_epochs(content))
        state = self._codec.decode(content)
        call.note(game=_game(state.match.rules), phase=_phase(state))
        return state

    def _seal_new(self, state: State) -> bytes:
        """Seal a state that no replica has written yet."""
        return self._sealer.seal(self._codec.encode_new(state), Format.STATE)

    def _seal(self, state: State) -> bytes:
        return self._sealer.seal(self._codec.encode(state), Format.STATE)

    def _state_and_moves(
        self, request: pb.ApplyMovesRequest | pb.CheckMovesRequest, call: Call
    ) -> tuple[State, Sequence[Move]]:
        """Read what ApplyMoves and CheckMoves share, and refuse what no move could make right."""
        state = self._open(request.state, call)
        seat = messages.read_seat(request.seat, len(state.match.players))
        require_seat(call.caller, seat)
        moves = messages.read_moves(request.moves)
        if any(move.kind in BACK_END_KINDS for move in moves):
            require_back_end(call.caller)
        if request.HasField("expected_revision") and request.expected_revision != state.revision:
            raise aborted(
                reasons_pb2.REASON_REVISION_MISMATCH,
                f"expected_revision is {request.expected_revision}, the state's is {state.revision}: somebody moved in"
                " between, so load the newest state.",
                expected=request.expected_revision,
                actual=state.revision,
            )
        if state.phase is Phase.MATCH_OVER:
            raise Fault("state", reasons_pb2.REASON_MATCH_FINISHED, "is of a match that is over: create a new one.")
        return state, moves

    def _fairness(self, request: pb.CreateMatchRequest, players: int) -> Fairness:
        """Find where the deck comes from."""
        entropy = read_entropy(request.entropy, players)
        source = request.WhichOneof("seed_source")
        if entropy and source != "sealed_seed":
            text = "needs a committed seed: without one, players cannot know that theirs came after it."
            raise Fault("entropy", reasons_pb2.REASON_FIELDS_CONTRADICT, text)
        if source == "sealed_seed":
            opened = self._sealer.open(request.sealed_seed, Format.SEED, "sealed_seed")
            return Fairness(opened[:SEED_BYTES], entropy, salt=opened[SEED_BYTES:])
        if source == "given_seed":
            return Fairness(read_bytes(request.given_seed, SEED_BYTES, "given_seed"), given=True)
        return Fairness(os.urandom(SEED_BYTES))


def _updates(played: Played, viewers: Sequence[int], order: int, call: Call) -> list[pb.ViewerUpdate]:
    """Write what each viewer may know of what happened, and of what is."""
    state = played.state
    catalogue = catalogue_for(call.languages)
    updates = []
    for viewer in viewers:
        call.check_deadline()
        with call.rules_time():
            shown = view(state, viewer)
        updates.append(
            pb.ViewerUpdate(
                viewer=answers.viewer_message(viewer),
                match_id=state.match.match_id,
                events=event_messages(played.events, viewer, state.rules, catalogue),
                view=answers.view_message(shown, state.rules, catalogue, order),
            )
        )
    return updates


def _violations(refused: RefusedBatch, state: State, call: Call) -> list[reasons_pb2.Violation]:
    call.note(reasons=[_reason(violation.reason) for violation in refused.violations])
    catalogue, game = catalogue_for(call.languages), state.match.rules.game
    return answers.violation_messages(refused.violations, refused.move_index, catalogue, game)


def _reason(number: int) -> reasons_pb2.Reason.ValueType:
    return reasons_pb2.Reason.ValueType(number)


def _phase(state: State) -> Any:  # noqa: ANN401  # the contract's number of the phase
    return int(state.phase)


def _game(rules: RuleSet) -> Any:  # noqa: ANN401  # the contract's number of the game
    return int(rules.game)
