"""The list of legal moves of a seat, and the kinds that are open to it."""

from service.rules.moves import MoveKind
from service.rules.outcome import LegalMoves
from service.rules.rummy.judge import legal_discards, plain_moves
from service.rules.rummy.plays import groups, open_plays
from service.rules.state import Phase, State


def legal_moves(state: State, seat: int, most: int) -> LegalMoves:
    """List the legal moves of a seat, at most `most` single ones: plain, discards, then groups, each whole."""
    all_plain, all_discards = plain_moves(state, seat), legal_discards(state, seat)
    plain = tuple(all_plain[:most])
    discards = all_discards[: most - len(plain)]
    count = len(plain) + len(discards)
    truncated = count < len(all_plain) + len(all_discards)
    kept = []
    if not truncated and state.phase is Phase.PLAY and seat == state.seat:
        for group in groups(state, seat):
            if count == most:
                truncated = True
                break
            kept.append(group)
            count += 1
    return LegalMoves(plain, discards, tuple(kept), count, truncated)


def open_kinds(state: State, seat: int) -> tuple[MoveKind, ...]:
    """Kinds of move open to a seat."""
    kinds = plain_moves(state, seat)
    if state.phase is Phase.PLAY and seat == state.seat:
        kinds += open_plays(state, seat)
        if legal_discards(state, seat):
            kinds.append(MoveKind.DISCARD)
    return tuple(sorted(kinds))
