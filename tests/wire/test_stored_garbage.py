"""What comes out of the right seal and is no good: decoding refuses it, or the match it holds can be played."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import pytest
from google.protobuf.descriptor import FieldDescriptor

from burraco.v1 import reasons_pb2
from service.rules.cards import FACES, JOKER
from service.rules.events import SPECTATOR
from service.rules.games import PRESETS, game_of
from service.rules.hand import Hand, hand_of
from service.rules.melds import NO_WILD, Meld, MeldKind
from service.rules.moves import CALL_TIME, TIME_OUT_TURN, MoveKind, Plain
from service.rules.options import BurracoRules, Preset, VictoryPoints
from service.rules.outcome import Applied
from service.rules.presets import ITALIAN
from service.rules.state import NEW_TURN, NOBODY, UNCOUNTED, DealEnd, MatchEnd, Phase, Result, State, replace_at
from service.rules.view import sheet, view
from service.text.catalogue import ENGLISH
from service.wire import answers
from service.wire.event_messages import event_messages
from service.wire.faults import Fault
from service.wire.state_codec import decode_state, encode_state
from service.wire.storage.v1.stored_state_pb2 import StoredState
from tests.support.profile import FULL
from tests.support.walks import choose, pool, pool_of, start, walk

REFUSALS: Final = frozenset((reasons_pb2.REASON_STATE_AUDIT_FAILED, reasons_pb2.REASON_STATE_VERSION_UNKNOWN))
PLAIN: Final = (*(Plain(kind) for kind in MoveKind), TIME_OUT_TURN, CALL_TIME)
STEPS: Final = 12
TRIES: Final = 60_000 if FULL else 3_000
COUNTED: Final = frozenset(DealEnd) - UNCOUNTED


def refusal(stored: bytes) -> Fault | None:
    """Why it is refused; None when it is read. Nothing but a Fault may come out."""
    try:
        decode_state(stored)
    except Fault as caught:
        fault = caught
    else:
        return None
    assert fault.reason in REFUSALS
    assert fault.field == "state"
    assert str(fault).isascii()
    return fault


def exercise(state: State) -> None:
    """Do with a state whatever a caller can; none of it may fail."""
    game = game_of(state)
    for viewer in (*range(len(state.match.players)), SPECTATOR):
        answers.view_message(view(state, viewer), state.rules, ENGLISH, 0).SerializeToString()
    for seat in range(len(state.match.players)):
        answers.legal_message(game.legal_moves(state, seat, 5000))
        for move in PLAIN:
            game.play(state, seat, move)
    sheet(state)
    rng = random.Random(1)
    for _ in range(STEPS):
        if state.phase is Phase.MATCH_OVER:
            return
        outcome = game.play(state, state.seat, choose(state, state.seat, rng))
        assert isinstance(outcome, Applied)
        event_messages([(outcome.state.revision, event) for event in outcome.events], 0, state.rules, ENGLISH)
        state = outcome.state
        if within_caps(state):
            assert decode_state(encode_state(state)) == state


def within_caps(state: State) -> bool:
    """Whether the next moves stay below what counters and points may be; no match comes near to that."""
    counters = [state.revision, state.deal_number, state.deals_scored, state.stalemate_turns, state.turns_taken]
    counters += [state.renewals, state.passes, state.turn.opening, *state.deals_won]
    return max(counters) < 2**30 and max(map(abs, state.points)) < 500_000


def refused_or_playable(stored: bytes) -> bool:
    """Whether it is refused; when it is not, it is played."""
    if refusal(stored):
        return True
    exercise(decode_state(stored))
    return False


# --- bytes -----------------------------------------------------------------------------------------------------------


SETS: Final = (None, *PRESETS)
"""The sets of options of Burraco for four, and each preset."""
SET_IDS: Final = ["BURRACO", *(preset.name for preset in PRESETS)]


def states_of(preset: Preset | None) -> tuple[State, ...]:
    """States of every kind."""
    return pool() if preset is None else pool_of(preset)


@lru_cache
def samples(preset: Preset | None) -> tuple[bytes, ...]:
    """Stored states of every kind."""
    return tuple(encode_state(state) for state in states_of(preset))


@pytest.mark.parametrize("preset", SETS, ids=SET_IDS)
def test_states_of_every_kind_can_be_exercised(preset: Preset | None) -> None:
    """The measure itself: a good state stands all that is done to it."""
    for state in states_of(preset):
        exercise(state)


def test_random_bytes_are_refused() -> None:
    """Random bytes are no state."""
    rng = random.Random(1)
    for length in range(600):
        assert refusal(rng.randbytes(length)), length


@pytest.mark.parametrize("preset", SETS, ids=SET_IDS)
def test_a_state_cut_short_is_refused_or_playable(preset: Preset | None) -> None:
    """A stored state cut at any length is refused or can be played; some cuts leave a whole message."""
    for stored in samples(preset)[:: 1 if FULL else 12]:
        for length in range(len(stored)):
            refused_or_playable(stored[:length])


@pytest.mark.parametrize("preset", SETS, ids=SET_IDS)
def test_a_state_with_one_bit_changed_is_refused_or_playable(preset: Preset | None) -> None:
    """Each single bit of a stored state may be wrong."""
    rng = random.Random(2)
    outcomes: Counter[bool] = Counter()
    for stored in samples(preset)[:: 8 if FULL else 40]:
        bits = range(8 * len(stored))
        for bit in bits if FULL else rng.sample(bits, 600):
            changed = bytearray(stored)
            changed[bit // 8] ^= 1 << bit % 8
            outcomes[refused_or_playable(bytes(changed))] += 1
    assert outcomes[True] > outcomes[False] > 0


@pytest.mark.parametrize("preset", SETS, ids=SET_IDS)
def test_a_state_with_some_bytes_changed_is_refused_or_playable(preset: Preset | None) -> None:
    """A few bytes of a stored state are replaced, taken out or put in."""
    rng = random.Random(3)
    outcomes: Counter[bool] = Counter()
    for _ in range(TRIES if preset is None else TRIES // 4):
        changed = bytearray(rng.choice(samples(preset)))
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(changed))
            match rng.randrange(4):
                case 0:
                    del changed[at]
                case 1:
                    changed.insert(at, rng.randrange(256))
                case _:
                    changed[at] = rng.randrange(256)
        outcomes[refused_or_playable(bytes(changed))] += 1
    assert outcomes[True] > outcomes[False] > 0


# --- fields ----------------------------------------------------------------------------------------------------------

NUMBERS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 16, 17, 37, 63, 64, 65, 127, 128, 255, 256, 65535, 65536)
LARGE: Final = (2**31 - 2, 2**31 - 1, 2**31, 2**32 - 1)
FIELDS: Final = tuple(field for field in StoredState.DESCRIPTOR.fields if field.name != "version")


def other_numbers(kind: int) -> tuple[int, ...]:
    if kind == FieldDescriptor.TYPE_BOOL:
        return (0, 1)
    if kind == FieldDescriptor.TYPE_SINT32:
        return (*NUMBERS, *(-number for number in NUMBERS), 2**31 - 1, -(2**31))
    return (*NUMBERS, *LARGE, *((2**63, 2**64 - 1) if kind == FieldDescriptor.TYPE_UINT64 else ()))


def other_bytes(value: bytes) -> Iterator[bytes]:
    yield from (b"", b"\x00", b"\xff", value[:-1], value[1:], value + b"\x00", value + value, value[::-1])
    yield from (bytes((number,)) * max(1, len(value)) for number in (0, 1, 2, 64, 65, 127, 255))
    for at in range(len(value)):
        for number in (0, 1, 65, 128, 255):
            yield value[:at] + bytes((number,)) + value[at + 1 :]


def with_field(stored: bytes, name: str, value: Any) -> bytes:  # noqa: ANN401 - of the field's own type
    message = StoredState.FromString(stored)
    message.ClearField(name)  # type: ignore[arg-type]  # any field
    if isinstance(value, list):
        getattr(message, name).extend(value)
    else:
        setattr(message, name, value)
    return message.SerializeToString()


def others_of(field: FieldDescriptor, stored: bytes) -> Iterator[bytes]:
    """A state with one of its fields changed, in many ways."""
    value = getattr(StoredState.FromString(stored), field.name)
    if field.is_repeated:
        items = list(value)
        yield from (with_field(stored, field.name, other) for other in ([], items * 2, items[:-1], items[::-1]))
        for at, item in enumerate(items):
            others = other_bytes(item) if isinstance(item, bytes) else other_numbers(field.type)
            for other in others:
                yield with_field(stored, field.name, [*items[:at], other, *items[at + 1 :]])
        yield with_field(stored, field.name, [b"\x01"] if field.type == FieldDescriptor.TYPE_BYTES else [1])
    elif isinstance(value, bytes):
        yield from (with_field(stored, field.name, other) for other in other_bytes(value))
    else:
        yield from (with_field(stored, field.name, other) for other in other_numbers(field.type))


def few_of(preset: Preset | None) -> tuple[bytes, ...]:
    """Some stored states, in mid deal and, of the presets, at its end."""
    every = samples(preset)
    if FULL:
        return every[::4]
    if preset is None:
        return every[20], every[75]
    states = pool_of(preset)
    playing = [at for at, state in enumerate(states) if state.phase is Phase.PLAY and state.turn.drawn]
    counted = [at for at, state in enumerate(states) if state.deal_end in COUNTED]
    return every[playing[len(playing) // 2]], every[counted[0]]


SHARE: Final = 1.0 if FULL else 0.25
"""How many of the changes to a state of a preset are tried."""


@pytest.mark.parametrize("preset", SETS, ids=SET_IDS)
def test_a_field_of_any_value_is_refused_or_playable(preset: Preset | None) -> None:
    """Each field in turn takes empty, long, extreme and unlikely values."""
    rng = random.Random(4)
    for stored in few_of(preset):
        for field in FIELDS:
            for changed in others_of(field, stored):
                if preset is None or rng.random() < SHARE:
                    refused_or_playable(changed)


# --- states that no field gives away ---------------------------------------------------------------------------------


def mid_deal() -> State:
    """A state in mid deal with melds of both kinds on the table."""
    state = start(ITALIAN, 4)
    for _, _, _, after, _ in walk(state, random.Random(4)):
        kinds = {meld.kind for meld in after.melds}
        wilds = {meld.wild_at >= 0 for meld in after.melds}
        calm = not any(after.unseen) and max(after.taken_by) == NOBODY and len(after.stock) > 9
        if len(kinds) == len(wilds) == 2 and calm and after.phase is Phase.PLAY and after.hands[after.seat].size > 4:
            return after
    raise AssertionError("the walk no longer reaches such a state")


def meld_of(state: State, fits: Callable[[Meld], bool]) -> int:
    return next(at for at, meld in enumerate(state.melds) if fits(meld))


def with_meld(state: State, at: int, **fields: object) -> State:
    melds = (*state.melds[:at], state.melds[at]._replace(**fields), *state.melds[at + 1 :])  # type: ignore[arg-type]
    return state._replace(melds=melds)


def stranger_to(hand: Hand) -> int:
    return next(card for card in FACES if not hand.count(card))


def with_hand(state: State, seat: int, hand: Hand) -> State:
    return state._replace(hands=replace_at(state.hands, seat, hand))


def swap_stock(state: State, card: int) -> State:
    return state._replace(stock=bytes((card,)) + state.stock[1:])


SET: Final[Callable[[Meld], bool]] = lambda meld: meld.kind is MeldKind.SET  # noqa: E731
SEQUENCE: Final[Callable[[Meld], bool]] = lambda meld: meld.kind is MeldKind.SEQUENCE  # noqa: E731
WITH_WILD: Final[Callable[[Meld], bool]] = lambda meld: meld.wild_at >= 0  # noqa: E731
WITHOUT_WILD: Final[Callable[[Meld], bool]] = lambda meld: meld.wild_at < 0  # noqa: E731

BROKEN: Final[dict[str, Callable[[State], State]]] = {
    "a card that is none in the stock": lambda s: swap_stock(s, 14),
    "a card of number 0 in the stock": lambda s: swap_stock(s, 0),
    "a card above the joker in the stock": lambda s: swap_stock(s, 200),
    "a third copy in the stock": lambda s: s._replace(stock=s.stock[:1] * 3 + s.stock[3:]),
    "a fifth joker": lambda s: s._replace(stock=bytes((JOKER,)) * 5 + s.stock[5:]),
    "a card that is none in the pile": lambda s: s._replace(discard=s.discard + b"\x1e", stock=s.stock[1:]),
    "a card that is none in a pozzetto": lambda s: s._replace(pozzetti=(*s.pozzetti, b"\x3e"), stock=s.stock[1:]),
    "a card too many": lambda s: s._replace(stock=s.stock + s.stock[:1]),
    "a card too few": lambda s: s._replace(stock=s.stock[1:]),
    "a hand with a bit that is no face": lambda s: with_hand(s, 1, Hand(s.hands[1].once | 1, *s.hands[1][1:])),
    "a hand with the bit of rank 14": lambda s: with_hand(s, 1, Hand(s.hands[1].once | 1 << 14, *s.hands[1][1:])),
    "a hand with the highest bit": lambda s: with_hand(s, 1, Hand(s.hands[1].once | 1 << 63, *s.hands[1][1:])),
    "a hand with twice what it has not once": lambda s: with_hand(s, 1, Hand(0, s.hands[1].once, 0)),
    "a hand of 200 jokers": lambda s: with_hand(s, 1, Hand(0, 0, 200)),
    "a meld without cards": lambda s: with_meld(s, 0, cards=b"", wild_at=NO_WILD),
    "a meld of one card": lambda s: with_meld(s, 0, cards=s.melds[0].cards[:1], wild_at=NO_WILD),
    "a wild beyond its meld": lambda s: with_meld(s, meld_of(s, WITH_WILD), wild_at=13),
    "a wild that is natural": lambda s: with_meld(s, meld_of(s, WITHOUT_WILD), wild_at=0),
    "a wild that is forgotten": lambda s: with_meld(s, meld_of(s, WITH_WILD), wild_at=NO_WILD),
    "a sequence as a set": lambda s: with_meld(s, meld_of(s, SEQUENCE), kind=MeldKind.SET),
    "a set as a sequence": lambda s: with_meld(s, meld_of(s, SET), kind=MeldKind.SEQUENCE, low=3),
    "a set with a slot": lambda s: with_meld(s, meld_of(s, SET), low=3),
    "a sequence in slot 0": lambda s: with_meld(s, meld_of(s, SEQUENCE), low=0),
    "a sequence in a wrong slot": lambda s: with_meld(
        s, meld_of(s, SEQUENCE), low=s.melds[meld_of(s, SEQUENCE)].low + 1
    ),
    "a sequence beyond its slots": lambda s: with_meld(s, meld_of(s, SEQUENCE), low=200),
    "a sequence in disorder": lambda s: with_meld(
        s, meld_of(s, SEQUENCE), cards=s.melds[meld_of(s, SEQUENCE)].cards[::-1]
    ),
    "two melds of one number": lambda s: with_meld(s, 1, meld_id=s.melds[0].meld_id),
    "a meld of number 0": lambda s: with_meld(s, 0, meld_id=0),
    "a next number that is taken": lambda s: s._replace(next_meld_id=s.melds[-1].meld_id),
    "a next number of 0": lambda s: s._replace(next_meld_id=0),
    "a next number that does not fit": lambda s: s._replace(next_meld_id=65_536),
    "a meld of a third side": lambda s: with_meld(s, 0, side=2),
    "a turn at no seat": lambda s: s._replace(seat=4),
    "a dealer at no seat": lambda s: s._replace(dealer=200),
    "an empty hand": lambda s: with_hand(s, 1, Hand())._replace(stock=s.stock + s.hands[1].cards()),
    "nothing to draw": lambda s: s._replace(
        phase=Phase.DRAW, turn=NEW_TURN, stock=b"", discard=b"", pozzetti=(*s.pozzetti, s.stock + s.discard)
    ),
    "an obligation to meld what is not in hand": lambda s: s._replace(
        turn=NEW_TURN._replace(must_meld=stranger_to(s.hands[s.seat]))
    ),
    "an obligation to meld with nothing to meld": lambda s: with_hand(
        s, s.seat, hand_of(s.hands[s.seat].cards()[:1])
    )._replace(turn=NEW_TURN._replace(must_meld_something=True), stock=s.stock + s.hands[s.seat].cards()[1:]),
    "points that are no multiple of 5 before victory points": lambda s: s._replace(
        points=(3, 0),
        match=s.match._replace(rules=replace(ITALIAN, deals_per_match=3, victory_points=VictoryPoints.FIBUR)),
    ),
    "a next number that leaves a gap": lambda s: s._replace(next_meld_id=s.next_meld_id + 1),
    "a phase of Gin": lambda s: s._replace(phase=Phase.UPCARD),
    "a deal over without an end": lambda s: s._replace(phase=Phase.DEAL_OVER),
    "a deal that ended and goes on": lambda s: s._replace(deal_end=DealEnd.CLOSED),
    "a deal that ended by a knock": lambda s: s._replace(phase=Phase.DEAL_OVER, deal_end=DealEnd.KNOCK),
    "a match over without a result": lambda s: s._replace(phase=Phase.MATCH_OVER, deal_end=DealEnd.CLOSED),
    "a result before the end": lambda s: s._replace(result=Result(MatchEnd.TARGET, (0,))),
    "a winner that is no side": lambda s: s._replace(
        phase=Phase.MATCH_OVER, deal_end=DealEnd.CLOSED, result=Result(MatchEnd.TARGET, (7,))
    ),
    "a pozzetto taken at no seat": lambda s: s._replace(taken_by=(9, NOBODY)),
    "a pozzetto taken by the other side": lambda s: s._replace(taken_by=(1, NOBODY)),
    "an unplayed pozzetto that nobody took": lambda s: s._replace(taken_by=(NOBODY, NOBODY), unplayed=(True, False)),
    "a seat that closed and is none": lambda s: s._replace(closed_by=9),
    "a side too many": lambda s: s._replace(points=(0, 0, 0)),
    "a seat too few": lambda s: s._replace(hands=s.hands[:3]),
    "a player twice": lambda s: s._replace(match=s.match._replace(players=(0, 0, 1, 2))),
    "a player too many": lambda s: s._replace(match=s.match._replace(players=(0, 1, 2, 3, 4))),
    "a match id too short": lambda s: s._replace(match=s.match._replace(match_id=b"short")),
    "a chain too short": lambda s: s._replace(chain=b"short"),
    "no seed": lambda s: s._replace(match=s.match._replace(fairness=s.match.fairness._replace(seed=b""))),
    "a salt too short": lambda s: s._replace(match=s.match._replace(fairness=s.match.fairness._replace(salt=b"short"))),
    "a drawn card that is none": lambda s: s._replace(turn=NEW_TURN._replace(drawn=15)),
    "a card to meld first that is none": lambda s: s._replace(turn=NEW_TURN._replace(must_meld=250)),
    "a taken card that is none": lambda s: s._replace(turn=NEW_TURN._replace(taken_single=2**31)),
    "a thousand turns left": lambda s: s._replace(turns_left=1000),
    "the last revision that fits": lambda s: s._replace(revision=2**64 - 1),
    "the last deal that fits": lambda s: s._replace(deal_number=2**32 - 1),
    "points beyond all": lambda s: s._replace(points=(2**31 - 1, 0)),
}
"""What is wrong, and how a state in mid deal is made so."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_state_that_does_not_hold_together_is_refused(name: str) -> None:
    """Each is a state that no move leads to; it is refused with a sentence, not played on."""
    state = mid_deal()
    assert refusal(encode_state(state)) is None
    try:
        stored = encode_state(BROKEN[name](state))
    except ValueError:
        pytest.fail("this cannot even be written: take it off the list")
    fault = refusal(stored)
    assert fault is not None
    assert fault.reason == reasons_pb2.REASON_STATE_AUDIT_FAILED
    assert len(fault.arguments["defect"].split()) >= 3


