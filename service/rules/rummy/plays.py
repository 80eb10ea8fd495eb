"""Every meld, lay-off and joker recovery that a seat may play, in groups of one selection each.

Where a selection can be read in several ways the group stands for it once: the reading is the mover's choice, and the
best one is what is meant without it. No reading makes a selection illegal that another makes legal.
"""

from collections.abc import Iterator

from service.rules.cards import HIGH_ACE, JOKER, LOW_ACE, Mask, Plane, texts
from service.rules.hand import Hand, one
from service.rules.melds import Meld, MeldKind
from service.rules.moves import MoveKind
from service.rules.outcome import Group, Verdict
from service.rules.reasons import Reason, violation
from service.rules.rummy.laying import guard, jokers_open, judge_lay_off, judge_meld, opening_with
from service.rules.rummy.opening import candidates
from service.rules.rummy.reading import replaced, run_of, stands_for
from service.rules.rummy.seats import has_opened, terms
from service.rules.rummy.terms import Shape
from service.rules.state import State, Turn, replace_at


def groups(state: State, seat: int) -> Iterator[Group]:
    """List the plays of the seat to move, each exactly once, in a stable order. It has to be in its play phase."""
    yield from _from_hand(state, seat)
    if MoveKind.REPLACE_WILD in terms(state).kinds and has_opened(state, seat):
        yield from _recoveries(state, seat)


def any_play(state: State, seat: int) -> bool:
    """Whether the seat to move could lay anything."""
    return next(groups(state, seat), None) is not None


def open_plays(state: State, seat: int) -> set[MoveKind]:
    """Which of MELD, LAY_OFF and REPLACE_WILD the seat to move could play."""
    return {group.kind for group in groups(state, seat)}


def _from_hand(state: State, seat: int) -> Iterator[Group]:
    yield from _new_melds(state, seat)
    if has_opened(state, seat):
        for meld in state.melds:
            for selection in additions(meld, state.hands[seat], terms(state).shape):
                if not judge_lay_off(state, seat, meld, selection).faults:
                    yield Group(MoveKind.LAY_OFF, meld.kind, meld.meld_id, required=selection.cards())


def _new_melds(state: State, seat: int) -> Iterator[Group]:
    hand, turn = state.hands[seat], state.turn
    asked = terms(state)
    jokers_help = hand.jokers > 0
    if not has_opened(state, seat):
        jokers_help = jokers_help and (jokers_open(state) or turn.opening >= asked.opening_points)
        # Most hands cannot open, which one look at the whole tells.
        if turn.opening + opening_with(state, hand, turn._replace(taken=0)) < asked.opening_points:
            return
    for candidate in candidates(hand.once, jokers_help, asked.shape):
        if not judge_meld(state, seat, candidate.selection).faults:
            yield Group(MoveKind.MELD, candidate.kind, required=candidate.selection.cards())


# --- what goes on a meld ----------------------------------------------------------------------------------------------


def additions(meld: Meld, hand: Hand, shape: Shape) -> list[Hand]:
    """Every selection of a hand that may go on a meld, each once."""
    joker = hand.jokers > 0 and meld.wild_at < 0
    if meld.kind is MeldKind.SET:
        return _on_set(meld, hand, joker=joker)
    suit, run = meld.suit, run_of(meld)
    held = run.mask | (1 << run.wild_slot if run.wild_slot else 0)
    row = hand.row(suit)
    there = row | (1 << HIGH_ACE if row >> LOW_ACE & 1 else 0)
    lowest, highest = meld.low, meld.low + len(meld.cards) - 1
    found: dict[Hand, None] = {}
    for low in range(lowest, shape.lowest - 1, -1):
        for high in range(highest, shape.highest + 1):
            block = (2 << high) - (1 << low)
            new = block & ~held
            if (new & ~there).bit_count() > joker or block.bit_count() > shape.longest:
                break
            for naturals in _naturals_of(new, there, joker=joker):
                added = _added(naturals, suit, run.mask, joker=naturals != new)
                if added:
                    found[added] = None
    return list(found)


