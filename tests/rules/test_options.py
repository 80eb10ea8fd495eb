"""§2.1, rows 1 to 26, and the options of R13: what each value does, and what the presets choose."""

from dataclasses import fields

import pytest

from service.rules.burraco import dealing
from service.rules.burraco.dealing import deck_of, drawn_seats
from service.rules.burraco.kinds import BurracoKind, bonus, burraco_kind
from service.rules.cards import JOKER, parse
from service.rules.events import PozzettoSeen, StockRenewed
from service.rules.moves import DRAW_STOCK, NEXT_DEAL, TAKE_PILE
from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    LongRunBonus,
    NextDealer,
    Partnerships,
    PileTake,
    PozzettoVisibleAfter,
    SemicleanDefinition,
    SetsAllowed,
    SingleCardRediscard,
    StockEnd,
    TieSuitOrder,
    UnplayedPozzetto,
    VictoryPoints,
    WildFreePosition,
)
from service.rules.presets import FIBUR, ITALIAN
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.rules.state import NOBODY, DealEnd, MatchEnd, Phase, Result, State
from service.rules.view import view
from tests.rules.words import (
    CLEAN_BURRACO,
    DIRTY_BURRACO,
    LONG_SPADES,
    add,
    added,
    after,
    applied,
    drop,
    faults,
    fresh,
    held,
    holds,
    is_accepted,
    lay,
    lines,
    names,
    new_match,
    on_table,
    only,
    ready_to_close,
    refused,
    sheet_of,
)
from tests.support.checks import defects
from tests.support.tables import meld, rules, table

USED = (0, NOBODY)
POZZETTO = "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
"""Worth 85."""
REALE = rules(variant_reale=True, jokers=0, sets_allowed=SetsAllowed.NONE, close_needs=CloseNeeds.CLEAN_BURRACO)

DEFAULTS: dict[str, tuple[object, object]] = {
    "semiclean": (False, True),
    "semiclean_definition": (SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE,) * 2,
    "long_run_bonus": (LongRunBonus.NONE, LongRunBonus.NONE),
    "variant_reale": (False, False),
    "burraco_of_twos": (False, False),
    "pile_take": (PileTake.FREE, PileTake.FREE),
    "single_card_rediscard": (SingleCardRediscard.IDENTICAL_COPY_ONLY,) * 2,
    "one_card_player_may_take_pile": (True, True),
    "close_requires_discard": (True, True),
    "close_with_wild_discard": (False, False),
    "close_needs": (CloseNeeds.ANY_BURRACO, CloseNeeds.ANY_BURRACO),
    "closing_bonus": (100, 100),
    "pozzetto_not_taken_penalty": (100, 100),
    "no_pozzetto_penalty_if_none_taken": (False, True),
    "unplayed_pozzetto": (UnplayedPozzetto.CARD_VALUE, UnplayedPozzetto.CARD_VALUE),
    "stock_end": (StockEnd.IMMEDIATE, StockEnd.AFTER_DISCARD),
    "duplicate_sets": (True, False),
    "duplicate_sequences": (True, False),
    "natural_two_may_turn_wild": (True, True),
    "sets_allowed": (SetsAllowed.ALL, SetsAllowed.ALL),
    "jokers": (4, 4),
    "players": (4, 4),
    "hand_size": (11, 11),
    "target": (2000, 0),
    "deals_per_match": (0, 4),
    "tie_suit_order": (TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS, TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES),
    "wild_free_position": (WildFreePosition.LOW_END, WildFreePosition.LOW_END),
    "pozzetto_visible_after": (PozzettoVisibleAfter.PARTNER_DISCARD, PozzettoVisibleAfter.PARTNER_DISCARD),
    "stalemate_auto_turns": (8, 8),
    "next_dealer": (NextDealer.LEFT, NextDealer.LEFT),
    "discard_visible": (DiscardVisible.WHOLE, DiscardVisible.WHOLE),
    "partnerships": (Partnerships.BY_DRAW, Partnerships.FIXED),
    "joker_redraw_keeps_priority": (False, True),
    "victory_points": (VictoryPoints.NONE, VictoryPoints.FIBUR),
}
"""Option: value in the seeds, value in the federation."""


@pytest.mark.parametrize("key", DEFAULTS)
def test_defaults(key: str) -> None:
    """Each preset has the defaults of the table."""
    assert (getattr(ITALIAN, key), getattr(FIBUR, key)) == DEFAULTS[key]


def test_every_option_has_a_default_here() -> None:
    """The table of defaults names every option."""
    named = {field.name for field in fields(BurracoRules) if not field.name.startswith("_")}

    assert named - {"preset", "revision"} == set(DEFAULTS)


