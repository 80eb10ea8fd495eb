"""The rules alone: what checking and applying a move costs, listing moves, a whole deal."""

from collections.abc import Callable

from bench.games import Recorded, record
from bench.timing import best_microseconds, row
from service.rules.burraco.judge import judge
from service.rules.burraco.legal import legal_moves
from service.rules.burraco.play import play
from service.rules.state import Phase, State
from service.rules.view import view
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import decode_state, encode_state

DEALS = 6


def each(recorded: list[Recorded], work: Callable[[Recorded], object]) -> float:
    """CPU microseconds of the work on one recorded move, on average."""

    def all_of_them() -> None:
        for one in recorded:
            work(one)

    return best_microseconds(all_of_them, 1) / len(recorded)


def main() -> None:
    """Print the table; the base is check + apply of one move."""
    recorded = record(DEALS)
    base = each(recorded, lambda one: play(one.state, one.seat, one.move))
    print(f"rules alone, {len(recorded)} recorded moves of {DEALS} random deals; base: check and apply one move")
    print(row("check and apply one move", base, base))
    print(row("check alone", each(recorded, lambda one: judge(one.state, one.seat, one.move)), base))
    print(row("list the legal moves", each(recorded, lambda one: legal_moves(one.state, one.seat, 10**6)), base))
    print(row("list and apply (one step of random play)", each(recorded, _step), base))
    print(row("view of one seat", each(recorded, lambda one: view(one.state, one.seat)), base))
    hoarded = record(DEALS, melding=0.02)
    for size in (11, 12, 20, 30, 40):
        found = [one for one in hoarded if one.state.phase is Phase.PLAY and abs(_hand(one.state) - size) < 2][:50]
        if found:
            listed = each(found, lambda one: legal_moves(one.state, one.seat, 10**6))
            print(row(f"list the legal moves, hand of about {size} cards ({len(found)} positions)", listed, base))
    stored = {id(one.state): encode_state(one.state) for one in recorded}
    print(row("write the stored state", each(recorded, lambda one: encode_state(one.state)), base))
    print(
        row(
            "read the stored state, with its audit",
            each(recorded, lambda one: decode_state(stored[id(one.state)])),
            base,
        )
    )
    sealer = Sealer(bytes(32))
    sealed = {key: sealer.seal(value, Format.STATE) for key, value in stored.items()}
    print(row("seal", each(recorded, lambda one: sealer.seal(stored[id(one.state)], Format.STATE)), base))
    print(
        row(
            "open the seal", each(recorded, lambda one: sealer.open(sealed[id(one.state)], Format.STATE, "state")), base
        )
    )


def _hand(state: State) -> int:
    return state.hands[state.seat].size


def _step(one: Recorded) -> None:
    legal_moves(one.state, one.seat, 10**6)
    play(one.state, one.seat, one.move)


if __name__ == "__main__":
    main()
