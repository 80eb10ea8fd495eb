"""Lines of score sheets, and the seats that they are about."""

import json
import re

import pytest

from scripts import texts as made
from service.rules.reasons import Reason, violation
from service.rules.scores import Line, ScoreItem
from service.text import english, messages
from service.text.catalogue import CATALOGUES
from service.text.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("item", ScoreItem, ids=lambda item: item.name)
def test_a_line_of_a_sheet_is_told(language: str, item: ScoreItem) -> None:
    """With its meld or its seat, and without."""
    for line in (Line(item, 100), Line(item, 100, meld_id=3), Line(item, -35, seat=2)):
        text = CATALOGUES[language].score_line(line)
        assert text
        assert not re.search(r"[{}]|-1|None", text)
        assert ("2" in text) == ("{seat}" in str(english.SCORE_LINES[item]) and line.seat == 2)
        assert ("3" in text) == ("{meld}" in str(english.SCORE_LINES[item]) and line.meld_id == 3)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Penalty, seat 2: an opponent closed in hand"),
        ("it", "Penalità, posto 2: un avversario ha chiuso in mano"),
        ("pl", "Kara, miejsce 2: przeciwnik skończył rozdanie prosto z ręki"),
        ("fil", "Parusa, upuan 2: nagsara nang minsanan ang isang kalaban"),
        ("my", "ဒဏ်မှတ်၊ နေရာ 2- ပြိုင်ဘက်တစ်ယောက် တစ်ခါတည်း အကုန်ချပြီး ပိတ်သွားလို့"),
    ],
)
def test_a_seat_stands_beside_what_it_pays(language: str, text: str) -> None:
    """RA-11, SC-19: the seat of this line was caught by a closing in hand, and has not closed."""
    assert CATALOGUES[language].score_line(Line(ScoreItem.CLOSED_IN_HAND, 25, seat=2)) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_seats_and_sides_count_from_nought(language: str) -> None:
    """As everywhere in the contract, so that what a text says and what a message says is the same seat."""
    catalogue = CATALOGUES[language]
    assert "0" in catalogue.seat_name(0)
    assert "0" in catalogue.side_name(0)
    assert "0" in catalogue.violation(violation(Reason.NOT_YOUR_TURN, turn=0))
    assert "0" in catalogue.score_line(Line(ScoreItem.HAND_CARDS, -35, seat=0))
    # Where a front end has a name, it puts that in the place of the seat, after the same separator.
    exported = json.loads((made.EXPORTED / f"{language}.json").read_text("utf-8"))
    assert exported["ofSeat"].startswith(exported["separator"])


def test_a_translator_reads_what_a_line_of_a_sheet_is_for() -> None:
    """Who gets a line or pays it cannot be seen from its words: the contract's comment stands above each."""
    for item in ScoreItem:
        message = made.template().get(english.SCORE_LINES[item], messages.of_item(item))
        assert message is not None
        about = " ".join(message.auto_comments)
        assert about.startswith("Line in the sheet of whoever gets the points or pays them: "), item
        assert "(" in about
