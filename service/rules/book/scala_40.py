"""Scala 40, as the seed document and as the federation have it (SC-1 … SC-22)."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Deck and deal",
        (
            Rule(
                "SC-1",
                "Two packs of 52 cards are used with two jokers, by the federation with four (`jokers`).",
                ("seed", "federation"),
            ),
            Rule("SC-2", "Two to six `players` play, each for himself.", ("authorities",)),
            Rule(
                "SC-3",
                "Each player gets 13 cards (`hand_size`), one at a time and clockwise; then one card is turned up and "
                "the others are the stock. The first dealer is chosen at random, the player at his left starts, and "
                "who deals next is `next_dealer`.",
                ("seed", "federation", "decision", "ruling R13"),
            ),
            Rule(
                "SC-4",
                "A joker may not begin the discard pile: it goes back and another card is turned "
                "(`joker_first_upcard`).",
                ("authorities", "ruling R12"),
            ),
        ),
    ),
    Section(
        "The turn",
        (
            Rule(
                "SC-5",
                "In a turn you draw a card from the stock or from the discard pile, then may meld and lay off, then "
                "discard one card. Drawing and discarding are compulsory.",
                ("seed",),
            ),
            Rule(
                "SC-6",
                "Whether a player who has not opened may take the top card of the pile is `pile_before_opening`. With "
                "`pile_card_must_be_used` that card has to be in the next thing that is melded or laid off.",
                ("seed", "federation", "authorities", "ruling R12", "ruling R13"),
            ),
            Rule("SC-7", "Only the top card of the pile is taken, never the whole pile.", ("authorities",)),
            Rule(
                "SC-8",
                "The card just taken from the pile may not be the discard of that turn, unless you hold its identical "
                "twin or `rediscard_taken_card` allows it.",
                ("federation", "ruling R12", "ruling R13"),
            ),
        ),
    ),
    Section(
        "Opening",
        (
            Rule(
                "SC-9",
                "Your first melds are your opening: one or more new melds of your own cards, laid in one turn, that "
                "total at least `opening_points`, usually 40. A joker counts as the card that it stands for; an ace is "
                "11 in a set or above the king, 1 below the two.",
                ("seed", "federation", "authorities", "ruling R12"),
            ),
            Rule("SC-10", "Whether jokers may help to open is `opening_with_joker`.", ("seed", "authorities")),
        ),
    ),
    Section(
        "Melds",
        (
            Rule(
                "SC-11",
                "A set is three or four cards of one rank, all of different suits, a joker included. There may be "
                "several sets of a rank.",
                ("seed", "federation"),
            ),
            Rule(
                "SC-12",
                "A sequence is three or more consecutive cards of one suit, at most 13 and a joker. Where the ace may "
                "stand is `ace_in_sequences`; it never goes round the corner. Equal sequences may lie side by side.",
                ("seed", "federation", "ruling R13"),
            ),
            Rule(
                "SC-13",
                "A meld has at most one joker. Who lays it says which card it stands for, rank and suit.",
                ("federation", "authorities"),
            ),
            Rule(
                "SC-14",
                "Who has opened may put the very card that a joker stands for in its place and take the joker; where "
                "no suit was declared in a set of three, either missing suit will do. Whether the joker has to be used "
                "at once, in the next thing that is laid, is `swapped_joker`.",
                ("federation", "authorities", "decision", "ruling R12"),
            ),
            Rule(
                "SC-15",
                "Who has opened may lay off on the melds of any player: the missing suit of a set, or a card at either "
                "end of a sequence. Jokers may be laid off too.",
                ("seed", "authorities"),
            ),
            Rule(
                "SC-16",
                "Who may not discard a card that fits a meld on the table, unless it closes, is "
                "`no_attachable_discard`.",
                ("federation", "authorities"),
            ),
        ),
    ),
    Section(
        "End of a deal",
        (
            Rule(
                "SC-17",
                "You close by melding all cards but one and discarding that one; there is no closing without a "
                "discard. With `no_close_first_round` nobody closes before everyone has had a turn.",
                ("seed", "federation"),
            ),
            Rule(
                "SC-18",
                "When someone closes, the deal stops at once: nobody else may meld or lay off.",
                ("seed",),
            ),
            Rule(
                "SC-19",
                "You close in hand if you had no meld on the table, lay everything in one turn and discard your last "
                "card. What it costs every opponent, 25 points more or the double, is `closing_in_hand`; for the 25, "
                "which the seed calls Scala, you also lay off nothing, not even on a meld of your own.",
                ("seed", "federation", "decision"),
            ),
            Rule(
                "SC-20",
                "When the stock is empty, the pile is shuffled and becomes the stock, all but its last card, which "
                "stays as the new pile (`stock_exhausted`). A deal that nobody has closed after a hundred rounds is "
                "void: no source has a bound, but a deal has to end.",
                ("seed", "federation", "ruling R9"),
            ),
        ),
    ),
    Section(
        "Score and match",
        (
            Rule(
                "SC-21",
                "Who closes is charged nothing, the others the cards in their hands: a joker 25, an ace 11, a figure "
                "10, other cards their number. An ace that is the only card in hand is worth `lone_ace_in_hand`.",
                ("seed", "federation"),
            ),
            Rule(
                "SC-22",
                "Who reaches or passes `limit` penalty points is out, with `reentry` able to come in again once; the "
                "last player left wins. If all who are left go out in one deal, the lowest total wins, and equal ones "
                "share.",
                ("authorities", "decision"),
            ),
        ),
    ),
)
