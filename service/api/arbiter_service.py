"""ArbiterService: opens sealed states and seals open ones, for back ends and their tools. No rule is decided here."""

from typing import Any

from burraco.v1 import arbiter_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.api.authority import require_back_end
from service.api.call import Call
from service.api.translate import answers_faults
from service.rules.audit import audit
from service.rules.defects import StateDefect
from service.rules.state import State
from service.wire import messages
from service.wire.open_reader import read_open
from service.wire.open_state import defect_messages, in_order, open_message
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import StateCodec, version_of


class ArbiterService:
    """The RPCs of ArbiterService. It keeps nothing between calls but its keys."""

    def __init__(self, sealer: Sealer, codec: StateCodec | None = None) -> None:
        self._sealer = sealer
        self._codec = codec or StateCodec()

    @answers_faults
    def inspect_state(self, request: pb.InspectStateRequest, call: Call) -> pb.InspectStateResponse:
        """Open a sealed state, whether it holds together or not."""
        require_back_end(call.caller)
        stored = self._sealer.open(request.state, Format.STATE, "state")
        state = self._codec.read_any(stored)
        _note(state, call)
        with call.rules_time():
            defects = in_order(audit(state))
        _tell(defects, call)
        return pb.InspectStateResponse(
            game_state=open_message(state), state_version=version_of(stored), defects=defect_messages(defects)
        )

    @answers_faults
    def import_state(self, request: pb.ImportStateRequest, call: Call) -> pb.ImportStateResponse:
        """Seal an open state, or tell everything that is wrong with it."""
        require_back_end(call.caller)
        if not request.HasField("game_state"):
            raise messages.missing("game_state", "send the state to be sealed.")
        with call.rules_time():
            opened = read_open(request.game_state, self._codec.revisions)
        call.check_deadline()
        _tell(opened.defects, call)
        if opened.state is None:
            return pb.ImportStateResponse(defects=defect_messages(opened.defects))
        _note(opened.state, call)
        return pb.ImportStateResponse(
            state=self._sealer.seal(self._codec.encode_new(opened.state, "game_state.rules"), Format.STATE)
        )


def _note(state: State, call: Call) -> None:
    game: Any = int(state.match.rules.game)
    phase: Any = int(state.phase)
    call.note(game=game, phase=phase)


def _tell(defects: list[StateDefect], call: Call) -> None:
    """Let the log say which kinds of defect there were, each once."""
    reasons = sorted({found.reason for found in defects})
    call.note(reasons=[reasons_pb2.Reason.ValueType(reason) for reason in reasons])
