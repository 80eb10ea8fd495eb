"""Seats, first dealer, and the deal (B4-4 … B4-13, R3, B3-1)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.cards import CLUBS, DIAMONDS, HEARTS, JOKER, PACK, SPADES, TWO, Card, rank_of, suit_of
from service.rules.decks import deck_of_deal
from service.rules.game import Draw, Seating
from service.rules.options import BurracoRules, Partnerships, TieSuitOrder
from service.rules.stream import PURPOSE_CUT, PURPOSE_SEATS, Stream

POZZETTO_SIZE: Final = 11
POZZETTI: Final = 2
LEAST_CUT: Final = POZZETTO_SIZE * POZZETTI
LONE_POZZETTO_SIZE: Final = 18
"""Of the pozzetto at a table of three whose taker plays alone from then on (B3-2)."""
LAST_STRETCH: Final = 505
"""So far from the target the last stretch of a match for three begins: at 1000 of 1505, 1500 of 2005 (B3-4)."""

TWO_POZZETTI: Final = (POZZETTO_SIZE,) * POZZETTI
THREE_POZZETTI: Final = (POZZETTO_SIZE,) * 3
LONE_AND_SHARED: Final = (LONE_POZZETTO_SIZE, POZZETTO_SIZE)

SUIT_ORDER: Final = {
    TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS: (SPADES, HEARTS, DIAMONDS, CLUBS),
    TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES: (HEARTS, DIAMONDS, CLUBS, SPADES),
}


class Deal(NamedTuple):
    """A dealt table."""

    cut: int
    hands: tuple[bytes, ...]
    pozzetti: tuple[bytes, ...]
    stock: bytes
    upcard: Card


def deck_of(rules: BurracoRules) -> bytes:
    """The deck before it is shuffled: two packs, then the jokers (B4-1)."""
    return PACK * 2 + bytes((JOKER,)) * rules.jokers


def strength(card: Card, order: TieSuitOrder) -> tuple[int, int]:
    """Strength of a card drawn for seats: JK > 2 > A > K … > 3, ties by suit (B4-4, B4-5)."""
    if card == JOKER:
        return 16, 0
    rank = rank_of(card)
    return {TWO: 15, 1: 14}.get(rank, rank), -SUIT_ORDER[order].index(suit_of(card))


def drawn_seats(rules: BurracoRules, key: bytes) -> Seating:
    """Draw cards for seats (B4-4 … B4-7). The first to play gets seat 0, so the dealer sits at seat 3.

    :raises ValueError: not four play; the rules say nothing of a draw then.
    """
    if rules.players != 4:
        raise ValueError("only four players draw cards for seats")
    deck = iter(Stream(key, PURPOSE_SEATS, 0).shuffle(deck_of(rules)))
    hands: list[list[Card]] = [[] for _ in range(rules.players)]
    draws = []
    drawers, number = list(range(rules.players)), 0
    while drawers:
        for player in drawers:
            card = next(deck)
            # B4-5: two who drew a joker keep their priority over the others. B4-6: anyone else starts afresh.
            if not (rules.joker_redraw_keeps_priority and hands[player][:1] == [JOKER]):
                hands[player].clear()
            hands[player].append(card)
            draws.append(Draw(player, card, number))
        drawers = [player for player, cards in enumerate(hands) if hands.count(cards) > 1]
        number += 1
    order = rules.tie_suit_order
    ranking = sorted(
        range(rules.players), key=lambda player: [strength(card, order) for card in hands[player]], reverse=True
    )
    return Seating(_seats(rules, ranking), rules.players - 1, tuple(draws))


def _seats(rules: BurracoRules, ranking: list[int]) -> tuple[int, ...]:
    """Seat four players, the strongest drawer first: he plays first, at the dealer's left (B4-4, B4-7)."""
    highest = ranking[0]
    if rules.partnerships is Partnerships.BY_DRAW:
        _, second, third, lowest = ranking
        return highest, third, second, lowest
    partner = (highest + 2) % 4
    dealer = next(player for player in reversed(ranking) if player not in (highest, partner))
    return highest, (dealer + 2) % 4, partner, dealer


def pozzetto_sizes(rules: BurracoRules, points: Sequence[int]) -> tuple[int, ...]:
    """Sizes of the pozzetti of a deal that begins at these match points, the first to be taken first.

    Three players have one of 18 for the first who runs out, and one of 11 for the two others together, until one of
    them has reached the last stretch of the match: from then on three of 11, each for himself (B3-1, B3-4).
    """
    if rules.players != 3:
        return TWO_POZZETTI
    last_stretch = rules.target and max(points) >= rules.target - LAST_STRETCH
    return THREE_POZZETTI if last_stretch else LONE_AND_SHARED


def deal(
    rules: BurracoRules,
    key: bytes,
    deal_number: int,
    dealer: int,
    sizes: Sequence[int] = TWO_POZZETTI,
    decks: Sequence[bytes] = (),
) -> Deal:
    """Shuffle, cut where four play, and deal (B4-9 … B4-13, R3). Of given decks the cutter lifts the fewest cards."""
    deck = deck_of_deal(key, deal_number, deck_of(rules), decks)
    if rules.players != 4:
        return deal_uncut(rules, deck, dealer, sizes)
    if decks:
        return deal_from(rules, deck, LEAST_CUT, dealer)
    dealt = rules.players * rules.hand_size
    most_cut = len(deck) - dealt - 1
    cut = LEAST_CUT + Stream(key, PURPOSE_CUT, deal_number).below(most_cut - LEAST_CUT + 1)
    return deal_from(rules, deck, cut, dealer)


def deal_from(rules: BurracoRules, deck: bytes, cut: int, dealer: int) -> Deal:
    """Deal from a shuffled deck, its top card first, of which the cutter lifts `cut` cards."""
    dealt = rules.players * rules.hand_size
    lifted, rest = deck[:cut], deck[cut:]
    # B4-10: from the part that stayed.
    hands = _hands(rules, rest, dealer)
    # B4-11, B4-12: the cutter deals two pozzetti from the bottom of what he lifted; the one begun first is taken first.
    bottom = lifted[: -LEAST_CUT - 1 : -1]
    pozzetti = tuple(bottom[first::POZZETTI] for first in range(POZZETTI))
    # B4-13: the next card is turned up; the dealer's leftovers go on top of the cutter's.
    return Deal(cut, hands, pozzetti, rest[dealt + 1 :] + lifted[:-LEAST_CUT], rest[dealt])


def deal_uncut(rules: BurracoRules, deck: bytes, dealer: int, sizes: Sequence[int]) -> Deal:
    """Deal to two or three from a shuffled deck, top card first: hands, one pozzetto after another, up-card (R3)."""
    at = rules.players * rules.hand_size
    pozzetti = []
    for size in sizes:
        pozzetti.append(deck[at : at + size])
        at += size
    return Deal(0, _hands(rules, deck, dealer), tuple(pozzetti), deck[at + 1 :], deck[at])


def _hands(rules: BurracoRules, cards: bytes, dealer: int) -> tuple[bytes, ...]:
    """Deal one card at a time, clockwise from the dealer's left (B4-10, R3)."""
    players, size = rules.players, rules.hand_size
    return tuple(cards[(seat - dealer - 1) % players : players * size : players] for seat in range(players))
