"""The committed counts of the trees of legal moves, by the engine and, as deep as that is quick, by the oracles."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from scripts import perft as tables
from scripts.perft_count import ENOUGH, Position, begin, divide, fingerprint, legal, perft, read_move, table, write_move
from scripts.perft_positions import wanted
from service.rules.burraco import guard
from service.rules.cards import parse
from service.rules.games import PRESETS
from service.rules.moves import BACK_END_KINDS, Knock, Move, MoveKind
from service.rules.options import Game, Preset
from service.rules.state import DealEnd
from tests.oracle import moves as burraco
from tests.oracle.cards import is_wild_card
from tests.oracle.table import sub_multisets
from tests.perft.oracles import affordable, slow_counts
from tests.rummy import moves_oracle as rummy
from tests.support.profile import FULL

NODES = ENOUGH if FULL else 4_000
"""Nodes of each tree that the engine counts again; `make perft` counts them all."""
ASKED = 600 if FULL else 60
"""Nodes of each tree at which an oracle is asked."""
ENTRIES = [(preset, at) for preset in PRESETS for at in range(len(tables.read(preset)))]
NAMES = [f"{preset.name}-{at + 1}" for preset, at in ENTRIES]


def entry_of(preset: Preset, at: int) -> dict[str, Any]:
    return tables.read(preset)[at]


@pytest.mark.parametrize(("preset", "at"), ENTRIES, ids=NAMES)
def test_the_counts_are_the_committed_ones(preset: Preset, at: int) -> None:
    """Leaves, their split by kinds and ends, and the hash of what lies on the tables, in each depth."""
    assert tables.differences(preset, entry_of(preset, at), NODES) == []


@pytest.mark.parametrize(("preset", "at"), ENTRIES, ids=NAMES)
def test_the_oracle_counts_the_same(preset: Preset, at: int) -> None:
    """At every node that the oracle is asked about it finds just the engine's moves, so the counts are equal."""
    entry = entry_of(preset, at)
    depth = affordable(entry, ASKED)
    counts = slow_counts(tables.position_of(preset, entry).state(), depth)
    assert counts == [told["count"] for told in entry["depths"][:depth]]


# --- what the tables hold ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_the_positions_come_before_everything_that_a_game_has(preset: Preset) -> None:
    """Every preset has its positions, and their trees hold every kind of move and every end that play leads to."""
    entries = tables.read(preset)
    assert {entry["name"] for entry in entries} == {"a deal begins", *wanted(preset)}
    seen = {kind for entry in entries for told in entry["depths"] for kind in told["last"]}
    ends = {end for entry in entries for told in entry["depths"] for end in told["ends"]}
    game = PRESETS[preset].game
    laying = {MoveKind.MELD, MoveKind.LAY_OFF}
    always = {MoveKind.DRAW_STOCK, MoveKind.TAKE_PILE, MoveKind.DISCARD, MoveKind.NEXT_DEAL, MoveKind.RESIGN}
    kinds = (
        always
        | {
            Game.BURRACO: laying,
            Game.RAMINO: laying,
            Game.GIN: {MoveKind.KNOCK, MoveKind.PASS_UPCARD},
            Game.SCALA_40: {*laying, MoveKind.REPLACE_WILD},
        }[game]
    )
    assert {kind.name for kind in kinds} <= seen
    needed = {
        Game.BURRACO: (DealEnd.CLOSED, DealEnd.STOCK),
        Game.GIN: (DealEnd.KNOCK, DealEnd.GIN, DealEnd.VOID),
    }.get(game, (DealEnd.CLOSED,))
    assert {end.name for end in needed} <= ends


def test_a_table_says_the_rules_revision_that_it_was_counted_under() -> None:
    """A fix that changes play is a new revision, and then the tables are counted anew."""
    for preset, rules in PRESETS.items():
        text = tables.path_of(preset).read_text(encoding="utf-8")
        assert f'"preset": "{preset.name}",\n "rules_revision": {rules.revision},' in text


def test_the_page_has_the_table_of_the_files() -> None:
    """docs/perft.md is what `make perft ARGS=--write` writes."""
    page = tables.PAGE.read_text(encoding="utf-8")
    assert page == tables.with_table(page), "run `make perft ARGS=--write`"


# --- counting ---------------------------------------------------------------------------------------------------------


def test_the_splits_of_a_level_add_up() -> None:
    """Each leaf has one first and one last move; dividing gives the same number again."""
    state = begin(Preset.ITALIAN, bytes(32))
    for depth, level in enumerate(perft(state, 3), 1):
        assert level.count == level.first.total() == level.last.total() == sum(divide(state, depth).values())
    assert len(legal(state)) == perft(state, 1)[0].count


