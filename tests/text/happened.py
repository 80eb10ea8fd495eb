"""Events of every kind, as real matches give them to each viewer, and the few that matches hardly come to."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from service.rules import events as ev
from service.rules.cards import JOKER, parse
from service.rules.events import SPECTATOR, Event, redact
from service.rules.games import PRESETS
from service.rules.options import DiscardVisible
from service.rules.presets import ITALIAN
from service.rules.state import DealEnd, MatchEnd, Result
from tests.support.walks import played_with

A_FEW: Final = 3
"""So many events of each text and preset are enough."""


class Happened(NamedTuple):
    """An event as somebody is told of it."""

    rules: Any
    event: Event


RARE: Final[tuple[Event, ...]] = (
    *(ev.DealEnded(end, ()) for end in DealEnd if end),
    *(ev.MatchEnded(Result(end, sides), (0, 0, 0)) for end in MatchEnd if end for sides in ((1,), (0, 2))),
    *(ev.TimeCalled(0, turns) for turns in (0, 1, 2, 4)),
    *(ev.PlayerOut(2, points) for points in (-7, 0, 1, 2, 101, 104, 112)),
    *(ev.PlayerReentered(1, points) for points in (1, 22, 95)),
    *(ev.Knocked(0, (), parse("AS"), points) for points in (1, 2, 5, 9)),
    ev.Knocked(1, (parse("7S 7H 7D"),), b"", 0),
    *(ev.StockRenewed(count) for count in (1, 11, 34)),
    *(ev.TookPozzetto(1, direct, count, b"") for direct in (True, False) for count in (11, 18)),
    ev.WildMoved(2, 3, JOKER, parse("4C")[0], parse("7C")[0]),
    ev.WildMoved(2, 3, parse("2C")[0], parse("5C")[0], parse("2C")[0]),
    ev.WildMoved(2, 3, parse("2C")[0], parse("2C")[0], parse("8C")[0]),
    ev.PozzettoSeen(3, b""),
    ev.StalemateDeclared(0),
    ev.Resigned(3),
    ev.TurnTimedOut(2),
    ev.UpcardPassed(1),
)
"""Made by hand, so that no text depends on the luck of the matches."""


@lru_cache
def happened() -> tuple[Happened, ...]:
    """Everything, as every viewer of its table is told."""
    # Of different types, but equal as tuples: Closed(1) and UpcardPassed(1).
    return tuple({(type(found.event), found): found for found in _happened()}.values())


def _happened() -> Iterator[Happened]:
    seen: dict[object, int] = {}
    matches = [played_with(preset, seeds=1, steps=300).events for preset in PRESETS]
    for number, events in enumerate(matches):
        for rules, event in events:
            for viewer in (SPECTATOR, *range(len(getattr(event, "hands", ())) or 4)):
                told = redact(event, viewer, rules)
                kind = (number, type(event), viewer, getattr(rules, "discard_visible", None), told == event)
                seen[kind] = seen.get(kind, 0) + 1
                if seen[kind] <= A_FEW:
                    yield Happened(rules, told)
    for event in RARE:
        yield Happened(ITALIAN, event)
    hidden_pile = replace(ITALIAN, discard_visible=DiscardVisible.TOP_ONLY)
    for count in range(1, 7):
        taken = ev.TookPile(1, bytes(range(1, count + 1)), count)
        for viewer in (SPECTATOR, 0, 1):
            yield Happened(hidden_pile, redact(taken, viewer, hidden_pile))
