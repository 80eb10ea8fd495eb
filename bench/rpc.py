"""ApplyMoves over the wire against an echo of the same bytes on the same transport: server CPU a call, as a ratio."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from bench.games import record
from bench.timing import ROUNDS, best_microseconds
from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import moves_pb2
from service.api.authority import BACK_END
from service.api.call import Call
from service.api.game_service import GameService
from service.api.seat_tokens import Issuer
from service.rules.moves import MoveKind
from service.wire.sealing import Format, Sealer
from service.wire.state_codec import encode_state
from service.wire.tokens import TokenKeys

CALLS = 1500
METHOD = "/bench.Bench/Call"


def requests(sealer: Sealer) -> list[bytes]:
    """Draws and discards of recorded play, as requests."""
    found = []
    for one in record(deals=2):
        if one.move.kind is MoveKind.DRAW_STOCK:
            move = moves_pb2.Move(draw_stock=moves_pb2.DrawStock())
        elif one.move.kind is MoveKind.DISCARD:
            card = moves_pb2.Discard()
            card.card = one.move.card  # type: ignore[union-attr, assignment]  # a discard has a card
            move = moves_pb2.Move(discard=card)
        else:
            continue
        state = sealer.seal(encode_state(one.state), Format.STATE)
        found.append(pb.ApplyMovesRequest(state=state, seat=one.seat, moves=[move]).SerializeToString())
    return found[:CALLS]


def cpu_a_call(handler: Callable[[bytes], bytes], payloads: list[bytes]) -> float:
    """CPU microseconds of client and server together, a call, the best of several rounds."""

    class Handlers(grpc.GenericRpcHandler):
        def service(self, _details: grpc.HandlerCallDetails) -> Any:  # noqa: ANN401  # generic in its stubs alone
            return grpc.unary_unary_rpc_method_handler(lambda payload, _context: handler(payload))

    server = grpc.server(ThreadPoolExecutor(4), handlers=[Handlers()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    best = float("inf")
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.unary_unary(METHOD)
        for _ in range(ROUNDS):
            started = time.process_time_ns()
            for payload in payloads:
                call(payload)
            best = min(best, (time.process_time_ns() - started) / len(payloads) / 1000)
    server.stop(None)
    return best


def main() -> None:
    """Print CPU a call of the echo and of ApplyMoves, and their ratio."""
    sealer = Sealer(bytes(32))
    service, payloads = GameService(sealer, Issuer(TokenKeys(bytes(32)))), requests(sealer)

    def apply(payload: bytes) -> bytes:
        return service.apply_moves(pb.ApplyMovesRequest.FromString(payload), Call(BACK_END)).SerializeToString()

    written = {payload: apply(payload) for payload in payloads}
    alone = best_microseconds(lambda: [apply(payload) for payload in payloads], 1) / len(payloads)
    echo = cpu_a_call(written.__getitem__, payloads)
    real = cpu_a_call(apply, payloads)
    print(f"ApplyMoves over the wire, {len(payloads)} calls; CPU of client and server, best of {ROUNDS} rounds")
    print(f"echo of the same bytes: {echo:.0f} us a call; ApplyMoves: {real:.0f} us, {real / echo:.2f} x the echo")
    print(f"ApplyMoves without transport: {alone:.0f} us")


if __name__ == "__main__":
    main()
