"""Moves: one constructor each, and every single move of a list of legal ones."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from burraco.cards import KNOWN, Cards, CardValue, card, cards, text
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
    """Deal again once a deal is over."""
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


_FEWEST_AND_MOST = {MoveKind.MOVE_KIND_REPLACE_WILD: (1, 1), MoveKind.MOVE_KIND_KNOCK: (0, 1)}
"""How many cards a move of a group has, where the kind says so."""
_GROUPED = {MoveKind.MOVE_KIND_MELD, MoveKind.MOVE_KIND_LAY_OFF, *_FEWEST_AND_MOST}


def expand(legal: LegalMoves) -> Iterator[Move]:
    """Go through every single move that the list stands for, each once: `legal.count` in all.

    :raises ValueError: at once, where something in the list is unknown to this client: it is older than the service.
    """
    for kind in legal.simple:
        if kind not in SIMPLE:
            raise _unknown(f"no move without arguments has the kind {kind}")
    groups = [expand_group(group) for group in legal.groups]
    known = len(legal.simple) + len(legal.discards) + sum(group.count for group in legal.groups)
    if known != legal.count:
        raise _unknown(f"the list has {legal.count} moves, and {known} of a kind that is known")
    return chain((SIMPLE[kind]() for kind in legal.simple), map(discard, legal.discards), *groups)


def expand_group(group: MoveGroup) -> Iterator[Move]:
    """Go through every single move of a group: `group.count` in all. :raises ValueError: as `expand` does."""
    _see_that_it_is_known(group)
    return (of_group(group, selection) for selection in _selections(group))


def of_group(group: MoveGroup, selection: Sequence[CardValue]) -> Move:
    """Make the move of a group that has these cards.

    :raises ValueError: there is no move of this kind, or none with so many cards.
    """
    fewest, most = _FEWEST_AND_MOST.get(group.kind, (0, len(selection)))
    if not fewest <= len(selection) <= most:
        raise ValueError(f"a move of the kind {group.kind} has {fewest} to {most} cards, not {len(selection)}")
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
            raise _unknown(f"no move of a group has the kind {group.kind}")


def describe(move: Move) -> str:
    """Say a move in a few words, for logs: `lay off 10S on meld 2`. Of what is no known card it says the number."""
    kind = move.WhichOneof("kind")
    match kind:
        case None:
            return "no move"
        case "meld":
            return f"meld {_said(move.meld.cards)}"
        case "lay_off":
            return f"lay off {_said(move.lay_off.cards)} on meld {move.lay_off.meld_id}"
        case "discard":
            return f"discard {_said([move.discard.card])}"
        case "replace_wild":
            return f"replace the wild of meld {move.replace_wild.meld_id} by {_said([move.replace_wild.card])}"
        case "knock":
            return f"knock with {_said([move.knock.discard])}" if move.knock.discard else "knock"
        case _:
            return kind.replace("_", " ")


def _said(shown: Iterable[CardValue]) -> str:
    # A log has to say those too that are none, or that a newer service has.
    return " ".join(text(one) if one in KNOWN else f"card {one}" for one in shown)


def _one(one: str | CardValue) -> CardValue:
    return card(one) if isinstance(one, str) else one


def _unknown(what: str) -> ValueError:
    return ValueError(f"{what}: this client is older than the service")


def _see_that_it_is_known(group: MoveGroup) -> None:
    """Refuse what this client would expand to other moves than the service means. :raises ValueError: saying what."""
    if group.kind not in _GROUPED:
        raise _unknown(f"no move of a group has the kind {group.kind}")
    always = len(group.required) + bool(group.wild_choices)
    sizes = (always + group.min_optional, always + group.max_optional)
    fewest, most = _FEWEST_AND_MOST.get(group.kind, sizes)
    if sizes[0] < fewest or sizes[1] > most:
        raise _unknown(f"a move of the kind {group.kind} has {fewest} to {most} cards, not {sizes[0]} to {sizes[1]}")
    known = _count(group)
    if known != group.count:
        raise _unknown(f"a group of the kind {group.kind} has {group.count} moves, and {known} that are known")


def _count(group: MoveGroup) -> int:
    """Count the selections of a group without making them."""
    most = _most_optional(group)
    ways = [1] + [0] * most  # by number of cards
    for each in group.optional:
        ways = [sum(ways[max(0, size - each.count) : size + 1]) for size in range(most + 1)]
    return sum(ways[group.min_optional :]) * (len(group.wild_choices) or 1)


def _most_optional(group: MoveGroup) -> int:
    """More than there are cannot be chosen, whatever the group lets."""
    return min(group.max_optional, sum(each.count for each in group.optional))


def _selections(group: MoveGroup) -> Iterator[tuple[CardValue, ...]]:
    """Go through the cards of every move of a group."""
    wilds = [[one] for one in group.wild_choices] or [[]]
    for size in range(group.min_optional, _most_optional(group) + 1):
        for chosen in _choices(group.optional, size):
            for wild in wilds:
                yield (*group.required, *chosen, *wild)


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
