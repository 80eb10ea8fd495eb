"""Every option of Ramino and of Scala 40 described: what it decides, what it may be, where it comes from."""

from typing import Final

from service.rules.option_types import BoolOption, NameOption, NumberOption, Option
from service.rules.options import AcePlace, ClosingInHand, NextDealer, StockExhausted
from service.rules.rummy.options import (
    JokerFirstUpcard,
    NoAttachableDiscard,
    OpeningWithJoker,
    PileBeforeOpening,
    SwappedJoker,
)

_ACES: Final = (
    (AcePlace.LOW, "Below the two only."),
    (AcePlace.HIGH, "Above the king only."),
    (AcePlace.LOW_OR_HIGH, "Below the two or above the king, never round the corner."),
)
_STOCK: Final = (
    (
        StockExhausted.RESHUFFLE,
        "The pile but for its last card is shuffled and becomes the stock; the deal is void after 100 rounds.",
    ),
    (StockExhausted.VOID_AT_TWO, "With a discard that leaves two cards or fewer in the stock the deal is void."),
)
_DEALERS: Final = (
    (NextDealer.LEFT, "The next player at the dealer's left."),
    (NextDealer.LOSER, "The player with the most points in the deal."),
    (NextDealer.WINNER, "The player who closed."),
)

RAMINO_OPTIONS: Final[tuple[Option, ...]] = (
    NumberOption("jokers", "Number of jokers in the deck.", ("row 43", "RA-1"), 0, 4),
    NumberOption("packs", "Number of packs of 52 cards.", ("row 43", "RA-1"), 1, 2),
    NumberOption("players", "Number of players.", ("RA-2",), 2, 4),
    NumberOption(
        "hand_size",
        "Cards dealt to each player; 0 is 10 with two players and 7 with more.",
        ("RA-2",),
        0,
        14,
        only=(0, 6, 7, 8, 9, 10, 13, 14),
    ),
    NameOption("ace_in_sequences", "Where the ace may stand in a sequence.", ("R13", "RA-7", "E75"), _ACES),
    BoolOption(
        "rediscard_taken_card",
        "Whether the card just taken from the pile may be discarded that turn.",
        ("R13", "RA-8", "E70"),
        "It may.",
        "Only with its identical twin in hand; a card drawn from the stock always may.",
    ),
    BoolOption(
        "lay_off_needs_meld",
        "Whether laying off needs a meld of one's own first.",
        ("RA-9",),
        "It does.",
        "Anyone may lay off.",
    ),
    BoolOption(
        "close_requires_discard",
        "Whether closing needs a final discard.",
        ("row 46", "RA-10"),
        "It does.",
        "The last card may be melded or laid off too.",
    ),
    NameOption(
        "in_mano_bonus",
        "What closing in hand, with nothing laid before that turn, does to the others.",
        ("row 45", "RA-11"),
        (
            (ClosingInHand.NONE, "Nothing."),
            (ClosingInHand.PLUS_25, "Each is charged 25 points more."),
            (ClosingInHand.DOUBLE, "Their points count double."),
        ),
    ),
    NameOption("stock_exhausted", "What happens when the stock runs out.", ("row 44", "RA-12", "R9"), _STOCK),
    NumberOption("ace_points", "Points of an ace left in hand.", ("RA-13",), 1, 11, only=(1, 11)),
    NumberOption("limit", "Penalty points at which a player is out.", ("RA-14",), 1, 10000),
    NameOption("next_dealer", "Who deals next.", ("R13", "RA-4"), _DEALERS),
)
"""In the order of the field numbers of `burraco.v1.RaminoRules`."""

