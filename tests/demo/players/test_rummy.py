"""What the demo's players of Ramino and Scala 40 choose."""

import pytest

from burraco import moves
from burraco.cards import card, cards
from burraco.v1.cards_pb2 import CardCount
from burraco.v1.melds_pb2 import Meld, MeldKind
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveGroup, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.players.rummy import RAMINO, SCALA_40, RummySeat
from tests.demo.positions import SEQUENCE, SET, alone, laid

START = LegalMoves(simple=[MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_TAKE_PILE, MoveKind.MOVE_KIND_RESIGN])


def new(text: str, wilds: str = "", kind: MeldKind.ValueType = SEQUENCE) -> MoveGroup:
    """Make the group of one new meld."""
    return MoveGroup(
        kind=MoveKind.MOVE_KIND_MELD, meld_kind=kind, required=cards(text), wild_choices=cards(wilds), count=1
    )


def added(meld_id: int, text: str, *, replaces: bool = False) -> MoveGroup:
    """Make the group of one lay-off, or of one joker recovered."""
    kind = MoveKind.MOVE_KIND_REPLACE_WILD if replaces else MoveKind.MOVE_KIND_LAY_OFF
    return MoveGroup(kind=kind, meld_id=meld_id, required=cards(text), count=1)


def chosen(view: View, *groups: MoveGroup, discards: str = "4D", seat: RummySeat = RAMINO) -> Move:
    """Choose after the draw."""
    return seat.choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_RESIGN], discards=cards(discards), groups=groups))


OTHERS, OWN = laid(1, 1, "5S 6S 7S"), laid(2, 0, "KS KH KD", SET)


@pytest.mark.parametrize(
    ("seat", "view", "move"),
    [
        (RAMINO, alone("4D 6C 8H", pile="9S"), moves.draw()),
        (RAMINO, alone("9D 9C 8H", pile="9S"), moves.take_pile()),
        (RAMINO, alone("4D 6C 8H JC", pile="8S", melds=[OTHERS]), moves.take_pile()),
        (SCALA_40, alone("4D 6C 8H JC", pile="8S", melds=[OTHERS]), moves.draw()),
        (SCALA_40, alone("4D 6C 8H JC", pile="8S", melds=[OTHERS, OWN]), moves.take_pile()),
        (SCALA_40, alone("4D 6C 8H", pile="JK"), moves.take_pile()),
        (SCALA_40, alone("9D 9C 8H", pile="9C"), moves.draw()),
    ],
)
def test_takes_what_it_can_lay(seat: RummySeat, view: View, move: Move) -> None:
    """The top card is taken for a meld, or to be laid off at once by who may; else the stock is drawn."""
    assert seat.choose(view, START) == move


def test_takes_what_is_open() -> None:
    """Where only one way to draw is legal, that one is taken."""
    view = alone("4D 6C 8H", pile="9S")
    assert RAMINO.choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_TAKE_PILE])) == moves.take_pile()
    assert RAMINO.choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_DRAW_STOCK])) == moves.draw()


def test_lays_the_melds_that_leave_least() -> None:
    """A meld that breaks up two others stays in hand, even where it is the dearest."""
    groups = [new("8S 8H 8D", kind=SET), new("7S 8S 9S"), new("8H 9H 10H"), new("6D 7D 8D")]
    view = alone("7S 8S 9S 8H 9H 10H 6D 7D 8D 2C")
    laid_down = [chosen(view, *groups)]
    left = [group for group in groups if cards("8H 9H 10H") != group.required]
    laid_down.append(chosen(alone("7S 8S 9S 6D 7D 8D 2C"), *left[1:]))
    assert laid_down == [moves.meld("8H 9H 10H"), moves.meld("7S 8S 9S")]


def test_fills_a_set() -> None:
    """Of a group that leaves a choice, the cards are laid that leave least in hand."""
    optional = [CardCount(card=card(one), count=1) for one in ("KS", "KH", "KD", "KC")]
    group = MoveGroup(
        kind=MoveKind.MOVE_KIND_MELD, meld_kind=SET, optional=optional, min_optional=3, max_optional=4, count=5
    )
    assert chosen(alone("KS KH KD KC 4D"), group) == moves.meld("KS KH KD KC")


def test_what_comes_first() -> None:
    """A joker is recovered before a meld is laid, melds are laid before cards are added, and the dearest card first."""
    view = alone("7S 8S 9S 6H QC 4D")
    groups = [new("7S 8S 9S"), added(1, "6H"), added(2, "QC"), added(3, "6H", replaces=True)]
    assert chosen(view, *groups, seat=SCALA_40) == moves.replace_wild(3, "6H")
    assert chosen(view, *groups[:3], seat=SCALA_40) == moves.meld("7S 8S 9S")
    assert chosen(view, *groups[1:3], seat=SCALA_40) == moves.lay_off(2, "QC")


def test_lays_a_joker() -> None:
    """A joker is dear in hand, so it goes into a meld."""
    assert chosen(alone("7S 8S JK 4D"), new("7S 8S", "JK"), seat=SCALA_40) == moves.meld("7S 8S JK")


def test_keeps_enough_to_make_a_meld_of() -> None:
    """With few cards left none is added while hardly one fits the table, unless that leads to closing."""
    full, run = laid(1, 1, "KS KH KD KC", SET), laid(2, 1, "5S 6S 7S")
    few, many = [full, laid(3, 1, "AS 2S 3S")], [full, run, laid(3, 1, "8H 9H 10H")]
    last = added(3, "4S")

    def choice(hand: str, melds: list[Meld], *, drawn: str = "4D", discards: str = "4D") -> Move:
        return chosen(alone(hand, melds=melds, drawn=drawn), last, discards=discards)

    assert choice("4S 4D 9C", few) == moves.discard("4D")
    assert choice("4S 4D 9C JH", few, discards="JH") == moves.discard("JH")
    assert choice("4S 4D 9C JH QC", few) == moves.lay_off(3, "4S")
    assert choice("4S 4D", few) == moves.lay_off(3, "4S")
    assert choice("4S 4D 9C", many) == moves.lay_off(3, "4S")
    assert choice("4S 4D 9C", few, discards="") == moves.lay_off(3, "4S")
    assert choice("4S 4D 9C", few, drawn="") == moves.lay_off(3, "4S")


def test_does_not_take_what_it_would_not_lay() -> None:
    """A card that would be held on to is not taken from the pile: it would go back there, and round and round."""
    melds = [laid(1, 1, "KS KH KD KC", SET), laid(2, 1, "AS 2S 3S")]
    assert RAMINO.choose(alone("4D 9C", melds=melds, pile="4S"), START) == moves.draw()
    assert RAMINO.choose(alone("4D 9C JH QC", melds=melds, pile="4S"), START) == moves.take_pile()


@pytest.mark.parametrize(
    ("hand", "discarded"), [("QD QC 4H", "4H"), ("2D JC 4H", "JC"), ("8S JC 7H", "JC"), ("8S 6D", "6D")]
)
def test_discards_what_is_worth_least(hand: str, discarded: str) -> None:
    """Cards are kept that go together; then the dearest goes, though not gladly onto a meld on the table."""
    assert chosen(alone(hand, melds=[OTHERS]), discards=hand) == moves.discard(discarded)
