"""Reading and writing are each other's opposite: over any match that can be written, and over matches really played."""

import random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.notation import match_text as mt
from service.notation.faults import NotationError
from service.notation.follow import verify
from service.notation.parser import parse
from service.notation.printer import print_match
from service.notation.transcribe import transcribe
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.record import Illegal, Recorded, replay
from tests.notation.written import matches
from tests.support.profile import examples
from tests.support.records import played_record, random_decks, shorter

NAMED: Final = [pytest.param(preset, id=preset.name) for preset in PRESETS]


@given(matches())
@examples(100)
def test_any_match_is_read_as_it_was_written(match: mt.MatchText) -> None:
    """Parse ∘ print is the identity, and what is printed is in canonical form."""
    text = print_match(match)
    again = parse(text)
    assert again == match
    assert print_match(again) == text


@given(matches(), st.integers(0, 1 << 32))
@examples(40)
def test_any_way_of_writing_a_match_is_read(match: mt.MatchText, seed: int) -> None:
    """Blanks, empty lines, CRLF, and where a line is broken mean nothing."""
    rng = random.Random(seed)
    lines = print_match(match).split("\n")
    written = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        written.append(_broken(line, rng) + rng.choice(("", "", " ", "\t", "\r")))
        if not following.startswith(" ") and rng.random() < 0.2:
            written.append(rng.choice(("", " ", "\r")))
    assert parse("\n".join(written)) == match


def _broken(line: str, rng: random.Random) -> str:
    """Go on in another line at some blank, unless it may be in a string, a rule's id or a comment."""
    blanks = [at for at in range(1, len(line)) if line[at] == " " and line[:at].strip()]
    if not blanks or set(line) & set('"[#') or rng.random() < 0.7:
        return line
    at = rng.choice(blanks)
    return line[:at] + "\r\n \t" + line[at:]


@pytest.mark.parametrize("preset", NAMED)
@given(seed=st.integers(0, 10_000), decks=st.booleans(), steps=st.integers(0, 400))
@examples(6)
def test_played_matches_are_written_read_and_verified(preset: Preset, seed: int, decks: bool, steps: int) -> None:
    """A record becomes a text with its deals, scores and result; the text is true, and has the record."""
    rules = shorter(PRESETS[preset])
    record, state = played_record(rules, seed, steps, random_decks(rules, seed, 40) if decks else None)
    match = transcribe(record)
    text = print_match(match)
    again = parse(text)
    assert again == match
    assert print_match(again) == text
    assert again.record() == record
    assert verify(again) is None
    assert match.match_id == state.match.match_id


@pytest.mark.parametrize("preset", NAMED)
def test_a_whole_match_is_written_with_its_scores(preset: Preset) -> None:
    """Every deal of a match to its end is marked, and every score that was counted itemised."""
    record, state = played_record(shorter(PRESETS[preset]), 3, 4000)
    assert state.result is not None
    match = transcribe(record, [f"player {player}" for player in state.match.players])
    deals = [entry for entry in match.body if isinstance(entry, mt.DealMark)]
    assert [entry.number for entry in deals] == list(range(1, state.deal_number + 1))
    scores = [entry for entry in match.body if isinstance(entry, mt.SideScore)]
    assert len(scores) == state.deals_scored * state.match.sides
    assert isinstance(match.body[-1], mt.ResultIs)
    assert verify(parse(print_match(match))) is None


def test_an_illegal_record_is_written_up_to_its_end() -> None:
    """Moves after the first illegal one stand there as they are, for whoever looks for what went wrong."""
    record, _ = played_record(PRESETS[Preset.ITALIAN], 1, 60)
    moves = list(record.moves)
    moves[30:30] = [moves[29]] * 2
    broken = record._replace(moves=tuple(map(Recorded._make, moves)))
    outcome = replay(broken)
    assert isinstance(outcome, Illegal)
    match = parse(print_match(transcribe(broken)))
    assert match.record() == broken
    problem = verify(match)
    assert problem is not None
    assert problem.move_index == outcome.move_index


@pytest.mark.parametrize("text", ["a\nb", " leading", "trailing ", "\x1b[31m", "\u202e", "tab\there"])
def test_a_comment_that_could_not_be_read_is_not_written(text: str) -> None:
    """What would be read as something else, or controls a terminal, is refused."""
    match = mt.MatchText(PRESETS[Preset.GIN], random_decks(PRESETS[Preset.GIN], 1, 1), body=(mt.Remark(text),))
    with pytest.raises(ValueError, match="may not stand in a text"):
        print_match(match)


def test_a_name_that_could_not_be_read_is_not_written() -> None:
    """Nor a name."""
    gin = PRESETS[Preset.GIN]
    with pytest.raises(ValueError, match="may not stand"):
        print_match(mt.MatchText(gin, random_decks(gin, 1, 1), names=("a", "b\n")))


def test_a_byte_order_mark_is_no_part_of_a_match() -> None:
    """It is for whoever reads the file to take it off; in the text it is an error with its place."""
    with pytest.raises(NotationError, match="line 1, column 1"):
        parse("\ufeffburraco 1\n")
