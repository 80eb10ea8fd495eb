"""Shuffles, hands, seats, cuts and first dealers are even; shuffles with the usual mistakes fail the same tests."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import exp
from random import Random
from typing import Final

import pytest

from service.rules.burraco.dealing import LEAST_CUT, deal_from, drawn_seats
from service.rules.cards import FACES, JOKER
from service.rules.games import given_seats
from service.rules.gin import dealing as gin
from service.rules.presets import FIBUR, ITALIAN
from service.rules.stream import PURPOSE_CUT, PURPOSE_DECK, Stream, stream_key
from tests.fairness.statistics import even, evenness, most, neighbours, places, together

ROUNDS: Final = 13_260
"""Five for each ordered pair of 52 cards."""
PACK, DECK = 52, 108

Numbers = Callable[[int], int]
"""Draws a number below a bound."""


def key_of(number: int) -> bytes:
    """The key of a match."""
    return stream_key(number.to_bytes(32, "big"), (b"entropy",))


def by_seeds(size: int) -> Iterator[bytes]:
    """The first deal of many matches; cards are numbered, so that twins are told apart."""
    return (Stream(key_of(number), PURPOSE_DECK, 1).shuffle(bytes(range(size))) for number in range(ROUNDS))


def by_deals(size: int) -> Iterator[bytes]:
    """Many deals of one match."""
    key = key_of(1)
    return (Stream(key, PURPOSE_DECK, number + 1).shuffle(bytes(range(size))) for number in range(ROUNDS))


# --- shuffles with the usual mistakes ---------------------------------------------------------------------------------


def swapped(size: int, partner: Callable[[int, Numbers], int], words: int = 1 << 32) -> Iterator[bytes]:
    """Shuffles that swap each place, from the last down, with a partner; words are taken modulo the bound."""
    rng = Random(7)

    def below(bound: int) -> int:
        return rng.randrange(words) % bound

    for _ in range(ROUNDS):
        deck = bytearray(range(size))
        for place in range(size - 1, 0, -1):
            other = partner(place, below)
            deck[place], deck[other] = deck[other], deck[place]
        yield bytes(deck)


def with_any_place(size: int) -> Iterator[bytes]:
    """Each place is swapped with any other one or itself."""
    return swapped(size, lambda _, below: below(size))


def never_with_itself(size: int) -> Iterator[bytes]:
    """Each place is swapped with a lower one: the bound is one too low."""
    return swapped(size, lambda place, below: below(place))


def of_small_words(size: int) -> Iterator[bytes]:
    """Numbers are bytes modulo the bound, so low ones are likelier."""
    return swapped(size, lambda place, below: below(place + 1), words=256)


def sound(size: int) -> Iterator[bytes]:
    """The same loop without a mistake."""
    return swapped(size, lambda place, below: below(place + 1))


def only_cut(size: int) -> Iterator[bytes]:
    """A pack that is only cut: every card is as likely at every place, but its neighbour is always the same."""
    rng = Random(7)
    for _ in range(ROUNDS):
        at = rng.randrange(size)
        yield bytes((*range(at, size), *range(at)))


@lru_cache(maxsize=16)
def decks(source: Callable[[int], Iterator[bytes]], size: int) -> Sequence[bytes]:
    """The decks of a source."""
    return tuple(source(size))


def hands_at_gin(source: Callable[[int], Iterator[bytes]]) -> list[bytes]:
    """The dealer's hand of each deal."""
    return [gin.deal_from(deck, 0).hands[0] for deck in decks(source, PACK)]


EVEN = [by_seeds, by_deals, sound]
BIASED = [with_any_place, never_with_itself, of_small_words]


@pytest.mark.parametrize("source", EVEN)
@pytest.mark.parametrize("size", [PACK, DECK])
def test_every_card_is_as_likely_at_every_place(source: Callable[[int], Iterator[bytes]], size: int) -> None:
    assert places(decks(source, size)) < 1


@pytest.mark.parametrize("source", EVEN)
@pytest.mark.parametrize("place", [0, 25, 50])
def test_every_pair_of_neighbours_is_as_likely(source: Callable[[int], Iterator[bytes]], place: int) -> None:
    assert neighbours(decks(source, PACK), place) < 1