ACCEPTED: dict[str, tuple[tuple[object, ...], tuple[object, ...]]] = {
    **dict.fromkeys(
        (
            "semiclean",
            "variant_reale",
            "one_card_player_may_take_pile",
            "close_requires_discard",
            "close_with_wild_discard",
            "no_pozzetto_penalty_if_none_taken",
            "duplicate_sets",
            "duplicate_sequences",
            "natural_two_may_turn_wild",
            "joker_redraw_keeps_priority",
        ),
        ((False, True), ()),
    ),
    "burraco_of_twos": ((False,), (True,)),
    "semiclean_definition": ((1, 2), ()),
    "long_run_bonus": ((1, 2, 3), ()),
    "pile_take": ((1, 2, 3, 4), ()),
    "single_card_rediscard": ((1, 2, 3), ()),
    "close_needs": ((1, 2), ()),
    "closing_bonus": ((0, 100, 1000), (1001,)),
    "pozzetto_not_taken_penalty": ((0, 100, 1000), (1001,)),
    "unplayed_pozzetto": ((1, 2), ()),
    "stock_end": ((1, 2, 3, 4, 5), ()),
    "sets_allowed": ((1, 2, 3, 4), ()),
    "jokers": ((0, 1, 2, 3, 4), (5,)),
    "players": ((2, 3, 4), (0, 1, 5, 6)),
    "hand_size": ((11, 12, 13, 14, 15), (10, 16)),
    "target": ((0, 5, 2000, 10000), (4, 10001)),
    "deals_per_match": ((0, 1, 8), (9,)),
    "tie_suit_order": ((1, 2), ()),
    "wild_free_position": ((1,), ()),
    "pozzetto_visible_after": ((1, 2), ()),
    "stalemate_auto_turns": ((0, 4, 64), (3, 65)),
    "next_dealer": ((NextDealer.LEFT,), (NextDealer.LOSER, NextDealer.WINNER)),
    "discard_visible": ((1, 2), ()),
    "partnerships": ((1, 2), ()),
    "victory_points": ((1, 2), ()),
}
"""Option: values that Burraco accepts, and some that it does not."""


@pytest.mark.parametrize("key", ACCEPTED)
def test_accepted_values(key: str) -> None:
    """Each option accepts the values of the table, and no others."""
    kind = type(getattr(ITALIAN, key))

    def out_of_range(value: object) -> list[str]:
        found = defects(rules(**{key: kind(value)}))
        return [defect.key for defect in found if defect.reason is Reason.OPTION_OUT_OF_RANGE]

    accepted, refused_ = ACCEPTED[key]
    assert [out_of_range(value) for value in accepted] == [[] for _ in accepted]
    assert [out_of_range(value) for value in refused_] == [[key] for _ in refused_]


@pytest.mark.parametrize(
    ("key", "value", "text", "arguments"),
    [
        ("burraco_of_twos", True, "is true, but has to be false.", {"accepted": "false", "value": "true"}),
        ("target", 99999, "is 99999, but has to be 5 to 10000, or 0 for none.", {"value": "99999"}),
        ("target", "many", "is many, but has to be 5 to 10000, or 0 for none.", {"value": "many"}),
        ("players", 5, "is 5, but has to be 2 to 4.", {"value": "5"}),
    ],
)
def test_what_a_refused_value_is_told(key: str, value: object, text: str, arguments: dict[str, str]) -> None:
    """A value that is not accepted is told what is; so is one of another type."""
    (defect,) = (found for found in defects(rules(**{key: value})) if found.key == key)  # type: ignore[arg-type]  # wrong ones are meant

    assert (defect.text, defect.reason) == (text, Reason.OPTION_OUT_OF_RANGE)
    assert dict(defect.arguments) | arguments == dict(defect.arguments)


def test_accepted_values_of_every_option() -> None:
    """The table of accepted values names every option."""
    assert set(ACCEPTED) == set(DEFAULTS)


@pytest.mark.parametrize("preset", [ITALIAN, FIBUR, REALE], ids=["italian", "fibur", "reale"])
def test_presets_can_be_played(preset: BurracoRules) -> None:
    """Nothing is wrong with the presets, nor with the options of Burraco Reale together."""
    assert defects(preset) == []


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (rules(target=0), ["target"]),
        (rules(FIBUR, deals_per_match=2), ["victory_points"]),
        (rules(FIBUR, closing_bonus=102), ["closing_bonus"]),
        (rules(variant_reale=True), ["jokers", "sets_allowed", "close_needs"]),
        (rules(stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE), ["stock_end"]),
        (rules(discard_visible=DiscardVisible.TOP_ONLY, pile_take=PileTake.MUST_MELD), ["discard_visible"]),
        (rules(FIBUR, players=3), ["victory_points"]),
        (rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK, players=2), ["stock_end"]),
        (rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK, players=3), ["stock_end"]),
    ],
    ids=[
        *("no end", "no table", "no multiple of 5", "reale", "top always usable", "refusal tells"),
        *("three sides", "own pozzetti", "lone pozzetto"),
    ],
)
def test_contradictions(options: BurracoRules, keys: list[str]) -> None:
    """Options that cannot be played together are named."""
    found = defects(options)

    assert [defect.key for defect in found] == keys
    assert {defect.reason for defect in found} == {Reason.OPTIONS_CONTRADICT}


# --- rows 1 to 5: kinds of burraco ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("on", "points"), [(True, 150), (False, 100)])
@pytest.mark.parametrize("words", ["JK(=3S) 4S 5S 6S 7S 8S 9S 10S", "7S 7S 7H 7H 7D 7D 7C JK"])
def test_row_1_semiclean(words: str, points: int, on: bool) -> None:
    """With seven naturals and a wild a burraco earns 150 where semi-clean exists, and 100 where it does not."""
    assert bonus(meld(words), rules(semiclean=on)) == points


