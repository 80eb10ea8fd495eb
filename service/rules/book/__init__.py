"""The book: the rules of every game for people, built or not. GetRules and `docs/rules` are made from it."""

from collections.abc import Mapping
from typing import Final

from service.rules.book import burraco, gin, ramino, scala_40, two_player, variants
from service.rules.book.rule import Rule, Section
from service.rules.options import Game

SECTIONS: Final[Mapping[Game, tuple[Section, ...]]] = {
    Game.BURRACO: (*burraco.SECTIONS, *two_player.SECTIONS, *variants.SECTIONS),
    Game.RAMINO: ramino.SECTIONS,
    Game.GIN: gin.SECTIONS,
    Game.SCALA_40: scala_40.SECTIONS,
}
"""The rules of each game, by section."""

BOOK: Final[Mapping[Game, tuple[Rule, ...]]] = {
    game: tuple(rule for section in sections for rule in section.rules) for game, sections in SECTIONS.items()
}
"""The rules of each game, in the order of its sections."""

SOURCES: Final[Mapping[str, str]] = {
    "seed": "one of the four documents that the games come from; a preset named after one follows it to the letter",
    "federation": "a code of play of an Italian federation: FIBUR for Burraco, FISCA for Scala 40",
    "authorities": "published rules, agreeing ones of several where they differ",
    "decision": "no source says it, or sources differ, and the rule book decides",
    "ruling": "a correction to the rule book that overrides its text, with its number",
}
"""Where a rule may come from, and what that means."""

__all__ = ["BOOK", "SECTIONS", "SOURCES", "Rule", "Section"]
