"""The arbiter: states opened and sealed, and every kind of defect of a typed state."""

import copy
from collections.abc import Callable
from typing import Final

from burraco_conformance.values import Json
from service.rules.state import NOBODY, Phase
from service.wire.state_codec import encode_state
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.positions import whole
from tests.conformance.generate.script import ARBITER, Script
from tests.support.tables import table

Change = Callable[[Json], None]
CLEAN: Final = "4S 5S 6S 7S 8S 9S 10S"


def base(phase: Phase = Phase.PLAY) -> bytes:
    """A position with melds of both sides, a pozzetto taken and one left."""
    hands = ["KD QD 3C", "7H 8H", "9C JK", "AD 2C"]
    melds = {0: [CLEAN, "KS KH KC"], 1: ["QS QH JK"]}
    return encode_state(whole(table(hands=hands, melds=melds, taken_by=(0, NOBODY), phase=phase)))


@scenario("arbiter/inspect", "Sealed states opened: sound ones, and such as have defects.")
def inspect(script: Script) -> None:
    state = script.literal("sound", script.sealed(base()))
    script.arbiter("InspectState", {"state": state})
    one_short = whole(table(phase=Phase.DRAW))
    sealed = script.sealed(encode_state(one_short._replace(stock=one_short.stock[1:])))
    answer = script.arbiter("InspectState", {"state": script.literal("oneCardShort", sealed)})
    script.defective(answer, "FACE_COUNT ")
    damaged = {"$bytes": "sound", "xor": [{"at": -1, "with": 1}]}
    script.fail(f"{ARBITER}InspectState", {"state": damaged}, "INVALID_ARGUMENT", "STATE_SEAL_BROKEN", "state")
    script.fail(f"{ARBITER}InspectState", {}, "INVALID_ARGUMENT", "FIELD_MISSING", "state")


@scenario("arbiter/import", "A typed state is sealed, and played on from.")
def import_(script: Script) -> None:
    script.create("GIN", seed=1, givenSeats={"dealer": 1})
    opened = script.arbiter("InspectState", {"state": script.state})["gameState"]
    script.arbiter("ImportState", {"gameState": opened}, save={"state": "state"}, any_of=["state"])
    script.play(0, "pass", viewers="s", events="UpcardPassed TurnStarted")
    script.fail(f"{ARBITER}ImportState", {}, "INVALID_ARGUMENT", "FIELD_MISSING", "game_state")


def put(path: str, value: Json) -> Change:
    """Change one field, or take it out with None."""

    def change(state: Json) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        for part in way:
            state = state[part]
        if value is None:
            del state[last]
        else:
            state[last] = value

    return change


DEFECTS: Final[dict[str, tuple[Change, tuple[str, ...]]]] = {
    "No rules.": (put("rules", None), ("MISSING rules",)),
    "A turn at no seat.": (put("turn", 7), ("OUT_OF_RANGE turn",)),
    "A phase of another game.": (put("phase", "PHASE_UPCARD"), ("UNKNOWN_VALUE phase",)),
    "Three hands: the cards of the fourth are missing.": (
        put("hands.3", None),
        ("LENGTH hands", "FACE_COUNT ", "FACE_COUNT "),
    ),
    "Nine jokers.": (put("rules.burraco.jokers", 9), ("RULES rules.burraco.jokers",)),
    "A knocker, in Burraco.": (put("knocker", 0), ("FOREIGN knocker",)),
    "Another card: one face too often, one not often enough.": (
        put("hands.1.cards.0", "CARD_6D"),
        ("FACE_COUNT ", "FACE_COUNT "),
    ),
    "An empty hand: its cards are missing.": (put("hands.1", {}), ("CARDS hands[1]", "FACE_COUNT ", "FACE_COUNT ")),
    "A meld with a gap.": (
        put("melds.0.cards.3", "CARD_JS"),
        ("MELD melds[0]", "FACE_COUNT ", "FACE_COUNT "),
    ),
    "A wild that is none.": (put("melds.0.wildIndex", 1), ("WILD melds[0].wild_index",)),
    "Another meld id.": (put("melds.1.meldId", 5), ("MELD_FACTS melds[1].meld_id",)),
    "A result while cards are played, which the points do not bear out.": (
        put("result", {"matchEnd": "MATCH_END_TARGET", "winningSides": [0], "matchPoints": [0, 0]}),
        ("PHASE result", "SCORES result.match_end"),
    ),
    "A drawn card that the hand does not hold.": (put("turnState.drawn", "CARD_AH"), ("TURN turn_state.drawn",)),
    "Points though no deal was scored.": (put("sides.0.matchPoints", 100), ("SCORES sides[0].match_points",)),
    "A pozzetto taken by a seat of the other side.": (
        put("sides.0.pozzettoTakenBy", 1),
        ("POZZETTI sides[0].pozzetto_taken_by",),
    ),
    "A short match id.": (put("matchId", "bW1t"), ("IDENTITY match_id",)),
    "A player who sits twice.": (put("players", [0, 1, 1, 3]), ("SEATS players",)),
    "More deals scored than dealt.": (put("dealsScored", 5), ("COUNTER deals_scored",)),
}
"""What is done to a sound state, and what is wrong then: reasons without their prefix, with their fields."""


@scenario("arbiter/defects", "A state with a defect of each kind is not sealed: every defect is told, with its field.")
def defects(script: Script) -> None:
    sound = script.literal("sound", script.sealed(base()))
    opened = script.arbiter("InspectState", {"state": sound})["gameState"]
    for note, (change, expected) in DEFECTS.items():
        state = copy.deepcopy(opened)
        change(state)
        answer = script.arbiter("ImportState", {"gameState": state}, note=note)
        script.defective(answer, *expected)