@pytest.mark.parametrize(
    ("words", "any_place", "at_end"),
    [
        ("3S 4S 5S 6S 7S 8S 9S JK(=10S) JS QS", 150, 100),
        ("JK(=3S) 4S 5S 6S 7S 8S 9S 10S", 150, 150),
        ("AS 2S 3S 4S 5S 6S 7S JK(=8S)", 150, 150),
        ("3S 4S 5S 6S 7S 8S JK(=9S) 10S", 100, 100),  # six in a row
        ("JK(=4S) 5S 6S 7S 8S 9S 10S", 100, 100),  # six naturals
        ("3S 4S JK(=5S) 6S 7S 8S 9S 10S JS QS", 150, 100),
        ("7S 7S 7H 7H 7D 7D 7C JK", 150, 150),
        ("7S 7S 7H 7H 7D 7D JK", 100, 100),
    ],
)
def test_row_2_semiclean_definition(words: str, any_place: int, at_end: int) -> None:
    """Seven consecutive naturals count anywhere, or only beside a wild at an end; a set needs seven naturals."""
    values = SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE, SemicleanDefinition.WILD_AT_END

    assert [bonus(meld(words), rules(FIBUR, semiclean_definition=value)) for value in values] == [any_place, at_end]


@pytest.mark.parametrize(
    ("words", "none", "thirteen", "nobile"),
    [
        (LONG_SPADES, 200, 300, 500),
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", 200, 300, 200),
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", 200, 200, 200),
        (f"{LONG_SPADES} JK(=AS)", 100, 100, 100),
        (f"{LONG_SPADES} AS", 200, 300, 1000),
    ],
)
def test_row_3_long_run_bonus(words: str, none: int, thirteen: int, nobile: int) -> None:
    """13 naturals earn 200, or 300, or 500 from ace to king and 1000 from ace to ace, by option."""
    values = LongRunBonus.NONE, LongRunBonus.THIRTEEN_300, LongRunBonus.NOBILE_500_REALE_1000

    assert [bonus(meld(words), rules(long_run_bonus=value)) for value in values] == [none, thirteen, nobile]


def test_row_3_is_a_line_of_its_own() -> None:
    """The bonus of a long sequence stands on the sheet in place of the clean one."""
    options = rules(long_run_bonus=LongRunBonus.NOBILE_500_REALE_1000)
    sheet = sheet_of(applied(ready_to_close(options, melds={0: [LONG_SPADES]}), drop("9C")))

    assert lines(sheet, 0)[:2] == [(ScoreItem.MELD_CARDS, 120), (ScoreItem.LONG_RUN, 500)]


