"""Write tests/golden/*.burraco from tests/golden/sources: matches with stacked decks, each down one path of the rules.

A source is a match in the notation (docs/notation.md), in which each deck is told by the cards that matter:

    @deck 1 dealer 3        the first deal, dealt by seat 3 (then, after `out`, seats that are dealt nothing)
    @hand 0: KS KH KD       cards that seat 0 gets; the rest of its hand is any
    @pozzetto 1: 4H 5H      cards of the pozzetto that is taken first
    @upcard 9D              the first up-card
    @stock: 4S 5S           the cards drawn first, in their order

`python -m tests.golden.write` works out the decks and plays each match again; what it claims has to be true. Claims,
every score among them, are written by hand in the sources, from the rule book.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from service.notation.follow import verify
from service.notation.parser import parse
from service.notation.printer import print_match
from service.rules.cards import texts
from service.rules.options import RuleSet
from tests.support.decks import places_of, stacked

GOLDEN: Final = Path(__file__).resolve().parent
SOURCES: Final = GOLDEN / "sources"
SUFFIX: Final = ".burraco"


@dataclass
class Wanted:
    """The cards of a deal that matter, as they are written."""

    number: int
    dealer: int
    out: Sequence[int] = ()
    hands: dict[int, str] = field(default_factory=dict)
    pozzetti: dict[int, str] = field(default_factory=dict)
    upcard: str = ""
    stock: str = ""

    def deck(self, rules: RuleSet, name: str) -> bytes:
        """The deck; what nobody asked for lies in an order that the match's name decides."""
        key = hashlib.sha256(f"{name} {self.number}".encode()).digest()
        pozzetti = [self.pozzetti.get(number, "") for number in range(1, max(self.pozzetti, default=0) + 1)]
        return stacked(rules, self.dealer, self.hands, pozzetti, self.upcard, self.stock, self.out, key)

    def whole_hands(self, rules: RuleSet) -> Iterator[str]:
        """The hands that are written in full, as claims."""
        places = places_of(rules, self.dealer, self.out).hands
        for seat, cards in sorted(self.hands.items()):
            if len(cards.split()) == len(places[seat]):
                yield f"hand {seat}: {cards.strip()}"


def match_of(source: str, name: str) -> str:
    """Turn a source into the text of its match; each deal is followed by the hands that its deck was asked for."""
    lines = source.splitlines()
    rules = _rules(lines)
    decks = {wanted.number: wanted for wanted in _decks(lines)}
    written: list[str] = []
    for line in lines:
        first, *words = line.split() or [""]
        if first == "@deck":
            wanted = decks[int(words[0])]
            written.append(f"deck {wanted.number}: {texts(wanted.deck(rules, name))}")
        elif not line.startswith("@"):
            written.append(line)
        if first == "deal":
            written += decks[int(words[0])].whole_hands(rules)
    return "\n".join(written) + "\n"


def _decks(lines: Sequence[str]) -> Iterator[Wanted]:
    wanted: Wanted | None = None
    for line in lines:
        if line.startswith("@deck"):
            if wanted:
                yield wanted
            _, number, _, dealer, *out = line.split()
            wanted = Wanted(int(number), int(dealer), tuple(map(int, out[1:])))
        elif line.startswith("@"):
            if wanted is None:
                raise ValueError(f"{line!r} belongs to no @deck")
            _tell(wanted, line)
    if wanted:
        yield wanted


def _tell(wanted: Wanted, line: str) -> None:
    head, _, cards = line.partition(":")
    match head.removeprefix("@").split():
        case ["hand", seat]:
            wanted.hands[int(seat)] = cards
        case ["pozzetto", number]:
            wanted.pozzetti[int(number)] = cards
        case ["upcard", card]:
            wanted.upcard = card
        case ["stock"]:
            wanted.stock += cards
        case _:
            raise ValueError(f"{line!r} tells nothing of a deck")


def _rules(lines: Sequence[str]) -> RuleSet:
    """Read the rules of a source by reading its head with a seed in place of its decks."""
    head = [line for line in lines if line.split(" ")[0] in {"burraco", "preset", "option", "revision"}]
    return parse("\n".join([*head, f"given-seed {bytes(32).hex()}", ""])).rules


def made(path: Path) -> str:
    """The canonical text of a source's match.

    :raises ValueError: a deck cannot be stacked so, or the match is not as its source claims.
    """
    text = match_of(path.read_text(encoding="utf-8"), path.stem)
    match = parse(text)
    if problem := verify(match):
        # Its line is one of the match, not of the source, so it is shown.
        raise ValueError(f"{problem}\n    {text.splitlines()[problem.at.line - 1]}")
    return print_match(match)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the golden matches; 1 if one could not be written."""
    parser = argparse.ArgumentParser(description="Write the golden matches from their sources.")
    parser.add_argument("names", nargs="*", help="only these, without their suffix")
    names = parser.parse_args(arguments).names
    failed = False
    for path in sorted(SOURCES.glob(f"*{SUFFIX}")):
        if names and path.stem not in names:
            continue
        try:
            (GOLDEN / path.name).write_text(made(path), encoding="utf-8")
        except Exception as error:  # noqa: BLE001  # every source is tried
            sys.stderr.write(f"{path.name}: {error}\n")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
