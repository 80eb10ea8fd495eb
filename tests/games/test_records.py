"""Records of matches: played again they come to the same states; decks are dealt as they are; faults are told."""

import hashlib
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import pytest

from service.rules.burraco.dealing import LEAST_CUT
from service.rules.cards import JOKER
from service.rules.decks import DeckMissing, deck_of_deal, is_shuffled, of_decks
from service.rules.events import Dealt, MatchStarted
from service.rules.games import GAMES, PRESETS, SeatChoice, create_match, game_with
from service.rules.gin.judge import knock_limit
from service.rules.gin.options import GinRules, Oklahoma
from service.rules.moves import CALL_TIME, DRAW_STOCK, NEXT_DEAL, RESIGN, TIME_OUT_TURN
from service.rules.options import RULES_REVISION, Preset
from service.rules.options import Game as GameName
from service.rules.presets import ITALIAN
from service.rules.reasons import Reason
from service.rules.record import (
    Diverged,
    Illegal,
    NoDeck,
    Record,
    Recorded,
    Replay,
    Verified,
    replay,
    wrong_decks,
)
from service.rules.state import Fairness
from service.rules.stream import stream_key
from service.wire.state_codec import encode_state
from tests.support.decks import stacked
from tests.support.profile import FULL
from tests.support.records import played_record, random_decks, shorter
from tests.support.walks import walk

NAMED: Final = [pytest.param(preset, id=preset.name) for preset in PRESETS]
SEEDS: Final = 20 if FULL else 3


@pytest.mark.parametrize("preset", NAMED)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("decks", [False, True], ids=["seed", "decks"])
def test_a_match_played_again_comes_to_the_same_states(preset: Preset, seed: int, decks: bool) -> None:
    """The law of a replay, for whole matches of every preset, moves of back ends among them."""
    rules = shorter(PRESETS[preset])
    record, state = played_record(rules, seed, 3000, random_decks(rules, seed, 300) if decks else None)
    again = Replay(record)
    before = again.began
    assert before is not None
    last = before.state
    for number, step in enumerate(again):
        assert (step.move_index, step.before, step.seat, step.move) == (number, last, *record.moves[number])
        last = step.after
        assert again.outcome == Verified(last)
    assert again.outcome == Verified(state)
    assert replay(record) == Verified(state)


def test_every_kind_of_move_is_played_again() -> None:
    """The matches above reach all but what their games do not have."""
    kinds = {
        move.kind.name
        for preset in PRESETS
        for seed in range(6)
        for _, move in played_record(shorter(PRESETS[preset]), seed, 3000)[0].moves
    }
    assert kinds >= {"TIME_OUT_TURN", "CALL_TIME", "NEXT_DEAL", "REPLACE_WILD", "KNOCK", "PASS_UPCARD"}


def test_a_record_of_another_revision_diverges() -> None:
    """Nothing of it is looked at, its beginning neither."""
    record, _ = played_record(ITALIAN, 1, 3)
    other = record._replace(rules=replace(ITALIAN, revision=RULES_REVISION + 1))
    again = Replay(other)
    assert (again.began, list(again), again.outcome) == (None, [], Diverged(RULES_REVISION + 1, RULES_REVISION))


@pytest.mark.parametrize("move", [DRAW_STOCK, NEXT_DEAL, TIME_OUT_TURN, CALL_TIME])
def test_the_first_illegal_move_ends_a_replay(move: Any) -> None:  # noqa: ANN401  # any move
    """Its index and everything wrong with it; what comes after it is not looked at."""
    record, _ = played_record(ITALIAN, 1, 40)
    ended = (*record.moves, Recorded(0, RESIGN), Recorded(0, move), Recorded(9, move))
    outcome = replay(record._replace(moves=ended))
    assert isinstance(outcome, Illegal)
    assert outcome.move_index == len(record.moves) + 1
    assert [fault.reason for fault in outcome.violations] == [Reason.MATCH_OVER]


# --- decks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", NAMED)
def test_given_decks_are_dealt_as_the_shuffled_ones_are(preset: Preset) -> None:
    """Decks that a seed gives, given themselves, make the same deals; only the cut of four at Burraco is the least."""
    rules: Any = replace(shorter(PRESETS[preset]))
    fairness = Fairness(bytes(range(32)), given=True)
    key = stream_key(fairness.seed, fairness.entropy)
    decks = tuple(deck_of_deal(key, number, game_with(rules).deck(rules)) for number in (1, 2))
    seats = SeatChoice(dealer=1)
    seeded, given = (create_match(rules, each, "", seats).state for each in (fairness, of_decks(decks)))
    if rules.game is GameName.BURRACO and rules.players == 4:
        _check_least_cut(decks[0], given)
        return
    assert (given.hands, given.stock, given.discard, given.pozzetti) == (
        seeded.hands,
        seeded.stock,
        seeded.discard,
        seeded.pozzetti,
    )


