"""Every option of Burraco described: what it decides, what it may be, where it comes from.

GetRules, the validation and the settings screens of front ends all read this table.
"""

from typing import Final

from service.rules.option_types import BoolOption, NameOption, NumberOption, Option
from service.rules.options import (
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

OPTIONS: Final[tuple[Option, ...]] = (
    BoolOption(
        "semiclean",
        "Whether a burraco of seven naturals and a wild is semi-clean.",
        ("row 1", "B4-38"),
        "It earns 150 points.",
        "It is dirty and earns 100.",
    ),
    NameOption(
        "semiclean_definition",
        "Which burraco is semi-clean.",
        ("row 2", "R10"),
        (
            (SemicleanDefinition.SEVEN_CONSECUTIVE_ANY_PLACE, "One with seven consecutive naturals, anywhere in it."),
            (SemicleanDefinition.WILD_AT_END, "One whose wild stands at an end, beside at least seven naturals."),
        ),
    ),
    NameOption(
        "long_run_bonus",
        "What a sequence of 13 or 14 naturals earns in place of the clean bonus.",
        ("row 3", "E30"),
        (
            (LongRunBonus.NONE, "Nothing: it earns 200 like any clean burraco."),
            (LongRunBonus.THIRTEEN_300, "300 for 13 naturals or more."),
            (LongRunBonus.NOBILE_500_REALE_1000, "500 for ace to king, 1000 for ace to ace."),
        ),
    ),
    BoolOption(
        "variant_reale",
        "Whether Burraco Reale is played.",
        ("row 4",),
        "No jokers, sequences only, a clean burraco to close, and 14 naturals from ace to ace exist.",
        "It is not.",
    ),
    BoolOption(
        "burraco_of_twos",
        "Whether twos alone may form a burraco, as in Canasta.",
        ("row 5", "E22"),
        "They may.",
        "They may not: at most one wild stands in a meld.",
        only=False,
    ),
    NameOption(
        "pile_take",
        "On what condition the discard pile may be taken.",
        ("row 6", "B4-15", "B2-5", "R2"),
        (
            (PileTake.FREE, "On none."),
            (
                PileTake.TOP_CARD_USABLE,
                "Its top card is melded at once, with two cards of the hand or on an own meld.",
            ),
            (PileTake.MUST_MELD, "Something is melded or laid off that turn."),
            (PileTake.AFTER_MELDING, "The side has a meld on the table already."),
        ),
    ),
    NameOption(
        "single_card_rediscard",
        "Whether the only card of a pile just taken may be discarded again that turn.",
        ("row 7", "B4-17", "R7"),
        (
            (SingleCardRediscard.IDENTICAL_COPY_ONLY, "Only with its identical twin in hand."),
            (SingleCardRediscard.NEVER, "Never, unless two such twins are all that is in hand."),
            (SingleCardRediscard.ALLOWED, "Always."),
        ),
    ),
    BoolOption(
        "one_card_player_may_take_pile",
        "Whether a player with one card may take the pile.",
        ("row 8",),
        "He may.",
        "He has to draw from the stock.",
    ),
    BoolOption(
        "close_requires_discard",
        "Whether closing needs a final discard.",
        ("row 9", "B4-31", "B2-9"),
        "It does.",
        "The last card may be melded too.",
    ),
    BoolOption(
        "close_with_wild_discard",
        "Whether the closing discard may be a wild.",
        ("row 10", "B4-31", "B2-10"),
        "It may.",
        "It may not; a wild may still be discarded to reach the pozzetto (B4-29).",
    ),
    NameOption(
        "close_needs",
        "Which burraco closing needs.",
        ("row 11", "B4-31"),
        ((CloseNeeds.ANY_BURRACO, "One of any kind."), (CloseNeeds.CLEAN_BURRACO, "A clean one.")),
    ),
    NumberOption("closing_bonus", "Points for closing.", ("row 12", "B4-38"), 0, 1000),
    NumberOption(
        "pozzetto_not_taken_penalty", "Points lost by a side that took no pozzetto.", ("row 13", "B4-38"), 0, 1000
    ),
    BoolOption(
        "no_pozzetto_penalty_if_none_taken",
        "Whether that penalty falls away when neither side took a pozzetto.",
        ("row 14", "B4-40", "E40"),
        "Neither side loses anything.",
        "Both sides lose it.",
    ),
    NameOption(
        "unplayed_pozzetto",
        "What a pozzetto costs that was taken but never played.",
        ("row 15", "B4-39", "E38"),
        (
            (UnplayedPozzetto.CARD_VALUE, "The value of its cards."),
            (UnplayedPozzetto.AS_NOT_TAKEN, "The same as one that was not taken."),
        ),
    ),
    NameOption(
        "stock_end",
        "How a deal ends when the stock runs out.",
        ("row 16", "R4", "R8", "B4-33", "B2-12"),
        (
            (StockEnd.IMMEDIATE, "At once, with the draw that leaves two cards."),
            (StockEnd.AFTER_DISCARD, "With the discard of the player whose draw left two cards."),
            (StockEnd.EMPTY_AND_TOP_UNUSABLE, "When the stock is empty and the top discard cannot be used."),
            (
                StockEnd.POZZETTO_BECOMES_STOCK,
                "A pozzetto nobody took becomes the stock, where four play; without one, with a discard.",
            ),
            (StockEnd.VOID, "As after the discard, but nothing is scored and the same dealer deals again."),
        ),
    ),
    BoolOption(
        "duplicate_sets",
        "Whether a side may own two sets of a rank.",
        ("row 17", "B4-22", "E25"),
        "It may.",
        "It adds to the one that it owns.",
    ),
    BoolOption(
        "duplicate_sequences",
        "Whether a side may lay a sequence equal to one that it owns.",
        ("row 17", "R11"),
        "It may.",
        "It may not.",
    ),
    BoolOption(
        "natural_two_may_turn_wild",
        "Whether a natural two on the table may turn wild because an arriving natural needs it.",
        ("row 18", "R5", "E8"),
        "It may, if its meld has no wild.",
        "It stays in its place.",
    ),
    NameOption(
        "sets_allowed",
        "Which ranks may form sets; twos never do.",
        ("row 19",),
        (
            (SetsAllowed.ALL, "All."),
            (SetsAllowed.ACES_AND_THREES, "Aces and threes."),
            (SetsAllowed.ACES_KINGS_AND_THREES, "Aces, kings and threes."),
            (SetsAllowed.NONE, "None: only sequences exist."),
        ),
    ),
    NumberOption("jokers", "Number of jokers in the deck.", ("row 20", "B4-1"), 0, 4),
    NumberOption(
        "players",
        "Number of players: four in two partnerships, two each for himself, or three of whom the first to run out "
        "plays alone against the others.",
        ("row 21", "B4-2", "B2-1", "B3-2"),
        2,
        4,
    ),
    NumberOption("hand_size", "Cards dealt to each player.", ("row 21", "B4-10", "B2-1"), 11, 15),
    NumberOption(
        "target",
        "Points that end the match; of three players nobody is alone any more once one is 505 points from it.",
        ("row 22", "B4-42", "B2-14", "B3-4"),
        5,
        10000,
        zero_means_none=True,
    ),
    NumberOption("deals_per_match", "Number of deals of a match.", ("row 23", "B4-42"), 1, 8, zero_means_none=True),
    NameOption(
        "tie_suit_order",
        "Order of the suits, high to low, in the seating draw of four players.",
        ("row 24", "B4-5"),
        (
            (TieSuitOrder.SPADES_HEARTS_DIAMONDS_CLUBS, "Spades, hearts, diamonds, clubs."),
            (TieSuitOrder.HEARTS_DIAMONDS_CLUBS_SPADES, "Hearts, diamonds, clubs, spades."),
        ),
    ),
    NameOption(
        "wild_free_position",
        "Where a wild stands that fills no gap.",
        ("row 25", "§1.0", "E20"),
        ((WildFreePosition.LOW_END, "At the low end, or at the high end of a sequence with a low ace."),),
    ),
    NameOption(
        "pozzetto_visible_after",
        "When a pozzetto taken on the discard may be looked at.",
        ("row 26", "B4-28"),
        (
            (PozzettoVisibleAfter.PARTNER_DISCARD, "Once the partner has discarded; as below without one."),
            (PozzettoVisibleAfter.OWN_NEXT_TURN, "At the start of its owner's next turn."),
        ),
    ),
    NumberOption(
        "stalemate_auto_turns",
        "Consecutive turns of taking a one-card pile and melding nothing that end the deal.",
        ("R13", "B4-34"),
        4,
        64,
        zero_means_none=True,
    ),
    NameOption(
        "next_dealer", "Who deals next.", ("R13", "B4-8"), ((NextDealer.LEFT, "The player at the dealer's left."),)
    ),
    NameOption(
        "discard_visible",
        "How much of the discard pile everyone sees.",
        ("row 6",),
        ((DiscardVisible.WHOLE, "All of it."), (DiscardVisible.TOP_ONLY, "Its top card.")),
    ),
    NameOption(
        "partnerships",
        "Who sits with whom when four players draw their seats.",
        ("B4-4", "B4-7"),
        (
            (Partnerships.BY_DRAW, "The two highest cards play the two lowest."),
            (Partnerships.FIXED, "Players 0 and 2, and 1 and 3, are partners beforehand."),
        ),
    ),
    BoolOption(
        "joker_redraw_keeps_priority",
        "How two players draw again who both drew a joker for seats.",
        ("B4-5", "B4-6"),
        "Between themselves, both staying above the others.",
        "As anyone who drew the same card: their new cards count instead.",
    ),
    NameOption(
        "victory_points",
        "How match points become victory points at the end of a match.",
        ("§2.2",),
        (
            (VictoryPoints.NONE, "Not at all."),
            (VictoryPoints.FIBUR, "By the federation's tables for 3 and 4 deals, 20 points in all."),
        ),
    ),
)
"""In the order of the field numbers of `burraco.v1.BurracoRules`."""
