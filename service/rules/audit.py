"""Whether a state holds together: all that the rules rely on, so that nothing they do with it can fail.

The seal vouches that a state is one of ours; this is for the day when it is one of a faulty release, or made by hand.
There is one audit. Whoever reads a stored state asks for its first defect, the arbiter for all of them.

What can be known of a state alone is checked, and no more: a match id cannot be followed from the seed, since the
request id that went into it is not in the state, nor the hash chain, since the moves are not.
"""

from collections import Counter
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from service.rules.cards import FACES, IS_CARD, NO_CARD, text
from service.rules.defects import (
    NOTHING,
    DefectReason,
    Defects,
    StateDefect,
    defect,
    foreign,
    out_of_range,
    wrong_length,
)
from service.rules.game import Game
from service.rules.games import GAMES, game_of, game_with
from service.rules.hand import Hand
from service.rules.options import RuleSet
from service.rules.state import NOBODY, UNCOUNTED, DealEnd, Fairness, Match, MatchEnd, Phase, State
from service.rules.stream import MATCH_ID_BYTES, MAX_ENTROPY_BYTES, SALT_BYTES, SEED_BYTES

ALL_FACES: Final = sum(1 << card for card in FACES)
NAMED: Final = IS_CARD | {NO_CARD}
CHAIN_BYTES: Final = 16
CLOSED: Final = (DealEnd.CLOSED, DealEnd.KNOCK, DealEnd.GIN)
"""Ends of a deal that a seat brought about by playing all its cards, or knocking."""
MOVES_PER_DEAL: Final = 2
"""Fewest moves of a finished deal: one that ends it, and NextDeal."""
PLACES: Final = {
    "unseen": "unseen_seats",
    "laid": "laid_seats",
    "out": "out_seats",
    "doubled": "closed_in_hand",
    "turn.opening": "turn_state.opening_points",
    "turn.last": "turn_state.last_turn",
}
"""Paths of what the contract calls otherwise than the rules do."""
WHOLE: Final = ""
"""The name among unclear fields of all cards together."""
SIDE_PLACES: Final = {"taken_by": "pozzetto_taken_by", "unplayed": "pozzetto_unplayed"}


class Caps(NamedTuple):
    """How far what nothing else bounds may count.

    A stored state has room for twice as much as one that is imported, so that whatever is let in can be played on for
    longer than any match lasts.
    """

    revision: int
    counter: int
    points: int


STORED: Final = Caps((1 << 63) - 1, (1 << 31) - 1, 1 << 30)
IMPORTED: Final = Caps(1 << 62, 1 << 30, 1 << 29)


def audit(state: State, unclear: frozenset[str] = NOTHING, extra: bytes = b"", caps: Caps = STORED) -> Defects:
    """Find every defect of a state, the parts of a field that rest on something wrong left out.

    `unclear` fields were found wrong by whoever read them, and are judged no further; `extra` are cards that the state
    has no room for, such as a third copy in a hand.
    """
    game = game_of(state)
    match = state.match
    yield from _match(match)
    yield from _counters(state, caps, unclear)
    unjudged: set[str] | frozenset[str] = unclear
    for found in _shape(state, game):
        unjudged = {*unjudged, found.top}
        yield found
    for found in _melds(state, game):
        unjudged = {*unjudged, found.top}
        yield found
    if WHOLE not in unclear:
        yield from _faces(state, extra)
    if unjudged and "players" in unjudged:
        return
    yield from _foreign(state, game)
    if not unjudged or unjudged.isdisjoint(("phase", "deal_end", "result")):
        yield from _phase(state)
    yield from game.audit(state, frozenset(unjudged))


# --- the match --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _match(match: Match) -> tuple[StateDefect, ...]:
    return (*_identity(match), *_fairness(match.fairness, match.rules.players))


def _identity(match: Match) -> Defects:
    if len(match.match_id) != MATCH_ID_BYTES:
        yield _bytes("match_id", match.match_id, MATCH_ID_BYTES)


def _bytes(field: str, value: bytes, expected: int) -> StateDefect:
    if not value:
        return defect(field, DefectReason.DEFECT_MISSING, f"is missing: {expected} bytes are expected.")
    text_ = f"has {len(value)} bytes, but {expected} are expected."
    return defect(field, DefectReason.DEFECT_IDENTITY, text_, count=len(value), expected=expected)


