"""B4-1 to B4-14: deck, seats, cut and deal."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import pytest

from service.rules.burraco import dealing
from service.rules.burraco.dealing import Deal, deal, deal_from, deck_of, drawn_seats
from service.rules.cards import parse, texts
from service.rules.events import Dealt
from service.rules.game import Seating
from service.rules.games import SeatChoice, create_match, given_seats
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, TAKE_PILE
from service.rules.options import BurracoRules, Partnerships
from service.rules.presets import FIBUR, ITALIAN
from service.rules.state import Fairness, Phase
from tests.rules.words import after, applied, card, drop, held, holds, lay, new_match, only, ready_to_close
from tests.support.tables import rules, table

KEY = b"k" * 32
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
NUMBERED = bytes(range(108))
"""A deck whose cards are told apart by their places, 0 on top; the deal never looks at a face."""


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> type["Drawing"]:
    """Let a test say which cards the players draw for seats, one after the other."""

    class Stacked(Drawing):
        cards: ClassVar[bytes] = b""

    monkeypatch.setattr(dealing, "Stream", Stacked)
    return Stacked


class Drawing:
    """A stream whose shuffle puts some cards on top of the deck."""

    cards: ClassVar[bytes] = b""

    def __init__(self, key: bytes, purpose: int, deal_number: int) -> None:
        pass

    def shuffle(self, deck: bytes) -> bytes:
        """Put the cards on top."""
        rest = bytearray(deck)
        for number in self.cards:
            rest.remove(number)
        return self.cards + bytes(rest)

    @classmethod
    def of(cls, words: str, options: BurracoRules = ITALIAN) -> Seating:
        """Seat four players who draw these cards, in the order of the players."""
        cls.cards = parse(words)
        return drawn_seats(options, KEY)


def rounds(seating: Seating) -> list[tuple[int, str, int]]:
    """Player, card and round of each draw."""
    return [(player, texts([number]), turn) for player, number, turn in seating.draws]


@pytest.mark.parametrize("preset", [ITALIAN, FIBUR], ids=["italian", "fibur"])
def test_b4_1_deck_is_two_packs_and_four_jokers(preset: BurracoRules) -> None:
    """The deck has 108 cards: two packs of 52 and four jokers."""
    faces = [rank + suit for suit in "SHDC" for rank in RANKS]

    assert len(deck_of(preset)) == 108
    assert Counter(texts(deck_of(preset)).split()) == {**dict.fromkeys(faces, 2), "JK": 4}


def test_b4_2_four_players_in_two_partnerships_across_the_table() -> None:
    """Four play, partners sit opposite each other, and turns alternate between the sides."""
    state = new_match()
    sides = []
    for _ in range(4):
        sides.append(state.side_of(state.seat))
        state = after(state, DRAW_STOCK)
        state = after(state, drop(held(state, state.seat).split()[0]))

    assert len(state.hands) == 4
    assert list(state.partners(0)) == [0, 2]
    assert list(state.partners(1)) == [1, 3]
    assert sides == [0, 1, 0, 1]


def test_b4_3_play_passes_to_the_left() -> None:
    """The player at the dealer's left plays first, and play passes to the left."""
    state = new_match(dealer=2)
    seats = []
    for _ in range(5):
        seats.append(state.seat)
        state = after(state, DRAW_STOCK)
        state = after(state, drop(held(state, state.seat).split()[0]))

    assert seats == [3, 0, 1, 2, 3]


def test_b4_4_lowest_card_deals_and_highest_plays_first(draw: type[Drawing]) -> None:
    """Who draws the lowest card deals, the highest sits at his left, and the two highest play the two lowest."""
    seating = draw.of("9S JK 3D KH")

    assert seating.players == (1, 0, 3, 2)  # JK and KH opposite each other, 9S and 3D too
    assert seating.dealer == 3  # who drew 3D
    assert rounds(seating) == [(0, "9S", 0), (1, "JK", 0), (2, "3D", 0), (3, "KH", 0)]


def test_b4_4_match_begins_with_the_highest_drawer(draw: type[Drawing]) -> None:
    """The highest drawer is the first to play, at the dealer's left."""
    seating = draw.of("4C 7H AD 10S")

    assert seating.players[0] == 2
    assert (seating.dealer + 1) % 4 == 0


@pytest.mark.parametrize(
    "strong_to_weak",
    [
        "JK 2C AH KS",
        "2C AH KS QC",
        "AC KD QH JS",
        "KC QD JH 10S",
        "QC JD 10H 9S",
        "JC 10D 9H 8S",
        "10C 9D 8H 7S",
        "9C 8D 7H 6S",
        "8C 7D 6H 5S",
        "7C 6D 5H 4S",
        "6C 5D 4H 3S",
    ],
)
def test_b4_4_ranks_for_the_draw(draw: type[Drawing], strong_to_weak: str) -> None:
    """In the draw the joker is above the two, the two above the ace, then king down to three, whatever the suits."""
    first, second, third, fourth = strong_to_weak.split()

    assert draw.of(f"{third} {first} {fourth} {second}").players == (1, 0, 3, 2)


