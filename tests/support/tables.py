"""Tables set up by hand: a state of Burraco in which only what the test is about is named.

Cards are written as in `7S 10H JK`. A meld is written low to high, with a wild's place in brackets: `4S 2H(=5S) 6S`;
in a set the wild is written plain: `KS KH JK`. What is not named is filled from the rest of the deck.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.rules.burraco.dealing import deck_of
from service.rules.cards import parse, rank_of, suit_of
from service.rules.hand import hand_of
from service.rules.melds import NO_WILD, Meld, MeldKind
from service.rules.options import BurracoRules
from service.rules.presets import ITALIAN
from service.rules.state import NEW_TURN, NOBODY, DealEnd, Fairness, Match, Phase, State, Turn

WORD = re.compile(r"(\w+)(?:\(=(\w+)\))?")


def rules(base: BurracoRules = ITALIAN, **options: object) -> BurracoRules:
    """Change some options of a preset."""
    return replace(base, **options)  # type: ignore[arg-type]  # the tests name options that exist


def meld(words: str, meld_id: int = 0, side: int = 0) -> Meld:
    """Lay a meld by hand, its roles as written."""
    cards, wild_at, ranks = bytearray(), NO_WILD, []
    for at, (word, stands_for) in enumerate(WORD.findall(words)):
        cards += parse(word)
        if stands_for:
            wild_at = at
            ranks.append(parse(stands_for)[0])
        else:
            ranks.append(cards[-1])
    naturals = [card for at, card in enumerate(cards) if at != wild_at and card != 64]
    if wild_at == NO_WILD and len({rank_of(card) for card in naturals if rank_of(card) != 2}) == 1:
        wilds = [at for at, card in enumerate(cards) if card == 64 or rank_of(card) == 2]
        same_suit = len({suit_of(card) for card in naturals}) == 1 and len(naturals) > 1 and not wilds[1:]
        if not (same_suit and any(rank_of(card) == 2 for card in naturals)):
            return Meld(MeldKind.SET, bytes(cards), wilds[0] if wilds else NO_WILD, 0, meld_id, side)
    second = rank_of(ranks[1])
    return Meld(MeldKind.SEQUENCE, bytes(cards), wild_at, second - 1, meld_id, side)


def table(
    *,
    hands: Sequence[str] = (),
    melds: Mapping[int, Sequence[str]] | None = None,
    pile: str | None = None,
    stock: str | None = None,
    stock_count: int | None = None,
    taken_by: Sequence[int] = (NOBODY, NOBODY),
    pozzetti: Sequence[str] | None = None,
    phase: Phase = Phase.PLAY,
    seat: int = 0,
    turn: Turn = NEW_TURN,
    points: Sequence[int] = (0, 0),
    options: BurracoRules = ITALIAN,
    dealer: int = 3,
    **fields: object,
) -> State:
    """Set up a table.

    `hands` by seat (`""` is filled with four cards), `melds` by side, `pile` bottom first, `stock` top first (or
    `stock_count` cards; with both, `stock` on top of others). `taken_by` names who took each side's pozzetto; those
    left are filled.
    """
    rest = Counter(deck_of(options))
    named = [parse(hand) for hand in hands]
    lying: list[Meld] = []
    for side, side_melds in (melds or {}).items():
        lying += [meld(words, len(lying) + 1 + at, side) for at, words in enumerate(side_melds)]
    heap = parse(pile) if pile is not None else None
    draw = parse(stock) if stock is not None else b""
    pots = [parse(pot) for pot in pozzetti] if pozzetti is not None else None
    for cards in (*named, *(m.cards for m in lying), heap or b"", draw, *(pots or ())):
        rest.subtract(cards)
    assert not [card for card, count in rest.items() if count < 0], "the deck has not so many copies of a card"

    def take(count: int) -> bytes:
        # High cards of clubs and diamonds first: tests name spades and hearts.
        cards = sorted(rest.elements(), key=lambda card: (rank_of(card) == 2 or card == 64, -card))[:count]
        rest.subtract(cards)
        return bytes(cards)

    seats = options.players
    filled = [named[at] if at < len(named) and hands[at] else take(4) for at in range(seats)]
    if heap is None:
        heap = take(1)
    if pots is None:
        pots = [take(11) for owner in taken_by if owner == NOBODY]
    left = sum(rest.values())
    if stock is None or stock_count is not None:
        draw += take((left if stock_count is None else stock_count) - len(draw))
    state = State(
        match=Match(b"m" * 16, options, tuple(range(seats)), Fairness(b"s" * 32, given=True)),
        revision=0,
        chain=b"c" * 16,
        deal_number=1,
        dealer=dealer,
        phase=phase,
        seat=seat,
        hands=tuple(map(hand_of, filled)),
        unseen=(False,) * seats,
        pozzetti=tuple(pots),
        stock=draw,
        discard=heap,
        melds=tuple(lying),
        next_meld_id=len(lying) + 1,
        taken_by=tuple(taken_by),
        unplayed=(False,) * len(taken_by),
        turn=turn,
        stalemate_turns=0,
        turns_left=NOBODY,
        points=tuple(points),
        deals_scored=0,
        deal_end=DealEnd.NOT_ENDED,
        closed_by=NOBODY,
        result=None,
        token_epochs=(0,) * seats,
    )
    # With a short stock some cards are out of play; no rule can tell.
    return state._replace(**fields)  # type: ignore[arg-type]  # fields of State, named by the test


def played_table(**named: Any) -> State:  # noqa: ANN401  # arguments of `table`, by name
    """Set up a table that passes the audit: whoever is to play has drawn the first card of his hand."""
    state = table(**named)
    if state.phase is not Phase.PLAY or state.turn != NEW_TURN:
        return state
    return state._replace(turn=Turn(drawn=state.hands[state.seat].cards()[0]))