def _fairness(fairness: Fairness, players: int) -> Defects:
    seed, entropy, salt = fairness.seed, fairness.entropy, fairness.salt
    if len(seed) != SEED_BYTES:
        yield _bytes("fairness.seed", seed, SEED_BYTES)
    if salt and len(salt) != SALT_BYTES:
        yield _bytes("fairness.salt", salt, SALT_BYTES)
    if entropy and not salt:
        text_ = "is there without a salt, but players add to a seed only after it was committed to."
        yield defect("fairness.entropy", DefectReason.DEFECT_IDENTITY, text_)
    if len(entropy) > players:
        yield wrong_length("fairness.entropy", len(entropy), f"at most {players}")
    for at, entry in enumerate(entropy):
        if not 1 <= len(entry) <= MAX_ENTROPY_BYTES:
            text_ = f"has {len(entry)} bytes, but 1 to {MAX_ENTROPY_BYTES} are expected."
            yield defect(f"fairness.entropy[{at}]", DefectReason.DEFECT_IDENTITY, text_)


# --- counters ---------------------------------------------------------------------------------------------------------


def _counters(state: State, caps: Caps, unclear: frozenset[str]) -> Defects:
    """Find counters that do not go with one another, or are near their end.

    Those that a game bounds are its own affair; these go on as long as a match does.
    """
    number, scored = state.deal_number, state.deals_scored
    if len(state.chain) != CHAIN_BYTES:
        yield _bytes("chain", state.chain, CHAIN_BYTES)
    if state.revision > caps.revision:
        yield _near_its_end("revision", state.revision, caps.revision)
    if not 1 <= number <= caps.counter:
        yield (
            _near_its_end("deal_number", number, caps.counter)
            if number
            else out_of_range("deal_number", number, 1, caps.counter)
        )
    elif state.revision < MOVES_PER_DEAL * (number - 1) + state.over and not unclear:
        text_ = f"is {number}, but so many deals have more moves than the {state.revision} of the revision."
        yield defect("deal_number", DefectReason.DEFECT_COUNTER, text_)
    counted = state.deal_end not in UNCOUNTED or "deal_end" in unclear
    finished = number if counted else max(number - 1, 0)
    if scored > finished:
        text_ = f"is {scored}, but at most {finished} deals can have been scored by deal {number}."
        yield defect("deals_scored", DefectReason.DEFECT_COUNTER, text_)
    elif not scored and counted and "deal_end" not in unclear:
        yield defect("deals_scored", DefectReason.DEFECT_COUNTER, "is 0, but the deal that ended has been scored.")
    if state.stalemate_turns > caps.counter:
        yield _near_its_end("stalemate_turns", state.stalemate_turns, caps.counter)
    if state.token_epochs and max(state.token_epochs) > caps.counter:
        for at, epoch in enumerate(state.token_epochs):
            if epoch > caps.counter:
                yield _near_its_end(f"token_epochs[{at}]", epoch, caps.counter)
    for side, total in enumerate(state.points):
        if not -caps.points <= total <= caps.points:
            yield defect(
                f"sides[{side}].match_points",
                DefectReason.DEFECT_SCORES,
                f"are {total}, but have to be {-caps.points} to {caps.points}.",
            )
        elif total and not scored:
            text_ = f"are {total}, but no deal has been scored."
            yield defect(f"sides[{side}].match_points", DefectReason.DEFECT_SCORES, text_)


def _near_its_end(field: str, value: int, most: int) -> StateDefect:
    text_ = f"is {value}, which is near the end of what it can count: at most {most} is taken."
    return defect(field, DefectReason.DEFECT_COUNTER, text_)


# --- lists and seats --------------------------------------------------------------------------------------------------


