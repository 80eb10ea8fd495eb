"""Italian Burraco for four, and what all other forms of Burraco share with it (B4-1 … B4-42, §2.2)."""

from typing import Final

from service.rules.book.rule import Rule, Section

SECTIONS: Final = (
    Section(
        "Deck and players",
        (
            Rule(
                "B4-1",
                "The deck has 108 cards: two packs of 52 and four jokers (`jokers`).",
                ("seed", "federation"),
            ),
            Rule(
                "B4-2",
                "Four people (`players`) play as two sides of two partners. Partners sit opposite each other, so turns "
                "alternate between the sides.",
                ("seed", "authorities"),
            ),
            Rule("B4-3", "Play and deal go clockwise, to the left.", ("seed", "federation")),
        ),
    ),
    Section(
        "Seats and dealer",
        (
            Rule(
                "B4-4",
                "Where seats are drawn, everyone draws a card: joker beats two, then ace, king and so on down to "
                "three. The lowest deals first; the highest sits at the dealer's left and plays first. Where "
                "`partnerships` go by the draw, the two highest play the two lowest.",
                ("seed",),
            ),
            Rule(
                "B4-5",
                "Equal ranks are ordered by suit, as `tie_suit_order` says. Players who both drew a joker draw again: "
                "between themselves, both staying above the others, with `joker_redraw_keeps_priority`.",
                ("seed", "federation"),
            ),
            Rule("B4-6", "Players who drew the same card, of which the deck has two, draw again.", ("decision",)),
            Rule(
                "B4-7",
                "Where `partnerships` are fixed, the pairs are known beforehand and the draw only seats them: the "
                "highest plays first, and of the other pair the one with the lower card deals.",
                ("federation",),
            ),
            Rule("B4-8", "After each deal the dealer's place passes to the left (`next_dealer`).", ("seed",)),
        ),
    ),
    Section(
        "The deal",
        (
            Rule(
                "B4-9",
                "The dealer shuffles. The player at the dealer's right cuts: he lifts at least 22 cards and leaves at "
                "least 45.",
                ("seed",),
            ),
            Rule(
                "B4-10",
                "The dealer deals 11 cards (`hand_size`) to each seat from the part that stayed, one at a time, "
                "clockwise from his left.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-11",
                "The cutter deals two pozzetti of 11 cards, face down, one card to each in turn, from the bottom of "
                "the part that he lifted.",
                ("seed",),
            ),
            Rule("B4-12", "The pozzetto that got the first card is taken first.", ("federation",)),
            Rule(
                "B4-13",
                "The dealer turns up his next card, the 45th: it begins the discard pile. His other cards go on top of "
                "the cutter's, and together they are the stock of 41.",
                ("seed",),
            ),
            Rule(
                "B4-14",
                "A two or a joker that is turned up stays, and the first player may take it.",
                ("authorities",),
            ),
        ),
    ),
    Section(
        "The turn",
        (
            Rule(
                "B4-15",
                "A turn has three parts: draw the top card of the stock or take the whole discard pile; meld and lay "
                "off as you like; discard one card. Taking the pile has no condition unless `pile_take` sets one, or "
                "`one_card_player_may_take_pile` bars it to a player with one card. How much of the pile everyone sees "
                "is `discard_visible`.",
                ("seed", "federation"),
            ),
            Rule("B4-16", "You lay off on the melds of your own side, never on those of the other.", ("seed",)),
            Rule(
                "B4-17",
                "If the pile that you took was one card, that card may not be your discard unless you hold its "
                "identical twin, of the same rank and suit (`single_card_rediscard`). Once it is melded, the ban is "
                "gone.",
                ("federation", "authorities", "ruling R7"),
            ),
            Rule(
                "B4-18",
                "If the pile held two cards or more, any of them may be discarded, even the one that lay on top.",
                ("authorities",),
            ),
        ),
    ),
    Section(
        "Melds",
        (
            Rule("B4-19", "A meld has at least three cards. It is a set or a sequence.", ("seed",)),
            Rule(
                "B4-20",
                "A set is two to eight cards of one rank, of any suits and with duplicates, and at most one wild: a "
                "joker or a two. Which ranks may form sets is `sets_allowed`; twos never do, and `burraco_of_twos` is "
                "not played.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-21",
                "A sequence is consecutive cards of one suit, up to 13 naturals and one wild that stands for a missing "
                "card. There is one ace, below the two or above the king, never round the corner; a complete suit has "
                "it low unless it already lies high. A two of the suit in its own place is a natural two, not a wild.",
                ("seed", "federation", "ruling R6", "ruling R14"),
            ),
            Rule(
                "B4-22",
                "A side may own several sequences of a suit; melds are never joined or split. Whether it may own two "
                "sets of a rank is `duplicate_sets`, and two equal sequences `duplicate_sequences`.",
                ("seed", "federation", "decision", "ruling R11"),
            ),
            Rule(
                "B4-23",
                "A wild fills the gap of its sequence; without a gap it stands at the low end, or at the high end of a "
                "sequence that begins with an ace (`wild_free_position`). The natural that it stands for, or one at "
                "either end, may make it move within its meld; a wild never displaces a wild and never goes back to a "
                "hand. A natural two turns wild only because an arriving natural needs it, in a meld without a wild, "
                "with `natural_two_may_turn_wild`.",
                ("federation", "authorities", "ruling R5"),
            ),
            Rule(
                "B4-24",
                "A meld of seven cards or more is a burraco. At a real table its last cards are turned sideways: two "
                "for a clean one, one for a dirty or semi-clean one.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-25",
                "A burraco is clean if no card in it acts as a wild, and dirty if one does. Which it is counts only at "
                "the end of the deal, so it may change until then.",
                ("seed", "federation"),
            ),
        ),
    ),
    Section(
        "Pozzetto",
        (
            Rule(
                "B4-26",
                "The first player of a side whose hand is empty takes a pozzetto: the first one if no side has taken "
                "any, else the other. Each side takes one.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-27",
                "If you meld your last card, you take the pozzetto at once and go on with your turn: you do not draw "
                "again, you may meld, you have to discard. You may even close in that turn.",
                ("seed", "authorities"),
            ),
            Rule(
                "B4-28",
                "If you discard your last card, your turn ends and you take the pozzetto face down. You play it from "
                "your next turn, and may look at it as `pozzetto_visible_after` says.",
                ("seed", "federation", "authorities"),
            ),
            Rule(
                "B4-29",
                "You may discard a wild to reach the pozzetto; only the discard that closes is restricted.",
                ("federation",),
            ),
            Rule(
                "B4-30",
                "While a pozzetto is waiting for your side you may meld all your cards; if you keep only one, it has "
                "to be one that you may discard. Later you keep at least two after melding while your side has no "
                "burraco to close with, and at least one when it has; if only one, it has to be able to close. Where "
                "`close_requires_discard` is off, a side with such a burraco need keep none.",
                ("decision", "ruling R1"),
            ),
        ),
    ),
    Section(
        "End of a deal",
        (
            Rule(
                "B4-31",
                "To close, your side has taken a pozzetto and has a burraco on the table (`close_needs`), and you meld "
                "all cards but one and discard that one. The discard is compulsory with `close_requires_discard`, and "
                "may not be a wild unless `close_with_wild_discard`.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-32",
                "A closing against the rules is refused, so the table remedies of the federation are not needed: the "
                "state stays as it was.",
                ("federation", "decision"),
            ),
            Rule(
                "B4-33",
                "The last two cards of the stock are not played. The draw that leaves them ends the deal at once, with "
                "the drawn card counted in hand, or the player who drew finishes his turn and may still close: "
                "`stock_end` says which, or another end. Nobody gets a closing bonus without closing.",
                ("seed", "federation", "ruling R4"),
            ),
            Rule(
                "B4-34",
                "It is a stalemate when turn after turn the pile of one card is taken, nothing is melded and one card "
                "is discarded. After a full round the player to move may declare it before drawing; after "
                "`stalemate_auto_turns` such turns it ends the deal by itself. The deal is counted, without a closing "
                "bonus.",
                ("seed", "federation", "decision", "ruling R13"),
            ),
            Rule(
                "B4-35",
                "When time is called, a turn in progress is finished and everyone has one more turn. If nobody closes, "
                "nobody gets the closing bonus.",
                ("federation",),
            ),
        ),
    ),
    Section(
        "Score of a deal",
        (
            Rule(
                "B4-36",
                "A joker is worth 30, a two 20, an ace 15, king to eight 10, seven to three 5. A card keeps its own "
                "value whatever it stands for.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-37",
                "A side scores the cards in its melds and loses those left in the hands of both partners.",
                ("seed", "federation"),
            ),
            Rule(
                "B4-38",
                "Each clean burraco earns 200 and each dirty one 100, whatever its length, unless `long_run_bonus` "
                "pays a long one more; with `semiclean` a burraco with seven naturals, as `semiclean_definition` has "
                "it, and a wild earns 150. Closing earns 100 (`closing_bonus`). A side that took no pozzetto loses 100 "
                "(`pozzetto_not_taken_penalty`).",
                ("seed", "federation", "ruling R10"),
            ),
            Rule(
                "B4-39",
                "A pozzetto that was taken but never played costs the value of its cards, or as much as one not taken "
                "(`unplayed_pozzetto`).",
                ("federation",),
            ),
            Rule(
                "B4-40",
                "If neither side took a pozzetto, both lose those points; with `no_pozzetto_penalty_if_none_taken` "
                "neither does.",
                ("seed", "federation"),
            ),
            Rule("B4-41", "Totals of a deal and of a match may be negative.", ("authorities",)),
        ),
    ),
    Section(
        "The match",
        (
            Rule(
                "B4-42",
                "A match ends when a side reaches `target`, 2000 in the Italian preset; if both do in one deal, the "
                "higher total wins, and if they are equal another deal is played. With `deals_per_match` it ends after "
                "that many deals, and `victory_points` turns the difference into victory points.",
                ("seed", "federation", "decision"),
            ),
            Rule(
                "VP-1",
                "After three deals 20 victory points are split by the difference in match points: 10–10 up to 50, "
                "11–9 up to 150, 12–8 up to 250, 13–7 up to 350, 14–6 up to 500, 15–5 up to 650, 16–4 up to 800, "
                "17–3 up to 1000, 18–2 up to 1250, 19–1 up to 1500, 20–0 beyond.",
                ("authorities",),
            ),
            Rule(
                "VP-2",
                "After four deals: 10–10 up to 100, 11–9 up to 300, 12–8 up to 500, 13–7 up to 700, 14–6 up to 900, "
                "15–5 up to 1100, 16–4 up to 1300, 17–3 up to 1500, 18–2 up to 1700, 19–1 up to 2000, 20–0 beyond.",
                ("authorities",),
            ),
        ),
    ),
)
