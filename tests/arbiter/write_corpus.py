"""Writes the corpus of bad states: sound states, each with a named thing made wrong, and the defects that are found.

Run `make arbiter-corpus`, and read the difference: an expectation that changes is a change of the audit.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from burraco.v1 import cards_pb2, melds_pb2, scores_pb2, state_pb2, views_pb2
from service.rules.games import PRESETS
from service.rules.options import Preset
from service.rules.state import NOBODY, DealEnd, Fairness, MatchEnd, Phase, State
from service.wire.open_reader import read_open
from service.wire.open_state import defect_messages, open_message
from tests.support.walks import LAZY, start, walk

CORPUS: Final = Path(__file__).parent / "corpus"
COMMITTED: Final = Fairness(bytes(range(32)), (b"one", b"two"), bytes(range(32, 64)))
_CARDS: Final = re.compile(r"\[\s+(\"[^\[\]{}]*?\")\s+\]")
Change = Callable[[Any], object]
"""Makes one thing wrong with a GameState."""


class Base(NamedTuple):
    """A kind of sound state to begin with."""

    preset: Preset
    fits: Callable[[State], bool]


def in_play(state: State) -> bool:
    """Whether the seat to move has drawn and done nothing else, with a meld on the table where there are any."""
    turn = state.turn
    plain = state.phase is Phase.PLAY and bool(turn.drawn) and not turn.melded and not turn.last
    return plain and (bool(state.melds) or state.match.rules.game.name == "GIN")


BASES: Final[dict[str, Base]] = {
    **{
        f"{preset.name.lower()} {name}": Base(preset, fits)
        for preset in (Preset.ITALIAN, Preset.RAMINO, Preset.GIN, Preset.SCALA_40)
        for name, fits in {
            "draw": lambda state: state.phase is Phase.DRAW and state.deal_number == 1 and state.revision > 4,
            "play": in_play,
            "counted": lambda state: state.phase is Phase.DEAL_OVER and state.closed_by != NOBODY,
            "won": lambda state: state.result is not None and state.result.match_end is not MatchEnd.RESIGNED,
        }.items()
    },
    "gin upcard": Base(Preset.GIN, lambda state: state.phase is Phase.UPCARD and state.passes == 1),
    "three_player alone": Base(Preset.THREE_PLAYER, lambda state: state.alone != NOBODY and in_play(state)),
    "italian pozzetto": Base(Preset.ITALIAN, lambda state: any(state.unseen) and state.phase is Phase.DRAW),
    "fibur won": Base(Preset.FIBUR, lambda state: bool(state.result and state.result.victory_points)),
    "two_player draw": Base(Preset.TWO_PLAYER, lambda state: state.phase is Phase.DRAW and state.revision > 4),
    "reale play": Base(Preset.REALE, in_play),
    "international stock": Base(Preset.INTERNATIONAL, lambda state: state.deal_end is DealEnd.STOCK),
    "scala_40_fisca play": Base(Preset.SCALA_40_FISCA, in_play),
}


@lru_cache
def base(name: str) -> state_pb2.GameState:
    """Find a sound state of a kind, the same on every run; it is not to be changed."""
    preset, fits = BASES[name]
    for seed in range(1, 40):
        state = start(PRESETS[preset], seed, COMMITTED)
        for _, _, _, after, _ in walk(state, random.Random(seed), 4000, LAZY if seed % 2 else 0.2):
            if fits(after):
                return open_message(after)
    raise AssertionError(f"no walk comes to {name}")


def clear(field: str) -> Change:
    return lambda state: state.ClearField(field)


def put(path: str, value: Any) -> Change:  # noqa: ANN401  # of the field
    """Set a field below the state."""

    def change(state: Any) -> None:  # noqa: ANN401  # any message
        *above, last = path.split(".")
        for name in above:
            state = getattr(state, name)
        setattr(state, last, value)

    return change


def empty_a_hand(state: Any) -> None:  # noqa: ANN401  # see Change
    hand = state.hands[state.turn].cards
    state.stock.extend(hand)
    del hand[:]


def a_card_twice(state: Any) -> None:  # noqa: ANN401  # see Change
    """In place of another face."""
    at = next(at for at, card in enumerate(state.stock) if card != state.stock[0])
    state.stock[at] = state.stock[0]


def third_copy(state: Any) -> None:  # noqa: ANN401  # see Change
    card = state.hands[1].cards[0]
    state.hands[1].cards.extend((card, card))


def break_a_meld(state: Any) -> None:  # noqa: ANN401  # see Change
    cards = state.melds[0].cards
    cards[0], state.stock[0] = state.stock[0], cards[0]


def unknown_card(state: Any) -> None:  # noqa: ANN401  # see Change
    state.hands[0].cards[0] = 99


def wild_on_a_natural(state: Any) -> None:  # noqa: ANN401  # see Change
    meld = next((meld for meld in state.melds if not meld.HasField("wild_index")), state.melds[0])
    meld.wild_index = 1


def players_twice(state: Any) -> None:  # noqa: ANN401  # see Change
    state.players[1] = state.players[0]


def a_result(state: Any) -> None:  # noqa: ANN401  # see Change
    state.result.match_end = scores_pb2.MATCH_END_RESIGNED
    state.result.winning_sides.append(0)
    state.result.match_points.extend(side.match_points for side in state.sides)


def drawn(state: Any) -> None:  # noqa: ANN401  # see Change
    state.turn_state.drawn = state.hands[state.turn].cards[0]


def all_at_once(state: Any) -> None:  # noqa: ANN401  # see Change
    for change in (unknown_card, a_card_twice, players_twice, a_result, empty_a_hand):
        change(state)
    state.turn, state.dealer, state.phase = 7, 9, 77
    state.match_id, state.fairness.commitment = b"short", b"other"
    state.deals_scored, state.next_meld_id = 5, 40
    del state.sides[0]


def bare(state: Any) -> None:  # noqa: ANN401  # see Change
    """Nothing but its rules."""
    rules = state.rules
    kept = type(rules)()
    kept.CopyFrom(rules)
    state.Clear()
    state.rules.CopyFrom(kept)


EVERYWHERE: Final[dict[str, tuple[str, Change]]] = {
    "missing rules": ("draw", clear("rules")),
    "missing seed": ("draw", put("fairness.seed", b"")),
    "turn out of range": ("draw", put("turn", 7)),
    "unknown card": ("draw", unknown_card),
    "unknown phase": ("draw", put("phase", 77)),
    "a hand too few": ("draw", lambda state: state.hands.__delitem__(-1)),
    "no game in the rules": ("draw", lambda state: state.rules.ClearField(state.rules.WhichOneof("game"))),
    "a face too often": ("draw", a_card_twice),
    "a third copy": ("draw", third_copy),
    "an empty hand": ("draw", empty_a_hand),
    "a result in play": ("play", a_result),
    "a deal over without an end": ("counted", clear("deal_end")),
    "drawn before the draw": ("draw", drawn),
    "nothing drawn": ("play", clear("turn_state")),
    "points without a deal": ("draw", lambda state: setattr(state.sides[0], "match_points", 55)),
    "points of a result": ("won", lambda state: state.result.match_points.__setitem__(0, 12_345)),
    "no winner": ("won", lambda state: state.result.ClearField("winning_sides")),
    "a wrong commitment": ("draw", put("fairness.commitment", bytes(32))),
    "a short chain": ("draw", put("chain", b"short")),
    "a player twice": ("draw", players_twice),
    "more deals scored than dealt": ("draw", put("deals_scored", 3)),
    "a deal number near its end": ("draw", put("deal_number", 2**31 - 1)),
    "a revision near its end": ("draw", put("revision", 2**63)),
    "everything at once": ("play", all_at_once),
    "nothing but rules": ("draw", bare),
}
MELDS: Final[dict[str, Change]] = {
    "a broken meld": break_a_meld,
    "a wild that is natural": wild_on_a_natural,
    "a meld of another id": lambda state: setattr(state.melds[0], "meld_id", 9),
    "a meld of other points": lambda state: setattr(state.melds[0], "card_points", 999),
    "a burraco of few cards": lambda state: setattr(state.melds[0], "burraco", melds_pb2.BURRACO_KIND_CLEAN),
}


def unplayed_of_nobody(state: Any) -> None:  # noqa: ANN401  # see Change
    state.sides[0].pozzetto_unplayed = True


def taken_by_the_other_side(state: Any) -> None:  # noqa: ANN401  # see Change
    state.sides[0].pozzetto_taken_by = 1
    state.hands[1].cards.extend(state.pozzetti[0].cards)
    del state.pozzetti[0]


def taken_by_nobody(state: Any) -> None:  # noqa: ANN401  # see Change
    next(side for side in state.sides if side.pozzetto_unplayed).ClearField("pozzetto_taken_by")


def unseen_by_the_next(state: Any) -> None:  # noqa: ANN401  # see Change
    state.unseen_seats[0] = (state.unseen_seats[0] + 1) % 4


def other_winner(state: Any) -> None:  # noqa: ANN401  # see Change
    state.result.winning_sides[0] = 1 - state.result.winning_sides[0]


def the_next_alone(state: Any) -> None:  # noqa: ANN401  # see Change
    state.alone = (state.alone + 1) % 3


def third_pozzetto(state: Any) -> None:  # noqa: ANN401  # see Change
    state.pozzetti.add().cards.extend(state.stock[:11])


def grown(state: Any) -> None:  # noqa: ANN401  # see Change
    state.hands[state.turn].cards.extend(state.stock[:20])
    del state.stock[:20]


SOME: Final[dict[str, tuple[str, Change]]] = {
    "italian option out of range": ("italian draw", put("rules.burraco.jokers", 9)),
    "italian options that contradict": ("italian draw", put("rules.burraco.target", 0)),
    "ramino option out of range": ("ramino draw", put("rules.ramino.players", 9)),
    "gin option missing": ("gin draw", lambda state: state.rules.gin.ClearField("target")),
    "scala_40 option of an unknown number": ("scala_40 draw", put("rules.scala_40.next_dealer", 77)),
    "italian knocker": ("italian draw", put("knocker", 1)),
    "italian laid seats": ("italian draw", lambda state: state.laid_seats.append(1)),
    "italian alone": ("italian draw", put("alone", 1)),
    "italian taken card": ("italian play", put("turn_state.taken", cards_pb2.CARD_7S)),
    "ramino pozzetto": ("ramino draw", lambda state: state.pozzetti.add().cards.append(state.stock.pop())),
    "ramino reentries": ("ramino draw", lambda state: state.reentries.__setitem__(0, 1)),
    "gin stalemate": ("gin draw", put("stalemate_turns", 2)),
    "gin closed in hand": ("gin counted", put("closed_in_hand", True)),
    "scala_40 grown hand": ("scala_40 play", grown),
    "scala_40 passes": ("scala_40 draw", put("passes", 1)),
    "scala_40 deals won": ("scala_40 draw", lambda state: state.deals_won.extend((1, 0, 0, 0))),
    "italian phase of gin": ("italian draw", put("phase", views_pb2.PHASE_UPCARD)),
    "italian unplayed pozzetto": ("italian draw", unplayed_of_nobody),
    "italian pozzetto of the other side": ("italian draw", taken_by_the_other_side),
    "italian pozzetto too short": ("italian draw", lambda state: state.stock.append(state.pozzetti[0].cards.pop())),
    "italian pozzetto of nobody": ("italian pozzetto", taken_by_nobody),
    "italian pozzetto unseen by another": ("italian pozzetto", unseen_by_the_next),
    "italian time without turns": ("italian draw", put("turns_left", 0)),
    "italian stalemate beyond its end": ("italian draw", put("stalemate_turns", 64)),
    "italian must meld": ("italian play", put("turn_state.must_meld", cards_pb2.CARD_7S)),
    "italian wrong victory points": ("fibur won", lambda state: state.result.victory_points.__setitem__(0, 19)),
    "italian winner of fewer points": ("italian won", other_winner),
    "three players nobody alone": ("three_player alone", clear("alone")),
    "three players somebody else alone": (
        "three_player alone",
        lambda state: setattr(state, "alone", (state.alone + 1) % 3),
    ),
    "two players a third pozzetto": (
        "two_player draw",
        lambda state: state.pozzetti.add().cards.extend(state.stock[:11]),
    ),
    "reale with jokers": ("reale play", put("rules.burraco.jokers", 4)),
    "international stock that is left": ("international stock", put("deal_end", scores_pb2.DEAL_END_TIME)),
    "gin up-card passed too often": ("gin upcard", put("passes", 2)),
    "gin points beyond the target": ("gin draw", lambda state: setattr(state.sides[0], "match_points", 200)),
    "gin no knocker": ("gin counted", clear("knocker")),
    "gin meld broken": ("gin counted", break_a_meld),
    "gin meld with a wild": ("gin counted", wild_on_a_natural),
    "gin meld of other points": ("gin counted", lambda state: setattr(state.melds[0], "card_points", 999)),
    "gin deals won by nobody": ("gin counted", clear("deals_won")),
    "scala_40 joker owed": ("scala_40 play", put("turn_state.jokers_owed", 1)),
    "scala_40 opening without melds": ("scala_40 play", put("turn_state.opening_points", 12)),
    "scala_40 seat out that moves": ("scala_40 draw", lambda state: state.out_seats.append(state.turn)),
    "scala_40 laid without melds": ("scala_40 draw", lambda state: state.laid_seats.extend(range(4))),
    "scala_40_fisca taken card not used": ("scala_40_fisca play", put("turn_state.taken", cards_pb2.CARD_7S)),
    "ramino renewed too often": ("ramino draw", put("renewals", 90)),
    "ramino turns beyond all": ("ramino draw", put("turns_taken", 5000)),
    "ramino points below none": ("ramino draw", lambda state: setattr(state.sides[1], "match_points", -5)),
}


def entries() -> Iterator[tuple[str, str, Change]]:
    """Every entry: its name, its base, what is made wrong."""
    for game in ("italian", "ramino", "gin", "scala_40"):
        for name, (kind, change) in EVERYWHERE.items():
            yield f"{game} {name}", f"{game} {kind}", change
        if game != "gin":
            for name, change in MELDS.items():
                yield f"{game} {name}", f"{game} play", change
    for name, (begin, change) in SOME.items():
        yield name, begin, change


def entry(begin: str, change: Change) -> dict[str, Any]:
    """One entry as it is written."""
    state = state_pb2.GameState()
    state.CopyFrom(base(begin))
    change(state)
    return {"base": begin, "gameState": json_format.MessageToDict(state), "defects": found(state)}


def found(state: state_pb2.GameState) -> list[dict[str, Any]]:
    """The defects of a state as they are written."""
    return [json_format.MessageToDict(each) for each in defect_messages(read_open(state).defects)]


def written(content: dict[str, Any]) -> str:
    """Readable JSON, a list of cards on one line."""
    text = json.dumps(content, indent=2)
    return _CARDS.sub(lambda match: "[" + re.sub(r"\s+", " ", match[1]) + "]", text) + "\n"


def main() -> None:
    """Write every entry, and take away those that are no more."""
    names = set()
    for name, begin, change in entries():
        file = CORPUS / f"{re.sub(r'[^a-z0-9]+', '_', name)}.json"
        names.add(file.name)
        file.write_text(written(entry(begin, change)), "utf-8")
    for file in CORPUS.glob("*.json"):
        if file.name not in names:
            file.unlink()


if __name__ == "__main__":
    main()
