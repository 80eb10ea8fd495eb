"""Sequences: what a selection forms, and what may be added to one on the table (§1.0, R5, R6).

Everything works on one suit's row. The twos of that suit are counted apart from the row, since each is either the
natural of slot 2 or a wild; jokers and the other suits' twos are `others`, which are always wild.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.cards import HIGH_ACE, JOKER, LOW_ACE, NATURAL_TWO, TWO, TWOS, Card, Mask, Slot, Suit, card_at
from service.rules.hand import Hand, one
from service.rules.melds import SMALLEST, Meld, sequence_meld

NOT_A_BLOCK: Final = -1
LOW_BIT: Final = 1 << LOW_ACE
TWO_BIT: Final = 1 << NATURAL_TWO
THREE_BIT: Final = 1 << 3
HIGH_BIT: Final = 1 << HIGH_ACE
ALL_BUT_TWO: Final = 0x3FFA
"""All ranks but the two."""
ACE_TO_ACE: Final = 0x7FFE
"""All 14 slots, each natural: only Burraco Reale knows it (row 4)."""


class Roles(NamedTuple):
    """How the cards of a sequence stand: slots of the naturals, slot of the wild (0 for none), whose card that is."""

    mask: Mask
    wild_slot: Slot
    wild_is_own_two: bool = False


class Added(NamedTuple):
    """Cards of one suit's terms: ranks of naturals other than twos, twos of the suit, cards that are always wild."""

    row: Mask
    own_twos: int
    others: int


@lru_cache(maxsize=1 << 13)
def place_wild(mask: Mask, wild: bool) -> Slot:
    """Find the slot of the wild beside naturals in these slots; 0 without a wild, NOT_A_BLOCK if they make no block.

    Inside the block if a slot is missing; else at its low end, or at the high end if the low end is slot 1 (§1.0).
    """
    low = (mask & -mask).bit_length() - 1
    end = mask.bit_length()
    gaps = ((1 << end) - (1 << low)) & ~mask
    if not wild:
        return NOT_A_BLOCK if gaps else 0
    if gaps:
        return NOT_A_BLOCK if gaps & (gaps - 1) else gaps.bit_length() - 1
    if low > LOW_ACE:
        return low - 1
    return end if end <= HIGH_ACE else NOT_A_BLOCK


def arrange(row: Mask, natural_two: bool, wild: bool, ace_at: Slot = 0) -> Roles | None:
    """Find the slots of naturals and wild; an ace that fits both ends is low, unless `ace_at` has fixed it (R6)."""
    mask = row | TWO_BIT if natural_two else row
    if not mask:
        return None
    if not row & LOW_BIT:
        slot = place_wild(mask, wild)
        return None if slot == NOT_A_BLOCK else Roles(mask, slot)
    for ace in (LOW_ACE, HIGH_ACE):
        if ace_at in (0, ace):
            placed = mask if ace == LOW_ACE else mask & ~LOW_BIT | HIGH_BIT
            slot = place_wild(placed, wild)
            if slot != NOT_A_BLOCK:
                return Roles(placed, slot)
    return None


@lru_cache(maxsize=1 << 13)
def read_row(cards: Added, second_ace: bool = False) -> Roles | None:
    """Assign the roles of a sequence laid fresh from the hand, preferring a natural two (multiset test of §1.0)."""
    if second_ace:
        whole = cards == Added(ALL_BUT_TWO, 1, 0)
        return Roles(ACE_TO_ACE, 0) if whole else None
    if not cards.row:
        return None
    for natural_two in (True, False) if cards.own_twos else (False,):
        wilds = cards.own_twos - natural_two + cards.others
        if wilds <= 1 and (roles := arrange(cards.row, natural_two, wilds == 1)):
            return roles._replace(wild_is_own_two=wilds == 1 and not cards.others)
    return None


def split(selection: Hand, suit: Suit) -> Added:
    """See a selection in the terms of one suit."""
    own = selection.count(card_at(suit, TWO))
    twos = (selection.once & TWOS).bit_count() + (selection.twice & TWOS).bit_count()
    return Added(selection.row(suit) & ~TWO_BIT, own, twos - own + selection.jokers)


def read_sequence(selection: Hand, reale: bool) -> Meld | None:
    """Read a selection laid fresh from the hand as a sequence (B4-21). `reale`: ace to ace exists (row 4)."""
    naturals = selection.once & ~TWOS
    if not naturals or selection.size < SMALLEST:
        return None
    suit = ((naturals & -naturals).bit_length() - 1) >> 4
    if naturals & ~(0xFFFF << 16 * suit):
        return None
    doubles = selection.twice & ~TWOS
    second_ace = reale and doubles == 1 << card_at(suit, LOW_ACE)
    if doubles and not second_ace:
        return None
    roles = read_row(split(selection, suit), second_ace)
    return None if roles is None else lay_out(suit, roles, selection)


def lay_out(suit: Suit, roles: Roles, wilds: Hand) -> Meld:
    """Lay out a sequence, taking its wild from the cards that hold it."""
    wild = 0
    if roles.wild_slot:
        wild = card_at(suit, TWO) if roles.wild_is_own_two else other_wild(wilds, suit)
    return sequence_meld(suit, roles.mask, roles.wild_slot, wild)


