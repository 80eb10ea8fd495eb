"""The English catalogue: what is wrong with a move, and what to do; the lines of a score sheet."""

from collections.abc import Mapping
from typing import Final

from service.rules.reasons import Reason
from service.rules.scores import ScoreItem

REASONS: Final[Mapping[Reason, str]] = {
    Reason.MATCH_OVER: "The match is over.",
    Reason.DEAL_OVER: "The deal is over and has been counted: deal the next one.",
    Reason.DEAL_NOT_OVER: "The deal is not over: play it to its end first.",
    Reason.NOT_YOUR_TURN: "It is the turn of seat {turn}: wait for yours.",
    Reason.MUST_DRAW_FIRST: "Draw from the stock or take the pile first.",
    Reason.ALREADY_DRAWN: "You have drawn this turn already: meld, or discard.",
    Reason.MOVE_NOT_IN_GAME: "{game} has no such move.",
    Reason.MOVE_AFTER_REVEAL: (
        "The move before shows a hidden card, so it has to be the last of its call: send the rest after it."
    ),
    Reason.CARD_NOT_IN_HAND: "You do not hold {cards}, or not so often.",
    Reason.STOCK_EMPTY: "The stock is empty: take the pile.",
    Reason.PILE_EMPTY: "The pile is empty: draw from the stock.",
    Reason.PILE_BARRED_TO_ONE_CARD: "With one card in hand you may not take the pile: draw from the stock.",
    Reason.PILE_TOP_NOT_USABLE: (
        "You could not meld {cards} at once, as whoever takes it has to: draw from the stock."
    ),
    Reason.PILE_NEEDS_EARLIER_MELD: "Your side has no meld on the table yet: draw from the stock.",
    Reason.PILE_NEEDS_MELD: "With the pile you would still have nothing to meld: draw from the stock.",
    Reason.MUST_MELD_TOP_CARD: (
        "You took {cards} from the pile to meld it: do that first, with the hand as it was before."
    ),
    Reason.MUST_MELD_FIRST: "You took the pile, so meld or lay off something before you discard.",
    Reason.TOO_FEW_CARDS: "A meld has at least {min} cards; these are {count}.",
    Reason.TOO_MANY_CARDS: "These would be {count} cards, and at most {max} lie in such a meld.",
    Reason.TOO_MANY_WILDS: "A meld has at most one wild card; here {cards} would be {count}.",
    Reason.NOT_ENOUGH_NATURALS: "A meld has at least two natural cards; wild cards alone make none.",
    Reason.NEITHER_SET_NOR_SEQUENCE: "{cards} are neither of one rank nor of one suit.",
    Reason.SEQUENCE_REPEATS_RANK: "A sequence has each rank once; {cards} comes twice.",
    Reason.SEQUENCE_HAS_GAP: (
        "The cards are not consecutive: a sequence has at most one gap, which its wild card fills."
    ),
    Reason.SEQUENCE_GOES_ROUND: "A sequence ends with its ace: it does not go round the corner.",
    Reason.SET_RANK_NOT_ALLOWED: "These rules know no sets of {rank}.",
    Reason.DUPLICATE_SET: "Your side has a set of {rank} already: lay the cards off on meld {meld}.",
    Reason.DUPLICATE_SEQUENCE: "Your side has an equal sequence already, meld {meld}.",
    Reason.READING_NOT_POSSIBLE: (
        "The cards cannot be read that way: leave the reading open, or name one that ExplainMeld lists."
    ),
    Reason.READING_AMBIGUOUS: "The cards can be read in several ways: name the one you mean.",
    Reason.MELD_NOT_FOUND: "No meld on the table has the id {meld}.",
    Reason.MELD_OF_OTHER_SIDE: "Meld {meld} belongs to side {side}: you may add to your own side's melds only.",
    Reason.MELD_HAS_WILD: "Meld {meld} has a wild card already: {cards} cannot join it.",
    Reason.RANK_DOES_NOT_MATCH: "Meld {meld} is a set of {rank}: {cards} does not match.",
    Reason.SUIT_DOES_NOT_MATCH: "Meld {meld} is a sequence of {suit}: {cards} does not match.",
    Reason.SLOT_TAKEN: "Meld {meld} has {cards} already.",
    Reason.NATURAL_TWO_STAYS: "In these rules the two of meld {meld} stays in its place, so {cards} does not fit.",
    Reason.MUST_KEEP_TWO: (
        "Your side may not close yet, so keep two cards: one to discard and one to hold. {left} would be left."
    ),
    Reason.MUST_KEEP_CLOSING_DISCARD: "Your last card may not be melded: keep one to close with by discarding it.",
    Reason.LAST_CARD_NOT_DISCARDABLE: "{cards} would be your last card, and you could not discard it.",
    Reason.DISCARD_WAS_WHOLE_PILE: (
        "{cards} was the whole pile when you took it: without its twin in hand it may not go back this turn."
    ),
    Reason.CLOSE_NEEDS_BURRACO: "This would be your last card, and your side has no burraco: you cannot close.",
    Reason.CLOSE_NEEDS_CLEAN_BURRACO: (
        "This would be your last card, and your side has no clean burraco: you cannot close."
    ),
    Reason.CLOSE_WITH_WILD: "You cannot close by discarding a wild card, {cards}.",
    Reason.CLOSE_NEEDS_POZZETTO: (
        "This would be your last card, and your side never took a pozzetto: you cannot close."
    ),
    Reason.NO_STALEMATE: "The one-card pile was taken in {turns} turns running; a stalemate needs {needed}.",
    Reason.STALEMATE_AFTER_DRAW: "Declare a stalemate at the start of your turn, before you draw.",
    Reason.TIME_ALREADY_CALLED: "Time has been called already in this deal.",
    Reason.DISCARD_WAS_TAKEN: "You took {cards} from the pile this turn: discard another card.",
    Reason.TOO_MUCH_DEADWOOD: "Your deadwood would be {deadwood}, and you may knock with {limit} at most.",
    Reason.KNOCK_MELDS_WRONG: (
        "These are no melds of your hand, each card in one: leave them out to have the best ones chosen."
    ),
    Reason.NO_UPCARD_TO_PASS: "Only the first up-card may be passed.",
    Reason.UPCARD_OFFERED: "The first up-card is offered: take it, or pass it.",
    Reason.UPCARD_WAS_PASSED: "Both players passed the up-card: draw from the stock.",
    Reason.OPENING_TOO_LOW: "Opening needs {needed} points in one turn; you would get to {points}.",
    Reason.NOT_OPENED: "You have not opened yet: lay down your opening first.",
    Reason.RECOVERED_JOKER_UNUSED: "You recovered a joker, which has to be melded this turn.",
    Reason.NO_WILD_TO_REPLACE: "Meld {meld} has no joker to recover.",
    Reason.REPLACEMENT_DOES_NOT_MATCH: "{cards} is not the card that the joker of meld {meld} stands for.",
    Reason.DISCARD_FITS_A_MELD: "{cards} fits meld {meld}, so it may not be discarded unless that closes.",
    Reason.CLOSE_IN_FIRST_ROUND: "Nobody may close before everyone has had a turn.",
    Reason.CLOSE_NEEDS_DISCARD: "Closing needs a discard: keep one card for it.",
    Reason.SET_REPEATS_SUIT: "A set has each suit once; {cards} comes twice.",
    Reason.ACE_PLACE: "In these rules an ace does not stand there in a sequence.",
    Reason.OPENING_WITH_JOKER: "A joker may not help to open here.",
    Reason.PILE_BEFORE_OPENING: "You have not opened yet, so the pile is not yours to take: draw from the stock.",
}
"""Text of each reason; names in braces are the violation's arguments, its cards and its meld."""

