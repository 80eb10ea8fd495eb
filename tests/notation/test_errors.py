"""Every error of a text says where it is, what stands there, and what was expected; no text breaks the parser."""

import random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.notation.faults import NotationError
from service.notation.parser import MAX_MOVES, parse
from service.notation.printer import print_match
from service.notation.transcribe import transcribe
from service.rules.cards import PACK, texts
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.presets import ITALIAN
from tests.notation.written import matches
from tests.support.profile import examples
from tests.support.records import played_record

HEAD: Final = f"burraco 1\npreset GIN\nrevision 1\ngiven-seed {'00' * 32}\n"
"""Four lines, so that the body of a text begins on line 5."""
ITALIAN_HEAD: Final = HEAD.replace("GIN", "ITALIAN")
SEED: Final = "00" * 32
DECK: Final = texts(PACK)


def error_of(text: str) -> NotationError:
    with pytest.raises(NotationError) as raised:
        parse(text)
    return raised.value


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        ("0: dscard 7S", (5, 4), "'dscard' stands here: expected a move: big-gin, call-time, discard"),
        ("0: discard 7X", (5, 12), "'7X' stands here: expected a card: a rank"),
        ("0: discard 7s", (5, 12), "'7s' stands here: expected a card"),
        ("0: discard 1S", (5, 12), "expected a card"),
        ("0: discard", (5, 11), "the end of the line stands here: expected a card"),
        ("0: discard 7S 8S", (5, 15), "'8S' stands here: expected ';' and another move"),
        ("0: draw; ", (5, 9), "the end of the line stands here: expected a move"),
        ("0: draw;; pass", (5, 9), "';' stands here: expected a move"),
        ("0 draw", (5, 3), "'draw' stands here: expected ':'"),
        ("2: draw", (5, 1), "'2' stands here: expected a seat, 0 to 1"),
        ("-1: draw", (5, 1), "'-1' stands here: expected a seat"),
        ("00: draw", (5, 1), "expected a turn"),
        ("0: lay-off 7S to 3", (5, 15), "'to' stands here: expected a card"),
        ("0: lay-off - on 1", (5, 12), "'-' stands here: expected a card"),
        ("0: lay-off 7S on", (5, 17), "expected the number of a meld, 1 to 10000"),
        ("0: lay-off 7S on 0", (5, 18), "expected the number of a meld, 1 to 10000"),
        ("0: meld 7S 8S 9S as", (5, 20), "expected a card"),
        ("0: meld pair 7S 8S", (5, 9), "'pair' stands here: expected a card"),
        ("0: knock 7S with 8S / ", (5, 22), "expected a card"),
        ("0: knock 7S with 8S / 8H / 8D / 8C / 7C", (5, 36), "'/' stands here"),
        ("0: draw @", (5, 9), "'@' is nothing here"),
        ('0: draw "7S', (5, 9), "the string does not end"),
        ("0: draw \x00", (5, 9), "the character U+0000 is nothing here"),
        ("0: draw # \x1b[31m", (5, 11), "the character U+001B may not stand in a text"),
        ("0: draw # \u202e", (5, 11), "the character U+202E may not stand in a text"),
        ("0: draw # \u200f", (5, 11), "the character U+200F may not stand in a text"),
        ("0: draw # \u2028", (5, 11), "the character U+2028 may not stand in a text"),
        ("Anna: draw", (5, 1), "'Anna' stands here: expected a turn, such as '0: draw; discard 7S', or a check"),
        ("# a comment\n\n  0: draw", (7, 3), "an indented line goes on with the one above, but there is none"),
        ("0: draw;\n   discard\n   7X", (7, 4), "'7X' stands here"),
        ("0: draw\npreset GIN", (6, 1), "lines of the head stand before"),
        ("deal 0", (5, 6), "expected the number of the deal"),
        ("deal 1 dealer 2", (5, 15), "expected a seat, 0 to 1"),
        ("deal 1 upcard", (5, 14), "expected a card"),
        ("refused 0: draw", (5, 16), "expected '='"),
        ("refused 0: draw = ", (5, 18), "expected a reason of the contract"),
        ("refused 0: draw = REASON_STOCK_EMPTY", (5, 19), "expected a reason of the contract without REASON_"),
        ("refused 0: draw = PRESET_UNKNOWN", (5, 19), "expected a reason of the contract"),
        ("refused 0: draw = STOCK_EMPTY [", (5, 31), "a rule's id stands in brackets"),
        ("refused 0: draw = STOCK_EMPTY [a] [b]", (5, 35), "[b] stands here"),
        ("event nothing", (5, 7), "expected an event: match_started, dealt"),
        ("hand 0 7S", (5, 8), "expected ':'"),
        ("hand 0:", (5, 8), "expected a card"),
        ("hand 0: - 7S", (5, 11), "'7S' stands here: expected the end of the line"),
        ("stock 109", (5, 7), "expected a number of cards, 0 to 108"),
        ("stock 1234567", (5, 7), "expected a number of cards"),
        ("stock ٣", (5, 7), "'٣' is nothing here"),
        ("ended", (5, 6), "expected an end of a deal: CLOSED"),
        ("ended NOT_ENDED", (5, 7), "expected an end of a deal"),
        ("score 2: -", (5, 7), "expected a side, 0 to 1"),
        ("score 0: CLOSING", (5, 17), "expected points"),
        ("score 0: CLOSING 1 meld 0", (5, 25), "expected the number of a meld"),
        ("points 1", (5, 9), "expected points of side 1"),
        ("points 1 2 3", (5, 12), "'3' stands here"),
        ("points 1 2 total 3", (5, 19), "expected points of side 1"),
        ("result WON", (5, 8), "expected an end of the match: TARGET"),
        ("result TARGET wins", (5, 19), "expected a side"),
        ("result TARGET wins 0 1 1", (5, 24), "'1' stands here"),
    ],
)
def test_a_wrong_body_is_told_with_its_place(body: str, place: tuple[int, int], message: str) -> None:
    """Line and column of the first word that is wrong."""
    error = error_of(HEAD + body + "\n")
    assert tuple(error.position) == place
    assert message in error.message
    assert str(error).startswith(f"line {place[0]}, column {place[1]}: ")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the text is empty"),
        ("# only a comment\n", (1, 1), "the text is empty"),
        ("preset GIN\n", (1, 1), "'preset' stands here: expected 'burraco'"),
        ("burraco 2\n", (1, 9), "this is version 2 of the notation: version 1 is read"),
        ("burraco\n", (1, 8), "expected the version of the notation"),
        ("burraco 1\n", (1, 10), "the head ends here without rules"),
        ("burraco 1\nburraco 1\n", (2, 1), "there is a line 'burraco' already"),
        ("burraco 1\npreset BRIDGE\n", (2, 8), "expected a preset: ITALIAN"),
        ("burraco 1\npreset gin\n", (2, 8), "'gin' stands here"),
        ("burraco 1\npreset GIN\npreset GIN\n", (3, 1), "there is a line 'preset' already"),
        ("burraco 1\npreset GIN\ngame GIN\n", (3, 1), "'game' does not go with 'preset'"),
        ("burraco 1\ngame BRIDGE\n", (2, 6), "expected a game: BURRACO"),
        ("burraco 1\ngame GIN\noption target 100\n", (2, 1), "every option has to be there"),
        ("burraco 1\npreset GIN\n", (2, 11), "the head ends here without a line 'revision'"),
        ("burraco 1\npreset GIN\nrevision 1\n", (3, 11), "the head ends here without a deck"),
        ("burraco 1\npreset GIN\nrevision 0\n", (3, 10), "expected the revision of the rules"),
        ("burraco 1\npreset GIN\noption jokers 3\n", (3, 8), "expected an option of GIN"),
        ("burraco 1\npreset GIN\noption target 9\n", (3, 15), "'target' is 9, but has to be 10 to 10000"),
        ("burraco 1\npreset GIN\noption oklahoma 1\n", (3, 17), "expected a value of 'oklahoma': OFF"),
        ("burraco 1\npreset GIN\noption undercut_on_tie yes\n", (3, 24), "expected a value of 'undercut_on_tie': true"),
        ("burraco 1\npreset GIN\noption target 90\noption target 90\n", (4, 8), "is there already"),
        ("burraco 1\npreset ITALIAN\noption target 0\nrevision 1\n", (3, 8), "contradicts deals_per_match"),
        (HEAD + 'player 1 "Anna"\n', (5, 8), "expected the next player's number, 0 to 0"),
        (HEAD + 'player 0 "Anna"\n', (5, 1), "1 of 2 players have a name"),
        (HEAD + 'player 0 "a"\nplayer 1 "b"\nplayer 2 "c"\n', (7, 1), "these rules are for 2 players"),
        (HEAD + "player 0 Anna\n", (5, 10), "expected the player's name in quotes"),
        (HEAD + 'player 0 ""\n', (5, 10), "a name has 1 to 64 characters"),
        (HEAD + 'player 0 "\\n"\n', (5, 10), "none of which is a control character"),
        (HEAD + 'player 0 "\\q"\n', (5, 11), "'\\q' is no escape"),
        (HEAD + 'player 0 "\\u{d800}"\n', (5, 11), "is no escape"),
        (HEAD + 'player 0 "\\u{110000}"\n', (5, 11), "is no escape"),
        (HEAD + "dealer 2\n", (5, 8), "expected the seat of the first dealer, 0 to 1"),
        (HEAD + "seats drawn\n", (5, 7), "seats are drawn at Burraco for four only"),
        (HEAD + "seats given\n", (5, 7), "expected 'drawn'"),
        (ITALIAN_HEAD + "seats drawn\ndealer 1\n", (6, 1), "'dealer' does not go with 'seats'"),
        (HEAD + f"seed {SEED}\n", (4, 1), "'given-seed' does not go with 'seed'"),
        (HEAD + f"salt {SEED}\n", (5, 1), "'salt' does not go with 'given-seed'"),
        (HEAD.replace("given-seed", "seed") + "entropy 00\n", (5, 1), "write its salt"),
        (HEAD.replace("given-seed", "seed") + f"commitment {SEED}\n", (5, 1), "cannot be checked without the salt"),
        (HEAD.replace("00" * 32, "00"), (4, 12), "the given-seed has 1 bytes here: expected 32 bytes"),
        (HEAD.replace("00" * 32, "0G"), (4, 12), "in hexadecimal"),
        (HEAD.replace("00" * 32, "AA" * 32), (4, 12), "in hexadecimal (0-9 a-f)"),
        (HEAD + "match 00\n", (5, 7), "the match has 1 bytes here: expected 16 bytes"),
        (HEAD + f'request "{"x" * 65}"\n', (5, 9), "the request id has 65 bytes, at most 64"),
        (HEAD + f"deck 1: {DECK}\n", (4, 1), "'given-seed' does not go with 'deck'"),
        ("burraco 1\npreset GIN\nrevision 1\ndeck 2: 7S\n", (4, 6), "expected the number of the next deck, 1 to 1"),
        ("burraco 1\npreset GIN\nrevision 1\ndeck 1: 7S\n", (4, 9), "it has AS 0 times, but should have it 1 times"),
        (f"burraco 1\npreset GIN\nrevision 1\ndeck 1: {DECK} 7S\n", (4, 9), "it has 7S 2 times"),
        ("burraco 1\npreset GIN\nrevision 1\ndeck 1: " + "7S " * 109, (4, 333), "at most 108 cards"),
    ],
)
def test_a_wrong_head_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    """Line and column of what is wrong, or of the end of the head where something is missing."""
    error = error_of(text)
    assert (tuple(error.position), message in error.message) == (place, True), str(error)


