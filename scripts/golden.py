"""Write tests/golden/*.burraco from tests/golden/sources: matches with stacked decks, each down one path of the rules.

A source is a match in the notation (docs/notation.md), in which each deck is told by the cards that matter:

    @deck 1 dealer 3        the first deal, dealt by seat 3
    @hand 0: KS KH KD       cards that seat 0 gets; the rest of its hand is any
    @pozzetto 1: 4H 5H      cards of the pozzetto that is taken first
    @upcard 9D              the first up-card
    @stock: 4S 5S           the cards drawn first, in their order

`python -m scripts.golden` works out the decks and replays each match; what it claims has to be true. The claims, every
score among them, are written by hand in the sources, from the rule book. With `--check` nothing is written.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.notation.follow import verify
from service.notation.parser import parse
from service.notation.printer import print_match
from service.rules.burraco.dealing import LEAST_CUT, POZZETTI, pozzetto_sizes
from service.rules.cards import is_wild, texts
from service.rules.cards import parse as parse_cards
from service.rules.games import game_with
from service.rules.gin.dealing import HAND_SIZE
from service.rules.options import Game, RuleSet
from service.rules.rummy.terms import terms_of
from service.rules.stream import PURPOSE_DECK, Stream

GOLDEN: Final = Path(__file__).resolve().parent.parent / "tests" / "golden"
SOURCES: Final = GOLDEN / "sources"
SUFFIX: Final = ".burraco"


class Wanted(NamedTuple):
    """The cards of a deal that matter."""

    number: int
    dealer: int
    hands: dict[int, bytes]
    pozzetti: dict[int, bytes]
    upcard: bytes
    stock: bytes
    out: frozenset[int]
    """Seats that are dealt nothing."""


class Places(NamedTuple):
    """Where the cards of a deck come to lie: places in the deck, by hand, by pozzetto, of the up-card, of the stock."""

    hands: dict[int, Sequence[int]]
    pozzetti: Sequence[Sequence[int]]
    upcard: int
    stock: Sequence[int]


def places_of(rules: Any, wanted: Wanted, size: int) -> Places:  # noqa: ANN401  # any game's rules
    """Find where each card of a deck is dealt to."""
    players = rules.players
    order = [seat % players for seat in range(wanted.dealer + 1, wanted.dealer + 1 + players)]
    order = [seat for seat in order if seat not in wanted.out]
    if rules.game is Game.BURRACO and players == 4:  # a table of four cuts
        hands = _hands(order, rules.hand_size, LEAST_CUT)
        bottom = range(LEAST_CUT - 1, -1, -1)
        upcard = LEAST_CUT + players * rules.hand_size
        return Places(hands, [bottom[at::POZZETTI] for at in range(POZZETTI)], upcard, range(upcard + 1, size))
    if rules.game is Game.BURRACO:
        hands = _hands(order, rules.hand_size, 0)
        at = players * rules.hand_size
        pozzetti = []
        for length in pozzetto_sizes(rules, (0,) * players):
            pozzetti.append(range(at, at + length))
            at += length
        return Places(hands, pozzetti, at, range(at + 1, size))
    each = HAND_SIZE if rules.game is Game.GIN else terms_of(rules).cards_each
    at = len(order) * each
    return Places(_hands(order, each, 0), (), at, range(at + 1, size))


def _hands(order: Sequence[int], each: int, first: int) -> dict[int, Sequence[int]]:
    end = first + len(order) * each
    return {seat: range(first + place, end, len(order)) for place, seat in enumerate(order)}


def deck_of(rules: RuleSet, wanted: Wanted, name: str) -> bytes:
    """Stack a deck; cards that nobody asked for lie in an order that the name of the match decides."""
    whole = game_with(rules).deck(rules)
    places = places_of(rules, wanted, len(whole))
    stacked: dict[int, int] = {}
    for what, where, cards in _asked(wanted, places):
        if len(cards) > len(where):
            raise ValueError(f"deck {wanted.number}: {what} has room for {len(where)} cards, not {len(cards)}")
        stacked.update(zip(where, cards, strict=False))
    left = Counter(whole)
    left.subtract(stacked.values())
    if over := [card for card, count in left.items() if count < 0]:
        raise ValueError(f"deck {wanted.number}: asked for too often: {texts(sorted(over))}")
    # Jokers and twos that nobody asked for lie at the bottom, where they change nothing.
    key = hashlib.sha256(name.encode()).digest()
    rest = Stream(key, PURPOSE_DECK, wanted.number).shuffle(bytes(sorted(left.elements())))
    free = iter(sorted(rest, key=is_wild))
    return bytes(stacked[place] if place in stacked else next(free) for place in range(len(whole)))


def _asked(wanted: Wanted, places: Places) -> Iterator[tuple[str, Sequence[int], bytes]]:
    for seat, cards in wanted.hands.items():
        yield f"hand {seat}", places.hands[seat], cards
    for number, cards in wanted.pozzetti.items():
        yield f"pozzetto {number}", places.pozzetti[number - 1], cards
    yield "upcard", (places.upcard,), wanted.upcard
    yield "stock", places.stock, wanted.stock


# --- sources ---------------------------------------------------------------------------------------------------------


def match_of(source: str, name: str) -> str:
    """Turn a source into the text of its match; each deal is followed by the hands that its deck was asked for."""
    lines = source.splitlines()
    rules = _rules(lines)
    decks = {wanted.number: wanted for wanted in _decks(lines)}
    written: list[str] = []
    for line in lines:
        first, *words = line.split() or [""]
        if first == "@deck":
            number = int(words[0])
            written.append(f"deck {number}: {texts(deck_of(rules, decks[number], name))}")
        elif not line.startswith("@"):
            written.append(line)
        if first == "deal":
            wanted = decks[int(words[0])]
            places = places_of(rules, wanted, len(game_with(rules).deck(rules))).hands
            whole = sorted((seat, cards) for seat, cards in wanted.hands.items() if len(cards) == len(places[seat]))
            written += [f"hand {seat}: {texts(cards)}" for seat, cards in whole]
    return "\n".join(written) + "\n"


def _decks(lines: Sequence[str]) -> Iterator[Wanted]:
    wanted: Wanted | None = None
    for line in lines:
        if line.startswith("@deck"):
            if wanted:
                yield wanted
            words = line.split()
            out = frozenset(map(int, words[5:]))  # @deck 2 dealer 1 out 0 3
            wanted = Wanted(int(words[1]), int(words[3]), {}, {}, b"", b"", out)
        elif line.startswith("@"):
            if wanted is None:
                raise ValueError(f"{line!r} belongs to no @deck")
            wanted = _told(wanted, line)
    if wanted:
        yield wanted


def _told(wanted: Wanted, line: str) -> Wanted:
    head, _, cards = line.partition(":")
    what, *which = head.removeprefix("@").split()
    match what:
        case "hand":
            wanted.hands[int(which[0])] = parse_cards(cards)
        case "pozzetto":
            wanted.pozzetti[int(which[0])] = parse_cards(cards)
        case "upcard":
            return wanted._replace(upcard=parse_cards(which[0]))
        case "stock":
            return wanted._replace(stock=wanted.stock + parse_cards(cards))
        case _:
            raise ValueError(f"{line!r} tells nothing of a deck")
    return wanted


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
    """Write the golden matches, or check that they are written."""
    parser = argparse.ArgumentParser(description="Write the golden matches from their sources.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a match is not what its source gives"
    )
    parser.add_argument("names", nargs="*", help="only these, without their suffix")
    asked = parser.parse_args(arguments)
    failed = 0
    for path in sorted(SOURCES.glob(f"*{SUFFIX}")):
        if asked.names and path.stem not in asked.names:
            continue
        target = GOLDEN / path.name
        try:
            text = made(path)
        except Exception as error:  # noqa: BLE001  # every source is tried
            sys.stderr.write(f"{path.name}: {error}\n")
            failed += 1
            continue
        if asked.check and (not target.exists() or target.read_text(encoding="utf-8") != text):
            sys.stderr.write(f"{path.name}: not what its source gives: run `make golden`\n")
            failed += 1
        elif not asked.check:
            target.write_text(text, encoding="utf-8")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
