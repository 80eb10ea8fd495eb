"""What one viewer may know of a state: the only place that decides it."""

from typing import NamedTuple

from service.rules.cards import NO_CARD, Card
from service.rules.events import SPECTATOR
from service.rules.games import game_of
from service.rules.hand import Hand
from service.rules.melds import Meld
from service.rules.moves import MoveKind
from service.rules.options import DiscardVisible
from service.rules.scores import Sheet
from service.rules.state import NOBODY, UNCOUNTED, DealEnd, MatchEnd, Phase, Result, State, Turn
from service.rules.stream import commitment


class SeatView(NamedTuple):
    """What may be known of a seat."""

    seat: int
    side: int
    player: int
    hand_count: int
    hand: Hand | None
    """None when it is hidden."""
    unseen: bool
    out: bool
    has_laid: bool
    reentries: int


class SideView(NamedTuple):
    """What everyone may know of a side."""

    side: int
    match_points: int
    table_points: int
    pozzetto_taken_by: int
    may_close: bool
    deals_won: int


class FairnessView(NamedTuple):
    """How the deck is chosen; the seed and its salt only once the match has been played to its end."""

    verifiable: bool
    commitment: bytes
    entropy: tuple[bytes, ...]
    seed: bytes
    salt: bytes


class View(NamedTuple):
    """All that a viewer may know, and nothing else."""

    match_id: bytes
    revision: int
    viewer: int
    phase: Phase
    deal_number: int
    dealer: int
    turn: int
    """The seat to move, or NOBODY."""
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    melds: tuple[Meld, ...]
    stock_count: int
    discard_count: int
    discard: bytes
    pozzetti_left: int
    open_kinds: tuple[MoveKind, ...]
    turn_state: Turn
    barred_discard: Card
    stalemate_turns: int
    turns_left: int
    sheet: Sheet | None
    result: Result | None
    deal_end: DealEnd
    closed_by: int
    """The seat that closed, or NOBODY."""
    deals_scored: int
    knocker: int
    """The seat that knocked, or NOBODY."""
    passes: int
    knock_limit: int
    fairness: FairnessView


def sees_hand(state: State, viewer: int, seat: int) -> bool:
    """Whether the viewer sees a seat's hand: his own but for an unseen pozzetto (B4-28), all once they are counted."""
    return state.deal_end not in UNCOUNTED or (viewer == seat and not state.unseen[seat])


def view(state: State, viewer: int) -> View:
    """Show a state to a viewer, a seat or SPECTATOR."""
    over = state.over
    top_only = getattr(state.rules, "discard_visible", None) is DiscardVisible.TOP_ONLY
    turn = state.turn
    return View(
        match_id=state.match.match_id,
        revision=state.revision,
        viewer=viewer,
        phase=state.phase,
        deal_number=state.deal_number,
        dealer=state.dealer,
        turn=NOBODY if over else state.seat,
        seats=tuple(
            SeatView(
                seat,
                state.side_of(seat),
                player,
                state.hands[seat].size,
                state.hands[seat] if sees_hand(state, viewer, seat) else None,
                state.unseen[seat],
                bool(state.out) and state.out[seat],
                bool(state.laid) and state.laid[seat],
                state.reentries[seat] if state.reentries else 0,
            )
            for seat, player in enumerate(state.match.players)
        ),
        sides=tuple(_side(state, side) for side in range(state.match.sides)),
        melds=state.melds,
        stock_count=len(state.stock),
        discard_count=len(state.discard),
        discard=state.discard[-1:] if top_only else state.discard,
        pozzetti_left=len(state.pozzetti),
        open_kinds=open_kinds(state, viewer),
        # What was drawn is the mover's own affair, and what was held before the pile was taken.
        turn_state=turn._replace(drawn=_drawn(state, viewer), hand_before_pile=Hand()),
        barred_discard=game_of(state).barred_discard(state),
        stalemate_turns=state.stalemate_turns,
        turns_left=state.turns_left,
        sheet=sheet(state),
        result=state.result,
        deal_end=state.deal_end,
        closed_by=state.closed_by,
        deals_scored=state.deals_scored,
        knocker=state.knocker,
        passes=state.passes,
        knock_limit=game_of(state).knock_limit(state),
        fairness=_fairness(state),
    )


def _drawn(state: State, viewer: int) -> Card:
    return state.turn.drawn if viewer == state.seat and not state.over else NO_CARD


def _side(state: State, side: int) -> SideView:
    facts = game_of(state).side_facts(state, side)
    taken_by = state.taken_by[side] if state.taken_by else NOBODY
    won = state.deals_won[side] if state.deals_won else 0
    return SideView(side, state.points[side], facts.table_points, taken_by, facts.may_close, won)


def tells_seed(state: State) -> bool:
    """Whether everyone is told the seed: once the match has been played to its end.

    Not after a resignation: whoever holds a state could resign a copy of it, read the deck, and play the other on.
    """
    return state.result is not None and state.result.match_end is not MatchEnd.RESIGNED


def _fairness(state: State) -> FairnessView:
    fairness = state.match.fairness
    committed = commitment(fairness.salt, fairness.seed) if fairness.salt else b""
    told = tells_seed(state)
    return FairnessView(
        fairness.verifiable,
        committed,
        fairness.entropy,
        fairness.seed if told else b"",
        fairness.salt if told else b"",
    )


def sheet(state: State) -> Sheet | None:
    """The score sheet of a deal that is over and counted; None otherwise."""
    return game_of(state).sheet(state) if state.over else None


def open_kinds(state: State, viewer: int) -> tuple[MoveKind, ...]:
    """Kinds of move open to a viewer: none to a spectator."""
    return () if viewer == SPECTATOR else game_of(state).open_kinds(state, viewer)