def test_row_4_reale_knows_ace_to_ace() -> None:
    """In Burraco Reale 14 naturals from ace to ace exist; elsewhere they do not."""
    assert fresh(f"{LONG_SPADES} AS", REALE) == f"{LONG_SPADES} AS"
    assert added(LONG_SPADES, "AS", REALE) == f"{LONG_SPADES} AS"
    assert added("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", "AS", REALE) == f"{LONG_SPADES} AS"
    assert added("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "AS AS", REALE) == f"{LONG_SPADES} AS"
    assert added("AS 2S 3S", "AS", REALE) == [Reason.SLOT_TAKEN]
    assert added("QS KS AS", "AS", REALE) == [Reason.SLOT_TAKEN]
    assert fresh("AS 2S 3S AS", REALE) == [Reason.SEQUENCE_REPEATS_RANK]
    assert fresh(f"{LONG_SPADES} AS") == [Reason.SEQUENCE_REPEATS_RANK]
    assert added(LONG_SPADES, "AS") == [Reason.SLOT_TAKEN]


def test_row_4_reale_has_sequences_only_and_closes_clean() -> None:
    """Burraco Reale has no jokers, no sets, and closes with a clean burraco only."""
    dirty = "2H(=3S) 4S 5S 6S 7S 8S 9S"

    assert JOKER not in deck_of(REALE)
    assert fresh("7S 7H 7D", REALE) == [Reason.SET_RANK_NOT_ALLOWED]
    assert refused(ready_to_close(REALE, melds={0: [dirty]}), drop("9C")) == [Reason.CLOSE_NEEDS_CLEAN_BURRACO]
    assert is_accepted(ready_to_close(REALE), drop("9C"))


def test_row_5_no_burraco_of_twos() -> None:
    """Twos alone form no meld."""
    assert fresh("2S 2S 2H 2H 2D 2D 2C") == [Reason.TOO_MANY_WILDS, Reason.NOT_ENOUGH_NATURALS]


# --- rows 6 to 8: the pile --------------------------------------------------------------------------------------------


def facing(option: PileTake, hand: str = "3S 4H 9D KD", pile: str = "QH 8C", **more: object) -> State:
    """Seat 0 is to draw or take."""
    return table(hands=[hand], pile=pile, phase=Phase.DRAW, options=rules(pile_take=option), **more)  # type: ignore[arg-type]


def test_row_6_free() -> None:
    """The pile may be taken on no condition, and nothing has to be melded."""
    assert is_accepted(after(facing(PileTake.FREE), TAKE_PILE), drop("QH"))


def test_row_6_top_card_usable() -> None:
    """The pile may be taken if its top card can be melded, which then has to be done first."""
    assert refused(facing(PileTake.TOP_CARD_USABLE), TAKE_PILE) == [Reason.PILE_TOP_NOT_USABLE]
    state = after(facing(PileTake.TOP_CARD_USABLE, "7C 9C 9D KD"), TAKE_PILE)
    assert refused(state, drop("QH")) == [Reason.MUST_MELD_TOP_CARD]
    assert is_accepted(after(state, lay("7C 8C 9C")), drop("QH"))


def test_row_6_must_meld() -> None:
    """The pile may be taken if something can be melded, which then has to be done before the discard."""
    assert refused(facing(PileTake.MUST_MELD), TAKE_PILE) == [Reason.PILE_NEEDS_MELD]
    state = after(facing(PileTake.MUST_MELD, "KS KH KC 9D"), TAKE_PILE)
    assert refused(state, drop("QH")) == [Reason.MUST_MELD_FIRST]
    assert is_accepted(after(state, lay("KS KH KC")), drop("QH"))
    # A lay-off will do.
    state = after(facing(PileTake.MUST_MELD, melds={0: ["5C 6C 7C"]}), TAKE_PILE, add(1, "8C"))
    assert is_accepted(state, drop("QH"))


def test_row_6_after_melding() -> None:
    """The pile may be taken only by a side that has a meld on the table already."""
    assert refused(facing(PileTake.AFTER_MELDING), TAKE_PILE) == [Reason.PILE_NEEDS_EARLIER_MELD]
    assert refused(facing(PileTake.AFTER_MELDING, melds={1: ["5C 6C 7C"]}), TAKE_PILE) == [
        Reason.PILE_NEEDS_EARLIER_MELD
    ]
    state = after(facing(PileTake.AFTER_MELDING, melds={0: ["5H 6H 7H"]}), TAKE_PILE)
    assert is_accepted(state, drop("QH"))


@pytest.mark.parametrize(
    ("value", "alone", "with_twin"),
    [
        (SingleCardRediscard.IDENTICAL_COPY_ONLY, False, True),
        (SingleCardRediscard.NEVER, False, False),
        (SingleCardRediscard.ALLOWED, True, True),
    ],
)
def test_row_7_single_card_rediscard(value: SingleCardRediscard, alone: bool, with_twin: bool) -> None:
    """The only card of the pile may go back with its twin in hand, or never, or always."""

    def may_go_back(hand: str) -> bool:
        state = table(hands=[hand], pile="9D", phase=Phase.DRAW, options=rules(single_card_rediscard=value))
        return is_accepted(after(state, TAKE_PILE), drop("9D"))

    assert may_go_back("4C 5C KD") is alone
    assert may_go_back("4C 5C 9D") is with_twin


def test_row_7_never_leaves_nobody_stuck() -> None:
    """Where it may never go back, two twins alone in hand may: a turn has to be able to end."""
    state = table(
        hands=["9D"], pile="9D", phase=Phase.DRAW, options=rules(single_card_rediscard=SingleCardRediscard.NEVER)
    )

    assert is_accepted(after(state, TAKE_PILE), drop("9D"))


def test_row_8_one_card_player_may_take_pile() -> None:
    """Where the option is off, a player with one card has to draw from the stock; one with two may take the pile."""
    off = rules(one_card_player_may_take_pile=False)

    assert is_accepted(table(hands=["4C"], phase=Phase.DRAW), TAKE_PILE)
    assert refused(table(hands=["4C"], phase=Phase.DRAW, options=off), TAKE_PILE) == [Reason.PILE_BARRED_TO_ONE_CARD]
    assert is_accepted(table(hands=["4C"], phase=Phase.DRAW, options=off), DRAW_STOCK)
    assert is_accepted(table(hands=["4C 5D"], phase=Phase.DRAW, options=off), TAKE_PILE)


# --- rows 9 to 13: closing --------------------------------------------------------------------------------------------


def test_row_9_close_requires_discard() -> None:
    """Where closing needs no discard, the last card may be melded; it may be discarded as well."""
    off = rules(close_requires_discard=False)

    assert refused(ready_to_close(hands=["KH KD KC"]), lay("KH KD KC")) == [Reason.MUST_KEEP_CLOSING_DISCARD]
    melded = applied(ready_to_close(off, hands=["KH KD KC"]), lay("KH KD KC"))
    assert names(melded.events) == ["Melded", "Closed", "DealEnded", "DealScored"]
    assert (ScoreItem.CLOSING, 100) in lines(sheet_of(melded), 0)
    assert after(ready_to_close(off), drop("9C")).deal_end is DealEnd.CLOSED


@pytest.mark.parametrize("wild", ["JK", "2S"])
def test_row_10_close_with_wild_discard(wild: str) -> None:
    """Where the option is on, a wild may close."""
    on = rules(close_with_wild_discard=True)

    assert refused(ready_to_close(hands=[wild]), drop(wild)) == [Reason.CLOSE_WITH_WILD]
    assert after(ready_to_close(on, hands=[wild]), drop(wild)).deal_end is DealEnd.CLOSED


@pytest.mark.parametrize("burraco", [CLEAN_BURRACO, DIRTY_BURRACO])
def test_row_11_close_needs(burraco: str) -> None:
    """Closing needs any burraco, or a clean one."""
    clean = rules(close_needs=CloseNeeds.CLEAN_BURRACO)
    state = ready_to_close(clean, melds={0: [burraco]})

    assert is_accepted(ready_to_close(melds={0: [burraco]}), drop("9C"))
    if burraco == CLEAN_BURRACO:
        assert is_accepted(state, drop("9C"))
    else:
        assert refused(state, drop("9C")) == [Reason.CLOSE_NEEDS_CLEAN_BURRACO]


def test_row_11_semi_clean_is_not_clean() -> None:
    """Where closing needs a clean burraco, a semi-clean one does not do."""
    options = rules(FIBUR, close_needs=CloseNeeds.CLEAN_BURRACO)
    state = ready_to_close(options, melds={0: ["JK(=2S) 3S 4S 5S 6S 7S 8S 9S"]})

    assert burraco_kind(state.melds[0], options) is BurracoKind.SEMI_CLEAN
    assert refused(state, drop("9C")) == [Reason.CLOSE_NEEDS_CLEAN_BURRACO]


@pytest.mark.parametrize("points", [0, 100, 1000])
def test_row_12_closing_bonus(points: int) -> None:
    """Closing earns the points of the option."""
    sheet = sheet_of(applied(ready_to_close(rules(closing_bonus=points)), drop("9C")))

    assert lines(sheet, 0)[2] == (ScoreItem.CLOSING, points)
    assert sheet.deal_points[0] == 240 + points


@pytest.mark.parametrize("points", [0, 100, 1000])
def test_row_13_pozzetto_not_taken(points: int) -> None:
    """A side that took no pozzetto loses the points of the option."""
    sheet = sheet_of(applied(ready_to_close(rules(pozzetto_not_taken_penalty=points)), drop("9C")))

    assert lines(sheet, 1)[0] == (ScoreItem.POZZETTO_NOT_TAKEN, -points)
    assert sheet.deal_points[1] == -20 - points


# --- rows 14 to 16: pozzetti and stock --------------------------------------------------------------------------------


def last_draw(options: BurracoRules, **more: object) -> State:
    """Seat 0 is to draw the third-last card, 9H."""
    fields_: dict[str, object] = {"hands": ["7H 8H KD", "QC", "10C", "JC"], "stock": "9H 3D 4D", "pile": "5C"}
    return table(options=options, phase=Phase.DRAW, **(fields_ | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(("on", "points"), [(True, (-45, -20)), (False, (-145, -120))])
def test_row_14_no_penalty_if_none_taken(on: bool, points: tuple[int, int]) -> None:
    """If neither side took a pozzetto, both lose 100, or nobody does."""
    outcome = applied(last_draw(rules(no_pozzetto_penalty_if_none_taken=on)), DRAW_STOCK)

    assert sheet_of(outcome).deal_points == points


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (UnplayedPozzetto.CARD_VALUE, (ScoreItem.HAND_CARDS, -85)),
        (UnplayedPozzetto.AS_NOT_TAKEN, (ScoreItem.POZZETTO_NOT_PLAYED, -100)),
    ],
)
def test_row_15_unplayed_pozzetto(value: UnplayedPozzetto, line: tuple[ScoreItem, int]) -> None:
    """A pozzetto that was taken and never played costs its cards, or 100."""
    options = rules(unplayed_pozzetto=value)
    state = table(
        hands=["QH", "KD", "3H", "QD"], pozzetti=[POZZETTO, "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD"], seat=1,
        stock="9H 6H 6S", pile="5C", options=options,
    )  # fmt: skip
    outcome = applied(after(state, drop("KD")), DRAW_STOCK)

    assert outcome.state.deal_end is DealEnd.STOCK
    assert sorted(lines(sheet_of(outcome), 1)) == sorted([line, (ScoreItem.HAND_CARDS, -10)])


def test_row_16_immediate() -> None:
    """The draw that leaves two cards ends the deal at once."""
    assert after(last_draw(rules(stock_end=StockEnd.IMMEDIATE)), DRAW_STOCK).deal_end is DealEnd.STOCK


def test_row_16_after_discard() -> None:
    """The deal ends with the discard of the player whose draw left two cards."""
    state = after(last_draw(rules(stock_end=StockEnd.AFTER_DISCARD)), DRAW_STOCK)

    assert state.deal_end is DealEnd.NOT_ENDED
    assert after(state, lay("7H 8H 9H"), drop("KD")).deal_end is DealEnd.STOCK


def test_row_16_empty_and_top_unusable() -> None:
    """All cards of the stock are drawn; the deal ends once the top of the pile is of no use."""
    options = rules(stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE, pile_take=PileTake.TOP_CARD_USABLE)
    state = last_draw(options, hands=["7H 8H KD", "QC KH", "10C 5S", "JC 6S"])
    state = after(state, DRAW_STOCK, drop("KD"), DRAW_STOCK, drop("KH"), DRAW_STOCK)

    assert (state.stock, state.deal_end) == (b"", DealEnd.NOT_ENDED)
    assert after(state, drop("5S")).deal_end is DealEnd.STOCK


def test_row_16_pozzetto_becomes_stock() -> None:
    """When the stock is empty a pozzetto that nobody took becomes the stock."""
    options = rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK)
    state = last_draw(options, stock="9H", pozzetti=[POZZETTO, "3D 4D 5D 6D 7D 8D 9D 10D JD QD KS"])
    outcome = applied(after(state, DRAW_STOCK), drop("KD"))

    assert only(outcome.events, StockRenewed).stock_count == 11
    assert outcome.state.stock == parse(POZZETTO)
    assert len(outcome.state.pozzetti) == 1
    assert outcome.state.deal_end is DealEnd.NOT_ENDED
    assert held(after(outcome.state, DRAW_STOCK), 1) == "3C QC"


