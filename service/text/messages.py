"""Every text with its context: the name that a catalogue knows it by.

An id of a catalogue is the English text *in* its context. The context alone would be stable too, but a changed English
text would then keep its old translations; as it is, a tool finds each of them stale.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from service.rules.reasons import Reason
from service.rules.scores import ScoreItem
from service.text import english
from service.text.english import Text

Context: TypeAlias = str

CARD: Final = "card"
JOKER: Final = "card.joker"
TEXT_JOKER: Final = "text.joker"
SEPARATOR: Final = "separator"
OF_SEAT: Final = "score.of_seat"


def of_reason(reason: Reason) -> Context:
    """Context of a reason's text."""
    return f"reason.{reason.name}"


def of_item(item: ScoreItem) -> Context:
    """Context of the text of a score sheet's line."""
    return f"score.{item.name}"


def of_event(name: str) -> Context:
    """Context of an event's text; its name is a key of `english.EVENTS`."""
    return f"event.{name}"


def of_name(what: str) -> Context:
    """Context of what a seat or a side is called."""
    return f"name.{what}"


def of_card_rank(rank: str) -> Context:
    """Context of a rank in the name of a card."""
    return f"card.rank.{rank}"


def of_text_rank(rank: str) -> Context:
    """Context of a rank in the name of a card within a sentence: with its article, in languages that want one."""
    return f"text.rank.{rank}"


def of_set_rank(rank: str) -> Context:
    """Context of a rank after "a set of"."""
    return f"set.rank.{rank}"


def of_suit(suit: str) -> Context:
    """Context of a suit."""
    return f"suit.{suit}"


def all_messages() -> Iterator[tuple[Context, Text]]:
    """Every text that there is, in the order that translators read them in."""
    yield CARD, english.CARD
    yield JOKER, english.JOKER
    yield from ((of_card_rank(rank), text) for rank, text in english.CARD_RANKS.items())
    yield TEXT_JOKER, english.TEXT_JOKER
    yield from ((of_text_rank(rank), text) for rank, text in english.TEXT_RANKS.items())
    yield from ((of_suit(suit), text) for suit, text in english.SUITS.items())
    yield from ((of_set_rank(rank), text) for rank, text in english.SET_RANKS.items())
    yield SEPARATOR, english.SEPARATOR
    yield from ((of_name(what), text) for what, text in english.NAMES.items())
    yield from ((of_reason(reason), text) for reason, text in english.REASONS.items())
    yield from ((of_item(item), text) for item, text in english.SCORE_LINES.items())
    yield OF_SEAT, english.OF_SEAT
    yield from ((of_event(name), text) for name, text in english.EVENTS.items())