def _shape(state: State, game: Game) -> Defects:
    """Find lists of a wrong length, seats that are none, values that the game does not know."""
    match = state.match
    players, sides = match.rules.players, game.sides(match.rules)
    if wrong := players_defect(match.players, players):
        yield wrong
        return
    if not len(state.hands) == len(state.unseen) == len(state.token_epochs) == players or len(state.points) != sides:
        yield from _lengths(state, players, sides)
    for name in game.keeps:
        expected = sides if name in _BY_SIDE else players
        if len(getattr(state, name)) != expected:
            yield wrong_length(_place(name), len(getattr(state, name)), expected)
    if state.seat >= players:
        yield out_of_range("turn", state.seat, 0, players - 1)
    if state.dealer >= players:
        yield out_of_range("dealer", state.dealer, 0, players - 1)
    if not NOBODY <= state.closed_by < players:
        yield out_of_range("closed_by", state.closed_by, 0, players - 1)
    if not NOBODY <= state.knocker < players:
        yield out_of_range("knocker", state.knocker, 0, players - 1)
    if not NOBODY <= state.alone < players:
        yield out_of_range("alone", state.alone, 0, players - 1)
    for side, seat in enumerate(state.taken_by):
        if not NOBODY <= seat < players:
            yield out_of_range(f"sides[{side}].pozzetto_taken_by", seat, 0, players - 1)
    if state.phase not in game.phases:
        yield _unknown("phase", state.phase)
    if state.deal_end not in game.deal_ends:
        yield _unknown("deal_end", state.deal_end)
    turn = state.turn
    if not NAMED.issuperset((turn.drawn, turn.taken_single, turn.must_meld, turn.taken)):
        for name in ("drawn", "taken_single", "must_meld", "taken"):
            if getattr(turn, name) not in NAMED:
                yield _unknown(f"turn_state.{name}", getattr(turn, name))
    if _is_wrong(turn.hand_before_pile):
        text_ = "holds what no hand can hold."
        yield defect("turn_state.hand_before_pile", DefectReason.DEFECT_CARDS, text_)
    for seat, hand in enumerate(state.hands):
        if hand.once & ~ALL_FACES or hand.twice & ~hand.once or hand.jokers > 4:
            yield defect(f"hands[{seat}]", DefectReason.DEFECT_CARDS, "holds what no hand can hold.")
    if state.result:
        yield from _result(state, game, sides)


_BY_SIDE: Final = frozenset(("taken_by", "unplayed", "deals_won"))


def _is_wrong(hand: Hand) -> bool:
    return bool(hand.once & ~ALL_FACES or hand.twice & ~hand.once or hand.jokers > 4)


def players_defect(players: tuple[int, ...], expected: int) -> StateDefect | None:
    """Find what is wrong with the players at the seats."""
    if sorted(players) == list(range(expected)):
        return None
    if not players:
        return defect(
            "players", DefectReason.DEFECT_MISSING, f"is missing: name the player at each of {expected} seats."
        )
    if len(players) != expected:
        return wrong_length("players", len(players), expected)
    return defect("players", DefectReason.DEFECT_SEATS, f"have to be 0 to {expected - 1}, each at one seat.")


def _lengths(state: State, players: int, sides: int) -> Defects:
    for name, expected in (("hands", players), ("unseen", players), ("token_epochs", players)):
        if len(getattr(state, name)) != expected:
            yield wrong_length(_place(name), len(getattr(state, name)), expected)
    if len(state.points) != sides:
        yield wrong_length("sides", len(state.points), sides)


def _unknown(field: str, value: int) -> StateDefect:
    text_ = f"is {int(value)}, which this game does not know."
    return defect(field, DefectReason.DEFECT_UNKNOWN_VALUE, text_, value=int(value))


def _result(state: State, game: Game, sides: int) -> Defects:
    result = state.result
    if result is None:
        return
    if result.match_end is MatchEnd.NOT_ENDED:
        yield defect("result.match_end", DefectReason.DEFECT_MISSING, "is missing: say how the match ended.")
    elif result.match_end not in game.match_ends:
        yield _unknown("result.match_end", result.match_end)
    winners = result.winning_sides
    if not winners:
        yield defect("result.winning_sides", DefectReason.DEFECT_MISSING, "is missing: somebody has won.")
    elif list(winners) != sorted(set(winners)) or winners[-1] >= sides:
        text_ = f"have to be sides from 0 to {sides - 1}, each once, in order."
        yield defect("result.winning_sides", DefectReason.DEFECT_PHASE, text_)
    if len(result.victory_points) not in (0, sides):
        yield wrong_length("result.victory_points", len(result.victory_points), sides)


# --- cards ------------------------------------------------------------------------------------------------------------


def _faces(state: State, extra: bytes) -> Defects:
    """Find the faces that all cards together hold too often, or not often enough."""
    piles = [state.stock, state.discard, extra, *state.pozzetti]
    piles += [meld.cards for meld in state.melds]
    piles += [_cards_of(hand) for hand in state.hands]
    cards = sorted(b"".join(piles))
    deck = _deck(state.match.rules)
    if cards == deck:
        return
    there, expected = Counter(cards), Counter(deck)
    for card in sorted(there.keys() | expected.keys()):
        count, right = there[card], expected[card]
        if count != right:
            if card not in IS_CARD:
                name, text_ = str(card), f"has the number {card} among its cards, which is no card."
            else:
                name = text(card)
                text_ = f"has {name} {count} times, but its deck has it {right} times."
            yield defect("", DefectReason.DEFECT_FACE_COUNT, text_, card=name, count=count, expected=right)


