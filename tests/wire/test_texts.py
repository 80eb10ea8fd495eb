"""The English catalogue: every reason and every line has its text, filled with what the rules really give."""

import random
import re
import string
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

import pytest

from service.rules.burraco.play import play
from service.rules.cards import FACES, JOKER, parse
from service.rules.hand import hand_of
from service.rules.moves import Discard, Knock, LayMeld, LayOff, Move, MoveKind, Plain, ReplaceWild
from service.rules.options import CloseNeeds, PileTake, SetsAllowed
from service.rules.outcome import Refused
from service.rules.reasons import Reason, Violation
from service.rules.scores import Line, ScoreItem
from service.rules.state import Phase, State
from service.rules.view import sheet
from service.text import english
from service.text.catalogue import CATALOGUES, ENGLISH, Catalogue
from service.text.english import Counted, Text
from tests.support.contract import arguments_of
from tests.support.profile import FULL
from tests.support.tables import rules, table
from tests.support.walks import expand, pool

BURRACO: Final = tuple(reason for reason in Reason if reason <= Reason.TIME_ALREADY_CALLED)
"""The reasons that Burraco can give for a move."""
OF_MOVES: Final = tuple(reason for reason in Reason if reason < Reason.PRESET_UNKNOWN)
"""The reasons that any game can give for a move or for a selection of cards."""
ALWAYS: Final = {"cards", "meld"}
"""What every text may show: the violation's own cards and meld."""
TRIES: Final = 400 if FULL else 60


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def forms(text: Text) -> tuple[str, ...]:
    return (text.one, text.many) if isinstance(text, Counted) else (text,)


@pytest.mark.parametrize("reason", OF_MOVES, ids=lambda reason: reason.name)
def test_every_reason_has_a_text(reason: Reason) -> None:
    """The text is a whole English sentence in ASCII, and shows nothing that the contract does not promise."""
    text = english.REASONS[reason]
    for form in forms(text):
        assert form.isascii()
        assert re.fullmatch(r"[A-Z{].*\.", form)
        assert placeholders(form) <= arguments_of(reason.name) | ALWAYS
    if isinstance(text, Counted):
        assert text.by in arguments_of(reason.name)


@pytest.mark.parametrize("item", ScoreItem, ids=lambda item: item.name)
def test_every_line_of_a_sheet_has_a_text(item: ScoreItem) -> None:
    """A line is written with its meld, or its seat, and without."""
    for line in (Line(item, 100), Line(item, 100, meld_id=3), Line(item, -35, seat=2)):
        text = ENGLISH.score_line(line)
        assert text
        assert text.isascii()
        assert not re.search(r"[{}]|-1|None", text)
    if "{seat}" in english.SCORE_LINES[item]:
        assert "seat 2" in ENGLISH.score_line(Line(item, -35, seat=2))


def test_no_text_is_of_nothing() -> None:
    """The catalogue has no text for what does not exist, nor the same text twice."""
    assert set(english.REASONS) == set(OF_MOVES)
    assert set(english.SCORE_LINES) == set(ScoreItem)
    assert len(set(english.REASONS.values())) == len(english.REASONS)
    assert len(set(english.SCORE_LINES.values())) == len(english.SCORE_LINES)


# --- what the rules really give --------------------------------------------------------------------------------------


def random_move(state: State, rng: random.Random) -> Move:
    """A move that is mostly wrong: of cards near to melds, or of any cards, on any meld."""
    hand = list(state.hands[state.seat].cards())
    rng.shuffle(hand)
    cards = bytes(hand[: rng.choice((1, 2, 3, 3, 4, 5, len(hand)))])
    if rng.random() < 0.3:
        row = rng.randrange(4) * 16 + rng.randrange(1, 10)
        cards = bytes((row, row + 1, row + 2, *rng.choices((*FACES, JOKER), k=rng.randrange(3))))
    match rng.randrange(6):
        case 0:
            return Plain(rng.choice(tuple(MoveKind)))
        case 1:
            return Discard(rng.choice((*FACES, JOKER, *hand)))
        case 2 | 3:
            return LayOff(rng.choice((99, *(meld.meld_id for meld in state.melds))), cards, rng.choice((0, 0, 0, 8)))
        case _:
            return LayMeld(cards, None, rng.choice((0, 0, 0, 0, 8)))


