"""Two states of any game that differ in nothing but cards hidden from one viewer.

Viewers are numbered like seats; the one after the last seat is the spectator. What is hidden is said here as the
contract says it, and not asked of the service.
"""

import random
from typing import Final, NamedTuple

from service.rules.cards import JOKER
from service.rules.hand import hand_of
from service.rules.options import DiscardVisible
from service.rules.state import DealEnd, State

COUNTED: Final = frozenset(DealEnd) - {DealEnd.NOT_ENDED, DealEnd.RESIGNED, DealEnd.VOID}


def players(state: State) -> int:
    """Number of players, and the spectator's place among the viewers."""
    return len(state.match.players)


def pile_is_hidden(state: State) -> bool:
    """Whether only the top card of the pile is seen."""
    return getattr(state.match.rules, "discard_visible", None) is DiscardVisible.TOP_ONLY


def sees(state: State, viewer: int, seat: int) -> bool:
    """Whether a viewer may see a hand, as the contract says it."""
    return state.deal_end in COUNTED or (viewer == seat and not state.unseen[seat])


class Places(NamedTuple):
    """Where the cards of a state lie, to be moved about."""

    hands: list[bytearray]
    pozzetti: list[bytearray]
    stock: bytearray
    discard: bytearray


def hidden_slots(state: State, places: Places, viewer: int) -> list[tuple[bytearray, int]]:
    """Every place of a card that is hidden from a viewer and that nothing else of the state names."""
    slots = [(pile, at) for pile in (places.stock, *places.pozzetti) for at in range(len(pile))]
    if pile_is_hidden(state):
        slots += [(places.discard, at) for at in range(len(places.discard) - 1)]
    turn = state.turn
    for seat, hand in enumerate(places.hands):
        if sees(state, viewer, seat) or (seat == state.seat and turn.hand_before_pile.size):
            continue
        # What everyone saw the mover take, and what he has drawn, stays in his hand.
        named = {turn.drawn, turn.taken_single, turn.must_meld, turn.taken} if seat == state.seat else set()
        named |= {JOKER} if seat == state.seat and turn.jokers_owed else set()
        slots += [(hand, at) for at, card in enumerate(hand) if card not in named]
    return slots


def twin(state: State, viewer: int, rng: random.Random) -> State | None:
    """The same state with all cards that are hidden from a viewer dealt anew; None where nothing is hidden."""
    places = Places(
        [bytearray(hand.cards()) for hand in state.hands],
        [bytearray(pozzetto) for pozzetto in state.pozzetti],
        bytearray(state.stock),
        bytearray(state.discard),
    )
    slots = hidden_slots(state, places, viewer)
    cards = [pile[at] for pile, at in slots]
    rng.shuffle(cards)
    for (pile, at), card in zip(slots, cards, strict=True):
        pile[at] = card
    other = state._replace(
        hands=tuple(map(hand_of, places.hands)),
        pozzetti=tuple(map(bytes, places.pozzetti)),
        stock=bytes(places.stock),
        discard=bytes(places.discard),
    )
    return None if other == state else other
