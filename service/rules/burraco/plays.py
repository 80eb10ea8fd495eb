"""Every meld and lay-off that a seat may play, in groups.

A play that leaves two cards or more always passes the guard (R1), so groups hold only those; the few plays that leave
one card or none are asked of `laying` one by one. Rows of a suit are looked up in memoised tables, which themselves
ask `read_row` and `extend`, so the list cannot differ from the check.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from service.rules.burraco.guard import SAFE
from service.rules.burraco.laying import judge_lay_off, judge_meld, meets_obligation, same_cards
from service.rules.burraco.reading import add, read
from service.rules.burraco.sequences import (
    ACE_TO_ACE,
    ALL_BUT_TWO,
    HIGH_BIT,
    LOW_BIT,
    TWO_BIT,
    Added,
    Lying,
    extend,
    lying,
    read_row,
)
from service.rules.burraco.sets import RANKS_OF_SETS
from service.rules.cards import (
    ACE,
    HIGH_ACE,
    LOW_ACE,
    RANK_PLANE,
    SUIT_PLANE,
    SUITS,
    TWO,
    TWOS,
    Card,
    Mask,
    Suit,
    card_at,
)
from service.rules.hand import Hand, hand_of, one
from service.rules.melds import SMALLEST, Meld, MeldKind
from service.rules.moves import MoveKind
from service.rules.outcome import Group
from service.rules.state import State

PLAY_KINDS: Final = (MoveKind.MELD, MoveKind.LAY_OFF)
BOTH_ACES: Final = LOW_BIT | HIGH_BIT


def groups(state: State, seat: int) -> Iterator[Group]:
    """List the plays of the seat to move, each exactly once, in a stable order. It has to be in its play phase."""
    hand = state.hands[seat]
    if state.turn.must_meld:
        yield from _obliged_groups(state, hand)
    else:
        yield from _loose(state, hand, hand.size - SAFE)
    yield from _tight(state, seat)


def any_play(state: State, seat: int) -> bool:
    """Whether the seat to move could meld or lay off anything."""
    return next(groups(state, seat), None) is not None


def top_is_usable(state: State, seat: int) -> bool:
    """Whether the card for which the seat took the pile can be melded without other cards of the pile (B2-5, E45)."""
    top = state.turn.must_meld
    usable = state.turn.hand_before_pile.plus(one(top))
    cap = state.hands[seat].size - SAFE
    loose = (cards for group in _loose(state, usable, cap) for cards in group.selections() if top in cards)
    if next(loose, None) is not None:
        return True
    return any(usable.covers(hand_of(group.required)) for group in _tight(state, seat))


def open_plays(state: State, seat: int) -> set[MoveKind]:
    """Which of MELD and LAY_OFF the seat to move could play."""
    found: set[MoveKind] = set()
    for group in groups(state, seat):
        found.add(group.kind)
        if len(found) == len(PLAY_KINDS):
            break
    return found


# --- plays that leave two cards or more ------------------------------------------------------------------------------


def _loose(state: State, hand: Hand, cap: int) -> Iterator[Group]:
    """List the plays from these cards of the hand that put down `cap` cards or fewer."""
    if cap <= 0:
        return
    side = state.side_of(state.seat)
    for suit in SUITS:
        yield from _new_sequences(state, hand, suit, side, cap)
    yield from _new_sets(state, hand, side, cap)
    for meld in state.melds:
        if meld.side == side:
            if meld.kind is MeldKind.SET:
                yield from _on_set(meld, hand, cap)
            else:
                yield from _on_sequence(state, meld, hand, cap)


def wilds_beside(hand: Hand, suit: Suit | None) -> bytes:
    """Faces of the hand that are wild in a sequence of the suit, whatever it holds; in a set when there is no suit."""
    twos = hand.once & TWOS
    if suit is not None:
        twos &= ~SUIT_PLANE[suit]
    return bytes(Hand(twos, 0, hand.jokers).faces())


class Row(NamedTuple):
    """One sequence of a row: its cards without a wild of other suits, whether it needs one, and its size."""

    required: bytes
    takes_other: bool
    size: int


def _new_sequences(state: State, hand: Hand, suit: Suit, side: int, cap: int) -> Iterator[Group]:
    row = hand.row(suit) & ~TWO_BIT
    own = hand.count(card_at(suit, TWO))
    others = wilds_beside(hand, suit)
    if row.bit_count() + bool(own) + (own > 1 or bool(others)) < SMALLEST:
        return
    taken: tuple[bytes, ...] = ()
    if not state.rules.duplicate_sequences:
        taken = tuple(meld.cards for meld in state.melds if meld.side == side and meld.kind is MeldKind.SEQUENCE)
    for required, takes_other, size in rows(suit, row, own, bool(others)):
        if size <= cap:
            wilds = others if takes_other else b""
            if taken:
                if takes_other:
                    wilds = bytes(w for w in wilds if not _repeats(taken, required + bytes((w,))))
                if not wilds and (takes_other or _repeats(taken, required)):
                    continue
            yield Group(MoveKind.MELD, MeldKind.SEQUENCE, required=required, wilds=wilds)
    if state.rules.variant_reale and hand.count(card_at(suit, ACE)) == 2 and own and row & ALL_BUT_TWO == ALL_BUT_TWO:
        whole = suit_cards(suit, ALL_BUT_TWO | LOW_BIT | HIGH_BIT, 1)
        if len(whole) <= cap and not _repeats(taken, whole):
            yield Group(MoveKind.MELD, MeldKind.SEQUENCE, required=whole)


def _repeats(taken: tuple[bytes, ...], cards: bytes) -> bool:
    return any(same_cards(cards, other) for other in taken)


def suit_cards(suit: Suit, row: Mask, own_twos: int) -> bytes:
    """Cards of a suit by slot: those of the row, then its twos."""
    cards = bytes(card_at(suit, slot) for slot in range(LOW_ACE, HIGH_ACE + 1) if row >> slot & 1)
    return cards + bytes((card_at(suit, TWO),)) * own_twos


@lru_cache(maxsize=2048)
def rows(suit: Suit, row: Mask, own: int, others: bool) -> tuple[Row, ...]:
    """List every sequence to be laid from a suit's row, its twos, and at most one wild of other kinds."""
    slots = row | (HIGH_BIT if row & LOW_BIT else 0) | (TWO_BIT if own else 0)
    found: dict[Added, Row] = {}
    for low in range(LOW_ACE, HIGH_ACE - 1):
        for high in range(low + 2, HIGH_ACE + 1):
            block = (2 << high) - (1 << low)
            if (block & ~slots).bit_count() > 1:
                continue
            for wild_slot in (0, *range(low, high + 1)):
                naturals = block & ~(1 << wild_slot) if wild_slot else block
                if naturals & ~slots or naturals & BOTH_ACES == BOTH_ACES:
                    continue
                used = _row_of(naturals)
                two = naturals >> 2 & 1
                ways = ((two, 0),) if not wild_slot else ((two + 1, 0), (two, 1))
                for own_used, other_used in ways:
                    added = Added(used, own_used, other_used)
                    if own_used > own or other_used > others or added in found:
                        continue
                    roles = read_row(added)
                    if roles and (roles.mask, roles.wild_slot) == (naturals, wild_slot):
                        found[added] = Row(suit_cards(suit, used, own_used), bool(other_used), high - low + 1)
    return tuple(found.values())