def test_row_16_pozzetto_becomes_stock_and_then_none_is_left() -> None:
    """Without a pozzetto the deal ends with the discard of the player who drew the last card."""
    options = rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK)
    state = last_draw(options, stock="9H", taken_by=(0, 1))
    outcome = applied(after(state, DRAW_STOCK), drop("KD"))

    assert outcome.state.deal_end is DealEnd.STOCK
    assert names(outcome.events) == ["Discarded", "DealEnded", "DealScored"]


def test_row_16_pozzetto_becomes_stock_bars_the_close() -> None:
    """A side whose pozzetto became the stock cannot close any more."""
    options = rules(stock_end=StockEnd.POZZETTO_BECOMES_STOCK)
    state = ready_to_close(options, taken_by=(NOBODY, 1), pozzetti=[])

    assert refused(state, drop("9C")) == [Reason.CLOSE_NEEDS_POZZETTO]


def test_row_16_void() -> None:
    """The deal is void: nothing is counted and the same dealer deals again."""
    state = after(last_draw(rules(stock_end=StockEnd.VOID), points=(300, 200), dealer=3), DRAW_STOCK)
    outcome = applied(state, drop("KD"))

    assert names(outcome.events) == ["Discarded", "DealEnded"]
    assert outcome.state.deal_end is DealEnd.VOID
    assert (outcome.state.points, outcome.state.deals_scored) == ((300, 200), 0)
    again = after(outcome.state, NEXT_DEAL)
    assert (again.dealer, again.seat, again.deal_number) == (3, 0, 2)


