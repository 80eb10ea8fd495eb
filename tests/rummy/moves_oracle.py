"""Every legal move of the seat to move at Ramino and Scala 40, by brute force: each choice of cards is tried.

Written from the rule book, for the presets' options; it reads states as values, and melds by the slow reading.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from service.rules.cards import parse, text
from service.rules.melds import Meld, MeldKind
from service.rules.moves import Discard, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.options import AcePlace, Game
from service.rules.rummy.options import NoAttachableDiscard, PileBeforeOpening, RaminoRules, Scala40Rules, SwappedJoker
from service.rules.state import Phase, State
from tests.rummy.oracle import RANKS, Lying, best, is_set, lay_offs, melds, most_to_open, split

ACES = {AcePlace.LOW: "low", AcePlace.HIGH: "high", AcePlace.LOW_OR_HIGH: "both"}
RESIGN = Plain(MoveKind.RESIGN)
Words = tuple[str, ...]


class Turn:
    """A turn in progress, in words."""

    def __init__(self, state: State) -> None:
        rules: RaminoRules | Scala40Rules = state.match.rules
        self.seat = state.seat
        self.scala = rules if isinstance(rules, Scala40Rules) else None
        self.ace = ACES[rules.ace_in_sequences]
        self.longest = 14 if rules.game is Game.SCALA_40 else 13  # SC-12, RA-6
        self.hand: Words = words(state.hands[state.seat].cards())
        self.table = {meld.meld_id: roles(meld) for meld in state.melds}
        self.laid_before = state.laid[state.seat]
        self.melded = state.turn.melded
        self.opening = state.turn.opening
        self.taken = text(state.turn.taken) if state.turn.taken else ""
        self.must_use = text(state.turn.must_meld) if state.turn.must_meld else ""
        self.joker_owed = state.turn.jokers_owed > 0
        self.rediscard = rules.rediscard_taken_card
        self.players = state.out.count(False)
        # SC-17, E58: everyone must have had a turn.
        self.no_closing = bool(self.scala and self.scala.no_close_first_round and state.turns_taken < self.players)

    @property
    def opened(self) -> bool:
        """Whether lay-offs and recoveries are open: always at Ramino (RA-9), after 40 points at Scala 40 (SC-15)."""
        return not self.scala or self.laid_before or (self.melded and self.opening >= self.scala.opening_points)

    def barred(self, hand: Words, card: str) -> bool:
        """Whether a card was taken from the pile, and its twin is not held (RA-8, SC-8)."""
        return card == self.taken and not self.rediscard and hand.count(card) == 1

    def can_end(self, left: Words, used: Words) -> bool:
        """Whether the turn can end with the cards left, after others were laid: a discard closes (RA-10, SC-17)."""
        if len(left) >= 2:
            return True
        return bool(left) and not self.no_closing and (self.taken in used or not self.barred(left, left[0]))

    def owes(self, used: Words) -> bool:
        """Whether something else has to be used first (SC-6, SC-14)."""
        return (bool(self.must_use) and self.must_use not in used) or (self.joker_owed and "JK" not in used)


def words(cards: bytes) -> Words:
    """Cards in words."""
    return tuple(text(card) for card in cards)


def roles(meld: Meld) -> Lying:
    """A meld of the table: its cards, and what each stands for."""
    if meld.kind is MeldKind.SET:
        assert not meld.low, "no move of the tables declares a suit"
        return tuple((word, word) for word in words(meld.cards))
    return tuple((text(card), text(meld.wild_as if at == meld.wild_at else card)) for at, card in enumerate(meld.cards))


def numbers(chosen: Words) -> bytes:
    """Cards as a move has them."""
    return bytes(sorted(parse(" ".join(chosen))))


def without(hand: Words, gone: Words) -> Words:
    """The hand without some cards."""
    left = list(hand)
    for card in gone:
        left.remove(card)
    return tuple(left)


@lru_cache(maxsize=64)
def choices(hand: Words) -> tuple[Words, ...]:
    """Every choice of cards that can be part of one meld: besides one joker they have one suit or one rank."""
    naturals, joker = [card for card in hand if card != "JK"], ["JK"] if "JK" in hand else []
    suits = [[card for card in naturals if split(card)[1] == suit] for suit in "SHDC"]
    ranks = [[card for card in naturals if split(card)[0] == rank] for rank in RANKS]
    found = {
        tuple(sorted(chosen))
        for alike in (*suits, *ranks)
        for size in range(1, len(alike) + len(joker) + 1)
        for chosen in combinations([*alike, *joker], size)
    }
    return tuple(sorted(found))


@lru_cache(maxsize=1 << 12)
def _most_to_open(hand: Words, ace: str, keep: int) -> int:
    return most_to_open(hand, ace, keep)


# --- the moves --------------------------------------------------------------------------------------------------------


def legal_moves(state: State) -> set[Move]:
    """Every legal move of the seat to move."""
    if state.phase is Phase.MATCH_OVER:
        return set()
    resign = set() if state.out[state.seat] else {RESIGN}
    if state.phase is Phase.DEAL_OVER:
        return {Plain(MoveKind.NEXT_DEAL), *resign}
    turn = Turn(state)
    if state.phase is Phase.DRAW:
        return {RESIGN, *_draws(state, turn)}
    return {RESIGN, *_melds(turn), *_lay_offs(turn), *_recoveries(turn), *_discards(turn)}


def _draws(state: State, turn: Turn) -> Iterator[Move]:
    if state.stock:
        yield Plain(MoveKind.DRAW_STOCK)
    if state.discard and _may_take(turn, text(state.discard[-1])):
        yield Plain(MoveKind.TAKE_PILE)


def _may_take(turn: Turn, top: str) -> bool:
    """Whether the pile's top card may be taken (RA-5, SC-6)."""
    if not turn.scala:
        return True
    if not turn.opened and turn.scala.pile_before_opening is PileBeforeOpening.NEVER:
        return False
    assert turn.opened or turn.scala.pile_before_opening is PileBeforeOpening.FREE, "no preset has it otherwise"
    if not turn.scala.pile_card_must_be_used:
        return True
    turn.hand, turn.taken, turn.must_use = (*turn.hand, top), top, top
    return any(True for moves in (_melds(turn), _lay_offs(turn), _recoveries(turn)) for _ in moves)