def test_a_wrong_rule_is_found_by_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a guard that lets everything pass some tree grows."""
    monkeypatch.setattr(guard, "may_close", lambda *_: True)
    found = [tables.differences(Preset.ITALIAN, entry, 1_000) for entry in tables.read(Preset.ITALIAN)]
    assert any("count is" in line for lines in found for line in lines)


def test_a_wrong_table_is_found_though_the_counts_are_right() -> None:
    """Two hidden cards change places: the counts stay, the hash does not."""
    state = begin(Preset.GIN, bytes(32))
    swapped = state._replace(stock=state.stock[:-2] + state.stock[:-3:-1])
    right, wrong = perft(state, 3), perft(swapped, 3)
    assert [level.count for level in right] == [level.count for level in wrong]
    assert all(one.total != other.total for one, other in zip(right, wrong, strict=True))


def test_a_position_says_which_of_its_moves_is_illegal() -> None:
    """A table that no longer fits the rules names the move."""
    wrong = Position("somewhere", Preset.GIN, bytes(32), ("PASS_UPCARD", "DISCARD KH"))
    with pytest.raises(ValueError, match="somewhere: move 2, 'DISCARD KH', is illegal: MUST_DRAW_FIRST"):
        wrong.state()


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_moves_in_words_are_read_back(preset: Preset) -> None:
    """Every move of a walk, and a knock with big gin, is the same after writing and reading."""
    moves: list[Move] = [Knock(0)]
    for entry in tables.read(preset):
        moves += map(read_move, entry["moves"])
        moves += legal(tables.position_of(preset, entry).state())
    words = [write_move(move) for move in moves]
    assert [write_move(read_move(each)) for each in words] == words
    assert not {move.kind for move in moves} & BACK_END_KINDS


def test_the_line_of_a_table_has_everything_that_lies_there() -> None:
    """Every card of the deck is in the line once, and any two cards that change places change it."""
    for preset in PRESETS:
        for entry in tables.read(preset):
            state = tables.position_of(preset, entry).state()
            words = entry["table"].replace("(", "").replace(")", "").replace(";", "").split()
            held = [*state.stock, *state.discard, *(card for meld in state.melds for card in meld.cards)]
            held += [card for hand in state.hands for card in hand.cards()]
            held += [card for pozzetto in state.pozzetti for card in pozzetto]
            assert Counter(word for word in words if word in FACES) == Counter(FACES_OF[card] for card in held)
            assert table(state) == entry["table"]
    state = begin(Preset.ITALIAN, bytes(32))
    marks = {fingerprint(state._replace(seat=seat, dealer=dealer)) for seat in range(4) for dealer in range(4)}
    assert len(marks) == 16


FACES_OF = {
    parse(word)[0]: word
    for word in (*(r + s for s in "SHDC" for r in "A 2 3 4 5 6 7 8 9 10 J Q K".split()), "JK")  # noqa: SIM905
}
FACES = set(FACES_OF.values())


# --- the oracles try everything ---------------------------------------------------------------------------------------


def test_the_choices_of_the_oracles_leave_nothing_out() -> None:
    """Of all choices of a hand's cards they are just those whose cards but a wild or two have one suit or one rank."""
    rng = random.Random(1)
    deck = [*FACES_OF] * 2 + [64] * 2
    for _ in range(40):
        hand = tuple(sorted(rng.sample(deck, 9)))

        def alike(chosen: tuple[int, ...]) -> bool:
            naturals = [card for card in chosen if not is_wild_card(card)]
            if len(chosen) - len(naturals) > 2:
                return False
            return len({card // 16 for card in naturals}) <= 1 or len({card % 16 for card in naturals}) <= 1

        assert burraco.choices(hand) == {chosen for chosen in sub_multisets(hand) if alike(chosen)}
        words = rummy.words(bytes(hand))
        every = {chosen for size in range(1, 10) for chosen in combinations(sorted(words), size)}
        one_joker = {chosen for chosen in every if chosen.count("JK") <= 1}
        suited = {
            chosen
            for chosen in one_joker
            if len({word[-1] for word in chosen if word != "JK"}) <= 1
            or len({word[:-1] for word in chosen if word != "JK"}) <= 1
        }
        assert set(rummy.choices(words)) == suited


def test_the_oracle_knows_a_stalemate() -> None:
    """It lists the declaration of a stalemate once a one-card pile has gone round (B4-34)."""
    state = begin(Preset.ITALIAN, bytes(32))._replace(stalemate_turns=4)
    assert slow_counts(state, 1) == [4]