def _naturals_of(new: Mask, there: Mask, *, joker: bool) -> Iterator[Mask]:
    if new & ~there:
        yield new & there
        return
    if new:
        yield new
    left = new if joker else 0
    while left:
        lowest = left & -left
        yield new ^ lowest
        left ^= lowest


def _added(naturals: Mask, suit: int, lying: Mask, *, joker: bool) -> Hand | None:
    """The cards that fill slots beside a sequence; None where it would hold two natural aces."""
    ends = 1 << LOW_ACE | 1 << HIGH_ACE
    if ((naturals | lying) & ends).bit_count() > 1 and naturals & ends:
        return None
    ranks = naturals & ~(1 << HIGH_ACE) | (1 << LOW_ACE if naturals >> HIGH_ACE & 1 else 0)
    return Hand(ranks << 16 * suit, 0, int(joker))


def _on_set(meld: Meld, hand: Hand, *, joker: bool) -> list[Hand]:
    room = 4 - len(meld.cards)
    if not room:
        return []
    lying: Plane = sum(1 << card for card in meld.cards if card != JOKER)
    cards = [one(suit * 16 + meld.rank) for suit in range(4) if hand.once & ~lying & 1 << suit * 16 + meld.rank]
    return [*cards, one(JOKER)] if joker else cards


# --- joker recovery ---------------------------------------------------------------------------------------------------


def judge_recovery(state: State, seat: int, target: Meld, card: int) -> Verdict:
    """Judge putting a card of the seat's hand in the place of a meld's joker, which is taken (SC-14, E53)."""
    faults = [] if has_opened(state, seat) else [violation(Reason.NOT_OPENED)]
    if target.wild_at < 0:
        faults.append(violation(Reason.NO_WILD_TO_REPLACE, meld_id=target.meld_id))
        return Verdict(tuple(faults))
    meld = replaced(target, card)
    if meld is None:
        fits = card in stands_for(target)
        reason = Reason.SEQUENCE_REPEATS_RANK if fits else Reason.REPLACEMENT_DOES_NOT_MATCH
        named = {} if fits else {"card": texts(stands_for(target))}
        faults.append(violation(reason, bytes((card,)), target.meld_id, **named))
        return Verdict(tuple(faults))
    turn = state.turn
    if turn.must_meld and turn.must_meld != card:
        faults.append(violation(Reason.MUST_MELD_TOP_CARD, bytes((turn.must_meld,))))
    if turn.jokers_owed:
        faults.append(violation(Reason.RECOVERED_JOKER_UNUSED, meld_id=target.meld_id))
    if not faults:
        after = with_recovered(state, seat, meld, card)
        if fault := guard(state, after.hands[seat], after.turn):
            faults.append(fault._replace(meld_id=target.meld_id))
        elif after.turn.jokers_owed and next(_from_hand(after, seat), None) is None:
            faults.append(violation(Reason.RECOVERED_JOKER_UNUSED, meld_id=target.meld_id))
    return Verdict(tuple(faults), meld)


def with_recovered(state: State, seat: int, meld: Meld, card: int) -> State:
    """The state with the joker of a meld in the seat's hand, and the card in its place: `meld` as it then lies."""
    hand = state.hands[seat].minus(one(card)).plus(one(JOKER))
    turn: Turn = state.turn._replace(
        taken=0 if state.turn.taken == card else state.turn.taken,
        must_meld=0,
        melded=True,
        laid_off=True,
        jokers_owed=int(terms(state).joker_must_be_used),
    )
    return state._replace(hands=replace_at(state.hands, seat, hand), melds=with_meld(state, meld), turn=turn)


def with_meld(state: State, changed: Meld) -> tuple[Meld, ...]:
    """The melds of the table with one of them changed."""
    return tuple(changed if meld.meld_id == changed.meld_id else meld for meld in state.melds)


def _recoveries(state: State, seat: int) -> Iterator[Group]:
    hand = state.hands[seat]
    for meld in state.melds:
        for card in stands_for(meld):
            if hand.count(card) and not judge_recovery(state, seat, meld, card).faults:
                yield Group(MoveKind.REPLACE_WILD, meld.kind, meld.meld_id, required=bytes((card,)))
