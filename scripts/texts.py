"""Keep the catalogues of service/text/locale: extract the template, bring it into every language, compile, export.

Run by `make texts` and `make texts-check`. `--language de` begins another language.
"""

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from string import Formatter
from typing import Any, Final, TypeVar

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from service.rules.reasons import RULE_OF, Reason
from service.rules.scores import ScoreItem
from service.text import english, messages
from service.text.english import Counted, Text
from service.text.languages import ENGLISH, LANGUAGES

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = ROOT / "service/text/locale"
TEMPLATE: Final = LOCALE / "burraco.pot"
EXPORTED: Final = ROOT / "clients/texts"
PROTOS: Final = ROOT / "protos/burraco/v1"
FORMAT: Final = 1
WIDTH: Final = 110
BEGUN: Final = datetime(2026, 11, 30, tzinfo=UTC)
"""Stands in the headers in place of a date that would change with every run."""

Named = TypeVar("Named", bound=IntEnum)
"""An enum of the rules, whose names are the contract's without its prefix."""

PLACEHOLDERS: Final[Mapping[str, str]] = {
    "card": "a card",
    "cards": "a card or several, in words",
    "count": "a number; in a text about a meld, of its cards",
    "deadwood": "points of the cards that are in no meld",
    "deal": "number of a deal, from 1",
    "game": "name of a game, as it is",
    "left": "number of cards that would be left",
    "limit": "most points to knock with",
    "max": "most cards that such a meld has",
    "meld": "number of a meld on the table",
    "min": "fewest cards of a meld, 3",
    "needed": "number needed",
    "now": "the card that a wild card stands for now",
    "points": "points",
    "rank": "a rank: of a set, as the texts `set.rank.…` have it; of a card, as `card.rank.…` or `text.rank.…`",
    "seat": "number of a seat, from 0; in a line of a score sheet, the text `score.of_seat` or nothing",
    "side": "number of a side, from 0: a partnership or a lone player",
    "suit": "a suit, as the texts `suit.…` have it",
    "turn": "number of the seat whose turn it is, from 0",
    "turns": "number of turns",
    "was": "the card that a wild card stood for before",
    "who": "name of a player",
    "winners": "names of the sides that won",
}
_VALUE: Final = re.compile(r"((?:^ *//[^\n]*\n)+) *(?:REASON|SCORE_ITEM)_(\w+) = \d+;", re.MULTILINE)


def placeholders(text: str) -> frozenset[str]:
    """Names in braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def forms(text: Text) -> tuple[str, ...]:
    """The forms of a text."""
    return (text.one, text.many) if isinstance(text, Counted) else (text,)


def empty(language: str | None) -> Catalog:
    """A catalogue without texts."""
    return Catalog(
        locale=language,
        domain="burraco",
        project="burraco",
        version="1",
        msgid_bugs_address="see docs/texts.md",
        last_translator="The burraco authors",
        language_team=language or "none",
        creation_date=BEGUN,
        revision_date=BEGUN,
        fuzzy=False,
    )


# --- the template -----------------------------------------------------------------------------------------------------


def template() -> Catalog:
    """Extract every text, with what a translator has to know of it."""
    catalog = empty(None)
    catalog.header_comment = "# Texts of the Burraco rules service. `make texts` writes this file; see docs/texts.md."
    about = {
        messages.of_reason(reason): f"{RULE_OF[reason]}: {comment}"
        for reason, comment in _comments("reasons.proto", Reason)
        if reason in english.REASONS
    }
    within = "Within a sentence, as an object or a subject: with its article, in languages that want one."
    about |= dict.fromkeys((messages.TEXT_JOKER, *map(messages.of_text_rank, english.TEXT_RANKS)), within)
    about |= {
        messages.of_item(item): f"Line in the sheet of whoever gets the points or pays them: {comment}"
        for item, comment in _comments("scores.proto", ScoreItem)
    }
    for context, text in messages.all_messages():
        names = sorted(frozenset().union(*map(placeholders, forms(text))))
        comments = [about[context]] if context in about else []
        comments += [f"{{{name}}}: {PLACEHOLDERS[name]}" for name in names]
        if isinstance(text, Counted):
            comments.append(f"The form goes by {{{text.by}}}.")
        key = (text.one, text.many) if isinstance(text, Counted) else text
        catalog.add(key, context=context, auto_comments=comments, flags=["python-brace-format"] if names else [])
    return catalog


def _comments(proto: str, names: type[Named]) -> Iterator[tuple[Named, str]]:
    """What the contract says of each value of an enum."""
    for comment, name in _VALUE.findall((PROTOS / proto).read_text("utf-8")):
        if name in names.__members__:
            yield names[name], " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())


# --- a language -------------------------------------------------------------------------------------------------------


def source(language: str) -> Path:
    """Where a language's catalogue is."""
    return LOCALE / language / "LC_MESSAGES" / "burraco.po"