def _cards_of(hand: Hand) -> bytes:
    # What is no hand is told as such; here it must not fail.
    return hand.cards() if hand.jokers <= 4 else hand._replace(jokers=4).cards() + bytes((64,)) * (hand.jokers - 4)


@lru_cache(maxsize=16)
def _deck(rules: RuleSet) -> list[int]:
    return sorted(game_with(rules).deck(rules))


def _melds(state: State, game: Game) -> Defects:
    rules, sides = state.match.rules, game.sides(state.match.rules)
    for number, meld in enumerate(state.melds, 1):
        if meld.meld_id != number or meld.side >= sides:
            yield from _meld_place(number, meld.meld_id, meld.side, sides)
        if fault := game.meld_fault(meld, rules):
            yield defect(f"melds[{number - 1}]{fault.field}", fault.reason, fault.text)
    if state.next_meld_id != len(state.melds) + 1:
        right = len(state.melds) + 1
        text_ = f"is {state.next_meld_id}, but after {right - 1} melds it is {right}."
        yield defect("next_meld_id", DefectReason.DEFECT_MELD_FACTS, text_, value=state.next_meld_id, expected=right)


def _meld_place(number: int, meld_id: int, side: int, sides: int) -> Defects:
    if meld_id != number:
        text_ = f"is {meld_id}, but the melds are numbered from 1 on: it has to be {number}."
        yield defect(
            f"melds[{number - 1}].meld_id", DefectReason.DEFECT_MELD_FACTS, text_, value=meld_id, expected=number
        )
    if side >= sides:
        yield out_of_range(f"melds[{number - 1}].side", side, 0, sides - 1)


# --- what is of another game, and phases ------------------------------------------------------------------------------


@lru_cache
def _blank(name: Any) -> tuple["attrgetter[Any]", tuple[object, ...], tuple[str, ...]]:  # noqa: ANN401  # a game's name
    blank = GAMES[name].blank
    return attrgetter(*blank), tuple(blank.values()), tuple(blank)


def _foreign(state: State, game: Game) -> Defects:
    """Find the fields that the game does not know and that are not as it leaves them."""
    getter, blank, names = _blank(game.name)
    values = getter(state)
    if values == blank:
        return
    for name, value, right in zip(names, values, blank, strict=True):
        if value != right:
            yield foreign(_path_of(name, value))


def _path_of(name: str, value: Any) -> str:  # noqa: ANN401  # any field's
    if name not in SIDE_PLACES:
        return _place(name)
    nothing = NOBODY if name == "taken_by" else False
    wrong = [at for at, each in enumerate(value) if each != nothing]
    return f"sides[{wrong[0]}].{SIDE_PLACES[name]}" if wrong else "sides"


def _place(name: str) -> str:
    """Path of a field of the state in the contract's words."""
    if name in _BY_SIDE and name in SIDE_PLACES:
        return "sides"
    place = PLACES.get(name, name)
    return place.replace("turn.", "turn_state.", 1) if place.startswith("turn.") else place


def _phase(state: State) -> Defects:
    """Find what does not go together of the phase, the end of the deal and the result."""
    over = state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)
    if over != (state.deal_end is not DealEnd.NOT_ENDED):
        text_ = "is missing, but the deal is over." if over else "is set, but the deal goes on."
        yield defect("deal_end", DefectReason.DEFECT_PHASE, text_)
    if (state.result is not None) != (state.phase is Phase.MATCH_OVER):
        text_ = "is missing, but the match is over." if state.result is None else "is set, but the match is not over."
        yield defect("result", DefectReason.DEFECT_PHASE, text_)
    if state.closed_by != NOBODY and state.deal_end not in CLOSED:
        yield defect("closed_by", DefectReason.DEFECT_PHASE, "is set, but nobody closed the deal.")
    elif state.closed_by == NOBODY and state.deal_end is DealEnd.CLOSED:
        yield defect("closed_by", DefectReason.DEFECT_PHASE, "is missing, but somebody closed the deal.")
