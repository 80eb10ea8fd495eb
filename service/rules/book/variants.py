"""Burraco for three, by the international code, and Burraco Reale: what differs from Italian Burraco for four."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Burraco for three",
        (
            Rule(
                "B3-1",
                "Three `players` get 11 cards each. There are two pozzetti, one of 18 cards that lies on top and one "
                "of 11.",
                ("authorities",),
            ),
            Rule(
                "B3-2",
                "The first player whose hand is empty takes the 18 cards and plays alone. The other two become "
                "partners from then on, their melds are those of one side, and they share the 11.",
                ("authorities",),
            ),
            Rule(
                "B3-3",
                "Each of the two partners scores half of their side's points, rounded up.",
                ("authorities",),
            ),
            Rule(
                "B3-4",
                "Once anyone is within 505 points of `target`, at 1000 of 1505 or in casual play at 1500 of 2005, "
                "there are three pozzetti of 11 and everyone plays for himself.",
                ("authorities",),
            ),
            Rule("B3-5", "All else is as in Italian Burraco for four.", ("decision",)),
        ),
    ),
    Section(
        "International Burraco",
        (
            Rule("BI-1", "There is no semi-clean burraco (`semiclean` is off).", ("federation",)),
            Rule("BI-2", "Closing needs a clean burraco (`close_needs`).", ("federation",)),
            Rule("BI-3", "Sets are of aces and of threes only (`sets_allowed`).", ("federation",)),
            Rule("BI-4", "Who takes the pile has to meld or lay off that turn (`pile_take`).", ("federation",)),
            Rule("BI-5", "All else is as in the federation's Italian code.", ("decision",)),
        ),
    ),
    Section(
        "Burraco Reale",
        (
            Rule(
                "BR-1",
                "With `variant_reale` there are no `jokers`: the deck has 104 cards, and twos are the only wilds.",
                ("authorities",),
            ),
            Rule("BR-2", "Only sequences are melded (`sets_allowed`).", ("authorities",)),
            Rule("BR-3", "Closing needs a clean burraco (`close_needs`).", ("authorities",)),
            Rule(
                "BR-4",
                "A sequence may have 14 naturals, an ace at both ends. It earns 1000, and the 13 from ace to king earn "
                "500, in place of the clean bonus (`long_run_bonus`).",
                ("authorities",),
            ),
            Rule("BR-5", "All else is as in Italian Burraco for four.", ("decision",)),
        ),
    ),
)