def _row_of(naturals: Mask) -> Mask:
    """Ranks other than the two in a slot mask, the ace at its low place."""
    return naturals & ALL_BUT_TWO | (LOW_BIT if naturals & (LOW_BIT | HIGH_BIT) else 0)


def _new_sets(state: State, hand: Hand, side: int, cap: int) -> Iterator[Group]:
    wilds = wilds_beside(hand, None)
    rules = state.rules
    barred: frozenset[int] = frozenset()
    if not rules.duplicate_sets:
        barred = frozenset(m.rank for m in state.melds if m.side == side and m.kind is MeldKind.SET)
    for rank in sorted(RANKS_OF_SETS[rules.sets_allowed] - barred):
        plane = RANK_PLANE[rank]
        copies = (hand.once & plane).bit_count() + (hand.twice & plane).bit_count()
        if copies < SMALLEST - bool(wilds):
            continue
        optional = faces_with_counts(hand.of_rank(rank))
        most = min(copies, cap)
        if most >= SMALLEST:
            yield Group(MoveKind.MELD, MeldKind.SET, optional=optional, min_optional=SMALLEST, max_optional=most)
        most = min(copies, cap - 1)
        if wilds and most >= SMALLEST - 1:
            yield Group(
                MoveKind.MELD,
                MeldKind.SET,
                optional=optional,
                min_optional=SMALLEST - 1,
                max_optional=most,
                wilds=wilds,
            )


def faces_with_counts(cards: Hand) -> tuple[tuple[Card, int], ...]:
    """Each face with its copies."""
    return tuple((card, cards.count(card)) for card in cards.faces())


def _on_set(meld: Meld, hand: Hand, cap: int) -> Iterator[Group]:
    cards = hand.of_rank(meld.rank)
    optional, copies = faces_with_counts(cards), cards.size
    if copies:
        most = min(copies, cap)
        yield Group(MoveKind.LAY_OFF, MeldKind.SET, meld.meld_id, optional=optional, min_optional=1, max_optional=most)
    wilds = wilds_beside(hand, None)
    if wilds and meld.wild_at < 0:
        most = min(copies, cap - 1)
        yield Group(MoveKind.LAY_OFF, MeldKind.SET, meld.meld_id, optional=optional, max_optional=most, wilds=wilds)


