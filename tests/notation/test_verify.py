"""Playing a text again: every claim is checked; the first that is false is told with its place and what is true."""

import re
from pathlib import Path
from typing import Final

import pytest

from burraco.v1 import events_pb2
from service.notation.body import EVENTS, READERS
from service.notation.cursor import Cursor
from service.notation.faults import Position
from service.notation.follow import Passed, Problem, Trouble, follow, verify
from service.notation.head import WORDS as HEAD_WORDS
from service.notation.lines import lines_of
from service.notation.moves import PLAIN, print_move, read_move
from service.notation.moves import READERS as MOVES
from service.notation.parser import parse
from service.notation.printer import print_match
from service.rules.cards import texts
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.presets import ITALIAN
from tests.support.decks import stacked

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs/notation.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


EXAMPLE: Final = block("burraco")


def changed(old: str, new: str) -> str:
    assert EXAMPLE.count(old) == 1, f"{old!r} stands {EXAMPLE.count(old)} times in the example"
    return EXAMPLE.replace(old, new)


def problem_of(text: str) -> Problem:
    problem = verify(parse(text))
    assert problem is not None
    return problem


def place_of(part: str, text: str) -> Position:
    before, found, _ = text.partition(part)
    assert found
    return Position(before.count("\n") + 1, len(before) - before.rfind("\n"))


def test_the_example_of_the_page_is_true_and_canonical() -> None:
    """The match in docs/notation.md."""
    match = parse(EXAMPLE)
    assert verify(match) is None
    assert print_match(match) == EXAMPLE


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("commitment 6ab2", "commitment 6ab3", "seed and salt give another commitment: 6ab2a5787910"),
        ("match 6242", "match 6243", "this is another match: 624245709046"),
        ("deal 1 dealer 0", "deal 2 dealer 0", "this is deal 1"),
        ("deal 1 dealer 0", "deal 1 dealer 1", "the dealer is seat 0"),
        ("upcard KH", "upcard KD", "the up-card of the deal is KH"),
        ("hand 1: 5S", "hand 1: 6S", "the hand of seat 1 is 5S 7S 2H"),
        ("refused 1: draw", "refused 0: draw", "the move is refused for: UPCARD_OFFERED [GI-4]"),
        ("refused 1: draw", "refused 0: pass", "the move is legal here, so nothing refuses it"),
        ("NOT_YOUR_TURN [GI-5]", "NOT_YOUR_TURN [B4-3]", "the move is refused for: NOT_YOUR_TURN [GI-5]"),
        ("NOT_YOUR_TURN [GI-5]", "NOT_YOUR_TURN, STOCK_EMPTY", "the move is refused for: NOT_YOUR_TURN [GI-5]"),
        ("event upcard_passed 0", "event upcard_passed 1", "that did not happen; what happened is: upcard_passed 0"),
        ("event upcard_passed 0", "event drew", "that did not happen"),
        ("table 1: 4S 4H 4C", "table 1: 4H 4S 4C", "meld 1 is 4S 4H 4C"),
        ("table 1: 4S 4H 4C", "table 9: 4S", "meld 9 is -"),
        (
            "ended KNOCK by 0\nscore 0: DEADWOOD_DIFFERENCE 18",
            "ended GIN by 0\nscore 0: -",
            "the deal ended KNOCK by 0",
        ),
        (
            "ended KNOCK by 0\nscore 0: DEADWOOD_DIFFERENCE 18",
            "ended KNOCK by 1\nscore 0: -",
            "the deal ended KNOCK by 0",
        ),
        ("score 0: DEADWOOD_DIFFERENCE 18", "score 0: -", "the score of side 0 is: DEADWOOD_DIFFERENCE 18"),
        ("score 1: -\npoints 18", "score 1: GIN 5\npoints 18", "the score of side 1 is: no line"),
        ("points 18 0 total 18 0", "points 17 0 total 18 0", "the points of the deal are 18 0"),
        ("points 18 0 total 18 0", "points 18 0 total 18 1", "the points of the match are 18 0"),
        ("result none", "result TARGET", "the match goes on"),
        ("result TARGET wins 0", "result none", "the match ended TARGET, won by side 0"),
        ("result TARGET wins 0", "result TARGET wins 1", "the match ended TARGET, won by side 0"),
        ("result TARGET wins 0", "result TARGET victory 1 2", "the match ended TARGET, won by side 0"),
    ],
)
def test_a_false_claim_is_told_with_its_place(old: str, new: str, told: str) -> None:
    """The line is the claim's; what is true stands in the message."""
    text = changed(old, new)
    problem = problem_of(text)
    assert problem.trouble is Trouble.FALSE
    line = next(
        number for number, (a, b) in enumerate(zip(EXAMPLE.split("\n"), text.split("\n"), strict=True), 1) if a != b
    )
    assert problem.at == (line, 1)
    assert told in problem.text


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("draw 2C", "draw 3C", "the card drawn is 2C"),
        ("take QC", "take QD", "the top card of the pile is QC"),
    ],
)
def test_a_card_that_did_not_come_is_told_with_its_place(old: str, new: str, told: str) -> None:
    """A draw may say its card, and then has to be right."""
    text = changed(old, new)
    assert problem_of(text)[:3] == (Trouble.FALSE, place_of(new, text), told)


@pytest.mark.parametrize("claim", ["ended KNOCK", "score 0: -", "points 0 0"])
def test_a_deal_that_goes_on_has_no_score(claim: str) -> None:
    """Ends and scores stand where a deal has just ended."""
    text = changed("result none\n", "result none\n").replace("0: pass\n", f"0: pass\n{claim}\n")
    problem = problem_of(text)
    assert problem.trouble is Trouble.FALSE
    assert problem.text in {"the deal goes on", "no deal has just been counted"}


