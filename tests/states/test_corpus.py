"""Every state that a release wrote can be loaded, is what it was, and can be played on."""

import random
from dataclasses import fields
from typing import Any, Final

import pytest

from service.rules.games import GAMES, PRESETS, game_of
from service.rules.options import Game, Preset
from service.rules.outcome import Applied
from service.rules.state import DealEnd, MatchEnd, Phase, State
from service.wire.sealing import Format
from service.wire.state_codec import StateCodec
from tests.games.play import all_cards
from tests.states import corpus, write
from tests.states.corpus import Entry
from tests.states.dump import dump
from tests.states.facts import facts, outcome, play
from tests.states.moments import shows
from tests.support.walks import choose

RELEASED: Final = {
    1: "53a035703461b10ac841eb7ffae083827cb172e540d673b148bc67178b386aab",
}
"""SHA-256 over each corpus. A line here is added and never changed."""
MOST_BYTES: Final = 600_000
ENTRIES: Final = [entry for version in corpus.versions() for entry in corpus.entries(version)]
COURSES: Final = list(dict.fromkeys((entry.version, entry.course) for entry in ENTRIES))
SEALER: Final = corpus.sealer()
NOW: Final = StateCodec()

everywhere = pytest.mark.parametrize(("version", "course"), COURSES, ids=str)


def of(version: int, course: str) -> list[Entry]:
    return [entry for entry in ENTRIES if (entry.version, entry.course) == (version, course)]


def load(entry: Entry) -> State:
    """A state as a server loads it: out of its seal, and audited."""
    return NOW.decode(SEALER.open(entry.sealed, Format.STATE, "state"))


# --- the corpora -----------------------------------------------------------------------------------------------------


def test_a_released_corpus_never_changes() -> None:
    """Not a byte of a released folder changes, and every folder is released."""
    assert {version: corpus.digest(version) for version in corpus.versions()} == RELEASED


