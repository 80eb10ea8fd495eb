"""The catalogues: complete, with the numbers and names of the English texts, in forms that their language has."""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations
from io import BytesIO
from typing import Final, NamedTuple

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from hatchling.builders.wheel import WheelBuilder

from scripts import texts as made
from scripts.texts import forms, placeholders
from service.rules.cards import FACES, JOKER, RANK_NAMES, parse
from service.rules.reasons import Reason, violation
from service.rules.scores import ScoreItem
from service.text import english, messages
from service.text.catalogue import CATALOGUES, ENGLISH, card_name
from service.text.english import Counted, Text
from service.text.languages import LANGUAGES

TRANSLATED: Final = tuple(language for language in LANGUAGES if language != "en")

AS_IN_ENGLISH: Final = {
    "separator": "a comma",
    "score.GIN": "the game's own word",
    "score.UNDERCUT": "the game's own word",
    **{f"card.rank.{number}": "a number" for number in RANK_NAMES[2:11]},
}
"""Texts that may be the English ones in any language, and why."""
AS_IN_ENGLISH_IN: Final = {
    ("pl", "card.joker"): "the Polish word is the same",
    **{("fil", f"card.rank.{rank}"): "Filipino players say the English word" for rank in "JQK"},
    ("fil", "card.joker"): "as above; with a capital, as in the Tagalog seed",
    **{("fil", f"suit.{suit}"): "the Tagalog seed has the English words" for suit in "SHDC"},
}
"""As above, in one language."""


class Translation(NamedTuple):
    """A text and what became of it."""

    language: str
    context: str
    text: Text
    strings: tuple[str, ...]


@lru_cache
def catalog(language: str) -> Catalog:
    return made.read(language)


@lru_cache
def translations() -> tuple[Translation, ...]:
    """Every text in every language that is not English."""
    return tuple(_translations())


def _translations() -> Iterator[Translation]:
    for language in TRANSLATED:
        for context, text in messages.all_messages():
            found = catalog(language).get((text.one, text.many) if isinstance(text, Counted) else text, context)
            assert found is not None, (language, context)
            string = found.string or ""
            yield Translation(language, context, text, (string,) if isinstance(string, str) else tuple(string))


# --- complete ---------------------------------------------------------------------------------------------------------


def test_the_messages_are_all_that_there_are() -> None:
    """Each has a context of its own; every reason of a move and every line of a sheet is among them."""
    contexts = [context for context, _ in messages.all_messages()]
    assert len(contexts) == len(set(contexts))
    of_moves = {messages.of_reason(reason) for reason in Reason if reason < Reason.PRESET_UNKNOWN}
    assert of_moves | {messages.of_item(item) for item in ScoreItem} <= set(contexts)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_complete(language: str) -> None:
    """Every text is translated, in each form that the language has, and none is left in doubt."""
    missing = [
        found.context
        for found in translations()
        if found.language == language and not all(map(str.strip, found.strings))
    ]
    assert not missing
    assert [message.context for message in catalog(language) if message.id and message.fuzzy] == []
    assert len(catalog(language)) == len(list(messages.all_messages()))
    counted = [found for found in translations() if found.language == language and isinstance(found.text, Counted)]
    assert counted
    assert {len(found.strings) for found in counted} == {catalog(language).num_plurals}


def test_what_is_committed_is_what_the_texts_give() -> None:
    """Template, catalogues, compiled ones and exports: `make texts` would change nothing."""
    assert made.stale() == []


def test_the_package_has_what_the_service_reads() -> None:
    """Each compiled catalogue is in the wheel, and nothing that only translators need."""
    builder = WheelBuilder(str(made.ROOT))
    files = {file.distribution_path for file in builder.recurse_included_files()}
    assert {f"service/text/locale/{language}/LC_MESSAGES/burraco.mo" for language in TRANSLATED} <= files
    assert not [file for file in files if file.endswith((".po", ".pot"))]


