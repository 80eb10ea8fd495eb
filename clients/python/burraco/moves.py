"""Moves: one constructor each, and every single move of a list of legal ones."""

from collections.abc import Iterable, Iterator, Sequence

from burraco.cards import Cards, CardValue, card, cards, text
from burraco.v1 import moves_pb2
from burraco.v1.cards_pb2 import Card, CardCount, CardGroup
from burraco.v1.melds_pb2 import MeldKind, MeldReading
from burraco.v1.moves_pb2 import LegalMoves, Move, MoveGroup, MoveKind

NO_CARD = Card.CARD_UNSPECIFIED


def draw() -> Move:
    """Draw the top card of the stock."""
    return Move(draw_stock=moves_pb2.DrawStock())


def take_pile() -> Move:
    """Take the discard pile."""
    return Move(take_pile=moves_pb2.TakePile())


def meld(
    selection: Cards, *, kind: MeldKind.ValueType = MeldKind.MELD_KIND_UNSPECIFIED, wild_as: str | CardValue = NO_CARD
) -> Move:
    """Lay a new meld; `kind` and `wild_as` name a reading, where the rules leave a choice."""
    laid = moves_pb2.LayMeld(cards=cards(selection))
    reading = MeldReading(kind=kind, wild_as=_one(wild_as))
    if reading != MeldReading():
        laid.reading.CopyFrom(reading)
    return Move(meld=laid)


def lay_off(meld_id: int, selection: Cards, *, wild_as: str | CardValue = NO_CARD) -> Move:
    """Add cards to a meld on the table, all together."""
    return Move(lay_off=moves_pb2.LayOff(meld_id=meld_id, cards=cards(selection), wild_as=_one(wild_as)))


def discard(one: str | CardValue) -> Move:
    """Discard a card, which ends the turn."""
    return Move(discard=moves_pb2.Discard(card=_one(one)))


def replace_wild(meld_id: int, one: str | CardValue) -> Move:
    """Put a card in the place of a meld's joker, and take the joker. Not a move of Burraco."""
    return Move(replace_wild=moves_pb2.ReplaceWild(meld_id=meld_id, card=_one(one)))


def knock(one: str | CardValue = NO_CARD, melds: Iterable[Cards] = ()) -> Move:
    """Knock with a discard, or without one for big gin. A move of Gin only."""
    return Move(knock=moves_pb2.Knock(discard=_one(one), melds=[CardGroup(cards=cards(group)) for group in melds]))


def pass_upcard() -> Move:
    """Pass the first up-card. A move of Gin only."""
    return Move(pass_upcard=moves_pb2.PassUpcard())


def declare_stalemate() -> Move:
    """End the deal because a one-card pile goes round."""
    return Move(declare_stalemate=moves_pb2.DeclareStalemate())


def next_deal() -> Move:
    """Deal again after a deal has been counted."""
    return Move(next_deal=moves_pb2.NextDeal())


def resign() -> Move:
    """Give up the match."""
    return Move(resign=moves_pb2.Resign())


def time_out_turn() -> Move:
    """Complete an absent player's turn; for back ends only."""
    return Move(time_out_turn=moves_pb2.TimeOutTurn())


def call_time() -> Move:
    """Say that the tournament clock has run out; for back ends only."""
    return Move(call_time=moves_pb2.CallTime())


SIMPLE = {
    MoveKind.MOVE_KIND_DRAW_STOCK: draw,
    MoveKind.MOVE_KIND_TAKE_PILE: take_pile,
    MoveKind.MOVE_KIND_PASS_UPCARD: pass_upcard,
    MoveKind.MOVE_KIND_DECLARE_STALEMATE: declare_stalemate,
    MoveKind.MOVE_KIND_NEXT_DEAL: next_deal,
    MoveKind.MOVE_KIND_RESIGN: resign,
    MoveKind.MOVE_KIND_TIME_OUT_TURN: time_out_turn,
    MoveKind.MOVE_KIND_CALL_TIME: call_time,
}
"""The moves without arguments, by kind."""


def expand(legal: LegalMoves) -> Iterator[Move]:
    """Go through every single move that the list stands for, each once: `legal.count` in all."""
    for kind in legal.simple:
        yield SIMPLE[kind]()
    yield from map(discard, legal.discards)
    for group in legal.groups:
        yield from expand_group(group)


def expand_group(group: MoveGroup) -> Iterator[Move]:
    """Go through every single move of a group: `group.count` in all."""
    wilds = [[one] for one in group.wild_choices] or [[]]
    for size in range(group.min_optional, group.max_optional + 1):
        for chosen in _choices(group.optional, size):
            for wild in wilds:
                yield of_group(group, [*group.required, *chosen, *wild])


def of_group(group: MoveGroup, selection: Sequence[CardValue]) -> Move:
    """Make the move of a group that has these cards."""
    match group.kind:
        case MoveKind.MOVE_KIND_MELD:
            return meld(selection)
        case MoveKind.MOVE_KIND_LAY_OFF:
            return lay_off(group.meld_id, selection)
        case MoveKind.MOVE_KIND_REPLACE_WILD:
            return replace_wild(group.meld_id, selection[0])
        case MoveKind.MOVE_KIND_KNOCK:
            return knock(selection[0]) if selection else knock()
        case _:
            raise ValueError(f"no move of a group has the kind {group.kind}: this client is older than the service")


def describe(move: Move) -> str:
    """Say a move in a few words, for logs: `lay off 10S on meld 2`."""
    kind = move.WhichOneof("kind")
    match kind:
        case None:
            return "no move"
        case "meld":
            return f"meld {text(move.meld.cards)}"
        case "lay_off":
            return f"lay off {text(move.lay_off.cards)} on meld {move.lay_off.meld_id}"
        case "discard":
            return f"discard {text(move.discard.card)}"
        case "replace_wild":
            return f"replace the wild of meld {move.replace_wild.meld_id} by {text(move.replace_wild.card)}"
        case "knock":
            return f"knock with {text(move.knock.discard)}" if move.knock.discard else "knock"
        case _:
            return kind.replace("_", " ")


def _one(one: str | CardValue) -> CardValue:
    return card(one) if isinstance(one, str) else one


def _choices(optional: Sequence[CardCount], size: int) -> Iterator[tuple[CardValue, ...]]:
    """Choose `size` cards; a face at most as often as it is there, order meaning nothing."""
    if size == 0:
        yield ()
        return
    if not optional:
        return
    first, rest = optional[0], optional[1:]
    for copies in range(min(first.count, size), -1, -1):
        for others in _choices(rest, size - copies):
            yield (first.card,) * copies + others
