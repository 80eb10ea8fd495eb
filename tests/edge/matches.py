"""Matches that a deterministic player plays through any door of the service, and what each of their answers was."""

import hashlib
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import moves_pb2, rules_pb2
from service.server.adapter import GAME_SERVICE
from tests.api.client import choose, everyone
from tests.support.desk import open_desk

Ask = Callable[[str, Message], Any]
"""Calls an RPC by its name, and gives its answer."""
FOUR: Final = rules_pb2.RulesSelection(
    preset=rules_pb2.PRESET_ITALIAN, burraco=rules_pb2.BurracoRules(deals_per_match=1, target=0)
)
TWO: Final = rules_pb2.RulesSelection(preset=rules_pb2.PRESET_GIN, gin=rules_pb2.GinRules(target=50))
KINDS: Final = ((FOUR, 4), (TWO, 2))
"""Short matches, with their players: one deal of Burraco, and a few of Gin."""


class Played(NamedTuple):
    """A match from its creation to its result."""

    seed: int
    answers: tuple[bytes, ...]
    """A digest of each answer, in order."""
    result: bytes
    """The result in the last answer, never empty."""
    state: bytes
    """The final sealed state, whose hash chain is over every move."""


def play(ask: Ask, seed: int) -> Played:
    """Play the match of a seed to its end, everyone looking on, each move chosen by the seed from the answer before."""
    (rules, players), rng = KINDS[seed % len(KINDS)], Random(seed)
    viewers = everyone(players)
    request = pb.CreateMatchRequest(
        rules=rules, request_id=f"match-{seed}", given_seed=seed.to_bytes(32, "big"), viewers=viewers
    )
    created: pb.CreateMatchResponse = ask("CreateMatch", request)
    created.ClearField("seat_tokens")  # their expiry is by the clock
    created.ClearField("seat_tokens_expire_time")
    state, seat, view = created.state, created.updates[0].view.turn, created.updates[-1].view
    hand = created.updates[seat].view.seats[seat].hand
    answers: list[Message] = [created]
    legal: moves_pb2.LegalMoves | None = None
    while not view.HasField("result"):
        if legal is None:
            listed: pb.ListLegalMovesResponse = ask("ListLegalMoves", pb.ListLegalMovesRequest(state=state, seat=seat))
            answers.append(listed)
            legal = listed.legal_moves
        move = choose(legal, rng, hand)
        applied: pb.ApplyMovesResponse = ask(
            "ApplyMoves",
            pb.ApplyMovesRequest(state=state, seat=seat, moves=[move], viewers=viewers, list_legal_moves=True),
        )
        answers.append(applied)
        accepted = applied.accepted
        state, view, legal = accepted.state, accepted.updates[-1].view, None
        if accepted.HasField("turn"):
            seat, legal = accepted.turn, accepted.legal_moves
            hand = accepted.updates[seat].view.seats[seat].hand
    digests = tuple(hashlib.sha256(each.SerializeToString(deterministic=True)).digest() for each in answers)
    return Played(seed, digests, view.result.SerializeToString(deterministic=True), state)


@cache
def undisturbed(seed: int) -> Played:
    """The same match by the service without any socket, of whose kind nothing can be lost."""
    with open_desk() as desk:

        def ask(rpc: str, request: Message) -> Any:  # noqa: ANN401 - the answer of any RPC
            told = desk.ask(rpc, request.SerializeToString())
            assert told.code == "OK", told
            return GetMessageClass(GAME_SERVICE.methods_by_name[rpc].output_type).FromString(told.answer)

        return play(ask, seed)