def test_a_changed_english_text_is_found_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure itself: the template, the catalogues and the exports depend on the English texts."""
    monkeypatch.setitem(english.SCORE_LINES, ScoreItem.CLOSING, "Going out")
    stale = made.stale()
    assert "service/text/locale/burraco.pot" in stale
    assert {f"service/text/locale/{language}/LC_MESSAGES/burraco.po" for language in TRANSLATED} <= set(stale)
    changed = made.updated("it")
    message = changed.get("Going out", "score.CLOSING")
    assert message is not None
    assert message.fuzzy or not message.string
    # Until somebody has looked at it, it is told in English, by the service and by front ends alike.
    assert made.translated(changed, "score.CLOSING", "Going out") == ("Going out",)
    assert GNUTranslations(BytesIO(made.compiled(changed))).pgettext("score.CLOSING", "Going out") == "Going out"


@pytest.mark.parametrize("language", ["de", "ja", "ar"])
def test_another_language_begins_in_english(language: str) -> None:
    """An empty catalogue has every text with the forms of its language, and is told in English until it is filled."""
    begun = made.updated(language)
    assert len(begun) == len(list(messages.all_messages()))
    again = read_po(BytesIO(made.as_text(begun)), locale=language, domain="burraco")
    assert again.num_plurals == begun.num_plurals
    written = json.loads(made.exported(language, again))
    assert written["scoreItems"]["SCORE_ITEM_CLOSING"] == "Closing"
    many = written["reasons"]["REASON_OPENING_TOO_LOW"]["forms"]
    assert list(many) == list(made.categories(language))
    assert "points" in many["other"]


# --- true to the English ----------------------------------------------------------------------------------------------


def test_a_text_is_filled_with_what_the_english_one_is_filled_with() -> None:
    """No more, so no text can show what the English one does not; and no less."""
    for found in translations():
        wanted = {placeholders(form) for form in forms(found.text)}
        assert len(wanted) == 1
        for string in found.strings:
            assert {placeholders(string)} == wanted, found


def test_a_placeholder_is_a_plain_name() -> None:
    """Nothing of what a format string may also do: no attribute, index, conversion or width, and each name is known."""
    for context, text in messages.all_messages():
        for form in (*forms(text), *(s for found in translations() if found.context == context for s in found.strings)):
            assert re.sub(r"\{[a-z]+\}", "", form).count("{") == 0, form
            assert placeholders(form) <= set(made.PLACEHOLDERS)


def test_no_text_is_english_by_accident() -> None:
    """A text that reads as the English one does is on a list, with the reason."""
    same = {
        (found.language, found.context)
        for found in translations()
        if {string.casefold() for string in found.strings} & {form.casefold() for form in forms(found.text)}
    }
    allowed = {(language, context) for language in TRANSLATED for context in AS_IN_ENGLISH} | set(AS_IN_ENGLISH_IN)
    assert same - allowed == set()
    assert set(AS_IN_ENGLISH_IN) - same == set()


def test_no_two_reasons_read_the_same() -> None:
    """What is told apart in English is told apart everywhere; lines of a sheet and events too."""
    for language in TRANSLATED:
        for kind in ("reason.", "score.", "event.", "suit.", "card.rank.", "text.rank.", "set.rank."):
            strings = [
                found.strings
                for found in translations()
                if found.language == language and found.context.startswith(kind)
            ]
            assert len(set(strings)) == len(strings), (language, kind)


@pytest.mark.parametrize(("reason", "word"), [(Reason.DEAL_OVER, "counted"), (Reason.ALREADY_DRAWN, "meld")])
def test_a_text_for_all_games_is_true_in_each(reason: Reason, word: str) -> None:
    """A void deal is over and never counted (GI-12); nobody lays melds in the turns of Gin."""
    assert word not in str(english.REASONS[reason])


# --- true to the language ---------------------------------------------------------------------------------------------


def test_texts_are_normal_and_clean() -> None:
    """NFC, no blank at an end or twice, no control character, and the end that the English text has."""
    for found in translations():
        english_end = forms(found.text)[0][-1]
        for string in found.strings:
            assert unicodedata.normalize("NFC", string) == string, found
            assert "  " not in string
            assert not any(unicodedata.category(character) in {"Cc", "Co", "Cn", "Cs"} for character in string)
            if found.context != "separator":
                assert string == string.strip()
            if english_end == ".":
                assert string.endswith("။" if found.language == "my" else "."), found


def test_burmese_is_unicode_and_not_zawgyi() -> None:
    """Zawgyi writes vowel E and medial Ra before their consonant and uses code points that Burmese has no use for."""
    zawgyi = re.compile(
        r"(?:^|[^\u1000-\u109F])[\u1031\u103B\u103C]|\u1039(?![\u1000-\u1021])|[\u1060-\u1097]|[\u1033\u1034]"
    )
    letters = 0
    for found in translations():
        if found.language == "my":
            for string in found.strings:
                assert not zawgyi.search(string), found
                letters += sum("\u1000" <= character <= "\u1021" for character in string)
                # The Burmese seed has it wrong: U+1025 is an independent vowel, the letter in question is U+1009.
                assert "\u1025\u103a" not in string, found
    assert letters > 2000
    assert zawgyi.search("\u1031\u1000")
    assert zawgyi.search("\u1001\u1039")


def test_burmese_keeps_to_one_register() -> None:
    """Polite and spoken, as an app speaks to a player: nothing of written Burmese, a polite end to each sentence."""
    written = re.compile(r"(?:သည်|မည်)(?=[\s။၊-]|$)|၏|၍|တွင်|ဤ|နှင့်|သဖြင့်|လျှင်|သော|၎င်း|သို့မဟုတ်|ကြောင်း|သည့်|မျှ(?!ော)|များ(?!ဆုံး)")
    polite = re.compile(r"(?:ပါ|ပါတယ်|ပါသေးတယ်|ပါမယ်|ပါဘူး|ပါပြီ|ပါနဲ့|\{cards\}|\{meld\}|\{winners\})$")
    sentences = 0
    for found in translations():
        if found.language == "my":
            for string in found.strings:
                assert not written.search(string), found
                if string.endswith("။"):
                    for sentence in string.removesuffix("။").split("။"):
                        assert polite.search(sentence), found
                        sentences += 1
    assert sentences > 150
    assert written.search("{who} က ပိတ်သည်။")
    assert not polite.search("ကတ်ကို စွန့်ပစ်တယ်")


@pytest.mark.parametrize(
    ("language", "false_friends"),
    [
        ("fil", ("iguhit", "gumuhit", "ihalo", "pagsamahin", "pagliko", "itakda", "ligaw", "pag-isco")),
        (
            "my",
            (
                *("သိုလှောင်ရုံ", "မဲနှိုက်", "ဝတ်စုံ", "သဘောတူညီချက်", "အရောင်းကိုယ်စားလှယ်", "ရောင်းချသူ"),
                *("ရောစပ်", "ရောနှော", "သတ်မှတ်ထား", "လိပ်ခေါင်း", "ရှေ့မတိုး", "ဂိုးသွင်း", "ဖြတ်စက်"),
            ),
        ),
        ("it", ("mazzo tallone", "composizione", "pozzo")),
    ],
)
def test_no_false_friend_of_the_glossary_is_used(language: str, false_friends: tuple[str, ...]) -> None:
    """What the glossary of the rule book warns of, in the words themselves."""
    for found in translations():
        if found.language == language:
            for string in found.strings:
                assert not [word for word in false_friends if word in string.casefold()], found


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        ("it", ("tallone", "scarti", "pozzetto", "matta", "gioco", "combinazione", "sequenza", "calare", "attaccare")),
        (
            "it",
            ("pesca", "scarta", "chiudere", "burraco pulito", "semipulito", "sporco", "smazzata", "linea", "stallo"),
        ),
        ("pl", ("talii", "stosu odrzuconych", "pozzetto", "dzika kart", "zwykłe karty", "układ", "trójk", "sekwencj")),
        ("pl", ("dobierz", "odrzuć", "wyłóż", "dołóż", "czyste burraco", "brudne burraco", "rozdani", "ruch", "stron")),
        ("fil", ("stock pile", "itinapon", "pozzetto", "wild card", "meld", "set", "sequence", "ranggo", "suit")),
        ("fil", ("malinis", "marumi", "pagsasara", "koponan", "stalemate", "puntos", "dealer", "kamay", "natural")),
        ("my", ("စတော့ခ်", "စွန့်ပစ်", "pozzetto", "ရိုင်းကတ်", "ပေါင်းစပ်မှု", "အစု", "အစီအစဉ်", "အဆင့်", "အလှည့်")),
        ("my", ("သန့်ရှင်း", "ညစ်ပတ်", "ပိတ်", "အသင်း", "သဘာဝကတ်", "ဂျိုကာ", "အေ့စ်", "ဆွဲ", "အပိုဆုအမှတ်", "မိတ်ဖက်")),
    ],
)
def test_the_terms_are_those_of_the_glossary(language: str, terms: tuple[str, ...]) -> None:
    """What the glossary of the rule book gives for a language is what its texts say."""
    whole = "\n".join(string for found in translations() if found.language == language for string in found.strings)
    assert not [term for term in terms if term not in whole.casefold()]


# --- numbers ----------------------------------------------------------------------------------------------------------

STALEMATES: Final = {
    "en": {1: "in 1 turn;", 2: "in 2 turns running;", 5: "in 5 turns running;", 22: "in 22 turns running;"},
    "it": {1: "in 1 turno;", 2: "in 2 turni di fila;", 5: "in 5 turni di fila;", 22: "in 22 turni di fila;"},
    "pl": {1: "1 raz;", 2: "2 razy z rzędu;", 5: "5 razy z rzędu;", 22: "22 razy z rzędu;"},
    "fil": {1: "nang 1 beses", 2: "nang 2 beses", 4: "nang 4 na beses", 6: "nang 6 na beses", 22: "nang 22 beses"},
    "my": {1: "1 လှည့်ပဲ", 2: "2 လှည့်ပဲ", 5: "5 လှည့်ပဲ", 22: "22 လှည့်ပဲ"},
}
"""Once is never "running": `in 1 turn running` makes no sense in any language."""
DEADWOODS: Final = {
    "it": {1: "1 punto,", 11: "11 punti,", 22: "22 punti,", 1_000_000: "1000000 di punti,"},
    "pl": {1: "1 punkt,", 2: "2 punkty,", 5: "5 punktów,", 12: "12 punktów,", 21: "21 punktów,", 22: "22 punkty,"},
    "fil": {11: "11 puntos", 14: "14 na puntos", 16: "16 na puntos", 20: "20 puntos", 29: "29 na puntos"},
    "my": {1: "1 မှတ်", 22: "22 မှတ်"},
}


@pytest.mark.parametrize("language", STALEMATES)
def test_a_number_of_turns_has_its_form(language: str) -> None:
    """One, two, five and 22 turns, where languages differ."""
    for number, words in STALEMATES[language].items():
        text = CATALOGUES[language].violation(violation(Reason.NO_STALEMATE, turns=number, needed=90))
        assert words in text


@pytest.mark.parametrize("language", DEADWOODS)
def test_a_number_of_points_has_its_form(language: str) -> None:
    """Polish has three forms, Filipino goes by the last digit, Burmese has one."""
    for number, words in DEADWOODS[language].items():
        text = CATALOGUES[language].violation(violation(Reason.TOO_MUCH_DEADWOOD, deadwood=number, limit=90))
        assert words in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_with_a_number_uses_every_form(language: str) -> None:
    """Whatever the number, the text is one of its forms, and each is reached; of a negative number the size counts."""
    numbers = (*range(111), 1_000_000)
    for context, text in messages.all_messages():
        if not isinstance(text, Counted):
            continue
        strings = set(forms(text)) if language == "en" else set(_strings(language, context))
        names = dict.fromkeys(placeholders(text.one), "9")
        told = {CATALOGUES[language]._fill(context, {**names, text.by: number}) for number in numbers}
        shown = {form.format(**{**names, text.by: number}) for number in numbers for form in strings}
        assert told <= shown
        used = {form for form in strings if {form.format(**{**names, text.by: number}) for number in numbers} & told}
        assert used == strings, context
        below, above = (CATALOGUES[language]._fill(context, {**names, text.by: number}) for number in (-2, 2))
        assert below.replace("-2", "2") == above


def _strings(language: str, context: str) -> tuple[str, ...]:
    return next(found.strings for found in translations() if (found.language, found.context) == (language, context))


# --- cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ("7 of spades", "ace of hearts", "queen of clubs", "joker")),
        ("it", ("7 di picche", "asso di cuori", "donna di fiori", "jolly")),
        ("pl", ("7 pik", "as kier", "dama trefl", "joker")),
        ("fil", ("7 ng spades", "alas ng hearts", "queen ng clubs", "Joker")),
        ("my", ("စပိတ် 7", "ဟတ် အေ့စ်", "ညှင်း Q", "ဂျိုကာ")),
    ],
)
def test_a_card_has_a_name(language: str, names: tuple[str, ...]) -> None:
    """Cards in words, as players say them."""
    assert tuple(card_name(language, card) for card in (*parse("7S AH QC"), JOKER)) == names
    assert len({card_name(language, card) for card in (*FACES, JOKER)}) == 53


def test_cards_within_texts_are_words_but_in_english() -> None:
    """English keeps the contract's notation, in cards, ranks and suits alike."""
    cards = parse("7S JK")
    wrong = violation(Reason.SUIT_DOES_NOT_MATCH, cards, 3, suit="H")
    assert ENGLISH.violation(wrong) == "Meld 3 is a sequence of H: 7S JK does not match."
    assert (
        CATALOGUES["it"].violation(wrong)
        == "Il gioco 3 è una sequenza di cuori: non puoi attaccare il 7 di picche, il jolly."
    )
    ranks = violation(Reason.RANK_DOES_NOT_MATCH, parse("7S"), 3, rank="K")
    assert ENGLISH.violation(ranks) == "Meld 3 is a set of K: 7S does not match."
    assert CATALOGUES["pl"].violation(ranks) == "Układ 3 to trójka króli, więc to nie pasuje: 7 pik."


def test_italian_articles_meet_no_preposition_that_they_would_melt_with() -> None:
    """A card within an Italian text brings its article: "di" before "il 7" would have to be "del 7"."""
    melting = re.compile(r"\b(?:di|a|da|in|su)\s\{(?:cards?|now|was)\}", re.IGNORECASE)
    assert melting.search("in cambio di {card}")
    for found in translations():
        if found.language == "it":
            assert not any(melting.search(string) for string in found.strings), found
            # Nor does one begin a sentence, for it is in lower case.
            assert not any(re.search(r"(?:^|[.!?] )\{(?:cards?|now|was)\}", string) for string in found.strings), found