def read(language: str) -> Catalog:
    """Read a language's catalogue; an empty one where there is none yet."""
    path = source(language)
    if not path.exists():
        return empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain="burraco")


def updated(language: str) -> Catalog:
    """Bring the template into a language: new texts are empty, those whose English changed are fuzzy."""
    catalog = read(language)
    catalog.update(template(), update_header_comment=False, update_creation_date=False)
    return catalog


def as_text(catalog: Catalog) -> bytes:
    """Write a catalogue as a .po or .pot file."""
    out = io.BytesIO()
    write_po(out, catalog, width=WIDTH, ignore_obsolete=True)
    return out.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """Compile a catalogue; what is fuzzy is left out, and told in English."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


# --- for front ends ---------------------------------------------------------------------------------------------------


def categories(language: str) -> tuple[str, ...]:
    """The plural categories of a language (CLDR), in the order of its catalogue's forms."""
    rule = Locale.parse(language).plural_form
    return (*(tag for tag in ("zero", "one", "two", "few", "many") if tag in rule.tags), "other")


def translated(catalog: Catalog | None, context: str, text: Text) -> tuple[str, ...]:
    """The forms of a text in a language; the English ones where there are none, or none that anybody has looked at."""
    found = catalog.get((text.one, text.many) if isinstance(text, Counted) else text, context) if catalog else None
    strings = found.string if found and not found.fuzzy else None
    strings = (strings,) if isinstance(strings, str) else tuple(string or "" for string in strings or ())
    return strings if strings and all(strings) else forms(text)


def exported(language: str, catalog: Catalog | None) -> bytes:
    """Write a language for front ends: JSON, the names as in the contract."""

    def say(context: str, text: Text) -> Any:  # noqa: ANN401  # a text, or an object with forms
        strings = translated(catalog, context, text)
        if not isinstance(text, Counted):
            return strings[0]
        # A category of fractions alone has the form before it.
        by_category = {tag: strings[min(form, len(strings) - 1)] for form, tag in enumerate(categories(language))}
        return {"by": text.by, "forms": by_category}

    def table(texts: Mapping[str, Text], context: Any) -> dict[str, Any]:  # noqa: ANN401  # a function of messages
        return {name: say(context(name), text) for name, text in texts.items()}

    content = {
        "format": FORMAT,
        "language": language,
        "name": Locale.parse(language).get_display_name(language),
        "textsNameCardsBy": "notation" if language == ENGLISH else "words",
        "card": say(messages.CARD, english.CARD),
        "joker": say(messages.JOKER, english.JOKER),
        "cardRanks": table(english.CARD_RANKS, messages.of_card_rank),
        "textJoker": say(messages.TEXT_JOKER, english.TEXT_JOKER),
        "textRanks": table(english.TEXT_RANKS, messages.of_text_rank),
        "suits": table(english.SUITS, messages.of_suit),
        "setRanks": table(english.SET_RANKS, messages.of_set_rank),
        "separator": say(messages.SEPARATOR, english.SEPARATOR),
        "names": table(english.NAMES, messages.of_name),
        "reasons": {
            f"REASON_{reason.name}": say(messages.of_reason(reason), text) for reason, text in english.REASONS.items()
        },
        "scoreItems": {
            f"SCORE_ITEM_{item.name}": say(messages.of_item(item), text) for item, text in english.SCORE_LINES.items()
        },
        "ofSeat": say(messages.OF_SEAT, english.OF_SEAT),
        "events": table(english.EVENTS, messages.of_event),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


# --- all of it --------------------------------------------------------------------------------------------------------


def fresh() -> Iterator[tuple[Path, bytes]]:
    """Every file as it has to be."""
    yield TEMPLATE, as_text(template())
    yield EXPORTED / f"{ENGLISH}.json", exported(ENGLISH, None)
    for language in LANGUAGES:
        if language != ENGLISH:
            catalog = updated(language)
            yield source(language), as_text(catalog)
            yield source(language).with_suffix(".mo"), compiled(catalog)
            yield EXPORTED / f"{language}.json", exported(language, catalog)


def stale() -> list[str]:
    """Names of the files that are not as they have to be."""
    return [
        str(path.relative_to(ROOT)) for path, content in fresh() if not path.exists() or path.read_bytes() != content
    ]


def write(path: Path, content: bytes) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a file is stale")
    parser.add_argument("--language", help="begin the catalogue of another language, such as `de`")
    arguments = parser.parse_args()
    if arguments.check:
        if files := stale():
            sys.exit(f"Stale: {', '.join(files)}. Run `make texts` and commit the result.")
        print("The catalogues and what is made of them are what the English texts give.")
        return
    if arguments.language:
        write(source(arguments.language), as_text(updated(arguments.language)))
        print(f"{source(arguments.language).relative_to(ROOT)} is there to be translated. Then name the language in")
        print("service/text/languages.py, and run `make texts`.")
        return
    for path, content in fresh():
        write(path, content)
        print(f"{path.relative_to(ROOT)}: {len(content)} bytes")


if __name__ == "__main__":
    main()
