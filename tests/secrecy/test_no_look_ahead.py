"""No look-ahead (DESIGN §4): after a move that reveals, nothing of a call is asked of the rules, whatever it is."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from burraco.v1 import game_service_pb2 as pb
from service.rules import games
from service.rules.games import GAMES, game_of
from service.rules.moves import BACK_END_KINDS, DRAW_STOCK, RESIGN, Move, Plain
from service.rules.outcome import Applied
from service.rules.reasons import Reason
from service.rules.state import Phase, State
from tests.games.play import WITH_CARDS, tries
from tests.secrecy.asks import legal, wire
from tests.secrecy.positions import RULES, states_of
from tests.secrecy.test_swaps import seeded
from tests.support.desk import BACK_END, open_desk
from tests.support.known import reveals


class Asked(Counter[str]):
    """How often the rules were asked to judge and to play a move of each kind."""

    def count_in(self, patch: pytest.MonkeyPatch) -> None:
        def counting(name: str, function: Any) -> Any:  # noqa: ANN401  # a function of the game
            def counted(state: State, seat: int, move: Move) -> Any:  # noqa: ANN401  # its own
                self[name] += 1
                return function(state, seat, move)

            return counted

        counted = {
            name: replace(game, play=counting("play", game.play), judge=counting("judge", game.judge))
            for name, game in GAMES.items()
        }
        patch.setattr(games, "GAMES", counted)


@pytest.mark.parametrize("name", RULES)
def test_DESIGN_4_nothing_after_a_reveal_is_asked_of_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, seen = Asked(), Counter[str]()
    asked.count_in(monkeypatch)
    rng = seeded(name)
    with open_desk() as desk:
        for state in states_of(name):
            if state.phase is Phase.MATCH_OVER:
                continue
            seat, sealed = state.seat, desk.seal(state)
            plain = [Plain(kind) for kind in game_of(state).open_kinds(state, seat) if kind not in WITH_CARDS]
            for move in (*plain, *legal(state, seat, rng, 6)):
                outcome = game_of(state).play(state, seat, move)
                assert isinstance(outcome, Applied)
                shows = reveals(state, outcome.state, seat, frozenset((move.kind.name,)), seat)
                # The service may be more careful than the rule book, and never less.
                assert outcome.revealed or not shows, move
                if not outcome.revealed:
                    continue
                seen[move.kind.name] += 1
                for rpc, caller in (("CheckMoves", seat), ("CheckMoves", BACK_END), ("ApplyMoves", seat)):
                    for more in (*rng.sample(list(tries(state, seat, rng)), 3), RESIGN, DRAW_STOCK):
                        if more.kind in BACK_END_KINDS:
                            continue
                        asked.clear()
                        request = _request(rpc, sealed, seat, [move, more, more])
                        (violation,) = _refused(desk.ask(rpc, request, caller).answer, rpc)
                        assert (violation.reason, violation.move_index) == (Reason.MOVE_AFTER_REVEAL, 1)
                        assert not violation.cards
                        assert not violation.arguments
                        assert asked == {"play": 1}, "the rules were asked of what follows a reveal"
    assert seen["DRAW_STOCK"]


def _request(rpc: str, sealed: bytes, seat: int, moves: list[Move]) -> bytes:
    kind = pb.CheckMovesRequest if rpc == "CheckMoves" else pb.ApplyMovesRequest
    return kind(state=sealed, seat=seat, moves=wire(moves)).SerializeToString()


def _refused(answer: bytes, rpc: str) -> Any:  # noqa: ANN401  # violations
    if rpc == "CheckMoves":
        return pb.CheckMovesResponse.FromString(answer).violations
    return pb.ApplyMovesResponse.FromString(answer).rejected.violations