TABLES: Final[tuple[tuple[State, Move], ...]] = (
    (table(phase=Phase.DRAW, stock=""), Plain(MoveKind.DRAW_STOCK)),
    (table(phase=Phase.DRAW, pile=""), Plain(MoveKind.TAKE_PILE)),
    (
        table(phase=Phase.DRAW, hands=["2C"], options=rules(one_card_player_may_take_pile=False)),
        Plain(MoveKind.TAKE_PILE),
    ),
    (
        table(phase=Phase.DRAW, hands=["7C 9D"], pile="8C", options=rules(pile_take=PileTake.TOP_CARD_USABLE)),
        Plain(MoveKind.TAKE_PILE),
    ),
    (
        table(phase=Phase.DRAW, hands=["7C 9D"], pile="8C", options=rules(pile_take=PileTake.MUST_MELD)),
        Plain(MoveKind.TAKE_PILE),
    ),
    (
        table(hands=["7S 7H 7D 9C 9D"], options=rules(sets_allowed=SetsAllowed.ACES_AND_THREES)),
        LayMeld(parse("7S 7H 7D")),
    ),
    (
        table(hands=["KC KS KD 3C 4D"], melds={0: ["KS KD KH"]}, options=rules(duplicate_sets=False)),
        LayMeld(parse("KC KS KD")),
    ),
    (
        table(hands=["4S 5S 6S 3C 4D"], melds={0: ["4S 5S 6S"]}, options=rules(duplicate_sequences=False)),
        LayMeld(parse("4S 5S 6S")),
    ),
    (table(hands=["KH AH 2H 3H 9C"]), LayMeld(parse("KH AH 2H 3H"))),
    (table(hands=["2H 2D 2S 9C"]), LayMeld(parse("2H 2D 2S"))),
    (
        table(hands=["9S 9C 9D"], melds={0: ["2S 3S 4S 5S 6S 7S"]}, options=rules(natural_two_may_turn_wild=False)),
        LayOff(1, parse("9S")),
    ),
    (table(hands=["4S 5S 6S 7S"], taken_by=(0, -1)), LayMeld(parse("4S 5S 6S"))),
    (table(hands=["8S 9S"], melds={0: ["2S 3S 4S 5S 6S 7S"]}, taken_by=(0, -1)), LayOff(1, parse("8S 9S"))),
    (table(hands=["8S JK"], melds={0: ["2S 3S 4S 5S 6S 7S"]}, taken_by=(0, -1)), LayOff(1, parse("8S"))),
    (table(hands=["8S"], taken_by=(0, -1)), Discard(parse("8S")[0])),
    (
        table(
            hands=["8S"],
            melds={0: ["KS KS KD KD KC KC JK"]},
            taken_by=(0, -1),
            options=rules(close_needs=CloseNeeds.CLEAN_BURRACO),
        ),
        Discard(parse("8S")[0]),
    ),
    (table(hands=["2S"], melds={0: ["KS KS KD KD KC KC KH"]}, taken_by=(0, -1)), Discard(parse("2S")[0])),
    (
        table(hands=["8S"], melds={0: ["KS KS KD KD KC KC KH"]}, pozzetti=[]),
        Discard(parse("8S")[0]),
    ),
)
"""Positions for what random play hardly comes to."""


@lru_cache
def refusals() -> tuple[Violation, ...]:
    """What the rules said in many refusals."""
    found: list[Violation] = []
    rng = random.Random(1)
    for state in pool():
        seats = [state.seat] * TRIES + [(state.seat + 1) % 4]
        for seat in seats:
            outcome = play(state, seat, random_move(state, rng))
            if isinstance(outcome, Refused):
                found += outcome.violations
        for foreign in (Knock(0), ReplaceWild(1, 5)):
            refused = play(state, state.seat, foreign)
            assert isinstance(refused, Refused)
            found += refused.violations
    for state, move in TABLES:
        refused = play(state, 0, move)
        assert isinstance(refused, Refused), f"{move} is legal"
        found += refused.violations
    return tuple(dict.fromkeys(found))


ELSEWHERE: Final = {Reason.MOVE_AFTER_REVEAL, Reason.PLAYER_IS_OUT, Reason.READING_AMBIGUOUS}
"""Given for a batch of moves, at Ramino and Scala 40 alone, and by no game that is built."""


def test_refusals_of_every_reason_are_come_across() -> None:
    """The examples reach every reason that Burraco gives for one move."""
    reached = Counter(violation.reason for violation in refusals())
    assert set(BURRACO) - set(reached) <= ELSEWHERE


def test_what_the_rules_give_is_what_the_contract_promises() -> None:
    """A violation's arguments are those of its reason's comment, sorted by name, its cards by number."""
    wrong = {}
    for violation in refusals():
        names = [name for name, _ in violation.arguments]
        assert names == sorted(names)
        assert list(violation.cards) == sorted(violation.cards)
        if set(names) != arguments_of(violation.reason.name):
            wrong[violation.reason.name] = (sorted(names), sorted(arguments_of(violation.reason.name)))
    assert not wrong


def test_every_refusal_is_told_in_words() -> None:
    """Each violation becomes a whole sentence: nothing unfilled, nothing of the program's own."""
    for violation in refusals():
        text = ENGLISH.violation(violation)
        assert text.isascii()
        assert re.fullmatch(r"[A-Z0-9].*\.", text)
        assert not re.search(r"[{}]|None|b'|\s\s|\s[.,:]|<|  ", text), text
        shown = placeholders(forms(english.REASONS[violation.reason])[0])
        if "cards" in shown:
            assert violation.cards, violation.reason
        if "meld" in shown:
            assert violation.meld_id, violation.reason


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=CATALOGUES)
def test_every_refusal_is_told_in_every_language(catalogue: Catalogue) -> None:
    """Nothing unfilled, nothing of the program's own, and every number that the English text shows."""
    for violation in refusals():
        text = catalogue.violation(violation)
        assert text == unicodedata.normalize("NFC", text).strip()
        assert not re.search(r"[{}]|None|b'|\s\s|\s[.,]|<", text), text
        for name in placeholders(forms(english.REASONS[violation.reason])[0]) - {"cards", "meld", "rank", "suit"}:
            assert dict(violation.arguments)[name] in text, (violation.reason, name)
        if catalogue.in_words and violation.cards:
            assert not re.search(r"\b(?:10|[2-9AJQK])[SHDC]\b", text), text


def test_every_line_counted_is_told_in_words() -> None:
    """Each line of real sheets has its words."""
    counted = [found for state in pool() if (found := sheet(state))]
    assert counted
    for found in counted:
        for line in (line for side in found.lines for line in side):
            assert re.fullmatch(r"[A-Z][A-Za-z ,-]+\d*", ENGLISH.score_line(line))


def test_moves_that_were_listed_are_not_among_the_refusals() -> None:
    """The measure itself: the random moves are wrong, the listed ones are not."""
    state = next(state for state in pool() if state.phase is Phase.PLAY and state.hands[state.seat].size > 5)
    assert not any(isinstance(play(state, state.seat, move), Refused) for move in expand(state, state.seat))
    assert hand_of(b"") == hand_of(())
