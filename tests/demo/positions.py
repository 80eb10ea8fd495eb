"""Views written by hand, for players and displays."""

from collections.abc import Iterable

from burraco.cards import card, cards
from burraco.moves import NO_CARD
from burraco.v1.cards_pb2 import Viewer
from burraco.v1.melds_pb2 import BurracoKind, Meld, MeldKind
from burraco.v1.views_pb2 import Phase, SeatView, SideView, View

SEQUENCE, SET = MeldKind.MELD_KIND_SEQUENCE, MeldKind.MELD_KIND_SET
CLEAN, DIRTY = BurracoKind.BURRACO_KIND_CLEAN, BurracoKind.BURRACO_KIND_DIRTY


def laid(
    meld_id: int,
    side: int,
    text: str,
    kind: MeldKind.ValueType = SEQUENCE,
    wild_index: int | None = None,
    burraco: BurracoKind.ValueType = BurracoKind.BURRACO_KIND_UNSPECIFIED,
    wild_as: str = "",
) -> Meld:
    """Make a meld on the table."""
    stands_for = card(wild_as) if wild_as else NO_CARD
    return Meld(
        meld_id=meld_id,
        side=side,
        cards=cards(text),
        kind=kind,
        wild_index=wild_index,
        wild_as=stands_for,
        burraco=burraco,
    )


def position(
    hand: str,
    *,
    melds: Iterable[Meld] = (),
    pile: str = "KD",
    stock: int = 30,
    taken_by: Iterable[int] = (),
    hand_counts: Iterable[int] = (11, 11, 11),
    stalemate_turns: int = 0,
) -> View:
    """Make the view of seat 0, whose partner is seat 2. `taken_by` are the seats that took their pozzetto."""
    others = iter(hand_counts)
    taken = {seat % 2: seat for seat in taken_by}
    return View(
        viewer=Viewer(seat=0),
        turn=0,
        deal_number=1,
        seats=[
            SeatView(seat=0, side=0, hand_count=len(cards(hand)), hand=cards(hand)),
            *(SeatView(seat=seat, side=seat % 2, hand_count=next(others), player=seat) for seat in (1, 2, 3)),
        ],
        sides=[SideView(side=side, pozzetto_taken_by=taken.get(side)) for side in (0, 1)],
        melds=melds,
        stock_count=stock,
        discard_count=len(cards(pile)),
        discard=cards(pile),
        pozzetti_left=2 - len(taken),
        stalemate_turns=stalemate_turns,
    )


def alone(
    hand: str, *, melds: Iterable[Meld] = (), pile: str = "KD", stock: int = 30, players: int = 2, drawn: str = ""
) -> View:
    """Make the view of seat 0 in a game where each plays for himself."""
    return View(
        viewer=Viewer(seat=0),
        phase=Phase.PHASE_PLAY,
        turn=0,
        deal_number=1,
        seats=[
            SeatView(seat=0, side=0, hand_count=len(cards(hand)), hand=cards(hand)),
            *(SeatView(seat=seat, side=seat, player=seat, hand_count=7) for seat in range(1, players)),
        ],
        sides=[SideView(side=side) for side in range(players)],
        melds=melds,
        stock_count=stock,
        discard_count=len(cards(pile)),
        discard=cards(pile),
        drawn=card(drawn) if drawn else NO_CARD,
        knock_limit=10,
    )