def other_wild(cards: Hand, suit: Suit) -> Card:
    """The joker or two of another suit among the cards."""
    if cards.jokers:
        return JOKER
    twos = cards.once & TWOS & ~(1 << card_at(suit, TWO))
    return twos.bit_length() - 1


class Lying(NamedTuple):
    """A sequence on the table, in one suit's terms."""

    row: Mask
    natural_two: bool
    ace_at: Slot
    """Slot of its ace, 0 without one: an ace once laid keeps its end (R6)."""
    wild_is_own_two: bool
    wild_is_other: bool

    @property
    def slots(self) -> Mask:
        """Slots of its naturals but for the two."""
        return self.row & ~LOW_BIT | (1 << self.ace_at if self.ace_at else 0)


def lying(meld: Meld) -> Lying:
    """See a sequence on the table in its suit's terms."""
    mask = meld.mask
    ace_at = LOW_ACE if mask & LOW_BIT else HIGH_ACE if mask & HIGH_BIT else 0
    row = mask & ALL_BUT_TWO | (LOW_BIT if ace_at else 0)
    wild = meld.wild
    own = bool(wild) and wild == card_at(meld.suit, TWO)
    return Lying(row, bool(mask & TWO_BIT), ace_at, own, bool(wild) and not own)


@lru_cache(maxsize=1 << 13)
def extend(meld: Lying, added: Added, two_may_turn: bool, second_ace: bool = False) -> Roles | None:
    """Find the roles after cards have been added in any order that makes each step legal; None if none does (§1.0, R5).

    The steps need not be tried one by one: naturals can always be added from the block outwards, through at most one
    gap that the wild fills. What the order decides is how wilds come in, and those are the two tests below.
    """
    if second_ace:
        own = meld.natural_two + meld.wild_is_own_two + added.own_twos
        spare = meld.wild_is_other or added.others or meld.row & added.row & ~LOW_BIT
        whole = (meld.row | added.row) & ALL_BUT_TWO == ALL_BUT_TWO and own == 1 and not spare
        return Roles(ACE_TO_ACE, 0) if whole else None
    if meld.row & added.row:
        return None
    own = meld.natural_two + meld.wild_is_own_two + added.own_twos
    others = meld.wild_is_other + added.others
    for natural_two in (True, False) if own else (False,):
        wilds = own - natural_two + others
        if wilds > 1:
            continue
        # R5: a natural two turns wild only for an arriving natural, and only where the rules let it.
        if not natural_two and not two_may_turn and _two_turns_natural(meld, added):
            continue
        # A wild never takes a wild's place (B4-23): a new one comes in only after the old one, a two of the suit, has
        # become natural without its help.
        if added.others and meld.wild_is_own_two and not _two_slides(meld, added):
            continue
        if roles := arrange(meld.row | added.row, natural_two, wilds == 1, meld.ace_at):
            return roles._replace(wild_is_own_two=wilds == 1 and not others)
    return None


def _two_slides(meld: Lying, added: Added) -> bool:
    """Whether naturals alone join the block down to the three, so that the acting two slides into slot 2."""
    mask = meld.slots | added.row & ~LOW_BIT
    begins = mask & THREE_BIT and not mask & (THREE_BIT - 1)
    block = (mask ^ (mask + THREE_BIT)) & mask if begins else 0
    return bool(block) and not meld.slots & ~block


def _two_turns_natural(meld: Lying, added: Added) -> bool:
    """Whether a two of the suit is natural at some step, in whatever order the cards are added.

    It is if it lies so. Where the three is the block's low end it is, too, if it arrives, since it is natural at once;
    and if it is the acting wild and the card arrives that it stands for, since it slides into its own place then.
    """
    if meld.natural_two:
        return True
    if not meld.row & THREE_BIT or meld.ace_at == LOW_ACE:
        return False
    return added.own_twos > 0 or (meld.wild_is_own_two and bool(added.row >> place_wild(meld.slots, True) & 1))


def lay_off_sequence(meld: Meld, selection: Hand, two_may_turn: bool, reale: bool) -> Meld | None:
    """Add cards to a sequence on the table; None if the rules do not let them on (§1.0)."""
    suit = meld.suit
    naturals = selection.once & ~TWOS
    if naturals & ~(0xFFFF << 16 * suit) or meld.mask == ACE_TO_ACE:
        return None
    added = split(selection, suit)
    seen = lying(meld)
    ace = 1 << card_at(suit, LOW_ACE)
    doubles = selection.twice & ~TWOS
    second_ace = reale and (doubles == ace or bool(naturals & ace and seen.ace_at and not doubles))
    if (doubles and not second_ace) or added.others > 1:
        return None
    roles = extend(seen, added, two_may_turn, second_ace)
    if roles is None:
        return None
    laid = lay_out(suit, roles, one(meld.wild) if seen.wild_is_other else selection)
    return laid._replace(meld_id=meld.meld_id, side=meld.side)
