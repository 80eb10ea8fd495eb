"""The English texts: what is wrong with a move, and what to do; what happened; the lines of a score sheet; cards.

They are what every other language is translated from, and the ids of its catalogue. Names in braces are filled in.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from service.rules.cards import RANK_NAMES, SUIT_LETTERS
from service.rules.reasons import Reason
from service.rules.scores import ScoreItem


class Counted(NamedTuple):
    """A text with a number in it: languages have a form for one, for many, and some for others between."""

    one: str
    many: str
    by: str
    """Name of the number that decides."""


Text: TypeAlias = str | Counted

REASONS: Final[Mapping[Reason, Text]] = {
    Reason.MATCH_OVER: "The match is over.",
    Reason.DEAL_OVER: "The deal is over: deal the next one.",
    Reason.DEAL_NOT_OVER: "The deal is not over: play it to its end first.",
    Reason.NOT_YOUR_TURN: "It is the turn of seat {turn}: wait for yours.",
    Reason.MUST_DRAW_FIRST: "Draw from the stock or take the pile first.",
    Reason.ALREADY_DRAWN: "You have drawn this turn already: play on, or discard.",
    Reason.MOVE_NOT_IN_GAME: "{game} has no such move.",
    Reason.MOVE_AFTER_REVEAL: (
        "The move before shows a hidden card, so it has to be the last of its call: send the rest after it."
    ),
    Reason.PLAYER_IS_OUT: "You are out of the match: the others go on without you.",
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
    Reason.TOO_FEW_CARDS: Counted(
        "A meld has at least {min} cards; this is {count}.",
        "A meld has at least {min} cards; these are {count}.",
        by="count",
    ),
    Reason.TOO_MANY_CARDS: Counted(
        "This would be {count} card, and at most {max} lie in such a meld.",
        "These would be {count} cards, and at most {max} lie in such a meld.",
        by="count",
    ),
    Reason.TOO_MANY_WILDS: Counted(
        "A meld has at most one wild card; here {cards} would be {count}.",
        "A meld has at most one wild card; here {cards} would be {count}.",
        by="count",
    ),
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
    Reason.MUST_KEEP_TWO: Counted(
        "Your side may not close yet, so keep two cards: one to discard and one to hold. {left} would be left.",
        "Your side may not close yet, so keep two cards: one to discard and one to hold. {left} would be left.",
        by="left",
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
    Reason.NO_STALEMATE: Counted(
        "The one-card pile was taken in {turns} turn; a stalemate needs {needed} running.",
        "The one-card pile was taken in {turns} turns running; a stalemate needs {needed}.",
        by="turns",
    ),
    Reason.STALEMATE_AFTER_DRAW: "Declare a stalemate at the start of your turn, before you draw.",
    Reason.TIME_ALREADY_CALLED: "Time has been called already in this deal.",
    Reason.DISCARD_WAS_TAKEN: "You took {cards} from the pile this turn: discard another card.",
    Reason.TOO_MUCH_DEADWOOD: Counted(
        "Your deadwood would be {deadwood}, and you may knock with {limit} at most.",
        "Your deadwood would be {deadwood}, and you may knock with {limit} at most.",
        by="deadwood",
    ),
    Reason.KNOCK_MELDS_WRONG: (
        "These are no melds of your hand, each card in one: leave them out to have the best ones chosen."
    ),
    Reason.NO_UPCARD_TO_PASS: "Only the first up-card may be passed.",
    Reason.UPCARD_OFFERED: "The first up-card is offered: take it, or pass it.",
    Reason.UPCARD_WAS_PASSED: "Both players passed the up-card: draw from the stock.",
    Reason.OPENING_TOO_LOW: Counted(
        "Opening needs {needed} point in one turn; you would get to {points}.",
        "Opening needs {needed} points in one turn; you would get to {points}.",
        by="needed",
    ),
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
    ScoreItem.CLOSED_IN_HAND: "Penalty{seat}: an opponent closed in hand",
    ScoreItem.DEADWOOD_DIFFERENCE: "Difference of deadwood",
    ScoreItem.GIN: "Gin",
    ScoreItem.UNDERCUT: "Undercut",
    ScoreItem.GAME: "Match won",
    ScoreItem.BOX: "Deals won",
    ScoreItem.SHUTOUT: "Shutout",
    ScoreItem.HALVED: "Halved between partners",
}
"""Text of each line of a score sheet."""

OF_SEAT: Final = ", seat {seat}"
"""What follows a line that is about one seat."""

EVENTS: Final[Mapping[str, Text]] = {
    "match_started": "The match begins.",
    "dealt": "Deal {deal}: {who} deals, and {card} is the first card of the pile.",
    "drew": "{who} draws {card} from the stock.",
    "drew.hidden": "{who} draws a card from the stock.",
    "took_pile": Counted(
        "{who} takes {count} card from the pile: {cards}.", "{who} takes {count} cards from the pile: {cards}.", "count"
    ),
    "took_pile.top": Counted(
        "{who} takes {count} card from the pile, on top {card}.",
        "{who} takes {count} cards from the pile, on top {card}.",
        "count",
    ),
    "melded": "{who} lays down meld {meld}: {cards}.",
    "laid_off": "{who} lays off on meld {meld}: {cards}.",
    "wild_moved": "In meld {meld}, {card} now stands for {now}, no longer for {was}.",
    "wild_moved.natural": "In meld {meld}, {card} now stands in its own place.",
    "wild_moved.wild": "In meld {meld}, {card} is a wild card now and stands for {now}.",
    "discarded": "{who} discards {card}.",
    "took_pozzetto.direct": Counted(
        "{who} takes a pozzetto of {count} card and plays on.",
        "{who} takes a pozzetto of {count} cards and plays on.",
        "count",
    ),
    "took_pozzetto.on_discard": Counted(
        "{who} takes a pozzetto of {count} card with the last discard.",
        "{who} takes a pozzetto of {count} cards with the last discard.",
        "count",
    ),
    "pozzetto_seen": "{who} may look at the pozzetto now.",
    "closed": "{who} closes.",
    "turn_started": "It is the turn of {who}.",
    "deal_ended.closed": "The deal is over: the hand was closed.",
    "deal_ended.stock": "The deal is over: the stock has run out.",
    "deal_ended.stalemate_declared": "The deal is over: a stalemate was declared.",
    "deal_ended.stalemate_automatic": "The deal is over: one card went round and round, a stalemate.",
    "deal_ended.time": "The deal is over: time has run out.",
    "deal_ended.resigned": "The deal is over and not counted: a player has resigned.",
    "deal_ended.void": "The deal is void: it is not counted, and the same dealer deals again.",
    "deal_ended.knock": "The deal is over: a player has knocked.",
    "deal_ended.gin": "The deal is over: a player has gin.",
    "deal_scored": "The deal has been counted.",
    "match_ended.target": Counted(
        "The match is over: the target has been reached. Winner: {winners}.",
        "The match is over: the target has been reached. Winners: {winners}.",
        "count",
    ),
    "match_ended.deals_played": Counted(
        "The match is over: all its deals have been played. Winner: {winners}.",
        "The match is over: all its deals have been played. Winners: {winners}.",
        "count",
    ),
    "match_ended.resigned": Counted(
        "The match is over by resignation. Winner: {winners}.",
        "The match is over by resignation. Winners: {winners}.",
        "count",
    ),
    "match_ended.last_player": Counted(
        "The match is over: the others are out. Winner: {winners}.",
        "The match is over: the others are out. Winners: {winners}.",
        "count",
    ),
    "time_called": Counted(
        "Time is called: {count} more turn, this one included.",
        "Time is called: {count} more turns, this one included.",
        "count",
    ),
    "stalemate_declared": "{who} declares a stalemate.",
    "resigned": "{who} resigns.",
    "turn_timed_out": "{who} is absent: the turn is completed by the rules.",
    "wild_replaced": "{who} puts {card} into meld {meld} and takes the joker.",
    "knocked": Counted(
        "{who} knocks with {points} point of deadwood.", "{who} knocks with {points} points of deadwood.", "points"
    ),
    "knocked.gin": "{who} has gin.",
    "upcard_passed": "{who} passes the up-card.",
    "stock_renewed": Counted(
        "The stock has run out; the new one has {count} card.",
        "The stock has run out; the new one has {count} cards.",
        "count",
    ),
    "player_out": Counted(
        "{who} is out of the match with {points} point.", "{who} is out of the match with {points} points.", "points"
    ),
    "player_reentered": Counted(
        "{who} comes in again with {points} point.", "{who} comes in again with {points} points.", "points"
    ),
}
"""Text of each event, by its name in the contract and, after a dot, what is special about it."""

NAMES: Final[Mapping[str, str]] = {"seat": "Seat {seat}", "side": "Side {side}"}
"""What a seat or a side is called where nobody gave it a name."""

CARD: Final = "{rank} of {suit}"
"""A card in words."""
JOKER: Final = "joker"
SEPARATOR: Final = ", "
"""Between the cards of a list, or the names."""

CARD_RANKS: Final[Mapping[str, str]] = {name: name for name in RANK_NAMES[1:]} | {
    "A": "ace",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
"""A rank in the name of a card."""
TEXT_RANKS: Final[Mapping[str, str]] = {rank: f"the {name}" for rank, name in CARD_RANKS.items()}
"""The same within a sentence."""
TEXT_JOKER: Final = "the joker"
SET_RANKS: Final[Mapping[str, str]] = {name: f"{name}s" for name in RANK_NAMES[1:]} | {
    "A": "aces",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
}
"""A rank after "a set of"."""
SUITS: Final[Mapping[str, str]] = dict(zip(SUIT_LETTERS, ("spades", "hearts", "diamonds", "clubs"), strict=True))
"""A suit, in the name of a card and after "a sequence of"."""