# --- rows 17 to 21: melds and deck ------------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [True, False])
def test_row_17_duplicate_sets(allowed: bool) -> None:
    """A side may own two sets of a rank, or has to add to the first."""
    state = table(hands=["KC KS KD QD JC"], melds={0: ["KS KH KD"]}, options=rules(duplicate_sets=allowed))

    if allowed:
        assert on_table(after(state, lay("KC KS KD"))) == ["KS KH KD", "KS KD KC"]
    else:
        assert refused(state, lay("KC KS KD")) == [Reason.DUPLICATE_SET]


@pytest.mark.parametrize("allowed", [True, False])
def test_row_17_duplicate_sequences(allowed: bool) -> None:
    """A side may own two equal sequences, or not; its twin option does not touch sets."""
    options = rules(duplicate_sequences=allowed)
    state = table(hands=["4S 5S 6S QD JC"], melds={0: ["4S 5S 6S"]}, options=options)
    sets = table(hands=["KC KS KD QD JC"], melds={0: ["KS KH KD"]}, options=options)

    if allowed:
        assert on_table(after(state, lay("4S 5S 6S"))) == ["4S 5S 6S", "4S 5S 6S"]
    else:
        assert refused(state, lay("4S 5S 6S")) == [Reason.DUPLICATE_SEQUENCE]
    assert is_accepted(sets, lay("KC KS KD"))


@pytest.mark.parametrize(
    ("allowed", "result"), [(True, "3S 4S 5S 6S 7S 2S(=8S) 9S"), (False, [Reason.NATURAL_TWO_STAYS])]
)
def test_row_18_natural_two_may_turn_wild(allowed: bool, result: object) -> None:
    """A natural two may turn wild for a natural that needs it, or stays in its place."""
    assert added("2S 3S 4S 5S 6S 7S", "9S", rules(natural_two_may_turn_wild=allowed)) == result


@pytest.mark.parametrize(
    ("value", "ranks"),
    [
        (SetsAllowed.ALL, "A 3 4 5 6 7 8 9 10 J Q K"),
        (SetsAllowed.ACES_AND_THREES, "A 3"),
        (SetsAllowed.ACES_KINGS_AND_THREES, "A 3 K"),
        (SetsAllowed.NONE, ""),
    ],
)
def test_row_19_sets_allowed(value: SetsAllowed, ranks: str) -> None:
    """Sets are allowed of all ranks, of aces and threes, of aces, kings and threes, or of none; never of twos."""
    laid = [
        rank
        for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
        if isinstance(fresh(f"{rank}S {rank}H {rank}D", rules(sets_allowed=value)), str)
    ]

    assert laid == ranks.split()


