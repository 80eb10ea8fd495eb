"""What the engine asks of the rules: one value for both games, worked out once from either game's options."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from service.rules.cards import ACE, HIGH_ACE, JACK, JOKER, LOW_ACE, PACK, Card, Slot, rank_of
from service.rules.hand import Hand
from service.rules.moves import MoveKind
from service.rules.options import AcePlace, ClosingInHand, NextDealer, StockExhausted
from service.rules.rummy.options import (
    JokerFirstUpcard,
    NoAttachableDiscard,
    OpeningWithJoker,
    PileBeforeOpening,
    RaminoRules,
    Scala40Rules,
    SwappedJoker,
)

FIGURE: Final = 10
JOKER_IN_HAND: Final = 25
"""Points of a joker left in hand (SC-21); Ramino has none in the seed, and takes the same (RA-13, SAP)."""
HIGH_ACE_POINTS: Final = 11
LOW_ACE_POINTS: Final = 1

RAMINO_KINDS: Final = frozenset(MoveKind) - {
    MoveKind.REPLACE_WILD,
    MoveKind.KNOCK,
    MoveKind.PASS_UPCARD,
    MoveKind.DECLARE_STALEMATE,
    MoveKind.CALL_TIME,
}
SCALA_40_KINDS: Final = RAMINO_KINDS | {MoveKind.REPLACE_WILD}


class Shape(NamedTuple):
    """What a meld may look like, and what its cards are worth as they lie."""

    ace: AcePlace
    longest: int
    """Cards of the longest sequence: 13 (RA-6), or 14 with a joker as the other ace (SC-12)."""
    low_ace: int
    high_ace: int
    """Points of an ace above the king, and of one in a set."""

    @property
    def lowest(self) -> Slot:
        """Lowest slot of a sequence."""
        return LOW_ACE if self.ace is not AcePlace.HIGH else LOW_ACE + 1

    @property
    def highest(self) -> Slot:
        """Highest slot of a sequence."""
        return HIGH_ACE if self.ace is not AcePlace.LOW else HIGH_ACE - 1

    def slot_points(self, slot: Slot) -> int:
        """Points of the card in a slot of a sequence, whoever stands there (SC-9)."""
        if slot == LOW_ACE:
            return self.low_ace
        return self.high_ace if slot == HIGH_ACE else min(slot, FIGURE)

    def rank_points(self, rank: int) -> int:
        """Points of a card of a set (SC-9)."""
        return self.high_ace if rank == ACE else min(rank, FIGURE)


class Terms(NamedTuple):
    """The rules as the engine asks for them."""

    game: str
    kinds: frozenset[MoveKind]
    """Kinds of move that the game has."""
    deck: bytes
    """Before it is shuffled."""
    cards_each: int
    shape: Shape
    ace_in_hand: int
    lone_ace: int
    """Points of an ace that is the only card in hand (row 33)."""
    needs_opening: bool
    """Whether laying off needs a meld of one's own first (RA-9, SC-15)."""
    opening_points: int
    """What those first melds have to total (SC-9)."""
    opening_with_joker: OpeningWithJoker
    pile_before_opening: PileBeforeOpening
    pile_card_must_be_used: bool
    joker_must_be_used: bool
    """Whether a recovered joker has to be laid at once (SC-14)."""
    close_requires_discard: bool
    no_close_first_round: bool
    no_attachable_discard: NoAttachableDiscard
    rediscard: bool
    in_hand: ClosingInHand
    in_hand_bars_lay_off: bool
    """Whether whoever closes in hand may not have laid off (SC-19)."""
    limit: int
    stock_exhausted: StockExhausted
    joker_upcard_replaced: bool
    next_dealer: NextDealer
    reentry: bool

    def card_points(self, card: Card) -> int:
        """Penalty for a card left in hand, an ace not alone (RA-13, SC-21)."""
        if card == JOKER:
            return JOKER_IN_HAND
        rank = rank_of(card)
        if rank == ACE:
            return self.ace_in_hand
        return FIGURE if rank >= JACK else rank

    def hand_points(self, hand: Hand) -> int:
        """Penalty for the cards left in a hand (RA-13, SC-21, E60)."""
        cards = hand.cards()
        if len(cards) == 1 and rank_of(cards[0]) == ACE:
            return self.lone_ace
        return sum(map(self.card_points, cards))


def ramino_terms(rules: RaminoRules) -> Terms:
    """The terms of Ramino."""
    return Terms(
        game="Ramino",
        kinds=RAMINO_KINDS,
        deck=PACK * rules.packs + bytes((JOKER,)) * rules.jokers,
        cards_each=rules.cards_each,
        shape=Shape(rules.ace_in_sequences, 13, rules.ace_points, rules.ace_points),
        ace_in_hand=rules.ace_points,
        lone_ace=rules.ace_points,
        needs_opening=rules.lay_off_needs_meld,
        opening_points=0,
        opening_with_joker=OpeningWithJoker.YES,
        pile_before_opening=PileBeforeOpening.FREE,
        pile_card_must_be_used=False,
        joker_must_be_used=False,
        close_requires_discard=rules.close_requires_discard,
        no_close_first_round=False,
        no_attachable_discard=NoAttachableDiscard.OFF,
        rediscard=rules.rediscard_taken_card,
        in_hand=rules.in_mano_bonus,
        in_hand_bars_lay_off=False,
        limit=rules.limit,
        stock_exhausted=rules.stock_exhausted,
        joker_upcard_replaced=False,
        next_dealer=rules.next_dealer,
        reentry=False,
    )


def scala_40_terms(rules: Scala40Rules) -> Terms:
    """The terms of Scala 40."""
    return Terms(
        game="Scala 40",
        kinds=SCALA_40_KINDS,
        deck=PACK * 2 + bytes((JOKER,)) * rules.jokers,
        cards_each=rules.hand_size,
        shape=Shape(rules.ace_in_sequences, 14, LOW_ACE_POINTS, HIGH_ACE_POINTS),
        ace_in_hand=HIGH_ACE_POINTS,
        lone_ace=rules.lone_ace_in_hand,
        needs_opening=True,
        opening_points=rules.opening_points,
        opening_with_joker=rules.opening_with_joker,
        pile_before_opening=rules.pile_before_opening,
        pile_card_must_be_used=rules.pile_card_must_be_used,
        joker_must_be_used=rules.swapped_joker is SwappedJoker.MUST_USE_NOW,
        close_requires_discard=True,
        no_close_first_round=rules.no_close_first_round,
        no_attachable_discard=rules.no_attachable_discard,
        rediscard=rules.rediscard_taken_card,
        in_hand=rules.closing_in_hand,
        in_hand_bars_lay_off=rules.closing_in_hand is ClosingInHand.PLUS_25,
        limit=rules.limit,
        stock_exhausted=rules.stock_exhausted,
        joker_upcard_replaced=rules.joker_first_upcard is JokerFirstUpcard.REPLACE,
        next_dealer=rules.next_dealer,
        reentry=rules.reentry,
    )


@lru_cache(maxsize=256)
def terms_of(rules: Any) -> Terms:  # noqa: ANN401  # the rules of either game
    """Work out the terms of a set of rules."""
    return ramino_terms(rules) if isinstance(rules, RaminoRules) else scala_40_terms(rules)
