"""What the demo's players choose."""

import pytest

from burraco import moves
from burraco.cards import card, cards
from burraco.v1.cards_pb2 import CardCount
from burraco.v1.melds_pb2 import Meld, MeldKind
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveGroup, MoveKind
from burraco.v1.views_pb2 import View
from service.demo.players.burraco import choose
from tests.demo.positions import CLEAN, SEQUENCE, SET, laid, position

START = LegalMoves(
    simple=[MoveKind.MOVE_KIND_DRAW_STOCK, MoveKind.MOVE_KIND_TAKE_PILE, MoveKind.MOVE_KIND_RESIGN], count=3
)
OTHER_HALF = "4D 6C 8H 10C QS"


def new(kind: MeldKind.ValueType, text: str, wilds: str = "") -> MoveGroup:
    """Make the group of one new meld."""
    return MoveGroup(
        kind=MoveKind.MOVE_KIND_MELD, meld_kind=kind, required=cards(text), wild_choices=cards(wilds), count=1
    )


def added(meld: Meld, text: str, wilds: str = "") -> MoveGroup:
    """Make the group of one lay-off."""
    return MoveGroup(
        kind=MoveKind.MOVE_KIND_LAY_OFF,
        meld_id=meld.meld_id,
        meld_kind=meld.kind,
        required=cards(text),
        wild_choices=cards(wilds),
        count=1,
    )


def chosen(view: View, *groups: MoveGroup, discards: str = "4D 6C") -> Move:
    """Choose after the draw."""
    return choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_RESIGN], discards=cards(discards), groups=groups))


@pytest.mark.parametrize(
    ("view", "move"),
    [
        (position(OTHER_HALF, pile="9S"), moves.draw()),
        (position("7S 8S QD", pile="9S"), moves.take_pile()),
        (position("7S 8S QD", pile="9S", stalemate_turns=1), moves.draw()),
        (position("7S 8S QD", pile="KD"), moves.draw()),
        (position("7S 8S QD", pile="JD KD"), moves.take_pile()),
        (position(OTHER_HALF, pile="9S AC 7D 3H"), moves.take_pile()),
        (position(OTHER_HALF, pile="9S AC 7D 3H", stock=5), moves.draw()),
        (position("KD", pile="10S", melds=[laid(1, 0, "7S 8S 9S")]), moves.take_pile()),
        (position("KD", pile="10S", melds=[laid(1, 1, "7S 8S 9S")]), moves.draw()),
    ],
)
def test_draw_or_take(view: View, move: Move) -> None:
    """The pile is taken for cards that can be melded at once, or early for many, and a lone card not twice."""
    assert choose(view, START) == move


def test_takes_what_is_open() -> None:
    """Where only one way to draw is legal, that one is taken."""
    view = position(OTHER_HALF)
    assert choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_TAKE_PILE])) == moves.take_pile()
    assert choose(view, LegalMoves(simple=[MoveKind.MOVE_KIND_DRAW_STOCK])) == moves.draw()


def test_prefers_the_longer_meld() -> None:
    """A longer clean sequence comes before a set that would break it."""
    view = position("7S 8S 9S 10S 7H 7D 4D 6C")
    groups = [new(SET, "7S 7H 7D"), new(SEQUENCE, "7S 8S 9S"), new(SEQUENCE, "7S 8S 9S 10S")]
    assert chosen(view, *groups) == moves.meld("7S 8S 9S 10S")


def test_keeps_its_wild() -> None:
    """A wild is not spent on a small meld early in the deal."""
    assert chosen(position("7S 8S JK 4D 6C QH KC"), new(SEQUENCE, "7S 8S", "JK")) == moves.discard("4D")


def test_spends_a_wild_late() -> None:
    """When the deal may end soon a wild goes to the table, where it counts for the side and not against it."""
    view = position("7S 8S JK 4D 6C QH", stock=4)
    assert chosen(view, new(SEQUENCE, "7S 8S", "JK")) == moves.meld("7S 8S JK")


def test_spends_the_wild_that_is_missed_least() -> None:
    """A two goes before a joker."""
    view = position("7S 8S JK 2H 4D 6C QH", stock=4)
    assert chosen(view, new(SEQUENCE, "7S 8S", "2H JK")) == moves.meld("7S 8S 2H")


def test_spends_a_wild_for_the_first_burraco() -> None:
    """After the pozzetto, six clean cards and a wild make a burraco to close with; a second is not worth a wild."""
    six = laid(1, 0, "3S 4S 5S 6S 7S 8S")
    seven = laid(2, 0, "3H 4H 5H 6H 7H 8H 9H", burraco=CLEAN)
    hand = "JK 4D 6C QH KC"
    first, second = (position(hand, melds=melds, taken_by=[2]) for melds in ([six], [six, seven]))
    assert chosen(first, added(six, "", "JK")) == moves.lay_off(1, "JK")
    assert chosen(second, added(six, "", "JK")).HasField("discard")


def test_spends_a_wild_to_close() -> None:
    """A wild that leaves one card to close with is well spent."""
    seven = laid(1, 0, "3H 4H 5H 6H 7H 8H 9H", burraco=CLEAN)
    view = position("7S 8S JK 4D", melds=[seven], taken_by=[0])
    assert chosen(view, new(SEQUENCE, "7S 8S", "JK")) == moves.meld("7S 8S JK")


def test_fills_a_group() -> None:
    """Of a group that leaves a choice, the most cards are laid."""
    group = MoveGroup(
        kind=MoveKind.MOVE_KIND_MELD,
        meld_kind=SET,
        optional=[CardCount(card=card(one), count=count) for one, count in (("KD", 2), ("KH", 1), ("KC", 1))],
        min_optional=3,
        max_optional=4,
    )
    assert chosen(position("KD KD KH KC 4D 6C"), group) == moves.meld("KH KD KD KC")


@pytest.mark.parametrize(
    ("view", "discards", "discarded"),
    [
        (position("7S 8S KD JK"), "7S 8S KD JK", "KD"),
        (position("9C 9D 4H"), "9C 9D 4H", "4H"),
        (position("4H QS", melds=[laid(1, 1, "9S 10S JS")]), "4H QS", "4H"),
        (position("4H QS", melds=[laid(1, 0, "9S 10S JS")]), "4H QS", "4H"),
        (position("4H QC"), "4H QC", "QC"),
        (position("JK 2S"), "2S JK", "2S"),
    ],
)
def test_discards_what_is_least_useful(view: View, discards: str, discarded: str) -> None:
    """A card that goes with others, that the opponents could use or that is wild is kept; else the dearest goes."""
    assert chosen(view, discards=discards) == moves.discard(discarded)


def test_never_resigns() -> None:
    """With nothing else to do, the one move that is left is made; never a resignation."""
    simple = [MoveKind.MOVE_KIND_RESIGN, MoveKind.MOVE_KIND_DECLARE_STALEMATE]
    assert choose(position(OTHER_HALF), LegalMoves(simple=simple, count=len(simple))) == moves.declare_stalemate()


def test_melds_when_nothing_may_be_discarded() -> None:
    """Where no discard is legal a meld is made, whatever it is worth."""
    view = position("7S 8S JK 4D 6C QH KC")
    assert chosen(view, new(SEQUENCE, "7S 8S", "JK"), discards="") == moves.meld("7S 8S JK")