def test_a_long_match_has_its_limit() -> None:
    """No text has more moves than ReplayMatch takes."""
    parse(HEAD + "0: draw\n" * MAX_MOVES)
    error = error_of(HEAD + "0: draw\n" * (MAX_MOVES + 1))
    assert error.position.line == 5 + MAX_MOVES
    error = error_of(HEAD + "0: " + "; ".join(["draw"] * 1001))
    assert error.position == (5, 4 + 1000 * 6)
    assert "at most 1000 moves" in error.message
    error = error_of(HEAD + "0: draw\n" + "  ;\n" * 20_000)
    assert error.position == (5 + 20_000 - 2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_001,
        '"' * 900_000,
        "\\" * 900_000,
        '"' + "\\" * 900_000,
        "[" * 900_000,
        "#" * 900_000,
        "\n" * 900_000,
        " " * 900_000,
        "\t\n" * 400_000,
        ";" * 900_000,
        HEAD + "0: meld" + " 7S" * 250_000,
        HEAD + "0: draw" + "; draw" * 120_000,
        HEAD + "score 0: " + "CLOSING 1; " * 80_000,
        HEAD + "result TARGET wins" + " 0" * 400_000,
        HEAD + "# remark\n" * 100_000,
        HEAD + "0: draw\n" + " # remark\n" * 90_000,
        HEAD + 'player 0 "' + "\\u{41}" * 140_000 + '"\n',
        HEAD + "stock " + "9" * 900_000,
        HEAD.replace("00" * 32, "00" * 400_000),
    ],
    ids=lambda text: f"{text[-12:-6]!r} times {len(text)}",
)
def test_no_text_hangs_the_parser(text: str) -> None:
    """Long texts of the worst kinds are read, or refused with a place, in time that grows with their length alone."""
    error = refusal(text)
    assert error is None or (error.position.line >= 1 and len(error.message) < 2000)