def _on_sequence(state: State, meld: Meld, hand: Hand, cap: int) -> Iterator[Group]:
    suit = meld.suit
    seen = lying(meld)
    rules = state.rules
    row = hand.row(suit) & ~TWO_BIT & ~seen.row
    own = hand.count(card_at(suit, TWO))
    others = wilds_beside(hand, suit)
    if meld.mask == ACE_TO_ACE:
        return
    table = additions(suit, seen, row, own, bool(others), rules.natural_two_may_turn_wild)
    for required, takes_other, size in table:
        if size <= cap:
            wilds = others if takes_other else b""
            yield Group(MoveKind.LAY_OFF, MeldKind.SEQUENCE, meld.meld_id, required=required, wilds=wilds)
    if rules.variant_reale:
        cards = _to_ace_to_ace(seen, suit, hand)
        if cards and len(cards) <= cap:
            yield Group(MoveKind.LAY_OFF, MeldKind.SEQUENCE, meld.meld_id, required=cards)


def _to_ace_to_ace(seen: Lying, suit: Suit, hand: Hand) -> bytes:
    """Cards of the hand that complete a sequence to 14 naturals (row 4); empty if they are not all there."""
    missing = ALL_BUT_TWO & ~seen.row
    aces = 1 if seen.ace_at else 2
    twos = 0 if seen.natural_two or seen.wild_is_own_two else 1
    added = Added(missing | LOW_BIT, twos, 0)
    cards = suit_cards(suit, missing | LOW_BIT | (HIGH_BIT if aces == 2 else 0), twos)
    complete = hand.covers(hand_of(cards)) and extend(seen, added, two_may_turn=False, second_ace=True)
    return cards if complete else b""


@lru_cache(maxsize=4096)
def additions(suit: Suit, seen: Lying, row: Mask, own: int, others: bool, two_may_turn: bool) -> tuple[Row, ...]:
    """List everything that may be added to a sequence from a suit's row, its twos, and a wild of other kinds."""
    fixed = seen.slots
    slots = fixed | row | (HIGH_BIT if row & LOW_BIT else 0) | TWO_BIT
    lowest, highest = (fixed & -fixed).bit_length() - 1, fixed.bit_length() - 1
    found: dict[Added, Row] = {}
    for low in range(lowest, 0, -1):
        for high in range(highest, HIGH_ACE + 1):
            block = (2 << high) - (1 << low)
            if (block & ~slots).bit_count() > 1:
                continue
            for wild_slot in (0, *range(low, high + 1)):
                naturals = block & ~(1 << wild_slot) if wild_slot else block
                if naturals & ~slots or fixed & ~naturals or naturals & BOTH_ACES == BOTH_ACES:
                    continue
                new = _row_of(naturals) & ~seen.row
                for own_used, other_used in product(range(own + 1), range(others + 1)):
                    added = Added(new, own_used, other_used)
                    if added not in found and any(added) and extend(seen, added, two_may_turn):
                        size = new.bit_count() + own_used + other_used
                        found[added] = Row(suit_cards(suit, new, own_used), bool(other_used), size)
    return tuple(found.values())


# --- plays under an obligation, and plays that leave one card or none ------------------------------------------------


def _obliged_groups(state: State, hand: Hand) -> Iterator[Group]:
    """List one by one the plays that use the pile's top card as R2 obliges."""
    for group in _loose(state, hand, hand.size - SAFE):
        for cards in group.selections():
            if meets_obligation(state, hand_of(cards), fresh=group.kind is MoveKind.MELD):
                yield Group(group.kind, group.meld_kind, group.meld_id, required=cards)


def _tight(state: State, seat: int) -> Iterator[Group]:
    """List one by one the plays that leave one card or none, each judged whole."""
    hand = state.hands[seat]
    if not _nearly_one_meld(hand, reale=state.rules.variant_reale):
        return
    side = state.side_of(seat)
    for selection in (*(hand.minus(one(card)) for card in hand.faces()), hand):
        if not selection.size:
            continue
        # Most selections are nothing at all: only what can be read is judged, since a judgement gives reasons.
        new = read(selection, state.rules)
        if new and not judge_meld(state, seat, selection).faults:
            yield Group(MoveKind.MELD, new.kind, required=selection.cards())
        for meld in state.melds:
            fits = meld.side == side and add(meld, selection, state.rules)
            if fits and not judge_lay_off(state, seat, meld, selection).faults:
                yield Group(MoveKind.LAY_OFF, meld.kind, meld.meld_id, required=selection.cards())


def _nearly_one_meld(hand: Hand, *, reale: bool) -> bool:
    """Whether all cards of the hand but one could be of one suit or rank, wilds aside: a quick no for most hands."""
    naturals = hand.naturals()
    spare = naturals.size - 1
    if hand.size - naturals.size > 4 or spare > 13:
        return False
    if spare <= 1:
        return True
    # Only ace to ace (row 4) has a face twice in one suit.
    if any((naturals.once & plane).bit_count() >= spare - reale for plane in SUIT_PLANE):
        return True
    first = naturals.once & -naturals.once
    last = 1 << naturals.once.bit_length() - 1
    ranks = {first.bit_length() - 1 & 15, last.bit_length() - 1 & 15}
    return any(naturals.of_rank(rank).size >= spare for rank in ranks)
