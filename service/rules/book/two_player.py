"""Burraco for two with 13 cards: what differs from Italian Burraco for four (B2-1 … B2-16)."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Burraco for two",
        (
            Rule(
                "B2-1",
                "The deck has 108 cards. Each of the two `players` gets 13 cards (`hand_size`); there is a pozzetto of "
                "11 for each, one card face up, and a stock of 59.",
                ("seed",),
            ),
            Rule(
                "B2-2",
                "The player who did not deal starts. The first dealer is chosen at random; then they alternate "
                "(`next_dealer`).",
                ("seed", "decision"),
            ),
            Rule(
                "B2-3",
                "The hands are dealt first, one card at a time, to the player who did not deal first; then a pozzetto "
                "for each player, and last the card that is turned up, which stays even if it is a wild. Each takes "
                "his own pozzetto, whoever runs out first; the one built first belongs to the player who did not deal.",
                ("seed", "decision", "ruling R3"),
            ),
            Rule(
                "B2-4",
                "A turn is: draw one card or take the whole pile, meld as much as you like, discard exactly one card. "
                "No discard is needed when you close with your last card.",
                ("seed",),
            ),
            Rule(
                "B2-5",
                "The pile may be taken only if its top card is melded this turn (`pile_take`): laid off on a meld of "
                "yours, or in a new meld with at least two cards of the hand as it was before taking. That it can be "
                "is asked without the other cards of the pile, though these may join the meld. One of the hand's cards "
                "may be a wild, and the meld has to be legal for what it leaves in hand. Until it is made you may not "
                "meld anything else or discard.",
                ("seed", "decision", "ruling R2"),
            ),
            Rule(
                "B2-6",
                "A set is three to nine cards of one rank, a sequence three to 14 of one suit with the ace low or "
                "high. Each has at most one wild; a two in its own place is natural, and there is no set of twos.",
                ("seed", "decision"),
            ),
            Rule(
                "B2-7",
                "You lay off on your own melds only, at any time in your turn. Wilds move as in B4-23.",
                ("seed", "decision"),
            ),
            Rule(
                "B2-8",
                "The first time your hand is empty, by melding or by discarding, you take your pozzetto. If you "
                "melded, you go on; if you discarded, your turn ends and you play it from your next turn.",
                ("seed", "decision"),
            ),
            Rule(
                "B2-9",
                "To close you have taken your pozzetto and have a burraco on the table, and you get rid of your last "
                "card by melding or by discarding it (`close_requires_discard` is off).",
                ("seed",),
            ),
            Rule(
                "B2-10",
                "The discard that closes may be a wild (`close_with_wild_discard` is on).",
                ("decision",),
            ),
            Rule(
                "B2-11",
                "Once you have taken your pozzetto and while you have no burraco, you keep at least two cards after "
                "melding: one to discard and one to hold.",
                ("seed", "decision", "ruling R1"),
            ),
            Rule(
                "B2-12",
                "A deal ends when someone closes, or when the stock is empty and the top card of the pile cannot be "
                "used as B2-5 asks (`stock_end`). While it can be used, the player to move has to take the pile. The "
                "stock is drawn to its last card.",
                ("seed", "ruling R2", "ruling R8"),
            ),
            Rule(
                "B2-13",
                "A player scores the cards in his melds, 200 for each clean and 100 for each dirty burraco and 100 for "
                "closing, and loses the cards in his hand, and 100 if he took no pozzetto. Cards have the values of "
                "B4-36.",
                ("seed", "decision"),
            ),
            Rule(
                "B2-14",
                "The first to reach 2005, or 1005 in the quick game, wins (`target`). If both do in one deal the "
                "higher total wins; if they are equal another deal is played.",
                ("seed", "decision"),
            ),
            Rule(
                "B2-15",
                "A pile of one card is melded at once, so it can never be discarded again that turn.",
                ("decision",),
            ),
            Rule("B2-16", "There is no semi-clean burraco (`semiclean` is off).", ("decision",)),
        ),
    ),
)
