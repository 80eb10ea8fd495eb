"""What a viewer may know of a state, written from the rule book, and never asked of the service.

Two states of which a viewer knows the same differ for him in nothing: whatever he asks has to be answered alike.
Viewers are numbered like seats; SPECTATOR sits nowhere.
"""

import hashlib
from typing import Any, Final, NamedTuple

from service.rules.cards import NO_CARD, Card
from service.rules.events import SPECTATOR
from service.rules.gin.dealing import first_upcard
from service.rules.gin.options import Oklahoma
from service.rules.melds import Meld
from service.rules.options import DiscardVisible, Game, StockEnd
from service.rules.state import DealEnd, MatchEnd, Phase, Result, State, Turn

NOBODY_COUNTS: Final = frozenset((DealEnd.NOT_ENDED, DealEnd.RESIGNED, DealEnd.VOID))
"""A deal that goes on, or that nobody counts: nothing is laid open for it."""


class Known(NamedTuple):
    """All that a viewer may know of a state."""

    match: tuple[Any, ...]
    """Its name, rules and players."""
    moment: tuple[Any, ...]
    """Revision, deal, dealer, phase, whose turn."""
    hands: tuple[bytes | None, ...]
    """By seat, sorted; None where the cards are hidden."""
    sizes: tuple[int, ...]
    """Cards in each hand: everyone sees backs."""
    unseen: tuple[bool, ...]
    """Hands that are a pozzetto still lying face down (B4-28)."""
    pozzetti: tuple[int, ...]
    """Cards in each pozzetto left, which lie face down (B4-11)."""
    stock: int
    """Cards in the stock, which lies face down."""
    pile: tuple[bytes, int]
    """The cards of the pile that are seen, bottom first, and how many there are."""
    melds: tuple[Meld, ...]
    turn: Turn
    """What was done in the turn, in front of all; without the card drawn and the hand before."""
    own_turn: tuple[Any, ...]
    """The card that the viewer drew this turn, and his hand before he took the pile."""
    progress: tuple[Any, ...]
    """Who took a pozzetto, laid, closed, knocked, passed, is out; counts towards a stalemate, the clock, the match."""
    result: Result | None
    knock_limit_card: Card
    """Gin: the up-card that set the knock limit (row 41)."""
    fairness: tuple[Any, ...]
    """The commitment and the entropy; the seed once the match was played to its end (DESIGN §5)."""


def is_counted(state: State) -> bool:
    """Whether the deal is over and counted: then all hands lie open (B4-37, RA-14, GI-8, SC-21)."""
    return state.deal_end not in NOBODY_COUNTS


def known(state: State, viewer: int) -> Known:
    """Say what a viewer, a seat or SPECTATOR, may know of a state."""
    match, turn = state.match, state.turn
    over = state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)
    mine = viewer == state.seat and not over
    return Known(
        match=(match.match_id, match.rules, match.players),
        moment=(state.revision, state.deal_number, state.dealer, state.phase, None if over else state.seat),
        hands=tuple(
            hand.cards() if is_counted(state) or (viewer == seat and not state.unseen[seat]) else None
            for seat, hand in enumerate(state.hands)
        ),
        sizes=tuple(hand.size for hand in state.hands),
        unseen=state.unseen,
        pozzetti=tuple(map(len, state.pozzetti)),
        stock=len(state.stock),
        pile=(state.discard[covered(state) :], len(state.discard)),
        melds=state.melds,
        turn=turn._replace(drawn=NO_CARD, hand_before_pile=Turn().hand_before_pile),
        own_turn=(turn.drawn, turn.hand_before_pile) if mine else (),
        progress=(
            *(state.taken_by, state.unplayed, state.stalemate_turns, state.turns_left, state.points),
            *(state.deals_scored, state.deal_end, state.closed_by, state.laid, state.out, state.reentries),
            *(state.turns_taken, state.renewals, state.passes, state.knocker, state.deals_won, state.doubled),
            state.alone,
        ),
        result=state.result,
        knock_limit_card=_knock_limit_card(state),
        fairness=_fairness(state),
    )


def covered(state: State) -> int:
    """Cards of the pile that lie under its top card where that alone is seen (option `discard_visible`)."""
    top_only = getattr(state.match.rules, "discard_visible", None) is DiscardVisible.TOP_ONLY
    return max(0, len(state.discard) - 1) if top_only else 0


def _knock_limit_card(state: State) -> Card:
    rules = state.match.rules
    if rules.game is not Game.GIN or rules.oklahoma is Oklahoma.OFF:
        return NO_CARD
    return first_upcard(state.match.fairness, state.deal_number)


def _fairness(state: State) -> tuple[Any, ...]:
    fairness, result = state.match.fairness, state.result
    committed = hashlib.sha256(b"burraco/commit/v1\x00" + fairness.salt + fairness.seed).digest()
    played_out = result is not None and result.match_end is not MatchEnd.RESIGNED
    return (
        fairness.entropy,
        fairness.given,
        committed if fairness.salt else b"",
        (fairness.seed, fairness.salt) if played_out else (),
    )


def viewers_of(state: State) -> tuple[int, ...]:
    """Every viewer of a match."""
    return (*range(len(state.match.players)), SPECTATOR)


def reveals(before: State, after: State, seat: int, kinds: frozenset[str], viewer: int) -> bool:
    """Whether moves of a seat show a viewer cards that he did not know, as the rules have it.

    `kinds` are the names of the kinds of move that were made.
    """
    if is_counted(after) and not is_counted(before):
        return True  # every hand is laid open
    if "NEXT_DEAL" in kinds:
        return True  # the up-card, and the viewer's hand
    if viewer == seat:
        if kinds & {"DRAW_STOCK", "TIME_OUT_TURN"} or ("TAKE_PILE" in kinds and covered(before)):
            return True
    elif "TIME_OUT_TURN" in kinds:
        return True  # what is discarded and laid follows from a hand that the viewer does not know
    ends = getattr(before.match.rules, "stock_end", None) is StockEnd.EMPTY_AND_TOP_UNUSABLE
    if ends and not before.stock and kinds & {"DISCARD", "TIME_OUT_TURN"}:
        return True  # R8: whether the deal goes on depends on the next player's hand
    if viewer == SPECTATOR:
        return False
    # B4-27, B4-28: his pozzetto, taken directly, or seen at last.
    taken = viewer in after.taken_by and viewer not in before.taken_by and not after.unseen[viewer]
    return taken or (before.unseen[viewer] and not after.unseen[viewer])
