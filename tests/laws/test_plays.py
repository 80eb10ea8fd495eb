"""What may be played between draw and discard: the list and the check against the oracle (R1, R2, B4-15 … B4-31)."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.burraco.judge import is_legal, judge, with_pile
from service.rules.burraco.legal import legal_moves
from service.rules.melds import MeldKind
from service.rules.moves import TAKE_PILE, Discard, LayMeld, LayOff, Move, MoveKind
from service.rules.options import BurracoRules, PileTake, SingleCardRediscard
from service.rules.presets import ITALIAN
from service.rules.reasons import Reason
from service.rules.state import NOBODY, Phase, State, Turn
from tests.oracle.cards import JOKER, is_wild_card
from tests.oracle.table import OTurn, has_closing_burraco, legal_plays
from tests.support.bridge import Reached, to_oracle
from tests.support.games import EVERYTHING, plays_listed
from tests.support.profile import examples
from tests.support.strategies import Cards, Plays, closing_rules, plays, within_deck
from tests.support.turns import set_up

Listed = tuple[set[Cards], set[tuple[int, Cards]], set[int]]


def oracle_turn(state: State, banned: int | None) -> OTurn:
    """The turn of seat 0 as the oracle sees it."""
    return OTurn(
        rules=state.rules,
        hand=tuple(state.hands[0].cards()),
        own_melds=tuple((meld.meld_id, to_oracle(meld)) for meld in state.melds if meld.side == 0),
        other_meld_ids=tuple(meld.meld_id for meld in state.melds if meld.side == 1),
        pozzetto_available=state.taken_by[0] == NOBODY,
        banned=banned,
    )


def listed(state: State) -> Listed:
    """The list of seat 0, expanded; it says how many moves it has and names each once."""
    legal = legal_moves(state, 0, EVERYTHING)
    plays = list(plays_listed(legal))
    assert len(set(plays)) == len(plays)
    assert len(set(legal.discards)) == len(legal.discards)
    assert legal.total == len(plays) + len(legal.discards) + len(legal.plain)
    assert not legal.truncated
    melds = {tuple(cards) for kind, _, cards in plays if kind is MoveKind.MELD}
    lay_offs = {(meld_id, tuple(cards)) for kind, meld_id, cards in plays if kind is MoveKind.LAY_OFF}
    return melds, lay_offs, set(legal.discards)


@st.composite
def bans(draw: st.DrawFn, hand: Cards) -> int | None:
    """The one card that the pile had, or None."""
    return draw(st.none() | st.sampled_from(hand)) if hand else None


def _note(reached: Reached, state: State, turn: OTurn, found: Listed) -> None:
    rules, (melds, lay_offs, discards) = state.rules, found
    hand, own = turn.hand, [meld for _, meld in turn.own_melds]
    left = [len(hand) - len(cards) for cards in melds] + [len(hand) - len(cards) for _, cards in lay_offs]
    big = any(len(meld.cards) > 6 for meld in own)
    closing = has_closing_burraco(rules, own)
    where = "pozzetto waits" if turn.pozzetto_available else "closing" if closing else "burraco" if big else "none"
    for size in (0, 1, 2):
        reached.note(f"{where}: {size} left", size in left)
    reached.note("the first burraco, and one left", not big and where != "pozzetto waits" and 1 in left)
    reached.note(f"{where}: nothing but a discard", not left)
    reached.note("several melds at once", len(melds) > 2)
    last_wild = len(hand) == 1 and is_wild_card(hand[0]) and closing
    reached.note("last card, wild", last_wild)
    reached.note("B4-31 closing with a wild", last_wild and bool(discards))
    if turn.banned is not None:
        twin = hand.count(turn.banned) == 2
        reached.note(f"B4-17 {rules.single_card_rediscard.name}, {'twin' if twin else 'alone'}", True)
        melded = any(turn.banned in cards for cards in melds) or any(turn.banned in cards for _, cards in lay_offs)
        reached.note("R7 banned card can be melded", melded)
    twins = [meld for meld in state.melds if meld.side == 1 and tuple(sorted(meld.cards)) in melds]
    reached.note("R11 the other side has the same", bool(twins) and not rules.duplicate_sequences)
    reached.note("row 17 set of a rank laid", not rules.duplicate_sets and any(meld.kind == "set" for meld in own))
    ace_to_ace = any(len(meld.cards) == 14 and meld.wild is None for meld in own)
    reached.note("row 4 ace to ace on the table", ace_to_ace)
    reached.note("lay-off on a burraco", any(len(dict(turn.own_melds)[at].cards) > 6 for at, _ in lay_offs))


def test_R1_the_list_is_what_the_oracle_finds_by_trying_everything() -> None:
    reached = Reached()

    @examples(1500)
    @given(closing_rules(), st.booleans(), st.data())
    def law(rules: BurracoRules, pozzetto: bool, data: st.DataObject) -> None:
        drawn = data.draw(plays(rules))
        banned = data.draw(bans(drawn.hand))
        never = rules.single_card_rediscard is SingleCardRediscard.NEVER
        if never and len(drawn.hand) > 1 and set(drawn.hand) == {banned}:
            return  # test_B4_17_nothing_but_copies_of_a_banned_card
        state = set_up(rules, drawn, pozzetto=pozzetto, turn=Turn(taken_single=banned or 0))
        turn = oracle_turn(state, banned)
        found = listed(state)
        assert found == legal_plays(turn)
        assert found[0] or found[1] or found[2] or len(drawn.hand) == 1
        _note(reached, state, turn, found)

    law()
    reached.demand(
        *(f"{where}: {size} left" for where in ("pozzetto waits", "closing") for size in (0, 1, 2)),
        *("burraco: 2 left", "none: 2 left", "none: nothing but a discard", "burraco: nothing but a discard"),
        *(f"B4-17 {kind.name}, {copies}" for kind in SingleCardRediscard for copies in ("twin", "alone")),
        *("R7 banned card can be melded", "several melds at once", "last card, wild", "B4-31 closing with a wild"),
        *(
            "row 17 set of a rank laid",
            "R11 the other side has the same",
            "row 4 ace to ace on the table",
            "lay-off on a burraco",
        ),
        "the first burraco, and one left",
    )


@examples(300)
@given(closing_rules(), st.data())
def test_R1_the_list_with_a_larger_hand(rules: BurracoRules, data: st.DataObject) -> None:
    drawn = data.draw(plays(rules, most_cards=10, least_cards=8))
    state = set_up(rules, drawn, pozzetto=False)
    assert listed(state) == legal_plays(oracle_turn(state, None))


@examples(300)
@given(closing_rules(), st.booleans(), st.data())
def test_DESIGN_4_a_short_list_is_a_beginning_of_the_long_one(
    rules: BurracoRules, pozzetto: bool, data: st.DataObject
) -> None:
    state = set_up(rules, data.draw(plays(rules)), pozzetto=pozzetto)
    whole = legal_moves(state, 0, EVERYTHING)
    most = data.draw(st.integers(0, whole.total + 1))
    part = legal_moves(state, 0, most)
    assert part.total <= most
    assert part.truncated == (most < whole.total)
    assert part.plain == whole.plain[: len(part.plain)]
    assert part.discards == whole.discards[: len(part.discards)]
    assert part.groups == whole.groups[: len(part.groups)]
    assert part.total == len(part.plain) + len(part.discards) + sum(group.plays for group in part.groups)


@pytest.mark.parametrize("hand", [(9, 9), (JOKER,) * 2, (JOKER,) * 4])
def test_B4_17_nothing_but_copies_of_a_banned_card(hand: Cards) -> None:
    """A turn has to be able to end: a card that may never be discarded again is, by who holds nothing else."""
    rules = replace(ITALIAN, single_card_rediscard=SingleCardRediscard.NEVER)
    state = set_up(rules, Plays(hand, (), ()), pozzetto=False, turn=Turn(taken_single=hand[0]))
    assert listed(state) == (set(), set(), {hand[0]})
    with_another = set_up(rules, Plays((*hand, 10), (), ()), pozzetto=False, turn=Turn(taken_single=hand[0]))
    assert listed(with_another) == (set(), set(), {10})


# --- taking the pile under a condition -------------------------------------------------------------------------------


def _meets(cards: Cards, top: int, before: Cards, *, fresh: bool) -> bool:
    """R2 by counting: the play uses the top card, and a new meld two cards of the hand as it was."""
    if top not in cards:
        return False
    others = Counter(cards) - Counter([top])
    return not fresh or (others & Counter(before)).total() >= 2


def test_R2_the_pile_may_be_taken_if_its_top_card_can_be_used() -> None:
    reached = Reached()

    @examples(300)
    @given(closing_rules(), st.booleans(), st.data())
    def law(base: BurracoRules, pozzetto: bool, data: st.DataObject) -> None:
        rules = replace(base, pile_take=PileTake.TOP_CARD_USABLE)
        drawn = data.draw(plays(rules, most_cards=8, least_cards=2))
        at = data.draw(st.integers(1, min(3, len(drawn.hand) - 1)))
        cards = data.draw(st.permutations(drawn.hand))
        pile, hand = tuple(cards[:at]), tuple(cards[at:])
        state = set_up(rules, drawn._replace(hand=hand), pozzetto=pozzetto)
        state = state._replace(discard=bytes(pile), phase=Phase.DRAW)
        banned = pile[0] if len(pile) == 1 else None
        turn = oracle_turn(state, banned)
        melds, lay_offs, _ = legal_plays(replace(turn, hand=tuple(sorted((*hand, *pile)))))
        top = pile[-1]
        melds = {cards for cards in melds if _meets(cards, top, hand, fresh=True)}
        lay_offs = {(on, cards) for on, cards in lay_offs if _meets(cards, top, hand, fresh=False)}
        # E45: that the top card can be used is asked without the cards below it, though these may join the meld.
        own = Counter((*hand, top))
        usable = any(not Counter(cards) - own for cards in (*melds, *(cards for _, cards in lay_offs)))
        verdict = judge(state, 0, TAKE_PILE)
        assert [fault.reason for fault in verdict.faults] == ([] if usable else [Reason.PILE_TOP_NOT_USABLE])
        reached["usable" if usable else "unusable"] += 1
        if not usable:
            return
        assert listed(with_pile(state, 0)) == (melds, lay_offs, set())
        reached.note("laid off", bool(lay_offs))
        reached.note("laid fresh", bool(melds))
        reached.note("pile of one", len(pile) == 1)
        reached.note("pile of three", len(pile) == 3)

    law()
    reached.demand("usable", "unusable", "laid off", "laid fresh", "pile of one", "pile of three", least=5)


def test_row_6_the_pile_may_be_taken_if_something_can_be_melded() -> None:
    reached = Reached()

    @examples(200)
    @given(closing_rules(), st.booleans(), st.data())
    def law(base: BurracoRules, pozzetto: bool, data: st.DataObject) -> None:
        rules = replace(base, pile_take=PileTake.MUST_MELD)
        drawn = data.draw(plays(rules, most_cards=7, least_cards=2))
        state = set_up(rules, drawn._replace(hand=drawn.hand[1:]), pozzetto=pozzetto)
        state = state._replace(discard=bytes(drawn.hand[:1]), phase=Phase.DRAW)
        turn = replace(oracle_turn(state, drawn.hand[0]), hand=drawn.hand)
        melds, lay_offs, _ = legal_plays(turn)
        assert is_legal(state, 0, TAKE_PILE) == bool(melds or lay_offs)
        reached[str(bool(melds or lay_offs))] += 1
        if melds or lay_offs:
            assert listed(with_pile(state, 0)) == (melds, lay_offs, set())

    law()
    reached.demand("True", "False", least=5)


# --- what a mover may ask for ----------------------------------------------------------------------------------------


@examples(300)
@given(closing_rules(), st.data())
def test_section_1_0_a_reading_may_be_named_but_not_changed(rules: BurracoRules, data: st.DataObject) -> None:
    """Naming kind or place of the wild makes a legal play illegal unless it is so anyway, and nothing else."""
    drawn = data.draw(plays(rules))
    state = set_up(rules, drawn, pozzetto=True)
    melds, lay_offs, _ = listed(state)
    kind = data.draw(st.sampled_from(MeldKind))
    wild_as = data.draw(st.integers(0, 3)) * 16 + data.draw(st.integers(1, 13))
    for cards in sorted(melds)[:5]:
        meld = judge(state, 0, LayMeld(bytes(cards))).meld
        assert meld is not None
        for reading, place in ((kind, 0), (None, wild_as), (kind, wild_as)):
            wanted = LayMeld(bytes(cards), reading, place)
            fits = wanted.reading in (None, meld.kind) and wanted.wild_as in (0, meld.wild_as)
            _only_the_reading_is_wrong(state, wanted, fits)
        assert is_legal(state, 0, LayMeld(bytes(cards), meld.kind, meld.wild_as))
    for meld_id, cards in sorted(lay_offs)[:5]:
        meld = judge(state, 0, LayOff(meld_id, bytes(cards))).meld
        assert meld is not None
        _only_the_reading_is_wrong(state, LayOff(meld_id, bytes(cards), wild_as), meld.wild_as == wild_as)
        assert is_legal(state, 0, LayOff(meld_id, bytes(cards), meld.wild_as))


def _only_the_reading_is_wrong(state: State, move: LayMeld | LayOff, fits: bool) -> None:
    reasons = [fault.reason for fault in judge(state, 0, move).faults]
    assert reasons == ([] if fits else [Reason.READING_NOT_POSSIBLE])


@examples(300)
@given(closing_rules(), st.booleans(), st.data())
def test_B4_15_cards_that_the_hand_lacks(rules: BurracoRules, pozzetto: bool, data: st.DataObject) -> None:
    """Whatever else is wrong, a move with a card that the hand lacks is told so."""
    drawn = data.draw(plays(rules))
    state = set_up(rules, drawn, pozzetto=pozzetto)
    lacking = data.draw(st.sampled_from([card for card in (*range(1, 14), 64) if card not in drawn.hand]))
    some = data.draw(st.lists(st.sampled_from(drawn.hand), max_size=4).map(within_deck))
    cards = bytes((*some, lacking))
    moves: list[Move] = [LayMeld(cards), Discard(lacking), *(LayOff(meld.meld_id, cards) for meld in state.melds)]
    for move in moves:
        faults = {fault.reason: fault.cards for fault in judge(state, 0, move).faults}
        assert lacking in faults[Reason.CARD_NOT_IN_HAND]
