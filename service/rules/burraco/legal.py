"""The list of legal moves of a seat."""

from service.rules.burraco.judge import legal_discards, plain_moves
from service.rules.burraco.plays import groups
from service.rules.outcome import LegalMoves
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
            if count + group.plays > most:
                truncated = True
                break
            kept.append(group)
            count += group.plays
    return LegalMoves(plain, discards, tuple(kept), count, truncated)
