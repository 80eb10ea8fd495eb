"""Whole matches, one a game: every turn as a spectator sees it, the score sheets, the result."""

from collections.abc import Callable

from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.matches import MATCHES, WholeMatch
from tests.conformance.generate.script import Script


def playing(match: WholeMatch) -> Callable[[Script], None]:
    """The scenario of a match."""

    def play(script: Script) -> None:
        script.begin(match.request())
        for number, (seat, words) in enumerate(match.turns(), 1):
            script.play(seat, words, viewers="s", points=match.points.get(number))
        script.view("0", includeRules=True)

    return play


for each in MATCHES:
    scenario(each.name, each.about)(playing(each))