def _check_least_cut(deck: bytes, state: Any) -> None:  # noqa: ANN401  # a state
    """Burraco for four, seat 1 dealing: B4-10 … B4-13 with a cut of 22 cards, worked out here afresh."""
    assert LEAST_CUT == 22
    lifted, rest = deck[:22], deck[22:]
    for place, seat in enumerate((2, 3, 0, 1)):
        assert state.hands[seat].cards() == bytes(sorted(rest[place:44:4]))
    assert state.discard == rest[44:45]
    assert state.stock == rest[45:]
    assert state.pozzetti == (lifted[::-1][::2], lifted[::-1][1::2])


def test_the_second_deal_has_the_second_deck() -> None:
    """Decks go by the number of the deal."""
    rules = shorter(ITALIAN)
    record, state = played_record(rules, 3, 3000, random_decks(rules, 3, 40))
    assert state.deal_number > 1
    dealt = [event for step in Replay(record) for event in step.events if isinstance(event, Dealt)]
    for event in dealt:
        assert event.cut == LEAST_CUT
        deck = record.fairness.decks[event.deal_number - 1]
        assert event.upcard == deck[LEAST_CUT + 44]


def test_the_up_card_of_oklahoma_is_the_decks_own() -> None:
    """The knock limit is found by looking at the deal's deck again (row 41)."""
    gin = PRESETS[Preset.GIN]
    assert isinstance(gin, GinRules)
    rules = replace(gin, oklahoma=Oklahoma.ACE_IS_ONE)
    for upcard, limit in (("5H", 5), ("AH", 1), ("KD", 10)):
        deck = stacked(rules, 0, upcard=upcard)
        assert knock_limit(create_match(rules, of_decks((deck,)), "", SeatChoice(dealer=0)).state) == limit


def test_a_seed_is_made_of_the_decks_as_the_page_says() -> None:
    """SHA-256 over the domain and each deck after its length in two bytes (docs/fairness.md)."""
    decks = (bytes((1, 2, 3)), bytes((JOKER,)))
    made = hashlib.sha256(b"burraco/decks/v1\x00" + b"\x00\x03\x01\x02\x03" + b"\x00\x01\x40").digest()
    fairness = of_decks(decks)
    assert fairness == Fairness(made, (), b"", given=True, decks=decks)
    assert not fairness.verifiable


def test_drawn_seats_and_dealers_follow_from_the_decks() -> None:
    """What else a seed chooses, the seed made of the decks does, the same each time."""
    decks = random_decks(ITALIAN, 1, 1)
    for seats in (SeatChoice(), SeatChoice(drawn=True)):
        one, two = (create_match(ITALIAN, decks, "", seats) for _ in range(2))
        assert one == two
        assert isinstance(one.events[0][1], MatchStarted)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name.name)
def test_a_deal_without_a_deck_is_told(game: Any) -> None:  # noqa: ANN401  # a game
    """The number of the deal, and how many decks there are; only where the deal would really be dealt."""
    rules = next(iter(game.presets.values()))
    record = Record(rules, random_decks(rules, 3, 1), "a match", SeatChoice(dealer=1))
    moves: list[Recorded] = []
    with suppress(DeckMissing):
        moves += (
            Recorded(seat, move) for _, seat, move, _, _ in walk(create_match(*record[:4]).state, random.Random(3))
        )
    ended = record._replace(moves=tuple(moves))
    assert isinstance(replay(ended), Verified)
    assert replay(ended._replace(moves=(*moves, Recorded(0, NEXT_DEAL)))) == NoDeck(len(moves), 2, 1)
    assert isinstance(replay(record._replace(moves=(Recorded(0, NEXT_DEAL),))), Illegal)


def test_decks_are_looked_at_for_their_cards() -> None:
    """A deck is all the cards of the rules, each as often, in any order."""
    deck = stacked(ITALIAN)
    assert is_shuffled(deck, game_with(ITALIAN).deck(ITALIAN))
    assert wrong_decks(ITALIAN, (deck, deck[1:], deck[:-1] + deck[:1], deck)) == (
        [2, 3] if deck[0] != deck[-1] else [2]
    )
    with pytest.raises(DeckMissing, match="deal 3 has no deck: the decks are 2"):
        deck_of_deal(b"", 3, b"", (deck, deck))


def test_a_state_of_decks_is_never_stored() -> None:
    """No seed stands behind it, so nobody could deal on from it."""
    record = Record(ITALIAN, random_decks(ITALIAN, 1, 1))
    outcome = replay(record)
    assert isinstance(outcome, Verified)
    with pytest.raises(ValueError, match="never stored"):
        encode_state(outcome.state)