@pytest.mark.parametrize("two", ["2S", "2H", "2D", "2C"])
def test_b4_4_the_joker_is_above_every_two(draw: type[Drawing], two: str) -> None:
    """No suit lifts a two to the joker, whoever draws first."""
    assert draw.of(f"{two} AH JK KC").players == (2, 1, 0, 3)
    assert draw.of(f"JK AH {two} KC").players == (0, 1, 2, 3)


def test_b4_5_ties_by_suit_in_the_seeds(draw: type[Drawing]) -> None:
    """Cards of equal rank are told apart by suit: spades, hearts, diamonds, clubs."""
    assert draw.of("KD KS KC KH").players == (1, 0, 3, 2)


def test_b4_5_ties_by_suit_in_the_federation(draw: type[Drawing]) -> None:
    """The federation's order of suits is hearts, diamonds, clubs, spades."""
    by_draw = rules(FIBUR, partnerships=Partnerships.BY_DRAW)

    assert draw.of("KC KH KS KD", by_draw).players == (1, 0, 3, 2)


def test_b4_5_two_jokers_draw_again_and_keep_their_priority(draw: type[Drawing]) -> None:
    """In the federation two who drew a joker draw again between themselves and stay above the others."""
    by_draw = rules(FIBUR, partnerships=Partnerships.BY_DRAW)
    seating = draw.of("JK JK KS AS 5S 7H", by_draw)

    assert seating.players == (1, 3, 0, 2)  # 7H above 5S, both above the ace
    assert rounds(seating)[4:] == [(0, "5S", 1), (1, "7H", 1)]


def test_b4_5_priority_lasts_while_they_draw_again(draw: type[Drawing]) -> None:
    """If they draw the same card once more they draw again, still above the others."""
    seating = draw.of("JK JK KS AS 5S 5S 3H 7H", rules(FIBUR, partnerships=Partnerships.BY_DRAW))

    assert rounds(seating)[4:] == [(0, "5S", 1), (1, "5S", 1), (0, "3H", 2), (1, "7H", 2)]
    assert seating.players == (1, 3, 0, 2)


def test_b4_6_two_who_drew_the_same_card_draw_again(draw: type[Drawing]) -> None:
    """Two players who drew the same card draw again, and their new cards count."""
    seating = draw.of("KS KS 9D 4C 3H QD")

    assert seating.players == (1, 3, 2, 0)
    assert rounds(seating) == [
        (0, "KS", 0),
        (1, "KS", 0),
        (2, "9D", 0),
        (3, "4C", 0),
        (0, "3H", 1),
        (1, "QD", 1),
    ]


def test_b4_6_a_second_clash_is_drawn_again_too(draw: type[Drawing]) -> None:
    """Players draw again for as long as two of them have the same card."""
    seating = draw.of("KS KS 9D 4C 9D QD 3H 10C")

    assert rounds(seating)[4:] == [(0, "9D", 1), (1, "QD", 1), (0, "3H", 2), (2, "10C", 2)]
    assert seating.players == (1, 3, 2, 0)


def test_b4_6_two_jokers_draw_afresh_in_the_seeds(draw: type[Drawing]) -> None:
    """Where the federation's priority is off, two jokers are the same card like any other."""
    assert draw.of("JK JK KS AS 5S 7H").players == (3, 1, 2, 0)


def test_b4_7_fixed_pairs_stay_together(draw: type[Drawing]) -> None:
    """In the federation pairs are fixed: the highest drawer plays first, the other pair's lower card deals to him."""
    assert draw.of("9S JK 3D KH", FIBUR).players == (1, 0, 3, 2)
    # The pair of the two highest may be any, and the lowest card of all need not deal.
    assert draw.of("KS QS 5H 9H", FIBUR).players == (0, 1, 2, 3)
    assert draw.of("KS 9H 5H QS", FIBUR).players == (0, 3, 2, 1)
    assert draw.of("9S 3D JK KH", FIBUR).players == (2, 3, 0, 1)
    assert draw.of("3D 9S KH JK", FIBUR).players == (3, 2, 1, 0)


def test_b4_7_partnerships_as_given() -> None:
    """Partnerships may be given: players sit in the order in which they are named."""
    seating = given_seats(4, 1, KEY)

    assert seating.players == (0, 1, 2, 3)
    assert seating.dealer == 1
    assert seating.draws == ()


def test_b4_7_a_dealer_by_the_seed() -> None:
    """With partnerships given and no dealer named the seed chooses one, any of the four."""
    dealers = {given_seats(ITALIAN.players, None, bytes([number]) * 32).dealer for number in range(40)}

    assert dealers == {0, 1, 2, 3}
    assert given_seats(ITALIAN.players, None, KEY) == given_seats(ITALIAN.players, None, KEY)


