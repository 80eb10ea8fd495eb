"""Gin, Knock and Undercut (GI-1 … GI-14)."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Players and cards",
        (
            Rule(
                "GI-1",
                "One pack of 52 cards is used, and each player gets 10. The aim is to have less deadwood, cards that "
                "are in no meld, than the opponent; a deal is won by gin, by a knock or by an undercut.",
                ("seed",),
            ),
            Rule("GI-2", "Exactly two play. Three or four play Ramino instead.", ("authorities", "decision")),
            Rule(
                "GI-3",
                "The ace is low: below the two, never above the king (`ace_in_sequences`). As deadwood an ace is 1, "
                "two to nine their number, ten to king 10.",
                ("authorities", "ruling R13"),
            ),
            Rule(
                "GI-4",
                "One card is turned up. The player who did not deal may take it or pass, then the dealer may; if both "
                "pass, the player who did not deal has to draw from the stock.",
                ("authorities",),
            ),
        ),
    ),
    Section(
        "The turn",
        (
            Rule(
                "GI-5",
                "In a turn you draw the top card of the stock or of the discard pile, then discard one card. You may "
                "not discard the card that you have just taken from the pile, and no meld is shown before the end.",
                ("authorities",),
            ),
            Rule(
                "GI-6",
                "A set is three or four cards of one rank, a sequence three or more of one suit; a card counts in one "
                "meld only. Your deadwood is the least that any arrangement of your hand leaves. A knocker may choose "
                "the arrangement, which decides what can be laid off.",
                ("authorities",),
            ),
        ),
    ),
    Section(
        "End of a deal",
        (
            Rule(
                "GI-7",
                "You may knock if your deadwood after the discard is at most `knock_limit`, usually 10; you never have "
                "to. With `oklahoma` the card turned up sets the limit of the deal.",
                ("authorities",),
            ),
            Rule(
                "GI-8",
                "After a knock that is not gin, the defender melds as well as he can and lays off on the knocker's "
                "melds, card after card if they follow. Nothing is laid off on the knocker's deadwood, and the knocker "
                "lays off nothing.",
                ("authorities",),
            ),
            Rule(
                "GI-9",
                "If the knocker has less deadwood, he scores the difference. If the defender has less, or as much with "
                "`undercut_on_tie`, it is an undercut: he scores the difference and `undercut_bonus`.",
                ("authorities",),
            ),
            Rule(
                "GI-10",
                "Gin is no deadwood at all after the discard. It scores the opponent's deadwood and `gin_bonus`; "
                "nothing is laid off on it, and it cannot be undercut.",
                ("authorities",),
            ),
            Rule(
                "GI-11",
                "Big gin is 11 cards all in melds, without a discard. It scores `big_gin_bonus` and exists only if "
                "that is not 0.",
                ("authorities",),
            ),
            Rule(
                "GI-12",
                "If two cards are left in the stock after a discard and nobody has knocked, the deal is void and the "
                "same dealer deals again (`stock_exhausted`). So it is after 200 turns, since a deal has to end.",
                ("authorities", "decision"),
            ),
        ),
    ),
    Section(
        "The match",
        (
            Rule(
                "GI-13",
                "Who deals next is `next_dealer`, by default the loser of the deal.",
                ("authorities", "decision", "ruling R13"),
            ),
            Rule(
                "GI-14",
                "The match ends when a player reaches `target`. He gets `game_bonus`, each player `box_bonus` for each "
                "deal that he won, and the winner what `shutout` says if the loser won none. An undercut may be what "
                "reaches the target.",
                ("authorities",),
            ),
        ),
    ),
)