@pytest.mark.parametrize("source", EVEN)
def test_every_two_cards_are_as_likely_in_one_hand(source: Callable[[int], Iterator[bytes]]) -> None:
    assert together(hands_at_gin(source), PACK) < 1


@pytest.mark.parametrize("seat", range(4))
def test_every_two_cards_are_as_likely_in_one_hand_of_burraco(seat: int) -> None:
    """After the cut and the deal for four, and in a pozzetto."""
    dealt = [
        deal_from(ITALIAN, deck, LEAST_CUT + Stream(key_of(number), PURPOSE_CUT, 1).below(42), number % 4)
        for number, deck in enumerate(decks(by_seeds, DECK))
    ]
    assert together([each.hands[seat] for each in dealt], DECK) < 1
    assert together([each.pozzetti[seat % 2] for each in dealt], DECK) < 1


# --- the tests can fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", BIASED)
def test_a_biased_shuffle_fails_at_the_places(source: Callable[[int], Iterator[bytes]]) -> None:
    assert places(decks(source, PACK)) > 1


@pytest.mark.parametrize("source", BIASED)
def test_a_biased_shuffle_fails_at_the_pairs(source: Callable[[int], Iterator[bytes]]) -> None:
    """Neighbours somewhere in the pack, or two cards in one hand."""
    found = [neighbours(decks(source, PACK), place) for place in (0, 25, 50)]
    assert max(*found, together(hands_at_gin(source), PACK)) > 1


def test_a_pack_that_is_only_cut_fails_at_the_pairs_alone() -> None:
    """No place says anything of it: pairs do."""
    cut = decks(only_cut, PACK)
    assert all(even((deck[place] for deck in cut), PACK) < 1 for place in (0, 25, 51))
    assert neighbours(cut, 0) > 1
    assert together([deck[:10] for deck in cut], PACK) > 1


def test_a_number_of_one_byte_fails() -> None:
    """A byte modulo 108 favours the 40 lowest numbers; one that is drawn anew above 215 does not."""
    rng = Random(3)
    assert even((rng.randrange(256) % DECK for _ in range(ROUNDS)), DECK) > 1
    assert even((rng.randrange(2 * DECK) % DECK for _ in range(ROUNDS)), DECK) < 1


@pytest.mark.parametrize("freedom", [2, 10, 100, 1000])
def test_the_quantile_is_that_of_chi_square(freedom: int) -> None:
    """For k even, the chance to be above x is that of fewer than k / 2 events where x / 2 are expected (Poisson)."""
    half, term, chance = most(freedom) / 2, 1.0, 0.0
    for events in range(freedom // 2):
        chance += term
        term *= half / (events + 1)
    assert 0.6e-4 < chance * exp(-half) < 1.1e-4


# --- the smaller draws ------------------------------------------------------------------------------------------------


def test_every_cut_is_as_likely() -> None:
    """42 cuts of 108 cards with hands of 11 (B4-9)."""
    assert even((Stream(key_of(number), PURPOSE_CUT, 1).below(42) for number in range(ROUNDS)), 42) < 1


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_seat_is_as_likely_to_deal_first(players: int) -> None:
    assert even((given_seats(players, None, key_of(number)).dealer for number in range(ROUNDS)), players) < 1


def test_every_seating_is_as_likely() -> None:
    """By the draw all 24 (B4-4); with fixed partners eight (B4-7). Every card is as likely to be drawn first."""
    drawn = [drawn_seats(ITALIAN, key_of(number)) for number in range(ROUNDS)]
    orders = {order: number for number, order in enumerate(permutations(range(4)))}
    assert even((orders[each.players] for each in drawn), 24) < 1
    fixed = [order for order in orders if (order[0] - order[2]) % 4 == 2]
    seats = [drawn_seats(FIBUR, key_of(number)).players for number in range(ROUNDS)]
    assert even(map(fixed.index, seats), 8) < 1
    faces = (*FACES, JOKER)
    likely = [2 / DECK] * len(FACES) + [4 / DECK]
    for player in range(4):
        assert evenness((faces.index(each.draws[player].card) for each in drawn), likely) < 1
