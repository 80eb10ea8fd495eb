"""Deals, seats and points: the service's against the oracle's (B4-4 … B4-13, B4-36 … B4-42, §2.2)."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service.rules.burraco.dealing import deal_from, deck_of, drawn_seats, strength
from service.rules.burraco.score import SideCount, count_deal, victory_points
from service.rules.games import given_seats
from service.rules.hand import hand_of
from service.rules.options import BurracoRules, Partnerships
from service.rules.state import NOBODY, Phase
from service.rules.stream import stream_key
from tests.oracle import deal as oracle_deal
from tests.oracle import score as oracle_score
from tests.oracle.cards import JOKER, value
from tests.oracle.melds import OMeld, read_fresh
from tests.support.bridge import Reached, from_oracle
from tests.support.games import all_cards, new_match
from tests.support.profile import examples
from tests.support.strategies import FACES, Cards, closing_rules, rule_sets, selections, within_deck

seeds = st.integers(0, 2**32)


# --- the deal --------------------------------------------------------------------------------------------------------


@examples(150)
@given(rule_sets(), seeds, st.integers(0, 3), st.data())
def test_B4_13_a_deal_lays_each_card_where_the_oracle_lays_it(
    rules: BurracoRules, seed: int, dealer: int, data: st.DataObject
) -> None:
    deck = bytearray(deck_of(rules))
    Random(seed).shuffle(deck)
    cut = data.draw(st.integers(22, len(deck) - rules.players * rules.hand_size - 1))
    dealt = deal_from(rules, bytes(deck), cut, dealer)
    hands, pozzetti, stock, upcard = oracle_deal.deal(deck, cut, dealer, rules)
    assert tuple(map(tuple, dealt.hands)) == hands
    assert tuple(map(tuple, dealt.pozzetti)) == pozzetti
    assert (tuple(dealt.stock), dealt.upcard, dealt.cut) == (stock, upcard, cut)


@examples(60)
@given(rule_sets(), seeds)
def test_B4_13_a_new_match_holds_the_deck(rules: BurracoRules, seed: int) -> None:
    state = new_match(rules, seed)
    assert Counter(all_cards(state)) == Counter({**dict.fromkeys(FACES, 2), JOKER: rules.jokers}) - Counter()
    assert [hand.size for hand in state.hands] == [rules.hand_size] * 4
    assert [len(pozzetto) for pozzetto in state.pozzetti] == [11, 11]
    assert (len(state.discard), state.phase, state.seat) == (1, Phase.DRAW, (state.dealer + 1) % 4)


# --- the draw for seats ----------------------------------------------------------------------------------------------


@examples(300)
@given(rule_sets(), st.lists(st.sampled_from((*FACES, JOKER)), min_size=2, max_size=6, unique=True))
def test_B4_4_cards_drawn_for_seats_rank_as_the_oracle_ranks_them(rules: BurracoRules, drawn: list[int]) -> None:
    ranking = sorted(range(len(drawn)), key=lambda at: strength(drawn[at], rules.tie_suit_order), reverse=True)
    assert tuple(ranking) == oracle_deal.draw_ranking(drawn, rules)


def test_B4_4_seats_follow_the_cards_drawn() -> None:
    reached = Reached()

    @examples(400)
    @given(rule_sets(), seeds)
    def law(rules: BurracoRules, seed: int) -> None:
        seating = drawn_seats(rules, stream_key(seed.to_bytes(32, "big"), ()))
        assert sorted(seating.players) == [0, 1, 2, 3]
        assert seating.dealer == 3
        last = max(draw.round for draw in seating.draws)
        reached["drawn again" if last else "drawn once"] += 1
        first = [draw.card for draw in seating.draws if draw.round == 0]
        # B4-6: exactly those draw again whose cards are equal.
        again = {draw.player for draw in seating.draws if draw.round == 1}
        assert again == {player for player in range(4) if first.count(first[player]) > 1} or last > 1
        if last:
            return
        ranking = oracle_deal.draw_ranking(first, rules)
        highest, lowest = ranking[0], ranking[-1]
        assert seating.players[0] == highest
        if rules.partnerships is Partnerships.BY_DRAW:
            assert seating.players[3] == lowest
            assert set(seating.players[::2]) == set(ranking[:2])
        else:
            assert {seating.players[0] % 2, seating.players[2] % 2} == {highest % 2}
            assert seating.players[3] == next(player for player in ranking[::-1] if player % 2 != highest % 2)
            reached["fixed"] += 1

    law()
    reached.demand("drawn again", "drawn once", "fixed", least=3)


@examples(60)
@given(rule_sets(), seeds, st.none() | st.integers(0, 3))
def test_B4_7_given_seats_stay(rules: BurracoRules, seed: int, dealer: int | None) -> None:
    seating = given_seats(rules.players, dealer, stream_key(seed.to_bytes(32, "big"), ()))
    assert seating.players == (0, 1, 2, 3)
    assert seating.dealer == dealer if dealer is not None else seating.dealer in range(4)


# --- points ----------------------------------------------------------------------------------------------------------


@st.composite
def sides(draw: st.DrawFn, rules: BurracoRules) -> tuple[list[OMeld], list[Cards], bool, bool, Cards]:
    """Melds, hands, closed, pozzetto taken, and the pozzetto if it was not played."""
    melds = [read_fresh(draw(selections()), rules) for _ in range(draw(st.integers(0, 3)))]
    card = st.sampled_from((*FACES, JOKER))
    hands = [within_deck(draw(st.lists(card, max_size=12))) for _ in range(2)]
    taken = draw(st.booleans())
    unplayed = within_deck(draw(st.lists(card, min_size=11, max_size=11))) if taken and draw(st.booleans()) else ()
    return [meld for meld in melds if meld], hands, draw(st.booleans()), taken, unplayed


@examples(400)
@given(closing_rules(), rule_sets(), st.data())
def test_B4_37_a_deal_is_counted_as_the_oracle_counts_it(
    melding: BurracoRules, options: BurracoRules, data: st.DataObject
) -> None:
    rules = replace(
        melding,
        semiclean_definition=options.semiclean_definition,
        long_run_bonus=options.long_run_bonus,
        closing_bonus=options.closing_bonus,
        pozzetto_not_taken_penalty=options.pozzetto_not_taken_penalty,
        no_pozzetto_penalty_if_none_taken=options.no_pozzetto_penalty_if_none_taken,
        unplayed_pozzetto=options.unplayed_pozzetto,
    )
    both = [data.draw(sides(rules)) for _ in range(2)]
    counts, expected = [], []
    for at, (melds, hands, closed, taken, unplayed) in enumerate(both):
        counts.append(
            SideCount(
                [from_oracle(meld, 1 + number, at) for number, meld in enumerate(melds)],
                [(at + 2 * number, hand_of(hand)) for number, hand in enumerate(hands)],
                closed,
                taken,
                (at, hand_of(unplayed)) if unplayed else None,
            )
        )
        other_taken = both[1 - at][3]
        expected.append(oracle_score.score_side(rules, melds, hands, closed, taken, unplayed, other_taken))
    sheet = count_deal(counts, rules)
    assert list(sheet.deal_points) == expected
    assert [sum(line.points for line in lines) for lines in sheet.lines] == expected
    assert {line.seat for lines in sheet.lines for line in lines} <= {NOBODY, 0, 1, 2, 3}


def test_B4_36_the_deck_has_1080_points() -> None:
    assert sum(map(value, (*FACES, *FACES, *(JOKER,) * 4))) == 1080


@pytest.mark.parametrize("deals", [3, 4])
def test_section_2_2_victory_points_for_every_difference(deals: int) -> None:
    for difference in range(0, 4000, 5):
        won, lost = victory_points(difference, deals)
        assert (won, lost) == oracle_score.victory_points(difference, deals)
        assert (lost, won) == oracle_score.victory_points(-difference, deals)
        assert won + lost == 20


@examples(60)
@given(st.integers(-5000, 5000), st.integers(-2, 10))
def test_section_2_2_no_victory_points_for_what_cannot_arise(difference: int, deals: int) -> None:
    assume(deals not in {3, 4} or difference < 0 or difference % 5)
    with pytest.raises(ValueError, match="is no"):
        victory_points(difference, deals)
