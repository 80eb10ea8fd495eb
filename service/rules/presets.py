"""The presets: a name for a full set of options."""

from dataclasses import replace
from typing import Final

from service.rules.options import (
    BurracoRules,
    CloseNeeds,
    DiscardVisible,
    Game,
    LongRunBonus,
    NextDealer,
    Partnerships,
    PileTake,
    PozzettoVisibleAfter,
    Preset,
    SemicleanDefinition,
    SetsAllowed,
    SingleCardRediscard,
    StockEnd,
    TieSuitOrder,
    UnplayedPozzetto,
    VictoryPoints,
    WildFreePosition,
)

ITALIAN: Final = BurracoRules(
    preset=Preset.ITALIAN,
    semiclean=False,
    semiclean_definition=SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE,
    long_run_bonus=LongRunBonus.NONE,
    variant_reale=False,
    burraco_of_twos=False,
    pile_take=PileTake.FREE,
    single_card_rediscard=SingleCardRediscard.IDENTICAL_COPY_ONLY,
    one_card_player_may_take_pile=True,
    close_requires_discard=True,
    close_with_wild_discard=False,
    close_needs=CloseNeeds.ANY_BURRACO,
    closing_bonus=100,
    pozzetto_not_taken_penalty=100,
    no_pozzetto_penalty_if_none_taken=False,
    unplayed_pozzetto=UnplayedPozzetto.CARD_VALUE,
    stock_end=StockEnd.IMMEDIATE,
    duplicate_sets=True,
    duplicate_sequences=True,
    natural_two_may_turn_wild=True,
    sets_allowed=SetsAllowed.ALL,
    jokers=4,
    players=4,
    hand_size=11,
    target=2000,
    deals_per_match=0,
    tie_suit_order=TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS,
    wild_free_position=WildFreePosition.LOW_END,
    pozzetto_visible_after=PozzettoVisibleAfter.PARTNER_DISCARD,
    stalemate_auto_turns=8,
    next_dealer=NextDealer.LEFT,
    discard_visible=DiscardVisible.WHOLE,
    partnerships=Partnerships.BY_DRAW,
    joker_redraw_keeps_priority=False,
    victory_points=VictoryPoints.NONE,
)
"""Seeds 000 and 002 to the letter."""

FIBUR: Final = replace(
    ITALIAN,
    preset=Preset.FIBUR,
    semiclean=True,
    no_pozzetto_penalty_if_none_taken=True,
    stock_end=StockEnd.AFTER_DISCARD,
    duplicate_sets=False,
    duplicate_sequences=False,
    target=0,
    deals_per_match=4,
    tie_suit_order=TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES,
    partnerships=Partnerships.FIXED,
    joker_redraw_keeps_priority=True,
    victory_points=VictoryPoints.FIBUR,
)
"""The federation's code of play."""

TWO_PLAYER: Final = replace(
    ITALIAN,
    preset=Preset.TWO_PLAYER,
    pile_take=PileTake.TOP_CARD_USABLE,
    close_requires_discard=False,
    close_with_wild_discard=True,
    stock_end=StockEnd.EMPTY_AND_TOP_UNUSABLE,
    players=2,
    hand_size=13,
    target=2005,
    pozzetto_visible_after=PozzettoVisibleAfter.OWN_NEXT_TURN,
)
"""Seed 003 to the letter; the quick game has 1005 as its target (B2-14)."""

THREE_PLAYER: Final = replace(
    ITALIAN,
    preset=Preset.THREE_PLAYER,
    players=3,
    target=1505,
    stalemate_auto_turns=6,
)
"""Three players (eburraco.com/burraco-a-3-perche-no, biska.com, ilburraco.com): the first to run out plays alone
against the two others, until somebody is 505 points from the target; then each plays for himself. With 2005 as the
target it is their casual game. What they leave open is as in the seeds. A stalemate takes two rounds (B4-34)."""

INTERNATIONAL: Final = replace(
    FIBUR,
    preset=Preset.INTERNATIONAL,
    semiclean=False,
    pile_take=PileTake.MUST_MELD,
    close_needs=CloseNeeds.CLEAN_BURRACO,
    sets_allowed=SetsAllowed.ACES_AND_THREES,
)
"""The federation's international code as eburraco.com (articles on closing, combinations and equal sets) and
burraconline.com describe it. What they do not set apart is as in FIBUR. Their remedies for a close with a wild or
without a discard, and for a second set of a rank, are for tables where that has happened; here each is refused."""

REALE: Final = replace(
    ITALIAN,
    preset=Preset.REALE,
    long_run_bonus=LongRunBonus.NOBILE_500_REALE_1000,
    variant_reale=True,
    close_needs=CloseNeeds.CLEAN_BURRACO,
    sets_allowed=SetsAllowed.NONE,
    jokers=0,
)
"""Burraco Reale (eburraco.com/burraco-reale-termini and its sequels). What they leave open is as in the seeds."""

BURRACO_PRESETS: Final = {
    each.preset: each for each in (ITALIAN, FIBUR, TWO_PLAYER, THREE_PLAYER, INTERNATIONAL, REALE)
}

MEANINGS: Final = {
    Preset.ITALIAN: "Italian Burraco for four, to 2000 points, to the letter of the seed documents.",
    Preset.FIBUR: "Italian Burraco for four by the federation's code of play: four deals, then victory points.",
    Preset.TWO_PLAYER: "Burraco for two with 13 cards.",
    Preset.THREE_PLAYER: "Burraco for three.",
    Preset.INTERNATIONAL: "Burraco by the federation's international code.",
    Preset.REALE: "Burraco Reale: no jokers, sequences only.",
    Preset.RAMINO: "Ramino with melds on the table.",
    Preset.GIN: "Gin, Knock and Undercut.",
    Preset.SCALA_40: "Scala 40 as the seed document has it.",
    Preset.SCALA_40_FISCA: "Scala 40 as the federation has it.",
}
"""What each preset of the contract is, built or not."""

GAME_OF: Final = {
    Preset.ITALIAN: Game.BURRACO,
    Preset.FIBUR: Game.BURRACO,
    Preset.TWO_PLAYER: Game.BURRACO,
    Preset.THREE_PLAYER: Game.BURRACO,
    Preset.INTERNATIONAL: Game.BURRACO,
    Preset.REALE: Game.BURRACO,
    Preset.RAMINO: Game.RAMINO,
    Preset.GIN: Game.GIN,
    Preset.SCALA_40: Game.SCALA_40,
    Preset.SCALA_40_FISCA: Game.SCALA_40,
}
