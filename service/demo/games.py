"""The games that the demo plays."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rich.text import Text

from burraco.cards import CardValue
from burraco.table import Options
from burraco.v1.moves_pb2 import LegalMoves, Move
from burraco.v1.rules_pb2 import Preset, RaminoRules, Scala40Rules
from burraco.v1.views_pb2 import View
from service.demo.faces import faces
from service.demo.look import Look, Names, burraco_note, opening_note, out_note
from service.demo.players import burraco, gin, rummy

FOUR = ("Anna", "Bruno", "Carla", "Dario")
TWO = FOUR[:2]


@dataclass(frozen=True, kw_only=True)
class Game:
    """What is played, by whom, and how it is shown."""

    title: str
    """What is played and to what end; its fields are the options of the rules."""
    preset: Preset.ValueType
    options: Options | None = None
    players: Names
    draw_seats: bool = False
    choose: Callable[[View, LegalMoves], Move]
    """How every seat plays."""
    look: Look


def arranged(hand: Iterable[CardValue]) -> Text:
    """Show a hand of Gin in its melds, and its deadwood."""
    best = gin.GIN.best(hand)
    rest = [Text.assemble(faces(best.rest), f" (deadwood {best.cost})")] if best.rest else []
    return Text(" · ").join([*map(faces, best.melds), *rest])


BURRACO = Look(pozzetti=True, whole_pile=True, note=burraco_note)

GAMES: Mapping[str, Game] = {
    "burraco": Game(
        title="Italian Burraco to {rules.target} points",
        preset=Preset.PRESET_ITALIAN,
        players=FOUR,
        draw_seats=True,
        choose=burraco.choose,
        look=BURRACO,
    ),
    "burraco2": Game(
        title="Burraco for two to {rules.target} points",
        preset=Preset.PRESET_TWO_PLAYER,
        players=TWO,
        choose=burraco.choose,
        look=BURRACO,
    ),
    "ramino": Game(
        title="Ramino for {rules.players}, out at {rules.limit} penalty points",
        preset=Preset.PRESET_RAMINO,
        options=RaminoRules(players=len(FOUR)),
        players=FOUR,
        choose=rummy.RAMINO.choose,
        look=Look(penalties=True, suits_once=True, note=out_note),
    ),
    "gin": Game(
        title="Gin to {rules.target} points",
        preset=Preset.PRESET_GIN,
        players=TWO,
        choose=gin.choose,
        look=Look(melds=False, hand=arranged, left=arranged),
    ),
    "scala40": Game(
        title="Scala 40 for {rules.players}, out at {rules.limit} penalty points",
        preset=Preset.PRESET_SCALA_40,
        options=Scala40Rules(players=len(FOUR)),
        players=FOUR,
        choose=rummy.SCALA_40.choose,
        look=Look(penalties=True, suits_once=True, note=opening_note),
    ),
}
"""By name, the one played by default first."""
