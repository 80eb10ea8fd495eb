"""Ramino with melds on the table (RA-1 … RA-14)."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Deck and deal",
        (
            Rule("RA-1", "One pack of 52 cards is used, without jokers (`packs`, `jokers`).", ("seed",)),
            Rule(
                "RA-2",
                "Two to four `players` play, each for himself. Two get 10 cards each, three or four get 7 "
                "(`hand_size`).",
                ("seed",),
            ),
            Rule(
                "RA-3",
                "The other cards are the stock, face down. One card is turned up: it begins the discard pile.",
                ("seed",),
            ),
            Rule(
                "RA-4",
                "The first dealer is chosen at random. Play goes clockwise and the player at the dealer's left starts; "
                "who deals next is `next_dealer`.",
                ("authorities", "decision", "ruling R13"),
            ),
        ),
    ),
    Section(
        "The turn",
        (
            Rule(
                "RA-5",
                "In a turn you draw the top card of the stock or of the discard pile, then meld and lay off as you "
                "like, then discard one card.",
                ("seed", "authorities"),
            ),
            Rule(
                "RA-6",
                "A set is three or four cards of one rank. A sequence is three to 13 consecutive cards of one suit.",
                ("seed", "decision"),
            ),
            Rule(
                "RA-7",
                "The ace stands below the two or above the king, never round the corner (`ace_in_sequences`).",
                ("authorities", "decision", "ruling R13"),
            ),
            Rule(
                "RA-8",
                "The card just taken from the discard pile may not be the discard of that turn, unless "
                "`rediscard_taken_card`. One drawn from the stock may.",
                ("authorities", "decision", "ruling R13"),
            ),
            Rule(
                "RA-9",
                "You may lay off on the melds of any player. You need no meld of your own first unless "
                "`lay_off_needs_meld`.",
                ("authorities", "decision"),
            ),
        ),
    ),
    Section(
        "End of a deal",
        (
            Rule(
                "RA-10",
                "The first player to discard his last card closes and wins the deal. With `close_requires_discard` "
                "melding the last card is not enough.",
                ("seed",),
            ),
            Rule(
                "RA-11",
                "You close in hand if you get rid of all your cards in one turn and have neither melded nor laid off "
                "before. The points of the others then count double (`in_mano_bonus`).",
                ("seed", "authorities"),
            ),
            Rule(
                "RA-12",
                "When the last card of the stock has been drawn, that turn's discard begins a new pile and the old "
                "pile is shuffled and becomes the stock (`stock_exhausted`). If there is nothing to shuffle, the deal "
                "is void and the same dealer deals again; so it is if nobody has closed after a hundred rounds, since "
                "a deal has to end.",
                ("seed", "decision", "ruling R9"),
            ),
        ),
    ),
    Section(
        "Score and match",
        (
            Rule(
                "RA-13",
                "An ace left in hand is worth `ace_points`, two to ten their number, jack, queen and king 10.",
                ("authorities", "decision"),
            ),
            Rule(
                "RA-14",
                "Who closes is charged nothing, the others the cards in their hands. Who reaches `limit` penalty "
                "points is out, and the last player left wins the match.",
                ("authorities", "decision"),
            ),
        ),
    ),
)
