"""Write `docs/rules`, the rules and options of each game, or check that the committed pages are what the tables give.

Run as `python -m scripts.rules_docs`, with `--check` to change nothing.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from service.rules.book import SECTIONS, SOURCES
from service.rules.games import GAMES
from service.rules.option_types import NameOption, NumberOption, Option, accepted_values
from service.rules.options import Game, contract_name
from service.rules.presets import MEANINGS

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "rules"

TITLES: Final = {Game.BURRACO: "Burraco", Game.RAMINO: "Ramino", Game.GIN: "Gin", Game.SCALA_40: "Scala 40"}
ABOUT: Final = {
    Game.BURRACO: (
        "Two sides meld sets and sequences, and try to make burracos, melds of seven cards or more. Each side has a "
        "second hand waiting, the pozzetto; a side that has played it and has a burraco may close. The rules are those "
        "of Italian Burraco for four; the last sections say what differs for two, for three, by the international code "
        "and in Burraco Reale."
    ),
    Game.RAMINO: (
        "Two to four players meld sets and sequences on the table, lay off on each other's melds, and try to be the "
        "first to discard the last card. The others are charged the cards that they still hold."
    ),
    Game.GIN: (
        "Two players arrange ten cards into sets and sequences, shown only at the end of the deal. Who has little "
        "enough deadwood may knock; who has none has gin."
    ),
    Game.SCALA_40: (
        "Two to six players open with melds of at least 40 points, then meld, lay off on everyone's melds and recover "
        "jokers. Who discards the last card closes; the others are charged the cards that they still hold, and who "
        "reaches the limit is out."
    ),
}


def page_path(game: Game) -> Path:
    """Name the file of a game's page."""
    return FOLDER / f"{game.name.lower()}.md"


def page(game: Game) -> str:
    """Write the page of a game that is built."""
    return "\n".join([*_head(game), *_rules(game), *_options(game), *_presets(game)])


def stale(game: Game) -> bool:
    """Whether the committed page of a game is missing or is not what the tables give."""
    path = page_path(game)
    return not path.exists() or path.read_text(encoding="utf-8") != page(game)


def _head(game: Game) -> Iterator[str]:
    yield f"# {TITLES[game]}"
    yield ""
    yield "<!-- Written by `python -m scripts.rules_docs` from service/rules; edit the tables there, not this page. -->"
    yield ""
    yield ABOUT[game]
    yield ""
    yield (
        "Rules have ids, which refusals, options and tests name too. Names set as code are options, described at "
        "the end. Sources are:"
    )
    yield ""
    yield from (f"- *{name}*: {meaning}." for name, meaning in SOURCES.items())
    yield ""


def _rules(game: Game) -> Iterator[str]:
    for section in SECTIONS[game]:
        yield f"## {section.title}"
        yield ""
        yield from _table(
            ("id", "rule", "sources"),
            ((rule.rule_id, rule.text, ", ".join(rule.sources)) for rule in section.rules),
        )


def _options(game: Game) -> Iterator[str]:
    options = GAMES[game].options
    yield "## Options"
    yield ""
    yield (
        "A match may change any option of its preset, as long as no two contradict each other. Sources are rule ids, "
        "rulings (R), edge cases (E), sections (§) and rows of the rule book's option table."
    )
    yield ""
    yield from _table(
        ("option", "what it decides", "values", "sources"),
        ((f"`{option.key}`", option.meaning, _values(option), ", ".join(option.sources)) for option in options),
    )


def _presets(game: Game) -> Iterator[str]:
    built = GAMES[game]
    yield "## Presets"
    yield ""
    yield "A preset is a name for a value of every option:"
    yield ""
    yield from (f"- `{contract_name(preset)}`: {MEANINGS[preset]}" for preset in built.presets)
    yield ""
    yield "Names of values leave out the prefix that the values of an option share."
    yield ""
    yield from _table(
        ("option", *(preset.name for preset in built.presets)),
        (
            (f"`{option.key}`", *(_shown(getattr(rules, option.key), option) for rules in built.presets.values()))
            for option in built.options
        ),
    )


def _values(option: Option) -> str:
    """Say what an option may be, with the meaning of each value that has one."""
    if isinstance(option, NumberOption):
        return accepted_values(option)
    if isinstance(option, NameOption):
        named = [(contract_name(value), text) for value, text in option.values]
    else:
        meanings = ((True, option.when_true), (False, option.when_false))
        named = [(str(value).lower(), text) for value, text in meanings if option.only in (None, value)]
    return "<br>".join(f"`{name}`: {text}" for name, text in named)


def _shown(value: object, option: Option) -> str:
    if isinstance(option, NameOption):
        return next(name.name for name, _ in option.values if name == value)
    return str(value).lower()


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    head = tuple(head)
    yield _row(head)
    yield _row("---" for _ in head)
    yield from map(_row, rows)
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a committed page is stale")
    check = parser.parse_args().check
    for game in SECTIONS:
        if game not in GAMES:
            print(f"{TITLES[game]} is not built yet: skipped.")
    wrong = [game for game in GAMES if stale(game)]
    if check and wrong:
        names = ", ".join(page_path(game).name for game in wrong)
        sys.exit(f"Stale in docs/rules: {names}. Run `python -m scripts.rules_docs` and commit the result.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in wrong:
        page_path(game).write_text(page(game), encoding="utf-8")
        print(f"Written: docs/rules/{page_path(game).name}")
    if not wrong:
        print("The pages of docs/rules are what the tables give.")


if __name__ == "__main__":
    main()