SCALA_40_OPTIONS: Final[tuple[Option, ...]] = (
    NumberOption("jokers", "Number of jokers in the deck.", ("row 27", "SC-1"), 0, 4),
    NumberOption("players", "Number of players.", ("SC-2",), 2, 6),
    NumberOption("hand_size", "Cards dealt to each player.", ("SC-3", "row 28"), 13, 14),
    NumberOption("opening_points", "Points that the first lay-down needs.", ("row 28", "SC-9", "E48"), 0, 100),
    NameOption(
        "opening_with_joker",
        "Whether jokers may help to open.",
        ("row 29", "SC-10"),
        (
            (OpeningWithJoker.YES, "They may."),
            (OpeningWithJoker.IF_CLEAN_MELDS_OPEN, "Only after melds without one have reached the opening alone."),
            (OpeningWithJoker.NOT_FIRST_ROUND, "Not in the first round."),
        ),
    ),
    NameOption(
        "pile_before_opening",
        "Whether a player who has not opened may take the pile's card.",
        ("row 30", "SC-6", "E51"),
        (
            (PileBeforeOpening.FREE, "Freely."),
            (PileBeforeOpening.NEVER, "Never."),
            (PileBeforeOpening.IF_OPENS_WITH_IT, "Only to open with it that turn."),
        ),
    ),
    BoolOption(
        "pile_card_must_be_used",
        "Whether the pile's card has to be used at once.",
        ("R13", "R12", "SC-6", "E52"),
        "The next thing laid that turn contains it.",
        "It may be kept.",
    ),
    NameOption(
        "swapped_joker",
        "What may be done with a recovered joker.",
        ("row 31", "SC-14", "E53"),
        (
            (SwappedJoker.MUST_USE_NOW, "The next thing laid that turn contains a joker."),
            (SwappedJoker.MAY_KEEP, "It may be kept in hand."),
        ),
    ),
    NameOption("ace_in_sequences", "Where the ace may stand in a sequence.", ("row 32", "SC-12", "E50"), _ACES),
    NumberOption(
        "lone_ace_in_hand",
        "Points of an ace that is the only card left in hand.",
        ("row 33", "SC-21", "E60"),
        1,
        11,
        only=(1, 11),
    ),
    NameOption(
        "closing_in_hand",
        "What closing in hand, with nothing laid before that turn, does to the others.",
        ("row 34", "SC-19", "E56"),
        (
            (ClosingInHand.NONE, "Nothing."),
            (ClosingInHand.PLUS_25, "Each is charged 25 points more, unless something was laid off: the Scala."),
            (ClosingInHand.DOUBLE, "Their points count double."),
        ),
    ),
    BoolOption(
        "no_close_first_round",
        "Whether nobody may close before everyone has had a turn.",
        ("row 35", "SC-17", "E58"),
        "Closing in the first round is barred.",
        "It is not.",
    ),
    NameOption(
        "no_attachable_discard",
        "Who may not discard a card that fits a meld on the table, unless it closes or every card of the hand fits.",
        ("row 36", "SC-16", "E59"),
        (
            (NoAttachableDiscard.OFF, "Nobody is barred."),
            (NoAttachableDiscard.UNOPENED, "Players who have not opened."),
            (NoAttachableDiscard.ALL_IF_THREE_PLUS, "Everyone, while three or more play."),
            (NoAttachableDiscard.ALL, "Everyone."),
        ),
    ),
    NumberOption("limit", "Penalty points at which a player is out.", ("row 37", "SC-22"), 1, 10000),
    NameOption(
        "joker_first_upcard",
        "What is done with a joker turned up first.",
        ("row 38", "SC-4"),
        (
            (JokerFirstUpcard.REPLACE, "It goes back into the middle of the stock, and another card is turned."),
            (JokerFirstUpcard.KEEP, "It stays."),
        ),
    ),
    BoolOption(
        "rediscard_taken_card",
        "Whether the card just taken from the pile may be discarded that turn.",
        ("R13", "R12", "SC-8"),
        "It may.",
        "Only with its identical twin in hand.",
    ),
    NameOption("stock_exhausted", "What happens when the stock runs out.", ("row 44", "SC-20"), _STOCK),
    NameOption("next_dealer", "Who deals next.", ("R13", "SC-3"), _DEALERS),
    BoolOption(
        "reentry",
        "Whether a player who is out comes in again, once.",
        ("SC-22",),
        "He does, with the highest total of those still in, if there are at least two of them.",
        "He does not.",
    ),
)
"""In the order of the field numbers of `burraco.v1.Scala40Rules`."""
