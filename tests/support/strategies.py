"""What Hypothesis draws: sets of options, and cards near to melds, since cards drawn at random hardly ever form one.

Nothing here asks `service.rules` what a meld is: the oracle does.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    LongRunBonus,
    Partnerships,
    PileTake,
    PozzettoVisibleAfter,
    Preset,
    SemicleanDefinition,
    SetsAllowed,
    SingleCardRediscard,
    StockEnd,
    TieSuitOrder,
    UnplayedPozzetto,
    VictoryPoints,
)
from service.rules.presets import FIBUR, ITALIAN
from tests.oracle.cards import ACE, JOKER, TWO, face_in_slot, rank, suit
from tests.oracle.melds import OMeld, read_fresh

Cards = tuple[int, ...]

FACES: Final = tuple(suit_number * 16 + rank_number for suit_number in range(4) for rank_number in range(1, 14))
REALE: Final = replace(
    ITALIAN,
    preset=Preset.UNSPECIFIED,
    variant_reale=True,
    jokers=0,
    sets_allowed=SetsAllowed.NONE,
    close_needs=CloseNeeds.CLEAN_BURRACO,
    long_run_bonus=LongRunBonus.NOBILE_500_REALE_1000,
)

MELDING_RULES: Final = (
    *(
        replace(ITALIAN, natural_two_may_turn_wild=turns, sets_allowed=sets)
        for turns, sets in product((True, False), SetsAllowed)
    ),
    REALE,
    replace(REALE, natural_two_may_turn_wild=False),
)
"""Every combination of the options that decide what cards form: row 4, row 18, row 19."""


# --- options ---------------------------------------------------------------------------------------------------------


@st.composite
def closing_rules(draw: st.DrawFn) -> BurracoRules:
    """Options that the legality of plays after the draw depends on, all others as in the Italian preset."""
    base = draw(st.sampled_from(MELDING_RULES))
    needs = (CloseNeeds.CLEAN_BURRACO,) if base.variant_reale else tuple(CloseNeeds)
    return replace(
        base,
        semiclean=draw(st.booleans()),
        single_card_rediscard=draw(st.sampled_from(SingleCardRediscard)),
        close_requires_discard=draw(st.booleans()),
        close_with_wild_discard=draw(st.booleans()),
        close_needs=draw(st.sampled_from(needs)),
        duplicate_sets=draw(st.booleans()),
        duplicate_sequences=draw(st.booleans()),
    )


@st.composite
def rule_sets(draw: st.DrawFn) -> BurracoRules:
    """Any valid set of options for four players, of matches that end after few deals."""
    base = draw(st.sampled_from((ITALIAN, FIBUR)))
    chosen: dict[str, Any] = {
        "preset": Preset.UNSPECIFIED,
        "semiclean": draw(st.booleans()),
        "semiclean_definition": draw(st.sampled_from(SemicleanDefinition)),
        "long_run_bonus": draw(st.sampled_from(LongRunBonus)),
        "pile_take": draw(st.sampled_from(PileTake)),
        "single_card_rediscard": draw(st.sampled_from(SingleCardRediscard)),
        "one_card_player_may_take_pile": draw(st.booleans()),
        "close_requires_discard": draw(st.booleans()),
        "close_with_wild_discard": draw(st.booleans()),
        "close_needs": draw(st.sampled_from(CloseNeeds)),
        "closing_bonus": draw(st.sampled_from((100, 0, 1000))),
        "pozzetto_not_taken_penalty": draw(st.sampled_from((100, 0, 1000))),
        "no_pozzetto_penalty_if_none_taken": draw(st.booleans()),
        "unplayed_pozzetto": draw(st.sampled_from(UnplayedPozzetto)),
        "stock_end": draw(st.sampled_from(StockEnd)),
        "duplicate_sets": draw(st.booleans()),
        "duplicate_sequences": draw(st.booleans()),
        "natural_two_may_turn_wild": draw(st.booleans()),
        "sets_allowed": draw(st.sampled_from(SetsAllowed)),
        "jokers": draw(st.integers(0, 4)),
        "hand_size": draw(st.integers(11, 13)),
        "target": draw(st.sampled_from((0, 5, 505))),
        "deals_per_match": draw(st.integers(1, 4)),
        "tie_suit_order": draw(st.sampled_from(TieSuitOrder)),
        "pozzetto_visible_after": draw(st.sampled_from(PozzettoVisibleAfter)),
        "stalemate_auto_turns": draw(st.sampled_from((8, 4, 5, 17, 64))),
        "discard_visible": draw(st.sampled_from(DiscardVisible)),
        "partnerships": draw(st.sampled_from(Partnerships)),
        "joker_redraw_keeps_priority": draw(st.booleans()),
    }
    points = draw(st.sampled_from(VictoryPoints))
    chosen["victory_points"] = points if chosen["deals_per_match"] in {3, 4} else VictoryPoints.NONE
    if draw(st.integers(0, 7)) == 7:
        chosen |= {"variant_reale": True, "jokers": 0, "sets_allowed": SetsAllowed.NONE}
        chosen["close_needs"] = CloseNeeds.CLEAN_BURRACO
    if chosen["discard_visible"] is DiscardVisible.TOP_ONLY:
        # Elsewhere a cover that may not be looked at would decide whether the pile may be taken.
        chosen["pile_take"] = draw(st.sampled_from((PileTake.FREE, PileTake.AFTER_MELDING)))
    rules = replace(base, **chosen)
    return with_top_card_usable(rules) if rules.stock_end is StockEnd.EMPTY_AND_TOP_UNUSABLE else rules


def with_top_card_usable(rules: BurracoRules) -> BurracoRules:
    """The same options, but the pile is taken and the stock ends as in Burraco for two (R2, R8)."""
    return replace(
        rules,
        pile_take=PileTake.TOP_CARD_USABLE,
        discard_visible=DiscardVisible.WHOLE,
        stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE,
    )


# --- cards near to melds ---------------------------------------------------------------------------------------------


def within_deck(cards: Iterable[int], gone: Iterable[int] = (), jokers: int = 4) -> Cards:
    """Leave out what the deck does not hold beside the cards that are gone: third copies, jokers too many."""
    count = Counter(gone)
    kept = []
    for card in cards:
        if count[card] < (jokers if card == JOKER else 2):
            count[card] += 1
            kept.append(card)
    return tuple(kept)


@st.composite
def wilds(draw: st.DrawFn, own_two: int) -> Cards:
    """No, one or two wild faces; `own_two` is the two that may be natural."""
    other_two = (own_two + 16) % 64
    one_or_none: Sequence[Cards] = ((), (JOKER,), (), (own_two,), (), (other_two,))
    two: Sequence[Cards] = ((own_two, own_two), (own_two, JOKER), (own_two, other_two), (JOKER, JOKER))
    return draw(st.sampled_from((*one_or_none, *one_or_none, *two)))


def strangers() -> st.SearchStrategy[Cards]:
    """Mostly nothing, sometimes any card at all."""
    card = st.sampled_from((*FACES, JOKER))
    return st.integers(0, 9).flatmap(lambda die: st.just(()) if die < 9 else card.map(lambda face: (face,)))


@st.composite
def near_sequences(draw: st.DrawFn, sizes: Sequence[int] = (3, 4, 3, 5, 7, 6, 8, 10, 12, 13, 14, 2)) -> Cards:
    """A row of one suit, perhaps with gaps, wilds, and a card that does not belong."""
    suit_number = draw(st.integers(0, 3))
    size = draw(st.sampled_from(sizes))
    low = draw(st.integers(1, 15 - size))
    slots = list(range(low, low + size))
    for gap in draw(st.sampled_from(((), (), (1,), (1,), (0,), (1, 2), (1, 3)))):
        if gap < len(slots):
            del slots[draw(st.integers(gap, len(slots) - 1))]
    row = [face_in_slot(suit_number, slot) for slot in slots]
    return (*row, *draw(wilds(suit_number * 16 + TWO)), *draw(strangers()))


@st.composite
def rows(draw: st.DrawFn, sizes: Sequence[int] = (14, 3, 4, 6, 7, 14, 8, 11, 13)) -> Cards:
    """An unbroken row of one suit without a wild; often one in which the two is natural or the ace has its place."""
    suit_number = draw(st.integers(0, 3))
    size = draw(st.sampled_from(sizes))
    low = draw(st.sampled_from((1, 2, 3, 15 - size, 2, 4)))
    return tuple(face_in_slot(suit_number, slot) for slot in range(min(low, 15 - size), min(low, 15 - size) + size))


@st.composite
def rows_with_own_two(draw: st.DrawFn) -> Cards:
    """A row of one suit in which the two of the suit may have to be a wild, often beside the three (R5)."""
    row = draw(rows((4, 5, 7)))
    gap = draw(st.integers(1, len(row) - 2))
    low = draw(st.booleans())
    suited = tuple(card for at, card in enumerate(row) if at != gap)
    if low:  # from the three up, with one slot open
        first = suit(row[0]) * 16
        suited = tuple(first + rank_number for rank_number in range(3, 4 + len(row)) if rank_number != 3 + gap)
    return (suit(row[0]) * 16 + TWO, *suited)


@st.composite
def near_sets(draw: st.DrawFn) -> Cards:
    """Cards of one rank, perhaps with wilds, and a card that does not belong."""
    rank_number = draw(st.sampled_from((3, ACE, 13, 8, 4, TWO)))
    first = draw(st.integers(0, 3))
    suits = [(first + at) % 4 for at in range(draw(st.sampled_from((3, 2, 4, 7, 8, 5, 6, 8, 9))))]
    row = [suit_number * 16 + rank_number for suit_number in suits]
    return (*row, *draw(wilds(TWO)), *draw(strangers()))


def any_cards(most: int = 5) -> st.SearchStrategy[Cards]:
    """Cards in no relation to each other."""
    return st.lists(st.sampled_from((*FACES, JOKER)), max_size=most).map(tuple)


def selections() -> st.SearchStrategy[Cards]:
    """Selections near to melds, of a real deck."""
    kinds = (near_sets(), near_sequences(), rows(), rows_with_own_two(), near_sequences(), near_sets(), any_cards())
    return st.one_of(*kinds).map(within_deck)


@st.composite
def additions(draw: st.DrawFn, meld: OMeld, jokers: int = 4) -> Cards:
    """Cards near to what may be added to a meld, of a real deck."""
    stranger = draw(strangers())
    if meld.kind == "set":
        suits = draw(st.lists(st.integers(0, 3), max_size=6))
        row = [suit_number * 16 + rank(meld.cards[0]) for suit_number in suits]
        return within_deck((*row, *draw(wilds(TWO)), *stranger), meld.cards, jokers)
    own = suit(meld.naturals[0])
    first, last = meld.low, meld.low + len(meld.cards) - 1
    slots = draw(st.sampled_from(_reaches(first, last)))
    if slots and draw(st.integers(0, 3)) == 3:
        at = draw(st.integers(0, len(slots) - 1))
        slots = slots[:at] + slots[at + 1 :]
    if meld.wild is not None:
        home = meld.low + meld.wild
        beyond = (home, last + 2) if last < 13 else (home,)
        slots = draw(st.sampled_from((slots, (*slots, home), slots, (*slots, home), beyond)))
    row = [face_in_slot(own, slot) for slot in slots]
    return within_deck((*row, *draw(wilds(own * 16 + TWO)), *stranger), meld.cards, jokers)


@lru_cache
def _reaches(first: int, last: int) -> tuple[Cards, ...]:
    """Slots that cards may be added in: next to the ends, beyond a gap of one slot, and up to the ends of the suit."""
    below, above = tuple(range(first - 1, 0, -1)), tuple(range(last + 1, 15))
    beyond = (above[1:2], below[1:2], above[1:3], below[1:3])
    near = (below[:1], above[:1], below[:2], above[:2], below[:1] + above[:1], below[:3], above[:3])
    return (*filter(None, beyond), *near, *filter(None, beyond[:2]), (), below, above, below + above)


# --- tables ----------------------------------------------------------------------------------------------------------


class Plays(NamedTuple):
    """A seat's turn between draw and discard: its hand, and the melds of both sides."""

    hand: Cards
    own: tuple[OMeld, ...]
    other: tuple[OMeld, ...]