# --- pinned rules ----------------------------------------------------------------------------------------------------


def with_rules(change: Callable[[Any], object]) -> bytes:
    """A stored state whose pinned rules were changed."""
    from burraco.v1 import rules_pb2

    message = StoredState.FromString(encode_state(start(ITALIAN, 1)))
    rules = rules_pb2.Rules.FromString(message.rules)
    change(rules)
    message.rules = rules.SerializeToString()
    return message.SerializeToString()


PINNED: Final[dict[str, Callable[[Any], object]]] = {
    "no game": lambda rules: rules.ClearField("burraco"),
    "another game": lambda rules: rules.gin.SetInParent(),
    "an option missing": lambda rules: rules.burraco.ClearField("jokers"),
    "an option of a number unknown": lambda rules: setattr(rules.burraco, "stock_end", 99),
    "an option not said": lambda rules: setattr(rules.burraco, "stock_end", 0),
    "an option out of range": lambda rules: setattr(rules.burraco, "jokers", 5),
    "another number of players": lambda rules: setattr(rules.burraco, "players", 2),
    "another number of jokers": lambda rules: setattr(rules.burraco, "jokers", 2),
    "options that contradict each other": lambda rules: setattr(rules.burraco, "target", 0),
    "a preset unknown": lambda rules: setattr(rules, "preset", 99),
    "no revision": lambda rules: rules.ClearField("revision"),
    "a newer revision": lambda rules: setattr(rules, "revision", 1000),
}


@pytest.mark.parametrize("name", PINNED)
def test_pinned_rules_that_are_wrong_are_refused(name: str) -> None:
    """A state is played by rules that can be played, or not at all."""
    fault = refusal(with_rules(PINNED[name]))
    assert fault is not None


def test_pinned_rules_unchanged_are_read() -> None:
    """The measure itself."""
    assert refusal(with_rules(lambda _rules: None)) is None


def test_pinned_rules_of_random_bytes_are_refused() -> None:
    """Random bytes are no rules."""
    rng = random.Random(5)
    for length in range(200):
        message = StoredState.FromString(encode_state(start(ITALIAN, 1)))
        message.rules = rng.randbytes(length)
        assert refusal(message.SerializeToString())


def test_every_broken_state_is_a_state() -> None:
    """Each entry of the list changes the state it starts from."""
    state = mid_deal()
    assert isinstance(state.rules, BurracoRules)
    assert all(change(state) != state for change in BROKEN.values())
