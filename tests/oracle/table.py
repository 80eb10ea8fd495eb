"""What is legal after the draw: melds, lay-offs and discards (R1, R7, B4-16 to B4-31)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

from service.rules.options import BurracoRules, CloseNeeds, SingleCardRediscard
from tests.oracle.cards import holds, is_wild_card, rank, without
from tests.oracle.melds import OMeld, burraco_kind, lay_off, read_fresh


@dataclass(frozen=True, slots=True, kw_only=True)
class OTurn:
    """A turn between the draw and the discard, as far as the legality of plays depends on it."""

    rules: BurracoRules
    hand: tuple[int, ...]
    own_melds: tuple[tuple[int, OMeld], ...] = ()
    """Id and meld, for each meld of the player's side."""
    other_meld_ids: tuple[int, ...] = ()
    """Ids of the melds of the other side."""
    pozzetto_available: bool = True
    """Whether the player's side has taken no pozzetto yet."""
    banned: int | None = None
    """The card that was the whole pile taken this turn, and is still in hand (B4-17, R7)."""


def discard_banned(turn: OTurn, hand: tuple[int, ...], number: int) -> bool:
    """Whether B4-17 bars a card of `hand`, which is what `turn.hand` has become by melding."""
    if number != turn.banned or turn.rules.single_card_rediscard == SingleCardRediscard.ALLOWED:
        return False
    if hand.count(number) < turn.hand.count(number):
        return False  # R7: it has been melded
    return turn.rules.single_card_rediscard == SingleCardRediscard.NEVER or hand.count(number) == 1


def may_close_with(turn: OTurn, number: int) -> bool:
    """Whether a card is no wild, or wilds may close too (B4-31, row 10)."""
    return turn.rules.close_with_wild_discard or not is_wild_card(number)


def has_closing_burraco(rules: BurracoRules, melds: Iterable[OMeld]) -> bool:
    """Whether a burraco of the kind that closing needs is among the melds (rows 4 and 11)."""
    kinds = {burraco_kind(meld, rules) for meld in melds}
    if rules.close_needs == CloseNeeds.CLEAN_BURRACO or rules.variant_reale:
        return "clean" in kinds
    return kinds not in ({"none"}, set())


def guard_allows(turn: OTurn, remaining_hand: tuple[int, ...], melds_after: tuple[OMeld, ...]) -> bool:
    """R1, on the state after the whole move. `turn` is the state before it."""
    remain = len(remaining_hand)
    if turn.pozzetto_available:
        return remain != 1 or not discard_banned(turn, remaining_hand, remaining_hand[0])
    if not has_closing_burraco(turn.rules, melds_after):
        return remain >= 2
    if remain < (1 if turn.rules.close_requires_discard else 0):
        return False
    if remain == 1:
        last = remaining_hand[0]
        closes = may_close_with(turn, last) and not discard_banned(turn, remaining_hand, last)
        return closes or _can_meld_last_card(turn, last, melds_after)
    return True


def _can_meld_last_card(turn: OTurn, last: int, melds: tuple[OMeld, ...]) -> bool:
    """Whether the last card can be laid off on one of the melds, leaving an empty hand legally."""
    for index, meld in enumerate(melds):
        grown = lay_off(meld, [last], turn.rules)
        if grown is not None and guard_allows(turn, (), (*melds[:index], grown, *melds[index + 1 :])):
            return True
    return False


def _is_duplicate(turn: OTurn, new: OMeld) -> bool:
    """Whether rows 17 and R11 forbid a new meld beside those the side owns."""
    same_kind = [meld for _, meld in turn.own_melds if meld.kind == new.kind]
    if new.kind == "set":
        same_rank = any(rank(meld.cards[0]) == rank(new.cards[0]) for meld in same_kind)
        return same_rank and not turn.rules.duplicate_sets
    same_cards = any(sorted(meld.cards) == sorted(new.cards) for meld in same_kind)
    return same_cards and not turn.rules.duplicate_sequences


def can_meld(turn: OTurn, cards: Iterable[int]) -> bool:
    """Whether cards may be laid as a new meld (B4-19)."""
    cards = tuple(cards)
    new = read_fresh(cards, turn.rules)
    if not holds(turn.hand, cards) or new is None or _is_duplicate(turn, new):
        return False
    return guard_allows(turn, without(turn.hand, cards), (*(meld for _, meld in turn.own_melds), new))


def can_lay_off(turn: OTurn, meld_id: int, cards: Iterable[int]) -> bool:
    """Whether cards may be added to a meld: one of the own side only (B4-16)."""
    cards = tuple(cards)
    own = dict(turn.own_melds)
    if meld_id not in own or not holds(turn.hand, cards):
        return False
    grown = lay_off(own[meld_id], cards, turn.rules)
    if grown is None:
        return False
    own[meld_id] = grown
    return guard_allows(turn, without(turn.hand, cards), tuple(own.values()))


def can_discard(turn: OTurn, number: int) -> bool:
    """Whether a card may be discarded (B4-17, B4-29 to B4-31)."""
    if number not in turn.hand or discard_banned(turn, turn.hand, number):
        return False
    if len(turn.hand) > 1 or turn.pozzetto_available:
        return True
    melds = [meld for _, meld in turn.own_melds]
    return has_closing_burraco(turn.rules, melds) and may_close_with(turn, number)


def sub_multisets(hand: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every choice of one or more cards of a hand, sorted; equal faces are the same card."""
    return {chosen for size in range(1, len(hand) + 1) for chosen in combinations(sorted(hand), size)}


def legal_plays(turn: OTurn) -> tuple[set[tuple[int, ...]], set[tuple[int, tuple[int, ...]]], set[int]]:
    """Every legal meld, lay-off (meld id and cards) and discard, each choice of cards being tried."""
    chosen = sub_multisets(turn.hand)
    melds = {cards for cards in chosen if can_meld(turn, cards)}
    lay_offs = {
        (meld_id, cards) for meld_id, _ in turn.own_melds for cards in chosen if can_lay_off(turn, meld_id, cards)
    }
    return melds, lay_offs, {number for number in turn.hand if can_discard(turn, number)}


def after_meld(turn: OTurn, meld_id: int, cards: Iterable[int]) -> OTurn:
    """Give the turn after a new meld, the pozzetto not yet picked up."""
    cards = tuple(cards)
    new = read_fresh(cards, turn.rules)
    if new is None:
        raise ValueError("no meld")
    return _moved(turn, cards, (*turn.own_melds, (meld_id, new)))


def after_lay_off(turn: OTurn, meld_id: int, cards: Iterable[int]) -> OTurn:
    """Give the turn after a lay-off, the pozzetto not yet picked up."""
    cards = tuple(cards)
    grown = lay_off(dict(turn.own_melds)[meld_id], cards, turn.rules)
    if grown is None:
        raise ValueError("no lay-off")
    return _moved(turn, cards, tuple((own_id, grown if own_id == meld_id else own) for own_id, own in turn.own_melds))


def _moved(turn: OTurn, cards: tuple[int, ...], melds: tuple[tuple[int, OMeld], ...]) -> OTurn:
    banned = None if turn.banned in cards else turn.banned
    return replace(turn, hand=without(turn.hand, cards), own_melds=melds, banned=banned)
