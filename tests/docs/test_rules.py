"""The book and the pages made from it: complete, true to the options, and as fresh as the tables."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from google.protobuf.descriptor import Descriptor

from burraco.v1 import rules_pb2
from scripts.rules_docs import FOLDER, page, page_path, stale
from service.rules.book import BOOK, SECTIONS, SOURCES, Rule
from service.rules.citations import rule_of
from service.rules.games import GAMES
from service.rules.options import Game
from service.rules.reasons import Reason
from service.text.english import REASONS

RANGES = {
    Game.BURRACO: {"B4": 42, "VP": 2, "B2": 16, "B3": 5, "BI": 5, "BR": 5},
    Game.RAMINO: {"RA": 14},
    Game.GIN: {"GI": 14},
    Game.SCALA_40: {"SC": 22},
}
"""Rules of each game: how many there are of each kind."""
CONTRACT: dict[Game, Descriptor] = {
    Game.BURRACO: rules_pb2.BurracoRules.DESCRIPTOR,
    Game.RAMINO: rules_pb2.RaminoRules.DESCRIPTOR,
    Game.GIN: rules_pb2.GinRules.DESCRIPTOR,
    Game.SCALA_40: rules_pb2.Scala40Rules.DESCRIPTOR,
}
"""The message that holds each game's options, built or not."""
RULES = [pytest.param(game, rule, id=rule.rule_id) for game, rules in BOOK.items() for rule in rules]
RULING = re.compile(r"ruling R([1-9]|1[0-4])")
REFERENCE = re.compile(r"\b[A-Z][A-Z0-9]-\d+\b")


def options_named(rules: tuple[Rule, ...]) -> set[str]:
    """Option keys that rules name in backticks."""
    return {key for rule in rules for key in re.findall(r"`([^`]*)`", rule.text)}


@pytest.mark.parametrize("game", set(Game) - {Game.UNSPECIFIED})
def test_every_rule_of_the_book_is_there_exactly_once(game: Game) -> None:
    expected = [f"{kind}-{number}" for kind, count in RANGES[game].items() for number in range(1, count + 1)]
    assert [rule.rule_id for rule in BOOK[game]] == expected


def test_no_two_games_share_a_rule_id() -> None:
    ids = Counter(rule.rule_id for rules in BOOK.values() for rule in rules)
    assert max(ids.values()) == 1


def test_no_section_is_empty_and_no_title_comes_twice_in_a_game() -> None:
    for sections in SECTIONS.values():
        assert all(section.rules for section in sections)
        assert len({section.title for section in sections}) == len(sections)


@pytest.mark.parametrize(("game", "rule"), RULES)
def test_a_rule_is_sentences_with_known_sources(game: Game, rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z][^\n|]*[^ .]\.", rule.text)
    assert "  " not in rule.text
    assert rule.text.count("`") % 2 == 0
    assert rule.sources
    assert len(set(rule.sources)) == len(rule.sources)
    assert all(source in SOURCES or RULING.fullmatch(source) for source in rule.sources)
    assert set(REFERENCE.findall(rule.text)) <= {other.rule_id for other in BOOK[game]}


@pytest.mark.parametrize("game", list(GAMES))
def test_every_option_that_a_rule_names_is_in_the_games_option_table(game: Game) -> None:
    assert options_named(BOOK[game]) <= {option.key for option in GAMES[game].options}


@pytest.mark.parametrize("game", list(BOOK))
def test_every_option_that_a_rule_names_is_in_the_contract_and_every_option_is_named(game: Game) -> None:
    assert options_named(BOOK[game]) == {field.name for field in CONTRACT[game].fields}


@pytest.mark.parametrize("game", list(GAMES))
def test_the_committed_page_is_what_the_tables_give(game: Game) -> None:
    assert not stale(game), "run `python -m scripts.rules_docs` and commit the result"


@pytest.mark.parametrize("game", list(GAMES))
def test_a_page_has_every_rule_and_every_option(game: Game) -> None:
    text = page(game)
    for rule in BOOK[game]:
        assert f"| {rule.rule_id} | {rule.text} | {', '.join(rule.sources)} |\n" in text
    for option in GAMES[game].options:
        assert f"\n| `{option.key}` | {option.meaning} | " in text


def test_there_is_no_page_of_an_unknown_game() -> None:
    assert set(FOLDER.iterdir()) <= {page_path(game) for game in BOOK}


def test_check_passes_and_says_which_games_are_not_built() -> None:
    command = [sys.executable, "-m", "scripts.rules_docs", "--check"]
    run = subprocess.run(command, cwd=FOLDER.parent.parent, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("not built yet") == len(BOOK) - len(GAMES)


def test_a_changed_or_missing_page_is_stale(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.rules_docs.FOLDER", tmp_path)
    assert stale(Game.BURRACO)
    page_path(Game.BURRACO).write_text(page(Game.BURRACO), encoding="utf-8")
    assert not stale(Game.BURRACO)
    page_path(Game.BURRACO).write_text("# Burraco\n", encoding="utf-8")
    assert stale(Game.BURRACO)


@pytest.mark.parametrize("game", set(Game) - {Game.UNSPECIFIED})
def test_the_rule_that_a_refusal_names_can_be_looked_up(game: Game) -> None:
    """As a rule of some page, or as a source of one or of an option; what a batch may not show is no rule of a game."""
    pages = "".join(page(each) for each in BOOK)
    named = {rule_of(reason, game) for reason in REASONS} - {rule_of(Reason.MOVE_AFTER_REVEAL, game)}
    assert not [rule for rule in named if not re.search(rf"(?<!\w){re.escape(rule)}\b", pages)]
