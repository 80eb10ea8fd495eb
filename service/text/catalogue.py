"""Filling the texts of a language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from service.rules.cards import FACES, JOKER, RANK_NAMES, SUIT_LETTERS, Card, rank_of, suit_of
from service.rules.cards import text as notation
from service.rules.cards import texts as notations
from service.rules.events import Event
from service.rules.reasons import Violation
from service.rules.scores import Line
from service.rules.state import NOBODY
from service.text import english, messages
from service.text.english import Counted
from service.text.events import Value, told
from service.text.languages import ENGLISH as ENGLISH_TAG
from service.text.languages import LANGUAGES, Language, preferred
from service.text.messages import Context

Name = Callable[[int], str]
"""What a seat or a side is called, by its number."""


class Catalogue:
    """The texts of one language. It is shared, and nothing in it ever changes."""

    def __init__(self, language: Language, translations: NullTranslations) -> None:
        self.language: Final = language
        self.in_words: Final = language != ENGLISH_TAG
        """Whether cards, ranks and suits in a text are words. English has the contract's notation (`7S`)."""
        self._translations: Final = translations
        self._counted: Final[dict[Context, Counted]] = {}
        self._plain: Final[dict[Context, str]] = {}
        for context, text in messages.all_messages():
            if isinstance(text, Counted):
                self._counted[context] = text
            else:
                self._plain[context] = translations.pgettext(context, text)
        self._names: Final = self._all_cards(messages.of_card_rank, messages.JOKER)
        self._cards: Final = self._all_cards(messages.of_text_rank, messages.TEXT_JOKER)
        self._reasons: Final = {reason: messages.of_reason(reason) for reason in english.REASONS}
        self._items: Final = {item: messages.of_item(item) for item in english.SCORE_LINES}
        self._separator: Final = self._plain[messages.SEPARATOR]

    # --- whole texts ----------------------------------------------------------------------------------------------

    def violation(self, violation: Violation) -> str:
        """Say what is wrong, and what to do."""
        values: dict[str, str | int] = dict(violation.arguments)
        values["cards"] = self.cards(violation.cards)
        values["meld"] = violation.meld_id
        if self.in_words:
            if rank := values.get("rank"):
                values["rank"] = self.set_rank(str(rank))
            if suit := values.get("suit"):
                values["suit"] = self.suit(str(suit))
        return self._fill(self._reasons[violation.reason], values)

    def score_line(self, line: Line) -> str:
        """Say what a line of a score sheet counts."""
        seat = "" if line.seat == NOBODY else self._fill(messages.OF_SEAT, {"seat": line.seat})
        return self._fill(self._items[line.item], {"meld": line.meld_id, "seat": seat})

    def event(self, event: Event, seat_name: Name | None = None, side_name: Name | None = None) -> str:
        """Say what happened, as far as the event tells it: redact it for its reader first.

        Players have names that the service never learns; without them they are called by their seats.
        """
        name, values = told(event)
        of_seat = seat_name or self.seat_name
        of_side = side_name or self.side_name
        return self._fill(messages.of_event(name), {key: self._value(value, of_seat, of_side) for key, value in values})

    # --- parts of texts -------------------------------------------------------------------------------------------

    def card_name(self, card: Card) -> str:
        """Name a card in words, by itself: `7 of spades`."""
        return self._names[card]

    def card(self, card: Card) -> str:
        """Write a card as the texts of this language do."""
        return self._cards[card] if self.in_words else notation(card)

    def cards(self, cards: Iterable[Card]) -> str:
        """Write cards as the texts of this language do."""
        return self._separator.join([self._cards[card] for card in cards]) if self.in_words else notations(cards)

    def set_rank(self, rank: str) -> str:
        """Say a rank, such as `K`, as it follows "a set of"."""
        return self._plain[messages.of_set_rank(rank)]

    def suit(self, suit: str) -> str:
        """Say a suit, such as `S`."""
        return self._plain[messages.of_suit(suit)]

    def seat_name(self, seat: int) -> str:
        """Call a seat whose player has no name here."""
        return self._fill(messages.of_name("seat"), {"seat": seat})

    def side_name(self, side: int) -> str:
        """Call a side that has no name here."""
        return self._fill(messages.of_name("side"), {"side": side})

    # --- filling --------------------------------------------------------------------------------------------------

    def _fill(self, context: Context, values: Mapping[str, object]) -> str:
        if plain := self._plain.get(context):
            return plain.format_map(values)
        counted = self._counted[context]
        number = abs(int(str(values[counted.by])))
        return self._translations.npgettext(context, counted.one, counted.many, number).format_map(values)

    def _all_cards(self, of_rank: Callable[[str], Context], joker: Context) -> Mapping[Card, str]:
        suits = [self.suit(suit) for suit in SUIT_LETTERS]
        ranks = ["", *(self._plain[of_rank(rank)] for rank in RANK_NAMES[1:])]
        card = self._plain[messages.CARD]
        named = {face: card.format(rank=ranks[rank_of(face)], suit=suits[suit_of(face)]) for face in FACES}
        return named | {JOKER: self._plain[joker]}

    def _value(self, value: Value, seat_name: Name, side_name: Name) -> str:
        match value.kind:
            case "seat":
                return seat_name(value.number)
            case "sides":
                return self._separator.join(map(side_name, value.numbers))
            case "card":
                return self.card(value.number)
            case "cards":
                return self.cards(value.numbers)
            case _:
                return str(value.number)


def _load(language: Language) -> Catalogue:
    """Read a compiled catalogue; `make texts` compiles."""
    if language == ENGLISH_TAG:
        return Catalogue(language, NullTranslations())
    compiled = files("service.text").joinpath("locale", language, "LC_MESSAGES", "burraco.mo")
    with compiled.open("rb") as file:
        return Catalogue(language, GNUTranslations(file))


CATALOGUES: Final[Mapping[Language, Catalogue]] = {language: _load(language) for language in LANGUAGES}
"""Every language's texts, read when the service starts: no call waits for a file."""

ENGLISH: Final = CATALOGUES[ENGLISH_TAG]


def catalogue_for(accept_language: Sequence[str]) -> Catalogue:
    """Find the catalogue of the language that a call's headers `accept-language` ask for."""
    return CATALOGUES[preferred(accept_language)] if accept_language else ENGLISH


def card_name(language: Language, card: Card) -> str:
    """Name a card in words, in one of the languages: `7 di picche`."""
    return CATALOGUES[language].card_name(card)