def test_row_19_the_refusal_names_the_rank() -> None:
    """The refusal names the rank, and a wild makes no difference."""
    state = table(hands=["7S 7H JK QD JC"], options=rules(sets_allowed=SetsAllowed.ACES_AND_THREES))
    (fault,) = faults(state, lay("7S 7H JK"))

    assert fault.reason is Reason.SET_RANK_NOT_ALLOWED
    assert dict(fault.arguments) == {"rank": "7"}


@pytest.mark.parametrize(("jokers", "stock"), [(0, 37), (1, 38), (2, 39), (3, 40), (4, 41)])
def test_row_20_jokers(jokers: int, stock: int) -> None:
    """The deck has as many jokers as the option says; the stock has so many cards fewer."""
    options = rules(jokers=jokers)

    assert deck_of(options).count(JOKER) == jokers
    assert len(deck_of(options)) == 104 + jokers
    assert len(new_match(options).stock) == stock


@pytest.mark.parametrize(("size", "stock"), [(11, 41), (12, 37), (13, 33), (14, 29), (15, 25)])
def test_row_21_hand_size(size: int, stock: int) -> None:
    """Four players get 11 to 15 cards each; pozzetti stay at 11."""
    state = new_match(rules(hand_size=size))

    assert [hand.size for hand in state.hands] == [size] * 4
    assert [len(pozzetto) for pozzetto in state.pozzetti] == [11, 11]
    assert (len(state.stock), len(state.discard)) == (stock, 1)


@pytest.mark.parametrize(("players", "pozzetti", "stock"), [(2, [11, 11], 63), (3, [18, 11], 45), (4, [11, 11], 41)])
def test_row_21_players(players: int, pozzetti: list[int], stock: int) -> None:
    """Two, three or four may play by any preset's rules."""
    options = rules(players=players)
    state = new_match(options, dealer=0)

    assert defects(options) == []
    assert [hand.size for hand in state.hands] == [11] * players
    assert [len(pozzetto) for pozzetto in state.pozzetti] == pozzetti
    assert (len(state.stock), len(state.discard)) == (stock, 1)


# --- rows 22 to 26: match, seats, wilds, pozzetto ---------------------------------------------------------------------


@pytest.mark.parametrize("target", [5, 505, 1005, 2005, 5000, 10000])
def test_row_22_target(target: int) -> None:
    """The match ends once a side has the points of the option."""
    reached = after(ready_to_close(rules(target=target), points=(target - 340, -500)), drop("9C"))
    short = after(ready_to_close(rules(target=target), points=(target - 345, -500)), drop("9C"))

    assert reached.result == Result(MatchEnd.TARGET, (0,))
    assert short.result is None


def test_row_22_no_target() -> None:
    """Without a target points end nothing."""
    options = rules(target=0, deals_per_match=8)

    assert after(ready_to_close(options, points=(9000, 0)), drop("9C")).result is None


@pytest.mark.parametrize("deals", [1, 2, 3, 4, 8])
def test_row_23_deals_per_match(deals: int) -> None:
    """The match ends after so many deals; whoever has more points wins."""
    options = rules(target=0, deals_per_match=deals)
    last = after(ready_to_close(options, deals_scored=deals - 1, points=(0, 500)), drop("9C"))

    assert last.result == Result(MatchEnd.DEALS_PLAYED, (1,))
    if deals > 1:
        before = after(ready_to_close(options, deals_scored=deals - 2), drop("9C"))
        assert (before.result, before.phase) == (None, Phase.DEAL_OVER)


def test_row_23_equal_points_after_the_last_deal() -> None:
    """With equal points after the last deal both sides win: the number of deals is fixed."""
    options = rules(target=0, deals_per_match=2)
    state = after(ready_to_close(options, deals_scored=1, points=(0, 460)), drop("9C"))

    assert state.result == Result(MatchEnd.DEALS_PLAYED, (0, 1))


def test_row_23_a_target_may_end_it_before() -> None:
    """With a target and a number of deals, whichever comes first ends the match."""
    options = rules(target=505, deals_per_match=4)

    assert after(ready_to_close(options, points=(165, 0)), drop("9C")).result == Result(MatchEnd.TARGET, (0,))
    assert after(ready_to_close(options, deals_scored=3), drop("9C")).result == Result(MatchEnd.DEALS_PLAYED, (0,))


def drawing(monkeypatch: pytest.MonkeyPatch, words: str, options: BurracoRules) -> tuple[int, ...]:
    """Seat four players who draw these cards, in the order of the players."""
    top = parse(words)

    class Stacked:
        def __init__(self, key: bytes, purpose: int, deal_number: int) -> None:
            pass

        def shuffle(self, deck: bytes) -> bytes:
            rest = bytearray(deck)
            for number in top:
                rest.remove(number)
            return top + bytes(rest)

    monkeypatch.setattr(dealing, "Stream", Stacked)
    return drawn_seats(options, b"").players


@pytest.mark.parametrize(
    ("order", "seats"),
    [
        (TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS, (1, 0, 3, 2)),
        (TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES, (3, 2, 0, 1)),
    ],
)
def test_row_24_tie_suit_order(
    monkeypatch: pytest.MonkeyPatch, order: TieSuitOrder, seats: tuple[int, int, int, int]
) -> None:
    """Equal ranks drawn for seats are told apart by one order of suits or the other."""
    assert drawing(monkeypatch, "KD KS KC KH", rules(tie_suit_order=order)) == seats


