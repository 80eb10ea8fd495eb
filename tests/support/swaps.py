"""Twins: states that differ in two cards that are hidden from a viewer, or in what no viewer is ever told."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from service.rules.audit import audit
from service.rules.cards import JOKER, NO_CARD, Card, rank_of
from service.rules.hand import hand_of
from service.rules.state import Phase, State, Turn
from tests.support.known import covered, known

TRIES: Final = 8
"""So often two cards are looked for that may change places, before two heaps are given up."""
SEEDS: Final = 2000


class Heap(NamedTuple):
    """A heap of cards: a hand by its seat, a pozzetto by its place, the stock, what is left of it, the pile."""

    kind: str
    number: int = 0

    @property
    def ordered(self) -> bool:
        """Whether the order of its cards is a fact of its own."""
        return self.kind != "hand"


class Twin(NamedTuple):
    """A state of which a viewer knows the same, and where it differs."""

    state: State
    places: tuple[str, str]


TOP: Final = Heap("top of the stock")
STOCK: Final = Heap("stock")
PILE: Final = Heap("pile")


def heaps(state: State) -> dict[Heap, bytes]:
    """Cards by heap; the top card of the stock is a heap of its own, since it is the next to be drawn."""
    found = {Heap("hand", seat): hand.cards() for seat, hand in enumerate(state.hands)}
    found |= {Heap("pozzetto", number): cards for number, cards in enumerate(state.pozzetti)}
    found |= {TOP: state.stock[:1], STOCK: state.stock[1:], PILE: state.discard}
    return {heap: cards for heap, cards in found.items() if cards}


def with_heaps(state: State, cards: dict[Heap, bytes]) -> State:
    """The state with these cards in its heaps."""
    return state._replace(
        hands=tuple(hand_of(cards.get(Heap("hand", seat), b"")) for seat in range(len(state.hands))),
        pozzetti=tuple(cards[Heap("pozzetto", number)] for number in range(len(state.pozzetti))),
        stock=cards.get(TOP, b"") + cards.get(STOCK, b""),
        discard=cards.get(PILE, b""),
    )


def swapped(state: State, one: tuple[Heap, int], other: tuple[Heap, int]) -> State:
    """The state with two cards changed for each other, and what the turn says of the mover's hand with them."""
    cards = {heap: bytearray(each) for heap, each in heaps(state).items()}
    (here, at), (there, to) = one, other
    first, second = cards[here][at], cards[there][to]
    cards[here][at], cards[there][to] = second, first
    twin = with_heaps(state, {heap: bytes(each) for heap, each in cards.items()})
    hand = Heap("hand", state.seat)
    if (here == hand) == (there == hand):
        return twin
    gone, came = (first, second) if here == hand else (second, first)
    return twin._replace(turn=_turn_with(twin, gone, came))


def _turn_with(twin: State, gone: Card, came: Card) -> Turn:
    """The turn of a mover who holds another card: it may be the one that he drew, or had before he took the pile."""
    turn = twin.turn
    if turn.drawn == gone and not twin.hands[twin.seat].count(gone):
        turn = turn._replace(drawn=came)
    before = bytearray(turn.hand_before_pile.cards())
    if gone in before:
        before[before.index(gone)] = came
        turn = turn._replace(hand_before_pile=hand_of(bytes(before)))
    return turn


def is_sound(state: State) -> bool:
    """Whether a state is one that play can come to, as far as the turn and the audit tell."""
    hand, turn = state.hands[state.seat], state.turn
    if state.phase is Phase.PLAY:
        # Everyone saw these go into the hand.
        seen = {turn.drawn, turn.taken_single, turn.must_meld, turn.taken} - {NO_CARD}
        if not all(hand.count(card) for card in seen) and not turn.melded:
            return False
        if not all(hand.count(card) for card in seen - {turn.drawn}) or turn.jokers_owed > hand.jokers:
            return False
        if turn.must_meld and turn.hand_before_pile.size and not hand.covers(turn.hand_before_pile):
            return False
    return next(audit(state), None) is None


def pile_kept(state: State, twin: State) -> bool:
    """Whether the cards that everyone saw the mover take with the pile are still in his hand (R2)."""
    if not state.turn.hand_before_pile.size:
        return True

    def taken(each: State) -> Counter[int]:
        return Counter(each.hands[each.seat].cards()) - Counter(each.turn.hand_before_pile.cards())

    return taken(state) == taken(twin)


def _telling(card: Card) -> bool:
    """Whether a card is one that changes what may be done: a wild, mostly."""
    return card == JOKER or rank_of(card) <= 2


def _two_places(
    cards: dict[Heap, bytes], one: Heap, other: Heap, rng: random.Random
) -> tuple[tuple[Heap, int], tuple[Heap, int]]:
    at = rng.randrange(len(cards[one]))
    special = [place for place, card in enumerate(cards[one]) if _telling(card)]
    if special and rng.randrange(2):
        at = rng.choice(special)
    return (one, at), (other, rng.randrange(len(cards[other])))


def twins(state: State, viewer: int, rng: random.Random) -> Iterator[Twin]:
    """One twin for each two heaps between which cards hidden from a viewer can change places, in random order.

    The first, where they can be, are of cards that may be shown soon: the stock's top card, those of a covered pile,
    and the viewer's own pozzetto while it lies face down.
    """
    cards = heaps(state)
    pairs = [(a, b) for a, b in combinations_with_replacement(cards, 2) if a != b or a.ordered]
    rng.shuffle(pairs)
    own = Heap("hand", viewer)
    soon = [TOP, *([PILE] if covered(state) > 1 else []), *([own] if viewer >= 0 and state.unseen[viewer] else [])]
    first = {next(pair for pair in pairs if heap in pair) for heap in soon if heap in cards}
    pairs.sort(key=lambda pair: pair not in first)
    facts = known(state, viewer)
    for one, other in pairs:
        for _ in range(TRIES):
            here, there = _two_places(cards, one, other, rng)
            if cards[one][here[1]] == cards[other][there[1]]:
                continue
            twin = swapped(state, here, there)
            if known(twin, viewer) == facts and is_sound(twin) and pile_kept(state, twin):
                yield Twin(twin, (one.kind, other.kind))
                break


def secret_twin(state: State, viewer: int, rng: random.Random) -> Twin:
    """A twin that differs in what nobody is told: the seed (unless a commitment tells it apart), chain and epochs."""
    # The viewer's own epoch is no secret to him: it says whether his token still holds.
    epochs = (epoch if seat == viewer else (epoch + 1) % 100 or 1 for seat, epoch in enumerate(state.token_epochs))
    secret = state._replace(chain=rng.randbytes(16), token_epochs=tuple(epochs))
    facts = known(state, viewer)
    for _ in range(SEEDS):
        fairness = state.match.fairness._replace(seed=rng.randbytes(32))
        twin = secret._replace(match=state.match._replace(fairness=fairness))
        if known(twin, viewer) == facts:
            return Twin(twin, ("seed", "seed"))
        if state.match.fairness.salt or state.result:
            break
    return Twin(secret, ("chain", "chain"))
