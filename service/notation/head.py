"""The head of a text: rules, players, and where the deck comes from; read and written."""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

from service.notation.cursor import Cursor
from service.notation.faults import NotationError, Position
from service.notation.lines import Line, Token, is_plain, quoted
from service.notation.match_text import FORMAT, MatchText
from service.rules.cards import texts
from service.rules.decks import is_shuffled, of_decks
from service.rules.game import Game
from service.rules.games import GAMES, PRESETS, SeatChoice, game_with
from service.rules.option_types import BoolOption, NameOption, Option, out_of_range
from service.rules.options import Game as GameName
from service.rules.options import Preset, RuleSet
from service.rules.record import MAX_DECKS, diverges
from service.rules.state import Fairness
from service.rules.stream import (
    COMMITMENT_BYTES,
    MATCH_ID_BYTES,
    MAX_ENTROPY_BYTES,
    MAX_REQUEST_ID_BYTES,
    SALT_BYTES,
    SEED_BYTES,
)

MAX_NAME: Final = 64
MAX_REVISION: Final = 99_999
CARDS_A_ROW: Final = 18

FIRST: Final = "burraco"
ONCE: Final = (
    *("preset", "game", "revision", "dealer", "seats", "seed", "given-seed", "salt"),
    *("request", "commitment", "match"),
)
OFTEN: Final = ("option", "player", "entropy", "deck")
WORDS: Final = (*ONCE, *OFTEN)

Lines = Mapping[str, Sequence[Line]]


class Deck(NamedTuple):
    """A deck as it is written."""

    number: int
    cards: bytes
    at: Position


def read_first(line: Line) -> None:
    """Read the line that says what the text is."""
    cursor = Cursor(line)
    cursor.keyword(FIRST)
    version = cursor.number("the version of the notation", 1, MAX_REVISION)
    if version != FORMAT:
        raise NotationError(line.tokens[1].at, f"this is version {version} of the notation: version {FORMAT} is read")
    cursor.end()


