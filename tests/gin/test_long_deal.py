"""A deal of Gin ends however it is played."""

from service.rules.games import PRESETS, Played, SeatChoice, create_match, play_all
from service.rules.gin.finish import MOST_TURNS
from service.rules.moves import TAKE_PILE, Discard, Move
from service.rules.options import Preset
from service.rules.state import DealEnd, Fairness, Phase


def test_gi_12_two_who_only_swap_discards_end_in_a_void_deal() -> None:
    """Players who take each other's discard turn after turn never touch the stock; the deal is void after 200 turns."""
    state = create_match(PRESETS[Preset.GIN], Fairness(bytes(32), given=True), "", SeatChoice(dealer=1)).state
    turns = 0
    while state.phase is not Phase.DEAL_OVER:
        seat = state.seat
        top = state.discard[-1]
        card = next(card for card in state.hands[seat].faces() if card != top)
        moves: list[Move] = [TAKE_PILE, Discard(card)]
        played = play_all(state, seat, moves, look_ahead=True)
        assert isinstance(played, Played)
        state, turns = played.state, turns + 1
    assert turns == MOST_TURNS
    assert state.deal_end is DealEnd.VOID