SCORE_LINES: Final[Mapping[ScoreItem, str]] = {
    ScoreItem.MELD_CARDS: "Cards of meld {meld}",
    ScoreItem.CLEAN_BURRACO: "Clean burraco, meld {meld}",
    ScoreItem.SEMI_CLEAN_BURRACO: "Semi-clean burraco, meld {meld}",
    ScoreItem.DIRTY_BURRACO: "Dirty burraco, meld {meld}",
    ScoreItem.LONG_RUN: "Long sequence, meld {meld}",
    ScoreItem.CLOSING: "Closing",
    ScoreItem.POZZETTO_NOT_TAKEN: "Pozzetto not taken",
    ScoreItem.HAND_CARDS: "Cards left in hand{seat}",
    ScoreItem.POZZETTO_NOT_PLAYED: "Pozzetto taken but not played{seat}",
    ScoreItem.PENALTY_CARDS: "Penalty for the cards left in hand{seat}",
    ScoreItem.CLOSED_IN_HAND: "Closed in hand{seat}",
    ScoreItem.DEADWOOD_DIFFERENCE: "Difference of deadwood",
    ScoreItem.GIN: "Gin",
    ScoreItem.UNDERCUT: "Undercut",
    ScoreItem.GAME: "Game",
    ScoreItem.BOX: "Deals won",
    ScoreItem.SHUTOUT: "Shutout",
    ScoreItem.HALVED: "Halved between partners",
}
"""Text of each line of a score sheet."""

OF_SEAT: Final = ", seat {seat}"
"""What follows a line that is about one seat."""