def test_an_illegal_move_is_told_with_its_place_and_every_reason() -> None:
    """The place is the move's, within its turn."""
    text = changed("draw KD; discard KD", "draw KD; discard KS")
    problem = problem_of(text)
    assert (problem.trouble, problem.at) == (Trouble.ILLEGAL, place_of("discard KS", text))
    assert problem.text == "the move is illegal: CARD_NOT_IN_HAND [GI-5]"
    assert (problem.move_index, problem.seat) == (3, 1)


def test_nothing_after_a_problem_is_looked_at() -> None:
    """The text is followed up to it; entries before it have passed."""
    text = changed("points 18 0 total 18 0", "points 17 0")
    *passed, problem = follow(parse(text))
    assert isinstance(problem, Problem)
    assert sum(isinstance(found, Passed) for found in passed) == len(passed) - 1
    assert isinstance(passed[-1], Passed)
    assert passed[-1].entry.at.line == problem.at.line - 1


def test_another_revision_diverges() -> None:
    """It says nothing of the text."""
    problem = problem_of(changed("revision 1", "revision 2"))
    assert (problem.trouble, problem.at) == (Trouble.DIVERGED, place_of("revision", EXAMPLE))


def test_a_deal_without_a_deck_is_told() -> None:
    """A text brings a deck for each deal that it plays."""
    deck = stacked(PRESETS[Preset.GIN], 0, {0: "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S"}, upcard="KH", stock="KS JD")
    head = f"burraco 1\npreset GIN\noption target 1000\nrevision 1\ndealer 0\ndeck 1: {texts(deck)}\n"
    text = f"{head}1: pass\n0: pass\n1: draw KS; discard KS\n0: draw JD; knock JD\nended GIN by 0\n1: next-deal\n"
    problem = problem_of(text)
    assert problem[:3] == (Trouble.NO_DECK, place_of("next-deal", text), "deal 2 has no deck: the head has 1")


def test_burraco_for_four_is_dealt_from_its_deck_as_the_page_says() -> None:
    """The first 22 cards are the pozzetti; hands, up-card and stock follow."""
    deck = stacked(ITALIAN, 0, {1: "7S 8S 9S"}, ["3S 4S 5S 6S 7S", "3H 4H 5H"], upcard="KD", stock="10S JS")
    text = (
        f"burraco 1\npreset ITALIAN\nrevision 1\ndealer 0\ndeck 1: {texts(deck)}\n"
        "deal 1 dealer 0 upcard KD\nstock 41\npile: KD\n"
        "1: draw 10S; meld 7S 8S 9S 10S\ntable 1: 7S 8S 9S 10S\nevent melded 1\n"
    )
    assert verify(parse(text)) is None
    first = [deck[at] for at in range(21, -1, -2)]
    assert texts(first).startswith("3S 4S 5S 6S 7S")
    assert texts(deck[20::-2]).startswith("3H 4H 5H")


# --- the page ---------------------------------------------------------------------------------------------------------


def rows(title: str) -> list[list[str]]:
    """First column of examples in the table of a section."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ") and "---" not in line][1:]


def test_every_move_of_the_page_is_read_and_printed() -> None:
    """The examples of moves are in canonical form, and every kind of move has one."""
    examples = [example for row in rows("Moves") for example in re.findall(r"`([^`]+)`", row[1])]
    for example in examples:
        (line,) = lines_of(example)
        cursor = Cursor(line)
        written = read_move(cursor)
        cursor.end()
        assert print_move(written.move, written.shows) == example
    assert {example.split()[0] for example in examples} == {*PLAIN, *MOVES}


def test_every_claim_of_the_page_is_read() -> None:
    """So are the examples of claims, and every kind of claim has one."""
    examples = [example for row in rows("Claims") for example in re.findall(r"`([^`]+)`", row[0])]
    head = f"burraco 1\npreset ITALIAN\nrevision 1\ngiven-seed {'00' * 32}\n\n"
    for example in examples:
        assert print_match(parse(f"{head}{example}\n")).splitlines()[-1] == example
    assert {example.split(":")[0].split()[0] for example in examples} == set(READERS)


def test_every_line_of_the_head_is_on_the_page() -> None:
    """The table of the head has each word once, in the order in which they are printed."""
    words = [re.findall(r"`([^`]+)`", row[0])[0].split()[0] for row in rows("The head")]
    assert set(words) == {"burraco", *HEAD_WORDS}
    assert len(words) == len(set(words))


def test_the_grammar_has_the_words_of_the_parser() -> None:
    """Each word in quotes in the grammar is one that the parser knows, and the other way round."""
    grammar = block("ebnf")
    words = {word for word in re.findall(r'"([a-z][a-z-]*)"', grammar) if len(word) > 1}
    small = {"burraco", "true", "false", "drawn", "dealer", "upcard", "by", "meld", "seat", "total", "none", "wins"}
    small |= {"victory", "set", "sequence", "as", "on", "with"}
    assert words == {*HEAD_WORDS, *READERS, *PLAIN, *MOVES, *small}
    named = re.findall(r"^([a-z ]+?) +=", grammar, re.MULTILINE)
    assert len(named) == len(set(named))
    # Every name that a rule uses is a rule, but for these.
    used = set(re.findall(r"[a-z][a-z 0]*[a-z0]", re.sub(r'"[^"]*"|\'[^\']*\'', "", grammar.replace("\n", " ; "))))
    assert used - set(named) <= {"end", "digit", "digit without 0", "letter", "hex digit", "character"}


def test_every_event_can_be_named() -> None:
    """Names of events are the fields of the contract's message."""
    assert set(EVENTS) == {field.name for field in events_pb2.Event.DESCRIPTOR.oneofs_by_name["what"].fields}
