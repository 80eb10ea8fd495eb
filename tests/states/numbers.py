"""What a stored state says in numbers and bytes alone, without protobuf: none of it may come to mean something else."""

from enum import IntEnum
from typing import Any, Final

from service.rules.cards import FACES, JOKER
from service.rules.games import GAMES
from service.rules.melds import MeldKind
from service.rules.moves import MoveKind
from service.rules.options import Game, Preset
from service.rules.state import DealEnd, MatchEnd, Phase
from service.wire.rules_codec import ENUM_OF, FIELD_OF
from service.wire.state_codec import HAND, MELD
from tests.states.dump import card

ENUMS: Final[tuple[type[IntEnum], ...]] = (Phase, DealEnd, MatchEnd, MeldKind, MoveKind, Game, Preset)


def raw_numbers() -> dict[str, dict[str, Any]]:
    """Every enum by name, the cards, the options of each game with their numbers, and the layout of packed bytes."""
    found: dict[str, dict[str, Any]] = {enum.__name__: {one.name: one.value for one in enum} for enum in ENUMS}
    found["Card"] = {card(number): number for number in (*FACES, JOKER)}
    found["packed"] = {"hand": HAND.format, "meld": MELD.format}
    for game in GAMES.values():
        for option in game.options:
            enum = ENUM_OF.get((game.name, option.key))
            values = {value.name: value.value for value in enum if value.value} if enum else {}
            found[f"{FIELD_OF[game.name]}.{option.key}"] = values
    return found


def changed(then: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> list[str]:
    """Say which numbers of then are not the same now."""
    wrong = [f"{group} is gone" for group in then if group not in now]
    for group in then.keys() & now.keys():
        for name, number in then[group].items():
            if now[group].get(name) != number:
                wrong.append(f"{group}.{name} was {number} and is {now[group].get(name)}")
    return sorted(wrong)