def test_row_25_wild_free_position() -> None:
    """A free wild stands at the low end, or at the high end above a low ace."""
    assert fresh("7C 8C JK") == "JK(=6C) 7C 8C"
    assert fresh("AC 2C 3C JK") == "AC 2C 3C JK(=4C)"
    assert [value.name for value in WildFreePosition] == ["LOW_END"]


@pytest.mark.parametrize(
    ("value", "seen_by"),
    [(PozzettoVisibleAfter.PARTNER_DISCARD, 2), (PozzettoVisibleAfter.OWN_NEXT_TURN, 3)],
)
def test_row_26_pozzetto_visible_after(value: PozzettoVisibleAfter, seen_by: int) -> None:
    """A pozzetto taken on the discard is seen after the partner's discard, or at its owner's next turn."""
    options = rules(pozzetto_visible_after=value)
    state = table(
        hands=["KD", "QD 3H", "JD 3S", "QH 4S"],
        pozzetti=[POZZETTO, "3D 4D 5D 6D 7D 8D 9D 10D JD QD KS"],
        options=options,
        stock_count=20,
    )
    state = after(state, drop("KD"))
    for seat, word in ((1, "QD"), (2, "JD"), (3, "QH")):
        assert state.unseen[0]
        outcome = applied(after(state, DRAW_STOCK), drop(word))
        state = outcome.state
        if seat == seen_by:
            assert only(outcome.events, PozzettoSeen).cards == bytes(sorted(parse(POZZETTO)))
            break
    assert not state.unseen[0]
    assert holds(state, 0, POZZETTO)


# --- options of R13, and those without a row --------------------------------------------------------------------------


def swapped(turns: int, options: BurracoRules) -> State:
    """Let a pile of one card be taken and replaced, turn after turn."""
    state = table(hands=["4C 9H", "5C 10H", "6C JH", "7C QH"], pile="3C", phase=Phase.DRAW, options=options)
    for _ in range(turns):
        other = held(state, state.seat).split()[-1]
        state = after(state, TAKE_PILE)
        state = after(state, drop(other))
    return state


@pytest.mark.parametrize("turns", [4, 5, 8, 64])
def test_r13_stalemate_auto_turns(turns: int) -> None:
    """The deal ends by itself after so many turns that only swap the one card of the pile, and not before."""
    options = rules(stalemate_auto_turns=turns)

    assert swapped(turns - 1, options).deal_end is DealEnd.NOT_ENDED
    assert swapped(turns, options).deal_end is DealEnd.STALEMATE_AUTOMATIC


def test_r13_stalemate_auto_turns_off() -> None:
    """With 0 it never ends by itself."""
    assert swapped(100, rules(stalemate_auto_turns=0)).deal_end is DealEnd.NOT_ENDED


def test_r13_next_dealer_is_at_the_left() -> None:
    """In Burraco the deal passes to the left; it is the only value."""
    assert after(ready_to_close(rules(next_dealer=NextDealer.LEFT), dealer=2), drop("9C"), NEXT_DEAL).dealer == 3


def test_discard_visible() -> None:
    """Everyone sees the whole pile, or its top card only."""
    top_only = rules(discard_visible=DiscardVisible.TOP_ONLY)

    assert view(table(pile="3C 4C KD"), 1).discard == parse("3C 4C KD")
    seen = view(table(pile="3C 4C KD", options=top_only), 1)
    assert (seen.discard, seen.discard_count) == (parse("KD"), 3)


@pytest.mark.parametrize(("value", "seats"), [(Partnerships.BY_DRAW, (1, 3, 0, 2)), (Partnerships.FIXED, (1, 0, 3, 2))])
def test_partnerships(monkeypatch: pytest.MonkeyPatch, value: Partnerships, seats: tuple[int, int, int, int]) -> None:
    """The two highest cards play the two lowest, or the pairs are fixed and the draw only seats them."""
    assert drawing(monkeypatch, "KH KS KC KD", rules(partnerships=value)) == seats


@pytest.mark.parametrize(("keeps", "seats"), [(True, (1, 3, 0, 2)), (False, (3, 1, 2, 0))])
def test_joker_redraw_keeps_priority(
    monkeypatch: pytest.MonkeyPatch, keeps: bool, seats: tuple[int, int, int, int]
) -> None:
    """Two who drew a joker draw again and stay above the others, or their new cards count instead."""
    assert drawing(monkeypatch, "JK JK KS AS 5S 7H", rules(joker_redraw_keeps_priority=keeps)) == seats


@pytest.mark.parametrize(
    ("value", "points"), [(VictoryPoints.NONE, ()), (VictoryPoints.FIBUR, (12, 8))], ids=["none", "fibur"]
)
def test_victory_points_option(value: VictoryPoints, points: tuple[int, ...]) -> None:
    """After the last deal match points become victory points, or they do not."""
    options = rules(FIBUR, victory_points=value)
    state = after(ready_to_close(options, deals_scored=3, points=(0, 60)), drop("9C"))

    assert state.result == Result(MatchEnd.DEALS_PLAYED, (0,), points)