def test_b4_8_the_deal_moves_left() -> None:
    """After each deal the player at the dealer's left deals."""
    outcome = applied(ready_to_close(dealer=3), drop("9C"))
    dealt = applied(outcome.state, NEXT_DEAL)

    assert dealt.state.dealer == 0
    assert dealt.state.seat == 1
    assert dealt.state.deal_number == 2
    assert only(dealt.events, Dealt).dealer == 0


def test_b4_9_the_cut_takes_22_and_leaves_45() -> None:
    """The cut lifts at least 22 cards and leaves at least 45; every such cut occurs."""
    cuts = {deal(ITALIAN, KEY, number, 0).cut for number in range(1, 1001)}

    assert cuts == set(range(22, 64))


def numbered(cut: int, dealer: int) -> Deal:
    """Deal from the deck whose cards are told apart by their places."""
    return deal_from(ITALIAN, NUMBERED, cut, dealer)


def every_fourth(first: int) -> bytes:
    """Eleven numbers, each four above the one before."""
    return bytes(first + 4 * turn for turn in range(11))


@pytest.mark.parametrize(("dealer", "first_cards"), [(3, (30, 31, 32, 33)), (1, (32, 33, 30, 31))])
def test_b4_10_eleven_cards_one_at_a_time_from_the_dealers_left(dealer: int, first_cards: Sequence[int]) -> None:
    """The dealer deals 11 cards to each from the part that stayed, one at a time, clockwise from his left."""
    dealt = numbered(30, dealer)

    assert dealt.hands == tuple(map(every_fourth, first_cards))


def test_b4_11_pozzetti_from_the_bottom_of_the_lifted_part() -> None:
    """The cutter deals two pozzetti of 11 from the bottom of the lifted part, one card at a time, alternately."""
    assert numbered(30, 0).pozzetti == (
        bytes([29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9]),
        bytes([28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8]),
    )


def test_b4_12_the_pozzetto_that_got_the_first_card_is_taken_first() -> None:
    """The pozzetto that got the first card lies on top and is taken first."""
    upper, lower = "3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D", "AS AH AD AC 3C 4C 5C 6C JH QH KH"
    state = table(hands=["7S 8S 9S", "7H 8H 9H"], pozzetti=[upper, lower], pile="3C", stock="10H KD QD JD")

    first = after(state, lay("7S 8S 9S"))
    second = after(first, drop("3S"), DRAW_STOCK, lay("7H 8H 9H 10H"))

    assert holds(first, 0, upper)
    assert holds(second, 1, lower)
    assert second.pozzetti == ()


def test_b4_13_45th_card_is_turned_up_and_41_are_the_stock() -> None:
    """The dealer's 45th card is turned up, and his leftovers lie on those of the cutter as a stock of 41."""
    dealt = numbered(30, 2)

    assert dealt.upcard == 74
    assert dealt.stock == bytes([*range(75, 108), *range(8)])
    assert len(dealt.stock) == 41


@pytest.mark.parametrize("cut", [22, 63])
def test_b4_13_counts_do_not_depend_on_the_cut(cut: int) -> None:
    """Whatever the cut, hands have 44 cards, pozzetti 22, the pile 1 and the stock 41."""
    dealt = numbered(cut, 0)

    assert [len(hand) for hand in dealt.hands] == [11, 11, 11, 11]
    assert [len(pozzetto) for pozzetto in dealt.pozzetti] == [11, 11]
    assert len(dealt.stock) == 41
    assert sorted([*b"".join(dealt.hands), *b"".join(dealt.pozzetti), *dealt.stock, dealt.upcard]) == list(range(108))


def test_b4_13_a_match_begins_so() -> None:
    """A dealt match has 11 cards in each hand, one on the pile, 41 in the stock and two pozzetti of 11."""
    fairness = Fairness(b"\x05" * 32, given=True)
    outcome = create_match(ITALIAN, fairness, "a match", SeatChoice(dealer=0))
    state, dealt = outcome.state, only(tuple(event for _, event in outcome.events), Dealt)

    assert [hand.size for hand in state.hands] == [11, 11, 11, 11]
    assert (len(state.discard), len(state.stock), [len(p) for p in state.pozzetti]) == (1, 41, [11, 11])
    assert state.phase is Phase.DRAW
    assert (state.points, state.deals_scored, state.deal_number, state.revision) == ((0, 0), 0, 1, 0)
    assert (state.melds, state.taken_by, state.unseen) == ((), (-1, -1), (False,) * 4)
    assert (dealt.stock_count, dealt.hand_counts, dealt.dealer) == (41, (11, 11, 11, 11), 0)


@pytest.mark.parametrize("upcard", ["2D", "JK"])
def test_b4_14_a_wild_turned_up_first_stays(upcard: str) -> None:
    """A two or joker turned up first stays, and the first player may take it."""
    deck = bytearray(108)
    deck[30 + 44] = card(upcard)
    state = table(hands=["4S 5S 6S"], pile=upcard, phase=Phase.DRAW)

    assert deal_from(ITALIAN, bytes(deck), 30, 0).upcard == card(upcard)
    assert holds(after(state, TAKE_PILE), 0, f"4S 5S 6S {upcard}")
