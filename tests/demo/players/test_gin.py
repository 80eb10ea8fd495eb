"""What the demo's players of Gin choose."""

import pytest

from burraco import moves
from burraco.cards import cards
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveGroup, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.players.gin import choose
from tests.demo.positions import alone

UPCARD = LegalMoves(simple=[MoveKind.MOVE_KIND_TAKE_PILE, MoveKind.MOVE_KIND_PASS_UPCARD, MoveKind.MOVE_KIND_RESIGN])
START = LegalMoves(simple=[MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_TAKE_PILE, MoveKind.MOVE_KIND_RESIGN])
FORCED = LegalMoves(simple=[MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_RESIGN])
POOR = "AS 3S 5S 7S 9D JD KD 2H 4H 6C"


def chosen(view: View, discards: str, knocks: str = "") -> Move:
    """Choose after the draw."""
    groups = [MoveGroup(kind=MoveKind.MOVE_KIND_KNOCK, required=[one], count=1) for one in cards(knocks)]
    return choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_RESIGN], discards=cards(discards), groups=groups))


@pytest.mark.parametrize(
    ("hand", "pile", "legal", "move"),
    [
        (POOR, "QC", UPCARD, moves.pass_upcard()),
        (POOR, "10D", UPCARD, moves.take_pile()),
        (POOR, "QC", START, moves.draw()),
        (POOR, "10D", START, moves.take_pile()),
        (POOR, "10D", FORCED, moves.draw()),
        ("7S 8S 9S KD KH KC AS 3D 4D JC", "2H", START, moves.take_pile()),
    ],
)
def test_takes_what_it_needs(hand: str, pile: str, legal: LegalMoves, move: Move) -> None:
    """The top card is taken for a meld, or for a hand to knock with; else the up-card is passed, or the stock drawn."""
    if pile == "10D":
        hand = hand.replace("7S", "QD")
    assert choose(alone(hand, pile=pile), legal) == move


def test_discards_what_is_worth_least() -> None:
    """Of cards that go with nothing the dearest goes; those of a meld, or near one, are kept."""
    assert chosen(alone("7S 8S 9S KD QD JC 2C 5H 5D AS 9H"), "7S KD QD JC 2C 5H 5D AS 9H") == moves.discard("JC")


def test_knocks() -> None:
    """A knock is made with the discard that leaves least, while the stock is large; late only with little deadwood."""
    hand = "7S 8S 9S KD KH KC AS 3D 5D JC 10C"
    assert not chosen(alone(hand), "10C JC").HasField("knock")
    hand = "7S 8S 9S KD KH KC AS 3D 5D JC AH"
    assert chosen(alone(hand), "5D JC", "JC") == moves.knock("JC")
    assert chosen(alone(hand, stock=10), "5D JC", "JC") == moves.discard("JC")
    hand = "7S 8S 9S KD KH KC AS AD AC JC 10C"
    assert chosen(alone(hand, stock=10), "10C JC", "JC 10C").HasField("discard")
    hand = "7S 8S 9S KD KH KC AS AD AC JC AH"
    assert chosen(alone(hand, stock=10), "AH JC", "JC AH") == moves.knock("JC")
