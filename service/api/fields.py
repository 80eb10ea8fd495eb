"""Fields that several requests share: entropy, the request id, how seats are found."""

from collections.abc import Sequence
from typing import Final

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2
from service.rules.games import SeatChoice
from service.rules.stream import MAX_ENTROPY_BYTES, MAX_REQUEST_ID_BYTES
from service.wire import messages
from service.wire.faults import Fault

MAX_ENTROPY: Final = 6


def read_entropy(entries: Sequence[bytes], players: int) -> tuple[bytes, ...]:
    """Read what the players added to the seed, in their order."""
    if len(entries) > min(MAX_ENTROPY, players):
        raise messages.too_many("entropy", len(entries), min(MAX_ENTROPY, players))
    for at, entry in enumerate(entries):
        if not 1 <= len(entry) <= MAX_ENTROPY_BYTES:
            raise messages.out_of_range(f"entropy[{at}]", len(entry), 1, MAX_ENTROPY_BYTES, messages.LENGTH)
    return tuple(entries)


def read_request_id(request_id: str) -> str:
    """Read the request id of a match."""
    size = len(request_id.encode())
    if size > MAX_REQUEST_ID_BYTES:
        text = f"has {size} bytes, at most {MAX_REQUEST_ID_BYTES} are taken."
        raise Fault("request_id", reasons_pb2.REASON_TOO_MANY_ITEMS, text, count=size, max=MAX_REQUEST_ID_BYTES)
    return request_id


def read_bytes(value: bytes, size: int, field: str) -> bytes:
    """Read bytes of one length."""
    if len(value) != size:
        raise messages.out_of_range(field, len(value), size, size, messages.LENGTH)
    return value


def read_seats(request: pb.CreateMatchRequest | pb.ReplayMatchRequest, players: int) -> SeatChoice:
    """Read how seats and first dealer are found."""
    if request.HasField("drawn_seats"):
        return SeatChoice(drawn=True)
    if request.given_seats.HasField("dealer"):
        return SeatChoice(dealer=messages.read_seat(request.given_seats.dealer, players, "given_seats.dealer"))
    return SeatChoice()


def seats_fault(error: ValueError) -> Fault:
    """Say that seats cannot be drawn under these rules."""
    return Fault("drawn_seats", reasons_pb2.REASON_FIELDS_CONTRADICT, f"does not go with the rules: {error}.")