def refusal(text: str) -> NotationError | None:
    try:
        parse(text)
    except NotationError as error:
        return error
    return None


def lawful(text: str) -> bool:
    """Hold a text against the law: it is read, written and read again the same, or refused with a place that it has."""
    error = refusal(text)
    if error is None:
        match = parse(text)
        assert parse(print_match(match)) == match
        return True
    lines = text.split("\n")
    line, column = error.position
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1
    assert error.message
    return False


@given(st.text())
@examples(300)
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    """Nothing else than a NotationError comes out of any text."""
    lawful(text)
    lawful(HEAD + text)
    lawful(f"burraco 1\n{text}")


WORDS: Final = (
    *("draw", "take", "meld", "lay-off", "discard", "knock", "with", "as", "on", "set", "deal", "refused"),
    *("7S", "JK", "-", "0", "1", "2", ":", ";", "=", ",", "/", "#", "\n"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=12))
@examples(300)
def test_any_words_are_read_or_refused_with_a_place(words: list[str]) -> None:
    """Words of the notation in any order."""
    lawful(f"{HEAD}0: {' '.join(words)}\n")


@given(matches(), st.integers(0, 1 << 32))
@examples(40)
def test_a_damaged_text_is_read_or_refused_with_a_place(text_of: object, seed: int) -> None:
    """Texts in which characters were lost, doubled or changed."""
    rng = random.Random(seed)
    text = print_match(text_of)  # type: ignore[arg-type]
    for _ in range(10):
        at = rng.randrange(len(text))
        lawful(text[:at] + rng.choice(("", text[at] * 2, "#", '"', "\n", " ", "7", "é", "\x00")) + text[at + 1 :])


def test_a_damaged_record_is_mostly_refused() -> None:
    """The measure itself: damage is found, and not all of it makes a text unreadable."""
    text = print_match(transcribe(played_record(ITALIAN, 1, 40)[0]))
    rng = random.Random(1)
    read = 0
    for _ in range(200):
        at = rng.randrange(text.index("deal 1"), len(text))
        read += lawful(text[:at] + rng.choice("07SHK;:# ") + text[at + 1 :])
    assert 10 < read < 190


def test_another_revision_is_read_so_that_it_can_be_told() -> None:
    """What goes against what is for the revision itself to say; names of options still have to be known."""
    text = f"burraco 1\npreset ITALIAN\noption target 0\nrevision 7\ngiven-seed {SEED}\n"
    assert parse(text).rules.revision == 7
    assert PRESETS[Preset.ITALIAN].revision == 1
