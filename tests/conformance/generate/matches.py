"""Whole matches from given seeds: moves found by players at random, points counted by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from burraco_conformance.values import Json
from tests.conformance.generate.script import seed_bytes
from tests.conformance.generate.words import moves

BURRACO: Final = """
0: draw, meld 9D JD 2S, meld 6C 7C JK, on 1 10D, drop AS
1: draw, drop 7H
2: draw, meld JC QC 2D, on 2 9C, meld 9S 10S JS, drop AD
3: draw, drop 7D
0: take, meld 3H 3D JK, on 1 7D 8D, drop 7H
1: draw, drop KS
2: take, drop KS
3: take, meld AS KS 2D, drop AH
0: take, meld AS AH AD, drop 4S
1: take, meld QS QD QC, drop AH
2: draw, meld 6H 7H 8H, drop 7C
3: take, drop 8S
0: draw, meld 5S 5H JK, meld 6D 7D 8D, on 11 JK, on 2 10C, on 3 10C, on 1 KD, drop 6H
1: draw, drop 6D
2: take, on 1 6D, on 4 8S, on 11 4D, drop 10S
3: take, drop 7S
0: draw, on 2 5C, drop 4C
"""

TWO_PLAYER: Final = """
0: take, meld 7D 8D 2D, meld KH KD KD, drop 7S
1: draw, meld QS QD JK, meld 7D 8D 9D, on 4 2H, meld 4D 4D 2S, drop 2C
0: draw, drop QC
1: draw, drop 7H
0: draw, on 2 KS, drop 3S
1: draw, drop AD
0: draw, drop 9C
1: draw, meld 2S 7S 9S, drop KS
0: take, on 2 KS, meld 7S 7H 2C, drop 4C
1: draw, meld 5D 5C 2H, meld QS QC JK, on 4 6D, on 4 10D, drop KH
0: take, on 2 KH, drop 6S
1: draw, on 4 5D, drop AD
0: take, meld AH AD AD, drop 8S
1: draw, drop JH
0: draw, drop 3C
1: take, meld 3H 3C 3C, on 6 8S, drop JH
"""

GIN: Final = """
0: take, drop KS
1: take, drop QC
0: take, drop 10S
1: draw, drop 6S
0: draw, drop 9H
1: take, drop KS
0: draw, drop JC
1: take, drop 8D
0: take, drop 2S
1: take, knock 5D
1: next
1: take, drop 10D
0: take, drop AD
1: draw, drop JH
0: take, drop QS
1: take, knock 5S
"""

RAMINO: Final = """
0: draw, meld 8S 8D 8C, drop 4H
1: draw, meld 9H 10H JH, on 2 8H, meld 9S 10S JS, drop 10C
0: draw, drop 7H
1: draw, drop 10D
0: take, drop 9D
1: draw, drop 6H
0: draw, drop JD
1: draw, meld AS 2S 3S, drop 9C
"""

SCALA_40: Final = """
0: draw, meld 7H 7C JK, meld AD QD KD, swap 1 7D, on 1 JK, drop 7D
1: take, drop 6S
0: draw, meld 5S 5H 5D, drop QD
1: draw, drop QC
0: take, drop QC
1: take, drop QC
0: take, drop QC
1: draw, drop 7S
0: take, swap 1 7S, meld 2H 2C JK, drop 2C
"""

REQUEST_ID: Final = "whole match"


class WholeMatch(NamedTuple):
    """A match, and what its deals come to."""

    name: str
    """Of its scenario."""
    about: str
    preset: str
    options: Json
    seed: int
    dealer: int
    record: str
    """Lines such as `2: draw, drop KS`, each a turn."""
    points: Mapping[int, Sequence[int]]
    """Points of each deal by side, by the number of the turn that ends it, from 1."""

    def request(self) -> Json:
        """The request of CreateMatch, for a spectator."""
        return {
            "rules": {"preset": f"PRESET_{self.preset}"} | self.options,
            "requestId": REQUEST_ID,
            "givenSeed": seed_bytes(self.seed),
            "givenSeats": {"dealer": self.dealer},
            "viewers": [{"spectator": {}}],
        }

    def turns(self) -> Iterator[tuple[int, str]]:
        """Seat and moves of each turn."""
        for line in self.record.strip().split("\n"):
            seat, _, words = line.partition(": ")
            yield int(seat), words

    def recorded(self) -> list[Json]:
        """Every move as a record has it."""
        return [{"seat": seat, "move": move} for seat, words in self.turns() for move in moves(words)]


MATCHES: Final = (
    WholeMatch(
        "burraco/whole_match",
        "A match of one deal under the federation's code, with a pozzetto for one side.",
        "FIBUR",
        {"burraco": {"dealsPerMatch": 1, "victoryPoints": "VICTORY_POINTS_NONE"}},
        191,
        3,
        BURRACO,
        {17: (630, -175)},
    ),
    WholeMatch(
        "burraco/whole_match_of_two",
        "A match of two players to a low target, one deal.",
        "TWO_PLAYER",
        {"burraco": {"target": 5}},
        36,
        1,
        TWO_PLAYER,
        {16: (15, 485)},
    ),
    WholeMatch(
        "gin/whole_match",
        "A match to 40 points: two deals with knocks, game and box bonuses and a shutout.",
        "GIN",
        {"gin": {"target": 40}},
        33,
        1,
        GIN,
        {10: (0, 25), 16: (0, 38 + 100 + 50 + 150)},
    ),
    WholeMatch(
        "ramino/whole_match",
        "A match to a limit of 20: one deal.",
        "RAMINO",
        {"ramino": {"limit": 20}},
        70,
        1,
        RAMINO,
        {8: (42, 0)},
    ),
    WholeMatch(
        "scala_40/whole_match",
        "A match of two players to a limit of 50: one deal, with jokers recovered.",
        "SCALA_40",
        {"scala40": {"players": 2, "limit": 50}},
        58,
        1,
        SCALA_40,
        {9: (0, 99)},
    ),
)