def _melds(turn: Turn) -> Iterator[Move]:
    """New melds (RA-6, SC-11, SC-12, SC-13); the first ones have to come to 40 together (SC-9)."""
    for chosen in choices(turn.hand):
        if turn.owes(chosen) or not melds(chosen, turn.ace, turn.longest):
            continue
        left = without(turn.hand, chosen)
        if turn.can_end(left, chosen) and (turn.opened or _opens(turn, chosen, left)):
            yield LayMeld(numbers(chosen))


def _opens(turn: Turn, chosen: Words, left: Words) -> bool:
    """Whether a meld comes to the opening's points, with those laid before it and those that can follow this turn."""
    assert turn.scala
    assert turn.rediscard or not turn.taken, "no preset lets a player take and open, and bars the card"
    total = turn.opening + best(chosen, turn.ace, turn.longest)
    if total >= turn.scala.opening_points:
        return True
    return total + _most_to_open(left, turn.ace, 2 if turn.no_closing else 1) >= turn.scala.opening_points


def _lay_offs(turn: Turn) -> Iterator[Move]:
    """Lay-offs on anyone's melds (RA-9, SC-15), which keep their cards where they are."""
    if not turn.opened:
        return
    for chosen in choices(turn.hand):
        if turn.owes(chosen) or not turn.can_end(without(turn.hand, chosen), chosen):
            continue
        for meld_id, lying in turn.table.items():
            if lay_offs(lying, chosen, turn.ace, turn.longest):
                yield LayOff(meld_id, numbers(chosen))


def _recoveries(turn: Turn) -> Iterator[Move]:
    """Recoveries of a joker, by the card that it stands for; it has to be used this turn (SC-14)."""
    if not turn.scala or not turn.opened or turn.joker_owed:
        return
    for meld_id, lying in turn.table.items():
        if "JK" not in [card for card, _ in lying]:
            continue
        for card in sorted(set(turn.hand)):
            changed = _replaced(lying, card)
            if changed is None or (turn.must_use and turn.must_use != card):
                continue
            if turn.scala.swapped_joker is SwappedJoker.MUST_USE_NOW and _joker_is_usable(turn, meld_id, changed, card):
                yield ReplaceWild(meld_id, parse(card)[0])


def _replaced(lying: Lying, card: str) -> Lying | None:
    """The meld with a card in its joker's place; in a set any suit that is missing will do."""
    cards = [each for each, _ in lying]
    if is_set(cards):
        rank = split(cards[0])[0]
        if card in cards or card == "JK" or split(card)[0] != rank:
            return None
        return tuple((each, each) for each in (*cards[:-1], card))
    at = cards.index("JK")
    if lying[at][1] != card or card in cards:
        return None  # the natural ace at the other end is the same card: no sequence holds two (SC-12)
    return (*lying[:at], (card, card), *lying[at + 1 :])


def _joker_is_usable(turn: Turn, meld_id: int, changed: Lying, card: str) -> bool:
    """Whether the joker can be laid at once from the hand that it comes into."""
    before = turn.hand, turn.table, turn.must_use, turn.joker_owed, turn.taken
    turn.hand = (*without(turn.hand, (card,)), "JK")
    turn.table = {**turn.table, meld_id: changed}
    turn.must_use, turn.joker_owed = "", True
    turn.taken = "" if turn.taken == card else turn.taken
    usable = any(True for moves in (_melds(turn), _lay_offs(turn)) for _ in moves)
    turn.hand, turn.table, turn.must_use, turn.joker_owed, turn.taken = before
    return usable


def _discards(turn: Turn) -> Iterator[Move]:
    """Discards, the last of which closes (RA-8, RA-10, SC-8, SC-16, SC-17)."""
    if turn.must_use or turn.joker_owed or (turn.melded and not turn.opened):
        return
    allowed = [card for card in sorted(set(turn.hand)) if not turn.barred(turn.hand, card)]
    if len(turn.hand) == 1:
        allowed = [] if turn.no_closing else allowed
    elif _minds_fitting(turn):
        # SC-16; a turn has to be able to end, so where every card fits one, none is barred.
        loose = [card for card in allowed if not any(lay_offs(lying, (card,), turn.ace, 14) for lying in _tables(turn))]
        allowed = loose or allowed
    for card in allowed:
        yield Discard(parse(card)[0])


def _tables(turn: Turn) -> list[Lying]:
    return list(turn.table.values())


def _minds_fitting(turn: Turn) -> bool:
    if not turn.scala or turn.scala.no_attachable_discard is NoAttachableDiscard.OFF:
        return False
    assert turn.scala.no_attachable_discard is NoAttachableDiscard.ALL_IF_THREE_PLUS, "no preset has it otherwise"
    return turn.players > 2