def read_head(lines: Sequence[Line], remarks: tuple[str, ...], end: Position) -> MatchText:
    """Read the lines after the first, up to the body, which begins at `end`; they may come in any order."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        word = line.tokens[0]
        if word.text == FIRST or (word.text in found and word.text in ONCE):
            raise NotationError(word.at, f"there is a line '{word.text}' already: leave one")
        found.setdefault(word.text, []).append(line)
    rules = _rules(found, end)
    seats = _seats(found, rules)
    fairness = _fairness(found, rules, end)
    return MatchText(
        rules=rules,
        fairness=fairness,
        request_id=_request_id(found),
        seats=seats,
        names=_names(found, rules.players),  # type: ignore[attr-defined]  # every game's rules have it
        commitment=_bytes(found, "commitment", COMMITMENT_BYTES),
        match_id=_bytes(found, "match", MATCH_ID_BYTES),
        remarks=remarks,
        places=tuple((word, first[0].at) for word, first in found.items()),
    )


def _after(line: Line) -> Cursor:
    """The words of a line after its first."""
    cursor = Cursor(line)
    cursor.take()
    return cursor


def _only(lines: Lines, word: str) -> Cursor | None:
    return _after(lines[word][0]) if word in lines else None


def _exclude(lines: Lines, word: str, other: str, why: str) -> None:
    if word in lines and other in lines:
        raise NotationError(lines[other][0].at, f"'{other}' does not go with '{word}': {why}")


# --- rules -----------------------------------------------------------------------------------------------------------


def _rules(lines: Lines, end: Position) -> RuleSet:
    _exclude(lines, "preset", "game", "a preset is of one game; leave the preset out where every option is written")
    base, game = _base(lines, end)
    options = {option.key: option for option in game.options}
    values: dict[str, Any] = {}
    places: dict[str, Position] = {}
    for line in lines.get("option", ()):
        cursor = _after(line)
        key = cursor.one_of(options, f"an option of {game.name.name}, see docs/rules: {', '.join(options)}")
        if key.text in values:
            raise NotationError(key.at, f"the option '{key.text}' is there already: leave one")
        values[key.text], places[key.text] = _value(cursor, options[key.text]), key.at
        cursor.end()
    missing = [key for key in options if key not in values]
    if base is None and missing:
        message = f"without a preset every option has to be there, but these are missing: {', '.join(missing)}"
        raise NotationError(lines["game"][0].at, message)
    whole = values | {key: getattr(base, key) for key in missing}
    if "revision" not in lines:
        raise NotationError(
            end, "the head ends here without a line 'revision': write the rules' revision, as in 'revision 1'"
        )
    cursor = _after(lines["revision"][0])
    revision = cursor.number("the revision of the rules", 1, MAX_REVISION)
    cursor.end()
    preset = base.preset if base else Preset.UNSPECIFIED
    rules: RuleSet = game.rules_type(preset=preset, revision=revision, **whole)
    if not diverges(rules):
        for defect in game.contradictions(rules):
            place = places.get(defect.key) or next(iter(places.values()), end)
            raise NotationError(place, f"the option '{defect.key}' {defect.text}")
    return rules


def _base(lines: Lines, end: Position) -> tuple[RuleSet | None, Game]:
    if cursor := _only(lines, "preset"):
        presets = {preset.name: rules for preset, rules in PRESETS.items()}
        rules = presets[cursor.one_of(presets, f"a preset: {', '.join(presets)}").text]
        cursor.end()
        return rules, game_with(rules)
    if cursor := _only(lines, "game"):
        names = {name.name: game for name, game in GAMES.items()}
        game = names[cursor.one_of(names, f"a game: {', '.join(names)}").text]
        cursor.end()
        return None, game
    raise NotationError(end, "the head ends here without rules: write a line 'preset', as in 'preset ITALIAN'")


def _value(cursor: Cursor, option: Option) -> Any:  # noqa: ANN401  # an option's value
    if isinstance(option, BoolOption):
        named_values: dict[str, Any] = {"true": True, "false": False}
    elif isinstance(option, NameOption):
        named_values = {value.name: value for value, _ in option.values}
    else:
        at = cursor.at
        number = cursor.number(f"a value of '{option.key}'", 0, 999_999)
        if defect := out_of_range(option, number):
            raise NotationError(at, f"the option '{option.key}' {defect.text}")
        return number
    at = cursor.at
    value = named_values[cursor.one_of(named_values, f"a value of '{option.key}': {', '.join(named_values)}").text]
    if defect := out_of_range(option, value):
        raise NotationError(at, f"the option '{option.key}' {defect.text}")
    return value


# --- players ---------------------------------------------------------------------------------------------------------


def _names(lines: Lines, players: int) -> tuple[str, ...]:
    names: list[str] = []
    for line in lines.get("player", ()):
        cursor = _after(line)
        if len(names) == players:
            raise NotationError(line.at, f"these rules are for {players} players: leave this one out")
        cursor.number("the next player's number", len(names), len(names))
        name = cursor.string("the player's name in quotes")
        cursor.end()
        if not 1 <= len(name.text) <= MAX_NAME or not is_plain(name.text):
            raise NotationError(name.at, f"a name has 1 to {MAX_NAME} characters, none of which is a control character")
        names.append(name.text)
    if names and len(names) != players:
        message = f"{len(names)} of {players} players have a name: name each, or none"
        raise NotationError(lines["player"][-1].at, message)
    return tuple(names)


def _seats(lines: Lines, rules: Any) -> SeatChoice:  # noqa: ANN401  # any game's rules
    _exclude(lines, "seats", "dealer", "who deals follows from the cards drawn for seats")
    if cursor := _only(lines, "seats"):
        at = cursor.at
        cursor.keyword("drawn")
        cursor.end()
        if rules.players != 4 or game_with(rules).drawn_seats is None:
            raise NotationError(at, "seats are drawn at Burraco for four only: leave the line out")
        return SeatChoice(drawn=True)
    if cursor := _only(lines, "dealer"):
        dealer = cursor.number("the seat of the first dealer", 0, rules.players - 1)
        cursor.end()
        return SeatChoice(dealer=dealer)
    return SeatChoice()


def _request_id(lines: Lines) -> str:
    cursor = _only(lines, "request")
    if cursor is None:
        return ""
    token: Token = cursor.string("the request id in quotes")
    cursor.end()
    size = len(token.text.encode())
    if size > MAX_REQUEST_ID_BYTES:
        raise NotationError(token.at, f"the request id has {size} bytes, at most {MAX_REQUEST_ID_BYTES} are taken")
    return token.text


# --- the deck --------------------------------------------------------------------------------------------------------


def _bytes(lines: Lines, word: str, size: int) -> bytes:
    cursor = _only(lines, word)
    if cursor is None:
        return b""
    value = cursor.hexadecimal(f"the {word}", size, size)
    cursor.end()
    return value


def _fairness(lines: Lines, rules: Any, end: Position) -> Fairness:  # noqa: ANN401  # any game's rules
    given = "nobody commits to a seed that is given"
    _exclude(lines, "seed", "given-seed", "there is one seed")
    for word in ("salt", "entropy", "commitment"):
        _exclude(lines, "given-seed", word, given)
    for word in ("seed", "given-seed", "salt", "entropy", "commitment"):
        _exclude(lines, "deck", word, "a match has a seed, or the decks of its deals")
    if "deck" in lines:
        return of_decks(_decks(lines["deck"], rules))
    entropy = _entropy(lines.get("entropy", ()), rules.players)
    salt = _bytes(lines, "salt", SALT_BYTES)
    if entropy and not salt:
        raise NotationError(lines["entropy"][0].at, "entropy is added to a seed that was committed to: write its salt")
    if "commitment" in lines and not salt:
        message = "a commitment cannot be checked without the salt: write it, or leave the commitment out"
        raise NotationError(lines["commitment"][0].at, message)
    if "given-seed" in lines:
        return Fairness(_bytes(lines, "given-seed", SEED_BYTES), given=True)
    if "seed" not in lines:
        message = "the head ends here without a deck: write a line 'seed', 'given-seed', or a 'deck' for each deal"
        raise NotationError(end, message)
    return Fairness(_bytes(lines, "seed", SEED_BYTES), entropy, salt)


def _entropy(lines: Sequence[Line], players: int) -> tuple[bytes, ...]:
    entries: list[bytes] = []
    for line in lines:
        if len(entries) == players:
            raise NotationError(line.at, f"these rules are for {players} players: leave this entropy out")
        cursor = _after(line)
        entries.append(cursor.hexadecimal("a player's entropy", 1, MAX_ENTROPY_BYTES))
        cursor.end()
    return tuple(entries)


def _decks(lines: Sequence[Line], rules: RuleSet) -> tuple[bytes, ...]:
    decks: list[bytes] = []
    whole = game_with(rules).deck(rules)
    for line in lines:
        cursor = _after(line)
        number = len(decks) + 1
        if number > MAX_DECKS:
            raise NotationError(line.at, f"at most {MAX_DECKS} decks are read")
        cursor.number("the number of the next deck", number, number)
        cursor.sign(":")
        at = cursor.at
        cards = cursor.cards()
        cursor.end("a card")
        if not diverges(rules) and not is_shuffled(cards, whole):
            raise NotationError(at, f"this is not the deck of these rules: {_difference(cards, whole)}")
        decks.append(cards)
    return tuple(decks)


def _difference(cards: bytes, whole: bytes) -> str:
    for card in sorted({*cards, *whole}):
        if cards.count(card) != whole.count(card):
            return f"it has {texts((card,))} {cards.count(card)} times, but should have it {whole.count(card)} times"
    raise AssertionError("the decks are equal")


# --- writing ---------------------------------------------------------------------------------------------------------


def print_head(match: MatchText) -> Iterator[str]:
    """Write the head, line by line."""
    yield f"{FIRST} {FORMAT}"
    for remark in match.remarks:
        yield print_remark(remark)
    yield from _print_rules(match.rules)
    for number, name in enumerate(match.names):
        if not is_plain(name):
            raise ValueError(f"the name {name!r} has a character that may not stand in a text")
        yield f"player {number} {quoted(name)}"
    if match.seats.drawn:
        yield "seats drawn"
    elif match.seats.dealer is not None:
        yield f"dealer {match.seats.dealer}"
    yield from _print_fairness(match.fairness)
    if match.request_id:
        yield f"request {quoted(match.request_id)}"
    if match.commitment:
        yield f"commitment {match.commitment.hex()}"
    if match.match_id:
        yield f"match {match.match_id.hex()}"


def _print_rules(rules: RuleSet) -> Iterator[str]:
    base = PRESETS.get(rules.preset)
    yield f"preset {rules.preset.name}" if base else f"game {GameName(rules.game).name}"
    for option in game_with(rules).options:
        value = getattr(rules, option.key)
        if base is None or value != getattr(base, option.key):
            shown = value.name if isinstance(value, IntEnum) else str(value).lower()
            yield f"option {option.key} {shown}"
    yield f"revision {rules.revision}"


def _print_fairness(fairness: Fairness) -> Iterator[str]:
    if fairness.decks:
        for number, deck in enumerate(fairness.decks, 1):
            yield f"deck {number}:"
            for at in range(0, len(deck), CARDS_A_ROW):
                yield f"  {texts(deck[at : at + CARDS_A_ROW])}"
        return
    yield f"{'given-seed' if fairness.given else 'seed'} {fairness.seed.hex()}"
    for entry in fairness.entropy:
        yield f"entropy {entry.hex()}"
    if fairness.salt:
        yield f"salt {fairness.salt.hex()}"


def print_remark(remark: str) -> str:
    """Write a comment.

    :raises ValueError: a text cannot have it.
    """
    if not is_plain(remark) or remark != remark.strip(" "):
        raise ValueError(f"the comment {remark!r} may not stand in a text")
    return f"# {remark}".rstrip(" ")