@pytest.mark.parametrize("version", corpus.versions())
def test_a_corpus_is_not_written_over(version: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that writes a corpus refuses where there is one, and touches nothing."""
    before = corpus.digest(version)
    assert write.main([str(version)]) == 1
    assert "never changes" in capsys.readouterr().err
    assert corpus.digest(version) == before


@pytest.mark.parametrize("arguments", [[], ["1", "2"], ["one"], ["-1"], ["0"], ["99"]])
def test_a_version_that_is_none_is_not_written(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command says what it wants."""
    assert write.main(arguments) == 2
    assert "ersion" in capsys.readouterr().err
    assert corpus.versions() == sorted(RELEASED)


@pytest.mark.parametrize("version", corpus.versions())
def test_a_corpus_is_small(version: int) -> None:
    """It is carried along for ever."""
    size = sum(path.stat().st_size for path in corpus.folder(version).rglob("*") if path.is_file())
    assert size <= MOST_BYTES


@pytest.mark.parametrize("version", corpus.versions())
def test_a_corpus_has_every_game_preset_phase_and_end(version: int) -> None:
    """Whatever the game of a state can say of itself: each preset, phase, end of a deal and end of a match."""
    states = [load(entry) for entry in corpus.entries(version)]
    assert {state.match.rules.preset for state in states} >= set(PRESETS)
    for name, game in GAMES.items():
        own = [state for state in states if state.match.rules.game is name]
        assert {state.phase for state in own} == game.phases
        assert {state.deal_end for state in own} == game.deal_ends
        assert {state.result.match_end for state in own if state.result} == game.match_ends - {MatchEnd.NOT_ENDED}


OF_ALL: Final = ("a given seed", "a committed seed", "entropy", "a seed of the service", "tokens revoked", "points")
SPECIAL: Final[dict[Game, tuple[str, ...]]] = {
    Game.BURRACO: (
        *("something drawn", "the pile of one card taken", "something melded this turn", "the last turn"),
        *("a top card to meld first", "a hand before the pile", "something to meld first", "an unseen pozzetto"),
        *("an unplayed pozzetto", "both pozzetti taken", "a pozzetto that became the stock", "time called"),
        *("a stalemate under way", "somebody alone", "victory points", "seats drawn", "points below zero"),
        *("an empty stock", "2 players", "3 players", "4 players"),
    ),
    Game.RAMINO: (
        *("something drawn", "the pile's card taken", "something melded this turn", "something laid off this turn"),
        *("somebody has laid", "somebody out", "a stock renewed", "closed in hand", "2 players", "4 players"),
    ),
    Game.GIN: (
        *("something drawn", "the pile's card taken", "an up-card offered", "the up-card passed by one"),
        *("the up-card passed by both", "the last turn", "deals won"),
    ),
    Game.SCALA_40: (
        *("something drawn", "the pile's card taken", "a top card to meld first", "points towards the opening"),
        *("a joker owed", "something laid off this turn", "somebody has laid", "somebody out", "a meld with a wild"),
        *("somebody came in again", "a stock renewed", "closed in hand", "3 players", "4 players"),
    ),
}


@pytest.mark.parametrize("version", corpus.versions())
@pytest.mark.parametrize("game", SPECIAL, ids=lambda game: game.name)
def test_a_corpus_has_every_special_moment(version: int, game: Game) -> None:
    """Each thing that a state of the game can be in the middle of is there, in a state that it matters to."""
    states = [state for state in map(load, corpus.entries(version)) if state.match.rules.game is game]
    assert {*OF_ALL, *SPECIAL[game]} <= frozenset[str]().union(*map(shows, states))


# --- load, audit, compare --------------------------------------------------------------------------------------------


@everywhere
def test_every_state_is_loaded_and_is_what_it_was(version: int, course: str) -> None:
    """Out of its seal and audited, a state reads as it was written down, and so does what was stored in the open."""
    for entry in of(version, course):
        assert SEALER.open(entry.sealed, Format.STATE, "state") == entry.stored, str(entry)
        read: dict[str, Any] = dump(load(entry))
        rules = read.pop("rules")
        assert read == entry.readable, str(entry)
        assert {key: rules.get(key) for key in entry.rules} == entry.rules, str(entry)


@everywhere
def test_what_is_true_of_a_state_stays_true(version: int, course: str) -> None:
    """Phase, turn, points, chain, the number of legal moves, and every view as a client of then sees it."""
    for entry in of(version, course):
        assert facts(load(entry), corpus.contract(version)) == entry.facts, str(entry)


@everywhere
def test_the_same_moves_come_to_the_same(version: int, course: str) -> None:
    """The moves that were made from a state when it was written are legal, and make the state that they made."""
    codec = StateCodec(version)
    for entry in of(version, course):
        state = load(entry)
        for seat, move in entry.continuation["moves"]:
            state = play(state, seat, move)
        assert outcome(state, codec) == entry.continuation["then"], str(entry)


@everywhere
def test_a_state_is_written_as_it_was(version: int, course: str) -> None:
    """Told to write the version of a state, the service makes the bytes that it made then, the seal included."""
    codec = StateCodec(version)
    for entry in of(version, course):
        stored = codec.encode(load(entry))
        assert stored == entry.stored, str(entry)
        assert SEALER.seal(stored, Format.STATE) == entry.sealed, str(entry)


# --- play on ---------------------------------------------------------------------------------------------------------


@everywhere
def test_every_state_can_be_played_to_the_end_of_its_deal(version: int, course: str) -> None:
    """From any state a deal is played to its end and the next one begun, through the stored form after every move."""
    for entry in of(version, course):
        state, rng = load(entry), random.Random(str(entry))
        cards, over = all_cards(state), False
        for _ in range(3_000):
            if state.phase is Phase.MATCH_OVER or (over and not state.over):
                break
            over = over or state.over
            after = game_of(state).play(state, state.seat, choose(state, state.seat, rng))
            assert isinstance(after, Applied), str(entry)
            state = NOW.decode(NOW.encode(after.state))
            assert state == after.state, str(entry)
            assert all_cards(state) == cards, str(entry)
        else:
            pytest.fail(f"{entry} does not end")


# --- the measures ----------------------------------------------------------------------------------------------------


def test_the_readable_form_has_every_field() -> None:
    """No field of a state is left out of what is compared, but `match`, which is taken apart."""
    text = repr(dump(load(ENTRIES[0]))) + "".join(repr(entry.readable) for entry in ENTRIES)
    for field in State._fields:
        assert f"'{field}'" in text, field
    assert {field.name for field in fields(load(ENTRIES[0]).match.rules)} < set(ENTRIES[0].rules)


def test_the_names_say_what_is_inside() -> None:
    """The name of a state begins with its number and tells the rarest of what it is kept for."""
    for entry in ENTRIES:
        assert entry.kept_for[0] in entry.name
    assert len({(entry.version, entry.course, entry.name) for entry in ENTRIES}) == len(ENTRIES)


def test_the_ends_are_all_the_ends() -> None:
    """The games between them have every end, so none is forgotten in the corpus."""
    assert frozenset().union(*(game.deal_ends for game in GAMES.values())) == set(DealEnd)
    assert frozenset().union(*(game.match_ends for game in GAMES.values())) == set(MatchEnd)
    assert {preset for preset in Preset if preset} == set(PRESETS)