@st.composite
def plays(draw: st.DrawFn, rules: BurracoRules, most_cards: int = 7, least_cards: int = 1) -> Plays:
    """Melds that the rules allow, and a small hand of which much can be played."""
    gone: Cards = ()
    table: list[OMeld] = []
    sizes = draw(st.sampled_from(((3, 4), (3, 7), (7, 8, 12), (5, 6), (7, 13, 3), (14, 4))))
    for _ in range(draw(st.sampled_from((1, 2, 0, 3)))):
        drawn = draw(st.one_of(rows(sizes), rows_with_own_two(), near_sequences(sizes), near_sets()))
        if drawn == within_deck(drawn, gone, rules.jokers) and (meld := read_fresh(drawn, rules)):
            table.append(meld)
            gone += drawn
    sides = [draw(st.integers(0, 3)) < 3 for _ in table]
    own = tuple(meld for meld, mine in zip(table, sides, strict=True) if mine)
    other = tuple(meld for meld, mine in zip(table, sides, strict=True) if not mine)
    hand: Cards = ()
    for _ in range(draw(st.integers(1, 3))):
        pieces = [near_sequences((3, 4)), near_sets(), any_cards(3)]
        if table:
            pieces.append(st.sampled_from(table).map(lambda meld: meld.cards))
        if own:
            pieces += [additions(draw(st.sampled_from(own)), rules.jokers)] * 3
        hand += draw(st.one_of(pieces))
    hand = within_deck(hand, gone, rules.jokers)
    size = draw(st.integers(least_cards, most_cards))
    missing = within_deck((FACES[(5 * step) % 52] for step in range(52)), (*gone, *hand), rules.jokers)
    hand = (*hand[:size], *missing[: max(0, least_cards - len(hand))])
    return Plays(tuple(sorted(hand)), own, other)
