"""Why a move is illegal, in the words of the rule book; or what a legal one does."""

import textwrap
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from service.cli.words import Words
from service.notation import match_text as mt
from service.notation.body import print_entry
from service.notation.follow import Began, Passed, Problem, Trouble, follow
from service.notation.moves import WORD_OF, print_move
from service.rules.book import BOOK
from service.rules.cards import texts
from service.rules.citations import rule_of
from service.rules.games import game_of, game_with
from service.rules.moves import MoveKind
from service.rules.option_types import BoolOption, NameOption, Option
from service.rules.reasons import Violation
from service.rules.state import State
from service.text.catalogue import ENGLISH

WIDTH: Final = 100
INDENT: Final = "     "


class Explained(NamedTuple):
    """What is said, and what does not hold."""

    lines: list[str]
    problem: Problem | None = None


def explain_match(match: mt.MatchText) -> Explained:
    """Explain the first thing that does not hold, if anything does not."""
    words: Words | None = None
    moves = 0
    for found in follow(match):
        match found:
            case Began(played):
                words = Words(played.state, match.names)
            case Passed(steps=steps):
                moves += len(steps)
            case Problem():
                return Explained(list(_problem(found, words)), found)
    return Explained([f"Every move is legal, {moves} in all, and every claim is true."])


def explain_line(match: mt.MatchText, line: int) -> Explained | None:
    """Explain the turn or claim that begins on a line; None if there is none."""
    if not any(entry.at.line == line and not isinstance(entry, mt.Remark) for entry in match.body):
        return None
    words: Words | None = None
    for found in follow(match):
        match found:
            case Began(played):
                words = Words(played.state, match.names)
            case Passed(entry, _, state) if entry.at.line == line and words:
                return Explained(list(_legal(found, words) if found.steps else _true(entry, state, words)))
            case Problem():
                before = [f"The text breaks off before line {line}."] if found.at.line < line else []
                return Explained([*before, *_problem(found, words)], found)
    return None


def _legal(found: Passed, words: Words) -> Iterator[str]:
    for step in found.steps:
        yield f"{words.seats[step.seat]} (seat {step.seat}): {print_move(step.move)}"
        yield "  It is legal. What it does:"
        for event in step.events:
            deed, sentence = words.deed(event), words.sentence(event)
            if deed or sentence:
                yield f"  - {f'{words.seats[event.seat]} {deed}.' if deed else sentence}"
    yield f"The hand then: {', '.join(_held(found.state, step.seat) for step in found.steps[-1:])}."


def _held(state: State, seat: int) -> str:
    return texts(state.hands[seat].cards()) or "no cards"


def _true(entry: mt.AnyEntry, state: State, words: Words) -> Iterator[str]:
    yield f"{print_entry(entry)}"
    yield "  It is true here."
    if isinstance(entry, mt.RefusedMove):
        yield from _faults(game_of(state).judge(state, entry.seat, entry.move).faults, state)
        yield from _open(state, entry.seat, words)


def _problem(problem: Problem, words: Words | None) -> Iterator[str]:
    state, move = problem.state, problem.move
    if problem.trouble is not Trouble.ILLEGAL or state is None or move is None or words is None:
        yield f"{str(problem.at).capitalize()}: {problem.text}."
        return
    yield f"{str(problem.at).capitalize()}: {words.seats[problem.seat]} (seat {problem.seat}): {print_move(move)}"
    yield f"It is illegal. {words.seats[problem.seat]} holds {_held(state, problem.seat)}."
    yield from _faults(problem.violations, state)
    yield from _open(state, problem.seat, words)


def _faults(faults: tuple[Violation, ...], state: State) -> Iterator[str]:
    """Everything wrong with a move, each with its rule."""
    game = state.match.rules.game
    for number, fault in enumerate(faults, 1):
        rule_id = rule_of(fault.reason, game)
        yield f"  {number}. {ENGLISH.violation(fault)}"
        yield f"     {fault.reason.name}, rule {rule_id}"
        for text in _rules(rule_id, state.match.rules):
            yield from textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def _rules(rule_id: str, rules: Any) -> list[str]:  # noqa: ANN401  # any game's rules
    """The rule in the book; where it is a ruling, the rules that it changes; where it is an option, its value."""
    book = BOOK[rules.game]
    named = [rule for rule in book if rule.rule_id == rule_id]
    named = named or [rule for rule in book if f"ruling {rule_id}" in rule.sources]
    if named:
        return [f"{rule.rule_id}: {rule.text}" for rule in named]
    return [_option(option, rules) for option in game_with(rules).options if rule_id in option.sources]


def _option(option: Option, rules: Any) -> str:  # noqa: ANN401  # see _rules
    value = getattr(rules, option.key)
    match option:
        case BoolOption():
            meaning = option.when_true if value else option.when_false
        case NameOption():
            meaning = next(text for name, text in option.values if name == value)
        case _:
            meaning = f"{value}."
    return f"{option.key}: {option.meaning} Here: {meaning}"


def _open(state: State, seat: int, words: Words) -> Iterator[str]:
    kinds = game_of(state).open_kinds(state, seat)
    named = ", ".join(_NAMES.get(kind) or WORD_OF[kind] for kind in kinds) or "nothing"
    yield f"Open to {words.seats[seat]} now: {named}."


_NAMES = {
    MoveKind.MELD: "meld",
    MoveKind.LAY_OFF: "lay-off",
    MoveKind.DISCARD: "discard",
    MoveKind.REPLACE_WILD: "replace",
    MoveKind.KNOCK: "knock",
}
