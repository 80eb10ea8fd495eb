"""What a selection is, on its own or on a meld; and, when it is nothing, why (§1.0, B4-19 … B4-23)."""

from service.rules.burraco.sequences import ALL_BUT_TWO, LOW_BIT, lay_off_sequence, lying, read_sequence, split
from service.rules.burraco.sets import LARGEST, RANKS_OF_SETS, lay_off_set, read_set, wilds_in
from service.rules.cards import (
    HIGH_ACE,
    RANK_NAMES,
    RANK_PLANE,
    SUIT_LETTERS,
    TWOS,
    Card,
    Mask,
    is_wild,
    rank_of,
    suit_of,
)
from service.rules.hand import Hand
from service.rules.melds import SMALLEST, Meld, MeldKind
from service.rules.options import BurracoRules
from service.rules.reasons import Reason, Violation, violation


def read(selection: Hand, rules: BurracoRules) -> Meld | None:
    """Read a selection laid fresh from the hand; None if it is no meld. There is never more than one reading."""
    return read_sequence(selection, rules.variant_reale) or read_set(selection, rules.sets_allowed)


def add(meld: Meld, selection: Hand, rules: BurracoRules) -> Meld | None:
    """Add cards to a meld on the table; None if they do not go on."""
    if meld.kind is MeldKind.SET:
        return lay_off_set(meld, selection)
    return lay_off_sequence(meld, selection, rules.natural_two_may_turn_wild, rules.variant_reale)


def why_not_read(selection: Hand, rules: BurracoRules) -> list[Violation]:
    """Say everything wrong with a selection that is no meld; never empty."""
    size = selection.size
    faults: list[Violation] = []
    if size < SMALLEST:
        faults.append(violation(Reason.TOO_FEW_CARDS, selection.cards(), count=size, min=SMALLEST))
    if size > HIGH_ACE:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=size, max=HIGH_ACE))
    naturals = list(selection.naturals().cards())
    if len({rank_of(card) for card in naturals}) <= 1 and len(naturals) != 1:
        faults += _why_no_set(selection, naturals, rules)
    elif len({suit_of(card) for card in naturals}) == 1:
        faults += _why_no_sequence(selection, naturals)
    else:
        faults.append(violation(Reason.NEITHER_SET_NOR_SEQUENCE, bytes(naturals)))
    return faults


def _why_no_set(selection: Hand, naturals: list[Card], rules: BurracoRules) -> list[Violation]:
    faults = []
    wilds = wilds_in(selection)
    if wilds > 1:
        faults.append(violation(Reason.TOO_MANY_WILDS, _wild_faces(selection), count=wilds))
    if len(naturals) < 2:
        faults.append(violation(Reason.NOT_ENOUGH_NATURALS, selection.cards()))
    elif rank_of(naturals[0]) not in RANKS_OF_SETS[rules.sets_allowed]:
        rank = RANK_NAMES[rank_of(naturals[0])]
        faults.append(violation(Reason.SET_RANK_NOT_ALLOWED, bytes(naturals), rank=rank))
    if LARGEST < selection.size <= HIGH_ACE:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=selection.size, max=LARGEST))
    return faults


def _why_no_sequence(selection: Hand, naturals: list[Card]) -> list[Violation]:
    faults = []
    suit = suit_of(naturals[0])
    cards = split(selection, suit)
    repeated = selection.twice & ~TWOS
    if repeated:
        faults.append(violation(Reason.SEQUENCE_REPEATS_RANK, Hand(repeated).cards()))
    natural_two = cards.own_twos > 0
    wilds = cards.own_twos - natural_two + cards.others
    if wilds > 1:
        faults.append(violation(Reason.TOO_MANY_WILDS, _wild_faces(selection), count=wilds))
    elif len(naturals) + natural_two < 2:
        faults.append(violation(Reason.NOT_ENOUGH_NATURALS, selection.cards()))
    elif not repeated and selection.size >= SMALLEST:
        faults.append(_why_no_block(cards.row | (4 if natural_two else 0), bytes(naturals)))
    return faults


def _why_no_block(ranks: Mask, cards: bytes) -> Violation:
    round_corner = ranks & LOW_BIT and ranks & 0b1100 and ranks & (0b11 << 12)
    return violation(Reason.SEQUENCE_GOES_ROUND if round_corner else Reason.SEQUENCE_HAS_GAP, cards)


def why_not_added(meld: Meld, selection: Hand, rules: BurracoRules) -> list[Violation]:
    """Say everything wrong with cards that do not go on a meld; never empty."""
    faults = (
        _why_not_on_set(meld, selection) if meld.kind is MeldKind.SET else _why_not_on_sequence(meld, selection, rules)
    )
    return [fault._replace(meld_id=meld.meld_id) for fault in faults]


def _why_not_on_set(meld: Meld, selection: Hand) -> list[Violation]:
    faults = []
    strangers = Hand(selection.once & ~TWOS & ~RANK_PLANE[meld.rank])
    if strangers.once:
        faults.append(violation(Reason.RANK_DOES_NOT_MATCH, strangers.cards(), rank=RANK_NAMES[meld.rank]))
    wilds = wilds_in(selection)
    if wilds and meld.wild_at >= 0:
        faults.append(violation(Reason.MELD_HAS_WILD, _wild_faces(selection)))
    elif wilds > 1:
        faults.append(violation(Reason.TOO_MANY_WILDS, _wild_faces(selection), count=wilds))
    size = len(meld.cards) + selection.size
    if size > LARGEST:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=size, max=LARGEST))
    return faults


def _why_not_on_sequence(meld: Meld, selection: Hand, rules: BurracoRules) -> list[Violation]:
    suit = meld.suit
    seen = lying(meld)
    cards = split(selection, suit)
    faults = []
    strangers = bytes(card for card in selection.naturals().faces() if suit_of(card) != suit)
    if strangers:
        faults.append(violation(Reason.SUIT_DOES_NOT_MATCH, strangers, suit=SUIT_LETTERS[suit]))
    taken = Hand((seen.row & cards.row) << 16 * suit | selection.twice & ~TWOS).cards()
    if taken:
        faults.append(violation(Reason.SLOT_TAKEN, taken))
    size = len(meld.cards) + selection.size
    if size > HIGH_ACE:
        faults.append(violation(Reason.TOO_MANY_CARDS, count=size, max=HIGH_ACE))
    own = seen.natural_two + seen.wild_is_own_two + cards.own_twos
    wilds = own - (own > 0) + seen.wild_is_other + cards.others
    wild_joins = cards.others or cards.own_twos
    if wild_joins and (meld.wild_at >= 0 or wilds > 1):
        has_wild = meld.wild_at >= 0
        reason = Reason.MELD_HAS_WILD if has_wild else Reason.TOO_MANY_WILDS
        faults.append(violation(reason, _wild_faces(selection), **({} if has_wild else {"count": wilds})))
    elif not faults:
        fixed_two = not rules.natural_two_may_turn_wild
        if fixed_two and lay_off_sequence(meld, selection, two_may_turn=True, reale=rules.variant_reale):
            faults.append(violation(Reason.NATURAL_TWO_STAYS, selection.cards()))
        else:
            faults.append(
                _why_no_block((seen.row | cards.row) & (ALL_BUT_TWO | LOW_BIT) | (4 if own else 0), selection.cards())
            )
    return faults


def _wild_faces(selection: Hand) -> bytes:
    return bytes(card for card in selection.cards() if is_wild(card))
